/* SPDX-License-Identifier: MIT */
/* Reading maps and users' symbol files. */
#include "base/diagnostics.h"
#include "base/text.h"
#include "isa/isa.h"
#include "isa/row.h"
#include "isa/scan.h"
#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------------------------------- */

/*
 * Constants and addresses of one file by name: a name that is given another value is an error, and files that tools
 * write have tens of thousands of them. All zeros: empty.
 */
struct symbol_values {
    uint32_t *slots; /* index of the symbol + 1, 0: free; open addressing, at most half of them used */
    unsigned bits;   /* 2^bits slots, where there are any */
    uint32_t count;
};

/* The slot that has the name, or the free one where it would go. */
static uint32_t *find_slot(const struct symbol_values *values, const struct gpucode_symbols *symbols,
                           enum gpucode_label_kind kind, const char *name, size_t length)
{
    uint32_t mask = (UINT32_C(1) << values->bits) - 1;
    uint32_t at = (isa_hash(name, length) + (uint32_t)kind) & mask;
    for (; values->slots[at]; at = (at + 1) & mask) {
        const struct gpucode_label *label = &symbols->symbols[values->slots[at] - 1].label;
        if (label->kind == kind && symbols_same(label->name, name, length))
            break;
    }
    return &values->slots[at];
}

/* The symbol of that name and kind, or null. */
static const struct symbol *values_find(const struct symbol_values *values, const struct gpucode_symbols *symbols,
                                        enum gpucode_label_kind kind, const char *name, size_t length)
{
    const uint32_t *slot = values->slots ? find_slot(values, symbols, kind, name, length) : NULL;
    return slot && *slot ? &symbols->symbols[*slot - 1] : NULL;
}

static void insert_value(struct symbol_values *values, const struct gpucode_symbols *symbols, uint32_t index)
{
    const struct gpucode_label *label = &symbols->symbols[index].label;
    *find_slot(values, symbols, label->kind, label->name, strlen(label->name)) = index + 1;
}

/* Notes the symbol added last, whose name is not there yet. False when out of memory. */
static bool values_add(struct symbol_values *values, const struct gpucode_symbols *symbols)
{
    if (!values->slots || values->count >= UINT32_C(1) << (values->bits - 1)) {
        struct symbol_values grown = {.bits = values->slots ? values->bits + 1 : 6, .count = values->count};
        grown.slots = grown.bits < 32 ? calloc((size_t)1 << grown.bits, sizeof *grown.slots) : NULL;
        if (!grown.slots)
            return false;
        for (size_t i = 0; values->slots && i < (size_t)1 << values->bits; i++)
            if (values->slots[i])
                insert_value(&grown, symbols, values->slots[i] - 1);
        free(values->slots);
        *values = grown;
    }
    insert_value(values, symbols, (uint32_t)symbols->symbol_count - 1);
    values->count++;
    return true;
}

/* --- symbol files and maps ---------------------------------------------------------------------------------------- */

struct word {
    const char *at;
    size_t length;
};

struct reader {
    struct gpucode_symbols *symbols;
    const struct symbol_text *text; /* the copy that `place` points into */
    struct place place;
    struct gpucode_diagnostic_handler on_diagnostic;
    struct symbol_values values; /* constants and addresses have one name space of each file */
    bool wrong;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct word take_word(const char **at, const char *end)
{
    while (*at < end && is_space(**at))
        ++*at;
    struct word word = {*at, 0};
    while (*at < end && !is_space(**at))
        ++*at;
    word.length = (size_t)(*at - word.at);
    return word;
}

static bool is_word(struct word word, const char *text)
{
    return symbols_same(text, word.at, word.length);
}

/* Decimal or 0x, with a sign; the whole of it must be a number. */
static bool take_number(const char *at, size_t length, int64_t *value)
{
    bool negative = length && *at == '-';
    uint64_t number;
    if (text_read_number(at + negative, at + length, &number) != at + length)
        return false;
    *value = (int64_t)(negative ? 0 - number : number);
    return true;
}

/* `what`: shown in the message; the null word: the message has nothing to show. */
static void report_word(struct reader *reader, struct word word, message_id message, struct word what)
{
    reader->place.at = word.at;
    reader->place.span = word.length;
    report(&reader->on_diagnostic, &reader->place, message, NULL, (int)(what.length < 200 ? what.length : 200),
           what.at ? what.at : "");
    reader->wrong = true;
}

/* The same with the target's name after it. */
static void refuse_target(struct reader *reader, struct word word, message_id message, struct word what)
{
    reader->place.at = word.at;
    reader->place.span = word.length;
    report(&reader->on_diagnostic, &reader->place, message, NULL, gpucode_target_name(reader->symbols->target),
           (int)(what.length < 200 ? what.length : 200), what.at, (int)(word.length < 200 ? word.length : 200),
           word.at);
    reader->wrong = true;
}

static const struct word nothing;

/* Letters, digits and '_', no digit first; of GPU registers also what stands in names of tables: "A.B[2]". */
static bool is_name(struct word name, bool dotted)
{
    for (size_t i = 0; i < name.length; i++)
        if (!isa_name_byte(name.at[i]) && !(dotted && i && name.at[i] && strchr(".[]", name.at[i])))
            return false;
    return name.length && name.length < GPUCODE_NAME_MAX && !(*name.at >= '0' && *name.at <= '9');
}

static bool take_unsigned(struct word word, uint32_t *number)
{
    int64_t value;
    if (!take_number(word.at, word.length, &value) || value < 0 || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

/*
 * What a new name of a register or packet would hide: the same name of another one, built in, of the caller's tables or
 * of a symbol file. Texts with that name would mean something else without the file, so that it is refused.
 */
static bool is_free(struct reader *reader, const struct gpucode_label *label, struct word name)
{
    struct gpucode_symbols *symbols = reader->symbols;
    const struct isa *isa = symbols->target->isa;
    uint32_t number, number_of_own;
    unsigned space;
    char own[GPUCODE_NAME_MAX + 1];
    size_t mark = label->space == GPUCODE_SPACE_GENERAL && isa->text.own_mark ? 1 : 0;
    own[0] = isa->text.own_mark;
    memcpy(own + mark, name.at, name.length);
    /* flags and events are also read in upper case, as all names of tables are */
    char upper[GPUCODE_NAME_MAX];
    for (size_t i = 0; i < name.length; i++)
        upper[i] = name.at[i] >= 'a' && name.at[i] <= 'z' ? (char)(name.at[i] - 'a' + 'A') : name.at[i];
    bool clash = isa_number_of(symbols->target->names, &symbols->names, (enum gpucode_space)label->space, name.at,
                               name.length, &number) &&
                 number != (uint32_t)label->value;
    clash |= (label->space == GPUCODE_SPACE_FLAG || label->space == GPUCODE_SPACE_EVENT) &&
             isa_number_of(symbols->target->names, symbols->behind, (enum gpucode_space)label->space, upper,
                           name.length, &number) &&
             number != (uint32_t)label->value;
    if (isa->text.own_register && (label->space == GPUCODE_SPACE_GENERAL || !isa->text.own_mark))
        clash |= isa->text.own_register(own, mark + name.length, &space, &number_of_own);
    if (clash)
        report_word(reader, name, MSG_SYMBOL_TAKEN, name);
    return !clash;
}

/* "reg", "packet", "flag" and "event": names for names.h. */
static void take_register(struct reader *reader, struct word kind, struct word which, struct word name)
{
    static const struct {
        const char *kind;
        enum gpucode_space space;
        uint32_t count;
    } spaces[] = {
        {"packet", GPUCODE_SPACE_PACKET, 128}, {"flag", GPUCODE_SPACE_FLAG, 32}, {"event", GPUCODE_SPACE_EVENT, 32}};
    struct gpucode_label label = {.kind = GPUCODE_LABEL_REGISTER, .name = name.at, .text = which.at};
    uint32_t number = 0;
    bool found = false;
    if (is_word(kind, "reg"))
        found = gpucode_register_of(reader->symbols->target, reader->symbols->behind, which.at, which.length,
                                    &label.space, &number);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is_word(kind, spaces[i].kind)) {
            label.space = spaces[i].space;
            found = reader->symbols->target->names && reader->symbols->target->names->spaces[label.space] &&
                    (take_unsigned(which, &number) ||
                     gpucode_number_of(reader->symbols->target, reader->symbols->behind, spaces[i].space, which.at,
                                       which.length, &number)) &&
                    number < spaces[i].count;
        }
    label.value = number;
    if (!found)
        refuse_target(reader, which, MSG_SYMBOL_REGISTER, is_word(kind, "reg") ? (struct word){"register", 8} : kind);
    else if (!is_name(name, label.space == GPUCODE_SPACE_GPU))
        report_word(reader, name, MSG_SYMBOL_NAME, name);
    else if (is_free(reader, &label, name))
        symbols_add_label(reader->symbols, &label, name.length, which.length, reader->text, name.at);
}

static void take_value(struct reader *reader, const struct gpucode_label *label, struct word name)
{
    struct gpucode_symbols *symbols = reader->symbols;
    const struct symbol *other = values_find(&reader->values, symbols, label->kind, name.at, name.length);
    if (other && other->label.value != label->value) {
        report_word(reader, name, MSG_DUPLICATE, name);
        symbols_report(other, &reader->on_diagnostic, MSG_FIRST_DEFINED, NULL);
    } else if (symbols_add_label(symbols, label, name.length, 0, reader->text, name.at) && !other &&
               !values_add(&reader->values, symbols)) {
        symbols->failed = true;
    }
}

/* "UNIT MACRO file:line" after the line's own statement */
static void take_use(struct reader *reader, struct word unit, struct word macro, struct word place)
{
    struct gpucode_symbols *symbols = reader->symbols;
    int64_t number, line;
    size_t colon = place.length;
    while (colon && place.at[colon - 1] != ':')
        colon--;
    const struct source_line *last = symbols->line_count ? &symbols->lines[symbols->line_count - 1] : NULL;
    bool behind = last && last->given && (!last->use_count || last->first_use + last->use_count == symbols->use_count);
    if (!take_number(unit.at, unit.length, &number) || !behind || number != (int64_t)last->unit)
        report_word(reader, unit, MSG_SYMBOL_NUMBER, nothing);
    else if (colon < 2 || !take_number(place.at + colon, place.length - colon, &line) || line < 1 || line > INT32_MAX)
        report_word(reader, place, MSG_SYMBOL_PLACE, nothing);
    else
        symbols_add_use(symbols, macro.at, macro.length, place.at, colon - 1, (unsigned)line);
}

/* "file:line", "file:line+" or "?" */
static void take_line(struct reader *reader, struct word unit, struct word place)
{
    int64_t number, line;
    if (!take_number(unit.at, unit.length, &number) || number < 0 || number > UINT32_MAX) {
        report_word(reader, unit, MSG_SYMBOL_NUMBER, nothing);
        return;
    }
    if (is_word(place, "?")) {
        symbols_add_line(reader->symbols, (uint32_t)number, NULL, 0, 0, false, true);
        return;
    }
    bool from_macro = place.length && place.at[place.length - 1] == '+';
    size_t length = place.length - from_macro, colon = length;
    while (colon && place.at[colon - 1] != ':')
        colon--;
    if (colon < 2 || !take_number(place.at + colon, length - colon, &line) || line < 1 || line > INT32_MAX)
        report_word(reader, place, MSG_SYMBOL_PLACE, nothing);
    else
        symbols_add_line(reader->symbols, (uint32_t)number, place.at, colon - 1, (unsigned)line, from_macro, true);
}

static void take_statement(struct reader *reader, const char *at, const char *end)
{
    struct word kind = take_word(&at, end), value = take_word(&at, end), name = take_word(&at, end);
    if (!kind.length)
        return;
    if (is_word(kind, "@")) { /* a path may have spaces */
        while (end > name.at && is_space(end[-1]))
            end--;
        name.length = (size_t)(end - name.at);
        at = end;
    }
    if (!name.length) {
        report_word(reader, kind, MSG_SYMBOL_COLUMNS, nothing);
        return;
    }
    struct word more = take_word(&at, end);
    if (is_word(kind, "use") && more.length) {
        while (end > more.at && is_space(end[-1]))
            end--;
        more.length = (size_t)(end - more.at);
        take_use(reader, value, name, more);
        return;
    }
    if (more.length) {
        report_word(reader, more, MSG_SYMBOL_COLUMNS, nothing);
        return;
    }
    if (is_word(kind, "@")) {
        take_line(reader, value, name);
        return;
    }
    if (is_word(kind, "reg") || is_word(kind, "packet") || is_word(kind, "flag") || is_word(kind, "event")) {
        take_register(reader, kind, value, name);
        return;
    }
    struct gpucode_label label = {.name = name.at};
    bool constant = is_word(kind, "=");
    label.kind = constant ? GPUCODE_LABEL_CONSTANT : is_word(kind, "mem") ? GPUCODE_LABEL_MEMORY : GPUCODE_LABEL_CODE;
    bool is_code = label.kind == GPUCODE_LABEL_CODE;
    if (!take_number(value.at, value.length, &label.value) ||
        (is_code && (label.value < 0 || label.value > UINT32_MAX))) {
        report_word(reader, value, MSG_SYMBOL_NUMBER, nothing);
        return;
    }
    if (!is_name(name, false)) {
        report_word(reader, name, MSG_SYMBOL_NAME, name);
        return;
    }
    if (!is_code) {
        take_value(reader, &label, name);
        return;
    }
    label.section = kind.at;
    symbols_add_label(reader->symbols, &label, name.length, kind.length, reader->text, name.at);
}

enum gpucode_status gpucode_symbols_read(struct gpucode_symbols *symbols, const char *text, size_t length,
                                         const char *file, struct gpucode_diagnostic_handler on_diagnostic)
{
    if (!symbols || (!text && length))
        return GPUCODE_ERROR_ARGUMENT;
    struct symbol_text *kept = arena_alloc(&symbols->arena, sizeof *kept);
    char *copy = kept ? arena_copy(&symbols->arena, text ? text : "", length) : NULL;
    const char *name = file ? file : "<symbols>";
    if (!copy || !(name = arena_copy(&symbols->arena, name, strlen(name))))
        return GPUCODE_ERROR_MEMORY;
    *kept = (struct symbol_text){name, copy, length};
    struct reader reader = {.symbols = symbols,
                            .text = kept,
                            .place = {.file = name, .text = copy, .length = length},
                            .on_diagnostic = on_diagnostic};
    const char *end = copy + length;
    for (const char *at = copy; at < end;) {
        /* messages are about this line: the lines in front of it need not be counted for each */
        reader.place.text = at;
        reader.place.length = (size_t)(end - at);
        reader.place.first_line++;
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        const char *comment = at;
        while (comment < stop && *comment != ';' && *comment != '#')
            comment++;
        take_statement(&reader, at, comment);
        symbols_add_image(symbols, kept, comment, stop);
        at = newline ? newline + 1 : end;
    }
    free(reader.values.slots);
    symbols_sort(symbols);
    bool failed = symbols->failed;
    symbols->failed = false;
    return failed ? GPUCODE_ERROR_MEMORY : reader.wrong ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}
