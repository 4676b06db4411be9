/* SPDX-License-Identifier: MIT */
/*
 * Reading the text of instructions: a cursor over the source, numbers, names and expressions, and
 * the instruction under construction. No memory is allocated.
 */
#ifndef ISA_SCAN_H
#define ISA_SCAN_H

#include "base/diagnostics.h"
#include "base/text.h"
#include "isa/isa.h"

#include <string.h>

#define ISA_TERMS_MAX 4
#define ISA_PENDING_MAX 4

/* A label in an expression, times a factor. */
struct isa_term {
    const char *name; /* in the source */
    uint32_t length;
    int64_t factor;
};

/* What is taken of the sum in the end: a number that is too wide for one instruction comes in two. */
enum isa_half { ISA_WHOLE, ISA_LOW_HALF /* `& 0xffff` */, ISA_HIGH_HALF /* `>> 16` */ };

/* constant + sum of terms; terms are labels whose value is not known yet. */
struct isa_value {
    int64_t constant;
    uint8_t term_count;
    uint8_t half;         /* enum isa_half; of values with terms alone */
    bool is_address;      /* a label takes part, its value known or not */
    uint32_t length;      /* of the expression's source text */
    int64_t known_factor; /* how many times labels of the current section are in constant already */
    const char *start;    /* source text of the expression */
    struct isa_term term[ISA_TERMS_MAX];
};

/* Bytes of a value with so many terms: most have one, and those that wait for labels are copied. */
static inline size_t isa_value_size(unsigned term_count)
{
    return offsetof(struct isa_value, term) + term_count * sizeof(struct isa_term);
}

/* A field that waits for its labels. */
struct isa_pending {
    uint8_t field; /* index into the row's fields */
    bool is_label; /* the value is a label alone, and `start`, `length` say all of it */
    struct isa_value value;
};

/* Where an operand of an instruction stands in the source. */
struct isa_word {
    const struct isa_field *field;
    const char *start, *end;
};

/* Where the parts of an instruction stand; filled in by isa_parse(). */
struct isa_words {
    const char *mnemonic;
    size_t mnemonic_length;
    struct isa_word list[GPUCODE_FIELDS_MAX];
    unsigned count;
};

/*
 * Who wants to know what is read: an editor. Rows that are tried in vain have been told of as well, so that everything
 * since the last `retry` is to be forgotten when another one comes.
 */
struct isa_listener {
    /* A register, packet, flag or event was named, without the mark in front of it. Never null. */
    void (*name)(void *user, enum gpucode_space space, const char *at, size_t length, uint32_t number);
    /* A number was read. Never null. */
    void (*number)(void *user, const char *at, size_t length);
    /* Another row is tried. Never null. */
    void (*retry)(void *user);
    /*
     * The text ends where this element of a row would begin, or, `inside`, go on: it began at `start`. A row is null
     * where the text ends in front of the mnemonic; `element` is element_count where it ends after the row. null: the
     * end of the text is of no interest.
     */
    void (*expected)(void *user, const struct isa_row *row, unsigned element, const char *start, bool inside);
};

struct isa_scan {
    const char *at, *end;
    bool quiet;               /* what fails is tried again in another way: isa_fail() notes nothing */
    struct isa_words *pieces; /* null: nobody asks */
    const struct isa *isa;
    const struct gpucode_target *target;
    const struct gpucode_names *names;
    uint64_t address; /* of the instruction, units */
    /* Value of a symbol: 1 known (*value set, *is_address set), 0 not known yet (becomes a term), -1 never. */
    int (*symbol)(void *user, const char *name, size_t length, int64_t *value, bool *is_address);
    /* Told of each comment that is skipped, of some several times. null: nobody asks. */
    void (*comment)(void *user, const char *start, const char *end);
    const struct isa_listener *listener; /* null: nobody listens */
    void *user;

    /* The first place where the text stopped making sense, kept as the furthest over all candidate rows. */
    struct isa_remark {
        const char *at;
        size_t span;
        message_id message;
        const char *hint;
        char text[2][96]; /* arguments of the message */
        char fix[96];     /* what would be right in place of `fix_span` bytes at `fix_at`; "": nobody knows */
        const char *fix_at;
        size_t fix_span;
        bool set;
    } error;
    /* What the writer should know though nothing is wrong; told when the instruction is taken. */
    struct isa_remark note;
    char hint[160]; /* room for a hint made at run time */
};

/* An instruction under construction. */
struct isa_build {
    const struct isa_row *row;
    uint64_t bits;
    uint32_t parse_state; /* the operand kinds' own, 0 at first: what earlier operands of the row have settled, and what
                             isa_text.check is to look at */
    uint8_t pending_count;
    struct isa_pending pending[ISA_PENDING_MAX];
};

/* Skips white space and comments of the instruction set, newlines only where they are white space. */
void isa_skip_space(struct isa_scan *scan);
/* The same, but stops at the end of the line. */
void isa_skip_line(struct isa_scan *scan);
/* isa_skip_space() for the common case that there is nothing to skip. */
static inline void isa_skip(struct isa_scan *scan)
{
    char c = scan->at < scan->end ? *scan->at : 0;
    if (c <= ' ' || c == ';' || c == '/' || (c == '#' && scan->isa->text.syntax.hash_comments))
        isa_skip_space(scan);
}
/* Takes `literal` when it stands here (after white space); false and no move but over the white space otherwise. */
bool isa_take_here(struct isa_scan *scan, const char *literal, size_t length);
static inline bool isa_take(struct isa_scan *scan, const char *literal)
{
    isa_skip(scan);
    return scan->at < scan->end && *scan->at == *literal && isa_take_here(scan, literal, strlen(literal));
}
/* Is `c` a letter, a digit or '_': a byte of a name? */
extern const bool isa_name_bytes[256];
static inline bool isa_name_byte(char c)
{
    return isa_name_bytes[(unsigned char)c];
}
/*
 * For rows as functions, which hand the place from element to element: what reads at scan->at reads at `at`, and the
 * place after it or null comes back.
 */
static inline __attribute__((always_inline)) const char *
isa_read_by(bool (*parse)(struct isa_scan *, struct isa_build *, const struct isa_field *), const char *at,
            struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    scan->at = at;
    return parse(scan, build, field) ? scan->at : NULL;
}
const char *isa_read_literal_closely(const char *at, struct isa_scan *scan, const char *literal, size_t length);
/* isa_match_literal() in the same way, quick where the text is spelt as listings spell it. */
static inline __attribute__((always_inline)) const char *
isa_read_literal(const char *at, struct isa_scan *scan, const char *literal, size_t length, bool named)
{
    if ((size_t)(scan->end - at) <= length || memcmp(at, literal, length) != 0 || (named && isa_name_byte(at[length])))
        return isa_read_literal_closely(at, scan, literal, length);
    return at + length;
}
/* Length of the identifier [A-Za-z_][A-Za-z0-9_]* here, 0 when there is none. Does not move. */
size_t isa_name(const struct isa_scan *scan);
/*
 * An unsigned number as the instruction set writes it: decimal without leading zero, 0x hex.
 * False with an error noted when there is none, or when it does not fit 64 bits.
 */
bool isa_number(struct isa_scan *scan, uint64_t *value);
/*
 * Where a number at the cursor ends, when it is decimal or 0x hex of up to 8 digits and nothing of an expression
 * follows it; null: it is something else. Does not move.
 */
const char *isa_plain_number(const struct isa_scan *scan, uint64_t *value);
/* "5", of up to three digits in front of a comma or the end of the line: its end; null: it is something else. */
static inline const char *isa_read_small(const char *at, const char *end, unsigned *number)
{
    enum { DIGITS = 3 };
    const char *start = at;
    unsigned digit = end - at > DIGITS ? (unsigned char)(*at - '0') : 10;
    for (*number = 0; digit <= 9 && at < start + DIGITS; digit = (unsigned char)*at - '0') {
        *number = *number * 10 + digit;
        at++;
    }
    return at > start && (*at == '\n' || *at == ',') && (*start != '0' || at == start + 1) ? at : NULL;
}
/* Does a plain number end in front of this text of three bytes, as listings have it? No operator follows. */
static inline bool isa_ends_number(const char *at)
{
    return *at == '\n' || *at == ',' || *at == ']' ||
           ((*at == ' ' || *at == '\t') && (at[1] == ';' || isa_name_byte(at[1]) || (at[1] == '/' && at[2] == '/')));
}
/*
 * Where the number at `at` ends, when it is hex of up to 8 digits and stands as listings have it, some bytes in front
 * of `end`; null: it is something else. Not for a scan with a listener.
 */
static inline __attribute__((always_inline)) const char *isa_read_hex(const char *at, const char *end, uint64_t *value)
{
    enum { DIGITS = 8 };
    if (end - at < 2 + DIGITS + 3 || at[0] != '0' || at[1] != 'x')
        return NULL;
    const char *digits = at + 2;
    uint64_t number = 0;
    int digit;
    for (at = digits; at < digits + DIGITS && (digit = text_hex_digit(*at)) >= 0; at++)
        number = number << 4 | (unsigned)digit;
    *value = number;
    return at > digits && isa_ends_number(at) ? at : NULL;
}
/*
 * A label alone at `at`, with '#' in front of it and a newline after it: puts its value into the field, or waits for
 * it. The place after it; null: it is something else, a constant for example, or wrong. Not for a scan with a listener.
 */
const char *isa_read_label(const char *at, struct isa_scan *scan, struct isa_build *build,
                           const struct isa_field *field);
/*
 * An expression as operands have it: sums and products of numbers, `.equ` names, labels with '#', and of
 * anything in parentheses, where all of C's operators may stand. Labels may be added, subtracted and
 * multiplied by constants. False with an error noted.
 */
bool isa_expression(struct isa_scan *scan, struct isa_value *value);
/* Number of the GPU register of that name, subscripts included; false: there is none. */
bool isa_register_value(const struct isa_scan *scan, const char *name, size_t length, int64_t *value);
/* What a kind's parse may read: sums and products only, or all of C's operators (always allowed in parentheses). */
bool isa_expression_full(struct isa_scan *scan, struct isa_value *value);

/*
 * Notes an error at a place; the one that is furthest in the text is kept. `first` and `second` replace the
 * message's %s (length -1: ends in a zero; null: none). `hint` must outlive the scan, or be scan->hint.
 * Always returns false.
 */
bool isa_fail(struct isa_scan *scan, const char *at, size_t span, message_id message, const char *hint,
              const char *first, int first_length, const char *second);
/* The same where a text would be right in place of the span: the hint asks whether `meant` was meant. null: no hint. */
bool isa_fail_meant(struct isa_scan *scan, const char *at, size_t span, message_id message, const char *first,
                    int first_length, const char *second, const char *meant);
/* The last error, if it is of that kind, is mended by `fix` in place of `span` bytes at `at`. */
void isa_mend(struct isa_scan *scan, message_id message, const char *at, size_t span, const char *fix);
/* The commonest: "expected WHAT" at scan->at. */
bool isa_expected(struct isa_scan *scan, const char *what);
/* The same where no name comes after the '#' at `hash`; of a number the hint says that it is written without. */
bool isa_expected_name(struct isa_scan *scan, const char *hash, const char *what);

/* Notes what is to be told when the instruction is taken; a note before it is forgotten. */
void isa_note(struct isa_scan *scan, const char *at, size_t span, message_id message, const char *first,
              const char *second);
/* Tells who listens of a name that was read. */
static inline void isa_tell_name(const struct isa_scan *scan, enum gpucode_space space, const char *at, size_t length,
                                 uint32_t number)
{
    if (scan->listener)
        scan->listener->name(scan->user, space, at, length, number);
}
/* Moves over a comment that starts with '#', where the instruction set has such and no #NAME can stand here. */
void isa_skip_hash_comment(struct isa_scan *scan);
static inline void isa_skip_hash(struct isa_scan *scan)
{
    if (scan->at < scan->end && *scan->at == '#')
        isa_skip_hash_comment(scan);
}

/* Puts a value into a field: directly when it is known, as pending otherwise. Uses the kind's store function. */
bool isa_store(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
               const struct isa_value *value);
/* Sets field `letter` of the row under construction; false when the row lacks it (and value is not 0) or it does not
 * fit. */
bool isa_set_letter(struct isa_build *build, char letter, uint64_t value);

/* The mnemonic with exactly this text, or null. */
const struct isa_mnemonic *isa_find_mnemonic(const struct isa *isa, const char *text, size_t length);
/*
 * One instruction from scan->at: finds the mnemonic, tries the rows that have it on the target and
 * leaves scan->at after the text. False: scan->error says why.
 */
bool isa_parse(struct isa_scan *scan, struct isa_build *build);
/* "did you mean mov?" for a word that is no mnemonic; false: none is like it. */
bool isa_suggest_mnemonic(const struct isa_row_set *set, const char *word, size_t length, char *hint, size_t room);

/* Bits of a field for a value; false: out of range. */
bool isa_encode_value(const struct isa *isa, const struct isa_field *field, uint64_t address, int64_t value,
                      uint64_t *encoded);
/* Reads a number as the field's value; `start` is where the operand begins. */
bool isa_take_number(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, const char *start);
/* Notes that `value` does not fit; returns false. */
bool isa_out_of_range(struct isa_scan *scan, const struct isa_field *field, const char *at, size_t span, int64_t value);

/* Reports scan->error, or scan->note, at its place. */
void isa_report(const struct isa_remark *remark, const struct gpucode_diagnostic_handler *on_diagnostic,
                const char *file, const char *text, size_t length, unsigned first_line);

/* The beginning of an instruction as listings have it: a mnemonic, found by its key, and the rows that begin after it.
 */

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
