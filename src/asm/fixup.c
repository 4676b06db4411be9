/* SPDX-License-Identifier: MIT */
/*
 * Places of the output that wait for labels. Most wait for a label of their section that is defined soon: those are
 * settled every now and then while the text is read, so that they are never many. What is left, and all errors, have
 * their turn at the end, in the order of the text.
 */
#include "asm/context.h"

#include <stdio.h>
#include <stdlib.h>

/* So many places more and those before are settled. */
#define SETTLED_AT_ONCE 4096

/* Is it a label alone? */
static bool is_label(const struct isa_value *value)
{
    const struct isa_term *term = &value->term[0];
    return value->term_count == 1 && term->factor == 1 && !value->constant && !value->half && !value->known_factor &&
           term->name == value->start + 1 && term->length + 1 == value->length && *value->start == '#';
}

/* Keeps the value that a place waits for: in the arena, unless the name says it. */
static bool keep_value(struct asm_context *context, struct asm_fixup *fixup, const struct isa_value *value)
{
    if (is_label(value)) {
        fixup->name = value->term[0].name;
        fixup->name_length = value->term[0].length;
        return true;
    }
    size_t size = isa_value_size(value->term_count);
    struct isa_value *kept = arena_alloc(&context->arena, size);
    if (!kept) {
        context->failed = true;
        return false;
    }
    memcpy(kept, value, size);
    fixup->value = kept;
    return true;
}

/*
 * The bits that are put next wait for a value with labels; of the place, row or width, field and size are set, and the
 * name where the value is a label alone. False without memory.
 */
static bool asm_wait(struct asm_context *context, const struct asm_fixup *place, const struct isa_value *value)
{
    struct asm_fixup fixup = *place;
    fixup.offset = context->out.length;
    fixup.section = asm_section_number(context);
    fixup.source = context->source;
    if (!fixup.name && !keep_value(context, &fixup, value))
        return false;
    if (!asm_note_labelled(context))
        return false;
    if (!ASM_PUSH(context, context->fixups, fixup))
        return false;
    if (context->fixups.count - context->tried >= SETTLED_AT_ONCE)
        asm_settle_fixups(context);
    return true;
}

/* The value that is waited for; one that is a label alone is made up in *label. */
static const struct isa_value *value_of(const struct asm_fixup *fixup, struct isa_value *label)
{
    if (!fixup->name)
        return fixup->value;
    label->constant = label->known_factor = 0;
    label->half = ISA_WHOLE;
    label->is_address = true;
    label->start = fixup->name - 1;
    label->length = fixup->name_length + 1;
    label->term_count = 1;
    label->term[0] = (struct isa_term){.name = fixup->name, .length = fixup->name_length, .factor = 1};
    return label;
}

/* Comparing names for hints ends after this many, which takes well below a second. */
#define COMPARED_MAX 2000000
#define REGISTERS_COMPARED 10000 /* about as many names a chip has */

static void report_undefined(struct asm_context *context, const struct asm_fixup *fixup, const struct isa_term *term)
{
    const char *nearest = NULL;
    unsigned best = term->length > 3 ? 3 : term->length > 1 ? 2 : 1; /* never all letters are wrong */
    for (size_t i = 0; i < context->symbols.count && context->compared < COMPARED_MAX; i++, context->compared++) {
        const struct asm_symbol *symbol = &context->symbols.items[i];
        if (symbol->section != fixup->section && symbol->section != ASM_CONSTANT)
            continue;
        unsigned distance = text_distance(term->name, term->length, symbol->name, symbol->length, best);
        if (distance < best) {
            best = distance;
            nearest = symbol->name;
        }
    }
    char hint[192], meant[192];
    if (nearest) {
        snprintf(meant, sizeof meant, "%s", nearest);
        snprintf(hint, sizeof hint, "did you mean %.*s?", 128, nearest);
    } else {
        for (uint32_t i = 0; i < context->sections.count && !nearest; i++)
            if (context->sections.items[i].name[0] && asm_find(context, term->name, term->length, i)) {
                nearest = context->sections.items[i].name;
                snprintf(meant, sizeof meant, "%s:%.*s", nearest, (int)term->length, term->name);
                snprintf(hint, sizeof hint, "section %.*s has such a label: #%.*s:%.*s", 64, nearest, 64, nearest,
                         (int)(term->length < 40 ? term->length : 40), term->name);
            }
    }
    bool hash = term->name > fixup->value->start && term->name[-1] == '#';
    if (!nearest && !hash && context->compared < COMPARED_MAX) {
        context->compared += REGISTERS_COMPARED;
        nearest = isa_name_nearest(context->target->names, GPUCODE_SPACE_GPU, term->name, term->length);
        if (nearest)
            snprintf(hint, sizeof hint, "did you mean the register %.*s?", 128, nearest);
        if (nearest)
            snprintf(meant, sizeof meant, "%s", nearest);
    }
    if (nearest)
        asm_mend(context, meant, term->name, term->length);
    asm_report(context, fixup->source, term->name, term->length, MSG_UNDEFINED, nearest ? hint : NULL,
               (int)term->length, term->name);
}

static int64_t section_unit(const struct asm_context *context, uint32_t section)
{
    const struct asm_section *at = &context->sections.items[section];
    if (context->isa->text.syntax.file_labels) /* sections are apart: there is no distance between them */
        return 0;
    return (int64_t)((at->start - context->prefix) / context->isa->unit_bytes) - at->base;
}

/* "#BV::name" counts from the start of the image. */
static bool from_image(const struct isa_term *term)
{
    const char *colon = memchr(term->name, ':', term->length);
    return colon && colon[1] == ':';
}

/* What the label or constant of a term is; false, and reported: there is none. */
static bool find_term(struct asm_context *context, const struct asm_fixup *fixup, const struct isa_term *term,
                      struct asm_symbol *found)
{
    const struct asm_symbol *symbol = asm_find(context, term->name, term->length, fixup->section);
    if (!symbol)
        symbol = asm_find(context, term->name, term->length, ASM_CONSTANT);
    if (symbol) {
        *found = *symbol;
        return true;
    }
    bool hash = term->name > fixup->value->start && term->name[-1] == '#';
    *found = (struct asm_symbol){.section = ASM_CONSTANT};
    if (!hash && isa_register_value(&context->scan, term->name, term->length, &found->value))
        return true;
    report_undefined(context, fixup, term);
    return false;
}

/*
 * A label alone is the word's offset in its section, which is what calls and tables want; with "SECTION::" it is that
 * in the image. A difference of labels is a distance in the image, also across sections. Constants defined later take
 * no part in that.
 */
static bool evaluate_fixup(struct asm_context *context, const struct asm_fixup *fixup, int64_t *result)
{
    int64_t total = fixup->value->constant, factors = fixup->value->known_factor;
    bool overflow = false;
    struct asm_symbol symbols[ISA_TERMS_MAX];
    for (unsigned i = 0; i < fixup->value->term_count; i++) {
        const struct isa_term *term = &fixup->value->term[i];
        if (!find_term(context, fixup, term, &symbols[i]))
            return false;
        if (symbols[i].section != ASM_CONSTANT)
            overflow |= __builtin_add_overflow(factors, term->factor, &factors);
    }
    for (unsigned i = 0; i < fixup->value->term_count; i++) {
        const struct isa_term *term = &fixup->value->term[i];
        int64_t value = symbols[i].value, product;
        if (symbols[i].section != ASM_CONSTANT && (factors == 0 || from_image(term)))
            value += section_unit(context, symbols[i].section);
        overflow |=
            __builtin_mul_overflow(value, term->factor, &product) || __builtin_add_overflow(total, product, &total);
    }
    int64_t start;
    if (factors == 0) /* labels that were known at once are counted from their section's start */
        overflow |= __builtin_mul_overflow(fixup->value->known_factor, section_unit(context, fixup->section), &start) ||
                    __builtin_add_overflow(total, start, &total);
    if (overflow) {
        asm_report(context, fixup->source, fixup->value->start, fixup->value->length, MSG_OVERFLOW, NULL);
        return false;
    }
    uint8_t half = fixup->value->half;
    *result = half == ISA_LOW_HALF ? total & 0xffff : half == ISA_HIGH_HALF ? total >> 16 : total;
    return true;
}

static uint64_t address_of(const struct asm_context *context, const struct asm_fixup *fixup)
{
    const struct asm_section *section = &context->sections.items[fixup->section];
    return (uint64_t)section->base + (fixup->offset - section->start) / context->isa->unit_bytes;
}

/* Sets a field of what stands in `size` bytes, least significant first. */
static inline __attribute__((always_inline)) void set_field(unsigned char *at, unsigned size,
                                                            const struct isa_field *field, uint64_t encoded)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < size; i++)
        bits |= (uint64_t)at[i] << 8 * i;
    bits = isa_field_set(field, bits, encoded);
    for (unsigned i = 0; i < size; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
}

/* A plain number in place of an instruction's field. */
static bool put_plain(struct asm_context *context, const struct asm_fixup *fixup, int64_t value)
{
    struct isa_field plain = {.width = fixup->width, .pieces = 1, .piece = {{0, fixup->width}}};
    if (value < 0 && fixup->width == 8 * fixup->size && value >= -(INT64_C(1) << (fixup->width - 1)))
        value += INT64_C(1) << fixup->width; /* a whole .byte or .word: two's complement */
    if (value < 0 || (fixup->width < 63 && value >> fixup->width))
        return false;
    set_field((unsigned char *)context->out.bytes + fixup->offset, fixup->size, &plain, (uint64_t)value);
    return true;
}

/* Puts the value into its field; false: it does not fit. */
static bool put_value(struct asm_context *context, const struct asm_fixup *fixup, int64_t value)
{
    uint64_t encoded;
    if (!fixup->row)
        return put_plain(context, fixup, value);
    const struct isa_field *field = &fixup->row->fields[fixup->field];
    if (!isa_encode_value(context->isa, field, address_of(context, fixup), value, &encoded))
        return false;
    unsigned char *at = (unsigned char *)context->out.bytes + fixup->offset;
    if (fixup->size == 4) /* most are: a load and a store */
        set_field(at, 4, field, encoded);
    else
        set_field(at, fixup->size, field, encoded);
    return true;
}

static void report_unfit(struct asm_context *context, const struct asm_fixup *fixup, int64_t value)
{
    const char *start = fixup->value->start;
    if (!fixup->row) {
        bool whole = value < 0 && fixup->width == 8 * fixup->size && value >= -(INT64_C(1) << (fixup->width - 1));
        asm_report(context, fixup->source, start, fixup->value->length, MSG_NUMBER_WIDTH, NULL,
                   (long long)(whole ? value + (INT64_C(1) << fixup->width) : value), (unsigned)fixup->width);
        return;
    }
    struct isa_scan scan = {.isa = context->isa, .target = context->target, .address = address_of(context, fixup)};
    isa_out_of_range(&scan, &fixup->row->fields[fixup->field], start, fixup->value->length, value);
    asm_report(context, fixup->source, start, fixup->value->length, scan.error.message, scan.error.hint,
               scan.error.text[0], scan.error.text[1]);
}

/*
 * A label may be defined just after: what is left is tried once more the next time. Labels of other sections have
 * their turn at the end, when it is known where those lie.
 */
void asm_settle_fixups(struct asm_context *context)
{
    size_t kept = context->settled, tried = context->tried;
    for (size_t i = context->settled; i < context->fixups.count && !context->out.failed; i++) {
        const struct asm_fixup *fixup = &context->fixups.items[i];
        const struct asm_symbol *symbol =
            fixup->name ? asm_find_here(context, fixup->name, fixup->name_length, fixup->section) : NULL;
        if (!symbol || symbol->section == ASM_CONSTANT || !put_value(context, fixup, symbol->value))
            context->fixups.items[kept++] = *fixup;
        if (i + 1 == tried)
            context->settled = kept;
    }
    context->fixups.count = context->tried = kept;
}

void asm_resolve_fixups(struct asm_context *context)
{
    const struct asm_source *source = context->sources.items[0];
    asm_settle_fixups(context);
    for (size_t i = 0; i < context->fixups.count; i++) {
        if (i % SETTLED_AT_ONCE == 0)
            asm_pass(context, source, source->text + source->length);
        struct asm_fixup fixup = context->fixups.items[i];
        struct isa_value label;
        int64_t value;
        fixup.value = value_of(&fixup, &label);
        if (evaluate_fixup(context, &fixup, &value) && !put_value(context, &fixup, value))
            report_unfit(context, &fixup, value);
    }
}

/* The output as it grows: units, numbers that wait for labels, labels at the current place. */

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
