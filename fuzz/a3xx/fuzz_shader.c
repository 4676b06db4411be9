/* SPDX-License-Identifier: MIT */
/*
 * Any words as an A3XX shader, run by a group whose width and policies the first bytes pick: at once, and from a
 * snapshot in pieces, with the same state in the end.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <stdio.h>
#include <string.h>

#define HEAD 4
#define LIMIT 3000
#define REGISTERS 244

static uint64_t state_of(const struct gpucode_machine *machine)
{
    uint64_t hash = mix_hash(gpucode_machine_time(machine), gpucode_machine_count(machine));
    struct gpucode_counter counter;
    uint32_t value = 0;
    for (unsigned i = 0; gpucode_machine_counter(machine, i, &counter); i++)
        hash = mix_hash(hash, counter.value);
    for (unsigned thread = 0; gpucode_machine_processor(machine, thread); thread++) {
        hash = mix_hash(hash, gpucode_machine_pc(machine, thread));
        for (uint32_t i = 0; i < REGISTERS; i++) {
            gpucode_machine_read(machine, thread, GPUCODE_A3XX_FULL, i, &value);
            hash = mix_hash(hash, value);
            gpucode_machine_read(machine, thread, GPUCODE_A3XX_HALF, i, &value);
            hash = mix_hash(hash, value);
        }
        for (uint32_t i = 0; i < 2; i++) {
            gpucode_machine_read(machine, thread, GPUCODE_A3XX_FLAGS, i, &value);
            hash = mix_hash(hash, value);
        }
        struct gpucode_frame frame;
        for (unsigned i = 0; gpucode_machine_frame(machine, thread, i, &frame); i++)
            hash = mix_hash(hash, frame.pc);
    }
    return hash;
}

/* Textures of every kind, with levels and layers. */
static void bind_textures(struct gpucode_machine *machine)
{
    static const uint32_t shapes[4][GPUCODE_A3XX_TEXTURE_FIELDS] = {{4, 2, 1, 3, GPUCODE_A3XX_2D},
                                                                    {3, 5, 2, 2, GPUCODE_A3XX_2D},
                                                                    {4, 4, 4, 3, GPUCODE_A3XX_3D},
                                                                    {2, 2, 1, 2, GPUCODE_A3XX_CUBE}};
    for (uint32_t unit = 0; unit < GPUCODE_A3XX_TEXTURES; unit++) {
        for (uint32_t i = 0; i < GPUCODE_A3XX_TEXTURE_FIELDS; i++)
            check(gpucode_machine_write(machine, 0, GPUCODE_A3XX_TEXTURE, GPUCODE_A3XX_TEXTURE_FIELDS * unit + i,
                                        shapes[unit % 4][i]) == GPUCODE_OK);
        for (uint64_t i = 0; i < 128; i++) {
            float texel[4] = {(float)i, (float)i / 3, -1, 1};
            gpucode_machine_store(machine, GPUCODE_A3XX_TEXELS(unit) + 16 * i, texel, sizeof texel);
        }
    }
}

static void give_inputs(struct gpucode_machine *machine)
{
    for (unsigned thread = 0; gpucode_machine_processor(machine, thread); thread++)
        for (uint32_t i = 0; i < 16; i++) {
            gpucode_machine_write(machine, thread, GPUCODE_A3XX_FULL, i, i & 1 ? thread : thread * 0x10001u * i);
            gpucode_machine_write(machine, thread, GPUCODE_A3XX_HALF, i, (thread * i) & 0xffff);
        }
    gpucode_machine_map(machine, 0, 4096);
    bind_textures(machine);
}

static void run_twice(const struct gpucode_image *image, const uint8_t *picks)
{
    static const char *const widths[] = {"1", "2", "3", "4", "7", "16", "33"};
    static const char *const rules[] = {"calls", "least", "marks"};
    const struct gpucode_setting settings[] = {
        {"a3xx-threads", widths[picks[0] % 7]},
        {"a3xx-reconvergence", rules[picks[1] % 3]},
        {"a3xx-out-of-range", picks[2] & 1 ? "zero" : "stop"},
        {"a3xx-unmapped", picks[2] & 2 ? "map" : "stop"},
        {"a3xx-derivative", picks[2] & 4 ? "zero" : "stop"},
        {"a3xx-filter", picks[2] & 8 ? "linear" : "nearest"},
        {"a3xx-mip", picks[2] & 16 ? "linear" : "nearest"},
        {"a3xx-wrap", picks[2] & 32 ? "repeat" : "mirror"},
        {NULL, NULL},
    };
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine;
    struct gpucode_snapshot *snapshot;
    struct gpucode_stop stop, again = {.reason = GPUCODE_STOP_LIMIT};
    check(gpucode_machine_create(image, &options, &machine) == GPUCODE_OK);
    give_inputs(machine);
    check(gpucode_machine_snapshot(machine, &snapshot) == GPUCODE_OK);
    uint64_t ran = gpucode_machine_run(machine, LIMIT, &stop), state = state_of(machine);
    check(ran <= LIMIT);
    check(gpucode_machine_restore(machine, snapshot) == GPUCODE_OK);
    uint64_t piece = 1 + picks[3] % 16, sum = 0;
    while (sum < LIMIT && again.reason == GPUCODE_STOP_LIMIT)
        sum += gpucode_machine_run(machine, piece < LIMIT - sum ? piece : LIMIT - sum, &again);
    check(sum == ran && again.reason == stop.reason && again.pc == stop.pc && again.processor == stop.processor);
    check(state_of(machine) == state);
    gpucode_snapshot_free(snapshot);
    gpucode_machine_free(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < HEAD)
        return 0;
    struct gpucode_image_options options = {.target = gpucode_target_find("a3xx")};
    struct gpucode_image *image;
    check(gpucode_image_open(bytes + HEAD, size - HEAD, &options, &image) == GPUCODE_OK);
    run_twice(image, bytes);
    gpucode_image_free(image);
    return 0;
}
