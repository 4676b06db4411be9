/* SPDX-License-Identifier: MIT */
/*
 * Where the reference emulator is known to be wrong, stops or crashes (docs/afuc-machine.md lists the defects by
 * number): what this machine does instead, on a6xx and a7xx.
 */
#include "program.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const heads[] = {A6XX, A7XX};

/* Runs the text on both generations and compares one register. */
static void gives(const char *text, const uint32_t *payload, unsigned count, const char *name, uint32_t value)
{
    for (unsigned i = 0; i < 2; i++) {
        struct rig rig;
        program_run(&rig, heads[i], text, payload, count);
        assert_int_equal(rig_get(&rig, name), value);
        rig_free(&rig);
    }
}

static void stops(const char *text, enum gpucode_stop_reason reason, const char *code)
{
    for (unsigned i = 0; i < 2; i++) {
        struct rig rig;
        program_stops(&rig, heads[i], text, NULL, 0, reason, code);
        rig_free(&rig);
    }
}

static void not_immediate(void) /* 1 */
{
    gives("not $04, 0x7\n", NULL, 0, "$04", 0xfffffff8);
}

static void msb(void) /* 2 */
{
    gives("mov $02, 0x1234\nmsb $04, $02\n", NULL, 0, "$04", 12);
    gives("mov $02, 0x8000 << 16\nmsb $04, $02\n", NULL, 0, "$04", 31);
    gives("mov $04, 0x5\nmsb $04, $00\n", NULL, 0, "$04", 0);
}

static void sqe_number(void) /* 3 */
{
    gives("mov $02, 0x1234\nswrite $02, [$00 + 0x9]\n", NULL, 0, "%STACK1", 0x1234);
    gives("mov $02, 0x1234\nmov $03, 0x5\nswrite $02, [$03 + 0x1]!\nmov $04, $03\n", NULL, 0, "$04", 6);
    gives("mov $02, 0x1234\nmov $03, 0x5\nswrite $02, [$03 + 0x1]!\n", NULL, 0, "%0x6", 0x1234);
    gives("mov $02, 0x1234\nmov $05, 0x3\nswrite $02, [$05 + 0x0]\nsread $04, [$00 + 0x3]\n", NULL, 0, "$04", 0x1234);
}

static void peek_at_packet(void) /* 4 */
{
    gives("(peek)mov $04, $data\nmov $05, $rem\n(rep)mov $00, $data\n", WORDS(0x11, 0x22, 0x33), "$04", 0x11);
    gives("(peek)mov $04, $data\nmov $05, $rem\n(rep)mov $00, $data\n", WORDS(0x11, 0x22, 0x33), "$05", 3);
}

static void draw_state_words(void) /* 5 */
{
    gives("(rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\n",
          WORDS(0x00700002, 0x00200000, 0, 0x01700003, 0x00201000, 0), "$rem", 0);
    gives("(rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\n",
          WORDS(0x00700002, 0x00200000, 0, 0x01700003, 0x00201000, 0), "@DRAW_STATE_ACTIVE_BITMASK", 3);
}

static void odd_words(void) /* 6 */
{
    gives("mov $addr, 0x883\n(rep)(xmov1)mov $data, $data\n", WORDS(0x11, 0x22, 0x33), "CP_SCRATCH[2].REG", 0x33);
    gives("mov $addr, 0x883\n(rep)(xmov1)mov $data, $data\n", WORDS(0x11, 0x22, 0x33), "$rem", 0);
    gives("(rep)(xmov3)mov $00, $data\n", WORDS(1, 2, 3, 4, 5, 6, 7), "0x0", 0);
}

static void opcodes(void) /* 7 */
{
    struct rig rig;
    program_run(&rig, A7XX, "mov $02, 0x1234\nmov $03, 0x5\nsetbit $04, $02, $03\nbic $05, $02, 0x4\n", NULL, 0);
    assert_int_equal(rig_get(&rig, "$04"), 0x1234); /* bit 2, which is set already */
    assert_int_equal(rig_get(&rig, "$05"), 0x1230);
    rig_free(&rig);
    program_run(&rig, A7XX,
                "mov $02, 0x1234\nmov $03, 0x8\nsetbit $04, $02, $03\njumpa #on\nmov $05, 0x1\nmov $06, 0x1\non:\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$04"), 0x1224); /* bit 4 cleared */
    assert_int_equal(rig_get(&rig, "$05"), 1);
    assert_int_equal(rig_get(&rig, "$06"), 0);
    rig_free(&rig);
    stops("iret\nnop\n", GPUCODE_STOP_FAULT, "afuc-iret");
    gives("mov $02, 0x77\nmov $03, 0x10 << 16\nstore.f8 $02, [$03 + 0x0]\nload.f8 $04, [$03 + 0x0]\n", NULL, 0, "$04",
          0x77);
}

static void far_numbers(void) /* 8 */
{
    stops("mov $03, 0xffff << 16\ncwrite $02, [$03 + 0x2]\n", GPUCODE_STOP_FAULT, "afuc-range");
    stops("mov $03, 0x101 << 12\nstore $02, [$03 + 0x2]\n", GPUCODE_STOP_FAULT, "afuc-unaligned");
}

static void bfi_replaces(void) /* 9 */
{
    const struct gpucode_setting or [] = {{"afuc-bfi", "or"}, {NULL, NULL}};
    struct rig rig;
    program_run(&rig, A7XX, "mov $03, 0x5\nmov $04, 0xff\nbfi $04, $03, b0, b3\n", NULL, 0);
    assert_int_equal(rig_get(&rig, "$04"), 0xf5);
    rig_free(&rig);
    program_make(&rig, A7XX, "mov $03, 0x5\nmov $04, 0xff\nbfi $04, $03, b0, b3\n", NULL, 0, or);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$04"), 0xff);
    rig_free(&rig);
}

static void large_shifts(void) /* 10 */
{
    const struct gpucode_setting zero[] = {{"afuc-shift", "zero"}, {NULL, NULL}};
    static const char text[] = "mov $02, 0x8000 << 16\nor $02, $02, 0x1234\nmov $03, 0x21\n"
                               "shl $04, $02, $03\nushr $05, $02, $03\nishr $06, $02, $03\nrot $07, $02, $03\n";
    struct rig rig;
    program_run(&rig, A6XX, text, NULL, 0);
    assert_int_equal(rig_get(&rig, "$04"), 0x2468);
    assert_int_equal(rig_get(&rig, "$05"), 0x4000091a);
    assert_int_equal(rig_get(&rig, "$06"), 0xc000091a);
    assert_int_equal(rig_get(&rig, "$07"), 0x2469);
    rig_free(&rig);
    program_make(&rig, A6XX, text, NULL, 0, zero);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$04"), 0);
    assert_int_equal(rig_get(&rig, "$05"), 0);
    assert_int_equal(rig_get(&rig, "$06"), 0xffffffff);
    assert_int_equal(rig_get(&rig, "$07"), 0x2469);
    rig_free(&rig);
}

static void two_branches(void) /* 11 */
{
    static const char text[] = "mov $02, 0x1\nbreq $02, b0, #a\nbreq $02, b0, #b\nnop\n"
                               "a: mov $03, 0x3\nmov $04, 0x4\nb: mov $05, 0x5\n";
    stops(text, GPUCODE_STOP_FAULT, "afuc-two-branches");
    const struct gpucode_setting reference[] = {{"afuc-delay", "reference"}, {NULL, NULL}};
    struct rig rig;
    program_make(&rig, A6XX, text, NULL, 0, reference);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$03"), 3);
    assert_int_equal(rig_get(&rig, "$04"), 0);
    assert_int_equal(rig_get(&rig, "$05"), 5);
    rig_free(&rig);
}

static void draw_state_header(void) /* 12: behaviour to match */
{
    gives("(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\nmov $02, 0x1d\ncwrite $02, [$00 + @DRAW_STATE_SEL]\n",
          WORDS(0x1d700074, 0x201d00, 1), "@DRAW_STATE_HDR", 0x70074);
}

TESTS(reference, not_immediate, msb, sqe_number, peek_at_packet, draw_state_words, odd_words, opcodes, far_numbers,
      bfi_replaces, large_shifts, two_branches, draw_state_header)
