/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_HWSQ_KIT_H
#define KIT_HWSQ_KIT_H

#include "front/input.h"
#include "kit/kit.h"

int run_hwsq(struct session *session, const struct input *input);
int script_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part);
int script_diff(struct session *session, const struct input *first, const struct input *second);
unsigned script_recognises(const struct file *file, const struct gpucode_target *target);
/* kit.settings: entry points of the source, --entry, --oversize. */
int script_settings(struct session *session, const struct input *input, struct kit_settings *settings);
/* Opcodes that a script may run without --limit. */
uint64_t script_limit(const struct input *input);
int script_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

extern const struct kit_fuzz script_fuzz; /* fuzz.c */

#endif
