/* SPDX-License-Identifier: MIT */
/*
 * Build-time compiler of instruction rows: reads an instruction set's insn.def (through the C
 * preprocessor, -DROWS_DEF and -DROWS_H) and prints constant tables for src/isa/row.h: rows with mask, match and
 * fields, printing and parsing steps, a decoding tree per generation and a hash of the mnemonics.
 *
 * Refuses rows that contradict themselves: a bit pattern of the wrong length, a letter without an
 * operand kind, a text without its mnemonic, two rows that overlap without one being a special case, an effect that is
 * none.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/hash.h"
#include "rowc.h"
#include ROWS_H

enum { GPUCODE_MANUAL, GPUCODE_OBSERVED, GPUCODE_INFERRED };
enum { MANUAL, OBSERVED, INFERRED };

/* An action is text: what passes through macros of insn.def keeps these words. */
#pragma push_macro("true")
#pragma push_macro("false")
#undef true
#undef false
static const struct source {
    const char *id, *mnemonic;
    unsigned generations;
    const char *bits, *text, *effects;
    int evidence;
    const char *origin, *doc, *action;
} sources[] = {
#ifdef ROW_HAS_EFFECTS
#define INSN(id, mnemonic, generations, bits, text, effects, evidence, source, doc, ...)                               \
    {#id, mnemonic, generations, bits, text, effects, evidence, source, doc, #__VA_ARGS__},
#else /* the column is left out: control goes to the next instruction, operands are used as their classes say */
#define INSN(id, mnemonic, generations, bits, text, evidence, source, doc, ...)                                        \
    {#id, mnemonic, generations, bits, text, "", evidence, source, doc, #__VA_ARGS__},
#endif
#include ROWS_DEF
#undef INSN
};
#pragma pop_macro("true")
#pragma pop_macro("false")
enum { ROWS = sizeof sources / sizeof *sources };

static const struct {
    char letter;
    const char *name;
} operands[] = {
#define OPERAND(letter, name, ...) {letter, name},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};
enum { OPERANDS = sizeof operands / sizeof *operands };

static struct row rows[ROWS];

_Noreturn void refuse_row(const struct row *row, const char *why, const char *text, int length)
{
    fprintf(stderr, "rowc: %s: row %s: %s", QUOTE(ROWS_DEF), row->id, why);
    if (text)
        fprintf(stderr, ": '%.*s'", length, text);
    fprintf(stderr, "\n");
    exit(1);
}

static _Noreturn void refuse(unsigned row, const char *why)
{
    refuse_row(&rows[row], why, NULL, 0);
}

static unsigned operand_kind(unsigned row, char letter)
{
    for (unsigned i = 0; i < OPERANDS; i++)
        if (operands[i].letter == letter)
            return i;
    fprintf(stderr, "rowc: letter '%c'\n", letter);
    refuse(row, "a letter has no operand kind");
}

struct field *field_of(struct row *row, char letter)
{
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->field[i].letter == letter)
            return &row->field[i];
    return NULL;
}

static struct field *new_field(unsigned r, char letter)
{
    struct row *row = &rows[r];
    if (row->field_count == FIELDS_MAX)
        refuse(r, "too many fields");
    struct field *field = &row->field[row->field_count++];
    field->letter = letter;
    field->kind = operand_kind(r, letter);
    return field;
}

static void compile_bits(unsigned r)
{
    struct row *row = &rows[r];
    unsigned length = 0;
    for (const char *c = sources[r].bits; *c; c++)
        length += *c != ' ';
    if (length % 8 || length > 64 || !length)
        refuse(r, "the bit pattern is not 8 to 64 bits in whole bytes");
    row->size = length / 8;
    unsigned bit = length;
    char previous = 0;
    for (const char *c = sources[r].bits; *c; c++) {
        if (*c == ' ')
            continue;
        bit--;
        uint64_t one = UINT64_C(1) << bit;
        if (*c == '0' || *c == '1') {
            row->mask |= one;
            row->match |= *c == '1' ? one : 0;
        } else if (*c == '-') {
            row->ignored |= one;
        } else if (*c == '.') { /* an operand beside others: the functions of its kind know where it lies */
        } else if (isalnum((unsigned char)*c)) { /* digits other than 0 and 1 are letters too */
            struct field *field = field_of(row, *c);
            if (!field)
                field = new_field(r, *c);
            if (previous != *c) {
                if (field->pieces == 4)
                    refuse(r, "a field lies in more than four pieces");
                field->piece[field->pieces++].width = 0;
            }
            field->piece[field->pieces - 1].shift = bit;
            field->piece[field->pieces - 1].width++;
            field->width++;
        } else {
            refuse(r, "unknown character in the bit pattern");
        }
        previous = *c;
    }
}

static void compile_text(unsigned r)
{
    struct row *row = &rows[r];
    if (!strstr(sources[r].text, sources[r].mnemonic))
        refuse(r, "the text lacks the mnemonic");
    for (const char *c = sources[r].text; *c;) {
        if (row->element_count == ELEMENTS_MAX)
            refuse(r, "the text has too many parts");
        unsigned e = row->element_count++;
        if (c[0] == '{' && c[1] && c[2] == '}') {
            struct field *field = field_of(row, c[1]);
            if (!field)
                field = new_field(r, c[1]); /* a part of the text without bits of its own */
            row->element[e].is_field = true;
            row->element[e].index = (unsigned)(field - row->field);
            c += 3;
        } else {
            size_t length = strcspn(c, "{");
            if (length == 0 || length >= sizeof row->element[e].literal)
                refuse(r, "the text is malformed");
            memcpy(row->element[e].literal, c, length);
            c += length;
        }
    }
}

/* Every field must be reachable from the text, else assembling could not bring it back. */
static void check_fields(unsigned r)
{
    for (unsigned i = 0; i < rows[r].field_count; i++) {
#ifndef ROW_HIDDEN_LETTERS
#define ROW_HIDDEN_LETTERS ""
#endif
        bool seen = strchr(ROW_HIDDEN_LETTERS, rows[r].field[i].letter) != NULL;
        for (unsigned e = 0; e < rows[r].element_count; e++)
            seen |= rows[r].element[e].is_field && rows[r].element[e].index == i;
        if (!seen)
            refuse(r, "a field does not appear in the text");
    }
}

/*
 * ROW_FIRST of rows.h: the ids of rows that win over each row that they overlap, the earlier one over the later one,
 * each with spaces around it. Gives the row's place among them; as much as there can be for any other row.
 */
#ifndef ROW_FIRST
#define ROW_FIRST ""
#endif
static size_t precedence(unsigned r)
{
    static const char first[] = ROW_FIRST;
    size_t length = strlen(sources[r].id);
    for (const char *at = first; (at = strstr(at, sources[r].id)); at++)
        if (at > first && at[-1] == ' ' && at[length] == ' ')
            return (size_t)(at - first);
    return sizeof first;
}

/* --- output ------------------------------------------------------------------------------------------ */

void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

void print_row_fields(const struct row *row)
{
    if (!row->field_count)
        return;
    printf("static const struct isa_field fields_%s[] = {\n", row->id);
    for (unsigned i = 0; i < row->field_count; i++) {
        const struct field *f = &row->field[i];
        printf("    {'%c', %u, %u, %u, {", f->letter, f->kind, f->width, f->pieces);
        for (unsigned p = 0; p < f->pieces; p++)
            printf("%s{%u, %u}", p ? ", " : "", f->piece[p].shift, f->piece[p].width);
        printf("%s}},\n", f->pieces ? "" : "{0, 0}");
    }
    printf("};\n");
}

static void print_rows(void)
{
    static const char *const evidence[] = {"GPUCODE_MANUAL", "GPUCODE_OBSERVED", "GPUCODE_INFERRED"};
    for (unsigned r = 0; r < ROWS; r++) {
        print_row_fields(&rows[r]);
        print_effects(&rows[r]);
        printf("static const struct isa_element elements_%s[] = {\n", sources[r].id);
        for (unsigned e = 0; e < rows[r].element_count; e++) {
            printf("    {%d, %u, %u, ", rows[r].element[e].is_field, rows[r].element[e].index,
                   (unsigned)strlen(rows[r].element[e].literal));
            print_string(rows[r].element[e].literal);
            printf("},\n");
        }
        printf("};\n");
    }
    printf("static const struct isa_row rows[] = {\n");
    for (unsigned r = 0; r < ROWS; r++) {
        const struct source *s = &sources[r];
        printf("    {{\"%s\", %u, %s, %s, 0x%llxu, 0x%llxu, 0x%llxu},\n", s->mnemonic, rows[r].size,
               evidence[s->evidence], *s->action == '{' ? "true" : "false", (unsigned long long)rows[r].mask,
               (unsigned long long)rows[r].match, (unsigned long long)rows[r].ignored);
        printf("     0x%x, %u, %u, %u, ", s->generations, rows[r].field_count, rows[r].element_count, r);
        if (rows[r].field_count)
            printf("fields_%s, ", s->id);
        else
            printf("0, ");
        printf("elements_%s, ", s->id);
        printf(rows[r].effect_count ? "effects_%s, " : "0, ", s->id);
        printf("%u, ", rows[r].effect_count);
        print_flow(&rows[r]);
        printf(", 0x%xu},\n", rows[r].marks);
    }
    printf("};\n");
}

/*
 * The rows of each mnemonic by generation, one list after the other, and where they start: a mnemonic's lists follow
 * one another in the order of generations.
 */
static void print_row_lists(const char *const *mnemonics, unsigned count)
{
    unsigned *starts = calloc((size_t)count * ROW_GENERATIONS, sizeof *starts), printed = 0;
    if (!starts)
        exit(1);
    printf("static const uint16_t lists[] = {\n");
    for (unsigned i = 0; i < count * ROW_GENERATIONS; i++) {
        starts[i] = printed;
        for (unsigned r = 0; r < ROWS; r++)
            if (sources[r].generations >> i % ROW_GENERATIONS & 1 &&
                strcmp(sources[r].mnemonic, mnemonics[i / ROW_GENERATIONS]) == 0) {
                printf("%u, ", r + 1);
                printed++;
            }
        printf("0,\n");
        printed++;
    }
    printf("};\nstatic const uint16_t list_starts[] = {\n");
    for (unsigned i = 0; i < count * ROW_GENERATIONS; i++)
        printf("%u,%s", starts[i], i % 16 == 15 ? "\n" : " ");
    printf("};\n");
    free(starts);
    if (printed > UINT16_MAX)
        refuse(0, "too many rows for their lists");
}

/* --- texts -------------------------------------------------------------------------------------------- */

/* Prints a text with its end after those before it, and gives its place. */
static unsigned print_text(const char *text, unsigned *printed)
{
    unsigned place = *printed;
    size_t length = strlen(text) + 1;
    for (size_t i = 0; i < length; i++)
        printf("%d,%s", text[i], i + 1 == length ? "\n" : "");
    *printed += (unsigned)length;
    return place;
}

static void print_texts(void)
{
    static unsigned place[ROWS][7];
    unsigned printed = 0;
    printf("static const char strings[] = {\n");
    for (unsigned r = 0; r < ROWS; r++) {
        const struct source *s = &sources[r];
        const char *const texts[] = {s->id, s->bits, s->text, s->effects, s->doc, s->origin, s->action};
        for (unsigned i = 0; i < 7; i++)
            place[r][i] = print_text(texts[i], &printed);
    }
    printf("};\nstatic const struct isa_row_texts row_texts[] = {\n");
    for (unsigned r = 0; r < ROWS; r++) {
        for (unsigned i = 0; i < 7; i++)
            printf("%s%u", i ? ", " : "    {", place[r][i]);
        printf("},\n");
    }
    printf("};\n");
}

/*
 * The mnemonics by their keys: four places for each, and as many after the last as there are mnemonics, so that nobody
 * who goes on to the next place need begin again. Gives isa_row_set.slot_shift.
 */
static unsigned print_slots(const char *const *names, unsigned count)
{
    unsigned bits = 1;
    while (1u << bits < 4 * count)
        bits++;
    unsigned places = (1u << bits) + count + 1;
    unsigned *table = calloc(places, sizeof *table);
    if (!table)
        exit(1);
    for (unsigned i = 0; i < count; i++) {
        uint64_t key = isa_key(names[i], strlen(names[i]));
        unsigned at = (unsigned)(isa_key_hash(key) >> (64 - bits));
        for (; table[at]; at++)
            if (isa_key(names[table[at] - 1], strlen(names[table[at] - 1])) == key)
                refuse(0, "two mnemonics have one key");
        table[at] = i + 1;
    }
    while (!table[places - 2])
        places--;
    if (places <= 1u << bits)
        places = (1u << bits) + 1;
    printf("static const struct isa_key_slot slots[] = {\n");
    for (unsigned i = 0; i < places; i++) {
        const char *name = table[i] ? names[table[i] - 1] : NULL;
        if (name)
            printf("    {UINT64_C(0x%llx), %u, %u},\n", (unsigned long long)isa_key(name, strlen(name)), table[i],
                   (table[i] - 1) * ROW_GENERATIONS);
        else
            printf("    {0, 0, 0},\n");
    }
    printf("};\n");
    free(table);
    return 64 - bits;
}

static unsigned print_mnemonics(unsigned *slot_shift)
{
    const char *names[ROWS];
    unsigned count = 0;
    for (unsigned r = 0; r < ROWS; r++) {
        unsigned i = 0;
        while (i < count && strcmp(names[i], sources[r].mnemonic) != 0)
            i++;
        if (i == count)
            names[count++] = sources[r].mnemonic;
    }
    for (unsigned i = 0; i < count; i++) {
        printf("static const uint16_t rows_of_%u[] = {", i);
        for (unsigned r = 0; r < ROWS; r++)
            if (strcmp(sources[r].mnemonic, names[i]) == 0)
                printf("%u, ", r);
        printf("};\n");
    }
    print_row_lists(names, count);
    printf("static const struct isa_mnemonic mnemonics[] = {\n");
    for (unsigned i = 0; i < count; i++) {
        unsigned n = 0;
        for (unsigned r = 0; r < ROWS; r++)
            n += strcmp(sources[r].mnemonic, names[i]) == 0;
        printf("    {\"%s\", %u, %u, %u, rows_of_%u},\n", names[i], (unsigned)strlen(names[i]), n, i * ROW_GENERATIONS,
               i);
    }
    printf("};\n");
    *slot_shift = print_slots(names, count);
    return count;
}

/* --- fields by name ----------------------------------------------------------------------------------- */

#ifdef ROW_FIELDS
/* Does the pattern begin with one of the prefixes, which are separated by spaces? */
static bool begins_with_one(const char *pattern, const char *prefixes)
{
    for (size_t length; *prefixes; prefixes += length + strspn(prefixes + length, " ")) {
        length = strcspn(prefixes, " ");
        if (strncmp(pattern, prefixes, length) == 0)
            return true;
    }
    return false;
}

/*
 * ROW_FIELDS(FIELD) of rows.h, FIELD(name, letter, prefixes): the field of this letter, which lies at one place in all
 * rows whose bits begin with one of the prefixes. Printed are name_SHIFT and name_WIDTH, so that code that knows which
 * rows it has before it takes a field without a search.
 */
static void print_fields(void)
{
    static const struct {
        const char *name, *prefixes;
        char letter;
    } named[] = {
#define FIELD(name, letter, prefixes) {#name, prefixes, letter},
        ROW_FIELDS(FIELD)
#undef FIELD
    };
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        const struct field *found = NULL;
        for (unsigned r = 0; r < ROWS; r++) {
            const struct field *field = field_of(&rows[r], named[i].letter);
            if (!field || !begins_with_one(sources[r].bits, named[i].prefixes))
                continue;
            found = found ? found : field;
            if (field->pieces != 1 || memcmp(field->piece, found->piece, sizeof *field->piece) != 0) {
                fprintf(stderr, "rowc: field %s\n", named[i].name);
                refuse(r, "a named field lies elsewhere in another row");
            }
        }
        if (!found) {
            fprintf(stderr, "rowc: field %s\n", named[i].name);
            refuse(0, "no row has a named field");
        }
        printf("%s_SHIFT = %u, %s_WIDTH = %u,\n", named[i].name, found->piece[0].shift, named[i].name,
               found->piece[0].width);
    }
}
#else
static void print_fields(void)
{
}
#endif

/* rowc [fields | text] */
int main(int argc, char **argv)
{
    for (unsigned r = 0; r < ROWS; r++) {
        rows[r].id = sources[r].id;
        rows[r].generations = sources[r].generations;
        rows[r].precedence = precedence(r);
        if (strlen(sources[r].mnemonic) >= sizeof rows[r].element->literal)
            refuse(r, "the mnemonic is too long");
        compile_bits(r);
        compile_text(r);
        check_fields(r);
        compile_effects(&rows[r], sources[r].effects);
    }
    decoder_check(rows, ROWS);
    if (argc == 2 && strcmp(argv[1], "fields") == 0) {
        print_fields();
        return 0;
    }
    printf("/* Made by rowc from %s. Do not edit. */\n", QUOTE(ROWS_DEF));
    if (argc == 2 && strcmp(argv[1], "text") == 0) {
        const char *mnemonics_of_rows[ROWS];
        for (unsigned r = 0; r < ROWS; r++)
            mnemonics_of_rows[r] = sources[r].mnemonic;
        print_functions(rows, mnemonics_of_rows, ROWS);
        return 0;
    }
    print_rows();
    print_texts();
    for (unsigned g = 0; g < ROW_GENERATIONS; g++)
        decoder_print(rows, ROWS, g);
    printf("static const struct isa_decoder decoders[] = {\n");
    for (unsigned g = 0; g < ROW_GENERATIONS; g++)
        printf("    {second_%u, nodes_%u, entries_%u, leaves_%u},\n", g, g, g, g);
    printf("};\n");
    unsigned slot_shift;
    unsigned mnemonics = print_mnemonics(&slot_shift);
    const char *texts[ROWS];
    for (unsigned r = 0; r < ROWS; r++)
        texts[r] = sources[r].action;
    actions_print(rows, texts, ROWS);
    printf("const struct isa_row_set %s = {rows, row_texts, strings, %u, decoders, mnemonics, %u, slots, %u, lists, "
           "list_starts, "
           "action_nodes,\n"
           "    actions, place_actions};\n",
           QUOTE(ROW_SET), (unsigned)ROWS, mnemonics, slot_shift);
    return 0;
}
