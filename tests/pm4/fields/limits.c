/* SPDX-License-Identifier: MIT */
/* The largest and smallest values, numbers that are none, and room for less than there is. */
#include "group.h"

#include <gpucode/fields.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ZEROS "0000000000000000000000"

/* Values with a fraction, with a sign and of shader registers, each side of what their fields hold. */
static void values_end_at_their_fields(void)
{
    enum { NONE = GPUCODE_FIELD_NO_VALUE, LARGE = GPUCODE_FIELD_LARGE };
    static const struct {
        unsigned family;
        const char *name, *text;
        int fault; /* -1: it is read */
        uint64_t value;
    } rows[] = {
        /* 16 bits, 4 of them after the point, with a sign */
        {6, "GRAS_SU_POINT_SIZE", "2047.9375", -1, 0x7fff},
        {6, "GRAS_SU_POINT_SIZE", "2048", NONE, 0},
        {6, "GRAS_SU_POINT_SIZE", "-2048", -1, 0x8000},
        {6, "GRAS_SU_POINT_SIZE", "-2048.0625", NONE, 0},
        {6, "GRAS_SU_POINT_SIZE", "1.03125", -1, 0x11}, /* the half is rounded up */
        {6, "GRAS_SU_POINT_SIZE", "1.03124", -1, 0x10},
        {6, "GRAS_SU_POINT_SIZE", "1.0312500000000000000000000000", -1, 0x11},
        {6, "GRAS_SU_POINT_SIZE", "1.0312499999999999999999999999", -1, 0x10},
        {6, "GRAS_SU_POINT_SIZE", "1.5" ZEROS ZEROS ZEROS, -1, 0x18}, /* more places than count */
        {6, "GRAS_SU_POINT_SIZE", "1.9", -1, 0x1e},
        {6, "GRAS_SU_POINT_SIZE", "1.", -1, 0x10},
        {6, "GRAS_SU_POINT_SIZE", ".5", NONE, 0},
        {6, "GRAS_SU_POINT_SIZE", "-", NONE, 0},
        {6, "GRAS_SU_POINT_SIZE", "1.5:", NONE, 0}, /* the characters after 9 and before 0 */
        {6, "GRAS_SU_POINT_SIZE", "1.5/", NONE, 0},
        {6, "GRAS_SU_POINT_SIZE", "1152921504606846976", NONE, 0},  /* 2^60 */
        {6, "GRAS_SU_POINT_SIZE", "18446744073709551616", NONE, 0}, /* 2^64 */
        /* the same without a sign */
        {6, "GRAS_SU_POINT_MINMAX", "{ MIN = 4095.9375 }", -1, 0xffff},
        {6, "GRAS_SU_POINT_MINMAX", "{ MIN = 4096 }", LARGE, 0xffff},
        {6, "GRAS_SU_POINT_MINMAX", "{ MIN = 288230376151711744 }", LARGE, 0xffff}, /* 2^58 */
        {6, "GRAS_SU_POINT_MINMAX", "{ MIN = 576460752303423488 }", NONE, 0},       /* 2^59 */
        {6, "GRAS_SU_POINT_MINMAX", "{ MIN = -1 }", NONE, 0},
        /* 17 bits with a sign */
        {6, "GRAS_A2D_SRC_XMIN", "65535", -1, 0xffff00},
        {6, "GRAS_A2D_SRC_XMIN", "65536", NONE, 0},
        {6, "GRAS_A2D_SRC_XMIN", "-65536", -1, 0x1000000},
        {6, "GRAS_A2D_SRC_XMIN", "-65537", NONE, 0},
        /* floats of 16 and of 32 bits */
        {5, "RB_BLEND_RED", "{ FLOAT = -1.5 }", -1, 0xbe000000},
        {5, "RB_BLEND_RED", "{ FLOAT = 65504 }", -1, 0x7bff0000},
        {6, "GRAS_CL_VIEWPORT[0].XOFFSET", "-1.5", -1, 0xbfc00000},
        {6, "GRAS_CL_VIEWPORT[0].XOFFSET", "1.5.", NONE, 0},
        /* shader registers: of 8 bits, two of which are the component */
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r63.w }", -1, 0xff0000},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r1.x }", -1, 0x040000},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r64.x }", LARGE, 0xff},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r4294967295.x }", LARGE, 0xff},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r4294967296.x }", NONE, 0},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r18446744073709551616.x }", NONE, 0},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r.x }", NONE, 0},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r.xx }", NONE, 0},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r1.xy }", NONE, 0},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r1,x }", NONE, 0},
        {3, "HLSQ_CONTROL_1_REG", "{ FRAGCOORDXYREGID = r1.v }", NONE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gpucode_field_wrong wrong = {.fault = (enum gpucode_field_fault) - 1};
        uint64_t value;
        uint32_t number;
        assert_true(gpucode_register_find(rows[i].family, rows[i].name, strlen(rows[i].name), &number));
        bool read = gpucode_register_read(rows[i].family, number, rows[i].text, strlen(rows[i].text), &value, &wrong);
        if (read != (rows[i].fault < 0) || (int)wrong.fault != rows[i].fault ||
            (read ? value : wrong.limit) != rows[i].value)
            fail_msg("%s %s: fault %d, 0x%llx", rows[i].name, rows[i].text, (int)wrong.fault,
                     (unsigned long long)(read ? value : wrong.limit));
    }
}

/* Names with subscripts and the words after them. */
static void names_have_numbers(void)
{
    static const struct {
        const char *name;
        int number; /* -1: no register is called that */
    } rows[] = {
        {"GRAS_CL_VIEWPORT[9].XOFFSET", 0x8046},
        {"GRAS_CL_VIEWPORT[15].XOFFSET", 0x806a},
        {"GRAS_CL_VIEWPORT[0xf].XOFFSET", 0x806a},
        {"GRAS_CL_VIEWPORT[00000015].XOFFSET", 0x806a}, /* up to eight digits */
        {"GRAS_CL_VIEWPORT[000000015].XOFFSET", -1},
        {"GRAS_CL_VIEWPORT[16].XOFFSET", -1},
        {"GRAS_CL_VIEWPORT[0x10].XOFFSET", -1},
        {"GRAS_CL_VIEWPORT[a].XOFFSET", -1},
        {"GRAS_CL_VIEWPORT[0xg].XOFFSET", -1},
        {"GRAS_CL_VIEWPORT[0x].XOFFSET", -1},
        {"GRAS_CL_VIEWPORT[].XOFFSET", -1},
        {"CP_RB_BASE+0x1", 0x801},
        {"CP_RB_BASE_HI", 0x801},
        {"CP_RB_BASE+2", -1},
        {"CP_RB_BASE+", -1},
        {"CP_RB_CNTL_HI", -1},
        {"CP_RB_CNTL+0", 0x802},
    };
    uint32_t number;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found = gpucode_register_find(6, rows[i].name, strlen(rows[i].name), &number);
        if (found != (rows[i].number >= 0) || (found && (int)number != rows[i].number))
            fail_msg("%s: %d, 0x%x", rows[i].name, found, (unsigned)number);
    }
    assert_false(gpucode_register_find(9, "CP_RB_BASE", 10, &number));
    assert_false(gpucode_register_find(6, NULL, 0, &number));
    assert_false(gpucode_register_find(6, "CP_RB_BASE", 10, NULL));
    assert_null(gpucode_register_nearest(9, "CP_RB_BASF", 10));
    assert_null(gpucode_register_nearest(6, NULL, 0));
    assert_string_equal(gpucode_register_nearest(6, "CP_RB_BASF", 10), "CP_RB_BASE");
    assert_null(gpucode_register_nearest(6, "RB_MRT[].BASE", 13)); /* without a number it is wrong, but no other */
    assert_string_equal(gpucode_register_nearest(6, "RB_MRT[9].BASE", 14), "RB_MRT[].BASE");
    assert_null(gpucode_packet_nearest(9, "CP_NOQ", 6));
    assert_null(gpucode_packet_nearest(6, NULL, 0));
    assert_string_equal(gpucode_packet_nearest(6, "CP_NOQ", 6), "CP_NOP");
}

/* Chips that nobody knows, by the first byte of their id, or by what a name says. */
static void families_are_guessed(void)
{
    static const struct {
        uint32_t gpu;
        uint64_t id;
        unsigned family; /* 0: none */
    } rows[] = {{0, 0x01990000, 0}, {0, 0x02990000, 2}, {0, 0x06990000, 6}, {0, 0x07990000, 7}, {0, 0x08990000, 0},
                {199, 0, 0},        {200, 0, 2},        {899, 0, 8},        {900, 0, 0},        {899, 0x01990000, 0}};
    struct gpucode_chip chip;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(gpucode_chip_find(rows[i].gpu, rows[i].id, &chip), rows[i].family != 0);
        assert_int_equal(chip.family, rows[i].family);
    }
}

TESTS(limits, values_end_at_their_fields, names_have_numbers, families_are_guessed)
