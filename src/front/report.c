/* SPDX-License-Identifier: MIT */
#include "front/report.h"
#include "front/session.h"
#include "front/terminal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static struct report begin_report(const struct session *session, bool indent)
{
    struct report report = {
        .json = {.out = stdout, .indent = indent}, .is_json = session->json, .color = session->color};
    report_object(&report, NULL);
    return report;
}

struct report report_begin(const struct session *session)
{
    return begin_report(session, false);
}

void report_end(struct report *report)
{
    if (report->is_json)
        json_end(&report->json);
}

void report_object(struct report *report, const char *key)
{
    if (report->is_json)
        json_object(&report->json, key);
}

void report_array(struct report *report, const char *key)
{
    if (report->is_json)
        json_array(&report->json, key);
}

/* The template with the value in place of %s. */
static void fill_template(const struct report *report, const char *text, const char *value)
{
    const char *mark = text ? strstr(text, "%s") : NULL;
    if (!text)
        return;
    if (!mark) {
        fputs(text, report->json.out);
    } else {
        fprintf(report->json.out, "%.*s", (int)(mark - text), text);
        excerpt_text(report->json.out, value, strlen(value));
        fputs(mark + 2, report->json.out);
    }
}

/* Is the field one that JSON has? In an array members have no keys. */
static bool is_member(const struct report *report, const char *key)
{
    return key || (report->json.depth && report->json.level[report->json.depth - 1].closing == ']');
}

void report_string(struct report *report, const char *key, const char *text, const char *value)
{
    if (!report->is_json && value)
        fill_template(report, text, value);
    else if (report->is_json && is_member(report, key))
        json_string(&report->json, key, value);
}

void report_number(struct report *report, const char *key, const char *text, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    if (!report->is_json)
        fill_template(report, text, digits);
    else if (is_member(report, key))
        json_number(&report->json, key, value);
}

void report_address(struct report *report, const char *key, const char *text, unsigned digits, uint64_t value)
{
    if (report->is_json)
        report_number(report, key, text, value);
    else
        report_hex(report, key, text, digits, value);
}

void report_hex(struct report *report, const char *key, const char *text, unsigned digits, uint64_t value)
{
    char number[24];
    snprintf(number, sizeof number, "0x%0*" PRIx64, (int)digits, value);
    report_string(report, key, text, number);
}

void report_bool(struct report *report, const char *key, const char *text, bool value)
{
    if (!report->is_json && value)
        fill_template(report, text, "");
    else if (report->is_json && is_member(report, key))
        json_bool(&report->json, key, value);
}

void report_column(struct report *report, const char *key, int width, const char *value)
{
    if (report->is_json)
        report_string(report, key, NULL, value);
    else
        fprintf(report->json.out, "%-*s", width, value);
}

void report_text(struct report *report, const char *format, ...)
{
    va_list arguments;
    if (report->is_json)
        return;
    va_start(arguments, format);
    vfprintf(report->json.out, format, arguments);
    va_end(arguments);
}

void report_heading(struct report *report, const char *text)
{
    if (report->is_json)
        return;
    fputs(report->color ? "\033[1m" : "", report->json.out);
    excerpt_text(report->json.out, text, strlen(text));
    fputs(report->color ? "\033[0m\n" : "\n", report->json.out);
}
