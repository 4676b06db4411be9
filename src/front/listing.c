/* SPDX-License-Identifier: MIT */
#include "front/listing.h"
#include "front/output.h"
#include "front/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_BYTES 8 /* of a row whose units are single bytes */

static bool same_line(const struct gpucode_line *a, const struct gpucode_line *b)
{
    return a->line == b->line && a->source == b->source && strcmp(a->file, b->file) == 0;
}

/* A unit as people write it: little-endian words as numbers, wide ones in halves. */
static void print_unit_bytes(FILE *out, const unsigned char *bytes, unsigned size)
{
    for (unsigned i = size; i-- > 0;) {
        fprintf(out, "%02x", bytes[i]);
        if (size == 8 && i == 4)
            fputc('_', out);
    }
}

/* Units that one row shows: one, or those of the same line where units are bytes. */
static uint32_t row_units(const struct gpucode_program *program, uint32_t unit, uint32_t count, unsigned unit_bytes,
                          const struct gpucode_line *line)
{
    uint32_t units = 1;
    struct gpucode_line next;
    while (line && unit_bytes == 1 && units < ROW_BYTES && unit + units < count &&
           gpucode_program_line(program, unit + units, &next) && same_line(line, &next))
        units++;
    return units;
}

static void print_place(FILE *out, const struct gpucode_line *line, const char *behind)
{
    excerpt_text(out, line->file, strlen(line->file));
    fprintf(out, ":%u%s", line->line, behind);
}

/* Where a row comes from, and the source that stands there. */
static void print_line(FILE *out, const struct gpucode_line *line)
{
    fputs("  ", out);
    print_place(out, line, line->from_macro ? "+\t" : "\t");
    excerpt_lines(out, line->source, line->source_length);
}

static void print_unit_lines(FILE *out, const struct gpucode_program *program)
{
    const unsigned char *bytes = gpucode_program_bytes(program);
    size_t prefix = gpucode_program_prefix(program), size = gpucode_program_size(program) - prefix;
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program));
    uint32_t count = (uint32_t)(size / unit_bytes), units;
    struct gpucode_line line, last = {0};
    bool has_last = false;
    bytes += prefix;
    for (uint32_t unit = 0; unit < count; unit += units) {
        bool known = gpucode_program_line(program, unit, &line);
        units = row_units(program, unit, count, unit_bytes, known ? &line : NULL);
        fprintf(out, "%04" PRIx32 ": ", unit);
        for (uint32_t i = 0; i < units; i++)
            print_unit_bytes(out, bytes + (size_t)(unit + i) * unit_bytes, unit_bytes);
        if (unit_bytes == 1)
            fprintf(out, "%*s", (int)(2 * (ROW_BYTES - units)), "");
        if (known && !(has_last && same_line(&line, &last)))
            print_line(out, &line);
        fputc('\n', out);
        has_last = known;
        last = line;
    }
    for (size_t at = (size_t)count * unit_bytes; at < size; at++)
        fprintf(out, "%04" PRIx32 "+%u: %02x\n", count, (unsigned)(at % unit_bytes), bytes[at]);
}

static int compare_symbols(const void *left, const void *right)
{
    const struct gpucode_symbol *a = left, *b = right;
    if (!a->section != !b->section)
        return a->section ? -1 : 1;
    if (a->section && a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return strcmp(a->name, b->name);
}

static bool print_symbol_map(FILE *out, const struct gpucode_program *program)
{
    unsigned count = 0;
    struct gpucode_symbol symbol, *symbols;
    while (gpucode_program_symbol(program, count, &symbol))
        count++;
    symbols = calloc(count ? count : 1, sizeof *symbols);
    if (!symbols)
        return false;
    for (unsigned i = 0; i < count; i++)
        gpucode_program_symbol(program, i, &symbols[i]);
    qsort(symbols, count, sizeof *symbols, compare_symbols);
    for (unsigned i = 0; i < count; i++) {
        /* code in front of the first .section has no section name; constants are no places */
        const char *section = !symbols[i].section ? "=" : *symbols[i].section ? symbols[i].section : "-";
        bool negative = symbols[i].value < 0;
        uint64_t value = negative ? 0 - (uint64_t)symbols[i].value : (uint64_t)symbols[i].value;
        fprintf(out, "%-8s %s0x%04" PRIx64 " %s\n", section, negative ? "-" : "", value, symbols[i].name);
    }
    free(symbols);
    return true;
}

/* Where code comes from, for debuggers: a line for each unit that begins another source line. */
static void print_place_map(FILE *out, const struct gpucode_program *program)
{
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program));
    uint32_t count = (uint32_t)((gpucode_program_size(program) - gpucode_program_prefix(program)) / unit_bytes);
    struct gpucode_line line, last = {0};
    for (uint32_t unit = 0; unit < count; unit++) {
        if (!gpucode_program_line(program, unit, &line) || (last.file && same_line(&line, &last)))
            continue;
        fprintf(out, "@        0x%04" PRIx32 " ", unit);
        print_place(out, &line, line.from_macro ? "+\n" : "\n");
        last = line;
        for (unsigned i = 0; gpucode_program_use(program, unit, i, &line); i++) {
            fprintf(out, "use      0x%04" PRIx32 " %s ", unit, line.macro);
            print_place(out, &line, "\n");
        }
    }
}

static bool finish(struct listing *listing, FILE *out, bool good)
{
    if (text_stream_close(out) && good)
        return true;
    listing_free(listing);
    return false;
}

bool listing_of_lines(struct listing *listing, const struct gpucode_program *program)
{
    FILE *out = text_stream_open(&listing->text, &listing->length);
    if (!out)
        return false;
    print_unit_lines(out, program);
    return finish(listing, out, true);
}

bool listing_of_symbols(struct listing *listing, const struct gpucode_program *program)
{
    FILE *out = text_stream_open(&listing->text, &listing->length);
    bool good = out && print_symbol_map(out, program);
    if (good)
        print_place_map(out, program);
    return out && finish(listing, out, good);
}

void listing_free(struct listing *listing)
{
    free(listing->text);
    *listing = (struct listing){0};
}
