/* SPDX-License-Identifier: MIT */
/*
 * The state after going back is the state before, always: random programs, moved through at random by every way there
 * is, each position's state compared with what it was the first time.
 */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define POSITIONS 4096
#define BLOCKS 12

static char source[65536];
static size_t length;

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    length += (size_t)vsnprintf(source + length, sizeof source - length, format, args);
    va_end(args);
}

/* Blocks that compute, repeat, access memory and registers, call subroutines and branch forwards and back. */
static void make_afuc(uint64_t *seed)
{
    static const char *const alu[] = {"add", "sub", "and", "or", "xor", "min", "max", "addhi"};
    length = 0;
    line("[016ee001]\n[01000000]\nmov $12, 0x10 << 16\nmov $13, 0x40\n");
    for (unsigned i = 1; i < 8; i++)
        line("mov $%02x, 0x%x\n", i, subject_random(seed) & 0xffff);
    for (unsigned block = 0; block < BLOCKS; block++) {
        line("block%u:\n", block);
        for (unsigned i = subject_random(seed) % 6; i > 0; i--) {
            unsigned a = 1 + subject_random(seed) % 8, b = 1 + subject_random(seed) % 8,
                     c = 1 + subject_random(seed) % 8;
            switch (subject_random(seed) % 7) {
            case 0:
                line("mov $rem, 0x%x\n(rep)add $%02x, $%02x, 0x3\n", subject_random(seed) % 40, a, a);
                break;
            case 1:
                line("store $%02x, [$12 + 0x%x]\n", a, subject_random(seed) % 0x80 * 4);
                break;
            case 2:
                line("load $%02x, [$12 + 0x%x]\n", a, subject_random(seed) % 0x80 * 4);
                break;
            case 3:
                line("cwrite $%02x, [$00 + 0x%x]\n", a, 0x150 + subject_random(seed) % 8);
                break;
            case 4:
                line("mov $rem, 0x%x\n(rep)store $%02x, [$12 + 0x4]!\nmov $12, 0x10 << 16\n", subject_random(seed) % 20,
                     a);
                break;
            default:
                line("%s $%02x, $%02x, $%02x\n", alu[subject_random(seed) % 8], a, b, c);
            }
        }
        switch (subject_random(seed) % 5) {
        case 0:
            line("call #fn%u\nadd $09, $09, 0x1\n", subject_random(seed) % 3);
            break;
        case 1:
            line("brne $%02x, b%u, #block%u\nadd $0a, $0a, 0x1\n", 1 + subject_random(seed) % 8,
                 subject_random(seed) % 32, (block + 1 + subject_random(seed) % 3) % BLOCKS);
            break;
        case 2:
            line("breq $%02x, 0x3, #block%u\nsub $0b, $0b, 0x1\n", 1 + subject_random(seed) % 8,
                 subject_random(seed) % BLOCKS);
            break;
        default:
            break;
        }
    }
    line("add $10, $10, 0x1\njump #block0\nxor $11, $11, $10\n");
    line("fn0:\nadd $05, $05, 0x1\nret\nadd $06, $06, $05\n");
    line("fn1:\ncall #fn0\nnop\nsub $05, $05, 0x2\nret\nnop\n");
    line("fn2:\ncall #fn1\nnop\ncall #fn0\nadd $07, $07, 0x5\nmov $rem, 0x5\nret\n(rep)add $08, $08, 0x1\n");
}

static void make_hwsq(uint64_t *seed)
{
    length = 0;
    for (unsigned i = 0; i < 40 && length < 4000; i++)
        switch (subject_random(seed) % 8) {
        case 0:
            line("wait %uus\n", subject_random(seed) % 4);
            break;
        case 1:
            line("ewait 0x%x %u\n", subject_random(seed) % 12, subject_random(seed) % 2);
            break;
        case 2:
            line("addr 0x%06x\n", 0x100200 + subject_random(seed) % 8 * 4);
            break;
        case 3:
            line("data 0x%08x\n", subject_random(seed));
            break;
        case 4:
            line("unset 0x%x\n", subject_random(seed) % 24);
            break;
        case 5:
            line("set0 0x%x\n", subject_random(seed) % 24);
            break;
        case 6:
            line("set1 0x%x\n", subject_random(seed) % 24);
            break;
        default:
            line("nop\n");
        }
    line("exit\n");
}

/*
 * Repeats, moves, consts, loops, calls and memory of a shader; each loop counts a register of its own down. Threads of
 * a group find their number in local memory, and part.
 */
static void make_shader(uint64_t *seed, bool a3xx)
{
    length = 0;
    for (unsigned i = 0; i < 8; i++)
        line("mov.u32u32 r%u.x, 0x%x\n", i, subject_random(seed) & 0xffff);
    line("mov.u32u32 r9.y, 1\n");
    if (a3xx)
        line("atomic.add.l.untyped.1d.u32.1 r9.x, l[r9.z], r9.y, r63.x\nadd.u r0.x, r0.x, r9.x\n");
    else
        line("stp.u32 p[r9.z+4], r9.y, 1\nldp.u32 r9.x, p[r9.z+4], 1\n");
    for (unsigned block = 0; block < 6; block++) {
        line("and.b r%u.w, r9.x, %u\nadd.s r%u.w, r%u.w, %u\nblock%u:\n", 20 + block, subject_random(seed) % 4,
             20 + block, 20 + block, 1 + subject_random(seed) % 3, block);
        for (unsigned i = subject_random(seed) % 6; i > 0; i--) {
            unsigned a = subject_random(seed) % 8, b = subject_random(seed) % 8, c = subject_random(seed) % 8;
            switch (subject_random(seed) % 6) {
            case 4:
                line("cmps.u.gt p0.y, r%u.x, r%u.x\nbr p0.y, #over%u_%u\ncall #outer\nover%u_%u:\n", a, b, block, i,
                     block, i);
                break;
            case 0:
                line("(rpt%u)add.s r%u.x, (r)r%u.x, r%u.y\n", 1 + subject_random(seed) % 3, a, b, c);
                break;
            case 1:
                line("mul.f r%u.y, r%u.x, c%u.x\n", a, b, c);
                break;
            case 2:
                line("mad.f32 r%u.z, r%u.x, r%u.y, r%u.z\n", a, b, c, a);
                break;
            case 3:
                line("(rpt%u)nop\n", subject_random(seed) % 6);
                break;
            default:
                line("xor.b r%u.x, r%u.x, r%u.z\n", a, b, c);
            }
        }
        line("sub.s r%u.w, r%u.w, 1\ncmps.s.gt p0.x, r%u.w, 0\n(rpt5)nop\nbr p0.x, #block%u\n", 20 + block, 20 + block,
             20 + block, block);
    }
    line("end\nouter: add.s r0.z, r0.z, 1\ncall #inner\nret\ninner: xor.b r1.z, r1.z, r0.x\nret\n");
}

static void make_a3xx(uint64_t *seed)
{
    make_shader(seed, true);
}

static void make_ir3(uint64_t *seed)
{
    make_shader(seed, false);
}

/* Sums, what is sent, and loops that count a register down, with a delay slot or without. */
static void make_mme(uint64_t *seed)
{
    static const char *const operations[] = {"add", "sub", "and", "xor", "or", "nand"};
    length = 0;
    for (unsigned block = 0; block < 6; block++) {
        line("mov $r7 0x%x\nblock%u:\nmaddr 0x%x\n", 1 + subject_random(seed) % 4, block,
             0x1000 | (subject_random(seed) & 0xff));
        for (unsigned i = subject_random(seed) % 6; i > 0; i--) {
            unsigned a = 1 + subject_random(seed) % 6, b = 1 + subject_random(seed) % 6,
                     c = 1 + subject_random(seed) % 6;
            switch (subject_random(seed) % 4) {
            case 0:
                line("send $r%u\n", a);
                break;
            case 1:
                line("mov $r%u (add $r%u %d)\n", a, b, (int)(subject_random(seed) % 200) - 100);
                break;
            case 2:
                line("mov $r%u (extrinsrt $r%u $r%u %u %u %u)\n", a, b, c, subject_random(seed) % 8,
                     1 + subject_random(seed) % 8, subject_random(seed) % 8);
                break;
            default:
                line("mov $r%u (%s $r%u $r%u)\n", a, operations[subject_random(seed) % 6], b, c);
            }
        }
        line("mov $r7 (add $r7 -1)\n");
        if (subject_random(seed) % 2)
            line("branz $r7 #block%u\nsend $r7\n", block);
        else
            line("branz annul $r7 #block%u\n", block);
    }
    line("exit send $r1\nnop\n");
}

struct walk {
    struct subject subject;
    uint64_t states[POSITIONS];
    bool known[POSITIONS];
    uint64_t end; /* positions after this one are not recorded */
};

static void check(struct walk *walk, const char *what)
{
    uint64_t position = gpucode_debug_position(walk->subject.debug), state = subject_state(&walk->subject);
    if (position >= POSITIONS)
        return;
    if (walk->known[position] && walk->states[position] != state)
        fail_msg("position %llu has another state after %s", (unsigned long long)position, what);
    walk->known[position] = true;
    walk->states[position] = state;
}

/* States by a machine that nobody debugs, run one by one. */
static void record(struct walk *walk, const char *target, const struct gpucode_setting *policies)
{
    struct subject plain;
    struct gpucode_stop stop;
    subject_open(&plain, target, source, policies, 0);
    for (walk->end = 0; walk->end < POSITIONS; walk->end++) {
        walk->states[walk->end] = subject_state(&plain);
        walk->known[walk->end] = true;
        uint64_t before = gpucode_machine_count(plain.machine);
        do
            gpucode_machine_run(plain.machine, 1, &stop);
        while (stop.reason == GPUCODE_STOP_LIMIT && gpucode_machine_count(plain.machine) == before);
        if (stop.reason != GPUCODE_STOP_LIMIT || walk->end > 1500)
            break;
    }
    subject_close(&plain);
}

static void add_breakpoints(struct walk *walk, uint64_t *seed, bool afuc)
{
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .address = 8 + subject_random(seed) % 40};
    gpucode_debug_add(walk->subject.debug, &breakpoint);
    for (unsigned i = 0; afuc && i < BLOCKS; i++) { /* every loop ends in the end */
        char label[16];
        snprintf(label, sizeof label, "block%u", i);
        struct gpucode_breakpoint last = {.kind = GPUCODE_BREAKPOINT_CODE,
                                          .address = (uint64_t)subject_value(&walk->subject, label),
                                          .condition = "$position > 1000"};
        assert_int_equal(gpucode_debug_add(walk->subject.debug, &last), GPUCODE_OK);
    }
    breakpoint.address = 8 + subject_random(seed) % 40;
    breakpoint.condition = afuc ? "$10 & 1" : "$position % 3 == 0";
    gpucode_debug_add(walk->subject.debug, &breakpoint);
    unsigned watched = subject_random(seed) % 3; /* with watchpoints machines go other ways than without any */
    if (watched == 0) {
        breakpoint = (struct gpucode_breakpoint){.kind = GPUCODE_WATCHPOINT_REGISTER,
                                                 .access = GPUCODE_ACCESS_CHANGE,
                                                 .space = GPUCODE_SPACE_GENERAL,
                                                 .address = 1 + subject_random(seed) % 8};
        gpucode_debug_add(walk->subject.debug, &breakpoint);
    } else if (watched == 1) {
        breakpoint = (struct gpucode_breakpoint){
            .kind = GPUCODE_WATCHPOINT_MEMORY, .access = GPUCODE_ACCESS_WRITE, .address = 0x100010, .size = 16};
        gpucode_debug_add(walk->subject.debug, &breakpoint);
    }
}

static void walk_about(const char *target, void (*make)(uint64_t *seed), uint64_t seed,
                       const struct gpucode_setting *policies)
{
    bool afuc = make == make_afuc;
    static struct walk walk;
    struct gpucode_debug_stop stop;
    memset(&walk, 0, sizeof walk);
    make(&seed);
    record(&walk, target, policies);
    subject_open(&walk.subject, target, source, policies, 1 + subject_random(&seed) % 60);
    struct gpucode_debug *debug = walk.subject.debug;
    add_breakpoints(&walk, &seed, afuc);
    for (unsigned i = 0; i < 120; i++) {
        bool back = subject_random(&seed) % 2;
        const char *what = back ? "continue back" : "continue";
        if (gpucode_debug_position(debug) > walk.end)
            gpucode_debug_goto(debug, walk.end / 2, &stop);
        switch (subject_random(&seed) % 6) {
        case 0:
            gpucode_debug_continue(debug, back, &stop);
            break;
        case 1:
            what = back ? "next back" : "next";
            gpucode_debug_next(debug, back, &stop);
            break;
        case 2:
            what = back ? "finish back" : "finish";
            gpucode_debug_finish(debug, back, &stop);
            break;
        case 3:
            what = "goto";
            gpucode_debug_goto(debug, subject_random(&seed) % (walk.end + 1), &stop);
            assert_true(stop.reason == GPUCODE_DEBUG_DONE);
            break;
        default:
            what = back ? "step back" : "step";
            for (unsigned k = subject_random(&seed) % 10; k > 0; k--) {
                gpucode_debug_step(debug, back, &stop);
                check(&walk, what);
            }
        }
        check(&walk, what);
    }
    subject_close(&walk.subject);
}

static void test_afuc(void)
{
    for (uint64_t seed = 0; seed < test_rounds(4, 30); seed++)
        walk_about("afuc:a630", make_afuc, seed, NULL);
}

static void test_hwsq(void)
{
    for (uint64_t seed = 0; seed < test_rounds(4, 30); seed++)
        walk_about("hwsq:g94", make_hwsq, seed, NULL);
}

static void test_a3xx(void)
{
    for (uint64_t seed = 0; seed < test_rounds(4, 30); seed++)
        walk_about("a3xx", make_a3xx, seed, NULL);
}

static void test_ir3(void)
{
    static const struct gpucode_setting fibers[] = {{"ir3-fibers", "3"}, {NULL, NULL}};
    for (uint64_t seed = 0; seed < test_rounds(4, 30); seed++)
        walk_about(seed % 2 ? "ir3:a6xx" : "ir3:a7xx", make_ir3, seed, seed % 4 < 2 ? NULL : fibers);
}

static void test_mme(void)
{
    for (uint64_t seed = 0; seed < test_rounds(4, 30); seed++)
        walk_about("mme:fermi", make_mme, seed, NULL);
}

static void test_a3xx_groups(void)
{
    static const char *const widths[] = {"2", "3", "4", "7"};
    for (uint64_t seed = 0; seed < test_rounds(6, 40); seed++) {
        const struct gpucode_setting policies[] = {
            {"a3xx-threads", widths[seed % 4]}, {"a3xx-reconvergence", seed % 3 ? "calls" : "marks"}, {NULL, NULL}};
        walk_about("a3xx", make_a3xx, seed, policies);
    }
}

/* Every hit that a run forwards makes is made by a run backwards, in the other order. */
static void test_same_hits(void)
{
    for (uint64_t start = 0; start < test_rounds(6, 20); start++) {
        static struct walk walk;
        static uint64_t hits[2000];
        struct gpucode_debug_stop stop;
        uint64_t seed = start;
        size_t count = 0;
        memset(&walk, 0, sizeof walk);
        make_afuc(&seed);
        subject_open(&walk.subject, "afuc:a630", source, NULL, 1 + subject_random(&seed) % 50);
        add_breakpoints(&walk, &seed, true);
        do {
            gpucode_debug_continue(walk.subject.debug, false, &stop);
            if (stop.reason == GPUCODE_DEBUG_BREAKPOINT)
                hits[count++] = stop.position;
        } while (stop.reason == GPUCODE_DEBUG_BREAKPOINT && stop.position < 2000 && count < 2000);
        for (size_t i = count ? count - 1 : 0; i-- > 0;) {
            gpucode_debug_continue(walk.subject.debug, true, &stop);
            if (stop.reason == GPUCODE_DEBUG_MACHINE) /* the run forwards ended in one */
                continue;
            assert_int_equal(stop.reason, GPUCODE_DEBUG_BREAKPOINT);
            assert_int_equal(stop.position, hits[i + (gpucode_debug_end(walk.subject.debug) > hits[count - 1])]);
        }
        subject_close(&walk.subject);
    }
}

/* A change is done again in every replay, and one in the past forgets the future. */
static void test_changes(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    subject_open(&subject, "afuc:a630",
                 "[016ee001]\n[01000000]\nmov $02, 0x0\nloop:\nadd $02, $02, 0x1\njump #loop\nadd $03, $03, $02\n",
                 NULL, 4);
    gpucode_debug_goto(subject.debug, 40, &stop);
    subject_value(&subject, "$03 = 0x1000");
    uint64_t changed = subject_state(&subject);
    gpucode_debug_goto(subject.debug, 80, &stop);
    uint64_t later = subject_state(&subject);
    gpucode_debug_goto(subject.debug, 10, &stop);
    gpucode_debug_goto(subject.debug, 40, &stop);
    assert_int_equal(subject_state(&subject), changed);
    gpucode_debug_goto(subject.debug, 80, &stop);
    assert_int_equal(subject_state(&subject), later);
    assert_int_equal(gpucode_debug_end(subject.debug), 80);
    gpucode_debug_goto(subject.debug, 20, &stop);
    subject_value(&subject, "*0x100000 = 7");
    assert_int_equal(gpucode_debug_end(subject.debug), 20);
    gpucode_debug_goto(subject.debug, 80, &stop);
    assert_int_equal(subject_value(&subject, "*0x100000"), 7);
    assert_true(subject_value(&subject, "$03") < 0x1000);
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_BEGINNING);
    assert_int_equal(stop.position, 0);
    subject_close(&subject);
}

/* A long run keeps few snapshots, and they stay within the memory that they may take. */
static void test_memory(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_history history;
    subject_open(&subject, "afuc:a630",
                 "[016ee001]\n[01000000]\nmov $12, 0x10 << 16\nloop:\nadd $02, $02, 0x4\nstore $02, [$12 + 0x0]\n"
                 "and $03, $02, 0xffff\nmov $12, 0x10 << 16\njump #loop\nadd $12, $12, $03\n",
                 NULL, 1000);
    gpucode_debug_goto(subject.debug, 4000000, &stop);
    assert_int_equal(stop.position, 4000000);
    gpucode_debug_history(subject.debug, &history);
    assert_in_range(history.snapshots, 20, 1000);
    assert_in_range(history.bytes, 1, 256 << 20);
    uint64_t end = subject_state(&subject);
    for (unsigned i = 0; i < 50; i++)
        gpucode_debug_step(subject.debug, true, &stop);
    assert_int_equal(stop.position, 4000000 - 50);
    gpucode_debug_goto(subject.debug, 123456, &stop);
    gpucode_debug_goto(subject.debug, 4000000, &stop);
    assert_int_equal(subject_state(&subject), end);
    subject_close(&subject);
}

/* Where the past has no call that returns to where the frame says, finishing backwards is refused and moves nothing. */
static void test_finish_without_call(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    subject_open(&subject, "afuc:a730",
                 "[01730001]\n[01000000]\nmov $02, 0x0\nadd $02, $02, 0x1\nadd $02, $02, 0x1\nbl #f\nnop\n"
                 "add $02, $02, 0x1\nend: jump #end\nnop\nf: add $02, $02, 0x1\nsret\nnop\n",
                 NULL, 4);
    gpucode_debug_until(subject.debug, 4, &stop);
    assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop), GPUCODE_ERROR_UNSUPPORTED); /* no frame */
    subject_value(&subject, "$lr = 7");
    uint64_t position = gpucode_debug_position(subject.debug), state = subject_state(&subject);
    assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_debug_position(subject.debug), position);
    assert_int_equal(subject_state(&subject), state);
    /* in the function the call is there: its finish is the place of the call */
    gpucode_debug_until(subject.debug, 10, &stop);
    assert_int_equal(stop.pc, 10);
    assert_int_equal(gpucode_debug_finish(subject.debug, true, &stop), GPUCODE_OK);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_DONE);
    assert_int_equal(stop.pc, 5);
    subject_close(&subject);
}

/* What is refused leaves the breakpoints as they are, even where a movement was interrupted before. */
static void test_refused_until(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    subject_open(&subject, "afuc:a630",
                 "[016ee001]\n[01000000]\nmov $02, 0x20\nloop: sub $02, $02, 0x1\nbrne $02, 0x0, #loop\nnop\n"
                 "waitin\nnop\n",
                 NULL, 4);
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .address = 3};
    assert_int_equal(gpucode_debug_add(subject.debug, &breakpoint), GPUCODE_OK);
    gpucode_debug_continue(subject.debug, false, &stop);
    gpucode_debug_continue(subject.debug, false, &stop);
    gpucode_debug_interrupt(subject.debug);
    gpucode_debug_continue(subject.debug, true, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_INTERRUPT);
    assert_int_equal(gpucode_debug_until_any(subject.debug, (const uint64_t[]){3, 100000}, 2, &stop),
                     GPUCODE_ERROR_RANGE);
    gpucode_debug_continue(subject.debug, false, &stop);
    assert_int_equal(stop.reason, GPUCODE_DEBUG_BREAKPOINT);
    assert_int_equal(stop.pc, 3);
    subject_close(&subject);
}

TESTS(past, test_changes, test_memory, test_afuc, test_hwsq, test_a3xx, test_ir3, test_mme, test_a3xx_groups,
      test_same_hits, test_finish_without_call, test_refused_until)
