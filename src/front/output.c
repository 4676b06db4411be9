/* SPDX-License-Identifier: MIT */
#include "front/output.h"
#include "front/grow.h"

#include "front/file.h"
#include "front/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* A signal handler is given nothing that leads to them. Both are changed while no signal comes. */
static const char *volatile *temporaries;
static volatile unsigned temporary_count;
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

static void remove_and_end(int signal_number)
{
    for (unsigned i = 0; i < temporary_count; i++)
        unlink(temporaries[i]);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Signals that are ignored, as after nohup, stay so. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_end}, old;
    for (unsigned i = 0; i < ENDING_SIGNALS; i++)
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
}

static void block_signals(sigset_t *before)
{
    sigset_t ending;
    sigemptyset(&ending);
    for (unsigned i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&ending, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &ending, before);
}

/*
 * mkstemp() of a file that SIGINT, SIGTERM and SIGHUP remove until it is forgotten. The text of `path` must stay till
 * then. Returns a descriptor, or -1 with errno.
 */
static int temporary_open(char *path)
{
    sigset_t before;
    catch_signals();
    block_signals(&before); /* or one could come between both */
    const char *volatile *larger = realloc((void *)temporaries, (temporary_count + 1) * sizeof *larger);
    temporaries = larger ? larger : temporaries;
    int descriptor = larger ? mkostemp(path, O_CLOEXEC) : -1, error = larger ? errno : ENOMEM;
    if (descriptor >= 0)
        temporaries[temporary_count++] = path;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

static void temporary_forget(const char *path)
{
    sigset_t before;
    block_signals(&before);
    for (unsigned i = temporary_count; i-- > 0;)
        if (temporaries[i] == path)
            temporaries[i] = temporaries[--temporary_count];
    if (!temporary_count) {
        free((void *)temporaries);
        temporaries = NULL;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

struct text_stream {
    char **text;
    size_t *length;
    size_t room;
};

static ssize_t append_text(void *cookie, const char *bytes, size_t size)
{
    struct text_stream *stream = cookie;
    size_t length = *stream->length;
    if (length + size + 1 > stream->room) {
        size_t room = 2 * stream->room > length + size + 1 ? 2 * stream->room : length + size + 1;
        char *larger = realloc(*stream->text, room);
        if (!larger) {
            errno = ENOMEM;
            return 0;
        }
        *stream->text = larger;
        stream->room = room;
    }
    memcpy(*stream->text + length, bytes, size);
    *stream->length = length + size;
    (*stream->text)[length + size] = 0;
    return (ssize_t)size;
}

static int close_stream(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_stream_open(char **text, size_t *length)
{
    struct text_stream *stream = malloc(sizeof *stream);
    char *first = malloc(4096);
    FILE *out = stream && first
                    ? fopencookie(stream, "w", (cookie_io_functions_t){.write = append_text, .close = close_stream})
                    : NULL;
    if (!out) {
        free(stream);
        free(first);
        return NULL;
    }
    first[0] = 0;
    *stream = (struct text_stream){text, length, 4096};
    *text = first;
    *length = 0;
    return out;
}

bool text_stream_close(FILE *out)
{
    bool whole = !ferror(out);
    return fclose(out) == 0 && whole;
}

bool output_write_all(int descriptor, const char *bytes, size_t size)
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

bool output_write_piece(void *user, const char *text, size_t length)
{
    const int *descriptor = user;
    return output_write_all(*descriptor, text, length);
}

bool output_made(enum gpucode_status status)
{
    if (status == GPUCODE_ERROR_MEMORY)
        errno = ENOMEM;
    return status == GPUCODE_OK;
}

static bool write_content(const struct output *output, int descriptor)
{
    return output->make ? output->make(output->user, descriptor)
                        : output_write_all(descriptor, output->bytes, output->size);
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

/* `wait`: until it is on the disk. */
static bool write_temporary(struct output *output, mode_t mode, bool wait)
{
    size_t length = strlen(output->path);
    output->temporary = malloc(length + sizeof ".XXXXXX");
    if (!output->temporary) {
        errno = ENOMEM;
        return false;
    }
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    int descriptor = temporary_open(output->temporary);
    if (descriptor < 0) {
        int error = errno;
        free(output->temporary);
        output->temporary = NULL;
        errno = error;
        return false;
    }
    bool good = write_content(output, descriptor) && fchmod(descriptor, mode) == 0 &&
                (!wait || fsync(descriptor) == 0 || errno == EINVAL);
    int error = errno;
    if (close(descriptor) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

/* The descriptor that a path names, as the shell's >(COMMAND) and /dev/stdout do; -1: it is the path of a file. */
static int descriptor_named(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]), digits = strspn(path + length * (strlen(path) >= length), "0123456789");
        if (strncmp(path, folders[i], length) == 0 && digits && digits < 6 && !path[length + digits])
            return (int)strtol(path + length, NULL, 10);
    }
    return -1;
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
    case ENOMEM:
        return out_of_memory(outputs->diagnostics);
    default:
        return complain(outputs->diagnostics, CLI_WRITE, name, NULL, strerror(errno));
    }
}

/* Is it where an earlier output goes, or the file that was read? Hard links have names of their own. */
static int check_place(const struct outputs *outputs, const struct output *output, const struct stat *status)
{
    for (const struct output *other = outputs->output; other < output; other++) {
        bool same_file = status && other->exists && S_ISREG(status->st_mode) && other->device == status->st_dev &&
                         other->inode == status->st_ino;
        if (same_file || (output->descriptor >= 0 ? other->descriptor == output->descriptor
                                                  : other->path && strcmp(other->path, output->path) == 0))
            return complain(outputs->diagnostics, CLI_SAME_OUTPUT, NULL, NULL, output->name);
    }
    if (status && S_ISREG(status->st_mode) && file_was_read(status))
        return complain(outputs->diagnostics, CLI_OUTPUT_IS_INPUT, output->name, NULL);
    return EXIT_DONE;
}

static struct output *make_output(struct outputs *outputs)
{
    if (!grow(&outputs->output, outputs->count, &outputs->room, sizeof *outputs->output))
        return NULL;
    return &outputs->output[outputs->count++];
}

/* Another output, which is `what`; where does it go? */
static int place_output(struct outputs *outputs, const char *path, struct output what)
{
    struct output *output = make_output(outputs);
    if (!output)
        return out_of_memory(outputs->diagnostics);
    *output = what;
    output->name = path;
    output->descriptor = descriptor_named(path);
    if (output->descriptor >= 0)
        return check_place(outputs, output, NULL);
    struct stat status;
    output->exists = stat(path, &status) == 0;
    bool special = output->exists && !S_ISREG(status.st_mode);
    output->path = output->exists && !special ? realpath(path, NULL) : strdup(path);
    if (!output->path)
        return errno == ENOMEM ? out_of_memory(outputs->diagnostics) : complain_of_output(outputs, path);
    if (output->exists) {
        output->device = status.st_dev;
        output->inode = status.st_ino;
    }
    int code = check_place(outputs, output, output->exists ? &status : NULL);
    if (code)
        return code;
    if (output->exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return complain_of_output(outputs, path);
    }
    if (special)
        return EXIT_DONE; /* a device or pipe has no place beside it */
    /* a crash of the system after the rename must not leave an empty file in place of one that was good */
    if (write_temporary(output, mode_for(output->exists, &status), output->exists && !outputs->many))
        return EXIT_DONE;
    bool no_place = errno == EACCES || errno == EPERM || errno == EROFS;
    if (no_place && output->exists && !output->temporary && access(output->path, W_OK) == 0)
        return EXIT_DONE; /* the folder takes no new file: written in place */
    return errno == ENOMEM ? out_of_memory(outputs->diagnostics) : complain_of_output(outputs, path);
}

int outputs_add(struct outputs *outputs, const char *path, const void *bytes, size_t size)
{
    return place_output(outputs, path, (struct output){.bytes = bytes, .size = size});
}

int outputs_add_made(struct outputs *outputs, const char *path, bool (*make)(void *user, int descriptor), void *user)
{
    return place_output(outputs, path, (struct output){.make = make, .user = user});
}

int outputs_add_numbered(struct outputs *outputs, const char *prefix, unsigned number, const char *ending,
                         const void *bytes, size_t size)
{
    char *name;
    if (asprintf(&name, "%s.%u.%s", prefix, number, ending) < 0)
        return out_of_memory(outputs->diagnostics);
    unsigned before = outputs->count;
    int code = outputs_add(outputs, name, bytes, size);
    if (outputs->count == before) {
        free(name);
        return code;
    }
    struct output *output = &outputs->output[before];
    output->own_name = name;
    if (code || output->temporary)
        return code;
    output->own_bytes = malloc(size + 1);
    if (!output->own_bytes)
        return out_of_memory(outputs->diagnostics);
    memcpy(output->own_bytes, bytes, size);
    output->bytes = output->own_bytes;
    return EXIT_DONE;
}

static bool write_special(const struct output *output)
{
    if (!output->path) {
        fflush(stdout);
        return write_content(output, output->descriptor);
    }
    int descriptor = open(output->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool good = write_content(output, descriptor);
    int error = errno;
    good &= close(descriptor) == 0 || !good;
    errno = good ? errno : error;
    return good;
}

int outputs_commit(struct outputs *outputs)
{
    if (outputs->diagnostics->lacked_memory)
        return EXIT_FAULT;
    for (unsigned i = 0; i < outputs->count; i++) {
        struct output *output = &outputs->output[i];
        if (!output->temporary)
            continue;
        if (rename(output->temporary, output->path) != 0)
            return complain_of_output(outputs, output->name);
        temporary_forget(output->temporary);
        free(output->temporary);
        output->temporary = NULL;
        output->bytes = NULL;
        output->make = NULL;
    }
    for (unsigned i = 0; i < outputs->count; i++)
        if ((outputs->output[i].bytes || outputs->output[i].make) && !write_special(&outputs->output[i]))
            return complain_of_output(outputs, outputs->output[i].path ? outputs->output[i].name : "<stdout>");
    return EXIT_DONE;
}

void outputs_discard(struct outputs *outputs)
{
    for (unsigned i = 0; i < outputs->count; i++) {
        struct output *output = &outputs->output[i];
        if (output->temporary) {
            unlink(output->temporary);
            temporary_forget(output->temporary);
        }
        free(output->temporary);
        free(output->path);
        free(output->own_name);
        free(output->own_bytes);
    }
    free(outputs->output);
    *outputs = (struct outputs){.diagnostics = outputs->diagnostics, .many = outputs->many};
}

int output_finish(struct diagnostics *diagnostics, int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return complain(diagnostics, CLI_WRITE, "<stdout>", NULL, strerror(errno ? errno : EIO));
}

int outputs_close(struct outputs *outputs, int code)
{
    if (!code)
        code = outputs_commit(outputs);
    outputs_discard(outputs);
    return code;
}

int outputs_write(struct diagnostics *diagnostics, const char *path, const void *bytes, size_t size)
{
    struct outputs outputs = {.diagnostics = diagnostics};
    return outputs_close(&outputs, outputs_add(&outputs, path, bytes, size));
}

int outputs_write_text(struct diagnostics *diagnostics, const char *path, void (*put)(FILE *out, const void *user),
                       const void *user)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    if (out)
        put(out, user);
    int code =
        out && text_stream_close(out) ? outputs_write(diagnostics, path, text, length) : out_of_memory(diagnostics);
    free(text);
    return code;
}
