/* SPDX-License-Identifier: MIT */
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
#ifndef KIT_A3XX_SHADER_PIXEL_H
#define KIT_A3XX_SHADER_PIXEL_H

#include "kit/a3xx/shader/grid.h"
#include <gpucode/a3xx.h>
#include <gpucode/asm.h>

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
