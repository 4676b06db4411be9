/* SPDX-License-Identifier: MIT */
/* gpucode fuzz: inputs that no one thought of. */
#include "cli/fuzz.h"

#include "front/arguments.h"
#include "front/session.h"
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

/* --ignore a,b --ignore c: the words, ended by null; their text is owned by the first. */
static int read_ignored(struct fuzzing *fuzzing)
{
    const struct arguments *arguments = &fuzzing->session->arguments;
    size_t length = 1, count = 1;
    const char *value;
    for (unsigned i = 0; (value = arguments_value_at(arguments, OPTION_IGNORE, i)); i++) {
        length += strlen(value) + 1;
        for (const char *at = value; *at; at++)
            count += *at == ',';
        count++;
    }
    fuzzing->ignored = calloc(count, sizeof *fuzzing->ignored);
    char *text = malloc(length);
    if (!fuzzing->ignored || !text) {
        free(text);
        return out_of_memory(&fuzzing->session->diagnostics);
    }
    *text = 0;
    for (unsigned i = 0; (value = arguments_value_at(arguments, OPTION_IGNORE, i)); i++)
        strcat(strcat(text, value), ",");
    size_t used = 0;
    for (char *word = text, *comma; (comma = strchr(word, ',')); word = comma + 1) {
        *comma = 0;
        if (*word)
            fuzzing->ignored[used++] = word;
    }
    if (!used)
        free(text);
    return EXIT_DONE;
}

static void free_ignored(struct fuzzing *fuzzing)
{
    if (fuzzing->ignored)
        free((char *)fuzzing->ignored[0]);
    free(fuzzing->ignored);
}

/* A limit. 0 would be none at all, which is what leaving it out says. */
static int read_limit(struct session *session, enum option_id option, const char *expected, uint64_t *limit)
{
    const char *text = session->arguments.value[option];
    int code = value_number(session, option, expected, limit);
    return !code && text && !*limit ? value_refuse(session, option, text, expected) : code;
}

static int read_numbers(struct fuzzing *fuzzing)
{
    struct session *session = fuzzing->session;
    fuzzing->jobs = 1;
    fuzzing->seed = 1;
    int code = value_number(session, OPTION_FUZZ_SEED, "a number", &fuzzing->seed);
    if (!code)
        code = read_limit(session, OPTION_FUZZ_RUNS, "a number of runs, 1 or more", &fuzzing->runs);
    if (!code)
        code = read_limit(session, OPTION_FUZZ_SECONDS, "a number of seconds, 1 or more", &fuzzing->seconds);
    if (!code)
        code = value_number(session, OPTION_FUZZ_JOBS, "a number from 1 to 64", &fuzzing->jobs);
    if (!code && (!fuzzing->jobs || fuzzing->jobs > FUZZ_JOBS_MAX))
        code = value_refuse(session, OPTION_FUZZ_JOBS, session->arguments.value[OPTION_FUZZ_JOBS],
                            "a number from 1 to 64");
    fuzzing->folder = session->arguments.value[OPTION_OUTPUT];
    fuzzing->name = session->arguments.value[OPTION_FUZZ_NAME];
    if (!code && fuzzing->name && (!*fuzzing->name || *fuzzing->name == '.' || strchr(fuzzing->name, '/')))
        code = value_refuse(session, OPTION_FUZZ_NAME, fuzzing->name, "the name of a folder");
    if (!fuzzing->name)
        fuzzing->name = "gpucode";
    return code;
}

/* Options that ask for something else than fuzzing; the first that is given counts. */
static const struct {
    enum option_id option;
    int least, most; /* operands after the code; -1: any number */
    int (*perform)(struct fuzzing *fuzzing);
} tools[] = {
    {OPTION_FUZZ_AFL, 0, 1, fuzz_under_afl},
    {OPTION_FUZZ_KINDS, 0, 0, fuzz_write_kinds},
    {OPTION_FUZZ_DICTIONARY, 0, 0, fuzz_dictionary},
    {OPTION_FUZZ_TRY, 1, -1, fuzz_try},
    {OPTION_FUZZ_MINIMISE, 1, 1, fuzz_minimise},
    {OPTION_FUZZ_TO_PACKETS, 1, 1, fuzz_to_packets},
    {OPTION_FUZZ_FROM_PACKETS, 1, 1, fuzz_from_packets},
    {OPTION_FUZZ_MERGE, 1, -1, fuzz_merge},
    {OPTION_FUZZ_CAMPAIGN, 0, 0, fuzz_campaign},
};

static int perform(struct fuzzing *fuzzing)
{
    const struct arguments *arguments = &fuzzing->session->arguments;
    int more = arguments->operand_count - 1;
    for (unsigned i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (!arguments_have(arguments, tools[i].option))
            continue;
        if (more < tools[i].least)
            return complain(&fuzzing->session->diagnostics, CLI_FEW, NULL, NULL, "INPUT");
        if (tools[i].most >= 0 && more > tools[i].most)
            return complain(&fuzzing->session->diagnostics, CLI_MANY, NULL, NULL,
                            arguments->operands[1 + tools[i].most]);
        return tools[i].perform(fuzzing);
    }
    if (more)
        return complain(&fuzzing->session->diagnostics, CLI_MANY, NULL, NULL, arguments->operands[1]);
    return fuzz_loop(fuzzing);
}

int command_fuzz(struct session *session)
{
    struct input input;
    struct fuzzing fuzzing = {.session = session, .input = &input};
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    fuzzing.kit = kit ? kit->fuzz : NULL;
    if (!fuzzing.kit)
        code = complain(&session->diagnostics, CLI_FUZZ_SET, input.file.name, NULL, gpucode_target_isa(input.target));
    if (!code)
        code = read_numbers(&fuzzing);
    if (!code)
        code = read_ignored(&fuzzing);
    if (!code)
        code = perform(&fuzzing);
    if (fuzzing.failed && code != EXIT_FAULT)
        code = out_of_memory(&session->diagnostics);
    free_ignored(&fuzzing);
    input_close(&input);
    return code;
}
