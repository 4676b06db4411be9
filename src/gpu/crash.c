/* SPDX-License-Identifier: MIT */
/* gpucode crash: what the GPU was doing when it crashed, where it stopped, and why. */
#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "front/values.h"
#include "gpu/crash_log.h"
#include "gpu/crash_page.h"

#include <stdlib.h>
#include <string.h>

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

/* The page, or the same as JSON. */
static int explain(const struct crash_file *file)
{
    const struct arguments *arguments = &file->session->arguments;
    struct crash_page page = {
        .file = file, .verbose = arguments_have(arguments, OPTION_GPU_VERBOSE), .color = file->session->color};
    struct crash_code *code = NULL;
    int result = EXIT_DONE;
    page.located = gpucode_crash_position(file->crash, &page.position);
    if (arguments->value[OPTION_GPU_FIRMWARE])
        result = crash_code_open(file->session, file->crash, arguments->value[OPTION_GPU_FIRMWARE], &code);
    page.code = code;
    crash_code_confirm(&page);
    if (!result && file->session->json)
        crash_print_json(&page);
    else if (!result)
        crash_print_page(&page);
    crash_code_close(code);
    return result;
}

/*
 * Is it a kernel log instead of a dump? A log may begin with a line like those of dumps ("revision: ..."), but dumps
 * have no lines of logs. Parts of dumps can be asked of dumps alone.
 */
static bool is_log(const struct session *session, const struct file *file)
{
    bool plain = !session->arguments.value[OPTION_GPU_REDACT] && !session->arguments.value[OPTION_GPU_SECTION];
    bool begins = file->size >= 4 && memcmp(file->bytes, "---\n", 4) == 0;
    return plain && !begins && crash_log_recognise(file->bytes, file->size);
}

int command_crash(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    struct file read;
    struct crash_file file;
    int code = code_read(session, arguments->operands[0], &read);
    if (code)
        return code;
    if (session->json && arguments->value[OPTION_GPU_SECTION]) {
        file_free(&read);
        return complain(&session->diagnostics, CLI_GPU_CRASH_SECTION_TEXT, NULL, NULL);
    }
    if (is_log(session, &read)) {
        code = crash_log_explain(session, &read);
        file_free(&read);
        return code;
    }
    code = crash_file_take(session, &read, &file);
    if (!code && arguments->value[OPTION_GPU_REDACT])
        code = write_redacted(&file, arguments->value[OPTION_GPU_REDACT]);
    else if (!code && arguments->value[OPTION_GPU_SECTION])
        code = crash_print_section(&file, arguments->value[OPTION_GPU_SECTION]);
    else if (!code)
        code = explain(&file);
    crash_file_close(&file);
    return code;
}
