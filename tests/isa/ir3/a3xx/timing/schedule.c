/* SPDX-License-Identifier: MIT */
/* Scheduling: what is put in and taken out, and that all shaders come out legal and no longer than they were. */
#include "assembling.h"
#include "shaders.h"

#include <gpucode/schedule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gpucode_image *open_bytes(const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    return image;
}

/* Schedules in one go; the bytes are the caller's. */
static struct gpucode_scheduled schedule(const void *bytes, size_t size, enum gpucode_strip strip, bool reorder)
{
    struct gpucode_schedule_options options = {.strip = strip, .reorder = reorder};
    struct gpucode_scheduled scheduled;
    struct gpucode_image *image = open_bytes(bytes, size);
    assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_OK);
    gpucode_image_free(image);
    return scheduled;
}

static unsigned findings(const void *bytes, size_t size)
{
    struct gpucode_image *image = open_bytes(bytes, size);
    unsigned count;
    assert_int_equal(gpucode_lint(image, NULL, &count), GPUCODE_OK);
    gpucode_image_free(image);
    return count;
}

static const struct program {
    enum gpucode_strip strip;
    bool reorder;
    const char *text, *scheduled;
} programs[] = {
    /* delays: three slots, one for the third source of mad, six for special functions */
    {GPUCODE_STRIP_NOTHING, false, "add.f r0.x, r1.x, r1.y\nadd.f r0.y, r0.x, r1.x\nend",
     "add.f r0.x, r1.x, r1.y\n(rpt2)nop\nadd.f r0.y, r0.x, r1.x\nend"},
    {GPUCODE_STRIP_NOTHING, false, "mul.f r0.x, r1.x, r1.y\nmad.f32 r0.x, r1.x, r1.y, r0.x\nend",
     "mul.f r0.x, r1.x, r1.y\nnop\nmad.f32 r0.x, r1.x, r1.y, r0.x\nend"},
    {GPUCODE_STRIP_NOTHING, false, "mul.f r0.x, r1.x, r1.y\nnop\nrcp r0.y, r0.x\nend",
     "mul.f r0.x, r1.x, r1.y\n(rpt5)nop\nrcp r0.y, r0.x\nend"},
    /* sync bits; textures have no (ss), so that a nop or the instruction before has it */
    {GPUCODE_STRIP_NOTHING, false, "rcp r0.x, r1.x\nadd.f r0.y, r0.x, r1.y\nend",
     "rcp r0.x, r1.x\n(ss)add.f r0.y, r0.x, r1.y\nend"},
    {GPUCODE_STRIP_NOTHING, false, "sam (f32)(x)r0.x, r1.x, s#0, t#0\nadd.f r0.y, r0.x, r2.y\nend",
     "sam (f32)(x)r0.x, r1.x, s#0, t#0\n(sy)add.f r0.y, r0.x, r2.y\nend"},
    {GPUCODE_STRIP_NOTHING, false, "rcp r0.x, r1.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend",
     "rcp r0.x, r1.x\n(ss)nop\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend"},
    {GPUCODE_STRIP_NOTHING, false, "rcp r0.x, r1.x\nmov.f32f32 r4.x, c0.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend",
     "rcp r0.x, r1.x\n(ss)mov.f32f32 r4.x, c0.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0\nend"},
    {GPUCODE_STRIP_NOTHING, false, "rcp r0.x, r1.x\nmov.f32f32 r1.x, c0.x\nend",
     "rcp r0.x, r1.x\n(ss)mov.f32f32 r1.x, c0.x\nend"},
    /* registers reached through a0.x may be any; a0.x itself needs six slots */
    {GPUCODE_STRIP_NOTHING, false, "mova a0.x, hr0.x\nmov.f32f32 r2.x, c0.x\nmov.f32f32 r0.x, r<a0.x + 4>\nend",
     "mova a0.x, hr0.x\nmov.f32f32 r2.x, c0.x\n(rpt4)nop\nmov.f32f32 r0.x, r<a0.x + 4>\nend"},
    /* a loop: the nops stand where all paths come through, marked, and branches are fixed */
    {GPUCODE_STRIP_NOTHING, false, "(jp)add.f r0.y, r0.x, r1.x\nbr p0.x, #3\nadd.f r0.x, r1.x, r1.y\njump #-3\nend",
     "(jp)(rpt1)nop\nadd.f r0.y, r0.x, r1.x\nbr p0.x, #3\nadd.f r0.x, r1.x, r1.y\njump #-4\n(jp)end"},
    /* taking out: nops and sync bits without use, marks move on; those on the first instruction stay */
    {GPUCODE_STRIP_NEEDLESS, false,
     "(sy)(ss)nop\nadd.f r0.x, r1.x, r1.y\n(jp)(rpt5)nop\n(ss)add.f r0.y, r0.x, r1.x\nbr p0.x, #-2\nend\nnop\nnop",
     "(sy)(ss)add.f r0.x, r1.x, r1.y\n(jp)(rpt2)nop\nadd.f r0.y, r0.x, r1.x\nbr p0.x, #-2\nend\nnop\nnop\nnop"},
    {GPUCODE_STRIP_ALL, false, "(sy)(ss)nop\nadd.f r0.x, r1.x, r1.y\n(rpt2)nop\n(sy)add.f r0.y, r0.x, r1.x\nend\nnop",
     "add.f r0.x, r1.x, r1.y\nadd.f r0.y, r0.x, r1.x\nend"},
    /* reordering: work moves into the delay; the one with (ei) stays last, stores keep their order */
    {GPUCODE_STRIP_NOTHING, true,
     "add.f r0.x, r1.x, r1.y\n(rpt2)nop\nadd.f r0.y, r0.x, r1.x\nadd.f r2.x, r1.x, r1.y\nadd.f r2.y, r1.x, r1.z\n"
     "add.f r2.z, r1.x, r1.w\nend",
     "add.f r0.x, r1.x, r1.y\nadd.f r2.x, r1.x, r1.y\nadd.f r2.y, r1.x, r1.z\nadd.f r2.z, r1.x, r1.w\n"
     "add.f r0.y, r0.x, r1.x\nend"},
    {GPUCODE_STRIP_NOTHING, true,
     "stg.f32 g[r1.x], r1.y, 1\nadd.f r0.x, r2.x, r2.y\n(rpt2)nop\nadd.f r0.y, r0.x, r2.x\nldg.f32 r3.x, g[r1.x], "
     "1\nend",
     NULL},
    {GPUCODE_STRIP_NOTHING, true,
     "bary.f r0.x, 0, r5.x\n(rpt2)nop\nadd.f r1.x, r0.x, r0.x\nbary.f r0.y, 1, r5.x\nbary.f (ei)r0.z, 2, r5.x\nend",
     NULL},
};

/* The text is the caller's. */
static void text_of(const void *bytes, size_t size, char **text)
{
    struct gpucode_image *image = open_bytes(bytes, size);
    struct gpucode_disasm_options options = {0};
    size_t length;
    assert_int_equal(gpucode_disassemble(image, &options, text, &length), GPUCODE_OK);
    gpucode_image_free(image);
}

static void own_programs(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const struct program *program = &programs[i];
        struct assembled in, want;
        assemble_text(&in, program->text, "a3xx");
        assert_int_equal(in.status, GPUCODE_OK);
        struct gpucode_scheduled scheduled = schedule(
            gpucode_program_bytes(in.program), gpucode_program_size(in.program), program->strip, program->reorder);
        if (program->strip != GPUCODE_STRIP_ALL)
            assert_int_equal(findings(scheduled.bytes, scheduled.size), 0);
        if (program->scheduled) {
            assemble_text(&want, program->scheduled, "a3xx");
            assert_int_equal(want.status, GPUCODE_OK);
            char *got, *wanted;
            text_of(scheduled.bytes, scheduled.size, &got);
            text_of(gpucode_program_bytes(want.program), gpucode_program_size(want.program), &wanted);
            assert_string_equal(got, wanted);
            free(got);
            free(wanted);
            gpucode_program_free(want.program);
        }
        gpucode_scheduled_free(&scheduled);
        gpucode_program_free(in.program);
    }
}

static bool keeps_order(const char *text)
{
    if (strstr(text, "stg"))
        return strstr(strstr(text, "stg"), "ldg") != NULL;
    return strstr(text, "(ei)") && !strstr(strstr(text, "(ei)"), "bary");
}

/* Effects that no register shows keep their order. */
static void order(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (programs[i].scheduled)
            continue;
        struct assembled in;
        assemble_text(&in, programs[i].text, "a3xx");
        struct gpucode_scheduled scheduled =
            schedule(gpucode_program_bytes(in.program), gpucode_program_size(in.program), GPUCODE_STRIP_NOTHING, true);
        assert_true(scheduled.slots < scheduled.slots_before);
        char *text;
        text_of(scheduled.bytes, scheduled.size, &text);
        assert_true(keeps_order(text));
        free(text);
        gpucode_scheduled_free(&scheduled);
        gpucode_program_free(in.program);
    }
}

static void refusals(void)
{
    static const struct text_case cases[] = {
        {".insn 0xe0000000_00000000\nend", "schedule-word:0:0"},
        {"br p0.x, #9\nend", "schedule-target:0:0"},
    };
    struct gpucode_scheduled scheduled;
    struct heard heard;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled in;
        assemble_text(&in, cases[i].text, "a3xx");
        struct gpucode_image *image = open_bytes(gpucode_program_bytes(in.program), gpucode_program_size(in.program));
        struct gpucode_schedule_options options = {.on_diagnostic = listen(&heard)};
        assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_ERROR_INPUT);
        assert_null(scheduled.bytes);
        assert_string_equal(heard_text(&heard), cases[i].expected);
        gpucode_image_free(image);
        gpucode_program_free(in.program);
    }
    /* a branch just in reach, over code that grows */
    size_t count = 32767;
    uint64_t *words = calloc(count + 1, sizeof *words);
    assert_non_null(words);
    struct assembled in;
    assemble_text(&in, "br p0.x, #32767\nmul.f r0.x, r0.x, r0.x\nend", "a3xx");
    uint64_t three[3];
    assert_int_equal(gpucode_program_size(in.program), sizeof three);
    memcpy(three, gpucode_program_bytes(in.program), sizeof three);
    words[0] = three[0];
    for (size_t i = 1; i < count; i++)
        words[i] = three[1];
    words[count] = three[2];
    struct gpucode_image *image = open_bytes(words, (count + 1) * sizeof *words);
    struct gpucode_schedule_options options = {.on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard_text(&heard), "schedule-reach:0:0");
    assert_int_equal(gpucode_schedule(NULL, NULL, &scheduled), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_schedule(image, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    gpucode_image_free(image);
    gpucode_program_free(in.program);
    free(words);
    assert_int_equal(gpucode_image_open("", 0, NULL, &image), GPUCODE_OK);
    assert_int_equal(gpucode_schedule(image, NULL, &scheduled), GPUCODE_ERROR_UNSUPPORTED);
    gpucode_image_free(image);
}

struct tally {
    unsigned shaders, fit[2];
    unsigned long slots, slots_before, saved[2];
};

static void try_shader(struct tally *tally, const char *name, const void *bytes, size_t size)
{
    struct gpucode_scheduled bare = schedule(bytes, size, GPUCODE_STRIP_ALL, false);
    tally->shaders++;
    tally->slots_before += bare.slots_before;
    assert_int_equal(bare.sync_bits, 0);
    for (unsigned reorder = 0; reorder < 2; reorder++) {
        struct gpucode_scheduled done = schedule(bare.bytes, bare.size, GPUCODE_STRIP_NOTHING, reorder);
        struct gpucode_scheduled kept = schedule(bytes, size, GPUCODE_STRIP_NEEDLESS, reorder);
        if (findings(done.bytes, done.size) || done.slots > bare.slots_before)
            printf("%s: %u slots, %u before, %u findings\n", name, done.slots, bare.slots_before,
                   findings(done.bytes, done.size));
        assert_int_equal(findings(done.bytes, done.size), 0);
        assert_int_equal(findings(kept.bytes, kept.size), 0);
        assert_true(kept.slots <= bare.slots_before);
        tally->fit[reorder] += done.slots <= bare.slots_before;
        tally->saved[reorder] += bare.slots_before - kept.slots;
        gpucode_scheduled_free(&done);
        gpucode_scheduled_free(&kept);
    }
    /* legal code stays as it is */
    struct gpucode_scheduled same = schedule(bytes, size, GPUCODE_STRIP_NOTHING, false);
    tally->slots += same.slots;
    assert_true(same.slots == bare.slots_before);
    gpucode_scheduled_free(&same);
    gpucode_scheduled_free(&bare);
}

static void visit_shader(void *user, const char *folder, const char *name, const char *bytes, size_t size)
{
    (void)folder;
    try_shader(user, name, bytes, size);
}

static void shaders(void)
{
    struct tally tally = {0};
    if (shaders_each("shaders", visit_shader, &tally) + shaders_each("execution", visit_shader, &tally) == 0) {
        skip();
        return;
    }
    printf("%u shaders, %lu slots; stripped and scheduled again no longer than before: %u (%.1f %%), reordered %u "
           "(%.1f %%);"
           " needless slots %lu, with reordering %lu\n",
           tally.shaders, tally.slots_before, tally.fit[0], 100.0 * tally.fit[0] / tally.shaders, tally.fit[1],
           100.0 * tally.fit[1] / tally.shaders, tally.saved[0], tally.saved[1]);
    assert_true(tally.fit[0] * 10 >= tally.shaders * 9);
    assert_true(tally.fit[1] * 10 >= tally.shaders * 9);
}

TESTS(schedule, own_programs, order, refusals, shaders)
