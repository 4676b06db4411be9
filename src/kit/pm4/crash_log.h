/* SPDX-License-Identifier: MIT */
/* Lines that the drivers msm and KGSL write into the kernel's log when the GPU hangs or faults: all there is without a
 * dump. */
#ifndef KIT_PM4_CRASH_LOG_H
#define KIT_PM4_CRASH_LOG_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct file;

/* Has the text such a line? */
bool crash_log_recognise(const char *text, size_t length);
/* Explains what the lines tell, on standard output. Returns an exit code. */
int crash_log_explain(struct session *session, const struct file *file);

#endif
