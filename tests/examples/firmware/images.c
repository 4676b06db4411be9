/* SPDX-License-Identifier: MIT */
/* The firmware assembles without a word of complaint, is the image it means to be, and survives disassembling. */
#include "bundled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAYLOAD(word) ((word)&0xffffff)

static void facts(void)
{
    for (unsigned f = 0; f < BUNDLED_COUNT; f++) {
        struct opened o;
        open_bundled(&o, f);
        const struct bundled *expected = &bundled[f];
        assert_string_equal(gpucode_target_name(o.info->target), expected->target);
        assert_ptr_equal(gpucode_program_target(o.program), o.info->target);
        assert_string_equal(o.info->layout, expected->layout);
        assert_true(o.info->id_known);
        assert_int_equal(o.info->id, expected->id);
        assert_int_equal(o.info->version, expected->version);
        assert_int_equal(o.info->tail, 0);
        assert_int_equal(o.info->section_count, expected->section_count);
        for (unsigned s = 0; s < expected->section_count; s++) {
            const struct gpucode_section *section = &o.info->sections[s];
            assert_string_equal(section->name, expected->sections[s]);
            /* Nothing stands between a table and the next section, nor after the last table. */
            uint32_t end = s + 1 < expected->section_count ? o.info->sections[s + 1].start : o.info->units;
            assert_int_equal(section->start + section->size, end);
            assert_int_equal(section->table + 128, section->size);
            uint32_t label;
            assert_true(section_label(&o, s, "jumptbl", &label));
            assert_int_equal(section->table, label);
        }
        close_bundled(&o);
    }
}

/* The header of a7xx: the AFUC notes, header layouts. */
static void header(void)
{
    struct opened o;
    open_bundled(&o, 1);
    const struct gpucode_section *br = &o.info->sections[0], *bv = &o.info->sections[1], *lpac = &o.info->sections[2];
    assert_int_equal(image_word(&o, 1), 0x01000000 | o.info->units);
    assert_int_equal(image_word(&o, 2), image_word(&o, bv->start));
    assert_int_equal(image_word(&o, 3), 0x01000000 | br->table);
    assert_int_equal(image_word(&o, 4) >> 24, 1);
    assert_int_equal(image_word(&o, bv->start + 1), 0x01000000 | bv->table);
    assert_int_equal(image_word(&o, lpac->start + 1), 0x01000000 | lpac->table);
    assert_int_equal(bv->start % 8, 0);
    assert_int_equal(lpac->start % 8, 0);
    assert_int_equal(PAYLOAD(image_word(&o, 0)), o.info->id << 12 | o.info->version);
    close_bundled(&o);
}

static void tables(void)
{
    for (unsigned f = 0; f < BUNDLED_COUNT; f++) {
        struct opened o;
        open_bundled(&o, f);
        for (unsigned s = 0; s < o.info->section_count; s++) {
            uint32_t rest, preempt, handler;
            assert_true(section_label(&o, s, "skip_payload", &rest));
            assert_true(section_label(&o, s, "IN_PREEMPT", &preempt));
            unsigned unclaimed = 0;
            for (unsigned entry = 0; entry < 128; entry++) {
                assert_true(gpucode_image_handler(o.image, s, entry, &handler));
                assert_int_equal(handler,
                                 image_word(&o, o.info->sections[s].start + o.info->sections[s].table + entry));
                assert_true(handler > 0 && handler < o.info->sections[s].table);
                unclaimed += handler == rest;
            }
            assert_true(gpucode_image_handler(o.image, s, 0xf, &handler));
            assert_int_equal(handler, preempt);
            assert_in_range(unclaimed, 64, 110);
        }
        close_bundled(&o);
    }
}

static void disassembling(void)
{
    for (unsigned f = 0; f < BUNDLED_COUNT; f++) {
        struct opened o;
        open_bundled(&o, f);
        char *text = NULL;
        size_t size = gpucode_program_size(o.program), length;
        assert_true(round_trips(gpucode_program_bytes(o.program), size, NULL, false, o.firmware->name, &text));
        free(text);
        /* The text alone tells what it is, and nothing is said about it. */
        assert_int_equal(gpucode_disassemble(o.image, NULL, &text, &length), GPUCODE_OK);
        for (unsigned s = 1; s < o.info->section_count; s++) {
            char directive[32];
            snprintf(directive, sizeof directive, "\n.section %s\n", o.info->sections[s].name);
            assert_non_null(strstr(text, directive));
        }
        assert_non_null(strstr(text, "(rep)(xmov3)mov $usraddr, $data"));
        expect_bytes(text, NULL, gpucode_program_bytes(o.program), size);
        free(text);
        close_bundled(&o);
    }
}

/* a5xx: each firmware alone is what drivers load, and both together are what their source with two sections gives. */
static void pair(void)
{
    struct opened both;
    struct assembled half[2];
    struct gpucode_image *images[2];
    static const char *const names[] = {"a5xx_pfp", "a5xx_pm4"};
    open_bundled(&both, BUNDLED_PAIR);
    assert_string_equal(both.info->layout, "a5xx pair");
    assert_int_equal(both.info->section_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        size_t size;
        char *text = bundled_text(names[i], ".asm", &size);
        struct gpucode_asm_options options = {.file = names[i], .include = bundled_include};
        assemble_bytes(&half[i], text, size, &options);
        free(text);
        assert_int_equal(half[i].status, GPUCODE_OK);
        struct gpucode_image_options image_options = {.file_name = names[i]};
        assert_int_equal(gpucode_image_open(gpucode_program_bytes(half[i].program),
                                            gpucode_program_size(half[i].program), &image_options, &images[i]),
                         GPUCODE_OK);
        assert_int_equal(gpucode_image_info(images[i])->section_count, 1);
        assert_string_equal(gpucode_image_info(images[i])->sections[0].name, both.firmware->sections[i]);
        assert_string_equal(both.info->sections[i].name, both.firmware->sections[i]);
        for (unsigned entry = 0; entry < 128; entry++) {
            uint32_t alone, together;
            assert_true(gpucode_image_handler(images[i], 0, entry, &alone));
            assert_true(gpucode_image_handler(both.image, i, entry, &together));
            assert_int_equal(alone, together);
        }
    }
    void *joined;
    size_t size;
    assert_int_equal(gpucode_image_join(images[0], images[1], &joined, &size), GPUCODE_OK);
    assert_int_equal(size, gpucode_program_size(both.program));
    assert_memory_equal(joined, gpucode_program_bytes(both.program), size);
    char *text = NULL;
    assert_true(round_trips(joined, size, NULL, false, "pair", &text));
    assert_non_null(strstr(text, "\n.section PM4\n"));
    free(text);
    free(joined);
    assert_int_equal(gpucode_image_join(both.image, images[1], &joined, &size), GPUCODE_ERROR_UNSUPPORTED);
    assert_null(joined);
    assert_int_equal(gpucode_image_join(images[0], NULL, &joined, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_image_join(NULL, images[1], &joined, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_image_join(images[0], images[1], NULL, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_image_join(images[0], images[1], &joined, NULL), GPUCODE_ERROR_ARGUMENT);
    for (unsigned i = 0; i < 2; i++) {
        gpucode_image_free(images[i]);
        gpucode_program_free(half[i].program);
    }
    close_bundled(&both);
}

TESTS(images, facts, header, tables, disassembling, pair)
