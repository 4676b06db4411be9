/* SPDX-License-Identifier: MIT */
/*
 * How fast the A3XX machine runs: one thread beside a native loop that does the same work; strict timing beside plain;
 * and groups under either, in which each thread's instruction counts: `shader-bench [WIDTH [INSTRUCTIONS [TIMING]]]`
 * runs one width only.
 */
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSNS UINT64_C(50000000)

static const char loop[] = "loop: (jp)add.s r0.x, r0.x, 7\nxor.b r0.y, r0.y, r0.x\nshl.b r0.z, r0.y, 3\n"
                           "mad.f32 r1.x, r0.w, r1.y, r1.x\nmax.s r1.z, r0.z, r0.y\nadd.f r1.w, r1.x, c0.x\n"
                           "cmps.u.ne p0.x, r0.x, 3\nbr p0.x, #loop\nend\n";

/* The work of the loop, one step an instruction; registers in memory so that the compiler leaves it in place. */
static double native(uint64_t insns)
{
    static volatile uint32_t r[8];
    static volatile float f[4];
    double best = 0;
    for (unsigned round = 0; round < 10; round++) {
        double start = now();
        for (uint64_t i = 0; i < insns / 10; i += 8) {
            r[0] = r[0] + 7;
            r[1] = r[1] ^ r[0];
            r[2] = r[1] << 3;
            f[0] = f[1] * f[2] + f[0];
            r[3] = (int32_t)r[2] > (int32_t)r[1] ? r[2] : r[1];
            f[3] = f[0] + f[1];
            r[4] = r[0] != 3;
            if (!r[4])
                break;
        }
        double found = (double)(insns / 10) / (now() - start) / 1e6;
        best = found > best ? found : best;
    }
    return best;
}

/* Millions of instructions of single threads a second. */
static double rate(const struct gpucode_image *image, const char *width, const char *timing, uint64_t insns)
{
    struct gpucode_setting settings[] = {{"a3xx-threads", width}, {"a3xx-timing", timing}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    if (gpucode_machine_create(image, &options, &machine) != GPUCODE_OK)
        fail("no machine");
    for (unsigned i = 0; gpucode_machine_processor(machine, i); i++) /* strict timing reads what was before */
        gpucode_machine_write(machine, i, GPUCODE_A3XX_FULL, 248, 1);
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
    if (argc < 2) {
        double plain = rate(image, "1", "plain", insns), yardstick = native(insns);
        double strict = rate(image, "1", "strict", insns / 5);
        printf("plain         %8.1f million instructions/s, native loop %.1f, ratio %.2f (goal 100)\n", plain,
               yardstick, yardstick / plain);
        printf("strict timing %8.1f million instructions/s, ratio to plain %.2f\n", strict, plain / strict);
    }
    for (unsigned timing = 0; timing < (argc > 1 ? 1 : 2); timing++) {
        const char *name = argc > 3 ? argv[3] : timing ? "strict" : "plain";
        double first = 0;
        for (unsigned i = 0; i < (argc > 1 ? 1 : sizeof widths / sizeof *widths); i++) {
            double found = rate(image, argc > 1 ? argv[1] : widths[i], name, timing ? insns / 5 : insns);
            first = i ? first : found;
            printf("%4s threads, %-6s %8.1f million thread-instructions/s, ratio to the first %.2f (goal 1)\n",
                   argc > 1 ? argv[1] : widths[i], name, found, found / first);
        }
    }
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}
