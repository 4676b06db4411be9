/* SPDX-License-Identifier: MIT */
#include "xml/collection.h"

#include <stdlib.h>
#include <string.h>

/* The tables, and which numbers each register has. */

/* Names of types with the numbers of their sets, sorted; of equal names the one that was read first. */
struct type_name {
    const char *name;
    uint32_t set;
};

struct builder {
    const struct meaning *meaning;
    const char *strings;
    unsigned family;
    struct type_name *names;
    uint32_t name_count;
    struct field_row *rows;
    struct field_layout *layouts;
    struct field_enum *enums;
    uint32_t *value_names, *values;
    uint8_t *value_chips;
    struct field_register *registers;
    uint32_t register_count;
    uint32_t *runs;
    uint16_t *buckets, *owner;
};

/* Types by name: those of the files, and those that have no definition. */

static int compare_names(const void *left, const void *right)
{
    const struct type_name *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->set < b->set ? -1 : a->set > b->set;
}

/* Sorts the names of types. */
static void builder_sort_names(struct builder *builder)
{
    const struct meaning_set *sets = builder->meaning->sets.rows;
    for (uint32_t i = 0; i < builder->meaning->sets.count; i++)
        if (sets[i].name)
            builder->names[builder->name_count++] = (struct type_name){builder->strings + sets[i].name, i};
    if (builder->name_count)
        qsort(builder->names, builder->name_count, sizeof *builder->names, compare_names);
}

/* The set of a name; null: there is none. */
static const struct meaning_set *builder_find_set(const struct builder *builder, const char *name, uint32_t *number)
{
    uint32_t low = 0, high = builder->name_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(builder->names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == builder->name_count || strcmp(builder->names[low].name, name) != 0)
        return NULL;
    *number = builder->names[low].set;
    return &((const struct meaning_set *)builder->meaning->sets.rows)[*number];
}

/* A type that is not a set; false: unknown. */
static bool find_simple(const char *name, uint8_t *type)
{
    static const char *const names[] = {
        [GPUCODE_FIELD_HEX] = "hex",          [GPUCODE_FIELD_UINT] = "uint",   [GPUCODE_FIELD_INT] = "int",
        [GPUCODE_FIELD_FLOAT] = "float",      [GPUCODE_FIELD_FIXED] = "fixed", [GPUCODE_FIELD_UFIXED] = "ufixed",
        [GPUCODE_FIELD_BOOLEAN] = "boolean",  [GPUCODE_FIELD_REGID] = "regid", [GPUCODE_FIELD_ADDRESS] = "address",
        [GPUCODE_FIELD_WADDRESS] = "waddress"};
    if (name[0] == 'a' && name[1] && strncmp(name + 2, "xx_", 3) == 0) /* some have a generation in front */
        name += 5;
    for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            *type = i;
            return true;
        }
    return false;
}

/* Type and number of the set; false: nothing is known of it. */
static bool builder_find_type(const struct builder *builder, const struct meaning_type *type, uint8_t *out,
                              uint16_t *of)
{
    uint32_t number;
    const char *name = builder->strings + type->name;
    *of = 0;
    if (!type->name)
        return false;
    const struct meaning_set *set = builder_find_set(builder, name, &number);
    if (!set)
        return find_simple(name, out);
    *out = set->bitset ? FIELD_BITSET : GPUCODE_FIELD_ENUM;
    *of = (uint16_t)number;
    return true;
}

/* A row of a bitset or packet. A field without a type is a flag if it is bit 0 alone, else hexadecimal. */
static void builder_row(const struct builder *builder, const struct meaning_field *field, struct field_row *row)
{
    const char *name = builder->strings + field->name;
    bool unknown = strncmp(name, "UNK", 3) == 0 && name[3] >= '0' && name[3] <= '9';
    *row = (struct field_row){.name = field->name,
                              .low = field->type.low,
                              .high = field->type.high,
                              .shr = field->type.shr,
                              .radix = field->type.radix,
                              .chips = (uint8_t)(field->chips >> builder->family & 1 ? 0xff : 0),
                              .flags = unknown ? FIELD_UNKNOWN : 0};
    if (field->inside) {
        row->type = GPUCODE_FIELD_ENUM;
        row->of = (uint16_t)(field->inside - 1);
    } else if (!builder_find_type(builder, &field->type, &row->type, &row->of)) {
        row->type = !row->high && !field->type.name ? GPUCODE_FIELD_BOOLEAN : GPUCODE_FIELD_HEX;
    }
}

/* Packets, of which some fields are there where another one selects them. */

/* The values that a text names, as bits: "NORMAL", "A, B". 0: none that can be told. */
static uint32_t select_values(const struct builder *builder, const struct meaning_set *set, const char *text)
{
    const struct meaning_value *values = builder->meaning->values.rows;
    uint32_t bits = 0;
    for (size_t length; *text; text += length ? length : 1) {
        length = strcspn(text, ", ");
        for (uint32_t i = 0; !set->bitset && i < set->count; i++) {
            const struct meaning_value *value = &values[set->first + i];
            const char *name = builder->strings + value->name;
            if (strlen(name) == length && memcmp(name, text, length) == 0 && value->value < 32)
                bits |= 1u << value->value;
        }
    }
    return bits;
}

/* A row of a packet. One whose selector is not known is left out. */
static void build_packet_row(const struct builder *builder, const struct meaning_packet_row *from,
                             struct field_row *row)
{
    uint32_t number = 0;
    builder_row(builder, &from->field, row);
    if (row->type == FIELD_BITSET && !from->whole)
        row->type = GPUCODE_FIELD_HEX;
    row->word = from->word;
    row->form = from->form;
    row->stride = from->stride;
    row->repeat_count = from->repeat;
    row->flags |= from->selects ? FIELD_SELECTS : 0;
    if (!from->when)
        return;
    const struct meaning_set *set = builder_find_set(builder, builder->strings + from->when, &number);
    row->when = (uint16_t)number;
    row->values = set ? select_values(builder, set, builder->strings + from->which) : 0;
    if (!row->values)
        row->chips = 0;
}

/* Packets stand after the sets, their rows after the fields of these. */
static void builder_packets(const struct builder *builder)
{
    const struct meaning *meaning = builder->meaning;
    const struct meaning_packet *packets = meaning->packets.rows;
    const struct meaning_packet_row *rows = meaning->packet_rows.rows;
    for (uint32_t i = 0; i < meaning->packet_rows.count; i++)
        build_packet_row(builder, &rows[i], &builder->rows[meaning->fields.count + i]);
    for (uint32_t i = 0; i < meaning->packets.count; i++)
        builder->layouts[meaning->sets.count + i] =
            (struct field_layout){packets[i].chips >> builder->family & 1 ? packets[i].name : 0,
                                  (uint16_t)(meaning->fields.count + packets[i].first), (uint16_t)packets[i].count, 0};
}

/* --- the tables --- */

#define NUMBERS 0x3ffffu

static void build_sets(struct builder *builder)
{
    const struct meaning *meaning = builder->meaning;
    const struct meaning_field *fields = meaning->fields.rows;
    const struct meaning_value *values = meaning->values.rows;
    const struct meaning_set *sets = meaning->sets.rows;
    for (uint32_t i = 0; i < meaning->fields.count; i++) {
        builder_row(builder, &fields[i], &builder->rows[i]);
        if (builder->rows[i].type == FIELD_BITSET)
            builder->rows[i].type = GPUCODE_FIELD_HEX;
    }
    for (uint32_t i = 0; i < meaning->values.count; i++) {
        builder->value_names[i] = values[i].name;
        builder->values[i] = values[i].value;
        builder->value_chips[i] = (uint8_t)(values[i].chips >> builder->family & 1 ? 0xff : 0);
    }
    for (uint32_t i = 0; i < meaning->sets.count; i++) {
        builder->layouts[i] = (struct field_layout){sets[i].name, (uint16_t)sets[i].first,
                                                    (uint16_t)(sets[i].bitset ? sets[i].count : 0), 0};
        builder->enums[i] =
            (struct field_enum){sets[i].name, (uint16_t)sets[i].first, (uint16_t)(sets[i].bitset ? 0 : sets[i].count)};
    }
}

/* Numbers that nothing read before has. */
static void claim(const struct builder *builder, const struct field_register *row, uint16_t number)
{
    for (uint32_t i = 0; i < row->count; i++)
        for (uint32_t k = 0; k < row->words; k++) {
            uint64_t at = row->number + (uint64_t)i * row->stride + k;
            if (at < NUMBERS && builder->owner[at] == FIELD_NO_ROW)
                builder->owner[at] = number;
        }
}

/* Registers of which more than the name is known; others stay with what is built in. */
static void build_domain(struct builder *builder, unsigned domain)
{
    const struct meaning_register *registers = builder->meaning->registers.rows;
    for (uint32_t i = 0; i < builder->meaning->registers.count; i++) {
        const struct meaning_register *from = &registers[i];
        if (from->domain != domain)
            continue;
        struct field_register *row = &builder->registers[builder->register_count];
        *row = (struct field_register){.number = from->number,
                                       .stride = from->stride,
                                       .count = from->count,
                                       .words = from->words,
                                       .low = from->type.low,
                                       .high = from->type.high,
                                       .shr = from->type.shr,
                                       .radix = from->type.radix};
        if (from->inside) {
            row->type = FIELD_BITSET;
            row->of = (uint16_t)(from->inside - 1);
        } else if (!builder_find_type(builder, &from->type, &row->type, &row->of)) {
            continue;
        }
        claim(builder, row, (uint16_t)builder->register_count++);
    }
}

static void build_runs(const struct builder *builder)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i <= NUMBERS; i++) {
        if (!i || builder->owner[i] != builder->owner[i - 1])
            builder->runs[count++] = i << FIELD_RUN_ROW_BITS | builder->owner[i];
        if (i % (1u << FIELD_BUCKET_BITS) == 0)
            builder->buckets[i >> FIELD_BUCKET_BITS] = (uint16_t)(count - 1);
    }
    builder->runs[count] = UINT32_MAX;
}

static bool allocate(struct builder *builder)
{
    const struct meaning *meaning = builder->meaning;
    builder->names = calloc(meaning->sets.count + 1, sizeof *builder->names);
    builder->rows = calloc(meaning->fields.count + meaning->packet_rows.count + 1, sizeof *builder->rows);
    builder->layouts = calloc(meaning->sets.count + meaning->packets.count + 1, sizeof *builder->layouts);
    builder->enums = calloc(meaning->sets.count + 1, sizeof *builder->enums);
    builder->value_names = calloc(meaning->values.count + 1, sizeof *builder->value_names);
    builder->values = calloc(meaning->values.count + 1, sizeof *builder->values);
    builder->value_chips = calloc(meaning->values.count + 1, 1);
    builder->registers = calloc(meaning->registers.count + 1, sizeof *builder->registers);
    /* numbers of runs have 16 bits: MEANING_ELEMENTS_MAX sees to it that there are no more */
    builder->runs = calloc(NUMBERS + 3, sizeof *builder->runs);
    builder->buckets = calloc(FIELD_BUCKETS, sizeof *builder->buckets);
    builder->owner = malloc((NUMBERS + 1) * sizeof *builder->owner);
    if (!builder->names || !builder->rows || !builder->layouts || !builder->enums || !builder->value_names ||
        !builder->values || !builder->value_chips || !builder->registers || !builder->runs || !builder->buckets ||
        !builder->owner)
        return false;
    for (uint32_t i = 0; i <= NUMBERS; i++)
        builder->owner[i] = FIELD_NO_ROW;
    return true;
}

static void free_set(const struct field_set *set, unsigned family)
{
    free((void *)set->strings);
    free((void *)set->rows);
    free((void *)set->layouts);
    free((void *)set->enums);
    free((void *)set->value_names);
    free((void *)set->values);
    free((void *)set->value_chips);
    free((void *)set->registers);
    free((void *)set->runs[family]);
    free((void *)set->buckets[family]);
}

/* Frees the tables alone. */
static void meaning_free_made(struct meaning *meaning)
{
    for (unsigned family = GPUCODE_FAMILY_MIN; family <= GPUCODE_FAMILY_MAX; family++)
        if (meaning->has_made && meaning->made.set.runs[family])
            free_set(&meaning->made.set, family);
    meaning->has_made = false;
}

bool meaning_build(struct meaning *meaning, unsigned family)
{
    struct builder builder = {.meaning = meaning, .family = family};
    if ((!meaning->registers.count && !meaning->packets.count) || family < GPUCODE_FAMILY_MIN ||
        family > GPUCODE_FAMILY_MAX)
        return true;
    /* names that are given out must stay where they are when more is read */
    char *strings = malloc(meaning->strings.length + 1);
    bool good = strings && allocate(&builder);
    struct field_set set = {.strings = strings,
                            .rows = builder.rows,
                            .layouts = builder.layouts,
                            .enums = builder.enums,
                            .value_names = builder.value_names,
                            .values = builder.values,
                            .value_chips = builder.value_chips,
                            .registers = builder.registers};
    set.runs[family] = builder.runs;
    set.buckets[family] = builder.buckets;
    if (good) {
        if (meaning->strings.length)
            memcpy(strings, meaning->strings.bytes, meaning->strings.length);
        strings[meaning->strings.length] = 0;
        builder.strings = strings;
        builder_sort_names(&builder);
        build_sets(&builder);
        builder_packets(&builder);
        for (unsigned domain = 0; domain < MEANING_DOMAINS; domain++)
            build_domain(&builder, domain);
        build_runs(&builder);
        meaning_free_made(meaning);
        meaning->made = (struct gpucode_meanings){.set = set,
                                                  .family = family,
                                                  .packets = builder.layouts + meaning->sets.count,
                                                  .packet_count = meaning->packets.count};
        meaning->has_made = true;
    } else {
        free_set(&set, family);
    }
    free(builder.names);
    free(builder.owner);
    return good;
}

/* The rows or the strings may have moved. */
static void refresh(struct collection *collection)
{
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        collection->lists[i].table.names = collection->lists[i].names;
        collection->lists[i].table.strings = collection->strings.bytes;
    }
}

enum collection_result collection_add(struct collection *collection, unsigned domain, const char *text,
                                      const struct isa_name *name)
{
    struct collection_list *list = &collection->lists[domain];
    uint64_t claims = name_claims(name);
    if (list->count == NAME_ROWS_MAX || claims > NAME_CLAIMS_MAX - list->claims ||
        collection->strings.length > UINT32_MAX / 2)
        return COLLECTION_FULL;
    if (list->count == list->room) {
        uint32_t room = list->room ? list->room * 2 : 64;
        struct isa_name *names = realloc(list->names, room * sizeof *names);
        if (!names)
            return COLLECTION_MEMORY;
        list->names = names;
        list->room = room;
    }
    struct isa_name *row = &list->names[list->count];
    *row = *name;
    row->text = (uint32_t)collection->strings.length;
    buffer_append(&collection->strings, text, name->length);
    refresh(collection);
    if (collection->strings.failed)
        return COLLECTION_MEMORY;
    list->count++;
    list->claims += claims;
    return COLLECTION_OK;
}

struct collection_mark collection_mark(const struct collection *collection)
{
    struct collection_mark mark = {.strings_length = collection->strings.length};
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        mark.count[i] = collection->lists[i].count;
        mark.claims[i] = collection->lists[i].claims;
    }
    return mark;
}

void collection_revert(struct collection *collection, const struct collection_mark *mark)
{
    collection->strings.length = mark->strings_length;
    collection->strings.failed = false;
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        collection->lists[i].count = mark->count[i];
        collection->lists[i].claims = mark->claims[i];
    }
}

bool collection_build(struct collection *collection)
{
    struct name_index indexes[COLLECTION_DOMAINS];
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        const struct collection_list *list = &collection->lists[i];
        if (!name_index_build(&indexes[i], collection->strings.bytes, list->names, list->count)) {
            while (i--)
                name_index_free(&indexes[i]);
            return false;
        }
    }
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        struct collection_list *list = &collection->lists[i];
        name_index_free(&list->index);
        list->index = indexes[i];
        list->table = (struct isa_name_table){
            .name_count = list->count,
            .root_count = list->index.root_count,
            .hash_mask = list->index.hash_mask,
            .root = list->index.root,
            .middle = list->index.middle,
            .leaves = list->index.leaves,
            .hash = list->index.hash,
        };
    }
    refresh(collection);
    return true;
}

void collection_free(struct collection *collection)
{
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        name_index_free(&collection->lists[i].index);
        free(collection->lists[i].names);
    }
    buffer_free(&collection->strings);
}

uint32_t meaning_text(struct meaning *meaning, const char *text)
{
    if (!meaning->strings.length)
        buffer_append(&meaning->strings, "", 1); /* so that 0 is not a name */
    uint32_t at = (uint32_t)meaning->strings.length;
    buffer_append(&meaning->strings, text, strlen(text) + 1);
    return meaning->strings.failed ? 0 : at;
}

void *meaning_add(struct meaning_list *list, size_t size, uint32_t most)
{
    if (list->count >= most)
        return NULL;
    if (list->count == list->room) {
        uint32_t room = list->room ? 2 * list->room : 64;
        void *rows = realloc(list->rows, room * size);
        if (!rows)
            return NULL;
        list->rows = rows;
        list->room = room;
    }
    return memset((char *)list->rows + size * list->count++, 0, size);
}

struct meaning_mark meaning_mark(const struct meaning *meaning)
{
    return (struct meaning_mark){meaning->strings.length,    meaning->fields.count,    meaning->values.count,
                                 meaning->sets.count,        meaning->registers.count, meaning->packets.count,
                                 meaning->packet_rows.count, meaning->elements};
}

void meaning_revert(struct meaning *meaning, const struct meaning_mark *mark)
{
    meaning->strings.length = mark->strings_length;
    meaning->strings.failed = false;
    meaning->fields.count = mark->fields;
    meaning->values.count = mark->values;
    meaning->sets.count = mark->sets;
    meaning->registers.count = mark->registers;
    meaning->packets.count = mark->packets;
    meaning->packet_rows.count = mark->packet_rows;
    meaning->elements = mark->elements;
}

void meaning_free(struct meaning *meaning)
{
    meaning_free_made(meaning);
    buffer_free(&meaning->strings);
    free(meaning->fields.rows);
    free(meaning->values.rows);
    free(meaning->sets.rows);
    free(meaning->registers.rows);
    free(meaning->packets.rows);
    free(meaning->packet_rows.rows);
}
