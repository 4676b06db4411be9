/* SPDX-License-Identifier: MIT */
/* What wasi-libc lacks of sys/shm.h: no memory is shared with others. */
#ifndef WASI_SYS_SHM_H
#define WASI_SYS_SHM_H

void *shmat(int id, const void *address, int flags);
int shmdt(const void *address);

#endif
