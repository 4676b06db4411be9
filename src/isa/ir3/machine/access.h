/* SPDX-License-Identifier: MIT */
/* What the files of category 6 share: operands, addresses, slots of buffers. */
#ifndef ISA_IR3_MACHINE_ACCESS_H
#define ISA_IR3_MACHINE_ACCESS_H

#include "isa/ir3/machine/machine.h"
#include "isa/ir3/machine/sampling.h"

/* --- access.c: operands and addresses ----------------------------------------------------------------------------- */

const char *ir3_mnemonic(const struct ir3_op *op);
/* Stops at something in the instruction's form that nobody knows. */
void ir3_refuse(struct ir3_run *run, const struct ir3_op *op, const char *what);
/* Helpers and killed fibers go through the motions, without effect on memory. */
bool ir3_is_dark(const struct ir3_run *run, unsigned lane);
/* Register `component` of data, of one fiber. */
uint32_t ir3_data(const struct ir3_run *run, const struct ir3_operand *operand, unsigned lane, unsigned component);
/* An address of one or two registers or consts, as the generation has it. */
void ir3_fetch_addresses(struct ir3_run *run, const struct ir3_operand *operand, uint64_t *addresses);
void ir3_fetch_letter(struct ir3_run *run, const struct ir3_op *op, char letter, uint32_t *values);
/* Null: the row has no such field. */
const struct isa_field *ir3_field_of(const struct ir3_op *op, char letter);
/* Of an address, for struct ir3_op.offset; and of elements, for its count, by 'k'. */
int32_t ir3_signed_offset(const struct ir3_op *op);
unsigned ir3_low_first_of(const struct ir3_op *op, char letter);

void ir3_find_addresses(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space, uint64_t *addresses);

/* --- descriptor.c ------------------------------------------------------------------------------------------------- */

/* Where a bindless descriptor lies: the low two bits of its base say how far they are apart, 2 << N words. False with
 * the machine halted. */
bool ir3_find_descriptor(struct ir3_run *run, const struct ir3_op *op, unsigned base, uint32_t slot, uint64_t *address);
/* What a slot has, of buffers or of buffers of constants; of a bindless one up to the next call. Null with the machine
 * halted. */
const struct ir3_bound *ir3_bound_at(struct ir3_run *run, const struct ir3_op *op, uint32_t slot, bool constants);

/* The same of a buffer, which is looked for where the slot is another one than the last. Begins as {NULL, 0}. */
struct ir3_held {
    const struct ir3_bound *bound;
    uint32_t slot;
};
const struct ir3_bound *ir3_bound_still(struct ir3_run *run, const struct ir3_op *op, uint32_t slot,
                                        struct ir3_held *held);

/* --- descriptor.c: texels ----------------------------------------------------------------------------------------- */

enum ir3_components { IR3_UNORM, IR3_SNORM, IR3_FLOAT, IR3_UINT, IR3_SINT };
struct ir3_format {
    uint8_t number, components, bytes; /* bytes of a component */
    uint8_t kind;                      /* enum ir3_components */
};

/* Texels of a bindless texture. */
struct ir3_texels {
    struct ir3_run *run;
    const struct ir3_op *op;
    const struct ir3_format *format;
    uint64_t address;
    uint32_t pitch, layer; /* bytes from row to row, from layer to layer */
    uint8_t swizzle[4], order;
    bool srgb;
};
/* The shape of the texture that the descriptor at an address describes, and how `seen` finds its texels, which stay in
 * `texels`. False with the machine halted. */
bool ir3_take_texture(struct ir3_texels *texels, uint64_t address, struct a3xx_seen *seen);
/* A sampler's fields as GPUCODE_IR3_SAMPLER has them. False with the machine halted. */
bool ir3_take_sampler(struct ir3_texels *texels, uint64_t address, uint32_t field[GPUCODE_IR3_SAMPLER_FIELDS]);

/* --- slots.c ------------------------------------------------------------------------------------------------------ */

/* What an access by slot has in common, whatever the form of the row. */
struct ir3_access {
    uint32_t slot[IR3_WAVE_MAX];
    uint64_t offset[IR3_WAVE_MAX];   /* bytes; untyped */
    uint32_t place[3][IR3_WAVE_MAX]; /* coordinates; typed */
    unsigned type, bytes, count;
    bool typed;
};

/* The slots that the fibers name: those of a uniform operand are the same. False with the machine halted. */
bool ir3_fetch_slots(struct ir3_run *run, const struct ir3_op *op, uint32_t *slots);
bool ir3_fetch_access(struct ir3_run *run, const struct ir3_op *op, struct ir3_access *access);
/* Offsets: elements and a number of them, or bytes, which the old forms have beside those in words. */
void ir3_fetch_offsets(struct ir3_run *run, const struct ir3_op *op, struct ir3_access *access);
/* Is that within the buffer? What is not reads as 0, and is not stored. */
bool ir3_is_within(const struct ir3_bound *bound, uint64_t offset, unsigned bytes);
void ir3_load_elements(struct ir3_run *run, const struct ir3_op *op);
void ir3_store_elements(struct ir3_run *run, const struct ir3_op *op);
void ir3_tell_size(struct ir3_run *run, const struct ir3_op *op);
/* resbase: where a bindless descriptor lies. */
void ir3_tell_base(struct ir3_run *run, const struct ir3_op *op);

/* --- memory.c: consts --------------------------------------------------------------------------------------------- */

/* Memory as category 6 has it, and texels in it. */

unsigned ir3_type_bytes(unsigned type);
uint64_t ir3_bound_address(const struct ir3_bound *bound);
/* Up to 8 bytes for run->index; false with the machine halted. */
bool ir3_read_bytes(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, uint64_t *value);
/* A word for each lane, at its address and `offset`; false with the machine halted. */
bool ir3_read_words(struct ir3_run *run, enum ir3_space space, const uint64_t *addresses, uint64_t offset,
                    uint32_t *values);
bool ir3_write_bytes(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, uint64_t value);

/* Of the buffer's format. */
uint32_t ir3_texel_bytes(const struct ir3_bound *bound);
/* Where a texel lies; false: outside of the image. */
bool ir3_texel_offset(const struct ir3_bound *bound, const uint32_t place[3], uint64_t *offset);
/* Texels by the image's format and the access's type; outside 0, and not stored. False with the machine halted. */
bool ir3_load_texel(struct ir3_run *run, const struct ir3_bound *bound, const uint32_t place[3], unsigned type,
                    uint32_t texel[4]);
bool ir3_store_texel(struct ir3_run *run, const struct ir3_bound *bound, const uint32_t place[3], unsigned type,
                     const uint32_t texel[4]);

#endif
