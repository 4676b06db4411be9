/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a crash dump. What is told must be in order; the same dump without firmware is a dump again, and has no
 * word of firmware.
 */
#include "check.h"
#include <gpucode/crash.h>
#include <string.h>

static void check_contents(const struct gpucode_crash *crash)
{
    struct gpucode_crash_buffer buffer;
    struct gpucode_crash_message message;
    struct gpucode_crash_queue queue;
    struct gpucode_crash_write write;
    uint64_t sum = 0;
    uint32_t word;
    for (size_t i = 0; gpucode_crash_buffer(crash, i, &buffer); i++) {
        for (size_t k = 0; k < buffer.data.count; k++)
            sum += buffer.data.words[k];
        check(gpucode_crash_load(crash, buffer.iova, &word, 4) <= 4);
    }
    for (size_t i = 0; gpucode_crash_message(crash, i, &message); i++)
        for (uint32_t k = 0; k < message.count; k++)
            sum += message.words[k];
    for (size_t i = 0; gpucode_crash_queue(crash, i, &queue); i++)
        for (size_t k = 0; gpucode_crash_queue_write(crash, i, k, &write); k++)
            check(write.number < 1u << 18);
    check(sum || !sum);
}

static void check_position(const struct gpucode_crash *crash)
{
    struct gpucode_crash_position position;
    if (!gpucode_crash_position(crash, &position))
        return;
    check((position.confirmed & ~position.asked) == 0);
    for (unsigned i = 0; i < 3; i++) {
        const struct gpucode_crash_place *place = &position.places[i];
        check(!place->known || place->next <= place->words);
        check(!place->has_packet || place->word < place->words);
    }
}

/* No word of a processor's code may be left. */
static void check_redacted(const struct gpucode_crash *crash)
{
    struct gpucode_crash *open;
    struct gpucode_crash_block block;
    void *bytes;
    size_t size;
    check(gpucode_crash_redact(crash, 0, &bytes, &size) == GPUCODE_OK);
    enum gpucode_status status = gpucode_crash_open(bytes, size, NULL, &open);
    check(status == GPUCODE_OK || status == GPUCODE_ERROR_INPUT);
    for (size_t i = 0; gpucode_crash_block(open, i, &block); i++)
        for (size_t k = 0; strstr(block.name, "UCODE") && k < block.data.count; k++)
            check(gpucode_crash_is_open(&block, k) || !block.data.words[k]);
    gpucode_crash_free(open);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_crash_options options = {.limit = 1 << 22};
    struct gpucode_crash *crash;
    enum gpucode_status status = gpucode_crash_open(bytes, size, &options, &crash);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !crash));
    gpucode_crash_recognise(bytes, size);
    if (status != GPUCODE_OK)
        return 0;
    check(gpucode_crash_head(crash) != NULL);
    check_contents(crash);
    check_position(crash);
    check_redacted(crash);
    gpucode_crash_free(crash);
    return 0;
}
