/* SPDX-License-Identifier: MIT */
/* The engine finds what is hidden in the toy, minimises it, and does the same every time. */
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct rig {
    struct toy toys[2];
    struct gpucode_fuzz_subject subjects[2];
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_worker *workers[2];
};

static void up(struct rig *rig, uint64_t seed, bool compares)
{
    memset(rig, 0, sizeof *rig);
    for (unsigned i = 0; i < 2; i++) {
        rig->toys[i].compares = compares;
        rig->subjects[i] = toy_subject(&rig->toys[i]);
    }
    assert_int_equal(gpucode_fuzz_create(&rig->subjects[0], seed, &rig->fuzz), GPUCODE_OK);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(gpucode_fuzz_worker_create(rig->fuzz, &rig->subjects[i], &rig->workers[i]), GPUCODE_OK);
}

static void down(struct rig *rig)
{
    for (unsigned i = 0; i < 2; i++) {
        gpucode_fuzz_worker_free(rig->workers[i]);
        assert_int_equal(rig->toys[i].stale, 0);
    }
    gpucode_fuzz_free(rig->fuzz);
}

/* Rounds of four tasks, done by the workers in turn or by one, in either order; merged in theirs. */
static void work(struct rig *rig, unsigned rounds, unsigned how)
{
    for (unsigned round = 0; round < rounds; round++) {
        struct gpucode_fuzz_result *results[4];
        for (unsigned i = 0; i < 4; i++) {
            unsigned task = how == 2 ? 3 - i : i;
            struct gpucode_fuzz_worker *worker = rig->workers[how ? i % 2 : 0];
            assert_int_equal(gpucode_fuzz_work(worker, 4 * round + task, 200, &results[task]), GPUCODE_OK);
        }
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(gpucode_fuzz_merge(rig->workers[0], results[i]), GPUCODE_OK);
    }
}

/* With comparisons the word 0x1234, and one that hangs on another one, are found within some thousand runs. */
static void finds(void)
{
    struct rig rig;
    up(&rig, 1, true);
    work(&rig, 10, 0);
    struct gpucode_fuzz_finding finding;
    struct gpucode_fuzz_numbers numbers;
    bool found = false;
    for (size_t i = 0; gpucode_fuzz_finding_at(rig.fuzz, i, &finding); i++) {
        if (strcmp(finding.outcome->key, "broken") != 0)
            continue;
        found = true;
        /* the least input: turn 0x1234, push N N+1 */
        static const unsigned char least[] = {TOY_TURN, 1, 0x34, 0x12, 0, 0, TOY_PUSH, 2};
        const unsigned char *bytes = finding.bytes;
        assert_int_equal(finding.size, sizeof least + 8);
        assert_memory_equal(bytes, least, sizeof least);
        assert_int_equal((bytes[8] + 1) & 0xff, bytes[12]);
        assert_string_equal(finding.outcome->text, "the lock is broken");
        assert_true(finding.count >= 1);
    }
    assert_true(found);
    gpucode_fuzz_numbers(rig.fuzz, &numbers);
    assert_int_equal(numbers.findings, 1);
    assert_int_equal(numbers.gaps, 1);
    assert_true(numbers.runs >= 8000 && numbers.runs < 12000);
    assert_true(numbers.edges >= 6 && numbers.entries >= 3);
    down(&rig);
    /* without them it is not */
    up(&rig, 1, false);
    work(&rig, 10, 0);
    gpucode_fuzz_numbers(rig.fuzz, &numbers);
    assert_int_equal(numbers.findings, 0);
    down(&rig);
}

/* Who does which task, and in which order, does not matter; the seed does. */
static void repeats(void)
{
    struct rig rigs[4];
    for (unsigned i = 0; i < 4; i++) {
        up(&rigs[i], i == 3 ? 8 : 7, true);
        work(&rigs[i], 4, i % 3);
    }
    bool differs = false;
    for (unsigned i = 1; i < 4; i++) {
        struct gpucode_fuzz_entry one, other;
        size_t k = 0;
        for (; gpucode_fuzz_entry_at(rigs[0].fuzz, k, &one) && gpucode_fuzz_entry_at(rigs[i].fuzz, k, &other); k++) {
            bool same = one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0 &&
                        one.source == other.source && strcmp(one.op, other.op) == 0 && one.runs == other.runs;
            assert_true(same || i == 3);
            differs |= !same;
        }
        assert_int_equal(gpucode_fuzz_entry_at(rigs[0].fuzz, k, &one) && i < 3, false);
        if (i < 3)
            assert_memory_equal(gpucode_fuzz_seen(rigs[0].fuzz), gpucode_fuzz_seen(rigs[i].fuzz), 64);
    }
    assert_true(differs);
    for (unsigned i = 0; i < 4; i++)
        down(&rigs[i]);
}

/* Given inputs are kept when they are news; what they find is minimised. */
static void given(void)
{
    struct rig rig;
    bool kept;
    static const unsigned char nothing[] = {TOY_NOTHING, 0}, both[] = {TOY_NOTHING, 0, TOY_TURN, 0};
    static const unsigned char broken[] = {TOY_NOTHING, 0, TOY_OPENS,   0, TOY_TURN, 2, 0x34, 0x12, 0,    0, 9, 9,
                                           9,           9, TOY_PUSH,    2, 0xf0,     0, 0,    0,    0xf1, 0, 0, 0,
                                           TOY_CLOSES,  0, TOY_NOTHING, 1, 1,        1, 1,    1};
    up(&rig, 1, false);
    assert_int_equal(gpucode_fuzz_add(rig.workers[0], nothing, sizeof nothing, "seed", &kept), GPUCODE_OK);
    assert_true(kept);
    assert_int_equal(gpucode_fuzz_add(rig.workers[0], nothing, sizeof nothing, "seed", &kept), GPUCODE_OK);
    assert_false(kept);
    assert_int_equal(gpucode_fuzz_add(rig.workers[1], both, sizeof both, "seed", &kept), GPUCODE_OK);
    assert_true(kept);
    struct gpucode_fuzz_entry entry;
    assert_true(gpucode_fuzz_entry_at(rig.fuzz, 1, &entry));
    assert_string_equal(entry.op, "seed");
    assert_true(entry.source == SIZE_MAX && entry.size == sizeof both);
    assert_false(gpucode_fuzz_entry_at(rig.fuzz, 2, &entry));
    struct gpucode_fuzz_finding finding;
    for (unsigned i = 0; i < 3; i++) { /* the first of its kind is news */
        assert_int_equal(gpucode_fuzz_add(rig.workers[0], broken, sizeof broken, "seed", &kept), GPUCODE_OK);
        assert_int_equal(kept, i == 0);
        assert_true(gpucode_fuzz_finding_at(rig.fuzz, 0, &finding));
        assert_false(gpucode_fuzz_finding_at(rig.fuzz, 1, &finding));
        assert_int_equal(finding.size, 16);
        assert_int_equal(finding.count, i + 1);
    }
    assert_int_equal(gpucode_fuzz_add(rig.workers[0], (const unsigned char[]){TOY_GAP, 0}, 2, "seed", &kept),
                     GPUCODE_OK);
    assert_true(kept);
    assert_true(gpucode_fuzz_finding_at(rig.fuzz, 1, &finding));
    assert_int_equal(finding.outcome->judgement, GPUCODE_FUZZ_GAP);
    assert_false(gpucode_fuzz_entry_at(rig.fuzz, 2, &entry)); /* no input to go on from */
    struct gpucode_fuzz_outcome outcome;
    size_t edges;
    assert_int_equal(gpucode_fuzz_try(rig.workers[0], broken, sizeof broken, &outcome, &edges), GPUCODE_OK);
    assert_int_equal(outcome.judgement, GPUCODE_FUZZ_FINDING);
    assert_int_equal(edges, 6);
    /* one that passes is cut down to what reaches the same */
    unsigned char least[GPUCODE_FUZZ_INPUT_MAX];
    size_t size;
    static const unsigned char twice[] = {TOY_NOTHING, 1, 7, 7, 7, 7, TOY_NOTHING, 0, TOY_TURN, 1, 5, 0, 0, 0};
    assert_int_equal(gpucode_fuzz_minimise(rig.workers[0], twice, sizeof twice, least, &size), GPUCODE_OK);
    assert_int_equal(size, 4);
    /* what is the least already takes one round, which tries to leave out each record and each pair of them */
    uint64_t before = rig.toys[0].runs;
    assert_int_equal(gpucode_fuzz_minimise(rig.workers[0], least, size, least, &size), GPUCODE_OK);
    assert_int_equal(size, 4);
    assert_in_range(rig.toys[0].runs - before, 2, 1 + 2 + 2);
    assert_int_equal(gpucode_fuzz_add(rig.workers[0], NULL, 1, "x", NULL), GPUCODE_ERROR_ARGUMENT);
    down(&rig);
}

/* What opens goes with what closes it, the outer pair as well as the inner one. */
static void pairs(void)
{
    static const unsigned char nested[] = {
        TOY_OPENS, 0, TOY_TURN, 1, 0x34,       0x12, 0,         0, TOY_OPENS,   0, TOY_PUSH,   2, 4,          0, 0, 0,
        5,         0, 0,        0, TOY_CLOSES, 0,    TOY_OPENS, 0, TOY_NOTHING, 0, TOY_CLOSES, 0, TOY_CLOSES, 0};
    static const unsigned char wanted[] = {TOY_TURN, 1, 0x34, 0x12, 0, 0, TOY_PUSH, 2, 4, 0, 0, 0, 5, 0, 0, 0};
    struct rig rig;
    unsigned char least[GPUCODE_FUZZ_INPUT_MAX];
    size_t size;
    up(&rig, 1, false);
    rig.toys[0].pairs = true;
    assert_int_equal(gpucode_fuzz_minimise(rig.workers[0], nested, sizeof nested, least, &size), GPUCODE_OK);
    assert_int_equal(size, sizeof wanted);
    assert_memory_equal(least, wanted, sizeof wanted);
    /* alone it is not what was wanted: the least that is unmatched is one of them */
    assert_int_equal(gpucode_fuzz_minimise(rig.workers[0], nested, sizeof nested - 2, least, &size), GPUCODE_OK);
    assert_int_equal(size, 2);
    down(&rig);
}

/* What is compared with a value that stands in no input is tried in any record, of later tasks too. */
static void learns(void)
{
    for (unsigned compares = 0; compares < 2; compares++)
        for (unsigned how = 0; how < 2; how++) {
            struct rig rig;
            up(&rig, 1, compares);
            rig.toys[0].asks = rig.toys[1].asks = true;
            work(&rig, 5, how);
            assert_int_equal(gpucode_fuzz_seen(rig.fuzz)[30] != 0, compares);
            down(&rig);
        }
}

/* A map that does not end with eight bytes: what is new in its last ones is. Names of changes are cut, not more. */
static void odd_maps(void)
{
    static const unsigned char asked[] = {TOY_NOTHING, 1, 0x78, 0x56, 0x34, 0x12}, nothing[] = {TOY_NOTHING, 0};
    static const char *const names[][2] = {{"fourteen bytes", "fourteen bytes"},
                                           {"fifteen letters", "fifteen letters"},
                                           {"sixteen  letters", "sixteen  letter"},
                                           {"more letters than it has", "more letters th"}};
    for (size_t size = 31; size <= 33; size++)
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            struct toy toy = {.asks = true};
            struct gpucode_fuzz_subject subject = toy_subject(&toy);
            struct gpucode_fuzz *fuzz;
            struct gpucode_fuzz_worker *worker;
            struct gpucode_fuzz_entry entry;
            bool kept;
            subject.map_size = toy.map_size = size;
            assert_int_equal(gpucode_fuzz_create(&subject, 1, &fuzz), GPUCODE_OK);
            assert_int_equal(gpucode_fuzz_worker_create(fuzz, &subject, &worker), GPUCODE_OK);
            assert_int_equal(gpucode_fuzz_add(worker, nothing, sizeof nothing, "seed", NULL), GPUCODE_OK);
            assert_int_equal(gpucode_fuzz_add(worker, asked, sizeof asked, names[i][0], &kept), GPUCODE_OK);
            assert_true(kept);
            assert_true(gpucode_fuzz_entry_at(fuzz, 1, &entry));
            assert_string_equal(entry.op, names[i][1]);
            gpucode_fuzz_worker_free(worker);
            gpucode_fuzz_free(fuzz);
        }
}

/* Records after the last that an input has room for are left out. */
static void longest(void)
{
    struct rig rig;
    struct gpucode_fuzz_outcome outcome;
    unsigned char bytes[2 * GPUCODE_FUZZ_RECORDS_MAX + 2] = {0}, least[GPUCODE_FUZZ_INPUT_MAX];
    size_t size;
    up(&rig, 1, false);
    for (size_t records = GPUCODE_FUZZ_RECORDS_MAX - 1; records <= GPUCODE_FUZZ_RECORDS_MAX + 1; records++) {
        assert_int_equal(gpucode_fuzz_try(rig.workers[0], bytes, 2 * records, &outcome, NULL), GPUCODE_OK);
        assert_int_equal(rig.toys[0].last, records < GPUCODE_FUZZ_RECORDS_MAX ? records : GPUCODE_FUZZ_RECORDS_MAX);
    }
    bytes[sizeof bytes - 2] = TOY_GAP;
    assert_int_equal(gpucode_fuzz_try(rig.workers[0], bytes, sizeof bytes, &outcome, NULL), GPUCODE_OK);
    assert_int_equal(outcome.judgement, GPUCODE_FUZZ_PASS);
    bytes[sizeof bytes - 4] = TOY_GAP;
    assert_int_equal(gpucode_fuzz_minimise(rig.workers[0], bytes, sizeof bytes, least, &size), GPUCODE_OK);
    assert_int_equal(size, 2);
    assert_int_equal(least[0], TOY_GAP);
    down(&rig);
}

/* Subjects that are none: each by one thing alone. */
static void subjects(void)
{
    struct toy toy = {.map = NULL};
    const struct gpucode_fuzz_subject good = toy_subject(&toy);
    static struct gpucode_fuzz_kind many[GPUCODE_FUZZ_KINDS_MAX + 1];
    struct gpucode_fuzz_kind most = {.name = "most", .least = GPUCODE_FUZZ_WORDS_MAX, .most = GPUCODE_FUZZ_WORDS_MAX};
    struct gpucode_fuzz_kind over = {.name = "over", .most = GPUCODE_FUZZ_WORDS_MAX + 1};
    struct gpucode_fuzz_kind turned = {.name = "turned", .least = 2, .most = 1};
    struct gpucode_fuzz_subject each[11];
    for (unsigned i = 0; i < 11; i++)
        each[i] = good;
    each[0].kinds = &most, each[0].kind_count = 1;
    each[1].kinds = many, each[1].kind_count = GPUCODE_FUZZ_KINDS_MAX;
    each[2].kinds = many, each[2].kind_count = GPUCODE_FUZZ_KINDS_MAX + 1;
    each[3].kinds = NULL;
    each[4].kind_count = 0;
    each[5].kinds = &over, each[5].kind_count = 1;
    each[6].kinds = &turned, each[6].kind_count = 1;
    each[7].run = NULL;
    each[8].attach = NULL;
    each[9].map_size = 0;
    for (unsigned i = 0; i < 11; i++) {
        struct gpucode_fuzz *fuzz = NULL;
        assert_int_equal(gpucode_fuzz_create(i < 10 ? &each[i] : NULL, 1, &fuzz),
                         i < 2 ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(fuzz != NULL, i < 2);
        gpucode_fuzz_free(fuzz);
    }
}

/* Arguments that are missing, one at a time. */
static void missing(void)
{
    static const unsigned char bytes[] = {TOY_NOTHING, 0};
    unsigned char out[GPUCODE_FUZZ_INPUT_MAX];
    struct rig rig;
    struct gpucode_fuzz_outcome outcome;
    struct gpucode_fuzz_entry entry;
    struct gpucode_fuzz_finding finding;
    struct gpucode_fuzz_result *result;
    size_t size;
    up(&rig, 1, false);
    struct gpucode_fuzz_worker *worker = rig.workers[0], *other = worker;
    assert_int_equal(gpucode_fuzz_add(worker, bytes, 2, "seed", NULL), GPUCODE_OK);
    assert_int_equal(gpucode_fuzz_add(worker, (const unsigned char[]){TOY_GAP, 0}, 2, "seed", NULL), GPUCODE_OK);
    assert_true(gpucode_fuzz_entry_at(rig.fuzz, 0, &entry) && gpucode_fuzz_finding_at(rig.fuzz, 0, &finding));
    assert_false(gpucode_fuzz_entry_at(NULL, 0, &entry) || gpucode_fuzz_entry_at(rig.fuzz, 0, NULL));
    assert_false(gpucode_fuzz_finding_at(NULL, 0, &finding) || gpucode_fuzz_finding_at(rig.fuzz, 0, NULL));
    assert_int_equal(gpucode_fuzz_try(NULL, bytes, 2, &outcome, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_try(worker, NULL, 2, &outcome, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_try(worker, bytes, 2, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_try(worker, NULL, 0, &outcome, NULL), GPUCODE_OK);
    assert_int_equal(gpucode_fuzz_minimise(NULL, bytes, 2, out, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_minimise(worker, NULL, 2, out, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_minimise(worker, bytes, 2, NULL, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_minimise(worker, bytes, 2, out, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_minimise(worker, NULL, 0, out, &size), GPUCODE_OK);
    assert_int_equal(size, 0);
    assert_int_equal(gpucode_fuzz_worker_create(rig.fuzz, NULL, &other), GPUCODE_ERROR_ARGUMENT);
    assert_null(other);
    assert_int_equal(gpucode_fuzz_work(worker, 0, 1, &result), GPUCODE_OK);
    assert_int_equal(gpucode_fuzz_merge(worker, result), GPUCODE_OK);
    assert_int_equal(gpucode_fuzz_work(NULL, 0, 1, &result), GPUCODE_ERROR_ARGUMENT);
    assert_null(result);
    down(&rig);
}

static void refusals(void)
{
    struct toy toy = {.map = NULL};
    struct gpucode_fuzz_subject subject = toy_subject(&toy), wrong = subject;
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_worker *worker;
    wrong.kind_count = 0;
    assert_int_equal(gpucode_fuzz_create(&wrong, 1, &fuzz), GPUCODE_ERROR_ARGUMENT);
    assert_null(fuzz);
    assert_int_equal(gpucode_fuzz_create(&subject, 1, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_create(&subject, 1, &fuzz), GPUCODE_OK);
    wrong = subject;
    wrong.map_size = 32;
    assert_int_equal(gpucode_fuzz_worker_create(fuzz, &wrong, &worker), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_fuzz_worker_create(NULL, &subject, &worker), GPUCODE_ERROR_ARGUMENT);
    gpucode_fuzz_worker_free(NULL);
    gpucode_fuzz_free(NULL);
    assert_false(gpucode_fuzz_finding_at(fuzz, 0, &(struct gpucode_fuzz_finding){0}));
    assert_int_equal(gpucode_fuzz_merge(NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    gpucode_fuzz_free(fuzz);
    /* a map that the subject does not take */
    subject.map_size = 32;
    assert_int_equal(gpucode_fuzz_create(&subject, 1, &fuzz), GPUCODE_OK);
    assert_int_equal(gpucode_fuzz_worker_create(fuzz, &subject, &worker), GPUCODE_ERROR_RANGE);
    assert_null(worker);
    gpucode_fuzz_free(fuzz);
}

TESTS(engine, finds, repeats, given, pairs, learns, odd_maps, longest, subjects, missing, refusals)
