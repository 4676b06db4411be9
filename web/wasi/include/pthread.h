/* SPDX-License-Identifier: MIT */
/*
 * What wasi-libc lacks of pthread.h, for a program of one thread: locks always succeed, and a new thread cannot be had.
 */
#ifndef WASI_PTHREAD_H
#define WASI_PTHREAD_H

#include <errno.h>
#include <string.h>
#include <sys/types.h>

#define PTHREAD_MUTEX_INITIALIZER {{{0}}}
#define PTHREAD_COND_INITIALIZER {{{0}}}

#define pthread_mutex_init(mutex, attributes) ((void)(attributes), memset((mutex), 0, sizeof *(mutex)), 0)
#define pthread_mutex_destroy(mutex) ((void)(mutex), 0)
#define pthread_mutex_lock(mutex) ((void)(mutex), 0)
#define pthread_mutex_unlock(mutex) ((void)(mutex), 0)
#define pthread_cond_init(condition, attributes) ((void)(attributes), memset((condition), 0, sizeof *(condition)), 0)
#define pthread_cond_destroy(condition) ((void)(condition), 0)
#define pthread_cond_signal(condition) ((void)(condition), 0)
#define pthread_cond_broadcast(condition) ((void)(condition), 0)
#define pthread_cond_wait(condition, mutex) ((void)(condition), (void)(mutex), 0)
#define pthread_create(thread, attributes, function, user) \
    ((void)(thread), (void)(attributes), (void)(function), (void)(user), EAGAIN)
#define pthread_join(thread, result) ((void)(thread), (void)(result), 0)

#endif
