/* SPDX-License-Identifier: MIT */
/*
 * What an A3XX shader finds when it starts: consts, registers, varyings, textures, memory. Each is one text, the same
 * on the command line and in an editor's launch request.
 *
 *     struct shader_inputs inputs = {.machine = machine, .read = read_whole, .user = user};
 *     if (shader_give(&inputs, SHADER_CONST, "c0.x=1.0") != SHADER_GIVEN)
 *         puts(inputs.expected);
 */
#ifndef KIT_A3XX_SHADER_INPUTS_H
#define KIT_A3XX_SHADER_INPUTS_H

#include <gpucode/a3xx.h>
#include <gpucode/asm.h>
#include <gpucode/machine.h>
#include <stdbool.h>
#include <stdint.h>

#define SHADER_REGISTERS 256 /* numbers of a register file */
#define SHADER_CONSTS 2048   /* components */

enum shader_input {
    SHADER_CONST, /* "c0.x=VALUE" */
    SHADER_IN,    /* "r0.x=VALUE", "hr0.x=VALUE": in all threads; "r0.x=A,B,C" in each, "r0.x=A.." from A on */
    SHADER_IJ,    /* "r0.x": it and the next get the barycentric pair of the middle of the triangle */
    /*
     * "N=VALUE", the same everywhere, or "N=VALUE:flat"; "N=V,V,V" at the corners of the triangle: where i = j = 0, i =
     * 1, j = 1, in a grid the upper left, upper right and lower left; "N=V,V,V,V": in a grid the lower right too.
     */
    SHADER_VARYING,
    /*
     * "UNIT=FILE", PNG, or raw floats with their size, "FILE.f32:WIDTHxHEIGHT"; several files with commas are levels,
     * the largest first, or with a word after the last layers (":array"), slices (":3d") or faces (":cube");
     * ":levels": levels are made by taking means.
     */
    SHADER_TEXTURE,
    SHADER_MEMORY, /* "ADDRESS=FILE" */
};

enum shader_status {
    SHADER_GIVEN,
    SHADER_WRONG,     /* the text; `expected` says what it should be */
    SHADER_NO_FILE,   /* read() or the diagnostic handler said why */
    SHADER_NO_MEMORY, /* ours */
};

struct shader_inputs {
    struct gpucode_machine *machine;
    /* Reads a whole file into malloc'ed bytes; false: somebody was told why not. */
    bool (*read)(void *user, const char *path, char **bytes, size_t *size);
    void *user;
    struct gpucode_diagnostic_handler on_diagnostic; /* told what is wrong with pictures */
    bool wide;                                       /* addresses have 64 bits */
    uint64_t texels;    /* where texels of unit 0 lie, those of the others 4 GiB apart; 0: GPUCODE_A3XX_TEXELS */
    bool grid;          /* for shader_grid_run() */
    bool varies, bends; /* varyings were given that are not the same everywhere; that have four corners */
    uint32_t varying[GPUCODE_A3XX_VARYINGS][4]; /* upper left, upper right, lower left, lower right */
    bool given[2][SHADER_REGISTERS];            /* full and half registers that have a value now */
    bool given_const[SHADER_CONSTS], given_varying[GPUCODE_A3XX_VARYINGS];
    const struct gpucode_program *program; /* the source whose names are known; or null */
    const char *expected;                  /* after SHADER_WRONG */
};

/*
 * The consts that the source has values for (@const); first, so that others can replace them. From now on names that it
 * declares are known. Null: no source.
 */
void shader_give_declared(struct shader_inputs *inputs, const struct gpucode_program *program);

enum shader_status shader_give(struct shader_inputs *inputs, enum shader_input kind, const char *text);

/* Writes a register of one thread and notes that it has a value. */
void shader_give_value(struct shader_inputs *inputs, unsigned thread, unsigned space, uint32_t number, uint32_t value);

/*
 * A register by the first `length` characters of `text`: its own name, one of a symbol file, or what the source
 * declares
 * (`@in(r0.x) x`), of which "x.y" is the second component. `program` may be null.
 */
bool shader_find(const struct gpucode_machine *machine, const struct gpucode_program *program, const char *text,
                 size_t length, unsigned *space, uint32_t *number);

/* --- Values of shader registers as people write and read them ----------------------------------------------------- */

/* What texts of values look like, for messages. */
#define SHADER_VALUE_FORM "a float (1.0), an integer or bits (0x3f800000) after the ="

/*
 * "1.0", "-3", "0x3f800000" up to `end`: floats have a point, an exponent, or are inf or nan, and are refused where
 * they are too large for a float, or a half; integers of either sign and bits must fit into 32 bits, or 16 where
 * `half`.
 */
bool shader_read_value(const char *text, const char *end, bool half, uint32_t *value);

/* Is it a float by its form? */
bool shader_is_float(const char *text, const char *end);

uint32_t shader_float_bits(float value);
float shader_float_value(uint32_t bits);
/* The nearest half float, ties to even. */
uint32_t shader_half_bits(float value);
float shader_half_value(uint32_t half);

/* "UNIT=FILE[,FILE...][:levels][:array|:3d|:cube]", as SHADER_TEXTURE has it. */
enum shader_status shader_give_texture(struct shader_inputs *inputs, const char *text);

/*
 * The work group of a compute shader: its size, and where its threads find their number in it; from options, or from
 * the lines of a source: @localsize, @invocationid, @wgid, @numwg.
 *
 *     struct shader_group group = {0};
 *     shader_group_declared(&group, program);
 *     char threads[SHADER_NUMBER];
 *     if (shader_group_threads(&group, threads)) ...create the machine with the policy a3xx-threads=threads
 *     shader_group_give(&group, &inputs);
 */

#define SHADER_NUMBER 24 /* room for a number as text */

/* A vector of registers or consts, x first. */
struct shader_place {
    bool there;
    unsigned space;
    uint32_t number;
};

struct shader_group {
    bool sized;
    uint32_t size[3]; /* x, y, z; 0 where `sized` is false */
    struct shader_place id, work_group, work_groups;
};

/* What the source says; `program` may be null. */
void shader_group_declared(struct shader_group *group, const struct gpucode_program *program);
/* "X", "X,Y" or "X,Y,Z"; false: no such size, or more than GPUCODE_A3XX_THREADS_MAX threads. */
bool shader_group_size(struct shader_group *group, const char *text);
/* "r0.x": the first of three registers that get a thread's number; false: it is none. */
bool shader_group_id(struct shader_group *group, const struct gpucode_machine *machine, const char *text);
/* The number of threads as text; false: the group has no size. */
bool shader_group_threads(const struct shader_group *group, char text[SHADER_NUMBER]);
/*
 * Gives each thread its number in x, y and z; without a size they are counted along x. There is one work group: number
 * 0 of 1.
 */
void shader_group_give(const struct shader_group *group, struct shader_inputs *inputs);

#endif
