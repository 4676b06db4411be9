/* SPDX-License-Identifier: MIT */
/* The draw that the packet in hand belongs to, and the earliest thing on the way to it that is suspect. */
#ifndef PM4_CRASH_DRAW_H
#define PM4_CRASH_DRAW_H

#include "pm4/crash/dump.h"
#include <gpucode/names.h>

#define DRAW_TARGETS_MAX 9
#define DRAW_SHADERS_MAX 6

struct draw_target {
    char name[GPUCODE_NAME_MAX], format[GPUCODE_NAME_MAX]; /* the register with its address; "": nobody knows */
    uint64_t address;
};

struct draw_shader {
    const char *stage;
    uint64_t address, hash;
    uint32_t bytes; /* 0: its code is not in the dump */
};

struct draw {
    uint64_t number; /* in the dump, as `gpucode decode` counts */
    uint64_t address;
    char packet[GPUCODE_NAME_MAX], primitive[GPUCODE_NAME_MAX];
    uint64_t indices;
    unsigned mode;
    struct draw_target targets[DRAW_TARGETS_MAX];
    struct draw_shader shaders[DRAW_SHADERS_MAX];
    unsigned target_count, shader_count;
};

/* Why something on the way is suspect. */
enum draw_suspicion { DRAW_NOT_SUSPECT, DRAW_NOT_WRITTEN, DRAW_NO_BUFFER };

struct draw_suspect {
    enum draw_suspicion why;
    uint64_t address; /* of the packet */
    bool at_draw;
    uint64_t draw;
    char name[GPUCODE_NAME_MAX]; /* of the register, "": a packet calls the buffer */
    uint64_t target;             /* where no buffer is */
};

/* What was found on the way through the work that had not finished to the packet in hand. */
struct draw_found {
    bool reached;        /* the packet in hand was met */
    bool is_draw;        /* it is `draw` */
    bool has_draw;       /* a draw was in flight: that one, or the last one before it */
    bool has_next;       /* otherwise, or beside it: the one that comes after it, whose state is being set */
    struct draw draw;    /* in flight, or else the next one */
    uint64_t next;       /* number of the one after it */
    uint64_t first;      /* number of the first draw of the work that had not finished */
    size_t first_submit; /* the first one that had not finished */
    struct draw_suspect suspect;
};

/*
 * GPUCODE_OK or GPUCODE_ERROR_MEMORY; `family` and `meanings` as in struct gpucode_packet_options. Nothing is found in
 * dumps that do not tell where the command processor stood.
 */
enum gpucode_status draw_find(const struct gpucode_crash *crash, unsigned family,
                              const struct gpucode_meanings *meanings, struct draw_found *found);

/* --- memory that faults and draws refer to --- */

enum fault_place {
    FAULT_INSIDE,   /* of a buffer */
    FAULT_PAST,     /* just past one: in as many bytes after it */
    FAULT_UNMAPPED, /* in what was unmapped a moment ago */
    FAULT_MAPPED,   /* mapped by the log, but no buffer is listed there */
    FAULT_NEVER,    /* neither listed nor in the log */
};
struct fault_found {
    enum fault_place place;
    bool has_buffer, has_log;
    struct gpucode_crash_buffer buffer; /* that it is inside of, or past */
    uint64_t offset;                    /* in the buffer, from its end, or in the range that was unmapped */
    struct gpucode_crash_mapping mapping;
    size_t later; /* entries of the log after it */
};
void fault_classify(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found);

#endif
