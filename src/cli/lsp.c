/* SPDX-License-Identifier: MIT */
/* gpucode lsp: sources in editors. */
#include "front/session.h"

#ifdef GPUCODE_WITH_LSP
#include "lsp/serve.h"
#endif

#include <stdio.h>
#include <unistd.h>

int command_lsp(struct session *session)
{
#ifdef GPUCODE_WITH_LSP
    if (isatty(STDIN_FILENO))
        complain(&session->diagnostics, CLI_EDITOR, NULL, NULL);
    return lsp_serve(STDIN_FILENO, stdout);
#else
    return complain(&session->diagnostics, CLI_NO_DAP, NULL, NULL);
#endif
}
