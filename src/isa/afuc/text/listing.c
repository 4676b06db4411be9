/* SPDX-License-Identifier: MIT */
/*
 * The text of an AFUC image. Lines are those of the reference disassembler wherever its text brings the
 * same word back; docs/afuc-text.md lists the differences.
 */
#include "isa/afuc/text/listing.h"

/*
 * Marks where preemption enters: the first constant that is written to %PREEMPT_INSTR, as there is one label of that
 * name.
 */
static void mark_preempt(const struct listing *listing)
{
    const uint16_t *rows = listing->rows;
    const uint32_t words = listing->words, preempt = afuc_preempt_number(listing->target);
    bool found = false;
    for (uint32_t i = 1; !found && (i = afuc_next_word(rows, i, words, AFUC_SWRITE + 1)) < words; i++) {
        unsigned reg = afuc_preempt_source(listing->target, preempt, afuc_word_at(listing->bytes, i));
        for (uint32_t back = 1; reg != AFUC_NO_REGISTER && back <= AFUC_PREEMPT_WORDS && back <= i; back++) {
            uint32_t word = afuc_word_at(listing->bytes, i - back);
            int row = afuc_row_of(listing->rows[i - back]);
            bool loads = afuc_is_move((unsigned)row) && (word >> 16 & 31) == reg;
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
            afuc_listing_entry_name(listing, name, constant->to, false) == name)
            listing->marks[constant->to] |= AFUC_MARK_BRANCHED;
}

/* A word with all that can stand around it. */
static void put_any(struct listing *listing, uint32_t index, unsigned *entry)
{
    bool handler = *entry < listing->entry_count && listing->entries[*entry].handler == index;
    if (handler || !index || listing->named || listing->marks[index] & AFUC_MARK_LABELS)
        afuc_listing_labels(listing, index, entry);
    else
        listing->list->begins = false;
    bool place = index == listing->places.at;
    if (!place || !afuc_listing_place(listing, index))
        afuc_listing_word(listing, index);
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

/* Marks of words that put_plain() is not for. */
#define MARKS_SPECIAL (AFUC_MARK_DATA | AFUC_MARK_PREEMPT | AFUC_MARK_OUTSIDE)

/* Labels that are made up, for a listing without columns. */
static char *put_made_up(char *at, uint8_t marks, uint32_t index)
{
    if (marks & AFUC_MARK_CALLED) {
        at = text_decimal(TEXT_LITERAL(at, "\nfxn"), index);
        at = TEXT_LITERAL(at, ":\n");
    }
    if (marks & AFUC_MARK_BRANCHED) {
        *at++ = 'l';
        at = TEXT_LITERAL(text_decimal(at, index), ":\n");
    }
    return at;
}

/* The line of an instruction without a label, in a listing with names of the caller's; that without, see below. */
static __attribute__((noinline)) char *put_named(char *at, const struct listing *listing, uint32_t index)
{
    uint16_t known = listing->rows[index];
    const struct gpucode_insn insn = {
        listing->target, afuc_word_at(listing->bytes, index), index, (uint16_t)afuc_row_of(known), 4, true};
    at = afuc_rows_text[insn.row](at, &insn, &listing->near);
    return known & AFUC_WORD_NAMES ? afuc_comment(at, &insn, &listing->near) : at;
}

/*
 * Words from `i` on, up to `stop`, of which each is an instruction with no label but a made-up one: what most words
 * are. What the writing of bytes cannot change stands in variables. Gives the word that is not, or `stop`.
 */
static uint32_t put_plain(const struct listing *listing, uint32_t i, uint32_t stop)
{
    const bool named = listing->near.names || listing->near.style;
    const struct gpucode_target *target = listing->target;
    const uint16_t *rows = listing->rows;
    const uint8_t *marks = listing->marks;
    const unsigned char *bytes = listing->bytes;
    struct buffer *out = listing->out;
    while (i < stop && buffer_reserve(out, LINE_MAX_LENGTH)) {
        char *at = buffer_end(out), *full = out->bytes + out->room - LINE_MAX_LENGTH;
        for (; at <= full; i++) {
            uint16_t known = rows[i];
            uint8_t mark = marks[i];
            if (i == stop || (mark & MARKS_SPECIAL) | (known & (AFUC_WORD_RARE | AFUC_WORD_LOSSY))) {
                buffer_commit(out, at);
                return i;
            }
            if (mark & AFUC_MARK_LABELS)
                at = put_made_up(at, mark, i);
            at = named ? put_named(at, listing, i)
                       : afuc_rows_line[afuc_row_of(known)](at, afuc_word_at(bytes, i), i, target);
            *at++ = '\n';
        }
        buffer_commit(out, at);
    }
    return i;
}

/* Words [0, listing->words) with labels. */
static void put_code(struct listing *listing)
{
    const uint32_t words = listing->words;
    unsigned entry = 0;
    for (uint32_t i = 0; i < words;) {
        i = put_plain(listing, i, next_special(listing, i, entry));
        if (listing->out->failed)
            return;
        if (i < words)
            put_any(listing, i++, &entry);
    }
}

/* --- sections ---------------------------------------------------------------------------------------- */

/* Words after a packet table belong to nothing: plain numbers. */
static void put_rest(struct listing *listing, uint32_t first, uint32_t end)
{
    uint32_t table = listing->table;
    listing->table = GPUCODE_NONE;
    for (uint32_t i = first; i < end; i++) {
        char *start = listing_begin_line(listing, i), *at = start;
        if (!start)
            return;
        *at++ = '[';
        at = text_hex_fixed(at, afuc_word_at(listing->bytes, i), 8);
        *at++ = ']';
        listing_note_unit(listing, i, GPUCODE_UNIT_DATA, -1, start, at, at);
        listing_end_line(listing, at);
    }
    listing->table = table;
}

/* The packet table: one line, which is that of its first entry. */
static void put_table(const struct listing *listing, uint32_t table)
{
    afuc_listing_label(listing, table, GPUCODE_MARK_TABLE, "jumptbl:", 7, 8);
    char *start = listing_begin_line(listing, table);
    if (!start)
        return;
    char *end = TEXT_LITERAL(start, ".jumptbl");
    for (uint32_t i = 0; i < AFUC_TABLE_ENTRIES; i++)
        listing_note_unit(listing, table + i, GPUCODE_UNIT_TABLE, -1, i ? end : start, end, end);
    listing_end_line(listing, end);
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
        afuc_listing_name_entries(listing, run->handlers);
    listing->gathered = afuc_listing_find_gathered(listing);
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
        afuc_listing_user_labels(listing, table);
    if (mark && table % 8 == 0)
        afuc_listing_line(listing, table, ".align 32", 9);
    put_table(listing, table);
    put_rest(listing, table + AFUC_TABLE_ENTRIES, run.end);
}

/* --- the file ------------------------------------------------------------------------------------------ */

/* "end:", after the last word. */
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
    listing_end_line(listing, text_put(at, text, (size_t)(end - text)));
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
    /* all words of a file have its leading zero among them, which says nothing of the version */
    size_t version = raw && layout->size >= 8 && !afuc_word_at(layout->bytes, 0) ? 4 : first;
    if (layout->size >= first + 4)
        buffer_format(out, "; Version: %08x\n", afuc_word_at(layout->bytes + version, 0));
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
    afuc_flow_finish(&flow, run.marks);
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
        .gathers = options->gathered,
        .gathered = GPUCODE_NONE,
    };
    listing.format =
        (struct gpucode_format_options){.names = options->names,
                                        .comments = true,
                                        .label = afuc_listing_target_name,
                                        .user = &listing,
                                        /* a symbol file could have a label of the register's name, which would win */
                                        .style = options->label ? 0 : options->style};
    listing.near = listing.format;
    if (!listing.named)
        listing.near.label = NULL;
    struct afuc_found found;
    bool raw = options->raw || !sections_fit(info);
    afuc_places_begin(&listing.places, options, raw);
    if (!afuc_found_decode(&found, layout, !raw && (options->constants || options->constants_complete)))
        out->failed = true;
    else if (raw)
        put_raw_file(&listing, &found);
    else
        put_sections(&listing, &found, options);
    afuc_found_free(&found);
}
