/* SPDX-License-Identifier: MIT */
/*
 * Schedule: puts the delays and sync bits into code whose hardware does not wait by itself.
 *
 *     struct gpucode_scheduled scheduled;
 *     if (gpucode_schedule(image, NULL, &scheduled) == GPUCODE_OK) {
 *         printf("%u slots, %u before\n", scheduled.slots, scheduled.slots_before);
 *         fwrite(scheduled.bytes, 1, scheduled.size, out);
 *         gpucode_scheduled_free(&scheduled);
 *     }
 *
 * What is needed is what gpucode_lint() asks for; both use one analysis. Results of the program stay the same.
 */
#ifndef GPUCODE_SCHEDULE_H
#define GPUCODE_SCHEDULE_H

#include <gpucode/diagnostic.h>
#include <gpucode/image.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* gpucode_scheduled.origins: a nop that was inserted. */
#define GPUCODE_SCHEDULE_NEW UINT32_MAX

enum gpucode_strip {
    GPUCODE_STRIP_NOTHING,  /* insert what is missing, keep what is there */
    GPUCODE_STRIP_NEEDLESS, /* nops and sync bits that are not needed go; those where code is entered stay */
    GPUCODE_STRIP_ALL, /* all nops and sync bits go, and nothing is inserted: for tests, the result does not work */
};

struct gpucode_schedule_options {
    enum gpucode_strip strip;
    bool reorder; /* instructions may change places within basic blocks; not with STRIP_ALL */
    struct gpucode_diagnostic_handler on_diagnostic; /* told why code cannot be scheduled */
    const char *file;                                /* name for diagnostics, or null */
};

struct gpucode_scheduled {
    void *bytes; /* null after an error */
    size_t size;
    /* For each unit of the result, which unit of the image it was, perhaps with other flags; GPUCODE_SCHEDULE_NEW. */
    uint32_t *origins;
    uint32_t units;
    uint32_t slots_before, slots;         /* issue slots of all instructions to the last `end`, jumps not taken */
    uint32_t sync_bits_before, sync_bits; /* (ss) and (sy) */
};

/*
 * Schedules an image. `options` may be null. Branches are fixed, and each place that br or jump goes to has (jp).
 * A repeat that reads its own results too early is left as it is: nothing in front of it helps. Returns GPUCODE_OK,
 * GPUCODE_ERROR_UNSUPPORTED (nothing to schedule in this instruction set), GPUCODE_ERROR_INPUT (the diagnostic handler
 * was told), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_schedule(const struct gpucode_image *image,
                                                 const struct gpucode_schedule_options *options,
                                                 struct gpucode_scheduled *out);
/* Frees what a result holds, and empties it. */
GPUCODE_API void gpucode_scheduled_free(struct gpucode_scheduled *scheduled);

#ifdef __cplusplus
}
#endif
#endif
