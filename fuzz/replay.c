/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files without a fuzzer: each file whole, each of its first 600 prefixes, and copies of it
 * with one byte changed. Copies have exactly their size, so that sanitizers see reads behind the end.
 *
 *     replay FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void run(const uint8_t *bytes, size_t size, size_t changed, uint8_t by)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(1);
    memcpy(copy, bytes, size);
    if (changed < size)
        copy[changed] ^= by;
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 20];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        run(bytes, size, SIZE_MAX, 0);
        for (size_t cut = 0; cut < size && cut < 600; cut++)
            run(bytes, cut, SIZE_MAX, 0);
        /* Headers are short; further in, every 61st byte will do. */
        for (size_t at = 0; at < size; at += at < 64 ? 1 : 61) {
            run(bytes, size, at, 0xff);
            run(bytes, size, at, (uint8_t)(1u << at % 8));
        }
    }
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
