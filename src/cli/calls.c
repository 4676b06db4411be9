/* SPDX-License-Identifier: MIT */
/*
 * gpucode info --calls: the functions of each section, how deep the hardware's stack gets in them, by which calls, and
 * from which packets one comes there.
 */
#include "cli/calls.h"

#include "front/session.h"
#include "front/understood.h"

#include <stdio.h>
#include <stdlib.h>

/* Packets that are named in a line. */
#define PACKETS_SHOWN 3

struct calls {
    const struct understood *understood;
    uint32_t *called; /* of each function of a section: how many calls lead to it */
};

static const struct gpucode_function *function_of(const struct calls *calls, unsigned section, uint32_t index)
{
    return gpucode_analysis_function(calls->understood->analysis, section, index);
}

/* The call or tail that makes a function as deep as it is; GPUCODE_NONE: it calls nothing. */
static uint32_t deepest(const struct calls *calls, unsigned section, const struct gpucode_function *function)
{
    for (uint32_t i = 0; i < function->call_count + function->tail_count; i++) {
        bool call = i < function->call_count;
        uint32_t to = call ? function->calls[i].function : function->tails[i - function->call_count].function;
        const struct gpucode_function *other = function_of(calls, section, to);
        int more = call && !function->calls[i].linked;
        if (other &&
            (function->depth < 0 ? other->depth < 0 : other->depth >= 0 && other->depth + more == function->depth) &&
            (function->depth || call))
            return to;
    }
    return GPUCODE_NONE;
}

/* "a > b > c": the way to the bottom of the stack. Where calls recur it ends where it comes back. */
static void put_way(const struct calls *calls, unsigned section, uint32_t index)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_function *function = function_of(calls, section, index);
    for (uint32_t steps = 0; function->depth && steps <= 8; steps++) {
        uint32_t next = deepest(calls, section, function);
        if (next == GPUCODE_NONE)
            return;
        understood_name(calls->understood, section, next, name);
        printf("%s%s", steps ? " > " : "  by ", name);
        function = function_of(calls, section, next);
        if (next == index)
            return;
    }
}

static void put_line(const struct calls *calls, unsigned section, uint32_t index)
{
    char name[GPUCODE_NAME_MAX], packets[GPUCODE_NOTE_MAX], depth[16] = "recurs";
    const struct gpucode_function *function = function_of(calls, section, index);
    understood_name(calls->understood, section, index, name);
    if (function->depth >= 0)
        snprintf(depth, sizeof depth, "%d", function->depth);
    printf("  %5u  %-26s %-8s %6s %6u %7u", function->start, name, gpucode_function_kind_name(function->kind), depth,
           function->call_count, calls->called[index]);
    if (function->kind == GPUCODE_FUNCTION_ROUTINE &&
        gpucode_analysis_packets(calls->understood->analysis, function->reached_by, PACKETS_SHOWN, packets,
                                 sizeof packets))
        printf("  from %s", packets);
    put_way(calls, section, index);
    putchar('\n');
}

static void put_json(const struct calls *calls, unsigned section, uint32_t index)
{
    struct json json = {.out = stdout};
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_function *function = function_of(calls, section, index);
    gpucode_analysis_name(calls->understood->analysis, section, index, name, sizeof name);
    json_object(&json, NULL);
    json_string(&json, "section", calls->understood->info->sections[section].name);
    json_string(&json, "name", name);
    json_number(&json, "start_words", function->start);
    json_string(&json, "kind", gpucode_function_kind_name(function->kind));
    if (function->depth >= 0)
        json_number(&json, "depth", (uint64_t)function->depth);
    else
        json_null(&json, "depth");
    json_number(&json, "calls", function->call_count);
    json_number(&json, "called", calls->called[index]);
    understood_put_packets(calls->understood, &json, "reached_by", function->reached_by);
    understood_put_line(calls->understood, &json, section, function->start);
    json_end(&json);
}

/* How deep the stack gets in a section, and in what. */
static void put_deepest(const struct calls *calls, unsigned section)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_function *function;
    uint32_t best = GPUCODE_NONE;
    int depth = 0;
    for (uint32_t i = 0; (function = function_of(calls, section, i)); i++) {
        if (function->kind == GPUCODE_FUNCTION_ROUTINE || (function->depth >= 0 && function->depth <= depth))
            continue;
        best = i;
        depth = function->depth;
        if (depth < 0)
            break;
    }
    if (best == GPUCODE_NONE)
        return;
    understood_name(calls->understood, section, best, name);
    if (depth < 0)
        printf("%s recurs: nothing bounds its depth\n", name);
    else
        printf("deepest: %s, %d return address%s on the stack\n", name, depth, depth == 1 ? "" : "es");
}

/* False: out of memory. */
static bool tell_section(struct calls *calls, unsigned section)
{
    const struct gpucode_function *function;
    uint32_t count = 0;
    while (function_of(calls, section, count))
        count++;
    if (!(calls->called = calloc((size_t)count + 1, sizeof *calls->called)))
        return false;
    for (uint32_t i = 0; (function = function_of(calls, section, i)); i++)
        for (uint32_t k = 0; k < function->call_count; k++)
            if (function->calls[k].function != GPUCODE_NONE)
                calls->called[function->calls[k].function]++;
    bool json = calls->understood->session->json;
    if (!json) {
        if (section)
            putchar('\n');
        printf("%s\n  %5s  %-26s %-8s %6s %6s %7s\n", calls->understood->info->sections[section].name, "word",
               "function", "kind", "depth", "calls", "called");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (json)
            put_json(calls, section, i);
        else
            put_line(calls, section, i);
    }
    if (!json)
        put_deepest(calls, section);
    free(calls->called);
    return true;
}

static int tell(struct session *session, const struct understood *understood)
{
    struct calls calls = {.understood = understood};
    for (unsigned i = 0; i < understood->info->section_count; i++)
        if (!tell_section(&calls, i))
            return out_of_memory(&session->diagnostics);
    return EXIT_DONE;
}

int calls_tell(struct session *session)
{
    return understood_first(session, tell);
}
