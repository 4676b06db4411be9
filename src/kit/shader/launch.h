/* SPDX-License-Identifier: MIT */
/* Fields of launch requests that shaders of all sets have, and what a set adds. */
#ifndef KIT_SHADER_LAUNCH_H
#define KIT_SHADER_LAUNCH_H

#include "kit/a3xx/shader/grid.h"
#include "kit/a3xx/shader/group.h"
#include "kit/launch.h"

/* Functions may be null. */
struct shader_launch_set {
    const char *threads; /* the policy */
    bool wide;           /* of struct shader_inputs */
    uint64_t texels;
    /* After what all sets give: buffers that the source declares, groups. */
    enum gpucode_status (*give)(struct launch *launch);
    /* "K=FILE": a buffer, or one of constants. As struct launch_field.take. */
    enum gpucode_status (*fill)(struct launch *launch, bool constants, const char *text, const char **expected);
    bool (*read_groups)(const char *text, uint32_t groups[3]);
};

/* launch->state */
struct shader_launch {
    const struct shader_launch_set *set;
    struct shader_group group;
    struct shader_inputs inputs;
    struct shader_grid grid; /* width 0: no picture */
    bool has_pixel;
    unsigned x, y; /* of the pixel */
    uint32_t groups[3];
    uint64_t next; /* for the set: where its next buffer goes */
};

extern const struct launch_field shader_launch_fields[];
void shader_launch_begin(struct launch *launch, const struct shader_launch_set *set);
void shader_launch_settings(struct launch *launch, struct kit_settings *settings);
enum gpucode_status shader_launch_give(struct launch *launch);
enum gpucode_status shader_launch_finish(struct launch *launch, const char **field, const char **expected);

/* A set's struct kit_launch; `begins` calls shader_launch_begin(), `settles` shader_launch_settings(). */
#define SHADER_LAUNCH(begins, settles)                                                                                 \
    {                                                                                                                  \
        .fields = shader_launch_fields, .state_size = sizeof(struct shader_launch), .begin = begins,                   \
        .settings = settles, .give = shader_launch_give, .finish = shader_launch_finish                                \
    }

#endif
