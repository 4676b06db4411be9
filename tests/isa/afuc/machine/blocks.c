/* SPDX-License-Identifier: MIT */
/*
 * Blocks against single steps: random programs run on two machines, one of which an instruction hook watches, so that
 * it takes one instruction at a time. Limits, breakpoints, places, packets and restores are the same for both; so must
 * be all that can be seen afterwards.
 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define WORDS_MOST 200u
#define MAP 4096u
#define PLACE UINT64_C(0x400000)

/* What a machine is watched with. */
struct watcher {
    unsigned stop_at; /* an event whose hash ends so stops the machine; 0: none does */
    uint64_t hash;    /* of all events that are not instructions */
};

struct pair {
    struct rig rig[2]; /* in blocks, and one by one */
    struct watcher watcher[2];
    uint8_t map[2][MAP];
    struct gpucode_snapshot *snapshot[2];
    unsigned words;
};

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static bool observe(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct watcher *watcher = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_INSN)
        return false;
    watcher->hash = (watcher->hash ^ event->kind ^ event->pc << 8 ^ event->address << 20 ^
                     (uint64_t)event->value << 32 ^ event->time << 3) *
                    UINT64_C(0x9e3779b97f4a7c15);
    return watcher->stop_at && watcher->hash >> 58 == watcher->stop_at;
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

static uint32_t field_value(const struct gpucode_field *field, unsigned words, bool calm)
{
    uint32_t any = draw(UINT32_C(1) << (field->width < 31 ? field->width : 31));
    switch (field->letter) {
    case 'o':
        if (draw(2))
            return 0;
        /* fallthrough */
    case 's':
    case 't':
    case 'd':
        return calm || draw(12) ? draw(0x1a) : 0x1a + draw(6);
    case 'a':
        return (draw(4) ? 2 + draw(20) : (uint32_t)-draw(20)) & 0xffff;
    case 'f':
    case 'g':
        return 2 + draw(words - 1);
    case 'm':
        return any & (draw(4) ? ~UINT32_C(3) : any);
    case 'r':
    case 'x':
    case 'k':
    case 'p':
        return calm || draw(10) ? 0 : any;
    default:
        return draw(2) ? any : draw(40) & any;
    }
}

/* What the words of a program are: of 100 so many are branches, and so many others may be accesses, calls and returns.
 */
struct mixture {
    unsigned branches, functions;
};

/* Mostly calculations on plain registers, with which blocks are made. */
static uint32_t a_word(const struct gpucode_target *target, unsigned words, const struct mixture *mixture)
{
    bool branch = draw(100) < mixture->branches, calm = draw(8), function = draw(100) < mixture->functions;
    for (;;) {
        unsigned row = draw(gpucode_row_count(target));
        struct gpucode_row facts;
        struct gpucode_insn insn;
        struct gpucode_field field;
        unsigned char bytes[4];
        gpucode_row(target, row, &facts);
        if (!gpucode_row_on_target(target, row) ||
            (strncmp(facts.action, "LONG", 4) == 0 && calm && !function && !branch) ||
            ((facts.mnemonic[0] == 'b' && facts.mnemonic[1] == 'r') || facts.mnemonic[0] == 'j') != branch)
            continue;
        gpucode_insn_init(target, row, &insn);
        for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++)
            gpucode_insn_set(&insn, field.letter, field_value(&field, words, calm));
        gpucode_encode(&insn, bytes, 4, NULL);
        return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    }
}

static void make_pair(struct pair *pair, const char *name, uint32_t first)
{
    const struct gpucode_target *target = gpucode_target_find(name);
    uint32_t words[WORDS_MOST];
    const struct mixture mixture = {draw(3) ? draw(30) : draw(4), draw(2) ? draw(60) : 0};
    const unsigned char zeros[4096] = {0};
    memset(pair, 0, sizeof *pair);
    pair->words = 20 + draw(WORDS_MOST - 20);
    for (unsigned i = 0; i < pair->words; i++)
        words[i] = i == 0 ? first : draw(60) ? a_word(target, pair->words, &mixture) : draw(UINT32_MAX);
    words[1] = 2; /* the packet table: none */
    for (unsigned side = 0; side < 2; side++)
        if (!rig_words(&pair->rig[side], name, words, pair->words, NULL))
            fail_msg("%s", pair->rig[side].message);
    for (unsigned side = 0; side < 2; side++) /* what [$00 + base] reaches */
        gpucode_machine_store(pair->rig[side].machine, 0, zeros, sizeof zeros);
}

static void free_pair(struct pair *pair)
{
    for (unsigned side = 0; side < 2; side++) {
        gpucode_snapshot_free(pair->snapshot[side]);
        rig_free(&pair->rig[side]);
    }
}

/* --- what can be seen --------------------------------------------------------------------------------------------- */

static void compare_space(const struct pair *pair, unsigned space, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t value[2] = {0, 0};
        for (unsigned side = 0; side < 2; side++)
            gpucode_machine_read(pair->rig[side].machine, 0, space, i, &value[side]);
        if (value[0] != value[1])
            fail_msg("space %u register 0x%x: 0x%x in blocks, 0x%x one by one", space, i, value[0], value[1]);
    }
}

static void compare(const struct pair *pair, uint64_t ran, uint64_t alone)
{
    const struct rig *a = &pair->rig[0], *b = &pair->rig[1];
    uint64_t target[2] = {0, 0};
    size_t units;
    assert_int_equal(ran, alone);
    assert_string_equal(a->stop.text, b->stop.text);
    assert_int_equal(a->stop.reason, b->stop.reason);
    assert_int_equal(a->stop.pc, b->stop.pc);
    assert_int_equal(gpucode_machine_pending(a->machine, 0, &target[0]),
                     gpucode_machine_pending(b->machine, 0, &target[1]));
    assert_int_equal(target[0], target[1]);
    assert_int_equal(gpucode_machine_count(a->machine), gpucode_machine_count(b->machine));
    assert_int_equal(gpucode_machine_time(a->machine), gpucode_machine_time(b->machine));
    assert_int_equal(pair->watcher[0].hash, pair->watcher[1].hash);
    assert_memory_equal(pair->map[0], pair->map[1], MAP);
    const uint8_t *covered = gpucode_machine_covered(a->machine, 0, &units);
    assert_memory_equal(covered, gpucode_machine_covered(b->machine, 0, &units), units);
    compare_space(pair, GPUCODE_SPACE_GENERAL, 0, 32);
    compare_space(pair, GPUCODE_SPACE_SQE, 0, 16);
    compare_space(pair, GPUCODE_SPACE_CONTROL, 0, 0x80);
    compare_space(pair, GPUCODE_SPACE_PIPE, 0, 0x100);
    unsigned char bytes[2][4096];
    assert_int_equal(gpucode_machine_load(a->machine, 0, bytes[0], sizeof bytes[0]), GPUCODE_OK);
    assert_int_equal(gpucode_machine_load(b->machine, 0, bytes[1], sizeof bytes[1]), GPUCODE_OK);
    assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(rig_peek(a, PLACE + 4 * i), rig_peek(b, PLACE + 4 * i));
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* Something that a host does between runs, the same on both sides. */
static void interfere(struct pair *pair)
{
    uint32_t what = draw(24), place = draw(pair->words), on = draw(2), reg = draw(0x1a), value = draw(64);
    const uint32_t packet[] = {rig_packet7(0x10, 3), draw(UINT32_MAX), place, value};
    for (unsigned side = 0; side < 2; side++) {
        struct gpucode_machine *machine = pair->rig[side].machine;
        const unsigned kinds = GPUCODE_EVENT_PACKET | GPUCODE_EVENT_READ | GPUCODE_EVENT_MEM_READ |
                               GPUCODE_EVENT_MEM_WRITE | GPUCODE_EVENT_HANDLED;
        if (what < 6) {
            gpucode_machine_break(machine, 0, place, on);
        } else if (what < 9) {
            gpucode_machine_set_pc(machine, 0, place);
        } else if (what == 9) {
            rig_feed(&pair->rig[side], packet, 4);
        } else if (what == 10) {
            gpucode_machine_write(machine, 0, GPUCODE_SPACE_PACKET, 0x10, place);
        } else if (what == 11) {
            gpucode_machine_write(machine, 0, GPUCODE_SPACE_GENERAL, reg, value);
        } else if (what == 12) {
            gpucode_machine_coverage(machine, on);
        } else if (what == 13) {
            gpucode_machine_edges(machine, on ? pair->map[side] : NULL, MAP);
        } else if (what == 14) {
            gpucode_snapshot_free(pair->snapshot[side]);
            assert_int_equal(gpucode_machine_snapshot(machine, &pair->snapshot[side]), GPUCODE_OK);
        } else if (what < 17 && pair->snapshot[side]) {
            gpucode_machine_restore(machine, pair->snapshot[side]);
        } else if (what == 17) {
            pair->watcher[side].stop_at = on ? 1 + place % 63 : 0;
            gpucode_machine_hook(machine, (on ? kinds : 0) | (side ? GPUCODE_EVENT_INSN : 0), observe,
                                 &pair->watcher[side]);
        }
    }
}

static void run_pair(const char *name, uint32_t first, unsigned number)
{
    struct pair *pair = malloc(sizeof *pair);
    assert_non_null(pair);
    make_pair(pair, name, first);
    gpucode_machine_hook(pair->rig[1].machine, GPUCODE_EVENT_INSN, observe, &pair->watcher[1]);
    for (unsigned turn = 0; turn < 40; turn++) {
        uint64_t limit = draw(3) ? draw(12) : draw(4) ? draw(300) : draw(20000), ran[2];
        bool step = !draw(10); /* goes another way than a run of one instruction */
        for (unsigned i = draw(3); i; i--)
            interfere(pair);
        for (unsigned side = 0; side < 2; side++) {
            struct rig *rig = &pair->rig[side];
            ran[side] = step ? gpucode_machine_step(rig->machine, 0, &rig->stop)
                             : gpucode_machine_run(rig->machine, limit, &rig->stop);
        }
        if (ran[0] != ran[1])
            print_error("%s program %u turn %u: ", name, number, turn);
        compare(pair, ran[0], ran[1]);
        if (pair->rig[0].stop.reason >= GPUCODE_STOP_IDLE && pair->rig[0].stop.reason != GPUCODE_STOP_BREAKPOINT)
            for (unsigned side = 0; side < 2; side++) /* else it would stop there for ever */
                gpucode_machine_set_pc(pair->rig[side].machine, 0, (seed >> 40) % pair->words);
    }
    free_pair(pair);
    free(pair);
}

static void random_programs(void)
{
    static const struct {
        const char *name;
        uint32_t first;
    } chips[] = {
        {"afuc:a530", 0x005ff001}, {"afuc:a630", 0x016ee001}, {"afuc:a730", 0x01730001}, {"afuc:gen80000", 0x01500001}};
    seed = 4;
    for (unsigned number = 0; number < test_rounds(300, 3000); number++)
        run_pair(chips[number % 4].name, chips[number % 4].first, number);
}

/* A loop without an end or a change is found at the same instruction, wherever its blocks begin. */
static void hangs(void)
{
    static const char text[] =
        "[016ee001]\n[01000000]\n"
        "mov $02, 0x5\na: add $03, $02, 0x1\nsub $04, $03, 0x1\nbrne $03, 0x0, #a\nxor $05, $04, $02\n";
    for (unsigned before = 0; before < 12; before++) {
        struct pair *pair = calloc(1, sizeof *pair);
        uint64_t ran[2];
        assert_non_null(pair);
        for (unsigned side = 0; side < 2; side++) {
            struct rig *rig = &pair->rig[side];
            assert_true(rig_text(rig, NULL, text, NULL));
            if (side)
                gpucode_machine_hook(rig->machine, GPUCODE_EVENT_INSN, observe, &pair->watcher[side]);
            if (before == 11)
                gpucode_machine_break(rig->machine, 0, 6, true);
            ran[side] = gpucode_machine_run(rig->machine, before, &rig->stop);
            ran[side] += gpucode_machine_run(rig->machine, 100000, &rig->stop);
        }
        assert_int_equal(pair->rig[0].stop.reason, before == 11 ? GPUCODE_STOP_BREAKPOINT : GPUCODE_STOP_HANG);
        compare(pair, ran[0], ran[1]);
        free_pair(pair);
        free(pair);
    }
}

/* What alone changes from one time around to the next: the loop has no end, but it is not a hang while that goes on. */
static void changes(void)
{
    static const char *const loops[] = {
        "a: sread $02, [$00 + %SP + 0x4]\nadd $02, $02, 0x1\nswrite $02, [$00 + %SP + 0x4]\njump #a\nmov $02, 0x0\n",
        "a: cread $02, [$00 + 0x90]\nadd $02, $02, 0x1\ncwrite $02, [$00 + 0x90]\njump #a\nmov $02, 0x0\n",
        "a: load $02, [$00 + 0x10]\nadd $02, $02, 0x1\nstore $02, [$00 + 0x10]\njump #a\nmov $02, 0x0\n",
        "a: call #b\nnop\njump #a\nnop\nb: ret\nadd $02, $02, 0x1\n",
    };
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++) {
        const unsigned char zeros[32] = {0};
        struct rig rig;
        char text[256];
        snprintf(text, sizeof text, "[016ee001]\n[01000000]\n%s", loops[i]);
        assert_true(rig_text(&rig, NULL, text, NULL));
        gpucode_machine_store(rig.machine, 0, zeros, sizeof zeros);
        assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_LIMIT);
        char *add = strstr(text, "0x1\n"); /* the same without the change */
        memcpy(add, "0x0", 3);
        rig_free(&rig);
        assert_true(rig_text(&rig, NULL, text, NULL));
        gpucode_machine_store(rig.machine, 0, zeros, sizeof zeros);
        assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_HANG);
        rig_free(&rig);
    }
}

/* A breakpoint in the middle of a block that has run is reached; without it the block runs as before. */
static void breakpoint_within(void)
{
    struct rig rig;
    assert_true(rig_text(&rig, NULL,
                         "[016ee001]\n[01000000]\na: add $02, $02, 0x1\nadd $03, $03, 0x1\nadd $04, $04, 0x1\njump #a\n"
                         "add $05, $05, 0x1\n",
                         NULL));
    rig_run(&rig, 2 + 500);
    for (unsigned place = 2; place < 7; place++) {
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_LIMIT);
        assert_int_equal(gpucode_machine_break(rig.machine, 0, place, true), GPUCODE_OK);
        assert_int_equal(rig_run(&rig, 500), GPUCODE_STOP_BREAKPOINT);
        assert_int_equal(rig.stop.pc, place);
        assert_int_equal(rig_run(&rig, 500), GPUCODE_STOP_BREAKPOINT); /* once around */
        assert_int_equal(gpucode_machine_break(rig.machine, 0, place, false), GPUCODE_OK);
        rig_run(&rig, 500);
    }
    assert_int_equal(gpucode_machine_count(rig.machine), 2 + 500 + 5 * 505 + 4);
    rig_free(&rig);
}

TESTS(blocks, random_programs, hangs, changes, breakpoint_within)
