/* SPDX-License-Identifier: MIT */
/* gpucode export textmate: SET.tmLanguage.json, for Visual Studio Code, Sublime Text and what else reads such grammars.
 */
#include "export/patterns.h"
#include "front/json.h"

#include <ctype.h>
#include <string.h>

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
    FILE *out = export_begin(export, "%s.tmLanguage.json", isa);
    if (!out)
        return;
    struct json json = {.out = out, .indent = true};
    json_object(&json, NULL);
    snprintf(text, sizeof text, "source.%s", isa);
    json_string(&json, "scopeName", text);
    snprintf(text, sizeof text, "%s", isa);
    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    json_string(&json, "name", text);
    json_array(&json, "patterns");
    for (unsigned i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        json_object(&json, NULL);
        snprintf(text, sizeof text, "%s.%s", scopes[pattern->class], isa); /* names end in the language's */
        json_string(&json, "name", text);
        json_string(&json, pattern->end ? "begin" : "match", pattern->match);
        json_string(&json, "end", pattern->end);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

void export_textmate(struct export *export)
{
    patterns_of_sets(export, write_grammar);
}
