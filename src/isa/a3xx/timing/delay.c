/* SPDX-License-Identifier: MIT */
#include "isa/a3xx/timing/delay.h"

/* Sync bits of the notes. */
enum a3xx_unit a3xx_unit(const struct gpucode_insn *insn)
{
    uint32_t marks = a3xx_marks(insn->row);
    switch (marks & A3XX_MARK_UNIT) {
    case 0:
        return A3XX_ARITHMETIC;
    case A3XX_MARK_SFU:
        return A3XX_SPECIAL;
    default:
        return marks & A3XX_MARK_LOCAL ? A3XX_LOCAL_RESULT : A3XX_LONG_LATENCY;
    }
}

/* Delay table of the notes. */
unsigned a3xx_delay(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = a3xx_category(insn->bits);
    if (access->file == A3XX_FILE_ADDRESS && !access->source)
        return A3XX_DELAY_ADDRESS;
    if (category == 0 || category > 3)
        return 6;
    return access->source == 3 && a3xx_marks(insn->row) & A3XX_MARK_LATE_THIRD ? 1 : 3;
}

int a3xx_register_at(const struct a3xx_access *access, unsigned step, unsigned component)
{
    unsigned number = (unsigned)access->number + (access->steps ? step : 0) + component;
    if (access->relative || (access->mask && !(access->mask >> component & 1)))
        return -1;
    switch (access->file) {
    case A3XX_FILE_FULL:
        return number < A3XX_A0 ? (int)(A3XX_FULL_0 + number) : -1;
    case A3XX_FILE_HALF:
        return number < A3XX_A0 ? (int)(A3XX_HALF_0 + number) : -1;
    case A3XX_FILE_ADDRESS:
        return number ? -1 : A3XX_ADDRESS;
    case A3XX_FILE_PREDICATE:
        return number < 4 ? (int)(A3XX_PREDICATE_0 + number) : -1;
    default:
        return -1;
    }
}
