/* SPDX-License-Identifier: MIT */
/*
 * Privileges seen running: the machine says what is written, and this file follows where words of packets get to, one
 * instruction after the other, by what it reads and writes alone. It shares no values with the analysis, so that each
 * can be held against the other.
 */
#include "isa/afuc/analysis/facts.h"

#define PIPE_NRT_FIRST 0xa0u
#define PIPE_NRT_LAST 0xa2u

/* Does the instruction read a register with words of the packet in it? Queues: $data alone has them. */
static bool reads_payload(const struct afuc_facts *facts, const struct afuc_op *op, uint64_t payload)
{
    const struct row_facts *row = &facts->rows[op->row];
    uint64_t all = payload | UINT64_C(1) << REG_DATA;
    return (row->has_s && all >> op->a & 1) || (row->has_t && all >> op->b & 1) ||
           (row->reads_d && op->d < REG_FIRST_SPECIAL && all >> op->d & 1);
}

/* A word goes to a register: what it selects, and whether it came with the packet. */
static unsigned put(struct isa_watch *watch, unsigned reg, bool payload)
{
    if (reg == REG_ADDR || reg == REG_USRADDR) {
        watch->selected = reg;
        watch->chosen = payload;
        return !payload ? 0 : reg == REG_ADDR ? GPUCODE_PRIVILEGE_REGISTER_ANY : GPUCODE_PRIVILEGE_REGISTER;
    }
    if (reg && reg < REG_FIRST_SPECIAL)
        watch->payload = payload ? watch->payload | UINT64_C(1) << reg : watch->payload & ~(UINT64_C(1) << reg);
    return 0;
}

unsigned afuc_watch_insn(const void *facts, struct isa_watch *watch, uint32_t unit, bool empty)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *op = unit < f->units ? &f->ops[unit] : NULL;
    watch->writes = false;
    if (!op || !afuc_is_insn(op) || (empty && op->flags & OP_REP))
        return 0;
    const struct row_facts *row = &f->rows[op->row];
    unsigned effects = 0;
    if (row->has_o && op->flags & OP_PREINCREMENT) /* the offset register becomes what it is, plus a constant */
        effects |= put(watch, op->b, op->b == REG_DATA || (op->b < REG_FIRST_SPECIAL && watch->payload >> op->b & 1));
    watch->writes = row->has_d && (op->d == REG_DATA || (afuc_extra(f, op) && op->d >= REG_FIRST_SPECIAL));
    watch->writes |= row->has_o && op->flags & OP_PREINCREMENT && op->b == REG_DATA;
    if (row->has_d)
        effects |= put(watch, op->d, row->acts && reads_payload(f, op, watch->payload));
    else if (op->row == AFUC_BL)
        put(watch, REG_LR, false);
    return effects;
}

unsigned afuc_watch_event(const void *facts, const struct isa_watch *watch, const struct gpucode_event *event)
{
    const struct afuc_facts *f = facts;
    if (event->kind == GPUCODE_EVENT_MEM_WRITE)
        return GPUCODE_PRIVILEGE_MEMORY;
    if (event->kind != GPUCODE_EVENT_WRITE)
        return 0;
    unsigned pipe = (unsigned)(event->value >> 24 & 0xff);
    bool selects =
        event->space == GPUCODE_SPACE_GENERAL && (event->address == REG_ADDR || event->address == REG_USRADDR);
    if (selects)
        return !watch->chosen && pipe >= PIPE_NRT_FIRST && pipe <= PIPE_NRT_LAST ? GPUCODE_PRIVILEGE_MEMORY : 0;
    if (event->space != GPUCODE_SPACE_GPU || !watch->writes || watch->chosen)
        return 0;
    bool tables = watch->selected != REG_USRADDR && afuc_is_page_table(f, (uint32_t)event->address);
    return tables ? GPUCODE_PRIVILEGE_PAGE_TABLE : GPUCODE_PRIVILEGE_REGISTER;
}
