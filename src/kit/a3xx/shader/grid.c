/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/grid.h"

#include "kit/a3xx/shader/inputs.h"
#include <gpucode/ir3.h>

#include <string.h>

#define QUAD SHADER_GRID_QUAD
#define ENDED 1 /* GPUCODE_A3XX_FLAGS */

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
        double wide = grid->across > 0 ? grid->across / grid->width : 1;
        double high = grid->across > 0 ? grid->down / grid->height : 1;
        set(grid, thread, grid->place, (uint32_t)(16 * (grid->left + (x + 0.5) * wide)));
        set(grid, thread, grid->place + 1, (uint32_t)(16 * (grid->top + (y + 0.5) * high)));
    }
}

static size_t target_bytes(const struct shader_grid *grid)
{
    return 4 * (size_t)grid->width * grid->height;
}

static uint8_t byte_of(float value)
{
    return value >= 1 ? 255 : value > 0 ? (uint8_t)(value * 255 + 0.5f) : 0;
}

/* The colour of one render target. */
static void take_target(const struct shader_grid *grid, unsigned thread, unsigned target, uint8_t *to)
{
    const struct gpucode_machine *machine = grid->inputs->machine;
    const struct shader_color *color = &grid->color[target];
    const uint32_t first = GPUCODE_IR3_TARGET_FIELDS * target;
    uint32_t bits = 0, given = 0;
    if (grid->instead)
        gpucode_machine_read(machine, thread, grid->instead, first + GPUCODE_IR3_TARGET_GIVEN, &given);
    to[3] = 255;
    for (unsigned i = 0; i < 4; i++) {
        bool has = given >> i & 1, half = !has && color->space == GPUCODE_A3XX_HALF;
        if (!has && i >= color->count)
            continue;
        gpucode_machine_read(machine, thread, has ? grid->instead : color->space, has ? first + i : color->first + i,
                             &bits);
        to[i] = byte_of(half ? shader_half_value(bits) : shader_float_value(bits));
    }
}

/* `to` is the pixel's place in the first target. */
static void take_color(struct shader_grid *grid, unsigned thread, uint8_t *to)
{
    uint32_t killed = 0;
    gpucode_machine_read(grid->inputs->machine, thread, GPUCODE_A3XX_FLAGS, 0, &killed);
    grid->killed += killed != 0;
    for (unsigned i = 0; i < grid->targets && !killed; i++)
        take_target(grid, thread, i, to + i * target_bytes(grid));
}

/* --- quads ------------------------------------------------------------------------------------------------------- */

/* Quads of one row and one triangle that run together. */
struct block {
    unsigned triangle, y, count;
    unsigned x[GPUCODE_A3XX_THREADS_MAX / QUAD];
};

static bool is_seen(const struct shader_grid *grid, unsigned triangle, unsigned x, unsigned y)
{
    return x < grid->width && y < grid->height && (!grid->inputs->bends || is_upper(grid, x, y) == (triangle == 0));
}

static bool is_any_seen(const struct shader_grid *grid, unsigned triangle, unsigned x, unsigned y)
{
    bool any = false;
    for (unsigned i = 0; i < QUAD; i++)
        any |= is_seen(grid, triangle, x + (i & 1), y + (i >> 1));
    return any;
}

/* Runs the quads and takes the pixels that are in the triangle; false: they did not come to their end in time. */
static bool run_block(struct shader_rows *rows, const struct block *block)
{
    struct shader_grid *grid = rows->grid;
    struct gpucode_machine *machine = grid->inputs->machine;
    gpucode_machine_restore(machine, rows->start[block->triangle]);
    for (unsigned i = 0; i < block->count * QUAD; i++)
        place(grid, i, block->triangle, block->x[i / QUAD] + (i & 1), block->y + (i >> 1 & 1));
    for (unsigned i = block->count * QUAD; i < rows->width; i++)
        gpucode_machine_write(machine, i, GPUCODE_A3XX_FLAGS, ENDED, 1);
    uint64_t ran = gpucode_machine_run(machine, grid->limit, &grid->stop);
    if (grid->stop.reason != GPUCODE_STOP_END)
        return false;
    grid->instructions += ran;
    for (unsigned i = 0; i < block->count * QUAD; i++) {
        unsigned x = block->x[i / QUAD] + (i & 1), y = block->y + (i >> 1 & 1);
        if (is_seen(grid, block->triangle, x, y))
            take_color(grid, i, rows->rgba + 4 * ((size_t)y * grid->width + x));
    }
    return true;
}

/* Many quads at once; false: something stops, or it takes so long that one quad may have gone over the limit. */
static bool run_row_at_once(struct shader_rows *rows, unsigned y, unsigned triangles)
{
    struct shader_grid *grid = rows->grid;
    struct block block = {.y = y};
    for (; block.triangle < triangles; block.triangle++)
        for (unsigned x = 0; x < grid->width; x += 2) {
            if (is_any_seen(grid, block.triangle, x, y))
                block.x[block.count++] = x;
            if (block.count && (block.count == rows->width / QUAD || x + 2 >= grid->width)) {
                if (!run_block(rows, &block))
                    return false;
                block.count = 0;
            }
        }
    return true;
}

/* Quad by quad, in the order of the pixels. */
static bool run_row_by_quads(struct shader_rows *rows, unsigned y, unsigned triangles)
{
    struct shader_grid *grid = rows->grid;
    struct block block = {.y = y, .count = 1};
    for (; block.x[0] < grid->width; block.x[0] += 2)
        for (block.triangle = 0; block.triangle < triangles; block.triangle++) {
            if (!is_any_seen(grid, block.triangle, block.x[0], y) || run_block(rows, &block))
                continue;
            grid->x = block.x[0] + (grid->stop.processor & 1);
            grid->y = y + (grid->stop.processor >> 1);
            return false;
        }
    return true;
}

static bool run_row(struct shader_rows *rows, unsigned row)
{
    struct shader_grid *grid = rows->grid;
    unsigned triangles = grid->inputs->bends ? 2 : 1, y = 2 * row;
    uint64_t instructions = grid->instructions, killed = grid->killed;
    if (rows->width > QUAD && run_row_at_once(rows, y, triangles))
        return true;
    grid->instructions = instructions;
    grid->killed = killed;
    for (unsigned i = 0; i < grid->targets; i++)
        memset(rows->rgba + i * target_bytes(grid) + 4 * (size_t)y * grid->width, 0,
               4 * (size_t)grid->width * (y + 1 < grid->height ? 2 : 1));
    return run_row_by_quads(rows, y, triangles);
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

/* Threads beyond the first quad begin as those of it do. */
static void spread_quad(struct gpucode_machine *machine, unsigned width)
{
    static const struct {
        unsigned space;
        uint32_t count;
    } files[] = {{GPUCODE_A3XX_FULL, 252}, {GPUCODE_A3XX_HALF, 244}};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = QUAD; i < width; i++)
            for (uint32_t number = 0; number < files[k].count; number++) {
                uint32_t value = 0, other = 0;
                gpucode_machine_read(machine, i % QUAD, files[k].space, number, &value);
                gpucode_machine_read(machine, i, files[k].space, number, &other);
                if (value != other)
                    gpucode_machine_write(machine, i, files[k].space, number, value);
            }
}

static bool run_rows(struct shader_rows *rows)
{
    struct shader_grid *grid = rows->grid;
    unsigned total = (grid->height + 1) / 2;
    for (unsigned row = 0; row < total; row++) {
        if (!run_row(rows, row))
            return false;
        if (grid->progress)
            grid->progress(grid->user, row + 1, total);
    }
    return true;
}

bool shader_grid_run(struct shader_grid *grid, uint8_t *rgba)
{
    unsigned triangles = grid->inputs->bends ? 2 : 1;
    struct shader_rows rows = {.grid = grid, .rgba = rgba, .run = run_row};
    bool good = true;
    while (gpucode_machine_processor(grid->inputs->machine, rows.width))
        rows.width++;
    spread_quad(grid->inputs->machine, rows.width);
    memset(rgba, 0, grid->targets * target_bytes(grid));
    grid->stop = (struct gpucode_stop){.reason = GPUCODE_STOP_END};
    grid->instructions = grid->killed = 0;
    for (unsigned triangle = 0; good && triangle < triangles; triangle++)
        good = start_triangle(grid, triangle, &rows.start[triangle]);
    if (good && (grid->jobs <= 1 || !shader_grid_jobs(&rows, &good)))
        good = run_rows(&rows);
    for (unsigned triangle = 0; triangle < triangles; triangle++)
        gpucode_snapshot_free(rows.start[triangle]);
    return good;
}
