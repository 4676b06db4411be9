/* SPDX-License-Identifier: MIT */
/*
 * What the library knows, printed for other programs: an exporter a file, all of them made of rows, names, flow and
 * effects as the public headers give them, so that a new instruction or set appears everywhere by itself. None of them
 * names a set.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "front/session.h"

#include <gpucode/answer.h>
#include <gpucode/insn.h>
#include <stdio.h>

/* A file that an exporter makes, by its path below the folder of -o. */
struct export_file {
    char *path, *bytes;
    size_t size;
};

/* One run of an exporter. */
struct export
{
    struct session *session;
    const struct gpucode_target *target; /* of -t; null: every set and target */
    const char *input;                   /* a file that names are to be given to, or null */
    struct export_file *files;
    unsigned file_count;
    size_t file_room;
    FILE *out; /* of the last file, until the next one begins */
    bool failed;
    int code; /* of what an exporter complained about */
};

struct exporter {
    const char *name, *summary;
    bool takes_file; /* FILE stands after the name of the format */
    void (*write)(struct export *export);
};

/* After the last one the name is null. */
extern const struct exporter exporters[];

/* Runs an exporter; the files are complete after it. Complains and returns an exit code. */
int export_run(struct export *export, const struct exporter *exporter);
void export_free(struct export *export);

/*
 * Begins a file, whose path is made as printf() does, and ends the one before it. Null: no memory, and nothing more is
 * to be written.
 */
__attribute__((format(printf, 2, 3))) FILE *export_begin(struct export *export, const char *path, ...);

/* What the file that was begun last holds, as JSON with a member a line; ends and frees it. */
struct gpucode_answer *export_answer(const struct export *export);
void export_answer_end(struct export *export, struct gpucode_answer *answer);

/* The bits of a word in which a field lies. */
static inline uint64_t export_field_bits(const struct gpucode_row_field *field)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < field->piece_count; i++)
        bits |= ~UINT64_C(0) >> (64 - field->pieces[i].width) << field->pieces[i].shift;
    return bits;
}

/* Set number `index`, as its first target, or the one of -t; null after the last. */
const struct gpucode_target *export_set(const struct export *export, unsigned index);
/* Target number `index` of the set of `of` that is exported; null after the last. */
const struct gpucode_target *export_target(const struct export *export, const struct gpucode_target *of,
                                           unsigned index);
/* A target of the set that has the row, and that is exported; null: there is none. */
const struct gpucode_target *export_row_target(const struct export *export, const struct gpucode_target *of,
                                               unsigned row);
/* Have both targets the same names in a space? */
bool export_same_names(const struct gpucode_target *a, const struct gpucode_target *b, enum gpucode_space space);

/* One for each format. */
void export_json(struct export *export);
void export_tree_sitter(struct export *export);
void export_textmate(struct export *export);
void export_vim(struct export *export);
void export_pygments(struct export *export);
void export_kate(struct export *export);
void export_sleigh(struct export *export);
void export_names(struct export *export);

#endif
