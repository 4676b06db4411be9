/* SPDX-License-Identifier: MIT */
#include "front/output.h"
#include "front/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(descriptor, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/* The mode a new file would get, or that of the file it replaces. */
static mode_t mode_for(bool exists, const struct stat *status)
{
    if (exists)
        return status->st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool write_temporary(struct output *output, mode_t mode)
{
    size_t length = strlen(output->path);
    output->temporary = malloc(length + sizeof ".XXXXXX");
    if (!output->temporary) {
        errno = ENOMEM;
        return false;
    }
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    int descriptor = mkostemp(output->temporary, O_CLOEXEC);
    if (descriptor < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    bool good = write_all(descriptor, output->bytes, output->size) && fchmod(descriptor, mode) == 0;
    int error = errno;
    if (close(descriptor) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

/* A name that cannot be used is bad input; anything else (a full disk) is a fault. */
static int complain_of_output(struct outputs *outputs, const char *name)
{
    switch (errno) {
    case EACCES:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENOENT:
    case ENOTDIR:
    case EPERM:
    case EROFS:
        return complain(outputs->diagnostics, CLI_CREATE, name, NULL, strerror(errno));
    default:
        return complain(outputs->diagnostics, CLI_WRITE, name, NULL, strerror(errno));
    }
}

int outputs_add(struct outputs *outputs, const char *path, const void *bytes, size_t size)
{
    struct output *output = &outputs->output[outputs->count];
    for (unsigned i = 0; i < outputs->count; i++)
        if (strcmp(outputs->output[i].name, path) == 0)
            return complain(outputs->diagnostics, CLI_SAME_OUTPUT, NULL, NULL, path);
    *output = (struct output){.name = path, .bytes = bytes, .size = size};
    outputs->count++;
    if (strcmp(path, "-") == 0)
        return EXIT_DONE;
    struct stat status;
    bool exists = stat(path, &status) == 0;
    output->path = exists ? realpath(path, NULL) : strdup(path);
    if (!output->path)
        return complain_of_output(outputs, path);
    for (unsigned i = 0; i + 1 < outputs->count; i++)
        if (outputs->output[i].path && strcmp(outputs->output[i].path, output->path) == 0)
            return complain(outputs->diagnostics, CLI_SAME_OUTPUT, NULL, NULL, path);
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return complain_of_output(outputs, path);
    }
    if (exists && !S_ISREG(status.st_mode))
        return EXIT_DONE; /* a device or pipe has no place beside it */
    return write_temporary(output, mode_for(exists, &status)) ? EXIT_DONE : complain_of_output(outputs, path);
}

static bool write_special(const struct output *output)
{
    int descriptor = output->path ? open(output->path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
    if (descriptor < 0)
        return false;
    bool good = write_all(descriptor, output->bytes, output->size);
    int error = errno;
    if (output->path)
        close(descriptor);
    errno = error;
    return good;
}

int outputs_commit(struct outputs *outputs)
{
    for (unsigned i = 0; i < outputs->count; i++) {
        struct output *output = &outputs->output[i];
        if (!output->temporary)
            continue;
        if (rename(output->temporary, output->path) != 0)
            return complain_of_output(outputs, output->name);
        free(output->temporary);
        output->temporary = NULL;
        output->bytes = NULL;
    }
    for (unsigned i = 0; i < outputs->count; i++)
        if (outputs->output[i].bytes && !write_special(&outputs->output[i]))
            return complain_of_output(outputs, outputs->output[i].path ? outputs->output[i].name : "<stdout>");
    return EXIT_DONE;
}

void outputs_discard(struct outputs *outputs)
{
    for (unsigned i = 0; i < outputs->count; i++) {
        struct output *output = &outputs->output[i];
        if (output->temporary)
            unlink(output->temporary);
        free(output->temporary);
        free(output->path);
    }
    outputs->count = 0;
}

int output_finish(struct diagnostics *diagnostics, int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return complain(diagnostics, CLI_WRITE, "<stdout>", NULL, strerror(errno ? errno : EIO));
}

int outputs_write(struct diagnostics *diagnostics, const char *path, const void *bytes, size_t size)
{
    struct outputs outputs = {.diagnostics = diagnostics};
    int code = outputs_add(&outputs, path, bytes, size);
    if (!code)
        code = outputs_commit(&outputs);
    outputs_discard(&outputs);
    return code;
}
