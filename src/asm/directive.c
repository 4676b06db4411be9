/* SPDX-License-Identifier: MIT */
/* Directives that all instruction sets have. */
#include "asm/context.h"
#include "asm/record.h"

#include "registry.h"

#include <stdio.h>

/* Numbers and padding as envyas writes them: `.b8` to `.u64`, `.size` and `.skip`. */

#define PADDING_MAX (INT64_C(16) << 20)

/* Comments have been passed over. */
static bool is_end(const struct isa_scan *scan)
{
    const char separator = scan->isa->text.syntax.separator;
    return scan->at >= scan->end || *scan->at == '\n' || (separator && *scan->at == separator);
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

/* A few bytes of text can ask for any amount of padding. */
#define OUTPUT_MAX ((size_t)256 << 20)

/* More units than any image has; a slip of the hand should not fill the disk. */
#define ORG_MAX (INT64_C(1) << 22)

static bool emit_padding(struct asm_context *context, size_t bytes, const char *at)
{
    unsigned unit = context->isa->unit_bytes;
    if (bytes % unit)
        return isa_fail(&context->scan, at, 1, MSG_UNALIGNED, NULL, NULL, 0, NULL);
    if (bytes > OUTPUT_MAX || context->out.length > OUTPUT_MAX - bytes)
        return isa_fail(&context->scan, at, 1, MSG_OUTPUT_LARGE, NULL, NULL, 0, NULL);
    uint64_t bits = context->hooks->padding ? context->hooks->padding(context->target) : 0;
    if (!bytes)
        return true;
    asm_put(context, bits, unit); /* the rest is copies of it, twice as many each time */
    if (!buffer_reserve(&context->out, bytes))
        return true;
    for (size_t done = unit, more; done < bytes; done += more) {
        more = bytes - done < done ? bytes - done : done;
        memcpy(buffer_end(&context->out), buffer_end(&context->out) - done, more);
        context->out.length += more;
    }
    return true;
}

static bool directive_align(struct asm_context *context, const char *start)
{
    int64_t bytes = 0;
    isa_skip(&context->scan);
    const char *at = context->scan.at;
    if (!asm_take_known(context, &bytes))
        return false;
    size_t span = (size_t)(context->scan.at - at);
    if (bytes <= 0 || bytes % context->isa->unit_bytes || bytes > 1 << 20)
        return isa_fail(&context->scan, at, span, MSG_ALIGNMENT, NULL, NULL, 0, NULL);
    size_t offset = asm_section_offset(context);
    return emit_padding(context, ((size_t)bytes - offset % (size_t)bytes) % (size_t)bytes, start);
}

static bool directive_org(struct asm_context *context, const char *start)
{
    int64_t unit = 0;
    isa_skip(&context->scan);
    const char *at = context->scan.at;
    if (!asm_take_known(context, &unit))
        return false;
    size_t span = (size_t)(context->scan.at - at), offset = asm_section_offset(context);
    if (unit < 0 || unit > ORG_MAX || (size_t)unit * context->isa->unit_bytes < offset)
        return isa_fail(&context->scan, at, span, MSG_ORG, NULL, NULL, 0, NULL);
    return emit_padding(context, (size_t)unit * context->isa->unit_bytes - offset, start);
}

/* .byte, .word: a list of numbers. */
static bool directive_numbers(struct asm_context *context, unsigned size)
{
    struct isa_scan *scan = &context->scan;
    do {
        struct isa_value value;
        uint64_t bits;
        if (!isa_expression_full(scan, &value))
            return false;
        if (!value.term_count && value.constant < 0 && value.constant >= -(INT64_C(1) << (8 * size - 1)))
            value.constant += INT64_C(1) << 8 * size;
        if (!asm_put_number(context, scan, &value, 8 * size, size, &bits))
            return false;
        asm_put(context, bits, size);
        isa_skip_line(scan);
    } while (scan->at < scan->end && *scan->at == ',' && scan->at++);
    return true;
}

static bool directive_equ(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    isa_skip(scan);
    if (scan->at < scan->end && *scan->at == '#') /* as the texts of a reference have it: `.equ #NAME` */
        scan->at++;
    const char *name = scan->at;
    size_t length = isa_name(scan);
    if (!length)
        return isa_expected(scan, "a name");
    scan->at += length;
    asm_record_word(context, GPUCODE_TOKEN_CONSTANT, name, length);
    isa_take(scan, ",");
    int64_t value = 0;
    if (!asm_take_known(context, &value))
        return false;
    return asm_define(context, name, length, ASM_CONSTANT, value, name);
}

static bool directive_section(struct asm_context *context, const char *start)
{
    struct isa_scan *scan = &context->scan;
    isa_skip(scan);
    if (scan->at < scan->end && *scan->at == '#') /* as the texts of a reference have it */
        scan->at++;
    const char *name = scan->at;
    size_t length = isa_name(scan);
    if (!length)
        return isa_expected(scan, "a section name");
    scan->at += length;
    asm_record_word(context, GPUCODE_TOKEN_SECTION, name, length);
    int64_t base = 0;
    if (!context->isa->text.syntax.newlines_are_space) { /* an optional address of its first unit, for labels */
        isa_skip_line(scan);
        if (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9' && !asm_take_known(context, &base))
            return false;
    }
    if (context->hooks->end_section)
        context->hooks->end_section(context, false);
    if (asm_section_offset(context) % context->isa->unit_bytes)
        return isa_fail(scan, start, 1, MSG_UNALIGNED, NULL, NULL, 0, NULL);
    return asm_begin_section(context, name, length, base, name);
}

static bool directive_target(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    isa_skip(scan);
    const char *name = scan->at;
    while (scan->at < scan->end && (isa_name_byte(*scan->at) || *scan->at == ':' || *scan->at == '-'))
        scan->at++;
    char text[64];
    size_t length = (size_t)(scan->at - name);
    if (!length || length >= sizeof text) {
        scan->at = name;
        return isa_expected(scan, "a target");
    }
    memcpy(text, name, length);
    text[length] = 0;
    const struct gpucode_target *target = gpucode_target_find(text);
    asm_record_word(context, GPUCODE_TOKEN_TARGET, name, length);
    if (!target) {
        registry_target_hint(scan->hint, sizeof scan->hint, text, length);
        isa_fail(scan, name, length, MSG_NO_SUCH_TARGET, scan->hint, text, -1, NULL);
        const struct gpucode_target *nearest = registry_nearest_target(text, length);
        if (nearest)
            isa_mend(scan, MSG_NO_SUCH_TARGET, name, length, nearest->name);
        return false;
    }
    if (target != context->target && !context->options->target)
        return isa_fail(scan, name, length, MSG_SECOND_TARGET, NULL, context->target->name, -1, NULL);
    return true;
}

bool asm_directive(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    int taken = asm_take_data(context, MSG_NUMBER_SIGN);
    if (!taken)
        taken = asm_take_padding(context, MSG_PADDING);
    if (taken)
        return taken > 0;
    const char *start = scan->at++;
    size_t length = isa_name(scan);
    const char *name = scan->at;
    scan->at += length;
    asm_keep_token(context, GPUCODE_TOKEN_DIRECTIVE, start, (size_t)(scan->at - start));
    asm_record_word(context, GPUCODE_TOKEN_DIRECTIVE, start, (size_t)(scan->at - start));
    static const char *const names[] = {"align", "org", "byte", "word", "equ", "section", "target", "include", "macro"};
    unsigned which = 0, count = sizeof names / sizeof *names;
    while (which < count && (strlen(names[which]) != length || memcmp(names[which], name, length) != 0))
        which++;
    switch (which) {
    case 0:
        return directive_align(context, start);
    case 1:
        return directive_org(context, start);
    case 2:
        return directive_numbers(context, 1);
    case 3:
        return directive_numbers(context, 4);
    case 4:
        return directive_equ(context);
    case 5:
        return directive_section(context, start);
    case 6:
        return directive_target(context);
    case 7:
        return asm_include(context);
    case 8:
        return asm_define_macro(context);
    default:
        while (!length && scan->at < scan->end && *scan->at == '.')
            scan->at++;
        if (scan->at - start == 3 && !length)
            return isa_fail(scan, start, 3, MSG_UNKNOWN_DIRECTIVE,
                            "dots stand for code that was left out: write that code, or take the line away", start, 3,
                            NULL);
        return isa_fail(scan, start, length + 1, MSG_UNKNOWN_DIRECTIVE, NULL, start, (int)length + 1, NULL);
    }
}

/* --- the list of directives, for those who write them ------------------------------------------------------------- */

/* All of them; tests/asm/source.c tries each. */
static const struct gpucode_directive everywhere[] = {
    {".target", "TARGET", "Says what the source is for, as `gpucode targets` lists it."},
    {".equ", "NAME, VALUE", "Defines a constant."},
    {".section", "NAME", "Begins a section, which has labels of its own or goes on with those of the file."},
    {".include", "\"FILE\"", "Reads a file, whose name is relative to the file that includes it."},
    {".macro", "NAME PARAMETER, ...",
     "Begins a macro, whose body ends with .endm; \\PARAMETER stands for an argument, "
     "\\@ for a number that is another one each time."},
    {".endm", "", "Ends a macro."},
    {".align", "BYTES", "Pads to a multiple of so many bytes."},
    {".org", "UNIT", "Pads up to that unit of the section."},
    {".byte", "VALUE, ...", "Bytes."},
    {".word", "VALUE, ...", "Words of 4 bytes."},
    {".b8", "VALUE, ...", "Bytes, with a sign or without."},
    {".u8", "VALUE, ...", "Bytes without a sign."},
    {".s8", "VALUE, ...", "Bytes with a sign."},
    {".b16", "VALUE, ...", "Numbers of 2 bytes, with a sign or without."},
    {".u16", "VALUE, ...", "Numbers of 2 bytes without a sign."},
    {".s16", "VALUE, ...", "Numbers of 2 bytes with a sign."},
    {".b32", "VALUE, ...", "Numbers of 4 bytes, with a sign or without."},
    {".u32", "VALUE, ...", "Numbers of 4 bytes without a sign."},
    {".s32", "VALUE, ...", "Numbers of 4 bytes with a sign."},
    {".b64", "VALUE, ...", "Numbers of 8 bytes, with a sign or without."},
    {".u64", "VALUE, ...", "Numbers of 8 bytes without a sign."},
    {".s64", "VALUE, ...", "Numbers of 8 bytes with a sign."},
    {".size", "BYTES", "Pads with zeros to so many bytes from the start of the section."},
    {".skip", "BYTES", "So many zeros."},
};

bool gpucode_directive_at(const struct gpucode_target *target, unsigned index, struct gpucode_directive *directive)
{
    unsigned count = sizeof everywhere / sizeof *everywhere;
    if (!directive)
        return false;
    if (index < count) {
        *directive = everywhere[index];
        return true;
    }
    const struct isa_assembler *hooks = target ? target->isa->assembler : NULL;
    const struct gpucode_directive *own = hooks ? hooks->directives : NULL;
    for (index -= count; own && own->name && index; index--)
        own++;
    if (!own || !own->name)
        return false;
    *directive = *own;
    return true;
}
