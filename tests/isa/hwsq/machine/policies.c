/* SPDX-License-Identifier: MIT */
/* The 26 ambiguities of the notes: each a named policy with its default, and what the choices do; the machine
 * interface. */
#include "machine.h"

#include <gpucode/hwsq.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *ambiguity, *preset;
} ambiguities[] = {
    {"hwsq-flag-enables", "A1", "16-31"},
    {"hwsq-events-register", "A2", "nv41-up"},
    {"hwsq-footnotes", "A3", "ignored"},
    {"hwsq-unit", "A4", "microsecond"},
    {"hwsq-clock-ns", "A5", "32"},
    {"hwsq-tick-phase", "A6", "0"},
    {"hwsq-opcode-clocks", "A7", "0"},
    {"hwsq-nop", "A8", "wait-0"},
    {"hwsq-run-off", "A9", "stop"},
    {"hwsq-illegal-ip", "A10", "after"},
    {"hwsq-start-running", "A11", "restart"},
    {"hwsq-slot-order", "A12", "alternate"},
    {"hwsq-addr-data", "A13", "keep"},
    {"hwsq-nv92-slot-bit", "A14", "ignored"},
    {"hwsq-abort-quirk", "A15", "off"},
    {"hwsq-host-write", "A16", "at-once"},
    {"hwsq-entry-sample", "A17", "trigger"},
    {"hwsq-ewait-reserved", "A18", "masked"},
    {"hwsq-unset-value", "A19", "keep"},
    {"hwsq-flag-variants", "A20", "database"},
    {"hwsq-nv92-windows", "A21", "both"},
    {"hwsq-unknown-length", "A22", "1"},
    {"hwsq-other-slot", "A23", "runs"},
    {"hwsq-self-poke", "A24", "acts"},
    {"hwsq-host-width", "A25", "32"},
    {"hwsq-set-direction", "A26", "notes"},
};

static void every_ambiguity_has_a_policy(void)
{
    const struct gpucode_target *target = gpucode_target_find("hwsq:nv41");
    assert_int_equal(sizeof ambiguities / sizeof *ambiguities, 26);
    for (size_t i = 0; i < 26; i++) {
        struct gpucode_policy policy;
        unsigned index = 0;
        while (gpucode_policy_at(target, index, &policy) && strcmp(policy.name, ambiguities[i].name) != 0)
            index++;
        if (!gpucode_policy_at(target, index, &policy))
            fail_msg("no policy %s", ambiguities[i].name);
        assert_string_equal(policy.preset, ambiguities[i].preset);
        char doc[8];
        snprintf(doc, sizeof doc, "%s:", ambiguities[i].ambiguity);
        assert_int_equal(strncmp(policy.doc, doc, strlen(doc)), 0);
    }
}

static void a1_override_enables_are_bits_16_to_31(void)
{
    struct rig rig = rig_up("hwsq:nv17", "set0 15; set1 0; exit", NULL);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, FLAGS_0), 0x80010001);
    rig_down(&rig);
}

static void a2_events_register(void)
{
    static const char *const targets[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};
    for (unsigned only = 0; only < 2; only++)
        for (unsigned v = 0; v < 4; v++) {
            struct rig rig = rig_up(targets[v], "exit", SET({"hwsq-events-register", only ? "nv41-only" : "nv41-up"}));
            rig_event(&rig, 3, 1);
            assert_int_equal(rig_read(&rig, EVENTS), v == 1 || (v > 1 && !only) ? 8 : 0);
            rig_down(&rig);
        }
}

static void a6_a7_clocks_that_are_not_given(void)
{
    struct rig rig = rig_up("hwsq:nv50", "nop; wait 1 shl 0; data 1; addr 0x100200; exit",
                            SET({"hwsq-tick-phase", "1"}, {"hwsq-opcode-clocks", "10"}, {"hwsq-poke-clocks", "100"}));
    rig_run(&rig);
    assert_int_equal(gpucode_machine_time(rig.machine), 33 + 5 * 10 + 100);
    rig_down(&rig);
    rig = rig_up("hwsq:nv50", "nop; wait 1 shl 0; data 1; addr 0x100200; exit", NULL);
    rig_run(&rig);
    assert_int_equal(gpucode_machine_time(rig.machine), 32);
    rig_down(&rig);
}

static void a8_nop_is_a_wait_of_no_length(void)
{
    struct rig rig = rig_up("hwsq:nv17", ".b8 0, 4, 0x3c; exit", NULL);
    assert_int_equal(rig_run(&rig), 4);
    assert_int_equal(gpucode_machine_time(rig.machine), 0);
    rig_down(&rig);
}

static void a9_running_off_the_code_ram(void)
{
    struct rig rig = rig_up("hwsq:nv17", ".skip 64", NULL);
    assert_int_equal(rig_run(&rig), 64);
    assert_string_equal(rig.stop.code, "hwsq-run-off");
    assert_int_equal(rig.stop.pc, 64);
    assert_int_equal(rig_run(&rig), 0);
    assert_string_equal(rig.stop.code, "hwsq-run-off");
    rig_down(&rig);
    rig = rig_up("hwsq:nv41", ".skip 126; .b8 0x42, 0x7f", NULL); /* an operand that crosses the end */
    assert_int_equal(rig_run(&rig), 126);
    assert_string_equal(rig.stop.code, "hwsq-run-off");
    rig_down(&rig);
    /* datalo at the last two bytes takes its third from the first: 0x7f, which is then passed over */
    rig = rig_up("hwsq:nv41", "exit; exit; .skip 124; .b8 0x42, 0x11",
                 SET({"hwsq-run-off", "wrap"}, {"hwsq-entry-points", "126"}));
    assert_int_equal(rig_run(&rig), 2);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
    assert_int_equal(rig_general(&rig, 0, "DATA"), 0x7f11);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 1);
    rig_down(&rig);
}

static void a10_ip_after_an_illegal_opcode(void)
{
    struct rig rig = rig_up("hwsq:nv50", "nop; .b8 0x41", NULL);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, STATUS), 0x302);
    rig_down(&rig);
    rig = rig_up("hwsq:nv50", "nop; .b8 0x41", SET({"hwsq-illegal-ip", "at"}));
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, STATUS), 0x301);
    rig_down(&rig);
}

static void a11_start_of_a_running_slot(void)
{
    for (unsigned ignore = 0; ignore < 2; ignore++) {
        struct rig rig =
            rig_up("hwsq:nv50", "nop; nop; exit", SET({"hwsq-start-running", ignore ? "ignore" : "restart"}));
        gpucode_machine_run(rig.machine, 2, &rig.stop);
        rig_write(&rig, TRIGGER, 3);
        assert_int_equal(gpucode_machine_pc(rig.machine, 0), ignore ? 2 : 0);
        rig_down(&rig);
    }
}

static bool order(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    char *text = user;
    size_t length = strlen(text);
    text[length] = event->processor ? 'B' : 'A';
    text[length + 1] = 0;
    return false;
}

static void a12_order_of_two_slots(void)
{
    for (unsigned complete = 0; complete < 2; complete++) {
        char text[16] = "";
        struct rig rig = rig_up("hwsq:nv17", "nop; nop; exit",
                                SET({"hwsq-start", "both"}, {"hwsq-slot-order", complete ? "complete" : "alternate"}));
        gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, order, text);
        rig_run(&rig);
        assert_string_equal(text, complete ? "AAABBB" : "ABABAB");
        rig_down(&rig);
    }
}

static void a12_a_script_that_has_begun_is_not_interrupted(void)
{
    for (unsigned complete = 0; complete < 2; complete++) {
        char text[32] = "";
        struct rig rig = rig_up("hwsq:nv41", "set1 1; set1 2; set1 3; exit",
                                SET({"hwsq-start", "b"}, {"hwsq-slot-order", complete ? "complete" : "alternate"}));
        struct gpucode_stop stop;
        gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, order, text);
        gpucode_machine_run(rig.machine, 1, &stop);
        rig_write(&rig, TRIGGER, 3); /* A starts while B is in the middle */
        rig_run(&rig);
        rig_write(&rig, TRIGGER, 1);
        rig_write(&rig, TRIGGER, 3); /* neither has begun: A goes first */
        gpucode_machine_run(rig.machine, 1, &stop);
        assert_string_equal(text, complete ? "BBBBAAAAA" : "BABABABAB");
        rig_down(&rig);
    }
}

static void a13_addr_and_data_over_runs(void)
{
    for (unsigned clear = 0; clear < 2; clear++) {
        struct rig rig = rig_up("hwsq:nv92", "data 0x12345678; exit; datalo 1; exit",
                                SET({"hwsq-addr-data", clear ? "clear" : "keep"}, {"hwsq-entry-points", "0,6"}));
        assert_int_equal(rig_general(&rig, 0, "DATA"), 0);
        rig_run(&rig);
        rig_write(&rig, TRIGGER, 1 | 1 << 2);
        rig_run(&rig);
        assert_int_equal(rig_general(&rig, 0, "DATA"), clear ? 1 : 0x12340001);
        rig_down(&rig);
    }
}

static void a14_slot_bit_is_ignored_with_one_slot(void)
{
    for (unsigned bit = 0; bit < 2; bit++) {
        struct rig rig = rig_up("hwsq:nv92", "wait 1 shl 4; exit", SET({"hwsq-start", "none"}));
        rig_write(&rig, TRIGGER, 1 | bit << 1);
        assert_int_equal(rig_general(&rig, 0, "RUNNING"), 1);
        rig_write(&rig, TRIGGER, bit << 1);
        assert_int_equal(rig_general(&rig, 0, "RUNNING"), 0);
        rig_down(&rig);
    }
}

static void a15_a_second_abort_is_needed(void)
{
    static const char *const scripts[] = {"wait 1 shl 8; exit", "ewait 7 1; exit"};
    for (unsigned s = 0; s < 2; s++)
        for (unsigned v = 0; v < 4; v++) {
            static const char *const targets[] = {"hwsq:nv41", "hwsq:nv50", "hwsq:nv92", "hwsq:nv41"};
            if (v == 2 && s == 1)
                continue;
            struct rig rig = rig_up(targets[v], scripts[s],
                                    SET({"hwsq-abort-quirk", v == 3 ? "off" : "on"}, {"hwsq-events", "modelled"}));
            gpucode_machine_run(rig.machine, 1, &rig.stop);
            rig_write(&rig, TRIGGER, 2);
            bool quirk = v < 2;
            assert_int_equal(rig_general(&rig, 0, "RUNNING"), quirk);
            assert_int_equal(rig_general(&rig, 0, "ILLEGAL"), quirk);
            rig_write(&rig, TRIGGER, 2);
            assert_int_equal(rig_general(&rig, 0, "RUNNING"), 0);
            assert_int_equal(rig_general(&rig, 0, "ILLEGAL"), 0);
            rig_down(&rig);
        }
}

static void a16_host_writes_while_running(void)
{
    struct rig rig = rig_up("hwsq:nv17", "nop; nop; exit", NULL);
    rig_write(&rig, 0x1400, 0x7f7f7f00);
    rig_write(&rig, FLAGS_1, 0x00010001);
    assert_int_equal(rig_run(&rig), 2);
    assert_int_equal(rig_read(&rig, FLAGS_1), 0x00010001);
    rig_down(&rig);
    rig = rig_up("hwsq:nv17", "nop; nop; exit", SET({"hwsq-host-write", "when-stopped"}));
    assert_int_equal(gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_GPU, 0x1400, 0), GPUCODE_ERROR_RANGE);
    assert_int_equal(rig_run(&rig), 3);
    rig_write(&rig, 0x1400, 0);
    rig_down(&rig);
}

static void a17_entry_point_is_read_at_the_trigger(void)
{
    struct rig rig = rig_up("hwsq:nv17", "nop; nop; exit", SET({"hwsq-start", "none"}));
    rig_write(&rig, TRIGGER, 3);
    rig_write(&rig, ENTRY_POINT, 2);
    assert_int_equal(rig_run(&rig), 3);
    rig_down(&rig);
}

static void a18_reserved_bits_of_ewait(void)
{
    struct rig rig = rig_up("hwsq:nv50", ".b8 0x5f, 0xe1, 0xfe; exit", SET({"hwsq-schedule", "40:1=1,90:1=0"}));
    rig_event(&rig, 1, 0); /* e1 is event 1, fe the value 0 */
    assert_int_equal(rig_run(&rig), 2);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
    rig_down(&rig);
    rig = rig_up("hwsq:nv50", ".b8 0x5f, 0xe1, 0xfe; exit", SET({"hwsq-ewait-reserved", "illegal"}));
    rig_run(&rig);
    assert_string_equal(rig.stop.code, "hwsq-hang");
    rig_down(&rig);
    rig = rig_up("hwsq:nv41", "exit", NULL);
    for (unsigned event = 5; event < 32; event++) {
        uint32_t value = 1;
        assert_int_equal(gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_EVENT, event, &value), GPUCODE_OK);
        assert_int_equal(value, 0);
    }
    rig_down(&rig);
}

static void a19_value_of_an_unset_flag(void)
{
    for (unsigned clear = 0; clear < 2; clear++) {
        struct rig rig =
            rig_up("hwsq:nv17", "set1 3; unset 3; exit", SET({"hwsq-unset-value", clear ? "clear" : "keep"}));
        gpucode_machine_run(rig.machine, 1, &rig.stop);
        rig_run(&rig);
        assert_int_equal(rig_read(&rig, FLAGS_0), clear ? 0 : 8);
        rig_down(&rig);
    }
}

static uint32_t flag_bits(const char *target, const char *choice, uint32_t address)
{
    struct rig rig = rig_up(target, "set1 4; set1 6; set1 14; set1 15; exit", SET({"hwsq-flag-variants", choice}));
    rig_run(&rig);
    uint32_t value = rig_effective(&rig, address);
    rig_down(&rig);
    return value;
}

static void a20_flags_of_some_chipsets(void)
{
    static const struct {
        const char *target;
        uint32_t database, notes, names; /* bits of flags 4 and 6 */
        bool has_14;                     /* flags 14 and 15 act in the first two */
    } rows[] = {
        {"hwsq:nv17", 3, 3, 3, false}, {"hwsq:nv30", 3, 3, 3, false}, {"hwsq:nv35", 3, 3, 3, false},
        {"hwsq:nv31", 3, 3, 3, true},  {"hwsq:nv34", 3, 3, 3, true},  {"hwsq:nv40", 3, 2, 3, true},
        {"hwsq:nv45", 3, 2, 3, true},  {"hwsq:nv41", 3, 2, 3, true},  {"hwsq:g73", 3, 2, 3, true},
        {"hwsq:nv50", 0, 0, 0, false}, {"hwsq:g94", 0, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(flag_bits(rows[i].target, "database", 0x680880), rows[i].database << 28);
        assert_int_equal(flag_bits(rows[i].target, "notes", 0x680880), rows[i].notes << 28);
        assert_int_equal(flag_bits(rows[i].target, "names", 0x680880), rows[i].names << 28);
        assert_int_equal(flag_bits(rows[i].target, "database", 0x60081c), rows[i].has_14 ? 3u << 28 : 0);
        assert_int_equal(flag_bits(rows[i].target, "notes", 0x60281c), rows[i].has_14 ? 3u << 28 : 0);
        assert_int_equal(flag_bits(rows[i].target, "names", 0x60281c), rows[i].names ? 3u << 28 : 0);
    }
}

/* What nobody but the debugger sees while memory is paused. */
static void own_registers_while_paused(void)
{
    struct rig rig = rig_up("hwsq:nv50", "set1 16; set1 1; wait 0x1 shl 0x0; exit", NULL);
    gpucode_machine_run(rig.machine, 3, &rig.stop);
    assert_false(rig_reaches(&rig, STATUS));
    assert_int_equal(rig_effective(&rig, STATUS), 0x103);
    assert_int_equal(rig_effective(&rig, FLAGS_0), 0x20002);
    assert_int_equal(rig_effective(&rig, FLAGS_1), 0x10001);
    assert_int_equal(rig_effective(&rig, 0x1400), 0x7f01a1b0);
    assert_int_equal(rig_effective(&rig, DEBUG_6), 8);
    rig_down(&rig);
}

static void a21_windows_of_nv92(void)
{
    static const char *const values[] = {"both", "old", "new"};
    for (unsigned i = 0; i < 3; i++) {
        struct rig rig = rig_up("hwsq:g92", "exit", SET({"hwsq-nv92-windows", values[i]}));
        assert_int_equal(rig_read(&rig, 0x1400) != 0, i != 2);
        assert_int_equal(rig_read(&rig, 0x80000) != 0, i != 1);
        rig_down(&rig);
    }
}

static void a22_operands_of_an_unknown_opcode_are_instructions(void)
{
    struct rig rig = rig_up("hwsq:nv17", ".b8 0xe2, 0xa3, 0, 0, 0; exit", NULL);
    assert_int_equal(rig_run(&rig), 6);
    assert_int_equal(rig_read(&rig, FLAGS_0), 0x80008);
    rig_down(&rig);
}

static void a23_the_other_slot_of_one_that_hangs(void)
{
    for (unsigned waits = 0; waits < 2; waits++) {
        struct rig rig = rig_up(
            "hwsq:nv50", ".b8 0x41; set1 2; exit",
            SET({"hwsq-start", "none"}, {"hwsq-entry-points", "0,1"}, {"hwsq-other-slot", waits ? "waits" : "runs"}));
        rig_write(&rig, TRIGGER, 3);
        rig_write(&rig, TRIGGER, 1 | 1 << 2);
        rig_run(&rig);
        assert_int_equal(rig_read(&rig, FLAGS_0), waits ? 0 : 0x40004);
        assert_int_equal(rig_read(&rig, STATUS) & 0xff00ffff, waits ? 0x01000301 : 0x00000301);
        rig_down(&rig);
    }
}

static void a24_scripts_that_write_hwsqs_registers(void)
{
    struct rig rig = rig_up("hwsq:nv50", "data 0x10; addr PBUS.DEBUG_6; addr 0x100200; exit", NULL);
    rig_run(&rig); /* it has cleared HWSQ_ENABLE: the next write blocks */
    assert_string_equal(rig.stop.code, "hwsq-disabled");
    assert_int_equal(rig_read(&rig, DEBUG_6), 0x10);
    rig_down(&rig);
    rig = rig_up("hwsq:nv50", "data 0x10; addr PBUS.DEBUG_6; addr 0x100200; exit", SET({"hwsq-self-poke", "ignored"}));
    rig_run(&rig);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
    assert_int_equal(rig_read(&rig, DEBUG_6), 8);
    rig_down(&rig);
    /* it rewrites what comes next: exit instead of nops */
    rig = rig_up("hwsq:nv92", "data 0x7f7f7f7f; addr 0x8000c; nop; nop; nop; nop; nop", NULL);
    assert_int_equal(rig_run(&rig), 5);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 12);
    rig_down(&rig);
}

/* A script that has paused memory and writes to it waits for itself. */
static void writes_to_memory_while_it_is_paused(void)
{
    static const char script[] = "data 7; set1 16; ewait 0 1; addr 0x700010; set0 16; ewait 0 0; exit";
    static const struct {
        const char *target, *script, *poke, *windows, *latency, *code;
        uint64_t clocks; /* when it ends */
    } cases[] = {
        {"hwsq:nv41", script, "paused", "0x700000-0x7fffff", "0", "hwsq-memory-paused", 0},
        {"hwsq:nv50", script, "paused", "0x700000-0x7fffff", "100", "hwsq-memory-paused", 100},
        {"hwsq:nv92", script, "never", "0x700000-0x7fffff", "0", "hwsq-end", 0},
        {"hwsq:nv92", script, "paused", "0x1550-0x1560,0x60000-0x60fff", "0", "hwsq-end", 0},
        {"hwsq:nv92", script, "paused", "0-3,0x700010-0x700010", "0", "hwsq-memory-paused", 0},
        /* not paused yet: it may still get through */
        {"hwsq:nv50", "data 7; set1 16; addr 0x700010; set0 16; exit", "paused", "0x700000-0x7fffff", "100", "hwsq-end",
         0},
        {"hwsq:nv50", "data 7; set1 16; addr 0x700010; set0 16; exit", "asked", "0x700000-0x7fffff", "100",
         "hwsq-memory-paused", 0},
        /* released, it waits until memory is back; registers are not memory */
        {"hwsq:nv50", "data 7; set1 16; ewait 0 1; addr 0x100200; set0 16; addr 0x7ffffc; exit", "paused",
         "0x700000-0x7fffff", "100", "hwsq-end", 200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig =
            rig_up(cases[i].target, cases[i].script,
                   SET({"hwsq-memory-poke", cases[i].poke}, {"hwsq-memory-windows", cases[i].windows},
                       {"hwsq-pause-latency", cases[i].latency}, {"hwsq-release-latency", cases[i].latency}));
        rig_run(&rig);
        assert_string_equal(rig.stop.code, cases[i].code);
        assert_int_equal(gpucode_machine_time(rig.machine), cases[i].clocks);
        rig_run(&rig); /* and stays so */
        assert_string_equal(rig.stop.code, cases[i].code);
        rig_down(&rig);
    }
}

static void a25_host_accesses_are_32_bits(void)
{
    struct rig rig = rig_up("hwsq:nv50", "exit", NULL);
    uint32_t value;
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GPU, 0x1400 + i, &value),
                         GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_GPU, 0x1400 + i, 0), GPUCODE_ERROR_RANGE);
    }
    rig_down(&rig);
}

static void a26_direction_of_set(void)
{
    for (unsigned swapped = 0; swapped < 2; swapped++) {
        struct rig rig =
            rig_up("hwsq:nv17", ".b8 0xa0, 0xc1; exit", SET({"hwsq-set-direction", swapped ? "swapped" : "notes"}));
        rig_run(&rig);
        assert_int_equal(rig_read(&rig, FLAGS_0), swapped ? 0x30002 : 0x30001);
        rig_down(&rig);
    }
}

/* --- settings and the machine interface ---------------------------------------------------------------------- */

static void settings_that_make_no_sense(void)
{
    static const unsigned char code[300] = {0x7f};
    static const struct gpucode_setting wrong[][2] = {
        {{"hwsq-schedule", "1"}, {0}},
        {{"hwsq-schedule", "1:32=1"}, {0}},
        {{"hwsq-schedule", "1:1=2"}, {0}},
        {{"hwsq-schedule", "1:X=1"}, {0}},
        {{"hwsq-schedule", "1:4294967297=1"}, {0}},
        {{"hwsq-schedule", "7:1=1,9:1=1,7:1=0"}, {0}},
        {{"hwsq-schedule", "1:1=1,"}, {0}},
        {{"hwsq-schedule", "1:1=1 "}, {0}},
        {{"hwsq-head0-vblank", "10"}, {0}},
        {{"hwsq-head0-vblank", "10/10"}, {0}},
        {{"hwsq-head0-vblank", "0/0"}, {0}},
        {{"hwsq-head1-hblank", "10/x"}, {0}},
        {{"hwsq-entry-points", "1,2,3,4,5"}, {0}},
        {{"hwsq-entry-points", "x"}, {0}},
        {{"hwsq-entry", "4"}, {0}},
        {{"hwsq-pause-latency", "-1"}, {0}},
        {{"hwsq-pause-latency", "0x100000000"}, {0}},
        {{"hwsq-memory-windows", "7"}, {0}},
        {{"hwsq-memory-windows", "1-0"}, {0}},
        {{"hwsq-memory-windows", "0-1,"}, {0}},
        {{"hwsq-memory-windows", "0-1,2-3,4-5,6-7,8-9,10-11,12-13,14-15,16-17"}, {0}},
        {{"hwsq-nothing", "1"}, {0}},
        {{"hwsq-entry-points", "0x10000"}, {0}},
        {{"hwsq-memory-windows", "0-0x100000000"}, {0}},
        {{"hwsq-head0-vblank", "0x0800000000000001us/1"}, {0}}, /* 2^64 clocks and 32 more */
    };
    static const struct gpucode_setting right[][2] = {
        {{"hwsq-schedule", "1:0=1,2:9=1,3:31=1"}, {0}},
        {{"hwsq-entry-points", "0xffff,65535"}, {0}},
        {{"hwsq-memory-windows", "7-7,0xffffffff-0xffffffff"}, {0}},
        {{"hwsq-pause-latency", "0xffffffff"}, {0}},
    };
    struct gpucode_image *image = image_of("hwsq:nv50", code, 4);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct told told;
        struct gpucode_machine_options options = {.policies = wrong[i], .on_diagnostic = told_handler(&told)};
        struct gpucode_machine *machine;
        if (gpucode_machine_create(image, &options, &machine) != GPUCODE_ERROR_INPUT)
            fail_msg("%s=%s", wrong[i][0].name, wrong[i][0].value);
        assert_true(strcmp(told.codes, "policy-value ") == 0 || strcmp(told.codes, "no-policy ") == 0);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct gpucode_machine_options options = {.policies = right[i]};
        struct gpucode_machine *machine;
        if (gpucode_machine_create(image, &options, &machine) != GPUCODE_OK)
            fail_msg("%s=%s", right[i][0].name, right[i][0].value);
        gpucode_machine_free(machine);
    }
    gpucode_image_free(image);
    image = image_of("hwsq:nv50", code, 300);
    struct told told;
    struct gpucode_machine_options options = {.on_diagnostic = told_handler(&told)};
    struct gpucode_machine *machine;
    assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_ERROR_INPUT);
    assert_string_equal(told.codes, "hwsq-script-large ");
    gpucode_image_free(image);
}

/* The largest code that a machine takes when it may be larger than its RAM, and one byte more. */
static void oversize(void)
{
    enum { MOST = 16 << 20 };
    unsigned char *code = calloc(1, MOST + 1);
    assert_non_null(code);
    code[MOST - 1] = 0x7f;
    for (unsigned more = 0; more < 2; more++) {
        struct gpucode_image *image = image_of("hwsq:nv50", code, MOST + more);
        struct told told;
        struct gpucode_machine_options options = {.policies = SET({"hwsq-oversize", "yes"}),
                                                  .on_diagnostic = told_handler(&told)};
        struct gpucode_machine *machine;
        struct gpucode_stop stop;
        enum gpucode_status status = gpucode_machine_create(image, &options, &machine);
        assert_int_equal(status, more ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        assert_string_equal(told.codes, more ? "hwsq-script-large " : "");
        if (!more) {
            assert_int_equal(gpucode_machine_set_pc(machine, 0, MOST), GPUCODE_ERROR_RANGE);
            assert_int_equal(gpucode_machine_set_pc(machine, 0, MOST - 1), GPUCODE_OK);
            assert_int_equal(gpucode_machine_run(machine, 2, &stop), 1);
            assert_int_equal(stop.reason, GPUCODE_STOP_END);
            gpucode_machine_free(machine);
        }
        gpucode_image_free(image);
    }
    free(code);
}

static void snapshots(void)
{
    struct rig rig =
        rig_up("hwsq:nv50", "data 1; addr 0x100200; wait 1 shl 2; datalo 2; addrlo 0x200; set1 3; exit", NULL);
    gpucode_machine_run(rig.machine, 3, &rig.stop);
    struct gpucode_snapshot *snapshot;
    assert_int_equal(gpucode_machine_snapshot(rig.machine, &snapshot), GPUCODE_OK);
    for (unsigned round = 0; round < 3; round++) {
        assert_int_equal(rig_read(&rig, 0x100200), 1);
        assert_int_equal(rig_read(&rig, FLAGS_0), 0);
        assert_int_equal(gpucode_machine_time(rig.machine), 0);
        assert_int_equal(rig_run(&rig), 4);
        assert_int_equal(rig_read(&rig, 0x100200), 2);
        assert_int_equal(rig_read(&rig, FLAGS_0), 0x80008);
        assert_int_equal(gpucode_machine_time(rig.machine), 128);
        assert_int_equal(gpucode_machine_restore(rig.machine, snapshot), GPUCODE_OK);
    }
    gpucode_snapshot_free(snapshot);
    rig_down(&rig);
}

static bool stop_here(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)user;
    (void)machine;
    (void)event;
    return true;
}

static void breakpoints_hooks_and_coverage(void)
{
    struct rig rig = rig_up("hwsq:nv41", "nop; data 1; addr 0x100200; set1 16; exit", NULL);
    assert_int_equal(gpucode_machine_break(rig.machine, 0, 6, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(rig.machine, 0, 0x80, true), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_coverage(rig.machine, true), GPUCODE_OK);
    assert_int_equal(rig_run(&rig), 2);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_BREAKPOINT);
    assert_int_equal(rig.stop.pc, 6);
    size_t units;
    const uint8_t *covered = gpucode_machine_covered(rig.machine, 0, &units);
    assert_int_equal(units, 0x80);
    assert_memory_equal(covered, "\1\1\0\0\0\0\0", 7);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, stop_here, NULL);
    assert_int_equal(rig_run(&rig), 1); /* goes on from the breakpoint, stops after the write */
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_HOOK);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 11);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, stop_here, NULL);
    assert_int_equal(rig_run(&rig), 0);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_HOOK);
    assert_int_equal(rig_run(&rig), 1); /* before the next */
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 12);
    gpucode_machine_hook(rig.machine, 0, NULL, NULL);
    assert_int_equal(gpucode_machine_set_pc(rig.machine, 0, 0), GPUCODE_OK);
    assert_int_equal(gpucode_machine_step(rig.machine, 0, &rig.stop), 1);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 1);
    rig_down(&rig);
}

static void registers_by_name(void)
{
    static const struct {
        const char *name;
        unsigned space;
        uint32_t number;
        const char *back;
    } names[] = {{"#FB_PAUSE", GPUCODE_SPACE_FLAG, 16, "FB_PAUSE"},
                 {"FB_PAUSED", GPUCODE_SPACE_EVENT, 0, "FB_PAUSED"},
                 {"CRTC1_VBLANK", GPUCODE_SPACE_EVENT, 3, "HEAD1_VBLANK"},
                 {"PFB.CFG0", GPUCODE_SPACE_GPU, 0x100200, "PFB.CFG0"},
                 {"0x1308", GPUCODE_SPACE_GPU, 0x1308, "PBUS.HWSQ.STATUS"},
                 {"DATA", GPUCODE_SPACE_GENERAL, 4, "DATA"},
                 {"event5", GPUCODE_SPACE_EVENT, 5, NULL},
                 {"#EVENT31", GPUCODE_SPACE_EVENT, 31, NULL},
                 {"Flag16", GPUCODE_SPACE_FLAG, 16, "FB_PAUSE"},
                 {"event9", GPUCODE_SPACE_EVENT, 9, NULL},
                 {"event10", GPUCODE_SPACE_EVENT, 10, NULL},
                 {"EVENT29", GPUCODE_SPACE_EVENT, 29, NULL},
                 {"event0", GPUCODE_SPACE_EVENT, 0, "FB_PAUSED"},
                 {"0xffffffff", GPUCODE_SPACE_GPU, 0xffffffff, NULL}};
    struct rig rig = rig_up("hwsq:nv50", "exit", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned space = 99;
        uint32_t number = 99;
        assert_true(gpucode_machine_find(rig.machine, names[i].name, &space, &number));
        assert_int_equal(space, names[i].space);
        assert_int_equal(number, names[i].number);
        char text[GPUCODE_NAME_MAX];
        size_t length = gpucode_machine_name(rig.machine, space, number, text, sizeof text);
        assert_int_equal(length > 0, names[i].back != NULL);
        if (names[i].back)
            assert_string_equal(text, names[i].back);
    }
    unsigned space;
    uint32_t number;
    static const char *const none[] = {
        "",       "#",       "NOTHING", "#PFB.CFG0", "0x100000000", "12x",    "event",   "event32",
        "flag05", "event1x", "flag100", "flag:",     "event/",      "flag1:", "event1/", "event0x"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(gpucode_machine_find(rig.machine, none[i], &space, &number));
    /* flags have an enable bit and a value; events are driven to 0 or 1, or let go */
    static const struct {
        unsigned space;
        uint32_t number, most;
    } values[] = {{GPUCODE_SPACE_FLAG, 31, 3}, {GPUCODE_SPACE_EVENT, 31, 2}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t last = values[i].number, most = values[i].most;
        assert_int_equal(gpucode_machine_write(rig.machine, 0, values[i].space, last, most), GPUCODE_OK);
        assert_int_equal(gpucode_machine_write(rig.machine, 0, values[i].space, last, most + 1), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_write(rig.machine, 0, values[i].space, last + 1, 0), GPUCODE_ERROR_RANGE);
    }
    rig_down(&rig);
}

/* Opcodes, and event waits that wait or do not, are edges. */
static void edges(void)
{
    uint8_t maps[2][1024] = {{0}};
    unsigned counts[2] = {0};
    for (unsigned waits = 0; waits < 2; waits++) {
        struct rig rig = rig_up("hwsq:nv50", "ewait 0x5 0x1\nexit\n",
                                waits ? SET({"hwsq-schedule", "0:5=0,100:5=1"}) : SET({"hwsq-events", "modelled"}));
        if (!waits)
            rig_event(&rig, 5, 1);
        assert_int_equal(gpucode_machine_edges(rig.machine, maps[waits], sizeof maps[waits]), GPUCODE_OK);
        rig_run(&rig);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
        assert_int_equal(gpucode_machine_edge_count(rig.machine), 0);
        for (unsigned i = 0; i < sizeof maps[waits]; i++)
            counts[waits] += maps[waits][i];
        rig_down(&rig);
    }
    assert_int_equal(counts[0], 3); /* two opcodes and the end of the wait */
    assert_int_equal(counts[1], 3);
    assert_memory_not_equal(maps[0], maps[1], sizeof maps[0]);
}

static bool append(void *user, const char *bytes, size_t size)
{
    strncat(user, bytes, size);
    return true;
}

/* What a script does is told from where the machine stands, and as far as it may go. */
static void explained(void)
{
    char text[512] = "";
    const struct gpucode_answer_options options = {.write = append, .user = text};
    struct gpucode_answer *answer = gpucode_answer_create();
    struct rig rig = rig_up("hwsq:nv50", "set1 #FB_PAUSE\newait #FB_PAUSED 1\nwait 2us\nset0 #FB_PAUSE\nexit\n", NULL);
    assert_int_equal(gpucode_machine_run(rig.machine, 2, &rig.stop), 2);
    assert_int_equal(gpucode_hwsq_explain(rig.machine, "a.hwsq", 1, answer), GPUCODE_OK);
    assert_int_equal(gpucode_answer_render(answer, &options), GPUCODE_OK);
    assert_string_equal(text, "hwsq:nv50, 7 bytes\n0x4    Waits 2 us.\n"
                              "0x5    Does not come to an end: the limit of opcodes is reached.\n");
    gpucode_answer_free(answer);
    assert_int_equal(gpucode_hwsq_explain(NULL, NULL, 1, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_string_equal(gpucode_hwsq_explain_table()->name, "explain");
    rig_down(&rig);
}

TESTS(policies, edges, every_ambiguity_has_a_policy, a1_override_enables_are_bits_16_to_31, a2_events_register,
      a6_a7_clocks_that_are_not_given, a8_nop_is_a_wait_of_no_length, a9_running_off_the_code_ram,
      a10_ip_after_an_illegal_opcode, a11_start_of_a_running_slot, a12_order_of_two_slots,
      a12_a_script_that_has_begun_is_not_interrupted, a13_addr_and_data_over_runs,
      a14_slot_bit_is_ignored_with_one_slot, a15_a_second_abort_is_needed, a16_host_writes_while_running,
      a17_entry_point_is_read_at_the_trigger, a18_reserved_bits_of_ewait, a19_value_of_an_unset_flag,
      a20_flags_of_some_chipsets, own_registers_while_paused, a21_windows_of_nv92,
      a22_operands_of_an_unknown_opcode_are_instructions, a23_the_other_slot_of_one_that_hangs,
      a24_scripts_that_write_hwsqs_registers, writes_to_memory_while_it_is_paused, a25_host_accesses_are_32_bits,
      a26_direction_of_set, settings_that_make_no_sense, oversize, snapshots, breakpoints_hooks_and_coverage,
      registers_by_name, explained)
