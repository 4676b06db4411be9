/* SPDX-License-Identifier: MIT */
/* AFL++'s mutator: it changes inputs as the engine does, with the kinds of a file, and says what it needs. */
#include "fuzzer/corpus.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *data, unsigned char *bytes, size_t size, unsigned char **out, unsigned char *other,
                       size_t other_size, size_t most);
void afl_custom_deinit(void *data);

/* A new file with the text; its name is for unlink(). */
static void write_file(char name[], const char *text, size_t length)
{
    int file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, length), length);
    close(file);
}

static void same_as_the_engine(void)
{
    enum { VALUES = 3000 }; /* the file has to be read in several parts */
    static uint32_t values[VALUES];
    struct toy toy = {.map = NULL};
    struct gpucode_fuzz_subject subject = toy_subject(&toy);
    char name[] = "/tmp/gpucode-kinds-XXXXXX";
    for (unsigned i = 0; i < VALUES; i++)
        values[i] = 0x1000000 + i;
    subject.values = values;
    subject.value_count = VALUES;
    size_t length;
    char *text = gpucode_fuzz_kinds_text(&subject, &length);
    assert_non_null(text);
    assert_true(length > 3 * 4096);
    write_file(name, text, length);
    free(text);
    setenv("GPUCODE_FUZZ_KINDS", name, 1);
    for (unsigned seed = 0; seed < 3; seed++) {
        unsigned char input[] = {TOY_NOTHING, 1, 5, 6, 7, 8, TOY_PUSH, 2, 1, 2, 3, 4, 5, 6, 7, 8};
        unsigned char other[] = {TOY_TURN, 1, 9, 9, 9, 9, TOY_OPENS, 0}, wanted[GPUCODE_FUZZ_INPUT_MAX], *got;
        uint64_t random = random_begin(seed, 0);
        void *mutator = afl_custom_init(NULL, seed);
        assert_non_null(mutator);
        for (unsigned i = 0; i < 100; i++) {
            size_t most = i % 3 == 2 ? 12 : i % 3 ? GPUCODE_FUZZ_INPUT_MAX : SIZE_MAX;
            size_t room = most < GPUCODE_FUZZ_INPUT_MAX ? most : GPUCODE_FUZZ_INPUT_MAX;
            size_t size = gpucode_fuzz_mutate(&subject, &random, input, sizeof input, i % 2 ? other : NULL,
                                              i % 2 ? sizeof other : 0, wanted, room);
            assert_int_equal(afl_custom_fuzz(mutator, input, sizeof input, &got, i % 2 ? other : NULL,
                                             i % 2 ? sizeof other : 0, most),
                             size);
            assert_in_range(size, 0, room);
            assert_memory_equal(got, wanted, size);
        }
        afl_custom_deinit(mutator);
    }
    unlink(name);
    unsetenv("GPUCODE_FUZZ_KINDS");
}

/* What goes to the standard error meanwhile is kept in a file. */
static void expect_none(const char *kinds)
{
    char text[256] = "", wanted[256], name[] = "/tmp/gpucode-error-XXXXXX";
    int file = mkstemp(name), kept = dup(STDERR_FILENO);
    assert_true(file >= 0 && kept >= 0);
    fflush(stderr);
    dup2(file, STDERR_FILENO);
    void *mutator = afl_custom_init(NULL, 1);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
    assert_true(read(file, text, sizeof text - 1) >= 0);
    close(file);
    unlink(name);
    assert_null(mutator);
    snprintf(wanted, sizeof wanted,
             "gpucode's mutator: GPUCODE_FUZZ_KINDS must name a file of `gpucode fuzz --kinds`, not '%s'\n", kinds);
    assert_string_equal(text, wanted);
}

static void without_kinds(void)
{
    char wrong[] = "/tmp/gpucode-kinds-XXXXXX", empty[] = "/tmp/gpucode-kinds-XXXXXX";
    unsetenv("GPUCODE_FUZZ_KINDS");
    expect_none("");
    setenv("GPUCODE_FUZZ_KINDS", "/nowhere/kinds", 1);
    expect_none("/nowhere/kinds");
    write_file(wrong, "kinds\n", 6);
    setenv("GPUCODE_FUZZ_KINDS", wrong, 1);
    expect_none(wrong);
    write_file(empty, "", 0);
    setenv("GPUCODE_FUZZ_KINDS", empty, 1);
    expect_none(empty);
    unlink(wrong);
    unlink(empty);
    unsetenv("GPUCODE_FUZZ_KINDS");
}

TESTS(mutator, same_as_the_engine, without_kinds)
