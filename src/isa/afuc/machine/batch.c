/* SPDX-License-Identifier: MIT */
/* Which run loop runs a batch: that depends on who looks on. */
#include "isa/afuc/machine/block.h"

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

int64_t afuc_run_batch(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran)
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
