/* SPDX-License-Identifier: MIT */
/* A program from text to bytes and back to text. */
#include <gpucode/asm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static const char source[] = ".target afuc:a630\n"
                                 "[016ee001]\n"
                                 "again: mov $02, 0x830\n"
                                 "jump #again\n"
                                 "nop\n";
    struct gpucode_program *program;
    struct gpucode_image *image;
    char *text;
    size_t length;
    if (gpucode_assemble(source, strlen(source), NULL, &program) != GPUCODE_OK)
        return 1;
    const unsigned char *bytes = gpucode_program_bytes(program);
    for (size_t i = 0; i < gpucode_program_size(program); i += 4)
        printf("%02x%02x%02x%02x\n", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
    if (gpucode_image_open(bytes, gpucode_program_size(program), NULL, &image) != GPUCODE_OK)
        return 1;
    struct gpucode_disasm_options options = {0};
    if (gpucode_disassemble(image, &options, &text, &length) != GPUCODE_OK)
        return 1;
    fwrite(text, 1, length, stdout);
    free(text);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}
