/* SPDX-License-Identifier: MIT */
/*
 * What a packet can make the firmware do that only a trusted sender may. Writes through $usraddr pass the hardware's
 * table of protected registers, those through $addr do not (AFUC manual, Writing Registers).
 */
#include "isa/afuc/analysis/facts.h"

#include <string.h>

/* Pipe registers that address and write memory; of a6xx and later. */
#define PIPE_NRT_FIRST 0xa0u
#define PIPE_NRT_LAST 0xa2u

bool afuc_is_page_table(const struct afuc_facts *facts, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    if (facts->smmu_info != UINT32_MAX && (number == facts->smmu_info || number == facts->smmu_info + 1))
        return true;
    *isa_name_of(facts->target->names, NULL, GPUCODE_SPACE_GPU, number, name) = 0;
    return strstr(name, "TTBR") || strstr(name, "SMMU_TABLE");
}

/* A word of $data that goes to the register selected. */
static unsigned of_data(const struct afuc_facts *facts, const struct isa_value_pool *pool, const isa_value *state)
{
    unsigned count, effects = 0, via_count;
    const uint32_t *numbers = isa_value_constants(pool, state[STATE_SELECT], &count);
    const uint32_t *vias = isa_value_constants(pool, state[STATE_VIA], &via_count);
    bool guarded = via_count == 1 && vias[0] == VIA_USRADDR;
    for (unsigned i = 0; numbers && i < count; i++) {
        if (numbers[i] >> 24)
            continue;
        bool tables = !guarded && afuc_is_page_table(facts, numbers[i] & (GPU_COUNT - 1));
        effects |= tables ? GPUCODE_PRIVILEGE_PAGE_TABLE : GPUCODE_PRIVILEGE_REGISTER;
    }
    return effects;
}

static unsigned of_select(const struct isa_value_pool *pool, unsigned reg, isa_value value)
{
    unsigned count;
    const uint32_t *numbers = isa_value_constants(pool, value, &count);
    if (value == ISA_VALUE_PAYLOAD)
        return reg == REG_ADDR ? GPUCODE_PRIVILEGE_REGISTER_ANY : GPUCODE_PRIVILEGE_REGISTER;
    for (unsigned i = 0; numbers && i < count; i++)
        if (numbers[i] >> 24 >= PIPE_NRT_FIRST && numbers[i] >> 24 <= PIPE_NRT_LAST)
            return GPUCODE_PRIVILEGE_MEMORY;
    return 0;
}

static unsigned of_write(const struct afuc_facts *facts, const struct isa_value_pool *pool, unsigned reg,
                         isa_value value, const isa_value *state)
{
    if (reg == REG_DATA)
        return of_data(facts, pool, state);
    return reg == REG_ADDR || reg == REG_USRADDR ? of_select(pool, reg, value) : 0;
}

unsigned afuc_effects(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state)
{
    struct afuc_facts *f = facts;
    const struct afuc_op *op = &f->ops[unit];
    const struct row_facts *row = &f->rows[op->row];
    if (!afuc_is_insn(op))
        return 0;
    unsigned effects = op->row == AFUC_STORE || op->row == AFUC_STORE_A5XX ? GPUCODE_PRIVILEGE_MEMORY : 0;
    bool writes = row->has_d && op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA;
    bool counts = op->flags & OP_PREINCREMENT && op->b >= REG_FIRST_SPECIAL;
    if (!writes && !counts)
        return effects;
    isa_value after[STATE_COUNT], written;
    memcpy(after, state, sizeof after);
    if (counts)
        effects |= of_write(f, pool, op->b, afuc_number(f, pool, op, state), state);
    /* the level is in the state by now: reads of it are of no account here */
    afuc_step(f, pool, unit, 0, after, &written);
    if (writes)
        effects |= of_write(f, pool, op->d, written, state);
    /* the extra moves of (xmovN) go to what the main move has selected, or what stands after it */
    if (writes && afuc_extra(f, op)) {
        memcpy(after, state, sizeof after);
        afuc_put(pool, op->d, written, after);
        effects |= of_data(f, pool, after);
    }
    return effects;
}
