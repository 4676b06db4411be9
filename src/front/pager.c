/* SPDX-License-Identifier: MIT */

#ifdef __wasi__
/* The page has no terminal, and no other programs. */
void pager_begin(void)
{
}
#else
#include "front/output.h"
#include "front/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT_MAX 65536 /* bytes that are kept until it is known whether they fit on the screen */

/* Rows of a terminal that a text takes; escape sequences of colours take no room. */
static unsigned count_rows(const char *text, size_t length, unsigned columns)
{
    unsigned rows = 0, column = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\033') {
            while (i < length && text[i] != 'm')
                i++;
        } else if (text[i] == '\n') {
            rows++;
            column = 0;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80 && column++ == columns) { /* not the rest of a character */
            rows++;
            column = 1;
        }
    }
    return rows + (column > 0);
}

static ssize_t read_more(int from, char *to, size_t size)
{
    ssize_t count;
    do
        count = read(from, to, size);
    while (count < 0 && errno == EINTR);
    return count;
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* Becomes the pager, which reads `from`. Without one that starts, what is shown goes to the terminal as it is. */
static _Noreturn void become_pager(int from)
{
    const char *pager = getenv("PAGER");
    static const char *const usual[] = {"less", "more", "cat"};
    dup2(from, STDIN_FILENO);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    if (pager)
        execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        execlp(usual[i], usual[i], (char *)NULL);
    _exit(127);
}

/* Gives the pager what was kept and all that comes; until the pager goes away. */
static void page(const char *kept, size_t length, int from)
{
    char more[16384];
    int ends[2];
    pid_t pager = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (pager == 0)
        become_pager(ends[0]);
    if (pager > 0)
        close(ends[0]);
    int to = pager > 0 ? ends[1] : STDOUT_FILENO;
    bool good = output_write_all(to, kept, length);
    for (ssize_t count; good && (count = read_more(from, more, sizeof more)) > 0;)
        good = output_write_all(to, more, (size_t)count);
    close(from);
    close(to);
    if (pager > 0)
        wait_for(pager);
}

/* Shows what the command writes, and ends as it ends. */
static _Noreturn void watch(pid_t command, int from, unsigned rows, unsigned columns)
{
    static char kept[KEPT_MAX];
    size_t length = 0;
    ssize_t count = 1;
    signal(SIGINT, SIG_IGN); /* the command has its own idea of it */
    signal(SIGQUIT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    while (count > 0 && length < KEPT_MAX && count_rows(kept, length, columns) < rows) {
        count = read_more(from, kept + length, KEPT_MAX - length);
        length += count > 0 ? (size_t)count : 0;
    }
    if (count > 0) {
        page(kept, length, from);
    } else {
        output_write_all(STDOUT_FILENO, kept, length);
        close(from);
    }
    int status = wait_for(command);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void pager_begin(void)
{
    const char *pager = getenv("PAGER"), *terminal = getenv("TERM");
    unsigned rows = terminal_rows(stdout), columns = terminal_columns(stdout);
    char number[16];
    int ends[2];
    if (!rows || !terminal || strcmp(terminal, "dumb") == 0 || (pager && (!*pager || strcmp(pager, "cat") == 0)) ||
        pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid_t command = fork();
    if (command > 0) {
        close(ends[1]);
        watch(command, ends[0], rows, columns);
    }
    if (command == 0) {
        snprintf(number, sizeof number, "%u", columns);
        setenv("COLUMNS", number, 1);
        if (isatty(STDERR_FILENO))
            dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* messages stand where they came */
    }
    close(ends[0]);
    close(ends[1]);
}
#endif
