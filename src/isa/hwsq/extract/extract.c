/* SPDX-License-Identifier: MIT */
/* Scripts in files of all kinds that hold some. */
#include "isa/hwsq/extract/extract.h"
#include "hwsq_messages.h"

enum gpucode_status gpucode_hwsq_extract(const void *bytes, size_t size,
                                         const struct gpucode_hwsq_extract_options *options, unsigned *count)
{
    static const struct gpucode_hwsq_extract_options none = {0};
    if ((!bytes && size) || (options && options->target && options->target->isa != &hwsq_isa))
        return GPUCODE_ERROR_ARGUMENT;
    struct extract extract = {.options = options ? options : &none, .bytes = bytes ? bytes : "", .size = size};
    if (extract_is_mmiotrace(&extract))
        extract_mmiotrace(&extract);
    else if (!extract_vbios(&extract) && !extract_log(&extract))
        extract_report(&extract, NULL, 0, MSG_EXTRACT_KIND, NULL, NULL, NULL);
    if (count)
        *count = extract.count;
    return extract.failed ? GPUCODE_ERROR_MEMORY : extract.errors ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}
