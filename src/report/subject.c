/* SPDX-License-Identifier: MIT */
#include "report/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKETS 128

static bool has_section(const struct gpucode_subject *subject, unsigned section)
{
    return subject && subject->image && section < gpucode_image_info(subject->image)->section_count;
}

/* --- labels --- */

/* fxnN and lN, as listings write them. */
static bool is_made_up(const char *label, uint32_t *unit)
{
    const char *digits = strncmp(label, "fxn", 3) == 0 ? label + 3 : *label == 'l' ? label + 1 : "";
    size_t length = strspn(digits, "0123456789");
    if (!length || length > 9 || digits[length])
        return false;
    *unit = (uint32_t)strtoul(digits, NULL, 10);
    return true;
}

static bool find_in_source(const struct gpucode_program *program, const struct gpucode_section *place,
                           const char *label, uint32_t *unit)
{
    struct gpucode_symbol symbol;
    for (unsigned i = 0; program && gpucode_program_symbol(program, i, &symbol); i++)
        if (symbol.section && strcmp(symbol.name, label) == 0 && symbol.unit >= place->start &&
            symbol.unit - place->start < place->size) {
            *unit = symbol.unit - place->start;
            return true;
        }
    return false;
}

/* The packet that a function handles has that name. */
static bool handles(const struct gpucode_subject *subject, const struct gpucode_function *function, const char *label)
{
    char name[GPUCODE_NAME_MAX], number[16];
    for (unsigned i = 0; i < PACKETS; i++) {
        if (!(function->packets[i / 64] >> i % 64 & 1))
            continue;
        snprintf(number, sizeof number, "UNKN%u", i);
        if (strcmp(label, number) == 0 ||
            (gpucode_analysis_packet_name(subject->analysis, i, name, sizeof name) && strcmp(label, name) == 0))
            return true;
    }
    return false;
}

bool gpucode_subject_find(const struct gpucode_subject *subject, unsigned section, const char *label, uint32_t *unit)
{
    if (!has_section(subject, section) || !label || !unit)
        return false;
    const struct gpucode_section *place = &gpucode_image_info(subject->image)->sections[section];
    const struct gpucode_function *function;
    struct gpucode_label symbol;
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; (function = gpucode_analysis_function(subject->analysis, section, i)); i++)
        if (handles(subject, function, label) ||
            (gpucode_analysis_name(subject->analysis, section, i, name, sizeof name) && strcmp(name, label) == 0)) {
            *unit = function->start;
            return true;
        }
    if (find_in_source(subject->program, place, label, unit))
        return true;
    if (subject->symbols && gpucode_symbols_find(subject->symbols, place->name, label, strlen(label), &symbol) &&
        symbol.kind == GPUCODE_LABEL_CODE) {
        *unit = (uint32_t)symbol.value;
        return true;
    }
    return is_made_up(label, unit) && *unit < place->size;
}

bool gpucode_subject_locate(const struct gpucode_subject *subject, unsigned section, const char *text, uint32_t *unit)
{
    char name[GPUCODE_NAME_MAX], *end;
    if (!has_section(subject, section) || !text || !unit)
        return false;
    const struct gpucode_section *place = &gpucode_image_info(subject->image)->sections[section];
    size_t prefix = strlen(place->name);
    if (prefix && strncmp(text, place->name, prefix) == 0 && text[prefix] == ':')
        text += prefix + 1;
    if (gpucode_subject_find(subject, section, text, unit))
        return true;
    const char *plus = strrchr(text, '+'), *number = plus ? plus + 1 : text;
    *unit = 0;
    if (plus) {
        snprintf(name, sizeof name, "%.*s", (int)(plus - text), text);
        if (!gpucode_subject_find(subject, section, name, unit))
            return false;
    }
    bool hex = strncmp(number, "0x", 2) == 0;
    unsigned long more = strtoul(number, &end, hex ? 16 : 10);
    if (!strchr("0123456789", *number) || !*number || *end || more >= place->size || *unit + more >= place->size)
        return false;
    *unit += (uint32_t)more;
    return true;
}

/* --- names --- */

uint32_t gpucode_subject_function(const struct gpucode_subject *subject, unsigned section, uint32_t unit)
{
    if (!subject || !subject->analysis)
        return GPUCODE_NONE;
    uint32_t owner = gpucode_analysis_owner(subject->analysis, section, unit);
    const struct gpucode_function *function = gpucode_analysis_function(subject->analysis, section, owner);
    return function && function->start == unit ? owner : GPUCODE_NONE;
}

void gpucode_subject_name(const struct gpucode_subject *subject, unsigned section, uint32_t index,
                          char name[GPUCODE_NAME_MAX])
{
    if (!name)
        return;
    *name = 0;
    if (subject && subject->analysis)
        gpucode_analysis_listed_name(subject->analysis, subject->outline, section, index, name, GPUCODE_NAME_MAX);
}

void gpucode_subject_place(const struct gpucode_subject *subject, unsigned section, uint32_t unit,
                           char name[GPUCODE_NAME_MAX])
{
    uint32_t function = gpucode_subject_function(subject, section, unit);
    size_t length = 0;
    const char *found = NULL;
    if (!name)
        return;
    *name = 0;
    if (function != GPUCODE_NONE)
        gpucode_subject_name(subject, section, function, name);
    else if (subject && subject->outline)
        found = gpucode_outline_name(subject->outline, section, unit, &length);
    if (found)
        snprintf(name, GPUCODE_NAME_MAX, "%.*s", (int)length, found);
    if (!*name)
        snprintf(name, GPUCODE_NAME_MAX, "l%" PRIu32, unit);
}

/* --- instructions --- */

bool subject_insn(const struct gpucode_subject *subject, unsigned section, uint64_t unit, struct gpucode_insn *insn)
{
    const struct gpucode_image_info *info = gpucode_image_info(subject->image);
    size_t unit_bytes = gpucode_target_unit_bytes(info->target), size;
    const unsigned char *bytes = gpucode_image_bytes(subject->image, &size);
    if (unit >= info->sections[section].size)
        return false;
    size_t offset = info->prefix + (size_t)(info->sections[section].start + unit) * unit_bytes;
    return offset < size && gpucode_decode(info->target, bytes + offset, size - offset, unit, insn) == GPUCODE_OK;
}

uint32_t subject_units(const struct gpucode_subject *subject, unsigned section, uint64_t unit)
{
    struct gpucode_insn insn;
    uint32_t bytes = gpucode_target_unit_bytes(gpucode_image_info(subject->image)->target);
    return subject_insn(subject, section, unit, &insn) && insn.size > bytes ? insn.size / bytes : 1;
}

struct naming {
    const struct gpucode_subject *subject;
    unsigned section;
};

static size_t name_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct naming *naming = user;
    char name[GPUCODE_NAME_MAX];
    (void)insn;
    if (address >= gpucode_image_info(naming->subject->image)->sections[naming->section].size)
        return 0;
    gpucode_subject_place(naming->subject, naming->section, (uint32_t)address, name);
    int length = snprintf(text, size, "%s", name);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

bool gpucode_subject_text(const struct gpucode_subject *subject, unsigned section, uint32_t unit,
                          char text[GPUCODE_TEXT_MAX])
{
    struct naming naming = {subject, section};
    struct gpucode_insn insn;
    if (!has_section(subject, section) || !text)
        return false;
    const struct gpucode_format_options options = {.names = subject->names, .label = name_target, .user = &naming};
    return subject_insn(subject, section, unit, &insn) &&
           gpucode_format(&insn, &options, text, GPUCODE_TEXT_MAX, NULL) == GPUCODE_OK;
}

/* --- parts of answers --- */

void subject_put_line(const struct gpucode_subject *subject, struct gpucode_answer *answer, unsigned section,
                      uint32_t unit, const struct gpucode_answer_field *file, const struct gpucode_answer_field *line)
{
    struct gpucode_line found;
    uint32_t start = gpucode_image_info(subject->image)->sections[section].start;
    if (!subject->program || !gpucode_program_line(subject->program, start + unit, &found))
        return;
    gpucode_answer_text(answer, file, found.file);
    gpucode_answer_number(answer, line, found.line);
}

void subject_put_packets(const struct gpucode_subject *subject, struct gpucode_answer *answer,
                         const uint64_t packets[2], const struct gpucode_answer_field *list,
                         const struct gpucode_answer_field *item)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_begin(answer, list);
    for (unsigned i = 0; i < PACKETS; i++)
        if (packets[i / 64] >> i % 64 & 1 && gpucode_analysis_packet_name(subject->analysis, i, name, sizeof name))
            gpucode_answer_text(answer, item, name);
    gpucode_answer_end(answer);
}
