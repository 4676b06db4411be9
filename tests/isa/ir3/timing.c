/* SPDX-License-Identifier: MIT */
/* Delays and sync bits: what lint says of each kind of mistake, and what schedule puts in. */
#include "assembling.h"

#include <gpucode/lint.h>
#include <gpucode/machine.h>
#include <gpucode/schedule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gpucode_image *image_of(struct assembled *out, const char *target, const char *text)
{
    assemble_text(out, text, target);
    if (out->status != GPUCODE_OK)
        print_error("%s\n%s\n", text, heard_text(&out->heard));
    assert_int_equal(out->status, GPUCODE_OK);
    return image_made(out, target);
}

static void add_code(void *user, const struct gpucode_finding *finding)
{
    char *codes = user;
    strcat(strcat(codes, finding->code), " ");
}

/* Each finding's place and code. */
static void add_unit(void *user, const struct gpucode_finding *finding)
{
    char *units = user;
    sprintf(units + strlen(units), " %u:%s", (unsigned)finding->unit, finding->code);
}

/* The codes of all findings, with a space after each. */
static void codes_with(const struct gpucode_target *target, const char *text, char codes[400])
{
    struct assembled out;
    struct gpucode_image *image;
    const struct gpucode_image_options how = {.target = target};
    assemble_text(&out, text, gpucode_target_name(target));
    assert_int_equal(out.status, GPUCODE_OK);
    const void *bytes = gpucode_program_bytes(out.program);
    assert_int_equal(gpucode_image_open(bytes, gpucode_program_size(out.program), &how, &image), GPUCODE_OK);
    struct gpucode_lint_options options = {.report = add_code, .user = codes};
    unsigned count;
    *codes = 0;
    assert_int_equal(gpucode_lint(image, &options, &count), GPUCODE_OK);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

#define FIVE_NOPS "nop\nnop\nnop\nnop\nnop\n"
#define FIFTEEN_NOPS FIVE_NOPS FIVE_NOPS FIVE_NOPS

static const struct rule {
    const char *target, *text, *codes;
} rules[] = {
    /* slots by generation */
    {"ir3:a6xx", "add.f r0.x, r2.x, r2.y\n(rpt1)nop\nadd.f r1.x, r0.x, r0.x\nend", "ir3-lint-delay "},
    {"ir3:a6xx", "add.f r0.x, r2.x, r2.y\n(rpt2)nop\nadd.f r1.x, r0.x, r0.x\nend", ""},
    {"ir3:a7xx", "add.f r0.x, r2.x, r2.y\n(rpt1)nop\nadd.f r1.x, r0.x, r0.x\nend", ""},
    {"ir3:a6xx", "(nop3) add.f r0.x, r2.x, r2.y\nadd.f r1.x, r0.x, r0.x\nend", ""},
    {"ir3:a6xx", "(nop1) add.f r0.x, r2.x, r2.y\nmad.f32 r1.x, r2.x, r2.y, r0.x\nend", ""},
    {"ir3:a6xx", "add.f r0.x, r2.x, r2.y\n(rpt4)nop\nrsq r0.x, r0.x\nend", "ir3-lint-delay "},
    {"ir3:a6xx", "add.f r0.x, r2.x, r2.y\n(rpt5)nop\nrsq r0.x, r0.x\nend", ""},
    {"ir3:a6xx", "(rpt1)mov.f32f32 r0.x, (r)c0.x\n(rpt1)nop\n(rpt1)add.f r0.x, (r)r0.x, (r)c1.x\nend", ""},
    {"ir3:a6xx", "(rpt1)mov.f32f32 r0.x, (r)c0.x\nnop\n(rpt1)add.f r0.x, (r)r0.x, (r)c1.x\nend", "ir3-lint-delay "},
    /* the last use of a register */
    {"ir3:a7xx", "add.f r1.x, (last)r0.x, r0.x\nadd.f r2.x, r0.x, r0.y\nend", "ir3-lint-after-last "},
    {"ir3:a7xx", "add.f r1.x, (last)r0.x, r0.x\nmov.f32f32 r0.x, c0.x\n(rpt2)nop\nadd.f r2.x, r0.x, r0.y\nend", ""},
    {"ir3:a7xx", "mad.f32 r1.x, r0.x, r0.y, (last)r0.z\nadd.f r2.x, r0.w, r0.z\nend", "ir3-lint-after-last "},
    {"ir3:a7xx", "mov.u32u32 r1.x, (last)r0.x\nadd.f r2.x, r0.x, r0.y\nend", "ir3-lint-after-last "},
    {"ir3:a7xx", "swz.u32u32 r0.x, r0.y, r2.x, r3.x\n(rpt2)nop\nadd.f r9.x, r2.x, r2.x\nend", ""},
    {"ir3:a7xx", "gat.u32u32 r0.x, r4.x, r3.x, r3.y, r3.z\n(rpt2)nop\nadd.f r9.x, r4.x, r4.x\nend", ""},
    /* the halves of a register */
    {"ir3:a6xx", "mov.f16f16 hr4.x, hr5.x\n(rpt4)nop\nadd.f r3.x, r2.x, r2.x\nend", "ir3-lint-delay "},
    {"ir3:a6xx", "mov.f16f16 hr4.x, hr5.x\n(rpt2)nop\nadd.f hr3.x, hr4.x, hr4.x\nend", ""},
    {"ir3:a6xx", "mov.f16f16 hr4.y, hr5.x\nadd.f r3.x, r2.x, r2.x\nend", "ir3-lint-delay "},
    {"ir3:a6xx", "mov.f16f16 hr4.y, hr5.x\nadd.f r3.x, r2.y, r2.y\nend", ""},
    {"ir3:a5xx", "mov.f16f16 hr4.x, hr5.x\nadd.f r3.x, r2.x, r2.x\nend", ""},
    /* sync bits */
    {"ir3:a6xx", "rsq r0.x, r1.x\nadd.f r2.x, r0.x, r0.x\nend", "ir3-lint-ss "},
    {"ir3:a6xx", "rsq r0.x, r1.x\n(ss)add.f r2.x, r0.x, r0.x\nend", ""},
    {"ir3:a6xx", "sam (f32)(xy)r0.x, r1.x, s#0, t#0\nadd.f r2.x, r0.y, r0.y\nend", "ir3-lint-sy "},
    {"ir3:a6xx", "sam (f32)(xz)r0.x, r1.x, s#0, t#0\nadd.f r2.x, r0.y, r0.y\nend", ""},
    {"ir3:a6xx", "ldl.u32 r0.x, l[r1.x], 1\nadd.f r2.x, r0.x, r0.x\nend", "ir3-lint-ss "},
    {"ir3:a6xx", "nop\n(ss)add.f r2.x, r0.x, r0.x\nend", "ir3-lint-useless-ss "},
    {"ir3:a6xx", "nop\n(sy)add.f r2.x, r0.x, r0.x\nend", "ir3-lint-useless-sy "},
    /* sources that are still read */
    {"ir3:a6xx", "sam (f32)(x)r0.x, r1.x, s#0, t#0\nmov.f32f32 r1.y, r2.x\nend", "ir3-lint-in-use "},
    {"ir3:a6xx", "sam (f32)(x)r0.x, r1.x, s#0, t#0\n(sy)mov.f32f32 r1.y, r2.x\nend", ""},
    {"ir3:a6xx", "stg.f32 g[r1.x], r0.x, 1\n(sy)mov.f32f32 r1.y, r2.x\nend", "ir3-lint-in-use "},
    {"ir3:a6xx", "stg.f32 g[r1.x], r0.x, 1\n(ss)mov.f32f32 r1.y, r2.x\nend", ""},
    {"ir3:a5xx", "stl.u32 l[r0.x], r0.z, 1\nldl.u32 r0.x, l[r0.y], 1\nend", ""},
    {"ir3:a5xx", "stl.u32 l[r0.x], r0.z, 1\nmov.u32u32 r0.x, r1.x\nend", "ir3-lint-in-use "},
    {"ir3:a5xx", "stg.u32 g[r0.x], r0.z, 1\nldl.u32 r0.x, l[r2.y], 1\nend", "ir3-lint-in-use "},
    /* consts, barriers, the preamble's end */
    {"ir3:a6xx", "stc.u32 c[0], r0.x, 1\nadd.f r2.x, c0.x, r0.y\nend", "ir3-lint-consts-ss "},
    {"ir3:a6xx", "stc.u32 c[0], r0.x, 1\n(ss)add.f r2.x, c0.x, r0.y\nend", ""},
    {"ir3:a6xx", "ldg.k.u32 c[0], g[r0.x], 1\nadd.f r1.x, c0.x, r0.x\nend", "ir3-lint-consts-sy "},
    {"ir3:a8xx", "ray_intersection r0.x, [r1.x], r2.x, r3.x, r4.x\nmov.f32f32 r2.x, c0.x\nend", "ir3-lint-in-use-sy "},
    {"ir3:a6xx", "bar.g\nadd.f r2.x, r0.x, r0.y\nend", "ir3-lint-unfenced "},
    {"ir3:a6xx", "bar.g\n(ss)(sy)add.f r2.x, r0.x, r0.y\nend", ""},
    {"ir3:a6xx", "(ss)shpe\nend", "ir3-lint-unfenced "},
    /* shared registers: in order among themselves where there is a unit for them */
    {"ir3:a630", "mov.u32u32 r48.x, 1\nadd.u r48.y, r48.x, 2\nend", "ir3-lint-ss "},
    {"ir3:a650", "mov.u32u32 r48.x, 1\nadd.u r48.y, r48.x, 2\nend", ""},
    {"ir3:a650", "mov.u32u32 r48.x, 1\nadd.u r0.y, r48.x, r1.x\nend", "ir3-lint-ss "},
    {"ir3:a7xx", "cmps.u.lt up0.x, r48.x, c0.x\nbr p0.x, #l\nl:\n(jp)end", "ir3-lint-ss "},
    /* ways of the wave that no fiber takes: the other part of a branch, after a jump over both, around a loop */
    {"ir3:a630", "br !p0.x, #b\nmov.u32u32 r48.x, 1\njump #c\nb:\n(jp)add.u r0.y, r48.x, r1.x\nc:\n(jp)end",
     "ir3-lint-ss "},
    {"ir3:a630", "br !p0.x, #b\nmov.u32u32 r48.x, 1\njump #c\nb:\n(jp)(ss)add.u r0.y, r48.x, r1.x\nc:\n(jp)end", ""},
    {"ir3:a630", "br !p0.x, #b\nmov.u32u32 r8.x, 1\njump #c\nb:\n(jp)add.u r0.y, r8.x, r1.x\nc:\n(jp)end", ""},
    {"ir3:a630", "bany !p0.x, #b\nmov.u32u32 r48.x, 1\njump #c\nb:\n(jp)add.u r0.y, r48.x, r1.x\nc:\n(jp)end", ""},
    {"ir3:a630",
     "br !p0.x, #b\nbr !p0.y, #a\nmov.u32u32 r48.x, 1\njump #c\na:\n(jp)nop\nb:\n(jp)add.u r0.y, r48.x, r1.x\n"
     "c:\n(jp)end",
     "ir3-lint-ss "},
    {"ir3:a630",
     "br !p0.x, #b\nnop\njump #c\nb:\n(jp)mov.u32u32 r48.x, 1\njump #d\nc:\n(jp)add.u r0.y, r48.x, r1.x\nd:\n(jp)end",
     "ir3-lint-ss "},
    {"ir3:a630",
     "a:\n(jp)mov.u32u32 r48.x, 1\nbr !p0.y, #c\n(ss)nop\nbr !p0.x, #b\njump #a\nb:\n(jp)add.u r0.y, r48.x, r1.x\n"
     "c:\n(jp)end",
     "ir3-lint-ss "},
    /* the parts of predt and predf are of other fibers, and what comes after them is of both */
    {"ir3:a6xx", "predt\nrsq r0.x, r1.x\npredf\nadd.f r2.x, r0.x, r0.y\nprede\nend", ""},
    {"ir3:a6xx", "predt\nrsq r0.x, r1.x\npredf\nadd.f r2.x, r0.x, r0.y\nprede\nadd.f r2.y, r0.x, r0.y\nend",
     "ir3-lint-ss "},
    {"ir3:a6xx", "rsq r0.x, r1.x\npredt\n(ss)nop\nadd.f r2.x, r0.x, r0.y\npredf\nadd.f r2.x, r0.x, r0.y\nprede\nend",
     "ir3-lint-ss "},
    {"ir3:a6xx", "predt\nrsq r0.x, r1.x\nprede\nadd.f r2.x, r0.x, r0.y\nend", "ir3-lint-ss "},
    {"ir3:a6xx", "predt\nmov.u32u32 r48.x, 1\npredf\nadd.u r2.x, r48.x, r0.y\nprede\nend", "ir3-lint-ss "},
    {"ir3:a6xx", "(nop3) add.f r0.x, r2.x, r2.y\npredt\npredf\nadd.f r2.x, r0.x, r0.y\nprede\nend", ""},
    /* predicates, a0.x */
    {"ir3:a6xx", "cmps.f.lt p0.x, r0.x, r0.y\n(rpt4)nop\nbr p0.x, #l\nl:\n(jp)end", "ir3-lint-delay "},
    {"ir3:a5xx", "cmps.f.lt p0.y, r0.x, r0.y\nend", "ir3-lint-predicate "},
    {"ir3:a6xx", "mova a0.x, hr0.x\n(rpt4)nop\nmov.f32f32 r1.x, c<a0.x + 1>\nend", "ir3-lint-delay "},
    {"ir3:a6xx", "cmps.f.lt p0.x, r0.x, r0.y\n(rpt5)nop\nbr p0.x, #l\nnop\nl:\nend", "ir3-lint-no-jp "},
    {"ir3:a6xx", "mova a0.x, hr0.x\n(rpt5)nop\n(ul)mov.f32f32 r1.x, c<a0.x + 1>\nmov.f32f32 r1.x, c<a0.x + 2>\nend",
     "ir3-lint-released "},
    {"ir3:a6xx", "mova a0.x, 400\n(rpt5)nop\nmov.f32f32 r1.x, r<a0.x + 1>\nend", "ir3-lint-outside "},
    {"ir3:a6xx",
     "and.b r0.x, r1.x, 3\n(rpt2)nop\ncov.u32s16 hr4.x, r0.x\n(rpt2)nop\nmova a0.x, hr4.x\n(rpt5)nop\n"
     "mov.f32f32 r1.x, r<a0.x + 244>\nmov.f32f32 r1.y, r<a0.x + 243>\nend",
     "ir3-lint-outside "},
    /* varyings, flow */
    {"ir3:a6xx", "bary.f (ei)r0.x, 0, r1.x\nbary.f r0.y, 1, r1.x\nend", "ir3-lint-behind-ei "},
    {"ir3:a6xx", "bary.f r0.x, 0, r1.x\nend", "ir3-lint-no-ei "},
    {"ir3:a6xx", "nop\nnop", "ir3-lint-no-end "},
    {"ir3:a6xx", "cmps.f.lt p0.x, r0.x, r0.y\n(rpt5)nop\nbr !p0.x, #l\nnop\nend\nl:\n(jp)nop", "ir3-lint-runs-out "},
    {"ir3:a6xx", "jump #100\nend", "ir3-lint-target ir3-lint-unreachable ir3-lint-no-end "},
    /* words, chips, groups */
    {"ir3:a6xx", ".insn 0xffffffff_ffffffff\nend", "ir3-lint-word "},
    {"ir3:a630", "getfiberid.u32 r0.x\nend", "ir3-lint-feature "},
    {"ir3:a660", "getfiberid.u32 r0.x\nend", ""},
    {"ir3:a5xx", "(nop1) add.f r0.x, r1.x, r1.y\nend", "ir3-lint-nops "},
    {"ir3:a6xx", "add.f r1.x, (last)r0.x, r0.y\nend", "ir3-lint-feature "},
    {"ir3:a6xx", "cmps.u.lt up0.x, r0.x, r0.y\nend", "ir3-lint-feature "},
    {"ir3:a5xx", "mova1 a1.x, 5\nend", "ir3-lint-feature "},
    {"ir3:a5xx", "sam.base0 (f32)(x)r0.x, r1.x, s#0, t#0\nend", "ir3-lint-feature "},
    {"ir3:a4xx", "add.f r48.x, r1.x, r1.y\nend", "ir3-lint-feature "},
    /* a1.x is read as well */
    {"ir3:a6xx", "mova1 a1.x, 5\nsam.base0 (f32)(x)r0.x, r1.x, s#4, a1.x\nend", "ir3-lint-delay "},
    {"ir3:a6xx", "mova1 a1.x, 5\n(rpt5)nop\nsam.base0 (f32)(x)r0.x, r1.x, s#4, a1.x\nend", ""},
    {"ir3:a6xx", "add.f r0.x, c0.x, c0.y\nend", "ir3-lint-sources "},
    {"ir3:a702", "add.f r0.x, c127.w, r0.y\nadd.f r0.z, c128.x, r0.y\nend", "ir3-lint-beyond "},
    {"ir3:a7xx", "alias.tex.f32.0 r0.x, c0.x\nnop\nend", "ir3-lint-alias "},
    {"ir3:a7xx", "alias.tex.f32.0 r0.x, c0.x\nsam (f32)(x)r1.x, r0.x, s#0, t#0\nend", ""},
    {"ir3:a7xx", FIFTEEN_NOPS "alias.tex.f32.0 r0.x, c0.x\nsam (f32)(x)r1.x, r0.x, s#0, t#0\nend", "ir3-lint-alias "},
    {"ir3:a6xx", "prede\nend", "ir3-lint-predicated "},
    {"ir3:a6xx", "add.f r0.x, r1.x, r1.y\njump #l\nnop\nl:\nend", "ir3-lint-unreachable "},
    /* another program follows in the same memory */
    {"ir3:a6xx", "end\n" FIFTEEN_NOPS "rsq r0.x, r1.x\nadd.f r2.x, r0.x, r0.x\nend", "ir3-lint-ss "},
};

static void each_rule(void)
{
    char codes[400];
    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        codes_with(target_named(rules[i].target), rules[i].text, codes);
        if (strcmp(codes, rules[i].codes) != 0 && ++wrong)
            print_error("%s:\n%s\n'%s', not '%s'\n", rules[i].target, rules[i].text, codes, rules[i].codes);
    }
    assert_int_equal(wrong, 0);
}

#define TWO_MOVES "mov.f32f32 r9.x, c0.x\nmov.f32f32 r9.x, c0.x\n"
#define FOURTEEN_MOVES TWO_MOVES TWO_MOVES TWO_MOVES TWO_MOVES TWO_MOVES TWO_MOVES TWO_MOVES

#define FOUR_NOPS "\tnop\n\tnop\n\tnop\n\tnop\n"
#define TWELVE_NOPS FOUR_NOPS FOUR_NOPS FOUR_NOPS

static const struct change {
    const char *target, *text, *expected;
} changes[] = {
    /* idle slots where there are any, nops before a6xx and for the rest */
    {"ir3:a6xx", "add.f r0.x, r2.x, r2.y\nadd.f r1.x, r0.x, r0.x\nend",
     "\t(nop3) add.f r0.x, r2.x, r2.y\n\tadd.f r1.x, r0.x, r0.x\n\tend\n"},
    {"ir3:a5xx", "add.f r0.x, r2.x, r2.y\nadd.f r1.x, r0.x, r0.x\nend",
     "\tadd.f r0.x, r2.x, r2.y\n\t(rpt2)nop\n\tadd.f r1.x, r0.x, r0.x\n\tend\n"},
    {"ir3:a7xx", "add.f r0.x, r2.x, r2.y\nrsq r1.x, r0.x\nadd.f r2.x, r1.x, r0.x\nend",
     "\t(nop3) add.f r0.x, r2.x, r2.y\n\t(rpt1)nop\n\trsq r1.x, r0.x\n\t(ss)add.f r2.x, r1.x, r0.x\n\tend\n"},
    /* nops after predt, predf and prede stay, all of them; one before does not */
    {"ir3:a7xx",
     "predt\n(rpt3)nop\nadd.u r1.x, r2.x, 5\nnop\npredf\nnop\n(rpt2)nop\nadd.u r1.y, r2.x, 5\nprede\n(rpt5)nop\n"
     "add.u r1.z, r2.x, 5\nend",
     "\tpredt\n\t(rpt3)nop\n\tadd.u r1.x, r2.x, 5\n\tpredf\n\tnop\n\t(rpt2)nop\n\tadd.u r1.y, r2.x, 5\n"
     "\tprede\n\t(rpt5)nop\n\tadd.u r1.z, r2.x, 5\n\tend\n"},
    /* a group stays together, in one line, and what it needs stands in front of it */
    {"ir3:a7xx",
     "" FOURTEEN_MOVES "alias.tex.f32.1 r1.x, r0.x\nalias.tex.f32.0 r1.y, c0.y\n"
     "sam (f32)(x)r2.x, r1.x, s#0, t#0\nend",
     "\tnop\n\tnop\n\talias.tex.f32.1 r1.x, r0.x\n"},
    /* an index that was masked reaches the registers of its array alone */
    {"ir3:a6xx",
     "and.b r0.x, r1.x, 3\ncov.u32s16 hr4.x, r0.x\nmova a0.x, hr4.x\nmov.f32f32 r<a0.x + 16>, c0.x\n"
     "add.f r2.x, r8.x, r8.y\nadd.f r2.y, r4.w, r8.y\nend",
     "\tmov.f32f32 r<a0.x + 16>, c0.x\n\t(nop2) add.f r2.x, r8.x, r8.y\n\tadd.f r2.y, r4.w, r8.y\n"},
    {"ir3:a6xx",
     "and.b r0.x, r1.x, 3\nmov.u16u16 hr0.y, hr1.x\ncov.u32s16 hr4.x, r0.x\nmova a0.x, hr4.x\n"
     "mov.f32f32 r<a0.x + 16>, c0.x\nadd.f r2.x, r8.x, r8.y\nend",
     "\tmov.f32f32 r<a0.x + 16>, c0.x\n\t(rpt2)nop\n\tadd.f r2.x, r8.x, r8.y\n"},
    /* each program of a file, which begins where it did; data after the last stay as they are */
    {"ir3:a6xx",
     "add.f r0.x, r1.x, r1.y\nrsq r0.x, r0.x\nend\n" FIVE_NOPS FIVE_NOPS
     "nop\nnop\nnop\nrsq r0.x, r1.x\nadd.f r2.x, r0.x, r0.x\nend\n.insn 0xffffffff_00000000",
     "\trsq r0.x, r0.x\n\tend\n" TWELVE_NOPS "\trsq r0.x, r1.x\n\t(ss)add.f r2.x, r0.x, r0.x\n\tend\n"
     "\t.insn 0xffffffff_00000000"},
    /* a step may read what an earlier one delivers, or not: who reads that afterwards waits */
    {"ir3:a6xx", "(rpt1)rsq r0.x, r<a0.x + 37>\nadd.f r2.x, r0.x, c0.x\nend", "\t(ss)add.f r2.x, r0.x, c0.x\n"},
    {"ir3:a7xx", "mov.f32f32 r2.x, c0.x\nmov.u16u16 hr<a0.x + 6>, 1\nadd.f hr5.y, hr4.x, hr6.y\nend", "\t(rpt4)nop\n"},
    {"ir3:a7xx", "alias.tex.f32.0 r5.x, c0.x\nl:\nsam (f32)(x)r2.x, r5.x, s#0, t#0\nbr p0.x, #l\nend",
     "\t(sy)(jp)sam (f32)(x)r2.x, r5.x, s#0, t#0\n"},
    {"ir3:a7xx", "bar.g\nldg.u32 r0.x, g[r1.x], 1\nend", "\tbar.g\n\t(ss)nop\n\t(sy)ldg.u32 r0.x, g[r1.x], 1\n\tend\n"},
    /* what an instruction without (ss) wants is put into the nop in front of it */
    {"ir3:a7xx", "rsq r1.x, r2.x\n(eolm)nop\nldg.u32 r0.x, g[r1.x], 1\nend",
     "\trsq r1.x, r2.x\n\t(ss)(eolm)nop\n\tldg.u32 r0.x, g[r1.x], 1\n\tend\n"},
    {"ir3:a6xx", "rsq r0.x, r<a0.x + 37>\nmov.f32f32 r<a0.x + 2>, c0.x\nend", "\t(ss)mov.f32f32 r<a0.x + 2>, c0.x\n"},
    /* nops that do something stay, and what a barrier wants */
    {"ir3:a7xx", "(eolm)nop\nbar.g\nadd.f r0.x, r1.x, r1.y\nend",
     "\t(eolm)nop\n\tbar.g\n\t(sy)(ss)add.f r0.x, r1.x, r1.y\n\tend\n"},
};

/* What is not new was where it says, perhaps with other flags. */
static void origins_are_right(const struct gpucode_target *target, const struct gpucode_program *program,
                              const struct gpucode_scheduled *scheduled)
{
    struct gpucode_insn insn, was;
    const unsigned char *old = gpucode_program_bytes(program), *now = scheduled->bytes;
    for (uint32_t i = 0; i < scheduled->units; i++) {
        size_t origin = scheduled->origins[i];
        if (origin == GPUCODE_SCHEDULE_NEW)
            continue;
        assert_true(8 * origin < gpucode_program_size(program));
        assert_int_equal(gpucode_decode(target, old + 8 * origin, 8, 0, &was), GPUCODE_OK);
        assert_int_equal(gpucode_decode(target, now + 8 * (size_t)i, 8, 0, &insn), GPUCODE_OK);
        assert_int_equal(insn.row, was.row);
        assert_int_equal(insn.bits & UINT32_MAX, was.bits & UINT32_MAX);
    }
}

static void each_change(void)
{
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct assembled out;
        struct gpucode_image *image = image_of(&out, changes[i].target, changes[i].text), *again;
        struct gpucode_schedule_options options = {.strip = GPUCODE_STRIP_NEEDLESS};
        struct gpucode_scheduled scheduled;
        assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_OK);
        struct gpucode_image_options how = {.target = target_named(changes[i].target)};
        assert_int_equal(gpucode_image_open(scheduled.bytes, scheduled.size, &how, &again), GPUCODE_OK);
        char *text;
        size_t length;
        assert_int_equal(gpucode_disassemble(again, NULL, &text, &length), GPUCODE_OK);
        if (!strstr(text, changes[i].expected))
            print_error("%s\nnot\n%s", text, changes[i].expected);
        assert_non_null(strstr(text, changes[i].expected));
        origins_are_right(target_named(changes[i].target), out.program, &scheduled);
        free(text);
        gpucode_image_free(again);
        gpucode_scheduled_free(&scheduled);
        gpucode_image_free(image);
        gpucode_program_free(out.program);
    }
}

#define HALF_INDEX(index) index "\nmova a0.x, hr4.x\n"
#define INDEX(first) first "\ncov.u32s16 hr4.x, r0.x\nmova a0.x, hr4.x\n"

/* Does a read of that register wait for a relative write to what begins at r4.x? */
static bool waits_for(const char *index, unsigned reg)
{
    char text[500];
    struct assembled out;
    char *listing;
    size_t length;
    struct gpucode_schedule_options options = {.strip = GPUCODE_STRIP_NEEDLESS};
    struct gpucode_image_options how = {.target = target_named("ir3:a650")};
    struct gpucode_scheduled scheduled;
    struct gpucode_image *again;
    snprintf(text, sizeof text, "%snop\nmov.f32f32 r<a0.x + 16>, c0.x\nadd.f r10.x, r%u.%c, r11.y\nend", index, reg / 4,
             "xyzw"[reg % 4]);
    struct gpucode_image *image = image_of(&out, "ir3:a650", text);
    assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_OK);
    assert_int_equal(gpucode_image_open(scheduled.bytes, scheduled.size, &how, &again), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(again, NULL, &listing, &length), GPUCODE_OK);
    bool waits = strstr(listing, "c0.x\n\t(rpt2)nop\n\tadd.f r10.x"), not = strstr(listing, "c0.x\n\tadd.f r10.x");
    assert_true(waits != not );
    free(listing);
    gpucode_image_free(again);
    gpucode_scheduled_free(&scheduled);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
    return waits;
}

/* Which registers a relative write reaches, as the instructions in front of it limit its index. */
static void reached_by_index(void)
{
    static const struct {
        const char *index;
        unsigned low, high, step; /* above r4.x; step 0: any */
    } cases[] = {
        {INDEX("and.b r0.x, r1.x, 3"), 0, 3, 1},
        {INDEX("and.b r0.x, r1.x, 12"), 0, 12, 4},
        {INDEX("and.b r0.x, 6, r1.x"), 0, 6, 2},
        {INDEX("min.u r0.x, r1.x, 3"), 0, 3, 1},
        {INDEX("min.u r0.x, 5, r1.x"), 0, 5, 1},
        {INDEX("min.s r0.x, r1.x, 3"), 0, 0, 0},
        {INDEX("max.u r0.x, r1.x, 3"), 0, 0, 0},
        {INDEX("min.u r0.x, r1.x, r1.y"), 0, 0, 0},
        {INDEX("and.b r0.x, r1.x, 3\nmin.s r0.x, r0.x, 2"), 0, 2, 1},
        {INDEX("and.b r0.x, r1.x, 3\nand.b r0.y, r1.y, 7\nmin.u r0.x, r0.x, r0.y"), 0, 3, 1},
        {INDEX("and.b r0.x, r1.x, 3\nshl.b r0.x, r0.x, 1"), 0, 6, 2},
        {INDEX("and.b r0.x, r1.x, 31\nshr.b r0.x, r0.x, 2"), 0, 7, 1},
        {INDEX("and.b r0.x, r1.x, 3\nadd.u r0.x, r0.x, 2"), 2, 5, 1},
        {INDEX("and.b r0.x, r1.x, 12\nadd.u r0.x, r0.x, 1"), 1, 13, 4},
        {INDEX("and.b r0.x, r1.x, 12\nadd.u r0.x, r0.x, 400\nadd.u r0.x, r0.x, -400"), 0, 0, 0},
        {INDEX("mov.u32u32 r0.x, 6"), 6, 6, 1},
        {INDEX("and.b r0.x, r1.x, 12\nadd.u r0.x, r0.x, 8\nshr.b r0.x, r0.x, 2"), 2, 5, 1},
        {INDEX("and.b r0.x, r1.x, 3\nadd.u r0.x, r0.x, 1\nshl.b r0.x, r0.x, 1"), 2, 8, 2},
        {INDEX("and.b r0.x, r1.x, 12\nadd.u r0.x, r0.x, 1\nshl.b r0.x, r0.x, 1"), 2, 17, 8},
        {INDEX("and.b r0.x, r1.x, 3\nadd.u r0.x, r0.x, 4\nmin.u r0.x, r0.x, 6"), 4, 6, 1},
        {INDEX("and.b r0.x, r1.x, 3\nadd.s r0.x, (neg)r0.x, 5"), 0, 0, 0},
        {INDEX("and.b r0.x, r1.x, 3\nadd.s r0.x, (abs)r0.x, 5"), 0, 0, 0},
        {INDEX("and.b r0.x, r1.x, 3\nshl.b r0.x, r0.x, r1.y"), 0, 0, 0},
        {INDEX("and.b r0.x, r1.x, 31\nshr.b r0.x, r0.x, r1.y"), 0, 0, 0},
        /* up to the largest index, which is past all registers */
        {INDEX("mov.u32u32 r0.x, 32767"), 18, 17, 1},
        {INDEX("mov.u32u32 r0.x, 32768"), 0, 0, 0},
        {INDEX("and.b r0.x, r1.x, 3\nmov.u32u32 r0.y, 32764\nadd.u r0.x, r0.x, r0.y"), 18, 17, 1},
        {INDEX("and.b r0.x, r1.x, 3\nmov.u32u32 r0.y, 32765\nadd.u r0.x, r0.x, r0.y"), 0, 0, 0},
        /* of all sizes, with zeros at the end */
        {HALF_INDEX("shl.b hr4.x, hr2.x, 3"), 0, 16, 8},
        {HALF_INDEX("shl.b hr4.x, hr2.x, 3\nadd.u hr4.x, hr4.x, 2"), 2, 17, 8},
        {HALF_INDEX("shl.b hr4.x, hr2.x, 3\nshl.b hr4.x, hr4.x, 1"), 0, 16, 16},
        {HALF_INDEX("and.b hr4.x, hr2.x, 1\nshl.b hr4.x, hr4.x, 15"), 0, 0, 1},
        {HALF_INDEX("and.b hr4.x, hr2.x, 2\nshl.b hr4.x, hr4.x, 15"), 0, 0, 1},
        {HALF_INDEX("and.b hr4.x, hr2.x, 1\nshl.b hr4.x, hr4.x, 16"), 0, 0, 0},
        {HALF_INDEX("shr.b hr4.x, hr2.x, 2"), 0, 0, 0},
        /* two ways */
        {"br !p0.x, #b\n" INDEX("and.b r0.x, r1.x, 12") "jump #c\nb:\n(jp)nop\n" INDEX(
             "and.b r0.x, r1.x, 12\nadd.u r0.x, r0.x, 2") "c:\n(jp)",
         0, 14, 2},
        {"br !p0.x, #b\n" INDEX("and.b r0.x, r1.x, 12") "jump #c\nb:\n(jp)nop\n" INDEX(
             "and.b r0.x, r1.x, 4\nadd.u r0.x, r0.x, 1") "c:\n(jp)",
         0, 12, 1},
        {"br !p0.x, #b\n" INDEX("and.b r0.x, r1.x, 4") "jump #c\nb:\n(jp)nop\n" INDEX("and.b r0.x, r1.x, 8") "c:\n(jp)",
         0, 8, 4},
        {"br !p0.x, #b\n" INDEX("and.b r0.x, r1.x, 4") "jump #c\nb:\n(jp)nop\n" INDEX(
             "mov.u32u32 r0.x, r1.x") "c:\n(jp)",
         0, 0, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned reg = 12; reg < 34; reg++) {
            bool inside = reg >= 16 + cases[i].low && reg <= 16 + cases[i].high;
            bool wanted = !cases[i].step || (inside && (reg - 16 - cases[i].low) % cases[i].step == 0);
            if (waits_for(cases[i].index, reg) != wanted)
                fail_msg("%s: r%u.%c should%s wait", cases[i].index, reg / 4, "xyzw"[reg % 4], wanted ? "" : " not");
        }
}

/* Programs of which one jumps into another are one. */
static void tied_programs(void)
{
    static const char text[] = "add.f r0.x, r1.x, r1.y\nl:\n(jp)rsq r0.x, r0.x\nend\nadd.f r0.x, r1.y, r1.y\n"
                               "jump #l\nend";
    static const char wanted[] = "\tadd.f r0.x, r1.x, r1.y\nl1:\n\t(jp)(rpt5)nop\n\trsq r0.x, r0.x\n\tend\n"
                                 "\tadd.f r0.x, r1.y, r1.y\n\tjump #l1\n\tend\n";
    struct assembled out;
    char *listing;
    size_t length;
    struct gpucode_schedule_options options = {.strip = GPUCODE_STRIP_NEEDLESS};
    struct gpucode_image_options how = {.target = target_named("ir3:a650")};
    struct gpucode_scheduled scheduled;
    struct gpucode_image *image = image_of(&out, "ir3:a650", text), *again;
    assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_OK);
    assert_int_equal(gpucode_image_open(scheduled.bytes, scheduled.size, &how, &again), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(again, NULL, &listing, &length), GPUCODE_OK);
    assert_string_equal(strchr(listing, '\n') + 1, wanted);
    free(listing);
    gpucode_image_free(again);
    gpucode_scheduled_free(&scheduled);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

/* Where code is entered, by the caller. */
static void each_entry(void)
{
    static const char text[] = "nop\nrsq r0.x, r1.x\nend\nadd.f r3.x, r0.x, r0.x\nend\nadd.f r0.x, r1.x, r1.x\n"
                               "rsq r0.x, r0.x\nend";
    static const struct {
        uint64_t entries[2];
        unsigned count;
        const char *units;
    } cases[] = {
        {{0}, 0, " 3:ir3-lint-unreachable"},
        {{0}, 1, " 3:ir3-lint-unreachable"},
        {{3}, 1, " 0:ir3-lint-unreachable 5:ir3-lint-unreachable"},
        {{0, 5}, 2, " 3:ir3-lint-unreachable 6:ir3-lint-delay"},
        {{5, 0}, 2, " 3:ir3-lint-unreachable 6:ir3-lint-delay"},
        {{0, 8}, 2, " 3:ir3-lint-unreachable"},
        {{0, UINT64_C(1) << 32}, 2, " 3:ir3-lint-unreachable"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        struct gpucode_image *image = image_of(&out, "ir3:a6xx", text);
        char units[400] = "";
        unsigned count;
        struct gpucode_lint_options options = {.report = add_unit,
                                               .user = units,
                                               .entries = cases[i].count ? cases[i].entries : NULL,
                                               .entry_count = cases[i].count};
        assert_int_equal(gpucode_lint(image, &options, &count), GPUCODE_OK);
        if (strcmp(units, cases[i].units) != 0)
            fail_msg("%u: '%s'", i, units);
        gpucode_image_free(image);
        gpucode_program_free(out.program);
    }
}

/* Code after an end is unreachable, unless nops fill the program up to 16 instructions there: another one follows then.
 */
static void after_the_end(void)
{
    for (unsigned before = 0; before < 18; before++)
        for (unsigned nops = 0; nops < 20; nops++) {
            char text[512] = "", units[400] = "", expected[64] = "";
            struct assembled out;
            unsigned count, next = before + 1, filled = (next + 15) / 16 * 16;
            for (unsigned i = 0; i < before; i++)
                strcat(text, "nop\n");
            strcat(text, "end\n");
            for (unsigned i = 0; i < nops; i++)
                strcat(text, "nop\n");
            strcat(text, "mov.u32u32 r0.x, 1\nend");
            if (next + nops < filled)
                snprintf(expected, sizeof expected, " %u:ir3-lint-unreachable", next);
            struct gpucode_image *image = image_of(&out, "ir3:a6xx", text);
            struct gpucode_lint_options options = {.report = add_unit, .user = units};
            assert_int_equal(gpucode_lint(image, &options, &count), GPUCODE_OK);
            if (strcmp(units, expected) != 0)
                fail_msg("%u before the end, %u nops: '%s'", before, nops, units);
            gpucode_image_free(image);
            gpucode_program_free(out.program);
        }
}

/* Several moves at once read one source and write one result a cycle, each counted from its own. */
static void moves_at_once(void)
{
    static const char *const sources[] = {"r0.x", "r0.y", "r0.z", "r0.w"};
    static const struct {
        const char *target;
        int slots; /* from one instruction to the next that reads its result */
    } chips[] = {{"ir3:a6xx", 3}, {"ir3:a7xx", 2}};
    for (size_t chip = 0; chip < sizeof chips / sizeof *chips; chip++)
        for (int k = 0; k < 4; k++)
            for (int nops = 0; nops < 7; nops++)
                for (unsigned form = 0; form < 4; form++) {
                    static const char *const moves[] = {
                        "swz.u32u32 r2.x, r3.x, r0.x, r0.y", "gat.u32u32 r2.x, r0.x, r0.y, r0.z, r0.w",
                        "swz.u32u32 r0.x, r0.y, r2.x, r3.x", "sct.u32u32 r0.x, r0.y, r0.z, r0.w, r2.x"};
                    int count = form % 2 ? 4 : 2, least = chips[chip].slots + (form < 2 ? -k : k);
                    char text[256], codes[400];
                    static const char *const waits[] = {
                        "", "nop\n", "(rpt1)nop\n", "(rpt2)nop\n", "(rpt3)nop\n", "(rpt4)nop\n", "(rpt5)nop\n"};
                    if (k >= count)
                        continue;
                    if (form < 2)
                        snprintf(text, sizeof text, "add.f %s, r8.x, r8.y\n%s%s\nend", sources[k], waits[nops],
                                 moves[form]);
                    else
                        snprintf(text, sizeof text, "%s\n%sadd.f r9.x, %s, r8.y\nend", moves[form], waits[nops],
                                 sources[k]);
                    codes_with(target_named(chips[chip].target), text, codes);
                    if (strcmp(codes, nops < least ? "ir3-lint-delay " : "") != 0)
                        fail_msg("%s: %s: '%s'", chips[chip].target, text, codes);
                }
}

/* What the source declares decides: inputs, the branch stack, early preambles. */
static void each_declaration(void)
{
    static const struct gpucode_declaration input = {.kind = "in", .file = 'r', .count = 4},
                                            shallow = {.kind = "branchstack", .value = {1}, .value_count = 1},
                                            deep = {.kind = "branchstack", .value = {2}, .value_count = 1},
                                            early = {.kind = "earlypreamble"};
    static const struct gpucode_declaration group = {.kind = "wgid", .file = 'r', .count = 4},
                                            varying = {.kind = "varying", .file = 'r', .count = 4};
    /* a loop and what is left from within it end at one place; a branch over its head is outstanding with them there */
    static const char beside[] = "br !p0.x, #x\nb:\nbr !p0.y, #l\nx:\n(jp)nop\nbr p0.z, #b\nl:\n(jp)nop\nend";
    static const char nested[] = "br !p0.x, #b\nbr !p0.y, #a\nnop\na:\n(jp)nop\nb:\n(jp)nop\nend";
    static const char at_once[] = "shps #l\nmov.u32u32 r0.x, 1\n(ss)(sy)shpe\nl:\n(jp)nop\nend";
    static const char in_front[] = "nop\nmov.u32u32 r0.x, 1\nshps #l\ngetone #l\n(ss)(sy)shpe\nl:\n(jp)nop\nend";
    static const char preamble[] = "shps #l\ngetone #l\nmov.u32u32 r0.x, 1\n(ss)(sy)shpe\nl:\n(jp)nop\nend";
    static const struct {
        const struct gpucode_declaration *declaration;
        const char *text, *codes;
    } cases[] = {
        {&input, "add.f r8.x, r0.x, r0.w\nend", ""},
        {&input, "add.f r8.x, r0.x, r1.x\nend", "ir3-lint-unwritten "},
        {&early, preamble, "ir3-lint-early-preamble "},
        {&early, at_once, "ir3-lint-early-preamble "},
        {&early, in_front, ""},
        {&deep, preamble, ""},
        {&shallow, nested, "ir3-lint-branch-stack "},
        {&deep, nested, ""},
        {&group, "add.f r8.x, r0.x, r1.x\nend", "ir3-lint-unwritten "},
        {&varying, "add.f r8.x, r0.x, r1.x\nend", ""},
        {&shallow, beside, "ir3-lint-branch-stack "},
        {&deep, beside, ""},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        struct gpucode_image *image = image_of(&out, "ir3:a6xx", cases[i].text);
        char codes[400] = "";
        unsigned count;
        struct gpucode_lint_options options = {
            .report = add_code, .user = codes, .declarations = cases[i].declaration, .declaration_count = 1};
        assert_int_equal(gpucode_lint(image, &options, &count), GPUCODE_OK);
        if (strcmp(codes, cases[i].codes) != 0)
            print_error("%s\n", cases[i].text);
        assert_string_equal(codes, cases[i].codes);
        gpucode_image_free(image);
        gpucode_program_free(out.program);
    }
}

/* What nobody knows is a choice, of the target. */
static void each_choice(void)
{
    static const struct choice {
        const char *target, *name, *value;
        uint64_t word;
        const char *text; /* of the word and an end */
    } choices[] = {
        {"ir3:a6xx", "ir3-ambiguous", "new", 0xc060000000e18001,
         "ldib.b.untyped.1d.f16.1.imm hr0.x, r0.x+1, 0 ;{rsv 0x1}"},
        {"ir3:a6xx", "ir3-ambiguous", "old", 0xc060000000e18001, "ldl.f16 r0.x, l[r33.z], 0 ;{rsv 0x20000000400000}"},
        {"ir3:a6xx", "ir3-ambiguous", "word", 0xc060000000e18001, ".insn 0xc0600000_00e18001\t; two instructions"},
        {"ir3:a8xx", "ir3-ambiguous", "old", 0x205300f400000005, "mova a0.x, 5 ;{rsv 0x2000000000000}"},
        {"ir3:a8xx", "ir3-ambiguous", "word", 0x205300f400000005, ".insn 0x205300f4_00000005\t; two instructions"},
    };
    for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct choice *choice = &choices[i];
        const struct gpucode_setting settings[] = {{choice->name, choice->value}, {NULL, NULL}};
        struct gpucode_target *target;
        assert_int_equal(gpucode_target_with(target_named(choice->target), settings, NULL, &target), GPUCODE_OK);
        unsigned char bytes[8];
        char text[GPUCODE_TEXT_MAX];
        for (unsigned k = 0; k < 8; k++)
            bytes[k] = (unsigned char)(choice->word >> 8 * k);
        struct gpucode_insn insn, back;
        assert_int_equal(gpucode_decode(target, bytes, 8, 0, &insn), GPUCODE_OK);
        assert_int_equal(gpucode_format(&insn, NULL, text, sizeof text, NULL), GPUCODE_OK);
        assert_int_equal(strncmp(text, choice->text, strlen(text)), 0);
        assert_int_equal(gpucode_parse(target, text, strlen(text), NULL, &back), GPUCODE_OK);
        assert_true(back.bits == choice->word);
        gpucode_target_free(target);
    }
    const struct gpucode_setting wrong[] = {{"ir3-ambiguous", "bad"}, {NULL, NULL}};
    struct gpucode_target *none;
    assert_int_equal(gpucode_target_with(target_named("ir3:a6xx"), wrong, NULL, &none), GPUCODE_ERROR_INPUT);
    assert_null(none);
    assert_int_equal(gpucode_target_with(target_named("a3xx"), wrong, NULL, &none), GPUCODE_ERROR_INPUT);
    assert_int_equal(gpucode_target_with(NULL, NULL, NULL, &none), GPUCODE_ERROR_ARGUMENT);
}

/* The same of delays: what lint says of the code with the choice, and without. */
static void each_choice_of_timing(void)
{
    static const struct {
        const char *target, *name, *value, *text, *before, *with;
    } choices[] = {
        {"ir3:a8xx", "ir3-delay", "gen7-like", "add.f r0.x, r2.x, r2.y\n(rpt1)nop\nadd.f r1.x, r0.x, r0.x\nend",
         "ir3-lint-delay ", ""},
        {"ir3:a5xx", "ir3-nop-from", "500", "(nop3) add.f r0.x, r2.x, r2.y\nadd.f r1.x, r0.x, r0.x\nend",
         "ir3-lint-nops ir3-lint-delay ", ""},
        {"ir3:a4xx", "ir3-nop-from", "500", "(nop3) add.f r0.x, r2.x, r2.y\nend", "ir3-lint-nops ", "ir3-lint-nops "},
    };
    for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct gpucode_setting settings[] = {{choices[i].name, choices[i].value}, {NULL, NULL}};
        struct gpucode_target *target;
        char codes[400];
        assert_int_equal(gpucode_target_with(target_named(choices[i].target), settings, NULL, &target), GPUCODE_OK);
        codes_with(target_named(choices[i].target), choices[i].text, codes);
        assert_string_equal(codes, choices[i].before);
        codes_with(target, choices[i].text, codes);
        assert_string_equal(codes, choices[i].with);
        gpucode_target_free(target);
    }
}

/* Hazards that something in front of an instruction would mend. */
static void count_hazards(void *user, const struct gpucode_finding *finding)
{
    static const char *const codes[] = {"ir3-lint-delay",     "ir3-lint-ss",        "ir3-lint-sy",
                                        "ir3-lint-in-use",    "ir3-lint-in-use-sy", "ir3-lint-consts-ss",
                                        "ir3-lint-consts-sy", "ir3-lint-unfenced"};
    bool own = finding->fix && strncmp(finding->fix, "nothing", 7) == 0;
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        *(unsigned *)user += !own && strcmp(finding->code, codes[i]) == 0;
}

/* A register that a relative operand has perhaps written still comes from what wrote it before. */
static void what_is_perhaps_written(void)
{
    static const char *const texts[] = {
        "(nop2) mad.f32 r17.x, r1.x, r1.x, r37.y\n(rpt2)movs.u8f16 hr<a0.x + 4>, (r)hr33.w, a0.x\nend",
        "sct.u16u16 hr1.z, hr8.x, hr32.x, hr2.x, hr4.x\nmov.u16u16 hr<a0.x + 32>, 5\nadd.f r3.x, r1.x, r1.x\nend",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct assembled out;
        struct gpucode_scheduled scheduled;
        struct gpucode_image *image = image_of(&out, "ir3:a8xx", texts[i]), *again;
        struct gpucode_image_options how = {.target = target_named("ir3:a8xx")};
        struct gpucode_schedule_options options = {.strip = GPUCODE_STRIP_NOTHING};
        unsigned hazards = 0;
        struct gpucode_lint_options lint = {.report = count_hazards, .user = &hazards};
        assert_int_equal(gpucode_lint(image, &lint, NULL), GPUCODE_OK);
        assert_true(hazards > 0);
        assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_OK);
        assert_int_equal(gpucode_image_open(scheduled.bytes, scheduled.size, &how, &again), GPUCODE_OK);
        hazards = 0;
        assert_int_equal(gpucode_lint(again, &lint, NULL), GPUCODE_OK);
        assert_int_equal(hazards, 0);
        gpucode_image_free(again);
        gpucode_scheduled_free(&scheduled);
        gpucode_image_free(image);
        gpucode_program_free(out.program);
    }
}

/* A word at random of a row that has text, `at` instructions into a program of `count`: branches stay in it. */
static uint64_t make_word(const struct gpucode_target *target, uint64_t *seed, unsigned at, unsigned count)
{
    for (;;) {
        struct gpucode_row row;
        struct gpucode_insn insn;
        unsigned char bytes[8];
        uint64_t word = (uint64_t)next_random(seed) << 32 | next_random(seed);
        word &= (uint64_t)next_random(seed) << 32 | next_random(seed);
        if (!gpucode_row(target, next_random(seed) % gpucode_row_count(target), &row) || !strcmp(row.mnemonic, "end"))
            continue;
        word = row.match | (word & ~row.mask & ~row.ignored);
        if (word >> 61 == 0)
            word = (word & ~(uint64_t)UINT32_MAX) | (uint32_t)(next_random(seed) % count - at);
        for (unsigned k = 0; k < 8; k++)
            bytes[k] = (unsigned char)(word >> 8 * k);
        if (gpucode_decode(target, bytes, 8, 0, &insn) == GPUCODE_OK && gpucode_row(target, insn.row, &row) &&
            strcmp(row.mnemonic, ".insn") != 0 && strcmp(row.mnemonic, "chsh") != 0)
            return word;
    }
}

static size_t make_program(const struct gpucode_target *target, uint64_t *seed, unsigned char *bytes, unsigned most)
{
    unsigned count = 2 + next_random(seed) % (most - 2);
    for (unsigned i = 0; i < count; i++) {
        uint64_t word = i + 1 == count ? UINT64_C(0x0300000000000000) : make_word(target, seed, i, count);
        for (unsigned k = 0; k < 8; k++)
            bytes[8 * i + k] = (unsigned char)(word >> 8 * k);
    }
    return (size_t)count * 8;
}

/* What is legal needs nothing: it stays as it is, and counts as it did. */
static void stays(const struct gpucode_image *image, const struct gpucode_scheduled *before)
{
    const struct gpucode_schedule_options options = {.strip = GPUCODE_STRIP_NOTHING};
    struct gpucode_scheduled again;
    assert_int_equal(gpucode_schedule(image, &options, &again), GPUCODE_OK);
    assert_int_equal(again.size, before->size);
    assert_memory_equal(again.bytes, before->bytes, again.size);
    assert_int_equal(again.slots_before, before->slots);
    assert_int_equal(again.slots, before->slots);
    assert_int_equal(again.sync_bits_before, before->sync_bits);
    assert_int_equal(again.sync_bits, before->sync_bits);
    for (uint32_t i = 0; i < again.units; i++)
        assert_int_equal(again.origins[i], i);
    gpucode_scheduled_free(&again);
}

/* Nops repeat as often as compilers have them, unless they did so before. */
static void check_nops(const struct gpucode_scheduled *scheduled, const unsigned char *old)
{
    const unsigned char *now = scheduled->bytes;
    for (uint32_t i = 0; i < scheduled->units; i++) {
        uint32_t origin = scheduled->origins[i];
        unsigned kind = now[8 * i + 7] & 0xe7, code = now[8 * i + 6] >> 7 | (now[8 * i + 7] & 7) << 1;
        unsigned repeat = now[8 * i + 5] & 7, before = origin == GPUCODE_SCHEDULE_NEW ? 0 : old[8 * origin + 5] & 7;
        if (!kind && !code && repeat > 5)
            assert_true(repeat <= before);
    }
}

/* Of what schedule makes of any program lint has no hazard to tell. */
static void schedules_are_legal(void)
{
    static const char *const targets[] = {"ir3:a4xx", "ir3:a5xx", "ir3:a6xx", "ir3:a650", "ir3:a7xx", "ir3:a8xx"};
    enum { MOST = 40 };
    unsigned char bytes[8 * MOST];
    uint64_t seed = 29;
    unsigned done = 0;
    for (unsigned i = 0; i < test_rounds(1500, 18000); i++) {
        struct gpucode_image_options how = {.target = target_named(targets[i % 6])};
        struct gpucode_schedule_options options = {.strip = i / 6 % 2 ? GPUCODE_STRIP_NEEDLESS : GPUCODE_STRIP_NOTHING,
                                                   .reorder = i / 12 % 2};
        struct gpucode_scheduled scheduled;
        struct gpucode_image *image, *again;
        size_t size = make_program(how.target, &seed, bytes, MOST);
        assert_int_equal(gpucode_image_open(bytes, size, &how, &image), GPUCODE_OK);
        if (gpucode_schedule(image, &options, &scheduled) == GPUCODE_OK) {
            unsigned hazards = 0;
            struct gpucode_lint_options lint = {.report = count_hazards, .user = &hazards};
            assert_int_equal(gpucode_image_open(scheduled.bytes, scheduled.size, &how, &again), GPUCODE_OK);
            assert_int_equal(gpucode_lint(again, &lint, NULL), GPUCODE_OK);
            if (hazards)
                print_error("round %u, %s\n", i, targets[i % 6]);
            assert_int_equal(hazards, 0);
            stays(again, &scheduled);
            check_nops(&scheduled, bytes);
            gpucode_image_free(again);
            gpucode_scheduled_free(&scheduled);
            done++;
        }
        gpucode_image_free(image);
    }
    assert_true(done > 500);
}

TESTS(timing, each_rule, each_change, reached_by_index, tied_programs, each_entry, after_the_end, moves_at_once,
      each_declaration, each_choice, each_choice_of_timing, what_is_perhaps_written, schedules_are_legal)
