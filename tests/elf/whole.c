/* SPDX-License-Identifier: MIT */
/* Programs come out of ELF files as they went in; what memory's end leaves. The bytes are read by binutils in cli/elf.
 */
#include "assembling.h"

#include <gpucode/elf.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *target, *text;
} sources[] = {
    {"afuc:a6xx", ""},
    {"afuc:a6xx", "nop\nstart: mov $02, 0x1\nnop\n"},
    {"afuc:a6xx", ".macro two\nnop\nnop\n.endm\n.macro four\ntwo\ntwo\n.endm\n.equ K, 5\nstart: four\nl: two\nfour\n"},
    {"afuc:a7xx", "[01730001]\n[01000000]\nfirst: nop\n.section BV\nsecond: nop\nlast:\n"},
    {"hwsq:nv50", "wait 1us\nexit\n"},
    {"a3xx", "mov.f32f32 r0.x, c0.x\nend\n"},
    {"data", ".byte 1, 2, 3, 4, 5\n"},
};

/* What a program gives as an ELF file; fails the test when it gives none. */
static void *write_elf(const struct gpucode_program *program, size_t *size)
{
    void *file = NULL;
    assert_int_equal(gpucode_elf_write(program, "a.asm", &file, size), GPUCODE_OK);
    assert_non_null(file);
    return file;
}

static void comes_back(const char *target, const char *text, bool lines)
{
    struct assembled made;
    struct gpucode_asm_options options = {.target = target_named(target), .record_lines = lines};
    assemble_bytes(&made, text, strlen(text), &options);
    assert_int_equal(made.status, GPUCODE_OK);
    size_t size, again_size;
    void *file = write_elf(made.program, &size), *again = write_elf(made.program, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(file, again, size);
    struct gpucode_elf_code code;
    assert_int_equal(gpucode_elf_read(file, size, NULL, NULL, &code), GPUCODE_OK);
    assert_ptr_equal(code.target, gpucode_program_target(made.program));
    assert_int_equal(code.size, gpucode_program_size(made.program));
    assert_memory_equal(code.bytes, gpucode_program_bytes(made.program), code.size);
    assert_int_equal(((const char *)code.bytes)[code.size], 0);
    free(code.bytes);
    free(file);
    free(again);
    gpucode_program_free(made.program);
}

static void every_program_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        comes_back(sources[i].target, sources[i].text, true);
        comes_back(sources[i].target, sources[i].text, false);
    }
}

/* Without lines there is no DWARF, with them there is. */
static void lines_are_told_when_recorded(void **state)
{
    (void)state;
    static const char text[] = "start: nop\n";
    for (unsigned lines = 0; lines < 2; lines++) {
        struct assembled made;
        struct gpucode_asm_options options = {.target = target_named("afuc:a6xx"), .record_lines = lines};
        assemble_bytes(&made, text, strlen(text), &options);
        size_t size;
        void *file = write_elf(made.program, &size);
        bool found = memmem(file, size, ".debug_line", 11);
        assert_int_equal(found, lines);
        free(file);
        gpucode_program_free(made.program);
    }
}

static unsigned left = UINT32_MAX; /* allocations that still work */
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    return left && left-- ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return left && left-- ? __real_realloc(old, size) : NULL;
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    struct assembled made;
    struct gpucode_asm_options options = {.target = target_named("afuc:a6xx"), .record_lines = true};
    left = UINT32_MAX;
    assemble_bytes(&made, sources[2].text, strlen(sources[2].text), &options);
    void *file = NULL;
    size_t size;
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    unsigned tries = 0;
    for (; status != GPUCODE_OK; tries++) {
        left = tries;
        status = gpucode_elf_write(made.program, NULL, &file, &size);
        assert_true(status == GPUCODE_OK || status == GPUCODE_ERROR_MEMORY);
    }
    assert_true(tries > 10);
    struct gpucode_elf_code code;
    for (left = 0; (status = gpucode_elf_read(file, size, NULL, NULL, &code)) != GPUCODE_OK; left = ++tries)
        assert_int_equal(status, GPUCODE_ERROR_MEMORY);
    left = UINT32_MAX;
    free(code.bytes);
    free(file);
    gpucode_program_free(made.program);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    void *file;
    size_t size;
    struct gpucode_elf_code code;
    assert_int_equal(gpucode_elf_write(NULL, NULL, &file, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_elf_read(NULL, 4, NULL, NULL, &code), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_elf_read("", 0, NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_elf_read(NULL, 0, NULL, NULL, &code), GPUCODE_ERROR_UNSUPPORTED);
}

static int begin_with_memory(void **state)
{
    (void)state;
    left = UINT32_MAX;
    return 0;
}

TEST_GROUP(whole)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_program_comes_back, begin_with_memory),
        cmocka_unit_test_setup(lines_are_told_when_recorded, begin_with_memory),
        cmocka_unit_test_setup(memory_may_end_anywhere, begin_with_memory),
        cmocka_unit_test_setup(wrong_calls_are_refused, begin_with_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
