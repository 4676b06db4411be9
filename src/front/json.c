/* SPDX-License-Identifier: MIT */
#include "front/json.h"
#include "front/utf8.h"

#include <inttypes.h>
#include <string.h>

/* Characters that stand for themselves. */
static size_t count_plain(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && text[count] >= ' ' && text[count] <= '~' && text[count] != '"' && text[count] != '\\')
        count++;
    return count;
}

static void write_text(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t at = 0; at < length;) {
        uint32_t c;
        size_t plain = count_plain(text + at, length - at);
        if (plain) {
            fwrite(text + at, 1, plain, out);
            at += plain;
            continue;
        }
        size_t size = utf8_decode(text + at, length - at, &c);
        if (!size) {
            fputs("\xef\xbf\xbd", out);
            size = 1;
        } else if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", (char)c);
        } else if (c == '\n') {
            fputs("\\n", out);
        } else if (c == '\t') {
            fputs("\\t", out);
        } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
            fprintf(out, "\\u%04x", (unsigned)c);
        } else {
            fwrite(text + at, 1, size, out);
        }
        at += size;
    }
    fputc('"', out);
}

static void write_string(FILE *out, const char *text)
{
    write_text(out, text, strlen(text));
}

static void break_line(const struct json *json, unsigned depth)
{
    if (json->indent)
        fprintf(json->out, "\n%*s", (int)(2 * depth), "");
}

/* The comma and key in front of a value. */
static void write_key(struct json *json, const char *key)
{
    if (json->depth) {
        if (json->level[json->depth - 1].used)
            fputs(json->indent ? "," : ", ", json->out);
        json->level[json->depth - 1].used = true;
        break_line(json, json->depth);
    }
    if (key) {
        write_string(json->out, key);
        fputs(": ", json->out);
    }
}

static void open_level(struct json *json, const char *key, char opening, char closing)
{
    write_key(json, key);
    fputc(opening, json->out);
    if (json->depth < JSON_DEPTH_MAX) {
        json->level[json->depth].closing = closing;
        json->level[json->depth].used = false;
        json->depth++;
    }
}

void json_object(struct json *json, const char *key)
{
    open_level(json, key, '{', '}');
}

void json_array(struct json *json, const char *key)
{
    open_level(json, key, '[', ']');
}

void json_end(struct json *json)
{
    json->depth--;
    if (json->level[json->depth].used)
        break_line(json, json->depth);
    fputc(json->level[json->depth].closing, json->out);
    if (!json->depth)
        fputc('\n', json->out);
}

void json_string(struct json *json, const char *key, const char *value)
{
    if (!value)
        return;
    write_key(json, key);
    write_string(json->out, value);
}

void json_text(struct json *json, const char *key, const char *text, size_t length)
{
    write_key(json, key);
    write_text(json->out, text, length);
}

void json_number(struct json *json, const char *key, uint64_t value)
{
    write_key(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void json_signed(struct json *json, const char *key, int64_t value)
{
    write_key(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    write_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
    write_key(json, key);
    fputs("null", json->out);
}
