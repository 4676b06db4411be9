/* SPDX-License-Identifier: MIT */
/* Firmware images in every container layout, made of random words: no code of anyone. */
#ifndef TESTS_IMAGE_BUILDER_H
#define TESTS_IMAGE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILT_SECTIONS_MAX 4
#define BUILT_WORDS_MAX 4096
#define NO_TABLE UINT32_MAX

enum form { FORM_A5XX, FORM_A6XX, FORM_A660, FORM_A7XX, FORM_PLAIN_A7XX, FORM_GEN8, FORM_AQE };

struct built_layout {
    const char *name;      /* of the layout */
    const char *target;    /* that the id selects: "afuc:a630" */
    const char *container; /* gpucode_image_info.layout */
    enum form form;
    uint32_t id;
    const char *sections[BUILT_SECTIONS_MAX];
};

extern const struct built_layout built_layouts[];
extern const unsigned built_layout_count;

struct built_section {
    const char *name;
    uint32_t start, size, table; /* words */
};

struct built {
    uint32_t words[BUILT_WORDS_MAX]; /* the image: file words 1 and on */
    uint32_t count;
    uint32_t version, total, trailer; /* total and trailer: NO_TABLE without one */
    char date[11];
    unsigned section_count;
    struct built_section sections[BUILT_SECTIONS_MAX];
};

/* A small generator of random numbers; any state but 0. */
uint32_t random_word(uint64_t *state);

/* Sections get about `code_words` words in front of their tables. */
void build_image(struct built *built, const struct built_layout *layout, uint64_t seed, uint32_t code_words);

/* The file: a zero word and the image, little-endian; malloc'ed with exactly that size. */
unsigned char *built_file(const struct built *built, size_t *size);

#endif
