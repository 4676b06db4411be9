/* SPDX-License-Identifier: MIT */
/* Every rule: a script that breaks it, and one beside it that does not. */
#include "support.h"

#include <stdio.h>

struct heard {
    char text[2048]; /* "CODE:UNIT " of each finding */
};

static void hear(void *user, const struct gpucode_finding *finding)
{
    struct heard *heard = user;
    size_t used = strlen(heard->text);
    assert_int_equal(strncmp(finding->code, "hwsq-lint-", 10), 0);
    assert_non_null(finding->reason);
    assert_true(strlen(finding->reason) > 20 && strlen(finding->reference) > 10 && strlen(finding->message) > 10);
    assert_true(finding->units >= 1);
    snprintf(heard->text + used, sizeof heard->text - used, "%s:%llu ", finding->code,
             (unsigned long long)finding->unit);
}

static void check(const char *target, const char *text, const char *expected, const struct gpucode_lint_options *more)
{
    struct heard heard = {{0}};
    struct gpucode_lint_options options = more ? *more : (struct gpucode_lint_options){0};
    options.report = hear;
    options.user = &heard;
    struct gpucode_program *program = assemble(target, text, NULL, true);
    struct gpucode_image *image = image_of(target, gpucode_program_bytes(program), gpucode_program_size(program));
    unsigned count = 99, spaces = 0;
    assert_int_equal(gpucode_lint(image, &options, &count), GPUCODE_OK);
    for (const char *c = heard.text; *c; c++)
        spaces += *c == ' ';
    assert_int_equal(count, spaces);
    if (strcmp(heard.text, expected) != 0)
        fail_msg("%s:\n'%s' instead of '%s'", text, heard.text, expected);
    gpucode_image_free(image);
    gpucode_program_free(program);
}

static void rules(void)
{
    static const struct {
        const char *target, *text, *expected;
    } cases[] = {
        {"hwsq:nv50", "exit", ""},
        {"hwsq:nv50", "set1 16; ewait 0 1; wait 4us; set0 16; ewait 0 0; exit; .fill 16", ""},
        {"hwsq:nv50", "ewait 1 0; ewait 1 1; data 1; addr 0x100200; datalo 2; addrlo 0x204; exit", ""},
        {"hwsq:nv17", "set1 #GPIO_2_OUT; wait 1 shl 8; unset #GPIO_2_OUT; exit", ""},
        {"hwsq:nv50", "nop; wait 1us", "hwsq-lint-no-exit:1 "},
        {"hwsq:nv50", "", "hwsq-lint-no-exit:0 "},
        {"hwsq:nv17", "exit; .fill 65", "hwsq-lint-large:64 "},
        {"hwsq:nv50", "nop; .b8 0xe0, 1", "hwsq-lint-cut-off:1 "},
        {"hwsq:nv17", ".b8 0xe0, 1, 2, 3, 0; exit", "hwsq-lint-nv41-opcode:0 "},
        {"hwsq:nv50", "nop; .b8 0x41; exit", "hwsq-lint-illegal:1 "},
        {"hwsq:nv92", "nop; .b8 0x41; exit", "hwsq-lint-unknown:1 "},
        {"hwsq:nv50", ".b8 0x5f, 0x21, 0; ewait 1 1; exit", "hwsq-lint-reserved:0 "},
        {"hwsq:nv50", "set1 16; ewait 0 1; exit", "hwsq-lint-exit-paused:4 "},
        {"hwsq:nv50", "set1 16; ewait 0 1; unset 16; exit", ""},
        {"hwsq:nv50", "ewait 0 1; exit", "hwsq-lint-never-paused:0 "},
        {"hwsq:nv50", "set1 16; ewait 0 1; ewait 0 0; set0 16; exit", "hwsq-lint-never-released:4 "},
        {"hwsq:nv50", "data 1; set1 16; addr 0x100200; ewait 0 1; addr 0x100200; set0 16; exit",
         "hwsq-lint-pause-early:6 "},
        {"hwsq:nv50", "data 1; set1 16; ewait 0 1; addr 0x700010; addrlo 0x20; set0 16; addrlo 0; exit",
         "hwsq-lint-memory-paused:9 hwsq-lint-memory-paused:14 "},
        {"hwsq:nv41", "data 1; set1 16; addr 0x7ffffc; ewait 0 1; addr 0x800000; set0 16; exit",
         "hwsq-lint-pause-early:6 hwsq-lint-memory-paused:6 "},
        {"hwsq:nv50", "set1 16; ewait 0 1; wait 1 shl 10; set0 16; exit", "hwsq-lint-pause-long:0 "},
        {"hwsq:nv50", "set1 16; ewait 0 1; wait 3 shl 8; wait 3 shl 6; set0 16; exit", ""},
        /* exactly as long as it may be, one more, and two pauses that together are longer */
        {"hwsq:nv50", "set1 16; ewait 0 1; wait 3 shl 8; wait 3 shl 6; wait 2 shl 4; wait 2 shl 2; set0 16; exit", ""},
        {"hwsq:nv50",
         "set1 16; ewait 0 1; wait 3 shl 8; wait 3 shl 6; wait 2 shl 4; wait 2 shl 2; wait 1us; "
         "set0 16; exit",
         "hwsq-lint-pause-long:0 "},
        {"hwsq:nv50", "set1 16; ewait 0 1; wait 3 shl 8; set0 16; set1 16; ewait 0 1; wait 3 shl 8; set0 16; exit", ""},
        {"hwsq:nv50", "set1 16; ewait 0 1; ewait 1 0; ewait 1 1; set0 16; exit",
         "hwsq-lint-blank-paused:4 hwsq-lint-blank-paused:7 "},
        {"hwsq:nv50", "ewait 2 0; exit", "hwsq-lint-hblank:0 "},
        {"hwsq:nv50", "ewait #HEAD1_HBLANK 1; exit", "hwsq-lint-hblank:0 "},
        {"hwsq:nv50", "ewait 1 1; exit", "hwsq-lint-mid-blank:0 "},
        {"hwsq:nv50", "ewait 3 0; ewait 1 1; exit", "hwsq-lint-mid-blank:3 "},
        {"hwsq:nv50", "ewait 5 1; exit", "hwsq-lint-event:0 "},
        {"hwsq:nv50", "set1 8; exit", "hwsq-lint-flag:0 "},
        {"hwsq:nv41", "set1 25; exit", ""},
        {"hwsq:nv17", "set1 25; exit", "hwsq-lint-flag:0 "},
        {"hwsq:nv17", "set1 16; exit", "hwsq-lint-flag:0 "},
        {"hwsq:nv50", "data 1; addrlo 0x200; exit", "hwsq-lint-short-address:5 "},
        {"hwsq:nv50", "datalo 1; addr 0x100200; exit", "hwsq-lint-short-data:0 "},
        {"hwsq:nv50", "addr 0x100200; data 1; addr 0x100200; exit", "hwsq-lint-no-data:0 "},
        {"hwsq:nv50", "data 8; addr PBUS.DEBUG_6; exit", "hwsq-lint-own-enable:5 "},
        {"hwsq:nv50", "data 8; addr PBUS.HWSQ.TRIGGER; exit", "hwsq-lint-own-trigger:5 "},
        {"hwsq:nv50", "data 8; addr 0x1400; addr 0x14fc; addr 0x1500; addr 0x1304; exit",
         "hwsq-lint-own:5 hwsq-lint-own:10 hwsq-lint-own:20 "},
        {"hwsq:nv92", "data 8; addr 0x801fc; addr 0x80200; exit", "hwsq-lint-own:5 "},
        {"hwsq:nv92", "data 8; addr 0x80000; addr 0x7fffc; addr 0x14fc; addr 0x1500; exit",
         "hwsq-lint-own:5 hwsq-lint-own:15 "},
        {"hwsq:nv92", "data 8; addr 0x1304; addr 0x1318; addr 0x1300; addr 0x131c; addr 0x13fc; exit",
         "hwsq-lint-own:5 hwsq-lint-own:10 "},
        {"hwsq:nv92", "data 8; addr 0x1303; addr 0x1319; addr 0x13ff; exit",
         "hwsq-lint-unaligned:5 hwsq-lint-unaligned:10 hwsq-lint-unaligned:15 "},
        {"hwsq:nv92", "data 8; addr 0x14ff; exit", "hwsq-lint-unaligned:5 hwsq-lint-own:5 "},
        {"hwsq:nv50", "data 1; set1 16; ewait 0 1; addr 0x6ffffc; addr 0x700000; set0 16; exit",
         "hwsq-lint-memory-paused:14 "},
        {"hwsq:nv50", "data 8; addr 0x100202; addrlo 0x201; exit", "hwsq-lint-unaligned:5 hwsq-lint-unaligned:10 "},
        {"hwsq:nv50", "data 8; addr 0x1000000; exit", "hwsq-lint-outside:5 "},
        {"hwsq:nv17", "wait 0 shl 2; nop; exit", "hwsq-lint-zero-wait:0 "},
        {"hwsq:nv17", "wait 1 shl 20; exit", "hwsq-lint-long-wait:0 "},
        {"hwsq:nv17", "exit; set1 0; exit; .fill", "hwsq-lint-unreached:1 "},
        {"hwsq:nv17", "exit; nop; nop; .fill", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].target, cases[i].text, cases[i].expected, NULL);
}

static void entry_points(void)
{
    static const uint64_t entries[] = {0, 1, 9};
    struct gpucode_lint_options options = {.entries = entries, .entry_count = 2};
    check("hwsq:nv17", "exit; set1 0; exit; .fill", "", &options);
    /* the last entry that is followed, and one more */
    uint64_t many[65] = {[63] = 1, [64] = 3};
    struct gpucode_lint_options more = {.entries = many, .entry_count = 65};
    check("hwsq:nv17", "exit; set1 0; exit; set1 1; exit", "hwsq-lint-unreached:3 ", &more);
    /* what one walk finds, another does not find again; an entry after the code has no exit */
    options.entry_count = 3;
    check("hwsq:nv17", "wait 0 shl 2; wait 0 shl 2; exit",
          "hwsq-lint-zero-wait:0 hwsq-lint-zero-wait:1 hwsq-lint-no-exit:2 ", &options);
}

static void limits(void)
{
    static const struct gpucode_lint_limit small[] = {{"hwsq-pause-budget", 3}, {"hwsq-long-wait", 7}, {NULL, 0}};
    struct gpucode_lint_options options = {.limits = small};
    check("hwsq:nv50", "wait 8us; set1 16; wait 4us; set0 16; exit", "hwsq-lint-long-wait:0 hwsq-lint-pause-long:1 ",
          &options);
    struct gpucode_lint_limit limit;
    const char *doc;
    const struct gpucode_target *target = gpucode_target_find("hwsq:nv50");
    assert_true(gpucode_lint_limit_at(target, 1, &limit, &doc));
    assert_string_equal(limit.name, "hwsq-long-wait");
    assert_int_equal(limit.value, 1000000);
    assert_false(gpucode_lint_limit_at(target, 2, &limit, &doc));
}

static void other_sets_have_no_rules(void)
{
    struct gpucode_image *image = image_of("data", "x", 1);
    assert_int_equal(gpucode_lint(image, NULL, NULL), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_lint(NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    gpucode_image_free(image);
}

/* Garbage has more findings than anybody reads: all counted, 1,000 kept. */
static void many_findings(void)
{
    static unsigned char code[100000];
    memset(code, 4, sizeof code);
    struct gpucode_image *image = image_of("hwsq:nv92", code, sizeof code);
    unsigned count;
    assert_int_equal(gpucode_lint(image, NULL, &count), GPUCODE_OK);
    assert_int_equal(count, 100002);
    gpucode_image_free(image);
}

TESTS(lint, rules, entry_points, limits, other_sets_have_no_rules, many_findings)
