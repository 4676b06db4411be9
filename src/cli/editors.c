/* SPDX-License-Identifier: MIT */
/* gpucode dap and lsp: the debugger, and sources, for editors. */
#include "front/session.h"

#include <stdio.h>
#include <unistd.h>

/* gpucode dap: the debugger for editors. */

#ifdef GPUCODE_WITH_DAP
#include "dap/dap.h"
#include "gpu/recorded.h"
#include "kit/kit.h"
#endif

int command_dap(struct session *session)
{
#ifdef GPUCODE_WITH_DAP
    if (arguments_have(&session->arguments, OPTION_LAUNCH_SCHEMA))
        return dap_print_schema(stdout, kit_at) ? EXIT_DONE : out_of_memory(&session->diagnostics);
    if (isatty(STDIN_FILENO))
        complain(&session->diagnostics, CLI_EDITOR, NULL, NULL);
    int served = dap_serve(stdin, stdout, kit_at, &recorded_launches);
    return served == EXIT_FAULT ? out_of_memory(&session->diagnostics) : served;
#else
    return complain(&session->diagnostics, CLI_NO_DAP, NULL, NULL);
#endif
}

/* gpucode lsp: sources in editors. */

#ifdef GPUCODE_WITH_LSP
#include "lsp/lsp.h"
#endif

int command_lsp(struct session *session)
{
#ifdef GPUCODE_WITH_LSP
    if (isatty(STDIN_FILENO))
        complain(&session->diagnostics, CLI_EDITOR, NULL, NULL);
    int code = lsp_serve(STDIN_FILENO, stdout);
    return code == EXIT_FAULT ? out_of_memory(&session->diagnostics) : code;
#else
    return complain(&session->diagnostics, CLI_NO_DAP, NULL, NULL);
#endif
}
