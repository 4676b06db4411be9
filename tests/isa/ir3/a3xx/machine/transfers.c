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

TESTS(transfers, programs)
