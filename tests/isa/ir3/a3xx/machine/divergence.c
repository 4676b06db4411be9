/* SPDX-License-Identifier: MIT */
/*
 * Random programs whose threads part and meet but tell each other nothing: in a group, under every rule for meeting,
 * run at once or in pieces, each thread ends as it does alone.
 */
#include "running.h"

#include <stdio.h>
#include <string.h>

#define WIDTH_MAX 64
#define REGISTERS 64 /* r0.x to r15.w */
#define FUNCTIONS 3
#define DEPTH 3
#define PROGRAMS 200

static uint32_t random_of(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

/* --- programs ---------------------------------------------------------------------------------------------------- */

struct writing {
    char text[40000];
    size_t length;
    uint64_t seed;
    unsigned labels, loops;
};

__attribute__((format(printf, 2, 3))) static void put(struct writing *writing, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    writing->length +=
        (size_t)vsnprintf(writing->text + writing->length, sizeof writing->text - writing->length, format, args);
    va_end(args);
    assert_true(writing->length < sizeof writing->text);
}

/* Some labels are marked, some are not. */
static void put_label(struct writing *writing, unsigned label)
{
    put(writing, "l%u: %snop\n", label, random_of(&writing->seed, 2) ? "(jp)" : "");
}

/* r0 to r3: what the work is done on. */
static void put_register(struct writing *writing, const char *before)
{
    uint32_t number = random_of(&writing->seed, 16);
    put(writing, "%sr%u.%c", before, number / 4, "xyzw"[number % 4]);
}

static void put_work(struct writing *writing)
{
    static const char *const ops[] = {"add.u", "sub.s", "xor.b", "mul.u", "max.s", "shr.b", "add.f", "mul.f"};
    uint32_t kind = random_of(&writing->seed, 12);
    if (kind == 0) {
        put(writing, "stp.u32 p[r4.w+%u]", 4 * random_of(&writing->seed, 4));
        put_register(writing, ", ");
        put(writing, ", 1\n");
    } else if (kind == 1) {
        put_register(writing, "ldp.u32 ");
        put(writing, ", p[r4.w+%u], 1\n", 4 * random_of(&writing->seed, 4));
    } else if (kind == 2) {
        put_register(writing, "cmps.u.gt p0.y, ");
        put(writing, ", %u\nkill p0.y\n", random_of(&writing->seed, 1000));
    } else {
        put(writing, "%s%s ", random_of(&writing->seed, 4) ? "" : "(rpt1)", ops[random_of(&writing->seed, 8)]);
        put_register(writing, "");
        put_register(writing, ", (r)");
        put_register(writing, ", ");
        put(writing, "\n");
    }
}

static void put_condition(struct writing *writing)
{
    static const char *const conditions[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    put_register(writing, "and.b r4.x, ");
    put(writing, ", %u\ncmps.u.%s p0.x, r4.x, %u\n", random_of(&writing->seed, 8),
        conditions[random_of(&writing->seed, 6)], random_of(&writing->seed, 5));
}

/* `out`: a label that all of it may leave for; functions from `function` on may be called. */
static void put_block(struct writing *writing, unsigned depth, unsigned out, unsigned function)
{
    for (uint32_t i = 1 + random_of(&writing->seed, 4); i; i--) {
        unsigned first = writing->labels, second = first + 1;
        switch (depth ? random_of(&writing->seed, 7) : 0) {
        case 1: /* if, perhaps with else */
            writing->labels += 2;
            put_condition(writing);
            put(writing, "br %sp0.x, #l%u\n", random_of(&writing->seed, 2) ? "!" : "", first);
            put_block(writing, depth - 1, out, function);
            if (random_of(&writing->seed, 2)) {
                put(writing, "jump #l%u\n", second);
                put_label(writing, first);
                put_block(writing, depth - 1, out, function);
                put_label(writing, second);
            } else {
                put_label(writing, first);
            }
            break;
        case 2: { /* a loop of as many rounds as a register says; its body may be left */
            unsigned counter = 20 + writing->loops++ % 160;
            char name[8];
            snprintf(name, sizeof name, "r%u.%c", counter / 4, "xyzw"[counter % 4]);
            writing->labels += 2;
            put(writing, "and.b %s", name);
            put_register(writing, ", ");
            put(writing, ", 3\n");
            put_label(writing, first);
            put_block(writing, depth - 1, second, function);
            put(writing, "sub.s %s, %s, 1\ncmps.s.ge p0.x, %s, 0\nbr p0.x, #l%u\n", name, name, name, first);
            put_label(writing, second);
            break;
        }
        case 3:
            if (function < FUNCTIONS)
                put(writing, "call #f%u\n", function + random_of(&writing->seed, FUNCTIONS - function));
            break;
        case 4:
            put_condition(writing);
            put(writing, "br p0.x, #l%u\n", out);
            break;
        default:
            put_work(writing);
            break;
        }
    }
}

/* Some functions lie in front of the program, some after it. */
static void put_function(struct writing *writing, unsigned function)
{
    unsigned out = writing->labels++;
    put(writing, "f%u: %snop\n", function, random_of(&writing->seed, 2) ? "(jp)" : "");
    put_block(writing, DEPTH - 1, out, function + 1);
    put_label(writing, out);
    put(writing, "ret\n");
}

static void put_program(struct writing *writing)
{
    unsigned in_front = random_of(&writing->seed, FUNCTIONS + 1), out = writing->labels++;
    put(writing, "jump #start\n");
    for (unsigned i = 0; i < in_front; i++)
        put_function(writing, i);
    put(writing, "start: nop\n");
    for (unsigned i = 0; i < 4; i++)
        put_block(writing, DEPTH, out, 0);
    put_label(writing, out);
    put(writing, "end\n");
    for (unsigned i = in_front; i < FUNCTIONS; i++)
        put_function(writing, i);
}

/* --- runs -------------------------------------------------------------------------------------------------------- */

struct outcome {
    uint32_t registers[REGISTERS];
    uint32_t killed;
};

static void set_inputs(struct rig *rig, unsigned thread, uint64_t seed, unsigned like)
{
    seed += (uint64_t)like * 977;
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, i, random_of(&seed, i & 1 ? 8 : UINT32_MAX)),
            GPUCODE_OK);
}

static void read_outcome(const struct rig *rig, unsigned thread, struct outcome *outcome)
{
    for (uint32_t i = 0; i < REGISTERS; i++)
        gpucode_machine_read(rig->machine, thread, GPUCODE_A3XX_FULL, i, &outcome->registers[i]);
    gpucode_machine_read(rig->machine, thread, GPUCODE_A3XX_FLAGS, 0, &outcome->killed);
}

struct account {
    uint64_t time, count, thread_slots, diverged_slots;
};

static struct account account_of(const struct rig *rig)
{
    struct gpucode_counter counter = {0};
    struct account account = {.time = gpucode_machine_time(rig->machine), .count = gpucode_machine_count(rig->machine)};
    if (gpucode_machine_counter(rig->machine, 0, &counter))
        account.thread_slots = counter.value;
    if (gpucode_machine_counter(rig->machine, 1, &counter))
        account.diverged_slots = counter.value;
    return account;
}

static bool look(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    (void)event;
    ++*(uint64_t *)user;
    return false;
}

/* In pieces, snapshots put back in between, or with a hook that looks on. */
static void run(struct rig *rig, unsigned manner, uint64_t *seed)
{
    uint64_t looked = 0;
    if (manner == 2)
        gpucode_machine_hook(rig->machine, GPUCODE_EVENT_INSN, look, &looked);
    struct gpucode_snapshot *snapshot = NULL;
    uint64_t left = 3000000;
    do {
        uint64_t limit = manner == 1 ? 1 + random_of(seed, 200) : left;
        left -= gpucode_machine_run(rig->machine, limit, &rig->stop);
        if (manner == 1 && !random_of(seed, 8)) {
            gpucode_snapshot_free(snapshot);
            assert_int_equal(gpucode_machine_snapshot(rig->machine, &snapshot), GPUCODE_OK);
        } else if (snapshot && !random_of(seed, 12)) {
            assert_int_equal(gpucode_machine_restore(rig->machine, snapshot), GPUCODE_OK);
            rig->stop.reason = GPUCODE_STOP_LIMIT;
        }
    } while (rig->stop.reason == GPUCODE_STOP_LIMIT && left < 4000000);
    gpucode_snapshot_free(snapshot);
    if (rig->stop.reason != GPUCODE_STOP_END)
        fail_msg("stopped at %llu: %s", (unsigned long long)rig->stop.pc, rig->stop.text);
    if (manner == 2)
        assert_int_equal(looked, gpucode_machine_count(rig->machine));
}

static void alone_and_together(void)
{
    static const char *const rules[] = {"calls", "least", "marks"};
    static const unsigned widths[] = {3, 4, 7, 16, WIDTH_MAX};
    static struct writing writing;
    static struct outcome alone[WIDTH_MAX];
    unsigned diverged = 0;
    for (uint64_t program = 1; program <= PROGRAMS; program++) {
        writing = (struct writing){.seed = program};
        put_program(&writing);
        uint64_t inputs = program * 31, pieces = program;
        uint64_t work = 0;
        for (unsigned i = 0; i < WIDTH_MAX; i++) {
            struct rig rig = rig_text(writing.text, NULL);
            set_inputs(&rig, 0, inputs, i);
            run(&rig, 0, &pieces);
            read_outcome(&rig, 0, &alone[i]);
            rig_down(&rig);
        }
        unsigned width = widths[program % 5];
        for (unsigned rule = 0; rule < 3; rule++) {
            char number[8];
            snprintf(number, sizeof number, "%u", width);
            const struct gpucode_setting settings[] = {
                {"a3xx-threads", number}, {"a3xx-reconvergence", rules[rule]}, {NULL, NULL}};
            struct account first = {0};
            for (unsigned manner = 0; manner < 3; manner++) {
                struct rig rig = rig_text(writing.text, settings);
                for (unsigned i = 0; i < width; i++)
                    set_inputs(&rig, i, inputs, i);
                run(&rig, manner, &pieces);
                for (unsigned i = 0; i < width; i++) {
                    struct outcome outcome;
                    read_outcome(&rig, i, &outcome);
                    if (memcmp(&outcome, &alone[i], sizeof outcome) != 0)
                        fail_msg("program %u, %s, width %u, manner %u: thread %u ends otherwise than alone",
                                 (unsigned)program, rules[rule], width, manner, i);
                }
                struct account account = account_of(&rig);
                if (!manner)
                    first = account;
                assert_memory_equal(&account, &first, sizeof account);
                rig_down(&rig);
            }
            assert_true(first.time <= first.thread_slots && first.thread_slots <= width * first.time);
            work = rule ? work : first.thread_slots;
            assert_int_equal(first.thread_slots, work); /* the rule decides who waits, not who works */
            diverged += first.diverged_slots > 0;
        }
    }
    assert_true(diverged > 3 * PROGRAMS * 3 / 4); /* most of them */
}

TESTS(divergence, alone_and_together)
