/* SPDX-License-Identifier: MIT */
/* Input files: read whole, or mapped. */
#ifndef FRONT_FILE_H
#define FRONT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diagnostics;
struct stat;
struct session;

#define FILE_LARGEST (UINT64_C(1) << 30) /* bytes of a file that is read */

struct file {
    const char *name; /* for messages: the path, or "<stdin>" */
    char *bytes;      /* with a zero after the last; free() it */
    size_t size;
};

/* Reads a file of at most 1 GiB; "-" is standard input. Complains and returns an exit code when it cannot. */
int file_read(struct file *file, const char *path, struct diagnostics *diagnostics);
/* The same of what was opened, and is closed but for standard input; a descriptor of -1 stands for what errno says. */
int file_read_open(struct file *file, const char *name, int descriptor, struct diagnostics *diagnostics);
void file_free(struct file *file);
/* Was this ordinary file read? */
bool file_was_read(const struct stat *status);

/*
 * Replaces hex text by the bytes it stands for. Complains at the first place that is not hex. Bytes of 2 digits, words
 * of 8 and 16 digits (or 8_8), little-endian, and longer runs of bytes; comments as in any of the instruction sets.
 */
int file_from_hex(struct file *file, struct diagnostics *diagnostics);

/*
 * Large texts that stay in their files: pages come when they are looked at and go after the reader, so that memory
 * does not grow with the text. One at a time. Small files and what is not an ordinary file are read whole.
 */

/* As file_read(). */
int mapped_open(struct file *file, const char *path, struct diagnostics *diagnostics);
/* For gpucode_asm_options.passed: lets go of what is in front of the byte, but for the last of it. */
void mapped_passed(void *user, size_t offset);
/* Has the file become shorter since? The text reads as zeros from there on, and what is said of it is nonsense. */
bool mapped_is_cut(void);
/* Complains and returns an exit code when the file is not what it was when it was opened. */
int mapped_check(const struct file *file, struct diagnostics *diagnostics);
void mapped_close(struct file *file);

/*
 * Large files of which a few parts are in memory: what was looked at last. Contents may be larger than memory.
 */
struct windows;

/*
 * *out becomes null where the file is to be read whole: it is small, compressed, no ordinary file, or cannot be opened.
 * Complains and returns an exit code when there is no memory.
 */
int windows_open(struct windows **out, const char *path, struct diagnostics *diagnostics);
uint64_t windows_size(const struct windows *windows);
/* Copies bytes from an offset on, with `windows` as the first argument. Returns how many there are. */
size_t windows_read(void *windows, uint64_t offset, void *bytes, size_t size);
/* Complains and returns an exit code when a part could not be read, or the file is not what it was. */
int windows_check(const struct windows *windows, const char *name, struct diagnostics *diagnostics);
/* Null is allowed. */
void windows_close(struct windows *windows);

/*
 * Tells as a note what the file is and which command is for it, when it is something well known. For files that were
 * refused.
 */
void kinds_tell(struct session *session, const struct file *file);
/* Of what is to be read as a source: an exit code, with a message where the first bytes say that it is none. */
int kinds_check_source(struct session *session, const struct file *file);

#endif
