/* SPDX-License-Identifier: MIT */
/* Launch requests of editors for firmware: the crash dump whose state it begins in. */
#include "gpu/crash_launch.h"

#include "gpu/crash_load.h"
#include <gpucode/crash.h>

#include <stdlib.h>

static enum gpucode_status take_dump(struct launch *launch, const char *path, bool from_ring, const char **expected)
{
    struct gpucode_crash *crash;
    struct crash_loading loading = {.from_ring = from_ring};
    char *bytes;
    size_t size;
    *expected = "a crash dump of the GPU that the firmware is for";
    if (!launch->read(launch->user, path, &bytes, &size))
        return GPUCODE_ERROR_INPUT;
    enum gpucode_status status = gpucode_crash_open(bytes, size, NULL, &crash);
    if (status == GPUCODE_ERROR_INPUT)
        status = GPUCODE_ERROR_ARGUMENT;
    if (status == GPUCODE_OK)
        status = crash_load_into(crash, launch->machine, &loading);
    if (status == GPUCODE_OK && loading.no_ring)
        status = GPUCODE_ERROR_ARGUMENT;
    gpucode_crash_free(crash);
    free(bytes);
    return status;
}

enum gpucode_status crash_launch(struct launch *launch, const char *text, const char **expected)
{
    return take_dump(launch, text, false, expected);
}

enum gpucode_status crash_launch_ring(struct launch *launch, const char *text, const char **expected)
{
    return take_dump(launch, text, true, expected);
}
