/* SPDX-License-Identifier: MIT */
/* The hash of mnemonics and names; tools/rowc.c makes tables of it that the library looks up. */
#ifndef ISA_HASH_H
#define ISA_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a */
static inline uint32_t isa_hash(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash ^ hash >> 15;
}

#endif
