/* SPDX-License-Identifier: MIT */
/* A program's source with other code in place of its own: which instruction stands on which line. */
#include "asm/context.h"

#include <gpucode/insn.h>
#include <stdlib.h>
#include <string.h>

/* A line of the source; new instructions stand in front of its own, or after it. Columns are bytes from its start. */
struct rewrite_line {
    const char *text;
    size_t length;            /* with its end */
    size_t start;             /* of the instruction with its flags */
    size_t mnemonic;          /* after the flags; `start` for what the instruction set reads its own way */
    size_t end;               /* after the instruction */
    size_t comment;           /* of the last one, if nothing stands after it; else where the line ends */
    size_t stop;              /* where the line ends, without the characters that end it */
    size_t first_token;       /* of the program's tokens, */
    size_t token_count;       /* and how many stand on this line */
    bool has_label, has_insn; /* an instruction, or what the set reads its own way */
    bool is_insn;             /* the former, with a mnemonic */
    uint32_t unit;            /* the only one that comes from it; GPUCODE_NONE: none */
    bool kept;                /* its unit, or another one, stands here: */
    uint32_t output;          /* this one of the result */
    uint32_t before, added;   /* of the result: first of the new instructions in front, how many */
    uint32_t behind, tail;    /* the same after it */
};

struct rewrite {
    const struct gpucode_program *program;
    const struct gpucode_replacement *code;
    const struct asm_token *tokens;
    struct rewrite_line *lines;
    uint32_t line_count;
    uint32_t *line_of; /* of each unit of the program; GPUCODE_NONE: not to be edited */
    uint32_t units;
    unsigned unit_bytes;
    struct buffer out;
};

/*
 * The text of a rewritten source. What an instruction's new bits change is found by comparing how both are written:
 * flags in front, and places of code that are numbers. Everything else stays as the source has it.
 */

static uint64_t bits_at(const void *bytes, uint32_t unit, unsigned size)
{
    const unsigned char *at = (const unsigned char *)bytes + (size_t)size * unit;
    uint64_t bits = 0;
    for (unsigned i = size; i-- > 0;)
        bits = bits << 8 | at[i];
    return bits;
}

/* The bits of a unit: of the program, or of the new code. */
static uint64_t rewrite_old(const struct rewrite *rewrite, uint32_t unit)
{
    const char *bytes = gpucode_program_bytes(rewrite->program);
    return bits_at(bytes + gpucode_program_prefix(rewrite->program), unit, rewrite->unit_bytes);
}

static uint64_t rewrite_new(const struct rewrite *rewrite, uint32_t unit)
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

/* Writes the text. False: an instruction cannot be written. */
static bool rewrite_print(struct rewrite *rewrite)
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
