/* SPDX-License-Identifier: MIT */
/* Hooks, breakpoints, coverage, limits, policies and registers by name. */
#include "files.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool stop_at_third(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    unsigned *count = user;
    (void)machine, (void)event;
    return ++*count == 3;
}

/* A hook stops before an instruction, or after the write that it saw; going on does not tell it again. */
static void hooks(void)
{
    struct rig rig;
    unsigned count = 0;
    program_make(&rig, A6XX, "mov $02, 0x1\nmov $03, 0x2\nmov $04, 0x3\nmov $05, 0x4\n", NULL, 0, NULL);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, stop_at_third, &count);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_HOOK);
    assert_int_equal(rig.stop.pc, 2);
    assert_int_equal(rig_get(&rig, "$02"), 0);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(count, 7); /* two header words, four movs, waitin: each once */
    rig_free(&rig);
    count = 0;
    program_make(&rig, A6XX, "mov $02, 0x1\nmov $03, 0x2\nmov $04, 0x3\nmov $05, 0x4\n", NULL, 0, NULL);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, stop_at_third, &count);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_HOOK);
    assert_int_equal(rig_get(&rig, "$04"), 3);
    assert_int_equal(rig_get(&rig, "$05"), 0);
    assert_int_equal(rig.stop.pc, 5);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(count, 4);
    rig_free(&rig);
}

static void breakpoints(void)
{
    for (unsigned observed = 0; observed < 2; observed++) {
        struct rig rig;
        program_make(&rig, A6XX, "mov $02, 0x3\na: sub $02, $02, 0x1\nbrne $02, 0x0, #a\nadd $03, $03, 0x1\n", NULL, 0,
                     NULL);
        if (observed)
            gpucode_machine_coverage(rig.machine, true);
        assert_int_equal(gpucode_machine_break(rig.machine, 0, 5, true), GPUCODE_OK); /* a delay slot */
        assert_int_equal(gpucode_machine_break(rig.machine, 0, 1000, true), GPUCODE_ERROR_RANGE);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_BREAKPOINT);
            assert_int_equal(rig.stop.pc, 5);
            assert_int_equal(rig_get(&rig, "$03"), i);
        }
        gpucode_machine_break(rig.machine, 0, 3, true);
        assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
        gpucode_machine_set_pc(rig.machine, 0, 2);
        assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_BREAKPOINT);
        assert_int_equal(rig.stop.pc, 3);
        gpucode_machine_break(rig.machine, 0, 3, false);
        gpucode_machine_break(rig.machine, 0, 5, false);
        assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
        rig_free(&rig);
    }
}

static void coverage(void)
{
    struct rig rig;
    size_t units;
    program_make(&rig, A6XX, "jump #on\nnop\nmov $02, 0x1\non: mov $03, 0x1\n", NULL, 0, NULL);
    gpucode_machine_coverage(rig.machine, true);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    const uint8_t *covered = gpucode_machine_covered(rig.machine, 0, &units);
    static const uint8_t expected[] = {1, 1, 1, 1, 0, 1, 1, 0};
    assert_int_equal(units, sizeof expected);
    assert_memory_equal(covered, expected, sizeof expected);
    gpucode_machine_coverage(rig.machine, true);
    assert_int_equal(covered[0], 0);
    rig_free(&rig);
}

/* Limits are exact for ordinary instructions, and bound the work that (rep) does. */
static void limits(void)
{
    struct rig rig;
    program_make(&rig, A6XX, "a: add $02, $02, 0x1\njump #a\nadd $03, $03, 0x1\n", NULL, 0, NULL);
    for (uint64_t limit = 0; limit < 50; limit++) {
        assert_int_equal(gpucode_machine_run(rig.machine, limit, &rig.stop), limit);
        assert_int_equal(rig.stop.reason, GPUCODE_STOP_LIMIT);
    }
    assert_int_equal(gpucode_machine_count(rig.machine), 49 * 50 / 2);
    assert_int_equal(gpucode_machine_time(rig.machine), 49 * 50 / 2);
    rig_free(&rig);
    program_make(&rig, A6XX, "not $rem, 0x0\n(rep)add $02, $02, 0x1\n", NULL, 0, NULL);
    gpucode_machine_run(rig.machine, 1000000, &rig.stop);
    assert_int_equal(rig.stop.reason, GPUCODE_STOP_LIMIT);
    assert_int_equal(rig.stop.pc, 3);
    assert_true(rig_get(&rig, "$02") < 1100000);
    assert_int_equal(rig_get(&rig, "$02") + rig_get(&rig, "$rem"), 0xffffffff);
    rig_free(&rig);
}

/* The documentation's list has every policy with its default, and the values in their order. */
static void documented(void)
{
    char line[700], *text = read_items("docs/afuc-machine.md");
    struct gpucode_policy policy;
    for (unsigned i = 0; gpucode_policy_at(gpucode_target_find("afuc:a630"), i, &policy); i++) {
        char values[100];
        unsigned at = 0;
        for (const char *c = policy.values; *c; c++)
            at += (unsigned)snprintf(values + at, sizeof values - at, *c == '|' ? ", " : "%c", *c);
        snprintf(line, sizeof line, "* `%s` (%s; default %s): %s\n", policy.name, values,
                 *policy.preset ? policy.preset : "none", policy.doc);
        if (!strstr(text, line))
            fail_msg("docs/afuc-machine.md lacks %s", line);
    }
    free(text);
}

/* Every policy accepts its preset and all its values, and nothing else. */
static void policies(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    struct gpucode_policy policy;
    unsigned count = 0;
    for (; gpucode_policy_at(target, count, &policy); count++) {
        char values[100];
        assert_true(strlen(policy.doc) > 20);
        strncpy(values, policy.values, sizeof values - 1);
        values[sizeof values - 1] = 0;
        bool is_text = strcmp(values, "TEXT") == 0, is_number = strcmp(values, "NUMBER") == 0,
             preset = is_text || is_number;
        for (char *value = strtok(values, "|"); value; value = strtok(NULL, "|")) {
            const char *choice = is_number ? "3" : is_text ? "CP_SCRATCH[0].REG=1" : value;
            preset |= strcmp(choice, policy.preset) == 0;
            const struct gpucode_setting setting[] = {{policy.name, choice}, {NULL, NULL}};
            struct rig rig;
            assert_true(rig_text(&rig, NULL, A6XX "nop\n", setting));
            rig_free(&rig);
        }
        assert_true(preset);
        const struct gpucode_setting wrong[] = {{policy.name, "nonsense"}, {NULL, NULL}};
        struct rig rig;
        assert_false(rig_text(&rig, NULL, A6XX "nop\n", wrong));
        assert_true(rig.message[0] != 0);
        rig_free(&rig);
    }
    assert_true(count > 10);
    const struct gpucode_setting unknown[] = {{"afuc-none", "1"}, {NULL, NULL}};
    struct rig rig;
    assert_false(rig_text(&rig, NULL, A6XX "nop\n", unknown));
    assert_non_null(strstr(rig.message, "afuc-none"));
    rig_free(&rig);
}

static void register_names(void)
{
    struct rig rig;
    program_make(&rig, A6XX, "nop\n", NULL, 0, NULL);
    static const char *const names[] = {
        "$00", "$1a", "$rem", "@IB1_BASE", "%SP", "|NRT_ADDR", "CP_SCRATCH[0x2].REG", "@0x3ff", "0x1ffff"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned space, again;
        uint32_t number, same;
        char text[GPUCODE_NAME_MAX];
        assert_true(gpucode_machine_find(rig.machine, names[i], &space, &number));
        assert_true(gpucode_machine_name(rig.machine, space, number, text, sizeof text) > 0);
        assert_true(gpucode_machine_find(rig.machine, text, &again, &same));
        assert_int_equal(space, again);
        assert_int_equal(number, same);
    }
    static const char *const bad[] = {"", "$", "$20", "$2", "@", "@NO", "%SP0", "@0x1000", "0x40000", "$xx"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        unsigned space;
        uint32_t number;
        assert_false(gpucode_machine_find(rig.machine, bad[i], &space, &number));
    }
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++) {
        struct gpucode_space_info info;
        uint32_t value;
        if (!gpucode_machine_space(rig.machine, space, &info)) {
            assert_int_equal(gpucode_machine_read(rig.machine, 0, space, 0, &value), GPUCODE_ERROR_RANGE);
            continue;
        }
        assert_int_equal(gpucode_machine_read(rig.machine, 0, space, info.count, &value), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_write(rig.machine, 0, space, info.count, 0), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_read(rig.machine, 9, space, 0, &value), GPUCODE_ERROR_RANGE);
    }
    rig_free(&rig);
}

/* Host memory: what is mapped, and what cannot be. */
/* A register that is written is that one alone, and keeps what was written; $00 stays 0. */
static void one_register(void)
{
    static const unsigned spaces[] = {GPUCODE_SPACE_GENERAL, GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE,
                                      GPUCODE_SPACE_PIPE, GPUCODE_SPACE_GPU};
    enum { SPACES = sizeof spaces / sizeof *spaces, MOST = 0x1000 };
    static uint32_t wanted[SPACES][MOST];
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned h = 0; h < sizeof heads / sizeof *heads; h++) {
        struct rig rig;
        struct gpucode_space_info info;
        uint32_t value, seed = 0x1234567 + h;
        program_make(&rig, heads[h], "nop\n", NULL, 0, NULL);
        for (unsigned round = 0; round < 60; round++) {
            for (unsigned s = 0; s < SPACES; s++) {
                assert_true(gpucode_machine_space(rig.machine, spaces[s], &info));
                uint32_t count = info.count < MOST ? info.count : MOST;
                for (uint32_t i = 0; i < count; i++) {
                    assert_int_equal(gpucode_machine_read(rig.machine, 0, spaces[s], i, &value), GPUCODE_OK);
                    if (!round)
                        wanted[s][i] = value;
                    else if (value != wanted[s][i])
                        fail_msg("%s 0x%x is 0x%x in place of 0x%x", info.name, i, value, wanted[s][i]);
                }
            }
            unsigned s = round % SPACES;
            assert_true(gpucode_machine_space(rig.machine, spaces[s], &info));
            seed = seed * 1664525 + 1013904223;
            uint32_t number = (round / SPACES == 0 ? 0 : seed >> 8) % (info.count < MOST ? info.count : MOST);
            assert_int_equal(gpucode_machine_write(rig.machine, 0, spaces[s], number, seed), GPUCODE_OK);
            wanted[s][number] = spaces[s] == GPUCODE_SPACE_GENERAL && !number ? 0 : seed;
        }
        rig_free(&rig);
    }
}

static void memory(void)
{
    struct rig rig;
    unsigned char bytes[8192];
    const uint64_t far = UINT64_C(0xfffffffffffff000);
    program_make(&rig, A6XX, "nop\n", NULL, 0, NULL);
    assert_int_equal(gpucode_machine_load(rig.machine, far, bytes, 16), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_map(rig.machine, far, 16), GPUCODE_OK);
    assert_int_equal(gpucode_machine_load(rig.machine, far, bytes, 4096), GPUCODE_OK);
    assert_int_equal(gpucode_machine_map(rig.machine, far, 8192), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_store(rig.machine, far, bytes, 8192), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_map(rig.machine, 0, UINT64_MAX),
                     GPUCODE_OK); /* all of it, and what is there stays */
    assert_int_equal(gpucode_machine_load(rig.machine, 0x1000, bytes, 4), GPUCODE_OK); /* the image */
    assert_memory_equal(bytes, "\x01\xe0\x6e\x01", 4);
    rig_free(&rig);
    assert_int_equal(gpucode_machine_create(NULL, NULL, &rig.machine), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_machine_create(NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    gpucode_machine_free(NULL);
    gpucode_snapshot_free(NULL);
}

/* Counters of what is under way go up and down; a lock is held until it is given back. */
static void counters(void)
{
    static const char code[] = "mov $02, 0x3\nmov $03, 0x4\ncwrite $02, [$00 + @WFI_PEND_INCR]\n"
                               "cwrite $03, [$00 + @WFI_PEND_INCR]\ncread $04, [$00 + @WFI_PEND_CTR]\n"
                               "cwrite $02, [$00 + @QUERY_PEND_INCR]\ncwrite $02, [$00 + @QUERY_PEND_INCR]\n"
                               "cread $05, [$00 + @QUERY_PEND_CTR]\ncread $06, [$00 + @WFI_PEND_CTR]\n";
    struct rig rig;
    program_make(&rig, A6XX, code, NULL, 0, NULL);
    assert_int_equal(rig_run(&rig, 10), GPUCODE_STOP_LIMIT);
    assert_int_equal(rig_get(&rig, "$04"), 7);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$05"), 6);
    assert_int_equal(rig_get(&rig, "$06"), 7);
    rig_free(&rig);
}

/* Answers are for one register of one kind, whatever others have its number; the last one counts. */
static void answers(void)
{
    static const char code[] = "mov $01, 0x2\nmov $02, 0x20\ncwrite $02, [$00 + @REG_READ_ADDR]\n"
                               "cwrite $01, [$00 + @REG_READ_DWORDS]\nmov $04, $regdata\nmov $05, $regdata\n"
                               "cread $06, [$00 + 0x20]\ncread $07, [$00 + 0x21]\n";
    static const struct {
        const char *answers[3];
        uint32_t values[4]; /* of GPU registers 0x20 and 0x21, and of the control registers of these numbers */
    } cases[] = {
        {{"0x20=5"}, {5, 0, 0, 0}},
        {{"@0x20=5"}, {0, 0, 5, 0}},
        {{"@33=0xffffffff", "32=4"}, {4, 0, 0, 0xffffffff}},
        {{"0x21=1", "@0x21=2", "0x21=3"}, {0, 3, 0, 2}},
    };
    static const char *const refused[] = {
        "",       "@",      "=1",      "@=1",     "0x20",      "0x20=",         "0x20=x",   "0x20=1 ", "0x20=2x",
        "0x2x=1", "NONE=1", "@NONE=1", "@4096=1", "0x40000=1", "1=0x100000000", "@@0x20=1", "0x20 =1", "0x20=-1"};
    struct rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_setting settings[4] = {{NULL, NULL}};
        for (unsigned k = 0; k < 3 && cases[i].answers[k]; k++)
            settings[k] = (struct gpucode_setting){"afuc-answer", cases[i].answers[k]};
        program_make(&rig, A6XX, code, NULL, 0, settings);
        assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
        static const char *const names[] = {"$04", "$05", "$06", "$07"};
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig_get(&rig, names[k]), cases[i].values[k]);
        rig_free(&rig);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct gpucode_setting settings[] = {
            {"afuc-answer", "0x20=1"}, {"afuc-answer", refused[i]}, {NULL, NULL}};
        char told[80];
        if (rig_text(&rig, NULL, A6XX "nop\n", settings))
            fail_msg("'%s' is an answer", refused[i]);
        snprintf(told, sizeof told, "'%s' is not an answer", refused[i]);
        assert_string_equal(rig.code, "afuc-answer");
        assert_non_null(strstr(rig.message, told));
        rig_free(&rig);
    }
}

static size_t long_name(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    size_t length = *(size_t *)user;
    (void)space, (void)number;
    for (size_t i = 0; i < length && i < size; i++)
        text[i] = (char)('A' + i % 26);
    return length;
}

/* A caller's names are as long as they may be, with the mark in front of them. */
static void long_names(void)
{
    static const struct {
        unsigned space;
        char mark;
    } spaces[] = {{GPUCODE_SPACE_GENERAL, '$'}, {GPUCODE_SPACE_CONTROL, '@'}, {GPUCODE_SPACE_GPU, 0}};
    size_t given;
    struct gpucode_names names = {long_name, NULL, &given};
    struct rig rig;
    assert_true(rig_text(&rig, NULL, A6XX "nop\n", NULL));
    const struct gpucode_machine_options options = {.names = &names};
    struct gpucode_machine *machine;
    assert_int_equal(gpucode_machine_create(rig.image, &options, &machine), GPUCODE_OK);
    for (given = 1; given < GPUCODE_NAME_MAX; given++)
        for (unsigned i = 0; i < 3; i++) {
            char text[GPUCODE_NAME_MAX + 8];
            size_t most = given + (spaces[i].mark != 0), limit = GPUCODE_NAME_MAX - 1 - (i == 2);
            size_t wanted = most < limit ? most : limit;
            memset(text, '!', sizeof text);
            size_t length = gpucode_machine_name(machine, spaces[i].space, 5, text, GPUCODE_NAME_MAX);
            assert_int_equal(length, wanted);
            assert_int_equal(strlen(text), length);
            assert_true(!spaces[i].mark || *text == spaces[i].mark);
            assert_int_equal(text[length - 1], 'A' + (length - 1 - (spaces[i].mark != 0)) % 26);
            assert_int_equal(gpucode_machine_name(machine, spaces[i].space, 5, text, length), 0);
        }
    gpucode_machine_free(machine);
    rig_free(&rig);
}

/* Which registers an entry protects, on each generation: the first and the last of them, and those beside. */
static void protected_ranges(void)
{
    static const struct {
        const char *head, *entry, *control;
        uint32_t value, enable, first, last; /* none: last is 0 */
    } cases[] = {
        /* a power of two of registers, if the entry counts at all */
        {A5XX, "CP_PROTECT[7].REG", "CP_PROTECT_CNTL", UINT32_C(1) << 29 | 0x910, 3, 0x910, 0x910},
        {A5XX, "CP_PROTECT[0].REG", "CP_PROTECT_CNTL", UINT32_C(1) << 29 | 2u << 24 | 0x910, 3, 0x910, 0x913},
        {A5XX, "CP_PROTECT[0].REG", "CP_PROTECT_CNTL", UINT32_C(1) << 29 | 1u << 24 | 0x910, 3, 0x910, 0x911},
        {A5XX, "CP_PROTECT[31].REG", "CP_PROTECT_CNTL", UINT32_C(1) << 29 | 2u << 24 | 0x910, 0xb, 0x910, 0x913},
        {A5XX, "CP_PROTECT[7].REG", "CP_PROTECT_CNTL", 2u << 24 | 0x910, 3, 0x910, 0},
        /* so many after the first; the last entry goes to the end, where that is wanted */
        {A6XX, "CP_PROTECT[0].REG", "CP_PROTECT_CNTL", 0x910 | 1 << 18, 3, 0x910, 0x911},
        {A6XX, "CP_PROTECT[30].REG", "CP_PROTECT_CNTL", 0x910 | 5 << 18, 0xb, 0x910, 0x915},
        {A6XX, "CP_PROTECT[31].REG", "CP_PROTECT_CNTL", 0x910, 3, 0x910, 0x910},
        {A6XX, "CP_PROTECT[31].REG", "CP_PROTECT_CNTL", 0x910, 0xb, 0x910, 0x3ffff},
        {A6XX, "CP_PROTECT[31].REG", "CP_PROTECT_CNTL", 0x910, 0xa, 0x910, 0},
        {A7XX, "CP_PROTECT[5].REG", "CP_PROTECT_CNTL", 0x910 | 0x1fff << 18, 3, 0x910, 0x290f},
        {GEN8, "CP_PROTECT_GLOBAL[0].REG", "CP_PROTECT_CNTL_PIPE", 0x910 | 1 << 18, 3, 0x910, 0x911},
        {GEN8, "CP_PROTECT_GLOBAL[62].REG", "CP_PROTECT_CNTL_PIPE", 0x910 | 1 << 18, 0xb, 0x910, 0x911},
        {GEN8, "CP_PROTECT_GLOBAL[63].REG", "CP_PROTECT_CNTL_PIPE", 0x910, 0xb, 0x910, 0x3ffff},
        {GEN8, "CP_PROTECT_PIPE[3].REG", "CP_PROTECT_CNTL_PIPE", 0x910 | 1 << 18, 3, 0x910, 0x911},
        {GEN8, "CP_PROTECT_PIPE[15].REG", "CP_PROTECT_CNTL_PIPE", 0x910, 3, 0x910, 0x910},
        {GEN8, "CP_PROTECT_PIPE[15].REG", "CP_PROTECT_CNTL_PIPE", 0x910, 0xb, 0x910, 0x3ffff},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t last = cases[i].last ? cases[i].last : cases[i].first;
        bool ends = last < 0xffff; /* what the program can name */
        const uint32_t registers[] = {cases[i].first - 1, cases[i].first, ends ? last : 0x1000,
                                      ends ? last + 1 : 0xffff};
        for (unsigned k = 0; k < 4; k++) {
            struct rig rig;
            char text[120], name[16];
            bool inside = cases[i].last && registers[k] >= cases[i].first && registers[k] <= last;
            snprintf(name, sizeof name, "0x%x", (unsigned)registers[k]);
            snprintf(text, sizeof text, "mov $usraddr, %s\nmov $03, 0x1\nmov $data, $03\n", name);
            program_make(&rig, cases[i].head, text, NULL, 0, NULL);
            rig_set(&rig, cases[i].entry, cases[i].value);
            rig_set(&rig, cases[i].control, cases[i].enable);
            enum gpucode_stop_reason reason = rig_run(&rig, 1000);
            bool faults = inside && cases[i].enable & 2;
            if (reason != (faults ? GPUCODE_STOP_FAULT : GPUCODE_STOP_IDLE))
                fail_msg("case %u, %s: %s", i, name, rig.stop.text);
            assert_int_equal(rig_get(&rig, name), !inside);
            rig_free(&rig);
        }
    }
}

/* Frames are the hardware's stack, the newest first, and after it the link register where it has a place of code. */
static void frames(void)
{
    static const char text[] = "call #f\nnop\nend: jump #end\nnop\n"           /* words 2 to 5 */
                               "f: bl #g\nnop\nret\nnop\n"                     /* 6 to 9 */
                               "g: call #h\nnop\nsret\nnop\n"                  /* 10 to 13 */
                               "h: mov $lr, 0xfff0\nmov $lr, 0x0\nret\nnop\n"; /* 14 to 17 */
    static const struct {
        uint64_t pc;
        unsigned count;
        uint64_t stack[2], link; /* the link register: 0, it has none of code */
    } rows[] = {
        {2, 0, {0}, 0},      {3, 1, {4}, 0},      {6, 1, {4}, 0},      {7, 1, {4}, 8},      {10, 1, {4}, 8},
        {11, 2, {12, 4}, 8}, {14, 2, {12, 4}, 8}, {15, 2, {12, 4}, 0}, {16, 2, {12, 4}, 0}, {17, 1, {4}, 0},
    };
    struct rig rig;
    program_make(&rig, A7XX, text, NULL, 0, NULL);
    gpucode_machine_set_pc(rig.machine, 0, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gpucode_frame frame;
        unsigned count = rows[i].count;
        assert_int_equal(gpucode_machine_pc(rig.machine, 0), rows[i].pc);
        for (unsigned k = 0; k < count; k++) {
            assert_true(gpucode_machine_frame(rig.machine, 0, k, &frame));
            assert_int_equal(frame.pc, rows[i].stack[k]);
            assert_false(frame.link);
        }
        assert_int_equal(gpucode_machine_frame(rig.machine, 0, count, &frame), rows[i].link != 0);
        if (rows[i].link) {
            assert_int_equal(frame.pc, rows[i].link);
            assert_true(frame.link);
        }
        assert_false(gpucode_machine_frame(rig.machine, 0, count + 1, &frame));
        gpucode_machine_run(rig.machine, 1, &rig.stop);
    }
    rig_free(&rig);
}

TESTS(watching, counters, answers, hooks, breakpoints, coverage, limits, policies, register_names, long_names,
      protected_ranges, one_register, memory, documented, frames)
