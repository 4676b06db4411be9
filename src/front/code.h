/* SPDX-License-Identifier: MIT */
/* A binary file given on the command line, opened as the shared options say. */
#ifndef FRONT_CODE_H
#define FRONT_CODE_H

#include "front/file.h"

#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>

struct session;

struct code {
    struct file file;
    struct gpucode_image *image;
};

/* The target of -t; *target is null when there is none. Complains when it does not exist. Returns an exit code. */
int code_target(struct session *session, const struct gpucode_target **target);
/* Reads a file, through --hex if asked. Returns an exit code. */
int code_read(struct session *session, const char *path, struct file *file);
/* Is it a text, and to be assembled? What --hex has made is none. */
bool code_is_source(const struct session *session, const struct file *file);
/* Reads and opens. Returns an exit code; on EXIT_DONE call code_close(). */
int code_open(struct session *session, const char *path, struct code *code);
void code_close(struct code *code);

/* Exit code of a status that is not GPUCODE_OK; complains where the library did not tell the diagnostic handler. */
int code_status(struct session *session, const char *file, enum gpucode_status status);

/* --form: code as hex, words, a C array or calls instead of text or binary. */

/*
 * Code in the form of --form. *text is null when the option is not given or is `natural`, what the command writes
 * anyway; else free() it. Returns an exit code.
 */
int form_write(struct session *session, const char *natural, const struct gpucode_target *target, const void *bytes,
               size_t size, char **text, size_t *length);

/* ELF files: code with its symbols and lines, as `asm --form elf` writes them. */

/* The program as such a file, for form_write()'s callers. *bytes: free() it. Returns an exit code. */
int object_write(struct session *session, const struct gpucode_program *program, const char *source, char **bytes,
                 size_t *size);
/*
 * Where the file is one, what is in it takes its bytes' place, and *target, if null, is what it says. Other files stay
 * as they are, and *found false. Returns an exit code.
 */
int object_unwrap(struct session *session, struct file *file, const struct gpucode_target **target, bool *found);

#endif
