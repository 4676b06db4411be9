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

static const char *findings(const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_lint_options how = {.report = note};
    struct gpucode_image *image;
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
        /* a3xx-lint-unreachable, a3xx-lint-no-end, a3xx-lint-word, a3xx-lint-step, a3xx-lint-target */
        {"jump #out\nadd.f r0.x, r0.x, r0.y\nout: end\nnop\nnop", "a3xx-lint-unreachable:1"},
        {"top: nop\njump #top", "a3xx-lint-no-end:1"},
        {".insn 0xe0000000_00000000\nend", "a3xx-lint-word:0"},
        {"add.f r0.x, (r)r1.x, r0.y\nend", "a3xx-lint-step:0"},
        {"(rpt1)add.f r0.x, (r)r1.x, r3.y\nend", ""},
        {"br p0.x, #5\nend", "a3xx-lint-target:0"},
        {"br p0.x, #-1\nend", "a3xx-lint-target:0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled out;
        assemble_text(&out, cases[i].text, "a3xx");
        assert_int_equal(out.status, GPUCODE_OK);
        findings(gpucode_program_bytes(out.program), gpucode_program_size(out.program));
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
            if (*findings(bytes, size))
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
