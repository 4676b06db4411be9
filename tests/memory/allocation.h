/* SPDX-License-Identifier: MIT */
/*
 * Allocations of this program that fail when they are told to. They stand in front of glibc's own, for the library and
 * for what it uses, and count what is not freed.
 */
#ifndef TESTS_MEMORY_ALLOCATION_H
#define TESTS_MEMORY_ALLOCATION_H

#include <stdbool.h>

/* Counts from 1 on; allocation number `fail_at` fails (0: none), and with `goes_on` all after it. */
void allocation_begin(unsigned long fail_at, bool goes_on);
/* No more fail. Returns how many there were; *kept is how many are not freed. */
unsigned long allocation_end(long *kept);

#endif
