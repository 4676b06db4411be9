/* SPDX-License-Identifier: MIT */
/* Statements of HWSQ sources that are not instructions: data, padding, entry points; and the size of the code. */
#include "hwsq_messages.h"
#include "isa/hwsq/hwsq.h"

#include <stdio.h>
#include <string.h>

#define EXIT_OPCODE 0x7f
#define ENTRIES 4

/* Reads the mark that our listings begin with; false when there is none. */
static bool read_mark(const char *text, size_t length, char *name, size_t room, bool *oversize)
{
    static const char mark[] = HWSQ_MARK, too_large[] = HWSQ_MARK_OVERSIZE;
    const char *end = text + length;
    if (length < sizeof mark || memcmp(text, mark, sizeof mark - 1) != 0)
        return false;
    const char *at = text + sizeof mark - 1;
    size_t used = 0;
    while (at < end && (isa_name_byte(*at) || *at == ':') && used + 1 < room)
        name[used++] = *at++;
    name[used] = 0;
    *oversize = (size_t)(end - at) >= sizeof too_large - 1 && memcmp(at, too_large, sizeof too_large - 1) == 0;
    return true;
}

static const struct gpucode_target *detect_target(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                                  size_t length)
{
    (void)elsewhere;
    char name[64];
    bool oversize;
    return read_mark(text, length, name, sizeof name, &oversize) ? isa_find_target(set, name) : NULL;
}

/* The state of the source is one bit: code may be larger than the code RAM. */
static void begin_source(struct asm_context *context, const char *text, size_t length)
{
    static const char yes[] = "yes";
    char name[64];
    bool oversize = false;
    read_mark(text, length, name, sizeof name, &oversize);
    if (oversize || asm_oversize(context))
        *asm_state(context) = (void *)yes;
}

static uint64_t padding_byte(const struct gpucode_target *target)
{
    (void)target;
    return 0; /* nop, as the reference pads */
}

static bool at_end(const struct isa_scan *scan)
{
    return scan->at >= scan->end || *scan->at == '\n' || *scan->at == ';';
}

/* `.fill` pads with exit, as drivers do: to N bytes, or to the end of the code RAM. */
static int fill_with_exit(struct asm_context *context, struct isa_scan *scan)
{
    int64_t until = hwsq_chip_of(asm_target(context))->code_bytes;
    isa_skip_line(scan);
    const char *at = scan->at;
    bool hash = !at_end(scan) && *at == '#' && (scan->end - at < 2 || !isa_name_byte(at[1]));
    if (!at_end(scan) && !hash && !asm_known(context, &until))
        return -1;
    return asm_fill(context, at, until, EXIT_OPCODE, MSG_HWSQ_PADDING);
}

static int define_entry(struct asm_context *context, struct isa_scan *scan)
{
    int64_t number;
    isa_skip_line(scan);
    const char *at = scan->at;
    if (!asm_known(context, &number))
        return -1;
    if (number < 0 || number >= ENTRIES) {
        isa_fail(scan, at, (size_t)(scan->at - at), MSG_HWSQ_ENTRY, NULL, NULL, 0, NULL);
        return -1;
    }
    char name[] = "entry0";
    name[5] = (char)('0' + number);
    return asm_define_label(context, name, sizeof name - 1, at) ? 1 : -1;
}

static int parse_statement(struct asm_context *context, struct isa_scan *scan)
{
    if (*scan->at != '.')
        return 0;
    int taken = asm_data(context, MSG_HWSQ_NOT_SIGNED);
    if (!taken)
        taken = asm_padding(context, MSG_HWSQ_PADDING);
    if (taken)
        return taken;
    if (isa_take(scan, ".fill"))
        return fill_with_exit(context, scan);
    if (isa_take(scan, ".entry"))
        return define_entry(context, scan);
    return 0;
}

/* "entry0" to "entry3", which `.entry` defines */
static bool is_entry(const char *name, size_t length)
{
    return length == 6 && memcmp(name, "entry", 5) == 0 && name[5] >= '0' && name[5] < '0' + ENTRIES;
}

/* An operand "#NAME" is a flag or event, and without the file that names it it would be the label. */
enum isa_label_use hwsq_label_use(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                  const struct gpucode_names *names, const char *name, size_t length)
{
    uint32_t number;
    (void)section;
    if (isa_number_of(NULL, names, GPUCODE_SPACE_FLAG, name, length, &number) ||
        isa_number_of(NULL, names, GPUCODE_SPACE_EVENT, name, length, &number) ||
        (is_entry(name, length) && unit >= hwsq_chip_of(layout->info.target)->code_bytes))
        return ISA_LABEL_OTHER;
    return ISA_LABEL_FREE;
}

/* Entry points that no TRIGGER can reach, and more code than the code RAM holds. */
static void check_size(struct asm_context *context)
{
    const struct gpucode_target *target = asm_target(context);
    uint32_t room = hwsq_chip_of(target)->code_bytes;
    if (*asm_state(context))
        return;
    struct asm_label label;
    for (unsigned i = 0; asm_label_at(context, i, &label); i++)
        if (label.section != UINT32_MAX && is_entry(label.name, label.length) && label.value >= room)
            asm_label_report(context, i, MSG_HWSQ_ENTRY_RANGE, NULL, NULL);
    uint64_t size = asm_size(context);
    if (size > room) {
        char text[24], hint[80];
        snprintf(text, sizeof text, "%llu", (unsigned long long)size);
        snprintf(hint, sizeof hint, "there is room for %u; --oversize takes it all the same", room);
        asm_report_source(context, MSG_HWSQ_TOO_LARGE, hint, text, target->name);
    }
}

static const struct gpucode_directive directives[] = {
    {".fill", "BYTES", "Pads with exit to so many bytes, or, without a number, to the end of the code RAM."},
    {".entry", "NUMBER", "An entry point, 0 to 3, leads here."},
    {NULL, NULL, NULL},
};

const struct isa_assembler hwsq_assembler = {
    .directives = directives,
    .begin = begin_source,
    .statement = parse_statement,
    .finish = check_size,
    .detect = detect_target,
    .padding = padding_byte,
};
