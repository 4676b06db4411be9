/* SPDX-License-Identifier: MIT */
/* Counts over a shader: registers, consts, textures, slots. */
#include "isa/a3xx/text/access.h"

static void set_bit(uint32_t *words, unsigned bit)
{
    words[bit / 32] |= UINT32_C(1) << bit % 32;
}

static void count_insn(struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    if (insn->row == A3XX_RAW) {
        usage->unknown++;
        usage->slots++;
        return;
    }
    unsigned category = a3xx_category(bits), slots = a3xx_repeat(bits) + 1;
    usage->category[category]++;
    usage->slots += slots;
    usage->nops += insn->row == A3XX_NOP;
    usage->nop_slots += insn->row == A3XX_NOP ? slots : 0;
    usage->ss += category < 5 && bits & A3XX_SS;
    usage->sy += (bits & A3XX_SY) != 0;
    usage->kills |= (a3xx_marks(insn->row) & A3XX_MARK_KILL) != 0;
    usage->calls |= a3xx_flow(insn->row) == GPUCODE_FLOW_CALL;
    if (category == 5 && !(bits & A3XX_S2EN)) {
        if (a3xx_has_letter(insn->row, 'F'))
            usage->samplers |= UINT32_C(1) << A3XX_FIELD(bits, SAMPLER);
        if (a3xx_has_letter(insn->row, 'E'))
            set_bit(usage->textures, A3XX_FIELD(bits, TEXTURE));
    }
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    if (category == 6) {
        usage->reads_memory |= count && access[count - 1].write;
        usage->writes_memory |= a3xx_stores(insn->row);
    }
    for (unsigned step = 0; step < slots; step++)
        a3xx_usage_add(usage, access, count, step, a3xx_marks(insn->row) & A3XX_MARK_VARYING);
}

enum gpucode_status gpucode_a3xx_usage(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage)
{
    if (!image || !usage)
        return GPUCODE_ERROR_ARGUMENT;
    const struct gpucode_image_info *info = &image->layout.info;
    if (info->target->isa != &a3xx_isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    const unsigned char *bytes = image->layout.bytes;
    *usage = (struct gpucode_a3xx_usage){0};
    uint32_t end = info->units;
    while (end && a3xx_insn_at(info->target, bytes, end - 1).bits == 0) /* padding follows the last `end` only */
        end--;
    if (end && a3xx_flow(a3xx_insn_at(info->target, bytes, end - 1).row) == GPUCODE_FLOW_STOP)
        usage->padding = info->units - end;
    else
        end = info->units;
    usage->instructions = end;
    for (uint32_t i = 0; i < end; i++) {
        struct gpucode_insn insn = a3xx_insn_at(info->target, bytes, i);
        count_insn(usage, &insn);
    }
    a3xx_usage_finish(usage);
    return GPUCODE_OK;
}
