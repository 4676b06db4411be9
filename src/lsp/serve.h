/* SPDX-License-Identifier: MIT */
#ifndef LSP_SERVE_H
#define LSP_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Serves one client until it says `exit` or the stream `in` ends. Returns an exit code. */
int lsp_serve(int in, FILE *out);

/* lsp_options.send and .read for a server whose messages go to a stream, `user`, and whose files are the system's. */
void lsp_send_framed(void *user, const char *text, size_t length);
bool lsp_read_file(void *user, const char *name, char **text, size_t *length);

#endif
