/* SPDX-License-Identifier: MIT */
/*
 * How fast 1 MiB of HWSQ code goes to text and back, beside GNU as on a text with as many lines of the same kind.
 *
 *     hwsq-bench [BYTES]
 *
 * Times are processor time, the least of several runs; memory is what the process has used at most.
 */
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 5

/* Opcodes in equal shares, operands at random: 2.3 bytes an instruction. Returns how many there are. */
static unsigned make_code(unsigned char *bytes, size_t size)
{
    uint64_t state = 20120802;
    unsigned count = 0;
    size_t at = 0;
    while (at < size) {
        uint32_t random = next_random(&state), operand = next_random(&state);
        unsigned char code[5] = {0, (unsigned char)operand, (unsigned char)(operand >> 8),
                                 (unsigned char)(operand >> 16), (unsigned char)(operand >> 24)};
        static const unsigned char first[] = {0x00, 0x80, 0xa0, 0xc0, 0x40, 0x42, 0x5f, 0xe0, 0xe2, 0x7f};
        static const unsigned char lengths[] = {1, 1, 1, 1, 3, 3, 3, 5, 5, 1};
        unsigned kind = random % 10;
        size_t length = lengths[kind];
        code[0] = first[kind];
        if (kind == 0)
            code[0] = random >> 8 & 0x3f;
        else if (kind < 4)
            code[0] |= random >> 8 & 31;
        if (kind == 6) {
            code[1] &= 31;
            code[2] &= 1;
        }
        if (length > size - at) {
            code[0] = 0x7f;
            length = 1;
        }
        memcpy(bytes + at, code, length);
        at += length;
        count++;
    }
    return count;
}

/* GNU as on "label: .byte; insn" lines of an x86 text as long as ours; seconds of processor time, negative: no as. */
static double time_as(unsigned lines)
{
    static const char *const texts[] = {"movl $0x12345678, %eax\n", "addl %ecx, 0x40(%edx)\n", "nop\n",
                                        "xorl %eax, %edx\n",        "pushl $0x2d0\n",          "incl %ebx\n"};
    char source[] = "/tmp/hwsq-bench-XXXXXX";
    int descriptor = mkstemp(source);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        fail("cannot write a file");
    for (unsigned i = 0; i < lines; i++)
        fputs(texts[i % 6], file);
    fclose(file);
    double least = -1;
    for (unsigned run = 0; run < 2; run++) {
        struct rusage before, after;
        getrusage(RUSAGE_CHILDREN, &before);
        pid_t child = fork();
        if (child == 0) {
            execlp("as", "as", "--32", "-o", "/dev/null", source, (char *)NULL);
            _exit(127);
        }
        int status;
        waitpid(child, &status, 0);
        getrusage(RUSAGE_CHILDREN, &after);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            break;
        double seconds =
            (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
            1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec -
                            before.ru_stime.tv_usec);
        if (least < 0 || seconds < least)
            least = seconds;
    }
    remove(source);
    return least;
}

static void show(const char *what, unsigned count, double seconds, double goal, double yardstick)
{
    printf("%-16s %7.2f M instructions/s", what, count / seconds / 1e6);
    printf("  goal %5.1f", goal);
    if (yardstick > 0)
        printf("  GNU as %5.2f M lines/s, ratio %.1f", count / yardstick / 1e6, yardstick / seconds);
    printf("\n");
}

/* The kernel's own count for this program; getrusage() begins with what the caller had before exec. */
static double memory_peak_mb(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[128];
    unsigned long kilobytes = 0;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lu", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    return (double)kilobytes / 1024;
}

int main(int argc, char **argv)
{
    size_t size = argc > 1 ? strtoul(argv[1], NULL, 0) : 1 << 20;
    unsigned char *bytes = malloc(size ? size : 1);
    if (!bytes || !size)
        fail("no memory");
    unsigned count = make_code(bytes, size);
    double disassembling = 1e9, assembling = 1e9;
    struct gpucode_image_options options = {.target = gpucode_target_find("hwsq:nv50")};
    for (unsigned run = 0; run < RUNS; run++) {
        struct gpucode_image *image = NULL;
        struct gpucode_program *program = NULL;
        char *text = NULL;
        size_t length;
        double start = processor_now();
        if (gpucode_image_open(bytes, size, &options, &image) != GPUCODE_OK ||
            gpucode_disassemble(image, NULL, &text, &length) != GPUCODE_OK)
            fail("cannot disassemble");
        double middle = processor_now();
        if (gpucode_assemble(text, length, NULL, &program) != GPUCODE_OK)
            fail("cannot assemble");
        double end = processor_now();
        if (gpucode_program_size(program) != size || memcmp(gpucode_program_bytes(program), bytes, size) != 0)
            fail("the bytes have changed");
        disassembling = middle - start < disassembling ? middle - start : disassembling;
        assembling = end - middle < assembling ? end - middle : assembling;
        gpucode_program_free(program);
        gpucode_image_free(image);
        free(text);
    }
    double as = time_as(count);
    printf("%zu bytes, %u instructions\n", size, count);
    show("disassembled", count, disassembling, 30, as);
    show("assembled", count, assembling, 2.5, as);
    printf("memory at most   %7.1f MB  goal %5.1f\n", memory_peak_mb(), 20.0);
    if (as < 0)
        puts("GNU as is not there");
    free(bytes);
    return 0;
}
