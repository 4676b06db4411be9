/* SPDX-License-Identifier: MIT */
/*
 * Memory of shaders that are compared: a word that a machine does not hold is random, by its address and the run's
 * seed, so that both shaders read the same whatever address they come to. Nothing that is stored reaches the machine.
 */
#include "isa/ir3/answer/compare.h"

#include <stdlib.h>

static uint64_t hash_of(uint64_t address)
{
    uint64_t state = address;
    return compare_random(&state);
}

/* Where the word is, or would be; `words` has room. */
static struct compare_word *find_word(const struct compare_memory *memory, struct compare_word *words, size_t room,
                                      uint64_t address)
{
    size_t at = (size_t)hash_of(address) & (room - 1);
    while (words[at].run == memory->run && words[at].address != address)
        at = (at + 1) & (room - 1);
    return &words[at];
}

static bool make_room(struct compare_memory *memory)
{
    if (2 * memory->count < memory->room)
        return true;
    size_t room = memory->room ? 2 * memory->room : 256;
    struct compare_word *words = calloc(room, sizeof *words);
    if (!words)
        return false;
    for (size_t i = 0; i < memory->room; i++)
        if (memory->words[i].run == memory->run)
            *find_word(memory, words, room, memory->words[i].address) = memory->words[i];
    free(memory->words);
    memory->words = words;
    memory->room = room;
    return true;
}

static uint32_t start_of(const struct compare_memory *memory, uint64_t address)
{
    unsigned char bytes[4];
    if (gpucode_machine_load(memory->machine, address, bytes, 4) == GPUCODE_OK) {
        uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        if (word)
            return word;
    }
    uint64_t state = memory->seed ^ hash_of(address);
    return memory->zero ? 0 : compare_value(memory->numbers, &state, 2);
}

/* The word at an address that is a multiple of four; null: no memory. */
static struct compare_word *word_at(struct compare_memory *memory, uint64_t address)
{
    if (!make_room(memory)) {
        memory->failed = true;
        return NULL;
    }
    struct compare_word *word = find_word(memory, memory->words, memory->room, address);
    if (word->run != memory->run) {
        *word = (struct compare_word){.run = memory->run, .address = address};
        word->start = word->value = start_of(memory, address);
        memory->count++;
    }
    return word;
}

static bool answer_access(void *user, struct gpucode_machine *machine, const struct gpucode_access *access,
                          uint32_t *value)
{
    struct compare_memory *memory = user;
    uint32_t found = 0;
    (void)machine;
    for (unsigned i = 0; i < access->bytes; i++) {
        uint64_t address = access->address + i;
        struct compare_word *word = word_at(memory, address & ~UINT64_C(3));
        unsigned shift = 8 * (unsigned)(address & 3);
        if (!word)
            return true;
        if (access->write) {
            word->value = (word->value & ~(UINT32_C(255) << shift)) | (*value >> 8 * i & 255) << shift;
            word->written = true;
            word->thread = access->processor;
            word->pc = access->pc;
        } else {
            found |= (word->value >> shift & 255) << 8 * i;
            word->read = true;
        }
    }
    if (!access->write)
        *value = found;
    return true;
}

enum gpucode_status compare_memory_open(struct compare_memory *memory, struct gpucode_machine *machine,
                                        const struct compare_numbers *numbers)
{
    *memory = (struct compare_memory){.machine = machine, .numbers = numbers};
    return gpucode_machine_memory(machine, answer_access, memory);
}

void compare_memory_close(struct compare_memory *memory)
{
    if (memory->machine)
        gpucode_machine_memory(memory->machine, NULL, NULL);
    free(memory->words);
}

void compare_memory_begin(struct compare_memory *memory, uint64_t seed, bool zero)
{
    memory->run++;
    memory->count = 0;
    memory->seed = seed;
    memory->zero = zero;
}

uint32_t compare_memory_value(struct compare_memory *memory, uint64_t address)
{
    const struct compare_word *word = word_at(memory, address);
    return word ? word->value : 0;
}

bool compare_memory_at(const struct compare_memory *memory, size_t index, const struct compare_word **word)
{
    *word = NULL;
    if (index >= memory->room)
        return false;
    if (memory->words[index].run == memory->run)
        *word = &memory->words[index];
    return true;
}
