/* SPDX-License-Identifier: MIT */
#include "cli/arguments.h"
#include "front/session.h"
#include "front/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parse {
    struct arguments *arguments;
    struct diagnostics *diagnostics;
    const struct command *command;
};

static int refuse_unknown(struct parse *parse, const char *name)
{
    struct spelling spelling = spelling_begin(name);
    char candidate[64], hint[192];
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        snprintf(candidate, sizeof candidate, "--%s", option_table[i].name);
        if (command_has(parse->command, i))
            spelling_offer(&spelling, candidate);
    }
    if (spelling.best[0])
        snprintf(hint, sizeof hint, "did you mean '%s'?", spelling.best);
    else
        snprintf(hint, sizeof hint, "`gpucode help %s` lists the options", parse->command->name);
    return complain(parse->diagnostics, CLI_OPTION, NULL, hint, name);
}

static bool is_repeatable(enum option_id option)
{
    switch (option) {
    case OPTION_REGISTERS:
    case OPTION_POLICY:
    case OPTION_PACKET:
    case OPTION_PACKETS:
    case OPTION_RING:
    case OPTION_REG:
    case OPTION_MEMORY:
    case OPTION_DUMP:
    case OPTION_CONST:
    case OPTION_IN:
    case OPTION_VARYING:
    case OPTION_TEXTURE:
    case OPTION_EXECUTE:
    case OPTION_SYMBOLS:
        return true;
    default:
        return false;
    }
}

static int take(struct parse *parse, enum option_id option, const char *shown, const char *value)
{
    struct arguments *arguments = parse->arguments;
    if (option == OPTION_REGISTERS)
        arguments->registers[arguments->count[option]] = value;
    else if (option == OPTION_POLICY)
        arguments->policies[arguments->count[option]] = value;
    if (is_repeatable(option))
        arguments->given[arguments->given_count++] = (struct given){option, value};
    else if (option_table[option].argument && arguments->count[option])
        return complain(parse->diagnostics, CLI_OPTION_TWICE, NULL, NULL, shown);
    if (value && option_choice(option, 0)) {
        char hint[160] = "one of:";
        const char *choice;
        bool found = false;
        for (unsigned i = 0; (choice = option_choice(option, i)); i++) {
            found |= strcmp(choice, value) == 0;
            size_t length = strlen(hint);
            snprintf(hint + length, sizeof hint - length, " %s", choice);
        }
        if (!found)
            return complain(parse->diagnostics, CLI_OPTION_CHOICE, NULL, hint, shown, value);
    }
    arguments->count[option]++;
    arguments->value[option] = value;
    return EXIT_DONE;
}

static int find_long(const struct parse *parse, const char *name, size_t length)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (command_has(parse->command, i) && strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

static int find_letter(const struct parse *parse, char letter)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (command_has(parse->command, i) && option_table[i].letter == letter)
            return (int)i;
    return -1;
}

/* Is the text words of the option's argument, separated by commas? */
static bool is_parts(enum option_id option, const char *text)
{
    while (text) {
        size_t length = strcspn(text, ",");
        const char *part;
        unsigned i = 0;
        while ((part = option_part(option, i)) && (strlen(part) != length || memcmp(part, text, length) != 0))
            i++;
        if (!part)
            return false;
        text = text[length] ? text + length + 1 : NULL;
    }
    return true;
}

/* "--name", "--name=value" or "--name value". */
static int take_long(struct parse *parse, char **argv, int *at, int argc)
{
    const char *text = argv[*at], *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    char shown[64];
    snprintf(shown, sizeof shown, "%.*s", (int)(length < sizeof shown ? length : sizeof shown - 1), text);
    int option = find_long(parse, text + 2, length - 2);
    if (option < 0)
        return refuse_unknown(parse, shown);
    const char *value = equals ? equals + 1 : NULL;
    if (option_is_bare(&option_table[option]) && !value) {
        if (*at + 1 < argc && is_parts(option, argv[*at + 1]))
            value = argv[++*at];
    } else if (option_table[option].argument && !value) {
        if (*at + 1 >= argc)
            return complain(parse->diagnostics, CLI_OPTION_MISSING, NULL, NULL, shown);
        value = argv[++*at];
    } else if (!option_table[option].argument && value) {
        return complain(parse->diagnostics, CLI_OPTION_SURPLUS, NULL, NULL, shown);
    }
    return take(parse, option, shown, value);
}

/* "-v", "-rv", "-oFILE" or "-o FILE". */
static int take_short(struct parse *parse, char **argv, int *at, int argc)
{
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        char shown[3] = {'-', *letter, 0};
        int option = find_letter(parse, *letter);
        if (option < 0)
            return refuse_unknown(parse, letter == argv[*at] + 1 && !letter[1] ? argv[*at] : shown);
        if (!option_table[option].argument) {
            int code = take(parse, option, shown, NULL);
            if (code)
                return code;
            continue;
        }
        if (letter[1])
            return take(parse, option, shown, letter + 1);
        if (*at + 1 >= argc)
            return complain(parse->diagnostics, CLI_OPTION_MISSING, NULL, NULL, shown);
        return take(parse, option, shown, argv[++*at]);
    }
    return EXIT_DONE;
}

static bool is_picture(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".png") == 0;
}

/* "SHADER --image 8x8 OUT.png" too means what it says, and not that the shader should be written over. */
static void put_picture_first(struct arguments *arguments)
{
    const char **operands = arguments->operands;
    if (arguments->operand_count != 2 || is_picture(operands[0]) || !is_picture(operands[1]))
        return;
    const char *picture = operands[1];
    operands[1] = operands[0];
    operands[0] = picture;
}

static int check_operands(struct parse *parse)
{
    struct arguments *arguments = parse->arguments;
    char hint[128];
    bool picture = arguments_have(arguments, OPTION_IMAGE); /* the picture's name stands in front */
    int least = parse->command->least + picture, most = parse->command->most + picture;
    const char *operands = picture ? "OUT.png FILE" : parse->command->operands;
    snprintf(hint, sizeof hint, "usage: gpucode %s [OPTION...] %s", parse->command->name, operands);
    if (picture)
        put_picture_first(arguments);
    if (arguments_have(arguments, OPTION_COMPLETION) && arguments->operand_count == 0)
        return EXIT_DONE;
    if (arguments->operand_count < least)
        return complain(parse->diagnostics, CLI_FEW, NULL, hint, operands);
    if (parse->command->most >= 0 && arguments->operand_count > most)
        return complain(parse->diagnostics, CLI_MANY, NULL, hint, arguments->operands[most]);
    return EXIT_DONE;
}

int arguments_parse(struct arguments *arguments, struct diagnostics *diagnostics, const struct command *command,
                    int argc, char **argv, int first)
{
    struct parse parse = {arguments, diagnostics, command};
    *arguments = (struct arguments){0};
    arguments->registers = calloc((size_t)argc + 1, sizeof *arguments->registers);
    arguments->policies = calloc((size_t)argc + 1, sizeof *arguments->policies);
    arguments->given = calloc((size_t)argc + 1, sizeof *arguments->given);
    arguments->operands = calloc((size_t)argc + 1, sizeof *arguments->operands);
    if (!arguments->registers || !arguments->policies || !arguments->given || !arguments->operands)
        return complain(diagnostics, CLI_MEMORY, NULL, NULL);
    bool only_operands = false;
    for (int at = first; at < argc; at++) {
        const char *text = argv[at];
        int code = EXIT_DONE;
        if (only_operands || text[0] != '-' || !text[1])
            arguments->operands[arguments->operand_count++] = text;
        else if (strcmp(text, "--") == 0)
            only_operands = true;
        else if (text[1] == '-')
            code = take_long(&parse, argv, &at, argc);
        else
            code = take_short(&parse, argv, &at, argc);
        if (code)
            return code;
        if (arguments_have(arguments, OPTION_HELP) || arguments_have(arguments, OPTION_VERSION))
            return EXIT_DONE;
    }
    return check_operands(&parse);
}

void arguments_free(struct arguments *arguments)
{
    free(arguments->registers);
    free(arguments->policies);
    free(arguments->given);
    free(arguments->operands);
    *arguments = (struct arguments){0};
}
