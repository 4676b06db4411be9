/* SPDX-License-Identifier: MIT */
/* What the console's files share. */
#ifndef CONSOLE_INTERNAL_H
#define CONSOLE_INTERNAL_H

#include "console/console.h"
#include "console/words.h"
#include <gpucode/gpucode.h>

#define DISPLAYS_MAX 32
#define SNAPSHOTS_MAX 64
#define SOURCE_DEPTH_MAX 16
#define BP_COMMANDS_MAX 64
#define BP_COMMANDS_BYTES 4096

struct kept {
    struct gpucode_snapshot *snapshot; /* null: unused */
    char name[32];
    uint64_t position;
    bool foreign; /* a later change at or before its position: it can be restored, but no replay leads to it */
};

/* Lines that run when a breakpoint is hit. */
struct bp_commands {
    unsigned breakpoint; /* 0: unused */
    char *text;          /* lines, each ended by a newline */
};

/* Which command showed code last: an empty argument means "go on" for the same one only. */
enum shower { SHOWED_NOTHING, SHOWED_DISASSEMBLY, SHOWED_LIST };

struct console {
    const struct console_command **commands; /* ended by null */
    const struct kit_words *words;           /* of the set; null: none */
    struct gpucode_debug *debug;
    struct gpucode_machine *machine;
    struct gpucode_symbols *symbols;
    void (*write)(void *user, const char *text, size_t length);
    void *user;
    void (*write_error)(void *user, const char *text, size_t length); /* null: write */
    void *error_user;
    const char *source; /* file whose lines are run, or null */
    unsigned source_line;
    char last[512]; /* line that an empty one repeats */
    struct {
        char text[160]; /* empty: unused */
        struct console_format format;
    } displays[DISPLAYS_MAX];
    struct kept kept[SNAPSHOTS_MAX];
    struct gpucode_debug_stop stop;
    uint64_t next_code, next_memory;              /* where disassemble, list and x go on */
    unsigned next_section, next_line, first_line; /* first_line: of the last list */
    char next_file[256];
    enum shower shower;
    unsigned frame; /* selected: 0 the innermost */
    struct bp_commands bp_commands[BP_COMMANDS_MAX];
    unsigned collecting; /* breakpoint whose commands are being read, 0: none */
    unsigned hit;        /* breakpoint that was hit and whose commands have not run */
    unsigned waiting[4]; /* others hit at the same time, whose commands run next; 0: none */
    bool runs_bp_commands;
    struct console_format x_format;
    unsigned depth; /* of source */
    bool quit, faulted, wants_screen, failed, lacked_memory;
    int code;
    char completion[GPUCODE_NAME_MAX + 32];
    struct gpucode_analysis *analysis; /* console_analysis() */
    struct gpucode_notes *notes;
    bool analysed;
    bool plain; /* set comments off */
};

#define COMMAND(name, shortest, function, ...) console_function do_##function;
#include "console/command.def"
#undef COMMAND

/* args.c */
/* Cuts "WHAT if CONDITION" in two; *condition is null without one. False: an error was written. */
bool split_condition(struct console *console, const char *arguments, char *what, size_t size, const char **condition);
/* Is it an expression, or null? It is computed once to find out. False: an error was written. */
bool check_condition(struct console *console, const char *condition);
/* The first number or range of them in a list, and *text after it; false: there is none. */
bool next_range(const char **text, uint64_t *first, uint64_t *last);
/* A diagnostic handler that says what expressions lack. */
struct gpucode_diagnostic_handler console_diagnostic_handler(struct console *console);

/* arguments.c */
/* Takes apart what follows `name` as the column says; `text` stays with it. False: an error was written. */
bool take_arguments(struct console *console, const char *name, const char *column, const char *text,
                    struct console_arguments *arguments);
/* Word number `index` that the arguments of a column may begin with, as "packet" in "packet [NAME] | fault". */
bool alternative_at(const char *arguments, unsigned index, char *word, size_t size);
/* May symbols, packets or registers stand in it? */
bool column_has_names(const char *arguments);
/* Has it only kinds that there are? Tests ask. */
bool column_is_known(const char *arguments);

/* analysis.c */
/* What the analysis knows of the code, made when it is asked for first; null: nothing, or there is no memory. */
const struct gpucode_analysis *console_analysis(struct console *console);
/* The same for single instructions. */
const struct gpucode_notes *console_notes(struct console *console);
/* The function that begins at a place; null: none does. */
const struct gpucode_function *function_at(struct console *console, unsigned section, uint64_t pc);
/* "  routine, depth 1, from CP_A, CP_B and 2 more" of a function that begins at a place; nothing without one. */
void put_function(struct console *console, unsigned section, uint64_t pc);
/* Where the handlers of packets end in the section that the selected processor runs, and the interruption that it is
 * in; *pcs is malloc'ed. False: an error was written. */
bool find_handler_ends(struct console *console, uint64_t **pcs, size_t *count);

/* output.c */
/* Writes a message of what is wrong, with the place of the command in front if that comes from a file. */
void console_write_message(struct console *console, const char *kind, const char *message);

/* console.c */

/* command_table.c */
const struct console_command *command_named(const struct console *console, const char *name);
/* The command that a word means; null: none, or several, with an error. */
const struct console_command *find_command(struct console *console, const char *word, size_t length);
/* The same without an error. */
const struct console_command *look_up_command(const struct console *console, const char *word, size_t length);
/* Does a command's name begin so? */
bool begins_command(const struct console *console, const char *word, size_t length);

/* info.c */
/* Part of `info` number `index`; null after the last. */
const char *info_part_at(const struct console *console, unsigned index);
const char *info_part_column(const struct console *console, unsigned index);
/* The names of all parts, with `between` between them and `last` before the last. */
void info_list_parts(const struct console *console, const char *between, const char *last, char *text, size_t size);

/* places.c: calls that have not returned */
/* Place of call `index` of the selected processor, 0 the present one; false: there is none. */
bool frame_place(struct console *console, unsigned index, uint64_t *pc, bool *link);

/* run.c: lines that are run when a breakpoint is hit */
const char *bp_commands_find(const struct console *console, unsigned breakpoint);
void bp_commands_free(struct console *console);

/* breakpoints.c */
/* Adds it and tells so, with what it is called. False: an error was written. */
bool console_add_breakpoint(struct console *console, struct gpucode_breakpoint *breakpoint, const char *kind);
/* A register, *ADDRESS, or {ADDRESS, SIZE} of any size. */
bool take_watched(struct console *console, const char *text, struct console_argument *argument);

/* values.c */
void show_displays(struct console *console);

/* places.c */
/* "=> BR:0x0012 <label+0x3>: text" with what belongs to it. */
void show_place(struct console *console, unsigned section, uint64_t pc, bool here);
/* The same with the bytes of `units` units in front of the text (0: none); `noted`: what is known of it follows,
 * even though `set comments off` was given. */
void show_place_as(struct console *console, unsigned section, uint64_t pc, bool here, unsigned units, bool noted);
void show_current(struct console *console);
/* Name of a section, for what is printed: "SQE". */
const char *section_name(struct console *console, unsigned section, struct gpucode_section *room);
/* Is it FILE:LINE? Such a place can stand for several: code of a macro is where the macro is used. */
bool is_source_place(struct console *console, const char *text);
/* The next place after one that comes from the same line; false: there is none. */
bool next_place(struct console *console, unsigned *section, uint64_t *pc);
/* Does a packet of that name have handlers? `pcs` gets one for each section, which they are called in, UINT64_MAX for
 * sections without; there is room for SECTIONS_MAX. */
#define SECTIONS_MAX 8
bool packet_entries(struct console *console, const char *name, uint64_t pcs[SECTIONS_MAX]);
/* "file:line" after `lead`, and where the macros were used that it is in. False: the place is not known. */
bool put_source(struct console *console, unsigned section, uint64_t pc, const char *lead);
/* Code addresses with the name of what they are in. */
void put_address(struct console *console, unsigned section, uint64_t pc);

#endif
