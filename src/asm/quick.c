/* SPDX-License-Identifier: MIT */
/*
 * Lines as listings have them, of which there are many: a label, or an instruction on a line of its own. They are read
 * once, and nothing is kept of them but the bits. Whatever else stands on a line, and whatever is wrong with it, is
 * left to assemble.c from the beginning of its statement, so that one place alone knows all that may be written.
 */
#include "asm/context.h"
#include "isa/parse.h"

/* Does a statement end at the cursor, which does not stand at a newline? Moves over white space and comments. */
static bool ends_later(struct isa_scan *scan)
{
    isa_skip_line(scan);
    return scan->isa->text.syntax.newlines_are_space || (scan->at < scan->end && *scan->at == '\n');
}

static inline bool is_over(struct isa_scan *scan)
{
    return (scan->at < scan->end && *scan->at == '\n') || ends_later(scan);
}

/* Where instructions come to stand: nothing that a plain statement does changes it. */
struct place_of_code {
    size_t start;     /* of the section, bytes in the output */
    uint64_t address; /* of its first unit */
    unsigned unit_bytes, unit_shift;
};

/* The statement that begins with a name, up to `behind`, or with a parenthesis; false: it is not plain. */
static inline __attribute__((always_inline)) bool take_plain(struct asm_context *context,
                                                             const struct place_of_code *place, const char *behind)
{
    struct isa_scan *scan = &context->scan;
    const char *name = scan->at;
    size_t offset = context->out.length - place->start;
    if (offset & (place->unit_bytes - 1))
        return false;
    if (*behind == ':' && *name > '9') {
        scan->at = behind + 1;
        return asm_add_label(context, name, (size_t)(behind - name), name);
    }
    if (context->macros.count && asm_find_macro(context, name, (size_t)(behind - name)))
        return false;
    struct isa_build build;
    scan->address = place->address + (offset >> place->unit_shift);
    if (!isa_parse_plain(scan, &build, behind) || scan->note.set || !is_over(scan) ||
        (build.pending_count && !asm_wait_for_fields(context, &build)))
        return false;
    return asm_put_bits(context, build.bits, build.row->facts.size);
}

void asm_quick_lines(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    const char *start = scan->at, *stop = context->quick_end;
    if (!stop || start >= stop)
        return;
    if ((size_t)(stop - start) > ASM_PASSED_AT_ONCE)
        stop = start + ASM_PASSED_AT_ONCE;
    const struct asm_section *section = &context->sections.items[context->sections.count - 1];
    const struct place_of_code place = {section->start, (uint64_t)section->base, context->isa->unit_bytes,
                                        (unsigned)__builtin_ctz(context->isa->unit_bytes)};
    scan->quiet = true;
    scan->note.set = false;
    while (start < stop) { /* a newline follows, at which names end */
        if (*start == '\n') {
            scan->at = ++start;
            continue;
        }
        const char *behind = start;
        while (isa_name_byte(*behind))
            behind++;
        if (behind > start || *start == '(') {
            if (!take_plain(context, &place, behind))
                break;
        } else {
            isa_skip(scan);
            if (scan->at == start)
                break;
        }
        start = scan->at;
    }
    scan->at = start;
    scan->quiet = false;
}
