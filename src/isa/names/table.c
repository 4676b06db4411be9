/* SPDX-License-Identifier: MIT */
/* Looking names up in one table: the written form of a name is computed, never stored. */
#include "isa/names/table.h"

#include "base/text.h"
#include "isa/row.h"

static char *put_number(char *at, uint32_t number)
{
    if (number)
        at = TEXT_LITERAL(at, "0x");
    return text_hex(at, number);
}

char *name_table_text(const struct isa_name_table *table, int found, uint32_t number, char *at)
{
    const struct isa_name *row = &table->names[found];
    const char *text = table->strings + row->text;
    uint32_t offset = number - row->number;
    at = text_put_name(at, text, row->subscript);
    if (row->subscript < row->length) {
        uint32_t index = offset / row->stride;
        if (index >= row->count) /* 64-bit registers with a stride of 1: the second word of the last */
            index = row->count - 1u;
        *at++ = '[';
        at = put_number(at, index);
        *at++ = ']';
        offset -= index * row->stride;
        at = text_put_name(at, text + row->subscript + 2, row->length - row->subscript - 2u);
    }
    if (row->flags & NAME_CONTAINER || (offset && !(row->flags & NAME_ADDRESS && offset == 1))) {
        *at++ = '+';
        at = put_number(at, offset);
    } else if (offset) {
        at = TEXT_LITERAL(at, "_HI");
    }
    return at;
}

/* Blocks of numbers without names, which are blocks 0 of the index, are passed over. */
bool name_table_next(const struct isa_name_table *table, uint32_t *number)
{
    for (uint64_t next = *number; next >> 12 < table->root_count;) {
        uint32_t root = table->root[next >> 12];
        uint32_t middle = root ? table->middle[root * 64u + (next >> 6 & 63)] : 0;
        if (!root) {
            next = (next | 0xfff) + 1;
        } else if (!middle) {
            next = (next | 0x3f) + 1;
        } else if (name_table_row_of(table, (uint32_t)next) < 0) {
            next++;
        } else {
            *number = (uint32_t)next;
            return true;
        }
    }
    return false;
}

int name_table_row(const struct isa_name_table *table, const char *text, size_t length)
{
    for (uint32_t slot = isa_hash(text, length) & table->hash_mask; table->hash[slot];
         slot = (slot + 1) & table->hash_mask) {
        const struct isa_name *row = &table->names[table->hash[slot] - 1];
        if (row->length == length && isa_same_text(table->strings + row->text, text, length))
            return table->hash[slot] - 1;
    }
    return -1;
}

/* Takes a number at `at`, at least one digit; null when there is none or it exceeds 32 bits. */
static const char *take_number(const char *at, const char *end, uint32_t *number)
{
    uint64_t value;
    const char *behind = text_read_number(at, end, &value);
    if (!behind || value > UINT32_MAX)
        return NULL;
    *number = (uint32_t)value;
    return behind;
}

/* A name taken apart: subscripts in their canonical form, the offset after '+' removed. */
struct key {
    char text[GPUCODE_NAME_MAX];
    size_t length;
    size_t open, close; /* of the last subscript, brackets included; both 0: none */
    uint32_t index, offset;
};

static bool take_apart(struct key *key, const char *name, size_t length)
{
    const char *end = name + length;
    memset(key, 0, sizeof *key);
    while (name < end && *name != '+') {
        if (key->length + 16 > sizeof key->text) /* no subscript is longer */
            return false;
        if (*name != '[') {
            key->text[key->length++] = *name++;
            continue;
        }
        name = take_number(name + 1, end, &key->index);
        if (!name || name == end || *name++ != ']')
            return false;
        key->open = key->length;
        char *at = key->text + key->length;
        *at++ = '[';
        at = put_number(at, key->index);
        *at++ = ']';
        key->close = key->length = (size_t)(at - key->text);
    }
    if (name < end)
        name = take_number(name + 1, end, &key->offset);
    return name == end && key->length;
}

/* Finds the first `length` bytes of the key; the subscript may be part of a name or that of an array. */
static const struct isa_name *find(const struct isa_name_table *table, const struct key *key, size_t length,
                                   uint32_t *number)
{
    const struct isa_name *row = NULL;
    int found = name_table_row(table, key->text, length);
    if (found >= 0) {
        row = &table->names[found];
        *number = row->number;
    } else if (key->close) {
        char text[GPUCODE_NAME_MAX];
        char *at = text_put(text, key->text, key->open);
        at = TEXT_LITERAL(at, "[]");
        at = text_put(at, key->text + key->close, length - key->close);
        found = name_table_row(table, text, (size_t)(at - text));
        if (found < 0 || key->index >= table->names[found].count)
            return NULL;
        row = &table->names[found];
        *number = row->number + key->index * row->stride;
    }
    return row;
}

/* Older texts have the member in front of the subscript: "CP_SCRATCH_REG[0x2]" for "CP_SCRATCH[0x2].REG". */
static const struct isa_name *find_member(const struct isa_name_table *table, const struct key *key, uint32_t *number)
{
    if (!key->close || key->close != key->length)
        return NULL;
    for (size_t split = key->open; split-- > 1;) {
        char text[GPUCODE_NAME_MAX + 4];
        if (key->text[split] != '_')
            continue;
        char *at = text_put(text, key->text, split);
        at = TEXT_LITERAL(at, "[].");
        at = text_put(at, key->text + split + 1, key->open - split - 1);
        int found = name_table_row(table, text, (size_t)(at - text));
        if (found < 0 || key->index >= table->names[found].count)
            continue;
        *number = table->names[found].number + key->index * table->names[found].stride;
        return &table->names[found];
    }
    return NULL;
}

bool name_table_number(const struct isa_name_table *table, const char *name, size_t length, uint32_t *number)
{
    int spelt = name_table_row(table, name, length); /* as most are: without subscript or offset */
    if (spelt >= 0 && table->names[spelt].subscript == length) {
        *number = table->names[spelt].number;
        return true;
    }
    struct key key;
    if (!take_apart(&key, name, length))
        return false;
    uint32_t value = 0;
    if (!find(table, &key, key.length, &value) && !find_member(table, &key, &value)) {
        const struct isa_name *row = NULL;
        if (key.length > key.close + 3 && memcmp(key.text + key.length - 3, "_HI", 3) == 0)
            row = find(table, &key, key.length - 3, &value);
        if (row && row->flags & NAME_ADDRESS && row->words == 2) {
            value++;
        } else {
            /* an array by its bare name is its element 0 */
            if (key.close)
                return false;
            memcpy(key.text + key.length, "[]", 2);
            int found = name_table_row(table, key.text, key.length + 2);
            if (found < 0)
                return false;
            value = table->names[found].number;
        }
    }
    if (key.offset > UINT32_MAX - value)
        return false;
    *number = value + key.offset;
    return true;
}
