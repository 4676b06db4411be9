/* SPDX-License-Identifier: MIT */
/*
 * What stands in front of a source with mutants. `mutant_on(K)` is whether mutant K is the one that is switched on, and
 * notes that its place was reached. Both stand in one file of all processes, which `MUTATION_STATE` names: a test may
 * start programs in an environment of its own. Where several mutants are tried at a time, each has a file of its own,
 * which the variable `MUTATION_STATE` of the environment names. Without a file no mutant is on. It allocates nothing, so
 * that tests which let memory run out count the same allocations.
 */
#ifndef TOOLS_MUTATION_SWITCH_H
#define TOOLS_MUTATION_SWITCH_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct mutation_state {
    uint16_t active; /* 0: none */
    uint8_t reached[4094];
};

static __attribute__((unused, cold, noinline)) struct mutation_state *mutation_open(void)
{
    static struct mutation_state none;
    const int error = errno;
    const char *own = getenv("MUTATION_STATE");
    const int file = open(own ? own : MUTATION_STATE, O_RDWR | O_CLOEXEC);
    void *state = file < 0 ? MAP_FAILED : mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    errno = error;
    return state == MAP_FAILED ? &none : state;
}

static inline __attribute__((unused)) int mutant_on(unsigned number)
{
    static struct mutation_state *state;
    if (!state) state = mutation_open();
    state->reached[number] = 1;
    return state->active == number;
}

#endif
