/* SPDX-License-Identifier: MIT */
/* Operands that are registers: their names, and tables of those of rows with a formula, which are general ones. */
#include "export/sleigh_shown.h"
#include "front/output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BITS 8u
#define FIELD_BITS 32u

static unsigned number_bits(const struct gpucode_row_field *field)
{
    return field->width < NUMBER_BITS ? field->width : NUMBER_BITS;
}

bool sleigh_names_registers(const struct gpucode_row_field *field)
{
    return field->type == GPUCODE_OPERAND_REGISTER && field->space == GPUCODE_SPACE_GENERAL &&
           field->piece_count == 1 && field->width <= FIELD_BITS;
}

bool sleigh_parse_piece(const char *name, char *kind, unsigned *list, unsigned *bytes, unsigned *high, unsigned *low)
{
    *kind = *name;
    *list = 0;
    if (*name == 'l')
        return sscanf(name, "l%u_%u_%u_%u", list, bytes, high, low) == 4;
    return sscanf(name + 1, "%u_%u_%u", bytes, high, low) == 3;
}

/* --- other files -------------------------------------------------------------------------------------------------- */

void sleigh_file_name(struct sleigh *sleigh, unsigned space, char name[64])
{
    snprintf(name, 64, "%.40s_registers", gpucode_space_name(sleigh->target, space));
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    sleigh_note(sleigh, &sleigh->files, "%s", name);
}

/* What an action computes is known by a text that shows it, or not at all. */
void sleigh_place_table(const struct sleigh_row *row, const struct gpucode_row_field *field, uint32_t first,
                        char name[64])
{
    char number[64];
    sleigh_piece(row, 'f', field->pieces[0].shift, number_bits(field), number);
    snprintf(name, 64, "A%.40s_%" PRIu32, number, first);
    if (sleigh_note(row->sleigh, &row->sleigh->made, "%s", name))
        fprintf(row->sleigh->tables, "%s: number is %s [ number = %s + %" PRIu32 "; ] { export *[const]:4 number; }\n",
                name, number, number, first);
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* The list of that text, which is kept or freed. */
static unsigned list_number(struct sleigh *sleigh, char *text, bool variables)
{
    for (unsigned i = 0; i < sleigh->list_count; i++)
        if (sleigh->lists[i].variables == variables && strcmp(sleigh->lists[i].text, text) == 0) {
            free(text);
            return i;
        }
    struct sleigh_list *larger = realloc(sleigh->lists, (sleigh->list_count + 1) * sizeof *larger);
    sleigh->failed |= !larger;
    if (!larger) {
        free(text);
        return 0;
    }
    sleigh->lists = larger;
    sleigh->lists[sleigh->list_count] = (struct sleigh_list){variables, text};
    return sleigh->list_count++;
}

/* Takes the name of a register from the text of an instruction that writes it: "$rem" is "rem". */
static void name_register(const struct sleigh_row *row, char letter, unsigned number)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX], *name = row->sleigh->general[number];
    const struct gpucode_operand *operand = sleigh_sample(row, letter, number, &insn, text, operands);
    if (*name || !operand || operand->type != GPUCODE_OPERAND_REGISTER || operand->space != GPUCODE_SPACE_GENERAL ||
        operand->number != number || operand->length < 3 || operand->length >= sizeof row->sleigh->general[0] ||
        text[operand->start] != '$')
        return;
    const char *word = text + operand->start + 1;
    size_t letters = operand->length - 1;
    for (size_t i = 0; i < letters; i++)
        if (!islower((unsigned char)word[i])) /* a number, or a sign that no name has */
            return;
    memcpy(name, word, letters);
    name[letters] = 0;
}

void sleigh_name_registers(struct sleigh *sleigh)
{
    struct gpucode_row facts;
    struct gpucode_row_field field;
    for (unsigned i = 0; gpucode_row(sleigh->target, i, &facts); i++) {
        struct sleigh_row row = {.sleigh = sleigh, .row = i, .facts = &facts};
        for (unsigned k = 0;
             gpucode_row_on_target(sleigh->target, i) && gpucode_row_field(sleigh->target, i, k, &field); k++)
            for (unsigned number = 0; field.use == GPUCODE_USE_WRITE && field.type == GPUCODE_OPERAND_REGISTER &&
                                      number >> field.width == 0 && number < 64;
                 number++)
                name_register(&row, field.letter, number);
    }
}

const char *sleigh_general(const struct sleigh *sleigh, uint64_t number, char name[24])
{
    if (number < 64 && *sleigh->general[number])
        return sleigh->general[number];
    snprintf(name, 24, "r%02" PRIx64, number);
    return name;
}

/* The bits as a field with a list, whose text is freed. */
static void add_list(const struct sleigh_row *row, FILE *out, char **text, bool variables, unsigned shift,
                     unsigned bits, char name[64])
{
    if (!text_stream_close(out)) {
        row->sleigh->failed = true;
        free(*text);
        return;
    }
    unsigned list = list_number(row->sleigh, *text, variables);
    snprintf(name, 64, "l%u_%u_%u_%u", list, row->facts->size, shift + bits - 1, shift);
    sleigh_note(row->sleigh, &row->sleigh->fields, "%s", name);
}

void sleigh_list_piece(const struct sleigh_row *row, const struct sleigh_shown *list, char name[64])
{
    char *text = NULL;
    size_t length;
    FILE *out = text_stream_open(&text, &length);
    *name = 0;
    row->sleigh->failed |= !out;
    for (unsigned i = 0; out && i < list->case_count; i++)
        fprintf(out, " \"%s\"", list->cases[i].form);
    const uint64_t mask = list->cases[0].mask;
    if (out)
        add_list(row, out, &text, false, (unsigned)__builtin_ctzll(mask), (unsigned)__builtin_popcountll(mask), name);
}

void sleigh_register_piece(const struct sleigh_row *row, const struct gpucode_row_field *field, uint32_t first,
                           char name[64])
{
    struct sleigh *sleigh = row->sleigh;
    char *text = NULL, general[24];
    size_t length;
    unsigned bits = number_bits(field), shift = field->pieces[0].shift;
    FILE *out = text_stream_open(&text, &length);
    *name = 0;
    sleigh->failed |= !out;
    for (uint64_t value = 0; out && value >> bits == 0; value++)
        fprintf(out, " %s", sleigh_general(sleigh, first + value, general));
    if (sleigh->registers < first + (1u << bits))
        sleigh->registers = first + (1u << bits);
    if (out)
        add_list(row, out, &text, true, shift, bits, name);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Does a read or write of that register through the operand do anything? */
static bool has_effect(const struct sleigh_row *row, char letter, uint64_t number)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    char text[GPUCODE_TEXT_MAX];
    sleigh_sample(row, letter, number, &insn, text, operands);
    /* others are zero, which may be the same register: nothing else has one then */
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (effects[i].space == GPUCODE_SPACE_GENERAL && effects[i].number == number && effects[i].operand >= 0)
            return true;
    return false;
}

/* A line of the table for one register; `action` null: nothing happens. */
static char *special_text(const struct sleigh_row *row, bool writes, const struct gpucode_action *action)
{
    char *text = NULL;
    size_t length;
    FILE *out = text_stream_open(&text, &length);
    if (out && action)
        row->sleigh->place_code(row, out, action);
    if (out && !writes)
        fputs(action ? "    local result:4 = state_value;\n    export result;\n" : "    export 0:4;\n", out);
    row->sleigh->failed |= !out || !text_stream_close(out);
    return text;
}

/* A register that is not storage, or does something when it is read or written. */
static void write_special(const struct sleigh_row *row, const char *name, bool writes, char letter, uint64_t number,
                          const char *hold)
{
    struct sleigh *sleigh = row->sleigh;
    const struct gpucode_action *action = gpucode_place_action(
        sleigh->target, writes ? GPUCODE_ACTION_WRITE : GPUCODE_ACTION_READ, (unsigned)number, NULL);
    bool nothing = !has_effect(row, letter, number);
    if (!action && !nothing)
        return;
    char *whole = special_text(row, writes, nothing ? NULL : action);
    sleigh->brief = true;
    char *brief = special_text(row, writes, nothing ? NULL : action);
    sleigh->brief = false;
    bool alike = !whole || !brief || strcmp(whole, brief) == 0;
    fprintf(sleigh->tables, "%s: \"\" is %s=%" PRIu64 "%s {\n%s}\n", name, hold, number, alike ? "" : " & brief=0",
            whole ? whole : "");
    if (!alike)
        fprintf(sleigh->tables, "%s: \"\" is %s=%" PRIu64 " & brief=1 {\n%s}\n", name, hold, number, brief);
    free(whole);
    free(brief);
}

void sleigh_write_registers(const struct sleigh_row *row, const char *name, bool writes,
                            const struct gpucode_row_field *field)
{
    char number[64], hold[64];
    unsigned bits = number_bits(field), shift = field->pieces[0].shift;
    sleigh_piece(row, 'f', shift, bits, number);
    sleigh_register_piece(row, field, 0, hold);
    fprintf(row->sleigh->tables, "%s: \"\" is %s ", name, hold);
    fprintf(row->sleigh->tables, writes ? "{ %s = state_value; }\n" : "{ export %s; }\n", hold);
    for (uint64_t i = 0; i >> bits == 0; i++)
        write_special(row, name, writes, field->letter, i, number);
}
