/* SPDX-License-Identifier: MIT */
/*
 * What every fallible function returns.
 *
 *     enum gpucode_status status = gpucode_decode(target, bytes, size, 0, &insn);
 *     if (status != GPUCODE_OK)
 *         fprintf(stderr, "%s\n", gpucode_status_text(status));
 *
 * A null handle (image, machine, session, target ...) does not crash: such a call returns GPUCODE_ERROR_ARGUMENT, or
 * false, 0 or null where it returns no status, and does nothing. Other pointers, to what is filled or read, must not be
 * null unless the function says so.
 *
 * The library never prints, exits, aborts or asserts on input. Details of what is wrong with an
 * input go, as data, to the diagnostics on_diagnostic of <gpucode/diagnostic.h>.
 */
#ifndef GPUCODE_STATUS_H
#define GPUCODE_STATUS_H

#if defined(__GNUC__)
#define GPUCODE_API __attribute__((visibility("default")))
#else
#define GPUCODE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum gpucode_status {
    GPUCODE_OK = 0,
    GPUCODE_ERROR_INPUT,       /* the input is wrong; the diagnostics on_diagnostic was told where and why */
    GPUCODE_ERROR_NO_INSN,     /* the bytes are not an instruction of the target */
    GPUCODE_ERROR_TRUNCATED,   /* the bytes end inside an instruction */
    GPUCODE_ERROR_SPACE,       /* the caller's buffer is too small; the needed length was returned */
    GPUCODE_ERROR_RANGE,       /* a value does not fit where it should go */
    GPUCODE_ERROR_MEMORY,      /* out of memory */
    GPUCODE_ERROR_ARGUMENT,    /* the call itself is wrong: null pointer, unknown option, bad index */
    GPUCODE_ERROR_UNSUPPORTED, /* the target does not have what was asked for */
};

/* One English sentence without a full stop. Never null. Any thread. */
GPUCODE_API const char *gpucode_status_text(enum gpucode_status status);

/* "MAJOR.MINOR.PATCH". Never null. Any thread. */
GPUCODE_API const char *gpucode_version(void);

#ifdef __cplusplus
}
#endif
#endif
