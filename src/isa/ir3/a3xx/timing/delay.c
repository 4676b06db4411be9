/* SPDX-License-Identifier: MIT */
/* Which unit computes a result, and how many slots pass before it can be read. */
#include "isa/ir3/timing/delay.h"
#include "isa/ir3/a3xx/a3xx.h"

/* Sync bits of the notes. */
enum a3xx_unit a3xx_unit(const struct gpucode_insn *insn)
{
    uint32_t marks = a3xx_marks(insn->row);
    switch (marks & SHADER_MARK_UNIT) {
    case 0:
        return A3XX_ARITHMETIC;
    case SHADER_MARK_SFU:
        return A3XX_SPECIAL;
    default:
        return marks & SHADER_MARK_LOCAL ? A3XX_LOCAL_RESULT : A3XX_LONG_LATENCY;
    }
}

/* Delay table of the notes. */
unsigned a3xx_delay(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = shader_category(insn->bits);
    if (access->file == A3XX_FILE_ADDRESS && !access->source)
        return A3XX_DELAY_ADDRESS;
    if (category == 0 || category > 3)
        return 6;
    return access->source == 3 && a3xx_marks(insn->row) & SHADER_MARK_LATE_THIRD ? 1 : 3;
}
