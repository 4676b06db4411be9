/* SPDX-License-Identifier: MIT */
#include "tsv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void tsv_fail(const struct tsv *tsv, const struct tsv_row *row, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (tsv)
        fprintf(stderr, "%s:", tsv->path);
    if (row)
        fprintf(stderr, "%u:", row->line);
    fputs(tsv ? " error: " : "error: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *tsv_grow(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (!memory)
        tsv_fail(NULL, NULL, "out of memory");
    return memory;
}

/* What was loaded, so that what nothing points to any more is not a leak. */
static struct kept {
    struct kept *next;
    char *path, *text;
    struct tsv_row *rows;
} * kept;

static char *read_whole_file(const struct tsv *tsv)
{
    FILE *file = fopen(tsv->path, "rb");
    char *text = NULL;
    size_t length = 0, got;
    if (!file)
        tsv_fail(tsv, NULL, "%s", strerror(errno));
    do {
        text = tsv_grow(text, length + 65537);
        got = fread(text + length, 1, 65536, file);
        length += got;
    } while (got);
    if (ferror(file) || fclose(file) != 0)
        tsv_fail(tsv, NULL, "cannot be read");
    text[length] = 0;
    return text;
}

/* Cuts a line at its TABs, in place. */
static void cut_row(const struct tsv *tsv, struct tsv_row *row, char *at)
{
    for (;; at++) {
        if (row->count == TSV_COLUMNS_MAX)
            tsv_fail(tsv, row, "more than %d columns", TSV_COLUMNS_MAX);
        row->cell[row->count++] = at;
        at += strcspn(at, "\t");
        if (!*at)
            return;
        *at = 0;
    }
}

void tsv_load(struct tsv *tsv, const char *path, unsigned least, unsigned most)
{
    struct kept *loaded = tsv_grow(NULL, sizeof *loaded);
    *loaded = (struct kept){.next = kept, .path = strcpy(tsv_grow(NULL, strlen(path) + 1), path)};
    kept = loaded;
    const char *slash = strrchr(loaded->path, '/');
    *tsv = (struct tsv){.path = loaded->path, .base = slash ? slash + 1 : loaded->path};
    loaded->text = read_whole_file(tsv);
    unsigned line = 1;
    for (char *at = loaded->text, *end; *at; at = end, line++) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = 0;
        at[strcspn(at, "\r")] = 0;
        if (!*at || *at == '#')
            continue;
        loaded->rows = tsv->rows = tsv_grow(tsv->rows, (tsv->count + 1) * sizeof *tsv->rows);
        struct tsv_row *row = &tsv->rows[tsv->count++];
        *row = (struct tsv_row){.line = line};
        cut_row(tsv, row, at);
        if (row->count < least || row->count > most)
            tsv_fail(tsv, row, "a row has %u to %u columns, this one %u", least, most, row->count);
    }
}

uint32_t tsv_number(const struct tsv *tsv, const struct tsv_row *row, const char *text, uint32_t greatest)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    if (*text < '0' || *text > '9' || *end || errno || value > greatest)
        tsv_fail(tsv, row, "'%s' is not a number from 0 to %u", text, (unsigned)greatest);
    return (uint32_t)value;
}
