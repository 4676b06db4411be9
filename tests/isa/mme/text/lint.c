/* SPDX-License-Identifier: MIT */
/* Every rule: a macro that breaks it, and one beside it that does not. */
#include "assembling.h"

#include <gpucode/lint.h>
#include <stdio.h>
#include <string.h>

struct found {
    char text[1024]; /* "CODE:UNIT " of each finding */
};

static void note_finding(void *user, const struct gpucode_finding *finding)
{
    struct found *found = user;
    size_t used = strlen(found->text);
    assert_int_equal(strncmp(finding->code, "mme-lint-", 9), 0);
    assert_true(strlen(finding->reason) > 20 && strlen(finding->message) > 10);
    snprintf(found->text + used, sizeof found->text - used, "%s:%llu ", finding->code,
             (unsigned long long)finding->unit);
}

static void rules(void)
{
    static const struct text_case cases[] = {
        {"", ""},
        {"maddr 1\nexit send $r1\nnop", ""},
        {"maddr 1\nl: mov $r1 (add $r1 -1)\nexit branz $r1 #l\nsend $r1", ""},
        {"braz $r1 #l\nbra #l\nnop\nl: exit\nnop", "mme-lint-double-branch:1 "},
        {"braz annul $r1 #l\nbra #l\nnop\nl: exit\nnop", ""},
        {"exit\nbra 0", "mme-lint-double-branch:1 "},
        {"braz $r1 #l\nexit\nnop\nl: nop\nnop", "mme-lint-exit-slot:1 mme-lint-unreached:4 "},
        {"exit\nexit", "mme-lint-exit-slot:1 "},
        {"exit bra annul #l\nl: exit\nnop", "mme-lint-exit-bra:0 "},
        {".b32 6", "mme-lint-illegal:0 "},
        {"exit", "mme-lint-runs-off:0 "},
        {"bra annul -1\n", "mme-lint-runs-off:0 "},
        {"exit send $r1\nmaddr 1", "mme-lint-no-method:0 "},
        {"braz annul $r1 #l\nmaddr 1\nl: exit send 1\nnop", "mme-lint-no-method:2 "},
        {"maddrsend 1\nparmsend maddr 1\nexit send 1\nnop", ""},
        {"exit mov $r2 (adc $r1 $r1)\nnop", "mme-lint-no-carry:0 "},
        {"mov $r2 (sub $r1 $r1)\nexit mov $r2 (sbb $r1 $r2)\nnop", ""},
        {"exit mov $r1 $r2\nnop", "mme-lint-unset-register:0 "},
        {"braz annul $r1 #l\nparm $r2\nl: exit mov $r1 $r2\nnop", "mme-lint-unset-register:2 "},
        {"exit mov 0x0 5\nnop", "mme-lint-no-effect:0 "},
        {"l: bra #l\nnop", "mme-lint-endless:0 "},
        {"braz annul $r1 #e\nl: bra #l\nnop\ne: exit\nnop", "mme-lint-endless:1 "},
        {"l: bra #l\nparm $r2", ""},
        {"braz annul $r1 #e\nl: bra #l\nnop\ne: exit\nnop", "mme-lint-endless:1 "},
        {"exit\nnop\n.size 0x2000", "mme-lint-unreached:2 "},
        {"l: mov $r1 (add $r1 1)\nbranz annul $r1 #l\nexit\nnop", ""},
        {"exit\nnop\nnop\n.b32 6", "mme-lint-unreached:2 "},
        {"exit\nnop\n.size 0x2000", "mme-lint-unreached:2 "},
        {"exit\nnop\n.size 0x2004", "mme-lint-unreached:2 mme-lint-large:2048 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled made;
        assemble_text(&made, cases[i].text, "mme:fermi");
        assert_int_equal(made.status, GPUCODE_OK);
        struct gpucode_image *image;
        image = image_made(&made, "mme:fermi");
        struct found found = {{0}};
        struct gpucode_lint_options lint = {.report = note_finding, .user = &found};
        unsigned count;
        assert_int_equal(gpucode_lint(image, &lint, &count), GPUCODE_OK);
        if (strcmp(found.text, cases[i].expected) != 0)
            fail_msg("%s\n'%s' instead of '%s'", cases[i].text, found.text, cases[i].expected);
        gpucode_image_free(image);
        gpucode_program_free(made.program);
    }
}

TESTS(lint, rules)
