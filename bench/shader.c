/* SPDX-License-Identifier: MIT */
/*
 * How fast the A3XX machine runs: one thread, and groups, in which each thread's instruction counts:
 * `shader-bench [WIDTH [INSTRUCTIONS]]` runs one width only.
 */
#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INSNS UINT64_C(50000000)

static const char loop[] = "loop: (jp)add.s r0.x, r0.x, 7\nxor.b r0.y, r0.y, r0.x\nshl.b r0.z, r0.y, 3\n"
                           "mad.f32 r1.x, r0.w, r1.y, r1.x\nmax.s r1.z, r0.z, r0.y\nadd.f r1.w, r1.x, c0.x\n"
                           "cmps.u.ne p0.x, r0.x, 3\nbr p0.x, #loop\nend\n";

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "shader-bench: %s\n", what);
    exit(1);
}

/* Millions of instructions of single threads a second. */
static double rate(const struct gpucode_image *image, const char *width, uint64_t insns)
{
    struct gpucode_setting settings[] = {{"a3xx-threads", width}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    if (gpucode_machine_create(image, &options, &machine) != GPUCODE_OK)
        fail("no machine");
    double best = 0;
    for (unsigned i = 0; i < 10; i++) { /* the best of ten, for what else the computer does */
        double start = now();
        if (gpucode_machine_run(machine, insns / 10, &stop) != insns / 10)
            fail("the loop did not run");
        double found = (double)(insns / 10) / (now() - start) / 1e6;
        best = found > best ? found : best;
    }
    gpucode_machine_free(machine);
    return best;
}

int main(int argc, char **argv)
{
    static const char *const widths[] = {"1", "4", "16", "64", "256", "1024"};
    struct gpucode_asm_options assemble = {.target = gpucode_target_find("a3xx")};
    struct gpucode_image_options open = {.target = gpucode_target_find("a3xx")};
    struct gpucode_program *program;
    struct gpucode_image *image;
    if (gpucode_assemble(loop, strlen(loop), &assemble, &program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &open, &image) != GPUCODE_OK)
        fail("the loop does not assemble");
    uint64_t insns = argc > 2 ? strtoull(argv[2], NULL, 0) : INSNS;
    double alone = 0;
    for (unsigned i = 0; i < (argc > 1 ? 1 : sizeof widths / sizeof *widths); i++) {
        double found = rate(image, argc > 1 ? argv[1] : widths[i], insns);
        alone = i ? alone : found;
        printf("%4s threads  %8.1f million thread-instructions/s, ratio to the first %.2f (goal 1)\n",
               argc > 1 ? argv[1] : widths[i], found, found / alone);
    }
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}
