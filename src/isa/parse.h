/* SPDX-License-Identifier: MIT */
/* The beginning of an instruction as listings have it: a mnemonic, found by its key, and the rows that begin after it.
 */
#ifndef ISA_PARSE_H
#define ISA_PARSE_H

#include "isa/scan.h"

/* The place of a key among the mnemonics; one without a mnemonic: none has it. A short one has no other text. */
static inline __attribute__((always_inline)) const struct isa_key_slot *isa_find_key(const struct isa_row_set *set,
                                                                                     uint64_t key)
{
    const struct isa_key_slot *slot = &set->slots[isa_key_hash(key) >> set->slot_shift];
    while (slot->key != key && slot->mnemonic)
        slot++;
    return slot;
}

static inline void isa_begin_build(struct isa_build *build, const struct isa_row *row)
{
    build->row = row;
    build->bits = row->facts.match;
    build->parse_state = 0;
    build->pending_count = 0;
}

/* Has the set nothing to say against an instruction that was read from `start` on? */
static inline bool isa_check(struct isa_scan *scan, struct isa_build *build, const char *start)
{
    return !build->parse_state || !scan->isa->text.check || scan->isa->text.check(scan, build, start);
}

/*
 * The first of some rows, which isa_rows_of() gives, that takes the text where the mnemonic, with nothing in front of
 * it, has been read up to `behind`; false, and nothing is noted, where none does or the set refuses it.
 */
static inline bool isa_parse_behind(struct isa_scan *scan, struct isa_build *build, const uint16_t *number,
                                    const char *start, const char *behind)
{
    const struct isa_text *text = &scan->isa->text;
    for (; *number; number++) {
        isa_begin_build(build, &text->rows->rows[*number - 1]);
        const char *end = text->parse[*number - 1].after(behind, scan, build);
        if (!end)
            continue;
        scan->at = end;
        return isa_check(scan, build, start);
    }
    return false;
}

/*
 * The place of the mnemonic at `at`, if that has up to seven bytes and ends in front of white space or the like;
 * *behind is its end then. Eight bytes can be read there. A place without a mnemonic: look closer.
 */
static inline __attribute__((always_inline)) const struct isa_key_slot *
isa_short_mnemonic(const struct isa_row_set *set, const char *at, const char **behind)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t text = isa_key_here(at);
    /* the highest bit of the first byte below '.', and perhaps of some after it */
    uint64_t below = (text - ones * '.') & ~text & ones * 0x80;
    unsigned length = below ? (unsigned)__builtin_ctzll(below) / 8 : 0;
    *behind = at + length;
    return isa_find_key(set, length ? isa_key_of(text, length) : 0);
}

/*
 * isa_parse() for a quiet scan at a mnemonic as listings have it, in lower case and after modifiers or none, without a
 * second look: false, and nothing is noted, where isa_parse() may find an instruction all the same or knows what is
 * wrong.
 */
bool isa_parse_plain(struct isa_scan *scan, struct isa_build *build);

#endif
