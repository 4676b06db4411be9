/* SPDX-License-Identifier: MIT */
#include "fuzzer/corpus.h"

#include <stdlib.h>
#include <string.h>

/* --- the map ------------------------------------------------------------------------------------------------- */

uint8_t count_class(uint8_t count)
{
    return count < 3     ? count
           : count == 3  ? 4
           : count < 8   ? 8
           : count < 16  ? 16
           : count < 32  ? 32
           : count < 128 ? 64
                         : 128;
}

bool map_is_new(const uint8_t *map, uint8_t *seen, size_t size, bool note)
{
    bool any = false;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t eight;
        if (size - i >= 8) {
            memcpy(&eight, map + i, 8);
            if (!eight)
                continue;
        }
        for (size_t k = i; k < size && k < i + 8; k++) {
            uint8_t bit = map[k] ? count_class(map[k]) : 0;
            any |= bit & ~seen[k];
            if (note)
                seen[k] |= bit;
        }
    }
    return any;
}

/* --- lists --------------------------------------------------------------------------------------------------- */

static bool make_room(void **list, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 16;
    void *grown = realloc(*list, more * size);
    if (!grown)
        return false;
    *list = grown;
    *room = more;
    return true;
}

static unsigned char *copy_of(const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

bool entries_add(struct entries *entries, const void *bytes, size_t size, size_t source, const char *op, uint64_t runs)
{
    if (!make_room((void **)&entries->list, &entries->room, entries->count, sizeof *entries->list))
        return false;
    struct entry *entry = &entries->list[entries->count];
    *entry = (struct entry){.bytes = copy_of(bytes, size), .size = size, .source = source, .runs = runs};
    if (!entry->bytes)
        return false;
    size_t length = strlen(op);
    memcpy(entry->op, op, length < sizeof entry->op ? length : sizeof entry->op - 1);
    entries->count++;
    return true;
}

void entries_free(struct entries *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        free(entries->list[i].bytes);
    free(entries->list);
    *entries = (struct entries){0};
}

struct finding *findings_find(const struct findings *findings, const char *key)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].outcome.key, key) == 0)
            return &findings->list[i];
    return NULL;
}

bool findings_note(struct findings *findings, const struct gpucode_fuzz_outcome *outcome, const void *bytes,
                   size_t size, uint64_t runs)
{
    struct finding *finding = findings_find(findings, outcome->key);
    if (finding) {
        finding->count++;
        return true;
    }
    if (!make_room((void **)&findings->list, &findings->room, findings->count, sizeof *findings->list))
        return false;
    finding = &findings->list[findings->count];
    *finding = (struct finding){*outcome, copy_of(bytes, size), size, 1, runs};
    findings->count += finding->bytes != NULL;
    return finding->bytes;
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        free(findings->list[i].bytes);
    free(findings->list);
    *findings = (struct findings){0};
}

/* --- the corpus ---------------------------------------------------------------------------------------------- */

static bool is_subject(const struct gpucode_fuzz_subject *subject)
{
    if (!subject || !subject->kinds || !subject->kind_count || subject->kind_count > GPUCODE_FUZZ_KINDS_MAX)
        return false;
    for (unsigned i = 0; i < subject->kind_count; i++)
        if (subject->kinds[i].least > subject->kinds[i].most || subject->kinds[i].most > GPUCODE_FUZZ_WORDS_MAX)
            return false;
    return subject->run && subject->attach && subject->map_size;
}

enum gpucode_status gpucode_fuzz_create(const struct gpucode_fuzz_subject *subject, uint64_t seed,
                                        struct gpucode_fuzz **out)
{
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!is_subject(subject))
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_fuzz *fuzz = calloc(1, sizeof *fuzz);
    uint8_t *seen = calloc(1, subject->map_size);
    if (!fuzz || !seen) {
        free(fuzz);
        free(seen);
        return GPUCODE_ERROR_MEMORY;
    }
    fuzz->subject = *subject;
    fuzz->seed = seed;
    fuzz->seen = seen;
    *out = fuzz;
    return GPUCODE_OK;
}

void gpucode_fuzz_free(struct gpucode_fuzz *fuzz)
{
    if (!fuzz)
        return;
    entries_free(&fuzz->entries);
    findings_free(&fuzz->findings);
    free(fuzz->seen);
    free(fuzz);
}

bool gpucode_fuzz_entry_at(const struct gpucode_fuzz *fuzz, size_t index, struct gpucode_fuzz_entry *entry)
{
    if (!fuzz || !entry || index >= fuzz->entries.count)
        return false;
    const struct entry *mine = &fuzz->entries.list[index];
    *entry = (struct gpucode_fuzz_entry){mine->bytes, mine->size, mine->source, mine->op, mine->runs};
    return true;
}

bool gpucode_fuzz_finding_at(const struct gpucode_fuzz *fuzz, size_t index, struct gpucode_fuzz_finding *finding)
{
    if (!fuzz || !finding || index >= fuzz->findings.count)
        return false;
    const struct finding *mine = &fuzz->findings.list[index];
    *finding = (struct gpucode_fuzz_finding){&mine->outcome, mine->bytes, mine->size, mine->count, mine->runs};
    return true;
}

void gpucode_fuzz_numbers(const struct gpucode_fuzz *fuzz, struct gpucode_fuzz_numbers *numbers)
{
    if (!numbers)
        return;
    *numbers = (struct gpucode_fuzz_numbers){0};
    if (!fuzz)
        return;
    numbers->runs = fuzz->runs;
    numbers->entries = fuzz->entries.count;
    for (size_t i = 0; i < fuzz->findings.count; i++)
        if (fuzz->findings.list[i].outcome.judgement == GPUCODE_FUZZ_GAP)
            numbers->gaps++;
        else
            numbers->findings++;
    for (size_t i = 0; i < fuzz->subject.map_size; i++)
        numbers->edges += fuzz->seen[i] != 0;
}

const uint8_t *gpucode_fuzz_seen(const struct gpucode_fuzz *fuzz)
{
    return fuzz ? fuzz->seen : NULL;
}
