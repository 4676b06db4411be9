/* SPDX-License-Identifier: MIT */
/* The public record of an instruction: what its operands are, and what it reads and writes that the text does not name.
 */
#include "isa/ir3/a3xx/text/access.h"

#include <gpucode/a3xx.h>

/* Space and number of an access, as the machine has them. */
static void place_register(const struct a3xx_access *access, struct gpucode_operand *operand)
{
    static const uint8_t spaces[] = {[A3XX_FILE_FULL] = GPUCODE_A3XX_FULL,
                                     [A3XX_FILE_HALF] = GPUCODE_A3XX_HALF,
                                     [A3XX_FILE_CONST] = GPUCODE_A3XX_CONST,
                                     [A3XX_FILE_ADDRESS] = GPUCODE_A3XX_FULL,
                                     [A3XX_FILE_PREDICATE] = GPUCODE_A3XX_FULL};
    operand->space = spaces[access->file];
    operand->number = (uint32_t)access->number + (access->file == A3XX_FILE_ADDRESS     ? A3XX_A0
                                                  : access->file == A3XX_FILE_PREDICATE ? A3XX_P0
                                                                                        : 0);
    operand->value = (int32_t)operand->number;
}

static void resolve_immediate(const struct a3xx_access *access, struct gpucode_operand *operand)
{
    operand->type = GPUCODE_OPERAND_VALUE;
    operand->use = GPUCODE_USE_NONE;
    operand->value = access->table ? (int64_t)shader_entry_bits((unsigned)access->number) : access->number;
}

A3XX_RESOLVE(registers)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access), i = 0;
    while (i < count && access[i].letter != field->letter)
        i++;
    operand->space = GPUCODE_A3XX_FULL;
    if (i == count) { /* r63, or a part of the text that this instruction leaves out */
        operand->count = 0;
        return;
    }
    if (access[i].file == A3XX_FILE_IMMEDIATE) {
        resolve_immediate(&access[i], operand);
        return;
    }
    place_register(&access[i], operand);
    operand->count = (uint16_t)(access[i].count + (access[i].steps ? a3xx_repeat(insn->bits) : 0));
    operand->mask = access[i].mask;
    operand->known = !access[i].relative;
    operand->indirect = access[i].relative;
}

A3XX_RESOLVE(offset)
{
    operand->value = field->letter == 'O' ? a3xx_store_offset(insn->bits)
                                          : shader_signed((unsigned)isa_field_get(field, insn->bits), field->width);
}

A3XX_RESOLVE(target)
{
    (void)field;
    operand->value = (int64_t)insn->address + a3xx_branch_offset(insn->bits);
    operand->known = operand->value >= 0;
}

/* Varyings that bary.f reads: a number, or what a register says. */
static void add_varyings(const struct a3xx_access *location, unsigned repeat, struct isa_effects *effects)
{
    struct gpucode_effect effect = {.use = GPUCODE_USE_READ, .space = GPUCODE_A3XX_VARYING, .operand = -1};
    if (location->file == A3XX_FILE_IMMEDIATE && location->number >= 0) {
        effect.number = (uint32_t)location->number;
        effect.count = (uint16_t)(1 + (location->steps ? repeat : 0));
        effect.known = true;
    }
    isa_add_effect(effects, effect);
}

/* The texture's state: of that which the word names, or of any. */
static void add_texture_state(uint64_t bits, struct isa_effects *effects)
{
    struct gpucode_effect effect = {.use = GPUCODE_USE_READ, .space = GPUCODE_A3XX_TEXTURE, .operand = -1};
    if (!(bits & A3XX_S2EN) && A3XX_FIELD(bits, TEXTURE) < GPUCODE_A3XX_TEXTURES) {
        effect.number = GPUCODE_A3XX_TEXTURE_FIELDS * A3XX_FIELD(bits, TEXTURE);
        effect.count = GPUCODE_A3XX_TEXTURE_FIELDS;
        effect.known = true;
    }
    isa_add_effect(effects, effect);
}

void a3xx_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    for (unsigned i = 0; i < count; i++)
        if (access[i].file == A3XX_FILE_ADDRESS && !access[i].letter && !access[i].write)
            isa_add_effect(effects, (struct gpucode_effect){.use = GPUCODE_USE_READ,
                                                            .space = GPUCODE_A3XX_FULL,
                                                            .number = A3XX_A0,
                                                            .count = 1,
                                                            .known = true,
                                                            .operand = -1});
    if (a3xx_marks(insn->row) & SHADER_MARK_VARYING)
        add_varyings(&access[0], a3xx_repeat(insn->bits), effects);
    if (a3xx_has_letter(insn->row, 'E'))
        add_texture_state(insn->bits, effects);
    for (unsigned i = 0; i < effects->count && a3xx_marks(insn->row) & SHADER_MARK_KILL; i++)
        effects->effects[i].maybe |= effects->effects[i].space == GPUCODE_A3XX_FLAGS;
}
