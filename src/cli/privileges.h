/* SPDX-License-Identifier: MIT */
/* What each packet may do at each level of privilege: `info --privileges` and `diff --privileges`. */
#ifndef CLI_PRIVILEGES_H
#define CLI_PRIVILEGES_H

struct session;
struct input;

/* Tells of the file that is the command's operand, source or binary. Returns an exit code. */
int privileges_tell(struct session *session);
/* Tells where two firmwares differ. Returns an exit code: EXIT_FINDINGS with differences. */
int privileges_compare(struct session *session, const struct input *first, const struct input *second);

#endif
