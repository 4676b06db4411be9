/* SPDX-License-Identifier: MIT */
/*
 * Stands in the place of gpucode while tests run, and keeps each command: in a folder of its own below `SWEEP_RECORD`
 * its arguments, its standard input, and the files that its arguments name. It then becomes the program, which lies
 * beside it as `gpucode.real`.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 256 << 10 };

static char folder[4096];

static void keep(const char *name, const void *data, size_t size)
{
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0)
        return;
    if (write(file, data, size) != (ssize_t)size)
        unlink(path);
    close(file);
}

static void keep_file(const char *name, unsigned number)
{
    struct stat status;
    static char data[LARGEST];
    if (stat(name, &status) || !S_ISREG(status.st_mode) || status.st_size > LARGEST)
        return;
    int file = open(name, O_RDONLY);
    ssize_t size = file < 0 ? -1 : read(file, data, sizeof data);
    if (file >= 0)
        close(file);
    char at[64];
    snprintf(at, sizeof at, "file%u", number);
    if (size >= 0)
        keep(at, data, (size_t)size);
}

/* The standard input, as far as it comes at once; what it reads of a pipe another process gives on. */
static void keep_input(void)
{
    struct stat status;
    static char data[LARGEST];
    size_t size = 0;
    if (fstat(0, &status))
        return;
    if (S_ISREG(status.st_mode)) {
        ssize_t got = pread(0, data, sizeof data, lseek(0, 0, SEEK_CUR));
        if (got > 0)
            keep("input", data, (size_t)got);
        return;
    }
    if (!S_ISFIFO(status.st_mode))
        return;
    int ended = 0;
    for (struct pollfd in = {0, POLLIN, 0}; size < sizeof data && poll(&in, 1, 400) > 0;) {
        ssize_t got = read(0, data + size, sizeof data - size);
        if (got <= 0) {
            ended = 1;
            break;
        }
        size += (size_t)got;
    }
    if (ended)
        keep("input", data, size);
    int ends[2];
    if (pipe(ends))
        _exit(99);
    if (fork() == 0) {
        close(ends[0]);
        close(1), close(2);
        for (size_t at = 0; at < size;) {
            ssize_t put = write(ends[1], data + at, size - at);
            if (put <= 0)
                _exit(0);
            at += (size_t)put;
        }
        for (ssize_t got; !ended && (got = read(0, data, sizeof data)) > 0;) {
            if (write(ends[1], data, (size_t)got) != got)
                _exit(0);
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], 0);
    close(ends[0]);
}

int main(int argc, char **argv)
{
    const char *root = getenv("SWEEP_RECORD");
    char real[4096];
    ssize_t length = readlink("/proc/self/exe", real, sizeof real - 8);
    if (length < 0)
        return 99;
    strcpy(real + length, ".real");
    if (root && argc > 1 && strcmp(argv[1], "lsp") && strcmp(argv[1], "dap")) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(folder, sizeof folder, "%s/%ld.%09ld.%d", root, (long)now.tv_sec, now.tv_nsec, (int)getpid());
        if (!mkdir(folder, 0777)) {
            static char arguments[LARGEST];
            size_t size = 0;
            for (int k = 1; k < argc; k++) {
                size_t more = strlen(argv[k]) + 1;
                if (size + more > sizeof arguments)
                    break;
                memcpy(arguments + size, argv[k], more);
                size += more;
                const char *equal = strchr(argv[k], '=');
                keep_file(argv[k], (unsigned)k);
                if (argv[k][0] == '@')
                    keep_file(argv[k] + 1, (unsigned)k);
                if (equal)
                    keep_file(equal + 1, (unsigned)k);
            }
            keep("arguments", arguments, size);
            keep_input();
        }
    }
    execv(real, argv);
    return 99;
}
