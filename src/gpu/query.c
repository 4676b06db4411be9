/* SPDX-License-Identifier: MIT */
/* --query: what registers and fields have at draws, at each write, or where they change. */
#include "gpu/view.h"

#include "front/session.h"
#include "front/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WHEN_DRAWS, WHEN_WRITES, WHEN_CHANGES };
enum { ASKS_WHOLE = 1, ASKS_FIELDS = 2 };

/* NAME[=VALUE] */
struct question {
    char name[GPUCODE_NAME_MAX];
    const char *value; /* null: any */
};

struct query {
    unsigned when, count;
    struct question *questions;
    uint8_t *asked; /* by register: ASKS_... of any question */
    const struct gpucode_packet_event *draw;
};

/* Does the text match? A star stands for any characters. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* Could NAME be REGISTER.FIELD? */
static bool may_be_field(const char *pattern, const char *name)
{
    size_t length = strlen(name);
    return strchr(pattern, '*') || (strncmp(pattern, name, length) == 0 && pattern[length] == '.');
}

static bool ask(const struct view *view, struct query *query, const struct question *question)
{
    char name[GPUCODE_NAME_MAX], *end;
    bool any = false;
    unsigned long number = strtoul(question->name, &end, 0);
    if (end > question->name && !*end && number < STATE_REGISTERS) {
        query->asked[number] |= ASKS_WHOLE;
        return true;
    }
    for (uint32_t i = 0; i < STATE_REGISTERS; i++) {
        view_register(view, i, name);
        if (strncmp(name, "0x", 2) == 0)
            continue;
        if (matches(question->name, name))
            query->asked[i] |= ASKS_WHOLE;
        else if (may_be_field(question->name, name))
            query->asked[i] |= ASKS_FIELDS;
        any |= query->asked[i] != 0;
    }
    return any;
}

int query_create(struct session *session, const struct view *view, struct query **out)
{
    const struct arguments *arguments = &session->arguments;
    unsigned count = arguments->count[OPTION_GPU_QUERY];
    struct query *query = calloc(1, sizeof *query);
    *out = query;
    if (query) {
        query->questions = calloc(count, sizeof *query->questions);
        query->asked = calloc(STATE_REGISTERS, 1);
    }
    if (!query || !query->questions || !query->asked)
        return out_of_memory(&session->diagnostics);
    const char *when = arguments->value[OPTION_GPU_WHEN];
    query->when = !when || strcmp(when, "draws") == 0 ? WHEN_DRAWS
                  : strcmp(when, "writes") == 0       ? WHEN_WRITES
                                                      : WHEN_CHANGES;
    for (; query->count < count; query->count++) {
        const char *text = arguments_value_at(arguments, OPTION_GPU_QUERY, query->count);
        struct question *question = &query->questions[query->count];
        size_t length = strcspn(text, "=");
        if (!length || length >= sizeof question->name)
            return value_refuse(session, OPTION_GPU_QUERY, text, "NAME or NAME=VALUE");
        memcpy(question->name, text, length);
        question->value = text[length] ? text + length + 1 : NULL;
        if (!ask(view, query, question))
            return value_refuse(session, OPTION_GPU_QUERY, text, "the name of a register or field of this GPU");
    }
    return EXIT_DONE;
}

void query_free(struct query *query)
{
    if (query) {
        free(query->questions);
        free(query->asked);
    }
    free(query);
}

/* The text as it is printed, or a number. */
static bool has_value(const char *wanted, const char *text, uint64_t value)
{
    char *end;
    unsigned long long number = strtoull(wanted, &end, 0);
    return matches(wanted, text) || (end > wanted && !*end && number == value);
}

static bool is_answer(const struct query *query, const char *name, const char *text, uint64_t value, uint32_t number)
{
    for (unsigned i = 0; i < query->count; i++) {
        const struct question *question = &query->questions[i];
        char *end;
        unsigned long asked = strtoul(question->name, &end, 0);
        bool same = matches(question->name, name) || (end > question->name && !*end && asked == number);
        if (same && (!question->value || has_value(question->value, text, value)))
            return true;
    }
    return false;
}

/* One line or object. */
static void answer(struct view *view, const struct state_entry *entry, const char *name, const char *text,
                   uint64_t value)
{
    const struct gpucode_packet_event *draw = view->query->draw;
    const char *mode = draw ? view_mode(draw->mode) : NULL;
    if (view->json.out) {
        struct json *json = &view->json;
        json_object(json, NULL);
        json_number(json, "submit", view->submit);
        json_number(json, "stream", view->command);
        json_number(json, "draw", view->state.draws);
        json_string(json, "primitive", draw ? draw->text : NULL);
        json_string(json, "mode", mode);
        json_string(json, "name", name);
        json_number(json, "value", value);
        json_string(json, "text", text);
        json_bool(json, "changed", entry->changed);
        json_bool(json, "rewritten", entry->rewritten);
        json_number(json, "address", entry->address);
        json_end(json);
        return;
    }
    fprintf(view->out, "%" PRIu64 ": ", view->state.draws);
    if (draw)
        fprintf(view->out, "%s:%" PRIu32 ":%s: ", draw->text ? draw->text : "", draw->count, mode ? mode : "");
    fprintf(view->out, "%c %c %s = %s  ; %012" PRIx64 "\n", entry->changed ? '!' : ' ', entry->rewritten ? '+' : ' ',
            name, text, entry->address);
}

static void answer_entry(struct view *view, const struct state_entry *entry)
{
    char name[2 * GPUCODE_NAME_MAX], text[VIEW_TEXT_MAX];
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    const struct query *query = view->query;
    if (!entry->known || !query->asked[entry->number])
        return;
    view_register(view, entry->number, name);
    view_value(view, entry->number, entry->value, text);
    if (is_answer(query, name, text, entry->value, entry->number))
        answer(view, entry, name, text, entry->value);
    if (!(query->asked[entry->number] & ASKS_FIELDS))
        return;
    size_t length = strlen(name),
           count = gpucode_meanings_fields(view->meanings, view->recording->family, entry->number, entry->value, fields,
                                           GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++) {
        snprintf(name + length, sizeof name - length, ".%s", fields[i].name);
        if (is_answer(query, name, fields[i].text, fields[i].value, UINT32_MAX))
            answer(view, entry, name, fields[i].text, fields[i].value);
    }
}

void query_write(struct view *view, const struct view_write *write)
{
    if (view->query->when != WHEN_WRITES || write->event.condition == GPUCODE_PACKET_SKIPPED || !view_shows(view))
        return;
    view->query->draw = NULL;
    answer_entry(view, &(struct state_entry){.number = write->event.number,
                                             .words = write->words,
                                             .value = write->value,
                                             .known = write->event.known,
                                             .rewritten = true,
                                             .address = write->event.address});
}

static void take_entry(void *user, const struct state_entry *entry)
{
    struct view *view = user;
    if (view->query->when == WHEN_DRAWS || (view->query->when == WHEN_CHANGES && entry->changed))
        if (view_shows(view))
            answer_entry(view, entry);
}

void query_draw(struct view *view, const struct gpucode_packet_event *event)
{
    view->query->draw = event;
    state_visit(&view->state, view->query->when == WHEN_DRAWS, take_entry, view);
}
