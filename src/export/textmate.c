/* SPDX-License-Identifier: MIT */
/* gpucode export --form textmate: SET.tmLanguage.json, for Visual Studio Code, Sublime Text and what else reads such grammars.
 */
#include "export/patterns.h"

#include <ctype.h>
#include <string.h>

#define ANSWER_ROWS "export/answer.def"
#define ANSWER_PART_TEXTMATE
#include <gpucode/answer_rows.h>

/* The usual names of scopes, which themes know by how they begin. */
static const char *const scopes[PATTERN_CLASSES] = {
    [PATTERN_COMMENT] = "comment",
    [PATTERN_STRING] = "string.quoted.double",
    [PATTERN_ADDRESS] = "constant.numeric.address",
    [PATTERN_LABEL] = "entity.name.function.label",
    [PATTERN_DIRECTIVE] = "keyword.control.directive",
    [PATTERN_WORD] = "constant.numeric.word",
    [PATTERN_MODIFIER] = "storage.modifier",
    [PATTERN_MNEMONIC] = "keyword.mnemonic",
    [PATTERN_KEYWORD] = "keyword.operator.word",
    [PATTERN_REGISTER] = "variable.language.register",
    [PATTERN_NAME] = "support.constant.name",
    [PATTERN_REFERENCE] = "entity.name.function.label",
    [PATTERN_PARAMETER] = "variable.parameter.macro",
    [PATTERN_NUMBER] = "constant.numeric",
};

static void write_grammar(struct export *export, const struct patterns *patterns)
{
    const char *isa = patterns->lexicon.isa;
    char text[64];
    if (!export_begin(export, "%s.tmLanguage.json", isa))
        return;
    struct gpucode_answer *answer = export_answer(export);
    gpucode_answer_begin(answer, &fields[GRAMMAR]);
    gpucode_answer_format(answer, &fields[SCOPE], "source.%s", isa);
    snprintf(text, sizeof text, "%s", isa);
    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    gpucode_answer_text(answer, &fields[NAME], text);
    gpucode_answer_begin(answer, &fields[PATTERNS]);
    for (unsigned i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        gpucode_answer_begin(answer, &fields[PATTERN]);
        gpucode_answer_format(answer, &fields[CLASS], "%s.%s", scopes[pattern->class], isa); /* as themes have it */
        gpucode_answer_text(answer, &fields[pattern->end ? BEGIN : MATCH], pattern->match);
        gpucode_answer_text(answer, &fields[END], pattern->end);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    export_answer_end(export, answer);
}

void export_textmate(struct export *export)
{
    patterns_of_sets(export, write_grammar);
}
