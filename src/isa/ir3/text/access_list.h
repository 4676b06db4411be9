/* SPDX-License-Identifier: MIT */
/* Lists of what an instruction reads and writes, as sets of the family make them. */
#ifndef ISA_IR3_TEXT_ACCESS_LIST_H
#define ISA_IR3_TEXT_ACCESS_LIST_H

#include "isa/ir3/family.h"

struct shader_list {
    struct a3xx_access *access;
    unsigned count;
};

/* `count` components from a register on, whose number is as fields have it, in the file that `half` means. */
static inline struct a3xx_access shader_register(unsigned number, bool half, unsigned count)
{
    struct a3xx_access access = {.count = (uint8_t)count, .half = half, .number = (int32_t)number};
    bool special = number >= A3XX_A0 && number < A3XX_R63;
    access.file = !special           ? (half ? A3XX_FILE_HALF : A3XX_FILE_FULL)
                  : number < A3XX_P0 ? A3XX_FILE_ADDRESS
                                     : A3XX_FILE_PREDICATE;
    if (special) {
        access.number = (int32_t)number & 3;
        access.count = 1;
        access.half = false;
    }
    return access;
}

/* A register or const at a distance from a0.x. */
static inline struct a3xx_access shader_relative(enum a3xx_register_file file, int32_t offset, bool half)
{
    return (struct a3xx_access){.file = file, .number = offset, .count = 1, .half = half, .relative = true};
}

static inline struct a3xx_access shader_const(unsigned number, bool half)
{
    return (struct a3xx_access){.file = A3XX_FILE_CONST, .number = (int32_t)number, .count = 1, .half = half};
}

static inline struct a3xx_access shader_number(int32_t value, bool half)
{
    return (struct a3xx_access){.file = A3XX_FILE_IMMEDIATE, .number = value, .count = 1, .half = half};
}

/* The result of a move. */
static inline struct a3xx_access shader_moved(unsigned number, bool half, bool relative)
{
    return relative ? shader_relative(half ? A3XX_FILE_HALF : A3XX_FILE_FULL, (int32_t)number, half)
                    : shader_register(number, half, 1);
}

/* r63.x is no register. */
static inline void shader_add(struct shader_list *list, struct a3xx_access access)
{
    bool none = (access.file == A3XX_FILE_FULL || access.file == A3XX_FILE_HALF) && !access.relative &&
                access.number >= A3XX_R63;
    if (!none && access.count && list->count < A3XX_ACCESS_MAX)
        list->access[list->count++] = access;
}

static inline void shader_add_source(struct shader_list *list, struct a3xx_access access, char letter, unsigned source,
                                     bool steps)
{
    access.letter = letter;
    access.source = (uint8_t)source;
    access.steps = steps;
    shader_add(list, access);
}

static inline void shader_add_result(struct shader_list *list, struct a3xx_access access, char letter, bool steps)
{
    access.letter = letter;
    access.write = true;
    access.steps = steps;
    shader_add(list, access);
}

/* Space and number of an access, as the machine has them. */
static inline uint32_t shader_place_of(const struct a3xx_access *access, unsigned *space)
{
    static const uint8_t spaces[] = {[A3XX_FILE_FULL] = GPUCODE_A3XX_FULL,
                                     [A3XX_FILE_HALF] = GPUCODE_A3XX_HALF,
                                     [A3XX_FILE_CONST] = GPUCODE_A3XX_CONST,
                                     [A3XX_FILE_ADDRESS] = GPUCODE_A3XX_FULL,
                                     [A3XX_FILE_PREDICATE] = GPUCODE_A3XX_FULL};
    *space = spaces[access->file];
    return (uint32_t)access->number + (access->file == A3XX_FILE_ADDRESS     ? A3XX_A0
                                       : access->file == A3XX_FILE_PREDICATE ? A3XX_P0
                                                                             : 0);
}

/* Varyings that bary.f and its like read: a number, or what a register says. */
static inline void shader_add_varyings(const struct a3xx_access *location, unsigned repeat, struct isa_effects *effects)
{
    struct gpucode_effect effect = {.use = GPUCODE_USE_READ, .space = GPUCODE_A3XX_VARYING, .operand = -1};
    if (location->file == A3XX_FILE_IMMEDIATE && location->number >= 0) {
        effect.number = (uint32_t)location->number;
        effect.count = (uint16_t)(1 + (location->steps ? repeat : 0));
        effect.known = true;
    }
    isa_add_effect(effects, effect);
}

#endif
