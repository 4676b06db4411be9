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
/* Is it a fragment shader of a recording? */
bool ir3_recorded_is_pixel(const struct session *session);
/* As struct shader_set.recorded: by what the registers of the draw say. */
void ir3_recorded_picture(const struct session *session, struct shader_picture *picture);
/* Memory, consts, descriptors and inputs of the draw; says what the recording lacks. Returns an exit code. */
int ir3_recorded_give(struct session *session, const struct recorded *recorded, struct shader_inputs *inputs);

/* Fields of a descriptor or register. (recorded_texture.c) */
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
/* Writes what a source declares beside its code, as a source has it. */
void ir3_declare(FILE *out, const struct gpucode_program *program);
int ir3_settings(struct session *session, const struct input *input, struct kit_settings *settings);
/* As struct fuzz_state_set.give. */
int ir3_give_kept(struct state *state);
int ir3_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

/* --- run.c: what a machine has before it runs --------------------------------------------------------------------- */

struct ir3_buffers {
    struct shader_inputs *inputs;
    uint64_t next; /* address: the first buffer lies across 4 GiB */
};
#define IR3_BUFFERS(inputs)                                                                                            \
    {                                                                                                                  \
        inputs, UINT64_C(0xffffff80)                                                                                   \
    }

/* @buf and @ubo of the source, which may be null. False: there is no memory, or *wrong is the kind of which there are
 * too many or too large ones. */
bool ir3_buffers_declared(struct ir3_buffers *buffers, const struct gpucode_program *program, const char **wrong);
/* "K=REST" with K below `room`; null: something else. */
const char *ir3_buffer_slot(const char *text, uint32_t room, uint32_t *slot);
#define IR3_BUFFER_EXPECTED "K=FILE, K from 0 to 63"
#define IR3_UBO_EXPECTED "K=FILE, K from 0 to 31"
/* False: there is no memory, or the bytes are too many. */
bool ir3_buffer_fill(struct ir3_buffers *buffers, unsigned space, uint32_t slot, const void *bytes, size_t size);
/* What the source has in the last line of that kind, "localmem"; UINT64_MAX: there is none. */
uint64_t ir3_declared_size(const struct gpucode_program *program, const char *kind);
/* "X", "X,Y", "X,Y,Z"; false: something else. */
bool ir3_groups_read(const char *text, uint32_t groups[3]);
#define IR3_GROUPS_EXPECTED "X, X,Y or X,Y,Z"
/* How many groups run, and where they find their number and how many there are. */
void ir3_groups_give(struct shader_inputs *inputs, const uint32_t size[3], const struct shader_place *number,
                     const struct shader_place *all);
/* Where the buffer of that slot begins, in GPUCODE_IR3_BUFFER or GPUCODE_IR3_UBO; 0: there is none. */
uint64_t ir3_buffer_address(const struct gpucode_machine *machine, unsigned space, uint32_t slot);

#endif
