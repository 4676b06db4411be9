/* SPDX-License-Identifier: MIT */
/* The firmware under examples/firmware, assembled and opened. */
#ifndef TESTS_FIRMWARE_BUNDLED_H
#define TESTS_FIRMWARE_BUNDLED_H

#include "assembling.h"

#define BUNDLED_COUNT 2 /* firmwares of one file, with all packets of README.md */
#define BUNDLED_PAIR 2  /* after them: PFP and ME of a5xx */

struct bundled {
    const char *name; /* of the source, without ".asm" */
    uint32_t id, version;
    const char *target, *layout;
    unsigned section_count;
    const char *sections[3];
};

extern const struct bundled bundled[BUNDLED_COUNT + 1];

struct opened {
    const struct bundled *firmware;
    struct gpucode_program *program;
    struct gpucode_image *image;
    const struct gpucode_image_info *info;
};

/* The text of a file in the folder; fails the test when it cannot be read. malloc'ed, with a zero after. */
char *bundled_text(const char *name, const char *suffix, size_t *size);
/* gpucode_asm_options.include, for the folder. */
bool bundled_include(void *user, const char *from, const char *name, char **text, size_t *length);
/* Assembles and opens; fails the test when anything at all is reported. */
void open_bundled(struct opened *opened, unsigned index);
/*
 * The same, disassembled with its places as labels, and assembled again with `nop`s between its instructions, where
 * `seed` has them.
 */
void open_edited(struct opened *opened, unsigned index, unsigned seed);
void close_bundled(struct opened *opened);
/* Word of the image. */
uint32_t image_word(const struct opened *opened, uint32_t unit);
/* Label of a section by index; false when there is none. In the first section of a source labels have no section. */
bool section_label(const struct opened *opened, unsigned section, const char *name, uint32_t *value);

#endif
