/* SPDX-License-Identifier: MIT */
/*
 * HWSQ operand kinds: for each, how to print it, parse it and turn a value into bits. The kinds stand in
 * the order of the letters in rows.h.
 */
#include "hwsq_messages.h"
#include "isa/hwsq/hwsq.h"

#include "base/text.h"
#include "isa/scan.h"

#include <stdio.h>
#include <string.h>

/* Inline: the texts of rows at the end are made of these. */
#define PRINT(name)                                                                                                    \
    static inline char *print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,         \
                                     const struct gpucode_format_options *options)
#define PARSE(name)                                                                                                    \
    static bool parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
/* The operand at `at` as listings have it, and however else it is written by PARSE(); the place after it, or null. */
#define READ(name)                                                                                                     \
    static inline const char *read_##name(const char *at, struct isa_scan *scan, struct isa_build *build,              \
                                          const struct isa_field *field)

/* --- numbers ------------------------------------------------------------------------------------------- */

PRINT(number)
{
    (void)options;
    return text_hex(TEXT_LITERAL(at, "0x"), isa_field_get(field, insn->bits));
}

/* A number that nothing else of an expression follows; false: read it otherwise. */
static bool parse_known(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    uint64_t value;
    isa_skip(scan);
    const char *behind = isa_plain_number(scan, &value);
    if (!behind || value >> field->width)
        return false;
    build->bits = isa_field_set(field, build->bits, value);
    scan->at = behind;
    return true;
}

/* A number in hex; null: it is something else. */
static inline const char *read_hex(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                   const struct isa_field *field)
{
    uint64_t value;
    const char *behind = isa_read_hex(at, scan->end, &value);
    if (!behind || value >> field->width)
        return NULL;
    build->bits = isa_field_fill(field, build->bits, value);
    return behind;
}

/* Most operands are numbers. */
#define READ_HEX(name)                                                                                                 \
    READ(name)                                                                                                         \
    {                                                                                                                  \
        const char *behind = read_hex(at, scan, build, field);                                                         \
        return behind ? behind : isa_read_by(parse_##name, at, scan, build, field);                                    \
    }

PARSE(number)
{
    struct isa_value value;
    return parse_known(scan, build, field) ||
           (isa_expression_full(scan, &value) && isa_store(scan, build, field, &value));
}
READ_HEX(number)

/* Where another operand may follow, which must not be read as part of this one: sums and products only. */
PARSE(plain_number)
{
    struct isa_value value;
    return parse_known(scan, build, field) || (isa_expression(scan, &value) && isa_store(scan, build, field, &value));
}
READ_HEX(plain_number)

/* --- waits --------------------------------------------------------------------------------------------- */

static int hwsq_wait_longer(uint64_t units)
{
    for (int opcode = 0; opcode < 0x40; opcode++) /* waits grow with the opcode, but for the zeros */
        if (hwsq_wait_units((unsigned)opcode) >= units)
            return opcode;
    return -1;
}

/* The wait opcode of exactly so many units, or -1. */
static int hwsq_wait_exact(uint64_t units)
{
    int opcode = hwsq_wait_longer(units);
    return opcode >= 0 && hwsq_wait_units((unsigned)opcode) == units ? opcode : -1;
}

static bool take_unit(const char **at, const char *end, uint64_t *factor)
{
    static const struct {
        char text[3];
        uint32_t factor;
    } units[] = {{"us", 1}, {"ms", 1000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (end - *at < 2 || memcmp(*at, units[i].text, 2) != 0 || (end - *at > 2 && isa_name_byte((*at)[2])))
            continue;
        *at += 2;
        *factor = units[i].factor;
        return true;
    }
    return false;
}

/* "24us" after an optional '~': nominal microseconds, which are units. 1 taken, 0 not here, -1 wrong. */
static int parse_time(struct isa_scan *scan, struct isa_build *build)
{
    const char *start = scan->at, *at = start;
    bool rounded = at < scan->end && *at == '~';
    at += rounded;
    uint64_t units = 0, factor = 0;
    const char *digits = at;
    for (; at < scan->end && *at >= '0' && *at <= '9' && at - digits < 12; at++)
        units = units * 10 + (unsigned)(*at - '0');
    if (at == digits || !take_unit(&at, scan->end, &factor))
        return 0;
    units *= factor;
    int exact = hwsq_wait_exact(units), longer = hwsq_wait_longer(units);
    size_t span = (size_t)(at - start);
    char what[40];
    memcpy(what, start, span);
    what[span] = 0;
    if (longer < 0) {
        isa_fail(scan, start, span, MSG_HWSQ_WAIT_LONG, NULL, what, -1, NULL);
        return -1;
    }
    char became[48];
    snprintf(became, sizeof became, "%lluus (wait 0x%x shl 0x%x)",
             (unsigned long long)hwsq_wait_units((unsigned)longer), (unsigned)longer & 3,
             ((unsigned)longer >> 2 & 15) * 2);
    if (exact < 0 && !rounded) {
        snprintf(scan->hint, sizeof scan->hint, "wait ~%s takes the nearest longer one: %s", what, became);
        isa_fail(scan, start, span, MSG_HWSQ_WAIT_INEXACT, scan->hint, what, -1, NULL);
        return -1;
    }
    if (exact < 0)
        isa_note(scan, start, span, MSG_HWSQ_WAIT_ROUNDED, what, became);
    isa_set_letter(build, 'l', (unsigned)longer & 3);
    isa_set_letter(build, 's', (unsigned)longer >> 2 & 15);
    scan->at = at;
    return 1;
}

PRINT(length)
{
    return print_number(at, insn, field, options);
}

PARSE(length)
{
    isa_skip(scan);
    int taken = parse_time(scan, build);
    return taken ? taken > 0 : parse_plain_number(scan, build, field);
}
READ_HEX(length)

PRINT(shift)
{
    (void)options;
    return text_hex(TEXT_LITERAL(at, " shl 0x"), isa_field_get(field, insn->bits) * 2);
}

/* Was the operand in front of `at` a time, which gives length and shift together? */
static bool is_behind_time(const char *at)
{
    return at[-1] == 's' && (at[-2] == 'u' || at[-2] == 'm') && at[-3] >= '0' && at[-3] <= '9';
}

PARSE(shift)
{
    if (is_behind_time(scan->at)) /* the mnemonic stands in front, so that these bytes are in the text */
        return true;
    if (!isa_take(scan, "shl") && !isa_take(scan, "SHL"))
        return isa_expected(scan, "'shl'");
    struct isa_value value;
    if (!isa_expression(scan, &value))
        return false;
    if (value.term_count || value.constant & 1 || value.constant < 0 || value.constant > 30)
        return isa_fail(scan, value.start, value.length, MSG_HWSQ_SHIFT, NULL, NULL, 0, NULL);
    build->bits = isa_field_set(field, build->bits, (uint64_t)value.constant / 2);
    return true;
}

READ(shift)
{
    static const char word[] = " shl ";
    enum { LENGTH = sizeof word - 1 };
    uint64_t value;
    if (scan->end - at > LENGTH && memcmp(at, word, LENGTH) == 0 && !is_behind_time(at)) {
        const char *behind = isa_read_hex(at + LENGTH, scan->end, &value);
        if (behind && value <= 30 && !(value & 1)) {
            build->bits = isa_field_fill(field, build->bits, value / 2);
            return behind;
        }
    }
    return isa_read_by(parse_shift, at, scan, build, field);
}

/* --- names --------------------------------------------------------------------------------------------- */

/* A name as it stands or in upper case, as all names of tables are. */
static bool number_of(const struct isa_scan *scan, enum gpucode_space space, const char *name, size_t length,
                      uint32_t *number)
{
    if (isa_number_of(scan->target->names, scan->names, space, name, length, number))
        return true;
    char upper[GPUCODE_NAME_MAX];
    if (length >= sizeof upper)
        return false;
    for (size_t i = 0; i < length; i++) {
        bool subscript_prefix = name[i] == 'x' && i && name[i - 1] == '0';
        upper[i] = name[i] >= 'a' && name[i] <= 'z' && !subscript_prefix ? (char)(name[i] - 'a' + 'A') : name[i];
    }
    return isa_number_of(scan->target->names, scan->names, space, upper, length, number);
}

static char *print_name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                        const struct gpucode_format_options *options, enum gpucode_space space)
{
    uint32_t number = (uint32_t)isa_field_get(field, insn->bits);
    char *end = isa_name_of(insn->target->names, options->names, space, number, at + 1);
    if (end == at + 1)
        return text_hex(TEXT_LITERAL(at, "0x"), number);
    *at = '#';
    return end;
}

/* Is a name without '#' one of the space, or nearly so? Constants that the source has defined come first. */
static bool is_bare_name(const struct isa_scan *scan, enum gpucode_space space)
{
    size_t length = isa_name(scan);
    int64_t value;
    bool is_address;
    uint32_t number;
    return length && !(scan->symbol && scan->symbol(scan->user, scan->at, length, &value, &is_address) > 0) &&
           (number_of(scan, space, scan->at, length, &number) ||
            isa_name_nearest(scan->target->names, space, scan->at, length));
}

/* "#NAME" or "NAME" of the space, else any expression; a constant of .equ may have the name. */
static bool parse_name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
                       enum gpucode_space space)
{
    isa_skip(scan);
    bool marked = scan->at < scan->end && *scan->at == '#';
    if (!marked && !is_bare_name(scan, space))
        return parse_plain_number(scan, build, field);
    const char *start = scan->at;
    scan->at += marked;
    size_t length = isa_name(scan);
    uint32_t number;
    int64_t value = 0;
    bool is_address;
    if (!length)
        return isa_expected_name(scan, start, "a name after '#'");
    if (number_of(scan, space, scan->at, length, &number)) {
        value = number;
        isa_tell_name(scan, space, scan->at, length, number);
    } else if (!scan->symbol || scan->symbol(scan->user, scan->at, length, &value, &is_address) <= 0) {
        const char *nearest = isa_name_nearest(scan->target->names, space, scan->at, length);
        char meant[GPUCODE_NAME_MAX + 1];
        snprintf(meant, sizeof meant, "%s%s", marked ? "#" : "", nearest ? nearest : "");
        return isa_fail_meant(scan, start, length + marked,
                              space == GPUCODE_SPACE_FLAG ? MSG_HWSQ_UNKNOWN_FLAG : MSG_HWSQ_UNKNOWN_EVENT, start,
                              (int)(length + marked), scan->isa->targets.generations[scan->target->generation],
                              nearest ? meant : NULL);
    }
    if (value < 0 || value > 31)
        return isa_out_of_range(scan, field, start, length + marked, value);
    scan->at += length;
    build->bits = isa_field_set(field, build->bits, (uint64_t)value);
    return true;
}

PRINT(flag)
{
    return print_name(at, insn, field, options, GPUCODE_SPACE_FLAG);
}

PARSE(flag)
{
    return parse_name(scan, build, field, GPUCODE_SPACE_FLAG);
}
READ_HEX(flag)

PRINT(event)
{
    return print_name(at, insn, field, options, GPUCODE_SPACE_EVENT);
}

PARSE(event)
{
    return parse_name(scan, build, field, GPUCODE_SPACE_EVENT);
}
READ_HEX(event)

/* Length of "PFB.CFG0" or "PBUS.HWSQ.CODE[0x2]" here; *dotted: more than a plain name. */
static size_t register_length(const struct isa_scan *scan, bool *dotted)
{
    size_t length = isa_name(scan), rest = (size_t)(scan->end - scan->at);
    *dotted = false;
    while (length && length < rest) {
        size_t more = 1;
        if (scan->at[length] == '[') {
            while (length + more < rest && isa_name_byte(scan->at[length + more]))
                more++;
            if (length + more == rest || scan->at[length + more] != ']')
                break;
            more++;
        } else if (scan->at[length] != '.' || length + 1 == rest || !isa_name_byte(scan->at[length + 1])) {
            break;
        }
        *dotted = true;
        length += more;
        while (length < rest && isa_name_byte(scan->at[length]))
            length++;
    }
    return length;
}

/* A register's name, with a number added or not, of which `low` takes the low half; or any expression. */
static bool parse_register(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, bool low)
{
    isa_skip(scan);
    const char *start = scan->at;
    bool dotted;
    size_t length = register_length(scan, &dotted);
    uint32_t number;
    if (!dotted) /* a plain name may be a constant of the source */
        return parse_number(scan, build, field);
    if (!number_of(scan, GPUCODE_SPACE_GPU, start, length, &number)) {
        const char *nearest = isa_name_nearest(scan->target->names, GPUCODE_SPACE_GPU, start, length);
        return isa_fail_meant(scan, start, length, MSG_UNKNOWN_REGISTER, start, (int)length,
                              scan->isa->targets.generations[scan->target->generation], nearest);
    }
    isa_tell_name(scan, GPUCODE_SPACE_GPU, start, length, number);
    scan->at += length;
    struct isa_value value = {.constant = 0};
    isa_skip_line(scan);
    const char *sign = scan->at;
    if (scan->at < scan->end && *scan->at == '+' && !isa_expression(scan, &value))
        return false;
    if (__builtin_add_overflow(value.constant, (int64_t)number, &value.constant))
        return isa_fail(scan, sign, 1, MSG_OVERFLOW, NULL, NULL, 0, NULL);
    value.start = start;
    value.length = (uint32_t)(scan->at - start);
    if (low)
        value.constant &= 0xffff;
    return isa_store(scan, build, field, &value);
}

PARSE(address)
{
    return parse_register(scan, build, field, false);
}
READ_HEX(address)

/* Only the low half is encoded. The upper one is what ADDR holds; whether the name lies there is not checked. */
PARSE(low_address)
{
    return parse_register(scan, build, field, true);
}
READ_HEX(low_address)

/* Only the low half is encoded; the upper one is what ADDR holds. */
static void resolve_half_address(const struct gpucode_insn *insn, const struct isa_field *field,
                                 struct gpucode_operand *operand)
{
    (void)insn, (void)field;
    operand->known = false;
    operand->indirect = true;
}

/* The list in rows.h names the functions; "plain" is the default of struct isa_operand_class. */
#define store_plain NULL
#define range_plain NULL

/* The roles of rows.h: type, use and space of struct isa_operand_class, and what completes an operand. */
#define ROLE_value GPUCODE_OPERAND_VALUE, 0, 0, NULL
#define ROLE_flag GPUCODE_OPERAND_REGISTER, GPUCODE_USE_WRITE, GPUCODE_SPACE_FLAG, NULL
#define ROLE_event GPUCODE_OPERAND_REGISTER, GPUCODE_USE_READ, GPUCODE_SPACE_EVENT, NULL
#define ROLE_address GPUCODE_OPERAND_REGISTER, 0, GPUCODE_SPACE_GPU, NULL
#define ROLE_half_address GPUCODE_OPERAND_REGISTER, 0, GPUCODE_SPACE_GPU, resolve_half_address

const struct isa_operand_class hwsq_kinds[] = {
#define OPERAND(letter, name, role, print, parse, range)                                                               \
    {name, print_##print, parse_##parse, store_##range, range_##range, false, ROLE_##role},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};

/* hwsq_rows_text and hwsq_rows_parse: rows as functions, of the functions above */
#define ROW_PRINT(name) print_##name
#define ROW_READ(name, at, scan, build, field) read_##name(at, scan, build, field)
#include "hwsq_texts.inc"
