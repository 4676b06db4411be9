/* SPDX-License-Identifier: MIT */
#include "export/patterns.h"
#include "front/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What regular expressions take for a sign of theirs; the others stand for themselves in all of them. */
#define SPECIAL "\\^$.|?*+()[]{}"
#define DIGITS "[0-9]+"

/* A pattern while it is written. */
struct writer {
    struct patterns *patterns;
    bool failed;
};

static struct pattern *new_pattern(struct writer *writer, enum pattern_class class)
{
    struct patterns *patterns = writer->patterns;
    if (patterns->count == PATTERNS_MAX) {
        writer->failed = true;
        return NULL;
    }
    struct pattern *pattern = &patterns->pattern[patterns->count++];
    *pattern = (struct pattern){.class = class};
    return pattern;
}

static void add_pattern(struct writer *writer, enum pattern_class class, const char *match, const char *end)
{
    struct pattern *pattern = new_pattern(writer, class);
    if (!pattern)
        return;
    pattern->match = strdup(match);
    pattern->end = end ? strdup(end) : NULL;
    writer->failed |= !pattern->match || (end && !pattern->end);
}

/* Between `before` and `behind` one of a list; nothing where the list is empty. */
static void add_list(struct writer *writer, enum pattern_class class, const char *before, const struct lexemes *list,
                     const char *behind)
{
    struct pattern *pattern = list->count ? new_pattern(writer, class) : NULL;
    size_t length;
    FILE *out = pattern ? text_stream_open(&pattern->match, &length) : NULL;
    writer->failed |= pattern && !out;
    if (!out)
        return;
    fprintf(out, "%s(?:", before);
    lexemes_put(out, list, SPECIAL, DIGITS, "|");
    fprintf(out, ")%s", behind);
    writer->failed |= !text_stream_close(out);
}

/* --- the parts ---------------------------------------------------------------------------------------------------- */

static void add_comments(struct writer *writer)
{
    const struct gpucode_syntax *syntax = writer->patterns->lexicon.syntax;
    char text[32] = "", *at = text;
    for (const char *c = syntax->comment; c && *c; c++)
        at += snprintf(at, sizeof text - (size_t)(at - text), "%s%c", strchr(SPECIAL, *c) ? "\\" : "", *c);
    snprintf(at, sizeof text - (size_t)(at - text), ".*$");
    if (at > text)
        add_pattern(writer, PATTERN_COMMENT, text, NULL);
    if (syntax->block_comments) {
        add_pattern(writer, PATTERN_COMMENT, "/\\*", "\\*/");
        add_pattern(writer, PATTERN_COMMENT, "/\\+", "\\+/");
    }
    if (syntax->hash_comments)
        add_pattern(writer, PATTERN_COMMENT, "#(?![A-Za-z_]).*$", NULL);
}

static void add_instructions(struct writer *writer)
{
    const struct lexicon *lexicon = &writer->patterns->lexicon;
    bool any_case = lexicon->syntax->any_case;
    add_list(writer, PATTERN_MODIFIER, "\\(", &lexicon->modifiers, "\\)");
    add_list(writer, PATTERN_MNEMONIC, any_case ? "(?i)(?<![\\w$@%#.\\\\])" : "(?<![\\w$@%#.\\\\])",
             &lexicon->mnemonics, "(?:\\.[a-z0-9]+)*(?![\\w:])");
    add_list(writer, PATTERN_KEYWORD, "(?<![\\w$@%#.\\\\])", &lexicon->words, "(?![\\w:])");
}

static void add_registers(struct writer *writer)
{
    const struct lexicon *lexicon = &writer->patterns->lexicon;
    char marked[64];
    add_list(writer, PATTERN_REGISTER, "(?<![\\w$@%.\\\\])", &lexicon->registers, "(?:(?<=<)|(?!\\w))");
    if (lexicon->marks[0]) {
        snprintf(marked, sizeof marked, "[%s][A-Za-z_]\\w*(?:\\[\\w+\\])?(?:\\.\\w+)?", lexicon->marks);
        add_pattern(writer, PATTERN_NAME, marked, NULL);
    }
    if (lexicon->bare_names)
        add_pattern(writer, PATTERN_NAME, "(?<![\\w#.\\\\])[A-Z][A-Z0-9_]*(?:\\[\\w+\\])?(?:\\.[A-Z0-9_]+)*(?![\\w:])",
                    NULL);
}

static void add_numbers(struct writer *writer)
{
    const struct lexicon *lexicon = &writer->patterns->lexicon;
    add_list(writer, PATTERN_NUMBER, "(?<![\\w.$])", &lexicon->numbers, "(?![\\w.])");
    if (lexicon->constants)
        add_pattern(writer, PATTERN_NUMBER, "\\((?:-?[0-9][^()\\s]*|[a-z0-9/]+(?:\\([a-z]+\\))?)\\)", NULL);
    add_pattern(writer, PATTERN_NUMBER,
                "(?<![\\w.])~?-?(?:0[xX][0-9a-fA-F_]+|[0-9]+(?:\\.[0-9]+)?(?:e-?[0-9]+)?(?:[mu]s)?)(?![\\w.])", NULL);
}

/* False: no memory, which is noted in the export. Free either way. */
static bool patterns_make(struct patterns *patterns, struct export *export, const struct gpucode_target *set)
{
    *patterns = (struct patterns){.count = 0};
    if (!lexicon_make(&patterns->lexicon, export, set))
        return false;
    struct writer writer = {.patterns = patterns};
    add_comments(&writer);
    add_pattern(&writer, PATTERN_STRING, "\"(?:[^\"\\\\]|\\\\.)*(?:\"|$)", NULL);
    add_pattern(&writer, PATTERN_ADDRESS, "^[0-9a-f]{4,8}(?=  )", NULL);
    add_pattern(&writer, PATTERN_LABEL, "(?<![\\w$@%#:.\\\\])[A-Za-z_][\\w@\\\\]*(?=:(?!:))", NULL);
    add_pattern(&writer, PATTERN_DIRECTIVE, "(?<![\\w.\\\\)\\]])\\.[a-z][a-z0-9_]*\\b", NULL);
    add_pattern(&writer, PATTERN_DIRECTIVE, "^\\s*@[a-z]+\\b", NULL);
    add_pattern(&writer, PATTERN_WORD, "\\[[0-9a-fA-F]{8}\\]|\\b[0-9a-fA-F]{8}[x_][0-9a-fA-F]{8}\\b", NULL);
    add_instructions(&writer);
    add_registers(&writer);
    add_pattern(&writer, PATTERN_REFERENCE, "#(?:[A-Za-z_]\\w*::?)?[A-Za-z_][\\w@\\\\]*", NULL);
    add_pattern(&writer, PATTERN_PARAMETER, "\\\\(?:\\w+|@)", NULL);
    add_numbers(&writer);
    export->failed |= writer.failed;
    return !export->failed;
}

static void patterns_free(struct patterns *patterns)
{
    for (unsigned i = 0; i < patterns->count; i++) {
        free(patterns->pattern[i].match);
        free(patterns->pattern[i].end);
    }
    lexicon_free(&patterns->lexicon);
}

void patterns_of_sets(struct export *export, void (*write)(struct export *export, const struct patterns *patterns))
{
    const struct gpucode_target *set;
    for (unsigned i = 0; (set = export_set(export, i)); i++) {
        struct patterns patterns;
        if (patterns_make(&patterns, export, set))
            write(export, &patterns);
        patterns_free(&patterns);
    }
}

const char *patterns_title(const struct patterns *patterns, char name[PATTERNS_NAME_MAX])
{
    snprintf(name, PATTERNS_NAME_MAX, "%s", patterns->lexicon.isa);
    name[0] = (char)toupper((unsigned char)name[0]);
    return name;
}
