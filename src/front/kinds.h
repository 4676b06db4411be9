/* SPDX-License-Identifier: MIT */
/* What a file is that a command cannot use, and which command is for it. */
#ifndef FRONT_KINDS_H
#define FRONT_KINDS_H

#include "front/file.h"

struct session;

/* Tells as a note what the file is, when it is something well known. For files that were refused. */
void kinds_tell(struct session *session, const struct file *file);

#endif
