/* SPDX-License-Identifier: MIT */
/*
 * Inputs of `gpucode fuzz`, and the text of their kinds. The first byte chooses: any bytes as records, which must come
 * back, and changed ones, which must be records too; or text of kinds, which written and read again is the same.
 */
#include "check.h"
#include <gpucode/fuzz.h>
#include <string.h>

static void check_records(const struct gpucode_fuzz_subject *subject, const uint8_t *bytes, size_t size)
{
    static uint32_t words[2][GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    struct gpucode_fuzz_record records[2][GPUCODE_FUZZ_RECORDS_MAX];
    static unsigned char out[GPUCODE_FUZZ_INPUT_MAX], changed[GPUCODE_FUZZ_INPUT_MAX];
    size_t count = gpucode_fuzz_read(subject->kind_count, bytes, size, records[0], GPUCODE_FUZZ_RECORDS_MAX, words[0]);
    size_t written = gpucode_fuzz_write(records[0], count, out, sizeof out);
    check(written <= sizeof out && !written == !count);
    check(gpucode_fuzz_read(subject->kind_count, out, written, records[1], GPUCODE_FUZZ_RECORDS_MAX, words[1]) ==
          count);
    for (size_t i = 0; i < count; i++)
        check(records[0][i].kind == records[1][i].kind && records[0][i].count == records[1][i].count &&
              memcmp(records[0][i].words, records[1][i].words, 4 * (size_t)records[0][i].count) == 0);
    uint64_t random = size;
    for (unsigned round = 0; round < 8; round++) {
        size_t length = gpucode_fuzz_mutate(subject, &random, bytes, size, out, written, changed, sizeof changed);
        check(length <= sizeof changed);
        count = gpucode_fuzz_read(subject->kind_count, changed, length, records[1], GPUCODE_FUZZ_RECORDS_MAX, words[1]);
        check(gpucode_fuzz_write(records[1], count, out, sizeof out) == length);
        check(memcmp(out, changed, length) == 0);
        written = length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct gpucode_fuzz_kind kinds[] = {{.name = "a", .weight = 3, .most = 5},
                                                     {.name = "b", .weight = 1, .nesting = GPUCODE_FUZZ_OPENS},
                                                     {.name = "c", .weight = 1, .nesting = GPUCODE_FUZZ_CLOSES},
                                                     {.name = "d", .weight = 2, .least = 2, .most = 63}};
    const struct gpucode_fuzz_subject fixed = {.kind_count = 4, .kinds = kinds};
    struct gpucode_fuzz_subject read, again;
    unsigned line;
    if (!size)
        return 0;
    if (bytes[0] % 2) {
        check_records(&fixed, bytes + 1, size - 1);
        return 0;
    }
    enum gpucode_status status = gpucode_fuzz_kinds_read((const char *)bytes + 1, size - 1, &read, &line);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !read.kinds));
    if (status != GPUCODE_OK)
        return 0;
    size_t length, same;
    char *text = gpucode_fuzz_kinds_text(&read, &length);
    check(text && gpucode_fuzz_kinds_read(text, length, &again, NULL) == GPUCODE_OK);
    char *twice = gpucode_fuzz_kinds_text(&again, &same);
    check(twice && same == length && memcmp(text, twice, length) == 0);
    check_records(&read, bytes + 1, size - 1);
    free(twice);
    free(text);
    gpucode_fuzz_kinds_free(&again);
    gpucode_fuzz_kinds_free(&read);
    return 0;
}
