/* SPDX-License-Identifier: MIT */
/*
 * How fast machines of shaders run: one thread beside a native loop that does the same work; strict timing beside
 * plain; and groups under either, in which each thread's instruction counts; and loops with loads, stores and textures;
 * of A3XX and of ir3. `shader-bench WIDTH [INSTRUCTIONS [TIMING [LOOP [TARGET]]]]` runs one of these only.
 */
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSNS UINT64_C(50000000)

/* What sets call the same thing. */
static const struct set {
    const char *target, *threads, *timing;
} sets[] = {{"a3xx", "a3xx-threads", "a3xx-timing"}, {"ir3:a650", "ir3-fibers", "ir3-timing"}};

/* Eight instructions, of which some touch memory or a texture. */
#define LOOP(third, sixth)                                                                                             \
    "loop: (ss)(jp)add.s r0.x, r0.x, 7\n"                                                                              \
    "and.b r0.y, r0.x, c0.y\n" third "mad.f32 r1.x, r0.w, r1.y, r1.x\n(sy)(ss)max.s r1.z, r0.z, r0.y\n" sixth          \
    "cmps.u.ne p0.x, r0.x, 3\nbr p0.x, #loop\nend\n"
static const struct {
    const char *name, *text;
} loops[] = {
    {"arithmetic", LOOP("shl.b r0.z, r0.y, 3\n", "add.f r1.w, r1.x, c0.x\n")},
    {"load", LOOP("ldg.u32 r0.z, g[r0.y], 1\n", "add.f r1.w, r1.x, c0.x\n")},
    {"store", LOOP("ldg.u32 r0.z, g[r0.y], 1\n", "stg.u32 g[r0.y+16], r1.z, 1\n")},
    {"texture", LOOP("isam (f32)(x)r0.z, r0.x, s#0, t#0\n", "add.f r1.w, r1.x, c0.x\n")},
    {"sample", LOOP("sam (f32)(x)r0.z, r1.x, s#0, t#0\n", "add.f r1.w, r1.x, c0.x\n")},
};

/* The work of the loop, one step an instruction; registers in memory so that the compiler leaves it in place. */
static double native(uint64_t insns)
{
    static volatile uint32_t r[8];
    static volatile float f[4];
    double best = 0;
    for (unsigned round = 0; round < 10; round++) {
        double start = processor_now();
        for (uint64_t i = 0; i < insns / 10; i += 8) {
            r[0] = r[0] + 7;
            r[1] = r[0] & 0xffc;
            r[2] = r[1] << 3;
            f[0] = f[1] * f[2] + f[0];
            r[3] = (int32_t)r[2] > (int32_t)r[1] ? r[2] : r[1];
            f[3] = f[0] + f[1];
            r[4] = r[0] != 3;
            if (!r[4])
                break;
        }
        double found = (double)(insns / 10) / (processor_now() - start) / 1e6;
        best = found > best ? found : best;
    }
    return best;
}

/* Millions of instructions of single threads a second. */
static double rate(const struct set *set, const struct gpucode_image *image, const char *width, const char *timing,
                   uint64_t insns)
{
    struct gpucode_setting settings[] = {{set->threads, width}, {set->timing, timing}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    if (gpucode_machine_create(image, &options, &machine) != GPUCODE_OK)
        fail("no machine");
    unsigned char bytes[4096 + 64] = {0};
    uint64_t texels = set == sets ? GPUCODE_A3XX_TEXELS(0) : GPUCODE_IR3_TEXELS(0);
    gpucode_machine_store(machine, 0, bytes, sizeof bytes);
    gpucode_machine_store(machine, texels, bytes, 16 * 8 * 8);
    gpucode_machine_write(machine, 0, GPUCODE_A3XX_TEXTURE, GPUCODE_A3XX_TEXTURE_WIDTH, 8);
    gpucode_machine_write(machine, 0, GPUCODE_A3XX_TEXTURE, GPUCODE_A3XX_TEXTURE_HEIGHT, 8);
    gpucode_machine_write(machine, 0, GPUCODE_A3XX_CONST, 1, 0xffc);
    for (unsigned i = 0; gpucode_machine_processor(machine, i); i++) {
        gpucode_machine_write(machine, i, GPUCODE_A3XX_FULL, 248, 1); /* strict timing reads what was before */
        gpucode_machine_write(machine, i, GPUCODE_A3XX_FULL, 0, 4 * i);
    }
    double best = 0;
    /* what counts as an instruction of a run is that of a thread, with ir3 that of a wave */
    uint64_t wave = set == sets ? 1 : strtoull(width, NULL, 0) < 64 ? strtoull(width, NULL, 0) : 64;
    uint64_t issues = insns / 10 / wave;
    for (unsigned i = 0; i < 10; i++) { /* the best of ten, for what else the computer does */
        double start = processor_now();
        if (gpucode_machine_run(machine, issues, &stop) != issues)
            fail("the loop did not run");
        double found = (double)(issues * wave) / (processor_now() - start) / 1e6;
        best = found > best ? found : best;
    }
    gpucode_machine_free(machine);
    return best;
}

/* The image reads the program's bytes for as long as it is there. */
static struct gpucode_image *open_loop(const struct set *set, const char *text, struct gpucode_program **program)
{
    struct gpucode_asm_options assemble = {.target = gpucode_target_find(set->target)};
    struct gpucode_image_options open = {.target = assemble.target};
    struct gpucode_image *image;
    if (gpucode_assemble(text, strlen(text), &assemble, program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(*program), gpucode_program_size(*program), &open, &image) !=
            GPUCODE_OK)
        fail("the loop does not assemble");
    return image;
}

static void show(const struct set *set, const char *loop, const char *width, const char *timing, uint64_t insns)
{
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(loops[i].name, loop) == 0) {
            struct gpucode_program *program;
            struct gpucode_image *image = open_loop(set, loops[i].text, &program);
            printf("%-8s %-10s %4s threads, %-6s %8.1f million thread-instructions/s\n", set->target, loop, width,
                   timing, rate(set, image, width, timing, insns));
            gpucode_image_free(image);
            gpucode_program_free(program);
            return;
        }
    fail("no such loop");
}

int main(int argc, char **argv)
{
    static const char *const widths[] = {"1", "4", "16", "64", "256", "1024"};
    uint64_t insns = argc > 2 ? strtoull(argv[2], NULL, 0) : INSNS;
    if (argc > 1) {
        show(&sets[argc > 5 && strcmp(argv[5], sets[0].target) != 0], argc > 4 ? argv[4] : "arithmetic", argv[1],
             argc > 3 ? argv[3] : "plain", insns);
        return 0;
    }
    struct gpucode_program *program;
    struct gpucode_image *image = open_loop(sets, loops[0].text, &program);
    double plain = rate(sets, image, "1", "plain", insns), yardstick = native(insns);
    gpucode_image_free(image);
    gpucode_program_free(program);
    printf("one thread %8.1f million instructions/s, native loop %.1f, ratio %.2f (goal 100)\n", plain, yardstick,
           yardstick / plain);
    for (const struct set *set = sets; set < sets + sizeof sets / sizeof *sets; set++) {
        /* of ir3 strict timing stops at the loop, and what it stores would be the high word of its addresses */
        bool first = set == sets;
        for (unsigned timing = 0; timing < (first ? 2 : 1); timing++)
            for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
                show(set, "arithmetic", widths[i], timing ? "strict" : "plain", timing ? insns / 5 : insns);
        for (unsigned i = 1; i < sizeof loops / sizeof *loops; i++) {
            if (!first && strcmp(loops[i].name, "store") == 0)
                continue;
            show(set, loops[i].name, "1", "plain", insns / 5);
            show(set, loops[i].name, "64", "plain", insns / 5);
            if (first)
                show(set, loops[i].name, "64", "strict", insns / 10);
        }
    }
    return 0;
}
