/* SPDX-License-Identifier: MIT */
/*
 * What the generations of the family share, A3XX and those after it: what instructions read and write, and what is
 * found out from that. A generation says the rest of itself in a struct shader_family; who has one knows no rows.
 */
#ifndef ISA_IR3_FAMILY_H
#define ISA_IR3_FAMILY_H

#include "isa/ir3/text/marks.h"
#include "isa/isa.h"
#include "isa/row.h"

#include <gpucode/a3xx.h>

/* Register numbers count components: r1.y is 5. */
enum { A3XX_A0 = 61 * 4, A3XX_P0 = 62 * 4, A3XX_R63 = 63 * 4 };
#define A3XX_CONST_COUNT 2048 /* components of the const file */

/* Bits that lie in the same place in all words of the family. */
#define SHADER_SY (UINT64_C(1) << 60)
#define SHADER_JP (UINT64_C(1) << 59)
#define SHADER_SS (UINT64_C(1) << 44) /* of categories that have it: shader_takes_ss() */
#define SHADER_UL (UINT64_C(1) << 45) /* categories 1 to 4 */
#define SHADER_EI (UINT64_C(1) << 47) /* bary.f */

/* By which the rows of insn.def are grouped. */
static inline unsigned shader_category(uint64_t bits)
{
    return (unsigned)(bits >> 61);
}
/* The low bits of a value as a number with a sign. */
static inline int shader_signed(unsigned value, unsigned width)
{
    unsigned sign = 1u << (width - 1);
    return (int)((value & (2 * sign - 1)) ^ sign) - (int)sign;
}

enum a3xx_register_file {
    A3XX_FILE_FULL,      /* r0.x is 0 */
    A3XX_FILE_HALF,      /* hr0.x is 0 */
    A3XX_FILE_CONST,     /* c0.x is 0; `half` says how it is read */
    A3XX_FILE_ADDRESS,   /* a0.x is 0 */
    A3XX_FILE_PREDICATE, /* p0.x is 0 */
    A3XX_FILE_IMMEDIATE, /* number is the value: an integer, or bits of a float of the operand's width */
    A3XX_FILE_ORDER,     /* no register, but what must be waited for as one: enum a3xx_order_place; later generations */
};
enum a3xx_order_place { A3XX_ORDER_CONSTS /* the const file as the shader writes it */, A3XX_ORDER_BARRIER };

struct a3xx_access {
    enum a3xx_register_file file;
    int32_t number; /* first component; relative: offset from a0.x */
    uint8_t count;  /* components, gaps included */
    uint8_t mask;   /* bit i: component number + i takes part; 0: all of count */
    uint8_t source; /* 0 for a result, else 1 to 4 by position in the text */
    char letter;    /* of the operand in the row's text; 0: the text does not name it */
    bool write;
    bool half;     /* the value has 16 bits */
    bool relative; /* a0.x is added */
    bool steps;    /* number rises by one at each step of a repeat */
    bool neg, abs;
    bool table;    /* immediate: entry of the table of floats */
    uint8_t cycle; /* slots after the step's issue at which it happens: of instructions that take several at once */
};

#define A3XX_ACCESS_MAX 12

/* --- what a set says of itself ------------------------------------------------------------------------------------ */

/* What instructions are: the first ones are marks of rows. */
enum shader_mark {
    SHADER_FENCE = SHADER_MARK_FENCE,
    SHADER_VARYING = SHADER_MARK_VARYING,
    SHADER_KILL = SHADER_MARK_KILL,
    SHADER_OF_ROWS = SHADER_FENCE | SHADER_VARYING | SHADER_KILL,
    SHADER_DIVIDES = 1 << 18, /* a branch of which some fibers may take one way and some the other */
    SHADER_PARTS =
        1 << 19, /* from here on a part of the fibers; what comes at the end of that has SHADER_HOLDS alone */
    SHADER_SCALAR = 1 << 24,  /* of the unit of shared registers: in order with others of it */
    SHADER_BARRIER = 1 << 25, /* the next instruction waits for everything */
    SHADER_WAITS = 1 << 26,   /* it waits for everything itself */
    SHADER_APART = 1 << 27,   /* may be issued beside others, so that a compiler counts no slot for it */
    SHADER_GROUP = 1 << 28,   /* the next instruction belongs to it: nothing may come between */
    SHADER_HOLDS = 1 << 29,   /* nops right after it are needed */
};

/* Arithmetic of integers, of two sources or one, on whole values: no sign, no saturation, one width. */
enum shader_operation {
    SHADER_OTHER,
    SHADER_AND,
    SHADER_SHIFT_LEFT,
    SHADER_SHIFT_RIGHT,
    SHADER_ADD,
    SHADER_MIN_UNSIGNED,
    SHADER_MIN_SIGNED,
    SHADER_COPY,
    SHADER_CONVERT /* to another integer type, or another width */
};

/* The rows of category 2, which all sets of the family call alike, as cases of a switch. */
#define SHADER_OPERATIONS(set)                                                                                         \
    case set##_AND_B:                                                                                                  \
        return SHADER_AND;                                                                                             \
    case set##_SHL_B:                                                                                                  \
        return SHADER_SHIFT_LEFT;                                                                                      \
    case set##_SHR_B:                                                                                                  \
        return SHADER_SHIFT_RIGHT;                                                                                     \
    case set##_ADD_U:                                                                                                  \
    case set##_ADD_S:                                                                                                  \
        return SHADER_ADD;                                                                                             \
    case set##_MIN_U:                                                                                                  \
        return SHADER_MIN_UNSIGNED;                                                                                    \
    case set##_MIN_S:                                                                                                  \
        return SHADER_MIN_SIGNED;

struct a3xx_check;

/* Values of a0.x: low, low + step, ... high; step is a power of two. */
struct a3xx_reached {
    int32_t low, high, step;
};
struct shader_rule;
struct shader_spaces;
struct isa_layout;
extern const struct isa_lint shader_lint;
extern const struct isa_schedule shader_schedule;

/* A generation, for what is found out from accesses. */
struct shader_family {
    const char *name; /* of the set, in messages */
    unsigned (*accesses)(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX]);
    unsigned (*repeat)(const struct gpucode_insn *insn); /* how often it is issued again */
    uint32_t (*marks)(const struct gpucode_insn *insn);  /* enum shader_mark */
    /* What must be waited for before a result is used, and before a source that it still reads is written: bits of
     * a3xx_scoreboard.wait. */
    uint8_t (*result)(const struct gpucode_insn *insn, const struct a3xx_access *access);
    uint8_t (*keeps)(const struct gpucode_insn *insn, const struct a3xx_access *access);
    /* Slots that must lie between an arithmetic result and this source. */
    unsigned (*delay)(const struct gpucode_insn *insn, const struct a3xx_access *access);
    bool (*address)(const struct gpucode_insn *insn, int16_t *address);  /* the value that a move gives to a0.x */
    enum shader_operation (*operation)(const struct gpucode_insn *insn); /* by which a0.x is bounded */
    int64_t (*offset)(uint64_t bits);                                    /* of a branch, from itself on */
    bool (*set_offset)(struct gpucode_insn *insn, int64_t offset);       /* false: it does not fit */
    /* What compilers leave out as the hardware does not need it: `insn` after `other`; null: nothing. */
    bool (*excepts)(const struct gpucode_insn *insn, const struct gpucode_insn *other);
    void (*words)(struct a3xx_check *check); /* what needs no path */
    const struct shader_rule *rules;         /* by enum a3xx_hazard */
    const struct shader_spaces *spaces;      /* of the machine's registers: spaces.h */
    uint16_t nop, raw;                       /* rows */
    uint64_t nop_flags;                      /* bits of a nop that does something */
    uint8_t ss;                              /* bit by category that has (ss) */
    uint8_t mixed; /* slots, where a source has the other half of a register; 0: half registers are a file apart */
    uint8_t idle;  /* slots that an instruction can have after itself, (nopN); 0: none */
    bool sooner;   /* results are ready one slot earlier than those of others */
    bool chains;   /* a special function may not need (ss) for what another one delivers */
    uint8_t unit;  /* instructions that programs are filled up to a multiple of */
};

static inline const struct shader_family *shader_family_of(const struct gpucode_target *target)
{
    return target->isa->timing.families[target->timing ? target->timing : target->generation];
}
static inline const struct shader_family *shader_family(const struct gpucode_insn *insn)
{
    return shader_family_of(insn->target);
}

static inline bool shader_takes_ss(const struct gpucode_insn *insn)
{
    return shader_family(insn)->ss >> shader_category(insn->bits) & 1;
}
static inline bool shader_is_nop(const struct gpucode_insn *insn)
{
    return insn->row == shader_family(insn)->nop;
}
static inline bool shader_is_raw(const struct gpucode_insn *insn)
{
    return insn->row == shader_family(insn)->raw;
}
static inline unsigned shader_repeat(const struct gpucode_insn *insn)
{
    return shader_family(insn)->repeat(insn);
}
static inline uint32_t shader_marks(const struct gpucode_insn *insn)
{
    return shader_family(insn)->marks(insn);
}
/* Can it have idle slots after itself? */
static inline bool shader_takes_idle(const struct gpucode_insn *insn)
{
    unsigned category = shader_category(insn->bits);
    return shader_family(insn)->idle && !shader_is_raw(insn) && (category == 2 || category == 3) &&
           !(insn->bits >> 40 & 3);
}
/* Idle slots of (nopN): without a repeat, two bits that are (r) else. */
static inline unsigned shader_idle(const struct gpucode_insn *insn)
{
    unsigned category = shader_category(insn->bits);
    if (!shader_takes_idle(insn))
        return 0;
    return (unsigned)(insn->bits >> 43 & 1) + 2 * (unsigned)(insn->bits >> (category == 2 ? 51 : 15) & 1);
}
/* Gives it some, of those that take them; at most 3. */
static inline void shader_set_idle(struct gpucode_insn *insn, unsigned slots)
{
    uint64_t first = UINT64_C(1) << 43, second = UINT64_C(1) << (shader_category(insn->bits) == 2 ? 51 : 15);
    insn->bits = (insn->bits & ~(first | second)) | (slots & 1 ? first : 0) | (slots & 2 ? second : 0);
}
/* Where control goes from it. */
static inline enum gpucode_flow_kind shader_flow(const struct gpucode_insn *insn)
{
    return (enum gpucode_flow_kind)insn->target->isa->text.rows->rows[insn->row].flow;
}
/* Does it change memory, or may it? */
static inline bool shader_stores(const struct gpucode_insn *insn)
{
    const struct isa_row *row = &insn->target->isa->text.rows->rows[insn->row];
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_MEMORY)
            return row->effects[i].use & GPUCODE_USE_WRITE;
    return false;
}

/* --- usage.c ------------------------------------------------------------------------------------------------------ */

/* What a set counts beside, of an instruction that its rows know; `access`: of its first step. */
typedef void shader_count(void *user, struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn,
                          const struct a3xx_access *access, unsigned count);
/* Counts over all of the image up to its last `end`. */
void shader_usage(const struct isa_layout *layout, struct gpucode_a3xx_usage *usage, shader_count *own, void *user);
/* The registers of both files, when all is counted. */
void shader_usage_finish(struct gpucode_a3xx_usage *usage);

#endif
