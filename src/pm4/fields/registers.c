/* SPDX-License-Identifier: MIT */
/* GPU registers by number and by name, and what their values mean. */
#include "pm4/fields/fields.h"

#include <gpucode/names.h>
#include <string.h>

const struct field_register *field_register_of(unsigned family, uint32_t number, uint32_t *at)
{
    if (!field_family_is_known(family) || number > 0x3ffff)
        return NULL;
    const uint32_t *runs = field_runs[family];
    uint32_t low = 0, high = field_run_counts[family];
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (runs[middle] >> FIELD_RUN_ROW_BITS <= number)
            low = middle;
        else
            high = middle;
    }
    uint32_t row = runs[low] & FIELD_NO_ROW;
    if (row == FIELD_NO_ROW)
        return NULL;
    *at = number - field_registers[row].number;
    return &field_registers[row];
}

/* Which element of an array, and which of its words. */
static uint32_t element_of(const struct field_register *row, uint32_t *at)
{
    uint32_t element = row->stride ? *at / row->stride : 0;
    *at -= element * row->stride;
    return element;
}

static char *put_text(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    to[length] = 0;
    return to + length;
}

size_t gpucode_register_name(unsigned family, uint32_t number, char *text, size_t size)
{
    uint32_t at;
    const struct field_register *row = text && size >= GPUCODE_NAME_MAX ? field_register_of(family, number, &at) : NULL;
    if (!row)
        return 0;
    const char *name = field_string(row->name);
    uint32_t element = element_of(row, &at);
    char *to = text;
    if (row->subscript < row->length) {
        to = put_text(to, name, row->subscript + 1u);
        to = field_put_hex(to, element);
        to = put_text(to, name + row->subscript + 1, row->length - row->subscript - 1u);
    } else {
        to = put_text(to, name, row->length);
    }
    if (row->type == FIELD_ELEMENT) {
        *to++ = '+';
        to = field_put_hex(to, at);
    } else if (at) {
        bool address = row->type == GPUCODE_FIELD_ADDRESS || row->type == GPUCODE_FIELD_WADDRESS;
        to = put_text(to, address ? "_HI" : "+", address ? 3 : 1);
        if (!address)
            to = field_put_hex(to, at);
    }
    return (size_t)(to - text);
}

/* A number in decimal or hexadecimal that ends at `end`; false: it is none. */
static bool take_number(const char *text, const char *end, uint32_t *value)
{
    unsigned base = 10;
    *value = 0;
    if (end - text > 2 && text[0] == '0' && text[1] == 'x') {
        base = 16;
        text += 2;
    }
    if (text == end || end - text > 8)
        return false;
    for (; text < end; text++) {
        const char *digits = "0123456789abcdef", *digit = *text ? strchr(digits, *text) : NULL;
        if (!digit || digit >= digits + base)
            return false;
        *value = *value * base + (uint32_t)(digit - digits);
    }
    return true;
}

/* Is the text the row's name with some subscript and suffix? */
static bool is_name(const struct field_register *row, const char *name, size_t length, uint32_t *number)
{
    const char *own = field_string(row->name), *end = name + length, *at = name + row->subscript;
    uint32_t element = 0, word = 0;
    if (length < row->subscript || memcmp(own, name, row->subscript) != 0)
        return false;
    if (row->subscript < row->length) {
        size_t tail = row->length - row->subscript - 2u;
        const char *close = at < end ? memchr(at, ']', (size_t)(end - at)) : NULL;
        if (!close || *at != '[' || !take_number(at + 1, close, &element) || element >= row->count)
            return false;
        at = close + 1;
        if ((size_t)(end - at) < tail || memcmp(at, own + row->subscript + 2, tail) != 0)
            return false;
        at += tail;
    }
    if (end - at == 3 && memcmp(at, "_HI", 3) == 0)
        word = 1;
    else if (at < end && (*at != '+' || !take_number(at + 1, end, &word)))
        return false;
    if (word && word >= (row->type == FIELD_ELEMENT ? row->stride : row->words))
        return false;
    *number = row->number + element * row->stride + word;
    return true;
}

bool gpucode_register_find(unsigned family, const char *name, size_t length, uint32_t *number)
{
    if (!field_family_is_known(family) || !name || !number)
        return false;
    const uint32_t *runs = field_runs[family];
    uint32_t last = FIELD_NO_ROW;
    for (unsigned i = 0; i < field_run_counts[family]; i++) {
        uint32_t row = runs[i] & FIELD_NO_ROW;
        if (row != FIELD_NO_ROW && row != last && is_name(&field_registers[row], name, length, number))
            return true;
        last = row;
    }
    return false;
}

unsigned gpucode_register_words(unsigned family, uint32_t number)
{
    uint32_t at;
    const struct field_register *row = field_register_of(family, number, &at);
    if (!row || row->type == FIELD_ELEMENT || row->words != 2)
        return 1;
    element_of(row, &at);
    return at == 0 ? 2 : 1;
}

/* A register that is one number. */
static size_t read_number(unsigned family, const struct field_register *row, uint64_t value,
                          struct gpucode_field_value *field)
{
    const struct field_row single = {.of = row->of,
                                     .low = row->low,
                                     .high = row->high,
                                     .type = row->type,
                                     .shr = row->shr,
                                     .radix = row->radix,
                                     .chips = 0xff};
    field_read(family, &single, value, field);
    field->name = "-";
    if (field->type == GPUCODE_FIELD_BOOLEAN)
        put_text(field->text, field->value ? "TRUE" : "FALSE", field->value ? 4 : 5);
    uint64_t rest = value & ~field_mask(row->low, row->high);
    size_t length = strlen(field->text);
    if (rest && length + 24 < sizeof field->text) {
        memcpy(field->text + length, " | ", 3);
        field_put_hex(field->text + length + 3, rest);
    }
    return 1;
}

/* A number that no register's row explains: eight digits. */
static size_t read_unknown(uint64_t value, struct gpucode_field_value *field)
{
    static const char digits[] = "0123456789abcdef";
    *field = (struct gpucode_field_value){.name = "-", .high = 31, .value = value};
    for (unsigned i = 0; i < 8; i++)
        field->text[i] = digits[value >> (28 - 4 * i) & 15];
    return 1;
}

size_t gpucode_register_fields(unsigned family, uint32_t number, uint64_t value, struct gpucode_field_value *fields,
                               size_t size)
{
    uint32_t at = 0;
    if (!field_family_is_known(family) || (!fields && size))
        return 0;
    const struct field_register *row = field_register_of(family, number, &at);
    if (row && row->type == FIELD_BITSET) {
        element_of(row, &at);
        if (!at)
            return field_read_layout(family, row->of, value, fields, size);
    }
    if (!size)
        return 1;
    if (!row || row->type == FIELD_ELEMENT || row->type == FIELD_BITSET)
        return read_unknown(value, fields);
    element_of(row, &at);
    if (!at)
        return read_number(family, row, value, fields);
    *fields = (struct gpucode_field_value){.name = "-", .high = 31, .value = value};
    field_put_hex(fields->text, value);
    return 1;
}

/* Appends what there is room for; counts all. */
static void append(char *text, size_t size, size_t *length, const char *part)
{
    size_t more = strlen(part);
    if (*length < size) {
        size_t room = size - *length - 1, some = more < room ? more : room;
        memcpy(text + *length, part, some);
        text[*length + some] = 0;
    }
    *length += more;
}

size_t gpucode_register_text(unsigned family, uint32_t number, uint64_t value, char *text, size_t size)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t count = gpucode_register_fields(family, number, value, fields, GPUCODE_FIELD_VALUES_MAX), length = 0;
    uint32_t at;
    if (!text && size)
        return 0;
    const struct field_register *row = field_register_of(family, number, &at);
    if (!count || !row || row->type != FIELD_BITSET) {
        if (count)
            append(text, size, &length, fields[0].text);
        return length;
    }
    append(text, size, &length, "{ ");
    for (size_t i = 0; i < count; i++) {
        bool flag = fields[i].type == GPUCODE_FIELD_BOOLEAN, nameless = strcmp(fields[i].name, "-") == 0;
        if (i)
            append(text, size, &length, " | ");
        if (!nameless)
            append(text, size, &length, fields[i].name);
        if (!nameless && !flag)
            append(text, size, &length, " = ");
        if (!flag || nameless)
            append(text, size, &length, fields[i].text);
    }
    append(text, size, &length, " }");
    return length;
}
