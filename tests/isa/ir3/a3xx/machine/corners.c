/* SPDX-License-Identifier: MIT */
/* Operands where two rules meet: a0 and p0 in half operations, sums wider than their sources, NaNs that change width.
 */
#include "running.h"
#include "words.h"

#include <gpucode/a3xx.h>
#include <stdio.h>
#include <string.h>

struct corner {
    const char *text; /* one instruction; inputs hr0.x to hr0.z and r0.x to r0.z, a0.x 0, p0.y all ones */
    uint32_t half[3], full[3];
    const char *result;
    uint32_t expected;
};

static void check(const struct corner *cases, size_t count)
{
    static const char *const halves[] = {"hr0.x", "hr0.y", "hr0.z"}, *const fulls[] = {"r0.x", "r0.y", "r0.z"};
    for (size_t i = 0; i < count; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s\nend\n", cases[i].text);
        struct rig rig = rig_text(text, NULL);
        for (unsigned k = 0; k < 3; k++) {
            rig_set(&rig, halves[k], cases[i].half[k]);
            rig_set(&rig, fulls[k], cases[i].full[k]);
        }
        rig_set(&rig, "a0.x", 0);
        rig_set(&rig, "p0.y", 0xffffffff);
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        uint32_t got = rig_get(&rig, cases[i].result);
        if (got != cases[i].expected)
            fail_msg("%s: %s is %08x, not %08x", cases[i].text, cases[i].result, got, cases[i].expected);
        rig_down(&rig);
    }
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof *(cases))

static void special_registers(void)
{
    static const struct corner cases[] = {
        /* 0 inverted has 16 bits here */
        {"shr.b hr2.x, (neg)ha0.x, 8", {0}, {0}, "hr2.x", 0x00ff},
        {"absneg.f hr2.x, (neg)hp0.y", {0}, {0}, "hr2.x", 0x7fff},
        {"cmps.u.eq r2.x, hp0.y, hr0.x", {0xffff}, {0}, "r2.x", 1},
        {"mul.f r2.x, (neg)ha0.x, hr0.x", {0x3c00}, {0}, "r2.x", 0x80000000},
        {"mov.u16u16 hr2.x, p0.y", {0}, {0}, "hr2.x", 0xffff},
        {"cov.u16u32 r2.x, p0.y", {0}, {0}, "r2.x", 0xffff},
        {"mov.u32u32 r2.x, p0.y", {0}, {0}, "r2.x", 0xffffffff},
    };
    CHECK(cases);
}

static void wide_sums(void)
{
    static const struct corner cases[] = {
        {"mad.s16 r2.x, hr0.x, hr0.y, hr0.z", {3, 4, 0xfff0}, {0}, "r2.x", 0xfffffffc},
        {"mad.u16 r2.x, hr0.x, hr0.y, hr0.z", {3, 4, 0xfff0}, {0}, "r2.x", 0x0000fffc},
        {"sad.s16 r2.x, hr0.x, hr0.y, hr0.z", {3, 4, 0xfff0}, {0}, "r2.x", 0xfffffff1},
        {"sad.s32 r2.x, hr0.x, hr0.y, hr0.z", {0x8000, 0x7fff, 1}, {0}, "r2.x", 0x00010000},
    };
    CHECK(cases);
}

static void moved_floats(void)
{
    static const struct corner cases[] = {
        /* moves keep denormals, arithmetic does not */
        {"absneg.f hr2.x, (neg)r0.x", {0}, {0x38000000}, "hr2.x", 0x8200},
        {"sel.f32 hr2.x, r0.x, r0.y, r0.z", {0}, {0x38000000, 0, 0}, "hr2.x", 0x0200},
        {"add.f hr2.x, r0.x, r0.y", {0}, {0x38000000, 0, 0}, "hr2.x", 0},
        /* what decides in sel.f is compared as in cmps.f */
        {"sel.f32 r2.x, r0.x, (neg)r0.y, r0.z", {0}, {1, 1, 2}, "r2.x", 1},
        {"sel.s32 r2.x, r0.x, r0.y, r0.z", {0}, {1, 0x80000001, 2}, "r2.x", 2},
        /* NaNs lose sign and payload where they change width */
        {"cov.f16f32 r2.x, hr0.x", {0xfc01}, {0}, "r2.x", 0x7fc00000},
        {"cov.f32f16 hr2.x, r0.x", {0}, {0xff800001}, "hr2.x", 0x7e00},
        {"absneg.f r2.x, hr0.x", {0xffff}, {0}, "r2.x", 0x7fc00000},
        {"absneg.f r2.x, r0.x", {0}, {0xff800001}, "r2.x", 0xff800001},
    };
    CHECK(cases);
}

/* There is one a0. */
static void past_the_address_register(void)
{
    static const char *const texts[] = {"(rpt1)add.u r2.x, (r)a0.x, 1\nend\n", "(rpt1)mova a0.x, (r)hr0.x\nend\n",
                                        "(rpt1)mov.u32u32 r2.x, (r)r60.w\nend\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct rig rig = rig_text(texts[i], NULL);
        rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-outside");
        rig_down(&rig);
    }
    struct rig rig = rig_text("(rpt1)add.u r2.x, a0.x, 1\n(rpt3)cmps.u.eq p0.x, r0.x, 0\nend\n", NULL);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r2.y"), 1);
    assert_int_equal(rig_get(&rig, "p0.w"), 1);
    rig_down(&rig);
}

/* What groups have loops of their own for; a machine that is watched has none, and plain formulas say what three of
 * them give. */
static void group_loops(void)
{
    static const char *const texts[] = {
        "cov.s32f32 r2.x, r0.x",    "cov.u32f32 r2.x, r0.x",      "cov.f32f16 hr2.x, r0.x",
        "cov.f16f32 r2.x, hr0.x",   "add.f hr2.x, r0.x, r0.y",    "bary.f r2.x, 2, hr0.x",
        "mul.f r2.x, hr0.x, hr0.y", "bary.f r2.x, 2, (neg)hr0.x", "bary.f r2.x, 2, r0.x"};
    for (unsigned i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        const struct gpucode_setting settings[] = {
            {"a3xx-threads", "64"}, {"a3xx-half-rounding", i % 2 ? "even" : "zero"}, {NULL, NULL}};
        char text[80];
        const char *result = strstr(texts[i / 2], " hr2") ? "hr2.x" : "r2.x";
        snprintf(text, sizeof text, "%s\nend\n", texts[i / 2]);
        struct rig rigs[2] = {rig_text(text, settings), rig_text(text, settings)};
        rig_watch(&rigs[1]);
        uint32_t full[64];
        for (unsigned k = 0; k < 2; k++) {
            uint64_t random = 5;
            rig_set(&rigs[k], "v2", bits_of(1));
            rig_set(&rigs[k], "vi2", bits_of(3));
            rig_set(&rigs[k], "vj2", bits_of(9));
            for (unsigned thread = 0; thread < 64; thread++) {
                uint32_t word = (uint32_t)words_next(&random);
                bool few = thread % 2; /* numbers that halves have too */
                full[thread] = i / 2 < 2 ? word
                               : few     ? bits_of((float)(word % 4096) / 16)
                                         : word % 0x1000000 + 0x3f000000;
                rig_set_of(&rigs[k], thread, "r0.x", full[thread]);
                rig_set_of(&rigs[k], thread, "r0.y", bits_of((float)thread));
                rig_set_of(&rigs[k], thread, "hr0.x", i / 2 == 5 ? 0x3800 : word & 0x7fff); /* 0.5 */
                rig_set_of(&rigs[k], thread, "hr0.y", 0x3400);                              /* 0.25 */
            }
            rig_run(&rigs[k], GPUCODE_STOP_END, NULL);
        }
        for (unsigned thread = 0; thread < 64; thread++) {
            const uint32_t plain[] = {bits_of((float)(int32_t)full[thread]), bits_of((float)full[thread])};
            uint32_t value = rig_get_of(&rigs[0], thread, result), other = rig_get_of(&rigs[1], thread, result);
            if (value != other || (i / 2 < 2 && value != plain[i / 2]) || (i / 2 == 5 && value != bits_of(4)))
                fail_msg("%s: %08x in the group, %08x alone", texts[i / 2], value, other);
        }
        rig_down(&rigs[0]);
        rig_down(&rigs[1]);
    }
}

TESTS(corners, special_registers, wide_sums, moved_floats, past_the_address_register, group_loops)
