/* SPDX-License-Identifier: MIT */
/* Who reads and writes what, with the numbers and values that are constant. */
#include "isa/afuc/analysis/facts.h"

#include <limits.h>
#include <string.h>

struct referring {
    struct afuc_facts *facts;
    struct isa_value_pool *pool;
    const struct afuc_op *op;
    const isa_value *state;
    isa_value after[STATE_COUNT];
    isa_value written; /* what goes to the destination */
    void (*add)(void *user, const struct gpucode_reference *reference);
    void *user;
};

static void refer(const struct referring *r, enum gpucode_reference_kind kind, unsigned space, uint32_t number,
                  isa_value value, const char *via)
{
    struct gpucode_reference reference = {.kind = kind, .space = space, .number = number, .exact = true, .via = via};
    reference.has_value = kind == GPUCODE_REFERENCE_WRITE && isa_value_is(r->pool, value, &reference.value);
    r->add(r->user, &reference);
}

/* --- queues --- */

/* Words written through $addr or $usraddr go to GPU or pipe registers. */
static void refer_to_selected(const struct referring *r, isa_value value)
{
    uint32_t via;
    unsigned count;
    const uint32_t *numbers = isa_value_constants(r->pool, r->state[STATE_SELECT], &count);
    if (!numbers || !isa_value_is(r->pool, r->state[STATE_VIA], &via))
        return;
    for (unsigned i = 0; i < count; i++) {
        uint32_t number = numbers[i] & ~(UINT32_C(1) << 18);
        const char *name = via == VIA_ADDR ? "addr" : "usraddr";
        if (numbers[i] >> 24)
            refer(r, GPUCODE_REFERENCE_WRITE, GPUCODE_SPACE_PIPE, numbers[i] >> 24, value, name);
        else if (number <= 0xffff)
            refer(r, GPUCODE_REFERENCE_WRITE, GPUCODE_SPACE_GPU, number, value, name);
    }
}

/* A pipe register that acts when it is selected. */
static void refer_to_void(const struct referring *r, isa_value value, unsigned reg)
{
    uint32_t number;
    if (isa_value_is(r->pool, value, &number) && number >> 24 &&
        isa_name_is_void(r->facts->target->names, number >> 24))
        refer(r, GPUCODE_REFERENCE_WRITE, GPUCODE_SPACE_PIPE, number >> 24, ISA_VALUE_UNKNOWN,
              reg == REG_ADDR ? "addr" : "usraddr");
}

/* `before` words were taken by earlier operands of the same word. */
static void refer_to_read(const struct referring *r, unsigned before)
{
    unsigned count;
    const uint32_t *numbers = isa_value_constants(r->pool, r->state[STATE_READ], &count);
    for (unsigned i = 0; numbers && i < count; i++)
        refer(r, GPUCODE_REFERENCE_READ, GPUCODE_SPACE_GPU, (numbers[i] + before) & (GPU_COUNT - 1), ISA_VALUE_UNKNOWN,
              "regdata");
}

/* --- operands --- */

static isa_value written_to(const struct referring *r, const struct gpucode_effect *effect)
{
    bool counts = r->facts->rows[r->op->row].has_o && effect->use & GPUCODE_USE_READ; /* '!' writes the offset */
    bool repeats = r->op->flags & OP_REP;
    if (repeats)
        return ISA_VALUE_UNKNOWN;
    return counts ? afuc_number(r->facts, r->pool, r->op, r->state) : r->written;
}

static void refer_to_general(const struct referring *r, const struct gpucode_effect *effect, unsigned *taken)
{
    uint32_t number = effect->number;
    bool queue = effect->kind == GPUCODE_EFFECT_QUEUE;
    if (effect->use & GPUCODE_USE_READ) {
        refer(r, GPUCODE_REFERENCE_READ, GPUCODE_SPACE_GENERAL, number, ISA_VALUE_UNKNOWN, NULL);
        if (queue && number == REG_MEMDATA)
            refer(r, GPUCODE_REFERENCE_READ, GPUCODE_SPACE_MEMORY, 0, ISA_VALUE_UNKNOWN, NULL);
        if (queue && number == REG_REGDATA && r->facts->setup->generation != AFUC_A5XX)
            refer_to_read(r, r->op->flags & OP_PEEK ? 0 : (*taken)++);
    }
    if (!(effect->use & GPUCODE_USE_WRITE))
        return;
    isa_value value = written_to(r, effect);
    refer(r, GPUCODE_REFERENCE_WRITE, GPUCODE_SPACE_GENERAL, number, value, NULL);
    if (number == REG_DATA)
        refer_to_selected(r, value);
    else if (number == REG_ADDR || number == REG_USRADDR)
        refer_to_void(r, value, number);
}

/* Registers with a number of their own: offset register plus base. */
static void refer_to_numbered(const struct referring *r, unsigned space, bool writes)
{
    enum gpucode_reference_kind kind = writes ? GPUCODE_REFERENCE_WRITE : GPUCODE_REFERENCE_READ;
    bool repeats = r->op->flags & OP_REP;
    isa_value value = writes && !repeats ? afuc_source_value(r->pool, r->state, r->op->a) : ISA_VALUE_UNKNOWN;
    isa_value place = afuc_number(r->facts, r->pool, r->op, r->state);
    uint32_t numbers[ISA_CONSTANTS_JOINED];
    unsigned count;
    const uint32_t *found = isa_value_constants(r->pool, place, &count);
    if (!found || count > ISA_CONSTANTS_JOINED || (repeats && r->op->flags & OP_PREINCREMENT)) {
        struct gpucode_reference reference = {.kind = kind, .space = space, .number = r->op->imm};
        reference.has_value = writes && isa_value_is(r->pool, value, &reference.value);
        r->add(r->user, &reference);
        return;
    }
    memcpy(numbers, found, count * sizeof *numbers);
    for (unsigned i = 0; i < count; i++)
        refer(r, kind, space, numbers[i], value, NULL);
}

static void refer_to_place(const struct referring *r)
{
    switch (r->op->row) {
    case AFUC_CREAD:
    case AFUC_CREAD_A5XX:
        refer_to_numbered(r, GPUCODE_SPACE_CONTROL, false);
        break;
    case AFUC_CWRITE:
    case AFUC_CWRITE_A5XX:
        refer_to_numbered(r, GPUCODE_SPACE_CONTROL, true);
        break;
    case AFUC_SREAD:
        refer_to_numbered(r, GPUCODE_SPACE_SQE, false);
        break;
    case AFUC_SWRITE:
        refer_to_numbered(r, GPUCODE_SPACE_SQE, true);
        break;
    case AFUC_LOAD:
    case AFUC_LOAD_A5XX:
        refer(r, GPUCODE_REFERENCE_READ, GPUCODE_SPACE_MEMORY, 0, ISA_VALUE_UNKNOWN, NULL);
        break;
    case AFUC_STORE:
    case AFUC_STORE_A5XX:
        refer(r, GPUCODE_REFERENCE_WRITE, GPUCODE_SPACE_MEMORY, 0,
              r->op->flags & OP_REP ? ISA_VALUE_UNKNOWN : afuc_source_value(r->pool, r->state, r->op->a), NULL);
        break;
    default:
        break;
    }
}

void afuc_references(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state,
                     void (*add)(void *user, const struct gpucode_reference *reference), void *user)
{
    struct afuc_facts *f = facts;
    struct referring r = {f, pool, &f->ops[unit], state, .add = add, .user = user};
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    unsigned taken = 0;
    if (!afuc_is_insn(r.op))
        return;
    memcpy(r.after, state, sizeof r.after);
    afuc_step(f, r.pool, unit, UINT_MAX, r.after, &r.written);
    const struct gpucode_insn insn = {f->target, afuc_facts_word(f, unit), unit, r.op->row, 4, true};
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    for (unsigned i = 0; i < count && i < GPUCODE_EFFECTS_MAX; i++) {
        const struct gpucode_effect *effect = &effects[i];
        bool named = effect->operand >= 0 || effect->number == REG_LR || effect->number == 2;
        if (effect->kind != GPUCODE_EFFECT_MEMORY && effect->space == GPUCODE_SPACE_GENERAL && effect->count == 1 &&
            named)
            refer_to_general(&r, effect, &taken);
    }
    refer_to_place(&r);
}
