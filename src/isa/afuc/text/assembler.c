/* SPDX-License-Identifier: MIT */
/* Statements of AFUC sources that are not instructions: raw words, the packet table, raw files. */
#include "afuc_messages.h"
#include "base/text.h"
#include "isa/afuc/afuc.h"

#include <string.h>

/* A packet table to be filled when all labels are known. */
struct table {
    struct table *next;
    unsigned section;
    uint64_t place;
};

#define TABLES_MAX 4 /* sections that images have */

/* Where packets lead that no label of a section names. */
struct unclaimed {
    struct unclaimed *next;
    unsigned section;
    uint64_t place;
};

/* What a source says beside its words. */
struct source {
    struct table *tables;
    struct unclaimed *unclaimed;
    bool places; /* `.places`: labels stand for all places, numbers for none */
};

static struct source *source_of(struct asm_context *context)
{
    void **state = asm_state(context);
    if (!*state)
        *state = asm_memory(context, sizeof(struct source));
    return *state;
}

static uint64_t padding_word(const struct gpucode_target *target)
{
    return target->generation == AFUC_A5XX ? 0 : 0x01000000;
}

/* `[016ee001]`, or `[#label]`: a nop with the label's offset as payload. */
static int raw_word(struct asm_context *context, struct isa_scan *scan)
{
    const char *start = scan->at++;
    isa_skip_line(scan);
    uint64_t word = 0;
    if (scan->at < scan->end && *scan->at == '#') {
        struct isa_value value;
        if (!isa_expression(scan, &value) || !asm_number(context, scan, &value, 24, 4, &word))
            return -1;
        word |= padding_word(asm_target(context));
    } else {
        const char *digits = scan->at;
        for (; scan->at < scan->end && isa_name_byte(*scan->at); scan->at++) {
            int digit = text_hex_digit(*scan->at);
            if (digit < 0) {
                isa_fail(scan, scan->at, 1, MSG_AFUC_RAW_WORD, "write it without 0x", NULL, 0, NULL);
                return -1;
            }
            word = word << 4 | (unsigned)digit;
        }
        size_t count = (size_t)(scan->at - digits);
        if (count == 0 || count > 8) {
            isa_fail(scan, start, count + 1, MSG_AFUC_RAW_WORD, NULL, NULL, 0, NULL);
            return -1;
        }
    }
    if (!isa_take(scan, "]")) {
        isa_expected(scan, "']'");
        return -1;
    }
    asm_emit(context, word, 4);
    return 1;
}

static int packet_table(struct asm_context *context)
{
    struct table *table = asm_memory(context, sizeof *table);
    struct source *source = source_of(context);
    if (!table || !source)
        return -1;
    *table = (struct table){source->tables, asm_current_section(context), asm_place(context)};
    source->tables = table;
    for (unsigned i = 0; i < AFUC_TABLE_ENTRIES; i++)
        asm_emit(context, 0, 4);
    return 1;
}

/* null: the section has none. */
static const struct unclaimed *find_unclaimed(const struct source *source, unsigned section)
{
    const struct unclaimed *unclaimed = source->unclaimed;
    while (unclaimed && unclaimed->section != section)
        unclaimed = unclaimed->next;
    return unclaimed;
}

/* `.unclaimed` */
static int unclaimed_here(struct asm_context *context, struct isa_scan *scan, const char *start)
{
    struct source *source = source_of(context);
    unsigned section = asm_current_section(context);
    if (source && find_unclaimed(source, section)) {
        isa_fail(scan, start, (size_t)(scan->at - start), MSG_AFUC_UNCLAIMED, NULL, NULL, 0, NULL);
        return -1;
    }
    struct unclaimed *unclaimed = source ? asm_memory(context, sizeof *unclaimed) : NULL;
    if (!unclaimed)
        return -1;
    *unclaimed = (struct unclaimed){source->unclaimed, section, asm_place(context)};
    source->unclaimed = unclaimed;
    return 1;
}

static int parse_statement(struct asm_context *context, struct isa_scan *scan)
{
    if (*scan->at == '[')
        return raw_word(context, scan);
    if (*scan->at != '.')
        return 0;
    const char *start = scan->at;
    if (isa_take(scan, ".jumptbl"))
        return packet_table(context);
    if (isa_take(scan, ".unclaimed"))
        return unclaimed_here(context, scan, start);
    if (isa_take(scan, ".places")) {
        struct source *source = source_of(context);
        if (source)
            source->places = true;
        return source ? 1 : -1;
    }
    if (isa_take(scan, ".raw")) {
        if (asm_no_prefix(context))
            return 1;
        isa_fail(scan, start, 4, MSG_AFUC_RAW_LATE, NULL, NULL, 0, NULL);
        return -1;
    }
    return 0;
}

static void end_section(struct asm_context *context, bool last)
{
    if (last)
        return;
    while (asm_place(context) % (AFUC_SECTION_BYTES / 4))
        asm_emit(context, padding_word(asm_target(context)), 4);
}

/* Tables stand in the reverse order of the source. */
static void warn_moved(struct asm_context *context, const struct source *source)
{
    struct afuc_table_place places[TABLES_MAX];
    unsigned count = 0;
    for (const struct table *table = source ? source->tables : NULL; table; table = table->next)
        count++;
    if (count > TABLES_MAX)
        return;
    unsigned index = count;
    for (const struct table *table = source ? source->tables : NULL; table; table = table->next)
        places[--index] = (struct afuc_table_place){table->section, table->place};
    afuc_warn_moved(context, places, count);
}

static void fill_tables(struct asm_context *context)
{
    const struct source *source = *asm_state(context);
    for (const struct table *table = source ? source->tables : NULL; table; table = table->next) {
        const struct unclaimed *unclaimed = find_unclaimed(source, table->section);
        for (unsigned i = 0; unclaimed && i < AFUC_TABLE_ENTRIES; i++)
            asm_patch(context, table->section, table->place + i, unclaimed->place, 4);
        struct asm_label label;
        for (unsigned i = 0; asm_label_at(context, i, &label); i++) {
            if (label.section != table->section)
                continue;
            int packet = afuc_packet_of(asm_target(context), asm_names(context), label.name, label.length);
            if (packet == -2)
                asm_label_report(context, i, MSG_AFUC_PACKET_NUMBER, NULL, NULL);
            else if (packet >= 0)
                asm_patch(context, table->section, table->place + (unsigned)packet, label.value, 4);
        }
    }
    if (!source || !source->places)
        warn_moved(context, source);
}

/* The chip whose firmware id stands in the first raw word, if that comes before the first instruction. */
static const struct gpucode_target *detect_target(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                                  size_t length)
{
    (void)elsewhere;
    const char *at = text, *end = text + length;
    while (at < end) {
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
            at++;
        } else if (*at == ';' || *at == '.') {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline ? newline + 1 : end;
        } else if (isa_name_byte(*at)) {
            while (at < end && isa_name_byte(*at))
                at++;
            while (at < end && (*at == ' ' || *at == '\t'))
                at++;
            if (at == end || *at++ != ':') /* an instruction */
                return NULL;
        } else {
            break;
        }
    }
    if (at == end || *at != '[')
        return NULL;
    uint32_t word = 0;
    unsigned digits = 0;
    for (at++; at < end && digits < 9; at++, digits++) {
        int digit = text_hex_digit(*at);
        if (digit < 0)
            break;
        word = word << 4 | (unsigned)digit;
    }
    return at < end && *at == ']' && digits && digits < 9 ? afuc_target_of_id(set, word >> 12 & 0xfff) : NULL;
}

static const struct gpucode_directive directives[] = {
    {".jumptbl", "", "The packet table: 128 words, each the place of the label that is named like the packet."},
    {".unclaimed", "", "The packets of the section's table that no label names lead here."},
    {".raw", "", "The file has no zero word in front of the code."},
    {NULL, NULL, NULL},
};

const struct isa_assembler afuc_assembler = {
    .directives = directives,
    .statement = parse_statement,
    .end_section = end_section,
    .finish = fill_tables,
    .detect = detect_target,
    .padding = padding_word,
    .prefix = 4,
};
