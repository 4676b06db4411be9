/* SPDX-License-Identifier: MIT */
/* A client's messages: framed bytes as they come, and the same bytes as the arguments of a request. */
#include "check.h"
#include "dap/server.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct dap *dap = malloc(sizeof *dap);
    FILE *out = fopen("/dev/null", "w");
    struct wire wire = {.fd = -1, .largest = MESSAGE_MAX, .bytes = malloc(size + 1), .used = size};
    json_t *message;
    const char *wrong;
    if (!dap || !out || !wire.bytes)
        abort();
    dap_init(dap, out, NULL);
    memcpy(wire.bytes, bytes, size);
    while ((message = dap_read(&wire, &wrong)) || wrong) {
        if (!message)
            continue;
        /* nothing is launched from here: a file's name would decide what runs, and for how long */
        if (strcmp(text_of(message, "command"), "launch") != 0)
            dap_handle(dap, message);
        json_decref(message);
    }
    wire_free(&wire);
    dap_free(dap);
    free(dap);
    fclose(out);
    return 0;
}
