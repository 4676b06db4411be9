/* SPDX-License-Identifier: MIT */
/* The entry point: which command, with which arguments, and what the exit code is. */
#include "cli/compat.h"
#include "cli/help.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"

#include <string.h>

static int run(struct session *session, int argc, char **argv)
{
    int code = arguments_parse(&session->arguments, &session->diagnostics, session->command, argc, argv, 2);
    if (code)
        return code;
    const char *color = session->arguments.value[OPTION_COLOR];
    session->json =
        arguments_have(&session->arguments, OPTION_JSON) || arguments_have(&session->arguments, OPTION_UNITS);
    session->color = terminal_color(stdout, color);
    session->diagnostics.json = session->json;
    session->diagnostics.color = terminal_color(stderr, color);
    if (arguments_have(&session->arguments, OPTION_VERSION))
        help_version(stdout);
    else if (arguments_have(&session->arguments, OPTION_HELP))
        help_command(stdout, session->command);
    else
        return session->command->run(session);
    return EXIT_DONE;
}

/* Messages about the arguments themselves heed --json too. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strncmp(argv[i], "--json=", 7) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct session session = {.diagnostics = {.out = stderr, .color = terminal_color(stderr, NULL)}};
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    compat_main *compat = argc ? compat_find(slash ? slash + 1 : argv[0]) : NULL;
    int code = EXIT_DONE;
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ); /* a message is written as a whole, not byte by byte */
    if (compat)
        code = compat(&session, argc, argv);
    else if (argc < 2)
        code = complain(&session.diagnostics, CLI_NO_COMMAND, NULL, "`gpucode help` lists the commands");
    else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        help_version(stdout);
    else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        help_overview(stdout);
    else if (!(session.command = command_find(argv[1])))
        code = help_no_command(&session.diagnostics, argv[1]);
    else {
        session.diagnostics.json = wants_json(argc, argv);
        code = run(&session, argc, argv);
    }
    arguments_free(&session.arguments);
    return output_finish(&session.diagnostics, code);
}
