/* SPDX-License-Identifier: MIT */
/* Reports say the same as text and as JSON, each field in its form. */
#include "front/report.h"
#include "front/session.h"

#include "group.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_told(bool json, const char *expected)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    struct report report = {.json = {.out = out}, .is_json = json};
    report_object(&report, NULL);
    report_heading(&report, "title");
    report_string(&report, "name", "name %s", "50%");
    report_string(&report, "none", "none %s", NULL);
    report_number(&report, "size", ", %s bytes", 12);
    report_address(&report, "at", ", at %s", 4, 16);
    report_hex(&report, "id", ", id %s", 3, 10);
    report_bool(&report, "good", ", good", true);
    report_bool(&report, "bad", ", bad", false);
    report_number(&report, "hidden", NULL, 1);
    report_string(&report, NULL, ", %s", "text alone");
    report_text(&report, "\n");
    report_array(&report, "list");
    report_number(&report, NULL, "%s ", 1);
    report_number(&report, NULL, "%s ", 2);
    report_end(&report);
    report_object(&report, "inner");
    report_column(&report, "word", 6, "ab");
    report_text(&report, "|\n");
    report_end(&report);
    report_end(&report);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void both_forms(void)
{
    assert_told(false, "title\nname 50%, 12 bytes, at 0x0010, id 0x00a, good, text alone\n1 2 ab    |\n");
    assert_told(true,
                "{\"name\": \"50%\", \"size\": 12, \"at\": 16, \"id\": \"0x00a\", \"good\": true, \"bad\": false, "
                "\"hidden\": 1, \"list\": [1, 2], \"inner\": {\"word\": \"ab\"}}\n");
}

TESTS(report, both_forms)
