/* SPDX-License-Identifier: MIT */
/*
 * The program is linked twice from the same objects: `gpucode`, which loads no library but libc and so starts at once,
 * and `gpucode-full` with all of them, to which the first hands over what needs one (LIBRARIES in front/command.def).
 * Built with -Dsplit=false there is one program, and that is the whole one.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>

struct session;

/* Is this the one with all libraries? */
extern const bool program_is_whole;

/* Starts the whole program with the same arguments in place of this one. Returns an exit code when that failed. */
int program_with_libraries(struct session *session, int argc, char **argv);

#endif
