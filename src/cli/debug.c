/* SPDX-License-Identifier: MIT */
/* gpucode debug: the debugger on a line or a screen. */
#include "cli/line_editor.h"
#include "cli_gpu_messages.h"
#include "console/console.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/input.h"
#include "front/session.h"
#include "front/terminal.h"
#include "gpu/recorded.h"
#include "kit/kit.h"

#ifdef GPUCODE_WITH_TUI
#include "tui/tui.h"
#endif

#include <gpucode/debug.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct debugger {
    struct session *session;
    struct gpucode_symbols *symbols, *own_symbols;
    struct gpucode_machine *machine;
    struct gpucode_debug *debug;
    struct console *console;
};

/* The debugger that Ctrl-C interrupts; a signal handler is given nothing that leads to it. */
static struct gpucode_debug *volatile running;

static void interrupt(int signal_number)
{
    (void)signal_number;
    if (running)
        gpucode_debug_interrupt(running);
}

static void write_out(void *user, const char *text, size_t length)
{
    (void)user;
    excerpt_lines(stdout, text, length);
}

/* Standard output first, so that both are read in the order in which they were written. */
static void write_error(void *user, const char *text, size_t length)
{
    (void)user;
    fflush(stdout);
    excerpt_lines(stderr, text, length);
    fflush(stderr); /* it is buffered here */
}

/* The symbols of source and --symbols; without them room for those that are read later. */
static int find_symbols(struct debugger *debugger, const struct input *input)
{
    debugger->symbols = input->symbols;
    if (input->symbols)
        return EXIT_DONE;
    enum gpucode_status status = gpucode_symbols_create(input->target, input_names(input), &debugger->own_symbols);
    debugger->symbols = debugger->own_symbols;
    return status == GPUCODE_OK ? EXIT_DONE : code_status(debugger->session, input->file.name, status);
}

static int start_debugger(struct debugger *debugger, const struct input *input)
{
    struct session *session = debugger->session;
    int code = find_symbols(debugger, input);
    if (!code)
        code = kit_machine_create(session, input, gpucode_symbols_names(debugger->symbols), &debugger->machine);
    if (code)
        return code;
    struct gpucode_debug_options options = {.symbols = debugger->symbols};
    code = value_number(session, OPTION_DEBUG_LIMIT, "a number of instructions", &options.limit);
    if (code)
        return code;
    enum gpucode_status status = gpucode_debug_create(debugger->machine, &options, &debugger->debug);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    const struct kit *kit = kit_of(input->target);
    code = kit && kit->debugger ? kit->debugger(session, input, debugger->debug) : EXIT_DONE;
    if (code)
        return code;
    debugger->console = console_create(&(struct console_options){
        .debug = debugger->debug, .symbols = debugger->symbols, .words = kit ? kit->words : NULL, .write = write_out});
    if (!debugger->console)
        return out_of_memory(&session->diagnostics);
    console_errors(debugger->console, write_error, NULL);
    return EXIT_DONE;
}

static int show_screen(struct debugger *debugger)
{
#ifdef GPUCODE_WITH_TUI
    console_errors(debugger->console, NULL, NULL);
    const char *why = tui_run(debugger->console, debugger->debug);
    console_errors(debugger->console, write_error, NULL);
    return why ? complain(&debugger->session->diagnostics, CLI_NO_SCREEN, NULL, NULL, why) : EXIT_DONE;
#else
    return complain(&debugger->session->diagnostics, CLI_NO_SCREEN, NULL, NULL, "this build has no ncurses");
#endif
}

/* Lines until the end or `quit`; with `strict`, until the first wrong one. Returns an exit code. */
static int read_lines(struct debugger *debugger, bool strict)
{
    struct line_editor *editor = line_editor_open(debugger->console);
    const char *line;
    int code = EXIT_DONE, quit;
    while (!console_quit(debugger->console, &quit) && (line = line_editor_read(editor))) {
        gpucode_debug_take_interrupt(debugger->debug); /* Ctrl-C while nothing ran is over */
        bool good = console_run(debugger->console, line);
        fflush(stdout);
        if (!good && strict) {
            code = EXIT_INPUT;
            break;
        }
        if (console_wants_screen(debugger->console))
            show_screen(debugger);
    }
    line_editor_close(editor);
    return code;
}

static int serve_debugger(struct debugger *debugger)
{
    const struct arguments *arguments = &debugger->session->arguments;
    bool batch = arguments_have(arguments, OPTION_BATCH), scripts = false;
    int code = EXIT_DONE, quit;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    running = debugger->debug;
    sigaction(SIGINT, &action, NULL);
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_EXECUTE) {
            scripts = true;
            if (!console_source(debugger->console, arguments->given[i].value) && batch)
                code = EXIT_INPUT;
        }
    fflush(stdout);
    if (!code && arguments_have(arguments, OPTION_TUI))
        code = show_screen(debugger);
    bool keys = arguments_have(arguments, OPTION_KEYS);
    if (!code && keys && !keys_serve(debugger->console, debugger->debug))
        code = out_of_memory(&debugger->session->diagnostics);
    if (!code && !keys && !(batch && scripts) && !console_quit(debugger->console, &quit))
        code = read_lines(debugger, batch);
    running = NULL;
    if (console_lacked_memory(debugger->console))
        return out_of_memory(&debugger->session->diagnostics);
    if (console_quit(debugger->console, &quit) && quit)
        return quit;
    return code ? code : batch && console_faulted(debugger->console) ? EXIT_FINDINGS : EXIT_DONE;
}

int command_debug(struct session *session)
{
    struct debugger debugger = {.session = session};
    struct recorded recorded;
    struct input input;
    const char *path =
        session->arguments.operand_count ? session->arguments.operands[0] : session->arguments.value[OPTION_FIRMWARE];
    if (arguments_have(&session->arguments, OPTION_KEYS))
        for (unsigned i = 0; i < 2; i++)
            if (arguments_have(&session->arguments, i ? OPTION_TUI : OPTION_BATCH))
                return complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, "keys", i ? "tui" : "batch");
    if (!path && !recorded_is_given(session))
        return complain(&session->diagnostics, CLI_FEW, NULL, "`gpucode help debug` shows what it takes", "FILE");
    int code = recorded_input(session, path, &recorded, &input);
    if (code)
        return code;
    code = start_debugger(&debugger, &input);
    if (!code)
        code = serve_debugger(&debugger);
    console_free(debugger.console);
    gpucode_debug_free(debugger.debug);
    gpucode_machine_free(debugger.machine);
    gpucode_symbols_free(debugger.own_symbols);
    input_close(&input);
    recorded_close(session, &recorded);
    return code;
}
