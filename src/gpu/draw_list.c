/* SPDX-License-Identifier: MIT */
/* --diff: what two recordings set differently, draw by draw. */
#include "front/grow.h"
#include "gpu/view.h"

#include "front/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct draw {
    char what[GPUCODE_FIELD_TEXT_MAX];
    uint32_t count;
    size_t first, end; /* of the entries */
};

struct draw_list {
    struct draw *draws;
    struct state_entry *entries;
    size_t count, room, entry_count, entry_room;
    bool full; /* out of memory */
};

struct draw_list *draw_list_create(void)
{
    return calloc(1, sizeof(struct draw_list));
}

void draw_list_free(struct draw_list *list)
{
    if (list) {
        free(list->draws);
        free(list->entries);
    }
    free(list);
}

static void add_entry(void *user, const struct state_entry *entry)
{
    struct draw_list *list = user;
    if (list->full || !grow(&list->entries, list->entry_count, &list->entry_room, sizeof *entry)) {
        list->full = true;
        return;
    }
    list->entries[list->entry_count++] = *entry;
}

void draw_list_add(struct view *view, const struct gpucode_packet_event *event)
{
    struct draw_list *list = view->list;
    if (!view_shows(view)) {
        state_visit(&view->state, false, NULL, NULL);
        return;
    }
    if (list->full || !grow(&list->draws, list->count, &list->room, sizeof *list->draws)) {
        list->full = true;
        return;
    }
    struct draw *draw = &list->draws[list->count++];
    *draw = (struct draw){.count = event->count, .first = list->entry_count};
    snprintf(draw->what, sizeof draw->what, "%s", event->text ? event->text : event->name);
    state_visit(&view->state, view->all, add_entry, list);
    draw->end = list->entry_count;
}

struct difference {
    struct view *first, *second;
    uint64_t draw;
    bool headed;
};

static void show_value(struct view *view, char mark, const struct state_entry *entry)
{
    char name[GPUCODE_NAME_MAX], text[VIEW_TEXT_MAX];
    fprintf(view->out, "%c %s = %s\n", mark, view_register(view, entry->number, name),
            entry->known ? view_value(view, entry->number, entry->value, text) : "?");
}

static void show_json(struct json *json, struct view *view, const char *key, const struct state_entry *entry)
{
    char text[VIEW_TEXT_MAX];
    if (entry)
        json_string(json, key, entry->known ? view_value(view, entry->number, entry->value, text) : "?");
}

static void show_difference(struct difference *difference, const struct state_entry *first,
                            const struct state_entry *second)
{
    char name[GPUCODE_NAME_MAX];
    struct json *json = &difference->first->json;
    FILE *out = difference->first->out;
    if (json->out) {
        json_object(json, NULL);
        json_number(json, "draw", difference->draw);
        json_string(
            json, "register",
            view_register(first ? difference->first : difference->second, (first ? first : second)->number, name));
        show_json(json, difference->first, "first", first);
        show_json(json, difference->second, "second", second);
        json_end(json);
        return;
    }
    if (!difference->headed)
        fprintf(out, "draw %" PRIu64 "\n", difference->draw);
    difference->headed = true;
    if (first)
        show_value(difference->first, '-', first);
    if (second)
        show_value(difference->second, '+', second);
}

static bool is_equal(const struct state_entry *first, const struct state_entry *second)
{
    return first->known == second->known && (!first->known || first->value == second->value) &&
           first->words == second->words;
}

/* Two draws; returns how many registers differ. */
static size_t compare_draws(struct difference *difference, const struct draw *one, const struct draw *other)
{
    const struct draw_list *first = difference->first->list, *second = difference->second->list;
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
        show_difference(difference, left, right);
        count++;
    }
    return count;
}

int draw_list_compare(struct view *first, struct view *second)
{
    const struct draw_list *one = first->list, *other = second->list;
    struct difference difference = {.first = first, .second = second};
    size_t registers = 0, draws = 0;
    if (one->full || other->full)
        return out_of_memory(&first->session->diagnostics);
    for (size_t i = 0; i < one->count && i < other->count; i++) {
        difference.draw = i;
        difference.headed = false;
        bool same =
            strcmp(one->draws[i].what, other->draws[i].what) == 0 && one->draws[i].count == other->draws[i].count;
        if (!same && !first->json.out) {
            fprintf(first->out, "draw %zu\n- %s %" PRIu32 "\n+ %s %" PRIu32 "\n", i, one->draws[i].what,
                    one->draws[i].count, other->draws[i].what, other->draws[i].count);
            difference.headed = true;
        }
        size_t count = compare_draws(&difference, &one->draws[i], &other->draws[i]);
        registers += count;
        draws += count || !same;
    }
    bool equal = !draws && one->count == other->count;
    if (!first->json.out)
        fprintf(first->out, "%zu and %zu draws; %zu differ, in %zu registers\n", one->count, other->count, draws,
                registers);
    return equal ? EXIT_DONE : EXIT_FINDINGS;
}
