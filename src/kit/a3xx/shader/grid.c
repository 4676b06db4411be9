/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/grid.h"

#include "kit/a3xx/shader/value.h"

#include <string.h>

#define QUAD 4

/* The two triangles: where i = j = 0, i = 1 and j = 1 among the corners upper left, upper right, lower left, lower
 * right.
 */
static const unsigned corners[2][3] = {{0, 1, 2}, {3, 2, 1}};

/* Is the pixel's middle in the upper left triangle? */
static bool is_upper(const struct shader_grid *grid, unsigned x, unsigned y)
{
    uint64_t width = grid->width, height = grid->height;
    return (2 * x + 1) * height + (2 * y + 1) * width <= 2 * width * height;
}

static void set(const struct shader_grid *grid, unsigned thread, uint32_t number, uint32_t value)
{
    gpucode_machine_write(grid->inputs->machine, thread, GPUCODE_A3XX_FULL, number, value);
}

static void place(const struct shader_grid *grid, unsigned thread, unsigned triangle, unsigned x, unsigned y)
{
    if (grid->has_pair) {
        double i = (x + 0.5) / grid->width, j = (y + 0.5) / grid->height;
        set(grid, thread, grid->pair, shader_float_bits((float)(triangle ? 1 - i : i)));
        set(grid, thread, grid->pair + 1, shader_float_bits((float)(triangle ? 1 - j : j)));
    }
    if (grid->has_place) {
        set(grid, thread, grid->place, 16 * x + 8);
        set(grid, thread, grid->place + 1, 16 * y + 8);
    }
}

static uint8_t byte_of(float value)
{
    return value >= 1 ? 255 : value > 0 ? (uint8_t)(value * 255 + 0.5f) : 0;
}

static void take_color(struct shader_grid *grid, unsigned thread, uint8_t *to)
{
    const struct gpucode_machine *machine = grid->inputs->machine;
    uint32_t bits = 0;
    gpucode_machine_read(machine, thread, GPUCODE_A3XX_FLAGS, 0, &bits);
    if (bits) {
        grid->killed++;
        return;
    }
    to[3] = 255;
    for (unsigned i = 0; i < grid->color_count; i++) {
        gpucode_machine_read(machine, thread, grid->color_space, grid->color + i, &bits);
        to[i] = byte_of(grid->color_space == GPUCODE_A3XX_HALF ? shader_half_value(bits) : shader_float_value(bits));
    }
}

/* Runs the quad for one of the triangles and takes the pixels that are in it. */
static bool run_quad(struct shader_grid *grid, const struct gpucode_snapshot *start, unsigned triangle, unsigned x,
                     unsigned y, uint8_t *rgba)
{
    struct gpucode_machine *machine = grid->inputs->machine;
    bool seen[QUAD], any = false;
    for (unsigned i = 0; i < QUAD; i++) {
        unsigned px = x + (i & 1), py = y + (i >> 1);
        seen[i] = px < grid->width && py < grid->height &&
                  (!grid->inputs->bends || is_upper(grid, px, py) == (triangle == 0));
        any |= seen[i];
    }
    if (!any)
        return true;
    gpucode_machine_restore(machine, start);
    for (unsigned i = 0; i < QUAD; i++)
        place(grid, i, triangle, x + (i & 1), y + (i >> 1));
    grid->instructions += gpucode_machine_run(machine, grid->limit, &grid->stop);
    if (grid->stop.reason != GPUCODE_STOP_END) {
        grid->x = x + (grid->stop.processor & 1);
        grid->y = y + (grid->stop.processor >> 1);
        return false;
    }
    for (unsigned i = 0; i < QUAD; i++)
        if (seen[i])
            take_color(grid, i, rgba + 4 * ((size_t)(y + (i >> 1)) * grid->width + x + (i & 1)));
    return true;
}

/* What all pixels of a triangle have: the varyings at its corners. */
static void give_corners(const struct shader_grid *grid, unsigned triangle)
{
    static const unsigned spaces[] = {GPUCODE_A3XX_VARYING, GPUCODE_A3XX_VARYING_I, GPUCODE_A3XX_VARYING_J};
    for (uint32_t i = 0; i < GPUCODE_A3XX_VARYINGS && grid->inputs->bends; i++)
        for (unsigned k = 0; k < 3; k++)
            gpucode_machine_write(grid->inputs->machine, 0, spaces[k], i,
                                  grid->inputs->varying[i][corners[triangle][k]]);
}

unsigned shader_grid_place(const struct shader_grid *grid, unsigned x, unsigned y)
{
    unsigned triangle = grid->inputs->bends && !is_upper(grid, x, y);
    give_corners(grid, triangle);
    for (unsigned i = 0; i < QUAD; i++)
        place(grid, i, triangle, (x & ~1u) + (i & 1), (y & ~1u) + (i >> 1));
    return (y & 1) * 2 + (x & 1);
}

static bool start_triangle(const struct shader_grid *grid, unsigned triangle, struct gpucode_snapshot **start)
{
    give_corners(grid, triangle);
    return gpucode_machine_snapshot(grid->inputs->machine, start) == GPUCODE_OK;
}

bool shader_grid_run(struct shader_grid *grid, uint8_t *rgba)
{
    unsigned triangles = grid->inputs->bends ? 2 : 1, total = (grid->height + 1) / 2;
    struct gpucode_snapshot *start[2] = {NULL, NULL};
    bool good = true;
    memset(rgba, 0, (size_t)grid->width * grid->height * 4);
    grid->stop = (struct gpucode_stop){.reason = GPUCODE_STOP_END};
    grid->instructions = grid->killed = 0;
    for (unsigned triangle = 0; good && triangle < triangles; triangle++)
        good = start_triangle(grid, triangle, &start[triangle]);
    for (unsigned y = 0; good && y < grid->height; y += 2) {
        for (unsigned x = 0; good && x < grid->width; x += 2)
            for (unsigned triangle = 0; good && triangle < triangles; triangle++)
                good = run_quad(grid, start[triangle], triangle, x, y, rgba);
        if (good && grid->progress)
            grid->progress(grid->user, y / 2 + 1, total);
    }
    for (unsigned triangle = 0; triangle < triangles; triangle++)
        gpucode_snapshot_free(start[triangle]);
    return good;
}
