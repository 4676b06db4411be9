/* SPDX-License-Identifier: MIT */
/* load, store, cread, cwrite, sread, swrite: an offset register, a base, and perhaps pre-increment. */
#include "afuc_messages.h"
#include "isa/afuc/machine/action.h"

/* Is there a word for each time the packet queue is read? */
static bool queue_has_words(const struct afuc_machine *m, const struct afuc_processor *p, uint64_t wanted)
{
    return !wanted || afuc_queue_words(m, p) >= wanted;
}

/* The offset register's value. With '!' the sum goes back to it at once. */
static bool read_offset(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken,
                        uint32_t *value)
{
    if (!afuc_source(m, p, op->b, false, taken, value))
        return false;
    return !(op->flags & OP_PREINCREMENT) || !op->b || afuc_destination(m, p, op->b, *value + op->imm);
}

/* The source and the offset register in one order or the other (policy afuc-increment). */
static bool read_pair(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool source_first,
                      bool *taken, uint32_t *start, uint32_t *value)
{
    if (source_first)
        return afuc_source(m, p, op->a, false, taken, value) && read_offset(m, p, op, taken, start);
    return read_offset(m, p, op, taken, start) && afuc_source(m, p, op->a, false, taken, value);
}

/* Number of a register in a file of `count`; policy afuc-range decides about what lies after. */
static bool register_number(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, uint32_t start,
                            uint32_t count, const char *file, uint32_t *number)
{
    uint32_t sum = start + op->imm;
    *number = sum % count;
    if (sum < count || m->setup->range_wraps)
        return true;
    afuc_fault(m, p, MSG_AFUC_RANGE, file, sum, count);
    return false;
}

static int64_t load_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    uint32_t start, value;
    if (!queue_has_words(m, p, op->b == REG_DATA))
        return afuc_queue_dry(m, p);
    if (!read_offset(m, p, op, taken, &start) ||
        !afuc_memory_read(m, p, afuc_memory_address(m, p, op, start), &value) || !afuc_destination(m, p, op->d, value))
        return FLOW_STOP;
    afuc_note_poll(p, UINT8_MAX, (uint32_t)afuc_memory_address(m, p, op, start), value);
    return FLOW_ON;
}

static int64_t store_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    uint32_t start, value;
    if (!queue_has_words(m, p, (op->a == REG_DATA) + (op->b == REG_DATA)))
        return afuc_queue_dry(m, p);
    if (!read_pair(m, p, op, m->setup->store_source_first, taken, &start, &value) ||
        !afuc_memory_write(m, p, afuc_memory_address(m, p, op, start), value))
        return FLOW_STOP;
    return FLOW_ON;
}

static int64_t cread_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    uint32_t start, number;
    if (!queue_has_words(m, p, op->b == REG_DATA))
        return afuc_queue_dry(m, p);
    if (!read_offset(m, p, op, taken, &start) || !register_number(m, p, op, start, CONTROL_COUNT, "control", &number))
        return FLOW_STOP;
    return afuc_destination(m, p, op->d, afuc_control_read(m, p, number)) ? FLOW_ON : FLOW_STOP;
}

/*
 * (sdsN) takes N more words from the source. Only for a draw state do they mean something: its base. A packet that ends
 * before is not read over.
 */
static int64_t cwrite_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    unsigned more = afuc_op_count(op);
    if (op->a == REG_DATA && !p->header_pending) {
        uint32_t left = p->gpr[REG_REM];
        unsigned others = 1 + (op->b == REG_DATA);
        left = left > others ? left - others : 0;
        more = more < left ? more : left;
    }
    if (!queue_has_words(m, p, (op->a == REG_DATA ? 1 + more : 0) + (op->b == REG_DATA)))
        return afuc_queue_dry(m, p);
    uint32_t start, number, value;
    if (!read_pair(m, p, op, !m->setup->cwrite_source_last, taken, &start, &value) ||
        !register_number(m, p, op, start, CONTROL_COUNT, "control", &number) ||
        !afuc_control_write(m, p, number, value))
        return FLOW_STOP;
    for (unsigned i = 0; i < more; i++) {
        if (!afuc_source(m, p, op->a, false, taken, &value))
            return FLOW_STOP;
        if (i < 2 && number == m->setup->control[CONTROL_DRAW_STATE_SET_HDR])
            afuc_draw_state_base(m, p, i, value);
    }
    return FLOW_ON;
}

static int64_t sread_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    uint32_t start, number;
    if (!queue_has_words(m, p, op->b == REG_DATA))
        return afuc_queue_dry(m, p);
    if (!read_offset(m, p, op, taken, &start) || !register_number(m, p, op, start, SQE_COUNT, "SQE", &number))
        return FLOW_STOP;
    return afuc_destination(m, p, op->d, p->sqe[number]) ? FLOW_ON : FLOW_STOP;
}

static int64_t swrite_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    uint32_t start, number, value;
    if (!queue_has_words(m, p, (op->a == REG_DATA) + (op->b == REG_DATA)))
        return afuc_queue_dry(m, p);
    if (!read_pair(m, p, op, !m->setup->cwrite_source_last, taken, &start, &value) ||
        !register_number(m, p, op, start, SQE_COUNT, "SQE", &number))
        return FLOW_STOP;
    afuc_sqe_put(m, p, number, value);
    return FLOW_ON;
}

#define EXEC(id, once)                                                                                                 \
    int64_t exec_##id(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)                      \
    {                                                                                                                  \
        return afuc_repeat(m, p, op, once);                                                                            \
    }
EXEC(LOAD, load_once)
EXEC(LOAD_A5XX, load_once)
EXEC(STORE, store_once)
EXEC(STORE_A5XX, store_once)
EXEC(CREAD, cread_once)
EXEC(CREAD_A5XX, cread_once)
EXEC(CWRITE, cwrite_once)
EXEC(CWRITE_A5XX, cwrite_once)
EXEC(SREAD, sread_once)
EXEC(SWRITE, swrite_once)
