/* SPDX-License-Identifier: MIT */
/* Registers of a shader machine as its users see them: which spaces there are, and how what is in them is called. */
#ifndef ISA_IR3_MACHINE_SPACES_H
#define ISA_IR3_MACHINE_SPACES_H

#include "isa/ir3/family.h"
#include "isa/machine.h"

struct shader_space {
    const char *prefix; /* of names with a number and, in vectors, a component; "": its names are those of `fields` */
    struct gpucode_space_info info;
    unsigned space;
    bool vectors;
    const char *const *fields; /* or one of these after the number and a point */
    unsigned field_count;
};
/* All of a set: shader_family.spaces. */
struct shader_spaces {
    const struct shader_space *list;
    unsigned count;
    unsigned addresses; /* a0.x, a1.x */
};

/* The spaces that all machines of the family have, `halves` half registers in them. */
#define SHADER_SPACES(halves)                                                                                          \
    {"r", {"full", "", A3XX_R63, .float_bits = 32, .float_count = A3XX_A0}, GPUCODE_A3XX_FULL, true, NULL, 0},         \
        {"hr", {"half", "", halves, .float_bits = 16, .float_count = A3XX_A0}, GPUCODE_A3XX_HALF, true, NULL, 0},      \
        {"c",                                                                                                          \
         {"const", "", A3XX_CONST_COUNT, .shared = true, .float_bits = 32, .float_count = A3XX_CONST_COUNT},           \
         GPUCODE_A3XX_CONST,                                                                                           \
         true,                                                                                                         \
         NULL,                                                                                                         \
         0},                                                                                                           \
        {"v", {"varying", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING, false, NULL, 0},           \
        {"vi", {"varying-i", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING_I, false, NULL, 0},      \
        {"vj", {"varying-j", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING_J, false, NULL, 0},      \
        {"vflat", {"flat", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_FLAT, false, NULL, 0},             \
    {                                                                                                                  \
        "t", {"texture", "", GPUCODE_A3XX_TEXTURES * GPUCODE_A3XX_TEXTURE_FIELDS, .shared = true},                     \
            GPUCODE_A3XX_TEXTURE, false, shader_texture_fields, GPUCODE_A3XX_TEXTURE_FIELDS                            \
    }
extern const char *const shader_texture_fields[];

/* The register of a name that the set itself gives. */
bool shader_find_register(const struct shader_spaces *spaces, const char *name, size_t length, unsigned *space,
                          uint32_t *number);

/* isa_machine.space, .find, .name */
bool shader_space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info);
bool shader_space_find(const struct machine_core *core, const char *name, size_t length, unsigned *space,
                       uint32_t *number);
size_t shader_space_name(const struct machine_core *core, unsigned space, uint32_t number, char *text);

#endif
