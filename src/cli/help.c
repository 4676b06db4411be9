/* SPDX-License-Identifier: MIT */
/* gpucode help: what the tables of command.def say, for people and for shells. */
#include "cli/help.h"
#include "front/answer.h"
#include "front/arguments.h"
#include "front/session.h"
#include "front/terminal.h"

#include <gpucode/status.h>
#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_HELP
#include <gpucode/answer_rows.h>

#define WIDTH 80
#define INDENT 25 /* where the help of options begins */

void help_version(FILE *out)
{
    fprintf(out, "gpucode %s\n", gpucode_version());
}

/* The titles and commands of `help`, as they stand in the tables; a title has no command. */
static const struct listed {
    const char *title;
    enum command_id command;
    bool is_first;
} listed[] = {
#define GROUP(title) {title, COMMAND_COUNT, false},
#define FIRST_GROUP(title) {title, COMMAND_COUNT, true},
#define COMMAND(name, ...) {NULL, COMMAND_##name, false},
#include "commands.def"
};
enum { LISTED = sizeof listed / sizeof *listed };

static void write_heading(FILE *out, const char *text, bool color)
{
    fprintf(out, "\n%s%s:%s\n", color ? "\033[1m" : "", text, color ? "\033[0m" : "");
}

static void write_listed(FILE *out, const struct listed *row, bool color)
{
    if (row->title)
        write_heading(out, row->title, color);
    else
        wrap_text(out, command_table[row->command].summary, fprintf(out, "  %-10s ", command_table[row->command].name),
                  13, WIDTH);
}

void help_overview(FILE *out, bool color)
{
    size_t first = 0;
    fputs("usage: gpucode COMMAND [OPTION...] [OPERAND...]\n\n"
          "Assembles, disassembles and checks the code of the small processors inside GPUs.\n",
          out);
    while (first < LISTED && !listed[first].is_first)
        first++;
    for (size_t i = 0; i < LISTED; i++)
        write_listed(out, &listed[(first + i) % LISTED], color);
    fputs("\n`gpucode help COMMAND` shows a command's options. Exit codes: 0 done;\n1 differences"
          " or findings; 2 bad usage or bad input; 3 a fault of gpucode or\nthe system.\n",
          out);
}

static void write_option(FILE *out, const struct command *command, const struct option *option)
{
    char names[64], text[OPTION_HELP_MAX];
    int length = snprintf(names, sizeof names, option->letter ? "-%c, " : "    ", option->letter);
    snprintf(names + length, sizeof names - (size_t)length, "--%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    if (fprintf(out, "  %-22s", names) >= INDENT)
        fprintf(out, "\n%*s", INDENT, "");
    else
        fputc(' ', out);
    option_help(option, command, text);
    wrap_text(out, text, INDENT, INDENT, WIDTH);
}

static bool is_of_set(const char *set, const char *other)
{
    return set && other ? strcmp(set, other) == 0 : set == other;
}

/* Is it one of the rows that nearly all commands have? They come last. */
static bool is_general(unsigned option)
{
    return option >= OPTION_JSON && option <= OPTION_VERSION;
}

/* The command's options for code of a set, below a heading; null: those for all code. */
static void write_options(FILE *out, const struct command *command, const char *set, const char *heading, bool color)
{
    const char *about = command_about(command, set);
    bool any = false;
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        any |= command_has(command, i) && is_of_set(option_table[i].set, set);
    if (any || about)
        write_heading(out, heading, color);
    if (about) {
        fputs("  ", out);
        wrap_text(out, about, 2, 2, WIDTH);
    }
    for (int general = 0; general < 2; general++)
        for (unsigned i = 0; i < OPTION_COUNT; i++)
            if (command_has(command, i) && is_of_set(option_table[i].set, set) && is_general(i) == general)
                write_option(out, command, &option_table[i]);
}

/* The sets with options for the command, in their order; null after the last. */
static const char *set_at(const struct command *command, unsigned index)
{
    const char *last = NULL;
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const char *set = option_table[i].set;
        if (!set || (last && strcmp(set, last) == 0) || !(command_has(command, i) || command_about(command, set)))
            continue;
        last = set;
        if (index-- == 0)
            return set;
    }
    return NULL;
}

static void write_examples(FILE *out, const struct command *command, bool color)
{
    const char *line;
    write_heading(out, command_example(command, 1) ? "examples" : "example", color);
    for (unsigned i = 0; (line = command_example(command, i)); i++)
        fprintf(out, "  %s\n", line);
}

void help_command(FILE *out, const struct command *command, bool color)
{
    char heading[64];
    const char *set;
    fprintf(out, "usage: gpucode %s [OPTION...]%s%s\n\n", command->name, *command->operands ? " " : "",
            command->operands);
    wrap_text(out, command->help, 0, 0, WIDTH);
    /* the options of a command that a folder of kit/ brings are all there is */
    write_examples(out, command, color);
    write_options(out, command, command->set, "options", color);
    if (command->set)
        write_options(out, command, NULL, "options of all commands", color);
    for (unsigned i = 0; (set = set_at(command, i)); i++)
        if (!is_of_set(set, command->set)) {
            snprintf(heading, sizeof heading, "for code of %s", set);
            write_options(out, command, set, heading, color);
        }
}

static void tell_option(struct gpucode_answer *answer, const struct command *command, const struct option *option)
{
    char letter[2] = {option->letter, 0}, text[OPTION_HELP_MAX];
    option_help(option, command, text);
    gpucode_answer_begin(answer, &fields[LISTED_OPTION]);
    gpucode_answer_text(answer, &fields[LISTED_NAME], option->name);
    gpucode_answer_text(answer, &fields[LISTED_LETTER], letter[0] ? letter : NULL);
    gpucode_answer_text(answer, &fields[LISTED_ARGUMENT], option->argument);
    gpucode_answer_text(answer, &fields[LISTED_ISA], option->set);
    gpucode_answer_text(answer, &fields[LISTED_TEXT], text);
    gpucode_answer_end(answer);
}

static int tell_commands(struct session *session, const struct command *only)
{
    struct gpucode_answer *answer = answer_begin_indented(session);
    gpucode_answer_begin(answer, &fields[HELP]);
    gpucode_answer_begin(answer, &fields[LISTED_COMMANDS]);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = &command_table[i];
        if (only && only != command)
            continue;
        gpucode_answer_begin(answer, &fields[LISTED_COMMAND]);
        gpucode_answer_text(answer, &fields[LISTED_COMMAND_NAME], command->name);
        gpucode_answer_text(answer, &fields[LISTED_COMMAND_OPERANDS], command->operands);
        gpucode_answer_text(answer, &fields[LISTED_COMMAND_SUMMARY], command->summary);
        gpucode_answer_text(answer, &fields[LISTED_COMMAND_HELP], command->help);
        const char *line;
        gpucode_answer_begin(answer, &fields[LISTED_EXAMPLES]);
        for (unsigned j = 0; (line = command_example(command, j)); j++)
            gpucode_answer_text(answer, &fields[LISTED_EXAMPLE], line);
        gpucode_answer_end(answer);
        gpucode_answer_begin(answer, &fields[LISTED_OPTIONS]);
        for (unsigned j = 0; j < OPTION_COUNT; j++)
            if (command_has(command, j))
                tell_option(answer, command, &option_table[j]);
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}

int help_no_command(struct diagnostics *diagnostics, const char *name)
{
    struct spelling spelling = spelling_begin(name);
    char hint[192] = "`gpucode help` lists them";
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        spelling_offer(&spelling, command_table[i].name);
    if (spelling.best[0])
        snprintf(hint, sizeof hint, "did you mean '%s'?", spelling.best);
    return complain(diagnostics, CLI_COMMAND, NULL, hint, name);
}

int command_help(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    const struct command *command = NULL;
    if (arguments_have(arguments, OPTION_COMPLETION)) {
        completion_write(stdout, arguments->value[OPTION_COMPLETION]);
        return EXIT_DONE;
    }
    if (arguments_have(arguments, OPTION_COMPLETE))
        return completion_offer(session);
    if (arguments_have(arguments, OPTION_SCHEMA)) /* commands with several answers have "diff-blocks" and its like */
        return help_schema(session, arguments->operand_count ? arguments->operands[0] : NULL);
    if (arguments->operand_count && !(command = command_find(arguments->operands[0])))
        return help_no_command(&session->diagnostics, arguments->operands[0]);
    if (session->json)
        return tell_commands(session, command);
    if (command)
        help_command(stdout, command, session->color);
    else
        help_overview(stdout, session->color);
    return EXIT_DONE;
}
