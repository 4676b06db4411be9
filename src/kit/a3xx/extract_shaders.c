/* SPDX-License-Identifier: MIT */
/*
 * gpucode extract, of recorded streams: records of programs and shaders. What they hold depends on the recorder: code
 * is printed as text of the target, source text as comments.
 */
#include "cli_a3xx_messages.h"
#include "kit/a3xx/kit.h"

#include "front/answer.h"
#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "gpu/recording.h"

#include <gpucode/asm.h>
#include <gpucode/stream.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/a3xx/answer.def"
#define ANSWER_PART_EXTRACT
#include <gpucode/answer_rows.h>

/* A record of the stream. */
struct section {
    uint32_t type;
    const unsigned char *bytes;
    size_t size;
    uint64_t number;
};

struct shaders {
    struct session *session;
    const struct gpucode_target *target;
    unsigned count;
    struct outputs outputs; /* all or none */
};

static uint32_t number_at(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Compressed, or beginning with a record that names the test, the command or the GPU. */
unsigned shader_recognises(const struct file *file, const struct gpucode_target *target)
{
    (void)target;
    if (file->size < 8)
        return 0;
    uint32_t type = number_at(file->bytes), size = number_at(file->bytes + 4);
    if ((type & 0xffff) == 0x8b1f)
        return 2;
    bool first = type == GPUCODE_RECORD_TEST || type == GPUCODE_RECORD_COMMAND_LINE || type == GPUCODE_RECORD_GPU_ID ||
                 type == GPUCODE_RECORD_CHIP_ID;
    return (first && size <= 65536 && size <= file->size - 8) || (type == UINT32_MAX && size == UINT32_MAX) ? 2 : 0;
}

static const char *kind_of(uint32_t type)
{
    return type == GPUCODE_RECORD_PROGRAM         ? "program"
           : type == GPUCODE_RECORD_VERTEX_SHADER ? "vertex shader"
                                                  : "fragment shader";
}

/* No byte that text does not have; a zero may end it. */
static bool is_source(const struct section *section)
{
    size_t size = section->size;
    while (size && !section->bytes[size - 1])
        size--;
    for (size_t i = 0; i < size; i++)
        if (section->bytes[i] < 32 && !memchr("\t\r\n", section->bytes[i], 3))
            return false;
    return size != 0;
}

/* The text, each line a comment; malloc'ed. Null: out of memory. */
static char *comment_source(const struct section *section, size_t *length)
{
    char *text = NULL;
    const char *at = (const char *)section->bytes, *end = memchr(at, 0, section->size);
    FILE *out = text_stream_open(&text, length);
    if (!out)
        return NULL;
    if (!end)
        end = at + section->size;
    for (const char *next; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        next = newline ? newline + 1 : end;
        bool ends_in_return = stop > at && stop[-1] == '\r';
        fwrite("; ", 1, 2, out);
        excerpt_text(out, at, (size_t)(stop - at) - ends_in_return);
        fwrite("\n", 1, 1, out);
    }
    if (!text_stream_close(out)) {
        free(text);
        return NULL;
    }
    return text;
}

/* The listing; *text is malloc'ed. Returns an exit code. */
static int list_code(struct shaders *shaders, const struct section *section, char **text, size_t *length)
{
    struct gpucode_image_options options = {.target = shaders->target, .raw = true};
    struct gpucode_image *image;
    enum gpucode_status status = gpucode_image_open(section->bytes, section->size, &options, &image);
    if (status == GPUCODE_OK) {
        status = gpucode_disassemble(image, NULL, text, length);
        gpucode_image_free(image);
    }
    return status == GPUCODE_OK ? EXIT_DONE : code_status(shaders->session, "the section", status);
}

static int show_section(struct shaders *shaders, const struct section *section)
{
    const char *prefix = shaders->session->arguments.value[OPTION_OUTPUT];
    bool source = is_source(section);
    char *text = NULL;
    size_t length = 0;
    int code = EXIT_DONE;
    shaders->count++;
    if (prefix && strcmp(prefix, "-") != 0)
        return outputs_add_numbered(&shaders->outputs, prefix, shaders->count, source ? "txt" : "bin", section->bytes,
                                    section->size);
    if (!source)
        code = list_code(shaders, section, &text, &length);
    else if (!(text = comment_source(section, &length)))
        code = out_of_memory(&shaders->session->diagnostics);
    if (code)
        return code;
    struct gpucode_answer *answer = answer_begin(shaders->session);
    gpucode_answer_begin(answer, &fields[SHADER]);
    gpucode_answer_flag(answer, &fields[APART], shaders->count > 1);
    gpucode_answer_text(answer, &fields[KIND], kind_of(section->type));
    gpucode_answer_number(answer, &fields[NUMBER], shaders->count);
    gpucode_answer_number(answer, &fields[SIZE], section->size);
    gpucode_answer_number(answer, &fields[RECORD], section->number);
    gpucode_answer_flag(answer, &fields[IS_SOURCE], source);
    gpucode_answer_bytes(answer, &fields[LISTED], text, length);
    gpucode_answer_end(answer);
    free(text);
    return answer_end(shaders->session, answer);
}

int shader_extract(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    struct shaders shaders = {session, target, 0, {.diagnostics = &session->diagnostics}};
    struct gpucode_stream_options options = {.file_name = file->name,
                                             .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    struct gpucode_stream *stream;
    enum gpucode_status status = gpucode_stream_open(file->bytes, file->size, &options, &stream);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    uint32_t chip = gpucode_stream_gpu_id(stream);
    if (!target)
        shaders.target =
            chip ? recording_shaders(chip / 100, chip, gpucode_stream_chip_id(stream)) : gpucode_target_find("a3xx");
    if (!shaders.target) {
        gpucode_stream_free(stream);
        return complain(&session->diagnostics, CLI_A3XX_OTHER_CHIP, file->name, "-t a3xx takes them out all the same",
                        (unsigned)chip);
    }
    int code = EXIT_DONE;
    struct gpucode_record record;
    for (size_t i = 0; !code && gpucode_stream_record(stream, i, &record); i++)
        if (record.type >= GPUCODE_RECORD_PROGRAM && record.type <= GPUCODE_RECORD_FRAGMENT_SHADER) {
            struct section section = {record.type, record.bytes, record.size, i};
            /* programs of later chips are in a form of the driver's */
            if (target || !chip || chip / 100 == 3 || is_source(&section))
                code = show_section(&shaders, &section);
        }
    if (!code)
        code = outputs_commit(&shaders.outputs);
    outputs_discard(&shaders.outputs);
    gpucode_stream_free(stream);
    if (!code && !target && chip && chip / 100 != 3) /* what packets load */
        code = extract_loads(session, file->name, &shaders.count);
    if (!code && !shaders.count)
        code = complain(&session->diagnostics, CLI_A3XX_NO_SHADER, file->name, NULL);
    return code;
}
