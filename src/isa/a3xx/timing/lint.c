/* SPDX-License-Identifier: MIT */
/*
 * Rules for shaders: the compiler places delays and sync bits, and nothing in the hardware checks them. What depends on
 * the way to an instruction is found by hazard.c over the paths of paths.c; the rest is seen on the instruction itself.
 */
#include "isa/lint.h"

#include "isa/a3xx/timing/paths.h"

#define NOTES "A3XX notes, "

#define NEITHER_FIXES "nothing in front of it helps: write the steps as instructions of their own"

/* The worst finding of a kind at one instruction. */
struct worst {
    bool seen;
    struct a3xx_finding finding;
    struct a3xx_access access;
};

struct check {
    struct lint_context *context;
    struct a3xx_paths *paths;
    bool report;          /* states are final */
    bool declares_inputs; /* so that registers read before they are written are known to be wrong */
    struct a3xx_set inputs;
    struct worst worst[A3XX_HAZARDS]; /* of the instruction that is gone over */
};

/* Which operand of the text it is, from 1; results stand first where there are any. */
static unsigned operand_of(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    struct a3xx_access all[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, all), category = a3xx_category(insn->bits), source = access->source,
             present = 0;
    bool result = category >= 1 && category <= 5;
    if (access->write)
        return 1;
    for (unsigned i = 0; i < count; i++) {
        result |= all[i].write;
        if (!source && all[i].relative) /* a0.x: the operand that it is added to */
            return all[i].write ? 1 : all[i].source + 1u;
        present += all[i].source && all[i].source < source;
    }
    return (category >= 5 ? present + 1 : source) + result;
}

static void keep_worst(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    struct check *check = user;
    struct worst *worst = &check->worst[finding->hazard];
    (void)insn;
    bool pair = finding->access && finding->access->source == 2 && a3xx_marks(insn->row) & A3XX_MARK_VARYING;
    if (finding->hazard == A3XX_UNWRITTEN &&
        (!check->declares_inputs || pair || a3xx_set_has(&check->inputs, finding->reg)))
        return;
    if ((finding->hazard == A3XX_USELESS_SS || finding->hazard == A3XX_USELESS_SY) &&
        check->paths->entered[insn->address])
        return;
    if (worst->seen && finding->slots <= worst->finding.slots)
        return;
    *worst = (struct worst){.seen = true, .finding = *finding};
    if (finding->access)
        worst->access = *finding->access;
}

/* The register as the text has it. */
static void name_of(const struct worst *worst, char text[40])
{
    const struct a3xx_access *access = &worst->access;
    if (worst->finding.reg >= 0) {
        a3xx_register_name(worst->finding.reg, text);
        return;
    }
    int offset = access->number + (access->steps ? (int)worst->finding.step : 0);
    *a3xx_put_relative(text, access->file == A3XX_FILE_CONST ? 'c' : 'r', offset, access->half) = 0;
}

static struct gpucode_finding *find_early(struct check *check, uint64_t at, const struct worst *worst, const char *name)
{
    static const char *const plural[2] = {"s", ""};
    unsigned slots = worst->finding.slots, writer = (unsigned)worst->finding.other;
    struct gpucode_finding *found = lint_find(check->context, 0, at, 1, MSG_LINT_A3XX_DELAY, NOTES "delay table", name,
                                              slots, plural[slots == 1], writer);
    if (!found)
        return NULL;
    found->slots = slots;
    found->fix = worst->finding.own ? NEITHER_FIXES
                 : slots == 1       ? "put a nop in front of it"
                                    : lint_text(check->context, "put (rpt%u)nop in front of it", slots - 1);
    return found;
}

/* What (ss) repairs; textures and memory have no such bit. */
static const char *ss_fix(const struct gpucode_insn *insn, bool own)
{
    return own                              ? NEITHER_FIXES
           : a3xx_category(insn->bits) >= 5 ? "set (ss) on a nop in front of it: it has no (ss) itself"
                                            : "set (ss) on it";
}

/* How findings are worded: a message has the register's name, or the other instruction, or first one and then the
 * other.
 */
static const struct {
    enum message message;
    const char *reference, *fix;
    bool named;    /* the message begins with the register */
    bool needs_ss; /* instead of `fix`: it depends on the instruction */
} rules[A3XX_HAZARDS] = {
    [A3XX_NO_SS] = {MSG_LINT_A3XX_SS, NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_NO_SS_TOO] = {MSG_LINT_A3XX_SS_SPECIAL, NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_NO_SY] = {MSG_LINT_A3XX_SY, NOTES "sync bits", "set (sy) on it", .named = true},
    [A3XX_IN_USE] = {MSG_LINT_A3XX_IN_USE, NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_USELESS_SS] = {MSG_LINT_A3XX_USELESS_SS, NOTES "sync bits", "remove (ss)"},
    [A3XX_USELESS_SY] = {MSG_LINT_A3XX_USELESS_SY, NOTES "sync bits", "remove (sy)"},
    [A3XX_UNWRITTEN] = {MSG_LINT_A3XX_UNWRITTEN, "the source", "declare the register with @in, or write it",
                        .named = true},
    [A3XX_RELEASED] = {MSG_LINT_A3XX_RELEASED, NOTES "common fields", "move (ul) to the last user of a0.x"},
    [A3XX_OUTSIDE] = {MSG_LINT_A3XX_OUTSIDE, NOTES "undefined",
                      "give a0.x another value, or the operand another offset", .named = true},
    [A3XX_BEHIND_EI] = {MSG_LINT_A3XX_BEHIND_EI, NOTES "bary.f", "move (ei) to the last bary.f that runs"},
    [A3XX_WITHOUT_EI] = {MSG_LINT_A3XX_NO_EI, NOTES "bary.f", "set (ei) on the last bary.f that runs"},
};

static void report_worst(struct check *check, const struct gpucode_insn *insn, enum a3xx_hazard hazard)
{
    struct lint_context *context = check->context;
    const struct worst *worst = &check->worst[hazard];
    unsigned other = (unsigned)worst->finding.other;
    struct gpucode_finding *found;
    char name[40] = "";
    if (worst->access.count)
        name_of(worst, name);
    if (hazard == A3XX_EARLY)
        found = find_early(check, insn->address, worst, name);
    else if (rules[hazard].named)
        found = lint_find(context, 0, insn->address, 1, rules[hazard].message, rules[hazard].reference, name, other);
    else
        found = lint_find(context, 0, insn->address, 1, rules[hazard].message, rules[hazard].reference, other);
    if (!found)
        return;
    if (rules[hazard].needs_ss)
        found->fix = ss_fix(insn, worst->finding.own);
    else if (hazard != A3XX_EARLY)
        found->fix = rules[hazard].fix;
    found->has_other = worst->finding.has_other;
    found->other = other;
    found->operand = worst->access.count ? operand_of(insn, &worst->access) : 0;
}

static void visit_for_lint(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct check *check = user;
    const struct gpucode_insn *insn = &check->paths->insn[at];
    struct a3xx_watch watch = {.note = check->report ? keep_worst : NULL, .user = check};
    if (check->report)
        memset(check->worst, 0, sizeof check->worst);
    a3xx_scoreboard_issue(state, insn, &watch);
    for (unsigned i = 0; check->report && i < A3XX_HAZARDS; i++)
        if (check->worst[i].seen)
            report_worst(check, insn, (enum a3xx_hazard)i);
}

static const char *rule_fix(enum message rule)
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

static void find_with_fix(struct check *check, uint32_t at, enum message rule, const char *reference, const char *fix)
{
    struct gpucode_finding *found = lint_find(check->context, 0, at, 1, rule, reference);
    if (found)
        found->fix = fix;
}

/* Why the word is no instruction, where a rule for operands is the reason. */
static enum message operand_rule(uint64_t bits)
{
    int row = isa_decode_row(&a3xx_rows, 0, bits);
    unsigned sources[2] = {A3XX_FIELD(bits, FIRST), A3XX_FIELD(bits, SECOND)};
    unsigned consts = 0, immediates = 0, count = 1, category = a3xx_category(bits);
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
static void look_at_extent(struct check *check, const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned repeat = access->steps ? a3xx_repeat(insn->bits) : 0;
    bool general = access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
    int32_t last = access->number + (int32_t)(repeat + access->count) - 1;
    if (access->relative || !(general ? last >= A3XX_A0 : access->file == A3XX_FILE_CONST && last >= A3XX_CONST_COUNT))
        return;
    struct gpucode_finding *found = lint_find(check->context, 0, insn->address, 1, MSG_LINT_A3XX_BEYOND,
                                              NOTES "undefined", general ? "register" : "const");
    if (found) {
        found->operand = operand_of(insn, access);
        found->fix = general ? "use a lower register or fewer steps" : "use a lower const or fewer steps";
    }
}

/* (r) and (rptN): steps that do nothing, and steps past the last register. */
static void look_at_repeat(struct check *check, const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access), repeat = a3xx_repeat(insn->bits);
    unsigned category = a3xx_category(insn->bits);
    for (unsigned i = 0; i < count; i++) {
        bool table = access[i].file == A3XX_FILE_IMMEDIATE && access[i].table;
        look_at_extent(check, insn, &access[i]);
        if (category < 1 || category > 4 || access[i].write || !access[i].steps ||
            a3xx_marks(insn->row) & A3XX_MARK_VARYING || (repeat && !table))
            continue;
        struct gpucode_finding *found =
            lint_find(check->context, 0, insn->address, 1, MSG_LINT_A3XX_STEP, NOTES "common fields");
        if (found) {
            found->operand = operand_of(insn, &access[i]);
            found->fix = "remove (r)";
        }
    }
}

static void look_at_branch(struct check *check, const struct gpucode_insn *insn)
{
    const struct a3xx_paths *paths = check->paths;
    uint32_t at = (uint32_t)insn->address, target = a3xx_target(paths->insn, paths->count, at);
    if (target == paths->count) {
        find_with_fix(check, at, MSG_LINT_A3XX_TARGET, NOTES "category 0",
                      "let it lead to an instruction of the program");
        return;
    }
    if (a3xx_flow(insn->row) == GPUCODE_FLOW_CALL || paths->insn[target].bits & A3XX_JP ||
        paths->insn[target].row == A3XX_RAW)
        return;
    struct gpucode_finding *found =
        lint_find(check->context, 0, target, 1, MSG_LINT_A3XX_NO_JP, NOTES "nop insertion", (unsigned)at);
    if (found) {
        found->has_other = true;
        found->other = at;
        found->fix = "set (jp) on it";
    }
}

/* What needs no path: words, flags without effect, targets, the end. */
static void look_at_each(struct check *check)
{
    const struct a3xx_paths *paths = check->paths;
    uint32_t end = paths->count;
    while (end && paths->insn[end - 1].row == A3XX_NOP)
        end--;
    bool ends = false;
    for (uint32_t i = 0; i < end; i++) {
        const struct gpucode_insn *insn = &paths->insn[i];
        ends |= a3xx_flow(insn->row) == GPUCODE_FLOW_STOP && paths->reached[i];
        if (!paths->reached[i]) {
            if (i == 0 || paths->reached[i - 1])
                find_with_fix(check, i, MSG_LINT_A3XX_UNREACHABLE, NOTES "category 0",
                              "take it out, or let a branch lead to it");
            continue;
        }
        enum message rule = insn->row == A3XX_RAW ? operand_rule(insn->bits) : MSG_LINT_A3XX_WORD;
        if (insn->row == A3XX_RAW)
            find_with_fix(check, i, rule, NOTES "opcode tables and source restrictions", rule_fix(rule));
        else
            look_at_repeat(check, insn);
        if (a3xx_is_branch(insn))
            look_at_branch(check, insn);
    }
    uint32_t last = paths->count ? paths->count - 1 : 0;
    if (!ends)
        find_with_fix(check, last, MSG_LINT_A3XX_NO_END, NOTES "undefined", "put an end where the program is done");
    else if (paths->reached[last] && (a3xx_goes_on(&paths->insn[last]) || a3xx_is_call(&paths->insn[last])))
        find_with_fix(check, last, MSG_LINT_A3XX_RUNS_OUT, NOTES "undefined", "put an end behind it");
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
                a3xx_set_add(&check->inputs, (int)reg);
            }
        }
}

static bool walk_paths(struct check *check)
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
    look_at_each(check);
    return true;
}

static bool check_shader(struct lint_context *context, const struct isa_layout *layout)
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
    paths.visit = visit_for_lint;
    paths.user = &check;
    good = good && walk_paths(&check);
    a3xx_paths_close(&paths);
    return good;
}

static const struct gpucode_lint_limit no_limits[] = {{NULL, 0}};

const struct isa_lint a3xx_lint = {.limits = no_limits, .check = check_shader};
