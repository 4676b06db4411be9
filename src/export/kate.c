/* SPDX-License-Identifier: MIT */
/* gpucode export --form kate: gpucode-SET.xml, syntax for Kate and other editors of KDE's framework. */
#include "export/patterns.h"

#include "front/output.h"

/* The framework's own styles, which all themes have. */
static const char *const styles[PATTERN_CLASSES] = {
    [PATTERN_COMMENT] = "Comment",     [PATTERN_STRING] = "String",          [PATTERN_ADDRESS] = "BaseN",
    [PATTERN_LABEL] = "Function",      [PATTERN_DIRECTIVE] = "Preprocessor", [PATTERN_WORD] = "BaseN",
    [PATTERN_MODIFIER] = "Attribute",  [PATTERN_MNEMONIC] = "Keyword",       [PATTERN_KEYWORD] = "Operator",
    [PATTERN_REGISTER] = "Variable",   [PATTERN_NAME] = "Constant",          [PATTERN_REFERENCE] = "Function",
    [PATTERN_PARAMETER] = "Extension", [PATTERN_NUMBER] = "DecVal",
};

static void write_rule(FILE *out, enum pattern_class class, const char *match, const char *context)
{
    fprintf(out, "        <RegExpr attribute=\"%s\" context=\"%s\" String=\"", styles[class], context);
    markup_put_text(out, match);
    fputs("\"/>\n", out);
}

static void write_contexts(FILE *out, const struct patterns *patterns)
{
    char context[16];
    fputs("    <contexts>\n      <context name=\"Line\" attribute=\"Normal\" lineEndContext=\"#stay\">\n", out);
    for (unsigned i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        snprintf(context, sizeof context, "Block%u", i);
        write_rule(out, pattern->class, pattern->match, pattern->end ? context : "#stay");
    }
    fputs("      </context>\n", out);
    for (unsigned i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        if (!pattern->end)
            continue;
        fprintf(out, "      <context name=\"Block%u\" attribute=\"%s\" lineEndContext=\"#stay\">\n", i,
                styles[pattern->class]);
        write_rule(out, pattern->class, pattern->end, "#pop");
        fputs("      </context>\n", out);
    }
    fputs("    </contexts>\n", out);
}

static void write_styles(FILE *out)
{
    fputs("    <itemDatas>\n      <itemData name=\"Normal\" defStyleNum=\"dsNormal\"/>\n", out);
    for (unsigned i = 0; i < PATTERN_CLASSES; i++) {
        bool seen = false;
        for (unsigned k = 0; k < i && !seen; k++)
            seen = styles[k] == styles[i];
        if (!seen)
            fprintf(out, "      <itemData name=\"%s\" defStyleNum=\"ds%s\"/>\n", styles[i], styles[i]);
    }
    fputs("    </itemDatas>\n", out);
}

static void write_syntax(struct export *export, const struct patterns *patterns)
{
    const struct lexicon *lexicon = &patterns->lexicon;
    FILE *out = export_begin(export, "gpucode-%s.xml", lexicon->isa);
    char title[PATTERNS_NAME_MAX];
    if (!out)
        return;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- SPDX-License-Identifier: MIT; made by `gpucode export "
            "kate` -->\n<language name=\"%s (GPU)\" section=\"Assembler\" version=\"1\" kateversion=\"5.0\" "
            "extensions=\"*.%s\" mimetype=\"text/x-%s\" license=\"MIT\">\n  <highlighting>\n",
            patterns_title(patterns, title), lexicon->isa, lexicon->isa);
    write_contexts(out, patterns);
    write_styles(out);
    fputs("  </highlighting>\n  <general>\n    <comments>\n      <comment name=\"singleLine\" start=\"", out);
    markup_put_text(out, lexicon->syntax->comment ? lexicon->syntax->comment : "");
    fputs("\"/>\n", out);
    if (lexicon->syntax->block_comments)
        fputs("      <comment name=\"multiLine\" start=\"/*\" end=\"*/\"/>\n", out);
    fprintf(out, "    </comments>\n    <keywords casesensitive=\"%d\"/>\n  </general>\n</language>\n",
            !lexicon->syntax->any_case);
}

void export_kate(struct export *export)
{
    patterns_of_sets(export, write_syntax);
}
