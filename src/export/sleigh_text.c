/* SPDX-License-Identifier: MIT */
/* What the other files of the module ask first: names that are noted, fields of rows, and how operands look. */
#include "export/sleigh.h"
#include "front/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void sleigh_state_name(const char *text, char name[64])
{
    snprintf(name, 64, "state_%s", text);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
}

bool sleigh_note(struct sleigh *sleigh, struct sleigh_names *list, const char *format, ...)
{
    char name[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (unsigned i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return false;
    if (!grow(&list->name, list->count, &list->room, sizeof *list->name)) {
        sleigh->failed = true;
        return false;
    }
    memcpy(list->name[list->count++], name, sizeof name);
    return true;
}

unsigned sleigh_chosen(const struct sleigh_row *row, char letter)
{
    const char *at = strchr(row->present, letter);
    return letter && at ? row->value[at - row->present] : 0;
}

void sleigh_add_modifiers(const struct sleigh_row *row, uint64_t *mask, uint64_t *match)
{
    struct gpucode_row_field field;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++) {
        uint64_t value = sleigh_chosen(row, field.letter);
        if (value || strchr(row->absent, field.letter))
            *mask |= export_field_bits(&field);
        for (unsigned k = 0; k < field.piece_count; k++)
            *match |= value << field.pieces[k].shift;
    }
}

void sleigh_choose(const struct sleigh_row *row, struct gpucode_insn *insn)
{
    for (const char *present = row->present; *present; present++) {
        unsigned value = sleigh_chosen(row, *present);
        gpucode_insn_set(insn, *present, value ? value : 1);
    }
    insn->bits |= row->facts->match; /* and the bits without a field that choose between files of registers */
}

bool sleigh_field(const struct sleigh_row *row, char letter, struct gpucode_row_field *field)
{
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, field); i++)
        if (field->letter == letter)
            return true;
    return false;
}

bool sleigh_has_mark(const struct sleigh_row *row, const char *mark)
{
    const size_t length = strlen(mark);
    for (const char *at = row->facts->effects; (at = strstr(at, mark)); at += length)
        if ((at == row->facts->effects || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

/* Of what kind the row's sources are: 'f' floats, 'b' bits, 's' numbers. */
char sleigh_sources_kind(const struct sleigh_row *row)
{
    return sleigh_has_mark(row, "floats") ? 'f' : sleigh_has_mark(row, "bits") ? 'b' : 's';
}

void sleigh_piece(const struct sleigh_row *row, char kind, unsigned shift, unsigned width, char name[64])
{
    snprintf(name, 64, "%c%u_%u_%u", kind, row->facts->size, shift + width - 1, shift);
    sleigh_note(row->sleigh, &row->sleigh->fields, "%s", name);
}

const struct gpucode_operand *sleigh_sample(const struct sleigh_row *row, char letter, uint64_t value,
                                            struct gpucode_insn *insn, char text[GPUCODE_TEXT_MAX],
                                            struct gpucode_operand operands[GPUCODE_OPERANDS_MAX])
{
    if (gpucode_insn_init(row->sleigh->target, row->row, insn) != GPUCODE_OK)
        return NULL;
    insn->address = 0x100000;
    sleigh_choose(row, insn);
    gpucode_insn_set(insn, letter, value);
    gpucode_format(insn, NULL, text, GPUCODE_TEXT_MAX, NULL);
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (operands[i].letter == letter)
            return &operands[i];
    return NULL;
}

void sleigh_add_operand(struct sleigh_operands *operands, const char *name)
{
    for (unsigned i = 0; i < operands->count; i++)
        if (strcmp(operands->name[i], name) == 0)
            return;
    if (operands->count < SLEIGH_USES_MAX)
        snprintf(operands->name[operands->count++], 64, "%s", name);
}
