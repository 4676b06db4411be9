/* SPDX-License-Identifier: MIT */
#include "front/arguments.h"
#include "front/session.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 64

/* Levenshtein's distance, by one row of the matrix. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            unsigned least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < least ? change : least;
        }
    }
    return row[b_length];
}

struct spelling spelling_begin(const char *wanted)
{
    size_t length = strlen(wanted);
    /* a third of the letters may be wrong, and never all of them */
    return (struct spelling){.wanted = wanted, .distance = (unsigned)(length < 3 ? length : length / 3 + 1)};
}

void spelling_offer(struct spelling *spelling, const char *candidate)
{
    size_t a = strlen(spelling->wanted), b = strlen(candidate);
    if (a > LONGEST || b > LONGEST)
        return;
    unsigned d = distance(spelling->wanted, a, candidate, b);
    if (d < spelling->distance) {
        spelling->distance = d;
        snprintf(spelling->best, sizeof spelling->best, "%s", candidate);
    }
}

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

/* Is the value one of the option's choices, if it has any? null: it was left out. */
static int check_choice(struct parse *parse, enum option_id option, const char *shown, const char *value)
{
    char hint[160] = "one of:";
    const char *choice;
    for (unsigned i = 0; value && (choice = option_choice(option, i)); i++) {
        if (strcmp(choice, value) == 0)
            return EXIT_DONE;
        size_t length = strlen(hint);
        snprintf(hint + length, sizeof hint - length, " %s", choice);
    }
    return value && option_choice(option, 0) ? complain(parse->diagnostics, CLI_OPTION_CHOICE, NULL, hint, shown, value)
                                             : EXIT_DONE;
}

static bool takes_file(enum option_id option)
{
    static const char *const words[] = {"FILE", "FOLDER", "OUT", "PREFIX", "STREAM", "OLD", "NEW"};
    for (size_t i = 0; option_table[option].argument && i < sizeof words / sizeof *words; i++)
        if (strcmp(option_table[option].argument, words[i]) == 0)
            return true;
    return false;
}

/* Counts an option in all rows of its name. */
static int count_option(struct parse *parse, enum option_id option, const char *shown, const char *value)
{
    struct arguments *arguments = parse->arguments;
    bool repeats = option_repeats(option);
    if (!repeats && option_table[option].argument && arguments->count[option])
        return complain(parse->diagnostics, CLI_OPTION_TWICE, NULL, NULL, shown);
    if (value && !*value && takes_file(option))
        return complain(parse->diagnostics, CLI_OPTION_EMPTY, NULL, NULL, shown);
    int code = check_choice(parse, option, shown, value);
    for (unsigned row = 0; !code && row < OPTION_COUNT; row++)
        if (option_is_same(row, option)) {
            arguments->count[row]++;
            arguments->value[row] = value;
            if (repeats)
                arguments->given[arguments->given_count++] = (struct given){row, value};
        }
    return code;
}

static int find_letter(const struct parse *parse, char letter)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (command_has(parse->command, i) && option_table[i].letter == letter)
            return (int)i;
    return -1;
}

/* Is the text a list of the option's parts, separated by commas? */
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
    int option = command_option(parse->command, text + 2, length - 2);
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
    return count_option(parse, option, shown, value);
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
            int code = count_option(parse, option, shown, NULL);
            if (code)
                return code;
            continue;
        }
        if (letter[1])
            return count_option(parse, option, shown, letter + 1);
        if (*at + 1 >= argc)
            return complain(parse->diagnostics, CLI_OPTION_MISSING, NULL, NULL, shown);
        return count_option(parse, option, shown, argv[++*at]);
    }
    return EXIT_DONE;
}

/* The ending of a file's name: ".png"; "" when it has none. The name ends at a space. */
static size_t find_ending(const char *name, const char **ending)
{
    size_t length = strcspn(name, " "), at = length;
    while (at && name[at - 1] != '.' && name[at - 1] != '/')
        at--;
    bool found = at > 1 && name[at - 1] == '.' && name[at - 2] != '/';
    *ending = found ? name + at - 1 : name + length;
    return found ? length - at + 1 : 0;
}

static bool has_ending(const char *path, const char *ending, size_t length)
{
    const char *own;
    return find_ending(path, &own) == length && memcmp(own, ending, length) == 0;
}

/*
 * The operand that has the ending of the one shown first goes first: `SHADER --image 8x8 OUT.png` writes OUT.png and
 * does not overwrite the shader.
 */
static void order_operands(struct arguments *arguments, const char *shown)
{
    const char **operands = arguments->operands, *ending;
    size_t length = find_ending(shown, &ending);
    if (!length || arguments->operand_count != 2 || has_ending(operands[0], ending, length) ||
        !has_ending(operands[1], ending, length))
        return;
    const char *first = operands[1];
    operands[1] = operands[0];
    operands[0] = first;
}

bool arguments_want_policies(const struct arguments *arguments)
{
    const char *value = arguments->value[OPTION_POLICY];
    return value && strcmp(value, "help") == 0;
}

#define SHOWN_MAX 64

/* How many operands the command takes with the options that are given, and how its usage shows them. */
static void count_operands(struct parse *parse, int *least, int *most, char shown[SHOWN_MAX])
{
    const struct option_operands *more;
    int change = 0;
    bool instead = false; /* of the last operand there is an option */
    snprintf(shown, SHOWN_MAX, "%s", parse->command->operands);
    for (unsigned i = 0; (more = option_operands_at(i)); i++)
        if (command_has(parse->command, more->option) && arguments_have(parse->arguments, more->option)) {
            change += more->more;
            instead |= !*more->shown;
            if (*more->shown)
                snprintf(shown, SHOWN_MAX, "%s", more->shown);
            order_operands(parse->arguments, shown);
        }
    char *last = strrchr(shown, ' ');
    if (instead)
        *(last ? last : shown) = 0;
    *least = parse->command->least + change;
    *most = parse->command->most + change;
    /* some options count with another one alone, which says so itself */
    int floor = instead ? 0 : parse->command->least;
    *least = *least < floor ? floor : *least;
    floor = instead ? 0 : parse->command->most;
    *most = *most < floor ? floor : *most;
    if (instead)
        *most = *least;
}

static int check_operands(struct parse *parse)
{
    struct arguments *arguments = parse->arguments;
    char hint[128], shown[SHOWN_MAX];
    int least, most;
    count_operands(parse, &least, &most, shown);
    snprintf(hint, sizeof hint, "usage: gpucode %s [OPTION...] %s", parse->command->name, shown);
    if (arguments_want_policies(arguments) || (arguments_have(arguments, OPTION_INSN) && !arguments->operand_count))
        return EXIT_DONE; /* the command does not run, or needs no file */
    if (arguments_have(arguments, OPTION_INSN))
        return complain(parse->diagnostics, CLI_MANY, NULL, "-x stands in place of FILE", arguments->operands[0]);
    if (arguments_have(arguments, OPTION_COMPLETE) ||
        (arguments_have(arguments, OPTION_COMPLETION) && arguments->operand_count == 0))
        return EXIT_DONE;
    if (arguments->operand_count < least)
        return complain(parse->diagnostics, CLI_FEW, NULL, hint, shown);
    if (parse->command->most >= 0 && arguments->operand_count > most)
        return complain(parse->diagnostics, CLI_MANY, NULL, hint, arguments->operands[most]);
    return EXIT_DONE;
}

const char *arguments_value_at(const struct arguments *arguments, enum option_id option, unsigned index)
{
    for (unsigned i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option && index-- == 0)
            return arguments->given[i].value;
    return NULL;
}

static bool command_has_for(const struct command *command, enum option_id option, const char *set)
{
    for (unsigned row = 0; row < OPTION_COUNT; row++)
        if (command_has(command, row) && option_is_same(row, option) &&
            (!option_table[row].set || strcmp(option_table[row].set, set) == 0))
            return true;
    return false;
}

int arguments_check_set(const struct arguments *arguments, struct diagnostics *diagnostics,
                        const struct command *command, const char *set)
{
    for (unsigned row = 0; !command->set && row < OPTION_COUNT; row++)
        if (arguments_have(arguments, row) && !command_has_for(command, row, set))
            return complain(diagnostics, CLI_OPTION_SET, NULL, NULL, option_table[row].name, set);
    return EXIT_DONE;
}

int arguments_parse(struct arguments *arguments, struct diagnostics *diagnostics, const struct command *command,
                    int argc, char **argv, int first)
{
    struct parse parse = {arguments, diagnostics, command};
    *arguments = (struct arguments){0};
    arguments->given = calloc(((size_t)argc + 1) * OPTION_COUNT, sizeof *arguments->given);
    arguments->operands = calloc((size_t)argc + 1, sizeof *arguments->operands);
    if (!arguments->given || !arguments->operands)
        return out_of_memory(diagnostics);
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
    free(arguments->given);
    free(arguments->operands);
    *arguments = (struct arguments){0};
}

static int digit_value(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : 16;
}

bool number_take(const char **at, uint64_t *value)
{
    const char *text = *at;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_value(text[2]) < 16;
    unsigned base = hex ? 16 : 10;
    text += hex ? 2 : 0;
    if (digit_value(*text) >= (int)base)
        return false;
    for (*value = 0; digit_value(*text) < (int)base; text++) {
        unsigned digit = (unsigned)digit_value(*text);
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    *at = text;
    return true;
}

bool number_read(const char *text, uint64_t most, uint64_t *value)
{
    return number_take(&text, value) && !*text && *value <= most;
}

const char *value_split(const char *text, char *name, size_t size)
{
    const char *equals = strrchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (!equals || length >= size)
        return NULL;
    memcpy(name, text, length);
    name[length] = 0;
    return equals + 1;
}

int value_refuse(struct session *session, enum option_id option, const char *value, const char *expected)
{
    return complain(&session->diagnostics, CLI_RUN_VALUE, NULL, NULL, option_table[option].name, *value ? value : "''",
                    expected);
}

int value_number(struct session *session, enum option_id option, const char *expected, uint64_t *number)
{
    const char *text = session->arguments.value[option];
    return !text || number_read(text, UINT64_MAX, number) ? EXIT_DONE : value_refuse(session, option, text, expected);
}

/* All words of the list, for a hint. */
static void list_words(const struct value_word *words, char *text, size_t size)
{
    *text = 0;
    for (; words->name; words++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", length ? ", " : "", words->name);
    }
}

int value_trace(struct session *session, enum option_id option, const struct value_word *words, unsigned preset,
                unsigned *bits)
{
    const char *text = session->arguments.value[option], *at = text;
    *bits = !text && arguments_have(&session->arguments, option) ? preset : 0;
    while (at) {
        const struct value_word *word = words;
        size_t length = strcspn(at, ",");
        while (word->name && (strlen(word->name) != length || memcmp(word->name, at, length) != 0))
            word++;
        if (!word->name) {
            char hint[160];
            list_words(words, hint, sizeof hint);
            return complain(&session->diagnostics, CLI_TRACE, NULL, hint, option_table[option].name, text);
        }
        *bits |= word->bit;
        at = at[length] ? at + length + 1 : NULL;
    }
    return EXIT_DONE;
}

int policies_read(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings)
{
    const struct arguments *arguments = &session->arguments;
    size_t count = 0, bytes = 0, given = arguments->count[OPTION_POLICY];
    const char *policy;
    while (more && more[count].name)
        count++;
    for (unsigned i = 0; (policy = arguments_value_at(arguments, OPTION_POLICY, i)); i++)
        bytes += strlen(policy) + 1;
    struct gpucode_setting *list = calloc(1, (count + given + 1) * sizeof *list + bytes);
    if (!list)
        return out_of_memory(&session->diagnostics);
    if (count)
        memcpy(list, more, count * sizeof *list);
    char *text = (char *)(list + count + given + 1);
    for (unsigned i = 0; (policy = arguments_value_at(arguments, OPTION_POLICY, i)); i++) {
        size_t length = strlen(policy) + 1;
        memcpy(text, policy, length);
        char *equals = strchr(text, '=');
        if (!equals) {
            free(list);
            return complain(&session->diagnostics, CLI_POLICY, NULL, "write --policy NAME=VALUE",
                            *policy ? policy : "''");
        }
        *equals = 0;
        list[count + i] = (struct gpucode_setting){text, equals + 1};
        text += length;
    }
    *settings = list;
    return EXIT_DONE;
}
