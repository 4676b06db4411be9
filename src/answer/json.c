/* SPDX-License-Identifier: MIT */
#include "answer/answer.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- text: eight characters at once, as nearly all of it stands for itself ---------------------------------------- */

#define EACH(byte) (UINT64_MAX / 255 * (byte))

/* Bit 7 of bytes that are `byte`; those with bit 7 set, and those above one that is it, may be wrong. */
static inline uint64_t is_byte(uint64_t bytes, unsigned char byte)
{
    uint64_t zero = bytes ^ EACH(byte);
    return (zero - EACH(0x01)) & ~zero;
}

/* Is there a byte that does not stand for itself: a control character, ", \, or one outside of ASCII? */
static inline bool is_special(uint64_t bytes)
{
    uint64_t control = bytes - EACH(0x20); /* where bit 7 is not set */
    return (bytes | control | is_byte(bytes, '"') | is_byte(bytes, '\\') | is_byte(bytes, 0x7f)) & EACH(0x80);
}

static bool is_special_character(char c)
{
    return (unsigned char)(c - ' ') >= 0x7f - ' ' || c == '"' || c == '\\';
}

/* Copies a text; false: not all of it stands for itself, and what was copied is of no use. */
static inline bool copy_plain(char *to, const char *text, size_t length)
{
    uint64_t bytes;
    uint32_t first, last;
    if (length >= 4 && length < 8) {
        memcpy(&first, text, sizeof first);
        memcpy(&last, text + length - 4, sizeof last);
        memcpy(to, &first, sizeof first);
        memcpy(to + length - 4, &last, sizeof last);
        return !is_special(first | (uint64_t)last << 32);
    }
    if (length < 8) {
        bool plain = true;
        for (size_t at = 0; at < length; at++) {
            to[at] = text[at];
            plain &= !is_special_character(text[at]);
        }
        return plain;
    }
    for (size_t at = 0; at < length - 8; at += 8) {
        memcpy(&bytes, text + at, sizeof bytes);
        memcpy(to + at, &bytes, sizeof bytes);
        if (is_special(bytes))
            return false;
    }
    memcpy(&bytes, text + length - 8, sizeof bytes);
    memcpy(to + length - 8, &bytes, sizeof bytes);
    return !is_special(bytes);
}

/* Characters that a terminal would act on are escaped: JSON is looked at there, too. */
static char *put_character(char *to, const char *text, size_t size, uint32_t c)
{
    if (c == '"' || c == '\\') {
        *to++ = '\\';
        *to++ = (char)c;
    } else if (c == '\n') {
        to = TEXT_LITERAL(to, "\\n");
    } else if (c == '\t') {
        to = TEXT_LITERAL(to, "\\t");
    } else if (!c && size == 1 && *text) {
        to = TEXT_LITERAL(to, "\xef\xbf\xbd");
    } else if (utf8_is_hidden(c) && c < 0x10000) {
        to = text_hex_fixed(TEXT_LITERAL(to, "\\u"), c, 4);
    } else if (utf8_is_hidden(c)) {
        to = text_hex_fixed(TEXT_LITERAL(to, "\\u"), 0xd800 + ((c - 0x10000) >> 10), 4);
        to = text_hex_fixed(TEXT_LITERAL(to, "\\u"), 0xdc00 + (c & 0x3ff), 4);
    } else {
        to = text_put(to, text, size);
    }
    return to;
}

static void put_text(struct buffer *out, const char *text, size_t length)
{
    if (!buffer_reserve(out, length + 2))
        return;
    char *to = buffer_end(out);
    *to++ = '"';
    if (copy_plain(to, text, length)) {
        to[length] = '"';
        buffer_commit(out, to + length + 1);
        return;
    }
    buffer_commit(out, to);
    for (size_t at = 0; at < length && buffer_reserve(out, 12);) {
        uint32_t c;
        size_t size = answer_character(text + at, length - at, &c);
        buffer_commit(out, put_character(buffer_end(out), text + at, size, c));
        at += size;
    }
    buffer_append(out, "\"", 1);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void break_line(struct gpucode_answer *answer, unsigned depth)
{
    if (!answer->options.indent || !buffer_reserve(&answer->out, 1 + 2 * (size_t)depth))
        return;
    char *to = buffer_end(&answer->out);
    *to++ = '\n';
    memset(to, ' ', 2 * (size_t)depth);
    buffer_commit(&answer->out, to + 2 * (size_t)depth);
}

/* The comma and the key in front of a value. */
static void put_key(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    struct answer_level *top = answer_real(answer);
    if (!top)
        return;
    if (top->written++)
        buffer_append(&answer->out, ", ", answer->options.indent ? 1 : 2);
    break_line(answer, top->depth);
    if (!value->key || top->field->kind == GPUCODE_ANSWER_LIST)
        return;
    size_t length = strlen(value->key);
    if (value->key != value->field->key) { /* else it is a name of ours, which stands for itself */
        put_text(&answer->out, value->key, length);
        buffer_append(&answer->out, ": ", 2);
    } else if (buffer_reserve(&answer->out, length + 4)) {
        char *to = buffer_end(&answer->out);
        *to = '"';
        memcpy(to + 1, value->key, length);
        memcpy(to + 1 + length, "\": ", 3);
        buffer_commit(&answer->out, to + length + 4);
    }
}

static void end_value(struct gpucode_answer *answer)
{
    if (!answer_real(answer))
        buffer_append(&answer->out, "\n", 1);
}

static void put_number(struct buffer *out, const struct gpucode_answer_value *value)
{
    if (!buffer_reserve(out, 40))
        return;
    char *to = buffer_end(out);
    switch (value->kind) {
    case GPUCODE_ANSWER_HEX:
        to = text_hex(TEXT_LITERAL(to, "\"0x"), value->number);
        *to++ = '"';
        break;
    case GPUCODE_ANSWER_WORD:
        *to++ = '"';
        to = text_hex_fixed(to, value->number, value->number >> 32 ? 16 : 8);
        *to++ = '"';
        break;
    case GPUCODE_ANSWER_SIGNED:
        to = text_signed(to, value->signed_number);
        break;
    case GPUCODE_ANSWER_REAL:
        to += snprintf(to, 40, isfinite(value->real) ? "%.17g" : "\"%g\"", value->real);
        break;
    case GPUCODE_ANSWER_FLAG:
        to = text_string(to, value->flag ? "true" : "false");
        break;
    case GPUCODE_ANSWER_NOTHING:
        to = text_string(to, "null");
        break;
    default:
        to = text_decimal(to, value->number);
        break;
    }
    buffer_commit(out, to);
}

/* Outside of lists a value without a key is for text alone. */
static void put_leaf(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    const struct answer_level *top = answer_real(answer);
    if (!value->key && !(top && top->field->kind == GPUCODE_ANSWER_LIST))
        return;
    put_key(answer, value);
    if (value->kind == GPUCODE_ANSWER_TEXT)
        put_text(&answer->out, value->text, value->length);
    else
        put_number(&answer->out, value);
    end_value(answer);
}

static void make_template(struct answer_template *kept, const struct gpucode_answer_field *field)
{
    *kept = (struct answer_template){.field = field};
    size_t length = field->key ? strlen(field->key) : 0;
    if (length + 6 > sizeof kept->key || !copy_plain(kept->key + 3, length ? field->key : "", length))
        return;
    memcpy(kept->key, ", \"", 3);
    memcpy(kept->key + 3 + length, "\": ", 3);
    kept->before_length = length + 6;
    kept->simple = true;
}

/* The comma and the key. */
static inline char *put_before(const struct answer_level *top, const struct answer_template *template, bool in_list,
                               char *to)
{
    size_t skip = top->written ? 0 : 2;
    if (in_list) {
        memcpy(to, ", ", 2);
        return to + 2 - skip;
    }
    memcpy(to, template->key + skip, sizeof template->key - 2);
    return to + template->before_length - skip;
}

/* Texts that stand for themselves, and numbers, with their key; an object or list around them is there. */
static bool put_quickly(struct gpucode_answer *answer, const struct gpucode_answer_field *field, uint64_t number,
                        const char *text, size_t length)
{
    struct answer_level *top = answer_top(answer);
    if (!top || top->for_text || answer->options.indent)
        return false;
    bool in_list = top->field->kind == GPUCODE_ANSWER_LIST;
    if (!field->key && !in_list)
        return true;
    const struct answer_template *template = answer_template(answer, field, make_template);
    if ((!in_list && !template->simple) || !buffer_reserve(&answer->out, length + 80))
        return false;
    char *to = buffer_end(&answer->out);
    to = put_before(top, template, in_list, to);
    if (field->kind == GPUCODE_ANSWER_TEXT) {
        *to++ = '"';
        if (!copy_plain(to, text, length))
            return false; /* nothing was committed */
        to[length] = '"';
        to += length + 1;
    } else if (field->kind == GPUCODE_ANSWER_COUNT || field->kind == GPUCODE_ANSWER_PLACE) {
        to = text_decimal(to, number);
    } else if (field->kind == GPUCODE_ANSWER_WORD && !(number >> 32)) {
        *to = '"';
        text_put_eight(to + 1, text_hex_digits((uint32_t)number));
        to[9] = '"';
        to += 10;
    } else {
        return false;
    }
    top->written++;
    buffer_commit(&answer->out, to);
    return true;
}

/* Counts of an object. */
static bool put_numbers(struct gpucode_answer *answer, const struct gpucode_answer_field *first,
                        const uint64_t *numbers, size_t count)
{
    struct answer_level *top = answer_top(answer);
    if (!top || top->for_text || answer->options.indent || answer->key || top->field->kind != GPUCODE_ANSWER_OBJECT ||
        !buffer_reserve(&answer->out, count * 64))
        return false;
    char *to = buffer_end(&answer->out);
    size_t written = top->written;
    for (size_t i = 0; i < count; i++) {
        const struct answer_template *template = answer_template(answer, &first[i], make_template);
        bool is_count = first[i].kind == GPUCODE_ANSWER_COUNT || first[i].kind == GPUCODE_ANSWER_PLACE;
        if (!first[i].key || !template->simple || !is_count) {
            top->written = written; /* nothing was committed */
            return false;
        }
        to = text_decimal(put_before(top, template, false, to), numbers[i]);
        top->written++;
    }
    buffer_commit(&answer->out, to);
    return true;
}

/* An object or list of a line, in one that is there. */
static bool begin_quickly(struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    struct answer_level *top = answer_top(answer);
    if (!top || top->for_text || answer->options.indent || answer->level[answer->depth].for_text)
        return false;
    bool in_list = top->field->kind == GPUCODE_ANSWER_LIST;
    const struct answer_template *template = answer_template(answer, field, make_template);
    if ((!in_list && !template->simple) || !buffer_reserve(&answer->out, 80))
        return false;
    char *to = put_before(top, template, in_list, buffer_end(&answer->out));
    *to++ = field->kind == GPUCODE_ANSWER_LIST ? '[' : '{';
    top->written++;
    buffer_commit(&answer->out, to);
    return true;
}

static void begin(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    if (answer->level[answer->depth].for_text)
        return;
    put_key(answer, value);
    buffer_append(&answer->out, value->kind == GPUCODE_ANSWER_LIST ? "[" : "{", 1);
}

static void end(struct gpucode_answer *answer, struct answer_level *level)
{
    if (level->for_text)
        return;
    if (level->written && answer->options.indent)
        break_line(answer, level->depth - 1);
    if (!buffer_reserve(&answer->out, 2))
        return;
    char *to = buffer_end(&answer->out);
    *to++ = level->field->kind == GPUCODE_ANSWER_LIST ? ']' : '}';
    if (level->depth == 1)
        *to++ = '\n';
    buffer_commit(&answer->out, to);
}

const struct answer_form answer_as_json = {begin, put_leaf, end, NULL, put_quickly, begin_quickly, put_numbers};
