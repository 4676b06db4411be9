/* SPDX-License-Identifier: MIT */
/*
 * Rows as functions that print and read their text. They are included where the functions of operands stand, behind a
 * ROW_PRINT(name) and a ROW_PARSE(name) that make a function's name of what rows.h calls it, and become struct
 * isa_text.print and parse. Fields are constants in them, which the compiler folds into what it inlines.
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

static void print_function(const char *macro, unsigned kind, bool parser)
{
    const char *name = functions[kind], *comma = strchr(name, ',');
    if (parser && comma && strchr(comma + 1, ','))
        name = comma + 1 + strspn(comma + 1, " ");
    printf("%s(%.*s)", macro, (int)strcspn(name, ","), name);
}

static void print_printer(const struct row *row)
{
    print_row_fields(row);
    printf("static char *text_%s(char *restrict at, const struct gpucode_insn *insn,\n"
           "    const struct gpucode_format_options *options)\n"
           "{\n    (void)insn;\n    (void)options;\n",
           row->id);
    for (unsigned e = 0; e < row->element_count; e++) {
        unsigned index = row->element[e].index;
        printf("    at = ");
        if (row->element[e].is_field) {
            print_function("ROW_PRINT", row->field[index].kind, false);
            printf("(at, insn, &fields_%s[%u], options);\n", row->id, index);
        } else {
            printf("TEXT_LITERAL(at, ");
            print_string(row->element[e].literal);
            printf(");\n");
        }
    }
    printf("    return at;\n}\n");
}

/* Is a letter, a digit or '_' the last byte of a literal? What follows it in a source must be none then. */
static bool ends_in_name(const char *literal)
{
    char last = literal[strlen(literal) - 1];
    return isalnum((unsigned char)last) || last == '_';
}

static void print_parser(const struct row *row)
{
    printf("static bool parse_row_%s(struct isa_scan *scan, struct isa_build *build)\n{\n    (void)build;\n", row->id);
    for (unsigned e = 0; e < row->element_count; e++) {
        unsigned index = row->element[e].index;
        const char *literal = row->element[e].literal;
        printf("    if (!");
        if (row->element[e].is_field) {
            print_function("ROW_PARSE", row->field[index].kind, true);
            printf("(scan, build, &fields_%s[%u])", row->id, index);
        } else {
            printf("isa_literal(scan, ");
            print_string(literal);
            printf(", %u, %s)", (unsigned)strlen(literal), ends_in_name(literal) ? "true" : "false");
        }
        printf(")\n        return false;\n");
    }
    printf("    return true;\n}\n");
}

static void print_list(const struct row *rows, unsigned count, const char *type, const char *what, const char *prefix)
{
    printf("%s *const %s_%s[] = {\n", type, QUOTE(ROW_SET), what);
    for (unsigned r = 0; r < count; r++)
        printf("    %s_%s,\n", prefix, rows[r].id);
    printf("};\n");
}

void print_functions(const struct row *rows, unsigned count)
{
    for (unsigned r = 0; r < count; r++) {
        print_printer(&rows[r]);
        print_parser(&rows[r]);
    }
    print_list(rows, count, "isa_row_text", "text", "text");
    print_list(rows, count, "isa_row_parse", "parse", "parse_row");
}
