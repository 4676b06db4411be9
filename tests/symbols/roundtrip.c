/* SPDX-License-Identifier: MIT */
/*
 * Random symbol files for small programs and random code: what fuzz/fuzz_symbols.c promises holds for all of them. The
 * lines are made from a grammar of what users write, right and wrong.
 */
#include "group.h"
#include <gpucode/gpucode.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

#define PICK(seed, list) (list)[next(seed) % (sizeof(list) / sizeof *(list))]

static const char *const names[] = {
    "boot",   "a",      "loop",   "CP_NOP",   "CP_ME_INIT", "UNKN5",    "UNKN200",  "l2",  "fxn4",     "jumptbl", "mov",
    "entry0", "entry1", "header", "ab",       "rem",        "FB_PAUSE", "fb_pause", "r0",  "IB1_BASE", "mode",    "X_1",
    "start",  "1x",     "a-b",    "PFB.CFG0", "end",        "nop",      "exit",     "b12", "uv",       "hr1"};
static const char *const sections[] = {"*", "*", "*", "-", "SQE", "BR", "BV", "CP", "nowhere"};
static const char *const registers[] = {"$01",
                                        "$02",
                                        "$03",
                                        "$rem",
                                        "$addr",
                                        "$1f",
                                        "$20",
                                        "@MODE_BITMASK",
                                        "@0x10",
                                        "@IB1_BASE",
                                        "%PREEMPT_INSTR",
                                        "%3",
                                        "|NRT_ADDR",
                                        "0x830",
                                        "CP_SCRATCH[2].REG",
                                        "0x100210",
                                        "PFB.CFG0",
                                        "r0.x",
                                        "r1.y",
                                        "hr1.y",
                                        "hc1.x",
                                        "c0.x",
                                        "p0.x",
                                        "r99.x",
                                        "?"};

static size_t put_line(char *at, size_t room, uint64_t *seed)
{
    static const char *const spaces[] = {"packet", "flag", "event"};
    const char *name = PICK(seed, names);
    char numbered[16];
    if (next(seed) % 2) {
        snprintf(numbered, sizeof numbered, "name_%u", next(seed) % 30);
        name = numbered;
    }
    unsigned value = next(seed) % (next(seed) % 8 ? 20 : 300);
    int length;
    switch (next(seed) % 8) {
    case 0:
    case 1:
    case 2:
        length = snprintf(at, room, "%s 0x%x %s ; here\n", PICK(seed, sections), value, name);
        break;
    case 3:
    case 4:
        length = snprintf(at, room, "reg %s %s\n", PICK(seed, registers), name);
        break;
    case 5:
        length = snprintf(at, room, "%s %u %s\n", PICK(seed, spaces), value, name);
        break;
    case 6:
        length = snprintf(at, room, "%s %u %s\n", next(seed) % 2 ? "mem" : "=", value, name);
        break;
    default:
        length = snprintf(at, room, "@ %u some file.asm:%u\n", value, next(seed) % 9);
        break;
    }
    return length < 0 || (size_t)length >= room ? 0 : (size_t)length;
}

/* The code that most of the files are about. */
static const struct {
    const char *target, *source;
} programs[] = {
    {"afuc:a630", "[016ee002]\n[#jumptbl]\nstart: mov $02, 0x830\ncread $03, [$02 + @MODE_BITMASK]\nagain: call #work\n"
                  "swrite $03, [$00 + %PREEMPT_INSTR]\nbrne $02, 0x0, #again\nnop\nwaitin\nmov $01, $data\n"
                  "CP_NOP: UNKN0: work: ret\nadd $addr, $memdata, $1a\njumptbl:\n.jumptbl\n"},
    {"afuc:a730",
     "[01730001]\n[#BV:jumptbl-0]\nloop: jump #loop\nnop\nCP_NOP: waitin\nmov $01, $data\njumptbl:\n.jumptbl\n"
     ".section BV\n[01730001]\nloop: jump #loop\nnop\nCP_ME_INIT: waitin\nmov $01, $data\njumptbl:\n"
     ".jumptbl\n"},
    {"afuc:a530", "[01530001]\n[01000000]\nmov $02, 0x10\nl: brne $02, b3, #l\nnop\n"},
    {"hwsq:g94", "set1 #FB_PAUSE\newait #FB_PAUSED 1\naddr 0x100210\ndata 0x5\nset0 #FB_PAUSE\nexit\n"},
    {"hwsq:nv41", "set1 1\nwait 0x3 shl 0x4\nexit\n"},
    {"a3xx", "top: (rpt1)mov.f32f32 r0.x, (r)c0.x\nadd.f hr1.y, hr0.x, hc1.x\nbr p0.x, #top\n(sy)sam (f32)(xyzw)r0.x, "
             "r1.x, s#0, t#0\nend\n"},
};
#define PROGRAM_COUNT (sizeof programs / sizeof *programs)

static uint8_t target_index(const char *name)
{
    const struct gpucode_target *target = gpucode_target_find(name);
    unsigned index = 0;
    while (gpucode_target_at(index) != target)
        index++;
    assert_true(index < 256);
    return (uint8_t)index;
}

static size_t append_program(unsigned which, uint8_t *at, size_t room)
{
    const struct gpucode_asm_options options = {.target = gpucode_target_find(programs[which].target)};
    struct gpucode_program *program;
    const char *source = programs[which].source;
    assert_int_equal(gpucode_assemble(source, strlen(source), &options, &program), GPUCODE_OK);
    size_t size = gpucode_program_size(program);
    assert_true(size <= room);
    memcpy(at, gpucode_program_bytes(program), size);
    gpucode_program_free(program);
    return size;
}

static void files(void)
{
    uint64_t seed = 7;
    for (unsigned round = 0; round < 4000; round++) {
        uint8_t data[4096];
        size_t size = 1;
        data[0] = target_index(programs[round % PROGRAM_COUNT].target);
        for (unsigned lines = next(&seed) % 20; lines; lines--)
            size += put_line((char *)data + size, 1200 - size, &seed);
        data[size++] = 0;
        if (round % 3 == 0) { /* random code: words that are often instructions */
            for (unsigned bytes = 4 * (next(&seed) % 60); bytes; bytes--)
                data[size++] = (uint8_t)(next(&seed) % 3 ? next(&seed) : next(&seed) % 4);
        } else {
            size += append_program(round % PROGRAM_COUNT, data + size, sizeof data - size);
        }
        LLVMFuzzerTestOneInput(data, size); /* aborts when it does not hold */
    }
}

TESTS(roundtrip, files)
