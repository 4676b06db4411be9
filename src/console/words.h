/* SPDX-License-Identifier: MIT */
/*
 * What an instruction set adds to the debugger's command language: commands and parts of `info`, and the functions that
 * such commands are written with. The set's kit has a struct kit_words, and whoever makes a console hands it over.
 *
 *     static bool show_doors(struct console *console, const struct console_arguments *arguments)
 *     {
 *         (void)arguments;
 *         console_say(console, "%u doors\n", count_doors(gpucode_debug_machine(console_debug(console))));
 *         return true;
 *     }
 *     static const struct console_part parts[] = {{"doors", "", show_doors}, {0}};
 *     const struct kit_words words = {.parts = parts};
 */
#ifndef CONSOLE_WORDS_H
#define CONSOLE_WORDS_H

#include <gpucode/debug.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct console;

/* "/3xw": 0 is what was not given. */
struct console_format {
    unsigned count;
    bool counted;
    char letter, size;
};

/* One argument; its kind decides what is set beside the text. */
struct console_argument {
    bool given;
    const char *text;           /* as it was typed; "": not given */
    uint64_t number;            /* COUNT (1 when it is not given), NUMBER, TIME... */
    struct gpucode_value value; /* expressions */
    unsigned section;           /* PLACE */
    uint64_t pc;
    bool is_end; /* `until end` */
    struct console_format format;
    struct gpucode_breakpoint watched; /* WHAT: kind, space, address, size, processor */
    const struct console_command *command;
};

/*
 * What follows the command's name, taken apart as its column `arguments` says before the command runs. A column is what
 * people read in `help`, too:
 *
 *     [COUNT]                 a kind (arguments.c has the list); in brackets, it may be left out
 *     break|compare FILE      a word of these; what each item takes ends at a blank, the last one takes all
 *     ADDRESS, SIZE           or at a comma where one follows in the column
 *     /FMT, /rc               letters after a slash: a format, or some of these
 *     [if CONDITION]          at the end: for all forms
 *     fault [CODE] | NAME     forms: that which begins with the word that was typed, else the one without a word
 */
#define CONSOLE_ARGUMENTS_MAX 4
struct console_arguments {
    const char *text;                                  /* all of it */
    const char *condition;                             /* null: none */
    unsigned form;                                     /* which one it is, from 0 on */
    struct console_argument at[CONSOLE_ARGUMENTS_MAX]; /* in the order of the form, words among them */
    char room[512];
};

/* A command or a part of `info`. Returns false after writing an error. */
typedef bool console_function(struct console *console, const struct console_arguments *arguments);

/* The columns of command.def. */
struct console_command {
    const char *name, *shortest;
    console_function *run;
    bool repeats;
    const char *arguments, *group, *help;
};

struct console_part {
    const char *name, *arguments;
    console_function *show;
};

/* Lists end with a null name and may be null. */
struct kit_words {
    const struct console_command *commands; /* one with the name of a generic command replaces it */
    const struct console_part *parts;       /* of `info` */
    /* What the set has to say of the selected processor in one line, for views: length as snprintf(). May be null. */
    int (*status)(const struct gpucode_debug *debug, char *text, size_t size);
};

/* --- for commands -------------------------------------------------------------------------------------- */

struct gpucode_debug *console_debug(const struct console *console);
/* Of the code that is debugged. */
const struct gpucode_target *console_target(const struct console *console);
/* Names of the user, or null. */
const struct gpucode_names *console_names(const struct console *console);
/* Section and pc of the selected processor. */
unsigned console_section(const struct console *console);
uint64_t console_pc(const struct console *console);

void console_say(struct console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The host has no memory left; what a debugger does then is not what its commands do. Writes so, and returns false. */
bool console_no_memory(struct console *console);
/* The same for what is wrong; returns false. */
bool console_complain(struct console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *skip_blanks(const char *text);
/* End of the expression that `text` begins with: a comma outside of brackets, or its end. */
const char *find_comma(const char *text);
/* The value of an expression; false: an error was written. */
bool console_evaluate(struct console *console, const char *text, size_t length, struct gpucode_value *value);
bool console_evaluate_all(struct console *console, const char *text, struct gpucode_value *value);
/* A positive count, 1 for an empty text; false: an error was written. */
bool console_take_count(struct console *console, const char *text, uint64_t *count);

/* Runs a command of this console; `text` is what would be typed after its name. */
bool console_command(struct console *console, const char *name, const char *text);

/*
 * `catch`: what a set can catch beside faults and actions. `word` is what to catch, `argument` what follows it,
 * "" for nothing. Fills the breakpoint's kind and what belongs to it.
 */
enum console_caught {
    CONSOLE_CAUGHT,
    CONSOLE_OTHER,
    CONSOLE_WRONG
}; /* taken; not one of the set; wrong, and an error was written */
typedef enum console_caught console_catcher(struct console *console, const char *word, const char *argument,
                                            struct gpucode_breakpoint *breakpoint);
/* The command `catch` with a catcher asked first; it may be null. */
bool console_catch(struct console *console, const struct console_arguments *arguments, console_catcher *own);

#endif
