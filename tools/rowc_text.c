/* SPDX-License-Identifier: MIT */
/*
 * Rows as functions that print and read their text. They are included where the functions of operands stand, behind a
 * ROW_PRINT(name) that makes a function's name of what rows.h calls it and a ROW_READ(name, at, scan, build, field)
 * that reads the operand at `at` and is the place behind it or null; they become struct isa_text.print and parse.
 * Fields are constants in them, which the compiler folds into what it inlines. A row is read by two functions: all of
 * it, and what stands behind the mnemonic, for who has read that already. A set that wants more of its printers defines
 * ROW_LINE(id, letter): the row, whose printer is text_ID(), and its last field or 0.
 */
#include "rowc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include ROWS_H

/* What functions of a kind are called: printer, parser, store; or one name for the first two, then store. */
static const char *const functions[] = {
#define OPERAND(letter, name, role, ...) #__VA_ARGS__,
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};

/* "MACRO(name" with the function that prints or reads fields of a kind. */
static void print_function(const char *macro, unsigned kind, bool parser)
{
    const char *name = functions[kind], *comma = strchr(name, ',');
    if (parser && comma && strchr(comma + 1, ','))
        name = comma + 1 + strspn(comma + 1, " ");
    printf("%s(%.*s", macro, (int)strcspn(name, ","), name);
}

static void print_printer(const struct row *row)
{
    print_row_fields(row);
    printf("static inline __attribute__((always_inline)) char *text_%s(char *restrict at,\n"
           "    const struct gpucode_insn *insn, const struct gpucode_format_options *options)\n"
           "{\n    (void)insn;\n    (void)options;\n",
           row->id);
    for (unsigned e = 0; e < row->element_count; e++) {
        unsigned index = row->element[e].index;
        printf("    at = ");
        if (row->element[e].is_field) {
            print_function("ROW_PRINT", row->field[index].kind, false);
            printf(")(at, insn, &fields_%s[%u], options);\n", row->id, index);
        } else {
            printf("TEXT_LITERAL(at, ");
            print_string(row->element[e].literal);
            printf(");\n");
        }
    }
    printf("    return at;\n}\n");
    printf("#ifdef ROW_LINE\nROW_LINE(%s, ", row->id);
    printf(row->field_count ? "'%c'" : "0", row->field_count ? row->field[row->field_count - 1].letter : 0);
    printf(")\n#endif\n");
}

/* Is a letter, a digit or '_' the last byte of a literal? What follows it in a source must be none then. */
static bool ends_in_name(const char *literal)
{
    char last = literal[strlen(literal) - 1];
    return isalnum((unsigned char)last) || last == '_';
}

/* Reads one element, or the rest of it from byte `from` on. */
static void print_step(const struct row *row, unsigned e, size_t from)
{
    unsigned index = row->element[e].index;
    const char *literal = row->element[e].literal + from;
    printf("    at = ");
    if (row->element[e].is_field) {
        print_function("ROW_READ", row->field[index].kind, true);
        printf(", at, scan, build, &fields_%s[%u]);\n", row->id, index);
    } else {
        printf("isa_read_literal(at, scan, ");
        print_string(literal);
        printf(", %u, %s);\n", (unsigned)strlen(literal), ends_in_name(literal) ? "true" : "false");
    }
    printf("    if (!at)\n        return at;\n");
}

static void begin_parser(const char *kind, const struct row *row)
{
    printf("static const char *parse_%s_%s(const char *at, struct isa_scan *scan, struct isa_build *build)\n{\n"
           "    (void)scan;\n    (void)build;\n",
           kind, row->id);
}

static void print_parser(const struct row *row, const char *mnemonic)
{
    size_t length = strlen(mnemonic);
    unsigned at = 0;
    while (at < row->element_count &&
           (row->element[at].is_field || strncmp(row->element[at].literal, mnemonic, length) != 0))
        at++;
    if (at == row->element_count)
        refuse_row(row, "the text does not have the mnemonic", mnemonic, (int)length);
    begin_parser("behind", row);
    if (row->element[at].literal[length])
        print_step(row, at, length);
    for (unsigned e = at + 1; e < row->element_count; e++)
        print_step(row, e, 0);
    printf("    return at;\n}\n");
    begin_parser("row", row);
    for (unsigned e = 0; e < at; e++)
        print_step(row, e, 0);
    printf("    at = isa_read_literal(at, scan, ");
    print_string(mnemonic);
    printf(", %u, %s);\n    return at ? parse_behind_%s(at, scan, build) : at;\n}\n", (unsigned)length,
           ends_in_name(mnemonic) ? "true" : "false", row->id);
}

static void print_printers(const struct row *rows, unsigned count)
{
    printf("isa_row_text *const %s_text[] = {\n", QUOTE(ROW_SET));
    for (unsigned r = 0; r < count; r++)
        printf("    text_%s,\n", rows[r].id);
    printf("};\n");
}

static void print_parsers(const struct row *rows, unsigned count)
{
    printf("const struct isa_row_parser %s_parse[] = {\n", QUOTE(ROW_SET));
    for (unsigned r = 0; r < count; r++)
        printf("    {parse_row_%s, parse_behind_%s},\n", rows[r].id, rows[r].id);
    printf("};\n");
}

void print_functions(const struct row *rows, const char *const *mnemonics, unsigned count)
{
    for (unsigned r = 0; r < count; r++) {
        print_printer(&rows[r]);
        print_parser(&rows[r], mnemonics[r]);
    }
    print_printers(rows, count);
    print_parsers(rows, count);
}
