/* SPDX-License-Identifier: MIT */
/* What fibers do to one word of memory, each after the other, and what they read of one another, by plain formulas. */
#include "assembling.h"

#include <gpucode/ir3.h>
#include <stdio.h>
#include <string.h>

#define FIBERS 64

static void set_value(struct gpucode_machine *machine, unsigned fiber, unsigned space, uint32_t number, uint32_t value)
{
    assert_int_equal(gpucode_machine_write(machine, fiber, space, number, value), GPUCODE_OK);
}

struct group {
    struct assembled made;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
};

static void open_group(struct group *group, const char *text, const char *target, unsigned fibers, const char *order)
{
    char number[12];
    snprintf(number, sizeof number, "%u", fibers);
    const struct gpucode_setting settings[] = {
        {"ir3-fibers", number}, {"ir3-wave", "64"}, {"ir3-cmpxchg", order}, {NULL, NULL}};
    const struct gpucode_machine_options options = {.policies = settings};
    assemble_text(&group->made, text, target);
    if (group->made.status != GPUCODE_OK)
        fail_msg("%s\n%s", text, heard_text(&group->made.heard));
    group->image = image_made(&group->made, target);
    assert_int_equal(gpucode_machine_create(group->image, &options, &group->machine), GPUCODE_OK);
}

static void run_group(struct group *group)
{
    struct gpucode_stop stop;
    gpucode_machine_run(group->machine, 100000, &stop);
    if (stop.reason != GPUCODE_STOP_END)
        fail_msg("it stops at %u: %s", (unsigned)stop.pc, stop.text);
}

static void close_group(struct group *group)
{
    gpucode_machine_free(group->machine);
    gpucode_image_free(group->image);
    gpucode_program_free(group->made.program);
}

/* --- atomic operations ------------------------------------------------------------------------------------------- */

#define CELL UINT64_C(0x1fffffff8) /* local: its low bits alone; above it begins another 4 GiB */

static const char *const actions[] = {"add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor"};

/* Where the fibers' data are: in r1.x and on, or in front of them the result, as bindless ones have it. */
static const struct atomic_form {
    const char *target, *text, *types[3];
    bool local, behind;
} atomic_forms[] = {
    {"ir3:a4xx", "atomic.%s.untyped.1d.%s.1.l r2.x, l[r0.x], r1.x", {"u32", "s32"}, .local = true},
    {"ir3:a6xx", "atomic.%s.untyped.1d.%s.1.l r2.x, l[r0.x], r1.x", {"u32", "s32"}, .local = true},
    {"ir3:a5xx", "atomic.s.%s.untyped.1d.%s.1.g r2.x, g[1], r1.x, r0.z, r0.w", {"u32", "s32"}},
    {"ir3:a6xx", "atomic.g.%s.untyped.1d.%s.1.g r2.x, r0.x, r1.x", {"u32", "s32", "u64"}},
    {"ir3:a7xx", "atomic.b.%s.untyped.1d.%s.1.imm r2.x, r0.z, 1", {"u32", "s32", "u64"}, .behind = true},
};

static uint64_t after(unsigned action, const char *type, uint64_t old, uint64_t data, uint64_t compared)
{
    bool less = type[0] == 's' ? (int64_t)(int32_t)old < (int64_t)(int32_t)data : old < data;
    const uint64_t results[] = {
        old + data,        old - data,        data,       old + 1,    old - 1,   old == compared ? data : old,
        less ? old : data, less ? data : old, old & data, old | data, old ^ data};
    return type[1] == '6' ? results[action] : (uint32_t)results[action];
}

/* Each event is of the fiber whose turn it is, and has what it found and what it left. */
struct turns {
    unsigned fiber;
    uint64_t old[FIBERS + 1];
};

static bool see_turn(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct turns *turns = user;
    (void)machine;
    assert_int_equal(event->processor, turns->fiber);
    assert_int_equal(event->old & UINT32_MAX, turns->old[turns->fiber] & UINT32_MAX);
    turns->fiber++;
    return false;
}

/* The registers of all, and in `old` what each finds there and the last one leaves. */
static void give_atomic(struct gpucode_machine *machine, const struct atomic_form *form, unsigned action,
                        const char *type, unsigned count, uint64_t seed, bool compare_first, uint64_t *old)
{
    bool wide = type[1] == '6', swapped = action == 5 && compare_first;
    unsigned words = wide ? 2 : 1, data_at = form->behind ? 8 + words : 4;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    const uint32_t where[] = {form->local ? 0x1f8 : (uint32_t)CELL, CELL >> 32, wide ? 4 : 2, 8};
    const uint32_t buffer[] = {(uint32_t)CELL - 8, CELL >> 32, 64};
    for (uint32_t i = 0; i < 3; i++)
        set_value(machine, 0, GPUCODE_IR3_BUFFER, GPUCODE_IR3_BUFFER_FIELDS + i, buffer[i]);
    assert_int_equal(gpucode_machine_store(machine, CELL, (const unsigned char[8]){0}, 8), GPUCODE_OK);
    for (unsigned i = 0; i < count; i++) {
        uint64_t data = ((uint64_t)next_random(&seed) << 32 | next_random(&seed)) & mask;
        const uint64_t both[2] = {data, i % 3 ? old[i] : ~old[i] & mask};
        old[i + 1] = after(action, type, old[i], data, both[1]);
        for (uint32_t k = 0; k < 4; k++)
            set_value(machine, i, GPUCODE_A3XX_FULL, k, where[k]);
        for (unsigned k = 0; k < 2 * words; k++)
            set_value(machine, i, GPUCODE_A3XX_FULL, data_at + k,
                      (uint32_t)(both[(k / words) ^ swapped] >> 32 * (k % words)));
    }
}

static void check_atomic(const struct atomic_form *form, unsigned action, const char *type, unsigned count,
                         uint64_t seed)
{
    bool wide = type[1] == '6', compare_first = seed % 2;
    struct group group;
    struct turns turns = {0};
    unsigned char bytes[8];
    char text[256];
    int used = snprintf(text, sizeof text, form->text, actions[action], type);
    snprintf(text + used, sizeof text - (size_t)used, "\n(sy)(ss)(rpt5)nop\n%s(sy)(ss)end\n",
             form->local ? "ldl.u32 r7.x, l[r0.x], 1\n" : "");
    open_group(&group, text, form->target, count, compare_first ? "compare-first" : "new-first");
    give_atomic(group.machine, form, action, type, count, seed, compare_first, turns.old);
    if (!wide)
        gpucode_machine_hook(group.machine, GPUCODE_EVENT_MEM_WRITE, see_turn, &turns);
    run_group(&group);
    assert_true(wide || turns.fiber == count);
    assert_int_equal(gpucode_machine_load(group.machine, CELL, bytes, 8), GPUCODE_OK);
    for (unsigned i = 0; i < count; i++)
        for (unsigned word = 0; word < (wide ? 2 : 1); word++) {
            uint32_t value, left;
            gpucode_machine_read(group.machine, i, GPUCODE_A3XX_FULL, 8 + word, &value);
            memcpy(&left, bytes + 4 * word, 4);
            left = little_endian(left);
            if (form->local)
                gpucode_machine_read(group.machine, i, GPUCODE_A3XX_FULL, 28, &left);
            if (value != (uint32_t)(turns.old[i] >> 32 * word) || left != (uint32_t)(turns.old[count] >> 32 * word))
                fail_msg("%s: fiber %u of %u has %#x, and %#x is left", text, i, count, value, left);
        }
    close_group(&group);
}

static void atomic_operations(void)
{
    for (size_t i = 0; i < sizeof atomic_forms / sizeof *atomic_forms; i++)
        for (unsigned type = 0; type < 3 && atomic_forms[i].types[type]; type++)
            for (unsigned action = 0; action < 11; action++)
                for (uint64_t seed = 1; seed <= 4; seed++) {
                    if (atomic_forms[i].behind && action >= 3 && action <= 4)
                        continue; /* .b has neither inc nor dec */
                    check_atomic(&atomic_forms[i], action, atomic_forms[i].types[type], seed % 4 < 2 ? 1 : FIBERS,
                                 seed + 17 * action);
                }
}

/* --- fibers that read one another -------------------------------------------------------------------------------- */

enum exchange { BY_XOR, BY_UP, BY_DOWN, BY_UP_AROUND, BY_DOWN_AROUND, IN_ROW, IN_COLUMN, ACROSS, QUAD_NUMBER, HALVES };

static const char *const exchanges[] = {"shfl.xor.u32 r5.x, r3.x, r1.x",
                                        "shfl.up.u32 r5.x, r3.x, r1.x",
                                        "shfl.down.u32 r5.x, r3.x, r1.x",
                                        "shfl.rup.u32 r5.x, r3.x, r1.x",
                                        "shfl.rdown.u32 r5.x, r3.x, r1.x",
                                        "quad_shuffle.horiz (u32)(x)r5.x, r3.x",
                                        "quad_shuffle.vert (u32)(x)r5.x, r3.x",
                                        "quad_shuffle.diag (u32)(x)r5.x, r3.x",
                                        "quad_shuffle.brcst (u32)(x)r5.x, r3.x, r1.x",
                                        "brcst.active.w8 (u32)(x)r5.x, r3.x"};

/* Whose value the fiber gets; -1: it keeps its own result. */
static int whose(enum exchange exchange, int fiber, int index)
{
    const int of[] = {fiber ^ index,
                      fiber - index,
                      fiber + index,
                      (fiber + FIBERS - index) % FIBERS,
                      (fiber + index) % FIBERS,
                      fiber ^ 1,
                      fiber ^ 2,
                      fiber ^ 3,
                      fiber / 4 * 4 + index % 4,
                      fiber % 8 < 4 ? -1 : fiber / 8 * 8 + 3};
    return of[exchange] < FIBERS ? of[exchange] : -1;
}

static void exchanging(void)
{
    for (unsigned i = 0; i < 10 * 64; i++) {
        struct group group;
        char text[128];
        snprintf(text, sizeof text, "%s\n(sy)(ss)(rpt5)nop\nend\n", exchanges[i / 64]);
        open_group(&group, text, "ir3:a7xx", FIBERS, "new-first");
        for (unsigned fiber = 0; fiber < FIBERS; fiber++) {
            set_value(group.machine, fiber, GPUCODE_A3XX_FULL, 4, i % 64);
            set_value(group.machine, fiber, GPUCODE_A3XX_FULL, 12, 0x1000 + fiber);
            set_value(group.machine, fiber, GPUCODE_A3XX_FULL, 20, 0x2000 + fiber);
        }
        run_group(&group);
        for (unsigned fiber = 0; fiber < FIBERS; fiber++) {
            uint32_t value;
            int from = whose((enum exchange)(i / 64), (int)fiber, (int)(i % 64));
            gpucode_machine_read(group.machine, fiber, GPUCODE_A3XX_FULL, 20, &value);
            if (value != (from < 0 ? 0x2000 + fiber : 0x1000 + (unsigned)from))
                fail_msg("%s with %u: fiber %u has %#x", exchanges[i / 64], i % 64, fiber, value);
        }
        close_group(&group);
    }
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* What fibers are told to have read: how often each, and the sum of it. */
struct told {
    unsigned times[FIBERS];
    uint64_t sum[FIBERS];
};

static bool see_read(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct told *told = user;
    (void)machine;
    assert_in_range(event->processor, 0, FIBERS - 1);
    told->times[event->processor]++;
    told->sum[event->processor] += event->value;
    return false;
}

/* Each fiber stores two words and loads two values of them, of each width and from each memory. */
static void loads(void)
{
    static const struct {
        const char *type;
        unsigned bytes;
        bool half;
    } types[] = {{"u32", 4, false}, {"f32", 4, false}, {"u16", 2, true}, {"f16", 2, true}, {"u8", 1, true}};
    for (unsigned i = 0; i < 3 * 5; i++) {
        struct group group;
        char text[256], memory = "glp"[i % 3];
        bool half = types[i / 3].half;
        snprintf(text, sizeof text,
                 "st%c.u32 %c[r0.x], r1.x, 2\n(sy)(ss)(rpt5)nop\nld%c.%s %sr8.x, %c[r0.x], 2\n(sy)(ss)(rpt5)nop\nend\n",
                 memory, memory, memory, types[i / 3].type, half ? "h" : "", memory);
        open_group(&group, text, "ir3:a7xx", FIBERS, "new-first");
        assert_int_equal(gpucode_machine_map(group.machine, CELL, 16 * FIBERS), GPUCODE_OK);
        for (uint32_t fiber = 0; fiber < FIBERS; fiber++) {
            uint64_t address = memory == 'g' ? CELL + 16 * fiber : memory == 'l' ? 16 * fiber : 32;
            const uint32_t given[] = {(uint32_t)address,  (uint32_t)(address >> 32), 0, 0,
                                      0x84838281 + fiber, 0x98979695 - fiber};
            for (uint32_t k = 0; k < 6; k++)
                set_value(group.machine, fiber, GPUCODE_A3XX_FULL, k, given[k]);
        }
        struct told told = {0};
        if (i % 2)
            gpucode_machine_hook(group.machine, GPUCODE_EVENT_MEM_READ, see_read, &told);
        run_group(&group);
        for (uint32_t fiber = 0; fiber < FIBERS; fiber++) {
            uint64_t sum = 0;
            for (uint32_t k = 0; k < 2; k++) {
                uint64_t both = (uint64_t)(0x98979695 - fiber) << 32 | (0x84838281 + fiber);
                unsigned bits = 8 * types[i / 3].bytes;
                uint32_t value, wanted = (uint32_t)((both >> bits * k) & ((UINT64_C(1) << bits) - 1));
                gpucode_machine_read(group.machine, fiber, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, 32 + k,
                                     &value);
                if (value != wanted)
                    fail_msg("%s: fiber %u has %#x, not %#x", text, fiber, value, wanted);
                sum += wanted;
            }
            assert_int_equal(told.times[fiber], i % 2 ? 2 : 0);
            assert_int_equal(told.sum[fiber], i % 2 ? sum : 0);
        }
        close_group(&group);
    }
}

/* Atomic operations on texels of an image: what lies outside of it is left alone, and gives 0. */
static void atomic_texels(void)
{
    for (uint32_t pitch = 0; pitch <= 64; pitch += 64) {
        struct group group;
        open_group(&group, "atomic.b.add.typed.2d.u32.1.imm r2.x, r0.x, 1\n(sy)(ss)(rpt5)nop\nend\n", "ir3:a7xx",
                   FIBERS, "new-first");
        const uint32_t image[GPUCODE_IR3_BUFFER_FIELDS] = {[GPUCODE_IR3_BUFFER_ADDRESS] = (uint32_t)CELL,
                                                           [GPUCODE_IR3_BUFFER_HIGH] = CELL >> 32,
                                                           [GPUCODE_IR3_BUFFER_SIZE] = 256,
                                                           [GPUCODE_IR3_BUFFER_WIDTH] = 8,
                                                           [GPUCODE_IR3_BUFFER_HEIGHT] = 4,
                                                           [GPUCODE_IR3_BUFFER_PITCH] = pitch};
        unsigned char bytes[256], wanted[256];
        for (unsigned i = 0; i < 256; i++)
            bytes[i] = wanted[i] = (unsigned char)(i % 4 ? 0 : i / 4 + 1);
        assert_int_equal(gpucode_machine_store(group.machine, CELL, bytes, 256), GPUCODE_OK);
        for (uint32_t i = 0; i < GPUCODE_IR3_BUFFER_FIELDS; i++)
            set_value(group.machine, 0, GPUCODE_IR3_BUFFER, GPUCODE_IR3_BUFFER_FIELDS + i, image[i]);
        for (uint32_t fiber = 0; fiber < FIBERS; fiber++) {
            const uint32_t given[] = {fiber % 10, fiber / 10};
            for (uint32_t k = 0; k < 2; k++)
                set_value(group.machine, fiber, GPUCODE_A3XX_FULL, k, given[k]);
            set_value(group.machine, fiber, GPUCODE_A3XX_FULL, 8, 77);
            set_value(group.machine, fiber, GPUCODE_A3XX_FULL, 9, fiber);
        }
        run_group(&group);
        for (uint32_t fiber = 0; fiber < FIBERS; fiber++) {
            bool inside = fiber % 10 < 8 && fiber / 10 < 4;
            uint32_t value, offset = fiber / 10 * (pitch ? pitch : 32) + fiber % 10 * 4;
            gpucode_machine_read(group.machine, fiber, GPUCODE_A3XX_FULL, 8, &value);
            assert_int_equal(value, inside ? bytes[offset] : 0);
            if (inside)
                wanted[offset] = (unsigned char)(wanted[offset] + fiber);
        }
        assert_int_equal(gpucode_machine_load(group.machine, CELL, bytes, 256), GPUCODE_OK);
        assert_memory_equal(bytes, wanted, 256);
        close_group(&group);
    }
}

/* Halves lie in consts in pairs, the lower first; an odd one has nothing above it. */
static void stored_consts(void)
{
    struct group group;
    uint32_t value;
    open_group(&group, "stc.u16 c[5], hr8.x, 3\nstc.u32 c[9], r2.x, 2\n(sy)(ss)(rpt5)nop\nend\n", "ir3:a7xx", 1,
               "new-first");
    for (uint32_t i = 0; i < 3; i++)
        set_value(group.machine, 0, GPUCODE_A3XX_HALF, 32 + i, 0x1111 * (i + 1));
    for (uint32_t i = 0; i < 2; i++)
        set_value(group.machine, 0, GPUCODE_A3XX_FULL, 8 + i, 0x12345678 + i);
    run_group(&group);
    static const uint32_t wanted[][2] = {{4, 0}, {5, 0x22221111}, {6, 0x3333},
                                         {7, 0}, {9, 0x12345678}, {10, 0x12345679}};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        gpucode_machine_read(group.machine, 0, GPUCODE_A3XX_CONST, wanted[i][0], &value);
        assert_int_equal(value, wanted[i][1]);
    }
    close_group(&group);
}

/* --- integers with signs ------------------------------------------------------------------------------------------ */

/* (neg) and (abs) of integers, full and half, in registers and consts, by one fiber and by 64. */
static void signed_integers(void)
{
    static const char *const marks[] = {"", "(neg)", "(abs)", "(absneg)"};
    static const char *const registers[] = {"r0.x", "hr8.x", "c1.x"};
    for (unsigned i = 0; i < 4 * 3 * 2; i++) {
        struct group group;
        char text[128];
        unsigned mark = i % 4, which = i / 4 % 3, count = i / 12 ? FIBERS : 1;
        bool half = which == 1;
        snprintf(text, sizeof text, "add.s %sr4.x, %s%s, %sr1.x\n(sy)(ss)(rpt5)nop\nend\n", half ? "h" : "",
                 marks[mark], registers[which], half ? "h" : "");
        for (uint32_t seed = 0; seed < 4; seed++) {
            open_group(&group, text, "ir3:a7xx", count, "new-first");
            uint32_t constant = 0x80000000 + seed * 0x5fffffff;
            set_value(group.machine, 0, GPUCODE_A3XX_CONST, 4, constant);
            for (uint32_t fiber = 0; fiber < count; fiber++) {
                set_value(group.machine, fiber, GPUCODE_A3XX_FULL, 0, (fiber + seed) * 0x12345677 + 0x70000000);
                set_value(group.machine, fiber, GPUCODE_A3XX_HALF, 32, (fiber + seed) * 0x1237 % 0x10000);
                set_value(group.machine, fiber, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, 4, 3 * fiber);
            }
            run_group(&group);
            for (uint32_t fiber = 0; fiber < count; fiber++) {
                int64_t source = half         ? (int16_t)((fiber + seed) * 0x1237)
                                 : which == 0 ? (int32_t)((fiber + seed) * 0x12345677 + 0x70000000)
                                              : (int32_t)constant;
                int64_t size = mark >= 2 && source < 0 ? -source : source;
                uint32_t value, wanted = (uint32_t)((mark & 1 ? -size : size) + 3 * fiber);
                gpucode_machine_read(group.machine, fiber, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, 16, &value);
                if (value != (half ? wanted & 0xffff : wanted))
                    fail_msg("%s: fiber %u has %#x, not %#x", text, fiber, value, wanted);
            }
            close_group(&group);
        }
    }
}

TESTS(between, signed_integers, atomic_operations, exchanging, loads, atomic_texels, stored_consts)
