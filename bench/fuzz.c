/* SPDX-License-Identifier: MIT */
/*
 * Fuzzing in one process: runs of two packets in a second of the processor; how many edges inputs with structure reach
 * in the runs in which words without one reach few; and in how many runs two instances that exchange what they keep, as
 * processes on one folder do, reach what one reaches. Runs, not seconds: what else the machine does changes nothing.
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

struct instance {
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_worker *worker;
    struct gpucode_fuzz_numbers numbers;
    uint64_t task;
    size_t given; /* entries that the other one has */
};

static struct gpucode_fuzz_subject subject_of(struct bench *bench)
{
    static struct gpucode_fuzz_kind kinds[128];
    for (unsigned i = 0; i < 128; i++)
        kinds[i] = (struct gpucode_fuzz_kind){.name = "packet", .weight = 1, .most = 16};
    return (struct gpucode_fuzz_subject){
        .kind_count = 128, .kinds = kinds, .map_size = 8192, .attach = attach, .run = run, .user = bench};
}

static void open_instance(struct instance *instance, struct bench *bench, uint64_t seed)
{
    const struct gpucode_fuzz_subject subject = subject_of(bench);
    *instance = (struct instance){0};
    if (gpucode_fuzz_create(&subject, seed, &instance->fuzz) != GPUCODE_OK ||
        gpucode_fuzz_worker_create(instance->fuzz, &subject, &instance->worker) != GPUCODE_OK)
        exit(1);
}

static void close_instance(struct instance *instance)
{
    gpucode_fuzz_worker_free(instance->worker);
    gpucode_fuzz_free(instance->fuzz);
}

/* A round; instances of one machine take turns, so that each gets its map anew. */
static void work(struct instance *instance, uint64_t runs)
{
    struct gpucode_fuzz_result *result;
    if (gpucode_fuzz_work(instance->worker, instance->task++, runs, &result) != GPUCODE_OK ||
        gpucode_fuzz_merge(instance->worker, result) != GPUCODE_OK)
        exit(1);
    gpucode_fuzz_numbers(instance->fuzz, &instance->numbers);
}

static void measure_edges(struct bench *bench, bool shaped)
{
    struct instance instance;
    bench->shaped = shaped;
    open_instance(&instance, bench, 1);
    while (instance.numbers.runs < RUNS)
        work(&instance, 4096);
    unsigned code = 0;
    for (uint32_t i = 1; i <= gpucode_machine_edge_count(bench->machine); i++)
        code += gpucode_fuzz_seen(instance.fuzz)[i] != 0;
    printf("%s: %u of %u edges of the code, %zu bytes of the map, after %u runs\n",
           shaped ? "packets" : "words without structure", code, (unsigned)gpucode_machine_edge_count(bench->machine),
           instance.numbers.edges, (unsigned)instance.numbers.runs);
    close_instance(&instance);
}

/* --- one instance and two -------------------------------------------------------------------------------------- */

#define SEEDS 9u
#define ROUND 256u

static void give_entries(struct instance *from, struct instance *to)
{
    struct gpucode_fuzz_entry entry;
    for (; gpucode_fuzz_entry_at(from->fuzz, from->given, &entry); from->given++)
        if (strcmp(entry.op, "sync") != 0 &&
            gpucode_fuzz_add(to->worker, entry.bytes, entry.size, "sync", NULL) != GPUCODE_OK)
            exit(1);
}

/* Runs of each of `count` instances until one has seen as many bytes of the map. */
static uint64_t runs_to(struct bench benches[2], unsigned count, uint64_t seed, size_t edges)
{
    struct instance instances[2];
    for (unsigned i = 0; i < count; i++)
        open_instance(&instances[i], &benches[i], seed + i);
    do {
        for (unsigned i = 0; i < count; i++)
            work(&instances[i], ROUND);
        for (unsigned i = 0; count > 1 && i < 2; i++)
            give_entries(&instances[i], &instances[1 - i]);
    } while (instances[0].numbers.edges < edges && instances[0].numbers.runs < 20 * RUNS);
    uint64_t runs = instances[0].numbers.runs;
    for (unsigned i = 0; i < count; i++)
        close_instance(&instances[i]);
    return runs;
}

static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Medians over some seeds; what is to be reached is what most seeds have reached by then. */
static void measure_two(struct bench benches[2], size_t edges)
{
    uint64_t runs[2][SEEDS];
    for (unsigned count = 1; count <= 2; count++) {
        for (unsigned i = 0; i < SEEDS; i++)
            runs[count - 1][i] = runs_to(benches, count, 1 + 2 * i, edges);
        qsort(runs[count - 1], SEEDS, sizeof **runs, compare_numbers);
    }
    uint64_t one = runs[0][SEEDS / 2], two = runs[1][SEEDS / 2];
    printf("%zu bytes of the map: one instance %llu runs, two that exchange inputs %llu runs each (%.2f times as fast; "
           "medians of %u seeds)\n",
           edges, (unsigned long long)one, (unsigned long long)two, (double)one / (double)two, SEEDS);
}

/* --- the machine ------------------------------------------------------------------------------------------------- */

static bool open_bench(struct bench *bench, const struct gpucode_image *image)
{
    static const struct gpucode_setting policies[] = {{"afuc-memory", "0x400000000"}, {"afuc-unaligned", "align"}, {0}};
    const struct gpucode_machine_options options = {.policies = policies};
    struct gpucode_stop stop;
    *bench = (struct bench){.shaped = true};
    if (gpucode_machine_create(image, &options, &bench->machine) != GPUCODE_OK)
        return false;
    gpucode_machine_run(bench->machine, 1000000, &stop);
    return gpucode_machine_snapshot(bench->machine, &bench->start) == GPUCODE_OK;
}

static void close_bench(struct bench *bench)
{
    gpucode_snapshot_free(bench->start);
    gpucode_machine_free(bench->machine);
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    struct gpucode_image *image;
    struct bench benches[2] = {0};
    if (!file)
        return 1;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (gpucode_image_open(bytes, size, &(struct gpucode_image_options){0}, &image) != GPUCODE_OK)
        return 1;
    if (!open_bench(&benches[0], image) || !open_bench(&benches[1], image))
        return 1;
    measure_runs(&benches[0]);
    measure_edges(&benches[0], true);
    measure_edges(&benches[0], false);
    benches[0].shaped = true;
    measure_two(benches, 4000);
    close_bench(&benches[0]);
    close_bench(&benches[1]);
    gpucode_image_free(image);
    return 0;
}
