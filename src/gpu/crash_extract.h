/* SPDX-License-Identifier: MIT */
#ifndef GPU_CRASH_EXTRACT_H
#define GPU_CRASH_EXTRACT_H

struct session;
struct file;
struct gpucode_target;

/* Shaders out of crash dumps, as members of struct kit do it for other files. */
unsigned crash_recognises(const struct file *file, const struct gpucode_target *target);
int crash_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

#endif
