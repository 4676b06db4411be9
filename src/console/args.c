/* SPDX-License-Identifier: MIT */
/* What arguments are made of: expressions, counts, numbers, conditions. */
#include "console/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static void tell_diagnostic(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct console *console = user;
    if (diagnostic->line > 1 || !diagnostic->column)
        console_complain(console, "%s:%u: %s", diagnostic->file, diagnostic->line, diagnostic->message);
    else if (diagnostic->source_length && diagnostic->column > diagnostic->source_length)
        console_complain(console, "%s, at the end", diagnostic->message);
    else if (diagnostic->source_length)
        console_complain(console, "%s, at '%.*s'", diagnostic->message,
                         (int)(diagnostic->source_length - (diagnostic->column - 1)),
                         diagnostic->source + diagnostic->column - 1);
    else
        console_complain(console, "%s", diagnostic->message);
}

struct gpucode_diagnostic_handler console_diagnostic_handler(struct console *console)
{
    return (struct gpucode_diagnostic_handler){tell_diagnostic, console};
}

bool console_evaluate(struct console *console, const char *text, size_t length, struct gpucode_value *value)
{
    enum gpucode_status status =
        gpucode_debug_evaluate(console->debug, text, length, true, console_diagnostic_handler(console), value);
    return status == GPUCODE_ERROR_MEMORY ? console_no_memory(console) : status == GPUCODE_OK;
}

bool console_evaluate_all(struct console *console, const char *text, struct gpucode_value *value)
{
    return console_evaluate(console, text, strlen(text), value);
}

bool console_take_count(struct console *console, const char *text, uint64_t *count)
{
    struct gpucode_value value;
    *count = 1;
    if (!console_evaluate_all(console, text, &value))
        return false;
    if (value.number < 1)
        return console_complain(console, "a count is at least 1");
    *count = (uint64_t)value.number;
    return true;
}

const char *find_comma(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        if (strchr("([{", *text))
            depth++;
        else if (strchr(")]}", *text))
            depth--;
        else if (*text == ',' && depth <= 0)
            break;
    }
    return text;
}

bool next_range(const char **text, uint64_t *first, uint64_t *last)
{
    char *end;
    const char *at = *text;
    *first = *last = strtoull(at, &end, 10);
    bool good = isdigit((unsigned char)*at) && *first;
    if (good && *end == '-') {
        at = end + 1;
        *last = strtoull(at, &end, 10);
        good = isdigit((unsigned char)*at) && *last >= *first;
    }
    if (!good || (*end && !isspace((unsigned char)*end)))
        return false;
    *text = skip_blanks(end);
    return true;
}

/* The `if` that a condition follows; null: there is none. */
static const char *find_if(const char *arguments)
{
    const char *at = strncmp(arguments, "if", 2) == 0 ? arguments : strstr(arguments, " if");
    while (at && at[2 + (*at == ' ')] && at[2 + (*at == ' ')] != ' ')
        at = strstr(at + 1, " if");
    return at;
}

bool split_condition(struct console *console, const char *arguments, char *what, size_t size, const char **condition)
{
    const char *at = find_if(arguments);
    size_t length = at ? (size_t)(at - arguments) : strlen(arguments);
    if (length >= size)
        return console_complain(console, "the arguments are too long");
    memcpy(what, arguments, length);
    what[length] = 0;
    *condition = at ? skip_blanks(at + (*at == ' ') + 2) : NULL;
    if (*condition && !**condition)
        return console_complain(console, "a condition is missing");
    return true;
}

bool check_condition(struct console *console, const char *condition)
{
    struct gpucode_value value;
    return !condition || gpucode_debug_evaluate(console->debug, condition, strlen(condition), false,
                                                console_diagnostic_handler(console), &value) == GPUCODE_OK;
}
