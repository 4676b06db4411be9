/* SPDX-License-Identifier: MIT */
#include "pm4/stream/recording.h"

#include <stdarg.h>

void stream_report(const struct gpucode_stream *stream, enum message message, ...)
{
    struct place place = {.file = stream->file_name};
    va_list args;
    va_start(args, message);
    report_v(&stream->on_diagnostic, &place, message, NULL, args);
    va_end(args);
}
