/* SPDX-License-Identifier: MIT */
/*
 * List scheduling: of the instructions whose predecessors are placed, one comes next by a rule of several, of which
 * none is the best for all programs; the caller tries them. Long basic blocks are taken in windows.
 */
#include "isa/ir3/timing/code.h"

#define WINDOW 256
#define CANDIDATES 32 /* of the ready ones, those with the longest ways are tried */

/* Slots that a result is expected to take, for the length of ways; no rule depends on them. */
enum { WAY_ARITHMETIC = 4, WAY_FLOW = 7, WAY_SPECIAL = 10, WAY_MEMORY = 24 };

struct node {
    struct gpucode_insn insn;
    uint32_t origin;
    struct a3xx_set read, written;
    unsigned blockers; /* predecessors not yet placed */
    unsigned way;
    bool placed;
};

struct window {
    struct node node[WINDOW];
    bool before[WINDOW][WINDOW]; /* [i][j]: i must stay before j */
    unsigned count;
    enum a3xx_order order;
};

/* Nothing moves over these: what they do is not known, or it concerns all. */
static bool is_fence(const struct gpucode_insn *insn)
{
    if (a3xx_has_sync(insn)) /* it was left there for a reason */
        return true;
    return shader_marks(insn) & SHADER_FENCE || shader_flow(insn) != GPUCODE_FLOW_NEXT || shader_is_nop(insn) ||
           shader_is_raw(insn);
}

static bool reads_address(const struct node *node)
{
    return a3xx_set_has(&node->read, A3XX_ADDRESS);
}

/* Effects that no register shows. */
static bool effects_meet(const struct node *first, const struct node *second)
{
    const struct gpucode_insn *a = &first->insn, *b = &second->insn;
    unsigned low = shader_category(a->bits), high = shader_category(b->bits);
    uint32_t marks = shader_marks(a), later = shader_marks(b);
    if (low >= 5 && high >= 5 && (shader_stores(a) || shader_stores(b)))
        return true;
    if ((marks & SHADER_KILL && (high >= 5 || later & SHADER_KILL)) || (later & SHADER_KILL && low >= 5))
        return true;
    if (marks & later & SHADER_VARYING && (a->bits | b->bits) & SHADER_EI)
        return true;
    return reads_address(first) && reads_address(second) &&
           (a->bits | b->bits) & SHADER_UL; /* the last use stays last */
}

static unsigned way_between(enum a3xx_order order, const struct node *first, const struct node *second)
{
    unsigned category = shader_category(first->insn.bits), reader = shader_category(second->insn.bits);
    bool slots_only = order == A3XX_ORDER_SLOTS; /* what (ss) and (sy) wait for takes no slots */
    if (!a3xx_set_meets(&first->written, &second->read))
        return 1;
    return category == 4               ? (slots_only ? 1 : WAY_SPECIAL)
           : category > 4              ? (slots_only ? 1 : WAY_MEMORY)
           : reader == 0 || reader > 3 ? WAY_FLOW
                                       : WAY_ARITHMETIC;
}

static void build_dependences(struct window *window, const struct gpucode_insn *last)
{
    struct node end = {.blockers = 0};
    memset(window->before, 0, sizeof window->before);
    if (last) {
        end.insn = *last;
        a3xx_uses(last, &end.read, &end.written);
    }
    for (unsigned i = window->count; i-- > 0;) {
        struct node *node = &window->node[i];
        node->way = last ? way_between(window->order, node, &end) : 1;
        for (unsigned j = i + 1; j < window->count; j++) {
            struct node *later = &window->node[j];
            if (!a3xx_set_meets(&node->written, &later->read) && !a3xx_set_meets(&node->written, &later->written) &&
                !a3xx_set_meets(&node->read, &later->written) && !effects_meet(node, later))
                continue;
            window->before[i][j] = true;
            later->blockers++;
            unsigned way = way_between(window->order, node, later) + later->way;
            node->way = way > node->way ? way : node->way;
        }
        node->way += shader_repeat(&node->insn);
    }
}

/* Slots and sync that placing it next takes. */
static unsigned cost_of(const struct a3xx_scoreboard *state, const struct gpucode_insn *insn,
                        const struct gpucode_insn *last, struct a3xx_need *need)
{
    *need = a3xx_scoreboard_need(state, insn);
    if (need->ss && shader_category(insn->bits) >= 5 && !need->slots && !(last && a3xx_carries_ss(last)))
        need->slots = 1;
    return 4 * need->slots + 2 * need->sy + need->ss;
}

/* How bad it is to place it next. Candidates come in the order of their ways, or of the program. */
static int badness_of(enum a3xx_order order, const struct node *node, unsigned cost, const struct a3xx_need *need)
{
    switch (order) {
    case A3XX_ORDER_SLOTS:
        return (int)need->slots;
    case A3XX_ORDER_WAY:
        return (int)(2 * need->slots) - (int)node->way;
    default:
        return (int)cost;
    }
}

static unsigned choose_next(const struct window *window, const struct a3xx_scoreboard *state,
                            const struct gpucode_insn *last, struct a3xx_need *need)
{
    unsigned best = window->count, tried = 0, limit = ~0u;
    bool by_way = window->order != A3XX_ORDER_PROGRAM;
    int best_against = 0;
    while (tried < CANDIDATES) {
        unsigned next = window->count, next_key = 0; /* the ready one with the greatest key below the limit */
        for (unsigned i = 0; i < window->count; i++) {
            const struct node *node = &window->node[i];
            unsigned key = (by_way ? node->way * WINDOW : 0) + (WINDOW - 1 - i);
            if (!node->placed && !node->blockers && key < limit && (next == window->count || key > next_key)) {
                next = i;
                next_key = key;
            }
        }
        if (next == window->count)
            break;
        limit = next_key;
        struct a3xx_need one;
        unsigned cost = cost_of(state, &window->node[next].insn, last, &one);
        int now = badness_of(window->order, &window->node[next], cost, &one);
        if (best == window->count || now < best_against) {
            best = next;
            best_against = now;
            *need = one;
        }
        if (!cost)
            break;
        tried++;
    }
    return best;
}

/* Places the window's instructions into `insn`; the state goes along. */
static void place_window(struct window *window, struct a3xx_scoreboard *state, struct gpucode_insn *insn,
                         uint32_t *origin)
{
    static const struct a3xx_watch watch = {.follow_relative = true};
    for (unsigned n = 0; n < window->count; n++) {
        struct a3xx_need need = {0};
        unsigned i = choose_next(window, state, n ? &insn[n - 1] : NULL, &need);
        window->node[i].placed = true;
        for (unsigned j = 0; j < window->count; j++)
            window->node[j].blockers -= window->before[i][j];
        insn[n].bits = window->node[i].insn.bits;
        insn[n].row = window->node[i].insn.row;
        origin[n] = window->node[i].origin;
        a3xx_scoreboard_pass_slots(state, need.slots);
        a3xx_scoreboard_sync(state, need.ss, need.sy);
        a3xx_scoreboard_issue(state, &insn[n], &watch);
    }
}

/* One basic block from `at`; returns where the next may begin. */
static uint32_t reorder_from(struct a3xx_code *code, const struct a3xx_paths *paths, struct window *window,
                             struct a3xx_scoreboard *state, uint32_t at)
{
    uint32_t start = at;
    uint64_t mark = code->insn[at].bits & SHADER_JP; /* belongs to the place */
    window->count = 0;
    for (; at < code->count && window->count < WINDOW; at++) {
        const struct gpucode_insn *insn = &code->insn[at];
        if (is_fence(insn) || (at && shader_marks(insn - 1) & SHADER_GROUP) ||
            (at > start && (paths->leader[at] || insn->bits & SHADER_JP)))
            break;
        struct node *node = &window->node[window->count++];
        *node = (struct node){.insn = *insn, .origin = code->origin[at]};
        node->insn.bits &= ~SHADER_JP;
        a3xx_uses(insn, &node->read, &node->written);
        if (shader_category(insn->bits) >= 1 && shader_category(insn->bits) <= 4 && insn->bits & SHADER_UL)
            a3xx_set_add(&node->read, A3XX_ADDRESS); /* it lets a0.x go */
    }
    build_dependences(window, at < code->count && !paths->leader[at] ? &code->insn[at] : NULL);
    place_window(window, state, &code->insn[start], &code->origin[start]);
    if (at > start)
        code->insn[start].bits |= mark;
    return at;
}

bool a3xx_reorder(struct a3xx_code *code, enum a3xx_order order)
{
    static const struct a3xx_watch watch = {.follow_relative = true};
    struct a3xx_repair repair;
    bool good = a3xx_repair_open(&repair, code);
    struct window *window = good ? arena_alloc(&repair.paths.arena, sizeof *window) : NULL;
    const struct a3xx_paths *paths = &repair.paths;
    if (window)
        window->order = order;
    for (uint32_t i = 0; window && i < code->count; i++) {
        if (!paths->before[i])
            continue;
        struct a3xx_scoreboard state;
        a3xx_scoreboard_load(&state, paths->before[i]);
        for (uint32_t at = i; at < code->count && paths->reached[at] && (at == i || !paths->leader[at]);) {
            uint32_t next = reorder_from(code, paths, window, &state, at);
            if (next == at) { /* a fence, or the first */
                struct a3xx_need need = a3xx_scoreboard_need(&state, &code->insn[at]);
                a3xx_scoreboard_pass_slots(&state, need.slots);
                a3xx_scoreboard_sync(&state, need.ss, need.sy);
                a3xx_scoreboard_issue(&state, &code->insn[at], &watch);
                next++;
            }
            at = next;
        }
    }
    a3xx_repair_close(&repair);
    return window != NULL;
}
