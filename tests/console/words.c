/* SPDX-License-Identifier: MIT */
/* What a set can bring to the command language: new commands, its own form of a generic one, parts of info, a status.
 */
#include "console/words.h"
#include "../debug/subject.h"
#include "console/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct subject subject;
static char written[16384];

static void append(void *user, const char *text, size_t length)
{
    size_t used = strlen(written);
    (void)user;
    assert_true(used + length < sizeof written);
    memcpy(written + used, text, length);
    written[used + length] = 0;
}

static bool say_feed(struct console *console, const struct console_arguments *arguments)
{
    console_say(console, "fed %lld%s\n", (long long)arguments->at[0].value.number,
                arguments->at[1].given ? " with one more" : "");
    return true;
}

static bool say_echo(struct console *console, const struct console_arguments *arguments)
{
    console_say(console, "my %s\n", arguments->text);
    return true;
}

static bool say_doors(struct console *console, const struct console_arguments *arguments)
{
    console_say(console, "doors at %u of %s%s\n", (unsigned)console_pc(console),
                gpucode_target_name(console_target(console)), arguments->at[0].text);
    return console_section(console) == 0 || console_complain(console, "not here");
}

static enum console_caught catch_door(struct console *console, const char *word, const char *argument,
                                      struct gpucode_breakpoint *breakpoint)
{
    if (strcmp(word, "door") != 0)
        return CONSOLE_OTHER;
    if (*argument) {
        console_complain(console, "no door %s", argument);
        return CONSOLE_WRONG;
    }
    breakpoint->kind = GPUCODE_CATCHPOINT_FAULT;
    return CONSOLE_CAUGHT;
}

static bool catch_doors(struct console *console, const struct console_arguments *arguments)
{
    return console_catch(console, arguments, catch_door);
}

static int tell_status(const struct gpucode_debug *debug, char *text, size_t size)
{
    return snprintf(text, size, "%u doors", gpucode_debug_processor(debug));
}

static const struct console_command commands[] = {
    {"feed", "fe", say_feed, false, "EXPRESSION [, EXPRESSION]", "Input", "Feeds."},
    {"echo", "ec", say_echo, false, "TEXT", "Other", "Echoes."},
    {"catch", "cat", catch_doors, false, "door [NAME] | fault [CODE] | NAME [if CONDITION]", "Breakpoints", "Catches."},
    {"open", "op", say_doors, false, "", "Doors", "Opens."},
    {0},
};
static const struct console_part parts[] = {{"doors", "[TEXT]", say_doors}, {0}};
static const struct kit_words words = {.commands = commands, .parts = parts, .status = tell_status};

static struct console *open_console(const struct kit_words *given)
{
    subject_open(&subject, "hwsq:nv50", "nop\nexit\n", NULL, 0);
    written[0] = 0;
    return console_create(
        &(struct console_options){.debug = subject.debug, .symbols = subject.symbols, .words = given, .write = append});
}

static void close_console(struct console *console)
{
    console_free(console);
    subject_close(&subject);
}

static void expect_written(struct console *console, const char *line, bool good, const char *expected)
{
    written[0] = 0;
    assert_int_equal(console_run(console, line), good);
    assert_string_equal(written, expected);
}

static void commands_run(void)
{
    struct console *console = open_console(&words);
    expect_written(console, "feed 2 + 3", true, "fed 5\n");
    expect_written(console, "fe 0x10", true, "fed 16\n");
    expect_written(console, "echo text", true, "my text\n");
    expect_written(console, "open", true, "doors at 0 of hwsq:nv50\n");
    expect_written(console, "info doors all", true, "doors at 0 of hwsq:nv50all\n");
    expect_written(console, "i doo", true, "doors at 0 of hwsq:nv50\n");
    expect_written(console, "help open", true, "open \n    Opens.\n");
    close_console(console);
    console = open_console(NULL);
    expect_written(console, "feed 1", false, "error: there is no command 'feed'; try help\n");
    expect_written(console, "echo text", true, "text\n");
    close_console(console);
}

/* New commands stand before the generic ones of their group; groups that are new come last. */
static void help_lists(void)
{
    struct console *console = open_console(&words);
    assert_true(console_run(console, "help"));
    const char *input = strstr(written, "Input:"), *feed = strstr(written, "\n  feed "),
               *map = strstr(written, "\n  map "), *quit = strstr(written, "\n  quit "),
               *doors = strstr(written, "\nDoors:"), *open = strstr(written, "\n  open ");
    assert_true(input && feed && map && quit && doors && open);
    assert_true(input < feed && feed < map && map < quit && quit < doors && doors < open);
    const char *echo = strstr(written, "\n  echo ");
    assert_true(echo && strstr(echo, "Echoes.") && !strstr(echo + 1, "\n  echo "));
    close_console(console);
}

static void catch_asks_first(void)
{
    struct console *console = open_console(&words);
    expect_written(console, "catch door", true, "Catchpoint 1 at door\n");
    expect_written(console, "catch door 7", false, "error: no door 7\n");
    expect_written(console, "catch fault", true, "Catchpoint 2 at fault\n");
    expect_written(console, "catch nothing", false,
                   "error: 'nothing' cannot be caught: door, fault, a flag or an event can\n");
    expect_written(console, "info nothing", false,
                   "error: there is no 'info nothing'; it is info registers, all-registers, breakpoints, watchpoints, "
                   "stack, frame, doors, flags, "
                   "processors, functions, symbols, symbol, address, line, display, history, snapshots or policies\n");
    close_console(console);
}

static void lines_are_completed(void)
{
    struct console *console = open_console(&words);
    size_t word;
    assert_string_equal(console_complete(console, "fe", 0, &word), "feed");
    assert_int_equal(word, 0);
    assert_null(console_complete(console, "fe", 1, &word));
    /* words in front of the one that is completed, that one, and what it becomes; null: nothing */
    static const char *const lines[][3] = {
        {"info", "do", "doors"},
        {"catch", "d", "door"},
        {"cat", "d", "door"},
        {"until", "e", "end"},
        {"set", "comm", "comments"},
        {"h", "fe", "feed"},
        {"source", "ILL", NULL},
        {"delete", "ILL", NULL},
        {"nothing", "ILL", NULL},
        {"print", "ILL", "ILLEGAL"},
        {"print/x 1 +", "RUNN", "RUNNING"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (unsigned spaces = 0; spaces < 4; spaces++) { /* more spaces mean the same */
            char line[64];
            const char *front = spaces & 1 ? "  " : "", *gap = spaces & 2 ? "  " : " ";
            size_t start = (size_t)snprintf(line, sizeof line, "%s%s%s", front, lines[i][0], gap);
            snprintf(line + start, sizeof line - start, "%s", lines[i][1]);
            const char *found = console_complete(console, line, 0, &word);
            assert_int_equal(word, start);
            if (!lines[i][2])
                assert_null(found);
            else
                assert_string_equal(found ? found : "nothing", lines[i][2]);
        }
    close_console(console);
}

static void status_is_told(void)
{
    char text[32] = "old";
    struct console *console = open_console(&words);
    console_status(console, text, sizeof text);
    assert_string_equal(text, "0 doors");
    close_console(console);
    console = open_console(NULL);
    console_status(console, text, sizeof text);
    assert_string_equal(text, "");
    close_console(console);
}

/* Each kind that a column of the table names is one that the console can take. */
static void columns_are_known(void)
{
    unsigned count = 0;
    struct console *console = open_console(&words);
    for (const struct console_command *const *at = console->commands; *at; at++, count++)
        if (!column_is_known((*at)->arguments))
            fail_msg("%s: %s", (*at)->name, (*at)->arguments);
    assert_true(count > 60);
    for (unsigned i = 0; info_part_at(console, i); i++)
        assert_true(column_is_known(info_part_column(console, i)));
    assert_false(column_is_known("COUNTS"));
    assert_false(column_is_known("[/FMT] [ADDRESS] | NOTHING"));
    close_console(console);
}

/* What is missing or too much is told with the column. */
static void usage_is_told(void)
{
    struct console *console = open_console(&words);
    expect_written(console, "feed", false, "error: EXPRESSION is missing: feed EXPRESSION [, EXPRESSION]\n");
    expect_written(console, "feed 1, 2", true, "fed 1 with one more\n");
    expect_written(console, "feed , 2", false, "error: EXPRESSION is missing: feed EXPRESSION [, EXPRESSION]\n");
    expect_written(console, "feed 1 , 2, 3", false, "error: expected an operator, at ', 3'\n");
    expect_written(console, "open wide", false, "error: open takes no arguments\n");
    expect_written(console, "map 1", false, "error: SIZE is missing: map ADDRESS, SIZE\n");
    expect_written(console, "watch", false,
                   "error: WHAT is missing: watch [-l|-location] [/rwca] WHAT [if CONDITION]\n");
    expect_written(console, "info address", false, "error: EXPRESSION is missing: info address EXPRESSION\n");
    expect_written(console, "info flags x", false, "error: info flags takes no arguments\n");
    expect_written(console, "source", false, "error: FILE is missing: source FILE\n");
    close_console(console);
}

TESTS(words, commands_run, help_lists, catch_asks_first, lines_are_completed, status_is_told, columns_are_known,
      usage_is_told)
