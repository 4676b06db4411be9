/* SPDX-License-Identifier: MIT */
/* Code given on the command line as source or binary, whichever the file is; opened as an image. */
#ifndef FRONT_INPUT_H
#define FRONT_INPUT_H

#include "front/file.h"

#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <gpucode/insn.h>
#include <gpucode/outline.h>
#include <gpucode/report.h>
#include <gpucode/symbols.h>
#include <stdbool.h>

struct session;
struct registers;

struct input {
    struct file file;
    struct gpucode_program *program; /* of a source; null: the file is binary */
    struct gpucode_image *image;
    const struct gpucode_target *target;
    struct registers *registers;
    struct gpucode_symbols *symbols; /* of the source and of --symbols; null: there are none */
    struct input_places *places;     /* names of places; see input_outline() */
    const void *bytes;               /* the code */
    size_t size;
};

/* Returns an exit code; on EXIT_DONE call input_close(). Sources may be larger than their target with --oversize. */
int input_open(struct session *session, const char *path, struct input *input);
/* Where session->takes_parts: the next program of the same source in place of this one. False: there is none. */
bool input_next(struct session *session, struct input *input, int *code);
/*
 * The same of code that was not read from a file: takes the bytes of `file`, which are malloc'ed. The target may be
 * null where the bytes tell it.
 */
int input_open_code(struct session *session, const struct file *file, const struct gpucode_target *target,
                    struct input *input);
/* The text, read as this input's source was, gives exactly these bytes; nothing is reported. */
bool input_gives(const struct session *session, const struct input *input, const char *text, size_t length,
                 const void *bytes, size_t size);
/* Complains when the code is not a whole number of instructions, or none: a file that was cut off, or is something
 * else. Sets whose files may hold other things than code pass. Returns an exit code. */
int input_check_whole(struct session *session, const struct input *input);
/* The instruction at a unit of a section. False: there is none. */
bool input_insn(const struct input *input, unsigned section, uint64_t unit, struct gpucode_insn *insn);
/*
 * The text of the instruction at a unit of a section, `options` as for gpucode_format(). False: there is none.
 */
bool input_insn_text(const struct input *input, unsigned section, uint64_t unit,
                     const struct gpucode_format_options *options, char text[GPUCODE_TEXT_MAX]);
/* The image as a listing shows it, which has the names of its places; made when it is asked for first. null: no memory.
 */
const struct gpucode_outline *input_outline(const struct input *input);
/* The input as reports have it, without an analysis and without the names that a listing has. */
struct gpucode_subject input_subject(const struct input *input);
/*
 * What the analysis knows, made when it is asked for first; the notes refer to the analysis. null: nothing is known of
 * such code, or there is no memory (a complaint was made).
 */
const struct gpucode_analysis *input_analysis(const struct input *input);
const struct gpucode_notes *input_notes(const struct input *input);
/* Complains where --comments is given and nothing is known of such code. Returns an exit code. */
int input_check_comments(struct session *session, const struct input *input);
/* Complains that the analysis of an input ended so, which is not GPUCODE_OK. Returns an exit code. */
int input_refuse(struct session *session, const struct input *input, enum gpucode_status status);
void input_close(struct input *input);
const struct gpucode_names *input_names(const struct input *input);

/*
 * gpucode_assemble(), and what may be included: files in the folder of the source and below, and in those of -I, where
 * names that do not stand beside their file are looked for, and --include-root. Sets options->include and its user.
 */
enum gpucode_status input_assemble(const struct session *session, const char *text, size_t length,
                                   struct gpucode_asm_options *options, struct gpucode_program **program);

/* gpucode_asm_options.include, `user` being the session: what the file that names it may include. */
bool input_include_beside(void *user, const char *from, const char *name, char **text, size_t *length);

/* What a source says of its program for those who check it. */

#define FACTS_ENTRIES_MAX 16

/* Entry points that labels place, where the target has such ("entry0" to "entry3"); returns how many. */
unsigned facts_entries(const struct gpucode_program *program, uint64_t entries[FACTS_ENTRIES_MAX]);
/* What the source declares, malloc'ed; null: no memory. `program` may be null. */
struct gpucode_declaration *facts_declarations(const struct gpucode_program *program, unsigned *count);

#endif
