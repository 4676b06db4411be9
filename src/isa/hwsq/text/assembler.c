/* SPDX-License-Identifier: MIT */
/* Statements of HWSQ sources that are no instructions: data, padding, entry points; and the size of the code. */
#include "isa/hwsq/hwsq.h"

#include <stdio.h>
#include <string.h>

#define EXIT_OPCODE 0x7f
#define ENTRIES 4
#define PADDING_MAX (INT64_C(16) << 20)

/* The mark that our listings begin with; false when there is none. */
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

static const struct gpucode_target *detect(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                           size_t length)
{
    (void)elsewhere;
    char name[64];
    bool oversize;
    return read_mark(text, length, name, sizeof name, &oversize) ? isa_find_target(set, name) : NULL;
}

/* The state of the source is one bit: code may be larger than the code RAM. */
static void begin(struct asm_context *context, const char *text, size_t length)
{
    static const char yes[] = "yes";
    char name[64];
    bool oversize = false;
    read_mark(text, length, name, sizeof name, &oversize);
    if (oversize || asm_oversize(context))
        *asm_state(context) = (void *)yes;
}

static uint64_t padding(const struct gpucode_target *target)
{
    (void)target;
    return 0; /* nop, as the reference pads */
}

/* A number of .b8 to .u64; the reference separates them by white space, others by commas. */
static bool data_value(struct asm_context *context, struct isa_scan *scan, char sign, unsigned width)
{
    struct isa_value value;
    uint64_t bits;
    if (!isa_expression_full(scan, &value))
        return false;
    if (!value.term_count && width < 64) {
        int64_t low = sign == 'u' ? 0 : -(INT64_C(1) << (width - 1));
        int64_t high = sign == 's' ? (INT64_C(1) << (width - 1)) - 1 : (INT64_C(1) << width) - 1;
        if (value.constant < low || value.constant > high) {
            char text[32], name[8];
            snprintf(text, sizeof text, "%lld", (long long)value.constant);
            snprintf(name, sizeof name, ".%c%u", sign, width);
            return isa_fail(scan, value.start, value.length, MSG_HWSQ_NOT_SIGNED, NULL, text, -1, name);
        }
        value.constant &= (INT64_C(1) << width) - 1;
    }
    if (!value.term_count && width == 64) {
        if (sign == 'u' && value.constant < 0)
            return isa_fail(scan, value.start, value.length, MSG_HWSQ_NOT_SIGNED, NULL, "a negative number", -1,
                            ".u64");
        asm_emit(context, (uint64_t)value.constant, 8);
        return true;
    }
    if (!asm_number(context, scan, &value, width, width / 8, &bits))
        return false;
    asm_emit(context, bits, width / 8);
    return true;
}

static bool at_end(const struct isa_scan *scan)
{
    return scan->at >= scan->end || *scan->at == '\n' || *scan->at == ';';
}

static int data(struct asm_context *context, struct isa_scan *scan, char sign, unsigned width)
{
    do {
        if (!data_value(context, scan, sign, width))
            return -1;
        isa_skip_line(scan);
        if (scan->at < scan->end && *scan->at == ',') {
            scan->at++;
            isa_skip_line(scan);
            if (at_end(scan)) {
                isa_expected(scan, "a value");
                return -1;
            }
        }
    } while (!at_end(scan) && !(*scan->at == '#' && (scan->end - scan->at < 2 || !isa_name_byte(scan->at[1]))));
    return 1;
}

/* Fills with `byte` to `until` bytes from the start of the section. */
static int fill_to(struct asm_context *context, struct isa_scan *scan, const char *at, int64_t until, unsigned byte)
{
    uint64_t place = asm_place(context);
    if (until < 0 || until > PADDING_MAX || (uint64_t)until < place) {
        isa_fail(scan, at, (size_t)(scan->at - at), MSG_HWSQ_PADDING, NULL, NULL, 0, NULL);
        return -1;
    }
    for (; place < (uint64_t)until; place++)
        asm_emit(context, byte, 1);
    return 1;
}

/* `.size N` and `.skip N` pad with nop, as the reference does. */
static int size_or_skip(struct asm_context *context, struct isa_scan *scan, bool skip)
{
    int64_t count;
    isa_skip_line(scan);
    const char *at = scan->at;
    if (!asm_known(context, &count))
        return -1;
    if (skip && count >= 0 && count <= PADDING_MAX)
        count += (int64_t)asm_place(context);
    return fill_to(context, scan, at, count, 0);
}

/* `.fill` pads with exit, as drivers do: to N bytes, or to the end of the code RAM. */
static int fill(struct asm_context *context, struct isa_scan *scan)
{
    int64_t until = hwsq_chip_of(asm_target(context))->code_bytes;
    isa_skip_line(scan);
    const char *at = scan->at;
    bool hash = !at_end(scan) && *at == '#' && (scan->end - at < 2 || !isa_name_byte(at[1]));
    if (!at_end(scan) && !hash && !asm_known(context, &until))
        return -1;
    return fill_to(context, scan, at, until, EXIT_OPCODE);
}

static int entry(struct asm_context *context, struct isa_scan *scan)
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

static int statement(struct asm_context *context, struct isa_scan *scan)
{
    if (*scan->at != '.')
        return 0;
    struct isa_scan word = *scan;
    word.at++;
    size_t length = isa_name(&word);
    const char *name = word.at;
    if (length >= 2 && length <= 3 && strchr("bus", name[0])) {
        static const char *const widths[] = {"8", "16", "32", "64"};
        for (unsigned i = 0; i < 4; i++)
            if (strlen(widths[i]) == length - 1 && memcmp(widths[i], name + 1, length - 1) == 0) {
                scan->at = name + length;
                return data(context, scan, name[0], 8u << i);
            }
    }
    if (isa_take(scan, ".size"))
        return size_or_skip(context, scan, false);
    if (isa_take(scan, ".skip"))
        return size_or_skip(context, scan, true);
    if (isa_take(scan, ".fill"))
        return fill(context, scan);
    if (isa_take(scan, ".entry"))
        return entry(context, scan);
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
static void finish(struct asm_context *context)
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

const struct isa_assembler hwsq_assembler = {
    .begin = begin,
    .statement = statement,
    .finish = finish,
    .detect = detect,
    .padding = padding,
};
