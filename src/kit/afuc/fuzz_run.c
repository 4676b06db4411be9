/* SPDX-License-Identifier: MIT */
/* One run of a plan, and a finding as it is noted: what the other files stand on. */
#include "kit/afuc/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint32_t fuzz_read(const struct fuzzed *fuzzed, unsigned processor, unsigned space, uint32_t number)
{
    uint32_t value = 0;
    gpucode_machine_read(fuzzed->machine, processor, space, number, &value);
    return value;
}

static void run_on(struct fuzzed *fuzzed, uint64_t *left)
{
    uint64_t before = gpucode_machine_time(fuzzed->machine);
    gpucode_machine_run(fuzzed->machine, *left, &fuzzed->stop);
    uint64_t ran = gpucode_machine_time(fuzzed->machine) - before;
    *left -= ran < *left ? ran : *left;
}

static void store_words(struct fuzzed *fuzzed, const struct plan_step *step)
{
    unsigned char bytes[4 * (GPUCODE_FUZZ_WORDS_MAX + 1)];
    for (uint32_t done = 0, part; done < step->count; done += part) {
        part = step->count - done < GPUCODE_FUZZ_WORDS_MAX ? step->count - done : GPUCODE_FUZZ_WORDS_MAX;
        for (uint32_t i = 0; i < part; i++)
            for (unsigned k = 0; k < 4; k++)
                bytes[4 * i + k] = (unsigned char)(fuzzed->plan.words[step->first + done + i] >> 8 * k);
        gpucode_machine_store(fuzzed->machine, step->address + 4 * (uint64_t)done, bytes, 4 * (size_t)part);
    }
}

void fuzz_run_plan(struct fuzzed *fuzzed)
{
    uint64_t left = fuzzed->limit;
    gpucode_machine_restore(fuzzed->machine, fuzzed->start);
    fuzzed->stop.reason = GPUCODE_STOP_IDLE;
    fuzzed->selected = GPUCODE_NONE;
    memset(fuzzed->opcode, FUZZ_NO_OPCODE, sizeof fuzzed->opcode);
    for (unsigned i = 0; i < fuzzed->plan.count && fuzzed->stop.reason == GPUCODE_STOP_IDLE; i++) {
        const struct plan_step *step = &fuzzed->plan.steps[i];
        if (step->kind == PLAN_STORE) {
            store_words(fuzzed, step);
        } else if (step->kind == PLAN_SET) {
            gpucode_machine_write(fuzzed->machine, fuzzed->processor, GPUCODE_SPACE_GPU, (uint32_t)step->address,
                                  step->count);
        } else if (step->kind == PLAN_FEED) {
            gpucode_machine_feed(fuzzed->machine, fuzzed->processor, fuzzed->plan.words + step->first, step->count);
            run_on(fuzzed, &left);
        } else {
            gpucode_machine_write(fuzzed->machine, fuzzed->processor, GPUCODE_SPACE_CONTROL, fuzzed->trigger, 1);
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
}
