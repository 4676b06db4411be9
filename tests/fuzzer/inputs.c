/* SPDX-License-Identifier: MIT */
/* Bytes as records and back, and changes that keep them well formed. */
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* Any bytes are an input; written and read again it is the same. */
static void any_bytes(void)
{
    static uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX], again_words[sizeof words / 4];
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX], again[GPUCODE_FUZZ_RECORDS_MAX];
    unsigned char bytes[600], out[GPUCODE_FUZZ_INPUT_MAX];
    uint64_t seed = 7;
    for (unsigned round = 0; round < 5000; round++) {
        size_t size = (size_t)(next(&seed) % sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)(next(&seed) % (round % 2 ? 256 : 8));
        size_t count = gpucode_fuzz_read(TOY_KINDS, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
        assert_true(!size == !count && count <= GPUCODE_FUZZ_RECORDS_MAX);
        for (size_t i = 0; i < count; i++)
            assert_true(records[i].kind < TOY_KINDS && records[i].count <= GPUCODE_FUZZ_WORDS_MAX);
        size_t written = gpucode_fuzz_write(records, count, out, sizeof out);
        size_t same = gpucode_fuzz_read(TOY_KINDS, out, written, again, GPUCODE_FUZZ_RECORDS_MAX, again_words);
        assert_int_equal(same, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(records[i].kind, again[i].kind);
            assert_int_equal(records[i].count, again[i].count);
            assert_memory_equal(records[i].words, again[i].words, 4 * (size_t)records[i].count);
        }
        if (written)
            assert_int_equal(gpucode_fuzz_write(records, count, out, written - 1), 0);
    }
}

static void known_bytes(void)
{
    static const unsigned char bytes[] = {1, 2, 0x78, 0x56, 0x34, 0x12, 1, 0, 0, 0, 8, 0x40, 2, 3, 9, 9, 9};
    uint32_t words[64 * 4];
    struct gpucode_fuzz_record records[4];
    assert_int_equal(gpucode_fuzz_read(TOY_KINDS, bytes, sizeof bytes, records, 4, words), 3);
    assert_int_equal(records[0].kind, 1);
    assert_int_equal(records[0].count, 2);
    assert_int_equal(records[0].words[0], 0x12345678);
    assert_int_equal(records[0].words[1], 1);
    assert_int_equal(records[1].kind, 8 % TOY_KINDS);
    assert_int_equal(records[1].count, 0);
    assert_int_equal(records[2].count, 0); /* three bytes are not word */
    assert_int_equal(gpucode_fuzz_read(TOY_KINDS, bytes, sizeof bytes, records, 2, words), 2);
    assert_int_equal(gpucode_fuzz_read(0, bytes, sizeof bytes, records, 4, words), 0);
    assert_int_equal(gpucode_fuzz_read(TOY_KINDS, NULL, 0, records, 4, words), 0);
    unsigned char out[4];
    const struct gpucode_fuzz_record one = {1, 0, words};
    assert_int_equal(gpucode_fuzz_write(&one, 1, out, sizeof out), 2);
    assert_int_equal(gpucode_fuzz_write(NULL, 1, out, sizeof out), 0);
    assert_int_equal(gpucode_fuzz_write(&one, 1, NULL, sizeof out), 0);
}

/* Room for more records than an input has does not make more of them. */
static void most_records(void)
{
    static const unsigned char bytes[2 * GPUCODE_FUZZ_RECORDS_MAX + 2] = {0};
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX + 1];
    uint32_t words[1];
    for (size_t count = GPUCODE_FUZZ_RECORDS_MAX - 1; count <= GPUCODE_FUZZ_RECORDS_MAX + 1; count++)
        assert_int_equal(gpucode_fuzz_read(TOY_KINDS, bytes, 2 * count, records, GPUCODE_FUZZ_RECORDS_MAX + 1, words),
                         count < GPUCODE_FUZZ_RECORDS_MAX ? count : GPUCODE_FUZZ_RECORDS_MAX);
}

/* Changed inputs have records of kinds that there are, with words as they should have, mostly. */
static void mutations(void)
{
    struct toy toy = {.map = NULL};
    const struct gpucode_fuzz_subject subject = toy_subject(&toy);
    unsigned char bytes[2][GPUCODE_FUZZ_INPUT_MAX];
    size_t sizes[2] = {0, 0};
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    uint64_t random = 3, kinds[TOY_KINDS] = {0}, good = 0, all = 0, listed = 0;
    for (unsigned round = 0; round < 20000; round++) {
        unsigned to = round % 2;
        sizes[to] = gpucode_fuzz_mutate(&subject, &random, bytes[!to], sizes[!to], bytes[to], sizes[to], bytes[to],
                                        sizeof bytes[to]);
        assert_true(sizes[to] > 0 && sizes[to] <= sizeof bytes[to]);
        size_t count = gpucode_fuzz_read(TOY_KINDS, bytes[to], sizes[to], records, GPUCODE_FUZZ_RECORDS_MAX, words);
        for (size_t i = 0; i < count; i++) {
            const struct gpucode_fuzz_kind *kind = &subject.kinds[records[i].kind];
            kinds[records[i].kind]++;
            all++;
            good += records[i].count >= kind->least && records[i].count <= kind->most;
            for (unsigned k = 0; records[i].kind == TOY_PUSH && k < records[i].count; k++)
                listed += records[i].words[k] == 0x77;
        }
    }
    for (unsigned i = 0; i < TOY_KINDS; i++)
        assert_true(kinds[i] > 100);
    assert_true(good * 10 > all * 6);
    assert_true(listed > 100);
    /* the same state, the same change */
    unsigned char one[512], other[512];
    uint64_t first = 9, second = 9;
    size_t size = gpucode_fuzz_mutate(&subject, &first, bytes[0], 20, NULL, 0, one, sizeof one);
    assert_int_equal(gpucode_fuzz_mutate(&subject, &second, bytes[0], 20, NULL, 0, other, sizeof other), size);
    assert_memory_equal(one, other, size);
    assert_int_equal(gpucode_fuzz_mutate(NULL, &first, NULL, 0, NULL, 0, one, sizeof one), 0);
    assert_int_equal(gpucode_fuzz_mutate(&subject, &first, NULL, 0, NULL, 0, one, 1), 0);
}

TESTS(inputs, any_bytes, known_bytes, most_records, mutations)
