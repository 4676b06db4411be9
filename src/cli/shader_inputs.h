/* SPDX-License-Identifier: MIT */
/* The options that give an A3XX shader its inputs: --const, --in, --ij, --varying, --texture, --memory. */
#ifndef CLI_SHADER_INPUTS_H
#define CLI_SHADER_INPUTS_H

#include "cli/command.h"
#include "shader/inputs.h"

struct session;

/* Gives the machine what the options say; `inputs` may be used afterwards. Complains and returns an exit code. */
int shader_inputs_give(struct session *session, struct gpucode_machine *machine, struct shader_inputs *inputs);

/* The first of these options that was given, or OPTION_COUNT. */
enum option_id shader_inputs_option(const struct session *session);

/* Complains that an option's value is not what was expected. */
int shader_wrong_value(struct session *session, enum option_id option, const char *value, const char *expected);

#endif
