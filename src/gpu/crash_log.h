/* SPDX-License-Identifier: MIT */
/*
 * Lines that the drivers msm and KGSL write into the kernel's log when the GPU hangs or faults: all there is without a
 * dump. The PC and $01 to $1f of the SQE are in no log of theirs, but as lines of Mesa's crashdec, or of one's own
 * reading of these registers, they are taken too: "PC: 00c5", "$01: 70bf8003".
 */
#ifndef GPU_CRASH_LOG_H
#define GPU_CRASH_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct file;

#define CRASH_LOG_WORD_MAX 64

/* What the lines told: bits of crash_log.has. */
enum {
    CRASH_LOG_POSITION = 1,
    CRASH_LOG_RING = 2,
    CRASH_LOG_FENCES = 4,
    CRASH_LOG_SUBMITTED = 8,
    CRASH_LOG_OPCODE = 16,
    CRASH_LOG_PROTECT = 32,
    CRASH_LOG_HARDWARE = 64,
    CRASH_LOG_FAULT = 128,
    CRASH_LOG_HANG = 256,
    CRASH_LOG_UCODE = 512,
    CRASH_LOG_ILLEGAL = 1024,
    CRASH_LOG_PC = 2048,
};

struct crash_log {
    unsigned has, faults, hangs; /* how many of them there are in all */
    bool kgsl;
    uint32_t gpu_id;
    uint64_t chip_id;
    uint32_t status, rptr, wptr, left[2]; /* of IB1 and IB2, words */
    uint64_t base[2], completed, submitted, iova;
    uint32_t opcode, protect, hardware;
    bool protect_read;      /* the access that was refused; `protect` is the register */
    uint32_t pc, registers; /* of the SQE: `registers` is a bit for each of those that are told */
    uint32_t value[32];
    char ring[CRASH_LOG_WORD_MAX], task[CRASH_LOG_WORD_MAX], direction[CRASH_LOG_WORD_MAX], type[CRASH_LOG_WORD_MAX],
        source[CRASH_LOG_WORD_MAX];
};

/* Reads all lines of a text. */
void crash_log_read(struct crash_log *log, const char *text, size_t length);
/* Has the text such a line? */
bool crash_log_recognise(const char *text, size_t length);
/* Explains what the lines tell, on standard output. Returns an exit code. */
int crash_log_explain(struct session *session, const struct file *file);

#endif
