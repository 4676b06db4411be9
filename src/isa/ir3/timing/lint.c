/* SPDX-License-Identifier: MIT */
/*
 * Rules for shaders: the compiler places delays and sync bits, and nothing in the hardware checks them. What depends on
 * the way to an instruction is found by hazard.c over the paths of paths.c; the rest is seen on the instruction itself.
 */
#include "isa/ir3/timing/paths.h"
#include "isa/ir3/timing/scoreboard.h"

#include <stdio.h>

#define NEITHER_FIXES "nothing in front of it helps: write the steps as instructions of their own"

static void keep_worst(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    struct a3xx_check *check = user;
    struct a3xx_worst *worst = &check->worst[finding->hazard];
    if (finding->hazard == A3XX_IN_USE && finding->has_other && check->family->excepts &&
        check->family->excepts(insn, &check->paths->insn[finding->other]))
        return;
    bool pair = finding->access && finding->access->source == 2 && shader_marks(insn) & SHADER_VARYING;
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
static void name_of(const struct gpucode_insn *insn, const struct a3xx_worst *worst, char text[40])
{
    const struct a3xx_access *access = &worst->access;
    int offset = access->number + (access->steps ? (int)worst->finding.step : 0);
    if (worst->finding.reg >= 0)
        a3xx_register_name(insn, worst->finding.reg, access->half, text);
    else
        snprintf(text, 40, offset ? "%s%c<a0.x %c %d>" : "%s%c<a0.x>", access->half ? "h" : "",
                 access->file == A3XX_FILE_CONST ? 'c' : 'r', offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
}

static struct gpucode_finding *find_early(struct a3xx_check *check, uint64_t at, const struct a3xx_worst *worst,
                                          const char *name)
{
    static const char *const plural[2] = {"s", ""};
    unsigned slots = worst->finding.slots, writer = (unsigned)worst->finding.other;
    const struct shader_rule *rule = &check->family->rules[A3XX_EARLY];
    struct gpucode_finding *found =
        lint_find(check->context, 0, at, 1, rule->message, rule->reference, name, slots, plural[slots == 1], writer);
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
    return own                      ? NEITHER_FIXES
           : !shader_takes_ss(insn) ? "set (ss) on a nop in front of it: it has no (ss) itself"
                                    : "set (ss) on it";
}

void lint_shader_find(struct a3xx_check *check, uint32_t at, message_id rule, const char *reference, const char *fix)
{
    struct gpucode_finding *found = lint_find(check->context, 0, at, 1, rule, reference);
    if (found)
        found->fix = fix;
}

unsigned a3xx_operand_of(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    struct a3xx_access all[A3XX_ACCESS_MAX];
    unsigned count = shader_family(insn)->accesses(insn, all), category = shader_category(insn->bits),
             source = access->source, present = 0;
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

static void report_worst(struct a3xx_check *check, const struct gpucode_insn *insn, enum a3xx_hazard hazard)
{
    struct lint_context *context = check->context;
    const struct shader_rule *rules = check->family->rules;
    const struct a3xx_worst *worst = &check->worst[hazard];
    unsigned other = (unsigned)worst->finding.other;
    struct gpucode_finding *found;
    char name[40] = "";
    if (!rules[hazard].message)
        return;
    if (worst->access.count)
        name_of(insn, worst, name);
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

/* Nops after an end that fill a program up: another one may follow, or whatever else the memory has. */
static bool fills_up(const struct a3xx_check *check, uint32_t at)
{
    const struct a3xx_paths *paths = check->paths;
    unsigned unit = check->family->unit;
    bool ended = at && shader_flow(&paths->insn[at - 1]) == GPUCODE_FLOW_STOP;
    while (ended && at < paths->count && at % unit && shader_is_nop(&paths->insn[at]))
        at++;
    return unit > 4 && ended && at % unit == 0;
}

void shader_check_flow(struct a3xx_check *check, const struct shader_flow_rules *rules,
                       void (*look)(struct a3xx_check *check, uint32_t at))
{
    const struct a3xx_paths *paths = check->paths;
    uint32_t end = paths->count;
    while (end && shader_is_nop(&paths->insn[end - 1]))
        end--;
    bool ends = false;
    for (uint32_t i = 0; i < end; i++) {
        const struct gpucode_insn *insn = &paths->insn[i];
        ends |= shader_flow(insn) == GPUCODE_FLOW_STOP && paths->reached[i];
        if (!paths->reached[i]) {
            if ((i == 0 || paths->reached[i - 1]) && !fills_up(check, i))
                lint_shader_find(check, i, rules->unreachable, rules->reference,
                                 "take it out, or let a branch lead to it");
            continue;
        }
        look(check, i);
        if (a3xx_is_branch(insn) && a3xx_target(paths->insn, paths->count, i) == paths->count)
            lint_shader_find(check, i, rules->target, rules->reference, "let it lead to an instruction of the program");
    }
    uint32_t last = paths->count ? paths->count - 1 : 0;
    if (!ends)
        lint_shader_find(check, last, rules->no_end, rules->end_reference, "put an end where the program is done");
    else if (paths->reached[last] && (a3xx_goes_on(&paths->insn[last]) || a3xx_is_call(&paths->insn[last])))
        lint_shader_find(check, last, rules->runs_out, rules->end_reference, "put an end after it");
}

static void visit_for_lint(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct a3xx_check *check = user;
    const struct gpucode_insn *insn = &check->paths->insn[at];
    struct a3xx_watch watch = {.note = check->report ? keep_worst : NULL,
                               .user = check,
                               .counts_issues = true,
                               .given = shader_address_given(check->paths, at)};
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
    for (unsigned d = 0; (declaration = lint_declaration(check->context, d)); d++)
        for (size_t k = 0; declaration->file == 'r' && k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(declaration->kind, kinds[k]) != 0)
                continue;
            check->declares_inputs |= k < 4;
            for (uint32_t n = declaration->first; n - declaration->first < declaration->count && n < A3XX_A0; n++) {
                struct a3xx_access access = {.file = declaration->half ? A3XX_FILE_HALF : A3XX_FILE_FULL,
                                             .number = (int32_t)n,
                                             .count = 1,
                                             .half = declaration->half};
                struct a3xx_range range = a3xx_range_of(check->family, &access, 0, NULL, false);
                for (int i = 0, reg; i < range.count; i++)
                    if ((reg = a3xx_range_at(&range, i)) >= 0)
                        a3xx_set_add(&check->inputs, reg);
            }
        }
}

/* Memory of instructions holds several programs: of the generations that fill them up, each is one. */
static bool walk_others(struct a3xx_check *check)
{
    struct a3xx_paths *paths = check->paths;
    for (uint32_t at = 0;
         check->family->unit > 4 && (at = a3xx_next_program(paths, at, check->family->unit)) < paths->count;) {
        paths->next = paths->count;
        if (!a3xx_paths_entry(paths, at) || !a3xx_paths_settle(paths))
            return false;
    }
    return true;
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
    if (!a3xx_paths_settle(paths) || (!any && !walk_others(check)))
        return false;
    check->report = true;
    a3xx_paths_again(paths);
    check->family->words(check);
    return true;
}

static bool check_shader(struct lint_context *context, const struct isa_layout *layout)
{
    uint32_t count = layout->info.units;
    struct gpucode_insn *insn = lint_memory(context, (size_t)count + 1, sizeof *insn);
    struct a3xx_paths paths;
    const struct gpucode_target *target = layout->info.target;
    struct a3xx_check check = {.context = context, .paths = &paths, .family = shader_family_of(target)};
    if (!insn)
        return false;
    a3xx_decode_all(target, layout->bytes, count, insn);
    find_inputs(&check);
    bool good = a3xx_paths_open(&paths, insn, count);
    paths.visit = visit_for_lint;
    paths.user = &check;
    good = good && walk_paths(&check);
    a3xx_paths_close(&paths);
    return good;
}

static const struct gpucode_lint_limit no_limits[] = {{NULL, 0}};

const struct isa_lint shader_lint = {.limits = no_limits, .check = check_shader};
