/* SPDX-License-Identifier: MIT */
/* What the assembler refuses, and where. The first group is what the reference assembler took without a word. */
#include "assembling.h"

#include <string.h>

struct refusal {
    const char *text, *diagnostics;
};

static const struct refusal taken_elsewhere[] = {
    {"rcp r0.x, c0.x", "a3xx-operand:1:11"},
    {"add.f r0.x, c0.x, c1.x", "a3xx-two-consts:1:19"},
    {"mad.f32 r0.x, r1.x, c0.x, r2.x", "a3xx-operand:1:21"},
    {"add.s r0.x, r0.y, 4096", "out-of-range:1:19"},
    {"add.s r0.x, r0.y, 1024", "out-of-range:1:19"},
    {"add.f r0.x, r0.y, 1", "a3xx-float-wanted:1:19"},
    {"add.f r0.x, hr0.y, r0.z", "a3xx-width:1:20"},
    {"add.f r0.x, r0.y, hr0.z", "a3xx-width:1:19"},
    {"(rpt5)add.f r0.x, r0.y, r0.z", "a3xx-repeat:1:1"},
    {"mov.f32f32 r0.x, r70.x", "a3xx-register:1:18"},
    {"mov.f32f32 r0.x, c600.x", "a3xx-const:1:18"},
    {"mov.f32f32 r0.x, c512.x", "a3xx-const:1:18"},
    {"mad.f32 r0.x, 0, r0.x, r1.x", "a3xx-operand:1:15"},
    {"mad.f32 r0.x, 9, r0.x, r1.x", "a3xx-operand:1:15"},
    {"sam (f32)(xyzw)r0.x, r1.x, s#16, t#0", "out-of-range:1:28"},
    {"sam (f32)(xyzw)r0.x, r1.x, s#0, t#128", "out-of-range:1:33"},
    {"ldg.f32 r0.x, g[r1.x+4096], 1", "out-of-range:1:21"},
    {"(ss)sam (f32)(xyzw)r0.x, r1.x, s#0, t#0", "a3xx-flag:1:1"},
    {"(nop3)add.f r0.x, r0.y, r0.z", "a3xx-nop-flag:1:1"},
    {"shlg r0.x, r0.y, r0.z, r0.w", "other-generation:1:1"},
    {"flat.b r0.x, 0, r0.x", "other-generation:1:1"},
    {"prefetch g[r0.x], 4", "expected:1:9"},
    {"g2l.u32 l[r0.x], g[r1.x], 1", "expected:1:9"},
    {"nop bogus ; and no newline behind the comment", "expected:1:5"},
};

static const struct refusal operands[] = {
    {"rcp r0.x, hc0.x", "a3xx-operand:1:11"},
    {"rcp r0.x, c<a0.x + 1>", "a3xx-operand:1:11"},
    {"rcp r0.x, (1.0)", "a3xx-operand:1:11"},
    {"rcp r0.x, 1", "a3xx-operand:1:11"},
    {"add.s r0.x, 1, 2", "a3xx-two-immediates:1:16"},
    {"add.f r0.x, (1.0), (2.0)", "a3xx-two-immediates:1:20"},
    {"add.f r0.x, c<a0.x + 1>, c1.x", "a3xx-two-consts:1:26"},
    {"mad.f32 r0.x, (2.0), r0.y, r0.z", "a3xx-operand:1:15"},
    {"mad.f32 r0.x, r0.x, r0.y, 1", "a3xx-operand:1:27"},
    {"mad.f32 r0.x, r0.x, c<a0.x>, r0.y", "a3xx-operand:1:21"},
    {"mad.f32 r0.x, r0.x, r<a0.x>, r0.y", "a3xx-operand:1:21"},
    {"mad.f32 r0.x, hr0.x, r0.y, r0.z", "a3xx-width:1:15"},
    {"mad.f16 r0.x, r0.x, hr0.y, hr0.z", "a3xx-width:1:15"},
    {"mov.f32f32 r<a0.x + 1>, c<a0.x + 2>", "a3xx-both-relative:1:25"},
    {"mov.f32f32 r<a0.x + 256>, r0.x", "a3xx-offset:1:12"},
    {"mov.f32f32 r0.x, c<a0.x + 512>", "a3xx-offset:1:18"},
    {"mov.f32f32 r0.x, c<a0.x - 513>", "a3xx-offset:1:18"},
    {"mov.f32f32 hr0.x, r0.x", "a3xx-width:1:12"},
    {"mov.f16f16 r0.x, hr0.x", "a3xx-width:1:12"},
    {"cov.f32f16 hr0.x, hr0.x", "a3xx-width:1:19"},
    {"mov.f32f32 r0.x, 1", "a3xx-float-wanted:1:18"},
    {"mov.u32u32 r0.x, (1.0)", "a3xx-integer-wanted:1:18"},
    {"mov.u32u32 r0.x, 0x100000000", "out-of-range:1:18"},
    {"mov.s16s16 hr0.x, 65536", "out-of-range:1:19"},
    {"mov.f32f32 r0.x, (neg)r0.y", "a3xx-modifier:1:18"},
    {"mul.f c0.x, r0.x, r0.y", "a3xx-destination:1:7"},
    {"mul.f r<a0.x>, r0.x, r0.y", "a3xx-destination:1:7"},
    {"add.f r0.x, r0.y, r61.x", "a3xx-register:1:19"},
    {"add.f r0.x, r0.y, r0.q", "a3xx-register:1:19"},
    {"add.f r0.x, r0.y, r00.x", "a3xx-register:1:19"},
    {"add.f r0.x, r0.y, a1.x", "a3xx-register:1:19"},
    {"add.f r0.x, r0.y, (0.3)", "a3xx-float-table:1:19"},
    {"and.b r0.x, r0.y, (1.0)", "a3xx-integer-wanted:1:19"},
    {"add.s r0.x, (neg)r0.y, r0.z", "a3xx-modifier:1:13"},
    {"mad.u24 r0.x, (neg)r0.x, r0.y, r0.z", "a3xx-modifier:1:15"},
    {"mad.f32 r0.x, (abs)r0.x, r0.y, r0.z", "a3xx-modifier:1:15"},
    {"add.f r0.x, (neg)(neg)r0.y, r0.z", "a3xx-flag-twice:1:18"},
    {"sam (f32)(xyzw)r0.x, c1.x, s#0, t#0", "a3xx-operand:1:22"},
    {"sam (f32)(xyzw)r0.x, a0.x, s#0, t#0", "a3xx-operand:1:22"},
    {"sam (f16)(xyzw)r0.x, r1.x, s#0, t#0", "a3xx-width:1:16"},
    {"saml (f32)(x)r0.x, r1.x, hr2.x, s#0, t#0", "a3xx-width:1:26"},
    {"sam (f32)(wx)r0.x, r1.x, s#0, t#0", "expected:1:12"},
    {"sam (f64)(x)r0.x, r1.x, s#0, t#0", "expected:1:6"},
    {"sam.q (f32)(x)r0.x, r1.x, s#0, t#0", "expected:1:4"},
    {"ldg.f32 r0.x, g[c1.x], 1", "a3xx-operand:1:17"},
    {"ldg.f32 hr0.x, g[r1.x], 1", "a3xx-width:1:9"},
    {"ldg.f32 r0.x, l[r1.x], 1", "expected:1:15"},
    {"stg.f32 g[r1.x-4097], r0.x, 1", "out-of-range:1:15"},
    {"ldg.f32 r0.x, g[r1.x], 256", "out-of-range:1:24"},
    {"stg.f32 g[r1.x+later], r0.x, 1\nlater: end", "not-known-yet:1:15"},
    {"sti.f32 hr0.y+256,r1.x, 2", "out-of-range:1:14"},
    {"sti.f32 hr0.y-1,r1.x, 2", "out-of-range:1:14"},
    {"mov.f32f32 c<a0.x + 1>, r0.x", "a3xx-destination:1:12"},
    {"mov.f32f32 r0.x, h(1.0)", "a3xx-width:1:18"},
    {"mov.u32u32 r0.x, h(5)", "a3xx-width:1:18"},
    {"add.f r0.x, r0.y, h(1.0)", "a3xx-width:1:19"},
    {"add.s r0.x, r0.y, h(1)", "a3xx-width:1:19"},
    {"add.f ha0.x, r0.y, r0.z", "a3xx-width:1:7"},
    {"add.f r0.x, r0.y, ( 1.0", "expected:1:22"},
    {"mov.f32f32 r0.x, ( 0.5 x )", "expected:1:21"},
};

static const struct refusal flags[] = {
    {"(sat)mov.f32f32 r0.x, r0.y", "a3xx-flag:1:1"},
    {"(sat)nop", "a3xx-flag:1:1"},
    {"(ul)nop", "a3xx-flag:1:1"},
    {"(sy)(ul)sam (f32)(x)r0.x, r1.x, s#0, t#0", "a3xx-flag:1:5"},
    {"(rpt1)sam (f32)(x)r0.x, r1.x, s#0, t#0", "a3xx-flag:1:1"},
    {"(rpt1)ldg.f32 r0.x, g[r1.x], 1", "a3xx-flag:1:1"},
    {"(ss)ldg.f32 r0.x, g[r1.x], 1", "a3xx-flag:1:1"},
    {"(rpt8)nop", "a3xx-repeat:1:1"},
    {"(sy)(sy)nop", "a3xx-flag-twice:1:5"},
    {"(sy)(foo)nop", "modifier:1:5"},
    {"mul.f (ei)r0.x, r0.y, r0.z", "expected:1:7"},
    {"cmps.f r0.x, r0.y, r0.z", "expected:1:7"},
    {"cmps.f.gg r0.x, r0.y, r0.z", "expected:1:7"},
};

static const struct refusal flow[] = {
    {"br r0.x, #3", "expected:1:4"},
    {"br a0.x, #3", "expected:1:4"},
    {"br p0.x, 3", "expected:1:10"},
    {"br p0.x, #65514", "out-of-range:1:10"},
    {"jump #32768", "out-of-range:1:6"},
    {"jump #-32769", "out-of-range:1:6"},
    {"jump #nowhere", "undefined:1:7"},
    {"ldib.u32 r0.x, g[r0.x], 1", "other-generation:1:1"},
    {"nop {rsv 0x1000000000000000}", "a3xx-reserved:1:10"},
    {"jump #1 {rsv 0x1}", "a3xx-reserved:1:14"},
    {".insn 12", "a3xx-word:1:7"},
    {".insn 0x1_2", "a3xx-word:1:7"},
    {"0000[0000020_00000000] nop", "a3xx-column:1:6"},
    {"@bogus(r0.x)", "a3xx-directive:1:1"},
    {"@const(r0.x) 1", "expected:1:8"},
    {"@const(c0.x) 1, 2, 3, 4, 5", "a3xx-values:1:24"},
    {"@attribute(r1.x-r0.x) in", "a3xx-range:1:17"},
    {"@sampler(16) s", "a3xx-sampler:1:10"},
    {"@sampler(q) s", "expected:1:10"},
    {"@attribute(r1.x-r70.x) in", "a3xx-register:1:17"},
    {"@const(c0.x) 4294967296", "too-wide:1:14"},
    {"@const(c0.x) -2147483649", "too-wide:1:14"},
    {"0000[00000020_00000000  x] nop", "a3xx-column:1:6"},
};

static void refuse(const struct refusal *refusal, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_refusal(refusal[i].text, "a3xx", refusal[i].diagnostics);
}

#define GROUP(name)                                                                                                    \
    static void test_##name(void)                                                                                      \
    {                                                                                                                  \
        refuse(name, sizeof name / sizeof *name);                                                                      \
    }
GROUP(taken_elsewhere)
GROUP(operands)
GROUP(flags)
GROUP(flow)

/* Every word that breaks a rule still has a text. */
static void forbidden_words(void)
{
    static const struct {
        uint64_t word;
        const char *text;
    } words[] = {
        {UINT64_C(0x8010000000001000),
         ".insn 0x80100000_00001000\t; nearly rcp r0.x, c0.x, an operand of which is not allowed"},
        {UINT64_C(0x4010000010011000),
         ".insn 0x40100000_10011000\t; nearly add.f r0.x, c0.x, c0.y, an operand of which is not allowed"},
        {UINT64_C(0x0002000000000000), ".insn 0x00020000_00000000\t; no instruction of A3XX"},
        {UINT64_C(0xe000000000000000), ".insn 0xe0000000_00000000\t; category 7, barriers of later generations"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned char bytes[8];
        for (unsigned k = 0; k < 8; k++)
            bytes[k] = (unsigned char)(words[i].word >> 8 * k);
        struct gpucode_insn insn;
        char text[GPUCODE_TEXT_MAX];
        struct gpucode_format_options options = {.comments = true};
        assert_int_equal(gpucode_decode(target_named("a3xx"), bytes, 8, 0, &insn), GPUCODE_OK);
        assert_int_equal(gpucode_format(&insn, &options, text, sizeof text, NULL), GPUCODE_OK);
        assert_string_equal(text, words[i].text);
        expect_bytes(text, "a3xx", bytes, 8);
    }
}

TESTS(refusals, test_taken_elsewhere, test_operands, test_flags, test_flow, forbidden_words)
