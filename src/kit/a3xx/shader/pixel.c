/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/grid.h"

#include <string.h>

#define SHADER_PAIR_LAST 242 /* r60.z: one more register fits after it */

/* A decimal number and what stands after it; null: there is none, or more than any side. */
static const char *take_number(const char *text, unsigned *number)
{
    *number = 0;
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        *number = *number * 10 + (unsigned)(*text - '0');
        if (*number > SHADER_GRID_SIDE_MAX)
            return NULL;
    }
    return text;
}

static bool read_two(const char *text, char between, unsigned *first, unsigned *second)
{
    text = take_number(text, first);
    if (!text || *text != between)
        return false;
    text = take_number(text + 1, second);
    return text && !*text;
}

bool shader_pixel_size(struct shader_grid *grid, const char *text)
{
    unsigned width, height;
    if (!read_two(text, 'x', &width, &height) || !width || !height)
        return false;
    grid->width = width;
    grid->height = height;
    return true;
}

bool shader_pixel_place(const struct shader_grid *grid, const char *text, unsigned *x, unsigned *y)
{
    return read_two(text, ',', x, y) && *x < grid->width && *y < grid->height;
}

bool shader_pixel_register(const struct gpucode_machine *machine, const char *text, uint32_t *number)
{
    unsigned space;
    return shader_find(machine, NULL, text, strlen(text), &space, number) && space == GPUCODE_A3XX_FULL &&
           *number <= SHADER_PAIR_LAST;
}

/* "@in(r0.x-r0.y) ij" in the source. */
static bool pair_declared(struct shader_grid *grid, const struct gpucode_program *program)
{
    struct gpucode_declaration declaration;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declaration); i++)
        if (strcmp(declaration.kind, "in") == 0 && declaration.name && strcmp(declaration.name, "ij") == 0 &&
            declaration.file == 'r' && !declaration.half && declaration.count >= 2 &&
            declaration.first <= SHADER_PAIR_LAST) {
            grid->pair = declaration.first;
            return true;
        }
    return false;
}

static bool is_input(const struct shader_grid *grid, const struct gpucode_a3xx_usage *usage, uint32_t number)
{
    return usage->full.inputs[number / 32] >> number % 32 & 1 && !grid->inputs->given[0][number];
}

bool shader_pixel_pair(struct shader_grid *grid, const struct gpucode_program *program,
                       const struct gpucode_a3xx_usage *usage)
{
    grid->has_pair = pair_declared(grid, program);
    if (grid->has_pair)
        return false;
    grid->pair = 0;
    grid->has_pair = usage->varyings && is_input(grid, usage, 0) && is_input(grid, usage, 1) &&
                     !(grid->has_place && grid->place < 2);
    return grid->has_pair;
}

bool shader_pixel_has_quad(const struct shader_grid *grid)
{
    return gpucode_machine_processor(grid->inputs->machine, 3) && !gpucode_machine_processor(grid->inputs->machine, 4);
}
