/* SPDX-License-Identifier: MIT */
/* `.include` below a folder: what stands outside is refused, by whatever way. */
#include "assembling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define T "[016ee001]\n"

static char top[] = "/tmp/gpucode-include-XXXXXX";

static void put(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* root/{main.asm, good.inc, in/deeper.inc}, links in it, and files beside it */
static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(top) || chdir(top) != 0 || mkdir("root", 0700) != 0 || mkdir("root/in", 0700) != 0 ||
        mkdir("rootless", 0700) != 0 || symlink("../secret", "root/link") != 0 ||
        symlink("../rootless", "root/folder") != 0 || symlink("good.inc", "root/inner") != 0 ||
        symlink("root", "way") != 0 || mkfifo("root/pipe", 0600) != 0)
        return -1;
    put("secret", "nop\n");
    put("rootless/x", "nop\n");
    put("root/good.inc", ".include \"in/deeper.inc\"\n");
    put("root/in/deeper.inc", ".include \"../last.inc\"\n");
    put("root/last.inc", "nop\n");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    static const char *const names[] = {
        "root/link",     "root/folder", "root/inner", "way",     "root/pipe", "root/good.inc", "root/in/deeper.inc",
        "root/last.inc", "rootless/x",  "secret",     "root/in", "root",      "rootless"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        remove(names[i]);
    return chdir("/") != 0 || rmdir(top) != 0;
}

static void expect(const char *root, const char *file, const char *name, const char *said)
{
    struct assembled got;
    char source[128];
    const struct gpucode_asm_options options = {.include_root = root, .file = file};
    snprintf(source, sizeof source, T ".include \"%s\"\n", name);
    assemble_bytes(&got, source, strlen(source), &options);
    if (strcmp(heard_text(&got.heard), said) != 0)
        fail_msg("%s in %s below %s: '%s', not '%s'", name, file, root, heard_text(&got.heard), said);
    if (!*said)
        assert_int_equal(gpucode_program_size(got.program), 12);
    gpucode_program_free(got.program);
}

static void inside(void **state)
{
    (void)state;
    char path[128];
    static const char *const names[] = {"good.inc",       "in/deeper.inc",      "inner",
                                        "in/../good.inc", "./in/.././last.inc", "../root/last.inc"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        expect("root", "root/main.asm", names[i], "");
        expect("root/", "root/main.asm", names[i], "");
        expect("way", "root/main.asm", names[i], "");
        expect(top, "way/main.asm", names[i], "");
        expect("/", "root/main.asm", names[i], "");
    }
    expect("root", "elsewhere.asm", "root/last.inc", "");
    snprintf(path, sizeof path, "%s/root/last.inc", top);
    expect("root", "root/main.asm", path, "");
    expect("root/in", "root/main.asm", "good.inc", "include-outside:2:10");
}

static void outside(void **state)
{
    (void)state;
    static const char *const names[] = {"../secret",     "link",        "folder/x",        "in/../../secret",
                                        "../rootless/x", "/etc/passwd", "folder/../secret"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        expect("root", "root/main.asm", names[i], "include-outside:2:10");
    /* a link out of an included file; deeper.inc itself stands inside, what it names does not */
    expect("root/in", "root/main.asm", "in/deeper.inc", "include-outside:1:10 included-here:2:10");
    expect("root", "root/main.asm", "missing", "include:2:10");
    expect("root", "root/main.asm", "in", "include:2:10");
    expect("root", "root/main.asm", "pipe", "include:2:10");
    expect("nowhere", "root/main.asm", "good.inc", "include:2:10");
    expect("root/good.inc", "root/main.asm", "good.inc", "include:2:10");
    expect(NULL, "root/main.asm", "good.inc", "include:2:10");
}

/* What is read in several pieces is whole, at whichever byte they end. */
static void sizes(void **state)
{
    (void)state;
    static const size_t lengths[] = {0,     1,     12287, 12288, 12289, 16383, 16384,
                                     16385, 28671, 28672, 28673, 32768, 200000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        FILE *out = fopen("root/large.inc", "w");
        assert_non_null(out);
        for (size_t k = 0; k < lengths[i]; k++)
            fputc(k + 1 == lengths[i] ? '\n' : k ? 'x' : ';', out);
        if (lengths[i])
            fputs("nop\n", out); /* the last line counts */
        assert_int_equal(fclose(out), 0);
        struct assembled got;
        const struct gpucode_asm_options options = {.include_root = "root", .file = "root/main.asm"};
        static const char source[] = T ".include \"large.inc\"\nnop\n";
        assemble_bytes(&got, source, strlen(source), &options);
        assert_string_equal(heard_text(&got.heard), "");
        assert_int_equal(gpucode_program_size(got.program), lengths[i] ? 16 : 12);
        gpucode_program_free(got.program);
    }
    remove("root/large.inc");
}

static void opening(void **state)
{
    (void)state;
    char text[8];
    int descriptor = gpucode_include_open("root", "root/main.asm", "last.inc");
    assert_true(descriptor >= 0);
    assert_true(fcntl(descriptor, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(read(descriptor, text, sizeof text), 4);
    assert_memory_equal(text, "nop\n", 4);
    close(descriptor);
    descriptor = gpucode_include_open("root", NULL, "root/last.inc");
    assert_true(descriptor >= 0);
    close(descriptor);
    static const struct {
        const char *root, *from, *name;
        int error;
    } cases[] = {{"root", "root/main.asm", "link", EXDEV},   {"root", "root/main.asm", "missing", ENOENT},
                 {"root", "root/main.asm", "in", EISDIR},    {"root", "root/main.asm", "pipe", EISDIR},
                 {"nowhere", "root/main.asm", "in", ENOENT}, {NULL, "root/main.asm", "in", EINVAL},
                 {"root", "root/main.asm", NULL, EINVAL},    {"root", "root/main.asm", "", EISDIR}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        errno = 0;
        assert_int_equal(gpucode_include_open(cases[i].root, cases[i].from, cases[i].name), -1);
        if (errno != cases[i].error)
            fail_msg("case %u: %s, not %s", i, strerror(errno), strerror(cases[i].error));
    }
}

TEST_GROUP(includes)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inside), cmocka_unit_test(outside), cmocka_unit_test(sizes),
                                       cmocka_unit_test(opening)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
