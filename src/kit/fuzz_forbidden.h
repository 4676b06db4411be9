/* SPDX-License-Identifier: MIT */
/* What --assert forbids to write, as all sets have it: a register, numbers A..B of registers, or `memory A..B`. */
#ifndef KIT_FUZZ_FORBIDDEN_H
#define KIT_FUZZ_FORBIDDEN_H

#include <gpucode/machine.h>

#define FUZZ_FORBIDDEN_MAX 16u /* of a campaign */

struct fuzz_forbidden {
    bool memory; /* else registers */
    unsigned space;
    uint64_t first, last; /* register numbers or addresses */
};

/* Takes the word, if it comes next. */
bool fuzz_forbidden_word(const char **at, const char *word);
/* Takes what is forbidden; `numbers` is the space of registers that A..B means, GPUCODE_NONE: of none. False: there is
 * no such thing. */
bool fuzz_forbidden_take(const struct gpucode_machine *machine, unsigned numbers, const char **at,
                         struct fuzz_forbidden *forbidden);
/* The kind of events that are looked at for it. */
unsigned fuzz_forbidden_kinds(const struct fuzz_forbidden *forbidden);
/* Does the event write it? */
bool fuzz_forbidden_is(const struct fuzz_forbidden *forbidden, const struct gpucode_event *event);
/* Writes "NAME (0x8d0) is written at word 71: TEXT". */
void fuzz_forbidden_tell(const struct gpucode_machine *machine, const struct gpucode_event *event, const char *text,
                         char *to, size_t size);

#endif
