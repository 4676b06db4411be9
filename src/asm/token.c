/* SPDX-License-Identifier: MIT */
/* What the words of a source are, for editors and for messages about what stands in a line. */
#include "asm/context.h"

#include <stdlib.h>

/* The lines of tokens are found in the order of the text, from the token before. */
static struct asm_place find_place(const struct asm_context *context, const char *at)
{
    struct asm_place place = {0};
    if (context->tokens.count)
        place = context->tokens.items[context->tokens.count - 1].place;
    asm_find_line(&place, context->source, at);
    return place;
}

static void push_token(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length,
                       unsigned operand)
{
    uint32_t unit = (uint32_t)((context->out.length - context->prefix) / context->isa->unit_bytes);
    struct asm_place place = find_place(context, at); /* before the array grows: it looks at the last one */
    ASM_PUSH(context, context->tokens, (struct asm_token){kind, at, (uint32_t)length, unit, operand, place});
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

/* An operand without the punctuation and white space around it. */
static void push_operand(struct asm_context *context, const struct isa_word *piece, unsigned *operand)
{
    const struct isa_operand_class *kind = &context->isa->text.operand_classes[piece->field->kind];
    const char *start = piece->start, *end = piece->end;
    bool flag = start < context->pieces.mnemonic;
    while (start < end && (*start == ' ' || *start == '\t' || *start == ','))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (flag ? start < end : kind->type != GPUCODE_OPERAND_MODIFIER && start < end)
        push_token(context, flag ? GPUCODE_TOKEN_FLAG : GPUCODE_TOKEN_OPERAND, start, (size_t)(end - start),
                   flag ? 0 : *operand);
    *operand += !flag && kind->type != GPUCODE_OPERAND_MODIFIER;
}

void asm_keep_insn(struct asm_context *context, size_t first)
{
    if (!context->options->record_tokens || context->source->is_macro)
        return;
    unsigned operand = 0;
    push_token(context, GPUCODE_TOKEN_MNEMONIC, context->pieces.mnemonic, context->pieces.mnemonic_length, 0);
    for (unsigned i = 0; i < context->pieces.count; i++)
        push_operand(context, &context->pieces.list[i], &operand);
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
