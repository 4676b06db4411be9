/* SPDX-License-Identifier: MIT */
/* The lines of an AFUC listing that are words: instructions, raw words, numbers that are places. */
#include "isa/afuc/text/listing.h"

#define TRAILER_WORDS 4

void afuc_listing_keep_unit(const struct listing *listing, uint32_t index, enum gpucode_unit_kind kind, int row,
                            const char *start, const char *middle, const char *end)
{
    int64_t number = listing->unit + index;
    bool outside = number < 0 || number >= listing->layout->info.units;
    bool in_trailer = !outside && number - (int64_t)listing->layout->info.trailer < TRAILER_WORDS &&
                      number >= listing->layout->info.trailer && kind == GPUCODE_UNIT_DATA;
    struct gpucode_unit unit = {.at = index,
                                .bits = afuc_word_at(listing->bytes, index),
                                .unit = outside ? GPUCODE_NONE : (uint32_t)number,
                                .row = row < 0 ? GPUCODE_ROW_NONE : (uint16_t)row,
                                .section = (uint8_t)listing->section,
                                .size = 4,
                                .kind = in_trailer ? GPUCODE_UNIT_TEXT : kind};
    unit.reached = listing->marks && index < listing->words && listing->marks[index] & AFUC_MARK_REACHED;
    isa_lines_spans(listing->list, &unit, ";", start, middle, end);
    isa_lines_keep_unit(listing->list, &unit);
}

/* A number; `row` is that of the instruction with these bits, or negative. */
static void put_raw(const struct listing *listing, uint32_t index, uint32_t word, int row)
{
    char *start = listing_begin_line(listing, index), *at = start;
    if (!start)
        return;
    /* not the first word, which tells the target; a raw word with a label has 24 bits for it */
    const bool a5xx = listing->target->generation == AFUC_A5XX;
    const uint32_t marked = a5xx ? listing->table : 0x01000000 | listing->table;
    if ((a5xx ? index == 1 : index != 0) && listing->table <= 0xffffff && word == marked) {
        at = TEXT_LITERAL(at, "[#jumptbl]");
        listing_note_unit(listing, index, GPUCODE_UNIT_DATA, row, start, at, at);
        listing_end_line(listing, at);
        return;
    }
    *at++ = '[';
    at = text_hex_fixed(at, word, 8);
    *at++ = ']';
    char *middle = at;
    if (word >= 0x100) {
        char *text = TEXT_LITERAL(at, "\t; ");
        char *end = isa_name_of(listing->target->names, listing->format.names, GPUCODE_SPACE_GPU, word, text);
        if (end > text)
            at = end;
    }
    listing_note_unit(listing, index, GPUCODE_UNIT_DATA, row, start, middle, at);
    listing_end_line(listing, at);
}

/* A word that an instruction matches but whose text would not bring it back. */
static void put_lossy(const struct listing *listing, const struct gpucode_insn *insn)
{
    char *start = listing_begin_line(listing, (uint32_t)insn->address), *at = start;
    if (!start)
        return;
    *at++ = '[';
    at = text_hex_fixed(at, insn->bits, 8);
    *at++ = ']';
    char *middle = at;
    at = TEXT_LITERAL(at, "\t; nearly ");
    at = isa_format(at, insn, &listing->format);
    if (insn->exact)
        at = TEXT_LITERAL(at, ", the target is outside the code");
    else
        at = text_hex(TEXT_LITERAL(at, ", with ignored bits 0x"), insn->bits & afuc_rows.rows[insn->row].facts.ignored);
    listing_note_unit(listing, (uint32_t)insn->address, GPUCODE_UNIT_CODE, insn->row, start, middle, at);
    listing_end_line(listing, at);
}

/* The instruction of a row at a word, whose text brings it back. */
static inline void put_insn(const struct listing *listing, uint32_t index, uint32_t word, int row)
{
    struct gpucode_insn insn = {listing->target, word, index, (uint16_t)row, 4, true};
    char *start = listing_begin_line(listing, index);
    if (!start)
        return;
    char *middle = afuc_rows_text[row](start, &insn, &listing->near), *at = middle;
    if (afuc_row_names(&afuc_rows.rows[row]))
        at = afuc_comment(middle, &insn, &listing->format);
    if ((row == AFUC_UBFX || row == AFUC_BFI) && (word & 31) > (word >> 5 & 31))
        at = TEXT_LITERAL(at, "\t;! reversed");
    listing_note_unit(listing, index, GPUCODE_UNIT_CODE, row, start, middle, at);
    listing_end_line(listing, at);
}

void afuc_listing_word(const struct listing *listing, uint32_t index)
{
    uint32_t word = afuc_word_at(listing->bytes, index);
    int row = afuc_row_of(listing->rows[index]);
    if (row < 0 || listing->marks[index] & AFUC_MARK_DATA) {
        put_raw(listing, index, word, row);
        return;
    }
    if (!(listing->marks[index] & AFUC_MARK_OUTSIDE) && !(listing->rows[index] & AFUC_WORD_LOSSY)) {
        put_insn(listing, index, word, row);
        return;
    }
    struct gpucode_insn insn = {listing->target, word, index, (uint16_t)row, 4, true};
    insn.exact = (word & afuc_rows.rows[row].facts.ignored) == 0;
    put_lossy(listing, &insn);
}

/* A word with a number that is a place: false, and nothing is written, where the text would not bring it back. */
bool afuc_listing_place(const struct listing *listing, uint32_t index)
{
    const struct gpucode_code_constant *constant = listing->places.next;
    char place[GPUCODE_NAME_MAX * 2 + 32], *end = place;
    if (constant->half)
        *end++ = '(';
    *end++ = '#';
    if (constant->from_image)
        end = TEXT_LITERAL(text_string(end, listing->layout->info.sections[constant->to_section].name), "::");
    end = afuc_listing_place_name(listing, end, constant);
    if (constant->scale > 1)
        end = text_decimal(TEXT_LITERAL(end, " * "), constant->scale);
    if (constant->half)
        end = constant->half == GPUCODE_HALF_LOW ? TEXT_LITERAL(end, " & 0xffff)") : TEXT_LITERAL(end, " >> 16)");
    uint32_t word = afuc_word_at(listing->bytes, index);
    int row = afuc_row_of(listing->rows[index]);
    struct gpucode_insn insn = {listing->target, word, index, (uint16_t)row, 4, true};
    bool raw = constant->kind == GPUCODE_CONSTANT_END;
    if (!raw && (row < 0 || listing->marks[index] & AFUC_MARK_DATA || word & afuc_rows.rows[row].facts.ignored))
        return false;
    char *start = listing_begin_line(listing, index), *at = start;
    if (!start)
        return true;
    if (raw) {
        *at++ = '[';
        at = text_put(at, place, (size_t)(end - place));
        *at++ = ']';
    } else {
        struct gpucode_format_options plain = listing->format;
        plain.style = 0;
        at = afuc_put_place(start, isa_format(start, &insn, &plain), place, (size_t)(end - place));
    }
    listing_note_unit(listing, index, raw ? GPUCODE_UNIT_DATA : GPUCODE_UNIT_CODE, row, start, at, at);
    listing_end_line(listing, at);
    return true;
}
