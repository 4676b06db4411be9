/* SPDX-License-Identifier: MIT */
/* Instructions of a shader's bytes. */
#include "base/text.h"
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/text/access.h"

struct gpucode_insn a3xx_insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t reserved;
    return a3xx_insn_known(target, bytes, index, &reserved);
}

struct gpucode_insn a3xx_insn_known(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index,
                                    uint64_t *reserved)
{
    uint64_t word = text_load64(&bytes[8 * (size_t)index]);
    int row = isa_decode_row(&a3xx_rows, 0, word);
    if (row < 0 || !a3xx_explain(&a3xx_rows.rows[row], word, reserved)) {
        row = A3XX_RAW;
        *reserved = 0;
    }
    return (struct gpucode_insn){.target = target, .bits = word, .address = index, .row = (uint16_t)row, .size = 8};
}

/* --- the steps of a repeat, each as the instruction that it amounts to -------------------------------------------- */

static uint64_t add_to(uint64_t bits, unsigned shift, unsigned width, unsigned step)
{
    uint64_t mask = ((UINT64_C(1) << width) - 1) << shift;
    return (bits & ~mask) | ((bits + ((uint64_t)step << shift)) & mask);
}

/* Steps a source of category 1 to 4 that lies at `shift`. */
static uint64_t step_source(uint64_t bits, unsigned shift, unsigned source, unsigned step)
{
    unsigned width = a3xx_stepping_width(a3xx_form(source));
    return width ? add_to(bits, shift, width, step) : bits;
}

static uint64_t step_move(uint64_t bits, unsigned step)
{
    if (!A3XX_FIELD(bits, FROM_IMMEDIATE))
        return step_source(bits, A3XX_MOVE_SOURCE_SHIFT, a3xx_move_source(bits), step);
    bool half = a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, FROM_TYPE));
    return add_to(bits, A3XX_MOVE_SOURCE_SHIFT, half ? 16 : 32, step);
}

static uint64_t step_mad(uint64_t bits, unsigned step)
{
    if (A3XX_FIELD(bits, FIRST_STEPS))
        bits = step_source(bits, A3XX_MAD_FIRST_SHIFT, A3XX_FIELD(bits, MAD_FIRST), step);
    if (A3XX_FIELD(bits, MAD_SECOND_STEPS))
        bits = add_to(bits, A3XX_MAD_SECOND_SHIFT, A3XX_MAD_SECOND_WIDTH, step);
    if (A3XX_FIELD(bits, MAD_THIRD_STEPS))
        bits = step_source(bits, A3XX_MAD_THIRD_SHIFT, A3XX_FIELD(bits, MAD_THIRD), step);
    return bits;
}

uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step)
{
    uint64_t bits = insn->bits & ~(A3XX_SY | A3XX_JP);
    unsigned category = shader_category(bits);
    if (category > 4)
        return bits;
    if (category == 0)
        return bits & ~(A3XX_SS | A3XX_MASK(FLOW_REPEAT));
    bits &= ~(A3XX_SS | A3XX_UL | A3XX_MASK(REPEAT));
    if (category == 1) {
        bits = add_to(bits, A3XX_MOVE_RESULT_SHIFT, A3XX_MOVE_RESULT_WIDTH, step);
        return A3XX_FIELD(bits, FIRST_STEPS) ? step_move(bits, step) : bits;
    }
    bits = add_to(bits, A3XX_RESULT_SHIFT, A3XX_RESULT_WIDTH, step);
    if (category == 3)
        return step_mad(bits, step);
    if (A3XX_FIELD(bits, FIRST_STEPS))
        bits = step_source(bits, A3XX_FIRST_SHIFT, A3XX_FIELD(bits, FIRST), step);
    if (category == 2 && A3XX_FIELD(bits, SECOND_STEPS))
        bits = step_source(bits, A3XX_SECOND_SHIFT, A3XX_FIELD(bits, SECOND), step);
    return bits;
}

/* --- files: they have no header, and are instructions from the first byte to the last ----------------------------- */

enum gpucode_status a3xx_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options)
{
    if (!options->target) /* the bytes do not show it */
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    if (!section)
        return GPUCODE_ERROR_MEMORY;
    layout->info.layout = "raw words";
    layout->info.units = (uint32_t)(layout->size / 8);
    layout->info.tail = (uint32_t)(layout->size % 8);
    *section = (struct gpucode_section){
        .name = "code", .size = layout->info.units, .table = GPUCODE_NONE, .start_source = "start of the file"};
    layout->info.sections = section;
    layout->info.section_count = layout->info.units ? 1 : 0;
    return GPUCODE_OK;
}
