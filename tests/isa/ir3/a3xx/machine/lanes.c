/* SPDX-License-Identifier: MIT */
/*
 * Threads side by side end as threads do that run one after the other: random instructions of categories 1 to 4 under
 * random policies, and programs with flow and memory, in groups of many widths and under both timings; and what lanes
 * calculate with against plainer ways to the same numbers.
 */
#include "isa/ir3/a3xx/machine/lanes.h"
#include "generate.h"
#include "isa/ir3/machine/arithmetic.h"
#include "machine/machine.h"
#include "running.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS 252
#define HALVES 244
#define WORDS 6

/* --- values ------------------------------------------------------------------------------------------------------ */

/* Where numbers change their nature, or anything. */
static uint32_t any_full(uint64_t *state)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                     0x7f800001, 0xffffffff, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f000000,
                                     0x4b000000, 0x4affffff, 0x477fe000, 0x477ff000, 0x38800000, 0x387fffff, 0x33000000,
                                     0x33000001, 0x7fffffff, 0x3fc00000, 0xc0200000, 31,         32,         33};
    uint64_t random = words_next(state);
    uint32_t value = (uint32_t)(random >> 16);
    return random % 4 == 0   ? edges[value % (sizeof edges / sizeof *edges)]
           : random % 4 == 1 ? value
           : random % 4 == 2 ? 0x3f800000 - 0x00ffffff + (value & 0x81ffffff)
                             : value % 300 - 100;
}

static uint32_t any_half(uint64_t *state)
{
    static const uint16_t edges[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xffff, 1,
                                     0x8001, 0x03ff, 0x0400, 0x3800, 0x6400, 0x63ff, 0x7bff, 0x3555, 15,     16};
    uint64_t random = words_next(state);
    uint32_t value = (uint32_t)(random >> 16);
    return random % 3 == 0   ? edges[value % (sizeof edges / sizeof *edges)]
           : random % 3 == 1 ? 0x3c00 ^ (value & 0x8fff)
                             : value & 0xffff;
}

/* What thread number `thread` has depends on the seed and its number alone. */
static void fill_thread(const struct rig *rig, unsigned thread, unsigned like, uint64_t seed)
{
    uint64_t state = seed * 1024 + like;
    for (uint32_t i = 0; i < REGISTERS; i++) {
        uint32_t value = i >= A3XX_P0 ? (uint32_t)words_next(&state) % 2 : any_full(&state);
        gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, i, i == A3XX_A0 ? value % 50 : value);
        if (i < HALVES)
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_HALF, i, any_half(&state));
    }
}

static void fill_shared(const struct rig *rig, uint64_t seed)
{
    uint64_t state = seed;
    for (uint32_t i = 0; i < A3XX_CONST_COUNT; i++)
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_CONST, i, any_full(&state));
    for (uint32_t i = 0; i < GPUCODE_A3XX_VARYINGS; i++) {
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_VARYING, i, any_full(&state));
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_FLAT, i, i % 5 == 0);
        if (i & 1) {
            gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_VARYING_I, i, any_full(&state));
            gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_VARYING_J, i, any_full(&state));
        }
    }
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

static uint32_t *file_of(const struct rig *rig, bool half)
{
    return a3xx_file(rig->machine->state, half);
}

static uint32_t stride_of(const struct rig *rig)
{
    return ((const struct a3xx_state *)rig->machine->state)->stride;
}

/* Gives the threads of a group the registers that those of another one have: writing them takes most of the time. */
static void copy_registers(const struct rig *from, const struct rig *to)
{
    memcpy(file_of(to, false), file_of(from, false), 2 * A3XX_FILE_ROOM * stride_of(from) * sizeof(uint32_t));
}

/* Are all of them the same? */
static bool has_same_registers(const struct rig *one, const struct rig *other, unsigned width)
{
    for (size_t i = 0; i < REGISTERS + HALVES; i++) {
        size_t row = (i < REGISTERS ? i : A3XX_FILE_ROOM + i - REGISTERS) * stride_of(one);
        if (memcmp(file_of(one, false) + row, file_of(other, false) + row, width * sizeof(uint32_t)) != 0)
            return false;
    }
    return true;
}

static void compare_threads(const struct rig *one, unsigned thread, const struct rig *other, unsigned like,
                            const char *what, uint64_t seed)
{
    static const struct {
        unsigned space;
        uint32_t count;
    } spaces[] = {{GPUCODE_A3XX_FULL, REGISTERS}, {GPUCODE_A3XX_HALF, HALVES}, {GPUCODE_A3XX_FLAGS, 2}};
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        for (uint32_t i = 0; i < spaces[k].count; i++) {
            uint32_t value, wanted;
            gpucode_machine_read(one->machine, thread, spaces[k].space, i, &value);
            gpucode_machine_read(other->machine, like, spaces[k].space, i, &wanted);
            if (value != wanted)
                fail_msg("seed %u, %s: register %u of space %u of thread %u is 0x%08x, not 0x%08x", (unsigned)seed,
                         what, i, spaces[k].space, thread, value, wanted);
        }
    assert_int_equal(gpucode_machine_pc(one->machine, thread), gpucode_machine_pc(other->machine, like));
}

/* All threads of two groups. */
static void compare_groups(const struct rig *one, const struct rig *other, unsigned width, const char *what,
                           uint64_t seed)
{
    bool same = has_same_registers(one, other, width);
    for (unsigned i = 0; i < width; i++) {
        bool flags = true;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t value, wanted;
            gpucode_machine_read(one->machine, i, GPUCODE_A3XX_FLAGS, k, &value);
            gpucode_machine_read(other->machine, i, GPUCODE_A3XX_FLAGS, k, &wanted);
            flags &= value == wanted;
        }
        if (!same || !flags || gpucode_machine_pc(one->machine, i) != gpucode_machine_pc(other->machine, i))
            compare_threads(one, i, other, i, what, seed);
    }
}

static void compare_accounts(const struct rig *one, const struct rig *other)
{
    struct gpucode_counter a, b;
    assert_int_equal(gpucode_machine_time(one->machine), gpucode_machine_time(other->machine));
    assert_int_equal(gpucode_machine_count(one->machine), gpucode_machine_count(other->machine));
    for (unsigned i = 0; gpucode_machine_counter(one->machine, i, &a); i++) {
        assert_true(gpucode_machine_counter(other->machine, i, &b));
        assert_int_equal(a.value, b.value);
    }
    assert_int_equal(one->stop.reason, other->stop.reason);
    assert_int_equal(one->stop.processor, other->stop.processor);
    assert_int_equal(one->stop.pc, other->stop.pc);
    assert_string_equal(one->stop.text, other->stop.text);
}

/* --- single instructions ----------------------------------------------------------------------------------------- */

static bool is_calculation(const struct gpucode_target *target, const unsigned char bytes[8], uint64_t word)
{
    char text[GPUCODE_TEXT_MAX];
    struct gpucode_insn insn;
    return word >> 61 >= 1 && word >> 61 <= 4 && gpucode_decode(target, bytes, 8, 0, &insn) == GPUCODE_OK &&
           gpucode_format(&insn, NULL, text, sizeof text, NULL) == GPUCODE_OK && !strstr(text, ".insn");
}

/* Words of categories 1 to 4 and an end. */
static void make_words(unsigned char bytes[8 * (WORDS + 1)], uint64_t *state)
{
    const struct gpucode_target *target = gpucode_target_find("a3xx");
    for (unsigned i = 0; i < WORDS;) {
        uint64_t word = words_make(target, state);
        for (unsigned k = 0; k < 8; k++)
            bytes[8 * i + k] = (unsigned char)(word >> 8 * k);
        i += is_calculation(target, bytes + 8 * i, word);
    }
    memset(bytes + 8 * WORDS, 0, 8);
    bytes[8 * WORDS + 7] = 3;
}

static void choose_policies(struct gpucode_setting *settings, const char *width, uint64_t *state)
{
    static const struct gpucode_setting others[] = {
        {"a3xx-denormals", "keep"},
        {"a3xx-mad", "fused"},
        {"a3xx-half-rounding", "even"},
        {"a3xx-float-to-integer", "wrap"},
        {"a3xx-minmax-nan", "nan"},
        {"a3xx-nan-ne", "false"},
        {"a3xx-cmpv", "one"},
        {"a3xx-shift", "past"},
        {"a3xx-rndaz", "zero"},
        {"a3xx-sad", "sum"},
        {"a3xx-saturate", "all"},
        {"a3xx-u8", "sign"},
        {"a3xx-reconvergence", "marks"},
        {"a3xx-special-wait", "all"},
    };
    *settings++ = (struct gpucode_setting){"a3xx-threads", width};
    *settings++ = (struct gpucode_setting){"a3xx-out-of-range", "zero"};
    *settings++ = (struct gpucode_setting){"a3xx-timing", words_next(state) % 2 ? "plain" : "strict"};
    bool presets = words_next(state) % 2;
    for (size_t i = 0; i < sizeof others / sizeof *others && !presets; i++)
        if (words_next(state) % 4 == 0)
            *settings++ = others[i];
    *settings = (struct gpucode_setting){NULL, NULL};
}

static void run_to_end(struct rig *rig, uint64_t limit)
{
    gpucode_machine_run(rig->machine, limit, &rig->stop);
}

static void instructions(void)
{
    static const unsigned widths[] = {2, 3, 4, 5, 15, 16, 63, 64, 65};
    unsigned ended = 0, rounds = test_rounds(200, 1500);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed;
        unsigned char bytes[8 * (WORDS + 1)];
        unsigned width = seed % 40 < 2 ? 1024 : widths[seed / 2 % (sizeof widths / sizeof *widths)];
        char number[8];
        struct gpucode_setting settings[24];
        make_words(bytes, &random);
        snprintf(number, sizeof number, "%u", width);
        choose_policies(settings, number, &random);
        struct rig together = rig_bytes(bytes, sizeof bytes, settings),
                   watched = rig_bytes(bytes, sizeof bytes, settings);
        uint64_t limit = seed % 5 == 0 ? 3 * width + 1 : UINT64_MAX;
        fill_shared(&together, seed);
        fill_shared(&watched, seed);
        for (unsigned i = 0; i < width; i++)
            fill_thread(&together, i, i, seed);
        copy_registers(&together, &watched);
        rig_watch(&watched);
        if (seed % 2) /* not only what is best for this processor */
            ((struct a3xx_state *)together.machine->state)->lanes = &a3xx_lanes_plain;
        run_to_end(&together, limit);
        run_to_end(&watched, limit);
        compare_accounts(&together, &watched);
        compare_groups(&together, &watched, width, "watched", seed);
        bool done = together.stop.reason == GPUCODE_STOP_END;
        ended += done;
        settings[0].value = "1";
        for (unsigned i = 0; i < width && done; i += width > 65 ? 97 : 7) {
            struct rig alone = rig_bytes(bytes, sizeof bytes, settings);
            fill_shared(&alone, seed);
            fill_thread(&alone, 0, i, seed);
            run_to_end(&alone, limit);
            compare_threads(&together, i, &alone, 0, "alone", seed);
            rig_down(&alone);
        }
        rig_down(&together);
        rig_down(&watched);
    }
    assert_true(ended > rounds / 3);
}

#define PIECES_MOST 60 /* nearly all programs end before, and the others go round in circles */

/* --- programs ---------------------------------------------------------------------------------------------------- */

/* The plain loops, counted. */
static unsigned calculated;

static void calculate_counted(struct a3xx_run *run, const struct a3xx_op *op, unsigned step,
                              const struct a3xx_lane_rows *rows, const uint32_t *mask, uint32_t first, uint32_t count)
{
    calculated++;
    a3xx_lanes_plain.calculate(run, op, step, rows, mask, first, count);
}

/* A program's bytes; sync bits are put on some of its instructions, so that what waits and what does not changes. */
static size_t make_program(struct generate *how, unsigned char bytes[GENERATE_ROOM], uint64_t *random)
{
    static char text[GENERATE_ROOM];
    struct assembled assembled;
    generate(how, text);
    assemble_text(&assembled, text, "a3xx");
    assert_int_equal(assembled.status, GPUCODE_OK);
    size_t size = gpucode_program_size(assembled.program);
    assert_true(size <= GENERATE_ROOM);
    memcpy(bytes, gpucode_program_bytes(assembled.program), size);
    unsigned often = 3 + (unsigned)(words_next(random) % 30);
    for (size_t i = 0; i < size; i += 8) {
        if (words_next(random) % often == 0)
            bytes[i + 7] |= 0x10; /* (sy) */
        if (words_next(random) % often == 0 && bytes[i + 7] >> 5 < 5)
            bytes[i + 5] |= 0x10; /* (ss) */
    }
    gpucode_program_free(assembled.program);
    return size;
}

/* The host writes a register of one thread, or of all. */
static void write_between(const struct rig *one, const struct rig *other, unsigned width, uint64_t *random)
{
    uint32_t number = (uint32_t)words_next(random) % 24, value = (uint32_t)words_next(random) & 0xff;
    unsigned first = (unsigned)words_next(random) % width, last = words_next(random) % 2 ? first : width - 1;
    unsigned space = words_next(random) % 4 ? GPUCODE_A3XX_FULL : GPUCODE_A3XX_HALF;
    for (unsigned i = first; i <= last; i++) {
        gpucode_machine_write(one->machine, i, space, number, value + i);
        gpucode_machine_write(other->machine, i, space, number, value + i);
    }
}

static void give_memory(const struct rig *rig, uint64_t seed)
{
    fill_shared(rig, seed);
    unsigned char zeros[4096] = {0};
    gpucode_machine_store(rig->machine, 0x1000, zeros, sizeof zeros);
    gpucode_machine_store(rig->machine, GPUCODE_A3XX_TEXELS(0), zeros, sizeof zeros);
    rig_set((struct rig *)rig, "t0.width", 8);
    rig_set((struct rig *)rig, "t0.height", 8);
}

static void give_program(const struct rig *rig, unsigned width, uint64_t seed)
{
    give_memory(rig, seed);
    for (unsigned i = 0; i < width; i++) {
        fill_thread(rig, i, i, seed);
        gpucode_machine_write(rig->machine, i, GPUCODE_A3XX_FULL, 30, 0x1000); /* r7.z */
        for (unsigned k = 0; k < 4; k++)
            gpucode_machine_write(rig->machine, i, GPUCODE_A3XX_HALF, 12 + k, (i + k) % 8);
    }
}

/* The same for two machines that are as they were made. */
static void give_both(const struct rig *one, const struct rig *other, unsigned width, uint64_t seed)
{
    give_program(one, width, seed);
    give_memory(other, seed);
    copy_registers(one, other);
}

static void programs(void)
{
    static const char *const rules[] = {"calls", "least", "marks"};
    static const unsigned widths[] = {4, 5, 17, 63, 64, 65, 128};
    static unsigned char code[GENERATE_ROOM];
    struct a3xx_lane_set counted = a3xx_lanes_plain;
    counted.calculate = calculate_counted;
    calculated = 0;
    unsigned rounds = test_rounds(160, 1200), strict_rounds = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed;
        bool strict = words_next(&random) % 3;
        struct generate how = {.seed = seed,
                               .relative = seed % 2,
                               .quads = seed % 4 == 0,
                               .padded = words_next(&random) % 8 == 0,
                               .statements = 30};
        size_t size = make_program(&how, code, &random);
        char number[8];
        unsigned width = widths[seed % 7];
        snprintf(number, sizeof number, "%u", width);
        const struct gpucode_setting settings[] = {{"a3xx-threads", number},
                                                   {"a3xx-reconvergence", rules[seed % 3]},
                                                   {"a3xx-derivative", "zero"},
                                                   {"a3xx-out-of-range", "zero"},
                                                   {"a3xx-timing", strict ? "strict" : "plain"},
                                                   {"a3xx-special-wait", words_next(&random) % 3 ? "others" : "all"},
                                                   {NULL, NULL}};
        struct rig together = rig_bytes(code, size, settings), watched = rig_bytes(code, size, settings);
        give_both(&together, &watched, width, seed);
        if (strict)
            ((struct a3xx_state *)together.machine->state)->lanes = &counted;
        strict_rounds += strict;
        rig_watch(&watched);
        unsigned pieces = 0; /* some programs never end */
        bool interferes = words_next(&random) % 3 == 0;
        do { /* in pieces, now and then between two threads of an issue */
            uint64_t limit = 1 + words_next(&random) % (40 * width);
            if (interferes && pieces)
                write_between(&together, &watched, width, &random);
            run_to_end(&together, limit);
            run_to_end(&watched, limit);
            compare_accounts(&together, &watched);
        } while (together.stop.reason == GPUCODE_STOP_LIMIT && ++pieces < PIECES_MOST);
        compare_groups(&together, &watched, width, "program", seed);
        unsigned char bytes[2][4096];
        gpucode_machine_load(together.machine, 0x1000, bytes[0], sizeof bytes[0]);
        gpucode_machine_load(watched.machine, 0x1000, bytes[1], sizeof bytes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
        rig_down(&together);
        rig_down(&watched);
    }
    assert_true(calculated > 10 * strict_rounds);
}

/* --- hazards ----------------------------------------------------------------------------------------------------- */

/* One of a few registers, so that each is read and written again and again while results are on their way. */
static const char *few(uint64_t *random, bool half)
{
    static const char *const names[2][6] = {{"r0.x", "r0.y", "r0.z", "r0.w", "r1.x", "r1.y"},
                                            {"hr0.x", "hr0.y", "hr0.z", "hr0.w", "hr1.x", "hr1.y"}};
    return names[half][words_below(random, 6)];
}

static int write_hazard(char *text, size_t room, uint64_t *random, unsigned *label)
{
    static const char *const two[] = {"add.s", "xor.b", "add.f", "max.f", "sub.u"};
    static const char *const special[] = {"rcp", "rsq", "exp2"};
    bool half = words_below(random, 4) == 0, ss = words_below(random, 6) == 0;
    char flags[40];
    snprintf(flags, sizeof flags, "%s%s", words_below(random, 8) == 0 ? "(sy)" : "", ss ? "(ss)" : "");
    const char *steps = words_below(random, 3) ? "" : "(rpt1)", *r = *steps && words_below(random, 2) ? "(r)" : "";
    const char *to = few(random, half), *a = few(random, half), *b = few(random, half), *c = few(random, half);
    switch (words_below(random, 16)) {
    case 0:
    case 1:
    case 2:
        return snprintf(text, room, "%s%s%s %s, %s%s, %s\n", flags, steps, two[words_below(random, 5)], to, r, a, b);
    case 3:
        return snprintf(text, room, "%smad.f%s %s, %s, %s, %s\n", flags, half ? "16" : "32", to, a, b, c);
    case 4:
    case 5:
    case 6:
        return snprintf(text, room, "%s%s%s %s, %s%s\n", flags, steps, special[words_below(random, 3)], to, r, a);
    case 7:
        return snprintf(text, room, "%scov.f32f16 %s, %s\n%scov.u16u32 %s, %s\n", flags, few(random, true),
                        few(random, false), ss ? "(ss)" : "", few(random, false), few(random, true));
    case 8:
        return snprintf(text, room, "%s%sbary.f %s, %u, %s%s\n", flags, steps, few(random, false),
                        words_below(random, 9), r, few(random, false));
    case 9:
        return snprintf(text, room, "%scmps.s.%s p0.%c, %s, %s\n", flags, words_below(random, 2) ? "lt" : "ne",
                        "xy"[words_below(random, 2)], a, b);
    case 10:
        return snprintf(text, room, "%sbr %sp0.%c, #L%u\n", flags, words_below(random, 2) ? "!" : "",
                        "xy"[words_below(random, 2)], *label);
    case 11:
        ++*label;
        return snprintf(text, room, "L%u: nop\n", *label - 1);
    case 12:
        return snprintf(text, room, "%s(rpt%u)nop\n", flags, words_below(random, 6));
    case 13:
        return snprintf(text, room, "isam (u32)(x%s)%s, r0.x, s#0, t#0\n", words_below(random, 2) ? "y" : "",
                        few(random, false));
    case 14:
        return words_below(random, 2)
                   ? snprintf(text, room, "ldg.u32 %s, g[r7.z+%u], 1\n", few(random, false), 4 * words_below(random, 8))
                   : snprintf(text, room, "stl.u32 l[r7.z], %s, 1\nldl.u32 %s, l[r7.z], 1\n", few(random, false),
                              few(random, false));
    default:
        return words_below(random, 2)
                   ? snprintf(text, room, "%smova a0.x, hr3.%c\n", flags, "xy"[words_below(random, 2)])
                   : snprintf(text, room, "%smov.s32s32 r<a0.x + %u>, %s\n", flags, words_below(random, 3),
                              few(random, false));
    }
}

/* A loop that each thread leaves after a few turns, of instructions that come too early for one another. */
static void write_hazards(char *text, size_t room, uint64_t *random)
{
    unsigned label = 0, statements = 3 + words_below(random, 24);
    size_t used = (size_t)snprintf(text, room, "mov.s32s32 r7.x, 0\ntop: nop\n");
    for (unsigned i = 0; i < statements; i++)
        used += (size_t)write_hazard(text + used, room - used, random, &label);
    used += (size_t)snprintf(text + used, room - used, "L%u: (jp)add.s r7.x, r7.x, 1\n(rpt%u)nop\n", label,
                             words_below(random, 4));
    used += (size_t)snprintf(text + used, room - used, "cmps.s.lt p0.z, r7.x, 3\n(rpt%u)nop\nbr p0.z, #top\nend\n",
                             words_below(random, 6));
    assert_true(used < room);
}

static void hazards(void)
{
    static const unsigned widths[] = {4, 5, 16, 63, 64, 65, 128};
    static char text[4096];
    struct a3xx_lane_set counted = a3xx_lanes_plain;
    counted.calculate = calculate_counted;
    calculated = 0;
    unsigned rounds = test_rounds(400, 2500);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed;
        char number[8];
        unsigned width = widths[seed % 7];
        snprintf(number, sizeof number, "%u", width);
        const struct gpucode_setting settings[] = {{"a3xx-threads", number},
                                                   {"a3xx-out-of-range", "zero"},
                                                   {"a3xx-timing", "strict"},
                                                   {"a3xx-special-wait", words_below(&random, 4) ? "others" : "all"},
                                                   {NULL, NULL}};
        write_hazards(text, sizeof text, &random);
        struct rig together = rig_text(text, settings), watched = rig_text(text, settings);
        give_both(&together, &watched, width, seed);
        rig_watch(&watched);
        if (seed % 2)
            ((struct a3xx_state *)together.machine->state)->lanes = &counted;
        unsigned pieces = 0; /* a0.x may reach the loop's counter */
        do {
            uint64_t limit = 1 + words_below(&random, 100) * width;
            run_to_end(&together, limit);
            run_to_end(&watched, limit);
            compare_accounts(&together, &watched);
        } while (together.stop.reason == GPUCODE_STOP_LIMIT && ++pieces < 20);
        compare_groups(&together, &watched, width, "hazards", seed);
        rig_down(&together);
        rig_down(&watched);
    }
    assert_true(calculated > 20 * rounds);
}

/* --- breakpoints -------------------------------------------------------------------------------------------------- */

/* A breakpoint of one thread, in the middle of what all run side by side. */
static void breakpoints(void)
{
    static const struct gpucode_setting settings[] = {{"a3xx-threads", "64"}, {NULL, NULL}};
    struct rig rig = rig_text("add.u r0.x, r0.x, 1\nadd.u r0.x, r0.x, 1\nadd.u r0.x, r0.x, 1\nend\n", settings);
    assert_int_equal(gpucode_machine_break(rig.machine, 40, 1, true), GPUCODE_OK);
    rig_run(&rig, GPUCODE_STOP_BREAKPOINT, NULL);
    assert_int_equal(rig.stop.processor, 40);
    assert_int_equal(rig_get_of(&rig, 39, "r0.x"), 2);
    assert_int_equal(rig_get_of(&rig, 40, "r0.x"), 1);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(rig_get_of(&rig, i, "r0.x"), 3);
    rig_down(&rig);
}

/* --- snapshots --------------------------------------------------------------------------------------------------- */

/* What went back to a snapshot is as what has never run, whatever ran and was written in between. */
static void restores(void)
{
    static char text[GENERATE_ROOM];
    unsigned rounds = test_rounds(30, 300);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct generate how = {.seed = seed, .relative = seed % 3 == 0, .statements = 15};
        generate(&how, text);
        static const char *const widths[] = {"1", "4", "19", "64"};
        const struct gpucode_setting settings[] = {{"a3xx-threads", widths[seed % 4]},
                                                   {"a3xx-out-of-range", "zero"},
                                                   {"a3xx-timing", seed % 5 ? "plain" : "strict"},
                                                   {NULL, NULL}};
        unsigned width = (unsigned)atoi(widths[seed % 4]);
        struct rig used = rig_text(text, settings), fresh = rig_text(text, settings);
        give_program(&used, width, seed);
        give_program(&fresh, width, seed);
        struct gpucode_snapshot *first, *second;
        uint64_t random = seed;
        assert_int_equal(gpucode_machine_snapshot(used.machine, &first), GPUCODE_OK);
        run_to_end(&used, words_next(&random) % 300);
        assert_int_equal(gpucode_machine_snapshot(used.machine, &second), GPUCODE_OK);
        for (unsigned i = 0; i < 6; i++) {
            run_to_end(&used, words_next(&random) % 2000);
            if (words_next(&random) % 2)
                gpucode_machine_write(used.machine, i % width, GPUCODE_A3XX_HALF, 200 + i, 7);
            if (words_next(&random) % 4 == 0)
                gpucode_machine_write(used.machine, 0, GPUCODE_A3XX_CONST, 1000 + i, 7);
            if (words_next(&random) % 4 == 0)
                gpucode_machine_set_pc(used.machine, i % width, 0);
            bool back = i == 5 || words_next(&random) % 2;
            assert_int_equal(gpucode_machine_restore(used.machine, back ? first : second), GPUCODE_OK);
            for (unsigned k = 0; k < width && back; k++)
                compare_threads(&used, k, &fresh, k, "put back", seed);
        }
        for (uint32_t i = 0; i < A3XX_CONST_COUNT; i++) {
            uint32_t value, wanted;
            gpucode_machine_read(used.machine, 0, GPUCODE_A3XX_CONST, i, &value);
            gpucode_machine_read(fresh.machine, 0, GPUCODE_A3XX_CONST, i, &wanted);
            assert_int_equal(value, wanted);
        }
        run_to_end(&used, 100000);
        run_to_end(&fresh, 100000);
        compare_accounts(&used, &fresh);
        for (unsigned k = 0; k < width; k++)
            compare_threads(&used, k, &fresh, k, "run again", seed);
        gpucode_snapshot_free(first);
        gpucode_snapshot_free(second);
        rig_down(&used);
        rig_down(&fresh);
    }
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

/* A half float by its definition. */
static double half_number(uint32_t bits)
{
    unsigned exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    double size = exponent == 31 ? fraction ? (double)NAN : (double)INFINITY
                  : exponent     ? ldexp(1 + fraction / 1024.0, (int)exponent - 15)
                                 : ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}

static void formats(void)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        float wide = a3xx_float_of(a3xx_widen(bits));
        if (isnan(half_number(bits)))
            assert_int_equal(a3xx_widen(bits), A3XX_NAN);
        else
            assert_true((double)wide == half_number(bits) && !signbit(wide) == !(bits & 0x8000));
    }
    uint64_t random = 1;
    for (unsigned i = 0; i < 2000000; i++) {
        uint32_t bits = (uint32_t)words_next(&random);
        if (i & 1) /* where halves are */
            bits = (bits & 0x80ffffff) | (0x32 + (bits >> 24 & 0x1f)) << 24;
        if (i % 8 == 7) /* on the edge between two halves, or beside it */
            bits = (bits & ~UINT32_C(0x1fff)) + 0x0fff + i / 8 % 3;
        double value = (double)a3xx_float_of(bits);
        assert_int_equal(a3xx_narrow_float(bits, true), a3xx_narrow(value, A3XX_ROUND_EVEN));
        assert_int_equal(a3xx_narrow_float(bits, false), a3xx_narrow(value, A3XX_ROUND_ZERO));
    }
}

/* Half sums and products that are rounded by way of floats, against doubles, in which they are exact. */
static void halves(void)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t a = any_half(&random), b = any_half(&random);
        assert_int_equal(a3xx_add(a, b, true, false), a3xx_narrow(half_number(a) + half_number(b), A3XX_ROUND_EVEN));
        assert_int_equal(a3xx_multiply(a, b, true, false),
                         a3xx_narrow(half_number(a) * half_number(b), A3XX_ROUND_EVEN));
    }
}

static float round_plainly(float value, enum a3xx_integer_rounding how)
{
    switch (how) {
    case A3XX_INTEGER_FLOOR:
        return floorf(value);
    case A3XX_INTEGER_CEIL:
        return ceilf(value);
    case A3XX_INTEGER_EVEN:
        return nearbyintf(value);
    case A3XX_INTEGER_AWAY:
        return roundf(value);
    default:
        return truncf(value);
    }
}

static void whole_numbers(void)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t bits = (uint32_t)words_next(&random);
        if (i & 1) /* small, often in the middle between two */
            bits = a3xx_bits_of((float)((int32_t)bits >> 20) / 4);
        enum a3xx_integer_rounding how = i / 2 % 5;
        uint32_t wanted = a3xx_bits_of(round_plainly(a3xx_float_of(bits), how));
        assert_int_equal(a3xx_round_to_integer(bits, how, false, false), a3xx_is_nan(bits, false) ? A3XX_NAN : wanted);
    }
}

TESTS(lanes, instructions, programs, breakpoints, restores, formats, halves, whole_numbers, hazards)
