/* SPDX-License-Identifier: MIT */
/* Schedule: the instruction set does the work. */
#include "isa/schedule.h"
#include "base/arena.h"

#include "image/image.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum gpucode_status gpucode_schedule(const struct gpucode_image *image, const struct gpucode_schedule_options *options,
                                     struct gpucode_scheduled *out)
{
    static const struct gpucode_schedule_options none = {0};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = (struct gpucode_scheduled){0};
    if (!image || (options && (unsigned)options->strip > GPUCODE_STRIP_ALL))
        return GPUCODE_ERROR_ARGUMENT;
    if (!image->isa->timing.schedule)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct buffer buffer = {0};
    enum gpucode_status status =
        image->isa->timing.schedule->schedule(image_layout(image), options ? options : &none, &buffer, out);
    if (status == GPUCODE_OK && !buffer.failed) {
        out->bytes = malloc(buffer.length + 1);
        if (out->bytes && buffer.length)
            memcpy(out->bytes, buffer.bytes, buffer.length);
        out->size = buffer.length;
    }
    buffer_free(&buffer);
    if (status == GPUCODE_OK && !out->bytes)
        status = GPUCODE_ERROR_MEMORY;
    if (status != GPUCODE_OK)
        gpucode_scheduled_free(out);
    return status;
}

void gpucode_scheduled_free(struct gpucode_scheduled *scheduled)
{
    if (!scheduled)
        return;
    FREE_ALL(scheduled->bytes, scheduled->origins);
    *scheduled = (struct gpucode_scheduled){0};
}
