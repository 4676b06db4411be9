/* SPDX-License-Identifier: MIT */
#ifndef UTF8_UTF8_H
#define UTF8_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_MOST 4 /* bytes of a character */

/* Bytes of the character at `text` and its number; 0 when the bytes are not UTF-8 (overlong forms and surrogates too).
 */
size_t utf8_decode(const char *text, size_t length, uint32_t *character);

/* Is it UTF-8 without control characters other than white space? */
bool utf8_is_text(const char *bytes, size_t size);

/* Does it change the order or the look of what stands beside it and take no room itself: zero-width, line and direction
 * controls? They hide what a text is. */
bool utf8_is_format(uint32_t character);

/* Would a terminal act on it, or does it change the order or the look of what stands beside it? */
static inline bool utf8_is_hidden(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || utf8_is_format(character);
}

#endif
