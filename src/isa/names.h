/* SPDX-License-Identifier: MIT */
/*
 * Built-in names: constant tables made at build time from the files under data/, and the callers'
 * tables ahead of them.
 */
#ifndef ISA_NAMES_H
#define ISA_NAMES_H

#include <gpucode/names.h>

struct isa_name_table; /* one space of one generation; contents are known to names.c only */

/* Where rules-ng XML files keep names of the same kind: a register domain, or the enumeration of the packets. */
struct isa_name_domain {
    enum gpucode_space space;
    const char *name; /* null ends the list */
    const char *chip; /* "A6XX": which variant of the domain */
};

/* The tables of one target: a null-terminated list per space, the first that knows wins; null: the space is empty. */
struct isa_names {
    const struct isa_name_table *const *spaces[GPUCODE_SPACE_COUNT];
    const struct isa_name_domain *domains;
};

/* Writes the name of `number` at `at` (room: GPUCODE_NAME_MAX) and returns its end; `at` itself when there is no name.
 */
char *isa_name_of(const struct isa_names *builtin, const struct gpucode_names *names, enum gpucode_space space,
                  uint32_t number, char *at);

/* Finds a name, subscripts ("[0x2]", "[2]", ".REG", "+0x1", "_HI") included. */
bool isa_number_of(const struct isa_names *builtin, const struct gpucode_names *names, enum gpucode_space space,
                   const char *name, size_t length, uint32_t *number);

/* Is it a pipe register that acts when it is selected, without data? */
bool isa_name_is_void(const struct isa_names *builtin, uint32_t pipe);

/* The built-in name nearest in spelling, for hints; null when none is near. Slow. */
const char *isa_name_nearest(const struct isa_names *builtin, enum gpucode_space space, const char *name,
                             size_t length);

/* Small edit distance of two texts, at most `limit` + 1. Slow; for hints. */
unsigned text_distance(const char *a, size_t a_length, const char *b, size_t b_length, unsigned limit);

#endif
