/* SPDX-License-Identifier: MIT */
/* The words of a source by file and place, and the symbols that they name. */
#include "asm/record.h"

#include <stdlib.h>

/* Where the symbols of each kind begin in the list. */
struct numbering {
    uint32_t sections, macros;
    uint32_t *section; /* symbol of each part of a section */
    uint32_t *macro;   /* symbol of each macro */
};

/* --- symbols --------------------------------------------------------------------------------------------- */

static void list_labels(const struct asm_context *context, const struct numbering *numbering, struct asm_listed *listed)
{
    for (size_t i = 0; i < context->symbols.count; i++) {
        const struct asm_symbol *symbol = &context->symbols.items[i];
        struct gpucode_source_symbol *out = &listed->symbols[listed->symbol_count++];
        *out = (struct gpucode_source_symbol){.kind = GPUCODE_SOURCE_CONSTANT,
                                              .name = symbol->name,
                                              .value = symbol->value,
                                              .parent_symbol = GPUCODE_NONE,
                                              .unit = GPUCODE_NONE};
        if (symbol->section == ASM_CONSTANT)
            continue;
        const struct asm_section *section = &context->sections.items[symbol->section];
        out->kind = GPUCODE_SOURCE_LABEL;
        out->parent = section->name;
        out->parent_symbol = numbering->section[symbol->section];
        out->unit = (uint32_t)((section->start - context->prefix) / context->isa->unit_bytes +
                               (size_t)(symbol->value - section->base));
    }
}

/* Sections of one name are one symbol. */
static void list_sections(const struct asm_context *context, struct numbering *numbering, struct asm_listed *listed)
{
    numbering->sections = (uint32_t)context->symbols.count;
    uint32_t first = listed->symbol_count = numbering->sections;
    for (size_t i = 0; i < context->sections.count; i++) {
        const char *name = context->sections.items[i].name;
        uint32_t same = first;
        while (same < listed->symbol_count && strcmp(listed->symbols[same].name, name) != 0)
            same++;
        numbering->section[i] = *name ? same : GPUCODE_NONE;
        if (*name && same == listed->symbol_count)
            listed->symbols[listed->symbol_count++] = (struct gpucode_source_symbol){
                .kind = GPUCODE_SOURCE_SECTION, .name = name, .parent_symbol = GPUCODE_NONE, .unit = GPUCODE_NONE};
    }
}

static bool list_macros(struct asm_context *context, struct arena *arena, struct numbering *numbering,
                        struct asm_listed *listed)
{
    for (size_t i = 0; i < context->macros.count; i++) {
        const struct asm_macro *macro = &context->macros.items[i];
        uint32_t number = numbering->macro[i] = listed->symbol_count++;
        struct gpucode_source_symbol *out = &listed->symbols[number];
        const char *name = arena_copy(arena, macro->name, macro->name_length), *body = macro->body;
        const struct asm_source *source = macro->source;
        size_t length = (size_t)(macro->body_end - body);
        if (!name)
            return false;
        asm_record_origin(&source, &body, &length);
        *out = (struct gpucode_source_symbol){.kind = GPUCODE_SOURCE_MACRO,
                                              .name = name,
                                              .parent_symbol = GPUCODE_NONE,
                                              .unit = GPUCODE_NONE,
                                              .body = {(size_t)(body - source->text), length},
                                              .parameters = macro->parameter_count};
        for (unsigned p = 0; p < macro->parameter_count; p++)
            listed->symbols[listed->symbol_count++] = (struct gpucode_source_symbol){.kind = GPUCODE_SOURCE_PARAMETER,
                                                                                     .name = macro->parameters[p],
                                                                                     .parent = name,
                                                                                     .parent_symbol = number,
                                                                                     .unit = GPUCODE_NONE};
    }
    return true;
}

static bool list_symbols(struct asm_context *context, struct arena *arena, struct numbering *numbering,
                         struct asm_listed *listed)
{
    size_t count = context->symbols.count + context->sections.count;
    for (size_t i = 0; i < context->macros.count; i++)
        count += 1 + context->macros.items[i].parameter_count;
    listed->symbols = arena_array(arena, count + 1, sizeof *listed->symbols);
    numbering->section = arena_array(arena, context->sections.count + 1, sizeof *numbering->section);
    numbering->macro = arena_array(arena, context->macros.count + 1, sizeof *numbering->macro);
    if (!listed->symbols || !numbering->section || !numbering->macro)
        return false;
    list_sections(context, numbering, listed);
    uint32_t behind = listed->symbol_count;
    listed->symbol_count = 0;
    list_labels(context, numbering, listed);
    listed->symbol_count = behind;
    if (!list_macros(context, arena, numbering, listed))
        return false;
    for (uint32_t i = 0; i < listed->symbol_count; i++)
        listed->symbols[i].definition = listed->symbols[i].first = GPUCODE_NONE;
    return true;
}

/* --- which symbol a word means ---------------------------------------------------------------------------- */

static uint32_t symbol_number(const struct asm_context *context, const struct asm_symbol *symbol)
{
    return symbol ? (uint32_t)(symbol - context->symbols.items) : GPUCODE_NONE;
}

static uint32_t find_section(const struct asm_context *context, const struct numbering *numbering, const char *name,
                             size_t length)
{
    for (size_t i = 0; i < context->sections.count; i++)
        if (strlen(context->sections.items[i].name) == length &&
            memcmp(context->sections.items[i].name, name, length) == 0)
            return numbering->section[i];
    return GPUCODE_NONE;
}

static uint32_t find_parameter(const struct asm_context *context, const struct numbering *numbering,
                               const struct asm_word *word)
{
    if (word->number >= context->macros.count)
        return GPUCODE_NONE;
    const struct asm_macro *macro = &context->macros.items[word->number];
    for (unsigned i = 0; i < macro->parameter_count; i++)
        if (strlen(macro->parameters[i]) == word->length && memcmp(macro->parameters[i], word->at, word->length) == 0)
            return numbering->macro[word->number] + 1 + i;
    return GPUCODE_NONE;
}

static uint32_t find_symbol(const struct asm_context *context, const struct numbering *numbering,
                            const struct asm_word *word)
{
    const struct asm_symbol *symbol;
    const struct asm_macro *macro;
    switch ((enum gpucode_token_kind)word->kind) {
    case GPUCODE_TOKEN_LABEL:
        if (word->number && word->number <= context->symbols.count)
            return word->number - 1;
        return symbol_number(context, asm_find(context, word->at, word->length, word->section));
    case GPUCODE_TOKEN_USE:
        symbol = asm_find(context, word->at, word->length, word->section);
        if (!symbol)
            symbol = asm_find(context, word->at, word->length, ASM_CONSTANT);
        return symbol_number(context, symbol);
    case GPUCODE_TOKEN_CONSTANT:
        return symbol_number(context, asm_find(context, word->at, word->length, ASM_CONSTANT));
    case GPUCODE_TOKEN_SECTION:
        return find_section(context, numbering, word->at, word->length);
    case GPUCODE_TOKEN_MACRO:
        macro = asm_find_macro(context, word->at, word->length);
        return macro ? numbering->macro[macro - context->macros.items] : GPUCODE_NONE;
    case GPUCODE_TOKEN_MACRO_NAME:
        return word->number < context->macros.count ? numbering->macro[word->number] : GPUCODE_NONE;
    case GPUCODE_TOKEN_PARAMETER:
        return find_parameter(context, numbering, word);
    default:
        return GPUCODE_NONE;
    }
}

/* --- words ----------------------------------------------------------------------------------------------- */

static bool defines(const struct asm_context *context, const struct asm_word *word)
{
    const struct asm_macro *macro = word->kind == GPUCODE_TOKEN_PARAMETER && word->number < context->macros.count
                                        ? &context->macros.items[word->number]
                                        : NULL;
    return word->kind == GPUCODE_TOKEN_LABEL || word->kind == GPUCODE_TOKEN_CONSTANT ||
           word->kind == GPUCODE_TOKEN_MACRO_NAME ||
           (word->kind == GPUCODE_TOKEN_SECTION && word->at[word->length] != ':') || (macro && word->at < macro->body);
}

static void add_word(const struct asm_context *context, const struct numbering *numbering, struct asm_listed *listed,
                     const struct asm_word *word)
{
    const struct asm_source *source = word->source;
    const char *at = word->at;
    size_t length = word->length;
    struct gpucode_word out = {.kind = word->kind,
                               .symbol = find_symbol(context, numbering, word),
                               .next = GPUCODE_NONE,
                               .expanded = source->is_macro,
                               .unit = word->unit,
                               .operand = word->operand,
                               .row = GPUCODE_NONE,
                               .space = word->space,
                               .type = word->type};
    out.defines = out.symbol != GPUCODE_NONE && defines(context, word);
    out.part = !asm_record_origin(&source, &at, &length);
    if (out.part && out.symbol == GPUCODE_NONE)
        return;
    /* the symbol's name may be made by a directive */
    out.part |= out.defines && (strlen(listed->symbols[out.symbol].name) != length ||
                                memcmp(listed->symbols[out.symbol].name, at, length) != 0);
    out.file = source->file_number;
    out.span = (struct gpucode_span){(size_t)(at - source->text), length};
    if (out.kind == GPUCODE_TOKEN_NAME)
        out.number = word->number;
    if (out.kind == GPUCODE_TOKEN_MNEMONIC)
        out.row = word->number;
    int64_t number;
    if (out.kind == GPUCODE_TOKEN_USE && out.symbol == GPUCODE_NONE &&
        (word->at == word->source->text || word->at[-1] != '#') &&
        isa_register_value(&context->scan, word->at, word->length, &number)) {
        out.kind = GPUCODE_TOKEN_NAME;
        out.space = GPUCODE_SPACE_GPU;
        out.number = (uint32_t)number;
    }
    listed->words[listed->word_count++] = out;
}

/* "BV:name" is two words. */
static void add_words(const struct asm_context *context, const struct numbering *numbering, struct asm_listed *listed,
                      const struct asm_word *word)
{
    const char *colon = word->kind == GPUCODE_TOKEN_USE ? memchr(word->at, ':', word->length) : NULL;
    if (!colon) {
        add_word(context, numbering, listed, word);
        return;
    }
    struct asm_word part = *word;
    part.kind = GPUCODE_TOKEN_SECTION;
    part.length = (uint32_t)(colon - word->at);
    add_word(context, numbering, listed, &part);
    uint32_t first = listed->word_count;
    add_word(context, numbering, listed, word);
    if (listed->word_count == first)
        return;
    size_t cut = part.length + 1;
    cut += word->at[cut] == ':';
    struct gpucode_word *label = &listed->words[first];
    if (label->span.length > cut) {
        label->span.offset += cut;
        label->span.length -= cut;
    }
}

/* By file and place, longer ones first, a definition in front of its like. */
static int compare_words(const void *left, const void *right)
{
    const struct gpucode_word *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->span.offset != b->span.offset)
        return a->span.offset < b->span.offset ? -1 : 1;
    if (a->span.length != b->span.length)
        return a->span.length > b->span.length ? -1 : 1;
    if (a->kind != b->kind) { /* what an operand consists of stands after it */
        if (a->kind == GPUCODE_TOKEN_OPERAND || b->kind == GPUCODE_TOKEN_OPERAND)
            return a->kind == GPUCODE_TOKEN_OPERAND ? -1 : 1;
        return a->kind < b->kind ? -1 : 1;
    }
    return (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

/* Words that are out of order by a few places are put right; false: others are not. */
static bool sort_nearly(struct asm_listed *listed)
{
    struct gpucode_word *words = listed->words;
    for (uint32_t i = 1; i < listed->word_count; i++) {
        uint32_t at = i;
        while (at && i - at < 16 && compare_words(&words[at - 1], &words[i]) > 0)
            at--;
        if (at && compare_words(&words[at - 1], &words[i]) > 0)
            return false;
        if (at == i)
            continue;
        struct gpucode_word word = words[i];
        memmove(&words[at + 1], &words[at], (i - at) * sizeof *words);
        words[at] = word;
    }
    return true;
}

/* Most words come in order; sorting is for those of macros and included files. */
static void sort_words(struct asm_listed *listed)
{
    if (!sort_nearly(listed))
        qsort(listed->words, listed->word_count, sizeof *listed->words, compare_words);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < listed->word_count; i++)
        if (!kept || compare_words(&listed->words[i], &listed->words[kept - 1]) != 0)
            listed->words[kept++] = listed->words[i];
    listed->word_count = kept;
}

/* A name that was read as a whole is not a use of what its beginning would mean. */
static bool is_shadowed(const struct asm_listed *listed, uint32_t i)
{
    const struct gpucode_word *word = &listed->words[i];
    if ((word->kind != GPUCODE_TOKEN_USE && word->kind != GPUCODE_TOKEN_NAME) || word->symbol != GPUCODE_NONE || !i)
        return false;
    const struct gpucode_word *before = &listed->words[i - 1];
    return before->kind == GPUCODE_TOKEN_NAME && before->file == word->file && before->span.offset == word->span.offset;
}

static void join_words(struct asm_listed *listed)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < listed->word_count; i++)
        if (!is_shadowed(listed, i))
            listed->words[kept++] = listed->words[i];
    listed->word_count = kept;
    for (uint32_t i = listed->word_count; i--;) {
        struct gpucode_word *word = &listed->words[i];
        if (word->symbol == GPUCODE_NONE)
            continue;
        struct gpucode_source_symbol *symbol = &listed->symbols[word->symbol];
        word->next = symbol->first;
        symbol->first = i;
        if (word->defines)
            symbol->definition = i;
    }
    for (uint32_t i = 0; i < listed->word_count; i++) {
        struct asm_listed_file *file = &listed->files[listed->words[i].file];
        if (!file->word_count)
            file->first_word = i;
        file->word_count++;
    }
}

/* Comments were kept apart; both lists come in nearly the order of the text. */
static void merge_words(const struct asm_context *context, const struct numbering *numbering, struct asm_listed *listed)
{
    const struct asm_record *record = context->record;
    size_t comment = 0;
    for (size_t i = 0; i <= record->words.count; i++) {
        const struct asm_word *word = i < record->words.count ? &record->words.items[i] : NULL;
        while (comment < record->comments.count && (!word || (record->comments.items[comment].source == word->source &&
                                                              record->comments.items[comment].at < word->at)))
            add_words(context, numbering, listed, &record->comments.items[comment++]);
        if (word)
            add_words(context, numbering, listed, word);
    }
}

bool asm_list_words(struct asm_context *context, struct arena *arena, struct asm_listed *listed)
{
    struct numbering numbering = {0};
    const struct asm_record *record = context->record;
    if (!context->isa) { /* no target: nothing was read */
        listed->words = arena_array(arena, 1, sizeof *listed->words);
        listed->symbols = arena_array(arena, 1, sizeof *listed->symbols);
        return listed->words && listed->symbols;
    }
    size_t count = record->comments.count + record->words.count;
    for (size_t i = 0; i < record->words.count; i++)
        count += record->words.items[i].kind == GPUCODE_TOKEN_USE; /* which may become two */
    if (count >= GPUCODE_NONE || !list_symbols(context, arena, &numbering, listed))
        return false;
    listed->words = arena_array(arena, count + 1, sizeof *listed->words);
    if (!listed->words)
        return false;
    merge_words(context, &numbering, listed);
    sort_words(listed);
    join_words(listed);
    return true;
}
