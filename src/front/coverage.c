/* SPDX-License-Identifier: MIT */
/* Coverage: the answer of the library, and lcov. */
#include "front/coverage.h"
#include "front/answer.h"
#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line with an instruction on it. */
struct line {
    const char *file;
    unsigned number;
    uint32_t unit; /* first of its instructions, of all units */
    bool ran;      /* any of them */
};

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order)
        return order;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* Where a unit is: in the source, or in the listing whose lines are counted up from those of earlier units. */
static bool find_line(const struct gpucode_coverage *coverage, const struct input *input,
                      const struct gpucode_unit *unit, const char *listing, size_t *counted, struct line *line)
{
    struct gpucode_line place;
    const char *text = gpucode_outline_text(coverage->outline, NULL);
    if (input->program) {
        if (!gpucode_program_line(input->program, unit->unit, &place))
            return false;
        line->file = place.file;
        line->number = place.line;
        return true;
    }
    for (; *counted < unit->line; ++*counted)
        line->number += text[*counted] == '\n';
    line->file = listing;
    return true;
}

static size_t find_lines(const struct gpucode_coverage *coverage, const struct input *input, const char *listing,
                         struct line *lines)
{
    struct line line = {.number = 1};
    size_t count = 0, kept = 0, counted = 0;
    for (uint32_t i = 0; i < coverage->unit_count; i++) {
        const struct gpucode_unit *unit = &coverage->units[i];
        if (!gpucode_coverage_is_insn(coverage, unit) || !find_line(coverage, input, unit, listing, &counted, &line))
            continue;
        line.unit = i;
        line.ran = gpucode_coverage_has_run(coverage, unit);
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++) {
        struct line *last = kept ? &lines[kept - 1] : NULL;
        if (last && last->number == lines[i].number && strcmp(last->file, lines[i].file) == 0)
            last->ran |= lines[i].ran;
        else
            lines[kept++] = lines[i];
    }
    return kept;
}

static void write_routine_name(FILE *out, const struct gpucode_coverage *coverage,
                               const struct gpucode_routine *routine)
{
    if (coverage->info->section_count > 1)
        fprintf(out, "%s:", coverage->info->sections[routine->section].name);
    fprintf(out, "%s\n", routine->name);
}

/* The routines that begin on lines of one file. */
static void write_function_records(FILE *out, const struct gpucode_coverage *coverage, const struct line *lines,
                                   size_t count)
{
    unsigned found = 0, hit = 0;
    for (size_t i = 0; i < count; i++) {
        const struct gpucode_unit *unit = &coverage->units[lines[i].unit];
        if (unit->routine == GPUCODE_NONE || coverage->routines[unit->routine].first != lines[i].unit)
            continue;
        const struct gpucode_routine *routine = &coverage->routines[unit->routine];
        bool ran = coverage->count[unit->routine].ran != 0;
        fprintf(out, "FN:%u,", lines[i].number);
        write_routine_name(out, coverage, routine);
        fprintf(out, "FNDA:%d,", ran);
        write_routine_name(out, coverage, routine);
        found++;
        hit += ran;
    }
    fprintf(out, "FNF:%u\nFNH:%u\n", found, hit);
}

static void write_line_records(FILE *out, const struct line *lines, size_t count)
{
    size_t hit = 0;
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "DA:%u,%d\n", lines[i].number, lines[i].ran);
        hit += lines[i].ran;
    }
    fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", count, hit);
}

char *coverage_lcov(const struct gpucode_coverage *coverage, const struct input *input, size_t *length)
{
    const char *name = input->file.name;
    size_t size = strlen(name) + sizeof ".asm", end;
    char *listing = malloc(size), *text = NULL;
    struct line *lines = malloc(((size_t)coverage->unit_count + 1) * sizeof *lines);
    FILE *out = listing && lines ? text_stream_open(&text, length) : NULL;
    if (out) {
        snprintf(listing, size, "%s.asm", name);
        size_t count = find_lines(coverage, input, listing, lines);
        fputs("TN:\n", out);
        for (size_t first = 0; first < count; first = end) {
            for (end = first; end < count && strcmp(lines[end].file, lines[first].file) == 0;)
                end++;
            fputs("SF:", out);
            excerpt_text(out, lines[first].file, strlen(lines[first].file));
            fputc('\n', out);
            write_function_records(out, coverage, lines + first, end - first);
            write_line_records(out, lines + first, end - first);
        }
        if (!text_stream_close(out)) {
            free(text);
            text = NULL;
        }
    }
    free(listing);
    free(lines);
    return text;
}

/* --- the commands ------------------------------------------------------------------------------------------------- */

static int write_lcov(struct session *session, const struct gpucode_coverage *coverage, const struct input *input,
                      const char *path)
{
    size_t length;
    char *text = coverage_lcov(coverage, input, &length);
    if (!text)
        return out_of_memory(&session->diagnostics);
    int code = outputs_write(&session->diagnostics, path, text, length);
    free(text);
    return code;
}

int coverage_tell(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                  const char *section, const struct gpucode_coverage_options *options)
{
    const char *lcov = session->arguments.value[OPTION_LCOV];
    struct gpucode_coverage coverage;
    struct gpucode_coverage_options all = *options;
    enum gpucode_status status = gpucode_coverage_find(machine, input->image, input_outline(input), section, &coverage);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    int code = lcov ? write_lcov(session, &coverage, input, lcov) : EXIT_DONE;
    all.file = input->file.name;
    all.analysis = arguments_have(&session->arguments, OPTION_COMMENTS) ? input_analysis(input) : NULL;
    if (!code && !(lcov && strcmp(lcov, "-") == 0)) { /* else standard output is taken */
        struct gpucode_answer *answer = answer_begin(session);
        gpucode_coverage_tell(&coverage, &all, answer);
        code = answer_end(session, answer);
    }
    gpucode_coverage_free(&coverage);
    return code;
}
