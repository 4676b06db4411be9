/* SPDX-License-Identifier: MIT */
/* Changes for later come when the machine waits, in portions, and are part of the history like all others. */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Counts the words that it takes, and their sum. */
static const char adder[] = "[016ee001]\n[01000000]\nmov $03, 0x0\nloop:\nmov $02, $data\nadd $03, $03, $02\n"
                            "jump #loop\nadd $04, $04, 0x1\n";

static void feed(struct subject *subject, uint32_t word)
{
    assert_int_equal(gpucode_debug_feed(subject->debug, 0, &word, 1), GPUCODE_OK);
}

/* 1; then 10 with memory; nothing; then 100 and 1000 with a register. */
static void open_with_portions(struct subject *subject)
{
    static const unsigned char seven[4] = {7};
    unsigned space;
    uint32_t number;
    subject_open(subject, "afuc:a630", adder, NULL, 0);
    feed(subject, 1);
    assert_int_equal(gpucode_debug_defer(subject->debug, true), GPUCODE_OK);
    feed(subject, 10);
    assert_int_equal(gpucode_debug_store(subject->debug, 0x100000, seven, 4), GPUCODE_OK);
    assert_int_equal(gpucode_debug_defer(subject->debug, true), GPUCODE_OK);
    assert_int_equal(gpucode_debug_defer(subject->debug, true), GPUCODE_OK);
    assert_true(gpucode_machine_find(subject->machine, "$05", &space, &number));
    assert_int_equal(gpucode_debug_write(subject->debug, 0, space, number, 55), GPUCODE_OK);
    feed(subject, 100);
    feed(subject, 1000);
    assert_int_equal(gpucode_debug_defer(subject->debug, false), GPUCODE_OK);
    assert_int_equal(subject_value(subject, "*0x100000"), 0); /* not yet */
}

static void expect_end(struct subject *subject, uint64_t position, int64_t sum)
{
    struct gpucode_debug_stop stop;
    gpucode_debug_continue(subject->debug, false, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_MACHINE);
    assert_int_equal(stop.machine.reason, GPUCODE_STOP_IDLE);
    assert_int_equal(gpucode_debug_position(subject->debug), position);
    assert_int_equal(subject_value(subject, "$03"), sum);
    assert_int_equal(subject_value(subject, "$05"), 55);
    assert_int_equal(subject_value(subject, "*0x100000"), 7);
}

/* One movement goes through all; going back and forth changes nothing. */
static void come_when_it_waits(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    open_with_portions(&subject);
    expect_end(&subject, 19, 1111);
    for (uint64_t position = 19; position--;) {
        gpucode_debug_goto(subject.debug, position, &stop);
        assert_int_equal(gpucode_debug_position(subject.debug), position);
        assert_int_equal(subject_value(&subject, "$05"), position < 11 ? 0 : 55);
        assert_int_equal(subject_value(&subject, "*0x100000"), position < 7 ? 0 : 7);
        if (position % 3 == 0)
            expect_end(&subject, 19, 1111);
    }
    /* by single steps too */
    gpucode_debug_goto(subject.debug, 0, &stop);
    for (unsigned i = 0; i < 19; i++)
        gpucode_debug_step(subject.debug, false, &stop);
    assert_int_equal(subject_value(&subject, "$03"), 1111);
    struct gpucode_history history;
    gpucode_debug_history(subject.debug, &history);
    assert_int_equal(history.inputs, 6);
    subject_close(&subject);
}

/* Steps come to each place as the way by `continue` does, though nothing has run before. */
static void come_to_steps(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    open_with_portions(&subject);
    for (unsigned i = 0; i < 19; i++)
        gpucode_debug_step(subject.debug, false, &stop);
    assert_int_equal(gpucode_debug_position(subject.debug), 19);
    assert_int_equal(subject_value(&subject, "$03"), 1111);
    expect_end(&subject, 19, 1111);
    subject_close(&subject);
}

/* A change in the past forgets what came after it; what had come comes again. */
static void come_again(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_value value;
    open_with_portions(&subject);
    expect_end(&subject, 19, 1111);
    gpucode_debug_goto(subject.debug, 9, &stop); /* the 10 is in, the rest is not */
    assert_int_equal(
        gpucode_debug_evaluate(subject.debug, "$03 = 500000", 12, true, (struct gpucode_diagnostic_handler){0}, &value),
        GPUCODE_OK);
    expect_end(&subject, 19, 501100);
    gpucode_debug_goto(subject.debug, 3, &stop);
    feed(&subject, 20000); /* after the 1; nothing waits where it waited before */
    expect_end(&subject, 23, 21111);
    subject_close(&subject);
}

/* A snapshot that is restored begins a new history: portions that were done do not come again, others do. */
static void restored(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_snapshot *early;
    open_with_portions(&subject);
    gpucode_debug_goto(subject.debug, 9, &stop);
    assert_int_equal(gpucode_machine_snapshot(subject.machine, &early), GPUCODE_OK);
    gpucode_debug_goto(subject.debug, 10, &stop);
    assert_int_equal(gpucode_debug_restore(subject.debug, early), GPUCODE_OK);
    expect_end(&subject, 19, 1111);
    assert_int_equal(gpucode_debug_restore(subject.debug, early), GPUCODE_OK);
    gpucode_debug_continue(subject.debug, false, &stop);
    assert_int_equal(subject_value(&subject, "$03"), 11);
    gpucode_snapshot_free(early);
    assert_int_equal(gpucode_debug_defer(NULL, true), GPUCODE_ERROR_ARGUMENT);
    subject_close(&subject);
}

TESTS(later, come_when_it_waits, come_to_steps, come_again, restored)
