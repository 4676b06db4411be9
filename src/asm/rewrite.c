/* SPDX-License-Identifier: MIT */
/* A program's source with other code in place of its own: which instruction stands on which line. */
#include "asm/rewrite.h"

#include <stdlib.h>
#include <string.h>

/* --- which lines are instructions, and where their parts stand ---------------------------------------------------- */

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

/* Finds the parts of all lines. False: out of memory. */
static bool read_lines(struct rewrite *rewrite, const struct asm_source *source)
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
    }
    find_units(rewrite, source);
    return true;
}

/* --- which instruction stands on which line ----------------------------------------------------------------------- */

/* A label on one of the lines after `from` to `to`. */
static bool label_between(const struct rewrite *rewrite, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i <= to; i++)
        if (rewrite->lines[i].has_label)
            return true;
    return false;
}

/*
 * New instructions in front of `unit` take the lines of those that were there and go. The line that the rest come in
 * front of.
 */
static struct rewrite_line *reuse_lines(struct rewrite *rewrite, uint32_t unit, const bool *stays, uint32_t first,
                                        uint32_t *added)
{
    uint32_t below = rewrite->line_of[unit];
    for (uint32_t old = unit; *added && old-- > 0 && !stays[old];) {
        uint32_t line = rewrite->line_of[old];
        if (line == GPUCODE_NONE || line > below || label_between(rewrite, line, below))
            break;
        rewrite->lines[line].kept = true;
        rewrite->lines[line].output = first + --*added;
        below = line;
    }
    return &rewrite->lines[below];
}

/* Adds instructions after a line; false: there is none. */
static bool add_behind(struct rewrite_line *line, uint32_t first, uint32_t added)
{
    if (!line)
        return false;
    line->behind = first;
    line->tail = added;
    return true;
}

/* The units that are in the new code too; null: out of memory, or what the caller says cannot be. */
static bool *find_staying(const struct rewrite *rewrite)
{
    bool *stays = calloc((size_t)rewrite->units + 1, 1);
    for (uint32_t i = 0; stays && i < rewrite->code->units; i++) {
        uint32_t origin = rewrite->code->origins[i];
        if (origin == GPUCODE_NONE)
            continue;
        if (origin >= rewrite->units || stays[origin]) {
            free(stays);
            return NULL;
        }
        stays[origin] = true;
    }
    return stays;
}

/* Gives each unit that stays the line of the one that stood in its turn, and the new ones their lines. */
static bool place_units(struct rewrite *rewrite, const bool *stays)
{
    const struct gpucode_replacement *code = rewrite->code;
    struct rewrite_line *last = NULL; /* the line before, null when it cannot be edited */
    uint32_t unit = 0, first = 0, added = 0;
    for (uint32_t i = 0; i < code->units; i++) {
        uint32_t origin = code->origins[i];
        if (origin == GPUCODE_NONE) {
            first = added++ ? first : i;
            continue;
        }
        while (!stays[unit])
            unit++;
        struct rewrite_line *line =
            rewrite->line_of[unit] == GPUCODE_NONE ? NULL : &rewrite->lines[rewrite->line_of[unit]];
        bool fixed = !line || rewrite->line_of[origin] == GPUCODE_NONE;
        if (fixed && (origin != unit || rewrite_old(rewrite, unit) != rewrite_new(rewrite, i)))
            return false;
        if (line) {
            line->kept = true;
            line->output = i;
            struct rewrite_line *top = reuse_lines(rewrite, unit, stays, first, &added);
            top->before = first;
            top->added = added;
        } else if (added && !add_behind(last, first, added)) {
            return false;
        }
        last = line;
        added = 0;
        unit++;
    }
    if (added && code->padding && !add_behind(last, first, added))
        return false;
    for (uint32_t i = 0; i < rewrite->units; i++) /* what goes must have a line to go from */
        if (!stays[i] && rewrite->line_of[i] == GPUCODE_NONE)
            return false;
    return true;
}

static enum gpucode_status rewrite_program(struct rewrite *rewrite, const struct asm_source *source)
{
    rewrite->line_of = calloc((size_t)rewrite->units + 1, sizeof *rewrite->line_of);
    if (!rewrite->line_of || !read_lines(rewrite, source))
        return GPUCODE_ERROR_MEMORY;
    bool *stays = find_staying(rewrite);
    bool good = stays && place_units(rewrite, stays) && rewrite_print(rewrite);
    free(stays);
    return rewrite->out.failed ? GPUCODE_ERROR_MEMORY : good ? GPUCODE_OK : GPUCODE_ERROR_UNSUPPORTED;
}

enum gpucode_status gpucode_program_rewrite(const struct gpucode_program *program,
                                            const struct gpucode_replacement *code, char **text, size_t *length)
{
    size_t tokens;
    if (!program || !code || !text || !length || (code->units && (!code->bytes || !code->origins)))
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_facts facts = *gpucode_target_facts(gpucode_program_target(program));
    const struct asm_source *source = asm_program_source(program);
    if (!facts.fixed_size || !source || !asm_program_tokens(program, &tokens))
        return GPUCODE_ERROR_UNSUPPORTED;
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program));
    struct rewrite rewrite = {
        .program = program,
        .code = code,
        .unit_bytes = unit_bytes,
        .units = (uint32_t)((gpucode_program_size(program) - gpucode_program_prefix(program)) / unit_bytes),
    };
    enum gpucode_status status = rewrite_program(&rewrite, source);
    if (status == GPUCODE_OK) {
        buffer_append(&rewrite.out, "", 1);
        *text = rewrite.out.bytes;
        *length = rewrite.out.length - 1;
        if (rewrite.out.failed)
            status = GPUCODE_ERROR_MEMORY;
        else
            rewrite.out = (struct buffer){0};
    }
    buffer_free(&rewrite.out);
    free(rewrite.line_of);
    free(rewrite.lines);
    return status;
}
