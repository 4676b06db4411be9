/* SPDX-License-Identifier: MIT */
/* How much of each routine of an image ran on a machine. */
#ifndef FRONT_COVERAGE_H
#define FRONT_COVERAGE_H

#include "front/input.h"
#include "front/report.h"

#include <gpucode/machine.h>
#include <gpucode/outline.h>
#include <stdint.h>

struct coverage_count {
    uint32_t instructions, ran;
};

struct coverage {
    const struct input *input;
    bool comments; /* the packets that lead to each routine are told */
    const struct gpucode_image_info *info;
    const struct gpucode_outline *outline; /* of what `disasm` writes */
    const struct gpucode_unit *units;
    uint32_t unit_count;
    const struct gpucode_routine *routines;
    uint32_t routine_count;
    uint8_t *ran;                 /* per unit of the image */
    bool *present;                /* per section: it is asked for, and the machine has a processor for it */
    struct coverage_count *count; /* per routine */
};

/*
 * Takes what ran from the machine, whose coverage is switched on, in one section or (null) in all that have a
 * processor. Anything but GPUCODE_OK: there is nothing to free.
 */
enum gpucode_status coverage_find(struct coverage *coverage, const struct input *input,
                                  const struct gpucode_machine *machine, const char *section);
void coverage_free(struct coverage *coverage);

/* What stands behind the listing or, in JSON, before the sections: how the run ended. */
struct coverage_ending {
    void (*tell)(const void *user, struct report *report);
    const void *user;
};
/* Prints what ran in one section or (null) in all, as --json and --lcov ask for. Returns an exit code. */
int coverage_report(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                    const char *section, const struct coverage_ending *ending);

/* Coverage as lcov writes it (geninfo's "tracefile"), over the lines of a source, or of the listing of a binary. */

/* malloc'ed text, to be freed by the caller; null when out of memory. */
char *lcov_text(const struct coverage *coverage, size_t *length);

#endif
