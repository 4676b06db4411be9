/* SPDX-License-Identifier: MIT */
/* Options of a campaign, as the command lines have them that show a finding again. */
#include "kit/fuzz.h"

#include "front/session.h"

#include <string.h>

void kit_fuzz_write_word(const char *word, FILE *out)
{
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word == '\n' ? ' ' : *word, out); /* it stands in a comment, which is a line */
    fputc('\'', out);
}

static void write_option(const struct option *option, const char *value, FILE *out)
{
    fprintf(out, " --%s", option->name);
    if (!value)
        return;
    fputc(option_is_bare(option) ? '=' : ' ', out);
    kit_fuzz_write_word(value, out);
}

/* Does it say what the code is, or how it runs? Those that all commands have do not; nor do those of the campaign. */
static bool is_about_code(enum option_id id, const char *set, enum command_id command, const enum option_id *except)
{
    const struct option *option = &option_table[id];
    const uint64_t fuzz = UINT64_C(1) << COMMAND_fuzz, debug = UINT64_C(1) << COMMAND_debug;
    for (; except && *except != OPTION_COUNT; except++)
        if (*except == id)
            return false;
    if (option->commands >> COMMAND_help & 1 || !(option->commands & fuzz) || !(option->commands >> command & 1))
        return false;
    return option->set ? strcmp(option->set, set) == 0 : option->commands & debug;
}

void kit_fuzz_write_options(const struct session *session, const char *set, enum command_id command,
                            const enum option_id *except, FILE *out)
{
    const struct arguments *arguments = &session->arguments;
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (arguments->count[i] && !option_repeats(i) && is_about_code(i, set, command, except))
            write_option(&option_table[i], arguments->value[i], out);
    for (unsigned i = 0; i < arguments->given_count; i++) {
        const struct given *given = &arguments->given[i];
        if (is_about_code(given->option, set, command, except))
            write_option(&option_table[given->option], given->value, out);
    }
}
