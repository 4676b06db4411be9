/* SPDX-License-Identifier: MIT */
#include "version.h"

#include <gpucode/status.h>

const char *gpucode_version(void)
{
    return GPUCODE_VERSION;
}

const char *gpucode_status_text(enum gpucode_status status)
{
    switch (status) {
    case GPUCODE_OK:
        return "done";
    case GPUCODE_ERROR_INPUT:
        return "the input is wrong";
    case GPUCODE_ERROR_NO_INSN:
        return "no instruction of the target";
    case GPUCODE_ERROR_TRUNCATED:
        return "the bytes end inside an instruction";
    case GPUCODE_ERROR_SPACE:
        return "the buffer is too small";
    case GPUCODE_ERROR_RANGE:
        return "the value does not fit";
    case GPUCODE_ERROR_MEMORY:
        return "out of memory";
    case GPUCODE_ERROR_ARGUMENT:
        return "wrong use of the library";
    case GPUCODE_ERROR_UNSUPPORTED:
        return "the target does not have this";
    }
    return "unknown status";
}
