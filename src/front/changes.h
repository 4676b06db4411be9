/* SPDX-License-Identifier: MIT */
/* Registers and words of memory that a machine has changed: each with the first value before and the last one after. */
#ifndef FRONT_CHANGES_H
#define FRONT_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A register or a word of memory, before the first write and after the last. */
struct change {
    int space; /* of a register; -1: memory */
    unsigned processor;
    uint64_t index; /* number of a register, address of a word */
    uint32_t before, value;
};

/* Zeroed at the beginning. */
struct changes {
    struct change *list;
    size_t count, room;
    uint32_t *slots; /* hash of list: index + 1 */
    size_t slot_count;
};

/* Notes a write; `append`: also if the same place was written before. False: out of memory. */
bool changes_note(struct changes *changes, const struct change *change, bool append);
/* Sorts by space, processor and number, memory last, without those that came back to their old value. */
void changes_sort(struct changes *changes);
void changes_clear(struct changes *changes);
void changes_free(struct changes *changes);

#endif
