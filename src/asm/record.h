/* SPDX-License-Identifier: MIT */
/*
 * What an editor wants to know of a source, written down while it is assembled. All functions do nothing when nobody
 * asks (asm_context.record is null).
 */
#ifndef ASM_RECORD_H
#define ASM_RECORD_H

#include "asm/context.h"

#include <gpucode/source.h>

/* A word as it was read; in an expansion it stands in the text that substitution made. */
struct asm_word {
    uint8_t kind;  /* enum gpucode_token_kind */
    uint8_t space; /* NAME; OPERAND: of a register */
    uint8_t type;  /* OPERAND: enum gpucode_operand_type */
    uint8_t operand;
    uint32_t length;
    const struct asm_source *source;
    const char *at;
    uint32_t unit, section;
    uint32_t number; /* NAME: of the register; MNEMONIC: row; MACRO_NAME, PARAMETER: of the macro; LABEL: symbol + 1 */
};

/* Where a statement begins. */
struct asm_start {
    const struct asm_source *source;
    const char *at;
};

/* A diagnostic, its texts in the arena. */
struct asm_heard {
    enum gpucode_severity severity;
    const char *code, *message, *hint, *replacement;
    const struct asm_source *source; /* null: no place */
    const char *at, *fix_at;
    size_t span, fix_span;
};

/* A run of an expansion's text that stands like this in another text; `from` null: made up for what stands at `at`. */
struct asm_piece {
    size_t start; /* in the expansion; it ends where the next one starts */
    const struct asm_source *from;
    const char *at;
};

struct asm_record {
    struct gpucode_asm_options options;              /* the caller's, with a handler of ours */
    struct gpucode_diagnostic_handler on_diagnostic; /* the caller's */
    ASM_ARRAY(struct asm_word) words;
    ASM_ARRAY(struct asm_word) comments; /* apart: rows that are tried in vain skip them as well */
    ASM_ARRAY(struct asm_start) starts;
    ASM_ARRAY(struct asm_heard) heard;
    ASM_ARRAY(const struct asm_source *) files; /* each once */
    ASM_ARRAY(struct asm_piece) pieces;         /* of the expansion that is being made */
    size_t kept_pieces;                         /* of all expansions */
    size_t first_word;                          /* of the statement being read */
    struct place place;                         /* of the next diagnostic */
    const struct asm_source *place_source;      /* the same; null: no place */
};

extern const struct isa_listener asm_record_listener;
void asm_record_report(void *user, const struct gpucode_diagnostic *diagnostic);

void asm_record_word(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length);
/* The number of words so far, */
size_t asm_record_mark(const struct asm_context *context);
/* and those since then, and another one after them, get a number. */
void asm_record_words(struct asm_context *context, size_t mark, enum gpucode_token_kind kind, const char *at,
                      size_t length, uint32_t number);
void asm_record_statement(struct asm_context *context);
/* The parts of the instruction that was read; null: it is wrong. */
void asm_record_insn(struct asm_context *context, const struct isa_build *build);
/* A statement from `start` to the cursor that the instruction set has read itself. */
void asm_record_own(struct asm_context *context, const char *start, uint32_t unit);
/* A file is about to be read, whose name stands at `at`; null: the source itself. */
void asm_record_file(struct asm_context *context, struct asm_source *source, const char *at, size_t length);
/* The parameters in a macro's body. */
void asm_record_body(struct asm_context *context, const struct asm_macro *macro);
/* Pieces of an expansion: begins, one from `start` on, and done. */
void asm_record_pieces(struct asm_context *context);
void asm_record_piece(struct asm_context *context, size_t start, const struct asm_source *from, const char *at);
void asm_record_expansion(struct asm_context *context, struct asm_source *source);
/* Where the next diagnostic is. */
static inline void asm_record_place(struct asm_context *context, const struct asm_source *source,
                                    const struct place *place)
{
    if (!context->record)
        return;
    context->record->place_source = source;
    context->record->place = *place;
}

/*
 * Moves a place of an expansion to the file that its text comes from, or as near as one gets; *length shrinks to what
 * is there. False: not all of it is.
 */
bool asm_record_origin(const struct asm_source **source, const char **at, size_t *length);

/* context.c: the span of an operand or flag (GPUCODE_TOKEN_FLAG) without what stands around it; length 0: it is none.
 */
enum gpucode_token_kind asm_operand_span(const struct asm_context *context, const struct isa_word *piece,
                                         const char **start, size_t *length);
/* Does it count as an operand? */
static inline bool asm_is_operand(const struct asm_context *context, const struct isa_word *piece)
{
    return context->isa->text.operand_classes[piece->field->kind].type != GPUCODE_OPERAND_MODIFIER;
}
/* context.c: the parameter whose name begins at `at`; parameter_count: none. *length is that of the name. */
unsigned asm_macro_parameter(const struct asm_macro *macro, const char *at, size_t *length);

/* --- the lists of a source for editors ---------------------------------------------------------------------------- */

struct asm_listed_file {
    struct gpucode_source_file file;
    uint32_t first_word, word_count;
    size_t first_start, start_count;
};

struct asm_listed {
    struct asm_listed_file *files;
    uint32_t file_count;
    size_t *starts; /* of statements, offsets */
    size_t start_count;
    struct gpucode_word *words;
    uint32_t word_count;
    struct gpucode_source_symbol *symbols;
    uint32_t symbol_count;
    struct gpucode_source_diagnostic *diagnostics;
    uint32_t diagnostic_count;
};

/* Lists symbols and words, and joins them; false when there is no memory. */
bool asm_list_words(struct asm_context *context, struct arena *arena, struct asm_listed *listed);

#endif
