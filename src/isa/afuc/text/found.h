/* SPDX-License-Identifier: MIT */
/* What is found out about all words of a file before the first line of its text is written. */
#ifndef ISA_AFUC_TEXT_FOUND_H
#define ISA_AFUC_TEXT_FOUND_H

#include "isa/afuc/afuc.h"
#include "isa/afuc/text/flow.h"
#include "isa/afuc/text/places.h"
#include "isa/lines.h"

struct afuc_found {
    const struct isa_layout *layout;
    uint16_t *rows; /* AFUC_WORD_... of each word of the file */
    uint8_t *marks; /* AFUC_MARK_... */
    bool edits;     /* the text is to be changed: whatever is a place has a label */
};

/* The part of that which one section, or a whole raw file, is about. */
struct afuc_run {
    const unsigned char *bytes; /* of its first word */
    const uint16_t *rows;
    uint8_t *marks;
    uint32_t start; /* unit of its first word */
    uint32_t words; /* of code */
    uint32_t end;   /* words up to the next section */
    uint32_t table; /* where its packet table stands; GPUCODE_NONE: it is not shown as one */
    bool has_table;
    uint32_t handlers[AFUC_TABLE_ENTRIES];
};

/* Decodes all words; false when out of memory. afuc_found_free() in both cases. */
bool afuc_found_decode(struct afuc_found *found, const struct isa_layout *layout, bool edits);
void afuc_found_free(struct afuc_found *found);

void afuc_found_section(const struct afuc_found *found, unsigned number, struct afuc_run *run);
/* The whole file as one run of code. */
void afuc_found_file(const struct afuc_found *found, struct afuc_run *run);

/*
 * Tells code from data in all sections, running the image where its bytes alone do not tell and `lines` has a way to.
 * Constants that are places of code tell too. `executed` is a byte per unit, or null. False when out of memory.
 */
bool afuc_found_sections(const struct afuc_found *found, struct afuc_places *places, const struct isa_lines *lines,
                         const uint8_t *executed);

#endif
