/* SPDX-License-Identifier: MIT */
/* What wasi-libc lacks of sys/prctl.h, for a process that has no parent. */
#ifndef WASI_SYS_PRCTL_H
#define WASI_SYS_PRCTL_H

#define PR_SET_PDEATHSIG 1
#define prctl(...) (-1)

#endif
