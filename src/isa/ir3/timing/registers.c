/* SPDX-License-Identifier: MIT */
/* Registers in one row: their numbers and names, and sets of them that instructions use. */
#include "isa/ir3/timing/reach.h"

#include "base/text.h"

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
        return !number ? A3XX_ADDRESS : number == 1 ? A3XX_ADDRESS_1 : -1;
    case A3XX_FILE_PREDICATE:
        return number < 4 ? (int)(A3XX_PREDICATE_0 + number) : -1;
    case A3XX_FILE_ORDER:
        return A3XX_ORDER_0 + (int)number;
    default:
        return -1;
    }
}

static char *put_place(char *at, const char *file, unsigned number)
{
    at = text_decimal(text_string(at, file), number >> 2);
    *at++ = '.';
    *at++ = "xyzw"[number & 3];
    return at;
}

const char *a3xx_register_name(const struct gpucode_insn *insn, int reg, bool half, char text[40])
{
    unsigned number = (unsigned)reg;
    bool merged = shader_family(insn)->mixed && reg < 2 * SHADER_SHARED_END;
    if (merged && half)
        number = number < 2 * SHADER_SHARED ? number : number - SHADER_SHARED;
    char *at = reg == A3XX_ADDRESS       ? text_string(text, "a0.x")
               : reg == A3XX_ADDRESS_1   ? text_string(text, "a1.x")
               : reg == A3XX_ORDER_0     ? text_string(text, "the const file")
               : reg > A3XX_ORDER_0      ? text_string(text, "everything")
               : reg >= A3XX_PREDICATE_0 ? put_place(text, "p", number - A3XX_PREDICATE_0)
               : merged                  ? put_place(text, half ? "hr" : "r", half ? number : number / 2)
               : reg >= A3XX_HALF_0      ? put_place(text, "hr", number - A3XX_HALF_0)
                                         : put_place(text, "r", number);
    *at = 0;
    return text;
}

void a3xx_uses(const struct gpucode_insn *insn, struct a3xx_set *read, struct a3xx_set *written)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const struct shader_family *family = shader_family(insn);
    unsigned count = family->accesses(insn, access);
    *read = *written = (struct a3xx_set){{0}};
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k <= family->repeat(insn); k++) {
            struct a3xx_set *set = access[i].write ? written : read;
            struct a3xx_range range = a3xx_range_of(family, &access[i], k, NULL, true);
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
