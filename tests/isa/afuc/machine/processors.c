/* SPDX-License-Identifier: MIT */
/* Several processors of one image: started by firmware, sharing memory and scratch, in a turn that can be chosen. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Loads the table of the section whose base is in $02:$03; $04 is the table's offset in bytes. */
#define LOAD_TABLE                                                                                                     \
    "add $05, $02, $04\naddhi $06, $03, 0x0\nmov $rem, 0x80\ncwrite $05, [$00 + @MEM_READ_ADDR]\n"                     \
    "cwrite $06, [$00 + @MEM_READ_ADDR+0x1]\ncwrite $rem, [$00 + @MEM_READ_DWORDS]\n"                                  \
    "cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\n"

/*
 * BR finds its own base, starts BV and LPAC and waits until both have cleared their bits of THREAD_SYNC. Each of those
 * loads its table, leaves a mark in memory and clears its bit. The containers' header words are those of the plain a7xx
 * form.
 */
static const char a7xx[] =
    "[01730001]\n[#jumptbl]\n"
    "mov $02, 0x830\nmov $03, 0x2\ncwrite $02, [$00 + @REG_READ_ADDR]\ncwrite $03, [$00 + @REG_READ_DWORDS]\n"
    "mov $02, $regdata\nmov $03, $regdata\nmov $04, #jumptbl << 2\n" LOAD_TABLE
    "mov $07, 0x6\ncwrite $07, [$00 + @THREAD_SYNC]\n"
    "add $02, $05, 0x200\ncwrite $02, [$00 + @BV_INSTR_BASE]\ncwrite $03, [$00 + @BV_INSTR_BASE+0x1]\n"
    "mov $08, 0x1\ncwrite $08, [$00 + @BV_CNTL]\n"
    "mov $09, #BV:jumptbl << 2\nadd $02, $02, $09\nadd $02, $02, 0x200\n"
    "cwrite $02, [$00 + @LPAC_INSTR_BASE]\ncwrite $03, [$00 + @LPAC_INSTR_BASE+0x1]\ncwrite $08, [$00 + @LPAC_CNTL]\n"
    "wait: cread $07, [$00 + @THREAD_SYNC]\nbrne $07, 0x0, #wait\nnop\n"
    "mov $0a, 0x77\nwaitin\nmov $01, $data\n"
    "CP_NOP: (rep)mov $00, $data\nwaitin\nmov $01, $data\n"
    ".align 32\njumptbl: .jumptbl\n"
    ".section BV\n[01000001]\n[#jumptbl]\n"
    "cread $02, [$00 + @BV_INSTR_BASE]\ncread $03, [$00 + @BV_INSTR_BASE+0x1]\nmov $04, #jumptbl << 2\n" LOAD_TABLE
    "mov $08, 0x40 << 16\nmov $09, 0xb5\nstore $09, [$08 + 0x0]\n"
    "cread $07, [$00 + @THREAD_SYNC]\nclrbit $07, $07, b1\ncwrite $07, [$00 + @THREAD_SYNC]\nwaitin\nmov $01, $data\n"
    "CP_NOP: (rep)mov $0b, $data\nwaitin\nmov $01, $data\n"
    ".align 32\njumptbl: .jumptbl\n"
    ".section LPAC\n[01000001]\n[#jumptbl]\n"
    "cread $02, [$00 + @LPAC_INSTR_BASE]\ncread $03, [$00 + @LPAC_INSTR_BASE+0x1]\nmov $04, #jumptbl << 2\n" LOAD_TABLE
    "mov $08, 0x40 << 16\nmov $09, 0x1bac\nstore $09, [$08 + 0x4]\n"
    /* after BV, so that nobody writes back an old value */
    "wait: cread $07, [$00 + @THREAD_SYNC]\nbreq $07, b1, #wait\nnop\n"
    "clrbit $07, $07, b2\ncwrite $07, [$00 + @THREAD_SYNC]\nwaitin\nmov $01, $data\n"
    "CP_NOP: (rep)mov $00, $data\nwaitin\nmov $01, $data\n"
    ".align 32\njumptbl: .jumptbl\n";

static void make(struct rig *rig, const struct gpucode_setting *policies)
{
    if (!rig_text(rig, NULL, a7xx, policies))
        fail_msg("%s", rig->message);
}

static void names(void)
{
    struct rig rig;
    make(&rig, NULL);
    static const char *const expected[] = {"BR", "BV", "LPAC"};
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(gpucode_machine_processor(rig.machine, i), expected[i]);
        assert_int_equal(gpucode_machine_section(rig.machine, i), i);
    }
    assert_null(gpucode_machine_processor(rig.machine, 3));
    rig_free(&rig);
}

static bool fold(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    uint64_t *hash = user;
    (void)machine;
    *hash = (*hash ^ event->processor ^ event->pc << 8) * UINT64_C(0x9e3779b97f4a7c15);
    return false;
}

/* All three boot, whatever the turns are, and in the same order of instructions whenever the turns are the same. */
static void boot_together(void)
{
    static const char *const quanta[] = {"1", "2", "7", "100", "100000"};
    uint64_t hashes[5][2];
    for (unsigned q = 0; q < 5; q++) {
        for (unsigned cut = 0; cut < 2; cut++) {
            const struct gpucode_setting policies[] = {{"afuc-quantum", quanta[q]}, {NULL, NULL}};
            struct rig rig;
            make(&rig, policies);
            hashes[q][cut] = 0;
            gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, fold, &hashes[q][cut]);
            for (unsigned i = 0; i < 200000; i++)
                if (rig_run(&rig, cut ? 3 : 100000) != GPUCODE_STOP_LIMIT)
                    break;
            assert_int_equal(rig.stop.reason, GPUCODE_STOP_IDLE);
            assert_int_equal(rig_get(&rig, "$0a"), 0x77);
            assert_int_equal(rig_get(&rig, "@THREAD_SYNC"), 0);
            assert_int_equal(rig_peek(&rig, 0x400000), 0xb5);
            assert_int_equal(rig_peek(&rig, 0x400004), 0x1bac);
            rig_free(&rig);
        }
        assert_int_equal(hashes[q][0], hashes[q][1]);
    }
    assert_true(hashes[0][0] != hashes[3][0]);
}

/* Each processor has packets of its own. */
static void own_queues(void)
{
    struct rig rig;
    make(&rig, NULL);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    const uint32_t words[] = {rig_packet7(0x10, 1), 0x123};
    assert_int_equal(gpucode_machine_feed(rig.machine, 1, words, 2), GPUCODE_OK);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    uint32_t br = 1, bv = 1;
    gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GENERAL, 0x0b, &br);
    gpucode_machine_read(rig.machine, 1, GPUCODE_SPACE_GENERAL, 0x0b, &bv);
    assert_int_equal(br, 0);
    assert_int_equal(bv, 0x123);
    rig_free(&rig);
}

/* BR of an a660 starts LPAC by GPU registers; both leave marks, and BR reads THREAD_SYNC after that. */
static const char a660[] =
    "[016dc001]\nmov $12, #jumptbl\n[016dc001]\nmov $13, #next\nnop\nnop\nnop\nnop\n"
    "mov $02, #next << 2\nadd $02, $02, 0x1000\nmov $addr, CP_LPAC_SQE_INSTR_BASE\n"
    "mov $data, $02\nmov $data, $00\nmov $03, 0x1\nmov $addr, CP_LPAC_SQE_CNTL\nmov $data, $03\n"
    "mov $04, 0x100\nl: brne $04, 0x0, #l\nsub $04, $04, 0x1\n"
    "cread $07, [$00 + @THREAD_SYNC]\nmov $08, 0x40 << 16\nmov $09, 0xb5\n"
    "store $09, [$08 + 0x0]\nCP_NOP: waitin\nmov $01, $data\n"
    ".align 32\njumptbl: .jumptbl\n.align 32\nnext:\n.section LPAC\n[01000001]\n"
    "mov $12, #jumptbl\nnop\nnop\nnop\nnop\nnop\nnop\n"
    "mov $08, 0x40 << 16\nmov $09, 0x1bac\nstore $09, [$08 + 0x4]\ncread $07, [$00 + @THREAD_SYNC]\n"
    "CP_NOP: waitin\nmov $01, $data\njumptbl: .jumptbl\n";

/* BV alone boots without BR, and BR alone with stand-ins for the others. */
static void alone(void)
{
    const struct gpucode_setting bv[] = {{"afuc-processor", "BV"}, {NULL, NULL}};
    const struct gpucode_setting stub[] = {{"afuc-coprocessors", "stub"}, {NULL, NULL}};
    const struct gpucode_setting dde[] = {{"afuc-processor", "DDE"}, {NULL, NULL}};
    struct rig rig;
    make(&rig, bv);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig.stop.processor, 1);
    assert_int_equal(rig_peek(&rig, 0x400000), 0xb5);
    assert_int_equal(gpucode_machine_pc(rig.machine, 0), 0);
    rig_free(&rig);
    make(&rig, stub);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$0a"), 0x77);
    assert_int_equal(rig_peek(&rig, 0x400000), 0);
    rig_free(&rig);
    assert_false(rig_text(&rig, NULL, a7xx, dde));
    assert_string_equal(rig.code, "afuc-no-processor");
    rig_free(&rig);
    assert_false(rig_text(&rig, "afuc:a660", a660, dde)); /* with two sections too */
    assert_string_equal(rig.code, "afuc-no-processor");
    rig_free(&rig);
    assert_false(rig_bytes(&rig, "afuc:a630", "", 0, NULL));
    assert_string_equal(rig.code, "afuc-no-code");
    rig_free(&rig);
    /* single steps start a processor */
    make(&rig, NULL);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(gpucode_machine_step(rig.machine, 2, &rig.stop), 1);
    assert_int_equal(gpucode_machine_pc(rig.machine, 2), 5);
    rig_free(&rig);
}

/* Waiting for one another without end is found, and told of one that loops. */
static void deadlock(void)
{
    struct rig rig;
    make(&rig, NULL);
    assert_int_equal(rig_run(&rig, 45), GPUCODE_STOP_LIMIT); /* BR has set THREAD_SYNC; now a bit that nobody clears */
    while (!(rig_get(&rig, "@THREAD_SYNC") & 2))
        assert_int_equal(rig_run(&rig, 1), GPUCODE_STOP_LIMIT);
    rig_set(&rig, "@THREAD_SYNC", 0xe);
    assert_int_equal(rig_run(&rig, 1000000), GPUCODE_STOP_HANG);
    assert_non_null(strstr(rig.stop.text, "@THREAD_SYNC"));
    rig_free(&rig);
}

/* A start address that is not a section's. */
static void wrong_start(void)
{
    char text[sizeof a7xx];
    memcpy(text, a7xx, sizeof a7xx);
    char *at = strstr(text, "add $02, $05, 0x200");
    assert_non_null(at);
    memcpy(at, "add $02, $05, 0x204", 19);
    struct rig rig;
    assert_true(rig_text(&rig, NULL, text, NULL));
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_FAULT);
    assert_string_equal(rig.stop.code, "afuc-start");
    rig_free(&rig);
}

/* What runs is not started again: its base is not looked at any more. */
static void started_twice(void)
{
    static const char once[] = "cwrite $08, [$00 + @LPAC_CNTL]\n",
                      again[] = "cwrite $00, [$00 + @LPAC_INSTR_BASE]\ncwrite $08, [$00 + @LPAC_CNTL]\n";
    char text[sizeof a7xx + sizeof again];
    const char *at = strstr(a7xx, once);
    assert_non_null(at);
    size_t head = (size_t)(at - a7xx) + strlen(once);
    snprintf(text, sizeof text, "%.*s%s%s", (int)head, a7xx, again, a7xx + head);
    struct rig rig;
    assert_true(rig_text(&rig, NULL, text, NULL));
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$0a"), 0x77);
    assert_int_equal(rig_peek(&rig, 0x400004), 0x1bac);
    rig_free(&rig);
}

static void lpac_of_a660(void)
{
    static const struct {
        const char *policy, *value;
        uint32_t marks[2], sync, base; /* what both leave; of LPAC, where GPU registers say that it is */
    } cases[] = {
        {NULL, NULL, {0xb5, 0x1bac}, 2, 1},
        {"afuc-coprocessors", "stub", {0xb5, 0}, 2, 1},
        {"afuc-processor", "BR", {0xb5, 0}, 2, 1},
        {"afuc-processor", "LPAC", {0, 0x1bac}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gpucode_setting policies[] = {{cases[i].policy, cases[i].value}, {NULL, NULL}};
        struct rig rig;
        if (!rig_text(&rig, "afuc:a660", a660, policies))
            fail_msg("%s", rig.message);
        const struct gpucode_section *lpac = &gpucode_image_info(rig.image)->sections[1];
        uint32_t base = 0x1000 + 4 * lpac->start;
        assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_peek(&rig, 0x400000), cases[i].marks[0]);
        assert_int_equal(rig_peek(&rig, 0x400004), cases[i].marks[1]);
        assert_int_equal(rig_get(&rig, "@THREAD_SYNC"), cases[i].sync);
        assert_int_equal(rig_get(&rig, "CP_LPAC_SQE_INSTR_BASE"), base);
        assert_int_equal(rig_get(&rig, "CP_LPAC_SQE_CNTL"), cases[i].marks[0] ? 1 : 0);
        rig_free(&rig);
    }
    /* LPAC alone, in an image above 4 GiB */
    const struct gpucode_setting far[] = {{"afuc-base", "0x100001000"}, {"afuc-processor", "LPAC"}, {NULL, NULL}};
    struct rig rig;
    assert_true(rig_text(&rig, "afuc:a660", a660, far));
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_peek(&rig, 0x400004), 0x1bac);
    assert_int_equal(rig_get(&rig, "CP_LPAC_SQE_INSTR_BASE+0x1"), 1);
    rig_free(&rig);
    /* not the start of a section */
    char text[sizeof a660], *at;
    memcpy(text, a660, sizeof a660);
    at = strstr(text, "0x1000\n");
    memcpy(at, "0x1004\n", 7);
    assert_true(rig_text(&rig, "afuc:a660", text, NULL));
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_FAULT);
    assert_string_equal(rig.stop.code, "afuc-start");
    assert_int_equal(rig_peek(&rig, 0x400004), 0);
    rig_free(&rig);
}

#define ASKS                                                                                                           \
    "l: cwrite $02, [$00 + @COPROCESSOR_LOCK]\ncread $03, [$00 + @COPROCESSOR_LOCK]\njump #l\nnop\n"                   \
    "CP_NOP: waitin\nmov $01, $data\n.align 32\njumptbl: .jumptbl\n"

/* Each lock has one holder at most: whoever asked while nobody held it, or the first that waits when it is released. */
static void locks(void)
{
    static const char text[] = "[01730001]\n[#jumptbl]\n" ASKS ".section BV\n[01000001]\n[#jumptbl]\n" ASKS
                               ".section LPAC\n[01000001]\n[#jumptbl]\n" ASKS;
    uint32_t wanted[3] = {0}, held[3] = {0}, seed = 1;
    struct rig rig;
    if (!rig_text(&rig, NULL, text, NULL))
        fail_msg("%s", rig.message);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(gpucode_machine_set_pc(rig.machine, i, 2), GPUCODE_OK);
    for (unsigned round = 0; round < 300; round++) {
        unsigned who = (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff;
        uint32_t value, asks = (seed = seed * 1103515245 + 12345) >> 16 & 7;
        who %= 3;
        assert_int_equal(gpucode_machine_write(rig.machine, who, GPUCODE_SPACE_GENERAL, 2, asks), GPUCODE_OK);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(gpucode_machine_step(rig.machine, who, &rig.stop), 1);
        wanted[who] = asks;
        held[who] &= asks;
        for (unsigned i = 0; i < 3; i++)
            held[i] |= wanted[i] & ~(held[0] | held[1] | held[2]);
        assert_int_equal(gpucode_machine_read(rig.machine, who, GPUCODE_SPACE_GENERAL, 3, &value), GPUCODE_OK);
        assert_int_equal(value, held[who]);
    }
    rig_free(&rig);
}

/* Where a section that is not the first finds itself: in control registers of its own. */
static void homes(void)
{
    static const char *const heads[] = {"[01730001]\n", "[01500001]\n"};
    static const struct gpucode_setting far[] = {{"afuc-base", "0x100001000"}, {NULL, NULL}};
    for (unsigned i = 0; i < 4; i++) {
        char text[1000];
        struct rig rig;
        snprintf(text, sizeof text,
                 "%s[#jumptbl]\n" ASKS ".section BV\n[01000001]\n[#jumptbl]\n" ASKS
                 ".section LPAC\n[01000001]\n[#jumptbl]\n" ASKS,
                 heads[i % 2]);
        if (!rig_text(&rig, NULL, text, i < 2 ? NULL : far))
            fail_msg("%s", rig.message);
        for (unsigned p = 1; p < 3; p++) {
            static const char *const names[] = {NULL, "@BV_INSTR_BASE", "@LPAC_INSTR_BASE"};
            const struct gpucode_section *section = &gpucode_image_info(rig.image)->sections[p];
            uint32_t value, number;
            unsigned space;
            assert_true(gpucode_machine_find(rig.machine, names[p], &space, &number));
            assert_int_equal(gpucode_machine_read(rig.machine, p, space, number, &value), GPUCODE_OK);
            assert_int_equal(value, 0x1000 + 4 * section->start);
            assert_int_equal(gpucode_machine_read(rig.machine, p, space, number + 1, &value), GPUCODE_OK);
            assert_int_equal(value, i / 2); /* the high half */
            assert_int_equal(gpucode_machine_read(rig.machine, 0, space, number, &value), GPUCODE_OK);
            assert_int_equal(value, 0);
        }
        rig_free(&rig);
    }
}

/* DDE of gen8 is started by either of two registers, each with an address of its own. */
static void dde(void)
{
    static const char *const names[] = {"DDE_BR", "DDE_BV"};
    for (unsigned i = 0; i < 4; i++) {
        char text[1500], base[40];
        struct rig rig;
        snprintf(text, sizeof text,
                 "[01500001]\n[#jumptbl]\nmov $08, 0x1\ncwrite $08, [$00 + @%s_CNTL]\nmov $0a, 0x77\n" ASKS
                 ".section BV\n[01000001]\n[#jumptbl]\n" ASKS ".section LPAC\n[01000001]\n[#jumptbl]\n" ASKS
                 ".section DDE\n[01000001]\n[#jumptbl]\nmov $08, 0x40 << 16\nmov $09, 0xdde\nstore $09, [$08 + 0x0]\n"
                 "x: jump #x\nnop\nCP_NOP: waitin\nmov $01, $data\n.align 32\njumptbl: .jumptbl\n",
                 names[i % 2]);
        if (!rig_text(&rig, NULL, text, NULL))
            fail_msg("%s", rig.message);
        assert_string_equal(gpucode_machine_processor(rig.machine, 3), "DDE");
        snprintf(base, sizeof base, "@%s_INSTR_BASE", names[(i % 2) ^ (i / 2)]);
        rig_set(&rig, "@DDE_BR_INSTR_BASE", 0);
        rig_set(&rig, "@DDE_BV_INSTR_BASE", 0);
        rig_set(&rig, base, 0x1000 + 4 * gpucode_image_info(rig.image)->sections[3].start);
        rig_run(&rig, 1000);
        if (i < 2) {
            assert_int_equal(rig.stop.reason, GPUCODE_STOP_LIMIT);
            assert_int_equal(rig_peek(&rig, 0x400000), 0xdde);
            assert_int_equal(rig_get(&rig, "$0a"), 0x77);
        } else { /* the other one has the address */
            assert_int_equal(rig.stop.reason, GPUCODE_STOP_FAULT);
            assert_string_equal(rig.stop.code, "afuc-start");
        }
        rig_free(&rig);
    }
}

TESTS(processors, names, boot_together, own_queues, alone, deadlock, wrong_start, started_twice, lpac_of_a660, locks,
      homes, dde)
