/* SPDX-License-Identifier: MIT */
/* Instructions of a shader's bytes. */
#include "isa/a3xx/a3xx.h"

struct gpucode_insn a3xx_insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t word = 0;
    for (unsigned i = 8; i-- > 0;)
        word = word << 8 | bytes[8 * (size_t)index + i];
    return (struct gpucode_insn){.target = target,
                                 .bits = word,
                                 .address = index,
                                 .row = (uint16_t)a3xx_refine(isa_decode_row(&a3xx_rows, 0, word), word),
                                 .size = 8};
}
