/* SPDX-License-Identifier: MIT */
/*
 * Diagnostics: what is wrong with an input, as data.
 *
 *     static void report(void *user, const struct gpucode_diagnostic *d)
 *     {
 *         fprintf(user, "%s:%u:%u: %s\n", d->file, d->line, d->column, d->message);
 *     }
 *     struct gpucode_diagnostic_handler on_diagnostic = {report, stderr};
 *
 * The texts live in files of the library (src/base/message.def and its like); each has a code that
 * `gpucode explain CODE` explains at length.
 */
#ifndef GPUCODE_DIAGNOSTIC_H
#define GPUCODE_DIAGNOSTIC_H

#include <gpucode/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gpucode_severity {
    GPUCODE_NOTE,    /* belongs to the diagnostic before it, e.g. "expanded from here" */
    GPUCODE_WARNING, /* the result is usable */
    GPUCODE_ERROR,   /* there is no result */
};

/* All pointers are valid during the call of the diagnostic handler only. */
struct gpucode_diagnostic {
    enum gpucode_severity severity;
    const char *code;     /* "asm-range": stable name, argument of gpucode_explain() */
    const char *file;     /* as the caller named the input; null when there is none */
    unsigned line;        /* 1 = first; 0 = the diagnostic has no place in a text */
    unsigned column;      /* 1 = first byte of the line; 0 = whole line */
    unsigned length;      /* bytes the caret should underline, at least 1 */
    const char *message;  /* one sentence, no full stop */
    const char *hint;     /* what to do about it; null when there is nothing to say */
    const char *source;   /* the source line without its newline; null when not a text */
    size_t source_length; /* bytes in source */
    /* A text that mends it when it takes the place of `replaced_length` bytes (0: it is put in) from that column of the
     * line on; null: nobody knows one. */
    const char *replacement;
    unsigned replaced_column, replaced_length;
};

/* Receives diagnostics in the order of their discovery. report may be null: then they are dropped. */
struct gpucode_diagnostic_handler {
    void (*report)(void *user, const struct gpucode_diagnostic *diagnostic);
    void *user;
};

/* The long help of a diagnostic code, or null when there is no such code. Any thread. */
GPUCODE_API const char *gpucode_explain(const char *code);

/* Code number `index` in the order of the catalogue, or null after the last one. Any thread. */
GPUCODE_API const char *gpucode_diagnostic_code(unsigned index);

#ifdef __cplusplus
}
#endif
#endif
