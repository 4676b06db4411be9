/* SPDX-License-Identifier: MIT */
/* What is counted over a shader. */
#include "assembling.h"

#include <string.h>

static void usage_of(const char *text, struct gpucode_a3xx_usage *usage)
{
    struct assembled out;
    assemble_text(&out, text, "a3xx");
    assert_int_equal(out.status, GPUCODE_OK);
    struct gpucode_image *image;
    image = image_made(&out, "a3xx");
    assert_int_equal(gpucode_a3xx_usage(image, usage), GPUCODE_OK);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

static void counts(void)
{
    struct gpucode_a3xx_usage usage;
    usage_of("(sy)(ss)(rpt3)bary.f hr0.x, (r)2, r0.x\n"
             "(rpt5)nop\n"
             "mul.f hr1.x, hr0.x, hc3.y\n"
             "(rpt1)mov.f32f32 r2.z, (r)c9.w\n"
             "sam (f32)(xz)r4.x, r2.z, s#3, t#70\n"
             "(sy)rcp r1.x, r4.z\n"
             "(ss)mov.f32f32 r0.x, c<a0.x + 5>\n"
             "stg.f32 g[r1.x], r1.y, 2\n"
             "kill p0.x\n"
             ".insn 0xe0000000_00000000\n"
             "end\nnop\nnop\n",
             &usage);
    assert_int_equal(usage.instructions, 11);
    assert_int_equal(usage.padding, 2);
    static const uint32_t categories[7] = {3, 2, 2, 0, 1, 1, 1};
    assert_memory_equal(usage.category, categories, sizeof categories);
    assert_int_equal(usage.unknown, 1);
    assert_int_equal(usage.nops, 1);
    assert_int_equal(usage.nop_slots, 6);
    assert_int_equal(usage.slots, 4 + 6 + 1 + 2 + 7);
    assert_int_equal(usage.ss, 2);
    assert_int_equal(usage.sy, 2);
    assert_int_equal(usage.half.components, 5);
    assert_int_equal(usage.half.vectors, 2);
    assert_int_equal(usage.half.inputs[0], 0);
    assert_int_equal(usage.full.vectors, 5);
    /* r0.x, r0.y (the pair); r1.y, r1.z (stored); r2.z and r2.w were written */
    assert_int_equal(usage.full.inputs[0], 0x63);
    assert_int_equal(usage.full.written[0], 1u << 0 | 1u << 4 | 3u << 10 | 5u << 16);
    /* r0.x, r4.x; all others are read again */
    assert_int_equal(usage.full.outputs[0], 1u << 0 | 1u << 16);
    assert_int_equal(usage.consts, 9 * 4 + 3 + 2);
    assert_int_equal(usage.const_reads[0], 1u << 13);
    assert_int_equal(usage.const_reads[1], 3u << 7);
    assert_int_equal(usage.varying_reads[0], 0x3c);
    assert_true(usage.relative_const);
    assert_int_equal(usage.varyings, 6);
    assert_int_equal(usage.samplers, 1u << 3);
    assert_int_equal(usage.textures[2], 1u << 6);
    assert_true(usage.kills);
    assert_false(usage.calls);
    assert_true(usage.writes_memory);
    assert_false(usage.reads_memory);
}

static void others(void)
{
    struct gpucode_a3xx_usage usage;
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open("", 0, NULL, &image), GPUCODE_OK);
    assert_int_equal(gpucode_a3xx_usage(image, &usage), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_a3xx_usage(NULL, &usage), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_a3xx_usage(image, NULL), GPUCODE_ERROR_ARGUMENT);
    gpucode_image_free(image);
    /* without `end` nothing is padding */
    usage_of("nop\nnop\n", &usage);
    assert_int_equal(usage.instructions, 2);
    assert_int_equal(usage.padding, 0);
}

TESTS(usage, counts, others)
