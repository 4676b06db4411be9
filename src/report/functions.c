/* SPDX-License-Identifier: MIT */
/*
 * The functions of each section: how deep the hardware's stack gets in them, by which calls, and from which packets
 * control comes there.
 */
#include "report/subject.h"

#include <stdio.h>
#include <stdlib.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_FUNCTIONS
#include <gpucode/answer_rows.h>

#define PACKETS_SHOWN 3 /* in a line of text */
#define STEPS_MAX 9     /* of a way to the bottom of the stack */

static const struct gpucode_answer_table calls_table = {
    "info-calls", "Functions and the depth of their calls: `info --calls`, one object a line.", fields,
    sizeof fields / sizeof *fields};

const struct gpucode_answer_table *gpucode_report_calls_table(void)
{
    return &calls_table;
}

struct calls {
    const struct gpucode_subject *subject;
    struct gpucode_answer *answer;
    unsigned section;
    uint32_t *called; /* of each function of the section: how many calls lead to it */
};

static const struct gpucode_function *function_of(const struct calls *calls, uint32_t index)
{
    return gpucode_analysis_function(calls->subject->analysis, calls->section, index);
}

/* The call or tail that makes a function as deep as it is; GPUCODE_NONE: it calls nothing. */
static uint32_t deepest(const struct calls *calls, const struct gpucode_function *function)
{
    for (uint32_t i = 0; i < function->call_count + function->tail_count; i++) {
        bool call = i < function->call_count;
        uint32_t to = call ? function->calls[i].function : function->tails[i - function->call_count].function;
        const struct gpucode_function *other = function_of(calls, to);
        int more = call && !function->calls[i].linked;
        if (other &&
            (function->depth < 0 ? other->depth < 0 : other->depth >= 0 && other->depth + more == function->depth) &&
            (function->depth || call))
            return to;
    }
    return GPUCODE_NONE;
}

/* The way to the bottom of the stack. Where calls recur it ends where it comes back. Returns its steps. */
static unsigned find_way(const struct calls *calls, uint32_t index, uint32_t way[STEPS_MAX])
{
    unsigned steps = 0;
    const struct gpucode_function *function = function_of(calls, index);
    while (function->depth && steps < STEPS_MAX) {
        uint32_t next = deepest(calls, function);
        if (next == GPUCODE_NONE)
            break;
        way[steps++] = next;
        function = function_of(calls, next);
        if (next == index)
            break;
    }
    return steps;
}

static void put_depth(const struct calls *calls, const struct gpucode_function *function)
{
    if (function->depth >= 0) {
        gpucode_answer_number(calls->answer, &fields[FUNCTION_DEPTH], (uint64_t)function->depth);
        return;
    }
    gpucode_answer_nothing(calls->answer, &fields[FUNCTION_DEPTH]);
    gpucode_answer_text(calls->answer, &fields[FUNCTION_RECURS], "recurs");
}

/* A list of names, those of the analysis or those of listings; its item is the next field. */
static void put_way(const struct calls *calls, unsigned list, bool listed, const uint32_t *way, unsigned steps)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_begin(calls->answer, &fields[list]);
    for (unsigned i = 0; i < steps; i++) {
        (listed ? gpucode_subject_name : subject_plain_name)(calls->subject, calls->section, way[i], name);
        gpucode_answer_text(calls->answer, &fields[list + 1], name);
    }
    gpucode_answer_end(calls->answer);
}

static void put_function(const struct calls *calls, uint32_t index)
{
    const struct gpucode_subject *subject = calls->subject;
    struct gpucode_answer *answer = calls->answer;
    const struct gpucode_function *function = function_of(calls, index);
    char name[GPUCODE_NAME_MAX], packets[GPUCODE_NOTE_MAX];
    uint32_t way[STEPS_MAX];
    unsigned steps = find_way(calls, index, way);
    gpucode_answer_begin(answer, &fields[FUNCTION]);
    gpucode_answer_text(answer, &fields[FUNCTION_SECTION], subject_section(subject, calls->section));
    subject_plain_name(subject, calls->section, index, name);
    gpucode_answer_text(answer, &fields[FUNCTION_NAME], name);
    gpucode_answer_number(answer, &fields[FUNCTION_START], function->start);
    gpucode_subject_name(subject, calls->section, index, name);
    gpucode_answer_text(answer, &fields[FUNCTION_LISTED], name);
    gpucode_answer_text(answer, &fields[FUNCTION_KIND], gpucode_function_kind_name(function->kind));
    put_depth(calls, function);
    gpucode_answer_number(answer, &fields[FUNCTION_CALLS], function->call_count);
    gpucode_answer_number(answer, &fields[FUNCTION_CALLED], calls->called[index]);
    subject_put_packets(subject, answer, function->reached_by, &fields[FUNCTION_PACKETS], &fields[FUNCTION_PACKET]);
    put_way(calls, FUNCTION_WAY, false, way, steps);
    if (function->kind == GPUCODE_FUNCTION_ROUTINE &&
        gpucode_analysis_packets(subject->analysis, function->reached_by, PACKETS_SHOWN, packets, sizeof packets))
        gpucode_answer_text(answer, &fields[FUNCTION_FROM], packets);
    put_way(calls, FUNCTION_BY, true, way, steps);
    subject_put_line(subject, answer, calls->section, function->start, &fields[FUNCTION_FILE], &fields[FUNCTION_LINE]);
    gpucode_answer_end(answer);
}

/* How deep the stack gets in a section, and in what. */
static void put_deepest(const struct calls *calls)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_function *function;
    uint32_t best = GPUCODE_NONE;
    int depth = 0;
    for (uint32_t i = 0; (function = function_of(calls, i)); i++) {
        if (function->kind == GPUCODE_FUNCTION_ROUTINE || (function->depth >= 0 && function->depth <= depth))
            continue;
        best = i;
        depth = function->depth;
        if (depth < 0)
            break;
    }
    if (best == GPUCODE_NONE)
        return;
    gpucode_subject_name(calls->subject, calls->section, best, name);
    if (depth < 0)
        gpucode_answer_format(calls->answer, &fields[CALLS_DEEPEST], "%s recurs: nothing bounds its depth", name);
    else
        gpucode_answer_format(calls->answer, &fields[CALLS_DEEPEST], "deepest: %s, %d return address%s on the stack",
                              name, depth, depth == 1 ? "" : "es");
}

static bool put_section(struct calls *calls)
{
    const struct gpucode_function *function;
    uint32_t count = 0;
    while (function_of(calls, count))
        count++;
    if (!(calls->called = calloc((size_t)count + 1, sizeof *calls->called)))
        return false;
    for (uint32_t i = 0; (function = function_of(calls, i)); i++)
        for (uint32_t k = 0; k < function->call_count; k++)
            if (function->calls[k].function != GPUCODE_NONE)
                calls->called[function->calls[k].function]++;
    gpucode_answer_begin(calls->answer, &fields[CALLS_SECTION]);
    gpucode_answer_text(calls->answer, &fields[CALLS_NAME], subject_section(calls->subject, calls->section));
    gpucode_answer_format(calls->answer, &fields[CALLS_COLUMNS], "  %6s  %-26s %-8s %6s %6s %7s", "word", "function",
                          "kind", "depth", "calls", "called");
    gpucode_answer_begin(calls->answer, &fields[CALLS_TABLE]);
    for (uint32_t i = 0; i < count; i++)
        put_function(calls, i);
    gpucode_answer_end(calls->answer);
    put_deepest(calls);
    gpucode_answer_end(calls->answer);
    free(calls->called);
    return true;
}

enum gpucode_status gpucode_report_calls(const struct gpucode_subject *subject, struct gpucode_answer *answer)
{
    if (!subject || !subject->image || !subject->analysis)
        return GPUCODE_ERROR_ARGUMENT;
    struct calls calls = {.subject = subject, .answer = answer};
    gpucode_answer_begin(answer, &fields[CALLS]);
    for (; calls.section < gpucode_image_info(subject->image)->section_count; calls.section++)
        if (!put_section(&calls))
            return GPUCODE_ERROR_MEMORY;
    gpucode_answer_end(answer);
    return gpucode_answer_status(answer);
}
