/* SPDX-License-Identifier: MIT */
/* Each rule with code that breaks it and code that does not; a rule without both fails the last test. */
#include "assembling.h"

#include <stdio.h>
#include <string.h>

/* Behind a header of two words; the handler of CP_NOP and the table follow. `HANDLER` is one of another packet. */
#define HANDLER "jump #end\nnop\nCP_WAIT_FOR_IDLE:\n"
#define DONE "waitin\nmov $01, $data\n"

static const struct {
    const char *code, *target;
    const char *bad, *found; /* the units that have the finding */
    const char *good;
} rules[] = {
    {"afuc-lint-stack-overflow", "afuc:a630", HANDLER "call #f\nnop\n" DONE "f:\ncall #f\nnop\nret\nnop\nend:\n", "8",
     HANDLER "call #f\nnop\n" DONE "f:\nret\nnop\nend:\n"},
    {"afuc-lint-stack-overflow", "afuc:a630",
     HANDLER "call #a\nnop\n" DONE
             "a:\ncall #b\nnop\nret\nnop\nb:\ncall #c\nnop\nret\nnop\nc:\ncall #d\nnop\nret\nnop\n"
             "d:\ncall #e\nnop\nret\nnop\ne:\ncall #f\nnop\nret\nnop\nf:\ncall #g\nnop\nret\nnop\ng:\ncall "
             "#h\nnop\nret\nnop\nh:\ncall #i\nnop\nret\nnop\ni:\nret\nnop\nend:\n",
     "36",
     HANDLER "call #a\nnop\n" DONE
             "a:\ncall #b\nnop\nret\nnop\nb:\ncall #c\nnop\nret\nnop\nc:\ncall #d\nnop\nret\nnop\n"
             "d:\ncall #e\nnop\nret\nnop\ne:\ncall #f\nnop\nret\nnop\nf:\ncall #g\nnop\nret\nnop\ng:\ncall "
             "#h\nnop\nret\nnop\nh:\nret\nnop\nend:\n"},
    {"afuc-lint-stack-underflow", "afuc:a630", HANDLER "ret\nnop\nend:\n", "4", HANDLER DONE "end:\n"},
    {"afuc-lint-stack-leak", "afuc:a630", HANDLER "call #f\nnop\n" DONE "f:\n" DONE "end:\n", "8",
     HANDLER "call #f\nnop\n" DONE "f:\nswrite $00, [$00 + %SP]\n" DONE "end:\n"},
    {"afuc-lint-lr-clobber", "afuc:a730",
     HANDLER "bl #f\nnop\n" DONE "f:\nbl #g\nnop\nsret\nnop\ng:\nsret\nnop\nend:\n", "8",
     HANDLER "bl #f\nnop\n" DONE "f:\nmov $02, $lr\nbl #g\nnop\nmov $lr, $02\nsret\nnop\ng:\nsret\nnop\nend:\n"},
    {"afuc-lint-uninit", "afuc:a630",
     HANDLER "mov $03, $data\nbreq $03, b1, #x\nnop\nmov $02, 1\nx:\nmov $usraddr, $02\n" DONE "end:\n", "8",
     HANDLER "mov $03, $data\nbreq $03, b1, #x\nmov $02, 2\nmov $02, 1\nx:\nmov $usraddr, $02\n" DONE "end:\n"},
    {"afuc-lint-uninit", "afuc:a630", /* through a call */
     HANDLER "call #f\nnop\nmov $usraddr, $02\n" DONE "f:\nmov $03, $data\nret\nnop\nend:\n", "6",
     HANDLER "call #f\nnop\nmov $usraddr, $02\n" DONE "f:\nmov $02, $data\nret\nnop\nend:\n"},
    {"afuc-lint-global-write", "afuc:a630", HANDLER "mov $13, $data\n" DONE "end:\n", "4",
     "mov $13, $data\n" HANDLER "mov $11, $data\n" DONE "end:\n"},
    {"afuc-lint-dead-store", "afuc:a630", HANDLER "mov $02, 1\nmov $02, 2\nmov $usraddr, $02\n" DONE "end:\n", "4",
     HANDLER "mov $02, 1\nadd $02, $02, 2\nmov $usraddr, $02\n" DONE "end:\n"},
    {"afuc-lint-rem", "afuc:a630", HANDLER "(rep)mov $00, $data\nmov $usraddr, $data\n" DONE "end:\n", "5",
     HANDLER "(rep)mov $00, $data\nmov $rem, $14\nmov $usraddr, $data\n" DONE "end:\n"},
    {"afuc-lint-rem", "afuc:a630",
     HANDLER "brne $rem, 0, #x\nnop\nmov $usraddr, $data\nx:\nmov $usraddr, $data\n" DONE "end:\n", "6",
     HANDLER "breq $rem, 0, #x\nnop\nmov $usraddr, $data\nx:\nnop\n" DONE "end:\n"},
    {"afuc-lint-rem", "afuc:a630", /* the slot of a call comes before what is called */
     HANDLER "mov $rem, 0\ncall #f\nmov $usraddr, $data\n" DONE "f:\nret\nnop\nend:\n", "6",
     HANDLER "call #f\nmov $rem, 0\nmov $usraddr, $data\n" DONE "f:\nret\nnop\nend:\n"},
    {"afuc-lint-waitin-slot", "afuc:a630", HANDLER "waitin\nnop\nend:\n", "5", HANDLER DONE "end:\n"},
    {"afuc-lint-delay-branch", "afuc:a630",
     HANDLER "mov $02, $data\nbreq $02, b1, #x\nbreq $02, b2, #y\nnop\nx:\nnop\ny:\n" DONE "end:\n", "6",
     HANDLER "mov $02, $data\nbreq $02, b1, #x\nbrne $02, b1, #y\nnop\nx:\nnop\ny:\n" DONE "end:\n"},
    {"afuc-lint-delay-branch", "afuc:a630",
     HANDLER "mov $02, $data\nbrne $02, 0x2, #x\nbreq $02, b1, #y\nnop\nx:\nnop\ny:\n" DONE "end:\n", "6",
     HANDLER "mov $02, $data\nbreq $02, 0x2, #x\nbrne $02, b1, #y\nnop\nx:\nnop\ny:\n" DONE "end:\n"},
    /* of three results of cmp none lets both go; behind a label it may be another value */
    {"afuc-lint-delay-branch", "afuc:a630",
     HANDLER "mov $02, $data\nbrne $02, b7, #l\nnop\ncmp $02, $data, 3\nl:\nbreq $02, b0, #x\nbrne $02, b1, "
             "#y\nnop\nx:\nnop\ny:\n" DONE "end:\n",
     "9",
     HANDLER "mov $02, $data\ncmp $02, $02, 3\nl:\nbreq $02, b0, #x\nbrne $02, b1, #y\nbreq $02, b2, "
             "#x\nnop\nx:\nnop\ny:\n" DONE "end:\n"},
    {"afuc-lint-delay-waitin", "afuc:a630", HANDLER "jump #x\nret\nx:\n" DONE "end:\n", "5",
     HANDLER "jump #x\nnop\nx:\n" DONE "end:\n"},
    {"afuc-lint-zero-word", "afuc:a630", HANDLER "[00000000]\n" DONE "end:\n", "4",
     HANDLER "nop\n" DONE "[00000000]\nend:\n"},
    {"afuc-lint-setsecure", "afuc:a730", HANDLER "setsecure $02, #x\nnop\nnop\nx:\n" DONE "end:\n", "4",
     HANDLER "setsecure $02, #x\njump #y\nnop\nx:\nnop\ny:\n" DONE "end:\n"},
    {"afuc-lint-creg-gen", "afuc:a730", HANDLER "mov $02, 0x26\ncwrite $02, [$02 + 0]\n" DONE "end:\n", "5",
     HANDLER "mov $02, 0x44\ncwrite $02, [$02 + 0]\n" DONE "end:\n"},
    {"afuc-lint-table-hole", "afuc:a630", "UNKN2:\n" HANDLER DONE "end:\n", NULL, HANDLER DONE "end:\n"},
    {"afuc-lint-shift32", "afuc:a630", HANDLER "mov $02, 32\nmov $03, $data\nshl $addr, $03, $02\n" DONE "end:\n", "6",
     HANDLER "mov $02, 31\nmov $03, $data\nshl $addr, $03, $02\n" DONE "end:\n"},
    {"afuc-lint-rep-rem", "afuc:a630", HANDLER "(rep)mov $data, $memdata\n" DONE "end:\n", "4",
     HANDLER "mov $rem, 2\n(rep)mov $data, $memdata\n" DONE "end:\n"},
    {"afuc-lint-preinc-00", "afuc:a730", HANDLER "mov $02, $data\ncwrite $02, [$00 + @IB_LEVEL]!\n" DONE "end:\n", "5",
     HANDLER "mov $02, 0\ncwrite $02, [$02 + @IB_LEVEL]!\n" DONE "end:\n"},
    {"afuc-lint-xmov-dst", "afuc:a630", HANDLER "(xmov2)mov $02, $data\nmov $usraddr, $02\n" DONE "end:\n", "4",
     HANDLER "(xmov2)mov $usraddr, $data\n" DONE "end:\n"},
    {"afuc-priv-mask", "afuc:a730", HANDLER "and $02, $12, 0x3\nbrne $02, 0, #x\nnop\nx:\n" DONE "end:\n", "4",
     HANDLER "and $02, $12, 0x7\nbrne $02, 0, #x\nnop\nx:\n" DONE "end:\n"},
    {"afuc-priv-mask", "afuc:a730",
     HANDLER "cread $03, [$00 + @IB_LEVEL]\nmov $02, $03\nubfx $02, $02, b0, b1\ncmp $02, $02, 1\nbrne $02, b0, "
             "#x\nnop\nx:\n" DONE "end:\n",
     "6", HANDLER "cread $02, [$00 + @IB_LEVEL]\nubfx $02, $02, b0, b2\nbrne $02, 0, #x\nnop\nx:\n" DONE "end:\n"},
    {"afuc-priv-inconsistent", "afuc:a730",
     HANDLER "and $02, $12, 0x7\nbrne $02, 0, #x\nnop\nand $02, $12, 0xf\nbrne $02, 0, #x\nnop\nand $02, $12, "
             "0xf\nbrne $02, 0, #x\nnop\nx:\n" DONE "end:\n",
     "4",
     HANDLER "and $02, $12, 0xf\nbrne $02, 0, #x\nnop\nand $02, $12, 0xf\nbrne $02, 0, #x\nnop\nx:\n" DONE "end:\n"},
    {"afuc-priv-dominator", "afuc:a730", HANDLER "and $addr, $data, 0xffff\nmov $data, $data\n" DONE "end:\n", "4",
     HANDLER "and $02, $12, 0x7\nbrne $02, 0, #x\nnop\nand $addr, $data, 0xffff\nmov $data, $data\nx:\n" DONE "end:\n"},
    {"afuc-priv-dominator", "afuc:a730", /* the level is tested in what is called, and told in a register */
     HANDLER "call #f\nnop\nmov $addr, $data\n" DONE "f:\nmov $02, $12\nret\nnop\nend:\n", "6",
     HANDLER "call #f\nnop\nbrne $02, 0, #x\nnop\nmov $addr, $data\nx:\n" DONE "f:\nmov $02, $12\nret\nnop\nend:\n"},
};

struct findings {
    const char *code;
    char units[128];
    unsigned count;
};

static void collect(void *user, const struct gpucode_finding *finding)
{
    struct findings *findings = user;
    assert_non_null(finding->reason);
    assert_true(finding->analysed);
    if (strcmp(finding->code, findings->code) != 0)
        return;
    size_t used = strlen(findings->units);
    snprintf(findings->units + used, sizeof findings->units - used, "%s%u", used ? " " : "", (unsigned)finding->unit);
    findings->count++;
}

static void check(size_t rule, const char *body, struct findings *findings)
{
    char text[4096];
    struct assembled out;
    struct gpucode_image *image;
    bool early = strcmp(rules[rule].target, "afuc:a630") == 0;
    *findings = (struct findings){.code = rules[rule].code};
    snprintf(text, sizeof text, "[%s]\n[#jumptbl]\n%sCP_NOP:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n",
             early ? "016ee002" : "01730001", body);
    assemble_text(&out, text, rules[rule].target);
    assert_string_equal(heard_text(&out.heard), "");
    assert_int_equal(
        gpucode_image_open(gpucode_program_bytes(out.program), gpucode_program_size(out.program), NULL, &image),
        GPUCODE_OK);
    struct gpucode_lint_options options = {.report = collect, .user = findings};
    assert_int_equal(gpucode_lint(image, &options, NULL), GPUCODE_OK);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

static void test_each_rule(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct findings findings;
        if (rules[i].found) {
            check(i, rules[i].bad, &findings);
            if (strcmp(findings.units, rules[i].found) != 0) {
                print_error("%s (%zu): found at '%s', wanted '%s'\n", rules[i].code, i, findings.units, rules[i].found);
                wrong++;
            }
        }
        check(i, rules[i].good, &findings);
        if (findings.count && rules[i].found) {
            print_error("%s (%zu): found at '%s', wanted none\n", rules[i].code, i, findings.units);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* The table is the assembler's to fill: packets without a handler get entries that are none. */
static void test_table(void **state)
{
    (void)state;
    struct findings findings;
    size_t rule = 0;
    while (strcmp(rules[rule].code, "afuc-lint-table-hole") != 0)
        rule++;
    check(rule, rules[rule].good, &findings);
    assert_int_equal(findings.count, 126);
}

static void test_all_have_examples(void **state)
{
    (void)state;
    const char *code;
    for (unsigned i = 0; (code = gpucode_diagnostic_code(i)); i++) {
        bool found = strncmp(code, "afuc-lint-", 10) != 0 && strncmp(code, "afuc-priv-", 10) != 0;
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            found |= strcmp(code, rules[k].code) == 0;
        if (!found)
            fail_msg("%s has no example", code);
    }
}

TEST_GROUP(lint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_all_have_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
