/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit and to one another. */
#ifndef KIT_MME_KIT_H
#define KIT_MME_KIT_H

#include "front/input.h"
#include "kit/kit.h"
#include <gpucode/machine.h>

#define METHODS_END 0x4000 /* byte addresses of methods are below it */

/* kit.run */
int macro_run(struct session *session, const struct input *input);
/* kit.give: parameters and values of methods. */
int macro_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

/* A register that has a name alone: LEFT, CARRY. */
uint32_t macro_special(const struct gpucode_machine *machine, const char *name);

/* --- What a macro is started with, as options and launch requests write it ---------------------------------------- */

/*
 * Each takes one text and returns GPUCODE_OK, GPUCODE_ERROR_ARGUMENT (*expected is what it should be) or
 * GPUCODE_ERROR_MEMORY. `names` go ahead of the built-in ones and may be null.
 */
typedef enum gpucode_status macro_start(struct gpucode_machine *machine, const struct gpucode_names *names,
                                        const char *text, const char **expected);
macro_start macro_start_parameters; /* "3,5": after those that were given before */
macro_start macro_start_state;      /* "METHOD=VALUE" */
macro_start macro_start_scratch;    /* "N=VALUE" */

#endif
