/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit and to one another. */
#ifndef KIT_MME_KIT_H
#define KIT_MME_KIT_H

#include "front/input.h"
#include "kit/kit.h"

/* kit.run */
int macro_run(struct session *session, const struct input *input);
/* kit.choose */
int macro_choose(struct session *session, const char *file, struct gpucode_program *program);
/* kit.form */
int macro_form(struct session *session, const struct gpucode_program *program, const char *form, char **text,
               size_t *length);
/* kit.launch */
extern const struct kit_launch macro_launch;
/* kit.give: parameters and values of methods. */
int macro_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

#endif
