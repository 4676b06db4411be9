/* SPDX-License-Identifier: MIT */
/* GPU registers by number and by name, and what their values mean. */
#include "base/text.h"
#include "isa/isa.h"
#include "pm4/fields/fields.h"

#include <gpucode/names.h>
#include <string.h>

/* The run that a number lies in; null: the set has no registers of the family, or none of such a number. `space` is a
 * family, or FIELD_GMU() of one. */
static const uint32_t *run_of(const struct field_set *set, unsigned space, uint32_t number)
{
    if (space < GPUCODE_FAMILY_MIN || space >= FIELD_FAMILIES || number >= 0x3ffff || !set->runs[space])
        return NULL;
    const uint32_t *run = set->runs[space] + set->buckets[space][number >> FIELD_BUCKET_BITS];
    while (run[1] >> FIELD_RUN_ROW_BITS <= number) /* the last run begins after all numbers */
        run++;
    return run;
}

/* The row of a register and, in `*at`, which of its numbers it is; null: no register. */
static const struct field_register *register_of(const struct field_set *set, unsigned space, uint32_t number,
                                                uint32_t *at)
{
    const uint32_t *run = run_of(set, space, number);
    uint32_t row = run ? *run & FIELD_NO_ROW : FIELD_NO_ROW;
    if (row == FIELD_NO_ROW)
        return NULL;
    *at = number - set->registers[row].number;
    return &set->registers[row];
}

/* The register in the user's tables, which must know more of it than its name, else in the built-in ones. */
static const struct field_register *find_register(const struct gpucode_meanings *own, unsigned space, uint32_t number,
                                                  uint32_t *at, const struct field_set **set)
{
    const struct field_register *row = own ? register_of(&own->set, space, number, at) : NULL;
    *set = row ? &own->set : &field_built_in;
    return row ? row : register_of(&field_built_in, space, number, at);
}

/* Which element of an array, and which of its words. */
static uint32_t element_of(const struct field_register *row, uint32_t *at)
{
    uint32_t element = row->stride ? *at / row->stride : 0;
    *at -= element * row->stride;
    return element;
}

const struct field_register *field_register_row(unsigned family, uint32_t number, uint32_t *at)
{
    const struct field_register *row = register_of(&field_built_in, family, number, at);
    if (row)
        element_of(row, at);
    return row;
}

static char *put_text(char *to, const char *text, size_t length)
{
    to = text_put_name(to, text, length);
    *to = 0;
    return to;
}

static size_t register_name(unsigned space, uint32_t number, char *text, size_t size)
{
    uint32_t at;
    const struct field_register *row =
        text && size >= GPUCODE_NAME_MAX ? register_of(&field_built_in, space, number, &at) : NULL;
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

size_t gpucode_register_name(unsigned family, uint32_t number, char *text, size_t size)
{
    return field_family_is_known(family) ? register_name(family, number, text, size) : 0;
}

bool gpucode_register_next(unsigned family, uint32_t *number)
{
    const uint32_t *run = field_family_is_known(family) && number ? run_of(&field_built_in, family, *number) : NULL;
    if (!run || (*run & FIELD_NO_ROW) != FIELD_NO_ROW)
        return run != NULL;
    if (run[1] == UINT32_MAX) /* numbers without a row stand in one run, and this is the last one */
        return false;
    *number = run[1] >> FIELD_RUN_ROW_BITS;
    return true;
}

/* FIELD_GMU() of a family, 0: it has no GMU. */
static unsigned gmu_of(unsigned family)
{
    return field_family_is_known(family) && family >= FIELD_GMU_FIRST ? FIELD_GMU(family) : 0;
}

size_t gpucode_gmu_register_name(unsigned family, uint32_t number, char *text, size_t size)
{
    return register_name(gmu_of(family), number, text, size);
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

/* The first number of the family that the row names, as another may claim some of them; UINT32_MAX: none. */
static uint32_t first_of(unsigned family, const struct field_register *row)
{
    uint32_t words = row->type == FIELD_ELEMENT ? row->stride : row->words, at;
    for (uint32_t element = 0; element < row->count; element++)
        for (uint32_t word = 0; word < words; word++) {
            uint32_t number = row->number + element * row->stride + word;
            if (register_of(&field_built_in, family, number, &at) == row)
                return number;
        }
    return UINT32_MAX;
}

/* Below, at or above 0 as the name of a row stands before, at or after the text. */
static int compare_name(unsigned order, const char *text, size_t length)
{
    const struct field_register *row = &field_built_in.registers[field_register_order[order]];
    const size_t shorter = row->length < length ? row->length : length;
    int found = memcmp(field_string(row->name), text, shorter);
    return found ? found : ORDER(row->length, length);
}

/*
 * Of the rows with such a name, "[]" for any subscript, the one with the lowest number: lower than `*first`, which
 * becomes that.
 */
static bool find_among(unsigned family, const char *plain, size_t plain_length, const char *name, size_t length,
                       uint32_t *first, uint32_t *number)
{
    unsigned low = 0, high = field_register_count;
    uint32_t found;
    bool any = false;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (compare_name(middle, plain, plain_length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < field_register_count && compare_name(low, plain, plain_length) == 0; low++) {
        const struct field_register *row = &field_built_in.registers[field_register_order[low]];
        uint32_t begins = is_name(row, name, length, &found) ? first_of(family, row) : UINT32_MAX;
        if (begins < *first) {
            *first = begins;
            *number = found;
            any = true;
        }
    }
    return any;
}

bool gpucode_register_find(unsigned family, const char *name, size_t length, uint32_t *number)
{
    char plain[2 * GPUCODE_NAME_MAX];
    uint32_t first = UINT32_MAX;
    if (!field_family_is_known(family) || !name || !number || length > sizeof plain)
        return false;
    const char *open = memchr(name, '[', length);
    const char *close = open ? memchr(open, ']', length - (size_t)(open - name)) : NULL;
    char *end = text_put(plain, name, close ? (size_t)(open + 1 - name) : length);
    if (close)
        end = text_put(end, close, length - (size_t)(close - name));
    size_t whole = (size_t)(end - plain);
    bool found = find_among(family, plain, whole, name, length, &first, number);
    if (whole > 3 && memcmp(end - 3, "_HI", 3) == 0)
        found |= find_among(family, plain, whole - 3, name, length, &first, number);
    const char *plus = memchr(plain, '+', whole);
    if (plus)
        found |= find_among(family, plain, (size_t)(plus - plain), name, length, &first, number);
    return found;
}

unsigned gpucode_meanings_words(const struct gpucode_meanings *own, unsigned family, uint32_t number)
{
    uint32_t at;
    const struct field_set *set;
    const struct field_register *row =
        field_family_is_known(family) ? find_register(own, family, number, &at, &set) : NULL;
    if (!row || row->type == FIELD_ELEMENT || row->words != 2)
        return 1;
    element_of(row, &at);
    return at == 0 ? 2 : 1;
}

/* A register that is one number; returns the end of its text. */
static char *put_number(const struct field_set *set, unsigned family, const struct field_register *row, uint64_t value,
                        struct gpucode_field_value *field)
{
    const struct field_row single = field_row_of(row);
    field_read(set, family, &single, value, field);
    field->name = "-";
    char *end = field->text + strlen(field->text);
    if (field->type == GPUCODE_FIELD_BOOLEAN)
        end = put_text(field->text, field->value ? "TRUE" : "FALSE", field->value ? 4 : 5);
    uint64_t rest = value & ~field_mask(row->low, row->high);
    if (rest && end - field->text + 24 < (ptrdiff_t)sizeof field->text)
        end = field_put_hex(put_text(end, " | ", 3), rest);
    return end;
}

/* A number that no register's row explains: eight digits. */
static char *put_unknown(uint64_t value, struct gpucode_field_value *field)
{
    static const char digits[] = "0123456789abcdef";
    field->name = "-";
    field->low = 0;
    field->high = 31;
    field->type = GPUCODE_FIELD_HEX;
    field->named = false;
    field->value = value;
    for (unsigned i = 0; i < 8; i++)
        field->text[i] = digits[value >> (28 - 4 * i) & 15];
    field->text[8] = 0;
    return field->text + 8;
}

/* Of a register without fields, or a word of it that has none; returns the end of the text. */
static char *put_single(const struct field_set *set, unsigned family, const struct field_register *row, uint32_t at,
                        uint64_t value, struct gpucode_field_value *field)
{
    char *end = put_unknown(value, field);
    if (!row || row->type == FIELD_ELEMENT || row->type == FIELD_BITSET)
        return end;
    return at ? field_put_hex(field->text, value) : put_number(set, family, row, value, field);
}

size_t gpucode_meanings_fields(const struct gpucode_meanings *own, unsigned family, uint32_t number, uint64_t value,
                               struct gpucode_field_value *fields, size_t size)
{
    uint32_t at = 0;
    const struct field_set *set;
    if (!field_family_is_known(family) || (!fields && size))
        return 0;
    const struct field_register *row = find_register(own, family, number, &at, &set);
    if (row)
        element_of(row, &at);
    if (row && row->type == FIELD_BITSET && !at)
        return field_read_layout(set, family, row->of, value, fields, size);
    if (size)
        put_single(set, family, row, at, value, fields);
    return 1;
}

/* `space`: the family, or FIELD_GMU() of it. */
static size_t register_text(const struct gpucode_meanings *own, unsigned space, unsigned family, uint32_t number,
                            uint64_t value, char *text, size_t size)
{
    uint32_t at = 0;
    const struct field_set *set;
    struct field_text out = {text, size, 0};
    struct gpucode_field_value field;
    if (!space || !field_family_is_known(family) || (!text && size))
        return 0;
    const struct field_register *row = find_register(own, space, number, &at, &set);
    if (row)
        element_of(row, &at);
    if (row && row->type == FIELD_BITSET && !at)
        field_put_layout(set, family, row->of, value, &out);
    else
        field_append(&out, field.text, (size_t)(put_single(set, family, row, at, value, &field) - field.text));
    return out.length;
}

size_t gpucode_meanings_text(const struct gpucode_meanings *own, unsigned family, uint32_t number, uint64_t value,
                             char *text, size_t size)
{
    return register_text(own, family, family, number, value, text, size);
}

size_t gpucode_gmu_register_text(unsigned family, uint32_t number, uint64_t value, char *text, size_t size)
{
    return register_text(NULL, gmu_of(family), family, number, value, text, size);
}

unsigned gpucode_register_words(unsigned family, uint32_t number)
{
    return gpucode_meanings_words(NULL, family, number);
}

size_t gpucode_register_fields(unsigned family, uint32_t number, uint64_t value, struct gpucode_field_value *fields,
                               size_t size)
{
    return gpucode_meanings_fields(NULL, family, number, value, fields, size);
}

size_t gpucode_target_register_fields(const struct gpucode_target *target, unsigned space, uint32_t number,
                                      uint64_t value, struct gpucode_field_value *fields, size_t size)
{
    unsigned family = gpucode_target_family(target);
    size_t count =
        target && target->isa->text.fields ? target->isa->text.fields(target, space, number, value, fields, size) : 0;
    return count || space != GPUCODE_SPACE_GPU || !family
               ? count
               : gpucode_register_fields(family, number, value, fields, size);
}

size_t gpucode_target_register_text(const struct gpucode_target *target, unsigned space, uint32_t number,
                                    uint64_t value, char *text, size_t size)
{
    struct gpucode_field_value field;
    size_t length = isa_fields_text(target, space, number, value, text, size);
    if (length || space != GPUCODE_SPACE_GPU ||
        !gpucode_target_register_fields(target, space, number, UINT32_MAX, &field, 1) || field.name[0] == '-')
        return length;
    return gpucode_register_text(gpucode_target_family(target), number, value, text, size);
}

size_t gpucode_register_text(unsigned family, uint32_t number, uint64_t value, char *text, size_t size)
{
    return gpucode_meanings_text(NULL, family, number, value, text, size);
}
