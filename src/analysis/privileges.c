/* SPDX-License-Identifier: MIT */
/* What each packet can do at each level of privilege. */
#include "analysis/build.h"
#include "analysis/run.h"

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
};

/* GPUCODE_NONE ends it: the caller has enough. */
static enum gpucode_status tell_section(struct gpucode_analysis *analysis, struct analysis_code *code,
                                        const struct telling *telling, bool *more)
{
    uint8_t(*known)[LEVELS_MAX] = calloc((size_t)code->function_count + 1, sizeof *known); /* 1 + effects */
    bool good = known;
    uint32_t handler;
    for (unsigned i = 0; good && *more && i < HANDLERS_MAX; i++) {
        if (!gpucode_image_handler(analysis->image, code->section, i, &handler))
            break;
        uint32_t function = handler && handler < code->units ? code->function_at[handler] : GPUCODE_NONE;
        for (unsigned level = 0; good && *more && telling->levels[level]; level++) {
            struct looking looking = {analysis, level, 0};
            if (function != GPUCODE_NONE && known[function][level])
                looking.effects = known[function][level] - 1;
            else if (function != GPUCODE_NONE)
                good = analysis_at_level(analysis, code, function, level, look_at, &looking);
            if (good && function != GPUCODE_NONE)
                known[function][level] = (uint8_t)(1 + looking.effects);
            *more =
                good && telling->found(telling->user, &(struct gpucode_privileges){.section = code->section,
                                                                                   .packet = i,
                                                                                   .level = level,
                                                                                   .level_name = telling->levels[level],
                                                                                   .effects = looking.effects});
        }
    }
    free(known);
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_analysis_privileges(struct gpucode_analysis *analysis,
                                                bool (*found)(void *user, const struct gpucode_privileges *row),
                                                void *user)
{
    if (!analysis || !found)
        return GPUCODE_ERROR_ARGUMENT;
    const struct telling telling = {found, user,
                                    analysis->set->levels ? analysis->set->levels(analysis->target) : NULL};
    if (!telling.levels)
        return GPUCODE_ERROR_UNSUPPORTED;
    enum gpucode_status status = GPUCODE_OK;
    bool more = true;
    for (unsigned i = 0; status == GPUCODE_OK && more && i < analysis->section_count; i++)
        status = tell_section(analysis, &analysis->code[i], &telling, &more);
    return status;
}
