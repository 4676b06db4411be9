/* SPDX-License-Identifier: MIT */
/* What stands where in a program: its sections as runs of units, its labels by their places. */
#include "base/text.h"
#include "elf/elf.h"

#include <stdlib.h>

/* The number of the section that a unit is in, or ends. */
static unsigned range_of(const struct elf_source *source, uint32_t unit)
{
    unsigned range = 0;
    while (range + 1 < source->range_count && source->ranges[range + 1].first <= unit)
        range++;
    return range;
}

unsigned elf_range_of_label(const struct elf_source *source, const struct gpucode_symbol *symbol)
{
    struct gpucode_program_section section;
    for (unsigned i = 0; gpucode_program_section(source->program, i, &section); i++)
        if (strcmp(section.name, symbol->section) == 0 && symbol->unit >= source->ranges[i].first &&
            symbol->unit <= source->ranges[i].end)
            return i;
    return range_of(source, symbol->unit);
}

static int compare_labels(const void *left, const void *right)
{
    const struct elf_label *a = left, *b = right;
    int order = ORDER(a->range, b->range);
    order = order ? order : ORDER(a->unit, b->unit);
    return order ? order : strcmp(a->name, b->name);
}

/* Code in front of a section's first label goes by the section's name. */
static const char *name_of_range(const struct elf_source *source, unsigned range)
{
    struct gpucode_program_section section = {.name = ""};
    gpucode_program_section(source->program, range, &section);
    return *section.name ? section.name : ".text";
}

/* One label for each place that has any, and one for the beginning of each section. */
static void sort_labels(struct elf_source *source, size_t count)
{
    size_t kept = 0;
    for (unsigned i = 0; i < source->range_count; i++) {
        bool named = false;
        for (size_t k = 0; k < count && !named; k++)
            named = source->labels[k].range == i && source->labels[k].unit == source->ranges[i].first;
        if (!named)
            source->labels[count++] = (struct elf_label){name_of_range(source, i), source->ranges[i].first, i};
    }
    qsort(source->labels, count, sizeof *source->labels, compare_labels);
    for (size_t i = 0; i < count; i++)
        if (!kept || source->labels[kept - 1].unit != source->labels[i].unit ||
            source->labels[kept - 1].range != source->labels[i].range)
            source->labels[kept++] = source->labels[i];
    source->label_count = kept;
}

bool elf_survey(struct elf_source *source)
{
    struct gpucode_program_section section;
    struct gpucode_symbol symbol;
    unsigned ranges = 0, unit_bytes = source->unit_bytes;
    size_t labels = 0, prefix = gpucode_program_prefix(source->program), count = 0;
    while (gpucode_program_section(source->program, ranges, &section))
        ranges++;
    while (gpucode_program_symbol(source->program, (unsigned)labels, &symbol))
        labels++;
    source->ranges = calloc(ranges + 1, sizeof *source->ranges);
    source->labels = calloc(labels + ranges + 1, sizeof *source->labels);
    if (!source->ranges || !source->labels)
        return false;
    for (unsigned i = 0; gpucode_program_section(source->program, i, &section); i++)
        source->ranges[i] = (struct elf_range){(uint32_t)((section.offset - prefix) / unit_bytes),
                                               (uint32_t)((section.offset - prefix + section.size) / unit_bytes)};
    source->range_count = ranges;
    for (unsigned i = 0; gpucode_program_symbol(source->program, i, &symbol); i++)
        if (symbol.section)
            source->labels[count++] = (struct elf_label){symbol.name, symbol.unit, elf_range_of_label(source, &symbol)};
    sort_labels(source, count);
    return true;
}
