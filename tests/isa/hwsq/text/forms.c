/* SPDX-License-Identifier: MIT */
/* Code as hex, words, C arrays and calls, and back. */
#include "support.h"

#include <stdio.h>

static char *form_of(const char *target, enum gpucode_form form, const void *bytes, size_t size)
{
    char *text;
    size_t length;
    assert_int_equal(gpucode_form_write(gpucode_target_find(target), form, NULL, bytes, size, &text, &length),
                     GPUCODE_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static const unsigned char script[] = {0xe2, 0x78, 0x56, 0x34, 0x12, 0x40, 0xd0, 0x02, 0x5f, 0x01,
                                       0x00, 0xb0, 0x0e, 0x00, 0x41, 0x7f, 0x5f, 0x21, 0x00};

static void written(void)
{
    static const char *const expected[] = {
        "e2 78 56 34 12 40 d0 02 5f 01 00 b0 0e 00 41 7f\n5f 21 00\n",
        "0x345678e2 0x02d04012 0xb000015f 0x7f41000e\n0x5f 0x21 0x00\n",
        "static const unsigned char code[19] = {\n"
        "    0xe2, 0x78, 0x56, 0x34, 0x12, 0x40, 0xd0, 0x02, 0x5f, 0x01, 0x00, 0xb0,\n"
        "    0x0e, 0x00, 0x41, 0x7f, 0x5f, 0x21, 0x00,\n};\n",
        "hwsq_data(hwsq, 0x12345678);\nhwsq_addrlo(hwsq, 0x2d0);\nhwsq_ewait(hwsq, 0x1, 0x0);\nhwsq_set1(hwsq, 0x10);\n"
        "hwsq_wait(hwsq, 0x2, 0x3);\nhwsq_nop(hwsq);\nhwsq_b8(hwsq, 0x41);\nhwsq_exit(hwsq);\nhwsq_b8(hwsq, 0x5f);\n"
        "hwsq_wait(hwsq, 0x1, 0x8);\nhwsq_nop(hwsq);\n",
    };
    for (unsigned form = 0; form < 4; form++) {
        char *text = form_of("hwsq:nv50", (enum gpucode_form)form, script, sizeof script);
        assert_string_equal(text, expected[form]);
        free(text);
    }
}

static void nothing_written(void)
{
    for (unsigned form = 0; form < 4; form++) {
        char *text = form_of("hwsq:nv50", (enum gpucode_form)form, "", 0);
        assert_string_equal(text, form == GPUCODE_FORM_C ? "// code: no bytes\n" : "");
        free(text);
    }
}

static void round_trips(void)
{
    static const char *const targets[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};
    uint64_t seed = 7;
    unsigned char code[256];
    for (unsigned round = 0; round < 400; round++) {
        size_t size = random_next(&seed) % sizeof code;
        for (size_t i = 0; i < size; i++)
            code[i] = (unsigned char)random_next(&seed);
        const char *target = targets[round % 4];
        enum gpucode_form form = (enum gpucode_form)(round / 4 % 4);
        char *text = form_of(target, form, code, size);
        void *bytes;
        size_t back;
        assert_int_equal(gpucode_form_read(gpucode_target_find(target), text, strlen(text), NULL, NULL, &bytes, &back),
                         GPUCODE_OK);
        assert_int_equal(back, size);
        if (size)
            assert_memory_equal(bytes, code, size);
        free(bytes);
        free(text);
    }
}

static void reads(const char *text, const void *expected, size_t size)
{
    void *bytes;
    size_t length;
    struct told told;
    struct gpucode_diagnostic_handler on_diagnostic = told_handler(&told);
    if (gpucode_form_read(gpucode_target_find("hwsq:g94"), text, strlen(text), NULL, &on_diagnostic, &bytes, &length) !=
        GPUCODE_OK)
        fail_msg("%s: %s", text, told.messages);
    assert_int_equal(length, size);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void what_people_paste(void)
{
    reads("b0 7f", "\xb0\x7f", 2);
    reads("0xB0, 0x7F,", "\xb0\x7f", 2);
    reads("# a (comment)\n12345678 // {\n", "\x78\x56\x34\x12", 4);
    reads("0123456789abcdef", "\xef\xcd\xab\x89\x67\x45\x23\x01", 8);
    reads("uint32_t script[] = { /* pause */ 0x7f01005f, };", "\x5f\x00\x01\x7f", 4);
    reads("hwsq_set1(ctx->hwsq, 16);\n  exit(hwsq);", "\xb0\x7f", 2);
    reads("hwsq_b8(h, 0101); b8(h, 010); b8(h, 0)", "A\x08\0", 3);
    reads("/* b8 */ hwsq_wait(h, 1, 1); // (\nhwsq_ewait(&h, 3, 1);", "\x05\x5f\x03\x01", 4);
}

static void refused(void)
{
    static const struct text_case cases[] = {{"b0 7", "form-hex "},
                                             {"b0 xy", "form-hex "},
                                             {"0x123", "form-hex "},
                                             {"b0}f", "form-hex "},
                                             {"set1(h, 32);", "form-arguments "},
                                             {"set1(h);", "form-arguments "},
                                             {"set1(h, 1, 2);", "form-arguments "},
                                             {"jump(h, 1);", "form-arguments "},
                                             {"b8(h, 256);", "form-arguments "},
                                             {"exit(h", "form-arguments "},
                                             {"exit(h); 7f", "form-call "},
                                             {"exit(h, 0xg)", "form-arguments "},
                                             {"b8(h, 08)", "form-arguments "},
                                             {"b8(h, 02000000000000000000101)", "form-arguments "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *bytes;
        size_t length;
        struct told told;
        struct gpucode_diagnostic_handler on_diagnostic = told_handler(&told);
        assert_int_equal(gpucode_form_read(gpucode_target_find("hwsq:g94"), cases[i].text, strlen(cases[i].text), NULL,
                                           &on_diagnostic, &bytes, &length),
                         GPUCODE_ERROR_INPUT);
        assert_string_equal(told.codes, cases[i].expected);
    }
}

/* The message of a diagnostic, and how many bytes of the text it is about. */
struct heard {
    char message[200];
    unsigned length;
};

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct heard *heard = user;
    snprintf(heard->message, sizeof heard->message, "%s", diagnostic->message);
    heard->length = diagnostic->length;
}

/* Of too many digits one more is looked at than there may be; of a long name 39 letters are shown. */
static void long_texts(void)
{
#define NAME "a23456789012345678901234567890123456789" /* of 39 letters */
    static const struct {
        const char *text, *message; /* null: it is right */
        unsigned length;
    } cases[] = {
        {"0x0123456789abcdef", NULL, 0},
        {"0x0123456789abcdef0", "expected a hexadecimal number of 2, 8 or 16 digits", 19},
        {"0x0123456789abcdef0123", "expected a hexadecimal number of 2, 8 or 16 digits", 19},
        {NAME "(h)", "wrong arguments for '" NAME "'", 39},
        {NAME "0(h)", "wrong arguments for '" NAME "'", 40},
    };
#undef NAME
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *bytes = NULL;
        size_t length;
        struct heard heard = {""};
        const struct gpucode_diagnostic_handler on_diagnostic = {hear, &heard};
        enum gpucode_status status = gpucode_form_read(gpucode_target_find("hwsq:g94"), cases[i].text,
                                                       strlen(cases[i].text), NULL, &on_diagnostic, &bytes, &length);
        assert_int_equal(status, cases[i].message ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        assert_string_equal(heard.message, cases[i].message ? cases[i].message : "");
        assert_int_equal(heard.length, cases[i].length);
        free(bytes);
    }
}

/* The name of an array has at most 64 letters; calls need a target. */
static void wrong_calls(void)
{
    char name[66] = "", *text;
    size_t length;
    memset(name, 'a', 65);
    const struct gpucode_target *target = gpucode_target_find("hwsq:nv50");
    assert_int_equal(gpucode_form_write(target, GPUCODE_FORM_C, name, "\x7f", 1, &text, &length),
                     GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_write(NULL, GPUCODE_FORM_CALLS, NULL, "\x7f", 1, &text, &length),
                     GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_write(target, GPUCODE_FORM_HEX, NULL, NULL, 1, &text, &length),
                     GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_write(target, GPUCODE_FORM_HEX, NULL, "\x7f", 1, NULL, &length),
                     GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_write(target, GPUCODE_FORM_HEX, NULL, "\x7f", 1, &text, NULL),
                     GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_write(target, (enum gpucode_form)4, NULL, "\x7f", 1, &text, &length),
                     GPUCODE_ERROR_ARGUMENT);
    name[64] = 0;
    assert_int_equal(gpucode_form_write(NULL, GPUCODE_FORM_C, name, "\x7f", 1, &text, &length), GPUCODE_OK);
    assert_non_null(strstr(text, name));
    free(text);
}

TESTS(forms, written, nothing_written, round_trips, what_people_paste, refused, long_texts, wrong_calls)
