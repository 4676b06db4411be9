/* SPDX-License-Identifier: MIT */
/* Lines of anybody's on a terminal: how wide characters are, what is shown of long lines, and what is coloured. */
#include "front/terminal.h"

#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A character in UTF-8. */
static void put_character(char text[8], uint32_t c)
{
    unsigned size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    memset(text, 0, 8);
    for (unsigned i = size; i-- > 1; c >>= 6)
        text[i] = (char)(0x80 | (c & 0x3f));
    text[0] = (char)(heads[size] | c);
}

/* The line with a caret below a byte of it; free it. */
static char *excerpt(const char *line, unsigned column, unsigned span)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    excerpt_line(out, line, strlen(line), column, span, "", "");
    fclose(out);
    return text;
}

/* The caret stands below what comes after a character: that tells its width. */
static void widths(void)
{
    static const struct {
        uint32_t first, last;
        unsigned width;
    } cases[] = {
        {0x20, 0x7e, 1},
        {0xa1, 0xac, 1},
        {0x2ff, 0x2ff, 1},
        {0x300, 0x36f, 0},
        {0x370, 0x370, 1},
        {0x10ff, 0x10ff, 1},
        {0x1100, 0x115f, 2},
        {0x1160, 0x1160, 1},
        {0x20cf, 0x20cf, 1},
        {0x20d0, 0x20ff, 0},
        {0x2100, 0x2100, 1},
        {0x2e7f, 0x2e7f, 1},
        {0x2e80, 0xa4cf, 2},
        {0xa4d0, 0xa4d0, 1},
        {0xabff, 0xabff, 1},
        {0xac00, 0xd7a3, 2},
        {0xd7a4, 0xd7a4, 1},
        {0xf8ff, 0xf8ff, 1},
        {0xf900, 0xfaff, 2},
        {0xfb00, 0xfb00, 1},
        {0xfdff, 0xfdff, 1},
        {0xfe00, 0xfe0f, 0},
        {0xfe10, 0xfe10, 1},
        {0xfe2f, 0xfe2f, 1},
        {0xfe30, 0xfe6f, 2},
        {0xfe70, 0xfe70, 1},
        {0xff00, 0xff60, 2},
        {0xff61, 0xff61, 1},
        {0xffdf, 0xffdf, 1},
        {0xffe0, 0xffe6, 2},
        {0xffe7, 0xffe7, 1},
        {0x1f2ff, 0x1f2ff, 1},
        {0x1f300, 0x1faff, 2},
        {0x1fb00, 0x1fb00, 1},
        {0x1ffff, 0x1ffff, 1},
        {0x20000, 0x3fffd, 2},
        {0x3fffe, 0x3fffe, 1},
        {1, 8, 4},
        /* <01> */ {0x7f, 0x7f, 4},
        {0x80, 0x9f, 8}, /* <U+0080> */
        {0xfeff, 0xfeff, 8},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t c = cases[i].first; c <= cases[i].last; c = c == cases[i].last ? c + 1 : cases[i].last) {
            char line[16];
            put_character(line, c);
            unsigned size = (unsigned)strlen(line);
            strcat(line, "x");
            char *text = excerpt(line, size + 1, 1), *below = strchr(text, '\n') + 1;
            if (strspn(below, " ") != 1 + cases[i].width || strcmp(below + strspn(below, " "), "^\n") != 0)
                fail_msg("U+%04X: %s", (unsigned)c, text);
            free(text);
        }
}

/* Of a long line 120 bytes are shown, with what is meant among them, and no part of a character. */
static void long_lines(void)
{
    static const struct {
        const char *before; /* the line: this, and letters */
        unsigned length, column;
        const char *dots[2]; /* what is left out, in front and behind */
        unsigned shown, caret;
    } cases[] = {
        {"", 120, 1, {"", ""}, 120, 1},
        {"", 120, 120, {"", ""}, 120, 120},
        {"", 121, 1, {"", "..."}, 120, 1},
        {"", 121, 61, {"", "..."}, 120, 61},
        {"", 121, 62, {"...", ""}, 120, 64},
        {"", 121, 121, {"...", ""}, 120, 123},
        {"", 121, 122, {"...", ""}, 120, 124}, /* after the last */
        {"", 121, 500, {"...", ""}, 120, 124},
        {"", 300, 150, {"...", "..."}, 120, 64},
        {"\xc3\xa9", 121, 121, {"", ""}, 121, 120},
        {"\xe2\x82\xac", 122, 122, {"", ""}, 122, 120},
        {"\xf0\x90\x80\x80", 123, 123, {"", ""}, 123, 120},
        {"", 20, 500, {"", ""}, 20, 21},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[400] = "", wanted[800];
        unsigned length = cases[i].length, before = (unsigned)strlen(cases[i].before);
        memset(line, 'a', length);
        memcpy(line, cases[i].before, before);
        char *text = excerpt(line, cases[i].column, 1);
        snprintf(wanted, sizeof wanted, " %s%.*s%s\n%*s^\n", cases[i].dots[0], (int)cases[i].shown, line,
                 cases[i].dots[1], (int)cases[i].caret, "");
        assert_string_equal(text, wanted);
        free(text);
    }
}

/* What a line looks like, whether it comes at once or byte by byte. */
static void painted(void)
{
#define PLAIN "\033[0m"
#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
    static const struct text_case cases[] = {
        {"+ a", GREEN "+" PLAIN " a"},
        {"- a", RED "-" PLAIN " a"},
        {"! a", YELLOW "!" PLAIN " a"},
        {"~ a", YELLOW "~" PLAIN " a"},
        {"* a", "* a"},
        {"+", "+"},
        {"+ ", GREEN "+" PLAIN " "},
        {"+a", "+a"},
        {"", ""},
        {"CP_NOP:", BOLD "CP_NOP:" PLAIN},
        {"draw 1:", BOLD "draw 1:" PLAIN},
        {"draw 12: x", BOLD "draw 12:" PLAIN " x"},
        {"draw :", "draw :"},
        {"draw 1", "draw 1"},
        {"x 1:y", "x 1:y"},
        {":", ":"},
        {" 1:", " 1:"},
        /* what is coloured already, and what only begins so */
        {"a " BOLD "b" PLAIN, "a " BOLD "b" PLAIN},
        {"\033[", "\033["},
        {"\033[31", "\033[31"},
        {"\033[m", "\033[m"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned whole = 0; whole < 3; whole++) {
            char line[64], *text = NULL;
            size_t size, length = (size_t)snprintf(line, sizeof line, "%s%s", cases[i].text, whole == 2 ? "" : "\n");
            FILE *out = open_memstream(&text, &size);
            struct paint paint = {.out = out};
            for (size_t at = 0; at < length; at += whole ? length : 1)
                assert_true(paint_write(&paint, line + at, whole ? length : 1));
            paint_end(&paint);
            fclose(out);
            if (whole != 2 && size)
                text[size - 1] = 0;
            assert_string_equal(text, cases[i].expected);
            free(text);
        }
}

TESTS(lines, widths, long_lines, painted)
