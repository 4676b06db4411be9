/* SPDX-License-Identifier: MIT */
/*
 * Registers that a draw, dispatch or blit uses and nobody wrote, and those that a group of draw state wrote for an
 * earlier draw and, having other contents by now, not for this one. Nothing is run: uses.def says what is used.
 */
#include "base/arena.h"
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

#define GROUPS 256
#define ELEMENTS_MAX 32

enum use_by { BY_NOTHING, BY_GRAPHICS, BY_PIXELS, BY_VERTICES, BY_DISPATCH, BY_BLIT, BY_RESOLVE, BY_LRZ };

static const struct use {
    unsigned first, last;
    enum use_by by;
    const char *name, *where;
} uses[] = {
#define USE(first, last, by, name, where) {first, last, BY_##by, name, where},
#define LEFT(name, why)
#include "pm4/stream/uses.def"
#undef USE
#undef LEFT
};

static const char *const left[] = {
#define USE(first, last, by, name, where)
#define LEFT(name, why) name,
#include "pm4/stream/uses.def"
#undef USE
#undef LEFT
};

struct finding {
    uint32_t number;
    bool leaks; /* else nobody wrote it */
    unsigned group;
    uint64_t count, first_draw, last_draw, address; /* address: of the first draw's packet */
    size_t submit, stream;
    char draw[GPUCODE_NAME_MAX];
};

struct lint {
    uint32_t *runs;       /* by register: how often its group had run when it wrote it */
    uint32_t ran[GROUPS]; /* by group */
    struct list findings;
    const struct gpucode_packet_event *draw;
};

static enum use_by by_of(const struct gpucode_packet_event *draw)
{
    if (strncmp(draw->name, "CP_DRAW", 7) == 0)
        return BY_GRAPHICS;
    if (strncmp(draw->name, "CP_EXEC_CS", 10) == 0 || strcmp(draw->name, "CP_RUN_OPENCL") == 0)
        return BY_DISPATCH;
    if (strcmp(draw->name, "CP_BLIT") == 0)
        return BY_BLIT;
    if (draw->text && strcmp(draw->text, "CCU_RESOLVE") == 0)
        return BY_RESOLVE;
    return draw->text && strcmp(draw->text, "LRZ_CLEAR") == 0 ? BY_LRZ : BY_NOTHING;
}

static bool may_be_left(const char *name)
{
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (query_matches(left[i], name))
            return true;
    return false;
}

static void find(struct decode *decode, uint32_t number, bool leaks, unsigned group)
{
    struct lint *lint = decode->taker;
    uint64_t draw = decode->state.draws;
    for (size_t i = 0; i < lint->findings.count; i++) {
        struct finding *finding = (struct finding *)lint->findings.items + i;
        if (finding->number != number || finding->leaks != leaks)
            continue;
        finding->count += finding->last_draw != draw;
        finding->last_draw = draw;
        return;
    }
    struct finding *finding = list_add(&lint->findings, sizeof *finding);
    if (!finding) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    *finding = (struct finding){.number = number,
                                .leaks = leaks,
                                .group = group,
                                .count = 1,
                                .first_draw = draw,
                                .last_draw = draw,
                                .address = lint->draw->address,
                                .submit = decode->submit,
                                .stream = decode->command};
    snprintf(finding->draw, sizeof finding->draw, "%s", lint->draw->name);
}

static void check(struct decode *decode, uint32_t number, const char *name)
{
    const struct lint *lint = decode->taker;
    const struct state_register *at = &decode->state.registers[number % STATE_REGISTERS];
    if (!(at->flags & STATE_WRITTEN)) {
        if (!may_be_left(name))
            find(decode, number, false, 0);
    } else if (at->group < GROUPS - 1 && lint->runs[number % STATE_REGISTERS] < lint->ran[at->group]) {
        find(decode, number, true, at->group);
    }
}

/* How many elements are used, or whether the register is. What depends on what nobody wrote is not used. */
static uint64_t count_of(const struct decode *decode, const char *where)
{
    struct gpucode_field_value field;
    char name[GPUCODE_NAME_MAX];
    bool zero = *where == '!';
    where += zero;
    const char *dot = strrchr(where, '.');
    if (!dot)
        return 1;
    snprintf(name, sizeof name, "%.*s", (int)(dot - where), where);
    uint64_t value = decode_field_named(decode, name, dot + 1, &field) ? field.value : 0;
    return zero ? !value : value;
}

static void check_use(struct decode *decode, const struct use *use)
{
    uint64_t count = count_of(decode, use->where);
    const char *element = strstr(use->name, "[#]");
    char name[GPUCODE_NAME_MAX];
    uint32_t number;
    for (unsigned i = 0; element && i < count && i < ELEMENTS_MAX; i++) {
        if (use->by == BY_VERTICES && !vertices_fetch(decode, i))
            continue;
        snprintf(name, sizeof name, "%.*s[%u]%s", (int)(element - use->name), use->name, i, element + 3);
        if (gpucode_register_find(decode->family, name, strlen(name), &number))
            check(decode, number, name);
    }
    if (element || !count)
        return;
    if (!strchr(use->name, '*')) {
        if (gpucode_register_find(decode->family, use->name, strlen(use->name), &number))
            check(decode, number, use->name);
        return;
    }
    for (number = 0; gpucode_register_next(decode->family, &number); number++)
        if (gpucode_register_name(decode->family, number, name, sizeof name) && query_matches(use->name, name))
            check(decode, number, name);
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct lint *lint = decode->taker;
    enum use_by by = by_of(event);
    lint->draw = event;
    for (size_t i = 0; i < sizeof uses / sizeof *uses && decode_shows(decode); i++) {
        const struct use *use = &uses[i];
        bool used = use->by == by ||
                    (by == BY_GRAPHICS && (use->by == BY_VERTICES || (use->by == BY_PIXELS && event->mode != 1)));
        if (used && decode->family >= use->first && decode->family <= use->last)
            check_use(decode, use);
    }
    state_visit(&decode->state, false, NULL, NULL);
}

static void take_write(struct decode *decode, const struct decode_write *write)
{
    struct lint *lint = decode->taker;
    for (unsigned i = 0; i < write->words && decode->group < GROUPS - 1; i++)
        lint->runs[(write->event.number + i) % STATE_REGISTERS] = lint->ran[decode->group];
}

/* A group begins: what it writes now is of this run. */
static void take_event(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct lint *lint = decode->taker;
    if (event->kind == GPUCODE_PACKET_ENTER && event->source == GPUCODE_PACKET_GROUP && event->number < GROUPS - 1 &&
        event->condition != GPUCODE_PACKET_SKIPPED)
        lint->ran[event->number]++;
}

static void put_finding(struct decode *decode, const struct finding *finding)
{
    const struct gpucode_answer_field *fields = decode_fields;
    struct gpucode_answer *answer = decode->answer;
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_begin(answer, &fields[FINDING]);
    gpucode_answer_text(answer, &fields[FINDING_KIND], finding->leaks ? "leaks" : "unwritten");
    gpucode_answer_text(answer, &fields[FINDING_NAME],
                        decode_register(decode->options, decode->family, finding->number, name));
    gpucode_answer_number(answer, &fields[FINDING_NUMBER], finding->number);
    gpucode_answer_text(answer, &fields[FINDING_IS],
                        finding->leaks ? "keeps what its group wrote for an earlier draw" : "was never written");
    if (finding->leaks)
        gpucode_answer_number(answer, &fields[FINDING_GROUP], finding->group);
    gpucode_answer_text(answer, &fields[FINDING_PACKET], finding->draw);
    gpucode_answer_number(answer, &fields[FINDING_FIRST], finding->first_draw);
    gpucode_answer_number(answer, &fields[FINDING_COUNT], finding->count);
    gpucode_answer_number(answer, &fields[FINDING_ADDRESS], finding->address);
    gpucode_answer_number(answer, &fields[FINDING_SUBMIT], finding->submit);
    gpucode_answer_number(answer, &fields[FINDING_STREAM], finding->stream);
    gpucode_answer_end(answer);
}

enum gpucode_status gpucode_stream_decode_lint(const struct gpucode_stream *stream,
                                               const struct gpucode_stream_decode_options *options,
                                               struct gpucode_answer *answer, struct gpucode_stream_decoded *decoded,
                                               size_t *count)
{
    if (!stream || !options || !count)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_stream_decode_options own = *options;
    struct lint lint = {.runs = calloc(STATE_REGISTERS, sizeof *lint.runs)};
    struct decode decode = {.stream = stream, .options = &own, .answer = answer, .taker = &lint};
    own.shown &= GPUCODE_DECODE_ONE_DRAW;
    own.query_count = 0;
    own.shader = NULL;
    decode.take_draw = take_draw;
    decode.take_write = take_write;
    decode.take_event = take_event;
    enum gpucode_status status = lint.runs ? decode_run(&decode) : GPUCODE_ERROR_MEMORY;
    decode_told(&decode, decoded);
    *count = lint.findings.count;
    for (size_t i = 0; status == GPUCODE_OK && i < lint.findings.count; i++)
        put_finding(&decode, (struct finding *)lint.findings.items + i);
    if (status == GPUCODE_OK)
        status = gpucode_answer_status(answer);
    decode_free(&decode);
    FREE_ALL(lint.runs, lint.findings.items);
    return status;
}
