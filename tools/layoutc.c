/* SPDX-License-Identifier: MIT */
/*
 * layoutc OUTPUT FIELDS ENUMS BITSETS LAYOUTS: turns the tables of packet fields under data/afuc/ into the constant
 * tables of src/pm4/packet/layout.h. Runs on the build machine. data/README.md describes the files.
 */
#include "tsv.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKETS_MAX 4096
#define PACKET_FIELDS_MAX 64
#define STRIDE "[+3*n]"

static struct tsv fields, enums, bitsets, layouts;
static FILE *out;

/* "A6XX", "A5XX-", "A2XX-A4XX", "*" as a mask; 0: it is none of these. */
static unsigned chips(const char *text)
{
    unsigned low, high;
    int end = 0;
    if (strcmp(text, "*") == 0)
        return 0x1ff;
    if (sscanf(text, "A%1uXX-A%1uXX%n", &low, &high, &end) == 2 && !text[end])
        ;
    else if (end = 0, sscanf(text, "A%1uXX-%n", &low, &end) == 1 && end && !text[end])
        high = 8;
    else if (end = 0, sscanf(text, "A%1uXX%n", &low, &end) == 1 && end && !text[end])
        high = low;
    else
        return 0;
    return (0x1ffu >> (8 - high)) & ~((1u << low) - 1);
}

/* Row of `enums` of that type with that name, null meaning any; null: none. */
static const struct tsv_row *find_value(const char *type, const char *name)
{
    for (unsigned i = 0; i < enums.count; i++)
        if (strcmp(enums.rows[i].cell[0], type) == 0 && (!name || strcmp(enums.rows[i].cell[1], name) == 0))
            return &enums.rows[i];
    return NULL;
}

/* Enumerations that nothing has as its type stay out. */
static bool is_type(const char *name)
{
    for (unsigned i = 0; i < fields.count; i++)
        if (strcmp(fields.rows[i].cell[6], name) == 0)
            return true;
    for (unsigned i = 0; i < bitsets.count; i++)
        if (strcmp(bitsets.rows[i].cell[5], name) == 0)
            return true;
    return false;
}

static void put_enums(void)
{
    for (unsigned i = 0; i < enums.count;) {
        const char *name = enums.rows[i].cell[0];
        unsigned first = i;
        if (!is_type(name)) {
            i++;
            continue;
        }
        fprintf(out, "static const struct packet_value values_%s[] = {\n", name);
        for (; i < enums.count && strcmp(enums.rows[i].cell[0], name) == 0; i++) {
            const struct tsv_row *row = &enums.rows[i];
            unsigned mask = chips(row->cell[3]);
            if (!mask)
                tsv_fail(&enums, row, "'%s' are no chips", row->cell[3]);
            fprintf(out, "    {\"%s\", 0x%x, 0x%03x},\n", row->cell[1],
                    tsv_number(&enums, row, row->cell[2], UINT32_MAX), mask);
        }
        fprintf(out, "};\nstatic const struct packet_enum enum_%s = {\"%s\", values_%s, %u};\n\n", name, name, name,
                i - first);
    }
}

/* A field on its way out; those of bitsets come from two rows. */
struct field {
    const struct tsv_row *row;
    const char *name, *type;
    unsigned word, low, high, stride, mask;
    const char *condition; /* null: the mask says all */
};

static struct field packet[PACKET_FIELDS_MAX];
static unsigned packet_count;

/* The field whose value `condition` is: the nearest one before field `of` whose type has it, else the next behind. */
static int find_selector(unsigned of, const struct tsv_row **value)
{
    for (unsigned i = of; i-- > 0;)
        if ((*value = find_value(packet[i].type, packet[of].condition)))
            return (int)i;
    for (unsigned i = of + 1; i < packet_count; i++)
        if ((*value = find_value(packet[i].type, packet[of].condition)))
            return (int)i;
    tsv_fail(&fields, packet[of].row, "'%s' is no chip and no value of a field", packet[of].condition);
}

static const char *form(const struct field *field)
{
    if (find_value(field->type, NULL))
        return "NAMED";
    if (strcmp(field->type, "boolean") == 0)
        return "BOOLEAN";
    if (strcmp(field->type, "address") == 0 || strcmp(field->type, "waddress") == 0)
        return "ADDRESS";
    /* register numbers have 18 bits and say so in their name */
    if (field->low == 0 && field->high == 17 && strstr(field->name, "REG"))
        return "REGISTER";
    return strcmp(field->type, "uint") == 0 ? "DECIMAL" : "HEX";
}

static void add(struct field field)
{
    if (packet_count == PACKET_FIELDS_MAX)
        tsv_fail(&fields, field.row, "too many fields");
    if (field.high < field.low || field.high > 63)
        tsv_fail(&fields, field.row, "bits %u to %u", field.low, field.high);
    if (field.low > 31) {
        field.word++;
        field.low -= 32;
        field.high -= 32;
    }
    packet[packet_count++] = field;
}

static void add_row(const struct tsv_row *row)
{
    char *word = row->cell[1], *stride = strstr(word, STRIDE);
    struct field field = {
        .row = row,
        .name = row->cell[2],
        .type = row->cell[6],
        .low = tsv_number(&fields, row, row->cell[3], UINT32_MAX),
        .high = tsv_number(&fields, row, row->cell[4], UINT32_MAX),
        .mask = chips(row->cell[5]),
    };
    if (stride) {
        if (stride[strlen(STRIDE)])
            tsv_fail(&fields, row, "'%s' is no word", word);
        *stride = 0;
        field.stride = 3;
    }
    field.word = tsv_number(&fields, row, word, UINT32_MAX);
    if (!field.mask) {
        field.condition = row->cell[5];
        field.mask = 0x1ff;
    }
    bool bitset = false;
    for (unsigned i = 0; i < bitsets.count; i++) {
        const struct tsv_row *part = &bitsets.rows[i];
        if (strcmp(part->cell[0], field.type) != 0)
            continue;
        struct field inner = field;
        bitset = true;
        inner.name = part->cell[1];
        inner.low = tsv_number(&bitsets, part, part->cell[2], UINT32_MAX);
        inner.high = tsv_number(&bitsets, part, part->cell[3], UINT32_MAX);
        inner.mask &= chips(part->cell[4]);
        inner.type = part->cell[5];
        add(inner);
    }
    if (!bitset)
        add(field);
}

static void put_packet(const char *name)
{
    fprintf(out, "static const struct packet_field fields_%s[] = {\n", name);
    for (unsigned i = 0; i < packet_count; i++) {
        const struct field *field = &packet[i];
        const struct tsv_row *value = NULL;
        int selector = field->condition ? find_selector(i, &value) : -1;
        bool digit =
            *field->name >= '0' && *field->name <= '9' && strspn(field->name, "0123456789") == strlen(field->name);
        fprintf(out, "    {\"%s%s\", %s%s, %u, %u, %u, %u, GPUCODE_PACKET_%s, %d, 0x%03x, 0x%x},\n",
                digit ? "WORD" : "", field->name, find_value(field->type, NULL) ? "&enum_" : "NULL",
                find_value(field->type, NULL) ? field->type : "", field->word, field->low, field->high - field->low + 1,
                field->stride, form(field), selector, field->mask,
                value ? tsv_number(&enums, value, value->cell[2], UINT32_MAX) : 0);
    }
    fputs("};\n\n", out);
}

struct named {
    const char *name, *fields;
    unsigned count;
};

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

int main(int argc, char **argv)
{
    static struct named packets[PACKETS_MAX];
    unsigned count = 0;
    if (argc != 6 || !(out = fopen(argv[1], "w")))
        tsv_fail(NULL, NULL, "usage: layoutc OUTPUT FIELDS ENUMS BITSETS LAYOUTS");
    tsv_load(&fields, argv[2], 7, 7);
    tsv_load(&enums, argv[3], 4, 4);
    tsv_load(&bitsets, argv[4], 6, 6);
    tsv_load(&layouts, argv[5], 2, 2);
    fputs("/* Made by tools/layoutc.c. */\n#include \"pm4/packet/layout.h\"\n\n", out);
    put_enums();
    for (unsigned i = 0; i < fields.count;) {
        const char *name = fields.rows[i].cell[0];
        packet_count = 0;
        for (; i < fields.count && strcmp(fields.rows[i].cell[0], name) == 0; i++)
            add_row(&fields.rows[i]);
        put_packet(name);
        packets[count++] = (struct named){name, name, packet_count};
    }
    for (unsigned i = 0, known = count; i < layouts.count; i++) {
        unsigned of = 0;
        while (of < known && strcmp(packets[of].name, layouts.rows[i].cell[1]) != 0)
            of++;
        if (of == known || count == PACKETS_MAX)
            tsv_fail(&layouts, &layouts.rows[i], "no fields of %s", layouts.rows[i].cell[1]);
        packets[count++] = (struct named){layouts.rows[i].cell[0], packets[of].name, packets[of].count};
    }
    qsort(packets, count, sizeof *packets, compare);
    fputs("const struct packet_layout packet_layouts[] = {\n", out);
    for (unsigned i = 0; i < count; i++) {
        if (i && strcmp(packets[i].name, packets[i - 1].name) == 0)
            tsv_fail(&fields, NULL, "the fields of %s do not stand together", packets[i].name);
        fprintf(out, "    {\"%s\", fields_%s, %u},\n", packets[i].name, packets[i].fields, packets[i].count);
    }
    fprintf(out, "};\nconst unsigned packet_layout_count = %u;\n", count);
    if (fclose(out) != 0)
        tsv_fail(NULL, NULL, "%s: %s", argv[1], strerror(errno));
    return 0;
}
