/* SPDX-License-Identifier: MIT */
/* The text of a shader binary. */
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/machine/spaces.h"
#include "isa/lines.h"
#include "isa/scan.h"

#include "base/text.h"

#define LINE_MAX_LENGTH (4 * GPUCODE_TEXT_MAX)
/* After so many lines most texts have told their target: before, they stand in memory, as the first line is not known.
 */
#define LINES_THAT_TELL 100

struct listing {
    const struct gpucode_disasm_options *options;
    struct gpucode_format_options format;
    struct gpucode_format_options plain; /* for instructions without reserved bits */
    struct isa_lines *list;
    struct buffer *out; /* the list's text */
    uint64_t slot;      /* issue slots so far */
};

/* "0004[00000200x_00000000x] " as the old tools write it, without the x in Mesa's style. */
static char *put_column(char *at, const struct listing *listing, uint64_t index, uint64_t word)
{
    bool seed = listing->format.style == A3XX_SEED;
    for (uint64_t limit = 1000; limit > 1 && index < limit; limit /= 10)
        *at++ = '0';
    at = text_decimal(at, index);
    *at++ = '[';
    at = text_hex_fixed(at, word >> 32, 8);
    at = seed ? TEXT_LITERAL(at, "x_") : TEXT_LITERAL(at, "_");
    at = text_hex_fixed(at, word & 0xffffffff, 8);
    return seed ? TEXT_LITERAL(at, "x] ") : TEXT_LITERAL(at, "] ");
}

static char *put_slots(char *at, uint64_t slot, unsigned count)
{
    at = text_decimal(count > 1 ? TEXT_LITERAL(at, "\t; slots ") : TEXT_LITERAL(at, "\t; slot "), slot);
    if (count > 1)
        at = text_decimal(TEXT_LITERAL(at, "-"), slot + count - 1);
    return at;
}

/* The steps of a repeat after the first, each as the instruction it amounts to. */
static void put_steps(struct listing *listing, const struct gpucode_insn *insn)
{
    for (unsigned step = 1; step <= a3xx_repeat(insn->bits); step++) {
        struct gpucode_insn one = *insn;
        one.bits = a3xx_step(insn, step);
        if (!buffer_reserve(listing->out, LINE_MAX_LENGTH))
            return;
        char *at = buffer_end(listing->out);
        if (listing->options->columns) {
            char *start = at;
            at = put_column(at, listing, insn->address, 0);
            char *open = memchr(start, '[', (size_t)(at - start));
            memset(open + 1, ' ', (size_t)(at - open) - 3);
        } else {
            at = TEXT_LITERAL(at, "\t; ");
        }
        at = isa_format(at, &one, &listing->format);
        *at++ = '\n';
        buffer_commit(listing->out, at);
    }
}

/* gpucode_format_options.label */
static size_t target_name(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct gpucode_disasm_options *options = user;
    (void)insn;
    return options->label(options->user, 0, address, 0, text, size);
}

static void put_labels(const struct listing *listing, uint32_t index)
{
    char name[GPUCODE_NAME_MAX];
    size_t length;
    for (unsigned i = 0;
         (length = listing->options->label(listing->options->user, 0, index, i, name, sizeof name)) != 0 &&
         length <= sizeof name && buffer_reserve(listing->out, LINE_MAX_LENGTH);
         i++) {
        isa_lines_mark(listing->list, GPUCODE_MARK_SYMBOL, listing->out->length, length);
        char *at = text_put(buffer_end(listing->out), name, length);
        *at++ = ':';
        *at++ = '\n';
        buffer_commit(listing->out, at);
    }
}

/* Records the unit of a line that stands from `start` to `end` but is not ended yet; its comment begins at `middle`. */
static void note_unit(const struct listing *listing, const struct gpucode_insn *insn, const char *start,
                      const char *middle, const char *end)
{
    if (!listing->list->recorded)
        return;
    bool raw = insn->row == A3XX_RAW;
    struct gpucode_unit unit = {.at = insn->address,
                                .bits = insn->bits,
                                .unit = (uint32_t)insn->address,
                                .row = raw ? GPUCODE_ROW_NONE : insn->row,
                                .size = 8,
                                .kind = raw ? GPUCODE_UNIT_DATA : GPUCODE_UNIT_CODE,
                                .reached = true};
    isa_lines_spans(listing->list, &unit, ";", start, middle, end);
    isa_lines_keep_unit(listing->list, &unit);
}

static void put_insn(struct listing *listing, const struct isa_layout *layout, uint32_t index)
{
    if (listing->options->label)
        put_labels(listing, index);
    uint64_t reserved;
    struct gpucode_insn insn = a3xx_insn_known(layout->set->targets.list, layout->bytes, index, &reserved);
    insn.exact = true;
    if (!buffer_reserve(listing->out, LINE_MAX_LENGTH))
        return;
    char *at = buffer_end(listing->out);
    if (listing->options->columns)
        at = put_column(at, listing, index, insn.bits);
    char *start = at;
    char *middle = at = a3xx_rows_text[insn.row](at, &insn, reserved ? &listing->format : &listing->plain);
    if (insn.row == A3XX_RAW || listing->format.names)
        at = a3xx_comment(at, &insn, &listing->format);
    unsigned slots = insn.row == A3XX_RAW ? 1 : a3xx_repeat(insn.bits) + 1;
    if (listing->options->cycles)
        at = put_slots(at, listing->slot, slots);
    listing->slot += slots;
    note_unit(listing, &insn, start, middle, at);
    *at++ = '\n';
    buffer_commit(listing->out, at);
    if (listing->options->expand && slots > 1)
        put_steps(listing, &insn);
}

/* Does the assembler find the target in the text so far? The first line that tells decides for all of it. */
static bool tells_target(const struct isa_layout *layout, const struct buffer *out, size_t start)
{
    return a3xx_assembler.detect(layout->set, layout->elsewhere, out->bytes + start, out->length - start);
}

/* Puts `.target` in front of the text, which begins at `start`. */
static void put_target(struct isa_lines *list, size_t start)
{
    static const char line[] = ".target a3xx\n";
    struct buffer *out = &list->text;
    if (!buffer_reserve(out, sizeof line))
        return;
    memmove(out->bytes + start + sizeof line - 1, out->bytes + start, out->length - start);
    memcpy(out->bytes + start, line, sizeof line - 1);
    out->length += sizeof line - 1;
    isa_lines_move(list, start, sizeof line - 1);
}

void a3xx_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                      struct isa_lines *list)
{
    struct buffer *out = &list->text;
    struct listing listing = {
        .options = options, .format = {.names = options->names, .style = options->style}, .list = list, .out = out};
    size_t start = out->length;
    bool (*flush)(void *user, const char *bytes, size_t length) = out->flush;
    bool told = options->columns; /* no line is needed from which the assembler knows the target */
    if (options->label) {
        listing.format.label = target_name;
        listing.format.user = (void *)(uintptr_t)options;
    }
    listing.plain = listing.format;
    if (!options->label)
        listing.plain.user = (void *)(uintptr_t)a3xx_nothing_reserved;
    if (!told)
        out->flush = NULL;
    for (uint32_t i = 0; i < layout->info.units && !out->failed; i++) {
        put_insn(&listing, layout, i);
        if (i == LINES_THAT_TELL && !told && (told = tells_target(layout, out, start)))
            out->flush = flush;
    }
    isa_lines_tail(list, layout, 0, layout->info.units);
    if (!told && !out->failed && !tells_target(layout, out, start))
        put_target(list, start);
    out->flush = flush;
}

/* Comments of listings. */

/* Was the register named before in the text? */
static bool is_seen(const char *text, const char *token, size_t length)
{
    for (const char *at = text; at + length <= token; at++)
        if (memcmp(at, token, length) == 0 && !isa_name_byte(at[length]) && at[length] != '.' &&
            (at == text || !isa_name_byte(at[-1])))
            return true;
    return false;
}

/* "r1.y = uv, c0.x = scale": the names that users gave to registers of an instruction's text. */
static char *put_names(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_format_options plain = {.style = options->style};
    const char *end = isa_format(text, insn, &plain), *limit = at + GPUCODE_TEXT_MAX / 2;
    const char *between = "\t; ";
    for (const char *token = text; token < end;) {
        size_t length = 0;
        while (token + length < end && (isa_name_byte(token[length]) || token[length] == '.'))
            length++;
        unsigned space;
        uint32_t number;
        char name[GPUCODE_NAME_MAX];
        if (shader_find_register(&a3xx_spaces, token, length, &space, &number) && !is_seen(text, token, length)) {
            char *name_end = isa_name_of(NULL, options->names, (enum gpucode_space)space, number, name);
            size_t named = (size_t)(name_end - name);
            if (named && (size_t)(limit - at) > named + length + 8) {
                at = text_put(text_string(at, between), token, length);
                at = text_put(TEXT_LITERAL(at, " = "), name, named);
                between = ", ";
            }
        }
        token += length ? length : 1;
    }
    return at;
}

bool a3xx_own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    return shader_find_register(&a3xx_spaces, text, length, space, number);
}

char *a3xx_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != A3XX_RAW)
        return options->names ? put_names(at, insn, options) : at;
    int row = isa_decode_row(&a3xx_rows, 0, insn->bits);
    if (row == A3XX_RAW)
        return shader_category(insn->bits) == 7 ? TEXT_LITERAL(at, "\t; category 7, barriers of later generations")
                                                : TEXT_LITERAL(at, "\t; no instruction of A3XX");
    struct gpucode_insn nearly = *insn;
    nearly.row = (uint16_t)row;
    at = isa_format(TEXT_LITERAL(at, "\t; nearly "), &nearly, options);
    return TEXT_LITERAL(at, ", an operand of which is not allowed");
}
