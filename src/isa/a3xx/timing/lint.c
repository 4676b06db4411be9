/* SPDX-License-Identifier: MIT */
/*
 * Rules for shaders: the compiler places delays and sync bits, and nothing in the hardware checks them. What depends on
 * the way to an instruction is found by hazard.c over the paths of paths.c; the rest is seen on the instruction itself.
 */
#include "a3xx_messages.h"
#include "isa/a3xx/timing/paths.h"

#define NEITHER_FIXES "nothing in front of it helps: write the steps as instructions of their own"

static void keep_worst(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    struct a3xx_check *check = user;
    struct a3xx_worst *worst = &check->worst[finding->hazard];
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
    *worst = (struct a3xx_worst){.seen = true, .finding = *finding};
    if (finding->access)
        worst->access = *finding->access;
}

/* The register as the text has it. */
static void name_of(const struct a3xx_worst *worst, char text[40])
{
    const struct a3xx_access *access = &worst->access;
    if (worst->finding.reg >= 0) {
        a3xx_register_name(worst->finding.reg, text);
        return;
    }
    int offset = access->number + (access->steps ? (int)worst->finding.step : 0);
    *a3xx_put_relative(text, access->file == A3XX_FILE_CONST ? 'c' : 'r', offset, access->half) = 0;
}

static struct gpucode_finding *find_early(struct a3xx_check *check, uint64_t at, const struct a3xx_worst *worst,
                                          const char *name)
{
    static const char *const plural[2] = {"s", ""};
    unsigned slots = worst->finding.slots, writer = (unsigned)worst->finding.other;
    struct gpucode_finding *found = lint_find(check->context, 0, at, 1, MSG_LINT_A3XX_DELAY, A3XX_NOTES "delay table",
                                              name, slots, plural[slots == 1], writer);
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
    message_id message;
    const char *reference, *fix;
    bool named;    /* the message begins with the register */
    bool needs_ss; /* instead of `fix`: it depends on the instruction */
} rules[A3XX_HAZARDS] = {
    [A3XX_NO_SS] = {MSG_LINT_A3XX_SS, A3XX_NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_NO_SS_TOO] = {MSG_LINT_A3XX_SS_SPECIAL, A3XX_NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_NO_SY] = {MSG_LINT_A3XX_SY, A3XX_NOTES "sync bits", "set (sy) on it", .named = true},
    [A3XX_IN_USE] = {MSG_LINT_A3XX_IN_USE, A3XX_NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_USELESS_SS] = {MSG_LINT_A3XX_USELESS_SS, A3XX_NOTES "sync bits", "remove (ss)"},
    [A3XX_USELESS_SY] = {MSG_LINT_A3XX_USELESS_SY, A3XX_NOTES "sync bits", "remove (sy)"},
    [A3XX_UNWRITTEN] = {MSG_LINT_A3XX_UNWRITTEN, "the source", "declare the register with @in, or write it",
                        .named = true},
    [A3XX_RELEASED] = {MSG_LINT_A3XX_RELEASED, A3XX_NOTES "common fields", "move (ul) to the last user of a0.x"},
    [A3XX_OUTSIDE] = {MSG_LINT_A3XX_OUTSIDE, A3XX_NOTES "undefined",
                      "give a0.x another value, or the operand another offset", .named = true},
    [A3XX_BEHIND_EI] = {MSG_LINT_A3XX_BEHIND_EI, A3XX_NOTES "bary.f", "move (ei) to the last bary.f that runs"},
    [A3XX_WITHOUT_EI] = {MSG_LINT_A3XX_NO_EI, A3XX_NOTES "bary.f", "set (ei) on the last bary.f that runs"},
};

static void report_worst(struct a3xx_check *check, const struct gpucode_insn *insn, enum a3xx_hazard hazard)
{
    struct lint_context *context = check->context;
    const struct a3xx_worst *worst = &check->worst[hazard];
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
    found->operand = worst->access.count ? a3xx_operand_of(insn, &worst->access) : 0;
}

static void visit_for_lint(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct a3xx_check *check = user;
    const struct gpucode_insn *insn = &check->paths->insn[at];
    struct a3xx_watch watch = {.note = check->report ? keep_worst : NULL, .user = check};
    if (check->report)
        memset(check->worst, 0, sizeof check->worst);
    a3xx_scoreboard_issue(state, insn, &watch);
    for (unsigned i = 0; check->report && i < A3XX_HAZARDS; i++)
        if (check->worst[i].seen)
            report_worst(check, insn, (enum a3xx_hazard)i);
}

/* The registers that the source calls inputs. A varying is an input or an output, by the stage. */
static void find_inputs(struct a3xx_check *check)
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

static bool walk_paths(struct a3xx_check *check)
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
    a3xx_check_words(check);
    return true;
}

static bool check_shader(struct lint_context *context, const struct isa_layout *layout)
{
    uint32_t count = layout->info.units;
    struct gpucode_insn *insn = lint_memory(context, (size_t)count + 1, sizeof *insn);
    struct a3xx_paths paths;
    struct a3xx_check check = {.context = context, .paths = &paths};
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
