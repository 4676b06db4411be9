/* SPDX-License-Identifier: MIT */
/*
 * The outline of an image: the text of gpucode_disassemble() together with what stands where in it. A unit is an
 * instruction or a number of the listing; labels and routines are those of the listing.
 *
 *     struct gpucode_outline *outline;
 *     gpucode_outline_create(image, NULL, &outline);
 *     uint32_t count;
 *     const struct gpucode_unit *unit = gpucode_outline_units(outline, &count);
 *     for (uint32_t i = 0; i < count; i++)
 *         printf("%#llx\n", (unsigned long long)unit[i].at);
 *     gpucode_outline_free(outline);
 *
 * An outline does not change; it may be read from several threads.
 */
#ifndef GPUCODE_OUTLINE_H
#define GPUCODE_OUTLINE_H

#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_outline;

enum gpucode_unit_kind {
    GPUCODE_UNIT_CODE,  /* an instruction */
    GPUCODE_UNIT_DATA,  /* a number */
    GPUCODE_UNIT_TABLE, /* an entry of a packet table; all entries share one line of the text */
    GPUCODE_UNIT_TEXT,  /* characters: the build date after the code */
};

/* The row of a unit whose bits no instruction has. */
#define GPUCODE_ROW_NONE UINT16_MAX

/* An instruction or a number. Spans lie in gpucode_outline_text(). */
struct gpucode_unit {
    uint64_t at;      /* units of the target from the start of the section; with `raw`, from the start of the file */
    uint64_t bits;    /* the bytes as a little-endian number */
    uint32_t unit;    /* the first one's number in the image; GPUCODE_NONE: in front of it (a prefix, with `raw`) */
    uint32_t routine; /* number of the routine; GPUCODE_NONE: none */
    uint32_t first_label; /* number of the first label that stands at it */
    uint16_t label_count;
    uint16_t row;    /* of the instruction that has these bits, whatever the kind; or GPUCODE_ROW_NONE */
    uint8_t section; /* number in gpucode_image_info.sections; 0 where the image has none */
    uint8_t size;    /* bytes: 4 AFUC, 1 to 5 HWSQ, 8 A3XX; fewer at the end of a file that is cut off */
    enum gpucode_unit_kind kind;
    bool reached;                /* AFUC: a known path leads here; other sets: always */
    bool begins;                 /* a routine begins here */
    size_t line;                 /* offset of its line */
    struct gpucode_span text;    /* without columns, labels and comment; empty: it has no line of its own */
    struct gpucode_span comment; /* without its mark; empty: none */
};

enum gpucode_mark_kind {
    GPUCODE_MARK_SYMBOL,   /* a name that the caller brought */
    GPUCODE_MARK_PACKET,   /* the name of the packet that the code handles */
    GPUCODE_MARK_BUILT_IN, /* that packet's built-in name or number, when the caller has another name for it; "preempt"
                            */
    GPUCODE_MARK_CALLED,   /* "fxn12": the target of a call */
    GPUCODE_MARK_BRANCHED, /* "l12": the target of a branch */
    GPUCODE_MARK_TABLE,    /* "jumptbl": the packet table */
};

/* A label of the listing. */
struct gpucode_mark {
    struct gpucode_span name;
    enum gpucode_mark_kind kind;
    /* of labels of one kind at a place the one with the least rank names it: packets with a name, then by number */
    uint16_t rank;
};

/*
 * Code under one name: it begins at the start of a section, at a packet handler, at the target of a call or at a name
 * of the caller's that no branch leads to, and ends where the next one begins.
 */
struct gpucode_routine {
    const char *name;     /* of its labels the best: the caller's, the packet's, "fxn12"; "start" without a label */
    uint32_t first;       /* number of its first entry in gpucode_outline_units() */
    uint32_t count;       /* how many */
    uint32_t entry_count; /* packets that it handles */
    unsigned section;     /* as in gpucode_unit */
    const char *packet;   /* its first packet that has a name, or the first; null: it handles none */
    const char *symbol;   /* the caller's first name; null: none */
};

/*
 * Makes the text of an image and keeps what stands where. `options` as for gpucode_disassemble(), or null. Returns
 * GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. The image must live as long as the outline.
 */
GPUCODE_API enum gpucode_status gpucode_outline_create(const struct gpucode_image *image,
                                                       const struct gpucode_disasm_options *options,
                                                       struct gpucode_outline **out);
/* null is allowed. */
GPUCODE_API void gpucode_outline_free(struct gpucode_outline *outline);

/* What gpucode_disassemble() gives with these options, ended by a zero that *length leaves out. */
GPUCODE_API const char *gpucode_outline_text(const struct gpucode_outline *outline, size_t *length);
/* All units in the order of the text. */
GPUCODE_API const struct gpucode_unit *gpucode_outline_units(const struct gpucode_outline *outline, uint32_t *count);
/* All labels in the order of the text. */
GPUCODE_API const struct gpucode_mark *gpucode_outline_marks(const struct gpucode_outline *outline, uint32_t *count);
/* All routines in the order of the text. */
GPUCODE_API const struct gpucode_routine *gpucode_outline_routines(const struct gpucode_outline *outline,
                                                                   uint32_t *count);
/* The instruction of unit number `index`; false: no row has its bits. */
GPUCODE_API bool gpucode_outline_insn(const struct gpucode_outline *outline, uint32_t index, struct gpucode_insn *insn);
/*
 * The unit that holds place `at` of a section (as in gpucode_unit); GPUCODE_NONE: there is none. */
GPUCODE_API uint32_t gpucode_outline_find(const struct gpucode_outline *outline, unsigned section, uint64_t at);
/*
 * The name of a place: that of its best label, in the order the caller's name, the packet's (of several the lowest that
 * has a name), "fxn12", "l12"; null: no label stands there. *length is that of the name, which no zero ends.
 */
GPUCODE_API const char *gpucode_outline_name(const struct gpucode_outline *outline, unsigned section, uint64_t at,
                                             size_t *length);

/*
 * "CP_NOP+0x3" for a place: the nearest name not after it in its section, "l12" left out unless nothing else is known
 * and it stands at the place itself; cut to `size` with its final zero. Returns the length of what was written, 0:
 * none.
 */
GPUCODE_API size_t gpucode_outline_near(const struct gpucode_outline *outline, unsigned section, uint64_t at,
                                        char *text, size_t size);

/* --- search --------------------------------------------------------------------------------------------- */

/*
 * A pattern over instructions: instructions as listings write them, separated by `;` or ends of lines. In place of an
 * operand `*` (or `?`) stands for any, ?name for one that is the same wherever the name stands, $x (one small letter)
 * for a register that is the same wherever the letter stands. A mnemonic alone leaves all operands open, and may itself
 * have `*` in it; `*` alone is any instruction. `...` is any number of instructions, `...8` at most 8. What stands in
 * front of a mnemonic or operand in brackets, (rep), (neg), may be left out. Numbers count by their value, registers
 * and labels by what they are.
 */
struct gpucode_pattern;

/*
 * Reads a pattern for code of a target's instruction set; `names`, which may be null, must live as long. All errors go
 * to the diagnostic handler. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_pattern_create(const struct gpucode_target *target,
                                                       const struct gpucode_names *names, const char *text,
                                                       size_t length, struct gpucode_diagnostic_handler on_diagnostic,
                                                       struct gpucode_pattern **out);
/* null is allowed. */
GPUCODE_API void gpucode_pattern_free(struct gpucode_pattern *pattern);

/* What a name of a pattern stands for in a match. */
struct gpucode_bound {
    const char *name; /* with its mark: "$x", "?value" */
    const char *text; /* as the instruction writes it; "" where nothing was bound */
};
struct gpucode_match {
    uint32_t count;        /* instructions of the pattern, gaps not counted */
    const uint32_t *units; /* the number of each in gpucode_outline_units() */
    unsigned bound_count;
    const struct gpucode_bound *bound;
};
/*
 * Calls `found` for each unit of code at which the pattern begins, with its first match; stops where it returns false.
 * The instructions of a match follow one another as control may go: over branches, taken or not, and jumps; after calls
 * what follows them comes next. A branch and the instruction in its delay slot may come in either order. Returns
 * GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT (also: the pattern is for another instruction set). Any
 * thread.
 */
GPUCODE_API enum gpucode_status gpucode_outline_search(const struct gpucode_outline *outline,
                                                       const struct gpucode_pattern *pattern,
                                                       bool (*found)(void *user, const struct gpucode_match *match),
                                                       void *user);

/*
 * Raises to 1 the bytes of the units of an image (gpucode_image_info.units of them) that ran on a machine of it, whose
 * coverage is switched on: gpucode_machine_covered() of all its processors, at the places of their sections.
 */
GPUCODE_API void gpucode_machine_ran(const struct gpucode_machine *machine, const struct gpucode_image *image,
                                     uint8_t *ran);

#ifdef __cplusplus
}
#endif
#endif
