/* SPDX-License-Identifier: MIT */
/* Labels and constants. */
#include "asm/context.h"
#include "asm/record.h"

#include <stdlib.h>

/* Is it the name of that key? Short ones of one length and one key are the same. */
static inline bool is_name_of(const struct asm_symbol *symbol, const char *name, size_t length, uint64_t key)
{
    return symbol->length == length &&
           (length <= ISA_KEY_BYTES ? isa_key(symbol->name, length) == key : isa_same_text(symbol->name, name, length));
}

/*
 * The place of a name in the table, or of the end of its row. Labels of all sections have one name space where they are
 * those of the file.
 */
static inline uint32_t symbol_slot(const struct asm_context *context, const char *name, size_t length, uint32_t section)
{
    const struct asm_symbol *symbols = context->symbols.items;
    const uint32_t *table = context->symbol_hash;
    const unsigned bits = context->symbol_hash_bits;
    const bool any = context->isa->text.syntax.file_labels && section != ASM_CONSTANT;
    const uint64_t key = isa_key(name, length);
    uint32_t at = (uint32_t)(isa_key_hash(key ^ (any ? 0 : (uint64_t)section << 32)) >> (64 - bits));
    for (; table[at]; at = (at + 1) & ((1u << bits) - 1)) {
        const struct asm_symbol *symbol = &symbols[table[at] - 1];
        if ((any ? symbol->section != ASM_CONSTANT : symbol->section == section) &&
            is_name_of(symbol, name, length, key))
            break;
    }
    return at;
}

static bool grow_hash(struct asm_context *context)
{
    uint32_t bits = context->symbol_hash_bits ? context->symbol_hash_bits + 2 : 10;
    while (bits < 20 && (size_t)1 << bits < 2 * context->symbols.room) /* expected: see make_room() */
        bits++;
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
                const char *at)
{
    const struct asm_source *source = context->source;
    if ((context->symbols.count + 1) * 2 > (size_t)1 << context->symbol_hash_bits || !context->symbol_hash)
        if (!grow_hash(context))
            return false;
    uint32_t slot = symbol_slot(context, name, length, section);
    const struct asm_symbol *first = same_name(context, name, length, section, slot);
    if (first) {
        const struct asm_source *other = context->sources.items[first->source];
        asm_report(context, source, at, length, MSG_DUPLICATE, NULL, (int)length, name);
        asm_report(context, other, other->text + first->at, length, MSG_FIRST_DEFINED, NULL);
        return true; /* reported; reading goes on */
    }
    char *copy = arena_copy(&context->arena, name, length);
    if (!copy) {
        context->failed = true;
        return false;
    }
    size_t offset = (size_t)(at - source->text);
    struct asm_symbol symbol = {.name = copy,
                                .value = value,
                                .length = (uint32_t)length,
                                .section = section,
                                .source = source->number,
                                .at = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX};
    if (!ASM_PUSH(context, context->symbols, symbol))
        return false;
    context->symbol_hash[slot] = (uint32_t)context->symbols.count;
    context->constants += section == ASM_CONSTANT;
    return true;
}

const struct asm_symbol *asm_find_here(const struct asm_context *context, const char *name, size_t length,
                                       uint32_t section)
{
    if (!context->symbol_hash)
        return NULL;
    uint32_t slot = symbol_slot(context, name, length, section);
    return context->symbol_hash[slot] ? &context->symbols.items[context->symbol_hash[slot] - 1] : NULL;
}

/* "SECTION:name" or "SECTION::name" */
static const struct asm_symbol *find_elsewhere(const struct asm_context *context, const char *name, size_t length)
{
    const char *colon = memchr(name, ':', length);
    if (!colon)
        return NULL;
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

const struct asm_symbol *asm_find(const struct asm_context *context, const char *name, size_t length, uint32_t section)
{
    const struct asm_symbol *symbol = asm_find_here(context, name, length, section);
    return symbol ? symbol : find_elsewhere(context, name, length);
}

bool asm_note_labelled(struct asm_context *context)
{
    uint32_t unit = asm_token_unit(context);
    return (context->waited.count && context->waited.items[context->waited.count - 1] == unit) ||
           ASM_PUSH(context, context->waited, unit);
}

int asm_symbol_value(void *user, const char *name, size_t length, int64_t *value, bool *is_address)
{
    struct asm_context *context = user;
    if (context->record || context->options->record_tokens) {
        asm_keep_token(context, GPUCODE_TOKEN_USE, name, length);
        asm_record_word(context, GPUCODE_TOKEN_USE, name, length);
    }
    const struct asm_symbol *symbol = context->constants ? asm_find_here(context, name, length, ASM_CONSTANT) : NULL;
    /* sections may still move labels of other sections; those are looked up at the end */
    if (!symbol)
        symbol = asm_find_here(context, name, length, asm_section_number(context));
    if (!symbol)
        return 0;
    *value = symbol->value;
    *is_address = symbol->section != ASM_CONSTANT;
    if (*is_address)
        asm_note_labelled(context); /* without memory the context has failed */
    return 1;
}
