/* SPDX-License-Identifier: MIT */
/* A program as an ELF file, and its code taken out of that again. */
#include <gpucode/elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = ".target afuc:a630\n"
                             "start:\n"
                             "\tmov $02, 0x1\n"
                             "\tjump #start\n"
                             "\tnop\n";

int main(void)
{
    const struct gpucode_asm_options options = {.file = "start.asm", .record_lines = true};
    struct gpucode_program *program;
    struct gpucode_elf_code code;
    void *file;
    size_t size;
    if (gpucode_assemble(source, strlen(source), &options, &program) != GPUCODE_OK)
        return 1;
    enum gpucode_status status = gpucode_elf_write(program, options.file, &file, &size);
    if (status == GPUCODE_OK) {
        const unsigned char *bytes = file;
        printf("begins with %02x %c%c%c\n", bytes[0], bytes[1], bytes[2], bytes[3]);
        status = gpucode_elf_read(file, size, "start.elf", NULL, &code);
        free(file);
    }
    if (status == GPUCODE_OK) {
        printf("%zu bytes for %s\n", code.size, gpucode_target_name(code.target));
        printf("%s\n", code.size == gpucode_program_size(program) &&
                               memcmp(code.bytes, gpucode_program_bytes(program), code.size) == 0
                           ? "the same as the program's"
                           : "others than the program's");
        free(code.bytes);
    }
    gpucode_program_free(program);
    return status != GPUCODE_OK;
}
