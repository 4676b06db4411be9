/* SPDX-License-Identifier: MIT */
/* What each packet can do at each level of privilege. */
#include "analysis/build.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS_MAX 8
#define HANDLERS_MAX 128

struct looking {
    struct gpucode_analysis *analysis;
    unsigned level, effects;
};

static void look_at(void *user, struct analysis_code *code, uint32_t piece, const isa_value *before)
{
    struct looking *looking = user;
    const struct isa_analysis *set = looking->analysis->set;
    isa_value state[ANALYSIS_REGISTERS_MAX];
    bool in_slot = false;
    memcpy(state, before, set->registers * sizeof *state);
    for (uint32_t unit = code->pieces[piece].start; unit < code->pieces[piece].end; unit++) {
        if (in_slot && analysis_is_transfer(&code->words[unit]))
            break;
        in_slot = code->words[unit].slot;
        looking->effects |= set->effects(code->facts, &code->pool, unit, state);
        set->step(code->facts, &code->pool, unit, looking->level, state);
    }
}

struct telling {
    bool (*found)(void *user, const struct gpucode_privileges *row);
    void *user;
    const char *const *levels;
    struct trials *trials; /* or null */
};

/* What was found out about a function at a level. */
struct found {
    bool known, tried;
    uint8_t effects;
    struct trials_seen seen;
};

/* False: out of memory. */
static bool find_out(struct gpucode_analysis *analysis, struct analysis_code *code, uint32_t function, unsigned packet,
                     unsigned level, struct trials *trials, struct found *found)
{
    struct looking looking = {analysis, level, 0};
    struct trials_seen seen = {0};
    if (found->known)
        return true;
    if (!analysis_at_level(analysis, code, function, level, look_at, &looking))
        return false;
    bool tried = trials && trials_run(trials, packet, level, looking.effects, &seen);
    if (trials && trials_lack_memory(trials))
        return false;
    *found = (struct found){true, tried, (uint8_t)looking.effects, seen};
    return true;
}

/* *more becomes false where the caller has enough. */
static enum gpucode_status tell_section(struct gpucode_analysis *analysis, struct analysis_code *code,
                                        const struct telling *telling, bool *more)
{
    struct found(*all)[LEVELS_MAX] = calloc((size_t)code->function_count + 1, sizeof *all);
    struct trials *trials = telling->trials && trials_section(telling->trials, code) ? telling->trials : NULL;
    bool good = all;
    uint32_t handler;
    for (unsigned i = 0; good && *more && i < HANDLERS_MAX; i++) {
        if (!gpucode_image_handler(analysis->image, code->section, i, &handler))
            break;
        uint32_t function = handler && handler < code->units ? code->function_at[handler] : GPUCODE_NONE;
        for (unsigned level = 0; good && *more && telling->levels[level]; level++) {
            struct found none = {0}, *found = function == GPUCODE_NONE ? &none : &all[function][level];
            good = function == GPUCODE_NONE || find_out(analysis, code, function, i, level, trials, found);
            *more =
                good && telling->found(telling->user, &(struct gpucode_privileges){.section = code->section,
                                                                                   .packet = i,
                                                                                   .level = level,
                                                                                   .level_name = telling->levels[level],
                                                                                   .effects = found->effects,
                                                                                   .tried = found->tried,
                                                                                   .seen = found->seen.all,
                                                                                   .led = found->seen.led,
                                                                                   .led_seen = found->seen.led_seen,
                                                                                   .put_seen = found->seen.put_seen});
        }
    }
    free(all);
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

static enum gpucode_status tell(struct gpucode_analysis *analysis, const struct telling *telling)
{
    enum gpucode_status status = GPUCODE_OK;
    bool more = true;
    for (unsigned i = 0; status == GPUCODE_OK && more && i < analysis->section_count; i++)
        status = tell_section(analysis, &analysis->code[i], telling, &more);
    return status;
}

static const char *const *levels_of(const struct gpucode_analysis *analysis)
{
    return analysis->set->levels ? analysis->set->levels(analysis->target) : NULL;
}

enum gpucode_status gpucode_analysis_privileges(struct gpucode_analysis *analysis,
                                                bool (*found)(void *user, const struct gpucode_privileges *row),
                                                void *user)
{
    if (!analysis || !found)
        return GPUCODE_ERROR_ARGUMENT;
    const struct telling telling = {found, user, levels_of(analysis), NULL};
    return telling.levels ? tell(analysis, &telling) : GPUCODE_ERROR_UNSUPPORTED;
}

enum gpucode_status gpucode_analysis_trials(struct gpucode_analysis *analysis,
                                            bool (*found)(void *user, const struct gpucode_privileges *row), void *user)
{
    if (!analysis || !found)
        return GPUCODE_ERROR_ARGUMENT;
    struct telling telling = {found, user, levels_of(analysis), NULL};
    if (!telling.levels)
        return GPUCODE_ERROR_UNSUPPORTED;
    telling.trials = trials_begin(analysis);
    if (!telling.trials)
        return GPUCODE_ERROR_MEMORY;
    enum gpucode_status status = tell(analysis, &telling);
    if (trials_lack_memory(telling.trials))
        status = GPUCODE_ERROR_MEMORY;
    trials_end(telling.trials);
    return status;
}
