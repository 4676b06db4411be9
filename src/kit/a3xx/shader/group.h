/* SPDX-License-Identifier: MIT */
/*
 * The work group of a compute shader: its size, and where its threads find their number in it; from options, or from
 * the lines of a source: @localsize, @invocationid, @wgid, @numwg.
 *
 *     struct shader_group group = {0};
 *     shader_group_declared(&group, program);
 *     char threads[SHADER_NUMBER];
 *     if (shader_group_threads(&group, threads)) ...create the machine with the policy a3xx-threads=threads
 *     shader_group_give(&group, &inputs);
 */
#ifndef KIT_A3XX_SHADER_GROUP_H
#define KIT_A3XX_SHADER_GROUP_H

#include "kit/a3xx/shader/inputs.h"
#include <gpucode/asm.h>

#define SHADER_NUMBER 24 /* room for a number as text */

/* A vector of registers or consts, x first. */
struct shader_place {
    bool there;
    unsigned space;
    uint32_t number;
};

struct shader_group {
    bool sized;
    uint32_t size[3]; /* x, y, z; 0 where `sized` is false */
    struct shader_place id, work_group, work_groups;
};

/* What the source says; `program` may be null. */
void shader_group_declared(struct shader_group *group, const struct gpucode_program *program);
/* "X", "X,Y" or "X,Y,Z"; false: no such size, or more than GPUCODE_A3XX_THREADS_MAX threads. */
bool shader_group_size(struct shader_group *group, const char *text);
/* "r0.x": the first of three registers that get a thread's number; false: it is none. */
bool shader_group_id(struct shader_group *group, const struct gpucode_machine *machine, const char *text);
/* The number of threads as text; false: the group has no size. */
bool shader_group_threads(const struct shader_group *group, char text[SHADER_NUMBER]);
/*
 * Gives each thread its number in x, y and z; without a size they are counted along x. There is one work group: number
 * 0 of 1.
 */
void shader_group_give(const struct shader_group *group, struct shader_inputs *inputs);

#endif
