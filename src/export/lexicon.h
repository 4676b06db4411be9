/* SPDX-License-Identifier: MIT */
/*
 * The words of an assembly language, for the grammars of editors: found by printing instructions with all sorts of
 * values in their fields and looking at what stands where.
 *
 *     struct lexicon lexicon;
 *     if (lexicon_make(&lexicon, export, set))
 *         ... lexicon.mnemonics.text[i] ...
 *     lexicon_free(&lexicon);
 */
#ifndef EXPORT_LEXICON_H
#define EXPORT_LEXICON_H

#include "export/export.h"

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

#endif
