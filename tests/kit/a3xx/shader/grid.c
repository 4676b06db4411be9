/* SPDX-License-Identifier: MIT */
/* Pictures of shaders whose pixels this test computes itself. */
#include "kit/a3xx/shader/grid.h"
#include "running.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct canvas {
    struct rig rig;
    struct shader_inputs inputs;
    struct shader_grid grid;
    uint8_t *rgba;
};

static struct canvas *canvas_of(const char *text, unsigned width, unsigned height, const char *const *varyings,
                                const char *threads)
{
    const struct gpucode_setting quad[] = {{"a3xx-threads", threads}, {NULL, NULL}};
    struct canvas *canvas = calloc(1, sizeof *canvas);
    assert_non_null(canvas);
    canvas->rig = rig_text(text, quad);
    canvas->inputs = (struct shader_inputs){.machine = canvas->rig.machine, .grid = true};
    for (; varyings && *varyings; varyings++)
        if (shader_give(&canvas->inputs, SHADER_VARYING, *varyings) != SHADER_GIVEN)
            fail_msg("%s: expected %s", *varyings, canvas->inputs.expected);
    canvas->grid = (struct shader_grid){.inputs = &canvas->inputs,
                                        .width = width,
                                        .height = height,
                                        .has_pair = true,
                                        .color = {{GPUCODE_A3XX_FULL, 4, 4}}, /* r1.x */
                                        .targets = 1,
                                        .limit = 1000};
    canvas->rgba = malloc((size_t)width * height * 4);
    assert_non_null(canvas->rgba);
    memset(canvas->rgba, 0xa5, (size_t)width * height * 4);
    return canvas;
}

static struct canvas *canvas(const char *text, unsigned width, unsigned height, const char *const *varyings)
{
    return canvas_of(text, width, height, varyings, "4");
}

static void put_away(struct canvas *canvas)
{
    rig_down(&canvas->rig);
    free(canvas->rgba);
    free(canvas);
}

static void draw(struct canvas *canvas)
{
    if (!shader_grid_run(&canvas->grid, canvas->rgba))
        fail_msg("pixel %u, %u: %s", canvas->grid.x, canvas->grid.y, canvas->grid.stop.text);
    assert_int_equal(canvas->grid.stop.reason, GPUCODE_STOP_END);
}

static int byte_of(double value)
{
    return value <= 0 ? 0 : value >= 1 ? 255 : (int)floor(value * 255 + 0.5);
}

/* At most one step away: the expected value is calculated with more digits. */
static void expect(const struct canvas *canvas, unsigned x, unsigned y, unsigned channel, double value)
{
    int got = canvas->rgba[4 * ((size_t)y * canvas->grid.width + x) + channel], wanted = byte_of(value);
    if (abs(got - wanted) > 1)
        fail_msg("pixel %u, %u, channel %u: %d instead of %d", x, y, channel, got, wanted);
}

static const char interpolating[] = "bary.f r1.x, 0, r0.x\nbary.f r1.y, 1, r0.x\nbary.f r1.z, 2, r0.x\n"
                                    "bary.f (ei)r1.w, 3, r0.x\nend\n";

/* Three corners: a plane over the whole picture. Odd sides have quads that are cut. */
static void plane(void)
{
    static const char *const varyings[] = {"0=0.0,1.0,0.0", "1=0.0,0.0,1.0", "2=0.25", "3=1.0,0.5,0.5", NULL};
    static const unsigned sizes[][2] = {{1, 1}, {2, 2}, {7, 5}, {64, 33}, {3, 128}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned width = sizes[i][0], height = sizes[i][1];
        struct canvas *picture = canvas(interpolating, width, height, varyings);
        draw(picture);
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width; x++) {
                double u = (x + 0.5) / width, v = (y + 0.5) / height;
                expect(picture, x, y, 0, u);
                expect(picture, x, y, 1, v);
                expect(picture, x, y, 2, 0.25);
                expect(picture, x, y, 3, 1 - 0.5 * u - 0.5 * v);
            }
        assert_int_equal(picture->grid.killed, 0);
        assert_int_equal(picture->grid.instructions, 5ull * 4 * ((width + 1) / 2) * ((height + 1) / 2));
        put_away(picture);
    }
}

/* Four corners: two triangles. Those with three corners go on as a plane. */
static void two_triangles(void)
{
    static const char *const varyings[] = {"0=0.1,0.9,0.3,0.2", "1=0.0,1.0,0.5", "2=0.75:flat", "3=1.0", NULL};
    enum { WIDTH = 22, HEIGHT = 13 };
    struct canvas *picture = canvas(interpolating, WIDTH, HEIGHT, varyings);
    draw(picture);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            double u = (x + 0.5) / WIDTH, v = (y + 0.5) / HEIGHT;
            double upper = 0.1 + u * 0.8 + v * 0.2, lower = 0.2 + (1 - u) * (0.3 - 0.2) + (1 - v) * (0.9 - 0.2);
            expect(picture, x, y, 0, u + v <= 1 + 1e-9 ? upper : lower);
            expect(picture, x, y, 1, u + 0.5 * v);
            expect(picture, x, y, 2, 0.75);
            expect(picture, x, y, 3, 1);
        }
    put_away(picture);
}

/* On the line between the triangles a quad runs for each, and derivatives are of one triangle alone. */
static void derivatives(void)
{
    static const char *const varyings[] = {"0=0.0,4.0,0.0,0.0", NULL};
    struct canvas *picture = canvas("bary.f (ei)r2.x, 0, r0.x\ndsx (f32)(x)r1.x, r2.x\ndsy (f32)(x)r1.y, r2.x\n"
                                    "mov.f32f32 r1.w, (1.0)\nadd.f r1.y, r1.y, (0.5)\nend\n",
                                    8, 8, varyings);
    draw(picture);
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 8; x++) {
            /* upper: 4 u; lower: from 0 at the lower right and left to 4 at the upper right: 4 (1 - v) */
            bool upper = x + y + 1 <= 8;
            expect(picture, x, y, 0, upper ? 4 / 8.0 : 0);
            expect(picture, x, y, 1, upper ? 0.5 : 0.5 - 4 / 8.0);
        }
    put_away(picture);
}

/* x and y in 16ths of a pixel, at its middle; the pair stays away. */
static void places(void)
{
    struct canvas *picture = canvas("shr.b r1.x, r0.x, 4\nshr.b r1.y, r0.y, 4\nand.b r1.z, r0.x, 15\n"
                                    "(rpt2)cov.u32f32 r1.x, (r)r1.x\n(rpt2)mul.f r1.x, (r)r1.x, c0.x\n"
                                    "mov.f32f32 r1.w, (1.0)\nend\n",
                                    9, 6, NULL);
    picture->grid.has_pair = false;
    picture->grid.has_place = true;
    rig_set(&picture->rig, "c0.x", bits_of(1 / 16.0f));
    draw(picture);
    for (unsigned y = 0; y < 6; y++)
        for (unsigned x = 0; x < 9; x++) {
            expect(picture, x, y, 0, x / 16.0);
            expect(picture, x, y, 1, y / 16.0);
            expect(picture, x, y, 2, 8 / 16.0);
        }
    put_away(picture);
}

/* A picture that stands for a rectangle smaller than a pixel. */
static void small_rectangle(void)
{
    struct canvas *picture = canvas("end\n", 2, 2, NULL);
    picture->grid.has_pair = false;
    picture->grid.has_place = true;
    picture->grid.left = 3;
    picture->grid.top = 5;
    picture->grid.across = 1;
    picture->grid.down = 0.5;
    assert_int_equal(shader_grid_place(&picture->grid, 1, 1), 3);
    assert_int_equal(rig_get_of(&picture->rig, 0, "r0.x"), 16 * 3 + 4);
    assert_int_equal(rig_get_of(&picture->rig, 3, "r0.x"), 16 * 3 + 12);
    assert_int_equal(rig_get_of(&picture->rig, 0, "r0.y"), 16 * 5 + 2);
    assert_int_equal(rig_get_of(&picture->rig, 3, "r0.y"), 16 * 5 + 6);
    put_away(picture);
}

/* Sides, registers and the pair, to their limits. */
static void texts(void)
{
    static const struct {
        const char *text;
        uint32_t place; /* 99: there is none */
        bool has, assumed;
        uint32_t pair;
    } cases[] = {
        {"@in(r60.z-r60.w) ij\nend\n", 99, true, false, 242},
        {"@in(r5.x-r5.x) ij\nbary.f (ei)r1.x, 0, r0.x\nend\n", 99, true, true, 0}, /* one alone is none */
        {"bary.f (ei)r1.x, 0, r0.x\nend\n", 2, true, true, 0},
        {"bary.f (ei)r1.x, 0, r0.x\nend\n", 1, false, false, 0},
        {"mov.f32f32 r1.x, r0.x\nend\n", 99, false, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct canvas *picture = canvas(cases[i].text, 1, 1, NULL);
        struct gpucode_a3xx_usage usage;
        assert_int_equal(gpucode_shader_usage(picture->rig.image, &usage), GPUCODE_OK);
        picture->grid.pair = 9; /* of another shader */
        picture->grid.has_place = cases[i].place != 99;
        picture->grid.place = cases[i].place;
        bool assumed = shader_pixel_pair(&picture->grid, picture->rig.program, &usage);
        if (assumed != cases[i].assumed || picture->grid.has_pair != cases[i].has ||
            picture->grid.pair != cases[i].pair)
            fail_msg("%s: assumed %d, there %d, at %u", cases[i].text, assumed, picture->grid.has_pair,
                     (unsigned)picture->grid.pair);
        put_away(picture);
    }
    struct canvas *picture = canvas("end\n", 1, 1, NULL);
    uint32_t number;
    assert_true(shader_pixel_register(picture->rig.machine, "r60.z", &number) && number == 242);
    assert_false(shader_pixel_register(picture->rig.machine, "r60.w", &number));
    assert_true(shader_pixel_size(&picture->grid, "8192x8192") && picture->grid.height == 8192);
    assert_false(shader_pixel_size(&picture->grid, "8193x1"));
    assert_false(shader_pixel_size(&picture->grid, "1x8193"));
    put_away(picture);
}

/* Killed pixels are empty, in whichever path; each pixel finds registers and memory as they were given. */
static void killed(void)
{
    static const char *const varyings[] = {"0=0.0,1.0,0.0", NULL};
    struct canvas *picture = canvas("bary.f (ei)r1.x, 0, r0.x\ncmps.f.gt p0.x, r1.x, (0.5)\nkill p0.x\n"
                                    "add.f r1.y, r3.x, (0.5)\nmov.f32f32 r3.x, (1.0)\n"
                                    "ldg.f32 r1.z, g[r4.x], 1\nstg.f32 g[r4.x], r3.x, 1\nmov.f32f32 r1.w, (1.0)\nend\n",
                                    8, 4, varyings);
    static const unsigned char quarter[] = {0, 0, 0x80, 0x3e};
    assert_int_equal(gpucode_machine_store(picture->rig.machine, 0x1000, quarter, 4), GPUCODE_OK);
    rig_set(&picture->rig, "r4.x", 0x1000);
    for (unsigned i = 1; i < 4; i++)
        rig_set_of(&picture->rig, i, "r4.x", 0x1000 + 0x100 * i);
    assert_int_equal(gpucode_machine_map(picture->rig.machine, 0x1100, 0x400), GPUCODE_OK);
    draw(picture);
    assert_int_equal(picture->grid.killed, 16);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 8; x++) {
            bool gone = x >= 4;
            expect(picture, x, y, 0, gone ? 0 : (x + 0.5) / 8);
            expect(picture, x, y, 1, gone ? 0 : 0.5);
            expect(picture, x, y, 2, gone || x & 1 || y & 1 ? 0 : 0.25);
            expect(picture, x, y, 3, gone ? 0 : 1);
        }
    put_away(picture);
}

/* The level of detail of a picture that is smaller than its texture; u goes over it twice as fast as v. */
static void detail(void)
{
    static const char *const varyings[] = {"0=0.0,1.0,0.0", "1=0.0,0.0,0.5", NULL};
    struct canvas *picture = canvas("bary.f r2.x, 0, r0.x\nbary.f (ei)r2.y, 1, r0.x\n"
                                    "sam (f32)(xyzw)r1.x, r2.x, s#0, t#0\nend\n",
                                    4, 4, varyings);
    rig_set(&picture->rig, "t0.width", 16);
    rig_set(&picture->rig, "t0.height", 16);
    rig_set(&picture->rig, "t0.levels", 5);
    uint64_t at = GPUCODE_A3XX_TEXELS(0);
    for (unsigned level = 0; level < 5; level++)
        for (unsigned y = 0; y < 16u >> level; y++)
            for (unsigned x = 0; x < 16u >> level; x++, at += 16) {
                float texel[4] = {(float)level / 8, (float)x / 16, (float)y / 16, 1};
                little_endian_floats(texel, 4);
                assert_int_equal(gpucode_machine_store(picture->rig.machine, at, texel, 16), GPUCODE_OK);
            }
    draw(picture);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++) { /* 4 texels from pixel to pixel: level 2, 4 x 4 texels */
            expect(picture, x, y, 0, 2 / 8.0);
            expect(picture, x, y, 1, x / 16.0);
            expect(picture, x, y, 2, y / 2 / 16.0);
        }
    put_away(picture);
}

static void colours(void)
{
    static const struct {
        const char *value;
        int byte;
    } cases[] = {{"(0.0)", 0},   {"(1.0)", 255}, {"(2.0)", 255},      {"(0.5)", 128},
                 {"(-1.0)", 0},  {"(nan)", 0},   {"(inf)", 255},      {"(0.00195)", 0},
                 {"(0.002)", 1}, {"(-inf)", 0},  {"(0.998039)", 254}, {"(0.99804)", 255}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "mov.f32f32 r1.x, %s\nmov.f32f32 r1.y, (0.25)\nend\n", cases[i].value);
        struct canvas *picture = canvas(text, 1, 1, NULL);
        picture->grid.color[0].count = 2;
        draw(picture);
        assert_int_equal(picture->rgba[0], cases[i].byte);
        assert_int_equal(picture->rgba[1], 64);
        assert_int_equal(picture->rgba[2], 0);
        assert_int_equal(picture->rgba[3], 255);
        put_away(picture);
    }
    struct canvas *picture = canvas("mov.f16f16 hr2.x, (0.5)\nmov.f16f16 hr2.w, (1.0)\nend\n", 2, 1, NULL);
    picture->grid.color[0].space = GPUCODE_A3XX_HALF;
    picture->grid.color[0].first = 8;
    draw(picture);
    static const uint8_t wanted[] = {128, 0, 0, 255, 128, 0, 0, 255};
    assert_memory_equal(picture->rgba, wanted, sizeof wanted);
    put_away(picture);
}

/* One pixel goes wrong. */
static void faults(void)
{
    static const char *const varyings[] = {"0=0.0,10.0,0.0", "1=0.0,0.0,8.0", NULL};
    static const char text[] = "bary.f r2.x, 0, r0.x\nbary.f (ei)r2.y, 1, r0.x\n(rpt1)floor.f r2.x, (r)r2.x\n"
                               "cmps.f.eq p0.x, r2.x, c0.x\ncmps.f.eq p0.y, r2.y, c0.y\n"
                               "br !p0.x, #fine\nbr !p0.y, #fine\n%s\nfine: (jp)end\n";
    static const struct {
        const char *what;
        enum gpucode_stop_reason reason;
        unsigned pc;
    } cases[] = {{"mgen.b r0.x, r0.y, r0.z", GPUCODE_STOP_UNKNOWN, 7},
                 {"ldg.f32 r3.x, g[r3.x], 1", GPUCODE_STOP_FAULT, 7},
                 {"self: (jp)jump #self", GPUCODE_STOP_LIMIT, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[512];
        snprintf(source, sizeof source, text, cases[i].what);
        struct canvas *picture = canvas(source, 10, 8, varyings);
        rig_set(&picture->rig, "c0.x", bits_of(7));
        rig_set(&picture->rig, "c0.y", bits_of(4));
        assert_false(shader_grid_run(&picture->grid, picture->rgba));
        assert_int_equal(picture->grid.stop.reason, cases[i].reason);
        assert_int_equal(picture->grid.stop.pc, cases[i].pc);
        if (cases[i].reason != GPUCODE_STOP_LIMIT) {
            assert_int_equal(picture->grid.x, 7);
            assert_int_equal(picture->grid.y, 4);
        }
        put_away(picture);
    }
}

/* --- many quads and processes ------------------------------------------------------------------------------------ */

static void count_rows(void *user, unsigned done, unsigned total)
{
    unsigned *most = user;
    assert_true(done <= total && done);
    *most = done > *most ? done : *most;
}

static void run_in(struct canvas *picture, unsigned jobs, uint64_t limit, bool *good)
{
    unsigned done = 0;
    rig_set(&picture->rig, "c0.x", bits_of(0.7f));
    rig_set(&picture->rig, "c0.y", bits_of(30));
    picture->grid.limit = limit;
    picture->grid.jobs = jobs;
    picture->grid.progress = count_rows;
    picture->grid.user = &done;
    *good = shader_grid_run(&picture->grid, picture->rgba);
    assert_true(!*good || done);
}

/* The same picture, count and stop, however many quads run at once and whoever runs them. */
static void at_once(void)
{
    static const char *const varyings[] = {"0=0.0,1.0,0.0,0.25", "1=0.0,0.0,1.0,1.0", NULL};
    static const char *const texts[] = {
        /* parts by pixel, loops as often as the place says, kills, derives */
        "bary.f r1.x, 0, r0.x\nbary.f (ei)r1.y, 1, r0.x\ndsx (f32)(xy)r2.x, r1.x\nmul.f r2.z, r1.x, (4.0)\n"
        "loop: (jp)add.f r2.z, r2.z, (neg)(1.0)\nadd.f r1.z, r1.z, r2.x\ncmps.f.gt p0.x, r2.z, (0.0)\n"
        "br p0.x, #loop\n(jp)cmps.f.gt p0.y, r1.x, c0.x\nkill p0.y\nsin r1.w, r1.y\nmul.f r1.y, r1.y, r1.x\nend\n",
        /* some pixels do not end in time, or fall */
        "bary.f r1.x, 0, r0.x\nbary.f (ei)r1.y, 1, r0.x\nmul.f r2.z, r1.x, c0.y\n"
        "loop: (jp)add.f r2.z, r2.z, (neg)(1.0)\ncmps.f.gt p0.x, r2.z, (0.0)\nbr p0.x, #loop\n"
        "(jp)cmps.f.gt p0.y, r1.y, c0.x\nbr !p0.y, #fine\nldg.f32 r3.x, g[r3.x], 1\nfine: (jp)end\n",
    };
    static const struct {
        unsigned width, height;
        uint64_t limit;
    } cases[] = {{37, 21, 100000}, {130, 18, 1000}, {33, 9, 300}, {1, 1, 1000}, {20, 40, 250}};
    static const char *const threads[] = {"4", "64", "8", "64"};
    static const unsigned jobs[] = {1, 1, 2, 3};
    unsigned stopped = 0;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const char *text = texts[i & 1];
        struct canvas *first = NULL;
        for (unsigned k = 0; k < 4; k++) {
            struct canvas *other = canvas_of(text, cases[i / 2].width, cases[i / 2].height, varyings, threads[k]);
            bool good;
            run_in(other, jobs[k], cases[i / 2].limit, &good);
            if (!first) {
                first = other;
                stopped += !good;
                continue;
            }
            assert_int_equal(good, first->grid.stop.reason == GPUCODE_STOP_END);
            assert_int_equal(other->grid.stop.reason, first->grid.stop.reason);
            assert_string_equal(other->grid.stop.text, first->grid.stop.text);
            if (good) {
                assert_int_equal(other->grid.instructions, first->grid.instructions);
                assert_int_equal(other->grid.killed, first->grid.killed);
                assert_memory_equal(other->rgba, first->rgba, (size_t)cases[i / 2].width * cases[i / 2].height * 4);
            } else {
                assert_int_equal(other->grid.x, first->grid.x);
                assert_int_equal(other->grid.y, first->grid.y);
                assert_int_equal(other->grid.stop.pc, first->grid.stop.pc);
            }
            put_away(other);
        }
        put_away(first);
    }
    assert_true(stopped >= 3 && stopped < 10);
}

/* A row is begun again quad by quad where the second of its blocks takes too long: its first was counted for nothing.
 */
static void begun_again(void)
{
    static const char *const varyings[] = {"0=0.0,1.0,0.0", NULL};
    struct canvas *picture =
        canvas_of("bary.f (ei)r1.x, 0, r0.x\ncmps.f.lt p0.x, r1.x, (0.5)\nkill p0.x\nbr p0.x, #done\n"
                  "mov.f32f32 r2.x, (4.0)\nloop: (jp)add.f r2.x, r2.x, (neg)(1.0)\ncmps.f.gt p0.x, r2.x, (0.0)\n"
                  "br p0.x, #loop\ndone: (jp)end\n",
                  64, 2, varyings, "64");
    draw(picture);
    assert_int_equal(picture->grid.killed, 64);
    assert_int_equal(picture->grid.instructions, 64 * 5 + 64 * (5 + 4 * 3 + 1));
    put_away(picture);
}

TESTS(grid, plane, two_triangles, derivatives, places, small_rectangle, texts, killed, detail, colours, faults, at_once,
      begun_again)
