/* SPDX-License-Identifier: MIT */
/* What machines of all generations have and are asked for in the same way: the state of a machine begins with it. */
#ifndef ISA_IR3_MACHINE_STATE_H
#define ISA_IR3_MACHINE_STATE_H

#include "isa/ir3/family.h"
#include "isa/machine.h"
#include <stdbool.h>

struct shader_state {
    uint32_t count;  /* of the program's instructions */
    uint32_t fibers; /* of the group */
    /* in the arena */
    uint16_t *breaks;    /* by instruction: how many fibers have a breakpoint there */
    uint8_t *own_breaks; /* bits by instruction and fiber */
    uint8_t *covered;
    const char *names; /* of the fibers */
    /* what all fibers see */
    uint32_t consts[A3XX_CONST_COUNT];
    uint32_t varying[3][GPUCODE_A3XX_VARYINGS]; /* at the three corners */
    uint8_t flat[GPUCODE_A3XX_VARYINGS];
};

/* What lies in the arena; false: no memory. */
bool shader_state_begin(struct machine_core *core, struct shader_state *state, uint32_t fibers);

/* Has the fiber a breakpoint there? Asked only where there is one of any. */
static inline bool shader_breaks(const struct shader_state *state, unsigned fiber, uint32_t pc)
{
    size_t bit = (size_t)pc * state->fibers + fiber;
    return state->own_breaks[bit / 8] >> bit % 8 & 1;
}

/* isa_machine.processor, .section, .set_break, .covered */
const char *shader_fiber_name(const void *state, unsigned index);
unsigned shader_fiber_section(const void *state, unsigned index);
bool shader_set_break(struct machine_core *core, void *state, unsigned index, uint64_t where, bool on);
uint8_t *shader_coverage(const void *state, unsigned index, size_t *units);

/* What the processor has that this runs on. */

/* Has it AVX2, and the library loops for it? */
bool a3xx_has_avx2(void);

#endif
