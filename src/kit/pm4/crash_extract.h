/* SPDX-License-Identifier: MIT */
#ifndef KIT_PM4_CRASH_EXTRACT_H
#define KIT_PM4_CRASH_EXTRACT_H

struct session;
struct file;
struct gpucode_target;

/* Members of the kit: shaders out of crash dumps. */
unsigned crash_recognises(const struct file *file, const struct gpucode_target *target);
int crash_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

#endif
