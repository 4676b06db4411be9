/* SPDX-License-Identifier: MIT */
/* Rounds until runs, time or patience end. */
#include "cli/fuzz.h"

#include "front/session.h"

#include <stdlib.h>
#include <string.h>
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
    uint64_t task = 0;
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    for (uint64_t runs; !code && (runs = next_runs(fuzzing, numbers.runs)); task += FUZZ_TASKS) {
        if (!fuzz_round(fuzzing, task, runs) && fuzzing->failed)
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

int fuzz_finish(struct fuzzing *fuzzing, int code)
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
