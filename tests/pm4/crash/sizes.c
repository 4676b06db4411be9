/* SPDX-License-Identifier: MIT */
/*
 * Sizes that a dump claims and has no words for: what is told is the same as with the zeros written out, and takes no
 * longer than the words that there are. Where work went by the size, or with its square, these tests would not end.
 */
#include "group.h"
#include <gpucode/crash.h>
#include <gpucode/packet.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RING 0x100000000u
#define FIRST 0x200000000u
#define SECOND 0x300000000u

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

static uint32_t command(uint32_t opcode, uint32_t count)
{
    uint32_t header = 7u << 28 | opcode << 16 | count;
    for (uint32_t bit = 0; bit < 4; bit++) {
        uint32_t parts = header & ~(1u << 15 | 1u << 23) & 0x0fffffff;
        header = 7u << 28 | parts | (bit & 1) << 15 | (bit >> 1) << 23;
        if (gpucode_packet_header(header).parity_is_odd)
            break;
    }
    return header;
}

/* --- packets of a ring -------------------------------------------------------------------------------------------- */

static uint32_t words_of(uint32_t header)
{
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    bool clean = parts.type == 4 || !(header & 0x0f004000);
    return parts.type && parts.parity_is_odd && clean ? parts.count + 1 : 0;
}

/* Tries each place, the oldest first. */
static uint64_t packets_by_trying(const struct gpucode_crash_ring *ring)
{
    uint64_t size = ring->data.size, end = ring->wptr % size + size;
    for (uint64_t from = end - size + 1; from < end; from++) {
        uint64_t at = from;
        for (uint32_t words = 1; at < end && words; at += words)
            words = words_of(gpucode_crash_word(&ring->data, at % size));
        if (at == end && words_of(gpucode_crash_word(&ring->data, from % size)))
            return end - from;
    }
    return 0;
}

static void test_packets_of_ring(void)
{
    static uint32_t words[40000];
    static size_t starts[40000];
    unsigned wrapped = 0, none = 0, far = 0;
    for (unsigned round = test_rounds(300, 3000); round; round--) {
        uint64_t from, count;
        struct gpucode_crash_ring ring = {.data = {words, 1 + any(round % 8 ? 300 : 40000), 0}};
        ring.data.size = ring.data.count + (any(2) ? any(round % 8 ? 100 : 40000) : 0);
        memset(words, 0, sizeof words);
        uint32_t started = 0;
        for (size_t at = 0; at < ring.data.count;) {
            starts[started++] = at;
            uint32_t size = any(round % 8 ? 9 : 0x4000);
            words[at] = any(round % 8 ? 40 : 400) ? command(any(128), size) : any(1u << 31);
            at += any(3) ? size + 1 : 1 + any(4);
        }
        ring.wptr = any(3) ? (uint32_t)starts[any(started)] : any((uint32_t)(2 * ring.data.size));
        uint64_t expected = packets_by_trying(&ring), wptr = ring.wptr % ring.data.size;
        assert_true(gpucode_crash_ring_packets(&ring, &from, &count));
        assert_int_equal(count, expected ? expected : wptr);
        assert_int_equal(from, expected ? (wptr + ring.data.size - expected) % ring.data.size : 0);
        wrapped += expected > wptr;
        far += expected > 0x4000;
        none += !expected;
    }
    assert_true(wrapped && none && far);
}

static void test_packets_once(void)
{
    struct gpucode_crash_ring ring = {.wptr = (1u << 20) - 1, .data = {.count = (1u << 20) - 1, .size = 1u << 20}};
    uint32_t *words = malloc(ring.data.count * sizeof *words);
    uint64_t from, count;
    assert_non_null(words);
    for (size_t i = 0; i < ring.data.count; i++)
        words[i] = command(0x10, 0);
    words[ring.data.count - 1] = 7;
    ring.data.words = words;
    assert_true(gpucode_crash_ring_packets(&ring, &from, &count));
    assert_int_equal(from, 0);
    assert_int_equal(count, ring.wptr);
    ring.wptr--;
    assert_true(gpucode_crash_ring_packets(&ring, &from, &count));
    assert_int_equal(from, 0);
    assert_int_equal(count, ring.wptr);
    free(words);
}

/* --- dumps -------------------------------------------------------------------------------------------------------- */

struct area {
    uint64_t address, size;
    uint32_t words[64], count;
};

struct dump {
    struct area ring, buffers[2];
    uint32_t rptr, wptr, left[2];
    uint64_t bases[2];
};

static size_t put_words(char *text, const struct area *area, bool whole)
{
    size_t length = 0;
    for (uint64_t i = 0; i < (whole ? area->size / 4 : area->count); i++) {
        uint32_t word = i < area->count ? area->words[i] : 0;
        char digits[5];
        if (!word) {
            text[length++] = 'z';
            continue;
        }
        for (int k = 4; k >= 0; word /= 85)
            digits[k--] = (char)('!' + word % 85);
        memcpy(text + length, digits, 5);
        length += 5;
    }
    text[length++] = '\n';
    text[length] = 0;
    return length;
}

static struct gpucode_crash *open_dump(const struct dump *dump, bool whole, char *text)
{
    const uint32_t registers[][2] = {{0x800, (uint32_t)RING},
                                     {0x801, 1},
                                     {0x806, dump->rptr},
                                     {0x807, dump->wptr},
                                     {0x928, (uint32_t)dump->bases[0]},
                                     {0x929, (uint32_t)(dump->bases[0] >> 32)},
                                     {0x92a, dump->left[0]},
                                     {0x92b, (uint32_t)dump->bases[1]},
                                     {0x92c, (uint32_t)(dump->bases[1] >> 32)},
                                     {0x92d, dump->left[1]},
                                     {0x943, 32},
                                     {0x944, 32}};
    struct gpucode_crash *crash;
    char *at = text;
    at += sprintf(at,
                  "---\nkernel: test\nrevision: 630 (6.3.0.2)\nringbuffer:\n  - id: 0\n    iova: 0x%" PRIx64 "\n"
                  "    last-fence: 9\n    retired-fence: 1\n    rptr: %" PRIu32 "\n    wptr: %" PRIu32 "\n"
                  "    size: %" PRIu64 "\n    data: !!ascii85 |\n     ",
                  dump->ring.address, dump->rptr, dump->wptr, dump->ring.size);
    at += put_words(at, &dump->ring, whole);
    at += sprintf(at, "bos:\n");
    for (unsigned i = 0; i < 2; i++) {
        at += sprintf(at, "  - iova: 0x%" PRIx64 "\n    size: %" PRIu64 "\n    data: !!ascii85 |\n     ",
                      dump->buffers[i].address, dump->buffers[i].size);
        at += put_words(at, &dump->buffers[i], whole);
    }
    at += sprintf(at, "registers:\n");
    for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++)
        at += sprintf(at, "  - { offset: 0x%x, value: 0x%08" PRIx32 " }\n", registers[i][0] * 4, registers[i][1]);
    at += sprintf(at, "indexed-registers:\n  - regs-name: CP_SQE_STAT\n    dwords: 51\n    data: !!ascii85 |\n"
                      "     !!!!\"!!!!\"\n");
    assert_int_equal(gpucode_crash_open(text, (size_t)(at - text), NULL, &crash), GPUCODE_OK);
    return crash;
}

static void fill(struct area *area, uint64_t address, uint64_t called)
{
    *area = (struct area){.address = address, .size = 256};
    while (area->count + 5 < 48) {
        if (any(3)) {
            area->words[area->count] = any(8) ? command(any(128), any(3)) : any(1000);
            area->count += 1 + any(3);
            continue;
        }
        const uint32_t call[] = {command(0x3f, 3), (uint32_t)called, (uint32_t)(called >> 32), 40 + any(24)};
        memcpy(area->words + area->count, call, sizeof call);
        area->count += 4;
    }
    for (area->count = 8 + any(40); !area->words[area->count - 1];)
        area->count--;
}

static void compare(const struct gpucode_crash *left, const struct gpucode_crash *right, unsigned found[4])
{
    struct gpucode_crash_position a, b;
    struct gpucode_crash_submit first, second;
    struct gpucode_crash_path way, same;
    bool has = gpucode_crash_position(left, &a);
    assert_int_equal(has, gpucode_crash_position(right, &b));
    assert_true(!has || (a.asked == b.asked && a.confirmed == b.confirmed));
    found[3] += has && a.confirmed & GPUCODE_CRASH_BY_PREVIOUS && a.places[a.level].next > 8;
    for (unsigned i = 0; has && i < 3; i++) {
        const struct gpucode_crash_place *x = &a.places[i], *y = &b.places[i];
        assert_int_equal(x->known, y->known);
        assert_int_equal(x->guessed, y->guessed);
        assert_int_equal(x->ahead, y->ahead);
        assert_int_equal(x->next, y->next);
        assert_int_equal(x->has_packet, y->has_packet);
        assert_int_equal(x->word, y->word);
        assert_int_equal(x->header, y->header);
        found[i] += x->has_packet && !x->guessed;
    }
    for (size_t i = 0; gpucode_crash_submit(left, i, &first); i++) {
        assert_true(gpucode_crash_submit(right, i, &second));
        assert_int_equal(first.from, second.from);
        assert_int_equal(first.words, second.words);
        assert_int_equal(first.state, second.state);
    }
    assert_int_equal(gpucode_crash_path(left, &way), gpucode_crash_path(right, &same));
    if (gpucode_crash_path(left, &way)) {
        assert_int_equal(way.count, same.count);
        assert_memory_equal(way.packets, same.packets, way.count * sizeof *way.packets);
    }
}

static void test_left_out(void)
{
    char *texts = malloc(2 * 8192);
    unsigned found[4] = {0};
    assert_non_null(texts);
    for (unsigned round = test_rounds(500, 5000); round; round--) {
        struct dump dump = {.bases = {FIRST, SECOND}, .left = {any(50), any(50)}};
        fill(&dump.ring, RING, FIRST);
        fill(&dump.buffers[0], FIRST, SECOND);
        fill(&dump.buffers[1], SECOND, FIRST);
        dump.rptr = any(64);
        dump.wptr = any(64);
        struct gpucode_crash *short_one = open_dump(&dump, false, texts);
        struct gpucode_crash *whole = open_dump(&dump, true, texts + 8192);
        compare(short_one, whole, found);
        gpucode_crash_free(short_one);
        gpucode_crash_free(whole);
    }
    assert_true(found[0] && found[1] && found[2] && found[3]);
    free(texts);
}

/* The largest sizes that can be claimed, asked for often. */
static void test_claims(void)
{
    struct gpucode_crash_position position;
    struct dump dump = {.bases = {FIRST, SECOND}, .left = {1, 1}};
    char *text = malloc(8192);
    assert_non_null(text);
    fill(&dump.ring, RING, SECOND);
    fill(&dump.buffers[0], FIRST, FIRST);
    fill(&dump.buffers[1], SECOND, FIRST);
    dump.ring.size = 0xfffffffc;
    dump.rptr = 0x3ffffff0;
    dump.wptr = 0x3ffffff8;
    dump.buffers[0].size = dump.buffers[1].size = 1ull << 40;
    struct gpucode_crash *crash = open_dump(&dump, false, text);
    for (unsigned i = 0; i < 10000; i++)
        assert_true(gpucode_crash_position(crash, &position));
    assert_int_equal(position.places[0].next, dump.rptr);
    assert_false(position.places[0].has_packet);
    gpucode_crash_free(crash);
    free(text);
}

TESTS(sizes, test_packets_of_ring, test_packets_once, test_left_out, test_claims)
