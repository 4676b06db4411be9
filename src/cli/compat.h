/* SPDX-License-Identifier: MIT */
/* The command lines of Mesa's afuc-disasm and afuc-asm, chosen by the name gpucode is called under. */
#ifndef CLI_COMPAT_H
#define CLI_COMPAT_H

struct session;

/* Runs with the whole argv; returns an exit code. */
typedef int compat_main(struct session *session, int argc, char **argv);

/* null when `name` is no such link. */
compat_main *compat_find(const char *name);

#endif
