/* SPDX-License-Identifier: MIT */
/* Rules that need no path: words, flags without effect, targets, the end. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/a3xx.h"

static const char *rule_fix(message_id rule)
{
    switch (rule) {
    case MSG_LINT_A3XX_CONSTS:
    case MSG_LINT_A3XX_IMMEDIATES:
        return "move one of them to a register first";
    case MSG_LINT_A3XX_SPECIAL_SOURCE:
        return "move it to a register first";
    case MSG_LINT_A3XX_BOTH_RELATIVE:
        return "go through a register in two moves";
    default:
        return "replace it, or take it out";
    }
}

/* Why the word is not an instruction, where a rule for operands is the reason. */
static message_id operand_rule(uint64_t bits)
{
    int row = isa_decode_row(&a3xx_rows, 0, bits);
    unsigned sources[2] = {A3XX_FIELD(bits, FIRST), A3XX_FIELD(bits, SECOND)};
    unsigned consts = 0, immediates = 0, count = 1, category = shader_category(bits);
    if (row < 0 || row == A3XX_RAW)
        return MSG_LINT_A3XX_WORD;
    if (category == 1 && A3XX_FIELD(bits, TO_RELATIVE) && !A3XX_FIELD(bits, FROM_IMMEDIATE) &&
        a3xx_form(a3xx_move_source(bits)) == A3XX_FORM_RELATIVE)
        return MSG_LINT_A3XX_BOTH_RELATIVE;
    if (category == 2)
        count = a3xx_two_sources(&a3xx_rows.rows[row]) ? 2 : 1;
    else if (category != 4)
        return MSG_LINT_A3XX_WORD;
    for (unsigned i = 0; i < count; i++) {
        enum a3xx_form form = a3xx_form(sources[i]);
        bool relative_const = form == A3XX_FORM_RELATIVE && sources[i] & A3XX_SOURCE_OF_CONSTS;
        consts += form == A3XX_FORM_CONST || form == A3XX_FORM_CONST_TOO || relative_const;
        immediates += form == A3XX_FORM_INTEGER || form == A3XX_FORM_FLOAT;
    }
    if (category == 4)
        return consts || immediates ? MSG_LINT_A3XX_SPECIAL_SOURCE : MSG_LINT_A3XX_WORD;
    return consts > 1 ? MSG_LINT_A3XX_CONSTS : immediates > 1 ? MSG_LINT_A3XX_IMMEDIATES : MSG_LINT_A3XX_WORD;
}

/* An operand whose last register or const does not exist. */
static void look_at_extent(struct a3xx_check *check, const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned repeat = access->steps ? a3xx_repeat(insn->bits) : 0;
    bool general = access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
    int64_t last = (int64_t)access->number + repeat + access->count - 1; /* the number of an immediate is its value */
    if (access->relative || !(general ? last >= A3XX_A0 : access->file == A3XX_FILE_CONST && last >= A3XX_CONST_COUNT))
        return;
    struct gpucode_finding *found = lint_find(check->context, 0, insn->address, 1, MSG_LINT_A3XX_BEYOND,
                                              A3XX_NOTES "undefined", general ? "register" : "const");
    if (found) {
        found->operand = a3xx_operand_of(insn, access);
        found->fix = general ? "use a lower register or fewer steps" : "use a lower const or fewer steps";
    }
}

/* (r) and (rptN): steps that do nothing, and steps past the last register. */
static void look_at_repeat(struct a3xx_check *check, const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access), repeat = a3xx_repeat(insn->bits);
    unsigned category = shader_category(insn->bits);
    for (unsigned i = 0; i < count; i++) {
        bool table = access[i].file == A3XX_FILE_IMMEDIATE && access[i].table;
        look_at_extent(check, insn, &access[i]);
        if (category < 1 || category > 4 || access[i].write || !access[i].steps ||
            a3xx_marks(insn->row) & SHADER_MARK_VARYING || (repeat && !table))
            continue;
        struct gpucode_finding *found =
            lint_find(check->context, 0, insn->address, 1, MSG_LINT_A3XX_STEP, A3XX_NOTES "common fields");
        if (found) {
            found->operand = a3xx_operand_of(insn, &access[i]);
            found->fix = "remove (r)";
        }
    }
}

static void look_at_branch(struct a3xx_check *check, const struct gpucode_insn *insn)
{
    const struct a3xx_paths *paths = check->paths;
    uint32_t at = (uint32_t)insn->address, target = a3xx_target(paths->insn, paths->count, at);
    if (target == paths->count || a3xx_flow(insn->row) == GPUCODE_FLOW_CALL || paths->insn[target].bits & A3XX_JP ||
        paths->insn[target].row == A3XX_RAW)
        return;
    struct gpucode_finding *found =
        lint_find(check->context, 0, target, 1, MSG_LINT_A3XX_NO_JP, A3XX_NOTES "nop insertion", (unsigned)at);
    if (found) {
        found->has_other = true;
        found->other = at;
        found->fix = "set (jp) on it";
    }
}

static void look_at(struct a3xx_check *check, uint32_t at)
{
    const struct gpucode_insn *insn = &check->paths->insn[at];
    message_id rule = insn->row == A3XX_RAW ? operand_rule(insn->bits) : MSG_LINT_A3XX_WORD;
    if (insn->row == A3XX_RAW)
        lint_shader_find(check, at, rule, A3XX_NOTES "opcode tables and source restrictions", rule_fix(rule));
    else
        look_at_repeat(check, insn);
    if (a3xx_is_branch(insn))
        look_at_branch(check, insn);
}

void a3xx_check_words(struct a3xx_check *check)
{
    static const struct shader_flow_rules rules = {
        .reference = A3XX_NOTES "category 0",
        .end_reference = A3XX_NOTES "undefined",
        .unreachable = MSG_LINT_A3XX_UNREACHABLE,
        .target = MSG_LINT_A3XX_TARGET,
        .no_end = MSG_LINT_A3XX_NO_END,
        .runs_out = MSG_LINT_A3XX_RUNS_OUT,
    };
    shader_check_flow(check, &rules, look_at);
}
