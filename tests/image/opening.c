/* SPDX-License-Identifier: MIT */
#include "opening.h"

#include "isa/afuc/afuc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gpucode_target *afuc_target(const char *name)
{
    for (unsigned i = 0; i < AFUC_TARGET_COUNT; i++)
        if (strcmp(afuc_targets[i].name, name) == 0)
            return &afuc_targets[i];
    fail_msg("no target %s", name);
    return NULL;
}

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct heard *heard = user;
    assert_non_null(gpucode_explain(diagnostic->code));
    size_t length = strlen(heard->codes);
    snprintf(heard->codes + length, sizeof heard->codes - length, "%s ", diagnostic->code);
    snprintf(heard->message, sizeof heard->message, "%s", diagnostic->message);
}

enum gpucode_status open_copy(const void *bytes, size_t size, const struct gpucode_image_options *options,
                              struct heard *heard, void **copy, struct gpucode_image **image)
{
    struct gpucode_image_options own = options ? *options : (struct gpucode_image_options){0};
    if (heard) {
        *heard = (struct heard){0};
        own.on_diagnostic = (struct gpucode_diagnostic_handler){hear, heard};
    }
    *copy = malloc(size ? size : 1);
    assert_non_null(*copy);
    if (size)
        memcpy(*copy, bytes, size);
    *image = NULL;
    return gpucode_image_open(*copy, size, &own, image);
}

void check_sanity(const struct gpucode_image *image)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    size_t size;
    assert_non_null(gpucode_image_bytes(image, &size));
    assert_non_null(info->target);
    assert_string_equal(info->format, "afuc");
    assert_non_null(info->layout);
    assert_true(info->prefix == 0 || info->prefix == 4);
    assert_int_equal(info->prefix + (size_t)info->units * 4 + info->tail, size);
    assert_true(info->tail < 4);
    assert_int_equal(info->section_count != 0, info->units != 0);
    uint32_t end = 0, handler;
    for (unsigned i = 0; i < info->section_count; i++) {
        const struct gpucode_section *section = &info->sections[i];
        assert_non_null(section->name);
        assert_non_null(section->start_source);
        assert_true(i ? section->start >= end : section->start == 0);
        assert_true(section->size > 0);
        assert_true(section->size <= info->units - section->start);
        end = section->start + section->size;
        assert_int_equal(section->table != GPUCODE_NONE, section->table_source != NULL);
        if (section->table == GPUCODE_NONE) {
            assert_false(gpucode_image_handler(image, i, 0, &handler));
            continue;
        }
        assert_int_equal(section->size, section->table + 128);
        for (unsigned entry = 0; entry < 128; entry++) {
            assert_true(gpucode_image_handler(image, i, entry, &handler));
            assert_true(handler < section->table);
        }
        assert_false(gpucode_image_handler(image, i, 128, &handler));
    }
    assert_false(gpucode_image_handler(image, info->section_count, 0, &handler));
    if (info->trailer != GPUCODE_NONE) {
        assert_true(info->trailer >= end && info->trailer + 4 <= info->units);
        assert_int_equal(strlen(info->date), 10);
    } else {
        assert_string_equal(info->date, "");
    }
    for (unsigned i = 0; i < info->fact_count; i++) {
        assert_true(info->facts[i].name[0] && info->facts[i].value[0] && info->facts[i].source[0]);
    }
}
