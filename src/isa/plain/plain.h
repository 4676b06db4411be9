/* SPDX-License-Identifier: MIT */
/*
 * What stands in for parts that an instruction set leaves out, and operand classes for such a set:
 *
 *     file         one section of code; its target must be given
 *     listing      a line for every instruction, labels where instructions lead, numbers for all other bits
 *     analysis     flow, reads and writes as rows have them
 *     machine      a processor that runs the actions of rows, where `struct isa` has a `plain`
 *
 * A set of eight instructions that uses all of it is tests/isa/plain/toy.c.
 */
#ifndef ISA_PLAIN_PLAIN_H
#define ISA_PLAIN_PLAIN_H

#include "isa/isa.h"
#include "isa/machine.h"

/* --- operand classes: initialisers of struct isa_operand_class ----------------------------------------- */

/* `use` is READ, WRITE, BOTH or NONE: what instructions do with it. */
#define ISA_PLAIN_NUMBER(title, use_)                                                                                  \
    {                                                                                                                  \
        .name = title, .print = isa_plain_print_number, .parse = isa_plain_parse_number                                \
    }
/* "r5" */
#define ISA_PLAIN_REGISTER(title, use_)                                                                                \
    {                                                                                                                  \
        .name = title, .print = isa_plain_print_register, .parse = isa_plain_parse_register,                           \
        .type = GPUCODE_OPERAND_REGISTER, .use = GPUCODE_USE_##use_, .space = GPUCODE_SPACE_GENERAL                    \
    }
/* Units from the section's start. */
#define ISA_PLAIN_TARGET(title, use_)                                                                                  \
    {                                                                                                                  \
        .name = title, .print = isa_plain_print_target, .parse = isa_plain_parse_number,                               \
        .type = GPUCODE_OPERAND_TARGET                                                                                 \
    }

char *isa_plain_print_number(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                             const struct gpucode_format_options *options);
bool isa_plain_parse_number(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field);
char *isa_plain_print_register(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                               const struct gpucode_format_options *options);
bool isa_plain_parse_register(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field);
char *isa_plain_print_target(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                             const struct gpucode_format_options *options);

/* --- files and listings --------------------------------------------------------------------------------- */

enum gpucode_status isa_plain_layout(struct isa_layout *layout, struct arena *arena,
                                     const struct gpucode_image_options *options);
void isa_plain_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                           struct isa_lines *lines);

/* --- the machine ---------------------------------------------------------------------------------------- */

#define ISA_PLAIN_REGISTERS 64

/* A processor, and what its actions see. */
struct isa_plain_processor {
    uint64_t pc;   /* of the instruction that runs, or runs next */
    uint64_t next; /* where it goes on; actions set it to jump */
    uint32_t registers[ISA_PLAIN_REGISTERS];
    bool ended; /* actions set it to end the program */
    /* set for the time of a run */
    struct machine_core *core;
    struct gpucode_stop *stop; /* actions that fail fill it in, by isa_stop() */
    bool asked;                /* a hook wants to stop */
    /* in the arena: a byte a unit */
    uint8_t *breaks, *covered;
    uint64_t units;
};

/* What a set has for that machine: the part `plain` of struct isa. */
struct isa_plain {
    unsigned register_count; /* up to ISA_PLAIN_REGISTERS: "r0" ... */
    /* The action of the instruction's row. */
    void (*execute)(struct isa_plain_processor *processor, const struct gpucode_insn *insn);
};

/* A word of memory, for actions; where nothing is mapped the machine stops, and it reads as 0. */
uint32_t isa_plain_load(struct isa_plain_processor *processor, uint64_t address);
void isa_plain_store(struct isa_plain_processor *processor, uint64_t address, uint32_t value);

extern const struct isa_machine isa_plain_machine;
extern const struct isa_analysis isa_plain_analysis; /* isa/analysis.h */

#endif
