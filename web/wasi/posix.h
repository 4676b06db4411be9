/* SPDX-License-Identifier: MIT */
/* Declarations that wasi-libc's headers leave out; posix.c has the functions. The compiler reads it before each file.
 */
#ifndef WASI_POSIX_H
#define WASI_POSIX_H

#include <sys/types.h>

char *realpath(const char *restrict path, char *restrict resolved);
mode_t umask(mode_t mask);
int fchmod(int descriptor, mode_t mode);
int mkostemp(char *path, int flags);
pid_t fork(void);
pid_t getppid(void);
int pause(void);
int memfd_create(const char *name, unsigned flags);
int kill(pid_t process, int signal_number);
int pipe(int ends[2]);
int dup2(int from, int to);
int execv(const char *path, char *const arguments[]);
int execvp(const char *name, char *const arguments[]);

#endif
