/* SPDX-License-Identifier: MIT */
#include "front/json.h"
#include "utf8/utf8.h"

#include <string.h>

/* --- text: eight characters at once, as nearly all of it stands for itself ------------------------------------------
 */

#define EACH(byte) (UINT64_MAX / 255 * (byte))

/* Bit 7 of bytes that are `byte`; those with bit 7 set, and those above one that is it, may be wrong. */
static inline uint64_t is_byte(uint64_t bytes, unsigned char byte)
{
    uint64_t zero = bytes ^ EACH(byte);
    return (zero - EACH(0x01)) & ~zero;
}

/* Is there a byte that does not stand for itself: a control character, ", \, or none of ASCII? */
static inline bool is_special(uint64_t bytes)
{
    uint64_t control = bytes - EACH(0x20); /* where bit 7 is not set */
    return (bytes | control | is_byte(bytes, '"') | is_byte(bytes, '\\') | is_byte(bytes, 0x7f)) & EACH(0x80);
}

static inline bool copy_eight(char *to, const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    memcpy(to, &bytes, sizeof bytes);
    return !is_special(bytes);
}

static bool is_special_character(char c)
{
    return (unsigned char)(c - ' ') >= 0x7f - ' ' || c == '"' || c == '\\';
}

/* Fewer than eight characters. */
static bool copy_few(char *to, const char *text, size_t length)
{
    uint32_t first, last;
    if (length >= 4) {
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + length - 4, &last, 4);
        return !is_special((uint64_t)first << 32 | last);
    }
    bool plain = true;
    for (size_t at = 0; at < length; at++) {
        to[at] = text[at];
        plain &= !is_special_character(text[at]);
    }
    return plain;
}

/* Copies a text; false: not all of it stands for itself, and what was copied is of no use. */
static bool copy_plain(char *to, const char *text, size_t length)
{
    if (length < 8)
        return copy_few(to, text, length);
    for (size_t at = 0; at + 8 <= length; at += 8)
        if (!copy_eight(to + at, text + at))
            return false;
    return copy_eight(to + length - 8, text + length - 8);
}

static size_t count_plain(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && !is_special_character(text[count]))
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

static void write_any(struct writer *out, const char *text, size_t length)
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

/* The text in quotation marks. */
static void write_text(struct writer *out, const char *text, size_t length)
{
    if (length < WRITER_SIZE - 2) {
        char *to = writer_room(out, length + 2);
        if (copy_plain(to + 1, text, length)) {
            to[0] = to[length + 1] = '"';
            out->count += length + 2;
            return;
        }
    }
    write_any(out, text, length);
}

static void break_line(struct json *json, unsigned depth)
{
    if (!json->indent)
        return;
    writer_char(&json->writer, '\n');
    writer_spaces(&json->writer, 2 * (size_t)depth);
}

/* The comma and key in front of a value. Keys stand for themselves. */
static void write_key(struct json *json, const char *key)
{
    struct writer *out = &json->writer;
    out->out = json->out;
    if (json->depth) {
        bool *used = &json->level[json->depth - 1].used;
        if (*used) {
            writer_char(out, ',');
            if (!json->indent)
                writer_char(out, ' ');
        }
        *used = true;
        break_line(json, json->depth);
    }
    if (key) {
        size_t length = strlen(key);
        char *to = writer_room(out, length + 4);
        *to = '"';
        memcpy(to + 1, key, length);
        memcpy(to + 1 + length, "\": ", 3);
        out->count += length + 4;
    }
}

/* Behind a value. */
static void end_value(struct json *json)
{
    if (!json->depth && !json->keep)
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

static void json_text(struct json *json, const char *key, const char *text, size_t length)
{
    write_key(json, key);
    write_text(&json->writer, text, length);
    end_value(json);
}

void json_string(struct json *json, const char *key, const char *value)
{
    if (value)
        json_text(json, key, value, strlen(value));
}

void json_number(struct json *json, const char *key, uint64_t value)
{
    write_key(json, key);
    writer_decimal(&json->writer, value);
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
