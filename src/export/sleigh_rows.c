/* SPDX-License-Identifier: MIT */
/* A constructor of the module for each row, and for each choice of the modifiers that change what it does. */
#include "export/sleigh.h"
#include "front/text_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of one row at most. */
#define CONSTRUCTORS_MAX 256

/* Does a tree ask for the field of that letter? */
static bool asks_for(const struct gpucode_action *nodes, unsigned count, char letter)
{
    for (unsigned i = 0; nodes && i < count; i++)
        if (nodes[i].kind == GPUCODE_ACTION_FIELD && nodes[i].letter == letter)
            return true;
    return false;
}

/* Does the modifier change what the row does, so that it has constructors of its own? */
static bool changes_row(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    const struct gpucode_target *target = row->sleigh->target;
    unsigned count = 0;
    if (field->type != GPUCODE_OPERAND_MODIFIER || !field->piece_count)
        return false;
    if (gpucode_place_action(target, GPUCODE_ACTION_AROUND, (unsigned char)field->letter, NULL))
        return true;
    if (sleigh_changes_flow(row, field->letter) || sleigh_changes_registers(row, field))
        return true;
    const struct gpucode_action *nodes = gpucode_row_action(target, row->row, &count);
    bool asked = asks_for(nodes, nodes ? count : 0, field->letter);
    for (unsigned number = 0; number < 64 && !asked; number++) {
        nodes = gpucode_place_action(target, GPUCODE_ACTION_READ, number, &count);
        asked = asks_for(nodes, nodes ? count : 0, field->letter);
        nodes = gpucode_place_action(target, GPUCODE_ACTION_WRITE, number, &count);
        asked |= asks_for(nodes, nodes ? count : 0, field->letter);
    }
    return asked;
}

/* Has it constructors of its own? So it has in special cases of a row where it changes that one. */
static bool is_choice(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    const struct gpucode_target *target = row->sleigh->target;
    struct gpucode_row facts;
    struct gpucode_row_field same;
    if (changes_row(row, field))
        return true;
    for (unsigned i = 0; field->type == GPUCODE_OPERAND_MODIFIER && i < gpucode_row_count(target); i++) {
        if (i == row->row || !gpucode_row_on_target(target, i) || !gpucode_row(target, i, &facts) ||
            facts.size != row->facts->size || (facts.mask & ~row->facts->mask) ||
            facts.match != (row->facts->match & facts.mask))
            continue;
        struct sleigh_row general = {.sleigh = row->sleigh, .row = i, .facts = &facts};
        if (sleigh_field(&general, field->letter, &same) && same.piece_count && field->piece_count &&
            same.pieces[0].shift == field->pieces[0].shift && changes_row(&general, &same))
            return true;
    }
    return false;
}

/* --- how it looks and what it matches
 * ------------------------------------------------------------------------------------ */

void sleigh_add_operand(struct sleigh_operands *operands, const char *name)
{
    for (unsigned i = 0; i < operands->count; i++)
        if (strcmp(operands->name[i], name) == 0)
            return;
    if (operands->count < SLEIGH_USES_MAX)
        snprintf(operands->name[operands->count++], 64, "%s", name);
}

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

static void write_display(const struct sleigh_code *code, FILE *out, struct sleigh_operands *operands)
{
    const struct sleigh_row *row = code->row;
    bool begun = false, mnemonic = true;
    putc(':', out);
    for (const char *at = row->facts->text; *at;) {
        if (at[0] == '{' && at[1] && at[2] == '}') {
            put_operand(code, out, at[1], operands, &begun);
            at += 3;
            continue;
        }
        size_t length = strcspn(at, mnemonic ? "{ " : "{");
        put_literal(out, at, length, &begun);
        at += length;
        if (mnemonic && *at == ' ') { /* what stands behind the first space are operands for Ghidra */
            putc(' ', out);
            begun = mnemonic = false;
            at++;
        }
    }
}

/* Bits that decide, in runs; false: none do. */
static bool write_pattern(const struct sleigh_row *row, FILE *out)
{
    const char *between = "";
    for (unsigned low = 0; low < 8u * row->facts->size;) {
        if (!(row->facts->mask >> low & 1)) {
            low++;
            continue;
        }
        unsigned high = low;
        while (high + 1 < 8u * row->facts->size && high + 1 - low < 32 && row->facts->mask >> (high + 1) & 1)
            high++;
        char name[64];
        sleigh_piece(row, 'f', low, high - low + 1, name);
        fprintf(out, "%s%s=0x%" PRIx64, between, name, row->facts->match >> low & ((UINT64_C(2) << (high - low)) - 1));
        between = " & ";
        low = high + 1;
    }
    struct gpucode_row_field field;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++) {
        char name[64];
        bool present = strchr(row->present, field.letter) != NULL;
        if (!present && !strchr(row->absent, field.letter))
            continue;
        for (unsigned k = 0; k < field.piece_count; k++) {
            sleigh_piece(row, 'f', field.pieces[k].shift, field.pieces[k].width, name);
            unsigned value = sleigh_chosen(row, field.letter);
            if (value)
                fprintf(out, "%s%s=%u", between, name, value);
            else
                fprintf(out, "%s%s%s", between, name, present ? "!=0" : "=0");
            between = " & ";
        }
    }
    return *between != 0;
}

/* --- whole constructors
 * --------------------------------------------------------------------------------------------------- */

/* Is every word of the constructor one of another row, of which this one is the general form? */
static bool is_covered(const struct sleigh_row *row)
{
    const struct gpucode_target *target = row->sleigh->target;
    uint64_t mask = row->facts->mask, match = row->facts->match;
    struct gpucode_row_field field;
    for (unsigned i = 0; gpucode_row_field(target, row->row, i, &field); i++)
        for (unsigned k = 0; k < field.piece_count; k++) {
            uint64_t value = sleigh_chosen(row, field.letter);
            uint64_t bits = ((UINT64_C(2) << (field.pieces[k].width - 1)) - 1) << field.pieces[k].shift;
            if (value || strchr(row->absent, field.letter))
                mask |= bits;
            match |= value << field.pieces[k].shift;
        }
    struct gpucode_row other;
    for (unsigned i = 0; i < gpucode_row_count(target); i++)
        if (i != row->row && gpucode_row_on_target(target, i) && gpucode_row(target, i, &other) &&
            other.size == row->facts->size && (other.mask & ~mask) == 0 && other.match == (match & other.mask) &&
            (row->facts->mask & ~other.mask) == 0 && other.mask != row->facts->mask)
            return true;
    return false;
}

static void write_constructor(const struct sleigh_row *row)
{
    char *display = NULL, *body = NULL;
    size_t length, display_length;
    struct sleigh *sleigh = row->sleigh;
    struct sleigh_operands operands = {.count = 0};
    FILE *out = text_stream_open(&body, &length), *shown = out ? text_stream_open(&display, &display_length) : NULL;
    if (!shown) {
        sleigh->failed = true;
        if (out)
            fclose(out);
        free(body);
        return;
    }
    struct sleigh_code code = {.row = row, .out = out};
    if (!sleigh_code(&code))
        sleigh_function(&code, &operands);
    write_display(&code, shown, &operands);
    fclose(shown);
    for (unsigned i = 0; i < code.used_count; i++) {
        const struct sleigh_use *used = &code.used[i];
        struct gpucode_row_field field;
        char name[64];
        if (used->kind == 'O' && sleigh_field(row, used->letter, &field))
            sleigh_register_piece(row, &field, 0, name);
        else
            sleigh_table(row, used->kind, used->letter, used->copy, name);
        if (*name != '0')
            sleigh_add_operand(&operands, name);
    }
    sleigh_flow(&code, &operands);
    fclose(out);
    fprintf(sleigh->rows, "# %s\n%s is ", row->facts->id, display);
    bool decided = write_pattern(row, sleigh->rows);
    for (unsigned i = 0; i < operands.count; i++)
        fprintf(sleigh->rows, "%s%s", decided || i ? " & " : "", operands.name[i]);
    fprintf(sleigh->rows, " {\n%s}\n", body);
    free(display);
    free(body);
}

/* Modifiers that have constructors of their own, each with how many: zero, and each value or all others together. */
struct choices {
    char letter[GPUCODE_FIELDS_MAX + 1];
    unsigned ways[GPUCODE_FIELDS_MAX], count, product;
};

static void add_choice(const struct sleigh_row *row, struct choices *choices, char letter)
{
    struct gpucode_row_field field;
    if (strchr(choices->letter, letter) || !sleigh_field(row, letter, &field) || !is_choice(row, &field))
        return;
    bool each = field.piece_count == 1 && (field.width == 1 || sleigh_changes_registers(row, &field));
    unsigned ways = each ? 1u << field.width : 2;
    if (choices->count == GPUCODE_FIELDS_MAX || choices->product * ways > CONSTRUCTORS_MAX)
        return;
    choices->product *= ways;
    choices->ways[choices->count] = ways;
    choices->letter[choices->count++] = letter;
}

/* The constructor number `index` of all those of the choices. */
static void choose(struct sleigh_row *row, const struct choices *choices, unsigned index)
{
    struct gpucode_row_field field;
    memset(row->present, 0, sizeof row->present);
    memset(row->absent, 0, sizeof row->absent);
    for (unsigned i = 0, present = 0, absent = 0; i < choices->count; i++) {
        unsigned value = index % choices->ways[i];
        index /= choices->ways[i];
        if (!value) {
            row->absent[absent++] = choices->letter[i];
            continue;
        }
        sleigh_field(row, choices->letter[i], &field);
        row->value[present] = choices->ways[i] == 1u << field.width ? (uint8_t)value : 0;
        row->present[present++] = choices->letter[i];
    }
}

void sleigh_write_row(struct sleigh *sleigh, unsigned index)
{
    struct gpucode_row facts;
    struct gpucode_row_field field;
    struct choices choices = {.product = 1};
    if (!gpucode_row_on_target(sleigh->target, index) || !gpucode_row(sleigh->target, index, &facts))
        return;
    struct sleigh_row row = {.sleigh = sleigh, .row = index, .facts = &facts};
    for (const char *at = facts.text; (at = strchr(at, '{')) && at[1]; at++) /* in the order of the text */
        add_choice(&row, &choices, at[1]);
    for (unsigned i = 0; gpucode_row_field(sleigh->target, index, i, &field); i++) /* and what it does not show */
        add_choice(&row, &choices, field.letter);
    for (unsigned i = 0; i < choices.product; i++) {
        choose(&row, &choices, i);
        if (!is_covered(&row))
            write_constructor(&row);
    }
}
