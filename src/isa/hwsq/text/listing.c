/* SPDX-License-Identifier: MIT */
/*
 * The text of HWSQ code: the reference disassembler's, and beyond it bytes that no instruction brings back
 * as numbers, and the names of the registers that are written.
 */
#include "base/text.h"
#include "isa/hwsq/hwsq.h"
#include "isa/lines.h"

#include "hwsq_rows.inc" /* the rows of insn.def as tools/rowc.c compiled them */

#define LINE_ROOM (2 * GPUCODE_TEXT_MAX)
#define TEXT_COLUMN 29 /* of the line with columns: the reference's */
#define ONE_BYTE_TEXT 48

/* What instructions begin with a byte; the lines of those that it is all of are made once: most code is such. */
struct opcode {
    uint8_t length; /* of the line; 0: no one-byte instruction */
    uint8_t size;   /* bytes of the instruction; 0: the byte alone does not tell */
    uint16_t row;
    char text[ONE_BYTE_TEXT];
};

/* What is printed: code that starts at address `base`. */
struct hwsq_text {
    const struct gpucode_target *target;
    const struct gpucode_names *names;
    const unsigned char *bytes;
    size_t size;
    uint32_t base;
    bool columns;
    /* names of places, as in gpucode_disasm_options; null: none */
    size_t (*label)(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size);
    void *user;
};

struct listing {
    const struct hwsq_text *text;
    struct gpucode_format_options format;
    struct isa_lines *list;
    struct buffer *out; /* the list's text */
    uint32_t high;      /* upper half of ADDR */
    bool high_known;    /* a full address stood before */
    struct opcode opcodes[256];
};

static char *put_columns(char *line, const struct listing *listing, size_t offset, unsigned size)
{
    if (!listing->text->columns)
        return line;
    char *at = text_hex_fixed(line, listing->text->base + offset, 8);
    *at++ = ':';
    for (unsigned i = 0; i < size; i++) {
        *at++ = ' ';
        at = text_hex_fixed(at, listing->text->bytes[offset + i], 2);
    }
    while (at < line + TEXT_COLUMN)
        *at++ = ' ';
    return at;
}

/* Records the unit of a line that stands from `start` to `end` but is not ended yet; its comment begins at `middle`. */
static void note_unit(const struct listing *listing, size_t offset, unsigned size, int row, const char *start,
                      const char *middle, const char *end)
{
    if (!listing->list->recorded)
        return;
    struct gpucode_unit unit = {.at = offset,
                                .unit = (uint32_t)offset,
                                .row = row < 0 ? GPUCODE_ROW_NONE : (uint16_t)row,
                                .size = (uint8_t)size,
                                .kind = row < 0 ? GPUCODE_UNIT_DATA : GPUCODE_UNIT_CODE,
                                .reached = true};
    for (unsigned i = 0; i < size; i++)
        unit.bits |= (uint64_t)listing->text->bytes[offset + i] << 8 * i;
    isa_lines_spans(listing->list, &unit, "//", start, middle, end);
    isa_lines_keep_unit(listing->list, &unit);
}

static void put_byte(const struct listing *listing, size_t offset, const char *why, const char *mnemonic)
{
    if (!buffer_reserve(listing->out, LINE_ROOM))
        return;
    char *start = put_columns(buffer_end(listing->out), listing, offset, 1);
    char *middle = text_hex_fixed(TEXT_LITERAL(start, ".b8 0x"), listing->text->bytes[offset], 2);
    char *at = text_string(TEXT_LITERAL(middle, "\t// "), why);
    if (mnemonic)
        at = text_string(at, mnemonic);
    note_unit(listing, offset, 1, -1, start, middle, at);
    *at++ = '\n';
    buffer_commit(listing->out, at);
}

/* The register that a short address means, as far as the addresses before it tell. */
static char *put_register(char *at, struct listing *listing, const struct gpucode_insn *insn)
{
    uint32_t value = (uint32_t)(insn->bits >> 8);
    if (insn->row == HWSQ_ADDR) {
        listing->high = value & 0xffff0000;
        listing->high_known = true;
    } else if (insn->row != HWSQ_ADDRLO || !listing->high_known) {
        return at;
    } else {
        value |= listing->high;
    }
    char *text = TEXT_LITERAL(at, "\t// ");
    char *end = isa_name_of(insn->target->names, listing->format.names, GPUCODE_SPACE_GPU, value, text);
    if (end > text)
        return end;
    if (insn->row == HWSQ_ADDR)
        return at;
    return text_hex_fixed(TEXT_LITERAL(text, "0x"), value, 6);
}

/* The user's labels at the `size` bytes of an instruction. Those inside of it cannot be written; a comment names them.
 */
static void put_labels(const struct listing *listing, size_t offset, size_t size)
{
    char name[GPUCODE_NAME_MAX];
    for (size_t i = 0; i < size; i++) {
        size_t length;
        for (unsigned index = 0;
             (length = listing->text->label(listing->text->user, 0, offset + i, index, name, sizeof name)) != 0 &&
             length <= sizeof name && buffer_reserve(listing->out, LINE_ROOM);
             index++) {
            char *at = buffer_end(listing->out);
            if (i)
                at = text_string(text_decimal(TEXT_LITERAL(at, "\t// "), i),
                                 i > 1 ? " bytes further: " : " byte further: ");
            if (!i)
                isa_lines_mark(listing->list, GPUCODE_MARK_SYMBOL, (size_t)(at - listing->out->bytes), length);
            at = text_put(at, name, length);
            if (!i)
                *at++ = ':';
            *at++ = '\n';
            buffer_commit(listing->out, at);
        }
    }
}

/* How many bytes put_insn() will print. */
static size_t insn_size(const struct listing *listing, size_t offset)
{
    const struct hwsq_text *text = listing->text;
    struct gpucode_insn insn;
    enum gpucode_status status =
        gpucode_decode(text->target, text->bytes + offset, text->size - offset, text->base + offset, &insn);
    return status == GPUCODE_OK ? insn.size : status == GPUCODE_ERROR_TRUNCATED ? text->size - offset : 1;
}

/* Bytes taken by the instruction at `offset`, which is printed. */
static size_t put_insn(struct listing *listing, size_t offset)
{
    const struct hwsq_text *text = listing->text;
    struct gpucode_insn insn;
    enum gpucode_status status =
        gpucode_decode(text->target, text->bytes + offset, text->size - offset, text->base + offset, &insn);
    if (status == GPUCODE_ERROR_TRUNCATED) {
        int row = isa_decode_row(&hwsq_rows, text->target->generation, text->bytes[offset]);
        for (size_t i = offset; i < text->size; i++)
            put_byte(listing, i, i == offset && row >= 0 ? "cut off: " : "cut off",
                     i == offset && row >= 0 ? hwsq_rows.rows[row].facts.mnemonic : NULL);
        return text->size - offset;
    }
    if (status != GPUCODE_OK) {
        put_byte(listing, offset, "unknown", NULL);
        return 1;
    }
    if (!insn.exact) {
        char nearly[GPUCODE_TEXT_MAX];
        char *end = TEXT_LITERAL(isa_format(nearly, &insn, &listing->format), ", with reserved bits");
        *end = 0;
        put_byte(listing, offset, "nearly ", nearly);
        for (unsigned i = 1; i < insn.size; i++)
            put_byte(listing, offset + i, "operand", NULL);
        return insn.size;
    }
    if (!buffer_reserve(listing->out, LINE_ROOM))
        return insn.size;
    char *start = put_columns(buffer_end(listing->out), listing, offset, insn.size);
    char *middle = isa_format(start, &insn, &listing->format);
    char *at = put_register(middle, listing, &insn);
    note_unit(listing, offset, insn.size, insn.row, start, middle, at);
    *at++ = '\n';
    buffer_commit(listing->out, at);
    return insn.size;
}

static void make_opcodes(struct listing *listing)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned char code = (unsigned char)byte;
        struct gpucode_insn insn;
        struct opcode *opcode = &listing->opcodes[byte];
        char text[GPUCODE_TEXT_MAX];
        int row = isa_row_of(listing->text->target, byte);
        if (row < 0 || hwsq_rows.rows[row].facts.mask > 0xff)
            continue;
        opcode->row = (uint16_t)row;
        opcode->size = hwsq_rows.rows[row].facts.size;
        if (gpucode_decode(listing->text->target, &code, 1, 0, &insn) != GPUCODE_OK)
            continue;
        char *end = isa_format(text, &insn, &listing->format);
        *end++ = '\n';
        if (end - text <= ONE_BYTE_TEXT) {
            opcode->length = (uint8_t)(end - text);
            memcpy(opcode->text, text, (size_t)(end - text));
        }
    }
}

/*
 * Prints the instruction at `offset`, which its first byte has told, without columns. False: bytes after it are needed
 * that there are not, or its text would not bring it back; nothing is printed.
 */
static bool put_known(struct listing *listing, size_t offset, const struct opcode *opcode)
{
    const struct hwsq_text *text = listing->text;
    if (!opcode->size || text->size - offset < 8 || !buffer_reserve(listing->out, LINE_ROOM))
        return false;
    uint64_t bits = text_load64(text->bytes + offset) & ~UINT64_C(0) >> (64 - 8 * opcode->size);
    if (bits & hwsq_rows.rows[opcode->row].facts.ignored)
        return false;
    struct gpucode_insn insn = {text->target, bits, text->base + offset, opcode->row, opcode->size, true};
    char *start = buffer_end(listing->out);
    char *middle = hwsq_rows_text[insn.row](start, &insn, &listing->format);
    char *at = put_register(middle, listing, &insn);
    note_unit(listing, offset, insn.size, insn.row, start, middle, at);
    *at++ = '\n';
    buffer_commit(listing->out, at);
    return true;
}

static void put_code(const struct hwsq_text *text, struct isa_lines *list)
{
    struct buffer *out = &list->text;
    struct listing listing = {.text = text, .list = list, .out = out, .format = {.names = text->names}};
    if (!text->columns)
        make_opcodes(&listing);
    for (size_t offset = 0; offset < text->size && !out->failed;) {
        const struct opcode *line = &listing.opcodes[text->bytes[offset]];
        if (text->label)
            put_labels(&listing, offset, line->length ? 1 : insn_size(&listing, offset));
        if (!line->length) {
            offset += put_known(&listing, offset, line) ? line->size : put_insn(&listing, offset);
        } else if (buffer_reserve(out, ONE_BYTE_TEXT)) {
            memcpy(buffer_end(out), line->text, ONE_BYTE_TEXT);
            const char *end = buffer_end(out) + line->length - 1;
            note_unit(&listing, offset, 1, line->row, buffer_end(out), end, end);
            out->length += line->length;
            offset++;
        }
    }
}

void hwsq_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                      struct isa_lines *list)
{
    struct buffer *out = &list->text;
    struct hwsq_text text = {.target = layout->info.target,
                             .names = options->names,
                             .bytes = layout->bytes,
                             .size = layout->size,
                             .columns = options->columns,
                             .label = options->label,
                             .user = options->user};
    buffer_text(out, HWSQ_MARK);
    buffer_text(out, text.target->name);
    if (text.size > hwsq_chip_of(text.target)->code_bytes)
        buffer_text(out, HWSQ_MARK_OVERSIZE);
    buffer_text(out, "\n");
    put_code(&text, list);
}
