/* SPDX-License-Identifier: MIT */
/* Counts over a shader of ir3, and the waves that its registers leave room for. */
#include "isa/ir3/text/access.h"

#include <gpucode/ir3.h>

#define CONST_UNIT 4 /* vectors: consts are uploaded by four */

static void count_texture(struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    uint32_t marks = ir3_row(insn)->marks;
    if (bits & IR3_LOOK_INDIRECT)
        return;
    if (marks & IR3_MARK_SAMPLER)
        usage->samplers |= UINT32_C(1) << ir3_bits(bits, 24, 21);
    if (marks & IR3_MARK_TEXTURE)
        usage->textures[ir3_bits(bits, 31, 25) / 32] |= UINT32_C(1) << ir3_bits(bits, 31, 25) % 32;
}

static void count_memory(struct gpucode_a3xx_usage *usage, const struct isa_row *row)
{
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_MEMORY) {
            usage->reads_memory |= (row->effects[i].use & GPUCODE_USE_READ) != 0;
            usage->writes_memory |= (row->effects[i].use & GPUCODE_USE_WRITE) != 0;
        }
}

static void count_insn(void *user, struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn,
                       const struct a3xx_access *access, unsigned count)
{
    struct gpucode_ir3_usage *all = user;
    unsigned category = ir3_category(insn->bits), idle = ir3_nops(insn->bits);
    (void)access, (void)count;
    all->barriers += category == 7;
    usage->slots += idle;
    usage->nop_slots += idle;
    all->idle_slots += idle;
    all->joins += (insn->bits & IR3_JP) != 0;
    all->branches += shader_flow(insn) == GPUCODE_FLOW_BRANCH || shader_flow(insn) == GPUCODE_FLOW_JUMP;
    if (category == 5)
        count_texture(usage, insn);
    if (category == 6)
        count_memory(usage, ir3_row(insn));
}

/* Registers that the wave has once: 32 of them, and none of the others has their numbers. */
static void count_shared(struct gpucode_ir3_usage *usage)
{
    struct gpucode_a3xx_file *const files[] = {&usage->shader.full, &usage->shader.half};
    for (unsigned f = 0; f < 2; f++) {
        uint32_t used = files[f]->read[IR3_SHARED / 32] | files[f]->written[IR3_SHARED / 32];
        unsigned last = used ? 32 - (unsigned)__builtin_clz(used) : 0;
        unsigned vectors = f ? (last + 7) / 8 : (last + 3) / 4;
        usage->shared = vectors > usage->shared ? vectors : usage->shared;
        for (unsigned i = IR3_SHARED / 32; i < 8; i++)
            files[f]->read[i] = files[f]->written[i] = files[f]->inputs[i] = files[f]->outputs[i] = 0;
    }
}

static unsigned waves_of(const struct ir3_chip *chip, unsigned registers)
{
    unsigned waves = registers ? chip->vectors / registers * chip->step : chip->waves;
    return waves < chip->waves ? waves : chip->waves;
}

enum gpucode_status gpucode_ir3_usage(const struct gpucode_image *image, struct gpucode_ir3_usage *usage)
{
    if (!image || !usage)
        return GPUCODE_ERROR_ARGUMENT;
    const struct gpucode_image_info *info = &image->layout.info;
    if (info->target->isa != &ir3_isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    *usage = (struct gpucode_ir3_usage){0};
    shader_usage(&image->layout, &usage->shader, count_insn, usage);
    count_shared(usage);
    shader_usage_finish(&usage->shader);
    const struct ir3_chip *chip = ir3_chip(info->target);
    unsigned full = usage->shader.full.vectors, half = (usage->shader.half.vectors + 1) / 2;
    bool merged = info->target->generation >= IR3_A6XX;
    usage->registers = merged && half > full ? half : full;
    usage->constlen = ((usage->shader.consts + 3) / 4 + CONST_UNIT - 1) / CONST_UNIT * CONST_UNIT;
    usage->waves = waves_of(chip, usage->registers);
    usage->double_waves = waves_of(chip, 2 * usage->registers);
    return GPUCODE_OK;
}
