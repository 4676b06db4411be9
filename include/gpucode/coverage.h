/* SPDX-License-Identifier: MIT */
/*
 * How much of each routine of an image ran on a machine.
 *
 *     struct gpucode_coverage coverage;
 *     gpucode_machine_coverage(machine, true);
 *     gpucode_machine_run(machine, limit, &stop);
 *     if (gpucode_coverage_find(machine, image, outline, NULL, &coverage) == GPUCODE_OK)
 *         gpucode_coverage_tell(&coverage, NULL, answer);
 *     gpucode_coverage_free(&coverage);
 *
 * One thread at a time may use what belongs to one machine, image or outline.
 */
#ifndef GPUCODE_COVERAGE_H
#define GPUCODE_COVERAGE_H

#include <gpucode/analysis.h>
#include <gpucode/answer.h>
#include <gpucode/machine.h>
#include <gpucode/outline.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_coverage_count {
    uint32_t instructions, ran;
};

/* What ran. It refers to the machine, the image and the outline that it was found with. */
struct gpucode_coverage {
    const struct gpucode_machine *machine;
    const struct gpucode_image_info *info;
    const struct gpucode_outline *outline;
    const struct gpucode_unit *units; /* of the outline, and so are the routines */
    uint32_t unit_count;
    const struct gpucode_routine *routines;
    uint32_t routine_count;
    uint8_t *ran;                         /* by unit of the image: not 0 when it ran */
    bool *present;                        /* by section: it is asked for, and the machine has a processor for it */
    struct gpucode_coverage_count *count; /* by routine */
};

/*
 * Takes what ran from a machine whose coverage is switched on (gpucode_machine_coverage()), in one section or (null) in
 * all that have a processor. GPUCODE_ERROR_MEMORY: `coverage` holds nothing, and may be freed.
 */
GPUCODE_API enum gpucode_status gpucode_coverage_find(const struct gpucode_machine *machine,
                                                      const struct gpucode_image *image,
                                                      const struct gpucode_outline *outline, const char *section,
                                                      struct gpucode_coverage *coverage);
/* What was found; the struct itself is the caller's, and zeroed. */
GPUCODE_API void gpucode_coverage_free(struct gpucode_coverage *coverage);

/* Is the unit an instruction of a section that the machine has? What ran is one, whatever its text. */
GPUCODE_API bool gpucode_coverage_is_insn(const struct gpucode_coverage *coverage, const struct gpucode_unit *unit);
GPUCODE_API bool gpucode_coverage_has_run(const struct gpucode_coverage *coverage, const struct gpucode_unit *unit);

/* What else gpucode_coverage_tell() tells. */
struct gpucode_coverage_options {
    const char *file;                        /* the image's name; null: left out */
    const struct gpucode_stop *stop;         /* how the run has stopped; null: left out, with what follows */
    uint64_t instructions;                   /* that ran */
    bool takes_packets, done;                /* the code reads packets; it has ended, or taken all of them */
    const struct gpucode_analysis *analysis; /* for the packets that lead to each routine, or null */
};

/*
 * Puts one object into the answer: routines of each section with their instructions and those that ran, runs of units
 * that ran, and in text the listing, each line after + when its instruction ran and after - when it did not.
 * `options` may be null. Returns the answer's status.
 */
GPUCODE_API enum gpucode_status gpucode_coverage_tell(const struct gpucode_coverage *coverage,
                                                      const struct gpucode_coverage_options *options,
                                                      struct gpucode_answer *answer);
/* The fields of that. */
GPUCODE_API const struct gpucode_answer_table *gpucode_coverage_answer_table(void);

#ifdef __cplusplus
}
#endif
#endif
