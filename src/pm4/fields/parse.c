/* SPDX-License-Identifier: MIT */
/* Values of fields out of their texts: what value.c writes, and what a person writes in its place. */
#include "base/text.h"
#include "isa/decimal.h"
#include "isa/names.h"
#include "pm4/fields/fields.h"

#include <string.h>

static bool refuse(struct gpucode_field_wrong *wrong, enum gpucode_field_fault fault, const char *at, size_t length,
                   uint64_t limit)
{
    if (wrong)
        *wrong = (struct gpucode_field_wrong){.fault = fault, .at = at, .length = length, .limit = limit};
    return false;
}

static bool is_text(const char *text, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(text, other, length) == 0;
}

/* The whole text as a number. */
static bool take_number(const char *text, size_t length, uint64_t *value)
{
    return length && text_read_number(text, text + length, value) == text + length;
}

static bool take_name(const struct field_set *set, unsigned family, unsigned of, const char *text, size_t length,
                      uint64_t *value)
{
    const struct field_enum *type = &set->enums[of];
    for (unsigned i = type->first; i < type->first + type->count; i++)
        if (field_on_family(set->value_chips[i], family) && is_text(text, length, set->strings + set->value_names[i])) {
            *value = set->values[i];
            return true;
        }
    return false;
}

/* "-1.25" in units of 2^-radix, to the nearest. */
static bool take_fixed(const char *text, size_t length, unsigned radix, uint64_t *value)
{
    const char *at = text, *end = text + length;
    bool minus = at < end && *at == '-', overflow;
    uint64_t whole, places = 0, unit = 1;
    const char *point = text_read_digits(at += minus, end, 10, &whole, &overflow);
    if (point == at || overflow || whole >> (63 - radix))
        return false;
    if (point < end && *point == '.')
        for (point++; point < end && *point >= '0' && *point <= '9'; point++)
            if (unit < 1000000000) {
                places = places * 10 + (unsigned)(*point - '0');
                unit *= 10;
            }
    *value = (whole << radix) + ((radix < 34 ? places << radix : 0) + unit / 2) / unit;
    if (minus)
        *value = 0 - *value;
    return point == end;
}

static bool take_register(const char *text, size_t length, uint64_t *value)
{
    static const char components[] = "xyzw";
    const char *end = text + length, *dot, *component;
    bool overflow;
    if (length < 4 || *text != 'r') /* at least a digit */
        return false;
    dot = text_read_digits(text + 1, end, 10, value, &overflow);
    if (overflow || end - dot != 2 || *dot != '.' || *value > UINT32_MAX)
        return false;
    component = memchr(components, dot[1], 4);
    if (!component)
        return false;
    *value = 4 * *value + (uint64_t)(component - components);
    return true;
}

/* A decimal value with a point, or one that may be negative; *bits as they stand in the field. */
static bool take_real(const struct field_row *row, const char *text, size_t length, uint64_t *bits)
{
    unsigned width = row->high - row->low + 1u, radix = row->radix & 63;
    enum gpucode_field_type type = field_type_of(row);
    struct decimal number;
    bool real;
    if (type == GPUCODE_FIELD_FLOAT) {
        if (!length || decimal_read(text, length, &number, &real) != length)
            return false;
        *bits = decimal_to_bits(&number, width + row->shr == 16 ? &decimal_f16 : &decimal_f32) >> row->shr;
        return width + row->shr == 16 || width + row->shr == 32;
    }
    bool minus = length && *text == '-';
    if (!take_fixed(text, length, type == GPUCODE_FIELD_INT ? 0 : radix, bits) ||
        (minus && type == GPUCODE_FIELD_UFIXED))
        return false;
    unsigned shifted = width + row->shr;
    if (minus && shifted < 64) { /* the sign's bits are cut off, where they all are its */
        if (*bits >> (shifted - 1) != UINT64_MAX >> (shifted - 1))
            return false;
        *bits &= (UINT64_C(1) << shifted) - 1;
    } else if (!minus && type != GPUCODE_FIELD_UFIXED && *bits >> (shifted - 1)) {
        return false;
    }
    *bits >>= row->shr;
    return true;
}

/* The bits of one field, not shifted to their place. */
static bool parse_value(const struct field_set *set, unsigned family, const struct field_row *row, const char *text,
                        size_t length, uint64_t *bits, struct gpucode_field_wrong *wrong)
{
    uint64_t most = field_mask(0, row->high - row->low), value = 0;
    enum gpucode_field_type type = field_type_of(row);
    bool real = type == GPUCODE_FIELD_FLOAT || type == GPUCODE_FIELD_FIXED || type == GPUCODE_FIELD_UFIXED ||
                type == GPUCODE_FIELD_INT;
    if (real && !(length > 2 && text[1] == 'x')) {
        if (!take_real(row, text, length, bits))
            return refuse(wrong, GPUCODE_FIELD_NO_VALUE, text, length, 0);
        return *bits <= most || refuse(wrong, GPUCODE_FIELD_LARGE, text, length, most);
    }
    bool good = take_number(text, length, &value);
    if (!good && type == GPUCODE_FIELD_ENUM)
        good = take_name(set, family, row->of, text, length, &value);
    if (!good && type == GPUCODE_FIELD_REGID)
        good = take_register(text, length, &value);
    if (!good && type == GPUCODE_FIELD_BOOLEAN) {
        value = is_text(text, length, "set") || is_text(text, length, "TRUE");
        good = value || is_text(text, length, "FALSE");
    }
    if (!good)
        return refuse(wrong, GPUCODE_FIELD_NO_VALUE, text, length, 0);
    unsigned shift = real ? 0 : row->shr;
    if (value & ((UINT64_C(1) << shift) - 1))
        return refuse(wrong, GPUCODE_FIELD_UNIT, text, length, UINT64_C(1) << shift);
    *bits = value >> shift;
    return *bits <= most || refuse(wrong, GPUCODE_FIELD_LARGE, text, length, most << shift);
}

/* --- several fields ----------------------------------------------------------------------------------------------- */

static void trim(const char **text, const char **end)
{
    while (*text < *end && (**text == ' ' || **text == '\t'))
        ++*text;
    while (*end > *text && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        --*end;
}

/* Gives bits of the mask their values; bits that the text has `given` already are not given others. */
static bool give(uint64_t mask, uint64_t bits, uint64_t *given, uint64_t *value)
{
    if ((*value ^ bits) & mask & *given)
        return false;
    *given |= mask;
    *value |= bits;
    return true;
}

/* "NAME = VALUE", "FLAG", or a number, whose bits are added. */
static bool parse_part(const struct field_text_of *of, const char *text, const char *end, uint64_t *given,
                       uint64_t *value, struct gpucode_field_wrong *wrong)
{
    const char *equals = memchr(text, '=', (size_t)(end - text)), *name_end = equals ? equals : end;
    uint64_t bits = 0;
    if (!equals && take_number(text, (size_t)(end - text), &bits)) {
        if (bits > of->most)
            return refuse(wrong, GPUCODE_FIELD_LARGE, text, (size_t)(end - text), of->most);
        return give(bits, bits, given, value) || refuse(wrong, GPUCODE_FIELD_TWICE, text, (size_t)(end - text), 0);
    }
    trim(&text, &name_end);
    const struct field_row *row = of->find(of->user, text, (size_t)(name_end - text), *value);
    if (!row || (!equals && row->type != GPUCODE_FIELD_BOOLEAN))
        return refuse(wrong, row ? GPUCODE_FIELD_NO_VALUE : GPUCODE_FIELD_NO_NAME, text, (size_t)(name_end - text), 0);
    bits = 1; /* a flag */
    if (equals) {
        equals++;
        trim(&equals, &end);
        if (!parse_value(of->set, of->family, row, equals, (size_t)(end - equals), &bits, wrong))
            return false;
    }
    return give(field_mask(row->low, row->high), bits << row->low, given, value) ||
           refuse(wrong, GPUCODE_FIELD_TWICE, text, (size_t)(name_end - text), 0);
}

bool field_parse_text(const struct field_text_of *of, const char *text, size_t length, uint64_t *value,
                      struct gpucode_field_wrong *wrong)
{
    const char *end = text + length;
    uint64_t given = 0;
    trim(&text, &end);
    if (end - text >= 2 && *text == '{' && end[-1] == '}') {
        text++;
        end--;
    }
    for (bool first = true;; first = false) {
        const char *bar = text < end ? memchr(text, '|', (size_t)(end - text)) : NULL, *stop = bar ? bar : end,
                   *part = text;
        uint64_t bits;
        trim(&part, &stop);
        if (first && of->single) {
            if (!parse_value(of->set, of->family, of->single, part, (size_t)(stop - part), &bits, wrong))
                return false;
            give(field_mask(of->single->low, of->single->high), bits << of->single->low, &given, value);
        } else if (!parse_part(of, part, stop, &given, value, wrong)) {
            return false;
        }
        if (!bar)
            return true;
        text = bar + 1;
    }
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

struct layout_of {
    unsigned family, layout;
};

static const struct field_row *find_in_layout(void *user, const char *name, size_t length, uint64_t value)
{
    const struct layout_of *of = user;
    const struct field_layout *rows = &field_built_in.layouts[of->layout];
    (void)value;
    for (unsigned i = 0; i < rows->count; i++) {
        const struct field_row *row = &field_built_in.rows[rows->first + i];
        if (field_on_family(row->chips, of->family) && is_text(name, length, field_string(row->name)))
            return row;
    }
    return NULL;
}

const char *field_nearest(const char *name, size_t length, const char *(*next)(void *user, unsigned index), void *user)
{
    const char *found = NULL, *other;
    unsigned best = length < 4 ? 2 : (unsigned)(length < 12 ? length / 2 : 6);
    for (unsigned i = 0; (other = next(user, i)); i++) {
        unsigned distance = text_distance(name, length, other, strlen(other), best);
        if (distance < best && *other) { /* empty: one of those without a name */
            best = distance;
            found = other;
        }
    }
    return best ? found : NULL; /* one that stands there already is none of those that it may be here */
}

static const char *layout_name(void *user, unsigned index)
{
    const struct layout_of *of = user;
    const struct field_layout *rows = &field_built_in.layouts[of->layout];
    return index < rows->count ? field_string(field_built_in.rows[rows->first + index].name) : NULL;
}

bool gpucode_register_read(unsigned family, uint32_t number, const char *text, size_t length, uint64_t *value,
                           struct gpucode_field_wrong *wrong)
{
    const struct field_register *row;
    uint32_t at = 0;
    struct field_row single = {.high = 31, .type = GPUCODE_FIELD_HEX, .chips = 0xff};
    if (!field_family_is_known(family) || !text || !value)
        return false;
    row = field_register_row(family, number, &at);
    struct layout_of layout = {family, row && !at && row->type == FIELD_BITSET ? row->of : FIELD_NO_LAYOUT};
    struct field_text_of of = {.set = &field_built_in, .family = family, .find = find_in_layout, .user = &layout};
    of.most = row && !at && row->words == 2 ? UINT64_MAX : UINT32_MAX;
    if (layout.layout == FIELD_NO_LAYOUT) {
        of.single = &single;
        if (row && !at && row->type < FIELD_BITSET)
            single = field_row_of(row);
    }
    *value = 0;
    if (field_parse_text(&of, text, length, value, wrong))
        return true;
    if (wrong && wrong->fault == GPUCODE_FIELD_NO_NAME && !of.single)
        wrong->nearest = field_nearest(wrong->at, wrong->length, layout_name, &layout);
    return false;
}

/* --- names that are near ------------------------------------------------------------------------------------------ */

static const char *register_name(void *user, unsigned index)
{
    static const char none[] = "";
    const uint32_t *run = field_built_in.runs[*(const unsigned *)user] + index;
    if (*run == UINT32_MAX)
        return NULL;
    uint32_t row = *run & FIELD_NO_ROW;
    return row == FIELD_NO_ROW ? none : field_string(field_built_in.registers[row].name);
}

const char *gpucode_register_nearest(unsigned family, const char *name, size_t length)
{
    return field_family_is_known(family) && name ? field_nearest(name, length, register_name, &family) : NULL;
}

static const char *packet_name(void *user, unsigned index)
{
    const char *name = index < 256 ? gpucode_packet_name(*(const unsigned *)user, index) : NULL;
    return name || index >= 256 ? name : "";
}

const char *gpucode_packet_nearest(unsigned family, const char *name, size_t length)
{
    return field_family_is_known(family) && name ? field_nearest(name, length, packet_name, &family) : NULL;
}
