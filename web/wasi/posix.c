/* SPDX-License-Identifier: MIT */
/*
 * The few functions of POSIX that wasi-libc declares and does not have. Files lie in the page's memory: they have no
 * modes and no links, and nobody else writes them. There is one process: what would make another one says that it
 * cannot.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int sigaction(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    (void)signal_number, (void)action;
    if (old)
        *old = (struct sigaction){.sa_handler = SIG_IGN};
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    (void)how, (void)set, (void)old;
    return 0;
}

int sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int signal_number)
{
    (void)set, (void)signal_number;
    return 0;
}

/* There are no links to follow. */
char *realpath(const char *restrict path, char *restrict resolved)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return NULL;
    bool absolute = *path == '/';
    while (!absolute && path[0] == '.' && (path[1] == '/' || !path[1])) /* the folder is the root, and has no links */
        path += path[1] ? 2 : 1;
    char *real = resolved ? resolved : malloc(strlen(path) + 2);
    if (real)
        strcpy(strcpy(real, absolute ? "" : "/") + !absolute, path);
    return real;
}

mode_t umask(mode_t mask)
{
    (void)mask;
    return 022;
}

int fchmod(int descriptor, mode_t mode)
{
    (void)descriptor, (void)mode;
    return 0;
}

/* The XXXXXX at a path's end become a number that no file has. */
static void number_path(char *path, unsigned number)
{
    for (char *end = path + strlen(path); end > path && end[-1] != '.' && end > path + strlen(path) - 6; number /= 10)
        *--end = (char)('0' + number % 10);
}

int mkostemp(char *path, int flags)
{
    for (unsigned i = 0; i < 1000; i++) {
        number_path(path, i);
        int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    errno = EEXIST;
    return -1;
}

/* One instance has the files for itself. */
int flock(int descriptor, int operation)
{
    (void)descriptor;
    (void)operation;
    return 0;
}

/* There are no other programs. */
int system(const char *line)
{
    if (line)
        errno = ENOSYS;
    return line ? -1 : 0;
}

pid_t fork(void)
{
    errno = ENOSYS;
    return -1;
}

pid_t getppid(void)
{
    return 1;
}

int pause(void)
{
    errno = EINTR;
    return -1;
}

int memfd_create(const char *name, unsigned flags)
{
    (void)name, (void)flags;
    errno = ENOSYS;
    return -1;
}

pid_t waitpid(pid_t process, int *status, int options)
{
    (void)process, (void)status, (void)options;
    errno = ECHILD;
    return -1;
}

int kill(pid_t process, int signal_number)
{
    (void)process, (void)signal_number;
    errno = ESRCH;
    return -1;
}

int pipe(int ends[2])
{
    (void)ends;
    errno = ENOSYS;
    return -1;
}

int dup2(int from, int to)
{
    (void)from, (void)to;
    errno = ENOSYS;
    return -1;
}

int execv(const char *path, char *const arguments[])
{
    (void)path, (void)arguments;
    errno = ENOSYS;
    return -1;
}

int execvp(const char *name, char *const arguments[])
{
    return execv(name, arguments);
}

void *shmat(int id, const void *address, int flags)
{
    (void)id, (void)address, (void)flags;
    errno = ENOSYS;
    return (void *)-1;
}

int shmdt(const void *address)
{
    (void)address;
    errno = ENOSYS;
    return -1;
}
