/* SPDX-License-Identifier: MIT */
/*
 * What a command tells, once for people and for programs: each field has a key, which JSON shows, and a template, which
 * text shows with the value in place of %s. A null key is left out of JSON, a null template out of text.
 *
 *     struct report report = report_begin(session);
 *     report_string(&report, "target", "  target  %s\n", name);
 *     report_number(&report, "size_bytes", "  size    %s bytes\n", size);
 *     report_end(&report);
 */
#ifndef FRONT_REPORT_H
#define FRONT_REPORT_H

#include "front/json.h"

struct session;

struct report {
    struct json json;
    bool is_json, color;
};

/* On standard output; with --json an object is begun. */
struct report report_begin(const struct session *session);
/* Ends what was begun last. */
void report_end(struct report *report);

/* A member that is an object or an array, in JSON alone; `key` is null inside an array. */
void report_object(struct report *report, const char *key);
void report_array(struct report *report, const char *key);

/* A null value is left out of both. */
void report_string(struct report *report, const char *key, const char *text, const char *value);
void report_number(struct report *report, const char *key, const char *text, uint64_t value);
/* JSON has the number, text 0x and at least `digits` digits. */
void report_address(struct report *report, const char *key, const char *text, unsigned digits, uint64_t value);
/* The same, and JSON has that text too. */
void report_hex(struct report *report, const char *key, const char *text, unsigned digits, uint64_t value);
/* Text shows `text` itself when the value is true. */
void report_bool(struct report *report, const char *key, const char *text, bool value);

/* A column of a table: the value padded with spaces to `width`. */
void report_column(struct report *report, const char *key, int width, const char *value);

/* Text that JSON has no part in: as printf() has it. */
void report_text(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line in bold. */
void report_heading(struct report *report, const char *text);

#endif
