/* SPDX-License-Identifier: MIT */
#include "front/coverage.h"

#include <stdlib.h>
#include <string.h>

bool coverage_has_run(const struct coverage *coverage, const struct gpucode_unit *unit)
{
    return unit->unit < coverage->info->units && coverage->ran[unit->unit];
}

bool coverage_is_insn(const struct coverage *coverage, const struct gpucode_unit *unit)
{
    return coverage->present[unit->section] && (unit->kind == GPUCODE_UNIT_CODE || coverage_has_run(coverage, unit));
}

unsigned coverage_sections(const struct coverage *coverage)
{
    return coverage->info->section_count ? coverage->info->section_count : 1;
}

const char *coverage_section(const struct coverage *coverage, unsigned section)
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
