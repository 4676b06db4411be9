/* SPDX-License-Identifier: MIT */
/* Memory as category 6 has it, and texels in it. */
#ifndef ISA_IR3_MACHINE_IMAGE_H
#define ISA_IR3_MACHINE_IMAGE_H

#include "isa/ir3/machine/machine.h"

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
