/* SPDX-License-Identifier: MIT */
/*
 * A fragment shader over a grid of pixels: what it would draw on a rectangle that fills the picture.
 *
 * Varyings go linearly from corner to corner. With four corners given the rectangle is two triangles, parted from the
 * upper right to the lower left; the pixels on that line are the first one's. Pixels are run in
 * quads of 2 x 2, as many at once as the machine's threads make: a quad on the line runs once for each triangle, and
 * those at the right and lower edge have pixels that nobody sees. All pixels begin with the same registers and memory;
 * more than one quad at once is for shaders that do not write memory, which the others would see, and for policies
 * under which quads do not heed one another (a3xx-reconvergence other than marks). How many quads run at once, and how
 * many processes, makes no difference to what comes out.
 */
#ifndef KIT_A3XX_SHADER_GRID_H
#define KIT_A3XX_SHADER_GRID_H

#include "kit/a3xx/shader/inputs.h"
#include <gpucode/a3xx.h>
#include <gpucode/asm.h>

#define SHADER_GRID_SIDE_MAX 8192
#define SHADER_GRID_QUAD 4
#define SHADER_GRID_TARGETS 8
#define SHADER_GRID_THREADS 64 /* good for a machine that runs many quads at once */

/* The registers with a colour. */
struct shader_color {
    unsigned space; /* GPUCODE_A3XX_FULL or _HALF */
    uint32_t first; /* red */
    unsigned count; /* 1 to 4; blue and green that are not there are 0, alpha 1 */
};

struct shader_grid {
    const struct shader_inputs *inputs; /* given to a machine of four threads, or a multiple, that has not run */
    unsigned width, height;
    bool has_pair, has_place;
    uint32_t pair;  /* first of the two full registers with i and j */
    uint32_t place; /* first of the two full registers with x and y: unsigned, 4 bits of fraction, pixels' middles */
    /* The rectangle of a render target that the picture stands for, which `place` then tells; across 0: the picture. */
    double left, top, across, down;
    struct shader_color color[SHADER_GRID_TARGETS];
    unsigned targets; /* render targets, pictures: 1 to SHADER_GRID_TARGETS */
    /* A space with values that stand in place of colours' registers, laid out as GPUCODE_IR3_TARGET; 0: there is none.
     */
    unsigned instead;
    uint64_t limit; /* instructions of a quad */
    unsigned jobs;  /* processes that share the rows; 0 or 1: this one alone. Callbacks are called where they run */
    void (*progress)(void *user, unsigned done, unsigned total); /* rows of quads; may be null */
    void *user;
    /* results */
    uint64_t instructions, killed; /* of all threads; pixels */
    struct gpucode_stop stop;      /* the reason is GPUCODE_STOP_END, or of the first pixel that stopped otherwise */
    unsigned x, y;                 /* that pixel; may lie beside the grid */
};

/*
 * Fills 4 * width * height bytes for each target, the upper row first: 0 to 1 becomes 0 to 255, NaN 0; killed pixels
 * are zeros. False: a pixel did not come to its end, or (the stop has GPUCODE_STOP_END) there was no memory.
 */
bool shader_grid_run(struct shader_grid *grid, uint8_t *rgba);

/* Rows of quads by several processes. */
struct shader_rows {
    struct shader_grid *grid;
    uint8_t *rgba;
    unsigned width; /* threads of the machine */
    struct gpucode_snapshot *start[2];
    /* Runs row `row` of quads and adds up what it took; false: grid->stop, x and y say where it stopped. */
    bool (*run)(struct shader_rows *rows, unsigned row);
};

/*
 * Gives the machine's four threads what the quad has that a pixel of the grid is in, for the pixel's triangle. Returns
 * the pixel's own thread.
 */
unsigned shader_grid_place(const struct shader_grid *grid, unsigned x, unsigned y);

/*
 * A picture's size, one of its pixels and where a shader finds its place in it, from texts: the same for the command
 * line and for launch requests.
 *
 *     struct shader_grid grid = {.inputs = &inputs};
 *     unsigned x, y;
 *     if (shader_pixel_size(&grid, "64x64") && shader_pixel_place(&grid, "10,20", &x, &y)) {
 *         shader_pixel_pair(&grid, program, &usage);
 *         shader_grid_place(&grid, x, y);
 *     }
 */

#define SHADER_PIXEL_SIZE_EXPECTED "WIDTHxHEIGHT, sides from 1 to 8192"
#define SHADER_PIXEL_PAIR_EXPECTED "the first of two registers (r0.x)"

/* "WIDTHxHEIGHT", each 1 to SHADER_GRID_SIDE_MAX. */
bool shader_pixel_size(struct shader_grid *grid, const char *text);
/* "X,Y" from 0,0, the upper left, to the last pixel of a grid that has its size. */
bool shader_pixel_place(const struct shader_grid *grid, const char *text, unsigned *x, unsigned *y);
/* "r0.x": the first of two full registers. */
bool shader_pixel_register(const struct gpucode_machine *machine, const char *text, uint32_t *number);

/*
 * Where the barycentric pair is, when nobody has said: what the source calls so, or r0.x where the shader interpolates
 * and finds something there that nobody gave it. Sets has_pair and pair; true: it is the latter, an assumption.
 */
bool shader_pixel_pair(struct shader_grid *grid, const struct gpucode_program *program,
                       const struct gpucode_a3xx_usage *usage);

/* Has the machine the four threads of a quad? */
bool shader_pixel_has_quad(const struct shader_grid *grid);

#endif
