/* SPDX-License-Identifier: MIT */
/*
 * Large texts that stay in their files: pages come when they are looked at and go behind the reader, so that memory
 * does not grow with the text. One at a time. Small files and what is no ordinary file are read whole.
 */
#ifndef FRONT_MAPPED_H
#define FRONT_MAPPED_H

#include "front/file.h"

/* As file_read(). */
int mapped_open(struct file *file, const char *path, struct diagnostics *diagnostics);
/* For gpucode_asm_options.passed: lets go of what is in front of the byte, but for the last of it. */
void mapped_passed(void *user, size_t offset);
/* Has the file become shorter since? The text reads as zeros from there on, and what is said of it is nonsense. */
bool mapped_is_cut(void);
/* Complains and returns an exit code when the file is not what it was when it was opened. */
int mapped_check(const struct file *file, struct diagnostics *diagnostics);
void mapped_close(struct file *file);

#endif
