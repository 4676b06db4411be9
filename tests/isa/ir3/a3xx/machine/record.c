/* SPDX-License-Identifier: MIT */
/*
 * What the public record says of an instruction against what the machine does, for generated, compiled and example
 * shaders: it writes and uses no register and no memory that the record lacks, it writes all registers that are known
 * for certain, and control goes where the record says.
 */
#include "generate.h"
#include "running.h"
#include "shaders.h"

#include <gpucode/a3xx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS 60
#define LIMIT 20000
#define REGISTERS 2048
#define SPACES (GPUCODE_SPACE_COUNT + 16)

/* Registers by space and number; `any`: one of the space, not known which. */
struct set {
    bool has[SPACES][REGISTERS], any[SPACES];
};

struct watch {
    const unsigned char *bytes;
    size_t size;
    bool begun, memory_read, memory_write;
    struct gpucode_insn insn; /* the one that runs */
    struct gpucode_flow flow;
    struct set read, certain, written, seen; /* by the record; by the machine */
    unsigned checked;
};

static void put_effect(struct set *set, const struct gpucode_effect *effect)
{
    assert_true(effect->space < SPACES);
    if (!effect->known)
        set->any[effect->space] = true;
    for (unsigned i = 0; effect->known && i < effect->count; i++)
        if ((!effect->mask || effect->mask >> i & 1) && effect->number + i < REGISTERS)
            set->has[effect->space][effect->number + i] = true;
}

static void fail_at(const struct watch *watch, const char *what, unsigned space, uint64_t number)
{
    char text[GPUCODE_TEXT_MAX];
    gpucode_format(&watch->insn, NULL, text, sizeof text, NULL);
    fail_msg("%u: %s: %s %u of space %u", (unsigned)watch->insn.address, text, what, (unsigned)number, space);
}

static void look_at_record(struct watch *watch, uint64_t pc)
{
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    memset(&watch->read, 0, sizeof watch->read);
    memset(&watch->certain, 0, sizeof watch->certain);
    memset(&watch->written, 0, sizeof watch->written);
    memset(&watch->seen, 0, sizeof watch->seen);
    watch->memory_read = watch->memory_write = false;
    assert_true((pc + 1) * 8 <= watch->size);
    assert_int_equal(gpucode_decode(target_named("a3xx"), watch->bytes + 8 * pc, 8, pc, &watch->insn), GPUCODE_OK);
    assert_true(gpucode_insn_flow(&watch->insn, &watch->flow));
    unsigned count = gpucode_insn_effects(&watch->insn, effects, GPUCODE_EFFECTS_MAX);
    assert_true(count <= GPUCODE_EFFECTS_MAX);
    for (unsigned i = 0; i < count; i++) {
        if (effects[i].kind == GPUCODE_EFFECT_MEMORY) {
            watch->memory_read |= effects[i].use & GPUCODE_USE_READ;
            watch->memory_write |= effects[i].use & GPUCODE_USE_WRITE;
            continue;
        }
        if (effects[i].use & GPUCODE_USE_READ)
            put_effect(&watch->read, &effects[i]);
        if (effects[i].use & GPUCODE_USE_WRITE)
            put_effect(&watch->written, &effects[i]);
        if (effects[i].use & GPUCODE_USE_WRITE && effects[i].known && !effects[i].maybe)
            put_effect(&watch->certain, &effects[i]);
    }
}

static void check_flow(const struct watch *watch, uint64_t pc)
{
    uint64_t next = watch->insn.address + 1, target = watch->flow.target;
    bool right = false;
    switch (watch->flow.kind) {
    case GPUCODE_FLOW_NEXT:
        right = pc == next;
        break;
    case GPUCODE_FLOW_BRANCH:
        right = watch->flow.known && (pc == next || pc == target);
        break;
    case GPUCODE_FLOW_JUMP:
    case GPUCODE_FLOW_CALL:
        right = watch->flow.known && pc == target;
        break;
    case GPUCODE_FLOW_RETURN:
        right = true;
        break;
    default:
        break;
    }
    if (!right)
        fail_at(watch, "control goes to", 0, pc);
}

/* Behind an instruction: everything that it writes for certain was seen. */
static void check_writes(const struct watch *watch)
{
    for (unsigned space = 0; space < SPACES; space++)
        for (unsigned i = 0; i < REGISTERS; i++)
            if (watch->certain.has[space][i] && !watch->seen.has[space][i] && space != GPUCODE_A3XX_FLAGS)
                fail_at(watch, "does not write", space, i);
}

static bool check_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct watch *watch = user;
    (void)machine;
    switch (event->kind) {
    case GPUCODE_EVENT_INSN:
        if (watch->begun) {
            check_flow(watch, event->pc);
            check_writes(watch);
        }
        look_at_record(watch, event->pc);
        watch->begun = true;
        watch->checked++;
        break;
    case GPUCODE_EVENT_WRITE:
        watch->seen.has[event->space][event->address] = true;
        if (!watch->written.has[event->space][event->address] && !watch->written.any[event->space])
            fail_at(watch, "writes", event->space, event->address);
        break;
    case GPUCODE_EVENT_USE:
        if (!watch->read.has[event->space][event->address] && !watch->read.any[event->space])
            fail_at(watch, "reads", event->space, event->address);
        break;
    case GPUCODE_EVENT_MEM_READ:
        if (!watch->memory_read)
            fail_at(watch, "reads memory", 0, event->address);
        break;
    default:
        if (!watch->memory_write)
            fail_at(watch, "writes memory", 0, event->address);
        break;
    }
    return false;
}

/* Numbers that most shaders can do something with. */
static void give_inputs(struct rig *rig, uint64_t seed)
{
    static const uint32_t texels[4 * 4 * 4];
    unsigned char bytes[4096];
    for (uint32_t i = 0; i < 48; i++) {
        uint32_t value =
            i < 24 && next_random(&seed) % 2 ? bits_of((float)(next_random(&seed) % 97) / 8) : next_random(&seed) % 8;
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_FULL, i, value);
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_HALF, i, value & (i < 12 ? 0xffff : 7));
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_CONST, i, value);
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_VARYING, i, value);
    }
    rig_set(rig, "r7.z", 0x1000);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)next_random(&seed);
    assert_int_equal(gpucode_machine_store(rig->machine, 0x1000, bytes, sizeof bytes), GPUCODE_OK);
    for (unsigned unit = 0; unit < 4; unit++)
        rig_texture(rig, unit, 4, 4, texels);
}

static unsigned run_watched(const void *bytes, size_t size, uint64_t seed)
{
    static const struct gpucode_setting settings[] = {{"a3xx-out-of-range", "zero"},
                                                      {"a3xx-unmapped", "map"},
                                                      {"a3xx-derivative", "zero"},
                                                      {"a3xx-saturate", "all"},
                                                      {NULL, NULL}};
    struct rig rig = rig_bytes(bytes, size, settings);
    struct watch *watch = calloc(1, sizeof *watch);
    assert_non_null(watch);
    watch->bytes = bytes;
    watch->size = size;
    give_inputs(&rig, seed);
    gpucode_machine_hook(rig.machine,
                         GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_USE | GPUCODE_EVENT_MEM_READ |
                             GPUCODE_EVENT_MEM_WRITE,
                         check_event, watch);
    gpucode_machine_run(rig.machine, LIMIT, &rig.stop);
    if (rig.stop.reason == GPUCODE_STOP_END) {
        check_writes(watch);
        assert_int_equal(watch->flow.kind, GPUCODE_FLOW_STOP);
    }
    unsigned checked = watch->checked;
    free(watch);
    rig_down(&rig);
    return checked;
}

static void generated_shaders(void)
{
    static char text[GENERATE_ROOM];
    unsigned checked = 0;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct generate how = {.seed = i + 1, .relative = i % 2, .padded = i % 3 == 0, .statements = 24};
        struct assembled assembled;
        generate(&how, text);
        assemble_text(&assembled, text, "a3xx");
        assert_int_equal(assembled.status, GPUCODE_OK);
        checked += run_watched(gpucode_program_bytes(assembled.program), gpucode_program_size(assembled.program), i);
        gpucode_program_free(assembled.program);
    }
    assert_true(checked > 10 * PROGRAMS);
}

static void visit_shader(void *user, const char *folder, const char *name, const char *bytes, size_t size)
{
    (void)folder;
    (void)name;
    *(unsigned *)user += run_watched(bytes, size / 8 * 8, 1);
}

static void compiled_shaders(void)
{
    unsigned checked = 0;
    if (!(shaders_each("shaders", visit_shader, &checked) + shaders_each("execution", visit_shader, &checked)))
        skip();
    assert_true(checked > 0);
}

static void example_shaders(void)
{
    static const char *const names[] = {"planet", "floor", "early"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        size_t size;
        snprintf(path, sizeof path, "%s/examples/a3xx/%s.asm", SOURCE_ROOT, names[i]);
        char *text = read_whole(path, &size);
        struct assembled assembled;
        assert_non_null(text);
        assemble_bytes(&assembled, text, size, &(struct gpucode_asm_options){.target = target_named("a3xx")});
        assert_int_equal(assembled.status, GPUCODE_OK);
        assert_true(run_watched(gpucode_program_bytes(assembled.program), gpucode_program_size(assembled.program), i));
        gpucode_program_free(assembled.program);
        free(text);
    }
}

/* Forms that few shaders have, each alone. */
static void single_forms(void)
{
    static const char *const texts[] = {
        "(rpt3)add.f r0.x, (r)r4.x, c8.x\nend\n",
        "mova a0.x, 2\n(rpt5)nop\nmov.f32f32 r<a0.x + 4>, r1.x\nmov.f32f32 r2.x, c<a0.x + 3>\nend\n",
        "(rpt1)bary.f r0.x, (r)2, r2.x\nend\n",
        "cmps.s.eq p0.y, r0.x, r0.x\n(rpt5)nop\nbr p0.y, #l\nnop\nl: kill p0.y\nend\n",
        "call #f\nend\nf: mov.f16f16 hr1.x, hr2.x\nret\n",
        "sam (f32)(xw)r0.x, r1.x, s#0, t#1\nsamgq (f16)(y)hr0.x, r1.x, s#0, t#0\nend\n",
        "isam.s2en (u32)(xyzw)r8.x, r1.x, hr3.x\nend\n",
        "getsize (u32)(xy)r0.x, r3.x, t#0\ngetinfo (u32)(z)r0.x, t#0\ndsx (f32)(xz)r0.x, r1.x\nend\n",
        "mov.u32u32 r0.x, 64\nldl.u32 r1.x, l[r0.x+4], 3\nstl.u32 l[r0.x-4],r1.x, 2\nend\n",
        "mov.u32u32 r0.x, 64\natomic.add.l.untyped.1d.u32.1 r3.x, l[r0.x], r1.x, r2.x\nend\n",
        "rcp r0.z, r0.w\ncov.f32u16 hr0.x, r0.z\nadd.s r63.x, r1.x, 1\nend\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct assembled assembled;
        assemble_text(&assembled, texts[i], "a3xx");
        if (assembled.status != GPUCODE_OK)
            fail_msg("%s%s", texts[i], heard_text(&assembled.heard));
        assert_true(run_watched(gpucode_program_bytes(assembled.program), gpucode_program_size(assembled.program), i) >
                    1);
        gpucode_program_free(assembled.program);
    }
}

TESTS(record, generated_shaders, compiled_shaders, example_shaders, single_forms)
