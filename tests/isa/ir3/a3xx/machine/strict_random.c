/* SPDX-License-Identifier: MIT */
/*
 * Generated shaders under both timings. Legal ones, padded by hand or by the scheduler, give the same results under
 * either, and those of the program they were made from. Where strict timing gives others, lint has an error; where lint
 * has none, it never does.
 */
#include "generate.h"
#include "running.h"

#include <gpucode/lint.h>
#include <gpucode/schedule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 20000
#define GLOBAL 0x1000
#define GLOBAL_BYTES 512
#define TEXTURE_SIDE 4

/* What a run leaves after, by thread. */
struct outcome {
    enum gpucode_stop_reason reason;
    uint32_t registers[4][2][32], special[4][5], killed[4];
    unsigned char global[GLOBAL_BYTES];
};

static const struct gpucode_setting plain[] = {{"a3xx-out-of-range", "zero"}, {NULL, NULL}};
static const struct gpucode_setting plain_quad[] = {{"a3xx-out-of-range", "zero"}, {"a3xx-threads", "4"}, {NULL, NULL}};
static const struct gpucode_setting strict_quad[] = {
    {"a3xx-out-of-range", "zero"}, {"a3xx-threads", "4"}, {"a3xx-timing", "strict"}, {NULL, NULL}};
static const struct gpucode_setting strict[] = {{"a3xx-out-of-range", "zero"}, {"a3xx-timing", "strict"}, {NULL, NULL}};

static void write_number(struct gpucode_machine *machine, unsigned thread, unsigned space, uint32_t number,
                         uint32_t value)
{
    assert_int_equal(gpucode_machine_write(machine, thread, space, number, value), GPUCODE_OK);
}

static uint32_t read_number(const struct gpucode_machine *machine, unsigned thread, unsigned space, uint32_t number)
{
    uint32_t value = 0;
    assert_int_equal(gpucode_machine_read(machine, thread, space, number, &value), GPUCODE_OK);
    return value;
}

/* Numbers small enough that floats and integers of them meet now and then. */
static uint32_t input(uint64_t *seed)
{
    uint32_t value = next_random(seed);
    return value % 3 ? bits_of((float)(value % 97) / 8) : value >> (value % 31);
}

static void give_inputs(struct rig *rig, uint64_t seed)
{
    for (unsigned thread = 0; gpucode_machine_processor(rig->machine, thread); thread++) {
        for (uint32_t i = 0; i < 24; i++)
            write_number(rig->machine, thread, GPUCODE_A3XX_FULL, i, input(&seed));
        for (uint32_t i = 0; i < 16; i++)
            write_number(rig->machine, thread, GPUCODE_A3XX_HALF, i,
                         i < 12 ? input(&seed) & 0xffff : next_random(&seed) & 7);
        rig_set_of(rig, thread, "r7.z", GLOBAL);
    }
    for (uint32_t i = 0; i < 32; i++)
        write_number(rig->machine, 0, GPUCODE_A3XX_CONST, i, input(&seed));
    uint32_t texels[TEXTURE_SIDE * TEXTURE_SIDE * 4];
    for (size_t i = 0; i < sizeof texels / sizeof *texels; i++)
        texels[i] = input(&seed);
    rig_texture(rig, 0, TEXTURE_SIDE, TEXTURE_SIDE, texels);
    unsigned char bytes[GLOBAL_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)next_random(&seed);
    assert_int_equal(gpucode_machine_store(rig->machine, GLOBAL, bytes, sizeof bytes), GPUCODE_OK);
}

static struct outcome outcome_of(const void *bytes, size_t size, const struct gpucode_setting *settings, uint64_t seed)
{
    struct outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    struct rig rig = rig_bytes(bytes, size, settings);
    give_inputs(&rig, seed);
    gpucode_machine_run(rig.machine, LIMIT, &rig.stop);
    outcome.reason = rig.stop.reason;
    static const char *const names[] = {"a0.x", "p0.x", "p0.y", "p0.z", "p0.w"};
    for (unsigned thread = 0; gpucode_machine_processor(rig.machine, thread); thread++) {
        for (uint32_t i = 0; i < 32; i++)
            outcome.registers[thread][0][i] = read_number(rig.machine, thread, GPUCODE_A3XX_FULL, i);
        for (uint32_t i = 0; i < 16; i++)
            outcome.registers[thread][1][i] = read_number(rig.machine, thread, GPUCODE_A3XX_HALF, i);
        for (unsigned i = 0; i < 5; i++)
            outcome.special[thread][i] = rig_get_of(&rig, thread, names[i]);
        outcome.killed[thread] = rig_get_of(&rig, thread, "killed");
    }
    assert_int_equal(gpucode_machine_load(rig.machine, GLOBAL, outcome.global, sizeof outcome.global), GPUCODE_OK);
    rig_down(&rig);
    return outcome;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Findings that are about timing and are errors. */
static void count_error(void *user, const struct gpucode_finding *finding)
{
    static const char *const codes[] = {"a3xx-lint-delay", "a3xx-lint-ss", "a3xx-lint-sy", "a3xx-lint-in-use"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        *(unsigned *)user += finding->severity == GPUCODE_ERROR && strcmp(finding->code, codes[i]) == 0;
}

static struct gpucode_image *open_bytes(const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    return image;
}

static unsigned timing_errors(const void *bytes, size_t size)
{
    unsigned errors = 0;
    struct gpucode_image *image = open_bytes(bytes, size);
    struct gpucode_lint_options options = {.report = count_error, .user = &errors};
    assert_int_equal(gpucode_lint(image, &options, NULL), GPUCODE_OK);
    gpucode_image_free(image);
    return errors;
}

static struct gpucode_program *make(struct generate *how, char text[GENERATE_ROOM])
{
    struct assembled assembled;
    generate(how, text);
    assemble_text(&assembled, text, "a3xx");
    if (assembled.status != GPUCODE_OK)
        fail_msg("%s\n%s", text, heard_text(&assembled.heard));
    return assembled.program;
}

static void expect_same(const struct outcome *want, const void *bytes, size_t size,
                        const struct gpucode_setting *settings, uint64_t seed, const char *what, const char *text)
{
    struct outcome got = outcome_of(bytes, size, settings, seed);
    if (same(want, &got))
        return;
    for (unsigned i = 0; i < 4 * 2 * 32; i++) {
        unsigned thread = i / 64, half = i / 32 % 2, reg = i % 32;
        uint32_t wanted = want->registers[thread][half][reg], found = got.registers[thread][half][reg];
        if (wanted != found)
            print_error("%sr%u.%c of %u is %08x, not %08x\n", half ? "h" : "", reg / 4, "xyzw"[reg % 4], thread, found,
                        wanted);
    }
    char *listing = NULL;
    size_t length;
    struct gpucode_image *image = open_bytes(bytes, size);
    assert_int_equal(gpucode_disassemble(image, NULL, &listing, &length), GPUCODE_OK);
    print_error("%s", listing);
    free(listing);
    gpucode_image_free(image);
    fail_msg("%s, seed %llu:\n%s", what, (unsigned long long)seed, text);
}

static void legal(void)
{
    static char text[GENERATE_ROOM];
    unsigned programs = test_rounds(200, 800), needed = 0, repaired = 0, quads = 0;
    for (unsigned i = 0; i < programs; i++) {
        uint64_t seed = 1000 + i;
        struct generate how = {.seed = seed, .relative = i % 2, .statements = 1 + i % 40};
        struct gpucode_program *bare = make(&how, text);
        const void *bytes = gpucode_program_bytes(bare);
        size_t size = gpucode_program_size(bare);
        struct outcome want = outcome_of(bytes, size, plain, seed), early = outcome_of(bytes, size, strict, seed);
        assert_int_equal(want.reason, GPUCODE_STOP_END);
        needed += !same(&want, &early);
        for (unsigned way = 0; way < 4; way++) {
            static const char *const ways[] = {"scheduled", "reordered", "stripped and scheduled",
                                               "stripped and reordered"};
            struct gpucode_scheduled stripped = {.bytes = NULL};
            if (way >= 2)
                stripped = rig_schedule(bytes, size, GPUCODE_STRIP_ALL, false);
            const void *from = way >= 2 ? stripped.bytes : bytes;
            size_t from_size = way >= 2 ? stripped.size : size;
            struct gpucode_scheduled done = rig_schedule(from, from_size, GPUCODE_STRIP_NOTHING, way % 2);
            expect_same(&want, done.bytes, done.size, plain, seed, ways[way], text);
            expect_same(&want, done.bytes, done.size, strict, seed, ways[way], text);
            if (i % 4 == 0) {
                struct outcome quad = outcome_of(done.bytes, done.size, plain_quad, seed);
                expect_same(&quad, done.bytes, done.size, strict_quad, seed, ways[way], text);
                quads += quad.reason == GPUCODE_STOP_END;
            }
            repaired++;
            gpucode_scheduled_free(&done);
            gpucode_scheduled_free(&stripped);
        }
        gpucode_program_free(bare);
        /* the same program, padded without the scheduler's help */
        how = (struct generate){.seed = seed, .relative = i % 2, .statements = 1 + i % 40, .padded = true};
        struct gpucode_program *padded = make(&how, text);
        bytes = gpucode_program_bytes(padded);
        size = gpucode_program_size(padded);
        assert_int_equal(timing_errors(bytes, size), 0);
        expect_same(&want, bytes, size, plain, seed, "padded", text);
        expect_same(&want, bytes, size, strict, seed, "padded", text);
        gpucode_program_free(padded);
    }
    print_message("%u programs; %u of them, as they were made, gave other results under strict timing; scheduled in "
                  "four ways %u\n",
                  programs, needed, repaired);
    assert_true(quads * 2 > programs);
    assert_true(needed > programs / 2);
}

/* Legal code with derivatives: what the threads of a quad see of each other is there under both timings. */
static void derivatives(void)
{
    static char text[GENERATE_ROOM];
    unsigned programs = test_rounds(150, 500), derive = 0, needed = 0, ended = 0;
    for (unsigned i = 0; i < programs; i++) {
        uint64_t seed = 500000 + i;
        struct generate how = {.seed = seed, .quads = true, .statements = 5 + i % 40};
        struct gpucode_program *bare = make(&how, text);
        const void *bytes = gpucode_program_bytes(bare);
        size_t size = gpucode_program_size(bare);
        struct outcome want = outcome_of(bytes, size, plain_quad, seed);
        struct outcome early = outcome_of(bytes, size, strict_quad, seed);
        derive += strstr(text, "\nds") != NULL;
        needed += !same(&want, &early);
        ended += want.reason == GPUCODE_STOP_END;
        for (unsigned way = 0; way < 2; way++) {
            struct gpucode_scheduled done = rig_schedule(bytes, size, GPUCODE_STRIP_NEEDLESS, way);
            assert_int_equal(timing_errors(done.bytes, done.size), 0);
            want = outcome_of(done.bytes, done.size, plain_quad, seed); /* orders of stores may differ in a group */
            expect_same(&want, done.bytes, done.size, strict_quad, seed, way ? "reordered" : "scheduled", text);
            gpucode_scheduled_free(&done);
        }
        gpucode_program_free(bare);
    }
    print_message("%u programs, %u with derivatives; %u gave other results under strict timing as they were made\n",
                  programs, derive, needed);
    assert_true(derive > programs / 2 && needed > programs / 2 && ended == programs);
}

/* Takes one nop's slots or one sync bit away; false: there is none. */
static bool spoil(unsigned char *bytes, size_t size, uint64_t *seed)
{
    for (unsigned tries = 0; tries < 200; tries++) {
        size_t at = next_random(seed) % (size / 8);
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            word |= (uint64_t)bytes[8 * at + i] << 8 * i;
        uint64_t before = word, slots = word >> 40 & 7;
        bool nop = !(word >> 55 & ~UINT64_C(0x30)), ss = word >> 61 < 5; /* (sy) and (jp) aside */
        if (nop && slots && next_random(seed) % 2)
            word = (word & ~(UINT64_C(7) << 40)) | (next_random(seed) % slots) << 40;
        else if (next_random(seed) % 2)
            word &= ~(UINT64_C(1) << 60);
        else if (ss)
            word &= ~(UINT64_C(1) << 44);
        if (word == before)
            continue;
        for (unsigned i = 0; i < 8; i++)
            bytes[8 * at + i] = (unsigned char)(word >> 8 * i);
        return true;
    }
    return false;
}

struct tally {
    unsigned programs, differ, errors, silent;
};

static void look(struct tally *tally, const void *bytes, size_t size, uint64_t seed, const char *text)
{
    struct outcome one = outcome_of(bytes, size, plain, seed), other = outcome_of(bytes, size, strict, seed);
    unsigned errors = timing_errors(bytes, size);
    tally->programs++;
    tally->errors += errors != 0;
    tally->differ += !same(&one, &other);
    if (!errors)
        expect_same(&one, bytes, size, strict, seed, "no error, other results", text);
}

static void illegal(void)
{
    static char text[GENERATE_ROOM];
    struct tally bare = {0}, spoiled = {0};
    for (unsigned i = 0; i < test_rounds(300, 1200); i++) {
        uint64_t seed = 100000 + i, random = seed;
        struct generate how = {.seed = seed, .statements = 1 + i % 25};
        struct gpucode_program *program = make(&how, text);
        const void *bytes = gpucode_program_bytes(program);
        size_t size = gpucode_program_size(program);
        look(&bare, bytes, size, seed, text);
        struct gpucode_scheduled done = rig_schedule(bytes, size, GPUCODE_STRIP_NEEDLESS, i % 2);
        assert_int_equal(timing_errors(done.bytes, done.size), 0);
        for (unsigned k = 0; k < 3 && spoil(done.bytes, done.size, &random); k++)
            look(&spoiled, done.bytes, done.size, seed, text);
        gpucode_scheduled_free(&done);
        gpucode_program_free(program);
    }
    print_message("as made: %u programs, lint has errors in %u, %u give other results; spoiled: %u, %u, %u\n",
                  bare.programs, bare.errors, bare.differ, spoiled.programs, spoiled.errors, spoiled.differ);
    assert_true(bare.differ > bare.programs / 2 && bare.differ <= bare.errors);
    assert_true(spoiled.differ > spoiled.programs / 4 && spoiled.differ <= spoiled.errors);
    assert_true(spoiled.errors < spoiled.programs || bare.errors < bare.programs); /* some have none */
}

TESTS(strict_random, legal, derivatives, illegal)
