/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/grid.h"
#include "kit/a3xx/shader/inputs.h"

#include <gpucode/ir3.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A picture by several processes. Each has the machine as it was when they parted, takes the next row of quads that
 * nobody has, and leaves pixels in memory that all of them see. Rows are taken in their order, so that the first one in
 * which a pixel stops is always run, whatever the others do.
 */

#define JOBS_MAX 64

/* What one process has to say. */
struct job {
    uint64_t instructions, killed;
    unsigned stopped; /* the row in which a pixel stopped; UINT32_MAX: none */
    struct gpucode_stop stop;
    unsigned x, y;
};

struct shared {
    atomic_uint next, done; /* rows */
    atomic_bool stops;
    struct job job[JOBS_MAX];
    uint8_t rgba[];
};

static void work(struct shader_rows *rows, struct shared *shared, struct job *job, bool reports)
{
    struct shader_grid *grid = rows->grid;
    unsigned total = (grid->height + 1) / 2, row;
    job->stopped = UINT32_MAX;
    while (!atomic_load(&shared->stops) && (row = atomic_fetch_add(&shared->next, 1)) < total) {
        if (!rows->run(rows, row)) {
            atomic_store(&shared->stops, true);
            job->stopped = row;
            break;
        }
        unsigned done = atomic_fetch_add(&shared->done, 1) + 1;
        if (reports && grid->progress)
            grid->progress(grid->user, done, total);
    }
    job->instructions = grid->instructions;
    job->killed = grid->killed;
    job->stop = grid->stop;
    job->x = grid->x;
    job->y = grid->y;
}

/* Adds up what they did; the stop is that of the first row that has one. */
static bool gather(struct shader_grid *grid, const struct shared *shared, unsigned jobs)
{
    const struct job *first = NULL, *said = &shared->job[0];
    grid->instructions = grid->killed = 0;
    for (unsigned i = 0; i < jobs; i++) {
        const struct job *job = &shared->job[i];
        grid->instructions += job->instructions;
        grid->killed += job->killed;
        if (job->stopped != UINT32_MAX && (!first || job->stopped < first->stopped))
            first = job;
        if (job->stop.text[0]) /* it has run something */
            said = job;
    }
    said = first ? first : said;
    grid->stop = said->stop;
    grid->x = said->x;
    grid->y = said->y;
    if (!first)
        grid->stop.reason = GPUCODE_STOP_END;
    return !first;
}

/*
 * Runs all rows with grid->jobs processes. *good as shader_grid_run() has it; false: there were no processes to be had,
 * or one was lost, and nothing has been done.
 */
static bool shader_grid_jobs(struct shader_rows *rows, bool *good)
{
    struct shader_grid *grid = rows->grid;
    size_t texels = (size_t)grid->width * grid->height * 4 * grid->targets, size = sizeof(struct shared) + texels;
    struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return false;
    uint8_t *rgba = rows->rgba;
    unsigned jobs = grid->jobs < JOBS_MAX ? grid->jobs : JOBS_MAX, started = 1;
    pid_t id[JOBS_MAX];
    rows->rgba = shared->rgba;
    for (; started < jobs; started++) {
        id[started] = fork();
        if (id[started] < 0)
            break;
        if (id[started] == 0) {
            work(rows, shared, &shared->job[started], false);
            _exit(0);
        }
    }
    work(rows, shared, &shared->job[0], true);
    bool whole = true;
    for (unsigned i = 1; i < started; i++) {
        int status;
        whole &= waitpid(id[i], &status, 0) == id[i] && status == 0;
    }
    rows->rgba = rgba;
    if (whole) {
        *good = gather(grid, shared, started);
        memcpy(rgba, shared->rgba, texels);
        if (*good && grid->progress) /* the others may have done the last ones */
            grid->progress(grid->user, (grid->height + 1) / 2, (grid->height + 1) / 2);
    } else {
        grid->instructions = grid->killed = 0;
        memset(rgba, 0, texels);
    }
    munmap(shared, size);
    return whole;
}

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
