/* SPDX-License-Identifier: MIT */
/* Each rule with a program that breaks it and one that does not; the reference's shaders break none. */
#include "assembling.h"
#include "shaders.h"

#include <gpucode/lint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char found[1024];

static void note(void *user, const struct gpucode_finding *finding)
{
    (void)user;
    assert_non_null(finding->reason);
    assert_non_null(finding->reference);
    if (!finding->fix)
        fail_msg("%s without a fix", finding->code);
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "%s%s:%u", used ? " " : "", finding->code, (unsigned)finding->unit);
}

/* `program` may be null: where declarations come from. */
static const char *findings(const void *bytes, size_t size, const struct gpucode_program *program)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_declaration declarations[8];
    struct gpucode_lint_options how = {.report = note, .declarations = declarations};
    struct gpucode_image *image;
    while (program && how.declaration_count < 8 &&
           gpucode_program_declaration(program, how.declaration_count, &declarations[how.declaration_count]))
        how.declaration_count++;
    found[0] = 0;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_lint(image, &how, NULL), GPUCODE_OK);
    gpucode_image_free(image);
    return found;
}

static void rules(void)
{
    static const struct text_case cases[] = {
        /* a3xx-lint-delay: three slots, one for the third source of mad, six for the rest */
        {"add.f r0.x, r1.x, r1.y\n(rpt1)nop\nadd.f r0.y, r0.x, r1.x\nend", "a3xx-lint-delay:2"},
        {"add.f r0.x, r1.x, r1.y\n(rpt2)nop\nadd.f r0.y, r0.x, r1.x\nend", ""},
        {"mul.f r0.x, r1.x, r1.y\nmad.f32 r0.x, r1.x, r1.y, r0.x\nend", "a3xx-lint-delay:1"},
        {"mul.f r0.x, r1.x, r1.y\nnop\nmad.f32 r0.x, r1.x, r1.y, r0.x\nend", ""},
        {"mul.f r0.x, r1.x, r1.y\nnop\nsel.b32 r0.x, r1.x, r1.y, r0.x\nend", "a3xx-lint-delay:2"},
        {"mul.f r0.x, r1.x, r1.y\n(rpt4)nop\nrcp r0.y, r0.x\nend", "a3xx-lint-delay:2"},
        {"mul.f r0.x, r1.x, r1.y\n(rpt5)nop\nrcp r0.y, r0.x\nend", ""},
        {"mul.f hr0.x, hr1.x, hr1.y\nadd.f r0.y, r0.x, r1.x\nend", ""},
        {"mova a0.x, hr0.x\n(rpt4)nop\nmov.f32f32 r0.x, c<a0.x>\nend", "a3xx-lint-delay:2"},
        {"mova a0.x, hr0.x\n(rpt5)nop\nmov.f32f32 r0.x, c<a0.x>\nend", ""},
        {"cmps.s.eq p0.x, r0.x, 0\n(rpt4)nop\nkill p0.x\nend", "a3xx-lint-delay:2"},
        {"cmps.s.eq p0.x, r0.x, 0\n(rpt5)nop\nkill p0.x\nend", ""},
        /* the greatest number that an immediate holds */
        {"mov.u32u32 r0.x, 2147483647\nend", ""},
        {"(rpt3)mov.u32u32 r0.x, 2147483647\nend", ""},
        /* steps of repeats are counted one by one */
        {"(rpt3)add.f r0.x, (r)r1.x, r2.x\n(rpt3)add.f r3.x, (r)r0.x, r2.x\nend", ""},
        {"(rpt3)add.f r0.x, (r)r1.x, r2.x\nadd.f r3.x, r0.w, r2.x\nend", "a3xx-lint-delay:1"},
        {"(rpt2)add.f r0.x, (r)r1.x, r2.x\n(rpt2)add.f r3.x, (r)r0.x, r2.x\nend", "a3xx-lint-delay:1"},
        /* around a loop: the second time the result is too young */
        {"top: (jp)add.f r0.y, r0.x, r1.x\nbr p0.x, #out\nadd.f r0.x, r1.x, r1.y\njump #top\nout: (jp)end",
         "a3xx-lint-delay:0"},
        {"top: (jp)add.f r0.y, r0.x, r1.x\nbr p0.x, #out\nadd.f r0.x, r1.x, r1.y\nnop\nnop\njump #top\nout: (jp)end",
         ""},
        /* a3xx-lint-ss, a3xx-lint-ss-special, a3xx-lint-sy, a3xx-lint-in-use */
        {"rcp r0.x, r1.x\nadd.f r0.y, r0.x, r1.y\nend", "a3xx-lint-ss:1"},
        {"rcp r0.x, r1.x\n(ss)add.f r0.y, r0.x, r1.y\nend", ""},
        {"rcp r0.x, r1.x\nrcp r0.y, r0.x\nend", "a3xx-lint-ss-special:1"},
        {"rcp r0.x, r1.x\n(ss)rcp r0.y, r0.x\nend", ""},
        {"rcp r0.x, r1.x\nrcp r0.y, r0.x\nadd.f r0.z, r0.x, r1.y\nend", "a3xx-lint-ss-special:1 a3xx-lint-ss:2"},
        {"ldl.f32 r0.x, l[r1.x], 1\nbr p0.x, #join\n(ss)rcp r0.x, r1.y\njoin: (jp)rcp r2.x, r0.x\nend",
         "a3xx-lint-ss:3"},
        {"rcp r0.x, r1.x\nmov.f32f32 r0.x, r2.x\nend", "a3xx-lint-ss:1"},
        {"sam (f32)(xz)r0.x, r1.x, s#0, t#0\nadd.f r2.x, r0.y, r0.z\nend", "a3xx-lint-sy:1"},
        {"sam (f32)(xz)r0.x, r1.x, s#0, t#0\nadd.f r2.x, r0.y, r0.w\nend", ""},
        {"sam (f32)(xz)r0.x, r1.x, s#0, t#0\n(sy)add.f r2.x, r0.y, r0.z\nend", ""},
        {"ldg.f32 r0.x, g[r1.x], 2\nadd.f r2.x, r0.y, r3.z\nend", "a3xx-lint-sy:1"},
        {"ldl.f32 r0.x, l[r1.x], 2\nadd.f r2.x, r0.y, r3.z\nend", "a3xx-lint-ss:1"},
        {"rcp r0.x, r1.x\nmov.f32f32 r1.x, r2.x\nend", "a3xx-lint-in-use:1"},
        {"rcp r0.x, r1.x\n(ss)mov.f32f32 r1.x, r2.x\nend", ""},
        /* on one of two paths only */
        {"br p0.x, #join\nrcp r0.x, r1.x\njoin: (jp)add.f r2.x, r0.x, r3.x\nend", "a3xx-lint-ss:2"},
        /* a3xx-lint-unreachable, a3xx-lint-no-end, a3xx-lint-word, a3xx-lint-step, a3xx-lint-target */
        {"jump #out\nadd.f r0.x, r0.x, r0.y\nout: (jp)end\nnop\nnop", "a3xx-lint-unreachable:1"},
        {"top: (jp)nop\njump #top", "a3xx-lint-no-end:1"},
        {".insn 0xe0000000_00000000\nend", "a3xx-lint-word:0"},
        {"add.f r0.x, (r)r1.x, r0.y\nend", "a3xx-lint-step:0"},
        {"(rpt1)add.f r0.x, (r)r1.x, r3.y\nend", ""},
        {"br p0.x, #5\nend", "a3xx-lint-target:0"},
        {"br p0.x, #-1\nend", "a3xx-lint-target:0"},
        {"br p0.x, #1\n(jp)end", ""},
        {"add.f r0.x, r0.y, r0.z\n(ss)nop\nend", "a3xx-lint-useless-ss:1"},
        {"(ss)(sy)nop\nrcp r0.x, r0.y\n(ss)nop\nend", ""},
        {"rcp r0.x, r0.y\n(sy)nop\nend", "a3xx-lint-useless-sy:1"},
        {"sam (f32)(x)r0.x, r1.x, s#0, t#0\n(sy)nop\nend", ""},
        {"br p0.x, #join\nrcp r0.x, r0.y\njoin: (jp)(ss)nop\nend", ""}, /* of use on one path */
        /* (ei): once, on the last bary.f that runs */
        {"bary.f (ei)r0.x, 0, r1.x\nbary.f r0.y, 1, r1.x\nend", "a3xx-lint-behind-ei:1"},
        {"bary.f (ei)r0.x, 0, r1.x\nbary.f (ei)r0.y, 1, r1.x\nend", "a3xx-lint-behind-ei:1"},
        {"bary.f r0.x, 0, r1.x\nend", "a3xx-lint-no-ei:1"},
        {"br p0.x, #over\nbary.f (ei)r0.x, 0, r1.x\nover: (jp)end", ""},
        {"br p0.x, #over\nbary.f r0.x, 0, r1.x\nover: (jp)end", "a3xx-lint-no-ei:2"},
        {"bary.f r0.x, 0, r1.x\nbary.f (ei)r0.y, 1, r1.x\nend", ""},
        /* registers that nothing wrote, where the source declares its inputs (the half of a register is another) */
        {"@in(r0.x-r0.y) a\nadd.f r1.x, r0.x, r0.z\nend", "a3xx-lint-unwritten:0"},
        {"@in(hr0.x-hr0.y) a\nadd.f r1.x, r0.x, r0.x\nend", "a3xx-lint-unwritten:0"},
        {"@in(r0.x-r0.y) a\nmov.f32f32 r0.z, c0.x\n(rpt2)nop\nadd.f r1.x, r0.x, r0.z\nend", ""},
        {"@const(c0.x) 1.0\nadd.f r1.x, r0.x, r0.z\nend", ""},
        {"@in(r1.x) a\nbary.f (ei)r2.x, 0, r0.x\nend", ""},
        /* (ul) */
        {"mov.f32f32 r0.x, c<a0.x>\n(ul)mov.f32f32 r0.x, c<a0.x + 1>\nmov.f32f32 r0.x, c<a0.x + 2>\nend",
         "a3xx-lint-released:2"},
        {"(ul)mov.f32f32 r0.x, c<a0.x>\nmova a0.x, hr0.x\n(rpt5)nop\nmov.f32f32 r0.x, c<a0.x>\nend", ""},
        /* past the last register or const */
        {"(rpt1)mov.f32f32 r60.w, (r)c0.x\nend", "a3xx-lint-beyond:0"},
        {"(rpt1)mov.f32f32 r0.x, (r)c511.w\nend", "a3xx-lint-beyond:0"},
        {"(rpt1)mov.f32f32 r60.z, (r)c511.z\nend", ""},
        {"(rpt1)mul.f r0.x, r1.x, (r)(2.0)\nend", "a3xx-lint-step:0"}, /* a table's entry does not step */
        /* operands of words that no assembler lets through */
        {".insn 0x40100000_10041000\nend", "a3xx-lint-consts:0"},
        {"add.f r0.x, c0.x, r1.x\nend", ""},
        {".insn 0x42300000_20002000\nend", "a3xx-lint-immediates:0"},
        {"add.s r0.x, r0.y, 1\nend", ""},
        {".insn 0x80100000_00001000\nend", "a3xx-lint-special-source:0"},
        {"rcp r0.x, r1.x\nend", ""},
        {".insn 0x20064000_00000800\nend", "a3xx-lint-both-relative:0"},
        {"mov.f32f32 r<a0.x + 4>, c0.x\nend", ""},
        /* p0, a0 and repeats */
        {"(rpt3)cmps.s.eq p0.x, (r)r0.x, 0\n(rpt4)nop\nkill p0.x\nend", ""},
        {"(rpt3)cmps.s.eq p0.x, (r)r0.x, 0\n(rpt4)nop\nkill p0.w\nend", "a3xx-lint-delay:2"},
        {"cmps.s.eq p0.x, r0.x, 0\nkill p0.y\nend", ""},
        {"cmps.s.eq p0.x, r0.x, 0\n(rpt4)nop\nbr !p0.x, #1\n(jp)end", "a3xx-lint-delay:2"},
        {"mova a0.x, hr0.x\n(rpt4)nop\nmov.f32f32 r<a0.x>, c0.x\nend", "a3xx-lint-delay:2"},
        {"(rpt1)add.f r0.y, (r)r0.x, r1.x\nend", "a3xx-lint-delay:0"}, /* its own result */
        {"(rpt1)add.f r0.x, (r)r0.y, r1.x\nend", ""},                  /* read before it is written */
        {"(rpt3)mul.f r0.x, (r)r1.x, r2.x\n(rpt3)mad.f32 r3.x, (r)r4.x, r2.x, (r)r0.x\nend", ""},
        {"(rpt1)mul.f r0.x, (r)r1.x, r2.x\n(rpt1)mad.f32 r3.x, (r)r4.x, r2.x, (r)r0.x\nend", ""},
        {"mul.f r0.x, r1.x, r2.x\n(rpt1)mad.f32 r3.x, (r)r4.x, r2.x, r0.x\nend", "a3xx-lint-delay:1"},
        {"mul.f r0.x, r1.x, r2.x\nnop\nmad.f32 r3.x, r0.x, r2.x, r0.x\nend", "a3xx-lint-delay:2"},
        {"mul.f r0.x, r1.x, r2.x\n(rpt1)nop\nsad.s32 r3.x, hr4.x, hr2.x, hr0.x\nend", ""},
        {"mul.f hr0.x, hr1.x, hr2.x\n(rpt1)nop\nsad.s32 hr3.x, hr4.x, hr2.x, hr0.x\nend", "a3xx-lint-delay:2"},
        {"mul.f r0.x, r1.x, r2.x\n(rpt2)nop\nstg.f32 g[r1.x], r0.x, 1\nend", "a3xx-lint-delay:2"},
        {"mul.f r0.y, r1.x, r2.x\n(rpt2)nop\nstg.f32 g[r1.x], r0.x, 2\nend", "a3xx-lint-delay:2"},
        {"mul.f r1.y, r1.x, r2.x\n(rpt4)nop\nsam (f32)(x)r0.x, r1.x, s#0, t#0\nend", "a3xx-lint-delay:2"},
        {"mul.f r1.z, r1.x, r2.x\n(rpt4)nop\nsam (f32)(x)r0.x, r1.x, s#0, t#0\nend", ""},
        {"mul.f hr2.y, hr1.x, hr2.x\nsam.s2en (f32)(x)r0.x, r1.x, hr2.x\nend", "a3xx-lint-delay:1"},
        {"mul.f r0.x, r1.x, r1.y\nbary.f (ei)r2.x, 0, r0.x\nend", "a3xx-lint-delay:1"},
        {"mul.f r0.y, r1.x, r1.y\nbary.f (ei)r2.x, 0, r0.x\nend", "a3xx-lint-delay:1"},
        /* written again: arithmetic keeps its order, other units do not */
        {"add.f r0.x, r1.x, r1.y\nadd.f r0.x, r1.z, r1.y\nend", ""},
        {"sam (f32)(xy)r0.x, r1.x, s#0, t#0\nmov.f32f32 r0.y, c0.x\nend", "a3xx-lint-sy:1"},
        {"sam (f32)(xy)r0.x, r1.x, s#0, t#0\nsam (f32)(y)r0.x, r2.x, s#0, t#0\nend", "a3xx-lint-sy:1"},
        {"sam (f32)(xy)r0.x, r1.x, s#0, t#0\nmov.f32f32 r1.y, c0.x\nend", "a3xx-lint-in-use:1"},
        {"sam (f32)(xy)r0.x, r1.x, s#0, t#0\n(sy)mov.f32f32 r1.y, c0.x\nend", "a3xx-lint-in-use:1"},
        {"stg.f32 g[r1.x], r2.x, 2\nmov.f32f32 r2.y, c0.x\nend", "a3xx-lint-in-use:1"},
        {"stg.f32 g[r1.x], r2.x, 2\nmov.f32f32 r2.z, c0.x\nend", ""},
        {"rcp r0.x, r1.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend", "a3xx-lint-ss:1"},
        {"rcp r0.x, r1.x\n(ss)nop\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend", ""},
        {"rcp r0.x, r1.x\nend", ""}, /* results need no delay before the end */
        {"sam (f32)(xyzw)r0.x, r1.x, s#0, t#0\nend", ""},
        {"(rpt1)rcp r0.y, (r)r0.x\nend", "a3xx-lint-ss-special:0"}, /* its own result */
        /* both units at once, and each named: the texture on one path, the special function on the other */
        {"br p0.x, #other\nrcp r0.x, r1.x\njump #join\nother: (jp)sam (f32)(x)r0.x, r1.x, s#0, t#0\n"
         "join: (jp)add.f r2.x, r0.x, r3.x\nend",
         "a3xx-lint-ss:4 a3xx-lint-sy:4"},
        /* a store may be what (sy) waits for */
        {"stg.f32 g[r1.x], r2.x, 2\n(sy)ldg.f32 r3.x, g[r1.x], 1\nend", ""},
        {"ldg.f32 r2.x, g[r1.x], 1\n(sy)nop\n(sy)nop\nend", "a3xx-lint-useless-sy:2"},
        /* relative operands: an immediate in a0.x says which register it is */
        {"mova a0.x, 4\nadd.f r1.y, r2.x, r2.y\n(rpt4)nop\nadd.f r1.y, r2.x, r2.y\nmov.f32f32 r0.x, r<a0.x + 1>\nend",
         "a3xx-lint-delay:4"},
        {"mova a0.x, 4\nadd.f r1.y, r2.x, r2.y\n(rpt4)nop\nadd.f r1.z, r2.x, r2.y\nmov.f32f32 r0.x, r<a0.x + 1>\nend",
         ""},
        {"mova a0.x, 4\n(rpt5)nop\nmov.f32f32 r<a0.x + 1>, c0.x\nadd.f r2.x, r1.y, r2.y\nend", "a3xx-lint-delay:3"},
        {"mova a0.x, 4\nrcp r1.y, r2.x\n(rpt5)nop\nmov.f32f32 r0.x, r<a0.x + 1>\nend", "a3xx-lint-ss:3"},
        {"mova a0.x, 4\nrcp r1.z, r1.y\n(rpt5)nop\nmov.f32f32 r<a0.x + 1>, c0.x\nend", "a3xx-lint-in-use:3"},
        /* else the same offset is the same register, until a0.x is written */
        {"mov.f32f32 r<a0.x + 1>, c0.x\nnop\nmov.f32f32 r0.x, r<a0.x + 1>\nend", "a3xx-lint-delay:2"},
        {"mov.f32f32 r<a0.x + 1>, c0.x\n(rpt2)nop\nmov.f32f32 r0.x, r<a0.x + 1>\nend", ""},
        {"mov.f32f32 r<a0.x + 1>, c0.x\nmov.f32f32 r0.x, r<a0.x + 2>\nend", ""},
        {"(rpt1)mov.f32f32 r<a0.x + 1>, c0.x\nmov.f32f32 r0.x, r<a0.x + 2>\nend", "a3xx-lint-delay:1"},
        {"mov.f32f32 r<a0.x + 1>, c0.x\nmov.f16f16 hr0.x, hr<a0.x + 1>\nend", ""},
        {"rcp r0.x, r<a0.x + 1>\nmov.f32f32 r<a0.x + 1>, c0.x\nend", "a3xx-lint-in-use:1"},
        {"rcp r0.x, r<a0.x + 1>\n(ss)mov.f32f32 r<a0.x + 1>, c0.x\nend", ""},
        {"add.f r1.x, r2.x, r2.y\nmov.f32f32 r0.x, r<a0.x + 1>\nend", ""}, /* may be, need not be */
        /* more than one register in a row */
        {"sam (f32)(xyzw)r60.z, r1.x, s#0, t#0\nend", "a3xx-lint-beyond:0"},
        /* nops after the end are padding, wherever it is; other code is not */
        {"end\nnop\nnop\nnop", ""},
        {"end\nnop\nadd.f r0.x, r1.x, r1.y", "a3xx-lint-unreachable:1"},
        {"br p0.x, #2\nend\n(jp)add.f r0.x, r1.x, r1.y", "a3xx-lint-runs-out:2"},
        /* what a function leaves comes out after its call */
        {"call #f\nadd.f r0.y, r0.x, r1.x\nend\nf: add.f r0.x, r1.x, r1.y\nret", "a3xx-lint-delay:1"},
        {"call #f\nadd.f r0.y, r0.x, r1.x\nend\nf: add.f r0.x, r1.x, r1.y\n(rpt1)nop\nret", ""},
    };
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        assemble_text(&out, cases[i].text, "a3xx");
        if (out.status != GPUCODE_OK)
            fail_msg("%s", cases[i].text);
        findings(gpucode_program_bytes(out.program), gpucode_program_size(out.program), out.program);
        if (strcmp(found, cases[i].expected) != 0) {
            print_error("%s\n  found: %s\n  wanted: %s\n", cases[i].text, found, cases[i].expected);
            wrong++;
        }
        gpucode_program_free(out.program);
    }
    assert_int_equal(wrong, 0);
}

/* Every rule has a program that breaks it, and one that does not. */
static const struct {
    const char *code, *wrong, *right;
} rule_pairs[] = {
    {"a3xx-lint-delay", "add.f r0.x, r1.x, r1.y\nrcp r2.x, r0.x\nend",
     "add.f r0.x, r1.x, r1.y\n(rpt5)nop\nrcp r2.x, r0.x\nend"},
    {"a3xx-lint-ss", "rcp r0.x, r1.x\nadd.f r2.x, r0.x, r1.y\nend", "rcp r0.x, r1.x\n(ss)add.f r2.x, r0.x, r1.y\nend"},
    {"a3xx-lint-ss-special", "rcp r0.x, r1.x\nrsq r2.x, r0.x\nend", "rcp r0.x, r1.x\n(ss)rsq r2.x, r0.x\nend"},
    {"a3xx-lint-sy", "dsx (f32)(x)r0.x, r1.x\nadd.f r2.x, r0.x, r1.y\nend",
     "dsx (f32)(x)r0.x, r1.x\n(sy)add.f r2.x, r0.x, r1.y\nend"},
    {"a3xx-lint-in-use", "dsx (f32)(x)r0.x, r1.x\nadd.f r1.x, r2.x, r1.y\nend",
     "dsx (f32)(x)r0.x, r1.x\n(ss)add.f r1.x, r2.x, r1.y\nend"},
    {"a3xx-lint-unreachable", "end\nadd.f r1.x, r2.x, r1.y\nend", "br p0.x, #2\nend\n(jp)add.f r1.x, r2.x, r1.y\nend"},
    {"a3xx-lint-no-end", "add.f r1.x, r2.x, r1.y\nnop", "add.f r1.x, r2.x, r1.y\nend\nnop"},
    {"a3xx-lint-word", ".insn 0xe0000000_00000000\nend", ".insn 0x00000000_00000000\nend"},
    {"a3xx-lint-step", "rcp r0.x, (r)r1.x\nend", "(rpt1)rcp r0.x, (r)r1.x\nend"},
    {"a3xx-lint-target", "jump #-1\nend", "jump #1\n(jp)end"},
    {"a3xx-lint-useless-ss", "nop\n(ss)nop\nend", "(ss)nop\nrcp r0.x, r1.x\n(ss)nop\nend"},
    {"a3xx-lint-useless-sy", "rcp r0.x, r1.x\n(sy)nop\nend", "(sy)rcp r0.x, r1.x\nend"},
    {"a3xx-lint-behind-ei", "bary.f (ei)r0.x, 0, r1.x\nbary.f (ei)r0.y, 1, r1.x\nend",
     "bary.f r0.x, 0, r1.x\nbary.f (ei)r0.y, 1, r1.x\nend"},
    {"a3xx-lint-no-ei", "bary.f r0.x, 0, r1.x\nend", "(rpt1)bary.f (ei)r0.x, (r)0, r1.x\nend"},
    {"a3xx-lint-unwritten", "@attribute(r1.x-r1.y) a\nadd.f r0.x, r1.x, r1.z\nend",
     "@attribute(r1.x-r1.z) a\nadd.f r0.x, r1.x, r1.z\nend"},
    {"a3xx-lint-released", "(ul)mov.f32f32 r0.x, c<a0.x>\nmov.f32f32 r<a0.x>, c0.x\nend",
     "mov.f32f32 r0.x, c<a0.x>\n(ul)mov.f32f32 r<a0.x>, c0.x\nend"},
    {"a3xx-lint-beyond", "(rpt3)mov.f32f32 r60.y, c0.x\nend", "(rpt3)mov.f32f32 r60.x, c0.x\nend"},
    {"a3xx-lint-consts", ".insn 0x40100000_10041000\nend", "add.f r0.x, c0.x, (1.0)\nend"},
    {"a3xx-lint-immediates", ".insn 0x42300000_20002000\nend", "add.s r0.x, c0.x, 1\nend"},
    {"a3xx-lint-special-source", ".insn 0x80100000_00001000\nend", "rcp r0.x, r1.x\nend"},
    {"a3xx-lint-both-relative", ".insn 0x20064000_00000800\nend", "mov.f32f32 r<a0.x + 4>, c0.x\nend"},
    {"a3xx-lint-outside", "mova a0.x, -5\n(rpt5)nop\nmov.f32f32 r0.x, c<a0.x + 4>\nend",
     "mova a0.x, -5\n(rpt5)nop\nmov.f32f32 r0.x, c<a0.x + 5>\nend"},
    {"a3xx-lint-no-jp", "br p0.x, #1\nend", "br p0.x, #1\n(jp)end"},
    {"a3xx-lint-runs-out", "br p0.x, #2\nend\n(jp)nop", "br p0.x, #2\nend\n(jp)end"},
};

static void each_rule(void)
{
    static const char *const codes[] = {
#define MESSAGE(id, code, severity, text, explanation) code,
#include "library_messages.def"
#undef MESSAGE
    };
    unsigned found_codes = 0, pairs = sizeof rule_pairs / sizeof *rule_pairs;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        bool known = false;
        if (strncmp(codes[i], "a3xx-lint-", 10) != 0)
            continue;
        for (unsigned k = 0; k < pairs; k++)
            known |= strcmp(rule_pairs[k].code, codes[i]) == 0;
        if (!known)
            fail_msg("%s has no examples", codes[i]);
        found_codes++;
    }
    assert_int_equal(found_codes, pairs);
    for (unsigned i = 0; i < pairs; i++)
        for (unsigned right = 0; right < 2; right++) {
            struct assembled out;
            const char *text = right ? rule_pairs[i].right : rule_pairs[i].wrong;
            char code[80];
            snprintf(code, sizeof code, "%s:", rule_pairs[i].code); /* not a3xx-lint-ss-special for a3xx-lint-ss */
            assemble_text(&out, text, "a3xx");
            assert_int_equal(out.status, GPUCODE_OK);
            findings(gpucode_program_bytes(out.program), gpucode_program_size(out.program), out.program);
            if (right ? *found : !strstr(found, code))
                fail_msg("%s: %s\n%s", rule_pairs[i].code, found, text);
            gpucode_program_free(out.program);
        }
}

/* Which instructions, how many slots, and what to do. */
static void note_details(void *user, const struct gpucode_finding *finding)
{
    (void)user;
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "%s%u<%d slots %u operand %u %s", used ? "; " : "",
             (unsigned)finding->unit, finding->has_other ? (int)finding->other : -1, finding->slots, finding->operand,
             finding->fix ? finding->fix : "-");
}

static void details(void)
{
    static const struct text_case cases[] = {
        {"nop\n(ul)mov.f32f32 r0.x, c<a0.x>\nmov.f32f32 r0.y, c<a0.x + 2>\nend",
         "2<1 slots 0 operand 2 move (ul) to the last user of a0.x"},
        {"add.f r0.x, r1.x, r1.y\nadd.f r0.y, r1.x, r0.x\nend", "1<0 slots 3 operand 3 put (rpt2)nop in front of it"},
        {"add.f r0.x, r1.x, r1.y\nadd.f r0.y, r1.x, r1.y\nnop\nadd.f r2.x, r0.x, r0.y\nend",
         "3<1 slots 2 operand 3 put (rpt1)nop in front of it"},
        {"mul.f r0.x, r1.x, r1.y\nmad.f32 r2.x, r1.x, r1.y, r0.x\nend",
         "1<0 slots 1 operand 4 put a nop in front of it"},
        {"cmps.s.eq p0.x, r0.x, 0\nkill p0.x\nend", "1<0 slots 6 operand 1 put (rpt5)nop in front of it"},
        {"mova a0.x, hr0.x\nmov.f32f32 r0.x, c<a0.x>\nend", "1<0 slots 6 operand 2 put (rpt5)nop in front of it"},
        {"mova a0.x, hr0.x\nmov.f32f32 r<a0.x>, c0.x\nend", "1<0 slots 6 operand 1 put (rpt5)nop in front of it"},
        {"mul.f r0.x, r1.x, r1.y\nstg.f32 g[r1.x], r0.x, 1\nend", "1<0 slots 6 operand 2 put (rpt5)nop in front of it"},
        {"(rpt1)add.f r0.y, (r)r0.x, r1.x\nend",
         "0<0 slots 3 operand 2 nothing in front of it helps: write the steps as instructions of their own"},
        {"rcp r0.x, r1.x\nnop\nadd.f r0.y, r2.x, r0.x\nend", "2<0 slots 0 operand 3 set (ss) on it"},
        {"rcp r0.x, r1.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend",
         "1<0 slots 0 operand 2 set (ss) on a nop in front of it: it has no (ss) itself"},
        {"sam (f32)(x)r2.x, r0.x, s#0, t#0\nmov.f32f32 r2.x, r4.x\nend", "1<0 slots 0 operand 1 set (sy) on it"},
        {"rcp r0.x, r1.x\nrcp r0.y, r1.x\nmov.f32f32 r1.x, r4.x\nend", "2<1 slots 0 operand 1 set (ss) on it"},
        {"nop\n(ss)nop\nend", "1<-1 slots 0 operand 0 remove (ss)"},
        {"nop\nnop\nbr p0.x, #1\nend", "3<2 slots 0 operand 0 set (jp) on it"},
        /* paths: the one that arithmetic wrote and the one that a special function delivers are told apart */
        {"br p0.x, #3\nrcp r0.x, r1.x\njump #2\n(jp)mov.f32f32 r0.x, c0.x\n(jp)add.f r2.x, r0.x, r3.x\nend",
         "4<3 slots 3 operand 2 put (rpt2)nop in front of it; 4<1 slots 0 operand 2 set (ss) on it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        struct gpucode_lint_options how = {.report = note_details};
        struct gpucode_image *image;
        assemble_text(&out, cases[i].text, "a3xx");
        assert_int_equal(out.status, GPUCODE_OK);
        image = image_made(&out, "a3xx");
        found[0] = 0;
        assert_int_equal(gpucode_lint(image, &how, NULL), GPUCODE_OK);
        assert_string_equal(found, cases[i].expected);
        gpucode_image_free(image);
        gpucode_program_free(out.program);
    }
}

static void no_findings(void *user, const char *folder, const char *name, const char *bytes, size_t size)
{
    (void)user;
    (void)folder;
    if (*findings(bytes, size, NULL))
        print_error("%s: %s\n", name, found);
    assert_string_equal(found, "");
}

static void shaders(void)
{
    if (shaders_each("shaders", no_findings, NULL) + shaders_each("execution", no_findings, NULL) == 0)
        skip();
}

TESTS(lint, rules, each_rule, details, shaders)
