/* SPDX-License-Identifier: MIT */
/* A client's messages: framed bytes as they come, and the same bytes as the arguments of a request. */
#include "check.h"
#include "dap/server.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct dap *dap = malloc(sizeof *dap);
    FILE *out = fopen("/dev/null", "w"), *in = size ? fmemopen((void *)bytes, size, "r") : NULL;
    json_t *message;
    const char *wrong;
    if (!dap || !out)
        abort();
    dap_init(dap, out, NULL);
    while (in && ((message = dap_read(in, &wrong)) || wrong)) {
        if (!message)
            continue;
        /* nothing is launched from here: a file's name would decide what runs, and for how long */
        if (strcmp(text_of(message, "command"), "launch") != 0)
            dap_handle(dap, message);
        json_decref(message);
    }
    if (in)
        fclose(in);
    dap_free(dap);
    free(dap);
    fclose(out);
    return 0;
}
