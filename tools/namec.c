/* SPDX-License-Identifier: MIT */
/*
 * namec OUTPUT SETS TABLE...: turns the name tables under data/ into constant C tables, one
 * struct isa_names for every set in SETS. Runs on the build machine. data/README.md describes the files.
 */
#include "isa/names/index.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 8
#define SETS_MAX 64

/* A line, cut at its TABs in place; comments and empty lines have no cells. */
struct line {
    char *cells[COLUMNS_MAX];
    unsigned count;
};

struct source {
    const char *path, *base;
    struct line *lines;
    unsigned line_count;
};

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

static struct source sources[SETS_MAX];
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

static _Noreturn void fail(const struct source *source, unsigned line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%u: error: ", source ? source->path : "namec", line + 1);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void *grow(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (!memory)
        fail(NULL, 0, "out of memory");
    return memory;
}

static void cut(const struct source *source, struct line *line, char *at)
{
    if (!*at || *at == '#')
        return;
    for (;; at++) {
        if (line->count == COLUMNS_MAX)
            fail(source, (unsigned)(line - source->lines), "more than %d columns", COLUMNS_MAX);
        line->cells[line->count++] = at;
        at += strcspn(at, "\t");
        if (!*at)
            return;
        *at = 0;
    }
}

static void load(struct source *source, const char *path)
{
    FILE *file = fopen(path, "rb");
    const char *slash = strrchr(path, '/');
    source->path = path;
    source->base = slash ? slash + 1 : path;
    if (!file)
        fail(source, 0, "%s", strerror(errno));
    char *text = NULL;
    size_t length = 0, got;
    do {
        text = grow(text, length + 65537);
        got = fread(text + length, 1, 65536, file);
        length += got;
    } while (got);
    if (ferror(file))
        fail(source, 0, "cannot be read");
    fclose(file);
    text[length] = 0;
    for (char *at = text, *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = 0;
        source->lines = grow(source->lines, (source->line_count + 1) * sizeof *source->lines);
        struct line *line = &source->lines[source->line_count++];
        *line = (struct line){.count = 0};
        cut(source, line, at);
    }
}

static uint32_t number(const struct source *source, unsigned line, const char *text, uint32_t greatest)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    if (*text < '0' || *text > '9' || *end || errno || value > greatest)
        fail(source, line, "'%s' is not a number from 0 to %u", text, greatest);
    return (uint32_t)value;
}

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
    strings = grow(strings, strings_length + length + 1);
    memcpy(strings + strings_length, text, length + 1);
    strings_length += length + 1;
    return (uint32_t)(strings_length - length - 1);
}

static struct isa_name read_row(const struct source *source, unsigned line, char *const *columns)
{
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
        fail(source, line, "a name has 1 to %d letters", NAME_TEXT_MAX);
    name.text = intern(columns[0]);
    name.length = (uint8_t)length;
    name.subscript = subscript ? (uint8_t)(subscript - columns[0]) : name.length;
    name.number = number(source, line, columns[1], 0xffffff);
    name.words = (uint8_t)number(source, line, columns[3], 255);
    name.stride = (uint16_t)number(source, line, columns[4], 0xffff);
    name.count = (uint16_t)number(source, line, columns[5], 0xffff);
    if (!name.words || !name.count || (subscript && !name.stride) || (!subscript && (name.stride || name.count > 1)))
        fail(source, line, "words, stride and count do not go with the name");
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        if (strcmp(columns[6], kinds[kind].name) == 0) {
            name.flags = kinds[kind].flags;
            if (name.flags & NAME_CONTAINER)
                name.words = 1;
            return name;
        }
    fail(source, line, "unknown kind '%s'", columns[6]);
}

static void read_table(struct table *table, const struct source *source)
{
    for (unsigned line = 0; line < source->line_count; line++) {
        char *const *columns = source->lines[line].cells;
        unsigned count = source->lines[line].count;
        if (!count)
            continue;
        if (count < 7)
            fail(source, line, "a row has 7 or 8 columns");
        struct isa_name name = read_row(source, line, columns);
        int how = listed(columns[2], table->chip);
        if (how == 1 || how == 2 || table->others) {
            name.flags |= how == 1 ? 0 : NAME_HIDDEN;
            table->names = grow(table->names, (table->count + 1) * sizeof name);
            table->names[table->count++] = name;
        }
    }
    if (!table->count)
        fail(source, 0, "no row for chip %s", table->chip);
}

static unsigned table_for(const struct source *sets, unsigned line, char *const *columns)
{
    bool others = strcmp(columns[4], "understood") == 0;
    for (unsigned i = 0; i < table_count; i++)
        if (strcmp(tables[i].file, columns[2]) == 0 && strcmp(tables[i].chip, columns[3]) == 0 &&
            tables[i].others == others)
            return i;
    if (table_count == SETS_MAX)
        fail(sets, line, "too many tables");
    for (unsigned i = 1; i < source_count; i++)
        if (strcmp(sources[i].base, columns[2]) == 0) {
            struct table *table = &tables[table_count];
            *table = (struct table){.file = columns[2], .chip = columns[3], .others = others};
            read_table(table, &sources[i]);
            return table_count++;
        }
    fail(sets, line, "no file %s among the arguments", columns[2]);
}

static void read_sets(const struct source *sets)
{
    for (unsigned line = 0; line < sets->line_count; line++) {
        char *const *columns = sets->lines[line].cells;
        unsigned count = sets->lines[line].count, space = 0;
        if (!count)
            continue;
        while (space < GPUCODE_SPACE_COUNT && count == 6 && strcmp(space_names[space], columns[1]) != 0)
            space++;
        if (count != 6 || space == GPUCODE_SPACE_COUNT || member_count == SETS_MAX)
            fail(sets, line, "a row has 6 columns, the second is a space; at most %d rows", SETS_MAX);
        members[member_count++] = (struct member){.set = columns[0],
                                                  .space = columns[1],
                                                  .domain = columns[5],
                                                  .chip = columns[3],
                                                  .table = table_for(sets, line, columns)};
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
        fail(NULL, 0, "%s for %s is too large", table->file, table->chip);
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
    if (argc < 4 || argc - 2 > SETS_MAX) {
        fprintf(stderr, "usage: namec OUTPUT SETS TABLE...\n");
        return 1;
    }
    for (int i = 2; i < argc; i++)
        load(&sources[source_count++], argv[i]);
    read_sets(&sources[0]);

    FILE *out = fopen(argv[1], "w");
    if (!out)
        fail(NULL, 0, "%s: %s", argv[1], strerror(errno));
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
        fail(NULL, 0, "%s: %s", argv[1], strerror(errno));
    return 0;
}
