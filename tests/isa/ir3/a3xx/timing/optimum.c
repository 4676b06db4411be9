/* SPDX-License-Identifier: MIT */
/*
 * Random programs through the scheduler: they come out legal, with the fewest slots that trying all ways finds, with no
 * slot and no sync bit that could go; and the machine gives the same results for them, reordered or not.
 */
#include "running.h"

#include <gpucode/lint.h>
#include <gpucode/schedule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SS (UINT64_C(1) << 44)
#define SY (UINT64_C(1) << 60)
#define REPEAT_ONE (UINT64_C(1) << 40)
#define WORDS_MAX 512
#define ROUNDS 800

static uint64_t seed;

static unsigned below(unsigned limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % limit;
}

/* --- programs --------------------------------------------------------------------------------------------------- */

static const char *reg(void)
{
    static char names[8][8];
    static unsigned next;
    char *name = names[next++ % 8];
    snprintf(name, 8, "r%u.%c", below(2), "xyzw"[below(4)]);
    return name;
}

/* One instruction that touches few registers, so that they meet often. `memory`: with all kinds of effects. */
static size_t put_insn(char *at, size_t room, bool memory)
{
    unsigned kind = below(memory ? 17 : 9), offset = 4 * below(3);
    switch (kind) {
    case 0:
    case 1:
        return (size_t)snprintf(at, room, "add.s %s, %s, %s\n", reg(), reg(), reg());
    case 2:
        return (size_t)snprintf(at, room, "mad.f32 %s, %s, %s, %s\n", reg(), reg(), reg(), reg());
    case 3:
        return (size_t)snprintf(at, room, "(rpt1)xor.b r1.z, (r)r0.x, %s\n", reg());
    case 4:
        return (size_t)snprintf(at, room, "mov.u32u32 %s, %u\n", reg(), below(100));
    case 5:
        return (size_t)snprintf(at, room, "sqrt %s, %s\n", reg(), reg());
    case 6:
        return (size_t)snprintf(at, room, "cov.u32s16 hr0.x, %s\n", reg());
    case 7:
        return (size_t)snprintf(at, room, "sam (f32)(x%s)r%u.x, r0.z, s#0, t#0\n", below(2) ? "y" : "", below(2));
    case 8:
        return (size_t)snprintf(at, room, "rcp %s, %s\n", reg(), reg());
    case 9:
        return (size_t)snprintf(at, room, "stg.u32 g[r5.x+%u], %s, 1\n", offset, reg());
    case 10:
        return (size_t)snprintf(at, room, "ldg.u32 %s, g[r5.x+%u], 1\n", reg(), offset);
    case 11:
        return (size_t)snprintf(at, room, "stl.u32 l[r5.y+%u], %s, 1\n", offset, reg());
    case 12:
        return (size_t)snprintf(at, room, "ldl.u32 %s, l[r5.y+%u], 1\n", reg(), offset);
    case 13:
        return (size_t)snprintf(at, room, "cmps.s.lt p0.%c, %s, %s\n", "xy"[below(2)], reg(), reg());
    case 14:
        return (size_t)snprintf(at, room, "and.b r4.x, %s, 3\ncov.u32s16 hr1.x, r4.x\nmova a0.x, hr1.x\n", reg());
    case 15:
        return below(2) ? (size_t)snprintf(at, room, "mov.u32u32 r<a0.x + %u>, %s\n", below(4), reg())
                        : (size_t)snprintf(at, room, "mov.u32u32 %s, r<a0.x + %u>\n", reg(), below(4));
    default:
        return (size_t)snprintf(at, room, "add.u r2.%c, r2.%c, %s\n", "xyzw"[below(4)], "xyzw"[below(4)], reg());
    }
}

static struct assembled make_straight(char *text, size_t room, unsigned count)
{
    struct assembled out;
    size_t used = 0;
    for (unsigned i = 0; i < count; i++)
        used += put_insn(text + used, room - used, false);
    snprintf(text + used, room - used, "end\n");
    assemble_text(&out, text, "a3xx");
    assert_int_equal(out.status, GPUCODE_OK);
    return out;
}

/* Forward branches, a kill, and a loop that ends. */
static struct assembled make_branching(char *text, size_t room)
{
    struct assembled out;
    size_t used = (size_t)snprintf(text, room, "mov.u32u32 r6.x, 3\ntop:\n");
    unsigned parts = 2 + below(3);
    for (unsigned part = 0; part < parts; part++) {
        for (unsigned i = below(6); i-- > 0;)
            used += put_insn(text + used, room - used, true);
        if (below(2))
            used += (size_t)snprintf(text + used, room - used, "br %sp0.x, #part%u\n", below(2) ? "!" : "", part);
        for (unsigned i = below(5); i-- > 0;)
            used += put_insn(text + used, room - used, true);
        if (!below(6))
            used += (size_t)snprintf(text + used, room - used, "kill p0.y\n");
        used += (size_t)snprintf(text + used, room - used, "part%u:\n", part);
    }
    snprintf(text + used, room - used,
             "sub.u r6.x, r6.x, 1\ncmps.u.ne p0.z, r6.x, 0\nbr p0.z, #top\nmov.u32u32 r7.x, r6.x\nend\n");
    assemble_text(&out, text, "a3xx");
    assert_int_equal(out.status, GPUCODE_OK);
    return out;
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

static void count_wrong(void *user, const struct gpucode_finding *finding)
{
    *(unsigned *)user += finding->severity == GPUCODE_ERROR || strcmp(finding->code, "a3xx-lint-ss-special") == 0;
}

static unsigned wrong(const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_image *image;
    unsigned count = 0;
    struct gpucode_lint_options how = {.report = count_wrong, .user = &count};
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_lint(image, &how, NULL), GPUCODE_OK);
    gpucode_image_free(image);
    return count;
}

/* Code is little-endian, whatever the host is. */
static void words_of_code(uint64_t *words, const void *code, unsigned count)
{
    const unsigned char *bytes = code;
    for (unsigned i = 0; i < count; i++, bytes += 8) {
        words[i] = 0;
        for (unsigned k = 0; k < 8; k++)
            words[i] |= (uint64_t)bytes[k] << 8 * k;
    }
}

static unsigned wrong_words(const uint64_t *words, unsigned count)
{
    unsigned char code[8 * WORDS_MAX];
    for (unsigned i = 0; i < 8 * count; i++)
        code[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
    return wrong(code, 8 * (size_t)count);
}

static struct gpucode_scheduled schedule(const void *bytes, size_t size, enum gpucode_strip strip, bool reorder)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_schedule_options how = {.strip = strip, .reorder = reorder};
    struct gpucode_scheduled scheduled;
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_schedule(image, &how, &scheduled), GPUCODE_OK);
    gpucode_image_free(image);
    return scheduled;
}

static bool takes_ss(uint64_t word)
{
    return word >> 61 < 5;
}

static bool is_nop(uint64_t word)
{
    return (word >> 55 & 0xef & ~0x20) == 0 && word >> 61 == 0;
}

/* Is there a legal way with `slots` in all, in front of the `count` instructions? All sync bits are set. */
static bool fits(const uint64_t *words, unsigned count, unsigned at, unsigned slots, uint64_t *out, unsigned used)
{
    unsigned least = at + 1 == count ? slots : 0; /* the last takes what is left */
    for (unsigned here = least; here <= slots; here++) {
        unsigned next = used;
        for (unsigned i = 0; i < here; i++)
            out[next++] = SS;
        out[next++] = words[at] | SY | (takes_ss(words[at]) ? SS : 0);
        if (at + 1 == count ? wrong_words(out, next) == 0 : fits(words, count, at + 1, slots - here, out, next))
            return true;
    }
    return false;
}

/* The fewest slots; no sync bit and no slot could go. */
static void optimum(void)
{
    unsigned tried = 0, with_slots = 0;
    seed = 2;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char text[1024];
        struct assembled in = make_straight(text, sizeof text, 2 + below(4));
        unsigned count = (unsigned)(gpucode_program_size(in.program) / 8);
        struct gpucode_scheduled done =
            schedule(gpucode_program_bytes(in.program), gpucode_program_size(in.program), GPUCODE_STRIP_NOTHING, false);
        unsigned added = done.slots - done.slots_before;
        uint64_t words[WORDS_MAX], out[WORDS_MAX];
        /* it may read its own results, and then nothing helps */
        bool self = strstr(text, "(rpt1)") && wrong(done.bytes, done.size);
        if (!self)
            assert_int_equal(wrong(done.bytes, done.size), 0);
        words_of_code(words, gpucode_program_bytes(in.program), count);
        if (!self && added && added <= 9) {
            if (fits(words, count, 0, added - 1, out, 0))
                fail_msg("%u slots are not the fewest for\n%s", added, text);
            with_slots++;
        }
        words_of_code(out, done.bytes, (unsigned)(done.size / 8));
        for (unsigned i = 0; i < done.size / 8 && !self; i++) {
            uint64_t word = out[i],
                     less[3] = {word & SY ? word & ~SY : word, takes_ss(word) && word & SS ? word & ~SS : word,
                                is_nop(word) && word & (7 * REPEAT_ONE) ? word - REPEAT_ONE : word};
            for (unsigned k = 0; k < 3; k++) {
                out[i] = less[k];
                if (less[k] != word && !wrong_words(out, (unsigned)(done.size / 8)))
                    fail_msg("instruction %u can do with less in\n%s", i, text);
            }
            out[i] = word;
        }
        tried++;
        gpucode_scheduled_free(&done);
        gpucode_program_free(in.program);
    }
    assert_true(tried == ROUNDS && with_slots > ROUNDS / 5);
}

/* --- results ------------------------------------------------------------------------------------------------------ */

#define RESULTS 80

static void run(const void *bytes, size_t size, uint64_t inputs, uint32_t results[RESULTS])
{
    struct rig rig = rig_bytes(bytes, size, NULL);
    static const uint32_t texels[16] = {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x3f000000, 0x3e800000,
                                        0x3f400000, 0x3f800000, 0x41000000, 0x41100000, 0x41200000, 0x41300000,
                                        0x40a00000, 0x40c00000, 0x40e00000, 0x41400000};
    uint64_t kept = seed;
    char name[16];
    unsigned count = 0;
    seed = inputs;
    rig_texture(&rig, 0, 2, 2, texels);
    for (unsigned i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "r%u.%c", i / 4, "xyzw"[i % 4]);
        rig_set(&rig, name, below(3) ? below(8) : 0x3e000000 + below(0x2000000));
    }
    assert_int_equal(gpucode_machine_map(rig.machine, 0, 0x1000), GPUCODE_OK);
    rig_set(&rig, "r5.x", 0x100);
    rig_set(&rig, "r5.y", 0x20);
    gpucode_machine_run(rig.machine, 100000, &rig.stop);
    results[count++] = (uint32_t)rig.stop.reason;
    if (rig.stop.reason != GPUCODE_STOP_END)
        fail_msg("stopped at %llu: %s", (unsigned long long)rig.stop.pc, rig.stop.text);
    for (unsigned i = 0; i < 32; i++) {
        snprintf(name, sizeof name, "r%u.%c", i / 4, "xyzw"[i % 4]);
        results[count++] = rig_get(&rig, name);
    }
    static const char *const others[] = {"hr0.x", "hr1.x", "p0.x", "p0.y", "p0.z", "a0.x"};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        results[count++] = rig_get(&rig, others[i]);
    gpucode_machine_load(rig.machine, 0x100, &results[count], 12); /* to be compared alone, in any order of bytes */
    count += 3;
    assert_true(count <= RESULTS);
    rig_down(&rig);
    seed = kept;
}

static void results(void)
{
    unsigned moved = 0;
    seed = 77;
    for (unsigned round = 0; round < 400; round++) {
        char text[8192];
        struct assembled in = make_branching(text, sizeof text);
        const void *bytes = gpucode_program_bytes(in.program);
        size_t size = gpucode_program_size(in.program);
        uint32_t before[RESULTS] = {0}, after[RESULTS] = {0};
        uint64_t inputs = seed;
        run(bytes, size, inputs, before);
        for (unsigned how = 0; how < 3; how++) {
            struct gpucode_scheduled done =
                schedule(bytes, size, how ? GPUCODE_STRIP_NEEDLESS : GPUCODE_STRIP_NOTHING, how == 2);
            uint32_t last = 0;
            for (uint32_t i = 0; i < done.units; i++) {
                if (done.origins[i] == GPUCODE_SCHEDULE_NEW)
                    continue;
                moved += done.origins[i] < last;
                last = done.origins[i];
            }
            run(done.bytes, done.size, inputs, after);
            if (memcmp(before, after, sizeof before) != 0)
                fail_msg("round %u, way %u: other results for\n%s", round, how, text);
            gpucode_scheduled_free(&done);
        }
        gpucode_program_free(in.program);
    }
    assert_true(moved > 100);
}

TESTS(optimum, optimum, results)
