/* SPDX-License-Identifier: MIT */
/* Listings for editing: numbers that are places of code, which become labels. */
#ifndef ISA_AFUC_TEXT_PLACES_H
#define ISA_AFUC_TEXT_PLACES_H

#include <gpucode/analysis.h>
#include <gpucode/asm.h>

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

#endif
