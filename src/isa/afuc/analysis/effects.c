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

/* Is it a register of the GPU's page tables? */
static bool afuc_is_page_table(const struct afuc_facts *facts, uint32_t number)
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

/* Packets by which firmware comes to a level of privilege by itself: indirect buffers, groups of draw state. */

#define DRAW_WORDS 7

static uint32_t packet_number(const struct gpucode_target *target, const char *name)
{
    uint32_t number;
    return isa_number_of(target->names, NULL, GPUCODE_SPACE_PACKET, name, strlen(name), &number) ? number : UINT32_MAX;
}

/*
 * A group of draw state, in all modes of rendering, and a draw that it runs in front of, on generations where the
 * hardware runs groups (queue.c of the machine).
 */
static unsigned lead_to_group(const struct gpucode_target *target, uint64_t address, uint32_t count, uint32_t *words)
{
    uint32_t set = packet_number(target, "CP_SET_DRAW_STATE"), draw = packet_number(target, "CP_DRAW_INDX_OFFSET");
    if (target->generation < AFUC_A7XX || set == UINT32_MAX || draw == UINT32_MAX || count > 0xffff)
        return 0;
    words[0] = afuc_packet_header(set, 3);
    words[1] = count;
    words[2] = (uint32_t)address;
    words[3] = (uint32_t)(address >> 32);
    words[4] = afuc_packet_header(draw, DRAW_WORDS);
    memset(words + 5, 0, DRAW_WORDS * sizeof *words);
    return 5 + DRAW_WORDS;
}

unsigned afuc_lead(const struct gpucode_target *target, unsigned level, const char *name, uint64_t address,
                   uint32_t count, unsigned *from, uint32_t words[ISA_LEAD_MAX])
{
    uint32_t buffer = packet_number(target, "CP_INDIRECT_BUFFER");
    if (!level || buffer == UINT32_MAX)
        return 0;
    *from = 0;
    if (strcmp(name, "SDS") == 0)
        return lead_to_group(target, address, count, words);
    *from = level - 1;
    words[0] = afuc_packet_header(buffer, 3);
    words[1] = (uint32_t)address;
    words[2] = (uint32_t)(address >> 32);
    words[3] = count;
    return 4;
}

/*
 * Privileges seen running: the machine says what is written, and this file follows where words of packets get to, one
 * instruction after the other, by what it reads and writes alone. It shares no values with the analysis, so that each
 * can be held against the other.
 */

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
