/* SPDX-License-Identifier: MIT */
/* Which lines of a source are instructions, and where their parts stand. */
#include "asm/rewrite.h"

#include <stdlib.h>
#include <string.h>

static bool split_lines(struct rewrite *rewrite, const struct asm_source *source)
{
    const char *at = source->text, *end = source->text + source->length;
    uint32_t count = 1;
    for (const char *c = at; c < end; c++)
        count += *c == '\n';
    rewrite->lines = calloc(count, sizeof *rewrite->lines);
    if (!rewrite->lines)
        return false;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
        struct rewrite_line *line = &rewrite->lines[rewrite->line_count++];
        *line = (struct rewrite_line){
            .text = at, .length = (size_t)(next - at), .unit = GPUCODE_NONE, .output = GPUCODE_NONE};
        line->stop = line->length;
        while (line->stop && (at[line->stop - 1] == '\n' || at[line->stop - 1] == '\r'))
            line->stop--;
        line->comment = line->stop;
        at = next;
    }
    return true;
}

static void add_token(struct rewrite_line *line, const struct asm_token *token, size_t index)
{
    size_t column = (size_t)(token->at - token->place.start);
    bool first = !line->has_insn && token->kind != GPUCODE_TOKEN_LABEL && token->kind != GPUCODE_TOKEN_COMMENT;
    if (!line->token_count++)
        line->first_token = index;
    switch (token->kind) {
    case GPUCODE_TOKEN_LABEL:
        if (!line->has_label)
            line->labels = column;
        line->has_label = true;
        break;
    case GPUCODE_TOKEN_COMMENT:
        if (column + token->length >= line->stop)
            line->comment = column;
        break;
    case GPUCODE_TOKEN_FLAG:
    case GPUCODE_TOKEN_MNEMONIC:
    case GPUCODE_TOKEN_STATEMENT:
        if (first)
            line->start = line->mnemonic = column;
        line->has_insn = true;
        if (token->kind == GPUCODE_TOKEN_MNEMONIC) {
            line->mnemonic = column;
            line->is_insn = true;
        }
        break;
    default:
        break;
    }
}

/* Which lines can be edited: those of one unit each, written in the source itself. */
static void find_units(struct rewrite *rewrite, const struct asm_source *source)
{
    struct gpucode_line place;
    for (uint32_t unit = 0; unit < rewrite->units; unit++) {
        rewrite->line_of[unit] = GPUCODE_NONE;
        if (!gpucode_program_line(rewrite->program, unit, &place) || place.from_macro || place.file != source->file ||
            !place.line || place.line > rewrite->line_count)
            continue;
        struct rewrite_line *line = &rewrite->lines[place.line - 1];
        if (line->unit != GPUCODE_NONE) /* several of one line */
            rewrite->line_of[line->unit] = GPUCODE_NONE;
        else if (line->has_insn)
            rewrite->line_of[unit] = place.line - 1;
        line->unit = unit;
    }
}

bool rewrite_read_lines(struct rewrite *rewrite, const struct asm_source *source)
{
    size_t count;
    if (!split_lines(rewrite, source))
        return false;
    rewrite->tokens = asm_program_tokens(rewrite->program, &count);
    for (size_t i = 0; i < count; i++) {
        const struct asm_token *token = &rewrite->tokens[i];
        if (token->place.source == source && token->place.number && token->place.number <= rewrite->line_count)
            add_token(&rewrite->lines[token->place.number - 1], token, i);
    }
    for (uint32_t i = 0; i < rewrite->line_count; i++) {
        struct rewrite_line *line = &rewrite->lines[i];
        for (line->end = line->comment; line->end && strchr(" \t\v\f\r", line->text[line->end - 1]);)
            line->end--;
        if (!line->has_insn)
            line->start = line->mnemonic = line->end;
        if (!line->has_label)
            line->labels = line->start;
    }
    find_units(rewrite, source);
    return true;
}
