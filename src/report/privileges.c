/* SPDX-License-Identifier: MIT */
/*
 * What packets can do at each level of privilege, in one firmware, and where two differ: a line for each packet and
 * level as data, a table of packets by handler for people.
 */
#include "report/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_PRIVILEGES
#include <gpucode/answer_rows.h>

#define LEVELS_MAX 8
#define PACKETS 128

static const struct gpucode_answer_table of_one = {
    "info-privileges", "What packets can do: `info --privileges`, one object a line.", fields, CHANGES};
static const struct gpucode_answer_table of_two = {
    "diff-privileges", "What packets can do more or less than before: `diff --privileges`, one object a line.",
    fields + CHANGES, sizeof fields / sizeof *fields - CHANGES};

const struct gpucode_answer_table *gpucode_report_privileges_table(void)
{
    return &of_one;
}

const struct gpucode_answer_table *gpucode_report_privilege_changes_table(void)
{
    return &of_two;
}

/* --- what is known of each packet at each level --- */

struct cell {
    uint8_t can, seen; /* what the code can do; what it did when it ran */
    bool led;          /* packets of the firmware led to the level: */
    uint8_t led_seen;  /* what it did there, */
    uint8_t put_seen;  /* and what it did with the same packets, put there */
};

struct matrix_section {
    bool tabled; /* it has a packet table */
    bool tried;  /* its handlers ran */
    struct cell cells[PACKETS][LEVELS_MAX];
};

struct matrix {
    const struct gpucode_subject *subject;
    unsigned levels, count;
    const char *names[LEVELS_MAX];
    struct matrix_section *sections;
};

static bool keep(void *user, const struct gpucode_privileges *row)
{
    struct matrix *matrix = user;
    if (row->level >= LEVELS_MAX || row->packet >= PACKETS || row->section >= matrix->count)
        return true;
    struct matrix_section *section = &matrix->sections[row->section];
    section->tabled = true;
    section->tried |= row->tried;
    section->cells[row->packet][row->level] = (struct cell){
        .can = (uint8_t)row->effects,
        .seen = (uint8_t)row->seen,
        .led = row->led,
        .led_seen = (uint8_t)row->led_seen,
        .put_seen = (uint8_t)row->put_seen,
    };
    matrix->names[row->level] = row->level_name;
    if (row->level >= matrix->levels)
        matrix->levels = row->level + 1;
    return true;
}

/* free(matrix->sections), whatever it returns. */
static enum gpucode_status matrix_fill(const struct gpucode_subject *subject, struct matrix *matrix)
{
    *matrix = (struct matrix){.subject = subject};
    if (!subject || !subject->image || !subject->analysis)
        return GPUCODE_ERROR_ARGUMENT;
    matrix->count = gpucode_image_info(subject->image)->section_count;
    matrix->sections = calloc((size_t)matrix->count + 1, sizeof *matrix->sections);
    return matrix->sections ? gpucode_analysis_trials(subject->analysis, keep, matrix) : GPUCODE_ERROR_MEMORY;
}

/* --- data --- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A list; its item is the next field. */
static void put_effects(struct gpucode_answer *answer, unsigned list, unsigned effects)
{
    const char *names[8];
    unsigned count = 0;
    do {
        names[count++] = gpucode_privilege_name(effects);
        effects &= effects - 1;
    } while (effects);
    qsort(names, count, sizeof *names, compare_names);
    gpucode_answer_begin(answer, &fields[list]);
    for (unsigned i = 0; i < count; i++)
        gpucode_answer_text(answer, &fields[list + 1], names[i]);
    gpucode_answer_end(answer);
}

static void put_known_effects(struct gpucode_answer *answer, unsigned list, bool known, unsigned effects)
{
    if (known)
        put_effects(answer, list, effects);
    else
        gpucode_answer_nothing(answer, &fields[list]);
}

/* Section, packet, opcode and level; their fields follow one another. */
static void put_place(struct gpucode_answer *answer, unsigned first, const struct matrix *matrix, unsigned section,
                      unsigned packet, unsigned level)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_analysis_packet_name(matrix->subject->analysis, packet, name, sizeof name);
    gpucode_answer_text(answer, &fields[first], subject_section(matrix->subject, section));
    gpucode_answer_text(answer, &fields[first + 1], name);
    gpucode_answer_number(answer, &fields[first + 2], packet & 0x7f);
    gpucode_answer_text(answer, &fields[first + 3], matrix->names[level]);
}

static void put_data(struct gpucode_answer *answer, const struct matrix *matrix)
{
    gpucode_answer_begin(answer, &fields[PRIVILEGES]);
    for (unsigned s = 0; s < matrix->count; s++)
        for (unsigned p = 0; matrix->sections[s].tabled && p < PACKETS; p++)
            for (unsigned level = 0; level < matrix->levels; level++) {
                const struct cell *cell = &matrix->sections[s].cells[p][level];
                gpucode_answer_begin(answer, &fields[PRIVILEGE]);
                put_place(answer, SECTION, matrix, s, p, level);
                put_effects(answer, CAN, cell->can);
                put_known_effects(answer, SEEN, matrix->sections[s].tried, cell->seen);
                put_known_effects(answer, LED, cell->led, cell->led_seen);
                put_known_effects(answer, PUT, cell->led, cell->put_seen);
                gpucode_answer_end(answer);
            }
    gpucode_answer_end(answer);
}

/* --- text --- */

/* A letter for each effect. */
static const char letters[] = {'R', 'S', 'r', 'm'};

static unsigned write_letters(char *text, unsigned effects)
{
    unsigned used = 0;
    for (unsigned i = 0; i < sizeof letters; i++)
        if (effects >> i & 1)
            text[used++] = letters[i];
    return used;
}

static void put_letters(struct gpucode_answer *answer, unsigned field, unsigned effects)
{
    char text[sizeof letters + 1];
    text[write_letters(text, effects)] = 0;
    gpucode_answer_text(answer, &fields[field], *text ? text : "-");
}

/* What code can do; in brackets what no run showed, after '+' what only runs showed. */
static void put_cell(struct gpucode_answer *answer, const struct matrix *matrix, unsigned section, unsigned packet,
                     unsigned level)
{
    char text[3 * sizeof letters + 4];
    const struct cell *cell = &matrix->sections[section].cells[packet][level];
    unsigned used = 0, can = cell->can, did = matrix->sections[section].tried ? cell->seen : can;
    used += write_letters(text, can & did);
    if (can & ~did) {
        text[used++] = '(';
        used += write_letters(text + used, can & ~did);
        text[used++] = ')';
    }
    if (did & ~can) {
        text[used++] = '+';
        used += write_letters(text + used, did & ~can);
    }
    if (!used)
        text[used++] = '-';
    gpucode_answer_bytes(answer, &fields[level + 1 < matrix->levels ? CELL : LAST_CELL], text, used);
}

/* A row of cells under a name; null packets: the names of the levels. */
static void put_row(struct gpucode_answer *answer, const struct matrix *matrix, const char *name, unsigned section,
                    const unsigned *packet)
{
    gpucode_answer_begin(answer, &fields[MATRIX_ROW]);
    gpucode_answer_text(answer, &fields[ROW_NAME], name);
    for (unsigned level = 0; level < matrix->levels; level++)
        if (packet)
            put_cell(answer, matrix, section, *packet, level);
        else
            gpucode_answer_text(answer, &fields[level + 1 < matrix->levels ? CELL : LAST_CELL], matrix->names[level]);
    gpucode_answer_end(answer);
}

static void put_legend(struct gpucode_answer *answer, const struct matrix *matrix)
{
    bool tried = false;
    for (unsigned s = 0; s < matrix->count; s++)
        tried |= matrix->sections[s].tabled && matrix->sections[s].tried;
    gpucode_answer_text(answer, &fields[LEGEND], "R any register, S page tables, r registers, m memory, - none");
    if (tried)
        gpucode_answer_text(answer, &fields[LEGEND],
                            "(x) code can do it, and no run showed it; +x a run showed it, and the code does not tell");
    for (unsigned s = 0; s < matrix->count; s++)
        if (matrix->sections[s].tabled && !matrix->sections[s].tried)
            gpucode_answer_format(answer, &fields[LEGEND], "%s does not boot by itself: nothing was run",
                                  subject_section(matrix->subject, s));
}

/* Packets with one handler stand in one row. */
static bool is_first(const struct matrix *matrix, unsigned section, unsigned packet, unsigned *more)
{
    uint32_t handler = 0, other = 0;
    *more = 0;
    gpucode_image_handler(matrix->subject->image, section, packet, &handler);
    for (unsigned i = 0; i < PACKETS; i++) {
        gpucode_image_handler(matrix->subject->image, section, i, &other);
        if (other == handler && i < packet)
            return false;
        *more += other == handler && i > packet;
    }
    return true;
}

/* The levels from `first` on at which a packet did the same two things; returns them as bits. */
static unsigned put_different(struct gpucode_answer *answer, const struct matrix *matrix, unsigned section,
                              unsigned packet, unsigned first)
{
    const struct cell *cells = matrix->sections[section].cells[packet];
    char name[GPUCODE_NAME_MAX];
    unsigned told = 0;
    gpucode_analysis_packet_name(matrix->subject->analysis, packet, name, sizeof name);
    gpucode_answer_begin(answer, &fields[DIFFERENT]);
    gpucode_answer_text(answer, &fields[DIFFERENT_NAME], name);
    gpucode_answer_begin(answer, &fields[DIFFERENT_LEVELS]);
    for (unsigned i = first; i < matrix->levels; i++) {
        if (!cells[i].led || cells[i].led_seen != cells[first].led_seen || cells[i].put_seen != cells[first].put_seen)
            continue;
        gpucode_answer_text(answer, &fields[DIFFERENT_LEVEL], matrix->names[i]);
        told |= 1u << i;
    }
    gpucode_answer_end(answer);
    put_letters(answer, DIFFERENT_LED, cells[first].led_seen);
    put_letters(answer, DIFFERENT_PUT, cells[first].put_seen);
    gpucode_answer_end(answer);
    return told;
}

/*
 * Handlers that do something else where the firmware's own packets have led to a level: it keeps the level in another
 * way than one that is put there has it, or a handler asks for something else.
 */
static void put_led(struct gpucode_answer *answer, const struct matrix *matrix, unsigned section)
{
    unsigned more, known = 0;
    for (unsigned p = 0; p < PACKETS; p++) {
        unsigned told = 0; /* levels */
        for (unsigned level = 0; level < matrix->levels && is_first(matrix, section, p, &more); level++) {
            const struct cell *cell = &matrix->sections[section].cells[p][level];
            known |= (unsigned)cell->led << level;
            if (cell->led && cell->led_seen != cell->put_seen && !(told >> level & 1))
                told |= put_different(answer, matrix, section, p, level);
        }
    }
    gpucode_answer_begin(answer, &fields[LED_TO]);
    for (unsigned level = 0; level < matrix->levels; level++)
        if (known >> level & 1)
            gpucode_answer_text(answer, &fields[LED_TO_LEVEL], matrix->names[level]);
    gpucode_answer_end(answer);
}

static void put_section(struct gpucode_answer *answer, const struct matrix *matrix, unsigned section)
{
    char name[GPUCODE_NAME_MAX];
    unsigned more;
    gpucode_answer_begin(answer, &fields[SECTION_TEXT]);
    gpucode_answer_text(answer, &fields[SECTION_NAME], subject_section(matrix->subject, section));
    gpucode_answer_begin(answer, &fields[MATRIX]);
    put_row(answer, matrix, "", section, NULL);
    for (unsigned p = 0; p < PACKETS; p++) {
        if (!is_first(matrix, section, p, &more))
            continue;
        size_t length = gpucode_analysis_packet_name(matrix->subject->analysis, p, name, sizeof name);
        if (more && length + 16 < sizeof name)
            snprintf(name + length, sizeof name - length, " and %u more", more);
        put_row(answer, matrix, name, section, &p);
    }
    gpucode_answer_end(answer);
    put_led(answer, matrix, section);
    gpucode_answer_end(answer);
}

enum gpucode_status gpucode_report_privileges(const struct gpucode_subject *subject, struct gpucode_answer *answer)
{
    struct matrix matrix;
    enum gpucode_status status = matrix_fill(subject, &matrix);
    if (status == GPUCODE_OK) {
        put_data(answer, &matrix);
        gpucode_answer_begin(answer, &fields[SECTIONS]);
        for (unsigned s = 0; s < matrix.count; s++)
            if (matrix.sections[s].tabled)
                put_section(answer, &matrix, s);
        gpucode_answer_end(answer);
        put_legend(answer, &matrix);
        status = gpucode_answer_status(answer);
    }
    free(matrix.sections);
    return status;
}

/* --- two firmwares --- */

/* All that is known of a packet at a level. What no run has shown on one side alone is not a difference. */
static bool differs(const struct matrix *old, const struct matrix *new, unsigned section, unsigned packet,
                    unsigned level)
{
    const struct cell *before = &old->sections[section].cells[packet][level];
    const struct cell *after = &new->sections[section].cells[packet][level];
    return (before->can | before->seen) != (after->can | after->seen);
}

static void put_change(struct gpucode_answer *answer, const struct matrix *old, const struct matrix *new,
                       unsigned section, unsigned packet)
{
    char name[GPUCODE_NAME_MAX], row[2 * GPUCODE_NAME_MAX];
    gpucode_analysis_packet_name(new->subject->analysis, packet, name, sizeof name);
    snprintf(row, sizeof row, "%-4s %s", subject_section(new->subject, section), name);
    put_row(answer, old, row, section, &packet);
    put_row(answer, new, "     now", section, &packet);
}

static void put_change_data(struct gpucode_answer *answer, const struct matrix *old, const struct matrix *new,
                            unsigned section, unsigned packet)
{
    for (unsigned level = 0; level < new->levels; level++) {
        const struct cell *before = &old->sections[section].cells[packet][level];
        const struct cell *after = &new->sections[section].cells[packet][level];
        if (!differs(old, new, section, packet, level))
            continue;
        gpucode_answer_begin(answer, &fields[CHANGE]);
        put_place(answer, CHANGE_SECTION, new, section, packet, level);
        put_effects(answer, OLD_CAN, before->can);
        put_effects(answer, NEW_CAN, after->can);
        put_effects(answer, OLD_SEEN, before->seen);
        put_effects(answer, NEW_SEEN, after->seen);
        gpucode_answer_end(answer);
    }
}

/* Calls `put` for each packet that differs; returns how many do. */
static unsigned each_change(struct gpucode_answer *answer, const struct matrix matrix[2],
                            void (*put)(struct gpucode_answer *answer, const struct matrix *old,
                                        const struct matrix *new, unsigned section, unsigned packet))
{
    const struct matrix *old = &matrix[GPUCODE_OLD], *new = &matrix[GPUCODE_NEW];
    unsigned count = 0;
    for (unsigned s = 0; s < old->count && s < new->count; s++)
        for (unsigned p = 0; p < PACKETS; p++) {
            bool any = false;
            for (unsigned level = 0; level < new->levels; level++)
                any |= differs(old, new, s, p, level);
            count += any;
            if (any)
                put(answer, old, new, s, p);
        }
    return count;
}

static bool put_changes(struct gpucode_answer *answer, const struct matrix matrix[2])
{
    gpucode_answer_begin(answer, &fields[CHANGES]);
    bool any = each_change(answer, matrix, put_change_data);
    gpucode_answer_end(answer);
    if (!any) {
        gpucode_answer_text(answer, &fields[CHANGE_LEGEND], "no packet can do more or less than before");
        return false;
    }
    gpucode_answer_begin(answer, &fields[CHANGE_MATRIX]);
    put_row(answer, &matrix[GPUCODE_NEW], "", 0, NULL);
    each_change(answer, matrix, put_change);
    gpucode_answer_end(answer);
    put_legend(answer, &matrix[GPUCODE_NEW]);
    return true;
}

enum gpucode_status gpucode_report_privilege_changes(const struct gpucode_subject *before,
                                                     const struct gpucode_subject *after, struct gpucode_answer *answer,
                                                     bool *differ)
{
    struct matrix matrix[2] = {{0}};
    enum gpucode_status status = matrix_fill(before, &matrix[GPUCODE_OLD]);
    if (status == GPUCODE_OK)
        status = matrix_fill(after, &matrix[GPUCODE_NEW]);
    if (status == GPUCODE_OK && matrix[GPUCODE_OLD].levels != matrix[GPUCODE_NEW].levels)
        status = GPUCODE_ERROR_RANGE;
    if (status == GPUCODE_OK) {
        bool any = put_changes(answer, matrix);
        if (differ)
            *differ = any;
        status = gpucode_answer_status(answer);
    }
    free(matrix[GPUCODE_OLD].sections);
    free(matrix[GPUCODE_NEW].sections);
    return status;
}
