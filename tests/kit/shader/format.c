/* SPDX-License-Identifier: MIT */
/* Formats of texels, each with the values that its bytes mean by a plain reading of its name. */
#include "group.h"
#include "kit/shader/shader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const kinds[] = {"UNORM", "SNORM", "UINT", "SINT", "FLOAT"};
/* For red, green, blue and alpha, where each lies. */
static const struct order {
    const char *name;
    unsigned place[4];
} orders[] = {
    {"WZYX", {0, 1, 2, 3}},
    {"WXYZ", {2, 1, 0, 3}},
    {"ZYXW", {1, 2, 3, 0}},
    {"XYZW", {3, 2, 1, 0}},
};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double half_of(uint32_t raw)
{
    double sign = raw >> 15 ? -1 : 1, fraction = raw & 0x3ff;
    int exponent = (int)(raw >> 10 & 31);
    return exponent == 31 ? (fraction != 0 ? NAN : sign * INFINITY)
           : exponent     ? sign * ldexp(1 + fraction / 1024, exponent - 15)
                          : sign * ldexp(fraction, -24);
}

/* What the bits of a component mean; NAN of any sort is one. */
static uint32_t meaning(unsigned kind, unsigned bits, uint32_t raw, bool curved)
{
    double most = bits == 32 ? 4294967295.0 : (double)((UINT64_C(1) << bits) - 1);
    int64_t number = (int64_t)raw - (raw >> (bits - 1) ? INT64_C(1) << bits : 0);
    double value = raw / most, positive = (most - 1) / 2;
    switch (kind) {
    case SHADER_UNORM:
        if (curved)
            value = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
        return bits_of((float)value);
    case SHADER_SNORM:
        value = (double)number / positive;
        return bits_of((float)(value < -1 ? -1 : value));
    case SHADER_SINT:
        return (uint32_t)number;
    case SHADER_FLOAT:
        return bits == 16 ? bits_of((float)half_of(raw)) : raw;
    default:
        return raw;
    }
}

static void check_texel(const struct shader_texels *texels, const struct order *order, const unsigned char *bytes)
{
    uint32_t rgba[4];
    shader_texels_read(texels, bytes, rgba);
    for (unsigned c = 0; c < 4; c++) {
        bool whole = texels->kind == SHADER_UINT || texels->kind == SHADER_SINT;
        uint32_t wanted = c < 3 ? 0 : whole ? 1 : 0x3f800000, raw = 0;
        if (order->place[c] < texels->count) {
            for (unsigned k = 0; k < texels->bits / 8; k++)
                raw |= (uint32_t)bytes[order->place[c] * texels->bits / 8 + k] << 8 * k;
            wanted = meaning(texels->kind, texels->bits, raw, texels->srgb && c < 3);
        }
        if (texels->kind == SHADER_FLOAT && (wanted & 0x7fffffff) > 0x7f800000)
            assert_true((rgba[c] & 0x7fffffff) > 0x7f800000);
        else
            assert_int_equal(rgba[c], wanted);
    }
}

static void each_format(void)
{
    static const unsigned char corners[] = {0x00, 0x01, 0x0a, 0x0b, 0x3c, 0x7b, 0x7c,
                                            0x7f, 0x80, 0x81, 0xbc, 0xfe, 0xff};
    for (unsigned kind = 0; kind < 5; kind++)
        for (unsigned bits = 8; bits <= 32; bits *= 2)
            for (unsigned count = 1; count <= 5; count++)
                for (unsigned o = 0; o < 4; o++) {
                    struct shader_texels texels;
                    char name[40] = "FMT6";
                    unsigned char bytes[16];
                    for (unsigned i = 0; i < count; i++)
                        sprintf(name + strlen(name), "_%u", bits);
                    sprintf(name + strlen(name), "_%s", kinds[kind]);
                    bool known = count < 5 && (count == 4 || o == 0) && (kind != SHADER_FLOAT || bits > 8);
                    assert_int_equal(shader_texels_find(name, orders[o].name, &texels), known);
                    if (!known)
                        continue;
                    assert_int_equal(texels.count, count);
                    assert_int_equal(texels.bits, bits);
                    assert_int_equal(texels.kind, kind);
                    for (unsigned round = 0; round < 169; round++) {
                        for (unsigned i = 0; i < 16; i++)
                            bytes[i] = corners[(round * (i % 2 ? 1 : 13) + round / 13 + i * 5) % 13];
                        texels.srgb = round % 2;
                        check_texel(&texels, &orders[o], bytes);
                    }
                }
}

static void refused(void)
{
    static const char *const names[] = {"",
                                        "FMT6",
                                        "FMT6_",
                                        "FMT6_8",
                                        "FMT6_8_",
                                        "FMT6_UNORM",
                                        "FMT6_8_X",
                                        "FMT6_7_UNORM",
                                        "FMT6_64_UINT",
                                        "FMT6_8_16_UNORM",
                                        "FMT6_8UNORM",
                                        "FMT6_8_UNORM_",
                                        "FMT6_8_unorm",
                                        "FMT6_5_6_5_UNORM",
                                        "FMT6_0_UNORM",
                                        "8_UNORM8",
                                        "FMT6_10_10_10_2_UNORM",
                                        "FMT6_9_UNORM"};
    static const char *const swaps[] = {"", "W", "WZY", "WZYXX", "WZYZ", "wzyx"};
    struct shader_texels texels;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (shader_texels_find(names[i], "WZYX", &texels))
            fail_msg("%s is a format", names[i]);
    for (unsigned i = 0; i < sizeof swaps / sizeof *swaps; i++)
        if (shader_texels_find("FMT6_8_8_8_8_UNORM", swaps[i], &texels))
            fail_msg("%s is an order", swaps[i]);
}

TESTS(format, each_format, refused)
