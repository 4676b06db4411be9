/* SPDX-License-Identifier: MIT */
/*
 * Two versions of code compared by what they do: functions that stand elsewhere are the same functions.
 *
 *     struct gpucode_comparison *comparison;
 *     if (gpucode_compare(old_analysis, new_analysis, &comparison) == GPUCODE_OK) {
 *         const struct gpucode_edit *edit;
 *         for (unsigned i = 0; (edit = gpucode_comparison_edit(comparison, i)); i++)
 *             printf("%s, %u times\n", edit->text, edit->count);
 *         gpucode_comparison_free(comparison);
 *     }
 *
 * docs/analysis.md says how functions are matched. A comparison is read-only and may be shared by threads. It refers to
 * both analyses, which must live as long.
 */
#ifndef GPUCODE_COMPARE_H
#define GPUCODE_COMPARE_H

#include <gpucode/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_comparison;

enum gpucode_change {
    GPUCODE_CHANGE_SAME,    /* the same words at the same place */
    GPUCODE_CHANGE_MOVED,   /* the same words elsewhere */
    GPUCODE_CHANGE_CHANGED, /* other words */
    GPUCODE_CHANGE_NEW,
    GPUCODE_CHANGE_GONE,
};
/* "same", "moved", ... */
GPUCODE_API const char *gpucode_change_name(enum gpucode_change change);

/* Which of two: the index of what comes in pairs. */
enum { GPUCODE_OLD, GPUCODE_NEW };

/* A line of the listing of a changed function. */
struct gpucode_compared_line {
    uint32_t unit[2]; /* of the section; GPUCODE_NONE: this side has no such line. Both, and not same: replaced */
    bool same;
};

struct gpucode_compared_function {
    enum gpucode_change change;
    uint32_t function[2]; /* index in the analysis of each side, GPUCODE_NONE: it is not there */
    uint32_t line_count;  /* of changed functions alone; from the entry on, round to what stands in front of it */
    const struct gpucode_compared_line *lines;
};

#define GPUCODE_COMPARED_PACKETS 128

struct gpucode_compared_section {
    unsigned section[2]; /* of the images, GPUCODE_NONE: this side lacks it */
    uint32_t function_count;
    const struct gpucode_compared_function *functions; /* by place in the new section, then those that are gone */
    bool has_packets;                                  /* some side has a packet table */
    uint8_t packets[GPUCODE_COMPARED_PACKETS];         /* enum gpucode_change of each packet */
};

/* Edits with the same text; a word that functions share counts once for each. */
struct gpucode_edit {
    const char *text; /* "and $02, $03, 0x3 -> and $02, $03, 0x7", "+ nop", "- nop"; without targets */
    const char *kind; /* the same with "$x", "$y" for general registers */
    uint32_t count;
};

/*
 * Compares two analyses of the same instruction set; generations may differ, words then are compared by their text.
 * Sections of one name belong together, and so do the first ones where their names differ. *out belongs to the caller:
 * gpucode_comparison_free(). Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the sets differ), GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_compare(const struct gpucode_analysis *before,
                                                const struct gpucode_analysis *after, struct gpucode_comparison **out);
/* null is allowed. */
GPUCODE_API void gpucode_comparison_free(struct gpucode_comparison *comparison);

/* Pair number `index` of sections, those of the new image first; null after the last. */
GPUCODE_API const struct gpucode_compared_section *
gpucode_comparison_section(const struct gpucode_comparison *comparison, unsigned index);
/* Edit number `index`, the most frequent first; null after the last. */
GPUCODE_API const struct gpucode_edit *gpucode_comparison_edit(const struct gpucode_comparison *comparison,
                                                               unsigned index);

/* Where a place of the old code stands in the new one. */
struct gpucode_carried_place {
    enum gpucode_change change; /* CHANGED: the function around it is; GONE: nothing of the new code is this place */
    unsigned section;           /* of the new image */
    uint32_t unit;              /* of that section; GPUCODE_NONE: GONE */
};
/*
 * Finds it: by the function that the unit belongs to, in changed ones by the line of the listing. What no function has
 * keeps its distance from the function next to it, where the bits are the same. Returns GPUCODE_OK,
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_comparison_place(const struct gpucode_comparison *comparison, unsigned section,
                                                         uint32_t unit, struct gpucode_carried_place *place);

#ifdef __cplusplus
}
#endif
#endif
