/* SPDX-License-Identifier: MIT */
/* Rules that need no path: words, what a generation or a chip lacks, operands that compilers keep apart, the end. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "isa/ir3/text/access.h"

#define LINE 16 /* instructions of the instruction cache */

static void find_text(struct a3xx_check *check, uint32_t at, message_id rule, const char *reference, const char *what,
                      const char *fix)
{
    struct gpucode_finding *found = lint_find(check->context, 0, at, 1, rule, reference, what);
    if (found)
        found->fix = fix;
}

/* --- generations and chips ---------------------------------------------------------------------------------------- */

static void look_at_predicates(struct a3xx_check *check, const struct gpucode_insn *insn,
                               const struct a3xx_access *access)
{
    const char *mnemonic = ir3_row(insn)->facts.mnemonic;
    bool compares = strncmp(mnemonic, "cmp", 3) == 0;
    if (access->file == A3XX_FILE_PREDICATE && (access->number || (access->write && !compares)))
        lint_shader_find(check, (uint32_t)insn->address, MSG_LINT_IR3_PREDICATE, "Mesa, ir3_compiler.c", "use p0.x");
}

/* Does the word say that no one reads this source again? */
static bool is_last(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = shader_category(insn->bits), second = category == 2 ? 2 : 3; /* the one in bits 31:16 */
    if (access->write || !ir3_is_general(access) || access->relative || access->count != 1)
        return false;
    if (access->source == 1) /* several moves at once have their second source in that bit */
        return (category == 1 ? access->letter == 'm' : category == 2 || category == 3) && insn->bits & IR3_BIT(10);
    return access->source == second && (category == 2 || category == 3) && insn->bits & IR3_BIT(26);
}

/* What its operands have that came with a later generation; null: nothing. */
static const char *later_operand(const struct gpucode_insn *insn, const struct a3xx_access *access, unsigned count)
{
    unsigned generation = insn->target->generation;
    const char *later = generation < IR3_A7XX && ir3_is_scalar_predicate(insn) ? "up0.x" : NULL;
    for (unsigned i = 0; i < count; i++)
        later = generation < IR3_A7XX && is_last(insn, &access[i])                                 ? "(last)"
                : generation < IR3_A6XX && access[i].file == A3XX_FILE_ADDRESS && access[i].number ? "a1.x"
                : generation < IR3_A5XX && ir3_is_general(&access[i]) && ir3_is_shared(&access[i]) ? "a shared register"
                                                                                                   : later;
    bool bindless = generation < IR3_A6XX && shader_category(insn->bits) == 5 && insn->row != IR3_TCINV &&
                    insn->bits & IR3_LOOK_INDIRECT && ir3_mode(insn->bits)->bindless;
    return bindless ? "a bindless texture" : later;
}

static void look_at_features(struct a3xx_check *check, const struct gpucode_insn *insn,
                             const struct a3xx_access *access, unsigned count)
{
    const char *later_part = later_operand(insn, access, count);
    if (later_part)
        find_text(check, (uint32_t)insn->address, MSG_LINT_IR3_FEATURE, "Mesa, ir3_compiler.c", later_part,
                  "do without it, or choose a later target");
    const struct ir3_chip *chip = ir3_chip(insn->target);
    bool later = insn->row == IR3_GETFIBERID || insn->row == IR3_MOVS || insn->row == IR3_MOVS_A0 ||
                 insn->row == IR3_DP4ACC || (insn->row == IR3_ISAM && insn->bits & IR3_LOOK_S);
    bool lacks = chip->known && ((later && !chip->later) || (insn->row == IR3_DP2ACC && !chip->dp2));
    if (lacks && insn->target->generation >= IR3_A6XX)
        find_text(check, (uint32_t)insn->address, MSG_LINT_IR3_FEATURE, "Mesa, freedreno_devices.py",
                  ir3_row(insn)->facts.mnemonic, "use other instructions");
    if (!shader_family(insn)->idle && ir3_nops(insn->bits))
        lint_shader_find(check, (uint32_t)insn->address, MSG_LINT_IR3_NOPS, "Mesa, ir3_legalize.c",
                         "put a nop after it");
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

static void look_at_sources(struct a3xx_check *check, const struct gpucode_insn *insn, const struct a3xx_access *access,
                            unsigned count)
{
    unsigned category = shader_category(insn->bits), limited = 0, immediates = 0, shared = 0;
    bool shared_result = false;
    for (unsigned i = 0; i < count; i++) {
        shared_result |= access[i].write && ir3_is_shared(&access[i]);
        if (access[i].write || !access[i].source)
            continue;
        shared += ir3_is_shared(&access[i]);
        limited += ir3_is_shared(&access[i]) || access[i].file == A3XX_FILE_CONST;
        immediates += access[i].file == A3XX_FILE_IMMEDIATE;
    }
    bool interpolates = insn->row == IR3_BARY_F || insn->row == IR3_FLAT_B;
    const char *what = category == 2 && limited > 1 && !shared_result && !ir3_is_scalar(insn)
                           ? "this reads two consts or shared registers"
                       : category == 2 && immediates > 1 && !interpolates ? "this takes two immediates"
                       : category == 4 && (immediates || limited > shared)
                           ? "a special function reads a const or an immediate"
                       : category == 5 && shared ? "a texture instruction reads a shared register"
                                                 : NULL;
    if (what)
        find_text(check, (uint32_t)insn->address, MSG_LINT_IR3_SOURCES, "Mesa, ir3.c", what,
                  "move one of them to a register first");
}

static void look_at_consts(struct a3xx_check *check, const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned last = (unsigned)access->number + (access->steps ? ir3_steps(insn) - 1 : 0) + access->count - 1;
    if (access->file == A3XX_FILE_CONST && !access->relative && last >= 4u * ir3_chip(insn->target)->consts)
        lint_shader_find(check, (uint32_t)insn->address, MSG_LINT_IR3_BEYOND, "Mesa, freedreno_devices.py",
                         "use a lower const");
}

/* --- groups
 * ----------------------------------------------------------------------------------------------------------- */

/* alias.tex, the first of a group, which says how many follow: all of them and their user lie in one line. */
static void look_at_alias(struct a3xx_check *check, uint32_t at)
{
    const struct a3xx_paths *paths = check->paths;
    uint64_t bits = paths->insn[at].bits;
    bool of_texture = !(bits & (IR3_BIT(47) | IR3_BIT(49)));
    if (paths->insn[at].row != IR3_ALIAS || !of_texture || (at && paths->insn[at - 1].row == IR3_ALIAS))
        return;
    uint32_t user = at;
    while (user < paths->count && paths->insn[user].row == IR3_ALIAS)
        user++;
    if (user == paths->count || shader_category(paths->insn[user].bits) != 5 || user / LINE != at / LINE)
        lint_shader_find(check, at, MSG_LINT_IR3_ALIAS, "Mesa, ir3_legalize.c", "put nops in front of the group");
}

/* predt, predf, prede, in the order of the text; Mesa keeps the three parts in a row. */
static bool look_at_predication(struct a3xx_check *check, uint32_t at, bool inside)
{
    const struct gpucode_insn *insn = &check->paths->insn[at];
    bool begins = insn->row == IR3_PREDT || insn->row == IR3_PREDF;
    if (insn->row == IR3_PREDE && !inside)
        find_text(check, at, MSG_LINT_IR3_PREDICATED, "Mesa, ir3_legalize.c", "prede without predt or predf",
                  "take it out");
    if (inside && shader_flow(insn) == GPUCODE_FLOW_STOP)
        find_text(check, at, MSG_LINT_IR3_PREDICATED, "Mesa, ir3_legalize.c", "prede is missing before this",
                  "put prede where the part ends");
    return begins || (inside && insn->row != IR3_PREDE && shader_flow(insn) != GPUCODE_FLOW_STOP);
}

/* The later of the two ways of a branch that fibers take apart; uniform branches need no mark. */
static void look_at_join(struct a3xx_check *check, uint32_t at)
{
    const struct a3xx_paths *paths = check->paths;
    const struct gpucode_insn *insn = &paths->insn[at];
    bool parts = insn->row == IR3_BR || insn->row == IR3_BRAA || insn->row == IR3_BRAO || insn->row == IR3_GETONE;
    uint32_t target = a3xx_target(paths->insn, paths->count, at);
    if (!parts || target == paths->count || target <= at + 1 || paths->insn[target].bits & IR3_JP ||
        paths->insn[target].row == IR3_RAW)
        return;
    struct gpucode_finding *found =
        lint_find(check->context, 0, target, 1, MSG_LINT_IR3_NO_JP, "Mesa, ir3_legalize.c", (unsigned)at);
    if (found) {
        found->has_other = true;
        found->other = at;
        found->fix = "set (jp) on it";
    }
}

/* --- what holds from one instruction to others -------------------------------------------------------------------- */

static const struct gpucode_declaration *declared(const struct a3xx_check *check, const char *kind)
{
    const struct gpucode_declaration *declaration;
    for (unsigned i = 0; (declaration = lint_declaration(check->context, i)); i++)
        if (strcmp(declaration->kind, kind) == 0)
            return declaration;
    return NULL;
}

/* Between shps and shpe of an early preamble, in the order of the text: the wave has no registers yet. */
static bool look_at_preamble(struct a3xx_check *check, uint32_t at, bool inside)
{
    const struct gpucode_insn *insn = &check->paths->insn[at];
    struct a3xx_access access[A3XX_ACCESS_MAX];
    if (!inside)
        return insn->row == IR3_SHPS;
    const char *what = NULL;
    unsigned count = insn->row == IR3_RAW ? 0 : ir3_accesses(insn, access);
    for (unsigned i = 0; i < count; i++)
        what = access[i].relative ? "an operand that a0.x is added to"
               : access[i].file == A3XX_FILE_PREDICATE && !ir3_is_scalar_predicate(insn) ? "a predicate"
               : ir3_is_general(&access[i]) && access[i].number < IR3_SHARED ? "a register that is not shared"
                                                                             : what;
    if (what)
        find_text(check, at, MSG_LINT_IR3_EARLY_PREAMBLE, "Mesa, ir3.c", what,
                  "use shared registers, consts, up0.x, a1.x");
    return insn->row != IR3_SHPE;
}

/* Who uses a register after its (last), where no branch lies between; what writes it first ends that. */
static void look_after_last(struct a3xx_check *check, uint32_t at, const struct a3xx_access *last)
{
    const struct a3xx_paths *paths = check->paths;
    struct a3xx_access access[A3XX_ACCESS_MAX];
    for (uint32_t i = at; i < paths->count; i++) {
        const struct gpucode_insn *insn = &paths->insn[i];
        if (insn->row == IR3_RAW || (i > at && (insn->bits & IR3_JP || shader_category(insn->bits) == 0)))
            return;
        bool written = false, read = false;
        unsigned count = ir3_accesses(insn, access), steps = ir3_steps(insn) - 1;
        for (unsigned k = 0; k < count; k++) {
            int32_t first = access[k].number, end = first + access[k].count + (access[k].steps ? (int32_t)steps : 0);
            bool same = access[k].file == last->file && first <= last->number && last->number < end;
            written |= access[k].write && ir3_is_general(&access[k]) && (same || access[k].half != last->half);
            read |= !access[k].write && !access[k].relative && same;
        }
        if (i > at && read) {
            struct gpucode_finding *found =
                lint_find(check->context, 0, i, 1, MSG_LINT_IR3_AFTER_LAST, "Mesa, ir3.xml", (unsigned)at);
            if (found) {
                found->has_other = true;
                found->other = at;
                found->fix = "move (last) to the last reader";
            }
            return;
        }
        if (written)
            return;
    }
}

static void look_at_last(struct a3xx_check *check, uint32_t at)
{
    const struct gpucode_insn *insn = &check->paths->insn[at];
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = ir3_steps(insn) == 1 ? ir3_accesses(insn, access) : 0;
    for (unsigned i = 0; i < count; i++)
        if (is_last(insn, &access[i]))
            look_after_last(check, at, &access[i]);
}

/*
 * Places where fibers that went apart meet again and that are outstanding at once: of a branch forward its target, from
 * the branch on; of one backward what comes after it, from its target on.
 */
static void look_at_branch_stack(struct a3xx_check *check)
{
    enum { DEEPEST = 64 };
    const struct a3xx_paths *paths = check->paths;
    const struct gpucode_declaration *given = declared(check, "branchstack");
    uint32_t most = given && given->value[0] < DEEPEST ? given->value[0] : DEEPEST;
    int32_t depth = 0, *change = lint_memory(check->context, (size_t)paths->count + 2, sizeof *change);
    uint32_t *from = lint_memory(check->context, (size_t)paths->count + 2, sizeof *from); /* of each place, and 1 */
    for (uint32_t i = 0; change && from && i < paths->count; i++) {
        if (!paths->reached[i] || !(shader_marks(&paths->insn[i]) & SHADER_DIVIDES))
            continue;
        uint32_t target = a3xx_target(paths->insn, paths->count, i);
        uint32_t first = target > i ? i + 1 : target, place = target > i ? target : i + 1;
        if (place < paths->count && first < place && (!from[place] || first < from[place] - 1))
            from[place] = first + 1;
    }
    for (uint32_t place = 0; change && from && place < paths->count; place++)
        if (from[place]) {
            change[from[place] - 1]++;
            change[place]--;
        }
    for (uint32_t i = 0; change && from && i < paths->count; i++)
        if ((depth += change[i]) > (int32_t)most) {
            lint_find(check->context, 0, i, 1, MSG_LINT_IR3_BRANCH_STACK, "Mesa, ir3_legalize.c", (unsigned)depth,
                      (unsigned)most);
            return;
        }
}

/* --- all
 * ---------------------------------------------------------------------------------------------------------------- */

static void look_at(struct a3xx_check *check, uint32_t at)
{
    const struct gpucode_insn *insn = &check->paths->insn[at];
    struct a3xx_access access[A3XX_ACCESS_MAX];
    if (insn->row == IR3_RAW) {
        lint_shader_find(check, at, MSG_LINT_IR3_WORD, "the encoding's tables", "replace it, or take it out");
        return;
    }
    unsigned count = ir3_accesses(insn, access);
    for (unsigned i = 0; i < count; i++) {
        look_at_consts(check, insn, &access[i]);
        if (insn->target->generation < IR3_A6XX)
            look_at_predicates(check, insn, &access[i]);
    }
    look_at_sources(check, insn, access, count);
    look_at_features(check, insn, access, count);
    look_at_alias(check, at);
    look_at_join(check, at);
    if (insn->target->generation >= IR3_A7XX)
        look_at_last(check, at);
}

void ir3_check_words(struct a3xx_check *check)
{
    static const struct shader_flow_rules rules = {
        .reference = "Mesa, ir3.xml",
        .end_reference = "Mesa, ir3.xml",
        .unreachable = MSG_LINT_IR3_UNREACHABLE,
        .target = MSG_LINT_IR3_TARGET,
        .no_end = MSG_LINT_IR3_NO_END,
        .runs_out = MSG_LINT_IR3_RUNS_OUT,
    };
    bool predicated = false, preamble = false, early = declared(check, "earlypreamble");
    for (uint32_t i = 0; i < check->paths->count; i++) {
        predicated = check->paths->reached[i] ? look_at_predication(check, i, predicated) : predicated;
        preamble = early && look_at_preamble(check, i, preamble);
    }
    look_at_branch_stack(check);
    shader_check_flow(check, &rules, look_at);
}
