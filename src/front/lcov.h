/* SPDX-License-Identifier: MIT */
/* Coverage as lcov writes it (geninfo's "tracefile"), over the lines of a source, or of the listing of a binary. */
#ifndef FRONT_LCOV_H
#define FRONT_LCOV_H

#include "front/coverage.h"

/* malloc'ed text, to be freed by the caller; null when out of memory. */
char *lcov_text(const struct coverage *coverage, size_t *length);

#endif
