/* SPDX-License-Identifier: MIT */
/* gpucode extract: code inside of files that are something else: traces, images of firmware, logs, recordings. */
#include "front/code.h"
#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/decode.h"
#include "kit/kit.h"

typedef int extract_function(struct session *session, const struct gpucode_target *target, const struct file *file);

static int refuse(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    (void)target;
    (void)file;
    return out_of_memory(&session->diagnostics);
}

/* Of the sets, of recorded streams and of crash dumps, the one that is surest of the file; null: none knows it. */
static extract_function *find_extract(const struct file *file, const struct gpucode_target *target)
{
    const struct kit *kit;
    extract_function *best = NULL;
    unsigned most = 0;
    for (unsigned i = 0; (kit = kit_at(i)); i++) {
        unsigned sure = kit->recognises ? kit->recognises(file, target) : 0;
        if (sure > most) {
            best = kit->extract;
            most = sure;
        }
    }
    unsigned stream = stream_recognises(file, target), crash = crash_recognises(file, target);
    if (stream == STREAM_NO_MEMORY)
        return refuse;
    if (stream > most)
        return stream_extract;
    return crash > most ? crash_extract : best;
}

int command_extract(struct session *session)
{
    const struct gpucode_target *target;
    struct file file;
    int code = code_target(session, &target);
    if (!code)
        code = code_read(session, session->arguments.operands[0], &file);
    if (code)
        return code;
    extract_function *extract = find_extract(&file, target);
    code = extract ? extract(session, target, &file) : complain(&session->diagnostics, CLI_NOTHING, file.name, NULL);
    file_free(&file);
    return code;
}
