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

void program_run(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count)
{
    program_make(rig, head, text, payload, count, NULL);
    if (rig_run(rig, 100000) != GPUCODE_STOP_IDLE)
        fail_msg("%s (word 0x%x)", rig->stop.text, (unsigned)rig->stop.pc);
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
