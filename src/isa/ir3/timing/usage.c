/* SPDX-License-Identifier: MIT */
/* Counts over a shader of ir3, and the waves that its registers leave room for. */
#include "isa/ir3/text/access.h"

#include "base/text.h"

#include <gpucode/ir3.h>

#define CONST_UNIT 4 /* vectors: consts are uploaded by four */

static struct gpucode_insn insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t word = text_load64(&bytes[8 * (size_t)index]);
    int row = ir3_refine(target, isa_decode_row(&ir3_rows, target->generation, word), word);
    return (struct gpucode_insn){.target = target, .bits = word, .address = index, .row = (uint16_t)row, .size = 8};
}

static bool is_end(const struct gpucode_insn *insn)
{
    return ir3_row(insn)->flow == GPUCODE_FLOW_STOP;
}

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

static bool has(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

static void set(uint32_t *words, unsigned bit, bool value)
{
    words[bit / 32] = (words[bit / 32] & ~(UINT32_C(1) << bit % 32)) | (uint32_t)value << bit % 32;
}

/*
 * Where half registers are parts of full ones, a read sees what was written by the other name, so that this is neither
 * an input nor an output. `before` is the usage before the instruction.
 */
static void look_through(struct gpucode_a3xx_usage *usage, const struct gpucode_a3xx_file before[2],
                         const struct a3xx_access *access, unsigned count, unsigned step)
{
    for (unsigned i = 0; i < count; i++) {
        bool half = access[i].file == A3XX_FILE_HALF;
        if (access[i].write || access[i].relative || (access[i].file != A3XX_FILE_FULL && !half))
            continue;
        for (unsigned k = 0; k < access[i].count; k++) {
            unsigned number = (unsigned)access[i].number + (access[i].steps ? step : 0) + k;
            if (number >= IR3_SHARED)
                continue;
            bool seen = half ? has(before[0].written, number / 2)
                             : 2 * number < IR3_SHARED &&
                                   (has(before[1].written, 2 * number) || has(before[1].written, 2 * number + 1));
            struct gpucode_a3xx_file *file = half ? &usage->half : &usage->full;
            if (seen)
                set(file->inputs, number, has(before[half].inputs, number));
            if (half)
                set(usage->full.outputs, number / 2, false);
            for (unsigned part = 0; part < 2 && !half && 2 * number < IR3_SHARED; part++)
                set(usage->half.outputs, 2 * number + part, false);
        }
    }
}

static void count_insn(struct gpucode_ir3_usage *all, const struct gpucode_insn *insn)
{
    struct gpucode_a3xx_usage *usage = &all->shader;
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned category = ir3_category(insn->bits), steps = ir3_steps(insn), count = ir3_accesses(insn, access);
    if (insn->row == IR3_RAW) {
        usage->unknown++;
        usage->slots++;
        return;
    }
    *(category < 7 ? &usage->category[category] : &all->barriers) += 1;
    usage->slots += steps + ir3_nops(insn->bits);
    all->idle_slots += ir3_nops(insn->bits);
    usage->nops += insn->row == IR3_NOP;
    usage->nop_slots += (insn->row == IR3_NOP ? steps : 0) + ir3_nops(insn->bits);
    usage->ss += (category < 5 || category == 7) && insn->bits & IR3_SS;
    usage->sy += (insn->bits & IR3_SY) != 0;
    all->joins += (insn->bits & IR3_JP) != 0;
    all->branches += ir3_row(insn)->flow == GPUCODE_FLOW_BRANCH || ir3_row(insn)->flow == GPUCODE_FLOW_JUMP;
    usage->kills |= insn->row == IR3_KILL;
    usage->calls |= ir3_row(insn)->flow == GPUCODE_FLOW_CALL;
    if (category == 5)
        count_texture(usage, insn);
    if (category == 6)
        count_memory(usage, ir3_row(insn));
    for (unsigned step = 0; step < steps; step++) {
        const struct gpucode_a3xx_file before[2] = {usage->full, usage->half};
        a3xx_usage_add(usage, access, count, step, insn->row == IR3_BARY_F || insn->row == IR3_FLAT_B);
        if (insn->target->generation >= IR3_A6XX)
            look_through(usage, before, access, count, step);
    }
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
    *usage = (struct gpucode_ir3_usage){.shader = {.instructions = info->units}};
    uint32_t end = info->units;
    while (end && !text_load64(&image->layout.bytes[8 * (size_t)(end - 1)])) /* padding follows the last `end` only */
        end--;
    struct gpucode_insn insn;
    if (end) {
        insn = insn_at(info->target, image->layout.bytes, end - 1);
        usage->shader.instructions = is_end(&insn) ? end : info->units;
    }
    usage->shader.padding = info->units - usage->shader.instructions;
    for (uint32_t i = 0; i < usage->shader.instructions; i++) {
        insn = insn_at(info->target, image->layout.bytes, i);
        count_insn(usage, &insn);
    }
    count_shared(usage);
    a3xx_usage_finish(&usage->shader);
    const struct ir3_chip *chip = ir3_chip(info->target);
    unsigned full = usage->shader.full.vectors, half = (usage->shader.half.vectors + 1) / 2;
    bool merged = info->target->generation >= IR3_A6XX;
    usage->registers = merged && half > full ? half : full;
    usage->constlen = ((usage->shader.consts + 3) / 4 + CONST_UNIT - 1) / CONST_UNIT * CONST_UNIT;
    usage->waves = waves_of(chip, usage->registers);
    usage->double_waves = waves_of(chip, 2 * usage->registers);
    return GPUCODE_OK;
}
