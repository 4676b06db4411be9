/* SPDX-License-Identifier: MIT */
/* What may stand here: the rows that agree with the statement so far say it. */
#include "lsp/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX 3000

/* Kinds of items that the protocol has. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_MODULE = 9,
    ITEM_KEYWORD = 14,
    ITEM_FILE = 17,
    ITEM_CONSTANT = 21,
    ITEM_EVENT = 23,
    ITEM_OPERATOR = 24
};

struct offer {
    struct lsp *lsp;
    const struct view *view;
    json_t *items;
    struct gpucode_span partial; /* the word being written */
    bool values;                 /* constants, labels and registers by name have been offered */
    bool more;                   /* there are more than these */
};

static json_t *add_item(struct offer *offer, const char *label, int kind, const char *detail)
{
    const char *typed = offer->view->text->bytes + offer->partial.offset;
    size_t length = offer->partial.length;
    /* what cannot match any more is left out, which keeps answers short */
    bool marked = length && strchr("@%$#|(.\\", *typed);
    size_t skip = marked && *typed != *label ? 1 : 0;
    if (length > skip && (label[0] | 32) != (typed[skip] | 32))
        return NULL;
    if (json_array_size(offer->items) >= ITEMS_MAX) {
        offer->more = true;
        return NULL;
    }
    json_t *item = json_pack("{s:o, s:i, s:{s:o, s:o}}", "label", json_of_bytes(label, strlen(label)), "kind", kind,
                             "textEdit", "range", text_range(offer->lsp, offer->view->text, offer->partial), "newText",
                             json_of_bytes(label, strlen(label)));
    if (detail && *detail)
        json_object_set_new(item, "detail", json_of_bytes(detail, strlen(detail)));
    json_array_append_new(offer->items, item);
    return item;
}

static void offer_mnemonics(struct offer *offer)
{
    struct gpucode_row row, other;
    char form[512];
    for (uint32_t i = 0; gpucode_row(offer->view->target, i, &row); i++) {
        if (!gpucode_row_on_target(offer->view->target, i))
            continue;
        bool again = false;
        for (uint32_t before = i; before-- && !again && i - before < 64;)
            again = gpucode_row(offer->view->target, before, &other) && strcmp(other.mnemonic, row.mnemonic) == 0 &&
                    gpucode_row_on_target(offer->view->target, before);
        if (again || !*row.mnemonic)
            continue;
        row_form(offer->view->target, i, form, sizeof form, NULL, NULL);
        json_t *item = add_item(offer, row.mnemonic, ITEM_KEYWORD, form);
        if (item)
            json_object_set_new(item, "documentation", markup_of(offer->lsp, row.doc));
    }
}

static void offer_directives(struct offer *offer)
{
    struct gpucode_directive directive;
    for (unsigned i = 0; gpucode_directive_at(offer->view->target, i, &directive); i++) {
        json_t *item = add_item(offer, directive.name, ITEM_KEYWORD, directive.operands);
        if (item)
            json_object_set_new(item, "documentation", json_string(directive.doc));
    }
}

/* Symbols of a kind, with a mark in front. Labels of other sections are written with their section. */
static void offer_symbols(struct offer *offer, enum gpucode_source_symbol_kind kind, const char *mark, int item_kind)
{
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(offer->view->source, &count);
    for (uint32_t i = 0; i < count; i++) {
        char label[256], detail[64] = "";
        if (symbols[i].kind != kind)
            continue;
        if (kind == GPUCODE_SOURCE_CONSTANT)
            snprintf(detail, sizeof detail, "= 0x%" PRIx64, (uint64_t)symbols[i].value);
        else if (kind == GPUCODE_SOURCE_LABEL)
            snprintf(detail, sizeof detail, "%.30s+0x%" PRIx64, symbols[i].parent ? symbols[i].parent : "",
                     (uint64_t)symbols[i].value);
        snprintf(label, sizeof label, "%s%s", mark, symbols[i].name);
        add_item(offer, label, item_kind, detail);
    }
}

/* Packets whose handlers have not been written yet are names for labels. */
static void offer_packets(struct offer *offer)
{
    char name[GPUCODE_NAME_MAX + 1], detail[32];
    if (!gpucode_target_facts(offer->view->target)->packets)
        return;
    for (uint32_t number = 0; gpucode_name_next(offer->view->target, GPUCODE_SPACE_PACKET, &number); number++) {
        size_t length =
            gpucode_name_of(offer->view->target, NULL, GPUCODE_SPACE_PACKET, number, name, GPUCODE_NAME_MAX);
        if (!length)
            continue;
        snprintf(detail, sizeof detail, "packet 0x%" PRIx32, number);
        strcpy(name + length, ":");
        add_item(offer, name, ITEM_EVENT, detail);
    }
}

/* Of a register of several words the first, of an array the first element. */
static bool is_first(const char *name)
{
    const char *subscript = strchr(name, '[');
    return !strchr(name, '+') &&
           (!subscript || strncmp(subscript, "[0x0]", 5) == 0 || strncmp(subscript, "[0]", 3) == 0);
}

/* Named registers of a space; `mark` is what the text has in front of them. */
static void offer_names(struct offer *offer, enum gpucode_space space, const char *mark)
{
    char name[GPUCODE_NAME_MAX + 2], detail[64];
    size_t before = strlen(mark);
    memcpy(name, mark, before + 1);
    for (uint32_t number = 0; gpucode_name_next(offer->view->target, space, &number); number++) {
        if (!gpucode_name_of(offer->view->target, NULL, space, number, name + before, GPUCODE_NAME_MAX) ||
            !is_first(name + before))
            continue;
        snprintf(detail, sizeof detail, "%s 0x%" PRIx32, space_title(offer->view->target, space), number);
        add_item(offer, name, ITEM_VARIABLE, detail);
        if (number == UINT32_MAX)
            break;
    }
}

/* The texts that an operand can have, where they are few. */
static void offer_choices(struct offer *offer, const struct gpucode_expected *expected)
{
    char text[GPUCODE_TEXT_MAX], last[GPUCODE_TEXT_MAX] = "";
    for (unsigned i = 0; i < 256; i++) {
        size_t length = gpucode_choice(offer->view->target, expected->row, expected->letter, i, text, sizeof text);
        const char *at = text;
        if (!length)
            break;
        while (*at == ' ' || *at == ',')
            at++;
        if (!*at || strcmp(at, last) == 0)
            continue;
        strcpy(last, at);
        bool there = false; /* another row has offered it */
        const json_t *item;
        size_t k;
        json_array_foreach(offer->items, k, item) there |= strcmp(text_of(item, "label"), at) == 0;
        if (!there)
            add_item(offer, at, expected->type == GPUCODE_OPERAND_REGISTER ? ITEM_VARIABLE : ITEM_OPERATOR,
                     expected->name);
    }
}

/* Constants, labels and registers stand wherever a number may. */
static void offer_values(struct offer *offer)
{
    const char *typed = offer->view->text->bytes + offer->partial.offset;
    size_t length = offer->partial.length;
    if (offer->values)
        return;
    offer->values = true;
    offer_symbols(offer, GPUCODE_SOURCE_CONSTANT, "", ITEM_CONSTANT);
    offer_symbols(offer, GPUCODE_SOURCE_LABEL, "#", ITEM_FUNCTION);
    offer_names(offer, GPUCODE_SPACE_CONTROL, "@");
    offer_names(offer, GPUCODE_SPACE_SQE, "%");
    offer_names(offer, GPUCODE_SPACE_PIPE, "|");
    offer_names(offer, GPUCODE_SPACE_FLAG, "#");
    offer_names(offer, GPUCODE_SPACE_EVENT, "#");
    if (length && *typed >= 'A' && *typed <= 'Z') /* thousands, so not before a letter says which */
        offer_names(offer, GPUCODE_SPACE_GPU, "");
    else
        offer->more = true;
}

static void take_expected(void *user, const struct gpucode_expected *expected)
{
    struct offer *offer = user;
    switch (expected->kind) {
    case GPUCODE_EXPECTED_MNEMONIC:
        offer_mnemonics(offer);
        break;
    case GPUCODE_EXPECTED_OPERAND:
        offer_choices(offer, expected);
        if (expected->type == GPUCODE_OPERAND_TARGET)
            offer_symbols(offer, GPUCODE_SOURCE_LABEL, "#", ITEM_FUNCTION);
        else if (expected->type == GPUCODE_OPERAND_VALUE ||
                 (expected->type == GPUCODE_OPERAND_REGISTER && expected->space != GPUCODE_SPACE_GENERAL))
            offer_values(offer);
        break;
    case GPUCODE_EXPECTED_INSIDE:
        offer_values(offer);
        break;
    default:
        break;
    }
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* What is being written at the place: a word with the mark in front of it. */
static struct gpucode_span partial_word(const struct view *view)
{
    const char *bytes = view->text->bytes;
    size_t start = view->offset, line = view->text->lines[text_line(view->text, view->offset)];
    while (start > line && is_word_byte(bytes[start - 1]))
        start--;
    if (start > line && strchr("@%$#|(\\", bytes[start - 1]))
        start--;
    return (struct gpucode_span){start, view->offset - start};
}

/* Where the statement begins that the place is in, by the assembler; after labels. */
static size_t statement_start(const struct view *view, size_t offset)
{
    struct gpucode_span span;
    size_t line = view->text->lines[text_line(view->text, offset)];
    if (!gpucode_source_statement(view->source, view->file, offset, &span))
        return line;
    size_t start = span.offset < offset && span.offset >= line ? span.offset : line;
    /* the assembler goes on after an error with the next line */
    const char *colon = memchr(view->text->bytes + start, ':', offset - start);
    const struct gpucode_word *word;
    uint32_t at = gpucode_source_word_at(view->source, view->file, start);
    word = at == GPUCODE_NONE ? NULL : &view->words[at];
    if (colon && word && word->kind == GPUCODE_TOKEN_LABEL)
        start = (size_t)(colon - view->text->bytes) + 1;
    return start;
}

/* The directive that a statement begins with, and what follows it. */
static bool offer_for_directive(struct offer *offer, const char *text, size_t length)
{
    while (length && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    if (!length || (*text != '.' && *text != '@'))
        return false;
    size_t word = 1;
    while (word < length && is_word_byte(text[word]))
        word++;
    if (word == length)
        return false;
    const struct gpucode_target *target;
    if (word == 7 && memcmp(text, ".target", 7) == 0)
        for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
            add_item(offer, gpucode_target_name(target), ITEM_MODULE, gpucode_target_description(target));
    else if (word == 8 && memcmp(text, ".section", 8) == 0)
        offer_symbols(offer, GPUCODE_SOURCE_SECTION, "", ITEM_MODULE);
    else if (offer->view->target && !(word == 8 && memcmp(text, ".include", 8) == 0))
        offer_values(offer);
    return true;
}

void answer_completion(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open_at(lsp, params, &view, answer))
        return;
    struct offer offer = {.lsp = lsp, .view = &view, .items = json_array(), .partial = partial_word(&view)};
    size_t start = statement_start(&view, offer.partial.offset);
    const char *text = view.text->bytes + start;
    size_t length = offer.partial.offset - start;
    bool comment = view.word != GPUCODE_NONE && view.words[view.word].kind == GPUCODE_TOKEN_COMMENT;
    bool empty = strspn(text, " \t") >= length;
    char typed = offer.partial.length ? view.text->bytes[offer.partial.offset] : 0;
    if (comment) {
        ;
    } else if (typed == '\\') {
        offer_symbols(&offer, GPUCODE_SOURCE_PARAMETER, "\\", ITEM_VARIABLE);
    } else if (!offer_for_directive(&offer, text, length)) {
        if (empty)
            offer_directives(&offer);
        if (empty && view.target) {
            offer_symbols(&offer, GPUCODE_SOURCE_MACRO, "", ITEM_FUNCTION);
            offer_packets(&offer);
        }
        if (view.target)
            gpucode_expect(view.target, document_names(view.document), text, length, take_expected, &offer);
    }
    answer->result = json_pack("{s:b, s:o}", "isIncomplete", offer.more, "items", offer.items);
}

/* --- signatures ---------------------------------------------------------------------------------------------- */

struct signatures {
    struct lsp *lsp;
    const struct view *view;
    json_t *list;
    unsigned operand;
    uint32_t last;
};

static json_t *signature_of(struct lsp *lsp, const struct gpucode_target *target, uint32_t index)
{
    char form[512];
    size_t parts[2 * GPUCODE_FIELDS_MAX];
    unsigned count;
    struct gpucode_row row;
    row_form(target, index, form, sizeof form, parts, &count);
    json_t *parameters = json_array();
    for (unsigned i = 0; i < count; i++) /* forms are ASCII: bytes are characters */
        json_array_append_new(parameters, json_pack("{s:[i,i]}", "label", (int)parts[2 * i], (int)parts[2 * i + 1]));
    gpucode_row(target, index, &row);
    return json_pack("{s:s, s:o, s:o}", "label", form, "documentation", markup_of(lsp, row.doc), "parameters",
                     parameters);
}

static void take_signature(void *user, const struct gpucode_expected *expected)
{
    struct signatures *signatures = user;
    if (expected->row == GPUCODE_NONE || expected->row == signatures->last)
        return;
    signatures->last = expected->row;
    signatures->operand = expected->operand;
    json_array_append_new(signatures->list, signature_of(signatures->lsp, signatures->view->target, expected->row));
}

void answer_signature(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open_at(lsp, params, &view, answer) || !view.target)
        return;
    struct signatures signatures = {lsp, &view, json_array(), 0, GPUCODE_NONE};
    size_t start = statement_start(&view, view.offset);
    /* the operand that is being written may be complete or not: what counts is where it begins */
    struct gpucode_span partial = partial_word(&view);
    gpucode_expect(view.target, document_names(view.document), view.text->bytes + start,
                   (partial.offset > start ? partial.offset : view.offset) - start, take_signature, &signatures);
    if (!json_array_size(signatures.list)) {
        json_decref(signatures.list);
        return;
    }
    answer->result = json_pack("{s:o, s:i, s:i}", "signatures", signatures.list, "activeSignature", 0,
                               "activeParameter", (int)signatures.operand);
}
