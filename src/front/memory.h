/* SPDX-License-Identifier: MIT */
/* Memory that is needed soon. */
#ifndef FRONT_MEMORY_H
#define FRONT_MEMORY_H

#include <stddef.h>

/*
 * Asks the system at once for the memory that the next calls of malloc() of so many bytes in all will return. A page
 * that comes when it is first touched takes it a microsecond, one of many a third of that; a program that runs for two
 * milliseconds touches a hundred. Nothing is promised, and nothing happens where that cannot be asked for.
 */
void memory_expect(size_t bytes);

#endif
