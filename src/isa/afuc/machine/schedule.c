/* SPDX-License-Identifier: MIT */
/*
 * Processors in turn, and the search for loops that never end.
 *
 * A processor hangs when it comes back to an instruction with all of its registers, and everything shared, as they
 * were: nothing in the machine can make it go another way then. The state is compared through hashes that every change
 * of a register keeps up to date. The search itself costs nothing most of the time: after 4096 instructions without a
 * new packet, then after 8192 and so on, the place is noted and one sixteenth of that count is run under observation.
 */
#include "isa/afuc/machine/block.h"
#include "isa/afuc/machine/exec.h"

#include "afuc_messages.h"

#include <stdio.h>
#include <string.h>

/* Which run loop runs a batch: that depends on who looks on. */

/* While the hang detector watches a place its instruction is in no block. */
static void begin_watch(const struct afuc_machine *m, const struct afuc_processor *p)
{
    struct afuc_op *op = (struct afuc_op *)&p->code[p->watch.pc]; /* the arena's; constant for the run loop only */
    afuc_decode_now(m, p, op);
    if (op->action != ACTION_BREAK) { /* which looks at the watch too */
        op->action = ACTION_WATCH;
        afuc_forget_blocks(p, p->watch.pc);
    }
}

static void end_watch(const struct afuc_processor *p)
{
    struct afuc_op *op = (struct afuc_op *)&p->code[p->watch.pc];
    if (op->action == ACTION_WATCH) {
        op->action = op->real;
        afuc_forget_blocks(p, p->watch.pc);
    }
}

/* Events of functions that the loops share; the others need the observing one. */
#define TOLD_BY_ALL                                                                                                    \
    ((unsigned)(GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED | GPUCODE_EVENT_READ | GPUCODE_EVENT_MEM_READ |           \
                GPUCODE_EVENT_MEM_WRITE))

/*
 * Where ways from each place to each are counted, for libFuzzer, clang takes a quarter of an hour for the loops that
 * run in blocks: there the observing one does it all.
 */
#ifdef GPUCODE_FUZZED
#define OBSERVES_ALL true
#define afuc_loop_plain afuc_loop_observed
#define afuc_loop_counted afuc_loop_observed
#else
#define OBSERVES_ALL false
#endif

static int64_t afuc_run_batch(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran)
{
    if (OBSERVES_ALL || m->core->hook_kinds & ~TOLD_BY_ALL)
        return afuc_loop_observed(m, p, limit, ran);
    if (!p->watching)
        return m->core->edges.map || m->core->coverage ? afuc_loop_counted(m, p, limit, ran)
                                                       : afuc_loop_plain(m, p, limit, ran);
    begin_watch(m, p);
    int64_t flow = afuc_loop_counted(m, p, limit, ran);
    end_watch(p);
    return flow;
}

/* --- one processor -------------------------------------------------------------------------------------------- */

static void look_closer(struct afuc_machine *m, struct afuc_processor *p)
{
    p->watch = (struct afuc_watch){
        .pc = p->pc, .next = p->next, .carry = p->carry, .hash = p->hash, .shared_hash = m->shared_hash};
    memcpy(p->watch.gpr, p->gpr, sizeof p->watch.gpr);
    memcpy(p->watch.sqe, p->sqe, sizeof p->watch.sqe);
    p->watch_left = p->watch_at / 16;
    p->polled = false;
}

/* Runs one processor; returns as afuc_run_batch(). *cost counts repetitions too and is what the limit is about. */
static int64_t run_one(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran, uint64_t *cost)
{
    int64_t flow = FLOW_ON;
    *ran = *cost = 0;
    if (p->spinning && p->watch.shared_hash == m->shared_hash && p->pc == p->watch.pc)
        return FLOW_BLOCK;
    p->spinning = false;
    while (*cost < limit && flow == FLOW_ON) {
        p->fresh = false;
        uint64_t part = limit - *cost, done;
        if (p->watch_left) { /* under observation; the first step leaves the noted place */
            p->watching = p->watch_left < p->watch_at / 16;
            part = !p->watching ? 1 : part < p->watch_left ? part : p->watch_left;
        } else if (part > p->watch_at - p->since) {
            part = p->watch_at - p->since;
        }
        flow = afuc_run_batch(m, p, part, &done);
        *ran += done;
        *cost += m->cost;
        p->since += done;
        p->watching = false;
        if (p->spinning) {
            p->watch_left = 0;
            return FLOW_BLOCK;
        }
        if (p->fresh) {
            p->since = m->fresh_left - m->left;
            p->watch_left = 0;
            p->watch_at = WATCH_FIRST;
        } else if (p->watch_left) {
            p->watch_left -= done < p->watch_left ? done : p->watch_left;
            if (!p->watch_left)
                p->watch_at *= 2;
        } else if (p->since >= p->watch_at) {
            look_closer(m, p);
        }
    }
    return flow;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static bool takes_part(const struct afuc_machine *m, const struct afuc_processor *p)
{
    return p->started && (m->setup->only < 0 || p->index == (unsigned)m->setup->only);
}

static void report_hang(struct afuc_machine *m, const struct afuc_processor *p)
{
    char name[GPUCODE_NAME_MAX + 2] = "";
    m->stop->processor = p->index;
    if (!p->polled) {
        isa_stop(m->stop, GPUCODE_STOP_HANG, MSG_AFUC_HANG, p->name, p->pc);
        return;
    }
    if (p->polled_space == UINT8_MAX) {
        isa_stop(m->stop, GPUCODE_STOP_HANG, MSG_AFUC_HANG_MEMORY, p->name, p->pc, p->polled_number, p->polled_value);
        return;
    }
    char *end = name;
    if (p->polled_space == GPUCODE_SPACE_CONTROL)
        *end++ = '@';
    char *named = isa_name_of(m->core->target->names, m->core->names, p->polled_space, p->polled_number, end);
    if (named == end)
        named += snprintf(end, 16, "0x%x", (unsigned)p->polled_number);
    *named = 0;
    isa_stop(m->stop, GPUCODE_STOP_HANG, MSG_AFUC_HANG_REGISTER, p->name, p->pc,
             p->polled_space == GPUCODE_SPACE_CONTROL ? "control" : "GPU", name, p->polled_value);
}

/* No processor can go on: a hang if one is in a loop, else the machine waits for packets. */
static void report_rest(struct afuc_machine *m)
{
    const struct afuc_processor *waiting = NULL;
    for (unsigned i = 0; i < m->processor_count; i++) {
        const struct afuc_processor *p = &m->processors[i];
        if (!takes_part(m, p))
            continue;
        if (p->spinning) {
            report_hang(m, p);
            return;
        }
        if (!waiting || (waiting->waiting && !p->waiting)) /* one that wants the rest of a packet, if there is one */
            waiting = p;
    }
    m->stop->processor = waiting ? waiting->index : 0;
    isa_stop(m->stop, GPUCODE_STOP_IDLE, MSG_AFUC_IDLE, waiting ? waiting->name : "no processor");
}

static uint64_t run_all(struct afuc_machine *m, uint64_t limit)
{
    uint64_t total = 0, spent = 0;
    unsigned resting = 0; /* processors in a row that could not go on */
    uint64_t shared = m->shared_hash;
    while (spent < limit) {
        struct afuc_processor *p = &m->processors[m->turn];
        uint64_t ran = 0, cost = 0;
        bool rests = true;
        if (takes_part(m, p)) {
            bool others = m->processor_count > 1 && m->setup->only < 0; /* started or not: one may start another */
            if (!m->turn_left)
                m->turn_left = m->setup->quantum;
            uint64_t part = limit - spent;
            if (others && part > m->turn_left)
                part = m->turn_left;
            int64_t flow = run_one(m, p, part, &ran, &cost);
            total += ran;
            spent += cost;
            m->turn_left -= cost < m->turn_left ? cost : m->turn_left;
            if (flow == FLOW_STOP) {
                m->stop->processor = p->index;
                return total;
            }
            rests = flow == FLOW_BLOCK;
            if (!rests && m->turn_left && others)
                continue; /* the limit came first; its turn goes on */
        }
        resting = rests && !ran && shared == m->shared_hash ? resting + 1 : rests ? 1 : 0;
        shared = m->shared_hash;
        if (rests || m->turn_left == 0) {
            m->turn_left = 0;
            m->turn = (m->turn + 1) % m->processor_count;
        }
        if (resting >= m->processor_count) {
            report_rest(m);
            return total;
        }
    }
    return total;
}

uint64_t afuc_run(struct machine_core *core, void *state, unsigned processor, uint64_t limit, struct gpucode_stop *stop)
{
    struct afuc_machine *m = state;
    (void)core;
    m->stop = stop;
    if (processor == ISA_ALL_PROCESSORS)
        return run_all(m, limit);
    struct afuc_processor *p = &m->processors[processor];
    if (!p->started)
        afuc_start(m, p);
    uint64_t ran, cost;
    int64_t flow = run_one(m, p, limit, &ran, &cost);
    stop->processor = processor;
    if (flow == FLOW_BLOCK && p->spinning)
        report_hang(m, p);
    else if (flow == FLOW_BLOCK)
        isa_stop(stop, GPUCODE_STOP_IDLE, MSG_AFUC_IDLE, p->name);
    return ran;
}
