/* SPDX-License-Identifier: MIT */
#include "front/json.h"
#include "front/utf8.h"

#include <string.h>

/* Characters that stand for themselves: ASCII without control characters, quotation mark and backslash. */
static size_t count_plain(const char *text, size_t length)
{
    static const bool special[256] = {['"'] = true, ['\\'] = true};
    size_t count = 0;
    while (count < length && (unsigned char)(text[count] - ' ') <= '~' - ' ' && !special[(unsigned char)text[count]])
        count++;
    return count;
}

/* A character that does not stand for itself: at most six bytes of `size` input bytes. */
static void write_character(struct writer *out, const char *text, size_t size, uint32_t c)
{
    if (c == '"' || c == '\\') {
        writer_char(out, '\\');
        writer_char(out, (char)c);
    } else if (c == '\n') {
        writer_text(out, "\\n", 2);
    } else if (c == '\t') {
        writer_text(out, "\\t", 2);
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        writer_text(out, "\\u", 2);
        writer_hex(out, c, 4);
    } else {
        writer_text(out, text, size);
    }
}

static void write_text(struct writer *out, const char *text, size_t length)
{
    writer_char(out, '"');
    for (size_t at = 0; at < length;) {
        uint32_t c;
        size_t plain = count_plain(text + at, length - at);
        if (plain) {
            writer_text(out, text + at, plain);
            at += plain;
            continue;
        }
        size_t size = utf8_decode(text + at, length - at, &c);
        if (!size) {
            writer_text(out, "\xef\xbf\xbd", 3);
            size = 1;
        } else {
            write_character(out, text + at, size, c);
        }
        at += size;
    }
    writer_char(out, '"');
}

static void break_line(struct json *json, unsigned depth)
{
    if (!json->indent)
        return;
    writer_char(&json->writer, '\n');
    writer_spaces(&json->writer, 2 * (size_t)depth);
}

/* The comma and key in front of a value. */
static void write_key(struct json *json, const char *key)
{
    json->writer.out = json->out;
    if (json->depth) {
        if (json->level[json->depth - 1].used)
            writer_text(&json->writer, ", ", json->indent ? 1 : 2);
        json->level[json->depth - 1].used = true;
        break_line(json, json->depth);
    }
    if (key) {
        write_text(&json->writer, key, strlen(key));
        writer_text(&json->writer, ": ", 2);
    }
}

/* Behind a value. */
static void end_value(struct json *json)
{
    if (!json->depth)
        writer_flush(&json->writer);
}

static void open_level(struct json *json, const char *key, char opening, char closing)
{
    write_key(json, key);
    writer_char(&json->writer, opening);
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
    writer_char(&json->writer, json->level[json->depth].closing);
    if (!json->depth)
        writer_char(&json->writer, '\n');
    end_value(json);
}

void json_string(struct json *json, const char *key, const char *value)
{
    if (value)
        json_text(json, key, value, strlen(value));
}

void json_text(struct json *json, const char *key, const char *text, size_t length)
{
    write_key(json, key);
    write_text(&json->writer, text, length);
    end_value(json);
}

void json_number(struct json *json, const char *key, uint64_t value)
{
    write_key(json, key);
    writer_decimal(&json->writer, value);
    end_value(json);
}

void json_signed(struct json *json, const char *key, int64_t value)
{
    write_key(json, key);
    if (value < 0)
        writer_char(&json->writer, '-');
    writer_decimal(&json->writer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    end_value(json);
}

static void write_word(struct json *json, const char *key, const char *word)
{
    write_key(json, key);
    writer_string(&json->writer, word);
    end_value(json);
}

void json_bool(struct json *json, const char *key, bool value)
{
    write_word(json, key, value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
    write_word(json, key, "null");
}
