/* SPDX-License-Identifier: MIT */
/*
 * Runs fuzz targets over files without a fuzzer: each file whole, prefixes of it up to 600 bytes, and copies of it with
 * one byte changed. With GPUCODE_LONG_TESTS it is each prefix, and four times as many bytes. The whole file is in
 * memory of exactly its size, which is freed; copies lie at the end or at the beginning of memory between pages that
 * nobody may touch. In the short run, memory that is taken and freed is not filled.
 *
 *     replay TARGET FILE_OR_FOLDER...
 */
#include "guarded.h"

#include <dirent.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* REPLAY_TARGETS comes from the build: TARGET(container) TARGET(roundtrip) ... */
#define TARGET(name) int fuzz_##name(const uint8_t *bytes, size_t size);
REPLAY_TARGETS
#undef TARGET

static const struct target {
    const char *name;
    int (*run)(const uint8_t *bytes, size_t size);
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
    REPLAY_TARGETS
#undef TARGET
};

static const struct target *target;

static void run_whole(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(1);
    memcpy(copy, bytes, size);
    target->run(copy, size);
    free(copy);
}

static void run_changed(const struct guarded *memory, const uint8_t *bytes, size_t size, size_t changed, uint8_t by)
{
    uint8_t *copy = changed & 1 ? memcpy(memory->begin, bytes, size) : guarded_end(memory, bytes, size);
    copy[changed] ^= by;
    target->run(copy, size);
}

static unsigned files;

static int replay_file(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    files++;
    run_whole(bytes, size);
    struct guarded memory = guarded_memory(size);
    if (!memory.begin)
        return 1;
    /* Headers are short; further in, some bytes will do. Both steps are odd, so that all places in a word come up. */
    bool thorough = getenv("GPUCODE_LONG_TESTS");
    size_t cut_step = thorough ? 1 : 7, change_step = thorough ? 61 : 241;
    for (size_t cut = 0; cut < size && cut < 600; cut += cut < 64 ? 1 : cut_step)
        target->run(guarded_end(&memory, bytes, cut), cut);
    for (size_t at = 0; at < size; at += at < 64 ? 1 : change_step) {
        run_changed(&memory, bytes, size, at, 0xff);
        run_changed(&memory, bytes, size, at, (uint8_t)(1u << at % 8));
    }
    target->run(guarded_end(&memory, bytes, size), size);
    guarded_free(&memory);
    return 0;
}

/* A folder is all files in it. */
static int replay_path(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return replay_file(path);
    struct dirent *entry;
    int failed = 0;
    while ((entry = readdir(folder))) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= replay_file(name);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
#ifdef __GLIBC__ /* half of the time is filling large blocks: those are pages of their own, which come empty */
    if (!getenv("GPUCODE_LONG_TESTS")) {
        mallopt(M_PERTURB, 0);
        mallopt(M_MMAP_THRESHOLD, 1 << 17);
    }
#endif
    for (unsigned i = 0; argc > 1 && i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, argv[1]) == 0)
            target = &targets[i];
    if (!target) {
        fprintf(stderr, "usage: replay TARGET FILE_OR_FOLDER...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        failed |= replay_path(argv[i]);
    printf("%u inputs\n", files);
    return failed || !files;
}
