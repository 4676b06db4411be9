/* SPDX-License-Identifier: MIT */
/* What all files of the command stand on: the clock, Ctrl-C, inputs from files. */
#include "cli/fuzz.h"

#include "front/file.h"
#include "front/session.h"

#include <string.h>

volatile sig_atomic_t fuzz_stopped;

double fuzz_seconds(const struct fuzzing *fuzzing)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - fuzzing->started.tv_sec) + (double)(now.tv_nsec - fuzzing->started.tv_nsec) / 1e9;
}

bool fuzz_name_ends(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

int fuzz_read_input(struct fuzzing *fuzzing, const struct fuzz_subject *subject, const char *path,
                    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size)
{
    if (fuzz_name_ends(path, ".txt"))
        return fuzzing->kit->read(fuzzing->session, &subject->inner, path, bytes, size);
    struct file file;
    int code = file_read(&file, path, &fuzzing->session->diagnostics);
    if (code)
        return code;
    *size = file.size < GPUCODE_FUZZ_INPUT_MAX ? file.size : GPUCODE_FUZZ_INPUT_MAX;
    memcpy(bytes, file.bytes, *size);
    file_free(&file);
    return EXIT_DONE;
}
