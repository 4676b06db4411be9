/* SPDX-License-Identifier: MIT */
#include "front/file.h"
#include "front/memory.h"
#include "front/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_STREAM (UINT64_C(1) << 28) /* what has no size and may have no end, as /dev/zero */
#define READ_FILES_MAX 256
#define SMALL (1 << 14) /* of which pages do not count */

/* Reads on until the end, from a known size or in steps where the size is not known. */
static int read_all(struct file *file, int descriptor, size_t room, uint64_t largest, struct diagnostics *diagnostics)
{
    for (;;) {
        if (file->size + 1 >= room || !file->bytes) {
            room = file->bytes ? room * 2 : room;
            char *more = realloc(file->bytes, room);
            if (!more)
                return out_of_memory(diagnostics);
            file->bytes = more;
        }
        ssize_t got = read(descriptor, file->bytes + file->size, room - file->size - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EISDIR)
            return complain(diagnostics, CLI_DIRECTORY, file->name, NULL);
        if (got < 0)
            return complain(diagnostics, CLI_READ, file->name, NULL, strerror(errno));
        if (got == 0) {
            file->bytes[file->size] = 0;
            return EXIT_DONE;
        }
        file->size += (size_t)got;
        if (file->size > largest)
            return complain(diagnostics, CLI_BIG, file->name, NULL);
    }
}

/* The ordinary files that were read, the last ones of many; an output is not to replace them. */
static struct {
    dev_t device;
    ino_t inode;
} read_files[READ_FILES_MAX];
static unsigned read_count;

void file_remember(const struct stat *status)
{
    unsigned at = read_count++ % READ_FILES_MAX;
    read_files[at].device = status->st_dev;
    read_files[at].inode = status->st_ino;
}

bool file_was_read(const struct stat *status)
{
    for (unsigned i = 0; i < read_count && i < READ_FILES_MAX; i++)
        if (read_files[i].device == status->st_dev && read_files[i].inode == status->st_ino)
            return true;
    return false;
}

int file_read(struct file *file, const char *path, struct diagnostics *diagnostics)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int descriptor = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    return file_read_open(file, is_stdin ? "<stdin>" : path, descriptor, diagnostics);
}

int file_read_open(struct file *file, const char *name, int descriptor, struct diagnostics *diagnostics)
{
    *file = (struct file){.name = name};
    if (descriptor < 0)
        return complain(diagnostics, CLI_OPEN, name, NULL, strerror(errno));
    struct stat status;
    int code = EXIT_DONE;
    size_t room = 1 << 16;
    if (fstat(descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            code = complain(diagnostics, CLI_DIRECTORY, file->name, NULL);
        else if (S_ISREG(status.st_mode) && (uint64_t)status.st_size > FILE_LARGEST)
            code = complain(diagnostics, CLI_BIG, file->name, NULL);
        else if (S_ISREG(status.st_mode))
            room = (size_t)status.st_size + 2; /* the final zero, and one to see the end */
        if (S_ISREG(status.st_mode)) {
            file_remember(&status);
            if (!code && room > SMALL)
                memory_expect(2 * room); /* what is found out about a file takes about as much again */
        }
    }
    if (!code)
        code = read_all(file, descriptor, room, room > 1 << 16 ? FILE_LARGEST : LARGEST_STREAM, diagnostics);
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    if (code)
        file_free(file);
    return code;
}

void file_free(struct file *file)
{
    free(file->bytes);
    file->bytes = NULL;
    file->size = 0;
}

char *file_beside(const char *from, const char *name)
{
    const char *slash = name[0] == '/' || !from ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0, length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (path) {
        memcpy(path, from ? from : "", folder);
        memcpy(path + folder, name, length + 1);
    }
    return path;
}
