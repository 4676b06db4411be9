/* SPDX-License-Identifier: MIT */
#include "pm4/stream/decode.h"

#include <stdlib.h>

bool state_create(struct state *state, unsigned family, const struct gpucode_meanings *meanings)
{
    *state = (struct state){.family = family, .meanings = meanings};
    state->registers = calloc(STATE_REGISTERS, sizeof *state->registers);
    state->rewritten = calloc(STATE_REGISTERS, sizeof *state->rewritten);
    state->all = calloc(STATE_REGISTERS, sizeof *state->all);
    return state->registers && state->rewritten && state->all;
}

void state_free(struct state *state)
{
    free(state->registers);
    free(state->rewritten);
    free(state->all);
    *state = (struct state){0};
}

void state_write(struct state *state, const struct gpucode_packet_event *event, unsigned group)
{
    uint32_t number = event->number % STATE_REGISTERS;
    bool known = event->known;
    struct state_register *at = &state->registers[number];
    if (!(at->flags & STATE_WRITTEN))
        state->all[state->all_count++] = number;
    if (!(at->flags & STATE_REWRITTEN))
        state->rewritten[state->rewritten_count++] = number;
    if (!known || !(at->flags & STATE_KNOWN))
        at->flags &= (uint8_t)~STATE_SEEN; /* nothing to compare with */
    at->flags = (uint8_t)((at->flags & ~STATE_KNOWN) | STATE_WRITTEN | STATE_REWRITTEN | (known ? STATE_KNOWN : 0));
    at->value = (uint32_t)event->value;
    at->unknown = event->unknown;
    at->address = event->address;
    at->group = (uint8_t)group;
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The list of all numbers is as a rule sorted already: few draws add to it. */
static void sort_numbers(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i] < numbers[i - 1]) {
            qsort(numbers, count, sizeof *numbers, compare_numbers);
            return;
        }
}

/* Takes one word into the entry. */
static void add_word(struct state_entry *entry, struct state_register *at, unsigned word)
{
    entry->known = (word == 0 || entry->known) && (at->flags & STATE_KNOWN);
    entry->changed |= !(at->flags & STATE_SEEN) || at->value != at->last;
    entry->rewritten |= (at->flags & STATE_REWRITTEN) != 0;
    entry->value |= (uint64_t)at->value << (32 * word);
    entry->unknown |= (uint64_t)at->unknown << (32 * word);
    if (word == 0 || (at->flags & STATE_REWRITTEN)) {
        entry->address = at->address;
        entry->group = at->group;
    }
    at->last = at->value;
    at->flags |= STATE_SEEN;
}

void state_visit(struct state *state, bool all, void (*take)(void *user, const struct state_entry *entry), void *user)
{
    uint32_t *numbers = all ? state->all : state->rewritten;
    uint32_t count = all ? state->all_count : state->rewritten_count, next = 0;
    for (uint32_t i = 0; !take && i < count; i++) {
        struct state_register *at = &state->registers[numbers[i]];
        at->last = at->value;
        at->flags |= STATE_SEEN;
    }
    if (take)
        sort_numbers(numbers, count);
    for (uint32_t i = 0; take && i < count; i++) {
        uint32_t number = numbers[i];
        if (number < next)
            continue;
        /* the second word alone still means the whole register */
        if (number && gpucode_meanings_words(state->meanings, state->family, number - 1) == 2 &&
            (state->registers[number - 1].flags & STATE_WRITTEN))
            number--;
        struct state_entry entry = {.number = number, .words = 1};
        add_word(&entry, &state->registers[number], 0);
        if (number + 1 < STATE_REGISTERS && gpucode_meanings_words(state->meanings, state->family, number) == 2 &&
            (state->registers[number + 1].flags & STATE_WRITTEN)) {
            entry.words = 2;
            add_word(&entry, &state->registers[number + 1], 1);
        }
        next = number + entry.words;
        take(user, &entry);
    }
    for (uint32_t i = 0; i < state->rewritten_count; i++)
        state->registers[state->rewritten[i]].flags &= (uint8_t)~STATE_REWRITTEN;
    state->rewritten_count = 0;
    state->draws++;
}
