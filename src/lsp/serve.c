/* SPDX-License-Identifier: MIT */
/* The server on a stream. */
#include "lsp/lsp.h"
#include "wire/wire.h"

#include <stdlib.h>

#define LARGEST (64u << 20) /* sources are no longer, and a client sends one whole at first */

void lsp_send_framed(void *user, const char *text, size_t length)
{
    wire_write(user, text, length);
}

bool lsp_read_file(void *user, const char *name, char **text, size_t *length)
{
    (void)user;
    FILE *file = fopen(name, "rb");
    bool good = file && fseek(file, 0, SEEK_END) == 0;
    long size = good ? ftell(file) : -1;
    *text = size >= 0 && size <= (long)LARGEST ? memory_alloc((size_t)size + 1) : NULL;
    if (*text) {
        rewind(file);
        *length = fread(*text, 1, (size_t)size, file);
    }
    if (file)
        fclose(file);
    return *text;
}

int lsp_serve(int in, FILE *out)
{
    memory_begin();
    struct lsp *lsp = lsp_create(&(struct lsp_options){.send = lsp_send_framed, .read = lsp_read_file, .user = out});
    struct wire wire = {.fd = in, .largest = LARGEST};
    const char *text, *wrong;
    size_t length;
    int code = 1;
    if (!lsp)
        return 3;
    /* all that has come is taken before anything is worked on, so that what was cancelled is known */
    for (bool more = false; !lsp_ended(lsp, &code) && !memory_lacked();) {
        if (!more || wire_waits(&wire)) {
            if (wire_next(&wire, &text, &length, &wrong))
                lsp_take(lsp, text, length);
            else if (wrong)
                lsp_refuse(lsp, wrong);
            else
                break; /* the client is gone; what it asked before is answered to nobody */
            more = true;
            if (wire_waits(&wire))
                continue;
        }
        more = lsp_work(lsp);
    }
    while (!lsp_ended(lsp, &code) && !memory_lacked() && lsp_work(lsp))
        ;
    lsp_ended(lsp, &code);
    wire_free(&wire);
    lsp_free(lsp);
    return memory_lacked() ? 3 : code;
}
