/* SPDX-License-Identifier: MIT */
/* Textures with levels, arrays, volumes, cubes, shadow comparisons; the level of detail; textures of the host. */
#include "running.h"

#include <gpucode/a3xx.h>
#include <stdio.h>
#include <string.h>

#define QUAD                                                                                                           \
    {                                                                                                                  \
        "a3xx-threads", "4"                                                                                            \
    }

static unsigned side_of(unsigned side, unsigned level)
{
    return side >> level ? side >> level : 1;
}

/* What stands in the texels of bind(): every texel has a number of its own. */
static float red_of(unsigned level, unsigned layer, unsigned x, unsigned y)
{
    return (float)(4096 * level + 256 * layer + 16 * y + x);
}

/* Binds t#1; red says where a texel is, green is its half, blue 0.25, alpha 1. */
static void bind(struct rig *rig, enum gpucode_a3xx_texture_kind kind, unsigned width, unsigned height, unsigned depth,
                 unsigned levels)
{
    rig_set(rig, "t1.width", width);
    rig_set(rig, "t1.height", height);
    rig_set(rig, "t1.depth", depth);
    rig_set(rig, "t1.levels", levels);
    rig_set(rig, "t1.kind", kind);
    uint64_t at = GPUCODE_A3XX_TEXELS(1);
    for (unsigned level = 0; level < levels; level++) {
        unsigned layers = kind == GPUCODE_A3XX_3D     ? side_of(depth, level)
                          : kind == GPUCODE_A3XX_CUBE ? 6 * depth
                                                      : depth;
        for (unsigned layer = 0; layer < layers; layer++)
            for (unsigned y = 0; y < side_of(height, level); y++)
                for (unsigned x = 0; x < side_of(width, level); x++, at += 16) {
                    float red = red_of(level, layer, x, y);
                    uint32_t texel[4] = {bits_of(red), bits_of(red / 2), bits_of(0.25f), bits_of(1)};
                    rig_store(rig, at, texel, 4);
                }
    }
}

static void set_vector(struct rig *rig, const char *file, unsigned vector, const float *values, unsigned count)
{
    char name[16];
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s%u.%c", file, vector + i / 4, "xyzw"[i % 4]);
        rig_set(rig, name, bits_of(values[i]));
    }
}

static float value_of(const struct rig *rig, const char *name)
{
    uint32_t bits = rig_get(rig, name);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void expect_near(float got, float wanted)
{
    if (!(got > wanted - 1e-3f && got < wanted + 1e-3f))
        fail_msg("%g instead of %g", (double)got, (double)wanted);
}

/* Runs the one instruction with r0, r1, r2 and r4.x; returns r3.x. */
static float look(const char *insn, const struct gpucode_setting *policies, const enum gpucode_a3xx_texture_kind kind,
                  const unsigned *shape, const float *source, unsigned count, float second)
{
    char text[128];
    snprintf(text, sizeof text, "%s\nend\n", insn);
    struct rig rig = rig_text(text, policies);
    bind(&rig, kind, shape[0], shape[1], shape[2], shape[3]);
    set_vector(&rig, "r", 0, source, count);
    rig_set(&rig, "r4.x", bits_of(second));
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    float value = value_of(&rig, "r3.x");
    rig_down(&rig);
    return value;
}

static void levels(void)
{
    static const unsigned shape[] = {8, 8, 1, 4};
    static const float middle[] = {0.3f, 0.8f};
    static const struct {
        float level, nearest, linear;
    } cases[] = {{-1, 98, 98},
                 {0, 98, 98},
                 {0.5f, 98, (98 + 4096 + 49) / 2.0f},
                 {0.625f, 4096 + 49, 98 + 0.625f * (4096 + 49 - 98)},
                 {1, 4096 + 49, 4096 + 49},
                 {1.75f, 8192 + 16, 0.25f * (4096 + 49) + 0.75f * (8192 + 16)},
                 {3, 12288, 12288},
                 {99, 12288, 12288}};
    static const struct gpucode_setting linear[] = {{"a3xx-mip", "linear"}, {NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char saml[] = "saml (f32)(x)r3.x, r0.x, r4.x, s#0, t#1";
        expect_near(look(saml, NULL, GPUCODE_A3XX_2D, shape, middle, 2, cases[i].level), cases[i].nearest);
        expect_near(look(saml, linear, GPUCODE_A3XX_2D, shape, middle, 2, cases[i].level), cases[i].linear);
    }
    float level = 0.0f;
    uint32_t nan = 0x7fc00000;
    memcpy(&level, &nan, sizeof level);
    expect_near(look("saml (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", NULL, GPUCODE_A3XX_2D, shape, middle, 2, level), 98);
    /* offsets stand in front of the level and count in texels of the level: r4.xyz */
    struct rig rig = rig_text("saml.o (f32)(x)r3.x, r0.x, r4.x, s#0, t#1\nend\n", NULL);
    bind(&rig, GPUCODE_A3XX_2D, 8, 8, 1, 4);
    set_vector(&rig, "r", 0, middle, 2);
    rig_set(&rig, "r4.x", 1);
    rig_set(&rig, "r4.y", UINT32_MAX); /* -1 */
    rig_set(&rig, "r4.z", bits_of(1));
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    expect_near(value_of(&rig, "r3.x"), 4096 + 16 * 2 + 2);
    rig_down(&rig);
}

/* The coordinates of isaml come shifted left by the level; levels that are not there are the last. */
static void texels_of_levels(void)
{
    for (unsigned level = 0; level < 6; level++) {
        struct rig rig = rig_text("isaml (f32)(x)r3.x, r0.x, r4.x, s#0, t#1\ngetsize (u32)(xyz)r5.x, r4.x, t#1\n"
                                  "getinfo (u32)(z)r6.x, t#1\nend\n",
                                  NULL);
        bind(&rig, GPUCODE_A3XX_2D, 8, 4, 1, 4);
        unsigned last = level < 4 ? level : 3, x = side_of(8, last) - 1, y = side_of(4, last) - 1;
        rig_set(&rig, "r0.x", x << level);
        rig_set(&rig, "r0.y", y << level);
        rig_set(&rig, "r4.x", level);
        rig_run(&rig, GPUCODE_STOP_END, NULL);
        expect_near(value_of(&rig, "r3.x"), red_of(last, 0, x, y));
        assert_int_equal(rig_get(&rig, "r5.x"), side_of(8, level));
        assert_int_equal(rig_get(&rig, "r5.y"), side_of(4, level));
        assert_int_equal(rig_get(&rig, "r5.z"), 1);
        assert_int_equal(rig_get(&rig, "r6.z"), 3);
        rig_down(&rig);
    }
}

/* Implicit level: the quad's steps; u goes by `step` from thread to thread. */
static float of_quad(const char *insn, float step_x, float step_y, float bias, const char *expected_stop, bool alone,
                     bool zero)
{
    const struct gpucode_setting policies[] = {
        {"a3xx-threads", alone ? "1" : "4"}, {"a3xx-derivative", zero ? "zero" : "stop"}, {NULL, NULL}};
    char text[128];
    snprintf(text, sizeof text, "%s\nend\n", insn);
    struct rig rig = rig_text(text, policies);
    bind(&rig, GPUCODE_A3XX_2D, 8, 8, 1, 4);
    for (unsigned i = 0; i < (alone ? 1u : 4u); i++) {
        /* the result overwrites the coordinates: neighbours must have been looked at before */
        rig_set_of(&rig, i, "r3.x", bits_of((float)(i & 1) * step_x));
        rig_set_of(&rig, i, "r3.y", bits_of((float)(i >> 1) * step_y));
        rig_set_of(&rig, i, "r4.x", bits_of(bias));
    }
    float value = -1;
    if (expected_stop) {
        rig_run(&rig, GPUCODE_STOP_UNKNOWN, expected_stop);
    } else {
        rig_run(&rig, GPUCODE_STOP_END, NULL);
        value = value_of(&rig, "r3.x");
        for (unsigned i = 1; i < 4 && !alone; i++) { /* all threads of a quad look at one level */
            uint32_t bits = rig_get_of(&rig, i, "r3.x");
            float other;
            memcpy(&other, &bits, sizeof other);
            assert_int_equal((int)other / 4096, (int)value / 4096);
        }
    }
    rig_down(&rig);
    return value;
}

static void detail(void)
{
    static const char sam[] = "sam (f32)(x)r3.x, r3.x, s#0, t#1", samb[] = "samb (f32)(x)r3.x, r3.x, r4.x, s#0, t#1";
    expect_near(of_quad(sam, 1 / 8.0f, 1 / 8.0f, 0, NULL, false, false), 0);
    expect_near(of_quad(sam, 1 / 4.0f, 1 / 8.0f, 0, NULL, false, false), 4096);
    expect_near(of_quad(sam, 1 / 64.0f, 1 / 2.0f, 0, NULL, false, false), 8192);
    expect_near(of_quad(sam, 0, 0, 0, NULL, false, false), 0);
    expect_near(of_quad(sam, 0, 4, 0, NULL, false, false), 12288);
    expect_near(of_quad(samb, 1 / 8.0f, 1 / 8.0f, 2, NULL, false, false), 8192);
    expect_near(of_quad(samb, 1 / 2.0f, 1 / 8.0f, -1, NULL, false, false), 4096);
    of_quad(sam, 0, 0, 0, "a3xx-quad", true, false);
    expect_near(of_quad(sam, 0, 0, 0, NULL, true, true), 0);
    /* the coordinates of a projection are divided in every thread */
    const struct gpucode_setting quad[] = {QUAD, {NULL, NULL}};
    struct rig rig = rig_text("sam.p (f32)(x)r3.x, r0.x, s#0, t#1\nend\n", quad);
    bind(&rig, GPUCODE_A3XX_2D, 8, 8, 1, 4);
    for (unsigned i = 0; i < 4; i++) {
        float by = (float)(i + 1);
        rig_set_of(&rig, i, "r0.x", bits_of((float)(i & 1) / 4 * by));
        rig_set_of(&rig, i, "r0.y", bits_of((float)(i >> 1) / 4 * by));
        rig_set_of(&rig, i, "r0.z", bits_of(by));
    }
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    expect_near(value_of(&rig, "r3.x"), 4096);
    uint32_t last = rig_get_of(&rig, 3, "r3.x");
    assert_int_equal(last, bits_of(4096 + 17));
    rig_down(&rig);
}

static void given_derivatives(void)
{
    static const unsigned shape[] = {8, 8, 1, 4}, volume[] = {4, 4, 4, 3};
    /* u, v, padding, d/dx, d/dy */
    static const float flat[] = {0.3f, 0.8f, 9, 9, 0.25f, 0, 0, 0.0625f};
    expect_near(look("samgq (f32)(x)r3.x, r0.x, s#0, t#1", NULL, GPUCODE_A3XX_2D, shape, flat, 8, 0), 4096 + 49);
    static const float diagonal[] = {0.3f, 0.8f, 9, 9, 0, 0, 0.3f, 0.4f};
    expect_near(look("samgq (f32)(x)r3.x, r0.x, s#0, t#1", NULL, GPUCODE_A3XX_2D, shape, diagonal, 8, 0), 8192 + 16);
    static const float deep[] = {0.3f, 0.8f, 0.8f, 9, 0, 0, 0, 0, 0, 0.5f};
    expect_near(look("samgq.3d (f32)(x)r3.x, r0.x, s#0, t#1", NULL, GPUCODE_A3XX_3D, volume, deep, 10, 0),
                4096 + 256 + 16);
}

static void layers(void)
{
    static const unsigned shape[] = {4, 4, 3, 2};
    static const struct gpucode_setting low[] = {{"a3xx-array-index", "floor"}, {NULL, NULL}};
    static const struct {
        float index;
        unsigned nearest, below;
    } cases[] = {{0, 0, 0}, {0.75f, 1, 0}, {1, 1, 1}, {1.25f, 1, 1}, {-3, 0, 0}, {7, 2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float at[] = {0.9f, 0.4f, cases[i].index};
        static const char saml[] = "saml.a (f32)(x)r3.x, r0.x, r4.x, s#0, t#1";
        expect_near(look(saml, NULL, GPUCODE_A3XX_2D, shape, at, 3, 0), red_of(0, cases[i].nearest, 3, 1));
        expect_near(look(saml, low, GPUCODE_A3XX_2D, shape, at, 3, 1), red_of(1, cases[i].below, 1, 0));
    }
    /* the order of the source: coordinates, index, divisor */
    static const float projected[] = {1.8f, 0.8f, 2, 2};
    expect_near(look("saml.a.p (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", NULL, GPUCODE_A3XX_2D, shape, projected, 4, 0),
                red_of(0, 2, 3, 1));
    struct rig rig = rig_text("isam.a (f32)(x)r3.x, r0.x, s#0, t#1\ngetsize (u32)(xyz)r5.x, r4.x, t#1\nend\n", NULL);
    bind(&rig, GPUCODE_A3XX_2D, 4, 4, 3, 2);
    rig_set(&rig, "r0.x", 2);
    rig_set(&rig, "r0.y", 1);
    rig_set(&rig, "r0.z", 1);
    rig_set(&rig, "r4.x", 1);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    expect_near(value_of(&rig, "r3.x"), red_of(0, 1, 2, 1));
    assert_int_equal(rig_get(&rig, "r5.x"), 2);
    assert_int_equal(rig_get(&rig, "r5.z"), 3); /* layers stay */
    rig_down(&rig);
}

static void volumes(void)
{
    static const unsigned shape[] = {4, 4, 4, 3};
    static const struct gpucode_setting linear[] = {{"a3xx-filter", "linear"}, {NULL, NULL}};
    static const float at[] = {0.6f, 0.3f, 0.9f}, middle[] = {0.5f, 0.5f, 0.5f};
    static const char saml[] = "saml.3d (f32)(x)r3.x, r0.x, r4.x, s#0, t#1";
    expect_near(look(saml, NULL, GPUCODE_A3XX_3D, shape, at, 3, 0), red_of(0, 3, 2, 1));
    expect_near(look(saml, NULL, GPUCODE_A3XX_3D, shape, at, 3, 1), red_of(1, 1, 1, 0));
    expect_near(look(saml, NULL, GPUCODE_A3XX_3D, shape, at, 3, 2), red_of(2, 0, 0, 0));
    expect_near(look(saml, linear, GPUCODE_A3XX_3D, shape, middle, 3, 0), 1.5f * (256 + 16 + 1));
    struct rig rig = rig_text("isam.3d (f32)(x)r3.x, r0.x, s#0, t#1\ngetsize (u32)(xyz)r5.x, r4.x, t#1\nend\n", NULL);
    bind(&rig, GPUCODE_A3XX_3D, 4, 4, 4, 3);
    rig_set(&rig, "r0.y", 3);
    rig_set(&rig, "r0.z", 2);
    rig_set(&rig, "r4.x", 1);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    expect_near(value_of(&rig, "r3.x"), red_of(0, 2, 0, 3));
    assert_int_equal(rig_get(&rig, "r5.z"), 2); /* slices become fewer */
    rig_down(&rig);
}

/* OpenGL's table of faces; a direction a little off the axis meets a texel beside the middle. */
static void cubes(void)
{
    static const unsigned shape[] = {4, 4, 1, 1}, two[] = {4, 4, 2, 1};
    static const struct {
        float direction[3];
        unsigned face, x, y;
    } cases[] = {
        {{1, 0.3f, 0.4f}, 0, 1, 1},  {{-1, 0.3f, 0.4f}, 1, 2, 1}, {{0.3f, 1, 0.4f}, 2, 2, 2},
        {{0.3f, -1, 0.4f}, 3, 2, 1}, {{0.3f, 0.4f, 1}, 4, 2, 1},  {{0.3f, 0.4f, -1}, 5, 1, 1},
        {{2, -1.8f, 0.1f}, 0, 1, 3}, {{0.9f, 0.8f, -1}, 5, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float at[4] = {cases[i].direction[0], cases[i].direction[1], cases[i].direction[2], 1};
        expect_near(look("saml.3d (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", NULL, GPUCODE_A3XX_CUBE, shape, at, 3, 0),
                    red_of(0, cases[i].face, cases[i].x, cases[i].y));
        expect_near(look("saml.3d.a (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", NULL, GPUCODE_A3XX_CUBE, two, at, 4, 0),
                    red_of(0, 6 + cases[i].face, cases[i].x, cases[i].y));
    }
    /* a face as large as the screen: a step of a quarter of it is a level for each texel */
    const struct gpucode_setting quad[] = {QUAD, {NULL, NULL}};
    struct rig rig = rig_text("sam.3d (f32)(x)r3.x, r0.x, s#0, t#1\nend\n", quad);
    bind(&rig, GPUCODE_A3XX_CUBE, 4, 4, 1, 3);
    for (unsigned i = 0; i < 4; i++) {
        rig_set_of(&rig, i, "r0.x", bits_of(2));
        rig_set_of(&rig, i, "r0.y", bits_of(0.1f));
        rig_set_of(&rig, i, "r0.z", bits_of(0.1f + 2 * (float)(i & 1)));
    }
    rig_run(&rig, GPUCODE_STOP_END, NULL); /* 2 of a face from -2 to 2: half of it, two texels: level 1 */
    assert_int_equal((int)value_of(&rig, "r3.x") / 4096, 1);
    rig_down(&rig);
}

static void shadows(void)
{
    static const unsigned shape[] = {2, 2, 1, 1};
    static const struct {
        const char *how;
        float below, same, above;
    } cases[] = {{"le", 1, 1, 0}, {"lt", 1, 0, 0}, {"ge", 0, 1, 1},     {"gt", 0, 0, 1},
                 {"eq", 0, 1, 0}, {"ne", 1, 0, 1}, {"always", 1, 1, 1}, {"never", 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gpucode_setting policies[] = {{"a3xx-compare", cases[i].how}, {NULL, NULL}};
        float at[] = {0.9f, 0.9f, 0}; /* the texel has 17 */
        static const char saml[] = "saml.s (f32)(x)r3.x, r0.x, r4.x, s#0, t#1";
        at[2] = 16;
        expect_near(look(saml, policies, GPUCODE_A3XX_2D, shape, at, 3, 0), cases[i].below);
        at[2] = 17;
        expect_near(look(saml, policies, GPUCODE_A3XX_2D, shape, at, 3, 0), cases[i].same);
        at[2] = 18;
        expect_near(look(saml, policies, GPUCODE_A3XX_2D, shape, at, 3, 0), cases[i].above);
    }
    /* filtered: the share of texels that pass; texels 0, 1, 16, 17 */
    const struct gpucode_setting linear[] = {{"a3xx-filter", "linear"}, {NULL, NULL}};
    const float middle[] = {0.5f, 0.5f, 1};
    expect_near(look("saml.s (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", linear, GPUCODE_A3XX_2D, shape, middle, 3, 0), 0.75f);
    /* the reference stands in front of the index, and is divided with the coordinates */
    static const unsigned array[] = {2, 2, 2, 1};
    const float in_array[] = {1.8f, 1.8f, 2 * (256 + 17), 1, 2};
    expect_near(look("saml.s.a.p (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", NULL, GPUCODE_A3XX_2D, array, in_array, 5, 0), 1);
    /* gather4: every texel is compared; from the lower left, counterclockwise: 16, 17, 1, 0 */
    struct rig rig = rig_text("gather4r.s (f32)(xyzw)r3.x, r0.x, s#0, t#1\nend\n", NULL);
    bind(&rig, GPUCODE_A3XX_2D, 2, 2, 1, 1);
    set_vector(&rig, "r", 0, (float[]){0.5f, 0.5f, 16.5f}, 3);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    expect_near(value_of(&rig, "r3.x"), 0);
    expect_near(value_of(&rig, "r3.y"), 1);
    expect_near(value_of(&rig, "r3.z"), 0);
    expect_near(value_of(&rig, "r3.w"), 0);
    rig_down(&rig);
}

/* Forms whose meaning nobody knows. */
static void refusals(void)
{
    static const struct {
        const char *insn;
        enum gpucode_a3xx_texture_kind kind;
        unsigned depth;
    } cases[] = {
        {"saml.3d (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_2D, 1},
        {"saml (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_3D, 2},
        {"saml (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_CUBE, 1},
        {"saml (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_2D, 2},
        {"saml.3d.a (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_3D, 2},
        {"saml.3d (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_CUBE, 2},
        {"saml.3d.o (f32)(x)r3.x, r0.x, r4.x, s#0, t#1", GPUCODE_A3XX_CUBE, 1},
        {"isam.3d (f32)(x)r3.x, r0.x, s#0, t#1", GPUCODE_A3XX_CUBE, 1},
        {"isam.s (f32)(x)r3.x, r0.x, s#0, t#1", GPUCODE_A3XX_2D, 1},
        {"isam.p (f32)(x)r3.x, r0.x, s#0, t#1", GPUCODE_A3XX_2D, 1},
        {"gather4r.3d (f32)(x)r3.x, r0.x, s#0, t#1", GPUCODE_A3XX_3D, 2},
        {"samgq.a.p.s (f32)(x)r3.x, r0.x, s#0, t#1", GPUCODE_A3XX_2D, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s\nend\n", cases[i].insn);
        struct rig rig = rig_text(text, NULL);
        bind(&rig, cases[i].kind, 2, 2, cases[i].depth, 1);
        rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-texture-kind");
        rig_down(&rig);
    }
    struct rig rig = rig_text("saml.a (f32)(x)r3.x, r0.x, r4.x, s#0, t#1\nend\n", NULL);
    rig_set(&rig, "t1.width", 8192);
    rig_set(&rig, "t1.height", 8192);
    rig_set(&rig, "t1.depth", 2);
    rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-texture-kind");
    assert_non_null(strstr(rig.stop.text, "2^26"));
    unsigned space;
    uint32_t number;
    assert_true(gpucode_machine_find(rig.machine, "t15.kind", &space, &number));
    assert_int_equal(gpucode_machine_write(rig.machine, 0, space, number, 3), GPUCODE_ERROR_RANGE);
    assert_true(gpucode_machine_find(rig.machine, "t0.levels", &space, &number));
    assert_int_equal(gpucode_machine_write(rig.machine, 0, space, number, 15), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_write(rig.machine, 0, space, number, 14), GPUCODE_OK);
    assert_false(gpucode_machine_find(rig.machine, "t0.color", &space, &number));
    assert_false(gpucode_machine_find(rig.machine, "t16.depth", &space, &number));
    rig_down(&rig);
}

/* --- textures of the host ---------------------------------------------------------------------------------------- */

struct host {
    unsigned calls;
    struct gpucode_texture_lookup seen[8];
    uint32_t around[4][4];
};

static bool answer(void *user, struct gpucode_machine *machine, const struct gpucode_texture_lookup *lookup,
                   uint32_t values[4])
{
    struct host *host = user;
    assert_non_null(machine);
    assert_true(host->calls < 8);
    host->seen[host->calls++] = *lookup;
    for (unsigned i = 0; i < lookup->quad; i++)
        memcpy(host->around[i], lookup->around[i], sizeof host->around[i]);
    if (lookup->texture == 1)
        return false; /* the built-in one */
    for (unsigned i = 0; i < 4; i++)
        values[i] = lookup->type <= 1 ? bits_of((float)i + 0.5f) : 100 + i;
    return true;
}

static void host_textures(void)
{
    struct rig rig = rig_text("samb.3d.o.s (f32)(xyw)r8.x, r0.x, r4.x, s#3, t#5\n"
                              "isam.a (u16)(y)hr8.x, r0.x, s#2, t#77\ngetsize (u32)(x)r9.x, r4.x, t#6\n"
                              "sam (f16)(x)hr9.x, hr0.x, s#0, t#7\nsaml (f32)(x)r10.x, r2.x, r5.x, s#0, t#1\n"
                              "sam.s2en (f32)(z)r11.x, r0.x, hr1.x\nend\n",
                              NULL);
    struct host host = {0};
    assert_int_equal(gpucode_machine_texture(rig.machine, answer, &host), GPUCODE_OK);
    bind(&rig, GPUCODE_A3XX_2D, 2, 2, 1, 1);
    for (unsigned i = 0; i < 16; i++) {
        char name[16];
        snprintf(name, sizeof name, "r%u.%c", i / 4, "xyzw"[i % 4]);
        rig_set(&rig, name, 0x1000 + i);
        snprintf(name, sizeof name, "r%u.%c", 4 + i / 4, "xyzw"[i % 4]);
        rig_set(&rig, name, 0x2000 + i);
    }
    set_vector(&rig, "r", 2, (float[]){0.9f, 0.1f}, 2);
    rig_set(&rig, "r5.x", 0);
    rig_set(&rig, "hr0.x", 0x3c00);
    rig_set(&rig, "hr1.x", 9);
    rig_set(&rig, "hr1.y", 300);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(host.calls, 6);
    const struct gpucode_texture_lookup *seen = host.seen;
    assert_string_equal(seen[0].mnemonic, "samb");
    assert_int_equal(seen[0].kind, GPUCODE_A3XX_SAMPLE);
    assert_int_equal(seen[0].flags, GPUCODE_A3XX_LOOKUP_3D | GPUCODE_A3XX_LOOKUP_OFFSET | GPUCODE_A3XX_LOOKUP_SHADOW);
    assert_int_equal(seen[0].sampler, 3);
    assert_int_equal(seen[0].texture, 5);
    assert_int_equal(seen[0].mask, 11);
    assert_int_equal(seen[0].type, 1);
    assert_int_equal(seen[0].count[0], 4);
    assert_int_equal(seen[0].source[0][3], 0x1003);
    assert_int_equal(seen[0].count[1], 4); /* three offsets, the bias */
    assert_int_equal(seen[0].source[1][3], 0x2003);
    assert_int_equal(seen[0].pc, 0);
    assert_null(seen[0].around);
    assert_int_equal(rig_get(&rig, "r8.x"), bits_of(0.5f));
    assert_int_equal(rig_get(&rig, "r8.z"), 0); /* not in the mask */
    assert_int_equal(rig_get(&rig, "r8.w"), bits_of(3.5f));
    assert_int_equal(seen[1].kind, GPUCODE_A3XX_FETCH);
    assert_int_equal(seen[1].texture, 77);
    assert_int_equal(seen[1].count[0], 3);
    assert_int_equal(rig_get(&rig, "hr8.y"), 101);
    assert_int_equal(seen[2].kind, GPUCODE_A3XX_SIZE);
    assert_int_equal(seen[2].source[0][0], 0x2000);
    assert_int_equal(rig_get(&rig, "r9.x"), 100);
    assert_true(seen[3].half);
    assert_int_equal(seen[3].source[0][0], 0x3c00);
    assert_int_equal(rig_get(&rig, "hr9.x"), 0x3800);
    assert_int_equal(rig_get(&rig, "r10.x"), bits_of(1)); /* built in */
    assert_int_equal(seen[5].sampler, 9);
    assert_int_equal(seen[5].texture, 300);
    assert_int_equal(rig_get(&rig, "r11.z"), bits_of(2.5f));
    rig_down(&rig);
    /* derivatives that are given stand behind the place, which is padded to four */
    static const char *const forms[] = {"", ".3d"};
    for (unsigned i = 0; i < 2; i++) {
        char text[100];
        snprintf(text, sizeof text, "samgq%s (f32)(x)r8.x, r0.x, s#3, t#5\nend\n", forms[i]);
        rig = rig_text(text, NULL);
        host.calls = 0;
        assert_int_equal(gpucode_machine_texture(rig.machine, answer, &host), GPUCODE_OK);
        for (unsigned k = 0; k < 12; k++) {
            char name[16];
            snprintf(name, sizeof name, "r%u.%c", k / 4, "xyzw"[k % 4]);
            rig_set(&rig, name, 0x3000 + k);
        }
        rig_run(&rig, GPUCODE_STOP_END, NULL);
        assert_int_equal(host.calls, 1);
        assert_int_equal(host.seen[0].count[0], 4 + 2 * (2 + i));
        assert_int_equal(host.seen[0].count[1], 0);
        for (unsigned k = 0; k < host.seen[0].count[0]; k++)
            assert_int_equal(host.seen[0].source[0][k], 0x3000 + k);
        rig_down(&rig);
    }
    /* without it, what was answered stops */
    rig = rig_text("sam (f32)(x)r8.x, r0.x, s#3, t#5\nend\n", NULL);
    assert_int_equal(gpucode_machine_texture(rig.machine, answer, &host), GPUCODE_OK);
    assert_int_equal(gpucode_machine_texture(rig.machine, NULL, NULL), GPUCODE_OK);
    rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-no-texture");
    rig_down(&rig);
    /* in a quad it sees what the others look at */
    const struct gpucode_setting quad[] = {QUAD, {NULL, NULL}};
    rig = rig_text("sam (f32)(x)r0.x, r0.x, s#3, t#5\nend\n", quad);
    host.calls = 0;
    assert_int_equal(gpucode_machine_texture(rig.machine, answer, &host), GPUCODE_OK);
    for (unsigned i = 0; i < 4; i++)
        rig_set_of(&rig, i, "r0.y", 70 + i);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(host.calls, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(host.seen[i].thread, i);
        assert_int_equal(host.seen[i].quad, 4);
        assert_int_equal(host.around[i][1], 70 + i);
    }
    rig_down(&rig);
}

/* --- memory of the host ------------------------------------------------------------------------------------------ */

struct device {
    unsigned reads, writes;
    uint32_t words[4]; /* at 0x8000 */
};

static bool serve(void *user, struct gpucode_machine *machine, const struct gpucode_access *access, uint32_t *value)
{
    struct device *device = user;
    assert_non_null(machine);
    if (access->address < 0x8000 || access->address + access->bytes > 0x8010)
        return false;
    uint32_t *word = &device->words[(access->address - 0x8000) / 4];
    unsigned shift = 8 * (access->address & 3);
    uint32_t mask = access->bytes < 4 ? ((1u << 8 * access->bytes) - 1) << shift : UINT32_MAX;
    if (access->write)
        *word = (*word & ~mask) | (*value << shift & mask);
    else
        *value = *word >> shift; /* more than was asked for: the machine takes what it needs */
    ++*(access->write ? &device->writes : &device->reads);
    return true;
}

static void host_memory(void)
{
    struct rig rig = rig_text("ldg.u32 r1.x, g[r0.x], 2\nldg.s8 hr1.x, g[r0.x+1], 1\nstg.u16 g[r0.x+10], hr2.x, 1\n"
                              "atomic.add.g.untyped.1d.u32.1 r3.x, g[0], r0.y, 0, r0.x\n"
                              "ldg.u32 r4.x, g[r0.z], 1\nstl.u32 l[r0.x], r1.x, 1\nend\n",
                              NULL);
    struct device device = {.words = {0x11228344, 5, 0, 0}};
    assert_int_equal(gpucode_machine_memory(rig.machine, serve, &device), GPUCODE_OK);
    static const unsigned char own[4] = {7, 0, 0, 0};
    assert_int_equal(gpucode_machine_store(rig.machine, 0x1000, own, 4), GPUCODE_OK);
    rig_set(&rig, "r0.x", 0x8000);
    rig_set(&rig, "r0.y", 2);
    rig_set(&rig, "r0.z", 0x1000);
    rig_set(&rig, "hr2.x", 0xbeef);
    gpucode_machine_run(rig.machine, 5, &rig.stop);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_LIMIT);
    assert_int_equal(rig_get(&rig, "r1.x"), 0x11228344);
    assert_int_equal(rig_get(&rig, "r1.y"), 5);
    assert_int_equal(rig_get(&rig, "hr1.x"), 0xff83);
    assert_int_equal(rig_get(&rig, "r3.x"), 0x11228344);
    assert_int_equal(rig_get(&rig, "r4.x"), 7); /* the machine's own */
    assert_int_equal(device.words[0], 0x11228346);
    assert_int_equal(device.words[2], 0xbeef0000);
    assert_int_equal(device.reads, 4);
    assert_int_equal(device.writes, 2);
    /* local memory is the machine's, and its addresses end where they did */
    rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-memory");
    assert_int_equal(device.writes, 2);
    rig_down(&rig);
    rig = rig_text("ldg.u32 r1.x, g[r0.x], 1\nend\n", NULL);
    assert_int_equal(gpucode_machine_memory(rig.machine, serve, &device), GPUCODE_OK);
    assert_int_equal(gpucode_machine_memory(rig.machine, NULL, NULL), GPUCODE_OK);
    rig_set(&rig, "r0.x", 0x8000);
    rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-memory");
    rig_down(&rig);
    /* other sets have neither */
    struct assembled assembled;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    assemble_text(&assembled, "exit\n", "hwsq:nv50");
    assert_int_equal(assembled.status, GPUCODE_OK);
    image = image_made(&assembled, "hwsq:nv50");
    assert_int_equal(gpucode_machine_create(image, NULL, &machine), GPUCODE_OK);
    assert_int_equal(gpucode_machine_memory(machine, serve, &device), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_machine_texture(machine, answer, &device), GPUCODE_ERROR_UNSUPPORTED);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(assembled.program);
}

TESTS(textures, levels, texels_of_levels, detail, given_derivatives, layers, volumes, cubes, shadows, refusals,
      host_textures, host_memory)
