/* SPDX-License-Identifier: MIT */
/* The text of an AFUC image as it grows: what the files of the listing share. Internal. */
#ifndef AFUC_TEXT_LISTING_H
#define AFUC_TEXT_LISTING_H

#include "base/text.h"
#include "isa/afuc/afuc.h"
#include "isa/afuc/text/found.h"

/* Room for the longest line, with labels that are made up. */
#define LINE_MAX_LENGTH (2 * GPUCODE_TEXT_MAX + 64)

struct entry_label {
    uint32_t handler;
    uint8_t length, packet;
    bool made_up; /* the packet has no name */
    char name[GPUCODE_NAME_MAX];
};

/* One run of words that is printed with labels of its own. */
struct listing {
    const struct isa_layout *layout;
    const struct gpucode_target *target;
    struct gpucode_format_options format;
    struct gpucode_format_options near; /* the same for instructions whose targets are in the code: a callback less */
    struct isa_lines *list;
    struct buffer *out; /* the list's text */
    bool columns;
    const unsigned char *bytes; /* first word */
    uint32_t words;             /* printed one by one */
    uint32_t table;             /* offset in nop form prints as #jumptbl; GPUCODE_NONE: none */
    const uint16_t *rows;       /* of the first word on, as in struct afuc_found */
    uint8_t *marks;
    int64_t unit;            /* first word's, in the image; negative: the prefix is printed too */
    const uint8_t *executed; /* per word, or null */
    struct entry_label entries[AFUC_TABLE_ENTRIES]; /* labels of packets, by their places */
    unsigned entry_count;
    bool gathers;                               /* the packets of the handler that has most of them are not labels */
    uint32_t gathered;                          /* that handler; GPUCODE_NONE: no section, or no such handler */
    const struct gpucode_disasm_options *named; /* whose callback names places; null: there is none */
    unsigned section;
    uint32_t unnamed;          /* words in front of the section, which have no names: the prefix of raw files */
    struct afuc_places places; /* numbers that are places, to be written as labels */
};

/* --- lines (listing_words.c) -------------------------------------------------------------------------- */

void afuc_listing_keep_unit(const struct listing *listing, uint32_t index, enum gpucode_unit_kind kind, int row,
                            const char *start, const char *middle, const char *end);
/* A word: an instruction, or its bits. */
void afuc_listing_word(const struct listing *listing, uint32_t index);
/* A word with a number that is a place: false, and nothing is written, where the text would not bring it back. */
bool afuc_listing_place(const struct listing *listing, uint32_t index);

/* Index and bits in front of the line. */
static inline char *listing_put_columns(char *at, const struct listing *listing, uint32_t index)
{
    *at++ = '\t';
    at = text_hex_fixed(at, index, index > 0xffff ? 8 : 4);
    at = TEXT_LITERAL(at, ": ");
    at = text_hex_fixed(at, afuc_word_at(listing->bytes, index), 8);
    return TEXT_LITERAL(at, "  ");
}

static inline char *listing_begin_line(const struct listing *listing, uint32_t index)
{
    if (!buffer_reserve(listing->out, LINE_MAX_LENGTH))
        return NULL;
    char *at = buffer_end(listing->out);
    return listing->columns ? listing_put_columns(at, listing, index) : at;
}

static inline void listing_end_line(const struct listing *listing, char *at)
{
    *at++ = '\n';
    buffer_commit(listing->out, at);
}

/* Records the unit of a line that stands from `start` to `end` but is not ended yet; its comment begins at `middle`. */
static inline void listing_note_unit(const struct listing *listing, uint32_t index, enum gpucode_unit_kind kind,
                                     int row, const char *start, const char *middle, const char *end)
{
    if (listing->list->recorded)
        afuc_listing_keep_unit(listing, index, kind, row, start, middle, end);
}

/* --- labels (listing_labels.c) ------------------------------------------------------------------------- */

/* The name of the word that an instruction leads to, as struct gpucode_format_options wants it. */
size_t afuc_listing_target_name(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size);
/* A line that is not an instruction and no label. */
void afuc_listing_line(const struct listing *listing, uint32_t index, const char *text, size_t length);
/* A line with a label: `text` begins with its name. */
void afuc_listing_label(const struct listing *listing, uint32_t index, enum gpucode_mark_kind kind, const char *text,
                        size_t name_length, size_t length);
/* All labels of a word. `entry` is the next label of a packet. */
void afuc_listing_labels(const struct listing *listing, uint32_t index, unsigned *entry);
void afuc_listing_user_labels(const struct listing *listing, uint32_t index);
/*
 * The name of a place that packets lead to: that of the interruption, or of the lowest packet with a name, as the
 * analysis calls it. Nothing is written where no packet leads there.
 */
char *afuc_listing_entry_name(const struct listing *listing, char *at, uint32_t unit, bool interrupt);
char *afuc_listing_place_name(const struct listing *listing, char *at, const struct gpucode_code_constant *constant);
/* One label per entry of the packet table. */
void afuc_listing_name_entries(struct listing *listing, const uint32_t *handlers);
/* The handler of most packets, if there are many of them and the caller wants them gathered; else GPUCODE_NONE. */
uint32_t afuc_listing_find_gathered(const struct listing *listing);

#endif
