/* SPDX-License-Identifier: MIT */
/* The entry point: which command, with which arguments, and what the exit code is. */
#include "cli/help.h"

#include "front/code.h"
#include "front/input.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "kit/kit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session;

/*
 * The program is linked twice from the same objects: `gpucode`, which loads no library but libc and so starts at once,
 * and `gpucode-full` with all of them, to which the first hands over what needs one (LIBRARIES in front/command.def).
 * GPUCODE_LIBEXEC says where the first looks for the other: that stands beside it where both were built, and in
 * libexec/gpucode where they were installed. Built with -Dsplit=false there is one program, and that is the whole one.
 */

#ifdef GPUCODE_LIBEXEC
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const bool program_is_whole = false;

/* The folder of this program with its '/', in `path`; false: nobody says where that is. */
static bool own_folder(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = 0;
    return slash;
}

/* Starts the whole program with the same arguments in place of this one. Returns an exit code when that failed. */
static int program_with_libraries(struct session *session, int argc, char **argv)
{
    static const char *const places[] = {"gpucode-full", GPUCODE_LIBEXEC_FROM_BIN "/gpucode-full"};
    char folder[PATH_MAX], path[2 * PATH_MAX];
    char **copy = malloc((size_t)(argc + 1) * sizeof *copy);
    if (!copy)
        return out_of_memory(&session->diagnostics);
    /* another name than this would be taken for that of an older tool, whose words these no longer are */
    copy[0] = "gpucode";
    memcpy(copy + 1, argv + 1, (size_t)argc * sizeof *copy);
    bool known = own_folder(folder);
    for (unsigned i = 0; known && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s", folder, places[i]);
        execv(path, copy);
        if (errno != ENOENT)
            break;
    }
    if (!known || errno == ENOENT)
        execv(GPUCODE_LIBEXEC "/gpucode-full", copy);
    int code = complain(&session->diagnostics, CLI_NO_WHOLE, NULL, NULL, strerror(errno));
    free(copy);
    return code;
}
#else
static const bool program_is_whole = true;

/* Nobody calls it: nothing has to be handed over. */
static int program_with_libraries(struct session *session, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, "the program is whole");
}
#endif

static int (*const command_functions[COMMAND_COUNT])(struct session *session) = {
#define COMMAND(name, ...) command_##name,
#include "commands.def"
};

/* Messages about the arguments themselves heed --json too. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strncmp(argv[i], "--json=", 7) == 0)
            return true;
    return false;
}

/* Is more needed than libc: by the command, or by something it is given? */
static bool needs_libraries(const struct session *session)
{
    const char *registers = getenv("GPUCODE_REGISTERS");
    if (program_is_whole || command_needs_libraries(session->command))
        return !program_is_whole;
    for (unsigned option = 0; option < OPTION_COUNT; option++)
        if (option_needs_libraries(option) && command_has(session->command, option) &&
            (arguments_have(&session->arguments, option) || (option == OPTION_REGISTERS && registers && *registers)))
            return true;
    return false;
}

/* --policy help: those of the target, or of the code that is given, or of all sets. */
static int tell_policies(struct session *session)
{
    const struct gpucode_target *target;
    struct input input;
    int code = code_target(session, &target);
    if (code)
        return code;
    if (!target && session->arguments.operand_count) {
        if ((code = input_open(session, session->arguments.operands[0], &input)) != 0)
            return code;
        target = input.target;
        input_close(&input);
    }
    return manual_policies(session, target ? gpucode_target_isa(target) : NULL);
}

/* Not for commands that run others in their words: those have begun it. */
static bool wants_pager(struct session *session)
{
    bool wanted = !session->paged && !arguments_have(&session->arguments, OPTION_NO_PAGER);
    session->paged = true;
    return wanted;
}

static int run_command(struct session *session, int argc, char **argv)
{
    if (!(session->command = command_find(argv[1])))
        return help_no_command(&session->diagnostics, argv[1]);
    session->diagnostics.json = wants_json(argc, argv);
    int code = arguments_parse(&session->arguments, &session->diagnostics, session->command, argc, argv, 2);
    if (code)
        return code;
    const char *color = session->arguments.value[OPTION_COLOR];
    session->json = arguments_have(&session->arguments, OPTION_JSON);
    session->color = terminal_color(stdout, color);
    session->on_terminal = isatty(STDOUT_FILENO);
    session->diagnostics.json = session->json;
    session->diagnostics.color = terminal_color(stderr, color);
    bool helps =
             arguments_have(&session->arguments, OPTION_VERSION) || arguments_have(&session->arguments, OPTION_HELP),
         policies = arguments_want_policies(&session->arguments);
    if (!helps && !policies && needs_libraries(session))
        return program_with_libraries(session, argc, argv);
    if ((helps || command_has(session->command, OPTION_NO_PAGER)) && wants_pager(session))
        pager_begin();
    if (policies && !helps)
        return tell_policies(session);
    if (!helps)
        return command_functions[session->command - command_table](session);
    if (arguments_have(&session->arguments, OPTION_VERSION))
        help_version(stdout);
    else
        help_command(stdout, session->command, session->color);
    return EXIT_DONE;
}

/* Other names under which gpucode is known: those of older tools, each with its own command line. */
static const struct kit_link *find_link(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const struct kit *kit;
    for (unsigned i = 0; (kit = kit_at(i)); i++)
        for (const struct kit_link *link = kit->links; link && link->name; link++)
            if (strcmp(link->name, name) == 0)
                return link;
    return NULL;
}

/* Adds what options of the sets say belongs to a file. */
static int complete_file(struct session *session, struct file *file)
{
    const struct kit *kit;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && (kit = kit_at(i)); i++)
        code = kit->complete ? kit->complete(session, file) : EXIT_DONE;
    return code;
}

/* Cuts a source down to the program that the command is about, where the set has a way to say which. */
static int choose_program(struct session *session, const char *file, struct gpucode_program *program)
{
    const struct kit *kit = kit_of(gpucode_program_target(program));
    return kit && kit->choose ? kit->choose(session, file, program) : EXIT_DONE;
}

static void show_overview(void)
{
    pager_begin();
    help_overview(stdout, terminal_color(stdout, NULL));
}

int main(int argc, char **argv)
{
    struct session session = {.diagnostics = {.out = stderr, .color = terminal_color(stderr, NULL)},
                              .perform = run_command,
                              .read = complete_file,
                              .assembled = choose_program};
    const struct kit_link *link = argc ? find_link(argv[0]) : NULL;
    int code = EXIT_DONE;
    if (argc > 2 && strcmp(argv[1], "--no-pager") == 0) { /* as with git, it may stand in front of the command */
        argv[1] = argv[2];
        argv[2] = "--no-pager";
    }
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ); /* a message is written as a whole, not byte by byte */
    if (link)
        code = link->run(&session, argc, argv);
    else if (argc < 2)
        code = complain(&session.diagnostics, CLI_NO_COMMAND, NULL, "`gpucode help` lists the commands");
    else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        help_version(stdout);
    else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        show_overview();
    else
        code = run_command(&session, argc, argv);
    if (session.diagnostics.lacked_memory)
        code = EXIT_FAULT;
    arguments_free(&session.arguments);
    gpucode_target_free(session.target);
    return output_finish(&session.diagnostics, code);
}
