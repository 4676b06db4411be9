/* SPDX-License-Identifier: MIT */
/* The end that a session is given, and memory of any size that costs nothing until it is written. */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char endless[] = "[016ee001]\n[01000000]\nloop:\nadd $02, $02, 1\njump #loop\nnop\n";

/* A session of its own on the subject's machine. */
static void limit_session(struct subject *subject, uint64_t limit)
{
    struct gpucode_debug_options options = {.symbols = subject->symbols, .limit = limit, .gap = 16};
    gpucode_debug_free(subject->debug);
    assert_int_equal(gpucode_debug_create(subject->machine, &options, &subject->debug), GPUCODE_OK);
}

static void movements_end_at_the_limit(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    subject_open(&subject, "afuc:a630", endless, NULL, 0);
    limit_session(&subject, 1000);
    gpucode_debug_continue(subject.debug, false, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_LIMIT);
    assert_int_equal(gpucode_debug_position(subject.debug), 1000);
    int64_t value = subject_value(&subject, "$02");
    gpucode_debug_step(subject.debug, false, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_LIMIT);
    gpucode_debug_goto(subject.debug, 5000, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_LIMIT);
    assert_int_equal(gpucode_debug_position(subject.debug), 1000);
    gpucode_debug_finish(subject.debug, false, &stop);
    assert_int_equal(gpucode_debug_position(subject.debug), 1000);
    /* the past is as free as ever, and the way back ends there again */
    gpucode_debug_goto(subject.debug, 10, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
    assert_int_equal(gpucode_debug_position(subject.debug), 10);
    gpucode_debug_step(subject.debug, true, &stop);
    assert_int_equal(gpucode_debug_position(subject.debug), 9);
    gpucode_debug_goto(subject.debug, 1000, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE); /* what was asked for is reached */
    assert_int_equal(subject_value(&subject, "$02"), value);
    limit_session(&subject, 0);
    gpucode_debug_goto(subject.debug, 5000, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
    subject_close(&subject);
}

static bool count_down(void *user)
{
    unsigned *left = user;
    return *left && --*left == 0;
}

/* What is asked between slices ends movements of any kind, and the next one goes on from there. */
static void movements_ask_whether_to_end(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    unsigned left = 0;
    subject_open(&subject, "afuc:a630", endless, NULL, 0);
    struct gpucode_debug_options options = {
        .symbols = subject.symbols, .gap = 16, .limit = 100000, .wants_interrupt = count_down, .user = &left};
    gpucode_debug_free(subject.debug);
    assert_int_equal(gpucode_debug_create(subject.machine, &options, &subject.debug), GPUCODE_OK);
    uint64_t before = 0;
    for (unsigned i = 0; i < 3; i++) {
        left = 5;
        gpucode_debug_continue(subject.debug, false, &stop);
        assert_int_equal(stop.reason, GPUCODE_DEBUG_INTERRUPT);
        assert_true(gpucode_debug_position(subject.debug) > before);
        before = gpucode_debug_position(subject.debug);
        assert_int_equal(stop.position, before);
    }
    assert_true(before < 100000);
    left = 2;
    gpucode_debug_goto(subject.debug, 90000, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_INTERRUPT);
    left = 1;
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_INTERRUPT);
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_BEGINNING);
    for (unsigned i = 1; i < 8; i++) { /* a step back asks some times; where it is not told to end it arrives */
        gpucode_debug_goto(subject.debug, 100, &stop);
        left = i;
        gpucode_debug_step(subject.debug, true, &stop);
        assert_int_equal(stop.reason, left ? GPUCODE_DEBUG_DONE : GPUCODE_DEBUG_INTERRUPT);
        assert_true(i > 2 || !left);
        assert_true(gpucode_debug_position(subject.debug) <= 100);
        assert_true(!left || gpucode_debug_position(subject.debug) == 99);
        left = 0;
    }
    /* a hit is a hit, and its state is that of its position, whatever is wanted meanwhile */
    struct gpucode_breakpoint watch = {.kind = GPUCODE_WATCHPOINT_REGISTER,
                                       .access = GPUCODE_ACCESS_WRITE,
                                       .space = GPUCODE_SPACE_GENERAL,
                                       .address = 2};
    assert_int_equal(gpucode_debug_add(subject.debug, &watch), GPUCODE_OK);
    for (unsigned i = 1; i < 12; i++) {
        gpucode_debug_goto(subject.debug, 20, &stop);
        left = i;
        gpucode_debug_continue(subject.debug, false, &stop);
        uint64_t position = gpucode_debug_position(subject.debug);
        int64_t value = subject_value(&subject, "$02");
        left = 0;
        assert_int_equal(stop.position, position);
        gpucode_debug_goto(subject.debug, 0, &stop);
        gpucode_debug_goto(subject.debug, position, &stop);
        assert_int_equal(subject_value(&subject, "$02"), value);
    }
    subject_close(&subject);
}

/* Back to a call: whatever ends the search, the session stands where it was, and the next search finds the call. */
static void searches_of_calls_end(void)
{
    static const char calls[] =
        "[016ee001]\n[01000000]\nmov $02, 0\nmov $03, 0\ncall #outer\nnop\nhere:\njump #here\nnop\n"
        "outer:\ncall #inner\nnop\nwait:\nadd $02, $02, 1\nbrne $02, 0x1f, #wait\nnop\nret\nnop\n"
        "inner:\nadd $03, $03, 1\nbrne $03, 0x1f, #inner\nnop\nret\nnop\n";
    /* in the outer routine; behind the inner call, which `reverse-next` passes once it has undone a return */
    static const struct {
        bool next;
        uint64_t from, stays, to;
        unsigned searches; /* so many questions come before the call is found */
    } ways[] = {{false, 150, 150, 4, 12}, {true, 103, 102, 6, 14}};
    struct subject subject;
    struct gpucode_debug_stop stop;
    unsigned left = 0;
    subject_open(&subject, "afuc:a630", calls, NULL, 0);
    struct gpucode_debug_options options = {
        .symbols = subject.symbols, .gap = 16, .wants_interrupt = count_down, .user = &left};
    gpucode_debug_free(subject.debug);
    assert_int_equal(gpucode_debug_create(subject.machine, &options, &subject.debug), GPUCODE_OK);
    for (unsigned way = 0; way < 2; way++) {
        unsigned ended = 0;
        uint64_t last = UINT64_MAX;
        gpucode_debug_goto(subject.debug, ways[way].stays, &stop);
        uint64_t state = subject_state(&subject);
        /* the first three questions of `reverse-next` are those of a step */
        for (unsigned i = ways[way].next ? 4 : 1; i < 40; i++) {
            gpucode_debug_goto(subject.debug, ways[way].from, &stop);
            left = i;
            memset(&stop, 0xff, sizeof stop);
            if (ways[way].next)
                gpucode_debug_next(subject.debug, true, &stop);
            else
                assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop), GPUCODE_OK);
            bool all = !!left;
            left = 0;
            assert_int_equal(stop.position, gpucode_debug_position(subject.debug));
            assert_int_equal(stop.reason, all ? GPUCODE_DEBUG_DONE : GPUCODE_DEBUG_INTERRUPT);
            if (all) {
                assert_int_equal(stop.position, ways[way].to);
            } else if (i <= ways[way].searches) { /* nothing was done */
                assert_int_equal(stop.position, ways[way].stays);
                assert_true(subject_state(&subject) == state);
            } else {
                assert_true(stop.position <= last);
                last = stop.position;
            }
            ended += !all;
        }
        assert_in_range(ended, ways[way].searches, 30);
    }
    subject_close(&subject);
}

static void expect_history(struct subject *subject, unsigned snapshots, uint64_t gap)
{
    struct gpucode_history history;
    gpucode_debug_history(subject->debug, &history);
    assert_int_equal(history.snapshots, snapshots);
    assert_int_equal(history.gap, gap);
}

/* Without room for snapshots two are kept, further and further apart. */
static void snapshots_are_thinned(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_snapshot *early;
    subject_open(&subject, "afuc:a630", endless, NULL, 0);
    struct gpucode_stop at;
    assert_int_equal(gpucode_machine_snapshot(subject.machine, &early), GPUCODE_OK);
    gpucode_machine_run(subject.machine, 1000, &at);
    for (unsigned room = 0; room < 2; room++) {
        struct gpucode_debug_options options = {.symbols = subject.symbols, .gap = 16, .memory = room ? 0 : 1};
        gpucode_debug_free(subject.debug);
        assert_int_equal(gpucode_debug_create(subject.machine, &options, &subject.debug), GPUCODE_OK);
        for (unsigned i = 1; i < 1000; i += i) {
            gpucode_debug_goto(subject.debug, i, &stop);
            unsigned gaps = i / 16;
            expect_history(&subject, gaps < 2 ? 1 : room ? gaps : 2, room || gaps < 4 ? 16 : i / 2);
        }
    }
    /* what comes from before the session is the beginning then */
    assert_int_equal(gpucode_debug_restore(subject.debug, early), GPUCODE_OK);
    assert_int_equal(gpucode_debug_position(subject.debug), 0);
    gpucode_debug_goto(subject.debug, 300, &stop);
    assert_int_equal(gpucode_machine_count(subject.machine), 300);
    gpucode_debug_goto(subject.debug, 0, &stop);
    assert_int_equal(subject_value(&subject, "$02"), 0);
    assert_int_equal(gpucode_debug_end(subject.debug), 300);
    gpucode_snapshot_free(early);
    subject_close(&subject);
}

/* A call counts as one within other calls too, and however often it is made again meanwhile. */
static void calls_are_one_at_any_depth(void)
{
    static const char again[] = "[016ee001]\n[01000000]\nmov $02, 4\ncall #again\nnop\nwaitin\nmov $01, $data\nagain:\n"
                                "sub $02, $02, 1\nbreq $02, 0, #out\nnop\ncall #again\nnop\nadd $03, $03, 1\n"
                                "out:\nret\nnop\n";
    struct subject subject;
    struct gpucode_debug_stop stop;
    subject_open(&subject, "afuc:a630", again, NULL, 16);
    /* at `call #again` for the first, second and third time within the routine */
    for (unsigned depth = 1; depth <= 3; depth++) {
        gpucode_debug_goto(subject.debug, 5 + 5 * (depth - 1) + 3, &stop);
        assert_int_equal(gpucode_machine_pc(subject.machine, 0), 10);
        uint64_t from = stop.position;
        gpucode_debug_next(subject.debug, false, &stop);
        assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
        assert_int_equal(gpucode_machine_pc(subject.machine, 0), 12);
        assert_int_equal(subject_value(&subject, "$03 + 0"), 3 - depth);
        uint64_t to = stop.position;
        gpucode_debug_next(subject.debug, true, &stop);
        assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
        assert_int_equal(stop.position, from);
        gpucode_debug_goto(subject.debug, to, &stop);
        assert_int_equal(gpucode_debug_finish(subject.debug, false, &stop), GPUCODE_OK);
        assert_int_equal(gpucode_machine_pc(subject.machine, 0), depth == 1 ? 5 : 12);
        assert_int_equal(subject_value(&subject, "$03 + 0"), 4 - depth);
        assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop),
                         depth == 1 ? GPUCODE_ERROR_UNSUPPORTED : GPUCODE_OK);
    }
    subject_close(&subject);
}

static uint32_t word_at(struct subject *subject, uint64_t address)
{
    unsigned char bytes[4];
    assert_int_equal(gpucode_machine_load(subject->machine, address, bytes, 4), GPUCODE_OK);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void maps_are_lazy(void)
{
    static const uint64_t places[] = {0x8000, 0x3ffff000, 0x123456789000, UINT64_C(0xfffffffffffd0000)};
    struct subject subject;
    unsigned char byte;
    subject_open(&subject, "afuc:a630", endless, NULL, 0);
    assert_int_equal(gpucode_machine_load(subject.machine, places[2], &byte, 1), GPUCODE_ERROR_RANGE);
    static const unsigned char seven[4] = {7, 0, 0, 0};
    assert_int_equal(gpucode_machine_store(subject.machine, places[1] + 8, seven, 4), GPUCODE_OK);
    for (unsigned round = 0; round < 3; round++) /* what is there already stays */
        assert_int_equal(gpucode_machine_map(subject.machine, 0x1000, UINT64_C(0xfffffffffffe0000)), GPUCODE_OK);
    assert_int_equal(word_at(&subject, places[1] + 8), 7);
    struct gpucode_snapshot *before, *after;
    assert_int_equal(gpucode_machine_snapshot(subject.machine, &before), GPUCODE_OK);
    assert_true(gpucode_snapshot_bytes(before, NULL) < 1 << 20);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(word_at(&subject, places[i]), 0);
        assert_int_equal(gpucode_machine_store(subject.machine, places[i], seven, 4), GPUCODE_OK);
        assert_int_equal(word_at(&subject, places[i]), 7);
        assert_int_equal(word_at(&subject, places[i] + 0x1000), 0); /* its neighbours are still zeros */
        assert_int_equal(word_at(&subject, places[i] - 0x1000), 0);
    }
    assert_int_equal(gpucode_machine_snapshot(subject.machine, &after), GPUCODE_OK);
    assert_int_equal(gpucode_machine_restore(subject.machine, before), GPUCODE_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(word_at(&subject, places[i]), 0);
    assert_int_equal(gpucode_machine_restore(subject.machine, after), GPUCODE_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(word_at(&subject, places[i]), 7);
    gpucode_snapshot_free(before);
    gpucode_snapshot_free(after);
    assert_int_equal(gpucode_machine_load(subject.machine, UINT64_MAX - 1, &byte, 1), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_map(subject.machine, 0x1000, UINT64_MAX), GPUCODE_ERROR_RANGE);
    subject_close(&subject);
}

/* What does not apply to a stop is zero, whatever stood there before. */
static void stops_are_whole(void)
{
    struct subject subject;
    subject_open(&subject, "afuc:a630", endless, NULL, 0);
    for (unsigned way = 0; way < 6; way++) {
        struct gpucode_debug_stop stop;
        memset(&stop, 0xff, sizeof stop);
        if (way == 0)
            gpucode_debug_step(subject.debug, false, &stop);
        else if (way == 1)
            gpucode_debug_next(subject.debug, false, &stop);
        else if (way == 2)
            gpucode_debug_step(subject.debug, true, &stop);
        else if (way == 3)
            assert_int_equal(gpucode_debug_until(subject.debug, 2, &stop), GPUCODE_OK);
        else
            gpucode_debug_goto(subject.debug, way == 4 ? 1 : 9, &stop);
        assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
        assert_int_equal(stop.position, gpucode_debug_position(subject.debug));
        assert_int_equal(stop.breakpoint, 0);
        assert_int_equal(stop.also_count, 0);
        assert_false(stop.temporary || stop.condition_failed);
        assert_int_equal(stop.event.kind, 0);
        assert_null(stop.machine.code);
    }
    subject_close(&subject);
}

TESTS(limit, stops_are_whole, movements_end_at_the_limit, movements_ask_whether_to_end, searches_of_calls_end,
      calls_are_one_at_any_depth, snapshots_are_thinned, maps_are_lazy)
