/* SPDX-License-Identifier: MIT */
/* Texels of images: typed loads and stores convert between the image's format and the type of the access. */
#include "isa/ir3/machine/access.h"

static const struct format {
    uint8_t components, bytes; /* of a component */
    bool unorm;
} formats[GPUCODE_IR3_FORMATS] = {
    [GPUCODE_IR3_R32] = {1, 4, false},        [GPUCODE_IR3_RG32] = {2, 4, false}, [GPUCODE_IR3_RGBA32] = {4, 4, false},
    [GPUCODE_IR3_R16] = {1, 2, false},        [GPUCODE_IR3_RG16] = {2, 2, false}, [GPUCODE_IR3_RGBA16] = {4, 2, false},
    [GPUCODE_IR3_R8] = {1, 1, false},         [GPUCODE_IR3_RG8] = {2, 1, false},  [GPUCODE_IR3_RGBA8] = {4, 1, false},
    [GPUCODE_IR3_RGBA8_UNORM] = {4, 1, true},
};

static const struct format *format_of(const struct ir3_bound *bound)
{
    return &formats[bound->field[GPUCODE_IR3_BUFFER_FORMAT] % GPUCODE_IR3_FORMATS];
}

uint32_t ir3_texel_bytes(const struct ir3_bound *bound)
{
    return (uint32_t)format_of(bound)->components * format_of(bound)->bytes;
}

bool ir3_texel_offset(const struct ir3_bound *bound, const uint32_t place[3], uint64_t *offset)
{
    uint64_t size = ir3_texel_bytes(bound);
    uint64_t width = bound->field[GPUCODE_IR3_BUFFER_WIDTH], height = bound->field[GPUCODE_IR3_BUFFER_HEIGHT];
    uint64_t depth = bound->field[GPUCODE_IR3_BUFFER_DEPTH];
    width = width ? width : bound->field[GPUCODE_IR3_BUFFER_SIZE] / size; /* a row of texels */
    height = height ? height : 1;
    depth = depth ? depth : 1;
    uint64_t pitch = bound->field[GPUCODE_IR3_BUFFER_PITCH], layer = bound->field[GPUCODE_IR3_BUFFER_LAYER];
    pitch = pitch ? pitch : width * size;
    layer = layer ? layer : height * pitch;
    *offset = place[0] * size + place[1] * pitch + place[2] * layer;
    return place[0] < width && place[1] < height && place[2] < depth &&
           *offset + size <= bound->field[GPUCODE_IR3_BUFFER_SIZE];
}

/* A component as the access's type has it. */
static uint32_t widen(const struct format *format, unsigned type, uint32_t raw)
{
    bool is_float = type <= IR3_F32, is_signed = type == IR3_S16 || type == IR3_S32, half = ir3_type_bytes(type) < 4;
    if (format->unorm && is_float) {
        uint32_t bits = a3xx_nearest((double)raw / 255);
        return half ? a3xx_narrow((double)a3xx_float_of(bits), A3XX_ROUND_EVEN) : bits;
    }
    if (format->bytes == 2 && type == IR3_F32)
        return a3xx_widen(raw);
    if (format->bytes == 4 && type == IR3_F16)
        return a3xx_narrow((double)a3xx_float_of(raw), A3XX_ROUND_EVEN);
    if (is_signed && format->bytes < 4)
        raw = format->bytes == 1 ? (uint32_t)(int8_t)raw : (uint32_t)(int16_t)raw;
    return half ? raw & 0xffff : raw;
}

static uint32_t narrow(const struct format *format, unsigned type, uint32_t value)
{
    bool half = type == IR3_F16;
    if (format->unorm && type <= IR3_F32) {
        double clamped = a3xx_value(a3xx_clamp(value, half), half);
        return (uint32_t)(clamped * 255 + 0.5);
    }
    if (format->bytes == 2 && type == IR3_F32)
        return a3xx_narrow((double)a3xx_float_of(value), A3XX_ROUND_EVEN);
    if (format->bytes == 4 && half)
        return a3xx_widen(value);
    if (format->bytes == 4 && type == IR3_S16)
        return (uint32_t)(int16_t)value;
    return value;
}

bool ir3_load_texel(struct ir3_run *run, const struct ir3_bound *bound, const uint32_t place[3], unsigned type,
                    uint32_t texel[4])
{
    const struct format *format = format_of(bound);
    uint64_t offset, raw;
    bool is_float = type <= IR3_F32;
    uint32_t one = !is_float ? 1 : type == IR3_F16 ? 0x3c00 : 0x3f800000;
    for (unsigned k = 0; k < 4; k++)
        texel[k] = k == 3 ? one : 0;
    if (!ir3_texel_offset(bound, place, &offset)) {
        texel[3] = 0;
        return true;
    }
    for (unsigned k = 0; k < format->components; k++) {
        if (!ir3_read_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset + k * format->bytes, format->bytes,
                            &raw))
            return false;
        texel[k] = widen(format, type, (uint32_t)raw);
    }
    return true;
}

bool ir3_store_texel(struct ir3_run *run, const struct ir3_bound *bound, const uint32_t place[3], unsigned type,
                     const uint32_t texel[4])
{
    const struct format *format = format_of(bound);
    uint64_t offset;
    if (!ir3_texel_offset(bound, place, &offset))
        return true;
    for (unsigned k = 0; k < format->components; k++)
        if (!ir3_write_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset + k * format->bytes, format->bytes,
                             narrow(format, type, texel[k])))
            return false;
    return true;
}
