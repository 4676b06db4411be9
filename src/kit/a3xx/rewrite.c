/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/rewrite.h"

#include "kit/a3xx/statement.h"

#include <ctype.h>
#include <gpucode/insn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define SY (UINT64_C(1) << 60)
#define JP (UINT64_C(1) << 59)
#define SS (UINT64_C(1) << 44)
#define REPEAT (UINT64_C(7) << 40)

/* A line of the source; nops stand in front of its instruction, or behind it. */
struct edit {
    const char *line;
    size_t length;              /* with its end */
    struct statement statement; /* valid when a unit has this line */
    uint32_t unit;              /* the only one that comes from it, or NONE */
    bool kept;                  /* its unit, or another one, stands here: */
    uint32_t output;            /* this one of the result */
    uint32_t before, nops;      /* of the result: first of the inserted nops, how many */
    uint32_t behind, tail;      /* the same behind it */
};

struct rewrite {
    const struct input *input;
    const struct gpucode_scheduled *scheduled;
    struct edit *edit;
    uint32_t lines;
    uint32_t *line_of; /* of each unit of the input; NONE: not to be edited */
    uint32_t units;
    FILE *out;
};

static uint64_t word_at(const void *bytes, uint32_t index)
{
    const unsigned char *at = (const unsigned char *)bytes + 8 * (size_t)index;
    uint64_t word = 0;
    for (unsigned i = 8; i-- > 0;)
        word = word << 8 | at[i];
    return word;
}

static uint64_t old_word(const struct rewrite *rewrite, uint32_t unit)
{
    return word_at(rewrite->input->bytes, unit);
}

static bool split_lines(struct rewrite *rewrite)
{
    const char *text = rewrite->input->file.bytes, *end = text + rewrite->input->file.size;
    uint32_t count = 1;
    for (const char *at = text; at < end; at++)
        count += *at == '\n';
    rewrite->edit = calloc(count, sizeof *rewrite->edit);
    for (; rewrite->edit && text < end; rewrite->lines++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *next = newline ? newline + 1 : end;
        rewrite->edit[rewrite->lines] =
            (struct edit){.line = text, .length = (size_t)(next - text), .unit = NONE, .output = NONE};
        text = next;
    }
    return rewrite->edit != NULL;
}

/* Which lines are instructions that can be edited: one unit each, written in the source itself. */
static void find_lines(struct rewrite *rewrite)
{
    struct gpucode_line line;
    for (uint32_t unit = 0; unit < rewrite->units; unit++) {
        rewrite->line_of[unit] = NONE;
        if (!gpucode_program_line(rewrite->input->program, unit, &line) || line.from_macro || !line.line ||
            line.line > rewrite->lines || strcmp(line.file, rewrite->input->file.name) != 0)
            continue;
        struct edit *edit = &rewrite->edit[line.line - 1];
        if (edit->unit != NONE) { /* several of one line */
            rewrite->line_of[edit->unit] = NONE;
        } else if (statement_parse(edit->line, edit->length, &edit->statement) &&
                   !strchr(".@#", edit->line[edit->statement.mnemonic])) {
            rewrite->line_of[unit] = line.line - 1;
        }
        edit->unit = unit;
    }
}

static bool is_nop(uint64_t word)
{
    return word >> 61 == 0 && (word >> 55 & 15) == 0;
}

/* A label in front of an instruction, or alone, on one of the lines behind `from` to `to`. */
static bool label_between(const struct rewrite *rewrite, uint32_t from, uint32_t to)
{
    struct statement statement;
    bool found = false;
    for (uint32_t i = from + 1; i <= to && !found; i++) {
        (void)statement_parse(rewrite->edit[i].line, rewrite->edit[i].length, &statement);
        found = statement.start > statement.indent;
    }
    return found;
}

/*
 * Nops of the result that come in front of `unit` take the lines of nops that were there, and that would go. The line
 * that the rest come in front of.
 */
static struct edit *reuse_lines(struct rewrite *rewrite, uint32_t unit, const bool *stays, uint32_t first_nop,
                                uint32_t *nops)
{
    uint32_t below = rewrite->line_of[unit];
    for (uint32_t old = unit; *nops && old-- > 0 && !stays[old];) {
        uint32_t line = rewrite->line_of[old];
        if (line == NONE || line > below || !is_nop(old_word(rewrite, old)) || label_between(rewrite, line, below))
            break;
        rewrite->edit[line].kept = true;
        rewrite->edit[line].output = first_nop + --*nops;
        below = line;
    }
    return &rewrite->edit[below];
}

/* Gives each unit that stays the line of the one that stood in its turn, and the nops their lines. */
static bool place_units(struct rewrite *rewrite, bool padding)
{
    const struct gpucode_scheduled *scheduled = rewrite->scheduled;
    bool *stays = calloc((size_t)rewrite->units + 1, 1);
    struct edit *last = NULL; /* the line before, NULL when it cannot be edited */
    uint32_t unit = 0, first_nop = 0, nops = 0, left = 0;
    bool good = stays != NULL;
    for (uint32_t i = 0; good && i < scheduled->units; i++)
        if (scheduled->origins[i] != GPUCODE_SCHEDULE_NEW) {
            good = scheduled->origins[i] < rewrite->units;
            if (good)
                stays[scheduled->origins[i]] = true;
            left++;
        }
    for (uint32_t i = 0; good && i < scheduled->units; i++) {
        uint32_t origin = scheduled->origins[i];
        if (origin == GPUCODE_SCHEDULE_NEW) {
            first_nop = nops++ ? first_nop : i;
            continue;
        }
        while (!stays[unit])
            unit++;
        struct edit *edit = rewrite->line_of[unit] == NONE ? NULL : &rewrite->edit[rewrite->line_of[unit]];
        bool fixed = !edit || rewrite->line_of[origin] == NONE;
        good = !fixed || (origin == unit && old_word(rewrite, unit) == word_at(scheduled->bytes, i));
        if (edit) {
            edit->kept = true;
            edit->output = i;
            struct edit *top = reuse_lines(rewrite, unit, stays, first_nop, &nops);
            top->before = first_nop;
            top->nops = nops;
        } else if (nops) {
            good &= last != NULL;
            if (last) {
                last->behind = first_nop;
                last->tail = nops;
            }
        }
        last = edit;
        nops = 0;
        unit++;
    }
    if (good && nops && padding) {
        good = last != NULL;
        if (last) {
            last->behind = first_nop;
            last->tail = nops;
        }
    }
    for (uint32_t i = 0; good && i < rewrite->units; i++) /* what goes must have a line to go from */
        good = stays[i] || rewrite->line_of[i] != NONE;
    free(stays);
    return good;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static bool is_flag(const char *token, size_t length, const char *flag)
{
    return length == strlen(flag) && memcmp(token, flag, length) == 0;
}

/* The flags of a line, with (sy), (ss), (jp) and the repeat of a nop as the word has them. */
static void put_flags(FILE *out, const char *line, const struct statement *statement, uint64_t old, uint64_t word)
{
    bool ss = word >> 61 < 5, nop = is_nop(word);
    uint64_t watched = SY | JP | (ss ? SS : 0) | (nop ? REPEAT : 0);
    if (!((old ^ word) & watched)) {
        fwrite(line + statement->start, 1, statement->mnemonic - statement->start, out);
        return;
    }
    fprintf(out, "%s%s%s", word & SY ? "(sy)" : "", ss && word & SS ? "(ss)" : "", word & JP ? "(jp)" : "");
    bool repeated = (old ^ word) & watched & REPEAT;
    if (repeated && word & REPEAT)
        fprintf(out, "(rpt%u)", (unsigned)(word >> 40 & 7));
    for (size_t at = statement->start; at < statement->mnemonic;) {
        const char *close = memchr(line + at, ')', statement->mnemonic - at);
        size_t end = close ? (size_t)(close - line) + 1 : statement->mnemonic, next = end;
        while (next < statement->mnemonic && line[next] != '(')
            next++;
        const char *token = line + at;
        if (!is_flag(token, end - at, "(sy)") && !is_flag(token, end - at, "(ss)") &&
            !is_flag(token, end - at, "(jp)") && !(repeated && end - at > 4 && memcmp(token, "(rpt", 4) == 0))
            fwrite(token, 1, next - at, out);
        at = next;
    }
}

/* Mnemonic and operands; of a branch whose target is a number, with its new one. */
static void put_body(FILE *out, const char *line, const struct statement *statement, uint64_t old, uint64_t word)
{
    size_t end = statement->end, number = end;
    bool branch = word >> 61 == 0 && (word >> 55 & 15) >= 1 && (word >> 55 & 15) <= 3;
    while (number > statement->mnemonic && (isalnum((unsigned char)line[number - 1])))
        number--;
    bool digits = number < end && isdigit((unsigned char)line[number]);
    if (number > statement->mnemonic && (line[number - 1] == '-' || line[number - 1] == '+'))
        number--;
    if (branch && digits && (uint16_t)old != (uint16_t)word) {
        fwrite(line + statement->mnemonic, 1, number - statement->mnemonic, out);
        fprintf(out, "%d", (int16_t)word);
    } else {
        fwrite(line + statement->mnemonic, 1, end - statement->mnemonic, out);
    }
}

static const char *end_of_line(const struct edit *edit)
{
    return edit->length > 1 && edit->line[edit->length - 2] == '\r' && edit->line[edit->length - 1] == '\n' ? "\r\n"
                                                                                                            : "\n";
}

/* White space as wide as what stands in front of the instruction. */
static void put_indent(FILE *out, const struct edit *edit)
{
    for (size_t i = 0; i < edit->statement.start; i++)
        fputc(edit->line[i] == '\t' ? '\t' : ' ', out);
}

static bool put_nop(const struct rewrite *rewrite, const struct edit *edit, uint32_t output)
{
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    const char *bytes = (const char *)rewrite->scheduled->bytes + 8 * (size_t)output;
    if (gpucode_decode(rewrite->input->target, bytes, 8, output, &insn) != GPUCODE_OK ||
        gpucode_format(&insn, NULL, text, sizeof text, NULL) != GPUCODE_OK)
        return false;
    fprintf(rewrite->out, "%s%s", text, end_of_line(edit));
    return true;
}

/* A line whose instruction is gone: its label and its comment stay. */
static void put_rest(const struct rewrite *rewrite, const struct edit *edit)
{
    const struct statement *statement = &edit->statement;
    size_t label = statement->start;
    bool comment = statement->comment < statement->length;
    if (statement->start == statement->indent && !comment)
        return;
    while (!comment && label && isspace((unsigned char)edit->line[label - 1]))
        label--;
    fwrite(edit->line, 1, label, rewrite->out);
    fwrite(edit->line + statement->comment, 1, edit->length - statement->comment, rewrite->out);
}

static bool put_edited(const struct rewrite *rewrite, const struct edit *edit)
{
    FILE *out = rewrite->out;
    bool good = true;
    fwrite(edit->line, 1, edit->statement.start, out);
    for (uint32_t i = 0; good && i < edit->nops; i++) {
        good = put_nop(rewrite, edit, edit->before + i);
        put_indent(out, edit);
    }
    uint32_t origin = rewrite->scheduled->origins[edit->output];
    if (origin == GPUCODE_SCHEDULE_NEW) /* another nop takes the line of this one */
        origin = edit->unit;
    uint64_t old = old_word(rewrite, origin), word = word_at(rewrite->scheduled->bytes, edit->output);
    const struct edit *from = &rewrite->edit[rewrite->line_of[origin]]; /* whose instruction stands here now */
    const struct statement *statement = &from->statement;
    put_flags(out, from->line, statement, old, word);
    put_body(out, from->line, statement, old, word);
    fwrite(from->line + statement->end, 1, statement->length - statement->end, out);
    bool ends = edit->line[edit->length - 1] == '\n';
    if (ends || edit->tail)
        fputs(end_of_line(edit), out);
    for (uint32_t i = 0; good && i < edit->tail; i++) {
        put_indent(out, edit);
        good = put_nop(rewrite, edit, edit->behind + i);
    }
    return good;
}

bool rewrite_source(const struct input *input, const struct gpucode_scheduled *scheduled, bool padding, char **text,
                    size_t *length)
{
    struct rewrite rewrite = {.input = input, .scheduled = scheduled, .units = (uint32_t)(input->size / 8)};
    bool good = false;
    *text = NULL;
    rewrite.line_of = calloc((size_t)rewrite.units + 1, sizeof *rewrite.line_of);
    if (rewrite.line_of && split_lines(&rewrite)) {
        find_lines(&rewrite);
        good = place_units(&rewrite, padding);
    }
    if (good) {
        rewrite.out = open_memstream(text, length);
        good = rewrite.out != NULL;
    }
    for (uint32_t i = 0; good && i < rewrite.lines; i++) {
        const struct edit *edit = &rewrite.edit[i];
        if (edit->kept)
            good = put_edited(&rewrite, edit);
        else if (edit->unit != NONE && rewrite.line_of[edit->unit] == i)
            put_rest(&rewrite, edit);
        else
            fwrite(edit->line, 1, edit->length, rewrite.out);
    }
    if (rewrite.out) {
        good &= !ferror(rewrite.out);
        good &= fclose(rewrite.out) == 0;
    }
    if (!good) {
        free(*text);
        *text = NULL;
    }
    free(rewrite.line_of);
    free(rewrite.edit);
    return good;
}
