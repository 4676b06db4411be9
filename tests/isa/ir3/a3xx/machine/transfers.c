/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of all threads of a group at once end as those of one thread after the other do: all types and
 * memories, addresses that meet, lie across pages or outside of memory, threads apart, memory that comes into being,
 * and a host that does the accesses; under both timings, with what is read too early or never waited for.
 */
#include "running.h"
#include "words.h"

#include <gpucode/a3xx.h>
#include <stdio.h>
#include <string.h>

#define GLOBAL 0x10000
#define GLOBAL_BYTES 0x3000
#define REGISTERS 32

/* --- programs ---------------------------------------------------------------------------------------------------- */

/* A register that the instruction's four or fewer values begin at; addresses lie in r6 and r7. */
static const char *values_in(uint64_t *random)
{
    static const char *const names[] = {"r0.x", "r1.y", "r2.z", "r3.w", "hr0.x", "hr1.z", "hr3.y", "r6.x"};
    return names[words_below(random, 8)];
}

static int write_plain_access(char *text, size_t room, uint64_t *random)
{
    static const char *const types[] = {"u32", "f32", "s32", "u16", "s16", "f16", "u8", "s8"};
    static const char spaces[] = "ggglpp";
    char space = spaces[words_below(random, 6)], address = "xyzw"[words_below(random, 4)];
    const char *type, *values = values_in(random);
    unsigned base = space == 'g' ? 6 : 7, count = 1 + words_below(random, words_below(random, 8) ? 4 : 24);
    int offset = (int)words_below(random, 256) - 64;
    type = types[values[0] == 'h' ? 3 + words_below(random, 5) : words_below(random, 3)]; /* as wide as the registers */
    if (words_below(random, 2))
        return snprintf(text, room, "ld%c.%s %s, %c[r%u.%c%+d], %u\n", space, type, values, space, base, address,
                        offset, count);
    if (words_below(random, 5) == 0)
        return snprintf(text, room, "st%c.direct.%s %c[r%u.%c], %s, %u\n", space, type, space, base, address, values,
                        count);
    return snprintf(text, room, "st%c.%s %c[r%u.%c%+d], %s, %u\n", space, type, space, base, address, offset, values,
                    count);
}

/* What waits, and what does not, changes from one instruction to the next. */
static int write_access(char *text, size_t room, uint64_t *random)
{
    int used = snprintf(text, room, "%s", words_below(random, 6) ? "" : "(sy)");
    return used + write_plain_access(text + used, room - (size_t)used, random);
}

static void write_program(char *text, size_t room, uint64_t *random)
{
    size_t used = 0;
    unsigned statements = 4 + words_below(random, 12), label = 0;
    for (unsigned i = 0; i < statements; i++)
        switch (words_below(random, 6)) {
        case 0:
            used += (size_t)snprintf(text + used, room - used, "%sadd.s r6.%c, r6.%c, %u\n%s",
                                     words_below(random, 3) ? "" : "(ss)", "xyzw"[words_below(random, 4)],
                                     "xyzw"[words_below(random, 4)], words_below(random, 64),
                                     words_below(random, 3) ? "" : "(rpt3)nop\n");
            break;
        case 1:
            used += (size_t)snprintf(text + used, room - used, "br p0.x, #L%u\n", label);
            break;
        case 2:
            used += (size_t)snprintf(text + used, room - used, "L%u: nop\n", label++);
            break;
        default:
            used += (size_t)write_access(text + used, room - used, random);
            break;
        }
    used += (size_t)snprintf(text + used, room - used, "L%u: nop\nend\n", label);
    assert_true(used < room);
}

/* --- machines ---------------------------------------------------------------------------------------------------- */

/* `wild`: some addresses are where nothing is. */
static void give(struct rig *rig, unsigned width, bool wild, uint64_t seed)
{
    uint64_t random = seed;
    unsigned char bytes[GLOBAL_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)words_next(&random);
    assert_int_equal(gpucode_machine_store(rig->machine, GLOBAL, bytes, sizeof bytes), GPUCODE_OK);
    for (unsigned thread = 0; thread < width; thread++) {
        for (uint32_t i = 0; i < REGISTERS; i++) {
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, i, (uint32_t)words_next(&random));
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_HALF, i, words_below(&random, 0x10000));
        }
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t far[] = {GLOBAL + i * 0x800 + 4 * thread, GLOBAL + 0x100 + words_below(&random, 0x2000),
                              GLOBAL + 0x100, GLOBAL + 0xff8 + thread % 16};
            uint32_t at = far[(seed + i) % 4];
            at = wild && words_below(&random, 60) == 0 ? words_below(&random, 2) ? 0xfffffffe : 12 : at;
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, 24 + i, at);
            uint32_t near = wild && words_below(&random, 60) == 0 ? 32767 : 0x100 + 4 * thread * (i & 1) + i;
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, 28 + i, near);
        }
        gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, 248, thread % 3 == seed % 4);
    }
}

static bool answer(void *user, struct gpucode_machine *machine, const struct gpucode_access *access, uint32_t *value)
{
    uint64_t *sum = user;
    (void)machine;
    *sum = *sum * 31 + access->processor + access->address + (access->write ? *value : 0);
    if (access->address % 8 >= 4)
        return false;
    *value = (uint32_t)*sum;
    return true;
}

static void compare(const struct rig *one, const struct rig *other, unsigned width, uint64_t seed, const char *text)
{
    static unsigned char bytes[2][GLOBAL_BYTES];
    for (unsigned thread = 0; thread < width; thread++) {
        for (uint32_t i = 0; i < 2 * REGISTERS; i++) {
            uint32_t value, wanted;
            unsigned space = i < REGISTERS ? GPUCODE_A3XX_FULL : GPUCODE_A3XX_HALF;
            gpucode_machine_read(one->machine, thread, space, i % REGISTERS, &value);
            gpucode_machine_read(other->machine, thread, space, i % REGISTERS, &wanted);
            if (value != wanted)
                fail_msg("seed %u: register %u of space %u of thread %u is %08x, not %08x\n%s", (unsigned)seed,
                         i % REGISTERS, space, thread, value, wanted, text);
        }
        assert_int_equal(gpucode_machine_pc(one->machine, thread), gpucode_machine_pc(other->machine, thread));
    }
    gpucode_machine_load(one->machine, GLOBAL, bytes[0], GLOBAL_BYTES);
    gpucode_machine_load(other->machine, GLOBAL, bytes[1], GLOBAL_BYTES);
    assert_memory_equal(bytes[0], bytes[1], GLOBAL_BYTES);
    assert_int_equal(one->stop.reason, other->stop.reason);
    assert_int_equal(one->stop.processor, other->stop.processor);
    assert_string_equal(one->stop.text, other->stop.text);
    assert_int_equal(gpucode_machine_count(one->machine), gpucode_machine_count(other->machine));
    assert_int_equal(gpucode_machine_time(one->machine), gpucode_machine_time(other->machine));
}

/* What is in local and private memory comes to registers by the program itself, at its end. */
static void programs(void)
{
    static const unsigned widths[] = {4, 5, 16, 63, 64};
    static char text[4096];
    unsigned rounds = test_rounds(400, 3000), ended = 0, faults = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed;
        char number[8];
        unsigned width = widths[seed % 5];
        bool wild = seed % 3 == 0;
        snprintf(number, sizeof number, "%u", width);
        const struct gpucode_setting settings[] = {{"a3xx-threads", number},
                                                   {"a3xx-unmapped", seed % 7 ? "stop" : "map"},
                                                   {"a3xx-timing", seed % 2 ? "plain" : "strict"},
                                                   {NULL, NULL}};
        write_program(text, sizeof text, &random);
        struct rig together = rig_text(text, settings), watched = rig_text(text, settings);
        uint64_t sums[2] = {seed, seed};
        struct rig *both[] = {&together, &watched};
        struct gpucode_snapshot *snapshot;
        for (unsigned i = 0; i < 2; i++) {
            give(both[i], width, wild, seed);
            if (seed % 11 == 0)
                gpucode_machine_memory(both[i]->machine, answer, &sums[i]);
        }
        assert_int_equal(gpucode_machine_snapshot(together.machine, &snapshot), GPUCODE_OK); /* pages are shared */
        rig_watch(&watched);
        for (unsigned again = 0; again < 2; again++) {
            uint64_t limit = seed % 4 ? UINT64_MAX : 5 * width;
            for (unsigned i = 0; i < 2 && !(again && i); i++)
                gpucode_machine_run(both[i]->machine, limit, &both[i]->stop);
            compare(&together, &watched, width, seed, text);
            if (!again && seed % 11)
                gpucode_machine_restore(together.machine, snapshot);
            else
                break;
        }
        ended += together.stop.reason == GPUCODE_STOP_END;
        faults += together.stop.reason == GPUCODE_STOP_FAULT;
        gpucode_snapshot_free(snapshot);
        rig_down(&together);
        rig_down(&watched);
    }
    assert_true(ended > rounds / 3 && faults > rounds / 20);
}

/* --- atomic operations ------------------------------------------------------------------------------------------- */

static const char *const actions[] = {"add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor"};

static uint32_t after(unsigned action, bool is_signed, uint32_t old, uint32_t data, uint32_t compared)
{
    int64_t a = is_signed ? (int64_t)(int32_t)old : (int64_t)old,
            b = is_signed ? (int64_t)(int32_t)data : (int64_t)data;
    const uint32_t results[] = {old + data,
                                old - data,
                                data,
                                old + 1,
                                old - 1,
                                old == compared ? data : old,
                                (uint32_t)(a < b ? a : b),
                                (uint32_t)(a > b ? a : b),
                                old & data,
                                old | data,
                                old ^ data};
    return results[action];
}

/* All threads change one word, in the order of their numbers, and each its own one; both are read back. */
static void check_atomic(unsigned action, bool is_signed, bool global, unsigned width, uint64_t seed)
{
    static uint32_t old[64], own[64];
    char text[400], number[8], name = global ? 'g' : 'l';
    const char *slot = global ? "g[0], r1.x, 0, " : "l[", *rest = global ? "" : "], r1.x, r63.x";
    snprintf(number, sizeof number, "%u", width);
    const struct gpucode_setting settings[] = {{"a3xx-threads", number}, {NULL, NULL}};
    int used = snprintf(text, sizeof text, "%s",
                        global ? "" : "stl.u32 l[r0.y], r0.w, 1\nstl.u32 l[r0.x], r0.z, 1\n(sy)(ss)nop\n");
    for (unsigned i = 0; i < 2; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "atomic.%s.%c.untyped.1d.%c32.1 r2.%c, %sr0.%c%s\n",
                         actions[action], name, is_signed ? 's' : 'u', "xy"[i], slot, "xy"[i], rest);
    snprintf(text + used, sizeof text - (size_t)used,
             "(sy)(ss)nop\nld%c.u32 r2.z, %c[r0.x], 1\nld%c.u32 r2.w, %c[r0.y], 1\n(sy)(ss)end\n", name, name, name,
             name);
    struct rig rig = rig_text(text, settings);
    uint32_t at = global ? GLOBAL : 0x40, first = (uint32_t)words_next(&seed), cell = first;
    for (unsigned i = 0; i < width; i++) {
        uint32_t data = (uint32_t)words_next(&seed);
        own[i] = (uint32_t)words_next(&seed);
        old[i] = cell;
        uint32_t compared = i % 3 == 0 ? cell : i % 3 == 1 ? own[i] : ~cell;
        cell = after(action, is_signed, cell, data, compared);
        const uint32_t given[] = {at, at + 4 + 4 * i, first, own[i], data, compared};
        for (uint32_t k = 0; k < 6; k++)
            gpucode_machine_write(rig.machine, i, GPUCODE_A3XX_FULL, k, given[k]);
        if (global)
            rig_store(&rig, at + 4 + 4 * i, &own[i], 1);
        own[i] = after(action, is_signed, own[i], data, compared) - own[i]; /* how far it moves */
    }
    if (global)
        rig_store(&rig, at, &first, 1);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    for (unsigned i = 0; i < width; i++) {
        uint32_t found[4], before;
        for (uint32_t k = 0; k < 4; k++)
            gpucode_machine_read(rig.machine, i, GPUCODE_A3XX_FULL, 8 + k, &found[k]);
        gpucode_machine_read(rig.machine, i, GPUCODE_A3XX_FULL, 3, &before);
        if (found[0] != old[i] || found[1] != before || found[2] != cell || found[3] != before + own[i])
            fail_msg("%s.%c.%c32 of %u, thread %u: %08x %08x %08x %08x", actions[action], name, is_signed ? 's' : 'u',
                     width, i, found[0], found[1], found[2], found[3]);
    }
    rig_down(&rig);
}

static void atomic_operations(void)
{
    for (unsigned i = 0; i < 11 * 8; i++)
        for (uint64_t seed = 1; seed <= 8; seed++)
            check_atomic(i / 8, i & 1, i & 2, i & 4 ? 64 : 1, seed);
    for (unsigned i = 0; i < 11; i++) { /* outside of memory nothing is put */
        char text[128];
        snprintf(text, sizeof text, "atomic.%s.l.untyped.1d.u32.1 r2.x, l[r0.x], r1.x, r63.x\nend\n", actions[i]);
        struct rig rig = rig_text(text, NULL);
        rig_set(&rig, "r0.x", 0x10000000);
        rig_set(&rig, "r2.x", 77);
        rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-memory");
        assert_int_equal(rig_get(&rig, "r2.x"), 77);
        rig_down(&rig);
    }
}

TESTS(transfers, programs, atomic_operations)
