/* SPDX-License-Identifier: MIT */
/* What `diff` tells of two analysed programs. */
#ifndef CLI_DIFFERENCES_H
#define CLI_DIFFERENCES_H

#include "front/understood.h"
#include <gpucode/compare.h>

struct differences {
    const struct understood *understood[2]; /* GPUCODE_OLD, GPUCODE_NEW */
    const struct gpucode_comparison *comparison;
};

/* Compares and reports; returns an exit code. */
int differences_report(struct session *session, const struct input *before, const struct input *after);

/* The page goes to the file `path`; returns an exit code. */
int differences_html(struct session *session, const struct differences *differences, const char *path);
void differences_text(const struct differences *differences);
void differences_json(const struct differences *differences);

/* The name of a function: the new one's, of those that are gone the old one's. */
void differences_name(const struct differences *differences, const struct gpucode_compared_section *section,
                      const struct gpucode_compared_function *function, char name[GPUCODE_NAME_MAX]);
/* Has the packet the handler that most have? Those are counted, but not named. */
bool differences_is_usual(const struct differences *differences, const struct gpucode_compared_section *section,
                          unsigned packet);
/* Calls `put` for each kind of edit, the most frequent first: edits that differ by registers alone are of one. */
void differences_kinds(const struct differences *differences, bool (*put)(void *user, const char *text, unsigned count),
                       void *user);

/* --- registers that a changed function uses on one side alone --- */

struct difference_register {
    bool writes, exact; /* not exact: something unknown is added to `number` */
    unsigned space;     /* as in struct gpucode_reference; of general registers only those that outlive a handler */
    uint32_t number;
    bool added; /* the new side has it */
};

#define DIFFERENCE_NAME_MAX (GPUCODE_NAME_MAX + 16)

struct difference_uses;
/* What both sides use; null: out of memory. */
struct difference_uses *difference_uses_begin(const struct differences *differences);
void difference_uses_end(struct difference_uses *uses);
void difference_registers(const struct differences *differences, const struct difference_uses *uses,
                          const struct gpucode_compared_section *section,
                          const struct gpucode_compared_function *function,
                          void (*found)(void *user, const struct difference_register *what), void *user);
/* "@IB1_BASE", "$14", "CP_SCRATCH[0].REG", "memory". */
void difference_register_name(const struct differences *differences, const struct difference_register *what,
                              char name[DIFFERENCE_NAME_MAX]);

/* The new image's name of a section, or the old one's. */
static inline const char *differences_section(const struct differences *differences,
                                              const struct gpucode_compared_section *section)
{
    unsigned side = section->section[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    return differences->understood[side]->info->sections[section->section[side]].name;
}

/* First unit of a function, GPUCODE_NONE: this side does not have it. */
static inline uint32_t differences_start(const struct differences *differences,
                                         const struct gpucode_compared_section *section,
                                         const struct gpucode_compared_function *function, unsigned side)
{
    const struct gpucode_function *found = gpucode_analysis_function(differences->understood[side]->analysis,
                                                                     section->section[side], function->function[side]);
    return found ? found->start : GPUCODE_NONE;
}

#endif
