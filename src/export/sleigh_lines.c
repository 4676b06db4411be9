/* SPDX-License-Identifier: MIT */
/* Lines of the tables of operands of rows without a formula: registers in a row, numbers, and what flags change. */
#include "export/sleigh_uses.h"

#include <inttypes.h>
#include <string.h>

#define CODE_ROOM 160 /* bytes of a register in code, */
#define FLAGGED 640   /* and of a value with flags */

/* What a line is put together of. */
struct line {
    char pattern[RANGES_MAX + 1][64]; /* tables and fields that stand in the pattern */
    unsigned count;
    char registers[RANGES_MAX * (CODE_ROOM + 40) + 1]; /* those that it reads, or statements that write them */
    char action[128];
    char value[RANGES_MAX * (CODE_ROOM + 40) + 240];
    bool copied; /* the value is none of one place */
};

/* Many general registers in a row as one value: their place in the space of registers. */
static void wide_table(const struct asked *asked, const struct range *range, char name[64])
{
    struct sleigh *sleigh = asked->row->sleigh;
    char field[64] = "";
    if (range->moves)
        sleigh_piece(asked->row, 'f', asked->place.pieces[0].shift,
                     asked->place.width < NUMBER_BITS ? asked->place.width : NUMBER_BITS, field);
    snprintf(name, 64, "V%.40s_%" PRIu32 "_%" PRIu32, field, range->number, range->length);
    uint32_t end = range->number + range->length + (range->moves ? (uint32_t)(NUMBERS - 1) : 0);
    sleigh->registers = sleigh->registers > end ? sleigh->registers : end;
    if (!sleigh_note(sleigh, &sleigh->made, "%s", name))
        return;
    fprintf(sleigh->tables, "%s: number is %s [ number = ", name, *field ? field : "epsilon");
    fprintf(sleigh->tables, *field ? "4 * (%s + %" PRIu32 ")" : "%s4 * %" PRIu32, field, range->number);
    fprintf(sleigh->tables, "; ] { export *[register]:%" PRIu32 " number; }\n", 4 * range->length);
}

/* Registers of a line: what stands in the pattern for them, and in the code. */
static void register_text(const struct asked *asked, const struct range *range, char pattern[64], char code[CODE_ROOM])
{
    struct sleigh *sleigh = asked->row->sleigh;
    uint32_t number = range->number;
    char file[64], general[24];
    *pattern = 0;
    if (range->space == GPUCODE_SPACE_GENERAL && range->length > 1) {
        wide_table(asked, range, pattern);
        snprintf(code, CODE_ROOM, "%s", pattern);
    } else if (range->space == GPUCODE_SPACE_GENERAL && range->moves) {
        sleigh_register_piece(asked->row, &asked->place, number, pattern);
        snprintf(code, CODE_ROOM, "%s", pattern);
    } else if (range->space == GPUCODE_SPACE_GENERAL) {
        sleigh->registers = sleigh->registers > number ? sleigh->registers : number + 1;
        snprintf(code, CODE_ROOM, "%s", sleigh_general(sleigh, number, general));
    } else {
        sleigh_file_name(sleigh, range->space, file);
        if (range->moves)
            sleigh_place_table(asked->row, &asked->place, number, pattern);
        if (*pattern)
            snprintf(code, CODE_ROOM, "*[%s]:%" PRIu32 " %s", file, 4 * range->length, pattern);
        else
            snprintf(code, CODE_ROOM, "*[%s]:%" PRIu32 " 0x%" PRIx32 ":4", file, 4 * range->length, number);
    }
}

static void add_registers(const struct asked *asked, const struct look *look, struct line *line)
{
    struct sleigh *sleigh = asked->row->sleigh;
    const bool reads = asked->use == GPUCODE_USE_READ;
    char code[CODE_ROOM];
    uint32_t before = 0;
    size_t used = 0;
    for (unsigned i = 0; i < look->count; before += look->at[i++].length) {
        const bool many = look->at[i].length > 1;
        register_text(asked, &look->at[i], line->pattern[line->count], code);
        line->count += *line->pattern[line->count] != 0;
        if (reads)
            used += (size_t)sprintf(line->registers + used, "%s%s", i ? ", " : "", code);
        else if (i || many)
            used += (size_t)sprintf(line->registers + used, " %s = element%s(state_value, %" PRIu32 ":4);", code,
                                    many ? "s" : "", before);
        else
            used += (size_t)sprintf(line->registers + used, " %s = state_value;", code);
        if (!reads && (i || many))
            sleigh_note(sleigh, &sleigh->calls, many ? "elements" : "element");
    }
    if (look->indirect)
        sleigh_note(sleigh, &sleigh->calls, "indirect");
    else if (reads && (look->count > 1 || look->at[0].length > 1))
        sleigh_note(sleigh, &sleigh->calls, "several");
}

/* What the table exports. */
static void add_value(const struct asked *asked, const struct look *look, struct line *line)
{
    char *name = line->pattern[line->count], code[CODE_ROOM];
    if (look->indirect) {
        snprintf(code, sizeof code, "0x%" PRIx32 ":4", (uint32_t)look->value);
        if (look->value_moves) {
            sleigh_place_table(asked->row, &asked->place, (uint32_t)look->value, name);
            line->count++;
        }
        line->copied = true; /* of no register: the library has not said which */
        snprintf(line->value, sizeof line->value, "indirect(%s, %s)", look->count ? line->registers : "0:4",
                 look->value_moves ? name : code);
    } else if (look->count) {
        line->copied = look->count > 1 || look->at[0].length > 1 || !look->at[0].moves;
        const bool several = look->count > 1 || look->at[0].length > 1;
        snprintf(line->value, sizeof line->value, several ? "several(%s)" : "%s", line->registers);
    } else if (look->is_value && look->whole) {
        sleigh_table(asked->row, 'N', asked->field->letter, 0, name);
        line->count++;
        snprintf(line->value, sizeof line->value, "%s", name);
    } else if (look->is_value && look->value_moves) {
        sleigh_piece(asked->row, 'f', asked->place.pieces[0].shift,
                     asked->place.width < NUMBER_BITS ? asked->place.width : NUMBER_BITS, name);
        line->count++;
        snprintf(line->action, sizeof line->action, "number = %s %c %" PRIu64 ";", name, look->value < 0 ? '-' : '+',
                 look->value < 0 ? -(uint64_t)look->value : (uint64_t)look->value);
        strcpy(line->value, "*[const]:4 number");
    } else {
        snprintf(line->value, sizeof line->value, "0x%" PRIx32 ":4", look->is_value ? (uint32_t)look->value : 0);
    }
}

static void write_line(const struct asked *asked, const char *name, const struct look *look, uint64_t mask,
                       uint64_t match)
{
    FILE *out = asked->row->sleigh->tables;
    struct line line = {.count = 0};
    add_registers(asked, look, &line);
    if (asked->use == GPUCODE_USE_READ)
        add_value(asked, look, &line);
    fprintf(out, "%s: %s is ", name, *line.action ? "number" : "\"\"");
    bool decided = sleigh_write_bits(asked->row, mask, match, out);
    for (unsigned i = 0; i < line.count; i++)
        fprintf(out, "%s%s", decided || i ? " & " : "", line.pattern[i]);
    fputs(decided || line.count ? "" : "epsilon", out);
    if (*line.action)
        fprintf(out, " [ %s ]", line.action);
    if (asked->use == GPUCODE_USE_WRITE)
        fprintf(out, " {%s }\n", line.registers);
    else
        fprintf(out, line.copied ? " { local all:4 = %s; export all; }\n" : " { export %s; }\n", line.value);
}

/* --- flags: (neg), (abs) ---------------------------------------------------------------------------------------- */

/*
 * The value with the operand's flags: the sign bit of floats, of integers and bits what they say. What the words do not
 * tell (is a number in a float's place one of 16 bits?), and what (abs) is to bits, is a function.
 */
static void flagged(const struct sleigh_row *row, unsigned flags, bool several, const char *value, char code[FLAGGED])
{
    const char kind = sleigh_sources_kind(row);
    const unsigned change = flags >> 2, half = flags & 3;
    const uint32_t sign = half == 1 ? 0x8000 : 0x80000000;
    const char *front = change & SLEIGH_NEG ? "-" : "";
    if (!change) {
        snprintf(code, FLAGGED, "%s", value);
    } else if (several) {
        sleigh_note(row->sleigh, &row->sleigh->calls, "modified");
        snprintf(code, FLAGGED, "modified(%s, %u:4)", value, change);
    } else if (kind == 'f' && half != 2) {
        if (change == (SLEIGH_NEG | SLEIGH_ABS))
            snprintf(code, FLAGGED, "(%s | 0x%" PRIx32 ":4)", value, sign);
        else if (change == SLEIGH_ABS)
            snprintf(code, FLAGGED, "(%s & 0x%" PRIx32 ":4)", value, ~sign);
        else
            snprintf(code, FLAGGED, "(%s ^ 0x%" PRIx32 ":4)", value, sign);
    } else if (kind == 'b' && change == SLEIGH_NEG) {
        snprintf(code, FLAGGED, "(~(%s))", value);
    } else if (kind == 's' && change == SLEIGH_NEG) {
        snprintf(code, FLAGGED, "(-(%s))", value);
    } else if (kind == 's' && half != 1) { /* numbers have their sign in all bits */
        snprintf(code, FLAGGED, "(%s((%s ^ (%s s>> 31:4)) - (%s s>> 31:4)))", front, value, value, value);
    } else if (kind == 's') {
        snprintf(code, FLAGGED, "(%s((%s ^ ((%s << 16:4) s>> 31:4)) - ((%s << 16:4) s>> 31:4)))", front, value, value,
                 value);
    } else {
        sleigh_note(row->sleigh, &row->sleigh->calls, "modified");
        snprintf(code, FLAGGED, "modified(%s, %u:4)", value, change);
    }
}

/* A line of the table with flags. */
static void write_change(const struct asked *asked, const char *name, const struct look *look, uint64_t mask,
                         uint64_t match)
{
    FILE *out = asked->row->sleigh->tables;
    char code[FLAGGED];
    fprintf(out, "%s: \"\" is ", name);
    fprintf(out, "%s%s", sleigh_write_bits(asked->row, mask, match, out) ? " & " : "", asked->inner);
    flagged(asked->row, (unsigned)look->value, look->whole, asked->inner, code);
    fprintf(out, look->value >> 2 ? " { local all:4 = %s; export all; }\n" : " { export %s; }\n", code);
}

/* --- all lines of a leaf ----------------------------------------------------------------------------------------- */

/* As the look says of that number. */
static struct look with_number(const struct look *look, unsigned number)
{
    struct look one = *look;
    one.value += one.value_moves ? number : 0;
    one.value_moves = false;
    for (unsigned i = 0; i < one.count; i++) {
        one.at[i].number += one.at[i].moves ? number : 0;
        one.at[i].moves = false;
    }
    return one;
}

/* What the look's word is with that number; false: none, or as the look says. */
static bool is_special(const struct asked *asked, const struct look *look, unsigned number, struct look *one)
{
    look_once(asked, asked_with_number(asked, look->word, number), one);
    if (one->other)
        return false;
    if (one->count)
        one->is_value = one->whole = false, one->value = 0;
    const struct look usual = with_number(look, number);
    return !look_same(one, &usual);
}

static void write_special(const struct asked *asked, const char *name, const struct look *one, unsigned number,
                          uint64_t mask, uint64_t match)
{
    write_line(asked, name, one, mask | asked->number, match | (uint64_t)number << __builtin_ctzll(asked->number));
}

bool lines_special(const struct asked *asked, const struct look *look, unsigned number, struct look *one, bool *special)
{
    if (look->indirect || (!look->count && look->is_value))
        return false;
    *special |= is_special(asked, look, number, one);
    return !one->other;
}

void lines_apart(const struct asked *asked, const char *name, const char *usual, const struct look *apart)
{
    FILE *out = asked->row->sleigh->tables;
    if (asked->use == GPUCODE_USE_READ)
        fprintf(out, "%s: \"\" is %s { export %s; }\n", name, usual, usual);
    else
        fprintf(out, "%s: \"\" is %s { }\n", name, usual);
    for (unsigned i = 0; i < NUMBERS - FIRST_SPECIAL; i++)
        if (asked->apart >> i & 1)
            write_special(asked, name, &apart[i], FIRST_SPECIAL + i, 0, 0);
}

/* Then numbers that are not as the others of the line. */
void lines_write(const struct asked *asked, const char *name, const struct look *look, uint64_t mask, uint64_t match)
{
    struct look one;
    if (asked->inner) {
        write_change(asked, name, look, mask, match);
        return;
    }
    write_line(asked, name, look, mask, match);
    if (look->indirect || !asked_has_special(asked))
        return;
    const bool is_number = !look->count && look->is_value;
    for (unsigned number = 0; number < NUMBERS; number++) {
        if (is_number ? look->whole || number > 15
                      : number < FIRST_SPECIAL || asked->apart >> (number - FIRST_SPECIAL) & 1)
            continue;
        if (is_special(asked, look, number, &one))
            write_special(asked, name, &one, number, mask, match);
    }
}
