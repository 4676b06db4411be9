/* SPDX-License-Identifier: MIT */
/*
 * Rules for shaders: the compiler places delays and sync bits, and nothing in the hardware checks them. A forward walk
 * over all paths keeps, for each register, how many issue slots ago it was written and whether an asynchronous unit
 * still uses it; where paths join the worse of both counts.
 */
#include "isa/lint.h"

#include "isa/a3xx/access.h"

#define NOTES "A3XX notes, "
#define READY 7 /* slots after which no consumer must wait */

/* Registers in one row: full, half, a0, predicates. */
enum { FULL = 0, HALF = A3XX_A0, ADDRESS = 2 * A3XX_A0, PREDICATE, REGISTERS = PREDICATE + 4 };

enum { NEEDS_SS = 1, NEEDS_SY = 2, IN_USE = 4, FROM_SPECIAL = 8 };

struct state {
    uint8_t age[REGISTERS];     /* slots issued since the one that wrote it, READY at most */
    uint8_t wait[REGISTERS];    /* NEEDS_...: what must be waited for before it is used */
    uint32_t writer[REGISTERS]; /* the instruction that age is of */
};

struct walk {
    struct lint_context *context;
    const struct gpucode_insn *insn; /* all of them */
    uint32_t count;
    struct state **before; /* per instruction where paths begin or join, else null */
    bool *reached, *queued;
    uint32_t *queue;
    uint32_t queue_length;
    bool report;
};

static int index_of(const struct a3xx_access *access, unsigned step, unsigned component)
{
    unsigned number = (unsigned)access->number + (access->steps ? step : 0) + component;
    if (access->relative || (access->mask && !(access->mask >> component & 1)))
        return -1;
    switch (access->file) {
    case A3XX_FILE_FULL:
        return number < A3XX_A0 ? (int)(FULL + number) : -1;
    case A3XX_FILE_HALF:
        return number < A3XX_A0 ? (int)(HALF + number) : -1;
    case A3XX_FILE_ADDRESS:
        return number ? -1 : ADDRESS;
    case A3XX_FILE_PREDICATE:
        return number < 4 ? (int)(PREDICATE + number) : -1;
    default:
        return -1;
    }
}

static const char *name_of(int index, char text[16])
{
    char *at = index == ADDRESS     ? a3xx_put_register(text, A3XX_A0, false)
               : index >= PREDICATE ? a3xx_put_register(text, A3XX_P0 + (unsigned)(index - PREDICATE), false)
               : index >= HALF      ? a3xx_put_register(text, (unsigned)(index - HALF), true)
                                    : a3xx_put_register(text, (unsigned)index, false);
    *at = 0;
    return text;
}

/* Slots that must lie between an arithmetic result and this source (delay table of the notes). */
static unsigned delay_of(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = a3xx_category(insn->bits);
    if (access->file == A3XX_FILE_ADDRESS && !access->source)
        return 6;
    if (category == 0 || category > 3)
        return 6;
    bool adds = category == 3 && a3xx_bits(insn->bits, 55, 4) < 8; /* mad, madsh: the third source is needed later */
    return adds && access->source == 3 ? 1 : 3;
}

static void check_wait(struct walk *walk, struct state *state, const struct gpucode_insn *insn, int index, bool write)
{
    uint8_t *wait = &state->wait[index];
    char name[16];
    if (walk->report && *wait & NEEDS_SS) {
        bool special = *wait & FROM_SPECIAL && a3xx_category(insn->bits) == 4;
        lint_find(walk->context, 0, insn->address, 1, special ? MSG_LINT_A3XX_SS_SPECIAL : MSG_LINT_A3XX_SS,
                  NOTES "sync bits", name_of(index, name), (unsigned)state->writer[index]);
    } else if (walk->report && *wait & NEEDS_SY) {
        lint_find(walk->context, 0, insn->address, 1, MSG_LINT_A3XX_SY, NOTES "sync bits", name_of(index, name),
                  (unsigned)state->writer[index]);
    } else if (walk->report && write && *wait & IN_USE) {
        lint_find(walk->context, 0, insn->address, 1, MSG_LINT_A3XX_IN_USE, NOTES "sync bits", name_of(index, name));
    }
    *wait = (uint8_t)(write ? 0 : *wait & IN_USE); /* said once */
}

static void check_read(struct walk *walk, struct state *state, const struct gpucode_insn *insn,
                       const struct a3xx_access *access, unsigned step)
{
    for (unsigned i = 0; i < access->count; i++) {
        int index = index_of(access, step, i);
        if (index < 0)
            continue;
        unsigned delay = delay_of(insn, access);
        char name[16];
        if (walk->report && state->age[index] < delay)
            lint_find(walk->context, 0, insn->address, 1, MSG_LINT_A3XX_DELAY, NOTES "delay table",
                      name_of(index, name), delay - state->age[index], (unsigned)state->writer[index]);
        check_wait(walk, state, insn, index, false);
    }
}

/* Which unit delivers the result: 0 the arithmetic one, else what must be waited for. */
static uint8_t result_wait(const struct gpucode_insn *insn)
{
    switch (a3xx_category(insn->bits)) {
    case 4:
        return NEEDS_SS | FROM_SPECIAL;
    case 5:
        return NEEDS_SY;
    case 6:
        return insn->row == A3XX_LDG || insn->row == A3XX_LDP || a3xx_bits(insn->bits, 52, 1) ? NEEDS_SY : NEEDS_SS;
    default:
        return 0;
    }
}

static void step_over(struct walk *walk, struct state *state, const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access), category = a3xx_category(insn->bits),
             slots = a3xx_repeat(insn->bits) + 1;
    uint8_t wait = result_wait(insn), cleared = 0;
    if (category < 5 && insn->bits >> 44 & 1)
        cleared |= NEEDS_SS | IN_USE | FROM_SPECIAL;
    if (insn->bits >> 60 & 1)
        cleared |= NEEDS_SY;
    for (unsigned i = 0; cleared && i < REGISTERS; i++)
        state->wait[i] &= (uint8_t)~cleared;
    for (unsigned step = 0; step < slots; step++) {
        for (unsigned i = 0; i < count; i++)
            if (!access[i].write)
                check_read(walk, state, insn, &access[i], step);
        for (unsigned i = 0; i < REGISTERS; i++)
            state->age[i] = (uint8_t)(state->age[i] + (state->age[i] < READY));
        for (unsigned i = 0; i < count; i++)
            for (unsigned k = 0; access[i].write && k < access[i].count; k++) {
                int index = index_of(&access[i], step, k);
                if (index < 0)
                    continue;
                check_wait(walk, state, insn, index, true);
                state->age[index] = wait ? READY : 0;
                state->wait[index] = wait;
                state->writer[index] = (uint32_t)insn->address;
            }
    }
    for (unsigned i = 0; category >= 4 && i < count; i++)
        for (unsigned k = 0; !access[i].write && k < access[i].count; k++) {
            int index = index_of(&access[i], 0, k);
            if (index >= 0)
                state->wait[index] |= IN_USE;
        }
}

/* Joins `from` into *into; true when that made it worse. */
static bool join(struct state *into, const struct state *from)
{
    bool worse = false;
    for (unsigned i = 0; i < REGISTERS; i++) {
        if (from->age[i] < into->age[i]) {
            into->age[i] = from->age[i];
            into->writer[i] = from->writer[i];
            worse = true;
        }
        if (from->wait[i] & ~into->wait[i]) {
            if (!into->wait[i])
                into->writer[i] = from->writer[i];
            into->wait[i] |= from->wait[i];
            worse = true;
        }
    }
    return worse;
}

static bool enter(struct walk *walk, uint32_t at, const struct state *state)
{
    bool first = !walk->before[at];
    if (first) {
        walk->before[at] = lint_memory(walk->context, 1, sizeof *state);
        if (!walk->before[at])
            return false;
        memset(walk->before[at]->age, READY, sizeof walk->before[at]->age);
    }
    if ((join(walk->before[at], state) || first) && !walk->queued[at]) {
        walk->queued[at] = true;
        walk->queue[walk->queue_length++] = at;
    }
    return true;
}

/* Where the branch at `at` goes; walk->count: outside the code. */
static uint32_t target_of(const struct walk *walk, uint32_t at)
{
    int64_t target = (int64_t)at + (int16_t)walk->insn[at].bits;
    return target < 0 || target >= walk->count ? walk->count : (uint32_t)target;
}

/* One stretch from where paths begin or join to where the next ones do. */
static bool follow(struct walk *walk, uint32_t at)
{
    struct state state = *walk->before[at];
    for (bool first = true;; first = false, at++) {
        if (at == walk->count)
            return true;
        if (!first && walk->before[at])
            return enter(walk, at, &state);
        const struct gpucode_insn *insn = &walk->insn[at];
        walk->reached[at] = true;
        step_over(walk, &state, insn);
        bool branch = insn->row == A3XX_BR || insn->row == A3XX_JUMP || insn->row == A3XX_CALL;
        uint32_t target = branch ? target_of(walk, at) : walk->count;
        if (insn->row == A3XX_CALL) /* what the callee leaves is not followed; nothing is said of it */
            memset(&state, 0, sizeof state), memset(state.age, READY, sizeof state.age);
        if (target < walk->count && !enter(walk, target, &state))
            return false;
        if (insn->row == A3XX_END || insn->row == A3XX_RET || insn->row == A3XX_JUMP)
            return true;
        if (branch)
            return at + 1 == walk->count || enter(walk, at + 1, &state);
    }
}

static bool settle(struct walk *walk)
{
    while (walk->queue_length) {
        uint32_t at = walk->queue[--walk->queue_length];
        walk->queued[at] = false;
        if (!follow(walk, at))
            return false;
    }
    return true;
}

/* What needs no path: words, flags without effect, targets, the end. */
static void look(struct walk *walk)
{
    uint32_t end = walk->count;
    while (end && walk->insn[end - 1].row == A3XX_NOP)
        end--;
    bool ends = false;
    for (uint32_t i = 0; i < end; i++) {
        const struct gpucode_insn *insn = &walk->insn[i];
        uint64_t bits = insn->bits;
        unsigned category = a3xx_category(bits);
        ends |= insn->row == A3XX_END && walk->reached[i];
        if (!walk->reached[i]) {
            if (i == 0 || walk->reached[i - 1])
                lint_find(walk->context, 0, i, 1, MSG_LINT_A3XX_UNREACHABLE, NOTES "category 0");
            continue;
        }
        if (insn->row == A3XX_RAW)
            lint_find(walk->context, 0, i, 1, MSG_LINT_A3XX_WORD, NOTES "opcode tables");
        bool repeated = category >= 1 && category <= 4 &&
                        (bits >> 43 & 1 || (category == 2 && bits >> 51 & 1) ||
                         (category == 3 && (bits >> 15 & 1 || bits >> 29 & 1)));
        if (repeated && insn->row != A3XX_RAW && insn->row != A3XX_BARY_F && !a3xx_repeat(bits))
            lint_find(walk->context, 0, i, 1, MSG_LINT_A3XX_STEP, NOTES "common fields");
        bool branch = insn->row == A3XX_BR || insn->row == A3XX_JUMP || insn->row == A3XX_CALL;
        if (branch && target_of(walk, i) == walk->count)
            lint_find(walk->context, 0, i, 1, MSG_LINT_A3XX_TARGET, NOTES "category 0");
    }
    if (!ends)
        lint_find(walk->context, 0, walk->count ? walk->count - 1 : 0, 1, MSG_LINT_A3XX_NO_END, NOTES "undefined");
}

static bool check(struct lint_context *context, const struct isa_layout *layout)
{
    uint32_t count = layout->info.units;
    struct gpucode_insn *insns = lint_memory(context, (size_t)count + 1, sizeof *insns);
    struct walk walk = {.context = context,
                        .insn = insns,
                        .count = count,
                        .before = lint_memory(context, (size_t)count + 1, sizeof *walk.before),
                        .reached = lint_memory(context, (size_t)count + 1, sizeof *walk.reached),
                        .queued = lint_memory(context, (size_t)count + 1, sizeof *walk.queued),
                        .queue = lint_memory(context, (size_t)count + 1, sizeof *walk.queue)};
    struct state *start = lint_memory(context, 1, sizeof *start);
    if (!insns || !walk.before || !walk.reached || !walk.queued || !walk.queue || !start)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t word = 0;
        for (unsigned k = 8; k-- > 0;)
            word = word << 8 | layout->bytes[8 * (size_t)i + k];
        insns[i] = (struct gpucode_insn){.target = layout->info.target,
                                         .bits = word,
                                         .address = i,
                                         .row = (uint16_t)a3xx_refine(isa_decode_row(&a3xx_rows, 0, word), word),
                                         .size = 8};
    }
    memset(start->age, READY, sizeof start->age);
    uint64_t entry;
    bool any = false;
    for (unsigned i = 0; lint_entry(context, i, &entry); i++, any = true)
        if (entry < count && !enter(&walk, (uint32_t)entry, start))
            return false;
    if (!any && count && !enter(&walk, 0, start))
        return false;
    if (!settle(&walk))
        return false;
    /* all states are final: once more, telling */
    walk.report = true;
    for (uint32_t i = 0; i < count; i++)
        if (walk.before[i] && !follow(&walk, i))
            return false;
    look(&walk);
    return true;
}

static const struct gpucode_lint_limit no_limits[] = {{NULL, 0}};

const struct isa_lint a3xx_lint = {.limits = no_limits, .check = check};
