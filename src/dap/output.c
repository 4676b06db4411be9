/* SPDX-License-Identifier: MIT */
/* What the console and the library have to say, until it is sent. */
#include "dap/server.h"

#include <stdlib.h>
#include <string.h>

void dap_write(void *user, const char *text, size_t length)
{
    struct dap *dap = user;
    char *grown = realloc(dap->text, dap->text_length + length + 1);
    if (!grown)
        return;
    memcpy(grown + dap->text_length, text, length);
    dap->text = grown;
    dap->text_length += length;
    grown[dap->text_length] = 0;
}

const char *dap_take_text(struct dap *dap)
{
    const char *text = dap->text_length ? dap->text : "";
    dap->text_length = 0;
    return text;
}

static void note_diagnostic(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct dap *dap = user;
    char place[512];
    if (diagnostic->line && diagnostic->file && diagnostic->file[0] != '<') {
        snprintf(place, sizeof place, "%s:%u:%u: ", diagnostic->file, diagnostic->line, diagnostic->column);
        dap_write(dap, place, strlen(place));
    }
    dap_write(dap, diagnostic->message, strlen(diagnostic->message));
    dap_write(dap, "\n", 1);
}

struct gpucode_diagnostic_handler dap_diagnostic_handler(struct dap *dap)
{
    return (struct gpucode_diagnostic_handler){note_diagnostic, dap};
}
