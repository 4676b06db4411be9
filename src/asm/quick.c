/* SPDX-License-Identifier: MIT */
/*
 * Lines as listings have them, of which there are many: a label, or an instruction on a line of its own. They are read
 * once, and nothing is kept of them but the bits. Whatever else stands on a line, and whatever is wrong with it, is
 * left to assemble.c from the beginning of its statement, so that one place alone knows all that may be written.
 */
#include "asm/context.h"
#include "isa/scan.h"

/* Does a statement end at the cursor, which does not stand at a newline? Moves over white space and comments. */
static bool ends_later(struct isa_scan *scan)
{
    isa_skip_line(scan);
    char c = scan->at < scan->end ? *scan->at : 0;
    return c == '\n' ||
           (scan->isa->text.syntax.newlines_are_space && c != ':'); /* a label may be called as a mnemonic */
}

static inline bool is_over(struct isa_scan *scan)
{
    return (scan->at < scan->end && *scan->at == '\n') || ends_later(scan);
}

/* What plain statements ask of the assembler: nothing that they do changes it. */
struct quick_place {
    const struct isa_row_set *rows;
    unsigned generation;
    uint32_t section;
    unsigned unit_shift; /* of bytes to units */
};

/* Puts out an instruction that was read; false, and nothing is put out: more stands after it, or no memory is left. */
static inline bool put_insn(struct asm_context *context, const struct quick_place *place, const struct isa_build *build)
{
    struct isa_scan *scan = &context->scan;
    if (scan->note.set || !is_over(scan) || (build->pending_count && !asm_wait_for_fields(context, build)))
        return false;
    scan->address += build->row->facts.size >> place->unit_shift;
    return asm_put_bits(context, build->bits, build->row->facts.size);
}

static bool is_macro(const struct asm_context *context, const char *name)
{
    size_t length = 0;
    while (isa_name_byte(name[length]))
        length++;
    return asm_find_macro(context, name, length);
}

/* A statement that begins with a short mnemonic; false: look closer. */
static inline __attribute__((always_inline)) bool take_short(struct asm_context *context,
                                                             const struct quick_place *place,
                                                             const struct isa_key_slot *slot, const char *start,
                                                             const char *behind)
{
    struct isa_scan *scan = &context->scan;
    if (context->macros.count && is_macro(context, start))
        return false;
    struct isa_build build;
    const uint16_t *numbers = isa_rows_of(place->rows, slot->first_list, place->generation);
    return isa_parse_behind(scan, &build, numbers, start, behind) && put_insn(context, place, &build);
}

/* A statement that begins with another name or with a parenthesis; false: it is not plain. */
static bool take_other(struct asm_context *context, const struct quick_place *place, const char *start)
{
    struct isa_scan *scan = &context->scan;
    const char *behind = start;
    while (isa_name_byte(*behind))
        behind++;
    scan->at = start;
    if (behind == start && *start != '(') {
        isa_skip(scan);
        return scan->at > start;
    }
    size_t length = (size_t)(behind - start);
    if (*behind == ':' && *start > '9') {
        scan->at = behind + 1;
        return asm_define(context, start, length, place->section, (int64_t)scan->address, start);
    }
    if (context->macros.count && is_macro(context, start))
        return false;
    struct isa_build build;
    return isa_parse_plain(scan, &build) && put_insn(context, place, &build);
}

void asm_quick_lines(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    const char *start = scan->at, *stop = context->quick_end;
    if (!stop || start >= stop || asm_section_offset(context) % context->isa->unit_bytes)
        return;
    if ((size_t)(stop - start) > ASM_PASSED_AT_ONCE)
        stop = start + ASM_PASSED_AT_ONCE;
    const struct quick_place place = {
        .rows = context->isa->text.rows,
        .generation = context->target->generation,
        .section = asm_section_number(context),
        .unit_shift = (unsigned)__builtin_ctz(context->isa->unit_bytes),
    };
    scan->address = asm_address(context);
    scan->quiet = true;
    scan->note.set = false;
    for (;;) {
        while (start < stop && (*start == '\n' || *start == '\t'))
            start++;
        if (start >= stop)
            break;
        const char *behind; /* a newline follows, at which names end, and ASM_QUICK_ROOM bytes */
        const struct isa_key_slot *slot = isa_short_mnemonic(place.rows, start, &behind);
        if (!(slot->mnemonic ? take_short(context, &place, slot, start, behind) : take_other(context, &place, start)))
            break;
        start = scan->at;
    }
    scan->at = start;
    scan->quiet = false;
}
