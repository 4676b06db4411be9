/* SPDX-License-Identifier: MIT */
/*
 * Queries: what registers, descriptors and their fields have at draws, at each write, or where they change; and the
 * fields of packets, where they stand.
 */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

enum { ASKS_WHOLE = 1, ASKS_FIELDS = 2 };
#define OPCODE_SET_BIN 0x4c

/* NAME[=VALUE] */
struct question {
    char name[GPUCODE_NAME_MAX];
    const char *value; /* null: any */
};

/* What a field of a packet had last. */
struct packet_field {
    char name[2 * GPUCODE_NAME_MAX];
    uint64_t value;
};

struct query {
    size_t count;
    struct question *questions;
    uint8_t *asked; /* by register: ASKS_... of any question */
    bool units;     /* some question may be about descriptors */
    const struct gpucode_packet_event *draw;
    struct query_area area, bin;   /* of the draw; what CP_SET_BIN has set */
    char packet[GPUCODE_NAME_MAX]; /* the one whose fields come */
    struct packet_field *fields;
    size_t field_count, field_room;
};

bool query_matches(const char *pattern, const char *text)
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

/* Does a question name a register by its number? */
static bool is_number(const char *pattern, uint32_t *number)
{
    char *end;
    unsigned long value = strtoul(pattern, &end, 0);
    *number = (uint32_t)value;
    return end > pattern && !*end && value < STATE_REGISTERS;
}

/* Marks the registers that the questions are about. */
static void ask(const struct query *query, const struct gpucode_stream_decode_options *options, unsigned family)
{
    char name[GPUCODE_NAME_MAX];
    uint32_t number;
    for (size_t i = 0; i < query->count; i++)
        if (is_number(query->questions[i].name, &number))
            query->asked[number] |= ASKS_WHOLE;
    for (number = 0; decode_next_register(options, family, &number, name); number++)
        for (size_t i = 0; i < query->count; i++)
            if (query_matches(query->questions[i].name, name))
                query->asked[number] |= ASKS_WHOLE;
            else if (may_be_field(query->questions[i].name, name))
                query->asked[number] |= ASKS_FIELDS;
}

/* May the question be about something whose name begins so? What comes before a star or subscript decides. */
static bool may_begin(const char *pattern, const char *name)
{
    size_t fixed = strcspn(pattern, "*[."), length = strlen(name);
    return fixed <= length && strncmp(pattern, name, fixed) == 0 && (pattern[fixed] == '*' || fixed == length);
}

static const char *const unit_names[] = {"TEX_CONST", "TEX_SAMP", "TEX_MEMOBJ", "UBO",
                                         "SSBO_0",    "SSBO_1",   "SSBO_2",     LOADED_ADDRESSES};

static bool ask_units(const char *pattern)
{
    bool any = false;
    if (pattern[0] == 'A' && pattern[1] >= '3' && pattern[1] <= '8' && strncmp(pattern + 2, "XX_", 3) == 0)
        pattern += 5;
    for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++)
        any |= may_begin(pattern, unit_names[i]);
    /* blocks, and registers that point to descriptors */
    return any || strncmp(pattern, "SB", 2) == 0 || strstr(pattern, "TEX") || strstr(pattern, "SAMPLER");
}

static bool ask_packets(unsigned family, const char *pattern)
{
    bool any = false;
    for (unsigned i = 0; i < 256; i++) {
        const char *name = gpucode_packet_name(family, i);
        any |= name && may_begin(pattern, name);
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

static unsigned family_of(const struct gpucode_stream_decode_options *options)
{
    return options->family ? options->family : gpucode_target_family(options->target);
}

/* Descriptors of the family, with all their fields. */
static void name_units(unsigned family, bool fields, void (*take)(void *user, const char *name), void *user)
{
    for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++) {
        char kind[32], name[2 * GPUCODE_NAME_MAX];
        struct loaded_unit unit = {.kind = kind, .count = LOADED_WORDS_MAX};
        struct loaded_field list[GPUCODE_FIELD_VALUES_MAX];
        snprintf(kind, sizeof kind, "A%uXX_%s", family == 7 ? 6 : family, unit_names[i]);
        if (!gpucode_descriptor_words(kind) && family == 8)
            kind[1] = '6';
        memset(unit.words, 0xff, sizeof unit.words);
        if (!gpucode_descriptor_words(kind))
            continue;
        loaded_name(&unit, name);
        take(user, name);
        size_t length = strlen(name), count = fields ? loaded_fields(family, &unit, list) : 0;
        for (size_t k = 0; k < count; k++) {
            snprintf(name + length, sizeof name - length, ".%.*s", GPUCODE_NAME_MAX - 1, list[k].name);
            take(user, name);
        }
    }
}

void gpucode_stream_decode_names(const struct gpucode_stream_decode_options *options, bool fields,
                                 void (*take)(void *user, const char *name), void *user)
{
    struct gpucode_field_value list[GPUCODE_FIELD_VALUES_MAX];
    char name[2 * GPUCODE_NAME_MAX];
    if (!options || !take)
        return;
    unsigned family = family_of(options);
    for (uint32_t number = 0; decode_next_register(options, family, &number, name); number++) {
        take(user, name);
        size_t length = strlen(name), count = fields
                                                  ? gpucode_meanings_fields(options->meanings, family, number,
                                                                            UINT64_MAX, list, GPUCODE_FIELD_VALUES_MAX)
                                                  : 0;
        for (size_t k = 0; k < count; k++) {
            snprintf(name + length, sizeof name - length, ".%s", list[k].name);
            if (strcmp(list[k].name, "-") != 0)
                take(user, name);
        }
    }
    for (unsigned i = 0; i < 256; i++)
        if (gpucode_packet_name(family, i))
            take(user, gpucode_packet_name(family, i));
    name_units(family, fields, take, user);
}

struct lookup {
    const char *pattern;
    bool found;
};

static void look(void *user, const char *name)
{
    struct lookup *lookup = user;
    lookup->found |= query_matches(lookup->pattern, name);
}

bool gpucode_stream_decode_knows(const struct gpucode_stream_decode_options *options, const char *query)
{
    struct question question;
    uint32_t number;
    char *digits;
    if (!options || !query || !read_question(query, &question))
        return false;
    char *name = question.name;
    struct lookup lookup = {.pattern = name};
    if (is_number(name, &number))
        return true;
    /* fields of packets depend on what stands in these, and blocks on the generation's packets: as far as it is known
     */
    if (strncmp(name, "SB", 2) == 0 || (strncmp(name, "TEX", 3) != 0 && strstr(name, "TEX") && strstr(name, "].")) ||
        (strchr(name, '.') && !strchr(name, '*') && ask_packets(family_of(options), name)))
        return true;
    if (ask_units(name) && (digits = strchr(name, '[')) && strchr(digits, ']')) { /* any of them is like the first */
        char *close = strchr(digits, ']');
        memmove(digits + 2, close, strlen(close) + 1);
        digits[1] = '0';
    }
    gpucode_stream_decode_names(options, strpbrk(name, ".*") != NULL, look, &lookup);
    return lookup.found;
}

void query_free(struct query *query)
{
    if (query) {
        free(query->questions);
        free(query->asked);
        free(query->fields);
    }
    free(query);
}

/* The text as it is printed, or a number. */
static bool has_value(const char *wanted, const char *text, uint64_t value)
{
    char *end;
    unsigned long long number = strtoull(wanted, &end, 0);
    return query_matches(wanted, text) || (end > wanted && !*end && number == value);
}

/* Does a question name what stands alone, or with the field that it is of? */
static bool is_named(const char *pattern, const struct query_answer *answer)
{
    const char *end;
    if (query_matches(pattern, answer->name))
        return true;
    for (size_t i = 0; i < 2; i++)
        if (answer->aliases[i] && query_matches(pattern, answer->aliases[i]))
            return true;
    if (answer->number == UINT32_MAX && (end = strrchr(answer->name, '.')) && !strchr(pattern, '*'))
        return strlen(pattern) == (size_t)(end - answer->name) && strncmp(pattern, answer->name, strlen(pattern)) == 0;
    return false;
}

/* --- the rectangle of a draw -------------------------------------------------------------------------------------- */

static bool find_corner(const struct decode *decode, const char *name, uint64_t *x, uint64_t *y)
{
    struct gpucode_field_value fields[2];
    bool found = decode_field_named(decode, name, "X", &fields[0]) && decode_field_named(decode, name, "Y", &fields[1]);
    if (found) {
        *x = fields[0].value;
        *y = fields[1].value;
    }
    return found;
}

static struct query_area find_area(const struct decode *decode)
{
    struct query_area area = decode->query->bin;
    uint64_t *sides = area.sides;
    const char *first = decode->family == 2 ? "PA_SC_WINDOW_SCISSOR_TL" : "GRAS_SC_WINDOW_SCISSOR_TL",
               *last = decode->family == 2 ? "PA_SC_WINDOW_SCISSOR_BR" : "GRAS_SC_WINDOW_SCISSOR_BR";
    if (!area.known)
        area.known =
            find_corner(decode, first, &sides[0], &sides[1]) && find_corner(decode, last, &sides[2], &sides[3]);
    return area;
}

/* Before a5xx a packet tells the bin: two corners, each of two halves of a word. */
static void take_bin(struct query *query, const struct gpucode_packet_event *event)
{
    for (unsigned i = 0; i < 4; i++)
        query->bin.sides[i] = event->words[1 + i / 2] >> (i % 2 * 16) & 0xffff;
    query->bin.known = true;
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

/* Puts it, where a question is about it. */
static void answer(struct decode *decode, const struct query_answer *what)
{
    const struct query *query = decode->query;
    uint64_t *answered = decode->options->answered;
    bool any = false;
    for (size_t i = 0; i < query->count; i++) {
        const struct question *question = &query->questions[i];
        uint32_t number;
        bool same = is_named(question->name, what) || (is_number(question->name, &number) && number == what->number);
        if (!same || (question->value && !has_value(question->value, what->text, what->value)))
            continue;
        any = true;
        if (answered)
            answered[i]++;
    }
    if (!any)
        return;
    if (query->draw && decode->passes) {
        passes_take(decode, what);
        return;
    }
    const struct gpucode_answer_field *fields = decode_fields;
    const struct gpucode_packet_event *draw = query->draw;
    const char *mode = draw ? decode_mode(draw->mode) : NULL, *primitive = draw ? draw->text : NULL;
    struct gpucode_answer *answer = decode->answer;
    char address[24], head[QUERY_HEAD_MAX], marks[] = {what->changed ? '!' : ' ', ' ', what->rewritten ? '+' : ' ', 0};
    gpucode_answer_begin(answer, &fields[ANSWER]);
    gpucode_answer_number(answer, &fields[ANSWER_SUBMIT], decode->submit);
    gpucode_answer_number(answer, &fields[ANSWER_STREAM], decode->command);
    gpucode_answer_number(answer, &fields[ANSWER_DRAW], decode->state.draws);
    gpucode_answer_text(answer, &fields[ANSWER_PRIMITIVE], primitive);
    if (draw)
        gpucode_answer_number(answer, &fields[ANSWER_COUNT], draw->count);
    gpucode_answer_text(answer, &fields[ANSWER_MODE], mode);
    if (draw) {
        query_put_area(decode, ANSWER_AREA, &query->area);
        query_head(primitive, draw->count, &query->area, head, sizeof head);
        gpucode_answer_format(answer, &fields[ANSWER_HEAD], "%s:%s: %s", head, mode ? mode : "", marks);
    } else
        gpucode_answer_text(answer, &fields[ANSWER_HEAD], marks);
    gpucode_answer_text(answer, &fields[ANSWER_NAME], what->name);
    gpucode_answer_number(answer, &fields[ANSWER_VALUE], what->value);
    gpucode_answer_text(answer, &fields[ANSWER_TEXT], what->text);
    if (what->unknown)
        gpucode_answer_shown(answer, &fields[ANSWER_BITS], what->unknown, decode_bits(what->unknown, address));
    gpucode_answer_flag(answer, &fields[ANSWER_CHANGED], what->changed);
    gpucode_answer_flag(answer, &fields[ANSWER_REWRITTEN], what->rewritten);
    snprintf(address, sizeof address, "%012" PRIx64, what->address);
    gpucode_answer_shown(answer, &fields[ANSWER_ADDRESS], what->address, address);
    gpucode_answer_text(answer, &fields[ANSWER_BLOCK], what->block);
    gpucode_answer_end(answer);
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* The bits of its register that a field has. */
static uint64_t field_bits(const struct gpucode_field_value *field)
{
    return (UINT64_MAX >> (63 - (field->high - field->low))) << field->low;
}

static void answer_entry(struct decode *decode, const struct state_entry *entry)
{
    char name[2 * GPUCODE_NAME_MAX], text[DECODE_TEXT_MAX];
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    const struct query *query = decode->query;
    if (!~(uint32_t)entry->unknown || !query->asked[entry->number])
        return;
    struct query_answer what = {.name = name,
                                .text = text,
                                .value = entry->value,
                                .unknown = entry->unknown,
                                .address = entry->address,
                                .number = entry->number,
                                .changed = entry->changed,
                                .rewritten = entry->rewritten};
    decode_register(decode->options, decode->family, entry->number, name);
    decode_value(decode, entry->number, entry->value, text);
    answer(decode, &what);
    if (!(query->asked[entry->number] & ASKS_FIELDS))
        return;
    size_t length = strlen(name),
           count = gpucode_meanings_fields(decode->options->meanings, decode->family, entry->number, entry->value,
                                           fields, GPUCODE_FIELD_VALUES_MAX);
    what.number = STATE_REGISTERS; /* a field's question names the field */
    what.unknown = 0;
    for (size_t i = 0; i < count; i++) {
        if (entry->unknown & field_bits(&fields[i]) || strcmp(fields[i].name, "-") == 0)
            continue; /* what no field has is in the register's own value */
        snprintf(name + length, sizeof name - length, ".%s", fields[i].name);
        what.text = fields[i].text;
        what.value = fields[i].value;
        answer(decode, &what);
    }
}

static void take_write(struct decode *decode, const struct decode_write *write)
{
    if (decode->options->when != GPUCODE_DECODE_AT_WRITES || write->event.condition == GPUCODE_PACKET_SKIPPED ||
        !decode_shows(decode))
        return;
    decode->query->draw = NULL;
    answer_entry(decode, &(struct state_entry){.number = write->event.number,
                                               .words = write->words,
                                               .value = write->value,
                                               .known = write->event.known,
                                               .unknown = write->event.unknown,
                                               .rewritten = true,
                                               .address = write->event.address});
}

/* At a draw: is it shown, or a binning pass that a draw pass may stand beside? */
static bool asks_here(const struct decode *decode)
{
    return decode_shows(decode) || (decode->passes && !decode->hidden && decode->query->draw->mode == 1);
}

static void take_entry(void *user, const struct state_entry *entry)
{
    struct decode *decode = user;
    enum gpucode_stream_decode_when when = decode->options->when;
    if (when == GPUCODE_DECODE_AT_DRAWS || (when == GPUCODE_DECODE_AT_CHANGES && entry->changed))
        if (asks_here(decode))
            answer_entry(decode, entry);
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

static void answer_unit(struct decode *decode, const struct loaded_unit *unit)
{
    struct loaded_field fields[GPUCODE_FIELD_VALUES_MAX];
    char name[2 * GPUCODE_NAME_MAX], block[2 * GPUCODE_NAME_MAX], kind[2 * GPUCODE_NAME_MAX];
    struct query_answer what = {.name = name,
                                .aliases = {block, kind},
                                .block = unit->block,
                                .address = unit->address,
                                .number = UINT32_MAX,
                                .changed = !unit->seen || memcmp(unit->words, unit->last, 4 * (size_t)unit->count) != 0,
                                .rewritten = unit->rewritten};
    if (decode->options->when == GPUCODE_DECODE_AT_CHANGES && !what.changed)
        return;
    loaded_name(unit, name);
    size_t length = strlen(name), count = loaded_fields(decode->family, unit, fields);
    for (size_t i = 0; i < count; i++) {
        snprintf(name + length, sizeof name - length, ".%.47s", fields[i].name);
        snprintf(block, sizeof block, "%s%s", unit->block, strchr(name, '['));
        snprintf(kind, sizeof kind, "%s%s", unit->kind, strchr(name, '['));
        what.text = fields[i].text;
        what.value = fields[i].value;
        answer(decode, &what);
    }
}

static void take_contents(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    if (!loaded_is_unit(event))
        return;
    if (!loaded_take(&decode->loaded, event, words))
        decode->status = GPUCODE_ERROR_MEMORY;
    if (decode->options->when != GPUCODE_DECODE_AT_WRITES || !decode_shows(decode))
        return;
    decode->query->draw = NULL;
    for (size_t i = 0; i < decode->loaded.count; i++) {
        struct loaded_unit *unit = &decode->loaded.units[i];
        if (unit->rewritten)
            answer_unit(decode, unit);
        unit->rewritten = false;
        unit->seen = true;
        memcpy(unit->last, unit->words, sizeof unit->last);
    }
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    decode->query->draw = event;
    if (asks_here(decode)) {
        decode->query->area = find_area(decode);
        if (decode->passes)
            passes_draw(decode, event, &decode->query->area);
    }
    for (size_t i = 0; i < decode->loaded.count; i++) {
        struct loaded_unit *unit = &decode->loaded.units[i];
        if (unit->gone || decode->options->when == GPUCODE_DECODE_AT_WRITES)
            continue;
        if (asks_here(decode))
            answer_unit(decode, unit);
        unit->rewritten = false;
        unit->seen = true;
        memcpy(unit->last, unit->words, sizeof unit->last);
    }
    state_visit(&decode->state, decode->options->when == GPUCODE_DECODE_AT_DRAWS, take_entry, decode);
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

/* Keeps the value; is it another one than the packet's field had last? */
static bool note_field(struct decode *decode, const char *name, uint64_t value)
{
    struct query *query = decode->query;
    for (size_t i = 0; i < query->field_count; i++)
        if (strcmp(query->fields[i].name, name) == 0) {
            bool changed = query->fields[i].value != value;
            query->fields[i].value = value;
            return changed;
        }
    if (query->field_count == query->field_room) {
        size_t room = query->field_room ? 2 * query->field_room : 64;
        struct packet_field *fields = realloc(query->fields, room * sizeof *fields);
        if (!fields) {
            decode->status = GPUCODE_ERROR_MEMORY;
            return true;
        }
        query->fields = fields;
        query->field_room = room;
    }
    struct packet_field *field = &query->fields[query->field_count++];
    snprintf(field->name, sizeof field->name, "%s", name);
    field->value = value;
    return true;
}

static void take_event(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct query *query = decode->query;
    char name[2 * GPUCODE_NAME_MAX];
    if (event->kind == GPUCODE_PACKET_BEGIN) {
        snprintf(query->packet, sizeof query->packet, "%s", event->name);
        if (event->type == 3 && event->opcode == OPCODE_SET_BIN && event->count >= 3 &&
            event->condition != GPUCODE_PACKET_SKIPPED)
            take_bin(query, event);
    }
    if (event->kind != GPUCODE_PACKET_FIELD || event->condition == GPUCODE_PACKET_SKIPPED || !decode_shows(decode))
        return;
    snprintf(name, sizeof name, "%s.%s", query->packet, event->name);
    struct query_answer what = {.name = name,
                                .text = event->text,
                                .value = event->value,
                                .address = event->address,
                                .number = UINT32_MAX,
                                .rewritten = true};
    bool asked = false;
    for (size_t i = 0; i < query->count && !asked; i++)
        asked = is_named(query->questions[i].name, &what);
    if (!asked)
        return;
    what.changed = note_field(decode, name, event->value);
    query->draw = NULL;
    if (decode->options->when != GPUCODE_DECODE_AT_CHANGES || what.changed)
        answer(decode, &what);
}

enum gpucode_status query_create(struct decode *decode)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    bool packets = false;
    if (!options->query_count)
        return GPUCODE_OK;
    struct query *query = decode->query = calloc(1, sizeof *query);
    if (query) {
        query->questions = calloc(options->query_count, sizeof *query->questions);
        query->asked = calloc(STATE_REGISTERS, 1);
    }
    if (!query || !query->questions || !query->asked)
        return GPUCODE_ERROR_MEMORY;
    for (; query->count < options->query_count; query->count++) {
        struct question *question = &query->questions[query->count];
        if (!read_question(options->queries[query->count], question))
            return GPUCODE_ERROR_ARGUMENT;
        query->units |= ask_units(question->name);
        packets |= ask_packets(decode->family, question->name);
        if (options->answered)
            options->answered[query->count] = 0;
    }
    ask(query, options, decode->family);
    decode->take_draw = take_draw;
    decode->take_write = take_write;
    decode->take_contents = query->units ? take_contents : NULL;
    decode->take_event = packets || decode->family < 5 ? take_event : NULL;
    if ((decode->shown & GPUCODE_DECODE_PASSES) && !(decode->passes = calloc(1, sizeof *decode->passes)))
        return GPUCODE_ERROR_MEMORY;
    return GPUCODE_OK;
}
