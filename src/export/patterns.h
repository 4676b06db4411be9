/* SPDX-License-Identifier: MIT */
/*
 * The grammar of an assembly language as a list of regular expressions, for editors that colour by them: what stands at
 * a place is of the first pattern that matches there. Written as Perl, Python, Oniguruma and Qt have them all.
 */
#ifndef EXPORT_PATTERNS_H
#define EXPORT_PATTERNS_H

#include "export/lexicon.h"

enum pattern_class {
    PATTERN_COMMENT,
    PATTERN_STRING,
    PATTERN_ADDRESS, /* in front of a line of a listing */
    PATTERN_LABEL,
    PATTERN_DIRECTIVE,
    PATTERN_WORD, /* a whole instruction as a number */
    PATTERN_MODIFIER,
    PATTERN_MNEMONIC,
    PATTERN_KEYWORD, /* other words of instructions */
    PATTERN_REGISTER,
    PATTERN_NAME, /* of a register outside the processor, or of a control register */
    PATTERN_REFERENCE,
    PATTERN_PARAMETER, /* of a macro */
    PATTERN_NUMBER,
    PATTERN_CLASSES
};

struct pattern {
    enum pattern_class class;
    char *match; /* of what is more than a line: its beginning */
    char *end;   /* its end; null: `match` is all of it */
};

#define PATTERNS_MAX 32
struct patterns {
    struct lexicon lexicon;
    struct pattern pattern[PATTERNS_MAX];
    unsigned count;
};

/* Calls `write` for each set that is exported, with its patterns. */
void patterns_of_sets(struct export *export, void (*write)(struct export *export, const struct patterns *patterns));

/* The name of the set with a capital letter, as in names of types. `name` has room for it. */
#define PATTERNS_NAME_MAX 32
const char *patterns_title(const struct patterns *patterns, char name[PATTERNS_NAME_MAX]);

#endif
