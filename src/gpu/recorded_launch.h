/* SPDX-License-Identifier: MIT */
/* Shaders of recordings as launch requests of editors ask for them. */
#ifndef GPU_RECORDED_LAUNCH_H
#define GPU_RECORDED_LAUNCH_H

struct launch_recordings;
extern const struct launch_recordings recorded_launches;

#endif
