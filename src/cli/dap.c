/* SPDX-License-Identifier: MIT */
/* gpucode dap: the debugger for editors. */
#include "front/session.h"

#ifdef GPUCODE_WITH_DAP
#include "dap/dap.h"
#include "kit/kit.h"
#endif

#include <stdio.h>

int command_dap(struct session *session);

int command_dap(struct session *session)
{
#ifdef GPUCODE_WITH_DAP
    (void)session;
    return dap_serve(stdin, stdout, kit_at);
#else
    return complain(&session->diagnostics, CLI_NO_DAP, NULL, NULL);
#endif
}
