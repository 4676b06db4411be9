/* SPDX-License-Identifier: MIT */
/*
 * Writing text and numbers without the printf family: each function writes at `at` and returns the end of what it
 * wrote. The caller has made sure of the room (20 digits at most). Short numbers are what hot loops print. And reading
 * numbers that need not end in a zero, without a locale.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline char *text_put(char *at, const char *text, size_t length)
{
    memcpy(at, text, length);
    return at + length;
}

#define TEXT_LITERAL(at, literal) text_put(at, literal, sizeof literal - 1)

static inline char *text_string(char *at, const char *text)
{
    return text_put(at, text, strlen(text));
}

/*
 * The same for names and other texts that are short: in pieces of 16 or 8 bytes, of which the last two may overlap.
 * Compilers know of nothing better for them than an instruction that takes tens of cycles to begin.
 */
static inline char *text_put_name(char *at, const char *text, size_t length)
{
    if (length >= 16) {
        for (size_t i = 0; i < length - 16; i += 16)
            memcpy(at + i, text + i, 16);
        memcpy(at + length - 16, text + length - 16, 16);
    } else if (length >= 8) {
        memcpy(at, text, 8);
        memcpy(at + length - 8, text + length - 8, 8);
    } else if (length >= 4) {
        memcpy(at, text, 4);
        memcpy(at + length - 4, text + length - 4, 4);
    } else if (length) {
        at[0] = text[0];
        at[length / 2] = text[length / 2];
        at[length - 1] = text[length - 1];
    }
    return at + length;
}

/* FNV-1a of 64 bits: of these bytes after what `hash` is of, which is TEXT_HASH_START for nothing. */
#define TEXT_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t text_hash(uint64_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The same of the words' bytes, lowest first. */
static inline uint64_t text_hash_words(const uint32_t *words, size_t count)
{
    uint64_t hash = TEXT_HASH_START;
    for (size_t i = 0; i < 4 * count; i++)
        hash = (hash ^ (words[i / 4] >> i % 4 * 8 & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

/* What is ended by a zero, and a few bytes long: quicker than the functions of libc. */
static inline char *text_short(char *at, const char *text)
{
    while (*text)
        *at++ = *text++;
    return at;
}

/* Eight bytes as a number of which the first is the lowest. */
static inline uint64_t text_load64(const unsigned char *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

extern const int8_t text_hex_values[256];
/* Value of a hexadecimal digit of either case, -1 when it is none. */
static inline int text_hex_digit(char c)
{
    return text_hex_values[(unsigned char)c];
}

/* Bytes of the byte order mark that some editors put in front of UTF-8: 3 or 0. */
static inline size_t text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/*
 * The eight digits of a number below 2^32, as bytes of which the lowest is the first: nibbles are spread over bytes,
 * and those of ten and more get the distance from '9' + 1 to 'a' added.
 */
static inline uint64_t text_hex_digits(uint32_t value)
{
    uint64_t x = value;
    x = (x & 0xffff) << 32 | x >> 16;
    x = (x & UINT64_C(0x0000ff000000ff00)) >> 8 | (x & UINT64_C(0x000000ff000000ff)) << 16;
    x = (x & UINT64_C(0x00f000f000f000f0)) >> 4 | (x & UINT64_C(0x000f000f000f000f)) << 8;
    uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return x + UINT64_C(0x3030303030303030) + letters * ('a' - '9' - 1);
}

/* Writes the lowest `count` bytes, at most 8. */
static inline char *text_put_bytes(char *at, uint64_t bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        at[i] = (char)(bytes >> 8 * i);
    return at + count;
}

/* Writes all eight bytes, the lowest first: compilers know one instruction for that, not for the loop after a shift.
 */
static inline void text_put_eight(char *at, uint64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(at, &bytes, sizeof bytes);
}

/* The two digits of each number below 256. */
extern const char text_hex_pairs[512];

/* The pair of a number as bytes of which the lowest is the first. */
static inline uint64_t text_pair(const char *pairs, unsigned number)
{
    uint16_t pair;
    memcpy(&pair, &pairs[2 * number], sizeof pair);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    pair = __builtin_bswap16(pair);
#endif
    return pair;
}

char *text_hex_long(char *at, uint64_t value);
/* Lower-case hex, no prefix, at least one digit; up to 8 bytes after the text may change. */
static inline char *text_hex(char *at, uint64_t value)
{
    if (value >> 16)
        return text_hex_long(at, value);
    unsigned zeros = (unsigned)__builtin_clz(((uint32_t)value | 1) << 16) / 4;
    uint64_t digits = text_pair(text_hex_pairs, (unsigned)value >> 8) | text_pair(text_hex_pairs, value & 0xff) << 16;
    text_put_eight(at, digits >> 8 * zeros);
    return at + 4 - zeros;
}
/* Lower-case hex with exactly `digits` digits. */
static inline char *text_hex_fixed(char *at, uint64_t value, unsigned digits)
{
    if (digits > 8) {
        at = text_hex_fixed(at, value >> 32, digits - 8);
        digits = 8;
    }
    return text_put_bytes(at, text_hex_digits((uint32_t)value) >> 8 * (8 - digits), digits);
}
char *text_decimal_long(char *at, uint64_t value);
/* Up to 8 bytes after the text may change. */
static inline char *text_decimal(char *at, uint64_t value)
{
    if (value >= 100)
        return text_decimal_long(at, value);
    unsigned small = (unsigned)value;
    if (small >= 10)
        *at++ = (char)('0' + small / 10);
    *at++ = (char)('0' + small % 10);
    return at;
}
char *text_signed(char *at, int64_t value);

/* "draw 3", "draws 3 to 5", ended by a zero; the numbers alone where `what` is "". Of names of up to 10 letters. */
#define TEXT_SOME_MAX 64
char *text_some(char *at, const char *what, uint64_t first, uint64_t last);

/* Below, at or above 0 as a comes before b, is equal or comes after. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Takes all digits of `base` (up to 16); returns where they end. *overflow: they say more than 64 bits hold. */
const char *text_read_digits(const char *at, const char *end, unsigned base, uint64_t *value, bool *overflow);

/* Takes a number, decimal or after 0x; null when there is none or it exceeds 64 bits. */
const char *text_read_number(const char *at, const char *end, uint64_t *value);

/* Words as they stand in GPU memory, the lowest byte first, become numbers; and numbers such words. */
static inline void words_of_memory(uint32_t *words, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i++)
        words[i] = __builtin_bswap32(words[i]);
#else
    (void)words;
    (void)count;
#endif
}

#endif
