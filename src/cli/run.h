/* SPDX-License-Identifier: MIT */
/* `gpucode run` for instruction sets whose kit has no form of its own. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

struct session;
struct input;

/* Runs the code and tells which registers and memory changed, and why it stopped. Returns an exit code. */
int run_code(struct session *session, const struct input *input);

#endif
