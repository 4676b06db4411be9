/* SPDX-License-Identifier: MIT */
/* What each packet can do at each level of privilege. */
#include "analysis/build.h"

#include "base/text.h"
#include "isa/isa.h"
#include "isa/machine.h"

#include <gpucode/machine.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * Privileges by trials: each handler runs on the machine, from the state that boot leaves, at each level, with many
 * packets. What it writes is noted. Packets begin with marked words and go on with what handlers compare words with.
 */

#define BOOT_LIMIT 1000000   /* instructions */
#define RUN_LIMIT 3000       /* of a handler: a loop that waits says nothing new */
#define RUNS_LEAST 24        /* of each handler at each level */
#define RUNS_MOST 96         /* while something that the analysis says was not seen */
#define SPUN_MOST 8          /* runs of a handler that do not end */
#define PAYLOAD_MAX 24       /* words */
#define MARK 0xc0de0000u     /* the first words of payload are told by it */
#define BUFFER 0x40000000u   /* where indirect buffers lie, */
#define BUFFER_STEP 0x10000u /* one for each level */
#define LED_RUNS 6           /* of each handler at each level, to which the firmware is led */
#define WORDS_MAX 64         /* that handlers compared with, remembered */
#define PACKETS 128

/* What was seen, as enum gpucode_privilege. */
struct trials_seen {
    unsigned all;      /* of all runs, with the packet put at the level */
    bool led;          /* the firmware came to the level by itself in some runs, */
    unsigned led_seen; /* and did this, */
    unsigned put_seen; /* that being what the same runs did with the packet put there */
};

struct trials {
    struct gpucode_analysis *analysis;
    struct analysis_code *code;
    struct gpucode_machine *machine;
    struct gpucode_snapshot *fresh;  /* after boot; null: it does not come to where packets are waited for */
    struct gpucode_snapshot *booted; /* the same with a packet table */
    unsigned processor;
    uint64_t ready; /* bit n: processor n has come to where it waits for packets */
    bool no_memory;
    struct isa_watch watch;
    unsigned spun;    /* runs of this handler that did not end */
    unsigned seen;    /* effects of this run */
    unsigned leading; /* packets that come before the one that they lead to; 1: it is the next one */
    bool led;         /* there are such in this run */
    uint32_t packet_words[PAYLOAD_MAX + 1];
    unsigned packet_count;
    uint32_t words[WORDS_MAX];
    unsigned word_count;
    uint64_t random;
};

static uint32_t draw(struct trials *trials)
{
    trials->random = trials->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(trials->random >> 33);
}

static void remember(struct trials *trials, uint32_t word)
{
    for (unsigned i = 0; i < trials->word_count; i++)
        if (trials->words[i] == word)
            return;
    if (trials->word_count < WORDS_MAX)
        trials->words[trials->word_count++] = word;
    else
        trials->words[draw(trials) % WORDS_MAX] = word;
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct trials *trials = user;
    const struct isa_analysis *set = trials->analysis->set;
    uint32_t left = 1;
    if (event->processor != trials->processor)
        return false;
    if (trials->leading && event->kind == GPUCODE_EVENT_PACKET && --trials->leading == 0 &&
        event->value != trials->packet_words[0]) {
        trials->leading = UINT_MAX; /* it came to something else */
        return true;
    }
    if (trials->leading)
        return false;
    switch (event->kind) {
    case GPUCODE_EVENT_INSN:
        gpucode_machine_read(machine, event->processor, GPUCODE_SPACE_GENERAL, set->count_register, &left);
        trials->seen |= set->watch_insn(trials->code->facts, &trials->watch, (uint32_t)event->pc, !left);
        return false;
    case GPUCODE_EVENT_COMPARE:
        if (!trials->led)
            remember(trials, (uint32_t)event->old);
        return false;
    case GPUCODE_EVENT_HANDLED:
        return true;
    case GPUCODE_EVENT_PACKET:
        return false;
    default:
        trials->seen |= set->watch_event(trials->code->facts, &trials->watch, event);
        return false;
    }
}

/* Word number `index` of the payload of run number `run`. */
static uint32_t payload_word(struct trials *trials, unsigned run, unsigned index)
{
    static const uint32_t simple[] = {0, UINT32_MAX, 1, 2, 0x80000000u};
    if (run == 0)
        return MARK + 1 + index;
    if (run <= sizeof simple / sizeof *simple)
        return simple[run - 1];
    switch (draw(trials) % 8) {
    case 0:
        return MARK + 1 + index;
    case 1:
        return UINT32_C(1) << draw(trials) % 32;
    case 2:
        return draw(trials) % 16;
    case 3:
        return 0;
    case 4:
        return trials->word_count ? trials->words[draw(trials) % trials->word_count] | UINT32_C(1) << draw(trials) % 32
                                  : UINT32_MAX;
    default:
        return trials->word_count ? trials->words[draw(trials) % trials->word_count] : MARK + 1 + index;
    }
}

/* The packet of run number `run`. */
static void make_packet(struct trials *trials, unsigned packet, unsigned run)
{
    static const unsigned lengths[] = {8, 4, 3, 2, 16, 1, PAYLOAD_MAX, 5, 6, 0};
    unsigned count = lengths[run % (sizeof lengths / sizeof *lengths)];
    trials->packet_count = count + 1;
    trials->packet_words[0] = trials->analysis->layout->info.target->isa->machine->packet(packet, count);
    for (unsigned i = 0; i < count; i++)
        trials->packet_words[i + 1] = payload_word(trials, run, i);
}

static bool is_good(struct trials *trials, enum gpucode_status status)
{
    trials->no_memory |= status == GPUCODE_ERROR_MEMORY;
    return status == GPUCODE_OK;
}

static enum gpucode_stop_reason run(struct trials *trials, uint64_t limit)
{
    struct gpucode_stop stop;
    gpucode_machine_run(trials->machine, limit, &stop);
    trials->no_memory |= stop.code && strcmp(stop.code, "machine-memory") == 0;
    return stop.reason;
}

/* Words into the buffer of a level. */
static bool store_words(struct trials *trials, unsigned level, const uint32_t *words, unsigned count)
{
    uint32_t memory[64];
    bool good = true;
    for (unsigned i = 0, part; i < count && good; i += part) {
        part = count - i < 64 ? count - i : 64;
        memcpy(memory, words + i, sizeof *memory * part);
        words_of_memory(memory, part);
        good = is_good(trials,
                       gpucode_machine_store(trials->machine, BUFFER + (uint64_t)level * BUFFER_STEP + 4 * (uint64_t)i,
                                             memory, sizeof *memory * part));
    }
    return good;
}

/* From the state that boot left: `count` words at a level. */
static bool put_words(struct trials *trials, unsigned level, const uint32_t *words, unsigned count)
{
    uint64_t address = BUFFER + (uint64_t)level * BUFFER_STEP;
    return store_words(trials, level, words, count) &&
           is_good(trials, gpucode_machine_enter(trials->machine, trials->processor, level, address, count));
}

static bool begin_run(struct trials *trials)
{
    trials->seen = 0;
    trials->watch = (struct isa_watch){0};
    gpucode_machine_hook(trials->machine, 0, NULL, NULL);
    return is_good(trials, gpucode_machine_restore(trials->machine, trials->booted));
}

static enum gpucode_stop_reason run_to_end(struct trials *trials, unsigned more_kinds)
{
    gpucode_machine_hook(trials->machine,
                         GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE | GPUCODE_EVENT_COMPARE |
                             GPUCODE_EVENT_HANDLED | more_kinds,
                         watch, trials);
    return run(trials, RUN_LIMIT);
}

/* Gives the packet at the level, and runs it to its end. */
static bool run_put(struct trials *trials, unsigned level)
{
    trials->leading = 0;
    trials->led = false;
    if (!begin_run(trials) || !put_words(trials, level, trials->packet_words, trials->packet_count) ||
        !is_good(trials, gpucode_machine_write(trials->machine, trials->processor, GPUCODE_SPACE_GENERAL,
                                               trials->analysis->set->level_register, level)))
        return false;
    trials->spun += run_to_end(trials, 0) == GPUCODE_STOP_LIMIT;
    return true;
}

/* The same packet, where packets in the ring lead through all levels below. False: it did not come to it. */
static bool run_led(struct trials *trials, unsigned level)
{
    const struct isa_analysis *set = trials->analysis->set;
    const struct gpucode_target *target = trials->analysis->layout->info.target;
    uint32_t words[ISA_LEAD_MAX];
    unsigned count = trials->packet_count, from = level;
    trials->leading = 1;
    bool good = level && set->lead && begin_run(trials) && store_words(trials, level, trials->packet_words, count);
    while (good && from) {
        unsigned at = from;
        count =
            set->lead(target, at, set->levels(target)[at], BUFFER + (uint64_t)at * BUFFER_STEP, count, &from, words);
        trials->leading++;
        good = count && from < at && (!from || store_words(trials, from, words, count));
    }
    if (!good || !put_words(trials, 0, words, count))
        return false;
    trials->led = true;
    run_to_end(trials, GPUCODE_EVENT_PACKET);
    return !trials->leading;
}

/* The processor that runs the section; false: none does. */
static bool find_processor(struct trials *trials)
{
    for (unsigned i = 0; gpucode_machine_processor(trials->machine, i); i++)
        if (gpucode_machine_section(trials->machine, i) == trials->code->section) {
            trials->processor = i;
            return i < 64 && trials->ready >> i & 1;
        }
    return false;
}

/* Firmware whose boot does not fill the packet table has that of the image. */
static void fill_table(struct trials *trials)
{
    uint32_t value, handler;
    if (gpucode_machine_read(trials->machine, trials->processor, GPUCODE_SPACE_PACKET, 0, &value) == GPUCODE_OK)
        return;
    for (unsigned i = 0; i < PACKETS; i++)
        if (gpucode_image_handler(trials->analysis->image, trials->code->section, i, &handler))
            is_good(trials,
                    gpucode_machine_write(trials->machine, trials->processor, GPUCODE_SPACE_PACKET, i, handler));
}

static bool watch_boot(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct trials *trials = user;
    (void)machine;
    trials->ready |= event->processor < 64 ? UINT64_C(1) << event->processor : 0;
    return false;
}

/* Boots the image. Null: out of memory; an image that does not boot is found out by trials_section(). */
static struct trials *trials_begin(struct gpucode_analysis *analysis)
{
    struct trials *trials = calloc(1, sizeof *trials);
    if (!trials)
        return NULL;
    trials->analysis = analysis;
    if (!analysis->set->watch_insn || !is_good(trials, gpucode_machine_create(analysis->image, NULL, &trials->machine)))
        return trials;
    gpucode_machine_hook(trials->machine, GPUCODE_EVENT_HANDLED, watch_boot, trials);
    bool boots = run(trials, BOOT_LIMIT) == GPUCODE_STOP_IDLE;
    gpucode_machine_hook(trials->machine, 0, NULL, NULL);
    if (boots)
        is_good(trials, gpucode_machine_snapshot(trials->machine, &trials->fresh));
    return trials;
}

/* The section that is tried from now on; false: nothing can be run. The machine goes back to where boot left it. */
static bool trials_section(struct trials *trials, struct analysis_code *code)
{
    trials->code = code;
    gpucode_snapshot_free(trials->booted);
    trials->booted = NULL;
    gpucode_machine_hook(trials->machine, 0, NULL, NULL);
    if (!trials->fresh || !is_good(trials, gpucode_machine_restore(trials->machine, trials->fresh)) ||
        !find_processor(trials))
        return false;
    fill_table(trials);
    return is_good(trials, gpucode_machine_snapshot(trials->machine, &trials->booted));
}

/* Memory ran out in some of it: what was seen is not all. */
static bool trials_lack_memory(const struct trials *trials)
{
    return trials->no_memory;
}

/*
 * Runs the handler of a packet with many payloads, more of them while something of `expected` was not seen. False: the
 * machine cannot be put at that level.
 */
static bool trials_run(struct trials *trials, unsigned packet, unsigned level, unsigned expected,
                       struct trials_seen *seen)
{
    *seen = (struct trials_seen){0};
    trials->word_count = trials->spun = 0;
    trials->random = packet * 16 + level;
    for (unsigned run = 0; run < RUNS_MOST; run++) {
        if (run >= RUNS_LEAST && (seen->all & expected) == expected)
            break;
        make_packet(trials, packet, run);
        if (!run_put(trials, level))
            return false;
        unsigned put = trials->seen;
        if (trials->spun >= SPUN_MOST && !(put & ~seen->all))
            break;
        seen->all |= put;
        if (run < LED_RUNS && run_led(trials, level)) {
            seen->led = true;
            seen->led_seen |= trials->seen;
            seen->put_seen |= put;
        }
    }
    return true;
}

/* null is allowed. */
static void trials_end(struct trials *trials)
{
    if (!trials)
        return;
    gpucode_snapshot_free(trials->booted);
    gpucode_snapshot_free(trials->fresh);
    gpucode_machine_free(trials->machine);
    free(trials);
}

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
