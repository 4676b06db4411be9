/* SPDX-License-Identifier: MIT */
/* Counting what instructions use: registers, consts, varyings. */
#include "isa/shader/family.h"

#define FILE_END (61 * 4) /* a0.x and what follows it are no registers of the file */

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
        if ((access->mask && !(access->mask >> i & 1)) || first + i >= FILE_END)
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

void a3xx_usage_finish(struct gpucode_a3xx_usage *usage)
{
    struct gpucode_a3xx_file *const files[] = {&usage->full, &usage->half};
    for (unsigned f = 0; f < 2; f++)
        for (unsigned i = 0; i < FILE_END; i++)
            if (has_bit(files[f]->read, i) || has_bit(files[f]->written, i)) {
                files[f]->components++;
                files[f]->vectors = i / 4 + 1;
            }
}

void a3xx_usage_add(struct gpucode_a3xx_usage *usage, const struct a3xx_access *access, unsigned count, unsigned step,
                    bool interpolates)
{
    for (unsigned i = 0; i < count; i++) {
        const struct a3xx_access *one = &access[i];
        if (one->file == A3XX_FILE_FULL || one->file == A3XX_FILE_HALF) {
            use_registers(one->file == A3XX_FILE_FULL ? &usage->full : &usage->half, one, step);
        } else if (one->file == A3XX_FILE_CONST && one->relative) {
            usage->relative_const = true;
        } else if (one->file == A3XX_FILE_CONST) {
            uint32_t end = (uint32_t)one->number + (one->steps ? step : 0) + one->count;
            usage->consts = end > usage->consts ? end : usage->consts;
            for (uint32_t at = end - one->count; at < end && at < 32 * sizeof usage->const_reads / 4; at++)
                set_bit(usage->const_reads, at);
        } else if (one->file == A3XX_FILE_IMMEDIATE && interpolates && one->source == 1 && one->number >= 0) {
            uint32_t end = (uint32_t)one->number + (one->steps ? step : 0) + 1;
            usage->varyings = end > usage->varyings ? end : usage->varyings;
            if (end <= GPUCODE_A3XX_VARYINGS)
                set_bit(usage->varying_reads, end - 1);
        }
    }
}
