/* SPDX-License-Identifier: MIT */
/* Texts of recordings at the limits of what they may say: what is heard of each, and the bytes it makes. */
#include "group.h"

#include <gpucode/stream_source.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char heard[256];
static unsigned heard_count;

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    (void)user;
    size_t length = strlen(heard);
    if (heard_count++ < 4)
        snprintf(heard + length, sizeof heard - length, "%s;", diagnostic->message);
}

/* Makes the recording of a text, of a copy of exactly that size. Returns its bytes, to be freed; null: it is refused.
 */
static unsigned char *encode(const char *text, size_t *size)
{
    const struct gpucode_stream_encode_options options = {.file_name = "text", .on_diagnostic = {hear, NULL}};
    size_t length = strlen(text);
    char *copy = malloc(length);
    void *bytes = NULL;
    assert_non_null(copy);
    memcpy(copy, text, length);
    *heard = 0;
    heard_count = 0;
    enum gpucode_status status = gpucode_stream_encode(copy, length, &options, &bytes, size);
    assert_int_equal(status, bytes ? GPUCODE_OK : GPUCODE_ERROR_INPUT);
    free(copy);
    return bytes;
}

#define A6XX ".recording a6xx\n"
#define GROWN ".contents\n.zero 16\n"
#define MOVED(address) "the buffer has grown into another one and now stands at " address ";"
#define NO_ROOM "the buffer has grown into another one, and there is no other place;"
#define NO_NUMBER "a number that fits is expected;"
#define LONG_NAME "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" /* 63 characters */
#define TARGET "there is no such target;"
#define STRING "this is not a string in quotes;"

static const struct text_case rows[] = {
    /* a buffer that grows by 12 bytes, and its neighbour: what only touches it is not overlapped */
    {A6XX ".buffer a, 0x100000, 4\n" GROWN ".buffer b, 0x100010, 4", ""},
    {A6XX ".buffer a, 0x100000, 4\n" GROWN ".buffer b, 0x10000f, 4", MOVED("0x110000")},
    {A6XX ".buffer a, 0x100000, 4\n" GROWN ".buffer b, 0x10000c, 0", ""},
    {A6XX ".buffer a, 0x100000, 0\n" GROWN ".buffer b, 0x10000c, 4", MOVED("0x110000")},
    {A6XX ".buffer b, 0xffffc, 4\n.buffer a, 0x100000, 0\n" GROWN, ""},
    {A6XX ".buffer b, 0xffffd, 4\n.buffer a, 0x100000, 0\n" GROWN, MOVED("0x110000")},
    {A6XX ".buffer b, 0xffffd, 4\n.buffer a, 0x100000, 4\n" GROWN, ""}, /* it overlapped it before */
    {A6XX ".buffer a, 0x100000, 4\n" GROWN ".buffer b, 0x100003, 4", ""},
    {A6XX ".buffer a, 0x100000, 4\n" GROWN ".buffer b, 0x100004, 4", MOVED("0x110000")},
    /* addresses have 32 bits up to a4xx */
    {".recording a4xx\n.buffer a, 0xfffe0000, 4\n" GROWN ".buffer b, 0xfffe0004, 0x10000", NO_ROOM},
    {".recording a5xx\n.buffer a, 0xfffe0000, 4\n" GROWN ".buffer b, 0xfffe0004, 0x10000", MOVED("0x100000000")},
    {".recording a5xx\n.buffer a, 0xfffe0000, 4, short\n" GROWN ".buffer b, 0xfffe0004, 0x10000", NO_ROOM},
    {".recording a5xx\n.buffer a, 0xfffe0000, 4, short\n" GROWN ".buffer b, 0xfffe0004, 0xfffc", MOVED("0xffff0000")},
    /* the last address, the largest numbers */
    {A6XX ".buffer a, 0xffff0000, 0x10000, short", ""},
    {A6XX ".buffer a, 0xffff0000, 0x10001, short", NO_NUMBER},
    {A6XX ".buffer a, 0xffffffff00000001, 0xffffffff", ""},
    {A6XX ".buffer a, 0xffffffff00000002, 0xffffffff", NO_NUMBER},
    {A6XX ".buffer a, 0, 0x100000000", NO_NUMBER},
    {A6XX ".stream 0xffffffff, 0xffffffff, short", ""},
    {A6XX ".stream 0x100000000, 1, short", NO_NUMBER},
    {A6XX ".stream 0x100000000, 0x100000000", NO_NUMBER},
    {A6XX ".record 0xffffffff", ""},
    {A6XX ".record 0x100000000", NO_NUMBER},
    {A6XX ".buffer a, 1, 2, short, 5", ".buffer takes LABEL, ADDRESS, SIZE;"},
    /* data */
    {A6XX ".record 1\n.align 0x100000", ""},
    {A6XX ".record 1\n.align 0x200000", "an alignment is a power of two;"},
    {A6XX ".record 1\n.word 1\n.zero 0xfffffffc", "the contents are larger than 4 GiB;"},
    {A6XX ".record 1\n.pad 0x100000000", "the contents are larger than 4 GiB;"},
    {A6XX ".record 1\n.ascii \"\\xfg\"", STRING},
    {A6XX ".record 1\n.ascii \"\\xgf\"", STRING},
    {A6XX ".record 1\n.ascii \"\\xf\"", STRING},
    {A6XX ".record 1\n.ascii \"abc\\\"", STRING}, /* the quote at the end is one of the text */
    {A6XX ".record 1\n.code " LONG_NAME "\n.end", TARGET},
    {A6XX ".record 1\n.code " LONG_NAME "a\n.end", TARGET},
    {A6XX ".record 1\n.word &low(1a)", "a place is expected;"},
    {A6XX ".record 1\n.word &high(a+)\n", "a number that fits is expected;"},
};

static void at_limits(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size;
        void *bytes = encode(rows[i].text, &size);
        if (strcmp(heard, rows[i].expected) != 0)
            print_message("of %s\n", rows[i].text);
        assert_string_equal(heard, rows[i].expected);
        assert_true(!bytes == (*heard && strncmp(heard, MOVED(""), strlen(MOVED("")) - 1) != 0));
        free(bytes);
    }
}

/* Bytes in front of a word are filled up to it. */
static void bytes_are_aligned(void)
{
    static const unsigned char wanted[] = {5, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3};
    size_t size;
    void *bytes = encode(A6XX ".record 5\n.byte 1\n.align 4\n.byte 2\n.align 8\n.align 16\n.byte 3", &size);
    assert_int_equal(size, sizeof wanted);
    assert_memory_equal(bytes, wanted, sizeof wanted);
    free(bytes);
}

/* A value has room in 4096 bytes, 24 of them for each place. */
static void long_values(void)
{
    static char text[8192];
    for (int spaces = 4067; spaces < 4070; spaces++) {
        size_t size;
        snprintf(text, sizeof text, A6XX ".buffer a, 0x30, 8\n.contents\nRB_CNTL = raw %*s&low(a)\n", spaces, "");
        unsigned char *bytes = encode(text, &size);
        assert_string_equal(heard, spaces < 4069 ? "" : "the value is too long;");
        assert_true(!bytes == (spaces == 4069));
        if (bytes)
            assert_int_equal(bytes[size - 4], 0x30);
        free(bytes);
    }
}

/* After 100 errors there are no more, wherever they are found. */
static void many_errors(void)
{
    static const char *const lines[] = {".word &nowhere\n", ".word x\n"};
    static char text[4096];
    for (size_t i = 0; i < 2; i++) {
        size_t size, length = (size_t)snprintf(text, sizeof text, A6XX ".record 1\n");
        for (unsigned k = 0; k < 120; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", lines[i]);
        assert_null(encode(text, &size));
        assert_int_equal(heard_count, 100);
    }
}

/*
 * Of a shader that has outgrown the register with its size: the register is looked for near the one with its address,
 * up to 256 bytes from that; it may be the last word of the file, and of the packet.
 */
static void sizes_of_shaders(void)
{
    static const struct {
        const char *label, *between;
        unsigned instructions;
        bool told;
    } cases[] = {
        {"code", "", 17, true},
        {"code", "", 16, false},
        {"code", "CP_NOP { .zero 240 }\n", 17, true},
        {"code", "CP_NOP { .zero 244 }\n", 17, false},
        {"commands", "", 17, false}, /* there is no code */
    };
    static char text[1024];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size, length = (size_t)snprintf(text, sizeof text,
                                               A6XX ".buffer code, 0x10000, 8\n.contents\n"
                                                    ".code ir3:a630\n");
        for (unsigned k = 0; k < cases[i].instructions; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "nop\n");
        snprintf(text + length, sizeof text - length,
                 ".end\n.buffer commands, 0x20000, 8\n.contents\nSP_PS_BASE = &%s\n%sSP_PS_INSTR_SIZE = 1",
                 cases[i].label, cases[i].between);
        void *bytes = encode(text, &size);
        assert_non_null(bytes);
        assert_string_equal(heard, cases[i].told ? "the shader has 2 units of 16 instructions, and SP_PS_INSTR_SIZE "
                                                   "says 1;"
                                                 : "");
        free(bytes);
    }
}

static void without_arguments(void)
{
    void *bytes;
    size_t size;
    assert_int_equal(gpucode_stream_encode(NULL, 0, NULL, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_encode(A6XX, 1, NULL, NULL, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_encode(A6XX, 1, NULL, &bytes, NULL), GPUCODE_ERROR_ARGUMENT);
}

TESTS(texts, at_limits, bytes_are_aligned, long_values, many_errors, sizes_of_shaders, without_arguments)
