/* SPDX-License-Identifier: MIT */
#ifndef LSP_SERVE_H
#define LSP_SERVE_H

#include <stdio.h>

/* Serves one client until it says `exit` or the stream `in` ends. Returns an exit code. */
int lsp_serve(int in, FILE *out);

#endif
