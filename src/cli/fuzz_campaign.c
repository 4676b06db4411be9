/* SPDX-License-Identifier: MIT */
/* Rounds until runs, time or patience end. */
#include "cli/fuzz.h"
#include "front/arguments.h"
#include "front/session.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define IMPORT_SECONDS 5.0 /* between looks at what other instances have found */
#define PRESET_SECONDS 60  /* where neither --runs nor --seconds is given and nobody watches */

static void stop(int number)
{
    (void)number;
    fuzz_stopped = 1;
}

/* --- seeds ------------------------------------------------------------------------------------------------------- */

static int add_seed(void *to, const void *bytes, size_t size)
{
    struct fuzzing *fuzzing = to;
    return gpucode_fuzz_add(fuzzing->workers[0], bytes, size, "seed", NULL) == GPUCODE_OK
               ? EXIT_DONE
               : out_of_memory(&fuzzing->session->diagnostics);
}

/* The files of --from: recorded streams, files of packets and inputs. */
static int take_seeds(struct fuzzing *fuzzing)
{
    const struct arguments *arguments = &fuzzing->session->arguments;
    const struct kit_fuzz_sink sink = {add_seed, fuzzing};
    const char *path;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && (path = arguments_value_at(arguments, OPTION_FUZZ_FROM, i)); i++) {
        if (fuzzing->kit->seeds && (fuzz_name_ends(path, ".rd") || fuzz_name_ends(path, ".rd.gz"))) {
            code = fuzzing->kit->seeds(fuzzing->session, &fuzzing->subjects[0].inner, path, &sink);
            continue;
        }
        unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
        size_t size;
        code = fuzz_read_input(fuzzing, &fuzzing->subjects[0], path, bytes, &size);
        if (!code)
            code = add_seed(fuzzing, bytes, size);
    }
    return code;
}

/* --- the loop ---------------------------------------------------------------------------------------------------- */

/* How many runs the next round has; 0: it is the end. */
static uint64_t next_runs(const struct fuzzing *fuzzing, uint64_t done)
{
    uint64_t runs = (uint64_t)FUZZ_TASKS * FUZZ_TASK_RUNS;
    if (fuzz_stopped || (fuzzing->seconds && fuzz_seconds(fuzzing) >= (double)fuzzing->seconds))
        return 0;
    if (fuzzing->runs)
        runs = done >= fuzzing->runs ? 0 : fuzzing->runs - done < runs ? fuzzing->runs - done : runs;
    return runs;
}

static int run_rounds(struct fuzzing *fuzzing)
{
    int code = EXIT_DONE;
    double imported = -IMPORT_SECONDS; /* at once */
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    for (uint64_t runs; !code && (runs = next_runs(fuzzing, numbers.runs - fuzzing->loaded));
         fuzzing->task += FUZZ_TASKS) {
        if (!fuzz_round(fuzzing, fuzzing->task, runs) && fuzzing->failed)
            return out_of_memory(&fuzzing->session->diagnostics);
        gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
        fuzz_screen_show(fuzzing, false);
        if (!fuzzing->files)
            continue;
        code = fuzz_folder_save(fuzzing);
        if (!code && fuzz_seconds(fuzzing) - imported >= IMPORT_SECONDS) {
            imported = fuzz_seconds(fuzzing);
            code = fuzz_folder_import(fuzzing);
        }
    }
    return code;
}

/* Writes what is to be known of all that ran, if `code` is EXIT_DONE, and closes folder and workers. Returns an exit
 * code. */
static int fuzz_finish(struct fuzzing *fuzzing, int code)
{
    if (!code)
        code = fuzz_write_coverage(fuzzing);
    if (!code)
        code = fuzz_report(fuzzing);
    fuzz_folder_close(fuzzing);
    fuzz_workers_close(fuzzing);
    return code;
}

int fuzz_loop(struct fuzzing *fuzzing)
{
    const struct sigaction action = {.sa_handler = stop};
    struct sigaction old[2];
    if (!fuzzing->runs && !fuzzing->seconds && !isatty(STDOUT_FILENO))
        fuzzing->seconds = PRESET_SECONDS;
    int code = fuzz_workers_open(fuzzing);
    if (!code && fuzzing->folder)
        code = fuzz_folder_open(fuzzing);
    clock_gettime(CLOCK_MONOTONIC, &fuzzing->started);
    if (!code)
        code = take_seeds(fuzzing);
    if (!code) {
        fuzz_stopped = 0;
        sigaction(SIGINT, &action, &old[0]);
        sigaction(SIGTERM, &action, &old[1]);
        fuzz_screen_begin(fuzzing);
        code = run_rounds(fuzzing);
        sigaction(SIGINT, &old[0], NULL);
        sigaction(SIGTERM, &old[1], NULL);
        fuzz_screen_show(fuzzing, true);
    }
    if (!code && fuzzing->files)
        code = fuzz_folder_save(fuzzing);
    return fuzz_finish(fuzzing, code);
}

/*
 * A campaign: several processes on one folder, afl-fuzz the first of them where it is installed. When they have ended,
 * what they have found is gathered in the folder of this instance.
 */

#define PROCESSES_MAX 64u
#define WORDS_MAX 256u

/* A command line that is being put together; words that are made are kept in `text`. */
struct line {
    char *words[WORDS_MAX];
    unsigned count;
    char text[16384];
    size_t used;
    bool full;
};

static void add_word(struct line *line, const char *format, const char *word)
{
    char *at = line->text + line->used;
    size_t room = sizeof line->text - line->used;
    int length = snprintf(at, room, format, word);
    line->full |= length < 0 || (size_t)length >= room || line->count + 2 > WORDS_MAX;
    if (line->full)
        return;
    line->words[line->count++] = at;
    line->words[line->count] = NULL;
    line->used += (size_t)length + 1;
}

/* The options that all processes get: those that say what is fuzzed. */
static void add_options(const struct fuzzing *fuzzing, struct line *line)
{
    static const enum option_id mine[] = {OPTION_OUTPUT,    OPTION_FUZZ_NAME,    OPTION_FUZZ_SEED, OPTION_FUZZ_CAMPAIGN,
                                          OPTION_FUZZ_RUNS, OPTION_FUZZ_SECONDS, OPTION_FUZZ_JOBS, OPTION_JSON,
                                          OPTION_LCOV,      OPTION_FUZZ_GRAPH};
    const struct arguments *arguments = &fuzzing->session->arguments;
    for (enum option_id id = 0; id < OPTION_COUNT; id++) {
        bool skipped = !arguments->count[id] || !command_has_first(fuzzing->session->command, id) || option_repeats(id);
        for (unsigned i = 0; i < sizeof mine / sizeof *mine; i++)
            skipped |= mine[i] == id;
        if (skipped)
            continue;
        add_word(line, "--%s", option_table[id].name);
        if (arguments->value[id])
            add_word(line, "%s", arguments->value[id]);
    }
    for (unsigned i = 0; i < arguments->given_count; i++)
        if (command_has_first(fuzzing->session->command, arguments->given[i].option)) {
            add_word(line, "--%s", option_table[arguments->given[i].option].name);
            add_word(line, "%s", arguments->given[i].value);
        }
}

static void add_number(struct line *line, const char *format, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    add_word(line, format, text);
}

/* How long it is to run, where that is told. */
static void add_limits(const struct fuzzing *fuzzing, struct line *line, const char *seconds, const char *runs)
{
    if (fuzzing->seconds)
        add_number(line, seconds, fuzzing->seconds);
    if (fuzzing->runs)
        add_number(line, runs, fuzzing->runs);
}

static bool own_path(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = 0;
    return length > 0;
}

static void add_own(const struct fuzzing *fuzzing, struct line *line, const char *program, unsigned number)
{
    char text[64];
    add_word(line, "%s", program);
    add_word(line, "fuzz%s", "");
    add_word(line, "%s", fuzzing->session->arguments.operands[0]);
    add_options(fuzzing, line);
    add_word(line, "-o%s", "");
    add_word(line, "%s", fuzzing->folder);
    snprintf(text, sizeof text, "%u", number);
    add_word(line, "--name=%s", fuzzing->name);
    /* the number belongs to the name */
    if (line->count && !line->full && line->used + strlen(text) < sizeof line->text) {
        strcpy(line->text + line->used - 1, text);
        line->used += strlen(text);
    }
    add_number(line, "--seed=%s", fuzzing->seed + number);
    add_limits(fuzzing, line, "--seconds=%s", "--runs=%s");
}

/* --- afl-fuzz ----------------------------------------------------------------------------------------------------- */

/* Is there a program of that name that the shell would find? */
static bool is_installed(const char *name)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        if (length && length < sizeof file - 64) {
            snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
            if (access(file, X_OK) == 0)
                return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* The mutator stands where it was built or installed. */
static bool find_mutator(const char *program, char path[PATH_MAX])
{
    static const char *const places[] = {"src/fuzzer/libgpucode-mutator.so",
                                         GPUCODE_LIBDIR_FROM_BIN "/gpucode/libgpucode-mutator.so",
                                         "../lib/gpucode/libgpucode-mutator.so"};
    const char *slash = strrchr(program, '/');
    for (unsigned i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - program), program, places[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* A first input and the kinds of records, which afl-fuzz wants as files. */
static int write_start(struct fuzzing *fuzzing, char seeds[PATH_MAX], char kinds[PATH_MAX], char dictionary[PATH_MAX])
{
    char path[PATH_MAX];
    struct fuzz_subject subject;
    snprintf(seeds, PATH_MAX, "%s/.seeds", fuzzing->folder);
    snprintf(kinds, PATH_MAX, "%s/.kinds", fuzzing->folder);
    snprintf(dictionary, PATH_MAX, "%s/.dictionary", fuzzing->folder);
    int code = fuzz_subject_open(fuzzing, &subject); /* complains of what is wrong before there is a folder */
    if (!code && ((mkdir(fuzzing->folder, 0777) != 0 && errno != EEXIST) || (mkdir(seeds, 0777) != 0 && errno != EEXIST)))
        code = complain(&fuzzing->session->diagnostics, CLI_CREATE, fuzzing->folder, NULL, strerror(errno));
    char *text = code ? NULL : gpucode_fuzz_kinds_text(&subject.inner, NULL);
    FILE *file = text ? fopen(kinds, "wb") : NULL;
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    if (!code && snprintf(path, sizeof path, "%.*s/start", PATH_MAX - 10, seeds) > 0 && (file = fopen(path, "wb"))) {
        fwrite("\0", 1, 2, file); /* the first kind of record, without words */
        fclose(file);
    }
    free(text);
    if (!code)
        code = fuzz_write_dictionary(fuzzing, &subject.inner, dictionary);
    fuzz_subject_close(fuzzing, &subject);
    return code;
}

static void add_afl(const struct fuzzing *fuzzing, struct line *line, const char *program, const char *seeds,
                    const char *dictionary)
{
    add_word(line, "afl-fuzz%s", "");
    add_word(line, "-i%s", seeds);
    add_word(line, "-o%s", fuzzing->folder);
    struct stat status;
    if (stat(dictionary, &status) == 0 && status.st_size) /* afl-fuzz refuses one without words */
        add_word(line, "-x%s", dictionary);
    add_word(line, "-M%s", fuzzing->name);
    if (!line->full && line->used + 1 < sizeof line->text) {
        strcpy(line->text + line->used - 1, "1");
        line->used++;
    }
    add_word(line, "-t1000%s", "");
    add_limits(fuzzing, line, "-V%s", "-E%s");
    add_word(line, "--%s", "");
    add_word(line, "%s", program);
    add_word(line, "fuzz%s", "");
    add_options(fuzzing, line);
    add_word(line, "--afl%s", "");
    add_word(line, "%s", fuzzing->session->arguments.operands[0]);
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* Starts one with its output in a file of the folder. */
static pid_t start(const struct fuzzing *fuzzing, const struct line *line, unsigned number)
{
    char log[PATH_MAX];
    snprintf(log, sizeof log, "%s/.log%u", fuzzing->folder, number);
    fflush(NULL);
    pid_t child = fork();
    if (child)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the same folder must be free at once when this process is killed */
    if (!freopen(log, "wb", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0 || !freopen("/dev/null", "rb", stdin))
        _exit(EXIT_FAULT);
    execvp(line->words[0], line->words);
    _exit(EXIT_FAULT);
}

static void set_afl(const char *program, const char *kinds)
{
    char mutator[PATH_MAX];
    static const char *const on[] = {"AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
                                     "AFL_NO_UI",        "AFL_NO_AFFINITY",
                                     "AFL_FINAL_SYNC",   "AFL_AUTORESUME"};
    for (unsigned i = 0; i < sizeof on / sizeof *on; i++)
        setenv(on[i], "1", 0);
    setenv("GPUCODE_FUZZ_KINDS", kinds, 0);
    if (find_mutator(program, mutator))
        setenv("AFL_CUSTOM_MUTATOR_LIBRARY", mutator, 0);
}

static int start_all(struct fuzzing *fuzzing, uint64_t count, pid_t *children)
{
    char program[PATH_MAX], seeds[PATH_MAX], kinds[PATH_MAX], dictionary[PATH_MAX];
    bool afl = is_installed("afl-fuzz");
    int code = write_start(fuzzing, seeds, kinds, dictionary);
    if (code)
        return code;
    if (!own_path(program))
        return complain(&fuzzing->session->diagnostics, CLI_FUZZ_PROCESS, NULL, NULL, strerror(errno));
    if (afl)
        set_afl(program, kinds);
    for (unsigned i = 0; i < count; i++) {
        static struct line line;
        line = (struct line){.count = 0};
        if (afl && i == 0)
            add_afl(fuzzing, &line, program, seeds, dictionary);
        else
            add_own(fuzzing, &line, program, i + 1);
        children[i] = line.full ? -1 : start(fuzzing, &line, i + 1);
        if (children[i] < 0)
            return complain(&fuzzing->session->diagnostics, CLI_FUZZ_PROCESS, NULL, NULL,
                            line.full ? "too many options" : strerror(errno));
        if (!fuzzing->session->json)
            printf("%s%u: %s, process %ld\n", fuzzing->name, i + 1, afl && i == 0 ? "afl-fuzz -M" : "gpucode",
                   (long)children[i]);
    }
    return EXIT_DONE;
}

static void ignore(int number)
{
    (void)number; /* the children get it too, and end in order */
}

static int take_crash(void *user, const char *path, const void *bytes, size_t size)
{
    struct fuzzing *fuzzing = user;
    const char *name = strrchr(path, '/');
    if (strncmp(name ? name + 1 : path, "id:", 3) != 0)
        return EXIT_DONE; /* AFL++'s README */
    return gpucode_fuzz_add(fuzzing->workers[0], bytes, size, "sync", NULL) == GPUCODE_OK
               ? EXIT_DONE
               : out_of_memory(&fuzzing->session->diagnostics);
}

/* What all have found, in the folder of this instance. */
static int gather(struct fuzzing *fuzzing, uint64_t count)
{
    fuzzing->jobs = 1;
    int code = fuzz_workers_open(fuzzing);
    if (!code)
        code = fuzz_folder_open(fuzzing);
    clock_gettime(CLOCK_MONOTONIC, &fuzzing->started);
    if (!code)
        code = fuzz_folder_import(fuzzing);
    for (unsigned i = 0; !code && i < count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s%u/crashes", fuzzing->folder, fuzzing->name, i + 1);
        code = fuzz_folder_visit(fuzzing, path, take_crash, fuzzing);
    }
    if (!code)
        code = fuzz_folder_save(fuzzing);
    fuzz_screen_begin(fuzzing);
    fuzz_screen_show(fuzzing, true);
    return fuzz_finish(fuzzing, code);
}

int fuzz_campaign(struct fuzzing *fuzzing)
{
    const struct sigaction action = {.sa_handler = ignore};
    struct sigaction old;
    pid_t children[PROCESSES_MAX] = {0};
    uint64_t count = 0;
    int code = value_number(fuzzing->session, OPTION_FUZZ_CAMPAIGN, "a number from 1 to 64", &count);
    if (!code && (!count || count > PROCESSES_MAX))
        code = value_refuse(fuzzing->session, OPTION_FUZZ_CAMPAIGN,
                            fuzzing->session->arguments.value[OPTION_FUZZ_CAMPAIGN], "a number from 1 to 64");
    if (!code && !fuzzing->folder)
        code = complain(&fuzzing->session->diagnostics, CLI_FUZZ_OUTPUT, NULL, "-o FOLDER says where they work");
    if (code)
        return code;
    sigaction(SIGINT, &action, &old);
    code = start_all(fuzzing, count, children);
    for (unsigned i = 0; i < count && children[i] > 0; i++) {
        int status = 0;
        if (code)
            kill(children[i], SIGTERM); /* SIGINT is lost on one that has not become another program yet */
        while (waitpid(children[i], &status, 0) < 0 && errno == EINTR)
            ;
        if (!code && WIFEXITED(status) && WEXITSTATUS(status) > EXIT_FINDINGS) {
            char text[64];
            snprintf(text, sizeof text, "process %u has ended with code %d; see .log%u of the folder", i + 1,
                     WEXITSTATUS(status), i + 1);
            code = complain(&fuzzing->session->diagnostics, CLI_FUZZ_PROCESS, NULL, NULL, text);
        }
    }
    sigaction(SIGINT, &old, NULL);
    return code ? code : gather(fuzzing, count);
}
