/* SPDX-License-Identifier: MIT */
/* All fields of a word in one text. */
#include "pm4/fields/fields.h"

#include <string.h>

void field_append(struct field_text *text, const char *part, size_t length)
{
    if (text->length < text->size) {
        size_t room = text->size - text->length - 1, some = length < room ? length : room;
        memcpy(text->text + text->length, part, some);
        text->text[text->length + some] = 0;
    }
    text->length += length;
}

static void append_string(struct field_text *text, const char *part)
{
    field_append(text, part, strlen(part));
}

void field_put_layout(const struct field_set *set, unsigned family, unsigned layout, uint64_t word,
                      struct field_text *text)
{
    char value_text[GPUCODE_FIELD_TEXT_MAX];
    uint64_t rest = word;
    unsigned count = 0;
    bool named;
    const struct field_layout *rows = layout == FIELD_NO_LAYOUT ? NULL : &set->layouts[layout];
    field_append(text, "{ ", 2);
    for (unsigned i = 0; rows && i < rows->count && count < GPUCODE_FIELD_VALUES_MAX - 1; i++) {
        const struct field_row *row = &set->rows[rows->first + i];
        if (!field_on_family(row->chips, family))
            continue;
        rest &= ~field_mask(row->low, row->high);
        uint64_t value = field_value_of(row, word);
        if (field_is_quiet(row, value))
            continue;
        if (count++)
            field_append(text, " | ", 3);
        append_string(text, set->strings + row->name);
        if (row->type == GPUCODE_FIELD_BOOLEAN)
            continue;
        field_append(text, " = ", 3);
        char *end = field_put_value(set, family, row, value, value_text, &named);
        field_append(text, value_text, (size_t)(end - value_text));
    }
    if (rest || !count) {
        if (count)
            field_append(text, " | ", 3);
        field_append(text, value_text, (size_t)(field_put_hex(value_text, rest) - value_text));
    }
    field_append(text, " }", 2);
}
