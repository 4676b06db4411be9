/* SPDX-License-Identifier: MIT */
/* The comparison of two images, and what can be asked of it. */
#include "analysis/compare.h"

#include <stdlib.h>
#include <string.h>

#define WORK_MAX (UINT64_C(1) << 30) /* steps of alignments, of a pair of sections */

/* The new image's section that an old one belongs to: of its name; the first one belongs to the first. */
static bool belong(const struct gpucode_analysis *before, unsigned a, const struct gpucode_analysis *after, unsigned b)
{
    const struct gpucode_section *old = before->layout->info.sections, *new = after->layout->info.sections;
    if (strcmp(old[a].name, new[b].name) == 0)
        return true;
    bool named = false;
    for (unsigned i = 0; i < after->section_count; i++)
        named |= !a && strcmp(old[0].name, new[i].name) == 0;
    for (unsigned i = 0; i < before->section_count; i++)
        named |= !b && strcmp(old[i].name, new[0].name) == 0;
    return !a && !b && !named;
}

static unsigned find_section(const struct gpucode_comparison *comparison, unsigned side, unsigned section)
{
    const struct gpucode_analysis *before = comparison->analysis[0], *after = comparison->analysis[1];
    const struct gpucode_analysis *others = comparison->analysis[!side];
    for (unsigned i = 0; i < others->section_count; i++)
        if (side ? belong(before, i, after, section) : belong(before, section, after, i))
            return i;
    return GPUCODE_NONE;
}

static bool compare_sections(struct gpucode_comparison *comparison, struct gpucode_compared_section *out,
                             struct list *edits)
{
    struct compare_pair pair = {.out = out, .arena = &comparison->arena, .work = WORK_MAX};
    for (unsigned s = 0; s < 2; s++) {
        pair.side[s].analysis = comparison->analysis[s];
        pair.side[s].code = out->section[s] == GPUCODE_NONE ? NULL : &comparison->analysis[s]->code[out->section[s]];
    }
    bool good = compare_number(&pair) && compare_match(&pair) && compare_judge(&pair) && compare_align(&pair) &&
                compare_list_edits(&pair, edits);
    arena_free(&pair.scratch);
    return good;
}

static bool compare_all(struct gpucode_comparison *comparison, struct list *edits)
{
    const struct gpucode_analysis *before = comparison->analysis[0], *after = comparison->analysis[1];
    size_t room = (size_t)before->section_count + after->section_count + 1;
    comparison->sections = arena_array(&comparison->arena, room, sizeof *comparison->sections);
    if (!comparison->sections)
        return false;
    struct gpucode_compared_section *at = comparison->sections;
    for (unsigned i = 0; i < after->section_count; i++, at++) {
        at->section[GPUCODE_OLD] = find_section(comparison, GPUCODE_NEW, i);
        at->section[GPUCODE_NEW] = i;
    }
    for (unsigned i = 0; i < before->section_count; i++)
        if (find_section(comparison, GPUCODE_OLD, i) == GPUCODE_NONE) {
            at->section[GPUCODE_OLD] = i;
            at++->section[GPUCODE_NEW] = GPUCODE_NONE;
        }
    comparison->section_count = (unsigned)(at - comparison->sections);
    for (unsigned i = 0; i < comparison->section_count; i++)
        if (!compare_sections(comparison, &comparison->sections[i], edits))
            return false;
    return compare_count_edits(comparison, edits);
}

enum gpucode_status gpucode_compare(const struct gpucode_analysis *before, const struct gpucode_analysis *after,
                                    struct gpucode_comparison **out)
{
    if (!before || !after || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (before->target->isa != after->target->isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_comparison *comparison = calloc(1, sizeof *comparison);
    struct list edits = {0};
    if (!comparison)
        return GPUCODE_ERROR_MEMORY;
    comparison->analysis[GPUCODE_OLD] = before;
    comparison->analysis[GPUCODE_NEW] = after;
    bool good = compare_all(comparison, &edits);
    free(edits.items);
    if (!good)
        gpucode_comparison_free(comparison);
    else
        *out = comparison;
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

void gpucode_comparison_free(struct gpucode_comparison *comparison)
{
    if (!comparison)
        return;
    arena_free(&comparison->arena);
    free(comparison);
}

const struct gpucode_compared_section *gpucode_comparison_section(const struct gpucode_comparison *comparison,
                                                                  unsigned index)
{
    return comparison && index < comparison->section_count ? &comparison->sections[index] : NULL;
}

const struct gpucode_edit *gpucode_comparison_edit(const struct gpucode_comparison *comparison, unsigned index)
{
    return comparison && index < comparison->edit_count ? &comparison->edits[index] : NULL;
}

const char *gpucode_change_name(enum gpucode_change change)
{
    static const char *const names[] = {"same", "moved", "changed", "new", "gone"};
    return (unsigned)change < sizeof names / sizeof *names ? names[change] : NULL;
}
