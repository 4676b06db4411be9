/* SPDX-License-Identifier: MIT */
/* Symbol files: what their lines mean, and what is wrong with them. */
#include "builder.h"
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
        {"SQE 0xffffffff a\n", NULL},
        {"SQE 0x100000000 a\n", "symbol-number:1:5"},
        {"@ 1 f:1\n", NULL},
        {"@ 1 :1\n", "symbol-place:1:5"},
        {"@ 1 f:2147483647\n", NULL},
        {"@ 1 f:2147483648\n", "symbol-place:1:5"},
        {"@ 1 f:1\nuse 1 m f:1\n", NULL},
        {"@ 1 f:1\nuse 1 m :1\n", "symbol-place:2:9"},
        {"@ 1 f:1\nuse 1 m f:0\n", "symbol-place:2:9"},
        {"@ 1 f:1\nuse 1 m f:2147483647\n", NULL},
        {"@ 1 f:1\nuse 1 m f:2147483648\n", "symbol-place:2:9"},
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

static void hear_message(void *user, const struct gpucode_diagnostic *diagnostic)
{
    snprintf(user, 600, "%s", diagnostic->message);
}

/* Words that are wrong are shown with their first 200 bytes. */
static void test_long_words(void)
{
    static const char *const before[] = {"= 1 ", "reg ", "flag "}, *const after[] = {"", " a", " a"};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned length = 199; length < 203; length++) {
            char text[300], word[300], message[600] = "";
            struct gpucode_symbols *symbols;
            memset(word, 'W', sizeof word);
            word[length] = 0;
            snprintf(text, sizeof text, "%s%s%s", before[i], word, after[i]);
            assert_int_equal(gpucode_symbols_create(gpucode_target_find("afuc:a630"), NULL, &symbols), GPUCODE_OK);
            assert_int_equal(gpucode_symbols_read(symbols, text, strlen(text), NULL,
                                                  (struct gpucode_diagnostic_handler){hear_message, message}),
                             GPUCODE_ERROR_INPUT);
            const char *shown = strstr(message, "WWW");
            assert_non_null(shown);
            assert_int_equal(strspn(shown, "W"), length < 200 ? length : 200);
            gpucode_symbols_free(symbols);
        }
}

/* The nearest name of memory, the first of those at one address; not farther than a page. */
static void test_memory(void)
{
    static const struct {
        uint64_t address;
        size_t size, length;
        const char *name;
    } cases[] = {
        {0x0fff, 32, 0, ""},         {0x1000, 32, 4, "ring"},
        {0x1008, 32, 8, "ring+0x8"}, {0x1008, 9, 8, "ring+0x8"},
        {0x1008, 8, 7, "ring+0x"},   {0x1008, 1, 0, ""},
        {0x1008, 0, 0, "before"},    {0x1fff, 32, 10, "ring+0xfff"},
        {0x2000, 32, 3, "far"},      {0x2fff, 32, 9, "far+0xfff"},
        {0x3000, 32, 0, ""},
    };
    static const char text[] = "mem 0x1000 ring\nmem 0x1000 again\nmem 0x2000 far\n";
    struct gpucode_symbols *symbols = read_file(text, sizeof text - 1, NULL);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32] = "before";
        assert_int_equal(gpucode_symbols_memory(symbols, cases[i].address, name, cases[i].size), cases[i].length);
        assert_string_equal(name, cases[i].name);
    }
    gpucode_symbols_free(symbols);
}

static void hear_all(void *user, const struct gpucode_diagnostic *diagnostic)
{
    size_t used = strlen(user);
    snprintf((char *)user + used, 600 - used, "%u: %s\n", diagnostic->line, diagnostic->message);
}

/* Names of a file and labels of a program for one image, and what is told of those that do not fit. */
static void test_places(void)
{
    static const char source[] = ".target afuc:a630\n[01730001]\n[01000000]\nfirst: nop\nthird: nop\nnop\n";
    static const struct {
        const char *text;
        bool before; /* the file is read before the program's labels are added */
        const char *told;
    } cases[] = {
        {"* 2 first\n", false, ""},
        {"* 5 behind\n", false, ""},
        {"* 6 behind\n", false, "1: there is no code at 0x6: the code has 0x5 units\n"},
        {"X 0 a\n", false, "1: the code has no section 'X'\n"},
        {"* 3 first\n", false, "1: 'first' is defined twice\n"},
        {"* 3 first\n", true, "1: 'first' is defined twice\n"},
        {"* 3 a\n* 4 a\n", false, "2: 'a' is defined twice\n1: first defined here\n"},
    };
    struct gpucode_program *program;
    struct gpucode_image *image;
    assert_int_equal(gpucode_assemble(source, sizeof source - 1, NULL, &program), GPUCODE_OK);
    const struct gpucode_image_options options = {.target = gpucode_program_target(program)};
    assert_int_equal(
        gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &options, &image),
        GPUCODE_OK);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_symbols *symbols;
        char told[600] = "";
        const struct gpucode_diagnostic_handler handler = {hear_all, told};
        assert_int_equal(gpucode_symbols_create(options.target, NULL, &symbols), GPUCODE_OK);
        for (unsigned step = 0; step < 2; step++)
            assert_int_equal(step == cases[i].before
                                 ? gpucode_symbols_add(symbols, program)
                                 : gpucode_symbols_read(symbols, cases[i].text, strlen(cases[i].text), "s", handler),
                             GPUCODE_OK);
        enum gpucode_status status = gpucode_symbols_bind(symbols, image, handler);
        assert_int_equal(status, *cases[i].told ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        assert_string_equal(told, cases[i].told);
        char name[8] = "before";
        assert_int_equal(gpucode_symbols_label(symbols, 0, 3, 0, name, 4), 0); /* it does not fit */
        assert_string_equal(name, "before");
        assert_int_equal(gpucode_symbols_label(symbols, 0, 3, 0, name, 5), 5);
        gpucode_symbols_free(symbols);
    }
    gpucode_image_free(image);
    gpucode_program_free(program);
}

/* Sections of an image that has two of them are told by their names. */
static void test_sections(void)
{
    static const char text[] = "* 0 a\nLPAC 0 a\nLPAC 0xffff b\nBV 0 c\n";
    const struct gpucode_image_options options = {.target = gpucode_target_find("afuc:a660")};
    struct gpucode_symbols *symbols;
    struct gpucode_image *image;
    struct built built;
    size_t size;
    char told[600] = "";
    for (unsigned i = 0; i < built_layout_count; i++)
        if (strcmp(built_layouts[i].name, "a660") == 0)
            build_image(&built, &built_layouts[i], 3, 100);
    unsigned char *bytes = built_file(&built, &size);
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_image_info(image)->section_count, 2);
    assert_int_equal(gpucode_symbols_create(options.target, NULL, &symbols), GPUCODE_OK);
    assert_int_equal(gpucode_symbols_read(symbols, text, sizeof text - 1, "s", (struct gpucode_diagnostic_handler){0}),
                     GPUCODE_OK);
    assert_int_equal(gpucode_symbols_bind(symbols, image, (struct gpucode_diagnostic_handler){hear_all, told}),
                     GPUCODE_ERROR_INPUT);
    assert_string_equal(told, "3: there is no code at 0xffff: LPAC has 0xf2 units\n4: the code has no section 'BV'\n");
    gpucode_symbols_free(symbols);
    gpucode_image_free(image);
    free(bytes);
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
        "UNKN19:\nmov $02, 2\nwaitin\nmov $01, $data\nUNKN5:\nnop\njumptbl:\n.jumptbl\n";
    static const char *const wanted[] = {
        "", "", "", "", "", "", "CP_WAIT_FOR_ME", "CP_WAIT_FOR_ME+0x1", "CP_WAIT_FOR_ME+0x2", "UNKN5"};
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
    char exact[14];
    assert_int_equal(gpucode_symbols_near(symbols, 0, 6, exact, sizeof exact), 13);
    assert_string_equal(exact, "CP_WAIT_FOR_M");
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
      test_many_constants, test_long_words, test_memory, test_places, test_sections)
