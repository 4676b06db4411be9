/* SPDX-License-Identifier: MIT */
/*
 * What a register may hold at a place, as far as code alone tells: nothing yet, one of a few constants, or something
 * unknown, with what is known of its origin. Sets of constants are kept once in a pool, so that a value is a number and
 * equal values are equal numbers.
 */
#ifndef ISA_VALUES_H
#define ISA_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t isa_value;

/* Joining goes up in this order: constants, unknown, derived from the level, payload. */
enum {
    ISA_VALUE_NONE,    /* no path has come here */
    ISA_VALUE_UNKNOWN, /* anything */
    ISA_VALUE_PAYLOAD, /* anything that the one who sends commands chooses */
    ISA_VALUE_FIRST    /* a set of the pool */
};

/* Where paths meet, more constants than these are unknown, */
#define ISA_CONSTANTS_JOINED 8
/* and these where a routine begins, with what all its calls bring. */
#define ISA_CONSTANTS_MAX 128
/* Masks that are kept of a value derived from the level. */
#define ISA_LEVELS_MAX 4

/* A level of privilege as it is, or after a mask that stands at `at`. */
struct isa_level {
    uint32_t mask, at; /* at UINT32_MAX: no mask yet */
};

struct isa_value_set {
    uint32_t first; /* of the pool's items: constants, ascending; or a mask and its place for each level */
    uint8_t count;  /* of constants; 0: derived from a level */
    uint8_t level_count;
};

struct isa_value_pool {
    struct isa_value_set *sets;
    uint32_t count, room;
    uint32_t *items;
    size_t item_count, item_room;
    uint32_t *index; /* open addressing: 1 + index into sets, 0: free */
    uint32_t index_room;
    bool failed; /* out of memory: all values are unknown from then on */
};

void isa_values_free(struct isa_value_pool *pool);

/* The constants of a value; null and *count 0: it is not a set of constants. Valid until the next value is made. */
const uint32_t *isa_value_constants(const struct isa_value_pool *pool, isa_value value, unsigned *count);
/* Is it one constant, and which? */
bool isa_value_is(const struct isa_value_pool *pool, isa_value value, uint32_t *constant);
/* The masks of a value derived from the level; returns how many, 0: it is none. */
unsigned isa_value_levels(const struct isa_value_pool *pool, isa_value value, struct isa_level levels[ISA_LEVELS_MAX]);

isa_value isa_value_of(struct isa_value_pool *pool, uint32_t constant);
/* Of constants in any order, repeated or not; unknown where there are too many. They lie outside the pool. */
isa_value isa_value_of_set(struct isa_value_pool *pool, const uint32_t *constants, unsigned count);
isa_value isa_value_of_levels(struct isa_value_pool *pool, const struct isa_level *levels, unsigned count);
isa_value isa_value_join(struct isa_value_pool *pool, isa_value a, isa_value b);
/* The same where a routine begins. */
isa_value isa_value_join_calls(struct isa_value_pool *pool, isa_value a, isa_value b);

#endif
