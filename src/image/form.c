/* SPDX-License-Identifier: MIT */
/* Writing code as hex, C arrays and calls of a script builder. Reading them: form_read.c. */
#include <gpucode/form.h>

#include "base/buffer.h"
#include "base/text.h"
#include "isa/isa.h"

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
