/* SPDX-License-Identifier: MIT */
/* Each rule with code that breaks it and code that does not; a rule without both fails the last test. */
#include "assembling.h"

#include <stdio.h>
#include <string.h>

/* Behind a header of two words; the handler of CP_NOP and the table follow. `HANDLER` is one of another packet. */
#define HANDLER "jump #end\nnop\nCP_WAIT_FOR_IDLE:\n"
#define DONE "waitin\nmov $01, $data\n"
#define END "end:\n"

static const struct {
    const char *code, *target;
    const char *bad, *found; /* the units that have the finding */
    const char *good;
} rules[] = {
#define EXAMPLE(...) {__VA_ARGS__},
#include "isa/afuc/lint/examples.def"
#undef EXAMPLE
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

static void check(const char *code, const char *target, const char *body, struct findings *findings)
{
    char text[4096];
    struct assembled out;
    struct gpucode_image *image;
    bool early = strcmp(target, "afuc:a630") == 0;
    *findings = (struct findings){.code = code};
    snprintf(text, sizeof text, "[%s]\n[#jumptbl]\n%sCP_NOP:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n",
             early ? "016ee002" : "01730001", body);
    assemble_text(&out, text, target);
    assert_string_equal(heard_text(&out.heard), "");
    image = image_made(&out, NULL);
    struct gpucode_lint_options options = {.report = collect, .user = findings};
    assert_int_equal(gpucode_lint(image, &options, NULL), GPUCODE_OK);
    gpucode_image_free(image);
    gpucode_program_free(out.program);
}

static void test_each_rule(void)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct findings findings;
        if (rules[i].found) {
            check(rules[i].code, rules[i].target, rules[i].bad, &findings);
            if (strcmp(findings.units, rules[i].found) != 0) {
                print_error("%s (%zu): found at '%s', wanted '%s'\n", rules[i].code, i, findings.units, rules[i].found);
                wrong++;
            }
        }
        check(rules[i].code, rules[i].target, rules[i].good, &findings);
        if (findings.count && rules[i].found) {
            print_error("%s (%zu): found at '%s', wanted none\n", rules[i].code, i, findings.units);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* One of several ways to a test of the level, which it has masked. */
#define WAY(name, mask) "brne $03, b0, #" name "\nnop\nand $02, $12, " mask "\njump #y\nnop\n" name ":\n"

/* What has too little to say to be an example. */
static void test_more(void)
{
    static const struct {
        const char *code, *target, *body, *found;
    } cases[] = {
        /* calls alone can overwrite $lr, and only of routines that do: branches of one that restores it cannot */
        {"afuc-lint-lr-clobber", "afuc:a730",
         HANDLER "bl #f\nnop\n" DONE "f:\nsub $04, $04, 0x1\nbrne $04, 0x0, #f\nnop\nmov $02, $lr\nbl #g\nnop\n"
                 "mov $lr, $02\nsret\nnop\ng:\nsret\nnop\n" END,
         ""},
        {"afuc-lint-lr-clobber", "afuc:a730",
         HANDLER "bl #f\nnop\n" DONE "f:\nbreq $04, 0x0, #x\nnop\ncall #g\nnop\nx:\nsret\nnop\n"
                 "g:\nmov $lr, $02\nret\nnop\n" END,
         "10"},
        {"afuc-lint-lr-clobber", "afuc:a730",
         HANDLER "bl #f\nnop\n" DONE "f:\ncall #g\nnop\nsret\nnop\ng:\nmov $03, $02\nret\nnop\n" END, ""},
        /* the slot has the last word about $rem, whatever the branch asked */
        {"afuc-lint-rem", "afuc:a630",
         HANDLER "breq $rem, 0, #x\nmov $rem, $14\nmov $usraddr, $data\njump #y\nnop\n"
                 "x:\nmov $usraddr, $data\ny:\n" DONE END,
         ""},
        {"afuc-lint-rem", "afuc:a630",
         HANDLER "breq $rem, 0, #x\nmov $02, $14\nmov $usraddr, $data\njump #y\nnop\n"
                 "x:\nmov $usraddr, $data\ny:\n" DONE END,
         "9"},
        {"afuc-lint-rem", "afuc:a630",
         HANDLER "breq $rem, 0, #x\nmov $rem, 0\nmov $usraddr, $data\njump #y\nnop\n"
                 "x:\nmov $usraddr, $data\ny:\n" DONE END,
         "6 9"},
        {"afuc-lint-rem", "afuc:a630",
         HANDLER "breq $rem, 1, #x\nnop\nmov $usraddr, $data\njump #y\nnop\n"
                 "x:\nmov $usraddr, $data\ny:\n" DONE END,
         ""},
        {"afuc-lint-rem", "afuc:a630",
         HANDLER "breq $02, 0, #x\nnop\nmov $usraddr, $data\njump #y\nnop\n"
                 "x:\nmov $usraddr, $data\ny:\n" DONE END,
         ""},
        /* of two bits of cmp's result: equal sets 0 and 1, smaller 1 and 2, greater none */
        {"afuc-lint-delay-branch", "afuc:a630",
         HANDLER "cmp $02, $data, 3\nbreq $02, b1, #x\nbreq $02, b2, #y\nnop\nx:\nnop\ny:\n" DONE END, "6"},
        {"afuc-lint-delay-branch", "afuc:a630",
         HANDLER "cmp $02, $data, 3\nbreq $02, b0, #x\nbreq $02, b1, #y\nnop\nx:\nnop\ny:\n" DONE END, "6"},
        {"afuc-lint-delay-branch", "afuc:a630",
         HANDLER "cmp $02, $data, 3\nbrne $02, b0, #x\nbrne $02, b2, #y\nnop\nx:\nnop\ny:\n" DONE END, "6"},
        {"afuc-lint-delay-branch", "afuc:a630",
         HANDLER "cmp $02, $data, 3\nbreq $02, b0, #x\nbreq $02, b2, #y\nnop\nx:\nnop\ny:\n" DONE END, ""},
        {"afuc-lint-delay-branch", "afuc:a630",
         HANDLER "cmp $02, $data, 3\nbreq $02, b2, #x\nbrne $02, b1, #y\nnop\nx:\nnop\ny:\n" DONE END, ""},
        /* masks of several ways, in each order; of more than four the narrowest */
        {"afuc-priv-mask", "afuc:a730",
         HANDLER "brne $03, b0, #x\nnop\nand $02, $12, 0x7\njump #y\nnop\nx:\nand $02, $12, 0x3\ny:\nbrne $02, 0, "
                 "#z\nnop\nz:\n" DONE END,
         "9"},
        {"afuc-priv-mask", "afuc:a730",
         HANDLER "brne $03, b0, #x\nnop\nand $02, $12, 0x3\njump #y\nnop\nx:\nand $02, $12, 0x7\ny:\nbrne $02, 0, "
                 "#z\nnop\nz:\n" DONE END,
         "6"},
        {"afuc-priv-mask", "afuc:a730",
         HANDLER WAY("a", "0x3f") WAY("b", "0x1f") WAY("c", "0x3") WAY("d", "0xf")
             WAY("e", "0x1") "and $02, $12, 0x7\ny:\nbrne $02, 0, #z\nnop\nz:\n" DONE END,
         "16 26"},
        {"afuc-priv-mask", "afuc:a730",
         HANDLER WAY("a", "0x1") WAY("b", "0x3") WAY("c", "0x7") WAY("d", "0xf")
             WAY("e", "0x1f") "and $02, $12, 0x3f\ny:\nbrne $02, 0, #z\nnop\nz:\n" DONE END,
         "6 11"},
        {"afuc-priv-mask", "afuc:a730",
         HANDLER WAY("a", "0x3f") WAY("b", "0x1f") WAY("c", "0xf") WAY("d", "0x7")
             WAY("e", "0x3") "and $02, $12, 0x1\ny:\nbrne $02, 0, #z\nnop\nz:\n" DONE END,
         "26 29"},
        /* a jump to where success goes on leads nowhere else */
        {"afuc-lint-setsecure", "afuc:a730", HANDLER "setsecure $02, #x\njump #x\nnop\nx:\n" DONE END, "4"},
        /* a transfer in a slot is another rule's */
        {"afuc-lint-lr-clobber", "afuc:a730",
         HANDLER "bl #f\nnop\n" DONE "f:\njump #x\nbl #g\nx:\nsret\nnop\ng:\nsret\nnop\n" END, ""},
        {"afuc-lint-lr-clobber", "afuc:a730",
         HANDLER "bl #f\nnop\n" DONE "f:\nnop\nbl #g\nnop\nsret\nnop\ng:\nsret\nnop\n" END, "9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct findings findings;
        check(cases[i].code, cases[i].target, cases[i].body, &findings);
        if (strcmp(findings.units, cases[i].found) != 0)
            fail_msg("%s (%zu): found at '%s', wanted '%s'", cases[i].code, i, findings.units, cases[i].found);
    }
}

/* The table is the assembler's to fill: 126 packets without a handler have the same entry, and are one finding. */
static void test_table(void)
{
    struct findings findings;
    size_t rule = 0;
    while (strcmp(rules[rule].code, "afuc-lint-table-hole") != 0)
        rule++;
    check(rules[rule].code, rules[rule].target, rules[rule].good, &findings);
    assert_int_equal(findings.count, 1);
}

static void test_all_have_examples(void)
{
    const char *code;
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    for (unsigned i = 0; (code = gpucode_diagnostic_code(i)); i++) {
        bool found = strncmp(code, "afuc-lint-", 10) != 0 && strncmp(code, "afuc-priv-", 10) != 0;
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            found |= strcmp(code, rules[k].code) == 0;
        if (!found)
            fail_msg("%s has no example", code);
        struct gpucode_lint_example example;
        bool ours = strncmp(code, "afuc-lint-", 10) == 0 || strncmp(code, "afuc-priv-", 10) == 0;
        assert_int_equal(gpucode_lint_example(target, code, &example), ours);
        if (ours)
            assert_true(gpucode_target_find(example.target) && strcmp(example.wrong, example.right) != 0);
    }
    assert_false(gpucode_lint_example(NULL, "afuc-lint-rem", &(struct gpucode_lint_example){0}));
    assert_false(gpucode_lint_example(target, NULL, &(struct gpucode_lint_example){0}));
    assert_false(gpucode_lint_example(target, "afuc-lint-rem", NULL));
}

TESTS(lint, test_each_rule, test_more, test_table, test_all_have_examples)
