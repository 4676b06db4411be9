/* SPDX-License-Identifier: MIT */
/* Every container layout, whole and cut: sections, tables, handlers, ids and dates are what the builder put there. */
#include "builder.h"
#include "opening.h"

#include <gpucode/gpucode.h>
#include <stdlib.h>
#include <string.h>

static void compare(const struct gpucode_image *image, const struct built_layout *layout, const struct built *built)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    check_sanity(image);
    assert_ptr_equal(info->target, afuc_target(layout->target));
    assert_string_equal(info->layout, layout->container);
    assert_int_equal(info->id, layout->id);
    assert_true(info->id_known);
    assert_int_equal(info->version, built->version);
    assert_int_equal(info->prefix, 4);
    assert_int_equal(info->units, built->count);
    assert_int_equal(info->trailer, built->trailer);
    assert_string_equal(info->date, built->date);
    assert_int_equal(info->section_count, built->section_count);
    for (unsigned i = 0; i < built->section_count; i++) {
        const struct built_section *expected = &built->sections[i];
        const struct gpucode_section *section = &info->sections[i];
        assert_string_equal(section->name, expected->name);
        assert_int_equal(section->start, expected->start);
        assert_int_equal(section->size, expected->size);
        assert_int_equal(section->table, expected->table);
        for (unsigned entry = 0; entry < 128 && expected->table != NO_TABLE; entry++) {
            uint32_t handler;
            assert_true(gpucode_image_handler(image, i, entry, &handler));
            assert_int_equal(handler, built->words[expected->start + expected->table + entry]);
        }
    }
}

static void whole_images(void)
{
    static const uint32_t sizes[] = {1, 20, 150, 400};
    for (unsigned l = 0; l < built_layout_count; l++)
        for (unsigned s = 0; s < 4; s++)
            for (unsigned seed = 0; seed < 8; seed++) {
                const struct built_layout *layout = &built_layouts[l];
                struct built built;
                build_image(&built, layout, seed, sizes[s]);
                size_t size;
                unsigned char *bytes = built_file(&built, &size);
                void *copy;
                struct heard heard;
                struct gpucode_image *image;
                assert_int_equal(open_copy(bytes, size, NULL, &heard, &copy, &image), GPUCODE_OK);
                assert_string_equal(heard.codes, "");
                compare(image, layout, &built);
                gpucode_image_free(image);
                free(copy);
                /* The target that the id means, given, changes nothing. */
                struct gpucode_image_options options = {.target = afuc_target(layout->target)};
                assert_int_equal(open_copy(bytes, size, &options, &heard, &copy, &image), GPUCODE_OK);
                assert_string_equal(heard.codes, "");
                assert_true(gpucode_image_info(image)->target_given);
                compare(image, layout, &built);
                gpucode_image_free(image);
                free(copy);
                free(bytes);
            }
}

/* Of a cut image all sections that are whole must still be found, with nothing made up after them. */
static void compare_cut(const struct gpucode_image *image, const struct built *built)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    check_sanity(image);
    if (built->sections[0].table == NO_TABLE || info->units < built->sections[0].size) {
        assert_true(info->section_count <= 2);
        return;
    }
    unsigned whole = 0;
    while (whole < built->section_count && info->units >= built->sections[whole].start + built->sections[whole].size)
        whole++;
    assert_true(info->section_count >= whole && info->section_count <= whole + 1);
    for (unsigned i = 0; i < info->section_count; i++) {
        assert_string_equal(info->sections[i].name, built->sections[i].name);
        assert_int_equal(info->sections[i].start, built->sections[i].start);
        assert_int_equal(info->sections[i].table, i < whole ? built->sections[i].table : GPUCODE_NONE);
        assert_int_equal(info->sections[i].size,
                         i < whole ? built->sections[i].size : info->units - built->sections[i].start);
    }
    /* Two words of the next section are enough to see it. */
    if (whole < built->section_count && info->units >= built->sections[whole].start + 2)
        assert_int_equal(info->section_count, whole + 1);
}

static void every_prefix(void)
{
    for (unsigned l = 0; l < built_layout_count; l++) {
        const struct built_layout *layout = &built_layouts[l];
        struct built built;
        build_image(&built, layout, 77 + l, 24);
        size_t size;
        unsigned char *bytes = built_file(&built, &size);
        struct gpucode_image_options options = {.target = afuc_target(layout->target)};
        for (size_t cut = 0; cut < size; cut++) {
            void *copy;
            struct heard heard;
            struct gpucode_image *image;
            enum gpucode_status status = open_copy(bytes, cut, NULL, &heard, &copy, &image);
            assert_int_equal(status, cut && cut < 8 ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
            if (status == GPUCODE_OK && cut == 0)
                assert_string_equal(gpucode_image_info(image)->format, "data");
            else if (status == GPUCODE_OK)
                compare_cut(image, &built);
            else
                assert_string_equal(heard.codes, "image-unknown ");
            gpucode_image_free(image);
            free(copy);
            assert_int_equal(open_copy(bytes, cut, &options, &heard, &copy, &image), GPUCODE_OK);
            assert_int_equal(gpucode_image_info(image)->tail, cut % 4);
            assert_int_equal(strstr(heard.codes, "image-tail") != NULL, cut >= 4 && cut % 4);
            if (cut >= 8)
                compare_cut(image, &built);
            else
                check_sanity(image);
            gpucode_image_free(image);
            free(copy);
        }
        free(bytes);
    }
}

static void tails(void)
{
    for (unsigned l = 0; l < built_layout_count; l++)
        for (unsigned tail = 1; tail < 4; tail++) {
            struct built built;
            build_image(&built, &built_layouts[l], 5, 30);
            size_t size;
            unsigned char *bytes = built_file(&built, &size);
            bytes = realloc(bytes, size + tail);
            assert_non_null(bytes);
            memset(bytes + size, 0xa5, tail);
            void *copy;
            struct heard heard;
            struct gpucode_image *image;
            assert_int_equal(open_copy(bytes, size + tail, NULL, &heard, &copy, &image), GPUCODE_OK);
            assert_string_equal(heard.codes, "image-tail ");
            assert_int_equal(gpucode_image_info(image)->tail, tail);
            compare(image, &built_layouts[l], &built);
            gpucode_image_free(image);
            free(copy);
            free(bytes);
        }
}

static void check_bytes(const void *bytes, size_t size, const struct gpucode_image_options *options)
{
    void *copy;
    struct gpucode_image *image;
    assert_int_equal(open_copy(bytes, size, options, NULL, &copy, &image), GPUCODE_OK);
    check_sanity(image);
    gpucode_image_free(image);
    free(copy);
}

/* Random bytes and images with random damage: anything may come out that the bytes can hold. */
static void random_bytes(void)
{
    uint64_t random = 20240229;
    static const char *const names[] = {"afuc:a5xx", "afuc:a630", "afuc:a660", "afuc:a7xx", "afuc:a750", "afuc:gen8"};
    for (unsigned round = 0; round < 3000; round++) {
        unsigned char bytes[4200];
        size_t size = random_word(&random) % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)(random_word(&random) % (round % 3 ? 256 : 2));
        if (round % 2)
            memset(bytes, 0, size < 4 ? size : 4);
        struct gpucode_image_options options = {.target = afuc_target(names[round % 6]), .raw = round % 7 == 0};
        check_bytes(bytes, size, &options);
    }
    for (unsigned round = 0; round < 4000; round++) {
        struct built built;
        build_image(&built, &built_layouts[round % built_layout_count], round, 12);
        for (unsigned damage = random_word(&random) % 4 + 1; damage; damage--) {
            uint32_t at = random_word(&random) % (damage % 2 ? 8 : built.count);
            built.words[at] = damage == 3 ? 0x01000000 | random_word(&random) % 600 : random_word(&random);
        }
        size_t size;
        unsigned char *bytes = built_file(&built, &size);
        struct gpucode_image_options options = {.target =
                                                    afuc_target(built_layouts[round % built_layout_count].target)};
        check_bytes(bytes, size, &options);
        free(bytes);
    }
}

TESTS(layouts, whole_images, every_prefix, tails, random_bytes)
