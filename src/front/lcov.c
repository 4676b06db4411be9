/* SPDX-License-Identifier: MIT */
#include "front/lcov.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line with an instruction on it. */
struct line {
    const char *file;
    unsigned number;
    uint32_t unit; /* first of its instructions */
    bool ran;      /* any of them */
};

static int compare(const void *left, const void *right)
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
static bool place_of(const struct routines *routines, uint32_t unit, const char *listing, const char **counted,
                     struct line *line)
{
    struct gpucode_line place;
    const char *at;
    if (routines->input->program) {
        if (!gpucode_program_line(routines->input->program, unit, &place))
            return false;
        line->file = place.file;
        line->number = place.line;
        return true;
    }
    if (routines->listing.places[unit].kind == GPUCODE_UNIT_NONE)
        return false;
    for (at = routines->listing.text + routines->listing.places[unit].offset; *counted < at; ++*counted)
        line->number += **counted == '\n';
    line->file = listing;
    return true;
}

static size_t find_lines(const struct routines *routines, const char *listing, struct line *lines)
{
    const char *counted = routines->listing.text;
    struct line line = {.number = 1};
    size_t count = 0, kept = 0;
    for (uint32_t unit = 0; unit < routines->info->units; unit++) {
        if (!routines_is_insn(routines, unit) || !place_of(routines, unit, listing, &counted, &line))
            continue;
        line.unit = unit;
        line.ran = routines->ran[unit];
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, compare);
    for (size_t i = 0; i < count; i++) {
        struct line *last = kept ? &lines[kept - 1] : NULL;
        if (last && last->number == lines[i].number && strcmp(last->file, lines[i].file) == 0)
            last->ran |= lines[i].ran;
        else
            lines[kept++] = lines[i];
    }
    return kept;
}

static void put_name(FILE *out, const struct routines *routines, const struct routine *routine)
{
    if (routines->info->section_count > 1)
        fprintf(out, "%s:", routines->info->sections[routine->section].name);
    fprintf(out, "%s\n", *routine->symbol ? routine->symbol : routine->name);
}

/* The routines that begin on lines of one file. */
static void put_functions(FILE *out, const struct routines *routines, const struct line *lines, size_t count)
{
    unsigned found = 0, hit = 0;
    for (size_t i = 0; i < count; i++)
        for (const struct routine *routine = routines->list; routine < routines->list + routines->count; routine++) {
            if (routine->first != lines[i].unit)
                continue;
            fprintf(out, "FN:%u,", lines[i].number);
            put_name(out, routines, routine);
            fprintf(out, "FNDA:%d,", routine->ran != 0);
            put_name(out, routines, routine);
            found++;
            hit += routine->ran != 0;
        }
    fprintf(out, "FNF:%u\nFNH:%u\n", found, hit);
}

static void put_lines(FILE *out, const struct line *lines, size_t count)
{
    size_t hit = 0;
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "DA:%u,%d\n", lines[i].number, lines[i].ran);
        hit += lines[i].ran;
    }
    fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", count, hit);
}

char *lcov_text(const struct routines *routines, size_t *length)
{
    const char *name = routines->input->file.name;
    size_t size = strlen(name) + sizeof ".asm", end;
    char *listing = malloc(size), *text = NULL;
    struct line *lines = malloc(((size_t)routines->info->units + 1) * sizeof *lines);
    FILE *out = listing && lines ? open_memstream(&text, length) : NULL;
    if (out) {
        snprintf(listing, size, "%s.asm", name);
        size_t count = find_lines(routines, listing, lines);
        fputs("TN:\n", out);
        for (size_t first = 0; first < count; first = end) {
            for (end = first; end < count && strcmp(lines[end].file, lines[first].file) == 0;)
                end++;
            fprintf(out, "SF:%s\n", lines[first].file);
            put_functions(out, routines, lines + first, end - first);
            put_lines(out, lines + first, end - first);
        }
        bool good = !ferror(out);
        if (fclose(out) != 0 || !good) {
            free(text);
            text = NULL;
        }
    }
    free(listing);
    free(lines);
    return text;
}
