/* SPDX-License-Identifier: MIT */
/* What all parts of an expression read by. */
#include "debug/evaluation.h"

void evaluation_skip_space(struct evaluation *e)
{
    while (e->at < e->end && isspace((unsigned char)*e->at))
        e->at++;
}

bool evaluation_fail(struct evaluation *e, const char *at, size_t span, message_id message, const char *argument)
{
    e->place.at = at;
    e->place.span = span;
    report(&e->on_diagnostic, &e->place, message, NULL, argument);
    return false;
}

bool evaluation_fail_value(struct evaluation *e, const char *at, message_id message, const char *argument,
                           struct gpucode_value *value)
{
    *value = (struct gpucode_value){0};
    return e->skip || evaluation_fail(e, at, (size_t)(e->at - at), message, argument);
}

bool evaluation_take(struct evaluation *e, char c)
{
    evaluation_skip_space(e);
    if (e->at >= e->end || *e->at != c)
        return false;
    e->at++;
    return true;
}

bool evaluation_expect(struct evaluation *e, char c, const char *what)
{
    return evaluation_take(e, c) || evaluation_fail(e, e->at, 1, MSG_EXPR_EXPECTED, what);
}
