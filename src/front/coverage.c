/* SPDX-License-Identifier: MIT */
/* Coverage: the answer of the library, and lcov. */
#include "front/coverage.h"

#include "front/answer.h"
#include "front/code.h"
#include "front/grow.h"
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

/* The answer is complete before the file is written: no file stays where there was no memory for the answer. */
static int write_and_tell(struct session *session, const struct gpucode_coverage *coverage, const struct input *input,
                          const struct gpucode_coverage_options *options)
{
    const char *lcov = session->arguments.value[OPTION_LCOV];
    struct gpucode_answer *answer;
    char *text = NULL;
    size_t length;
    if (lcov && strcmp(lcov, "-") == 0) /* which takes standard output */
        return write_lcov(session, coverage, input, lcov);
    answer = gpucode_answer_create();
    gpucode_coverage_tell(coverage, options, answer);
    int code = answer_text(session, answer, &text, &length);
    gpucode_answer_free(answer);
    if (!code && lcov)
        code = write_lcov(session, coverage, input, lcov);
    if (!code)
        fwrite(text, 1, length, stdout);
    free(text);
    return code;
}

int coverage_tell(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                  const char *section, const struct gpucode_coverage_options *options)
{
    struct gpucode_coverage coverage;
    struct gpucode_coverage_options all = *options;
    enum gpucode_status status = gpucode_coverage_find(machine, input->image, input_outline(input), section, &coverage);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    all.file = input->file.name;
    all.analysis = arguments_have(&session->arguments, OPTION_COMMENTS) ? input_analysis(input) : NULL;
    int code = write_and_tell(session, &coverage, input, &all);
    gpucode_coverage_free(&coverage);
    return code;
}

/* --- writing --- */

int edges_begin(struct session *session, struct edges *edges, const struct gpucode_image *image, const char *path)
{
    *edges = (struct edges){.path = path};
    enum gpucode_status status = path ? gpucode_walk_create(image, &edges->walk) : GPUCODE_OK;
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, path, status);
}

void edges_note(struct edges *edges, const struct gpucode_machine *machine, const struct gpucode_event *event)
{
    if (edges->walk && event->kind == GPUCODE_EVENT_INSN)
        gpucode_walk_step(edges->walk, event->processor, gpucode_machine_section(machine, event->processor), event->pc);
}

static bool note_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    edges_note(user, machine, event);
    return false;
}

void edges_hook(struct edges *edges, struct gpucode_machine *machine)
{
    if (edges->walk)
        gpucode_machine_hook(machine, GPUCODE_EVENT_INSN, note_event, edges);
}

/* Edges as they are written. */
struct edges_told {
    const struct gpucode_image_info *info;
    const struct gpucode_seen_edge *list;
    size_t count;
};

static void put_edges(FILE *out, const void *user)
{
    const struct edges_told *told = user;
    fprintf(out, "# section\tfrom\tto\n");
    for (const struct gpucode_seen_edge *edge = told->list; edge < told->list + told->count; edge++)
        fprintf(out, "%s\t%" PRIu32 "\t%" PRIu32 "\n", told->info->sections[edge->section].name, edge->from, edge->to);
}

static int write_edges(struct session *session, struct edges *edges, const struct gpucode_image *image)
{
    struct edges_told told = {.info = gpucode_image_info(image)};
    told.list = gpucode_walk_edges(edges->walk, &told.count);
    if (!told.list)
        return out_of_memory(&session->diagnostics);
    return outputs_write_text(&session->diagnostics, edges->path, put_edges, &told);
}

int edges_finish(struct session *session, struct edges *edges, const struct gpucode_image *image, int code)
{
    bool ran = code == EXIT_DONE || code == EXIT_FINDINGS;
    int written = ran && edges->walk ? write_edges(session, edges, image) : EXIT_DONE;
    gpucode_walk_free(edges->walk);
    return written ? written : code;
}

/* Zeroed: empty. The owner frees `items`. */
struct edge_list {
    struct gpucode_seen_edge *items;
    size_t count, room;
};

/* False: out of memory. */
static bool edges_add(struct edge_list *list, struct gpucode_seen_edge edge)
{
    if (!grow(&list->items, list->count, &list->room, sizeof *list->items))
        return false;
    list->items[list->count++] = edge;
    return true;
}

/* --- reading --- */

struct edges_reader {
    struct diagnostics *diagnostics;
    const struct gpucode_image_info *info;
    struct gpucode_diagnostic place; /* of the line, in which `at` is told as a column */
    const char *at, *end;            /* what is left of the line */
    struct edge_list edges;
};

/* What is wrong with `length` bytes at a place of the line. */
static int complain_of(struct edges_reader *reader, const char *at, size_t length, const char *message)
{
    reader->place.column = (unsigned)(at - reader->place.source) + 1;
    reader->place.length = (unsigned)(length ? length : 1);
    return complain_at(reader->diagnostics, CLI_EDGES, &reader->place, NULL, message);
}

static int complain_form(struct edges_reader *reader)
{
    return complain_of(reader, reader->at, (size_t)(reader->end - reader->at),
                       "expected a section's name and two numbers, with tabs between them");
}

static int read_section(struct edges_reader *reader, unsigned *section)
{
    const char *tab = memchr(reader->at, '\t', (size_t)(reader->end - reader->at));
    size_t length = (size_t)((tab ? tab : reader->end) - reader->at);
    for (*section = 0; *section < reader->info->section_count; ++*section)
        if (strlen(reader->info->sections[*section].name) == length &&
            memcmp(reader->info->sections[*section].name, reader->at, length) == 0)
            break;
    if (*section == reader->info->section_count)
        return complain_of(reader, reader->at, length, "there is no section of that name");
    reader->at += length;
    return EXIT_DONE;
}

/* A tab and a number that is a unit of the section. */
static int read_unit(struct edges_reader *reader, unsigned section, uint32_t *unit)
{
    uint64_t value = 0;
    if (reader->at == reader->end || *reader->at != '\t' || reader->at + 1 == reader->end || reader->at[1] < '0' ||
        reader->at[1] > '9')
        return complain_form(reader);
    const char *first = ++reader->at;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        value = value > UINT32_MAX ? value : 10 * value + (unsigned)(*reader->at - '0');
    if (value >= reader->info->sections[section].size)
        return complain_of(reader, first, (size_t)(reader->at - first), "the section is not so long");
    *unit = (uint32_t)value;
    return EXIT_DONE;
}

static int read_line(struct edges_reader *reader)
{
    struct gpucode_seen_edge edge;
    int code = read_section(reader, &edge.section);
    if (!code)
        code = read_unit(reader, edge.section, &edge.from);
    if (!code)
        code = read_unit(reader, edge.section, &edge.to);
    while (!code && reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\r'))
        reader->at++;
    if (code || reader->at < reader->end)
        return code ? code : complain_form(reader);
    return edges_add(&reader->edges, edge) ? EXIT_DONE : out_of_memory(reader->diagnostics);
}

int edges_parse(struct diagnostics *diagnostics, const struct file *file, const struct gpucode_image *image,
                struct gpucode_seen_edge **list, size_t *count)
{
    struct edges_reader reader = {.diagnostics = diagnostics, .info = gpucode_image_info(image)};
    const char *end = file->bytes + file->size;
    int code = EXIT_DONE;
    reader.place = (struct gpucode_diagnostic){.file = file->name};
    for (const char *line = file->bytes; !code && line < end; line = reader.end + 1) {
        reader.at = line;
        reader.end = memchr(line, '\n', (size_t)(end - line));
        if (!reader.end)
            reader.end = end;
        reader.place.source = line;
        reader.place.source_length = (size_t)(reader.end - line);
        reader.place.line++;
        if (line < reader.end && *line != '#' && *line != '\r')
            code = read_line(&reader);
    }
    if (code)
        free(reader.edges.items);
    *list = code ? NULL : reader.edges.items;
    *count = code ? 0 : reader.edges.count;
    return code;
}

int edges_read(struct session *session, const char *path, const struct gpucode_image *image,
               struct gpucode_seen_edge **list, size_t *count)
{
    struct file file;
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    code = edges_parse(&session->diagnostics, &file, image, list, count);
    file_free(&file);
    return code;
}
