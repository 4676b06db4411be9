/* SPDX-License-Identifier: MIT */
/* The estimate of time: slots, waits and their sums, on small shaders with latencies of their own. */
#include "running.h"

#include <gpucode/a3xx.h>
#include <string.h>

static const struct gpucode_setting latencies[] = {{"a3xx-latency-special", "20"}, {"a3xx-latency-local", "30"},
                                                   {"a3xx-latency-texture", "40"}, {"a3xx-latency-global", "50"},
                                                   {"a3xx-latency-private", "60"}, {NULL, NULL}};

static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    gpucode_a3xx_cycles_see(user, event);
    return false;
}

static struct gpucode_a3xx_cycles *count(const char *text, const struct gpucode_setting *settings, const char *width,
                                         uint64_t *slots)
{
    struct gpucode_setting group[] = {{"a3xx-threads", width}, {NULL, NULL}};
    struct rig rig = rig_text(text, width ? group : NULL);
    struct gpucode_a3xx_cycles *cycles;
    assert_int_equal(gpucode_a3xx_cycles_open(rig.image, settings, &cycles), GPUCODE_OK);
    rig_texture(&rig, 0, 1, 1, (const uint32_t[]){1, 2, 3, 4});
    assert_int_equal(gpucode_machine_map(rig.machine, 0, 4096), GPUCODE_OK);
    for (unsigned i = 0; gpucode_machine_processor(rig.machine, i); i++)
        rig_set_of(&rig, i, "r9.x", i);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, see, cycles);
    rig_run(&rig, GPUCODE_STOP_END, "a3xx-end");
    *slots = gpucode_machine_time(rig.machine);
    rig_down(&rig);
    return cycles;
}

static void waits(void)
{
    static const struct {
        const char *text;
        unsigned at;
        uint64_t runs, slots, ss, sy; /* of that instruction */
    } cases[] = {
        {"(rpt3)nop\nend", 0, 1, 4, 0, 0},
        {"rcp r0.x, r1.x\n(ss)mov.f32f32 r2.x, r0.x\nend", 1, 1, 1, 20, 0},
        {"(rpt1)rcp r0.x, r1.x\n(rpt3)nop\n(ss)mov.f32f32 r2.x, r0.x\nend", 2, 1, 1, 16, 0},
        {"rcp r0.x, r1.x\n(rpt5)nop\n(rpt5)nop\n(rpt5)nop\n(rpt5)nop\n(ss)mov.f32f32 r2.x, r0.x\nend", 5, 1, 1, 0, 0},
        {"rcp r0.x, r1.x\n(sy)mov.f32f32 r2.x, r0.x\nend", 1, 1, 1, 0, 0},
        {"rcp r0.x, r1.x\n(ss)nop\n(ss)nop\nend", 2, 1, 1, 0, 0},
        {"ldl.u32 r0.x, l[r1.x], 1\nrcp r2.x, r1.x\n(ss)nop\nend", 2, 1, 1, 29, 0},
        {"sam (f32)(x)r0.x, r1.x, s#0, t#0\n(sy)nop\nend", 1, 1, 1, 0, 40},
        {"ldg.u32 r0.x, g[r1.x], 1\n(sy)nop\nend", 1, 1, 1, 0, 50},
        {"ldp.u32 r0.x, p[r1.x], 1\n(sy)nop\nend", 1, 1, 1, 0, 60},
        {"stg.u32 g[r1.x], r0.x, 1\n(ss)(sy)nop\nend", 1, 1, 1, 0, 0}, /* nothing comes back */
        {"rcp r2.x, r1.x\nsam (f32)(x)r0.x, r1.x, s#0, t#0\n(ss)(sy)nop\nend", 2, 1, 1, 19, 21},
        {"mov.s32s32 r0.x, 0\n(rpt5)nop\nL: rcp r1.x, r2.x\n(ss)add.s r0.x, r0.x, 1\n(rpt2)nop\n"
         "cmps.s.lt p0.x, r0.x, 3\n(rpt5)nop\nbr p0.x, #L\nend",
         3, 3, 3, 60, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t slots;
        struct gpucode_a3xx_cycles *cycles = count(cases[i].text, latencies, NULL, &slots);
        struct gpucode_a3xx_cost cost = gpucode_a3xx_cycles_of(cycles, cases[i].at);
        if (cost.runs != cases[i].runs || cost.slots != cases[i].slots || cost.ss != cases[i].ss ||
            cost.sy != cases[i].sy || cost.threads != cost.runs)
            fail_msg("%llu runs, %llu slots, %llu and %llu waits:\n%s", (unsigned long long)cost.runs,
                     (unsigned long long)cost.slots, (unsigned long long)cost.ss, (unsigned long long)cost.sy,
                     cases[i].text);
        struct gpucode_a3xx_cost all = gpucode_a3xx_cycles_of(cycles, UINT64_MAX), sum = {0};
        unsigned units = 1; /* lines: what is after them would be all again */
        for (const char *at = cases[i].text; (at = strchr(at, '\n')); at++)
            units++;
        for (unsigned k = 0; k < units; k++) {
            cost = gpucode_a3xx_cycles_of(cycles, k);
            sum.slots += cost.slots;
            sum.ss += cost.ss;
            sum.sy += cost.sy;
        }
        assert_int_equal(all.slots, slots);
        assert_int_equal(sum.slots, slots);
        assert_true(sum.ss == all.ss && sum.sy == all.sy);
        gpucode_a3xx_cycles_free(cycles);
    }
}

/* Threads that go together are one issue, and wait together; those that part are more. */
static void groups(void)
{
    uint64_t slots;
    struct gpucode_a3xx_cycles *cycles =
        count("rcp r0.x, r1.x\ncmps.s.lt p0.x, r9.x, 2\n(ss)(rpt5)nop\nbr p0.x, #over\n(rpt1)nop\nover: (jp)end",
              latencies, "4", &slots);
    struct gpucode_a3xx_cost cost = gpucode_a3xx_cycles_of(cycles, 0);
    assert_true(cost.runs == 1 && cost.threads == 4);
    cost = gpucode_a3xx_cycles_of(cycles, 2);
    assert_true(cost.runs == 1 && cost.slots == 6 && cost.ss == 19);
    cost = gpucode_a3xx_cycles_of(cycles, 4);
    assert_true(cost.runs == 1 && cost.slots == 2 && cost.threads == 2);
    assert_int_equal(gpucode_a3xx_cycles_of(cycles, UINT64_MAX).slots, slots);
    gpucode_a3xx_cycles_free(cycles);
}

static void refusals(void)
{
    static const struct gpucode_setting much[] = {{"a3xx-latency-texture", "1000001"}, {NULL, NULL}};
    struct gpucode_a3xx_cycles *cycles;
    struct gpucode_image *other;
    struct rig rig = rig_text("end", NULL);
    uint32_t slots;
    assert_int_equal(gpucode_a3xx_cycles_open(NULL, NULL, &cycles), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_a3xx_cycles_open(rig.image, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_a3xx_cycles_open(rig.image, much, &cycles), GPUCODE_ERROR_RANGE);
    assert_null(cycles);
    assert_int_equal(gpucode_image_open("", 0, NULL, &other), GPUCODE_OK);
    assert_int_equal(gpucode_a3xx_cycles_open(other, NULL, &cycles), GPUCODE_ERROR_UNSUPPORTED);
    gpucode_image_free(other);
    assert_int_equal(gpucode_a3xx_cycles_open(rig.image, NULL, &cycles), GPUCODE_OK);
    assert_string_equal(gpucode_a3xx_cycles_latency(cycles, 0, &slots), "special");
    assert_int_equal(slots, 10);
    assert_string_equal(gpucode_a3xx_cycles_latency(cycles, 4, &slots), "private");
    assert_null(gpucode_a3xx_cycles_latency(cycles, 5, &slots));
    gpucode_a3xx_cycles_see(cycles, &(struct gpucode_event){.kind = GPUCODE_EVENT_INSN, .pc = 99});
    gpucode_a3xx_cycles_see(cycles, &(struct gpucode_event){.kind = GPUCODE_EVENT_WRITE, .pc = 0});
    assert_int_equal(gpucode_a3xx_cycles_of(cycles, 0).runs, 0);
    gpucode_a3xx_cycles_free(cycles);
    gpucode_a3xx_cycles_free(NULL);
    rig_down(&rig);
}

TESTS(cycles, waits, groups, refusals)
