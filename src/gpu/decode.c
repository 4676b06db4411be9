/* SPDX-License-Identifier: MIT */
/* gpucode decode: the packets of a recorded stream, with names and meanings. */
#include "gpu/decode.h"
#include "cli_gpu_messages.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/file.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"

#include <errno.h>
#include <gpucode/stream_source.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* gpucode decode --source and gpucode encode: a recording as text that can be edited, and back. */

struct way_out {
    const struct gpucode_stream *stream;
    const struct gpucode_stream_source_options *options;
};

/* For outputs_add_made(). */
static bool make_text(void *user, int descriptor)
{
    const struct way_out *way = user;
    return output_made(gpucode_stream_source(way->stream, way->options, output_write_piece, &descriptor));
}

/* Writes the recording as text that can be edited. Complains and returns an exit code. */
static int decode_source(struct session *session, const struct decoding *decoding)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    const struct gpucode_stream_source_options options = {
        .target = decoding->options.target, .family = decoding->options.family, .shaders = decoding->options.shaders};
    struct way_out way = {.stream = decoding->recording.stream, .options = &options};
    struct outputs outputs = {.diagnostics = &session->diagnostics};
    return outputs_close(&outputs, outputs_add_made(&outputs, path ? path : "-", make_text, &way));
}

int command_encode(struct session *session)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    struct file source;
    void *bytes;
    size_t size;
    if (!path && isatty(STDOUT_FILENO))
        return complain(&session->diagnostics, CLI_NO_OUTPUT, NULL, "name a file with -o");
    int code = mapped_open(&source, session->arguments.operands[0], &session->diagnostics);
    if (code)
        return code;
    const struct gpucode_stream_encode_options options = {.file_name = source.name,
                                                          .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_stream_encode(source.bytes, source.size, &options, &bytes, &size);
    code = mapped_check(&source, &session->diagnostics);
    if (!code && status != GPUCODE_OK)
        code = code_status(session, source.name, status);
    if (status == GPUCODE_ERROR_INPUT && !gpucode_stream_source_recognise(source.bytes, source.size))
        kinds_tell(session, &source);
    if (!code)
        code = outputs_write(&session->diagnostics, path ? path : "-", bytes, size);
    if (status == GPUCODE_OK)
        free(bytes);
    mapped_close(&source);
    diagnostics_total(&session->diagnostics);
    return code;
}

static int open_recording(struct session *session, const char *path, struct decoding *decoding)
{
    struct recording *recording = &decoding->recording;
    struct gpucode_stream_decode_options *options = &decoding->options;
    decoding->session = session;
    bool whole = arguments_have(&session->arguments, OPTION_GPU_MINIMISE) ||
                 arguments_have(&session->arguments, OPTION_GPU_SOURCE); /* look at all of it */
    int code = whole ? recording_open(session, path, recording) : recording_open_windows(session, path, recording);
    if (code)
        return code;
    code = recording_family(session, recording);
    if (!code)
        code = recording->target ? registers_load(session, recording->target, &decoding->registers)
                                 : registers_load_family(session, recording->family, &decoding->registers);
    const struct gpucode_names *names = registers_names(decoding->registers);
    if (!code)
        code = symbols_load(session, recording->target, names, &decoding->symbols);
    options->target = recording->target;
    options->family = recording->family;
    options->shaders = recording_shader_target(recording);
    options->names = symbols_names(decoding->symbols, names);
    options->meanings = registers_meanings(decoding->registers);
    return code;
}

static void close_recording(struct decoding *decoding)
{
    free(decoding->queries);
    free(decoding->answered);
    outputs_discard(&decoding->outputs);
    gpucode_symbols_free(decoding->symbols);
    registers_free(decoding->registers);
    recording_close(&decoding->recording);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

/* Decodes into the answer. Returns an exit code. */
static int decode_into(struct decoding *decoding, struct gpucode_answer *answer)
{
    progress_begin(&decoding->progress);
    enum gpucode_status status =
        gpucode_stream_decode(decoding->recording.stream, &decoding->options, answer, &decoding->decoded);
    progress_clear(&decoding->progress);
    return decoding->code                  ? decoding->code
           : status == GPUCODE_ERROR_SPACE ? EXIT_DONE /* main() tells of it */
                                           : recording_status(decoding->session, &decoding->recording, status);
}

static int show(struct session *session, struct decoding *decoding)
{
    struct gpucode_answer *answer = answer_begin_listing(session);
    int code = decode_into(decoding, answer), shown = answer_end(session, answer);
    return code ? code : shown;
}

/* The recording as a time line, put into the answer. Returns an exit code. */
static int put_time_line(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    struct decoding *decoding = user;
    const struct gpucode_time_line_options how = {.form = form, .title = decoding->recording.file.name};
    progress_begin(&decoding->progress);
    enum gpucode_status status =
        gpucode_stream_time_line(decoding->recording.stream, &decoding->options, &how, answer, &decoding->decoded);
    progress_clear(&decoding->progress);
    return status == GPUCODE_ERROR_SPACE ? EXIT_DONE
                                         : recording_status(decoding->session, &decoding->recording, status);
}

/* The page goes to a file, which stands only when it is whole. */
static int write_page(struct session *session, struct decoding *decoding)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    int code = put_time_line(decoding, answer, GPUCODE_TIME_LINE_PICTURE);
    if (!code)
        code = decode_into(decoding, answer);
    if (!code)
        code = answer_page(session, answer, session->arguments.value[OPTION_GPU_HTML], "gpucode decode");
    gpucode_answer_free(answer);
    return code;
}

static int compare(struct session *session, struct decoding *first)
{
    struct decoding second = {0};
    bool equal = false;
    int code = open_recording(session, session->arguments.operands[1], &second);
    if (!code)
        code = decode_options(session, &second);
    if (!code)
        code = decode_set_work(session, &second.recording, &second.options);
    if (!code) {
        struct gpucode_answer *answer = answer_begin_listing(session);
        enum gpucode_status status = gpucode_stream_decode_compare(
            first->recording.stream, &first->options, second.recording.stream, &second.options, answer, &equal);
        code = recording_status(session, &first->recording, status == GPUCODE_ERROR_SPACE ? GPUCODE_OK : status);
        int shown = answer_end(session, answer);
        code = code ? code : shown;
    }
    close_recording(&second);
    return code ? code : equal ? EXIT_DONE : EXIT_FINDINGS;
}

/* Two draws of one recording, as text or as a page. */
static int compare_draws(struct session *session, struct decoding *decoding)
{
    const char *path = session->arguments.value[OPTION_GPU_HTML], *operand = decoding->draws;
    struct gpucode_answer *answer = path ? gpucode_answer_create() : answer_begin_listing(session);
    uint64_t numbers[2];
    bool equal = false;
    decode_pair(operand, &numbers[0], &numbers[1]);
    enum gpucode_status status = gpucode_stream_decode_compare_draws(
        decoding->recording.stream, &decoding->options, numbers[0], numbers[1], answer, &decoding->decoded, &equal);
    int code = recording_status(session, &decoding->recording, status == GPUCODE_ERROR_SPACE ? GPUCODE_OK : status);
    decoding->options.shown |= GPUCODE_DECODE_ONE_DRAW;
    decoding->options.draw = numbers[0] > numbers[1] ? numbers[0] : numbers[1];
    if (!code)
        code = decode_check(session, decoding);
    if (path && !code)
        code = answer_page(session, answer, path, "gpucode decode --diff");
    if (path)
        gpucode_answer_free(answer);
    int shown = path ? EXIT_DONE : answer_end(session, answer);
    return code ? code : shown ? shown : equal ? EXIT_DONE : EXIT_FINDINGS;
}

/* What points to an address. */
static int show_where(struct session *session, struct decoding *decoding)
{
    const char *text = session->arguments.value[OPTION_GPU_WHERE], *at = text;
    uint64_t address, size = 0;
    size_t count = 0;
    if (!number_take(&at, &address) || (*at && (*at != '+' || !number_read(at + 1, UINT64_MAX, &size) || !size)))
        return value_refuse(session, OPTION_GPU_WHERE, text, "an address, or ADDRESS+SIZE");
    struct gpucode_answer *answer = answer_begin_listing(session);
    enum gpucode_status status = gpucode_stream_decode_where(decoding->recording.stream, &decoding->options, address,
                                                             size, answer, &decoding->decoded, &count);
    int shown = answer_end(session, answer);
    int code = recording_status(session, &decoding->recording, status == GPUCODE_ERROR_SPACE ? GPUCODE_OK : status);
    if (!code && !count && status == GPUCODE_OK && !(code = decode_check(session, decoding)))
        code = complain(&session->diagnostics, CLI_GPU_NOTHING_POINTS, decoding->recording.file.name, NULL, text);
    return code ? code : shown;
}

/* Registers that are used and not set. */
static int show_lint(struct session *session, struct decoding *decoding)
{
    struct gpucode_answer *answer = answer_begin_listing(session);
    size_t count = 0;
    enum gpucode_status status =
        gpucode_stream_decode_lint(decoding->recording.stream, &decoding->options, answer, &decoding->decoded, &count);
    int shown = answer_end(session, answer);
    int code = recording_status(session, &decoding->recording, status == GPUCODE_ERROR_SPACE ? GPUCODE_OK : status);
    if (!code)
        code = decode_check(session, decoding);
    return code ? code : shown ? shown : count ? EXIT_FINDINGS : EXIT_DONE;
}

static int decode_plainly(struct session *session)
{
    struct decoding decoding = {0};
    const struct arguments *arguments = &session->arguments;
    bool two = arguments_have(arguments, OPTION_GPU_DIFF);
    const char *path = arguments->operands[0];
    uint64_t number;
    for (int i = 0; two && i < 2 && !decoding.draws; i++)
        if (decode_pair(arguments->operands[i], &number, &number)) {
            decoding.draws = arguments->operands[i];
            path = arguments->operands[!i];
        }
    int code = open_recording(session, path, &decoding);
    if (!code)
        code = decode_options(session, &decoding);
    if (!code)
        code = decode_set_work(session, &decoding.recording, &decoding.options);
    if (!code)
        code = decoding.draws                                   ? compare_draws(session, &decoding)
               : two                                            ? compare(session, &decoding)
               : arguments_have(arguments, OPTION_GPU_WHERE)    ? show_where(session, &decoding)
               : arguments_have(arguments, OPTION_GPU_MINIMISE) ? decode_minimise(session, &decoding)
               : arguments_have(arguments, OPTION_GPU_SOURCE)   ? decode_source(session, &decoding)
               : arguments_have(arguments, OPTION_GPU_LINT)     ? show_lint(session, &decoding)
               : arguments_have(arguments, OPTION_GPU_PERFETTO)
                   ? answer_time_line(session, arguments->value[OPTION_GPU_PERFETTO], put_time_line, &decoding)
               : arguments_have(arguments, OPTION_GPU_TIME_LINE)
                   ? answer_time_line(session, NULL, put_time_line, &decoding)
               : arguments_have(arguments, OPTION_GPU_HTML) ? write_page(session, &decoding)
                                                            : show(session, &decoding);
    two |= arguments_have(arguments, OPTION_GPU_MINIMISE) || arguments_have(arguments, OPTION_GPU_SOURCE);
    if (!code && !two)
        code = decode_check(session, &decoding);
    if (!code && !two)
        code = decode_check_submit(session, &decoding.recording, &decoding.options, &decoding.decoded);
    if (!code && arguments_have(arguments, OPTION_GPU_EXTRACT_SHADERS) && !decoding.shaders)
        code = complain(&session->diagnostics, CLI_GPU_NO_SHADER, path, NULL);
    if (!code && decoding.outputs.count)
        code = outputs_commit(&decoding.outputs);
    if (!code)
        code = recording_check(session, &decoding.recording);
    const struct gpucode_stream_decoded *decoded = &decoding.decoded;
    if ((!code || code == EXIT_FINDINGS) && decoded->trouble)
        code = complain(&session->diagnostics, CLI_GPU_NOT_PACKETS, path, NULL, (size_t)decoded->wrong_places,
                        (unsigned long long)decoded->first_wrong, (size_t)decoded->wrong_words);
    close_recording(&decoding);
    return code;
}

/* --- gpucode extract ---------------------------------------------------------------------------------------------- */

/* A recording with command streams. One that has shaders as records of their own is for the sets that read these. */
unsigned stream_recognises(const struct file *file, const struct gpucode_target *target)
{
    struct gpucode_stream *stream;
    struct gpucode_record record;
    if (target && !gpucode_target_family(target))
        return 0;
    enum gpucode_status status = gpucode_stream_open(file->bytes, file->size, NULL, &stream);
    if (status != GPUCODE_OK)
        return status == GPUCODE_ERROR_MEMORY ? STREAM_NO_MEMORY : 0;
    bool commands = gpucode_stream_submit_count(stream);
    for (size_t i = 0; commands && gpucode_stream_record(stream, i, &record); i++)
        commands = record.type != GPUCODE_RECORD_PROGRAM && record.type != GPUCODE_RECORD_VERTEX_SHADER &&
                   record.type != GPUCODE_RECORD_FRAGMENT_SHADER;
    gpucode_stream_free(stream);
    return commands ? 3 : 0;
}

int stream_extract(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    struct decoding decoding = {0};
    const char *prefix = session->arguments.value[OPTION_OUTPUT];
    (void)target;
    int code = open_recording(session, file->name, &decoding);
    if (!code) {
        decode_extraction(&decoding, prefix && strcmp(prefix, "-") != 0 ? prefix : NULL);
        code = show(session, &decoding);
    }
    if (!code && !decoding.shaders)
        code = complain(&session->diagnostics, CLI_GPU_NO_SHADER, file->name, NULL);
    if (!code && decoding.outputs.count)
        code = outputs_commit(&decoding.outputs);
    close_recording(&decoding);
    return code;
}

/* The same with colours, where they are wanted. */
static int decode_file(struct session *session)
{
    struct paint paint = {.out = stdout};
    session->paint = &paint;
    int code = decode_plainly(session);
    paint_end(&paint);
    session->paint = NULL;
    return code;
}

int command_decode(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    int code = decode_refuse(session);
    if (code)
        return code;
    bool writes = arguments_have(arguments, OPTION_GPU_HTML) || arguments_have(arguments, OPTION_GPU_EXTRACT_SHADERS) ||
                  arguments_have(arguments, OPTION_GPU_MINIMISE) || arguments_have(arguments, OPTION_GPU_SOURCE) ||
                  arguments_have(arguments, OPTION_GPU_PERFETTO);
    if (arguments_have(arguments, OPTION_GPU_DIFF))
        return decode_file(session);
    if (writes && arguments->operand_count > 1) /* each would write over what the one before has written */
        return complain(&session->diagnostics, CLI_MANY, NULL, NULL, arguments->operands[1]);
    if (writes)
        return decode_file(session);
    return fleet_command(session, decode_file, true);
}
