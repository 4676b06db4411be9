/* SPDX-License-Identifier: MIT */
/* When a result waits for the disk: where it takes the place of a file, unless it is one of many. */
#include "front/output.h"
#include "front/diagnostics.h"

#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static unsigned waits;

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
/* The linker sends the calls of the program's parts here. */
int __wrap_fsync(int descriptor)
{
    waits++;
    return __real_fsync(descriptor);
}

static bool put_word(void *user, int descriptor)
{
    return output_write_all(descriptor, user, strlen(user));
}

/* Writes a result in both ways and says how often one waited. */
static unsigned write_result(const char *path, const char *text, bool many)
{
    struct diagnostics diagnostics = {.out = stderr};
    struct outputs outputs = {.diagnostics = &diagnostics, .many = many};
    char found[64] = "";
    waits = 0;
    assert_int_equal(outputs_close(&outputs, outputs_add(&outputs, path, text, strlen(text))), 0);
    unsigned first = waits;
    assert_int_equal(outputs_close(&outputs, outputs_add_made(&outputs, path, put_word, (void *)(uintptr_t)text)), 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, text);
    return first << 4 | (waits - first);
}

static void waits_for_the_disk(void)
{
    char folder[] = "/tmp/gpucode-output-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/result", folder);
    assert_int_equal(write_result(path, "new", false), 0x01); /* the second finds that of the first */
    assert_int_equal(write_result(path, "other", false), 0x11);
    assert_int_equal(write_result(path, "many", true), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(write_result(path, "none", true), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

TESTS(output, waits_for_the_disk)
