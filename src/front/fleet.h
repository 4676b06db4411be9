/* SPDX-License-Identifier: MIT */
/*
 * Work on many files: by several processes, with the output as one process would have written it, in the order of the
 * files. A process that ends badly loses its file alone.
 */
#ifndef FRONT_FLEET_H
#define FRONT_FLEET_H

#include <stdbool.h>
#include <stddef.h>

struct session;

/* The files that a command is about: its operands, folders replaced by the files in them, of one shard. */
struct fleet_files {
    char **paths;
    size_t count;
};

/* Takes --shard into account. Complains and returns an exit code. */
int fleet_files(struct session *session, struct fleet_files *files);
void fleet_files_free(struct fleet_files *files);

struct fleet {
    struct session *session;
    /* Works on file `index`, what it prints included, and fills in FLEET_RECORD bytes of record. Returns an exit code.
     */
    int (*work)(void *user, size_t index, void *record);
    /* Told of each file in order, in the first process, when what it printed is out; may be null. */
    void (*done)(void *user, size_t index, int code, const void *record);
    void *user;
};
#define FLEET_RECORD 16

/*
 * With as many processes as -j says; without it as many as there are processors where the files are many. Returns the
 * gravest exit code.
 */
int fleet_run(const struct fleet *fleet, size_t count);

/*
 * Runs a command of one file for each of its files. `heading`: several are shown one after another, each below its name,
 * and not written to a folder of -o. The operands are put back.
 */
int fleet_command(struct session *session, int (*command)(struct session *session), bool heading);

#endif
