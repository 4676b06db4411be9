/* SPDX-License-Identifier: MIT */
/*
 * How long a picture takes: a shader of 50 instructions over 256 x 256 pixels, `picture-bench [SIDE]`. The yardstick is
 * the same instructions as a loop in a machine of four threads, without pixels around them. Many quads at once, in one
 * process, and one quad after the other: of these, what lies above 1 is placing pixels, taking colours and going back
 * to the beginning.
 */
#include "kit/a3xx/shader/grid.h"
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSNS 50

static struct gpucode_machine *machine_of(const char *text, unsigned threads, struct gpucode_image **image,
                                          struct gpucode_program **program)
{
    const struct gpucode_target *target = gpucode_target_find("a3xx");
    struct gpucode_asm_options assemble = {.target = target};
    struct gpucode_image_options open = {.target = target};
    char number[8];
    const struct gpucode_setting settings[] = {{"a3xx-threads", number}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine = NULL;
    snprintf(number, sizeof number, "%u", threads);
    if (gpucode_assemble(text, strlen(text), &assemble, program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(*program), gpucode_program_size(*program), &open, image) !=
            GPUCODE_OK ||
        gpucode_machine_create(*image, &options, &machine) != GPUCODE_OK)
        fail("no machine");
    return machine;
}

static void release(struct gpucode_machine *machine, struct gpucode_image *image, struct gpucode_program *program)
{
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(program);
}

/* Seconds for the picture, the best of five. */
static double draw(const char *text, unsigned threads, unsigned side, uint64_t *insns)
{
    struct gpucode_image *image;
    struct gpucode_program *program;
    struct gpucode_machine *machine = machine_of(text, threads, &image, &program);
    struct shader_inputs inputs = {.machine = machine, .grid = true};
    uint8_t *rgba = malloc((size_t)side * side * 4);
    double best = 1e9;
    if (!rgba || shader_give(&inputs, SHADER_VARYING, "0=0.0,1.0,0.0") != SHADER_GIVEN ||
        shader_give(&inputs, SHADER_VARYING, "1=0.0,0.0,1.0") != SHADER_GIVEN)
        fail("no varyings");
    struct gpucode_snapshot *start;
    if (gpucode_machine_snapshot(machine, &start) != GPUCODE_OK)
        fail("out of memory");
    for (unsigned i = 0; i < 5; i++) {
        struct shader_grid grid = {.inputs = &inputs,
                                   .width = side,
                                   .height = side,
                                   .has_pair = true,
                                   .color = {{GPUCODE_A3XX_FULL, 4, 4}},
                                   .targets = 1,
                                   .limit = 10000};
        gpucode_machine_restore(machine, start);
        double begin = now();
        if (!shader_grid_run(&grid, rgba))
            fail("a pixel stopped");
        double took = now() - begin;
        best = took < best ? took : best;
        *insns = grid.instructions;
    }
    gpucode_snapshot_free(start);
    release(machine, image, program);
    free(rgba);
    return best;
}

static double loop(const char *text, uint64_t insns)
{
    struct gpucode_image *image;
    struct gpucode_program *program;
    struct gpucode_machine *machine = machine_of(text, SHADER_GRID_QUAD, &image, &program);
    struct gpucode_stop stop;
    double best = 1e9;
    for (unsigned i = 0; i < 5; i++) {
        double begin = now();
        if (gpucode_machine_run(machine, insns, &stop) != insns)
            fail("the loop ended");
        double took = now() - begin;
        best = took < best ? took : best;
    }
    release(machine, image, program);
    return best;
}

int main(int argc, char **argv)
{
    static const char *const mix[] = {"mad.f32 r2.x, r1.x, r1.y, r2.x\n", "mul.f r2.y, r2.x, c0.x\n",
                                      "add.f r1.z, r2.y, (0.5)\n", "max.f r1.w, r1.z, r1.y\n"};
    char body[INSNS * 64] = "bary.f r1.x, 0, r0.x\nbary.f r1.y, 1, r0.x\n", text[INSNS * 64 + 64];
    for (unsigned i = 0; i < INSNS - 3; i++)
        strcat(body, mix[i % 4]);
    unsigned side = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 256;
    if (!side || side > SHADER_GRID_SIDE_MAX)
        fail("SIDE goes from 1 to 8192");
    uint64_t insns;
    snprintf(text, sizeof text, "%send\n", body);
    double picture = draw(text, SHADER_GRID_THREADS, side, &insns), quads = draw(text, SHADER_GRID_QUAD, side, &insns);
    snprintf(text, sizeof text, "again: (jp)nop\n%sjump #again\nend\n", body);
    double measure = loop(text, insns);
    printf("%u x %u pixels of %u instructions: %.3f s (goal at 256 x 256: 1), %.1f million instructions/s, %.2f "
           "yardsticks; quad by quad %.3f s\n",
           side, side, INSNS, picture, (double)insns / picture / 1e6, picture / measure, quads);
    return 0;
}
