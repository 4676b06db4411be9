/* SPDX-License-Identifier: MIT */
/* Which registers instructions read and write, against texts that say so. */
#include "assembling.h"

#include "isa/ir3/a3xx/a3xx.h"
#include <stdio.h>
#include <string.h>

/* "r1.y r2.x+2 c3.x a0.x > hr0.x*" : reads, then writes; +N components, * steps, ~ relative, # immediate */
static void describe(char *at, const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    *at = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        if (pass)
            at += sprintf(at, "> ");
        for (unsigned i = 0; i < count; i++) {
            const struct a3xx_access *a = &access[i];
            if (a->write != pass)
                continue;
            static const char *const files[] = {"r", "hr", "c", "a", "p", "#"};
            at += sprintf(at, "%s%s%s", a->neg ? "-" : "", a->abs ? "|" : "",
                          a->file == A3XX_FILE_CONST && a->half ? "hc" : files[a->file]);
            if (a->file == A3XX_FILE_IMMEDIATE || a->relative)
                at += sprintf(at, "%s%d", a->relative ? "~" : "", (int)a->number);
            else
                at += sprintf(at, "%d.%c", (int)a->number / 4, "xyzw"[a->number % 4]);
            if (a->count > 1)
                at += sprintf(at, "+%u", a->count);
            if (a->mask)
                at += sprintf(at, "/%x", a->mask);
            at += sprintf(at, "%s ", a->steps ? "*" : "");
        }
    }
}

static void accesses(void)
{
    static const struct text_case cases[] = {
        {"nop", "> "},
        {"br !p0.y, #3", "p0.y > "},
        {"mov.f32f32 r0.x, c1.y", "c1.y > r0.x* "},
        {"(rpt1)mov.f16f16 hr0.x, (r)hc1.y", "hc1.y* > hr0.x* "},
        {"mov.f32f32 r0.x, c<a0.x + 16>", "c~16 a0.x > r0.x* "},
        {"mov.u32u32 r<a0.x + 2>, 7", "#7 a0.x > r~2* "},
        {"mova a0.x, hr0.x", "hr0.x > a0.x* "},
        {"add.f r0.x, (neg)r1.y, (abs)c2.z", "-r1.y |c2.z > r0.x* "},
        {"add.f hr0.x, r1.y, r2.z", "r1.y r2.z > hr0.x* "},
        {"cmps.s.eq p0.x, hr0.y, 1", "hr0.y #1 > p0.x* "},
        {"bary.f hr0.x, (r)0, r0.x", "#0* r0.x+2 > hr0.x* "},
        {"mad.f32 r0.x, c1.x, r2.x, (neg)(r)r3.x", "c1.x r2.x -r3.x* > r0.x* "},
        {"mad.f16 r0.x, hr1.x, hr2.x, hr3.x", "hr1.x hr2.x hr3.x > r0.x* "},
        {"rcp r0.z, r0.w", "r0.w > r0.z* "},
        {"add.s r0.x, r63.x, 1", "#1 > r0.x* "},
        {"sam (f32)(xw)r0.x, r1.x, s#0, t#0", "r1.x+2 > r0.x+4/9 "},
        {"sam.3d.s (f16)(x)hr0.y, r1.x, s#0, t#0", "r1.x+4 > hr0.y/1 "},
        {"samgq (f32)(xyzw)r0.x, r1.x, s#0, t#0", "r1.x+8 > r0.x+4/f "},
        {"saml.o (f32)(x)r0.x, r1.x, r2.x, s#0, t#0", "r1.x+2 r2.x+3 > r0.x/1 "},
        {"sam.s2en (f32)(x)r0.x, r1.x, hr2.x", "r1.x+2 hr2.x+2 > r0.x/1 "},
        {"dsx (f32)(xy)r0.x, r1.x", "r1.x+2 > r0.x+2/3 "},
        {"ldg.f32 r1.y, g[r6.x+16], 4", "r6.x > r1.y+4 "},
        {"ldp.u16 hr1.y, p[r6.x+16], 2", "r6.x > hr1.y+2 "},
        {"stp.f32 p[r0.w-4], r5.y, 2", "r0.w r5.y+2 > "},
        {"atomic.add.g.untyped.1d.u32.1 r0.x, g[0], r1.x, 3, r2.x", "#0 r1.x #3 r2.x > r0.x "},
        {".insn 0xe0000000_00000000", "> "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_insn insn;
        char text[256];
        assert_int_equal(gpucode_parse(target_named("a3xx"), cases[i].text, strlen(cases[i].text), NULL, &insn),
                         GPUCODE_OK);
        describe(text, &insn);
        assert_string_equal(text, cases[i].expected);
    }
}

static void steps(void)
{
    static const struct {
        const char *text;
        unsigned step;
        const char *expected;
    } cases[] = {
        {"(sy)(ss)(jp)(rpt3)add.f r0.x, (r)r1.x, r2.x", 2, "add.f r0.z, (r)r1.z, r2.x"},
        {"(sat)(rpt3)add.f r0.x, r1.x, (r)c2.w", 1, "(sat)add.f r0.y, r1.x, (r)c3.x"},
        {"(rpt1)mov.f32f32 r0.x, (r)c<a0.x + 3>", 1, "mov.f32f32 r0.y, (r)c<a0.x + 4>"},
        {"(rpt1)mov.u32u32 r<a0.x + 3>, r0.x", 1, "mov.u32u32 r<a0.x + 4>, r0.x"},
        {"(rpt2)bary.f r0.x, (r)5, r0.x", 2, "bary.f r0.z, (r)7, r0.x"},
        {"(rpt1)mul.f r0.x, (r)(2.0), r1.x", 1, "mul.f r0.y, (r)(2.0), r1.x"},
        {"(rpt2)mad.f32 r0.x, (r)c0.x, (r)r1.x, (r)r2.x", 2, "mad.f32 r0.z, (r)c0.z, (r)r1.z, (r)r2.z"},
        {"(rpt1)rcp r0.x, (r)r1.x", 1, "rcp r0.y, (r)r1.y"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_insn insn;
        char text[GPUCODE_TEXT_MAX];
        assert_int_equal(gpucode_parse(target_named("a3xx"), cases[i].text, strlen(cases[i].text), NULL, &insn),
                         GPUCODE_OK);
        assert_true(a3xx_repeat(insn.bits) >= cases[i].step);
        insn.bits = a3xx_step(&insn, cases[i].step);
        assert_int_equal(gpucode_format(&insn, NULL, text, sizeof text, NULL), GPUCODE_OK);
        assert_string_equal(text, cases[i].expected);
    }
}

TESTS(access, accesses, steps)
