/* SPDX-License-Identifier: MIT */
#ifndef FRONT_UTF8_H
#define FRONT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `text` and its number; 0 when the bytes are no UTF-8 (overlong forms and surrogates too).
 */
size_t utf8_decode(const char *text, size_t length, uint32_t *character);

/* Is it UTF-8 without control characters other than white space? */
bool utf8_is_text(const char *bytes, size_t size);

#endif
