/* SPDX-License-Identifier: MIT */
/*
 * Bytes to text and back, whatever the bytes are: images of our own in every layout, all their prefixes, damaged
 * ones and random files; with the target found and given, as sections and raw.
 *
 *     test-isa-afuc-text images [-- [--prefixes] FILE.fw...]
 *
 * Files that are given are round-tripped instead, or many prefixes of them.
 */
#include "assembling.h"
#include "builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned trips;

static bool is_known(const void *bytes, size_t size)
{
    struct gpucode_image *image;
    bool known = gpucode_image_open(bytes, size, NULL, &image) == GPUCODE_OK;
    if (known)
        gpucode_image_free(image);
    return known;
}

static void must_round_trip(const void *bytes, size_t size, const char *target, bool raw, const char *name)
{
    trips++;
    if (round_trips(bytes, size, target_named(target), raw, name, NULL))
        return;
    FILE *file = fopen("afuc-images.failed", "wb");
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    fail_msg("%s of %zu bytes as %s%s; the bytes are in afuc-images.failed", name, size, target ? target : "found",
             raw ? ", raw" : "");
}

/* As found (where it is), as `target`, and raw. */
static void all_ways(const void *bytes, size_t size, const char *target, const char *name)
{
    if (is_known(bytes, size)) {
        must_round_trip(bytes, size, NULL, false, name);
        must_round_trip(bytes, size, NULL, true, name);
    }
    must_round_trip(bytes, size, target, false, name);
    must_round_trip(bytes, size, target, true, name);
}

static const char *random_target(uint64_t *state)
{
    unsigned count = 0;
    const struct gpucode_target *target;
    while ((target = gpucode_target_at(count)) && strcmp(gpucode_target_isa(target), "afuc") == 0)
        count++;
    return gpucode_target_name(gpucode_target_at(next_random(state) % count));
}

/* A word like code has: mostly instructions with random operands, branches that often stay inside. */
static uint32_t code_word(const struct gpucode_target *target, uint64_t *state)
{
    uint32_t random = next_random(state), kind = next_random(state) % 16;
    if (kind == 0)
        return random;
    if (kind == 1)
        return random & 0x01ffffff;
    struct gpucode_row row;
    unsigned number;
    do
        number = next_random(state) % gpucode_row_count(target);
    while (!gpucode_row_on_target(target, number));
    gpucode_row(target, number, &row);
    uint32_t word = (random & ~(uint32_t)(row.mask | (kind == 2 ? 0 : row.ignored))) | (uint32_t)row.match;
    if (strchr(row.bits, 'a') && kind < 12)
        word = (word & 0xffff0000) | (uint16_t)(next_random(state) % 100 - 50);
    if ((strchr(row.bits, 'f') || strchr(row.bits, 'g')) && kind < 12)
        word = (word & 0xfc000000) | next_random(state) % 500;
    return word;
}

/* An image with such code in each section, after what its header needs. */
static unsigned char *make_image(const struct built_layout *layout, uint64_t seed, uint32_t words, size_t *size)
{
    static struct built built;
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    build_image(&built, layout, seed, words);
    const struct gpucode_target *target = target_named(layout->target);
    for (unsigned i = 0; i < built.section_count; i++) {
        const struct built_section *section = &built.sections[i];
        uint32_t end = section->table == NO_TABLE ? section->size : section->table;
        for (uint32_t k = 8; k < end; k++)
            built.words[section->start + k] = code_word(target, &state);
    }
    return built_file(&built, size);
}

static void own_images(void **state)
{
    (void)state;
    for (unsigned i = 0; i < built_layout_count; i++)
        for (uint64_t seed = 1; seed <= test_rounds(2, 12); seed++) {
            size_t size;
            unsigned char *bytes = make_image(&built_layouts[i], seed * 100 + i, 60 + 60 * (uint32_t)(seed % 4), &size);
            assert_non_null(bytes);
            assert_true(is_known(bytes, size));
            all_ways(bytes, size, built_layouts[i].target, built_layouts[i].name);
            free(bytes);
        }
}

static void own_prefixes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < built_layout_count; i++) {
        size_t size;
        unsigned char *bytes = make_image(&built_layouts[i], 5000 + i, 40, &size);
        assert_non_null(bytes);
        for (size_t cut = 0; cut <= size; cut += cut < 80 ? 1 : 3) {
            if (is_known(bytes, cut))
                must_round_trip(bytes, cut, NULL, false, built_layouts[i].name);
            else
                must_round_trip(bytes, cut, built_layouts[i].target, false, built_layouts[i].name);
        }
        free(bytes);
    }
}

static void damaged_images(void **state)
{
    (void)state;
    uint64_t random = 99;
    for (unsigned n = 0; n < test_rounds(500, 3000); n++) {
        size_t size;
        const struct built_layout *layout = &built_layouts[next_random(&random) % built_layout_count];
        unsigned char *bytes = make_image(layout, n + 10000, 30, &size);
        assert_non_null(bytes);
        for (unsigned k = next_random(&random) % 8 + 1; k; k--) {
            size_t at = next_random(&random) % (k % 2 ? 64 : size); /* often in the header */
            bytes[at] ^= (unsigned char)(next_random(&random) % 4 ? 1u << next_random(&random) % 8 : 255);
        }
        size -= next_random(&random) % 4 ? 0 : next_random(&random) % size;
        if (is_known(bytes, size))
            must_round_trip(bytes, size, NULL, false, layout->name);
        must_round_trip(bytes, size, next_random(&random) % 2 ? layout->target : random_target(&random), false,
                        layout->name);
        free(bytes);
    }
}

static void random_files(void **state)
{
    (void)state;
    uint64_t random = 4711;
    for (unsigned n = 0; n < test_rounds(2000, 10000); n++) {
        static unsigned char bytes[2048];
        size_t size = next_random(&random) % (n % 100 ? 400 : sizeof bytes);
        const char *target = random_target(&random);
        for (size_t i = 0; i < size; i += 4) {
            uint32_t word = n % 3 ? next_random(&random) : code_word(target_named(target), &random);
            for (unsigned k = 0; k < 4 && i + k < size; k++)
                bytes[i + k] = (unsigned char)(word >> 8 * k);
        }
        if (n % 2 && size >= 8) { /* as an image: the zero word, and often a known id */
            memset(bytes, 0, 4);
            if (n % 4 == 1) {
                static const uint16_t ids[] = {0x5ff, 0x6ee, 0x6dc, 0x730, 0x520, 0x310, 0x200, 0x500, 0x510, 0x7aa};
                unsigned id = ids[next_random(&random) % 10];
                bytes[5] = (unsigned char)((bytes[5] & 15) | id << 4);
                bytes[6] = (unsigned char)(id >> 4);
                bytes[7] = id != 0x5ff;
            }
        }
        if (is_known(bytes, size))
            must_round_trip(bytes, size, NULL, n % 8 == 3, "random file");
        must_round_trip(bytes, size, target, n % 16 == 4, "random file");
    }
}

/* One instruction in front of every boundary of the code: targets on both sides of the edge. */
static void edges(void **state)
{
    (void)state;
    const struct gpucode_target *target;
    for (unsigned t = 0; (target = gpucode_target_at(t)) && strcmp(gpucode_target_isa(target), "afuc") == 0; t++)
        for (unsigned count = 1; count < 8; count++)
            for (unsigned at = 0; at < count; at++)
                for (int offset = -9; offset < 10; offset++) {
                    static const uint32_t heads[] = {0xc0620000, 0xc4620000, 0xc8000000, 0xcc620000};
                    unsigned char bytes[40] = {0};
                    uint32_t words[2] = {heads[(unsigned)(offset + 9) % 4] | (uint16_t)offset,
                                         (offset % 2 ? 0xd4000000 : 0xe4000000) | ((uint32_t)offset & 0x3ffffff)};
                    for (unsigned which = 0; which < 2; which++) {
                        for (unsigned i = 0; i < count; i++)
                            bytes[4 * i + 7] = 1;
                        for (unsigned k = 0; k < 4; k++)
                            bytes[4 * at + 4 + k] = (unsigned char)(words[which] >> 8 * k);
                        must_round_trip(bytes, 4 + 4 * count, gpucode_target_name(target), false, "edge");
                        must_round_trip(bytes + 4, 4 * count, gpucode_target_name(target), true, "edge");
                    }
                }
}

/* Packet names are labels: on every target each must lead back to its entry. */
static void packet_names(void **state)
{
    (void)state;
    const struct gpucode_target *target;
    for (unsigned t = 0; (target = gpucode_target_at(t)) && strcmp(gpucode_target_isa(target), "afuc") == 0; t++) {
        char source[20000], name[GPUCODE_NAME_MAX];
        size_t used = (size_t)snprintf(source, sizeof source, ".target %s\nnop\n", gpucode_target_name(target));
        uint32_t words[129 + 128] = {0};
        for (unsigned i = 0; i < 128; i++) {
            if (!gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, i, name, sizeof name))
                snprintf(name, sizeof name, "UNKN%u", i);
            used += (size_t)snprintf(source + used, sizeof source - used, "%s: [%x]\n", name, 0xf8000000 | i);
            words[1 + i] = 0xf8000000 | i;
            words[129 + i] = 1 + i;
        }
        snprintf(source + used, sizeof source - used, ".jumptbl\n");
        words[0] = strcmp(gpucode_target_generation(target), "a5xx") ? 0x01000000 : 0;
        expect_words(source, NULL, words, 257);
    }
}

static int files(int count, char **paths, bool prefixes)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        size_t size;
        char *bytes = read_whole(paths[i], &size);
        if (!bytes || !is_known(bytes, size)) {
            printf("%s: no image\n", paths[i]);
            return 1;
        }
        failed += !round_trips(bytes, size, NULL, false, paths[i], NULL);
        failed += !round_trips(bytes, size, NULL, true, paths[i], NULL);
        trips += 2;
        /* further in, all that changes is what own_prefixes() has of every layout */
        const unsigned step = test_rounds(61, 13);
        for (size_t cut = 0; prefixes && cut < size; cut += cut < 200 ? 1 : step, trips++) {
            const struct gpucode_target *target = is_known(bytes, cut) ? NULL : target_named("afuc:a7xx");
            failed += !round_trips(bytes, cut, target, false, paths[i], NULL);
        }
        free(bytes);
    }
    printf("%d files, %u round trips, %d failed\n", count, trips, failed);
    return failed != 0;
}

TEST_GROUP(images)
{
    bool prefixes = group_argument_count && strcmp(group_arguments[0], "--prefixes") == 0;
    if (group_argument_count)
        return files(group_argument_count - prefixes, group_arguments + prefixes, prefixes);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges),        cmocka_unit_test(packet_names),   cmocka_unit_test(own_images),
        cmocka_unit_test(own_prefixes), cmocka_unit_test(damaged_images), cmocka_unit_test(random_files),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%u round trips\n", trips);
    return failed;
}
