/* SPDX-License-Identifier: MIT */
/*
 * Text on the screen, in columns. Texts are UTF-8 whatever the terminal's encoding is: what that lacks, and what no
 * terminal shows as a character, becomes a question mark, so that the columns beside stand where they are. Nothing
 * reaches the terminal that it would act on.
 */
#include "tui/screen.h"

#include <limits.h>
#include <wchar.h>

/* Characters of no width that change the order or the look of what stands beside them: they hide what a text is. */
static bool is_format(uint32_t character)
{
    return (character >= 0x200b && character <= 0x200f) || (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) || character == 0xfeff || character == 0x00ad ||
           character == 0x061c || character == 0x180e || (character >= 0xfff9 && character <= 0xfffb) ||
           character >= 0xe0000;
}

/* Can the terminal's encoding say it? */
static bool is_encoded(wchar_t character)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    return wcrtomb(bytes, character, &state) != (size_t)-1;
}

/* Bytes of the first character and its number; 0: no UTF-8. Long forms of short numbers and surrogates have none
 * either. */
static size_t decode_character(const char *text, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    uint32_t number = length > 1 ? first & (0x7fu >> length) : first;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) /* the end of the text too */
            return 0;
        number = number << 6 | ((unsigned char)text[i] & 0x3f);
    }
    *character = number;
    return number < least[length] || number > 0x10ffff || number >> 11 == 0x1b ? 0 : length;
}

/* The first character of a text as it is shown; returns its bytes, and the columns that it takes. */
static size_t take_character(const char *text, wchar_t *shown, int *columns)
{
    uint32_t character;
    size_t length = decode_character(text, &character);
    *columns = 1;
    *shown = L'?';
    if (!length)
        return 1;
    if (character < ' ' || character == 0x7f)
        *shown = L' ';
    else if (character < 0x7f)
        *shown = (wchar_t)character;
#ifdef __STDC_ISO_10646__ /* else nobody can tell what a wchar_t is */
    else if (!is_format(character) && wcwidth((wchar_t)character) >= 0 && is_encoded((wchar_t)character)) {
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
