/* SPDX-License-Identifier: MIT */
/* Shaders at the limits of what they use: the last register, the second wave, the byte after the last, unusual values.
 */
#include "assembling.h"
#include "group.h"

#include <gpucode/ir3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct running {
    struct assembled made;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
};

/* `policies`: "NAME=VALUE" with spaces between them. */
static void open_shader(struct running *shader, const char *target, const char *text, const char *policies)
{
    char copy[128];
    struct gpucode_setting settings[8] = {{NULL, NULL}};
    snprintf(copy, sizeof copy, "%s", policies);
    unsigned count = 0;
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
        char *equals = strchr(at, '=');
        *equals = 0;
        settings[count++] = (struct gpucode_setting){at, equals + 1};
    }
    const struct gpucode_machine_options options = {.policies = settings};
    assemble_text(&shader->made, text, target);
    if (shader->made.status != GPUCODE_OK)
        fail_msg("%s\n%s", text, heard_text(&shader->made.heard));
    shader->image = image_made(&shader->made, target);
    if (gpucode_machine_create(shader->image, &options, &shader->machine) != GPUCODE_OK)
        fail_msg("no machine with %s", policies);
}

static void close_shader(struct running *shader)
{
    gpucode_machine_free(shader->machine);
    gpucode_image_free(shader->image);
    gpucode_program_free(shader->made.program);
}

/*
 * Next of "NAME=VALUE" (of the first fiber), "NAME[FIBER]=VALUE" or "ADDRESS=VALUE" (a word of memory), with spaces
 * between them; values with a point are floats. Returns what comes after it; null: there is none.
 */
struct item {
    char name[32];
    bool is_memory;
    uint64_t address;
    unsigned fiber, space;
    uint32_t number, value;
};

static const char *next_item(const struct running *shader, const char *at, struct item *item)
{
    char value[24], text[56];
    int used;
    if (sscanf(at, " %31[^= ]=%23[^ ]%n", item->name, value, &used) != 2)
        return NULL;
    snprintf(text, sizeof text, "%s=%s", item->name, value);
    char *bracket = strchr(item->name, '[');
    item->fiber = bracket ? (unsigned)atoi(bracket + 1) : 0;
    if (bracket)
        *bracket = 0;
    item->is_memory = item->name[0] == '0';
    item->address = item->is_memory ? strtoull(item->name, NULL, 0) : 0;
    if (!item->is_memory && !gpucode_machine_find(shader->machine, item->name, &item->space, &item->number))
        fail_msg("no register %s", text);
    if (strchr(value, '.')) {
        float number = strtof(value, NULL);
        memcpy(&item->value, &number, 4);
    } else {
        item->value = (uint32_t)strtoll(value, NULL, 0);
    }
    return at + used;
}

static void give(const struct running *shader, const char *items)
{
    struct item item;
    while ((items = next_item(shader, items, &item))) {
        unsigned char bytes[4];
        for (unsigned i = 0; i < 4; i++)
            bytes[i] = (unsigned char)(item.value >> 8 * i);
        enum gpucode_status status =
            item.is_memory ? gpucode_machine_store(shader->machine, item.address, bytes, 4)
                           : gpucode_machine_write(shader->machine, item.fiber, item.space, item.number, item.value);
        if (status != GPUCODE_OK)
            fail_msg("%s cannot be given %#x", item.name, (unsigned)item.value);
    }
}

static void expect(const struct running *shader, const char *text, const char *items)
{
    struct item item;
    while ((items = next_item(shader, items, &item))) {
        uint32_t value = 0;
        unsigned char bytes[4] = {0};
        if (item.is_memory) {
            assert_int_equal(gpucode_machine_load(shader->machine, item.address, bytes, 4), GPUCODE_OK);
            value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        } else {
            gpucode_machine_read(shader->machine, item.fiber, item.space, item.number, &value);
        }
        if (value != item.value)
            fail_msg("%s\n%s of fiber %u is %#x, not %#x", text, item.name, item.fiber, (unsigned)value,
                     (unsigned)item.value);
    }
}

struct row {
    const char *target, *text, *policies, *given, *found;
    const char *stop; /* code of the stop; null: it ends */
    unsigned fiber;   /* whose stop it is */
};

static void check_row(const struct row *row)
{
    struct running shader;
    char text[512];
    snprintf(text, sizeof text, "%s\n(sy)(ss)(rpt5)nop\nend\n", row->text);
    open_shader(&shader, row->target, text, row->policies);
    give(&shader, row->given);
    struct gpucode_stop stop;
    gpucode_machine_run(shader.machine, 100000, &stop);
    bool ends = stop.reason == GPUCODE_STOP_END;
    if (row->stop ? ends || strcmp(stop.code, row->stop) != 0 : !ends)
        fail_msg("%s\nstops with %s: %s", row->text, stop.code ? stop.code : "no code", stop.text);
    if (row->stop && stop.processor != row->fiber)
        fail_msg("%s\nstops for fiber %u", row->text, stop.processor);
    expect(&shader, row->text, row->found);
    close_shader(&shader);
}

#define CHECK(rows)                                                                                                    \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)                                                         \
    check_row(&(rows)[i])

/* What is counted from the first fiber of the wave, in the second wave. */
static void waves(void)
{
    static const struct row rows[] = {
        {"ir3:a6xx", "movmsk.w128 r1.x", "ir3-fibers=67 ir3-wave=64", "",
         "r1.x=0xffffffff r1.y=0xffffffff r1.z=0 r1.w=0 r1.x[65]=7 r1.y[65]=0", NULL},
        {"ir3:a6xx", "getwid.u32 r1.x\ngetfiberid.u32 r2.x", "ir3-fibers=272 ir3-wave=16", "",
         "r1.x=0 r1.x[15]=0 r1.x[16]=1 r1.x[255]=15 r1.x[256]=0 r2.x[15]=15 r2.x[16]=0 r2.x[271]=15", NULL},
        {"ir3:a6xx", "getlast.w8 #skip\nmov.u32u32 r1.x, 1\nskip: (jp)nop", "ir3-fibers=80 ir3-wave=64", "",
         "r1.x=0 r1.x[6]=0 r1.x[7]=1 r1.x[8]=1 r1.x[64]=0 r1.x[70]=0 r1.x[71]=1 r1.x[72]=1", NULL},
        {"ir3:a6xx", "isam (f32)(x)r1.x, r0.x, s#0, t#0", "ir3-fibers=65 ir3-wave=64",
         "t0.width=2 t0.height=1 r0.x[63]=0 r0.x[64]=1 0x1000000000000000=1.5 0x1000000000000010=2.5",
         "r1.x[63]=1.5 r1.x[64]=2.5", NULL},
        {"ir3:a6xx", "sam.a (f32)(x)r1.x, r0.x, s#0, t#0", "ir3-fibers=68 ir3-wave=64",
         "t0.width=1 t0.height=1 t0.depth=2 r0.z[3]=1.0 r0.z[66]=1.0 0x1000000000000000=1.5 0x1000000000000010=2.5",
         "r1.x[2]=1.5 r1.x[3]=2.5 r1.x[65]=1.5 r1.x[66]=2.5", NULL},
        {"ir3:a6xx",
         "samgp0 (f32)(x)r4.x, r0.x, s#0, t#0\nsamgp1 (f32)(x)r4.y, r0.x, s#0, t#0\n"
         "samgp2 (f32)(x)r4.z, r0.x, s#0, t#0\nsamgp3 (f32)(x)r4.w, r0.x, s#0, t#0\nmov.u32u32 r5.x, 7",
         "ir3-fibers=4", "t0.width=1 t0.height=1 0x1000000000000000=1.5",
         "r4.x=1.5 r4.y=0 r4.z=0 r4.w=0 r4.x[1]=0 r4.y[1]=1.5 r4.y[2]=0 r4.z[2]=1.5 r4.z[3]=0 r4.w[3]=1.5 "
         "r5.x=7 r5.x[1]=7 r5.x[2]=7 r5.x[3]=7",
         NULL},
        /* registers side by side, of many fibers at once and of one */
        {"ir3:a6xx", "(rpt1)add.u r2.x, (r)r0.x, r1.x", "ir3-fibers=64", "r0.x[63]=5 r0.y[63]=7 r1.x[63]=1 r0.y[62]=4",
         "r2.x[63]=6 r2.y[63]=8 r2.y[62]=4", NULL},
        {"ir3:a6xx", "(rpt1)cmps.u.lt p0.x, (r)r0.x, 5", "ir3-fibers=1", "r0.x=9 r0.y=1", "p0.x=0 p0.y=1", NULL},
        {"ir3:a7xx", "(rpt1)cmps.u.lt up0.x, (r)r48.x, c0.x", "ir3-fibers=2", "r48.x=9 r48.y=1 c0.x=5",
         "p0.x=0 p0.y=1 p0.y[1]=1", NULL},
    };
    CHECK(rows);
}

/* Registers, consts and varyings by a number that may lie outside of them. */
static void registers(void)
{
    static const struct row rows[] = {
        {"ir3:a6xx", "mov.u32u32 r1.x, r<a0.x + 3>", "", "a0.x=240 r60.w=9", "r1.x=9", NULL},
        {"ir3:a6xx", "mov.u32u32 r1.x, r<a0.x + 4>", "", "a0.x=240", "", "ir3-outside"},
        {"ir3:a6xx", "mov.u32u32 r1.x, r<a0.x + 4>", "ir3-out-of-range=zero", "a0.x=240 r1.x=7", "r1.x=0", NULL},
        {"ir3:a6xx", "mov.u32u32 r1.x, c<a0.x + 1>", "", "a0.x=2046 c511.w=9", "r1.x=9", NULL},
        {"ir3:a6xx", "mov.u32u32 r1.x, c<a0.x + 1>", "", "a0.x=2047", "", "ir3-outside"},
        {"ir3:a6xx", "mov.u32u32 r1.x, c<a0.x + 1>", "ir3-out-of-range=zero", "a0.x=2047 r1.x=7", "r1.x=0", NULL},
        {"ir3:a6xx", "mov.u32u32 r<a0.x + 4>, r0.x", "", "a0.x=1 r0.x=9", "r1.y=9 r0.w=0", NULL},
        {"ir3:a6xx", "mov.u32u32 r<a0.x + 4>, r0.x", "", "a0.x=240", "", "ir3-outside"},
        {"ir3:a6xx", "mov.u32u32 r<a0.x + 4>, r0.x", "ir3-out-of-range=zero", "a0.x=240 r0.x=9", "a0.x=240", NULL},
        {"ir3:a6xx", "(rpt1)mov.u32u32 r60.w, r0.x", "", "", "", "ir3-outside"},
        {"ir3:a6xx", "(rpt1)mov.u32u32 r60.w, r0.x", "ir3-out-of-range=zero", "r0.x=9", "r60.w=9 a0.x=0", NULL},
        {"ir3:a6xx", "(rpt2)mov.u32u32 r1.x, (r)5", "", "", "r1.x=5 r1.y=6 r1.z=7", NULL},
        {"ir3:a6xx", "flat.b (ei)r1.x, 127, r0.x", "", "v127=9", "r1.x=9", NULL},
        {"ir3:a6xx", "flat.b (ei)r1.x, 128, r0.x", "", "", "", "ir3-varying"},
        {"ir3:a6xx", "cov.u8u8_32 hr1.x, hr0.x", "", "hr0.x=0x1ff", "hr1.x=0xff", NULL},
        {"ir3:a6xx", "bary.f (ei)r1.x, 127, r0.x", "", "v127=2.5", "r1.x=2.5", NULL},
        {"ir3:a6xx", "bary.f (ei)r1.x, 128, r0.x", "", "", "", "ir3-varying"},
        /* a flat one keeps its bits, a denormal too */
        {"ir3:a6xx", "bary.f (ei)r1.x, 3, r0.x", "", "v3=1 vflat3=1", "r1.x=1", NULL},
        {"ir3:a6xx", "bary.f (ei)r1.x, 3, r0.x", "", "v3=1", "r1.x=0", NULL},
        {"ir3:a6xx", "bary.f (ei)r1.x, 3, r0.x", "ir3-denorm=keep", "v3=1", "r1.x=1", NULL},
        /* half registers in the full ones or apart */
        {"ir3:a5xx", "nop", "", "r0.x=0x12345678", "hr0.y=0", NULL},
        {"ir3:a5xx", "nop", "ir3-files=merged", "r0.x=0x12345678", "hr0.x=0x5678 hr0.y=0x1234", NULL},
        {"ir3:a6xx", "nop", "", "r0.x=0x12345678", "hr0.x=0x5678 hr0.y=0x1234", NULL},
        {"ir3:a6xx", "nop", "ir3-files=apart", "r0.x=0x12345678", "hr0.x=0 hr0.y=0", NULL},
        /* modes of shfl that have no name */
        {"ir3:a6xx", ".insn 0xc6e40011_c1000014", "", "", "", "ir3-form"},
        {"ir3:a6xx", ".insn 0xc6e48011_c1000014", "", "", "", "ir3-form"},
        {"ir3:a6xx", ".insn 0xc6e4a011_c1000014", "", "", "", "ir3-form"},
    };
    CHECK(rows);
}

/* Roundings that only the exact sum decides: a product half way between two floats, with a little more or less. */
static void fused(void)
{
    static const struct row rows[] = {
        {"ir3:a6xx", "mad.f32 r1.x, r0.x, r0.y, r0.z", "ir3-mad=fused",
         "r0.x=0x3f800800 r0.y=0x3f800800 r0.z=0x21800000", "r1.x=0x3f801001", NULL},
        {"ir3:a6xx", "mad.f32 r1.x, r0.x, r0.y, r0.z", "ir3-mad=fused",
         "r0.x=0x35800800 r0.y=0x3f800800 r0.z=0x17800000", "r1.x=0x35801001", NULL},
        {"ir3:a6xx", "mad.f32 r1.x, r0.x, r0.y, r0.z", "ir3-mad=fused",
         "r0.x=0x3f800800 r0.y=0x3f800800 r0.z=0xa1800000", "r1.x=0x3f801000", NULL},
        /* less than half way, by less than a double tells */
        {"ir3:a6xx", "mad.f32 r1.x, r0.x, r0.y, r0.z", "ir3-mad=fused",
         "r0.x=0x3128b000 r0.y=0x41c240b0 r0.z=0x3f800001", "r1.x=0x3f800001", NULL},
        {"ir3:a6xx", "mad.f32 r1.x, r0.x, r0.y, r0.z", "ir3-mad=fused ir3-denorm=keep", "r0.x=1 r0.y=1.0", "r1.x=1",
         NULL},
        {"ir3:a6xx", "mad.f32 r1.x, r0.x, r0.y, r0.z", "ir3-mad=fused", "r0.x=1 r0.y=1.0", "r1.x=0", NULL},
    };
    CHECK(rows);
}

/* The last bytes of memories, and consts that come from elsewhere. */
static void memory(void)
{
    static const struct row rows[] = {
        {"ir3:a6xx", "ldl.u32 r1.x, l[r0.x], 1", "ir3-local-size=8", "r0.x=4", "r1.x=0", NULL},
        {"ir3:a6xx", "ldl.u32 r1.x, l[r0.x], 1", "ir3-local-size=7", "r0.x=4", "", "ir3-memory"},
        {"ir3:a6xx", "ldl.u32 r1.x, l[r0.x], 1", "ir3-local-size=3", "", "", "ir3-memory"},
        {"ir3:a6xx", "ldp.u32 r1.x, p[r0.x], 1", "ir3-private-size=7", "r0.x=4", "", "ir3-memory"},
        /* halves in pairs, the last alone */
        {"ir3:a6xx", "stc.f16 c[4], hr0.x, 2", "", "hr0.x=1 hr0.y=2 hr0.z=3 c1.y=9", "c1.x=0x20001 c1.y=9", NULL},
        {"ir3:a6xx", "stc.f16 c[4], hr0.x, 3", "", "hr0.x=1 hr0.y=2 hr0.z=3 hr0.w=4 c1.y=9", "c1.x=0x20001 c1.y=3",
         NULL},
        {"ir3:a7xx", "stsc.f32 c[8], 126, 2", "", "push126=5 push127=6", "c2.x=5 c2.y=6", NULL},
        {"ir3:a7xx", "stsc.f32 c[8], 127, 2", "", "push126=5 push127=6", "", "ir3-push"},
        {"ir3:a7xx", "stsc.f32 c[8], 8, 2", "", "push7=5 push8=6", "", "ir3-push"},
        /* the slot after the last, where another kind's first lies */
        {"ir3:a7xx", "ldib.b.untyped.1d.u32.1.uniform r1.x, r0.x, r2.x", "",
         "r2.x=63 buf63.address=0x1000 buf63.size=4 0x1000=9", "r1.x=9", NULL},
        {"ir3:a7xx", "ldib.b.untyped.1d.u32.1.uniform r1.x, r0.x, r2.x", "",
         "r2.x=64 ubo0.address=0x1000 ubo0.size=4 0x1000=9", "", "ir3-no-buffer"},
        /* elements as 16 bits each before a6xx */
        {"ir3:a5xx", "resinfo.u32.1d r1.x, g[0]", "", "buf0.address=0x1000 buf0.size=0x14000c", "r1.x=3 r1.y=5", NULL},
        {"ir3:a6xx", "resinfo.b.untyped.1d.u32.1.imm r1.x, 0", "", "buf0.address=0x1000 buf0.size=0x14000c",
         "r1.x=0x50003 r1.y=0", NULL},
    };
    CHECK(rows);
}

/* Of four fibers the third cannot go on, nor can the last: the stop is that of the third. */
static void fibers_that_cannot(void)
{
#define SLOTS                                                                                                          \
    "r2.x[0]=1 r2.x[1]=1 r2.x[2]=3 r2.x[3]=4 buf1.address=0x1000 buf1.size=64 ubo1.address=0x1000 ubo1.size=64 "       \
    "0x1000=9"
#define FIBERS "ir3-fibers=4 ir3-wave=16"
#define ADDRESSES "r2.x[0]=0x1000 r2.x[1]=0x1000 r2.x[2]=0x20000 r2.x[3]=0x30000 0x1000=9"
#define ODD "r2.x[0]=0x1000 r2.x[1]=0x1000 r2.x[2]=0x1001 r2.x[3]=0x1002 0x1000=9"
#define LOCAL "ir3-local-size=0x2000 ir3-private-size=0x2000 " FIBERS
    static const struct row rows[] = {
        {"ir3:a6xx", "mova a0.x, hr4.x\n(rpt5)nop\nmov.f32f32 r1.x, r<a0.x + 4>", FIBERS, "hr4.x[2]=260 hr4.x[3]=300",
         "", "ir3-outside", 2},
        {"ir3:a6xx", "mova a0.x, hr4.x\n(rpt5)nop\nmov.f32f32 r<a0.x + 4>, r1.x", FIBERS, "hr4.x[2]=260 hr4.x[3]=300",
         "", "ir3-outside", 2},
        {"ir3:a6xx", "ldc.offset0.1.nonuniform r1.x, r0.x, r2.x", FIBERS, SLOTS, "", "ir3-no-buffer", 2},
        {"ir3:a6xx", "ldib.b.untyped.1d.u32.1.nonuniform r1.x, r0.x, r2.x", FIBERS, SLOTS, "", "ir3-no-buffer", 2},
        {"ir3:a6xx", "stib.b.untyped.1d.u32.1.nonuniform r1.x, r0.x, r2.x", FIBERS, SLOTS, "", "ir3-no-buffer", 2},
        {"ir3:a6xx", "ldib.b.typed.1d.u32.1.nonuniform r1.x, r0.x, r2.x", FIBERS, SLOTS, "", "ir3-no-buffer", 2},
        {"ir3:a6xx", "atomic.b.add.untyped.1d.u32.1.nonuniform r1.x, r0.x, r2.x", FIBERS, SLOTS, "", "ir3-no-buffer",
         2},
        {"ir3:a6xx", "resinfo.b.untyped.1d.u32.1.nonuniform r1.x, r2.x", FIBERS, SLOTS, "", "ir3-no-buffer", 2},
        {"ir3:a6xx", "ldg.u32 r1.x, g[r2.x], 1", FIBERS, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "ldg.u8 hr1.x, g[r2.x], 1", FIBERS, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "stg.u32 g[r2.x], r1.x, 1", FIBERS, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "ldl.u32 r1.x, l[r2.x], 1", LOCAL, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "ldp.u16 hr1.x, p[r2.x], 1", LOCAL, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "stl.u32 l[r2.x], r1.x, 1", LOCAL, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "stp.u32 p[r2.x], r1.x, 1", LOCAL, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "atomic.g.add.untyped.1d.u32.1.g r1.x, r2.x, r3.x", FIBERS, ADDRESSES, "", "ir3-memory", 2},
        {"ir3:a6xx", "atomic.g.add.untyped.1d.u32.1.g r1.x, r2.x, r3.x", FIBERS, ODD, "", "ir3-unaligned", 2},
        {"ir3:a6xx", "atomic.add.untyped.1d.u32.1.l r1.x, l[r2.x], r3.x", LOCAL, ODD, "", "ir3-unaligned", 2},
        {"ir3:a6xx", "isam.s2en.nonuniform (f32)(x)r1.x, r0.x, hr8.x", FIBERS,
         "hr8.x[2]=1 hr8.x[3]=2 t0.width=1 t0.height=1 0x1000000000000000=0.5", "", "ir3-no-texture", 2},
        {"ir3:a6xx", "mov.u32u32 r1.y, 2\ncmps.u.ge p0.x, r0.x, r1.y\n(rpt5)nop\nbr p0.x, #away\n(jp)end\naway:\nret",
         FIBERS, "r0.x[2]=2 r0.x[3]=3", "", "ir3-ret", 2},
    };
#undef LOCAL
#undef ODD
#undef ADDRESSES
#undef FIBERS
#undef SLOTS
    CHECK(rows);
}

/* Loads and stores before a6xx, each at an offset. */
static void older(void)
{
    static const struct row rows[] = {
        {"ir3:a4xx", "ldgb.untyped.1d.u32.1 r1.x, g[0], r0.x, r2.x", "",
         "r0.x=4 buf0.address=0x1000 buf0.size=8 0x1004=9", "r1.x=9", NULL},
        {"ir3:a5xx", "ldgb.untyped.1d.u32.1 r1.x, g[0], r0.x, r2.x", "",
         "r0.x=4 buf0.address=0x1000 buf0.size=8 0x1004=9", "r1.x=9", NULL},
        {"ir3:a4xx", "stgb.untyped.1d.u32.1 g[0], r1.x, r0.x, r2.x", "",
         "r1.x=9 r2.x=4 buf0.address=0x1000 buf0.size=8 0x1000=1", "0x1000=1 0x1004=9", NULL},
        {"ir3:a5xx", "stgb.untyped.1d.u32.1 g[0], r1.x, r0.x, r2.x", "",
         "r1.x=9 r2.x=4 buf0.address=0x1000 buf0.size=8 0x1000=1", "0x1000=1 0x1004=9", NULL},
        {"ir3:a5xx", "ldib.untyped.1d.u32.1 r1.x, g[0], r0.x, r2.x", "",
         "r0.x=4 buf0.address=0x1000 buf0.size=8 0x1004=9", "r1.x=9", NULL},
        {"ir3:a5xx", "stib.untyped.1d.u32.1 g[0], r1.x, r0.x, r2.x", "",
         "r1.x=9 r2.x=4 buf0.address=0x1000 buf0.size=8 0x1000=1", "0x1000=1 0x1004=9", NULL},
    };
    CHECK(rows);
}

#define TEXELS " 0x1000000000000000=0.25 0x1000000000000010=0.5 0x1000000000000020=0.75 0x1000000000000030=0.125"

static void textures(void)
{
    static const struct row rows[] = {
        /* s, t, reference, layer, divisor: the layer alone is not divided */
        {"ir3:a6xx", "sam.a.p.s (f32)(x)r2.x, r0.x, s#0, t#0", "",
         "t0.width=2 t0.height=1 t0.depth=2 r0.x=0.5 r0.z=1.0 r0.w=1.0 r1.x=2.0" TEXELS, "r2.x=1.0", NULL},
        {"ir3:a6xx", "sam.a.p.s (f32)(x)r2.x, r0.x, s#0, t#0", "",
         "t0.width=2 t0.height=1 t0.depth=2 r0.x=1.5 r0.z=1.0 r0.w=1.0 r1.x=2.0" TEXELS, "r2.x=0", NULL},
        {"ir3:a6xx", "sam.3d (f32)(x)r2.x, r0.x, s#0, t#0", "",
         "t0.width=1 t0.height=1 t0.depth=2 t0.kind=1 r0.z=0.75" TEXELS, "r2.x=0.5", NULL},
        {"ir3:a6xx", "sam.3d.a (f32)(x)r2.x, r0.x, s#0, t#0", "", "t0.width=1 t0.height=1 t0.kind=1", "", "ir3-form"},
        {"ir3:a6xx", "sam.3d.o (f32)(x)r2.x, r0.x, r1.x, s#0, t#0", "", "t0.width=1 t0.height=1 t0.kind=2", "",
         "ir3-form"},
        {"ir3:a6xx", "isam.3d (f32)(x)r2.x, r0.x, s#0, t#0", "", "t0.width=1 t0.height=1 t0.kind=2", "", "ir3-form"},
        /* as many texels as there may be, and one row more */
        {"ir3:a6xx", "isam (f32)(x)r2.x, r0.x, s#0, t#0", "", "t0.width=8192 t0.height=8192 r0.x=1" TEXELS, "r2.x=0.5",
         NULL},
        {"ir3:a6xx", "isam (f32)(x)r2.x, r0.x, s#0, t#0", "", "t0.width=8192 t0.height=8193", "", "ir3-form"},
        /* the level: a half, none where nothing changes, as many as there are, past all numbers */
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=4",
         "t0.width=64 t0.height=64 t0.levels=7 r0.x[1]=0x3cb504f3 r0.x[3]=0x3cb504f3", "r2.x=128 r2.y=128", NULL},
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=4", "t0.width=64 t0.height=64 t0.levels=7",
         "r2.x=0 r2.y=-8388608", NULL},
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=4",
         "t0.width=64 t0.height=64 t0.levels=2 r0.x[1]=1.0 r0.x[3]=1.0", "r2.x=256 r2.y=1536", NULL},
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=4",
         "t0.width=64 t0.height=64 t0.levels=2 r0.x[1]=0x7f800000 r0.x[3]=0x7f800000", "r2.x=256 r2.y=8388352", NULL},
        /* a quad whose third fiber is not there */
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=2", "t0.width=64 t0.height=64 t0.levels=7", "",
         "ir3-quad"},
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=3", "t0.width=64 t0.height=64 t0.levels=7",
         "r2.x=0", NULL},
        {"ir3:a6xx", "getlod (s32)(xy)r2.x, r0.x, s#0, t#0", "ir3-fibers=2 ir3-derivative=zero",
         "t0.width=64 t0.height=64 t0.levels=7", "r2.x=0 r2.y=0", NULL},
    };
    CHECK(rows);
}

/* Descriptors above the first 4 GiB, of what lies there too: each field with its last bit. */
static void descriptors(void)
{
#define AT "base0.address=0x20003 base0.high=3 "
    static const struct row rows[] = {
        /* a buffer of constants */
        {"ir3:a6xx", "ldc.offset0.1.imm.base0 r1.x, 0, 0", "",
         AT "0x300020000=0x30000 0x300020004=0x32345 0x1234500030000=9", "r1.x=9", NULL},
        /* a buffer of R32_UINT */
        {"ir3:a6xx", "ldib.b.untyped.1d.u32.1.imm.base0 r1.x, r0.x, 0", "",
         AT "0x300020000=0x12c00000 0x300020004=5 0x300020008=0x80000000 0x30002000c=0 0x300020010=0x30000 "
            "0x300020014=0x10001 0x1000100030000=9",
         "r1.x=9", NULL},
        /* texels of R32G32B32A32_UINT in another order are for textures alone */
        {"ir3:a6xx", "ldib.b.typed.1d.u32.1.imm.base0 r1.x, r0.x, 0", "",
         AT "0x300020000=0x60c00000 0x300020004=5 0x300020008=0x80000000 0x30002000c=0 0x300020010=0x30000 "
            "0x300020014=0x10001 0x1000100030000=9",
         "", "ir3-form"},
        /* a texture of R32_UINT, two by two, 65 bytes a row, with two levels */
        {"ir3:a6xx", "isam.s2en.nonuniform.base0 (u32)(x)r1.x, r0.x, r2.x", "",
         AT "r0.y=1 0x300020000=0x12c10000 0x300020004=0x10002 0x300020008=0x20002080 0x30002000c=0 "
            "0x300020010=0x30000 0x300020014=0x10001 0x1000100030041=9",
         "r1.x=9", NULL},
        {"ir3:a6xx", "getinfo.s2en.nonuniform.base0 (u32)(z)r1.x, r2.x", "",
         AT "r0.y=1 0x300020000=0x12c10000 0x300020004=0x10002 0x300020008=0x20002080 0x30002000c=0 "
            "0x300020010=0x30000 0x300020014=0x10001",
         "r1.z=2", NULL},
        {"ir3:a6xx", "resbase.untyped.1d.u32.1.imm.base0 r1.x, 1", "", AT, "r1.x=0x20040 r1.y=3", NULL},
#undef AT
    };
    CHECK(rows);
}

/* Values that registers of the machine cannot have, and names that it has not. */
static void spaces(void)
{
    static const struct {
        const char *target, *name;
        uint32_t most;
    } limits[] = {
        {"ir3:a6xx", "vflat127", 1},
        {"ir3:a6xx", "killed", 1},
        {"ir3:a6xx", "ended", 1},
        {"ir3:a6xx", "waits", 1},
        {"ir3:a6xx", "rt0.given", 15},
        {"ir3:a6xx", "rt7.given", 15},
        {"ir3:a6xx", "t0.width", 32767},
        {"ir3:a6xx", "t15.levels", 14},
        {"ir3:a6xx", "t0.kind", 2},
        {"ir3:a6xx", "s0.filter", 2},
        {"ir3:a6xx", "s15.compare", 8},
        {"ir3:a6xx", "buf0.format", GPUCODE_IR3_FORMATS - 1},
        {"ir3:a6xx", "ubo31.format", GPUCODE_IR3_FORMATS - 1},
        {"ir3:a6xx", "hr47.w", 0xffff},
        {"a3xx", "vflat127", 1},
        {"a3xx", "killed", 1},
        {"a3xx", "ended", 1},
    };
    static const char *const missing[][2] = {
        {"ir3:a6xx", "t0xwidth"}, {"ir3:a6xx", "t0"},       {"ir3:a6xx", "buf0_size"}, {"ir3:a6xx", "buf64.size"},
        {"ir3:a6xx", "a2.x"},     {"a3xx", "a1.x"},         {"ir3:a6xx", "a0.y"},      {"ir3:a6xx", "c512.x"},
        {"ir3:a6xx", "c00001.x"}, {"ir3:a6xx", "c10000.x"}, {"ir3:a6xx", "v128"},      {"ir3:a6xx", "r61.x"},
        {"ir3:a6xx", "push128"},  {"ir3:a6xx", "rt8.x"},    {"ir3:a6xx", "c.x"},       {"ir3:a6xx", "r1.v"},
    };
    struct running shader;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        unsigned space;
        uint32_t number, value = 99;
        open_shader(&shader, limits[i].target, "end\n", "");
        if (!gpucode_machine_find(shader.machine, limits[i].name, &space, &number))
            fail_msg("no %s", limits[i].name);
        if (gpucode_machine_write(shader.machine, 0, space, number, limits[i].most) != GPUCODE_OK ||
            gpucode_machine_write(shader.machine, 0, space, number, limits[i].most + 1) == GPUCODE_OK)
            fail_msg("%s takes other values", limits[i].name);
        gpucode_machine_read(shader.machine, 0, space, number, &value);
        assert_int_equal(value, limits[i].most);
        close_shader(&shader);
    }
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        unsigned space;
        uint32_t number;
        open_shader(&shader, missing[i][0], "end\n", "");
        if (gpucode_machine_find(shader.machine, missing[i][1], &space, &number))
            fail_msg("%s is a register", missing[i][1]);
        close_shader(&shader);
    }
}

/* A fiber alone counts no work of groups. */
static void counters(void)
{
    struct running shader;
    struct gpucode_counter counter;
    open_shader(&shader, "ir3:a6xx", "end\n", "ir3-fibers=1");
    assert_false(gpucode_machine_counter(shader.machine, 0, &counter));
    close_shader(&shader);
    open_shader(&shader, "ir3:a6xx", "end\n", "ir3-fibers=2");
    assert_true(gpucode_machine_counter(shader.machine, 1, &counter));
    assert_string_equal(counter.name, "parted-slots");
    assert_false(gpucode_machine_counter(shader.machine, 2, &counter));
    close_shader(&shader);
}

/* Memory of the host: global accesses of up to a word, of which the low bytes count. */
static bool answer(void *user, struct gpucode_machine *machine, const struct gpucode_access *access, uint32_t *value)
{
    unsigned *bytes = user;
    (void)machine;
    *bytes += access->bytes;
    if (!access->write)
        *value = 0x89abcdef;
    return access->address < 0x2000;
}

static void host(void)
{
    static const struct {
        const char *target, *text, *name;
        uint32_t value;
        unsigned bytes; /* that the host is asked for */
    } cases[] = {
        {"ir3:a6xx", "ldg.u8 hr1.x, g[r0.x], 1", "hr1.x", 0xef, 1},
        {"ir3:a6xx", "ldg.u16 hr1.x, g[r0.x], 1", "hr1.x", 0xcdef, 2},
        {"ir3:a6xx", "ldg.u32 r1.x, g[r0.x], 1", "r1.x", 0x89abcdef, 4},
        {"ir3:a6xx", "stg.u8 g[r0.x], hr1.x, 1", "r1.y", 0, 1},
        {"a3xx", "ldg.u8 hr1.x, g[r0.x], 1", "hr1.x", 0xef, 1},
        {"a3xx", "ldg.u16 hr1.x, g[r0.x], 1", "hr1.x", 0xcdef, 2},
        {"a3xx", "ldg.u32 r1.x, g[r0.x], 1", "r1.x", 0x89abcdef, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct running shader;
        struct gpucode_stop stop;
        char text[128];
        unsigned asked = 0;
        snprintf(text, sizeof text, "%s\n(sy)nop\nend\n", cases[i].text);
        open_shader(&shader, cases[i].target, text, "");
        give(&shader, "r0.x=0x1000");
        assert_int_equal(gpucode_machine_memory(shader.machine, answer, &asked), GPUCODE_OK);
        gpucode_machine_run(shader.machine, 100, &stop);
        if (stop.reason != GPUCODE_STOP_END)
            fail_msg("%s: %s", text, stop.text);
        snprintf(text, sizeof text, "%s=%u", cases[i].name, (unsigned)cases[i].value);
        expect(&shader, cases[i].text, text);
        assert_int_equal(asked, cases[i].bytes);
        close_shader(&shader);
    }
}

TESTS(limits, waves, registers, fused, memory, fibers_that_cannot, older, textures, descriptors, spaces, counters, host)
