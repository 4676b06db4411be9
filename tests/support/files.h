/* SPDX-License-Identifier: MIT */
/* Files that tests read: those of the tree, and material from elsewhere (the vectors), which may be absent. */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stddef.h>
#include <stdint.h>

/* malloc'ed contents with a zero at the end; null when there is no such file. gzip'ed files (".gz") are unpacked.
 * `size` may be null. */
char *read_whole(const char *path, size_t *size);
/* The same for a file of the tree; fails the test when it is not there. */
char *read_source(const char *name, size_t *size);
/* The same for a document, each item of whose lists is in one line. */
char *read_items(const char *name);

/* GPUCODE_VECTORS, or where it is by default; null (and "skipped: no vectors" printed) when the folder is absent. */
const char *vectors_folder(void);
/* read_whole() of a file there; null when it or the folder is absent. */
char *read_vector(const char *name, size_t *size);

/* The checksum of gzip and PNG. */
uint32_t crc32_of(const unsigned char *bytes, size_t size);

#endif
