/* SPDX-License-Identifier: MIT */
/* Words, statements, texts and diagnostics of a source, as they come. */
#include "asm/record.h"
#include "asm/context.h"

#include <stdlib.h>
#include <string.h>

/* A few lines can expand to hundreds of megabytes; of so much nobody wants to know each word's place. */
#define EXPANDED_WORDS_MAX ((size_t)4 << 20)
#define PIECES_MAX ((size_t)4 << 20)

static bool record_push(struct asm_context *context, struct asm_word word)
{
    struct asm_record *record = context->record;
    if (context->source->is_macro && record->words.count >= EXPANDED_WORDS_MAX)
        return true;
    word.source = context->source;
    word.section = context->sections.count ? asm_section_number(context) : 0;
    return ASM_PUSH(context, record->words, word);
}

void asm_record_word(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length)
{
    if (context->record && context->isa)
        record_push(context,
                    (struct asm_word){
                        .kind = (uint8_t)kind, .at = at, .length = (uint32_t)length, .unit = asm_token_unit(context)});
}

static void asm_record_comment(struct asm_context *context, const char *start, const char *end)
{
    struct asm_record *record = context->record;
    const struct asm_source *source = context->source;
    if (!record || start < source->text || start > source->text + source->length)
        return;
    end -= end > start && end[-1] == '\r';
    const struct asm_word *last = record->comments.count ? &record->comments.items[record->comments.count - 1] : NULL;
    if (!last || last->source != source || last->at < start)
        ASM_PUSH(context, record->comments,
                 (struct asm_word){.kind = GPUCODE_TOKEN_COMMENT,
                                   .at = start,
                                   .length = (uint32_t)(end - start),
                                   .source = source,
                                   .unit = asm_token_unit(context)});
}

size_t asm_record_mark(const struct asm_context *context)
{
    return context->record ? context->record->words.count : 0;
}

void asm_record_words(struct asm_context *context, size_t mark, enum gpucode_token_kind kind, const char *at,
                      size_t length, uint32_t number)
{
    asm_record_word(context, kind, at, length);
    for (size_t i = mark; context->record && i < context->record->words.count; i++)
        context->record->words.items[i].number = number;
}

void asm_record_statement(struct asm_context *context)
{
    struct asm_record *record = context->record;
    if (!record)
        return;
    record->first_word = record->words.count;
    if (!context->source->is_macro)
        ASM_PUSH(context, record->starts, (struct asm_start){context->source, context->statement});
}

/* --- instructions ---------------------------------------------------------------------------------------- */

static void listen_name(void *user, enum gpucode_space space, const char *at, size_t length, uint32_t number)
{
    struct asm_context *context = user;
    record_push(context, (struct asm_word){.kind = GPUCODE_TOKEN_NAME,
                                           .space = (uint8_t)space,
                                           .at = at,
                                           .length = (uint32_t)length,
                                           .unit = asm_token_unit(context),
                                           .number = number});
}

static void listen_number(void *user, const char *at, size_t length)
{
    asm_record_word(user, GPUCODE_TOKEN_NUMBER, at, length);
}

/* What a row that did not fit has read is forgotten. */
static void listen_retry(void *user)
{
    struct asm_context *context = user;
    context->record->words.count = context->record->first_word;
}

const struct isa_listener asm_record_listener = {.name = listen_name, .number = listen_number, .retry = listen_retry};

/* By place, and what is longer in front. */
static bool goes_before(const struct asm_word *a, const struct asm_word *b)
{
    return a->at != b->at ? a->at < b->at : a->length > b->length;
}

/* The words of a statement come nearly in order. */
static void sort_statement(struct asm_record *record)
{
    struct asm_word *words = record->words.items;
    for (size_t i = record->first_word + 1; i < record->words.count; i++) {
        struct asm_word word = words[i];
        size_t at = i;
        for (; at > record->first_word && goes_before(&word, &words[at - 1]); at--)
            words[at] = words[at - 1];
        words[at] = word;
    }
}

void asm_record_insn(struct asm_context *context, const struct isa_build *build)
{
    if (!context->record || !context->pieces.mnemonic)
        return;
    uint32_t unit = asm_token_unit(context);
    struct asm_word word = {.kind = GPUCODE_TOKEN_MNEMONIC,
                            .at = context->pieces.mnemonic,
                            .length = (uint32_t)context->pieces.mnemonic_length,
                            .unit = unit,
                            .number = GPUCODE_NONE};
    if (build)
        word.number = (uint32_t)(build->row - context->isa->text.rows->rows);
    record_push(context, word);
    uint8_t operand = 0;
    for (unsigned i = 0; build && i < context->pieces.count; i++) {
        const struct isa_word *piece = &context->pieces.list[i];
        const struct isa_operand_class *kind = &context->isa->text.operand_classes[piece->field->kind];
        const char *start;
        size_t length;
        enum gpucode_token_kind what = asm_operand_span(context, piece, &start, &length);
        bool flag = what == GPUCODE_TOKEN_FLAG;
        if (length)
            record_push(context, (struct asm_word){.kind = (uint8_t)what,
                                                   .at = start,
                                                   .length = (uint32_t)length,
                                                   .unit = unit,
                                                   .operand = flag ? 0 : operand,
                                                   .type = kind->type,
                                                   .space = kind->space});
        operand = (uint8_t)(operand + (!flag && asm_is_operand(context, piece)));
    }
    sort_statement(context->record);
}

void asm_record_own(struct asm_context *context, const char *start, uint32_t unit)
{
    if (!context->record)
        return;
    const char *end = context->scan.at;
    bool directive = *start == '.';
    if (directive)
        for (end = start + 1; end < context->scan.at && isa_name_byte(*end);)
            end++;
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    enum gpucode_token_kind kind = directive ? GPUCODE_TOKEN_DIRECTIVE : GPUCODE_TOKEN_STATEMENT;
    record_push(context,
                (struct asm_word){.kind = (uint8_t)kind, .at = start, .length = (uint32_t)(end - start), .unit = unit});
    sort_statement(context->record);
}

/* --- texts ----------------------------------------------------------------------------------------------- */

void asm_record_file(struct asm_context *context, struct asm_source *source, const char *at, size_t length)
{
    struct asm_record *record = context->record;
    if (!record)
        return;
    if (at)
        asm_record_word(context, GPUCODE_TOKEN_FILE, at, length);
    while (source->file_number < record->files.count &&
           strcmp(record->files.items[source->file_number]->file, source->file) != 0)
        source->file_number++;
    if (source->file_number == record->files.count)
        ASM_PUSH(context, record->files, source);
}

void asm_record_body(struct asm_context *context, const struct asm_macro *macro)
{
    if (!context->record)
        return;
    uint32_t number = (uint32_t)context->macros.count;
    for (const char *at = macro->body, *slash;
         at < macro->body_end && (slash = memchr(at, '\\', (size_t)(macro->body_end - at)));) {
        size_t length;
        unsigned parameter = asm_macro_parameter(macro, slash + 1, &length);
        at = slash + 1;
        if (parameter < macro->parameter_count)
            record_push(context, (struct asm_word){.kind = GPUCODE_TOKEN_PARAMETER,
                                                   .at = at,
                                                   .length = (uint32_t)length,
                                                   .unit = asm_token_unit(context),
                                                   .number = number});
    }
}

void asm_record_pieces(struct asm_context *context)
{
    if (context->record)
        context->record->pieces.count = 0;
}

void asm_record_piece(struct asm_context *context, size_t start, const struct asm_source *from, const char *at)
{
    if (context->record)
        ASM_PUSH(context, context->record->pieces, (struct asm_piece){start, from, at});
}

void asm_record_expansion(struct asm_context *context, struct asm_source *source)
{
    struct asm_record *record = context->record;
    if (!record || !record->pieces.count || record->pieces.count > PIECES_MAX - record->kept_pieces)
        return; /* without pieces its words are where the macro is used */
    record->kept_pieces += record->pieces.count;
    struct asm_piece *pieces = arena_array(&context->arena, record->pieces.count, sizeof *pieces);
    if (!pieces) {
        context->failed = true;
        return;
    }
    memcpy(pieces, record->pieces.items, record->pieces.count * sizeof *pieces);
    source->pieces = pieces;
    source->piece_count = record->pieces.count;
}

/* The piece that holds an offset of an expansion. */
static const struct asm_piece *find_piece(const struct asm_source *source, size_t offset)
{
    size_t low = 0, high = source->piece_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->pieces[middle].start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &source->pieces[low - 1] : NULL;
}

bool asm_record_origin(const struct asm_source **source, const char **at, size_t *length)
{
    bool whole = true;
    while ((*source)->is_macro) {
        const struct asm_source *expansion = *source;
        size_t offset = (size_t)(*at - expansion->text);
        const struct asm_piece *piece = find_piece(expansion, offset);
        if (!piece || !piece->from) { /* made up: what stands in the body for it, or else the use of the macro */
            whole = false;
            *source = piece ? expansion->macro_source : expansion->parent;
            *at = piece ? piece->at : expansion->parent_at;
            *length = piece ? 2 : 1;
            continue;
        }
        size_t end = piece + 1 < expansion->pieces + expansion->piece_count ? piece[1].start : expansion->length;
        if (*length > end - offset) {
            whole = false;
            *length = end - offset;
        }
        *source = piece->from;
        *at = piece->at + (offset - piece->start);
    }
    return whole;
}

/* --- diagnostics ----------------------------------------------------------------------------------------- */

static const char *keep_text(struct asm_context *context, const char *text)
{
    const char *copy = text ? arena_copy(&context->arena, text, strlen(text)) : NULL;
    context->failed |= text && !copy;
    return copy;
}

void asm_record_report(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct asm_context *context = user;
    struct asm_record *record = context->record;
    ASM_PUSH(context, record->heard,
             (struct asm_heard){.severity = diagnostic->severity,
                                .code = diagnostic->code,
                                .message = keep_text(context, diagnostic->message),
                                .hint = keep_text(context, diagnostic->hint),
                                .replacement = keep_text(context, record->place.fix),
                                .source = record->place_source,
                                .at = record->place.at,
                                .span = diagnostic->length,
                                .fix_at = record->place.fix_at,
                                .fix_span = record->place.fix_span});
    if (record->on_diagnostic.report)
        record->on_diagnostic.report(record->on_diagnostic.user, diagnostic);
}

/* What the words of a source are, for editors and for messages about what stands in a line. */

/* The lines of tokens are found in the order of the text, from the token before. */
static struct asm_place find_place(const struct asm_context *context, const struct asm_source *source, const char *at)
{
    struct asm_place place = {0};
    if (context->tokens.count)
        place = context->tokens.items[context->tokens.count - 1].place;
    asm_find_line(&place, source, at);
    return place;
}

static void push_at_unit(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length,
                         unsigned operand, uint32_t unit)
{
    struct asm_place place =
        find_place(context, context->source, at); /* before the array grows: it looks at the last one */
    ASM_PUSH(context, context->tokens, (struct asm_token){kind, at, (uint32_t)length, unit, operand, place});
}

/*
 * Comments become tokens when the next token does: reading looks past them before it is sure of what stands in front
 * of them, and tokens that come in the order of the text are found without counting lines from its start.
 */
static void push_comments(struct asm_context *context, const char *before, uint32_t unit)
{
    size_t taken = 0;
    for (; taken < context->comments.count; taken++) {
        const struct asm_comment *comment = &context->comments.items[taken];
        if (before && comment->source == context->source && comment->start >= before)
            break;
        const char *end = comment->end;
        end -= end > comment->start && end[-1] == '\r';
        struct asm_place place = find_place(context, comment->source, comment->start);
        ASM_PUSH(context, context->tokens,
                 (struct asm_token){GPUCODE_TOKEN_COMMENT, comment->start, (uint32_t)(end - comment->start), unit, 0,
                                    place});
    }
    context->comments.count -= taken;
    if (taken && context->comments.count)
        memmove(context->comments.items, context->comments.items + taken,
                context->comments.count * sizeof *context->comments.items);
}

static void push_token(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length,
                       unsigned operand)
{
    uint32_t unit = asm_token_unit(context);
    push_comments(context, at, unit);
    push_at_unit(context, kind, at, length, operand, unit);
}

void asm_keep_comment(void *user, const char *start, const char *end)
{
    struct asm_context *context = user;
    const struct asm_source *source = context->source;
    asm_record_comment(context, start, end);
    if (!context->options->record_tokens || source->is_macro || start < source->text ||
        start > source->text + source->length)
        return;
    bool same = context->comment_at >= source->text && context->comment_at <= source->text + source->length;
    if (same && start <= context->comment_at)
        return;
    context->comment_at = start;
    ASM_PUSH(context, context->comments, (struct asm_comment){source, start, end});
}

void asm_keep_last_comments(struct asm_context *context)
{
    if (context->options->record_tokens)
        push_comments(context, NULL, asm_token_unit(context));
}

void asm_keep_token(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length)
{
    if (context->options->record_tokens && !context->source->is_macro)
        push_token(context, kind, at, length, 0);
}

static int compare_tokens(const void *left, const void *right)
{
    const struct asm_token *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (b->kind == GPUCODE_TOKEN_OPERAND) - (a->kind == GPUCODE_TOKEN_OPERAND);
}

static void push_operand(struct asm_context *context, const struct isa_word *piece, unsigned *operand)
{
    const char *start;
    size_t length;
    enum gpucode_token_kind kind = asm_operand_span(context, piece, &start, &length);
    bool flag = kind == GPUCODE_TOKEN_FLAG;
    if (length)
        push_token(context, kind, start, length, flag ? 0 : *operand);
    *operand += !flag && asm_is_operand(context, piece);
}

/* Brings the tokens of a statement, from number `first` on, into their order. */
static void sort_tokens(struct asm_context *context, size_t first)
{
    if (context->failed)
        return;
    /* rows that were tried in vain have looked names up as well */
    struct asm_token *tokens = context->tokens.items;
    qsort(tokens + first, context->tokens.count - first, sizeof *tokens, compare_tokens);
    size_t kept = first;
    for (size_t i = first; i < context->tokens.count; i++)
        if (kept == first || tokens[i].at != tokens[kept - 1].at || tokens[i].kind != tokens[kept - 1].kind)
            tokens[kept++] = tokens[i];
    context->tokens.count = kept;
}

void asm_keep_insn(struct asm_context *context, size_t first)
{
    if (!context->options->record_tokens || context->source->is_macro)
        return;
    unsigned operand = 0;
    push_token(context, GPUCODE_TOKEN_MNEMONIC, context->pieces.mnemonic, context->pieces.mnemonic_length, 0);
    for (unsigned i = 0; i < context->pieces.count; i++)
        push_operand(context, &context->pieces.list[i], &operand);
    sort_tokens(context, first);
}

void asm_keep_statement(struct asm_context *context, size_t first, const char *start, uint32_t unit)
{
    if (!context->options->record_tokens || context->source->is_macro)
        return;
    const char *end = context->scan.at;
    bool directive = *start == '.';
    if (directive) {
        end = start + 1;
        while (end < context->scan.at && isa_name_byte(*end))
            end++;
    }
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    push_comments(context, start, unit);
    push_at_unit(context, directive ? GPUCODE_TOKEN_DIRECTIVE : GPUCODE_TOKEN_STATEMENT, start, (size_t)(end - start),
                 0, unit);
    sort_tokens(context, first);
}
