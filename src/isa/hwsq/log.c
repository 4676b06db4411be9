/* SPDX-License-Identifier: MIT */
/*
 * Dumps in logs. Their format is not documented: taken are hex numbers of two or eight digits behind the word hwsq, and
 * the lines after it that have, behind their last colon or tab, nothing else.
 */
#include "base/text.h"
#include "isa/hwsq/extract.h"

#include "base/buffer.h"

struct dump {
    struct buffer bytes;
    uint64_t line; /* where it began */
    const char *at;
};

static bool is_word_byte(char c)
{
    return text_hex_digit(c) >= 0 || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

/* Behind the word hwsq in a line, or null. */
static const char *behind_word(const char *at, const char *end)
{
    for (; end - at >= 4; at++)
        if ((at[0] | 32) == 'h' && (at[1] | 32) == 'w' && (at[2] | 32) == 's' && (at[3] | 32) == 'q' &&
            (at + 4 == end || !is_word_byte(at[4])))
            return at + 4;
    return NULL;
}

/* Takes hex numbers up to the end of the line; `strict`: false when there is anything else. */
static bool take_numbers(struct dump *dump, const char *at, const char *end, bool strict)
{
    size_t before = dump->bytes.length;
    while (at < end) {
        if (!is_word_byte(*at)) {
            at++;
            continue;
        }
        const char *start = at;
        if (end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x')
            at += 2;
        uint64_t value = 0;
        unsigned digits = 0;
        for (; at < end && text_hex_digit(*at) >= 0 && digits < 9; at++, digits++)
            value = value << 4 | (unsigned)text_hex_digit(*at);
        bool number = (digits == 2 || digits == 8) && (at == end || !is_word_byte(*at));
        while (at < end && is_word_byte(*at))
            at++;
        /* "08:" is an offset, not a byte */
        if (number && at < end && *at == ':' && at + 1 < end)
            continue;
        (void)start;
        if (!number) {
            if (strict) {
                dump->bytes.length = before;
                return false;
            }
            dump->bytes.length = before; /* words in front of the numbers */
            continue;
        }
        for (unsigned i = 0; i < digits / 2; i++) {
            char byte = (char)(value >> 8 * i);
            buffer_append(&dump->bytes, &byte, 1);
        }
    }
    return dump->bytes.length > before;
}

/* What a line has behind the stamps and names that a kernel log puts in front. */
static const char *payload(const char *at, const char *end)
{
    const char *from = at;
    for (const char *c = at; c + 1 < end; c++)
        if ((*c == ':' && c[1] == ' ') || *c == '\t' || *c == ']')
            from = c + 1;
    return from;
}

static void finish(struct extract *extract, struct dump *dump)
{
    if (!dump->bytes.length || extract->errors)
        return;
    const struct gpucode_target *target = extract->options->target;
    if (!target) {
        extract_no_target(extract);
        return;
    }
    struct gpucode_hwsq_script script = {.origin = GPUCODE_HWSQ_LOG,
                                         .target = target,
                                         .bytes = (unsigned char *)dump->bytes.bytes,
                                         .size = dump->bytes.length,
                                         .line = dump->line};
    extract_length(target, script.bytes, NULL, 0, script.size, &script.complete);
    extract_give(extract, &script);
}

bool extract_log(struct extract *extract)
{
    const char *text = (const char *)extract->bytes, *end = text + extract->size;
    struct dump dump = {0};
    uint64_t line = 1;
    bool inside = false, any = false;
    for (const char *at = text; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        const char *behind = behind_word(at, stop);
        any |= behind != NULL;
        bool more = inside && !dump.bytes.failed && !behind && take_numbers(&dump, payload(at, stop), stop, true);
        if (!more && !(inside && behind)) {
            if (inside)
                finish(extract, &dump);
            dump.bytes.length = 0;
            inside = false;
        }
        if (behind) {
            if (!inside)
                dump.line = line;
            inside = true;
            take_numbers(&dump, behind, stop, false);
        }
        at = stop + 1;
    }
    if (inside)
        finish(extract, &dump);
    extract->failed |= dump.bytes.failed;
    buffer_free(&dump.bytes);
    return any;
}
