/* SPDX-License-Identifier: MIT */
/* gpucode crash: what the GPU was doing when it crashed, where it stopped, and why. */
#include "front/output.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/pm4/crash_page.h"

#include <stdlib.h>

int command_crash(struct session *session);

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
    int code = value_trace(session, OPTION_PM4_WITHOUT, without_words, 0, &without);
    if (code)
        return code;
    if (gpucode_crash_redact(file->crash, without, &bytes, &size) != GPUCODE_OK)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    code = outputs_write(&session->diagnostics, path, bytes, size);
    free(bytes);
    return code;
}

static int print_page(const struct crash_file *file)
{
    const struct arguments *arguments = &file->session->arguments;
    struct crash_page page = {
        .file = file, .verbose = arguments_have(arguments, OPTION_PM4_VERBOSE), .color = file->session->color};
    struct crash_code *code = NULL;
    int result = EXIT_DONE;
    page.located = gpucode_crash_position(file->crash, &page.position);
    if (arguments->value[OPTION_PM4_FIRMWARE])
        result = crash_code_open(file, arguments->value[OPTION_PM4_FIRMWARE], &code);
    page.code = code;
    if (!result)
        crash_print_page(&page);
    crash_code_close(code);
    return result;
}

int command_crash(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    struct crash_file file;
    int code = crash_file_open(session, arguments->operands[0], &file);
    if (!code && arguments->value[OPTION_PM4_REDACT])
        code = write_redacted(&file, arguments->value[OPTION_PM4_REDACT]);
    else if (!code && arguments->value[OPTION_PM4_SECTION])
        code = crash_print_section(&file, arguments->value[OPTION_PM4_SECTION]);
    else if (!code && session->json)
        crash_print_json(&file);
    else if (!code)
        code = print_page(&file);
    crash_file_close(&file);
    return code;
}
