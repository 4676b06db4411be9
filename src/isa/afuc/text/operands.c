/* SPDX-License-Identifier: MIT */
/*
 * AFUC operand kinds: for each, how to print it, parse it and turn a value into bits. The kinds stand in
 * the order of the letters in rows.h.
 */
#include "afuc_messages.h"
#include "isa/afuc/text/meaning.h"

#include "base/text.h"
#include "isa/scan.h"

#include <stdio.h>
#include <string.h>

/* Inline: the functions of rows at the end are made of these, with fields that are constants. */
#define INLINE inline __attribute__((always_inline))
#define PRINT(name)                                                                                                    \
    static INLINE char *print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,         \
                                     const struct gpucode_format_options *options)
#define PARSE(name)                                                                                                    \
    static bool parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
/* The operand at `at` as listings have it, and however else it may be written by PARSE(); the place after it, or null.
 */
#define READ(name)                                                                                                     \
    static INLINE const char *read_##name(const char *at, struct isa_scan *scan, struct isa_build *build,              \
                                          const struct isa_field *field)

/* --- modifiers in front of the mnemonic ---------------------------------------------------------------- */

/* Takes "(name)" or "(nameN)". 1 taken, 0 not here, -1 wrong. */
static int take_modifier(struct isa_scan *scan, const char *name, bool counted, uint64_t *count)
{
    isa_skip(scan);
    const char *start = scan->at;
    size_t length = strlen(name);
    if (scan->at >= scan->end || *scan->at != '(')
        return 0;
    scan->at++;
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, name, length) != 0) {
        scan->at = start;
        return 0;
    }
    scan->at += length;
    *count = 1;
    if (counted) {
        const char *number = scan->at;
        if (!isa_number(scan, count))
            return -1;
        if (*count < 1 || *count > 3) {
            isa_fail(scan, number, (size_t)(scan->at - number), MSG_AFUC_MODIFIER_COUNT, NULL, start,
                     (int)(scan->at - start) + 1, NULL);
            return -1;
        }
    }
    return isa_take(scan, ")") ? 1 : (isa_expected(scan, "')'"), -1);
}

static bool parse_modifier(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
                           const char *name, bool counted)
{
    uint64_t count;
    int taken = take_modifier(scan, name, counted, &count);
    if (taken > 0)
        build->bits = isa_field_set(field, build->bits, count);
    return taken >= 0;
}

/* Most instructions have no modifiers. */
#define READ_MODIFIER(name)                                                                                            \
    READ(name)                                                                                                         \
    {                                                                                                                  \
        return at < scan->end && ';' < *at ? at : isa_read_by(parse_##name, at, scan, build, field);                   \
    }

PRINT(repeat)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "(rep)") : at;
}

PARSE(repeat)
{
    return parse_modifier(scan, build, field, "rep", false);
}

READ(repeat)
{
    if (scan->end - at > 5 && memcmp(at, "(rep)", 5) == 0) {
        build->bits = isa_field_fill(field, build->bits, 1);
        return at + 5;
    }
    return at < scan->end && ';' < *at ? at : isa_read_by(parse_repeat, at, scan, build, field);
}

PRINT(extra_moves)
{
    (void)options;
    uint64_t count = isa_field_get(field, insn->bits);
    if (!count)
        return at;
    at = TEXT_LITERAL(at, "(xmov");
    *at++ = (char)('0' + count);
    *at++ = ')';
    return at;
}

PARSE(extra_moves)
{
    return parse_modifier(scan, build, field, "xmov", true);
}
READ_MODIFIER(extra_moves)

PRINT(peek)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "(peek)") : at;
}

PARSE(peek)
{
    return parse_modifier(scan, build, field, "peek", false);
}
READ_MODIFIER(peek)

PRINT(draw_state)
{
    (void)options;
    uint64_t count = isa_field_get(field, insn->bits);
    if (!count)
        return at;
    at = TEXT_LITERAL(at, "(sds");
    *at++ = (char)('0' + count);
    *at++ = ')';
    return at;
}

PARSE(draw_state)
{
    return parse_modifier(scan, build, field, "sds", true);
}
READ_MODIFIER(draw_state)

/* --- registers ----------------------------------------------------------------------------------------- */

/* Names of general registers come from users alone. */
static char *put_named_register(char *at, unsigned number, const struct gpucode_format_options *options)
{
    char *end = isa_name_of(NULL, options->names, GPUCODE_SPACE_GENERAL, number, at + 1);
    if (end == at + 1)
        return at;
    *at = '$';
    return end;
}

static INLINE char *put_register(char *at, unsigned number, const char texts[32][8], const uint8_t lengths[32],
                                 const struct gpucode_format_options *options)
{
    if (__builtin_expect(options->names != NULL, 0)) {
        char *end = put_named_register(at, number, options);
        if (end > at)
            return end;
    }
    memcpy(at, texts[number], 8);
    return at + lengths[number];
}

static bool parse_register(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, bool source)
{
    const char(*names)[9] = source ? afuc_source_names : afuc_destination_names;
    const char(*others)[9] = source ? afuc_destination_names : afuc_source_names;
    const uint8_t *lengths = source ? afuc_source_lengths : afuc_destination_lengths;
    const uint8_t *other_lengths = source ? afuc_destination_lengths : afuc_source_lengths;
    isa_skip(scan);
    const char *at = scan->at;
    if (at >= scan->end || *at != '$')
        return isa_expected(scan, scan->isa->text.operand_classes[field->kind].name);
    const char *name = at;
    for (at++; at < scan->end && isa_name_byte(*at);)
        at++;
    size_t length = (size_t)(at - name);
    int number = -1;
    if (length == 3 && text_hex_digit(name[1]) >= 0 && text_hex_digit(name[2]) >= 0)
        number = text_hex_digit(name[1]) * 16 + text_hex_digit(name[2]);
    for (int i = REG_SP; number < 0 && i < 32; i++) {
        if (lengths[i] == length && isa_same_text(names[i], name, length))
            number = i;
        else if (other_lengths[i] == length && isa_same_text(others[i], name, length)) {
            if (!source) { /* one number, and the reference takes either name */
                number = i;
                isa_note(scan, name, length, MSG_AFUC_OTHER_NAME, others[i], names[i]);
                break;
            }
            if (scan->quiet)
                return false;
            snprintf(scan->hint, sizeof scan->hint, "as a source register %02x is %s", (unsigned)i, names[i]);
            return isa_fail(scan, name, length, MSG_AFUC_REGISTER_ROLE, scan->hint, name, (int)length, "a source");
        }
    }
    uint32_t named = UINT32_MAX;
    if (number < 0 && isa_number_of(NULL, scan->names, GPUCODE_SPACE_GENERAL, name + 1, length - 1, &named))
        number = (int)named;
    if (number < 0 || number > 31)
        return isa_fail(scan, name, length, MSG_AFUC_REGISTER,
                        length > 3 ? "registers go from $00 to $1f; a symbol file (--symbols) may bring other names"
                                   : "registers go from $00 to $1f, in two hexadecimal digits",
                        name, (int)length, NULL);
    if (number == (int)named)
        isa_tell_name(scan, GPUCODE_SPACE_GENERAL, name + 1, length - 1, named);
    scan->at = at;
    build->bits = isa_field_set(field, build->bits, (unsigned)number);
    return true;
}

PRINT(destination)
{
    return put_register(at, (unsigned)isa_field_get(field, insn->bits), afuc_destination_texts,
                        afuc_destination_text_lengths, options);
}

PARSE(destination)
{
    return parse_register(scan, build, field, false);
}

PRINT(source)
{
    return put_register(at, (unsigned)isa_field_get(field, insn->bits), afuc_source_texts, afuc_source_text_lengths,
                        options);
}

PARSE(source)
{
    return parse_register(scan, build, field, true);
}

/* A register by one of the names that it has by itself; or however else it may be written. */
static const char *read_register_text(const char *at, struct isa_scan *scan, struct isa_build *build,
                                      const struct isa_field *field, bool source)
{
    const char(*texts)[8] = source ? afuc_source_texts : afuc_destination_texts;
    const char *behind = at;
    while (behind < scan->end && (isa_name_byte(*behind) || *behind == '$'))
        behind++;
    const size_t length = (size_t)(behind - at);
    const uint64_t key = length - 1 < ISA_KEY_BYTES ? isa_key(at, length) : 0;
    unsigned number = 31;
    while (number >= REG_SP && isa_key_here(texts[number]) != key)
        number--;
    if (!key || number < REG_SP)
        return isa_read_by(source ? parse_source : parse_destination, at, scan, build, field);
    build->bits = isa_field_set(field, build->bits, number);
    return behind;
}

/* A register as '$' and two digits, with something after them that is not part of a name. */
static INLINE const char *read_register(const char *at, struct isa_scan *scan, struct isa_build *build,
                                        const struct isa_field *field, bool source)
{
    if (scan->end - at >= 4) {
        uint32_t text = isa_hash_four(at);
        int digit = text_hex_digit((char)(text >> 16));
        if ((text & 0xfeff) == ('$' | '0' << 8) && digit >= 0 && text >> 24 < '0') {
            build->bits = isa_field_fill(field, build->bits, (text >> 4 & 16) | (unsigned)digit);
            return at + 3;
        }
    }
    return read_register_text(at, scan, build, field, source);
}

READ(destination)
{
    return read_register(at, scan, build, field, false);
}

READ(source)
{
    return read_register(at, scan, build, field, true);
}

/* --- immediates ---------------------------------------------------------------------------------------- */

PRINT(immediate)
{
    char *named = afuc_immediate_name(at, insn, options);
    if (named > at)
        return named;
    return text_hex(TEXT_LITERAL(at, "0x"), isa_field_get(field, insn->bits));
}

/* "b12" is a bit number and never the name of a constant. */
static bool is_bit(const struct isa_scan *scan)
{
    return scan->end - scan->at >= 2 && *scan->at == 'b' && scan->at[1] >= '0' && scan->at[1] <= '9';
}

PARSE(immediate)
{
    uint64_t number;
    struct isa_value value;
    isa_skip(scan);
    const char *behind = isa_plain_number(scan, &number);
    if (behind && !(number >> field->width)) {
        build->bits = isa_field_set(field, build->bits, number);
        scan->at = behind;
        return true;
    }
    if (scan->at < scan->end && (*scan->at == '$' || *scan->at == '[' || is_bit(scan)))
        return isa_expected(scan, scan->isa->text.operand_classes[field->kind].name);
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

READ(immediate)
{
    uint64_t number;
    const char *behind = isa_read_hex(at, scan->end, &number);
    if (behind && !(number >> field->width)) {
        build->bits = isa_field_fill(field, build->bits, number);
        return behind;
    }
    if (scan->end - at > 1 && (*at == '$' || (*at == 'b' && at[1] <= '9'))) /* a register or a bit: another row's */
        return NULL;
    return isa_read_by(parse_immediate, at, scan, build, field);
}

/* Immediates that no label can be meant for. */
PARSE(small)
{
    isa_skip(scan);
    if (scan->at < scan->end && *scan->at == '#')
        return isa_expected(scan, scan->isa->text.operand_classes[field->kind].name);
    return parse_immediate(scan, build, field);
}

READ(small)
{
    return at < scan->end && *at == '#' ? NULL : read_immediate(at, scan, build, field);
}

PRINT(shift)
{
    (void)options;
    uint64_t shift = isa_field_get(field, insn->bits);
    return shift ? text_decimal(TEXT_LITERAL(at, " << "), shift) : at;
}

PARSE(shift)
{
    const char *before = scan->at;
    if (!isa_take(scan, "<<")) {
        scan->at = before;
        return true;
    }
    return parse_immediate(scan, build, field);
}

/* Most have none. */
READ(shift)
{
    bool none = scan->end - at > 1 && *at == '\n' && at[1] > '<';
    return none ? at : isa_read_by(parse_shift, at, scan, build, field);
}

PRINT(bit)
{
    (void)options;
    *at++ = 'b';
    return text_decimal(at, isa_field_get(field, insn->bits));
}

PARSE(bit)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (!is_bit(scan))
        return isa_expected(scan, "a bit number b0 to b31");
    scan->at++;
    uint64_t number;
    if (!isa_number(scan, &number))
        return false;
    if (number > 31)
        return isa_out_of_range(scan, field, start, (size_t)(scan->at - start), (int64_t)number);
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

/* 'b' and one or two digits, no zero in front. */
READ(bit)
{
    if (scan->end - at > 3 && *at == 'b') {
        unsigned number = (unsigned char)(at[1] - '0'), second = (unsigned char)(at[2] - '0');
        const char *behind = at + 2;
        bool digit = number <= 9;
        if (second <= 9 && number) {
            number = 10 * number + second;
            behind++;
        }
        if (digit && number <= 31 && *behind < '0') {
            build->bits = isa_field_fill(field, build->bits, number);
            return behind;
        }
    }
    return isa_read_by(parse_bit, at, scan, build, field);
}

/* The high bit stands after the low one; where it is lower, afuc_check() has a word to say. */
static bool is_reversed(const struct isa_build *build)
{
    return (build->bits & 31) > (build->bits >> 5 & 31);
}

PARSE(high_bit)
{
    if (!parse_bit(scan, build, field))
        return false;
    build->parse_state = is_reversed(build);
    return true;
}

READ(high_bit)
{
    at = read_bit(at, scan, build, field);
    build->parse_state = is_reversed(build);
    return at;
}

/* --- addresses ------------------------------------------------------------------------------------------ */

/* With pre-increment the base is a step, not a register: it has no name. */
static INLINE char *put_register_name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                                      const struct gpucode_format_options *options, enum gpucode_space space, char mark)
{
    uint32_t number = (uint32_t)isa_field_get(field, insn->bits);
    if (insn->bits >> 14 & 1)
        return text_hex(TEXT_LITERAL(at, "0x"), number);
    char *end = options->names ? afuc_name(insn->target, options->names, space, number, at + 1)
                               : isa_name_of(insn->target->names, NULL, space, number, at + 1);
    if (end == at + 1)
        return text_hex_fixed(TEXT_LITERAL(at, "0x"), number, 3);
    *at = mark;
    return end;
}

PRINT(control)
{
    return put_register_name(at, insn, field, options, GPUCODE_SPACE_CONTROL, '@');
}

PRINT(sqe)
{
    return put_register_name(at, insn, field, options, GPUCODE_SPACE_SQE, '%');
}

PARSE(control)
{
    return parse_immediate(scan, build, field);
}

PARSE(sqe)
{
    return parse_immediate(scan, build, field);
}

/* The mark and a name in brackets, if the target has such registers; or any number. */
static INLINE const char *read_register_name(const char *at, struct isa_scan *scan, struct isa_build *build,
                                             const struct isa_field *field, enum gpucode_space space, char mark)
{
    const char *name = at + 1, *behind = name;
    if (at == scan->end || *at != mark)
        return read_immediate(at, scan, build, field);
    while (behind < scan->end && isa_name_byte(*behind))
        behind++;
    const struct isa_names *names = scan->target->names;
    uint32_t number;
    if (behind == scan->end || *behind != ']' || !names || !names->spaces[space] ||
        !isa_number_of(names, scan->names, space, name, (size_t)(behind - name), &number) || number >> field->width)
        return isa_read_by(parse_immediate, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, number);
    return behind;
}

READ(control)
{
    return read_register_name(at, scan, build, field, GPUCODE_SPACE_CONTROL, '@');
}

READ(sqe)
{
    return read_register_name(at, scan, build, field, GPUCODE_SPACE_SQE, '%');
}

PRINT(preincrement)
{
    (void)options;
    if (isa_field_get(field, insn->bits))
        *at++ = '!';
    return at;
}

/*
 * Also takes the flags operand of texts from before 2024: `, 0x8` puts 8 into bits 15:12 as it stands. After a '!' the
 * bit that this stands for is set whatever the flags say.
 */
PARSE(preincrement)
{
    const char *before = scan->at;
    const bool steps = isa_take(scan, "!");
    if (steps)
        before = scan->at;
    if (isa_take(scan, ",")) {
        uint64_t flags;
        isa_skip(scan);
        const char *start = scan->at;
        if (!isa_number(scan, &flags))
            return false;
        if (flags > 15)
            return isa_out_of_range(scan, field, start, (size_t)(scan->at - start), (int64_t)flags);
        build->bits = (build->bits & ~UINT64_C(0xf000)) | flags << 12;
        if (steps)
            build->bits = isa_field_set(field, build->bits, 1);
        int row = isa_row_of(scan->target, build->bits);
        const struct isa_row *became = row < 0 ? NULL : &afuc_rows.rows[row];
        if (flags && became != build->row)
            isa_note(scan, start, (size_t)(scan->at - start), MSG_AFUC_FLAGS,
                     became ? became->facts.mnemonic : "no instruction", NULL);
        return true;
    }
    if (steps)
        build->bits = isa_field_set(field, build->bits, 1);
    scan->at = before;
    return true;
}

READ(preincrement)
{
    return at < scan->end && *at == '\n' ? at : isa_read_by(parse_preincrement, at, scan, build, field);
}

/* ".fN": bits 15, 13 and 12 as they stand in a hexadecimal digit (bit 14 is the '!'). */
PRINT(unknown_bits)
{
    (void)options;
    uint64_t value = isa_field_get(field, insn->bits);
    return value ? text_hex(TEXT_LITERAL(at, ".f"), (value & 4) << 1 | (value & 3)) : at;
}

PARSE(unknown_bits)
{
    const char *start = scan->at;
    if (scan->at >= scan->end || *scan->at != '.')
        return true;
    int digit = scan->end - start >= 3 && start[1] == 'f' ? text_hex_digit(start[2]) : -1;
    if (digit < 0 || digit & 4 || (scan->end - start > 3 && isa_name_byte(start[3])))
        return isa_expected(scan, "'.fN' with N = bits 15, 13 and 12");
    uint64_t value = (unsigned)(digit & 8) >> 1 | (unsigned)(digit & 3);
    if (value >> field->width)
        return isa_expected(scan, "'.fN' with N = bits 13 and 12");
    scan->at += 3;
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

READ(unknown_bits)
{
    return at < scan->end && *at != '.' ? at : isa_read_by(parse_unknown_bits, at, scan, build, field);
}

/* --- branch targets -------------------------------------------------------------------------------------- */

static INLINE char *put_label(char *at, const struct gpucode_insn *insn, int64_t target, int64_t plain,
                              const char *prefix, const struct gpucode_format_options *options)
{
    *at++ = '#';
    if (target < 0)
        return text_signed(at, plain);
    if (options->label) {
        size_t length = options->label(options->user, insn, (uint64_t)target, at, GPUCODE_NAME_MAX);
        return length ? at + length : text_signed(at, plain);
    }
    return text_decimal(text_string(at, prefix), (uint64_t)target);
}

PRINT(branch)
{
    int64_t offset = (int16_t)isa_field_get(field, insn->bits);
    return put_label(at, insn, (int64_t)insn->address + offset, offset, "l", options);
}

PRINT(call_target)
{
    int64_t target = afuc_absolute_target(isa_field_get(field, insn->bits));
    return put_label(at, insn, target, target, "fxn", options);
}

PRINT(jump_target)
{
    int64_t target = afuc_absolute_target(isa_field_get(field, insn->bits));
    return put_label(at, insn, target, target, "l", options);
}

PARSE(label)
{
    struct isa_value value;
    isa_skip(scan);
    const char *start = scan->at;
    if (start >= scan->end || *start != '#')
        return isa_expected(scan, "a label #name");
    if (scan->end - start >= 2 && (start[1] == '-' || (start[1] >= '0' && start[1] <= '9'))) {
        size_t span = 1;
        while (start + span < scan->end && (start[span] == '-' || isa_name_byte(start[span])))
            span++;
        return isa_fail(scan, start, span, MSG_AFUC_NOT_A_LABEL, NULL, NULL, 0, NULL);
    }
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

READ(label)
{
    const char *behind = isa_read_label(at, scan, build, field);
    return behind ? behind : isa_read_by(parse_label, at, scan, build, field);
}

static bool store_branch(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    if (value < 0) /* the difference could overflow */
        return false;
    int64_t offset = value - (int64_t)address;
    *encoded = (uint16_t)offset;
    return offset >= INT16_MIN && offset <= INT16_MAX;
}

static void range_branch(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = INT16_MIN;
    *high = INT16_MAX;
}

PRINT(secure_target)
{
    (void)field;
    return put_label(at, insn, (int64_t)insn->address + 3, 3, "l", options);
}

static bool store_secure_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    *encoded = 0;
    return value == (int64_t)address + 3;
}

static void range_secure_target(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = *high = 3;
}

/* --- what operands are, for gpucode_insn_operands() --------------------------------------------------------- */

/* The number of the register is the base and what the offset register holds, after a step with '!'. */
static void resolve_offset(const struct gpucode_insn *insn, const struct isa_field *field,
                           struct gpucode_operand *operand)
{
    (void)field;
    operand->indirect = isa_letter(insn, 'o') != 0;
    operand->known = !operand->indirect;
}

static void resolve_branch(const struct gpucode_insn *insn, const struct isa_field *field,
                           struct gpucode_operand *operand)
{
    operand->value = (int64_t)insn->address + (int16_t)isa_field_get(field, insn->bits);
}

static void resolve_absolute(const struct gpucode_insn *insn, const struct isa_field *field,
                             struct gpucode_operand *operand)
{
    operand->value = afuc_absolute_target(isa_field_get(field, insn->bits));
}

static void resolve_secure(const struct gpucode_insn *insn, const struct isa_field *field,
                           struct gpucode_operand *operand)
{
    (void)field;
    operand->value = (int64_t)insn->address + 3;
}

/* The list in rows.h names the functions; "plain" is the default of struct isa_operand_class. */
#define store_plain NULL
#define range_plain NULL
#define from_address_plain false
#define from_address_branch true
#define from_address_secure_target true

/* The roles of rows.h: type, use and space of struct isa_operand_class, and what completes an operand. */
#define ROLE_modifier GPUCODE_OPERAND_MODIFIER, 0, 0, NULL
#define ROLE_value GPUCODE_OPERAND_VALUE, 0, 0, NULL
#define ROLE_read GPUCODE_OPERAND_REGISTER, GPUCODE_USE_READ, GPUCODE_SPACE_GENERAL, NULL
#define ROLE_written GPUCODE_OPERAND_REGISTER, GPUCODE_USE_WRITE, GPUCODE_SPACE_GENERAL, NULL
#define ROLE_control GPUCODE_OPERAND_REGISTER, 0, GPUCODE_SPACE_CONTROL, resolve_offset
#define ROLE_sqe GPUCODE_OPERAND_REGISTER, 0, GPUCODE_SPACE_SQE, resolve_offset
#define ROLE_branch GPUCODE_OPERAND_TARGET, 0, 0, resolve_branch
#define ROLE_absolute GPUCODE_OPERAND_TARGET, 0, 0, resolve_absolute
#define ROLE_secure GPUCODE_OPERAND_TARGET, 0, 0, resolve_secure

const struct isa_operand_class afuc_kinds[] = {
#define OPERAND(letter, name, role, print, parse, range)                                                               \
    {name, print_##print, parse_##parse, store_##range, range_##range, from_address_##range, ROLE_##role},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};

/* The line of a row: its printer without names, and what its last number means. */
static const struct gpucode_format_options no_names;
#define LINE_INSN(id)                                                                                                  \
    {                                                                                                                  \
        target, bits, address, AFUC_##id, 4, true                                                                      \
    }
#define ROW_LINE_AFTER(id, letter)                                                                                     \
    static char *line_after_##id(char *restrict at, uint64_t bits, uint64_t address,                                   \
                                 const struct gpucode_target *target)                                                  \
    {                                                                                                                  \
        const struct gpucode_insn insn = LINE_INSN(id);                                                                \
        struct afuc_meaning meaning;                                                                                   \
        at = put_after_##id(at, &insn, &no_names);                                                                     \
        if (!afuc_meaning_of(&insn, letter, &meaning))                                                                 \
            return at;                                                                                                 \
        return afuc_put_meaning(at, target, NULL, meaning.space, meaning.number);                                      \
    }
#define ROW_LINE(id, owner)                                                                                            \
    static char *line_##id(char *restrict at, uint64_t bits, uint64_t address, const struct gpucode_target *target)    \
    {                                                                                                                  \
        const struct gpucode_insn insn = LINE_INSN(id);                                                                \
        return line_after_##owner(put_before_##id(at, &insn, &no_names), bits, address, target);                       \
    }

/* afuc_rows_text and afuc_rows_parse: rows as functions, of the functions above */
#define ROW_PRINT(name) print_##name
#define ROW_READ(name, at, scan, build, field) read_##name(at, scan, build, field)
#include "afuc_texts.inc"

afuc_line *const afuc_rows_line[] = {
#define INSN(id, ...) line_##id,
#include "isa/afuc/text/insn.def"
#undef INSN
};
