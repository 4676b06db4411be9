/* SPDX-License-Identifier: MIT */
/* gpucode decode --source and gpucode encode: a recording as text that can be edited, and back. */
#include "front/code.h"
#include "front/file.h"
#include "front/output.h"
#include "front/session.h"
#include "gpu/decode.h"

#include <errno.h>
#include <gpucode/stream_source.h>
#include <stdlib.h>
#include <unistd.h>

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

int decode_source(struct session *session, const struct decoding *decoding)
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
