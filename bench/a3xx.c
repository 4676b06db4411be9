/* SPDX-License-Identifier: MIT */
/*
 * How fast A3XX code becomes text and text code, on one core: `a3xx-bench [FILE [COPIES]]`. FILE is a shader binary,
 * repeated COPIES times; without it, words made up from the rows. Beside the rates stands their ratio to a yardstick of
 * the same run, copying the text byte by byte with a check of each, so that machines can be compared; and the memory
 * that assembling took per instruction.
 */
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static long resident_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Arithmetic, moves, textures and nops as compilers write them. */
static const uint64_t usual[] = {0x57305b0000002000, 0x4210000220011010, 0x200d000000000000, 0x201100f400000000,
                                 0x0000050000000000, 0x2004400300000c00, 0x4010000b00070003, 0x63828909102c400a,
                                 0x8010000200000002, 0xa0d01f1506602605, 0x40b400f810640005, 0x0080000000000002,
                                 0x204440003f800000, 0x6480000610070001, 0x4390000a201f000a, 0x0300000000000000};

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    unsigned char *bytes = malloc(1 << 20);
    *size = bytes ? fread(bytes, 1, 1 << 20, file) / 8 * 8 : 0;
    fclose(file);
    return bytes;
}

/* Copies and looks at each byte: what any reader of the text must do at least. */
static double yardstick(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    double start = processor_now();
    size_t lines = 0;
    for (size_t i = 0; copy && i < length; i++) {
        copy[i] = text[i];
        lines += text[i] == '\n';
    }
    double took = processor_now() - start;
    if (copy && lines == 0)
        puts("no lines");
    free(copy);
    return took;
}

int main(int argc, char **argv)
{
    size_t size = sizeof usual;
    unsigned char *piece = argc > 1 ? read_file(argv[1], &size) : malloc(size);
    if (!piece || !size)
        fail("cannot read the shader");
    for (size_t i = 0; argc < 2 && i < size; i++)
        piece[i] = (unsigned char)(usual[i / 8] >> 8 * (i % 8));
    size_t copies = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000000 * 8 / size + 1;
    unsigned char *bytes = malloc(size * copies);
    if (!bytes)
        fail("out of memory");
    for (size_t i = 0; i < copies; i++)
        memcpy(bytes + i * size, piece, size);
    double count = (double)(size * copies / 8);

    struct gpucode_image_options options = {.target = gpucode_target_find("a3xx")};
    struct gpucode_image *image;
    char *text;
    size_t length;
    if (gpucode_image_open(bytes, size * copies, &options, &image) != GPUCODE_OK)
        fail("no image");
    double start = processor_now();
    if (gpucode_disassemble(image, NULL, &text, &length) != GPUCODE_OK)
        fail("no text");
    double disassembling = processor_now() - start;

    long before = resident_kib();
    struct gpucode_program *program;
    start = processor_now();
    if (gpucode_assemble(text, length, NULL, &program) != GPUCODE_OK)
        fail("the text was refused");
    double assembling = processor_now() - start;
    long after = resident_kib();
    if (gpucode_program_size(program) != size * copies ||
        memcmp(gpucode_program_bytes(program), bytes, size * copies) != 0)
        fail("the bytes came back different");

    double measure = yardstick(text, length); /* after the rest: its copy would hide what assembling takes */
    printf("%.0f instructions\n", count);
    printf("disassembled  %6.2f million a second, %5.1f yardsticks\n", count / disassembling / 1e6,
           disassembling / measure);
    printf("assembled     %6.2f million a second, %5.1f yardsticks\n", count / assembling / 1e6, assembling / measure);
    printf("memory        %6.1f bytes an instruction while assembling, output included\n",
           1024.0 * (double)(after - before) / count);
    gpucode_program_free(program);
    gpucode_image_free(image);
    free(text);
    free(bytes);
    free(piece);
    return 0;
}
