/* SPDX-License-Identifier: MIT */
/*
 * A table of the fields of an answer, read from a file that has only rows:
 *
 *     // ring.def
 *     LIST(RINGS, "rings", PLAIN, "Rings\n%s", "", "the ring buffers of the GPU")
 *       OBJECT(RING, NULL, PLAIN, "%s\n", "", "one of them")
 *         VALUE(RING_ID, "id", COUNT, PLAIN, "  %s", "", "its number")
 *         MAYBE(RING_AT, "iova", HEX, PLAIN, " at %s", "", "where it is in the memory of the GPU; absent: unknown")
 *       CLOSE(RING)
 *     CLOSE(RINGS)
 *
 *     // ring.c
 *     #define ANSWER_ROWS "ring.def"
 *     #include <gpucode/answer_rows.h>
 *     ...
 *     gpucode_answer_number(answer, &fields[RING_ID], 3);
 *
 * This header makes an enumeration of the ids and the array `fields`; where ANSWER_IDS_ONLY is defined, only the
 * enumeration, for files that share the array of another one. It may be included several times. Without ANSWER_ROWS it
 * defines the macros of the rows alone, which stay: for tables that are not files (examples/api/answer_rows.c).
 *
 * The columns: id; key in JSON, or NULL; kind and style without GPUCODE_ANSWER_; how text shows it, or NULL; unit;
 * meaning (struct gpucode_answer_field of <gpucode/answer.h>). VALUE is always there, MAYBE may be absent, NULLABLE is
 * there and may be null. OBJECT, LIST and those that may be absent hold the rows up to CLOSE of their id.
 */
#include <gpucode/answer.h>

#ifndef GPUCODE_ANSWER_ROWS_H
#define GPUCODE_ANSWER_ROWS_H

#define GPUCODE_ANSWER_ID(id, ...) id,
#define GPUCODE_ANSWER_ROW(id, key, kind, style, text, unit, meaning, optional, may_be_null)                           \
    {key, text, unit, meaning, GPUCODE_ANSWER_##kind, GPUCODE_ANSWER_##style, optional, may_be_null},

#endif

#define VALUE(id, key, kind, style, text, unit, meaning) ROW(id, key, kind, style, text, unit, meaning, false, false)
#define MAYBE(id, key, kind, style, text, unit, meaning) ROW(id, key, kind, style, text, unit, meaning, true, false)
#define NULLABLE(id, key, kind, style, text, unit, meaning) ROW(id, key, kind, style, text, unit, meaning, false, true)
#define OBJECT(id, key, style, text, unit, meaning) ROW(id, key, OBJECT, style, text, unit, meaning, false, false)
#define LIST(id, key, style, text, unit, meaning) ROW(id, key, LIST, style, text, unit, meaning, false, false)
#define MAYBE_OBJECT(id, key, style, text, unit, meaning) ROW(id, key, OBJECT, style, text, unit, meaning, true, false)
#define MAYBE_LIST(id, key, style, text, unit, meaning) ROW(id, key, LIST, style, text, unit, meaning, true, false)
#define CLOSE(id) ROW(CLOSE_##id, NULL, CLOSE, PLAIN, NULL, "", NULL, false, false)

#ifdef ANSWER_ROWS
enum {
#define ROW GPUCODE_ANSWER_ID
#include ANSWER_ROWS
#undef ROW
};
#ifndef ANSWER_IDS_ONLY
static const struct gpucode_answer_field fields[] = {
#define ROW GPUCODE_ANSWER_ROW
#include ANSWER_ROWS
#undef ROW
};
#endif

#undef VALUE
#undef MAYBE
#undef NULLABLE
#undef OBJECT
#undef LIST
#undef MAYBE_OBJECT
#undef MAYBE_LIST
#undef CLOSE
#undef ANSWER_ROWS
#undef ANSWER_IDS_ONLY
#endif
