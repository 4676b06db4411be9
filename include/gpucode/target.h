/* SPDX-License-Identifier: MIT */
/*
 * Targets: an instruction set as one chip or generation has it, with the names that go with it.
 *
 *     const struct gpucode_target *target = gpucode_target_find("afuc:a630");
 *     printf("%s: %s\n", gpucode_target_name(target), gpucode_target_description(target));
 *
 * Targets are constant, live as long as the program and may be used from any thread.
 */
#ifndef GPUCODE_TARGET_H
#define GPUCODE_TARGET_H

#include <gpucode/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_target;

/*
 * What programs of an instruction set have and what their machine has. A front end asks these, never for the set's
 * name; a fact that is not told is false.
 */
struct gpucode_facts {
    bool packets;             /* firmware that is fed PM4 packets, which a packet table leads to their handlers */
    bool protected_registers; /* writes to some GPU registers are refused */
    bool calls;               /* instructions call and return; there are frames to show */
    bool delay_slots;         /* instructions after a jump run before it is taken */
    bool events;              /* instructions wait for events from outside */
    bool float_registers;     /* general registers hold floats more often than integers */
    bool threads;             /* a machine's processors are the threads of one program */
    bool fixed_size;          /* every instruction is one unit; false: one to several units */
    bool whole_code;          /* a file has only code: it is not empty, and ends with a whole instruction */
    bool words;               /* listings and files are told of in 32-bit words, whatever a unit is */
    bool entry_labels;        /* the labels "entry0" to "entry3" of a source are where its code is entered */
};

/* How programs of an instruction set are written. What is not told is false or null. */
struct gpucode_syntax {
    const char *comment;     /* starts a comment to the end of the line */
    bool block_comments;     /* also C's and nested ones with '+' */
    bool newlines_are_space; /* several instructions may stand on a line, one on several */
    char separator;          /* also ends a statement; 0: none */
    bool octal;              /* a leading 0 means octal */
    bool any_case;           /* mnemonics may be written in upper case */
    bool hash_comments;      /* '#' starts a comment too, where no #NAME can stand */
    bool juxtaposed;         /* no commas: a '-' with white space before it and none after it begins the next operand */
    bool modulo;             /* numbers and expressions are unsigned and taken modulo 2^64: nothing overflows */
    bool file_labels;        /* labels are those of the whole file, and sections may be continued */
    const char *prefix;      /* a word that may stand in front of any mnemonic; null: none */
};

/*
 * The target of that name ("afuc:a630", "qrisc:a630", "hwsq:g94", "a3xx"; the set may be left out where only one has
 * the name: "a630"), or null. Case counts.
 */
GPUCODE_API const struct gpucode_target *gpucode_target_find(const char *name);

/* Target number `index` in the order of `gpucode targets`, or null after the last one. */
GPUCODE_API const struct gpucode_target *gpucode_target_at(unsigned index);

/* "afuc:a630" */
GPUCODE_API const char *gpucode_target_name(const struct gpucode_target *target);
/* "afuc", "hwsq" or "a3xx" */
GPUCODE_API const char *gpucode_target_isa(const struct gpucode_target *target);
/* Name of the variant of the instruction set: "a6xx" */
GPUCODE_API const char *gpucode_target_generation(const struct gpucode_target *target);
/* One line for people */
GPUCODE_API const char *gpucode_target_description(const struct gpucode_target *target);
/*
 * The chapters of the instruction set's manual, in Markdown: chapters begin with "## ", their sections with "### ", and
 * a comment after such a line lists the words under which it is looked up. Ends in a zero and lives as long as the
 * program; null: there are none. Any thread.
 */
GPUCODE_API const char *gpucode_target_manual(const struct gpucode_target *target);
/* What programs of the target's instruction set have. Never null. */
GPUCODE_API const struct gpucode_facts *gpucode_target_facts(const struct gpucode_target *target);
/* How programs of the target's instruction set are written. Null for a null target. */
GPUCODE_API const struct gpucode_syntax *gpucode_target_syntax(const struct gpucode_target *target);
/* Bytes of one addressable unit of code: 4 AFUC, 1 HWSQ, 8 A3XX. Addresses count these units. */
GPUCODE_API unsigned gpucode_target_unit_bytes(const struct gpucode_target *target);

#ifdef __cplusplus
}
#endif
#endif
