/* SPDX-License-Identifier: MIT */
#include "front/stop.h"
#include "front/input.h"
#include "front/places.h"
#include "front/report.h"

#include <string.h>

const char *stop_reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {[GPUCODE_STOP_LIMIT] = "limit",     [GPUCODE_STOP_HOOK] = "hook",
                                        [GPUCODE_STOP_IDLE] = "idle",       [GPUCODE_STOP_END] = "end",
                                        [GPUCODE_STOP_HANG] = "hang",       [GPUCODE_STOP_FAULT] = "fault",
                                        [GPUCODE_STOP_UNKNOWN] = "unknown", [GPUCODE_STOP_BREAKPOINT] = "breakpoint"};
    return names[reason];
}

bool stop_has_no_memory(const struct gpucode_stop *stop)
{
    return stop->code && strcmp(stop->code, "machine-memory") == 0;
}

const char *stop_sentence(const struct gpucode_stop *stop)
{
    return stop->text[0] ? stop->text : "the limit of instructions is reached";
}

void stop_tell(struct report *report, const struct input *input, const struct gpucode_machine *machine,
               const struct gpucode_stop *stop, uint64_t instructions)
{
    char where[PLACES_WHERE_MAX];
    report_object(report, "stop");
    report_string(report, "reason", "%s: ", stop_reason_name(stop->reason));
    report_string(report, "code", NULL, stop->code);
    report_string(report, "text", "%s ", stop_sentence(stop));
    report_string(report, "processor", NULL, gpucode_machine_processor(machine, stop->processor));
    report_address(report, "pc", "(at %s", 1, stop->pc);
    if (!report->is_json) /* names of places want the whole listing */
        report_text(report, "%s)",
                    places_where(input, gpucode_machine_section(machine, stop->processor), stop->pc, where));
    report_end(report);
    report_number(report, "instructions", ", %s instructions\n", instructions);
}
