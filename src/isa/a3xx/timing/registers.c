/* SPDX-License-Identifier: MIT */
/* Registers in one row: their names, and sets of them that instructions use. */
#include "isa/a3xx/timing/reach.h"

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
