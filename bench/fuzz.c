/* SPDX-License-Identifier: MIT */
/*
 * Fuzzing in one process: runs of two packets in a second of the processor, and how many edges inputs with structure
 * reach in the time in which words without one reach few.
 *
 *     fuzz-bench IMAGE
 */
#include "measure.h"
#include <gpucode/fuzz.h>
#include <gpucode/gpucode.h>
#include <gpucode/packet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 200000u
#define LIMIT 20000u

struct bench {
    struct gpucode_machine *machine;
    struct gpucode_snapshot *start;
    bool shaped; /* a record is a packet; else words as they are */
};

static enum gpucode_status attach(void *user, uint8_t *map, size_t size)
{
    return gpucode_machine_edges(((struct bench *)user)->machine, map, size);
}

static void run(void *user, const struct gpucode_fuzz_record *records, size_t count,
                struct gpucode_fuzz_outcome *outcome)
{
    struct bench *bench = user;
    struct gpucode_stop stop;
    (void)outcome;
    gpucode_machine_restore(bench->machine, bench->start);
    for (size_t i = 0; i < count; i++) {
        uint32_t header = gpucode_packet_type7(records[i].kind, records[i].count);
        if (bench->shaped)
            gpucode_machine_feed(bench->machine, 0, &header, 1);
        gpucode_machine_feed(bench->machine, 0, records[i].words, records[i].count);
    }
    gpucode_machine_run(bench->machine, LIMIT, &stop);
}

static void measure_runs(struct bench *bench)
{
    static uint8_t map[8192];
    const uint32_t words[] = {gpucode_packet_type7(0x3d, 3), 0x100000, 0, 0xcafe, gpucode_packet_type4(0x883, 2), 1, 2};
    struct gpucode_stop stop;
    gpucode_machine_edges(bench->machine, map, sizeof map);
    double start = processor_now();
    for (unsigned i = 0; i < RUNS; i++) {
        gpucode_machine_restore(bench->machine, bench->start);
        memset(map, 0, sizeof map);
        gpucode_machine_feed(bench->machine, 0, words, sizeof words / 4);
        gpucode_machine_run(bench->machine, LIMIT, &stop);
    }
    printf("two packets: %.0f runs/s (%s)\n", RUNS / (processor_now() - start), stop.text);
    gpucode_machine_edges(bench->machine, NULL, 0);
}

static void measure_edges(struct bench *bench, bool shaped)
{
    struct gpucode_fuzz_kind kinds[128];
    for (unsigned i = 0; i < 128; i++)
        kinds[i] = (struct gpucode_fuzz_kind){.name = "packet", .weight = 1, .most = 16};
    bench->shaped = shaped;
    const struct gpucode_fuzz_subject subject = {
        .kind_count = 128, .kinds = kinds, .map_size = 8192, .attach = attach, .run = run, .user = bench};
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_worker *worker;
    struct gpucode_fuzz_numbers numbers = {0};
    if (gpucode_fuzz_create(&subject, 1, &fuzz) != GPUCODE_OK ||
        gpucode_fuzz_worker_create(fuzz, &subject, &worker) != GPUCODE_OK)
        exit(1);
    for (uint64_t task = 0; numbers.runs < RUNS; task++) {
        struct gpucode_fuzz_result *result;
        if (gpucode_fuzz_work(worker, task, 4096, &result) != GPUCODE_OK ||
            gpucode_fuzz_merge(worker, result) != GPUCODE_OK)
            exit(1);
        gpucode_fuzz_numbers(fuzz, &numbers);
    }
    unsigned code = 0;
    for (uint32_t i = 1; i <= gpucode_machine_edge_count(bench->machine); i++)
        code += gpucode_fuzz_seen(fuzz)[i] != 0;
    printf("%s: %u of %u edges of the code, %zu bytes of the map, after %u runs\n",
           shaped ? "packets" : "words without structure", code, (unsigned)gpucode_machine_edge_count(bench->machine),
           numbers.edges, (unsigned)numbers.runs);
    gpucode_fuzz_worker_free(worker);
    gpucode_fuzz_free(fuzz);
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    struct gpucode_image *image;
    struct bench bench = {NULL, NULL, false};
    struct gpucode_stop stop;
    if (!file)
        return 1;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    static const struct gpucode_setting policies[] = {{"afuc-memory", "0x400000000"}, {"afuc-unaligned", "align"}, {0}};
    const struct gpucode_machine_options options = {.policies = policies};
    if (gpucode_image_open(bytes, size, &(struct gpucode_image_options){0}, &image) != GPUCODE_OK ||
        gpucode_machine_create(image, &options, &bench.machine) != GPUCODE_OK)
        return 1;
    gpucode_machine_run(bench.machine, 1000000, &stop);
    if (gpucode_machine_snapshot(bench.machine, &bench.start) != GPUCODE_OK)
        return 1;
    measure_runs(&bench);
    measure_edges(&bench, true);
    measure_edges(&bench, false);
    gpucode_snapshot_free(bench.start);
    gpucode_machine_free(bench.machine);
    gpucode_image_free(image);
    return 0;
}
