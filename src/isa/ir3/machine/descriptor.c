/* SPDX-License-Identifier: MIT */
/* Buffers and images by their slots, or by bindless descriptors in memory. */
#include "isa/ir3/machine/access.h"

/* The number of the base in words of category 6. */
static unsigned base_number(const struct ir3_op *op)
{
    return ir3_bits(op->insn.bits, 3, 1);
}

bool ir3_find_descriptor(struct ir3_run *run, const struct ir3_op *op, unsigned number, uint32_t slot,
                         uint64_t *address)
{
    const uint32_t *word = run->state->bindless[number];
    uint64_t base = word[0] | (uint64_t)word[1] << 32;
    *address = (base & ~UINT64_C(3)) + (uint64_t)slot * (8u << (base & 3));
    if (!(base & ~UINT64_C(3)))
        IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_BINDLESS, ir3_mnemonic(op), number);
    return !run->halted;
}

/* What typed accesses convert to and from; GPUCODE_IR3_FORMATS: the machine has no such format. */
static uint32_t format_of_image(const uint32_t *word)
{
    static const uint8_t first[] = {[1] = GPUCODE_IR3_R8, [2] = GPUCODE_IR3_R16, [4] = GPUCODE_IR3_R32};
    const struct ir3_format *format = ir3_find_format(word);
    bool plain = format->kind >= IR3_FLOAT && format->components != 3;
    uint32_t fixed = format->number == 0x30 ? (uint32_t)GPUCODE_IR3_RGBA8_UNORM : (uint32_t)GPUCODE_IR3_FORMATS;
    return word[0] >> 30 ? (uint32_t)GPUCODE_IR3_FORMATS
           : plain       ? first[format->bytes] + format->components / 2u
                         : fixed;
}

/* A buffer or image by its words, laid out as those of textures (Mesa's register database: A6XX_TEX_CONST). */
static bool take_descriptor(struct ir3_run *run, const struct ir3_op *op, const uint32_t word[6])
{
    struct ir3_bound *found = &run->found;
    uint32_t width = word[1] & 0x7fff, height = word[1] >> 15 & 0x7fff, depth = word[5] >> 17 & 0x1fff;
    const char *why = ir3_misfit(run, word);
    uint32_t format = why ? 0 : format_of_image(word);
    bool buffer = word[2] >> 29 == 4;
    if (why || format == GPUCODE_IR3_FORMATS) {
        ir3_refuse(run, op, why ? why : "an image of that format");
        return false;
    }
    found->field[GPUCODE_IR3_BUFFER_ADDRESS] = word[4] & ~UINT32_C(31);
    found->field[GPUCODE_IR3_BUFFER_HIGH] = word[5] & 0x1ffff;
    found->field[GPUCODE_IR3_BUFFER_FORMAT] = format;
    uint32_t pitch = word[2] >> 7 & 0x3fffff, layer = (word[3] & 0x7fffff) << 12, texel = ir3_texel_bytes(found);
    if (buffer) { /* elements are counted in both fields together (Mesa, fd6_image.cc) */
        found->field[GPUCODE_IR3_BUFFER_SIZE] = (width | height << 15) * texel;
        return true;
    }
    pitch = pitch ? pitch : width * texel;
    layer = layer ? layer : height * pitch;
    found->field[GPUCODE_IR3_BUFFER_WIDTH] = width;
    found->field[GPUCODE_IR3_BUFFER_HEIGHT] = height;
    found->field[GPUCODE_IR3_BUFFER_DEPTH] = depth;
    found->field[GPUCODE_IR3_BUFFER_PITCH] = pitch;
    found->field[GPUCODE_IR3_BUFFER_LAYER] = layer;
    found->field[GPUCODE_IR3_BUFFER_SIZE] = layer * (depth ? depth : 1);
    return true;
}

/* What a bindless descriptor in memory says; it counts up to the next call. */
static const struct ir3_bound *bindless_at(struct ir3_run *run, const struct ir3_op *op, uint32_t slot, bool constants)
{
    uint64_t address, value;
    uint32_t word[6] = {0};
    if (!ir3_find_descriptor(run, op, base_number(op), slot, &address))
        return NULL;
    for (unsigned i = 0; i < (constants ? 2u : 6u); i++) {
        if (!ir3_read_bytes(run, IR3_GLOBAL, address + 4 * i, 4, &value))
            return NULL;
        word[i] = (uint32_t)value;
    }
    run->found = (struct ir3_bound){{0}};
    if (!constants)
        return take_descriptor(run, op, word) ? &run->found : NULL;
    run->found.field[GPUCODE_IR3_BUFFER_ADDRESS] = word[0];
    run->found.field[GPUCODE_IR3_BUFFER_HIGH] = word[1] & 0x1ffff;
    run->found.field[GPUCODE_IR3_BUFFER_SIZE] = 16 * (word[1] >> 17);
    return &run->found;
}

const struct ir3_bound *ir3_bound_at(struct ir3_run *run, const struct ir3_op *op, uint32_t slot, bool constants)
{
    struct ir3_state *state = run->state;
    if (op->bindless)
        return bindless_at(run, op, slot, constants);
    uint32_t room = constants ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS;
    const struct ir3_bound *bound = constants ? state->ubo : state->buffer;
    if (slot < room && (bound[slot].field[GPUCODE_IR3_BUFFER_ADDRESS] | bound[slot].field[GPUCODE_IR3_BUFFER_HIGH]))
        return &bound[slot];
    IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_NO_BUFFER, constants ? "buffer of constants" : "buffer", (unsigned)slot);
    return NULL;
}

const struct ir3_bound *ir3_bound_still(struct ir3_run *run, const struct ir3_op *op, uint32_t slot,
                                        struct ir3_held *held)
{
    if (!held->bound || held->slot != slot)
        *held = (struct ir3_held){ir3_bound_at(run, op, slot, false), slot};
    return held->bound;
}
