/* SPDX-License-Identifier: MIT */
/*
 * What a word does to values. Arithmetic is done by the rows' own actions, once for each combination of constants; what
 * comes out of queues, control registers and memory is unknown, and payload where those who send packets choose it.
 */
#include "isa/afuc/analysis/facts.h"

#include <limits.h>
#include <string.h>

/* More combinations of operands are not tried. */
#define COMBINATIONS_MAX ISA_CONSTANTS_MAX

isa_value afuc_source_value(struct isa_value_pool *pool, const isa_value *state, unsigned reg)
{
    return reg == 0                   ? isa_value_of(pool, 0)
           : reg == REG_DATA          ? ISA_VALUE_PAYLOAD
           : reg >= REG_FIRST_SPECIAL ? ISA_VALUE_UNKNOWN
                                      : state[reg];
}

/* --- arithmetic --- */

/* A level of privilege after mov, cmp and masks is one still. */
static isa_value of_level(struct isa_value_pool *pool, const struct afuc_op *op, uint32_t unit, isa_value a,
                          isa_value b)
{
    struct isa_level levels[ISA_LEVELS_MAX];
    unsigned other_count, count = isa_value_levels(pool, a, levels);
    uint32_t mask;
    isa_value level = count ? a : b, other = count ? b : a;
    if (!count)
        count = isa_value_levels(pool, b, levels);
    switch (op->row) {
    case AFUC_MOV:
        return b;
    case AFUC_CMP:
    case AFUC_CMP_A5XX:
    case AFUC_CMP_IMM:
    case AFUC_CMP_IMM_A5XX:
        return isa_value_constants(pool, other, &other_count) ? level : ISA_VALUE_UNKNOWN;
    case AFUC_AND:
    case AFUC_AND_IMM:
        if (!isa_value_is(pool, other, &mask))
            return ISA_VALUE_UNKNOWN;
        break;
    case AFUC_UBFX:
        if (op->shift || op->imm < op->shift)
            return ISA_VALUE_UNKNOWN;
        mask = UINT32_MAX >> (31 - op->imm);
        break;
    default:
        return ISA_VALUE_UNKNOWN;
    }
    for (unsigned i = 0; i < count; i++)
        if (levels[i].at == UINT32_MAX || levels[i].mask & ~mask)
            levels[i] = (struct isa_level){levels[i].mask & mask, unit};
    return isa_value_of_levels(pool, levels, count);
}

struct operands {
    isa_value a, b, d, carry;
};

static isa_value on_constants(struct afuc_facts *facts, struct isa_value_pool *pool, const struct afuc_op *op,
                              const struct operands *in, isa_value *carry)
{
    uint32_t lists[4][ISA_CONSTANTS_MAX], results[COMBINATIONS_MAX], carries[COMBINATIONS_MAX];
    const isa_value values[4] = {in->a, in->b, in->d, in->carry};
    unsigned counts[4], all = 1, count = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t *constants = isa_value_constants(pool, values[i], &counts[i]);
        memcpy(lists[i], constants, counts[i] * sizeof *constants);
        all *= counts[i];
    }
    bool same = facts->rows[op->row].has_s && facts->rows[op->row].has_t && op->a == op->b;
    *carry = ISA_VALUE_UNKNOWN;
    if (all > COMBINATIONS_MAX && !same)
        return ISA_VALUE_UNKNOWN;
    for (unsigned a = 0; a < counts[0]; a++)
        for (unsigned b = 0; b < counts[1]; b++)
            for (unsigned d = 0; d < counts[2]; d++)
                for (unsigned c = 0; c < counts[3]; c++) {
                    if (same && a != b)
                        continue; /* one register has one value */
                    if (count == COMBINATIONS_MAX)
                        return ISA_VALUE_UNKNOWN;
                    facts->processor->carry = lists[3][c];
                    results[count] =
                        afuc_evaluate(facts->machine, facts->processor, op, lists[0][a], lists[1][b], lists[2][d]);
                    carries[count++] = facts->processor->carry;
                }
    *carry = isa_value_of_set(pool, carries, count);
    return isa_value_of_set(pool, results, count);
}

static bool is_constant(const struct isa_value_pool *pool, isa_value value)
{
    unsigned count;
    return isa_value_constants(pool, value, &count);
}

static isa_value calculate(struct afuc_facts *facts, struct isa_value_pool *pool, const struct afuc_op *op,
                           uint32_t unit, isa_value *state)
{
    const struct row_facts *row = &facts->rows[op->row];
    isa_value zero = isa_value_of(pool, 0), carry = ISA_VALUE_UNKNOWN, result;
    struct isa_level levels[ISA_LEVELS_MAX];
    const struct operands in = {.a = row->has_s ? afuc_source_value(pool, state, op->a) : zero,
                                .b = row->has_t ? afuc_source_value(pool, state, op->b) : isa_value_of(pool, op->imm),
                                .d = row->reads_d && op->d < REG_FIRST_SPECIAL ? state[op->d]
                                     : row->reads_d                            ? ISA_VALUE_UNKNOWN
                                                                               : zero,
                                .carry = row->reads_carry ? state[STATE_CARRY] : zero};
    const isa_value all[] = {in.a, in.b, in.d, in.carry};
    bool none = false, payload = false;
    for (unsigned i = 0; i < 4; i++) {
        none |= all[i] == ISA_VALUE_NONE;
        payload |= all[i] == ISA_VALUE_PAYLOAD;
    }
    if (none)
        result = carry = ISA_VALUE_NONE;
    else if (payload)
        result = carry = ISA_VALUE_PAYLOAD;
    else if (isa_value_levels(pool, in.a, levels) || isa_value_levels(pool, in.b, levels))
        result = of_level(pool, op, unit, in.a, in.b);
    else if (is_constant(pool, in.a) && is_constant(pool, in.b) && is_constant(pool, in.d) &&
             is_constant(pool, in.carry))
        result = on_constants(facts, pool, op, &in, &carry);
    else
        result = ISA_VALUE_UNKNOWN;
    if (row->writes_carry)
        state[STATE_CARRY] = op->flags & OP_REP ? ISA_VALUE_UNKNOWN : carry;
    return result;
}

/* --- what registers take along --- */

/* What stands in a register after one more word. */
static isa_value stepped(struct isa_value_pool *pool, isa_value value, bool selects)
{
    uint32_t list[ISA_CONSTANTS_MAX];
    unsigned count;
    const uint32_t *constants = isa_value_constants(pool, value, &count);
    if (!constants)
        return value;
    for (unsigned i = 0; i < count; i++) {
        uint32_t address = constants[i];
        if (!selects)
            list[i] = address + 1;
        else if (address >> 18 & 1)
            list[i] = address;
        else
            list[i] = address >> 24 ? address + (UINT32_C(1) << 24)
                                    : (address & ~(GPU_COUNT - 1)) | ((address + 1) & (GPU_COUNT - 1));
    }
    return isa_value_of_set(pool, list, count);
}

static void take(struct isa_value_pool *pool, const struct afuc_op *op, unsigned reg, isa_value *state)
{
    if (op->flags & OP_PEEK)
        return;
    if (reg == REG_DATA)
        state[REG_REM] = ISA_VALUE_UNKNOWN;
    else if (reg == REG_REGDATA)
        state[STATE_READ] = stepped(pool, state[STATE_READ], false);
}

void afuc_put(struct isa_value_pool *pool, unsigned reg, isa_value value, isa_value *state)
{
    if (reg == REG_ADDR || reg == REG_USRADDR) {
        state[STATE_SELECT] = value;
        state[STATE_VIA] = isa_value_of(pool, reg == REG_ADDR ? VIA_ADDR : VIA_USRADDR);
    } else if (reg == REG_DATA) {
        state[STATE_SELECT] = stepped(pool, state[STATE_SELECT], true);
    } else if (reg && reg < REG_FIRST_SPECIAL) {
        state[reg] = value;
    }
}

/* --- instructions --- */

isa_value afuc_number(const struct afuc_facts *facts, struct isa_value_pool *pool, const struct afuc_op *op,
                      const isa_value *state)
{
    uint32_t list[ISA_CONSTANTS_MAX];
    unsigned count;
    (void)facts;
    isa_value start = afuc_source_value(pool, state, op->b);
    const uint32_t *constants = isa_value_constants(pool, start, &count);
    if (!constants)
        return start;
    for (unsigned i = 0; i < count; i++)
        list[i] = constants[i] + op->imm;
    return isa_value_of_set(pool, list, count);
}

static void calculate_row(struct afuc_facts *facts, struct isa_value_pool *pool, uint32_t unit, isa_value *state,
                          isa_value *written)
{
    const struct afuc_op *op = &facts->ops[unit];
    const struct row_facts *row = &facts->rows[op->row];
    bool repeats = op->flags & OP_REP, extra = afuc_op_count(op);
    isa_value value = calculate(facts, pool, op, unit, state);
    if (repeats && value != ISA_VALUE_PAYLOAD && value != ISA_VALUE_NONE)
        value = ISA_VALUE_UNKNOWN;
    if (row->has_s)
        take(pool, op, op->a, state);
    if (row->has_t)
        take(pool, op, op->b, state);
    *written = row->has_d ? value : ISA_VALUE_NONE;
    if (row->has_d && repeats && op->d < REG_FIRST_SPECIAL)
        value = isa_value_join(pool, state[op->d], value); /* $rem may be 0 */
    if (row->has_d)
        afuc_put(pool, op->d, value, state);
    bool writes_on = op->d == REG_DATA || (extra && op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA);
    if ((repeats || extra) && writes_on && row->has_d && state[STATE_SELECT] != ISA_VALUE_PAYLOAD)
        state[STATE_SELECT] = ISA_VALUE_UNKNOWN; /* nobody knows how many words it was */
    if (repeats || extra) {
        if (op->a == REG_REGDATA || op->b == REG_REGDATA)
            state[STATE_READ] = ISA_VALUE_UNKNOWN;
        state[REG_REM] = extra && !repeats ? ISA_VALUE_UNKNOWN : isa_value_of(pool, 0);
    }
}

/* load, store, cread, cwrite, sread, swrite. */
static void access_row(struct afuc_facts *facts, struct isa_value_pool *pool, uint32_t unit, unsigned level,
                       isa_value *state, isa_value *written)
{
    const struct afuc_op *op = &facts->ops[unit];
    const struct row_facts *row = &facts->rows[op->row];
    bool controls =
        op->row == AFUC_CWRITE || op->row == AFUC_CWRITE_A5XX || op->row == AFUC_CREAD || op->row == AFUC_CREAD_A5XX;
    bool repeats = op->flags & OP_REP;
    uint32_t number;
    isa_value place = afuc_number(facts, pool, op, state);
    bool constant = isa_value_is(pool, place, &number);
    isa_value source = row->has_s ? afuc_source_value(pool, state, op->a) : ISA_VALUE_NONE;
    take(pool, op, op->b, state);
    if (op->flags & OP_PREINCREMENT)
        afuc_put(pool, op->b, repeats && place != ISA_VALUE_PAYLOAD ? ISA_VALUE_UNKNOWN : place, state);
    if (row->has_s) {
        take(pool, op, op->a, state);
        if (controls && (constant ? number : op->imm) == facts->read_address)
            state[STATE_READ] = constant && !repeats ? source : ISA_VALUE_UNKNOWN;
    }
    if (row->has_d) {
        isa_value value = ISA_VALUE_UNKNOWN;
        struct isa_level whole = {UINT32_MAX, UINT32_MAX};
        if (controls && constant && number == facts->ib_level)
            value = level == UINT_MAX ? isa_value_of_levels(pool, &whole, 1) : isa_value_of(pool, level);
        *written = value;
        if (repeats && op->d < REG_FIRST_SPECIAL)
            value = isa_value_join(pool, state[op->d], value);
        afuc_put(pool, op->d, value, state);
        if (repeats && op->d == REG_DATA)
            state[STATE_SELECT] = ISA_VALUE_UNKNOWN;
    }
    if (repeats)
        state[REG_REM] = isa_value_of(pool, 0);
}

void afuc_step(struct afuc_facts *facts, struct isa_value_pool *pool, uint32_t unit, unsigned level, isa_value *state,
               isa_value *written)
{
    const struct afuc_op *op = &facts->ops[unit];
    const struct row_facts *row = &facts->rows[op->row];
    *written = ISA_VALUE_NONE;
    if (!afuc_is_insn(op))
        return;
    if (row->has_o)
        access_row(facts, pool, unit, level, state, written);
    else if (row->acts)
        calculate_row(facts, pool, unit, state, written);
    else if (op->row == AFUC_BL)
        state[REG_LR] = *written = isa_value_of(pool, unit + 2);
    else if (row->has_s || row->has_t) { /* branches and register jumps */
        take(pool, op, op->a, state);
        take(pool, op, op->b, state);
    }
}

uint64_t afuc_writes(const void *facts, uint32_t unit)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *op = &f->ops[unit];
    const struct row_facts *row = &f->rows[op->row];
    uint64_t writes = 0;
    if (!afuc_is_insn(op))
        return 0;
    if (row->has_d && op->d && op->d < REG_FIRST_SPECIAL)
        writes |= UINT64_C(1) << op->d;
    if (row->has_d && op->d >= REG_FIRST_SPECIAL && op->d != REG_NOWHERE)
        writes |= UINT64_C(1) << STATE_SELECT | UINT64_C(1) << STATE_VIA;
    if (op->row == AFUC_BL)
        writes |= UINT64_C(1) << REG_LR;
    if (op->flags & OP_PREINCREMENT && op->b)
        writes |=
            op->b < REG_FIRST_SPECIAL ? UINT64_C(1) << op->b : UINT64_C(1) << STATE_SELECT | UINT64_C(1) << STATE_VIA;
    bool from_data = (row->has_s && op->a == REG_DATA) || ((row->has_t || row->has_o) && op->b == REG_DATA);
    bool from_register = (row->has_s && op->a == REG_REGDATA) || ((row->has_t || row->has_o) && op->b == REG_REGDATA);
    if (op->flags & OP_REP || from_data || afuc_extra(f, op))
        writes |= UINT64_C(1) << REG_REM;
    if (from_register || (row->has_o && row->has_s && (op->imm == f->read_address || op->b)))
        writes |= UINT64_C(1) << STATE_READ;
    if (row->writes_carry)
        writes |= UINT64_C(1) << STATE_CARRY;
    return writes;
}

int afuc_decide(const void *facts, const struct isa_value_pool *pool, uint32_t unit, const isa_value *state)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *op = &f->ops[unit];
    static const uint32_t zero = 0;
    unsigned count = 1, taken = 0;
    if (op->a >= REG_FIRST_SPECIAL)
        return 0;
    const uint32_t *constants = op->a ? isa_value_constants(pool, state[op->a], &count) : &zero;
    if (!constants)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        f->processor->gpr[op->a] = constants[i];
        taken += afuc_branches(f->machine, f->processor, op);
    }
    return taken == count ? 1 : taken == 0 ? -1 : 0;
}
