/* SPDX-License-Identifier: MIT */
/* Stops of the AFUC machine, and what its hooks are told. */
#include "isa/afuc/machine/exec.h"

int64_t afuc_stop(struct afuc_machine *m, struct afuc_processor *p, enum gpucode_stop_reason reason, message_id message,
                  ...)
{
    va_list args;
    m->stop->reason = reason;
    m->stop->processor = p->index;
    m->stop->code = message_code(message);
    va_start(args, message);
    message_text(m->stop->text, sizeof m->stop->text, message, args);
    va_end(args);
    return FLOW_STOP;
}

uint64_t afuc_time(const struct afuc_machine *m)
{
    return m->core->time + (m->chunk > m->left ? m->chunk - m->left - 1 : 0);
}

static void send_event(struct afuc_machine *m, struct afuc_processor *p, enum gpucode_event_kind kind, unsigned space,
                       uint64_t address, uint32_t value, uint32_t old)
{
    const struct gpucode_event event = {.kind = kind,
                                        .processor = p->index,
                                        .pc = p->pc,
                                        .time = afuc_time(m),
                                        .space = space,
                                        .address = address,
                                        .value = value,
                                        .old = old};
    m->halt |= isa_event(m->core, &event);
}

void afuc_tell_write(struct afuc_machine *m, struct afuc_processor *p, unsigned space, uint32_t number, uint32_t value,
                     uint32_t old)
{
    send_event(m, p, GPUCODE_EVENT_WRITE, space, number, value, old);
}

void afuc_tell_read(struct afuc_machine *m, struct afuc_processor *p, unsigned space, uint32_t number, uint32_t value)
{
    send_event(m, p, GPUCODE_EVENT_READ, space, number, value, value);
}

void afuc_tell_use(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    send_event(m, p, GPUCODE_EVENT_USE, GPUCODE_SPACE_GENERAL, number, value, value);
}

void afuc_tell_memory(struct afuc_machine *m, struct afuc_processor *p, enum gpucode_event_kind kind, uint64_t address,
                      uint32_t value, uint32_t old)
{
    send_event(m, p, kind, 0, address, value, old);
}

/* Does the effect of a row read a general register, and which? False also where a field of the word says it does not.
 */
static bool reads_general(const struct isa_row *row, const struct isa_effect *effect, const struct afuc_op *op,
                          unsigned *number)
{
    if (!(effect->use & GPUCODE_USE_READ) || (effect->when && !(op->flags & OP_REP)))
        return false; /* "if r" is the only condition that rows have on reads */
    *number = effect->verb == ISA_EFFECT_REGISTER ? effect->number : op->d;
    return (effect->verb == ISA_EFFECT_REGISTER && effect->space == GPUCODE_SPACE_GENERAL) ||
           (effect->verb == ISA_EFFECT_OPERAND && row->fields[effect->field - 1].letter == 'd');
}

void afuc_tell_uses(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    const struct isa_row *row = &afuc_rows.rows[op->row];
    unsigned number;
    if (op->real == ACTION_UNKNOWN || op->real == ACTION_END)
        return;
    for (unsigned i = 0; i < row->field_count; i++) {
        char letter = row->fields[i].letter;
        number = letter == 's' ? op->a : op->b;
        if ((letter == 's' || letter == 't' || letter == 'o') && number < REG_FIRST_SPECIAL)
            afuc_tell_use(m, p, number, p->gpr[number]);
    }
    for (unsigned i = 0; i < row->effect_count; i++)
        if (reads_general(row, &row->effects[i], op, &number) && number < REG_FIRST_SPECIAL)
            afuc_tell_use(m, p, number, p->gpr[number]);
}

void afuc_tell_comparison(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    uint32_t other;
    if (op->real >= AFUC_ROW_COUNT && op->real != ACTION_SLOW)
        return;
    switch (op->row) {
    case AFUC_BRNE_IMM:
    case AFUC_BREQ_IMM:
        other = op->shift;
        break;
    case AFUC_BRNE_BIT:
    case AFUC_BREQ_BIT:
        other = p->gpr[op->a] ^ UINT32_C(1) << op->shift;
        break;
    case AFUC_CMP_IMM_A5XX:
    case AFUC_CMP_IMM:
        other = op->imm;
        break;
    case AFUC_CMP_A5XX:
    case AFUC_CMP:
        if (op->b >= REG_FIRST_SPECIAL)
            return;
        other = p->gpr[op->b];
        break;
    default:
        return;
    }
    if (op->a < REG_FIRST_SPECIAL)
        send_event(m, p, GPUCODE_EVENT_COMPARE, GPUCODE_SPACE_GENERAL, op->a, p->gpr[op->a], other);
}

void afuc_tell_handled(struct afuc_machine *m, struct afuc_processor *p)
{
    uint32_t header = p->header;
    unsigned opcode = header >> 28 == 4 ? m->setup->packet4 : header >> 16 & (TABLE_COUNT - 1);
    send_event(m, p, GPUCODE_EVENT_HANDLED, GPUCODE_SPACE_PACKET, opcode, header, p->taken);
}
