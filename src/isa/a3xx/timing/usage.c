/* SPDX-License-Identifier: MIT */
/* Counts over a shader: registers, consts, textures, slots. */
#include "isa/a3xx/text/access.h"
#include <gpucode/a3xx.h>

static void set_bit(uint32_t *words, unsigned bit)
{
    words[bit / 32] |= UINT32_C(1) << bit % 32;
}

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

static void use_registers(struct gpucode_a3xx_file *file, const struct a3xx_access *access, unsigned step)
{
    if (access->relative) {
        file->relative = true;
        return;
    }
    unsigned first = (unsigned)access->number + (access->steps ? step : 0);
    for (unsigned i = 0; i < access->count; i++) {
        if ((access->mask && !(access->mask >> i & 1)) || first + i >= A3XX_A0)
            continue;
        if (!access->write && !has_bit(file->written, first + i))
            set_bit(file->inputs, first + i);
        set_bit(access->write ? file->written : file->read, first + i);
        if (access->write)
            set_bit(file->outputs, first + i);
        else
            file->outputs[(first + i) / 32] &= ~(UINT32_C(1) << (first + i) % 32);
    }
}

static void count_file(struct gpucode_a3xx_file *file)
{
    for (unsigned i = 0; i < A3XX_A0; i++)
        if (has_bit(file->read, i) || has_bit(file->written, i)) {
            file->components++;
            file->vectors = i / 4 + 1;
        }
}

static void count_accesses(struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn, unsigned step)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    for (unsigned i = 0; i < count; i++) {
        const struct a3xx_access *one = &access[i];
        if (one->file == A3XX_FILE_FULL || one->file == A3XX_FILE_HALF) {
            use_registers(one->file == A3XX_FILE_FULL ? &usage->full : &usage->half, one, step);
        } else if (one->file == A3XX_FILE_CONST && one->relative) {
            usage->relative_const = true;
        } else if (one->file == A3XX_FILE_CONST) {
            uint32_t end = (uint32_t)one->number + (one->steps ? step : 0) + 1;
            usage->consts = end > usage->consts ? end : usage->consts;
            if (end <= 32 * sizeof usage->const_reads / sizeof *usage->const_reads)
                set_bit(usage->const_reads, end - 1);
        } else if (one->file == A3XX_FILE_IMMEDIATE && a3xx_marks(insn->row) & A3XX_MARK_VARYING && one->source == 1 &&
                   one->number >= 0) {
            uint32_t end = (uint32_t)one->number + (one->steps ? step : 0) + 1;
            usage->varyings = end > usage->varyings ? end : usage->varyings;
            if (end <= GPUCODE_A3XX_VARYINGS)
                set_bit(usage->varying_reads, end - 1);
        }
    }
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
    if (category == 6) {
        struct a3xx_access access[A3XX_ACCESS_MAX];
        unsigned count = a3xx_accesses(insn, access);
        usage->reads_memory |= count && access[count - 1].write;
        usage->writes_memory |= a3xx_stores(insn->row);
    }
    for (unsigned step = 0; step < slots; step++)
        count_accesses(usage, insn, step);
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
    count_file(&usage->full);
    count_file(&usage->half);
    return GPUCODE_OK;
}
