/* SPDX-License-Identifier: MIT */
/* A script as a C array and as calls, and back from the array. */
#include <gpucode/form.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const unsigned char script[] = {0xb0, 0x5f, 0x00, 0x01, 0xd0, 0x7f};
    const struct gpucode_target *target = gpucode_target_find("hwsq:g94");
    char *array, *calls;
    void *bytes;
    size_t length, calls_length, size;
    if (gpucode_form_write(target, GPUCODE_FORM_C, "script", script, sizeof script, &array, &length) != GPUCODE_OK ||
        gpucode_form_write(target, GPUCODE_FORM_CALLS, NULL, script, sizeof script, &calls, &calls_length) !=
            GPUCODE_OK ||
        gpucode_form_read(NULL, array, length, NULL, NULL, &bytes, &size) != GPUCODE_OK)
        return 1;
    printf("%s%sread back: %zu bytes\n", array, calls, size);
    free(array);
    free(calls);
    free(bytes);
    return 0;
}
