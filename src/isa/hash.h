/* SPDX-License-Identifier: MIT */
/* The hash of mnemonics and names; tools/rowc.c makes tables of it that the library looks up. */
#ifndef ISA_HASH_H
#define ISA_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, byte by byte for who reads the text anyway. */
#define ISA_HASH_START 2166136261u
static inline uint32_t isa_hash_byte(uint32_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * 16777619u;
}

static inline uint32_t isa_hash_end(uint32_t hash)
{
    return hash ^ hash >> 15;
}

static inline uint32_t isa_hash(const char *text, size_t length)
{
    uint32_t hash = ISA_HASH_START;
    for (size_t i = 0; i < length; i++)
        hash = isa_hash_byte(hash, text[i]);
    return isa_hash_end(hash);
}

#endif
