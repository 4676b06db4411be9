/* SPDX-License-Identifier: MIT */
/*
 * What is a finding: faults, hangs, runs without end, a handler that ends with another stack or level than it began
 * with, one that waits for words after its packet, and what --assert forbids. docs/fuzz.md explains each.
 */
#include "cli_afuc_messages.h"
#include "kit/afuc/fuzz.h"

#include "front/arguments.h"
#include "front/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the user forbids: `no write WHAT [at level >= N] [with payload]`. WHAT is a register (@NAME, %NAME, |NAME, a GPU
 * register, or a range A..B of numbers of those), `memory A..B`, or `$addr`: any GPU register that is written through
 * $addr, past the hardware's protection. `with payload`: the packet chooses the number or address.
 *
 * Whether the packet does is tried out: a candidate is a word of the input that holds the number; when the input with
 * another number there writes to that one at the same place, the packet chooses.
 */

#define WORDS_TRIED 8u /* that hold the number */

/* --- reading --------------------------------------------------------------------------------------------------- */

static bool read_what(const struct fuzzed *fuzzed, struct fuzz_assert *assert, const char **at)
{
    if (!fuzz_forbidden_word(at, "$addr"))
        return fuzz_forbidden_take(fuzzed->machine, GPUCODE_SPACE_GPU, at, &assert->what);
    assert->any_by_addr = true;
    assert->what = (struct fuzz_forbidden){.space = GPUCODE_SPACE_GPU, .last = GPUCODE_PACKET_REGISTER_MAX};
    return fuzzed->addr != GPUCODE_NONE;
}

static bool read_assert(const struct fuzzed *fuzzed, struct fuzz_assert *assert, const char *text)
{
    const char *at = text;
    *assert = (struct fuzz_assert){0};
    if (!fuzz_forbidden_word(&at, "no") || !fuzz_forbidden_word(&at, "write") || !read_what(fuzzed, assert, &at))
        return false;
    if (fuzz_forbidden_word(&at, "at")) {
        uint64_t level;
        if (!fuzz_forbidden_word(&at, "level") || !fuzz_forbidden_word(&at, ">="))
            return false;
        at += strspn(at, " \t");
        if (!number_take(&at, &level) || level > 7)
            return false;
        assert->level = (unsigned)level;
    }
    if (fuzz_forbidden_word(&at, "with")) {
        assert->with_payload = true;
        if (!fuzz_forbidden_word(&at, "payload"))
            return false;
    }
    return !at[strspn(at, " \t")];
}

static int refuse(struct session *session, const char *text, const struct gpucode_diagnostic *place, const char *why)
{
    return place ? complain_at(&session->diagnostics, CLI_AFUC_PACKET_LINE, place, NULL, text, why)
                 : value_refuse(session, OPTION_AFUC_FUZZ_ASSERT, text, why);
}

int fuzz_take_assert(struct fuzzed *fuzzed, const char *text, const struct gpucode_diagnostic *place)
{
    struct session *session = fuzzed->session;
    if (fuzzed->assert_count == FUZZ_FORBIDDEN_MAX)
        return refuse(session, text, place, "16 of them at most");
    struct fuzz_assert *mine = &fuzzed->asserts[fuzzed->assert_count];
    bool good = read_assert(fuzzed, mine, text);
    mine->text = strdup(text);
    if (!mine->text)
        return out_of_memory(&session->diagnostics);
    fuzzed->assert_count++;
    return good
               ? EXIT_DONE
               : refuse(session, text, place,
                        "'no write WHAT [at level >= N] [with payload]', WHAT being a register, A..B, 'memory A..B' or "
                        "$addr");
}

int fuzz_take_asserts(struct fuzzed *fuzzed)
{
    const struct arguments *arguments = &fuzzed->session->arguments;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_AFUC_FUZZ_ASSERT)
            code = fuzz_take_assert(fuzzed, arguments->given[i].value, NULL);
    return code;
}

void fuzz_forget_asserts(struct fuzzed *fuzzed)
{
    for (unsigned i = 0; i < fuzzed->assert_count; i++)
        free(fuzzed->asserts[i].text);
    fuzzed->assert_count = 0;
}

/* --- watching -------------------------------------------------------------------------------------------------- */

/* Kinds of events that assertions look at. */
static unsigned fuzz_assert_kinds(const struct fuzzed *fuzzed)
{
    unsigned kinds = 0;
    for (unsigned i = 0; i < fuzzed->assert_count; i++)
        kinds |= fuzz_forbidden_kinds(&fuzzed->asserts[i].what);
    return kinds;
}

/* Does a word of the input hold the number, alone or as a field? */
static bool is_in_payload(const struct fuzzed *fuzzed, uint64_t number)
{
    for (size_t i = 0; i < fuzzed->record_count; i++)
        for (unsigned k = 0; k < fuzzed->records[i].count; k++)
            if (number && ((fuzzed->records[i].words[k] & 0x3ffff) == number || fuzzed->records[i].words[k] == number ||
                           (fuzzed->records[i].words[k] & 0xffff) == number))
                return true;
    return false;
}

static bool breaks(const struct fuzzed *fuzzed, const struct fuzz_assert *assert, const struct gpucode_event *event)
{
    if (!fuzz_forbidden_is(&assert->what, event))
        return false;
    if (assert->any_by_addr && fuzzed->selected != fuzzed->addr)
        return false;
    if (fuzz_level(fuzzed, event->processor) < assert->level)
        return false;
    if (!assert->with_payload)
        return true;
    bool constant =
        event->processor == fuzzed->processor && event->pc < fuzzed->constant_count && fuzzed->constant[event->pc];
    return !constant && is_in_payload(fuzzed, event->address);
}

/* Does the event do what is forbidden? It is noted then. */
static bool fuzz_assert_event(struct fuzzed *fuzzed, const struct gpucode_event *event)
{
    if (event->kind != GPUCODE_EVENT_WRITE && event->kind != GPUCODE_EVENT_MEM_WRITE)
        return false;
    if (event->kind == GPUCODE_EVENT_WRITE && event->space == GPUCODE_SPACE_GENERAL) {
        if (event->address == fuzzed->addr || event->address == fuzzed->usraddr)
            fuzzed->selected = (uint32_t)event->address;
        return false;
    }
    if (fuzzed->probing) {
        fuzzed->probe_seen |= event->pc == fuzzed->probe_pc && event->address == fuzzed->probe_number;
        return false;
    }
    for (unsigned i = 0; i < fuzzed->assert_count; i++)
        if (breaks(fuzzed, &fuzzed->asserts[i], event)) {
            char what[24], text[256];
            snprintf(what, sizeof what, "assert%u", i + 1);
            fuzz_forbidden_tell(fuzzed->machine, event, fuzzed->asserts[i].text, text, sizeof text);
            fuzz_find(fuzzed, what, event->processor, event->pc, "%s", text);
            fuzzed->probe_pc = event->pc;
            fuzzed->probe_number = fuzzed->asserts[i].with_payload ? event->address : UINT64_MAX;
            return true;
        }
    return false;
}

/* --- does the packet choose? ------------------------------------------------------------------------------------ */

static bool follows_word(struct fuzzed *fuzzed, uint32_t *word, uint64_t number)
{
    uint32_t kept = *word;
    *word ^= 1;
    fuzzed->probe_number = number ^ 1;
    fuzzed->probe_seen = false;
    fuzz_plan(fuzzed, fuzzed->records, fuzzed->record_count);
    fuzz_run_plan(fuzzed);
    *word = kept;
    return fuzzed->probe_seen;
}

void fuzz_assert_confirm(struct fuzzed *fuzzed)
{
    static const char prefix[] = "assert";
    struct gpucode_fuzz_outcome kept = *fuzzed->outcome;
    uint64_t number = fuzzed->probe_number;
    if (strncmp(kept.key, prefix, sizeof prefix - 1) != 0 || number == UINT64_MAX)
        return;
    struct gpucode_fuzz_record copies[GPUCODE_FUZZ_RECORDS_MAX];
    uint32_t words[GPUCODE_FUZZ_WORDS_MAX];
    const struct gpucode_fuzz_record *records = fuzzed->records;
    size_t count = fuzzed->record_count;
    memcpy(copies, records, count * sizeof *copies);
    fuzzed->records = copies;
    fuzzed->probing = true;
    bool chosen = false;
    unsigned tries = 0;
    for (size_t i = 0; i < count && !chosen; i++) {
        memcpy(words, records[i].words, 4 * (size_t)records[i].count);
        copies[i].words = words;
        for (unsigned k = 0; k < records[i].count && !chosen && tries < WORDS_TRIED; k++)
            if ((words[k] & 0x3ffff) == number || words[k] == number || (words[k] & 0xffff) == number)
                tries++, chosen = follows_word(fuzzed, &words[k], number);
        copies[i].words = records[i].words;
    }
    fuzzed->probing = false;
    fuzzed->records = records;
    *fuzzed->outcome = kept;
    if (!chosen) {
        fuzzed->outcome->judgement = GPUCODE_FUZZ_PASS;
        fuzzed->outcome->key[0] = fuzzed->outcome->text[0] = 0;
    }
    /* the machine and the map as the finding has left them */
    fuzz_plan(fuzzed, records, count);
}

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
        unsigned read = taken ? taken - 1 : 0;
        fuzz_find(fuzzed, "length", processor, 0, "it takes %u word%s of a packet that has %u after its header", read,
                  read == 1 ? "" : "s", (unsigned)(words - 1));
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
