/* SPDX-License-Identifier: MIT */
/* Functions and what they call. */
#ifndef CLI_CALLS_H
#define CLI_CALLS_H

struct session;

/* `info --calls`. Returns an exit code. */
int calls_tell(struct session *session);

#endif
