/* SPDX-License-Identifier: MIT */
/* Which words of a section are code, and which are branched to or called. */
#ifndef ISA_AFUC_TEXT_FLOW_H
#define ISA_AFUC_TEXT_FLOW_H

#include "isa/isa.h"

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

#endif
