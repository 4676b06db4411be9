/* SPDX-License-Identifier: MIT */
/*
 * A custom mutator for AFL++: a shared library that afl-fuzz loads (AFL_CUSTOM_MUTATOR_LIBRARY) and that changes inputs
 * of `gpucode fuzz` where their structure allows it. What kinds of records there are it reads from the file that
 * GPUCODE_FUZZ_KINDS names and `gpucode fuzz --kinds` writes. The functions' names and arguments are AFL++'s.
 */
#include "fuzzer/corpus.h"
#include <gpucode/fuzz.h>

#include <stdio.h>
#include <stdlib.h>

struct mutator {
    struct gpucode_fuzz_subject subject;
    uint64_t random;
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
};

/* The kinds of the file; false: there is none, or it is something else. */
static bool read_kinds(struct mutator *mutator, const char *path)
{
    FILE *file = path ? fopen(path, "rb") : NULL;
    char *text = NULL;
    size_t size = 0, room = 0, got = 1;
    while (file && got) {
        if (size == room) {
            char *grown = realloc(text, room = 2 * room + 4096);
            if (!grown)
                break;
            text = grown;
        }
        got = fread(text + size, 1, room - size, file);
        size += got;
    }
    if (file)
        fclose(file);
    bool good = text && gpucode_fuzz_kinds_read(text, size, &mutator->subject, NULL) == GPUCODE_OK;
    free(text);
    return good;
}

GPUCODE_API void *afl_custom_init(void *afl, unsigned seed);
GPUCODE_API size_t afl_custom_fuzz(void *data, unsigned char *bytes, size_t size, unsigned char **out,
                                   unsigned char *other, size_t other_size, size_t most);
GPUCODE_API void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned seed)
{
    struct mutator *mutator = calloc(1, sizeof *mutator);
    (void)afl;
    if (!mutator)
        return NULL;
    mutator->random = random_begin(seed, 0);
    const char *path = getenv("GPUCODE_FUZZ_KINDS");
    if (!read_kinds(mutator, path)) { /* afl-fuzz says that the mutator would not start; this says why */
        fprintf(stderr, "gpucode's mutator: GPUCODE_FUZZ_KINDS must name a file of `gpucode fuzz --kinds`, not '%s'\n",
                path ? path : "");
        free(mutator);
        return NULL;
    }
    return mutator;
}

size_t afl_custom_fuzz(void *data, unsigned char *bytes, size_t size, unsigned char **out, unsigned char *other,
                       size_t other_size, size_t most)
{
    struct mutator *mutator = data;
    size_t room = most < sizeof mutator->bytes ? most : sizeof mutator->bytes;
    *out = mutator->bytes;
    return gpucode_fuzz_mutate(&mutator->subject, &mutator->random, bytes, size, other, other_size, mutator->bytes,
                               room);
}

void afl_custom_deinit(void *data)
{
    struct mutator *mutator = data;
    gpucode_fuzz_kinds_free(&mutator->subject);
    free(mutator);
}
