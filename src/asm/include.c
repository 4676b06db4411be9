/* SPDX-License-Identifier: MIT */
/* Included files below one folder, for those who assemble what strangers wrote. */
#include "asm/context.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST ((size_t)256 << 20)
#define NO_SUCH_PLACE (-1)

/* Opens `below`, which has no links, from a folder on: each part by itself, so that a link that appears meanwhile
 * fails. */
static int open_parts(const char *root, char *below)
{
    int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *rest = NULL;
    for (char *part = strtok_r(below, "/", &rest), *next; folder >= 0 && part; part = next) {
        next = strtok_r(NULL, "/", &rest);
        int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (next ? O_DIRECTORY : 0);
        int inner = openat(folder, part, flags), error = errno;
        close(folder);
        errno = error;
        folder = inner;
    }
    return folder;
}

/* The descriptor of an ordinary file, or -1 with errno: EXDEV, when it stands outside of the root. */
static int open_below(const char *root, const char *path)
{
    char *real_root = realpath(root, NULL), *real_path = real_root ? realpath(path, NULL) : NULL;
    int descriptor = NO_SUCH_PLACE, error = errno;
    size_t length = real_root ? strlen(real_root) : 0;
    struct stat status;
    if (length && real_root[length - 1] == '/')
        length--; /* the root of all */
    if (real_path && (strncmp(real_path, real_root, length) != 0 || (real_path[length] && real_path[length] != '/'))) {
        error = EXDEV;
    } else if (real_path) {
        descriptor = open_parts(real_root, real_path + length);
        error = errno;
    }
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(descriptor);
        descriptor = NO_SUCH_PLACE;
        error = EISDIR;
    }
    free(real_root);
    free(real_path);
    errno = error;
    return descriptor;
}

int gpucode_include_open(const char *root, const char *from, const char *name)
{
    if (!root || !name) {
        errno = EINVAL;
        return NO_SUCH_PLACE;
    }
    const char *slash = name[0] == '/' || !from ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0, length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (!path) {
        errno = ENOMEM;
        return NO_SUCH_PLACE;
    }
    if (slash)
        memcpy(path, from, folder);
    memcpy(path + folder, name, length + 1);
    int descriptor = open_below(root, path), error = errno;
    free(path);
    errno = error;
    return descriptor;
}

/* All that a descriptor gives; closes it. Null: *length is GPUCODE_NO_MEMORY, or 0 when it cannot be read. */
static char *read_descriptor(int descriptor, size_t *length)
{
    char *text = NULL;
    size_t room = 0, used = 0;
    ssize_t got = 1;
    while (got > 0 && used <= LARGEST) {
        if (room - used < 4096) {
            char *larger = realloc(text, room = room ? 2 * room : 16384);
            if (!larger) {
                *length = GPUCODE_NO_MEMORY;
                break;
            }
            text = larger;
        }
        got = read(descriptor, text + used, room - used);
        used += got > 0 ? (size_t)got : 0;
    }
    close(descriptor);
    if (got == 0) {
        *length = used;
        return text;
    }
    free(text);
    return NULL;
}

bool asm_read_include(const struct gpucode_asm_options *options, const char *from, const char *name, char **text,
                      size_t *length)
{
    *length = 0;
    if (options->include)
        return options->include(options->user, from, name, text, length);
    int descriptor = options->include_root ? gpucode_include_open(options->include_root, from, name) : NO_SUCH_PLACE;
    if (descriptor >= 0)
        *text = read_descriptor(descriptor, length);
    else if (options->include_root)
        *length = errno == ENOMEM ? GPUCODE_NO_MEMORY : errno == EXDEV ? GPUCODE_OUTSIDE : 0;
    return descriptor >= 0 && *text;
}
