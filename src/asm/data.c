/* SPDX-License-Identifier: MIT */
/* Numbers and padding as envyas writes them: `.b8` to `.u64`, `.size` and `.skip`. */
#include "asm/context.h"
#include "asm/record.h"

#include <stdio.h>

#define PADDING_MAX (INT64_C(16) << 20)

static bool is_end(const struct isa_scan *scan)
{
    const struct gpucode_syntax *syntax = &scan->isa->text.syntax;
    if (scan->at >= scan->end || *scan->at == '\n' || (syntax->separator && *scan->at == syntax->separator))
        return true;
    return *scan->at == '#' && syntax->hash_comments && (scan->end - scan->at < 2 || !isa_name_byte(scan->at[1]));
}

static bool data_value(struct asm_context *context, char sign, unsigned width, message_id refusal)
{
    struct isa_scan *scan = &context->scan;
    struct isa_value value;
    uint64_t bits;
    bool read = scan->isa->text.syntax.juxtaposed ? isa_expression(scan, &value) : isa_expression_full(scan, &value);
    if (!read)
        return false;
    bool known = !value.term_count, whole = known && width == 64;
    /* a number of 64 bits cannot be too large: expressions have no more */
    int64_t low = 0, high = INT64_MAX;
    if (width < 64) {
        high = sign == 's' ? (INT64_C(1) << (width - 1)) - 1 : (INT64_C(1) << width) - 1;
        low = sign == 'u' ? 0 : -(INT64_C(1) << (width - 1));
    } else if (sign != 'u' || scan->isa->text.syntax.modulo) {
        low = INT64_MIN;
    }
    if (known && (value.constant < low || value.constant > high)) {
        char text[32], name[8];
        snprintf(text, sizeof text, "%lld", (long long)value.constant);
        snprintf(name, sizeof name, ".%c%u", sign, width);
        return isa_fail(scan, value.start, value.length, refusal, NULL, whole ? "a negative number" : text, -1, name);
    }
    if (whole) {
        asm_put(context, (uint64_t)value.constant, 8);
        return true;
    }
    if (known)
        value.constant &= (INT64_C(1) << width) - 1;
    if (!asm_put_number(context, scan, &value, width, width / 8, &bits))
        return false;
    asm_put(context, bits, width / 8);
    return true;
}

/* The numbers stand side by side, or are separated by commas. */
static int data_list(struct asm_context *context, char sign, unsigned width, message_id refusal)
{
    struct isa_scan *scan = &context->scan;
    do {
        if (!data_value(context, sign, width, refusal))
            return -1;
        isa_skip_line(scan);
        if (scan->at < scan->end && *scan->at == ',') {
            scan->at++;
            isa_skip_line(scan);
            if (is_end(scan)) {
                isa_expected(scan, "a value");
                return -1;
            }
        }
    } while (!is_end(scan));
    return 1;
}

int asm_take_data(struct asm_context *context, message_id refusal)
{
    static const char *const widths[] = {"8", "16", "32", "64"};
    struct isa_scan word = context->scan;
    if (word.at >= word.end || *word.at++ != '.')
        return 0;
    size_t length = isa_name(&word);
    if (length < 2 || length > 3 || !memchr("bus", word.at[0], 3))
        return 0;
    for (unsigned i = 0; i < 4; i++)
        if (strlen(widths[i]) == length - 1 && memcmp(widths[i], word.at + 1, length - 1) == 0) {
            context->scan.at = word.at + length;
            asm_keep_token(context, GPUCODE_TOKEN_DIRECTIVE, word.at - 1, length + 1);
            asm_record_word(context, GPUCODE_TOKEN_DIRECTIVE, word.at - 1, length + 1);
            return data_list(context, word.at[0], 8u << i, refusal);
        }
    return 0;
}

int asm_fill_to(struct asm_context *context, const char *at, int64_t until, unsigned byte, message_id refusal)
{
    size_t offset = asm_section_offset(context);
    if (until < 0 || until > PADDING_MAX || (uint64_t)until < offset) {
        isa_fail(&context->scan, at, (size_t)(context->scan.at - at), refusal, NULL, NULL, 0, NULL);
        return -1;
    }
    for (; offset < (uint64_t)until; offset++)
        asm_put(context, byte, 1);
    return 1;
}

int asm_take_padding(struct asm_context *context, message_id refusal)
{
    struct isa_scan *scan = &context->scan;
    bool skip = isa_take(scan, ".skip");
    int64_t count;
    if (!skip && !isa_take(scan, ".size"))
        return 0;
    asm_keep_token(context, GPUCODE_TOKEN_DIRECTIVE, scan->at - 5, 5);
    asm_record_word(context, GPUCODE_TOKEN_DIRECTIVE, scan->at - 5, 5);
    isa_skip_line(scan);
    const char *at = scan->at;
    if (!asm_take_known(context, &count))
        return -1;
    if (skip && count >= 0 && count <= PADDING_MAX)
        count += (int64_t)asm_section_offset(context);
    return asm_fill_to(context, at, count, 0, refusal);
}
