/* SPDX-License-Identifier: MIT */
/*
 * Reports: what analysis, comparison and lint have found out about code, as answers (<gpucode/answer.h>) that are
 * complete enough to print: with names, the text of instructions, and lines of the source.
 *
 *     struct gpucode_subject subject = {.image = image, .file = "a660_sqe.fw", .analysis = analysis};
 *     struct gpucode_answer *answer = gpucode_answer_create();
 *     if (gpucode_report_privileges(&subject, answer) == GPUCODE_OK)
 *         gpucode_answer_render(answer, &options);
 *     gpucode_answer_free(answer);
 *
 * The functions whose names end in _table say what the fields of an answer are; any thread may call them. The others
 * keep notes in the analysis: one thread at a time may use an analysis, different ones are independent.
 */
#ifndef GPUCODE_REPORT_H
#define GPUCODE_REPORT_H

#include <gpucode/analysis.h>
#include <gpucode/answer.h>
#include <gpucode/asm.h>
#include <gpucode/compare.h>
#include <gpucode/image.h>
#include <gpucode/insn.h>
#include <gpucode/lint.h>
#include <gpucode/outline.h>
#include <gpucode/symbols.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Code, and all that is known of it. The caller owns the parts, which must live as long as the subject is used. */
struct gpucode_subject {
    const struct gpucode_image *image;     /* must not be null */
    const char *file;                      /* its name in reports; null: "" */
    struct gpucode_analysis *analysis;     /* of the image; null where a report needs none */
    const struct gpucode_outline *outline; /* of the image, for the names of places in listings; or null */
    const struct gpucode_names *names;     /* of registers and packets, ahead of the built-in ones; or null */
    const struct gpucode_program *program; /* the source of the image, for files and lines; or null */
    const struct gpucode_symbols *symbols; /* the caller's names of places; or null */
};

/* --- places of a subject --- */

/*
 * The unit of a section that a label means: a packet, a function's name, fxnN, lN, a label of the source or of the
 * symbols. Needs the analysis. False: none in this section.
 */
GPUCODE_API bool gpucode_subject_find(const struct gpucode_subject *subject, unsigned section, const char *label,
                                      uint32_t *unit);
/* The number of the function that begins at a unit of a section; GPUCODE_NONE: none does. Needs the analysis. */
GPUCODE_API uint32_t gpucode_subject_function(const struct gpucode_subject *subject, unsigned section, uint32_t unit);
/* The name of a function as listings have it, else that of the analysis; with a final zero. Needs the analysis. */
GPUCODE_API void gpucode_subject_name(const struct gpucode_subject *subject, unsigned section, uint32_t function,
                                      char name[GPUCODE_NAME_MAX]);
/* The same of any unit, "l12" where it has no name. */
GPUCODE_API void gpucode_subject_place(const struct gpucode_subject *subject, unsigned section, uint32_t unit,
                                       char name[GPUCODE_NAME_MAX]);
/* The text of an instruction, in which targets of branches have their names. False: there is none. */
GPUCODE_API bool gpucode_subject_text(const struct gpucode_subject *subject, unsigned section, uint32_t unit,
                                      char text[GPUCODE_TEXT_MAX]);

/*
 * The same as users write it: also a word's place, decimal or 0x..., SECTION: in front of either for one section alone,
 * and +N after a name.
 */
GPUCODE_API bool gpucode_subject_locate(const struct gpucode_subject *subject, unsigned section, const char *text,
                                        uint32_t *unit);

/* --- reports of one subject --- */

/*
 * What each packet can do at each level of privilege: gpucode_analysis_trials(). Needs the analysis; takes some
 * milliseconds. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the target has no levels that are known),
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_report_privileges(const struct gpucode_subject *subject,
                                                          struct gpucode_answer *answer);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_privileges_table(void);

/*
 * The functions of each section: how deep the stack of return addresses gets, by which calls, and which packets lead
 * there. Needs the analysis. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_report_calls(const struct gpucode_subject *subject,
                                                     struct gpucode_answer *answer);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_calls_table(void);

struct gpucode_graph_options {
    bool calls; /* functions and their calls alone; else with blocks */
    bool text;  /* the answer is for people: blocks have the text of their instructions, which JSON never has */
    /* Which functions are in it, by number; null: all. */
    bool (*shown)(void *user, unsigned section, unsigned function);
    void *user;
};

/*
 * The functions of all sections with their blocks, edges and calls. `options` may be null. Needs the analysis. Returns
 * GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_report_graph(const struct gpucode_subject *subject,
                                                     const struct gpucode_graph_options *options,
                                                     struct gpucode_answer *answer);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_graph_table(void);

/*
 * Who calls, jumps to, reads or writes `what`: a label, "@NAME", "%NAME", "|NAME", "$12", the name of a register of the
 * GPU, "0x123" (a register of that number in any of these spaces), "memory". *found, which may be null, receives the
 * number of references. Needs the analysis. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (nothing has that name; nothing is
 * put into the answer), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_report_references(const struct gpucode_subject *subject, const char *what,
                                                          struct gpucode_answer *answer, unsigned *found);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_references_table(void);

/*
 * Where a pattern begins: gpucode_outline_search(). *found, which may be null, receives the number of places. Needs the
 * outline. Returns what gpucode_outline_search() does.
 */
GPUCODE_API enum gpucode_status gpucode_report_search(const struct gpucode_subject *subject,
                                                      const struct gpucode_pattern *pattern,
                                                      struct gpucode_answer *answer, unsigned *found);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_search_table(void);

/* --- reports of two subjects of one instruction set --- */

/*
 * Which packets can do more or less in `after` than in `before`. *differ, which may be null, receives whether any does.
 * Needs both analyses. Returns what gpucode_report_privileges() does, and GPUCODE_ERROR_RANGE: they have different
 * numbers of levels.
 */
GPUCODE_API enum gpucode_status gpucode_report_privilege_changes(const struct gpucode_subject *before,
                                                                 const struct gpucode_subject *after,
                                                                 struct gpucode_answer *answer, bool *differ);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_privilege_changes_table(void);

/*
 * What has become of packets and functions, listings of changed functions with the lines of both sides, the registers
 * that they use now or no longer, and edits: gpucode_compare(). *differ, which may be null, receives whether a function
 * is changed, new or gone. Needs both analyses. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the instruction sets
 * differ), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_report_changes(const struct gpucode_subject *before,
                                                       const struct gpucode_subject *after,
                                                       struct gpucode_answer *answer, bool *differ);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_changes_table(void);

/* A symbol file as text. */
struct gpucode_symbol_text {
    const char *file; /* its name in messages and answers; or null */
    const char *text; /* see symbols.h */
    size_t length;
};
/*
 * Carries the names of a symbol file from one image to another by gpucode_comparison_place(). *out receives the new
 * file, malloc'ed, *length bytes and a zero: the lines of the old one with new places, `; lost:` in front of those that
 * could not be carried, and the new image's hash (gpucode_bytes_hash()) in its first line; records of source lines are
 * left out. The answer tells what was lost, *lost, which may be null, how many names. With the same image on both sides
 * the places stay as they are, and no analysis is needed; else both are. Diagnostics are those of
 * gpucode_symbols_read() and gpucode_symbols_bind() to the old image. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (the file
 * is wrong), GPUCODE_ERROR_UNSUPPORTED (the instruction sets differ), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status
gpucode_report_carried(const struct gpucode_subject *before, const struct gpucode_subject *after,
                       const struct gpucode_symbol_text *names, struct gpucode_diagnostic_handler on_diagnostic,
                       struct gpucode_answer *answer, char **out, size_t *length, unsigned *lost);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_carried_table(void);

/*
 * gpucode_report_changes() by basic blocks of the first sections, for code that is not analysed: shaders, macros,
 * scripts. *differ receives whether any line differs. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (neither has an
 * instruction), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_report_block_changes(const struct gpucode_subject *before,
                                                             const struct gpucode_subject *after,
                                                             struct gpucode_answer *answer, bool *differ);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_block_changes_table(void);

/* --- routines replaced --- */

struct gpucode_patch {
    const char *routine; /* where it begins: gpucode_subject_locate() */
    const char *file;    /* the source's name, for messages */
    const char *text;    /* what stands there instead, */
    size_t length;       /* bytes */
};
/*
 * Replaces routines of an image: what comes after them moves, and labels, branches, packet tables and the numbers that
 * `disasm --edit` knows to be places follow. Labels of the rest may be used, as listings of the image have them; labels
 * in the old routine that the rest uses must stand in the new one, too. A label at the start is kept where the source
 * does not place it. `subject` needs the image alone; its names and symbols are used. Of `options`, which may be null,
 * `include`, `user`, `include_root`, `oversize` and `on_diagnostic` count. The answer tells what was replaced, and
 * which instructions use places that nobody knows, so that they could not follow. *program is the caller's:
 * gpucode_program_free(). *wrong, which may be null, receives the patch that is the reason for GPUCODE_ERROR_RANGE: it
 * names no routine's start, or one twice. Returns GPUCODE_OK, GPUCODE_ERROR_RANGE, GPUCODE_ERROR_INPUT (a source is
 * wrong, or does not fit), GPUCODE_ERROR_UNSUPPORTED, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_patch(const struct gpucode_subject *subject,
                                              const struct gpucode_patch *patches, size_t count,
                                              const struct gpucode_asm_options *options, struct gpucode_answer *answer,
                                              struct gpucode_program **program, const struct gpucode_patch **wrong);
GPUCODE_API const struct gpucode_answer_table *gpucode_report_patch_table(void);

#ifdef __cplusplus
}
#endif
#endif
