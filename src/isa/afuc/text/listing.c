/* SPDX-License-Identifier: MIT */
/*
 * The text of an AFUC image. Lines are those of the reference disassembler wherever its text brings the
 * same word back; docs/afuc-text.md lists the differences.
 */
#include "isa/afuc/afuc.h"

#include "base/text.h"
#include "isa/afuc/text/flow.h"

#include <stdlib.h>

#define LINE_MAX_LENGTH (2 * GPUCODE_TEXT_MAX)

struct entry_label {
    uint32_t handler;
    uint8_t length, packet;
    char name[GPUCODE_NAME_MAX];
};

/* One run of words that is printed with labels of its own. */
struct listing {
    const struct isa_layout *layout;
    const struct gpucode_target *target;
    struct gpucode_format_options format;
    struct buffer *out;
    bool columns;
    const unsigned char *bytes;        /* first word */
    uint32_t words;                    /* printed one by one */
    uint32_t table;                    /* offset in nop form prints as #jumptbl; GPUCODE_NONE: none */
    uint8_t *marks;                    /* AFUC_MARK_... per word */
    int64_t unit;                      /* first word's, in the image; negative: the prefix is printed too */
    const uint8_t *executed;           /* per word, or null */
    struct gpucode_unit_place *places; /* of the image, or null */
    struct entry_label *entries;
    unsigned entry_count;
    const struct gpucode_disasm_options *named; /* whose callback names places; null: there is none */
    unsigned section;
    uint32_t unnamed; /* words in front of the section, which have no names: the prefix of raw files */
};

static uint32_t word_at(const unsigned char *bytes, uint32_t index)
{
    const unsigned char *at = bytes + 4 * (size_t)index;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* --- lines ------------------------------------------------------------------------------------------- */

static char *begin_line(const struct listing *listing, uint32_t index)
{
    if (!buffer_reserve(listing->out, LINE_MAX_LENGTH))
        return NULL;
    char *at = buffer_end(listing->out);
    if (listing->columns) {
        *at++ = '\t';
        at = text_hex_fixed(at, index, index > 0xffff ? 8 : 4);
        at = TEXT_LITERAL(at, ": ");
        at = text_hex_fixed(at, word_at(listing->bytes, index), 8);
        at = TEXT_LITERAL(at, "  ");
    }
    return at;
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

/* A user's name of a word; 0: it has no such. */
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

static void put_raw(const struct listing *listing, uint32_t index, uint32_t word)
{
    char *at = begin_line(listing, index);
    if (!at)
        return;
    /* not the first word, which tells the target; a raw word with a label has 24 bits for it */
    if (index && listing->table <= 0xffffff && word == (0x01000000 | listing->table)) {
        end_line(listing, TEXT_LITERAL(at, "[#jumptbl]"));
        return;
    }
    *at++ = '[';
    at = text_hex_fixed(at, word, 8);
    *at++ = ']';
    if (word >= 0x100) {
        char *text = TEXT_LITERAL(at, "\t; ");
        char *end = isa_name_of(listing->target->names, listing->format.names, GPUCODE_SPACE_GPU, word, text);
        if (end > text)
            at = end;
    }
    end_line(listing, at);
}

/* A word that an instruction matches but whose text would not bring it back. */
static void put_lossy(const struct listing *listing, const struct gpucode_insn *insn)
{
    char *at = begin_line(listing, (uint32_t)insn->address);
    if (!at)
        return;
    *at++ = '[';
    at = text_hex_fixed(at, insn->bits, 8);
    at = TEXT_LITERAL(at, "]\t; nearly ");
    at = isa_format(at, insn, &listing->format);
    if (insn->exact)
        at = TEXT_LITERAL(at, ", the target is outside the code");
    else
        at = text_hex(TEXT_LITERAL(at, ", with ignored bits 0x"), insn->bits & afuc_rows.rows[insn->row].facts.ignored);
    end_line(listing, at);
}

/* Tells the caller where the next line's word is. */
static void note_place(const struct listing *listing, uint32_t index, enum gpucode_unit_kind kind)
{
    int64_t unit = listing->unit + index;
    if (listing->places && unit >= 0 && unit < listing->layout->info.units)
        listing->places[unit] = (struct gpucode_unit_place){kind, listing->out->length};
}

static void put_word(const struct listing *listing, uint32_t index)
{
    struct gpucode_insn insn;
    uint32_t word = word_at(listing->bytes, index);
    uint8_t mark = listing->marks[index];
    int row = isa_decode_row(&afuc_rows, listing->target->generation, word);
    bool data = row >= 0 && mark & AFUC_MARK_DATA;
    note_place(listing, index,
               row < 0                    ? GPUCODE_UNIT_WORD
               : data                     ? GPUCODE_UNIT_DATA
               : mark & AFUC_MARK_REACHED ? GPUCODE_UNIT_CODE
                                          : GPUCODE_UNIT_LOOSE);
    if (row < 0 || data) {
        put_raw(listing, index, word);
        return;
    }
    insn = (struct gpucode_insn){listing->target, word, index, (uint16_t)row, 4, true};
    insn.exact = (word & afuc_rows.rows[row].facts.ignored) == 0;
    if (!afuc_is_lossless(&insn, listing->words)) {
        put_lossy(listing, &insn);
        return;
    }
    char *at = begin_line(listing, index);
    if (!at)
        return;
    at = isa_format_comment(at, &insn, &listing->format);
    if ((row == AFUC_UBFX || row == AFUC_BFI) && (word & 31) > (word >> 5 & 31))
        at = TEXT_LITERAL(at, "\t;! reversed");
    end_line(listing, at);
}

/* --- labels ------------------------------------------------------------------------------------------ */

static int compare_entries(const void *a, const void *b)
{
    const struct entry_label *left = a, *right = b;
    if (left->handler != right->handler)
        return left->handler < right->handler ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* One label per entry of the packet table; false when out of memory. */
static bool name_entries(struct listing *listing, const uint32_t *handlers)
{
    listing->entries = calloc(AFUC_TABLE_ENTRIES, sizeof *listing->entries);
    if (!listing->entries)
        return false;
    for (unsigned i = 0; i < AFUC_TABLE_ENTRIES; i++) {
        struct entry_label *entry = &listing->entries[listing->entry_count++];
        entry->handler = handlers[i];
        entry->packet = (uint8_t)i;
        char *end = afuc_name(listing->target, listing->format.names, GPUCODE_SPACE_PACKET, i, entry->name);
        if (end == entry->name)
            end = text_decimal(text_string(entry->name, "UNKN"), i);
        *end = 0;
        entry->length = (uint8_t)(end - entry->name);
    }
    qsort(listing->entries, listing->entry_count, sizeof *listing->entries, compare_entries);
    return true;
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
    end = text_hex_fixed(TEXT_LITERAL(end, ":\t; packet 0x"), entry->packet, 2);
    put_line(listing, index, text, (size_t)(end - text));
}

static void put_user_labels(const struct listing *listing, uint32_t index)
{
    char text[GPUCODE_NAME_MAX + 1];
    size_t length;
    for (unsigned i = 0; (length = user_label(listing, index, i, text)); i++) {
        text[length] = ':';
        put_line(listing, index, text, length + 1);
    }
}

static void put_labels(const struct listing *listing, uint32_t index, unsigned *entry)
{
    char name[GPUCODE_NAME_MAX];
    uint8_t mark = listing->marks[index];
    bool handler = *entry < listing->entry_count && listing->entries[*entry].handler == index;
    bool named = listing->named && user_label(listing, index, 0, name);
    bool inner = (mark & (AFUC_MARK_CALLED | AFUC_MARK_BRANCHED)) == AFUC_MARK_BRANCHED;
    if ((handler || mark & AFUC_MARK_CALLED || (named && !inner)) && index)
        put_line(listing, index, "", 0);
    for (; *entry < listing->entry_count && listing->entries[*entry].handler == index; ++*entry) {
        char text[GPUCODE_NAME_MAX + 1];
        char *end = text_put(text, listing->entries[*entry].name, listing->entries[*entry].length);
        *end++ = ':';
        put_line(listing, index, text, (size_t)(end - text));
        if (listing->named)
            put_plain_entry(listing, index, &listing->entries[*entry]);
    }
    if (named) {
        put_user_labels(listing, index);
        return;
    }
    char text[32];
    if (mark & AFUC_MARK_CALLED) {
        char *end = TEXT_LITERAL(text_decimal(TEXT_LITERAL(text, "fxn"), index), ":");
        put_line(listing, index, text, (size_t)(end - text));
    }
    if (mark & AFUC_MARK_BRANCHED) {
        char *end = TEXT_LITERAL(text_decimal(TEXT_LITERAL(text, "l"), index), ":");
        put_line(listing, index, text, (size_t)(end - text));
    }
}

/* Words [0, listing->words) with labels; `handlers` may be null. */
static void put_code(struct listing *listing, const uint32_t *handlers, bool find_data)
{
    struct afuc_flow flow = {
        listing->target,  listing->bytes, listing->words, handlers, handlers ? AFUC_TABLE_ENTRIES : 0,
        listing->executed};
    listing->marks = afuc_flow_marks(&flow, find_data);
    if (!listing->marks || (handlers && !name_entries(listing, handlers))) {
        listing->out->failed = true;
    } else {
        unsigned entry = 0;
        for (uint32_t i = 0; i < listing->words && !listing->out->failed; i++) {
            put_labels(listing, i, &entry);
            put_word(listing, i);
        }
    }
    free(listing->marks);
    free(listing->entries);
    listing->marks = NULL;
    listing->entries = NULL;
    listing->entry_count = 0;
}

/* --- sections ---------------------------------------------------------------------------------------- */

static void put_tail(const struct isa_layout *layout, struct buffer *out)
{
    if (!layout->info.tail)
        return;
    buffer_text(out, ".byte ");
    for (uint32_t i = 0; i < layout->info.tail; i++)
        buffer_format(out, "%s0x%02x", i ? ", " : "", layout->bytes[layout->size - layout->info.tail + i]);
    buffer_text(out, "\n");
}

/* Words behind a packet table belong to nothing: plain numbers. */
static void put_rest(struct listing *listing, uint32_t first, uint32_t end)
{
    uint32_t table = listing->table;
    listing->table = GPUCODE_NONE;
    for (uint32_t i = first; i < end; i++) {
        note_place(listing, i, GPUCODE_UNIT_WORD);
        char *at = begin_line(listing, i);
        if (!at)
            return;
        *at++ = '[';
        at = text_hex_fixed(at, word_at(listing->bytes, i), 8);
        *at++ = ']';
        end_line(listing, at);
    }
    listing->table = table;
}

static void put_section(struct listing *listing, unsigned number, uint32_t end, const uint8_t *executed)
{
    const struct gpucode_image_info *info = &listing->layout->info;
    const struct gpucode_section *section = &info->sections[number];
    bool linear = listing->target->generation == AFUC_A5XX || section->table == GPUCODE_NONE;
    uint32_t handlers[AFUC_TABLE_ENTRIES];
    bool has_table = section->table != GPUCODE_NONE;
    for (unsigned i = 0; has_table && i < AFUC_TABLE_ENTRIES; i++)
        has_table = afuc_handler(listing->layout, number, i, &handlers[i]);
    listing->bytes = listing->layout->bytes + info->prefix + 4 * (size_t)section->start;
    listing->words = linear ? end : section->table;
    listing->unit = section->start;
    listing->executed = executed ? executed + section->start : NULL;
    listing->section = number;
    listing->table = linear ? GPUCODE_NONE : section->table;
    put_code(listing, has_table ? handlers : NULL, true);
    if (linear)
        return;
    /* the reference marks the alignment of BR and BV on a7xx, its newest edition that of every section */
    bool mark = listing->target->generation == AFUC_GEN8 ||
                (listing->target->generation == AFUC_A7XX && strcmp(section->name, "LPAC") != 0);
    if (listing->named)
        put_user_labels(listing, section->table);
    if (mark && section->table % 8 == 0)
        put_line(listing, section->table, ".align 32", 9);
    put_line(listing, section->table, "jumptbl:", 8);
    put_line(listing, section->table, ".jumptbl", 8);
    put_rest(listing, section->table + AFUC_TABLE_ENTRIES, end);
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

static void put_header(const struct isa_layout *layout, struct buffer *out, bool raw)
{
    static const char *const titles[] = {"a5xx", "a6xx", "a7xx", "a8xx"};
    const struct gpucode_image_info *info = &layout->info;
    buffer_format(out, "; %s microcode\n", titles[info->target->generation]);
    size_t first = raw ? 0 : info->prefix;
    if (layout->size >= first + 4)
        buffer_format(out, "; Version: %08x\n", word_at(layout->bytes + first, 0));
    else
        buffer_text(out, "; empty\n");
    buffer_text(out, "\n");
    /* the assembler finds the target by itself in the first raw word */
    const struct gpucode_target *found = NULL;
    if (!raw && layout->size >= first + 4) {
        uint32_t word = word_at(layout->bytes + first, 0);
        if (isa_decode_row(&afuc_rows, info->target->generation, word) < 0)
            found = afuc_target_of_id(layout->set, word >> 12 & 0xfff);
    }
    if (found != info->target)
        buffer_format(out, ".target %s\n", info->target->name);
    if (raw)
        buffer_text(out, ".raw\n");
}

void afuc_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options, struct buffer *out)
{
    const struct gpucode_image_info *info = &layout->info;
    struct listing listing = {
        .layout = layout,
        .target = info->target,
        .out = out,
        .columns = options->columns,
        .table = GPUCODE_NONE,
        .places = options->places,
        .named = options->label ? options : NULL,
    };
    listing.format = (struct gpucode_format_options){
        .names = options->names, .comments = true, .label = put_label_name, .user = &listing};
    bool raw = options->raw || !sections_fit(info);
    put_header(layout, out, raw);
    if (raw) {
        listing.unnamed = info->prefix / 4;
        if (info->section_count > 1) /* their labels may have the same names */
            listing.named = NULL;
        listing.bytes = layout->bytes;
        listing.words = (uint32_t)(layout->size / 4);
        listing.unit = -(int64_t)(info->prefix / 4);
        put_code(&listing, NULL, false);
        put_tail(layout, out);
        return;
    }
    for (unsigned i = 0; i < info->section_count; i++) {
        uint32_t next = i + 1 < info->section_count ? info->sections[i + 1].start : info->units;
        if (i) {
            const char *name = info->sections[i].name;
            buffer_format(out, "\n.section %s\n;\n; %s microcode:\n;\n", name, name);
        }
        put_section(&listing, i, next - info->sections[i].start, options->executed);
    }
}
