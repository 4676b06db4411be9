/* SPDX-License-Identifier: MIT */
/* gpucode crash: what the GPU was doing when it crashed, where it stopped, and why. */
#include "gpu/crash.h"
#include "cli_gpu_messages.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/input.h"
#include "front/names.h"
#include "front/output.h"
#include "front/session.h"
#include <gpucode/crash.h>
#include <gpucode/fields.h>
#include <gpucode/stream.h>
#include <gpucode/stream_decode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens what was read; it is freed with the rest. */
static int crash_file_take(struct session *session, const struct file *read, struct crash_file *file)
{
    const struct gpucode_target *target;
    *file = (struct crash_file){.session = session, .file = *read};
    int code = code_target(session, &target);
    if (code)
        return code;
    struct gpucode_crash_options options = {
        .file_name = file->file.name,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    enum gpucode_status status = gpucode_crash_open(file->file.bytes, file->file.size, &options, &file->crash);
    if (status != GPUCODE_OK) {
        code = code_status(session, file->file.name, status);
        if (status == GPUCODE_ERROR_INPUT)
            kinds_tell(session, &file->file);
        return code;
    }
    file->head = gpucode_crash_head(file->crash);
    file->target = target ? target : file->head->target;
    struct gpucode_chip chip;
    if (file->target)
        file->family = gpucode_target_family(file->target);
    else if (gpucode_chip_find(file->head->gpu_id, file->head->chip_id, &chip))
        file->family = chip.family;
    code = file->target ? registers_load(session, file->target, &file->registers)
                        : registers_load_family(session, file->family, &file->registers);
    if (!code && file->target)
        code = symbols_load(session, file->target, registers_names(file->registers), &file->symbols);
    file->names = symbols_names(file->symbols, registers_names(file->registers));
    return code;
}

int crash_file_open(struct session *session, const char *path, struct crash_file *file)
{
    struct file read;
    *file = (struct crash_file){.session = session};
    int code = code_read(session, path, &read);
    return code ? code : crash_file_take(session, &read, file);
}

void crash_file_close(struct crash_file *file)
{
    gpucode_symbols_free(file->symbols);
    registers_free(file->registers);
    gpucode_crash_free(file->crash);
    file_free(&file->file);
}

static const struct value_word without_words[] = {{"buffers", GPUCODE_CRASH_WITHOUT_BUFFERS},
                                                  {"process", GPUCODE_CRASH_WITHOUT_PROCESS},
                                                  {"addresses", GPUCODE_CRASH_WITHOUT_ADDRESSES},
                                                  {"table", GPUCODE_CRASH_WITHOUT_TABLE},
                                                  {NULL, 0}};

/* --redact: the same dump without firmware */
static int write_redacted(const struct crash_file *file, const char *path)
{
    struct session *session = file->session;
    unsigned without = 0;
    void *bytes;
    size_t size;
    int code = value_trace(session, OPTION_GPU_WITHOUT, without_words, 0, &without);
    if (code)
        return code;
    if (gpucode_crash_redact(file->crash, without, &bytes, &size) != GPUCODE_OK)
        return out_of_memory(&session->diagnostics);
    code = outputs_write(&session->diagnostics, path, bytes, size);
    free(bytes);
    return code;
}

/* What is asked of the library, and the firmware of --firmware. */
struct request {
    struct input input;
    struct gpucode_crash_firmware firmware;
    struct gpucode_crash_explain_options options;
};

/* Complains and returns an exit code; whatever it is, call request_close(). */
static int request_open(struct session *session, struct request *request)
{
    const char *path = session->arguments.value[OPTION_GPU_FIRMWARE];
    *request = (struct request){.options = {.verbose = arguments_have(&session->arguments, OPTION_GPU_VERBOSE),
                                            .ucode = arguments_have(&session->arguments, OPTION_GPU_UCODE_CACHE)}};
    int code = path ? input_open(session, path, &request->input) : EXIT_DONE;
    if (!path || code)
        return code;
    if (!gpucode_target_facts(request->input.target)->packets) {
        input_close(&request->input);
        return complain(&session->diagnostics, CLI_GPU_CRASH_CODE, path, NULL);
    }
    request->firmware = (struct gpucode_crash_firmware){.file = request->input.file.name,
                                                        .image = request->input.image,
                                                        .names = input_names(&request->input),
                                                        .symbols = request->input.symbols};
    request->options.firmware = &request->firmware;
    return EXIT_DONE;
}

static void request_close(struct request *request)
{
    if (request->options.firmware)
        input_close(&request->input);
}

/* The time line of what the dump has of the streams; nothing where it has none. */
static void put_time_line(const struct crash_file *file, struct gpucode_answer *answer)
{
    static const struct gpucode_time_line_options how = {.form = GPUCODE_TIME_LINE_PICTURE};
    struct gpucode_stream *stream = NULL;
    void *bytes = NULL;
    size_t size;
    if (!file->family)
        return; /* nothing says whose packets they are */
    enum gpucode_status status = gpucode_crash_streams(file->crash, &bytes, &size);
    if (status == GPUCODE_OK)
        status = gpucode_stream_open(bytes, size, NULL, &stream);
    const struct gpucode_stream_decode_options options = {.target = file->target,
                                                          .family = file->family,
                                                          .names = file->names,
                                                          .meanings = registers_meanings(file->registers),
                                                          .shown = GPUCODE_DECODE_RUNNING | GPUCODE_DECODE_PENDING};
    if (status == GPUCODE_OK && gpucode_stream_submit_count(stream))
        status = gpucode_stream_time_line(stream, &options, &how, answer, NULL);
    gpucode_stream_free(stream);
    free(bytes);
    if (status == GPUCODE_ERROR_MEMORY)
        gpucode_answer_fail(answer, status);
}

/* An answer for the page of --html, or for where answers go. */
static struct gpucode_answer *begin_answer(const struct session *session)
{
    return session->arguments.value[OPTION_GPU_HTML] ? gpucode_answer_create() : answer_begin_indented(session);
}

static int end_answer(struct session *session, struct gpucode_answer *answer)
{
    return answer_end_page(session, answer, session->arguments.value[OPTION_GPU_HTML], "gpucode crash");
}

static int explain(const struct crash_file *file)
{
    struct request request;
    int code = request_open(file->session, &request);
    request.options.target = file->target;
    request.options.names = file->names;
    request.options.meanings = registers_meanings(file->registers);
    char *quoted = crash_quoted(file->file.name);
    request.options.dump = quoted;
    if (!code && !quoted)
        code = out_of_memory(&file->session->diagnostics);
    if (!code) {
        struct gpucode_answer *answer = begin_answer(file->session);
        if (file->session->arguments.value[OPTION_GPU_HTML])
            put_time_line(file, answer);
        gpucode_answer_fail(answer, gpucode_crash_explain(file->crash, &request.options, answer));
        code = end_answer(file->session, answer);
    }
    free(quoted);
    request_close(&request);
    return code;
}

static int explain_log(struct session *session, const struct file *file)
{
    struct request request;
    struct registers *registers = NULL;
    int code = request_open(session, &request);
    if (!code)
        code = code_target(session, &request.options.target);
    if (!code)
        code = registers_load(session, request.options.target, &registers);
    if (!code) {
        request.options.names = registers_names(registers);
        request.options.meanings = registers_meanings(registers);
        struct gpucode_answer *answer = begin_answer(session);
        gpucode_answer_fail(answer, gpucode_crash_explain_log(file->bytes, file->size, &request.options, answer));
        code = end_answer(session, answer);
    }
    registers_free(registers);
    request_close(&request);
    return code;
}

/* --section; of one that is not there the complaint names those that are. */
static int explain_section(const struct crash_file *file, const char *name)
{
    struct gpucode_crash_explain_options options = {
        .target = file->target,
        .names = file->names,
        .meanings = registers_meanings(file->registers),
        .ucode = arguments_have(&file->session->arguments, OPTION_GPU_UCODE_CACHE)};
    struct gpucode_crash_section section;
    char names[512] = "the dump has", next[48];
    struct gpucode_answer *answer = answer_begin(file->session);
    enum gpucode_status status = gpucode_crash_explain_section(file->crash, name, &options, answer);
    if (status != GPUCODE_ERROR_INPUT) {
        gpucode_answer_fail(answer, status);
        return answer_end(file->session, answer);
    }
    gpucode_answer_free(answer);
    size_t length = strlen(names), begun = length;
    for (size_t i = 0; gpucode_crash_section(file->crash, i, &section); i++) {
        snprintf(next, sizeof next, " %.40s,", section.name);
        if (!strstr(names, next) && length < sizeof names - sizeof next)
            length += strlen(strcpy(names + length, next));
    }
    if (length > begun)
        names[length - 1] = 0;
    else
        strcpy(names + length, " no sections");
    return complain(&file->session->diagnostics, CLI_GPU_CRASH_SECTION, file->file.name, names, name);
}

/*
 * Is it a kernel log instead of a dump? A log may begin with a line like those of dumps ("revision: ..."), but dumps
 * have no lines of logs. Parts of dumps can be asked of dumps alone.
 */
static bool is_log(const struct session *session, const struct file *file)
{
    bool plain = !session->arguments.value[OPTION_GPU_REDACT] && !session->arguments.value[OPTION_GPU_SECTION];
    bool begins = file->size >= 4 && memcmp(file->bytes, "---\n", 4) == 0;
    return plain && !begins && gpucode_crash_log_recognise(file->bytes, file->size);
}

/* --markdown is in place of text, and so is --html. */
static int choose_form(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    session->markdown = arguments_have(arguments, OPTION_GPU_MARKDOWN);
    bool page = arguments->value[OPTION_GPU_HTML];
    const char *other = arguments->value[OPTION_GPU_REDACT]               ? "redact"
                        : page && arguments->value[OPTION_GPU_SECTION]    ? "section"
                        : page && session->markdown                       ? "markdown"
                        : !page && arguments_have(arguments, OPTION_JSON) ? "json"
                                                                          : NULL;
    return (session->markdown || page) && other
               ? complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, page ? "html" : "markdown", other)
               : EXIT_DONE;
}

/* Are there options of which one does nothing, or a target that no dump is of? */
static int check_options(struct session *session)
{
    static const struct {
        enum option_id option, beside;
        bool needs; /* else it excludes it */
    } rules[] = {{OPTION_GPU_WITHOUT, OPTION_GPU_REDACT, true},
                 {OPTION_GPU_UCODE_CACHE, OPTION_GPU_SECTION, true},
                 {OPTION_GPU_SECTION, OPTION_GPU_REDACT, false},
                 {OPTION_GPU_VERBOSE, OPTION_GPU_REDACT, false}};
    const struct arguments *arguments = &session->arguments;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (arguments_have(arguments, rules[i].option) && arguments_have(arguments, rules[i].beside) != rules[i].needs)
            return complain(&session->diagnostics, rules[i].needs ? CLI_GPU_OPTION_ALONE : CLI_GPU_OPTION_IDLE, NULL,
                            NULL, option_table[rules[i].option].name, option_table[rules[i].beside].name);
    const struct gpucode_target *target;
    int code = code_target(session, &target);
    if (!code && target && !gpucode_target_family(target))
        code = complain(&session->diagnostics, CLI_GPU_STREAM_PACKETS, arguments->operands[0], NULL,
                        gpucode_target_name(target));
    return code ? code : choose_form(session);
}

int command_crash(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    struct file read;
    struct crash_file file;
    int code = check_options(session);
    if (!code)
        code = code_read(session, arguments->operands[0], &read);
    if (code)
        return code;
    if (is_log(session, &read)) {
        code = explain_log(session, &read);
        file_free(&read);
        return code;
    }
    code = crash_file_take(session, &read, &file);
    if (!code && arguments->value[OPTION_GPU_REDACT])
        code = write_redacted(&file, arguments->value[OPTION_GPU_REDACT]);
    else if (!code && arguments->value[OPTION_GPU_SECTION])
        code = explain_section(&file, arguments->value[OPTION_GPU_SECTION]);
    else if (!code)
        code = explain(&file);
    crash_file_close(&file);
    return code;
}
