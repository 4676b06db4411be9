/* SPDX-License-Identifier: MIT */
/* Words and their texts in both styles; other spellings; floats; declarations; dumps. */
#include "assembling.h"

#include "isa/decimal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bytes_of(uint64_t word, unsigned char bytes[8])
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

static const struct {
    uint64_t word;
    const char *seed, *mesa; /* mesa null: the same */
} words[] = {
    /* flow */
    {0x0000050000000000, "(rpt5)nop", NULL},
    {0x1000140000000000, "(sy)(ss)(rpt4)nop", NULL},
    {0x0900000000000004, "(jp)jump #4", NULL},
    {0x009000000000ffea, "br !p0.x, #-22", NULL},
    {0x00c0000000000003, "br p0.z, #3", NULL},
    {0x01000000ffffffea, "jump #-22 {rsv 0xffff0000}", NULL},
    {0x02b0000000000000, "kill !p0.y", NULL},
    {0x0300080000000000, "end {rsv 0x80000000000}", NULL},
    {0x0580000000000000, "flow_rev", NULL},
    /* moves */
    {0x2004600000000c12, "(ul)mov.f32f32 r0.x, c<a0.x + 18>", NULL},
    {0x2004600000000fff, "(ul)mov.f32f32 r0.x, c<a0.x - 1>", NULL},
    {0x2006400500000004, "mov.f32f32 r<a0.x + 5>, r1.x", NULL},
    {0x2002000000000004, "mov.f16f16 hr<a0.x>, hr1.x", NULL},
    {0x201100f400000000, "mova a0.x, hr0.x", NULL},
    {0x2044400040490fdc, "mov.f32f32 r0.x, (3.141593)", NULL},
    {0x2044400040490fdb, "mov.f32f32 r0.x, (3.1415927)", NULL},
    {0x2044400000000001, "mov.f32f32 r0.x, (1.0e-45)", NULL},
    {0x204440007f7fffff, "mov.f32f32 r0.x, (3.4028235e38)", NULL},
    {0x2044400080000000, "mov.f32f32 r0.x, (-0.000000)", NULL},
    {0x204440007fc00000, "mov.f32f32 r0.x, (nan)", NULL},
    {0x204440007fc00001, "mov.f32f32 r0.x, 0x7fc00001", NULL},
    {0x20444000ff800000, "mov.f32f32 r0.x, (-inf)", NULL},
    {0x2040000000003800, "mov.f16f16 hr0.x, (0.500000)", "mov.f16f16 hr0.x, h(0.500000)"},
    {0x204cc00040000000, "mov.u32u32 r0.x, 0x40000000", NULL},
    {0x204cc00000000001, "mov.u32u32 r0.x, 1", NULL},
    {0x204cc00000000fff, "mov.u32u32 r0.x, 4095", NULL},
    {0x204cc00000001000, "mov.u32u32 r0.x, 0x1000", NULL},
    {0x20244000000007ff, "mov.f32f32 r0.x, c511.w", NULL},
    {0x2004400000000e00, "mov.f32f32 r0.x, c<a0.x - 512>", NULL},
    {0x2004400000000dff, "mov.f32f32 r0.x, c<a0.x + 511>", NULL},
    {0x401000000dff0000, "add.f r0.x, r0.x, c<a0.x + 511>", NULL},
    {0x20554000fffffffe, "mov.s32s32 r0.x, -2", NULL},
    {0x205100000000ffff, "mov.s16s16 hr0.x, -1", NULL},
    {0x2084000000000000, "cov.f32f16 (even)hr0.x, r0.x", NULL},
    /* category 2 */
    {0x42a400f820010001, "cmps.s.eq p0.x, hr0.y, 1", "cmps.s.eq p0.x, hr0.y, h(1)"},
    {0x42a440f820010001, "cmps.s.eq p0.x, hr0.y, 1 {rsv 0x400000000000}",
     "cmps.s.eq p0.x, hr0.y, h(1) {rsv 0x400000000000}"},
    {0x5060000200022c03, "(sy)mul.f hr0.z, h(2.0), hr0.z", NULL},
    {0x40b0000400022803, "cmps.f.lt r1.x, (2.0), r0.z", NULL},
    {0x40180919c008000c, "(rpt1)add.f r6.y, (r)r3.x, (absneg)(r)r2.x", NULL},
    {0x4010040000010000, "(sat)add.f r0.x, r0.x, r0.y", NULL},
    {0x4610000000010000, "mul.u r0.x, r0.x, r0.y", "mul.u24 r0.x, r0.x, r0.y"},
    {0x4630000000010000, "mul.s r0.x, r0.x, r0.y", "mul.s24 r0.x, r0.x, r0.y"},
    {0x4730c80800002008, "bary.f (ei)hr2.x, (r)8, r0.x", NULL},
    {0x4230000027ff0000, "add.s r0.x, r0.x, -1", NULL},
    {0x4230000024000000, "add.s r0.x, r0.x, -1024", NULL},
    {0x4790000000000001, "setrm r0.x, r0.y", NULL},
    {0x4351000000000005, "absneg.s r0.x, r1.y {rsv 0x1000000000000}", NULL},
    /* category 3 */
    {0x6302030020008008, "(rpt3)mad.f16 hr0.x, hr2.x, (r)hr1.x, (r)hr0.x", NULL},
    {0x63828909102c400a, "(rpt1)mad.f32 r2.y, (neg)(r)r2.z, r1.y, c11.x", NULL},
    {0x6480000610070001, "sel.b32 r1.z, r0.y, r0.x, c1.w", NULL},
    {0x6300c00d00070005, "mad.f16 r3.y, hr1.y, hr0.y, hr1.w", NULL},
    /* category 4 */
    {0x8010000200000002, "rcp r0.z, r0.z", NULL},
    {0x9000100200004002, "(sy)(ss)rcp hr0.z, (neg)hr0.z", NULL},
    {0x8010000000000802, "rcp r0.x, r<a0.x + 2>", NULL},
    /* category 5 */
    {0xa0d01f1506602605, "sam.o (f32)(xyzw)r5.y, r0.z, r4.w, s#3, t#3", NULL},
    {0xa120010000000601, "samb.p (f16)(x)hr0.x, r0.x, r0.w, s#0, t#0", NULL},
    {0xa3402f0102000000, "getinfo (u16)(xyzw)hr0.y, t#1", NULL},
    {0xa380110600000005, "dsx (f32)(x)r1.z, r0.z", NULL},
    {0xa0c81f0000400003, "sam.s2en (f32)(xyzw)r0.x, r0.y, hr0.z", "sam.s2en.uniform (f32)(xyzw)r0.x, r0.y, hr0.z"},
    {0xa0c0160000000003, "sam (f32)(yz)r0.x, r0.y, s#0, t#0", NULL},
    {0xa0c0100000000003, "sam (f32)()r0.x, r0.y, s#0, t#0", NULL},
    {0xa600010000000002, "dsxpp.1 (x)hr0.x, hr0.y", NULL},
    /* category 6 */
    {0xc00200090181c061, "ldg.f32 r2.y,g[r1.w+48], 1", "ldg.f32 r2.y, g[r1.w+48], 1"},
    {0xc14207fc01803e2a, "stp.f32 p[r0.w-4],r5.y, 1", "stp.f32 p[r0.w-4], r5.y, 1"},
    {0xc14e0d000180002a, "stp.s8 p[r1.z],hr5.y, 1", "stp.s8 p[r1.z], hr5.y, 1"},
};

static void texts(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned char bytes[8];
        bytes_of(words[i].word, bytes);
        struct gpucode_insn insn;
        assert_int_equal(gpucode_decode(target_named("a3xx"), bytes, 8, 0, &insn), GPUCODE_OK);
        for (unsigned style = 0; style < 2; style++) {
            struct gpucode_format_options options = {.style = style};
            char text[GPUCODE_TEXT_MAX];
            assert_int_equal(gpucode_format(&insn, &options, text, sizeof text, NULL), GPUCODE_OK);
            assert_string_equal(text, style && words[i].mesa ? words[i].mesa : words[i].seed);
            expect_bytes(text, "a3xx", bytes, 8);
        }
    }
}

/* Texts that mean a word but are not how it is printed. */
static void spellings(void)
{
    static const struct number_case other[] = {
        {"(ss)(sy)nop", 0x1000100000000000},
        {"(ul)(rpt1)(jp)(ss)(sy)add.f r0.x, r0.y, r0.z", 0x5810310000020001},
        {"mova.s16s16 a0.x, hr0.x", 0x201100f400000000},
        {"mul.u24 r0.x,r0.x,r0.y", 0x4610000000010000},
        {"mul.s24 r0.x, r0.x, r0.y", 0x4630000000010000},
        {"cls.s r0.x, r0.y", 0x4690000000000001},
        {"add.f r0.x, (r)(neg)r0.y, r0.z", 0x4010080000024001},
        {"mul.f hr0.x, hr0.x, (2.0)", 0x406000002c030000},
        {"mul.f hr0.x, hr0.x, h(2.0)", 0x406000002c030000},
        {"mul.f r0.x, r0.x, (3.14159274)", 0x4070000028050000},
        {"mul.f r0.x, r0.x, (1/pi)", 0x4070000028060000},
        {"mul.f r0.x, r0.x, ( 1/pi )", 0x4070000028060000},
        {"mul.f hr0.x, hr0.x, (\t2.0\t)", 0x406000002c030000},
        {"mul.f hr0.x, hr0.x, ( 2.0)", 0x406000002c030000},
        {"mul.f hr0.x, hr0.x, (2.0 )", 0x406000002c030000},
        {"and.b hr0.x, hr0.x, h(1)", 0x4380000020010000},
        {"and.b r0.x, r0.x, 0xff", 0x4390000020ff0000},
        {"mov.f32f32 r0.x, c<a0.x + -4>", 0x2004400000000ffc},
        {"mov.f32f32 r0.x,c<a0.x-4>", 0x2004400000000ffc},
        {"mov.f16f16 hr0.x, r<a0.x + 4>", 0x2000000000000804},
        {"mov.f32f32 r0.x, 0x3f800000", 0x204440003f800000},
        {"mov.f32f32 r0.x, (0.1)", 0x204440003dcccccd},
        {"mov.f32f32 r0.x, (1e-50)", 0x2044400000000000},
        {"mov.f32f32 r0.x, (0.10000000149011611938476562500)", 0x204440003dcccccd},
        {"mov.f16f16 hr0.x, h(0.1)", 0x2040000000002e66},
        {"mov.s16s16 hr0.x, 65535", 0x205100000000ffff},
        {"mov.u32u32 r0.x, -1", 0x204cc000ffffffff},
        {"stp.f32 p[r0.w - 4], r5.y, 1", 0xc14207fc01803e2a},
        {".insn 0x12345678", 0x12345678},
        {".insn 0x0300000000000000", 0x0300000000000000},
        {"0003[00000200x_00000000x] (rpt2)nop", 0x0000020000000000},
        {"0003[00000200_00000000]", 0x0000020000000000},
        {"0003[  00000200x_00000000x  ] (rpt2)nop", 0x0000020000000000},
        {"00000200_00000000 (rpt2)nop", 0x0000020000000000},
        {"0003[00000200x_00000000x] (rpt2)nop\n0003[                   ] nop\n", 0x0000020000000000},
        {".equ N, 2\nadd.s r0.x, r0.x, N + 1", 0x4230000020030000},
        {".macro go where\njump \\where\n.endm\ngo #3", 0x0100000000000003},
        {"nop ; no newline behind this", 0},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        unsigned char bytes[8];
        bytes_of(other[i].number, bytes);
        expect_bytes(other[i].text, "a3xx", bytes, 8);
    }
}

static void labels(void)
{
    static const uint64_t expected[] = {0x0080000000000003, 0x0100000000000001, 0x010000000000fffe, 0x0300000000000000,
                                        0x018000000000fffd};
    unsigned char bytes[sizeof expected];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        bytes_of(expected[i], bytes + 8 * i);
    expect_bytes("top: br p0.x, #out\nagain: jump #next\nnext: jump #top\nout:\nend\ncall #again", "a3xx", bytes,
                 sizeof bytes);
    /* as numbers; what they do not fit is known at the end */
    static const uint64_t moves[] = {0x204cc00000000002, 0x204cc000ffffffff, 0x204cc00080000000, 0x0300000000000000};
    unsigned char moved[sizeof moves];
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        bytes_of(moves[i], moved + 8 * i);
    expect_bytes("mov.u32u32 r0.x, last - 1\nmov.u32u32 r0.x, last + 0xfffffffc\nmov.u32u32 r0.x, last - 0x80000003\n"
                 "last: end\n",
                 "a3xx", moved, sizeof moved);
    expect_refusal("mov.u32u32 r0.x, last + 0xffffffff\nmov.u32u32 r0.x, last - 0x80000003\nlast: end\n", "a3xx",
                   "out-of-range:1:18 out-of-range:2:18");
}

/* Padding is nop. */
static void padding(void)
{
    static const uint64_t expected[] = {0x0300000000000000, 0, 0, 0, 0x0300000000000000};
    unsigned char bytes[sizeof expected];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        bytes_of(expected[i], bytes + 8 * i);
    expect_bytes("end\n.align 32\nend\n", "a3xx", bytes, sizeof bytes);
    expect_bytes("end\n.align 32\nend\n", "ir3:a6xx", bytes, sizeof bytes);
}

/* Sources say what they are by their first telling line. */
static void detection(void)
{
    static const char *const sources[] = {"; a comment\n\nmov.f32f32 r0.x, c0.x\n",
                                          "(sy)(ss)nop\n",
                                          "@out(r0.x) color\n",
                                          "top: end\n",
                                          "nop\nend\n",
                                          "0000[00000000x_00000000x] nop\n",
                                          ".insn 0x0\n",
                                          ".target a3xx\nnop\n",
                                          ".target a3xx:a330\nnop\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct assembled out;
        assemble_text(&out, sources[i], NULL);
        assert_int_equal(out.status, GPUCODE_OK);
        assert_string_equal(gpucode_target_isa(gpucode_program_target(out.program)), "a3xx");
        gpucode_program_free(out.program);
    }
    expect_refusal("nop\n", NULL, "no-target:1:1");
}

static void declarations(void)
{
    struct assembled out;
    assemble_text(&out,
                  "@attribute(r0.x-r0.z) position\n@varying(r1.y-r2.x) uv\n@out(hr0.y) color\n@uniform(c0.x-c3.w) m\n"
                  "@const(c4.x) 1.0, -2, 0x3f000000, (0.5)\n@sampler(1) tex\n@buf(c5.z) data\n@buf 64 (c6.x)\n"
                  "@localsize 32, 2, 1\n@invocationid(r0.x)\n@wgid(c7.x)\n@numwg(c8.x)\n@branchstack 4\n@pvtmem 0x100\n"
                  "@earlypreamble\n@in(r0.x)\tin0 (wrmask=0x3)\nend\n",
                  "a3xx");
    assert_int_equal(out.status, GPUCODE_OK);
    assert_int_equal(gpucode_program_size(out.program), 8);
    struct gpucode_declaration d;
    assert_true(gpucode_program_declaration(out.program, 0, &d));
    assert_string_equal(d.kind, "attribute");
    assert_string_equal(d.name, "position");
    assert_int_equal(d.file, 'r');
    assert_int_equal(d.first, 0);
    assert_int_equal(d.count, 3);
    assert_true(gpucode_program_declaration(out.program, 2, &d));
    assert_true(d.half);
    assert_int_equal(d.first, 1);
    assert_int_equal(d.count, 4);
    assert_true(gpucode_program_declaration(out.program, 4, &d));
    assert_int_equal(d.file, 'c');
    assert_int_equal(d.first, 16);
    assert_int_equal(d.value_count, 4);
    assert_int_equal(d.value[0], 0x3f800000);
    assert_int_equal(d.value[1], 0xfffffffe);
    assert_int_equal(d.value[2], 0x3f000000);
    assert_int_equal(d.value[3], 0x3f000000);
    assert_true(gpucode_program_declaration(out.program, 7, &d));
    assert_int_equal(d.value[0], 64);
    assert_int_equal(d.first, 24);
    assert_true(gpucode_program_declaration(out.program, 8, &d));
    assert_int_equal(d.value[1], 2);
    assert_true(gpucode_program_declaration(out.program, 15, &d));
    assert_string_equal(d.name, "in0 (wrmask=0x3)");
    assert_false(gpucode_program_declaration(out.program, 16, &d));
    gpucode_program_free(out.program);
}

/* Decimal text of floats against the C library, whose locale is "C" here. */
static void decimals(void)
{
    uint64_t seed = 7;
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t bits = next_random(&seed);
        if (i % 4 == 0)
            bits &= 0x807fffff; /* denormal */
        if ((bits & 0x7f800000) == 0x7f800000)
            continue;
        char text[80];
        *decimal_print(text, bits, &decimal_f32) = 0;
        float back = strtof(text, NULL);
        uint32_t back_bits;
        memcpy(&back_bits, &back, 4);
        assert_int_equal(back_bits, bits);
        /* any digits */
        snprintf(text, sizeof text, "%u.%ue%d", next_random(&seed), next_random(&seed),
                 (int)(next_random(&seed) % 100) - 55);
        struct decimal number;
        bool is_float;
        assert_int_equal(decimal_read(text, strlen(text), &number, &is_float), strlen(text));
        float expected = strtof(text, NULL);
        memcpy(&back_bits, &expected, 4);
        assert_int_equal(decimal_to_bits(&number, &decimal_f32), back_bits);
    }
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        char text[80];
        struct decimal number;
        bool is_float;
        *decimal_print(text, bits, &decimal_f16) = 0;
        assert_int_equal(decimal_read(text, strlen(text), &number, &is_float), strlen(text));
        assert_int_equal(decimal_to_bits(&number, &decimal_f16), bits);
    }
}

/* More digits than are kept, with zeros among them, and powers of ten that floats do not have. */
static void long_decimals(void)
{
    struct decimal number;
    bool is_float;
    char tie[200]; /* between 1 and the next float: what is far behind decides */
    for (unsigned i = 0; i < 2; i++) {
        memset(tie, '0', sizeof tie);
        memcpy(tie, "1.000000059604644775390625", 26);
        tie[198] = i ? '1' : '0';
        assert_int_equal(decimal_read(tie, 199, &number, &is_float), 199);
        assert_int_equal(decimal_to_bits(&number, &decimal_f32), 0x3f800000 + i);
    }
    static const struct {
        const char *text;
        uint32_t single, half;
    } ties[] = {
        /* between an odd float and an even one above it, and between the largest and what is none any more */
        {"1.000000178813934326171875", 0x3f800002, 0x3c00},
        {"1.00146484375", 0x3f803000, 0x3c02},
        {"65519.99609375", 0x477fefff, 0x7bff},
        {"65520", 0x477ff000, 0x7c00},
        {"3.4028235677973362e38", 0x7f7fffff, 0x7c00},
        {"3.4028235677973367e38", 0x7f800000, 0x7c00},
    };
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        assert_int_equal(decimal_read(ties[i].text, strlen(ties[i].text), &number, &is_float), strlen(ties[i].text));
        if (decimal_to_bits(&number, &decimal_f32) != ties[i].single ||
            decimal_to_bits(&number, &decimal_f16) != ties[i].half)
            fail_msg("%s is %08x and %04x", ties[i].text, decimal_to_bits(&number, &decimal_f32),
                     decimal_to_bits(&number, &decimal_f16));
    }
    uint64_t seed = 7;
    for (unsigned i = 0; i < 3000; i++) {
        char text[400];
        size_t used = 0, digits = 1 + next_random(&seed) % (i % 2 ? 40 : 300), point = next_random(&seed) % digits;
        text[used++] = i % 3 ? '+' : '-';
        for (size_t k = 0; k < digits; k++) {
            text[used++] = next_random(&seed) % 3 ? '0' : (char)('0' + next_random(&seed) % 10);
            if (k == point)
                text[used++] = '.';
        }
        snprintf(text + used, sizeof text - used, "e%d", (int)(next_random(&seed) % 130) - 65 - (int)point);
        assert_int_equal(decimal_read(text, strlen(text), &number, &is_float), strlen(text));
        assert_true(is_float);
        float expected = strtof(text, NULL);
        uint32_t bits;
        memcpy(&bits, &expected, 4);
        if (decimal_to_bits(&number, &decimal_f32) != bits)
            fail_msg("%s is %08x, not %08x", text, decimal_to_bits(&number, &decimal_f32), bits);
    }
}

/* Halves by their definition: a whole number of units, which double with each power of two from 2^-14 on. */
static uint32_t plain_half(float value)
{
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs((double)value);
    if (isnan(value) || isinf(value))
        return sign | 0x7c00 | (isnan(value) ? 0x200 : 0);
    int power = size < ldexp(1, -14) ? -14 : ilogb(size);
    double units = nearbyint(ldexp(size, 10 - power));
    return sign | (power > 15 || ldexp(units, power - 10) > 65504 ? 0x7c00 : (uint32_t)((power + 14) * 1024 + units));
}

static void halves(void)
{
    /* the last that is no infinity, the last number and infinity, and the first that is no number, as it stands */
    static const uint32_t limits[] = {0x477fefff, 0x477ff000, 0xc77fefff, 0xc77ff000, 0x7f7fffff,
                                      0x7f800000, 0xff800000, 0x7f800001, 0xffffffff};
    uint64_t seed = 9;
    for (unsigned i = 0; i < 200000; i++) {
        bool given = i < sizeof limits / sizeof *limits;
        uint32_t bits = given ? limits[i] : next_random(&seed);
        if (!given && i & 1) /* where halves are, and a little beyond */
            bits = (bits & 0x807fffff) | (uint32_t)(127 - 26 + bits % 44) << 23;
        if (!given && i % 8 == 7) /* between two of them */
            bits = (bits & ~UINT32_C(0x1fff)) + 0x0fff + i / 8 % 3;
        float value;
        memcpy(&value, &bits, 4);
        if (decimal_half(bits) != plain_half(value))
            fail_msg("%08x is %04x, not %04x", bits, decimal_half(bits), plain_half(value));
    }
}

TESTS(text, texts, spellings, labels, padding, detection, declarations, decimals, long_decimals, halves)
