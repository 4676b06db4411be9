/* SPDX-License-Identifier: MIT */
/* Programs come out of ELF files as they went in; what memory's end leaves. The bytes are read by binutils in cli/elf.
 */
#include "assembling.h"

#include <gpucode/elf.h>
#include <stdio.h>
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

/* --- what stands in the file, read here by the ABI's tables alone ------------------------------------------------ */

static uint32_t word_at(const unsigned char *file, size_t at, unsigned size)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < size; i++)
        word |= (uint32_t)file[at + i] << 8 * i;
    return word;
}

/* Header, segment, sections and symbols of the file as text. */
static void tell_file(const unsigned char *file, size_t size, char *to, size_t room)
{
    size_t used = 0, table = word_at(file, 32, 4), names = 0;
    unsigned count = word_at(file, 48, 2);
#define TELL(...) used += (size_t)snprintf(to + used, room - used, __VA_ARGS__)
    for (unsigned at = 16; at < 52 + 32 * word_at(file, 44, 2); at += 4)
        TELL("%x%s", (unsigned)word_at(file, at, 4), at == 48 || at == 80 ? "\n" : " ");
    names = word_at(file, table + 40 * word_at(file, 50, 2) + 16, 4);
    assert_int_equal(table + 40 * count, size);
    for (unsigned i = 0; i < count; i++) {
        size_t at = table + 40 * i;
        TELL("%s:", (const char *)file + names + word_at(file, at, 4));
        for (unsigned k = 1; k < 10; k++)
            TELL(" %x", (unsigned)word_at(file, at + 4 * k, 4));
        TELL("\n");
        if (word_at(file, at + 4, 4) != 2) /* symbols */
            continue;
        size_t strings = word_at(file, table + 40 * word_at(file, at + 24, 4) + 16, 4),
               from = word_at(file, at + 16, 4);
        for (size_t symbol = from; symbol < from + word_at(file, at + 20, 4); symbol += 16)
            TELL("  %s %x %x %x %x\n", (const char *)file + strings + word_at(file, symbol, 4),
                 (unsigned)word_at(file, symbol + 4, 4), (unsigned)word_at(file, symbol + 8, 4),
                 (unsigned)word_at(file, symbol + 12, 2), (unsigned)word_at(file, symbol + 14, 2));
    }
#undef TELL
}

/* The routines of .debug_info (DWARF 4): those that macros are part of have another number. */
static void tell_routines(const unsigned char *file, char *to, size_t room)
{
    size_t used = 0, table = word_at(file, 32, 4), names = word_at(file, table + 40 * word_at(file, 50, 2) + 16, 4),
           at = 0;
    for (unsigned i = 0; i < word_at(file, 48, 2); i++)
        if (strcmp((const char *)file + names + word_at(file, table + 40 * i, 4), ".debug_info") == 0)
            at = word_at(file, table + 40 * i + 16, 4);
    assert_int_not_equal(at, 0);
    at += 12;                                      /* its head, and the number of its first entry */
    at += strlen((const char *)file + at) + 1 + 2; /* who made it, the language */
    at += strlen((const char *)file + at) + 1 + 4; /* the file, where its lines are */
    for (at += 8; file[at] == 3; at += 8) {
        const char *name = (const char *)file + at + 1;
        at += strlen(name) + 2;
        used += (size_t)snprintf(to + used, room - used, "%s %x %x\n", name, (unsigned)word_at(file, at, 4),
                                 (unsigned)word_at(file, at + 4, 4));
    }
    assert_int_equal(file[at], 0);
}

/* Constants at the bounds of 32 bits and beyond, sections of which one begins where another ends with a label. */
static void everything_stands_where_it_must(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
        bool routines;
    } cases[] = {
        {"", "2 1 0 0 c4 0 34 280000 60007\n"
             ": 0 0 0 0 0 0 0 0 0\n"
             ".prefix: 1 0 0 40 4 0 0 1 0\n"
             ".text: 1 6 0 44 0 0 0 4 0\n"
             ".note.gpucode: 7 0 0 44 20 0 0 1 0\n"
             ".symtab: 2 0 0 64 20 5 2 4 10\n"
             "   0 0 0 0\n"
             "  a.asm 0 0 4 fff1\n"
             ".strtab: 3 0 0 84 7 0 0 1 0\n"
             ".shstrtab: 3 0 0 8b 37 0 0 1 0\n"},
        {"[01730001]\n[01000000]\n.equ MIN, -2147483648\n.equ LESS, -2147483649\n.equ MAX, 4294967295\n.equ MORE, "
         "4294967296\n"
         "nop\none: nop\ntwo: nop\n.section BV\nnop\nalpha: beta: nop\nlast:\n.section LPAC\nl: nop\nend:\n",
         "2 1 0 34 1f0 0 200034 280001 80009\n"
         "1 64 0 0 44 44 5 1\n"
         ": 0 0 0 0 0 0 0 0 0\n"
         ".prefix: 1 0 0 60 4 0 0 1 0\n"
         ".text: 1 6 0 64 20 0 0 4 0\n"
         ".text.BV: 1 6 20 84 20 0 0 4 0\n"
         ".text.LPAC: 1 6 40 a4 4 0 0 4 0\n"
         ".note.gpucode: 7 0 0 a8 20 0 0 1 0\n"
         ".symtab: 2 0 0 c8 b0 7 b 4 10\n"
         "   0 0 0 0\n"
         "  a.asm 0 0 4 fff1\n"
         "  MIN 80000000 0 0 fff1\n"
         "  MAX ffffffff 0 0 fff1\n"
         "  one c 0 0 2\n"
         "  two 10 0 0 2\n"
         "  alpha 24 0 0 3\n"
         "  beta 24 0 0 3\n"
         "  last 28 0 0 3\n"
         "  l 40 0 0 4\n"
         "  end 44 0 0 4\n"
         ".strtab: 3 0 0 178 2d 0 0 1 0\n"
         ".shstrtab: 3 0 0 1a5 4b 0 0 1 0\n"},
        {"[01730001]\n[01000000]\nnop\none: nop\ntwo: nop\n.section BV\nnop\nalpha: beta: nop\nlast:\n.section "
         "LPAC\nl: nop\nm: nop\n",
         ".text 0 c\none c 4\ntwo 10 10\nBV 20 4\nalpha 24 4\nlast 28 18\nl 40 4\nm 44 4\n", true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled made;
        struct gpucode_asm_options options = {.target = target_named("afuc:a7xx"), .record_lines = cases[i].routines};
        assemble_bytes(&made, cases[i].text, strlen(cases[i].text), &options);
        assert_int_equal(made.status, GPUCODE_OK);
        char told[4096];
        size_t size;
        void *file = write_elf(made.program, &size);
        if (cases[i].routines)
            tell_routines(file, told, sizeof told);
        else
            tell_file(file, size, told, sizeof told);
        assert_string_equal(told, cases[i].wanted);
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
        cmocka_unit_test_setup(everything_stands_where_it_must, begin_with_memory),
        cmocka_unit_test_setup(memory_may_end_anywhere, begin_with_memory),
        cmocka_unit_test_setup(wrong_calls_are_refused, begin_with_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
