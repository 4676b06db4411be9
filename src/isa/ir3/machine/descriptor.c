/* SPDX-License-Identifier: MIT */
/* Buffers and images by their slots or by bindless descriptors in memory; textures and samplers likewise. */
#include "ir3_messages.h"
#include "isa/ir3/machine/access.h"

#include <math.h>

/* By the words of a descriptor; null: it is not known. */
static const struct ir3_format *ir3_find_format(const uint32_t *word);
/* Why the machine cannot read what the words describe; null: it can. */
static const char *ir3_misfit(const struct ir3_run *run, const uint32_t *word);

enum { A1D, A2D, CUBE, A3D, BUFFER }; /* types, in word 2 */

static uint32_t type_of(const uint32_t *word)
{
    return word[2] >> 29;
}

/* Buffers and images by their slots, or by bindless descriptors in memory. */

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
    bool buffer = type_of(word) == BUFFER;
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

/*
 * Textures and samplers by their descriptors in memory, with the layout of a6xx and a7xx (Mesa's register database:
 * A6XX_TEX_CONST, A6XX_TEX_SAMP), and texels as formats have them.
 */

#define COMPRESSED (UINT32_C(1) << 28) /* of word 3 */
#define SRGB 4u                        /* of word 0 */

/* --- formats ------------------------------------------------------------------------------------------------------ */

/* Formats whose components all have 8, 16 or 32 bits, by their numbers in descriptors of a6xx and a7xx (Mesa's register
 * database: a6xx_format).
 */
static const struct ir3_format formats[] = {
    {0x03, 1, 1, IR3_UNORM}, {0x04, 1, 1, IR3_SNORM}, {0x05, 1, 1, IR3_UINT},  {0x06, 1, 1, IR3_SINT},
    {0x0f, 2, 1, IR3_UNORM}, {0x10, 2, 1, IR3_SNORM}, {0x11, 2, 1, IR3_UINT},  {0x12, 2, 1, IR3_SINT},
    {0x15, 1, 2, IR3_UNORM}, {0x16, 1, 2, IR3_SNORM}, {0x17, 1, 2, IR3_FLOAT}, {0x18, 1, 2, IR3_UINT},
    {0x19, 1, 2, IR3_SINT},  {0x21, 3, 1, IR3_UNORM}, {0x22, 3, 1, IR3_SNORM}, {0x23, 3, 1, IR3_UINT},
    {0x24, 3, 1, IR3_SINT},  {0x30, 4, 1, IR3_UNORM}, {0x32, 4, 1, IR3_SNORM}, {0x33, 4, 1, IR3_UINT},
    {0x34, 4, 1, IR3_SINT},  {0x43, 2, 2, IR3_UNORM}, {0x44, 2, 2, IR3_SNORM}, {0x45, 2, 2, IR3_FLOAT},
    {0x46, 2, 2, IR3_UINT},  {0x47, 2, 2, IR3_SINT},  {0x4a, 1, 4, IR3_FLOAT}, {0x4b, 1, 4, IR3_UINT},
    {0x4c, 1, 4, IR3_SINT},  {0x58, 3, 2, IR3_UNORM}, {0x59, 3, 2, IR3_SNORM}, {0x5a, 3, 2, IR3_FLOAT},
    {0x5b, 3, 2, IR3_UINT},  {0x5c, 3, 2, IR3_SINT},  {0x60, 4, 2, IR3_UNORM}, {0x61, 4, 2, IR3_SNORM},
    {0x62, 4, 2, IR3_FLOAT}, {0x63, 4, 2, IR3_UINT},  {0x64, 4, 2, IR3_SINT},  {0x67, 2, 4, IR3_FLOAT},
    {0x68, 2, 4, IR3_UINT},  {0x69, 2, 4, IR3_SINT},  {0x72, 3, 4, IR3_UINT},  {0x73, 3, 4, IR3_SINT},
    {0x74, 3, 4, IR3_FLOAT}, {0x82, 4, 4, IR3_FLOAT}, {0x83, 4, 4, IR3_UINT},  {0x84, 4, 4, IR3_SINT},
};

static const struct ir3_format *ir3_find_format(const uint32_t *word)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].number == (word[0] >> 22 & 0xff))
            return &formats[i];
    return NULL;
}

static const char *ir3_misfit(const struct ir3_run *run, const uint32_t *word)
{
    const struct ir3_format *format = ir3_find_format(word);
    if (run->core->target->generation < IR3_A6XX || run->core->target->generation > IR3_A7XX)
        return "descriptors of this generation, whose layout is not known in full";
    if (word[0] & 3)
        return "texels in tiles, whose order is not known";
    if (word[3] & COMPRESSED)
        return "compressed texels, in a form that is not known";
    if (!format)
        return "a format whose components do not all have 8, 16 or 32 bits";
    if (word[0] >> 30 && format->components != 4)
        return "components in another order, of fewer than four";
    if (type_of(word) == BUFFER && word[2] >> 16 & 0x3f)
        return "a buffer that begins between two addresses";
    return type_of(word) > BUFFER ? "its type" : word[0] >> 20 & 3 ? "several samples a texel" : NULL;
}

/* --- texels ------------------------------------------------------------------------------------------------------- */

/* As IEC 61966-2-1 has it. */
static double linear_of(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* A component by its bits. */
static uint32_t component_of(const struct ir3_texels *texels, unsigned component, uint32_t raw)
{
    const struct ir3_format *format = texels->format;
    const unsigned bits = 8u * format->bytes;
    double largest = ldexp(1, (int)bits - (format->kind == IR3_SNORM)) - 1, part;
    int32_t number = bits == 8 ? (int8_t)raw : bits == 16 ? (int16_t)raw : (int32_t)raw;
    switch (format->kind) {
    case IR3_UNORM:
        part = raw / largest;
        return a3xx_nearest(texels->srgb && component < 3 ? linear_of(part) : part);
    case IR3_SNORM:
        return a3xx_nearest(fmax(number / largest, -1));
    case IR3_FLOAT:
        return bits == 16 ? a3xx_widen(raw) : raw;
    case IR3_SINT:
        return (uint32_t)number;
    default:
        return raw;
    }
}

/* struct a3xx_seen: fetch. */
static bool fetch_texel(void *user, unsigned level, const unsigned at[3], int layer, uint32_t rgba[4])
{
    /* where red, green, blue and alpha lie, by the order: WZYX, WXYZ, ZYXW, XYZW, the last letter first in memory */
    static const uint8_t orders[4][4] = {{0, 1, 2, 3}, {2, 1, 0, 3}, {1, 2, 3, 0}, {3, 2, 1, 0}};
    const struct ir3_texels *texels = user;
    const struct ir3_format *format = texels->format;
    uint64_t texel = (uint64_t)format->components * format->bytes, raw;
    uint64_t address = texels->address + at[0] * texel + (uint64_t)at[1] * texels->pitch +
                       (uint64_t)(at[2] + (unsigned)layer) * texels->layer;
    uint32_t value[6] = {0, 0, 0, 0, 0, format->kind >= IR3_UINT ? 1 : 0x3f800000};
    if (level) {
        ir3_refuse(texels->run, texels->op, "a level after the first, whose place in memory is not known");
        return true;
    }
    value[3] = value[5];
    for (unsigned i = 0; i < 4; i++) {
        unsigned place = orders[texels->order][i];
        if (place >= format->components)
            continue;
        if (!ir3_read_bytes(texels->run, IR3_GLOBAL, address + place * format->bytes, format->bytes, &raw))
            return true; /* the machine has stopped */
        value[i] = component_of(texels, i, (uint32_t)raw);
    }
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = texels->swizzle[i] < 6 ? value[texels->swizzle[i]] : 0;
    return true;
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

static bool read_words(struct ir3_run *run, uint64_t address, unsigned count, uint32_t *word)
{
    uint64_t value;
    for (unsigned i = 0; i < count; i++) {
        if (!ir3_read_bytes(run, IR3_GLOBAL, address + 4 * i, 4, &value))
            return false;
        word[i] = (uint32_t)value;
    }
    return true;
}

/* Sides, layers and the places of rows; null, or what is not known. */
static const char *take_shape(const uint32_t *word, struct ir3_texels *texels, uint32_t *field)
{
    uint32_t width = word[1] & 0x7fff, height = word[1] >> 15 & 0x7fff, depth = word[5] >> 17 & 0x1fff;
    uint32_t texel = (uint32_t)texels->format->components * texels->format->bytes, type = type_of(word);
    texels->pitch = word[2] >> 7 & 0x3fffff;
    texels->layer = (word[3] & 0x7fffff) << 12;
    if (type == BUFFER) { /* elements are counted in both fields together; the pitch has other fields in its place */
        width |= height << 15;
        height = 1;
        texels->pitch = texels->layer = 0;
    }
    texels->pitch = texels->pitch ? texels->pitch : width * texel;
    texels->layer = texels->layer ? texels->layer : height * texels->pitch;
    field[GPUCODE_A3XX_TEXTURE_WIDTH] = width;
    field[GPUCODE_A3XX_TEXTURE_HEIGHT] = height ? height : 1;
    field[GPUCODE_A3XX_TEXTURE_DEPTH] = depth;
    field[GPUCODE_A3XX_TEXTURE_LEVELS] = (word[0] >> 16 & 15) + 1;
    field[GPUCODE_A3XX_TEXTURE_KIND] = type == CUBE  ? GPUCODE_A3XX_CUBE
                                       : type == A3D ? GPUCODE_A3XX_3D
                                                     : GPUCODE_A3XX_2D;
    return width ? NULL : "a texture without size";
}

bool ir3_take_texture(struct ir3_texels *texels, uint64_t address, struct a3xx_seen *seen)
{
    uint32_t word[6], field[GPUCODE_A3XX_TEXTURE_FIELDS];
    if (!read_words(texels->run, address, 6, word))
        return false;
    const char *why = ir3_misfit(texels->run, word);
    texels->format = ir3_find_format(word);
    if (!why)
        why = take_shape(word, texels, field);
    if (why) {
        ir3_refuse(texels->run, texels->op, why);
        return false;
    }
    texels->address = (word[4] & ~UINT32_C(31)) | (uint64_t)(word[5] & 0x1ffff) << 32;
    texels->srgb = word[0] & SRGB;
    texels->order = (uint8_t)(word[0] >> 30);
    for (unsigned i = 0; i < 4; i++)
        texels->swizzle[i] = (uint8_t)(word[0] >> (4 + 3 * i) & 7);
    a3xx_take_texture(seen, field);
    seen->fetch = fetch_texel;
    seen->user = texels;
    return true;
}

bool ir3_take_sampler(struct ir3_texels *texels, uint64_t address, uint32_t field[GPUCODE_IR3_SAMPLER_FIELDS])
{
    /* 1 and the number of the policy's value; what policies have no word for is left to them */
    static const uint8_t filters[4] = {1, 2, 0, 0}, wraps[8] = {2, 1, 3}, compares[8] = {8, 2, 5, 1, 4, 6, 3, 7};
    uint32_t word[2];
    if (!read_words(texels->run, address, 2, word))
        return false;
    if (word[1] >> 5 & 1) {
        ir3_refuse(texels->run, texels->op, "coordinates in texels");
        return false;
    }
    field[GPUCODE_IR3_SAMPLER_FILTER] = filters[word[0] >> 1 & 3];
    field[GPUCODE_IR3_SAMPLER_MIP] = 1 + (word[0] & 1);
    field[GPUCODE_IR3_SAMPLER_WRAP] = wraps[word[0] >> 5 & 7];
    field[GPUCODE_IR3_SAMPLER_COMPARE] = compares[word[1] >> 1 & 7];
    return true;
}
