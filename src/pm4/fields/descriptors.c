/* SPDX-License-Identifier: MIT */
/* Descriptors in memory, and what packets load. */
#include "pm4/fields/fields.h"

#include "base/text.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <string.h>

static const struct field_layout *find_descriptor(const char *kind)
{
    for (unsigned i = field_descriptor_first; kind && i < field_descriptor_end; i++)
        if (strcmp(field_string(field_built_in.layouts[i].name), kind) == 0)
            return &field_built_in.layouts[i];
    return NULL;
}

bool gpucode_contents_find(unsigned family, const char *packet, const char *block, const char *type,
                           struct gpucode_contents *contents)
{
    if (!field_family_is_known(family) || !packet || !block || !type || !contents)
        return false;
    for (unsigned i = 0; i < field_load_count; i++) {
        const struct field_load *row = &field_loads[i];
        const char *name = field_string(row->packet);
        size_t length = strlen(name);
        /* CP_LOAD_STATE6_GEOM and _FRAG are CP_LOAD_STATE6 */
        bool same = strncmp(packet, name, length) == 0 && (!packet[length] || packet[length] == '_');
        if (!same || !field_on_family(row->chips, family) || strcmp(field_string(row->block), block) != 0 ||
            strcmp(field_string(row->type), type) != 0)
            continue;
        contents->kind = field_string(row->content);
        contents->words = row->words;
        return contents->words && strcmp(contents->kind, "-") != 0;
    }
    return false;
}

unsigned gpucode_descriptor_words(const char *kind)
{
    const struct field_layout *layout = find_descriptor(kind);
    return layout ? layout->words : 0;
}

size_t gpucode_descriptor_fields(unsigned family, const char *kind, const uint32_t *words, size_t word_count,
                                 struct gpucode_field_value *fields, size_t size)
{
    const struct field_layout *layout = find_descriptor(kind);
    size_t count = 0;
    if (!layout || !field_family_is_known(family) || !words || (!fields && size))
        return 0;
    for (unsigned i = 0; i < layout->count && count < GPUCODE_FIELD_VALUES_MAX; i++) {
        const struct field_row *row = &field_built_in.rows[layout->first + i];
        if (!field_on_family(row->chips, family) || row->word + (row->high > 31 ? 1u : 0u) >= word_count)
            continue;
        uint64_t word = words[row->word];
        if (row->high > 31)
            word |= (uint64_t)words[row->word + 1] << 32;
        if (field_is_quiet(row, field_value_of(row, word)))
            continue;
        if (count < size)
            field_read(&field_built_in, family, row, word, &fields[count]);
        count++;
    }
    return count;
}

/* Is the register's name that of a row, whose "[]" stands for any subscript? */
static bool is_register(const char *row, const char *name)
{
    for (; *row; row++, name++) {
        if (row[0] == '[' && row[1] == ']') {
            const char *close = *name == '[' ? strchr(name, ']') : NULL;
            if (!close)
                return false;
            row++;
            name = close;
        } else if (*row != *name) {
            return false;
        }
    }
    return !*name;
}

bool gpucode_pointer_find(unsigned family, uint32_t number, struct gpucode_pointer *pointer)
{
    char name[GPUCODE_NAME_MAX];
    if (!pointer || !field_family_is_known(family) || !gpucode_register_name(family, number, name, sizeof name))
        return false;
    for (unsigned i = 0; i < field_pointer_count; i++) {
        const struct field_pointer *row = &field_pointers[i];
        if (!field_on_family(row->chips, family) || !is_register(field_string(row->name), name))
            continue;
        const char *count = field_string(row->count);
        pointer->kind = field_string(row->content);
        pointer->count = strcmp(count, "-") == 0 ? NULL : count;
        return true;
    }
    return false;
}

/* Shaders by their words, without their text: where one ends, and the number that tells one from another. */

/* `end`, with or without (sy), (ss) and (jp): category 0, opcode 6. */
#define END_MASK 0xe7820000u
#define END 0x03000000u

static bool is_end(const uint32_t *words, size_t at)
{
    return at & 1 && (words[at] & END_MASK) == END && !words[at - 1];
}

size_t gpucode_shader_words(const uint32_t *words, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; words && i < count; i++) {
        if (is_end(words, i))
            return i + 1;
        used = words[i] ? i + 1 : used;
    }
    return used;
}

bool gpucode_shader_ends(const uint32_t *words, size_t count)
{
    size_t used = gpucode_shader_words(words, count);
    return used && is_end(words, used - 1);
}

uint64_t gpucode_shader_hash(const uint32_t *words, size_t count)
{
    return text_hash_words(words, gpucode_shader_words(words, count));
}
