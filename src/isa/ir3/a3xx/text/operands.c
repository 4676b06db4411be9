/* SPDX-License-Identifier: MIT */
/* The operand kinds in the order of the letters in rows.h; the functions stand in the files of this folder, by idea. */
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"
#include "isa/scan.h"

/* Immediates of category 2: 11 bits with sign; parse_source() puts them into their field itself. */
static void a3xx_range_immediate(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = A3XX_SOURCE_INTEGER_MIN;
    *high = A3XX_SOURCE_INTEGER_MAX;
}

#define a3xx_store_immediate NULL
#define a3xx_store_signed NULL
#define a3xx_store_target shader_store_target
#define a3xx_range_target shader_range_target
#define a3xx_store_plain NULL
#define a3xx_range_plain NULL

/* The roles of rows.h: type, use and space of struct isa_operand_class, and what completes an operand. */
#define ROLE_modifier GPUCODE_OPERAND_MODIFIER, 0, 0, NULL
#define ROLE_value GPUCODE_OPERAND_VALUE, 0, 0, NULL
#define ROLE_offset GPUCODE_OPERAND_VALUE, 0, 0, a3xx_resolve_offset
#define ROLE_target GPUCODE_OPERAND_TARGET, 0, 0, a3xx_resolve_target
#define ROLE_read GPUCODE_OPERAND_REGISTER, GPUCODE_USE_READ, 0, NULL
#define ROLE_predicate ROLE_read
#define ROLE_written GPUCODE_OPERAND_REGISTER, GPUCODE_USE_WRITE, 0, NULL
#define ROLE_used GPUCODE_OPERAND_REGISTER, 0, 0, NULL

const struct isa_operand_class a3xx_kinds[] = {
#define OPERAND(letter, name, role, functions, range)                                                                  \
    {name, a3xx_print_##functions, a3xx_parse_##functions, a3xx_store_##range, a3xx_range_##range, false, ROLE_##role},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};

/* Flags that are seldom set: (even), (ei). */
#define READ_FLAG(name)                                                                                                \
    static inline A3XX_READ(name)                                                                                      \
    {                                                                                                                  \
        return at != scan->end && *at > '(' ? at : isa_read_by(a3xx_parse_##name, at, scan, build, field);             \
    }
READ_FLAG(rounding)
READ_FLAG(end_input)
#undef READ_FLAG

/* Operands that A3XX_PARSE() alone reads. */
#define READ_BY(name)                                                                                                  \
    static inline A3XX_READ(name)                                                                                      \
    {                                                                                                                  \
        return isa_read_by(a3xx_parse_##name, at, scan, build, field);                                                 \
    }
READ_BY(access)
READ_BY(access_components)
READ_BY(address)
READ_BY(atomic_first)
READ_BY(atomic_second)
READ_BY(comma)
READ_BY(components)
READ_BY(condition)
READ_BY(coordinates)
READ_BY(data)
READ_BY(factor_width)
READ_BY(flags)
READ_BY(half_address)
READ_BY(load_offset)
READ_BY(masked_destination)
READ_BY(offsets)
READ_BY(old_type)
READ_BY(parameters)
READ_BY(short_offset)
READ_BY(slot)
READ_BY(store_offset)
READ_BY(texture_destination)
READ_BY(texture_flags)
READ_BY(texture_index)
READ_BY(type)
READ_BY(type_suffix)
READ_BY(word)
#undef READ_BY

/* a3xx_rows_text and a3xx_rows_parse: rows as functions, of the functions of this folder */
#define ROW_PRINT(name) a3xx_print_##name
#define ROW_READ(name, at, scan, build, field) a3xx_read_##name(at, scan, build, field)
#include "a3xx_texts.inc"
