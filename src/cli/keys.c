/* SPDX-License-Identifier: MIT */
/*
 * The debugger by single keys, those of the reference's emulator: step, run, dump, write, packet; and one for a step
 * back. What keys do not reach the debugger's own commands do.
 */
#include "cli/line_editor.h"
#include "console/console.h"

#include <ctype.h>
#include <gpucode/names.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<termios.h>)
#include <termios.h>
#define HAS_TERMINAL
#endif

#define SPACES (GPUCODE_SPACE_COUNT + 16)

struct keys {
    struct console *console;
    struct gpucode_debug *debug;
    const struct gpucode_machine *machine;
    /* What registers held before a movement, of the selected processor; null: not looked at. The packet table is left
     * out: boot fills it, which is too much to read. */
    uint32_t *seen[SPACES];
    char line[1024];
};

static const struct help {
    char key;
    const char *word, *meaning;
} helps[] = {
    {'s', "(s)tep", "one instruction"},
    {'b', "(b)ack", "one instruction back"},
    {'r', "(r)un", "to the end of the packet's handler, where the next packet is waited for"},
    {'d', "(d)ump", "show registers or memory"},
    {'w', "(w)rite", "change a register or memory"},
    {'p', "(p)acket", "send a packet"},
    {'h', "(h)elp", "show this"},
    {'q', "(q)uit", "end"},
};

/* --- input -------------------------------------------------------------------------------------------------------- */

/* The next key that is not a blank, without waiting for the end of a line on a terminal. */
static int read_key(void)
{
    int key;
    fflush(stdout);
#ifdef HAS_TERMINAL
    struct termios saved, raw;
    bool terminal = tcgetattr(STDIN_FILENO, &saved) == 0;
    raw = saved;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
#endif
    do
        key = getchar();
    while (isspace(key));
#ifdef HAS_TERMINAL
    if (terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, &saved);
#endif
    if (key != EOF)
        printf("%c\n", isprint(key) ? key : '?');
    return key;
}

/* Asks for a line; false: there is none. */
static bool read_line(struct keys *keys, const char *prompt)
{
    printf("    %s: ", prompt);
    fflush(stdout);
    bool good = fgets(keys->line, sizeof keys->line, stdin) != NULL;
    keys->line[good ? strcspn(keys->line, "\n") : 0] = 0;
    if (!isatty(STDIN_FILENO)) /* nobody has typed it there */
        puts(keys->line);
    return good;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static uint32_t read_register(const struct keys *keys, unsigned space, uint32_t number)
{
    uint32_t value = 0;
    gpucode_machine_read(keys->machine, gpucode_debug_processor(keys->debug), space, number, &value);
    return value;
}

static void tell_register(const struct keys *keys, unsigned space, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_space_info info;
    if (!gpucode_machine_name(keys->machine, space, number, name, sizeof name) &&
        gpucode_machine_space(keys->machine, space, &info))
        snprintf(name, sizeof name, "%s%#" PRIx32, info.prefix, number);
    printf("    %s: %08" PRIx32 "\n", name, read_register(keys, space, number));
}

/* Keeps what all registers hold, and with `tell` shows those that held something else. */
static bool look_around(struct keys *keys, bool tell)
{
    struct gpucode_space_info info;
    for (unsigned space = 0; space < SPACES; space++) {
        if (space == GPUCODE_SPACE_PACKET || !gpucode_machine_space(keys->machine, space, &info) || info.effective ||
            info.addressed)
            continue;
        bool first = !keys->seen[space];
        if (first && !(keys->seen[space] = calloc(info.count + (size_t)1, sizeof **keys->seen)))
            return false;
        for (uint32_t i = 0; i < info.count; i++) {
            uint32_t value = read_register(keys, space, i);
            if (tell && !first && value != keys->seen[space][i])
                tell_register(keys, space, i);
            keys->seen[space][i] = value;
        }
    }
    return true;
}

/* A number in the space, or a name with or without what text puts in front of it. */
static bool find_register(const struct keys *keys, unsigned space, const char *text, uint32_t *number)
{
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX], *end;
    unsigned found;
    if (!gpucode_machine_space(keys->machine, space, &info))
        return false;
    bool marked = *info.prefix && strncmp(text, info.prefix, strlen(info.prefix)) == 0;
    snprintf(name, sizeof name, "%s%s", marked ? "" : info.prefix, text);
    if (gpucode_machine_find(keys->machine, name, &found, number) && found == space)
        return true;
    *number = (uint32_t)strtoul(text, &end, 0);
    return end != text && !*end && *number < info.count;
}

/* --- menus -------------------------------------------------------------------------------------------------------- */

/* A register or memory by name or number; with a value it is set. */
static void reach(struct keys *keys, int kind, bool set)
{
    static const struct {
        char key;
        unsigned space;
        const char *asked;
    } spaces[] = {{'r', GPUCODE_SPACE_GENERAL, "general register (name or number)"},
                  {'c', GPUCODE_SPACE_CONTROL, "control register (name or number)"},
                  {'g', GPUCODE_SPACE_GPU, "GPU register (name or number)"},
                  {'m', SPACES, "GPU memory address"}};
    char prompt[80], command[1100];
    unsigned at = 0;
    uint32_t number;
    while (at < 4 && spaces[at].key != kind)
        at++;
    if (at == 4) {
        puts("    there is no such choice");
        return;
    }
    snprintf(prompt, sizeof prompt, "%s%s", spaces[at].asked, set ? " and value" : "");
    if (!read_line(keys, prompt))
        return;
    const char *name = strtok(keys->line, " \t\n="), *value = strtok(NULL, " \t\n");
    if (!name) {
        puts("    nothing was given");
    } else if (set && !value) {
        printf("    the value is missing: %s VALUE, in one line\n", name);
    } else if (kind == 'm') {
        snprintf(command, sizeof command, set ? "set *(%s)=%s" : "x/xw %s", name, value);
        console_run(keys->console, command);
    } else if (!find_register(keys, spaces[at].space, name, &number)) {
        printf("    there is no register '%s'\n", name);
    } else {
        char *end = NULL;
        unsigned long long word = set ? strtoull(value, &end, 0) : 0;
        if (set && (*end || word > UINT32_MAX))
            printf("    '%s' is not a number of 32 bits\n", value);
        else if (set && gpucode_debug_write(keys->debug, gpucode_debug_processor(keys->debug), spaces[at].space, number,
                                            (uint32_t)word) != GPUCODE_OK)
            puts("    it cannot be written");
        tell_register(keys, spaces[at].space, number);
    }
}

static void choose(struct keys *keys, bool set)
{
    struct gpucode_space_info info;
    printf("  %s: general (r)egister%s, (c)ontrol register, (g)pu register, (m)emory: ", set ? "write" : "dump",
           set ? "" : "s");
    int kind = read_key();
    if (set || kind != 'r')
        reach(keys, kind, set);
    else if (gpucode_machine_space(keys->machine, GPUCODE_SPACE_GENERAL, &info))
        for (uint32_t i = 0; i < info.count; i++)
            tell_register(keys, GPUCODE_SPACE_GENERAL, i);
}

/* A register's name makes it a packet that writes it. */
static void send_packet(struct keys *keys)
{
    char command[1100];
    unsigned space;
    uint32_t number;
    if (!read_line(keys, "packet or register name, followed by its words"))
        return;
    char name[GPUCODE_NAME_MAX] = "";
    sscanf(keys->line, "%127s", name);
    bool is_register = gpucode_machine_find(keys->machine, name, &space, &number) && space == GPUCODE_SPACE_GPU;
    snprintf(command, sizeof command, "packet %s%s", is_register ? "reg " : "", keys->line);
    console_run(keys->console, command);
}

static void help(void)
{
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
        printf("  %-9s %s\n", helps[i].word, helps[i].meaning);
    puts("Breakpoints, expressions, memory, snapshots and more: `gpucode debug FILE`");
}

static bool move(struct keys *keys, const char *command)
{
    bool kept = look_around(keys, false);
    console_run(keys->console, command);
    return kept && look_around(keys, true);
}

bool keys_serve(struct console *console, struct gpucode_debug *debug)
{
    struct keys keys = {.console = console, .debug = debug, .machine = gpucode_debug_machine(debug)};
    bool good = true;
    int key = 0, quit;
    console_run(console, "x/i $pc");
    while (good && key != 'q' && key != EOF && !console_quit(console, &quit)) {
        for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
            printf("%s%s", helps[i].word, i + 1 < sizeof helps / sizeof *helps ? ", " : ": ");
        key = read_key();
        gpucode_debug_take_interrupt(debug);
        if (key == 's' || key == 'b')
            good = move(&keys, key == 's' ? "step" : "reverse-step");
        else if (key == 'r')
            good = move(&keys, "until end");
        else if (key == 'd' || key == 'w')
            choose(&keys, key == 'w');
        else if (key == 'p')
            send_packet(&keys);
        else if (key == 'h')
            help();
        else if (key != 'q' && key != EOF)
            puts("there is no such key; h shows all");
    }
    for (unsigned space = 0; space < SPACES; space++)
        free(keys.seen[space]);
    fflush(stdout);
    return good;
}
