/* SPDX-License-Identifier: MIT */
/* One word of a payload by itself: its fields, and back from their text. */
#include "pm4/packet/packets.h"

#include <string.h>

struct word {
    unsigned family;
    const struct field_layout *layout;
    const uint32_t *payload;
    uint32_t count;   /* words that are known */
    uint32_t word;    /* the one meant */
    uint32_t current; /* what it has */
    uint32_t absent;  /* word of the layout that the payload has not; 0: it has all */
};

/* The word's number in the layout. */
static uint32_t layout_word(const struct word *word)
{
    return word->word + (word->absent && word->word >= word->absent);
}

/* Words from one element to the next; a4xx's groups have addresses of 32 bits. */
static unsigned stride_of(const struct word *word, const struct field_row *row)
{
    return row->stride == 3 && word->family < 5 ? 2 : row->stride;
}

static bool is_wide(const struct word *word, const struct field_row *row)
{
    return row->high > 31 && word->family >= 5;
}

/* Is the row about this word, and in which element? */
static bool is_here(const struct word *word, const struct field_row *row, unsigned *index)
{
    unsigned stride = stride_of(word, row), at = layout_word(word);
    *index = stride && at > row->word ? (at - row->word) / stride : 0;
    return field_on_family(row->chips, word->family) && row->word + stride * *index == at &&
           (!row->repeat_count || *index < row->repeat_count);
}

/* Has the field that selects, in the same element, a value that the row is there with? */
static bool is_selected(const struct word *word, const struct field_row *row, unsigned index)
{
    for (unsigned i = 0; row->values && i < word->layout->count; i++) {
        const struct field_row *selector = &field_built_in.rows[word->layout->first + i];
        uint32_t at = selector->word + stride_of(word, selector) * index;
        if ((selector->flags & FIELD_SELECTS) && selector->of == row->when &&
            field_on_family(selector->chips, word->family) && (at < word->count || at == word->word)) {
            uint64_t value = at == word->word ? word->current : word->payload[at];
            value = (value & field_mask(selector->low, selector->high)) >> selector->low;
            return value < 32 && row->values >> value & 1;
        }
    }
    return true;
}

/* The rows of the first form that this word has: *first to the result - 1; none: equal. */
static unsigned find_form(const struct word *word, unsigned *first)
{
    unsigned end = word->layout ? word->layout->first + word->layout->count : 0, next, index;
    for (unsigned i = word->layout ? word->layout->first : 0; i < end; i = next) {
        const struct field_row *rows = field_built_in.rows;
        bool any = false;
        for (next = i; next < end && rows[next].form == rows[i].form && rows[next].word == rows[i].word; next++)
            any |= is_here(word, &rows[next], &index) && is_selected(word, &rows[next], index);
        if (any) {
            *first = i;
            return next;
        }
    }
    *first = end;
    return end;
}

size_t gpucode_payload_fields(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t count, uint32_t word,
                              struct gpucode_field_value *fields, size_t size, unsigned *words)
{
    if (!field_family_is_known(family) || opcode >= PACKET_OPCODES || !payload || word >= count || !words ||
        (!fields && size))
        return 0;
    struct word here = {family,
                        field_packet_layout(family, opcode),
                        payload,
                        count,
                        word,
                        payload[word],
                        packet_absent_word(family, opcode, payload, count, true)};
    unsigned first, index, end = find_form(&here, &first);
    uint64_t value = payload[word];
    size_t found = 0;
    *words = 1;
    for (unsigned i = first; i < end; i++)
        if (is_wide(&here, &field_built_in.rows[i]) && word + 1 < count)
            *words = 2;
    if (*words == 2)
        value |= (uint64_t)payload[word + 1] << 32;
    uint64_t rest = value;
    for (unsigned i = first; i < end && found < GPUCODE_FIELD_VALUES_MAX - 1; i++) {
        const struct field_row *row = &field_built_in.rows[i];
        if (!is_here(&here, row, &index) || !is_selected(&here, row, index) || (is_wide(&here, row) && *words == 1))
            continue;
        if (row->type == FIELD_BITSET) {
            size_t room = found < size ? size - found : 0;
            return found +
                   field_read_layout(&field_built_in, family, row->of, value, room ? fields + found : NULL, room);
        }
        rest &= ~field_mask(row->low, row->high);
        if (field_is_quiet(row, field_value_of(row, value)))
            continue;
        if (found < size)
            field_read(&field_built_in, family, row, value, &fields[found]);
        found++;
    }
    if (first < end && (rest || !found)) {
        if (found < size) {
            fields[found] = (struct gpucode_field_value){.name = "-", .high = 31, .value = rest};
            field_put_hex(fields[found].text, rest);
        }
        found++;
    }
    return found;
}

/* --- and back ----------------------------------------------------------------------------------------------------- */

struct reading {
    struct word word;
    unsigned first, end;
};

static bool is_called(const struct field_row *row, const char *name, size_t length)
{
    const char *own = field_string(row->name);
    return strlen(own) == length && memcmp(own, name, length) == 0;
}

static const struct field_row *find_inner(unsigned family, unsigned layout, const char *name, size_t length)
{
    const struct field_layout *rows = layout == FIELD_NO_LAYOUT ? NULL : &field_built_in.layouts[layout];
    for (unsigned i = 0; rows && i < rows->count; i++) {
        const struct field_row *row = &field_built_in.rows[rows->first + i];
        if (field_on_family(row->chips, family) && is_called(row, name, length))
            return row;
    }
    return NULL;
}

static const struct field_row *find_row(void *user, const char *name, size_t length, uint64_t value)
{
    struct reading *reading = user;
    const struct field_row *found = NULL;
    unsigned index;
    reading->word.current = (uint32_t)value; /* its own fields may select */
    reading->end = find_form(&reading->word, &reading->first);
    for (unsigned i = reading->first; i < reading->end && !found; i++) {
        const struct field_row *row = &field_built_in.rows[i];
        if (!is_here(&reading->word, row, &index) || !is_selected(&reading->word, row, index))
            continue;
        if (row->type == FIELD_BITSET)
            found = find_inner(reading->word.family, row->of, name, length);
        else if (is_called(row, name, length))
            found = row;
    }
    return found;
}

static const char *row_name(void *user, unsigned index)
{
    const struct reading *reading = user;
    unsigned i = reading->first + index;
    return i < reading->end ? field_string(field_built_in.rows[i].name) : NULL;
}

bool gpucode_payload_read(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t word, const char *text,
                          size_t length, uint64_t *value, unsigned *words, struct gpucode_field_wrong *wrong)
{
    if (!field_family_is_known(family) || opcode >= PACKET_OPCODES || (!payload && word) || !text || !value || !words)
        return false;
    struct reading reading = {.word = {.family = family,
                                       .layout = field_packet_layout(family, opcode),
                                       .payload = payload,
                                       .count = word,
                                       .word = word,
                                       .absent = packet_absent_word(family, opcode, payload, word, false)}};
    struct field_text_of of = {
        .set = &field_built_in, .family = family, .most = UINT32_MAX, .find = find_row, .user = &reading};
    *value = 0;
    *words = 1;
    reading.end = find_form(&reading.word, &reading.first);
    for (unsigned i = reading.first; i < reading.end; i++)
        if (is_wide(&reading.word, &field_built_in.rows[i])) {
            *words = 2;
            of.most = UINT64_MAX;
        }
    if (field_parse_text(&of, text, length, value, wrong))
        return true;
    if (wrong && wrong->fault == GPUCODE_FIELD_NO_NAME)
        wrong->nearest = field_nearest(wrong->at, wrong->length, row_name, &reading);
    return false;
}
