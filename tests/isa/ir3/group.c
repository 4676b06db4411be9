/* SPDX-License-Identifier: MIT */
/*
 * A group of 64 fibers is 64 runs of one, bit by bit: random programs with divergence, loops, predication, calls,
 * memory and half registers; with a hook and without; and 16 quads where fibers look at their neighbours.
 */
#include "assembling.h"

#include "isa/ir3/machine/state.h"
#include "isa/ir3/machine/values.h"
#include "machine/machine.h"

#include <gpucode/ir3.h>
#include <stdio.h>
#include <string.h>

#define FIBERS 64
#define REGISTERS 48 /* r0.x to r11.w; halves lie in r12 to r15 where files are merged */
#define PROGRAMS 60
#define ROOM 32768
#define OWN 256 /* bytes of memory of a fiber */

struct writer {
    uint64_t seed;
    char text[ROOM];
    size_t used;
    unsigned labels, depth;
    bool quads, padded, old;
};

static unsigned below(struct writer *writer, unsigned count)
{
    return next_random(&writer->seed) % count;
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(writer->text + writer->used, ROOM - writer->used, format, list);
    va_end(list);
    assert_true(length >= 0 && (size_t)length < ROOM - writer->used);
    writer->used += (size_t)length;
}

/* A register that programs use freely, in one of a few buffers. */
static const char *name(struct writer *writer, bool half)
{
    static char names[8][16];
    static unsigned next;
    unsigned number = half ? 96 + below(writer, 32) : below(writer, REGISTERS);
    char *text = names[next++ % 8];
    snprintf(text, 16, "%sr%u.%c", half ? "h" : "", number / 4, "xyzw"[number % 4]);
    return text;
}

static void pad(struct writer *writer)
{
    if (!writer->old && !writer->padded && below(writer, 8) == 0)
        put(writer, "(nop%u)add.f r47.x, r47.y, r47.z\n", 1 + below(writer, 3));
    if (writer->padded)
        put(writer, "(ss)(sy)(rpt5)nop\n");
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

#define PICK(writer, list) (list)[below(writer, sizeof(list) / sizeof *(list))]

static void arithmetic(struct writer *writer)
{
    static const char *const two[] = {"add.f",     "mul.f",     "max.f", "min.f",   "add.s",     "sub.u",
                                      "and.b",     "xor.b",     "shl.b", "ashr.b",  "mull.u",    "min.s",
                                      "mul.s24",   "getbit.b",  "max.u", "mul.u24", "cmps.f.lt", "cmps.u.ne",
                                      "cmpv.s.ge", "cmpv.f.le", "or.b",  "add.u"};
    static const char *const one[] = {"floor.f",  "rndne.f", "bfrev.b", "clz.s",
                                      "absneg.f", "not.b",   "sign.f",  "cbits.b"};
    static const char *const three[] = {"mad.f32", "mad.u24", "madsh.m16", "sel.b32", "sel.f32", "sel.s32", "sad.s32"};
    static const char *const later[] = {"shrm", "shlg", "andg", "dp4acc.mixed.low", "mad.f32"};
    static const char *const halves[] = {"mad.f16", "sel.b16", "mad.s16", "sad.s16"};
    static const char *const special[] = {"rcp", "rsq", "log2", "exp2", "sqrt", "sin", "cos"};
    static const char *const marks[] = {"", "", "(neg)", "(abs)"};
    bool half = below(writer, 3) == 0;
    const char *repeat = below(writer, 6) == 0 && !writer->padded ? "(rpt1)" : ""; /* which may read its own result */
    switch (below(writer, 8)) {
    case 0:
        put(writer, "%s %s, %s\n", PICK(writer, one), name(writer, half), name(writer, half));
        break;
    case 1:
        if (half)
            put(writer, "%s %s, %s, %s, %s\n", PICK(writer, halves), name(writer, true), name(writer, true),
                name(writer, true), name(writer, true));
        else
            put(writer, "%s %s, %s, %s, %s\n",
                writer->old || below(writer, 2) ? PICK(writer, three) : PICK(writer, later), name(writer, false),
                name(writer, false), name(writer, false), name(writer, false));
        break;
    case 2:
        put(writer, "%s %s, %s\n", PICK(writer, special), name(writer, half), name(writer, half));
        break;
    case 3:
        put(writer, "%scov.%s %s, %s\n", repeat, half ? "f16f32" : "u16u32", name(writer, false), name(writer, true));
        break;
    case 4:
        put(writer, "cov.%s %s, %s\n", half ? "f32f16" : "s32s16", name(writer, true), name(writer, false));
        break;
    case 5:
        put(writer, "(sat)add.f %s, %s%s, c%u.%c\n", name(writer, false), PICK(writer, marks), name(writer, false),
            below(writer, 4), "xyzw"[below(writer, 4)]);
        break;
    default:
        put(writer, "%s%s %s, %s, %s\n", repeat, PICK(writer, two), name(writer, half), name(writer, half),
            name(writer, half));
        break;
    }
}

/* Each fiber has its own part of memory, whose address is in r60.x and r60.y, and its private memory. */
static void memory(struct writer *writer)
{
    unsigned offset = 4 * below(writer, OWN / 4);
    switch (below(writer, 4)) {
    case 0:
        put(writer, "ldg.u32 %s, g[r60.x+%u], 1\n", name(writer, false), offset);
        break;
    case 1:
        put(writer, "stg.u32 g[r60.x+%u], %s, 1\n", offset, name(writer, false));
        break;
    case 2:
        put(writer, "ldp.u32 %s, p[r60.z+%u], 1\n", name(writer, false), offset);
        break;
    default:
        put(writer, "stp.u32 p[r60.z+%u], %s, 1\n", offset, name(writer, false));
        break;
    }
}

static void relative(struct writer *writer)
{
    put(writer, "and.b r32.x, %s, 31\n(rpt5)nop\ncov.u32s16 hr60.x, r32.x\n(rpt5)nop\nmova a0.x, hr60.x\n(rpt5)nop\n",
        name(writer, false));
    switch (below(writer, 3)) {
    case 0:
        put(writer, "mov.u32u32 %s, r<a0.x + %u>\n", name(writer, false), below(writer, 8));
        break;
    case 1:
        put(writer, "mov.u32u32 r<a0.x + %u>, %s\n", below(writer, 8), name(writer, false));
        break;
    default:
        put(writer, "mov.u32u32 %s, c<a0.x + %u>\n", name(writer, false), below(writer, 8));
        break;
    }
}

static void neighbours(struct writer *writer)
{
    static const char *const looks[] = {"dsx (f32)(x)", "dsy (f32)(x)", "quad_shuffle.horiz (u32)(x)",
                                        "quad_shuffle.vert (u32)(x)", "quad_shuffle.diag (u32)(x)"};
    put(writer, "%s%s, %s\n", looks[below(writer, writer->old ? 2 : 5)], name(writer, false), name(writer, false));
}

static void instruction(struct writer *writer)
{
    pad(writer);
    switch (below(writer, 10)) {
    case 0:
        memory(writer);
        break;
    case 1:
        relative(writer);
        break;
    case 2:
        if (writer->quads)
            neighbours(writer);
        else
            put(writer, "bary.f %s, %u, r61.x\n", name(writer, false), below(writer, 4));
        break;
    default:
        arithmetic(writer);
        break;
    }
}

static void some(struct writer *writer)
{
    for (unsigned i = 1 + below(writer, 4); i-- > 0;)
        instruction(writer);
}

static void block(struct writer *writer);

static void branch(struct writer *writer)
{
    unsigned label = ++writer->labels;
    pad(writer);
    put(writer, "cmps.s.lt p0.x, %s, %s\n(rpt5)nop\nbr %sp0.x, #else%u\n", name(writer, false), name(writer, false),
        below(writer, 2) ? "!" : "", label);
    block(writer);
    pad(writer);
    put(writer, "jump #end%u\nelse%u: (jp)nop\n", label, label);
    block(writer);
    pad(writer);
    put(writer, "end%u: (jp)nop\n", label);
}

/* As often as three bits of a register say. */
static void loop(struct writer *writer)
{
    unsigned label = ++writer->labels, counter = 160 + writer->depth; /* r40.x and on */
    char of[8];
    snprintf(of, sizeof of, "r%u.%c", counter / 4, "xyzw"[counter % 4]);
    pad(writer);
    put(writer, "and.b %s, %s, 3\n(rpt5)nop\nloop%u: (jp)nop\n", of, name(writer, false), label);
    block(writer);
    pad(writer);
    put(writer, "sub.s %s, %s, 1\n(rpt5)nop\ncmps.s.ge p0.y, %s, 0\n(rpt5)nop\nbr p0.y, #loop%u\n(jp)nop\n", of, of, of,
        label);
}

static void predicated(struct writer *writer)
{
    pad(writer);
    put(writer, "cmps.u.lt p0.x, %s, %s\n(rpt5)nop\npredt\n", name(writer, false), name(writer, false));
    some(writer);
    put(writer, "predf\n");
    some(writer);
    put(writer, "prede\n");
}

static void block(struct writer *writer)
{
    unsigned kind = below(writer, 8);
    writer->depth++;
    some(writer);
    if (kind < 2 && writer->depth < 4 && !writer->quads)
        branch(writer);
    else if (kind == 2 && writer->depth < 4 && !writer->quads)
        loop(writer);
    else if (kind == 3 && !writer->old && !writer->quads && !writer->padded)
        predicated(writer);
    some(writer);
    writer->depth--;
}

static void write_program(struct writer *writer)
{
    for (unsigned i = 0; i < 5; i++)
        block(writer);
    pad(writer);
    if (!writer->quads && below(writer, 4) == 0)
        put(writer, "cmps.s.lt p0.x, %s, %s\n(rpt5)nop\nkill p0.x\n", name(writer, false), name(writer, false));
    put(writer, "end\n");
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

struct outcome {
    uint32_t registers[64], killed;
    unsigned char memory[OWN];
};

static void set_value(struct gpucode_machine *machine, unsigned fiber, unsigned space, uint32_t number, uint32_t value)
{
    assert_int_equal(gpucode_machine_write(machine, fiber, space, number, value), GPUCODE_OK);
}

/* What fiber number `like` of all has at the start. */
static void give(struct gpucode_machine *machine, unsigned fiber, uint64_t seed, unsigned like)
{
    uint64_t address = UINT64_C(0x1fffffe00) + (uint64_t)OWN * like, random = seed * 6151 + like;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t value = next_random(&random);
        static const uint32_t corners[] = {0,          0x3f800000, 0x7fffffff, 0xffffffff,
                                           0x7f800000, 3,          0x80000000, 0x3c003c00};
        set_value(machine, fiber, GPUCODE_A3XX_FULL, i, value % 3 ? value : corners[value / 3 % 8]);
    }
    set_value(machine, fiber, GPUCODE_A3XX_FULL, 240, (uint32_t)address);
    set_value(machine, fiber, GPUCODE_A3XX_FULL, 241, (uint32_t)(address >> 32));
    set_value(machine, fiber, GPUCODE_A3XX_FULL, 242, 0);
    set_value(machine, fiber, GPUCODE_A3XX_FULL, 244 - 4, (uint32_t)address);
    unsigned char bytes[OWN];
    for (unsigned i = 0; i < OWN; i++)
        bytes[i] = (unsigned char)next_random(&random);
    assert_int_equal(gpucode_machine_store(machine, address, bytes, OWN), GPUCODE_OK);
}

static void take(struct gpucode_machine *machine, unsigned fiber, unsigned like, struct outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    for (uint32_t i = 0; i < 64; i++)
        gpucode_machine_read(machine, fiber, GPUCODE_A3XX_FULL, i, &outcome->registers[i]);
    gpucode_machine_read(machine, fiber, GPUCODE_A3XX_FLAGS, 0, &outcome->killed);
    assert_int_equal(gpucode_machine_load(machine, UINT64_C(0x1fffffe00) + (uint64_t)OWN * like, outcome->memory, OWN),
                     GPUCODE_OK);
}

static bool look(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine, (void)event;
    ++*(unsigned *)user;
    return false;
}

/* Fibers `first` to first + count - 1 in a group of their own; returns the slots that they took. */
static uint64_t run_group(const struct gpucode_image *image, uint64_t seed, unsigned first, unsigned count,
                          const char *wave, bool strict, bool watched, struct outcome *outcomes)
{
    char fibers[8];
    snprintf(fibers, sizeof fibers, "%u", count);
    const struct gpucode_setting settings[] = {
        {"ir3-fibers", fibers}, {"ir3-wave", wave}, {"ir3-timing", strict ? "strict" : "plain"}, {NULL, NULL}};
    const struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    unsigned seen = 0;
    assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_OK);
    for (uint32_t i = 0; i < 64; i++)
        set_value(machine, 0, GPUCODE_A3XX_CONST, i, i * 0x01234567u);
    for (uint32_t i = 0; i < 4; i++) {
        set_value(machine, 0, GPUCODE_A3XX_VARYING, i, 0x3f800000 + i);
        set_value(machine, 0, GPUCODE_A3XX_VARYING_I, i, 0x40000000 + 7 * i);
    }
    for (unsigned i = 0; i < count; i++)
        give(machine, i, seed, first + i);
    if (watched)
        gpucode_machine_hook(machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_INSN, look, &seen);
    gpucode_machine_run(machine, 10000000, &stop);
    if (stop.reason != GPUCODE_STOP_END)
        fail_msg("program %u stops at %u, reason %d: %s", (unsigned)seed, (unsigned)stop.pc, (int)stop.reason,
                 stop.text);
    assert_true(!watched || seen);
    for (unsigned i = 0; i < count; i++)
        take(machine, i, first + i, &outcomes[first + i]);
    uint64_t slots = gpucode_machine_time(machine);
    gpucode_machine_free(machine);
    return slots;
}

static void same(uint64_t program, const char *how, const struct outcome *alone, const struct outcome *together)
{
    for (unsigned i = 0; i < FIBERS; i++)
        for (unsigned k = 0; k < 64; k++)
            if (alone[i].registers[k] != together[i].registers[k])
                fail_msg("program %u, %s: r%u.%c of fiber %u is %#x, alone %#x", (unsigned)program, how, k / 4,
                         "xyzw"[k % 4], i, together[i].registers[k], alone[i].registers[k]);
    assert_memory_equal(alone, together, FIBERS * sizeof *alone);
}

/* `part` fibers alone, and all together. */
static void compare(const char *target, unsigned part, bool quads, bool padded)
{
    static struct writer writer;
    static struct outcome alone[FIBERS], together[FIBERS];
    bool old = strcmp(target, "ir3:a540") == 0;
    for (uint64_t program = 1; program <= test_rounds(PROGRAMS, 20 * PROGRAMS); program++) {
        struct assembled made;
        writer = (struct writer){.seed = program * 7919, .quads = quads, .padded = padded, .old = old};
        write_program(&writer);
        assemble_text(&made, writer.text, target);
        if (made.status != GPUCODE_OK)
            fail_msg("%s\n%s", writer.text, heard_text(&made.heard));
        struct gpucode_image *image = image_made(&made, target);
        for (unsigned i = 0; i < FIBERS; i += part)
            run_group(image, program, i, part, "0", false, false, alone);
        run_group(image, program, 0, FIBERS, "0", false, false, together);
        same(program, "plain", alone, together);
        uint64_t slots = run_group(image, program, 0, FIBERS, "16", false, true, together);
        same(program, "watched, waves of 16", alone, together);
        if (program % 4 == 0)
            assert_int_equal(run_group(image, program, 0, FIBERS, "16", false, false, together), slots);
        if (padded) {
            run_group(image, program, 0, FIBERS, "0", true, false, together);
            same(program, "strict", alone, together);
        }
        gpucode_image_free(image);
        gpucode_program_free(made.program);
    }
}

static void one_by_one(void)
{
    compare("ir3:a650", 1, false, false);
    compare("ir3:a750", 1, false, false);
    compare("ir3:a540", 1, false, false);
}

static void strictly(void)
{
    compare("ir3:a650", 1, false, true);
}

static void by_quads(void)
{
    compare("ir3:a650", 4, true, false);
    compare("ir3:a540", 4, true, true);
}

#ifdef GPUCODE_WITH_AVX2
/* The results of an instruction by either kind of loops, whose last source is the result's place as well. */
static void check_loops(const struct ir3_op *op, uint64_t *seed, uint64_t program)
{
    static const uint32_t corners[] = {0,          0x3f800000, 0x7fffffff, 0xffffffff,
                                       0x7f800000, 0x7fc00001, 0x80000000, 0x3c00};
    uint32_t source[3][FIBERS], results[2][FIBERS];
    for (unsigned s = 0; s < 3; s++)
        for (unsigned i = 0; i < FIBERS; i++) {
            uint32_t value = next_random(seed);
            source[s][i] = (value % 4 ? value : corners[value / 4 % 8]) & (op->half ? 0xffff : UINT32_MAX);
        }
    for (unsigned k = 0; k < 2; k++) {
        memcpy(results[k], source[2], sizeof source[2]);
        const struct ir3_values values = {source[0], source[1], results[k], results[k], FIBERS};
        assert_true((k ? ir3_values_avx2 : ir3_values_plain)(op, program & 1, &values));
    }
    for (unsigned i = 0; i < FIBERS; i++)
        if (results[0][i] != results[1][i])
            fail_msg("program %u: %s of %#x, %#x, %#x is %#x, with AVX2 %#x", (unsigned)program,
                     ir3_rows.rows[op->row].facts.mnemonic, source[0][i], source[1][i], source[2][i], results[0][i],
                     results[1][i]);
}
#endif

/* Loops for any processor and those for AVX2, which the groups above run with where there is it. */
static void with_and_without_avx2(void)
{
#ifdef GPUCODE_WITH_AVX2
    static struct writer writer;
    uint64_t seed = 5;
    unsigned checked = 0;
    if (!a3xx_has_avx2())
        skip();
    for (uint64_t program = 1; program <= test_rounds(PROGRAMS, 20 * PROGRAMS); program++) {
        struct assembled made;
        struct gpucode_machine *machine;
        writer = (struct writer){.seed = program * 104729};
        write_program(&writer);
        assemble_text(&made, writer.text, "ir3:a650");
        struct gpucode_image *image = image_made(&made, "ir3:a650");
        assert_int_equal(gpucode_machine_create(image, NULL, &machine), GPUCODE_OK);
        const struct ir3_program *code = &((const struct ir3_state *)machine->state)->program;
        for (uint32_t i = 0; i < code->count; i++)
            if (code->ops[i].alike) {
                check_loops(&code->ops[i], &seed, program);
                checked++;
            }
        gpucode_machine_free(machine);
        gpucode_image_free(image);
        gpucode_program_free(made.program);
    }
    assert_true(checked > 20 * PROGRAMS);
#else
    skip();
#endif
}

/* Fibers of the same wave go along; those of another one have turns before it. */
static void single_steps(void)
{
    static const struct gpucode_setting settings[] = {{"ir3-fibers", "40"}, {"ir3-wave", "16"}, {NULL, NULL}};
    const struct gpucode_machine_options options = {.policies = settings};
    struct assembled made;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    uint32_t value;
    assemble_text(&made, "add.u r1.x, r1.x, 1\nadd.u r1.x, r1.x, 1\nend\n", "ir3:a650");
    struct gpucode_image *image = image_made(&made, "ir3:a650");
    assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_OK);
    assert_int_equal(gpucode_machine_step(machine, 20, &stop), 1);
    assert_int_equal(stop.reason, GPUCODE_STOP_LIMIT);
    assert_int_equal(stop.processor, 20);
    for (unsigned i = 16; i < 40; i++) {
        assert_int_equal(gpucode_machine_read(machine, i, GPUCODE_A3XX_FULL, 4, &value), GPUCODE_OK);
        assert_int_equal(value, i < 32);
    }
    assert_int_equal(gpucode_machine_pc(machine, 20), 1);
    assert_int_equal(gpucode_machine_pc(machine, 35), 0);
    assert_int_equal(gpucode_machine_step(machine, 20, &stop), 1);
    assert_int_equal(gpucode_machine_step(machine, 20, &stop), 1);
    assert_int_equal(gpucode_machine_pc(machine, 20), 2);
    assert_int_equal(gpucode_machine_step(machine, 20, &stop), 0); /* it has ended */
    gpucode_machine_run(machine, 100, &stop);
    assert_int_equal(stop.reason, GPUCODE_STOP_END);
    assert_int_equal(gpucode_machine_count(machine), 9);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

/* Each fiber stops once at a breakpoint of all of them, also where the breakpoint is taken away to step over it. */
static void breakpoints(void)
{
    static const struct gpucode_setting settings[] = {{"ir3-fibers", "40"}, {"ir3-wave", "16"}, {NULL, NULL}};
    const struct gpucode_machine_options options = {.policies = settings};
    struct assembled made;
    assemble_text(&made, "nop\nadd.u r1.x, r1.x, 1\nend\n", "ir3:a650");
    struct gpucode_image *image = image_made(&made, "ir3:a650");
    for (unsigned taken_away = 0; taken_away < 2; taken_away++) {
        struct gpucode_machine *machine;
        struct gpucode_stop stop;
        bool stopped[40] = {false};
        assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_OK);
        for (unsigned fiber = 0; fiber < 40; fiber++)
            gpucode_machine_break(machine, fiber, 1, true);
        gpucode_machine_run(machine, 100, &stop);
        for (unsigned i = 0; i < 40; i++) {
            assert_int_equal(stop.reason, GPUCODE_STOP_BREAKPOINT);
            assert_int_equal(stop.pc, 1);
            assert_true(stop.processor < 40 && !stopped[stop.processor]);
            stopped[stop.processor] = true;
            unsigned fiber = stop.processor;
            if (taken_away)
                gpucode_machine_break(machine, fiber, 1, false);
            gpucode_machine_run(machine, 1, &stop);
            if (taken_away)
                gpucode_machine_break(machine, fiber, 1, true);
            if (stop.reason == GPUCODE_STOP_LIMIT)
                gpucode_machine_run(machine, 100, &stop);
        }
        assert_int_equal(stop.reason, GPUCODE_STOP_END);
        gpucode_machine_free(machine);
    }
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

TESTS(group, with_and_without_avx2, one_by_one, strictly, by_quads, single_steps, breakpoints)
