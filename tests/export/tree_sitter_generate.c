/* SPDX-License-Identifier: MIT */
/* Makes a parser of a grammar as JSON, by the generator that old versions of tree-sitter-cli have as a library. */
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/compiler.h>

#define GRAMMAR_MAX (1 << 22)

int main(void)
{
    char *grammar = malloc(GRAMMAR_MAX);
    if (!grammar)
        return 1;
    grammar[fread(grammar, 1, GRAMMAR_MAX - 1, stdin)] = 0;
    TSCompileResult result = ts_compile_grammar(grammar, NULL);
    free(grammar);
    if (result.error_type) {
        fprintf(stderr, "%s\n", result.error_message);
        return 1;
    }
    return fputs(result.code, stdout) < 0;
}
