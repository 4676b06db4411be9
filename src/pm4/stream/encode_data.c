/* SPDX-License-Identifier: MIT */
/* What stands in buffers beside packets: words, bytes, texts, code. */
#include "base/text.h"
#include "pm4/stream/encode.h"
#include "stream_messages.h"

#include <gpucode/asm.h>
#include <stdlib.h>
#include <string.h>

/* How much of the contents there may be, so that a short text does not fill memory. */
#define CONTENTS_MAX UINT32_MAX

static void put_little(struct encode *encode, uint64_t value, unsigned size)
{
    if (buffer_reserve(&encode->out, 16))
        buffer_commit(&encode->out, text_put_bytes(buffer_end(&encode->out), value, size));
}

bool encode_value(struct encode *encode, struct piece value, unsigned size)
{
    struct piece expanded;
    uint64_t number = 0;
    bool places;
    if (!encode_expand(encode, value, &expanded, &places))
        return false;
    bool minus = !places && value.at < value.end && *value.at == '-';
    if (!piece_number((struct piece){expanded.at + minus, expanded.end}, &number))
        return encode_refuse(encode, value, MSG_ENCODE_NUMBER, NULL);
    if (places ? size < 4 : size < 8 && number >> 8 * size)
        return encode_refuse(encode, value, MSG_ENCODE_LARGE, places ? "&low(LABEL) has 32 bits" : NULL, size);
    if (encode->resolving) {
        encode_patch(encode, encode->fixup->at, (uint32_t)number);
        if (size == 8)
            encode_patch(encode, encode->fixup->at + 4, (uint32_t)(number >> 32));
        return true;
    }
    struct encode_fixup *fixup = places ? list_add(&encode->fixups, sizeof *fixup) : NULL;
    encode->no_memory |= places && !fixup;
    if (fixup)
        *fixup = (struct encode_fixup){
            .value = value, .kind = FIXUP_DATA, .words = size / 4, .at = encode->out.length, .buffer = encode->buffer};
    put_little(encode, minus ? 0 - number : number, size);
    return true;
}

static bool take_values(struct encode *encode, struct piece operands, unsigned size)
{
    struct piece rest = operands;
    do
        if (!encode_value(encode, piece_take(&rest, ','), size))
            return false;
    while (rest.at);
    return true;
}

/* A character after a backslash; null: there is none such. */
static const char *take_escape(const char *at, const char *end, char *c)
{
    static const char names[] = "ntr0\\\"", values[] = "\n\t\r\0\\\"";
    if (at < end && *at == 'x') {
        int high = at + 1 < end ? text_hex_digit(at[1]) : -1, low = at + 2 < end ? text_hex_digit(at[2]) : -1;
        *c = (char)(16 * high + low);
        return high < 0 || low < 0 ? NULL : at + 3;
    }
    const char *name = at < end ? memchr(names, *at, sizeof names - 1) : NULL;
    *c = name ? values[name - names] : 0;
    return name ? at + 1 : NULL;
}

bool encode_string(struct encode *encode, struct piece operand)
{
    const char *at = operand.at, *end = operand.end;
    if (end - at < 2 || *at != '"' || end[-1] != '"')
        return encode_refuse(encode, operand, MSG_ENCODE_STRING,
                             "\"text\" with \\n, \\\", \\\\, \\x00 for what cannot stand there");
    for (at++, end--; at < end;) {
        const char *escape = at;
        char c = *at++;
        if (c == '"' || (c == '\\' && !(at = take_escape(at, end, &c))))
            return encode_refuse(encode, (struct piece){escape, escape + 1}, MSG_ENCODE_STRING,
                                 "\\n, \\t, \\r, \\0, \\\\, \\\", or \\x and two digits");
        buffer_append(&encode->out, &c, 1);
    }
    return true;
}

static bool put_zeros(struct encode *encode, uint64_t count)
{
    static const char zeros[256];
    for (; count && !encode->out.failed; count -= count < sizeof zeros ? count : sizeof zeros)
        buffer_append(&encode->out, zeros, count < sizeof zeros ? (size_t)count : sizeof zeros);
    return true;
}

/* .zero, .pad, .align: zeros, so many or up to a place. */
static bool fill(struct encode *encode, struct piece name, struct piece operand)
{
    uint64_t number, at = encode->out.length - encode->contents, count;
    if (!piece_number(operand, &number))
        return encode_refuse(encode, operand, MSG_ENCODE_NUMBER, NULL);
    bool aligns = piece_is(name, ".align");
    if (aligns && (!number || number & (number - 1) || number > 0x100000))
        return encode_refuse(encode, operand, MSG_ENCODE_ALIGN, NULL);
    count = aligns ? (0 - at) & (number - 1) : piece_is(name, ".zero") ? number : number > at ? number - at : 0;
    if (count > CONTENTS_MAX - at)
        return encode_refuse(encode, operand, MSG_ENCODE_BIG, NULL);
    return put_zeros(encode, count);
}

/* --- code --------------------------------------------------------------------------------------------------------- */

/* Tells what the assembler says with the lines of the whole text. */
static void tell_of_code(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct encode *encode = user;
    const struct gpucode_diagnostic_handler *handler = &encode->options->on_diagnostic;
    struct gpucode_diagnostic moved = *diagnostic;
    for (const char *at = encode->text; moved.line && (at = memchr(at, '\n', (size_t)(encode->block - at))); at++)
        moved.line++;
    encode->errors += diagnostic->severity == GPUCODE_ERROR;
    if (handler->report)
        handler->report(handler->user, &moved);
}

static bool assemble(struct encode *encode, struct piece operand, struct piece block)
{
    char name[64];
    size_t length = (size_t)(operand.end - operand.at);
    const struct gpucode_target *target = NULL;
    if (length < sizeof name) {
        memcpy(name, operand.at, length);
        name[length] = 0;
        target = gpucode_target_find(name);
    }
    if (!target)
        return encode_refuse(encode, operand, MSG_ENCODE_TARGET, "`gpucode targets` lists all");
    struct gpucode_asm_options options = {
        .target = target, .file = encode->options->file_name, .on_diagnostic = {tell_of_code, encode}};
    struct gpucode_program *program;
    encode->block = block.at;
    unsigned errors = encode->errors;
    enum gpucode_status status = gpucode_assemble(block.at, (size_t)(block.end - block.at), &options, &program);
    encode->no_memory |= status == GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK) {
        struct encode_code *code = encode->buffer == NO_BUFFER ? NULL : list_add(&encode->codes, sizeof *code);
        encode->no_memory |= encode->codes.failed;
        if (code)
            *code = (struct encode_code){encode->buffer, encode->out.length - encode->contents,
                                         gpucode_program_size(program)};
        buffer_append(&encode->out, gpucode_program_bytes(program), gpucode_program_size(program));
        gpucode_program_free(program);
        put_zeros(encode, (0 - (encode->out.length - encode->contents)) & 3);
    } else if (errors == encode->errors) {
        encode->errors++;
    }
    return true;
}

/* The lines up to `.end`. */
static bool take_code(struct encode *encode, struct piece name, struct piece operand, const char **next)
{
    const char *end = encode->text + encode->length;
    for (const char *line = *next; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line)), *after = newline ? newline + 1 : end;
        struct piece words = piece_trim((struct piece){line, newline ? newline : end});
        if (piece_is(words, ".end")) {
            struct piece block = {*next, line};
            *next = after;
            return assemble(encode, operand, block);
        }
        line = after;
    }
    *next = end;
    return encode_refuse(encode, name, MSG_ENCODE_NO_END, "a line with .end ends the code");
}

bool encode_data(struct encode *encode, struct piece name, struct piece operands, const char **next)
{
    static const struct {
        const char *name;
        unsigned size;
    } values[] = {{".word", 4}, {".byte", 1}, {".quad", 8}};
    if (encode->record == SIZE_MAX && !encode->headless)
        return encode_refuse(encode, name, MSG_ENCODE_NO_RECORD, "data stand after .contents or .record");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (piece_is(name, values[i].name))
            return take_values(encode, operands, values[i].size);
    if (piece_is(name, ".ascii"))
        return encode_string(encode, operands);
    if (piece_is(name, ".code"))
        return take_code(encode, name, operands, next);
    return fill(encode, name, operands);
}
