/* SPDX-License-Identifier: MIT */
#include "front/answer.h"

#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"

#include <stdlib.h>

/* Errors stay with the stream, and main() tells of them. */
static bool write_to(void *user, const char *text, size_t length)
{
    fwrite(text, 1, length, user);
    return true;
}

static struct gpucode_answer_options options_of(const struct session *session, FILE *out)
{
    bool painted = session->paint && session->color && !session->json && !session->markdown && out == stdout;
    return (struct gpucode_answer_options){
        .form = session->json       ? GPUCODE_ANSWER_AS_JSON
                : session->markdown ? GPUCODE_ANSWER_AS_MARKDOWN
                                    : GPUCODE_ANSWER_AS_TEXT,
        .write = painted ? paint_write : write_to,
        .user = painted ? (void *)session->paint : out,
        .columns = terminal_columns(out),
        .color = session->color && out == stdout,
    };
}

struct gpucode_answer *answer_begin_on(const struct session *session, FILE *out)
{
    struct gpucode_answer_options options = options_of(session, out);
    return gpucode_answer_stream(&options);
}

struct gpucode_answer *answer_begin(const struct session *session)
{
    return answer_begin_on(session, stdout);
}

struct gpucode_answer *answer_begin_indented(const struct session *session)
{
    struct gpucode_answer_options options = options_of(session, stdout);
    options.indent = true;
    return gpucode_answer_stream(&options);
}

struct gpucode_answer *answer_begin_listing(const struct session *session)
{
    struct gpucode_answer_options options = options_of(session, stdout);
    options.columns = 0;
    return gpucode_answer_stream(&options);
}

static int exit_code(struct session *session, enum gpucode_status status)
{
    return status == GPUCODE_OK ? EXIT_DONE
           : status == GPUCODE_ERROR_MEMORY
               ? out_of_memory(&session->diagnostics)
               : complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, gpucode_status_text(status));
}

int answer_end(struct session *session, struct gpucode_answer *answer)
{
    enum gpucode_status status = gpucode_answer_finish(answer);
    gpucode_answer_free(answer);
    return exit_code(session, status);
}

int answer_text(struct session *session, const struct gpucode_answer *answer, char **text, size_t *length)
{
    struct gpucode_answer_options options = options_of(session, stdout);
    return exit_code(session, gpucode_answer_print(answer, &options, text, length));
}

struct made_file {
    int (*put)(void *user, struct gpucode_answer *answer);
    void *user;
    int code;
};

/* For outputs_add_made(). */
static bool make_file(void *user, int descriptor)
{
    struct made_file *made = user;
    const struct gpucode_answer_options options = {
        .form = GPUCODE_ANSWER_AS_JSON, .write = output_write_piece, .user = &descriptor};
    struct gpucode_answer *answer = gpucode_answer_stream(&options);
    made->code = made->put(made->user, answer);
    enum gpucode_status status = made->code ? GPUCODE_OK : gpucode_answer_finish(answer);
    gpucode_answer_free(answer);
    return output_made(status);
}

int answer_file(struct session *session, const char *path, int (*put)(void *user, struct gpucode_answer *answer),
                void *user)
{
    struct made_file made = {put, user, EXIT_DONE};
    struct outputs outputs = {.diagnostics = &session->diagnostics};
    int code = outputs_add_made(&outputs, path, make_file, &made);
    return outputs_close(&outputs, code ? code : made.code);
}

struct made_line {
    int (*put)(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form);
    void *user;
};

static int put_trace(void *user, struct gpucode_answer *answer)
{
    const struct made_line *line = user;
    return line->put(line->user, answer, GPUCODE_TIME_LINE_TRACE);
}

int answer_time_line(struct session *session, const char *path,
                     int (*put)(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form),
                     void *user)
{
    if (path)
        return answer_file(session, path, put_trace, &(struct made_line){put, user});
    struct gpucode_answer *answer = answer_begin_listing(session);
    int code = put(user, answer, GPUCODE_TIME_LINE_RECORDS), told = answer_end(session, answer);
    return code ? code : told;
}

int answer_page(struct session *session, const struct gpucode_answer *answer, const char *path, const char *title)
{
    const struct gpucode_answer_options options = {.form = GPUCODE_ANSWER_AS_HTML, .title = title};
    char *text = NULL;
    size_t length = 0;
    int code = exit_code(session, gpucode_answer_print(answer, &options, &text, &length));
    if (!code)
        code = outputs_write(&session->diagnostics, path, text, length);
    free(text);
    return code;
}

int answer_end_page(struct session *session, struct gpucode_answer *answer, const char *path, const char *title)
{
    if (!path)
        return answer_end(session, answer);
    int code = answer_page(session, answer, path, title);
    gpucode_answer_free(answer);
    return code;
}
