/* SPDX-License-Identifier: MIT */
/*
 * List scheduling: of the instructions whose predecessors are placed, one comes next by a rule of several, of which
 * none is the best for all programs; the caller tries them. Long basic blocks are taken in windows.
 */
#include "isa/ir3/timing/paths.h"

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

/*
 * The least to add. A delay is filled with slots as late as possible, right in front of the instruction that needs
 * them, so that they serve all delays that reach over this place; a sync bit stands on the instruction that needs it.
 */

#define CARRIER_REACH 64 /* how far back an (ss) may stand */

/*
 * Instructions without (ss) want it on one before them: the nearest that can hold it, not before what it waits for, and
 * on the same way. paths.count: there is none.
 */
static uint32_t find_carrier(const struct a3xx_repair *repair, const struct a3xx_scoreboard *state, uint32_t at,
                             const struct a3xx_need *need)
{
    const struct a3xx_paths *paths = &repair->paths;
    if (need->slots && !(at && shader_is_nop(&paths->insn[at - 1])))
        return paths->count; /* nops are put in anyway, and hold it */
    for (uint32_t i = at; i-- > 0 && at - i <= CARRIER_REACH && !paths->leader[i + 1];) {
        for (int reg = 0; reg < A3XX_REGISTERS; reg++)
            if (a3xx_set_has(&need->ss_of, reg) &&
                (state->by[A3XX_BY_SS][reg] == i || state->by[A3XX_BY_USER][reg] == i))
                return paths->count;
        if (need->ss_trace && !a3xx_carries_ss(&paths->insn[i]))
            return paths->count;
        if (shader_marks(&paths->insn[i]) & SHADER_BARRIER) /* what comes after it waits, not the barrier */
            return paths->count;
        if (shader_takes_ss(&paths->insn[i]))
            return i;
    }
    return paths->count;
}

/*
 * What stands in a group has its needs in front of the first of it, unless a branch leads into the group, or it is what
 * waits for everything itself.
 */
static struct a3xx_need need_of_group(const struct a3xx_repair *repair, const struct a3xx_scoreboard *state,
                                      uint32_t at)
{
    const struct a3xx_paths *paths = &repair->paths;
    struct a3xx_need all = {0};
    bool more = true;
    bool alone = paths->leader[at] || shader_marks(&paths->insn[at]) & SHADER_WAITS;
    if (at && !alone && shader_marks(&paths->insn[at - 1]) & SHADER_GROUP)
        return all;
    for (; more && at < paths->count; at++) {
        struct a3xx_need one = a3xx_scoreboard_need(state, &paths->insn[at]);
        all.slots = one.slots > all.slots ? one.slots : all.slots;
        all.ss |= one.ss;
        all.sy |= one.sy;
        all.ss_trace |= one.ss_trace;
        for (size_t i = 0; i < sizeof all.ss_of.bits / sizeof *all.ss_of.bits; i++)
            all.ss_of.bits[i] |= one.ss_of.bits[i];
        more = shader_marks(&paths->insn[at]) & SHADER_GROUP;
    }
    return all;
}

static void visit_for_repair(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct a3xx_repair *repair = user;
    const struct a3xx_paths *paths = &repair->paths;
    const struct gpucode_insn *insn = &paths->insn[at];
    struct a3xx_need need = need_of_group(repair, state, at);
    struct a3xx_watch watch = {.follow_relative = true};
    watch.given = shader_address_given(paths, at);
    uint8_t *add = &repair->add[at];
    uint32_t pad = need.slots;
    *add = need.sy ? A3XX_ADD_SY : 0;
    if (need.ss && shader_takes_ss(insn)) {
        *add |= A3XX_ADD_SS;
    } else if (need.ss) { /* no such bit: one before it has it */
        uint32_t carrier = find_carrier(repair, state, at, &need);
        if (carrier < paths->count) {
            repair->add[carrier] |= A3XX_ADD_SS;
            a3xx_scoreboard_sync_before(state, carrier, at);
            need.ss = false;
        } else {
            *add |= A3XX_ADD_NOP_SS;
            pad += !pad;
        }
    }
    repair->pad[at] = pad;
    a3xx_scoreboard_pass_slots(state, pad);
    a3xx_scoreboard_sync(state, need.ss, need.sy);
    a3xx_scoreboard_issue(state, insn, &watch);
}

bool a3xx_repair_open(struct a3xx_repair *repair, const struct a3xx_code *code)
{
    bool good = a3xx_paths_open(&repair->paths, code->insn, code->count);
    repair->paths.visit = visit_for_repair;
    repair->paths.user = repair;
    repair->pad = arena_array(&repair->paths.arena, (size_t)code->count + 1, sizeof *repair->pad);
    repair->add = arena_array(&repair->paths.arena, (size_t)code->count + 1, sizeof *repair->add);
    return good && repair->pad && repair->add && a3xx_paths_entry(&repair->paths, 0) &&
           a3xx_paths_settle(&repair->paths);
}

void a3xx_repair_close(struct a3xx_repair *repair)
{
    a3xx_paths_close(&repair->paths);
}

/* Taking nops and sync bits out of a shader. An (sy) that may wait for a store stays: memory has an order too. */

/* A nop that is one only by its name: it has flags of its own, or is where fibers meet in front of an `end`. */
static bool does_more(const struct a3xx_code *code, uint32_t i)
{
    const struct gpucode_insn *insn = &code->insn[i];
    bool ends = i + 1 < code->count && shader_flow(insn + 1) == GPUCODE_FLOW_STOP;
    return insn->bits & code->family->nop_flags || (code->family->nop_flags && ends && insn->bits & SHADER_JP);
}

/* `keep`: of which instructions (sy) stays, null: none. place[i]: where instruction i, or the next one kept, is now. */
static void take_out_needless(struct a3xx_code *code, const bool *keep, uint32_t *place)
{
    uint32_t last = code->count, kept = 0;
    uint64_t entry = 0, mark = 0;
    bool held = false; /* the instruction before wants the nops after it */
    while (last && shader_is_nop(&code->insn[last - 1]))
        last--;
    for (uint32_t i = 0; i < code->count; i++) {
        struct gpucode_insn insn = code->insn[i];
        place[i] = kept;
        uint64_t sync = SHADER_SY | (shader_takes_ss(&insn) ? SHADER_SS : 0);
        uint64_t stays = keep && keep[i] ? SHADER_SY : 0;
        bool nop = shader_is_nop(&insn), idle = nop && !held && !(keep && does_more(code, i));
        stays |= keep && shader_marks(&insn) & SHADER_BARRIER ? insn.bits & sync : 0;
        bool first = i == 0 && keep && a3xx_has_sync(&insn);
        bool takes = i + 1 < code->count && shader_takes_ss(&code->insn[i + 1]);
        if (idle && i < last && (!first || takes)) {
            entry |= first ? insn.bits & sync : stays;
            mark |= insn.bits & SHADER_JP;
            continue;
        }
        if (nop && !held)
            insn.bits &= ~SHADER_NOPS;
        held = keep && (shader_marks(&insn) & SHADER_HOLDS || (held && nop));
        if (shader_takes_idle(&insn))
            shader_set_idle(&insn, 0);
        if (!first)
            insn.bits = (insn.bits & ~sync) | stays;
        insn.bits |= mark | (entry & sync);
        mark = entry = 0;
        code->origin[kept] = code->origin[i];
        code->insn[kept++] = insn;
        code->insn[kept - 1].address = i; /* where it was, for the branches */
    }
    uint32_t old = code->count;
    place[old] = kept;
    code->count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        struct gpucode_insn *insn = &code->insn[i];
        if (a3xx_is_branch(insn))
            (void)shader_family(insn)->set_offset(
                insn, (int64_t)place[(int64_t)insn->address + shader_family(insn)->offset(insn->bits)] - i);
        insn->address = i;
    }
}

struct ordering {
    struct a3xx_paths paths;
    bool *keep;
};

static void visit_for_strip(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct ordering *ordering = user;
    static const struct a3xx_watch watch = {0};
    const struct gpucode_insn *insn = &ordering->paths.insn[at];
    ordering->keep[at] |= state->path.stored && insn->bits & SHADER_SY;
    a3xx_scoreboard_issue(state, insn, &watch);
}

bool a3xx_strip(struct a3xx_code *code, bool all, uint32_t *place)
{
    struct ordering ordering = {0};
    bool good = all || a3xx_paths_open(&ordering.paths, code->insn, code->count);
    ordering.paths.visit = visit_for_strip;
    ordering.paths.user = &ordering;
    if (good && !all) {
        ordering.keep = arena_array(&ordering.paths.arena, (size_t)code->count + 1, sizeof *ordering.keep);
        good = ordering.keep && a3xx_paths_entry(&ordering.paths, 0) && a3xx_paths_settle(&ordering.paths);
    }
    if (good)
        take_out_needless(code, ordering.keep, place);
    a3xx_paths_close(&ordering.paths);
    return good;
}
