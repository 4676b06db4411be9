/* SPDX-License-Identifier: MIT */
#include "isa/a3xx/timing/delay.h"

/* Atomic operations have a second source; on global memory they have a slot too. */
static bool is_local_atomic(unsigned row)
{
    return a3xx_has_letter(row, '9') && !a3xx_has_letter(row, '4');
}

/* Sync bits of the notes. */
enum a3xx_unit a3xx_unit(const struct gpucode_insn *insn)
{
    switch (a3xx_category(insn->bits)) {
    case 4:
        return A3XX_SPECIAL;
    case 5:
        return A3XX_LONG_LATENCY;
    case 6:
        return insn->row == A3XX_LDL || insn->row == A3XX_LDLW || insn->row == A3XX_RESINFO ||
                       is_local_atomic(insn->row)
                   ? A3XX_LOCAL_RESULT
                   : A3XX_LONG_LATENCY;
    default:
        return A3XX_ARITHMETIC;
    }
}

/* They need the third source later than the factors (A3XX wiki page, Scheduling). */
static bool is_mad(unsigned row)
{
    switch (row) {
    case A3XX_MAD_U16:
    case A3XX_MADSH_U16:
    case A3XX_MAD_S16:
    case A3XX_MADSH_M16:
    case A3XX_MAD_U24:
    case A3XX_MAD_S24:
    case A3XX_MAD_F16:
    case A3XX_MAD_F32:
        return true;
    default:
        return false;
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
    return access->source == 3 && is_mad(insn->row) ? 1 : 3;
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
