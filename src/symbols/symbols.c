/* SPDX-License-Identifier: MIT */
/* Symbols: keeping and finding them. */
#include "symbols/symbols.h"
#include "base/arena.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool symbols_same(const char *text, const char *name, size_t length)
{
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

/* Own names are found by a scan: users name tens of registers, not thousands. */
static size_t name_of(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    const struct gpucode_symbols *symbols = user;
    for (size_t i = 0; i < symbols->register_count; i++) {
        const struct gpucode_label *label = &symbols->symbols[symbols->registers[i]].label;
        size_t length;
        if (label->space == (unsigned)space && label->value == (int64_t)number &&
            (length = strlen(label->name)) <= size) {
            memcpy(text, label->name, length);
            return length;
        }
    }
    return symbols->behind && symbols->behind->name
               ? symbols->behind->name(symbols->behind->user, space, number, text, size)
               : 0;
}

static bool number_of(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number)
{
    const struct gpucode_symbols *symbols = user;
    for (size_t i = 0; i < symbols->register_count; i++) {
        const struct gpucode_label *label = &symbols->symbols[symbols->registers[i]].label;
        if (label->space == (unsigned)space && symbols_same(label->name, name, length)) {
            *number = (uint32_t)label->value;
            return true;
        }
    }
    return symbols->behind && symbols->behind->number &&
           symbols->behind->number(symbols->behind->user, space, name, length, number);
}

enum gpucode_status gpucode_symbols_create(const struct gpucode_target *target, const struct gpucode_names *names,
                                           struct gpucode_symbols **out)
{
    if (!target || !out)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_symbols *symbols = calloc(1, sizeof *symbols);
    *out = symbols;
    if (!symbols)
        return GPUCODE_ERROR_MEMORY;
    symbols->target = target;
    symbols->behind = names;
    symbols->names = (struct gpucode_names){name_of, number_of, symbols};
    return GPUCODE_OK;
}

void gpucode_symbols_free(struct gpucode_symbols *symbols)
{
    if (!symbols)
        return;
    arena_free(&symbols->arena);
    FREE_ALL(symbols->symbols, symbols->registers, symbols->places, symbols->handlers, symbols->lines, symbols->uses,
             symbols->images, symbols);
}

const struct gpucode_names *gpucode_symbols_names(const struct gpucode_symbols *symbols)
{
    return &symbols->names;
}

/* Room for one more item; false when out of memory. */
static bool symbols_grow(void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 64;
    void *grown = reallocarray(*items, more, size);
    if (!grown)
        return false;
    *items = grown;
    *room = more;
    return true;
}

bool symbols_add_label(struct gpucode_symbols *symbols, const struct gpucode_label *label, size_t name_length,
                       size_t extra_length, const struct symbol_text *text, const char *at)
{
    struct symbol copy = {.label = *label, .text = text, .at = at};
    const char *extra = label->section ? label->section : label->text;
    char *extra_copy = extra ? arena_copy(&symbols->arena, extra, extra_length) : NULL;
    copy.label.name = arena_copy(&symbols->arena, label->name, name_length);
    if (label->section)
        copy.label.section = extra_copy;
    else
        copy.label.text = extra_copy;
    if (!copy.label.name || (extra && !extra_copy) ||
        !symbols_grow((void **)&symbols->symbols, symbols->symbol_count, &symbols->symbol_room, sizeof copy) ||
        !symbols_grow((void **)&symbols->registers, symbols->register_count, &symbols->register_room,
                      sizeof *symbols->registers)) {
        symbols->failed = true;
        return false;
    }
    if (label->kind == GPUCODE_LABEL_REGISTER)
        symbols->registers[symbols->register_count++] = (uint32_t)symbols->symbol_count;
    symbols->symbols[symbols->symbol_count++] = copy;
    return true;
}

bool symbols_add_image(struct gpucode_symbols *symbols, const struct symbol_text *text, const char *comment,
                       const char *end)
{
    static const char word[] = "image 0x";
    uint64_t hash;
    while (comment < end && (*comment == ';' || *comment == '#' || *comment == ' '))
        comment++;
    const char *digits = comment + sizeof word - 3, *stop = digits + 18;
    if (end - comment < (ptrdiff_t)(sizeof word - 3 + 18) || memcmp(comment, word, sizeof word - 1) != 0 ||
        text_read_number(digits, stop, &hash) != stop)
        return true;
    if (!symbols_grow((void **)&symbols->images, symbols->image_count, &symbols->image_room, sizeof *symbols->images)) {
        symbols->failed = true;
        return false;
    }
    symbols->images[symbols->image_count++] = (struct symbol_image){hash, text, comment};
    return true;
}

void symbols_report(const struct symbol *symbol, const struct gpucode_diagnostic_handler *on_diagnostic,
                    message_id message, const char *hint, ...)
{
    struct place place = {0};
    if (symbol->text)
        place = (struct place){.file = symbol->text->file,
                               .text = symbol->text->text,
                               .length = symbol->text->length,
                               .at = symbol->at,
                               .span = strlen(symbol->label.name)};
    va_list args;
    va_start(args, hint);
    report_v(on_diagnostic, &place, message, hint, args);
    va_end(args);
}

bool symbols_add_line(struct gpucode_symbols *symbols, uint32_t unit, const char *file, size_t length, unsigned line,
                      bool from_macro, bool given)
{
    /* most lines come from the same file as the line before */
    const char *last = symbols->line_count ? symbols->lines[symbols->line_count - 1].file : NULL;
    bool same = last && file && symbols_same(last, file, length);
    const char *copy = same ? last : file ? arena_copy(&symbols->arena, file, length) : NULL;
    if ((file && !copy) ||
        !symbols_grow((void **)&symbols->lines, symbols->line_count, &symbols->line_room, sizeof *symbols->lines)) {
        symbols->failed = true;
        return false;
    }
    symbols->lines[symbols->line_count++] =
        (struct source_line){.unit = unit, .file = copy, .line = line, .from_macro = from_macro, .given = given};
    return true;
}

bool symbols_add_use(struct gpucode_symbols *symbols, const char *macro, size_t macro_length, const char *file,
                     size_t length, unsigned line)
{
    struct source_line *last = &symbols->lines[symbols->line_count - 1];
    struct source_use use = {.line = line};
    bool same = last->file && symbols_same(last->file, file, length);
    use.macro = arena_copy(&symbols->arena, macro, macro_length);
    use.file = same ? last->file : arena_copy(&symbols->arena, file, length);
    if (!use.macro || !use.file ||
        !symbols_grow((void **)&symbols->uses, symbols->use_count, &symbols->use_room, sizeof *symbols->uses)) {
        symbols->failed = true;
        return false;
    }
    if (!last->use_count++)
        last->first_use = symbols->use_count;
    symbols->uses[symbols->use_count++] = use;
    return true;
}

static int by_unit(const void *left, const void *right)
{
    const struct source_line *a = left, *b = right;
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return a->given - b->given; /* the last of a unit counts */
}

void symbols_sort(struct gpucode_symbols *symbols)
{
    if (symbols->line_count)
        qsort(symbols->lines, symbols->line_count, sizeof *symbols->lines, by_unit);
}

enum gpucode_status gpucode_symbols_add(struct gpucode_symbols *symbols, const struct gpucode_program *program)
{
    if (!symbols || !program)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_symbol symbol;
    symbols->whole = gpucode_program_hash(program);
    for (unsigned i = 0; gpucode_program_symbol(program, i, &symbol); i++) {
        struct gpucode_label label = {
            .kind = symbol.section ? GPUCODE_LABEL_CODE : GPUCODE_LABEL_CONSTANT,
            .name = symbol.name,
            .section = symbol.section && !*symbol.section ? "*" : symbol.section, /* code before any `.section` */
            .value = symbol.value,
        };
        if (symbols_add_label(symbols, &label, strlen(symbol.name), label.section ? strlen(label.section) : 0, NULL,
                              NULL))
            symbols->symbols[symbols->symbol_count - 1].unit = symbol.unit;
    }
    uint32_t units = (uint32_t)((gpucode_program_size(program) - gpucode_program_prefix(program)) /
                                gpucode_target_unit_bytes(gpucode_program_target(program)));
    struct gpucode_line line, last = {0};
    for (uint32_t unit = 0; unit < units; unit++) {
        if (!gpucode_program_line(program, unit, &line))
            continue;
        if (last.file && line.line == last.line && line.source == last.source)
            continue;
        if (!symbols_add_line(symbols, unit, line.file, strlen(line.file), line.line, line.from_macro, false))
            break;
        last = line;
        for (unsigned i = 0; gpucode_program_use(program, unit, i, &line); i++)
            symbols_add_use(symbols, line.macro, strlen(line.macro), line.file, strlen(line.file), line.line);
    }
    symbols_sort(symbols);
    bool failed = symbols->failed;
    symbols->failed = false;
    return failed ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

bool gpucode_symbols_at(const struct gpucode_symbols *symbols, unsigned index, struct gpucode_label *label)
{
    if (!symbols || index >= symbols->symbol_count)
        return false;
    *label = symbols->symbols[index].label;
    return true;
}

bool gpucode_symbols_origin(const struct gpucode_symbols *symbols, unsigned index, const char **file, size_t *offset)
{
    if (!symbols || !file || !offset || index >= symbols->symbol_count || !symbols->symbols[index].text)
        return false;
    const struct symbol *symbol = &symbols->symbols[index];
    *file = symbol->text->file;
    *offset = (size_t)(symbol->at - symbol->text->text);
    return *file;
}

bool gpucode_symbols_find(const struct gpucode_symbols *symbols, const char *section, const char *name, size_t length,
                          struct gpucode_label *label)
{
    for (size_t i = 0; symbols && i < symbols->symbol_count; i++) {
        const struct gpucode_label *candidate = &symbols->symbols[i].label;
        if (symbols_same(candidate->name, name, length) &&
            (!section || candidate->kind != GPUCODE_LABEL_CODE || strcmp(candidate->section, section) == 0)) {
            *label = *candidate;
            return true;
        }
    }
    return false;
}

/* The line that a unit comes from, or null. */
static const struct source_line *line_at(const struct gpucode_symbols *symbols, uint32_t unit)
{
    size_t low = 0, high = symbols ? symbols->line_count : 0;
    while (low < high) { /* the first record after the unit */
        size_t middle = low + (high - low) / 2;
        if (symbols->lines[middle].unit <= unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low && symbols->lines[low - 1].file ? &symbols->lines[low - 1] : NULL;
}

bool gpucode_symbols_place(const struct gpucode_symbols *symbols, uint32_t unit, struct gpucode_place *place)
{
    const struct source_line *line = line_at(symbols, unit);
    if (line)
        *place = (struct gpucode_place){.file = line->file, .line = line->line, .from_macro = line->from_macro};
    return line;
}

bool gpucode_symbols_use(const struct gpucode_symbols *symbols, uint32_t unit, unsigned index,
                         struct gpucode_place *place)
{
    const struct source_line *line = line_at(symbols, unit);
    if (!line || index >= line->use_count)
        return false;
    const struct source_use *use = &symbols->uses[line->first_use + index];
    *place = (struct gpucode_place){
        .file = use->file, .line = use->line, .from_macro = index + 1 < line->use_count, .macro = use->macro};
    return true;
}

/* "draw.asm" means "src/draw.asm", but not "redraw.asm". */
static bool ends_in(const char *path, const char *file)
{
    size_t length = strlen(path), wanted = strlen(file);
    return wanted && wanted <= length && strcmp(path + length - wanted, file) == 0 &&
           (wanted == length || path[length - wanted - 1] == '/' || *file == '/');
}

bool gpucode_symbols_unit(const struct gpucode_symbols *symbols, const char *file, unsigned line, bool later,
                          uint32_t from, uint32_t *unit)
{
    const struct source_line *best = NULL;
    for (size_t i = 0; symbols && i < symbols->line_count; i++) {
        const struct source_line *candidate = &symbols->lines[i];
        bool nearer = candidate->line == line || (later && candidate->line > line);
        if (nearer && (!best || candidate->line < best->line) && candidate->file && candidate->unit >= from &&
            (ends_in(candidate->file, file) || ends_in(file, candidate->file)))
            best = candidate;
    }
    if (best)
        *unit = best->unit;
    return best;
}
