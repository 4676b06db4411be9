/* SPDX-License-Identifier: MIT */
/* Code of the command line, analysed: what `graph`, `xref` and their like have in common. */
#ifndef FRONT_UNDERSTOOD_H
#define FRONT_UNDERSTOOD_H

#include "front/input.h"
#include "front/json.h"
#include <gpucode/analysis.h>

struct understood {
    struct session *session;
    const struct input *input;
    const struct gpucode_image_info *info;
    struct gpucode_analysis *analysis;
};

/* Analyses an input. Complains and returns an exit code; on EXIT_DONE call understood_close(). */
int understood_open(struct session *session, const struct input *input, struct understood *understood);
void understood_close(struct understood *understood);
/* Opens the first operand, analyses it, calls `use`, whose exit code it returns, and closes both. */
int understood_first(struct session *session, int (*use)(struct session *session, const struct understood *understood));

/*
 * Units of a section that a label means: a packet, a function's name, fxnN, lN, a label of the source or of --symbols.
 * False: none in this section.
 */
bool understood_find(const struct understood *understood, unsigned section, const char *label, uint32_t *unit);
/* Complains that no section has what a label or the name of a register should mean; returns an exit code. */
int understood_no_place(const struct understood *understood, const char *name);
/* The function that begins at a unit of a section; GPUCODE_NONE: none does. */
uint32_t understood_function(const struct understood *understood, unsigned section, uint32_t unit);

/* The name of a function as listings have it, where they have none that of the analysis; final zero included. */
void understood_name(const struct understood *understood, unsigned section, uint32_t function,
                     char name[GPUCODE_NAME_MAX]);
/* The same of any unit, "l12" where it has no name. */
void understood_place(const struct understood *understood, unsigned section, uint32_t unit,
                      char name[GPUCODE_NAME_MAX]);

/* The text of an instruction; what it jumps to by name. False: there is none. */
bool understood_text(const struct understood *understood, unsigned section, uint32_t unit, char text[GPUCODE_TEXT_MAX]);

/* "file" and "line" of a unit, where the input is a source. */
void understood_put_line(const struct understood *understood, struct json *json, unsigned section, uint32_t unit);
/* An array of the names of packets. */
void understood_put_packets(const struct understood *understood, struct json *json, const char *key,
                            const uint64_t packets[2]);

#endif
