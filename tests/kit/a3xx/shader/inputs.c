/* SPDX-License-Identifier: MIT */
/* Texts of inputs: textures of several files, levels by means, varyings at corners, and what is refused. */
#include "kit/a3xx/shader/inputs.h"
#include "running.h"

#include <stdlib.h>
#include <string.h>

/* A file system of raw textures: "N" or "dN" is 2 x 2 or 4 x 4 texels that count from N. */
static bool read_made(void *user, const char *path, char **bytes, size_t *size)
{
    unsigned *reads = user;
    bool large = *path == 'd';
    float first = (float)atoi(path + large);
    size_t count = large ? 16 : 4;
    if (*path == 'z')
        return false;
    ++*reads;
    *size = count * 16;
    *bytes = malloc(*size);
    assert_non_null(*bytes);
    for (size_t i = 0; i < count; i++) {
        float texel[] = {first + (float)i, -first, 0.5f, (float)i};
        little_endian_floats(texel, 4);
        memcpy(*bytes + 16 * i, texel, 16);
    }
    return true;
}

static unsigned reads;

static struct shader_inputs inputs_of(const struct rig *rig)
{
    reads = 0;
    return (struct shader_inputs){.machine = rig->machine, .read = read_made, .user = &reads};
}

static void expect_texels(const struct rig *rig, const float *red, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        float texel[4];
        assert_int_equal(gpucode_machine_load(rig->machine, GPUCODE_A3XX_TEXELS(3) + 16 * i, texel, 16), GPUCODE_OK);
        little_endian_floats(texel, 4);
        if (texel[0] != red[i])
            fail_msg("texel %u is %g, not %g", i, (double)texel[0], (double)red[i]);
        assert_true(texel[2] == 0.5f);
    }
    float beyond;
    assert_int_equal(gpucode_machine_load(rig->machine, GPUCODE_A3XX_TEXELS(3) + 16 * count, &beyond, 4) ==
                             GPUCODE_OK &&
                         beyond != 0,
                     false);
}

static void expect_shape(const struct rig *rig, unsigned width, unsigned depth, unsigned levels, unsigned kind)
{
    assert_int_equal(rig_get(rig, "t3.width"), width);
    assert_int_equal(rig_get(rig, "t3.height"), width);
    assert_int_equal(rig_get(rig, "t3.depth"), depth);
    assert_int_equal(rig_get(rig, "t3.levels"), levels);
    assert_int_equal(rig_get(rig, "t3.kind"), kind);
}

static void textures(void)
{
    static const struct {
        const char *text;
        unsigned width, depth, levels, kind, count;
        float red[24];
    } cases[] = {
        {"3=10.f32:2x2", 2, 1, 1, GPUCODE_A3XX_2D, 4, {10, 11, 12, 13}},
        {"3=10.f32:2x2:levels", 2, 1, 2, GPUCODE_A3XX_2D, 5, {10, 11, 12, 13, 11.5f}},
        {"3=10.f32:2x2,20.f32:2x2:array", 2, 2, 1, GPUCODE_A3XX_2D, 8, {10, 11, 12, 13, 20, 21, 22, 23}},
        {"3=10.f32:2x2,20.f32:2x2:array:levels",
         2,
         2,
         2,
         GPUCODE_A3XX_2D,
         10,
         {10, 11, 12, 13, 20, 21, 22, 23, 11.5f, 21.5f}},
        {"3=10.f32:2x2,20.f32:2x2:levels:3d", 2, 2, 2, GPUCODE_A3XX_3D, 9, {10, 11, 12, 13, 20, 21, 22, 23, 16.5f}},
        {"3=d0.f32:4x4,50.f32:2x2", 4, 1, 2, GPUCODE_A3XX_2D, 20, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                                   10, 11, 12, 13, 14, 15, 50, 51, 52, 53}},
        {"3=d0.f32:4x4:levels", 4, 1, 3, GPUCODE_A3XX_2D, 21, {0,  1,  2,  3,  4,  5,    6,    7,     8,     9,   10,
                                                               11, 12, 13, 14, 15, 2.5f, 4.5f, 10.5f, 12.5f, 7.5f}},
        {"3=0.f32:2x2,4.f32:2x2,8.f32:2x2,12.f32:2x2,16.f32:2x2,20.f32:2x2:cube",
         2,
         1,
         1,
         GPUCODE_A3XX_CUBE,
         24,
         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig = rig_text("end\n", NULL);
        struct shader_inputs inputs = inputs_of(&rig);
        if (shader_give(&inputs, SHADER_TEXTURE, cases[i].text) != SHADER_GIVEN)
            fail_msg("%s: expected %s", cases[i].text, inputs.expected);
        expect_shape(&rig, cases[i].width, cases[i].depth, cases[i].levels, cases[i].kind);
        expect_texels(&rig, cases[i].red, cases[i].count);
        rig_down(&rig);
    }
}

static void refused(void)
{
    static const struct {
        enum shader_input kind;
        const char *text, *expected;
    } cases[] = {
        {SHADER_TEXTURE, "16=10.f32:2x2", "units from 0 to 15"},
        {SHADER_TEXTURE, "x=10.f32:2x2", "UNIT="},
        {SHADER_TEXTURE, "3=", "UNIT="},
        {SHADER_TEXTURE, "3=,10.f32:2x2", "UNIT="},
        {SHADER_TEXTURE, "3=10.f32:2x3", "four 32-bit floats"},
        {SHADER_TEXTURE, "3=10.f32:2x2,20.f32:2x2", "half as wide"},
        {SHADER_TEXTURE, "3=d0.f32:4x4,50.f32:2x2:levels", "one file"},
        {SHADER_TEXTURE, "3=d0.f32:4x4,50.f32:2x2:array", "of one size"},
        {SHADER_TEXTURE, "3=10.f32:2x2:cube", "six files"},
        {SHADER_TEXTURE, "3=10.f32:2x2:cube:3d", "UNIT="},
        {SHADER_TEXTURE, "3=10.f32:2x2:array:3d", "UNIT="},
        {SHADER_VARYING, "0=1.0,2.0", "a float"},
        {SHADER_VARYING, "0=1.0,2.0,3.0,4.0,5.0", "a float"},
        {SHADER_VARYING, "0=1.0,2.0,3.0:flat", "one value"},
        {SHADER_VARYING, "0=1.0,2.0,3.0,4.0", "for --image"},
        {SHADER_VARYING, "0=1.0,,3.0", "a float"},
        {SHADER_VARYING, "128=1.0", "0 to 127"},
    };
    struct rig rig = rig_text("end\n", NULL);
    struct shader_inputs inputs = inputs_of(&rig);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (shader_give(&inputs, cases[i].kind, cases[i].text) != SHADER_WRONG)
            fail_msg("%s is taken", cases[i].text);
        if (!strstr(inputs.expected, cases[i].expected))
            fail_msg("%s: expected %s", cases[i].text, inputs.expected);
    }
    assert_int_equal(shader_give(&inputs, SHADER_TEXTURE, "3=z.f32:2x2"), SHADER_NO_FILE);
    assert_int_equal(rig_get(&rig, "t3.width"), 0); /* nothing was bound */
    rig_down(&rig);
}

static void corners(void)
{
    struct rig rig = rig_text("bary.f r1.x, 7, r0.x\nbary.f (ei)r1.y, 8, r0.x\nend\n", NULL);
    struct shader_inputs inputs = inputs_of(&rig);
    assert_int_equal(shader_give(&inputs, SHADER_IJ, "r0.x"), SHADER_GIVEN);
    assert_int_equal(shader_give(&inputs, SHADER_VARYING, "7=1.0,4.0,7.0"), SHADER_GIVEN);
    assert_true(inputs.varies);
    assert_false(inputs.bends);
    assert_int_equal(shader_give(&inputs, SHADER_VARYING, "8=0x12345678:flat"), SHADER_GIVEN);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(rig_get(&rig, "r1.x"), bits_of(4)); /* the middle */
    assert_int_equal(rig_get(&rig, "r1.y"), 0x12345678);
    assert_int_equal(rig_get(&rig, "v7"), bits_of(1));
    assert_int_equal(rig_get(&rig, "vi7"), bits_of(4));
    assert_int_equal(rig_get(&rig, "vj7"), bits_of(7));
    rig_down(&rig);
}

TESTS(inputs, textures, refused, corners)
