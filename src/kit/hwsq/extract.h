/* SPDX-License-Identifier: MIT */
/* The part of `extract` that reads recorded streams. */
#ifndef KIT_HWSQ_EXTRACT_H
#define KIT_HWSQ_EXTRACT_H

#include "front/file.h"
#include <gpucode/target.h>
#include <stdbool.h>

struct session;

bool extract_is_stream(const struct file *file);
/* `target` is that of -t or null (A3XX then). Returns an exit code. */
int extract_shaders(struct session *session, const struct gpucode_target *target, const struct file *file);

#endif
