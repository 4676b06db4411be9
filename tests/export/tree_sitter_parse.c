/* SPDX-License-Identifier: MIT */
/* The tree that the parser LANGUAGE() makes of standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/runtime.h>

#define TEXT_MAX (1 << 22)

const TSLanguage *LANGUAGE(void);

int main(void)
{
    char *text = malloc(TEXT_MAX);
    TSParser *parser = ts_parser_new();
    if (!text || !ts_parser_set_language(parser, LANGUAGE()))
        return 1;
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)fread(text, 1, TEXT_MAX, stdin));
    char *shown = ts_node_string(ts_tree_root_node(tree));
    puts(shown);
    free(shown);
    free(text);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    return 0;
}
