/* SPDX-License-Identifier: MIT */
/* What a word of AFUC is to the analysis, and the plug. */
#include "isa/afuc/analysis/facts.h"

#include <stdio.h>
#include <string.h>

/*
 * Tables of jumps: a register jump goes to 2 * n + table, and the instructions in front of it tell the table and how
 * large n gets. Looked for backwards, where control can only have come straight down.
 */

#define SLICE_WORDS 24

struct slice {
    const struct afuc_facts *facts;
    const struct analysis_word *words;
    uint32_t at, limit; /* looked at: down to `limit` */
};

/* One word back; null: control may come from elsewhere. */
static const struct afuc_op *back(struct slice *slice)
{
    if (slice->at <= slice->limit)
        return NULL;
    uint32_t at = slice->at - 1;
    const struct analysis_word *word = &slice->words[at];
    if (word->kind != ANALYSIS_PLAIN && word->kind != ANALYSIS_BRANCH)
        return NULL;
    if (at && analysis_is_transfer(&slice->words[at - 1]) && slice->words[at - 1].kind != ANALYSIS_BRANCH)
        return NULL; /* the delay slot of something that does not fall through */
    slice->at = at;
    return &slice->facts->ops[at];
}

/* The last instruction that writes a register, an ordinary one that does nothing else with it; or null. */
static const struct afuc_op *writer(struct slice *slice, unsigned reg)
{
    const struct afuc_op *op;
    while ((op = back(slice)))
        if (afuc_writes(slice->facts, slice->at) >> reg & 1)
            return slice->facts->rows[op->row].acts && !op->flags && op->d == reg ? op : NULL;
    return NULL;
}

static bool doubles(const struct afuc_op *op)
{
    return ((op->row == AFUC_SHL_IMM16 || op->row == AFUC_SHL_IMM12) && op->imm == 1) ||
           (op->row == AFUC_ADD && op->a == op->b);
}

/* mov $x, $s after cmp $c, $s, m; brne $c, b2, elsewhere: s < m. */
static uint32_t compared(struct slice *slice, unsigned reg)
{
    const struct afuc_op *op, *branch = NULL;
    while ((op = back(slice))) {
        uint64_t writes = afuc_writes(slice->facts, slice->at);
        if (op->row == AFUC_BRNE_BIT && op->shift == 2 && !branch && slice->words[slice->at].kind == ANALYSIS_BRANCH)
            branch = op;
        else if (branch && writes >> branch->a & 1)
            return (op->row == AFUC_CMP_IMM || op->row == AFUC_CMP_IMM_A5XX) && op->a == reg && !op->flags ? op->imm
                                                                                                           : 0;
        if (writes >> reg & 1)
            return 0;
    }
    return 0;
}

/* How many values the register may have; 0: nobody knows. */
static uint32_t bound(struct slice *slice, unsigned reg)
{
    const struct afuc_op *op = writer(slice, reg);
    if (!op)
        return 0;
    switch (op->row) {
    case AFUC_AND_IMM:
        return op->imm & (op->imm + 1) ? 0 : op->imm + 1;
    case AFUC_MIN_IMM:
    case AFUC_MIN_IMM_A5XX:
        return op->imm + 1;
    case AFUC_UBFX: /* bits `shift` to `imm` */
        return op->imm < op->shift ? 1 : op->imm - op->shift < 31 ? UINT32_C(2) << (op->imm - op->shift) : 0;
    case AFUC_MOV:
        return op->b < REG_FIRST_SPECIAL ? compared(slice, op->b) : 0;
    default:
        return 0;
    }
}

static bool afuc_find_table(const void *facts, const struct analysis_word *words, struct analysis_table *table)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *jump = &f->ops[table->at];
    struct slice slice = {f, words, table->at, table->at > SLICE_WORDS ? table->at - SLICE_WORDS : 0};
    unsigned reg = jump->row == AFUC_JUMP_REG ? jump->b : jump->a;
    if (reg >= REG_FIRST_SPECIAL)
        return false;
    const struct afuc_op *adds = writer(&slice, reg);
    if (!adds || adds->row != AFUC_ADD_IMM || adds->a >= REG_FIRST_SPECIAL)
        return false;
    table->adds = slice.at;
    table->base = adds->imm;
    const struct afuc_op *scales = writer(&slice, adds->a);
    if (!scales || !doubles(scales) || scales->a >= REG_FIRST_SPECIAL)
        return false;
    table->count = bound(&slice, scales->a);
    return table->count;
}

/* How far in front of the instruction that uses a number the one stands that has it. */
static uint32_t afuc_immediate(const void *facts, uint32_t unit, uint32_t place)
{
    const struct afuc_facts *f = facts;
    unsigned reg = f->ops[unit].a;
    for (uint32_t at = unit; at-- > 0 && unit - at <= SLICE_WORDS;) {
        const struct afuc_op *op = &f->ops[at];
        if (!(afuc_writes(f, at) >> reg & 1))
            continue;
        bool moves = afuc_is_move(op->row) && !op->shift && op->imm == place;
        return moves && afuc_is_insn(op) ? at : GPUCODE_NONE;
    }
    return GPUCODE_NONE;
}

/* --- facts --- */

static uint32_t number_of(const struct gpucode_target *target, enum gpucode_space space, const char *name)
{
    uint32_t number;
    return isa_number_of(target->names, NULL, space, name, strlen(name), &number) ? number : UINT32_MAX;
}

static void look_at_row(const struct isa_row *row, struct row_facts *facts)
{
    static const char *const shifts[] = {"shl", "ushr", "ishr", "rot"};
    facts->acts = row->facts.acts;
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        facts->shifts |= strcmp(row->facts.mnemonic, shifts[i]) == 0;
    for (unsigned i = 0; i < row->field_count; i++) {
        char letter = row->fields[i].letter;
        facts->has_s |= letter == 's';
        facts->has_t |= letter == 't';
        facts->has_d |= letter == 'd';
        facts->has_o |= letter == 'o';
    }
    for (unsigned i = 0; i < row->effect_count; i++) {
        const struct isa_effect *effect = &row->effects[i];
        if (effect->verb == ISA_EFFECT_REGISTER && effect->space == AFUC_SPACE_STATE) {
            facts->reads_carry |= effect->use & GPUCODE_USE_READ;
            facts->writes_carry |= effect->use & GPUCODE_USE_WRITE;
        }
        if (effect->verb == ISA_EFFECT_REGISTER && effect->space == GPUCODE_SPACE_GENERAL && !effect->when &&
            effect->use & GPUCODE_USE_READ)
            facts->reads |= UINT32_C(1) << effect->number;
        if (effect->verb == ISA_EFFECT_OPERAND && effect->use & GPUCODE_USE_READ)
            facts->reads_d |= row->fields[effect->field - 1].letter == 'd';
    }
}

static void *begin(struct arena *arena, const struct isa_layout *layout, unsigned section)
{
    const struct gpucode_image_info *info = &layout->info;
    const struct gpucode_section *place = &info->sections[section];
    struct afuc_facts *facts = arena_alloc(arena, sizeof *facts);
    struct row_facts *rows = arena_array(arena, AFUC_ROW_COUNT, sizeof *rows);
    struct afuc_op *ops = arena_array(arena, (size_t)place->size + 1, sizeof *ops);
    struct afuc_machine *machine = arena_alloc(arena, sizeof *machine);
    struct afuc_processor *processor = arena_alloc(arena, sizeof *processor);
    struct afuc_setup *setup = arena_alloc(arena, sizeof *setup);
    if (!facts || !rows || !ops || !machine || !processor || !setup)
        return NULL;
    setup->generation = info->target->generation;
    machine->setup = setup;
    *facts = (struct afuc_facts){.target = info->target,
                                 .bytes = layout->bytes + info->prefix + 4 * (size_t)place->start,
                                 .units = place->size,
                                 .ops = ops,
                                 .machine = machine,
                                 .processor = processor,
                                 .setup = setup,
                                 .read_address = number_of(info->target, GPUCODE_SPACE_CONTROL, "REG_READ_ADDR"),
                                 .ib_level = number_of(info->target, GPUCODE_SPACE_CONTROL, "IB_LEVEL"),
                                 .smmu_info = number_of(info->target, GPUCODE_SPACE_GPU, "CP_CONTEXT_SWITCH_SMMU_INFO"),
                                 .rows = rows};
    for (unsigned i = 0; i < AFUC_ROW_COUNT; i++)
        look_at_row(&afuc_rows.rows[i], &rows[i]);
    for (uint32_t i = 0; i < place->size; i++)
        ops[i] = afuc_decode(setup, info->target, afuc_facts_word(facts, i), i);
    return facts;
}

/* Words whose top five bits are 0 do nothing: numbers stand there. */
static uint32_t header(const void *facts, uint32_t units)
{
    uint32_t count = 0;
    while (count < units && afuc_facts_word(facts, count) >> 27 == 0)
        count++;
    return count;
}

static struct analysis_word word(void *facts, uint32_t unit)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *op = &f->ops[unit];
    struct analysis_word word = {.kind = ANALYSIS_PLAIN};
    struct gpucode_flow flow;
    if (!afuc_is_insn(op)) {
        word.kind = ANALYSIS_WRONG;
        return word;
    }
    const struct gpucode_insn insn = {f->target, afuc_facts_word(f, unit), unit, op->row, 4, true};
    if (!afuc_rows.rows[op->row].flows || !gpucode_insn_flow(&insn, &flow))
        return word;
    switch (flow.kind) {
    case GPUCODE_FLOW_BRANCH:
        word.kind = flow.delay_slots ? ANALYSIS_BRANCH : ANALYSIS_SKIP;
        break;
    case GPUCODE_FLOW_JUMP:
        word.kind = flow.known ? ANALYSIS_JUMP : ANALYSIS_INDIRECT;
        break;
    case GPUCODE_FLOW_CALL:
        word.kind = ANALYSIS_CALL;
        break;
    case GPUCODE_FLOW_RETURN:
        word.kind = op->row == AFUC_WAITIN ? ANALYSIS_DISPATCH : ANALYSIS_RETURN;
        break;
    default:
        return word;
    }
    word.slot = flow.delay_slots;
    word.known = flow.known && flow.target <= UINT32_MAX;
    word.target = word.known ? (uint32_t)flow.target : GPUCODE_NONE;
    word.linked = op->row == AFUC_BL;
    word.unstacks = op->row == AFUC_RET;
    return word;
}

/* --- states --- */

static void set_unknown(isa_value *state)
{
    for (unsigned i = 0; i < STATE_COUNT; i++)
        state[i] = ISA_VALUE_UNKNOWN;
}

static void enter(const void *facts, struct isa_value_pool *pool, enum gpucode_function_kind kind, isa_value *state)
{
    (void)facts;
    set_unknown(state);
    if (kind != GPUCODE_FUNCTION_HANDLER)
        return;
    struct isa_level whole = {UINT32_MAX, UINT32_MAX};
    state[REG_HEADER] = ISA_VALUE_PAYLOAD;
    state[STATE_LEVEL] = isa_value_of_levels(pool, &whole, 1);
}

static void enter_level(const void *facts, struct isa_value_pool *pool, unsigned level, isa_value *state)
{
    (void)facts;
    set_unknown(state);
    state[REG_HEADER] = ISA_VALUE_PAYLOAD;
    state[STATE_LEVEL] = isa_value_of(pool, level);
}

static void step(void *facts, struct isa_value_pool *pool, uint32_t unit, unsigned level, isa_value *state)
{
    isa_value written;
    afuc_step(facts, pool, unit, level, state, &written);
}

static size_t register_text(uint32_t number, bool written, char *text)
{
    if (number >= 32)
        return 0;
    const char *name = written ? afuc_destination_names[number] : afuc_source_names[number];
    return (size_t)(*name ? snprintf(text, GPUCODE_NAME_MAX, "%s", name)
                          : snprintf(text, GPUCODE_NAME_MAX, "$%02x", (unsigned)number));
}

/* --- preemption, levels --- */

static uint32_t interrupt(const void *facts, const struct isa_value_pool *pool, uint32_t unit, const isa_value *state)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *op = &f->ops[unit];
    uint32_t place;
    bool tells =
        op->real == ACTION_ROW + AFUC_SWRITE && op->b == 0 && op->imm == SQE_PREEMPT_INSTR && op->a < REG_FIRST_SPECIAL;
    return tells && isa_value_is(pool, state[op->a], &place) ? place : GPUCODE_NONE;
}

static bool interrupts(const struct gpucode_target *target, unsigned packet)
{
    return number_of(target, GPUCODE_SPACE_PACKET, "IN_PREEMPT") == packet;
}

/* What IB_LEVEL counts. That of a5xx is not known. */
static const char *const *levels(const struct gpucode_target *target)
{
    static const char *const early[] = {"RB", "IB1", "IB2", "SDS", NULL};
    static const char *const late[] = {"RB", "IB1", "IB2", "IB3", "SDS", NULL};
    return target->generation == AFUC_A5XX ? NULL : target->generation == AFUC_A6XX ? early : late;
}

const struct isa_analysis afuc_analysis = {
    .registers = STATE_COUNT,
    .begin = begin,
    .header = header,
    .word = word,
    .table = afuc_find_table,
    .enter = enter,
    .step = step,
    .writes = afuc_writes,
    .decide = afuc_decide,
    .interrupt = interrupt,
    .immediate = afuc_immediate,
    .interrupts = interrupts,
    .constants = afuc_constants,
    .references = afuc_references,
    .register_text = register_text,
    .levels = levels,
    .enter_level = enter_level,
    .effects = afuc_effects,
    .level_register = STATE_LEVEL,
    .count_register = REG_REM,
    .watch_insn = afuc_watch_insn,
    .watch_event = afuc_watch_event,
    .lead = afuc_lead,
};
