/* SPDX-License-Identifier: MIT */
/* <gpucode/shader.h>: what a shader of any set uses, as text. */
#include <gpucode/shader.h>
#include <gpucode/target.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const unsigned char code[8] = {0, 0, 0, 0, 0, 0, 0, 0x03}; /* end */
    struct gpucode_image_options options = {.target = gpucode_target_find("ir3:a750")};
    struct gpucode_image *image;
    if (gpucode_image_open(code, sizeof code, &options, &image) != GPUCODE_OK)
        return 1;
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_answer_options how = {.form = GPUCODE_ANSWER_AS_TEXT};
    char *text = NULL;
    size_t length;
    enum gpucode_status status = gpucode_shader_usage_tell(image, answer);
    if (status == GPUCODE_OK)
        status = gpucode_answer_print(answer, &how, &text, &length);
    if (text)
        fputs(text, stdout);
    free(text);
    gpucode_answer_free(answer);
    gpucode_image_free(image);
    return status != GPUCODE_OK;
}
