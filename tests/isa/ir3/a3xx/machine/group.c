/* SPDX-License-Identifier: MIT */
/* Groups of threads: who runs what and when, where paths part and meet, and what threads share. */
#include "running.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- rigs -------------------------------------------------------------------------------------------------------- */

/* A group of `width` threads; `more` is another setting, or its name is null. */
static struct rig group_text(const char *text, unsigned width, const char *name, const char *value)
{
    char number[8];
    snprintf(number, sizeof number, "%u", width);
    const struct gpucode_setting settings[] = {{"a3xx-threads", number}, {name, value}, {NULL, NULL}};
    return rig_text(text, settings);
}

/* r0.x is the thread's number. */
static void number_threads(struct rig *rig)
{
    for (unsigned i = 0; gpucode_machine_processor(rig->machine, i); i++)
        rig_set_of(rig, i, "r0.x", i);
}

static uint64_t counter_of(const struct rig *rig, const char *name)
{
    struct gpucode_counter counter;
    for (unsigned i = 0; gpucode_machine_counter(rig->machine, i, &counter); i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    fail_msg("no counter %s", name);
    return 0;
}

/* --- order ------------------------------------------------------------------------------------------------------- */

/* Instructions as they run: "pc:threads" for each issue. */
struct path {
    char text[2000];
    size_t length;
    uint64_t time;
};

static bool follow(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct path *path = user;
    (void)machine;
    bool same = path->length && event->time == path->time; /* an issue has one time */
    path->time = event->time;
    char *at = path->text + path->length;
    size_t room = sizeof path->text - path->length;
    if (same)
        path->length += (size_t)snprintf(at, room, ",%u", event->processor);
    else
        path->length +=
            (size_t)snprintf(at, room, "%s%" PRIu64 ":%u", path->length ? " " : "", event->pc, event->processor);
    return false;
}

static void expect_path(const char *text, unsigned width, const char *rule, const char *expected, uint64_t slots,
                        uint64_t thread_slots, uint64_t parted)
{
    /* with and without anybody who looks; as a whole, one by one, or with a stop before each instruction */
    for (unsigned way = 0; way < 5; way++) {
        struct path path = {.length = 0};
        struct rig rig = group_text(text, width, "a3xx-reconvergence", rule);
        bool hooked = way & 1;
        number_threads(&rig);
        if (hooked)
            gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, follow, &path);
        for (unsigned pc = 0; way == 4 && gpucode_machine_break(rig.machine, 1, pc, true) == GPUCODE_OK; pc++)
            ;
        struct gpucode_stop stop = {way < 2 ? GPUCODE_STOP_END : GPUCODE_STOP_LIMIT};
        while (stop.reason == GPUCODE_STOP_LIMIT || stop.reason == GPUCODE_STOP_BREAKPOINT)
            gpucode_machine_run(rig.machine, way < 4 ? 1 : 1000, &stop);
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        if (hooked)
            assert_string_equal(path.text, expected);
        assert_int_equal(gpucode_machine_time(rig.machine), slots);
        assert_int_equal(counter_of(&rig, "thread-slots"), thread_slots);
        assert_int_equal(counter_of(&rig, "parted-slots"), parted);
        rig_down(&rig);
    }
}

static void order(void)
{
    static const char *const rules[] = {"calls", "least", "marks"};
    static const char branch[] = "and.b r1.x, r0.x, 1\ncmps.u.ne p0.x, r1.x, 0\nbr p0.x, #odd\nadd.u r2.x, r2.x, 1\n"
                                 "jump #done\nodd: (jp)add.u r2.x, r2.x, 2\ndone: (jp)add.u r2.x, r2.x, 4\nend\n";
    static const char loop[] = "add.u r1.x, r0.x, 1\nloop: (jp)add.u r2.x, r2.x, 2\nsub.s r1.x, r1.x, 1\n"
                               "cmps.s.gt p0.x, r1.x, 0\nbr p0.x, #loop\n(jp)end\n";
    for (unsigned i = 0; i < 3; i++) {
        expect_path(branch, 4, rules[i], "0:0,1,2,3 1:0,1,2,3 2:0,1,2,3 3:0,2 4:0,2 5:1,3 6:0,1,2,3 7:0,1,2,3", 8, 26,
                    3);
        expect_path(loop, 3, rules[i],
                    "0:0,1,2 1:0,1,2 2:0,1,2 3:0,1,2 4:0,1,2 1:1,2 2:1,2 3:1,2 4:1,2 1:2 2:2 3:2 4:2 5:0,1,2", 14, 30,
                    8);
    }
    /* a function after the code: whoever is in it comes back before the others go on */
    static const char call[] = "cmps.u.eq p0.x, r0.x, 0\nbr p0.x, #skip\ncall #f\nskip: (jp)nop\nend\n"
                               "f: (jp)add.u r2.x, r2.x, 1\nret\n";
    expect_path(call, 2, "calls", "0:0,1 1:0,1 2:1 5:1 6:1 3:0,1 4:0,1", 7, 11, 3);
    expect_path(call, 2, "least", "0:0,1 1:0,1 2:1 3:0 4:0 5:1 6:1 3:1 4:1", 9, 11, 3);
    /* without its mark a place where paths meet does not make them one */
    static const char unmarked[] = "cmps.u.eq p0.x, r0.x, 0\nbr p0.x, #skip\n(rpt1)nop\nskip: add.u r2.x, r0.x, 3\n"
                                   "(jp)nop\nend\n";
    expect_path(unmarked, 3, "calls", "0:0,1,2 1:0,1,2 2:1,2 3:0,1,2 4:0,1,2 5:0,1,2", 7, 19, 2);
    expect_path(unmarked, 3, "marks", "0:0,1,2 1:0,1,2 2:1,2 3:0 3:1,2 4:0,1,2 5:0,1,2", 8, 19, 4);
}

/* --- what comes out ---------------------------------------------------------------------------------------------- */

static void widths(void)
{
    static const unsigned all[] = {1, 2, 3, 4, 5, 64, 1024};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct rig rig = group_text("and.b r1.x, r0.x, 3\ncmps.u.eq p0.x, r1.x, 2\nbr !p0.x, #out\n"
                                    "cmps.u.gt p0.y, r0.x, 7\nbr p0.y, #far\nadd.u r2.x, r2.x, 1\n"
                                    "far: (jp)add.u r2.x, r2.x, 2\nkill p0.y\nout: (jp)add.u r2.x, r2.x, r0.x\nend\n",
                                    all[k], NULL, NULL);
        number_threads(&rig);
        char last[8];
        snprintf(last, sizeof last, "%u", all[k] - 1);
        assert_string_equal(gpucode_machine_processor(rig.machine, all[k] - 1), last);
        assert_null(gpucode_machine_processor(rig.machine, all[k]));
        rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
        uint64_t ran = 0;
        for (unsigned i = 0; i < all[k]; i++) {
            bool inner = i % 4 == 2, far = inner && i > 7;
            assert_int_equal(rig_get_of(&rig, i, "r2.x"), i + (inner ? far ? 2 : 3 : 0));
            assert_int_equal(rig_get_of(&rig, i, "killed"), far);
            assert_int_equal(rig_get_of(&rig, i, "ended"), 1);
            ran += inner ? far ? 9 : 10 : 5;
        }
        assert_int_equal(gpucode_machine_count(rig.machine), ran);
        struct gpucode_counter counter;
        assert_int_equal(gpucode_machine_counter(rig.machine, 0, &counter), all[k] > 1);
        if (all[k] > 1)
            assert_int_equal(counter_of(&rig, "thread-slots"), ran);
        rig_down(&rig);
    }
}

static void refused_widths(void)
{
    static const char *const wrong[] = {"0", "1025", "99999999999999999999"}, *const codes[] = {"a3xx-policy",
                                                                                                "a3xx-policy",
                                                                                                "policy-value"};
    struct rig rig = group_text("end\n", 1, NULL, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct heard heard = {0};
        struct gpucode_setting settings[] = {{"a3xx-threads", wrong[i]}, {NULL, NULL}};
        struct gpucode_machine_options options = {.policies = settings, .on_diagnostic = listen(&heard)};
        struct gpucode_machine *machine;
        assert_int_equal(gpucode_machine_create(rig.image, &options, &machine), GPUCODE_ERROR_INPUT);
        assert_string_equal(heard.said[0].code, codes[i]);
    }
    rig_down(&rig);
}

static void functions(void)
{
    /* each thread calls as deep as its number says, and some leave a function on a way of their own */
    struct rig rig = group_text("add.u r1.x, r0.x, 0\ncall #f\nadd.u r3.x, r3.x, 1\nend\n"
                                "f: (jp)add.u r2.x, r2.x, 1\ncmps.u.eq p0.x, r1.x, 0\nbr p0.x, #leave\n"
                                "sub.u r1.x, r1.x, 1\ncall #f\nadd.u r2.y, r2.y, 1\nleave: (jp)ret\n",
                                6, NULL, NULL);
    number_threads(&rig);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(rig_get_of(&rig, i, "r2.x"), i + 1);
        assert_int_equal(rig_get_of(&rig, i, "r2.y"), i);
        assert_int_equal(rig_get_of(&rig, i, "r3.x"), 1);
    }
    rig_down(&rig);
}

/* --- quads ------------------------------------------------------------------------------------------------------- */

static void derivatives(void)
{
    /* r0.x is 3 x + 10 y + 100 quad; the derivatives replace their own sources */
    static const char text[] = "dsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r0.x, r0.x\nend\n";
    for (unsigned width = 4; width <= 64; width += 20) {
        struct rig rig = group_text(text, width, NULL, NULL);
        for (unsigned i = 0; i < width; i++)
            rig_set_of(&rig, i, "r0.x", bits_of((float)(3 * (i & 1) + 10 * (i >> 1 & 1) + (100 + i / 4) * (i / 4))));
        rig_run(&rig, GPUCODE_STOP_END, NULL);
        for (unsigned i = 0; i < width; i++) {
            assert_int_equal(rig_get_of(&rig, i, "r1.x"), bits_of(3));
            assert_int_equal(rig_get_of(&rig, i, "r0.x"), bits_of(10));
        }
        rig_down(&rig);
    }
    /* a quad whose thread 0 has ended and whose thread 2 is on another path: what their registers hold counts */
    struct rig rig = group_text("cmps.u.eq p0.x, r2.x, 0\nbr !p0.x, #on\nend\non: (jp)cmps.u.eq p0.x, r2.x, 2\n"
                                "br p0.x, #wait\ndsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r1.y, r0.x\n"
                                "wait: (jp)add.f r0.x, r0.x, r0.x\nend\n",
                                8, NULL, NULL);
    for (unsigned i = 0; i < 8; i++) {
        rig_set_of(&rig, i, "r0.x", bits_of((float)(1u << i)));
        rig_set_of(&rig, i, "r2.x", i % 4);
    }
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    for (unsigned i = 0; i < 8; i++) {
        bool derived = i & 1;
        float scale = i / 4 ? 16 : 1;
        assert_int_equal(rig_get_of(&rig, i, "r1.x"), derived ? bits_of(scale) : 0);
        assert_int_equal(rig_get_of(&rig, i, "r1.y"), derived ? bits_of(3 * scale) : 0);
    }
    rig_down(&rig);
}

/* From and to each width; the source is 2 x + 4 y. */
static void derivatives_of_halves(void)
{
    static const uint32_t numbers[] = {0, 0x4000, 0x4400, 0x4600};
    for (unsigned width = 4; width <= 64; width += 60) {
        struct rig rig =
            group_text("dsx (f32)(x)r1.x, hr0.x\ndsy (f32)(x)r1.y, hr0.x\ndsx (f16)(x)hr1.x, r0.x\n"
                       "dsy (f16)(x)hr1.y, r0.x\ndsx (f16)(x)hr1.z, hr0.x\ndsy (f16)(x)hr1.w, hr0.x\nend\n",
                       width, NULL, NULL);
        for (unsigned i = 0; i < width; i++) {
            rig_set_of(&rig, i, "r0.x", bits_of((float)(2 * (i & 1) + 4 * (i >> 1 & 1))));
            rig_set_of(&rig, i, "hr0.x", numbers[i % 4]);
        }
        rig_run(&rig, GPUCODE_STOP_END, NULL);
        for (unsigned i = 0; i < width; i++) {
            assert_int_equal(rig_get_of(&rig, i, "r1.x"), bits_of(2));
            assert_int_equal(rig_get_of(&rig, i, "r1.y"), bits_of(4));
            assert_int_equal(rig_get_of(&rig, i, "hr1.x"), 0x4000);
            assert_int_equal(rig_get_of(&rig, i, "hr1.y"), 0x4400);
            assert_int_equal(rig_get_of(&rig, i, "hr1.z"), 0x4000);
            assert_int_equal(rig_get_of(&rig, i, "hr1.w"), 0x4400);
        }
        rig_down(&rig);
    }
}

static void torn_quads(void)
{
    /* width 6: the second quad has no lower row */
    struct rig rig = group_text("dsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r2.x, r0.x\nend\n", 6, NULL, NULL);
    for (unsigned i = 0; i < 6; i++)
        rig_set_of(&rig, i, "r0.x", bits_of((float)(i * i)));
    rig_run(&rig, GPUCODE_STOP_UNKNOWN, "a3xx-quad");
    assert_int_equal(rig.stop.processor, 4);
    assert_int_equal(rig.stop.pc, 1);
    assert_int_equal(rig_get_of(&rig, 5, "r1.x"), bits_of(9));
    assert_int_equal(rig_get_of(&rig, 3, "r2.x"), bits_of(4));
    rig_down(&rig);
    rig = group_text("dsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r2.x, r0.x\nend\n", 6, "a3xx-derivative", "zero");
    for (unsigned i = 0; i < 6; i++) {
        rig_set_of(&rig, i, "r0.x", bits_of((float)(i * i)));
        rig_set_of(&rig, i, "r2.x", 77);
    }
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(rig_get_of(&rig, 3, "r2.x"), bits_of(4));
    assert_int_equal(rig_get_of(&rig, 5, "r2.x"), 0);
    rig_down(&rig);
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void memory(void)
{
    /* each thread leaves its number, takes that of its neighbour, and counts; private memory is its own */
    struct rig rig =
        group_text("shl.b r1.x, r0.x, 2\nstl.u32 l[r1.x], r0.x, 1\nxor.b r1.y, r0.x, 1\nshl.b r1.y, r1.y, 2\n"
                   "ldl.u32 r2.x, l[r1.y], 1\natomic.add.l.untyped.1d.u32.1 r2.y, l[r3.x], r3.y, r63.x\n"
                   "stp.u32 p[r3.z], r0.x, 1\nldp.u32 r2.z, p[r3.z], 1\n"
                   "atomic.add.g.untyped.1d.u32.1 r2.w, g[0], r0.x, 0, r4.x\nend\n",
                   64, NULL, NULL);
    number_threads(&rig);
    assert_int_equal(gpucode_machine_map(rig.machine, 0x1000, 4), GPUCODE_OK);
    for (unsigned i = 0; i < 64; i++) {
        rig_set_of(&rig, i, "r3.x", 0x4000);
        rig_set_of(&rig, i, "r3.y", i + 1);
        rig_set_of(&rig, i, "r3.z", 0x8000);
        rig_set_of(&rig, i, "r4.x", 0x1000);
    }
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(rig_get_of(&rig, i, "r2.x"), i ^ 1);
        assert_int_equal(rig_get_of(&rig, i, "r2.y"), i * (i + 1) / 2); /* in the order of the threads */
        assert_int_equal(rig_get_of(&rig, i, "r2.z"), i);
        assert_int_equal(rig_get_of(&rig, i, "r2.w"), i ? i * (i - 1) / 2 : 0);
    }
    rig_down(&rig);
}

/* --- stops ------------------------------------------------------------------------------------------------------- */

static void faults(void)
{
    /* thread 2 stores outside of memory: 0 and 1 have run the instruction, 3 has not */
    struct rig rig =
        group_text("mov.u32u32 r1.x, 5\nstg.u32 g[r0.y], r1.x, 1\nmov.u32u32 r1.x, 6\nend\n", 4, NULL, NULL);
    assert_int_equal(gpucode_machine_map(rig.machine, 0, 4096), GPUCODE_OK);
    rig_set_of(&rig, 2, "r0.y", 0x10000);
    rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-memory");
    assert_int_equal(rig.stop.processor, 2);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(gpucode_machine_pc(rig.machine, i), i < 2 ? 2 : 1);
    assert_int_equal(gpucode_machine_count(rig.machine), 6);
    /* mended, it goes on where it stood */
    rig_set_of(&rig, 2, "r0.y", 0x100);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(gpucode_machine_time(rig.machine), 4);
    assert_int_equal(counter_of(&rig, "thread-slots"), 16);
    assert_int_equal(rig_get_of(&rig, 3, "r1.x"), 6);
    rig_down(&rig);
    rig = group_text("br p0.x, #1000\nend\n", 3, NULL, NULL); /* after the code */
    rig_set_of(&rig, 1, "p0.x", 1);
    rig_run(&rig, GPUCODE_STOP_FAULT, "a3xx-run-off");
    assert_int_equal(rig.stop.processor, 1);
    assert_int_equal(rig_get_of(&rig, 2, "ended"), 1);
    rig_down(&rig);
}

static void breakpoints(void)
{
    struct rig rig = group_text("mov.u32u32 r1.x, 5\nmov.u32u32 r1.y, 6\nmov.u32u32 r1.z, 7\nend\n", 40, NULL, NULL);
    assert_int_equal(gpucode_machine_break(rig.machine, 3, 1, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(rig.machine, 3, 1, true), GPUCODE_OK); /* twice is once */
    assert_int_equal(gpucode_machine_break(rig.machine, 33, 1, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(rig.machine, 7, 2, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(rig.machine, 7, 2, false), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(rig.machine, 40, 1, true), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_break(rig.machine, 0, 4, true), GPUCODE_ERROR_RANGE);
    rig_run(&rig, GPUCODE_STOP_BREAKPOINT, NULL);
    assert_int_equal(rig.stop.processor, 3);
    assert_int_equal(rig.stop.pc, 1);
    assert_int_equal(rig_get_of(&rig, 2, "r1.y"), 6);
    assert_int_equal(rig_get_of(&rig, 3, "r1.y"), 0);
    rig_run(&rig, GPUCODE_STOP_BREAKPOINT, NULL);
    assert_int_equal(rig.stop.processor, 33);
    /* what stopped a thread is forgotten when it has gone on, breakpoint or not */
    assert_int_equal(gpucode_machine_break(rig.machine, 33, 1, false), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(rig.machine, 33, 2, true), GPUCODE_OK);
    rig_run(&rig, GPUCODE_STOP_BREAKPOINT, NULL);
    assert_int_equal(rig.stop.processor, 33);
    assert_int_equal(rig.stop.pc, 2);
    assert_int_equal(gpucode_machine_set_pc(rig.machine, 33, 1), GPUCODE_OK);
    rig_run(&rig, GPUCODE_STOP_BREAKPOINT, NULL);
    assert_int_equal(rig.stop.pc, 2);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(rig_get_of(&rig, i, "r1.z"), 7);
    rig_down(&rig);
}

static void single_steps(void)
{
    struct rig rig = group_text("add.u r1.x, r1.x, 1\nadd.u r1.x, r1.x, 1\nend\n", 4, NULL, NULL);
    gpucode_machine_run(rig.machine, 2, &rig.stop); /* 0 and 1 of the first instruction */
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_LIMIT);
    assert_int_equal(gpucode_machine_time(rig.machine), 1);
    assert_int_equal(gpucode_machine_step(rig.machine, 3, &rig.stop), 1); /* takes its turn by itself */
    assert_int_equal(rig_get_of(&rig, 3, "r1.x"), 1);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig_get_of(&rig, i, "r1.x"), 2);
    rig_down(&rig);
}

static bool stop_at_second(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)user;
    (void)machine;
    return event->processor == 1;
}

static void hooks(void)
{
    struct rig rig = group_text("mov.u32u32 r1.x, 5\nend\n", 3, NULL, NULL);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, stop_at_second, NULL);
    rig_run(&rig, GPUCODE_STOP_HOOK, NULL);
    assert_int_equal(rig.stop.processor, 1);
    assert_int_equal(gpucode_machine_pc(rig.machine, 1), 1);
    assert_int_equal(gpucode_machine_pc(rig.machine, 2), 0);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, stop_at_second, NULL);
    rig_run(&rig, GPUCODE_STOP_HOOK, NULL);
    assert_int_equal(rig.stop.pc, 1);
    assert_int_equal(rig.stop.processor, 1);
    rig_run(&rig, GPUCODE_STOP_END, NULL);
    assert_int_equal(gpucode_machine_time(rig.machine), 2);
    rig_down(&rig);
}

static void snapshots(void)
{
    struct rig rig = group_text(
        "dsx (f32)(x)r0.y, r0.y\natomic.add.l.untyped.1d.u32.1 r2.y, l[r3.x], r0.x, r63.x\nend\n", 8, NULL, NULL);
    number_threads(&rig);
    for (unsigned i = 0; i < 8; i++)
        rig_set_of(&rig, i, "r0.y", bits_of((float)(i * i)));
    for (unsigned cut = 0; cut <= 24; cut++) { /* between any two threads, in the middle of a quad's derivative too */
        struct gpucode_snapshot *start, *middle;
        assert_int_equal(gpucode_machine_snapshot(rig.machine, &start), GPUCODE_OK);
        assert_int_equal(gpucode_machine_run(rig.machine, cut, &rig.stop), cut);
        assert_int_equal(gpucode_machine_snapshot(rig.machine, &middle), GPUCODE_OK);
        for (unsigned again = 0; again < 2; again++) {
            rig_run(&rig, GPUCODE_STOP_END, NULL);
            assert_int_equal(gpucode_machine_time(rig.machine), 3);
            assert_int_equal(gpucode_machine_count(rig.machine), 24);
            for (unsigned i = 0; i < 8; i++) {
                assert_int_equal(rig_get_of(&rig, i, "r0.y"), bits_of(i < 4 ? 1 : 9));
                assert_int_equal(rig_get_of(&rig, i, "r2.y"), i ? i * (i - 1) / 2 : 0);
            }
            assert_int_equal(gpucode_machine_restore(rig.machine, middle), GPUCODE_OK);
        }
        assert_int_equal(gpucode_machine_restore(rig.machine, start), GPUCODE_OK);
        gpucode_snapshot_free(middle);
        gpucode_snapshot_free(start);
    }
    rig_down(&rig);
}

TESTS(group, order, widths, refused_widths, functions, derivatives, derivatives_of_halves, torn_quads, memory, faults,
      breakpoints, single_steps, hooks, snapshots)
