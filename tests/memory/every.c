/* SPDX-License-Identifier: MIT */
/*
 * every SHIM STRIDE [OUTPUT...] -- COMMAND...
 *
 * Runs a command again and again, each time with another allocation that fails, every STRIDEth of them (0: some
 * hundred, spread over all), alone and with all after it. The command must give what it gives with memory enough, in
 * its exit code, its output and its OUTPUT files, or say that there is no memory, exit with 3 and write none of the
 * files. SHIM is failing.c as a library; standard input is read from the file in $EVERY_INPUT. With $EVERY_ERROR, an
 * exit code, that is what the command ends with instead, and it need not say why.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUTS_MAX = 8, TEXTS = 2 + OUTPUTS_MAX, COMPLAINTS_MAX = 12 };

struct text {
    char *bytes; /* null: there is no such file */
    size_t size;
};

struct result {
    int code; /* 128 and the signal, when one ended it */
    unsigned long count;
    struct text text[TEXTS]; /* standard output, errors, files */
};

static const char *shim, *outputs[OUTPUTS_MAX];
static unsigned output_count;
static char **command;

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

/* Reads from the start of a descriptor, and closes it. */
static struct text read_descriptor(int descriptor)
{
    struct text text = {0};
    off_t size = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END);
    if (size < 0)
        return text;
    text.bytes = malloc((size_t)size + 1);
    if (!text.bytes || pread(descriptor, text.bytes, (size_t)size, 0) != size)
        give_up("read");
    text.size = (size_t)size;
    text.bytes[size] = 0;
    close(descriptor);
    return text;
}

static void become_command(const int streams[3], unsigned long fail_at, bool goes_on)
{
    const char *input = getenv("EVERY_INPUT");
    char number[32];
    int in = open(input ? input : "/dev/null", O_RDONLY);
    if (in < 0 || dup2(in, 0) < 0 || dup2(streams[0], 1) < 0 || dup2(streams[1], 2) < 0 || dup2(streams[2], 3) < 0)
        _exit(126);
    setenv("LD_PRELOAD", shim, 1);
    setenv("COUNT_TO", "3", 1);
    snprintf(number, sizeof number, "%lu", fail_at);
    setenv("FAIL_AT", number, 1);
    setenv("FAIL_ON", goes_on ? "1" : "0", 1);
    execvp(command[0], command);
    _exit(126);
}

static struct result run_command(unsigned long fail_at, bool goes_on)
{
    struct result result = {0};
    int streams[3], status = 0;
    for (unsigned i = 0; i < 3; i++) {
        int low = memfd_create("every", MFD_CLOEXEC);
        streams[i] = fcntl(low, F_DUPFD_CLOEXEC, 10);
        close(low);
    }
    pid_t child = fork();
    if (child == 0)
        become_command(streams, fail_at, goes_on);
    if (child < 0 || waitpid(child, &status, 0) != child)
        give_up("fork");
    result.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    for (unsigned i = 0; i < 2; i++)
        result.text[i] = read_descriptor(streams[i]);
    struct text count = read_descriptor(streams[2]);
    result.count = count.bytes ? strtoul(count.bytes, NULL, 10) : 0;
    free(count.bytes);
    for (unsigned i = 0; i < output_count; i++) {
        result.text[2 + i] = read_descriptor(open(outputs[i], O_RDONLY | O_CLOEXEC));
        unlink(outputs[i]);
    }
    return result;
}

static void free_result(struct result *result)
{
    for (unsigned i = 0; i < TEXTS; i++)
        free(result->text[i].bytes);
}

static bool same_text(const struct text *a, const struct text *b)
{
    return a->size == b->size && !a->bytes == !b->bytes && (!a->bytes || memcmp(a->bytes, b->bytes, a->size) == 0);
}

/* What is wrong with it, or null. */
static const char *judge(const struct result *right, const struct result *result)
{
    const char *error = getenv("EVERY_ERROR");
    int failure = error ? atoi(error) : 3;
    if (result->code == failure && right->code != failure) {
        for (unsigned i = 0; i < output_count; i++)
            if (result->text[2 + i].bytes)
                return "exit code 3, and there is an output file";
        return error || strstr(result->text[1].bytes, "memory") ? NULL : "exit code 3, and no message";
    }
    if (result->code != right->code)
        return "another exit code";
    if (!same_text(&result->text[1], &right->text[1]))
        return "other messages";
    for (unsigned i = 0; i < 2 + output_count; i++)
        if (!same_text(&result->text[i], &right->text[i]))
            return i ? "another output file" : "other output";
    return NULL;
}

int main(int argc, char **argv)
{
    int at = 3;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++)
        if (output_count < OUTPUTS_MAX)
            outputs[output_count++] = argv[at];
    if (at + 1 >= argc) {
        fprintf(stderr, "usage: every SHIM STRIDE [OUTPUT...] -- COMMAND...\n");
        return 2;
    }
    shim = argv[1];
    unsigned long stride = strtoul(argv[2], NULL, 10), complaints = 0;
    command = argv + at + 1;
    struct result right = run_command(0, false);
    if (!right.count) {
        fprintf(stderr, "every: no allocation was counted\n");
        return 2;
    }
    if (!stride)
        stride = right.count / 100 + 1;
    for (unsigned long n = 1; n <= right.count; n += stride)
        for (int on = 0; on < 2; on++) {
            struct result result = run_command(n, on);
            const char *why = judge(&right, &result);
            if (why && complaints++ < COMPLAINTS_MAX)
                printf("%s %s...: allocation %lu of %lu%s: %s: %d, not %d: %.300s\n", command[0],
                       command[1] ? command[1] : "", n, right.count, on ? " and all behind it" : "", why, result.code,
                       right.code, result.text[1].bytes);
            free_result(&result);
        }
    if (getenv("EVERY_VERBOSE"))
        printf("%lu allocations, code %d, %lu wrong: %s %s\n", right.count, right.code, complaints, command[0],
               command[1] ? command[1] : "");
    free_result(&right);
    return complaints != 0;
}
