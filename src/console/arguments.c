/* SPDX-License-Identifier: MIT */
/*
 * Taking a command's arguments apart, as its column of the table says (words.h). What an argument may be and what is
 * wrong with it otherwise is told here, once for each kind.
 */
#include "console/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- kinds -------------------------------------------------------------------------------------------------------- */

static bool take_format(struct console *console, const char *text, struct console_argument *argument)
{
    struct console_format *format = &argument->format;
    const char *at = text + 1;
    for (; isdigit((unsigned char)*at); at++, format->counted = true)
        format->count = format->count < 100000 ? format->count * 10 + (unsigned)(*at - '0') : format->count;
    for (; isalpha((unsigned char)*at); at++) {
        if (strchr("bhwg", *at))
            format->size = *at;
        else if (strchr("xduotcaif", *at))
            format->letter = *at;
        else
            return console_complain(console, "'%c' is not a format: x d u o t c a i f, sizes b h w g", *at);
    }
    return !*at || console_complain(console, "'%s' is not a format: a count, then letters, as in /3xw", text);
}

static bool take_value(struct console *console, const char *text, struct console_argument *argument)
{
    return console_evaluate_all(console, text, &argument->value);
}

static bool take_count(struct console *console, const char *text, struct console_argument *argument)
{
    return console_take_count(console, text, &argument->number);
}

static bool take_times(struct console *console, const char *text, struct console_argument *argument)
{
    if (!take_value(console, text, argument))
        return false;
    argument->number = (uint64_t)argument->value.number;
    return argument->value.number >= 0 || console_complain(console, "a count is at least 0");
}

static bool take_level(struct console *console, const char *text, struct console_argument *argument)
{
    if (!take_value(console, text, argument))
        return false;
    argument->number = (uint64_t)argument->value.number;
    return argument->number <= INT32_MAX ||
           console_complain(console, "there is no call %" PRId64, argument->value.number);
}

static bool take_place(struct console *console, const char *text, struct console_argument *argument)
{
    return console_place(console, text, &argument->section, &argument->pc);
}

/* A label of that name goes first. */
static bool take_place_or_end(struct console *console, const char *text, struct console_argument *argument)
{
    struct gpucode_value value;
    argument->is_end = strcmp(text, "end") == 0 &&
                       gpucode_debug_evaluate(console->debug, text, strlen(text), false,
                                              (struct gpucode_diagnostic_handler){0}, &value) != GPUCODE_OK;
    return argument->is_end || take_place(console, text, argument);
}

/* gdb's START,END has the address; a number that is not after START is a count. */
static bool take_end(struct console *console, const char *text, struct console_argument *argument)
{
    bool plus = *text == '+';
    return console_take_count(console, text + plus, &argument->number) && (plus || take_value(console, text, argument));
}

static bool take_time(struct console *console, const char *text, struct console_argument *argument)
{
    uint64_t now = gpucode_debug_position(console->debug);
    bool plus = *text == '+';
    argument->number = 0;
    if (strcmp(text, "start") == 0)
        return true;
    if (strcmp(text, "end") == 0) {
        argument->number = gpucode_debug_end(console->debug);
        return true;
    }
    if (!take_value(console, text + plus, argument))
        return false;
    int64_t number = argument->value.number;
    if (!plus && number >= 0)
        now = 0;
    argument->number = number < 0 && (uint64_t)-number > now ? 0 : now + (uint64_t)number;
    return true;
}

static bool take_numbers(struct console *console, const char *text, struct console_argument *argument)
{
    uint64_t first, last;
    (void)argument;
    while (*text)
        if (!next_range(&text, &first, &last))
            return console_complain(console, "'%.*s' is not a number or a range of them", (int)strcspn(text, " "),
                                    text);
    return true;
}

static bool take_number(struct console *console, const char *text, struct console_argument *argument)
{
    const char *rest = text;
    uint64_t last;
    if (!next_range(&rest, &argument->number, &last) || *rest || last != argument->number)
        return console_complain(console, "'%s' is not the number of a point", text);
    return argument->number <= UINT32_MAX || console_complain(console, "there is no point %" PRIu64, argument->number);
}

static bool take_condition(struct console *console, const char *text, struct console_argument *argument)
{
    (void)argument;
    return check_condition(console, text);
}

/* gdb's threads have numbers from 1 on; names go first. */
static bool take_processor(struct console *console, const char *text, struct console_argument *argument)
{
    const char *name;
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; (name = gpucode_machine_processor(console->machine, i)); i++)
            if (pass ? !*end && number == i + 1 : strcmp(name, text) == 0) {
                argument->number = i;
                return true;
            }
    return console_complain(console, "there is no processor '%s'", text);
}

static bool take_snapshot(struct console *console, const char *text, struct console_argument *argument)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (console->kept[i].snapshot && ((!*end && number == i + 1) || strcmp(console->kept[i].name, text) == 0)) {
            argument->number = i;
            return true;
        }
    return console_complain(console, "there is no snapshot '%s'", text);
}

static bool take_command(struct console *console, const char *text, struct console_argument *argument)
{
    argument->command = find_command(console, text, strlen(text));
    return argument->command;
}

static bool take_assignment(struct console *console, const char *text, struct console_argument *argument)
{
    return strchr(text, '=') ? take_value(console, text, argument)
                             : console_complain(console, "set PLACE = EXPRESSION");
}

/* What a column may name beside words in small letters and one-letter switches. Without a function the text is all. */
static const struct kind {
    const char *name;
    bool (*take)(struct console *console, const char *text, struct console_argument *argument);
    bool has_names; /* symbols, packets and registers may stand there */
} kinds[] = {
    {"ADDRESS", take_value, true},
    {"CODE", NULL, false},
    {"COMMAND", take_command, false},
    {"CONDITION", take_condition, true},
    {"COUNT", take_count, true},
    {"END|+COUNT", take_end, true},
    {"EXPRESSION", take_value, true},
    {"FILE", NULL, false},
    {"LEVEL", take_level, false},
    {"NAME", NULL, true},
    {"NUMBER", take_number, false},
    {"NUMBER...", take_numbers, false},
    {"NUMBER|NAME", take_snapshot, false},
    {"PLACE", take_place, true},
    {"PLACE=EXPRESSION", take_assignment, true},
    {"PLACE|LINE|LINE,LINE|-", NULL, true},
    {"PLACE|end", take_place_or_end, true},
    {"PROCESSOR", take_processor, false},
    {"REGISTER", NULL, true},
    {"REGISTER...", NULL, true},
    {"SIZE", take_value, true},
    {"TEXT", NULL, false},
    {"TIME", take_time, false},
    {"TIMES", take_times, false},
    {"VALUE", NULL, false},
    {"WHAT", take_watched, true},
    {"WORD...", NULL, true},
    {"WORD,...", NULL, true},
    {"\"FORMAT\",...", NULL, true},
};

static const struct kind *kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

/* One argument of a column: "[, END|+COUNT]". */
struct item {
    char name[32];
    bool optional, comma; /* a comma stands in front */
};

static const char condition_item[] = "[if CONDITION]";

/* The next item of a form, and *column after it; false: there is none, or the condition follows, which is taken first.
 */
static bool next_item(const char **column, struct item *item)
{
    const char *at = *column + strspn(*column, " ");
    *item = (struct item){0};
    if (!*at || *at == ' ' || strncmp(at, "| ", 2) == 0 || strncmp(at, condition_item, strlen(condition_item)) == 0)
        return false;
    item->optional = *at == '[';
    at += item->optional;
    item->comma = *at == ',';
    at = skip_blanks(at + item->comma);
    size_t length = strcspn(at, " ]");
    bool before_comma = length && at[length - 1] == ',';
    snprintf(item->name, sizeof item->name, "%.*s", (int)(length - before_comma), at);
    at += length - before_comma;
    *column = at + (*at == ']');
    return true;
}

static bool is_word_item(const char *name)
{
    return strspn(name, "abcdefghijklmnopqrstuvwxyz-|") == strlen(name) && strcmp(name, "-") != 0;
}

/* Is the text one of the words of "break|compare"? */
static bool is_one_of(const char *words, const char *text, size_t length)
{
    for (; *words; words += strcspn(words, "|"), words += *words == '|')
        if (length && strcspn(words, "|") == length && memcmp(words, text, length) == 0)
            return true;
    return false;
}

/* The form of "break FILE | NAME" that a text has: one that begins with its word, else the first without; null: none.
 */
static const char *choose_form(const char *column, const char *text, unsigned *form)
{
    const char *other = NULL, *at = column, *next;
    unsigned index = 0, other_index = 0;
    struct item item;
    for (; at; at = next ? next + 3 : NULL, index++) {
        const char *rest = at;
        next = strstr(at, " | ");
        bool word = next_item(&rest, &item) && is_word_item(item.name) && !item.optional;
        if (word && is_one_of(item.name, text, strcspn(text, " "))) {
            *form = index;
            return at;
        }
        if (!word && !other) {
            other = at;
            other_index = index;
        }
    }
    *form = other_index;
    return other;
}

bool alternative_at(const char *arguments, unsigned index, char *word, size_t size)
{
    struct item item;
    for (const char *form = arguments, *next; form; form = next ? next + 3 : NULL) {
        const char *rest = form;
        next = strstr(form, " | ");
        for (bool optional = true; optional && next_item(&rest, &item);) {
            optional = item.optional;
            for (const char *at = item.name; *at; at += strcspn(at, "|"), at += *at == '|')
                if (islower((unsigned char)*at) && index-- == 0) {
                    snprintf(word, size, "%.*s", (int)strcspn(at, "|"), at);
                    return true;
                }
        }
    }
    return false;
}

bool column_has_names(const char *arguments)
{
    struct item item;
    bool found = false;
    for (const char *form = arguments, *next; form; form = next ? next + 3 : NULL) {
        next = strstr(form, " | ");
        while (next_item(&form, &item)) {
            const struct kind *kind = kind_named(item.name);
            found |= kind && kind->has_names;
        }
    }
    return found;
}

bool column_is_known(const char *arguments)
{
    struct item item;
    bool known = true;
    for (const char *form = arguments, *next; form; form = next ? next + 3 : NULL) {
        unsigned count = 0;
        next = strstr(form, " | ");
        for (; next_item(&form, &item); count++)
            known &= is_word_item(item.name) || *item.name == '/' || kind_named(item.name);
        known &= count <= CONSOLE_ARGUMENTS_MAX;
    }
    return known;
}

static bool complain_of_usage(struct console *console, const char *name, const char *column, const char *lacking)
{
    return console_complain(console, "%s is missing: %s %s", lacking, name, column);
}

static bool take_letters(struct console *console, const char *allowed, const char *text,
                         struct console_argument *argument)
{
    if (strcmp(allowed, "/FMT") == 0)
        return take_format(console, text, argument);
    for (text++; *text; text++)
        if (!strchr(allowed + 1, *text))
            return console_complain(console, "'%c' is not one of %s", *text, allowed);
    return true;
}

static bool take_item(struct console *console, const char *name, struct console_argument *argument)
{
    const struct kind *kind = kind_named(name);
    argument->given = true;
    if (*name == '/')
        return take_letters(console, name, argument->text, argument);
    return is_word_item(name) || (kind && (!kind->take || kind->take(console, argument->text, argument)));
}

/* Where the item's text ends: in front of what the next item begins with; the last one takes all. */
static char *end_of_item(const struct item *item, const struct item *next, char *at)
{
    if (*item->name == '/' || is_word_item(item->name) || (*next->name && !next->comma))
        return at + strcspn(at, " ");
    return next->comma ? (char *)find_comma(at) : at + strlen(at);
}

static bool is_absent(const struct item *item, const struct item *next, const char *at, bool after_comma)
{
    return !*at || (item->comma && !after_comma) || (next->comma && *at == ',') || (*item->name == '/' && *at != '/') ||
           (is_word_item(item->name) && !is_one_of(item->name, at, strcspn(at, " ")));
}

static bool take_form(struct console *console, const char *name, const char *column, const char *form,
                      struct console_arguments *arguments)
{
    struct item item, next;
    char *at = arguments->room;
    bool after_comma = false, more = next_item(&form, &item);
    for (unsigned i = 0; more && i < CONSOLE_ARGUMENTS_MAX; i++, item = next) {
        struct console_argument *argument = &arguments->at[i];
        more = next_item(&form, &next);
        at = (char *)skip_blanks(at);
        if (is_absent(&item, &next, at, after_comma)) {
            if (!item.optional)
                return complain_of_usage(console, name, column, item.name);
            if (next.comma && *at == ',') {
                at++;
                after_comma = true;
            }
            continue;
        }
        char *end = end_of_item(&item, &next, at), *last = end;
        after_comma = *end == ',';
        argument->text = at;
        at = *end ? end + 1 : end;
        while (last > argument->text && isspace((unsigned char)last[-1]))
            last--;
        *end = *last = 0;
        if (!take_item(console, item.name, argument))
            return false;
    }
    at = (char *)skip_blanks(at);
    if (!*at)
        return true;
    return *column ? console_complain(console, "'%s' is too much: %s %s", at, name, column)
                   : console_complain(console, "%s takes no arguments", name);
}

bool take_arguments(struct console *console, const char *name, const char *column, const char *text,
                    struct console_arguments *arguments)
{
    *arguments = (struct console_arguments){.text = text};
    for (unsigned i = 0; i < CONSOLE_ARGUMENTS_MAX; i++)
        arguments->at[i] = (struct console_argument){.text = "", .number = 1};
    size_t length = strlen(column), tail = strlen(condition_item);
    if (length >= tail && strcmp(column + length - tail, condition_item) == 0) {
        if (!split_condition(console, text, arguments->room, sizeof arguments->room, &arguments->condition))
            return false;
    } else if (strlen(text) < sizeof arguments->room) {
        strcpy(arguments->room, text);
    } else {
        return console_complain(console, "the arguments are too long");
    }
    const char *form = choose_form(column, text, &arguments->form);
    if (!form && !*text)
        return console_complain(console, "arguments are missing: %s %s", name, column);
    if (!form)
        return console_complain(console, "'%.*s' is not known here: %s %s", (int)strcspn(text, " "), text, name,
                                column);
    return take_form(console, name, column, form, arguments);
}
