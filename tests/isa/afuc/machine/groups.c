/* SPDX-License-Identifier: MIT */
/* Draw-state groups that the hardware runs, a7xx and later. */
#include "program.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char firmware[] =
    "[01730001]\n[#jumptbl]\nmov $02, 0x1000\nmov $04, #jumptbl << 2\nadd $02, $02, $04\nmov $rem, 0x80\n"
    "cwrite $02, [$00 + @MEM_READ_ADDR]\ncwrite $00, [$00 + @MEM_READ_ADDR+0x1]\n"
    "cwrite $rem, [$00 + @MEM_READ_DWORDS]\ncwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n"
    "(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\nwaitin\nmov $01, $data\n"
    "CP_NOP: (rep)mov $00, $data\nwaitin\nmov $01, $data\n"
    "PKT4: ushr $02, $01, 0x8\nand $usraddr, $02, 0xffff\n(rep)mov $data, $data\nwaitin\nmov $01, $data\n"
    "CP_INDIRECT_BUFFER: cread $05, [$00 + @IB_LEVEL]\nshl $06, $05, 0x2\n"
    "cwrite $data, [$06 + @IB1_BASE]\ncwrite $data, [$06 + @IB1_BASE+0x1]\ncwrite $data, [$06 + @IB1_DWORDS]\n"
    "add $05, $05, 0x1\ncwrite $05, [$00 + @IB_LEVEL]\nwaitin\nmov $01, $data\n"
    "CP_SET_MARKER: mov $02, $data\ncwrite $02, [$00 + @MODE_BITMASK]\nwaitin\nmov $01, $data\n"
    "CP_SET_DRAW_STATE: mov $02, 0x1\ncwrite $02, [$00 + @DRAW_STATE_SET_PENDING]\n"
    "(rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\nwaitin\nmov $01, $data\n"
    /* draws count in CP_SCRATCH[7], and note what stood in CP_SCRATCH[0] then */
    "CP_DRAW_INDX_OFFSET: mov $03, 0x881\ncwrite $03, [$00 + @REG_READ_ADDR]\nmov $04, $regdata\nadd $12, $12, 0x1\n"
    "mov $13, $04\n(rep)mov $00, $data\nwaitin\nmov $01, $data\n"
    ".align 32\njumptbl:\n.jumptbl\n";

enum { NOP = 0x10, DRAW = 0x38, BUFFER = 0x3f, DRAW_STATE = 0x43, MARKER = 0x65 };

static void boot(struct rig *rig, const char *policy, const char *value)
{
    const struct gpucode_setting settings[] = {{policy, value}, {NULL, NULL}};
    if (!rig_text(rig, NULL, firmware, settings))
        fail_msg("%s", rig->message);
    if (rig_run(rig, 10000) != GPUCODE_STOP_IDLE)
        fail_msg("boot: %s", rig->stop.text);
}

static void feed7(struct rig *rig, unsigned opcode, const uint32_t *payload, unsigned count)
{
    const uint32_t header = rig_packet7(opcode, count);
    rig_feed(rig, &header, 1);
    rig_feed(rig, payload, count);
    if (rig_run(rig, 10000) != GPUCODE_STOP_IDLE)
        fail_msg("packet 0x%x: %s", opcode, rig->stop.text);
}

/* A group that writes one register. */
static void poke_group(struct rig *rig, uint64_t address, unsigned reg, uint32_t value)
{
    rig_poke(rig, address, rig_packet4(reg, 1));
    rig_poke(rig, address + 4, value);
}

/* Two groups, one for mode 1 and one for all modes, run before the draw, once, and again with another mode. */
static void before_draws(void)
{
    for (unsigned late = 0; late < 2; late++) {
        struct rig rig;
        boot(&rig, "afuc-ib-levels", late ? "sds-ib3" : "ib3-sds");
        poke_group(&rig, 0x300000, 0x881, 7);
        poke_group(&rig, 0x300100, 0x882, 8);
        feed7(&rig, DRAW_STATE, WORDS(0x00100002, 0x300000, 0, 0x01000002, 0x300100, 0));
        assert_int_equal(rig_get(&rig, "@DRAW_STATE_SET_PENDING"), 1);
        feed7(&rig, NOP, WORDS(1));
        assert_int_equal(rig_get(&rig, "0x882"), 0);
        feed7(&rig, DRAW, WORDS(0, 1, 3));
        assert_int_equal(rig_get(&rig, "0x881"), 0); /* its mode is not that of now */
        assert_int_equal(rig_get(&rig, "0x882"), 8);
        assert_int_equal(rig_get(&rig, "@DRAW_STATE_SET_PENDING"), 0);
        assert_int_equal(rig_get(&rig, "@IB_LEVEL"), 0);
        feed7(&rig, MARKER, WORDS(1));
        rig_set(&rig, "0x882", 0);
        feed7(&rig, DRAW, WORDS(0, 1, 3));
        assert_int_equal(rig_get(&rig, "0x881"), 7);
        assert_int_equal(rig_get(&rig, "0x882"), 8);
        assert_int_equal(rig_get(&rig, "$13"), 7); /* before the draw's own words */
        rig_set(&rig, "0x881", 0);
        feed7(&rig, DRAW, WORDS(0, 1, 3)); /* nothing has changed */
        assert_int_equal(rig_get(&rig, "0x881"), 0);
        assert_int_equal(rig_get(&rig, "$12"), 3);
        rig_free(&rig);
    }
}

/* A draw in an indirect buffer: the groups come before it, and the buffer goes on after. */
static void inside_a_buffer(void)
{
    struct rig rig;
    boot(&rig, NULL, NULL);
    poke_group(&rig, 0x300000, 0x881, 7);
    const uint32_t buffer[] = {rig_packet7(DRAW_STATE, 3), 0x02000002, 0x300000, 0, rig_packet7(DRAW, 3), 0, 1, 3,
                               rig_packet4(0x883, 1),      9};
    for (unsigned i = 0; i < sizeof buffer / 4; i++)
        rig_poke(&rig, 0x400000 + 4 * i, buffer[i]);
    feed7(&rig, BUFFER, WORDS(0x400000, 0, sizeof buffer / 4));
    assert_int_equal(rig_get(&rig, "$13"), 7);
    assert_int_equal(rig_get(&rig, "0x883"), 9);
    assert_int_equal(rig_get(&rig, "@IB_LEVEL"), 0);
    rig_free(&rig);
}

static void policies(void)
{
    static const char *const choices[] = {"draw", "waitin", "firmware"};
    for (unsigned i = 0; i < 3; i++) {
        struct rig rig;
        boot(&rig, "afuc-draw-state", choices[i]);
        poke_group(&rig, 0x300000, 0x881, 7);
        feed7(&rig, DRAW_STATE, WORDS(0x02000002, 0x300000, 0));
        feed7(&rig, NOP, WORDS(1));
        assert_int_equal(rig_get(&rig, "0x881"), i == 1 ? 7 : 0);
        feed7(&rig, DRAW, WORDS(0, 1, 3));
        assert_int_equal(rig_get(&rig, "0x881"), i == 2 ? 0 : 7);
        rig_free(&rig);
    }
}

/* Groups that were disabled do not run. */
static void disabled(void)
{
    struct rig rig;
    boot(&rig, NULL, NULL);
    poke_group(&rig, 0x300000, 0x881, 7);
    poke_group(&rig, 0x300100, 0x882, 8);
    feed7(&rig, DRAW_STATE, WORDS(0x00000002, 0x300000, 0, 0x1f000002, 0x300100, 0));
    feed7(&rig, DRAW_STATE, WORDS(0x00020000, 0, 0));
    feed7(&rig, DRAW, WORDS(0, 1, 3));
    assert_int_equal(rig_get(&rig, "0x881"), 0);
    assert_int_equal(rig_get(&rig, "0x882"), 8);
    rig_free(&rig);
}

/* A header from a general register sets words and mode and leaves the base alone: no (sds2) stands before it. */
static void header_alone(void)
{
    static const char text[] = "[01730001]\n[#jumptbl]\nmov $02, 0x1234\nmov $03, 0x5\n"
                               "cwrite $03, [$00 + @DRAW_STATE_SET_HDR]\ncwrite $02, [$00 + @DRAW_STATE_SET_BASE]\n"
                               "cwrite $00, [$00 + @DRAW_STATE_SET_BASE+0x1]\n"
                               "cwrite $03, [$00 + @DRAW_STATE_SET_HDR]\ncwrite $00, [$00 + @DRAW_STATE_SEL]\n"
                               "waitin\nmov $01, $data\n.align 32\njumptbl:\n.jumptbl\n";
    struct rig rig;
    if (!rig_text(&rig, NULL, text, NULL))
        fail_msg("%s", rig.message);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "@DRAW_STATE_HDR"), 5);
    assert_int_equal(rig_get(&rig, "@DRAW_STATE_BASE"), 0x1234);
    assert_int_equal(rig_get(&rig, "@DRAW_STATE_BASE+0x1"), 0);
    rig_free(&rig);
}

TESTS(groups, before_draws, inside_a_buffer, policies, disabled, header_alone)
