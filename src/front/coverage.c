/* SPDX-License-Identifier: MIT */
#include "front/coverage.h"

#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "front/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool coverage_has_run(const struct coverage *coverage, const struct gpucode_unit *unit)
{
    return unit->unit < coverage->info->units && coverage->ran[unit->unit];
}

/* Is the unit an instruction of a section that the machine has? What ran is one, whatever its text. */
static bool coverage_is_insn(const struct coverage *coverage, const struct gpucode_unit *unit)
{
    return coverage->present[unit->section] && (unit->kind == GPUCODE_UNIT_CODE || coverage_has_run(coverage, unit));
}

/* Sections, at least one. */
static unsigned coverage_sections(const struct coverage *coverage)
{
    return coverage->info->section_count ? coverage->info->section_count : 1;
}

/* Name of a section; "" for the only one of an image without sections. */
static const char *coverage_section(const struct coverage *coverage, unsigned section)
{
    return section < coverage->info->section_count ? coverage->info->sections[section].name : "";
}

static enum gpucode_status make_outline(struct coverage *coverage)
{
    coverage->outline = input_outline(coverage->input);
    if (!coverage->outline)
        return GPUCODE_ERROR_MEMORY;
    coverage->units = gpucode_outline_units(coverage->outline, &coverage->unit_count);
    coverage->routines = gpucode_outline_routines(coverage->outline, &coverage->routine_count);
    coverage->ran = calloc((size_t)coverage->info->units + 1, 1);
    coverage->present = calloc((size_t)coverage->info->section_count + 1, sizeof *coverage->present);
    coverage->count = calloc((size_t)coverage->routine_count + 1, sizeof *coverage->count);
    return coverage->ran && coverage->present && coverage->count ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

static void count_units(struct coverage *coverage)
{
    for (uint32_t i = 0; i < coverage->unit_count; i++) {
        const struct gpucode_unit *unit = &coverage->units[i];
        if (unit->routine == GPUCODE_NONE)
            continue;
        coverage->count[unit->routine].instructions += coverage_is_insn(coverage, unit);
        coverage->count[unit->routine].ran += coverage_has_run(coverage, unit);
    }
}

enum gpucode_status coverage_find(struct coverage *coverage, const struct input *input,
                                  const struct gpucode_machine *machine, const char *section)
{
    *coverage = (struct coverage){.input = input, .info = gpucode_image_info(input->image)};
    enum gpucode_status status = make_outline(coverage);
    if (status != GPUCODE_OK) {
        coverage_free(coverage);
        return status;
    }
    gpucode_machine_ran(machine, input->image, coverage->ran);
    const char *name;
    for (unsigned i = 0; (name = gpucode_machine_processor(machine, i)); i++)
        if (!section || strcmp(section, name) == 0)
            coverage->present[gpucode_machine_section(machine, i)] = true;
    count_units(coverage);
    return GPUCODE_OK;
}

void coverage_free(struct coverage *coverage)
{
    free(coverage->ran);
    free(coverage->present);
    free(coverage->count);
    *coverage = (struct coverage){0};
}

/* Coverage as people and programs read it: the listing with marks and a summary, JSON, or lcov. */

/* --- text ---------------------------------------------------------------------------------------------------- */

/* The listing, each line behind + when its instruction ran, - when it did not. */
static void print_listing(const struct coverage *coverage)
{
    size_t length;
    const char *text = gpucode_outline_text(coverage->outline, &length), *at = text, *end = text + length;
    uint32_t next = 0;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline + 1 : end;
        const struct gpucode_unit *unit;
        while (next < coverage->unit_count && text + coverage->units[next].line < at)
            next++;
        const char *mark = "  ";
        if (next < coverage->unit_count && text + (unit = &coverage->units[next])->line == at &&
            coverage_is_insn(coverage, unit))
            mark = coverage_has_run(coverage, unit) ? "+ " : "- ";
        fwrite(*at == '\n' ? "" : mark, 1, *at == '\n' ? 0 : 2, stdout);
        fwrite(at, 1, (size_t)(stop - at), stdout);
        at = stop;
    }
}

static void print_share(uint32_t ran, uint32_t instructions)
{
    unsigned percent = instructions ? (unsigned)(UINT64_C(100) * ran / instructions) : 100;
    printf("%6" PRIu32 " of %6" PRIu32 "  %3u%%", ran, instructions, percent);
}

/* A name of the caller's and the packet's, if it has both. */
static void print_routine(const struct gpucode_routine *routine)
{
    bool both = routine->symbol && routine->packet && strcmp(routine->symbol, routine->packet) != 0;
    printf("  %s%s%s", routine->name, both ? " = " : "", both ? routine->packet : "");
    if (routine->entry_count > 1)
        printf(" and %" PRIu32 " more", routine->entry_count - 1);
}

/* The packets that lead to what no packet names. */
static void print_packets(const struct coverage *coverage, const struct gpucode_routine *routine)
{
    char text[GPUCODE_NOTE_MAX];
    if (coverage->comments && !routine->packet &&
        places_packets(coverage->input, routine->section, coverage->units[routine->first].at, text))
        printf("  from %s", text);
}

static void print_section(const struct coverage *coverage, unsigned section)
{
    struct coverage_count all = {0};
    printf("\n%s%s", coverage_section(coverage, section), *coverage_section(coverage, section) ? "\n" : "");
    for (uint32_t i = 0; i < coverage->routine_count; i++) {
        const struct gpucode_routine *routine = &coverage->routines[i];
        const struct coverage_count *count = &coverage->count[i];
        if (routine->section != section || !count->instructions) /* without instructions: a table */
            continue;
        printf("  0x%04" PRIx64, coverage->units[routine->first].at);
        print_share(count->ran, count->instructions);
        print_routine(routine);
        print_packets(coverage, routine);
        putchar('\n');
        all.ran += count->ran;
        all.instructions += count->instructions;
    }
    printf("  all   ");
    print_share(all.ran, all.instructions);
    putchar('\n');
}

static void print_summary(const struct coverage *coverage)
{
    for (unsigned section = 0; section < coverage_sections(coverage); section++)
        if (coverage->present[section])
            print_section(coverage, section);
}

/* --- JSON ---------------------------------------------------------------------------------------------------- */

/* Runs of units that ran, first and last. */
static void write_runs(struct json *json, const struct coverage *coverage, uint32_t start, uint32_t size)
{
    json_array(json, gpucode_target_unit_bytes(coverage->input->target) == 1 ? "ran_bytes" : "ran_words");
    uint32_t end = size < coverage->info->units - start ? size : coverage->info->units - start;
    const uint8_t *ran = coverage->ran + start;
    for (uint32_t i = 0, last; i < end; i = last + 1) {
        last = i;
        if (!ran[i])
            continue;
        while (last + 1 < end && ran[last + 1])
            last++;
        json_array(json, NULL);
        json_number(json, NULL, i);
        json_number(json, NULL, last);
        json_end(json);
    }
    json_end(json);
}

static void write_routine(struct json *json, const struct coverage *coverage, uint32_t index)
{
    const struct gpucode_routine *routine = &coverage->routines[index];
    bool bytes = gpucode_target_unit_bytes(coverage->input->target) == 1;
    json_object(json, NULL);
    json_string(json, "name", routine->name);
    json_string(json, "symbol", routine->symbol);
    json_string(json, "packet", routine->packet);
    json_number(json, bytes ? "start_bytes" : "start_words", coverage->units[routine->first].at);
    json_number(json, "more_handlers", routine->entry_count > 1 ? routine->entry_count - 1 : 0);
    json_number(json, "ran", coverage->count[index].ran);
    json_number(json, "instructions", coverage->count[index].instructions);
    json_end(json);
}

static void write_sections(struct json *json, const struct coverage *coverage)
{
    json_array(json, "sections");
    for (unsigned section = 0; section < coverage_sections(coverage); section++) {
        if (!coverage->present[section])
            continue;
        bool named = section < coverage->info->section_count;
        json_object(json, NULL);
        json_string(json, "name", coverage_section(coverage, section));
        json_array(json, "routines");
        for (uint32_t i = 0; i < coverage->routine_count; i++)
            if (coverage->routines[i].section == section && coverage->count[i].instructions)
                write_routine(json, coverage, i);
        json_end(json);
        write_runs(json, coverage, named ? coverage->info->sections[section].start : 0,
                   named ? coverage->info->sections[section].size : coverage->info->units);
        json_end(json);
    }
    json_end(json);
}

/* --- all of it ------------------------------------------------------------------------------------------------ */

static int write_lcov(struct session *session, const struct coverage *coverage, const char *path)
{
    size_t length;
    char *text = lcov_text(coverage, &length);
    if (!text)
        return out_of_memory(&session->diagnostics);
    int code = outputs_write(&session->diagnostics, path, text, length);
    free(text);
    return code;
}

int coverage_report(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                    const char *section, const struct coverage_ending *ending)
{
    const char *lcov = session->arguments.value[OPTION_LCOV];
    struct coverage coverage;
    enum gpucode_status status = coverage_find(&coverage, input, machine, section);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    coverage.comments = arguments_have(&session->arguments, OPTION_COMMENTS);
    int code = lcov ? write_lcov(session, &coverage, lcov) : EXIT_DONE;
    bool alone = lcov && strcmp(lcov, "-") == 0; /* standard output is taken */
    if (!code && !alone) {
        struct report report = report_begin(session);
        if (report.is_json) {
            ending->tell(ending->user, &report);
            write_sections(&report.json, &coverage);
        } else {
            print_listing(&coverage);
            print_summary(&coverage);
            ending->tell(ending->user, &report);
        }
        report_end(&report);
    }
    coverage_free(&coverage);
    return code;
}

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
static bool find_line(const struct coverage *coverage, const struct gpucode_unit *unit, const char *listing,
                      size_t *counted, struct line *line)
{
    struct gpucode_line place;
    const char *text = gpucode_outline_text(coverage->outline, NULL);
    if (coverage->input->program) {
        if (!gpucode_program_line(coverage->input->program, unit->unit, &place))
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

static size_t find_lines(const struct coverage *coverage, const char *listing, struct line *lines)
{
    struct line line = {.number = 1};
    size_t count = 0, kept = 0, counted = 0;
    for (uint32_t i = 0; i < coverage->unit_count; i++) {
        const struct gpucode_unit *unit = &coverage->units[i];
        if (!coverage_is_insn(coverage, unit) || !find_line(coverage, unit, listing, &counted, &line))
            continue;
        line.unit = i;
        line.ran = coverage_has_run(coverage, unit);
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

static void write_routine_name(FILE *out, const struct coverage *coverage, const struct gpucode_routine *routine)
{
    if (coverage->info->section_count > 1)
        fprintf(out, "%s:", coverage->info->sections[routine->section].name);
    fprintf(out, "%s\n", routine->name);
}

/* The routines that begin on lines of one file. */
static void write_function_records(FILE *out, const struct coverage *coverage, const struct line *lines, size_t count)
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

char *lcov_text(const struct coverage *coverage, size_t *length)
{
    const char *name = coverage->input->file.name;
    size_t size = strlen(name) + sizeof ".asm", end;
    char *listing = malloc(size), *text = NULL;
    struct line *lines = malloc(((size_t)coverage->unit_count + 1) * sizeof *lines);
    FILE *out = listing && lines ? text_stream_open(&text, length) : NULL;
    if (out) {
        snprintf(listing, size, "%s.asm", name);
        size_t count = find_lines(coverage, listing, lines);
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
