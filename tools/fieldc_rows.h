/* SPDX-License-Identifier: MIT */
/* Rows of tables with TABs, and texts that are stored once; for tools/fieldc.c. */
#ifndef FIELDC_ROWS_H
#define FIELDC_ROWS_H

#include "tsv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRINGS_MAX (1u << 20)
#define POOL_SLOTS (1u << 16)

struct string_pool {
    char text[STRINGS_MAX];
    unsigned length, slots[POOL_SLOTS]; /* offset + 1 */
};

static void load(struct tsv *table, const char *folder, const char *name, unsigned columns)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = tsv_grow(NULL, size);
    snprintf(path, size, "%s/%s", folder, name);
    tsv_load(table, path, columns, columns);
    free(path);
}

static unsigned number(const struct tsv *table, const struct tsv_row *row, const char *text)
{
    return tsv_number(table, row, text, UINT32_MAX);
}

/* "A2XX,A3XX" or "*" as a mask: bit 1 is A2XX. */
static unsigned chips(const struct tsv *table, const struct tsv_row *row, const char *text)
{
    unsigned mask = 0;
    if (strcmp(text, "*") == 0)
        return 0xfe;
    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
        if (at[0] != 'A' || at[1] < '2' || at[1] > '8' || strncmp(at + 2, "XX", 2) != 0)
            tsv_fail(table, row, "'%s' are not chips", text);
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
        tsv_fail(NULL, NULL, "too many strings");
    memcpy(pool->text + pool->length, text, size);
    pool->slots[slot] = pool->length + 1;
    pool->length += size;
    return pool->slots[slot] - 1;
}

/* One array instead of pointers: no relocations when the program starts. */
static void put_strings(FILE *out, const struct string_pool *pool, const char *name)
{
    fprintf(out, "static const char %s[] = {", name);
    for (unsigned i = 0; i < pool->length; i++)
        fprintf(out, "%s%d,", i % 32 ? "" : "\n    ", pool->text[i]);
    fputs("\n};\n", out);
}

#endif
