/* SPDX-License-Identifier: MIT */
/* The operand kinds in the order of the letters in rows.h; the functions stand in the files of this folder, by idea. */
#include "isa/a3xx/a3xx.h"

/* Immediates of category 2: 11 bits with sign; parse_source() puts them into their field itself. */
static void a3xx_range_immediate(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = -1024;
    *high = 1023;
}

#define a3xx_store_immediate NULL
#define a3xx_store_plain NULL
#define a3xx_range_plain NULL

const struct isa_operand_class a3xx_kinds[] = {
#define OPERAND(letter, name, functions, range)                                                                        \
    {name, a3xx_print_##functions, a3xx_parse_##functions, a3xx_store_##range, a3xx_range_##range},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};
