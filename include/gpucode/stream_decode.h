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
#include <gpucode/time_line.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the answer has; the bits of `shown`. */
enum {
    GPUCODE_DECODE_SUBMITS = 1 << 0,      /* text and HTML: a line for each submit */
    GPUCODE_DECODE_PACKETS = 1 << 1,      /* packets, buffers and groups, and what is wrong with the stream */
    GPUCODE_DECODE_WRITES = 1 << 2,       /* with PACKETS: the registers that are written */
    GPUCODE_DECODE_DRAWS = 1 << 3,        /* the registers at each draw, dispatch and blit */
    GPUCODE_DECODE_ALL = 1 << 4,          /* at draws all registers ever written, not only those since the last draw */
    GPUCODE_DECODE_ONCE = 1 << 5,         /* each indirect buffer once for each submit and render mode */
    GPUCODE_DECODE_ONE_DRAW = 1 << 6,     /* `draw_count` draws from `draw` on alone, and what stands before them */
    GPUCODE_DECODE_TEXTURES = 1 << 7,     /* textures, samplers and buffers that packets load or registers point to */
    GPUCODE_DECODE_CONSTANTS = 1 << 8,    /* constants that packets load */
    GPUCODE_DECODE_SHADERS = 1 << 9,      /* shaders that packets load or registers point to */
    GPUCODE_DECODE_BINDLESS = 1 << 10,    /* at draws all slots of bindless sets */
    GPUCODE_DECODE_VERTICES = 1 << 11,    /* at draws the indices and the first vertices */
    GPUCODE_DECODE_SHADER_LIST = 1 << 12, /* at the end each distinct shader with the draws that use it */
    GPUCODE_DECODE_SHADER_CODE = 1 << 13, /* with SHADER_LIST: also its code */
    GPUCODE_DECODE_MARKS = 1 << 14,       /* debug marks, nested, and without DRAWS how many draws are in each */
    GPUCODE_DECODE_PASSES = 1 << 15,      /* with queries: the binning and the draw pass of a draw in one record */
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
    uint64_t draw_count;                 /* with ONE_DRAW: 0 is one */
    /*
     * "NAME" or "NAME=VALUE" each: a register, its number, REGISTER.FIELD, a descriptor "TEX_CONST[1]" or its field
     * "TEX_CONST[1].WIDTH", a field of a packet "CP_MEM_WRITE.ADDR", in which * stands for any characters. Where there
     * are any, the answer has a record for each of these that fits one, in place of packets and draws.
     */
    const char *const *queries;
    size_t query_count;
    uint64_t *answered; /* query_count numbers, which are set: how often each query was answered. May be null */
    enum gpucode_stream_decode_when when;
    /*
     * Called at the end with each distinct shader, as long as the registers say, which is the caller's to copy; false
     * ends it. Their order is that of SHADER_LIST. Null: nobody wants them.
     */
    bool (*shader)(void *user, const uint32_t *words, size_t count);
    /* Called before each submit with its number and how many there are; false ends decoding. May be null. */
    bool (*progress)(void *user, size_t submit, size_t count);
    void *user;
    /* Submits are numbered too. All are decoded, these are shown. */
    uint64_t first_submit, submit_count; /* submit_count 0: all from the first one on */
    /* The name of the crash dump as a shell takes it, for the next command to type, which ends the answer; or null. */
    const char *dump;
    /*
     * Submits of other processes are neither shown nor count for the state; their draws are numbered. A submit is of
     * the process that its text, or else that of the last one with a text, begins with; * stands for any characters.
     * Null: all processes, or with `applications` all but X servers and compositors.
     */
    const char *process;
    bool applications;
};

/* What there was, for those who ask for more than there is. */
struct gpucode_stream_decoded {
    uint64_t draws, streams; /* in the file */
    uint64_t submits;        /* the same */
    bool trouble;            /* something that is not a packet was found */
    bool ended;              /* `shader` or `progress` ended it */
    uint64_t left_out;       /* submits of other processes than those that were asked for */
    /* Places that are not packets, wherever they are, and how many words were passed over there; the first's address.
     */
    uint64_t wrong_places, wrong_words, first_wrong;
};

/*
 * Decodes a recording and puts what is to be shown into `answer`, one outermost value after another. `decoded` may be
 * null.
 *
 * Returns GPUCODE_OK; GPUCODE_ERROR_UNSUPPORTED: the target has no packets, or nothing says what GPU it is;
 * GPUCODE_ERROR_RANGE: its buffers call one another again and again, and decoding was given up after 2^18 words and 16
 * (ONCE: 1024) for each word of the recording; GPUCODE_ERROR_ARGUMENT: no stream or options, or a query that
 * is not NAME or NAME=VALUE; GPUCODE_ERROR_MEMORY; or the status of the answer. Different answers may be made in
 * different threads, of one stream as well.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode(const struct gpucode_stream *stream,
                                                      const struct gpucode_stream_decode_options *options,
                                                      struct gpucode_answer *answer,
                                                      struct gpucode_stream_decoded *decoded);

/* Is the query well formed, and does it name something that the GPU has of which the options tell? */
GPUCODE_API bool gpucode_stream_decode_knows(const struct gpucode_stream_decode_options *options, const char *query);

/*
 * Tells `take` the names of all registers, descriptors and packets of that GPU, with `fields` those of the fields of
 * registers and descriptors as well: for who looks for the name that a query meant. The names are valid during the
 * call only.
 */
GPUCODE_API void gpucode_stream_decode_names(const struct gpucode_stream_decode_options *options, bool fields,
                                             void (*take)(void *user, const char *name), void *user);

/*
 * What two recordings set differently, draw by draw: of draw N in both, the registers that are written for one of them
 * alone or have another value; with ALL, all registers. A total comes last. *equal: nothing differs. Returns what
 * gpucode_stream_decode() returns.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode_compare(
    const struct gpucode_stream *first, const struct gpucode_stream_decode_options *first_options,
    const struct gpucode_stream *second, const struct gpucode_stream_decode_options *second_options,
    struct gpucode_answer *answer, bool *equal);

/*
 * What two draws of a recording find set differently, by their numbers in the file, from 0: the draws themselves, the
 * shaders of their stages, vertex attributes, descriptors, and all registers that were ever written. A total comes
 * last. *equal: nothing differs. Where `decoded`, which may be null, tells that the file has no such draw, the answer
 * is empty. `shown`, ranges, queries and `shader` of the options are not used. Returns what gpucode_stream_decode()
 * returns.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode_compare_draws(
    const struct gpucode_stream *stream, const struct gpucode_stream_decode_options *options, uint64_t first,
    uint64_t second, struct gpucode_answer *answer, struct gpucode_stream_decoded *decoded, bool *equal);

/*
 * Everything that points to `size` bytes at a GPU address (0: to that byte), or into the recorded buffer that it lies
 * in where nothing says how far it reaches: registers, descriptors, shaders, constants and indirect buffers, vertex and
 * index buffers, packets that read or write there. What is set again and again is told once. Ranges of the options
 * count; the rest of `shown`, queries and `shader` are not used. *count: how much was found; `decoded` may be null.
 * Returns what gpucode_stream_decode() returns.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode_where(const struct gpucode_stream *stream,
                                                            const struct gpucode_stream_decode_options *options,
                                                            uint64_t address, uint64_t size,
                                                            struct gpucode_answer *answer,
                                                            struct gpucode_stream_decoded *decoded, size_t *count);

/*
 * Registers that draws, dispatches and blits use and that the stream never wrote, unless drivers may leave them; and
 * those that a group of draw state wrote for an earlier draw and, having run again since, not for this one. What is
 * used is a list by generation (src/pm4/stream/uses.def); of a2xx it has nothing. Each is told once, with the first
 * draw. Ranges of the options count; the rest of `shown`, queries and `shader` are not used. *count: how many there
 * are; `decoded` may be null. Returns what gpucode_stream_decode() returns.
 */
GPUCODE_API enum gpucode_status gpucode_stream_decode_lint(const struct gpucode_stream *stream,
                                                           const struct gpucode_stream_decode_options *options,
                                                           struct gpucode_answer *answer,
                                                           struct gpucode_stream_decoded *decoded, size_t *count);

/*
 * The stream as a time line, whose unit is a word as the command processor reads it: how long anything takes is not in
 * a recording. Its lanes: `submits`; `buffers`: the command streams, and in them indirect buffers and groups of draw
 * state; `marks`: the driver's debug marks; `draws`: what stands from one draw, dispatch or blit to the next, which it
 * ends; `packets`; `waits`: packets that wait; `faults`: what is wrong with the stream, and of a crash dump the packet
 * in hand. Words that a condition skips have their place and are marked. Events are numbered through all that is
 * decoded. Ranges of the options say of which command streams and draws there are more than submits and the streams
 * themselves, `process` whose submits; the rest of `shown`, queries and `shader` are not used. `how` has the form and
 * the title. `decoded` may be null. Returns what gpucode_stream_decode() returns.
 */
GPUCODE_API enum gpucode_status gpucode_stream_time_line(const struct gpucode_stream *stream,
                                                         const struct gpucode_stream_decode_options *options,
                                                         const struct gpucode_time_line_options *how,
                                                         struct gpucode_answer *answer,
                                                         struct gpucode_stream_decoded *decoded);

/* The fields of all these answers, but for the time line's. */
GPUCODE_API const struct gpucode_answer_table *gpucode_stream_decode_answer_table(void);

#ifdef __cplusplus
}
#endif
#endif
