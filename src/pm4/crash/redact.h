/* SPDX-License-Identifier: MIT */
/* The lines of a devcoredump that may stay in one without firmware: what its sections have, and in which form. */
#ifndef PM4_CRASH_REDACT_H
#define PM4_CRASH_REDACT_H

#include "pm4/crash/dump.h"

/* What a line may have after its key. */
enum form {
    FORM_NUMBER,   /* decimal, or hexadecimal after 0x */
    FORM_HEX,      /* hexadecimal numbers, also several and without 0x */
    FORM_INTEGERS, /* decimal, perhaps negative */
    FORM_WORD,     /* a name of letters, digits and '_' */
    FORM_TEXT,     /* anything that can be printed, with blanks here and there */
    FORM_REVISION  /* "630 (6.3.0.2)" */
};

#define KEYS_MAX 8

struct key {
    const char *name;
    enum form form;
    unsigned without; /* left out when one of these is asked for */
};

/* What the data of a section are, and what must be known of them. */
enum contents { CONTENTS_NONE, CONTENTS_MEMORY, CONTENTS_BUFFER, CONTENTS_BLOCK, CONTENTS_SHADER, CONTENTS_DEBUG };

struct section_form {
    const char *name;
    struct key
        keys[KEYS_MAX]; /* the first `usual` of them belong to each item; `size` says the data's bytes or words */
    unsigned usual;
    enum contents contents;
    bool registers; /* has lines of registers too */
    const char *size;
    unsigned without;
};

/* A line taken apart: "  - name: value". */
struct piece {
    const char *text, *end, *next; /* without and with the line's end */
    const char *key, *key_end, *value;
    size_t indent;
    bool item;
};

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool is_word_byte(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The section that a line begins, as a line of its own or as a list; null: it is not known. */
const struct section_form *redact_scalar_form(const struct piece *head);
const struct section_form *redact_list_form(const struct piece *head);
/* Has the value, up to `end`, that form? */
bool redact_has_form(enum form form, const char *at, const char *end);
/* Takes a line apart; *at is moved to the next. False: there is none. */
bool redact_next(const char **at, const char *end, struct piece *piece);
bool redact_has_key(const struct piece *piece, const char *key);

#endif
