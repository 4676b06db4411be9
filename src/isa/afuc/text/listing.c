/* SPDX-License-Identifier: MIT */
/*
 * The text of an AFUC image. Lines are those of the reference disassembler wherever its text brings the
 * same word back; docs/afuc-text.md lists the differences.
 */
#include "isa/afuc/afuc.h"

#include "base/text.h"
#include "isa/afuc/text/found.h"
#include "isa/afuc/text/places.h"

#include <stdlib.h>

#define LINE_MAX_LENGTH (2 * GPUCODE_TEXT_MAX)
#define TRAILER_WORDS 4

/* Packets without a name come behind those with one where a place takes its name from one of its labels. */
#define UNNAMED_RANK 256

struct entry_label {
    uint32_t handler;
    uint8_t length, packet;
    bool made_up; /* the packet has no name */
    char name[GPUCODE_NAME_MAX];
};

/* One run of words that is printed with labels of its own. */
struct listing {
    const struct isa_layout *layout;
    const struct gpucode_target *target;
    struct gpucode_format_options format;
    struct isa_lines *list;
    struct buffer *out; /* the list's text */
    bool columns;
    const unsigned char *bytes; /* first word */
    uint32_t words;             /* printed one by one */
    uint32_t table;             /* offset in nop form prints as #jumptbl; GPUCODE_NONE: none */
    const uint16_t *rows;       /* of the first word on, as in struct afuc_found */
    uint8_t *marks;
    int64_t unit;            /* first word's, in the image; negative: the prefix is printed too */
    const uint8_t *executed; /* per word, or null */
    struct entry_label entries[AFUC_TABLE_ENTRIES]; /* labels of packets, by their places */
    unsigned entry_count;
    const struct gpucode_disasm_options *named; /* whose callback names places; null: there is none */
    unsigned section;
    uint32_t unnamed;          /* words in front of the section, which have no names: the prefix of raw files */
    struct afuc_places places; /* numbers that are places, to be written as labels */
};

/* --- lines ------------------------------------------------------------------------------------------- */

/* Index and bits in front of the line. */
static char *put_columns(char *at, const struct listing *listing, uint32_t index)
{
    *at++ = '\t';
    at = text_hex_fixed(at, index, index > 0xffff ? 8 : 4);
    at = TEXT_LITERAL(at, ": ");
    at = text_hex_fixed(at, afuc_word_at(listing->bytes, index), 8);
    return TEXT_LITERAL(at, "  ");
}

static inline char *begin_line(const struct listing *listing, uint32_t index)
{
    if (!buffer_reserve(listing->out, LINE_MAX_LENGTH))
        return NULL;
    char *at = buffer_end(listing->out);
    return listing->columns ? put_columns(at, listing, index) : at;
}

static void end_line(const struct listing *listing, char *at)
{
    *at++ = '\n';
    buffer_commit(listing->out, at);
}

static void put_line(const struct listing *listing, uint32_t index, const char *text, size_t length)
{
    char *at = begin_line(listing, index);
    if (at)
        end_line(listing, text_put(at, text, length));
}

/* The user's name of a word; 0: it has none. */
static size_t user_label(const struct listing *listing, uint64_t address, unsigned index, char *text)
{
    if (!listing->named || address < listing->unnamed)
        return 0;
    size_t length = listing->named->label(listing->named->user, listing->section, address - listing->unnamed, index,
                                          text, GPUCODE_NAME_MAX);
    return length <= GPUCODE_NAME_MAX ? length : 0;
}

static size_t put_label_name(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct listing *listing = user;
    (void)size;
    if (address >= listing->words)
        return 0;
    bool call = afuc_rows.rows[insn->row].flow == GPUCODE_FLOW_CALL;
    size_t length = listing->named ? user_label(listing, address, 0, text) : 0;
    if (length)
        return length;
    return (size_t)(text_decimal(text_string(text, call ? "fxn" : "l"), address) - text);
}

/* A line with a label: `text` begins with its name. */
static void put_label(const struct listing *listing, uint32_t index, enum gpucode_mark_kind kind, const char *text,
                      size_t name_length, size_t length)
{
    char *at = begin_line(listing, index);
    if (!at)
        return;
    isa_lines_mark(listing->list, kind, (size_t)(at - listing->out->bytes), name_length);
    end_line(listing, text_put(at, text, length));
}

static void keep_unit(const struct listing *listing, uint32_t index, enum gpucode_unit_kind kind, int row,
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

/* Records the unit of a line that stands from `start` to `end` but is not ended yet; its comment begins at `middle`. */
static inline void note_unit(const struct listing *listing, uint32_t index, enum gpucode_unit_kind kind, int row,
                             const char *start, const char *middle, const char *end)
{
    if (listing->list->recorded)
        keep_unit(listing, index, kind, row, start, middle, end);
}

/* A number; `row` is that of the instruction with these bits, or negative. */
static void put_raw(const struct listing *listing, uint32_t index, uint32_t word, int row)
{
    char *start = begin_line(listing, index), *at = start;
    if (!start)
        return;
    /* not the first word, which tells the target; a raw word with a label has 24 bits for it */
    if (index && listing->table <= 0xffffff && word == (0x01000000 | listing->table)) {
        at = TEXT_LITERAL(at, "[#jumptbl]");
        note_unit(listing, index, GPUCODE_UNIT_DATA, row, start, at, at);
        end_line(listing, at);
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
    note_unit(listing, index, GPUCODE_UNIT_DATA, row, start, middle, at);
    end_line(listing, at);
}

/* A word that an instruction matches but whose text would not bring it back. */
static void put_lossy(const struct listing *listing, const struct gpucode_insn *insn)
{
    char *start = begin_line(listing, (uint32_t)insn->address), *at = start;
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
    note_unit(listing, (uint32_t)insn->address, GPUCODE_UNIT_CODE, insn->row, start, middle, at);
    end_line(listing, at);
}

/* The instruction of a row at a word, whose text brings it back. */
static inline void put_insn(const struct listing *listing, uint32_t index, uint32_t word, int row)
{
    struct gpucode_insn insn = {listing->target, word, index, (uint16_t)row, 4, true};
    char *start = begin_line(listing, index);
    if (!start)
        return;
    char *middle = afuc_rows_text[row](start, &insn, &listing->format), *at = middle;
    if (afuc_row_names(&afuc_rows.rows[row]))
        at = afuc_comment(middle, &insn, &listing->format);
    if ((row == AFUC_UBFX || row == AFUC_BFI) && (word & 31) > (word >> 5 & 31))
        at = TEXT_LITERAL(at, "\t;! reversed");
    note_unit(listing, index, GPUCODE_UNIT_CODE, row, start, middle, at);
    end_line(listing, at);
}

static inline void put_word(const struct listing *listing, uint32_t index)
{
    uint32_t word = afuc_word_at(listing->bytes, index);
    int row = afuc_row_of(listing->rows[index]);
    if (row < 0 || listing->marks[index] & AFUC_MARK_DATA) {
        put_raw(listing, index, word, row);
        return;
    }
    if (!(listing->marks[index] & AFUC_MARK_LOSSY)) {
        put_insn(listing, index, word, row);
        return;
    }
    struct gpucode_insn insn = {listing->target, word, index, (uint16_t)row, 4, true};
    insn.exact = (word & afuc_rows.rows[row].facts.ignored) == 0;
    put_lossy(listing, &insn);
}

/* --- places ------------------------------------------------------------------------------------------ */

/*
 * The name of a place that packets lead to: that of the interruption, or of the lowest packet with a name, as the
 * analysis calls it.
 */
static char *put_entry_name(const struct listing *listing, char *at, uint32_t unit, bool interrupt)
{
    const struct entry_label *best = NULL;
    unsigned best_rank = 0;
    for (unsigned i = 0; i < listing->entry_count; i++) {
        const struct entry_label *entry = &listing->entries[i];
        bool named = strncmp(entry->name, "UNKN", 4) != 0, here = strcmp(entry->name, "IN_PREEMPT") == 0;
        unsigned rank = (interrupt && here ? 0 : named ? 1000 : 2000) + entry->packet;
        if (entry->handler != unit || (best && best_rank < rank))
            continue;
        best = entry;
        best_rank = rank;
    }
    return best ? text_put(at, best->name, best->length) : at;
}

static char *put_place_name(const struct listing *listing, char *at, const struct gpucode_code_constant *constant)
{
    if (constant->kind == GPUCODE_CONSTANT_PACKETS)
        return TEXT_LITERAL(at, "jumptbl");
    size_t length = listing->named ? listing->named->label(listing->named->user, constant->to_section, constant->to, 0,
                                                           at, GPUCODE_NAME_MAX)
                                   : 0;
    if (length && length <= GPUCODE_NAME_MAX)
        return at + length;
    bool edge = constant->kind == GPUCODE_CONSTANT_SECTION || constant->kind == GPUCODE_CONSTANT_END;
    if (edge && !listing->named)
        return constant->to ? TEXT_LITERAL(at, "end") : TEXT_LITERAL(at, "start");
    uint8_t mark = edge ? 0 : listing->marks[constant->to];
    char *end = edge ? at : put_entry_name(listing, at, constant->to, constant->kind == GPUCODE_CONSTANT_INTERRUPT);
    if (end > at)
        return end;
    if (mark & AFUC_MARK_PREEMPT)
        return TEXT_LITERAL(at, "preempt");
    return text_decimal(text_string(at, mark & AFUC_MARK_CALLED ? "fxn" : "l"), constant->to);
}

/* A word with a number that is a place: false, and nothing is written, where the text would not bring it back. */
static bool put_place(const struct listing *listing, uint32_t index)
{
    const struct gpucode_code_constant *constant = listing->places.next;
    char place[GPUCODE_NAME_MAX * 2 + 32], *end = place;
    if (constant->half)
        *end++ = '(';
    *end++ = '#';
    if (constant->from_image)
        end = TEXT_LITERAL(text_string(end, listing->layout->info.sections[constant->to_section].name), "::");
    end = put_place_name(listing, end, constant);
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
    char *start = begin_line(listing, index), *at = start;
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
    note_unit(listing, index, raw ? GPUCODE_UNIT_DATA : GPUCODE_UNIT_CODE, row, start, at, at);
    end_line(listing, at);
    return true;
}

/* --- labels ------------------------------------------------------------------------------------------ */

static int compare_entries(const void *a, const void *b)
{
    const struct entry_label *left = a, *right = b;
    if (left->handler != right->handler)
        return left->handler < right->handler ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* One label per entry of the packet table. */
static void name_entries(struct listing *listing, const uint32_t *handlers)
{
    listing->entry_count = 0;
    for (unsigned i = 0; i < AFUC_TABLE_ENTRIES; i++) {
        struct entry_label *entry = &listing->entries[listing->entry_count++];
        entry->handler = handlers[i];
        entry->packet = (uint8_t)i;
        char *end = afuc_name(listing->target, listing->format.names, GPUCODE_SPACE_PACKET, i, entry->name);
        entry->made_up = end == entry->name;
        if (entry->made_up)
            end = text_decimal(text_string(entry->name, "UNKN"), i);
        *end = 0;
        entry->length = (uint8_t)(end - entry->name);
    }
    qsort(listing->entries, listing->entry_count, sizeof *listing->entries, compare_entries);
}

/*
 * A packet that has its name from a symbol file is labelled by its built-in name or number as well: the text then gives
 * the same packet table without that file.
 */
static void put_plain_entry(const struct listing *listing, uint32_t index, const struct entry_label *entry)
{
    char text[2 * GPUCODE_NAME_MAX + 16];
    char *end = afuc_name(listing->target, NULL, GPUCODE_SPACE_PACKET, entry->packet, text);
    if (end == text)
        end = text_decimal(TEXT_LITERAL(text, "UNKN"), entry->packet);
    if ((size_t)(end - text) == entry->length && memcmp(text, entry->name, entry->length) == 0)
        return;
    size_t length = (size_t)(end - text);
    end = text_hex_fixed(TEXT_LITERAL(end, ":\t; packet 0x"), entry->packet, 2);
    put_label(listing, index, GPUCODE_MARK_BUILT_IN, text, length, (size_t)(end - text));
}

static void put_user_labels(const struct listing *listing, uint32_t index)
{
    char text[GPUCODE_NAME_MAX + 1];
    size_t length;
    for (unsigned i = 0; (length = user_label(listing, index, i, text)); i++) {
        text[length] = ':';
        put_label(listing, index, GPUCODE_MARK_SYMBOL, text, length, length + 1);
    }
}

/* "fxn12:" */
static void put_made_up(const struct listing *listing, uint32_t index, enum gpucode_mark_kind kind, const char *stem)
{
    char text[32];
    char *end = text_decimal(text_string(text, stem), index);
    *end = ':';
    put_label(listing, index, kind, text, (size_t)(end - text), (size_t)(end - text) + 1);
}

static void put_labels(const struct listing *listing, uint32_t index, unsigned *entry)
{
    char name[GPUCODE_NAME_MAX];
    uint8_t mark = listing->marks[index];
    bool handler = *entry < listing->entry_count && listing->entries[*entry].handler == index;
    bool named = listing->named && user_label(listing, index, 0, name);
    bool inner = (mark & (AFUC_MARK_CALLED | AFUC_MARK_BRANCHED)) == AFUC_MARK_BRANCHED;
    listing->list->begins = handler || mark & (AFUC_MARK_CALLED | AFUC_MARK_PREEMPT) || (named && !inner);
    if (!index && listing->places.start && !named)
        put_label(listing, index, GPUCODE_MARK_BUILT_IN, listing->named ? "l0:" : "start:", listing->named ? 2 : 5,
                  listing->named ? 3 : 6);
    if (listing->list->begins && index)
        put_line(listing, index, "", 0);
    for (; *entry < listing->entry_count && listing->entries[*entry].handler == index; ++*entry) {
        char text[GPUCODE_NAME_MAX + 1];
        char *end = text_put(text, listing->entries[*entry].name, listing->entries[*entry].length);
        *end = ':';
        put_label(listing, index, GPUCODE_MARK_PACKET, text, (size_t)(end - text), (size_t)(end - text) + 1);
        isa_lines_rank(listing->list, (uint16_t)(listing->entries[*entry].packet +
                                                 (listing->entries[*entry].made_up ? UNNAMED_RANK : 0)));
        if (listing->named)
            put_plain_entry(listing, index, &listing->entries[*entry]);
    }
    if (named) {
        put_user_labels(listing, index);
        return;
    }
    if (mark & AFUC_MARK_PREEMPT)
        put_label(listing, index, GPUCODE_MARK_BUILT_IN, "preempt:", 7, 8);
    if (mark & AFUC_MARK_CALLED)
        put_made_up(listing, index, GPUCODE_MARK_CALLED, "fxn");
    if (mark & AFUC_MARK_BRANCHED)
        put_made_up(listing, index, GPUCODE_MARK_BRANCHED, "l");
}

/*
 * Marks where preemption enters: the first constant that is written to %PREEMPT_INSTR, as there is one label of that
 * name.
 */
static void mark_preempt(const struct listing *listing)
{
    const uint16_t *rows = listing->rows;
    const uint32_t words = listing->words, preempt = afuc_preempt_number(listing->target);
    bool found = false;
    for (uint32_t i = 1; i < words && !found; i++) {
        if (afuc_row_of(rows[i]) != AFUC_SWRITE)
            continue;
        unsigned reg = afuc_preempt_source(listing->target, preempt, afuc_word_at(listing->bytes, i));
        for (uint32_t back = 1; reg != AFUC_NO_REGISTER && back <= AFUC_PREEMPT_WORDS && back <= i; back++) {
            uint32_t word = afuc_word_at(listing->bytes, i - back);
            int row = afuc_row_of(listing->rows[i - back]);
            bool loads = (row == AFUC_MOV_IMM || row == AFUC_MOV_IMM_A5XX) && (word >> 16 & 31) == reg;
            found = loads && !(word >> 21 & 31) && (word & 0xffff) < listing->words;
            if (found)
                listing->marks[word & 0xffff] |= AFUC_MARK_PREEMPT;
            if (loads)
                break;
        }
    }
}

/* Places that constants lead to need a label: one that packets or boot do not give them is made up. */
static void mark_places(const struct listing *listing)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_code_constant *constant = NULL;
    while ((constant = afuc_places_here(&listing->places, constant)))
        if (constant->kind <= GPUCODE_CONSTANT_CODE && constant->to < listing->words &&
            !(listing->marks[constant->to] & (AFUC_MARK_PREEMPT | AFUC_MARK_CALLED)) &&
            put_entry_name(listing, name, constant->to, false) == name)
            listing->marks[constant->to] |= AFUC_MARK_BRANCHED;
}

/* A word with all that can stand around it. */
static void put_any(struct listing *listing, uint32_t index, unsigned *entry)
{
    bool handler = *entry < listing->entry_count && listing->entries[*entry].handler == index;
    if (handler || !index || listing->named || listing->marks[index] & AFUC_MARK_LABELS)
        put_labels(listing, index, entry);
    else
        listing->list->begins = false;
    bool place = index == listing->places.at;
    if (!place || !put_place(listing, index))
        put_word(listing, index);
    if (place)
        afuc_places_step(&listing->places);
}

/* The next word, from `index` on, that put_any() is for whatever its bits are. */
static uint32_t next_special(const struct listing *listing, uint32_t index, unsigned entry)
{
    uint32_t next = listing->columns || listing->named || listing->list->recorded || !index ? index : listing->words;
    if (entry < listing->entry_count && listing->entries[entry].handler < next)
        next = listing->entries[entry].handler;
    return listing->places.at < next ? listing->places.at : next;
}

/*
 * Words [0, listing->words) with labels. Most are an instruction and nothing else: those are written here, and what the
 * writing of bytes cannot change stands in variables.
 */
static void put_code(struct listing *listing)
{
    struct gpucode_insn insn = {listing->target, 0, 0, 0, 4, true};
    const struct gpucode_format_options format = listing->format;
    const uint16_t *rows = listing->rows;
    const uint8_t *marks = listing->marks;
    struct buffer *out = listing->out;
    const uint32_t words = listing->words;
    unsigned entry = 0;
    for (uint32_t i = 0; i < words;) {
        uint32_t stop = next_special(listing, i, entry);
        for (; i < stop && !(marks[i] & ~AFUC_MARK_REACHED) && !(rows[i] & AFUC_WORD_RARE) &&
               buffer_reserve(out, LINE_MAX_LENGTH);
             i++) {
            insn.bits = afuc_word_at(listing->bytes, i);
            insn.address = i;
            insn.row = (uint16_t)afuc_row_of(rows[i]);
            char *at = afuc_rows_text[insn.row](buffer_end(out), &insn, &format);
            if (rows[i] & AFUC_WORD_NAMES)
                at = afuc_comment(at, &insn, &format);
            end_line(listing, at);
        }
        if (out->failed)
            return;
        if (i < words)
            put_any(listing, i++, &entry);
    }
}

/* --- sections ---------------------------------------------------------------------------------------- */

/* Words behind a packet table belong to nothing: plain numbers. */
static void put_rest(struct listing *listing, uint32_t first, uint32_t end)
{
    uint32_t table = listing->table;
    listing->table = GPUCODE_NONE;
    for (uint32_t i = first; i < end; i++) {
        char *start = begin_line(listing, i), *at = start;
        if (!start)
            return;
        *at++ = '[';
        at = text_hex_fixed(at, afuc_word_at(listing->bytes, i), 8);
        *at++ = ']';
        note_unit(listing, i, GPUCODE_UNIT_DATA, -1, start, at, at);
        end_line(listing, at);
    }
    listing->table = table;
}

/* The packet table: one line, which is that of its first entry. */
static void put_table(const struct listing *listing, uint32_t table)
{
    put_label(listing, table, GPUCODE_MARK_TABLE, "jumptbl:", 7, 8);
    char *start = begin_line(listing, table);
    if (!start)
        return;
    char *end = TEXT_LITERAL(start, ".jumptbl");
    for (uint32_t i = 0; i < AFUC_TABLE_ENTRIES; i++)
        note_unit(listing, table + i, GPUCODE_UNIT_TABLE, -1, i ? end : start, end, end);
    end_line(listing, end);
}

/* Puts `listing` to a run of words. */
static void open_run(struct listing *listing, const struct afuc_run *run)
{
    listing->bytes = run->bytes;
    listing->words = run->words;
    listing->rows = run->rows;
    listing->marks = run->marks;
    listing->unit = run->start;
    listing->table = run->table;
    listing->entry_count = 0;
    if (run->has_table)
        name_entries(listing, run->handlers);
}

static void put_section(struct listing *listing, const struct afuc_found *found, unsigned number)
{
    struct afuc_run run;
    afuc_found_section(found, number, &run);
    open_run(listing, &run);
    listing->section = number;
    afuc_places_enter(&listing->places, number);
    if (!listing->named) /* users' names stand instead */
        mark_preempt(listing);
    mark_places(listing);
    put_code(listing);
    uint32_t table = run.table;
    if (table == GPUCODE_NONE)
        return;
    /* the reference marks the alignment of BR and BV on a7xx, its newest edition that of every section */
    const struct gpucode_image_info *info = &listing->layout->info;
    bool mark = listing->target->generation == AFUC_GEN8 ||
                (listing->target->generation == AFUC_A7XX && strcmp(info->sections[number].name, "LPAC") != 0);
    if (listing->named)
        put_user_labels(listing, table);
    if (mark && table % 8 == 0)
        put_line(listing, table, ".align 32", 9);
    put_table(listing, table);
    put_rest(listing, table + AFUC_TABLE_ENTRIES, run.end);
}

/* --- the file ------------------------------------------------------------------------------------------ */

/* "end:", behind the last word. */
static void put_end(const struct listing *listing)
{
    char text[32], *end = TEXT_LITERAL(text, "end");
    const struct gpucode_code_constant *constant = listing->places.end;
    if (listing->named)
        end = text_decimal(TEXT_LITERAL(text, "l"), constant->to);
    *end++ = ':';
    char *at = buffer_reserve(listing->out, LINE_MAX_LENGTH) ? buffer_end(listing->out) : NULL;
    if (!at)
        return;
    isa_lines_mark(listing->list, GPUCODE_MARK_BUILT_IN, (size_t)(at - listing->out->bytes), (size_t)(end - text - 1));
    end_line(listing, text_put(at, text, (size_t)(end - text)));
}

/* Sections can be written with `.section` when they are where the assembler would put them. */
static bool sections_fit(const struct gpucode_image_info *info)
{
    for (unsigned i = 1; i < info->section_count; i++)
        if (info->sections[i].start % 8 ||
            info->sections[i].start < info->sections[i - 1].start + info->sections[i - 1].size)
            return false;
    return info->section_count > 0 && info->sections[0].start == 0 && info->prefix == 4 && !info->tail;
}

static void put_header(const struct isa_layout *layout, struct buffer *out, bool raw, bool places)
{
    static const char *const titles[] = {"a5xx", "a6xx", "a7xx", "a8xx"};
    const struct gpucode_image_info *info = &layout->info;
    buffer_format(out, "; %s microcode\n", titles[info->target->generation]);
    size_t first = raw ? 0 : info->prefix;
    if (layout->size >= first + 4)
        buffer_format(out, "; Version: %08x\n", afuc_word_at(layout->bytes + first, 0));
    else
        buffer_text(out, "; empty\n");
    buffer_text(out, "\n");
    /* the assembler finds the target by itself in the first raw word */
    const struct gpucode_target *found = NULL;
    if (!raw && layout->size >= first + 4) {
        uint32_t word = afuc_word_at(layout->bytes + first, 0);
        if (isa_decode_row(&afuc_rows, info->target->generation, word) < 0)
            found = afuc_target_of_id(layout->set, word >> 12 & 0xfff);
    }
    if (found != info->target)
        buffer_format(out, ".target %s\n", info->target->name);
    if (raw)
        buffer_text(out, ".raw\n");
    if (places)
        buffer_text(out, ".places\n");
}

/* All of the file as one run of code. */
static void put_raw_file(struct listing *listing, const struct afuc_found *found)
{
    const struct isa_layout *layout = listing->layout;
    put_header(layout, listing->out, true, false);
    listing->unnamed = layout->info.prefix / 4;
    if (layout->info.section_count > 1) /* their labels may have the same names */
        listing->named = NULL;
    struct afuc_run run;
    afuc_found_file(found, &run);
    open_run(listing, &run);
    listing->unit = -(int64_t)(layout->info.prefix / 4);
    struct afuc_flow flow = {.target = listing->target, .bytes = run.bytes, .words = run.words, .rows = run.rows};
    if (!afuc_flow_marks(&flow, false, run.marks)) {
        listing->out->failed = true;
        return;
    }
    put_code(listing);
    isa_lines_tail(listing->list, layout, 0, listing->words);
}

static void put_sections(struct listing *listing, const struct afuc_found *found,
                         const struct gpucode_disasm_options *options)
{
    const struct gpucode_image_info *info = &listing->layout->info;
    if (!afuc_found_sections(found, &listing->places, listing->list, options->executed)) {
        listing->out->failed = true;
        return;
    }
    put_header(listing->layout, listing->out, false, listing->places.list && options->constants_complete);
    for (unsigned i = 0; i < info->section_count; i++) {
        const char *name = info->sections[i].name;
        if (i)
            buffer_format(listing->out, "\n.section %s\n;\n; %s microcode:\n;\n", name, name);
        put_section(listing, found, i);
    }
    if (listing->places.end)
        put_end(listing);
}

void afuc_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                      struct isa_lines *list)
{
    struct buffer *out = &list->text;
    const struct gpucode_image_info *info = &layout->info;
    struct listing listing = {
        .layout = layout,
        .target = info->target,
        .list = list,
        .out = out,
        .columns = options->columns,
        .table = GPUCODE_NONE,
        .named = options->label ? options : NULL,
    };
    listing.format =
        (struct gpucode_format_options){.names = options->names,
                                        .comments = true,
                                        .label = put_label_name,
                                        .user = &listing,
                                        /* a symbol file could have a label of the register's name, which would win */
                                        .style = options->label ? 0 : options->style};
    struct afuc_found found;
    bool raw = options->raw || !sections_fit(info);
    afuc_places_begin(&listing.places, options, raw);
    if (!afuc_found_decode(&found, layout))
        out->failed = true;
    else if (raw)
        put_raw_file(&listing, &found);
    else
        put_sections(&listing, &found, options);
    afuc_found_free(&found);
}
