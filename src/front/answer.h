/* SPDX-License-Identifier: MIT */
/*
 * What a command tells: an answer (<gpucode/answer.h>) on its way to standard output, as text or as JSON, as the
 * options ask for.
 *
 *     struct gpucode_answer *answer = answer_begin(session);
 *     gpucode_privileges(analysis, answer);
 *     return answer_end(session, answer);
 */
#ifndef FRONT_ANSWER_H
#define FRONT_ANSWER_H

#include <gpucode/answer.h>
#include <gpucode/time_line.h>
#include <stdio.h>

struct session;

/* Rendered at once. Null, when out of memory, is an answer as well: answer_end() tells. */
struct gpucode_answer *answer_begin(const struct session *session);
/* The same; JSON has a member a line. */
struct gpucode_answer *answer_begin_indented(const struct session *session);
/* The same; text is a listing, whose lines are never wrapped. */
struct gpucode_answer *answer_begin_listing(const struct session *session);
/* The same on another stream. */
struct gpucode_answer *answer_begin_on(const struct session *session, FILE *out);
/* Ends and frees it. Complains and returns an exit code. */
int answer_end(struct session *session, struct gpucode_answer *answer);
/* The same in memory, for what is told when something else is done; *text is to be freed. Returns an exit code. */
int answer_text(struct session *session, const struct gpucode_answer *answer, char **text, size_t *length);
/*
 * What `put` puts into an answer, as JSON in the file `path`, which stands only when it is whole; nothing of it is
 * kept. `put` returns the exit code of what it complained of. Returns an exit code.
 */
int answer_file(struct session *session, const char *path, int (*put)(void *user, struct gpucode_answer *answer),
                void *user);
/*
 * A time line, which `put` puts into an answer in the form that it is given: its records on standard output, or where
 * there is a path the file of the trace. Exit codes as those of answer_file().
 */
int answer_time_line(struct session *session, const char *path,
                     int (*put)(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form),
                     void *user);
/* Renders an answer that was kept as a page of HTML, which becomes the file `path`. Returns an exit code. */
int answer_page(struct session *session, const struct gpucode_answer *answer, const char *path, const char *title);
/* Ends and frees an answer: as a page at `path`, for which it was kept; null: as answer_end(). Returns an exit code. */
int answer_end_page(struct session *session, struct gpucode_answer *answer, const char *path, const char *title);

/*
 * After the fields of a command's own answer (<gpucode/answer_rows.h>) makes a table of them, which a row of
 * cli/schema.def names:
 *
 *     #define ANSWER_ROWS "cli/answer.def"
 *     #define ANSWER_PART_SCHEDULE
 *     #include <gpucode/answer_rows.h>
 *     ANSWER_TABLE(schedule, "What scheduling has changed.");
 */
#define ANSWER_TABLE(name, meaning)                                                                                    \
    const struct gpucode_answer_table name##_answer_table = {#name, meaning, fields, sizeof fields / sizeof *fields}

#endif
