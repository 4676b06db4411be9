/* SPDX-License-Identifier: MIT */
/* Texts end where their length says: what lies after them in memory must not count. */
#ifndef TESTS_SUPPORT_ENDS_H
#define TESTS_SUPPORT_ENDS_H

#include <gpucode/diagnostic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What came of a text, as one number. */
struct outcome {
    uint64_t digest;
};

void outcome_add(struct outcome *out, const void *bytes, size_t size);
void outcome_number(struct outcome *out, uint64_t number);
/* Null counts too. */
void outcome_text(struct outcome *out, const char *text);
/* Diagnostics: what is said and where. */
struct gpucode_diagnostic_handler outcome_listen(struct outcome *out);

/* Reads a text and tells all that comes of it. */
typedef void ends_reader(const void *user, const char *text, size_t length, struct outcome *out);

/*
 * Cuts the text after each of its bytes; the reader must make the same of that whatever comes after it, and not touch
 * what is before it or, where nothing comes after it, what is there. False, with the first such text printed, when it
 * does not.
 */
bool ends_hold(const char *text, ends_reader *read, const void *user);

#endif
