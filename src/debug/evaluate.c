/* SPDX-License-Identifier: MIT */
/* Whole expressions: conditionals and assignments. */
#include "debug/evaluation.h"

#include <stdio.h>
#include <string.h>

static bool evaluate_conditional(struct evaluation *e, struct gpucode_value *value)
{
    if (!evaluate_binary(e, 0, value))
        return false;
    if (!evaluation_take(e, '?'))
        return true;
    bool yes = value->number != 0;
    struct gpucode_value first, second;
    e->skip += !yes;
    bool good = evaluate_expression(e, &first);
    e->skip -= !yes;
    if (!good || !evaluation_expect(e, ':', "':'"))
        return false;
    e->skip += yes;
    good = evaluate_expression(e, &second);
    e->skip -= yes;
    *value = yes ? first : second;
    return good;
}

/* The operator in front of '=' in an assignment; "=" itself for a plain one; null for none. */
static const char *take_assignment(struct evaluation *e)
{
    static const char *const all[] = {"<<", ">>", "|", "^", "&", "+", "-", "*", "/", "%"};
    evaluation_skip_space(e);
    if (evaluation_peek(e, 0) == '=' && evaluation_peek(e, 1) != '=') {
        e->at++;
        return "=";
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t length = strlen(all[i]);
        if ((size_t)(e->end - e->at) > length && memcmp(e->at, all[i], length) == 0 && e->at[length] == '=') {
            e->at += length + 1;
            return all[i];
        }
    }
    return NULL;
}

bool evaluate_expression(struct evaluation *e, struct gpucode_value *value)
{
    evaluation_skip_space(e);
    const char *start = e->at;
    if (e->depth >= EVALUATION_DEPTH_MAX)
        return evaluation_fail(e, start, 1, MSG_EXPR_DEEP, NULL);
    e->depth++;
    bool good = evaluate_conditional(e, value);
    const char *stop = e->at, *text = good ? take_assignment(e) : NULL;
    if (text) {
        struct gpucode_value right, place = *value;
        size_t span = (size_t)(stop - start);
        if (!e->assign)
            good = evaluation_fail(e, stop, (size_t)(e->at - stop), MSG_EXPR_NO_ASSIGN, NULL);
        else if (value->place == GPUCODE_VALUE_PLAIN && !e->skip)
            good = evaluation_fail(e, start, span, MSG_EXPR_NO_PLACE, NULL);
        else
            good = evaluate_expression(e, &right) &&
                   (*text == '=' ? (*value = right, true) : compute_binary(e, stop, text, value, &right));
        if (good && !e->skip) {
            enum gpucode_status status = gpucode_debug_assign(e->debug, &place, value->number);
            e->no_memory |= status == GPUCODE_ERROR_MEMORY;
            good = status == GPUCODE_OK || (!e->no_memory && evaluation_fail(e, start, span, MSG_EXPR_WRITE, NULL));
            *value = place;
            if (good)
                lookup_read(e->debug, value);
        }
    }
    e->depth--;
    return good;
}

enum gpucode_status gpucode_debug_evaluate(struct gpucode_debug *debug, const char *text, size_t length, bool assign,
                                           struct gpucode_diagnostic_handler on_diagnostic, struct gpucode_value *value)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    struct evaluation e = {
        .debug = debug,
        .at = text,
        .end = text + length,
        .place = {.file = "<expression>", .text = text, .length = length},
        .on_diagnostic = on_diagnostic,
        .assign = assign,
    };
    if (!evaluate_expression(&e, value))
        return e.no_memory ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_INPUT;
    evaluation_skip_space(&e);
    if (e.at < e.end && !evaluation_fail(&e, e.at, 1, MSG_EXPR_EXPECTED, "an operator"))
        return GPUCODE_ERROR_INPUT;
    return GPUCODE_OK;
}
