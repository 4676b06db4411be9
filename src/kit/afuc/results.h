/* SPDX-License-Identifier: MIT */
/* What a run of firmware has changed, and the memory and registers that --dump asks for. */
#ifndef KIT_AFUC_RESULTS_H
#define KIT_AFUC_RESULTS_H

#include "kit/afuc/firmware.h"
#include "kit/afuc/trace.h"

/* Is all of --dump there? Complains and returns an exit code; to be called before anything runs. */
int results_check(const struct firmware *firmware);
/* Tells all of it, and why the firmware stopped. Returns an exit code. */
int results_tell(const struct firmware *firmware, const struct trace *trace);

#endif
