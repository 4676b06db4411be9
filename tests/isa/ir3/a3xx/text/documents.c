/* SPDX-License-Identifier: MIT */
/* The tables of the documentation against what they are tables of: policies, and rules of lint. */
#include "assembling.h"

#include <gpucode/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void read_document(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "docs/%s", name);
    free(text);
    text = read_items(path);
}

/* "flush|keep", "flush": flush, keep. A number has its preset only. */
static void put_values(const struct gpucode_policy *policy, char *at, size_t room)
{
    size_t preset = strlen(policy->preset);
    if (strcmp(policy->values, "NUMBER") == 0) {
        snprintf(at, room, "number, %s", policy->preset);
        return;
    }
    assert_memory_equal(policy->values, policy->preset, preset);
    assert_true(policy->values[preset] == '|');
    for (const char *from = policy->values; *from; from++) {
        int length = snprintf(at, room, *from == '|' ? ", " : "%c", *from);
        at += length;
        room -= (size_t)length;
    }
}

/* In the order of the code, nothing left out and nothing else. */
static void policies(void)
{
    read_document("a3xx-machine.md");
    struct gpucode_policy policy;
    const char *at = strstr(text, "\n* `a3xx-");
    for (unsigned i = 0; gpucode_policy_at(target_named("a3xx"), i, &policy); i++) {
        char values[128], line[1200];
        put_values(&policy, values, sizeof values);
        int length = snprintf(line, sizeof line, "\n* `%s` (%s): %s\n", policy.name, values, policy.doc);
        if (!at || strncmp(at, line, (size_t)length) != 0)
            fail_msg("docs/a3xx-machine.md, in its place, lacks: %s", line + 1);
        at = strchr(at + 1, '\n');
    }
    assert_true(at && at[1] != '*');
}

/* Makes a machine with a setting; false: it was refused with a message. */
static bool takes(const struct gpucode_image *image, const char *name, const char *value)
{
    struct heard heard = {0};
    const struct gpucode_setting settings[] = {{name, value}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = settings, .on_diagnostic = listen(&heard)};
    struct gpucode_machine *machine;
    bool good = gpucode_machine_create(image, &options, &machine) == GPUCODE_OK;
    if (good)
        gpucode_machine_free(machine);
    else
        assert_true(heard.count == 1);
    return good;
}

/* Every policy takes each of its values, and nothing else. */
static void values(void)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_image *image;
    struct gpucode_policy policy;
    static const unsigned char end[8] = {[7] = 3};
    assert_int_equal(gpucode_image_open(end, sizeof end, &options, &image), GPUCODE_OK);
    for (unsigned i = 0; gpucode_policy_at(options.target, i, &policy); i++) {
        const char *value = strcmp(policy.values, "NUMBER") == 0 ? policy.preset : policy.values;
        while (value) {
            char one[64];
            size_t length = strcspn(value, "|");
            snprintf(one, sizeof one, "%.*s", (int)length, value);
            if (!takes(image, policy.name, one))
                fail_msg("%s=%s", policy.name, one);
            value = value[length] ? value + length + 1 : NULL;
        }
        static const char *const wrong[] = {"nonsense", "99999999999999999999", ""};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
            if (takes(image, policy.name, wrong[k]))
                fail_msg("%s took '%s'", policy.name, wrong[k]);
    }
    gpucode_image_free(image);
}

/* Each rule stands in the list, with a meaning and with where it comes from. */
static void rules(void)
{
    static const char *const codes[] = {
#define MESSAGE(id, code, severity, text, explanation) code,
#include "library_messages.def"
#undef MESSAGE
    };
    read_document("a3xx-lint.md");
    unsigned count = 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char name[80];
        if (strncmp(codes[i], "a3xx-lint-", 10) != 0)
            continue;
        count++;
        snprintf(name, sizeof name, "`%s`", codes[i]);
        const char *row = text, *meaning = NULL;
        for (row = strstr(row, "\n* `"); row; row = strstr(row + 1, "\n* `")) {
            meaning = strstr(row, "`: ");
            const char *found = strstr(row, name);
            if (meaning && found && found <= meaning)
                break;
        }
        if (!row)
            fail_msg("docs/a3xx-lint.md has no item for %s", name);
        const char *end = strchr(row + 1, '\n'), *source = strstr(row, "; source: ");
        if (!source || source > end || source - meaning < 20 || end - source < 15)
            fail_msg("docs/a3xx-lint.md does not say what %s is, or where it comes from", name);
    }
    assert_true(count > 20);
}

TESTS(documents, policies, values, rules)
