/* SPDX-License-Identifier: MIT */
/*
 * What a draw or dispatch of a recording gives one of its shaders: code, constants, descriptors, registers of the GPU.
 * In the library gpucode-stream.
 *
 *     struct gpucode_stream_decode_options options = {.target = gpucode_stream_target(stream)};
 *     struct gpucode_stream_stage *stage;
 *     if (gpucode_stream_stage_open(stream, &options, 262, "FS", &stage, NULL) == GPUCODE_OK && stage) {
 *         struct gpucode_stage_code code = gpucode_stream_stage_code(stage);
 *         ...
 *         gpucode_stream_stage_free(stage);
 *     }
 *
 * It is what plain decoding finds (<gpucode/packet.h>); what the GPU itself made of vertices and rasters is not in it.
 */
#ifndef GPUCODE_STREAM_STAGE_H
#define GPUCODE_STREAM_STAGE_H

#include <gpucode/fields.h>
#include <gpucode/stream_decode.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_stream_stage;

/*
 * The state of one shader at draw number `draw` of the file, from 0. `name` is "VS", "HS", "DS", "GS", "FS" or "CS";
 * null: CS of a dispatch, FS of a draw. Of the options target, family, names, meanings, process and applications count;
 * they and the stream must live as long as the stage. *out is null where the file has no such draw, or the draw no such
 * shader. *decoded, which may be null, tells how many draws there are; where the draw was found, up to that one.
 *
 * Returns what gpucode_stream_decode() returns; GPUCODE_ERROR_ARGUMENT also without `out` or for another name.
 * Different stages may be used in different threads. gpucode_stream_stage_free() frees it; null is allowed.
 */
GPUCODE_API enum gpucode_status gpucode_stream_stage_open(const struct gpucode_stream *stream,
                                                          const struct gpucode_stream_decode_options *options,
                                                          uint64_t draw, const char *name,
                                                          struct gpucode_stream_stage **out,
                                                          struct gpucode_stream_decoded *decoded);
GPUCODE_API void gpucode_stream_stage_free(struct gpucode_stream_stage *stage);

/* Pointers live as long as the stage. */
struct gpucode_stage_code {
    const char *name;      /* "FS" */
    const char *packet;    /* the draw's: "CP_DRAW_INDX_OFFSET" */
    size_t submit;         /* its number, for gpucode_stream_load() */
    uint64_t address;      /* of the code */
    const uint32_t *words; /* without the zeros at its end */
    size_t count;
};
GPUCODE_API struct gpucode_stage_code gpucode_stream_stage_code(const struct gpucode_stream_stage *stage);

/* Component `number` of its constants (c1.y is 5), as packets loaded it last; false: none did. */
GPUCODE_API bool gpucode_stream_stage_constant(const struct gpucode_stream_stage *stage, uint32_t number,
                                               uint32_t *value);

enum gpucode_stage_resource {
    GPUCODE_STAGE_TEXTURE,
    GPUCODE_STAGE_SAMPLER,
    GPUCODE_STAGE_UBO,
    GPUCODE_STAGE_BUFFER, /* SSBO, UAV; of a4xx and a5xx it has several descriptors, A5XX_SSBO_0 and so on */
};
/* A descriptor. */
struct gpucode_stage_unit {
    enum gpucode_stage_resource resource;
    const char *kind; /* for gpucode_descriptor_fields(): "A6XX_TEX_CONST" */
    uint32_t index;   /* its slot */
    uint32_t count;   /* words */
    const uint32_t *words;
};
/* Unit number `index` of those that the stage has, in no order; false after the last. */
GPUCODE_API bool gpucode_stream_stage_unit(const struct gpucode_stream_stage *stage, size_t index,
                                           struct gpucode_stage_unit *unit);

/* The value of a GPU register by its name, 64 bits where it has them; false: it was not written, or is not known. */
GPUCODE_API bool gpucode_stream_stage_register(const struct gpucode_stream_stage *stage, const char *name,
                                               uint64_t *value);
/* A field of it. A flag that is not set is 0. */
GPUCODE_API bool gpucode_stream_stage_field(const struct gpucode_stream_stage *stage, const char *name,
                                            const char *field, uint64_t *value);

#ifdef __cplusplus
}
#endif
#endif
