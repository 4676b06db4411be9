/* SPDX-License-Identifier: MIT */
/* Queries: what registers and fields have at draws, at each write, or where they change. */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

enum { ASKS_WHOLE = 1, ASKS_FIELDS = 2 };

/* NAME[=VALUE] */
struct question {
    char name[GPUCODE_NAME_MAX];
    const char *value; /* null: any */
};

struct query {
    size_t count;
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

/* Marks the registers that a question is about, in `asked` unless that is null; false: there are none. */
static bool ask(const struct gpucode_stream_decode_options *options, unsigned family, const char *pattern,
                uint8_t *asked)
{
    char name[GPUCODE_NAME_MAX], *end;
    bool any = false;
    unsigned long number = strtoul(pattern, &end, 0);
    if (end > pattern && !*end && number < STATE_REGISTERS) {
        if (asked)
            asked[number] |= ASKS_WHOLE;
        return true;
    }
    for (uint32_t i = 0; i < STATE_REGISTERS; i++) {
        decode_register(options, family, i, name);
        if (strncmp(name, "0x", 2) == 0)
            continue;
        uint8_t asks = matches(pattern, name) ? ASKS_WHOLE : may_be_field(pattern, name) ? ASKS_FIELDS : 0;
        if (asked)
            asked[i] |= asks;
        any |= asks != 0;
    }
    return any;
}

/* Takes NAME[=VALUE] apart; false: it is not that. */
static bool read_question(const char *text, struct question *question)
{
    size_t length = strcspn(text, "=");
    if (!length || length >= sizeof question->name)
        return false;
    memcpy(question->name, text, length);
    question->name[length] = 0;
    question->value = text[length] ? text + length + 1 : NULL;
    return true;
}

bool gpucode_stream_decode_knows(const struct gpucode_stream_decode_options *options, const char *query)
{
    struct question question;
    if (!options || !query)
        return false;
    unsigned family = options->family ? options->family : gpucode_target_family(options->target);
    return read_question(query, &question) && ask(options, family, question.name, NULL);
}

enum gpucode_status query_create(const struct decode *decode, struct query **out)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    *out = NULL;
    if (!options->query_count)
        return GPUCODE_OK;
    struct query *query = calloc(1, sizeof *query);
    *out = query;
    if (query) {
        query->questions = calloc(options->query_count, sizeof *query->questions);
        query->asked = calloc(STATE_REGISTERS, 1);
    }
    if (!query || !query->questions || !query->asked)
        return GPUCODE_ERROR_MEMORY;
    for (; query->count < options->query_count; query->count++)
        if (!read_question(options->queries[query->count], &query->questions[query->count]) ||
            !ask(options, decode->family, query->questions[query->count].name, query->asked))
            return GPUCODE_ERROR_ARGUMENT;
    return GPUCODE_OK;
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
    for (size_t i = 0; i < query->count; i++) {
        const struct question *question = &query->questions[i];
        char *end;
        unsigned long asked = strtoul(question->name, &end, 0);
        bool same = matches(question->name, name) || (end > question->name && !*end && asked == number);
        if (same && (!question->value || has_value(question->value, text, value)))
            return true;
    }
    return false;
}

static void put_answer(struct decode *decode, const struct state_entry *entry, const char *name, const char *text,
                       uint64_t value)
{
    const struct gpucode_answer_field *fields = decode_fields;
    const struct gpucode_packet_event *draw = decode->query->draw;
    const char *mode = draw ? decode_mode(draw->mode) : NULL, *primitive = draw ? draw->text : NULL;
    struct gpucode_answer *answer = decode->answer;
    char address[24], marks[] = {entry->changed ? '!' : ' ', ' ', entry->rewritten ? '+' : ' ', 0};
    gpucode_answer_begin(answer, &fields[ANSWER]);
    gpucode_answer_number(answer, &fields[ANSWER_SUBMIT], decode->submit);
    gpucode_answer_number(answer, &fields[ANSWER_STREAM], decode->command);
    gpucode_answer_number(answer, &fields[ANSWER_DRAW], decode->state.draws);
    gpucode_answer_text(answer, &fields[ANSWER_PRIMITIVE], primitive);
    if (draw)
        gpucode_answer_number(answer, &fields[ANSWER_COUNT], draw->count);
    gpucode_answer_text(answer, &fields[ANSWER_MODE], mode);
    if (draw)
        gpucode_answer_format(answer, &fields[ANSWER_HEAD], "%s:%" PRIu32 ":%s: %s", primitive ? primitive : "",
                              draw->count, mode ? mode : "", marks);
    else
        gpucode_answer_text(answer, &fields[ANSWER_HEAD], marks);
    gpucode_answer_text(answer, &fields[ANSWER_NAME], name);
    gpucode_answer_number(answer, &fields[ANSWER_VALUE], value);
    gpucode_answer_text(answer, &fields[ANSWER_TEXT], text);
    gpucode_answer_flag(answer, &fields[ANSWER_CHANGED], entry->changed);
    gpucode_answer_flag(answer, &fields[ANSWER_REWRITTEN], entry->rewritten);
    snprintf(address, sizeof address, "%012" PRIx64, entry->address);
    gpucode_answer_shown(answer, &fields[ANSWER_ADDRESS], entry->address, address);
    gpucode_answer_end(answer);
}

static void answer_entry(struct decode *decode, const struct state_entry *entry)
{
    char name[2 * GPUCODE_NAME_MAX], text[DECODE_TEXT_MAX];
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    const struct query *query = decode->query;
    if (!entry->known || !query->asked[entry->number])
        return;
    decode_register(decode->options, decode->family, entry->number, name);
    decode_value(decode, entry->number, entry->value, text);
    if (is_answer(query, name, text, entry->value, entry->number))
        put_answer(decode, entry, name, text, entry->value);
    if (!(query->asked[entry->number] & ASKS_FIELDS))
        return;
    size_t length = strlen(name),
           count = gpucode_meanings_fields(decode->options->meanings, decode->family, entry->number, entry->value,
                                           fields, GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++) {
        snprintf(name + length, sizeof name - length, ".%s", fields[i].name);
        if (is_answer(query, name, fields[i].text, fields[i].value, UINT32_MAX))
            put_answer(decode, entry, name, fields[i].text, fields[i].value);
    }
}

void query_write(struct decode *decode, const struct decode_write *write)
{
    if (decode->options->when != GPUCODE_DECODE_AT_WRITES || write->event.condition == GPUCODE_PACKET_SKIPPED ||
        !decode_shows(decode))
        return;
    decode->query->draw = NULL;
    answer_entry(decode, &(struct state_entry){.number = write->event.number,
                                               .words = write->words,
                                               .value = write->value,
                                               .known = write->event.known,
                                               .rewritten = true,
                                               .address = write->event.address});
}

static void take_entry(void *user, const struct state_entry *entry)
{
    struct decode *decode = user;
    enum gpucode_stream_decode_when when = decode->options->when;
    if (when == GPUCODE_DECODE_AT_DRAWS || (when == GPUCODE_DECODE_AT_CHANGES && entry->changed))
        if (decode_shows(decode))
            answer_entry(decode, entry);
}

void query_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    decode->query->draw = event;
    state_visit(&decode->state, decode->options->when == GPUCODE_DECODE_AT_DRAWS, take_entry, decode);
}
