/* SPDX-License-Identifier: MIT */
/*
 * How fast the debugger is: a loop of 10^8 instructions plainly, with 1,000 breakpoints that are not hit, recorded by a
 * session, and gone through backwards. A benchmark: it prints, and judges nothing.
 */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define INSTRUCTIONS 100000000u
#define BREAKPOINTS 1000

static char source[32768];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void make_source(uint64_t instructions)
{
    size_t length =
        (size_t)snprintf(source, sizeof source,
                         "[016ee001]\n[01000000]\nmov $02, 0x%x << 16\nmov $03, 0x10 << 16\n"
                         "loop:\nadd $04, $04, 0x3\nxor $05, $05, $04\nshl $06, $04, 0x2\nstore $05, [$03 + 0x0]\n"
                         "sub $02, $02, 0x1\nadd $07, $07, $06\nand $08, $07, 0xff\nbrne $02, 0x0, #loop\nnop\n"
                         "done:\nwaitin\nmov $01, $data\n",
                         (unsigned)((instructions / 9) >> 16));
    for (unsigned i = 0; i < BREAKPOINTS; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "nop\n");
}

static void bench(void **state)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_stop plain;
    struct gpucode_history history;
    (void)state;
    make_source(INSTRUCTIONS);
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    double start = now();
    uint64_t ran = gpucode_machine_run(subject.machine, 2 * INSTRUCTIONS, &plain);
    double plain_time = now() - start;
    printf("plain:             %.3f s for %llu instructions, %.0f M/s\n", plain_time, (unsigned long long)ran,
           (double)ran / plain_time / 1e6);
    subject_close(&subject);

    subject_open(&subject, "afuc:a630", source, NULL, 0);
    uint64_t done = (uint64_t)subject_value(&subject, "done");
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE};
    for (unsigned i = 0; i < BREAKPOINTS; i++) {
        breakpoint.address = done + 2 + i;
        assert_int_equal(gpucode_debug_add(subject.debug, &breakpoint), GPUCODE_OK);
    }
    start = now();
    gpucode_debug_continue(subject.debug, false, &stop);
    double session = now() - start;
    gpucode_debug_history(subject.debug, &history);
    printf("1000 breakpoints:  %.3f s, %.0f%% of the plain speed; %u snapshots, %zu KiB\n", session,
           plain_time / session * 100, history.snapshots, history.bytes >> 10);

    start = now();
    for (unsigned i = 0; i < 20; i++)
        gpucode_debug_step(subject.debug, true, &stop);
    printf("reverse-step:      %.2f ms each at the end\n", (now() - start) / 20 * 1000);
    start = now();
    gpucode_debug_continue(subject.debug, true, &stop);
    printf("reverse-continue:  %.3f s through all of it\n", now() - start);
    start = now();
    gpucode_debug_goto(subject.debug, ran / 2, &stop);
    printf("goto the middle:   %.3f s from the start\n", now() - start);
    subject_close(&subject);
}

/* A billion instructions, and back from their end. */
static void bench_billion(void **state)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_history history;
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_WATCHPOINT_REGISTER,
                                            .access = GPUCODE_ACCESS_CHANGE,
                                            .space = GPUCODE_SPACE_GENERAL,
                                            .address = 2};
    (void)state;
    make_source(UINT64_C(10) * INSTRUCTIONS);
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    double start = now();
    gpucode_debug_continue(subject.debug, false, &stop);
    gpucode_debug_history(subject.debug, &history);
    printf("a billion:         %.3f s for %llu instructions; %u snapshots, %zu KiB\n", now() - start,
           (unsigned long long)stop.position, history.snapshots, history.bytes >> 10);
    start = now();
    for (unsigned i = 0; i < 20; i++)
        gpucode_debug_step(subject.debug, true, &stop);
    printf("reverse-step:      %.2f ms each at the end\n", (now() - start) / 20 * 1000);
    gpucode_debug_add(subject.debug, &breakpoint);
    start = now();
    gpucode_debug_continue(subject.debug, true, &stop);
    printf("reverse-continue:  %.3f s to the last write of a register\n", now() - start);
    gpucode_debug_remove(subject.debug, breakpoint.number);
    uint64_t places[] = {900000000, 500000000, 100000000, 999000000};
    for (unsigned i = 0; i < 4; i++) {
        start = now();
        gpucode_debug_goto(subject.debug, places[i], &stop);
        double there = now() - start;
        start = now();
        gpucode_debug_step(subject.debug, true, &stop);
        printf("goto %-12llu  %.3f s, a step back from there %.3f s\n", (unsigned long long)places[i], there,
               now() - start);
    }
    subject_close(&subject);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bench), cmocka_unit_test(bench_billion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
