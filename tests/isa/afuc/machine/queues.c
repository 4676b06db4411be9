/* SPDX-License-Identifier: MIT */
/* Packets and where they come from: ring buffer, indirect buffers, draw state; headers; CP_PROTECT; faults. */
#include "program.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Copies the packet table into the hardware, as boot code does; $02 is the base of the image. */
#define BOOT_A6XX                                                                                                      \
    "[016ee001]\n[#jumptbl]\nmov $02, 0x1000\nmov $04, #jumptbl << 2\nadd $02, $02, $04\nmov $rem, 0x80\n"             \
    "cwrite $02, [$00 + @MEM_READ_ADDR]\ncwrite $00, [$00 + @MEM_READ_ADDR+0x1]\n"                                     \
    "cwrite $rem, [$00 + @MEM_READ_DWORDS]\ncwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n"                            \
    "(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\nwaitin\nmov $01, $data\n"

static const char firmware[] = BOOT_A6XX
    "CP_NOP: (rep)mov $00, $data\nwaitin\nmov $01, $data\n"
    "PKT4: ushr $02, $01, 0x8\nand $usraddr, $02, 0xffff\n(rep)mov $data, $data\nwaitin\nmov $01, $data\n"
    "CP_INDIRECT_BUFFER: cread $05, [$00 + @IB_LEVEL]\nshl $06, $05, 0x2\n"
    "cwrite $data, [$06 + @IB1_BASE]\ncwrite $data, [$06 + @IB1_BASE+0x1]\ncwrite $data, [$06 + @IB1_DWORDS]\n"
    "add $05, $05, 0x1\ncwrite $05, [$00 + @IB_LEVEL]\nwaitin\nmov $01, $data\n"
    /* runs group 0 through the SDS queue */
    "CP_SET_DRAW_STATE: (rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\ncwrite $00, [$00 + @DRAW_STATE_SEL]\n"
    "cread $02, [$00 + @DRAW_STATE_BASE]\ncread $03, [$00 + @DRAW_STATE_HDR]\nand $03, $03, 0xffff\n"
    "cwrite $02, [$00 + @SDS_BASE]\ncwrite $00, [$00 + @SDS_BASE+0x1]\ncwrite $03, [$00 + @SDS_DWORDS]\n"
    "mov $02, 0x3\ncwrite $02, [$00 + @IB_LEVEL]\nwaitin\nmov $01, $data\n"
    "CP_CONTEXT_SWITCH_YIELD: mov $02, 0x1\ncwrite $02, [$00 + @PREEMPT_TRIGGER]\nmov $02, #IN_PREEMPT\nswrite $02, "
    "[$00 + %PREEMPT_INSTR]\n"
    "waitin\nmov $01, $data\n"
    "IN_PREEMPT: cwrite $00, [$00 + @PREEMPT_TRIGGER]\nadd $13, $13, 0x1\niret\nnop\n"
    ".align 32\njumptbl:\n.jumptbl\n";

static void boot(struct rig *rig, const struct gpucode_setting *policies)
{
    if (!rig_text(rig, NULL, firmware, policies))
        fail_msg("%s", rig->message);
    if (rig_run(rig, 10000) != GPUCODE_STOP_IDLE)
        fail_msg("boot: %s", rig->stop.text);
}

static void feed4(struct rig *rig, unsigned reg, uint32_t value)
{
    const uint32_t words[] = {rig_packet4(reg, 1), value};
    rig_feed(rig, words, 2);
}

static void poke4(struct rig *rig, uint64_t address, unsigned reg, uint32_t value)
{
    rig_poke(rig, address, rig_packet4(reg, 1));
    rig_poke(rig, address + 4, value);
}

static void feed_buffer(struct rig *rig, uint64_t address, uint32_t dwords)
{
    const uint32_t words[] = {rig_packet7(0x3f, 3), (uint32_t)address, (uint32_t)(address >> 32), dwords};
    rig_feed(rig, words, 4);
}

/* IB1 calls IB2, which runs before the rest of IB1, which runs before the rest of the ring. */
static void nested_buffers(void)
{
    struct rig rig;
    boot(&rig, NULL);
    const uint64_t ib1 = 0x200000, ib2 = UINT64_C(0x180000000);
    poke4(&rig, ib1, 0x900, 1);
    rig_poke(&rig, ib1 + 8, rig_packet7(0x3f, 3));
    rig_poke(&rig, ib1 + 12, (uint32_t)ib2);
    rig_poke(&rig, ib1 + 16, (uint32_t)(ib2 >> 32));
    rig_poke(&rig, ib1 + 20, 4);
    poke4(&rig, ib1 + 24, 0x901, 3);
    poke4(&rig, ib2, 0x900, 2);
    poke4(&rig, ib2 + 8, 0x901, 2);
    feed_buffer(&rig, ib1, 8);
    feed4(&rig, 0x902, 4);
    struct rig_record record = {0};
    rig_watch(&rig, &record);
    assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
    static const uint32_t expected[][2] = {{0x900, 1}, {0x900, 2}, {0x901, 2}, {0x901, 3}, {0x902, 4}};
    unsigned seen = 0;
    for (size_t i = 0; i < record.count; i++)
        for (unsigned k = 0; k < record.steps[i].count; k++) {
            const struct rig_change *change = &record.steps[i].changes[k];
            if (change->space != GPUCODE_SPACE_GPU)
                continue;
            assert_true(seen < 5);
            assert_int_equal(change->index, expected[seen][0]);
            assert_int_equal(change->value, expected[seen][1]);
            seen++;
        }
    assert_int_equal(seen, 5);
    assert_int_equal(rig_get(&rig, "@IB_LEVEL"), 0);
    rig_record_free(&record);
    rig_free(&rig);
}

/* What an event writes when it is done: to memory, or to shared scratch; 32 or 64 bits, or the counter. */
static void event_timestamps(void)
{
#define PIPE(name, value) "mov $addr, " name " << 24\nmov $data, " value "\n"
#define STAMP(address, control, data) PIPE("0xe8", address) "mov $data, 0x0\n" PIPE("0xea", control) PIPE("0xeb", data)
    static const struct {
        const char *target, *text, *policy, *choice;
        uint32_t memory[3]; /* at 0x100000 */
        uint32_t shared;    /* control register 0x202 */
        bool counter;       /* the first word is the clock */
    } cases[] = {
        {"afuc:a630", STAMP("0x10 << 16", "0x104", "0x55") PIPE("0xe7", "0x5"), NULL, NULL, {0x55}, 0, false},
        {"afuc:a630", STAMP("0x10 << 16", "0x104", "0x55") PIPE("0xe7", "0x1"), NULL, NULL, {0}, 0, false},
        {"afuc:a630", STAMP("0x10 << 16", "0x106", "0x55") PIPE("0xe7", "0x5"), NULL, NULL, {0}, 0, true},
        {"afuc:a630",
         PIPE("0xe7", "0x5") STAMP("0x10 << 16", "0x104", "0x55"),
         "afuc-event-order",
         "first",
         {0x55},
         0,
         false},
        {"afuc:a630", PIPE("0xe7", "0x5") STAMP("0x10 << 16", "0x104", "0x55"), NULL, NULL, {0}, 0, false},
        {"afuc:a730", STAMP("0x10 << 16", "0x9", "0x66") PIPE("0xe7", "0x9"), NULL, NULL, {0x66}, 0, false},
        {"afuc:a730",
         STAMP("0x10 << 16", "0x11", "0x66") "mov $data, 0x77\n" PIPE("0xe7", "0x9"),
         NULL,
         NULL,
         {0x66, 0x77},
         0,
         false},
        {"afuc:a730", STAMP("0x10 << 16", "0x19", "0x66") PIPE("0xe7", "0x9"), NULL, NULL, {0}, 0, true},
        {"afuc:a730", STAMP("0x10 << 16", "0x8", "0x66") PIPE("0xe7", "0x9"), NULL, NULL, {0}, 0, false},
        {"afuc:a730", STAMP("0x10 << 16", "0x1", "0x66") PIPE("0xe7", "0x9"), NULL, NULL, {0}, 0, false},
        /* of more than three the last three are kept */
        {"afuc:a730",
         STAMP("0x10 << 16", "0x9", "0x11") STAMP("0x10 << 16", "0x9", "0x22") STAMP("0x2", "0xa", "0x33")
             STAMP("0x2", "0xa", "0x44") PIPE("0xe7", "0x19"),
         NULL,
         NULL,
         {0x22},
         0x44,
         false},
        {"afuc:a730",
         STAMP("0x10 << 16", "0x9", "0x11") STAMP("0x2", "0xa", "0x22") STAMP("0x2", "0xa", "0x33")
             STAMP("0x2", "0xa", "0x44") PIPE("0xe7", "0x19"),
         NULL,
         NULL,
         {0},
         0x44,
         false},
        /* two of them, the second to shared scratch; then of two only the last */
        {"afuc:a730",
         STAMP("0x10 << 16", "0x9", "0x66") STAMP("0x2", "0xa", "0x88") PIPE("0xe7", "0x11"),
         NULL,
         NULL,
         {0x66},
         0x88,
         false},
        {"afuc:a730",
         STAMP("0x10 << 16", "0x9", "0x66") STAMP("0x2", "0xa", "0x88") PIPE("0xe7", "0x9"),
         NULL,
         NULL,
         {0},
         0x88,
         false},
        {"afuc:a730",
         STAMP("0x202", "0xa", "0x88") PIPE("0xe7", "0x9"),
         "afuc-event-on-chip",
         "number",
         {0},
         0x88,
         false},
        {"afuc:a730", STAMP("0x2", "0xa", "0x88") PIPE("0xe7", "0x9"), "afuc-event-on-chip", "none", {0}, 0, false},
        {"afuc:a730",
         PIPE("0xe7", "0x11") STAMP("0x10 << 16", "0x9", "0x66") STAMP("0x2", "0xa", "0x88"),
         "afuc-event-order",
         "first",
         {0x66},
         0x88,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        char text[1024];
        const struct gpucode_setting policies[] = {{cases[i].policy, cases[i].choice}, {NULL, NULL}};
        snprintf(text, sizeof text, "[01630001]\n%send: jump #end\nnop\n", cases[i].text);
        assert_true(rig_text(&rig, cases[i].target, text, policies));
        rig_run(&rig, 60);
        uint32_t first = rig_peek(&rig, 0x100000);
        if (cases[i].counter)
            assert_in_range(first, 1, 60);
        else
            assert_int_equal(first, cases[i].memory[0]);
        assert_int_equal(rig_peek(&rig, 0x100004), cases[i].memory[1]);
        if (strcmp(cases[i].target, "afuc:a730") == 0)
            assert_int_equal(rig_get(&rig, "@0x202"), cases[i].shared);
        rig_free(&rig);
    }
    /* what is not known stops the machine; a clear of resources writes nothing */
    static const struct {
        const char *text, *code;
    } unknown[] = {
        {STAMP("0x10 << 16", "0x21", "0x66"), "afuc-event-value"},
        {STAMP("0x10 << 16", "0xd", "0x66"), "afuc-event-space"},
        {STAMP("0x10 << 16", "0xc", "0x66"), NULL},
        {STAMP("0xffff", "0xa", "0x66"), "afuc-event-on-chip"},
        {STAMP("0x100", "0xa", "0x66"), "afuc-event-on-chip"}, /* the first behind shared scratch */
    };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct rig rig;
        char text[1024];
        snprintf(text, sizeof text, "[01730001]\n%s" PIPE("0xe7", "0x9") "end: jump #end\nnop\n", unknown[i].text);
        assert_true(rig_text(&rig, "afuc:a730", text, NULL));
        assert_int_equal(rig_run(&rig, 60), unknown[i].code ? GPUCODE_STOP_UNKNOWN : GPUCODE_STOP_LIMIT);
        if (unknown[i].code)
            assert_string_equal(rig.stop.code, unknown[i].code);
        assert_int_equal(rig_peek(&rig, 0x100000), 0);
        rig_free(&rig);
    }
    /* the first word of shared scratch, and two words of which the second is behind the last */
    for (unsigned i = 0; i < 2; i++) {
        struct rig rig;
        program_make(&rig, A7XX,
                     i ? STAMP("0xff", "0x12", "0x66") "mov $data, 0x77\n" PIPE("0xe7", "0x9")
                       : STAMP("0x0", "0xa", "0x66") PIPE("0xe7", "0x9"),
                     NULL, 0, NULL);
        assert_int_equal(rig_run(&rig, 60), i ? GPUCODE_STOP_UNKNOWN : GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, i ? "@0x2ff" : "@0x200"), 0x66);
        if (i)
            assert_non_null(strstr(rig.stop.text, "0x100"));
        rig_free(&rig);
    }
    /* a stamp that cannot be written: the machine stops at its second word, and at the first of two */
    const struct gpucode_setting small[] = {{"afuc-memory", "1"}, {NULL, NULL}};
    const struct gpucode_setting second[] = {{"afuc-memory", "1"}, {"afuc-event-order", "first"}, {NULL, NULL}};
    static const struct {
        const char *target, *text;
        uint32_t before; /* what is in the last word of memory then */
        bool first;      /* the command stands in front */
    } faults[] = {
        {"afuc:a630", STAMP("0x4000 << 16", "0x104", "0x55") PIPE("0xe7", "0x5"), 0, false},
        {"afuc:a730", STAMP("$07", "0x11", "0x66") "mov $data, 0x77\n" PIPE("0xe7", "0x9"), 0x66, false},
        {"afuc:a730", STAMP("0x4000 << 16", "0x9", "0x66") STAMP("$07", "0x9", "0x88") PIPE("0xe7", "0x11"), 0, false},
        {"afuc:a730", PIPE("0xe7", "0x9") STAMP("0x4000 << 16", "0x9", "0x66"), 0, true},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct rig rig;
        char text[1024];
        snprintf(text, sizeof text, "[01630001]\n%send: jump #end\nnop\n", faults[i].text);
        assert_true(rig_text(&rig, faults[i].target, text, faults[i].first ? second : small));
        rig_set(&rig, "$07", 0x3ffffffc);
        assert_int_equal(rig_run(&rig, 60), GPUCODE_STOP_FAULT);
        assert_non_null(strstr(rig.stop.text, "0x40000000"));
        assert_int_equal(rig_peek(&rig, 0x3ffffffc), faults[i].before);
        rig_free(&rig);
    }
#undef STAMP
#undef PIPE
}

static void draw_state_group(void)
{
    struct rig rig;
    boot(&rig, NULL);
    poke4(&rig, 0x300000, 0x900, 7);
    const uint32_t words[] = {rig_packet7(0x43, 3), 0x00700002, 0x300000, 0};
    rig_feed(&rig, words, 4);
    feed4(&rig, 0x901, 8);
    assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "0x900"), 7);
    assert_int_equal(rig_get(&rig, "0x901"), 8);
    assert_int_equal(rig_get(&rig, "@SDS_DWORDS"), 0);
    rig_free(&rig);
    /* a packet that ends before the base is not read over: what comes after it is done, and its own words are not */
    for (unsigned count = 1; count < 3; count++) {
        boot(&rig, NULL);
        const uint32_t cut[] = {rig_packet7(0x43, count), 0x00700000, 0x300000};
        rig_feed(&rig, cut, 1 + count);
        feed4(&rig, 0x901, 8);
        assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "0x901"), 8);
        rig_free(&rig);
    }
}

/* Levels that nobody knows: the highest that there could be is lowered to one with words, what is above it is not. */
static void unknown_levels(void)
{
    for (unsigned level = 7; level < 9; level++) {
        struct rig rig;
        boot(&rig, NULL);
        rig_set(&rig, "@IB_LEVEL", level);
        feed4(&rig, 0x900, 5);
        assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "0x900"), level == 7 ? 5 : 0);
        assert_int_equal(rig_get(&rig, "@IB_LEVEL"), level == 7 ? 0 : 8);
        assert_int_equal(gpucode_machine_enter(rig.machine, 0, level, 0x300000, 3), GPUCODE_ERROR_RANGE);
        rig_free(&rig);
    }
}

/* With the firmware in charge of IB_LEVEL nothing lowers it. */
static void level_policy(void)
{
    const struct gpucode_setting firmware_lowers[] = {{"afuc-ib-return", "firmware"}, {NULL, NULL}};
    struct rig rig;
    boot(&rig, firmware_lowers);
    poke4(&rig, 0x200000, 0x900, 1);
    feed_buffer(&rig, 0x200000, 2);
    feed4(&rig, 0x901, 2);
    assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "0x900"), 1);
    assert_int_equal(rig_get(&rig, "0x901"), 0);
    assert_int_equal(rig_get(&rig, "@IB_LEVEL"), 1);
    rig_free(&rig);
}

/* A ring in memory, described by the driver's registers, that wraps around. */
static void ring_in_memory(void)
{
    struct rig rig;
    boot(&rig, NULL);
    rig_set(&rig, "CP_RB_BASE", 0x500000);
    rig_set(&rig, "CP_RB_CNTL", 3); /* 8 units of 64 bits: 16 words */
    rig_set(&rig, "CP_RB_RPTR", 14);
    poke4(&rig, 0x500000 + 4 * 14, 0x900, 1);
    poke4(&rig, 0x500000, 0x901, 2);
    rig_set(&rig, "CP_RB_WPTR", 2);
    assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "0x900"), 1);
    assert_int_equal(rig_get(&rig, "0x901"), 2);
    assert_int_equal(rig_get(&rig, "CP_RB_RPTR"), 2);
    assert_int_equal(rig_get(&rig, "@RB_RPTR"), 2);
    rig_free(&rig);
    /* the largest ring, of 4 GiB, and none */
    for (unsigned size = 29; size < 31; size++) {
        boot(&rig, NULL);
        rig_set(&rig, "CP_RB_BASE", 0x500000);
        rig_set(&rig, "CP_RB_CNTL", size);
        poke4(&rig, 0x500000, 0x900, 1);
        rig_set(&rig, "CP_RB_WPTR", 2);
        assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "0x900"), size == 29);
        rig_free(&rig);
    }
}

/* A packet may come in pieces. */
static void pieces(void)
{
    struct rig rig;
    boot(&rig, NULL);
    const uint32_t words[] = {rig_packet4(0x900, 3), 1, 2, 3};
    for (unsigned i = 0; i < 4; i++) {
        rig_feed(&rig, &words[i], 1);
        assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    }
    assert_int_equal(rig_get(&rig, "0x902"), 3);
    assert_int_equal(rig_get(&rig, "$rem"), 0);
    rig_free(&rig);
}

static void wrong(struct rig *rig, enum gpucode_stop_reason reason, const char *code)
{
    enum gpucode_stop_reason got = rig_run(rig, 10000);
    if (!rig->stop.code || strcmp(rig->stop.code, code) != 0)
        fail_msg("%s instead of %s", rig->stop.code ? rig->stop.code : "limit", code);
    assert_int_equal(got, reason);
    assert_non_null(gpucode_explain(code));
    assert_true(strlen(rig->stop.text) > 10);
    rig_free(rig);
}

static void bad_headers(void)
{
    static const uint32_t headers[] = {0x00000000, 0x30000000, 0x70100001, 0x70108000 ^ 0x800000,
                                       0x40090001, 0x48090001};
    for (unsigned i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct rig rig;
        boot(&rig, NULL);
        uint32_t header = i == 2   ? rig_packet7(0x10, 1) ^ 0x8000
                          : i >= 4 ? rig_packet4(0x900, 1) ^ (i == 4 ? 0x80 : 0x8000000)
                                   : headers[i];
        rig_feed(&rig, &header, 1);
        wrong(&rig, GPUCODE_STOP_FAULT, "afuc-header");
    }
    const struct gpucode_setting ignore[] = {{"afuc-parity", "ignore"}, {NULL, NULL}};
    struct rig rig;
    boot(&rig, ignore);
    const uint32_t words[] = {rig_packet4(0x900, 1) ^ 0x80, 5};
    rig_feed(&rig, words, 2);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "0x900"), 5);
    rig_free(&rig);
}

static void cut_off(void)
{
    struct rig rig;
    boot(&rig, NULL);
    poke4(&rig, 0x200000, 0x900, 1);
    feed_buffer(&rig, 0x200000, 1);
    wrong(&rig, GPUCODE_STOP_FAULT, "afuc-queue-dry");
    boot(&rig, NULL);
    feed_buffer(&rig, UINT64_C(0x7000000000), 4);
    wrong(&rig, GPUCODE_STOP_FAULT, "afuc-unmapped");
    boot(&rig, NULL);
    feed_buffer(&rig, 0x200002, 4);
    wrong(&rig, GPUCODE_STOP_FAULT, "afuc-unaligned");
    program_stops(&rig, A6XX, "mov $02, 0x7\ncwrite $02, [$00 + @IB_LEVEL]\nmov $02, $data\n", NULL, 0,
                  GPUCODE_STOP_UNKNOWN, "afuc-level");
    rig_free(&rig);
}

static void no_table(void)
{
    struct rig rig;
    program_make(&rig, A6XX, "nop\n", NULL, 0, NULL);
    const uint32_t header = rig_packet7(0x10, 0);
    rig_feed(&rig, &header, 1);
    wrong(&rig, GPUCODE_STOP_FAULT, "afuc-no-table");
    boot(&rig, NULL); /* a handler outside the section, as a host can set it */
    gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_PACKET, 0x10, 0x10000);
    rig_feed(&rig, &header, 1);
    wrong(&rig, GPUCODE_STOP_FAULT, "afuc-handler");
    boot(&rig, NULL);
    assert_string_equal(rig.stop.code, "afuc-idle");
    rig_free(&rig);
}

/* CP_PROTECT: base to base + length, both ends included; $addr goes past it. */
static void protection(void)
{
    for (unsigned reg = 0x90f; reg <= 0x913; reg++) {
        struct rig rig;
        boot(&rig, NULL);
        rig_set(&rig, "CP_PROTECT[0].REG", 0x910 | 2 << 18);
        rig_set(&rig, "CP_PROTECT_CNTL", 3);
        feed4(&rig, reg, 1);
        bool inside = reg >= 0x910 && reg <= 0x912;
        assert_int_equal(rig_run(&rig, 1000), inside ? GPUCODE_STOP_FAULT : GPUCODE_STOP_IDLE);
        uint32_t value;
        gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GPU, reg, &value);
        assert_int_equal(value, inside ? 0 : 1);
        assert_int_equal(rig_get(&rig, "CP_PROTECT_STATUS"), inside ? reg | 3 << 21 : 0);
        if (inside)
            assert_string_equal(rig.stop.code, "afuc-protected");
        rig_free(&rig);
    }
    struct rig rig; /* without the fault bit the write is dropped */
    boot(&rig, NULL);
    rig_set(&rig, "CP_PROTECT[0].REG", 0x910);
    rig_set(&rig, "CP_PROTECT_CNTL", 1);
    feed4(&rig, 0x910, 1);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "0x910"), 0);
    assert_int_equal(rig_get(&rig, "CP_PROTECT_STATUS"), 0x910 | 1 << 22);
    rig_free(&rig);
    /* the firmware's question, and $addr */
    program_make(&rig, A6XX,
                 "mov $02, 0x10 << 16\nor $usraddr, $02, 0x90e\nmov $03, 0x2\nmov $data, $03\n"
                 "cread $04, [$00 + @REG_READ_TEST_RESULT]\nor $usraddr, $02, 0x90e\nmov $03, 0x3\nmov $data, $03\n"
                 "cread $05, [$00 + @REG_READ_TEST_RESULT]\nmov $addr, 0x910\nmov $data, $03\n",
                 NULL, 0, NULL);
    rig_set(&rig, "CP_PROTECT[5].REG", 0x910);
    rig_set(&rig, "CP_PROTECT_CNTL", 3);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$04"), 1);
    assert_int_equal(rig_get(&rig, "$05"), 5);
    assert_int_equal(rig_get(&rig, "0x910"), 3);
    rig_free(&rig);
}

static void faults(void)
{
    static const struct {
        const char *text, *code;
        enum gpucode_stop_reason reason;
    } cases[] = {
        {"a: call #a\nnop\n", "afuc-stack-full", GPUCODE_STOP_FAULT},
        {"ret\nnop\n", "afuc-stack-empty", GPUCODE_STOP_FAULT},
        {"[ffffffff]\n", "afuc-no-insn", GPUCODE_STOP_UNKNOWN},
        {"mov $02, 0x8000\njumpd $02\nnop\n", "afuc-left-section", GPUCODE_STOP_FAULT},
        {"mov $02, 0xff\ncwrite $02, [$00 + @LOAD_STORE_HI]\nload $03, [$00 + 0x0]\n", "afuc-unmapped",
         GPUCODE_STOP_FAULT},
        {"mov $02, 0xff\ncwrite $02, [$00 + @LOAD_STORE_HI]\nstore $03, [$00 + 0x0]\n", "afuc-unmapped",
         GPUCODE_STOP_FAULT},
        {"load $03, [$00 + 0x1]\n", "afuc-unaligned", GPUCODE_STOP_FAULT},
        {"sread $03, [$00 + 0x10]\n", "afuc-range", GPUCODE_STOP_FAULT},
        {"a: jump #a\nnop\n", "afuc-hang", GPUCODE_STOP_HANG},
        {"a: cread $02, [$00 + 0x150]\nbreq $02, 0x0, #a\nnop\n", "afuc-hang-register", GPUCODE_STOP_HANG},
        {"mov $02, 0x20 << 16\na: load $03, [$02 + 0x0]\nbreq $03, 0x0, #a\nnop\n", "afuc-hang-memory",
         GPUCODE_STOP_HANG},
        /* the usual way to poll a GPU register writes control registers every time */
        {"mov $02, 0x900\nmov $03, 0x1\na: cwrite $02, [$00 + @REG_READ_ADDR]\ncwrite $03, [$00 + @REG_READ_DWORDS]\n"
         "mov $04, $regdata\nbreq $04, 0x0, #a\nnop\n",
         "afuc-hang-register", GPUCODE_STOP_HANG},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        program_stops(&rig, A6XX, cases[i].text, NULL, 0, cases[i].reason, cases[i].code);
        assert_non_null(gpucode_explain(cases[i].code));
        rig_free(&rig);
    }
    struct rig rig; /* the stack has eight places: the ninth call in calls is the one that stops */
    program_stops(&rig, A6XX, "a: add $02, $02, 0x1\ncall #a\nnop\n", NULL, 0, GPUCODE_STOP_FAULT, "afuc-stack-full");
    assert_int_equal(rig_get(&rig, "$02"), 9);
    rig_free(&rig);
}

/* A hang's report names the register; loops that end are none, however long; clocks end loops. */
static void hangs(void)
{
    struct rig rig;
    program_stops(&rig, A6XX, "a: cread $02, [$00 + @SECURE_MODE]\nbreq $02, 0x0, #a\nnop\n", NULL, 0,
                  GPUCODE_STOP_HANG, "afuc-hang-register");
    assert_non_null(strstr(rig.stop.text, "@SECURE_MODE"));
    rig_set(&rig, "@SECURE_MODE", 1); /* what the hardware would have done */
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    rig_free(&rig);
    program_run(&rig, A6XX, "mov $02, 0x3fff\na: brne $02, 0x0, #a\nsub $02, $02, 0x1\n", NULL, 0);
    rig_free(&rig);
    program_run(&rig, A6XX, "a: cread $02, [$00 + @PREEMPTION_TIMER]\nushr $02, $02, 0xe\nbreq $02, 0x0, #a\nnop\n",
                NULL, 0);
    rig_free(&rig);
    const struct gpucode_setting answer[] = {
        {"afuc-answer", "@SECURE_MODE=1"}, {"afuc-answer", "0x900=0x5"}, {NULL, NULL}};
    program_make(&rig, A6XX,
                 "a: cread $02, [$00 + @SECURE_MODE]\nbreq $02, 0x0, #a\nmov $03, 0x900\n"
                 "cwrite $03, [$00 + @REG_READ_ADDR]\nmov $04, $regdata\n",
                 NULL, 0, answer);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$04"), 5);
    rig_free(&rig);
    const struct gpucode_setting bad[] = {{"afuc-answer", "NO_SUCH=1"}, {NULL, NULL}};
    assert_false(rig_text(&rig, NULL, A6XX "nop\n", bad));
    assert_non_null(strstr(rig.message, "NO_SUCH"));
    rig_free(&rig);
}

/* A single step finds that a loop comes to no end, too. */
static void hang_by_steps(void)
{
    struct rig rig;
    program_make(&rig, A6XX, "a: cread $02, [$00 + @SECURE_MODE]\nbreq $02, 0x0, #a\nnop\n", NULL, 0, NULL);
    unsigned steps = 0;
    do
        gpucode_machine_step(rig.machine, 0, &rig.stop);
    while (rig.stop.reason == GPUCODE_STOP_LIMIT && ++steps < 10000);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_HANG);
    assert_string_equal(rig.stop.code, "afuc-hang-register");
    assert_int_equal(rig.stop.processor, 0);
    assert_true(steps > 4096 && steps < 10000);
    rig_set(&rig, "@SECURE_MODE", 1);
    for (unsigned i = 0; i < 4; i++) /* the rest of the loop */
        gpucode_machine_step(rig.machine, 0, &rig.stop);
    do
        gpucode_machine_step(rig.machine, 0, &rig.stop);
    while (rig.stop.reason == GPUCODE_STOP_LIMIT && ++steps < 20000);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_IDLE);
    rig_free(&rig);
}

/* Instructions that read the queue where an offset or address stands wait for it, and run once when it comes. */
static void offsets_from_the_queue(void)
{
    static const struct {
        const char *text;
        unsigned needs;
        uint32_t result; /* in $02 */
    } cases[] = {
        {"load $02, [$data + 0x4]\n", 1, 0x77},
        {"store $03, [$data + 0x8]\nload $02, [$05 + 0x8]\n", 1, 0x55},
        {"store $data, [$data + 0x8]\nload $02, [$05 + 0x8]\n", 2, 0x200000},
        {"swrite $03, [$00 + %PREEMPT_INSTR]\nsread $02, [$data + 0x0]\n", 1, 0x55},
        {"swrite $03, [$data + 0x0]\nsread $02, [$00 + %PREEMPT_INSTR]\n", 1, 0x55},
        {"cwrite $03, [$00 + @SCRATCH_REG1]\ncread $02, [$data + 0x0]\n", 1, 0x55},
        {"cwrite $03, [$data + 0x0]\ncread $02, [$00 + @SCRATCH_REG1]\n", 1, 0x55},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct rig rig;
        uint32_t number = 0x200000;
        unsigned space;
        snprintf(text, sizeof text, "mov $03, 0x55\nmov $05, 0x20 << 16\n%smov $04, 0x66\n", cases[i].text);
        program_make(&rig, A6XX, text, NULL, 0, NULL);
        rig_poke(&rig, 0x200004, 0x77);
        if (strstr(text, "sread") || strstr(text, "cread"))
            assert_true(gpucode_machine_find(rig.machine, strstr(text, "sread") ? "%PREEMPT_INSTR" : "@SCRATCH_REG1",
                                             &space, &number));
        for (unsigned fed = 0; fed < cases[i].needs; fed++) {
            assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
            assert_int_equal(rig_get(&rig, "$04"), 0);
            rig_feed(&rig, &number, 1);
        }
        assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "$04"), 0x66);
        assert_int_equal(rig_get(&rig, "$02"), cases[i].result);
        rig_free(&rig);
    }
}

/* (peek) with nothing in the queue: 0, or it waits. */
static void peeking(void)
{
    static const char text[] = "(peek)or $02, $data, $00\nmov $03, 0x5\nmov $04, $data\n";
    const struct gpucode_setting waits[] = {{"afuc-peek", "wait"}, {NULL, NULL}};
    const uint32_t word = 9;
    for (unsigned wait = 0; wait < 2; wait++) {
        struct rig rig;
        program_make(&rig, A6XX, text, NULL, 0, wait ? waits : NULL);
        assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "$03"), wait ? 0 : 5);
        rig_feed(&rig, &word, 1);
        assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "$02"), wait ? 9 : 0);
        assert_int_equal(rig_get(&rig, "$03"), 5);
        assert_int_equal(rig_get(&rig, "$04"), 9);
        rig_free(&rig);
    }
}

static void preemption(void)
{
    struct rig rig;
    boot(&rig, NULL);
    const uint32_t header = rig_packet7(0x6b, 0); /* CP_CONTEXT_SWITCH_YIELD */
    rig_feed(&rig, &header, 1);
    feed4(&rig, 0x900, 1);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$13"), 1);
    assert_int_equal(rig_get(&rig, "0x900"), 1);
    rig_free(&rig);
}

/* Words at a level are read from there, and the ring after them. */
static void entered(void)
{
    struct rig rig;
    boot(&rig, NULL);
    for (unsigned level = 0; level < 4; level++) {
        poke4(&rig, 0x300000, 0x900, level);
        rig_poke(&rig, 0x300008, rig_packet7(0x10, 0));
        feed4(&rig, 0x901, level);
        assert_int_equal(gpucode_machine_enter(rig.machine, 0, level, 0x300000, 3), GPUCODE_OK);
        assert_int_equal(rig_get(&rig, "@IB_LEVEL"), level);
        assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "@IB_LEVEL"), 0);
        assert_int_equal(rig_get(&rig, "0x900"), level);
        assert_int_equal(rig_get(&rig, "0x901"), level);
    }
    assert_int_equal(gpucode_machine_enter(rig.machine, 0, 4, 0x300000, 3), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_enter(rig.machine, 0, 9, 0x300000, 3), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_enter(rig.machine, 7, 1, 0x300000, 3), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_machine_enter(NULL, 0, 1, 0x300000, 3), GPUCODE_ERROR_ARGUMENT);
    rig_free(&rig);
}

/* Addresses that count on past 4 GiB: of buffers, of requests, and of what the a5xx reads and writes by registers. */
static void past_4_gib(void)
{
    struct rig rig;
    boot(&rig, NULL);
    poke4(&rig, UINT64_C(0xfffffff8), 0x900, 7);
    poke4(&rig, UINT64_C(0x100000000), 0x901, 8);
    feed_buffer(&rig, 0xfffffff8, 4);
    assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "0x900"), 7);
    assert_int_equal(rig_get(&rig, "0x901"), 8);
    assert_int_equal(rig_get(&rig, "@IB1_BASE"), 8);
    assert_int_equal(rig_get(&rig, "@IB1_BASE+0x1"), 1);
    rig_free(&rig);
    program_make(&rig, A7XX,
                 "not $02, 0x3\nmov $03, 0x2\ncwrite $02, [$00 + @MEM_READ_ADDR]\n"
                 "cwrite $03, [$00 + @MEM_READ_DWORDS]\nmov $04, $memdata\nmov $05, $memdata\n",
                 NULL, 0, NULL);
    rig_poke(&rig, UINT64_C(0xfffffffc), 0xaa);
    rig_poke(&rig, UINT64_C(0x100000000), 0xbb);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$04"), 0xaa);
    assert_int_equal(rig_get(&rig, "$05"), 0xbb);
    assert_int_equal(rig_get(&rig, "@MEM_READ_ADDR"), 4);
    assert_int_equal(rig_get(&rig, "@MEM_READ_ADDR+0x1"), 1);
    rig_free(&rig);
    program_make(&rig, A5XX,
                 "not $02, 0x3\nmov $03, 0x1\nmov $addr, 0x80d\nmov $data, $02\nmov $data, $03\n"
                 "mov $addr, 0x810\nmov $data, 0x44\nmov $data, 0x55\n",
                 NULL, 0, NULL);
    rig_poke(&rig, UINT64_C(0x1fffffffc), 0);
    rig_poke(&rig, UINT64_C(0x200000000), 0);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_peek(&rig, UINT64_C(0x1fffffffc)), 0x44);
    assert_int_equal(rig_peek(&rig, UINT64_C(0x200000000)), 0x55);
    assert_int_equal(rig_get(&rig, "0x80e"), 2);
    rig_free(&rig);
}

/* Addresses above 4 GiB: of a stamp, of what $memdata reads, and by whichever register has their high half. */
static void above_4_gib(void)
{
    static const struct {
        uint32_t high, preemption, expected;
    } reads[] = {
        {0, 0x80000001, 0x22}, {0, 0x40000001, 0x11}, {1, 0x80000000, 0x11}, {1, 0, 0x22}, {1, 0x80000001, 0x22},
    };
    struct rig rig;
    program_make(&rig, A7XX,
                 "mov $addr, 0xe8 << 24\nmov $data, 0x10 << 16\nmov $data, 0x1\nmov $addr, 0xea << 24\nmov $data, 0x9\n"
                 "mov $addr, 0xeb << 24\nmov $data, 0x66\nmov $addr, 0xe7 << 24\nmov $data, 0x9\n",
                 NULL, 0, NULL);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_peek(&rig, UINT64_C(0x100100000)), 0x66);
    rig_free(&rig);
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        program_make(&rig, GEN8,
                     "mov $02, 0x10 << 16\ncwrite $02, [$00 + @MEM_READ_ADDR]\n"
                     "cwrite $04, [$00 + @MEM_READ_ADDR_HI_PREEMPTION]\ncwrite $03, [$00 + @MEM_READ_ADDR+0x1]\n"
                     "mov $02, 0x1\ncwrite $02, [$00 + @MEM_READ_DWORDS]\nmov $05, $memdata\n",
                     NULL, 0, NULL);
        rig_set(&rig, "$03", reads[i].high);
        rig_set(&rig, "$04", reads[i].preemption);
        rig_poke(&rig, 0x100000, 0x11);
        rig_poke(&rig, UINT64_C(0x100100000), 0x22);
        assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "$05"), reads[i].expected);
        rig_free(&rig);
    }
}

/* The pipe of queries lowers its own counter, by one for each time, and never below 0. */
static void queries_done(void)
{
    struct rig rig;
    program_run(&rig, A7XX,
                "mov $02, 0x3\ncwrite $02, [$00 + @QUERY_PEND_INCR]\ncwrite $02, [$00 + @WFI_PEND_INCR]\n"
                "mov $addr, |QUERY_PEND_DECR << 24\nmov $addr, |QUERY_PEND_DECR << 24\n"
                "cread $04, [$00 + @QUERY_PEND_CTR]\nmov $addr, |QUERY_PEND_DECR << 24\n"
                "mov $addr, |QUERY_PEND_DECR << 24\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$04"), 1);
    assert_int_equal(rig_get(&rig, "@QUERY_PEND_CTR"), 0);
    assert_int_equal(rig_get(&rig, "@WFI_PEND_CTR"), 3);
    rig_free(&rig);
}

TESTS(queues, hang_by_steps, offsets_from_the_queue, peeking, event_timestamps, past_4_gib, above_4_gib, queries_done,
      nested_buffers, draw_state_group, unknown_levels, level_policy, ring_in_memory, pieces, bad_headers, cut_off,
      no_table, protection, faults, hangs, preemption, entered)
