/* SPDX-License-Identifier: MIT */
/*
 * Everything that a user can do, mixed at random: steps, continues, jumps in time, changes, packets, snapshots, with
 * breakpoints and watches. After each, position and state are those of a machine that nobody debugs, run from its
 * beginning with the same changes at the same positions. And each `next` over a call is undone by a reverse-next.
 */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHANGES_MAX 64
#define KEPT_MAX 4

/* A machine with a program that runs for long, and what can be done to it. */
struct kind {
    const char *target, *source;
    uint64_t breaks[3];
    const char *condition; /* of the third breakpoint */
    unsigned space;        /* of registers that are changed and watched */
    uint32_t first, count; /* their numbers */
    bool packets;
};

static const char afuc[] =
    "[016ee001]\n[01000000]\nmov $12, 0x10 << 16\nmov $02, 0x5\nloop:\nadd $03, $03, 0x7\nxor $04, $04, $03\n"
    "mov $rem, 0x3\n(rep)add $05, $05, 0x1\nstore $05, [$12 + 0x4]\nload $06, [$12 + 0x4]\ncall #sum\nadd $07, $07, "
    "0x1\n"
    "brne $04, b3, #loop\nsub $02, $02, 0x1\nadd $02, $02, $03\njump #loop\nnop\nsum:\ncall #leaf\nadd $03, $03, $02\n"
    "ret\nadd $06, $06, $05\nleaf:\nand $03, $03, 0xfff\nret\nnop\n";
static const char packets[] =
    "[016ee001]\n[01000000]\nmov $12, 0x10 << 16\nmov $03, #jumptbl\nmov $rem, 0x80\n"
    "cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\nmov $05, #CP_NOP\nfill:\ncwrite $05, [$00 + @PACKET_TABLE_WRITE]\n"
    "sub $rem, $rem, 0x1\nbrne $rem, 0x0, #fill\nnop\nwaitin\nmov $01, $data\nCP_NOP:\ncall #sum\nadd $06, $06, 0x1\n"
    "store $02, [$12 + 0x4]\nwaitin\nmov $01, $data\nsum:\n(rep)add $02, $02, $data\nret\nadd $08, $08, $02\njumptbl:\n"
    ".jumptbl\n";
static const char hwsq[] =
    "set1 16\nwait 3us\newait 0 1\ndata 0x11\naddr 0x100210\ndatalo 0x22\naddr 0x100214\naddrlo 0x218\nset0 17\n"
    "wait 1us\nunset 17\nset1 18\ndata 0x33\naddr 0x100210\nset0 16\newait 0 0\nwait 2us\nset0 18\nexit\n";
static const char a3xx[] =
    "mov.s32s32 r2.x, 40\nmov.f32f32 r0.x, (2.0)\n(rpt3)nop\nagain:\n(rpt1)add.f r1.x, (r)r0.x, (r)r0.x\n"
    "sub.s r2.x, r2.x, 1\n(rpt2)nop\ncmps.s.gt p0.x, r2.x, 0\n(rpt2)add.s r3.x, (r)r3.x, (r)c0.x\nadd.s r0.z, r0.z, "
    "c1.x\n"
    "(rpt5)nop\nbr p0.x, #again\nend\n";

static const struct kind kinds[] = {
    {"afuc:a630", afuc, {4, 18, 8}, "$03 & 1", GPUCODE_SPACE_GENERAL, 2, 6, false},
    {"afuc:a630", packets, {13, 17, 18}, "$06 & 1", GPUCODE_SPACE_GENERAL, 2, 6, true},
    {"hwsq:g94", hwsq, {5, 16, 30}, "$position & 1", GPUCODE_SPACE_GENERAL, 3, 2, false},
    {"a3xx", a3xx, {4, 8, 10}, "r2.x & 1", GPUCODE_SPACE_GENERAL, 0, 12, false},
};

struct change {
    uint64_t position, address;
    uint32_t value;
    enum { CHANGE_REGISTER, CHANGE_MEMORY, CHANGE_PACKET } what;
};

/* The course of events that belongs to a position. */
struct course {
    struct change changes[CHANGES_MAX];
    unsigned count;
};

struct mixed {
    const struct kind *kind;
    struct subject subject;
    struct course course;
    struct {
        struct gpucode_snapshot *snapshot;
        struct course course;
    } kept[KEPT_MAX];
    uint64_t beginning;
    unsigned watched; /* register, 0: none */
    uint64_t seed;
    char log[8192]; /* what was done, for a failure's message */
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void note(struct mixed *mixed, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(mixed->log + mixed->length, sizeof mixed->log - mixed->length, format, args);
    va_end(args);
    if (length > 0 && mixed->length + (size_t)length < sizeof mixed->log)
        mixed->length += (size_t)length;
}

/* cmocka's messages are short; what was done is not. */
#define FAIL(mixed, ...)                                                                                               \
    do {                                                                                                               \
        puts((mixed)->log);                                                                                            \
        fail_msg(__VA_ARGS__);                                                                                         \
    } while (0)

/* Two words for CP_NOP. */
static unsigned make_packet(uint32_t value, uint32_t words[3])
{
    words[0] = gpucode_packet_type7(0x10, 2);
    words[1] = value;
    words[2] = value >> 3;
    return 3;
}

/* --- a machine that nobody debugs ------------------------------------------------------------------------ */

static void apply_plainly(struct gpucode_machine *machine, const struct kind *kind, const struct change *change)
{
    uint32_t words[3];
    switch (change->what) {
    case CHANGE_REGISTER:
        gpucode_machine_write(machine, 0, kind->space, (uint32_t)change->address, change->value);
        break;
    case CHANGE_MEMORY:
        gpucode_machine_store(machine, change->address, &change->value, sizeof change->value);
        break;
    case CHANGE_PACKET:
        gpucode_machine_feed(machine, 0, words, make_packet(change->value, words));
    }
}

/* Runs the changes of the present position, then one instruction; false: it stands still. */
static bool go_plainly(struct gpucode_machine *machine)
{
    struct gpucode_stop stop;
    uint64_t before = gpucode_machine_count(machine);
    do
        gpucode_machine_run(machine, 1, &stop);
    while (stop.reason == GPUCODE_STOP_LIMIT && gpucode_machine_count(machine) == before);
    return gpucode_machine_count(machine) != before;
}

static unsigned apply_all(struct mixed *mixed, struct gpucode_machine *machine, unsigned next)
{
    uint64_t position = gpucode_machine_count(machine);
    for (; next < mixed->course.count && mixed->course.changes[next].position <= position; next++)
        apply_plainly(machine, mixed->kind, &mixed->course.changes[next]);
    return next;
}

/* A fresh machine at a position of the course. */
static unsigned replay_plainly(struct mixed *mixed, uint64_t position, struct subject *plain)
{
    subject_open(plain, mixed->kind->target, mixed->kind->source, NULL, 0);
    unsigned next = apply_all(mixed, plain->machine, 0);
    while (gpucode_machine_count(plain->machine) < position) {
        if (!go_plainly(plain->machine))
            FAIL(mixed, "position %llu is never reached", (unsigned long long)position);
        next = apply_all(mixed, plain->machine, next);
    }
    return next;
}

static void check(struct mixed *mixed)
{
    struct subject plain;
    replay_plainly(mixed, gpucode_debug_position(mixed->subject.debug), &plain);
    uint64_t wanted = subject_state(&plain), state = subject_state(&mixed->subject);
    subject_close(&plain);
    if (state != wanted)
        FAIL(mixed, "the state is not the one that belongs to its position");
}

static bool is_hit(struct mixed *mixed, struct subject *plain)
{
    uint64_t pc = gpucode_machine_pc(plain->machine, 0);
    for (unsigned i = 0; i < 3; i++)
        if (pc == mixed->kind->breaks[i] && (i < 2 || subject_value(plain, mixed->kind->condition)))
            return true;
    return false;
}

static uint32_t watched_value(struct mixed *mixed, struct subject *plain)
{
    uint32_t value = 0;
    gpucode_machine_read(plain->machine, 0, mixed->kind->space, mixed->watched, &value);
    return value;
}

/*
 * Continues, forwards or back, and finds out where that ought to end. A write that leaves no other value after the
 * whole instruction (a repetition that goes round) is told of by the session alone: then only its event is looked at.
 */
static void go_on(struct mixed *mixed, bool back)
{
    struct subject plain;
    struct gpucode_debug_stop stop;
    uint64_t from = gpucode_debug_position(mixed->subject.debug), end = gpucode_debug_end(mixed->subject.debug);
    uint64_t expected = back ? mixed->beginning : UINT64_MAX;
    unsigned next = replay_plainly(mixed, back ? mixed->beginning : from, &plain);
    for (bool runs = true; runs && (!back || gpucode_machine_count(plain.machine) < from);) {
        if (back && gpucode_machine_count(plain.machine) == mixed->beginning && is_hit(mixed, &plain))
            expected = mixed->beginning;
        uint32_t before = watched_value(mixed, &plain);
        runs = go_plainly(plain.machine);
        bool changed = mixed->watched && watched_value(mixed, &plain) != before;
        next = apply_all(mixed, plain.machine, next);
        uint64_t at = gpucode_machine_count(plain.machine);
        if (runs && (changed || is_hit(mixed, &plain)) && (!back || at < from)) {
            expected = at;
            if (!back)
                break;
        }
        if (!runs && !back && expected == UINT64_MAX)
            expected = at;
    }
    subject_close(&plain);
    note(mixed, " %s", back ? "reverse-continue" : "continue");
    gpucode_debug_continue(mixed->subject.debug, back, &stop);
    note(mixed, "(%llu, reason %d, end %llu)", (unsigned long long)stop.position, stop.reason, (unsigned long long)end);
    bool between = back ? stop.position > expected : stop.position < expected;
    if (stop.position != expected && !(between && stop.event.kind))
        FAIL(mixed, "expected %llu", (unsigned long long)expected);
}

static void change(struct mixed *mixed)
{
    struct gpucode_debug *debug = mixed->subject.debug;
    struct course *course = &mixed->course;
    struct change change = {.position = gpucode_debug_position(debug), .value = subject_random(&mixed->seed) & 0xfff};
    uint32_t words[3];
    while (course->count && course->changes[course->count - 1].position > change.position)
        course->count--;
    if (course->count == CHANGES_MAX)
        return;
    change.what = (int)(subject_random(&mixed->seed) % (mixed->kind->packets ? 3 : 2));
    enum gpucode_status status;
    if (change.what == CHANGE_REGISTER) {
        change.address = mixed->kind->first + subject_random(&mixed->seed) % mixed->kind->count;
        status = gpucode_debug_write(debug, 0, mixed->kind->space, (uint32_t)change.address, change.value);
    } else if (change.what == CHANGE_MEMORY) {
        change.address = 0x100000 + subject_random(&mixed->seed) % 16 * 4;
        status = gpucode_debug_store(debug, change.address, &change.value, sizeof change.value);
    } else {
        status = gpucode_debug_feed(debug, 0, words, make_packet(change.value, words));
    }
    note(mixed, " change%d@%llu", change.what, (unsigned long long)change.position);
    assert_int_equal(status, GPUCODE_OK);
    course->changes[course->count++] = change;
}

static void keep_or_restore(struct mixed *mixed)
{
    unsigned which = subject_random(&mixed->seed) % KEPT_MAX;
    uint64_t position = gpucode_debug_position(mixed->subject.debug);
    if (!mixed->kept[which].snapshot) {
        assert_int_equal(gpucode_machine_snapshot(mixed->subject.machine, &mixed->kept[which].snapshot), GPUCODE_OK);
        mixed->kept[which].course = mixed->course;
        struct course *course = &mixed->kept[which].course; /* what comes later is none of its */
        while (course->count && course->changes[course->count - 1].position > position)
            course->count--;
        note(mixed, " snapshot@%llu", (unsigned long long)position);
        return;
    }
    assert_int_equal(gpucode_debug_restore(mixed->subject.debug, mixed->kept[which].snapshot), GPUCODE_OK);
    mixed->course = mixed->kept[which].course;
    mixed->beginning = gpucode_debug_position(mixed->subject.debug);
    note(mixed, " restore@%llu", (unsigned long long)mixed->beginning);
}

static void one(struct mixed *mixed)
{
    struct gpucode_debug *debug = mixed->subject.debug;
    struct gpucode_debug_stop stop;
    bool back = subject_random(&mixed->seed) % 2;
    uint64_t position = gpucode_debug_position(debug), end = gpucode_debug_end(debug), target;
    switch (subject_random(&mixed->seed) % 9) {
    case 0:
        if (position < 2000) {
            change(mixed);
            break;
        }
        __attribute__((fallthrough));
    case 1:
    case 2:
        go_on(mixed, back || position > 2000);
        break;
    case 3:
        target = mixed->beginning + subject_random(&mixed->seed) % (end - mixed->beginning + 40);
        note(mixed, " goto %llu", (unsigned long long)target);
        gpucode_debug_goto(debug, target, &stop);
        if (stop.position != target && stop.reason != GPUCODE_DEBUG_MACHINE)
            FAIL(mixed, "it ended at %llu, reason %d", (unsigned long long)stop.position, stop.reason);
        break;
    case 4:
        keep_or_restore(mixed);
        break;
    case 5:
        note(mixed, back ? " reverse-next" : " next");
        gpucode_debug_next(debug, back, &stop);
        break;
    case 6:
        note(mixed, back ? " reverse-finish" : " finish");
        gpucode_debug_finish(debug, back, &stop);
        break;
    default:
        for (unsigned i = subject_random(&mixed->seed) % 8; i > 0; i--) {
            note(mixed, back ? " reverse-step" : " step");
            gpucode_debug_step(debug, back, &stop);
        }
    }
    note(mixed, "=%llu", (unsigned long long)gpucode_debug_position(debug));
}

static void add_breakpoints(struct mixed *mixed)
{
    for (unsigned i = 0; i < 3; i++) {
        struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE,
                                                .address = mixed->kind->breaks[i],
                                                .condition = i == 2 ? mixed->kind->condition : NULL};
        assert_int_equal(gpucode_debug_add(mixed->subject.debug, &breakpoint), GPUCODE_OK);
    }
    if (subject_random(&mixed->seed) % 2) {
        mixed->watched = mixed->kind->first + subject_random(&mixed->seed) % mixed->kind->count;
        struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_WATCHPOINT_REGISTER,
                                                .access = GPUCODE_ACCESS_CHANGE,
                                                .space = mixed->kind->space,
                                                .address = mixed->watched};
        assert_int_equal(gpucode_debug_add(mixed->subject.debug, &breakpoint), GPUCODE_OK);
    }
}

static void test_mixed(void)
{
    static struct mixed mixed;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t seed = 0; seed < test_rounds(7, 25); seed++) {
            memset(&mixed, 0, sizeof mixed);
            mixed.kind = &kinds[k];
            mixed.seed = seed * 17 + k;
            note(&mixed, "%s, seed %llu:", mixed.kind->target, (unsigned long long)seed);
            subject_open(&mixed.subject, mixed.kind->target, mixed.kind->source, NULL,
                         1 + subject_random(&mixed.seed) % 50);
            add_breakpoints(&mixed);
            for (unsigned i = 0; i < 60; i++) {
                one(&mixed);
                check(&mixed);
            }
            for (unsigned i = 0; i < KEPT_MAX; i++)
                gpucode_snapshot_free(mixed.kept[i].snapshot);
            subject_close(&mixed.subject);
        }
}

/* --- next and reverse-next ------------------------------------------------------------------------------- */

static const char calls[] =
    "[01730001]\n[01000000]\nmov $02, 0x0\nloop:\nbl #leaf\nadd $02, $02, 0x1\nhead:\nadd $03, $03, 0x1\ncall #sub\n"
    "add $04, $04, 0x1\nadd $05, $05, 0x1\nand $0a, $05, 0x3\nbrne $0a, 0x0, #head\nadd $0b, $0b, 0x1\njump "
    "#loop\nnop\n"
    "leaf:\nadd $06, $06, 0x1\nsret\nadd $07, $07, 0x1\nsub:\nadd $09, $09, 0x1\nbl #leaf\nnop\ncall #deep\nnop\nret\n"
    "add $08, $08, 0x1\ndeep:\nret\nadd $0c, $0c, 0x1\n";

static void test_next(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    unsigned over = 0;
    for (uint64_t gap = 1; gap < 200; gap = gap * 3 + 1) {
        subject_open(&subject, "afuc:a730", calls, NULL, gap);
        for (uint64_t from = 0; from < 300; from++) {
            uint64_t target, back;
            gpucode_debug_goto(subject.debug, from, &stop);
            bool call = gpucode_machine_call(subject.machine, 0, &back);
            bool slot = gpucode_machine_pending(subject.machine, 0, &target);
            gpucode_debug_next(subject.debug, false, &stop);
            assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
            gpucode_debug_next(subject.debug, true, &stop);
            assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
            over += call;
            if (call || !slot) {
                if (stop.position != from)
                    fail_msg("gap %llu: next and reverse-next from %llu end at %llu", (unsigned long long)gap,
                             (unsigned long long)from, (unsigned long long)stop.position);
            } else if (stop.position != from) { /* a delay slot that ends a call: back to the call */
                gpucode_debug_goto(subject.debug, stop.position, &stop);
                assert_true(gpucode_machine_call(subject.machine, 0, &back) && back == target);
            }
        }
        /* a call from its inside, and a breakpoint on the way back over one */
        uint64_t deep = (uint64_t)subject_value(&subject, "deep");
        gpucode_debug_goto(subject.debug, 0, &stop);
        assert_int_equal(gpucode_debug_until(subject.debug, deep, &stop), GPUCODE_OK);
        uint64_t inside = stop.position;
        assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop), GPUCODE_OK);
        assert_true(gpucode_machine_call(subject.machine, 0, NULL));
        assert_int_equal(stop.position, inside - 2);
        assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop), GPUCODE_OK);
        assert_int_equal(stop.pc, subject_value(&subject, "head") + 1);
        gpucode_debug_next(subject.debug, false, &stop);
        struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .address = deep};
        assert_int_equal(gpucode_debug_add(subject.debug, &breakpoint), GPUCODE_OK);
        gpucode_debug_next(subject.debug, true, &stop);
        assert_int_equal(stop.reason, GPUCODE_DEBUG_BREAKPOINT);
        assert_int_equal(stop.position, inside);
        subject_close(&subject);
    }
    assert_true(over > 50);
}

TESTS(mixed, test_next, test_mixed)
