/* SPDX-License-Identifier: MIT */
/* What is found out about all words of a file before the first line of its text is written. */
#ifndef ISA_AFUC_TEXT_FOUND_H
#define ISA_AFUC_TEXT_FOUND_H

#include "isa/afuc/afuc.h"
#include "isa/afuc/text/flow.h"
#include "isa/lines.h"
#include <gpucode/analysis.h>
#include <gpucode/asm.h>

/* --- Listings for editing: numbers that are places of code, which become labels ----------------------------------- */

struct afuc_places {
    const struct gpucode_code_constant *list; /* of the whole image, by section and unit */
    size_t count;
    unsigned section;                         /* the one at hand */
    uint32_t at;                              /* its next word with a place; GPUCODE_NONE: there is none */
    const struct gpucode_code_constant *next; /* that place */
    bool start;                               /* a number is the start of this section */
    const struct gpucode_code_constant *end;  /* a number is the end of the image; or null */
};

void afuc_places_begin(struct afuc_places *places, const struct gpucode_disasm_options *options, bool raw);
/* Begins a section. */
void afuc_places_enter(struct afuc_places *places, unsigned number);
/* Goes to the next word with a place. */
void afuc_places_step(struct afuc_places *places);
/* Of the places in the section at hand that numbers anywhere are, the one after `after`; null: the first, the end. */
const struct gpucode_code_constant *afuc_places_here(const struct afuc_places *places,
                                                     const struct gpucode_code_constant *after);
/*
 * *known: `executed`, which may be null, and what control goes to by constants; a byte per word, to be freed. Null
 * where there is nothing to add. False: out of memory.
 */
bool afuc_places_known(const struct afuc_places *places, const uint8_t *executed, uint32_t words, uint8_t **known);
/* Puts a place where the last number of an instruction's text stands; returns where the text ends. */
char *afuc_put_place(char *start, char *end, const char *place, size_t length);

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
