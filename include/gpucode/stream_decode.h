/* SPDX-License-Identifier: MIT */
/*
 * What a recorded command stream does, as an answer: its packets with their fields, the registers that it writes, what
 * each draw finds in the registers, and what registers and packets point to. In the library gpucode-stream.
 *
 *     struct gpucode_answer *answer = gpucode_answer_create();
 *     struct gpucode_stream_decode_options options = {
 *         .target = gpucode_stream_target(stream), .shown = GPUCODE_DECODE_DRAWS | GPUCODE_DECODE_TEXTURES};
 *     enum gpucode_status status = gpucode_stream_decode(stream, &options, answer, NULL);
 *
 * A recording may have millions of packets: gpucode_answer_stream() of <gpucode/answer.h> prints them without keeping
 * them. Nothing is run; <gpucode/packet.h> says what plain decoding assumes. docs/decode.md describes the output.
 */
#ifndef GPUCODE_STREAM_DECODE_H
#define GPUCODE_STREAM_DECODE_H

#include <gpucode/answer.h>
#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the answer has; the bits of `shown`. */
enum {
    GPUCODE_DECODE_SUBMITS = 1 << 0,   /* text and HTML: a line for each submit */
    GPUCODE_DECODE_PACKETS = 1 << 1,   /* packets, buffers and groups, and what is wrong with the stream */
    GPUCODE_DECODE_WRITES = 1 << 2,    /* with PACKETS: the registers that are written */
    GPUCODE_DECODE_DRAWS = 1 << 3,     /* the registers at each draw, dispatch and blit */
    GPUCODE_DECODE_ALL = 1 << 4,       /* at draws all registers ever written, not only those since the last draw */
    GPUCODE_DECODE_ONCE = 1 << 5,      /* each indirect buffer once for each render mode */
    GPUCODE_DECODE_ONE_DRAW = 1 << 6,  /* `draw` alone, and what stands before it */
    GPUCODE_DECODE_TEXTURES = 1 << 7,  /* textures, samplers and buffers that packets load or registers point to */
    GPUCODE_DECODE_CONSTANTS = 1 << 8, /* constants that packets load */
    GPUCODE_DECODE_SHADERS = 1 << 9,   /* shaders that packets load or registers point to */
    GPUCODE_DECODE_BINDLESS = 1 << 10, /* at draws all slots of bindless sets */
    GPUCODE_DECODE_VERTICES = 1 << 11, /* at draws the indices and the first vertices */
    /* Of crash dumps, the submits that are shown; none of the three: all. Of recordings they say nothing. */
    GPUCODE_DECODE_FINISHED = 1 << 24, /* those that the GPU had finished */
    GPUCODE_DECODE_RUNNING = 1 << 25,  /* those that it had begun */
    GPUCODE_DECODE_PENDING = 1 << 26,  /* those that it had not begun */
    GPUCODE_DECODE_WORK = GPUCODE_DECODE_FINISHED | GPUCODE_DECODE_RUNNING | GPUCODE_DECODE_PENDING,
};

/* When queries are answered. */
enum gpucode_stream_decode_when {
    GPUCODE_DECODE_AT_DRAWS,
    GPUCODE_DECODE_AT_WRITES,
    GPUCODE_DECODE_AT_CHANGES, /* at draws where the value is not what it was at the draw before */
};

struct gpucode_stream_decode_options {
    const struct gpucode_target *target;     /* whose packets these are (AFUC); null with a family */
    unsigned family;                         /* ahead of the target's: 2 for a2xx, ..., 8 for gen8; 0: the target's */
    const struct gpucode_names *names;       /* ahead of the built-in ones, or null */
    const struct gpucode_meanings *meanings; /* of registers and packets, ahead of the built-in ones, or null */
    const struct gpucode_target *shaders;    /* the instruction set of its shaders; null: they are shown as words */
    unsigned shown;                          /* GPUCODE_DECODE_... */
    /* Command streams are numbered through the file, from 0. All are decoded, these are shown. */
    uint64_t first_stream, stream_count; /* stream_count 0: all from the first one on */
    uint64_t draw;                       /* with ONE_DRAW: its number in the file, from 0 */
    /*
     * "NAME" or "NAME=VALUE" each: a register, its number, or REGISTER.FIELD, in which * stands for any characters.
     * Where there are any, the answer has a record for each register or field that fits one, in place of packets and
     * draws.
     */
    const char *const *queries;
    size_t query_count;
    enum gpucode_stream_decode_when when;
    /* Called with each shader, which is the caller's to copy; false ends decoding. Null: nobody wants them. */
    bool (*shader)(void *user, const uint32_t *words, size_t count);
    /* Called before each submit with its number and how many there are; false ends decoding. May be null. */
    bool (*progress)(void *user, size_t submit, size_t count);
    void *user;
    /* Submits are numbered too. All are decoded, these are shown. */
    uint64_t first_submit, submit_count; /* submit_count 0: all from the first one on */
    /* The name of the crash dump as a shell takes it, for the next command to type, which ends the answer; or null. */
    const char *dump;
};

/* What there was, for those who ask for more than there is. */
struct gpucode_stream_decoded {
    uint64_t draws, streams; /* in the file */
    uint64_t submits;        /* the same */
    bool trouble;            /* something that is not a packet was found */
    bool ended;              /* `shader` or `progress` ended it */
};

/*
 * Decodes a recording and puts what is to be shown into `answer`, one outermost value after another. `decoded` may be
 * null.
 *
 * Returns GPUCODE_OK; GPUCODE_ERROR_UNSUPPORTED: the target has no packets, or nothing says what GPU it is;
 * GPUCODE_ERROR_RANGE: its buffers call one another again and again, and decoding was given up after 2^18 words and 16
 * (ONCE: 1024) for each word of the recording; GPUCODE_ERROR_ARGUMENT: no stream or options, or a query that
 * gpucode_stream_decode_knows() does not know;
 * GPUCODE_ERROR_MEMORY; or the status of the answer. Different answers may be made in different threads, of one stream
 * as well.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode(const struct gpucode_stream *stream,
                                                      const struct gpucode_stream_decode_options *options,
                                                      struct gpucode_answer *answer,
                                                      struct gpucode_stream_decoded *decoded);

/* Is the query well formed, and does it name a register or field of the GPU that the options tell of? */
GPUCODE_API bool gpucode_stream_decode_knows(const struct gpucode_stream_decode_options *options, const char *query);

/*
 * What two recordings set differently, draw by draw: of draw N in both, the registers that are written for one of them
 * alone or have another value; with ALL, all registers. A total comes last. *equal: nothing differs. Returns what
 * gpucode_stream_decode() returns.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode_compare(
    const struct gpucode_stream *first, const struct gpucode_stream_decode_options *first_options,
    const struct gpucode_stream *second, const struct gpucode_stream_decode_options *second_options,
    struct gpucode_answer *answer, bool *equal);

/* The fields of both answers. */
GPUCODE_API const struct gpucode_answer_table *gpucode_stream_decode_answer_table(void);

#ifdef __cplusplus
}
#endif
#endif
