/* SPDX-License-Identifier: MIT */
/*
 * How fast AFUC goes to text and back, beside GNU objdump and as on an x86 text with as many lines.
 *
 *     afuc-bench GPUCODE [WORDS]
 *
 * GPUCODE is the program to time as a whole process. The image has 30,000 words unless told otherwise and is made here.
 * Times are processor time, the least of several runs. `--once disasm|asm` runs one of the two once and nothing else,
 * for bench/count.sh.
 */
#include "measure.h"
#include <fcntl.h>

#include <gpucode/gpucode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 15

/* Code in the proportions of firmware: register and immediate arithmetic, accesses, a branch now and then, few nops. */
static uint32_t code_word(uint64_t *state, uint32_t at, uint32_t count)
{
    uint32_t random = next_random(state);
    uint32_t back = at < 100 ? at : 100;
    switch (next_random(state) % 16) {
    case 0:
        return 0x01000000; /* nop */
    case 1:
    case 2:
        return 0x88000000 | (random & 0x001f0fff); /* mov */
    case 3:
        return 0x98000000 | (random & 0x03fff800) | 1; /* add */
    case 4:
        return 0x98000006 | (random & 0x001ff800); /* mov */
    case 5:
        return 0x28000000 | (random & 0x03ffffff); /* and with an immediate */
    case 6:
        return 0x08000000 | (random & 0x03ff00ff);
    case 7:
    case 8:
        return 0xa8000000 | (random & 0x001f01ff); /* cwrite */
    case 9:
        return 0xb8000000 | (random & 0x001f01ff); /* cread */
    case 10:
        return 0xc4000000 | (random & 0x03ff0000) | ((random % 50) + 1 < count - at ? random % 50 : 0); /* breq */
    case 11:
        return 0xc8000000 | (random & 0x03ff0000) | (uint16_t) - (int)(random % (back + 1)); /* brne on a bit */
    case 12:
        return 0xd4000000 | random % count; /* call */
    case 13:
        return 0xa0000000 | (random & 0x03ff00ff); /* store */
    case 14:
        return 0x90000000 | (random & 0x03ff003f); /* setbit and clrbit */
    default:
        return random & 7 ? 0x48000000 | (random & 0x03ff001f) : 0xd0000000; /* shl, ret */
    }
}

static unsigned char *make_image(uint32_t count, size_t *size)
{
    uint64_t state = 20260101;
    uint32_t code = count - 128;
    *size = 4 + 4 * (size_t)count;
    unsigned char *bytes = calloc(1, *size);
    if (!bytes)
        fail("no memory");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = i == 0     ? 0x016ee001
                        : i == 1   ? 0x01000000 | code
                        : i == 2   ? 0x88010000 | code /* firmware that uploads its packet table says where that is */
                        : i < code ? code_word(&state, i, code)
                                   : 2 + next_random(&state) % (code - 2);
        for (unsigned k = 0; k < 4; k++)
            bytes[4 + 4 * (size_t)i + k] = (unsigned char)(word >> 8 * k);
    }
    return bytes;
}

static char *disassemble(const unsigned char *bytes, size_t size, size_t *length)
{
    struct gpucode_image *image;
    char *text;
    if (gpucode_image_open(bytes, size, NULL, &image) != GPUCODE_OK ||
        gpucode_disassemble(image, NULL, &text, length) != GPUCODE_OK)
        fail("the image cannot be disassembled");
    gpucode_image_free(image);
    return text;
}

static void assemble(const char *text, size_t length, const unsigned char *bytes, size_t size)
{
    struct gpucode_program *program;
    if (gpucode_assemble(text, length, NULL, &program) != GPUCODE_OK)
        fail("the text cannot be assembled");
    if (gpucode_program_size(program) != size || memcmp(gpucode_program_bytes(program), bytes, size) != 0)
        fail("the bytes have changed");
    gpucode_program_free(program);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        fail("cannot write a file");
}

struct cost {
    double seconds; /* of processor time, least of all runs; negative: the program is not there */
    long kilobytes; /* most memory of a run */
};

static struct cost time_process(char *const command[])
{
    struct cost cost = {-1, 0};
    for (unsigned run = 0; run < RUNS; run++) {
        pid_t child = fork();
        if (child == 0) {
            int null = open("/dev/null", O_WRONLY);
            if (null < 0 || dup2(null, 1) < 0)
                _exit(126);
            execvp(command[0], command);
            _exit(127);
        }
        int status;
        struct rusage usage;
        if (child < 0 || wait4(child, &status, 0, &usage) < 0)
            fail("cannot run a program");
        if (status)
            return (struct cost){-1, 0};
        double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
        if (cost.seconds < 0 || seconds < cost.seconds)
            cost.seconds = seconds;
        if (usage.ru_maxrss > cost.kilobytes)
            cost.kilobytes = usage.ru_maxrss;
    }
    return cost;
}

static void show(const char *what, struct cost cost, unsigned lines, struct cost yardstick)
{
    if (cost.seconds < 0) {
        printf("%-34s not there\n", what);
        return;
    }
    printf("%-34s %8.2f ms, %6.1f MB, %6.2f million lines/s", what, cost.seconds * 1e3, (double)cost.kilobytes / 1024,
           lines / 1e6 / (cost.seconds > 0 ? cost.seconds : 1e-6));
    if (yardstick.seconds > 0)
        printf(", %.1f times as fast", yardstick.seconds / (cost.seconds > 0 ? cost.seconds : 1e-6));
    putchar('\n');
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* x86 code with as many lines, of the same sorts. */
static void write_x86(const char *path, unsigned lines)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write a file");
    uint64_t state = 1;
    static const char *const registers[] = {"%eax", "%ebx", "%ecx", "%edx", "%esi", "%edi", "%r8d", "%r9d"};
    for (unsigned i = 0, label = 0; i < lines; i++) {
        const char *a = registers[next_random(&state) % 8], *b = registers[next_random(&state) % 8];
        uint32_t random = next_random(&state);
        switch (random % 16) {
        case 0:
            fprintf(file, "\tnop\n");
            break;
        case 1:
        case 2:
        case 3:
            fprintf(file, "\tmov $0x%x, %s\n", random >> 16, a);
            break;
        case 4:
        case 5:
            fprintf(file, "\tadd %s, %s\n", a, b);
            break;
        case 6:
        case 7:
            fprintf(file, "\tand $0x%x, %s\n", random >> 16, a);
            break;
        case 8:
        case 9:
        case 10:
            fprintf(file, "\tmov %s, 0x%x(%%rsp)\n", a, random >> 20);
            break;
        case 11:
        case 12:
            fprintf(file, "l%u:\n", label++);
            break;
        case 13:
            fprintf(file, "\tjne l%u\n", label ? random % label : 0);
            break;
        case 14:
            fprintf(file, "\tcall l%u\n", label ? random % label : 0);
            break;
        default:
            fprintf(file, "\tshl $%u, %s\n", random >> 27, a);
        }
        if (i == 0)
            fprintf(file, "l%u:\n", label++);
    }
    fclose(file);
}

static void in_process(const char *what, double seconds, unsigned runs, unsigned lines)
{
    printf("%-34s %8.2f ms, %17.2f million lines/s\n", what, seconds * 1e3 / runs, lines / 1e6 * runs / seconds);
}

int main(int argc, char **argv)
{
    bool once = argc > 2 && strcmp(argv[1], "--once") == 0;
    uint32_t words = argc > 2 && !once ? (uint32_t)strtoul(argv[2], NULL, 0) : 30000;
    if (argc < 2 || words < 1000 || words > 1000000)
        fail("usage: afuc-bench GPUCODE [WORDS]");
    size_t size, length;
    unsigned char *bytes = make_image(words, &size);
    char *text = disassemble(bytes, size, &length);
    unsigned lines = count_lines(text);
    if (once) { /* the disassembly above is what is counted, or else the assembly */
        if (strcmp(argv[2], "asm") == 0)
            assemble(text, length, bytes, size);
        printf("%u\n", lines);
        return 0;
    }
    assemble(text, length, bytes, size);
    printf("%u words, %u lines, %zu bytes of text; processor time, least of many runs\n", (unsigned)words, lines,
           length);

    double best = 1e9;
    for (unsigned run = 0; run < 10 * RUNS; run++) {
        double start = processor_now();
        free(disassemble(bytes, size, &length));
        double took = processor_now() - start;
        best = took < best ? took : best;
    }
    in_process("disassemble, in the process", best, 1, lines);
    best = 1e9;
    for (unsigned run = 0; run < 10 * RUNS; run++) {
        double start = processor_now();
        assemble(text, length, bytes, size);
        double took = processor_now() - start;
        best = took < best ? took : best;
    }
    in_process("assemble, in the process", best, 1, lines);

    char folder[] = "/tmp/afuc-bench-XXXXXX", fw[64], source[64], out[64], x86[64], object[64];
    if (!mkdtemp(folder))
        fail("cannot make a folder");
    snprintf(fw, sizeof fw, "%s/a.fw", folder);
    snprintf(source, sizeof source, "%s/a.asm", folder);
    snprintf(out, sizeof out, "%s/b.fw", folder);
    snprintf(x86, sizeof x86, "%s/x.s", folder);
    snprintf(object, sizeof object, "%s/x.o", folder);
    write_file(fw, bytes, size);
    write_file(source, text, length);
    write_x86(x86, lines);
    const struct cost none = {-1, 0};
    struct cost as = time_process((char *[]){"as", "--64", "-o", object, x86, NULL});
    struct cost objdump = time_process((char *[]){"objdump", "-d", object, NULL});
    show("GNU objdump -d, x86", objdump, lines, none);
    show("gpucode disasm", time_process((char *[]){argv[1], "disasm", fw, NULL}), lines, objdump);
    show("GNU as, x86", as, lines, none);
    show("gpucode asm", time_process((char *[]){argv[1], "asm", source, "-o", out, NULL}), lines, as);
    const char *const files[] = {fw, source, out, x86, object};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
        remove(files[i]);
    rmdir(folder);
    free(text);
    free(bytes);
    return 0;
}
