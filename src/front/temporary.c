/* SPDX-License-Identifier: MIT */
#include "front/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define TEMPORARIES_MAX 8

/* A signal handler is given nothing that leads to them. */
static const char *volatile temporaries[TEMPORARIES_MAX];
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

static void remove_and_end(int signal_number)
{
    for (unsigned i = 0; i < TEMPORARIES_MAX; i++)
        if (temporaries[i])
            unlink(temporaries[i]);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Signals that are ignored, as behind nohup, stay so. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_end}, old;
    for (unsigned i = 0; i < ENDING_SIGNALS; i++)
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
}

int temporary_open(char *path)
{
    sigset_t ending, before;
    sigemptyset(&ending);
    for (unsigned i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&ending, ending_signals[i]);
    catch_signals();
    sigprocmask(SIG_BLOCK, &ending, &before); /* or one could come between both */
    int descriptor = mkostemp(path, O_CLOEXEC), error = errno;
    for (unsigned i = 0; descriptor >= 0 && i < TEMPORARIES_MAX; i++)
        if (!temporaries[i]) {
            temporaries[i] = path;
            break;
        }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

void temporary_forget(const char *path)
{
    for (unsigned i = 0; i < TEMPORARIES_MAX; i++)
        if (temporaries[i] == path)
            temporaries[i] = NULL;
}
