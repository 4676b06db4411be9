/* SPDX-License-Identifier: MIT */
/*
 * What the assembler asks of an instruction set, and what it offers to the instruction set's own
 * directives. The assembler itself (asm/) knows labels, constants, macros, files and sections.
 */
#ifndef ISA_ASSEMBLER_H
#define ISA_ASSEMBLER_H

#include "isa/isa.h"
#include "isa/scan.h"
#include <gpucode/source.h>

struct isa_assembler {
    /* Called before the first statement, with the whole text. null: nothing to do. */
    void (*begin)(struct asm_context *context, const char *text, size_t length);
    /*
     * A statement of the instruction set's own that is not an instruction: a raw word, a directive.
     * 1 taken, 2 taken and another statement follows on the line, 0 not mine, -1 wrong (error noted in the scan).
     * Not asked about statements that begin with a mnemonic of the set or with '('. null: none.
     */
    int (*statement)(struct asm_context *context, struct isa_scan *scan);
    /* Called in front of each instruction that comes later than asm_calls.ask_before(true); may emit. null: none asks.
     */
    void (*before)(struct asm_context *context);
    /* Called when a `.section` ends the current one and at the end of the source. May emit. null: nothing to do. */
    void (*end_section)(struct asm_context *context, bool last);
    /* Called when all labels have their values and fixups are done; may patch the output. null: nothing to do. */
    void (*finish)(struct asm_context *context);
    /* The target of `set` that the source itself names (a first literal); null: none. May be null. */
    const struct gpucode_target *(*detect)(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                           size_t length);
    /* One unit of padding for `.align` and `.org`; null: zeros. */
    uint64_t (*padding)(const struct gpucode_target *target);
    /* What the source declares, number `index`; `state` is *asm_state(). null: sources declare nothing. */
    bool (*declaration)(const void *state, unsigned index, struct gpucode_declaration *declaration);
    /* Bytes in front of the code, written as zeros. */
    size_t prefix;
    /* Its own directives, ended by a null name; for editors and manuals. null: none. */
    const struct gpucode_directive *directives;
};

/* --- offered by the assembler -------------------------------------------------------------------------- */

struct asm_label {
    const char *name;
    size_t length;
    unsigned section;
    uint64_t value;
};

/*
 * What hooks may ask of the assembler that called them. A table, so that an instruction set calls nothing above it;
 * the functions below it are for the eye.
 */
struct asm_calls {
    const struct gpucode_target *(*target)(const struct asm_context *context);
    /* The caller's own names, or null. */
    const struct gpucode_names *(*names)(const struct asm_context *context);
    /* Appends `size` bytes, least significant first. */
    void (*emit)(struct asm_context *context, uint64_t bits, unsigned size);
    /*
     * The `width` lowest bits of what is emitted next (in `size` bytes) get this value, now or when its labels are
     * known; *bits receives what is known now. False with an error noted.
     */
    bool (*number)(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value, unsigned width,
                   unsigned size, uint64_t *bits);
    /* Units from the start of the current section. */
    uint64_t (*place)(const struct asm_context *context);
    /* Number of the current section, and of the bytes written before it. */
    unsigned (*current_section)(const struct asm_context *context);
    /* Writes over `size` bytes at `unit` of a section. */
    void (*patch)(struct asm_context *context, unsigned section, uint64_t unit, uint64_t bits, unsigned size);
    /* Label number `index` of all, in the order of definition; false after the last. */
    bool (*label_at)(const struct asm_context *context, unsigned index, struct asm_label *label);
    /* Reports something at the place where label `index` was defined; its name and `detail` go into the message. */
    void (*label_report)(struct asm_context *context, unsigned index, message_id message, const char *hint,
                         const char *detail);
    /* Has what stands at `unit` of a section the value of a label? */
    bool (*waits)(const struct asm_context *context, unsigned section, uint64_t unit);
    /* Leaves out the prefix; false when something was emitted already. */
    bool (*no_prefix)(struct asm_context *context);
    /* Memory that lives as long as the program, or null. */
    void *(*memory)(struct asm_context *context, size_t size);
    /* A pointer of the instruction set's own, null at first. */
    void **(*state)(struct asm_context *context);
    /* Defines a label at the current place; used by directives that name something, which stand at `at`. */
    bool (*define_label)(struct asm_context *context, const char *name, size_t length, const char *at);
    /* Did the caller allow more code than the target can hold? */
    bool (*oversize)(const struct asm_context *context);
    /* Bytes of code so far, all sections together. */
    uint64_t (*size)(const struct asm_context *context);
    /* Reports something that concerns the source as a whole. */
    void (*report_source)(struct asm_context *context, message_id message, const char *hint, const char *first,
                          const char *second);
    /* A value that an expression gives and that must be known where it stands; false with an error noted. */
    bool (*known)(struct asm_context *context, int64_t *value);
    /*
     * `.b8` to `.u64` with numbers that stand side by side or are separated by commas; `refusal` (of a number's text
     * and the directive) is what a number that does not fit is refused with. `.size N` and `.skip N`: zeros to N bytes
     * of the section, or N bytes of them. Both 1 taken, 0 something else stands at the cursor, -1 wrong (error noted).
     */
    int (*data)(struct asm_context *context, message_id refusal);
    int (*padding)(struct asm_context *context, message_id refusal);
    /* Fills with `byte` to `until` bytes from the start of the section; 1, or -1 with an error at `at` noted. */
    int (*fill)(struct asm_context *context, const char *at, int64_t until, unsigned byte, message_id refusal);
    /* Unit of the image that a section begins at. */
    uint32_t (*section_start)(const struct asm_context *context, unsigned section);
    /* The file as it stands; *prefix of its bytes come before unit 0. */
    const void *(*output)(const struct asm_context *context, size_t *size, size_t *prefix);
    /*
     * What the analysis has to say of a file of the target's, until it is asked again. `bytes` must stay as long.
     * null: it can say nothing, or there is no memory.
     */
    const struct gpucode_analysis *(*analyse)(struct asm_context *context, const void *bytes, size_t size);
    /* Is isa_assembler.before called? */
    void (*ask_before)(struct asm_context *context, bool ask);
    /* Reports something at the number that a unit of the image was written with; name and detail as label_report(). */
    void (*number_report)(struct asm_context *context, uint32_t unit, message_id message, const char *hint,
                          const char *name, const char *detail);
};

/* The context is the assembler's own; its first member is the table. */
static inline const struct asm_calls *asm_calls_of(const struct asm_context *context)
{
    return *(const struct asm_calls *const *)(const void *)context;
}

static inline const struct gpucode_target *asm_target(const struct asm_context *context)
{
    return asm_calls_of(context)->target(context);
}

static inline const struct gpucode_names *asm_names(const struct asm_context *context)
{
    return asm_calls_of(context)->names(context);
}

static inline void asm_emit(struct asm_context *context, uint64_t bits, unsigned size)
{
    asm_calls_of(context)->emit(context, bits, size);
}

static inline bool asm_number(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value,
                              unsigned width, unsigned size, uint64_t *bits)
{
    return asm_calls_of(context)->number(context, scan, value, width, size, bits);
}

static inline uint64_t asm_place(const struct asm_context *context)
{
    return asm_calls_of(context)->place(context);
}

static inline unsigned asm_current_section(const struct asm_context *context)
{
    return asm_calls_of(context)->current_section(context);
}

static inline void asm_patch(struct asm_context *context, unsigned section, uint64_t unit, uint64_t bits, unsigned size)
{
    asm_calls_of(context)->patch(context, section, unit, bits, size);
}

static inline bool asm_label_at(const struct asm_context *context, unsigned index, struct asm_label *label)
{
    return asm_calls_of(context)->label_at(context, index, label);
}

static inline void asm_label_report(struct asm_context *context, unsigned index, message_id message, const char *hint,
                                    const char *detail)
{
    asm_calls_of(context)->label_report(context, index, message, hint, detail);
}

static inline uint32_t asm_section_start(const struct asm_context *context, unsigned section)
{
    return asm_calls_of(context)->section_start(context, section);
}

static inline bool asm_waits(const struct asm_context *context, unsigned section, uint64_t unit)
{
    return asm_calls_of(context)->waits(context, section, unit);
}

static inline bool asm_no_prefix(struct asm_context *context)
{
    return asm_calls_of(context)->no_prefix(context);
}

static inline void *asm_memory(struct asm_context *context, size_t size)
{
    return asm_calls_of(context)->memory(context, size);
}

static inline void **asm_state(struct asm_context *context)
{
    return asm_calls_of(context)->state(context);
}

static inline bool asm_define_label(struct asm_context *context, const char *name, size_t length, const char *at)
{
    return asm_calls_of(context)->define_label(context, name, length, at);
}

static inline bool asm_oversize(const struct asm_context *context)
{
    return asm_calls_of(context)->oversize(context);
}

static inline uint64_t asm_size(const struct asm_context *context)
{
    return asm_calls_of(context)->size(context);
}

static inline void asm_report_source(struct asm_context *context, message_id message, const char *hint,
                                     const char *first, const char *second)
{
    asm_calls_of(context)->report_source(context, message, hint, first, second);
}

static inline bool asm_known(struct asm_context *context, int64_t *value)
{
    return asm_calls_of(context)->known(context, value);
}

static inline int asm_data(struct asm_context *context, message_id refusal)
{
    return asm_calls_of(context)->data(context, refusal);
}

static inline int asm_padding(struct asm_context *context, message_id refusal)
{
    return asm_calls_of(context)->padding(context, refusal);
}

static inline int asm_fill(struct asm_context *context, const char *at, int64_t until, unsigned byte,
                           message_id refusal)
{
    return asm_calls_of(context)->fill(context, at, until, byte, refusal);
}

#endif
