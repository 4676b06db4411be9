/* SPDX-License-Identifier: MIT */
/* What two recordings set differently, draw by draw. */
#include "pm4/stream/decode.h"

#include "base/arena.h"

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

/*
 * What two draws of a recording find set differently: registers, descriptors, shaders, vertices. Of each of the two all
 * that it finds is kept as names and texts, in one order, and the two lists are compared.
 */

enum part { OF_DRAW, OF_SHADERS, OF_VERTICES, OF_TEXTURES, OF_REGISTERS, PARTS };

static const char *const part_names[PARTS] = {"draw", "shaders", "vertices", "textures", "registers"};

struct item {
    enum part part;
    uint64_t order; /* in its part */
    const char *name, *text, *block;
};

struct side {
    uint64_t draw;
    bool found;
    struct list items;
};

struct pair {
    struct arena arena;
    struct side sides[2];
    struct side *side; /* at work */
};

static void add(struct decode *decode, enum part part, uint64_t order, const char *name, const char *text,
                const char *block)
{
    struct pair *pair = decode->taker;
    struct item *item = list_add(&pair->side->items, sizeof *item);
    if (item) {
        *item = (struct item){.part = part, .order = order};
        item->name = arena_copy(&pair->arena, name, strlen(name));
        item->text = arena_copy(&pair->arena, text, strlen(text));
        item->block = block ? arena_copy(&pair->arena, block, strlen(block)) : NULL;
    }
    if (!item || !item->name || !item->text)
        decode->status = GPUCODE_ERROR_MEMORY;
}

static void add_register(void *user, const struct state_entry *entry)
{
    struct decode *decode = user;
    char name[GPUCODE_NAME_MAX], text[DECODE_TEXT_MAX] = "?";
    decode_register(decode->options, decode->family, entry->number, name);
    if (entry->known || ~(uint32_t)entry->unknown)
        decode_value(decode, entry->number, entry->value, text);
    add(decode, OF_REGISTERS, entry->number, name, text, NULL);
}

/* The place of a field among all that there are: flags that are not set are left out, so that it is not its index. */
static size_t rank_of(const struct decode *decode, const struct loaded_unit *unit, const struct loaded_field *fields,
                      size_t index)
{
    struct loaded_field all[GPUCODE_FIELD_VALUES_MAX];
    struct loaded_unit full = *unit;
    size_t same = 0, rank = 0;
    memset(full.words, 0xff, sizeof full.words);
    size_t count = loaded_fields(decode->family, &full, all);
    for (size_t i = 0; i < index; i++)
        same += strcmp(fields[i].name, fields[index].name) == 0;
    while (rank < count && (strcmp(all[rank].name, fields[index].name) != 0 || same--))
        rank++;
    return rank;
}

static void add_units(struct decode *decode)
{
    for (size_t i = 0; i < decode->loaded.count; i++) {
        const struct loaded_unit *unit = &decode->loaded.units[i];
        struct loaded_field fields[GPUCODE_FIELD_VALUES_MAX];
        char name[GPUCODE_NAME_MAX], whole[GPUCODE_NAME_MAX + 128];
        if (unit->gone)
            continue;
        loaded_name(unit, name);
        size_t count = loaded_fields(decode->family, unit, fields);
        for (size_t k = 0; k < count; k++) {
            if (strcmp(fields[k].name, "-") == 0 && !fields[k].value)
                continue;
            snprintf(whole, sizeof whole, "%s %.64s.%.48s", unit->stage, name, fields[k].name);
            add(decode, OF_TEXTURES, (uint64_t)i << 32 | rank_of(decode, unit, fields, k), whole, fields[k].text,
                unit->block);
        }
    }
}

static void add_shaders(struct decode *decode, const struct gpucode_packet_event *draw)
{
    unsigned stages = shaders_stages(decode, draw);
    for (unsigned i = 0; i < SHADER_STAGES; i++) {
        struct shader_at at;
        char text[128];
        if (!(stages >> i & 1) || !shaders_current(decode, i, &at))
            continue;
        snprintf(text, sizeof text, "%" PRIu32 " bytes at %#" PRIx64 ", hash %#" PRIx64, 4 * at.count, at.address,
                 at.hash);
        add(decode, OF_SHADERS, i, at.name, text, NULL);
    }
}

static void add_vertices(struct decode *decode)
{
    char name[GPUCODE_NAME_MAX], text[GPUCODE_NAME_MAX + GPUCODE_FIELD_TEXT_MAX];
    for (unsigned i = 0; vertices_attribute(decode, i, name, text, sizeof text); i++)
        add(decode, OF_VERTICES, i, name, text, NULL);
}

static void keep_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct pair *pair = decode->taker;
    uint64_t number = decode->state.draws;
    for (unsigned i = 0; i < 2; i++) {
        if (pair->sides[i].draw != number || decode->state.draws != number)
            continue;
        char text[GPUCODE_NAME_MAX + GPUCODE_FIELD_TEXT_MAX];
        const char *mode = decode_mode(event->mode);
        pair->side = &pair->sides[i];
        pair->side->found = true;
        snprintf(text, sizeof text, "%s %s %" PRIu32 " %s", event->name, event->text ? event->text : "", event->count,
                 mode ? mode : "");
        add(decode, OF_DRAW, 0, "draw", text, NULL);
        add_shaders(decode, event);
        add_vertices(decode);
        add_units(decode);
        state_visit(&decode->state, true, add_register, decode); /* ends the draw */
    }
    if (decode->state.draws == number)
        state_visit(&decode->state, false, NULL, NULL);
}

static void take_contents(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    if (loaded_is_unit(event) && !loaded_take(&decode->loaded, event, words))
        decode->status = GPUCODE_ERROR_MEMORY;
}

/* --- as records --------------------------------------------------------------------------------------------------- */

static void put_item(struct gpucode_answer *answer, const struct item *first, const struct item *second)
{
    const struct item *item = first ? first : second;
    gpucode_answer_begin(answer, &decode_fields[SET]);
    gpucode_answer_text(answer, &decode_fields[SET_NAME], item->name);
    gpucode_answer_text(answer, &decode_fields[SET_BLOCK], item->block);
    if (first)
        gpucode_answer_text(answer, &decode_fields[SET_FIRST], first->text);
    if (second)
        gpucode_answer_text(answer, &decode_fields[SET_SECOND], second->text);
    gpucode_answer_flag(answer, &decode_fields[SET_END], true);
    gpucode_answer_end(answer);
}

static struct item *item_at(const struct side *side, size_t index, enum part part)
{
    struct item *item = (struct item *)side->items.items + index;
    return index < side->items.count && item->part == part ? item : NULL;
}

/* The other one may be the same draw. */
static const struct side *other_side(const struct pair *pair)
{
    return &pair->sides[pair->sides[0].draw != pair->sides[1].draw];
}

/* Returns how many things of a part differ; `at` goes on after it. */
static size_t compare_part(struct decode *decode, struct pair *pair, enum part part, size_t at[2])
{
    struct gpucode_answer *answer = decode->answer;
    size_t count = 0;
    for (;;) {
        const struct item *first = item_at(&pair->sides[0], at[0], part),
                          *second = item_at(other_side(pair), at[1], part);
        if (!first && !second)
            break;
        if (first && second && first->order != second->order) {
            if (first->order < second->order)
                second = NULL;
            else
                first = NULL;
        }
        at[0] += first != NULL;
        at[1] += second != NULL;
        if (first && second && strcmp(first->text, second->text) == 0)
            continue;
        if (!count++) {
            gpucode_answer_begin(answer, &decode_fields[PART]);
            gpucode_answer_text(answer, &decode_fields[PART_NAME], part_names[part]);
            gpucode_answer_begin(answer, &decode_fields[PART_SET]);
        }
        put_item(answer, first, second);
    }
    if (count) {
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    }
    return count;
}

static bool compare_pair(struct decode *decode, struct pair *pair)
{
    struct gpucode_answer *answer = decode->answer;
    size_t at[2] = {0, 0}, all = 0;
    for (unsigned part = 0; part < PARTS; part++)
        all += compare_part(decode, pair, part, at);
    gpucode_answer_begin(answer, &decode_fields[PAIR]);
    gpucode_answer_number(answer, &decode_fields[PAIR_FIRST], pair->sides[0].draw);
    gpucode_answer_number(answer, &decode_fields[PAIR_SECOND], pair->sides[1].draw);
    gpucode_answer_number(answer, &decode_fields[PAIR_COUNT], all);
    gpucode_answer_end(answer);
    return !all;
}

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

enum gpucode_status gpucode_stream_decode_compare_draws(const struct gpucode_stream *stream,
                                                        const struct gpucode_stream_decode_options *options,
                                                        uint64_t first, uint64_t second, struct gpucode_answer *answer,
                                                        struct gpucode_stream_decoded *decoded, bool *equal)
{
    if (!stream || !options || !equal)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_stream_decode_options own = *options;
    struct pair pair = {.sides = {{.draw = first}, {.draw = second}}};
    struct decode decode = {.stream = stream, .options = &own, .answer = answer, .taker = &pair};
    own.shown = 0;
    own.query_count = 0;
    own.shader = NULL;
    decode.take_draw = keep_draw;
    decode.take_contents = take_contents;
    *equal = false;
    enum gpucode_status status = shaders_create(&decode) ? decode_run(&decode) : GPUCODE_ERROR_MEMORY;
    decode_told(&decode, decoded);
    for (unsigned i = 0; i < 2; i++)
        if (pair.sides[i].items.count)
            qsort(pair.sides[i].items.items, pair.sides[i].items.count, sizeof(struct item), compare_items);
    if (status == GPUCODE_OK && pair.sides[0].found && other_side(&pair)->found) {
        *equal = compare_pair(&decode, &pair);
        status = gpucode_answer_status(answer);
    }
    decode_free(&decode);
    FREE_ALL(pair.sides[0].items.items, pair.sides[1].items.items);
    arena_free(&pair.arena);
    return status;
}
