/* SPDX-License-Identifier: MIT */
/*
 * Changes for later come when the machine waits, in portions, and are part of the history like all others; breakpoints
 * that tell in place of stopping.
 */
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

/* --- breakpoints that tell ------------------------------------------------------------------------------------------
 */

struct told {
    struct subject *subject;
    unsigned number, count;
    int64_t sum; /* of $03 when it was told */
};

static void tell(void *user, unsigned number)
{
    struct told *told = user;
    told->number = number;
    told->count++;
    told->sum += subject_value(told->subject, "$03 + 0");
}

/* They stop nothing, forwards; backwards they are silent; conditions and what is to be passed count as ever. */
static void breakpoints_tell(void)
{
    static const char counter[] =
        "[016ee001]\n[01000000]\nmov $03, 0x0\nloop:\nadd $03, $03, 0x1\nbrne $03, 0xa, #loop\n"
        "nop\nend:\nmov $05, $data\n";
    struct subject subject;
    struct told told = {.subject = &subject};
    struct gpucode_debug_stop stop;
    struct gpucode_breakpoint loop = {.kind = GPUCODE_BREAKPOINT_CODE, .address = 3}, other = loop;
    subject_open(&subject, "afuc:a630", counter, NULL, 0);
    other.address = 4;
    assert_int_equal(gpucode_debug_add(subject.debug, &other), GPUCODE_OK);
    assert_int_equal(gpucode_debug_remove(subject.debug, other.number), GPUCODE_OK);
    assert_int_equal(gpucode_debug_add(subject.debug, &loop), GPUCODE_OK);
    assert_int_equal(gpucode_debug_tell(subject.debug, loop.number, tell, &told), GPUCODE_OK);
    assert_int_equal(gpucode_debug_tell(subject.debug, loop.number + 1, tell, &told), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_debug_tell(NULL, loop.number, tell, &told), GPUCODE_ERROR_ARGUMENT);
    gpucode_debug_continue(subject.debug, false, &stop);
    assert_int_equal(subject_value(&subject, "$03 + 0"), 10);
    assert_int_equal(told.number, loop.number);
    assert_int_equal(told.count, 10);
    assert_int_equal(told.sum, 45);
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(gpucode_debug_position(subject.debug), 0);
    assert_int_equal(told.count, 10);
    /* again, but not the first three, and of the others those with an even number */
    assert_int_equal(gpucode_debug_condition(subject.debug, loop.number, "$03 % 2 == 0"), GPUCODE_OK);
    assert_int_equal(gpucode_debug_ignore(subject.debug, loop.number, 3), GPUCODE_OK);
    told = (struct told){.subject = &subject};
    gpucode_debug_continue(subject.debug, false, &stop);
    assert_int_equal(told.count, 2);
    assert_int_equal(told.sum, 6 + 8);
    /* the places of a movement that has ended stop nothing, and what is not a place is refused */
    static const uint64_t places[] = {2, 4, 6}, none[] = {2, 99999};
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(gpucode_debug_until_any(subject.debug, places, 3, &stop), GPUCODE_OK);
    assert_int_equal(gpucode_machine_pc(subject.machine, 0), 2);
    assert_int_equal(gpucode_debug_until_any(subject.debug, none, 2, &stop), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_debug_until_any(subject.debug, none, 0, &stop), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_run(subject.machine, 100000, &stop.machine), 31);
    assert_int_equal(gpucode_machine_pc(subject.machine, 0), 6);
    gpucode_debug_goto(subject.debug, 0, &stop);
    told = (struct told){.subject = &subject, .count = 2};
    /* and it stops again */
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(gpucode_debug_tell(subject.debug, loop.number, NULL, NULL), GPUCODE_OK);
    gpucode_debug_continue(subject.debug, false, &stop);
    assert_int_equal(subject_value(&subject, "$03 + 0"), 0);
    assert_int_equal(gpucode_machine_pc(subject.machine, 0), 3);
    assert_int_equal(told.count, 2);
    subject_close(&subject);
}

TESTS(later, come_when_it_waits, come_to_steps, come_again, restored, breakpoints_tell)
