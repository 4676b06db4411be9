/* SPDX-License-Identifier: MIT */
/*
 * The debugger's command language, in gdb's words: a line in, text out. The line-oriented front end, the full-screen
 * view and the DAP server's console share it. It knows the library by its public headers only.
 *
 *     struct console *console = console_create(&(struct console_options){.debug = debug, .write = write});
 *     console_run(console, "break draw_state");
 *     console_free(console);
 */
#ifndef CONSOLE_CONSOLE_H
#define CONSOLE_CONSOLE_H

#include <gpucode/analysis.h>
#include <gpucode/debug.h>
#include <stdbool.h>
#include <stddef.h>

struct console;
struct kit_words;

struct console_options {
    struct gpucode_debug *debug;
    struct gpucode_symbols *symbols; /* null: the command `symbols` cannot add to what the session has */
    const struct kit_words *words;   /* what the instruction set adds, or null; console/words.h */
    void (*write)(void *user, const char *text, size_t length);
    void *user;
};
/* Null: out of memory. */
struct console *console_create(const struct console_options *options);
void console_free(struct console *console);

/* Runs a line; an empty one repeats the last one that can be repeated. False: it was wrong, and an error was written.
 */
bool console_run(struct console *console, const char *line);

/*
 * What a register's value is as a float, where its space holds floats and the value is one: not an integer so small
 * that its exponent would be 0, and not a NaN. Returns the length as snprintf() does; 0: it is not one.
 */
size_t console_float_text(const struct gpucode_machine *machine, unsigned space, uint32_t number, uint32_t value,
                          char *text, size_t size);
/* The same of the value of an expression, which may be a float by itself. */
size_t console_value_float(const struct gpucode_machine *machine, const struct gpucode_value *value, char *text,
                           size_t size);
/*
 * What the fields of a register mean, where they are known ("{ EVENT_TYPE = DRAW | TS_WRITE }"). Returns the length of
 * the whole text, which is cut where `size` is not enough; 0: they are not, or the value is not that of a register.
 */
#define CONSOLE_FIELDS_MAX 1024
size_t console_fields_text(const struct gpucode_machine *machine, const struct gpucode_value *value, char *text,
                           size_t size);
/* A file of commands, one a line. False: it cannot be read, or a command in it was wrong; the rest was not run. */
bool console_source(struct console *console, const char *path);

/* The command `quit` was given; *code is its exit code. */
bool console_quit(const struct console *console, int *code);
/* The command `tui` was given since the last call. */
bool console_wants_screen(struct console *console);
/* The program did wrong when it stood still last: the machine stopped with a fault, or the session's limit was reached.
 */
bool console_faulted(const struct console *console);
/* Memory ran out in a command. */
bool console_lacked_memory(const struct console *console);
/* The last stop of a movement, for views. */
const struct gpucode_debug_stop *console_last_stop(const struct console *console);

/* Where output goes from now on. */
void console_output(struct console *console, void (*write)(void *user, const char *text, size_t length), void *user);
/* Where messages of what is wrong go; null: where output goes, as at first. */
void console_errors(struct console *console, void (*write)(void *user, const char *text, size_t length), void *user);

/* What the instruction set has to say of the selected processor, for a view's line of state; "" for nothing. */
void console_status(const struct console *console, char *text, size_t size);

/* Writes where a movement ended, as the commands do. */
void console_tell_stop(struct console *console, const struct gpucode_debug_stop *stop);

/* Is there an analysis of such code, and is it wanted? No: the next two say nothing of any place. */
bool console_knows(struct console *console);
/*
 * What the analysis knows of an instruction and its text does not say ("@IB1_BASE = 0x2000"), for views that show code;
 * `text` has GPUCODE_NOTE_MAX bytes. Returns the length, 0: nothing, or `set comments off` was given.
 */
size_t console_note(struct console *console, unsigned section, uint64_t pc, char *text);
/* Room for an instruction with what is known of it. */
#define CONSOLE_NOTED_MAX (GPUCODE_TEXT_MAX + GPUCODE_NOTE_MAX + 8)
/* Adds it to the instruction's text as a comment. */
void console_add_note(struct console *console, unsigned section, uint64_t pc, char text[CONSOLE_NOTED_MAX]);
/* The packets that lead to a place ("CP_NOP, CP_WAIT_MEM and 2 more"), in the same way. */
size_t console_packets(struct console *console, unsigned section, uint64_t pc, char *text);

/* Code address of a place as commands take it: label, expression, file:line. False: there is none, and an error was
 * written. */
bool console_place(struct console *console, const char *text, unsigned *section, uint64_t *pc);

/*
 * Completions of a line up to its end: the candidate number `index` for its last word, whose start is *word. Null
 * after the last; valid until the next call.
 */
const char *console_complete(struct console *console, const char *line, unsigned index, size_t *word);

/* All of a file and a zero, to be freed. Null: it cannot be read, is larger than 256 MiB, or there is no memory. */
char *console_file(const char *path, size_t *size);

#endif
