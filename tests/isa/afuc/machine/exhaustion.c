/* SPDX-License-Identifier: MIT */
/* Out of memory at every allocation in turn: a status or a stop, never a crash. The linker sends allocations here. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static long left = -1; /* allocations until one fails; negative: none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static bool fails(void)
{
    if (left < 0)
        return false;
    return left-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

static void creation(void)
{
    struct rig rig;
    program_make(&rig, A6XX, "nop\n", NULL, 0, NULL);
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    for (long i = 0; status != GPUCODE_OK; i++) {
        struct gpucode_machine *machine;
        assert_true(i < 1000);
        left = i;
        status = gpucode_machine_create(rig.image, NULL, &machine);
        left = -1;
        assert_true(status == GPUCODE_OK || status == GPUCODE_ERROR_MEMORY);
        assert_true((machine != NULL) == (status == GPUCODE_OK));
        gpucode_machine_free(machine);
    }
    rig_free(&rig);
}

/* A store that needs a page: the machine stops and says so. */
static void running(void)
{
    bool stopped = false, ended = false;
    for (long i = 0; !ended; i++) {
        struct rig rig;
        program_make(&rig, A6XX, "mov $02, 0x500 << 16\nmov $03, 0x7\nstore $03, [$02 + 0x0]\n", NULL, 0, NULL);
        assert_true(i < 100);
        left = i;
        rig_run(&rig, 1000);
        left = -1;
        ended = rig.stop.reason == GPUCODE_STOP_IDLE;
        if (!ended) {
            assert_int_equal(rig.stop.reason, GPUCODE_STOP_FAULT);
            assert_string_equal(rig.stop.code, "machine-memory");
            stopped = true;
        }
        rig_free(&rig);
    }
    assert_true(stopped);
}

/* Feeding, snapshots and host writes report it, and what was there before still works. */
static void host_calls(void)
{
    struct rig rig;
    struct gpucode_snapshot *snapshot = NULL;
    const uint32_t word = 5;
    const unsigned char byte = 7;
    program_make(&rig, A6XX, "mov $02, $data\n", NULL, 0, NULL);
    left = 0;
    assert_int_equal(gpucode_machine_snapshot(rig.machine, &snapshot), GPUCODE_ERROR_MEMORY);
    assert_null(snapshot);
    left = 0;
    assert_int_equal(gpucode_machine_feed(rig.machine, 0, &word, 1), GPUCODE_ERROR_MEMORY);
    left = 0;
    assert_int_equal(gpucode_machine_store(rig.machine, 0x9000000, &byte, 1), GPUCODE_ERROR_MEMORY);
    left = 0;
    assert_int_equal(gpucode_machine_map(rig.machine, 0x9000000, 1), GPUCODE_ERROR_MEMORY);
    left = -1;
    assert_int_equal(gpucode_machine_feed(rig.machine, 0, &word, 1), GPUCODE_OK);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$02"), 5);
    rig_free(&rig);
}

TESTS(exhaustion, creation, running, host_calls)
