/* SPDX-License-Identifier: MIT */
/*
 * Code in the forms that people paste: hex dumps, C arrays, calls of a driver's script builder.
 *
 *     char *text;
 *     size_t length;
 *     if (gpucode_form_write(target, GPUCODE_FORM_C, "script", bytes, size, &text, &length) == GPUCODE_OK) {
 *         fwrite(text, 1, length, stdout);
 *         free(text);
 *     }
 *
 * What is written can be read back to the same bytes.
 */
#ifndef GPUCODE_FORM_H
#define GPUCODE_FORM_H

#include <gpucode/diagnostic.h>
#include <gpucode/target.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gpucode_form {
    GPUCODE_FORM_HEX,   /* bytes of two digits, sixteen a line */
    GPUCODE_FORM_WORDS, /* little-endian words 0xNNNNNNNN, four a line; a tail of less than four bytes as bytes */
    GPUCODE_FORM_C,     /* a C array of bytes */
    GPUCODE_FORM_CALLS, /* a call per instruction: hwsq_wait(hwsq, 0x2, 0x1); needs a target */
};

/*
 * Writes bytes in a form. `name` names the C array, or is the first argument of the calls; null: the instruction set's
 * name, or "code". `target` is needed for calls and may be null otherwise. *text is malloc'ed, ends in a zero and
 * belongs to the caller. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_form_write(const struct gpucode_target *target, enum gpucode_form form,
                                                   const char *name, const void *bytes, size_t size, char **text,
                                                   size_t *length);

/*
 * Reads text in any of the forms: calls where there is a parenthesis (and a target), hex otherwise. `file` names the
 * text for the diagnostic handler and may be null. *bytes is malloc'ed and belongs to the caller. Returns GPUCODE_OK,
 * GPUCODE_ERROR_INPUT (the diagnostic handler was told), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_form_read(const struct gpucode_target *target, const char *text, size_t length,
                                                  const char *file,
                                                  const struct gpucode_diagnostic_handler *on_diagnostic, void **bytes,
                                                  size_t *size);

/* The first '{' or '(' of the text outside comments: a C array or calls; 0: there is none. Any thread. */
GPUCODE_API char gpucode_form_bracket(const char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
