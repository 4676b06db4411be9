/* SPDX-License-Identifier: MIT */
/*
 * namec OUTPUT SETS TABLE...: turns the name tables under data/ into constant C tables, one
 * struct isa_names for every set in SETS. Runs on the build machine. data/README.md describes the files.
 *
 * namec chipsets OUTPUT CHIPSETS: turns the table of chipsets into X-macro rows.
 */
#include "isa/names/table.h"
#include "tsv.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The table of chipsets as rows for src/isa/hwsq/hwsq.c: CHIPSET(symbol, "NAME", "name", id, variant, code
 * bytes, window, slots, unknown) each; NAMESAKE for a chipset whose variant has its name, NO_HWSQ for one without the
 * sequencer.
 */

enum { NAME, ID, VARIANT, CODE_BYTES, WINDOW, SLOTS, UNKNOWN, COLUMNS };

static void write_chipset(FILE *out, const struct tsv *tsv, const struct tsv_row *row)
{
    char *const *cell = row->cell, lower[32];
    size_t length = strlen(cell[NAME]);
    if (length == 0 || length >= sizeof lower)
        tsv_fail(tsv, row, "a chipset's name has 1 to 31 characters");
    for (size_t i = 0; i <= length; i++) {
        lower[i] = (char)tolower((unsigned char)cell[NAME][i]);
        if (lower[i] && !isalnum((unsigned char)lower[i]))
            tsv_fail(tsv, row, "a chipset's name has letters and digits");
    }
    if (strcmp(cell[VARIANT], "-") == 0)
        fprintf(out, "NO_HWSQ(%s, \"%s\", \"%s\", %s)\n", cell[NAME], cell[NAME], lower, cell[ID]);
    else
        fprintf(out, "%s(%s, \"%s\", \"%s\", %s, %s, %s, %s, %s, %s)\n",
                strcmp(cell[NAME], cell[VARIANT]) == 0 ? "NAMESAKE" : "CHIPSET", cell[NAME], cell[NAME], lower,
                cell[ID], cell[VARIANT], cell[CODE_BYTES], cell[WINDOW], cell[SLOTS], cell[UNKNOWN]);
}

static int namec_chipsets(const char *output, const char *table)
{
    struct tsv tsv;
    tsv_load(&tsv, table, COLUMNS, COLUMNS);
    FILE *out = fopen(output, "w");
    if (!out)
        tsv_fail(NULL, NULL, "%s: %s", output, strerror(errno));
    for (unsigned i = 0; i < tsv.count; i++)
        write_chipset(out, &tsv, &tsv.rows[i]);
    if (fclose(out) != 0)
        tsv_fail(NULL, NULL, "%s: %s", output, strerror(errno));
    return 0;
}

#define SETS_MAX 64

/* Rows of one file that count for one chip. */
struct table {
    const char *file, *chip;
    bool others;
    struct isa_name *names;
    uint32_t count;
};

/* A row of SETS. */
struct member {
    const char *set, *space, *domain, *chip;
    unsigned table;
};

static struct tsv sources[SETS_MAX];
static unsigned source_count;
static struct table tables[SETS_MAX];
static unsigned table_count;
static struct member members[SETS_MAX];
static unsigned member_count;
static char *strings;
static size_t strings_length;

static const char *const space_names[GPUCODE_SPACE_COUNT] = {
    [GPUCODE_SPACE_GENERAL] = "GENERAL", [GPUCODE_SPACE_CONTROL] = "CONTROL", [GPUCODE_SPACE_SQE] = "SQE",
    [GPUCODE_SPACE_PIPE] = "PIPE",       [GPUCODE_SPACE_GPU] = "GPU",         [GPUCODE_SPACE_PACKET] = "PACKET",
    [GPUCODE_SPACE_FLAG] = "FLAG",       [GPUCODE_SPACE_EVENT] = "EVENT",
};

/* 1: the chip is in the list, 2: in parentheses, 0: not there. */
static int listed(const char *chips, const char *chip)
{
    size_t length = strlen(chip);
    for (const char *at = chips; *at; at += *at == ',') {
        size_t token = strcspn(at, ",");
        if (strncmp(at, "*", token) == 0 || (token == length && memcmp(at, chip, length) == 0))
            return 1;
        if (token == length + 2 && *at == '(' && memcmp(at + 1, chip, length) == 0)
            return 2;
        at += token;
    }
    return 0;
}

/* Offset of a text in the strings; equal texts are stored once. */
static uint32_t intern(const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < strings_length; at += strlen(strings + at) + 1)
        if (strcmp(strings + at, text) == 0)
            return (uint32_t)at;
    strings = tsv_grow(strings, strings_length + length + 1);
    memcpy(strings + strings_length, text, length + 1);
    strings_length += length + 1;
    return (uint32_t)(strings_length - length - 1);
}

static struct isa_name read_row(const struct tsv *source, const struct tsv_row *row)
{
    char *const *columns = row->cell;
    static const struct {
        const char *name;
        uint8_t flags;
    } kinds[] = {{"reg", 0},          {"address", NAME_ADDRESS},
                 {"void", NAME_VOID}, {"array", NAME_CONTAINER},
                 {"packet", 0},       {"flag", 0},
                 {"event", 0}};
    struct isa_name name = {0};
    size_t length = strlen(columns[0]);
    const char *subscript = strstr(columns[0], "[]");
    if (!length || length > NAME_TEXT_MAX)
        tsv_fail(source, row, "a name has 1 to %d letters", NAME_TEXT_MAX);
    name.text = intern(columns[0]);
    name.length = (uint8_t)length;
    name.subscript = subscript ? (uint8_t)(subscript - columns[0]) : name.length;
    name.number = tsv_number(source, row, columns[1], 0xffffff);
    name.words = (uint8_t)tsv_number(source, row, columns[3], 255);
    name.stride = (uint16_t)tsv_number(source, row, columns[4], 0xffff);
    name.count = (uint16_t)tsv_number(source, row, columns[5], 0xffff);
    if (!name.words || !name.count || (subscript && !name.stride) || (!subscript && (name.stride || name.count > 1)))
        tsv_fail(source, row, "words, stride and count do not go with the name");
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        if (strcmp(columns[6], kinds[kind].name) == 0) {
            name.flags = kinds[kind].flags;
            if (name.flags & NAME_CONTAINER)
                name.words = 1;
            return name;
        }
    tsv_fail(source, row, "unknown kind '%s'", columns[6]);
}

static void read_table(struct table *table, const struct tsv *source)
{
    for (const struct tsv_row *row = source->rows; row < source->rows + source->count; row++) {
        if (row->count < 7)
            tsv_fail(source, row, "a row has 7 or 8 columns");
        struct isa_name name = read_row(source, row);
        int how = listed(row->cell[2], table->chip);
        if (how == 1 || how == 2 || table->others) {
            name.flags |= how == 1 ? 0 : NAME_HIDDEN;
            table->names = tsv_grow(table->names, (table->count + 1) * sizeof name);
            table->names[table->count++] = name;
        }
    }
    if (!table->count)
        tsv_fail(source, NULL, "no row for chip %s", table->chip);
}

static unsigned table_for(const struct tsv *sets, const struct tsv_row *row)
{
    char *const *columns = row->cell;
    bool others = strcmp(columns[4], "understood") == 0;
    for (unsigned i = 0; i < table_count; i++)
        if (strcmp(tables[i].file, columns[2]) == 0 && strcmp(tables[i].chip, columns[3]) == 0 &&
            tables[i].others == others)
            return i;
    if (table_count == SETS_MAX)
        tsv_fail(sets, row, "too many tables");
    for (unsigned i = 1; i < source_count; i++)
        if (strcmp(sources[i].base, columns[2]) == 0) {
            struct table *table = &tables[table_count];
            *table = (struct table){.file = columns[2], .chip = columns[3], .others = others};
            read_table(table, &sources[i]);
            return table_count++;
        }
    tsv_fail(sets, row, "no file %s among the arguments", columns[2]);
}

static void read_sets(const struct tsv *sets)
{
    for (const struct tsv_row *row = sets->rows; row < sets->rows + sets->count; row++) {
        char *const *columns = row->cell;
        unsigned count = row->count, space = 0;
        while (space < GPUCODE_SPACE_COUNT && count == 6 && strcmp(space_names[space], columns[1]) != 0)
            space++;
        if (count != 6 || space == GPUCODE_SPACE_COUNT || member_count == SETS_MAX)
            tsv_fail(sets, row, "a row has 6 columns, the second is a space; at most %d rows", SETS_MAX);
        members[member_count++] = (struct member){.set = columns[0],
                                                  .space = columns[1],
                                                  .domain = columns[5],
                                                  .chip = columns[3],
                                                  .table = table_for(sets, row)};
    }
}

static void write_numbers(FILE *out, const char *name, unsigned table, const uint16_t *numbers, uint32_t count)
{
    fprintf(out, "static const uint16_t %s_%u[] = {", name, table);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%u,", i % 24 ? "" : "\n    ", (unsigned)numbers[i]);
    fprintf(out, "\n};\n");
}

static void write_table(FILE *out, unsigned number_of_table)
{
    const struct table *table = &tables[number_of_table];
    struct name_index index;
    if (!name_index_build(&index, strings, table->names, table->count))
        tsv_fail(NULL, NULL, "%s for %s is too large", table->file, table->chip);
    fprintf(out, "\n/* %s, %s */\nstatic const struct isa_name names_%u[] = {\n", table->file, table->chip,
            number_of_table);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct isa_name *name = &table->names[i];
        fprintf(out, "    {%u, 0x%x, %u, %u, %u, %u, %u, %u}, /* %s */\n", name->text, name->number, name->count,
                name->stride, name->length, name->subscript, name->words, name->flags, strings + name->text);
    }
    fprintf(out, "};\n");
    write_numbers(out, "root", number_of_table, index.root, index.root_count);
    write_numbers(out, "middle", number_of_table, index.middle, index.middle_blocks * 64);
    write_numbers(out, "leaves", number_of_table, index.leaves, index.leaf_blocks * 64);
    write_numbers(out, "hash", number_of_table, index.hash, index.hash_mask + 1);
    fprintf(out,
            "static const struct isa_name_table table_%u = {\n"
            "    .strings = strings, .names = names_%u, .name_count = %u, .root_count = %u, .hash_mask = %u,\n"
            "    .root = root_%u, .middle = middle_%u, .leaves = leaves_%u, .hash = hash_%u,\n};\n",
            number_of_table, number_of_table, table->count, index.root_count, index.hash_mask, number_of_table,
            number_of_table, number_of_table, number_of_table);
    name_index_free(&index);
}

static void write_set(FILE *out, const char *set)
{
    fprintf(out, "\n");
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++) {
        bool any = false;
        for (unsigned i = 0; i < member_count; i++) {
            if (strcmp(members[i].set, set) != 0 || strcmp(members[i].space, space_names[space]) != 0)
                continue;
            if (!any)
                fprintf(out, "static const struct isa_name_table *const %s_%s[] = {", set, space_names[space]);
            fprintf(out, "&table_%u, ", members[i].table);
            any = true;
        }
        if (any)
            fprintf(out, "NULL};\n");
    }
    fprintf(out, "static const struct isa_name_domain %s_domains[] = {\n", set);
    for (unsigned i = 0; i < member_count; i++)
        if (strcmp(members[i].set, set) == 0 && strcmp(members[i].domain, "-") != 0)
            fprintf(out, "    {GPUCODE_SPACE_%s, \"%s\", \"%s\"},\n", members[i].space, members[i].domain,
                    members[i].chip);
    fprintf(out, "    {GPUCODE_SPACE_GENERAL, NULL, NULL},\n};\n");
    fprintf(out, "extern const struct isa_names %s;\nconst struct isa_names %s = {\n    .spaces = {\n", set, set);
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++)
        for (unsigned i = 0; i < member_count; i++)
            if (strcmp(members[i].set, set) == 0 && strcmp(members[i].space, space_names[space]) == 0) {
                fprintf(out, "        [GPUCODE_SPACE_%s] = %s_%s,\n", space_names[space], set, space_names[space]);
                break;
            }
    fprintf(out, "    },\n    .domains = %s_domains,\n};\n", set);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "chipsets") == 0)
        return namec_chipsets(argv[2], argv[3]);
    if (argc < 4 || argc - 2 > SETS_MAX) {
        fprintf(stderr, "usage: namec OUTPUT SETS TABLE... | namec chipsets OUTPUT CHIPSETS\n");
        return 1;
    }
    for (int i = 2; i < argc; i++)
        tsv_load(&sources[source_count++], argv[i], 1, 8);
    read_sets(&sources[0]);

    FILE *out = fopen(argv[1], "w");
    if (!out)
        tsv_fail(NULL, NULL, "%s: %s", argv[1], strerror(errno));
    fprintf(out, "/* Made by namec from %s; do not edit. */\n#include \"isa/names/table.h\"\n\n", sources[0].base);
    /* one array instead of pointers: no relocations when the program starts */
    fprintf(out, "static const char strings[] = {");
    for (size_t i = 0; i < strings_length; i++)
        fprintf(out, "%s%d,", i % 32 ? "" : "\n    ", strings[i]);
    fprintf(out, "\n};\n");
    for (unsigned i = 0; i < table_count; i++)
        write_table(out, i);
    for (unsigned i = 0; i < member_count; i++) {
        bool first = true;
        for (unsigned j = 0; j < i; j++)
            first = first && strcmp(members[i].set, members[j].set) != 0;
        if (first)
            write_set(out, members[i].set);
    }
    if (fclose(out) != 0)
        tsv_fail(NULL, NULL, "%s: %s", argv[1], strerror(errno));
    return 0;
}
