/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders with the results that other implementations give for them, where they are at hand: every case of
 * $GPUCODE_VECTORS/a3xx/execution within its tolerance, under each choice that the vectors leave open; under strict
 * timing as they are, and with all nops and sync bits taken out and put in again by the scheduler.
 */
#include "running.h"

#include <dirent.h>
#include <gpucode/schedule.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512

/* What becomes of a shader before it runs. */
enum change { AS_IT_IS, REPAIRED, REORDERED, STRIPPED };

struct shader {
    char name[64];
    char ij[16];
    unsigned cases, compared, kills;
    unsigned wrong; /* values; only STRIPPED may have any */
    bool may_be_wrong;
};

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t place_of(uint32_t bits) /* floats in a row, one step apart */
{
    return bits & 0x80000000 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits;
}

static bool agrees(const char *type, uint32_t got, uint32_t expected, double absolute, double relative, long long ulps)
{
    if (got == expected || strcmp(type, "float") != 0)
        return got == expected;
    double difference = fabs((double)float_of(got) - (double)float_of(expected));
    int64_t apart = llabs(place_of(got) - place_of(expected));
    return difference <= absolute || difference <= relative * fabs((double)float_of(expected)) ||
           (!isnan(difference) && apart <= ulps);
}

/* One line inside a case. */
static void line_of_case(struct rig *rig, struct shader *shader, unsigned number, const char *line, bool *ran)
{
    char reg[32], type[16], name[40];
    uint32_t value, unit, width, height, x, y, rgba[4];
    double absolute, relative;
    long long ulps;
    if (sscanf(line, "var %u %x %15s", &unit, &value, type) == 3) {
        snprintf(name, sizeof name, "v%u", unit);
        rig_set(rig, name, value);
        snprintf(name, sizeof name, "vflat%u", unit);
        rig_set(rig, name, strcmp(type, "flat") == 0);
    } else if (sscanf(line, "att %31s %x", reg, &value) == 2 || sscanf(line, "uni %31s %x", reg, &value) == 2) {
        rig_set(rig, reg, value);
    } else if (sscanf(line, "tex %u %u %u", &unit, &width, &height) == 3) {
        snprintf(name, sizeof name, "t%u.width", unit);
        rig_set(rig, name, width);
        snprintf(name, sizeof name, "t%u.height", unit);
        rig_set(rig, name, height);
    } else if (sscanf(line, "texel %u %u %u %x %x %x %x", &unit, &x, &y, &rgba[0], &rgba[1], &rgba[2], &rgba[3]) == 7) {
        snprintf(name, sizeof name, "t%u.width", unit);
        uint64_t at = GPUCODE_A3XX_TEXELS(unit) + 16 * ((uint64_t)y * rig_get(rig, name) + x);
        for (unsigned i = 0; i < 4; i++) {
            unsigned char raw[4] = {(unsigned char)rgba[i], (unsigned char)(rgba[i] >> 8),
                                    (unsigned char)(rgba[i] >> 16), (unsigned char)(rgba[i] >> 24)};
            assert_int_equal(gpucode_machine_store(rig->machine, at + 4 * i, raw, 4), GPUCODE_OK);
        }
    } else {
        if (!*ran && shader->may_be_wrong) {
            gpucode_machine_run(rig->machine, 100000, &rig->stop);
            shader->wrong += rig->stop.reason != GPUCODE_STOP_END;
        } else if (!*ran) {
            rig_run(rig, GPUCODE_STOP_END, "a3xx-end");
        }
        *ran = true;
        if (shader->may_be_wrong && strncmp(line, "discard", 7) == 0) {
            shader->wrong += rig_get(rig, "killed") != 1;
            return;
        }
        if (strncmp(line, "discard", 7) == 0) {
            assert_int_equal(rig_get(rig, "killed"), 1);
            shader->kills++;
            return;
        }
        if (sscanf(line, "out %31s %15s %x %lf %lf %lld", reg, type, &value, &absolute, &relative, &ulps) != 6)
            fail_msg("%s case %u: %s", shader->name, number, line);
        uint32_t got = rig_get(rig, reg);
        if (shader->may_be_wrong) {
            shader->wrong += !agrees(type, got, value, absolute, relative, ulps) || rig_get(rig, "killed");
            return;
        }
        if (!agrees(type, got, value, absolute, relative, ulps))
            fail_msg("%s case %u: %s is %08" PRIx32 " (%g), not %08" PRIx32 " (%g)", shader->name, number, reg, got,
                     (double)float_of(got), value, (double)float_of(value));
        assert_int_equal(rig_get(rig, "killed"), 0);
        shader->compared++;
    }
}

/* Changes the shader in place; returns its size. */
static size_t changed(unsigned char *bytes, size_t size, size_t room, enum change change)
{
    if (change == AS_IT_IS)
        return size;
    struct gpucode_scheduled bare = rig_schedule(bytes, size, GPUCODE_STRIP_ALL, false), done = {.bytes = NULL};
    if (change != STRIPPED)
        done = rig_schedule(bare.bytes, bare.size, GPUCODE_STRIP_NOTHING, change == REORDERED);
    const struct gpucode_scheduled *result = change == STRIPPED ? &bare : &done;
    assert_true(result->size <= room);
    memcpy(bytes, result->bytes, result->size);
    size = result->size;
    gpucode_scheduled_free(&bare);
    gpucode_scheduled_free(&done);
    return size;
}

static void run_shader(const char *folder, const char *name, const struct gpucode_setting *policies, enum change change,
                       struct shader *total)
{
    char path[600], line[LINE_MAX_BYTES], immediates[512][32];
    uint32_t values[512];
    unsigned immediate_count = 0, number = 0;
    static unsigned char bytes[1 << 16];
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = changed(bytes, fread(bytes, 1, sizeof bytes, file), sizeof bytes, change);
    fclose(file);
    snprintf(path, sizeof path, "%s/%s.vec", folder, name);
    file = fopen(path, "r");
    assert_non_null(file);
    struct shader shader = {.ij = "none", .may_be_wrong = change == STRIPPED};
    snprintf(shader.name, sizeof shader.name, "%.63s", name);
    struct rig rig = {0};
    bool ran = false, inside = false;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "ij %15s", shader.ij) == 1 || strncmp(line, "vec ", 4) == 0 ||
            strncmp(line, "shader ", 7) == 0 || strncmp(line, "stage ", 6) == 0) {
        } else if (strncmp(line, "imm ", 4) == 0) {
            assert_true(immediate_count < 512);
            assert_int_equal(sscanf(line, "imm %31s %x", immediates[immediate_count], &values[immediate_count]), 2);
            immediate_count++;
        } else if (sscanf(line, "case %u", &number) == 1) {
            rig = rig_bytes(bytes, size, policies);
            for (unsigned i = 0; i < immediate_count; i++)
                rig_set(&rig, immediates[i], values[i]);
            if (strcmp(shader.ij, "none") != 0) {
                unsigned space;
                uint32_t first;
                assert_true(gpucode_machine_find(rig.machine, shader.ij, &space, &first));
                gpucode_machine_write(rig.machine, 0, space, first, bits_of(0.25f));
                gpucode_machine_write(rig.machine, 0, space, first + 1, bits_of(0.5f));
            }
            ran = false;
            inside = true;
        } else if (strncmp(line, "endcase", 7) == 0) {
            assert_true(ran);
            rig_down(&rig);
            shader.cases++;
            inside = false;
        } else {
            assert_true(inside);
            line_of_case(&rig, &shader, number, line, &ran);
        }
    }
    fclose(file);
    total->cases += shader.cases;
    total->compared += shader.compared;
    total->kills += shader.kills;
    total->wrong += shader.wrong != 0;
}

/* All shaders; false, and said so: there are none. */
static bool run_all(const struct gpucode_setting *policies, enum change change, struct shader *total, unsigned *shaders)
{
    const char *vectors = vectors_folder();
    char folder[500];
    snprintf(folder, sizeof folder, "%s/a3xx/execution", vectors ? vectors : "");
    DIR *dir = vectors ? opendir(folder) : NULL;
    *shaders = 0;
    *total = (struct shader){.cases = 0};
    if (!dir) {
        return false;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || length > 60 || strcmp(entry->d_name + length - 4, ".vec") != 0)
            continue;
        entry->d_name[length - 4] = 0;
        run_shader(folder, entry->d_name, policies, change, total);
        ++*shaders;
    }
    closedir(dir);
    return true;
}

static void every_case(void)
{
    static const struct gpucode_setting modes[][4] = {
        {{NULL, NULL}},
        {{"a3xx-mad", "fused"}, {"a3xx-denormals", "keep"}, {"a3xx-half-rounding", "even"}, {NULL, NULL}},
        {{"a3xx-denormals", "keep"}, {NULL, NULL}},
        {{"a3xx-mad", "fused"}, {NULL, NULL}},
    };
    for (size_t mode = 0; mode < sizeof modes / sizeof *modes; mode++) {
        struct shader total;
        unsigned shaders;
        if (!run_all(modes[mode], AS_IT_IS, &total, &shaders))
            skip();
        print_message("%u shaders, %u cases, %u values compared, %u kills\n", shaders, total.cases, total.compared,
                      total.kills);
        assert_true(shaders && total.compared);
    }
}

/* Compiled code has all its delays and sync bits; without them it gives other results, and the scheduler brings them
 * back. */
static void strict_timing(void)
{
    static const struct gpucode_setting modes[][3] = {
        {{"a3xx-timing", "strict"}, {NULL, NULL}},
        {{"a3xx-timing", "strict"}, {"a3xx-special-wait", "all"}, {NULL, NULL}},
    };
    static const char *const what[] = {"as they are", "stripped and repaired", "stripped and reordered", "stripped"};
    for (size_t mode = 0; mode < 2; mode++)
        for (unsigned change = AS_IT_IS; change <= STRIPPED; change++) {
            struct shader total;
            unsigned shaders;
            if (!run_all(modes[mode], (enum change)change, &total, &shaders))
                skip();
            print_message("strict, %s: %u shaders, %u cases, %u values compared, %u kills; wrong in %u shaders\n",
                          what[change], shaders, total.cases, total.compared, total.kills, total.wrong);
            assert_true(shaders && (change == STRIPPED ? total.wrong * 2 > shaders : total.compared));
        }
}

TESTS(execution, every_case, strict_timing)
