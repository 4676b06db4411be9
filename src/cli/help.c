/* SPDX-License-Identifier: MIT */
/* gpucode help: what the tables of command.def say, for people and for shells. */
#include "cli/help.h"
#include "cli/completion.h"
#include "front/json.h"
#include "front/session.h"
#include "front/spelling.h"

#include <gpucode/status.h>
#include <stdio.h>
#include <string.h>

int command_help(struct session *session);

void help_version(FILE *out)
{
    fprintf(out, "gpucode %s\n", gpucode_version());
}

void help_overview(FILE *out)
{
    fputs("usage: gpucode COMMAND [OPTION...] [OPERAND...]\n\n"
          "Assembles, disassembles and checks the code of the small processors inside GPUs.\n\ncommands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", command_table[i].name, command_table[i].summary);
    fputs("\n`gpucode help COMMAND` shows a command's options. Exit codes: 0 done; 1 differences or findings;\n"
          "2 bad usage or bad input; 3 a fault of gpucode itself.\n",
          out);
}

static void put_option(FILE *out, const struct option *option)
{
    char names[64];
    int length = snprintf(names, sizeof names, option->letter ? "-%c, " : "    ", option->letter);
    snprintf(names + length, sizeof names - (size_t)length, "--%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-22s %s\n", names, option->help);
}

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "usage: gpucode %s [OPTION...]%s%s\n\n%s\n\noptions:\n", command->name, *command->operands ? " " : "",
            command->operands, command->help);
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (command_has(command, i))
            put_option(out, &option_table[i]);
}

static void put_json(const struct command *only)
{
    struct json json = {.out = stdout, .indent = true};
    json_object(&json, NULL);
    json_array(&json, "commands");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (only && only != &command_table[i])
            continue;
        json_object(&json, NULL);
        json_string(&json, "name", command_table[i].name);
        json_string(&json, "operands", command_table[i].operands);
        json_string(&json, "summary", command_table[i].summary);
        json_array(&json, "options");
        for (unsigned j = 0; j < OPTION_COUNT; j++) {
            char letter[2] = {option_table[j].letter, 0};
            if (!command_has(&command_table[i], j))
                continue;
            json_object(&json, NULL);
            json_string(&json, "name", option_table[j].name);
            json_string(&json, "letter", letter[0] ? letter : NULL);
            json_string(&json, "argument", option_table[j].argument);
            json_string(&json, "help", option_table[j].help);
            json_end(&json);
        }
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
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
    if (arguments->operand_count && !(command = command_find(arguments->operands[0])))
        return help_no_command(&session->diagnostics, arguments->operands[0]);
    if (session->json)
        put_json(command);
    else if (command)
        help_command(stdout, command);
    else
        help_overview(stdout);
    return EXIT_DONE;
}
