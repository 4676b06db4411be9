/* SPDX-License-Identifier: MIT */
/* What the tests of HWSQ share: text to bytes, bytes to text, and what the diagnostic handler was told. */
#ifndef HWSQ_SUPPORT_H
#define HWSQ_SUPPORT_H

#include "group.h"

#include <gpucode/gpucode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Codes of the diagnostics, each followed by a space, and the messages each on a line. */
struct told {
    char codes[256];
    char messages[2048];
    unsigned line, column; /* of the first */
};
struct gpucode_diagnostic_handler told_handler(struct told *told);

/* Assembles; `told` may be null when nothing but success matters. Null on errors. */
struct gpucode_program *assemble(const char *target, const char *text, struct told *told, bool oversize);
/* Asserts that the text assembles to these bytes. */
void assert_bytes(const char *target, const char *text, const void *bytes, size_t size);
/* Asserts that the text is refused with that code first. */
void assert_refused(const char *target, const char *text, const char *code);
/* The listing without its first line; free it. `raw`: all of it. */
char *listing(const char *target, const void *bytes, size_t size, bool columns);
char *raw_listing(const char *target, const void *bytes, size_t size);
/* Listing, assembling without naming the target, same bytes. */
void assert_round_trip(const char *target, const void *bytes, size_t size);
/* Image of code that must outlive it. */
struct gpucode_image *image_of(const char *target, const void *bytes, size_t size);

uint32_t random_next(uint64_t *seed);

/* A whole file of the vectors, zero-terminated; null when there is none. Free it. */
char *vector_file(const char *name, size_t *size);
/* Prints why and returns true when there are no vectors. */
bool no_vectors(void);
/* Bytes of a .hex file; returns their count. */
size_t hex_bytes(const char *text, unsigned char *bytes, size_t room);

#endif
