/* SPDX-License-Identifier: MIT */
/* Both ways of looking names up, hints, and the callers' names. */
#include "sets.h"

#include "isa/names/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct gpucode_target *const a5xx = &sets[0].target, *const a6xx = &sets[1].target,
                                          *const a7xx = &sets[2].target, *const gen3 = &sets[3].target,
                                          *const gen8 = &sets[4].target, *const nv17 = &sets[5].target,
                                          *const nv41 = &sets[6].target, *const nv50 = &sets[7].target,
                                          *const nv92 = &sets[8].target;

static void both(const struct gpucode_target *target, enum gpucode_space space, uint32_t number, const char *name)
{
    char text[GPUCODE_NAME_MAX];
    uint32_t back = ~number;
    size_t length = gpucode_name_of(target, NULL, space, number, text, sizeof text);
    assert_int_equal(length, strlen(name));
    assert_string_equal(text, name);
    assert_true(gpucode_number_of(target, NULL, space, name, strlen(name), &back));
    assert_int_equal(back, number);
}

static void reads(const struct gpucode_target *target, enum gpucode_space space, const char *name, uint32_t number)
{
    uint32_t back = ~number;
    assert_true(gpucode_number_of(target, NULL, space, name, strlen(name), &back));
    assert_int_equal(back, number);
}

static void refuses(const struct gpucode_target *target, enum gpucode_space space, const char *name)
{
    uint32_t number = 0xdead;
    assert_false(gpucode_number_of(target, NULL, space, name, strlen(name), &number));
    assert_int_equal(number, 0xdead);
}

static void nameless(const struct gpucode_target *target, enum gpucode_space space, uint32_t number)
{
    char text[GPUCODE_NAME_MAX] = "x";
    assert_int_equal(gpucode_name_of(target, NULL, space, number, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static void test_spot_values(void)
{
    both(a5xx, GPUCODE_SPACE_CONTROL, 0x38, "STORE_HI");
    both(a6xx, GPUCODE_SPACE_CONTROL, 0x10, "IB1_BASE");
    both(a6xx, GPUCODE_SPACE_CONTROL, 0x11, "IB1_BASE+0x1");
    both(a6xx, GPUCODE_SPACE_CONTROL, 0x200, "THREAD_SYNC");
    both(a7xx, GPUCODE_SPACE_CONTROL, 0x23f, "THREAD_SYNC");
    both(gen3, GPUCODE_SPACE_CONTROL, 0x27f, "THREAD_SYNC");
    both(gen8, GPUCODE_SPACE_CONTROL, 0x27f, "THREAD_SYNC");
    both(gen8, GPUCODE_SPACE_CONTROL, 0x89, "DDE_BR_INSTR_BASE+0x1");
    both(gen8, GPUCODE_SPACE_CONTROL, 0x8d, "DDE_BV_CNTL");
    nameless(gen3, GPUCODE_SPACE_CONTROL, 0x89);
    both(a6xx, GPUCODE_SPACE_SQE, 0x0f, "STACK7");
    both(a6xx, GPUCODE_SPACE_PIPE, 0x80, "WAIT_FOR_IDLE");
    both(a7xx, GPUCODE_SPACE_PIPE, 0x87, "WAIT_FOR_IDLE");
    nameless(a7xx, GPUCODE_SPACE_PIPE, 0x80);
    both(a7xx, GPUCODE_SPACE_PIPE, 0xa1, "NRT_ADDR+0x1");
    nameless(a5xx, GPUCODE_SPACE_PIPE, 0x80);
    nameless(a5xx, GPUCODE_SPACE_SQE, 5);
    both(a6xx, GPUCODE_SPACE_GPU, 0x830, "CP_SQE_INSTR_BASE");
    both(a6xx, GPUCODE_SPACE_GPU, 0x831, "CP_SQE_INSTR_BASE+0x1");
    both(gen8, GPUCODE_SPACE_GPU, 0x816, "CP_SQE_INSTR_BASE");
    both(a6xx, GPUCODE_SPACE_GPU, 0x885, "CP_SCRATCH[0x2].REG");
    both(a6xx, GPUCODE_SPACE_GPU, 0x883, "CP_SCRATCH[0].REG");
    both(a6xx, GPUCODE_SPACE_GPU, 0x400, "RBBM_PERFCTR_CP[0]+0");
    both(a6xx, GPUCODE_SPACE_GPU, 0x405, "RBBM_PERFCTR_CP[0x2]+0x1");
    both(a6xx, GPUCODE_SPACE_GPU, 0x8826, "RB_MRT[0].BASE_HI");
    both(a6xx, GPUCODE_SPACE_GPU, 0x882d, "RB_MRT[0x1].BASE");
    both(a7xx, GPUCODE_SPACE_GPU, 0xa9eb, "SP_CS_BINDLESS_BASE[0x1].DESCRIPTOR+0x1");
    both(a5xx, GPUCODE_SPACE_GPU, 0x801, "CP_RB_BASE_HI");    /* a register of its own there */
    both(a6xx, GPUCODE_SPACE_GPU, 0x1c6, "CP_RB_WPTR_DELAY"); /* common to all chips */
    both(nv41, GPUCODE_SPACE_GPU, 0x1404, "PBUS.HWSQ.CODE[0x1]");
    both(nv92, GPUCODE_SPACE_GPU, 0x801fc, "PBUS_HWSQ_NEW_CODE[0x7f]");
    nameless(nv92, GPUCODE_SPACE_GPU, 0x80200);
    nameless(nv41, GPUCODE_SPACE_GPU, 0x1405);
    nameless(nv17, GPUCODE_SPACE_GPU, 0x1440);
    both(nv41, GPUCODE_SPACE_GPU, 0x1440, "PBUS.HWSQ.CODE[0x10]");
    both(nv50, GPUCODE_SPACE_GPU, 0x1002d4, "PFB.RAMCHIP_CFG.PRECHARGE");
    both(nv50, GPUCODE_SPACE_GPU, 0x611080, "PDISPLAY.HEAD_VAL[0x1].REAL_RES[0]");
    both(nv17, GPUCODE_SPACE_FLAG, 0, "GPIO_2_OUT");
    both(nv41, GPUCODE_SPACE_FLAG, 16, "FB_PAUSE");
    both(nv92, GPUCODE_SPACE_FLAG, 16, "FB_PAUSE");
    nameless(nv17, GPUCODE_SPACE_FLAG, 16);
    nameless(nv92, GPUCODE_SPACE_FLAG, 0);
    both(nv41, GPUCODE_SPACE_EVENT, 1, "HEAD0_VBLANK");
    nameless(nv17, GPUCODE_SPACE_EVENT, 0);
    nameless(nv41, GPUCODE_SPACE_EVENT, 5);
}

static void test_packets(void)
{
    both(a5xx, GPUCODE_SPACE_PACKET, 0x10, "CP_NOP");
    both(a6xx, GPUCODE_SPACE_PACKET, 0x46, "CP_EVENT_WRITE");
    both(a7xx, GPUCODE_SPACE_PACKET, 0x46, "CP_EVENT_WRITE7");
    both(gen8, GPUCODE_SPACE_PACKET, 0x59, "CP_BARRIER");
    both(a5xx, GPUCODE_SPACE_PACKET, 0x3f, "CP_INDIRECT_BUFFER"); /* the first of two */
    reads(a5xx, GPUCODE_SPACE_PACKET, "CP_INDIRECT_BUFFER_PFE", 0x3f);
    nameless(a7xx, GPUCODE_SPACE_PACKET, 0x59);
    /* names of other chips are understood */
    reads(a5xx, GPUCODE_SPACE_PACKET, "CP_BARRIER", 0x59);
    reads(gen8, GPUCODE_SPACE_PACKET, "IN_IB_PREFETCH_END", 0x17);
    refuses(gen8, GPUCODE_SPACE_PACKET, "UNKN23");
}

static void test_forms(void)
{
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH[2].REG", 0x885);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH[0x2]", 0x885);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH", 0x883);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH[0x0].REG", 0x883);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH[7].REG", 0x88a);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH+0x3", 0x886);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SCRATCH_REG[7]", 0x88a);
    reads(a6xx, GPUCODE_SPACE_GPU, "CP_SQE_INSTR_BASE+0xfffff7cf", UINT32_MAX);
    reads(a6xx, GPUCODE_SPACE_GPU, "RB_MRT[1].BASE_HI", 0x882e);
    reads(a6xx, GPUCODE_SPACE_GPU, "RB_MRT[1].BASE+1", 0x882e);
    reads(a6xx, GPUCODE_SPACE_GPU, "RBBM_PERFCTR_CP[2]+1", 0x405);
    reads(nv50, GPUCODE_SPACE_GPU, "PDISPLAY.HEAD_VAL[1].REAL_RES[0x0]", 0x611080);
    reads(nv92, GPUCODE_SPACE_EVENT, "CRTC1_HBLANK", 4);
    reads(nv92, GPUCODE_SPACE_GPU, "PCLOCK.MPLL0_CTRL", 0x4008); /* of fewer than half of the chips */
    nameless(nv92, GPUCODE_SPACE_GPU, 0x4008);
    static const char *const wrong[] = {
        "",
        "CP_SCRATC",
        "cp_scratch",
        "CP_SCRATCH[8].REG",
        "CP_SCRATCH[].REG",
        "CP_SCRATCH[]",
        "CP_SCRATCH[2",
        "CP_SCRATCH[2.REG",
        "CP_SCRATCH[x].REG",
        "CP_SCRATCH[0x].REG",
        "CP_SCRATCH[99999999999].REG",
        "CP_SCRATCH[2].REGS",
        "CP_SCRATCH[2].",
        "CP_SCRATCH[2][2]",
        "CP_SCRATCH.REG",
        "CP_SQE_INSTR_BASE_HI", /* no address by its type */
        "CP_SQE_INSTR_BASE+",
        "CP_SQE_INSTR_BASE+1+1",
        "CP_SQE_INSTR_BASE+0x1 ",
        "CP_SQE_INSTR_BASE+0xffffffff",
        "CP_SQE_INSTR_BASE+0xfffff7d0", /* one more than there are numbers */
        "CP_SCRATCH_REG[8]",
        "_HI",
        "[0]",
        "+1",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses(a6xx, GPUCODE_SPACE_GPU, wrong[i]);
    refuses(nv92, GPUCODE_SPACE_FLAG, "GPIO_2_OUT"); /* a flag of older chips */
    refuses(nv17, GPUCODE_SPACE_EVENT, "FB_PAUSED");
    /* long names are refused, not cut */
    char name[4096];
    for (size_t length = 0; length < sizeof name; length++) {
        name[length] = length % 5 == 4 ? '[' : 'A';
        refuses(a6xx, GPUCODE_SPACE_GPU, "A");
        uint32_t number;
        assert_false(gpucode_number_of(a6xx, NULL, GPUCODE_SPACE_GPU, name, length, &number));
    }
}

/*
 * number -> name -> number for every number of every space. Exceptions: a register common to all chips whose name the
 * chip gives to a register of its own. The name then means the chip's, and that one prints the same name.
 */
static void test_round_trip(void)
{
    for (size_t i = 0; i < SET_COUNT; i++)
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++) {
            unsigned named = 0, ambiguous = 0;
            for (uint32_t number = 0; number < numbers_of(&sets[i], space); number++) {
                char name[GPUCODE_NAME_MAX], other[GPUCODE_NAME_MAX];
                uint32_t back = ~number;
                size_t length = gpucode_name_of(&sets[i].target, NULL, space, number, name, sizeof name);
                if (!length)
                    continue;
                named++;
                assert_int_equal(length, strlen(name));
                if (!gpucode_number_of(&sets[i].target, NULL, space, name, length, &back))
                    fail_msg("%s: 0x%x %s is not understood", sets[i].name, number, name);
                if (back == number)
                    continue;
                ambiguous++;
                gpucode_name_of(&sets[i].target, NULL, space, back, other, sizeof other);
                assert_string_equal(name, other);
            }
            bool empty = !sets[i].target.names->spaces[space];
            assert_int_equal(empty, named == 0);
            if (ambiguous != (space == GPUCODE_SPACE_GPU ? sets[i].ambiguous_gpu : 0))
                fail_msg("%s, space %u: %u ambiguous names", sets[i].name, space, ambiguous);
        }
}

/* Every row can be read by its text, the hidden ones too. */
static void test_rows(void)
{
    unsigned rows = 0;
    for (size_t i = 0; i < SET_COUNT; i++)
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++) {
            const struct isa_name_table *const *table = sets[i].target.names->spaces[space];
            for (; table && *table; table++)
                for (uint32_t j = 0; j < (*table)->name_count; j++, rows++) {
                    const struct isa_name *row = &(*table)->names[j];
                    int found = name_table_row(*table, (*table)->strings + row->text, row->length);
                    assert_in_range(found, 0, j);
                    assert_int_equal((*table)->names[found].length, row->length);
                }
        }
    assert_in_range(rows, 7000, 20000);
}

static void test_void(void)
{
    assert_true(isa_name_is_void(a6xx->names, 0x80));
    assert_true(isa_name_is_void(gen8->names, 0x87));
    assert_false(isa_name_is_void(a7xx->names, 0x80));
    assert_false(isa_name_is_void(a6xx->names, 0xa0));
    assert_false(isa_name_is_void(a5xx->names, 0x80));
    assert_false(isa_name_is_void(NULL, 0x80));
}

static void test_nearest(void)
{
    static const struct {
        enum gpucode_space space;
        const char *name, *nearest;
    } cases[] = {
        {GPUCODE_SPACE_CONTROL, "IB1_BSAE", "IB1_BASE"},
        {GPUCODE_SPACE_CONTROL, "preempt_enable", "PREEMPT_ENABLE"},
        {GPUCODE_SPACE_CONTROL, "THREAD_SYNK+0x1", "THREAD_SYNC"},
        {GPUCODE_SPACE_GPU, "CP_SCRACH[0x2].REG", "CP_SCRATCH[].REG"},
        {GPUCODE_SPACE_PACKET, "CP_NOPE", "CP_NOP"},
        {GPUCODE_SPACE_CONTROL, "XYZZY", NULL},
        {GPUCODE_SPACE_CONTROL, "", NULL},
        {GPUCODE_SPACE_GENERAL, "IB1_BASE", NULL},
        {GPUCODE_SPACE_FLAG, "FB_PAUSE", NULL},
        {GPUCODE_SPACE_COUNT, "IB1_BASE", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = isa_name_nearest(a6xx->names, cases[i].space, cases[i].name, strlen(cases[i].name));
        if (!cases[i].nearest)
            assert_null(nearest);
        else
            assert_string_equal(nearest, cases[i].nearest);
    }
    char name[2000];
    memset(name, 'A', sizeof name);
    assert_null(isa_name_nearest(a6xx->names, GPUCODE_SPACE_GPU, name, sizeof name));
    assert_null(isa_name_nearest(NULL, GPUCODE_SPACE_GPU, "A", 1));
}

static void test_distance(void)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } cases[] = {
        {"", "", 0},       {"", "abc", 3},   {"abc", "", 3},           {"abc", "abc", 0},       {"abc", "abd", 1},
        {"abc", "acb", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"abcdef", "fedcba", 5}, {"ca", "abc", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned limit = 0; limit < 8; limit++) {
            unsigned expected = cases[i].distance <= limit ? cases[i].distance : limit + 1;
            size_t a = strlen(cases[i].a), b = strlen(cases[i].b);
            assert_int_equal(text_distance(cases[i].a, a, cases[i].b, b, limit), expected);
            assert_int_equal(text_distance(cases[i].b, b, cases[i].a, a, limit), expected);
        }
    /* as long as a name may be, and longer, which is as far as can be */
    char name[GPUCODE_NAME_MAX + 1];
    memset(name, 'A', sizeof name);
    assert_int_equal(text_distance(name, GPUCODE_NAME_MAX, name, GPUCODE_NAME_MAX, 2), 0);
    assert_int_equal(text_distance(name, GPUCODE_NAME_MAX, name, GPUCODE_NAME_MAX + 1, 2), 3);
}

static size_t user_name(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    if (space != GPUCODE_SPACE_GPU || number != 0x830)
        return number == 0x831 ? 100000 : number == 0x885 ? GPUCODE_NAME_MAX : 0; /* a lie about the length: no name */
    const char *name = user;
    size_t length = strlen(name) < size ? strlen(name) : size;
    memcpy(text, name, length);
    return length;
}

static bool user_number(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number)
{
    if (space != GPUCODE_SPACE_GPU || length != strlen(user) || memcmp(name, user, length) != 0)
        return false;
    *number = 0x830;
    return true;
}

static void test_user_names(void)
{
    static char mine[] = "MY_BASE";
    struct gpucode_names names = {user_name, user_number, mine};
    char text[GPUCODE_NAME_MAX];
    uint32_t number = 0;
    assert_int_equal(gpucode_name_of(a6xx, &names, GPUCODE_SPACE_GPU, 0x830, text, sizeof text), 7);
    assert_string_equal(text, "MY_BASE");
    gpucode_name_of(a6xx, &names, GPUCODE_SPACE_GPU, 0x831, text, sizeof text);
    assert_string_equal(text, "CP_SQE_INSTR_BASE+0x1");
    gpucode_name_of(a6xx, &names, GPUCODE_SPACE_GPU, 0x885, text, sizeof text);
    assert_string_equal(text, "CP_SCRATCH[0x2].REG");
    assert_true(gpucode_number_of(a6xx, &names, GPUCODE_SPACE_GPU, "MY_BASE", 7, &number));
    assert_int_equal(number, 0x830);
    assert_true(gpucode_number_of(a6xx, &names, GPUCODE_SPACE_GPU, "CP_SCRATCH", 10, &number));
    assert_int_equal(number, 0x883);
    struct gpucode_names empty = {NULL, NULL, NULL};
    assert_int_equal(gpucode_name_of(a6xx, &empty, GPUCODE_SPACE_GPU, 0x830, text, sizeof text), 17);
    assert_true(gpucode_number_of(a6xx, &empty, GPUCODE_SPACE_GPU, "CP_SCRATCH", 10, &number));
}

/* Every number that has a name, and no other, far after the last one too. */
static void test_next(void)
{
    char text[GPUCODE_NAME_MAX];
    uint32_t names = 0;
    for (size_t set = 0; set < 9; set++) {
        const struct gpucode_target *target = &sets[set].target;
        for (enum gpucode_space space = 0; space < GPUCODE_SPACE_COUNT; space++) {
            uint32_t next = 0;
            bool more = gpucode_name_next(target, space, &next);
            for (uint32_t number = 0; number < 0x120000; number++) {
                bool named = gpucode_name_of(target, NULL, space, number, text, sizeof text) != 0;
                assert_true(named == (more && number == next));
                names += named;
                if (named) {
                    next++;
                    more = gpucode_name_next(target, space, &next);
                }
            }
            uint32_t behind = UINT32_MAX, kept = 0x7000000;
            assert_false(gpucode_name_next(target, space, &behind));
            assert_false(gpucode_name_next(target, space, &kept));
            assert_int_equal(kept, 0x7000000);
        }
    }
    assert_in_range(names, 10000, 1000000);
    uint32_t number = 0;
    assert_false(gpucode_name_next(NULL, GPUCODE_SPACE_GPU, &number));
    assert_false(gpucode_name_next(a6xx, GPUCODE_SPACE_COUNT, &number));
    assert_false(gpucode_name_next(a6xx, (enum gpucode_space)99, &number));
    assert_false(gpucode_name_next(a6xx, GPUCODE_SPACE_GPU, NULL));
}

static void test_arguments(void)
{
    struct gpucode_target none = {.name = "none"};
    char text[GPUCODE_NAME_MAX];
    uint32_t number;
    assert_int_equal(gpucode_name_of(NULL, NULL, GPUCODE_SPACE_GPU, 0x830, text, sizeof text), 0);
    assert_int_equal(gpucode_name_of(a6xx, NULL, GPUCODE_SPACE_GPU, 0x830, NULL, sizeof text), 0);
    assert_int_equal(gpucode_name_of(a6xx, NULL, GPUCODE_SPACE_GPU, 0x830, text, sizeof text - 1), 0);
    assert_int_equal(gpucode_name_of(a6xx, NULL, GPUCODE_SPACE_COUNT, 0x830, text, sizeof text), 0);
    assert_int_equal(gpucode_name_of(a6xx, NULL, (enum gpucode_space)99, 0x830, text, sizeof text), 0);
    assert_int_equal(gpucode_name_of(&none, NULL, GPUCODE_SPACE_GPU, 0x830, text, sizeof text), 0);
    assert_int_equal(gpucode_name_of(a6xx, NULL, GPUCODE_SPACE_GPU, UINT32_MAX, text, sizeof text), 0);
    assert_false(gpucode_number_of(NULL, NULL, GPUCODE_SPACE_GPU, "CP_SCRATCH", 10, &number));
    assert_false(gpucode_number_of(a6xx, NULL, GPUCODE_SPACE_COUNT, "CP_SCRATCH", 10, &number));
    assert_false(gpucode_number_of(a6xx, NULL, GPUCODE_SPACE_GPU, NULL, 10, &number));
    assert_false(gpucode_number_of(a6xx, NULL, GPUCODE_SPACE_GPU, "CP_SCRATCH", 10, NULL));
    assert_false(gpucode_number_of(&none, NULL, GPUCODE_SPACE_GPU, "CP_SCRATCH", 10, &number));
}

/* What a caller was asked for, one name in each line; it knows one of them. */
struct questions {
    const char *known;
    char text[600];
};

static bool answer_one(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number)
{
    struct questions *questions = user;
    size_t used = strlen(questions->text);
    snprintf(questions->text + used, sizeof questions->text - used, "%.*s\n", (int)length, name);
    *number = 0x77;
    return space == GPUCODE_SPACE_GPU && strlen(questions->known) == length && !memcmp(questions->known, name, length);
}

/* A register of an array by its older name: what stands in front of each '_' may be the array's, from the last on. */
static void test_members(void)
{
    static const struct {
        const char *name, *known, *asked; /* asked: of the caller, after the name itself */
        bool found;
    } cases[] = {
        {"MY_OWN_ARRAY_REG[0x2]", "MY_OWN_ARRAY[0x2].REG", "MY_OWN_ARRAY[0x2].REG\n", true},
        {"MY_OWN_ARRAY_REG[0x2]", "MY_OWN[0x2].ARRAY_REG", "MY_OWN_ARRAY[0x2].REG\nMY_OWN[0x2].ARRAY_REG\n", true},
        {"MY_A_B[1]", "MY[1].A_B", "MY_A[1].B\nMY[1].A_B\n", true},
        {"MY_A_B[1]", "none", "MY_A[1].B\nMY[1].A_B\n", false},
        {"_A[1]", "none", "", false},
        {"A[1]", "none", "", false},
        {"MY_A", "none", "", false},
        {"MY_A[1].B", "none", "", false},
        {"MY_A[1", "none", "", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct questions questions = {.known = cases[i].known};
        struct gpucode_names names = {NULL, answer_one, &questions};
        char wanted[600];
        uint32_t number = 0;
        bool found = gpucode_number_of(a6xx, &names, GPUCODE_SPACE_GPU, cases[i].name, strlen(cases[i].name), &number);
        snprintf(wanted, sizeof wanted, "%s\n%s", cases[i].name, cases[i].asked);
        assert_string_equal(questions.text, wanted);
        assert_int_equal(found, cases[i].found);
        assert_true(!found || number == 0x77);
    }
    /* where the longer name is too long for a name, nothing is asked */
    char name[GPUCODE_NAME_MAX + 8];
    for (size_t length = GPUCODE_NAME_MAX - 4; length < GPUCODE_NAME_MAX + 4; length++) {
        struct questions questions = {.known = "none"};
        struct gpucode_names names = {NULL, answer_one, &questions};
        uint32_t number;
        memset(name, 'A', sizeof name);
        memcpy(name + 4, "_", 1);
        memcpy(name + length - 3, "[1]", 3);
        assert_false(gpucode_number_of(a6xx, &names, GPUCODE_SPACE_GPU, name, length, &number));
        unsigned asked = 0;
        for (const char *at = questions.text; *at; at++)
            asked += *at == '\n';
        assert_int_equal(asked, length + 2 > GPUCODE_NAME_MAX ? 1 : 2);
    }
}

/* The limits of a table: of one row, unless `rows` says how many there are of it. */
static void test_limits(void)
{
    static const struct {
        struct isa_name row;
        uint32_t rows, root_count, leaf_blocks; /* 0 roots: it is refused */
    } cases[] = {
        {{.count = 1, .words = 1}, NAME_ROWS_MAX, 1, 2},
        {{.count = 1, .words = 1}, NAME_ROWS_MAX + 1, 0, 0},
        {{.count = 65535, .stride = 64, .words = 1}, 1, 1024, 65536}, /* in as many blocks as there are */
        {{.number = 63, .count = 65535, .stride = 64, .words = 2}, 1, 0, 0},
        {{.count = 1, .words = 64}, 1, 1, 2},
        {{.count = 32768, .stride = 1, .words = 128}, 1, 9, 515}, /* they claim as much as can be */
        {{.count = 32769, .stride = 1, .words = 128}, 1, 0, 0},
        {{.number = UINT32_MAX - 4, .count = 1, .words = 4}, 1, 0x100000, 2},
        {{.number = UINT32_MAX - 3, .count = 1, .words = 4}, 1, 0, 0}, /* it ends beyond all numbers */
    };
    static struct isa_name rows[NAME_ROWS_MAX + 1];
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct name_index index;
        for (uint32_t row = 0; row < cases[i].rows; row++)
            rows[row] = cases[i].row;
        assert_int_equal(name_index_build(&index, "", rows, cases[i].rows), cases[i].root_count != 0);
        assert_int_equal(index.root_count, cases[i].root_count);
        assert_int_equal(index.leaf_blocks, cases[i].leaf_blocks);
        name_index_free(&index);
    }
}

/* The row that is the first of its table is found as others are: an array by its bare name, a member as older texts
 * have it. */
static void test_first_row(void)
{
    static const struct isa_name rows[] = {
        {.number = 0x20, .count = 4, .stride = 2, .length = 7, .subscript = 1, .words = 1},
        {.text = 7, .number = 0x10, .count = 3, .stride = 1, .length = 3, .subscript = 1, .words = 1}};
    static const struct {
        const char *name;
        unsigned row;   /* that stands first */
        int64_t number; /* -1: none */
    } cases[] = {{"A[3].REG", 0, 0x26}, {"A_REG[3]", 0, 0x26}, {"A_REG[4]", 0, -1}, {"A_REG[0]", 1, -1},
                 {"B", 1, 0x10},        {"B[2]", 1, 0x12},     {"B[3]", 1, -1}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char strings[] = "A[].REGB[]";
        struct name_index index;
        uint32_t number = 0;
        assert_true(name_index_build(&index, strings, rows + cases[i].row, 1));
        struct isa_name_table table = {strings,          rows + cases[i].row, 1,
                                       index.root_count, index.hash_mask,     index.root,
                                       index.middle,     index.leaves,        index.hash};
        bool found = name_table_number(&table, cases[i].name, strlen(cases[i].name), &number);
        if (found != (cases[i].number >= 0) || (found && number != cases[i].number))
            fail_msg("%s: %d, 0x%x", cases[i].name, (int)found, (unsigned)number);
        name_index_free(&index);
    }
}

/* A register by its number: up to the last there can be. */
static void test_numbers(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    unsigned space;
    uint32_t number;
    assert_true(gpucode_register_of(target, NULL, "0xffffffff", 10, &space, &number));
    assert_true(space == GPUCODE_SPACE_GPU && number == UINT32_MAX);
    assert_false(gpucode_register_of(target, NULL, "0x100000000", 11, &space, &number));
    assert_true(gpucode_register_of(target, NULL, "|4294967295", 11, &space, &number));
    assert_true(space == GPUCODE_SPACE_PIPE && number == UINT32_MAX);
}

TESTS(lookup, test_spot_values, test_packets, test_forms, test_round_trip, test_rows, test_void, test_nearest,
      test_distance, test_user_names, test_members, test_arguments, test_next, test_limits, test_first_row,
      test_numbers)
