/* SPDX-License-Identifier: MIT */
/* What decode shows of a crash dump's work, and the dump's name in the commands that are to be typed next. */
#include "front/arguments.h"
#include "front/command.h"
#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/recording.h"

#include <gpucode/stream_decode.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *crash_quoted(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    const char *name = strcmp(path, "-") == 0 ? "DUMP" : path;
    char *quoted = malloc(4 * strlen(name) + 3), *to = quoted;
    if (!quoted || (*name && !name[strspn(name, plain)]))
        return quoted ? strcpy(quoted, name) : NULL;
    *to++ = '\'';
    for (; *name; name++) {
        bool quote = *name == '\'';
        memcpy(to, quote ? "'\\''" : name, quote ? 4 : 1);
        to += quote ? 4 : 1;
    }
    strcpy(to, "'");
    return quoted;
}

/* Work that had finished is left out, unless it is asked for or a part is named. */
int decode_set_work(struct session *session, struct recording *recording, struct gpucode_stream_decode_options *options)
{
    static const struct value_word states[] = {{"finished", GPUCODE_DECODE_FINISHED},
                                               {"running", GPUCODE_DECODE_RUNNING},
                                               {"pending", GPUCODE_DECODE_PENDING},
                                               {NULL, 0}};
    static const enum option_id parts[] = {OPTION_GPU_FRAME, OPTION_GPU_FROM, OPTION_GPU_TO, OPTION_GPU_SUBMIT,
                                           OPTION_GPU_DRAW};
    const struct arguments *arguments = &session->arguments;
    bool finished = arguments_have(arguments, OPTION_GPU_FINISHED), work = arguments_have(arguments, OPTION_GPU_WORK);
    unsigned shown = GPUCODE_DECODE_RUNNING | GPUCODE_DECODE_PENDING;
    if (!recording->made && (finished || work))
        return complain(&session->diagnostics, CLI_GPU_NO_WORK, recording->file.name, NULL,
                        finished ? "finished" : "work");
    int code = value_number(session, OPTION_GPU_SUBMIT, "the number of a submit", &options->first_submit);
    options->submit_count = arguments_have(arguments, OPTION_GPU_SUBMIT);
    if (!code && work)
        code = value_trace(session, OPTION_GPU_WORK, states, 0, &shown);
    if (code || !recording->made)
        return code;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        finished |= !work && arguments_have(arguments, parts[i]);
    options->shown |= shown | (finished ? GPUCODE_DECODE_FINISHED : 0);
    options->dump = recording->quoted = crash_quoted(recording->file.name);
    return options->dump ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

int decode_check_submit(struct session *session, const struct recording *recording,
                        const struct gpucode_stream_decode_options *options,
                        const struct gpucode_stream_decoded *decoded)
{
    char number[24];
    if (!options->submit_count || options->first_submit < decoded->submits)
        return EXIT_DONE;
    snprintf(number, sizeof number, "%" PRIu64, options->first_submit);
    return complain(&session->diagnostics, CLI_GPU_NO_PART, recording->file.name, NULL, "submit", number,
                    (size_t)decoded->submits, "submits");
}
