/* SPDX-License-Identifier: MIT */
/* The words of an assembly language, by trial. */
#include "export/patterns.h"
#include "front/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void add_lexeme(struct lexemes *list, const char *text, size_t length)
{
    for (unsigned i = 0; i < list->count; i++)
        if (strncmp(list->text[i], text, length) == 0 && !list->text[i][length])
            return;
    bool has_room = grow(&list->text, list->count, &list->room, sizeof *list->text);
    char *copy = has_room ? strndup(text, length) : NULL;
    list->failed |= !copy;
    if (copy)
        list->text[list->count++] = copy;
}

/* The same with runs of digits made one sign. */
static void add_general(struct lexemes *list, const char *text, size_t length)
{
    char general[GPUCODE_TEXT_MAX];
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]))
            general[used++] = text[i];
        else if (!used || general[used - 1] != LEXEME_DIGITS)
            general[used++] = LEXEME_DIGITS;
    }
    add_lexeme(list, general, used);
}

static int compare_lexemes(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    size_t left_length = strlen(*left), right_length = strlen(*right);
    if (left_length != right_length)
        return left_length < right_length ? 1 : -1;
    return strcmp(*left, *right);
}

static void sort_lexemes(struct lexemes *list)
{
    if (list->count)
        qsort(list->text, list->count, sizeof *list->text, compare_lexemes);
}

static void free_lexemes(struct lexemes *list)
{
    for (unsigned i = 0; i < list->count; i++)
        free(list->text[i]);
    free(list->text);
}

void lexeme_put(FILE *out, const char *text, const char *special, const char *digits)
{
    for (; *text; text++) {
        if (*text == LEXEME_DIGITS)
            fputs(digits, out);
        else
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

void lexemes_put(FILE *out, const struct lexemes *list, const char *special, const char *digits, const char *between)
{
    for (unsigned i = 0; i < list->count; i++) {
        fputs(i ? between : "", out);
        lexeme_put(out, list->text[i], special, digits);
    }
}

/* --- looking at one text ------------------------------------------------------------------------------------------ */

struct sample {
    struct lexicon *lexicon;
    const struct gpucode_row *row;
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    unsigned operand_count;
};

/* "(word1)" at `at`: its length, parentheses included; 0: something else stands there. */
static size_t parenthesized(const char *at)
{
    size_t letters = *at == '(' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
    size_t digits = letters ? strspn(at + 1 + letters, "0123456789") : 0;
    return letters && at[1 + letters + digits] == ')' ? letters + digits + 2 : 0;
}

/* Does the space's name of the register stand there, after a mark or none? */
static bool is_name(struct sample *sample, const struct gpucode_operand *operand, const char *text, size_t length)
{
    char name[GPUCODE_NAME_MAX];
    if (operand->space >= GPUCODE_SPACE_COUNT || operand->space == GPUCODE_SPACE_GENERAL || length < 2)
        return false;
    size_t size = gpucode_name_of(sample->insn.target, NULL, operand->space, operand->number, name, sizeof name);
    if (!size)
        return false;
    struct lexicon *lexicon = sample->lexicon;
    if (ispunct((unsigned char)*text) && strncmp(text + 1, name, size) == 0) {
        size_t marks = strlen(lexicon->marks);
        if (*text != '#' && !strchr(lexicon->marks, *text) && marks + 1 < sizeof lexicon->marks)
            lexicon->marks[marks] = *text;
        return true;
    }
    return strncmp(text, name, size) == 0;
}

static void look_at_register(struct sample *sample, const struct gpucode_operand *operand, const char *text,
                             size_t length)
{
    for (size_t modifier; (modifier = parenthesized(text)) && modifier < length;) {
        text += modifier;
        length -= modifier;
    }
    if (is_name(sample, operand, text, length))
        return;
    size_t end = ispunct((unsigned char)*text) && strchr("$@%|", *text) ? 1 : 0;
    size_t letters = end;
    while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '_' || text[end] == '.'))
        end++;
    if (end > letters && isalpha((unsigned char)text[letters]) == 0 && !letters)
        return; /* a number */
    if (end > letters && end < length && text[end] == '<')
        add_general(&sample->lexicon->registers, text, end + 1);
    else if (end > letters && end == length)
        add_general(&sample->lexicon->registers, text, length);
}

static void look_at_value(struct sample *sample, const char *text, size_t length)
{
    static const char digits[] = "0123456789", lower[] = "abcdefghijklmnopqrstuvwxyz";
    size_t first = strspn(text, lower), number = strspn(text + first, digits);
    if (first && number && first + number == length) { /* b3 */
        add_general(&sample->lexicon->numbers, text, length);
        return;
    }
    first = text[0] == '~';
    number = strspn(text + first, digits);
    if (number && first + number + strspn(text + first + number, lower) == length && first + number < length &&
        text[first + number] != 'x') /* 24us */
        add_general(&sample->lexicon->numbers, text, length);
}

static void look_at_operand(struct sample *sample, const struct gpucode_operand *operand)
{
    const char *text = sample->text + operand->start;
    size_t length = operand->length;
    if (*text == '(' && text[length - 1] == ')' && !strchr(text, ' ') && !isdigit((unsigned char)text[1]) &&
        text[1] != '-')
        sample->lexicon->constants = true;
    else if (operand->type == GPUCODE_OPERAND_REGISTER)
        look_at_register(sample, operand, text, length);
    else if (operand->type == GPUCODE_OPERAND_VALUE)
        look_at_value(sample, text, length);
}

/* Modifiers and words that are not operands. */
static void look_between(struct sample *sample, const bool *covered)
{
    bool mnemonic = false;
    for (const char *at = sample->text; *at;) {
        size_t length = parenthesized(at);
        if (length && at[length] && (!strchr(", )]", at[length]) || !mnemonic)) {
            add_general(&sample->lexicon->modifiers, at + 1, length - 2);
            at += length;
            continue;
        }
        length = covered[at - sample->text] ? 0 : strcspn(at, " ,()[]");
        if (!length) {
            at++;
            continue;
        }
        bool is_word = strspn(at, "abcdefghijklmnopqrstuvwxyz") >= 2;
        size_t name = strlen(sample->row->mnemonic);
        if (!mnemonic && length >= name && strncmp(at, sample->row->mnemonic, name) == 0)
            mnemonic = true;
        else if (is_word && mnemonic && *sample->row->mnemonic)
            add_lexeme(&sample->lexicon->words, at, length);
        at += length;
    }
}

static void look_at_text(struct sample *sample)
{
    bool covered[GPUCODE_TEXT_MAX] = {false};
    if (gpucode_format(&sample->insn, NULL, sample->text, sizeof sample->text, NULL) != GPUCODE_OK)
        return;
    sample->operand_count = gpucode_insn_operands(&sample->insn, NULL, sample->operands, GPUCODE_OPERANDS_MAX);
    for (unsigned i = 0; i < sample->operand_count; i++) {
        const struct gpucode_operand *operand = &sample->operands[i];
        if (!operand->length)
            continue;
        memset(covered + operand->start, true, operand->length);
        look_at_operand(sample, operand);
    }
    look_between(sample, covered);
}

/* --- all of a set ------------------------------------------------------------------------------------------------- */

static void try_value(struct sample *sample, char letter, uint64_t value)
{
    gpucode_insn_set(&sample->insn, letter, value);
    look_at_text(sample);
}

/* Small values, those with up to three bits set, and with four in a row. */
static void try_field(struct sample *sample, const struct gpucode_row_field *field)
{
    uint64_t values = field->width < 8 ? UINT64_C(1) << field->width : 256;
    for (uint64_t value = 0; value < values; value++)
        try_value(sample, field->letter, value);
    for (unsigned i = 0; i < field->width && field->width > 8; i++)
        for (unsigned k = 0; k <= i; k++)
            for (unsigned m = 0; m <= k; m++)
                try_value(sample, field->letter, UINT64_C(1) << i | UINT64_C(1) << k | UINT64_C(1) << m);
    for (unsigned i = 0; i + 4 <= field->width && field->width > 8; i++)
        try_value(sample, field->letter, UINT64_C(15) << i);
    gpucode_insn_set(&sample->insn, field->letter, 0);
}

/* Bits that no field has alone, which belong to the text of several operands: each of them, and two. */
static void try_bits(struct sample *sample, uint64_t bits)
{
    uint64_t before = sample->insn.bits;
    for (uint64_t first = bits; first; first &= first - 1)
        for (uint64_t second = first; second; second &= second - 1) {
            sample->insn.bits = before | (first & (0 - first)) | (second & (0 - second));
            look_at_text(sample);
        }
    sample->insn.bits = before;
}

static void try_row(struct lexicon *lexicon, const struct gpucode_target *target, unsigned index)
{
    struct gpucode_row row;
    struct gpucode_row_field field;
    struct sample sample = {.lexicon = lexicon, .row = &row};
    if (!gpucode_row(target, index, &row) || gpucode_insn_init(target, index, &sample.insn) != GPUCODE_OK)
        return;
    if (*row.mnemonic && *row.mnemonic != '.')
        add_lexeme(&lexicon->mnemonics, row.mnemonic, strlen(row.mnemonic));
    look_at_text(&sample);
    uint64_t bits = ~row.mask & ~row.ignored & (~UINT64_C(0) >> (64 - 8 * row.size));
    for (unsigned i = 0; gpucode_row_field(target, index, i, &field); i++) {
        try_field(&sample, &field);
        bits &= ~export_field_bits(&field);
    }
    try_bits(&sample, bits);
}

bool lexicon_make(struct lexicon *lexicon, struct export *export, const struct gpucode_target *set)
{
    *lexicon = (struct lexicon){.isa = gpucode_target_isa(set), .syntax = gpucode_target_syntax(set)};
    for (unsigned i = 0; i < gpucode_row_count(set); i++) {
        const struct gpucode_target *target = export_row_target(export, set, i);
        if (target)
            try_row(lexicon, target, i);
    }
    uint32_t number = 0;
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = export_target(export, set, i)) && !lexicon->bare_names; i++)
        lexicon->bare_names = gpucode_name_next(target, GPUCODE_SPACE_GPU, &number);
    if (lexicon->syntax->prefix)
        add_lexeme(&lexicon->mnemonics, lexicon->syntax->prefix, strlen(lexicon->syntax->prefix));
    struct lexemes *const lists[] = {&lexicon->mnemonics, &lexicon->words, &lexicon->modifiers, &lexicon->registers,
                                     &lexicon->numbers};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        sort_lexemes(lists[i]);
        export->failed |= lists[i]->failed;
    }
    return !export->failed;
}

void lexicon_free(struct lexicon *lexicon)
{
    free_lexemes(&lexicon->mnemonics);
    free_lexemes(&lexicon->words);
    free_lexemes(&lexicon->modifiers);
    free_lexemes(&lexicon->registers);
    free_lexemes(&lexicon->numbers);
}
