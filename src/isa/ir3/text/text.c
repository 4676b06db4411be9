/* SPDX-License-Identifier: MIT */
#include "isa/ir3/text/text.h"

#include "isa/ir3/family.h"

#include "base/text.h"

#include <stdio.h>

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* The names of registers by their numbers, which most of a text is: each is written as eight bytes and then shortened.
 */
static const struct {
    char text[7];
    uint8_t length;
} register_names[256] = {
#define ONE(name, component)                                                                                           \
    {                                                                                                                  \
        name component, sizeof name component - 1                                                                      \
    }
#define FOUR(name) ONE(name, ".x"), ONE(name, ".y"), ONE(name, ".z"), ONE(name, ".w")
#define TEN(ten)                                                                                                       \
    FOUR(ten "0"), FOUR(ten "1"), FOUR(ten "2"), FOUR(ten "3"), FOUR(ten "4"), FOUR(ten "5"), FOUR(ten "6"),           \
        FOUR(ten "7"), FOUR(ten "8"), FOUR(ten "9")
    TEN("r"),    TEN("r1"), TEN("r2"), TEN("r3"), TEN("r4"), TEN("r5"), FOUR("r60"), FOUR("a0"), /* A3XX_A0 */
    FOUR("p0"),                                                                                  /* A3XX_P0 */
    FOUR("r63"),                                                                                 /* A3XX_R63 */
#undef TEN
#undef FOUR
#undef ONE
};
_Static_assert(A3XX_A0 == 244 && A3XX_P0 == 248 && A3XX_R63 == 252, "all numbers have a name");

char *shader_put_register(char *at, unsigned number, bool half)
{
    *at = 'h';
    at += half;
    memcpy(at, &register_names[number], sizeof register_names[number]);
    return at + register_names[number].length;
}

/* --- reading their names ------------------------------------------------------------------------------------------ */

static bool bad_name(struct isa_scan *scan, const char *start, message_id message)
{
    const char *at = start;
    while (at < scan->end && (isa_name_byte(*at) || *at == '.'))
        at++;
    return isa_fail(scan, start, (size_t)(at - start), message, NULL, start, (int)(at - start), NULL);
}

/* "<a0.x>" or "<a0.x + 4>" as listings have it; false: it is something else, and nothing is taken. */
static bool take_plain_relative(struct isa_scan *scan, struct shader_name *name)
{
    enum { LONGEST = 16, DIGITS = 3 }; /* "<a0.x + 123>" and more after it */
    const char *at = scan->at;
    if (scan->end - at < LONGEST || memcmp(at, "<a0.x", 5) != 0 || scan->listener)
        return false;
    at += 5;
    bool minus = false;
    unsigned offset = 0;
    if (at[0] == ' ' && (at[1] == '+' || at[1] == '-') && at[2] == ' ' && at[3] != '0') {
        minus = at[1] == '-';
        at += 3;
        for (unsigned i = 0; i < DIGITS && *at >= '0' && *at <= '9'; i++)
            offset = offset * 10 + (unsigned)(*at++ - '0');
        if (!offset)
            return false;
    }
    if (*at != '>')
        return false;
    name->number = minus ? -(int)offset : (int)offset;
    scan->at = at + 1;
    return true;
}

/* "<a0.x + 4>" */
static bool take_relative(struct isa_scan *scan, const struct shader_naming *how, struct shader_name *name)
{
    if (take_plain_relative(scan, name))
        return true;
    if (!isa_take(scan, "<") || !isa_take(scan, "a0") || !isa_take(scan, ".") || !isa_take(scan, "x"))
        return isa_expected(scan, "'<a0.x + N>'");
    name->number = 0;
    isa_skip(scan);
    if (scan->at < scan->end && (*scan->at == '+' || *scan->at == '-')) {
        bool minus = *scan->at++ == '-';
        int64_t value;
        if (!how->offset(scan, &value))
            return false;
        name->number = (int)(minus ? -value : value);
    }
    return isa_take(scan, ">") || isa_expected(scan, "'>'");
}

/* "12.x" after the letter of a file; null: it is something else. */
static const char *read_number(const char *at, const char *end, bool zeros, unsigned *number)
{
    unsigned index = 0;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9' && at - digits < 4; at++)
        index = index * 10 + (unsigned)(*at - '0');
    if (end - at < 2 || *at != '.' || shader_component(at[1]) < 0 ||
        (end - at > 2 && (isa_name_byte(at[2]) || at[2] == '.')) || (!zeros && *digits == '0' && at - digits > 1))
        return NULL;
    *number = index * 4 + (unsigned)shader_component(at[1]);
    return at + 2;
}

bool shader_take_name(struct isa_scan *scan, const char *at, const struct shader_naming *how, struct shader_name *name)
{
    const char *start = scan->at, *end = scan->end;
    *name = (struct shader_name){.what = SHADER_IS_NOTHING, .start = start};
    if (end - at > 2 && *at == 'h' && (at[1] == 'r' || at[1] == 'c' || at[1] == 'a' || at[1] == 'p')) {
        name->half = true;
        at++;
    }
    if (end - at < 3)
        return true;
    char file = *at++;
    if (file != 'r' && file != 'c' && file != 'a' && file != 'p')
        return true;
    const char *mark = at;
    while (mark < end && *mark == ' ')
        mark++;
    if ((file == 'r' || file == 'c') && mark < end && *mark == '<') {
        name->what = file == 'r' ? SHADER_IS_RELATIVE : SHADER_IS_RELATIVE_CONST;
        scan->at = mark;
        if (!take_relative(scan, how, name))
            return false;
        name->span = (size_t)(scan->at - start);
        return true;
    }
    if (*at < '0' || *at > '9')
        return true;
    unsigned number;
    at = read_number(at, end, how->zeros, &number);
    if (!at || !how->settle(name, file, number))
        return bad_name(scan, start, file == 'c' ? how->no_const : how->no_register);
    scan->at = at;
    name->span = (size_t)(at - start);
    return true;
}

#define GPR_COUNT (61 * 4)

const struct shader_file shader_files[SHADER_FILE_LETTERS] = {
    ['r' % SHADER_FILE_LETTERS] = {0, GPR_COUNT, SHADER_IS_GPR, 'r', {0}},
    ['c' % SHADER_FILE_LETTERS] = {0, A3XX_CONST_COUNT, SHADER_IS_CONST, 'c', {0}},
    ['a' % SHADER_FILE_LETTERS] = {A3XX_A0, 4, SHADER_IS_SPECIAL, 'a', {0}},
    ['p' % SHADER_FILE_LETTERS] = {A3XX_P0, 4, SHADER_IS_SPECIAL, 'p', {0}},
};

bool shader_wrong_width(struct isa_scan *scan, struct shader_name name, bool want_half, message_id message)
{
    return isa_fail(scan, name.start, name.span, message,
                    want_half ? "half registers and consts are written hr0.x and hc0.x"
                              : "the h means half; leave it out",
                    name.start, (int)name.span, want_half ? "half" : "full");
}

/* --- floats that instructions have by a number ------------------------------------------------------------------ */

static const struct {
    char text[12];
    uint32_t bits;
} floats[SHADER_FLOATS] = {
    {"0.0", 0},
    {"0.5", 0x3f000000},
    {"1.0", 0x3f800000},
    {"2.0", 0x40000000},
    {"e", 0x402df854},
    {"pi", 0x40490fdb},
    {"1/pi", 0x3ea2f983},
    {"1/log2(e)", 0x3f317218},
    {"log2(e)", 0x3fb8aa3b},
    {"1/log2(10)", 0x3e9a209b},
    {"log2(10)", 0x40549a78},
    {"4.0", 0x40800000},
};

const char *shader_entry_text(unsigned index)
{
    return index < SHADER_FLOATS ? floats[index].text : "?";
}

uint32_t shader_entry_bits(unsigned index)
{
    return index < SHADER_FLOATS ? floats[index].bits : 0;
}

int shader_entry_index(uint32_t bits)
{
    for (int i = 0; i < SHADER_FLOATS; i++)
        if (floats[i].bits == bits)
            return i;
    return -1;
}

int shader_entry_named(const char *text, size_t length)
{
    for (int i = 0; i < SHADER_FLOATS; i++)
        if (strlen(floats[i].text) == length && memcmp(floats[i].text, text, length) == 0)
            return i;
    return -1;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* --- parts of operands -------------------------------------------------------------------------------------------- */

int shader_take_type(struct isa_scan *scan, shader_type_names names, bool u64)
{
    const char *at = scan->at;
    size_t rest = (size_t)(scan->end - at), length = 3;
    int type = rest < 2 ? -1 : *at == 'f' ? A3XX_F16 : *at == 'u' ? A3XX_U16 : *at == 's' ? A3XX_S16 : -1;
    if (type >= 0 && at[1] == '8') {
        const char *last = names[A3XX_S8]; /* "s8", or "u8_32" */
        bool is_last = *at == *last && (!last[2] || (rest >= 5 && memcmp(at + 2, last + 2, 3) == 0));
        if (!is_last && *at != 'u')
            return -1;
        type = is_last ? A3XX_S8 : A3XX_U8;
        length = is_last && last[2] ? 5 : 2;
    } else if (type < 0 || rest < 3) {
        return -1;
    } else if (at[1] == '3' && at[2] == '2') {
        type++;
    } else if (u64 && type == A3XX_U16 && at[1] == '6' && at[2] == '4') {
        type = A3XX_U8;
    } else if (at[1] != '1' || at[2] != '6') {
        return -1;
    }
    scan->at = at + length;
    return type;
}

bool shader_take_count(struct isa_scan *scan, uint64_t *count)
{
    const char *start = scan->at;
    scan->at += 4;
    if (!scan->listener && scan->end - start > 5 && start[5] == ')' && start[4] >= '0' && start[4] <= '9') {
        *count = (unsigned)(start[4] - '0');
        scan->at++;
    } else if (!isa_number(scan, count)) {
        return false;
    }
    if (scan->at >= scan->end || *scan->at != ')')
        return isa_expected(scan, "')'");
    scan->at++;
    return true;
}

bool shader_is_known(struct isa_scan *scan, const struct isa_value *value)
{
    return !value->term_count ||
           isa_fail(scan, value->start, value->length, MSG_NOT_KNOWN_YET, NULL, value->start, (int)value->length, NULL);
}

size_t shader_float_span(const struct isa_scan *scan, const char *start, size_t span)
{
    const char *at = start + span, *end = scan->end;
    while (at < end && (isa_name_byte(*at) || *at == '.')) {
        bool exponent = (*at | 32) == 'e';
        at++;
        at += exponent && at < end && (*at == '-' || *at == '+');
    }
    return (size_t)(at - start);
}

char *shader_put_word(char *at, uint64_t bits)
{
    at = text_hex_fixed(TEXT_LITERAL(at, "0x"), bits >> 32, 8);
    *at++ = '_';
    return text_hex_fixed(at, bits & 0xffffffff, 8);
}

bool shader_take_word(struct isa_scan *scan, struct isa_build *build, message_id wrong)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start;
    uint64_t value = 0;
    unsigned digits = 0, low_digits = 0;
    bool split = false, good = scan->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    for (at += good ? 2 : 0; good && at < scan->end && isa_name_byte(*at); at++) {
        if (*at == '_') {
            good = !split && digits;
            split = true;
            continue;
        }
        good = text_hex_digit(*at) >= 0 && ++digits <= 16;
        low_digits += split;
        value = value << 4 | (unsigned)text_hex_digit(*at);
    }
    if (!good || !digits || (split && low_digits != 8)) {
        while (at < scan->end && isa_name_byte(*at))
            at++;
        return isa_fail(scan, start, at > start ? (size_t)(at - start) : 1, wrong, NULL, NULL, 0, NULL);
    }
    scan->at = at;
    build->bits = value;
    return true;
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

char *shader_put_target(char *at, const struct gpucode_insn *insn, int64_t offset,
                        const struct gpucode_format_options *options)
{
    int64_t target = (int64_t)insn->address + offset;
    *at++ = '#';
    size_t length =
        options->label && target >= 0 ? options->label(options->user, insn, (uint64_t)target, at, GPUCODE_NAME_MAX) : 0;
    if (length)
        return at + length;
    return text_signed(at, offset);
}

bool shader_take_target(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (start >= scan->end || *start != '#')
        return isa_expected(scan, "#label or #offset");
    struct isa_value value;
    bool number =
        scan->end - start >= 2 && (start[1] == '-' || start[1] == '+' || (start[1] >= '0' && start[1] <= '9'));
    scan->at += number;
    if (!isa_expression(scan, &value))
        return false;
    if (value.is_address)
        return isa_store(scan, build, field, &value);
    int64_t low, high;
    shader_range_target(field, &low, &high);
    if (value.constant < low || value.constant > high) {
        isa_out_of_range(scan, field, start, (size_t)(scan->at - start), value.constant);
        if (high == INT16_MAX && value.constant > high && value.constant <= UINT16_MAX) {
            snprintf(scan->hint, sizeof scan->hint, "a branch back by %d is written #%d", 65536 - (int)value.constant,
                     (int)value.constant - 65536);
            scan->error.hint = scan->hint;
        }
        return false;
    }
    build->bits = isa_field_set(field, build->bits, (uint64_t)value.constant & (UINT64_MAX >> (64 - field->width)));
    return true;
}

bool shader_store_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    int64_t offset = value - (int64_t)address, low, high;
    shader_range_target(field, &low, &high);
    *encoded = (uint64_t)offset & (UINT64_MAX >> (64 - field->width));
    return offset >= low && offset <= high;
}

void shader_range_target(const struct isa_field *field, int64_t *low, int64_t *high)
{
    *high = (INT64_C(1) << (field->width - 1)) - 1;
    *low = -*high - 1;
}

/* --- what sources declare ----------------------------------------------------------------------------------------- */

struct shader_declared {
    struct shader_declared *next;
    struct gpucode_declaration declaration;
};

bool shader_declaration(const void *state, unsigned index, struct gpucode_declaration *declaration)
{
    const struct shader_declared *node = state ? ((const struct shader_declarations *)state)->first : NULL;
    for (; node && index; index--)
        node = node->next;
    if (node)
        *declaration = node->declaration;
    return node != NULL;
}

void *shader_state(struct asm_context *context, size_t size)
{
    void **state = asm_state(context);
    if (!*state)
        *state = asm_memory(context, size);
    return *state;
}

bool shader_declare(struct asm_context *context, struct shader_declarations *list,
                    const struct gpucode_declaration *declaration)
{
    struct shader_declared *node = asm_memory(context, sizeof *node);
    if (!list || !node)
        return false;
    node->declaration = *declaration;
    *(list->last ? &list->last->next : &list->first) = node;
    list->last = node;
    return true;
}
