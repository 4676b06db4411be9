/* SPDX-License-Identifier: MIT */
/* Opening bytes in tests: diagnostics are collected, and what must hold for any bytes is checked. */
#ifndef TESTS_IMAGE_OPENING_H
#define TESTS_IMAGE_OPENING_H

#include "group.h"

#include <gpucode/image.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The codes of all diagnostics, each followed by a space. */
struct heard {
    char codes[256], message[256];
};

/* The target of that name among those of AFUC; fails the test when there is none. */
const struct gpucode_target *afuc_target(const char *name);

/*
 * Opens a copy of the bytes that has exactly their size, so that the sanitizers see a read after the end. The copy
 * belongs to *copy. `options` and `heard` may be null.
 */
enum gpucode_status open_copy(const void *bytes, size_t size, const struct gpucode_image_options *options,
                              struct heard *heard, void **copy, struct gpucode_image **image);

/* Fails the test when an image says something that its bytes cannot hold. */
void check_sanity(const struct gpucode_image *image);

#endif
