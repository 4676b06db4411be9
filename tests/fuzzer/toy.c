/* SPDX-License-Identifier: MIT */
#include "toy.h"

#include <string.h>

static const uint32_t push_values[] = {5, 0x77};
static const struct gpucode_fuzz_kind kinds[TOY_KINDS] = {
    [TOY_NOTHING] = {.name = "nothing", .weight = 4, .most = 4},
    [TOY_TURN] = {.name = "turn", .weight = 2, .least = 1, .most = 1},
    [TOY_PUSH] = {.name = "push", .weight = 2, .least = 2, .most = 3, .values = push_values, .value_count = 2},
    [TOY_OPENS] = {.name = "opens", .weight = 1, .nesting = GPUCODE_FUZZ_OPENS},
    [TOY_CLOSES] = {.name = "closes", .weight = 1, .nesting = GPUCODE_FUZZ_CLOSES},
    [TOY_GAP] = {.name = "gap", .weight = 1},
};

static void run_toy(struct toy *toy, const struct gpucode_fuzz_record *records, size_t count,
                    struct gpucode_fuzz_outcome *outcome, void (*seen)(void *to, uint32_t value, uint32_t wanted),
                    void *to)
{
    bool open = false;
    int depth = 0;
    for (size_t i = 0; toy->pairs && i < count && depth >= 0; i++)
        depth += (records[i].kind == TOY_OPENS) - (records[i].kind == TOY_CLOSES);
    if (depth) {
        outcome->judgement = GPUCODE_FUZZ_GAP;
        strcpy(outcome->key, "unmatched");
    }
    for (size_t i = 0; i < count && !outcome->key[0]; i++) {
        const struct gpucode_fuzz_record *record = &records[i];
        toy->map[1 + record->kind]++;
        if (record->kind == TOY_NOTHING && toy->asks) { /* for a word, comparing it with what is in no input */
            if (seen)
                seen(to, 0x87654321, TOY_ASKED);
            for (unsigned k = 0; k < record->count; k++)
                toy->map[30] |= record->words[k] == TOY_ASKED;
        }
        if (record->kind == TOY_TURN && record->count) {
            if (seen)
                seen(to, record->words[0], 0x1234);
            open |= record->words[0] == 0x1234;
            toy->map[20] += open;
        } else if (record->kind == TOY_PUSH && open && record->count > 1) {
            toy->map[21]++;
            if (seen)
                seen(to, record->words[1], record->words[0] + 1);
            if (record->words[1] == record->words[0] + 1) {
                outcome->judgement = GPUCODE_FUZZ_FINDING;
                strcpy(outcome->key, "broken");
                strcpy(outcome->text, "the lock is broken");
            }
        } else if (record->kind == TOY_GAP) {
            outcome->judgement = GPUCODE_FUZZ_GAP;
            strcpy(outcome->key, "gap");
        }
    }
}

static void run(void *user, const struct gpucode_fuzz_record *records, size_t count,
                struct gpucode_fuzz_outcome *outcome)
{
    struct toy *toy = user;
    toy->runs++;
    toy->last = count;
    toy->stale += outcome->judgement != GPUCODE_FUZZ_PASS || outcome->key[0] || outcome->text[0];
    run_toy(toy, records, count, outcome, NULL, NULL);
}

static void compare(void *user, const struct gpucode_fuzz_record *records, size_t count,
                    void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to)
{
    struct gpucode_fuzz_outcome outcome = {.judgement = GPUCODE_FUZZ_PASS};
    run_toy(user, records, count, &outcome, seen, to);
}

static enum gpucode_status attach(void *user, uint8_t *map, size_t size)
{
    struct toy *toy = user;
    toy->map = map;
    return !map || size == toy->map_size ? GPUCODE_OK : GPUCODE_ERROR_RANGE;
}

struct gpucode_fuzz_subject toy_subject(struct toy *toy)
{
    toy->map_size = 64;
    return (struct gpucode_fuzz_subject){.kind_count = TOY_KINDS,
                                         .kinds = kinds,
                                         .map_size = 64,
                                         .attach = attach,
                                         .run = run,
                                         .compare = toy->compares ? compare : NULL,
                                         .user = toy};
}
