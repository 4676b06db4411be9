/* SPDX-License-Identifier: MIT */
/*
 * Operands as tables of the module, made when a row first needs them. A table's name ends in the letters of the
 * modifiers that are not zero where that matters: (peek) reads queues in another way.
 */
#include "export/sleigh.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void write_quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++)
        putc(*text, out); /* there is no way to write a quote, and no text has one */
    putc('"', out);
}

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

/* How a number looks: "b" in front of "b3", or nothing. */
static void number_prefix(const struct sleigh_row *row, char letter, char prefix[16])
{
    char text[GPUCODE_TEXT_MAX];
    sleigh_operand_text(row, letter, 1, text);
    size_t length = strcspn(text, "0123456789");
    char *end = text + length;
    strtoull(text + length, &end, 0);
    snprintf(prefix, 16, "%.*s", length < 8 && text[length] && !*end ? (int)length : 0, text);
}

static void write_number_table(const struct sleigh_row *row, const char *name, const struct gpucode_row_field *field)
{
    FILE *out = row->sleigh->tables;
    char sum[256], pattern[256], prefix[16], text[GPUCODE_TEXT_MAX];
    if (!field->piece_count)
        return;
    field_sum(row, field, sum, pattern);
    number_prefix(row, field->letter, prefix);
    /* registers of other spaces have their names */
    for (uint64_t value = 0;
         field->type == GPUCODE_OPERAND_REGISTER && field->width <= 12 && value >> field->width == 0; value++) {
        sleigh_operand_text(row, field->letter, value, text);
        char *end;
        strtoull(text, &end, 0);
        if (!*end || field->piece_count != 1)
            continue;
        fprintf(out, "%s: ", name);
        write_quoted(out, text);
        fprintf(out, " is %s=0x%" PRIx64 " { export 0x%" PRIx64 ":4; }\n", pattern, value, value);
    }
    sleigh_operand_text(row, field->letter, 0, text);
    if (*prefix && !*text && field->piece_count == 1 &&
        *pattern == 'f') /* what brings its sign with it, and is left out where it is 0 */
        fprintf(out, "%s: \"\" is %s=0 { export 0x0:4; }\n", name, pattern);
    fprintf(out, "%s: ", name);
    if (*prefix) {
        write_quoted(out, prefix);
        putc('^', out);
    }
    fprintf(out, "number is %s [ number = %s; ] { export *[const]:4 number; }\n", pattern, sum);
}

/* Modifiers, by their values. */
static void write_modifier_table(const struct sleigh_row *row, const char *name, const struct gpucode_row_field *field)
{
    FILE *out = row->sleigh->tables;
    char piece[64], text[GPUCODE_TEXT_MAX];
    for (uint64_t value = 0; value >> field->width == 0; value++) {
        sleigh_operand_text(row, field->letter, value, text);
        fprintf(out, "%s: ", name);
        write_quoted(out, text);
        fputs(" is ", out);
        unsigned shift = field->width;
        for (unsigned i = 0; i < field->piece_count; i++) {
            shift -= field->pieces[i].width;
            sleigh_piece(row, 'f', field->pieces[i].shift, field->pieces[i].width, piece);
            fprintf(out, "%s%s=%" PRIu64, i ? " & " : "", piece,
                    value >> shift & ((UINT64_C(1) << field->pieces[i].width) - 1));
        }
        fprintf(out, " { export 0x%" PRIx64 ":4; }\n", value);
    }
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

/* Is what the text shows a multiple of a short field? */
static bool is_scaled(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    char text[GPUCODE_TEXT_MAX];
    sleigh_operand_text(row, field->letter, 1, text);
    return field->type == GPUCODE_OPERAND_VALUE && field->piece_count && field->width <= SLEIGH_LISTED_BITS &&
           strtoull(text + strcspn(text, "0123456789"), NULL, 0) > 1;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* How the operand looks at some values, as a number: a letter does not look the same in all rows. */
static uint64_t look_of(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    static const uint64_t values[] = {0, 1, 2, 5, 0x1005, 0x2005, 0x2805, 0x4005, 0x8005};
    uint64_t hash = UINT64_C(0xcbf29ce484222325), mask = field->width < 16 ? (UINT64_C(1) << field->width) - 1 : 0xffff;
    char text[GPUCODE_TEXT_MAX];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (i && (values[i] & mask) == (values[i - 1] & mask))
            continue;
        sleigh_operand_text(row, field->letter, values[i] & mask, text);
        for (const char *c = text;; c++) {
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
            if (!*c)
                break;
        }
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
    else if ((field.type == GPUCODE_OPERAND_MODIFIER && field.width <= SLEIGH_LISTED_BITS && field.piece_count) ||
             is_scaled(row, &field))
        write_modifier_table(row, name, &field);
    else
        write_number_table(row, name, &field);
}
