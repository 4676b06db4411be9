/* SPDX-License-Identifier: MIT */
/* A constructor of the module for each row, and for each choice of the modifiers that change what it does. */
#include "export/sleigh.h"
#include "front/text_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Does a tree ask for the field of that letter? */
static bool asks_for(const struct gpucode_action *nodes, unsigned count, char letter)
{
    for (unsigned i = 0; nodes && i < count; i++)
        if (nodes[i].kind == GPUCODE_ACTION_FIELD && nodes[i].letter == letter)
            return true;
    return false;
}

/* Does the modifier change what the row does, so that it has constructors of its own? */
static bool is_choice(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    const struct gpucode_target *target = row->sleigh->target;
    unsigned count = 0;
    if (field->type != GPUCODE_OPERAND_MODIFIER || !field->piece_count)
        return false;
    if (gpucode_place_action(target, GPUCODE_ACTION_AROUND, (unsigned char)field->letter, NULL))
        return true;
    const struct gpucode_action *nodes = gpucode_row_action(target, row->row, &count);
    bool asked = asks_for(nodes, count, field->letter);
    for (unsigned number = 0; number < 64 && !asked; number++) {
        nodes = gpucode_place_action(target, GPUCODE_ACTION_READ, number, &count);
        asked = asks_for(nodes, nodes ? count : 0, field->letter);
        nodes = gpucode_place_action(target, GPUCODE_ACTION_WRITE, number, &count);
        asked |= asks_for(nodes, nodes ? count : 0, field->letter);
    }
    return asked;
}

/* --- how it looks and what it matches
 * ------------------------------------------------------------------------------------ */

/* Tables of the constructor, each once. */
struct operands {
    char name[SLEIGH_USES_MAX][64];
    unsigned count;
};

static void add_operand(struct operands *operands, const char *name)
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
        fprintf(out, "%s%c", strchr("\"\\", text[i]) ? "\\" : "", text[i]);
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
static void put_operand(const struct sleigh_code *code, FILE *out, char letter, struct operands *operands, bool *begun)
{
    const struct sleigh_row *row = code->row;
    struct gpucode_row_field field;
    char name[64];
    if (strchr(row->absent, letter) || !sleigh_field(row, letter, &field))
        return;
    bool general = field.type == GPUCODE_OPERAND_REGISTER && field.space == GPUCODE_SPACE_GENERAL;
    if (!field.piece_count && field.type != GPUCODE_OPERAND_TARGET)
        return;
    char kind = field.use == GPUCODE_USE_WRITE ? 'W' : 'R';
    if (general && !is_built(code, kind, letter) && field.piece_count == 1 && field.width <= SLEIGH_LISTED_BITS)
        sleigh_piece(row, kind == 'W' ? 'w' : 'p', field.pieces[0].shift, field.width, name);
    else
        sleigh_table(row, general ? kind : 'N', letter, 0, name);
    fprintf(out, "^%s", name);
    *begun = true;
    add_operand(operands, name);
}

static void write_display(const struct sleigh_code *code, FILE *out, struct operands *operands)
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
            fprintf(out, "%s%s%s", between, name, present ? "!=0" : "=0");
            between = " & ";
        }
    }
    return *between != 0;
}

/* --- where control goes
 * -------------------------------------------------------------------------------------------------- */

/* The table of the operand that says where to; empty: none. */
static void target_table(const struct sleigh_row *row, const struct gpucode_insn *insn, const struct gpucode_flow *flow,
                         char name[64])
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    name[0] = 0;
    if (flow->operand >= 0 && (unsigned)flow->operand < count && operands[flow->operand].type == GPUCODE_OPERAND_TARGET)
        sleigh_table(row, 'N', operands[flow->operand].letter, 0, name);
}

static void write_flow(const struct sleigh_row *row, const struct sleigh_code *code, FILE *out,
                       struct operands *operands)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    char target[64];
    gpucode_insn_init(row->sleigh->target, row->row, &insn);
    insn.address = 0x100000;
    if (!gpucode_insn_flow(&insn, &flow))
        return;
    target_table(row, &insn, &flow, target);
    if (*target)
        add_operand(operands, target);
    if (flow.delay_slots)
        fputs("    delayslot(1);\n", out);
    const char *to = code->goes ? "[target]" : *target ? target : NULL;
    switch (flow.kind) {
    case GPUCODE_FLOW_BRANCH:
        if (code->branches && to)
            fprintf(out, "    if (branches) goto %s;\n", to);
        break;
    case GPUCODE_FLOW_JUMP:
    case GPUCODE_FLOW_CALL:
        if (to)
            fprintf(out, "    %s %s;\n", flow.kind == GPUCODE_FLOW_CALL ? "call" : "goto", to);
        break;
    case GPUCODE_FLOW_RETURN:
        fprintf(out, "    return %s;\n", code->goes ? "[target]" : "[0:4]");
        break;
    case GPUCODE_FLOW_STOP:
        fputs("    goto inst_start;\n", out);
        break;
    default:
        break;
    }
}

/* --- whole constructors
 * --------------------------------------------------------------------------------------------------- */

/* A row whose action nobody has written as a formula is a function of its operands' numbers. */
static void write_as_function(const struct sleigh_row *row, FILE *out, struct operands *operands)
{
    const char *between = "";
    fprintf(out, "    do_%s(", row->facts->id);
    char call[64], name[64];
    struct gpucode_row_field field;
    snprintf(call, sizeof call, "do_%.60s", row->facts->id);
    sleigh_note(row->sleigh, &row->sleigh->calls, "%s", call);
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++) {
        if (field.type == GPUCODE_OPERAND_MODIFIER || field.type == GPUCODE_OPERAND_TARGET || !field.piece_count)
            continue;
        sleigh_table(row, 'N', field.letter, 0, name);
        add_operand(operands, name);
        fprintf(out, "%s%s", between, name);
        between = ", ";
    }
    fputs(");\n", out);
}

static void write_constructor(const struct sleigh_row *row)
{
    char *display = NULL, *body = NULL;
    size_t length, display_length;
    struct sleigh *sleigh = row->sleigh;
    struct operands operands = {.count = 0};
    FILE *out = text_stream_open(&body, &length), *shown = out ? text_stream_open(&display, &display_length) : NULL;
    if (!shown) {
        sleigh->failed = true;
        if (out)
            fclose(out);
        free(body);
        return;
    }
    struct sleigh_code code = {.row = row, .out = out};
    bool known = sleigh_code(&code);
    write_display(&code, shown, &operands);
    fclose(shown);
    if (!known)
        write_as_function(row, out, &operands);
    for (unsigned i = 0; i < code.used_count; i++) {
        const struct sleigh_use *used = &code.used[i];
        struct gpucode_row_field field;
        char name[64];
        if (used->kind == 'O' && sleigh_field(row, used->letter, &field))
            sleigh_piece(row, 'r', field.pieces[0].shift, field.width, name);
        else
            sleigh_table(row, used->kind, used->letter, used->copy, name);
        if (*name != '0')
            add_operand(&operands, name);
    }
    write_flow(row, &code, out, &operands);
    fclose(out);
    fprintf(sleigh->rows, "# %s\n%s is ", row->facts->id, display);
    bool decided = write_pattern(row, sleigh->rows);
    for (unsigned i = 0; i < operands.count; i++)
        fprintf(sleigh->rows, "%s%s", decided || i ? " & " : "", operands.name[i]);
    fprintf(sleigh->rows, " {\n%s}\n", body);
    free(display);
    free(body);
}

void sleigh_write_row(struct sleigh *sleigh, unsigned index)
{
    struct gpucode_row facts;
    struct gpucode_row_field field;
    char choices[GPUCODE_FIELDS_MAX + 1] = "";
    unsigned count = 0;
    if (!gpucode_row_on_target(sleigh->target, index) || !gpucode_row(sleigh->target, index, &facts))
        return;
    struct sleigh_row row = {.sleigh = sleigh, .row = index, .facts = &facts};
    for (const char *at = facts.text; (at = strchr(at, '{')) && at[1]; at++) /* in the order of the text */
        if (sleigh_field(&row, at[1], &field) && is_choice(&row, &field) && count < 6)
            choices[count++] = at[1];
    for (unsigned choice = 0; choice < 1u << count; choice++) {
        memset(row.present, 0, sizeof row.present);
        memset(row.absent, 0, sizeof row.absent);
        for (unsigned i = 0, present = 0, absent = 0; i < count; i++)
            if (choice >> i & 1)
                row.present[present++] = choices[i];
            else
                row.absent[absent++] = choices[i];
        write_constructor(&row);
    }
}
