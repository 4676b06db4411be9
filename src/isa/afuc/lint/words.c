/* SPDX-License-Identifier: MIT */
/* Rules about one word and the constants in front of it, and about the packet table. */
#include "afuc_messages.h"
#include "isa/afuc/lint/lint.h"

#include <stdio.h>
#include <string.h>

/* Scratch registers, which need no name: control registers from here on, to the last of early and of late chips. */
#define SCRATCH_FIRST 0x100u
#define SCRATCH_LAST_EARLY 0x17fu
#define SCRATCH_LAST_LATE 0x2ffu

static bool has_name(const struct isa_names *names, uint32_t number, char name[GPUCODE_NAME_MAX])
{
    char *end = isa_name_of(names, NULL, GPUCODE_SPACE_CONTROL, number, name);
    *end = 0;
    return end != name;
}

static void check_control(struct rules *rules, uint32_t unit, const isa_value *state)
{
    static const struct isa_names *const others[] = {&afuc_names_a5xx, &afuc_names_a6xx, &afuc_names_a7xx,
                                                     &afuc_names_a7xx_gen3, &afuc_names_gen8};
    const struct afuc_op *op = &rules->facts->ops[unit];
    bool late = rules->facts->setup->generation >= AFUC_A7XX;
    uint32_t number;
    char name[GPUCODE_NAME_MAX];
    if (!isa_value_is(&rules->code->pool, afuc_number(rules->facts, &rules->code->pool, op, state), &number) ||
        (number >= SCRATCH_FIRST && number <= (late ? SCRATCH_LAST_LATE : SCRATCH_LAST_EARLY)) ||
        has_name(rules->facts->target->names, number, name))
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_name(others[i], number, name)) {
            FIND_OF(rules, unit, MSG_LINT_AFUC_CREG_GEN, (unsigned)number, name);
            return;
        }
}

static void check_shift(struct rules *rules, uint32_t unit, const isa_value *state)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    uint32_t count = op->imm;
    if (rules->facts->rows[op->row].has_t &&
        !isa_value_is(&rules->code->pool, afuc_source_value(&rules->code->pool, state, op->b), &count))
        return;
    if (count >= 32)
        FIND_OF(rules, unit, MSG_LINT_AFUC_SHIFT, (unsigned)count);
}

static void check_global(struct rules *rules, uint32_t unit)
{
    uint32_t globals = rules_writes(rules, &rules->facts->ops[unit]) & UINT32_C(0x03fc0000);
    uint64_t packets[2];
    if (globals && rules->calls->reached_by(rules->analysis, rules->code->section, unit, packets) &&
        (packets[0] & rules->handled[0] || packets[1] & rules->handled[1]))
        FIND_OF(rules, unit, MSG_LINT_AFUC_GLOBAL, (unsigned)__builtin_ctz(globals));
}

static void check_modifiers(struct rules *rules, uint32_t unit)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    const struct row_facts *row = &rules->facts->rows[op->row];
    if (row->has_o && op->flags & OP_PREINCREMENT && op->b == 0)
        FIND(rules, unit, MSG_LINT_AFUC_PREINC);
    bool through = op->d == REG_NOWHERE || (op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA);
    if (afuc_extra(rules->facts, op) >= 2 && !through)
        FIND_OF(rules, unit, MSG_LINT_AFUC_XMOV, afuc_extra(rules->facts, op));
    if (op->flags & OP_PEEK && rules->facts->setup->generation < AFUC_A7XX)
        FIND(rules, unit, MSG_LINT_AFUC_PEEK);
}

static void check_secure(struct rules *rules, uint32_t unit)
{
    const struct analysis_code *code = rules->code;
    const struct analysis_word *next = unit + 1 < code->units ? &code->words[unit + 1] : NULL;
    if (!next || next->kind != ANALYSIS_JUMP || next->target == unit + 3)
        FIND(rules, unit, MSG_LINT_AFUC_SECURE);
}

static void look(struct rules *rules, uint32_t unit, uint32_t slot_of, const isa_value *state)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    (void)slot_of;
    if (afuc_facts_word(rules->facts, unit) == 0 && rules->facts->setup->generation != AFUC_A5XX)
        FIND(rules, unit, MSG_LINT_AFUC_ZERO);
    if (!afuc_is_insn(op))
        return;
    if (op->row == AFUC_CREAD || op->row == AFUC_CWRITE || op->row == AFUC_CREAD_A5XX || op->row == AFUC_CWRITE_A5XX)
        check_control(rules, unit, state);
    if (rules->facts->rows[op->row].shifts)
        check_shift(rules, unit, state);
    if (op->row == AFUC_SETSECURE)
        check_secure(rules, unit);
    check_global(rules, unit);
    check_modifiers(rules, unit);
}

/* Packets of one wrong entry are one finding: a table that was not filled in has a hundred of them. */
static void check_table(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    char name[GPUCODE_NAME_MAX], packets[GPUCODE_NAME_MAX + 32];
    uint32_t handlers[AFUC_TABLE_ENTRIES];
    unsigned count = 0;
    while (count < AFUC_TABLE_ENTRIES && afuc_handler(rules->analysis->layout, code->section, count, &handlers[count]))
        count++;
    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0, after = 0;
        for (unsigned k = 0; k < count; k++)
            *(k < i ? &before : &after) += k != i && handlers[k] == handlers[i];
        if (before || (handlers[i] >= code->boot && handlers[i] < code->units))
            continue;
        rules->calls->packet_name(rules->analysis, i, name, sizeof name);
        snprintf(packets, sizeof packets, after ? "%s and %u more packets" : "%s", name, after);
        FIND_OF(rules, code->units + i, MSG_LINT_AFUC_TABLE, packets, (unsigned)handlers[i]);
    }
}

bool rules_words(struct rules *rules)
{
    rules_each(rules, look);
    check_table(rules);
    return true;
}
