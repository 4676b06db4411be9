/* SPDX-License-Identifier: MIT */
/* Labels and constants, and the places that wait for them. */
#include "asm/context.h"
#include "asm/record.h"

#include <stdio.h>
#include <stdlib.h>

/* Labels of all sections have one name space where they are those of the file. */
static uint32_t scope_of(const struct asm_context *context, uint32_t section)
{
    return section != ASM_CONSTANT && context->isa->text.syntax.file_labels ? 0 : section;
}

static uint32_t symbol_slot(const struct asm_context *context, const char *name, size_t length, uint32_t section)
{
    uint32_t mask = (1u << context->symbol_hash_bits) - 1, scope = scope_of(context, section);
    uint32_t at = (isa_hash(name, length) + scope * 0x9e3779b9u) & mask;
    for (; context->symbol_hash[at]; at = (at + 1) & mask) {
        const struct asm_symbol *symbol = &context->symbols.items[context->symbol_hash[at] - 1];
        if (scope_of(context, symbol->section) == scope && symbol->length == length &&
            memcmp(symbol->name, name, length) == 0)
            break;
    }
    return at;
}

static bool grow_hash(struct asm_context *context)
{
    uint32_t bits = context->symbol_hash_bits ? context->symbol_hash_bits + 2 : 10;
    uint32_t *table = bits < 31 ? calloc((size_t)1 << bits, sizeof *table) : NULL;
    if (!table) {
        context->failed = true;
        return false;
    }
    free(context->symbol_hash);
    context->symbol_hash = table;
    context->symbol_hash_bits = bits;
    for (size_t i = 0; i < context->symbols.count; i++) {
        const struct asm_symbol *symbol = &context->symbols.items[i];
        table[symbol_slot(context, symbol->name, symbol->length, symbol->section)] = (uint32_t)i + 1;
    }
    return true;
}

/*
 * What a new symbol would collide with: in its section, where its place in the table is `slot`, and a label with a
 * constant, which have one name space.
 */
static const struct asm_symbol *same_name(const struct asm_context *context, const char *name, size_t length,
                                          uint32_t section, uint32_t slot)
{
    uint32_t known = context->symbol_hash[slot];
    const struct asm_symbol *symbol = known ? &context->symbols.items[known - 1] : NULL;
    if (!symbol && section != ASM_CONSTANT && context->constants)
        symbol = asm_find(context, name, length, ASM_CONSTANT);
    for (uint32_t i = 0; !symbol && section == ASM_CONSTANT && i < context->sections.count; i++)
        symbol = asm_find(context, name, length, i);
    return symbol;
}

bool asm_define(struct asm_context *context, const char *name, size_t length, uint32_t section, int64_t value,
                const struct asm_source *source, const char *at)
{
    if ((context->symbols.count + 1) * 2 > (size_t)1 << context->symbol_hash_bits || !context->symbol_hash)
        if (!grow_hash(context))
            return false;
    uint32_t slot = symbol_slot(context, name, length, section);
    const struct asm_symbol *first = same_name(context, name, length, section, slot);
    if (first) {
        asm_report(context, source, at, length, MSG_DUPLICATE, NULL, (int)length, name);
        if (first->at)
            asm_report(context, first->source, first->at, length, MSG_FIRST_DEFINED, NULL);
        return true; /* reported; reading goes on */
    }
    char *copy = arena_copy(&context->arena, name, length);
    if (!copy) {
        context->failed = true;
        return false;
    }
    struct asm_symbol symbol = {copy, (uint32_t)length, section, value, source, at};
    if (!ASM_PUSH(context, context->symbols, symbol))
        return false;
    context->symbol_hash[slot] = (uint32_t)context->symbols.count;
    context->constants += section == ASM_CONSTANT;
    return true;
}

const struct asm_symbol *asm_find(const struct asm_context *context, const char *name, size_t length, uint32_t section)
{
    if (!context->symbol_hash)
        return NULL;
    const char *colon = memchr(name, ':', length);
    if (colon) {
        size_t prefix = (size_t)(colon - name);
        size_t colons = prefix + 1 < length && colon[1] == ':' ? 2 : 1;
        for (uint32_t i = 0; i < context->sections.count; i++) {
            const char *section_name = context->sections.items[i].name;
            const struct asm_symbol *symbol = NULL;
            if (strlen(section_name) == prefix && memcmp(section_name, name, prefix) == 0)
                symbol = asm_find(context, colon + colons, length - prefix - colons, i);
            if (symbol)
                return symbol;
        }
        return NULL;
    }
    uint32_t slot = symbol_slot(context, name, length, section);
    return context->symbol_hash[slot] ? &context->symbols.items[context->symbol_hash[slot] - 1] : NULL;
}

int asm_symbol_value(void *user, const char *name, size_t length, int64_t *value, bool *is_address)
{
    struct asm_context *context = user;
    asm_keep_token(context, GPUCODE_TOKEN_USE, name, length);
    asm_record_word(context, GPUCODE_TOKEN_USE, name, length);
    bool qualified = memchr(name, ':', length) != NULL;
    const struct asm_symbol *symbol =
        qualified || !context->constants ? NULL : asm_find(context, name, length, ASM_CONSTANT);
    if (symbol) {
        *value = symbol->value;
        *is_address = false;
        return 1;
    }
    /* sections may still move labels of other sections; those are looked up at the end */
    symbol = qualified ? NULL : asm_find(context, name, length, asm_section_number(context));
    if (!symbol)
        return 0;
    *value = symbol->value;
    *is_address = true;
    return 1;
}

/* --- fixups ------------------------------------------------------------------------------------------- */

/* Comparing names for hints ends after this many, which takes well below a second. */
#define COMPARED_MAX 2000000
#define REGISTERS_COMPARED 10000 /* about as many names a chip has */

static void report_undefined(struct asm_context *context, const struct asm_fixup *fixup, const struct isa_term *term)
{
    const char *nearest = NULL;
    unsigned best = term->length > 3 ? 3 : 2;
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
    bool hash = term->name > fixup->value.start && term->name[-1] == '#';
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
    bool hash = term->name > fixup->value.start && term->name[-1] == '#';
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
    int64_t total = fixup->value.constant, factors = fixup->value.known_factor;
    bool overflow = false;
    struct asm_symbol symbols[ISA_TERMS_MAX];
    for (unsigned i = 0; i < fixup->value.term_count; i++) {
        const struct isa_term *term = &fixup->value.term[i];
        if (!find_term(context, fixup, term, &symbols[i]))
            return false;
        if (symbols[i].section != ASM_CONSTANT)
            overflow |= __builtin_add_overflow(factors, term->factor, &factors);
    }
    for (unsigned i = 0; i < fixup->value.term_count; i++) {
        const struct isa_term *term = &fixup->value.term[i];
        int64_t value = symbols[i].value, product;
        if (symbols[i].section != ASM_CONSTANT && (factors == 0 || from_image(term)))
            value += section_unit(context, symbols[i].section);
        overflow |=
            __builtin_mul_overflow(value, term->factor, &product) || __builtin_add_overflow(total, product, &total);
    }
    int64_t start;
    if (factors == 0) /* labels that were known at once are counted from their section's start */
        overflow |= __builtin_mul_overflow(fixup->value.known_factor, section_unit(context, fixup->section), &start) ||
                    __builtin_add_overflow(total, start, &total);
    if (overflow) {
        asm_report(context, fixup->source, fixup->value.start, fixup->value.length, MSG_OVERFLOW, NULL);
        return false;
    }
    uint8_t half = fixup->value.half;
    *result = half == ISA_LOW_HALF ? total & 0xffff : half == ISA_HIGH_HALF ? total >> 16 : total;
    return true;
}

static void apply_fixup(struct asm_context *context, const struct asm_fixup *fixup)
{
    int64_t value;
    if (!evaluate_fixup(context, fixup, &value))
        return;
    uint64_t bits = 0, encoded;
    unsigned char *at = (unsigned char *)context->out.bytes + fixup->offset;
    for (unsigned i = 0; i < fixup->size; i++)
        bits |= (uint64_t)at[i] << 8 * i;
    struct isa_field plain = {.width = fixup->width, .pieces = 1, .piece = {{0, fixup->width}}};
    const struct isa_field *field = fixup->row ? &fixup->row->fields[fixup->field] : &plain;
    const struct asm_section *section = &context->sections.items[fixup->section];
    uint64_t address = (uint64_t)section->base + (fixup->offset - section->start) / context->isa->unit_bytes;
    bool fits;
    if (fixup->row) {
        fits = isa_encode_value(context->isa, field, address, value, &encoded);
    } else {
        if (value < 0 && fixup->width == 8 * fixup->size && value >= -(INT64_C(1) << (fixup->width - 1)))
            value += INT64_C(1) << fixup->width; /* a whole .byte or .word: two's complement */
        encoded = (uint64_t)value;
        fits = value >= 0 && (fixup->width >= 63 || value >> fixup->width == 0);
    }
    if (!fits) {
        struct isa_scan scan = {.isa = context->isa, .target = context->target, .address = address};
        if (fixup->row) {
            isa_out_of_range(&scan, field, fixup->value.start, fixup->value.length, value);
            asm_report(context, fixup->source, fixup->value.start, fixup->value.length, scan.error.message,
                       scan.error.hint, scan.error.text[0], scan.error.text[1]);
        } else {
            asm_report(context, fixup->source, fixup->value.start, fixup->value.length, MSG_NUMBER_WIDTH, NULL,
                       (long long)value, (unsigned)fixup->width);
        }
        return;
    }
    bits = isa_field_set(field, bits, encoded);
    for (unsigned i = 0; i < fixup->size; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
}

void asm_resolve_fixups(struct asm_context *context)
{
    for (size_t i = 0; i < context->fixups.count; i++)
        apply_fixup(context, &context->fixups.items[i]);
}
