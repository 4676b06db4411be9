/* SPDX-License-Identifier: MIT */
/* Symbols and the image that they are about: which place each of them names, and which name a place has. */
#include "base/text.h"
#include "isa/isa.h"
#include "symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_ENTRIES 128

struct binding {
    struct gpucode_symbols *symbols;
    const struct isa_layout *layout;
    const struct gpucode_image *image;
    struct gpucode_diagnostic_handler on_diagnostic;
    bool wrong;
};

/* Number of a section by its name, `*` and `-` for the first; NO_SECTION when there is none. */
#define NO_SECTION UINT32_MAX

static uint32_t section_of(const struct gpucode_image_info *info, const char *name)
{
    uint32_t section = 0;
    if (strcmp(name, "*") == 0 || strcmp(name, "-") == 0)
        return 0;
    while (section < info->section_count && strcmp(info->sections[section].name, name) != 0)
        section++;
    return section < info->section_count ? section : NO_SECTION;
}

/* Is it the mnemonic of an instruction? */
static bool is_mnemonic(const struct isa *isa, const char *name)
{
    for (unsigned i = 0; isa->text.rows && i < isa->text.rows->mnemonic_count; i++)
        if (strcmp(isa->text.rows->mnemonics[i].text, name) == 0)
            return true;
    return false;
}

/* May the symbol stand there? Otherwise it has been reported. Labels of an assembled program need no check. */
static bool check_place(struct binding *binding, const struct symbol *symbol, unsigned section, uint32_t size)
{
    const struct gpucode_label *label = &symbol->label;
    const struct isa *isa = binding->symbols->target->isa;
    const struct gpucode_image_info *info = &binding->layout->info;
    if (label->value > size) {
        const char *name = info->section_count > 1 ? info->sections[section].name : "the code";
        symbols_report(symbol, &binding->on_diagnostic, MSG_SYMBOL_OUTSIDE, NULL, (unsigned long long)label->value,
                       name, " has ", (unsigned long long)size);
        return false;
    }
    size_t length = strlen(label->name);
    if (isa->text.label_use && isa->text.label_use(binding->layout, section, (uint32_t)label->value,
                                                   &binding->symbols->names, label->name, length) == ISA_LABEL_OTHER) {
        symbols_report(symbol, &binding->on_diagnostic, MSG_SYMBOL_LISTING, NULL, label->name,
                       (unsigned long long)label->value);
        return false;
    }
    if (is_mnemonic(isa, label->name))
        symbols_report(symbol, &binding->on_diagnostic, MSG_SYMBOL_MNEMONIC, NULL, label->name);
    return true;
}

static void place_symbol(struct binding *binding, uint32_t index)
{
    struct gpucode_symbols *symbols = binding->symbols;
    const struct symbol *symbol = &symbols->symbols[index];
    const struct gpucode_image_info *info = &binding->layout->info;
    uint32_t section = section_of(info, symbol->label.section), unit = (uint32_t)symbol->label.value;
    if (section == NO_SECTION && !symbol->text && info->section_count <= 1) { /* files of the set know no sections */
        section = 0;
        unit = symbol->unit;
    }
    if (section == NO_SECTION) {
        if (symbol->text)
            symbols_report(symbol, &binding->on_diagnostic, MSG_SYMBOL_SECTION, NULL, symbol->label.section);
        binding->wrong |= symbol->text != NULL;
        return;
    }
    uint32_t size = info->section_count ? info->sections[section].size : info->units;
    if (symbol->text && !check_place(binding, symbol, section, size)) {
        binding->wrong = true;
        return;
    }
    /* maps have labels after the last unit, and those that listings make up */
    const struct isa *isa = symbols->target->isa;
    if (unit >= size ||
        (isa->text.label_use && isa->text.label_use(binding->layout, section, unit, &symbols->names, symbol->label.name,
                                                    strlen(symbol->label.name)) != ISA_LABEL_FREE))
        return;
    symbols->places[symbols->place_count++] = (struct symbol_place){section, unit, index, symbol->text != NULL};
}

static int compare_places(const void *left, const void *right)
{
    const struct symbol_place *a = left, *b = right;
    int order = ORDER(a->section, b->section);
    order = order ? order : ORDER(a->unit, b->unit);
    order = order ? order : ORDER(a->of_file, b->of_file);
    return order ? order : ORDER(a->symbol, b->symbol);
}

/* A place and its name, to find names that stand twice. */
struct named {
    const char *name;
    struct symbol_place place;
};

static int compare_names(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    int order = ORDER(a->place.section, b->place.section);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : ORDER(a->place.symbol, b->place.symbol);
}

/* Drops names that stand twice for one place, and reports those that stand for two. False when out of memory. */
static bool find_duplicates(struct binding *binding)
{
    struct gpucode_symbols *symbols = binding->symbols;
    struct named *list = malloc((symbols->place_count + 1) * sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < symbols->place_count; i++)
        list[i] = (struct named){symbols->symbols[symbols->places[i].symbol].label.name, symbols->places[i]};
    if (symbols->place_count)
        qsort(list, symbols->place_count, sizeof *list, compare_names);
    size_t kept = 0, first = 0;
    for (size_t i = 0; i < symbols->place_count; i++) {
        if (i && list[i].place.section == list[first].place.section && strcmp(list[i].name, list[first].name) == 0) {
            if (list[i].place.unit != list[first].place.unit) {
                const struct symbol *symbol = &symbols->symbols[list[i].place.symbol];
                const struct symbol *other = &symbols->symbols[list[first].place.symbol];
                const struct symbol *told = symbol->text ? symbol : other;
                symbols_report(told, &binding->on_diagnostic, MSG_DUPLICATE, NULL, (int)strlen(told->label.name),
                               told->label.name);
                if (told == symbol && other->text)
                    symbols_report(other, &binding->on_diagnostic, MSG_FIRST_DEFINED, NULL);
                binding->wrong = true;
            }
            continue;
        }
        first = i;
        symbols->places[kept++] = list[i].place;
    }
    symbols->place_count = kept;
    free(list);
    return true;
}

/* Handlers of exactly one packet; a handler that several packets share gets none of their names. */
static void find_handlers(struct binding *binding)
{
    struct gpucode_symbols *symbols = binding->symbols;
    uint32_t handlers[TABLE_ENTRIES];
    for (unsigned section = 0; section < binding->layout->info.section_count; section++) {
        unsigned count = 0;
        while (count < TABLE_ENTRIES && gpucode_image_handler(binding->image, section, count, &handlers[count]))
            count++;
        for (unsigned i = 0; i < count; i++) {
            bool alone = true;
            for (unsigned k = 0; alone && k < count; k++)
                alone = k == i || handlers[k] != handlers[i];
            if (alone)
                symbols->handlers[symbols->handler_count++] =
                    (struct symbol_place){section, handlers[i], SYMBOL_HANDLER + i, false};
        }
    }
    if (symbols->handler_count)
        qsort(symbols->handlers, symbols->handler_count, sizeof *symbols->handlers, compare_places);
}

/* Warns of files whose names are of another image than this one. */
static void check_images(const struct binding *binding)
{
    size_t size;
    const void *bytes = gpucode_image_bytes(binding->image, &size);
    const struct gpucode_symbols *symbols = binding->symbols;
    uint64_t hash = symbols->image_count ? gpucode_bytes_hash(bytes, size) : 0;
    for (size_t i = 0; i < symbols->image_count; i++) {
        const struct symbol_image *image = &symbols->images[i];
        const struct place place = {.file = image->text->file,
                                    .text = image->text->text,
                                    .length = image->text->length,
                                    .at = image->at,
                                    .span = 24};
        if (image->hash != hash && image->hash != symbols->whole)
            report(&binding->on_diagnostic, &place, MSG_SYMBOL_IMAGE,
                   "`gpucode symbols --from OLD --to NEW` carries names over", (unsigned long long)hash);
    }
}

enum gpucode_status gpucode_symbols_bind(struct gpucode_symbols *symbols, const struct gpucode_image *image,
                                         struct gpucode_diagnostic_handler on_diagnostic)
{
    if (!symbols || !image)
        return GPUCODE_ERROR_ARGUMENT;
    struct binding binding = {
        .symbols = symbols, .layout = image_layout(image), .image = image, .on_diagnostic = on_diagnostic};
    free(symbols->places);
    free(symbols->handlers);
    symbols->place_count = symbols->handler_count = 0;
    symbols->places = malloc((symbols->symbol_count + 1) * sizeof *symbols->places);
    symbols->handlers =
        malloc(((size_t)binding.layout->info.section_count * TABLE_ENTRIES + 1) * sizeof *symbols->handlers);
    if (!symbols->places || !symbols->handlers)
        return GPUCODE_ERROR_MEMORY;
    check_images(&binding);
    for (uint32_t i = 0; i < symbols->symbol_count; i++)
        if (symbols->symbols[i].label.kind == GPUCODE_LABEL_CODE)
            place_symbol(&binding, i);
    if (!find_duplicates(&binding))
        return GPUCODE_ERROR_MEMORY;
    if (symbols->place_count)
        qsort(symbols->places, symbols->place_count, sizeof *symbols->places, compare_places);
    find_handlers(&binding);
    return binding.wrong ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}

/* Index of the first place that is not in front of a unit. */
static size_t find_first_place(const struct symbol_place *places, size_t count, unsigned section, uint64_t unit)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct symbol_place *place = &places[middle];
        if (place->section < section || (place->section == section && place->unit < unit))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t copy_name(char *text, size_t size, const char *name)
{
    size_t length = strlen(name);
    if (length > size)
        return 0;
    memcpy(text, name, length);
    return length;
}

size_t gpucode_symbols_label(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    const struct gpucode_symbols *symbols = user;
    if (!symbols || !text)
        return 0;
    size_t at = find_first_place(symbols->places, symbols->place_count, section, unit) + index;
    if (at >= symbols->place_count || symbols->places[at].section != section || symbols->places[at].unit != unit)
        return 0;
    return copy_name(text, size, symbols->symbols[symbols->places[at].symbol].label.name);
}

/* The last place of a section that is not after a unit, the first of its names; null: none. */
static const struct symbol_place *last_place_before(const struct symbol_place *places, size_t count, unsigned section,
                                                    uint64_t unit)
{
    size_t at = find_first_place(places, count, section, unit + 1);
    if (!at || places[at - 1].section != section)
        return NULL;
    return &places[find_first_place(places, count, section, places[at - 1].unit)];
}

size_t gpucode_symbols_near(const struct gpucode_symbols *symbols, unsigned section, uint64_t unit, char *text,
                            size_t size)
{
    if (!symbols || !size)
        return 0;
    char name[GPUCODE_NAME_MAX];
    *text = 0;
    const struct symbol_place *place = last_place_before(symbols->places, symbols->place_count, section, unit);
    const struct symbol_place *handler = last_place_before(symbols->handlers, symbols->handler_count, section, unit);
    if (handler && (!place || handler->unit > place->unit)) {
        uint32_t packet = handler->symbol - SYMBOL_HANDLER;
        if (!gpucode_name_of(symbols->target, &symbols->names, GPUCODE_SPACE_PACKET, packet, name, sizeof name))
            snprintf(name, sizeof name, "UNKN%u", packet);
        place = handler;
    } else if (place) {
        snprintf(name, sizeof name, "%s", symbols->symbols[place->symbol].label.name);
    } else {
        return 0;
    }
    int length = unit == place->unit
                     ? snprintf(text, size, "%s", name)
                     : snprintf(text, size, "%s+0x%llx", name, (unsigned long long)(unit - place->unit));
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

/* A name of memory is taken to go on for so long, unless another one begins. */
#define MEMORY_REACH 0x1000

size_t gpucode_symbols_memory(const struct gpucode_symbols *symbols, uint64_t address, char *text, size_t size)
{
    if (!symbols)
        return 0;
    const struct gpucode_label *best = NULL;
    for (size_t i = 0; i < symbols->symbol_count; i++) {
        const struct gpucode_label *label = &symbols->symbols[i].label;
        if (label->kind == GPUCODE_LABEL_MEMORY && address - (uint64_t)label->value < MEMORY_REACH &&
            (!best || address - (uint64_t)label->value < address - (uint64_t)best->value))
            best = label;
    }
    if (size)
        *text = 0;
    if (!best || !size)
        return 0;
    uint64_t offset = address - (uint64_t)best->value;
    int length = offset ? snprintf(text, size, "%s+0x%llx", best->name, (unsigned long long)offset)
                        : snprintf(text, size, "%s", best->name);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}
