/* SPDX-License-Identifier: MIT */
/* gpucode decode: the packets of a recorded stream, with names and meanings. */
#include "front/answer.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "front/values.h"
#include "gpu/recording.h"

#include <gpucode/stream_decode.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A recording with the names for it, and what is asked of it. */
struct decoding {
    struct session *session;
    struct recording recording;
    struct registers *registers;
    struct gpucode_symbols *symbols;
    const char **queries;
    struct gpucode_stream_decode_options options;
    struct gpucode_stream_decoded decoded;
    struct progress progress;
    struct outputs outputs; /* of shaders */
    unsigned shaders;
    int code; /* why decoding was ended */
};

static int open_recording(struct session *session, const char *path, struct decoding *decoding)
{
    struct recording *recording = &decoding->recording;
    struct gpucode_stream_decode_options *options = &decoding->options;
    decoding->session = session;
    int code = recording_open(session, path, recording);
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
    outputs_discard(&decoding->outputs);
    gpucode_symbols_free(decoding->symbols);
    registers_free(decoding->registers);
    recording_close(&decoding->recording);
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

/* Which streams and draws are shown. */
static int set_range(struct session *session, struct gpucode_stream_decode_options *options)
{
    const struct arguments *arguments = &session->arguments;
    uint64_t last = UINT64_MAX;
    int code = value_number(session, OPTION_GPU_FROM, "the number of a stream", &options->first_stream);
    if (!code)
        code = value_number(session, OPTION_GPU_TO, "the number of a stream", &last);
    if (!code && arguments_have(arguments, OPTION_GPU_FRAME)) {
        code = value_number(session, OPTION_GPU_FRAME, "the number of a stream", &options->first_stream);
        last = options->first_stream;
    }
    if (!code && last < options->first_stream)
        code = value_refuse(session, OPTION_GPU_TO, arguments->value[OPTION_GPU_TO], "no less than --from");
    options->stream_count = last == UINT64_MAX ? 0 : last - options->first_stream + 1;
    if (!code)
        code = value_number(session, OPTION_GPU_DRAW, "the number of a draw", &options->draw);
    return code;
}

static int set_queries(struct session *session, struct decoding *decoding)
{
    const struct arguments *arguments = &session->arguments;
    struct gpucode_stream_decode_options *options = &decoding->options;
    const char *when = arguments->value[OPTION_GPU_WHEN];
    unsigned count = arguments->count[OPTION_GPU_QUERY];
    options->when = !when || strcmp(when, "draws") == 0 ? GPUCODE_DECODE_AT_DRAWS
                    : strcmp(when, "writes") == 0       ? GPUCODE_DECODE_AT_WRITES
                                                        : GPUCODE_DECODE_AT_CHANGES;
    if (!(options->queries = decoding->queries = calloc(count, sizeof *decoding->queries)))
        return out_of_memory(&session->diagnostics);
    for (; options->query_count < count; options->query_count++) {
        const char *text = arguments_value_at(arguments, OPTION_GPU_QUERY, (unsigned)options->query_count);
        if (!strcspn(text, "="))
            return value_refuse(session, OPTION_GPU_QUERY, text, "NAME or NAME=VALUE");
        if (!gpucode_stream_decode_knows(options, text))
            return value_refuse(session, OPTION_GPU_QUERY, text, "the name of a register or field of this GPU");
        decoding->queries[options->query_count] = text;
    }
    return EXIT_DONE;
}

static bool take_shader(void *user, const uint32_t *words, size_t count)
{
    struct decoding *decoding = user;
    const char *prefix = decoding->session->arguments.value[OPTION_GPU_EXTRACT_SHADERS];
    decoding->outputs.diagnostics = &decoding->session->diagnostics;
    decoding->code = outputs_add_numbered(&decoding->outputs, prefix, ++decoding->shaders, "bin", words, 4 * count);
    return !decoding->code;
}

static bool take_submit(void *user, size_t submit, size_t count)
{
    struct decoding *decoding = user;
    progress_show(&decoding->progress, decoding->recording.file.name, (int)submit, (int)count);
    return !ferror(stdout);
}

static int set_options(struct session *session, struct decoding *decoding)
{
    static const struct {
        unsigned option, shown;
    } shown[] = {
        {OPTION_GPU_ALL, GPUCODE_DECODE_ALL},
        {OPTION_GPU_ONCE, GPUCODE_DECODE_ONCE},
        {OPTION_GPU_DRAW, GPUCODE_DECODE_ONE_DRAW},
        {OPTION_GPU_TEXTURES, GPUCODE_DECODE_TEXTURES},
        {OPTION_GPU_CONSTANTS, GPUCODE_DECODE_CONSTANTS},
        {OPTION_GPU_SHADERS, GPUCODE_DECODE_SHADERS},
        {OPTION_GPU_BINDLESS, GPUCODE_DECODE_BINDLESS | GPUCODE_DECODE_TEXTURES},
        {OPTION_GPU_VERTICES, GPUCODE_DECODE_VERTICES},
        {OPTION_GPU_DRAWS, GPUCODE_DECODE_DRAWS},
        {OPTION_GPU_SUMMARY, GPUCODE_DECODE_DRAWS},
        {OPTION_GPU_HTML, GPUCODE_DECODE_DRAWS | GPUCODE_DECODE_SUBMITS},
    };
    const struct arguments *arguments = &session->arguments;
    struct gpucode_stream_decode_options *options = &decoding->options;
    bool page = arguments_have(arguments, OPTION_GPU_HTML), query = arguments_have(arguments, OPTION_GPU_QUERY);
    bool summary = arguments_have(arguments, OPTION_GPU_SUMMARY);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        options->shown |= arguments_have(arguments, shown[i].option) ? shown[i].shown : 0;
    if (!page && !query && !arguments_have(arguments, OPTION_GPU_DRAWS))
        options->shown |= GPUCODE_DECODE_PACKETS | (summary ? 0 : GPUCODE_DECODE_WRITES);
    options->shader = arguments->value[OPTION_GPU_EXTRACT_SHADERS] ? take_shader : NULL;
    options->progress = take_submit;
    options->user = decoding;
    int code = set_range(session, options);
    return !code && query ? set_queries(session, decoding) : code;
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

/* The page goes to a file, which stands only when it is whole. */
static int write_page(struct session *session, struct decoding *decoding)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    int code = decode_into(decoding, answer);
    if (!code)
        code = answer_page(session, answer, session->arguments.value[OPTION_GPU_HTML], "gpucode decode");
    gpucode_answer_free(answer);
    return code;
}

/* Are the draw and the streams there that were asked for? An empty result would look like a recording without any. */
static int check_range(struct session *session, const struct decoding *decoding)
{
    const struct gpucode_stream_decode_options *options = &decoding->options;
    const struct gpucode_stream_decoded *decoded = &decoding->decoded;
    bool draw = (options->shown & GPUCODE_DECODE_ONE_DRAW) && options->draw >= decoded->draws;
    char number[24];
    if (!draw && (!options->first_stream || options->first_stream < decoded->streams))
        return EXIT_DONE;
    snprintf(number, sizeof number, "%" PRIu64, draw ? options->draw : options->first_stream);
    return complain(&session->diagnostics, CLI_GPU_NO_PART, decoding->recording.file.name, NULL,
                    draw ? "draw" : "command stream", number, (size_t)(draw ? decoded->draws : decoded->streams),
                    draw ? "draws" : "command streams");
}

static int compare(struct session *session, struct decoding *first)
{
    struct decoding second = {0};
    bool equal = false;
    int code = open_recording(session, session->arguments.operands[1], &second);
    if (!code)
        code = set_options(session, &second);
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

static int decode_file(struct session *session)
{
    struct decoding decoding = {0};
    const struct arguments *arguments = &session->arguments;
    bool two = arguments_have(arguments, OPTION_GPU_DIFF);
    int code = open_recording(session, arguments->operands[0], &decoding);
    if (!code)
        code = set_options(session, &decoding);
    if (!code)
        code = decode_set_work(session, &decoding.recording, &decoding.options);
    if (!code)
        code = two                                          ? compare(session, &decoding)
               : arguments_have(arguments, OPTION_GPU_HTML) ? write_page(session, &decoding)
                                                            : show(session, &decoding);
    if (!code && !two)
        code = check_range(session, &decoding);
    if (!code && !two)
        code = decode_check_submit(session, &decoding.recording, &decoding.options, &decoding.decoded);
    if (!code && decoding.outputs.count)
        code = outputs_commit(&decoding.outputs);
    if (!code && decoding.decoded.trouble)
        code = EXIT_FINDINGS;
    close_recording(&decoding);
    return code;
}

int command_decode(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    bool writes = arguments_have(arguments, OPTION_GPU_HTML) || arguments_have(arguments, OPTION_GPU_EXTRACT_SHADERS);
    if (arguments_have(arguments, OPTION_GPU_DIFF))
        return decode_file(session);
    if (writes && arguments->operand_count > 1) /* each would write over what the one before has written */
        return complain(&session->diagnostics, CLI_MANY, NULL, NULL, arguments->operands[1]);
    if (writes)
        return decode_file(session);
    return fleet_command(session, decode_file, true);
}
