/* SPDX-License-Identifier: MIT */
/* The options that give an A3XX shader its inputs: --const, --in, --ij, --varying, --texture, --memory, --local-size,
 * --local-id. */
#ifndef KIT_A3XX_INPUT_OPTIONS_H
#define KIT_A3XX_INPUT_OPTIONS_H

#include "front/command.h"
#include "front/input.h"
#include "kit/a3xx/shader/group.h"
#include "kit/kit.h"

struct session;

/* The members `settings` and `give` of the kit. */
int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings);
/* Of the machine that shader_give_machine() made: the thread of --pixel in its quad. */
int shader_select_thread(struct session *session, const struct input *input, struct gpucode_debug *debug);
int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine);

/*
 * The work group that the options and the source ask for. *more gets the setting that makes as many threads, or the end
 * of settings; `threads` keeps its text. Complains and returns an exit code.
 */
int shader_inputs_group(struct session *session, const struct gpucode_program *program, struct shader_group *group,
                        struct gpucode_setting more[2], char threads[SHADER_NUMBER]);

/*
 * Gives the machine what the source declares and the options say; `inputs` may be used afterwards. Complains and
 * returns an exit code.
 */
int shader_inputs_give(struct session *session, const struct input *input, struct gpucode_machine *machine,
                       const struct shader_group *group, struct shader_inputs *inputs);

#endif
