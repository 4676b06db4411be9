/* SPDX-License-Identifier: MIT */
/* Files that must not stay when the program is interrupted. */
#ifndef FRONT_TEMPORARY_H
#define FRONT_TEMPORARY_H

/*
 * mkstemp() of a file that SIGINT, SIGTERM and SIGHUP remove until it is forgotten. The text of `path` must stay till
 * then. Returns a descriptor, or -1 with errno.
 */
int temporary_open(char *path);
void temporary_forget(const char *path);

#endif
