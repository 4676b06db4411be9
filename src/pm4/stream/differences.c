/* SPDX-License-Identifier: MIT */
/* What two recordings set differently, draw by draw. */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

struct draw {
    char what[GPUCODE_FIELD_TEXT_MAX];
    uint32_t count;
    size_t first, end; /* of the entries */
};

struct draw_list {
    struct draw *draws;
    struct state_entry *entries;
    size_t count, room, entry_count, entry_room;
};

/* Room for one more; false: no memory. */
static bool grow(void **list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 256;
    void *larger = realloc(*list, more * size);
    if (!larger)
        return false;
    *list = larger;
    *room = more;
    return true;
}

static void add_entry(void *user, const struct state_entry *entry)
{
    struct decode *decode = user;
    struct draw_list *list = decode->taker;
    void *entries = list->entries;
    if (!grow(&entries, list->entry_count, &list->entry_room, sizeof *entry)) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    list->entries = entries;
    list->entries[list->entry_count++] = *entry;
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct draw_list *list = decode->taker;
    void *draws = list->draws;
    if (!decode_shows(decode)) {
        state_visit(&decode->state, false, NULL, NULL);
        return;
    }
    if (!grow(&draws, list->count, &list->room, sizeof *list->draws)) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    list->draws = draws;
    struct draw *draw = &list->draws[list->count++];
    *draw = (struct draw){.count = event->count, .first = list->entry_count};
    snprintf(draw->what, sizeof draw->what, "%s", event->text ? event->text : event->name);
    state_visit(&decode->state, decode->shown & GPUCODE_DECODE_ALL, add_entry, decode);
    draw->end = list->entry_count;
}

struct difference {
    struct decode *first, *second;
    uint64_t draw;
    bool headed;
};

/* A side of a register: its value for JSON, and with its name for text. */
static void put_side(struct decode *decode, const struct state_entry *entry, const char *name, unsigned field,
                     unsigned line)
{
    char text[DECODE_TEXT_MAX];
    if (!entry)
        return;
    const char *value = ~(uint32_t)entry->unknown ? decode_value(decode, entry->number, entry->value, text) : "?";
    gpucode_answer_text(decode->answer, &decode_fields[field], value);
    gpucode_answer_format(decode->answer, &decode_fields[line], "%s = %s", name, value);
}

static void put_difference(struct difference *difference, const struct state_entry *first,
                           const struct state_entry *second)
{
    struct decode *decode = first ? difference->first : difference->second;
    struct gpucode_answer *answer = decode->answer;
    char name[GPUCODE_NAME_MAX];
    decode_register(decode->options, decode->family, (first ? first : second)->number, name);
    gpucode_answer_begin(answer, &decode_fields[DIFFERENCE]);
    gpucode_answer_number(answer, &decode_fields[DIFFERENCE_DRAW], difference->draw);
    if (!difference->headed)
        gpucode_answer_number(answer, &decode_fields[DIFFERENCE_HEAD], difference->draw);
    difference->headed = true;
    gpucode_answer_text(answer, &decode_fields[DIFFERENCE_NAME], name);
    put_side(difference->first, first, name, DIFFERENCE_FIRST, DIFFERENCE_OLD);
    put_side(difference->second, second, name, DIFFERENCE_SECOND, DIFFERENCE_NEW);
    gpucode_answer_end(answer);
}

static void put_draws(struct gpucode_answer *answer, size_t number, const struct draw *one, const struct draw *other)
{
    gpucode_answer_begin(answer, &decode_fields[DRAWS_DIFFER]);
    gpucode_answer_number(answer, &decode_fields[DRAWS_NUMBER], number);
    gpucode_answer_text(answer, &decode_fields[DRAWS_FIRST], one->what);
    gpucode_answer_number(answer, &decode_fields[DRAWS_FIRST_COUNT], one->count);
    gpucode_answer_text(answer, &decode_fields[DRAWS_SECOND], other->what);
    gpucode_answer_number(answer, &decode_fields[DRAWS_SECOND_COUNT], other->count);
    gpucode_answer_end(answer);
}

static bool is_equal(const struct state_entry *first, const struct state_entry *second)
{
    return first->unknown == second->unknown && first->value == second->value && first->words == second->words;
}

/* Two draws; returns how many registers differ. */
static size_t compare_draws(struct difference *difference, const struct draw *one, const struct draw *other)
{
    const struct draw_list *first = difference->first->taker, *second = difference->second->taker;
    size_t a = one->first, b = other->first, count = 0;
    while (a < one->end || b < other->end) {
        const struct state_entry *left = a < one->end ? &first->entries[a] : NULL;
        const struct state_entry *right = b < other->end ? &second->entries[b] : NULL;
        if (left && right && left->number != right->number) {
            if (left->number < right->number)
                right = NULL;
            else
                left = NULL;
        }
        a += left != NULL;
        b += right != NULL;
        if (left && right && is_equal(left, right))
            continue;
        put_difference(difference, left, right);
        count++;
    }
    return count;
}

static void put_total(struct gpucode_answer *answer, const struct draw_list *first, const struct draw_list *second,
                      size_t draws, size_t registers)
{
    gpucode_answer_begin(answer, &decode_fields[TOTAL]);
    gpucode_answer_number(answer, &decode_fields[TOTAL_FIRST], first->count);
    gpucode_answer_number(answer, &decode_fields[TOTAL_SECOND], second->count);
    gpucode_answer_number(answer, &decode_fields[TOTAL_DRAWS], draws);
    gpucode_answer_number(answer, &decode_fields[TOTAL_REGISTERS], registers);
    gpucode_answer_end(answer);
}

/* True: nothing differs. */
static bool compare(struct decode *first, struct decode *second)
{
    const struct draw_list *one = first->taker, *other = second->taker;
    struct difference difference = {.first = first, .second = second};
    size_t registers = 0, draws = 0;
    for (size_t i = 0; i < one->count && i < other->count; i++) {
        const struct draw *left = &one->draws[i], *right = &other->draws[i];
        bool same = strcmp(left->what, right->what) == 0 && left->count == right->count;
        difference.draw = i;
        difference.headed = !same;
        if (!same)
            put_draws(first->answer, i, left, right);
        size_t count = compare_draws(&difference, left, right);
        registers += count;
        draws += count || !same;
    }
    put_total(first->answer, one, other, draws, registers);
    return !draws && one->count == other->count;
}

enum gpucode_status gpucode_stream_decode_compare(const struct gpucode_stream *first,
                                                  const struct gpucode_stream_decode_options *first_options,
                                                  const struct gpucode_stream *second,
                                                  const struct gpucode_stream_decode_options *second_options,
                                                  struct gpucode_answer *answer, bool *equal)
{
    struct draw_list lists[2] = {{0}};
    if (!first || !first_options || !second || !second_options || !equal)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_stream_decode_options options[2] = {*first_options, *second_options};
    struct decode sides[2] = {{.stream = first}, {.stream = second}};
    enum gpucode_status status = GPUCODE_OK;
    *equal = false;
    for (unsigned i = 0; i < 2; i++) {
        options[i].shown &= ~(unsigned)(GPUCODE_DECODE_PACKETS | GPUCODE_DECODE_SUBMITS);
        options[i].query_count = 0;
        sides[i].options = &options[i];
        sides[i].answer = answer;
        sides[i].take_draw = take_draw;
        sides[i].taker = &lists[i];
        if (status == GPUCODE_OK)
            status = decode_run(&sides[i]);
    }
    if (status == GPUCODE_OK) {
        *equal = compare(&sides[0], &sides[1]);
        status = gpucode_answer_status(answer);
    }
    for (unsigned i = 0; i < 2; i++) {
        decode_free(&sides[i]);
        free(lists[i].draws);
        free(lists[i].entries);
    }
    return status;
}
