/* SPDX-License-Identifier: MIT */
/*
 * AFUC operand kinds: for each, how to print it, parse it and turn a value into bits. The kinds stand in
 * the order of the letters in rows.h.
 */
#include "isa/afuc/text/addresses.h"
#include "isa/afuc/text/numbers.h"

/* --- operands in front of the mnemonic: (rep), (xmovN), (peek), (sdsN) -------------------------------------------- */

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
