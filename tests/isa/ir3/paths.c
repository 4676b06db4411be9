/* SPDX-License-Identifier: MIT */
/*
 * A program is all its paths: what lint tells of waiting in one with branches and loops is what it tells of the
 * instructions of each path, one after the other.
 */
#include "assembling.h"

#include <gpucode/lint.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LINES = 14, PATH_STEPS = 60, HAZARDS = 8 };

struct walker {
    const struct gpucode_target *target;
    char line[PATH_LINES][80];
    int to[PATH_LINES];     /* where a branch leads, else -1 */
    bool jumps[PATH_LINES]; /* always */
    unsigned step[PATH_STEPS], paths;
    const unsigned *unit_of; /* the line of each unit of what is checked */
    bool *found;             /* by line and hazard */
    bool whole[PATH_LINES * HAZARDS], any[PATH_LINES * HAZARDS];
};

static void note_hazard(void *user, const struct gpucode_finding *finding)
{
    static const char *const hazards[HAZARDS] = {"-lint-delay",     "-lint-ss",        "-lint-sy",
                                                 "-lint-in-use",    "-lint-in-use-sy", "-lint-consts-ss",
                                                 "-lint-consts-sy", "-lint-unfenced"};
    struct walker *walker = user;
    const char *code = strstr(finding->code, "-lint-");
    for (unsigned i = 0; i < HAZARDS; i++)
        if (strcmp(code, hazards[i]) == 0)
            walker->found[walker->unit_of[finding->unit] * HAZARDS + i] = true;
}

static void lint_lines(struct walker *walker, const char *text, const unsigned *unit_of, bool *found)
{
    struct assembled out;
    const char *name = gpucode_target_name(walker->target);
    const struct gpucode_lint_options options = {.report = note_hazard, .user = walker};
    assemble_text(&out, text, name);
    if (out.status != GPUCODE_OK)
        fail_msg("%s: %s\n%s", name, heard_text(&out.heard), text);
    struct gpucode_image *image = image_made(&out, name);
    walker->unit_of = unit_of;
    walker->found = found;
    assert_int_equal(gpucode_lint(image, &options, NULL), GPUCODE_OK);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

/* The instructions of a path one after the other; a branch is there, and leads to the next one. */
static void check_path(struct walker *walker, unsigned steps)
{
    char text[PATH_STEPS * 100], *at = text;
    unsigned unit_of[PATH_STEPS + 1] = {0};
    for (unsigned i = 0; i < steps; i++) {
        unsigned line = walker->step[i];
        unit_of[i] = line;
        if (walker->to[line] < 0)
            at += sprintf(at, "l%u: %s\n", i, walker->line[line]);
        else
            at += sprintf(at, "l%u: %s #l%u\n", i, walker->line[line], i + 1);
    }
    sprintf(at, "l%u: end\n", steps);
    unit_of[steps] = PATH_LINES - 1;
    lint_lines(walker, text, unit_of, walker->any);
    walker->paths++;
}

/* Goes all ways from a line; back to one place as often as changes what is waited for. */
static void walk_from(struct walker *walker, unsigned line, unsigned steps, unsigned back)
{
    for (; line + 1 < PATH_LINES; line++) {
        assert_true(steps < PATH_STEPS);
        walker->step[steps++] = line;
        int to = walker->to[line];
        if (to < 0)
            continue;
        bool loops = to <= (int)line;
        if (!loops || back < 2)
            walk_from(walker, (unsigned)to, steps, back + loops);
        if (walker->jumps[line])
            return;
    }
    check_path(walker, steps);
}

static const char *const some_lines[] = {
    "add.f r0.x, r1.x, r1.y",
    "mad.f32 r0.y, r0.x, r1.x, r0.z",
    "rsq r0.z, r0.y",
    "sam (f32)(xy)r0.x, r1.x, s#0, t#0",
    "mov.f32f32 r1.x, r0.z",
    "mova a0.x, hr6.x",
    "mov.f32f32 r0.w, c<a0.x + 1>",
    "(ss)mov.f32f32 r1.y, r0.y",
    "(sy)add.f r0.z, r0.x, r0.y",
    "(rpt1)nop",
    "(rpt2)nop",
    "nop",
    "add.f hr6.x, hr6.y, hr6.y",
    "cov.f16f32 r0.y, hr6.x",
    "(rpt1)mul.f r0.x, (r)r0.y, (r)r1.x",
    "cmps.f.lt p0.x, r0.x, r0.y",
    /* of a6xx and later */
    "ldl.u32 r0.x, l[r1.x], 1",
    "stg.f32 g[r1.x], r0.x, 1",
    "stc.u32 c[0], r0.x, 1",
    "ldg.k.u32 c[0], g[r0.x], 1",
    "add.f r0.y, c0.x, r0.z",
    "bar.g",
    "(ss)(sy)nop",
};
#define COMMON_LINES 16u

static void make_lines(struct walker *walker, uint64_t *seed, const char *target)
{
    bool loop = next_random(seed) % 4 == 0, later = strcmp(target, "ir3:a6xx") >= 0;
    unsigned count = later ? sizeof some_lines / sizeof *some_lines : COMMON_LINES;
    *walker = (struct walker){.target = target_named(target)};
    for (unsigned i = 0; i < PATH_LINES; i++) {
        snprintf(walker->line[i], sizeof walker->line[i], "%s", some_lines[next_random(seed) % count]);
        walker->to[i] = -1;
    }
    for (unsigned i = 0; i < 3; i++) {
        unsigned at = 1 + next_random(seed) % (PATH_LINES - 3);
        walker->to[at] = (int)(at + 1 + next_random(seed) % (PATH_LINES - 1 - at));
        walker->jumps[at] = i == 2 && !loop;
        if (i == 2 && loop)
            walker->to[at] = (int)(next_random(seed) % at);
        snprintf(walker->line[at], sizeof walker->line[at], "%s", walker->jumps[at] ? "jump" : "br p0.x,");
    }
}

/* Of a line with several hazards lint may tell of one alone; how many it tells of. */
static unsigned check_line(const struct walker *walker, unsigned line, const char *text)
{
    const bool *whole = walker->whole + line * HAZARDS, *any = walker->any + line * HAZARDS;
    unsigned told = 0, on_paths = 0;
    for (unsigned i = 0; i < HAZARDS; i++) {
        if (whole[i] && !any[i])
            fail_msg("line %u, hazard %u of %s is on no path\n%s", line, i, gpucode_target_name(walker->target), text);
        told += whole[i];
        on_paths += any[i];
    }
    if (on_paths && !told)
        fail_msg("line %u of %s has a hazard on a path\n%s", line, gpucode_target_name(walker->target), text);
    if (on_paths == 1)
        assert_int_equal(told, 1);
    return told;
}

/* What lint says of an instruction is what it says on one of the paths that lead there. */
static void hazards_are_those_of_paths(void)
{
    static const char *const targets[] = {"a3xx", "ir3:a4xx", "ir3:a5xx", "ir3:a6xx", "ir3:a7xx"};
    static struct walker walker;
    unsigned unit_of[PATH_LINES], told = 0;
    uint64_t seed = 2026;
    for (unsigned i = 0; i < PATH_LINES; i++)
        unit_of[i] = i;
    for (unsigned round = 0; round < test_rounds(400, 10000); round++) {
        char text[PATH_LINES * 100], *at = text;
        const char *target = targets[round % 5];
        make_lines(&walker, &seed, target);
        for (unsigned i = 0; i + 1 < PATH_LINES; i++)
            at += walker.to[i] < 0 ? sprintf(at, "l%u: %s\n", i, walker.line[i])
                                   : sprintf(at, "l%u: %s #l%d\n", i, walker.line[i], walker.to[i]);
        sprintf(at, "l%u: end\n", PATH_LINES - 1);
        lint_lines(&walker, text, unit_of, walker.whole);
        walk_from(&walker, 0, 0, 0);
        for (unsigned i = 0; i < PATH_LINES; i++)
            told += check_line(&walker, i, text);
    }
    assert_true(told > 400);
}

TESTS(paths, hazards_are_those_of_paths)
