/* SPDX-License-Identifier: MIT */
/* Parts of struct isa that all sets of the family fill in alike; `set` is the set's prefix. */
#ifndef ISA_IR3_SET_H
#define ISA_IR3_SET_H

#include "isa/ir3/family.h"

/* Names of spaces from GPUCODE_SPACE_COUNT on: enum gpucode_a3xx_space, which that of later generations begins with. */
#define SHADER_SPACE_NAMES "half", "const", "varying", "varying-i", "varying-j", "flat", "texture", "flags"

#define SHADER_SET(set)                                                                                                \
    .name = #set, .manual = set##_manual, .accuracy = a3xx_accuracy, .unit_bytes = 8, .assembler = &set##_assembler,   \
    .machine = &set##_machine,                                                                                         \
    .facts = {.calls = true, .float_registers = true, .threads = true, .fixed_size = true, .whole_code = true},        \
    .timing = {.lint = &shader_lint, .schedule = &shader_schedule, .cost = issue_cost, .families = set##_families}

#define SHADER_TARGETS .generations = generations, .list = targets, .count = sizeof targets / sizeof *targets

#define SHADER_TEXT(set)                                                                                               \
    .rows = &set##_rows, .operand_classes = set##_kinds, .print = set##_rows_text, .parse = set##_rows_parse,          \
    .old_names = old_names, .refine = set##_refine, .space_names = space_names, .comment = set##_comment

/* How near results of shaders' instructions are to what their rows say. */

/* Of the row with that action: a sentence, and who says so; null: the action has a name that the table lacks. */
const char *a3xx_accuracy(const char *action);

#endif
