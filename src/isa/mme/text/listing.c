/* SPDX-License-Identifier: MIT */
/*
 * The text of a macro: that of envydis, with labels where branches go. What an assembler would not bring back is
 * written as a number, and a comment says what it nearly is.
 */
#include "base/text.h"
#include "isa/assembler.h"
#include "isa/lines.h"
#include "isa/mme/mme.h"

#include <stdlib.h>
#include <string.h>

#define LINE_ROOM (4 * GPUCODE_TEXT_MAX)

struct listing {
    const struct isa_layout *layout;
    const struct gpucode_disasm_options *options;
    struct gpucode_format_options format;
    struct isa_lines *lines;
    struct buffer *out;     /* the lines' text */
    const uint8_t *targets; /* a byte per word: a branch goes there */
};

/* A label of the caller's, or one made up for a branch; 0: there is none. */
static size_t label_at(const struct listing *listing, uint64_t unit, unsigned index, char *text, size_t size)
{
    const struct gpucode_disasm_options *options = listing->options;
    size_t length = options->label ? options->label(options->user, 0, unit, index, text, size) : 0;
    if (length || index || unit >= listing->layout->info.units || !listing->targets[unit])
        return length;
    return (size_t)(text_decimal(TEXT_LITERAL(text, "l"), unit) - text);
}

static size_t target_label(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    (void)insn;
    return label_at(user, address, 0, text, size);
}

static void write_labels(const struct listing *listing, uint32_t unit)
{
    const struct gpucode_disasm_options *options = listing->options;
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0;; i++) {
        bool given = options->label && options->label(options->user, 0, unit, i, name, sizeof name) != 0;
        size_t length = label_at(listing, unit, i, name, sizeof name);
        if (!length || length > sizeof name || !buffer_reserve(listing->out, LINE_ROOM))
            return;
        isa_lines_mark(listing->lines, given ? GPUCODE_MARK_SYMBOL : GPUCODE_MARK_BRANCHED, listing->out->length,
                       length);
        char *at = text_put(buffer_end(listing->out), name, length);
        *at++ = ':';
        *at++ = '\n';
        buffer_commit(listing->out, at);
    }
}

/* An instruction of which other tools have no text. */
static bool is_ours_alone(int row)
{
    return row == MME_LOAD_READ || row == MME_MADDR_READ || row == MME_LOAD_SEND_READ || row == MME_SEND_READ ||
           row == MME_LOAD_MADDR_READ || row == MME_MADDR_SEND_PARM_READ || row == MME_MADDR_SEND_READ;
}

/* What a word nearly is that is written as a number. */
static char *write_nearly(char *at, const struct listing *listing, const struct gpucode_insn *insn, int row)
{
    uint32_t word = (uint32_t)insn->bits;
    at = TEXT_LITERAL(at, "\t// ");
    if (row >= 0)
        return isa_format(TEXT_LITERAL(at, "nearly "), insn, &listing->format);
    if ((word & 7) == 6)
        return TEXT_LITERAL(at, "no instruction: operation 6");
    return text_decimal(TEXT_LITERAL(at, "no instruction: operation of registers "), mme_operation(word));
}

/* Ends the line of `size` bytes that begins at `start` and has its comment from `middle` on. */
static void end_line(const struct listing *listing, uint32_t at, uint64_t bits, unsigned size, int row, bool is_code,
                     const char *start, const char *middle, char *end)
{
    struct gpucode_unit unit = {.at = at,
                                .bits = bits,
                                .unit = at,
                                .row = row < 0 ? GPUCODE_ROW_NONE : (uint16_t)row,
                                .size = (uint8_t)size,
                                .kind = is_code ? GPUCODE_UNIT_CODE : GPUCODE_UNIT_DATA,
                                .reached = true};
    isa_lines_spans(listing->lines, &unit, "//", start, middle, end);
    isa_lines_unit(listing->lines, &unit);
    *end++ = '\n';
    buffer_commit(listing->out, end);
}

static void write_word(const struct listing *listing, uint32_t unit)
{
    uint32_t word = mme_word_at(listing->layout, unit);
    int row = isa_row_of(listing->layout->info.target, word);
    struct gpucode_insn insn = {.target = listing->layout->info.target,
                                .bits = word,
                                .address = unit,
                                .row = (uint16_t)(row < 0 ? 0 : row),
                                .size = 4,
                                .exact = true};
    bool is_code = row >= 0 && !(word & mme_rows.rows[row].facts.ignored) && !is_ours_alone(row);
    if (!buffer_reserve(listing->out, LINE_ROOM))
        return;
    char *start = buffer_end(listing->out), *middle, *end;
    if (listing->options->columns) {
        start = text_hex_fixed(start, unit, 4);
        start = text_hex_fixed(TEXT_LITERAL(start, ": "), word, 8);
        start = TEXT_LITERAL(start, "  ");
    }
    if (is_code) {
        middle = end = isa_format(start, &insn, &listing->format);
    } else {
        middle = text_hex_fixed(TEXT_LITERAL(start, ".b32 0x"), word, 8);
        end = write_nearly(middle, listing, &insn, row);
    }
    end_line(listing, unit, word, 4, row, is_code, start, middle, end);
}

/* One to three bytes after the last word. */
static void write_tail(const struct listing *listing)
{
    const struct isa_layout *layout = listing->layout;
    uint64_t bits = 0;
    if (!layout->info.tail || !buffer_reserve(listing->out, LINE_ROOM))
        return;
    char *start = buffer_end(listing->out), *at = TEXT_LITERAL(start, ".b8");
    for (uint32_t i = 0; i < layout->info.tail; i++) {
        unsigned char byte = layout->bytes[layout->size - layout->info.tail + i];
        at = text_hex_fixed(TEXT_LITERAL(at, " 0x"), byte, 2);
        bits |= (uint64_t)byte << 8 * i;
    }
    end_line(listing, layout->info.units, bits, layout->info.tail, -1, false, start, at, at);
}

/* Puts the mark in front of the text, unless the assembler finds out without it what the text is. */
static void put_mark(const struct listing *listing, size_t start)
{
    static const char line[] = MME_MARK "\n";
    const struct isa_layout *layout = listing->layout;
    struct buffer *out = listing->out;
    size_t length = out->length - start;
    if (!length || listing->options->columns || out->failed ||
        mme_assembler.detect(layout->set, layout->elsewhere, out->bytes + start, length) ||
        !buffer_reserve(out, sizeof line))
        return;
    memmove(out->bytes + start + sizeof line - 1, out->bytes + start, length);
    memcpy(out->bytes + start, line, sizeof line - 1);
    out->length += sizeof line - 1;
    isa_lines_move(listing->lines, start, sizeof line - 1);
}

static void find_targets(const struct isa_layout *layout, uint8_t *targets)
{
    for (uint32_t unit = 0; unit < layout->info.units; unit++) {
        uint32_t word = mme_word_at(layout, unit);
        int row = isa_row_of(layout->info.target, word);
        int64_t target = (int64_t)unit + mme_immediate(word);
        if (mme_is_branch(row) && !(word & mme_rows.rows[row].facts.ignored) && target >= 0 &&
            target < layout->info.units)
            targets[target] = 1;
    }
}

void mme_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                     struct isa_lines *lines)
{
    uint8_t *targets = calloc((size_t)layout->info.units + 1, 1);
    struct listing listing = {
        .layout = layout, .options = options, .lines = lines, .out = &lines->text, .targets = targets};
    size_t start = lines->text.length;
    bool (*flush)(void *user, const char *bytes, size_t length) = lines->text.flush;
    lines->text.flush = NULL; /* what the text says of itself is known when all of it is there */
    listing.format = (struct gpucode_format_options){
        .names = options->names, .style = options->style, .label = target_label, .user = &listing};
    lines->text.failed |= !targets;
    if (targets)
        find_targets(layout, targets);
    for (uint32_t unit = 0; unit < layout->info.units && !lines->text.failed; unit++) {
        write_labels(&listing, unit);
        write_word(&listing, unit);
    }
    write_tail(&listing);
    put_mark(&listing, start);
    lines->text.flush = flush;
    free(targets);
}

/* Is a text a macro? Sources of other tools name no target, and neither do our listings, which those tools take. */

static size_t word_length(const struct isa_scan *scan)
{
    size_t length = 0;
    while (scan->at + length < scan->end && isa_name_byte(scan->at[length]))
        length++;
    return length;
}

/* Does the rest of the line name a register as no other set writes them: $r1? */
static bool names_register(const struct isa_scan *scan)
{
    for (const char *at = scan->at; scan->end - at > 2 && *at != '\n'; at++)
        if (at[0] == '$' && at[1] == 'r' && at[2] >= '0' && at[2] < '0' + MME_REGISTERS &&
            (scan->end - at == 3 || !isa_name_byte(at[3])))
            return true;
    return false;
}

/* To the end of the line, over a comment that goes on after it. */
static void pass_line(struct isa_scan *scan)
{
    for (isa_skip_line(scan); scan->at < scan->end && *scan->at != '\n'; isa_skip_line(scan))
        scan->at++;
}

/* 1: only macros have such a statement; 0: it says nothing and is passed over; -1: no macro has it. */
static int judge_statement(struct isa_scan *scan, isa_elsewhere *elsewhere)
{
    size_t length = word_length(scan);
    const char *word = scan->at;
    scan->at += length;
    isa_skip_line(scan);
    if (length && scan->at < scan->end && *scan->at == ':') {
        scan->at++;
        return 0;
    }
    if (length == 4 && memcmp(word, "exit", 4) == 0 && word_length(scan))
        return judge_statement(scan, elsewhere);
    bool directive = *word == '.'; /* nearly all of them stand for several sets */
    if (!directive && !(length && isa_find_mnemonic(scan->isa, word, length)))
        return -1;
    if (!directive && (!elsewhere(scan->isa, word, length) || names_register(scan)))
        return 1;
    pass_line(scan);
    return 0;
}

static const struct gpucode_target *detect_macro(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                                 size_t length)
{
    struct isa_scan scan = {.at = text, .end = text + length, .isa = set, .target = set->targets.list};
    if (length > sizeof MME_MARK - 1 && memcmp(text, MME_MARK, sizeof MME_MARK - 1) == 0)
        return set->targets.list;
    for (;;) {
        isa_skip_space(&scan);
        if (scan.at < scan.end && *scan.at == '\n') {
            scan.at++;
            continue;
        }
        int verdict = scan.at < scan.end ? judge_statement(&scan, elsewhere) : -1;
        if (verdict)
            return verdict > 0 ? set->targets.list : NULL;
    }
}

const struct isa_assembler mme_assembler = {.detect = detect_macro};
