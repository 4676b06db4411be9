/* SPDX-License-Identifier: MIT */
/*
 * What stands in front of a source with many mutants, of a program that tries one command with all of them. The program
 * stays before `main()`, and for each mutant lets a child go on, whose output, messages, exit code and files are
 * compared with those of a child without one. Who asks writes the mutants' numbers to SWEEP_ASKS, after having read
 * from SWEEP_ANSWERS which ones the command reaches; both ends speak in numbers of 32 bits. Without `SWEEP` in the
 * environment it is the program that it was.
 */
#ifndef TOOLS_MUTATION_SWEEP_H
#define TOOLS_MUTATION_SWEEP_H

#include <stdint.h>

enum { SWEEP_SIZE = 1 << 17 }; /* changes that can be told apart, as in sweep.py */

/* Programs that only take part in the build have these; sweep_server.c has its own. */
__attribute__((weak)) uint32_t sweep_active;
__attribute__((weak)) uint8_t sweep_nowhere[SWEEP_SIZE];
__attribute__((weak)) uint8_t *sweep_reached = sweep_nowhere;

static inline __attribute__((unused)) int mutant_on(unsigned number)
{
    sweep_reached[number] = 1;
    return sweep_active == number;
}

#endif
