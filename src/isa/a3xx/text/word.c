/* SPDX-License-Identifier: MIT */
/* Instructions of a shader's bytes. */
#include "isa/a3xx/a3xx.h"

#include "base/text.h"

struct gpucode_insn a3xx_insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t reserved;
    return a3xx_insn_known(target, bytes, index, &reserved);
}

struct gpucode_insn a3xx_insn_known(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index,
                                    uint64_t *reserved)
{
    uint64_t word = text_load64(&bytes[8 * (size_t)index]);
    int row = isa_decode_row(&a3xx_rows, 0, word);
    if (row < 0 || !a3xx_explain(&a3xx_rows.rows[row], word, reserved)) {
        row = A3XX_RAW;
        *reserved = 0;
    }
    return (struct gpucode_insn){.target = target, .bits = word, .address = index, .row = (uint16_t)row, .size = 8};
}
