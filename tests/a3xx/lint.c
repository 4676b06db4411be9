/* SPDX-License-Identifier: MIT */
/* Each rule with a program that breaks it and one that does not; the reference's shaders break none. */
#include "assembling.h"

#include <dirent.h>
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

static void rules(void **state)
{
    (void)state;
    static const struct {
        const char *text, *findings;
    } cases[] = {
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
        /* steps of repeats are counted one by one */
        {"(rpt3)add.f r0.x, (r)r1.x, r2.x\n(rpt3)add.f r3.x, (r)r0.x, r2.x\nend", ""},
        {"(rpt3)add.f r0.x, (r)r1.x, r2.x\nadd.f r3.x, r0.w, r2.x\nend", "a3xx-lint-delay:1"},
        {"(rpt2)add.f r0.x, (r)r1.x, r2.x\n(rpt2)add.f r3.x, (r)r0.x, r2.x\nend", "a3xx-lint-delay:1"},
        /* around a loop: the second time the result is too young */
        {"top: add.f r0.y, r0.x, r1.x\nbr p0.x, #out\nadd.f r0.x, r1.x, r1.y\njump #top\nout: end",
         "a3xx-lint-delay:0"},
        {"top: add.f r0.y, r0.x, r1.x\nbr p0.x, #out\nadd.f r0.x, r1.x, r1.y\nnop\nnop\njump #top\nout: end", ""},
        /* a3xx-lint-ss, a3xx-lint-ss-special, a3xx-lint-sy, a3xx-lint-in-use */
        {"rcp r0.x, r1.x\nadd.f r0.y, r0.x, r1.y\nend", "a3xx-lint-ss:1"},
        {"rcp r0.x, r1.x\n(ss)add.f r0.y, r0.x, r1.y\nend", ""},
        {"rcp r0.x, r1.x\nrcp r0.y, r0.x\nend", "a3xx-lint-ss-special:1"},
        {"rcp r0.x, r1.x\n(ss)rcp r0.y, r0.x\nend", ""},
        {"rcp r0.x, r1.x\nrcp r0.y, r0.x\nadd.f r0.z, r0.x, r1.y\nend", "a3xx-lint-ss-special:1 a3xx-lint-ss:2"},
        {"rcp r0.x, r1.x\nmov.f32f32 r0.x, r2.x\nend", "a3xx-lint-ss:1"},
        {"sam (f32)(xz)r0.x, r1.x, s#0, t#0\nadd.f r2.x, r0.y, r0.z\nend", "a3xx-lint-sy:1"},
        {"sam (f32)(xz)r0.x, r1.x, s#0, t#0\nadd.f r2.x, r0.y, r0.w\nend", ""},
        {"sam (f32)(xz)r0.x, r1.x, s#0, t#0\n(sy)add.f r2.x, r0.y, r0.z\nend", ""},
        {"ldg.f32 r0.x, g[r1.x], 2\nadd.f r2.x, r0.y, r3.z\nend", "a3xx-lint-sy:1"},
        {"ldl.f32 r0.x, l[r1.x], 2\nadd.f r2.x, r0.y, r3.z\nend", "a3xx-lint-ss:1"},
        {"rcp r0.x, r1.x\nmov.f32f32 r1.x, r2.x\nend", "a3xx-lint-in-use:1"},
        {"rcp r0.x, r1.x\n(ss)mov.f32f32 r1.x, r2.x\nend", ""},
        /* on one of two paths only */
        {"br p0.x, #join\nrcp r0.x, r1.x\njoin: add.f r2.x, r0.x, r3.x\nend", "a3xx-lint-ss:2"},
        {"ldl.f32 r0.x, l[r1.x], 1\nbr p0.x, #join\n(ss)rcp r0.x, r1.y\njoin: rcp r2.x, r0.x\nend", "a3xx-lint-ss:3"},
        /* a3xx-lint-unreachable, a3xx-lint-no-end, a3xx-lint-word, a3xx-lint-step, a3xx-lint-target */
        {"jump #out\nadd.f r0.x, r0.x, r0.y\nout: end\nnop\nnop", "a3xx-lint-unreachable:1"},
        {"top: nop\njump #top", "a3xx-lint-no-end:1"},
        {".insn 0xe0000000_00000000\nend", "a3xx-lint-word:0"},
        {"add.f r0.x, (r)r1.x, r0.y\nend", "a3xx-lint-step:0"},
        {"(rpt1)add.f r0.x, (r)r1.x, r3.y\nend", ""},
        {"br p0.x, #5\nend", "a3xx-lint-target:0"},
        {"br p0.x, #-1\nend", "a3xx-lint-target:0"},
        {"br p0.x, #1\nend", ""},
        {"add.f r0.x, r0.y, r0.z\n(ss)nop\nend", "a3xx-lint-useless-ss:1"},
        {"(ss)(sy)nop\nrcp r0.x, r0.y\n(ss)nop\nend", ""},
        {"rcp r0.x, r0.y\n(sy)nop\nend", "a3xx-lint-useless-sy:1"},
        {"sam (f32)(x)r0.x, r1.x, s#0, t#0\n(sy)nop\nend", ""},
        {"br p0.x, #join\nrcp r0.x, r0.y\njoin: (ss)nop\nend", ""}, /* of use on one path */
        /* (ei): once, on the last bary.f that runs */
        {"bary.f (ei)r0.x, 0, r1.x\nbary.f r0.y, 1, r1.x\nend", "a3xx-lint-behind-ei:1 a3xx-lint-no-ei:2"},
        {"bary.f (ei)r0.x, 0, r1.x\nbary.f (ei)r0.y, 1, r1.x\nend", "a3xx-lint-behind-ei:1"},
        {"bary.f r0.x, 0, r1.x\nend", "a3xx-lint-no-ei:1"},
        {"br p0.x, #over\nbary.f (ei)r0.x, 0, r1.x\nover: end", ""},
        {"br p0.x, #over\nbary.f r0.x, 0, r1.x\nover: end", "a3xx-lint-no-ei:2"},
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
        /* what a function leaves comes out behind its call */
        {"call #f\nadd.f r0.y, r0.x, r1.x\nend\nf: add.f r0.x, r1.x, r1.y\nret", "a3xx-lint-delay:1"},
        {"call #f\nadd.f r0.y, r0.x, r1.x\nend\nf: add.f r0.x, r1.x, r1.y\n(rpt1)nop\nret", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        assemble_text(&out, cases[i].text, "a3xx");
        assert_int_equal(out.status, GPUCODE_OK);
        findings(gpucode_program_bytes(out.program), gpucode_program_size(out.program), out.program);
        if (strcmp(found, cases[i].findings) != 0)
            print_error("%s\n", cases[i].text);
        assert_string_equal(found, cases[i].findings);
        gpucode_program_free(out.program);
    }
}

static void shaders(void **state)
{
    (void)state;
    const char *vectors = vectors_folder();
    static const char *const subs[] = {"shaders", "execution"};
    for (unsigned i = 0; vectors && i < 2; i++) {
        char folder[1024], path[1400];
        snprintf(folder, sizeof folder, "%s/a3xx/%s", vectors, subs[i]);
        DIR *directory = opendir(folder);
        for (struct dirent *entry; directory && (entry = readdir(directory));) {
            size_t length = strlen(entry->d_name), size;
            if (length < 5 || strcmp(entry->d_name + length - 4, ".bin") != 0)
                continue;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            char *bytes = read_whole(path, &size);
            assert_non_null(bytes);
            if (*findings(bytes, size, NULL))
                print_error("%s: %s\n", entry->d_name, found);
            assert_string_equal(found, "");
            free(bytes);
        }
        if (directory)
            closedir(directory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules), cmocka_unit_test(shaders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
