/* SPDX-License-Identifier: MIT */
/* The rows of insn.def as tools/rowc.c compiled them, and what they cannot say. */
#include "isa/mme/mme.h"

#include "mme_rows.inc"

bool mme_is_branch(int row)
{
    return row == MME_BRA || row == MME_BRAZ || row == MME_BRANZ;
}

/* Which operations know of the carry stands in operation.def. */
void mme_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects)
{
    static const uint8_t uses[32] = {
#define OPERATION(number, name, carry, ...) [number] = carry,
#include "isa/mme/text/operation.def"
#undef OPERATION
    };
    if ((insn->bits & 7) != 0)
        return;
    uint8_t use = uses[mme_operation((uint32_t)insn->bits)];
    if (use)
        isa_add_effect(
            effects,
            (struct gpucode_effect){
                .use = use, .space = MME_SPACE_SPECIAL, .number = MME_CARRY, .count = 1, .known = true, .operand = -1});
}

/* "l12", the labels that listings make up. */
bool mme_default_label(const char *name, size_t length, int64_t *address)
{
    if (length < 2 || length > 9 || name[0] != 'l')
        return false;
    *address = 0;
    for (size_t i = 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        *address = *address * 10 + (name[i] - '0');
    }
    return true;
}

enum isa_label_use mme_label_use(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                 const struct gpucode_names *names, const char *name, size_t length)
{
    int64_t address;
    (void)layout;
    (void)section;
    (void)unit;
    (void)names;
    return mme_default_label(name, length, &address) ? ISA_LABEL_MADE_UP : ISA_LABEL_FREE;
}

bool mme_own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    if (length < 3 || text[0] != '$' || text[1] != 'r')
        return false;
    for (size_t i = 2; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    *space = GPUCODE_SPACE_GENERAL;
    *number = length == 3 && text[2] < '0' + MME_REGISTERS ? (uint32_t)(text[2] - '0') : UINT32_MAX;
    return true;
}
