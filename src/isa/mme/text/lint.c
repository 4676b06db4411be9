/* SPDX-License-Identifier: MIT */
/*
 * Rules for macros. The words are followed along all paths from the first one. A place on a path is a word and what the
 * word before has left to be done after it: nothing, a jump to the target of that word, or the end. What may not have
 * been set yet on some path is collected at each place until nothing changes.
 */
#include "isa/lint.h"
#include "isa/mme/mme.h"
#include "mme_messages.h"

#define ENVYTOOLS "envytools, envydis/macro.c"

enum { GO_ON, JUMP, LEAVE, KINDS };

/* What may not have been set on some path: a bit per register, and these. */
enum { NO_METHOD = 1 << 8, NO_CARRY = 1 << 9, REACHED = 1 << 10 };

struct flow {
    struct lint_context *context;
    const struct isa_layout *layout;
    uint32_t units;
    uint16_t *unset;  /* by place: unit * KINDS + kind; 0: no path leads here */
    uint8_t *ending;  /* by place: some way on from here comes to an end, or waits for a parameter */
    uint32_t *queue;  /* places whose state has grown */
    uint8_t *waiting; /* by place: it is in the queue */
    uint32_t first, count;
    bool reporting; /* the states are final */
};

/* Where the way goes on from a place; at most two ways. */
struct next {
    uint32_t places[2];
    unsigned count;
    bool ends; /* here, or it waits for what the host may not send */
};

static uint32_t word_at(const struct flow *flow, uint32_t unit)
{
    return mme_word_at(flow->layout, unit);
}

static void report_word(const struct flow *flow, uint32_t unit, message_id message)
{
    if (flow->reporting)
        lint_find(flow->context, 0, unit, 1, message, ENVYTOOLS);
}

/* Adds a way that goes on; one that leaves the macro is an error at `unit`. */
static void add_next(const struct flow *flow, struct next *next, uint32_t unit, int64_t to, unsigned kind)
{
    if (to < 0 || to >= flow->units)
        report_word(flow, unit, MSG_LINT_MME_RUNS_OFF);
    else
        next->places[next->count++] = (uint32_t)to * KINDS + kind;
}

static int64_t target_of(const struct flow *flow, uint32_t unit)
{
    return (int64_t)unit + mme_immediate(word_at(flow, unit));
}

static struct next branch_next(const struct flow *flow, uint32_t unit, unsigned kind, int row, uint32_t word)
{
    struct next next = {0};
    if (kind != GO_ON) {
        report_word(flow, unit, MSG_LINT_MME_DOUBLE_BRANCH);
        next.ends = true;
        return next;
    }
    if (mme_annul(word))
        add_next(flow, &next, unit, target_of(flow, unit), GO_ON);
    else
        add_next(flow, &next, unit, (int64_t)unit + 1, JUMP);
    if (row != MME_BRA)
        add_next(flow, &next, unit, (int64_t)unit + 1, mme_exit(word) ? LEAVE : GO_ON);
    else if (mme_exit(word))
        report_word(flow, unit, MSG_LINT_MME_EXIT_BRA);
    return next;
}

static struct next find_next(const struct flow *flow, uint32_t unit, unsigned kind, int row, uint32_t word)
{
    struct next next = {0};
    if (row < 0) {
        report_word(flow, unit, MSG_LINT_MME_ILLEGAL);
        next.ends = true;
        return next;
    }
    if (mme_is_branch(row))
        return branch_next(flow, unit, kind, row, word);
    unsigned then = mme_exit(word) ? LEAVE : GO_ON;
    if (mme_exit(word) && kind != GO_ON)
        report_word(flow, unit, MSG_LINT_MME_EXIT_SLOT);
    if (kind == LEAVE)
        next.ends = true;
    else
        add_next(flow, &next, unit, kind == JUMP ? target_of(flow, unit - 1) : (int64_t)unit + 1, then);
    return next;
}

/* What is not set after the word, when `unset` is not in front of it; reports uses of what is not set. */
static uint16_t pass_word(const struct flow *flow, uint32_t unit, int row, uint32_t word, uint16_t unset,
                          bool *takes_parameter)
{
    struct gpucode_insn insn = {
        .target = flow->layout->info.target, .bits = word, .address = unit, .row = (uint16_t)row, .size = 4};
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    uint16_t set = 0;
    bool sends = false, sets_method = false, to_register = false;
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_effect *effect = &effects[i];
        bool special = effect->space == MME_SPACE_SPECIAL, reads = effect->use & GPUCODE_USE_READ;
        uint16_t bit = special && effect->number == MME_CARRY ? NO_CARRY
                       : effect->space == GPUCODE_SPACE_GENERAL && effect->number < MME_REGISTERS
                           ? (uint16_t)(1u << effect->number)
                           : 0;
        if (reads && unset & bit)
            report_word(flow, unit, bit == NO_CARRY ? MSG_LINT_MME_NO_CARRY : MSG_LINT_MME_UNSET_REGISTER);
        if (effect->use & GPUCODE_USE_WRITE)
            set |= bit;
        to_register |= bit && bit != NO_CARRY && effect->use & GPUCODE_USE_WRITE;
        sends |= effect->space == GPUCODE_SPACE_GPU && effect->use & GPUCODE_USE_WRITE;
        sets_method |= special && effect->number == MME_INCREMENT && effect->use & GPUCODE_USE_WRITE;
        *takes_parameter |= special && effect->number == MME_LEFT;
    }
    if (sends && !sets_method && unset & NO_METHOD)
        report_word(flow, unit, MSG_LINT_MME_NO_METHOD);
    if (row == MME_MOVE_SUM && !to_register && (word & ~UINT32_C(0x80)) != 0x11)
        report_word(flow, unit, MSG_LINT_MME_NO_EFFECT);
    if (sets_method)
        set |= NO_METHOD;
    return unset & (uint16_t)~set;
}

static void reach_place(struct flow *flow, uint32_t place, uint16_t unset)
{
    unset |= REACHED | flow->unset[place];
    if (unset == flow->unset[place])
        return;
    flow->unset[place] = unset;
    if (flow->waiting[place])
        return;
    flow->waiting[place] = 1;
    flow->queue[(flow->first + flow->count++) % (flow->units * KINDS)] = place;
}

/* One place: what is unset goes on to the places after it. */
static struct next visit_place(struct flow *flow, uint32_t place, bool *takes_parameter)
{
    uint32_t unit = place / KINDS, word = word_at(flow, unit);
    int row = isa_row_of(flow->layout->info.target, word);
    struct next next = find_next(flow, unit, place % KINDS, row, word);
    uint16_t unset = row < 0 ? 0 : pass_word(flow, unit, row, word, flow->unset[place], takes_parameter);
    for (unsigned i = 0; i < next.count && !flow->reporting; i++)
        reach_place(flow, next.places[i], unset);
    return next;
}

static void follow_paths(struct flow *flow)
{
    reach_place(flow, 0, 0xfc | NO_METHOD | NO_CARRY); /* $r1 holds the first parameter */
    while (flow->count) {
        uint32_t place = flow->queue[flow->first];
        bool takes_parameter = false;
        flow->first = (flow->first + 1) % (flow->units * KINDS);
        flow->count--;
        flow->waiting[place] = 0;
        visit_place(flow, place, &takes_parameter);
    }
}

/* Marks the places from which a way leads to an end; those that are left go round for ever. */
static void find_endless(struct flow *flow)
{
    bool grows = true;
    while (grows) {
        grows = false;
        for (uint32_t place = flow->units * KINDS; place-- > 0;) {
            if (!flow->unset[place] || flow->ending[place])
                continue;
            bool ends = false;
            struct next next = visit_place(flow, place, &ends);
            ends |= next.ends || !next.count;
            for (unsigned i = 0; i < next.count; i++)
                ends |= flow->ending[next.places[i]];
            flow->ending[place] = ends;
            grows |= ends;
        }
    }
    for (uint32_t place = 0; place < flow->units * KINDS; place++)
        if (flow->unset[place] && !flow->ending[place]) {
            report_word(flow, place / KINDS, MSG_LINT_MME_ENDLESS);
            return; /* one of the words is enough */
        }
}

/* Words that no path comes to: one finding for words side by side. */
static void find_unreached(const struct flow *flow)
{
    for (uint32_t unit = 0, end; unit < flow->units; unit = end) {
        for (end = unit; end < flow->units && !flow->unset[end * KINDS] && !flow->unset[end * KINDS + JUMP] &&
                         !flow->unset[end * KINDS + LEAVE];)
            end++;
        if (end > unit)
            lint_find(flow->context, 0, unit, end - unit, MSG_LINT_MME_UNREACHED, ENVYTOOLS,
                      (unsigned long long)(end - unit));
        end += end == unit;
    }
}

static bool check_macro(struct lint_context *context, const struct isa_layout *layout)
{
    struct flow flow = {.context = context, .layout = layout, .units = layout->info.units};
    size_t places = (size_t)flow.units * KINDS;
    if (!places)
        return true;
    if (flow.units > MME_CODE_WORDS) {
        lint_find(context, 0, MME_CODE_WORDS, flow.units - MME_CODE_WORDS, MSG_LINT_MME_LARGE, ENVYTOOLS,
                  (unsigned long long)flow.units);
        flow.units = MME_CODE_WORDS;
        places = (size_t)flow.units * KINDS;
    }
    flow.unset = lint_memory(context, places, sizeof *flow.unset);
    flow.ending = lint_memory(context, places, 1);
    flow.queue = lint_memory(context, places, sizeof *flow.queue);
    flow.waiting = lint_memory(context, places, 1);
    if (!flow.unset || !flow.ending || !flow.queue || !flow.waiting)
        return false;
    follow_paths(&flow);
    flow.reporting = true;
    find_endless(&flow); /* visits every place that is reached */
    find_unreached(&flow);
    return true;
}

static const struct gpucode_lint_limit limits[] = {{NULL, 0}};
static const char *const limit_docs[] = {NULL};

const struct isa_lint mme_lint = {.limits = limits, .limit_docs = limit_docs, .check = check_macro};
