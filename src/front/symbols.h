/* SPDX-License-Identifier: MIT */
/* Names of the user's own for code, registers, packets and memory, from --symbols. */
#ifndef FRONT_SYMBOLS_H
#define FRONT_SYMBOLS_H

#include <gpucode/insn.h>
#include <gpucode/symbols.h>

struct session;
struct input;

/*
 * Reads all symbol files. *symbols is null when there are none, or no target. `names` (may be null) go behind theirs
 * and must live as long. Returns an exit code; not EXIT_DONE: there is nothing to free.
 */
int symbols_load(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
                 struct gpucode_symbols **symbols);
/* Adds the labels of a program (may be null) and says which image it is about. Nothing for null symbols. */
int symbols_bind(struct session *session, struct gpucode_symbols *symbols, const struct gpucode_program *program,
                 const struct gpucode_image *image, const char *file);
/* For the `names` of the library's options: those of the symbols, or `names` when there are none. */
const struct gpucode_names *symbols_names(const struct gpucode_symbols *symbols, const struct gpucode_names *names);

/* Room for " in NAME+0x3". */
#define SYMBOLS_WHERE_MAX (GPUCODE_NAME_MAX + 32)
/* " in NAME+0x3" for a place in code, "" when there is no name; `text` has SYMBOLS_WHERE_MAX bytes. Returns it. */
const char *symbols_where(const struct input *input, unsigned section, uint64_t unit, char *text);

/* Which named code a trace was in last; zeroed at its beginning. */
struct symbols_walk {
    char name[GPUCODE_NAME_MAX];
    unsigned processor;
};
/*
 * Does the instruction at `unit` begin named code, or has control come to the middle of other named code than before?
 * `near` then says where ("drain", "drain+0x3"). False where nothing has a name.
 */
bool symbols_enter(struct symbols_walk *walk, const struct input *input, unsigned processor, unsigned section,
                   uint64_t unit, char near[SYMBOLS_WHERE_MAX]);

/* The `label` of gpucode_format_options: targets of branches by their names. `user` is a struct symbols_code. */
struct symbols_code {
    const struct input *input;
    unsigned section;
    const char *prefix; /* of a number for targets without a name, as listings have it; null: as without names */
};
size_t symbols_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size);

#endif
