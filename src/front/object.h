/* SPDX-License-Identifier: MIT */
/* ELF files: code with its symbols and lines, as `asm --form elf` writes them. */
#ifndef FRONT_OBJECT_H
#define FRONT_OBJECT_H

#include "front/file.h"
#include <gpucode/asm.h>

struct session;

/* The program as such a file, for form_write()'s callers. *bytes: free() it. Returns an exit code. */
int object_write(struct session *session, const struct gpucode_program *program, const char *source, char **bytes,
                 size_t *size);
/*
 * Where the file is one, what is in it takes its bytes' place, and *target, if null, is what it says. Other files stay
 * as they are, and *found false. Returns an exit code.
 */
int object_unwrap(struct session *session, struct file *file, const struct gpucode_target **target, bool *found);

#endif
