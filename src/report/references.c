/* SPDX-License-Identifier: MIT */
/* Who reads, writes, calls or jumps to something: places of code, registers of a space, memory. */
#include "report/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_REFERENCES
#include <gpucode/answer_rows.h>

REPORT_TABLE(gpucode_report_references_table, "xref", "Who refers to something: `xref`, one object a line.")

#define PACKETS_SHOWN 3 /* in a line of text */
#define WANTED_MAX 8

/* One space, or one place of a section. */
struct wanted {
    unsigned space;
    uint32_t number;
    unsigned section; /* of code */
    bool any_section, any_number;
    bool not_read, not_written; /* general registers that have another name there */
};

struct wanted_all {
    unsigned count;
    struct wanted wanted[WANTED_MAX];
};

static const struct gpucode_target *target_of(const struct gpucode_subject *subject)
{
    return gpucode_image_info(subject->image)->target;
}

/* --- what is asked for --- */

/* Characters in front of a register's name, and its space. */
static const struct {
    char mark;
    unsigned space;
} marks[] = {{'@', GPUCODE_SPACE_CONTROL}, {'%', GPUCODE_SPACE_SQE}, {'|', GPUCODE_SPACE_PIPE}};

static void want(struct wanted_all *what, struct wanted wanted)
{
    if (what->count < WANTED_MAX)
        what->wanted[what->count++] = wanted;
}

static void want_register(struct wanted_all *what, unsigned space, uint32_t number)
{
    want(what, (struct wanted){.space = space, .number = number, .any_section = true});
}

static bool read_number(const char *text, uint32_t *number)
{
    char *end;
    if (strncmp(text, "0x", 2) != 0 || !text[2])
        return false;
    unsigned long value = strtoul(text, &end, 16);
    *number = (uint32_t)value;
    return !*end && value <= UINT32_MAX;
}

/* A general register as the set writes it; some are called otherwise where they are written. */
static void want_general(const struct gpucode_subject *subject, const char *text, struct wanted_all *what)
{
    const struct gpucode_target *target = target_of(subject);
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; gpucode_analysis_register(target, i, false, name, sizeof name); i++) {
        struct wanted wanted = {.space = GPUCODE_SPACE_GENERAL, .number = i, .any_section = true};
        wanted.not_read = strcmp(name, text) != 0;
        wanted.not_written = !gpucode_analysis_register(target, i, true, name, sizeof name) || strcmp(name, text) != 0;
        if (!wanted.not_read || !wanted.not_written)
            want(what, wanted);
    }
}

static bool want_marked(const struct gpucode_subject *subject, const char *text, struct wanted_all *what)
{
    uint32_t number;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (*text == marks[i].mark) {
            bool known =
                read_number(text + 1, &number) || gpucode_number_of(target_of(subject), subject->names, marks[i].space,
                                                                    text + 1, strlen(text + 1), &number);
            if (known)
                want_register(what, marks[i].space, number);
            return true;
        }
    return false;
}

/* Registers as the code's own instructions write them, where the set reads no such text by itself. */
static void want_written(const struct gpucode_subject *subject, const char *name, struct wanted_all *what)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    size_t length = strlen(name);
    const struct gpucode_section *place = gpucode_image_info(subject->image)->sections;
    for (uint32_t unit = 0; !what->count && unit < place->size; unit += subject_units(subject, 0, unit)) {
        if (!subject_insn(subject, 0, unit, &insn) ||
            gpucode_format(&insn, NULL, text, sizeof text, NULL) != GPUCODE_OK)
            continue;
        unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
        for (unsigned i = 0; i < count; i++) {
            const char *at = text + operands[i].start, *end = at + operands[i].length;
            while (*at == '(' && memchr(at, ')', (size_t)(end - at))) /* (neg)r1.x */
                at = strchr(at, ')') + 1;
            if (operands[i].type == GPUCODE_OPERAND_REGISTER && operands[i].known && (size_t)(end - at) == length &&
                strncmp(at, name, length) == 0)
                want_register(what, operands[i].space, operands[i].number);
        }
    }
}

/* Flags and events: one name may be that of both. */
static void want_named(const struct gpucode_subject *subject, const char *name, struct wanted_all *what)
{
    uint32_t number;
    for (unsigned space = GPUCODE_SPACE_FLAG; space <= GPUCODE_SPACE_EVENT; space++)
        if (gpucode_number_of(target_of(subject), subject->names, space, name, strlen(name), &number))
            want_register(what, space, number);
}

/* What the caller means. False: nothing. */
static bool understand(const struct gpucode_subject *subject, const char *text, struct wanted_all *what)
{
    uint32_t number;
    *what = (struct wanted_all){0};
    if (strcmp(text, "memory") == 0) {
        want(what, (struct wanted){.space = GPUCODE_SPACE_MEMORY, .any_section = true, .any_number = true});
    } else if (read_number(text, &number)) {
        want_register(what, GPUCODE_SPACE_CONTROL, number);
        want_register(what, GPUCODE_SPACE_SQE, number);
        want_register(what, GPUCODE_SPACE_GPU, number);
    } else if (!want_marked(subject, text, what)) {
        want_general(subject, text, what);
        for (unsigned i = 0; i < gpucode_image_info(subject->image)->section_count; i++)
            if (gpucode_subject_locate(subject, i, text, &number))
                want(what, (struct wanted){.space = GPUCODE_SPACE_CODE, .number = number, .section = i});
        unsigned space;
        if (!what->count &&
            gpucode_register_of(target_of(subject), subject->names, text, strlen(text), &space, &number))
            want_register(what, space, number);
        want_named(subject, *text == '#' ? text + 1 : text, what);
        if (!what->count && !gpucode_can_follow_values(target_of(subject)))
            want_written(subject, text, what);
    }
    return what->count;
}

static bool wants(const struct wanted_all *what, const struct gpucode_reference *reference)
{
    for (unsigned i = 0; i < what->count; i++) {
        const struct wanted *wanted = &what->wanted[i];
        if (wanted->space == reference->space && (wanted->any_section || wanted->section == reference->section) &&
            (wanted->any_number || wanted->number == reference->number) &&
            !(wanted->not_read && reference->kind == GPUCODE_REFERENCE_READ) &&
            !(wanted->not_written && reference->kind == GPUCODE_REFERENCE_WRITE))
            return true;
    }
    return false;
}

/* --- what is found --- */

struct search {
    const struct gpucode_subject *subject;
    struct gpucode_answer *answer;
    const char *asked;
    struct wanted_all what;
    unsigned found;
};

/* The name of what is referred to, as one would ask for it: what was asked for, where nothing else tells. */
static void name_of(const struct search *search, const struct gpucode_reference *reference,
                    char name[GPUCODE_NAME_MAX + 1])
{
    *name = 0;
    if (reference->space == GPUCODE_SPACE_CODE)
        gpucode_subject_place(search->subject, reference->section, reference->number, name);
    else if (!gpucode_analysis_reference_name(search->subject->analysis, reference, name, GPUCODE_NAME_MAX + 1) &&
             !gpucode_can_follow_values(target_of(search->subject)))
        snprintf(name, GPUCODE_NAME_MAX + 1, "%s", search->asked);
}

static const char *space_of(const struct gpucode_subject *subject, const struct gpucode_reference *reference)
{
    return reference->space == GPUCODE_SPACE_CODE     ? "code"
           : reference->space == GPUCODE_SPACE_MEMORY ? "memory"
                                                      : gpucode_space_name(target_of(subject), reference->space);
}

/* The packets that lead to a place; of a table's word the packet whose entry it is. */
static void packets_of(const struct gpucode_subject *subject, const struct gpucode_reference *reference,
                       uint64_t packets[2])
{
    packets[0] = packets[1] = 0;
    if (reference->in_table)
        packets[reference->packet / 64] = UINT64_C(1) << reference->packet % 64;
    else
        gpucode_analysis_reached_by(subject->analysis, reference->section, reference->unit, packets);
}

/* Where a reference stands. */
static void put_place(const struct search *search, const struct gpucode_reference *reference, const uint64_t packets[2],
                      uint32_t owner)
{
    const struct gpucode_subject *subject = search->subject;
    struct gpucode_answer *answer = search->answer;
    const char *section = subject_section(subject, reference->section);
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_text(answer, &fields[SECTION], section);
    if (gpucode_image_info(subject->image)->section_count > 1)
        gpucode_answer_text(answer, &fields[SECTION_TEXT], section);
    bool bytes = gpucode_target_unit_bytes(target_of(subject)) == 1;
    gpucode_answer_number(answer, &fields[bytes ? AT_BYTES : AT], reference->unit);
    subject_plain_name(subject, reference->section, owner, name);
    if (reference->in_table)
        gpucode_answer_nothing(answer, &fields[FUNCTION]);
    else
        gpucode_answer_text(answer, &fields[FUNCTION], name);
    subject_put_packets(subject, answer, packets, &fields[PACKETS], &fields[PACKET]);
}

/* What it refers to, and how. */
static void put_access(const struct search *search, const struct gpucode_reference *reference, uint32_t owner)
{
    const struct gpucode_subject *subject = search->subject;
    struct gpucode_answer *answer = search->answer;
    char name[GPUCODE_NAME_MAX + 1], text[GPUCODE_TEXT_MAX];
    gpucode_answer_text(answer, &fields[SPACE], space_of(subject, reference));
    name_of(search, reference, name);
    gpucode_answer_text(answer, &fields[NAME], name);
    gpucode_subject_name(subject, reference->section, owner, name);
    gpucode_answer_text(answer, &fields[OWNER], reference->in_table ? "packet table" : name);
    gpucode_answer_text(answer, &fields[ACCESS], gpucode_reference_kind_name(reference->kind));
    if (!reference->in_table && gpucode_subject_text(subject, reference->section, reference->unit, text))
        gpucode_answer_text(answer, &fields[TEXT], text);
    if (reference->space != GPUCODE_SPACE_GENERAL && reference->space != GPUCODE_SPACE_MEMORY)
        gpucode_answer_number(answer, &fields[NUMBER], reference->number);
    if (reference->has_value)
        gpucode_answer_number(answer, &fields[WRITTEN], reference->value);
    gpucode_answer_text(answer, &fields[VIA], reference->via);
    if (reference->exact)
        return;
    gpucode_answer_flag(answer, &fields[EXACT], false);
    gpucode_answer_text(answer, &fields[INEXACT], "plus something unknown");
}

static bool put_reference(void *user, const struct gpucode_reference *reference)
{
    struct search *search = user;
    const struct gpucode_subject *subject = search->subject;
    char text[GPUCODE_NOTE_MAX];
    uint64_t packets[2];
    if (!wants(&search->what, reference))
        return true;
    search->found++;
    uint32_t owner = reference->in_table
                         ? GPUCODE_NONE
                         : gpucode_analysis_owner(subject->analysis, reference->section, reference->unit);
    packets_of(subject, reference, packets);
    gpucode_answer_begin(search->answer, &fields[REFERENCE]);
    put_place(search, reference, packets, owner);
    put_access(search, reference, owner);
    if (gpucode_analysis_packets(subject->analysis, packets, PACKETS_SHOWN, text, sizeof text))
        gpucode_answer_text(search->answer, &fields[FROM], text);
    subject_put_line(subject, search->answer, reference->section, reference->unit, &fields[FILE_NAME], &fields[LINE]);
    gpucode_answer_end(search->answer);
    return true;
}

enum gpucode_status gpucode_report_references(const struct gpucode_subject *subject, const char *what,
                                              struct gpucode_answer *answer, unsigned *found)
{
    struct search search = {.subject = subject, .answer = answer, .asked = what};
    if (!subject || !subject->image || !subject->analysis || !what)
        return GPUCODE_ERROR_ARGUMENT;
    if (!understand(subject, what, &search.what))
        return GPUCODE_ERROR_INPUT;
    enum gpucode_status status = gpucode_analysis_references(subject->analysis, put_reference, &search);
    if (found)
        *found = search.found;
    return status == GPUCODE_OK ? gpucode_answer_status(answer) : status;
}
