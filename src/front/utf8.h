/* SPDX-License-Identifier: MIT */
#ifndef FRONT_UTF8_H
#define FRONT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `text` and its number; 0 when the bytes are no UTF-8 (overlong forms and surrogates too).
 */
size_t utf8_decode(const char *text, size_t length, uint32_t *character);

#endif
