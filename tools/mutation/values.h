/* SPDX-License-Identifier: MIT */
/*
 * What stands in front of a source whose changes are watched (values.py). VALUES_OF(K, DIFFERS) notes that change K would
 * have made another value of an expression. One file has the notes of all processes: VALUES_STATE, which the compiler
 * is told, with VALUES_SIZE bytes. It allocates nothing, so that tests which let memory run out count the same allocations.
 */
#ifndef TOOLS_MUTATION_VALUES_H
#define TOOLS_MUTATION_VALUES_H

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

int open(const char *, int, ...); /* <fcntl.h> has names that sources use too */
int close(int);

__attribute__((weak, visibility("hidden"))) unsigned char values_unseen[VALUES_SIZE];
__attribute__((weak, visibility("hidden"))) unsigned char *values_seen = values_unseen;

__attribute__((weak, visibility("hidden"), constructor(101))) void values_open(void)
{
    enum { READ_WRITE = 2, CLOSE_ON_EXEC = 02000000 };
    const int error = errno, file = values_seen == values_unseen ? open(VALUES_STATE, READ_WRITE | CLOSE_ON_EXEC) : -1;
    void *state = file < 0 ? MAP_FAILED : mmap(0, VALUES_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (state != MAP_FAILED) values_seen = state;
    errno = error;
}

#define VALUES_OF(number, differs) ((void)((differs) ? (values_seen[number] = 1) : 0))

/* A condition, with the changes that its being true and its being false would show. */
static inline __attribute__((unused)) bool values_both(unsigned if_true, unsigned if_false, bool condition)
{
    values_seen[condition ? if_true : if_false] = 1;
    return condition;
}

#endif
