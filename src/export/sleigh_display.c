/* SPDX-License-Identifier: MIT */
/* How an instruction looks: its row's text, each part in the form that was found for it. */
#include "export/sleigh_shown.h"

#include <stdlib.h>
#include <string.h>

/* The forms of the row's parts: those of all its constructors. */
static const struct sleigh_learned *learned(const struct sleigh_row *row)
{
    struct sleigh_learned *last = &row->sleigh->learned;
    struct gpucode_row facts;
    if (last->row == row->row)
        return last;
    free(last->forms);
    gpucode_row(row->sleigh->target, row->row, &facts);
    const struct sleigh_row whole = {.sleigh = row->sleigh, .row = row->row, .facts = &facts};
    last->row = row->row;
    last->differs = false;
    last->forms = sleigh_learn_row(&whole);
    row->sleigh->failed |= !last->forms;
    return last;
}

static void put_literal(FILE *out, const char *text, size_t length, bool *begun)
{
    if (!length)
        return;
    fprintf(out, "%s\"%.*s\"", *begun ? "^" : "", (int)length, text);
    *begun = true;
}

/* Places of code are shown as the tables that control goes to. */
static bool put_target(const struct sleigh_row *row, char letter, FILE *out, struct sleigh_operands *operands)
{
    struct gpucode_row_field field;
    char name[64];
    if (!letter || !sleigh_field(row, letter, &field) || field.type != GPUCODE_OPERAND_TARGET)
        return false;
    sleigh_table(row, 'N', letter, 0, name);
    fprintf(out, "^%s", name);
    sleigh_add_operand(operands, name);
    return true;
}

void sleigh_display(const struct sleigh_code *code, FILE *out, struct sleigh_operands *operands)
{
    const struct sleigh_row *row = code->row;
    const struct sleigh_learned *forms = learned(row);
    struct gpucode_insn insn;
    char literal[GPUCODE_TEXT_MAX], letter;
    bool begun = false, mnemonic = true;
    putc(':', out);
    if (!forms->forms || gpucode_insn_init(row->sleigh->target, row->row, &insn) != GPUCODE_OK)
        return;
    for (unsigned i = 0; i < SLEIGH_PARTS_MAX && gpucode_insn_part(&insn, NULL, i, literal, &letter); i++) {
        const char *space = strchr(literal, ' ');
        size_t length = strlen(literal);
        if (put_target(row, letter, out, operands)) {
            begun = true;
        } else if (letter) {
            const char *form = forms->forms[i];
            fputs(!begun && *form ? "^" : "", out); /* else it would be the name of the mnemonic */
            shown_write(row, form, out, operands, &begun);
        } else if (mnemonic && space) { /* what stands after the first space are operands for Ghidra */
            put_literal(out, literal, (size_t)(space - literal), &begun);
            putc(' ', out);
            begun = mnemonic = false;
            put_literal(out, space + 1, length - (size_t)(space - literal) - 1, &begun);
        } else {
            put_literal(out, literal, length, &begun);
        }
    }
}
