/* SPDX-License-Identifier: MIT */
#include "isa/a3xx/timing/delay.h"
#include "isa/a3xx/timing/reach.h"

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

/* --- registers in one row: their names, and sets of them that instructions use ------------------------------------ */

const char *a3xx_register_name(int reg, char text[16])
{
    char *at = reg == A3XX_ADDRESS       ? a3xx_put_register(text, A3XX_A0, false)
               : reg >= A3XX_PREDICATE_0 ? a3xx_put_register(text, A3XX_P0 + (unsigned)(reg - A3XX_PREDICATE_0), false)
               : reg >= A3XX_HALF_0      ? a3xx_put_register(text, (unsigned)(reg - A3XX_HALF_0), true)
                                         : a3xx_put_register(text, (unsigned)reg, false);
    *at = 0;
    return text;
}

void a3xx_uses(const struct gpucode_insn *insn, struct a3xx_set *read, struct a3xx_set *written)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    *read = *written = (struct a3xx_set){{0}};
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k <= a3xx_repeat(insn->bits); k++) {
            struct a3xx_set *set = access[i].write ? written : read;
            struct a3xx_range range = a3xx_range_of(&access[i], k, NULL, true);
            for (int n = 0, reg; n < range.count; n++)
                if ((reg = a3xx_range_at(&range, n)) >= 0)
                    a3xx_set_add(set, reg);
        }
}

bool a3xx_set_meets(const struct a3xx_set *a, const struct a3xx_set *b)
{
    uint64_t common = 0;
    for (unsigned i = 0; i < sizeof a->bits / sizeof *a->bits; i++)
        common |= a->bits[i] & b->bits[i];
    return common != 0;
}
