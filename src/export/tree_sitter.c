/* SPDX-License-Identifier: MIT */
/*
 * gpucode export --form tree-sitter: tree-sitter-SET, a grammar with its queries and a corpus of tests. `tree-sitter generate`
 * makes the parser of it. Where newlines end statements they are tokens, elsewhere white space. No token has a
 * precedence, so that the longest one is taken, and of equally long ones the one that stands first.
 */
#include "export/patterns.h"

#include <string.h>

/* In a regular expression between slashes. */
#define SPECIAL "\\^$.|?*+()[]{}/"
#define DIGITS "[0-9]+"

/* --- grammar.js --------------------------------------------------------------------------------------------------- */

static void write_list(FILE *out, const char *name, const char *before, const struct lexemes *list, const char *behind)
{
    if (!list->count)
        return;
    fprintf(out, "    %s: $ => token(/%s(", name, before);
    lexemes_put(out, list, SPECIAL, DIGITS, "|");
    fprintf(out, ")%s/),\n", behind);
}

static void write_comment(FILE *out, const struct gpucode_syntax *syntax)
{
    fputs("    comment: $ => token(choice(\n      /", out);
    lexeme_put(out, syntax->comment ? syntax->comment : ";", SPECIAL, DIGITS);
    fputs("[^\\n]*/,\n", out);
    if (syntax->block_comments)
        fputs("      /\\/\\*[^*]*\\*+([^\\/*][^*]*\\*+)*\\//,\n      /\\/\\+[^+]*\\++([^\\/+][^+]*\\++)*\\//,\n", out);
    if (syntax->hash_comments)
        fputs("      /#([^A-Za-z_\\n][^\\n]*)?/,\n", out);
    fputs("    )),\n", out);
}

static void write_names(FILE *out, const struct lexicon *lexicon)
{
    if (!lexicon->marks[0] && !lexicon->bare_names)
        return;
    fputs("    name: $ => token(choice(\n", out);
    if (lexicon->marks[0])
        fprintf(out, "      /[%s][A-Za-z_]\\w*(\\[\\w+\\])?(\\.\\w+)?/,\n", lexicon->marks);
    if (lexicon->bare_names)
        fputs("      /[A-Z][A-Z0-9_]*(\\[\\w+\\])?(\\.[A-Z0-9_]+)*/,\n", out);
    fputs("    )),\n", out);
}

static void write_number(FILE *out, const struct lexicon *lexicon)
{
    fputs("    number: $ => token(choice(\n      /0[xX][0-9a-fA-F_]+/,\n"
          "      /~?[0-9]+(\\.[0-9]+)?(e-?[0-9]+)?([mu]s)?/,\n",
          out);
    for (unsigned i = 0; i < lexicon->numbers.count; i++) {
        fputs("      /", out);
        lexeme_put(out, lexicon->numbers.text[i], SPECIAL, DIGITS);
        fputs("/,\n", out);
    }
    if (lexicon->constants)
        fputs("      /\\((-?[0-9][^()\\s]*|[a-z0-9\\/]+(\\([a-z]+\\))?)\\)/,\n", out);
    fputs("    )),\n", out);
}

/* What may stand after a mnemonic or directive. */
static void write_operand(FILE *out, const struct lexicon *lexicon)
{
    fprintf(out, "    _operand: $ => choice(%s%s%s%s\n", lexicon->words.count ? "$.keyword, " : "",
            lexicon->registers.count ? "$.register, " : "", lexicon->modifiers.count ? "$.modifier, " : "",
            lexicon->marks[0] || lexicon->bare_names ? "$.name, " : "");
    fprintf(out, "      $.number, $.string, $.reference, $.parameter, $.identifier, $.punctuation%s),\n",
            lexicon->syntax->newlines_are_space ? "" : ", $.mnemonic");
}

static void write_rules(FILE *out, const struct lexicon *lexicon)
{
    const struct gpucode_syntax *syntax = lexicon->syntax;
    bool modifiers = lexicon->modifiers.count != 0;
    if (syntax->newlines_are_space)
        fputs("    source_file: $ => repeat($._statement),\n", out);
    else
        fprintf(out,
                "    source_file: $ => repeat(choice($._statement, $._end)),\n"
                "    _end: $ => token(choice(/\\r?\\n/%s)),\n",
                syntax->separator == ';' ? ", ';'" : "");
    fputs("    _statement: $ => choice($.label, $.directive, $.instruction, $.word),\n"
          "    label: $ => seq(field('name', alias(/[A-Za-z_][\\w@\\\\]*:/, $.label_name))),\n",
          out);
    fprintf(out,
            "    directive: $ => prec.right(seq(field('name', $.directive_name), repeat($._operand))),\n"
            "    instruction: $ => prec.right(seq(%sfield('mnemonic', $.mnemonic), repeat($._operand))),\n"
            "    word: $ => prec.right(-1, seq(%s$._other, repeat($._operand))),\n"
            "    _other: $ => choice($.raw, $.number, $.identifier, $.parameter%s),\n"
            "    directive_name: $ => /[.@][a-z][a-z0-9_]*/,\n",
            modifiers ? "repeat($.modifier), " : "", modifiers ? "repeat($.modifier), " : "",
            lexicon->marks[0] || lexicon->bare_names ? ", $.name" : "");
}

static void write_grammar(struct export *export, const struct lexicon *lexicon)
{
    const struct gpucode_syntax *syntax = lexicon->syntax;
    FILE *out = export_begin(export, "tree-sitter-%s/grammar.js", lexicon->isa);
    if (!out)
        return;
    fprintf(out,
            "// SPDX-License-Identifier: MIT\n// Made by `gpucode export --form tree-sitter`.\nmodule.exports = grammar({\n"
            "  name: '%s',\n  extras: $ => [%s, $.comment],\n  rules: {\n",
            lexicon->isa, syntax->newlines_are_space ? "/\\s/" : "/[ \\t\\f]/");
    write_rules(out, lexicon);
    write_list(out, "modifier", "\\(", &lexicon->modifiers, "\\)");
    write_list(out, "mnemonic", "", &lexicon->mnemonics, "(\\.[a-z0-9]+)*");
    write_list(out, "keyword", "", &lexicon->words, "");
    write_list(out, "register", "", &lexicon->registers, "");
    write_operand(out, lexicon);
    write_names(out, lexicon);
    write_number(out, lexicon);
    fputs("    raw: $ => /\\[[0-9a-fA-F]{8}\\]|[0-9a-fA-F]{8}[x_][0-9a-fA-F]{8}/,\n"
          "    string: $ => /\"([^\"\\\\\\n]|\\\\.)*\"/,\n"
          "    reference: $ => /#([A-Za-z_]\\w*::?)?[A-Za-z_][\\w@\\\\]*/,\n"
          "    parameter: $ => /\\\\(\\w+|@)/,\n"
          "    identifier: $ => /[A-Za-z_$@%|.][\\w.@\\\\]*/,\n"
          "    punctuation: $ => /[-,+*\\/%&|^~()\\[\\]<>=!:?]/,\n",
          out);
    write_comment(out, syntax);
    fputs("  },\n});\n", out);
}

/* --- what stands beside it ---------------------------------------------------------------------------------------- */

static void write_queries(struct export *export, const struct lexicon *lexicon)
{
    static const struct {
        const char *node, *capture;
    } captures[] = {{"comment", "comment"},
                    {"string", "string"},
                    {"number", "number"},
                    {"raw", "number"},
                    {"label_name", "label"},
                    {"reference", "label"},
                    {"directive_name", "keyword.directive"},
                    {"mnemonic", "keyword"},
                    {"parameter", "variable.parameter"},
                    {"punctuation", "punctuation.delimiter"}};
    FILE *out = export_begin(export, "tree-sitter-%s/queries/highlights.scm", lexicon->isa);
    if (!out)
        return;
    fputs("; Made by `gpucode export --form tree-sitter`.\n", out);
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++)
        fprintf(out, "(%s) @%s\n", captures[i].node, captures[i].capture);
    if (lexicon->modifiers.count)
        fputs("(modifier) @attribute\n", out);
    if (lexicon->words.count)
        fputs("(keyword) @keyword.operator\n", out);
    if (lexicon->registers.count)
        fputs("(register) @variable.builtin\n", out);
    if (lexicon->marks[0] || lexicon->bare_names)
        fputs("(name) @constant\n", out);
    out = export_begin(export, "tree-sitter-%s/queries/locals.scm", lexicon->isa);
    if (out)
        fputs("; Made by `gpucode export --form tree-sitter`.\n(label_name) @local.definition\n(reference) @local.reference\n",
              out);
}

static void write_manifests(struct export *export, const struct lexicon *lexicon)
{
    const char *isa = lexicon->isa;
    FILE *out = export_begin(export, "tree-sitter-%s/tree-sitter.json", isa);
    if (!out)
        return;
    fprintf(out,
            "{\n"
            "  \"grammars\": [\n"
            "    {\n"
            "      \"name\": \"%s\",\n"
            "      \"scope\": \"source.%s\",\n"
            "      \"file-types\": [\n"
            "        \"%s\"\n"
            "      ],\n"
            "      \"highlights\": \"queries/highlights.scm\",\n"
            "      \"locals\": \"queries/locals.scm\"\n"
            "    }\n"
            "  ],\n"
            "  \"metadata\": {\n"
            "    \"version\": \"%s\",\n"
            "    \"license\": \"MIT\",\n"
            "    \"description\": \"An assembly language of a processor inside a GPU\"\n"
            "  }\n"
            "}\n",
            isa, isa, isa, gpucode_version());
}

/* Each row with the least operands: the instruction must be read as one, of its name. */
static void write_corpus(struct export *export, const struct gpucode_target *set, const struct lexicon *lexicon)
{
    FILE *out = export_begin(export, "tree-sitter-%s/test/corpus/labels.txt", lexicon->isa);
    if (out)
        fputs("================\na label\n================\nagain:\n----------------\n\n"
              "(source_file\n  (label\n    name: (label_name)))\n",
              out);
    out = export_begin(export, "tree-sitter-%s/test/corpus/bare.txt", lexicon->isa);
    struct gpucode_insn insn;
    struct gpucode_row row;
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; out && i < gpucode_row_count(set); i++) {
        const struct gpucode_target *target = export_row_target(export, set, i);
        if (!target || !gpucode_row(target, i, &row) || gpucode_insn_init(target, i, &insn) != GPUCODE_OK ||
            gpucode_format(&insn, NULL, text, sizeof text, NULL) != GPUCODE_OK || strcmp(text, row.mnemonic) != 0)
            continue;
        fprintf(out,
                "================\n%s\n================\n%s\n----------------\n\n"
                "(source_file\n  (instruction\n    mnemonic: (mnemonic)))\n\n",
                row.id, text);
    }
}

void export_tree_sitter(struct export *export)
{
    const struct gpucode_target *set;
    for (unsigned i = 0; (set = export_set(export, i)); i++) {
        struct lexicon lexicon;
        if (lexicon_make(&lexicon, export, set)) {
            write_grammar(export, &lexicon);
            write_queries(export, &lexicon);
            write_manifests(export, &lexicon);
            write_corpus(export, set, &lexicon);
        }
        lexicon_free(&lexicon);
    }
}
