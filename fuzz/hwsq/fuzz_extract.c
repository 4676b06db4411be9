/* SPDX-License-Identifier: MIT */
/* Any bytes as a trace, VBIOS or log with scripts: what is found lies in the code RAM and goes through everything else.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <stdlib.h>

static void check_script(void *user, const struct gpucode_hwsq_script *script)
{
    struct gpucode_image_options options = {.target = script->target};
    struct gpucode_hwsq_facts facts;
    struct gpucode_image *image;
    char *text;
    size_t length;
    ++*(unsigned *)user;
    check(script->target && gpucode_hwsq_facts(script->target, &facts) && script->size);
    if (script->origin == GPUCODE_HWSQ_TRIGGERED || script->origin == GPUCODE_HWSQ_UPLOADED)
        check(script->address + script->size <= facts.code_bytes);
    check(gpucode_image_open(script->bytes, script->size, &options, &image) == GPUCODE_OK);
    check(gpucode_disassemble(image, NULL, &text, &length) == GPUCODE_OK);
    free(text);
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const targets[] = {NULL, "hwsq:nv17", "hwsq:nv50", "hwsq:nv92"};
    for (unsigned i = 0; i < 4; i++) {
        unsigned seen = 0, count;
        struct gpucode_hwsq_extract_options options = {
            .target = targets[i] ? gpucode_target_find(targets[i]) : NULL, .script = check_script, .user = &seen};
        enum gpucode_status status = gpucode_hwsq_extract(bytes, size, &options, &count);
        check(status == GPUCODE_OK || status == GPUCODE_ERROR_INPUT);
        check(seen == count);
    }
    return 0;
}
