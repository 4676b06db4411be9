/* SPDX-License-Identifier: MIT */
/* The assembler's state, shared by the files of this room. */
#ifndef ASM_CONTEXT_H
#define ASM_CONTEXT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "isa/assembler.h"
#include "isa/scan.h"

#include <gpucode/asm.h>

/* A text being read: the source, an included file, or an expanded macro. */
struct asm_source {
    const char *file;
    const char *text;
    size_t length;
    uint32_t number; /* among all that were read */
    unsigned first_line;
    bool is_macro;
    const struct asm_macro *macro;   /* whose body it is; null: a file */
    const char *macro_name;          /* in the arena, for what outlives the macro */
    const struct asm_source *parent; /* what included or invoked it, null for the source itself */
    const char *parent_at;           /* where */
    /* For asm/record.h alone: */
    uint32_t file_number;                  /* of an expansion 0 */
    const struct asm_source *macro_source; /* of an expansion: where the macro's body stands */
    const struct asm_piece *pieces; /* of an expansion: where its text comes from, in its order; null: not recorded */
    size_t piece_count;
};

/* Where reading goes on when a source ends. */
struct asm_frame {
    const struct asm_source *source;
    const char *at;
};

/* There are many: a program keeps them as they are. */
struct asm_symbol {
    const char *name; /* in the arena, ends in a zero */
    int64_t value;    /* label: units from the section's start */
    uint32_t length;
    uint32_t section;    /* ASM_CONSTANT for constants */
    uint32_t source, at; /* where it is defined: number of the text and byte of it, of very large ones the last */
};
#define ASM_CONSTANT UINT32_MAX

struct asm_section {
    const char *name; /* "" for the one before the first .section */
    size_t start;     /* byte offset in the output */
    int64_t base;     /* address of its first unit, for labels */
    uint32_t first;   /* number of the section that this one goes on with; its own where it is the first part */
    uint32_t next;    /* number of the part that goes on with this one; 0: none */
    uint32_t last;    /* first part: number of the last one */
};

/* A place in the output that waits for labels. */
struct asm_fixup {
    size_t offset; /* bytes in the output */
    uint32_t section;
    uint32_t name_length;
    const struct isa_row *row; /* null: a plain number of `width` bits */
    const struct asm_source *source;
    const char *name;              /* of the label that is the value, after its '#'; null: `value` says */
    const struct isa_value *value; /* in the arena */
    uint8_t field, width, size;
};

struct asm_macro {
    const char *name;
    uint32_t name_length;
    const char *const *parameters; /* names, end in a zero */
    unsigned parameter_count;
    const struct asm_source *source; /* where its body stands */
    const char *body, *body_end;
    unsigned body_line;
    bool expanding;  /* a macro cannot invoke itself */
    uint32_t behind; /* another of the same hash: index + 1 */
};
#define ASM_MACRO_HASHES 1024

/* A line of a source, found by asm_find_line(). */
struct asm_place {
    const struct asm_source *source;
    const char *start;
    unsigned number;
};

struct asm_line {
    uint32_t unit;  /* from the image's start */
    const char *at; /* the statement */
    struct asm_place place;
};

struct asm_token {
    enum gpucode_token_kind kind;
    const char *at;
    uint32_t length;
    uint32_t unit;
    unsigned operand;
    struct asm_place place;
};

/* A comment that waits for its turn among the tokens. */
struct asm_comment {
    const struct asm_source *source;
    const char *start, *end;
};

/* How deep includes and macros may stand inside one another. */
#define ASM_DEPTH_MAX 100
/* Places remembered for messages: that of an error, of what it stands in, and of notes. */
#define ASM_PARENTS_SHOWN 4
#define ASM_NOTE_PLACE (ASM_PARENTS_SHOWN + 1)

/* Growing arrays of the above; `count` used of `room`. */
#define ASM_ARRAY(type)                                                                                                \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, room;                                                                                            \
    }

struct asm_record;

struct asm_context {
    const struct asm_calls *calls; /* first: what instruction sets see of the assembler */
    struct asm_record *record;     /* what an editor wants to know; null: no editor asks */
    const struct gpucode_asm_options *options;
    const char *const *folders; /* where included files are looked for, up to a null pointer; null: beside others */
    struct arena arena;         /* becomes the program's */
    const struct gpucode_target *target;
    const struct isa *isa;
    const struct isa_assembler *hooks; /* never null */
    struct isa_scan scan;
    const struct asm_source *source; /* being read */
    const char *statement;           /* start of the current one */
    const char *quick_end;           /* after the last newline that quick.c may read; null: no line is its own */
    const char *pass_at;             /* where options->passed is to be told of what is in front */
    ASM_ARRAY(struct asm_frame) frames;
    ASM_ARRAY(const struct asm_source *) sources; /* all that were read, by number */
    struct buffer out;                            /* the file, prefix included */
    size_t prefix;                                /* bytes in front of unit 0 */
    ASM_ARRAY(struct asm_section) sections;
    ASM_ARRAY(struct asm_symbol) symbols;
    uint32_t *symbol_hash; /* symbol index + 1 */
    uint32_t symbol_hash_bits;
    size_t constants; /* symbols that are constants */
    ASM_ARRAY(struct asm_fixup) fixups;
    size_t settled, tried;      /* fixups that are kept for the end; and those that were tried once, included */
    ASM_ARRAY(uint32_t) waited; /* units of the image whose bits come from labels, in their order */
    ASM_ARRAY(struct asm_macro) macros;
    uint32_t macro_hash[ASM_MACRO_HASHES]; /* index + 1 */
    ASM_ARRAY(struct asm_line) lines;
    ASM_ARRAY(struct asm_token) tokens;
    ASM_ARRAY(struct asm_comment) comments;         /* that no token stands after yet */
    const char *comment_at;                         /* the last one that was kept; texts are read several times */
    struct isa_words pieces;                        /* of the instruction being read, when tokens are recorded */
    size_t expansions;                              /* macro invocations so far: the number after \@ */
    size_t expanded_bytes;                          /* memory taken by macros and included files */
    size_t compared;                                /* names compared for hints */
    struct asm_place told[ASM_NOTE_PLACE + 1];      /* where the last messages were, so that the next need not count */
    struct asm_place emitted_at[ASM_DEPTH_MAX + 1]; /* the same for recorded lines, by depth */
    struct place fix;                               /* its `fix` and what goes with it: of the next report */
    unsigned errors;
    bool asks_before; /* the instruction set wants to be told of each instruction first */
    bool emitted;     /* something is in the output */
    bool failed;      /* out of memory */
    bool stopped;     /* by an error after which reading makes no sense; it was reported */
    void *isa_state;  /* the instruction set's own, in the arena */
    /* offered.c: what was made because an instruction set asked; null: nothing */
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    struct asm_context *again;                                                      /* the same source, with lines */
    void (*read_all)(struct asm_context *context, const char *text, size_t length); /* asm_read_all() */
    bool is_again;
};

/* Makes room for so many items, or for one more than `count`; false (and failed) when there is no memory. */
bool asm_grow_to(struct asm_context *context, void **items, size_t *room, size_t wanted, size_t size);
bool asm_grow(struct asm_context *context, void **items, size_t *room, size_t count, size_t size);
#define ASM_PUSH(context, array, ...)                                                                                  \
    (((array).count < (array).room ||                                                                                  \
      asm_grow(context, (void **)&(array).items, &(array).room, (array).count, sizeof *(array).items))                 \
         ? ((array).items[(array).count++] = (__VA_ARGS__), true)                                                      \
         : false)

/* So many bytes stand after the lines for quick.c, which reads several at once. */
#define ASM_QUICK_ROOM 16
/* Says how far the text at the cursor may have lines for quick.c; whenever another text is read. */
void asm_begin_quick(struct asm_context *context);

/*
 * Tells options->passed about the source up to a place when that is so far on; whoever goes through much of it stops
 * each ASM_PASSED_AT_ONCE bytes for it.
 */
#define ASM_PASSED_AT_ONCE ((size_t)1 << 20)
void asm_pass(const struct asm_context *context, const struct asm_source *source, const char *at);

/* Reports at a place of a source; errors are counted. */
void asm_report(struct asm_context *context, const struct asm_source *source, const char *at, size_t span,
                message_id message, const char *hint, ...);
/* The next report is mended by `fix` in place of `span` bytes at `at`. */
void asm_mend(struct asm_context *context, const char *fix, const char *at, size_t span);

/*
 * Moves *place to the line of `source` that holds `at`. Lines are counted from where *place stands, so that many calls
 * in the order of the text cost no more than one pass over it.
 */
void asm_find_line(struct asm_place *place, const struct asm_source *source, const char *at);

/* quick.c */
/* Assembles what is plain from the cursor on, and stops in front of the first statement that is not. */
void asm_quick_lines(struct asm_context *context);

/* fixup.c: as the functions of isa/assembler.h for instruction sets: emit, number, place, define_label, known. */
void asm_put(struct asm_context *context, uint64_t bits, unsigned size);
/* The same without a record of the line; false without memory. */
static inline bool asm_put_bits(struct asm_context *context, uint64_t bits, unsigned size)
{
    if (!buffer_reserve(&context->out, 8))
        return false;
    text_put_bytes(buffer_end(&context->out), bits, 8); /* there is room for eight; `size` of them stay */
    context->out.length += size;
    context->emitted = true;
    return true;
}
/* The unit that is put next has the value of a label in it; false without memory. */
bool asm_note_labelled(struct asm_context *context);
/* The instruction that is put next waits for labels with the fields that the build says; false without memory. */
bool asm_wait_for_fields(struct asm_context *context, const struct isa_build *build);
bool asm_put_number(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value, unsigned width,
                    unsigned size, uint64_t *bits);
uint64_t asm_address(const struct asm_context *context);
bool asm_add_label(struct asm_context *context, const char *name, size_t length, const char *at);
bool asm_take_known(struct asm_context *context, int64_t *value);

/* offered.c */
extern const struct asm_calls asm_offered;

/* symbol.c */
/* A name that stands at `at` of the text that is being read. */
bool asm_define(struct asm_context *context, const char *name, size_t length, uint32_t section, int64_t value,
                const char *at);
/* A name that does not say of which section it is; others are not found. */
const struct asm_symbol *asm_find_here(const struct asm_context *context, const char *name, size_t length,
                                       uint32_t section);
/* Any name, seen from a section. */
const struct asm_symbol *asm_find(const struct asm_context *context, const char *name, size_t length, uint32_t section);
/* isa_scan.symbol: constants and labels of the current section that are known already. */
int asm_symbol_value(void *user, const char *name, size_t length, int64_t *value, bool *is_address);

/* fixup.c */
/* Puts the values in that are known; the rest is kept. Tells nothing. */
void asm_settle_fixups(struct asm_context *context);
/* Puts all values in, and reports those that are wrong. */
void asm_resolve_fixups(struct asm_context *context);

/* directive.c: after the members of these names of struct asm_calls */
int asm_take_data(struct asm_context *context, message_id refusal);
int asm_take_padding(struct asm_context *context, message_id refusal);
int asm_fill_to(struct asm_context *context, const char *at, int64_t until, unsigned byte, message_id refusal);

/* section.c */
/* Begins a section, or goes on with the one of that name where the set has it so; `at` is where the name stands. */
bool asm_begin_section(struct asm_context *context, const char *name, size_t length, int64_t base, const char *at);
/* Puts the parts of sections that were continued one after the other. */
void asm_join_sections(struct asm_context *context);

/* record.c: nothing unless tokens are recorded, and not in the body of a macro. */
void asm_keep_token(struct asm_context *context, enum gpucode_token_kind kind, const char *at, size_t length);
/* The parts of the instruction just read; `first` is the number of tokens before it. */
void asm_keep_insn(struct asm_context *context, size_t first);
/* A statement from `start` to the cursor that the instruction set has read itself, and that put its code at `unit`. */
void asm_keep_statement(struct asm_context *context, size_t first, const char *start, uint32_t unit);
/* isa_scan.comment */
void asm_keep_comment(void *user, const char *start, const char *end);
/* The comments after the last token. */
void asm_keep_last_comments(struct asm_context *context);

/* source.c */
bool asm_pop_text(struct asm_context *context);
bool asm_include(struct asm_context *context);
bool asm_define_macro(struct asm_context *context);
const struct asm_macro *asm_find_macro(const struct asm_context *context, const char *name, size_t length);
/* Expands the macro whose name stands at the cursor; 1 done, 0 no macro of that name, -1 wrong. */
int asm_expand_macro(struct asm_context *context, size_t name_length);

/* assemble.c: assembles what context->source has; the caller frees the context, whatever came of it. */
void asm_read_all(struct asm_context *context, const char *text, size_t length);
enum gpucode_status asm_status(const struct asm_context *context);
void asm_free_context(struct asm_context *context);

/* directive.c: the directive at the cursor (a '.'); false with an error noted in the scan or reported. */
bool asm_directive(struct asm_context *context);

/* Unit of the image that comes next. */
static inline uint32_t asm_token_unit(const struct asm_context *context)
{
    return (uint32_t)((context->out.length - context->prefix) / context->isa->unit_bytes);
}

static inline uint32_t asm_section_number(const struct asm_context *context)
{
    return (uint32_t)context->sections.count - 1;
}

/* Bytes from the start of the current section. */
static inline size_t asm_section_offset(const struct asm_context *context)
{
    return context->out.length - context->sections.items[context->sections.count - 1].start;
}

/* --- included files ----------------------------------------------------------------------------------------------- */

/* --- what assembling leaves: the program -------------------------------------------------------------------------- */

/* Moves the output, the symbols and the memory of the context into a new program; false when out of memory. */
bool asm_make_program(struct asm_context *context, struct gpucode_program **out);

/* Its tokens; null: they were not recorded. */
const struct asm_token *asm_program_tokens(const struct gpucode_program *program, size_t *count);
/* The source itself; null: lines and tokens were not recorded. */
const struct asm_source *asm_program_source(const struct gpucode_program *program);

#endif
