/* SPDX-License-Identifier: MIT */
/* What is known of instructions, as text after them. */
#include "analysis/build.h"
#include "base/arena.h"

#include "isa/isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers that one instruction may reach, of which so many are named. */
#define NAMES_SHOWN 3

struct gpucode_notes {
    const struct gpucode_analysis *analysis;
    struct list references;
    uint32_t **first; /* of each section and unit, and after the last: its first reference */
};

/* What stands in front of a register's name. */
static const char *mark_of(unsigned space)
{
    return space == GPUCODE_SPACE_CONTROL ? "@"
           : space == GPUCODE_SPACE_SQE   ? "%"
           : space == GPUCODE_SPACE_PIPE  ? "|"
                                          : "";
}

size_t gpucode_analysis_reference_name(const struct gpucode_analysis *analysis,
                                       const struct gpucode_reference *reference, char *text, size_t size)
{
    if (text && size)
        *text = 0;
    if (!analysis || !reference || !text || size < GPUCODE_NAME_MAX + 1 || reference->space >= GPUCODE_SPACE_COUNT)
        return 0;
    if (reference->space == GPUCODE_SPACE_GENERAL)
        return gpucode_analysis_register(analysis->target, reference->number,
                                         reference->kind == GPUCODE_REFERENCE_WRITE, text, size);
    size_t mark = strlen(mark_of(reference->space));
    size_t length = gpucode_name_of(analysis->target, analysis->names, (enum gpucode_space)reference->space,
                                    reference->number, text + mark, size - mark);
    if (!length)
        return 0;
    memcpy(text, mark_of(reference->space), mark);
    return mark + length;
}

/* --- packets --- */

static void append(char *text, size_t size, size_t *length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void append(char *text, size_t size, size_t *length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text + *length, size - *length, format, arguments);
    va_end(arguments);
    *length += written < 0 ? 0 : (size_t)written < size - *length ? (size_t)written : size - *length - 1;
}

size_t gpucode_analysis_packets(const struct gpucode_analysis *analysis, const uint64_t packets[2], unsigned most,
                                char *text, size_t size)
{
    char name[GPUCODE_NAME_MAX];
    size_t length = 0;
    if (text && size)
        *text = 0;
    if (!analysis || !packets || !text || !size)
        return 0;
    unsigned count = 0, all = (unsigned)(__builtin_popcountll(packets[0]) + __builtin_popcountll(packets[1]));
    for (unsigned i = 0; i < 128 && count < most; i++)
        if (packets[i / 64] >> i % 64 & 1 && gpucode_analysis_packet_name(analysis, i, name, sizeof name))
            append(text, size, &length, "%s%s", count++ ? ", " : "", name);
    if (all > count)
        append(text, size, &length, "%s%u%s", count ? " and " : "", all - count, count ? " more" : " packets");
    return length;
}

/* --- notes --- */

static bool keep(void *user, const struct gpucode_reference *reference)
{
    struct gpucode_notes *notes = user;
    struct gpucode_reference *kept;
    if (reference->in_table || reference->space >= GPUCODE_SPACE_COUNT || !reference->exact ||
        (reference->space == GPUCODE_SPACE_GENERAL && !reference->has_value))
        return true;
    if ((kept = list_add(&notes->references, sizeof *kept)))
        *kept = *reference;
    return kept;
}

/* References come by section and unit. */
static bool index_references(struct gpucode_notes *notes)
{
    const struct gpucode_analysis *analysis = notes->analysis;
    const struct gpucode_reference *list = notes->references.items;
    uint32_t next = 0;
    notes->first = calloc((size_t)analysis->section_count + 1, sizeof *notes->first);
    for (unsigned i = 0; notes->first && i < analysis->section_count; i++) {
        uint32_t units = analysis->code[i].units;
        if (!(notes->first[i] = calloc((size_t)units + 1, sizeof **notes->first)))
            return false;
        for (uint32_t unit = 0; unit <= units; unit++) {
            while (next < notes->references.count && list[next].section == i && list[next].unit < unit)
                next++;
            notes->first[i][unit] = next;
        }
    }
    return notes->first;
}

enum gpucode_status gpucode_notes_create(struct gpucode_analysis *analysis, struct gpucode_notes **out)
{
    if (!analysis || !out)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_notes *notes = calloc(1, sizeof *notes);
    if (!notes)
        return GPUCODE_ERROR_MEMORY;
    notes->analysis = analysis;
    enum gpucode_status status = gpucode_analysis_references(analysis, keep, notes);
    if (status != GPUCODE_OK || notes->references.failed || !index_references(notes))
        status = GPUCODE_ERROR_MEMORY;
    return DELIVER(status, notes, out, gpucode_notes_free);
}

void gpucode_notes_free(struct gpucode_notes *notes)
{
    if (!notes)
        return;
    for (unsigned i = 0; notes->first && i < notes->analysis->section_count; i++)
        free(notes->first[i]);
    FREE_ALL(notes->first, notes->references.items, notes);
}

/* An instruction with its text as listings have it with its comment, "" where there is none. */
struct noted {
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
};

static void format_unit(const struct gpucode_analysis *analysis, unsigned section, uint32_t unit, struct noted *noted)
{
    const struct isa_layout *layout = analysis->layout;
    const struct gpucode_format_options options = {.names = analysis->names, .comments = true};
    size_t bytes = analysis->target->isa->unit_bytes;
    size_t offset = layout->info.prefix + bytes * (layout->info.sections[section].start + (size_t)unit);
    *noted->text = 0;
    if (gpucode_decode(analysis->target, layout->bytes + offset, layout->size - offset, unit, &noted->insn) !=
            GPUCODE_OK ||
        gpucode_format(&noted->insn, &options, noted->text, sizeof noted->text, NULL) != GPUCODE_OK)
        *noted->text = 0;
}

/* Does a word of the instruction say it already? */
static bool says(const char *insn, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = insn; (at = strstr(at, word)); at++)
        if (!at[length] || strchr(" ,;]\t", at[length]))
            return true;
    return false;
}

/*
 * A register without a name of its own, by the one whose name stands in the instruction: "@IB1_BASE+0x10". Else by its
 * number, as instructions have such registers, with the mark. Returns what of it the instruction would say.
 */
static const char *name_by_base(const struct gpucode_analysis *analysis, const struct noted *noted,
                                const struct gpucode_reference *reference, char *name, size_t size)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    unsigned count = *noted->text ? gpucode_insn_operands(&noted->insn, NULL, operands, GPUCODE_OPERANDS_MAX) : 0;
    for (unsigned i = 0; i < count; i++) {
        struct gpucode_reference base = *reference;
        base.number = operands[i].number;
        if (operands[i].type != GPUCODE_OPERAND_REGISTER || operands[i].space != reference->space ||
            base.number >= reference->number)
            continue;
        size_t length = gpucode_analysis_reference_name(analysis, &base, name, size);
        if (length && length + 12 < size && says(noted->text, name)) {
            snprintf(name + length, size - length, "+0x%" PRIx32, reference->number - base.number);
            return name;
        }
    }
    snprintf(name, size, "%s0x%" PRIx32, mark_of(reference->space), reference->number);
    return name + strlen(mark_of(reference->space));
}

/* The value that goes to a register, and what its fields mean where they are known. */
static void append_value(const struct gpucode_target *target, char *text, size_t size, size_t *length, const char *insn,
                         const struct gpucode_reference *reference)
{
    char value[16], meaning[GPUCODE_NOTE_MAX];
    snprintf(value, sizeof value, "0x%" PRIx32, reference->value);
    bool plain_zero = !reference->value && says(insn, "$00");
    if (reference->has_value && !plain_zero && !says(insn, value))
        append(text, size, length, "%s= %s", *length ? " " : "", value);
    if (reference->has_value && !plain_zero &&
        isa_fields_text(target, reference->space, reference->number, reference->value, meaning, sizeof meaning))
        append(text, size, length, "%s%s", *length ? " " : "", meaning);
}

size_t gpucode_notes_text(const struct gpucode_notes *notes, unsigned section, uint32_t unit, char *text, size_t size)
{
    struct noted noted = {0};
    char name[GPUCODE_NAME_MAX + 16];
    size_t length = 0;
    unsigned named = 0;
    if (text && size)
        *text = 0;
    if (!notes || !text || size < GPUCODE_NOTE_MAX || section >= notes->analysis->section_count ||
        unit >= notes->analysis->code[section].units)
        return 0;
    uint32_t at = notes->first[section][unit], end = notes->first[section][unit + 1];
    if (at < end)
        format_unit(notes->analysis, section, unit, &noted);
    for (; at < end; at++) {
        const struct gpucode_reference *reference = (const struct gpucode_reference *)notes->references.items + at;
        bool general = reference->space == GPUCODE_SPACE_GENERAL;
        const char *said = name;
        if (!gpucode_analysis_reference_name(notes->analysis, reference, name, sizeof name))
            said = name_by_base(notes->analysis, &noted, reference, name, sizeof name);
        if (!general && !says(noted.text, said)) {
            if (named++ == NAMES_SHOWN)
                append(text, size, &length, ", ...");
            if (named > NAMES_SHOWN)
                continue;
            append(text, size, &length, "%s%s", length ? ", " : "", name);
        }
        append_value(notes->analysis->target, text, size, &length, noted.text, reference);
    }
    return length;
}
