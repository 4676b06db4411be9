/* SPDX-License-Identifier: MIT */
/* gpucode export --form vim: syntax/SET.vim and ftdetect/gpucode.vim, for Vim and Neovim. */
#include "export/patterns.h"

#include <string.h>

static const char *const groups[PATTERN_CLASSES] = {
    [PATTERN_COMMENT] = "Comment",       [PATTERN_STRING] = "String",      [PATTERN_ADDRESS] = "LineNr",
    [PATTERN_LABEL] = "Label",           [PATTERN_DIRECTIVE] = "PreProc",  [PATTERN_WORD] = "Number",
    [PATTERN_MODIFIER] = "StorageClass", [PATTERN_MNEMONIC] = "Statement", [PATTERN_KEYWORD] = "Operator",
    [PATTERN_REGISTER] = "Identifier",   [PATTERN_NAME] = "Constant",      [PATTERN_REFERENCE] = "Label",
    [PATTERN_PARAMETER] = "Special",     [PATTERN_NUMBER] = "Number",
};
static const char *const names[PATTERN_CLASSES] = {
    [PATTERN_COMMENT] = "Comment",     [PATTERN_STRING] = "String",       [PATTERN_ADDRESS] = "Address",
    [PATTERN_LABEL] = "Label",         [PATTERN_DIRECTIVE] = "Directive", [PATTERN_WORD] = "Word",
    [PATTERN_MODIFIER] = "Modifier",   [PATTERN_MNEMONIC] = "Mnemonic",   [PATTERN_KEYWORD] = "Keyword",
    [PATTERN_REGISTER] = "Register",   [PATTERN_NAME] = "Name",           [PATTERN_REFERENCE] = "Reference",
    [PATTERN_PARAMETER] = "Parameter", [PATTERN_NUMBER] = "Number",
};

/* Groups that look ahead or back, innermost first: where they end, Vim says what they were. */
struct nesting {
    const char *behind[16];
    unsigned depth;
};

/* The beginning of a group; returns how much of the text it takes. */
static size_t open_group(FILE *out, const char *text, struct nesting *nesting)
{
    static const struct {
        const char *perl, *vim, *behind;
    } kinds[] = {{"(?:", "%(", ""},       {"(?=", "%(", ")@="},    {"(?!", "%(", ")@!"},
                 {"(?<!", "%(", ")@1<!"}, {"(?<=", "%(", ")@1<="}, {"(", "(", ""}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].perl);
        if (strncmp(text, kinds[i].perl, length) != 0)
            continue;
        fputs(kinds[i].vim, out);
        nesting->behind[nesting->depth++ & 15] = kinds[i].behind;
        return length;
    }
    return 0;
}

/* A pattern in Vim's "very magic" form, between slashes. */
static void write_pattern(FILE *out, const char *text)
{
    struct nesting nesting = {.depth = 0};
    bool class = false;
    fputs("/\\v", out);
    if (strncmp(text, "(?i)", 4) == 0) {
        fputs("\\c", out);
        text += 4;
    }
    while (*text) {
        size_t taken = 1;
        if (*text == '\\' && text[1] == 'b' && !class) {
            fputs("%(<|>)", out);
            taken = 2;
        } else if (*text == '\\') {
            if (class && strchr("ws", text[1])) /* in brackets Vim has other names for them */
                fputs(text[1] == 'w' ? "0-9A-Za-z_" : " \\t", out);
            else
                fprintf(out, "\\%c", text[1]);
            taken = 2;
        } else if (class) {
            class = *text != ']';
            fprintf(out, "%s%c", *text == '/' ? "\\" : "", *text);
        } else if (*text == '[') {
            class = true;
            putc('[', out);
        } else if (*text == '(') {
            taken = open_group(out, text, &nesting);
        } else if (*text == ')') {
            const char *behind = nesting.behind[--nesting.depth & 15];
            fputs(*behind ? behind : ")", out);
        } else {
            fprintf(out, "%s%c", strchr("@%<>=&~/", *text) ? "\\" : "", *text);
        }
        text += taken;
    }
    putc('/', out);
}

/* What is defined last wins in Vim: the list goes backwards. */
static void write_syntax(struct export *export, const struct patterns *patterns)
{
    const char *isa = patterns->lexicon.isa;
    char title[PATTERNS_NAME_MAX];
    FILE *out = export_begin(export, "syntax/%s.vim", isa);
    if (!out)
        return;
    patterns_title(patterns, title);
    fprintf(out,
            "\" SPDX-License-Identifier: MIT\n\" %s; made by `gpucode export --form vim`.\nif exists('b:current_syntax')\n"
            "  finish\nendif\nsyntax case match\n",
            title);
    for (unsigned i = patterns->count; i-- > 0;) {
        const struct pattern *pattern = &patterns->pattern[i];
        fprintf(out, "syntax %s gpu%s%s ", pattern->end ? "region" : "match", title, names[pattern->class]);
        if (pattern->end)
            fputs("start=", out);
        write_pattern(out, pattern->match);
        if (pattern->end) {
            fputs(" end=", out);
            write_pattern(out, pattern->end);
        }
        putc('\n', out);
    }
    for (unsigned i = 0; i < PATTERN_CLASSES; i++)
        fprintf(out, "highlight default link gpu%s%s %s\n", title, names[i], groups[i]);
    fprintf(out, "let b:current_syntax = '%s'\n", isa);
}

void export_vim(struct export *export)
{
    const struct gpucode_target *set;
    patterns_of_sets(export, write_syntax);
    FILE *out = export_begin(export, "ftdetect/gpucode.vim");
    if (!out)
        return;
    fputs("\" SPDX-License-Identifier: MIT\n\" Made by `gpucode export --form vim`.\n", out);
    for (unsigned i = 0; (set = export_set(export, i)); i++)
        fprintf(out, "autocmd BufRead,BufNewFile *.%s setfiletype %s\n", gpucode_target_isa(set),
                gpucode_target_isa(set));
}
