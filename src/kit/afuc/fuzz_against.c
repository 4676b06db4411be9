/* SPDX-License-Identifier: MIT */
/*
 * --against: the same inputs on two firmwares. A finding is an input that makes them do other things: write other
 * registers or memory, in another order, or stop in another way. What one firmware does by itself is no finding then.
 */
#include "kit/afuc/fuzz.h"

#include <string.h>

/* --- what a run does --------------------------------------------------------------------------------------------- */

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

void fuzz_note_effect(struct fuzzed *fuzzed, const struct gpucode_event *event)
{
    struct fuzz_effects *effects = fuzzed->effects;
    if (event->kind == GPUCODE_EVENT_PACKET && effects->count + 1 < FUZZ_PACKETS) {
        effects->count++;
        effects->opcode[effects->count] = (uint8_t)event->address;
        effects->hash[effects->count] = 0;
    }
    bool memory = event->kind == GPUCODE_EVENT_MEM_WRITE;
    bool outside =
        event->kind == GPUCODE_EVENT_WRITE && (event->space == GPUCODE_SPACE_GPU || event->space == GPUCODE_SPACE_PIPE);
    if (!memory && !outside)
        return;
    uint64_t *hash = &effects->hash[effects->count];
    mix(hash, memory ? 64 : event->space);
    mix(hash, event->address);
    mix(hash, event->value);
}

/* The packet of the first difference; false: there is none. */
static bool find_difference(const struct fuzz_effects *one, const struct fuzz_effects *other, unsigned *where)
{
    unsigned count = one->count < other->count ? one->count : other->count;
    for (unsigned i = 0; i <= count; i++)
        if (one->hash[i] != other->hash[i] || one->opcode[i] != other->opcode[i]) {
            *where = i;
            return true;
        }
    *where = count;
    return one->count != other->count;
}

static void begin(struct fuzz_effects *effects)
{
    effects->count = 0;
    effects->hash[0] = 0;
    effects->opcode[0] = FUZZ_NO_OPCODE;
}

void fuzz_begin_effects(struct fuzzed *fuzzed)
{
    if (fuzzed->effects)
        begin(fuzzed->effects);
}

void fuzz_compare_other(struct fuzzed *fuzzed)
{
    struct fuzzed *other = fuzzed->other;
    struct gpucode_fuzz_outcome theirs = {.judgement = GPUCODE_FUZZ_PASS};
    other->outcome = &theirs;
    other->records = fuzzed->records;
    other->record_count = fuzzed->record_count;
    other->plan.count = fuzzed->plan.count;
    other->plan.used = fuzzed->plan.used;
    other->plan.foreign = fuzzed->plan.foreign;
    memcpy(other->plan.steps, fuzzed->plan.steps, fuzzed->plan.count * sizeof *fuzzed->plan.steps);
    memcpy(other->plan.words, fuzzed->plan.words, fuzzed->plan.used * sizeof *fuzzed->plan.words);
    begin(other->effects);
    fuzz_run_plan(other);
    unsigned where = 0;
    bool differs = find_difference(fuzzed->effects, other->effects, &where);
    bool stops = fuzzed->stop.reason != other->stop.reason ||
                 strcmp(fuzzed->stop.code ? fuzzed->stop.code : "", other->stop.code ? other->stop.code : "") != 0;
    fuzzed->outcome->judgement = GPUCODE_FUZZ_PASS;
    fuzzed->outcome->key[0] = fuzzed->outcome->text[0] = 0;
    if (!differs && !stops)
        return;
    unsigned opcode = fuzzed->effects->opcode[where];
    fuzzed->opcode[fuzzed->processor] = (uint8_t)opcode;
    if (differs)
        fuzz_find(fuzzed, "differs", fuzzed->processor, 0, "packet %u does other things than in %s", where,
                  fuzzed->other_input->file.name);
    else
        fuzz_find(fuzzed, "stops", fuzzed->processor, 0, "%s; %s: %s", fuzzed->stop.text,
                  fuzzed->other_input->file.name, other->stop.text);
}
