/* SPDX-License-Identifier: MIT */
/* The compiled shaders of the vectors, where these are at hand. */
#ifndef TESTS_A3XX_SHADERS_H
#define TESTS_A3XX_SHADERS_H

#include <stddef.h>

/* One binary: the folder it lies in, its file name, its bytes, which are gone afterwards. */
typedef void shader_visit(void *user, const char *folder, const char *name, const char *bytes, size_t size);

/* Calls `visit` for each binary in a3xx/`sub`. Returns how many there were; 0 without vectors. */
unsigned shaders_each(const char *sub, shader_visit *visit, void *user);

#endif
