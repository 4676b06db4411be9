/* SPDX-License-Identifier: MIT */
/* gpucode export --form pygments: gpucode_lexers.py, a lexer of each language for Pygments and what is built on it. */
#include "export/patterns.h"

#include <string.h>

static const char *const tokens[PATTERN_CLASSES] = {
    [PATTERN_COMMENT] = "Comment",          [PATTERN_STRING] = "String",
    [PATTERN_ADDRESS] = "Number.Hex",       [PATTERN_LABEL] = "Name.Label",
    [PATTERN_DIRECTIVE] = "Keyword.Pseudo", [PATTERN_WORD] = "Number.Hex",
    [PATTERN_MODIFIER] = "Keyword.Type",    [PATTERN_MNEMONIC] = "Keyword",
    [PATTERN_KEYWORD] = "Operator.Word",    [PATTERN_REGISTER] = "Name.Variable",
    [PATTERN_NAME] = "Name.Constant",       [PATTERN_REFERENCE] = "Name.Label",
    [PATTERN_PARAMETER] = "Name.Attribute", [PATTERN_NUMBER] = "Number",
};

static void write_string(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text; text++)
        fprintf(out, "%s%c", strchr("'\\", *text) ? "\\" : "", *text);
    putc('\'', out);
}

static void write_rule(FILE *out, const char *match, const char *token, const char *state)
{
    fputs("            (", out);
    write_string(out, match);
    fprintf(out, ", %s", token);
    if (state)
        fprintf(out, ", '%s'", state);
    fputs("),\n", out);
}

static void write_states(FILE *out, const struct patterns *patterns)
{
    char state[16];
    for (unsigned i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        if (!pattern->end)
            continue;
        snprintf(state, sizeof state, "block%u", i);
        fprintf(out, "        '%s': [\n", state);
        write_rule(out, pattern->end, tokens[pattern->class], "#pop");
        write_rule(out, "(?:.|\\n)", tokens[pattern->class], NULL);
        fputs("        ],\n", out);
    }
}

static void write_lexer(struct export *export, const struct patterns *patterns)
{
    FILE *out = export->out;
    const char *isa = patterns->lexicon.isa;
    char title[PATTERNS_NAME_MAX], state[16];
    patterns_title(patterns, title);
    fprintf(out,
            "\n\nclass %sLexer(RegexLexer):\n    name = '%s'\n    aliases = ['%s']\n    filenames = ['*.%s']\n"
            "    mimetypes = ['text/x-%s']\n    flags = re.MULTILINE\n    tokens = {\n        'root': [\n",
            title, title, isa, isa, isa);
    for (unsigned i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        snprintf(state, sizeof state, "block%u", i);
        write_rule(out, pattern->match, tokens[pattern->class], pattern->end ? state : NULL);
    }
    write_rule(out, "\\s+", "Whitespace", NULL);
    write_rule(out, "\\w+", "Name", NULL);
    write_rule(out, "[^\\w\\s]", "Punctuation", NULL);
    fputs("        ],\n", out);
    write_states(out, patterns);
    fputs("    }\n", out);
}

void export_pygments(struct export *export)
{
    FILE *out = export_begin(export, "gpucode_lexers.py");
    if (!out)
        return;
    fputs("# SPDX-License-Identifier: MIT\n"
          "\"\"\"Pygments lexers of the assembly languages that gpucode knows; made by `gpucode export --form pygments`.\n\n"
          "    pygmentize -x -l gpucode_lexers.py:NAMELexer FILE\n\"\"\"\n"
          "import re\n\nfrom pygments.lexer import RegexLexer\n"
          "from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace\n",
          out);
    patterns_of_sets(export, write_lexer);
}
