/* SPDX-License-Identifier: MIT */
/*
 * Where the sections of a firmware image and their packet tables stand, read from the headers alone: nothing is run.
 * container.c knows the header forms, and makes an image of what it finds.
 */
#ifndef ISA_AFUC_TEXT_CONTAINER_H
#define ISA_AFUC_TEXT_CONTAINER_H

#include "isa/afuc/afuc.h"

#define AFUC_SECTIONS_MAX 4
#define AFUC_TABLE_WORDS 0x80u

/* Image words: the file without the zero word in front. */
struct afuc_words {
    const unsigned char *bytes;
    uint32_t count;
};

/* Word `index`, or 0 after the end: no header word that counts is 0. */
static inline uint32_t afuc_word(const struct afuc_words *words, uint64_t index)
{
    if (index >= words->count)
        return 0;
    const unsigned char *at = words->bytes + index * 4;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Id of a first word. */
static inline uint32_t afuc_word_id(uint32_t word)
{
    return word >> 12 & 0xfff;
}

/* The result of looking at the headers. */
struct afuc_map {
    const char *form;        /* "a7xx header"; constant */
    const char *form_source; /* what told the form */
    unsigned count;
    struct gpucode_section sections[AFUC_SECTIONS_MAX];
    uint32_t total;         /* image words by the header; GPUCODE_NONE: the form has no such word */
    uint32_t named_table;   /* where a header puts a table that is none; GPUCODE_NONE: no such case */
    unsigned named_section; /* the section of named_table */
    uint32_t trailer;       /* first word of the build date; GPUCODE_NONE without one */
    char date[16];          /* "2025-02-14" from the trailer */
};

#endif
