/* SPDX-License-Identifier: MIT */
/* Counts over a shader: registers, consts, textures, slots. */
#include "isa/ir3/a3xx/text/access.h"

static void set_bit(uint32_t *words, unsigned bit)
{
    words[bit / 32] |= UINT32_C(1) << bit % 32;
}

static void count_insn(void *user, struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn,
                       const struct a3xx_access *access, unsigned count)
{
    uint64_t bits = insn->bits;
    unsigned category = shader_category(bits);
    (void)user;
    if (category == 5 && !(bits & A3XX_S2EN)) {
        if (a3xx_has_letter(insn->row, 'F'))
            usage->samplers |= UINT32_C(1) << A3XX_FIELD(bits, SAMPLER);
        if (a3xx_has_letter(insn->row, 'E'))
            set_bit(usage->textures, A3XX_FIELD(bits, TEXTURE));
    }
    if (category == 6) {
        usage->reads_memory |= count && access[count - 1].write;
        usage->writes_memory |= a3xx_stores(insn->row);
    }
}

enum gpucode_status gpucode_a3xx_usage(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage)
{
    if (!image || !usage)
        return GPUCODE_ERROR_ARGUMENT;
    if (image->layout.info.target->isa != &a3xx_isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    *usage = (struct gpucode_a3xx_usage){0};
    shader_usage(&image->layout, usage, count_insn, NULL);
    shader_usage_finish(usage);
    return GPUCODE_OK;
}
