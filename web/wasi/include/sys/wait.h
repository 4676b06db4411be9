/* SPDX-License-Identifier: MIT */
/* What wasi-libc lacks of sys/wait.h: there is one process, and it has no children. */
#ifndef WASI_SYS_WAIT_H
#define WASI_SYS_WAIT_H

#include <sys/types.h>

#define WNOHANG 1
#define WIFEXITED(status) (((status) & 0x7f) == 0)
#define WEXITSTATUS(status) ((status) >> 8 & 0xff)
#define WIFSIGNALED(status) (((status) & 0x7f) != 0)
#define WTERMSIG(status) ((status) & 0x7f)

pid_t waitpid(pid_t process, int *status, int options);

#endif
