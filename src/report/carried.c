/* SPDX-License-Identifier: MIT */
/* A symbol file for another version of the code: its lines as they were, with the places that the new image has. */
#include "report/subject.h"

#include <gpucode/diagnostic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_CARRIED
#include <gpucode/answer_rows.h>

REPORT_TABLE(gpucode_report_carried_table, "symbols", "Names carried over to another image: `symbols`.")

struct carrying {
    const struct gpucode_subject *before, *after;
    const struct gpucode_comparison *comparison;
    const char *file;
    const struct gpucode_symbols *symbols; /* of the old target, read from the file */
    struct gpucode_answer *answer;
    FILE *out;
    unsigned carried, moved, lost, lines;
    enum gpucode_status status;
};

/* A line and the symbol on it. */
struct carried_line {
    const char *at, *end; /* without its end of line */
    unsigned number;
    bool named;
    struct gpucode_label label;
};

static void lose(struct carrying *carrying, const struct carried_line *line, const char *reason)
{
    struct gpucode_answer *answer = carrying->answer;
    gpucode_answer_begin(answer, &fields[NAME]);
    gpucode_answer_text(answer, &fields[FILE_NAME], carrying->file);
    gpucode_answer_number(answer, &fields[LINE], line->number);
    gpucode_answer_text(answer, &fields[NAME_TEXT], line->label.name);
    gpucode_answer_text(answer, &fields[REASON], reason);
    gpucode_answer_end(answer);
    carrying->lost++;
    fprintf(carrying->out, "; lost: %.*s\n", (int)(line->end - line->at), line->at);
}

static void keep(struct carrying *carrying, const struct carried_line *line)
{
    carrying->carried++;
    fprintf(carrying->out, "%.*s\n", (int)(line->end - line->at), line->at);
}

static uint32_t section_of(const struct gpucode_image_info *info, const char *name)
{
    uint32_t section = 0;
    if (strcmp(name, "*") == 0 || strcmp(name, "-") == 0)
        return 0;
    while (section < info->section_count && strcmp(info->sections[section].name, name) != 0)
        section++;
    return section < info->section_count ? section : GPUCODE_NONE;
}

static const char *skip(const char *at, const char *end, bool space)
{
    while (at < end && (*at == ' ' || *at == '\t') == space)
        at++;
    return at;
}

/* Section and value are written anew, what stands around them stays. */
static void put_place(struct carrying *carrying, const struct carried_line *line,
                      const struct gpucode_carried_place *place)
{
    const struct gpucode_image_info *info = gpucode_image_info(carrying->after->image);
    const char *kind = skip(line->at, line->end, true), *after = skip(kind, line->end, false);
    const char *value = skip(after, line->end, true), *rest = skip(value, line->end, false);
    bool first = (*kind == '*' || *kind == '-') && !place->section;
    int written = first ? (int)(after - kind) : (int)strlen(info->sections[place->section].name);
    fprintf(carrying->out, "%.*s%.*s", (int)(kind - line->at), line->at, written,
            first ? kind : info->sections[place->section].name);
    fprintf(carrying->out, "%.*s0x%04" PRIx32 "%.*s\n", (int)(value - after), after, place->unit,
            (int)(line->end - rest), rest);
}

static void carry_place(struct carrying *carrying, const struct carried_line *line)
{
    const struct gpucode_image_info *info = gpucode_image_info(carrying->before->image);
    uint32_t section = section_of(info, line->label.section);
    if (section == GPUCODE_NONE || line->label.value > info->sections[section].size) {
        lose(carrying, line, "it is not a place of the old image");
        return;
    }
    struct gpucode_carried_place place = {.section = section, .unit = (uint32_t)line->label.value};
    if (carrying->comparison)
        carrying->status = gpucode_comparison_place(carrying->comparison, section, place.unit, &place);
    if (carrying->status != GPUCODE_OK)
        return;
    if (place.unit == GPUCODE_NONE) {
        bool known =
            gpucode_analysis_owner(carrying->before->analysis, section, (uint32_t)line->label.value) != GPUCODE_NONE;
        lose(carrying, line, known ? "the new code has nothing like this place" : "the new code has no such data");
        return;
    }
    carrying->carried++;
    carrying->moved += place.unit != (uint32_t)line->label.value;
    put_place(carrying, line, &place);
}

/* Names of registers, packets and flags belong to the chip; the new one may have no such thing. */
static void carry_register(struct carrying *carrying, const struct carried_line *line)
{
    struct gpucode_symbols *symbols;
    const struct gpucode_target *target = gpucode_image_info(carrying->after->image)->target;
    carrying->status = gpucode_symbols_create(target, carrying->after->names, &symbols);
    if (carrying->status != GPUCODE_OK)
        return;
    enum gpucode_status status = gpucode_symbols_read(symbols, line->at, (size_t)(line->end - line->at), carrying->file,
                                                      (struct gpucode_diagnostic_handler){0});
    gpucode_symbols_free(symbols);
    if (status == GPUCODE_OK)
        keep(carrying, line);
    else if (status == GPUCODE_ERROR_INPUT)
        lose(carrying, line, "the new target has no such thing, or calls something else so");
    else
        carrying->status = status;
}

/* The line that says which image the names are of. */
static bool is_image_line(const struct carried_line *line)
{
    const char *at = skip(line->at, line->end, true);
    if (at < line->end && (*at == ';' || *at == '#'))
        at = skip(at + 1, line->end, true);
    else
        return false;
    return line->end - at > 8 && memcmp(at, "image 0x", 8) == 0;
}

static void carry_line(struct carrying *carrying, const struct carried_line *line)
{
    const char *first = skip(line->at, line->end, true), *stop = skip(first, line->end, false);
    bool source = (stop - first == 1 && *first == '@') || (stop - first == 3 && memcmp(first, "use", 3) == 0);
    if (line->named && line->label.kind == GPUCODE_LABEL_CODE)
        carry_place(carrying, line);
    else if (line->named && line->label.kind == GPUCODE_LABEL_REGISTER)
        carry_register(carrying, line);
    else if (line->named)
        keep(carrying, line);
    else if (source && carrying->comparison)
        carrying->lines++;
    else if (!is_image_line(line))
        fprintf(carrying->out, "%.*s\n", (int)(line->end - line->at), line->at);
}

static void carry_all(struct carrying *carrying, const char *text, size_t length)
{
    const char *end = text + length, *file;
    struct carried_line line = {.at = text};
    unsigned index = 0;
    size_t offset;
    for (; carrying->status == GPUCODE_OK && line.at < end; line.at = line.end + 1) {
        const char *newline = memchr(line.at, '\n', (size_t)(end - line.at));
        line.end = newline ? newline : end;
        line.number++;
        line.named = gpucode_symbols_origin(carrying->symbols, index, &file, &offset) &&
                     offset < (size_t)(line.end - text) && gpucode_symbols_at(carrying->symbols, index, &line.label);
        index += line.named;
        if (line.end > line.at && line.end[-1] == '\r') {
            line.end--;
            carry_line(carrying, &line);
            line.end++;
        } else {
            carry_line(carrying, &line);
        }
    }
}

static enum gpucode_status write_all(struct carrying *carrying, const char *text, size_t length, char **out,
                                     size_t *out_length)
{
    size_t size;
    struct gpucode_answer *answer = carrying->answer;
    const void *bytes = gpucode_image_bytes(carrying->after->image, &size);
    if (!(carrying->out = open_memstream(out, out_length)))
        return GPUCODE_ERROR_MEMORY;
    fprintf(carrying->out, "; image 0x%016" PRIx64 "\n", gpucode_bytes_hash(bytes, size));
    gpucode_answer_begin(answer, &fields[CARRIED]);
    gpucode_answer_begin(answer, &fields[NAMES]);
    carry_all(carrying, text, length);
    gpucode_answer_end(answer);
    gpucode_answer_number(answer, &fields[COUNT], carrying->carried);
    gpucode_answer_number(answer, &fields[MOVED], carrying->moved);
    gpucode_answer_number(answer, &fields[LOST], carrying->lost);
    gpucode_answer_number(answer, &fields[LINES], carrying->lines);
    if (carrying->lines)
        gpucode_answer_number(answer, &fields[LINES_TEXT], carrying->lines);
    gpucode_answer_text(answer, &fields[END], "");
    gpucode_answer_end(answer);
    bool good = fflush(carrying->out) == 0 && !ferror(carrying->out);
    good &= fclose(carrying->out) == 0 && *out; /* it may give null, and tell of nothing */
    return !good ? GPUCODE_ERROR_MEMORY : carrying->status;
}

enum gpucode_status gpucode_report_carried(const struct gpucode_subject *before, const struct gpucode_subject *after,
                                           const struct gpucode_symbol_text *names,
                                           struct gpucode_diagnostic_handler on_diagnostic,
                                           struct gpucode_answer *answer, char **out, size_t *length, unsigned *lost)
{
    if (!before || !after || !before->image || !after->image || !names || !names->text || !out || !length || !answer ||
        (before->image != after->image && (!before->analysis || !after->analysis)))
        return GPUCODE_ERROR_ARGUMENT;
    struct carrying carrying = {.before = before, .after = after, .answer = answer};
    struct gpucode_comparison *comparison = NULL;
    struct gpucode_symbols *symbols = NULL;
    *out = NULL;
    carrying.file = names->file ? names->file : "<symbols>";
    enum gpucode_status status =
        gpucode_symbols_create(gpucode_image_info(before->image)->target, before->names, &symbols);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_read(symbols, names->text, names->length, carrying.file, on_diagnostic);
    if (status == GPUCODE_OK && before->image != after->image)
        status = gpucode_compare(before->analysis, after->analysis, &comparison);
    if (status == GPUCODE_OK) /* warns of another image than the old one, and refuses places that it has not */
        status = gpucode_symbols_bind(symbols, before->image, on_diagnostic);
    carrying.symbols = symbols;
    carrying.comparison = comparison;
    if (status == GPUCODE_OK)
        status = write_all(&carrying, names->text, names->length, out, length);
    if (status != GPUCODE_OK) {
        free(*out);
        *out = NULL;
    }
    gpucode_comparison_free(comparison);
    gpucode_symbols_free(symbols);
    if (lost)
        *lost = carrying.lost;
    return status == GPUCODE_OK ? gpucode_answer_status(answer) : status;
}
