/* SPDX-License-Identifier: MIT */
/*
 * Answers at the binning pass and at the draw pass of a draw, side by side. Both run the same packet, so that its
 * address tells which belong together in a submit. Of draw passes the first counts, as ONCE leaves out the others.
 */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

#define MODE_BINNING 1u

struct pass_answer {
    const char *name, *text;
    uint64_t value, address;
    bool paired;
};

/* --- what a line begins with -------------------------------------------------------------------------------------- */

void query_head(const char *primitive, uint32_t count, const struct query_area *area, char *text, size_t size)
{
    const uint64_t *sides = area->sides;
    size_t length = (size_t)snprintf(text, size, "%s", primitive ? primitive : "");
    if (area->known && length < size)
        length += (size_t)snprintf(text + length, size - length, "(%" PRIu64 ",%" PRIu64 "-%" PRIu64 ",%" PRIu64 ")",
                                   sides[0], sides[1], sides[2], sides[3]);
    if (length < size)
        snprintf(text + length, size - length, ":%" PRIu32, count);
}

void query_put_area(struct decode *decode, unsigned field, const struct query_area *area)
{
    if (!area->known)
        return;
    gpucode_answer_begin(decode->answer, &decode_fields[field]);
    gpucode_answer_numbers(decode->answer, &decode_fields[field + 1], area->sides, 4);
    gpucode_answer_end(decode->answer);
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

static struct pass_draw *find_binning(struct passes *passes, uint64_t address)
{
    struct pass_draw *draws = passes->draws.items;
    for (size_t i = 0; i < passes->draws.count; i++) { /* as a rule they come in the same order */
        size_t at = (passes->next + i) % passes->draws.count;
        if (draws[at].address == address && !draws[at].paired) {
            passes->next = at + 1;
            return &draws[at];
        }
    }
    return NULL;
}

/* What both or one of them have; null: it has none. */
static void put_pair(struct decode *decode, const struct pass_draw *binning, const struct pass_draw *draw,
                     const struct pass_answer *first, const struct pass_answer *second)
{
    const struct gpucode_answer_field *fields = decode_fields;
    const struct pass_draw *one = draw ? draw : binning;
    struct gpucode_answer *answer = decode->answer;
    bool differs = first && second && (first->value != second->value || strcmp(first->text, second->text) != 0);
    char head[QUERY_HEAD_MAX];
    query_head(one->primitive, one->count, &one->area, head, sizeof head);
    gpucode_answer_begin(answer, &fields[PASS]);
    gpucode_answer_number(answer, &fields[PASS_SUBMIT], decode->submit);
    if (binning)
        gpucode_answer_number(answer, &fields[PASS_BINNING], binning->number);
    if (draw)
        gpucode_answer_number(answer, &fields[PASS_DRAW], draw->number);
    gpucode_answer_text(answer, &fields[PASS_PRIMITIVE], one->primitive);
    gpucode_answer_number(answer, &fields[PASS_COUNT], one->count);
    if (draw)
        gpucode_answer_text(answer, &fields[PASS_MODE], decode_mode(draw->mode));
    query_put_area(decode, PASS_AREA, &one->area);
    gpucode_answer_format(answer, &fields[PASS_HEAD], "%" PRIu64 ": %s: %c", one->number, head, differs ? '!' : ' ');
    gpucode_answer_text(answer, &fields[PASS_NAME], first ? first->name : second->name);
    gpucode_answer_flag(answer, &fields[PASS_DIFFERS], differs);
    if (first) {
        gpucode_answer_number(answer, &fields[PASS_BINNING_VALUE], first->value);
        gpucode_answer_text(answer, &fields[PASS_BINNING_TEXT], first->text);
        gpucode_answer_number(answer, &fields[PASS_BINNING_ADDRESS], first->address);
    }
    if (second) {
        gpucode_answer_number(answer, &fields[PASS_VALUE], second->value);
        gpucode_answer_text(answer, &fields[PASS_SIDE], decode_mode(draw->mode));
        gpucode_answer_text(answer, &fields[PASS_TEXT], second->text);
        gpucode_answer_number(answer, &fields[PASS_ADDRESS], second->address);
    }
    gpucode_answer_end(answer);
}

/* What was asked at the binning pass alone. */
static void put_rest(struct decode *decode, const struct pass_draw *binning, const struct pass_draw *draw)
{
    const struct pass_answer *answers = decode->passes->answers.items;
    for (size_t i = binning->first; i < binning->end; i++)
        if (!answers[i].paired)
            put_pair(decode, binning, draw, &answers[i], NULL);
}

static void end_draw(struct decode *decode)
{
    struct passes *passes = decode->passes;
    if (passes->other)
        put_rest(decode, passes->other, &passes->here);
    passes->other = NULL;
}

void passes_draw(struct decode *decode, const struct gpucode_packet_event *draw, const struct query_area *area)
{
    struct passes *passes = decode->passes;
    size_t first = passes->answers.count;
    const char *text = draw->text ? arena_copy(&passes->arena, draw->text, strlen(draw->text)) : NULL;
    end_draw(decode);
    passes->here = (struct pass_draw){.address = draw->address,
                                      .number = decode->state.draws,
                                      .primitive = text,
                                      .count = draw->count,
                                      .mode = draw->mode,
                                      .shown = decode_shows(decode),
                                      .area = *area,
                                      .first = first,
                                      .end = first};
    if (draw->mode == MODE_BINNING) {
        struct pass_draw *kept = list_add(&passes->draws, sizeof *kept);
        if (kept)
            *kept = passes->here;
        else
            decode->status = GPUCODE_ERROR_MEMORY;
    } else if ((passes->other = find_binning(passes, draw->address))) {
        passes->other->paired = true;
    }
    if (draw->text && !text)
        decode->status = GPUCODE_ERROR_MEMORY;
}

/* An answer at a binning pass is kept. */
static void keep(struct decode *decode, const struct query_answer *what)
{
    struct passes *passes = decode->passes;
    struct pass_draw *draw = (struct pass_draw *)passes->draws.items + (passes->draws.count - 1);
    struct pass_answer *kept = passes->draws.count ? list_add(&passes->answers, sizeof *kept) : NULL;
    if (kept) {
        kept->name = arena_copy(&passes->arena, what->name, strlen(what->name));
        kept->text = arena_copy(&passes->arena, what->text, strlen(what->text));
        kept->value = what->value;
        kept->address = what->address;
        draw->end = passes->answers.count;
    }
    if (!kept || !kept->name || !kept->text)
        decode->status = GPUCODE_ERROR_MEMORY;
}

void passes_take(struct decode *decode, const struct query_answer *what)
{
    struct passes *passes = decode->passes;
    const struct pass_draw *binning = passes->other;
    struct pass_answer *first = NULL, *answers = passes->answers.items,
                       second = {
                           .name = what->name, .text = what->text, .value = what->value, .address = what->address};
    if (decode->status != GPUCODE_OK)
        return;
    if (passes->here.mode == MODE_BINNING) {
        keep(decode, what);
        return;
    }
    for (size_t i = binning ? binning->first : 0; binning && i < binning->end && !first; i++)
        if (!answers[i].paired && strcmp(answers[i].name, what->name) == 0)
            first = &answers[i];
    if (first)
        first->paired = true;
    put_pair(decode, binning, &passes->here, first, &second);
}

void passes_end(struct decode *decode)
{
    struct passes *passes = decode->passes;
    if (!passes)
        return;
    end_draw(decode);
    const struct pass_draw *draws = passes->draws.items;
    for (size_t i = 0; i < passes->draws.count && decode->status == GPUCODE_OK; i++)
        if (!draws[i].paired && draws[i].shown)
            put_rest(decode, &draws[i], NULL);
    passes_free(passes);
    *passes = (struct passes){0};
}

void passes_free(struct passes *passes)
{
    if (!passes)
        return;
    arena_free(&passes->arena);
    free(passes->draws.items);
    free(passes->answers.items);
}
