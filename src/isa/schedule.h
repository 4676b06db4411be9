/* SPDX-License-Identifier: MIT */
/* What the analysis room asks of an instruction set whose code needs delays. */
#ifndef ISA_SCHEDULE_H
#define ISA_SCHEDULE_H

#include "base/buffer.h"
#include "base/diagnostics.h"
#include "isa/layout.h"
#include <gpucode/schedule.h>

struct isa_schedule {
    /* Writes the scheduled file's bytes; fills in counts and origins of *scheduled. Errors as gpucode_schedule(). */
    enum gpucode_status (*schedule)(const struct isa_layout *layout, const struct gpucode_schedule_options *options,
                                    struct buffer *out, struct gpucode_scheduled *scheduled);
};

#endif
