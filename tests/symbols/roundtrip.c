/* SPDX-License-Identifier: MIT */
/*
 * Random symbol files for small programs and random code: what fuzz/fuzz_symbols.c promises holds for all of them. The
 * lines are made from a grammar of what users write, right and wrong.
 */
#include "group.h"

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

static void files(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned round = 0; round < 4000; round++) {
        uint8_t data[2048];
        size_t size = 1;
        data[0] = (uint8_t)(round % 6);
        for (unsigned lines = next(&seed) % 20; lines; lines--)
            size += put_line((char *)data + size, 1200 - size, &seed);
        if (round % 3 == 0) { /* random code: words that are often instructions */
            data[size++] = 0;
            for (unsigned bytes = 4 * (next(&seed) % 60); bytes; bytes--)
                data[size++] = (uint8_t)(next(&seed) % 3 ? next(&seed) : next(&seed) % 4);
        }
        LLVMFuzzerTestOneInput(data, size); /* aborts when it does not hold */
    }
}

TEST_GROUP(roundtrip)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
