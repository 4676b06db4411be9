/* SPDX-License-Identifier: MIT */
/* Threads side by side: an instruction's action as one loop over the threads of a group. */
#ifndef ISA_IR3_A3XX_MACHINE_LANES_H
#define ISA_IR3_A3XX_MACHINE_LANES_H

#include "isa/ir3/a3xx/machine/machine.h"

/* Many threads that run an action: a value of each source, and room for a result, of each of them. */
struct a3xx_lanes {
    const struct a3xx_op *op;
    const struct a3xx_choices *choice;
    const uint32_t *given[3];
    uint32_t *result; /* of category 0: the number of the next instruction */
    uint32_t *fate;   /* of category 0: what else becomes of the thread */
    uint32_t count;   /* a multiple of A3XX_LANES */
    uint32_t at;      /* the instruction's number */
};

enum { A3XX_LANE_KILLED = 1, A3XX_LANE_ENDED = 2 };

/* Can threads run it side by side? Of a prepared instruction; sets op->lanes and what belongs to it. */
void a3xx_find_lane_kind(const struct a3xx_program *program, struct a3xx_op *op);

/* Do none of the policies that calculating depends on differ from their presets? */
bool a3xx_calculates_by_presets(const struct a3xx_choices *choice);

#define A3XX_LANES_BLOCK 64u /* lanes that an instruction is run for at once, so that all values stay near */

/* Where the values of a step of an instruction lie: first words of rows. */
struct a3xx_lane_rows {
    const uint32_t *source[3]; /* null: no register; of bary.f, the third is the other one of the pair */
    uint32_t *result;
    uint32_t *replaced; /* null, or gets what the result replaces in the register at its place */
};

struct a3xx_look_set; /* lookup.h: of looks into textures */

/* The loops as made for one kind of processor; all give the same bits. */
struct a3xx_lane_set {
    /*
     * Runs a step of an instruction that gives a result, of categories 1 to 4, for up to A3XX_LANES_BLOCK lanes from
     * `first` on. `rows` may be null: values are where registers are. `mask`: of all lanes, all ones where the thread
     * is to get its result, else 0; null: all get theirs.
     */
    void (*calculate)(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, const struct a3xx_lane_rows *rows,
                      const uint32_t *mask, uint32_t first, uint32_t count);
    /*
     * Runs an instruction of category 0, of which `predicate` has the source: `next` gets what each lane goes on with,
     * `fate` what else becomes of it.
     */
    void (*go)(struct a3xx_run *run, const struct a3xx_op *op, uint32_t at, const uint32_t *predicate, uint32_t first,
               uint32_t count, uint32_t *next, uint32_t *fate);
    /* Copies a row; where `mask` is not null, of the lanes in it. */
    void (*copy)(uint32_t *to, const uint32_t *from, const uint32_t *mask, uint32_t count);
    /* Are the values of all lanes in the mask (null: of the first `count`) this one? */
    bool (*agree)(const uint32_t *values, const uint32_t *mask, uint32_t count, uint32_t value);
    const struct a3xx_look_set *looks;
};
extern const struct a3xx_lane_set a3xx_lanes_plain, a3xx_lanes_avx2;
/* The row of a register operand at a step. */
static inline uint32_t *a3xx_lane_row(const struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step)
{
    return run->rows[operand->place == A3XX_IN_HALF] + operand->at + operand->pace * (int)step;
}

/* The best one for this processor. */
const struct a3xx_lane_set *a3xx_lane_set(void);

#endif
