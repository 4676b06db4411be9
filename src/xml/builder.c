/* SPDX-License-Identifier: MIT */
/* The tables, and which numbers each register has. */
#include "xml/builder.h"

#include <stdlib.h>
#include <string.h>

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

void meaning_free_made(struct meaning *meaning)
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
