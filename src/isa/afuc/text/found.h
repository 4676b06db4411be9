/* SPDX-License-Identifier: MIT */
/* What is found out about all words of a file before the first line of its text is written. */
#ifndef ISA_AFUC_TEXT_FOUND_H
#define ISA_AFUC_TEXT_FOUND_H

#include "isa/afuc/afuc.h"
#include "isa/isa.h"
#include "isa/lines.h"

#include <gpucode/analysis.h>
#include <gpucode/asm.h>

/* Which words of a section are code, and which are branched to or called. */

enum {
    AFUC_MARK_BRANCHED = 1, /* target of a branch or jump */
    AFUC_MARK_CALLED = 2,   /* target of a call or bl */
    AFUC_MARK_REACHED = 4,  /* some path from the first word, a handler or a call leads here */
    AFUC_MARK_DATA = 8,     /* no instruction */
    AFUC_MARK_PREEMPT = 16, /* where %PREEMPT_INSTR points */
    AFUC_MARK_OUTSIDE = 32, /* an instruction that leads out of the code: its text would not bring it back */
    AFUC_MARK_LABELS = AFUC_MARK_BRANCHED | AFUC_MARK_CALLED | AFUC_MARK_PREEMPT,
};

/* What is known of a word from its bits alone: its row plus 1, 0 for no instruction, and facts of that row. */
enum {
    AFUC_WORD_ROW = 0x01ff,
    AFUC_WORD_FLOWS = 0x0200, /* the row has a flow other than to the next word */
    AFUC_WORD_LOSSY = 0x0400, /* bits are set that the processor ignores, and that the text has not */
    AFUC_WORD_NAMES = 0x0800, /* the text may have a comment: afuc_row_names() */
    AFUC_WORD_RARE = 0x1000,  /* no instruction, or one whose line has something of its own */
};

static inline int afuc_row_of(uint16_t word)
{
    return (word & AFUC_WORD_ROW) - 1;
}

/*
 * The first word from `first` on with this AFUC_WORD_ROW, `words` when there is none: four at a time, for words that
 * are rare.
 */
uint32_t afuc_next_word(const uint16_t *rows, uint32_t first, uint32_t words, uint16_t row);

struct afuc_flow {
    const struct gpucode_target *target;
    const unsigned char *bytes; /* of the section */
    uint32_t words;             /* of code */
    const uint16_t *rows;       /* of afuc_decode_words() */
    const uint32_t *handlers;   /* of the packet table */
    unsigned handler_count;
    const uint8_t *executed; /* a byte per word, not 0 where it is known to have run; null: nothing is known */
    bool doubtful;           /* set by afuc_flow_marks(): some data would be an instruction if it were known to run */
};

/* Fills in AFUC_WORD_... for each word. */
void afuc_decode_words(const struct gpucode_target *target, const unsigned char *bytes, uint32_t words,
                       uint16_t *restrict rows);

/*
 * Fills in a byte of marks per word: what paths come to and what they say of it, and data. False when out of memory.
 * Without find_data there are neither paths nor data: every word that decodes counts as code, as the reference
 * disassembler has it.
 */
bool afuc_flow_marks(struct afuc_flow *flow, bool find_data, uint8_t *marks);
/* Adds what the instructions say that no path comes to. */
void afuc_flow_finish(const struct afuc_flow *flow, uint8_t *marks);

static inline uint32_t afuc_word_at(const unsigned char *bytes, uint32_t index)
{
    const unsigned char *at = bytes + 4 * (size_t)index;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

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
