/* SPDX-License-Identifier: MIT */
/* Shaders of any set. */
#ifndef GPUCODE_SHADER_H
#define GPUCODE_SHADER_H

#include <gpucode/answer.h>
#include <gpucode/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a shader uses: gpucode_a3xx_usage_tell() of <gpucode/a3xx.h> or gpucode_ir3_usage_tell() of <gpucode/ir3.h>, by
 * the image's instruction set; the fields are those of gpucode_a3xx_usage_answer_table(). `answer` stays the caller's.
 * Returns what they do: GPUCODE_ERROR_UNSUPPORTED, and nothing is put into the answer, of other sets. A thread may call
 * it for an answer that no other thread uses.
 */
GPUCODE_API enum gpucode_status gpucode_shader_usage_tell(const struct gpucode_image *image,
                                                          struct gpucode_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
