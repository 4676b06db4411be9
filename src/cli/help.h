/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "front/command.h"
#include <stdio.h>

struct diagnostics;
struct session;

void help_version(FILE *out);
void help_overview(FILE *out);
void help_command(FILE *out, const struct command *command);
/* Complains about a command that does not exist; returns the exit code. */
int help_no_command(struct diagnostics *diagnostics, const char *name);

/*
 * The JSON Schema of what a command prints with --json; null: an object with those of all commands by their names.
 * Complains and returns an exit code.
 */
int help_schema(struct session *session, const char *name);

#endif
