/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "front/command.h"
#include "front/session.h"
#include <gpucode/insn.h>

#include <stdbool.h>
#include <stdio.h>

struct diagnostics;
struct session;

void help_version(FILE *out);
/* In colour or not. */
void help_overview(FILE *out, bool color);
void help_command(FILE *out, const struct command *command, bool color);
/* Complains about a command that does not exist; returns the exit code. */
int help_no_command(struct diagnostics *diagnostics, const char *name);

/*
 * The JSON Schema of what a command prints with --json; null: an object with those of all commands by their names.
 * Complains and returns an exit code.
 */
int help_schema(struct session *session, const char *name);

/* Completion script for "bash", "zsh" or "fish"; "table": one command or option a line, fields separated by tabs. */
void completion_write(FILE *out, const char *kind);
/* help --complete: what may stand in place of the last operand. Complains and returns an exit code. */
int completion_offer(struct session *session);

/* --- The parts of gpucode manual: rows of instructions, names of registers, and the chapters ---------------------- */

#define MANUAL_GENERATIONS_MAX 16

struct manual {
    const char *isa;
    const char *chapters;                                             /* Markdown, or null */
    const struct gpucode_target *any;                                 /* a target of the set */
    const struct gpucode_target *narrow;                              /* of -t, or null */
    const struct gpucode_target *generations[MANUAL_GENERATIONS_MAX]; /* one target each */
    unsigned generation_count;
};

/* The mnemonics that a word asks for, which has less than MANUAL_WORD_MAX characters: its own, those that it begins up
 * to a dot
 * ("mov."), or the one whose suffixes it has ("cov" for "cov.f32u16"). False: none on any target. */
#define MANUAL_WORD_MAX 128
bool manual_mnemonic(const struct manual *manual, const char *word, char mnemonic[MANUAL_WORD_MAX]);
/* Is the row wanted? `mnemonic` as of manual_mnemonic(), or null: of any. */
bool manual_row(const struct manual *manual, unsigned index, const char *mnemonic, struct gpucode_row *row);

/* manual_rows.c: entries of one mnemonic, or of all, as Markdown; and as an object, beside `text`, all of it in
 * Markdown. */
void manual_print_rows(const struct manual *manual, const char *mnemonic, FILE *out);
int manual_tell(struct session *session, const struct manual *manual, const char *mnemonic, const char *text);

/* manual_names.c: what registers, packets, flags and events have that name; returns how many there are. */
unsigned manual_print_names(const struct manual *manual, const char *name, FILE *out);
/*
 * Fields of the packet of that name, what "NAME=VALUE" means; choices of machines, of one set or of all (null). Each
 * returns how much it was.
 */
unsigned manual_print_meanings(const struct manual *manual, const char *topic, FILE *out);
unsigned manual_print_policies(const char *isa, FILE *out);
/* Shows the policies of a set, or of all; for `--policy help`. Returns an exit code. */
int manual_policies(struct session *session, const char *isa);
/* Offers all such names. */
void manual_offer_names(const struct manual *manual, void (*offer)(void *user, const char *word), void *user);

#endif
