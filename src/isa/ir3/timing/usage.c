/* SPDX-License-Identifier: MIT */
/* Counting what instructions use: registers, consts, varyings; of a4xx on the waves that these leave room for, too. */
#include "isa/ir3/text/access.h"
#include "isa/ir3/timing/delay.h"
#include "isa/layout.h"

#include "base/text.h"

#include <gpucode/ir3.h>

#define CONST_UNIT 4 /* vectors: consts are uploaded by four */

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

void shader_usage_finish(struct gpucode_a3xx_usage *usage)
{
    struct gpucode_a3xx_file *const files[] = {&usage->full, &usage->half};
    for (unsigned f = 0; f < 2; f++)
        for (unsigned i = 0; i < A3XX_A0; i++)
            if (has_bit(files[f]->read, i) || has_bit(files[f]->written, i)) {
                files[f]->components++;
                files[f]->vectors = i / 4 + 1;
            }
}

/* One step of an instruction; `interpolates`: its first source is the number of a varying. */
static void add_step(struct gpucode_a3xx_usage *usage, const struct a3xx_access *access, unsigned count, unsigned step,
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
            if (number >= SHADER_SHARED)
                continue;
            bool seen = half ? has_bit(before[0].written, number / 2)
                             : 2 * number < SHADER_SHARED && (has_bit(before[1].written, 2 * number) ||
                                                              has_bit(before[1].written, 2 * number + 1));
            struct gpucode_a3xx_file *file = half ? &usage->half : &usage->full;
            if (seen)
                set(file->inputs, number, has_bit(before[half].inputs, number));
            if (half)
                set(usage->full.outputs, number / 2, false);
            for (unsigned part = 0; part < 2 && !half && 2 * number < SHADER_SHARED; part++)
                set(usage->half.outputs, 2 * number + part, false);
        }
    }
}

static void add_insn(struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn, shader_count *own, void *user)
{
    if (shader_is_raw(insn)) {
        usage->unknown++;
        usage->slots++;
        return;
    }
    const struct shader_family *family = shader_family(insn);
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = family->accesses(insn, access), category = shader_category(insn->bits);
    unsigned steps = shader_repeat(insn) + 1;
    uint32_t marks = shader_marks(insn);
    if (category < sizeof usage->category / sizeof *usage->category)
        usage->category[category]++;
    usage->slots += steps;
    usage->nops += shader_is_nop(insn);
    usage->nop_slots += shader_is_nop(insn) ? steps : 0;
    usage->ss += shader_takes_ss(insn) && insn->bits & SHADER_SS;
    usage->sy += (insn->bits & SHADER_SY) != 0;
    usage->kills |= (marks & SHADER_KILL) != 0;
    usage->calls |= shader_flow(insn) == GPUCODE_FLOW_CALL;
    own(user, usage, insn, access, count);
    for (unsigned step = 0; step < steps; step++) {
        struct gpucode_a3xx_file before[2];
        if (family->mixed) {
            before[0] = usage->full;
            before[1] = usage->half;
        }
        add_step(usage, access, count, step, marks & SHADER_VARYING);
        if (family->mixed)
            look_through(usage, before, access, count, step);
    }
}

static struct gpucode_insn insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t word = text_load64(&bytes[8 * (size_t)index]);
    int row = isa_row_of(target, word);
    return (struct gpucode_insn){.target = target, .bits = word, .address = index, .row = (uint16_t)row, .size = 8};
}

void shader_usage(const struct isa_layout *layout, struct gpucode_a3xx_usage *usage, shader_count *own, void *user)
{
    const struct gpucode_image_info *info = &layout->info;
    struct gpucode_insn insn;
    uint32_t end = info->units;
    while (end && !text_load64(&layout->bytes[8 * (size_t)(end - 1)])) /* padding follows the last `end` only */
        end--;
    if (end)
        insn = insn_at(info->target, layout->bytes, end - 1);
    usage->instructions = end && shader_flow(&insn) == GPUCODE_FLOW_STOP ? end : info->units;
    usage->padding = info->units - usage->instructions;
    for (uint32_t i = 0; i < usage->instructions; i++) {
        insn = insn_at(info->target, layout->bytes, i);
        add_insn(usage, &insn, own, user);
    }
}

/* --- of a4xx on --------------------------------------------------------------------------------------------------- */

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
    unsigned category = shader_category(insn->bits), idle = ir3_nops(insn->bits);
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
