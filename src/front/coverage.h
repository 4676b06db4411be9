/* SPDX-License-Identifier: MIT */
/* How much of each routine of an image ran on a machine, as the options of a command ask for. */
#ifndef FRONT_COVERAGE_H
#define FRONT_COVERAGE_H

#include "front/input.h"
#include <gpucode/coverage.h>

/*
 * Tells what ran in one section or (null) in all, as --json and --lcov ask for; the options but for the file and the
 * analysis. Returns an exit code.
 */
int coverage_tell(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                  const char *section, const struct gpucode_coverage_options *options);

/* The same as lcov has it. *text is to be freed with free(); null: out of memory. */
char *coverage_lcov(const struct gpucode_coverage *coverage, const struct input *input, size_t *length);

#endif
