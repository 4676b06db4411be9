/* SPDX-License-Identifier: MIT */
/* What compilers make of common functions of shading languages, written by hand; the results were worked out apart. */
#include "running.h"

#include <math.h>
#include <string.h>

#define MOST 6

struct value {
    const char *name;
    uint32_t bits;
};

struct idiom {
    const char *text;
    struct value given[MOST], expected[MOST];
};

static void check(const struct idiom *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct rig rig = rig_text(cases[i].text, NULL);
        for (const struct value *value = cases[i].given; value < cases[i].given + MOST && value->name; value++)
            rig_set(&rig, value->name, value->bits);
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        for (const struct value *value = cases[i].expected; value < cases[i].expected + MOST && value->name; value++)
            if (rig_get(&rig, value->name) != value->bits)
                fail_msg("%s\n%s is %08x, not %08x", cases[i].text, value->name, rig_get(&rig, value->name),
                         value->bits);
        rig_down(&rig);
    }
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof *(cases))

static void packing(void)
{
    static const struct idiom cases[] = {
        /* packHalf2x16(1.5, -2.0) */
        {"cov.f32f16 (even)hr0.x, r0.x\ncov.f32f16 (even)hr0.y, r0.y\n(rpt1)cov.u16u32 r1.x, (r)hr0.x\n"
         "shl.b r1.y, r1.y, 16\nor.b r2.x, r1.x, r1.y\nend\n",
         {{"r0.x", 0x3fc00000}, {"r0.y", 0xc0000000}},
         {{"r2.x", 0xc0003e00}}},
        /* unpackHalf2x16 */
        {"cov.u32u16 hr0.x, r0.x\nshr.b r1.x, r0.x, 16\ncov.u32u16 hr0.y, r1.x\n(rpt1)cov.f16f32 r2.x, (r)hr0.x\nend\n",
         {{"r0.x", 0xc0003e00}},
         {{"r2.x", 0x3fc00000}, {"r2.y", 0xc0000000}}},
        /* packUnorm4x8(0.5, 1.0, 0.0, 0.25): 127.5 goes to 128 */
        {"(rpt3)mul.f r0.x, (r)r0.x, c0.x\n(rpt3)rndne.f r0.x, (r)r0.x\n(rpt3)cov.f32u32 r1.x, (r)r0.x\n"
         "shl.b r1.y, r1.y, 8\nshl.b r1.z, r1.z, 16\nshl.b r1.w, r1.w, 24\nor.b r1.x, r1.x, r1.y\n"
         "or.b r1.z, r1.z, r1.w\nor.b r2.x, r1.x, r1.z\nend\n",
         {{"r0.x", 0x3f000000}, {"r0.y", 0x3f800000}, {"r0.z", 0}, {"r0.w", 0x3e800000}, {"c0.x", 0x437f0000}},
         {{"r2.x", 0x4000ff80}}},
        /* gl_FragCoord.x, which comes with 4 bits of fraction: 21.5 */
        {"cov.u32f32 r1.x, r0.x\nmov.f32f32 r1.y, (0.0625)\nmul.f r2.x, r1.x, r1.y\nend\n",
         {{"r0.x", 0x158}},
         {{"r2.x", 0x41ac0000}}},
    };
    CHECK(cases);
}

static void bits_of_integers(void)
{
    static const char most_signed[] = "clz.s r1.x, r0.x\nsub.s r1.y, c0.x, r1.x\ncmps.s.ge r1.z, r1.x, 0\n"
                                      "sel.b32 r2.x, r1.y, r1.z, r1.x\nend\n";
    static const char most_unsigned[] = "clz.b r1.x, r0.x\nsub.s r1.y, c0.x, r1.x\ncmps.s.ge r1.z, r1.x, 0\n"
                                        "sel.b32 r2.x, r1.y, r1.z, r1.x\nend\n";
    static const struct idiom cases[] = {
        /* findMSB */
        {most_signed, {{"r0.x", 0xfffffffb}, {"c0.x", 31}}, {{"r2.x", 2}}},
        {most_signed, {{"r0.x", 0x7fffffff}, {"c0.x", 31}}, {{"r2.x", 30}}},
        {most_signed, {{"r0.x", 0xffffffff}, {"c0.x", 31}}, {{"r2.x", 0xffffffff}}},
        {most_unsigned, {{"r0.x", 0xfffffffb}, {"c0.x", 31}}, {{"r2.x", 31}}},
        {most_unsigned, {{"r0.x", 0}, {"c0.x", 31}}, {{"r2.x", 0xffffffff}}},
        /* findLSB */
        {"bfrev.b r1.x, r0.x\nclz.b r2.x, r1.x\nend\n", {{"r0.x", 0x50}}, {{"r2.x", 4}}},
        {"bfrev.b r1.x, r0.x\nclz.b r2.x, r1.x\nend\n", {{"r0.x", 0}}, {{"r2.x", 0xffffffff}}},
        /* bitfieldExtract(x, 7, 5), signed */
        {"shl.b r1.x, r0.x, 20\nashr.b r2.x, r1.x, 27\nend\n", {{"r0.x", 0x00000a80}}, {{"r2.x", 0xfffffff5}}},
        /* the high word of 0xdeadbeef * 0x12345678, in four products of 16 bits */
        {"shr.b r1.x, r0.x, 16\nshr.b r1.y, r0.y, 16\nmull.u r2.x, r0.x, r0.y\nmull.u r2.y, r0.x, r1.y\n"
         "mull.u r2.z, r1.x, r0.y\nmull.u r2.w, r1.x, r1.y\nshr.b r3.x, r2.x, 16\nadd.u r3.y, r2.y, r3.x\n"
         "mov.u32u32 r3.z, 0xffff\nand.b r3.w, r3.y, r3.z\nadd.u r3.w, r3.w, r2.z\nshr.b r3.y, r3.y, 16\n"
         "shr.b r3.w, r3.w, 16\nadd.u r4.x, r2.w, r3.y\nadd.u r4.x, r4.x, r3.w\nend\n",
         {{"r0.x", 0xdeadbeef}, {"r0.y", 0x12345678}},
         {{"r4.x", 0x0fd5bdee}}},
        /* the low word */
        {"mull.u r1.x, r0.x, r0.y\nmadsh.m16 r1.x, r0.y, r0.x, r1.x\nmadsh.m16 r1.x, r0.x, r0.y, r1.x\nend\n",
         {{"r0.x", 0xdeadbeef}, {"r0.y", 0x12345678}},
         {{"r1.x", 0x5621ca08}}},
    };
    CHECK(cases);
}

static void addressing(void)
{
    static const struct idiom cases[] = {
        /* a column of mat4 m[2], by index; and relative operands in arithmetic, in front of a0.x too */
        {"shl.b hr0.y, hr0.x, 2\nmova a0.x, hr0.y\n(rpt5)nop\n(rpt1)mov.f32f32 r1.x, (r)c<a0.x + 16>\n"
         "add.f r2.x, c<a0.x - 4>, r0.x\n(ul)mad.f32 r2.y, c<a0.x + 17>, r0.x, r0.x\nend\n",
         {{"hr0.x", 3}, {"c7.x", 0x40000000}, {"c7.y", 0x40400000}, {"c2.x", 0x41000000}, {"r0.x", 0x3f800000}},
         {{"r1.x", 0x40000000}, {"r1.y", 0x40400000}, {"r2.x", 0x41100000}, {"r2.y", 0x40800000}}},
        /* an array in registers: written and read by index */
        {"mova a0.x, hr0.x\n(rpt5)nop\n(rpt1)mov.u32u32 r<a0.x + 8>, (r)r0.x\nmov.u32u32 r5.x, r<a0.x + 9>\nend\n",
         {{"hr0.x", 2}, {"r0.x", 11}, {"r0.y", 12}},
         {{"r2.z", 11}, {"r2.w", 12}, {"r5.x", 12}, {"r2.y", 0}}},
        /* functions that call functions */
        {"call #outer\nadd.u r0.x, r0.x, 1\nend\nouter: (jp)call #inner\ncall #inner\nret\n"
         "inner: (jp)mul.u r0.x, r0.x, 3\nret\n",
         {{"r0.x", 5}},
         {{"r0.x", 46}}},
        /* a loop that only a discard leaves has a branch to its end */
        {"loop: (jp)add.s r0.x, r0.x, -1\ncmps.s.le p0.x, r0.x, 0\n(rpt5)nop\nkill p0.x\nbr !p0.x, #loop\nend\n",
         {{"r0.x", 4}},
         {{"r0.x", 0}, {"killed", 1}}},
    };
    CHECK(cases);
}

static void memory(void)
{
    /* transform feedback: vertex 2 of 16 bytes each; a member of a uniform block; a spilled register */
    struct rig rig = rig_text("cmps.u.lt p0.x, r0.x, c0.z\nmad.u24 r1.x, r0.x, r0.y, c0.x\n(rpt5)nop\n"
                              "br !p0.x, #past\nstg.f32 g[r1.x+4], r2.x, 2\n"
                              "past: (jp)mov.u32u32 r3.x, c0.y\n(rpt5)nop\nldg.u32 r4.x, g[r3.x-4], 2\n"
                              "stp.u32 p[r0.w-8], r4.y, 1\nldp.u32 r5.x, p[r0.w-8], 1\n(sy)nop\nend\n",
                              NULL);
    static const unsigned char uniform[8] = {0x78, 0x56, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde};
    unsigned char stored[12];
    assert_int_equal(gpucode_machine_store(rig.machine, 0x2000, uniform, sizeof uniform), GPUCODE_OK);
    assert_int_equal(gpucode_machine_map(rig.machine, 0x1000, 64), GPUCODE_OK);
    rig_set(&rig, "r0.x", 2);
    rig_set(&rig, "r0.y", 16);
    rig_set(&rig, "r0.w", 64);
    rig_set(&rig, "c0.x", 0x1000);
    rig_set(&rig, "c0.y", 0x2004);
    rig_set(&rig, "c0.z", 3);
    rig_set(&rig, "r2.x", 0x3f800000);
    rig_set(&rig, "r2.y", 0x40000000);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r4.x"), 0x12345678);
    assert_int_equal(rig_get(&rig, "r5.x"), 0xdeadbeef);
    assert_int_equal(gpucode_machine_load(rig.machine, 0x1020, stored, sizeof stored), GPUCODE_OK);
    static const unsigned char expected[12] = {0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    assert_memory_equal(stored, expected, sizeof stored);
    rig_down(&rig);
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void close_to(const char *text, float x, float y, double expected)
{
    struct rig rig = rig_text(text, NULL);
    rig_set(&rig, "r0.x", bits_of(x));
    rig_set(&rig, "r0.y", bits_of(y));
    rig_set(&rig, "c0.x", bits_of(0.15915494f));
    rig_set(&rig, "c0.y", bits_of(6.2831853f));
    rig_set(&rig, "c0.z", bits_of(-3.14159265f));
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    double got = (double)float_of(rig_get(&rig, "r2.x"));
    if (fabs(got - expected) > 2e-6 * fmax(1, fabs(expected)))
        fail_msg("%s\nof %g %g is %.9g, not %.9g", text, (double)x, (double)y, got, expected);
    rig_down(&rig);
}

static void functions(void)
{
    static const char power[] =
        "log2 r1.x, r0.x\n(ss)mul.f r1.x, r1.x, r0.y\n(rpt5)nop\nexp2 r2.x, r1.x\n(ss)nop\nend\n";
    close_to(power, 3, 2.5f, 15.588457268119894);
    close_to(power, 0, 2, 0);
    close_to(power, 2, -3, 0.125);
    /* sin: the argument goes to -pi .. pi first */
    static const char reduced[] =
        "mul.f r1.x, r0.x, c0.x\nadd.f r1.x, r1.x, (0.5)\nfloor.f r1.y, r1.x\nadd.f r1.x, r1.x, (neg)r1.y\n"
        "mul.f r1.x, r1.x, c0.y\nadd.f r1.x, r1.x, c0.z\n(rpt5)nop\nsin r2.x, r1.x\n(ss)nop\nend\n";
    close_to(reduced, 1, 0, 0.8414709848078965);
    close_to(reduced, -7, 0, -0.6569865987187891);
    /* normalize(vec2).x and mod(x, y) */
    close_to("mul.f r1.x, r0.x, r0.x\nmad.f32 r1.x, r0.y, r0.y, r1.x\n(rpt5)nop\nrsq r1.y, r1.x\n"
             "(ss)mul.f r2.x, r0.x, r1.y\nend\n",
             3, 4, 0.6);
    close_to("rcp r1.x, r0.y\n(ss)mul.f r1.y, r0.x, r1.x\nfloor.f r1.y, r1.y\n"
             "mad.f32 r2.x, (neg)r0.y, r1.y, r0.x\nend\n",
             -3.25f, 2, 0.75);
}

static void derivatives(void)
{
    static const struct gpucode_setting quad[] = {{"a3xx-threads", "4"}, {NULL, NULL}};
    struct rig rig =
        rig_text("dsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r1.y, r0.x\n(sy)add.f r2.x, (abs)r1.x, (abs)r1.y\nend\n", quad);
    static const float values[4] = {1, 3, -4, 7};
    for (unsigned i = 0; i < 4; i++)
        rig_set_of(&rig, i, "r0.x", bits_of(values[i]));
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    for (unsigned i = 0; i < 4; i++) /* coarse: one for the quad, by its first thread; fwidth */
        assert_int_equal(rig_get_of(&rig, i, "r2.x"), bits_of(7));
    rig_down(&rig);
}

TESTS(idioms, packing, bits_of_integers, addressing, memory, functions, derivatives)
