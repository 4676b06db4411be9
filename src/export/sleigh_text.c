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

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The piece of `whole` in which it differs from the other text, as whole words; `dotted`: with a dot in front. */
static void modifier_text(const char *whole, const char *other, bool dotted, char text[GPUCODE_TEXT_MAX])
{
    size_t front = 0, end = strlen(whole), other_end = strlen(other);
    while (front < end && front < other_end && whole[front] == other[front])
        front++;
    while (end > front && other_end > front && whole[end - 1] == other[other_end - 1]) {
        end--;
        other_end--;
    }
    /* "(rep)" in front of "(peek)" is no "rep)(" */
    while (other_end == front && end > front && front && whole[front] != '(' && whole[front - 1] == whole[end - 1]) {
        front--;
        other_end--;
        end--;
    }
    /* a word of which only a part differs is shown whole */
    const char *piece = end > front ? whole : other;
    size_t piece_end = end > front ? end : other_end;
    bool begins = piece_end > front && is_word(piece[front]), ends = piece_end > front && is_word(piece[piece_end - 1]);
    while (begins && front && is_word(whole[front - 1]))
        front--;
    while (ends && is_word(whole[end]))
        end++;
    if (dotted && end > front && other_end > front && front && whole[front - 1] == '.')
        front--;
    if (end > front && other_end > front && front && whole[front - 1] == '(' && whole[end] == ')') { /* "(f16)" */
        front--;
        end++;
    }
    memcpy(text, whole + front, end - front);
    text[end - front] = 0;
}

/* The modifier's text where the row has an operand in front of it and its end or a literal after it. */
static bool text_behind(const struct sleigh_row *row, char letter, const char *whole, const struct gpucode_insn *insn,
                        char text[GPUCODE_TEXT_MAX])
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    const char field[] = {'{', letter, '}', 0};
    const char *at = strstr(row->facts->text, field), *brace = at;
    while (brace && brace > row->facts->text && *--brace != '}')
        ;
    if (!at || brace - row->facts->text < 2 || *brace != '}' || at[3] == '{')
        return false;
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    for (unsigned i = 0; i < count; i++) {
        size_t start = operands[i].start + operands[i].length + (size_t)(at - brace) - 1;
        if (operands[i].letter != brace[-1] || !operands[i].length || start > strlen(whole) ||
            strncmp(whole + start - (at - brace) + 1, brace + 1, (size_t)(at - brace) - 1) != 0)
            continue;
        const char literal[] = {at[3], 0}, *end = at[3] ? strstr(whole + start, literal) : whole + strlen(whole);
        if (!end)
            return false;
        memcpy(text, whole + start, (size_t)(end - whole) - start);
        text[(size_t)(end - whole) - start] = 0;
        return true;
    }
    return false;
}

enum sleigh_part sleigh_part_of(const struct sleigh_row *row, char letter)
{
    const char field[] = {'{', letter, '}', 0};
    const char *at = strstr(row->facts->text, field), *space = strchr(row->facts->text, ' ');
    return !at ? SLEIGH_HIDDEN : !space || at < space ? SLEIGH_IN_MNEMONIC : SLEIGH_IN_OPERANDS;
}

/* Ends the text after its first word; what comes after that. */
static char *split(char *text)
{
    char *space = strchr(text, ' ');
    if (!space)
        return text + strlen(text);
    *space = 0;
    return space + 1;
}

void sleigh_operand_text(const struct sleigh_row *row, char letter, uint64_t value, char text[GPUCODE_TEXT_MAX])
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char whole[GPUCODE_TEXT_MAX], without[GPUCODE_TEXT_MAX];
    const struct gpucode_operand *operand = sleigh_sample(row, letter, value, &insn, whole, operands);
    if (operand) {
        memcpy(text, whole + operand->start, operand->length);
        text[operand->length] = 0;
        return;
    }
    if (text_behind(row, letter, whole, &insn, text))
        return;
    /* what stands there and not without the modifier; of zero, what stands there and not with it */
    sleigh_sample(row, letter, value ? 0 : 1, &insn, without, operands);
    enum sleigh_part part = sleigh_part_of(row, letter);
    size_t length = strlen(whole), other_length = strlen(without);
    if (part == SLEIGH_IN_MNEMONIC && length > other_length && strcmp(whole + length - other_length, without) == 0) {
        memcpy(text, whole, length - other_length); /* all that is in front: "exit " with its space */
        text[length - other_length] = 0;
        return;
    }
    char *rest = split(whole), *other_rest = split(without);
    bool in_mnemonic = part == SLEIGH_IN_MNEMONIC || (part == SLEIGH_HIDDEN && strcmp(whole, without) != 0);
    const char field[] = {'.', '{', letter, '}', 0};
    modifier_text(in_mnemonic ? whole : rest, in_mnemonic ? without : other_rest, !strstr(row->facts->text, field),
                  text);
}

void sleigh_add_operand(struct sleigh_operands *operands, const char *name)
{
    for (unsigned i = 0; i < operands->count; i++)
        if (strcmp(operands->name[i], name) == 0)
            return;
    if (operands->count < SLEIGH_USES_MAX)
        snprintf(operands->name[operands->count++], 64, "%s", name);
}
