/* SPDX-License-Identifier: MIT */
/* Code as hex, C arrays and calls of a script builder: written, and read. */
#include "base/buffer.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "isa/isa.h"
#include "isa/scan.h"

#include <gpucode/form.h>
#include <string.h>

#define LINE_ROOM 256

static void put_bytes(struct buffer *out, const unsigned char *bytes, size_t size, const char *indent,
                      const char *prefix, const char *separator, unsigned per_line)
{
    for (size_t i = 0; i < size && buffer_reserve(out, LINE_ROOM);) {
        char *at = text_string(buffer_end(out), indent);
        for (unsigned k = 0; k < per_line && i < size; k++, i++) {
            if (k)
                *at++ = ' ';
            at = text_hex_fixed(text_string(at, prefix), bytes[i], 2);
            at = text_string(at, separator);
        }
        *at++ = '\n';
        buffer_commit(out, at);
    }
}

static void put_words(struct buffer *out, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size && buffer_reserve(out, LINE_ROOM); i += 4) {
        const unsigned char *word = bytes + i;
        char *at = TEXT_LITERAL(buffer_end(out), "0x");
        at =
            text_hex_fixed(at, word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24, 8);
        *at++ = (i / 4) % 4 == 3 || i + 8 > size ? '\n' : ' ';
        buffer_commit(out, at);
    }
    put_bytes(out, bytes + size / 4 * 4, size % 4, "", "0x", "", 3);
}

static void put_array(struct buffer *out, const char *name, const unsigned char *bytes, size_t size)
{
    if (!size) { /* C has no empty arrays; --hex takes such comments alone */
        buffer_format(out, "// %s: no bytes\n", name);
        return;
    }
    buffer_format(out, "static const unsigned char %s[%zu] = {\n", name, size);
    put_bytes(out, bytes, size, "    ", "0x", ",", 12);
    buffer_text(out, "};\n");
}

/* One call; returns the bytes it stands for. */
static size_t put_call(struct buffer *out, const struct gpucode_target *target, const char *name,
                       const unsigned char *bytes, size_t size)
{
    struct gpucode_insn insn;
    struct gpucode_field field;
    char *at = buffer_end(out);
    at = text_string(at, target->isa->name);
    bool good = gpucode_decode(target, bytes, size, 0, &insn) == GPUCODE_OK && insn.exact;
    const char *mnemonic = good ? target->isa->text.rows->rows[insn.row].facts.mnemonic : "b8";
    at = text_string(text_string(TEXT_LITERAL(at, "_"), mnemonic), "(");
    at = text_string(at, name);
    if (!good)
        at = text_hex_fixed(TEXT_LITERAL(at, ", 0x"), *bytes, 2);
    for (unsigned i = 0; good && gpucode_insn_field(&insn, i, &field); i++)
        at = text_hex(TEXT_LITERAL(at, ", 0x"), field.value);
    at = TEXT_LITERAL(at, ");\n");
    buffer_commit(out, at);
    return good ? insn.size : 1;
}

enum gpucode_status gpucode_form_write(const struct gpucode_target *target, enum gpucode_form form, const char *name,
                                       const void *bytes, size_t size, char **text, size_t *length)
{
    if (!text || !length || (!bytes && size) || (name && strlen(name) > 64) || (form == GPUCODE_FORM_CALLS && !target))
        return GPUCODE_ERROR_ARGUMENT;
    const unsigned char *at = bytes, *end = at + size;
    if (!name)
        name = target && form == GPUCODE_FORM_CALLS ? target->isa->name : "code";
    struct buffer out = {0};
    switch (form) {
    case GPUCODE_FORM_HEX:
        put_bytes(&out, at, size, "", "", "", 16);
        break;
    case GPUCODE_FORM_WORDS:
        put_words(&out, at, size);
        break;
    case GPUCODE_FORM_C:
        put_array(&out, name, at, size);
        break;
    case GPUCODE_FORM_CALLS:
        while (at < end && buffer_reserve(&out, GPUCODE_TEXT_MAX + LINE_ROOM))
            at += put_call(&out, target, name, at, (size_t)(end - at));
        break;
    default:
        return GPUCODE_ERROR_ARGUMENT;
    }
    buffer_append(&out, "", 1);
    if (out.failed) {
        buffer_free(&out);
        return GPUCODE_ERROR_MEMORY;
    }
    *text = out.bytes;
    *length = out.length - 1;
    return GPUCODE_OK;
}

struct reader {
    const struct gpucode_target *target;
    const char *text, *at, *end;
    const char *file;
    const struct gpucode_diagnostic_handler *on_diagnostic;
    struct buffer out;
};

static bool refuse_text(struct reader *reader, const char *at, size_t span, message_id message, const char *first,
                        const char *second)
{
    struct place place = {reader->file, reader->text, (size_t)(reader->end - reader->text), at, span, 1};
    report(reader->on_diagnostic, &place, message, NULL, first, second);
    return false;
}

static void skip_comment(struct reader *reader, bool block)
{
    const char *at = reader->at + (block ? 2 : 0), *end = reader->end;
    while (at < end && !(block ? at[0] == '*' && end - at > 1 && at[1] == '/' : *at == '\n'))
        at++;
    reader->at = block && at < end ? at + 2 : at;
}

/* White space, comments, and the punctuation that stands between numbers. */
static void skip_punctuation(struct reader *reader, const char *punctuation)
{
    while (reader->at < reader->end) {
        char c = *reader->at, next = reader->end - reader->at > 1 ? reader->at[1] : 0;
        if (c == '#' || (c == '/' && next == '/'))
            skip_comment(reader, false);
        else if (c == '/' && next == '*')
            skip_comment(reader, true);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || (c && strchr(punctuation, c)))
            reader->at++;
        else
            return;
    }
}

/* The first '{' or '(' outside comments, or null. */
static const char *find_bracket(const char *text, const char *end)
{
    struct reader reader = {.at = text, .end = end};
    for (skip_punctuation(&reader, ""); reader.at < reader.end; reader.at++, skip_punctuation(&reader, ""))
        if (*reader.at == '{' || *reader.at == '(')
            return reader.at;
    return NULL;
}

/* Behind the end of an array: to the next one, if the text goes on with what declares one. */
static void skip_declaration(struct reader *reader)
{
    skip_punctuation(reader, ",;}");
    const char *bracket = find_bracket(reader->at, reader->end);
    if (bracket && *bracket == '{')
        reader->at = bracket;
}

static bool read_hex(struct reader *reader)
{
    skip_declaration(reader);
    for (skip_punctuation(reader, ",;{"); reader->at < reader->end; skip_punctuation(reader, ",;{")) {
        if (*reader->at == '}') {
            skip_declaration(reader);
            continue;
        }
        const char *start = reader->at;
        if (reader->end - start > 2 && start[0] == '0' && (start[1] | 32) == 'x')
            reader->at += 2;
        uint64_t value = 0;
        unsigned digits = 0;
        for (; reader->at < reader->end && text_hex_digit(*reader->at) >= 0 && digits < 17; reader->at++, digits++)
            value = value << 4 | (unsigned)text_hex_digit(*reader->at);
        bool ends = reader->at == reader->end || !isa_name_byte(*reader->at);
        if ((digits != 2 && digits != 8 && digits != 16) || !ends)
            return refuse_text(reader, start, (size_t)(reader->at - start), MSG_FORM_HEX, NULL, NULL);
        for (unsigned i = 0; i < digits / 2; i++) {
            unsigned char byte = (unsigned char)(value >> 8 * i);
            buffer_append(&reader->out, &byte, 1);
        }
    }
    return true;
}

/* --- calls ---------------------------------------------------------------------------------------------- */

/* The row of that mnemonic on the target with so many operands, or -1; the general one where there are several. */
static int find_row(const struct gpucode_target *target, const char *name, size_t length, unsigned operands)
{
    struct gpucode_row row;
    for (unsigned i = gpucode_row_count(target); i-- > 0;) {
        if (!gpucode_row(target, i, &row) || !gpucode_row_on_target(target, i) || strlen(row.mnemonic) != length ||
            memcmp(row.mnemonic, name, length) != 0)
            continue;
        struct gpucode_insn insn;
        struct gpucode_field field;
        unsigned fields = 0;
        if (gpucode_insn_init(target, i, &insn) != GPUCODE_OK)
            continue;
        while (gpucode_insn_field(&insn, fields, &field))
            fields++;
        if (fields == operands)
            return (int)i;
    }
    return -1;
}

/* `b8` and mnemonics, without the prefix. */
static bool emit_call(struct reader *reader, const char *name, size_t length, const uint64_t *values, unsigned count)
{
    unsigned char bytes[8];
    if (length == 2 && memcmp(name, "b8", 2) == 0) {
        bytes[0] = (unsigned char)values[0];
        buffer_append(&reader->out, bytes, 1);
        return count == 1 && values[0] <= 0xff;
    }
    struct gpucode_insn insn;
    struct gpucode_field field;
    size_t size;
    int row = find_row(reader->target, name, length, count);
    if (row < 0 || gpucode_insn_init(reader->target, (unsigned)row, &insn) != GPUCODE_OK)
        return false;
    for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++)
        if (gpucode_insn_set(&insn, field.letter, values[i]) != GPUCODE_OK)
            return false;
    if (gpucode_encode(&insn, bytes, sizeof bytes, &size) != GPUCODE_OK)
        return false;
    buffer_append(&reader->out, bytes, size);
    return true;
}

/* As C has them: a 0 in front makes them octal. */
static bool read_c_number(const char *text, size_t length, uint64_t *value)
{
    const char *end = text + length;
    bool overflow;
    if (length > 1 && text[0] == '0' && (text[1] | 32) != 'x')
        return text_read_digits(text + 1, end, 8, value, &overflow) == end && !overflow;
    return text_read_number(text, end, value) == end;
}

/* Numbers up to the closing parenthesis; names among them are passed over. Returns false where it makes no sense. */
static bool read_arguments(struct reader *reader, uint64_t *values, unsigned *count)
{
    *count = 0;
    for (skip_punctuation(reader, ","); reader->at < reader->end && *reader->at != ')'; skip_punctuation(reader, ",")) {
        const char *start = reader->at;
        while (reader->at < reader->end && (isa_name_byte(*reader->at) || (*reader->at && strchr("&->.", *reader->at))))
            reader->at++;
        size_t length = (size_t)(reader->at - start);
        if (!length)
            return false;
        if (*start < '0' || *start > '9')
            continue;
        if (*count == GPUCODE_FIELDS_MAX || !read_c_number(start, length, &values[(*count)++]))
            return false;
    }
    if (reader->at == reader->end)
        return false;
    reader->at++;
    return true;
}

static bool read_calls(struct reader *reader)
{
    const char *prefix = reader->target->isa->name;
    size_t prefix_length = strlen(prefix);
    for (skip_punctuation(reader, ";"); reader->at < reader->end; skip_punctuation(reader, ";")) {
        const char *name = reader->at;
        while (reader->at < reader->end && isa_name_byte(*reader->at))
            reader->at++;
        size_t length = (size_t)(reader->at - name), skipped = 0;
        if (length > prefix_length && memcmp(name, prefix, prefix_length) == 0 && name[prefix_length] == '_')
            skipped = prefix_length + 1;
        skip_punctuation(reader, "");
        char shown[40];
        size_t copied = length < sizeof shown - 1 ? length : sizeof shown - 1;
        memcpy(shown, name, copied);
        shown[copied] = 0;
        if (!length || reader->at == reader->end || *reader->at != '(')
            return refuse_text(reader, name, length ? length : 1, MSG_FORM_CALL, shown, reader->target->name);
        reader->at++;
        uint64_t values[GPUCODE_FIELDS_MAX] = {0};
        unsigned count;
        if (!read_arguments(reader, values, &count) ||
            !emit_call(reader, name + skipped, length - skipped, values, count))
            return refuse_text(reader, name, length, MSG_FORM_ARGUMENTS, shown, NULL);
    }
    return true;
}

char gpucode_form_bracket(const char *text, size_t length)
{
    if (!text)
        return 0;
    const char *bracket = find_bracket(text, text + length);
    return bracket ? *bracket : 0;
}

enum gpucode_status gpucode_form_read(const struct gpucode_target *target, const char *text, size_t length,
                                      const char *file, const struct gpucode_diagnostic_handler *on_diagnostic,
                                      void **bytes, size_t *size)
{
    static const struct gpucode_diagnostic_handler deaf = {0};
    if ((!text && length) || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    if (!text)
        text = "";
    struct reader reader = {target, text, text, text + length, file, on_diagnostic ? on_diagnostic : &deaf, {0}};
    bool calls = target && gpucode_form_bracket(text, length) == '(';
    bool good = calls ? read_calls(&reader) : read_hex(&reader);
    if (!good || !buffer_reserve(&reader.out, 1)) {
        enum gpucode_status status = reader.out.failed ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_INPUT;
        buffer_free(&reader.out);
        return status;
    }
    *bytes = reader.out.bytes;
    *size = reader.out.length;
    return GPUCODE_OK;
}
