/* SPDX-License-Identifier: MIT */
/* What main.c asks, in the program with all libraries. */
#include "cli/program.h"

#include "front/session.h"

const bool program_is_whole = true;

/* Nobody calls it: nothing has to be handed over. */
int program_with_libraries(struct session *session, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, "the program is whole");
}
