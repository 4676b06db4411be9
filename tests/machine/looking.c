/* SPDX-License-Identifier: MIT */
/*
 * What is put into machines of all sets from outside, and what is found there: places of processors, registers by
 * number and by name, memory beside an array that is plain, and all of it after going back to a snapshot.
 */
#include "assembling.h"

#include <gpucode/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *target, *text;
    struct gpucode_setting policies[2];
    uint32_t units;
} kinds[] = {
    {"afuc:a630",
     ".target afuc:a630\n[016ee002]\n[#jumptbl]\nmov $02, 1\na: mov $03, 2\nbrne $02, 3, #a\nnop\nwaitin\n"
     "mov $01, $data\njumptbl:\n.jumptbl\n",
     {{NULL, NULL}},
     0},
    {"afuc:a530", ".target afuc:a530\nmov $02, 1\nmov $03, 2\nwaitin\nmov $01, $data\n", {{NULL, NULL}}, 0},
    {"hwsq:g94", ".target hwsq:g94\nset1 FB_PAUSE\nwait 1us\naddr 0x100210\nexit\n", {{NULL, NULL}}, 0},
    {"a3xx:a320",
     "mov.f32f32 r0.x, r1.x\n(rpt5)nop\nadd.f r1.x, r0.x, r0.x\nend\n",
     {{"a3xx-threads", "3"}, {NULL, NULL}},
     4},
    {"ir3:a630",
     ".target ir3:a630\nmov.f32f32 r0.x, r1.x\n(rpt5)nop\nadd.f r1.x, r0.x, r0.x\nend\n",
     {{"ir3-fibers", "5"}, {NULL, NULL}},
     4},
    {"mme:fermi", "maddr 4\nexit send $r1\nsend 2", {{NULL, NULL}}, 3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct looked {
    struct assembled made;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
};

static void look_at(struct looked *looked, unsigned kind)
{
    const struct gpucode_machine_options options = {.policies = kinds[kind].policies};
    assemble_text(&looked->made, kinds[kind].text, kinds[kind].target);
    if (looked->made.status != GPUCODE_OK)
        fail_msg("%s: %s", kinds[kind].target, heard_text(&looked->made.heard));
    looked->image = image_made(&looked->made, kinds[kind].target);
    assert_int_equal(gpucode_machine_create(looked->image, &options, &looked->machine), GPUCODE_OK);
}

static void leave(struct looked *looked)
{
    gpucode_machine_free(looked->machine);
    gpucode_image_free(looked->image);
    gpucode_program_free(looked->made.program);
}

/* Each processor goes to each of its places, and to no other; the others stay. */
static void places(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct looked looked;
        look_at(&looked, kind);
        struct gpucode_machine *machine = looked.machine;
        for (unsigned i = 0; gpucode_machine_processor(machine, i); i++) {
            uint64_t before[32];
            unsigned count = 0, good = 0;
            for (; gpucode_machine_processor(machine, count); count++)
                before[count] = gpucode_machine_pc(machine, count);
            for (uint64_t pc = 0; pc < 4000; pc++) {
                uint64_t old = gpucode_machine_pc(machine, i);
                enum gpucode_status status = gpucode_machine_set_pc(machine, i, pc);
                assert_int_equal(gpucode_machine_pc(machine, i), status == GPUCODE_OK ? pc : old);
                good += status == GPUCODE_OK;
            }
            assert_true(good >= 3);
            if (kinds[kind].units)
                assert_int_equal(good, kinds[kind].units);
            assert_int_not_equal(gpucode_machine_set_pc(machine, i, UINT64_MAX), GPUCODE_OK);
            assert_int_not_equal(gpucode_machine_set_pc(machine, i, UINT64_C(1) << 32), GPUCODE_OK);
            for (unsigned k = 0; k < count; k++)
                if (k != i)
                    assert_int_equal(gpucode_machine_pc(machine, k), before[k]);
        }
        leave(&looked);
    }
}

/* A register is found by the name that it has, and holds what was written, as far as it keeps it; its neighbours do not
 * change with it where nothing is done by writing. */
static void registers(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct looked looked;
        look_at(&looked, kind);
        struct gpucode_machine *machine = looked.machine;
        unsigned named = 0;
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++) {
            struct gpucode_space_info info;
            if (!gpucode_machine_space(machine, space, &info))
                continue;
            for (uint32_t i = 0; i < info.count && i < 300; i++) {
                uint32_t number = i < 260 ? i : info.count - 1 - (i - 260), found, value, again, other;
                unsigned in;
                char name[GPUCODE_NAME_MAX];
                bool readable = gpucode_machine_read(machine, 0, space, number, &value) == GPUCODE_OK;
                if (gpucode_machine_name(machine, space, number, name, sizeof name) && readable) {
                    if (!gpucode_machine_find(machine, name, &in, &found))
                        fail_msg("%s: %s (%u) is not found", kinds[kind].target, name, (unsigned)number);
                    if (in != space || found != number) { /* a name for two: that of the first */
                        char same[GPUCODE_NAME_MAX];
                        assert_true(gpucode_machine_name(machine, in, found, same, sizeof same));
                        assert_string_equal(same, name);
                    }
                    named++;
                }
                if (!readable)
                    continue;
                bool neighbour = number + 1 < info.count && space == GPUCODE_SPACE_GENERAL && number < 0x18 &&
                                 gpucode_machine_read(machine, 0, space, number + 1, &other) == GPUCODE_OK;
                if (gpucode_machine_write(machine, 0, space, number, 0x5a5aa5a5u ^ number) != GPUCODE_OK ||
                    gpucode_machine_read(machine, 0, space, number, &value) != GPUCODE_OK)
                    continue;
                if (space == GPUCODE_SPACE_GENERAL && number >= 1 && number < 0x18 && value != (0x5a5aa5a5u ^ number))
                    assert_int_equal(kind, 5); /* the first ones of MME are counters and the like */
                if (neighbour) {
                    assert_int_equal(gpucode_machine_read(machine, 0, space, number + 1, &again), GPUCODE_OK);
                    assert_int_equal(again, other);
                }
            }
            assert_int_not_equal(gpucode_machine_write(machine, 0, space, info.count, 0), GPUCODE_OK);
            if (!info.effective)
                assert_int_not_equal(gpucode_machine_read(machine, 0, space, info.count, &(uint32_t){0}), GPUCODE_OK);
            assert_int_not_equal(gpucode_machine_read(machine, 99, space, 0, &(uint32_t){0}), GPUCODE_OK);
        }
        assert_true(named > 8);
        leave(&looked);
    }
}

#define BASE 0x40000ff0u
enum { SPAN = 0x5000 };

/* Stores and loads of all sizes, over the borders of pages, beside an array; a snapshot brings all of it back. */
static void memory(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct looked looked;
        look_at(&looked, kind);
        struct gpucode_machine *machine = looked.machine;
        static unsigned char plain[SPAN], kept[SPAN], loaded[SPAN];
        struct gpucode_snapshot *snapshot = NULL;
        uint64_t seed = 5 + kind, after = 0;
        memset(plain, 0, sizeof plain);
        if (gpucode_machine_map(machine, BASE, SPAN) != GPUCODE_OK) {
            leave(&looked);
            continue; /* its registers stand there */
        }
        for (unsigned round = 0; round < 200; round++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            size_t at = (seed >> 33) % SPAN, size = (seed >> 20) % (round % 8 ? 9 : SPAN);
            if (size > SPAN - at)
                size = SPAN - at;
            for (size_t i = 0; i < size; i++)
                plain[at + i] = (unsigned char)(seed >> (i % 7) ^ i);
            assert_int_equal(gpucode_machine_store(machine, BASE + at, plain + at, size), GPUCODE_OK);
            assert_int_equal(gpucode_machine_load(machine, BASE, loaded, SPAN), GPUCODE_OK);
            assert_memory_equal(loaded, plain, SPAN);
            if (round == 60) {
                assert_int_equal(gpucode_machine_snapshot(machine, &snapshot), GPUCODE_OK);
                memcpy(kept, plain, SPAN);
                after = gpucode_machine_count(machine);
            }
            if (round == 120) {
                assert_true(gpucode_snapshot_bytes(snapshot, NULL) >= SPAN - 0x1000);
                assert_int_equal(gpucode_machine_restore(machine, snapshot), GPUCODE_OK);
                memcpy(plain, kept, SPAN);
                assert_int_equal(gpucode_machine_count(machine), after);
                assert_int_equal(gpucode_machine_load(machine, BASE, loaded, SPAN), GPUCODE_OK);
                assert_memory_equal(loaded, plain, SPAN);
            }
        }
        /* nothing beside it is mapped, but the command processor has all memory */
        bool all = strncmp(kinds[kind].target, "afuc", 4) == 0;
        assert_int_equal(gpucode_machine_load(machine, BASE + SPAN + 0x1000, loaded, 1) == GPUCODE_OK, all);
        assert_int_equal(gpucode_machine_load(machine, BASE + SPAN - 4, loaded, 0x2000) == GPUCODE_OK, all);
        gpucode_snapshot_free(snapshot);
        leave(&looked);
    }
}

struct stopped {
    unsigned left, processor;
    uint64_t pc;
};

static bool stop_at_last(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct stopped *stopped = user;
    (void)machine;
    stopped->processor = event->processor;
    stopped->pc = event->pc;
    return --stopped->left == 0;
}

/* In front of an instruction that a hook stops at: the machine stands there, has not done it, and goes on from it. */
static void hooks_stop(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned at = 1; at <= 3; at++) {
            struct looked looked;
            struct gpucode_stop stop, end;
            struct stopped stopped = {.left = at};
            look_at(&looked, kind);
            uint64_t all = gpucode_machine_run(looked.machine, 1000, &end);
            leave(&looked);
            look_at(&looked, kind);
            gpucode_machine_hook(looked.machine, GPUCODE_EVENT_INSN, stop_at_last, &stopped);
            uint64_t ran = gpucode_machine_run(looked.machine, 1000, &stop);
            if (stopped.left)
                fail_msg("%s: %u instructions are not told", kinds[kind].target, stopped.left);
            assert_int_equal(stop.reason, GPUCODE_STOP_HOOK);
            assert_int_equal(stop.processor, stopped.processor);
            assert_int_equal(stop.pc, stopped.pc);
            assert_int_equal(gpucode_machine_pc(looked.machine, stopped.processor), stopped.pc);
            stopped.left = 1000;
            assert_int_equal(ran + gpucode_machine_run(looked.machine, 1000 - ran, &stop), all);
            assert_int_equal(stop.reason, end.reason);
            leave(&looked);
        }
}

/* Without a machine, or with a processor that it does not have. */
static void given_nothing(void)
{
    struct looked looked;
    struct gpucode_stop stop;
    struct gpucode_counter counter;
    struct gpucode_frame frame;
    struct gpucode_space_info info;
    struct gpucode_machine *machine;
    char text[GPUCODE_NAME_MAX] = "";
    uint64_t back;
    assert_int_equal(gpucode_machine_run(NULL, 1, &stop), 0);
    assert_int_equal(gpucode_machine_step(NULL, 0, &stop), 0);
    assert_int_equal(gpucode_machine_time(NULL), 0);
    assert_int_equal(gpucode_machine_count(NULL), 0);
    assert_false(gpucode_machine_counter(NULL, 0, &counter));
    assert_null(gpucode_machine_processor(NULL, 0));
    assert_int_equal(gpucode_machine_section(NULL, 0), 0);
    assert_int_equal(gpucode_machine_pc(NULL, 0), 0);
    assert_null(gpucode_machine_image(NULL));
    assert_false(gpucode_machine_frame(NULL, 0, 0, &frame));
    assert_false(gpucode_machine_call(NULL, 0, &back));
    assert_false(gpucode_machine_pending(NULL, 0, &back));
    assert_false(gpucode_machine_space(NULL, 0, &info));
    assert_int_equal(gpucode_machine_name(NULL, 0, 0, text, sizeof text), 0);
    assert_int_equal(gpucode_snapshot_bytes(NULL, NULL), 0);
    assert_int_equal(gpucode_machine_create(NULL, NULL, &machine), GPUCODE_ERROR_ARGUMENT);
    assert_null(machine);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        look_at(&looked, kind);
        machine = looked.machine;
        assert_int_equal(gpucode_machine_create(looked.image, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_false(gpucode_machine_call(machine, 5000, &back));
        assert_false(gpucode_machine_pending(machine, 5000, &back));
        assert_false(gpucode_machine_frame(machine, 5000, 0, &frame));
        assert_int_equal(gpucode_machine_section(machine, 5000), 0);
        assert_int_equal(gpucode_machine_pc(machine, 5000), 0);
        assert_false(gpucode_machine_space(machine, 5000, &info));
        assert_false(gpucode_machine_counter(machine, 5000, &counter));
        assert_int_equal(gpucode_machine_name(machine, 5000, 0, text, sizeof text), 0);
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 20; space++) {
            uint32_t value = 77;
            if (gpucode_machine_space(machine, space, &info))
                continue;
            assert_int_equal(gpucode_machine_read(machine, 0, space, 0, &value), GPUCODE_ERROR_RANGE);
            assert_int_equal(gpucode_machine_write(machine, 0, space, 0, 1), GPUCODE_ERROR_RANGE);
            assert_int_equal(gpucode_machine_name(machine, space, 0, text, sizeof text), 0);
            assert_int_equal(value, 77);
        }
        assert_int_equal(gpucode_machine_read(NULL, 0, 0, 0, &(uint32_t){0}), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_machine_write(NULL, 0, 0, 0, 1), GPUCODE_ERROR_ARGUMENT);
        for (unsigned space = 0; gpucode_machine_space(machine, space, &info); space++) {
            assert_int_equal(gpucode_machine_name(machine, space, info.count, text, sizeof text), 0);
            assert_int_equal(gpucode_machine_name(machine, space, UINT32_MAX, text, sizeof text), 0);
        }
        assert_string_equal(text, "");
        assert_int_equal(gpucode_machine_step(machine, 5000, &stop), 1); /* that is the first one */
        assert_int_equal(gpucode_machine_count(machine), 1);
        leave(&looked);
    }
}

/* What only some machines have, and the limits of what all of them take. */
static void what_machines_have(void)
{
    static const struct {
        bool enters, is_fed, has_textures, has_accesses;
    } has[KINDS] = {{true, true, false, true},  {true, true, false, true},   {false, false, false, false},
                    {false, false, true, true}, {false, false, false, true}, {false, true, false, false}};
    const enum gpucode_status wrong = GPUCODE_ERROR_ARGUMENT, absent = GPUCODE_ERROR_UNSUPPORTED;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        static uint8_t map[GPUCODE_EDGES_SIZE + 100];
        struct looked looked;
        struct gpucode_target *made;
        struct gpucode_machine_edge edge;
        look_at(&looked, kind);
        struct gpucode_machine *machine = looked.machine;
        assert_int_equal(gpucode_machine_enter(machine, 5000, 1, 0, 0), has[kind].enters ? wrong : absent);
        assert_int_equal(gpucode_machine_feed(machine, 5000, NULL, 0), has[kind].is_fed ? wrong : absent);
        assert_int_equal(gpucode_machine_feed(machine, 0, NULL, 1), has[kind].is_fed ? wrong : absent);
        assert_int_equal(gpucode_machine_texture(machine, NULL, NULL), has[kind].has_textures ? GPUCODE_OK : absent);
        assert_int_equal(gpucode_machine_memory(machine, NULL, NULL), has[kind].has_accesses ? GPUCODE_OK : absent);
        size_t units = 77, numbered = gpucode_machine_edge_count(machine);
        assert_null(gpucode_machine_covered(machine, 5000, &units));
        assert_int_equal(units, 0);
        assert_null(gpucode_machine_covered(machine, 5000, NULL));
        const uint8_t *covered = gpucode_machine_covered(machine, 0, &units);
        assert_ptr_equal(gpucode_machine_covered(machine, 0, NULL), covered);
        assert_int_equal(gpucode_machine_edges(machine, map, numbered + GPUCODE_EDGES_LEAST), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_edges(machine, map, numbered + 1 + GPUCODE_EDGES_LEAST), GPUCODE_OK);
        assert_int_equal(gpucode_machine_edges(machine, map, (size_t)INT32_MAX + 1), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_edges(machine, map, INT32_MAX), GPUCODE_OK); /* it is not looked at yet */
        assert_int_equal(gpucode_machine_edges(machine, NULL, 0), GPUCODE_OK);
        assert_int_equal(gpucode_machine_edge(machine, (uint32_t)numbered, &edge), numbered != 0);
        assert_false(gpucode_machine_edge(machine, (uint32_t)numbered + 1, &edge));
        assert_int_equal(gpucode_machine_map(machine, UINT64_MAX - 0xffe, 0x1000), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_store(machine, UINT64_MAX - 0xffe, map, 0x1000), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_map(machine, UINT64_MAX - 0xfff, 0x1000), GPUCODE_OK);
        assert_int_equal(gpucode_machine_store(machine, UINT64_MAX - 0xfff, map, 0x1000), GPUCODE_OK);
        /* a target without choices is made all the same */
        const struct gpucode_target *target = target_named(kinds[kind].target);
        assert_int_equal(gpucode_target_with(target, NULL, NULL, &made), GPUCODE_OK);
        assert_string_equal(gpucode_target_name(made), gpucode_target_name(target));
        gpucode_target_free(made);
        leave(&looked);
    }
}

TESTS(looking, given_nothing, what_machines_have, places, registers, memory, hooks_stop)
