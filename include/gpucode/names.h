/* SPDX-License-Identifier: MIT */
/*
 * Names of registers and packets: the built-in tables, and the caller's own on top.
 *
 *     char name[GPUCODE_NAME_MAX];
 *     if (gpucode_name_of(target, NULL, GPUCODE_SPACE_GPU, 0x830, name, sizeof name))
 *         puts(name);                                  // CP_SQE_INSTR_BASE
 *
 * The library keeps no copy of the caller's table; it asks through two callbacks.
 */
#ifndef GPUCODE_NAMES_H
#define GPUCODE_NAMES_H

#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No name is longer, final zero included. */
#define GPUCODE_NAME_MAX 128

enum gpucode_space {
    GPUCODE_SPACE_GENERAL, /* general registers; named by the instruction set itself */
    GPUCODE_SPACE_CONTROL, /* AFUC @NAME, 12-bit */
    GPUCODE_SPACE_SQE,     /* AFUC %NAME, 16 registers */
    GPUCODE_SPACE_PIPE,    /* AFUC |NAME, 8-bit */
    GPUCODE_SPACE_GPU,     /* GPU (MMIO) registers: AFUC register numbers, HWSQ byte addresses */
    GPUCODE_SPACE_PACKET,  /* PM4 type-7 opcodes, 7-bit */
    GPUCODE_SPACE_FLAG,    /* HWSQ flags */
    GPUCODE_SPACE_EVENT,   /* HWSQ events */
    GPUCODE_SPACE_COUNT
};

/* Names that go ahead of the built-in ones. Either callback may be null. */
struct gpucode_names {
    /* Writes the name of `number` without a final zero, at most `size` bytes, and returns its length; 0: no name. */
    size_t (*name)(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size);
    /* Finds the number of a name; false: not known. */
    bool (*number)(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number);
    void *user;
};

/*
 * Writes the name of a register or packet as listings show it ("CP_SCRATCH[0x2].REG",
 * "IB1_BASE+0x1"), with a final zero. Returns the length without it, 0 when there is no name
 * or `size` is less than GPUCODE_NAME_MAX. `names` may be null. Any thread.
 */
GPUCODE_API size_t gpucode_name_of(const struct gpucode_target *target, const struct gpucode_names *names,
                                   enum gpucode_space space, uint32_t number, char *text, size_t size);

/*
 * Puts the least number from *number on that has a built-in name into *number. False: there is none, and *number is
 * kept. Any thread.
 */
GPUCODE_API bool gpucode_name_next(const struct gpucode_target *target, enum gpucode_space space, uint32_t *number);

/* Finds a register or packet by its name, array subscripts included. `names` may be null. Any thread. */
GPUCODE_API bool gpucode_number_of(const struct gpucode_target *target, const struct gpucode_names *names,
                                   enum gpucode_space space, const char *name, size_t length, uint32_t *number);

/*
 * Finds a register by the text that instructions have for it: "$02", "@IB1_BASE", "@0x123", "%SP", "|PIPE", "r1.y",
 * "CP_SCRATCH[2].REG"; a number alone is a register of the GPU. *space is an enum gpucode_space or a space of the set.
 * `names` may be null. Any thread.
 */
GPUCODE_API bool gpucode_register_of(const struct gpucode_target *target, const struct gpucode_names *names,
                                     const char *text, size_t length, unsigned *space, uint32_t *number);

#ifdef __cplusplus
}
#endif
#endif
