/* SPDX-License-Identifier: MIT */
/*
 * Rows as functions that print and read their text. They are included where the functions of operands stand, after a
 * ROW_PRINT(name) that makes a function's name of what rows.h calls it and a ROW_READ(name, at, scan, build, field)
 * that reads the operand at `at` and is the place after it or null; they become struct isa_text.print and parse.
 * Fields are constants in them, which the compiler folds into what it inlines. A row is printed, and read, by two
 * functions: what stands before the mnemonic, and what stands after it. Rows that look the same share them; those that
 * ROW_APART of rows.h lists do not share what prints them.
 *
 * A set that wants more of its printers defines ROW_LINE_AFTER(id, letter), the printer put_after_ID() and the last
 * field of the rows that share it or 0, and ROW_LINE(id, owner), the row with put_before_ID() and whose printer is that
 * of `owner`.
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

/* The element that begins with the mnemonic, and the number of its bytes. */
static unsigned mnemonic_element(const struct row *row, const char *mnemonic, size_t *length)
{
    unsigned e = 0;
    *length = strlen(mnemonic);
    while (e < row->element_count &&
           (row->element[e].is_field || strncmp(row->element[e].literal, mnemonic, *length) != 0))
        e++;
    if (e == row->element_count)
        refuse_row(row, "the text does not have the mnemonic", mnemonic, (int)*length);
    return e;
}

/* Elements of a row, from byte `skipped` of the first one on if that is a literal. */
struct part {
    const struct row *row;
    unsigned first, end;
    size_t skipped;
};

static bool same_fields(const struct row *a, const struct row *b)
{
    return a->field_count == b->field_count && memcmp(a->field, b->field, a->field_count * sizeof *a->field) == 0;
}

static const char *literal_at(const struct part *part, unsigned e)
{
    return part->row->element[e].literal + (e == part->first ? part->skipped : 0);
}

static bool same_part(const struct part *a, const struct part *b)
{
    if (!same_fields(a->row, b->row) || a->end - a->first != b->end - b->first)
        return false;
    for (unsigned e = a->first, k = b->first; e < a->end; e++, k++) {
        bool is_field = a->row->element[e].is_field;
        if (is_field != b->row->element[k].is_field || (is_field ? a->row->element[e].index != b->row->element[k].index
                                                                 : strcmp(literal_at(a, e), literal_at(b, k)) != 0))
            return false;
    }
    return true;
}

/* The parts of a row that functions are made of. */
enum { BEFORE, PRINTED_AFTER, READ_AFTER, PARTS };

static struct part part_of(const struct row *row, const char *mnemonic, unsigned which)
{
    size_t length;
    unsigned at = mnemonic_element(row, mnemonic, &length);
    if (which == BEFORE)
        return (struct part){row, 0, at, 0};
    /* a printer copies the mnemonic with all of its literal; a reader that has taken the mnemonic goes on within it */
    if (which == PRINTED_AFTER || !row->element[at].literal[length])
        return (struct part){row, at + 1, row->element_count, 0};
    return (struct part){row, at, row->element_count, length};
}

static bool is_apart(const char *id)
{
#ifdef ROW_APART
    size_t length = strlen(id);
    for (const char *list = ROW_APART, *at = list; (at = strstr(at, id)); at++)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
#else
    (void)id;
#endif
    return false;
}

/* The first row with an equal part: its functions are those of all such rows. */
static unsigned owner_of(const struct row *rows, const char *const *mnemonics, unsigned r, unsigned which)
{
    struct part own = part_of(&rows[r], mnemonics[r], which);
    for (unsigned i = 0; i < r && !(which == PRINTED_AFTER && is_apart(rows[r].id)); i++) {
        struct part other = part_of(&rows[i], mnemonics[i], which);
        if (same_part(&own, &other) && !(which == PRINTED_AFTER && is_apart(rows[i].id)))
            return i;
    }
    return r;
}

static const char *fields_of(const struct row *rows, const struct row *row)
{
    for (const struct row *other = rows;; other++)
        if (same_fields(other, row))
            return other->id;
}

static void print_elements(const struct part *part, const char *fields)
{
    for (unsigned e = part->first; e < part->end; e++) {
        unsigned index = part->row->element[e].index;
        printf("    at = ");
        if (part->row->element[e].is_field) {
            print_function("ROW_PRINT", part->row->field[index].kind, false);
            printf(")(at, insn, &fields_%s[%u], options);\n", fields, index);
        } else {
            printf("TEXT_LITERAL(at, ");
            print_string(part->row->element[e].literal);
            printf(");\n");
        }
    }
}

static void begin_printer(const char *kind, const char *id)
{
    printf("static inline __attribute__((always_inline)) char *put_%s_%s(char *restrict at,\n"
           "    const struct gpucode_insn *insn, const struct gpucode_format_options *options)\n"
           "{\n    (void)insn;\n    (void)options;\n",
           kind, id);
}

static void print_printer(const struct row *rows, const char *const *mnemonics, unsigned r)
{
    const struct row *row = &rows[r], *owner = &rows[owner_of(rows, mnemonics, r, PRINTED_AFTER)];
    struct part before = part_of(row, mnemonics[r], BEFORE), after = part_of(row, mnemonics[r], PRINTED_AFTER);
    const char *fields = fields_of(rows, row);
    if (owner == row) {
        char letter[4] = "0";
        if (row->field_count)
            snprintf(letter, sizeof letter, "'%c'", row->field[row->field_count - 1].letter);
        begin_printer("after", row->id);
        print_elements(&after, fields);
        printf("    return at;\n}\n"
               "static char *text_after_%s(char *restrict at, const struct gpucode_insn *insn,\n"
               "    const struct gpucode_format_options *options)\n"
               "{\n    return put_after_%s(at, insn, options);\n}\n"
               "#ifdef ROW_LINE\nROW_LINE_AFTER(%s, %s)\n#endif\n",
               row->id, row->id, row->id, letter);
    }
    before.end++; /* the mnemonic */
    begin_printer("before", row->id);
    print_elements(&before, fields);
    printf("    return at;\n}\n"
           "static char *text_%s(char *restrict at, const struct gpucode_insn *insn,\n"
           "    const struct gpucode_format_options *options)\n"
           "{\n    return text_after_%s(put_before_%s(at, insn, options), insn, options);\n}\n"
           "#ifdef ROW_LINE\nROW_LINE(%s, %s)\n#endif\n",
           row->id, owner->id, row->id, row->id, owner->id);
}

/* Is a letter, a digit or '_' the last byte of a literal? What follows it in a source must be none then. */
static bool ends_in_name(const char *literal)
{
    char last = literal[strlen(literal) - 1];
    return isalnum((unsigned char)last) || last == '_';
}

/* A function that reads a part; the part may be empty. */
static void print_reader(const struct part *part, const char *kind, const char *fields)
{
    printf("static const char *parse_%s_%s(const char *at, struct isa_scan *scan, struct isa_build *build)\n{\n"
           "    (void)scan;\n    (void)build;\n",
           kind, part->row->id);
    for (unsigned e = part->first; e < part->end; e++) {
        const char *literal = literal_at(part, e);
        unsigned index = part->row->element[e].index;
        printf("    at = ");
        if (part->row->element[e].is_field) {
            print_function("ROW_READ", part->row->field[index].kind, true);
            printf(", at, scan, build, &fields_%s[%u]);\n", fields, index);
        } else {
            printf("isa_read_literal(at, scan, ");
            print_string(literal);
            printf(", %u, %s);\n", (unsigned)strlen(literal), ends_in_name(literal) ? "true" : "false");
        }
        printf("    if (!at)\n        return at;\n");
    }
    printf("    return at;\n}\n");
}

static void print_readers(const struct row *rows, const char *const *mnemonics, unsigned r)
{
    static const char *const names[PARTS] = {[BEFORE] = "before", [READ_AFTER] = "after"};
    for (unsigned which = 0; which < PARTS; which++)
        if (names[which] && owner_of(rows, mnemonics, r, which) == r) {
            struct part part = part_of(&rows[r], mnemonics[r], which);
            print_reader(&part, names[which], fields_of(rows, &rows[r]));
        }
}

void print_functions(const struct row *rows, const char *const *mnemonics, unsigned count)
{
    for (unsigned r = 0; r < count; r++) {
        if (fields_of(rows, &rows[r]) == rows[r].id)
            print_row_fields(&rows[r]);
        print_printer(rows, mnemonics, r);
        print_readers(rows, mnemonics, r);
    }
    printf("isa_row_text *const %s_text[] = {\n", QUOTE(ROW_SET));
    for (unsigned r = 0; r < count; r++)
        printf("    text_%s,\n", rows[r].id);
    printf("};\nconst struct isa_row_parser %s_parse[] = {\n", QUOTE(ROW_SET));
    for (unsigned r = 0; r < count; r++)
        printf("    {parse_before_%s, parse_after_%s},\n", rows[owner_of(rows, mnemonics, r, BEFORE)].id,
               rows[owner_of(rows, mnemonics, r, READ_AFTER)].id);
    printf("};\n");
}
