/* SPDX-License-Identifier: MIT */
/*
 * Operands as tables of the module, made when a row first needs them. A table's name ends in the letters of the
 * modifiers that are not zero where that matters: (peek) reads queues in another way.
 */
#include "export/sleigh.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Is the field's highest bit a sign? */
static bool is_negative(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    uint64_t ones = ~UINT64_C(0) >> (64 - field->width);
    const struct gpucode_operand *operand = sleigh_sample(row, field->letter, ones, &insn, text, operands);
    return operand && operand->type == GPUCODE_OPERAND_VALUE && operand->known && operand->value < 0;
}

/* Pieces of a field as a sum of shifted token fields; the pattern's names go to `pattern`. */
static void field_sum(const struct sleigh_row *row, const struct gpucode_row_field *field, char sum[256],
                      char pattern[256])
{
    unsigned shift = field->width;
    bool is_signed = field->piece_count == 1 && is_negative(row, field);
    sum[0] = pattern[0] = 0;
    for (unsigned i = 0; i < field->piece_count; i++) {
        char name[64];
        size_t used = strlen(sum), pattern_used = strlen(pattern);
        shift -= field->pieces[i].width;
        sleigh_piece(row, is_signed ? 's' : 'f', field->pieces[i].shift, field->pieces[i].width, name);
        snprintf(sum + used, 256 - used, "%s(%s << %u)", used ? " | " : "", name, shift);
        snprintf(pattern + pattern_used, 256 - pattern_used, "%s%s", pattern_used ? " & " : "", name);
    }
}

static void write_number_table(const struct sleigh_row *row, const char *name, const struct gpucode_row_field *field)
{
    char sum[256], pattern[256];
    if (!field->piece_count)
        return;
    field_sum(row, field, sum, pattern);
    fprintf(row->sleigh->tables, "%s: number is %s [ number = %s; ] { export *[const]:4 number; }\n", name, pattern,
            sum);
}

/* --- places of code ----------------------------------------------------------------------------------------------- */

static uint64_t target_of(const struct sleigh_row *row, char letter, uint64_t value)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_operand *operand = sleigh_sample(row, letter, value, &insn, text, operands);
    return operand ? (uint64_t)operand->value : 0;
}

static void write_target_table(const struct sleigh_row *row, const char *name, const struct gpucode_row_field *field)
{
    FILE *out = row->sleigh->tables;
    unsigned unit = gpucode_target_unit_bytes(row->sleigh->target);
    uint64_t zero = target_of(row, field->letter, 0);
    bool relative = zero >= 0x80000;
    if (!field->piece_count) {
        fprintf(out, "%s: to is epsilon [ to = inst_start + %u; ] { export *[code]:8 to; }\n", name,
                (unsigned)(zero - 0x100000) * unit);
        return;
    }
    char piece[64];
    bool is_signed = relative && target_of(row, field->letter, (UINT64_C(1) << field->width) - 1) < zero;
    sleigh_piece(row, is_signed ? 's' : 'f', field->pieces[0].shift, field->width, piece);
    fprintf(out, "%s: to is %s [ to = %s%s * %u; ] { export *[code]:8 to; }\n", name, piece,
            relative ? "inst_start + " : "", piece, unit);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* What the operand is at some values, as a number: a letter does not name the same registers in all rows. */
static uint64_t look_of(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    static const uint64_t values[] = {0, 1, 2, 5, 0x1005, 0x2005, 0x2805, 0x4005, 0x8005};
    uint64_t hash = SLEIGH_HASH_START, mask = field->width < 16 ? (UINT64_C(1) << field->width) - 1 : 0xffff;
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct gpucode_operand *operand =
            sleigh_sample(row, field->letter, values[i] & mask, &insn, text, operands);
        const uint64_t facts[] = {!operand ? 0 : 1 + (uint64_t)operand->type, !operand ? 0 : operand->space,
                                  !operand ? 0 : (uint64_t)operand->value, !operand ? 0 : operand->known};
        for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
            hash = sleigh_hash(hash, facts[k]);
    }
    return hash;
}

/* The number of a look among those that the table's name has had so far; the first one is 0. */
static unsigned number_of_looks(const struct sleigh_row *row, const struct gpucode_row_field *field, const char *key)
{
    struct sleigh_names *looks = &row->sleigh->looks;
    char entry[64];
    int length = snprintf(entry, sizeof entry, "%.40s %016" PRIx64, key, look_of(row, field));
    unsigned count = 0;
    for (unsigned i = 0; i < looks->count; i++) {
        if (strcmp(looks->name[i], entry) == 0)
            return count;
        count += strncmp(looks->name[i], entry, (size_t)length - 16) == 0;
    }
    sleigh_note(row->sleigh, looks, "%s", entry);
    return count;
}

void sleigh_table(const struct sleigh_row *row, char kind, char letter, unsigned copy, char name[64])
{
    struct gpucode_row_field field;
    char key[64];
    if (!sleigh_field(row, letter, &field)) {
        snprintf(name, 64, "0:4");
        return;
    }
    bool general = sleigh_names_registers(&field) && kind != 'N';
    unsigned high = field.piece_count ? field.pieces[0].shift + field.pieces[0].width - 1u : 0;
    bool acts = general && row->sleigh->has_places; /* modifiers change what registers do */
    snprintf(key, sizeof key, "%c%c%u_%u_%u%s%s", kind, letter, row->facts->size, high, field.width,
             acts && *row->present ? "_" : "", acts ? row->present : "");
    for (const char *present = row->present; acts && *present; present++)
        if (sleigh_chosen(row, *present) > 1) /* others are told apart by the letter */
            snprintf(key + strlen(key), sizeof key - strlen(key), "%u", sleigh_chosen(row, *present));
    unsigned looks = field.type == GPUCODE_OPERAND_TARGET ? 0 : number_of_looks(row, &field, key);
    if (looks)
        snprintf(key + strlen(key), sizeof key - strlen(key), "_v%u", looks);
    if (copy && general)
        snprintf(key + strlen(key), sizeof key - strlen(key), "_%u", copy + 1);
    snprintf(name, 64, "%s", key);
    if (!sleigh_note(row->sleigh, &row->sleigh->made, "%s", key))
        return;
    if (general)
        sleigh_write_registers(row, name, kind == 'W', &field);
    else if (field.type == GPUCODE_OPERAND_TARGET)
        write_target_table(row, name, &field);
    else
        write_number_table(row, name, &field);
}
