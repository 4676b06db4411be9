/* SPDX-License-Identifier: MIT */
/* Symbol files: what their lines mean, and what is wrong with them. */
#include "group.h"

#include <gpucode/gpucode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The first diagnostic. */
struct heard {
    char text[64];
};

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct heard *heard = user;
    if (!heard->text[0])
        snprintf(heard->text, sizeof heard->text, "%s:%u:%u", diagnostic->code, diagnostic->line, diagnostic->column);
}

/* Reads a file of a630; `error` null: it has none. */
static struct gpucode_symbols *read_file(const char *text, size_t length, const char *error)
{
    struct heard heard = {""};
    struct gpucode_symbols *symbols;
    assert_int_equal(gpucode_symbols_create(gpucode_target_find("afuc:a630"), NULL, &symbols), GPUCODE_OK);
    enum gpucode_status status =
        gpucode_symbols_read(symbols, text, length, "s", (struct gpucode_diagnostic_handler){hear, &heard});
    assert_string_equal(heard.text, error ? error : "");
    assert_int_equal(status, error ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
    return symbols;
}

static void test_errors(void)
{
    static const struct text_case files[] = {
        {"SQE 0x10\n", "symbol-columns:1:1"},
        {"\nSQE 0x10 a b\n", "symbol-columns:2:12"},
        {"SQE ten a\n", "symbol-number:1:5"},
        {"SQE -1 a\n", "symbol-number:1:5"},
        {"@ 0x10 nothing\n", "symbol-place:1:8"},
        {"@ 0x10 file:0\n", "symbol-place:1:8"},
        {"@ 3 file:1\nuse 4 m file:2\n", "symbol-number:2:5"},
        {"use 4 m file:2\n", "symbol-number:1:5"},
        {"@ ten file:1\n", "symbol-number:1:3"},
        {"@ -1 file:1\n", "symbol-number:1:3"},
        {"@ 0x100000000 file:1\n", "symbol-number:1:3"},
        {"@ 0xffffffff file:1\n", NULL},
        {"@ 3 file:1\nuse 3 m file\n", "symbol-place:2:9"},
        {"= 1 a\nmem 2 a\n= 1 a\n= 2 a\n", "duplicate:4:5"},
        {"= 1 1st\n", "symbol-name:1:5"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        gpucode_symbols_free(read_file(files[i].text, strlen(files[i].text), files[i].expected));
}

static void test_names_and_lines(void)
{
    static const char text[] = "SQE 0x10 place\n= -5 less ; and why\nreg $02 header\nmem 0x100 ring\n"
                               "@ 0x3 a file.asm:7+ \t \n@ 5 ?\n\n# nothing\n";
    struct gpucode_label label;
    struct gpucode_place place;
    uint32_t unit;
    struct gpucode_symbols *symbols = read_file(text, strlen(text), NULL);
    assert_true(gpucode_symbols_find(symbols, NULL, "less", 4, &label) && label.value == -5);
    assert_true(gpucode_symbols_find(symbols, "SQE", "place", 5, &label) && label.value == 16);
    assert_false(gpucode_symbols_find(symbols, "BV", "place", 5, &label));
    assert_false(gpucode_symbols_find(symbols, NULL, "less\0and more", 13, &label));
    assert_true(gpucode_symbols_place(symbols, 4, &place) && place.line == 7 && place.from_macro);
    assert_string_equal(place.file, "a file.asm");
    assert_false(gpucode_symbols_place(symbols, 2, &place));
    assert_false(gpucode_symbols_place(symbols, 5, &place));
    assert_false(gpucode_symbols_unit(symbols, "file.asm", 6, true, 0, &unit));
    assert_true(gpucode_symbols_unit(symbols, "a file.asm", 6, true, 0, &unit) && unit == 3);
    gpucode_symbols_free(symbols);
}

static void test_uses(void)
{
    static const char text[] = "@ 3 file:1+\nuse 3 inner other file:2 \t\nuse 3 outer file:9\n";
    struct gpucode_place place;
    struct gpucode_symbols *symbols = read_file(text, strlen(text), NULL);
    assert_true(gpucode_symbols_use(symbols, 4, 0, &place) && place.line == 2 && place.from_macro);
    assert_string_equal(place.macro, "inner");
    assert_string_equal(place.file, "other file");
    assert_true(gpucode_symbols_use(symbols, 3, 1, &place) && place.line == 9 && !place.from_macro);
    assert_string_equal(place.macro, "outer");
    assert_false(gpucode_symbols_use(symbols, 3, 2, &place));
    assert_false(gpucode_symbols_use(symbols, 2, 0, &place));
    gpucode_symbols_free(symbols);
}

/* Files are bytes: a zero ends neither a name nor a line. */
static void test_zeros(void)
{
    static const char name[] = "reg 0x883 AB\0CD\n", whole[] = "= 1 a\0b\n";
    gpucode_symbols_free(read_file(name, sizeof name - 1, "symbol-name:1:11"));
    gpucode_symbols_free(read_file(whole, sizeof whole - 1, "symbol-name:1:5"));
}

/* A name may have as many bytes as fit, and is then shown and found whole. */
static void test_long_names(void)
{
    char text[GPUCODE_NAME_MAX + 16], *name = text + sprintf(text, "reg 0x883 "), shown[GPUCODE_NAME_MAX];
    memset(name, 'N', GPUCODE_NAME_MAX);
    size_t before = (size_t)(name - text), length = GPUCODE_NAME_MAX - 1;
    gpucode_symbols_free(read_file(text, before + GPUCODE_NAME_MAX, "symbol-name:1:11"));
    struct gpucode_symbols *symbols = read_file(text, before + length, NULL);
    const struct gpucode_names *names = gpucode_symbols_names(symbols);
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    uint32_t number;
    assert_int_equal(gpucode_name_of(target, names, GPUCODE_SPACE_GPU, 0x883, shown, sizeof shown), length);
    assert_memory_equal(shown, name, length);
    assert_true(gpucode_number_of(target, names, GPUCODE_SPACE_GPU, name, length, &number) && number == 0x883);
    gpucode_symbols_free(symbols);
}

/* Maps of large sources. In a file of so many constants each is found, and the one that is given another value. */
static void test_many_constants(void)
{
    enum { COUNT = 100000 };
    char *text = malloc(COUNT * 32), *at = text;
    struct gpucode_label label;
    assert_non_null(text);
    for (unsigned i = 0; i < COUNT; i++)
        at += sprintf(at, "%s %u name_%u\n", i & 1 ? "mem" : "=", i, i / 2);
    struct gpucode_symbols *symbols = read_file(text, (size_t)(at - text), NULL);
    assert_true(gpucode_symbols_at(symbols, COUNT - 1, &label) && label.value == COUNT - 1);
    assert_false(gpucode_symbols_at(symbols, COUNT, &label));
    const char *file;
    size_t offset;
    assert_false(gpucode_symbols_origin(symbols, COUNT, &file, &offset));
    assert_false(gpucode_symbols_origin(NULL, 0, &file, &offset));
    gpucode_symbols_free(symbols);
    at += sprintf(at, "= 3 name_%u\n", 7777);
    symbols = read_file(text, (size_t)(at - text), "duplicate:100001:5");
    assert_false(gpucode_symbols_at(symbols, COUNT, &label));
    gpucode_symbols_free(symbols);
    free(text);
}

/* Places of a firmware without names of its own: those of handlers of one packet, and of no handler that packets share.
 */
static void test_handlers(void)
{
    static const char text[] =
        ".target afuc:a630\n[01730001]\n[#jumptbl]\nnop\nUNKN17:\nUNKN18:\nmov $02, 1\nwaitin\nmov $01, $data\n"
        "UNKN19:\nmov $02, 2\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n";
    static const char *const wanted[] = {"", "", "", "", "", "", "CP_WAIT_FOR_ME", "CP_WAIT_FOR_ME+0x1"};
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_symbols *symbols = read_file("", 0, NULL);
    assert_int_equal(gpucode_assemble(text, sizeof text - 1, NULL, &program), GPUCODE_OK);
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program),
                                        &(struct gpucode_image_options){.target = gpucode_program_target(program)},
                                        &image),
                     GPUCODE_OK);
    assert_int_equal(gpucode_symbols_bind(symbols, image, (struct gpucode_diagnostic_handler){0}), GPUCODE_OK);
    for (uint32_t unit = 0; unit < sizeof wanted / sizeof *wanted; unit++) {
        char name[64] = "";
        gpucode_symbols_near(symbols, 0, unit, name, sizeof name);
        assert_string_equal(name, wanted[unit]);
    }
    /* what does not fit is cut, and nothing is written where there is nothing or no room */
    char name[8] = "before";
    assert_int_equal(gpucode_symbols_near(symbols, 0, 7, name, sizeof name), 7);
    assert_string_equal(name, "CP_WAIT");
    assert_int_equal(gpucode_symbols_near(symbols, 0, 7, name, 1), 0);
    assert_string_equal(name, "");
    memcpy(name, "before", sizeof "before");
    assert_int_equal(gpucode_symbols_near(symbols, 0, 7, name, 0), 0);
    assert_int_equal(gpucode_symbols_near(NULL, 0, 7, name, sizeof name), 0);
    assert_string_equal(name, "before");
    assert_int_equal(gpucode_symbols_near(symbols, 0, 3, name, sizeof name), 0);
    assert_string_equal(name, "");
    gpucode_symbols_free(symbols);
    gpucode_image_free(image);
    gpucode_program_free(program);
}

TESTS(files, test_handlers, test_errors, test_names_and_lines, test_uses, test_zeros, test_long_names,
      test_many_constants)
