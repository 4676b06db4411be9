/* SPDX-License-Identifier: MIT */
/* Random programs: the machine against a slow second opinion, and against itself after a restore. */
#include "rig.h"
#include "slow.h"
#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define LENGTH 60
#define PAYLOAD 8192

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* $00 to $11, and now and then $rem or $data. */
static uint32_t a_register(bool destination)
{
    uint32_t choice = draw(12);
    if (choice == 0)
        return 0x1f;
    return choice == 1 && !destination ? 0x1c : draw(0x12);
}

/* A random instruction that the second opinion knows. */
static uint32_t an_insn(const struct gpucode_target *target, bool may_branch)
{
    static const char *const alu[] = {"add", "addhi",    "sub",  "subhi",  "and",    "or",    "xor", "bic", "not",
                                      "shl", "ushr",     "ishr", "rot",    "mul8",   "mul16", "min", "max", "cmp",
                                      "msb", "popcount", "mov",  "setbit", "clrbit", "ubfx",  "bfi", NULL};
    static const char *const branches[] = {"brne", "breq", "jump", NULL};
    for (;;) {
        unsigned row = draw(gpucode_row_count(target));
        struct gpucode_row facts;
        struct gpucode_insn insn;
        gpucode_row(target, row, &facts);
        bool branch = is_one_of(facts.mnemonic, branches);
        if (!gpucode_row_on_target(target, row) || (!is_one_of(facts.mnemonic, alu) && !branch) ||
            (branch && (!may_branch || strcmp(facts.id, "JUMP_REG") == 0)))
            continue;
        gpucode_insn_init(target, row, &insn);
        struct gpucode_field f;
        for (unsigned i = 0; gpucode_insn_field(&insn, i, &f); i++) {
            uint32_t value = draw(UINT32_C(1) << (f.width < 31 ? f.width : 31));
            if (f.letter == 's' || f.letter == 't')
                value = branch ? draw(0x12) : a_register(false);
            else if (f.letter == 'd')
                value = a_register(true);
            else if (f.letter == 'a')
                value = 2 + draw(4);
            else if (f.letter == 'r')
                value = draw(6) == 0;
            else if (f.letter == 'x')
                value = draw(3) ? 0 : draw(4);
            else if (f.letter == 'p')
                value = draw(6) == 0;
            else if (f.letter == 'H')
                value = 31;
            else if (f.letter == 'i' && draw(2))
                value = draw(40);
            gpucode_insn_set(&insn, f.letter, value);
        }
        unsigned char bytes[4];
        gpucode_encode(&insn, bytes, 4, NULL);
        return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    }
}

/* One instruction's word from its text. */
static uint32_t text_word(const struct gpucode_target *target, const char *text)
{
    struct gpucode_insn insn;
    assert_int_equal(gpucode_parse(target, text, strlen(text), NULL, &insn), GPUCODE_OK);
    return (uint32_t)insn.bits;
}

/*
 * A program of LENGTH instructions after two header words. Memory and control registers are reached through $12 and
 * $13, which nothing else writes; $rem is given small values only.
 */
static unsigned a_program(const struct gpucode_target *target, uint32_t first, uint32_t *words)
{
    static const char *const fixed[] = {"cwrite $%02x, [$13 + 0x%x]",      "cread $%02x, [$13 + 0x%x]",
                                        "store $%02x, [$12 + 0x%x]",       "load $%02x, [$12 + 0x%x]",
                                        "(rep)cwrite $%02x, [$13 + 0x%x]", "(rep)store $%02x, [$12 + 0x%x]"};
    const char *generation = gpucode_target_generation(target);
    bool late = strcmp(generation, "a6xx") != 0;
    unsigned count = 0;
    words[count++] = first;
    words[count++] = strcmp(generation, "a5xx") == 0 ? 0 : UINT32_C(0x01000000);
    words[count++] = text_word(target, "mov $12, 0x40 << 16");
    words[count++] = text_word(target, "mov $13, 0x300");
    words[count++] = text_word(target, "mov $addr, 0x100");
    for (bool slot = true; count < LENGTH;) {
        char text[80];
        uint32_t kind = draw(10);
        if (kind == 0) {
            snprintf(text, sizeof text, "mov $rem, 0x%x", draw(9));
            words[count++] = text_word(target, text);
            slot = false;
        } else if (kind == 1) {
            snprintf(text, sizeof text, "mov $%s, 0x%x", draw(2) ? "addr" : "usraddr", 0x100 + draw(0x100));
            words[count++] = text_word(target, text);
            slot = false;
        } else if (kind == 2) {
            unsigned which = draw(6);
            bool load = which == 1 || which == 3;
            snprintf(text, sizeof text, fixed[which], load ? draw(0x12) : a_register(false),
                     which == 2 || which == 3 || which == 5 ? 4 * draw(16) : draw(16));
            words[count++] = text_word(target, text);
            slot = false;
        } else {
            uint32_t word = an_insn(target, !slot);
            bool branch = word >> 30 == 3;
            slot = branch;
            words[count++] = word;
        }
    }
    for (unsigned i = 0; i < 8; i++) /* branches near the end land here */
        words[count++] = late ? text_word(target, "nop") : UINT32_C(0x01000000);
    words[count++] = text_word(target, "waitin");
    words[count++] = text_word(target, "mov $01, $data");
    return count;
}

static void compare(const struct rig *rig, const struct slow *slow, unsigned program, const char *name)
{
    for (unsigned i = 0; i < 0x1f; i++) {
        uint32_t value;
        gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_GENERAL, i, &value);
        if (value != slow->reg[i])
            fail_msg("%s program %u: $%02x is 0x%x, the second opinion has 0x%x", name, program, i, value,
                     slow->reg[i]);
    }
    for (unsigned i = 0x300; i < 0x400; i++) {
        uint32_t value;
        gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_CONTROL, i, &value);
        if (value != slow->control[i])
            fail_msg("%s program %u: control 0x%x", name, program, i);
    }
    for (unsigned i = 0x100; i < 0x1000; i++) {
        uint32_t value;
        gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_GPU, i, &value);
        if (i >= 0x800 && i < 0x8a0)
            continue;
        if (value != slow->gpu[i])
            fail_msg("%s program %u: GPU 0x%x is 0x%x, the second opinion has 0x%x", name, program, i, value,
                     slow->gpu[i]);
    }
    for (unsigned i = 0; i < 32; i++)
        if (rig_peek(rig, 0x400000 + 4 * i) != slow->memory[0x100000 + i])
            fail_msg("%s program %u: memory", name, program);
}

static void second_opinion(const char *name, uint32_t first)
{
    const struct gpucode_target *target = gpucode_target_find(name);
    struct slow *slow = malloc(sizeof *slow);
    uint32_t *payload = malloc(PAYLOAD * sizeof *payload), words[LENGTH + 16];
    assert_non_null(slow);
    assert_non_null(payload);
    seed = first;
    for (unsigned i = 0; i < PAYLOAD; i++)
        payload[i] = draw(UINT32_C(1) << 31) * (1 + i % 2);
    for (unsigned program = 0; program < test_rounds(200, 1500); program++) {
        unsigned count = a_program(target, first, words);
        memset(slow, 0, sizeof *slow);
        slow->payload = payload;
        slow->through = 0x1d;
        slow->pc = 2;
        slow->branch = UINT32_MAX;
        while (slow->pc < count - 2)
            if (!slow_step(slow, target, words))
                fail_msg("%s program %u: word %08x", name, program, words[slow->pc]);
        struct rig rig;
        if (!rig_words(&rig, name, words, count, NULL))
            fail_msg("%s", rig.message);
        struct witness witness = {0};
        gpucode_machine_hook(rig.machine, WITNESS_KINDS, witness_hook, &witness);
        /* one word more than is taken, for (peek) to see; at the end waitin refuses it */
        rig_feed(&rig, payload, slow->taken + 1);
        if (rig_run(&rig, 100000) != GPUCODE_STOP_FAULT || rig.stop.pc != count - 1)
            fail_msg("%s program %u: %s (word 0x%x)", name, program, rig.stop.text, (unsigned)rig.stop.pc);
        if (witness.wrong[0])
            fail_msg("%s program %u: %s", name, program, witness.wrong);
        compare(&rig, slow, program, name);
        rig_free(&rig);
    }
    free(slow);
    free(payload);
}

static void opinion_a5xx(void)
{
    second_opinion("afuc:a530", 0x005ff001);
}

static void opinion_a6xx(void)
{
    second_opinion("afuc:a630", 0x016ee001);
}

static void opinion_a7xx(void)
{
    second_opinion("afuc:a730", 0x01730001);
}

static void opinion_gen8(void)
{
    second_opinion("afuc:gen80000", 0x01500001);
}

/* All changes, told by hooks, as one number. */
static bool fold(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    uint64_t *hash = user;
    (void)machine;
    *hash = (*hash ^ event->kind ^ event->pc << 8 ^ event->address << 20 ^ event->value << 32 ^ event->time << 3) *
            UINT64_C(0x9e3779b97f4a7c15);
    return false;
}

/* A run from a snapshot is the same every time, however it is cut into pieces and whoever looks on. */
static void replay(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a730");
    uint32_t words[LENGTH + 16], payload[256];
    const unsigned kinds = GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE | GPUCODE_EVENT_MEM_READ;
    seed = 77;
    for (unsigned i = 0; i < 256; i++)
        payload[i] = draw(UINT32_C(1) << 31);
    for (unsigned program = 0; program < 100; program++) {
        unsigned count = a_program(target, 0x01730001, words);
        struct rig rig;
        assert_true(rig_words(&rig, "afuc:a730", words, count, NULL));
        rig_feed(&rig, payload, 256);
        rig_run(&rig, draw(40));
        struct gpucode_snapshot *snapshot;
        assert_int_equal(gpucode_machine_snapshot(rig.machine, &snapshot), GPUCODE_OK);
        uint64_t hashes[3] = {0, 0, 0}, pcs[4];
        for (unsigned turn = 0; turn < 4; turn++) {
            if (turn < 3)
                gpucode_machine_hook(rig.machine, kinds, fold, &hashes[turn]);
            else
                gpucode_machine_hook(rig.machine, 0, NULL, NULL);
            do
                rig_run(&rig, turn == 1 ? 1 + draw(7) : 500);
            while (turn == 1 && rig.stop.reason == GPUCODE_STOP_LIMIT && gpucode_machine_count(rig.machine) < 400);
            pcs[turn] = rig.stop.pc ^ gpucode_machine_count(rig.machine) << 20 ^ (uint64_t)rig_get(&rig, "$02") << 32;
            assert_int_equal(gpucode_machine_restore(rig.machine, snapshot), GPUCODE_OK);
        }
        assert_int_equal(hashes[0], hashes[2]);
        assert_int_equal(hashes[0], hashes[1]);
        assert_int_equal(pcs[0], pcs[1]);
        assert_int_equal(pcs[0], pcs[2]);
        assert_int_equal(pcs[0], pcs[3]);
        gpucode_snapshot_free(snapshot);
        rig_free(&rig);
    }
}

/* Memory and registers come back, and snapshots do not see later writes. */
static void snapshot_contents(void)
{
    struct rig rig;
    struct gpucode_snapshot *first, *second;
    assert_true(rig_text(&rig, NULL, "[016ee001]\n[01000000]\nnop\nwaitin\nmov $01, $data\n", NULL));
    rig_poke(&rig, 0x200000, 1);
    rig_poke(&rig, UINT64_C(0x123456789000), 5);
    rig_set(&rig, "@0x300", 1);
    rig_set(&rig, "0x900", 1);
    assert_int_equal(gpucode_machine_snapshot(rig.machine, &first), GPUCODE_OK);
    rig_poke(&rig, 0x200000, 2);
    rig_set(&rig, "@0x300", 2);
    rig_set(&rig, "0x900", 2);
    assert_int_equal(gpucode_machine_snapshot(rig.machine, &second), GPUCODE_OK);
    rig_poke(&rig, 0x200000, 3);
    rig_poke(&rig, UINT64_C(0x123456789000), 6);
    for (unsigned turn = 0; turn < 2; turn++) {
        gpucode_machine_restore(rig.machine, first);
        assert_int_equal(rig_peek(&rig, 0x200000), 1);
        assert_int_equal(rig_peek(&rig, UINT64_C(0x123456789000)), 5);
        assert_int_equal(rig_get(&rig, "@0x300"), 1);
        assert_int_equal(rig_get(&rig, "0x900"), 1);
        rig_poke(&rig, 0x200000, 9);
        gpucode_machine_restore(rig.machine, second);
        assert_int_equal(rig_peek(&rig, 0x200000), 2);
        assert_int_equal(rig_get(&rig, "@0x300"), 2);
        assert_int_equal(rig_get(&rig, "0x900"), 2);
    }
    gpucode_snapshot_free(first);
    assert_int_equal(rig_peek(&rig, 0x200000), 2);
    gpucode_snapshot_free(second);
    rig_free(&rig);
}

/* --- many snapshots ---------------------------------------------------------------------------------------------- */

#define PLACES 24 /* pages of memory */
#define NUMBERS 40
#define SNAPSHOTS 4

/* What a machine should have: a word in each page, 0: zeros that nobody wrote; -1: no memory. And control registers. */
struct contents {
    int64_t page[PLACES];
    uint32_t control[NUMBERS];
};

static uint64_t place_of_page(unsigned page)
{
    return UINT64_C(0x7000000000) + (uint64_t)page * 4096 * (page % 3 ? 1 : 4096) + 4 * page;
}

static uint32_t control_of(unsigned index)
{
    return 0x300 + index * 0x50; /* all over the file, from where they do nothing of their own */
}

static void expect_contents(const struct rig *rig, const struct contents *wanted)
{
    for (unsigned i = 0; i < PLACES; i++) {
        unsigned char bytes[4];
        bool mapped = gpucode_machine_load(rig->machine, place_of_page(i), bytes, 4) == GPUCODE_OK;
        assert_int_equal(mapped, wanted->page[i] >= 0);
        if (mapped)
            assert_int_equal(bytes[0] | bytes[1] << 8, wanted->page[i]);
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        uint32_t value;
        gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_CONTROL, control_of(i), &value);
        assert_int_equal(value, wanted->control[i]);
    }
}

static void change_contents(struct rig *rig, struct contents *now)
{
    unsigned page = draw(PLACES), index = draw(NUMBERS);
    unsigned char bytes[4] = {(unsigned char)draw(256), (unsigned char)draw(256), 0, 0};
    switch (draw(6)) {
    case 0:
        if (now->page[page] < 0)
            now->page[page] = 0;
        assert_int_equal(gpucode_machine_map(rig->machine, place_of_page(page), 4), GPUCODE_OK);
        break;
    case 1:
    case 2:
        now->control[index] = draw(1000);
        gpucode_machine_write(rig->machine, 0, GPUCODE_SPACE_CONTROL, control_of(index), now->control[index]);
        break;
    default:
        now->page[page] = bytes[0] | bytes[1] << 8;
        assert_int_equal(gpucode_machine_store(rig->machine, place_of_page(page), bytes, 4), GPUCODE_OK);
        break;
    }
}

/* Snapshots that are taken, put back and freed in any order, with little or much changed in between. */
static void many_snapshots(void)
{
    struct gpucode_snapshot *taken[SNAPSHOTS] = {NULL};
    struct contents had[SNAPSHOTS], now;
    struct rig rig;
    seed = 5;
    assert_true(rig_text(&rig, NULL, "[016ee001]\n[01000000]\nnop\nwaitin\nmov $01, $data\n", NULL));
    for (unsigned i = 0; i < PLACES; i++)
        now.page[i] = -1;
    for (unsigned i = 0; i < NUMBERS; i++)
        gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_CONTROL, control_of(i), &now.control[i]);
    for (unsigned round = 0; round < 4000; round++) {
        unsigned which = draw(SNAPSHOTS), changes = draw(4) ? draw(4) : draw(30);
        for (unsigned i = 0; i < changes; i++)
            change_contents(&rig, &now);
        if (!taken[which]) {
            assert_int_equal(gpucode_machine_snapshot(rig.machine, &taken[which]), GPUCODE_OK);
            had[which] = now;
        } else if (draw(8)) {
            assert_int_equal(gpucode_machine_restore(rig.machine, taken[which]), GPUCODE_OK);
            now = had[which];
        } else {
            gpucode_snapshot_free(taken[which]);
            taken[which] = NULL;
        }
        expect_contents(&rig, &now);
    }
    for (unsigned i = 0; i < SNAPSHOTS; i++)
        gpucode_snapshot_free(taken[i]);
    expect_contents(&rig, &now);
    rig_free(&rig);
}

TESTS(property, opinion_a5xx, opinion_a6xx, opinion_a7xx, opinion_gen8, replay, snapshot_contents, many_snapshots)
