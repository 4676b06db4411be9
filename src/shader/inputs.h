/* SPDX-License-Identifier: MIT */
/*
 * What an A3XX shader finds when it starts: consts, registers, varyings, textures, memory. Each is one text, the same
 * on the command line and in an editor's launch request.
 *
 *     struct shader_inputs inputs = {.machine = machine, .read = read_whole, .user = user};
 *     if (shader_give(&inputs, SHADER_CONST, "c0.x=1.0") != SHADER_GIVEN)
 *         puts(inputs.expected);
 */
#ifndef SHADER_INPUTS_H
#define SHADER_INPUTS_H

#include <gpucode/a3xx.h>
#include <gpucode/machine.h>
#include <stdbool.h>

#define SHADER_REGISTERS 256 /* numbers of a register file */

enum shader_input {
    SHADER_CONST,   /* "c0.x=VALUE" */
    SHADER_IN,      /* "r0.x=VALUE", "hr0.x=VALUE": in all threads; "r0.x=A,B,C" in each, "r0.x=A.." from A on */
    SHADER_IJ,      /* "r0.x": it and the next get the barycentric pair of the middle of the triangle */
    SHADER_VARYING, /* "N=VALUE", "N=VALUE:flat" */
    SHADER_TEXTURE, /* "UNIT=FILE.f32:WIDTHxHEIGHT" */
    SHADER_MEMORY,  /* "ADDRESS=FILE" */
};

enum shader_status {
    SHADER_GIVEN,
    SHADER_WRONG,     /* the text; `expected` says what it should be */
    SHADER_NO_FILE,   /* read() or the sink said why */
    SHADER_NO_MEMORY, /* ours */
};

struct shader_inputs {
    struct gpucode_machine *machine;
    /* Reads a whole file into malloc'ed bytes; false: somebody was told why not. */
    bool (*read)(void *user, const char *path, char **bytes, size_t *size);
    void *user;
    bool given[2][SHADER_REGISTERS]; /* full and half registers that have a value now */
    const char *expected;            /* behind SHADER_WRONG */
};

enum shader_status shader_give(struct shader_inputs *inputs, enum shader_input kind, const char *text);

/* Writes a register of one thread and notes that it has a value. */
void shader_give_value(struct shader_inputs *inputs, unsigned thread, unsigned space, uint32_t number, uint32_t value);

/* A register by the first `length` characters of `text`. */
bool shader_find(const struct gpucode_machine *machine, const char *text, size_t length, unsigned *space,
                 uint32_t *number);

#endif
