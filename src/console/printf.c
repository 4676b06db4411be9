/* SPDX-License-Identifier: MIT */
/* echo and printf: text that a script prints. */
#include "console/internal.h"

#include <stdio.h>
#include <string.h>

static char unescape_letter(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

/* gdb's scripts end the text in \n, others do not: there is one end of line either way. */
bool do_echo(struct console *console, const struct console_arguments *arguments)
{
    char last = 0;
    for (const char *at = arguments->text; *at; at++) {
        last = *at == '\\' && at[1] ? unescape_letter(*++at) : *at;
        console_say(console, "%c", last);
    }
    if (last != '\n')
        console_say(console, "\n");
    return true;
}

/* Prints the next argument as "%08x" and the like ask for; *at is after the '%'. */
static bool print_converted(struct console *console, const char **at, const char **arguments)
{
    char format[16] = "%";
    size_t flags = strspn(*at, "-+ #0"), length = flags + strspn(*at + flags, "0123456789");
    size_t point = (*at)[length] == '.' ? 1 + strspn(*at + length + 1, "0123456789") : 0;
    struct gpucode_value value;
    const char *end;
    if (flags > 5 || length - flags > 2 || point > 3)
        return console_complain(console, "a width has at most two digits");
    memcpy(format + 1, *at, length + point);
    *at += length + point;
    *at += strspn(*at, "lh");
    char letter = *(*at)++;
    if (letter == '%') {
        console_say(console, "%%");
        return true;
    }
    if (!letter || !strchr("diuxXcfge", letter))
        return console_complain(console, "printf knows %%d %%i %%u %%x %%X %%c %%f %%g %%e and %%%%");
    if (**arguments != ',')
        return console_complain(console, "printf has too few arguments");
    *arguments = skip_blanks(*arguments + 1);
    end = find_comma(*arguments);
    if (!console_evaluate(console, *arguments, (size_t)(end - *arguments), &value))
        return false;
    *arguments = end;
    if (letter == 'c') {
        if (value.number & 255) /* texts have no zeros */
            console_say(console, "%c", (char)value.number);
        return true;
    }
    char text[160], full[24];
    bool is_float = strchr("fge", letter);
    snprintf(full, sizeof full, is_float ? "%s%c" : "%sll%c", format, letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    bool whole = value.place == GPUCODE_VALUE_PLAIN && value.section != GPUCODE_VALUE_FLOAT;
    if (is_float)
        snprintf(text, sizeof text, full,
                 whole ? (double)value.number : float_of_bits((uint64_t)value.number, float_size(console, &value)));
    else
        snprintf(text, sizeof text, full, (long long)value.number);
#pragma GCC diagnostic pop
    console_say(console, "%s", text);
    return true;
}

bool do_printf(struct console *console, const struct console_arguments *arguments)
{
    const char *at = arguments->text + 1, *close = at;
    if (*arguments->text != '"')
        return console_complain(console, "printf \"FORMAT\", EXPRESSION, ...");
    while (*close && *close != '"')
        close += *close == '\\' && close[1] ? 2 : 1;
    if (!*close)
        return console_complain(console, "the format has no end");
    const char *rest = skip_blanks(close + 1);
    while (at < close) {
        char c = *at++;
        if (c == '%') {
            if (!print_converted(console, &at, &rest))
                return false;
        } else {
            console_say(console, "%c", c == '\\' ? unescape_letter(*at++) : c);
        }
    }
    return !*rest || console_complain(console, "printf has too many arguments");
}
