/* SPDX-License-Identifier: MIT */
/* gpucode schedule: delays and sync bits put in, source or binary as the input is. */
#include "front/answer.h"
#include "front/code.h"
#include "front/input.h"
#include "front/output.h"
#include "front/session.h"
#include "kit/kit.h"

#include <gpucode/lint.h>
#include <gpucode/schedule.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_SCHEDULE
#include <gpucode/answer_rows.h>
ANSWER_TABLE(schedule, "What scheduling has changed.");

/* *text is malloc'ed. */
static int make_text(struct session *session, const struct input *input, const struct gpucode_scheduled *scheduled,
                     char **text, size_t *length)
{
    struct gpucode_image_options options = {.target = input->target};
    struct gpucode_disasm_options how = {.names = input_names(input)};
    const struct kit *kit = kit_of(input->target);
    struct gpucode_image *image;
    char *code_text = NULL;
    size_t code_length;
    enum gpucode_status status = gpucode_image_open(scheduled->bytes, scheduled->size, &options, &image);
    if (status == GPUCODE_OK) {
        status = gpucode_disassemble(image, &how, &code_text, &code_length);
        gpucode_image_free(image);
    }
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    *text = NULL;
    FILE *out = text_stream_open(text, length);
    if (out) {
        if (input->program && kit && kit->declare)
            kit->declare(out, input->program);
        fwrite(code_text, 1, code_length, out);
    }
    free(code_text);
    return out && text_stream_close(out) ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

/* The source's own lines, edited; false, with a note, when that does not give the scheduled bytes. *text: malloc'ed. */
static bool edit_text(struct session *session, const struct input *input, const struct gpucode_scheduled *scheduled,
                      char **text, size_t *length)
{
    for (unsigned attempt = 0; attempt < 2; attempt++) { /* padding may come from a directive */
        struct gpucode_replacement code = {scheduled->bytes, scheduled->origins, scheduled->units, !attempt};
        if (gpucode_program_rewrite(input->program, &code, text, length) != GPUCODE_OK)
            continue;
        if (input_gives(session, input, *text, *length, scheduled->bytes, scheduled->size))
            return true;
        free(*text);
        *text = NULL;
    }
    complain(&session->diagnostics, CLI_SCHEDULE_TEXT, input->file.name, NULL);
    return false;
}

/* What is told of the result when it is written, in memory: there is no result without it. `path`: null for standard
 * output. *text is malloc'ed. */
static int make_counts(struct session *session, const struct input *input, const struct gpucode_scheduled *scheduled,
                       const char *path, char **text, size_t *length)
{
    bool saved = scheduled->slots <= scheduled->slots_before;
    uint32_t less = scheduled->slots_before - scheduled->slots, more = scheduled->slots - scheduled->slots_before;
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_begin(answer, &fields[SCHEDULED]);
    gpucode_answer_text(answer, &fields[FILE_NAME], input->file.name);
    gpucode_answer_text(answer, &fields[OUTPUT_NAME], path);
    gpucode_answer_number(answer, &fields[SIZE], scheduled->size);
    gpucode_answer_number(answer, &fields[SLOTS_BEFORE], scheduled->slots_before);
    gpucode_answer_number(answer, &fields[SLOTS], scheduled->slots);
    gpucode_answer_number(answer, &fields[saved ? SAVED : ADDED], saved ? less : more);
    gpucode_answer_number(answer, &fields[SYNC_BITS_BEFORE], scheduled->sync_bits_before);
    gpucode_answer_number(answer, &fields[SYNC_BITS], scheduled->sync_bits);
    gpucode_answer_number(answer, &fields[SYNC_BITS_WERE], scheduled->sync_bits_before);
    gpucode_answer_end(answer);
    int code = answer_text(session, answer, text, length);
    gpucode_answer_free(answer);
    return code;
}

static int write_result(struct session *session, const struct input *input, const struct gpucode_scheduled *scheduled)
{
    const char *path = session->arguments.value[OPTION_OUTPUT], *form = session->arguments.value[OPTION_FORM];
    const char *natural = form && (strcmp(form, "text") == 0 || strcmp(form, "binary") == 0) ? form
                          : input->program                                                   ? "text"
                                                                                             : "binary";
    char *text = NULL, *told = NULL;
    size_t length = 0, told_length = 0;
    bool beside = !path || strcmp(path, "-") == 0; /* the code is on standard output */
    int code = form_write(session, natural, input->target, scheduled->bytes, scheduled->size, &text, &length);
    if (!code && !text && strcmp(natural, "text") == 0)
        code = input->program && edit_text(session, input, scheduled, &text, &length)
                   ? EXIT_DONE
                   : make_text(session, input, scheduled, &text, &length);
    if (!code)
        code = make_counts(session, input, scheduled, beside ? NULL : path, &told, &told_length);
    if (!code)
        code = outputs_write(&session->diagnostics, path ? path : "-", text ? text : scheduled->bytes,
                             text ? length : scheduled->size);
    if (!code)
        fwrite(told, 1, told_length, session->json && !beside ? stdout : stderr);
    free(told);
    free(text);
    return code;
}

static void count_finding(void *user, const struct gpucode_finding *finding)
{
    unsigned *count = user;
    *count += finding->severity != GPUCODE_NOTE;
}

/* Tells how much lint still finds in the result: nops and sync bits cannot correct everything. */
static void note_left(struct session *session, const struct input *input, const struct gpucode_scheduled *scheduled)
{
    struct gpucode_image_options options = {.target = input->target};
    unsigned count = 0;
    struct gpucode_lint_options how = {.report = count_finding, .user = &count};
    struct gpucode_image *image;
    if (gpucode_image_open(scheduled->bytes, scheduled->size, &options, &image) != GPUCODE_OK)
        return;
    if (gpucode_lint(image, &how, NULL) == GPUCODE_OK && count)
        complain(&session->diagnostics, CLI_SCHEDULE_LEFT, input->file.name, "`gpucode lint` shows them", count,
                 count == 1 ? "" : "s");
    gpucode_image_free(image);
}

int command_schedule(struct session *session)
{
    struct input input;
    struct gpucode_scheduled scheduled;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    const char *strip = session->arguments.value[OPTION_STRIP];
    struct gpucode_schedule_options options = {
        .strip = !strip                           ? GPUCODE_STRIP_NOTHING
                 : strcmp(strip, "needless") == 0 ? GPUCODE_STRIP_NEEDLESS
                                                  : GPUCODE_STRIP_ALL,
        .reorder = arguments_have(&session->arguments, OPTION_REORDER),
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
        .file = input.file.name,
    };
    if ((code = input_check_whole(session, &input)) != 0) {
        input_close(&input);
        return code;
    }
    enum gpucode_status status = gpucode_schedule(input.image, &options, &scheduled);
    if (status == GPUCODE_OK) {
        code = write_result(session, &input, &scheduled);
        if (!code && options.strip != GPUCODE_STRIP_ALL)
            note_left(session, &input, &scheduled);
        gpucode_scheduled_free(&scheduled);
    } else {
        code = status == GPUCODE_ERROR_UNSUPPORTED ? complain(&session->diagnostics, CLI_CANNOT, input.file.name, NULL,
                                                              gpucode_target_isa(input.target), "schedule")
                                                   : code_status(session, input.file.name, status);
    }
    input_close(&input);
    return code;
}
