/* SPDX-License-Identifier: MIT */
/* What wasi-libc lacks of signal.h: nothing is ever raised from outside, so that a handler that is set is never called. */
#ifndef WASI_SIGNAL_H
#define WASI_SIGNAL_H

#include_next <signal.h>
#include <sys/types.h>

#ifndef SA_RESTART
#define SA_RESTART 0x10000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

struct sigaction {
    void (*sa_handler)(int signal_number);
    sigset_t sa_mask;
    int sa_flags;
};

int sigaction(int signal_number, const struct sigaction *action, struct sigaction *old);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int signal_number);
#endif

#endif
