/* SPDX-License-Identifier: MIT */
/* What comes before what: sources and offset registers, a waitin in a delay slot and iret, repetitions and observers.
 */
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static uint32_t run_with(const char *policy, const char *value, const char *text, const uint32_t *payload,
                         unsigned count, const char *name)
{
    const struct gpucode_setting settings[] = {{value ? policy : NULL, value}, {NULL, NULL}};
    struct rig rig;
    program_make(&rig, A6XX, text, payload, count, settings);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    uint32_t result = rig_get(&rig, name);
    rig_free(&rig);
    return result;
}

/* The source is the offset register: the value before its step, or after it. */
static void increment(void)
{
    static const char cwrite[] = "mov $05, 0x200\ncwrite $05, [$05 + 0x4]!\ncread $06, [$00 + 0x204]\n";
    static const char swrite[] = "mov $05, 0x6\nswrite $05, [$05 + 0x4]!\nsread $06, [$00 + 0x00a]\n";
    static const char store[] = "mov $05, 0x20 << 16\nstore $05, [$05 + 0x4]!\nload $06, [$05 + 0x0]\n";
    assert_int_equal(run_with("afuc-increment", NULL, cwrite, NULL, 0, "$06"), 0x200);
    assert_int_equal(run_with("afuc-increment", NULL, swrite, NULL, 0, "$06"), 6);
    assert_int_equal(run_with("afuc-increment", NULL, store, NULL, 0, "$06"), 0x200004);
    assert_int_equal(run_with("afuc-increment", "before", cwrite, NULL, 0, "$06"), 0x200);
    assert_int_equal(run_with("afuc-increment", "before", swrite, NULL, 0, "$06"), 6);
    assert_int_equal(run_with("afuc-increment", "before", store, NULL, 0, "$06"), 0x200000);
    assert_int_equal(run_with("afuc-increment", "after", cwrite, NULL, 0, "$06"), 0x204);
    assert_int_equal(run_with("afuc-increment", "after", swrite, NULL, 0, "$06"), 10);
    assert_int_equal(run_with("afuc-increment", "after", store, NULL, 0, "$06"), 0x200004);
    /* the step itself is the same */
    assert_int_equal(run_with("afuc-increment", NULL, cwrite, NULL, 0, "$05"), 0x204);
    assert_int_equal(run_with("afuc-increment", "after", cwrite, NULL, 0, "$05"), 0x204);
}

/* Taking a word from $data lowers $rem, which may be the other operand. */
static void rem(void)
{
    static const char cwrite[] = "cwrite $data, [$rem + 0x200]\ncread $06, [$00 + 0x201]\ncread $07, [$00 + 0x202]\n"
                                 "(rep)mov $00, $data\n";
    assert_int_equal(run_with("afuc-increment", NULL, cwrite, WORDS(0x55, 0x66), "$06"), 0x55);
    assert_int_equal(run_with("afuc-increment", NULL, cwrite, WORDS(0x55, 0x66), "$07"), 0);
    assert_int_equal(run_with("afuc-increment", "after", cwrite, WORDS(0x55, 0x66), "$07"), 0x55);
    static const char add[] = "sub $06, $data, $rem\n(rep)mov $00, $data\n";
    assert_int_equal(run_with("afuc-sources", NULL, add, WORDS(0x55, 0x66), "$06"), 0x54);
    assert_int_equal(run_with("afuc-sources", "second", add, WORDS(0x55, 0x66), "$06"), 0x53);
    static const char both[] = "sub $06, $data, $data\n";
    assert_int_equal(run_with("afuc-sources", "first", both, WORDS(0x55, 0x11), "$06"), 0x44);
    assert_int_equal(run_with("afuc-sources", "second", both, WORDS(0x11, 0x55), "$06"), 0x44);
}

/* A waitin in the delay slot of a taken branch, with the preemption entry in between: the target still comes after it.
 */
static void resumed_waitin(void)
{
    static const char text[] = "mov $02, #enter\nswrite $02, [$00 + %PREEMPT_INSTR]\n"
                               "mov $03, 0x2\nmov $02, 0x1\ncwrite $02, [$00 + @PREEMPT_TRIGGER]\njump #away\nwaitin\n"
                               "mov $04, 0x1\n"
                               "enter: sub $03, $03, 0x1\nbrne $03, 0x0, #again\nadd $05, $05, 0x1\n"
                               "cwrite $00, [$00 + @PREEMPT_TRIGGER]\nagain: iret\nnop\n"
                               "away: mov $01, $data\nnop\n";
    struct rig rig;
    program_make(&rig, A6XX, text, NULL, 0, NULL);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig.stop.pc, 16);         /* `away` is the delay slot of the waitin */
    assert_int_equal(rig_get(&rig, "$05"), 2); /* the trigger was still set the first time */
    assert_int_equal(rig_get(&rig, "$04"), 0);
    rig_free(&rig);
}

static bool count_pc(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    ((unsigned *)user)[event->kind == GPUCODE_EVENT_INSN ? event->pc : 15]++;
    return false;
}

/* However long a (rep) is, and however runs are cut, hooks are told of it once, and a breakpoint stops at it once. */
static void long_rep(void)
{
    static const char text[] = "mov $rem, 0xffff\n(rep)add $02, $02, 0x1\n";
    for (unsigned part = 1000; part <= 1000000; part *= 1000) {
        unsigned counts[16] = {0}, runs = 0;
        struct rig rig;
        program_make(&rig, A6XX, text, NULL, 0, NULL);
        gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN | GPUCODE_EVENT_USE, count_pc, counts);
        while (rig_run(&rig, part) != GPUCODE_STOP_IDLE && runs < 1000)
            runs++;
        assert_int_equal(rig_get(&rig, "$02"), 0xffff);
        assert_int_equal(counts[3], 1);
        assert_int_equal(counts[15], 2); /* $02 and $rem are read: told of with the instruction */
        rig_free(&rig);
    }
    struct rig rig;
    unsigned breaks = 0;
    program_make(&rig, A6XX, text, NULL, 0, NULL);
    gpucode_machine_break(rig.machine, 0, 3, true);
    while (rig_run(&rig, 1000) != GPUCODE_STOP_IDLE)
        breaks += rig.stop.reason == GPUCODE_STOP_BREAKPOINT;
    assert_int_equal(rig_get(&rig, "$02"), 0xffff);
    assert_int_equal(breaks, 1);
    rig_free(&rig);
}

/* A handler that does not take its header gets it again: nothing ever changes. */
static void untaken_header(void)
{
    static const char text[] =
        "[016ee001]\n[#jumptbl]\nmov $02, 0x1000\nmov $04, #jumptbl << 2\nadd $02, $02, $04\nmov $rem, 0x80\n"
        "cwrite $02, [$00 + @MEM_READ_ADDR]\ncwrite $rem, [$00 + @MEM_READ_DWORDS]\n"
        "cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n"
        "(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\nwaitin\nnop\n"
        "CP_NOP: waitin\nnop\n.align 32\njumptbl:\n.jumptbl\n";
    struct rig rig;
    assert_true(rig_text(&rig, NULL, text, NULL));
    const uint32_t packet[] = {rig_packet7(0x10, 1), 0};
    rig_feed(&rig, packet, 2);
    assert_int_equal(rig_run(&rig, 1000000), GPUCODE_STOP_HANG);
    assert_string_equal(rig.stop.code, "afuc-hang");
    assert_true(rig.stop.time < 100000);
    rig_free(&rig);
}

TESTS(order, increment, rem, resumed_waitin, long_rep, untaken_header)
