/* SPDX-License-Identifier: MIT */
/*
 * Strict timing: each row of the delay table with one slot too few and with enough, sync bits, registers written and
 * read out of turn, and what is on its way in snapshots, hooks, limits and groups.
 */
#include "running.h"

#include <stdio.h>
#include <string.h>

static const struct gpucode_setting strict[] = {{"a3xx-timing", "strict"}, {NULL, NULL}};
static const struct gpucode_setting read_as_zero[] = {{"a3xx-out-of-range", "zero"}, {NULL, NULL}};
static const struct gpucode_setting all_wait[] = {
    {"a3xx-timing", "strict"}, {"a3xx-special-wait", "all"}, {NULL, NULL}};

static void set_inputs(struct rig *rig)
{
    static const char *const names[] = {"r1.x",  "r1.y",  "r2.x",  "r3.x", "r4.x",
                                        "hr1.x", "hr2.x", "hr3.x", "c0.x", "c4.x"};
    static const uint32_t values[] = {10, 20, 7, 0x3f800000, 0x40000000, 10, 7, 4, 100, 200};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        rig_set(rig, names[i], values[i]);
    rig_set(rig, "r5.x", 0x1000);
    static const unsigned char bytes[256] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
    assert_int_equal(gpucode_machine_store(rig->machine, 0x1000, bytes, sizeof bytes), GPUCODE_OK);
    rig_texture(rig, 0, 2, 1, (const uint32_t[]){0x40a00000, 0, 0, 0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000});
}

static uint32_t value_of(const char *text, const struct gpucode_setting *settings, const char *result)
{
    struct rig rig = rig_text(text, settings);
    set_inputs(&rig);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    uint32_t value = rig_get(&rig, result);
    rig_down(&rig);
    return value;
}

static void delays(void)
{
    /* the producer, its consumer, the slots between them, and what comes of one less */
    static const struct {
        const char *producer, *consumer;
        unsigned slots;
        const char *result;
        uint32_t good, early;
    } rows[] = {
        {"mov.s32s32 r0.x, 5", "add.s r6.x, r0.x, r1.x", 3, "r6.x", 15, 10},
        {"mov.s32s32 r0.x, 5", "add.s r6.x, r1.x, r0.x", 3, "r6.x", 15, 10},
        {"mov.s32s32 r2.x, 5", "mov.s32s32 r6.x, r2.x", 3, "r6.x", 5, 7},
        {"mov.s16s16 hr2.x, 5", "add.s hr6.x, hr2.x, hr1.x", 3, "hr6.x", 15, 17},
        {"add.s r2.x, r1.x, r1.x", "mad.u24 r6.x, r2.x, r1.x, r1.y", 3, "r6.x", 220, 90},
        {"add.s r2.x, r1.x, r1.x", "mad.u24 r6.x, r1.x, r2.x, r1.y", 3, "r6.x", 220, 90},
        {"add.s r2.x, r1.x, r1.x", "mad.u24 r6.x, r1.x, r1.y, r2.x", 1, "r6.x", 220, 207},
        {"add.s r2.x, r1.x, r1.x", "madsh.m16 r6.x, r0.x, r0.y, r2.x", 1, "r6.x", 20, 7},
        {"add.s r2.x, r1.x, r1.x", "sel.b32 r6.x, r1.x, r0.x, r2.x", 3, "r6.x", 20, 7},
        {"mul.f r3.x, r4.x, r4.x", "rcp r6.x, r3.x", 6, "r6.x", 0x3e800000, 0x3f800000},
        {"mov.s32s32 r0.x, 1", "isam (u32)(x)r6.x, r0.x, s#0, t#0", 6, "r6.x", 0x3f800000, 0x40a00000},
        {"mov.s32s32 r5.x, 0x1004", "ldg.u32 r6.x, g[r5.x], 1", 6, "r6.x", 2, 1},
        {"mov.s32s32 r2.x, 5", "stg.u32 g[r5.x+16], r2.x, 1\nldg.u32 r6.x, g[r5.x+16], 1", 6, "r6.x", 5, 7},
        {"cmps.s.lt p0.x, r1.x, r1.y", "br p0.x, #2\nmov.s32s32 r6.x, 1", 6, "r6.x", 0, 1},
        {"cmps.s.lt p0.x, r1.x, r1.y", "kill p0.x", 6, "killed", 1, 0},
        {"mova a0.x, hr3.x", "mov.s32s32 r6.x, c<a0.x>", 6, "r6.x", 0, 100},
        {"mova a0.x, hr3.x", "mov.s32s32 r<a0.x + 24>, r1.x", 6, "r6.x", 0, 10},
        /* steps of repeats count one by one: the last one written is read last */
        {"(rpt3)mov.s32s32 r0.x, r1.x", "(rpt3)add.s r6.x, (r)r0.x, r1.x", 3, "r6.w", 20, 20},
        {"(rpt1)mov.s32s32 r0.x, r1.x", "add.s r6.x, r0.x, r1.x", 2, "r6.x", 20, 10},
        {"(rpt3)mov.s32s32 r0.x, r1.x", "add.s r6.x, r0.w, r1.x", 3, "r6.x", 20, 10},
        {"mov.s32s32 r0.w, 5", "(rpt3)add.s r6.x, (r)r0.x, r1.x", 0, "r6.w", 15, 0},
        {"mov.s32s32 r0.z, 5", "(rpt3)add.s r6.x, (r)r0.x, r1.x", 1, "r6.z", 15, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned missing = 0; missing < 2 && missing <= rows[i].slots; missing++) {
            char text[400], nops[32] = "";
            if (rows[i].slots > missing)
                snprintf(nops, sizeof nops, "(rpt%u)nop\n", rows[i].slots - missing - 1);
            snprintf(text, sizeof text, "%s\n%s%s\nend\n", rows[i].producer, nops, rows[i].consumer);
            uint32_t want = missing ? rows[i].early : rows[i].good, got = value_of(text, strict, rows[i].result);
            if (got != want)
                fail_msg("%s is %08x, not %08x:\n%s", rows[i].result, got, want, text);
            assert_int_equal(value_of(text, NULL, rows[i].result), rows[i].good);
        }
}

static void units(void)
{
    static const struct {
        const char *text, *result;
        uint32_t plain, strict;
    } cases[] = {
        /* nothing is there before the right bit, however many slots pass */
        {"rcp r0.x, r4.x\n(rpt5)nop\n(rpt5)nop\nmov.f32f32 r6.x, r0.x\nend", "r6.x", 0x3f000000, 0},
        {"rcp r0.x, r4.x\n(sy)mov.f32f32 r6.x, r0.x\nend", "r6.x", 0x3f000000, 0},
        {"rcp r0.x, r4.x\n(ss)mov.f32f32 r6.x, r0.x\nend", "r6.x", 0x3f000000, 0x3f000000},
        {"rcp r0.x, r4.x\n(ss)nop\nmov.f32f32 r6.x, r0.x\nend", "r6.x", 0x3f000000, 0x3f000000},
        {"sam (f32)(yw)r6.x, r3.x, s#0, t#0\n(ss)nop\nmov.f32f32 r7.x, r6.w\nend", "r7.x", 0x40800000, 0},
        {"sam (f32)(yw)r6.x, r3.x, s#0, t#0\n(sy)mov.f32f32 r7.x, r6.w\nend", "r7.x", 0x40800000, 0x40800000},
        {"ldg.u32 r6.x, g[r5.x], 4\n(ss)mov.u32u32 r7.x, r6.w\nend", "r7.x", 4, 0},
        {"ldg.u32 r6.x, g[r5.x], 4\n(sy)mov.u32u32 r7.x, r6.w\nend", "r7.x", 4, 4},
        {"stl.u32 l[r5.x], r1.x, 1\nldl.u32 r6.x, l[r5.x], 1\n(sy)mov.u32u32 r7.x, r6.x\nend", "r7.x", 10, 0},
        {"stl.u32 l[r5.x], r1.x, 1\nldl.u32 r6.x, l[r5.x], 1\n(ss)mov.u32u32 r7.x, r6.x\nend", "r7.x", 10, 10},
        {"stp.u32 p[r5.x], r1.x, 1\nldp.u32 r6.x, p[r5.x], 1\n(ss)mov.u32u32 r7.x, r6.x\nend", "r7.x", 10, 0},
        {"(rpt1)rcp r6.x, (r)r3.w\n(ss)mov.f32f32 r7.x, r6.y\nend", "r7.x", 0x3f000000, 0x3f000000},
        /* the end shows all */
        {"rcp r6.x, r4.x\nend", "r6.x", 0x3f000000, 0x3f000000},
        {"sam (f32)(x)r6.x, r3.x, s#0, t#0\nend", "r6.x", 0x3f800000, 0x3f800000},
        {"mov.s32s32 r6.x, 5\nend", "r6.x", 5, 5},
        /* late results replace what was written meanwhile; of two the first one comes last */
        {"rcp r6.x, r4.x\nmov.s32s32 r6.x, 5\nend", "r6.x", 5, 0x3f000000},
        {"rcp r6.x, r4.x\nmov.s32s32 r6.x, 5\n(ss)nop\n(rpt3)nop\nmov.s32s32 r7.x, r6.x\nend", "r7.x", 5, 0x3f000000},
        {"rcp r6.x, r4.x\n(ss)mov.s32s32 r6.x, 5\nend", "r6.x", 5, 5},
        {"sam (f32)(x)r6.x, r3.x, s#0, t#0\nldg.u32 r6.x, g[r5.x], 1\nend", "r6.x", 1, 0x3f800000},
        {"sam (f32)(x)r6.x, r3.x, s#0, t#0\n(sy)nop\nldg.u32 r6.x, g[r5.x], 1\nend", "r6.x", 1, 1},
        {"rcp r6.x, r4.x\nldg.u32 r6.x, g[r5.x], 1\nend", "r6.x", 1, 0x3f000000},
        {"mov.s32s32 r6.x, 5\nrcp r6.x, r4.x\n(ss)mov.f32f32 r7.x, r6.x\nend", "r7.x", 0x3f000000, 0x3f000000},
        /* sources that change before they are read are read as they are then */
        {"rcp r6.x, r4.x\nmov.f32f32 r4.x, (4.0)\nend", "r6.x", 0x3f000000, 0x3e800000},
        {"rcp r6.x, r4.x\n(ss)mov.f32f32 r4.x, (4.0)\nend", "r6.x", 0x3f000000, 0x3f000000},
        {"(rpt1)rcp r6.x, (r)r3.w\nmov.f32f32 r4.x, (4.0)\nend", "r6.y", 0x3f000000, 0x3e800000},
        {"ldg.u32 r6.x, g[r5.x], 1\nadd.s r5.x, r5.x, 4\nend", "r6.x", 1, 2},
        {"ldg.u32 r6.x, g[r5.x], 1\n(ss)add.s r5.x, r5.x, 4\nend", "r6.x", 1, 1},
        {"mov.f32f32 r0.x, r4.x\nmova a0.x, 0\n(rpt5)nop\nrcp r6.x, r<a0.x>\nmov.f32f32 r0.x, (4.0)\nend", "r6.x",
         0x3f000000, 0x3e800000},
        {"stg.u32 g[r5.x], r1.x, 2\nmov.s32s32 r1.y, 5\n(ss)nop\nldg.u32 r6.x, g[r5.x], 2\nend", "r6.y", 20, 5},
        {"stg.u32 g[r5.x], r1.x, 2\n(ss)mov.s32s32 r1.y, 5\n(ss)nop\nldg.u32 r6.x, g[r5.x], 2\nend", "r6.y", 20, 20},
        {"rcp r6.x, r4.x\nsam (f32)(x)r4.x, r3.x, s#0, t#0\n(sy)nop\nend", "r6.x", 0x3f000000, 0x3f800000},
        {"isam (f32)(x)r6.x, r0.x, s#0, t#0\n(sy)nop\nmov.s32s32 r0.x, 9\nend", "r6.x", 0x40a00000, 0x40a00000},
        /* category 4 after category 4 needs nothing by the wiki page */
        {"rcp r0.x, r4.x\nrcp r6.x, r0.x\nend", "r6.x", 0x40000000, 0x40000000},
        {"rcp r6.x, r4.x\nrcp r6.x, r3.x\nend", "r6.x", 0x3f800000, 0x3f800000},
        /* calls and loops: time goes on */
        {"mov.s32s32 r0.x, 5\ncall #f\nend\nf: add.s r6.x, r0.x, r1.x\nret", "r6.x", 15, 10},
        {"mov.s32s32 r0.x, 5\ncall #f\nend\nf: nop\nnop\nadd.s r6.x, r0.x, r1.x\nret", "r6.x", 15, 15},
        {"mov.s32s32 r0.y, 3\n(rpt5)nop\nL: add.s r0.x, r0.x, 1\ncmps.s.lt p0.x, r0.x, r0.y\n(rpt5)nop\nbr p0.x, "
         "#L\nend",
         "r0.x", 3, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t plain = value_of(cases[i].text, NULL, cases[i].result);
        uint32_t got = value_of(cases[i].text, strict, cases[i].result);
        if (plain != cases[i].plain || got != cases[i].strict)
            fail_msg("%s is %08x and %08x, not %08x and %08x:\n%s", cases[i].result, plain, got, cases[i].plain,
                     cases[i].strict, cases[i].text);
    }
    assert_int_equal(value_of("rcp r0.x, r4.x\nrcp r6.x, r0.x\nend", all_wait, "r6.x"), 0x7f800000);
    assert_int_equal(value_of("rcp r6.x, r4.x\nrcp r6.x, r3.x\nend", all_wait, "r6.x"), 0x3f000000);
}

/* --- the machine's interface ------------------------------------------------------------------------------------- */

static const char busy[] =
    "mov.s32s32 r0.x, 5\nrcp r6.x, r4.x\nsam (f32)(x)r6.z, r3.x, s#0, t#0\nadd.s r0.y, r0.x, r1.x\n"
    "(ss)mov.f32f32 r6.y, r6.x\nmov.f32f32 r4.x, r3.x\n(sy)add.s r0.z, r0.x, r6.z\n"
    "stg.u32 g[r5.x], r0.x, 3\nadd.s r0.x, r0.x, 1\nend\n";
static const char *const shown[] = {"r0.x", "r0.y", "r0.z", "r6.x", "r6.y", "r6.z", "r4.x"};
enum { SHOWN = sizeof shown / sizeof *shown };

static void look(const struct rig *rig, uint32_t values[SHOWN + 2])
{
    for (unsigned i = 0; i < SHOWN; i++)
        values[i] = rig_get(rig, shown[i]);
    assert_int_equal(gpucode_machine_load(rig->machine, 0x1000, &values[SHOWN], 8), GPUCODE_OK);
}

/* Stopped anywhere, and brought back from anywhere, it goes on as if nothing had been. */
static void snapshots(void)
{
    uint32_t want[SHOWN + 2], got[SHOWN + 2];
    struct rig whole = rig_text(busy, strict);
    set_inputs(&whole);
    rig_run(&whole, GPUCODE_STOP_END, "a3xx-end");
    look(&whole, want);
    rig_down(&whole);
    for (unsigned at = 0; at < 10; at++) {
        struct rig rig = rig_text(busy, strict);
        struct gpucode_snapshot *snapshot;
        set_inputs(&rig);
        for (unsigned i = 0; i < at; i++)
            gpucode_machine_run(rig.machine, 1, &rig.stop);
        assert_int_equal(gpucode_machine_snapshot(rig.machine, &snapshot), GPUCODE_OK);
        for (unsigned round = 0; round < 3; round++) {
            rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
            look(&rig, got);
            assert_memory_equal(got, want, sizeof got);
            assert_int_equal(gpucode_machine_restore(rig.machine, snapshot), GPUCODE_OK);
            assert_int_equal(gpucode_machine_count(rig.machine), at);
        }
        gpucode_snapshot_free(snapshot);
        rig_down(&rig);
    }
}

struct seen {
    unsigned count;
    struct {
        uint64_t pc, number, value, old;
    } writes[16];
};

static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct seen *seen = user;
    (void)machine;
    assert_true(seen->count < 16);
    seen->writes[seen->count].pc = event->pc;
    seen->writes[seen->count].number = event->address;
    seen->writes[seen->count].value = event->value;
    seen->writes[seen->count++].old = event->old;
    return event->pc == 2;
}

/* Hooks hear of a late result when it comes; a register that the host writes is there at once. */
static void outside(void)
{
    struct seen seen = {0};
    struct rig rig = rig_text("rcp r6.x, r4.x\nmov.s32s32 r0.x, 5\n(ss)nop\nadd.s r0.y, r0.x, r1.x\nend", strict);
    set_inputs(&rig);
    rig_set(&rig, "r6.x", 3);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, see, &seen);
    rig_run(&rig, GPUCODE_STOP_HOOK, NULL);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.writes[0].pc, 1);
    assert_int_equal(seen.writes[1].pc, 2);
    assert_int_equal(seen.writes[1].number, 24);
    assert_int_equal(seen.writes[1].value, 0x3f000000);
    assert_int_equal(seen.writes[1].old, 3);
    assert_int_equal(rig_get(&rig, "r0.x"), 5); /* issued, though nothing could read it yet */
    rig_set(&rig, "r0.x", 6);
    gpucode_machine_hook(rig.machine, 0, NULL, NULL);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    assert_int_equal(rig_get(&rig, "r0.y"), 16);
    rig_down(&rig);
    /* the new address is outside of the memory: the load stops the machine where the address changed */
    rig = rig_text("ldg.u32 r6.x, g[r5.x], 1\nmov.s32s32 r5.x, 0x1ff00000\nend", strict);
    set_inputs(&rig);
    rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-memory");
    assert_int_equal(rig.stop.pc, 1);
    rig_down(&rig);
    /* more instructions than there are places for: the first ones have read their sources, the last have not */
    char text[4096] = "";
    for (unsigned i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "rcp r%u.%c, r4.x\n", 6 + i / 4, "xyzw"[i % 4]);
    strcat(text, "mov.f32f32 r4.x, (4.0)\nend\n");
    assert_int_equal(value_of(text, strict, "r6.x"), 0x3f000000);
    assert_int_equal(value_of(text, strict, "r15.w"), 0x3e800000);
}

static bool note_const(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    if (event->space == GPUCODE_A3XX_CONST)
        *(uint64_t *)user = event->address;
    return false;
}

/* Hooks are told of the register that is read, by the a0.x that the instruction sees. */
static void uses(void)
{
    static const struct {
        const char *text;
        const struct gpucode_setting *settings;
        uint64_t number;
    } cases[] = {
        {"mova a0.x, 4\n(rpt4)nop\nmov.u32u32 r6.x, c<a0.x>\nend", NULL, 4},
        {"mova a0.x, 4\n(rpt4)nop\nmov.u32u32 r6.x, c<a0.x>\nend", strict, 0},
        {"mova a0.x, 4\n(rpt5)nop\nmov.u32u32 r6.x, c<a0.x>\nend", strict, 4},
        /* the last const, and one more, which reads as 0 and is not told of */
        {"mova a0.x, hr1.x\n(rpt5)nop\nmov.u32u32 r6.x, c<a0.x - 1>\nend", read_as_zero, 2047},
        {"mova a0.x, hr1.x\n(rpt5)nop\nmov.u32u32 r6.x, c<a0.x>\nend", read_as_zero, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t number = UINT64_MAX;
        struct rig rig = rig_text(cases[i].text, cases[i].settings);
        rig_set(&rig, "hr1.x", 2048);
        gpucode_machine_hook(rig.machine, GPUCODE_EVENT_USE, note_const, &number);
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        assert_int_equal(number, cases[i].number);
        rig_down(&rig);
    }
}

/* Threads of a group do as each of them would alone, on paths of their own. */
static void groups(void)
{
    static const char text[] =
        "mov.s32s32 r1.y, 20\ncmps.s.lt p0.x, r0.x, r2.x\nrcp r6.x, r3.x\n(rpt5)nop\nbr p0.x, #odd\n"
        "mov.f32f32 r6.y, r6.x\n(ss)add.s r0.y, r1.y, r0.x\njump #join\n"
        "odd: (ss)mov.f32f32 r6.y, r6.x\nadd.s r0.z, r6.x, r0.x\n"
        "join: (jp)add.s r7.x, r0.z, r6.y\nstl.u32 l[r0.w], r7.x, 1\nadd.s r7.x, r0.x, 1\nend\n";
    static const char *const names[] = {"r6.x", "r6.y", "r0.y", "r0.z", "r7.x"};
    static const struct gpucode_setting group[] = {{"a3xx-timing", "strict"}, {"a3xx-threads", "4"}, {NULL, NULL}};
    struct rig together = rig_text(text, group);
    uint32_t differ = 0;
    for (unsigned i = 0; i < 4; i++) {
        rig_set_of(&together, i, "r0.x", i);
        rig_set_of(&together, i, "r0.w", 4 * i);
        rig_set_of(&together, i, "r2.x", 2);
        rig_set_of(&together, i, "r3.x", bits_of((float)(i + 1)));
    }
    rig_run(&together, GPUCODE_STOP_END, "a3xx-end");
    for (unsigned i = 0; i < 4; i++) {
        struct rig alone = rig_text(text, strict), plain = rig_text(text, NULL);
        struct rig *rigs[] = {&alone, &plain};
        for (unsigned k = 0; k < 2; k++) {
            rig_set(rigs[k], "r0.x", i);
            rig_set(rigs[k], "r0.w", 4 * i);
            rig_set(rigs[k], "r2.x", 2);
            rig_set(rigs[k], "r3.x", bits_of((float)(i + 1)));
            rig_run(rigs[k], GPUCODE_STOP_END, "a3xx-end");
        }
        for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
            assert_int_equal(rig_get_of(&together, i, names[k]), rig_get(&alone, names[k]));
            differ += rig_get(&alone, names[k]) != rig_get(&plain, names[k]);
        }
        rig_down(&alone);
        rig_down(&plain);
    }

    assert_true(differ >= 2);
    rig_down(&together);
}

/* What a quad looks at is there when the instruction waits for it, in the first of its threads as in the last. */
static void quads(void)
{
    static const struct {
        const char *text;
        uint32_t strict, plain;
    } rows[] = {
        {"ldg.f32 r6.x, g[r5.x], 1\n(sy)dsx (f32)(x)r7.x, r6.x\nend", 0x40400000, 0x40400000},
        {"ldg.f32 r6.x, g[r5.x], 1\ndsx (f32)(x)r7.x, r6.x\nend", 0, 0x40400000},
        {"mul.f r6.x, r3.x, r3.x\n(rpt5)nop\ndsx (f32)(x)r7.x, r6.x\nend", 0x40400000, 0x40400000},
        {"mul.f r6.x, r3.x, r3.x\n(rpt4)nop\ndsx (f32)(x)r7.x, r6.x\nend", 0, 0x40400000},
        /* thread 1 waits for its own on another path, so that thread 0 sees what its register has */
        {"ldg.f32 r6.x, g[r5.x], 1\nbr p0.x, #other\n(sy)dsx (f32)(x)r7.x, r6.x\nend\n"
         "other: (jp)(sy)nop\nend",
         0xbf800000, 0x40400000},
    };
    static const struct gpucode_setting quad[] = {{"a3xx-threads", "4"}, {NULL, NULL}};
    static const struct gpucode_setting strict_quad[] = {
        {"a3xx-timing", "strict"}, {"a3xx-threads", "4"}, {NULL, NULL}};
    static const unsigned char memory[] = {0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x40, 0, 0, 0, 0x41, 0, 0, 0, 0x40};
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
        struct rig rig = rig_text(rows[i / 2].text, i % 2 ? strict_quad : quad);
        assert_int_equal(gpucode_machine_store(rig.machine, 0x1000, memory, sizeof memory), GPUCODE_OK);
        for (unsigned k = 0; k < 4; k++) {
            rig_set_of(&rig, k, "r3.x", bits_of((float)(k + 1)));
            rig_set_of(&rig, k, "r5.x", 0x1000 + 4 * k);
            rig_set_of(&rig, k, "p0.x", k == 1);
        }
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        assert_int_equal(rig_get(&rig, "r7.x"), i % 2 ? rows[i / 2].strict : rows[i / 2].plain);
        rig_down(&rig);
    }
}

TESTS(strict, delays, units, snapshots, outside, groups, uses, quads)
