/* SPDX-License-Identifier: MIT */
/*
 * Root causes. Where a value of the input leads control to a place of its choice, what happens there is an echo: the
 * finding is the jump, and who chooses its target. A jump through a register that goes where the code itself never
 * sends it, a return to where no call was, and a packet that comes to another handler than boot has given it are
 * suspects; the run is repeated with other words in the input, and when the same jump then goes elsewhere, its target
 * is that word's. Where no word moves it and it goes to the middle of something, or out of the code, the value is not
 * the input's, but memory's or a register's that nobody has set: the jump is the finding all the same.
 */
#include "kit/afuc/fuzz.h"

#include "front/session.h"

#include <gpucode/insn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_MAX 16u
#define SUSPECTS 8u /* of one run that are looked at */

/* How control leaves a word of code. */
enum leaving { STAYS, JUMPS, RETURNS, DISPATCHES };

struct jump {
    uint64_t number; /* of the instruction in the run */
    uint32_t site, target;
    unsigned opcode; /* of the packet in hand */
};

struct tracing {
    struct fuzzed *fuzzed;
    uint64_t until; /* the time when the finding was there */
    uint64_t number;
    uint32_t site;
    uint32_t stack[CALLS_MAX]; /* where calls come back to */
    unsigned depth;
    unsigned slots;            /* instructions until control is elsewhere; 0: it stays */
    unsigned opcode, before;   /* of the packet in hand, and of the one that was when the jump ran */
    bool taken;                /* a packet since then */
    const struct jump *passed; /* suspects that were none, */
    unsigned passed_count;     /* as many */
    const struct jump *same;   /* the jump that is looked at again; null: a suspect is looked for */
    bool done, found;
    struct jump jump;
};

/* --- what is known of the code ----------------------------------------------------------------------------------- */

struct collecting {
    struct fuzzed *fuzzed;
    unsigned section;
    size_t room;
};

static bool note_jump(void *user, const struct gpucode_reference *reference)
{
    struct collecting *collecting = user;
    struct fuzzed *fuzzed = collecting->fuzzed;
    if (reference->section != collecting->section || reference->kind != GPUCODE_REFERENCE_JUMP ||
        reference->unit >= fuzzed->constant_count || fuzzed->leaves[reference->unit] != JUMPS)
        return true;
    if (fuzzed->known_count == collecting->room) {
        size_t room = 2 * collecting->room + 64;
        uint64_t *grown = realloc(fuzzed->known, room * sizeof *grown);
        if (!grown)
            return false;
        fuzzed->known = grown;
        collecting->room = room;
    }
    fuzzed->known[fuzzed->known_count++] = (uint64_t)reference->unit << 32 | reference->number;
    return true;
}

bool fuzz_find_jumps(struct fuzzed *fuzzed)
{
    const struct gpucode_image_info *info = gpucode_image_info(fuzzed->input->image);
    struct collecting collecting = {fuzzed, gpucode_machine_section(fuzzed->machine, fuzzed->processor), 0};
    const struct gpucode_section *code = &info->sections[collecting.section];
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(fuzzed->input->image, &size);
    fuzzed->leaves = calloc((size_t)fuzzed->constant_count + 1, 1);
    fuzzed->calls = calloc((size_t)fuzzed->constant_count + 1, 1);
    if (!fuzzed->leaves || !fuzzed->calls)
        return false;
    for (uint32_t at = 0; at < fuzzed->constant_count; at++) {
        struct gpucode_insn insn;
        struct gpucode_flow flow;
        size_t offset = info->prefix + 4 * ((size_t)code->start + at);
        if (offset + 4 > size || gpucode_decode(fuzzed->input->target, bytes + offset, 4, at, &insn) != GPUCODE_OK ||
            !gpucode_insn_flow(&insn, &flow))
            continue;
        unsigned family = (unsigned)(insn.bits >> 26);
        fuzzed->calls[at] = flow.kind == GPUCODE_FLOW_CALL;
        fuzzed->leaves[at] = family == 0x36                                                  ? DISPATCHES
                             : flow.kind == GPUCODE_FLOW_JUMP && !flow.known                 ? JUMPS
                             : flow.kind == GPUCODE_FLOW_RETURN && !(insn.bits >> 25 & 1)    ? RETURNS
                             : flow.kind == GPUCODE_FLOW_RETURN && (insn.bits >> 26) == 0x37 ? RETURNS
                                                                                             : STAYS;
    }
    const struct gpucode_function *first = gpucode_analysis_function(fuzzed->analysis, collecting.section, 0);
    fuzzed->first_code = first ? first->start : 0;
    return !fuzzed->analysis || gpucode_analysis_references(fuzzed->analysis, note_jump, &collecting) == GPUCODE_OK;
}

static bool is_known(const struct fuzzed *fuzzed, uint32_t site, uint32_t target)
{
    for (size_t i = 0; i < fuzzed->known_count; i++)
        if (fuzzed->known[i] == ((uint64_t)site << 32 | target))
            return true;
    return false;
}

/* --- following a run --------------------------------------------------------------------------------------------- */

static bool is_suspect(struct tracing *tracing, uint32_t target)
{
    const struct fuzzed *fuzzed = tracing->fuzzed;
    bool called = false;
    if (fuzzed->leaves[tracing->site] == RETURNS && tracing->depth)
        called = --tracing->depth >= CALLS_MAX || target == tracing->stack[tracing->depth];
    switch (fuzzed->leaves[tracing->site]) {
    case JUMPS:
        return !is_known(fuzzed, tracing->site, target);
    case RETURNS:
        return !called;
    default:
        return tracing->taken && tracing->opcode < FUZZ_OPCODES && target != fuzzed->handlers[tracing->opcode];
    }
}

/* Control is at its target; true: that is all there is to know. */
static bool arrive(struct tracing *tracing, uint32_t target)
{
    const struct jump jump = {tracing->same ? tracing->same->number : tracing->number, tracing->site, target,
                              tracing->before};
    if (tracing->same) {
        tracing->done = tracing->number >= tracing->same->number;
        tracing->found = tracing->done;
        tracing->jump = jump;
        return tracing->done;
    }
    if (!is_suspect(tracing, target))
        return false;
    for (unsigned i = 0; i < tracing->passed_count; i++)
        if (tracing->passed[i].site == jump.site && tracing->passed[i].target == target)
            return false;
    tracing->jump = jump;
    tracing->jump.number = tracing->number - 2;
    return tracing->found = tracing->done = true;
}

static bool trace(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct tracing *tracing = user;
    struct fuzzed *fuzzed = tracing->fuzzed;
    (void)machine;
    tracing->done |= event->time > tracing->until;
    if (event->kind == GPUCODE_EVENT_PACKET) {
        fuzzed->began = event->time;
        fuzzed->taken++;
    }
    if (event->processor != fuzzed->processor || tracing->done)
        return tracing->done;
    if (event->kind == GPUCODE_EVENT_PACKET) {
        tracing->opcode = (unsigned)event->address;
        tracing->taken = true;
        return false;
    }
    if (tracing->slots && !--tracing->slots && arrive(tracing, (uint32_t)event->pc))
        return true;
    bool same = tracing->same && tracing->number == tracing->same->number;
    if (same && event->pc != tracing->same->site)
        return tracing->done = true; /* another way there: it tells nothing */
    if (event->pc < fuzzed->constant_count && fuzzed->calls[event->pc]) {
        if (tracing->depth < CALLS_MAX)
            tracing->stack[tracing->depth] = (uint32_t)event->pc + 2;
        tracing->depth++;
    }
    if (event->pc < fuzzed->constant_count && fuzzed->leaves[event->pc] && (!tracing->same || same)) {
        tracing->site = (uint32_t)event->pc;
        tracing->slots = 2;
        tracing->before = tracing->opcode;
        tracing->taken = false;
    }
    tracing->number++;
    return false;
}

/* Runs the records; true: `tracing` has found what it looks for. */
static bool run_traced(struct fuzzed *fuzzed, const struct gpucode_fuzz_record *records, struct tracing *tracing)
{
    gpucode_machine_hook(fuzzed->machine, GPUCODE_EVENT_INSN | GPUCODE_EVENT_PACKET, trace, tracing);
    fuzz_plan(fuzzed, records, fuzzed->record_count);
    fuzz_run_plan(fuzzed);
    if (tracing->slots == 1 && !tracing->done && fuzzed->stop.reason == GPUCODE_STOP_FAULT) {
        unsigned target; /* is not a place of the code, and the machine has stopped at its end */
        if (sscanf(fuzzed->stop.text, "control leaves the section: word %x", &target) != 1)
            target = (unsigned)fuzzed->stop.pc;
        arrive(tracing, target);
    }
    return tracing->found;
}

/* --- whose is the target? ----------------------------------------------------------------------------------------- */

/*
 * Is the place one where no jump of the code leads? Code that the analysis has not come to may be right.
 */
static bool is_wild(const struct fuzzed *fuzzed, uint32_t target)
{
    unsigned section = gpucode_machine_section(fuzzed->machine, fuzzed->processor);
    if (target >= fuzzed->constant_count || target < fuzzed->first_code)
        return true;
    if (!fuzzed->analysis || gpucode_analysis_owner(fuzzed->analysis, section, target) == GPUCODE_NONE)
        return false;
    const struct gpucode_block *block;
    for (unsigned i = 0; (block = gpucode_analysis_block(fuzzed->analysis, section, i)); i++)
        if (block->start == target)
            return false;
    return true;
}

/*
 * Does the word choose where the jump goes? *scale is what one more in the word adds to the target, 0: something else.
 * A word that chooses among places that the code provides is right.
 */
static bool chooses(struct fuzzed *fuzzed, const struct gpucode_fuzz_record *records, uint32_t *word,
                    const struct jump *jump, int64_t *scale)
{
    static const uint32_t turned[] = {1, 2, 4, 0x10, 0x100, 0x1000, 0x8000, 0x10000, 0x100000, 0x80000000};
    const uint32_t kept = *word;
    bool wild = fuzzed->leaves[jump->site] != JUMPS || is_wild(fuzzed, jump->target), moved = false;
    *scale = 0;
    for (unsigned i = 0; i < sizeof turned / sizeof *turned && !(moved && wild); i++) {
        struct tracing tracing = {.fuzzed = fuzzed, .until = UINT64_MAX, .same = jump, .opcode = FUZZ_NO_OPCODE};
        *word = kept ^ turned[i];
        bool found = run_traced(fuzzed, records, &tracing);
        if (!found || tracing.jump.target == jump->target)
            continue;
        int64_t more = (int64_t)tracing.jump.target - jump->target, step = (int64_t)*word - kept;
        *scale = !moved && more % step == 0 ? more / step : moved ? *scale : 0;
        moved = true;
        wild |= is_wild(fuzzed, tracing.jump.target);
    }
    *word = kept;
    return moved && wild;
}

/* Says whose word it is, and makes the end of a key of it. */
static void name_word(const struct fuzzed *fuzzed, const struct gpucode_fuzz_record *record, unsigned word,
                      const struct jump *jump, struct kit_fuzz_facts *facts, char end[32])
{
    unsigned special = record->kind - fuzzed->packets;
    bool packet = record->kind < fuzzed->packets, registers = !packet && special == FUZZ_REGISTERS;
    unsigned opcode = packet ? fuzzed->opcodes[record->kind] : fuzzed->packet4;
    char name[GPUCODE_NAME_MAX] = "";
    facts->led = true;
    facts->word = packet ? word + 1 : word;
    if ((packet || registers) && opcode == jump->opcode) {
        snprintf(facts->source, sizeof facts->source, "word %u of the packet", facts->word);
        snprintf(end, 32, "-w%u", facts->word);
    } else if (packet || registers) {
        snprintf(facts->source, sizeof facts->source, "word %u of %.60s, a packet before it", facts->word,
                 packet ? fuzzed->names[opcode] : "the write of registers");
        snprintf(end, 32, "-w%u-%02x", facts->word, opcode);
    } else if (special == FUZZ_STORE) {
        uint64_t address = ((uint64_t)record->words[1] << 32 | record->words[0]) & ~UINT64_C(3);
        snprintf(facts->source, sizeof facts->source, "the word at 0x%" PRIx64 " of memory", address + 4 * (word - 2));
        snprintf(end, 32, "-memory");
    } else {
        if (!gpucode_machine_name(fuzzed->machine, GPUCODE_SPACE_GPU, record->words[0] & GPUCODE_PACKET_REGISTER_MAX,
                                  name, sizeof name))
            snprintf(name, sizeof name, "0x%x", (unsigned)record->words[0]);
        snprintf(facts->source, sizeof facts->source, "what register %.60s answers", name);
        snprintf(end, 32, "-register");
    }
}

/* The word of the input that chooses the target, tried one after another. */
static bool find_word(struct fuzzed *fuzzed, const struct jump *jump, unsigned *record, unsigned *word, int64_t *scale)
{
    struct gpucode_fuzz_record copies[GPUCODE_FUZZ_RECORDS_MAX];
    uint32_t words[GPUCODE_FUZZ_WORDS_MAX];
    const struct gpucode_fuzz_record *records = fuzzed->records;
    memcpy(copies, records, fuzzed->record_count * sizeof *copies);
    for (unsigned i = 0; i < fuzzed->record_count; i++) {
        memcpy(words, records[i].words, 4 * (size_t)records[i].count);
        copies[i].words = words;
        bool stores = records[i].kind == fuzzed->packets + FUZZ_STORE;
        bool sets = records[i].kind == fuzzed->packets + FUZZ_SET;
        for (unsigned k = stores ? 2 : sets; k < records[i].count; k++)
            if (chooses(fuzzed, copies, &words[k], jump, scale)) {
                *record = i;
                *word = k;
                return true;
            }
        copies[i].words = records[i].words;
    }
    return false;
}

/* --- the finding -------------------------------------------------------------------------------------------------- */

/* Says where a target comes from that a word has chosen: "is word 2 of the packet, plus 0x10". */
static void say_how(const struct jump *jump, uint32_t word, int64_t scale, const char *source, char how[160])
{
    int64_t base = (int64_t)jump->target - scale * word;
    int length = snprintf(how, 160, "%s %s", scale > 0 && base >= 0 ? "is" : "comes from", source);
    if (scale > 1)
        length += snprintf(how + length, 160 - (size_t)length, ", times %" PRId64, scale);
    if (scale > 0 && base > 0)
        snprintf(how + length, 160 - (size_t)length, ", plus 0x%" PRIx64, (uint64_t)base);
}

/* `from`: the record whose word has chosen the target; null: none has. */
static void tell(struct fuzzed *fuzzed, const struct jump *jump, const struct gpucode_fuzz_record *from, unsigned word,
                 int64_t scale)
{
    struct gpucode_fuzz_outcome *outcome = fuzzed->outcome;
    static const char *const names[] = {"", "jump", "return", "dispatch"};
    char end[32] = "", echo[160], how[160] = "is not one of the input's words";
    const char *colon = strstr(outcome->text, ": ");
    snprintf(echo, sizeof echo, "%.*s", (int)sizeof echo - 1, colon ? colon + 2 : outcome->text);
    fuzzed->opcode[fuzzed->processor] = (uint8_t)jump->opcode;
    if (from) {
        name_word(fuzzed, from, word, jump, &fuzzed->facts, end);
        say_how(jump, from->words[word], scale, fuzzed->facts.source, how);
    }
    struct kit_fuzz_facts facts = fuzzed->facts;
    fuzz_find(fuzzed, "left-section", fuzzed->processor, jump->site,
              "the %s at word %u goes to 0x%x: the target %s; then: %s", names[fuzzed->leaves[jump->site]],
              (unsigned)jump->site, (unsigned)jump->target, how, echo);
    snprintf(outcome->key + strlen(outcome->key), sizeof outcome->key - strlen(outcome->key), "%s", end);
    facts.kind = fuzzed->facts.kind;
    facts.at = jump->site;
    snprintf(facts.code, sizeof facts.code, "afuc-left-section");
    snprintf(facts.packet, sizeof facts.packet, "%s", fuzzed->facts.packet);
    snprintf(facts.routine, sizeof facts.routine, "%s", fuzzed->facts.routine);
    fuzzed->facts = facts;
}

void fuzz_find_cause(struct fuzzed *fuzzed)
{
    const struct gpucode_stop stop = fuzzed->stop;
    uint64_t until = stop.time;
    if (!fuzzed->leaves || fuzzed->record_count == 0)
        return;
    if (stop.reason == GPUCODE_STOP_LIMIT && until > fuzzed->limit) /* loops are where they are early */
        until -= fuzzed->limit - fuzzed->limit / 8;
    if (fuzzed->map)
        memcpy(fuzzed->kept_map, fuzzed->map, fuzzed->map_size);
    struct jump jumps[SUSPECTS];
    for (unsigned i = 0, record = 0, word = 0; i < SUSPECTS; i++) {
        struct tracing tracing = {
            .fuzzed = fuzzed, .until = until, .passed = jumps, .passed_count = i, .opcode = FUZZ_NO_OPCODE};
        int64_t scale = 0;
        if (!run_traced(fuzzed, fuzzed->records, &tracing))
            break;
        jumps[i] = tracing.jump;
        bool chosen = find_word(fuzzed, &jumps[i], &record, &word, &scale);
        if (!chosen && !is_wild(fuzzed, jumps[i].target))
            continue;
        tell(fuzzed, &jumps[i], chosen ? &fuzzed->records[record] : NULL, word, scale);
        break;
    }
    if (fuzzed->map)
        memcpy(fuzzed->map, fuzzed->kept_map, fuzzed->map_size);
    fuzz_watch_on(fuzzed, 0);
    fuzzed->stop = stop;
    fuzz_plan(fuzzed, fuzzed->records, fuzzed->record_count);
}
