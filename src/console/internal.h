/* SPDX-License-Identifier: MIT */
/* What the console's files share. */
#ifndef CONSOLE_INTERNAL_H
#define CONSOLE_INTERNAL_H

#include "console/console.h"
#include <gpucode/gpucode.h>

#define DISPLAYS_MAX 32
#define SNAPSHOTS_MAX 64
#define SOURCE_DEPTH_MAX 16
#define BP_COMMANDS_MAX 64
#define BP_COMMANDS_BYTES 4096

/* "/3xw" */
struct format {
    unsigned count;
    char letter, size; /* 0: not given */
};

struct kept {
    struct gpucode_snapshot *snapshot; /* null: unused */
    char name[32];
    uint64_t position;
    bool foreign; /* its course of events was left by a change at or before its position */
};

/* Lines that run when a breakpoint is hit. */
struct bp_commands {
    unsigned breakpoint; /* 0: unused */
    char *text;          /* lines, each ended by a newline */
};

/* Which command showed code last: an empty argument means "go on" for the same one only. */
enum shower { SHOWED_NOTHING, SHOWED_DISASSEMBLY, SHOWED_LIST };

struct console {
    struct gpucode_debug *debug;
    struct gpucode_machine *machine;
    struct gpucode_symbols *symbols;
    void (*write)(void *user, const char *text, size_t length);
    void *user;
    void (*complain)(void *user, const char *text, size_t length); /* null: write */
    void *complain_user;
    const char *source; /* file whose lines are run, or null */
    unsigned source_line;
    char last[512]; /* line that an empty one repeats */
    struct {
        char text[160]; /* empty: unused */
        struct format format;
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
    struct format x_format;
    unsigned depth; /* of source */
    bool quit, faulted, wants_screen, failed;
    int code;
    char completion[GPUCODE_NAME_MAX + 32];
};

/* Returns false after having told what is wrong. */
typedef bool command_function(struct console *console, const char *arguments);
struct console_command {
    const char *name, *shortest;
    command_function *run;
    bool repeats;
    const char *arguments, *group, *help;
};
/* Ended by a null name. */
extern const struct console_command console_commands[];

#define COMMAND(name, shortest, function, ...) command_function do_##function;
#include "console/command.def"
#undef COMMAND

void say(struct console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for what is wrong; returns false. */
bool complain_of(struct console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* args.c */
const char *skip_blanks(const char *text);
/* Takes "/FMT" at *text; what is not given stays. False: told. */
bool take_format(struct console *console, const char **text, struct format *format);
/* An expression; false: told. */
bool evaluate(struct console *console, const char *text, size_t length, struct gpucode_value *value);
bool evaluate_all(struct console *console, const char *text, struct gpucode_value *value);
/* A positive count, 1 for an empty text; false: told. */
bool take_count(struct console *console, const char *text, uint64_t *count);
/* End of the expression that `text` begins with: a comma outside of brackets, or its end. */
const char *find_comma(const char *text);
/* a diagnostic handler that says what expressions lack. */
struct gpucode_diagnostic_handler console_diagnostic_handler(struct console *console);

/* frames.c */
/* Place of call `index` of the selected processor, 0 the present one; false: there is none. */
bool frame_place(struct console *console, unsigned index, uint64_t *pc, bool *link);
void show_frame(struct console *console, unsigned index);

/* bp_commands.c */
/* Takes a line behind `commands`. */
bool bp_commands_add_line(struct console *console, const char *line);
const char *bp_commands_find(const struct console *console, unsigned breakpoint);
/* Runs the commands of the breakpoint that was hit. */
bool bp_commands_run(struct console *console, bool (*run)(struct console *console, const char *line));
void bp_commands_free(struct console *console);

/* breakpoints.c */
/* Is it an expression, or null? It is computed once to find out. False: told. */
bool check_condition(struct console *console, const char *condition);

/* registers.c */
bool info_registers(struct console *console, const char *arguments);
bool info_all_registers(struct console *console, const char *arguments);

/* values.c */
/* A float by its bits; size in bytes: 2, 4 or 8. */
void put_float(struct console *console, uint64_t number, unsigned size);
void put_value(struct console *console, const struct gpucode_value *value, const struct format *format);
void show_displays(struct console *console);

/* places.c */
/* "=> BR:0x0012 <label+0x3>: text" with what belongs to it. */
void show_place(struct console *console, unsigned section, uint64_t pc, bool here);
/* The same with the bytes of `units` units in front of the text; 0: none. */
void show_place_raw(struct console *console, unsigned section, uint64_t pc, bool here, unsigned units);
void show_current(struct console *console);
/* Name of a section, for what is printed: "SQE". */
const char *section_name(struct console *console, unsigned section, struct gpucode_section *room);
/* Is it FILE:LINE? Such a place can stand for several: code of a macro is where the macro is used. */
bool is_source_place(struct console *console, const char *text);
/* The next place behind one that comes from the same line; false: there is none. */
bool next_place(struct console *console, unsigned *section, uint64_t *pc);
/* "file:line" behind `lead`, and where the macros were used that it is in. False: the place is not known. */
bool put_source(struct console *console, unsigned section, uint64_t pc, const char *lead);
/* Code addresses with the name of what they are in. */
void put_address(struct console *console, unsigned section, uint64_t pc);

#endif
