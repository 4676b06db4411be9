/* SPDX-License-Identifier: MIT */
/* gpucode extract: code inside of files that are something else: traces, images of firmware, logs, recordings. */
#include "front/code.h"
#include "front/session.h"
#include "kit/kit.h"

int command_extract(struct session *session);

/* The kit that is surest of the file, or null. */
static const struct kit *find_kit(const struct file *file, const struct gpucode_target *target)
{
    const struct kit *kit, *best = NULL;
    unsigned most = 0;
    for (unsigned i = 0; (kit = kit_at(i)); i++) {
        unsigned sure = kit->recognises ? kit->recognises(file, target) : 0;
        if (sure > most) {
            best = kit;
            most = sure;
        }
    }
    return best;
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
    const struct kit *kit = find_kit(&file, target);
    code = kit ? kit->extract(session, target, &file) : complain(&session->diagnostics, CLI_NOTHING, file.name, NULL);
    file_free(&file);
    return code;
}
