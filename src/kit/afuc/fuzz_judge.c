/* SPDX-License-Identifier: MIT */
/*
 * What is a finding: faults, hangs, runs without end, a handler that ends with another stack or level than it began
 * with, one that waits for words after its packet, and what --assert forbids. docs/fuzz.md explains each.
 */
#include "kit/afuc/fuzz.h"

#include <string.h>

/* --- while it runs --------------------------------------------------------------------------------------------- */

static void begin_packet(struct fuzzed *fuzzed, const struct gpucode_event *event)
{
    unsigned processor = event->processor;
    fuzzed->opcode[processor] = (uint8_t)event->address;
    fuzzed->level_before[processor] = fuzz_level(fuzzed, processor);
    if (fuzzed->sp != GPUCODE_NONE)
        fuzzed->sp_before[processor] = fuzz_read(fuzzed, processor, GPUCODE_SPACE_SQE, fuzzed->sp);
}

/* The level is what it was, or one up with words in the queue of that level. */
static bool level_is_right(const struct fuzzed *fuzzed, unsigned processor, uint32_t level)
{
    uint32_t before = fuzzed->level_before[processor];
    if (level == before)
        return true;
    if (level != before + 1 || level >= 8)
        return false;
    return fuzzed->dwords[level] == GPUCODE_NONE ||
           fuzz_read(fuzzed, processor, GPUCODE_SPACE_CONTROL, fuzzed->dwords[level]);
}

/* A handler is at its end; true: it ends wrongly. */
static bool end_packet(struct fuzzed *fuzzed, const struct gpucode_event *event)
{
    unsigned processor = event->processor;
    if (fuzzed->opcode[processor] == FUZZ_NO_OPCODE)
        return false;
    uint32_t level = fuzz_level(fuzzed, processor), sp = fuzzed->sp_before[processor];
    if (fuzzed->sp != GPUCODE_NONE)
        sp = fuzz_read(fuzzed, processor, GPUCODE_SPACE_SQE, fuzzed->sp);
    if (sp != fuzzed->sp_before[processor]) {
        fuzz_find(fuzzed, "stack", processor, event->pc,
                  "it ends with %u return address%s on the stack, and began with %u", (unsigned)sp, sp == 1 ? "" : "es",
                  (unsigned)fuzzed->sp_before[processor]);
        return true;
    }
    /* conditions skip what stands after them, whatever it is */
    uint32_t taken = (uint32_t)event->old, words = 1 + gpucode_packet_header((uint32_t)event->value).count;
    bool skips = strstr(fuzz_packet_name(fuzzed, processor), "COND") && taken > words;
    fuzzed->plan.foreign |= skips;
    if (taken != words && !skips) {
        fuzz_find(fuzzed, "length", processor, 0, "it takes %u words of a packet that has %u after its header",
                  (unsigned)(taken ? taken - 1 : 0), (unsigned)(words - 1));
        return true;
    }
    if (!level_is_right(fuzzed, processor, level)) {
        fuzz_find(fuzzed, "level", processor, event->pc,
                  "it ends at that level, and began at %u; no buffer that it has begun explains it",
                  (unsigned)fuzzed->level_before[processor]);
        return true;
    }
    return false;
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct fuzzed *fuzzed = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_PACKET) {
        fuzzed->began = event->time;
        fuzzed->taken++;
    }
    if (event->processor >= FUZZ_PROCESSORS || fuzzed->probing)
        return fuzz_assert_event(fuzzed, event);
    if (fuzzed->effects)
        fuzz_note_effect(fuzzed, event);
    switch (event->kind) {
    case GPUCODE_EVENT_PACKET:
        begin_packet(fuzzed, event);
        return false;
    case GPUCODE_EVENT_HANDLED:
        return end_packet(fuzzed, event);
    case GPUCODE_EVENT_COMPARE:
        if (fuzzed->compared)
            fuzzed->compared(fuzzed->compared_to, (uint32_t)event->value, (uint32_t)event->old);
        return false;
    default:
        return fuzz_assert_event(fuzzed, event);
    }
}

void fuzz_watch_on(struct fuzzed *fuzzed, unsigned more)
{
    gpucode_machine_hook(fuzzed->machine,
                         GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED | fuzz_assert_kinds(fuzzed) | more |
                             (fuzzed->effects ? GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE : 0u),
                         watch, fuzzed);
}

/* --- where it stands ------------------------------------------------------------------------------------------- */

/* Loops have no one place: the function that they are in. */
static uint64_t loop_place(const struct fuzzed *fuzzed, uint64_t pc)
{
    unsigned section = gpucode_machine_section(fuzzed->machine, fuzzed->stop.processor);
    uint32_t owner = fuzzed->analysis ? gpucode_analysis_owner(fuzzed->analysis, section, (uint32_t)pc) : GPUCODE_NONE;
    const struct gpucode_function *function =
        owner == GPUCODE_NONE ? NULL : gpucode_analysis_function(fuzzed->analysis, section, owner);
    return function ? function->start : pc;
}

/*
 * Words that are not packets are a finding only when all buffers are the input's own; where a packet leads to words of
 * its own choice, or skips some, they are what it asked for.
 */
static bool is_streams_fault(const struct fuzzed *fuzzed, const char *code)
{
    bool header = strcmp(code, "afuc-header") == 0, dry = strcmp(code, "afuc-queue-dry") == 0;
    if (strcmp(code, "afuc-protected") == 0)
        return true; /* the hardware's protection has done its work */
    return (header || dry) && fuzzed->plan.foreign;
}

static void judge_rest(struct fuzzed *fuzzed)
{
    const struct gpucode_stop *stop = &fuzzed->stop;
    uint64_t target = 0;
    bool waits = gpucode_machine_pending(fuzzed->machine, fuzzed->processor, &target) && target == UINT64_MAX;
    if (!waits && !fuzzed->plan.foreign && stop->processor == fuzzed->processor &&
        fuzzed->opcode[fuzzed->processor] != FUZZ_NO_OPCODE)
        fuzz_find(fuzzed, "length", stop->processor, 0, "word %llu waits for words after the packet",
                  (unsigned long long)stop->pc);
}

void fuzz_judge(struct fuzzed *fuzzed)
{
    const struct gpucode_stop *stop = &fuzzed->stop;
    const char *code = stop->code ? stop->code : "";
    const char *what = strncmp(code, "afuc-", 5) == 0 ? code + 5 : code;
    switch (stop->reason) {
    case GPUCODE_STOP_IDLE:
        judge_rest(fuzzed);
        break;
    case GPUCODE_STOP_FAULT:
        if (is_streams_fault(fuzzed, code))
            break;
        if (strcmp(what, "queue-dry") == 0) { /* the end of a buffer, where the ring would wait */
            fuzz_find(fuzzed, "length", stop->processor, 0, "%s", stop->text);
            break;
        }
        /* a header at a wrong place: the handler before has taken too many words, or too few */
        fuzz_find(fuzzed, what, stop->processor, strcmp(what, "header") == 0 ? 0 : stop->pc, "%s", stop->text);
        break;
    case GPUCODE_STOP_HANG:
        fuzz_find(fuzzed, "hang", stop->processor, loop_place(fuzzed, stop->pc), "%s", stop->text);
        break;
    case GPUCODE_STOP_LIMIT:
        fuzz_find(fuzzed, "endless", stop->processor, loop_place(fuzzed, stop->pc),
                  "no end within %llu instructions of the packet, now at word %llu", (unsigned long long)fuzzed->limit,
                  (unsigned long long)stop->pc);
        break;
    case GPUCODE_STOP_UNKNOWN:
        fuzz_find(fuzzed, "gap", stop->processor, stop->pc, "%s", stop->text);
        break;
    default:
        break;
    }
}
