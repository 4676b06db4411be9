/* SPDX-License-Identifier: MIT */
/* Words with their texts on each generation, texts that are written in other ways, and what is refused. */
#include "assembling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void format(const char *target, uint64_t word, char text[GPUCODE_TEXT_MAX])
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn;
    assert_int_equal(gpucode_decode(target_named(target), bytes, 8, 0, &insn), GPUCODE_OK);
    assert_int_equal(gpucode_format(&insn, NULL, text, GPUCODE_TEXT_MAX, NULL), GPUCODE_OK);
}

static bool parse(const char *target, const char *text, uint64_t *word)
{
    struct gpucode_insn insn;
    if (gpucode_parse(target_named(target), text, strlen(text), NULL, &insn) != GPUCODE_OK)
        return false;
    *word = insn.bits;
    return true;
}

struct pair {
    const char *target;
    uint64_t word;
    const char *text;
};

/* The text of the word, and the word of the text. */
static void check_pair(const struct pair *pair)
{
    char text[GPUCODE_TEXT_MAX];
    uint64_t word = ~pair->word;
    format(pair->target, pair->word, text);
    if (strcmp(text, pair->text) != 0)
        print_error("%s %016" PRIx64 ": '%s', not '%s'\n", pair->target, pair->word, text, pair->text);
    assert_string_equal(text, pair->text);
    assert_true(parse(pair->target, pair->text, &word));
    assert_true(word == pair->word);
}

/* Each form of text once, by category; most of the words were made by hand from the tables of the encoding. */
static const struct pair pairs[] = {
    {"ir3:a6xx", 0x0000020000000000, "(rpt2)nop"},
    {"ir3:a8xx", 0x0000100400000000, "(ss)(eostsc)nop"},
    {"ir3:a6xx", 0x0090602000000007, "brao !p0.x, !p0.y, #7"},
    {"ir3:a6xx", 0x008000630000001e, "brac.3 #30"},
    {"ir3:a6xx", 0x0222000000000004, "getlast.w8 #4"},
    {"ir3:a4xx", 0x000000c000000000 | UINT64_C(1) << 55 | 5, "brax #5"},
    {"ir3:a6xx", 0x2024490500000410, "(rpt1)mov.f32f32 r1.y, (r)c260.x"},
    {"ir3:a6xx", 0x2017400400000008, "mov.s32s32 r<a0.x + 4>, r2.x"},
    {"ir3:a6xx", 0x205100050000ffff, "mov.s16s16 hr1.y, -1"},
    {"ir3:a6xx", 0x2040000500003900, "mov.f16f16 hr1.y, h(0.625000)"},
    {"ir3:a6xx", 0x204440003eaaaaab, "mov.f32f32 r0.x, (0.333333) ;{rsv 0x34}"},
    {"ir3:a6xx", 0x204440007f800001, "mov.f32f32 r0.x, (nan) ;{rsv 0x400001}"},
    {"ir3:a6xx", 0x204440007f800000, "mov.f32f32 r0.x, (inf)"},
    {"ir3:a6xx", 0x20444000ff800000, "mov.f32f32 r0.x, (-inf)"},
    {"ir3:a6xx", 0x20444000ffc00000, "mov.f32f32 r0.x, (-nan)"},
    {"ir3:a6xx", 0x2040000000007c00, "mov.f16f16 hr0.x, h(inf)"},
    {"ir3:a6xx", 0x204000000000fc00, "mov.f16f16 hr0.x, h(-inf)"},
    {"ir3:a6xx", 0x2040000000007e00, "mov.f16f16 hr0.x, h(nan)"},
    {"ir3:a6xx", 0x204000000000fe00, "mov.f16f16 hr0.x, h(-nan)"},
    {"ir3:a6xx", 0x2044400000000000, "mov.f32f32 r0.x, (0.000000)"},
    /* six digits, to the nearest; the even one of two; a whole one more */
    {"ir3:a6xx", 0x204440003f7fffff, "mov.f32f32 r0.x, (1.000000) ;{rsv 0xffffff}"},
    {"ir3:a6xx", 0x204440004b000001, "mov.f32f32 r0.x, (8388609.000000)"},
    {"ir3:a6xx", 0x204440004a800001, "mov.f32f32 r0.x, (4194304.500000)"},
    {"ir3:a6xx", 0x204440007f7fffff, "mov.f32f32 r0.x, (340282346638528859811704183484516925440.000000)"},
    {"ir3:a6xx", 0x204440003c000000, "mov.f32f32 r0.x, (0.007812) ;{rsv 0x7fffbce}"},
    {"ir3:a6xx", 0x204440003cc00000, "mov.f32f32 r0.x, (0.023438) ;{rsv 0x10c}"},
    {"ir3:a6xx", 0x201108f400000000, "mova.u a0.x, (r)hr0.x"},
    {"ir3:a6xx", 0x204880f500000000, "mova1 a1.x, 0"},
    {"ir3:a8xx", 0x20130cf4008000c0, "mova.u.r (sat)a0.x, hr48.x, 0, 1"},
    {"ir3:a7xx", 0x200440c0ae800004, "movs.f32f32 r48.x, r1.x, 93"},
    {"ir3:a7xx", 0x201100c0c000040b, "movs.s16s16 hr48.x, (last)hr2.w, a0.x"},
    {"ir3:a6xx", 0x260cc3c000000000, "movmsk.w128 r48.x"},
    {"ir3:a6xx", 0x240cc00400030201, "swz.u32u32 r1.x, r0.w, r0.y, r0.z"},
    {"ir3:a6xx", 0x2400c20504030201, "sct.f16u32 r1.y, r0.z, r0.w, r1.x, hr0.y"},
    {"ir3:a6xx", 0x40b8080410408004, "(nop3) cmps.f.lt r1.x, (abs)r1.x, c16.x"},
    {"ir3:a6xx", 0x4730880200002000, "(nop1) bary.f (ei)r0.z, 0, r0.x"},
    {"ir3:a6xx", 0x4734800000002000, "flat.b (ei)r0.x, 0, r0.x"},
    {"ir3:a7xx", 0x429000f5100600c1, "cmps.u.lt up0.y, r48.y, c1.z"},
    {"ir3:a7xx", 0x429340f5100600c1, "cmps.u.ge hup0.y, r48.y, c1.z"},
    {"ir3:a7xx", 0x4490000c10534007, "add.f.mul2.lt r3.x, (neg)r1.w, c20.w"},
    {"ir3:a6xx", 0x4010000768030008, "add.f r1.w, r2.x, (neg)(2.0)"},
    {"ir3:a4xx", 0x4878082a2d4f681c, "(jp)(nop3) mul.f r10.z, (neg)28, h335 ;{rsv 0x800}"},
    {"ir3:a6xx", 0x64848109109a9099, "(rpt1)sel.b32 r2.y, c38.y, (r)r2.y, c38.z"},
    {"ir3:a6xx", 0x65900820100cb008, "(nop3) shlg hr8.x, 8, hr8.x, 12"},
    {"ir3:a6xx", 0x67018c021002e003, "(nop3) wmm.accu hr0.z, (neg)hr0.w, hr0.w, 2"},
    {"ir3:a6xx", 0x66818c020002e003, "(sat)(nop3) dp2acc.mixed.low r0.z, r0.w, r0.w, r0.z"},
    {"ir3:a8xx", 0x6382000907024409, "mad.f32 r2.y, (neg)(last)r2.y, r1.x, (1.0)"},
    {"ir3:a8xx", 0x6200080006030402, "(nop1) mad.u24 r0.x, (last)r0.z, r0.x, 3"},
    {"ir3:a6xx", 0x8010000a00000003, "rcp r2.z, r0.w"},
    {"ir3:a6xx", 0xa620110500000001, "dsxpp.1.p (x)r1.y, r0.x"},
    {"ir3:a6xx", 0xa0c89f04c4600005, "sam.base1 (f32)(xyzw)r1.x, r0.z, s#3, t#2"},
    {"ir3:a4xx", 0xa0c81f02e0800001, "sam.base0 (f32)(xyzw)r0.z, r0.x, s#4, t#0, a1.x"},
    {"ir3:a6xx", 0xa0c81f02e0800001, "sam.base0 (f32)(xyzw)r0.z, r0.x, s#4, a1.x"},
    {"ir3:a7xx", 0xa0c81f02e0800001, "sam.base0 (f32)(xyzw)r0.z, r0.x, t#4, a1.x"},
    {"ir3:a4xx", 0xa0c81f0280800001, "sam.s2en.nonuniform (f32)(xyzw)r0.z, r0.x, hr1.x"},
    {"ir3:a7xx", 0xa02c3f05a1240601, "isam.v.s2en.uniform.base0 (u32)(xyzw)r1.y, r0.x+3, r2.y"},
    {"ir3:a6xx", 0xa0c07f040cc00005, "sam.rck (xyzw)r1.x, r0.z, s#6, t#6"},
    {"ir3:a6xx", 0xa7c0310200100003, "brcst.active.w8 (u32)(x)r0.z, r0.y"},
    {"ir3:a6xx", 0xb7e0310700000401, "(sy)quad_shuffle.brcst (u32)(x)r1.w, r0.x, r0.z"},
    {"ir3:a6xx", 0xc00600030180c269, "ldg.u32 r0.w, g[r0.w+308], 1"},
    {"ir3:a6xx", 0xc002000703c1740f, "ldg.a.f32 r1.w, g[r1.y+(((r1.w<<3)+2)<<2)], 3"},
    {"ir3:a6xx", 0xc0d6110401800228, "stg.a.u32 g[r2.x+((r1.x+1)<<2)], r5.x, 1"},
    {"ir3:a7xx", 0xc000400601c1a017, "ldg.a.f16 hr1.z, g[c1.z+r2.w+32], 1"},
    {"ir3:a6xx", 0xc0dc052e01800042, "stg.a.u8 g[r0.z+r11.z], hr8.y, 1"},
    {"ir3:a6xx", 0xc006000001c10611, "ldg.a.u32 r0.x, g[r1.x+((r2.x+3)<<2)], 1"},
    {"ir3:a6xx", 0xc00c000001c10611, "ldg.a.u8 hr0.x, g[r1.x+r2.x+3], 1"},
    {"ir3:a6xx", 0xc0260000ffc78000, "ldc.offset0.1.imm r0.x, 255, 0"},
    {"ir3:a6xx", 0xa02c3f05a125fe01, "isam.v.s2en.uniform.base0 (u32)(xyzw)r1.y, r0.x+255, r2.y"},
    {"ir3:a6xx", 0xc1425b5001803e02, "stp.f32 p[r11.y-176], r0.y, 1"},
    {"ir3:a6xx", 0xc706012003800000, "stc.u32 c[a1.x+32], r0.x, 3"},
    {"ir3:a7xx", 0xc742006e08c00220, "stsc.f32 c[366], 16, 8"},
    {"ir3:a6xx", 0xc016018800b01261, "ldg.k.u32 c[a1.x+136], g[r48.x+2352], 1"},
    {"ir3:a5xx", 0xc72200280480000d, "stgb.untyped.1d.f32.1 g[0], r1.z, 4, r10.x"},
    {"ir3:a4xx", 0xc6e6000000010601, "ldgb.untyped.4d.u32.1 r0.x, g[0], r1.x, r0.x"},
    {"ir3:a6xx", 0xc0260201ffc78080, "ldc.offset0.1.nonuniform r0.y, 255, r0.y"},
    {"ir3:a8xx", 0xc026000000678600, "ldc.offset3.1.imm r0.x, r0.x, 0"},
    {"ir3:a8xx", 0xc026000000478600, "ldc.offset3.1.imm r0.x, hr0.x, 0"},
    {"ir3:a6xx", 0xc036000300c78100, "ldc.4.k.imm.base0 c[a1.x], 0, 0"},
    {"ir3:a7xx", 0xc76618404de74144, "stib.b.untyped.1d.u32.1.uniform.base2 r16.x, r19.y+29, r3.x"},
    {"ir3:a6xx", 0xc0260d0a0a61b180, "ldib.b.untyped.1d.u32.rck.4.nonuniform.base0 r2.z, r2.z, r1.z"},
    {"ir3:a7xx", 0xc03c000905648142, "atomic.b.xchg.untyped.1d.u64.1.uniform.base1 r2.y, r1.y, r0.x"},
    {"ir3:a6xx", 0xd5c6000303008001, "(sy)atomic.max.untyped.1d.u32.1.l r0.w, l[r0.z], r0.w"},
    {"ir3:a5xx", 0xc436020503000001, "atomic.s.add.untyped.1d.u32.1.g r1.y, g[1], r0.x, r0.w, r0.x"},
    {"ir3:a6xx", 0xc6e46011c1000014, "shfl.down.u16 hr4.y, hr2.z, r48.y"},
    {"ir3:a7xx", 0xc380941e0703c079, "ray_intersection r7.z, [r3.w], r15.x, r1.w, r18.z"},
    {"ir3:a6xx", 0xe09a000000000000, "fence.r.w"},
    {"ir3:a6xx", 0xe108000000000000, "sleep.l"},
    {"ir3:a6xx", 0xe208000000000000, "dccln.all"},
    {"ir3:a7xx", 0xe41401a0bfba7736, "alias.tex.f32.1 r40.x, (-1.456763)"},
    {"ir3:a7xx", 0xf408800000000000, "(sy)alias.rt.f16.0 rt0.x, hc0.x"},
    {"ir3:a7xx", 0xe4158007000000ff, "alias.rt.b32.0 rt1.w, (0xff)"},
    /* bits that rows ignore, and words that none explains */
    {"ir3:a6xx", 0x0000080000000005, "nop ;{rsv 0x80000000005}"},
    {"ir3:a5xx", 0x4734800000002000, ".insn 0x47348000_00002000"},
    {"ir3:a6xx", 0xffffffffffffffff, ".insn 0xffffffff_ffffffff"},
    {"ir3:a7xx", 0x6200080006030402, ".insn 0x62000800_06030402"},
    /* two rows explain them: the later definition */
    {"ir3:a6xx", 0xc060000000e18001, "ldib.b.untyped.1d.f16.1.imm hr0.x, r0.x+1, 0 ;{rsv 0x1}"},
    {"ir3:a8xx", 0x205300f400000005, "mova.r a0.x, 5, 0, 0"},
    {"ir3:a8xx", 0x205200f400000005, "cov.s16f16 hr<a0.x + 244>, 5"},
};

static void words_and_texts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_pair(&pairs[i]);
}

/* Other ways to write what a listing writes in one. */
static const struct pair spellings[] = {
    {"ir3:a6xx", 0x40b8080410408004, "(nop3)cmps.f.lt r1.x,(abs)r1.x,c16.x"},
    {"ir3:a6xx", 0x2015000000000000, "mov.s32s16 hr0.x, r0.x"},
    {"ir3:a6xx", 0x2024400000000020, "cov.f32f32 r0.x, c8.x"},
    {"ir3:a6xx", 0x201100f400000000, "mova a0.x, hr0.x ; a comment"},
    {"ir3:a6xx", 0x4008090250200006, "(rpt1)add.f hr0.z, (r)hr1.z, (r)(neg)hc8.x"},
    {"ir3:a6xx", 0x401040020c210001, "add.f hr0.z, r0.y, c<a0.x+33>"},
    {"ir3:a6xx", 0x204440003f000000, "mov.f32f32 r0.x, (0.5)"},
    {"ir3:a6xx", 0x204440003f000000, "mov.f32f32 r0.x, 0x3f000000"},
    {"ir3:a6xx", 0x42380c0100010001, "(nop3) (sat)add.s r0.y, r0.y, r0.y"},
    {"ir3:a6xx", 0x260cc3c000000000, "movmsk.w128 sr48.x"},
    {"ir3:a6xx", 0xa7c0310200100003, "brcst.active.w8 (u32)(x) r0.z, r0.y"},
    {"ir3:a6xx", 0xc0260d0a0a61b180, "ldib.b.untyped.1d.u32.rck.4.mode6.base0 r2.z, r2.z, r1.z"},
    {"ir3:a6xx", 0x0000080000000005, "nop {rsv 0x80000000005}"},
    {"ir3:a6xx", 0xe0fa000000000000, "fence.w.r.l.g"},
    {"ir3:a6xx", 0x201100f400000000, "mov.s16s16 ha0.x, hr0.x"},
    /* the last of each */
    {"ir3:a6xx", 0x6382000000080e00, "mad.f32 r0.x, c<a0.x - 512>, r1.x, r2.x"},
    {"ir3:a6xx", 0x6382000000080dff, "mad.f32 r0.x, c<a0.x + 511>, r1.x, r2.x"},
    {"ir3:a6xx", 0x200cc00000000e00, "mov.u32u32 r0.x, c<a0.x - 512>"},
    {"ir3:a6xx", 0x200cc00000000dff, "mov.u32u32 r0.x, c<a0.x + 511>"},
    {"ir3:a6xx", 0x200ec0ff00000000, "mov.u32u32 r<a0.x + 255>, r0.x"},
    {"ir3:a6xx", 0x202cc000000007ff, "mov.u32u32 r0.x, c511.w"},
    {"ir3:a6xx", 0x200cc000000000f5, "mov.u32u32 r0.x, a1.x"},
    {"ir3:a6xx", 0x200cc000000000f7, "mov.u32u32 r0.x, a0.w"},
    {"ir3:a6xx", 0x200cc000000000f8, "mov.u32u32 r0.x, a1.w"},
    {"ir3:a6xx", 0xc0260d0a0a61b1c0, "ldib.b.untyped.1d.u32.rck.4.mode7.base0 r2.z, r2.z, r1.z"},
    {"ir3:a6xx", 0xc026030a0a61b000, "ldib.b.untyped.1d.u32.rck.4.mode0 r2.z, r2.z, 1"},
    {"ir3:a7xx", 0xe40d0f0000000000, "alias.tex.b32.15 r0.x, c0.x"},
    {"ir3:a6xx", 0x260cc2c000000000, "movmsk.w96 r48.x"},
    {"ir3:a6xx", 0x4230000020390001, "add.s r0.x, r0.y, 071\n"}, /* octal digits, unless there is an 8 or 9 */
    {"ir3:a6xx", 0x4230000020080001, "add.s r0.x, r0.y, 08\n"},
    {"ir3:a6xx", 0x6681800280026003, "dp2acc.mixed.low r0.z, r0.w, r0.w, (neg)r0.z"},
};

static void other_spellings(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        uint64_t word = 0;
        bool good = parse(spellings[i].target, spellings[i].text, &word);
        if (!good || word != spellings[i].word)
            print_error("'%s': %016" PRIx64 "\n", spellings[i].text, word);
        assert_true(good && word == spellings[i].word);
    }
}

static const struct {
    const char *target, *text, *diagnostics;
} refusals[] = {
    {"ir3:a5xx", "flat.b r0.x, 0, r0.x", "other-generation:1:1"},
    {"ir3:a8xx", "dp2acc.mixed.low r0.x, r0.x, r0.x, r0.x", "other-generation:1:1"},
    {"ir3:a6xx", "ad.f r0.x, r0.y, r0.z", "unknown-mnemonic:1:1"},
    {"ir3:a6xx", "add.f r0.x, hr0.y, r0.z", "ir3-width:1:20"},
    {"ir3:a6xx", "mad.f32 r0.x, hr0.y, r0.z, r0.w", "ir3-width:1:15"},
    {"ir3:a6xx", "mad.f32 r0.x, r0.y, c0.z, r0.w", "ir3-operand:1:21"},
    {"ir3:a7xx", "mad.f32 r0.x, r0.y, r0.z, (1.0)", "ir3-immediate:1:27"},
    {"ir3:a6xx", "add.s r0.x, (r)r0.y, 1", "ir3-steps:1:23"},
    {"ir3:a6xx", "add.s r0.x, r0.y, 1024", "out-of-range:1:19"},
    {"ir3:a6xx", "add.f r0.x, r0.y, (3.5)", "ir3-float-table:1:20"},
    {"ir3:a6xx", "mov.f32f32 r0.x, c512.x", "ir3-const:1:18"},
    {"ir3:a6xx", "mov.f32f32 r64.x, c5.x", "ir3-register:1:12"},
    {"ir3:a6xx", "mov.f32f32 c0.x, r0.x", "ir3-destination:1:12"},
    {"ir3:a6xx", "mov.f32f32 r0.x, c<a0.x + 512>", "ir3-offset:1:18"},
    {"ir3:a6xx", "(ss)sam (f32)(x)r0.x, r0.x, s#0, t#0", "ir3-flag:1:1"},
    {"ir3:a6xx", "(sy)(sy)nop", "ir3-flag-twice:1:5"},
    {"ir3:a6xx", "(rpt4)add.s r0.x, r0.y, r0.z", "ir3-count:1:1"},
    {"ir3:a6xx", "sam (f32)(x)r0.x, r0.x, s#16, t#0", "out-of-range:1:27"},
    {"ir3:a6xx", "ldc.offset0.1.imm r0.x, 0, r0.x", "ir3-slot:1:28"},
    {"ir3:a6xx", "ldg.f32 r0.x, g[r0.x+4096], 1", "out-of-range:1:21"},
    {"ir3:a6xx", "ldib.b.untyped.1d.u32.5.imm r0.x, r0.x, 0", "ir3-number:1:23"},
    {"ir3:a6xx", "nop {rsv 0x40000000000000000}", "number-too-large:1:10"},
    {"ir3:a6xx", "nop {rsv 0x10000000}", ""},
    {"ir3:a6xx", "end {rsv 0x200000000000000}", "ir3-reserved:1:10"},
    {"ir3:a6xx", ".insn 12", "ir3-word:1:7"},
    {"ir3:a6xx", "mad.f32 r0.x, (abs)r0.y, r0.z, r0.w", "ir3-modifier:1:15"},
    {"ir3:a6xx", "mov.f32f32 r0.x, (abc)", "ir3-float:1:19"},
    {"ir3:a8xx", "mov.s16s16 hr<a0.x + 244>, 5", "ir3-two-meanings:1:29"},
    {"ir3:a6xx", "add.f c1.x, r0.y, r0.z", "ir3-destination:1:7"},
    {"ir3:a6xx", "mad.f32 r0.x, c<a0.x - 513>, r1.x, r2.x", "ir3-offset:1:15"},
    {"ir3:a6xx", "mad.f32 r0.x, c<a0.x + 512>, r1.x, r2.x", "ir3-offset:1:15"},
    {"ir3:a6xx", "mov.f32f32 r0.x, c<a0.x - 513>", "ir3-offset:1:18"},
    {"ir3:a6xx", "mov.u32u32 r<a0.x + 256>, r0.x", "ir3-offset:1:12"},
    {"ir3:a6xx", "mov.u32u32 r0.x, a2.x", "ir3-register:1:18"},
    {"ir3:a6xx", "dp2acc.mixed.low r0.z, (neg)r0.w, r0.w, r0.z", "ir3-modifier:1:24"},
    {"ir3:a6xx", "wmm r0.x, r0.w, r1.x, (neg)r0.z", "ir3-modifier:1:23"},
    {"ir3:a6xx", "ldib.b.untyped.1d.u32.rck.4.mode8 r2.z, r2.z, 1", "expected:1:28"},
    {"ir3:a7xx", "alias.tex.b32.16 r0.x, c0.x", "ir3-number:1:15"},
    {"ir3:a6xx", "brcst.active.w1024 (u32)(x)r0.z, r0.y", "ir3-number:1:13"},
    {"ir3:a6xx", "dsx (f32)(x)r0.x, 0", "ir3-operand:1:19"},
    {"ir3:a6xx", "dsx (f32)(x)r0.x, 9", "ir3-operand:1:19"},
    {"ir3:a6xx", "dsx (f32)(x)r0.x, -0", "ir3-operand:1:19"},
    {"ir3:a6xx", "dsx (f32)(x)r0.x, -9", "ir3-operand:1:19"},
    {"ir3:a6xx", "dsx (f32)(x)r0.x, -", "expected:1:19"},
    {"ir3:a6xx", ".insn 0x_00000000", "ir3-word:1:7"},
    {"ir3:a6xx", ".insn 0x1__00000000", "ir3-word:1:7"},
    {"ir3:a6xx", "swz.u32u32 r1.x, r0.w, c0.y, r0.z", "ir3-operand:1:24"},
    {"ir3:a7xx", "movs.u32u32 r48.x, r<a0.x + 1>, 93", "ir3-operand:1:20"},
    {"ir3:a6xx", "add.f r<a0.x + 1>, r0.y, r0.z", "ir3-destination:1:7"},
    {"ir3:a6xx", "add.f 1, r0.y, r0.z", "ir3-operand:1:7"},
    {"ir3:a6xx", "mad.f32 r0.x, r0.y, 12, r0.w", "ir3-operand:1:21"},
    {"ir3:a6xx", "sam (f32)(x)r0.x, c1.x, s#1, t#0", "ir3-operand:1:19"},
    {"ir3:a6xx", "sam (f64)(x)r0.x, r1.x, s#1, t#0", "expected:1:5"},
    {"ir3:a6xx", "sam (wx)r0.x, r1.x, s#1, t#0", "expected:1:7"},
    {"ir3:a6xx", "add.f r0.x, r0.y, 1.0", "expected:1:19"},
    {"ir3:a6xx", "mov.f32f32 r0.x, 1.5", "expected:1:18"},
    {"ir3:a6xx", "(rpt1)(nop2)add.f r0.x, r0.y, r0.z", "ir3-flag:1:7"},
    {"ir3:a6xx", "(nop2)(rpt1)add.f r0.x, r0.y, r0.z", "ir3-flag:1:7"},
    {"ir3:a6xx", "(eq)add.f r0.x, r0.y, r0.z", "ir3-flag:1:1"},
    {"ir3:a7xx", "ldg.a.f32 r0.x, g[r1.x+((r0.y<<2)<<2)], 1", "expected:1:24"},
    {"ir3:a6xx", "ldg.a.f32 r0.x, g[r1.x+r2.x+4], 1", "expected:1:24"},
    {"ir3:a6xx", "@localsize 1, 2, 3, 4", "ir3-values:1:19"},
    {"ir3:a6xx", "@bogus 1", "ir3-directive:1:1"},
    {"ir3:a6xx", "print r4.x, r0.x", "ir3-print:1:1"},
    {"ir3:a6xx", ".equ print_buffer, 64\nprint r4.x", "ir3-print:2:1"},
    {"ir3:a6xx", ".equ print_buffer, 64\nprint r47.z, r0.x", "ir3-print:2:7"},
    {"ir3:a6xx", ".equ print_buffer, 64\nprint r4.x, hr0.x", "ir3-print:2:13"},
    {"ir3:a5xx", ".equ print_buffer, 64\nprint r4.x, r0.x", "ir3-print:2:1"},
};

static void what_is_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct assembled out;
        assemble_text(&out, refusals[i].text, refusals[i].target);
        if (strcmp(heard_text(&out.heard), refusals[i].diagnostics) != 0)
            print_error("%s\n", refusals[i].text);
        assert_string_equal(heard_text(&out.heard), refusals[i].diagnostics);
        gpucode_program_free(out.program);
    }
}

static const char *const all_targets[] = {"ir3:a4xx", "ir3:a5xx", "ir3:a6xx", "ir3:a7xx", "ir3:a8xx"};

/* The text of the word brings it back. */
static void check_word(const struct gpucode_target *target, uint64_t word)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn, back = {0};
    bool good = gpucode_decode(target, bytes, 8, 0, &insn) == GPUCODE_OK &&
                gpucode_format(&insn, NULL, text, sizeof text, NULL) == GPUCODE_OK &&
                gpucode_parse(target, text, strlen(text), NULL, &back) == GPUCODE_OK && back.bits == word;
    if (!good) {
        print_error("%s %016" PRIx64 " '%s' %016" PRIx64 "\n", gpucode_target_name(target), word, text, back.bits);
        fail();
    }
}

/*
 * Words at random, half of them of a row: each text brings its word back. GPUCODE_IR3_WORDS is how many of each
 * generation, GPUCODE_IR3_SEED where they begin: 100 million take some minutes of processor time each.
 */
static void all_words_come_back(void **state)
{
    (void)state;
    const char *given = getenv("GPUCODE_IR3_WORDS"), *start = getenv("GPUCODE_IR3_SEED");
    uint64_t count = given ? strtoull(given, NULL, 0) : test_rounds(40000, 1000000);
    uint64_t seed = start ? strtoull(start, NULL, 0) : 0x9e3779b97f4a7c15;
    for (unsigned t = 0; t < sizeof all_targets / sizeof *all_targets; t++) {
        const struct gpucode_target *target = target_named(all_targets[t]);
        unsigned rows = gpucode_row_count(target);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t word = (uint64_t)next_random(&seed) << 32 | next_random(&seed);
            uint64_t other = (uint64_t)next_random(&seed) << 32 | next_random(&seed);
            struct gpucode_row row;
            unsigned number = next_random(&seed) % rows;
            if (i & 1 && gpucode_row_on_target(target, number) && gpucode_row(target, number, &row))
                word = row.match | ((i & 2 ? word & other & ~row.ignored : word) & ~row.mask);
            else if (i % 8 == 2)
                word &= other;
            else if (i % 8 == 4)
                word |= other;
            else if (i % 8 == 6)
                word &= other & other << 7;
            check_word(target, word);
        }
    }
}

/* Of each row the word whose other bits are all clear or all set, and those with one bit that is not as its others. */
static void boundaries_come_back(void **state)
{
    (void)state;
    for (unsigned t = 0; t < sizeof all_targets / sizeof *all_targets; t++) {
        const struct gpucode_target *target = target_named(all_targets[t]);
        struct gpucode_row row;
        for (unsigned i = 0; gpucode_row(target, i, &row); i++)
            for (unsigned bit = 0; gpucode_row_on_target(target, i) && bit <= 64; bit++) {
                uint64_t one = bit < 64 ? UINT64_C(1) << bit : 0;
                check_word(target, row.match ^ one);
                check_word(target, (row.match | ~row.mask) ^ one);
            }
    }
}

/* A branch into the code has a label, and the listing assembles to the same bytes. */
static void listings(void **state)
{
    (void)state;
    static const unsigned char ignored[] = {5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff};
    char *odd = NULL;
    assert_true(round_trips(ignored, sizeof ignored, target_named("ir3:a6xx"), false, "ignored bits", &odd));
    assert_string_equal(odd, ".target ir3:a6xx\n\tnop ;{rsv 0x80000000005}\n\t.insn 0xff000000_00000000\t; no "
                             "instruction of this generation\n");
    free(odd);
    static const char source[] = "@localsize 32, 1, 1\n@buf 32 (c2.x) 1, 2\n@invocationid(r0.x)\n"
                                 "mov.u32u32 r0.y, 5\nbr !p0.x, #skip\n(rpt5)nop\nskip:\n(jp)nop\nend\n";
    static const char expected[] =
        ".target ir3:a6xx\n\tmov.u32u32 r0.y, 5\n\tbr !p0.x, #l3\n\t(rpt5)nop\nl3:\n\t(jp)nop\n\tend\n";
    struct assembled out;
    assemble_text(&out, source, "ir3:a6xx");
    assert_string_equal(heard_text(&out.heard), "");
    size_t size = gpucode_program_size(out.program);
    const void *bytes = gpucode_program_bytes(out.program);
    assert_int_equal(size, 40);
    char *text = NULL;
    assert_true(round_trips(bytes, size, target_named("ir3:a6xx"), false, "listing", &text));
    assert_string_equal(text, expected);
    free(text);
    gpucode_program_free(out.program);
}

/* What the reference's assembler writes in more than one word, or in front of instructions. */
static void written_for_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *source, *listing;
    } cases[] = {
        {"br !p0.x, #x\n@fullnopstart\nadd.f r0.x, r1.x, r2.x\n@fullsyncstart\nx: mul.f r0.x, r1.x, r2.x\n"
         ".insn 0x00000100_00000000\n@fullnopend\nraw 0x5\n@fullsyncend\nend\n",
         "\tbr !p0.x, #l3\n\t(rpt5)nop\n\tadd.f r0.x, r1.x, r2.x\nl3:\n\t(rpt5)nop\n\t(sy)(ss)nop\n"
         "\tmul.f r0.x, r1.x, r2.x\n\t(rpt5)nop\n\t(sy)(ss)nop\n\t(rpt1)nop\n\t(sy)(ss)nop\n"
         "\tnop ;{rsv 0x5}\n\tend\n"},
        {".macro two\nnop\nend\n.endm\n@fullsyncstart\n.equ a, 1\ntwo\n",
         "\t(sy)(ss)nop\n\tnop\n\t(sy)(ss)nop\n\tend\n"},
        /* a constant is an offset from the branch, a label a place */
        {"nop\n.equ two, 2\nbr p0.x, #two\nnop\nend\n", "\tnop\n\tbr p0.x, #l3\n\tnop\nl3:\n\tend\n"},
        {".equ print_buffer, 0x123456789000\nprint r4.x, r0.x, r1.y\nend\n",
         "\tmov.u32u32 r4.x, 0x56789000\n\tmov.u32u32 r4.y, 0x1234\n\tmov.u32u32 r4.z, 8\n\t(rpt5)nop\n"
         "\tatomic.g.add.untyped.1d.u32.1.g r4.x, r4.x, r4.z\n\t(sy)stg.u32 g[r4.x], r0.x, 1\n"
         "\t(ss)add.u r4.x, r4.x, 4\n\t(rpt5)nop\n\t(sy)stg.u32 g[r4.x], r1.y, 1\n"
         "\t(ss)add.u r4.x, r4.x, 4\n\t(rpt5)nop\n\tend\n"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        char *text = NULL;
        assemble_text(&out, cases[i].source, "ir3:a6xx");
        assert_string_equal(heard_text(&out.heard), "");
        assert_true(round_trips(gpucode_program_bytes(out.program), gpucode_program_size(out.program),
                                target_named("ir3:a6xx"), false, cases[i].source, &text));
        assert_string_equal(strchr(text, '\n') + 1, cases[i].listing);
        free(text);
        gpucode_program_free(out.program);
    }
}

TEST_GROUP(text)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_texts),       cmocka_unit_test(other_spellings),
                                       cmocka_unit_test(what_is_refused),       cmocka_unit_test(all_words_come_back),
                                       cmocka_unit_test(boundaries_come_back),  cmocka_unit_test(listings),
                                       cmocka_unit_test(written_for_the_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
