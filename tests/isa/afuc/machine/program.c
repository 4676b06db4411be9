/* SPDX-License-Identifier: MIT */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void program_make(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count,
                  const struct gpucode_setting *policies)
{
    static const char end[] = "\nwaitin\nmov $01, $data\n";
    size_t size = strlen(head) + strlen(text) + sizeof end;
    char *all = malloc(size);
    assert_non_null(all);
    snprintf(all, size, "%s%s%s", head, text, end);
    if (!rig_text(rig, NULL, all, policies))
        fail_msg("%s", rig->message);
    free(all);
    if (count) {
        rig_feed(rig, payload, count);
        rig_set(rig, "$rem", count);
    }
}

static bool look_on(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)user, (void)machine, (void)event;
    return false;
}

/* A machine that somebody watches runs each instruction the long way: what it leaves must be the same. */
static void expect_same_watched(const struct rig *rig, const char *head, const char *text, const uint32_t *payload,
                                unsigned count)
{
    static const enum gpucode_space spaces[] = {GPUCODE_SPACE_GENERAL, GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE,
                                                GPUCODE_SPACE_PIPE};
    struct rig watched;
    program_make(&watched, head, text, payload, count, NULL);
    gpucode_machine_hook(watched.machine, GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_READ, look_on, NULL);
    if (rig_run(&watched, 100000) != GPUCODE_STOP_IDLE)
        fail_msg("watched: %s (word 0x%x)", watched.stop.text, (unsigned)watched.stop.pc);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        uint32_t value, other;
        for (uint32_t k = 0; gpucode_machine_read(rig->machine, 0, spaces[i], k, &value) == GPUCODE_OK; k++) {
            assert_int_equal(gpucode_machine_read(watched.machine, 0, spaces[i], k, &other), GPUCODE_OK);
            if (other != value)
                fail_msg("watched, register 0x%x of space %u is 0x%x, not 0x%x: %s", k, spaces[i], other, value, text);
        }
    }
    rig_free(&watched);
}

void program_run(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count)
{
    program_make(rig, head, text, payload, count, NULL);
    if (rig_run(rig, 100000) != GPUCODE_STOP_IDLE)
        fail_msg("%s (word 0x%x)", rig->stop.text, (unsigned)rig->stop.pc);
    expect_same_watched(rig, head, text, payload, count);
}

void program_stops(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count,
                   enum gpucode_stop_reason reason, const char *code)
{
    program_make(rig, head, text, payload, count, NULL);
    rig_run(rig, 1000000);
    if (rig->stop.code == NULL || strcmp(rig->stop.code, code) != 0)
        fail_msg("%s instead of %s: %s", rig->stop.code ? rig->stop.code : "limit", code, rig->stop.text);
    assert_int_equal(rig->stop.reason, reason);
}
