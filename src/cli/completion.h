/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Completion script for "bash" or "zsh"; any other kind gives the table the scripts are made from: one command or
 * option a line, fields separated by tabs.
 */
void completion_write(FILE *out, const char *kind);

/* completion_names.c: words with blanks between them. */
void completion_write_sets(FILE *out);
void completion_write_policies(FILE *out);
void completion_write_packets(FILE *out);
/*
 * The mnemonics of set number `index` as an arm of a shell's case: `before`, the set's name and ')', `behind`, and a
 * blank in front of each. False behind the last set.
 */
bool completion_write_mnemonics(FILE *out, unsigned index, const char *before, const char *behind);

#endif
