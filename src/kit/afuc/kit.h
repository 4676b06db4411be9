/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_AFUC_KIT_H
#define KIT_AFUC_KIT_H

#include "front/input.h"
#include "kit/kit.h"

int run_afuc(struct session *session, const struct input *input);
int cover_afuc(struct session *session, const struct input *input);
int firmware_info(struct session *session, const struct info_view *view, struct report *report, enum info_part part);
extern const struct kit_link afuc_links[];

#endif
