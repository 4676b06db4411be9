/* SPDX-License-Identifier: MIT */
/*
 * The grammar of an assembly language as a list of regular expressions, for editors that colour by them: what stands at
 * a place is of the first pattern that matches there. Written as Perl, Python, Oniguruma and Qt have them all.
 */
#ifndef EXPORT_PATTERNS_H
#define EXPORT_PATTERNS_H

#include "export/export.h"

/*
 * The words of an assembly language, for the grammars of editors: found by printing instructions with all sorts of
 * values in their fields and looking at what stands where.
 *
 *     struct lexicon lexicon;
 *     if (lexicon_make(&lexicon, export, set))
 *         ... lexicon.mnemonics.text[i] ...
 *     lexicon_free(&lexicon);
 */

/* Stands in a text for a run of decimal digits. */
#define LEXEME_DIGITS '\1'

/* Texts, each once, sorted: longer ones in front of those they begin with. */
struct lexemes {
    char **text;
    unsigned count;
    size_t room;
    bool failed;
};

struct lexicon {
    const char *isa;
    const struct gpucode_syntax *syntax;
    struct lexemes mnemonics; /* and words that stand in front of one */
    struct lexemes words;     /* other words of the text: operations, conditions */
    struct lexemes modifiers; /* between parentheses, which are left out: "rep" */
    struct lexemes registers; /* "$sp", "r\1.x"; "r<" where an address follows */
    struct lexemes numbers;   /* ways to write numbers beside the common ones: "b\1", "\1us" */
    char marks[8];            /* in front of names of registers: "@%" */
    bool constants;           /* numbers may stand between parentheses, and have names there: "(2.0)", "(pi)" */
    bool bare_names;          /* registers outside the processor have names in capitals, without a mark */
};

/* Takes what the sets's targets that are exported have. False: no memory, which is noted in the export. */
bool lexicon_make(struct lexicon *lexicon, struct export *export, const struct gpucode_target *set);
void lexicon_free(struct lexicon *lexicon);

/* Appends `text` with a backslash in front of each character of `special`, and digits as `digits`. */
void lexeme_put(FILE *out, const char *text, const char *special, const char *digits);
/* All of a list, with `between` between them. */
void lexemes_put(FILE *out, const struct lexemes *list, const char *special, const char *digits, const char *between);

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
