/* SPDX-License-Identifier: MIT */
/*
 * Bytes without an instruction set: what files of an unknown kind, and the empty file, are written as,
 * so that every file has a text that assembles back to it. Also the smallest example of a plug.
 */
#include "base/text.h"
#include "isa/assembler.h"
#include "isa/lines.h"

#include <string.h>

#define WORDS_PER_LINE 4

/* A decoder whose every way leads to no row. */
static const struct isa_node nowhere[] = {{0, 0, 0}};
static const int16_t no_entries[1];
static const struct isa_leaf no_leaves[1];
static const struct isa_key_slot no_mnemonics[2];
static const struct isa_decoder no_decoder[] = {{nowhere, nowhere, no_entries, no_leaves}};
static const struct isa_row_set no_rows = {.decoders = no_decoder, .slots = no_mnemonics, .slot_shift = 63};
static const char *const generations[] = {"data", NULL};

extern const struct isa data_isa;

static const struct gpucode_target targets[] = {
    {.name = "data", .isa = &data_isa, .description = "bytes of no instruction set", .is_generation = true},
};

/* Any bytes when asked for; of itself only the empty file, which is no other set's either. */
static enum gpucode_status lay_out_bytes(struct isa_layout *layout, struct arena *arena,
                                         const struct gpucode_image_options *options)
{
    (void)arena;
    if (!options->target && layout->size)
        return GPUCODE_ERROR_UNSUPPORTED;
    layout->info.target = &targets[0];
    layout->info.layout = layout->size ? "bytes" : "empty";
    layout->info.units = (uint32_t)layout->size;
    return GPUCODE_OK;
}

/* Records a number that is being written; `at` bytes from the file's start. */
static void note_number(struct isa_lines *list, const unsigned char *bytes, size_t at, unsigned size, const char *start,
                        const char *end)
{
    struct gpucode_unit unit = {.at = at,
                                .unit = (uint32_t)at,
                                .row = GPUCODE_ROW_NONE,
                                .size = (uint8_t)size,
                                .kind = GPUCODE_UNIT_DATA,
                                .reached = true};
    for (unsigned i = 0; i < size; i++)
        unit.bits |= (uint64_t)bytes[at + i] << 8 * i;
    isa_lines_spans(list, &unit, "", start, end, end);
    isa_lines_unit(list, &unit);
}

static void list_bytes(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                       struct isa_lines *list)
{
    struct buffer *out = &list->text;
    (void)options;
    if (!layout->size)
        buffer_text(out, "; empty\n");
    buffer_text(out, ".raw\n");
    size_t at = 0;
    while (layout->size - at >= 4 && buffer_reserve(out, 64)) {
        char *text = TEXT_LITERAL(buffer_end(out), ".word ");
        for (unsigned i = 0; i < WORDS_PER_LINE && layout->size - at >= 4; i++, at += 4) {
            if (i)
                text = TEXT_LITERAL(text, ", ");
            const unsigned char *byte = layout->bytes + at;
            uint32_t word = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
            char *start = text;
            text = text_hex_fixed(TEXT_LITERAL(text, "0x"), word, 8);
            note_number(list, layout->bytes, at, 4, start, text);
        }
        *text++ = '\n';
        buffer_commit(out, text);
    }
    for (; at < layout->size && layout->size - at < 4 && buffer_reserve(out, 16); at++) {
        char *start = TEXT_LITERAL(buffer_end(out), ".byte "), *text = start;
        text = text_hex_fixed(TEXT_LITERAL(text, "0x"), layout->bytes[at], 2);
        note_number(list, layout->bytes, at, 1, start, text);
        *text++ = '\n';
        buffer_commit(out, text);
    }
}

static int take_statement(struct asm_context *context, struct isa_scan *scan)
{
    (void)context;
    return isa_take(scan, ".raw");
}

/* Is `.raw` the first statement of the text? */
static const struct gpucode_target *detect_raw(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                               size_t length)
{
    (void)elsewhere;
    const char *at = text, *end = text + length;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || *at == ';')) {
        if (*at == ';')
            while (at < end && *at != '\n')
                at++;
        else
            at++;
    }
    return end - at >= 4 && memcmp(at, ".raw", 4) == 0 && (end - at == 4 || !isa_name_byte(at[4])) ? set->targets.list
                                                                                                   : NULL;
}

static const struct isa_assembler assembler = {.statement = take_statement, .detect = detect_raw};

const struct isa data_isa = {
    .name = "data",
    .title = "Bytes without an instruction set",
    .unit_bytes = 1,
    .targets =
        {
            .generations = generations,
            .list = targets,
            .count = 1,
        },
    .text =
        {
            .rows = &no_rows,
            .syntax = {.comment = ";"},
        },
    .files =
        {
            .layout = lay_out_bytes,
        },
    .listing =
        {
            .disassemble = list_bytes,
        },
    .assembler = &assembler,
};
