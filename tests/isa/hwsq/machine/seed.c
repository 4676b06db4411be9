/* SPDX-License-Identifier: MIT */
/*
 * The HWSQ notes, statement by statement: each test bears the name of what the notes say. What they leave open is
 * in policies.c.
 */
#include "machine.h"

#include <stdio.h>

static const char *const all[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};
static const char *const two_slots[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50"};

/* --- introduction and registers ---------------------------------------------------------------------------- */

static void present_on_nv17_to_nv20_and_nv25_to_nvc0(void)
{
    assert_non_null(gpucode_hwsq_target(0x17));
    assert_null(gpucode_hwsq_target(0x20));
    assert_non_null(gpucode_hwsq_target(0x25));
    assert_non_null(gpucode_hwsq_target(0xaf));
    assert_null(gpucode_hwsq_target(0xc0));
    static const unsigned char older[] = {0x04, 0x05, 0x10, 0x11, 0x15, 0x16, 0x1a};
    for (unsigned i = 0; i < sizeof older; i++)
        assert_null(gpucode_hwsq_target(older[i]));
}

static void code_ram_is_0x40_0x80_0x100_0x200_bytes(void)
{
    static const unsigned sizes[] = {0x40, 0x80, 0x100, 0x200};
    for (unsigned i = 0; i < 4; i++) {
        char text[64];
        snprintf(text, sizeof text, ".skip %u; exit", sizes[i] - 1); /* the exit in the last byte is reached */
        struct rig rig = rig_up(all[i], text, NULL);
        rig_run(&rig);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
        assert_string_equal(rig.stop.code, "hwsq-end");
        assert_int_equal(gpucode_machine_pc(rig.machine, 0), sizes[i] - 1);
        rig_down(&rig);
        snprintf(text, sizeof text, ".skip %u", sizes[i]); /* and the next one is not there */
        rig = rig_up(all[i], text, NULL);
        assert_int_equal(rig_run(&rig), sizes[i]);
        assert_string_equal(rig.stop.code, "hwsq-run-off");
        rig_down(&rig);
    }
}

static void code_words_are_little_endian(void)
{
    for (unsigned i = 0; i < 4; i++) {
        struct rig rig = rig_up(all[i], ".b8 1, 2, 3, 0x7f", NULL);
        assert_int_equal(rig_read(&rig, 0x1400), 0x7f030201);
        rig_write(&rig, 0x1400, 0x7fa1a07f);
        rig_run(&rig);
        assert_int_equal(gpucode_machine_pc(rig.machine, 0), 0);
        rig_down(&rig);
    }
}

static void code_is_at_0x1400_plus_i(void)
{
    static const uint32_t last[] = {0x143c, 0x147c, 0x14fc, 0x14fc};
    for (unsigned i = 0; i < 4; i++) {
        struct rig rig = rig_up(all[i], "exit", NULL);
        assert_int_equal(rig_read(&rig, last[i]), 0x7f7f7f7f);
        assert_int_equal(rig_read(&rig, last[i] + 4), 0); /* no code RAM there: a plain register */
        rig_write(&rig, last[i], 0x01020304);
        assert_int_equal(rig_read(&rig, last[i]), 0x01020304);
        rig_down(&rig);
    }
}

static void nv92_has_the_window_0x80000_for_all_and_0x1400_for_the_first_0x100(void)
{
    struct rig rig = rig_up("hwsq:nv92", ".skip 0x1fc; .b32 0x7f7f7f00", NULL);
    assert_int_equal(rig_read(&rig, 0x801fc), 0x7f7f7f00);
    rig_write(&rig, 0x80004, 0xaabbccdd);
    assert_int_equal(rig_read(&rig, 0x1404), 0xaabbccdd);
    rig_write(&rig, 0x80100, 0x11223344); /* past the end of the first window */
    assert_int_equal(rig_read(&rig, 0x80100), 0x11223344);
    assert_int_equal(rig_read(&rig, 0x1500), 0);
    assert_int_equal(rig_read(&rig, 0x80200), 0);
    rig_down(&rig);
    rig = rig_up("hwsq:nv50", "exit", NULL);
    assert_int_equal(rig_read(&rig, 0x80000), 0);
    rig_down(&rig);
}

/* --- opcodes ---------------------------------------------------------------------------------------------- */

static void the_first_byte_determines_the_length(void)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned char code[] = {(unsigned char)byte, 0, 0, 0, 0};
        struct gpucode_insn insn;
        bool good = gpucode_decode(gpucode_target_find("hwsq:nv50"), code, sizeof code, 0, &insn) == GPUCODE_OK;
        bool valid = byte < 0x40 || byte == 0x40 || byte == 0x42 || byte == 0x5f || byte == 0x7f ||
                     (byte >= 0x80 && byte < 0xe0) || byte == 0xe0 || byte == 0xe2;
        assert_int_equal(good, valid);
        if (good)
            assert_int_equal(insn.size, byte == 0xe0 || byte == 0xe2                   ? 5
                                        : byte == 0x40 || byte == 0x42 || byte == 0x5f ? 3
                                                                                       : 1);
    }
}

static void events_and_pokes_exist_on_nv41_up_only(void)
{
    static const unsigned char opcodes[] = {0x40, 0x42, 0x5f, 0xe0, 0xe2};
    for (unsigned v = 0; v < 4; v++)
        for (unsigned i = 0; i < sizeof opcodes; i++) {
            unsigned char code[5] = {opcodes[i]};
            struct gpucode_insn insn;
            enum gpucode_status status = gpucode_decode(gpucode_target_find(all[v]), code, 5, 0, &insn);
            assert_int_equal(status, v ? GPUCODE_OK : GPUCODE_ERROR_NO_INSN);
        }
}

/* --- execution ------------------------------------------------------------------------------------------- */

static void execution_begins_at_the_selected_entry_point(void)
{
    static const char code[] = "exit; nop; exit; nop; nop; exit; nop; nop; nop; exit";
    static const unsigned entries[] = {0, 1, 3, 6}, ends[] = {0, 2, 5, 9};
    for (unsigned v = 0; v < 4; v++)
        for (unsigned i = 0; i < 4; i++) {
            struct rig rig = rig_up(all[v], code, SET({"hwsq-start", "none"}));
            rig_write(&rig, ENTRY_POINT, entries[0] | entries[1] << 8 | entries[2] << 16 | entries[3] << 24);
            rig_write(&rig, TRIGGER, 3 | i << 2);
            assert_int_equal(rig_read(&rig, TRIGGER), 0); /* write only */
            assert_int_equal(rig_run(&rig), ends[i] - entries[i] + 1);
            assert_int_equal(gpucode_machine_pc(rig.machine, 0), ends[i]);
            rig_down(&rig);
        }
}

static void entry_point_high_has_bit_8_of_each_on_nv92(void)
{
    static const char code[] = "exit; .size 0x102; nop; exit";
    struct rig rig = rig_up("hwsq:nv92", code, SET({"hwsq-start", "none"}));
    rig_write(&rig, ENTRY_POINT, 0x02000000);
    rig_write(&rig, ENTRY_POINT_HIGH, 0x01000000);
    assert_int_equal(rig_read(&rig, ENTRY_POINT_HIGH), 0x01000000);
    rig_write(&rig, TRIGGER, 1 | 3 << 2);
    assert_int_equal(rig_run(&rig), 2);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 0x103);
    rig_down(&rig);
}

static void trigger_bit_1_selects_the_slot(void)
{
    for (unsigned v = 0; v < 3; v++) {
        struct rig rig = rig_up(two_slots[v], "nop; exit", SET({"hwsq-start", "none"}));
        rig_write(&rig, TRIGGER, 1);
        rig_run(&rig);
        assert_int_equal(gpucode_machine_pc(rig.machine, 0), 0);
        assert_int_equal(gpucode_machine_pc(rig.machine, 1), 1);
        rig_write(&rig, TRIGGER, 3);
        rig_run(&rig);
        assert_int_equal(gpucode_machine_pc(rig.machine, 0), 1);
        assert_string_equal(gpucode_machine_processor(rig.machine, 1), "B");
        rig_down(&rig);
    }
}

static void a_wait_of_one_slot_hangs_the_other(void)
{
    for (unsigned v = 0; v < 3; v++) {
        struct rig rig = rig_up(two_slots[v], "wait 3 shl 4; exit; set1 3; exit",
                                SET({"hwsq-start", "none"}, {"hwsq-entry-points", "0,2"}));
        rig_write(&rig, TRIGGER, 3);          /* A waits 48 units */
        rig_write(&rig, TRIGGER, 1 | 1 << 2); /* B sets a flag */
        gpucode_machine_run(rig.machine, 2, &rig.stop);
        assert_int_equal(gpucode_machine_time(rig.machine), 48 * 32); /* only then did B come to its turn */
        uint32_t value;
        gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_FLAG, 3, &value);
        assert_int_equal(value, 3);
        rig_down(&rig);
    }
}

static void nv92_has_one_slot(void)
{
    struct rig rig = rig_up("hwsq:nv92", "exit", NULL);
    assert_non_null(gpucode_machine_processor(rig.machine, 0));
    assert_null(gpucode_machine_processor(rig.machine, 1));
    rig_down(&rig);
}

static void status_shows_the_next_instruction_also_during_a_wait(void)
{
    for (unsigned v = 0; v < 4; v++) {
        struct rig rig = rig_up(all[v], "nop; wait 1 shl 8; exit", NULL);
        assert_int_equal(rig_read(&rig, STATUS), 0x100); /* running, at 0 */
        gpucode_machine_run(rig.machine, 2, &rig.stop);
        assert_int_equal(gpucode_machine_time(rig.machine), 0);
        assert_int_equal(rig_read(&rig, STATUS), 0x102);
        rig_run(&rig);
        assert_int_equal(rig_read(&rig, STATUS), 0x002); /* at the exit, not running */
        rig_write(&rig, STATUS, 0xffffffff);             /* read only */
        assert_int_equal(rig_read(&rig, STATUS), 0x002);
        if (v >= 2) { /* 8 bits of it */
            rig_write(&rig, ENTRY_POINT, 0xf3);
            rig_write(&rig, TRIGGER, 3);
            assert_int_equal(rig_read(&rig, STATUS), 0x1f3);
        }
        rig_down(&rig);
    }
}

static void exit_does_not_increase_the_ip(void)
{
    struct rig rig = rig_up("hwsq:nv41", "nop; exit; nop", NULL);
    rig_run(&rig);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 1);
    rig_down(&rig);
}

static void status_bits_16_to_31_are_slot_b(void)
{
    struct rig rig = rig_up("hwsq:nv50", "nop; wait 1 shl 8; exit", SET({"hwsq-start", "b"}));
    gpucode_machine_run(rig.machine, 2, &rig.stop);
    assert_int_equal(rig_read(&rig, STATUS), 0x01020000);
    rig_down(&rig);
}

static void status_bit_10_is_bit_8_of_the_ip_on_nv92(void)
{
    struct rig rig = rig_up("hwsq:nv92", ".skip 0x105; exit", NULL);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, STATUS), 0x405);
    rig_down(&rig);
}

static void an_unknown_opcode_hangs_nv41_and_nv50(void)
{
    for (unsigned v = 1; v < 3; v++) {
        struct rig rig = rig_up(all[v], "set1 16; .b8 0x41; exit", NULL);
        assert_int_equal(rig_run(&rig), 2);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_FAULT);
        assert_string_equal(rig.stop.code, "hwsq-hang");
        assert_int_equal(rig_general(&rig, 0, "RUNNING"), 1);
        assert_int_equal(rig_general(&rig, 0, "ILLEGAL"), 1);
        assert_int_equal(rig_run(&rig), 0); /* it stays so until it is aborted */
        /* the pause would keep the host out */
        gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_FLAG, 16, 0);
        assert_int_equal(rig_read(&rig, STATUS), 0x302);
        rig_write(&rig, TRIGGER, 2);
        assert_int_equal(rig_read(&rig, STATUS), 0x002);
        rig_down(&rig);
    }
}

static void an_unknown_opcode_is_a_nop_of_one_byte_on_nv17_and_nv92(void)
{
    for (unsigned v = 0; v < 4; v += 3) {
        struct rig rig = rig_up(all[v], ".b8 0x41, 0xff, 0x7e; exit", NULL);
        assert_int_equal(rig_run(&rig), 4);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
        assert_int_equal(rig_read(&rig, STATUS), 0x003);
        rig_down(&rig);
    }
}

static void abort_ends_execution(void)
{
    struct rig rig = rig_up("hwsq:nv50", "nop; wait 3 shl 30; exit", NULL);
    gpucode_machine_run(rig.machine, 1, &rig.stop);
    rig_write(&rig, TRIGGER, 0); /* slot B, which does not run */
    assert_int_equal(rig_read(&rig, STATUS), 0x101);
    rig_write(&rig, TRIGGER, 2);
    assert_int_equal(rig_read(&rig, STATUS), 0x001);
    assert_int_equal(rig_run(&rig), 0);
    rig_down(&rig);
}

/* --- waits ------------------------------------------------------------------------------------------------- */

static void wait_delays_by_length_shl_twice_shift_times_0x20_clocks(void)
{
    for (unsigned opcode = 0; opcode < 64; opcode++) {
        char text[32];
        snprintf(text, sizeof text, ".b8 %u; exit", opcode);
        struct rig rig = rig_up(all[opcode % 4], text, NULL);
        rig_run(&rig);
        uint64_t units = (uint64_t)(opcode & 3) << (opcode >> 2) * 2;
        assert_int_equal(gpucode_machine_time(rig.machine), units * 0x20);
        rig_down(&rig);
    }
}

static void a_clock_increases_time_by_0x20(void)
{
    struct rig rig = rig_up("hwsq:nv41", "wait 1 shl 30; exit", NULL);
    rig_run(&rig);
    uint64_t time = (uint64_t)rig_read(&rig, 0x9410) << 32 | rig_read(&rig, 0x9400);
    assert_int_equal(time, (UINT64_C(1) << 30) * 32 * 0x20);
    rig_down(&rig);
    rig = rig_up("hwsq:nv41", "wait 3 shl 2; exit", NULL);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, 0x9400), gpucode_machine_time(rig.machine) * 0x20);
    assert_int_equal(rig_read(&rig, 0x9400), 3 * 4 * 32 * 0x20);
    rig_down(&rig);
}

/* --- flags -------------------------------------------------------------------------------------------------- */

static void flags_are_unset_or_forced_to_0_or_1(void)
{
    for (unsigned flag = 0; flag < 32; flag++)
        for (unsigned v = 0; v < 4; v++) {
            char text[64];
            snprintf(text, sizeof text, "set1 %u; set0 %u; unset %u; exit", flag, flag, flag);
            struct rig rig = rig_up(all[v], text, SET({"hwsq-host-lock", "ignore"}));
            uint32_t address = flag < 16 ? FLAGS_0 : FLAGS_1, bit = 1u << flag % 16;
            gpucode_machine_run(rig.machine, 1, &rig.stop);
            assert_int_equal(rig_read(&rig, address), bit | bit << 16);
            gpucode_machine_run(rig.machine, 1, &rig.stop);
            assert_int_equal(rig_read(&rig, address), bit << 16);
            gpucode_machine_run(rig.machine, 1, &rig.stop);
            assert_int_equal(rig_read(&rig, address), 0);
            rig_write(&rig, address, bit | bit << 16); /* as the host may, too */
            assert_int_equal(rig_read(&rig, address), bit | bit << 16);
            assert_int_equal(rig_read(&rig, flag < 16 ? FLAGS_1 : FLAGS_0), 0);
            rig_down(&rig);
        }
}

static void forced_bits_cannot_be_changed_by_normal_means(void)
{
    struct rig rig = rig_up("hwsq:nv17", "set1 0; set0 27; exit", NULL);
    rig_write(&rig, 0x10f0, 0xffffffff);
    rig_run(&rig);
    rig_write(&rig, 0x60081c, 0);
    assert_int_equal(rig_effective(&rig, 0x60081c), 1);
    assert_int_equal(rig_effective(&rig, 0x60281c), 1);
    assert_int_equal(rig_effective(&rig, 0x10f0), 0x7fffffff);
    rig_down(&rig);
}

static void the_known_flags_drive_their_bits(void)
{
    static const struct {
        unsigned flag, bit;
        uint32_t address;
        bool nv41_only;
    } flags[] = {{0, 0, 0x60081c, 0},   {0, 0, 0x60281c, 0},   {1, 1, 0x60081c, 0},   {1, 1, 0x60281c, 0},
                 {2, 4, 0x60081c, 0},   {2, 4, 0x60281c, 0},   {3, 5, 0x60081c, 0},   {3, 5, 0x60281c, 0},
                 {4, 28, 0x680880, 0},  {5, 28, 0x682880, 0},  {6, 29, 0x680880, 0},  {7, 29, 0x682880, 0},
                 {14, 28, 0x60081c, 0}, {14, 28, 0x60281c, 0}, {15, 29, 0x60081c, 0}, {15, 29, 0x60281c, 0},
                 {25, 31, 0x15fc, 1},   {26, 31, 0x15f4, 1},   {27, 31, 0x10f0, 0},   {28, 22, 0x1084, 0},
                 {29, 24, 0x1084, 0},   {30, 26, 0x1084, 0},   {31, 27, 0x1084, 0}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        for (unsigned v = 0; v < 4; v++) {
            char text[32];
            snprintf(text, sizeof text, "set1 %u; exit", flags[i].flag);
            struct rig rig = rig_up(v ? all[v] : "hwsq:nv31", text, NULL);
            rig_run(&rig);
            bool acts = v == 1 || (v == 0 && !flags[i].nv41_only); /* NV17:NV50, NV41:NV50 */
            assert_int_equal(rig_effective(&rig, flags[i].address), acts ? 1u << flags[i].bit : 0);
            rig_down(&rig);
        }
    /* those that only microcode looks at, and those that nobody has described */
    for (unsigned flag = 8; flag < 25; flag += flag == 13 ? 3 : 1)
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
            char text[32];
            snprintf(text, sizeof text, "set1 %u; exit", flag);
            struct rig rig = rig_up(all[flag % 2], text, NULL);
            rig_run(&rig);
            assert_int_equal(rig_effective(&rig, flags[i].address), 0);
            rig_down(&rig);
        }
}

static void without_hwsq_enable_overrides_are_ignored(void)
{
    struct rig rig = rig_up("hwsq:nv17", "set1 0; exit", SET({"hwsq-enable", "0"}));
    rig_run(&rig);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_END); /* programs execute */
    assert_int_equal(rig_read(&rig, FLAGS_0), 0x10001);
    assert_int_equal(rig_effective(&rig, 0x60081c), 0);
    rig_write(&rig, DEBUG_6, 8);
    assert_int_equal(rig_effective(&rig, 0x60081c), 1);
    rig_down(&rig);
}

static void without_hwsq_enable_writes_hang_until_it_is_set(void)
{
    for (unsigned v = 1; v < 4; v++) {
        struct rig rig = rig_up(all[v], "data 5; addr 0x100200; set1 8; exit", SET({"hwsq-enable", "0"}));
        assert_int_equal(rig_run(&rig), 2);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_IDLE);
        assert_string_equal(rig.stop.code, "hwsq-disabled");
        assert_int_equal(rig_read(&rig, 0x100200), 0);
        rig_write(&rig, DEBUG_6, 8);
        assert_int_equal(rig_run(&rig), 2);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
        assert_int_equal(rig_read(&rig, 0x100200), 5);
        rig_down(&rig);
    }
}

static void override_mode_selects_what_the_host_reads(void)
{
    struct rig rig = rig_up("hwsq:nv41", "set1 0; set1 1; exit", NULL);
    rig_write(&rig, 0x60081c, 0x30);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, 0x60081c), 0x30); /* READ_NORMAL */
    rig_write(&rig, DEBUG_6, 0x18);
    assert_int_equal(rig_read(&rig, 0x60081c), 0x33); /* READ_OVERRIDE */
    assert_int_equal(rig_effective(&rig, 0x60081c), 0x33);
    rig_down(&rig);
}

/* --- register writes --------------------------------------------------------------------------------------- */

static void addr_writes_data_to_the_register(void)
{
    struct rig rig = rig_up("hwsq:nv50", "data 0x12345678; addr 0x100200; exit", NULL);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, 0x100200), 0x12345678);
    rig_down(&rig);
}

static void short_forms_keep_the_high_16_bits(void)
{
    struct rig rig = rig_up("hwsq:nv92", "data 0xaaaabbbb; addr 0x100200; datalo 0x1111; addrlo 0x204; exit", NULL);
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, 0x100200), 0xaaaabbbb);
    assert_int_equal(rig_read(&rig, 0x100204), 0xaaaa1111);
    assert_int_equal(rig_general(&rig, 0, "ADDR"), 0x100204);
    assert_int_equal(rig_general(&rig, 0, "DATA"), 0xaaaa1111);
    rig_down(&rig);
}

static bool count(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    (void)event;
    ++*(unsigned *)user;
    return false;
}

static void every_address_opcode_is_a_write(void)
{
    struct rig rig = rig_up("hwsq:nv41", "data 1; addr 0x1002d0; addr 0x1002d0; addrlo 0x2d0; exit", NULL);
    unsigned writes = 0;
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, count, &writes);
    rig_run(&rig);
    assert_int_equal(writes, 3);
    rig_down(&rig);
}

static void addr_and_data_belong_to_the_slot(void)
{
    struct rig rig = rig_up("hwsq:nv50", "data 0x11; addr 0x100200; exit; data 0x22; exit",
                            SET({"hwsq-start", "none"}, {"hwsq-entry-points", "0,11"}));
    rig_write(&rig, TRIGGER, 1 | 1 << 2);
    rig_run(&rig);
    rig_write(&rig, TRIGGER, 3);
    rig_run(&rig);
    assert_int_equal(rig_general(&rig, 0, "DATA"), 0x11);
    assert_int_equal(rig_general(&rig, 1, "DATA"), 0x22);
    assert_int_equal(rig_general(&rig, 1, "ADDR"), 0);
    assert_int_equal(rig_read(&rig, 0x100200), 0x11);
    for (uint32_t address = 0x1300; address < 0x1380; address += 4) { /* no register shows them */
        uint32_t value = rig_read(&rig, address);
        assert_true(value != 0x11 && value != 0x22 && value != 0x100200);
    }
    rig_down(&rig);
}

/* --- events -------------------------------------------------------------------------------------------------- */

static void events_register_shows_all_events(void)
{
    struct rig rig = rig_up("hwsq:nv41", "exit", NULL);
    rig_event(&rig, 2, 1);
    rig_event(&rig, 31, 1);
    assert_int_equal(rig_read(&rig, EVENTS), 0x80000004);
    rig_event(&rig, 31, 0);
    assert_int_equal(rig_read(&rig, EVENTS), 4);
    rig_down(&rig);
}

static void ewait_waits_for_either_value(void)
{
    struct rig rig = rig_up("hwsq:nv50", "ewait #HEAD0_VBLANK 1; ewait #HEAD0_VBLANK 0; exit",
                            SET({"hwsq-schedule", "100:HEAD0_VBLANK=1,250:1=0,400:1=1"}));
    rig_run(&rig);
    assert_int_equal(gpucode_machine_time(rig.machine), 250);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
    rig_down(&rig);
}

static void an_event_that_never_comes_is_waited_for_without_limit(void)
{
    struct rig rig = rig_up("hwsq:nv50", "ewait 7 1; exit", SET({"hwsq-events", "modelled"}));
    assert_int_equal(rig_run(&rig), 1);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_IDLE);
    assert_string_equal(rig.stop.code, "hwsq-event-never");
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 3);
    rig_event(&rig, 7, 1);
    assert_int_equal(rig_run(&rig), 1);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_END);
    rig_down(&rig);
}

static void the_heads_blank_with_their_periods(void)
{
    struct rig rig = rig_up("hwsq:g94", "ewait 1 0; ewait 1 1; ewait 2 1; ewait 3 1; ewait 4 1; exit",
                            SET({"hwsq-head0-vblank", "1000/100"}, {"hwsq-head0-hblank", "64/4/2"},
                                {"hwsq-head1-vblank", "3000/10/1000"}, {"hwsq-head1-hblank", "1us/1"}));
    static const unsigned times[] = {100, 1000, 1022, 2000, 2016};
    for (unsigned i = 0; i < 5; i++) {
        gpucode_machine_run(rig.machine, i ? 1 : 2, &rig.stop); /* the next opcode begins when the wait has ended */
        assert_int_equal(gpucode_machine_time(rig.machine), times[i]);
    }
    rig_down(&rig);
}

/* --- framebuffer pause --------------------------------------------------------------------------------------- */

static const char pause_script[] =
    "set1 #FB_PAUSE; ewait #FB_PAUSED 1; wait 1 shl 4; set0 #FB_PAUSE; ewait #FB_PAUSED 0; exit";

static void pause_takes_time_and_fb_paused_tells(void)
{
    for (unsigned v = 1; v < 4; v++) {
        struct rig rig =
            rig_up(all[v], pause_script,
                   SET({"hwsq-pause-latency", "70"}, {"hwsq-release-latency", "30"}, {"hwsq-host-lock", "ignore"}));
        gpucode_machine_run(rig.machine, 1, &rig.stop);
        assert_int_equal(rig_read(&rig, EVENTS), 0); /* asked for, not completed */
        gpucode_machine_run(rig.machine, 2, &rig.stop);
        assert_int_equal(gpucode_machine_time(rig.machine), 70);
        assert_int_equal(rig_read(&rig, EVENTS), 1);
        rig_run(&rig);
        assert_int_equal(gpucode_machine_time(rig.machine), 70 + 16 * 32 + 30);
        assert_int_equal(rig_read(&rig, EVENTS), 0);
        rig_down(&rig);
    }
}

/* A flag that the debugger writes takes the same time, counted from then. */
static void a_pause_that_is_asked_for_from_outside_takes_time(void)
{
    for (unsigned v = 1; v < 4; v++) {
        struct rig rig =
            rig_up(all[v], "wait 1 shl 4; ewait #FB_PAUSED 1; exit",
                   SET({"hwsq-pause-latency", "70"}, {"hwsq-release-latency", "30"}, {"hwsq-host-lock", "ignore"}));
        gpucode_machine_run(rig.machine, 2, &rig.stop);
        assert_int_equal(gpucode_machine_time(rig.machine), 16 * 32);
        gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_FLAG, 16, 3);
        assert_int_equal(rig_read(&rig, EVENTS), 0);
        rig_run(&rig);
        assert_int_equal(gpucode_machine_time(rig.machine), 16 * 32 + 70);
        gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_FLAG, 16, 2);
        assert_int_equal(rig_read(&rig, EVENTS), 1);
        rig_down(&rig);
    }
}

static void pause_is_active_iff_flag_16_is_forced_to_1(void)
{
    static const struct {
        const char *text;
        bool paused;
    } scripts[] = {{"set1 16; exit", true},
                   {"set0 16; exit", false},
                   {"set1 16; unset 16; exit", false},
                   {"unset 16; exit", false},
                   {"set0 16; set1 16; exit", true}};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct rig rig = rig_up("hwsq:nv41", scripts[i].text, NULL);
        rig_run(&rig);
        assert_int_equal(rig_read(&rig, EVENTS), scripts[i].paused);
        assert_int_equal(rig_effective(&rig, 0x680880), 0); /* it drives no bit of a register */
        rig_down(&rig);
    }
    struct rig rig = rig_up("hwsq:nv17", "set1 16; exit", NULL); /* which has no such flag: nothing is paused */
    rig_run(&rig);
    assert_true(rig_reaches(&rig, STATUS));
    rig_down(&rig);
}

static void pause_is_unaffected_by_hwsq_enable(void)
{
    struct rig rig = rig_up("hwsq:nv41", "set1 16; exit", SET({"hwsq-enable", "0"}));
    rig_run(&rig);
    assert_int_equal(rig_read(&rig, EVENTS), 1);
    rig_down(&rig);
}

static void pause_blocks_memory_on_nv41_and_every_host_access_on_nv50_up(void)
{
    for (unsigned v = 1; v < 4; v++) {
        struct rig rig = rig_up(all[v], "set1 16; ewait 0 1; data 7; addr 0x100200; set0 16; exit", NULL);
        gpucode_machine_run(rig.machine, 4, &rig.stop);
        assert_int_equal(rig_reaches(&rig, STATUS), v == 1);
        assert_int_equal(rig_reaches(&rig, 0x100200), v == 1);
        assert_false(rig_reaches(&rig, 0x700000)); /* PRAMIN is memory */
        rig_run(&rig);
        assert_true(rig_reaches(&rig, STATUS));
        assert_true(rig_reaches(&rig, 0x700000));
        assert_int_equal(rig_read(&rig, 0x100200), 7); /* the sequencer's own writes get through */
        rig_down(&rig);
    }
}

TESTS(seed, present_on_nv17_to_nv20_and_nv25_to_nvc0, code_ram_is_0x40_0x80_0x100_0x200_bytes,
      code_words_are_little_endian, code_is_at_0x1400_plus_i,
      nv92_has_the_window_0x80000_for_all_and_0x1400_for_the_first_0x100, the_first_byte_determines_the_length,
      events_and_pokes_exist_on_nv41_up_only, execution_begins_at_the_selected_entry_point,
      entry_point_high_has_bit_8_of_each_on_nv92, trigger_bit_1_selects_the_slot, a_wait_of_one_slot_hangs_the_other,
      nv92_has_one_slot, status_shows_the_next_instruction_also_during_a_wait, exit_does_not_increase_the_ip,
      status_bits_16_to_31_are_slot_b, status_bit_10_is_bit_8_of_the_ip_on_nv92, an_unknown_opcode_hangs_nv41_and_nv50,
      an_unknown_opcode_is_a_nop_of_one_byte_on_nv17_and_nv92, abort_ends_execution,
      wait_delays_by_length_shl_twice_shift_times_0x20_clocks, a_clock_increases_time_by_0x20,
      flags_are_unset_or_forced_to_0_or_1, forced_bits_cannot_be_changed_by_normal_means,
      the_known_flags_drive_their_bits, without_hwsq_enable_overrides_are_ignored,
      without_hwsq_enable_writes_hang_until_it_is_set, override_mode_selects_what_the_host_reads,
      addr_writes_data_to_the_register, short_forms_keep_the_high_16_bits, every_address_opcode_is_a_write,
      addr_and_data_belong_to_the_slot, events_register_shows_all_events, ewait_waits_for_either_value,
      an_event_that_never_comes_is_waited_for_without_limit, the_heads_blank_with_their_periods,
      pause_takes_time_and_fb_paused_tells, a_pause_that_is_asked_for_from_outside_takes_time,
      pause_is_active_iff_flag_16_is_forced_to_1, pause_is_unaffected_by_hwsq_enable,
      pause_blocks_memory_on_nv41_and_every_host_access_on_nv50_up)
