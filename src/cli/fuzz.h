/* SPDX-License-Identifier: MIT */
/*
 * gpucode fuzz.
 *
 *   fuzz.c            the command: which of the following is asked for
 *   fuzz_basis.c      the clock, Ctrl-C, inputs from files
 *   fuzz_workers.c    subjects, and workers that share the rounds
 *   fuzz_loop.c       rounds until runs, time or patience end
 *   fuzz_folder.c     the folder: queue, findings and numbers as AFL++ lays them out; what other instances have found
 *   fuzz_screen.c     what is told while it works, and at the end
 *   fuzz_tools.c      one input: tried, minimised, as text; a minimal set of many; coverage
 *   fuzz_campaign.c   several processes
 */
#ifndef CLI_FUZZ_H
#define CLI_FUZZ_H

#include "front/input.h"
#include "kit/fuzz.h"
#include <gpucode/fuzz.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define FUZZ_JOBS_MAX 64u
#define FUZZ_TASKS 16u      /* of a round */
#define FUZZ_TASK_RUNS 512u /* of a task */

struct session;

/* A subject of the kit with the findings that --ignore names taken out. */
struct fuzz_subject {
    struct gpucode_fuzz_subject inner, outer; /* the kit's; the one that the engine gets */
    const char *const *ignored;               /* ended by null */
    const struct kit_fuzz *kit;
};

struct fuzz_folder;

struct fuzz_screen {
    bool terminal, drawn, mute;
    double shown; /* seconds from the start */
};

struct fuzzing {
    struct session *session;
    const struct input *input;
    const struct kit_fuzz *kit;
    uint64_t seed, runs, seconds, jobs; /* 0 runs or seconds: no bound */
    const char *folder, *name;          /* of -o, or null; of the instance */
    const char **ignored;
    struct fuzz_subject *subjects; /* a job each */
    unsigned subject_count;
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_worker *workers[FUZZ_JOBS_MAX];
    struct fuzz_folder *files; /* null: nothing is written */
    struct timespec started;
    struct fuzz_screen screen;
    size_t told;     /* findings that were shown and written */
    size_t imported; /* inputs of other instances */
    uint64_t task;   /* number of the next one: tasks are not done twice when a campaign goes on */
    uint64_t loaded; /* runs that took back what was there */
    bool failed;     /* no memory: of the engine, or of a subject that is closed */
};

/* --- fuzz_basis.c --- */
bool fuzz_name_ends(const char *name, const char *end);
/* Reads an input: text where the name ends in .txt, else bytes. */
int fuzz_read_input(struct fuzzing *fuzzing, const struct fuzz_subject *subject, const char *path,
                    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size);
/* Ctrl-C was pressed. */
extern volatile sig_atomic_t fuzz_stopped;
double fuzz_seconds(const struct fuzzing *fuzzing);

/* --- fuzz_workers.c: complain and return exit codes --- */
int fuzz_subject_open(struct fuzzing *fuzzing, struct fuzz_subject *subject);
void fuzz_subject_close(struct fuzzing *fuzzing, struct fuzz_subject *subject);
/* The computer had no memory for one of the machines: what was found since is nothing. */
bool fuzz_lacks_memory(const struct fuzzing *fuzzing);
/* `jobs` subjects, the engine and its workers. fuzz_workers_close() whatever it returns. */
int fuzz_workers_open(struct fuzzing *fuzzing);
void fuzz_workers_close(struct fuzzing *fuzzing);
/* One round: tasks from number `first` on, about `runs` runs in all. False: out of memory, or stopped. */
bool fuzz_round(struct fuzzing *fuzzing, uint64_t first, uint64_t runs);

/* --- fuzz_loop.c --- */
int fuzz_loop(struct fuzzing *fuzzing);
/* --- fuzz_folder.c --- */
int fuzz_folder_open(struct fuzzing *fuzzing);
void fuzz_folder_close(struct fuzzing *fuzzing);
/* Writes what is new, and the numbers. */
int fuzz_folder_save(struct fuzzing *fuzzing);
/* Takes what other instances have put beside. */
int fuzz_folder_import(struct fuzzing *fuzzing);
/* Calls `take` for each input file of a folder of any instance (queue), or for the file itself. */
int fuzz_folder_visit(struct fuzzing *fuzzing, const char *path,
                      int (*take)(void *user, const char *path, const void *bytes, size_t size), void *user);

/* --- fuzz_screen.c --- */
void fuzz_screen_begin(struct fuzzing *fuzzing);
void fuzz_screen_show(struct fuzzing *fuzzing, bool last);
/* The end: findings and numbers. Returns an exit code. */
int fuzz_report(struct fuzzing *fuzzing);

/* --- fuzz_tools.c, fuzz_campaign.c --- */
int fuzz_try(struct fuzzing *fuzzing);
int fuzz_minimise(struct fuzzing *fuzzing);
int fuzz_to_packets(struct fuzzing *fuzzing);
int fuzz_from_packets(struct fuzzing *fuzzing);
int fuzz_merge(struct fuzzing *fuzzing);
int fuzz_write_kinds(struct fuzzing *fuzzing);
int fuzz_dictionary(struct fuzzing *fuzzing);
/* Words worth trying as afl-fuzz -x takes them. Complains and returns an exit code. */
int fuzz_write_dictionary(const struct fuzzing *fuzzing, const struct gpucode_fuzz_subject *subject, const char *path);
int fuzz_write_coverage(struct fuzzing *fuzzing);
int fuzz_campaign(struct fuzzing *fuzzing);

#endif
