/* SPDX-License-Identifier: MIT */
/* The output as it grows: units, numbers that wait for labels, labels at the current place. */
#include "asm/context.h"

#include "base/text.h"

#include <stdio.h>

void asm_put(struct asm_context *context, uint64_t bits, unsigned size)
{
    if (!buffer_reserve(&context->out, 8))
        return;
    size_t count = context->lines.count;
    /* padding and lists make many units of one statement: the first one's record holds for all of them */
    if (context->options->record_lines && (!count || context->lines.items[count - 1].at != context->statement ||
                                           context->lines.items[count - 1].place.source != context->source)) {
        struct asm_place *place = &context->emitted_at[context->frames.count];
        asm_find_line(place, context->source, context->statement);
        ASM_PUSH(context, context->lines,
                 (struct asm_line){(uint32_t)((context->out.length - context->prefix) / context->isa->unit_bytes),
                                   context->statement, *place});
    }
    text_put_bytes(buffer_end(&context->out), bits, 8); /* there is room for eight; `size` of them stay */
    context->out.length += size;
    context->emitted = true;
}

bool asm_put_number(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value, unsigned width,
                    unsigned size, uint64_t *bits)
{
    *bits = 0;
    if (value->term_count) {
        struct asm_fixup fixup = {.offset = context->out.length,
                                  .section = asm_section_number(context),
                                  .width = (uint8_t)width,
                                  .size = (uint8_t)size,
                                  .value = *value,
                                  .source = context->source};
        return ASM_PUSH(context, context->fixups, fixup);
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
    return asm_define(context, name, length, asm_section_number(context), (int64_t)asm_address(context),
                      context->source, at);
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
