/* SPDX-License-Identifier: MIT */
/*
 * Rules for shaders: the compiler places delays and sync bits, and nothing in the hardware checks them. What depends on
 * the way to an instruction is found by hazard.c over the paths of path.c; the rest is seen on the instruction itself.
 */
#include "isa/lint.h"

#include "isa/a3xx/path.h"

#define NOTES "A3XX notes, "

struct check {
    struct lint_context *context;
    struct a3xx_paths *paths;
    bool report;          /* states are final */
    bool declares_inputs; /* so that registers read before they are written are known to be wrong */
    struct a3xx_set inputs;
};

static void tell(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    const struct check *check = user;
    struct lint_context *context = check->context;
    uint64_t at = insn->address;
    unsigned writer = (unsigned)finding->writer;
    char text[16];
    const char *name = finding->reg >= 0 ? a3xx_register_name(finding->reg, text) : "";
    bool entry = check->paths->entered[at];
    switch (finding->hazard) {
    case A3XX_EARLY:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_DELAY, NOTES "delay table", name, finding->slots, writer);
        break;
    case A3XX_NO_SS:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_SS, NOTES "sync bits", name, writer);
        break;
    case A3XX_NO_SS_TOO:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_SS_SPECIAL, NOTES "sync bits", name, writer);
        break;
    case A3XX_NO_SY:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_SY, NOTES "sync bits", name, writer);
        break;
    case A3XX_IN_USE:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_IN_USE, NOTES "sync bits", name);
        break;
    case A3XX_USELESS_SS:
        if (!entry)
            lint_find(context, 0, at, 1, MSG_LINT_A3XX_USELESS_SS, NOTES "sync bits");
        break;
    case A3XX_USELESS_SY:
        if (!entry)
            lint_find(context, 0, at, 1, MSG_LINT_A3XX_USELESS_SY, NOTES "sync bits");
        break;
    case A3XX_UNWRITTEN:
        if (check->declares_inputs && !finding->pair &&
            !(check->inputs.bits[finding->reg / 64] >> finding->reg % 64 & 1))
            lint_find(context, 0, at, 1, MSG_LINT_A3XX_UNWRITTEN, "the source", name);
        break;
    case A3XX_RELEASED:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_RELEASED, NOTES "common fields");
        break;
    case A3XX_BEHIND_EI:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_BEHIND_EI, NOTES "bary.f");
        break;
    case A3XX_WITHOUT_EI:
        lint_find(context, 0, at, 1, MSG_LINT_A3XX_NO_EI, NOTES "bary.f");
        break;
    }
}

static void visit(void *user, uint32_t at, struct a3xx_state *state)
{
    struct check *check = user;
    struct a3xx_watch watch = {.note = check->report ? tell : NULL, .user = check};
    a3xx_state_step(state, &check->paths->insn[at], &watch);
}

/* Why the word is no instruction, where a rule for operands is the reason. */
static enum message operand_rule(uint64_t bits)
{
    int row = isa_decode_row(&a3xx_rows, 0, bits);
    unsigned forms[2] = {a3xx_form(a3xx_bits(bits, 0, 16)), a3xx_form(a3xx_bits(bits, 16, 16))};
    unsigned consts = 0, immediates = 0, count = 1, category = a3xx_category(bits);
    if (row < 0 || row == A3XX_RAW)
        return MSG_LINT_A3XX_WORD;
    if (category == 1 && bits >> 49 & 1 && !(bits >> 53 & 3) && bits >> 11 & 1)
        return MSG_LINT_A3XX_BOTH_RELATIVE;
    if (category == 2)
        count = a3xx_two_sources(&a3xx_rows.rows[row]) ? 2 : 1;
    else if (category != 4)
        return MSG_LINT_A3XX_WORD;
    for (unsigned i = 0; i < count; i++) {
        bool relative_const = forms[i] == A3XX_FORM_RELATIVE && bits >> (16 * i + 10) & 1;
        consts += forms[i] == A3XX_FORM_CONST || forms[i] == A3XX_FORM_CONST_TOO || relative_const;
        immediates += forms[i] == A3XX_FORM_INTEGER || forms[i] == A3XX_FORM_FLOAT;
    }
    if (category == 4)
        return consts || immediates ? MSG_LINT_A3XX_SPECIAL_SOURCE : MSG_LINT_A3XX_WORD;
    return consts > 1 ? MSG_LINT_A3XX_CONSTS : immediates > 1 ? MSG_LINT_A3XX_IMMEDIATES : MSG_LINT_A3XX_WORD;
}

/* (r) and (rptN): steps that do nothing, and steps past the last register. */
static void look_at_repeat(struct check *check, const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access), repeat = a3xx_repeat(insn->bits);
    unsigned category = a3xx_category(insn->bits);
    uint64_t at = insn->address;
    for (unsigned i = 0; category >= 1 && category <= 4 && i < count; i++) {
        bool table = access[i].file == A3XX_FILE_IMMEDIATE && access[i].table;
        if (!access[i].write && access[i].steps && insn->row != A3XX_BARY_F && (!repeat || table))
            lint_find(check->context, 0, at, 1, MSG_LINT_A3XX_STEP, NOTES "common fields");
        if (!access[i].steps || !repeat || access[i].relative)
            continue;
        int32_t last = access[i].number + (int32_t)repeat;
        bool general = access[i].file == A3XX_FILE_FULL || access[i].file == A3XX_FILE_HALF;
        if (general && last >= A3XX_A0)
            lint_find(check->context, 0, at, 1, MSG_LINT_A3XX_BEYOND, NOTES "undefined", "register");
        else if (access[i].file == A3XX_FILE_CONST && last >= A3XX_CONST_COUNT)
            lint_find(check->context, 0, at, 1, MSG_LINT_A3XX_BEYOND, NOTES "undefined", "const");
    }
}

/* What needs no path: words, flags without effect, targets, the end. */
static void look(struct check *check)
{
    const struct a3xx_paths *paths = check->paths;
    uint32_t end = paths->count;
    while (end && paths->insn[end - 1].row == A3XX_NOP)
        end--;
    bool ends = false;
    for (uint32_t i = 0; i < end; i++) {
        const struct gpucode_insn *insn = &paths->insn[i];
        ends |= insn->row == A3XX_END && paths->reached[i];
        if (!paths->reached[i]) {
            if (i == 0 || paths->reached[i - 1])
                lint_find(check->context, 0, i, 1, MSG_LINT_A3XX_UNREACHABLE, NOTES "category 0");
            continue;
        }
        if (insn->row == A3XX_RAW)
            lint_find(check->context, 0, i, 1, operand_rule(insn->bits), NOTES "opcode tables and source restrictions");
        else
            look_at_repeat(check, insn);
        if (a3xx_is_branch(insn) && a3xx_target(paths->insn, paths->count, i) == paths->count)
            lint_find(check->context, 0, i, 1, MSG_LINT_A3XX_TARGET, NOTES "category 0");
    }
    if (!ends)
        lint_find(check->context, 0, paths->count ? paths->count - 1 : 0, 1, MSG_LINT_A3XX_NO_END, NOTES "undefined");
}

/* The registers that the source calls inputs. A varying is an input or an output, by the stage. */
static void find_inputs(struct check *check)
{
    static const char *const kinds[] = {"attribute", "in", "invocationid", "wgid", "varying"};
    const struct gpucode_declaration *declaration;
    for (unsigned i = 0; (declaration = lint_declaration(check->context, i)); i++)
        for (size_t k = 0; declaration->file == 'r' && k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(declaration->kind, kinds[k]) != 0)
                continue;
            check->declares_inputs |= k < 4;
            for (uint32_t n = declaration->first; n - declaration->first < declaration->count && n < A3XX_A0; n++) {
                uint32_t reg = n + (declaration->half ? A3XX_HALF_0 : A3XX_FULL_0);
                check->inputs.bits[reg / 64] |= UINT64_C(1) << reg % 64;
            }
        }
}

static bool walk(struct check *check)
{
    struct a3xx_paths *paths = check->paths;
    uint64_t entry;
    bool any = false;
    for (unsigned i = 0; lint_entry(check->context, i, &entry); i++, any = true)
        if (entry < paths->count && !a3xx_paths_entry(paths, (uint32_t)entry))
            return false;
    if (!any && !a3xx_paths_entry(paths, 0))
        return false;
    if (!a3xx_paths_settle(paths))
        return false;
    check->report = true;
    a3xx_paths_again(paths);
    look(check);
    return true;
}

static bool check(struct lint_context *context, const struct isa_layout *layout)
{
    uint32_t count = layout->info.units;
    struct gpucode_insn *insn = lint_memory(context, (size_t)count + 1, sizeof *insn);
    struct a3xx_paths paths;
    struct check check = {.context = context, .paths = &paths};
    if (!insn)
        return false;
    a3xx_decode_all(layout->info.target, layout->bytes, count, insn);
    find_inputs(&check);
    bool good = a3xx_paths_open(&paths, insn, count);
    paths.visit = visit;
    paths.user = &check;
    good = good && walk(&check);
    a3xx_paths_close(&paths);
    return good;
}

static const struct gpucode_lint_limit no_limits[] = {{NULL, 0}};

const struct isa_lint a3xx_lint = {.limits = no_limits, .check = check};
