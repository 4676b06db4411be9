/* SPDX-License-Identifier: MIT */
/* One run of a plan, and a finding as it is noted: what the other files stand on. */
#include "kit/afuc/fuzz.h"

#include "front/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PACKETS_MAX (8u * GPUCODE_FUZZ_RECORDS_MAX) /* that a run may take; buffers are called more than once */

uint32_t fuzz_read(const struct fuzzed *fuzzed, unsigned processor, unsigned space, uint32_t number)
{
    uint32_t value = 0;
    gpucode_machine_read(fuzzed->machine, processor, space, number, &value);
    return value;
}

void fuzz_run_machine(struct fuzzed *fuzzed, uint64_t limit)
{
    gpucode_machine_run(fuzzed->machine, limit, &fuzzed->stop);
    fuzzed->lacks_memory |= stop_has_no_memory(&fuzzed->stop);
}

static void note_status(struct fuzzed *fuzzed, enum gpucode_status status)
{
    fuzzed->lacks_memory |= status == GPUCODE_ERROR_MEMORY;
}

/*
 * Runs on until packets are waited for or it stops. The limit counts from the packet taken last, so that it does not
 * matter how many packets an input has; where more are taken than inputs have, something goes round that none of them
 * ends.
 */
static void run_on(struct fuzzed *fuzzed)
{
    uint64_t left = fuzzed->limit;
    unsigned taken;
    do {
        taken = fuzzed->taken;
        fuzz_run_machine(fuzzed, left);
        uint64_t ran = gpucode_machine_time(fuzzed->machine) - fuzzed->began;
        left = fuzzed->taken != taken && ran < fuzzed->limit ? fuzzed->limit - ran : 0;
    } while (fuzzed->stop.reason == GPUCODE_STOP_LIMIT && left && fuzzed->taken < PACKETS_MAX);
}

static void store_words(struct fuzzed *fuzzed, const struct plan_step *step)
{
    unsigned char bytes[4 * (GPUCODE_FUZZ_WORDS_MAX + 1)];
    for (uint32_t done = 0, part; done < step->count; done += part) {
        part = step->count - done < GPUCODE_FUZZ_WORDS_MAX ? step->count - done : GPUCODE_FUZZ_WORDS_MAX;
        for (uint32_t i = 0; i < part; i++)
            for (unsigned k = 0; k < 4; k++)
                bytes[4 * i + k] = (unsigned char)(fuzzed->plan.words[step->first + done + i] >> 8 * k);
        note_status(fuzzed, gpucode_machine_store(fuzzed->machine, step->address + 4 * (uint64_t)done, bytes,
                                                  4 * (size_t)part));
    }
}

void fuzz_run_plan(struct fuzzed *fuzzed)
{
    note_status(fuzzed, gpucode_machine_restore(fuzzed->machine, fuzzed->start));
    fuzzed->taken = 0;
    fuzzed->stop.reason = GPUCODE_STOP_IDLE; /* an input without packets stops like this */
    fuzzed->stop.code = NULL;
    fuzzed->stop.text[0] = 0;
    fuzzed->selected = GPUCODE_NONE;
    memset(fuzzed->opcode, FUZZ_NO_OPCODE, sizeof fuzzed->opcode);
    for (unsigned i = 0; i < fuzzed->plan.count && fuzzed->stop.reason == GPUCODE_STOP_IDLE; i++) {
        const struct plan_step *step = &fuzzed->plan.steps[i];
        if (step->kind == PLAN_STORE) {
            store_words(fuzzed, step);
        } else if (step->kind == PLAN_SET) {
            note_status(fuzzed, gpucode_machine_write(fuzzed->machine, fuzzed->processor, GPUCODE_SPACE_GPU,
                                                      (uint32_t)step->address, step->count));
        } else if (step->kind == PLAN_FEED) {
            note_status(fuzzed, gpucode_machine_feed(fuzzed->machine, fuzzed->processor,
                                                     fuzzed->plan.words + step->first, step->count));
            run_on(fuzzed);
        } else {
            note_status(fuzzed, gpucode_machine_write(fuzzed->machine, fuzzed->processor, GPUCODE_SPACE_CONTROL,
                                                      fuzzed->trigger, 1));
        }
    }
}

/* --- findings ---------------------------------------------------------------------------------------------------- */

unsigned fuzz_level(const struct fuzzed *fuzzed, unsigned processor)
{
    return fuzzed->level == GPUCODE_NONE ? 0 : fuzz_read(fuzzed, processor, GPUCODE_SPACE_CONTROL, fuzzed->level);
}

const char *fuzz_packet_name(const struct fuzzed *fuzzed, unsigned processor)
{
    unsigned opcode = processor < FUZZ_PROCESSORS ? fuzzed->opcode[processor] : FUZZ_NO_OPCODE;
    return opcode < FUZZ_OPCODES ? fuzzed->names[opcode] : "no packet";
}

static void note_facts(struct fuzzed *fuzzed, const char *what, unsigned processor, uint64_t place)
{
    struct kit_fuzz_facts *facts = &fuzzed->facts;
    const struct input *input = fuzzed->input;
    bool stopped = fuzzed->stop.reason != GPUCODE_STOP_IDLE && fuzzed->stop.reason != GPUCODE_STOP_HOOK;
    unsigned section = gpucode_machine_section(fuzzed->machine, processor);
    unsigned opcode = processor < FUZZ_PROCESSORS ? fuzzed->opcode[processor] : FUZZ_NO_OPCODE;
    *facts = (struct kit_fuzz_facts){.kind = kit_fuzz_kind(what), .at = place};
    if (!place || strcmp(what, "hang") == 0 || strcmp(what, "endless") == 0)
        facts->at = stopped ? fuzzed->stop.pc : gpucode_machine_pc(fuzzed->machine, processor);
    snprintf(facts->code, sizeof facts->code, "%s", stopped && fuzzed->stop.code ? fuzzed->stop.code : what);
    if (opcode < FUZZ_OPCODES)
        snprintf(facts->packet, sizeof facts->packet, "%s", fuzzed->names[opcode]);
    facts->level = fuzz_level(fuzzed, processor);
    for (size_t i = 0; i < fuzzed->record_count; i++)
        facts->packets += fuzzed->records[i].kind <= fuzzed->packets; /* `registers` is the first of the others */
    uint32_t owner =
        fuzzed->analysis ? gpucode_analysis_owner(fuzzed->analysis, section, (uint32_t)facts->at) : GPUCODE_NONE;
    if (owner != GPUCODE_NONE)
        gpucode_analysis_listed_name(fuzzed->analysis, input_outline(input), section, owner, facts->routine,
                                     sizeof facts->routine);
}

/*
 * Notes a finding. Its key is what it is, the packet and the place: the same at another level, or with other packets
 * ahead, is the same finding.
 */
void fuzz_find(struct fuzzed *fuzzed, const char *what, unsigned processor, uint64_t place, const char *format, ...)
{
    struct gpucode_fuzz_outcome *outcome = fuzzed->outcome;
    unsigned opcode = processor < FUZZ_PROCESSORS ? fuzzed->opcode[processor] : FUZZ_NO_OPCODE;
    va_list args;
    outcome->judgement = strcmp(what, "gap") == 0 ? GPUCODE_FUZZ_GAP : GPUCODE_FUZZ_FINDING;
    snprintf(outcome->key, sizeof outcome->key, "%s-%02x-%llx", what, opcode, (unsigned long long)place);
    int length = snprintf(outcome->text, sizeof outcome->text, "%s of %s, level %u: ", what,
                          fuzz_packet_name(fuzzed, processor), fuzz_level(fuzzed, processor));
    va_start(args, format);
    vsnprintf(outcome->text + length, sizeof outcome->text - (size_t)length, format, args);
    va_end(args);
    note_facts(fuzzed, what, processor, place);
}

/*
 * --against: the same inputs on two firmwares. A finding is an input that makes them do other things: write other
 * registers or memory, in another order, or stop in another way. What one firmware does by itself is not a finding
 * then.
 */

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
