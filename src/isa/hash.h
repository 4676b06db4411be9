/* SPDX-License-Identifier: MIT */
/* The hash of mnemonics and names; tools/rowc.c makes tables of it that the library looks up. */
#ifndef ISA_HASH_H
#define ISA_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Four bytes, the first lowest: the same on all computers, and one instruction on most. */
static inline uint32_t isa_hash_four(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    return byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/* Up to eight bytes as a number; of different texts of one length different ones. */
static inline uint64_t isa_hash_eight(const char *text, size_t length)
{
    if (length >= 4)
        return isa_hash_four(text) | (uint64_t)isa_hash_four(text + length - 4) << 32;
    if (!length)
        return 0;
    return (unsigned char)text[0] | (unsigned)(unsigned char)text[length / 2] << 8 |
           (unsigned)(unsigned char)text[length - 1] << 16;
}

#define ISA_HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t isa_hash_mix(uint64_t hash)
{
    hash *= ISA_HASH_FACTOR;
    return hash ^ hash >> 32;
}

/* Eight bytes at a time: names are short. */
static inline uint32_t isa_hash(const char *text, size_t length)
{
    uint64_t hash = length;
    for (; length > 8; text += 8, length -= 8)
        hash = isa_hash_mix(hash ^ isa_hash_eight(text, 8));
    hash = isa_hash_mix(hash ^ isa_hash_eight(text, length));
    return (uint32_t)(hash * ISA_HASH_FACTOR >> 32);
}

/*
 * Mnemonics are looked up in each line: by a key, which of up to eight bytes is those, the first lowest and zeros
 * after them, and of longer ones a hash that no text of eight bytes or less has. No two of a set have one key
 * (tools/rowc.c).
 */
#define ISA_KEY_BYTES 8
static inline uint64_t isa_key(const char *text, size_t length)
{
    if (length > ISA_KEY_BYTES)
        return isa_hash(text, length) | UINT64_C(1) << 63; /* with bytes of zero in between */
    if (length >= 4)                                       /* bytes in the middle come twice, to one place */
        return isa_hash_four(text) | (uint64_t)isa_hash_four(text + length - 4) << 8 * (length - 4);
    uint64_t key = 0;
    for (size_t i = 0; i < length; i++)
        key |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return key;
}

/* Eight bytes as isa_key() has them: one load. */
static inline uint64_t isa_key_here(const char *text)
{
    return isa_hash_four(text) | (uint64_t)isa_hash_four(text + 4) << 32;
}

/* The key of the first 1 to 8 of them. */
static inline uint64_t isa_key_of(uint64_t eight, size_t length)
{
    return eight & ~UINT64_C(0) >> (64 - 8 * length);
}

/* Its highest bits are what all of the key has to do with. */
static inline uint64_t isa_key_hash(uint64_t key)
{
    return key * ISA_HASH_FACTOR;
}

/* Are the texts the same? Of short ones this is less than a call. */
static inline int isa_same_text(const char *a, const char *b, size_t length)
{
    for (; length > 8; a += 8, b += 8, length -= 8)
        if (isa_hash_eight(a, 8) != isa_hash_eight(b, 8))
            return 0;
    return isa_hash_eight(a, length) == isa_hash_eight(b, length);
}

#endif
