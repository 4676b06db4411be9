/* SPDX-License-Identifier: MIT */
/*
 * An instruction set: the one struct through which a folder under src/isa/ plugs into everything
 * above it. A new instruction set is one folder and one word in `sets` of src/meson.build.
 */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include "base/buffer.h"
#include "base/diagnostics.h"
#include "isa/layout.h"
#include "isa/names.h"
#include "isa/row.h"

#include <gpucode/asm.h>
#include <gpucode/fields.h>
#include <gpucode/insn.h>
#include <gpucode/target.h>

struct isa;
struct isa_scan;
struct isa_build;
struct isa_lines;
struct gpucode_field_value; /* <gpucode/fields.h> */
struct asm_context;         /* the assembler's, opaque here; see isa/assembler.h */

struct gpucode_setting;

struct gpucode_target {
    const char *name; /* the set, a colon, the chip or generation */
    const struct isa *isa;
    const char *description;
    uint8_t generation; /* bit number in isa_row.generations, index of decoders */
    bool is_generation; /* the name is that of a generation, not of a chip */
    const struct isa_names *names;
    const void *chip; /* what the instruction set alone knows of the chip, or null */
    /* Of gpucode_target_with(): the target that it is like, and what isa.choose makes of its policies. */
    const struct gpucode_target *base;
    uint8_t choices, timing; /* the set's own; and of isa_timing.families, 0: that of the generation */
};

/* How a value becomes bits, text and back. Stands once, in the instruction set's operands.c. */
struct isa_operand_class {
    const char *name; /* "destination register": for messages, the manual and gpucode_insn_field() */
    /* Writes the operand at `at` (room: GPUCODE_NAME_MAX + 32) and returns its end. */
    char *(*print)(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                   const struct gpucode_format_options *options);
    /* Reads the operand at scan->at; false with an error noted by isa_fail(). */
    bool (*parse)(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field);
    /*
     * Bits for a value that an expression gave, for an instruction at `address`; false: out of range.
     * null: the value itself must fit the field, unsigned.
     */
    bool (*store)(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded);
    /* Least and greatest value store() takes, for the message; null: 0 and the largest of the field. */
    void (*range)(const struct isa_field *field, int64_t *low, int64_t *high);
    bool from_address; /* range() counts from the instruction's address, and so do messages */
    /* What the operand is, for gpucode_insn_operands(): enum gpucode_operand_type, enum gpucode_use, space. */
    uint8_t type, use, space;
    /*
     * Completes an operand that was filled in from the fields above, `number` and `value` being those of the bits:
     * other bits decide about its space, its number is not known, its value is signed. null: nothing to add.
     */
    void (*resolve)(const struct gpucode_insn *insn, const struct isa_field *field, struct gpucode_operand *operand);
};

/* The text of an instruction of one row, without its comment: its literals and operands in their order. */
typedef char *isa_row_text(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);

/*
 * Reads the text of an instruction of one row from `at` on into a build with the row's bits, and returns its end; where
 * scan->at stands then is not said. Only for a scan that is quiet: null, and nothing is noted, when the text is
 * another's.
 */
typedef const char *isa_row_parse(const char *at, struct isa_scan *scan, struct isa_build *build);

/* The text of a row: what stands before the mnemonic, and what stands after it. */
struct isa_row_parser {
    isa_row_parse *before, *after;
};

/* The effects of an instruction while they are collected; room for GPUCODE_EFFECTS_MAX. */
struct isa_effects {
    struct gpucode_effect *effects;
    unsigned count;
};

/* A mnemonic of older texts; lists end with a null name. */
struct isa_old_name {
    const char *old, *mnemonic;
};

/* A mnemonic that only later hardware has, and since when; lists end with a null name. */
struct isa_later_name {
    const char *mnemonic, *since;
};

enum isa_label_use {
    ISA_LABEL_FREE,
    ISA_LABEL_MADE_UP, /* listings have such labels by themselves */
    ISA_LABEL_OTHER,   /* the assembler would take it for something else */
};

/* What one has of it: generations, chips. */
struct isa_targets {
    const char *const *generations; /* names, by number; ended by null */
    const struct gpucode_target *list;
    unsigned count;
    /* A target by a name of it that is not its first, without the "isa:"; null: there is none. May be null. */
    const struct gpucode_target *(*find)(const struct isa *set, const char *name);
    /* Of several sets that are one family: its name may stand in place of the set's. May be null. */
    const char *family;
    /*
     * Other sets have chips of these names, and most of the mnemonics: what stands alone is theirs, and a source that
     * does not name its target.
     */
    bool shared_names;
};

/* What its text is: rows, operands, and the ways of writing that rows alone cannot tell. */
struct isa_text {
    const struct isa_row_set *rows;
    const struct isa_operand_class *operand_classes;
    isa_row_text *const *print;         /* by row, made by rowc; null: operand_classes are called one by one */
    const struct isa_row_parser *parse; /* the same */
    struct gpucode_syntax syntax;
    bool whole;                               /* texts bring back bits that rows ignore, too */
    const struct isa_old_name *old_names;     /* null: none */
    const struct isa_later_name *later_names; /* refused with an explanation; null: none */
    /*
     * Second look at a decoded word (row -1: none matched): the row that explains all of it, operands included. null:
     * the bit patterns decide alone.
     */
    int (*refine)(const struct gpucode_target *target, int row, uint64_t bits);
    /* Completes the operands of an instruction together, after isa_operand_class.resolve. null: nothing to add. */
    void (*refine_operands)(const struct gpucode_insn *insn, struct gpucode_operand *operands, unsigned count);
    /*
     * Has the last word on an instruction's flow and effects: what its row cannot say. isa_add_effect() adds one. null:
     * the row says it all.
     */
    void (*refine_flow)(const struct gpucode_insn *insn, struct gpucode_flow *flow);
    void (*refine_effects)(const struct gpucode_insn *insn, struct isa_effects *effects);
    /*
     * As gpucode_target_register_fields(), of the registers that the set knows itself. null: it knows those of its
     * family alone.
     */
    size_t (*fields)(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value,
                     struct gpucode_field_value *fields, size_t size);
    const char *const *space_names; /* of the set's own spaces, from GPUCODE_SPACE_COUNT on, ended by null; or null */
    /* Appends the listing's comment for an instruction, its separator included; null: never. */
    char *(*comment)(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);
    /* Address that a label of the listing's own making stands for ("l12"); null: there are none. */
    bool (*default_label)(const char *name, size_t length, int64_t *address);
    /*
     * A register that has a text of its own and a name only when users give it one ("$02", "r1.y"): its space and
     * number in the machine; number UINT32_MAX: it would be read as such a register, and there is none. False: some
     * other text. null: the set has no such registers.
     */
    bool (*own_register)(const char *text, size_t length, unsigned *space, uint32_t *number);
    char own_mark; /* stands in front of users' names of such registers in the text; 0: nothing, or comments only */
    /*
     * What a label of a user's at a place of the listing would be; null: always free. `names` are the user's, the
     * symbols included.
     */
    enum isa_label_use (*label_use)(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                    const struct gpucode_names *names, const char *name, size_t length);
    /*
     * Refuses what fields alone cannot express; false with an error noted. Asked where operands have left
     * isa_build.parse_state other than 0. null: nothing to check.
     */
    bool (*check)(struct isa_scan *scan, struct isa_build *build, const char *start);
};

/* What its files are. */
struct isa_files {
    /*
     * Takes a file apart. *target is the caller's or null, and may be chosen here. GPUCODE_ERROR_UNSUPPORTED: such
     * bytes do not belong to this instruction set (only when the caller gave no target). null: a file is one section
     * of code, and its target must be given.
     */
    enum gpucode_status (*layout)(struct isa_layout *layout, struct arena *arena,
                                  const struct gpucode_image_options *options);
    /* Handler of a packet table entry; null: no tables. */
    bool (*handler)(const struct isa_layout *layout, unsigned section, unsigned entry, uint32_t *handler);
    /*
     * gpucode_image_join(): appends the file that holds both. False: they do not belong together. null: a file is all
     * that one has.
     */
    bool (*join)(const struct isa_layout *first, const struct isa_layout *second, struct buffer *joined);
    /* How names of its sources end that are nobody else's, dot included, for its only target. null: nothing. */
    const char *ending;
};

/* How images become text. */
struct isa_lister {
    /* The text of an image and what stands where in it (isa/lines.h); null: a line for every instruction, labels where
     * instructions lead. */
    void (*disassemble)(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                        struct isa_lines *lines);
};

struct shader_family;

/* When its code takes effect. */
struct isa_timing {
    /* Rules for code that is wrong though it assembles; see isa/lint.h. null: none. */
    const struct isa_lint *lint;
    /* Delays and sync bits for code that needs them; see isa/lint.h. null: it does not. */
    const struct isa_schedule *schedule;
    /* As gpucode_insn_cost(). null: nothing is known. */
    bool (*cost)(const struct gpucode_insn *insn, struct gpucode_cost *cost);
    /* What a generation of shaders says of itself, by its number, as its family has it. null: it has no shaders. */
    const struct shader_family *const *families;
};

/* Parts and members that are left out are as isa/plain/plain.h has them. */
struct isa {
    const char *name, *alias;   /* alias: another name, may be null */
    const char *title;          /* for the manual */
    const char *manual;         /* its chapters, manual.md of its folder; null: it has the rows alone */
    unsigned unit_bytes;        /* addresses count these */
    struct gpucode_facts facts; /* what front ends ask instead of the name */
    struct isa_targets targets;
    struct isa_text text;
    struct isa_files files;
    struct isa_lister listing;
    /* The assembler's hooks; see isa/assembler.h. null: instructions, labels and the general directives. */
    const struct isa_assembler *assembler;
    /* The emulator; see isa/machine.h. null: see `plain`. */
    const struct isa_machine *machine;
    /* Without a machine of its own: the actions of its rows for the one of isa/plain/. null: nothing runs it. */
    const struct isa_plain *plain;
    struct isa_timing timing;
    /* Choices about text and timing, which end with a null name; and what a target with them has. null: none. */
    /* How near the result of the row with that action is to what it says; null: nothing is said. See
     * gpucode_row_accuracy(). */
    const char *(*accuracy)(const char *action);
    const struct gpucode_policy *policies;
    void (*choose)(struct gpucode_target *target, const struct gpucode_setting *settings);
    /* What instructions do to values, for the analysis; see isa/analysis.h. null: there is none. */
    const struct isa_analysis *analysis;
};

/* The target of a set by its whole name, the alias and other names of it included; null: none. */
const struct gpucode_target *isa_find_target(const struct isa *set, const char *name);

/*
 * "use -t TARGET: ...", for hints: the generations of all sets; those that do not fit into `size` are left out. `sets`
 * ends with null. A text of ISA_TARGET_LIST_SIZE holds all.
 */
#define ISA_TARGET_LIST_SIZE 512
void isa_target_list(char *text, size_t size, const struct isa *const *sets);

/* The row that explains a word on a target, or -1. */
static inline int isa_row_of(const struct gpucode_target *target, uint64_t bits)
{
    int row = isa_decode_row(target->isa->text.rows, target->generation, bits);
    return target->isa->text.refine ? target->isa->text.refine(target, row, bits) : row;
}

/* Text of an instruction without its comment; room at `at`: GPUCODE_TEXT_MAX. Returns its end. */
char *isa_format(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);

/* Where the instruction says that control may go, as gpucode_insn_flow() has it, but quicker; false: it says nothing.
 */
bool isa_target_of(const struct gpucode_insn *insn, uint64_t *target);

/*
 * gpucode_insn_flow() of an instruction whose row flows, without the operand's index, which takes longest to find.
 * Gives the field that says where to: 1 + its index into the row's fields; 0: there is none.
 */
unsigned isa_flow(const struct gpucode_insn *insn, const struct isa_row *row, struct gpucode_flow *flow);

/* Index of a letter's operand among those that gpucode_insn_operands() gives, or -1. */
int isa_operand_index(const struct gpucode_insn *insn, char letter);

/* Adds to the list; what the text does not name stands there once, however often it happens. */
void isa_add_effect(struct isa_effects *list, struct gpucode_effect effect);

/* Value of field `letter`, 0 when the row has none. */
static inline uint64_t isa_letter(const struct gpucode_insn *insn, char letter)
{
    const struct isa_row *row = &insn->target->isa->text.rows->rows[insn->row];
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->fields[i].letter == letter)
            return isa_field_get(&row->fields[i], insn->bits);
    return 0;
}

/* Fields of registers that a set knows itself: what stands behind isa_text.fields. */

/* The caller's array, which may be too small: `count` counts all. */
struct isa_field_list {
    struct gpucode_field_value *fields;
    size_t size, count;
    uint32_t value; /* of the register */
};

/*
 * Adds a field. Left out are a flag that is not set and, of a field whose values have names, a zero that has none.
 * `name` lives as long as the program, and so do `values`: the names of 0, 1 and so on, null where there is none;
 * `named` of them, 0: the field is a number. False: it is left out, or there is no room.
 */
bool isa_add_field(struct isa_field_list *list, const char *name, unsigned low, unsigned high,
                   const char *const *values, unsigned named);

/*
 * All fields in one text, as gpucode_target_register_text(), of what the set knows itself alone.
 */
size_t isa_fields_text(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value, char *text,
                       size_t size);

#endif
