/* SPDX-License-Identifier: MIT */
/* The words of the effects column: what rowc makes of them, and what it refuses. */
#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ROW_REGISTERS(REGISTER) REGISTER("$lr", SPACE, 27, 1, both)
#define ROW_LETTERS(LETTER) LETTER('r', "both $lr")
#define ROW_MARKS(MARK) MARK("unit sfu", 4) MARK("latency long", 8)
#define ROWS_H "group.h" /* the macros above stand for a set's rows.h */
#include "../../tools/rowc_effects.c"

static jmp_buf refused;
static char why[256];

_Noreturn void refuse_row(const struct row *row, const char *reason, const char *text, int length)
{
    (void)row;
    snprintf(why, sizeof why, "%s: '%.*s'", reason, length, text);
    longjmp(refused, 1);
}

struct field *field_of(struct row *row, char letter)
{
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->field[i].letter == letter)
            return &row->field[i];
    return NULL;
}

/* A row with the fields a, d and, where there is an r in the name, r. */
static struct row row_of(const char *id)
{
    struct row row = {.id = id, .field_count = strchr(id, 'r') ? 3 : 2};
    row.field[0].letter = 'a';
    row.field[1].letter = 'd';
    row.field[2].letter = 'r';
    return row;
}

static void clauses_become_effects(void)
{
    struct row row = row_of("r");
    compile_effects(&row, "branch a, slots 1 unless d, unit sfu, writes $lr if a, both d, reads memory, latency long");
    assert_int_equal(row.effect_count, 6); /* and what the letter r brings */
    assert_int_equal(row.marks, 12);
    assert_string_equal(row.effect[0].use, "GPUCODE_FLOW_BRANCH");
    assert_int_equal(row.effect[0].field, 1);
    assert_int_equal(row.effect[0].when, 0);
    assert_string_equal(row.effect[1].verb, "ISA_EFFECT_SLOTS");
    assert_int_equal(row.effect[1].count, 1);
    assert_int_equal(row.effect[1].when, 2);
    assert_true(row.effect[1].unless);
    assert_string_equal(row.effect[2].number, "27");
    assert_int_equal(row.effect[2].when, 1);
    assert_false(row.effect[2].unless);
    assert_int_equal(row.effect[3].field, 2);
    assert_string_equal(row.effect[3].use, "GPUCODE_USE_BOTH");
    assert_string_equal(row.effect[4].verb, "ISA_EFFECT_MEMORY");
    assert_string_equal(row.effect[5].verb, "ISA_EFFECT_REGISTER");
    assert_int_equal(row.effect[5].when, 3);
    struct row plain = row_of("x");
    compile_effects(&plain, "");
    assert_int_equal(plain.effect_count, 0);
}

static void nonsense_is_refused(void)
{
    static const struct text_case cases[] = {
        {"leap a", "no such effect: 'leap'"},
        {"branch", "an effect has too few or too many words: 'branch'"},
        {"branch a d", "an effect has too few or too many words: 'branch'"},
        {"return a", "an effect has too few or too many words: 'return'"},
        {"jump q", "an effect names what is neither a letter of the row nor a register: 'q'"},
        {"reads $sp", "an effect names what is neither a letter of the row nor a register: '$sp'"},
        {"writes", "an effect has too few or too many words: 'writes'"},
        {"slots", "an effect has too few or too many words: 'slots'"},
        {"slots a", "an effect wants a digit: 'a'"},
        {"stop if q", "an effect names what is neither a letter of the row nor a register: 'q'"},
        {"unit alu", "no such effect: 'unit'"},
        {"jump a,slots 1", "effects want a comma and a space between them: 'slots 1'"},
        {"jump  a", "an effect has too many words or spaces: 'jump  a'"},
        {"jump a, , stop", "an effect without words: ''"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct row row = row_of("x");
        *why = 0;
        if (!setjmp(refused))
            compile_effects(&row, cases[i].text);
        assert_string_equal(why, cases[i].expected);
    }
}

TESTS(clauses, clauses_become_effects, nonsense_is_refused)
