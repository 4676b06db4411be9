/* SPDX-License-Identifier: MIT */
/*
 * The text of a rewritten source. What an instruction's new bits change is found by comparing how both are written:
 * flags in front, and places of code that are numbers. Everything else stays as the source has it.
 */
#include "asm/rewrite.h"

#include <gpucode/insn.h>
#include <string.h>

static uint64_t bits_at(const void *bytes, uint32_t unit, unsigned size)
{
    const unsigned char *at = (const unsigned char *)bytes + (size_t)size * unit;
    uint64_t bits = 0;
    for (unsigned i = size; i-- > 0;)
        bits = bits << 8 | at[i];
    return bits;
}

uint64_t rewrite_old(const struct rewrite *rewrite, uint32_t unit)
{
    const char *bytes = gpucode_program_bytes(rewrite->program);
    return bits_at(bytes + gpucode_program_prefix(rewrite->program), unit, rewrite->unit_bytes);
}

uint64_t rewrite_new(const struct rewrite *rewrite, uint32_t unit)
{
    return bits_at(rewrite->code->bytes, unit, rewrite->unit_bytes);
}

/* An instruction as it is written without a source. */
struct plain_text {
    char text[GPUCODE_TEXT_MAX];
    size_t flags; /* bytes in front of the mnemonic */
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    unsigned operand_count;
};

/* Flags are words in parentheses. */
static size_t skip_flags(const char *text)
{
    const char *at = text;
    while (*at == '(') {
        const char *close = strchr(at, ')');
        if (!close)
            break;
        for (at = close + 1; *at == ' ';)
            at++;
    }
    return (size_t)(at - text);
}

static bool write_plain(const struct rewrite *rewrite, uint64_t bits, uint32_t unit, struct plain_text *plain)
{
    struct gpucode_insn insn;
    unsigned char bytes[8];
    for (unsigned i = 0; i < rewrite->unit_bytes && i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    if (gpucode_decode(gpucode_program_target(rewrite->program), bytes, rewrite->unit_bytes, unit, &insn) !=
            GPUCODE_OK ||
        !insn.exact || gpucode_format(&insn, NULL, plain->text, sizeof plain->text, NULL) != GPUCODE_OK)
        return false;
    plain->flags = skip_flags(plain->text);
    plain->operand_count = gpucode_insn_operands(&insn, NULL, plain->operands, GPUCODE_OPERANDS_MAX);
    return true;
}

static void append_end_of_line(struct rewrite *rewrite, const struct rewrite_line *line)
{
    bool crlf = line->length > 1 && memcmp(line->text + line->length - 2, "\r\n", 2) == 0;
    buffer_append(&rewrite->out, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
}

/* White space as wide as what stands in front of the instruction. */
static void append_indent(struct rewrite *rewrite, const struct rewrite_line *line)
{
    for (size_t i = 0; i < line->start; i++)
        buffer_append(&rewrite->out, line->text[i] == '\t' ? "\t" : " ", 1);
}

static bool append_new(struct rewrite *rewrite, const struct rewrite_line *line, uint32_t output)
{
    struct plain_text plain;
    if (!write_plain(rewrite, rewrite_new(rewrite, output), output, &plain))
        return false;
    buffer_append(&rewrite->out, plain.text, strlen(plain.text));
    append_end_of_line(rewrite, line);
    return true;
}

/* The operand of a line in which the name of a label or constant stands: the assembler finds its value. */
static bool has_name(const struct rewrite *rewrite, const struct rewrite_line *line, const struct asm_token *operand)
{
    for (size_t i = 0; i < line->token_count; i++) {
        const struct asm_token *token = &rewrite->tokens[line->first_token + i];
        if (token->kind == GPUCODE_TOKEN_USE && token->at >= operand->at && token->at < operand->at + operand->length)
            return true;
    }
    return false;
}

/* What takes the place of an operand: a place of code that is written as a number and has moved; null: nothing. */
static const struct gpucode_operand *find_moved(const struct rewrite *rewrite, const struct rewrite_line *line,
                                                const struct asm_token *token, const struct plain_text *old,
                                                const struct plain_text *new)
{
    unsigned i = token->operand;
    if (token->kind != GPUCODE_TOKEN_OPERAND || i >= old->operand_count || i >= new->operand_count ||
        new->operands[i].type != GPUCODE_OPERAND_TARGET || has_name(rewrite, line, token))
        return NULL;
    const struct gpucode_operand *from = &old->operands[i], *to = &new->operands[i];
    bool same = from->length == to->length && memcmp(old->text + from->start, new->text + to->start, to->length) == 0;
    return same ? NULL : to;
}

/* Mnemonic and operands. */
static void append_body(struct rewrite *rewrite, const struct rewrite_line *line, const struct plain_text *old,
                        const struct plain_text *new)
{
    size_t done = line->mnemonic;
    for (size_t i = 0; i < line->token_count; i++) {
        const struct asm_token *token = &rewrite->tokens[line->first_token + i];
        const struct gpucode_operand *moved = find_moved(rewrite, line, token, old, new);
        if (!moved)
            continue;
        size_t column = (size_t)(token->at - line->text);
        buffer_append(&rewrite->out, line->text + done, column - done);
        buffer_append(&rewrite->out, new->text + moved->start, moved->length);
        done = column + token->length;
    }
    buffer_append(&rewrite->out, line->text + done, line->end - done);
}

/* The instruction of a line, `old` in the source, with its new bits. */
static bool append_insn(struct rewrite *rewrite, const struct rewrite_line *line, uint32_t origin, uint32_t output)
{
    uint64_t old_bits = rewrite_old(rewrite, origin), new_bits = rewrite_new(rewrite, output);
    struct plain_text old, new;
    if (old_bits == new_bits) {
        buffer_append(&rewrite->out, line->text + line->start, line->end - line->start);
        return true;
    }
    if (!line->is_insn || !write_plain(rewrite, old_bits, origin, &old) ||
        !write_plain(rewrite, new_bits, output, &new))
        return false;
    bool same = old.flags == new.flags &&memcmp(old.text, new.text, new.flags) == 0;
    if (same)
        buffer_append(&rewrite->out, line->text + line->start, line->mnemonic - line->start);
    else
        buffer_append(&rewrite->out, new.text, new.flags);
    append_body(rewrite, line, &old, &new);
    return true;
}

static bool append_edited(struct rewrite *rewrite, const struct rewrite_line *line)
{
    bool good = true;
    buffer_append(&rewrite->out, line->text, line->start);
    for (uint32_t i = 0; good && i < line->added; i++) {
        good = append_new(rewrite, line, line->before + i);
        append_indent(rewrite, line);
    }
    uint32_t origin = rewrite->code->origins[line->output];
    if (origin == GPUCODE_NONE) /* another one takes the line of this one */
        origin = line->unit;
    const struct rewrite_line *from = &rewrite->lines[rewrite->line_of[origin]]; /* whose text stands here now */
    good = good && append_insn(rewrite, from, origin, line->output);
    buffer_append(&rewrite->out, from->text + from->end, from->stop - from->end);
    if (line->text[line->length - 1] == '\n' || line->tail)
        append_end_of_line(rewrite, line);
    for (uint32_t i = 0; good && i < line->tail; i++) {
        append_indent(rewrite, line);
        good = append_new(rewrite, line, line->behind + i);
    }
    return good;
}

/* A line whose instruction is gone: its label and its comment stay. */
static void append_rest(struct rewrite *rewrite, const struct rewrite_line *line)
{
    size_t label = line->start;
    bool comment = line->comment < line->stop;
    if (!line->has_label && !comment)
        return;
    while (!comment && label && strchr(" \t\v\f\r", line->text[label - 1]))
        label--;
    buffer_append(&rewrite->out, line->text, label);
    buffer_append(&rewrite->out, line->text + line->comment, line->length - line->comment);
}

bool rewrite_print(struct rewrite *rewrite)
{
    for (uint32_t i = 0; i < rewrite->line_count; i++) {
        const struct rewrite_line *line = &rewrite->lines[i];
        if (line->kept) {
            if (!append_edited(rewrite, line))
                return false;
        } else if (line->unit != GPUCODE_NONE && rewrite->line_of[line->unit] == i) {
            append_rest(rewrite, line);
        } else {
            buffer_append(&rewrite->out, line->text, line->length);
        }
    }
    return true;
}
