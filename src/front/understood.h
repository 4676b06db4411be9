/* SPDX-License-Identifier: MIT */
/* Code of the command line, analysed: what `graph`, `xref` and their like have in common. */
#ifndef FRONT_UNDERSTOOD_H
#define FRONT_UNDERSTOOD_H

#include "front/input.h"
#include <gpucode/report.h>

struct understood {
    struct session *session;
    const struct input *input;
    const struct gpucode_image_info *info;
    struct gpucode_analysis *analysis;
    struct gpucode_subject subject; /* for reports that name no places; understood_listed() for others */
};

/* Analyses an input. Complains and returns an exit code; on EXIT_DONE call understood_close(). */
int understood_open(struct session *session, const struct input *input, struct understood *understood);
void understood_close(struct understood *understood);
/* Opens the first operand, analyses it, calls `use`, whose exit code it returns, and closes both. */
int understood_first(struct session *session, int (*use)(struct session *session, const struct understood *understood));

/* Complains that no section has what a label or the name of a register should mean, or no function there; returns an exit
 * code. */
int understood_no_place(const struct understood *understood, const char *name);

/* For reports: with the names that a listing has, which is made when it is asked for first. */
static inline struct gpucode_subject understood_listed(const struct understood *understood)
{
    struct gpucode_subject subject = understood->subject;
    subject.outline = input_outline(understood->input);
    return subject;
}

/* gpucode_subject_find() and its like, of what was analysed. */
static inline bool understood_find(const struct understood *understood, unsigned section, const char *label,
                                   uint32_t *unit)
{
    return gpucode_subject_find(&understood->subject, section, label, unit);
}
static inline uint32_t understood_function(const struct understood *understood, unsigned section, uint32_t unit)
{
    return gpucode_subject_function(&understood->subject, section, unit);
}
static inline void understood_name(const struct understood *understood, unsigned section, uint32_t function,
                                   char name[GPUCODE_NAME_MAX])
{
    const struct gpucode_subject subject = understood_listed(understood);
    gpucode_subject_name(&subject, section, function, name);
}
static inline void understood_place(const struct understood *understood, unsigned section, uint32_t unit,
                                    char name[GPUCODE_NAME_MAX])
{
    const struct gpucode_subject subject = understood_listed(understood);
    gpucode_subject_place(&subject, section, unit, name);
}
static inline bool understood_text(const struct understood *understood, unsigned section, uint32_t unit,
                                   char text[GPUCODE_TEXT_MAX])
{
    const struct gpucode_subject subject = understood_listed(understood);
    return gpucode_subject_text(&subject, section, unit, text);
}

#endif
