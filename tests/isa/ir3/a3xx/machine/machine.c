/* SPDX-License-Identifier: MIT */
/* What every family of instructions does, on small shaders; policies, stops, and the machine's interface. */
#include "running.h"

#include <stdio.h>
#include <string.h>

#define ONE 0x3f800000
#define TWO 0x40000000
#define NAN_BITS 0x7fc00000
#define INFINITE 0x7f800000

/* One instruction between its inputs and `end`. Inputs: r1.x r1.y r1.z, hr1.x hr1.y hr1.z, c1.x. */
struct one {
    const char *text;
    uint32_t a, b, c;
    const char *result;
    uint32_t expected;
};

static uint32_t run_one(const struct one *one, const struct gpucode_setting *policies)
{
    char text[200];
    snprintf(text, sizeof text, "%s\nend\n", one->text);
    struct rig rig = rig_text(text, policies);
    bool half = strstr(one->text, "hr1.");
    rig_set(&rig, half ? "hr1.x" : "r1.x", one->a);
    rig_set(&rig, half ? "hr1.y" : "r1.y", one->b);
    rig_set(&rig, half ? "hr1.z" : "r1.z", half ? one->c & 0xffff : one->c);
    rig_set(&rig, "c1.x", one->c);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    uint32_t value = rig_get(&rig, one->result);
    rig_down(&rig);
    return value;
}

static void check(const struct one *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t got = run_one(&cases[i], NULL);
        if (got != cases[i].expected)
            fail_msg("%s of %08x %08x %08x is %08x, not %08x", cases[i].text, cases[i].a, cases[i].b, cases[i].c, got,
                     cases[i].expected);
    }
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof *(cases))

static void floats(void)
{
    static const struct one cases[] = {
        {"add.f r2.x, r1.x, r1.y", ONE, TWO, 0, "r2.x", 0x40400000},
        {"add.f r2.x, (neg)r1.x, (abs)r1.y", ONE, 0xc0000000, 0, "r2.x", ONE},
        {"(sat)add.f r2.x, r1.x, r1.y", ONE, TWO, 0, "r2.x", ONE},
        {"(sat)add.f r2.x, (neg)r1.x, (neg)r1.y", ONE, TWO, 0, "r2.x", 0},
        {"add.f r2.x, r1.x, c1.x", ONE, 0, TWO, "r2.x", 0x40400000},
        {"mul.f r2.x, r1.x, (4.0)", TWO, 0, 0, "r2.x", 0x41000000},
        {"mul.f r2.x, r1.x, r1.y", 0x00800000, 0x3f000000, 0, "r2.x", 0}, /* a denormal result */
        {"min.f r2.x, r1.x, r1.y", NAN_BITS, TWO, 0, "r2.x", TWO},
        {"min.f r2.x, r1.x, r1.y", 0, 0x80000000, 0, "r2.x", 0x80000000},
        {"max.f r2.x, r1.x, r1.y", 0xc0000000, 0xbf800000, 0, "r2.x", 0xbf800000},
        {"sign.f r2.x, r1.x", 0xc1200000, 0, 0, "r2.x", 0xbf800000},
        {"sign.f r2.x, r1.x", 0x80000000, 0, 0, "r2.x", 0x80000000},
        {"absneg.f r2.x, (absneg)r1.x", TWO, 0, 0, "r2.x", 0xc0000000},
        {"cmps.f.lt r2.x, r1.x, r1.y", 0xc0000000, 0xbf800000, 0, "r2.x", 1},
        {"cmps.f.eq r2.x, r1.x, r1.y", 0, 0x80000000, 0, "r2.x", 1},
        {"cmps.f.ge r2.x, r1.x, r1.y", NAN_BITS, ONE, 0, "r2.x", 0},
        {"cmps.f.ne r2.x, r1.x, r1.y", NAN_BITS, ONE, 0, "r2.x", 1},
        {"cmpv.f.gt r2.x, r1.x, r1.y", TWO, ONE, 0, "r2.x", 0xffffffff},
        {"floor.f r2.x, r1.x", 0xbfc00000, 0, 0, "r2.x", 0xc0000000},
        {"ceil.f r2.x, r1.x", 0xbe800000, 0, 0, "r2.x", 0x80000000},
        {"rndne.f r2.x, r1.x", 0x40200000, 0, 0, "r2.x", TWO},        /* 2.5 */
        {"rndne.f r2.x, r1.x", 0x40600000, 0, 0, "r2.x", 0x40800000}, /* 3.5 */
        {"rndaz.f r2.x, r1.x", 0x40200000, 0, 0, "r2.x", 0x40400000},
        {"trunc.f r2.x, r1.x", 0xbfc00000, 0, 0, "r2.x", 0xbf800000},
        {"add.f hr2.x, hr1.x, hr1.y", 0x3c00, 0x4000, 0, "hr2.x", 0x4200},
        {"add.f hr2.x, hr1.x, hr1.y", 0x3c00, 0x1000, 0, "hr2.x", 0x3c00}, /* a tie, to even */
        {"add.f r2.x, hr1.x, hr1.y", 0x3c00, 0x4000, 0, "r2.x", 0x40400000},
        {"add.f hr2.x, r1.x, r1.y", ONE, TWO, 0, "hr2.x", 0x4200},
        {"add.f hr2.x, hr1.x, hc1.x", 0x3c00, 0, ONE, "hr2.x", 0x4000},
        {"mul.f hr2.x, hr1.x, hr1.y", 0x7bff, 0x4000, 0, "hr2.x", 0x7c00},
        {"mad.f32 r2.x, r1.x, r1.y, c1.x", TWO, TWO, ONE, "r2.x", 0x40a00000},
        {"mad.f32 r2.x, (neg)r1.x, r1.y, r1.z", TWO, TWO, ONE, "r2.x", 0xc0400000},
        {"mad.f32 r2.x, r1.x, r1.y, r1.z", TWO, 0x40400000, ONE, "r2.x", 0x40e00000}, /* 2 * 3 + 1 */
        {"mad.f16 hr2.x, hr1.x, hr1.y, hr1.z", 0x4000, 0x4000, 0x3c00, "hr2.x", 0x4500},
        {"sel.f32 r2.x, r1.x, r1.y, r1.z", 1, 0xbf800000, 2, "r2.x", 2},
        {"sel.f32 r2.x, r1.x, r1.y, r1.z", 1, 0x80000000, 2, "r2.x", 1},
    };
    CHECK(cases);
}

static void integers(void)
{
    static const struct one cases[] = {
        {"add.u r2.x, r1.x, r1.y", 0xffffffff, 2, 0, "r2.x", 1},
        {"(sat)add.u r2.x, r1.x, r1.y", 0xffffffff, 2, 0, "r2.x", 0xffffffff},
        {"(sat)add.s r2.x, r1.x, r1.y", 0x7fffffff, 2, 0, "r2.x", 0x7fffffff},
        {"(sat)sub.u r2.x, r1.x, r1.y", 1, 2, 0, "r2.x", 0},
        {"(sat)sub.s r2.x, r1.x, r1.y", 0x80000000, 2, 0, "r2.x", 0x80000000},
        {"sub.s r2.x, r1.x, 3", 1, 0, 0, "r2.x", 0xfffffffe},
        {"add.s hr2.x, hr1.x, hr1.y", 0x7fff, 1, 0, "hr2.x", 0x8000},
        {"add.s r2.x, hr1.x, hr1.y", 0xfffe, 1, 0, "r2.x", 0xffffffff},
        {"add.u r2.x, hr1.x, hr1.y", 0xfffe, 1, 0, "r2.x", 0xffff},
        {"add.s hr2.x, hr1.x, hc1.x", 1, 0, 0x00050003, "hr2.x", 4},
        {"cmps.u.gt r2.x, r1.x, r1.y", 0xffffffff, 1, 0, "r2.x", 1},
        {"cmps.s.gt r2.x, r1.x, r1.y", 0xffffffff, 1, 0, "r2.x", 0},
        {"cmps.s.lt r2.x, hr1.x, hr1.y", 0xffff, 1, 0, "r2.x", 1},
        {"cmpv.s.le r2.x, r1.x, r1.y", 1, 1, 0, "r2.x", 0xffffffff},
        {"cmpv.u.le r2.x, r1.x, r1.y", 2, 1, 0, "r2.x", 0},
        {"min.u r2.x, r1.x, r1.y", 0xffffffff, 1, 0, "r2.x", 1},
        {"min.s r2.x, r1.x, r1.y", 0xffffffff, 1, 0, "r2.x", 0xffffffff},
        {"max.u r2.x, r1.x, r1.y", 0xffffffff, 1, 0, "r2.x", 0xffffffff},
        {"max.s r2.x, r1.x, r1.y", 0xffffffff, 1, 0, "r2.x", 1},
        {"absneg.s r2.x, (neg)r1.x", 5, 0, 0, "r2.x", 0xfffffffb},
        {"absneg.s r2.x, (absneg)r1.x", 0xfffffffb, 0, 0, "r2.x", 0xfffffffb},
        {"absneg.s hr2.x, (abs)hr1.x", 0xfffb, 0, 0, "hr2.x", 5},
        {"and.b r2.x, r1.x, (neg)r1.y", 0xff, 0x0f, 0, "r2.x", 0xf0},
        {"or.b r2.x, r1.x, r1.y", 0xf0, 0x0f, 0, "r2.x", 0xff},
        {"not.b hr2.x, hr1.x", 0x00ff, 0, 0, "hr2.x", 0xff00},
        {"not.b r2.x, hr1.x", 0x00ff, 0, 0, "r2.x", 0xff00},
        {"xor.b r2.x, r1.x, r1.y", 0xff, 0x0f, 0, "r2.x", 0xf0},
        {"mul.u r2.x, r1.x, r1.y", 0xff000003, 0x01000005, 0, "r2.x", 15},
        {"mul.s r2.x, r1.x, r1.y", 0x00ffffff, 7, 0, "r2.x", 0xfffffff9},
        {"mull.u r2.x, r1.x, r1.y", 0x1ffff, 0x2ffff, 0, "r2.x", 0xfffe0001},
        {"bfrev.b r2.x, r1.x", 0x00000001, 0, 0, "r2.x", 0x80000000},
        {"bfrev.b hr2.x, hr1.x", 1, 0, 0, "hr2.x", 0x8000},
        {"clz.b r2.x, r1.x", 0x00010000, 0, 0, "r2.x", 15},
        {"clz.b r2.x, r1.x", 0xfffffff0, 0, 0, "r2.x", 0},
        {"clz.b r2.x, r1.x", 0, 0, 0, "r2.x", 0xffffffff},
        {"clz.s r2.x, r1.x", 0xfffffff0, 0, 0, "r2.x", 28},
        {"clz.s r2.x, r1.x", 0xffffffff, 0, 0, "r2.x", 0xffffffff},
        {"shl.b r2.x, r1.x, r1.y", 3, 33, 0, "r2.x", 6},
        {"shr.b r2.x, r1.x, r1.y", 0x80000000, 31, 0, "r2.x", 1},
        {"ashr.b r2.x, r1.x, 4", 0x80000000, 0, 0, "r2.x", 0xf8000000},
        {"ashr.b hr2.x, hr1.x, hr1.y", 0x8000, 20, 0, "hr2.x", 0xf800},
        {"getbit.b r2.x, r1.x, r1.y", 0x10, 4, 0, "r2.x", 1},
        {"cbits.b r2.x, r1.x", 0xf0f00001, 0, 0, "r2.x", 9},
        {"mad.u16 r2.x, hr1.x, hr1.y, hr1.z", 0xffff, 2, 3, "r2.x", 0x20001},
        {"mad.s16 hr2.x, hr1.x, hr1.y, hr1.z", 0xffff, 2, 3, "hr2.x", 1},
        {"mad.u24 r2.x, r1.x, r1.y, r1.z", 0x01000002, 3, 4, "r2.x", 10},
        {"mad.s24 r2.x, r1.x, r1.y, r1.z", 0x00ffffff, 3, 4, "r2.x", 1},
        {"madsh.m16 r2.x, r1.x, r1.y, r1.z", 0x00050003, 0x00020007, 1, "r2.x", 0x00060001},
        {"madsh.u16 r2.x, r1.x, r1.y, r1.z", 0x00050003, 0x00020007, 1, "r2.x", 0x00060001},
        {"sel.b32 r2.x, r1.x, r1.y, r1.z", 1, 0x10000, 2, "r2.x", 1},
        {"sel.b16 hr2.x, hr1.x, hr1.y, hr1.z", 1, 0, 2, "hr2.x", 2},
        {"sel.s32 r2.x, r1.x, r1.y, r1.z", 1, 0xffffffff, 2, "r2.x", 2},
        {"sel.s16 hr2.x, hr1.x, hr1.y, hr1.z", 1, 0x7fff, 2, "hr2.x", 1},
        {"sad.s16 hr2.x, hr1.x, hr1.y, hr1.z", 0xfffe, 3, 10, "hr2.x", 15},
    };
    CHECK(cases);
}

static void conversions(void)
{
    static const struct one cases[] = {
        {"mov.u32u32 r2.x, r1.x", 0x7f812345, 0, 0, "r2.x", 0x7f812345},
        {"mov.f32f32 r2.x, c1.x", 0, 0, 0x00000001, "r2.x", 0x00000001},
        {"mov.f32f32 r2.x, (1.5)", 0, 0, 0, "r2.x", 0x3fc00000},
        {"cov.f32f16 hr2.x, r1.x", 0x3f801fff, 0, 0, "hr2.x", 0x3c00},
        {"cov.f32f16 (even)hr2.x, r1.x", 0x3f801fff, 0, 0, "hr2.x", 0x3c01},
        {"cov.f32f16 (pos_infinity)hr2.x, r1.x", 0x3f800001, 0, 0, "hr2.x", 0x3c01},
        {"cov.f32f16 (neg_infinity)hr2.x, r1.x", 0xbf800001, 0, 0, "hr2.x", 0xbc01},
        {"cov.f32f16 hr2.x, r1.x", 0x47800000, 0, 0, "hr2.x", 0x7bff},       /* 65536, toward zero */
        {"cov.f32f16 (even)hr2.x, r1.x", 0x33800000, 0, 0, "hr2.x", 0x0001}, /* the least denormal */
        {"cov.f16f32 r2.x, hr1.x", 0x0001, 0, 0, "r2.x", 0x33800000},
        {"cov.f16f32 r2.x, hr1.x", 0xfc00, 0, 0, "r2.x", 0xff800000},
        {"cov.f32s32 r2.x, r1.x", 0xbfe00000, 0, 0, "r2.x", 0xffffffff},
        {"cov.f32u32 r2.x, r1.x", 0xbfe00000, 0, 0, "r2.x", 0},
        {"cov.f32u32 r2.x, r1.x", INFINITE, 0, 0, "r2.x", 0xffffffff},
        {"cov.f32s32 r2.x, r1.x", 0xcf800000, 0, 0, "r2.x", 0x80000000},
        {"cov.f32s32 r2.x, r1.x", NAN_BITS, 0, 0, "r2.x", 0},
        {"cov.f32u16 hr2.x, r1.x", 0x47c35000, 0, 0, "hr2.x", 0xffff},
        {"cov.f32s8 hr2.x, r1.x", 0xc3480000, 0, 0, "hr2.x", 0xff80},
        {"cov.u32f32 r2.x, r1.x", 0xffffffff, 0, 0, "r2.x", 0x4f800000},
        {"cov.s32f32 r2.x, r1.x", 0xffffffff, 0, 0, "r2.x", 0xbf800000},
        {"cov.s16f16 hr2.x, hr1.x", 0xffff, 0, 0, "hr2.x", 0xbc00},
        {"cov.u32s16 hr2.x, r1.x", 0x12345678, 0, 0, "hr2.x", 0x5678},
        {"cov.s16s32 r2.x, hr1.x", 0x8000, 0, 0, "r2.x", 0xffff8000},
        {"cov.u16u32 r2.x, hr1.x", 0x8000, 0, 0, "r2.x", 0x8000},
        {"cov.s8s32 r2.x, hr1.x", 0x0080, 0, 0, "r2.x", 0xffffff80},
        {"cov.u8u32 r2.x, hr1.x", 0x1280, 0, 0, "r2.x", 0x80},
    };
    CHECK(cases);
}

static void functions(void)
{
    static const struct one cases[] = {
        {"rcp r2.x, r1.x", 0x40800000, 0, 0, "r2.x", 0x3e800000},
        {"rcp r2.x, r1.x", 0, 0, 0, "r2.x", INFINITE},
        {"rsq r2.x, r1.x", 0x40800000, 0, 0, "r2.x", 0x3f000000},
        {"sqrt r2.x, r1.x", 0x41100000, 0, 0, "r2.x", 0x40400000},
        {"sqrt r2.x, r1.x", 0xbf800000, 0, 0, "r2.x", NAN_BITS},
        {"log2 r2.x, r1.x", 0x41000000, 0, 0, "r2.x", 0x40400000},
        {"exp2 r2.x, r1.x", 0x40400000, 0, 0, "r2.x", 0x41000000},
        {"exp2 r2.x, r1.x", 0xc3200000, 0, 0, "r2.x", 0}, /* a denormal result */
        {"sin r2.x, r1.x", 0x3fc90fdb, 0, 0, "r2.x", ONE},
        {"cos r2.x, r1.x", 0x3f860a92, 0, 0, "r2.x", 0x3effffff}, /* a hair above pi / 3 */
        {"rcp hr2.x, hr1.x", 0x4000, 0, 0, "hr2.x", 0x3800},
        {"hrsq hr2.x, hr1.x", 0x4400, 0, 0, "hr2.x", 0x3800},
        {"hlog2 hr2.x, hr1.x", 0x4800, 0, 0, "hr2.x", 0x4200},
        {"hexp2 hr2.x, hr1.x", 0x4200, 0, 0, "hr2.x", 0x4800},
    };
    CHECK(cases);
}

static void policies(void)
{
    static const struct {
        struct gpucode_setting setting;
        struct one one;
    } cases[] = {
        {{"a3xx-denormals", "keep"}, {"mul.f r2.x, r1.x, r1.y", 0x00800000, 0x3f000000, 0, "r2.x", 0x00400000}},
        {{"a3xx-mad", "fused"},
         {"mad.f32 r2.x, r1.x, r1.y, r1.z", 0x3f800001, 0x3f800001, 0xbf800002, "r2.x", 0x28800000}},
        {{"a3xx-mad", "unfused"}, {"mad.f32 r2.x, r1.x, r1.y, r1.z", 0x3f800001, 0x3f800001, 0xbf800002, "r2.x", 0}},
        {{"a3xx-half-rounding", "even"}, {"cov.f32f16 hr2.x, r1.x", 0x3f801fff, 0, 0, "hr2.x", 0x3c01}},
        {{"a3xx-float-to-integer", "wrap"}, {"cov.f32u16 hr2.x, r1.x", 0x47800080, 0, 0, "hr2.x", 1}},
        {{"a3xx-minmax-nan", "nan"}, {"min.f r2.x, r1.x, r1.y", NAN_BITS, TWO, 0, "r2.x", NAN_BITS}},
        {{"a3xx-nan-ne", "false"}, {"cmps.f.ne r2.x, r1.x, r1.y", NAN_BITS, ONE, 0, "r2.x", 0}},
        {{"a3xx-cmpv", "one"}, {"cmpv.f.gt r2.x, r1.x, r1.y", TWO, ONE, 0, "r2.x", 1}},
        {{"a3xx-shift", "past"}, {"shl.b r2.x, r1.x, r1.y", 3, 33, 0, "r2.x", 0}},
        {{"a3xx-rndaz", "zero"}, {"rndaz.f r2.x, r1.x", 0x40200000, 0, 0, "r2.x", TWO}},
        {{"a3xx-sad", "sum"}, {"sad.s16 hr2.x, hr1.x, hr1.y, hr1.z", 1, 3, 10, "hr2.x", 14}},
        {{"a3xx-saturate", "arithmetic"}, {"(sat)rcp r2.x, r1.x", 0x3f000000, 0, 0, "r2.x", TWO}},
        {{"a3xx-saturate", "all"}, {"(sat)rcp r2.x, r1.x", 0x3f000000, 0, 0, "r2.x", ONE}},
        {{"a3xx-u8", "sign"}, {"cov.u8u32 r2.x, hr1.x", 0x1280, 0, 0, "r2.x", 0xffffff80}},
        {{"a3xx-derivative", "zero"}, {"dsx (f32)(x)r2.x, r1.x", ONE, 0, 0, "r2.x", 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_setting settings[2] = {cases[i].setting, {NULL, NULL}};
        uint32_t got = run_one(&cases[i].one, settings);
        if (got != cases[i].one.expected)
            fail_msg("%s=%s: %08x", cases[i].setting.name, cases[i].setting.value, got);
    }
}

static void repeats(void)
{
    struct rig rig = rig_text("(rpt2)add.u r2.x, (r)r1.x, c0.x\n(rpt1)mov.u32u32 r4.x, (r)c0.x\n"
                              "(rpt1)bary.f (ei)r3.x, (r)2, r0.x\n(rpt5)nop\nend\n",
                              NULL);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"r1.x", "r1.y", "r1.z"};
        rig_set(&rig, names[i], i + 1);
    }
    rig_set(&rig, "c0.x", 10);
    rig_set(&rig, "c0.y", 20);
    rig_set(&rig, "v2", ONE);
    rig_set(&rig, "v3", TWO);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r2.x"), 11);
    assert_int_equal(rig_get(&rig, "r2.y"), 12);
    assert_int_equal(rig_get(&rig, "r2.z"), 13);
    assert_int_equal(rig_get(&rig, "r4.y"), 20);
    assert_int_equal(rig_get(&rig, "r3.x"), ONE);
    assert_int_equal(rig_get(&rig, "r3.y"), TWO);
    assert_int_equal(gpucode_machine_time(rig.machine), 3 + 2 + 2 + 6 + 1);
    assert_int_equal(gpucode_machine_count(rig.machine), 5);
    rig_down(&rig);
}

static void relative(void)
{
    static const char text[] =
        "mova a0.x, hr0.x\n(rpt5)nop\nmov.u32u32 r2.x, c<a0.x + 4>\nmov.u32u32 r2.y, r<a0.x - 1>\n"
        "mov.u32u32 r<a0.x + 12>, r1.w\nend\n";
    struct rig rig = rig_text(text, NULL);
    rig_set(&rig, "hr0.x", 8);
    rig_set(&rig, "c3.x", 77);
    rig_set(&rig, "r1.w", 55);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r2.x"), 77);
    assert_int_equal(rig_get(&rig, "r2.y"), 55);
    assert_int_equal(rig_get(&rig, "r5.x"), 55);
    rig_down(&rig);
    rig = rig_text(text, NULL);
    rig_set(&rig, "hr0.x", 0xfff0);
    rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-outside");
    assert_int_equal(rig.stop.pc, 2);
    rig_down(&rig);
    static const struct gpucode_setting zero[] = {{"a3xx-out-of-range", "zero"}, {NULL, NULL}};
    rig = rig_text(text, zero);
    rig_set(&rig, "hr0.x", 0xfff0);
    rig_set(&rig, "r2.x", 9);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(rig_get(&rig, "r2.x"), 0);
    rig_down(&rig);
}

static void flow(void)
{
    struct rig rig = rig_text("mov.u32u32 r0.x, 0\nloop: (jp)add.u r0.x, r0.x, 1\ncall #twice\n"
                              "cmps.u.lt p0.x, r0.x, 5\n(rpt5)nop\nbr p0.x, #loop\ncmps.u.eq p0.y, r0.x, 5\n"
                              "kill p0.y\nend\ntwice: (jp)add.u r1.x, r1.x, 2\nret\n",
                              NULL);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r0.x"), 5);
    assert_int_equal(rig_get(&rig, "r1.x"), 10);
    assert_int_equal(rig_get(&rig, "p0.y"), 1);
    assert_int_equal(rig_get(&rig, "killed"), 1);
    assert_int_equal(rig_get(&rig, "ended"), 1);
    rig_down(&rig);
    static const struct {
        const char *text;
        enum gpucode_stop_reason reason;
        const char *code;
        uint64_t pc;
    } stops[] = {
        {"nop\nmgen.b r0.x, r0.y, r0.z\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-trap", 1},
        {".insn 0xe0000000_00000000\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-no-row", 0},
        {"nop\nnop\n", GPUCODE_STOP_FAULT, "a3xx-run-off", 2},
        {"jump #-1\nend\n", GPUCODE_STOP_FAULT, "a3xx-run-off", UINT32_MAX},
        {"ret\nend\n", GPUCODE_STOP_FAULT, "a3xx-ret", 0},
        {"self: (jp)call #self\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-call-depth", 0},
        {"dsx (f32)(x)r0.x, r1.x\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-quad", 0},
        {"sam (f32)(x)r0.x, r1.x, s#0, t#3\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-no-texture", 0},
        {"bary.f r0.x, 128, r1.x\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-varying", 0},
        {"ldg.f32 r0.x, g[r1.x+4], 1\nend\n", GPUCODE_STOP_FAULT, "a3xx-memory", 0},
        {"ldl.f32 r0.x, l[r1.x-4], 1\nend\n", GPUCODE_STOP_FAULT, "a3xx-memory", 0},
        {"self: (jp)jump #self\nend\n", GPUCODE_STOP_LIMIT, NULL, 0},
        {"atomic.add.l.untyped.1d.f32.1 r0.x, l[r1.x], r1.y, r63.x\nend\n", GPUCODE_STOP_UNKNOWN, "a3xx-atomic", 0},
    };
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        rig = rig_text(stops[i].text, NULL);
        rig_run(&rig, stops[i].reason, stops[i].code);
        assert_int_equal(rig.stop.pc, stops[i].pc);
        rig_down(&rig);
    }
}

static void memory(void)
{
    struct rig rig =
        rig_text("ldg.u32 r1.x, g[r0.x+4], 2\nldg.s8 hr1.x, g[r0.x], 1\nstl.u32 l[r0.y+16], r1.x, 2\n"
                 "ldl.u16 hr2.x, l[r0.y+16], 2\nstp.u32 p[r0.w-4], r1.y, 1\nldp.u32 r3.x, p[r0.w-4], 1\n"
                 "stg.u16 g[r0.x+2], hr2.x, 1\n"
                 "atomic.add.l.untyped.1d.u32.1 r4.x, l[r0.z], r1.x, r63.x\nldl.u32 r4.y, l[r0.z], 1\n"
                 "atomic.max.g.untyped.1d.s32.1 r4.z, g[0], r0.w, 0, r0.x\n"
                 "atomic.add.g.untyped.1d.u32.1 r4.w, g[0], r0.w, 0, r0.x\nldg.u32 r5.x, g[r0.x], 1\nend\n",
                 NULL);
    static const unsigned char bytes[12] = {0x80, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_int_equal(gpucode_machine_store(rig.machine, 0x1000, bytes, sizeof bytes), GPUCODE_OK);
    rig_set(&rig, "r0.x", 0x1000);
    rig_set(&rig, "r0.z", 16);
    rig_set(&rig, "r0.w", 64);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(rig_get(&rig, "r1.x"), 0x04030201);
    assert_int_equal(rig_get(&rig, "r1.y"), 0x08070605);
    assert_int_equal(rig_get(&rig, "hr1.x"), 0xff80);
    assert_int_equal(rig_get(&rig, "hr2.x"), 0x0201);
    assert_int_equal(rig_get(&rig, "hr2.y"), 0x0403);
    assert_int_equal(rig_get(&rig, "r3.x"), 0x08070605);
    assert_int_equal(rig_get(&rig, "r4.x"), 0x04030201);
    assert_int_equal(rig_get(&rig, "r4.y"), 0x08060402);
    assert_int_equal(rig_get(&rig, "r4.z"), 0x02010080);
    assert_int_equal(rig_get(&rig, "r4.w"), 0x02010080);
    assert_int_equal(rig_get(&rig, "r5.x"), 0x020100c0);
    rig_down(&rig);
}

static void textures(void)
{
    static const char text[] = "sam (f32)(xyzw)r2.x, r0.x, s#0, t#1\nisaml (f32)(xw)r3.x, r1.x, r1.z, s#0, t#1\n"
                               "getsize (u32)(xy)r4.x, r1.w, t#1\nsam (f16)(y)hr2.x, r0.x, s#0, t#1\nend\n";
    uint32_t texels[16];
    for (unsigned i = 0; i < 16; i++)
        texels[i] = bits_of((float)i);
    for (unsigned linear = 0; linear < 2; linear++) {
        struct gpucode_setting settings[2] = {{"a3xx-filter", linear ? "linear" : "nearest"}, {NULL, NULL}};
        struct rig rig = rig_text(text, settings);
        rig_texture(&rig, 1, 2, 2, texels);
        rig_set(&rig, "r0.x", bits_of(0.5f));
        rig_set(&rig, "r0.y", bits_of(0.75f));
        rig_set(&rig, "r1.x", 0);
        rig_set(&rig, "r1.y", 1);
        rig_run(&rig, GPUCODE_STOP_END, NULL);
        assert_int_equal(rig_get(&rig, "r2.x"), bits_of(linear ? 10 : 12));
        assert_int_equal(rig_get(&rig, "r2.w"), bits_of(linear ? 13 : 15));
        assert_int_equal(rig_get(&rig, "hr2.y"), linear ? 0x4980 : 0x4a80);
        assert_int_equal(rig_get(&rig, "r3.x"), bits_of(8));
        assert_int_equal(rig_get(&rig, "r3.y"), 0); /* not in the mask */
        assert_int_equal(rig_get(&rig, "r3.w"), bits_of(11));
        assert_int_equal(rig_get(&rig, "r4.x"), 2);
        rig_down(&rig);
    }
}

static void quads(void)
{
    static const struct gpucode_setting four[] = {{"a3xx-threads", "4"}, {NULL, NULL}};
    /* the threads part at the branch and meet again before the derivatives, which replace their own sources */
    struct rig rig =
        rig_text("cmps.u.eq p0.x, r0.y, 0\n(rpt5)nop\nbr p0.x, #over\nadd.u r0.z, r0.z, 1\n"
                 "over: (jp)dsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r0.x, r0.x\nbary.f (ei)r2.x, 0, r3.x\nend\n",
                 four);
    for (unsigned i = 0; i < 4; i++) {
        rig_set_of(&rig, i, "r0.x", bits_of((float)(3 * (i & 1) + 10 * (i >> 1))));
        rig_set_of(&rig, i, "r0.y", i & 1);
        rig_set_of(&rig, i, "r3.x", bits_of(i & 1 ? 0.5f : 0));
        rig_set_of(&rig, i, "r3.y", bits_of(i >> 1 ? 0.25f : 0));
    }
    rig_set(&rig, "v0", bits_of(1));
    rig_set(&rig, "vi0", bits_of(3));
    rig_set(&rig, "vj0", bits_of(9));
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(rig_get_of(&rig, i, "r1.x"), bits_of(3));
        assert_int_equal(rig_get_of(&rig, i, "r0.x"), bits_of(10));
        assert_int_equal(rig_get_of(&rig, i, "r0.z"), i & 1);
        assert_int_equal(rig_get_of(&rig, i, "r2.x"), bits_of((float)(1 + (i & 1) + 2 * (i >> 1))));
    }
    rig_down(&rig);
}

static void refusals(void)
{
    struct rig rig = rig_text("sam.3d (f32)(x)r0.x, r1.x, s#0, t#1\nend\n", NULL);
    rig_set(&rig, "t1.width", 4);
    rig_set(&rig, "t1.height", 4);
    rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-texture-kind");
    rig_down(&rig);
    rig = rig_text("sam (f32)(x)r0.x, r1.x, s#0, t#1\nend\n", NULL);
    rig_set(&rig, "t1.width", 4);
    rig_set(&rig, "t1.height", 4);
    rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-texels");
    struct heard heard = {0};
    static const struct gpucode_setting deep[] = {{"a3xx-call-depth", "65"}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = deep, .on_diagnostic = listen(&heard)};
    struct gpucode_machine *machine;
    assert_int_equal(gpucode_machine_create(rig.image, &options, &machine), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard.said[0].code, "a3xx-policy");
    rig_down(&rig);
}

static unsigned seen_writes;
static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)user;
    char name[32];
    assert_true(gpucode_machine_name(machine, event->space, (uint32_t)event->address, name, sizeof name));
    assert_string_equal(name, seen_writes ? "hr3.z" : "r2.x");
    assert_int_equal(event->value, seen_writes ? 7 : 5);
    return ++seen_writes == 1;
}

static void interface(void)
{
    struct rig rig = rig_text("mov.u32u32 r2.x, 5\nmov.u16u16 hr3.z, 7\nmov.u32u32 r2.x, 6\nend\n", NULL);
    struct gpucode_snapshot *snapshot;
    assert_int_equal(gpucode_machine_snapshot(rig.machine, &snapshot), GPUCODE_OK);
    gpucode_machine_break(rig.machine, 0, 2, true);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, see, NULL);
    seen_writes = 0;
    rig_run(&rig, GPUCODE_STOP_HOOK, NULL);
    assert_int_equal(rig.stop.pc, 1);
    rig_run(&rig, GPUCODE_STOP_BREAKPOINT, NULL);
    assert_int_equal(rig.stop.pc, 2);
    assert_int_equal(seen_writes, 2);
    gpucode_machine_hook(rig.machine, 0, NULL, NULL);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r2.x"), 6);
    assert_int_equal(gpucode_machine_restore(rig.machine, snapshot), GPUCODE_OK);
    assert_int_equal(rig_get(&rig, "r2.x"), 0);
    gpucode_snapshot_free(snapshot);
    unsigned space;
    uint32_t number;
    char name[32];
    static const char *const names[] = {"r0.x", "r60.w", "hr60.w", "c511.w",     "a0.x",  "p0.w",
                                        "v127", "vi3",   "vflat9", "t15.height", "killed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(gpucode_machine_find(rig.machine, names[i], &space, &number));
        assert_true(gpucode_machine_name(rig.machine, space, number, name, sizeof name));
        assert_string_equal(name, names[i]);
    }
    /* a value that does not fit leaves the register as it was */
    static const char *const narrow[] = {"hr1.x", "vflat3", "t0.kind", "killed"};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        rig_set(&rig, narrow[i], 1);
        assert_true(gpucode_machine_find(rig.machine, narrow[i], &space, &number));
        assert_int_equal(gpucode_machine_write(rig.machine, 0, space, number, 0x10000), GPUCODE_ERROR_RANGE);
        assert_int_equal(rig_get(&rig, narrow[i]), 1);
    }
    static const char *const wrong[] = {"",      "r",    "r61.x",     "hr61.x", "c512.x", "r0",   "r0.q",
                                        "r00.x", "v128", "t16.width", "p1.x",   "p0.",    "r0.xy"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (gpucode_machine_find(rig.machine, wrong[i], &space, &number))
            fail_msg("%s was found", wrong[i]);
    rig_down(&rig);
}

/* A loop's branch is taken twice and not taken once, by each of two threads; on one thread the path is another. */
static void edges(void)
{
    static const struct gpucode_setting two[] = {{"a3xx-threads", "2"}, {NULL, NULL}};
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct rig rig = rig_text("mov.s32s32 r0.x, 3\nloop: add.s r0.x, r0.x, c0.x\n(rpt5)nop\n"
                                  "cmps.s.ne p0.x, r0.x, 0\n(rpt5)nop\nbr p0.x, #loop\njump #out\nnop\nout: end\n",
                                  threads > 1 ? two : NULL);
        uint8_t map[1024] = {0};
        struct gpucode_machine_edge edge;
        rig_set(&rig, "c0.x", UINT32_MAX);
        assert_int_equal(gpucode_machine_edges(rig.machine, map, sizeof map), GPUCODE_OK);
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        assert_int_equal(gpucode_machine_edge_count(rig.machine), 3);
        static const uint8_t counts[] = {1, 2, 1};
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(gpucode_machine_edge(rig.machine, i + 1, &edge));
            assert_int_equal(edge.taken, i > 0);
            assert_int_equal(map[i + 1], threads * counts[i]);
        }
        rig_down(&rig);
    }
}

struct comparisons {
    unsigned count;
    struct gpucode_event events[8];
};

static bool note_comparison(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct comparisons *seen = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_COMPARE && seen->count < 8)
        seen->events[seen->count++] = *event;
    return false;
}

/* What comparisons compare is told in front of them, with modifiers applied and a step of a repeat each. */
static void comparisons(void)
{
    struct comparisons seen = {0};
    struct rig rig = rig_text("cmps.s.ne p0.x, r0.x, (neg)r1.x\n(rpt1)cmps.f.lt r2.x, (r)r0.x, c0.x\n"
                              "cmpv.u.ge hr3.x, hr0.x, hr0.y\nadd.s r3.x, r0.x, r1.x\nend\n",
                              NULL);
    rig_set(&rig, "r0.x", 5);
    rig_set(&rig, "r0.y", 6);
    rig_set(&rig, "r1.x", 7);
    rig_set(&rig, "c0.x", 0x3f800000);
    rig_set(&rig, "hr0.x", 0x8001);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_COMPARE, note_comparison, &seen);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    static const uint64_t expected[][5] = {{0, GPUCODE_A3XX_FULL, 0, 5, (uint32_t)-7},
                                           {1, GPUCODE_A3XX_FULL, 0, 5, 0x3f800000},
                                           {1, GPUCODE_A3XX_FULL, 1, 6, 0x3f800000},
                                           {2, GPUCODE_A3XX_HALF, 0, 0x8001, 0}};
    assert_int_equal(seen.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct gpucode_event *event = &seen.events[i];
        assert_int_equal(event->pc, expected[i][0]);
        assert_int_equal(event->space, expected[i][1]);
        assert_int_equal(event->address, expected[i][2]);
        assert_int_equal(event->value, expected[i][3]);
        assert_int_equal(event->old, expected[i][4]);
    }
    rig_down(&rig);
}

TESTS(machine, comparisons, edges, floats, integers, conversions, functions, policies, repeats, relative, flow, memory,
      textures, quads, refusals, interface)
