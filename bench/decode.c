/* SPDX-License-Identifier: MIT */
/*
 * How fast a large recording is decoded, beside `zcat`, which only unpacks it. The recording is made here: register
 * writes of random values and draws, in as many submits as it takes. A random value is the worst case: all fields of a
 * register are there. With FILE, a recording that is not compressed, it is that one as many times as it takes. Times
 * are processor time.
 *
 *     decode-bench GPUCODE [MEGABYTES [FILE]]
 */
#include "measure.h"

#include <gpucode/packet.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER_WORDS 16384u
#define ADDRESS 0x100000u

static void put_record(FILE *file, uint32_t type, uint32_t size, const void *bytes)
{
    fwrite(&type, 4, 1, file);
    fwrite(&size, 4, 1, file);
    fwrite(bytes, size, 1, file);
}

/* Writes of one to eight registers, and a draw now and then. */
static void fill_buffer(uint32_t *words, uint64_t *state)
{
    uint32_t at = 0;
    while (at + 16 < BUFFER_WORDS) {
        uint32_t random = next_random(state), count = 1 + random % 8;
        static const uint32_t bases[] = {0x8000, 0x8800, 0x9000, 0x9800, 0xa000, 0xa800, 0xb300};
        words[at++] = gpucode_packet_type4(bases[random >> 8 & 3] + (random >> 16 & 0xff), count);
        while (count--)
            words[at++] = next_random(state) >> (random >> 24 & 15);
        if (random % 16 == 0) {
            words[at++] = gpucode_packet_type7(0x38, 3);
            words[at++] = 0x86;
            words[at++] = 1;
            words[at++] = 4;
        }
    }
    words[at] = gpucode_packet_type7(0x10, BUFFER_WORDS - at - 1);
}

static void write_recording(const char *path, unsigned megabytes)
{
    static uint32_t words[BUFFER_WORDS];
    uint64_t state = 20240229;
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("no place for the recording");
    put_record(file, 13, 4, &(uint32_t){630});
    for (unsigned i = 0; i < megabytes * 16; i++) {
        memset(words, 0, sizeof words);
        fill_buffer(words, &state);
        put_record(file, 3, 12, (uint32_t[]){ADDRESS, sizeof words, 0});
        put_record(file, 12, sizeof words, words);
        put_record(file, 6, 12, (uint32_t[]){ADDRESS, BUFFER_WORDS, 0});
    }
    if (fclose(file) != 0)
        fail("the recording cannot be written");
}

/* The file again and again; returns its megabytes. */
static double repeat_recording(const char *path, const char *from, unsigned megabytes)
{
    static char bytes[64u << 20];
    FILE *input = fopen(from, "rb"), *file = fopen(path, "wb");
    size_t size = input ? fread(bytes, 1, sizeof bytes, input) : 0, all = 0;
    if (!size || !file)
        fail("the recording cannot be read");
    for (; all < (size_t)megabytes << 20; all += size)
        fwrite(bytes, 1, size, file);
    fclose(input);
    if (fclose(file) != 0)
        fail("the recording cannot be written");
    return (double)all / (1 << 20);
}

/* Seconds of processor time of children that have ended. */
static double children_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double time_command(const char *command)
{
    double start = children_time();
    int code = system(command);
    if (code == -1 || WEXITSTATUS(code) > 1)
        fail(command);
    return children_time() - start;
}

int main(int argc, char **argv)
{
    static const char *const ways[] = {"", "--draws", "--summary", "--query 'RB_MRT[0].CONTROL'", "--json"};
    char path[64], command[512];
    unsigned wanted = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 16;
    double megabytes = wanted;
    if (argc < 2)
        fail("usage: decode-bench GPUCODE [MEGABYTES [FILE]]");
    snprintf(path, sizeof path, "/tmp/decode-bench-%d.rd", (int)getpid());
    if (argc > 3)
        megabytes = repeat_recording(path, argv[3], wanted);
    else
        write_recording(path, wanted);
    snprintf(command, sizeof command, "gzip -1 %s", path);
    time_command(command);
    snprintf(command, sizeof command, "zcat %s.gz >/dev/null", path);
    double zcat = time_command(command);
    printf("zcat              %6.2f s %6.1f MB/s\n", zcat, megabytes / zcat);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(command, sizeof command, "'%s' decode %s %s.gz >/dev/null", argv[1], ways[i], path);
        double seconds = time_command(command);
        printf("decode %-10.10s %6.2f s %6.1f MB/s, %.1f times zcat\n", ways[i], seconds, megabytes / seconds,
               seconds / zcat);
    }
    snprintf(command, sizeof command, "%s.gz", path);
    remove(command);
    return 0;
}
