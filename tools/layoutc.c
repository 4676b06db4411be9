/* SPDX-License-Identifier: MIT */
/*
 * layoutc OUTPUT FIELDS ENUMS BITSETS LAYOUTS: turns the tables of packet fields under data/afuc/ into the constant
 * tables of src/pm4/packet/layout.h. Runs on the build machine. data/README.md describes the files.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 7
#define ROWS_MAX 4096
#define PACKET_FIELDS_MAX 64
#define STRIDE "[+3*n]"

struct row {
    unsigned line;
    char *cell[COLUMNS];
};

struct table {
    const char *path;
    unsigned columns, count;
    struct row rows[ROWS_MAX];
};

static struct table fields, enums, bitsets, layouts;
static FILE *out;

static _Noreturn void fail(const char *path, unsigned line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%u: error: ", path, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void load(struct table *table, const char *path, unsigned columns)
{
    char text[1024];
    FILE *file = fopen(path, "r");
    table->path = path;
    table->columns = columns;
    if (!file)
        fail(path, 0, "cannot be read");
    for (unsigned line = 1; fgets(text, sizeof text, file); line++) {
        text[strcspn(text, "\n")] = 0;
        if (!*text || *text == '#')
            continue;
        if (table->count == ROWS_MAX)
            fail(path, line, "too many rows");
        struct row *row = &table->rows[table->count++];
        char *at = strdup(text);
        unsigned count = 0;
        row->line = line;
        for (; at && count < COLUMNS; count++) {
            row->cell[count] = at;
            at = strchr(at, '\t');
            if (at)
                *at++ = 0;
        }
        if (count != columns || at)
            fail(path, line, "not %u columns", columns);
    }
    fclose(file);
}

static unsigned number(const struct table *table, const struct row *row, const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 0);
    if (end == text || *end || value > 0xffffffff)
        fail(table->path, row->line, "'%s' is no number", text);
    return (unsigned)value;
}

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
static const struct row *find_value(const char *type, const char *name)
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
            const struct row *row = &enums.rows[i];
            unsigned mask = chips(row->cell[3]);
            if (!mask)
                fail(enums.path, row->line, "'%s' are no chips", row->cell[3]);
            fprintf(out, "    {\"%s\", 0x%x, 0x%03x},\n", row->cell[1], number(&enums, row, row->cell[2]), mask);
        }
        fprintf(out, "};\nstatic const struct packet_enum enum_%s = {\"%s\", values_%s, %u};\n\n", name, name, name,
                i - first);
    }
}

/* A field on its way out; those of bitsets come from two rows. */
struct field {
    const struct row *row;
    const char *name, *type;
    unsigned word, low, high, stride, mask;
    const char *condition; /* null: the mask says all */
};

static struct field packet[PACKET_FIELDS_MAX];
static unsigned packet_count;

/* The field whose value `condition` is: the nearest one before field `of` whose type has it, else the next behind. */
static int find_selector(unsigned of, const struct row **value)
{
    for (unsigned i = of; i-- > 0;)
        if ((*value = find_value(packet[i].type, packet[of].condition)))
            return (int)i;
    for (unsigned i = of + 1; i < packet_count; i++)
        if ((*value = find_value(packet[i].type, packet[of].condition)))
            return (int)i;
    fail(fields.path, packet[of].row->line, "'%s' is no chip and no value of a field", packet[of].condition);
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
        fail(fields.path, field.row->line, "too many fields");
    if (field.high < field.low || field.high > 63)
        fail(fields.path, field.row->line, "bits %u to %u", field.low, field.high);
    if (field.low > 31) {
        field.word++;
        field.low -= 32;
        field.high -= 32;
    }
    packet[packet_count++] = field;
}

static void add_row(const struct row *row)
{
    char *word = row->cell[1], *stride = strstr(word, STRIDE);
    struct field field = {
        .row = row,
        .name = row->cell[2],
        .type = row->cell[6],
        .low = number(&fields, row, row->cell[3]),
        .high = number(&fields, row, row->cell[4]),
        .mask = chips(row->cell[5]),
    };
    if (stride) {
        if (stride[strlen(STRIDE)])
            fail(fields.path, row->line, "'%s' is no word", word);
        *stride = 0;
        field.stride = 3;
    }
    field.word = number(&fields, row, word);
    if (!field.mask) {
        field.condition = row->cell[5];
        field.mask = 0x1ff;
    }
    bool bitset = false;
    for (unsigned i = 0; i < bitsets.count; i++) {
        const struct row *part = &bitsets.rows[i];
        if (strcmp(part->cell[0], field.type) != 0)
            continue;
        struct field inner = field;
        bitset = true;
        inner.name = part->cell[1];
        inner.low = number(&bitsets, part, part->cell[2]);
        inner.high = number(&bitsets, part, part->cell[3]);
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
        const struct row *value = NULL;
        int selector = field->condition ? find_selector(i, &value) : -1;
        bool digit =
            *field->name >= '0' && *field->name <= '9' && strspn(field->name, "0123456789") == strlen(field->name);
        fprintf(out, "    {\"%s%s\", %s%s, %u, %u, %u, %u, GPUCODE_PACKET_%s, %d, 0x%03x, 0x%x},\n",
                digit ? "WORD" : "", field->name, find_value(field->type, NULL) ? "&enum_" : "NULL",
                find_value(field->type, NULL) ? field->type : "", field->word, field->low, field->high - field->low + 1,
                field->stride, form(field), selector, field->mask, value ? number(&enums, value, value->cell[2]) : 0);
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
    static struct named packets[ROWS_MAX];
    unsigned count = 0;
    if (argc != 6 || !(out = fopen(argv[1], "w")))
        fail("layoutc", 0, "usage: layoutc OUTPUT FIELDS ENUMS BITSETS LAYOUTS");
    load(&fields, argv[2], 7);
    load(&enums, argv[3], 4);
    load(&bitsets, argv[4], 6);
    load(&layouts, argv[5], 2);
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
        if (of == known || count == ROWS_MAX)
            fail(layouts.path, layouts.rows[i].line, "no fields of %s", layouts.rows[i].cell[1]);
        packets[count++] = (struct named){layouts.rows[i].cell[0], packets[of].name, packets[of].count};
    }
    qsort(packets, count, sizeof *packets, compare);
    fputs("const struct packet_layout packet_layouts[] = {\n", out);
    for (unsigned i = 0; i < count; i++) {
        if (i && strcmp(packets[i].name, packets[i - 1].name) == 0)
            fail(fields.path, 0, "the fields of %s do not stand together", packets[i].name);
        fprintf(out, "    {\"%s\", fields_%s, %u},\n", packets[i].name, packets[i].fields, packets[i].count);
    }
    fprintf(out, "};\nconst unsigned packet_layout_count = %u;\n", count);
    if (fclose(out) != 0)
        fail(argv[1], 0, "cannot be written");
    return 0;
}
