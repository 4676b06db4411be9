/* SPDX-License-Identifier: MIT */
/* What is counted over a shader, and the registers that each kind of instruction uses. */
#include "assembling.h"

#include <gpucode/ir3.h>
#include <stdio.h>

static void usage_of(const char *target, const char *text, struct gpucode_ir3_usage *usage)
{
    struct assembled out;
    assemble_text(&out, text, target);
    assert_int_equal(out.status, GPUCODE_OK);
    struct gpucode_image *image = image_made(&out, target);
    assert_int_equal(gpucode_ir3_usage(image, usage), GPUCODE_OK);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

static bool has(const uint32_t *words, unsigned number)
{
    return words[number / 32] >> number % 32 & 1;
}

/* The last varying and const, one more, and a register that a shared half has nothing to do with. */
static void last_ones(void)
{
    struct gpucode_ir3_usage usage;
    usage_of("ir3:a650",
             "bary.f r1.x, 127, r0.x\nbary.f (ei)r1.y, 128, r0.x\nmov.f32f32 r1.z, c511.w\n"
             "mov.u16u16 hr48.x, 1\n(ss)add.u r2.x, r24.x, r23.w\nend\n",
             &usage);
    assert_int_equal(usage.shader.varyings, 129);
    assert_true(has(usage.shader.varying_reads, 127));
    assert_int_equal(usage.shader.consts, 2048);
    assert_true(has(usage.shader.const_reads, 2047));
    assert_true(has(usage.shader.full.inputs, 96));
    assert_true(has(usage.shader.full.inputs, 95));
}

static void counts(void)
{
    struct gpucode_ir3_usage usage;
    usage_of("ir3:a650",
             "(sy)(ss)(rpt3)bary.f hr8.x, (r)2, r0.x\n"
             "(nop3) mul.f hr1.x, hr8.x, hc3.y\n"
             "(rpt1)mov.f32f32 r2.z, (r)c9.w\n"
             "(rpt5)nop\n"
             "sam (f32)(xz)r4.x, r2.z, s#3, t#70\n"
             "(sy)rcp r1.x, r4.z\n"
             "(ss)mov.f32f32 r49.x, c<a0.x + 5>\n"
             "bar.g\n"
             "(ss)(sy)br p0.x, #l\n"
             "stib.b.untyped.1d.u32.4.imm r6.x, r1.x, 0\n"
             "l:\n(jp)end\nnop\n",
             &usage);
    assert_int_equal(usage.shader.instructions, 11);
    assert_int_equal(usage.shader.padding, 1);
    static const uint32_t categories[7] = {3, 2, 2, 0, 1, 1, 1};
    assert_memory_equal(usage.shader.category, categories, sizeof categories);
    assert_int_equal(usage.barriers, 1);
    assert_int_equal(usage.shader.slots, 4 + 1 + 3 + 2 + 6 + 7);
    assert_int_equal(usage.shader.nop_slots, 6 + 3);
    assert_int_equal(usage.idle_slots, 3);
    assert_int_equal(usage.branches, 1);
    assert_int_equal(usage.joins, 1);
    assert_int_equal(usage.shared, 2);
    assert_int_equal(usage.shader.full.vectors, 7); /* r6.w */
    assert_int_equal(usage.shader.half.vectors, 9); /* hr8.w */
    assert_int_equal(usage.registers, 7);
    assert_int_equal(usage.waves, 16); /* not 18 */
    assert_int_equal(usage.double_waves, 4 * 2);
    assert_int_equal(usage.constlen, 12);
    assert_true(usage.shader.relative_const);
    assert_int_equal(usage.shader.samplers, 8);
    assert_true(usage.shader.writes_memory);
    usage_of("ir3:a530", "mov.f16f16 hr8.x, hr0.x\nend\n", &usage);
    assert_int_equal(usage.registers, 0); /* a file of their own */
    usage_of("ir3:a630", "mov.f16f16 hr8.x, hr0.x\nend\n", &usage);
    assert_int_equal(usage.registers, 5);
}

/* A word, how many full and half registers it reads and writes. */
static const struct reach {
    const char *target, *text;
    uint32_t read, written; /* the first 32 full registers */
} reaches[] = {
    {"ir3:a6xx", "sam.3d.a.s (f32)(xz)r4.x, r0.x, s#0, t#0", 0x1f, 5u << 16},
    {"ir3:a6xx", "samgq (f32)(x)r4.x, r0.x, s#0, t#0", 0xff, 1u << 16},
    {"ir3:a6xx", "saml.o (f32)(x)r4.x, r0.x, r1.x, s#0, t#0", 0x73, 1u << 16},
    {"ir3:a6xx", "isam.v (f32)(x)r4.x, r0.x, s#0, t#0", 1, 1u << 16},
    {"ir3:a6xx", "sam.s2en.uniform.base1 (f32)(x)r4.x, r0.x, r1.x", 0x33, 1u << 16},
    {"ir3:a4xx", "ldg.u32 r1.x, g[r0.x], 2", 1, 3u << 4},
    {"ir3:a5xx", "ldg.u32 r1.x, g[r0.x], 2", 3, 3u << 4},
    {"ir3:a7xx", "stg.a.u32 g[r0.x+r1.x+4], r2.x, 3", 0x713, 0},
    {"ir3:a6xx", "stg.a.u32 g[r0.x+(r1.x<<2)], r2.x, 3", 0x713, 0},
    {"ir3:a6xx", "atomic.b.cmpxchg.untyped.1d.u32.1.imm r0.x, r1.x, 0", 0x17, 1},
    {"ir3:a6xx", "atomic.g.add.untyped.1d.u64.1.g r2.x, r0.x, r1.x", 0x33, 3u << 8},
    {"ir3:a5xx", "atomic.s.cmpxchg.untyped.1d.u32.1.g r2.x, g[1], r0.x, r1.x, r1.z", 0xd3, 1u << 8},
    {"ir3:a6xx", "ldib.b.typed.2d.f32.4.imm r1.x, r0.x, 0", 3, 0xf0},
    {"ir3:a6xx", "ldc.offset0.3.uniform r1.x, r0.x, r0.y", 3, 0x70},
    {"ir3:a6xx", "resinfo.b.untyped.2d.u32.1.imm r1.x, 0", 0, 0x70},
    {"ir3:a6xx", "shfl.xor.u32 r1.x, r0.x, 1", 0x11, 0x10},
    {"ir3:a6xx", "gat.u32u32 r1.x, r0.x, r0.y, r0.z, r0.w", 0xf, 0xf0},
    {"ir3:a6xx", "wmm r1.x, r0.x, r2.x, 32", 0xf0f, 0xff0},
    {"ir3:a6xx", "bary.f r1.x, 3, r0.x", 3, 0x10},
    {"ir3:a7xx", "ray_intersection r4.x, [r0.x], r0.z, r1.x, r3.x", 0x1f1ff7, 0x1fu << 16},
};

static void registers_in_a_row(void)
{
    char text[200];
    for (unsigned i = 0; i < sizeof reaches / sizeof *reaches; i++) {
        struct gpucode_ir3_usage usage;
        snprintf(text, sizeof text, "%s\nend\n", reaches[i].text);
        usage_of(reaches[i].target, text, &usage);
        if (usage.shader.full.read[0] != reaches[i].read || usage.shader.full.written[0] != reaches[i].written)
            print_error("%s: 0x%x 0x%x\n", reaches[i].text, usage.shader.full.read[0], usage.shader.full.written[0]);
        assert_int_equal(usage.shader.full.read[0], reaches[i].read);
        assert_int_equal(usage.shader.full.written[0], reaches[i].written);
    }
}

/* hr0.z and hr0.w are halves of r0.y from a6xx on. */
static void halves_are_parts_of_full_ones(void)
{
    static const char text[] = "mov.u32u32 r0.y, r0.x\nmov.u16u16 hr8.x, hr0.w\nmov.u16u16 hr2.x, hr8.y\n"
                               "mov.u32u32 r2.x, r1.x\nend\n";
    struct gpucode_ir3_usage apart, merged;
    usage_of("ir3:a5xx", text, &apart);
    usage_of("ir3:a6xx", text, &merged);
    assert_int_equal(apart.shader.half.inputs[0], 1u << 3);
    assert_int_equal(apart.shader.half.inputs[1], 2);
    assert_int_equal(apart.shader.full.inputs[0], 1 | 1u << 4);
    assert_int_equal(apart.shader.full.outputs[0], 2 | 1u << 8);
    assert_int_equal(merged.shader.half.inputs[0], 0); /* r0.y was written */
    assert_int_equal(merged.shader.half.inputs[1], 2);
    assert_int_equal(merged.shader.full.inputs[0], 1); /* r1.x has hr2.x in it */
    assert_int_equal(merged.shader.full.outputs[0], 1u << 8);
    assert_int_equal(merged.shader.half.outputs[0], 0);
}

static void other_code_is_refused(void)
{
    struct assembled out;
    struct gpucode_ir3_usage usage;
    assemble_text(&out, "end\n", "a3xx");
    struct gpucode_image *image = image_made(&out, "a3xx");
    assert_int_equal(gpucode_ir3_usage(image, &usage), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_ir3_usage(NULL, &usage), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_ir3_usage_tell(image, NULL), GPUCODE_ERROR_UNSUPPORTED);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

TESTS(usage, counts, last_ones, registers_in_a_row, halves_are_parts_of_full_ones, other_code_is_refused)
