/* SPDX-License-Identifier: MIT */
/* Where a pattern of instructions stands, with the places' names and lines. */
#include "report/subject.h"

#include <stdio.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_SEARCH
#include <gpucode/answer_rows.h>

REPORT_TABLE(gpucode_report_search_table, "search", "Where a pattern stands: `search`, one object a line.")

struct searching {
    const struct gpucode_subject *subject;
    struct gpucode_answer *answer;
    unsigned found;
};

static void put_insn(const struct searching *searching, const struct gpucode_unit *unit)
{
    const struct gpucode_subject *subject = searching->subject;
    const struct gpucode_image_info *info = gpucode_image_info(subject->image);
    struct gpucode_answer *answer = searching->answer;
    char where[GPUCODE_NAME_MAX + 16];
    bool bytes = gpucode_target_unit_bytes(info->target) == 1;
    gpucode_answer_begin(answer, &fields[INSN]);
    if (info->section_count > 1)
        gpucode_answer_text(answer, &fields[SECTION_TEXT], subject_section(subject, unit->section));
    gpucode_answer_number(answer, &fields[bytes ? AT_BYTES : AT], unit->at);
    if (!gpucode_outline_near(subject->outline, unit->section, unit->at, where, sizeof where)) {
        uint32_t count;
        const struct gpucode_routine *routines = gpucode_outline_routines(subject->outline, &count);
        snprintf(where, sizeof where, "%s+0x%llx", unit->routine < count ? routines[unit->routine].name : "start",
                 (unsigned long long)unit->at);
    }
    gpucode_answer_text(answer, &fields[WHERE], where);
    gpucode_answer_bytes(answer, &fields[TEXT], gpucode_outline_text(subject->outline, NULL) + unit->text.offset,
                         unit->text.length);
    if (info->section_count)
        subject_put_line(subject, answer, unit->section, (uint32_t)unit->at, &fields[FILE_NAME], &fields[LINE]);
    gpucode_answer_end(answer);
}

static bool put_match(void *user, const struct gpucode_match *match)
{
    struct searching *searching = user;
    struct gpucode_answer *answer = searching->answer;
    uint32_t count;
    const struct gpucode_unit *units = gpucode_outline_units(searching->subject->outline, &count);
    searching->found++;
    gpucode_answer_begin(answer, &fields[MATCH]);
    gpucode_answer_text(answer, &fields[SECTION], subject_section(searching->subject, units[match->units[0]].section));
    gpucode_answer_begin(answer, &fields[INSNS]);
    for (uint32_t i = 0; i < match->count; i++)
        put_insn(searching, &units[match->units[i]]);
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[BOUND]);
    for (unsigned i = 0; i < match->bound_count; i++) {
        gpucode_answer_begin(answer, &fields[NAME]);
        gpucode_answer_text(answer, &fields[NAME_MARK], match->bound[i].name);
        gpucode_answer_text(answer, &fields[NAME_TEXT], match->bound[i].text);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return true;
}

enum gpucode_status gpucode_report_search(const struct gpucode_subject *subject, const struct gpucode_pattern *pattern,
                                          struct gpucode_answer *answer, unsigned *found)
{
    struct searching searching = {.subject = subject, .answer = answer};
    if (!subject || !subject->image || !subject->outline || !pattern || !answer)
        return GPUCODE_ERROR_ARGUMENT;
    enum gpucode_status status = gpucode_outline_search(subject->outline, pattern, put_match, &searching);
    if (found)
        *found = searching.found;
    return status == GPUCODE_OK ? gpucode_answer_status(answer) : status;
}
