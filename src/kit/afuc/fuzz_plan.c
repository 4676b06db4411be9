/* SPDX-License-Identifier: MIT */
/* Records become words of the ring, buffers in memory, values of memory and registers, in an order. */
#include "kit/afuc/fuzz.h"

#include <string.h>

/* Words of the ring and of the buffers that are open; the innermost one is written to. */
struct level {
    enum fuzz_special kind;
    uint32_t flags; /* of a group */
    uint32_t count;
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * (GPUCODE_FUZZ_WORDS_MAX + 5)];
};

struct planning {
    struct fuzzed *fuzzed;
    struct plan *plan;
    struct level levels[FUZZ_DEPTH];
    unsigned depth;   /* of the innermost one */
    unsigned buffers; /* made so far */
    unsigned ignored; /* openings that were too deep */
};

static void put_word(struct planning *planning, uint32_t word)
{
    struct level *level = &planning->levels[planning->depth];
    level->words[level->count++] = word;
}

static struct plan_step *add_step(struct plan *plan, enum plan_kind kind, const uint32_t *words, uint32_t count)
{
    struct plan_step *step = &plan->steps[plan->count++];
    *step = (struct plan_step){.kind = kind, .first = plan->used, .count = count};
    if (count)
        memcpy(plan->words + plan->used, words, 4 * (size_t)count);
    plan->used += count;
    return step;
}

/* Closes the innermost buffer: it goes to memory, and a packet that calls it to the level around it. */
static void close_level(struct planning *planning)
{
    struct level *level = &planning->levels[planning->depth];
    if (planning->ignored) {
        planning->ignored--;
        return;
    }
    if (!planning->depth)
        return;
    uint64_t address = FUZZ_BUFFERS + (uint64_t)FUZZ_BUFFER_STEP * planning->buffers++;
    add_step(planning->plan, PLAN_STORE, level->words, level->count)->address = address;
    planning->depth--;
    bool group = level->kind == FUZZ_GROUP;
    put_word(planning,
             gpucode_packet_type7((unsigned)(group ? planning->fuzzed->draw_state : planning->fuzzed->indirect), 3));
    /* a group's header: words, flags from bit 16 on, number from bit 24 on; the mode bits between them are all set */
    if (group)
        put_word(planning, level->count | UINT32_C(0xf00000) | (level->flags & UINT32_C(0x1f000000)));
    put_word(planning, (uint32_t)address);
    put_word(planning, (uint32_t)(address >> 32));
    if (!group)
        put_word(planning, level->count);
}

static void open_level(struct planning *planning, enum fuzz_special kind, uint32_t flags)
{
    if (planning->depth + 1 == FUZZ_DEPTH) {
        planning->ignored++;
        return;
    }
    struct level *level = &planning->levels[++planning->depth];
    level->kind = kind;
    level->flags = flags;
    level->count = 0;
}

static void feed(struct planning *planning)
{
    while (planning->depth)
        close_level(planning);
    if (planning->levels[0].count)
        add_step(planning->plan, PLAN_FEED, planning->levels[0].words, planning->levels[0].count);
    planning->levels[0].count = 0;
}

/*
 * The processor's own registers are not answers: with them the driver sets up ring and protection, which no packet and
 * no hardware changes after its back.
 */
static bool is_own(const struct fuzzed *fuzzed, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    return gpucode_name_of(fuzzed->input->target, NULL, GPUCODE_SPACE_GPU, number, name, sizeof name) &&
           strncmp(name, "CP_", 3) == 0 && strncmp(name, "CP_SCRATCH", 10) != 0;
}

static void plan_store(struct planning *planning, const uint32_t *words, unsigned count)
{
    if (count < 3)
        return;
    uint64_t address = ((uint64_t)words[1] << 32 | words[0]) & ~UINT64_C(3);
    add_step(planning->plan, PLAN_STORE, words + 2, count - 2u)->address = address;
    /* into the buffers themselves */
    planning->plan->foreign |= address + 4 * GPUCODE_FUZZ_WORDS_MAX > FUZZ_BUFFERS &&
                               address < FUZZ_BUFFERS + (uint64_t)FUZZ_BUFFER_STEP * GPUCODE_FUZZ_RECORDS_MAX;
}

static void plan_special(struct planning *planning, enum fuzz_special kind, const struct gpucode_fuzz_record *record)
{
    const uint32_t *words = record->words;
    unsigned count = record->count;
    switch (kind) {
    case FUZZ_REGISTERS:
        if (count < 2)
            return;
        put_word(planning, gpucode_packet_type4(words[0], count - 1));
        for (unsigned i = 1; i < count; i++)
            put_word(planning, words[i]);
        return;
    case FUZZ_BUFFER:
    case FUZZ_GROUP:
        if ((kind == FUZZ_GROUP ? planning->fuzzed->draw_state : planning->fuzzed->indirect) >= 0)
            open_level(planning, kind, count ? words[0] : 0);
        return;
    case FUZZ_END:
        close_level(planning);
        return;
    case FUZZ_STORE:
        plan_store(planning, words, count);
        return;
    case FUZZ_SET:
        if (count > 1 && !is_own(planning->fuzzed, words[0] & GPUCODE_PACKET_REGISTER_MAX)) {
            struct plan_step *step = add_step(planning->plan, PLAN_SET, NULL, 0);
            step->address = words[0] & GPUCODE_PACKET_REGISTER_MAX;
            step->count = words[1];
        }
        return;
    default:
        if (planning->fuzzed->trigger == GPUCODE_NONE)
            return;
        feed(planning);
        add_step(planning->plan, PLAN_PREEMPT, NULL, 0);
        return;
    }
}

void fuzz_plan(struct fuzzed *fuzzed, const struct gpucode_fuzz_record *records, size_t count)
{
    struct planning planning;
    planning.fuzzed = fuzzed;
    planning.plan = &fuzzed->plan;
    planning.depth = planning.buffers = planning.ignored = 0;
    planning.levels[0].count = 0;
    fuzzed->plan.count = fuzzed->plan.used = 0;
    fuzzed->plan.foreign = false;
    for (size_t i = 0; i < count; i++) {
        const struct gpucode_fuzz_record *record = &records[i];
        if (record->kind >= fuzzed->packets) {
            plan_special(&planning, (enum fuzz_special)(record->kind - fuzzed->packets), record);
            continue;
        }
        unsigned opcode = fuzzed->opcodes[record->kind];
        fuzzed->plan.foreign |=
            strstr(fuzzed->names[opcode], "INDIRECT") || strstr(fuzzed->names[opcode], "DRAW_STATE");
        put_word(&planning, gpucode_packet_type7(opcode, record->count));
        for (unsigned k = 0; k < record->count; k++)
            put_word(&planning, record->words[k]);
    }
    feed(&planning);
}
