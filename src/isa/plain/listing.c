/* SPDX-License-Identifier: MIT */
/*
 * The listing of a set that has none of its own. A first pass finds where instructions stand and where they lead, a
 * second one writes. Bits that the text of no instruction brings back are written as numbers.
 */
#include "base/text.h"
#include "isa/lines.h"
#include "isa/plain/plain.h"

#include <stdlib.h>
#include <string.h>

#define LINE_ROOM (2 * GPUCODE_TEXT_MAX + 64)

enum { STARTS = 1, IS_TARGET = 2 };

struct plain_listing {
    const struct isa_layout *layout;
    const struct isa *set;
    const struct gpucode_disasm_options *options;
    struct gpucode_format_options format;
    struct isa_lines *lines;
    struct buffer *out; /* the lines' text */
    uint8_t *marks;     /* STARTS, IS_TARGET per unit */
    uint64_t stays;     /* bits of which one is set where control goes on, whatever else a word is; 0: not known */
};

/* Where any word is an instruction, those that control may leave have bits in common that are 0. */
static uint64_t bits_that_stay(const struct isa *set)
{
    uint64_t bits = ~UINT64_C(0);
    if (!set->facts.fixed_size || !set->text.whole || set->unit_bytes != 8)
        return 0;
    for (unsigned i = 0; i < set->text.rows->row_count; i++)
        if (set->text.rows->rows[i].flows)
            bits &= set->text.rows->rows[i].facts.mask & ~set->text.rows->rows[i].facts.match;
    return bits;
}

/* The instruction at a unit; false: these bits must be a number. */
static bool decode_unit(const struct plain_listing *listing, uint32_t unit, struct gpucode_insn *insn)
{
    const struct isa_layout *layout = listing->layout;
    size_t offset = (size_t)unit * layout->set->unit_bytes;
    if (listing->stays) { /* any word is an instruction */
        uint64_t bits = text_load64(layout->bytes + offset);
        insn->target = layout->info.target;
        insn->bits = bits;
        insn->address = unit;
        insn->row = (uint16_t)isa_row_of(insn->target, bits);
        insn->size = 8;
        insn->exact = true;
        return true;
    }
    return gpucode_decode(layout->info.target, layout->bytes + offset, layout->size - layout->info.tail - offset, unit,
                          insn) == GPUCODE_OK &&
           insn->exact;
}

/* Units of an instruction, or of a number. */
static uint32_t units_of(const struct plain_listing *listing, bool decoded, const struct gpucode_insn *insn)
{
    if (listing->stays)
        return 1;
    return decoded ? insn->size / listing->set->unit_bytes : 1;
}

/* Does control go on after a unit that is an instruction of its own, whatever it is? Most do; the row tells it
 * soonest. */
static bool goes_on(const struct plain_listing *listing, uint32_t unit)
{
    const struct isa_layout *layout = listing->layout;
    const struct isa *set = layout->set;
    if (!set->facts.fixed_size || set->unit_bytes != 8)
        return false;
    int row =
        isa_decode_row(set->text.rows, layout->info.target->generation, text_load64(layout->bytes + (size_t)unit * 8));
    return row >= 0 && !set->text.rows->rows[row].flows;
}

static void mark_units(struct plain_listing *listing)
{
    struct gpucode_insn insn;
    const uint32_t units = listing->layout->info.units;
    const uint64_t stays = listing->stays;
    const unsigned char *bytes = listing->layout->bytes;
    struct gpucode_flow flow;
    for (uint32_t unit = 0; unit < units;) {
        listing->marks[unit] |= STARTS;
        if ((stays && text_load64(bytes + (size_t)unit * 8) & stays) || goes_on(listing, unit)) {
            unit++;
            continue;
        }
        bool decoded = decode_unit(listing, unit, &insn);
        if (decoded && gpucode_insn_flow(&insn, &flow) && flow.known && flow.target < units)
            listing->marks[flow.target] |= IS_TARGET;
        unit += units_of(listing, decoded, &insn);
    }
}

/* The caller's name of a place, else "l12" where an instruction leads; 0: it has none. */
static size_t label_name(const struct plain_listing *listing, uint64_t unit, unsigned index, char *text, size_t size)
{
    const struct gpucode_disasm_options *options = listing->options;
    if (unit >= listing->layout->info.units || !(listing->marks[unit] & STARTS))
        return 0;
    size_t length = options->label ? options->label(options->user, 0, unit, index, text, size) : 0;
    if (length || index || !(listing->marks[unit] & IS_TARGET) || size < 24)
        return length;
    *text = 'l';
    return (size_t)(text_decimal(text + 1, unit) - text);
}

static size_t print_label(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    (void)insn;
    return label_name(user, address, 0, text, size);
}

static void write_labels(const struct plain_listing *listing, uint32_t unit)
{
    char name[GPUCODE_NAME_MAX];
    for (unsigned index = 0;; index++) {
        bool given = listing->options->label &&
                     listing->options->label(listing->options->user, 0, unit, index, name, sizeof name) != 0;
        size_t length = label_name(listing, unit, index, name, sizeof name);
        if (!length)
            return;
        isa_lines_mark(listing->lines, given ? GPUCODE_MARK_SYMBOL : GPUCODE_MARK_BRANCHED, listing->out->length,
                       length);
        buffer_append(listing->out, name, length);
        buffer_append(listing->out, ":\n", 2);
    }
}

/* Address and bytes in front of a line. */
static char *write_columns(char *at, const struct plain_listing *listing, uint32_t unit, unsigned size)
{
    const unsigned char *bytes = listing->layout->bytes + (size_t)unit * listing->set->unit_bytes;
    if (!listing->options->columns)
        return at;
    at = TEXT_LITERAL(text_hex_fixed(at, unit, 4), ": ");
    for (unsigned i = size; i-- > 0;)
        at = text_hex_fixed(at, bytes[i], 2);
    return at;
}

/* `size` bytes as numbers. */
static char *write_number(char *at, const unsigned char *bytes, unsigned size)
{
    at = TEXT_LITERAL(at, "\t.byte ");
    for (unsigned i = 0; i < size; i++)
        at = text_hex_fixed(TEXT_LITERAL(i ? TEXT_LITERAL(at, ", ") : at, "0x"), bytes[i], 2);
    return at;
}

/* Records the unit of a line from `start` to `end`; its comment begins at `middle`. `insn` null: it is a number. */
static void note_unit(const struct plain_listing *listing, uint32_t at, const struct gpucode_insn *insn,
                      const char *start, const char *middle, const char *end)
{
    const struct isa *set = listing->set;
    if (!listing->lines->recorded)
        return;
    struct gpucode_unit unit = {.at = at,
                                .unit = at,
                                .row = insn ? insn->row : GPUCODE_ROW_NONE,
                                .size = insn ? insn->size : (uint8_t)set->unit_bytes,
                                .kind = insn ? GPUCODE_UNIT_CODE : GPUCODE_UNIT_DATA,
                                .reached = true};
    for (unsigned i = 0; i < unit.size; i++)
        unit.bits |= (uint64_t)listing->layout->bytes[(size_t)at * set->unit_bytes + i] << 8 * i;
    isa_lines_spans(listing->lines, &unit, set->text.syntax.comment ? set->text.syntax.comment : "", start, middle,
                    end);
    isa_lines_keep_unit(listing->lines, &unit);
}

/* Writes what stands at a unit and returns how many units that takes. */
static uint32_t write_unit(const struct plain_listing *listing, uint32_t unit)
{
    struct gpucode_insn insn;
    unsigned unit_bytes = listing->set->unit_bytes;
    bool decoded = decode_unit(listing, unit, &insn);
    if (listing->options->label || listing->marks[unit] & IS_TARGET)
        write_labels(listing, unit);
    if (!buffer_reserve(listing->out, LINE_ROOM))
        return 1;
    const unsigned char *bytes = listing->layout->bytes + (size_t)unit * unit_bytes;
    char *start = write_columns(buffer_end(listing->out), listing, unit, decoded ? insn.size : unit_bytes);
    char *middle, *at;
    if (decoded) {
        *start++ = '\t';
        const struct isa_text *text = &listing->set->text;
        middle = text->print ? text->print[insn.row](start, &insn, &listing->format)
                             : isa_format(start, &insn, &listing->format);
        at = text->comment ? text->comment(middle, &insn, &listing->format) : middle;
    } else {
        middle = at = write_number(start, bytes, unit_bytes);
        start++; /* the TAB */
    }
    note_unit(listing, unit, decoded ? &insn : NULL, start, middle, at);
    *at++ = '\n';
    buffer_commit(listing->out, at);
    return units_of(listing, decoded, &insn);
}

void isa_plain_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                           struct isa_lines *lines)
{
    struct buffer *out = &lines->text;
    struct plain_listing listing = {.layout = layout,
                                    .set = layout->set,
                                    .options = options,
                                    .format = {.names = options->names, .style = options->style},
                                    .lines = lines,
                                    .out = out};
    listing.format.label = print_label;
    listing.format.user = &listing;
    listing.marks = calloc((size_t)layout->info.units + 1, 1);
    if (!listing.marks) {
        out->failed = true;
        return;
    }
    listing.stays = bits_that_stay(layout->set);
    mark_units(&listing);
    buffer_text(out, ".target ");
    buffer_text(out, layout->info.target->name);
    buffer_text(out, "\n");
    for (uint32_t unit = 0; unit < layout->info.units && !out->failed;)
        unit += write_unit(&listing, unit);
    for (uint32_t i = 0; i < layout->info.tail && buffer_reserve(out, LINE_ROOM); i++) {
        const unsigned char *byte = layout->bytes + layout->size - layout->info.tail + i;
        char *start = buffer_end(out), *at = write_number(start, byte, 1);
        struct gpucode_unit unit = {.at = layout->info.units,
                                    .bits = *byte,
                                    .unit = layout->info.units,
                                    .row = GPUCODE_ROW_NONE,
                                    .size = 1,
                                    .kind = GPUCODE_UNIT_DATA};
        isa_lines_spans(lines, &unit, "", start + 1, at, at);
        isa_lines_unit(lines, &unit);
        *at++ = '\n';
        buffer_commit(out, at);
    }
    free(listing.marks);
}

/* --- files that are code from end to end -------------------------------------------------------------------------- */

enum gpucode_status isa_plain_layout(struct isa_layout *layout, struct arena *arena,
                                     const struct gpucode_image_options *options)
{
    if (!options->target)
        return GPUCODE_ERROR_UNSUPPORTED;
    unsigned unit = layout->set->unit_bytes;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    if (!section)
        return GPUCODE_ERROR_MEMORY;
    struct gpucode_image_info *info = &layout->info;
    info->layout = "code";
    info->units = (uint32_t)(layout->size / unit);
    info->tail = (uint32_t)(layout->size % unit);
    *section = (struct gpucode_section){
        .name = "CODE", .size = info->units, .table = GPUCODE_NONE, .start_source = "the file is code"};
    info->sections = section;
    info->section_count = info->units != 0;
    return GPUCODE_OK;
}
