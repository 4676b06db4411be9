/* SPDX-License-Identifier: MIT */
/* What reports have in common: places and instructions of what they are about. */
#ifndef REPORT_SUBJECT_H
#define REPORT_SUBJECT_H

#include <gpucode/report.h>

/* After the fields of a report's answer (<gpucode/answer_rows.h>): its table, and the function that gives it. */
#define REPORT_TABLE(function, name, meaning)                                                                          \
    const struct gpucode_answer_table *function(void)                                                                  \
    {                                                                                                                  \
        static const struct gpucode_answer_table table = {name, meaning, fields, sizeof fields / sizeof *fields};      \
        return &table;                                                                                                 \
    }

/* The instruction at a unit of a section. False: there is none. */
bool subject_insn(const struct gpucode_subject *subject, unsigned section, uint64_t unit, struct gpucode_insn *insn);
/* How many units the instruction at a unit takes; 1 where there is none. */
uint32_t subject_units(const struct gpucode_subject *subject, unsigned section, uint64_t unit);
/* Puts the file and the line of a unit into an answer, where there is a source. */
void subject_put_line(const struct gpucode_subject *subject, struct gpucode_answer *answer, unsigned section,
                      uint32_t unit, const struct gpucode_answer_field *file, const struct gpucode_answer_field *line);
/* Puts the names of packets (bit n % 64 of word n / 64: packet n) into an answer, as a list with its items. */
void subject_put_packets(const struct gpucode_subject *subject, struct gpucode_answer *answer,
                         const uint64_t packets[2], const struct gpucode_answer_field *list,
                         const struct gpucode_answer_field *item);
/* The name of a section. */
static inline const char *subject_section(const struct gpucode_subject *subject, unsigned section)
{
    return gpucode_image_info(subject->image)->sections[section].name;
}
/* The name of a function as the analysis has it. */
static inline void subject_plain_name(const struct gpucode_subject *subject, unsigned section, uint32_t function,
                                      char name[GPUCODE_NAME_MAX])
{
    *name = 0;
    gpucode_analysis_name(subject->analysis, section, function, name, GPUCODE_NAME_MAX);
}

#endif
