/* SPDX-License-Identifier: MIT */
#include "front/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
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

/* Signals that are ignored, as behind nohup, stay so. */
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

int temporary_open(char *path)
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

void temporary_forget(const char *path)
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
