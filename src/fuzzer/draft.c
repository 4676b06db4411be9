/* SPDX-License-Identifier: MIT */
#include "fuzzer/corpus.h"

#include <gpucode/fuzz.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t get_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        *at++ = (unsigned char)(word >> 8 * i);
    return at;
}

/* Takes the next record's head and words; returns how many bytes it has. */
static size_t read_record(const unsigned char *at, size_t left, unsigned kind_count, uint8_t *kind, uint8_t *count,
                          uint32_t *words)
{
    size_t wanted = left > 1 ? at[1] & 63u : 0, there = left > 2 ? (left - 2) / 4 : 0;
    *kind = (uint8_t)(at[0] % kind_count);
    *count = (uint8_t)(wanted < there ? wanted : there);
    for (unsigned i = 0; i < *count; i++)
        words[i] = get_word(at + 2 + 4 * i);
    return wanted <= there ? 2 + 4 * wanted : left;
}

size_t gpucode_fuzz_read(unsigned kind_count, const void *bytes, size_t size, struct gpucode_fuzz_record *records,
                         size_t room, uint32_t *words)
{
    size_t count = 0;
    const unsigned char *at = bytes;
    if (!bytes || !records || !words || !kind_count)
        return 0;
    for (size_t used; size && count < room && count < GPUCODE_FUZZ_RECORDS_MAX; at += used, size -= used, count++) {
        struct gpucode_fuzz_record *record = &records[count];
        used = read_record(at, size, kind_count, &record->kind, &record->count, words);
        used = used < size ? used : size;
        record->words = words;
        words += record->count;
    }
    return count;
}

size_t gpucode_fuzz_write(const struct gpucode_fuzz_record *records, size_t count, void *bytes, size_t room)
{
    size_t needed = 0;
    if (!records || !bytes)
        return 0;
    for (size_t i = 0; i < count; i++)
        needed += 2 + 4 * (size_t)records[i].count;
    if (needed > room)
        return 0;
    unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        *at++ = records[i].kind;
        *at++ = records[i].count;
        for (unsigned k = 0; k < records[i].count; k++)
            at = put_word(at, records[i].words[k]);
    }
    return needed;
}

void draft_clear(struct draft *draft)
{
    draft->count = 0;
    for (unsigned i = 0; i < GPUCODE_FUZZ_RECORDS_MAX; i++)
        draft->free_slots[i] = (uint8_t)i;
}

void draft_read(struct draft *draft, unsigned kind_count, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    draft_clear(draft);
    for (size_t used; size && draft->count < GPUCODE_FUZZ_RECORDS_MAX; at += used, size -= used) {
        struct draft_record *record = &draft->records[draft->count];
        record->slot = (uint8_t)draft->count;
        used = read_record(at, size, kind_count, &record->kind, &record->count, draft_words(draft, draft->count));
        used = used < size ? used : size;
        draft->count++;
    }
}

size_t draft_view(const struct draft *draft, struct gpucode_fuzz_record *records)
{
    for (unsigned i = 0; i < draft->count; i++)
        records[i] = (struct gpucode_fuzz_record){draft->records[i].kind, draft->records[i].count,
                                                  draft->words + (size_t)DRAFT_SLOT * draft->records[i].slot};
    return draft->count;
}

size_t draft_write(const struct draft *draft, void *bytes, size_t room)
{
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    return gpucode_fuzz_write(records, draft_view(draft, records), bytes, room);
}

bool draft_insert(struct draft *draft, unsigned index, unsigned kind)
{
    if (draft->count == GPUCODE_FUZZ_RECORDS_MAX)
        return false;
    memmove(draft->records + index + 1, draft->records + index, (draft->count - index) * sizeof *draft->records);
    draft->records[index] = (struct draft_record){(uint8_t)kind, 0, draft->free_slots[draft->count]};
    draft->count++;
    return true;
}

void draft_remove(struct draft *draft, unsigned index)
{
    uint8_t slot = draft->records[index].slot;
    draft->count--;
    draft->free_slots[draft->count] = slot;
    memmove(draft->records + index, draft->records + index + 1, (draft->count - index) * sizeof *draft->records);
}

bool draft_copy(struct draft *draft, unsigned index, const struct draft *from, unsigned which)
{
    struct draft_record record = from->records[which];
    if (!draft_insert(draft, index, record.kind))
        return false;
    draft->records[index].count = record.count;
    memcpy(draft_words(draft, index), from->words + (size_t)DRAFT_SLOT * record.slot, 4 * (size_t)record.count);
    return true;
}

/* Kinds and values as text. */

#define NAME_MAX 64u

/* --- writing ------------------------------------------------------------------------------------------------- */

static void put_values(FILE *out, const uint32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, " 0x%x", (unsigned)values[i]);
    fputc('\n', out);
}

char *gpucode_fuzz_kinds_text(const struct gpucode_fuzz_subject *subject, size_t *length)
{
    static const char *const nestings[] = {"flat", "opens", "closes"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = subject ? open_memstream(&text, &size) : NULL;
    if (!out)
        return NULL;
    for (unsigned i = 0; i < subject->kind_count; i++) {
        const struct gpucode_fuzz_kind *kind = &subject->kinds[i];
        fprintf(out, "kind %s %u %u %u %s", kind->name, kind->weight, kind->least, kind->most, nestings[kind->nesting]);
        put_values(out, kind->values, kind->value_count);
    }
    fputs("values", out);
    put_values(out, subject->values, subject->value_count);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    if (length)
        *length = size;
    return text;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

struct reading {
    const char *at, *end; /* of the line */
};

/* Takes the next word of the line; false: there is none. */
static bool next_word(struct reading *reading, const char **word, size_t *length)
{
    while (reading->at < reading->end && (*reading->at == ' ' || *reading->at == '\t' || *reading->at == '\r'))
        reading->at++;
    *word = reading->at;
    while (reading->at < reading->end && *reading->at != ' ' && *reading->at != '\t' && *reading->at != '\r')
        reading->at++;
    *length = (size_t)(reading->at - *word);
    return *length;
}

static bool next_number(struct reading *reading, uint32_t most, uint32_t *number)
{
    const char *word;
    size_t length;
    char copy[16], *end;
    if (!next_word(reading, &word, &length) || length >= sizeof copy || *word < '0' || *word > '9')
        return false;
    memcpy(copy, word, length);
    copy[length] = 0;
    unsigned long long value = strtoull(copy, &end, 0);
    *number = (uint32_t)value;
    return !*end && value <= most;
}

/* The rest of the line; false: something in it is not a number. *status: no memory. */
static bool read_values(struct reading *reading, const uint32_t **values, size_t *count, enum gpucode_status *status)
{
    uint32_t *list = malloc((size_t)(reading->end - reading->at) / 2 * sizeof *list + sizeof *list);
    const char *word;
    size_t length;
    if (!list) {
        *status = GPUCODE_ERROR_MEMORY;
        return false;
    }
    *values = list;
    *count = 0;
    for (struct reading look = *reading; next_word(&look, &word, &length); look = *reading)
        if (!next_number(reading, UINT32_MAX, &list[(*count)++]))
            return false;
    return true;
}

static bool read_nesting(struct reading *reading, enum gpucode_fuzz_nesting *nesting)
{
    static const char *const names[] = {"flat", "opens", "closes"};
    const char *word;
    size_t length;
    if (!next_word(reading, &word, &length))
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0) {
            *nesting = (enum gpucode_fuzz_nesting)i;
            return true;
        }
    return false;
}

static bool read_kind(struct reading *reading, struct gpucode_fuzz_kind *kind, enum gpucode_status *status)
{
    const char *word;
    size_t length;
    uint32_t weight, least, most;
    if (!next_word(reading, &word, &length) || length >= NAME_MAX || !next_number(reading, 0xffff, &weight) ||
        !next_number(reading, GPUCODE_FUZZ_WORDS_MAX, &least) || !next_number(reading, GPUCODE_FUZZ_WORDS_MAX, &most) ||
        least > most || !read_nesting(reading, &kind->nesting))
        return false;
    kind->weight = weight;
    kind->least = least;
    kind->most = most;
    char *name = malloc(length + 1);
    kind->name = name;
    if (!name) {
        *status = GPUCODE_ERROR_MEMORY;
        return false;
    }
    memcpy(name, word, length);
    name[length] = 0;
    return read_values(reading, &kind->values, &kind->value_count, status);
}

static bool read_line(struct reading *reading, struct gpucode_fuzz_subject *subject, enum gpucode_status *status)
{
    const char *word;
    size_t length;
    if (!next_word(reading, &word, &length) || *word == '#')
        return true;
    if (length == 4 && memcmp(word, "kind", 4) == 0 && subject->kind_count < GPUCODE_FUZZ_KINDS_MAX)
        return read_kind(reading, (struct gpucode_fuzz_kind *)&subject->kinds[subject->kind_count++], status);
    return length == 6 && memcmp(word, "values", 6) == 0 && !subject->values &&
           read_values(reading, &subject->values, &subject->value_count, status);
}

enum gpucode_status gpucode_fuzz_kinds_read(const char *text, size_t length, struct gpucode_fuzz_subject *subject,
                                            unsigned *line)
{
    if (!subject || (!text && length))
        return GPUCODE_ERROR_ARGUMENT;
    *subject = (struct gpucode_fuzz_subject){.kinds = calloc(GPUCODE_FUZZ_KINDS_MAX, sizeof *subject->kinds)};
    if (!subject->kinds)
        return GPUCODE_ERROR_MEMORY;
    enum gpucode_status status = GPUCODE_OK;
    unsigned number = 0;
    for (const char *at = text, *end = text + length; status == GPUCODE_OK && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct reading reading = {at, newline ? newline : end};
        number++;
        bool has_zero = memchr(at, 0, (size_t)(reading.end - at)); /* a name would end there */
        if ((has_zero || !read_line(&reading, subject, &status)) && status == GPUCODE_OK)
            status = GPUCODE_ERROR_INPUT;
        at = newline ? newline + 1 : end;
    }
    if (status == GPUCODE_OK && !subject->kind_count)
        status = GPUCODE_ERROR_INPUT;
    if (line)
        *line = number;
    if (status != GPUCODE_OK)
        gpucode_fuzz_kinds_free(subject);
    return status;
}

void gpucode_fuzz_kinds_free(struct gpucode_fuzz_subject *subject)
{
    if (!subject)
        return;
    for (unsigned i = 0; subject->kinds && i < GPUCODE_FUZZ_KINDS_MAX; i++) {
        free((void *)subject->kinds[i].name);
        free((void *)subject->kinds[i].values);
    }
    free((void *)subject->kinds);
    free((void *)subject->values);
    *subject = (struct gpucode_fuzz_subject){0};
}
