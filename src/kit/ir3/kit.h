/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_IR3_KIT_H
#define KIT_IR3_KIT_H

#include "kit/shader/shader.h"
#include <gpucode/fields.h>

struct recorded;

/* recorded.c: of --from. Says how large the group is, and where it finds its numbers; nothing without --from. */
void ir3_recorded_group(const struct session *session, struct shader_group *group);
/* How many groups the draw runs. */
void ir3_recorded_groups(const struct recorded *recorded, uint32_t groups[3]);
/* Memory, consts, descriptors and inputs of the draw; says what the recording lacks. Returns an exit code. */
int ir3_recorded_give(struct session *session, const struct recorded *recorded, struct shader_inputs *inputs);

/* Fields of a descriptor or register. (fields.c) */
struct ir3_fields {
    struct gpucode_field_value list[GPUCODE_FIELD_VALUES_MAX];
    size_t count;
};
/* Null: there is none. */
const struct gpucode_field_value *ir3_named_field(const struct ir3_fields *fields, const char *name);
uint64_t ir3_number_field(const struct ir3_fields *fields, const char *name); /* 0: there is none */
const char *ir3_text_field(const struct ir3_fields *fields, const char *name);
/* recorded_texture.c: binds the texture of a descriptor, or says why not. Returns an exit code. */
int ir3_recorded_texture(struct session *session, const struct recorded *recorded, struct gpucode_machine *machine,
                         uint32_t unit, const struct ir3_fields *fields);
void ir3_recorded_sampler(struct gpucode_machine *machine, uint32_t slot, const struct ir3_fields *fields);

int ir3_run(struct session *session, const struct input *input);
int ir3_compare(struct session *session, const struct input *first, const struct input *second);
int ir3_settings(struct session *session, const struct input *input, struct kit_settings *settings);
int ir3_give(struct session *session, const struct input *input, struct gpucode_machine *machine);
/* Where the buffer of that slot begins, in GPUCODE_IR3_BUFFER or GPUCODE_IR3_UBO; 0: there is none. */
uint64_t ir3_buffer_address(const struct gpucode_machine *machine, unsigned space, uint32_t slot);

#endif
