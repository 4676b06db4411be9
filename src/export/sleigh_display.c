/* SPDX-License-Identifier: MIT */
/* How an instruction looks: its row's text, with modifiers and separators that operands bring. */
#include "export/sleigh.h"

#include <string.h>

static void put_literal(FILE *out, const char *text, size_t length, bool *begun)
{
    if (!length)
        return;
    fprintf(out, "%s\"", *begun ? "^" : "");
    for (size_t i = 0; i < length; i++)
        putc(text[i], out);
    putc('"', out);
    *begun = true;
}

/* Does the p-code build the table of that kind for the letter? */
static bool is_built(const struct sleigh_code *code, char kind, char letter)
{
    for (unsigned i = 0; i < code->used_count; i++)
        if (code->used[i].kind == kind && code->used[i].letter == letter)
            return true;
    return false;
}

/*
 * The letter's table as the text shows it; none where its modifier is zero. A table that the p-code does not build
 * would be built all the same: such a register is shown by its field.
 */
static void put_operand(const struct sleigh_code *code, FILE *out, char letter, struct sleigh_operands *operands,
                        bool *begun)
{
    const struct sleigh_row *row = code->row;
    struct gpucode_row_field field;
    char name[64];
    if (!sleigh_field(row, letter, &field))
        return;
    if (strchr(row->absent, letter)) {
        char text[GPUCODE_TEXT_MAX];
        sleigh_operand_text(row, letter, 0, text);
        if (field.width > 1 && strspn(text, "abcdefghijklmnopqrstuvwxyz") == strlen(text)) /* "add", where 1 is "adc" */
            put_literal(out, text, strlen(text), begun);
        return;
    }
    if (!field.piece_count && field.type != GPUCODE_OPERAND_TARGET)
        return;
    char kind = field.use == GPUCODE_USE_WRITE ? 'W' : 'R';
    bool built = sleigh_names_registers(&field) && is_built(code, kind, letter);
    if (sleigh_names_registers(&field) && !built && field.width <= 8)
        sleigh_print_piece(row, &field, 0, name);
    else
        sleigh_table(row, built ? kind : 'N', letter, 0, name);
    fprintf(out, "^%s", name);
    *begun = true;
    sleigh_add_operand(operands, name);
}

/* The modifier that the row's text does not show, where it stands in front of that operand; 0: of the mnemonic. */
static bool stands_before(const struct sleigh_row *row, const struct gpucode_row_field *field, char before)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char without[GPUCODE_TEXT_MAX], with[GPUCODE_TEXT_MAX], text[GPUCODE_TEXT_MAX];
    if (field->type != GPUCODE_OPERAND_MODIFIER || !field->piece_count || field->width > SLEIGH_LISTED_BITS ||
        strchr(row->absent, field->letter) || sleigh_part_of(row, field->letter) != SLEIGH_HIDDEN)
        return false;
    sleigh_operand_text(row, field->letter, 1, text);
    size_t length = strlen(text), at = 0;
    if (length < 3 || text[0] != '(' || text[length - 1] != ')')
        return false;
    sleigh_sample(row, field->letter, 0, &insn, without, operands);
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    sleigh_sample(row, field->letter, 1, &insn, with, (struct gpucode_operand[GPUCODE_OPERANDS_MAX]){{0}});
    while (without[at] && without[at] == with[at])
        at++;
    while (at && strncmp(with + at, text, length) != 0)
        at--;
    if (strncmp(with + at, text, length) != 0 || strcmp(with + at + length, without + at) != 0)
        return false;
    if (!before)
        return at < strcspn(without, " ");
    for (unsigned i = 0; i < count; i++)
        if (operands[i].letter == before && operands[i].length && operands[i].start == at)
            return true;
    return false;
}

/* Where the modifier stands in a text that has all of them. */
static size_t place_among(const struct sleigh_row *row, char letter)
{
    struct gpucode_insn insn;
    struct gpucode_row_field field;
    char all[GPUCODE_TEXT_MAX], text[GPUCODE_TEXT_MAX];
    if (gpucode_insn_init(row->sleigh->target, row->row, &insn) != GPUCODE_OK)
        return 0;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++)
        if (field.type == GPUCODE_OPERAND_MODIFIER && field.piece_count && !strchr(row->absent, field.letter))
            gpucode_insn_set(&insn, field.letter, 1);
    gpucode_format(&insn, NULL, all, sizeof all, NULL);
    sleigh_operand_text(row, letter, 1, text);
    const char *at = strstr(all, text);
    return at ? (size_t)(at - all) : 0;
}

/* Modifiers like "(rpt2)" that stand there, in the order of texts. */
static void put_hidden(const struct sleigh_code *code, FILE *out, char before, struct sleigh_operands *operands,
                       bool *begun)
{
    const struct sleigh_row *row = code->row;
    struct gpucode_row_field field;
    char name[64], letters[GPUCODE_FIELDS_MAX];
    size_t places[GPUCODE_FIELDS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field) && i < GPUCODE_FIELDS_MAX; i++) {
        if (!stands_before(row, &field, before))
            continue;
        size_t place = place_among(row, field.letter);
        unsigned at = count++;
        for (; at && places[at - 1] > place; at--) {
            places[at] = places[at - 1];
            letters[at] = letters[at - 1];
        }
        places[at] = place;
        letters[at] = field.letter;
    }
    for (unsigned i = 0; i < count; i++) {
        sleigh_table(row, 'N', letters[i], 0, name);
        fprintf(out, "^%s", name);
        *begun = true;
        sleigh_add_operand(operands, name);
    }
}

/* What stands between two operands that nothing separates in the row's text, such as ", ". */
static void put_separator(const struct sleigh_row *row, FILE *out, char left, char right, bool *begun)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_row_field field;
    char text[GPUCODE_TEXT_MAX];
    size_t from = 0, to = 0;
    if (gpucode_insn_init(row->sleigh->target, row->row, &insn) != GPUCODE_OK)
        return;
    sleigh_choose(row, &insn);
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++)
        if (field.type != GPUCODE_OPERAND_MODIFIER && field.piece_count)
            gpucode_insn_set(&insn, field.letter, 1);
    gpucode_format(&insn, NULL, text, sizeof text, NULL);
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].letter == left)
            from = operands[i].start + operands[i].length;
        if (operands[i].letter == right)
            to = operands[i].start;
    }
    if (from && to > from && to - from == strspn(text + from, ", "))
        put_literal(out, text + from, to - from, begun);
}

void sleigh_display(const struct sleigh_code *code, FILE *out, struct sleigh_operands *operands)
{
    const struct sleigh_row *row = code->row;
    bool begun = false, mnemonic = true, hidden = false;
    putc(':', out);
    for (const char *at = row->facts->text; *at;) {
        if (at[0] == '{' && at[1] && at[2] == '}') {
            if (!mnemonic && at > row->facts->text && at[-1] == '}')
                put_separator(row, out, at[-2], at[1], &begun);
            if (!mnemonic)
                put_hidden(code, out, at[1], operands, &begun);
            put_operand(code, out, at[1], operands, &begun);
            at += 3;
            continue;
        }
        if (!hidden) /* after modifiers that the text shows */
            put_hidden(code, out, 0, operands, &begun);
        hidden = true;
        size_t length = strcspn(at, mnemonic ? "{ " : "{");
        put_literal(out, at, length, &begun);
        at += length;
        if (mnemonic && *at == ' ') { /* what stands after the first space are operands for Ghidra */
            putc(' ', out);
            begun = mnemonic = false;
            at++;
        }
    }
}
