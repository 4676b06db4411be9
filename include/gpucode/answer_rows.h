/* SPDX-License-Identifier: MIT */
/*
 * Macros for a table of the fields of an answer: a file of rows, which is read twice.
 *
 *     // ring.def
 *     #include <gpucode/answer_rows.h>
 *     LIST(RINGS, "rings", PLAIN, "Rings\n%s", "", "the ring buffers of the GPU")
 *       OBJECT(RING, NULL, PLAIN, "%s\n", "", "one of them")
 *         VALUE(RING_ID, "id", COUNT, PLAIN, "  %s", "", "its number")
 *         MAYBE(RING_AT, "iova", HEX, PLAIN, " at %s", "", "where it is in the memory of the GPU; absent: unknown")
 *       CLOSE(RING)
 *     CLOSE(RINGS)
 *     #undef ROW
 *
 *     enum {
 *     #define ROW GPUCODE_ANSWER_ID
 *     #include "ring.def"
 *     };
 *     static const struct gpucode_answer_field fields[] = {
 *     #define ROW GPUCODE_ANSWER_ROW
 *     #include "ring.def"
 *     };
 *
 * The columns: id; key in JSON, or NULL; kind and style without GPUCODE_ANSWER_; how text shows it, or NULL; unit;
 * meaning (struct gpucode_answer_field of <gpucode/answer.h>). VALUE is always there, MAYBE may be absent, NULLABLE is
 * there and may be null.
 */
#ifndef GPUCODE_ANSWER_ROWS_H
#define GPUCODE_ANSWER_ROWS_H

#define GPUCODE_ANSWER_ID(id, ...) id,
#define GPUCODE_ANSWER_ROW(id, key, kind, style, text, unit, meaning, optional, may_be_null)                           \
    {key, text, unit, meaning, GPUCODE_ANSWER_##kind, GPUCODE_ANSWER_##style, optional, may_be_null},

#define VALUE(id, key, kind, style, text, unit, meaning) ROW(id, key, kind, style, text, unit, meaning, false, false)
#define MAYBE(id, key, kind, style, text, unit, meaning) ROW(id, key, kind, style, text, unit, meaning, true, false)
#define NULLABLE(id, key, kind, style, text, unit, meaning) ROW(id, key, kind, style, text, unit, meaning, false, true)
#define OBJECT(id, key, style, text, unit, meaning) ROW(id, key, OBJECT, style, text, unit, meaning, false, false)
#define LIST(id, key, style, text, unit, meaning) ROW(id, key, LIST, style, text, unit, meaning, false, false)
#define MAYBE_OBJECT(id, key, style, text, unit, meaning) ROW(id, key, OBJECT, style, text, unit, meaning, true, false)
#define MAYBE_LIST(id, key, style, text, unit, meaning) ROW(id, key, LIST, style, text, unit, meaning, true, false)
#define CLOSE(id) ROW(id##_CLOSE, NULL, CLOSE, PLAIN, NULL, "", NULL, false, false)

#endif
