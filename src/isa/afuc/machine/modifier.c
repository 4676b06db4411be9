/* SPDX-License-Identifier: MIT */
/*
 * (rep), (xmovN), (peek), and the registers that are queues or write through (AFUC manual, Modifiers, Reading
 * Memory and Registers).
 */
#include "isa/afuc/machine/exec.h"

/* Repetitions of one (rep) before the run loop gets to look at its limit, unless it is told: more than any packet has
 * words. */
#define REPETITIONS 0x4000

static uint32_t most_repetitions(const struct afuc_machine *m)
{
    return m->core->repetitions ? m->core->repetitions : REPETITIONS;
}

/* --- sources ------------------------------------------------------------------------------------------- */

static bool read_memory_queue(struct afuc_machine *m, struct afuc_processor *p, bool peek, uint32_t *value)
{
    const struct afuc_setup *setup = m->setup;
    uint32_t left = afuc_control_get(m, p, CONTROL_MEM_READ_DWORDS);
    if (setup->generation == AFUC_A5XX && !left)
        return afuc_nrt_read(m, p, peek, value);
    uint64_t address = afuc_control_get64(m, p, CONTROL_MEM_READ_ADDR);
    uint32_t high = afuc_control_get(m, p, CONTROL_MEM_READ_ADDR_HI_PREEMPTION);
    uint64_t from = high >> 31 ? (uint64_t)(high & 0x7fffffff) << 32 | (uint32_t)address : address;
    if (!afuc_memory_read(m, p, from, value))
        return false;
    if (peek || !left) /* AFUC notes, FIFOs: no step without words left */
        return true;
    uint32_t number = setup->control[CONTROL_MEM_READ_ADDR];
    address += 4;
    afuc_control_put(m, p, number, (uint32_t)address);
    if ((uint32_t)(address >> 32) != p->control[number + 1])
        afuc_control_put(m, p, number + 1, (uint32_t)(address >> 32));
    afuc_control_put(m, p, setup->control[CONTROL_MEM_READ_DWORDS], left - 1);
    return true;
}

static bool read_register_queue(struct afuc_machine *m, struct afuc_processor *p, bool peek, uint32_t *value)
{
    const struct afuc_setup *setup = m->setup;
    if (setup->generation == AFUC_A5XX) { /* AFUC manual, Writing Registers: reads the register that $addr selects */
        uint32_t reg = p->selected ? p->selected : REG_ADDR, address = p->gpr[reg];
        *value = afuc_gpu_read(m, p, address & (GPU_COUNT - 1));
        if (!peek && !(address >> 18 & 1))
            afuc_gpr_put(m, p, reg, address + 1);
        return true;
    }
    uint32_t address = afuc_control_get(m, p, CONTROL_REG_READ_ADDR);
    uint32_t left = afuc_control_get(m, p, CONTROL_REG_READ_DWORDS);
    *value = afuc_gpu_read(m, p, address & (GPU_COUNT - 1));
    if (!peek && left) {
        afuc_control_put(m, p, setup->control[CONTROL_REG_READ_ADDR], address + 1);
        afuc_control_put(m, p, setup->control[CONTROL_REG_READ_DWORDS], left - 1);
    }
    return true;
}

static bool read_packet_queue(struct afuc_machine *m, struct afuc_processor *p, bool peek, bool *taken, uint32_t *value)
{
    bool header = p->header_pending;
    if (peek && !afuc_queue_words(m, p)) {
        *value = 0; /* policy afuc-peek */
        return true;
    }
    if (!(peek ? afuc_queue_peek(m, p, value) : afuc_queue_pop(m, p, value)))
        return false;
    if (header && *value >> 28 == 4)
        *value &= 0x0fffffff; /* AFUC notes, waitin: so the header of a type-4 packet reaches $01 */
    if (peek)
        return true;
    p->header_pending = false;
    if (header) {
        afuc_gpr_put(m, p, REG_REM, *value >> 28 ? p->header & 0x3fff : p->header & 0x7f);
    } else {
        *taken = true;
        uint32_t left = p->gpr[REG_REM];
        if (left || m->setup->rem_wraps)
            afuc_gpr_put(m, p, REG_REM, left - 1);
    }
    return true;
}

static bool read_queue(struct afuc_machine *m, struct afuc_processor *p, unsigned reg, bool peek, bool *taken,
                       uint32_t *value)
{
    switch (reg) {
    case REG_MEMDATA:
        return read_memory_queue(m, p, peek, value);
    case REG_REGDATA:
        return read_register_queue(m, p, peek, value);
    default:
        return read_packet_queue(m, p, peek, taken, value);
    }
}

bool afuc_source(struct afuc_machine *m, struct afuc_processor *p, unsigned reg, bool peek, bool *taken,
                 uint32_t *value)
{
    if (reg < REG_FIRST_SPECIAL) {
        *value = p->gpr[reg];
        return true;
    }
    if (!read_queue(m, p, reg, peek, taken, value))
        return false;
    if (m->core->hook_kinds & GPUCODE_EVENT_USE)
        afuc_tell_use(m, p, reg, *value);
    return true;
}

bool afuc_destination(struct afuc_machine *m, struct afuc_processor *p, unsigned reg, uint32_t value)
{
    switch (reg) {
    case REG_ADDR:
    case REG_USRADDR:
        return afuc_select(m, p, reg, value);
    case REG_DATA:
        return afuc_meq_takes(m, p) ? afuc_meq_put(m, p, value) : afuc_data_write(m, p, value);
    default:
        afuc_gpr_put(m, p, reg, value);
        return true;
    }
}

/* --- modifiers ----------------------------------------------------------------------------------------- */

int64_t afuc_repeat(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op,
                    int64_t (*once)(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op,
                                    bool *taken))
{
    bool taken = false;
    if (!(op->flags & OP_REP))
        return m->setup->meq && afuc_meq_is_full(m, p, op) ? FLOW_BLOCK : once(m, p, op, &taken);
    const uint32_t most = most_repetitions(m);
    for (uint32_t done = 0; p->gpr[REG_REM]; done++) {
        bool full = m->setup->meq && afuc_meq_is_full(m, p, op);
        if (full || done == most) {
            m->extra += done;
            return full ? FLOW_BLOCK : FLOW_AGAIN;
        }
        uint32_t before = p->gpr[REG_REM];
        taken = false;
        int64_t flow = once(m, p, op, &taken);
        if (flow != FLOW_ON) {
            m->extra += done;
            return flow;
        }
        if (!taken) /* $rem falls once, with the word taken or with the repetition; see alu_once for extra moves */
            afuc_gpr_put(m, p, REG_REM, before - 1);
    }
    return FLOW_ON;
}

/* Words of $data that an instruction takes: sources, and extra moves as far as the packet has words for them. */
static uint64_t words_wanted(const struct afuc_processor *p, const struct afuc_op *op)
{
    unsigned sources = (op->a == REG_DATA) + (op->b == REG_DATA), moves = afuc_op_count(op);
    if (!sources || op->flags & OP_PEEK)
        return 0;
    uint32_t counted = sources - (p->header_pending ? 1 : 0);
    uint32_t left = p->header_pending ? p->header & (p->header >> 28 == 4 ? 0x7f : 0x3fff) : p->gpr[REG_REM];
    left = left > counted ? left - counted : 0;
    return sources + (op->b == REG_DATA ? (moves < left ? moves : left) : 0);
}

/*
 * The moves that (xmovN) adds: M = min(N, words left after the main move). The second of three goes to the
 * destination. Unless that is $addr, $usraddr or $data all of them are dropped, though their source is read.
 */
static int64_t extra_moves(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, uint32_t moves)
{
    bool peek = op->flags & OP_PEEK, kept = op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA;
    for (uint32_t i = 0; i < moves; i++) {
        bool taken = false;
        uint32_t before = p->gpr[REG_REM], value;
        if (!afuc_source(m, p, op->b, peek, &taken, &value))
            return FLOW_STOP;
        if (kept && !afuc_destination(m, p, moves == 3 && i == 1 ? op->d : REG_DATA, value))
            return FLOW_STOP;
        if (!taken && before) /* 0: the main move has written it */
            afuc_gpr_put(m, p, REG_REM, before - 1);
    }
    return FLOW_ON;
}

static int64_t alu_once(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool *taken)
{
    uint64_t wanted = words_wanted(p, op);
    bool peek = op->flags & OP_PEEK;
    if (wanted && afuc_queue_words(m, p) < wanted)
        return afuc_queue_dry(m, p);
    if (peek && m->setup->peek_waits && (op->a == REG_DATA || op->b == REG_DATA) && !afuc_queue_words(m, p))
        return afuc_queue_dry(m, p);
    uint32_t a, b = op->imm, before = p->gpr[REG_REM];
    if (m->setup->second_first && op->b && !afuc_source(m, p, op->b, peek, taken, &b))
        return FLOW_STOP;
    if (!afuc_source(m, p, op->a, peek, taken, &a))
        return FLOW_STOP;
    if (!m->setup->second_first && op->b && !afuc_source(m, p, op->b, peek, taken, &b))
        return FLOW_STOP;
    uint32_t result = afuc_evaluate(m, p, op, a, b, p->gpr[op->d]);
    bool falls = op->flags & OP_REP && !*taken;
    /* words left after the main move, whatever it writes to $rem: words_wanted() has counted the same */
    uint32_t moves = afuc_op_count(op), left = p->gpr[REG_REM] - falls;
    moves = moves < left ? moves : left;
    if (!afuc_destination(m, p, op->d, result))
        return FLOW_STOP;
    if (!afuc_op_count(op))
        return FLOW_ON;
    if (falls) {
        afuc_gpr_put(m, p, REG_REM, before - 1);
        *taken = true;
    }
    return extra_moves(m, p, op, moves);
}

/* Is it a (rep) that reads and writes nothing but general registers, with nobody who wants to hear of it? */
static bool repeats_in_registers(const struct afuc_machine *m, const struct afuc_op *op)
{
    return op->flags & OP_REP && !afuc_op_count(op) && op->a < REG_FIRST_SPECIAL && op->b < REG_FIRST_SPECIAL &&
           (op->d < REG_REM || op->d == REG_NOWHERE) && !m->setup->meq && !m->core->hook_kinds;
}

/* All that such an instruction does, as afuc_repeat() has it. What changes nothing once changes nothing again. */
static int64_t repeat_in_registers(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    const uint32_t most = most_repetitions(m);
    uint32_t rem = p->gpr[REG_REM], end = rem < most ? 0 : rem - most;
    bool counts = op->a == REG_REM || op->b == REG_REM, changed = true;
    for (uint32_t left = rem; left > end && changed; left--) {
        uint32_t before = p->gpr[op->d], carry = p->carry;
        p->gpr[op->d] = afuc_evaluate(m, p, op, p->gpr[op->a], op->b ? p->gpr[op->b] : op->imm, before);
        p->gpr[REG_REM] = left - 1;
        changed = counts || p->gpr[op->d] != before || p->carry != carry;
    }
    p->gpr[REG_REM] = end;
    m->extra += end ? most : 0;
    return end ? FLOW_AGAIN : FLOW_ON;
}

int64_t afuc_slow(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return repeats_in_registers(m, op) ? repeat_in_registers(m, p, op) : afuc_repeat(m, p, op, alu_once);
}
