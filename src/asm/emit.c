/* SPDX-License-Identifier: MIT */
/* The output as it grows: units, numbers that wait for labels, labels at the current place. */
#include "asm/context.h"

#include <stdio.h>

/* Padding and lists make many units of one statement: the first one's record holds for all of them. */
static void record_line(struct asm_context *context)
{
    size_t count = context->lines.count;
    if (count && context->lines.items[count - 1].at == context->statement &&
        context->lines.items[count - 1].place.source == context->source)
        return;
    struct asm_place *place = &context->emitted_at[context->frames.count];
    asm_find_line(place, context->source, context->statement);
    ASM_PUSH(context, context->lines, (struct asm_line){asm_token_unit(context), context->statement, *place});
}

void asm_put(struct asm_context *context, uint64_t bits, unsigned size)
{
    if (context->options->record_lines && !context->out.failed)
        record_line(context);
    asm_put_bits(context, bits, size);
}

bool asm_wait_for_fields(struct asm_context *context, const struct isa_build *build)
{
    for (unsigned i = 0; i < build->pending_count; i++) {
        const struct isa_pending *pending = &build->pending[i];
        struct asm_fixup place = {.row = build->row, .field = pending->field, .size = build->row->facts.size};
        if (pending->is_label) {
            place.name = pending->value.start + 1;
            place.name_length = pending->value.length - 1;
        }
        if (!asm_wait(context, &place, &pending->value))
            return false;
    }
    return true;
}

bool asm_put_number(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value, unsigned width,
                    unsigned size, uint64_t *bits)
{
    *bits = 0;
    if (value->term_count) {
        struct asm_fixup place = {.width = (uint8_t)width, .size = (uint8_t)size};
        return asm_wait(context, &place, value);
    }
    if (value->constant < 0 || (width < 63 && value->constant >> width)) {
        char text[40], bits_text[24];
        snprintf(text, sizeof text, "%lld", (long long)value->constant);
        snprintf(bits_text, sizeof bits_text, "%u", width);
        return isa_fail(scan, value->start, value->length, MSG_TOO_WIDE, NULL, text, -1, bits_text);
    }
    *bits = (uint64_t)value->constant;
    return true;
}

uint64_t asm_address(const struct asm_context *context)
{
    uint64_t base = (uint64_t)context->sections.items[context->sections.count - 1].base;
    return base + asm_section_offset(context) / context->isa->unit_bytes;
}

bool asm_add_label(struct asm_context *context, const char *name, size_t length, const char *at)
{
    return asm_define(context, name, length, asm_section_number(context), (int64_t)asm_address(context), at);
}

bool asm_take_known(struct asm_context *context, int64_t *result)
{
    struct isa_value value;
    if (!isa_expression_full(&context->scan, &value))
        return false;
    int64_t number;
    bool plain = value.term_count == 1 && value.term[0].factor == 1 && !value.known_factor && *value.start != '#';
    if (plain && isa_register_value(&context->scan, value.term[0].name, value.term[0].length, &number)) {
        value.term_count = 0;
        value.constant += number;
    }
    if (value.term_count)
        return isa_fail(&context->scan, value.start, value.length, MSG_NOT_KNOWN_YET, NULL, value.term[0].name,
                        (int)value.term[0].length, NULL);
    *result = value.constant;
    return true;
}
