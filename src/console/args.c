/* SPDX-License-Identifier: MIT */
/* Taking a command's arguments apart. */
#include "console/internal.h"

#include <ctype.h>
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
    if (!*text)
        return true;
    if (!console_evaluate_all(console, text, &value))
        return false;
    if (value.number < 1)
        return console_complain(console, "a count is at least 1");
    *count = (uint64_t)value.number;
    return true;
}

bool take_format(struct console *console, const char **text, struct format *format)
{
    const char *at = *text;
    if (*at != '/')
        return true;
    unsigned count = 0;
    bool counted = false;
    for (at++; isdigit((unsigned char)*at); at++, counted = true)
        count = count < 100000 ? count * 10 + (unsigned)(*at - '0') : count;
    if (counted)
        format->count = count;
    for (; isalpha((unsigned char)*at); at++) {
        if (strchr("bhwg", *at))
            format->size = *at;
        else if (strchr("xduotcaif", *at))
            format->letter = *at;
        else
            return console_complain(console, "'%c' is no format: x d u o t c a i f, sizes b h w g", *at);
    }
    if (*at && !isspace((unsigned char)*at))
        return console_complain(console, "a format ends in a space");
    *text = skip_blanks(at);
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
