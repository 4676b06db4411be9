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

#endif
