/* SPDX-License-Identifier: MIT */
/*
 * Formats of texels and attributes, by their names in Mesa's register database: "FMT6_16_16_FLOAT" has two components
 * of 16 bits. Those whose components differ in size or are packed otherwise are not known here.
 */
#include "kit/shader/shader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool find_kind(const char *text, enum shader_components *kind)
{
    static const char *const kinds[] = {"UNORM", "SNORM", "UINT", "SINT", "FLOAT"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(text, kinds[i]) == 0) {
            *kind = (enum shader_components)i;
            return true;
        }
    return false;
}

bool shader_texels_find(const char *format, const char *swap, struct shader_texels *texels)
{
    static const char letters[] = "XYZW";
    const char *at = strchr(format, '_');
    *texels = (struct shader_texels){0};
    for (; at && at[1] >= '1' && at[1] <= '9'; texels->count++) {
        char *end;
        unsigned bits = (unsigned)strtoul(at + 1, &end, 10);
        if ((texels->count && bits != texels->bits) || (bits != 8 && bits != 16 && bits != 32) || *end != '_')
            return false;
        texels->bits = bits;
        at = end;
    }
    if (!at || !texels->count || texels->count > 4 || !find_kind(at + 1, &texels->kind) ||
        (texels->kind == SHADER_FLOAT && texels->bits == 8))
        return false;
    /* the last letter is the component that lies first; other orders than WZYX are known of four alone */
    bool plain = strcmp(swap, "WZYX") == 0;
    for (unsigned i = 0; i < 4; i++) {
        const char *found = strlen(swap) == 4 ? strchr(swap, letters[i]) : NULL;
        if (!found || (!plain && texels->count != 4))
            return false;
        texels->place[i] = 3 - (unsigned)(found - swap);
    }
    return true;
}

/* As IEC 61966-2-1 has it. */
static double linear_of(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* A component by its bits. */
static uint32_t value_of(const struct shader_texels *texels, unsigned component, uint32_t raw)
{
    const unsigned bits = texels->bits;
    double largest = texels->kind == SHADER_SNORM ? ldexp(1, (int)bits - 1) - 1 : ldexp(1, (int)bits) - 1;
    int32_t number = bits == 8 ? (int8_t)raw : bits == 16 ? (int16_t)raw : (int32_t)raw;
    switch (texels->kind) {
    case SHADER_UNORM:
        return shader_float_bits((float)(texels->srgb && component < 3 ? linear_of(raw / largest) : raw / largest));
    case SHADER_SNORM:
        return shader_float_bits((float)fmax(number / largest, -1));
    case SHADER_FLOAT:
        return bits == 16 ? shader_float_bits(shader_half_value(raw)) : raw;
    case SHADER_SINT:
        return (uint32_t)number;
    default:
        return raw;
    }
}

void shader_texels_read(const struct shader_texels *texels, const unsigned char *bytes, uint32_t rgba[4])
{
    bool whole = texels->kind == SHADER_UINT || texels->kind == SHADER_SINT;
    const unsigned size = texels->bits / 8;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t raw = 0;
        for (unsigned k = size; k-- > 0 && texels->place[i] < texels->count;)
            raw = raw << 8 | bytes[texels->place[i] * size + k];
        rgba[i] = texels->place[i] < texels->count ? value_of(texels, i, raw)
                  : i < 3                          ? 0
                  : whole                          ? 1
                                                   : shader_float_bits(1);
    }
}
