/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_AFUC_KIT_H
#define KIT_AFUC_KIT_H

#include "front/input.h"
#include "kit/kit.h"

int run_afuc(struct session *session, const struct input *input);
int cover_afuc(struct session *session, const struct input *input);
int firmware_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                  enum info_part part);
/* struct kit.complete: --me (me.c). */
int firmware_complete(struct session *session, struct file *file);
/* Complains when --me is given and the image is not that of two firmwares. Returns an exit code. */
int firmware_check_me(struct session *session, const struct input *input);
extern const struct kit_link afuc_links[];

#endif
