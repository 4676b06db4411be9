/* SPDX-License-Identifier: MIT */
/* Semantic tokens: what each word is, in the colours of the editor. */
#include "lsp/server.h"

#include <stdlib.h>

enum token_type {
    T_KEYWORD,
    T_MODIFIER,
    T_VARIABLE,
    T_FUNCTION,
    T_NUMBER,
    T_MACRO,
    T_COMMENT,
    T_PARAMETER,
    T_NAMESPACE,
    T_STRING,
    T_PROPERTY,
    T_TYPES
};
enum { M_DEFINITION = 1, M_READONLY = 2 };

json_t *tokens_legend(void)
{
    static const char *const types[T_TYPES] = {"keyword", "modifier",  "variable",  "function", "number",  "macro",
                                               "comment", "parameter", "namespace", "string",   "property"};
    json_t *list = json_array();
    for (unsigned i = 0; i < T_TYPES; i++)
        json_array_append_new(list, json_string(types[i]));
    return json_pack("{s:o, s:[s,s]}", "tokenTypes", list, "tokenModifiers", "definition", "readonly");
}

/* The type of a word; T_TYPES: none. */
static enum token_type type_of(const struct view *view, const struct gpucode_word *word)
{
    const struct gpucode_source_symbol *symbol = view_symbol(view, word->symbol);
    switch (word->kind) {
    case GPUCODE_TOKEN_LABEL:
        return T_FUNCTION;
    case GPUCODE_TOKEN_USE:
        return symbol && symbol->kind == GPUCODE_SOURCE_CONSTANT ? T_VARIABLE : T_FUNCTION;
    case GPUCODE_TOKEN_CONSTANT:
        return T_VARIABLE;
    case GPUCODE_TOKEN_DIRECTIVE:
    case GPUCODE_TOKEN_MACRO:
    case GPUCODE_TOKEN_MACRO_NAME:
    case GPUCODE_TOKEN_STATEMENT: /* "@const(c0.x) 1.0": no instruction, but what a set has directives for */
        return T_MACRO;
    case GPUCODE_TOKEN_FLAG:
        return T_MODIFIER;
    case GPUCODE_TOKEN_MNEMONIC:
        return T_KEYWORD;
    case GPUCODE_TOKEN_OPERAND:
        return word->type == GPUCODE_OPERAND_REGISTER ? T_PROPERTY : T_TYPES;
    case GPUCODE_TOKEN_COMMENT:
        return T_COMMENT;
    case GPUCODE_TOKEN_SECTION:
    case GPUCODE_TOKEN_TARGET:
        return T_NAMESPACE;
    case GPUCODE_TOKEN_PARAMETER:
        return T_PARAMETER;
    case GPUCODE_TOKEN_FILE:
        return T_STRING;
    case GPUCODE_TOKEN_NAME:
        return T_PROPERTY;
    case GPUCODE_TOKEN_NUMBER:
        return T_NUMBER;
    default:
        return T_TYPES;
    }
}

struct writer {
    struct lsp *lsp;
    const struct view *view;
    json_t *data;
    struct position last;
};

static void put_piece(struct writer *writer, size_t start, size_t end, enum token_type type, int modifiers)
{
    struct position from = text_position(writer->lsp, writer->view->text, start);
    struct position to = text_position(writer->lsp, writer->view->text, end);
    if (to.line != from.line || to.character == from.character)
        return;
    bool same = from.line == writer->last.line;
    json_array_append_new(writer->data, json_integer((json_int_t)(from.line - writer->last.line)));
    json_array_append_new(writer->data,
                          json_integer((json_int_t)(same ? from.character - writer->last.character : from.character)));
    json_array_append_new(writer->data, json_integer((json_int_t)(to.character - from.character)));
    json_array_append_new(writer->data, json_integer(type));
    json_array_append_new(writer->data, json_integer(modifiers));
    writer->last = from;
}

/* Tokens end with their line: a comment of several is several. */
static void put_token(struct writer *writer, size_t start, size_t end, enum token_type type, int modifiers)
{
    while (start < end) {
        size_t line = text_line(writer->view->text, start), stop = text_line_end(writer->view->text, line);
        put_piece(writer, start, end < stop ? end : stop, type, modifiers);
        if (line + 1 >= writer->view->text->line_count)
            return;
        start = writer->view->text->lines[line + 1];
    }
}

/* Words between two places; inside of a longer one the shorter ones win, and the rest of it goes around them. */
static json_t *tokens_between(struct lsp *lsp, const struct view *view, size_t from, size_t to)
{
    struct writer writer = {lsp, view, json_array(), {0, 0}};
    size_t done = 0;
    for (uint32_t i = 0; i < view->word_count; i++) {
        const struct gpucode_word *word = &view->words[i];
        enum token_type type = type_of(view, word);
        size_t start = word->span.offset, end = start + word->span.length;
        if (type == T_TYPES || end <= from || start < done)
            continue;
        if (start >= to)
            break;
        int modifiers = (word->defines ? M_DEFINITION : 0) | (type == T_VARIABLE ? M_READONLY : 0);
        uint32_t k = i + 1;
        for (; k < view->word_count && view->words[k].span.offset < end; k++) {
            const struct gpucode_word *inner = &view->words[k];
            enum token_type inner_type = type_of(view, inner);
            size_t inner_start = inner->span.offset, inner_end = inner_start + inner->span.length;
            if (inner_type == T_TYPES || inner_start < start || inner_end > end || inner->kind == word->kind)
                continue;
            put_token(&writer, start, inner_start, type, modifiers);
            put_token(&writer, inner_start, inner_end, inner_type,
                      (inner->defines ? M_DEFINITION : 0) | (inner_type == T_VARIABLE ? M_READONLY : 0));
            start = inner_end;
        }
        put_token(&writer, start, end, type, modifiers);
        done = end;
    }
    return json_pack("{s:o}", "data", writer.data);
}

void answer_tokens(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (view_open(lsp, params, &view, answer))
        answer->result = tokens_between(lsp, &view, 0, view.text->length + 1);
}

void answer_tokens_range(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    size_t from, to;
    const json_t *range = json_object_get(params, "range");
    if (!view_open(lsp, params, &view, answer))
        return;
    if (!text_take(lsp, view.text, json_object_get(range, "start"), &from) ||
        !text_take(lsp, view.text, json_object_get(range, "end"), &to))
        lsp_fail(answer, ERROR_PARAMS, "range is missing, or none");
    else
        answer->result = tokens_between(lsp, &view, from, to);
}
