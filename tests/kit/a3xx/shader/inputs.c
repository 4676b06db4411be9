/* SPDX-License-Identifier: MIT */
/* Texts of inputs: textures of several files, levels by means, varyings at corners, and what is refused. */
#include "kit/a3xx/shader/inputs.h"
#include "running.h"

#include <stdlib.h>
#include <string.h>

/* A file system of raw textures: "oN", "wN", "N" and "dN" are 1, 2, 4 and 16 texels that count from N. */
static bool read_made(void *user, const char *path, char **bytes, size_t *size)
{
    unsigned *reads = user;
    float first = strtof(path + (*path >= 'a'), NULL);
    size_t count = *path == 'o' ? 1 : *path == 'w' ? 2 : *path == 'd' ? 16 : 4;
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
        {"3=0.1.f32:2x2", 2, 1, 1, GPUCODE_A3XX_2D, 4, {0.1f, 0.1f + 1, 0.1f + 2, 0.1f + 3}},
        {"3=w10.f32:2x1:levels", 2, 1, 2, GPUCODE_A3XX_2D, 3, {10, 11, 10.5f}},
        {"3=w10.f32:1x2:levels", 1, 1, 2, GPUCODE_A3XX_2D, 3, {10, 11, 10.5f}},
        {"3=o10.f32:1x1,o20.f32:1x1:3d:levels", 1, 2, 2, GPUCODE_A3XX_3D, 3, {10, 20, 15}},
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
        {SHADER_TEXTURE, "3=10.f32:9x9", "four 32-bit floats"},
        {SHADER_TEXTURE, "3=10.f32:8192x8192", "four 32-bit floats"},
        {SHADER_TEXTURE, "3=10.f32:8193x1", "the size of raw floats"},
        {SHADER_TEXTURE, "3=10.f32:1x8193", "the size of raw floats"},
        {SHADER_TEXTURE, "3=10.f32:2y2", "the size of raw floats"},
        {SHADER_TEXTURE, "3=10.f32:2x+2", "the size of raw floats"},
        {SHADER_TEXTURE, "3=.f32:2x2", "the size of raw floats"}, /* no name */
        {SHADER_TEXTURE, "3=1.f32", "the size of raw floats"},
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
        {SHADER_IN, "color.w=1", "a declared name"}, /* three components */
        {SHADER_IN, "a_name_that_is_longer_than_all_names_of_registers_and_also_than_the_room_that_there_is_for_one=1",
         "a declared name"},
        {SHADER_IN, "r0.x=-2147483649", "a float"},
        {SHADER_IN, "hr0.x=-32769", "of 16 bits"},
        {SHADER_IJ, "r60.w", "the first of two"},
        {SHADER_MEMORY, "0x100000000=o1", "32 bits"},
        {SHADER_MEMORY, "0xfffffff1=o1", "has room"},
    };
    struct rig rig = rig_text("@in(r2.x-r2.z) color\nend\n", NULL);
    struct shader_inputs inputs = inputs_of(&rig);
    inputs.program = rig.program;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (shader_give(&inputs, cases[i].kind, cases[i].text) != SHADER_WRONG)
            fail_msg("%s is taken", cases[i].text);
        if (!strstr(inputs.expected, cases[i].expected))
            fail_msg("%s: expected %s", cases[i].text, inputs.expected);
    }
    assert_int_equal(shader_give(&inputs, SHADER_TEXTURE, "3=z.f32:2x2"), SHADER_NO_FILE);
    assert_int_equal(shader_give(&inputs, SHADER_TEXTURE, "3=.f32"), SHADER_NO_FILE); /* a name, and no picture */
    assert_int_equal(rig_get(&rig, "t3.width"), 0);                                   /* nothing was bound */
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

/* The last values and places that can be given. */
static void limits(void)
{
    static const struct {
        enum shader_input kind;
        const char *text, *name;
        uint32_t bits;
    } cases[] = {
        {SHADER_IN, "r0.x=-2147483648", "r0.x", 0x80000000},
        {SHADER_IN, "hr0.x=-32768", "hr0.x", 0x8000},
        {SHADER_IN, "color.z=7", "r2.z", 7},
        {SHADER_IJ, "r60.z", "r60.z", 0x3eaaaaab},
        {SHADER_IJ, "r60.z", "r60.w", 0x3eaaaaab},
        {SHADER_VARYING, "127=1.0", "v127", 0x3f800000},
    };
    struct rig rig = rig_text("@in(r2.x-r2.z) color\nend\n", NULL);
    struct shader_inputs inputs = inputs_of(&rig);
    inputs.program = rig.program;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_set(&rig, cases[i].name, 0);
        if (shader_give(&inputs, cases[i].kind, cases[i].text) != SHADER_GIVEN)
            fail_msg("%s: expected %s", cases[i].text, inputs.expected);
        if (rig_get(&rig, cases[i].name) != cases[i].bits)
            fail_msg("%s: %08x", cases[i].text, (unsigned)rig_get(&rig, cases[i].name));
    }
    /* bits that are no sum of floats have the fourth corner too */
    assert_int_equal(shader_give(&inputs, SHADER_VARYING, "8=0x7f7fffff:flat"), SHADER_GIVEN);
    assert_int_equal(inputs.varying[8][3], 0x7f7fffff);
    /* a file that ends with the last byte of memory */
    float texel[4];
    assert_int_equal(shader_give(&inputs, SHADER_MEMORY, "0xfffffff0=o7"), SHADER_GIVEN);
    assert_int_equal(gpucode_machine_load(rig.machine, 0xfffffff0, texel, 16), GPUCODE_OK);
    little_endian_floats(texel, 4);
    assert_true(texel[0] == 7 && texel[1] == -7);
    rig_down(&rig);
}

static void groups(void)
{
    static const struct {
        uint32_t size[3];
        const char *threads;
    } sizes[] = {{{8, 4, 2}, "64"}, {{65536, 32768, 1}, "2147483648"}, {{65536, 65536, 1}, "18446744073709551615"}};
    struct rig rig = rig_text("end\n", NULL);
    struct shader_group group = {.sized = false};
    char text[SHADER_NUMBER];
    assert_true(shader_group_size(&group, "1024") && group.size[0] == 1024 && group.size[2] == 1);
    assert_true(shader_group_size(&group, "1,1,1024") && group.size[0] == 1 && group.size[2] == 1024);
    assert_false(shader_group_size(&group, "1025"));
    assert_false(shader_group_size(&group, "1,1,1,1"));
    assert_true(shader_group_id(&group, rig.machine, "r60.y"));
    assert_false(shader_group_id(&group, rig.machine, "r60.z"));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(group.size, sizes[i].size, sizeof group.size);
        assert_true(shader_group_threads(&group, text));
        assert_string_equal(text, sizes[i].threads);
    }
    rig_down(&rig);
}

/* Halves of floats: the last that is not infinite, the first that is not 0, numbers half way between two. */
static void halves(void)
{
    static const uint32_t bits[][2] = {
        {0x477fefff, 0x7bff}, {0x477ff000, 0x7c00}, {0xff7fffff, 0xfc00}, {0x7f800000, 0x7c00}, {0x7f800001, 0x7e00},
        {0x33000000, 0},      {0x33000001, 1},      {0xb3000001, 0x8001}, {0x32ffffff, 0},      {0x33bfffff, 1},
        {0x33c00000, 2},      {0x387fffff, 0x400},  {0x3f801000, 0x3c00}, {0x3f803000, 0x3c02}, {0x3f801001, 0x3c01},
    };
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (shader_half_bits(shader_float_value(bits[i][0])) != bits[i][1])
            fail_msg("%08x: %04x", (unsigned)bits[i][0], (unsigned)shader_half_bits(shader_float_value(bits[i][0])));
}

TESTS(inputs, textures, refused, corners, limits, groups, halves)
