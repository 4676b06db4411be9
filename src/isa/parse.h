/* SPDX-License-Identifier: MIT */
/* The beginning of an instruction as listings have it: a mnemonic, found by its key, and the rows that begin behind it.
 */
#ifndef ISA_PARSE_H
#define ISA_PARSE_H

#include "isa/scan.h"

/* The first mnemonic that has the key and length; a short one has no other text. */
static inline const struct isa_mnemonic *isa_find_key(const struct isa_row_set *set, uint64_t key, size_t length)
{
    const uint32_t mask = set->hash_mask;
    for (uint32_t at = isa_key_hash(key) & mask; set->hash[at]; at = (at + 1) & mask) {
        const struct isa_mnemonic *mnemonic = &set->mnemonics[set->hash[at] - 1];
        if (mnemonic->key == key && mnemonic->length == length)
            return mnemonic;
    }
    return NULL;
}

static inline void isa_begin_build(struct isa_build *build, const struct isa_row *row)
{
    build->row = row;
    build->bits = row->facts.match;
    build->parse_state = 0;
    build->pending_count = 0;
}

/*
 * The first row that takes the text where the mnemonic, with nothing in front of it, has been read up to `behind`;
 * false, and nothing is noted, where none does or the set refuses it.
 */
static inline bool isa_parse_behind(struct isa_scan *scan, struct isa_build *build, const struct isa_mnemonic *mnemonic,
                                    const char *start, const char *behind)
{
    const struct isa_text *text = &scan->isa->text;
    for (const uint16_t *number = isa_rows_of(text->rows, mnemonic, scan->target->generation); *number; number++) {
        isa_begin_build(build, &text->rows->rows[*number - 1]);
        const char *end = text->parse[*number - 1].behind(behind, scan, build);
        if (!end)
            continue;
        scan->at = end;
        return !text->check || text->check(scan, build, start);
    }
    return false;
}

/* isa_parse_plain() for modifiers in front of the mnemonic, dots in it, and long ones. */
bool isa_parse_less_plain(struct isa_scan *scan, struct isa_build *build, const char *behind);

/*
 * isa_parse() for a quiet scan at a mnemonic as listings have it, in lower case and behind modifiers or none, without a
 * second look: false, and nothing is noted, where isa_parse() may find an instruction all the same or knows what is
 * wrong. `behind`: where the name at the cursor ends, or the cursor where there is none.
 */
static inline bool isa_parse_plain(struct isa_scan *scan, struct isa_build *build, const char *behind)
{
    const char *start = scan->at;
    size_t length = (size_t)(behind - start);
    if (length - 1 >= ISA_KEY_BYTES || scan->end - behind <= ISA_KEY_BYTES || *behind == '.')
        return isa_parse_less_plain(scan, build, behind);
    const struct isa_mnemonic *mnemonic = isa_find_key(scan->isa->text.rows, isa_key_here(start, length), length);
    return mnemonic && isa_parse_behind(scan, build, mnemonic, start, behind);
}

#endif
