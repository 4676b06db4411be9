/* SPDX-License-Identifier: MIT */
/*
 * MME operand kinds: for each, how to print it, parse it and turn a value into bits. The kinds stand in the order of
 * the letters in rows.h. The text is that of envyas, which tells operands apart by what they look like.
 */
#include "isa/mme/mme.h"
#include "mme_messages.h"

#include "base/text.h"
#include "isa/scan.h"

/* Inline: the texts of rows at the end are made of these. */
#define PRINT(name)                                                                                                    \
    static inline char *print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,         \
                                     const struct gpucode_format_options *options)
#define PARSE(name)                                                                                                    \
    static bool parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
#define UNUSED ((void)insn, (void)field, (void)options)

static char *put_signed(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return text_hex(TEXT_LITERAL(at, "0x"), (uint64_t)(value < 0 ? -value : value));
}

/* --- registers ------------------------------------------------------------------------------------------- */

static char *put_register(char *at, unsigned number)
{
    if (!number)
        return TEXT_LITERAL(at, "0x0");
    at = TEXT_LITERAL(at, "$r");
    *at++ = (char)('0' + number);
    return at;
}

/* "$r3", or any expression whose value is 0, which is register 0. */
static bool scan_register(struct isa_scan *scan, unsigned *number)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (start < scan->end && *start == '$') {
        const char *at = start + 1, *digits = at + 1;
        while (at < scan->end && isa_name_byte(*at))
            at++;
        uint64_t value = 0;
        bool good = digits < at && start[1] == 'r';
        for (const char *c = digits; c < at && good; c++) {
            good = *c >= '0' && *c <= '9' && value < 8;
            value = value * 10 + (unsigned)(*c - '0');
        }
        if (!good || value > 7)
            return isa_fail(scan, start, (size_t)(at - start), MSG_MME_REGISTER, NULL, start, (int)(at - start), NULL);
        *number = (unsigned)value;
        scan->at = at;
        return true;
    }
    struct isa_value value;
    if (start >= scan->end || *start == '\n' || isa_name(scan) || !isa_expression(scan, &value) || value.term_count ||
        value.constant) {
        scan->at = start;
        return isa_expected(scan, "a register");
    }
    *number = 0;
    return true;
}

PRINT(register)
{
    (void)options;
    return put_register(at, (unsigned)isa_field_get(field, insn->bits));
}

PARSE(register)
{
    unsigned number;
    if (!scan_register(scan, &number))
        return false;
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

static bool is_end(const struct isa_scan *scan)
{
    return scan->at >= scan->end || *scan->at == '\n' || *scan->at == ';';
}

/* Register 0 is left out: the result stands where it would. */
PRINT(optional)
{
    (void)options;
    unsigned number = (unsigned)isa_field_get(field, insn->bits);
    if (!number)
        return at;
    *at++ = ' ';
    return put_register(at, number);
}

/* A register in front of something else, which must be the result then. */
PARSE(optional)
{
    struct isa_scan ahead = *scan;
    unsigned number;
    isa_skip(&ahead);
    if (is_end(&ahead) || *ahead.at == '(' || !scan_register(&ahead, &number))
        return true;
    isa_skip_line(&ahead);
    if (is_end(&ahead))
        return true;
    scan->at = ahead.at;
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

/*
 * The register with the shift count of `(extrshl y src size x)`. Where `src` and the register are 0 the text would
 * read like the other extrshl, whose last operand is a number: only there register 0 is `$r0`.
 */
PRINT(count)
{
    uint32_t word = (uint32_t)insn->bits;
    if (mme_source(word) == 0 && mme_operation(word) == 0)
        return TEXT_LITERAL(at, "$r0");
    return print_register(at, insn, field, options);
}

/* --- sums ------------------------------------------------------------------------------------------------ */

enum { SUM_BRACKETED = 1, SUM_REGISTER = 2 }; /* isa_build.parse_state */

/* `(add x I)` when both are there; else the one that is, 0 for none. */
static bool is_bracketed(const struct gpucode_insn *insn)
{
    uint32_t word = (uint32_t)insn->bits;
    return mme_source(word) && mme_immediate(word);
}

PRINT(open)
{
    UNUSED;
    return is_bracketed(insn) ? TEXT_LITERAL(at, "(add ") : at;
}

PARSE(open)
{
    (void)field;
    struct isa_scan ahead = *scan;
    if (isa_take(&ahead, "(") && isa_take(&ahead, "add")) {
        build->parse_state = SUM_BRACKETED;
        scan->at = ahead.at;
    }
    return true;
}

PRINT(addend)
{
    unsigned number = (unsigned)isa_field_get(field, insn->bits);
    (void)options;
    return number ? put_register(at, number) : at;
}

PARSE(addend)
{
    isa_skip(scan);
    if (build->parse_state != SUM_BRACKETED && (is_end(scan) || *scan->at != '$'))
        return true;
    build->parse_state |= SUM_REGISTER;
    return parse_register(scan, build, field);
}

PRINT(rest)
{
    (void)field;
    (void)options;
    uint32_t word = (uint32_t)insn->bits;
    if (mme_source(word) && !mme_immediate(word))
        return at;
    if (mme_source(word))
        *at++ = ' ';
    return put_signed(at, mme_immediate(word));
}

PARSE(immediate)
{
    struct isa_value value;
    isa_skip(scan);
    if (isa_name(scan))
        return isa_expected(scan, "a value"); /* a bare name is a part of other instructions */
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

/* "(NAME" with a name that is not a constant: the name was meant to be an operation. */
static bool begins_operation(struct isa_scan *scan)
{
    struct isa_scan ahead = *scan;
    int64_t value;
    bool is_address;
    if (!isa_take(&ahead, "("))
        return false;
    isa_skip(&ahead);
    size_t length = isa_name(&ahead);
    if (!length || (scan->symbol && scan->symbol(scan->user, ahead.at, length, &value, &is_address) > 0))
        return false;
    isa_fail(scan, ahead.at, length, MSG_EXPECTED, NULL, "an operation", -1, NULL);
    return true;
}

PARSE(rest)
{
    if (build->parse_state == SUM_REGISTER)
        return true;
    return !begins_operation(scan) && parse_immediate(scan, build, field);
}

PRINT(close)
{
    UNUSED;
    if (is_bracketed(insn))
        *at++ = ')';
    return at;
}

PARSE(close)
{
    (void)field;
    return !(build->parse_state & SUM_BRACKETED) || isa_take(scan, ")") || isa_expected(scan, "')'");
}

/* --- numbers --------------------------------------------------------------------------------------------- */

PRINT(number)
{
    (void)options;
    return text_hex(TEXT_LITERAL(at, "0x"), isa_field_get(field, insn->bits));
}

PARSE(number)
{
    return parse_immediate(scan, build, field);
}

PRINT(immediate)
{
    UNUSED;
    return put_signed(at, mme_immediate((uint32_t)insn->bits));
}

static bool store_signed(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    int64_t limit = INT64_C(1) << (field->width - 1);
    (void)address;
    *encoded = (uint64_t)value;
    return value >= -limit && value < limit;
}

static void range_signed(const struct isa_field *field, int64_t *low, int64_t *high)
{
    int64_t limit = INT64_C(1) << (field->width - 1);
    *low = -limit;
    *high = limit - 1;
}

PRINT(target)
{
    (void)field;
    int64_t target = (int64_t)insn->address + mme_immediate((uint32_t)insn->bits);
    if (options->label && target >= 0) {
        size_t length = options->label(options->user, insn, (uint64_t)target, at + 1, GPUCODE_NAME_MAX);
        *at = '#';
        if (length)
            return at + 1 + length;
    }
    return put_signed(at, target);
}

PARSE(target)
{
    return parse_immediate(scan, build, field);
}

static bool store_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    return store_signed(field, address, (int64_t)((uint64_t)value - address), encoded);
}

#define range_target range_signed

/* --- words ----------------------------------------------------------------------------------------------- */

static const char *const operations[32] = {
#define OPERATION(number, name, ...) [number] = name,
#include "isa/mme/text/operation.def"
#undef OPERATION
};

/* The field has the low bits; the letter says which operations are meant. */
static unsigned operation_base(const struct isa_field *field)
{
    return field->letter == 'l' ? 8 : 0;
}

PRINT(operation)
{
    (void)options;
    return text_string(at, operations[operation_base(field) + isa_field_get(field, insn->bits)]);
}

PARSE(operation)
{
    unsigned base = operation_base(field);
    isa_skip(scan);
    size_t length = isa_name(scan);
    for (unsigned i = 0; length && i < 4; i++)
        if (strlen(operations[base + i]) == length && memcmp(operations[base + i], scan->at, length) == 0) {
            scan->at += length;
            build->bits = isa_field_set(field, build->bits, i);
            return true;
        }
    return isa_expected(scan, "an operation");
}

PRINT(exit)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "exit ") : at;
}

PARSE(exit)
{
    if (isa_take(scan, "exit"))
        build->bits = isa_field_set(field, build->bits, 1);
    return true;
}

PRINT(annul)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "annul ") : at;
}

PARSE(annul)
{
    if (isa_take(scan, "annul"))
        build->bits = isa_field_set(field, build->bits, 1);
    return true;
}

/* --- what the operands are ------------------------------------------------------------------------------- */

/* Register 0 is the number 0, and nothing is written to it. */
static void resolve_register(const struct gpucode_insn *insn, const struct isa_field *field,
                             struct gpucode_operand *operand)
{
    (void)insn;
    (void)field;
    if (operand->number)
        return;
    operand->type = GPUCODE_OPERAND_VALUE;
    operand->use = GPUCODE_USE_NONE;
}

static void resolve_number(const struct gpucode_insn *insn, const struct isa_field *field,
                           struct gpucode_operand *operand)
{
    (void)field;
    operand->value = mme_immediate((uint32_t)insn->bits);
}

static void resolve_target(const struct gpucode_insn *insn, const struct isa_field *field,
                           struct gpucode_operand *operand)
{
    (void)field;
    operand->value = (int64_t)insn->address + mme_immediate((uint32_t)insn->bits);
    operand->known = operand->value >= 0;
}

#define store_plain NULL
#define range_plain NULL
#define ROLE_modifier GPUCODE_OPERAND_MODIFIER, 0, 0, NULL
#define ROLE_value GPUCODE_OPERAND_VALUE, 0, 0, NULL
#define ROLE_number GPUCODE_OPERAND_VALUE, 0, 0, resolve_number
#define ROLE_read GPUCODE_OPERAND_REGISTER, GPUCODE_USE_READ, GPUCODE_SPACE_GENERAL, resolve_register
#define ROLE_written GPUCODE_OPERAND_REGISTER, GPUCODE_USE_WRITE, GPUCODE_SPACE_GENERAL, resolve_register
#define ROLE_target GPUCODE_OPERAND_TARGET, 0, 0, resolve_target

const struct isa_operand_class mme_kinds[] = {
#define OPERAND(letter, name, role, print, parse, range)                                                               \
    {name, print_##print, parse_##parse, store_##range, range_##range, letter == 'j', ROLE_##role},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};

/* mme_rows_text and mme_rows_parse: rows as functions, of the functions above */
#define ROW_PRINT(name) print_##name
#define ROW_READ(name, at, scan, build, field) isa_read_by(parse_##name, at, scan, build, field)
#include "mme_texts.inc"
