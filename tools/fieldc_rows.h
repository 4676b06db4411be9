/* SPDX-License-Identifier: MIT */
/* Rows of tables with TABs, and texts that are stored once; for tools/fieldc.c. */
#ifndef FIELDC_ROWS_H
#define FIELDC_ROWS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 17
#define ROWS_MAX 8192
#define STRINGS_MAX (1u << 20)
#define POOL_SLOTS (1u << 16)

struct row {
    unsigned line;
    char *cell[COLUMNS];
};

struct table {
    char path[512];
    unsigned count;
    struct row rows[ROWS_MAX];
};

struct string_pool {
    char text[STRINGS_MAX];
    unsigned length, slots[POOL_SLOTS]; /* offset + 1 */
};

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

static void load(struct table *table, const char *folder, const char *name, unsigned columns)
{
    char text[2048];
    snprintf(table->path, sizeof table->path, "%s/%s", folder, name);
    FILE *file = fopen(table->path, "r");
    table->count = 0;
    if (!file)
        fail(table->path, 0, "cannot be read");
    for (unsigned line = 1; fgets(text, sizeof text, file); line++) {
        text[strcspn(text, "\n")] = 0;
        if (!*text || *text == '#')
            continue;
        if (table->count == ROWS_MAX)
            fail(table->path, line, "too many rows");
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
            fail(table->path, line, "not %u columns", columns);
    }
    fclose(file);
}

static unsigned number(const struct table *table, const struct row *row, const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 0);
    if (end == text || *end || value > 0xffffffff)
        fail(table->path, row->line, "'%s' is no number", text);
    return (unsigned)value;
}

/* "A2XX,A3XX" or "*" as a mask: bit 1 is A2XX. */
static unsigned chips(const struct table *table, const struct row *row, const char *text)
{
    unsigned mask = 0;
    if (strcmp(text, "*") == 0)
        return 0xfe;
    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
        if (at[0] != 'A' || at[1] < '2' || at[1] > '8' || strncmp(at + 2, "XX", 2) != 0)
            fail(table->path, row->line, "'%s' are no chips", text);
        mask |= 1u << (at[1] - '1');
    }
    return mask;
}

/* Offset of a text in the pool. */
static unsigned intern(struct string_pool *pool, const char *text)
{
    uint32_t hash = 2166136261u;
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    unsigned slot = hash % POOL_SLOTS, size = (unsigned)strlen(text) + 1;
    for (; pool->slots[slot]; slot = (slot + 1) % POOL_SLOTS)
        if (strcmp(pool->text + pool->slots[slot] - 1, text) == 0)
            return pool->slots[slot] - 1;
    if (pool->length + size > STRINGS_MAX)
        fail("fieldc", 0, "too many strings");
    memcpy(pool->text + pool->length, text, size);
    pool->slots[slot] = pool->length + 1;
    pool->length += size;
    return pool->slots[slot] - 1;
}

/* One array instead of pointers: no relocations when the program starts. */
static void put_strings(FILE *out, const struct string_pool *pool, const char *name)
{
    fprintf(out, "const char %s[] = {", name);
    for (unsigned i = 0; i < pool->length; i++)
        fprintf(out, "%s%d,", i % 32 ? "" : "\n    ", pool->text[i]);
    fputs("\n};\n", out);
}

#endif
