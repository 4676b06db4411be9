/* SPDX-License-Identifier: MIT */
/* How much of each routine of an image ran on a machine, as the options of a command ask for. */
#ifndef FRONT_COVERAGE_H
#define FRONT_COVERAGE_H

#include "front/input.h"
#include <gpucode/analysis.h>
#include <gpucode/coverage.h>
#include <gpucode/machine.h>

/*
 * Tells what ran in one section or (null) in all, as --json and --lcov ask for; the options but for the file and the
 * analysis. Returns an exit code.
 */
int coverage_tell(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                  const char *section, const struct gpucode_coverage_options *options);

/* The same as lcov has it. *text is to be freed with free(); null: out of memory. */
char *coverage_lcov(const struct gpucode_coverage *coverage, const struct input *input, size_t *length);

/*
 * Edges of running code in a file: a line each, the section's name, from where and to where in units of the target,
 * with tabs between them. # begins a comment.
 */

struct session;
struct diagnostics;
struct file;

/* What the hook of a machine collects. Zeroed: nothing is wanted. */
struct edges {
    const char *path; /* of the file; null: none is wanted */
    struct gpucode_walk *walk;
};

/* Begins to collect for a file; `path` null: does nothing. Returns an exit code; call edges_finish(). */
int edges_begin(struct session *session, struct edges *edges, const struct gpucode_image *image, const char *path);
/* To be called for each event of a machine. */
void edges_note(struct edges *edges, const struct gpucode_machine *machine, const struct gpucode_event *event);
/* Makes that the machine's only hook. */
void edges_hook(struct edges *edges, struct gpucode_machine *machine);
/* Writes the file, unless `code` is an exit code of failure already, and frees. Returns an exit code. */
int edges_finish(struct session *session, struct edges *edges, const struct gpucode_image *image, int code);

/* What such a file says of an image; *list is malloc'ed. Returns an exit code, and no list unless it is EXIT_DONE. */
int edges_parse(struct diagnostics *diagnostics, const struct file *file, const struct gpucode_image *image,
                struct gpucode_seen_edge **list, size_t *count);
/* Reads such a file; *list is malloc'ed. Returns an exit code. */
int edges_read(struct session *session, const char *path, const struct gpucode_image *image,
               struct gpucode_seen_edge **list, size_t *count);

#endif
