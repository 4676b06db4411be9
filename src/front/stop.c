/* SPDX-License-Identifier: MIT */
#include "front/stop.h"

const char *stop_reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {[GPUCODE_STOP_LIMIT] = "limit",     [GPUCODE_STOP_HOOK] = "hook",
                                        [GPUCODE_STOP_IDLE] = "idle",       [GPUCODE_STOP_END] = "end",
                                        [GPUCODE_STOP_HANG] = "hang",       [GPUCODE_STOP_FAULT] = "fault",
                                        [GPUCODE_STOP_UNKNOWN] = "unknown", [GPUCODE_STOP_BREAKPOINT] = "breakpoint"};
    return names[reason];
}

const char *stop_sentence(const struct gpucode_stop *stop)
{
    return stop->text[0] ? stop->text : "the limit of instructions is reached";
}
