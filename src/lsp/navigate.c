/* SPDX-License-Identifier: MIT */
/* From a name to where it is defined and used. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* From a register to where the same value is written and read, by the ways that control can go. */

/* What is known of a unit: whether the value is there when it begins, or needed there; whether it is one of the places.
 */
enum { LIVE = 1, NEEDED = 2, WRITTEN = 4, READ = 8 };

struct web {
    const struct view *view;
    const struct gpucode_section *section;
    const unsigned char *bytes; /* of the section */
    size_t size;
    unsigned unit_bytes;
    unsigned space; /* the registers: */
    uint32_t number, count;
    /* Of each unit where it may go on, and where it may come from: places in lists, and one more for their ends. */
    uint32_t *after, *before, *after_list, *before_list;
    uint8_t *marks;
    uint32_t *pending; /* units to look at: live ones, and from the end needed ones */
    uint32_t live, needed, room;
};

static bool insn_at(const struct web *web, uint32_t unit, struct gpucode_insn *insn)
{
    size_t at = (size_t)unit * web->unit_bytes;
    return at < web->size &&
           gpucode_decode(web->view->target, web->bytes + at, web->size - at, unit, insn) == GPUCODE_OK;
}

static bool touches(const struct web *web, const struct gpucode_effect *effect)
{
    return effect->kind == GPUCODE_EFFECT_REGISTER && effect->space == web->space &&
           effect->number < web->number + web->count && web->number < effect->number + effect->count;
}

/* What the instruction does with the registers; *all: nothing of what they held is left. */
static unsigned use_at(const struct web *web, uint32_t unit, bool *all)
{
    struct gpucode_insn insn;
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    unsigned use = GPUCODE_USE_NONE,
             count = insn_at(web, unit, &insn) ? gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX) : 0;
    *all = false;
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_effect *effect = &effects[i];
        if (!touches(web, effect))
            continue;
        use |= effect->use;
        *all |= effect->use & GPUCODE_USE_WRITE && effect->known && !effect->maybe && !effect->mask &&
                effect->number <= web->number && effect->number + effect->count >= web->number + web->count;
    }
    return use;
}

/* --- where control goes ------------------------------------------------------------------------------------------- */

struct edges {
    uint32_t (*list)[2];
    size_t count, room;
    bool failed;
};

static void add_edge(struct edges *edges, const struct web *web, uint32_t from, uint32_t to)
{
    if (edges->count == edges->room) {
        size_t room = edges->room ? 2 * edges->room : 256;
        void *list = memory_resize(edges->list, room * sizeof *edges->list);
        edges->failed |= !list;
        if (!list)
            return;
        edges->list = list;
        edges->room = room;
    }
    if (to < web->section->size) {
        edges->list[edges->count][0] = from;
        edges->list[edges->count++][1] = to;
    }
}

static void edges_of_block(struct edges *edges, const struct web *web, const struct gpucode_block *block)
{
    struct gpucode_insn insn;
    for (uint32_t unit = block->start, next; unit < block->end; unit = next) {
        next = unit + (insn_at(web, unit, &insn) && insn.size > web->unit_bytes ? insn.size / web->unit_bytes : 1);
        if (next < block->end)
            add_edge(edges, web, unit, next);
        for (uint32_t i = 0; next >= block->end && i < block->edge_count; i++)
            if (block->edges[i].known)
                add_edge(edges, web, unit, block->edges[i].to);
    }
}

/* Lists by the unit at `side` of the edges; false: out of memory. */
static bool lists_of(const struct edges *edges, uint32_t units, unsigned side, uint32_t **places, uint32_t **list)
{
    *places = memory_zeroed((size_t)units + 2, sizeof **places);
    *list = memory_zeroed(edges->count + 1, sizeof **list);
    for (size_t i = 0; *places && i < edges->count; i++)
        ++(*places)[edges->list[i][side] + 2];
    for (uint32_t unit = 1; *places && unit <= units; unit++)
        (*places)[unit + 1] += (*places)[unit];
    for (size_t i = 0; *places && *list && i < edges->count; i++)
        (*list)[(*places)[edges->list[i][side] + 1]++] = edges->list[i][!side];
    return *places && *list;
}

static bool find_ways(struct web *web, const struct gpucode_analysis *analysis, unsigned section)
{
    struct edges edges = {0};
    const struct gpucode_block *block;
    for (unsigned i = 0; (block = gpucode_analysis_block(analysis, section, i)); i++)
        edges_of_block(&edges, web, block);
    bool good = !edges.failed && lists_of(&edges, web->section->size, 0, &web->after, &web->after_list) &&
                lists_of(&edges, web->section->size, 1, &web->before, &web->before_list);
    free(edges.list);
    return good;
}

/* --- what the value reaches --------------------------------------------------------------------------------------- */

static void set_live(struct web *web, uint32_t unit)
{
    if (web->marks[unit] & LIVE)
        return;
    web->marks[unit] |= LIVE;
    web->pending[web->live++] = unit;
}

static void set_needed(struct web *web, uint32_t unit)
{
    if (web->marks[unit] & NEEDED)
        return;
    web->marks[unit] |= NEEDED;
    web->pending[web->room - ++web->needed] = unit;
}

static void set_read(struct web *web, uint32_t unit)
{
    web->marks[unit] |= READ;
    set_needed(web, unit);
}

static void set_written(struct web *web, uint32_t unit)
{
    if (web->marks[unit] & WRITTEN)
        return;
    web->marks[unit] |= WRITTEN;
    for (uint32_t i = web->after[unit]; i < web->after[unit + 1]; i++)
        set_live(web, web->after_list[i]);
}

static void go_on(struct web *web, uint32_t unit)
{
    bool all;
    unsigned use = use_at(web, unit, &all);
    if (use & GPUCODE_USE_READ)
        set_read(web, unit);
    if (all)
        return;
    if (use & GPUCODE_USE_WRITE) /* a part, or perhaps: what comes after is of both */
        set_written(web, unit);
    for (uint32_t i = web->after[unit]; i < web->after[unit + 1]; i++)
        set_live(web, web->after_list[i]);
}

static void go_back(struct web *web, uint32_t unit)
{
    bool all;
    if (web->before[unit] == web->before[unit + 1])
        set_live(web, unit); /* it came from outside, for others as well */
    for (uint32_t i = web->before[unit]; i < web->before[unit + 1]; i++) {
        uint32_t from = web->before_list[i];
        if (use_at(web, from, &all) & GPUCODE_USE_WRITE)
            set_written(web, from);
        if (!all)
            set_needed(web, from);
    }
}

static void follow(struct web *web, uint32_t unit, unsigned use)
{
    if (use & GPUCODE_USE_READ)
        set_read(web, unit);
    if (use & GPUCODE_USE_WRITE)
        set_written(web, unit);
    while (web->live || web->needed)
        if (web->live)
            go_on(web, web->pending[--web->live]);
        else
            go_back(web, web->pending[web->room - web->needed--]);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* What the instruction does with the register that an operand names; false: it names none that keeps a value. */
static bool effect_of(const struct web *web, const struct gpucode_word *word, struct gpucode_effect *found)
{
    struct gpucode_insn insn;
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    uint32_t unit = word->unit - web->section->start;
    if (word->kind != GPUCODE_TOKEN_OPERAND || word->unit < web->section->start || unit >= web->section->size ||
        !insn_at(web, unit, &insn))
        return false;
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (effects[i].operand == (int)word->operand && effects[i].kind == GPUCODE_EFFECT_REGISTER &&
            effects[i].known && effects[i].count) {
            *found = effects[i];
            return true;
        }
    return false;
}

static bool open_web(struct web *web, const struct view *view, const struct gpucode_word *word, unsigned *section)
{
    const struct gpucode_image *image = document_image(view->document);
    const struct gpucode_image_info *info = image ? gpucode_image_info(image) : NULL;
    size_t size;
    const unsigned char *bytes = image ? gpucode_image_bytes(image, &size) : NULL;
    *web = (struct web){.view = view};
    for (*section = 0; info && *section < info->section_count; ++*section) {
        web->section = &info->sections[*section];
        web->unit_bytes = gpucode_target_unit_bytes(view->target);
        size_t at = info->prefix + (size_t)web->section->start * web->unit_bytes;
        if (word->unit < web->section->start || word->unit - web->section->start >= web->section->size || at > size)
            continue;
        web->bytes = bytes + at;
        web->size = size - at;
        return true;
    }
    return false;
}

/*
 * Calls `take` for each operand that writes or reads the value of the register at the place, by the ways
 * that control can go; for none where no register is there, or one whose reads and writes are not of a value that stays
 * (queues). Calls are taken to leave registers alone.
 */
static void registers_each(const struct view *view,
                           void (*take)(void *user, const struct gpucode_word *word, bool written), void *user)
{
    const struct gpucode_word *word = view->word == GPUCODE_NONE ? NULL : &view->words[view->word];
    const struct gpucode_analysis *analysis = word ? document_blocks(view->document) : NULL;
    struct gpucode_effect effect;
    struct web web;
    unsigned section;
    if (!analysis || !open_web(&web, view, word, &section) || !effect_of(&web, word, &effect))
        return;
    web.space = effect.space;
    web.number = effect.number;
    web.count = effect.count;
    web.room = 2 * web.section->size + 2;
    web.marks = memory_zeroed((size_t)web.section->size + 1, 1);
    web.pending = memory_zeroed(web.room, sizeof *web.pending);
    if (find_ways(&web, analysis, section) && web.marks && web.pending) {
        follow(&web, word->unit - web.section->start, effect.use);
        for (uint32_t i = 0; (word = gpucode_source_word(view->source, i)); i++) {
            if (!effect_of(&web, word, &effect) || !touches(&web, &effect))
                continue;
            unsigned marks = web.marks[word->unit - web.section->start];
            bool written = effect.use & GPUCODE_USE_WRITE && marks & WRITTEN;
            if (written || (effect.use & GPUCODE_USE_READ && marks & READ))
                take(user, word, written);
        }
    }
    free(web.after);
    free(web.before);
    free(web.after_list);
    free(web.before_list);
    free(web.marks);
    free(web.pending);
}

/* Calls `take` for each word of the source that names the same thing; `written`: it is made there. */
static void each_word(const struct view *view, const struct gpucode_word *named,
                      void (*take)(void *user, const struct gpucode_word *word, bool written), void *user)
{
    const struct gpucode_word *word;
    const struct gpucode_source_symbol *symbol = view_symbol(view, named->symbol);
    if (symbol)
        for (uint32_t i = symbol->first; (word = gpucode_source_word(view->source, i)); i = word->next)
            take(user, word, word->defines);
    else
        for (uint32_t i = 0; (word = gpucode_source_word(view->source, i)); i++)
            if (view_same(named, word))
                take(user, word, word->defines);
}

struct places {
    struct lsp *lsp;
    const struct view *view;
    json_t *list;
    bool definitions, uses;
    bool here; /* only this file, as highlights */
};

static void take_place(void *user, const struct gpucode_word *word, bool written)
{
    struct places *places = user;
    if (written ? !places->definitions : !places->uses)
        return;
    if (!places->here)
        json_array_append_new(places->list, view_location(places->lsp, places->view->document, word->file, word->span));
    else if (word->file == places->view->file)
        json_array_append_new(places->list,
                              json_pack("{s:o, s:i}", "range", text_range(places->lsp, places->view->text, word->span),
                                        "kind", written ? 3 : 2)); /* written, read */
}

static void find_places(struct lsp *lsp, const struct view *view, struct places places, struct answer *answer)
{
    const struct gpucode_word *named = view_named(view);
    places.lsp = lsp;
    places.view = view;
    places.list = json_array();
    if (named)
        each_word(view, named, take_place, &places);
    else
        registers_each(view, take_place, &places); /* the same value, not the same letters */
    answer->result = places.list;
    if (!named && !json_array_size(places.list)) {
        json_decref(places.list);
        answer->result = NULL;
    }
}

uint32_t included_file(const struct view *view, const struct gpucode_word *word)
{
    return word->kind == GPUCODE_TOKEN_FILE
               ? document_included(view->document, document_file(view->document, view->file), view_bytes(view, word),
                                   word->span.length)
               : 0;
}

/* An included file leads to its beginning. */
static bool find_file(struct lsp *lsp, const struct view *view, struct answer *answer)
{
    const struct gpucode_word *word = view->word == GPUCODE_NONE ? NULL : &view->words[view->word];
    uint32_t file = word ? included_file(view, word) : 0;
    if (file)
        answer->result = json_pack("[o]", view_location(lsp, view->document, file, (struct gpucode_span){0, 0}));
    return file;
}

/* Names that a symbol file brings are defined there. */
static json_t *find_in_symbols(struct lsp *lsp, const struct view *view, const struct gpucode_word *word)
{
    struct gpucode_label label;
    const char *file;
    size_t offset, length = 0;
    for (unsigned i = 0; gpucode_symbols_at(view->document->symbols, i, &label); i++) {
        if (strlen(label.name) != word->span.length ||
            memcmp(label.name, view_bytes(view, word), word->span.length) != 0 ||
            !gpucode_symbols_origin(view->document->symbols, i, &file, &offset))
            continue;
        char *bytes = document_read(lsp, file, &length), *uri = uri_of_name(lsp, file);
        struct text text;
        json_t *place = NULL;
        if (bytes && uri && offset + word->span.length <= length && text_index(&text, bytes, length)) {
            place = json_pack("[{s:o, s:o}]", "uri", json_of_bytes(uri, strlen(uri)), "range",
                              text_range(lsp, &text, (struct gpucode_span){offset, word->span.length}));
            text_free(&text);
        }
        free(bytes);
        free(uri);
        return place;
    }
    return NULL;
}

void answer_definition(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open_at(lsp, params, &view, answer) || find_file(lsp, &view, answer))
        return;
    const struct gpucode_word *named = view_named(&view);
    if (named && named->kind == GPUCODE_TOKEN_NAME)
        answer->result = find_in_symbols(lsp, &view, named);
    if (!answer->result)
        find_places(lsp, &view, (struct places){.definitions = true}, answer);
}

void answer_declaration(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    answer_definition(lsp, params, answer);
}

void answer_references(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    bool definitions = flag_of(json_object_get(params, "context"), "includeDeclaration");
    if (view_open_at(lsp, params, &view, answer))
        find_places(lsp, &view, (struct places){.definitions = definitions, .uses = true}, answer);
}

void answer_highlight(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (view_open_at(lsp, params, &view, answer))
        find_places(lsp, &view, (struct places){.definitions = true, .uses = true, .here = true}, answer);
}
