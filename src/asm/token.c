/* SPDX-License-Identifier: MIT */
/* What the words of a source are, for editors and for messages about what stands in a line. */
#include "asm/context.h"
#include "asm/record.h"

#include <stdlib.h>
#include <string.h>

/* The lines of tokens are found in the order of the text, from the token before. */
static struct asm_place find_place(const struct asm_context *context, const struct asm_source *source, const char *at)
{
    struct asm_place place = {0};
    if (context->tokens.count)
        place = context->tokens.items[context->tokens.count - 1].place;
    asm_find_line(&place, source, at);
    return place;
}

static void push_at_unit(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length,
                         unsigned operand, uint32_t unit)
{
    struct asm_place place =
        find_place(context, context->source, at); /* before the array grows: it looks at the last one */
    ASM_PUSH(context, context->tokens, (struct asm_token){kind, at, (uint32_t)length, unit, operand, place});
}

/*
 * Comments become tokens when the next token does: reading looks past them before it is sure of what stands in front
 * of them, and tokens that come in the order of the text are found without counting lines from its start.
 */
static void push_comments(struct asm_context *context, const char *before, uint32_t unit)
{
    size_t taken = 0;
    for (; taken < context->comments.count; taken++) {
        const struct asm_comment *comment = &context->comments.items[taken];
        if (before && comment->source == context->source && comment->start >= before)
            break;
        const char *end = comment->end;
        end -= end > comment->start && end[-1] == '\r';
        struct asm_place place = find_place(context, comment->source, comment->start);
        ASM_PUSH(context, context->tokens,
                 (struct asm_token){GPUCODE_TOKEN_COMMENT, comment->start, (uint32_t)(end - comment->start), unit, 0,
                                    place});
    }
    context->comments.count -= taken;
    if (taken && context->comments.count)
        memmove(context->comments.items, context->comments.items + taken,
                context->comments.count * sizeof *context->comments.items);
}

static void push_token(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length,
                       unsigned operand)
{
    uint32_t unit = asm_token_unit(context);
    push_comments(context, at, unit);
    push_at_unit(context, kind, at, length, operand, unit);
}

void asm_keep_comment(void *user, const char *start, const char *end)
{
    struct asm_context *context = user;
    const struct asm_source *source = context->source;
    asm_record_comment(context, start, end);
    if (!context->options->record_tokens || source->is_macro || start < source->text ||
        start > source->text + source->length)
        return;
    bool same = context->comment_at >= source->text && context->comment_at <= source->text + source->length;
    if (same && start <= context->comment_at)
        return;
    context->comment_at = start;
    ASM_PUSH(context, context->comments, (struct asm_comment){source, start, end});
}

void asm_keep_last_comments(struct asm_context *context)
{
    if (context->options->record_tokens)
        push_comments(context, NULL, asm_token_unit(context));
}

void asm_keep_token(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length)
{
    if (context->options->record_tokens && !context->source->is_macro)
        push_token(context, kind, at, length, 0);
}

static int compare_tokens(const void *left, const void *right)
{
    const struct asm_token *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (b->kind == GPUCODE_TOKEN_OPERAND) - (a->kind == GPUCODE_TOKEN_OPERAND);
}

static void push_operand(struct asm_context *context, const struct isa_word *piece, unsigned *operand)
{
    const char *start;
    size_t length;
    enum gpucode_token_kind kind = asm_operand_span(context, piece, &start, &length);
    bool flag = kind == GPUCODE_TOKEN_FLAG;
    if (length)
        push_token(context, kind, start, length, flag ? 0 : *operand);
    *operand += !flag && asm_is_operand(context, piece);
}

/* Brings the tokens of a statement, from number `first` on, into their order. */
static void sort_tokens(struct asm_context *context, size_t first)
{
    if (context->failed)
        return;
    /* rows that were tried in vain have looked names up as well */
    struct asm_token *tokens = context->tokens.items;
    qsort(tokens + first, context->tokens.count - first, sizeof *tokens, compare_tokens);
    size_t kept = first;
    for (size_t i = first; i < context->tokens.count; i++)
        if (kept == first || tokens[i].at != tokens[kept - 1].at || tokens[i].kind != tokens[kept - 1].kind)
            tokens[kept++] = tokens[i];
    context->tokens.count = kept;
}

void asm_keep_insn(struct asm_context *context, size_t first)
{
    if (!context->options->record_tokens || context->source->is_macro)
        return;
    unsigned operand = 0;
    push_token(context, GPUCODE_TOKEN_MNEMONIC, context->pieces.mnemonic, context->pieces.mnemonic_length, 0);
    for (unsigned i = 0; i < context->pieces.count; i++)
        push_operand(context, &context->pieces.list[i], &operand);
    sort_tokens(context, first);
}

void asm_keep_statement(struct asm_context *context, size_t first, const char *start, uint32_t unit)
{
    if (!context->options->record_tokens || context->source->is_macro)
        return;
    const char *end = context->scan.at;
    bool directive = *start == '.';
    if (directive) {
        end = start + 1;
        while (end < context->scan.at && isa_name_byte(*end))
            end++;
    }
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    push_comments(context, start, unit);
    push_at_unit(context, directive ? GPUCODE_TOKEN_DIRECTIVE : GPUCODE_TOKEN_STATEMENT, start, (size_t)(end - start),
                 0, unit);
    sort_tokens(context, first);
}
