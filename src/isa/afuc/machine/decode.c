/* SPDX-License-Identifier: MIT */
/* Sections as arrays of instructions, each decoded when it runs for the first time. */
#include "isa/afuc/machine/block.h"
#include "isa/afuc/machine/exec.h"

static void set_operand(struct afuc_op *op, char letter, uint32_t value)
{
    switch (letter) {
    case 'r':
        op->flags |= value ? OP_REP : 0;
        break;
    case 'p':
        op->flags |= value ? OP_PEEK : 0;
        break;
    case 'w':
        op->flags |= value ? OP_PREINCREMENT : 0;
        break;
    case 'u':
        op->flags |= value ? OP_UNKNOWN_BITS : 0;
        break;
    case 'x':
    case 'k':
        op->flags |= (uint8_t)(value << OP_COUNT_SHIFT);
        break;
    case 's':
        op->a = (uint8_t)value;
        break;
    case 't':
    case 'o':
        op->b = (uint8_t)value;
        break;
    case 'd':
        op->d = (uint8_t)(value ? value : REG_NOWHERE);
        break;
    case 'h':
    case 'L':
    case 'e':
        op->shift = (uint8_t)value;
        break;
    case 'b': /* a bit number is the immediate of an ALU instruction, and beside the target of a branch */
        op->shift = (uint8_t)value;
        op->imm = value;
        break;
    case 'a':
    case 'f':
    case 'g':
    case 'z':
        break; /* targets: see below */
    default:
        op->imm = value;
        break;
    }
}

/* Is the row's action a line in insn.def? */
static bool is_action(unsigned row)
{
    return afuc_rows.rows[row].facts.acts;
}

/* Does the instruction read or write a register that is a queue or writes through? */
static bool uses_special(const struct afuc_op *op)
{
    return op->a >= REG_FIRST_SPECIAL || op->b >= REG_FIRST_SPECIAL ||
           (op->d >= REG_FIRST_SPECIAL && op->d != REG_NOWHERE);
}

/* Is it one of loop.h, with nothing in its operands that takes the function? */
static bool is_quick(const struct afuc_op *op)
{
    if (uses_special(op) || op->flags & ~(OP_PREINCREMENT | OP_UNKNOWN_BITS))
        return false;
    switch (op->row) {
    case AFUC_STORE:
    case AFUC_STORE_A5XX:
    case AFUC_CWRITE:
    case AFUC_CWRITE_A5XX:
    case AFUC_SWRITE: /* which comes first, its source or the step, is a policy */
        return !(op->flags & OP_PREINCREMENT) || op->a != op->b;
    case AFUC_LOAD:
    case AFUC_LOAD_A5XX:
    case AFUC_CREAD:
    case AFUC_CREAD_A5XX:
    case AFUC_SREAD:
    case AFUC_CALL:
    case AFUC_BL:
    case AFUC_RET:
    case AFUC_SRET:
    case AFUC_JUMP_REG:
    case AFUC_JUMPD:
    case AFUC_JUMPD2:
        return true;
    default:
        return false;
    }
}

struct afuc_op afuc_decode(const struct afuc_setup *setup, const struct gpucode_target *target, uint32_t word,
                           uint32_t address)
{
    struct afuc_op op = {.d = REG_NOWHERE, .action = ACTION_UNKNOWN};
    int row = isa_decode_row(&afuc_rows, setup->generation, word);
    bool is_nop = word >> 27 == 0 && (word >> 24 || setup->generation == AFUC_A5XX || !setup->zero_faults);
    if (row < 0 && is_nop) { /* the low 24 bits of a nop are not looked at (AFUC manual, NOPs) */
        row = setup->generation == AFUC_A5XX ? AFUC_NOP_A5XX : AFUC_NOP;
        op.flags = word >> 26 & 1 ? OP_REP : 0;
    }
    if (row >= 0) {
        op.row = (uint8_t)row;
        op.action = (uint8_t)(ACTION_ROW + op.row);
        const struct isa_row *facts = &afuc_rows.rows[row];
        for (unsigned i = 0; i < facts->field_count; i++)
            set_operand(&op, facts->fields[i].letter, (uint32_t)isa_field_get(&facts->fields[i], word));
        if (op.flags & OP_REP && op.d == REG_REM)
            op.d = REG_NOWHERE; /* the count is noted before and stored back after each repetition (AFUC notes, rep) */
        const struct gpucode_insn insn = {target, word, address, (uint16_t)row, 4, true};
        struct gpucode_flow flow;
        if (gpucode_insn_flow(&insn, &flow) && flow.known) {
            bool leads = flow.kind == GPUCODE_FLOW_BRANCH || flow.kind == GPUCODE_FLOW_JUMP;
            op.imm = (uint32_t)flow.target;
            if (leads && flow.delay_slots == 1 && op.a < REG_FIRST_SPECIAL)
                op.flags |= OP_BRANCH;
        }
        if (is_action((unsigned)row) && (op.flags || uses_special(&op)))
            op.action = ACTION_SLOW;
        if (is_quick(&op))
            op.flags |= OP_QUICK;
    }
    op.real = op.action;
    return op;
}

void afuc_decode_now(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *op)
{
    if (op->real != ACTION_NONE)
        return;
    const struct isa_layout *layout = m->core->layout;
    uint32_t at = (uint32_t)(op - p->code);
    size_t unit = layout->info.sections[p->section].start + (size_t)at;
    struct afuc_op *to = (struct afuc_op *)op; /* the arena's; constant for the run loop only */
    *to = afuc_decode(m->setup, m->core->target, page_word(layout->bytes + layout->info.prefix + 4 * unit), at);
}

bool afuc_decode_section(struct machine_core *core, struct afuc_processor *p)
{
    const struct gpucode_section *section = &core->layout->info.sections[p->section];
    struct afuc_op *code = arena_array(&core->arena, (size_t)section->size + 2, sizeof *code);
    p->cover = arena_alloc(&core->arena, (size_t)section->size + 1);
    if (!code || !p->cover)
        return false;
    code[section->size] = code[section->size + 1] =
        (struct afuc_op){.action = ACTION_END, .real = ACTION_END, .d = REG_NOWHERE};
    p->code = code;
    p->words = section->size;
    return true;
}

/*
 * Blocks: stretches of instructions that the run loop pays for at once, and then runs without looking up in between.
 *
 * A block begins wherever control comes to, and ends with the first instruction that is more than a calculation on
 * plain registers or a quick access (loop.h); what has a delay slot takes it along. Nothing in it but its end can
 * stop, wait, be seen by hooks or ask for the time: an access that is not quick after all leaves the block, and what
 * was paid for those after it is given back. Blocks are not copies: each instruction in the array of the section has
 * `run`, how many there are from it to the end of its block, and `block`, the place in the run loop that runs it and
 * goes on to the next one. So every instruction begins a block of its own, the rest of those that it stands in, and a
 * jump into the middle of one needs nothing. They are made when control comes to an instruction that has none.
 */

/* Instructions before the end that are made into a block at most. */
#define LONGEST 48

static bool is_straight(const struct afuc_op *op)
{
    return op->action >= ACTION_ROW && op->action < ACTION_SLOW && afuc_rows.rows[op->action - ACTION_ROW].facts.acts;
}

static bool is_access(const struct afuc_op *op)
{
    return op->flags & OP_QUICK && op->action < ACTION_SLOW && !afuc_is_far(op->row);
}

/* May it stand before others in a block? */
static bool goes_on(const struct afuc_op *op)
{
    return is_straight(op) || is_access(op);
}

/* How a row uses the carry, as enum gpucode_use. */
static unsigned carry_use(const struct afuc_op *op)
{
    const struct isa_row *row = &afuc_rows.rows[op->row];
    unsigned use = 0;
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_REGISTER && row->effects[i].space == AFUC_SPACE_STATE)
            use |= row->effects[i].use;
    return use;
}

/* Does the carry that stands before the instruction matter to nobody if that after it does not (`dead`), or does? */
static bool carry_dies(const struct afuc_op *op, bool dead)
{
    unsigned use = carry_use(op);
    return !(use & GPUCODE_USE_READ) && (dead || use & GPUCODE_USE_WRITE);
}

/* Which source of a calculation is the result of the one before it? */
static unsigned kept_source(const struct afuc_op *before, const struct afuc_op *op)
{
    return op->a == before->d ? MANNER_FIRST : op->b == before->d ? MANNER_SECOND : MANNER_PLAIN;
}

/* Makes the end of a block. Returns how many instructions it is, 0: those before it must do without. */
static unsigned make_end(const struct afuc_machine *m, const struct afuc_processor *p, struct afuc_op *op, bool *dead)
{
    *dead = false;
    if (op->action >= ACTION_WATCH) {
        op->block = BLOCK_ALONE;
        op->run = op->reach = 0;
        return 0;
    }
    op->block = (uint16_t)(BLOCK_LAST + op->action);
    op->run = op->reach = 1;
    bool far = op->flags & OP_QUICK && afuc_is_far(op->row);
    if (!(far || op->flags & OP_BRANCH) || op->imm >= p->words)
        return 1;
    afuc_decode_now(m, p, op + 1);
    if (op[1].action >= ACTION_WATCH)
        return 1;
    op->block = (uint16_t)BLOCK_PLACE(op->row, MANNER_PLAIN);
    op->run = 2;
    op->reach = far ? 1 : 2;
    *dead = !far && is_straight(op + 1) && carry_dies(op + 1, false);
    return 2;
}

void afuc_make_block(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *from)
{
    struct afuc_op *first = (struct afuc_op *)from; /* the arena's; constant for the run loop only */
    struct afuc_op *end = first;
    afuc_decode_now(m, p, end);
    while (goes_on(end) && end - first < LONGEST)
        afuc_decode_now(m, p, ++end);
    bool dead = false;
    unsigned run = goes_on(end) ? 0 : make_end(m, p, end, &dead);
    unsigned reach = run ? end->reach : 0;
    if (run == 2) {
        unsigned back = end->imm <= (uint32_t)(end - p->code) ? MANNER_QUIET : MANNER_PLAIN;
        bool kept = end > first && end->a == end[-1].d;
        end->block = (uint16_t)BLOCK_PLACE(end->row, back + (kept ? MANNER_FIRST : MANNER_PLAIN));
    }
    for (struct afuc_op *op = end; op-- > first;) {
        unsigned manner = op == first ? MANNER_PLAIN : kept_source(op - 1, op);
        bool access = is_access(op);
        if (dead && carry_use(op) == GPUCODE_USE_WRITE)
            manner += MANNER_QUIET;
        op->block = (uint16_t)(run ? BLOCK_PLACE(op->row, manner) : (unsigned)BLOCK_LAST + op->action);
        op->run = (uint8_t)++run;
        op->reach = (uint8_t)(access ? 1 : ++reach);
        reach = op->reach;
        dead = !access && carry_dies(op, dead); /* who leaves the block shows the carry */
    }
}

void afuc_forget_blocks(const struct afuc_processor *p, uint32_t pc)
{
    struct afuc_op *code = (struct afuc_op *)p->code;
    for (uint32_t back = 0; back <= LONGEST + 2 && back <= pc; back++) {
        struct afuc_op *op = &code[pc - back];
        if (op->run >= back) { /* it goes up to there, or ends before it because of it */
            op->block = BLOCK_NONE;
            op->run = op->reach = 0;
        }
    }
}
