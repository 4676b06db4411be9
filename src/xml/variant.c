/* SPDX-License-Identifier: MIT */
#include "xml/variant.h"

/* Takes "A6XX"; the digit, or -1 and no move. */
static int take_chip(const char **text)
{
    const char *at = *text;
    if (at[0] != 'A' || at[1] < '0' || at[1] > '9' || at[2] != 'X' || at[3] != 'X')
        return -1;
    *text += 4;
    return at[1] - '0';
}

bool variant_parse(const char *text, uint16_t *chips)
{
    *chips = 0;
    while (*text) {
        if (*text == ' ' || *text == ',') {
            text++;
            continue;
        }
        int first = take_chip(&text), last = first;
        if (*text == '-' || *text == ':') {
            bool half_open = *text++ == ':';
            last = take_chip(&text);
            if (first < 0 && last < 0)
                return false;
            if (last < 0)
                last = 9;
            else if (half_open)
                last--;
            if (first < 0)
                first = 0;
        }
        if (first < 0 || (*text && *text != ' ' && *text != ','))
            return false;
        for (int chip = first; chip <= last; chip++)
            *chips |= (uint16_t)(1 << chip);
    }
    return true;
}
