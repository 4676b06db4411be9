/* SPDX-License-Identifier: MIT */
/* gpucode fuzz: inputs that no one thought of. */
#include "cli/fuzz.h"
#include "cli_gpu_messages.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "kit/kit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Under afl-fuzz: `afl-fuzz -i SEEDS -o DIR -- gpucode fuzz --afl FIRMWARE`. AFL++ starts its targets through a fork
 * server in them, which forks for each run. Here nothing is forked: the machine goes back to its snapshot instead, and
 * the answer tells the process that afl-fuzz may kill when it takes too long, a child that only waits. Facts from
 * AFL++'s include/types.h and instrumentation/afl-compiler-rt.o.c, which docs/fuzz.md sums up.
 */

#define CONTROL_FD 198 /* from the fuzzer */
#define STATUS_FD 199  /* to it */
#define INPUT_SHARED_MAX (1u << 20)

/* The older handshake: one word of options, before AFL++ 4.20c. */
#define OLD_ENABLED UINT32_C(0x80000001)
#define OLD_MAP_SIZE UINT32_C(0x40000000)
#define OLD_SHARED_INPUT UINT32_C(0x01000000)
#define OLD_ERROR UINT32_C(0xf800008f)
#define OLD_ERROR_SHM_OPEN UINT32_C(4)

/* The newer one: a version, its complement, options and their parameters, the version again. */
#define NEW_VERSION UINT32_C(0x41464c01)
#define NEW_MAP_SIZE UINT32_C(1)
#define NEW_SHARED_INPUT UINT32_C(2)
#define NEW_ERROR UINT32_C(0xeffe0000)

#define FINDING_STATUS SIGABRT /* as wait() has it of a process that a signal has ended */

struct server {
    struct fuzzing *fuzzing;
    struct fuzz_subject subject;
    uint8_t *map;
    size_t map_size;
    const unsigned char *shared; /* the input: a length, and bytes; null: standard input */
    pid_t idle;                  /* the child that afl-fuzz may kill */
    uint8_t *scratch;            /* where nobody looks at the map */
};

/*
 * afl-fuzz looks for these in the file of the program that it starts: the first says that the program fills the map,
 * the second that one process does many runs.
 */
static const char *const marks[] = {"__AFL_SHM_ID", "##SIG_AFL_PERSISTENT##", "##SIG_AFL_DEFER_FORKSRV##"};

static bool read_word(uint32_t *word)
{
    ssize_t got;
    while ((got = read(CONTROL_FD, word, 4)) < 0 && errno == EINTR)
        ;
    return got == 4;
}

static bool write_word(uint32_t word)
{
    ssize_t put;
    while ((put = write(STATUS_FD, &word, 4)) < 0 && errno == EINTR)
        ;
    return put == 4;
}

/* --- shared memory ------------------------------------------------------------------------------------------------ */

static void *attach(const char *variable)
{
    const char *text = getenv(variable);
    if (!text || !*text)
        return NULL;
    void *memory = shmat(atoi(text), NULL, 0);
    return memory == (void *)-1 ? NULL : memory;
}

/*
 * The map is afl-fuzz's, as large as AFL_MAP_SIZE says, 64 KiB unless it does. At first that is more than most targets
 * need, as none has said how much yet; all of it would be cleared and looked through at each run.
 */
static bool attach_map(struct server *server)
{
    const char *size = getenv("AFL_MAP_SIZE");
    server->map = attach(marks[0]);
    server->map_size = size && atol(size) > 0 ? (size_t)atol(size) : 65536;
    if (server->map_size > server->subject.inner.map_size)
        server->map_size = server->subject.inner.map_size;
    if (!server->map)
        return false;
    return server->subject.inner.attach(server->subject.inner.user, server->map, server->map_size) == GPUCODE_OK;
}

/* --- handshakes --------------------------------------------------------------------------------------------------- */

static bool greet_old(struct server *server, bool can_share)
{
    uint32_t answer, options = OLD_ENABLED | OLD_MAP_SIZE | (uint32_t)(server->map_size - 1) << 1;
    if (server->map_size > UINT32_C(1) << 23)
        options = OLD_ENABLED;
    if (!write_word(options | (can_share ? OLD_SHARED_INPUT : 0)))
        return false;
    if (!can_share)
        return true;
    if (!read_word(&answer))
        return false;
    if ((answer & (OLD_ENABLED | OLD_SHARED_INPUT)) == (OLD_ENABLED | OLD_SHARED_INPUT)) {
        server->shared = attach("__AFL_SHM_FUZZ_ID");
        if (!server->shared)
            write_word(OLD_ERROR | OLD_ERROR_SHM_OPEN << 8);
        return server->shared;
    }
    return true;
}

static bool greet_new(struct server *server, bool can_share)
{
    uint32_t answer;
    if (!write_word(NEW_VERSION) || !read_word(&answer))
        return false;
    if (answer != ~NEW_VERSION)
        return false;
    if (can_share && !(server->shared = attach("__AFL_SHM_FUZZ_ID"))) {
        write_word(NEW_ERROR | 8);
        return false;
    }
    return write_word(NEW_MAP_SIZE | (can_share ? NEW_SHARED_INPUT : 0)) && write_word((uint32_t)server->map_size) &&
           write_word(NEW_VERSION);
}

/*
 * Which handshake the fuzzer speaks it says nowhere: those that speak the newer one say so by AFL_OLD_FORKSERVER alone,
 * and those that speak the older one not at all. So --afl=old and --afl=new decide, and without them the older one is
 * spoken, which all versions take.
 */
static bool greet(struct server *server)
{
    const char *how = server->fuzzing->session->arguments.value[OPTION_FUZZ_AFL];
    bool can_share = getenv("__AFL_SHM_FUZZ_ID") != NULL;
    if (how && strcmp(how, "new") == 0 && !getenv("AFL_OLD_FORKSERVER"))
        return greet_new(server, can_share);
    return greet_old(server, can_share);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* A child that waits for its end; it goes with this process. */
static bool start_idle(struct server *server)
{
    pid_t parent = getpid();
    server->idle = fork();
    if (server->idle)
        return server->idle > 0;
    close(CONTROL_FD);
    close(STATUS_FD);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent)
        pause();
    _exit(0);
}

/* The input, from shared memory or standard input, which afl-fuzz sets back before each run. */
static size_t take_input(const struct server *server, unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX],
                         const unsigned char **input)
{
    if (server->shared) {
        uint32_t length;
        memcpy(&length, server->shared, 4);
        *input = server->shared + 4;
        return length < INPUT_SHARED_MAX ? length : INPUT_SHARED_MAX;
    }
    *input = bytes;
    lseek(STDIN_FILENO, 0, SEEK_SET);
    ssize_t got = read(STDIN_FILENO, bytes, GPUCODE_FUZZ_INPUT_MAX);
    return got > 0 ? (size_t)got : 0;
}

static bool run_input(struct server *server, struct gpucode_fuzz_outcome *outcome)
{
    static struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    static uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    static unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    const unsigned char *input;
    size_t size = take_input(server, bytes, &input);
    size_t count =
        gpucode_fuzz_read(server->subject.inner.kind_count, input, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    *outcome = (struct gpucode_fuzz_outcome){.judgement = GPUCODE_FUZZ_PASS};
    server->map[0] = 1; /* so that no run is without a trace */
    server->subject.outer.run(server->subject.outer.user, records, count, outcome);
    return outcome->judgement == GPUCODE_FUZZ_FINDING;
}

/* Until the fuzzer closes its end. */
static void serve(struct server *server)
{
    struct gpucode_fuzz_outcome outcome;
    uint32_t killed;
    while (read_word(&killed)) {
        int status;
        if (killed && server->idle > 0)
            kill(server->idle, SIGKILL); /* it is, because a run took too long; or about to be */
        if (server->idle > 0 && waitpid(server->idle, &status, killed ? 0 : WNOHANG) != 0)
            server->idle = 0;
        if (!server->idle && !start_idle(server))
            return;
        if (!write_word((uint32_t)server->idle))
            return;
        bool found = run_input(server, &outcome);
        if (!write_word(found ? FINDING_STATUS : 0))
            return;
    }
}

/* Without afl-fuzz: one input is tried, as afl-showmap and people do it. */
static int run_alone(struct server *server)
{
    struct gpucode_fuzz_outcome outcome;
    const struct arguments *arguments = &server->fuzzing->session->arguments;
    if (arguments->operand_count > 1 && !freopen(arguments->operands[1], "rb", stdin))
        return complain(&server->fuzzing->session->diagnostics, CLI_OPEN, arguments->operands[1], NULL,
                        strerror(errno));
    if (!server->map) {
        server->map = server->scratch = calloc(1, server->subject.inner.map_size);
        server->map_size = server->subject.inner.map_size;
        if (!server->map || server->subject.inner.attach(server->subject.inner.user, server->map, server->map_size))
            return out_of_memory(&server->fuzzing->session->diagnostics);
    }
    run_input(server, &outcome);
    if (outcome.judgement == GPUCODE_FUZZ_PASS)
        return EXIT_DONE;
    printf("%s: %s\n", outcome.key, outcome.text);
    return outcome.judgement == GPUCODE_FUZZ_FINDING ? EXIT_FINDINGS : EXIT_DONE;
}

static int fuzz_under_afl(struct fuzzing *fuzzing)
{
    struct server server = {.fuzzing = fuzzing};
    int code = fuzz_subject_open(fuzzing, &server.subject);
    for (unsigned i = 1; i < sizeof marks / sizeof *marks; i++)
        if (getenv(marks[i])) /* never; but so the marks stay in the program */
            code = EXIT_INPUT;
    if (!code && getenv(marks[0]) && !attach_map(&server))
        code = complain(&fuzzing->session->diagnostics, CLI_FUZZ_MAP, NULL, NULL, (unsigned long)server.map_size);
    if (!code) {
        if (server.map && greet(&server))
            serve(&server);
        else
            code = run_alone(&server);
    }
    if (server.idle > 0)
        kill(server.idle, SIGKILL);
    if (server.subject.inner.attach) /* otherwise it was not opened whole */
        server.subject.inner.attach(server.subject.inner.user, NULL, 0);
    free(server.scratch);
    fuzz_subject_close(fuzzing, &server.subject);
    return code;
}

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
    for (size_t i = 0; i < used; i++)
        if (!kit_fuzz_begins_key(fuzzing->ignored[i]))
            return complain(&fuzzing->session->diagnostics, CLI_FUZZ_KIND, NULL,
                            "stack, level, length, gap, hang, endless, left, differs, stops, assert, or the code of a "
                            "fault without its set",
                            fuzzing->ignored[i]);
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

/* Options that ask for something else than fuzzing. */
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

/* Complains of what has no effect with tool `number`: another one, or coverage where inputs are not kept. */
static int check_alone(struct session *session, unsigned number)
{
    static const enum option_id coverage[] = {OPTION_FUZZ_GRAPH, OPTION_LCOV};
    enum option_id tool = tools[number].option, idle = OPTION_COUNT;
    for (unsigned i = number + 1; i < sizeof tools / sizeof *tools; i++)
        if (arguments_have(&session->arguments, tools[i].option))
            idle = tools[i].option;
    for (unsigned i = 0; i < sizeof coverage / sizeof *coverage && tool != OPTION_FUZZ_CAMPAIGN; i++)
        if (arguments_have(&session->arguments, coverage[i]))
            idle = coverage[i];
    return idle == OPTION_COUNT ? EXIT_DONE
                                : complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL,
                                           option_table[idle].name, option_table[tool].name);
}

static int perform(struct fuzzing *fuzzing)
{
    const struct arguments *arguments = &fuzzing->session->arguments;
    int more = arguments->operand_count - 1;
    for (unsigned i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (!arguments_have(arguments, tools[i].option))
            continue;
        int code = check_alone(fuzzing->session, i);
        if (code)
            return code;
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
