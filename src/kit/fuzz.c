/* SPDX-License-Identifier: MIT */
/* Options of a campaign, as the command lines have them that show a finding again. */
#include "kit/fuzz.h"

#include "front/arguments.h"
#include "front/session.h"
#include <gpucode/diagnostic.h>
#include <gpucode/insn.h>

#include <stdio.h>
#include <string.h>

void kit_fuzz_write_word(const char *before, const char *word, FILE *out)
{
    fprintf(out, "%s'", before);
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
    kit_fuzz_write_word(option_is_bare(option) ? "=" : " ", value, out);
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

static const char *const own[] = {"stack", "level", "length", "gap", "hang", "left", "differs", "stops"};

const char *kit_fuzz_kind(const char *what)
{
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(what, own[i]) == 0)
            return own[i];
    return strncmp(what, "assert", 6) == 0 ? "assert" : strcmp(what, "endless") == 0 ? "hang" : "fault";
}

/* The word is the start of the kind, or the kind and the start of what follows it in a key. */
static bool agree(const char *word, const char *kind)
{
    while (*word && *word == *kind)
        word++, kind++;
    return !*word || (!*kind && strchr("-0123456789", *word));
}

bool kit_fuzz_begins_key(const char *word)
{
    const char *code;
    bool found = agree(word, "assert") || agree(word, "endless");
    for (unsigned i = 0; !found && i < sizeof own / sizeof *own; i++)
        found = agree(word, own[i]);
    for (unsigned i = 0; !found && (code = gpucode_diagnostic_code(i)); i++) {
        const char *dash = strchr(code, '-');
        found = !strstr(code, "-lint-") && (agree(word, code) || (dash && agree(word, dash + 1)));
    }
    return found;
}

bool fuzz_forbidden_word(const char **at, const char *word)
{
    const char *text = *at + strspn(*at, " \t");
    size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] && !strchr(" \t", text[length])))
        return false;
    *at = text + length;
    return true;
}

static bool read_range(const char *text, uint64_t *first, uint64_t *last)
{
    if (!number_take(&text, first))
        return false;
    *last = *first;
    if (strncmp(text, "..", 2) == 0) {
        text += 2;
        if (!number_take(&text, last))
            return false;
    }
    return !*text && *first <= *last;
}

bool fuzz_forbidden_take(const struct gpucode_machine *machine, unsigned numbers, const char **at,
                         struct fuzz_forbidden *forbidden)
{
    *forbidden = (struct fuzz_forbidden){.memory = fuzz_forbidden_word(at, "memory"), .space = numbers};
    const char *text = *at + strspn(*at, " \t");
    size_t length = strcspn(text, " \t");
    char word[GPUCODE_NAME_MAX];
    uint32_t number;
    *at = text + length;
    if (!length || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = 0;
    if (forbidden->memory || (*word >= '0' && *word <= '9'))
        return (forbidden->memory || numbers != GPUCODE_NONE) && read_range(word, &forbidden->first, &forbidden->last);
    if (!gpucode_machine_find(machine, word, &forbidden->space, &number))
        return false;
    forbidden->first = forbidden->last = number;
    return true;
}

unsigned fuzz_forbidden_kinds(const struct fuzz_forbidden *forbidden)
{
    return forbidden->memory ? GPUCODE_EVENT_MEM_WRITE : GPUCODE_EVENT_WRITE;
}

bool fuzz_forbidden_is(const struct fuzz_forbidden *forbidden, const struct gpucode_event *event)
{
    return event->kind == fuzz_forbidden_kinds(forbidden) && (forbidden->memory || event->space == forbidden->space) &&
           event->address >= forbidden->first && event->address <= forbidden->last;
}

void fuzz_forbidden_tell(const struct gpucode_machine *machine, const struct gpucode_event *event, const char *text,
                         char *to, size_t size)
{
    char name[GPUCODE_NAME_MAX] = "memory";
    if (event->kind == GPUCODE_EVENT_WRITE)
        gpucode_machine_name(machine, event->space, (uint32_t)event->address, name, sizeof name);
    snprintf(to, size, "%.40s (0x%llx) is written at word %llu: %.120s", name, (unsigned long long)event->address,
             (unsigned long long)event->pc, text);
}
