/* SPDX-License-Identifier: MIT */
/* --form: code as hex, words, a C array or calls instead of text or binary. */
#ifndef FRONT_FORM_H
#define FRONT_FORM_H

#include <gpucode/target.h>
#include <stddef.h>

struct session;

/*
 * Code in the form of --form. *text is null when the option is not given or is `natural`, what the command writes
 * anyway; else free() it. Returns an exit code.
 */
int form_write(struct session *session, const char *natural, const struct gpucode_target *target, const void *bytes,
               size_t size, char **text, size_t *length);

#endif
