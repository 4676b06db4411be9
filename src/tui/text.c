/* SPDX-License-Identifier: MIT */
/*
 * Text on the screen, in columns. Texts are UTF-8 whatever the terminal's encoding is: what that lacks, and what no
 * terminal shows as a character, becomes a question mark, so that the columns beside stand where they are. Nothing
 * reaches the terminal that it would act on.
 */
#include "tui/screen.h"
#include "utf8/utf8.h"

#include <limits.h>
#include <string.h>
#include <wchar.h>

/* Can the terminal's encoding say it? */
static bool is_encoded(wchar_t character)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    return wcrtomb(bytes, character, &state) != (size_t)-1;
}

/* The first character of a text as it is shown; returns its bytes, and the columns that it takes. */
static size_t take_character(const char *text, wchar_t *shown, int *columns)
{
    uint32_t character;
    size_t length = utf8_decode(text, strnlen(text, UTF8_MOST), &character);
    *columns = 1;
    *shown = L'?';
    if (!length)
        return 1;
    if (character < ' ' || character == 0x7f)
        *shown = L' ';
    else if (character < 0x7f)
        *shown = (wchar_t)character;
#ifdef __STDC_ISO_10646__ /* else nobody can tell what a wchar_t is */
    else if (!utf8_is_format(character) && wcwidth((wchar_t)character) >= 0 && is_encoded((wchar_t)character)) {
        *shown = (wchar_t)character;
        *columns = wcwidth(*shown);
    }
#endif
    return length;
}

void draw_text(int row, int column, int width, const char *text)
{
    int used = 0, columns;
    wchar_t shown;
    if (width <= 0 || move(row, column) == ERR)
        return;
    for (size_t length; *text; text += length, used += columns) {
        length = take_character(text, &shown, &columns);
        if (used + columns > width)
            break;
        if (columns || used) /* what stands above a character needs one */
            addnwstr(&shown, 1);
    }
    for (; used < width; used++)
        addch(' ');
}

int text_columns(const char *text)
{
    int used = 0, columns;
    wchar_t shown;
    for (; *text; used += columns)
        text += take_character(text, &shown, &columns);
    return used;
}

const char *text_end(const char *text, int room)
{
    wchar_t shown;
    for (int used = text_columns(text), columns; used > room && *text; used -= columns)
        text += take_character(text, &shown, &columns);
    return text;
}
