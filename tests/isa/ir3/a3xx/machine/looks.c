/* SPDX-License-Identifier: MIT */
/*
 * What the threads of a group see in textures at once is what they see one after the other: random looks of all kinds
 * into random textures under random policies, in groups of many widths, together and apart, under both timings, with
 * texels that are not there.
 */
#include "isa/ir3/a3xx/machine/lookup.h"
#include "machine/machine.h"
#include "running.h"
#include "words.h"

#include <gpucode/a3xx.h>
#include <stdio.h>
#include <string.h>

#define REGISTERS 48
#define COORDINATES 24 /* registers from here on say where to look, and are not written */
#define UNITS 2

/* --- textures ---------------------------------------------------------------------------------------------------- */

struct texture {
    uint32_t field[GPUCODE_A3XX_TEXTURE_FIELDS];
    size_t texels; /* that are in memory */
};

static struct texture any_texture(uint64_t *random)
{
    static const uint8_t sides[] = {1, 2, 3, 4, 5, 7, 8, 16};
    struct texture texture = {.texels = 0};
    bool powers = words_below(random, 2);
    for (unsigned i = 0; i < 2; i++)
        texture.field[i] = powers ? 1u << words_below(random, 5) : sides[words_below(random, 8)];
    texture.field[GPUCODE_A3XX_TEXTURE_KIND] = words_below(random, 3) ? GPUCODE_A3XX_2D : 1 + words_below(random, 2);
    texture.field[GPUCODE_A3XX_TEXTURE_DEPTH] = words_below(random, 2) ? 1 : words_below(random, 5);
    texture.field[GPUCODE_A3XX_TEXTURE_LEVELS] = words_below(random, 2) ? 1 : words_below(random, 7);
    texture.texels =
        words_below(random, 6) ? 4096 : words_below(random, 3) * 200; /* there are fewer of nearly all of them */
    return texture;
}

static bool has_layers(const struct texture *texture)
{
    return texture->field[GPUCODE_A3XX_TEXTURE_KIND] != GPUCODE_A3XX_3D &&
           texture->field[GPUCODE_A3XX_TEXTURE_DEPTH] > 1;
}

static uint32_t any_texel(uint64_t *random)
{
    static const uint32_t edges[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00001, 0xffa00000, 1, 0x477ff000};
    uint64_t value = words_next(random);
    return value % 16 == 0 ? edges[value / 16 % 8]
           : value % 4     ? bits_of((float)(value / 16 % 400) / 64 - 2)
                           : (uint32_t)(value >> 32);
}

static void give_texture(struct rig *rig, unsigned unit, const struct texture *texture, uint64_t seed)
{
    static unsigned char bytes[16 * 4096];
    uint64_t random = seed + unit;
    for (uint32_t i = 0; i < GPUCODE_A3XX_TEXTURE_FIELDS; i++)
        gpucode_machine_write(rig->machine, 0, GPUCODE_A3XX_TEXTURE, unit * GPUCODE_A3XX_TEXTURE_FIELDS + i,
                              texture->field[i]);
    for (size_t i = 0; i < 4 * texture->texels; i++) {
        uint32_t texel = any_texel(&random);
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (unsigned char)(texel >> 8 * k);
    }
    gpucode_machine_store(rig->machine, GPUCODE_A3XX_TEXELS(unit), bytes, 16 * texture->texels);
}

/* --- programs ---------------------------------------------------------------------------------------------------- */

/* Gathering is not for volumes, nor are whole numbers for cubes. */
static const char *any_name(const struct texture *texture, bool misfit, uint64_t *random)
{
    static const char *const names[] = {"sam",   "sam",   "samb",     "saml",     "samgq",    "isam",
                                        "isaml", "isaml", "gather4r", "gather4g", "gather4b", "gather4a"};
    uint32_t kind = texture->field[GPUCODE_A3XX_TEXTURE_KIND];
    const char *name;
    do
        name = names[words_below(random, 12)];
    while (!misfit && ((name[0] == 'i' && kind == GPUCODE_A3XX_CUBE) || (name[0] == 'g' && kind == GPUCODE_A3XX_3D)));
    return name;
}

/* One look, which nearly always fits the texture. */
static int write_look(char *text, size_t room, const struct texture *textures, uint64_t *random)
{
    static const char *const types[] = {"f32", "u32", "s32", "f32", "f16", "u16", "s16", "u8", "s8"};
    static const char *const masks[] = {"x", "y", "z", "w", "xy", "xz", "yw", "xyz", "xyzw", "xyzw"};
    unsigned unit = words_below(random, UNITS);
    const struct texture *texture = &textures[unit];
    bool misfit = words_below(random, 48) == 0;
    const char *name = any_name(texture, misfit, random);
    const char *type = types[words_below(random, 9)];
    bool flat = texture->field[GPUCODE_A3XX_TEXTURE_KIND] == GPUCODE_A3XX_2D;
    bool cube = texture->field[GPUCODE_A3XX_TEXTURE_KIND] == GPUCODE_A3XX_CUBE, whole = name[0] == 'i';
    bool half = type[1] != '3', half_source = words_below(random, 6) == 0;
    bool offset = words_below(random, 3) == 0 && (!cube || misfit),
         shadow = words_below(random, 4) == 0 && (!whole || misfit);
    bool projected = words_below(random, 4) == 0 && (!whole || misfit);
    char flags[24], second[24] = "", sy = words_below(random, 4) == 0;
    snprintf(flags, sizeof flags, "%s%s%s%s%s", flat == (misfit && words_below(random, 2)) ? ".3d" : "",
             has_layers(texture) == !(misfit && words_below(random, 2)) ? ".a" : "", offset ? ".o" : "",
             projected ? ".p" : "", shadow ? ".s" : "");
    if (offset || strcmp(name, "samb") == 0 || strcmp(name, "saml") == 0 || strcmp(name, "isaml") == 0)
        snprintf(second, sizeof second, "%sr%u.%c, ", half_source ? "h" : "",
                 COORDINATES / 4 + 3 + words_below(random, 2), "xyzw"[words_below(random, 4)]);
    return snprintf(text, room, "%s%s%s (%s)(%s)%sr%u.%c, %sr%u.%c, %ss#0, t#%u\n", sy ? "(sy)" : "", name, flags, type,
                    masks[words_below(random, 10)], half ? "h" : "", words_below(random, COORDINATES / 4 - 1),
                    "xyzw"[words_below(random, 4)], half_source ? "h" : "", COORDINATES / 4 + words_below(random, 2),
                    "xyzw"[words_below(random, 4)], second, unit);
}

static void write_program(char *text, size_t room, const struct texture *textures, uint64_t *random)
{
    size_t used = 0;
    unsigned statements = 2 + words_below(random, 8), label = 0;
    for (unsigned i = 0; i < statements; i++) {
        char *at = text + used;
        size_t left = room - used;
        unsigned number = COORDINATES / 4 + words_below(random, 5);
        char component = "xyzw"[words_below(random, 4)];
        switch (words_below(random, 8)) {
        case 0: /* also while a look may still read it */
            used += (size_t)snprintf(at, left, "%sadd.f r%u.%c, r%u.%c, r0.x\n%s", words_below(random, 2) ? "(sy)" : "",
                                     number, component, number, component, words_below(random, 2) ? "" : "(rpt3)nop\n");
            break;
        case 1:
            used += (size_t)snprintf(at, left, "br %sp0.x, #L%u\n", words_below(random, 2) ? "!" : "", label);
            break;
        case 2:
            used += (size_t)snprintf(at, left, "L%u: %snop\n", label, words_below(random, 2) ? "(jp)" : "");
            label++;
            break;
        default:
            used += (size_t)write_look(at, left, textures, random);
            break;
        }
    }
    used += (size_t)snprintf(text + used, room - used, "L%u: nop\nend\n", label);
    assert_true(used < room);
}

/* --- machines ---------------------------------------------------------------------------------------------------- */

/* Places in and around textures as floats, small whole numbers as texels have, or anything. */
static uint32_t any_place(uint64_t *random)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0x7fffffff, 0xffffffff, 0x3f000000, 0x4f000000, 0x00800001};
    uint64_t value = words_next(random);
    unsigned whole = (unsigned)(value / 64 % 24);
    return value % 8 == 0   ? whole - 4
           : value % 64 < 4 ? edges[whole / 2]
           : value % 4 == 1 ? bits_of((float)(whole) / 8)
                            : bits_of((float)(value >> 40 & 0xffff) / 0x4000 - 1.5f);
}

static uint32_t any_half_place(uint64_t *random)
{
    uint64_t value = words_next(random);
    return value % 8 == 0 ? (uint32_t)(value >> 16 & 0xffff)
           : value % 2    ? 0x3000 + (value >> 16 & 0xfff)
                          : value >> 8 & 15;
}

static void give(struct rig *rig, unsigned width, const struct texture *textures, uint64_t seed)
{
    uint64_t random = seed;
    for (unsigned unit = 0; unit < UNITS; unit++)
        give_texture(rig, unit, &textures[unit], seed);
    for (unsigned thread = 0; thread < width; thread++) {
        for (uint32_t i = 0; i < REGISTERS; i++) {
            uint32_t full = i < COORDINATES ? 0x3e800000 : any_place(&random);
            if (i >= COORDINATES + 12 && words_below(&random, 2)) /* offsets and levels */
                full = words_below(&random, 2) ? words_below(&random, 7) - 3
                                               : bits_of((float)words_below(&random, 40) / 8 - 0.5f);
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, i, full);
            gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_HALF, i, any_half_place(&random));
        }
        gpucode_machine_write(rig->machine, thread, GPUCODE_A3XX_FULL, 248, words_below(&random, 3) == 0);
    }
}

static void compare(const struct rig *one, const struct rig *other, unsigned width, uint64_t seed, const char *text)
{
    if (strcmp(one->stop.text, other->stop.text) != 0)
        fail_msg("seed %u: \"%s\" and not \"%s\"\n%s", (unsigned)seed, one->stop.text, other->stop.text, text);
    assert_int_equal(one->stop.reason, other->stop.reason);
    assert_int_equal(one->stop.processor, other->stop.processor);
    assert_int_equal(gpucode_machine_count(one->machine), gpucode_machine_count(other->machine));
    assert_int_equal(gpucode_machine_time(one->machine), gpucode_machine_time(other->machine));
    for (unsigned thread = 0; thread < width; thread++) {
        assert_int_equal(gpucode_machine_pc(one->machine, thread), gpucode_machine_pc(other->machine, thread));
        for (uint32_t i = 0; i < 2 * REGISTERS; i++) {
            uint32_t value, wanted, number = i % REGISTERS;
            unsigned space = i < REGISTERS ? GPUCODE_A3XX_FULL : GPUCODE_A3XX_HALF;
            gpucode_machine_read(one->machine, thread, space, number, &value);
            gpucode_machine_read(other->machine, thread, space, number, &wanted);
            if (value != wanted)
                fail_msg("seed %u: %sr%u.%c of thread %u is %08x, not %08x\n%s", (unsigned)seed,
                         i < REGISTERS ? "" : "h", number / 4, "xyzw"[number % 4], thread, value, wanted, text);
        }
    }
}

static void choose_policies(struct gpucode_setting *settings, const char *width, uint64_t *random)
{
    static const char *const wraps[] = {"clamp", "repeat", "mirror"};
    static const char *const compares[] = {"le", "lt", "ge", "gt", "eq", "ne", "always", "never"};
    *settings++ = (struct gpucode_setting){"a3xx-threads", width};
    *settings++ = (struct gpucode_setting){"a3xx-wrap", wraps[words_below(random, 3)]};
    *settings++ = (struct gpucode_setting){"a3xx-filter", words_below(random, 3) ? "linear" : "nearest"};
    *settings++ = (struct gpucode_setting){"a3xx-mip", words_below(random, 2) ? "linear" : "nearest"};
    *settings++ = (struct gpucode_setting){"a3xx-compare", compares[words_below(random, 8)]};
    *settings++ = (struct gpucode_setting){"a3xx-array-index", words_below(random, 2) ? "nearest" : "floor"};
    *settings++ = (struct gpucode_setting){"a3xx-half-rounding", words_below(random, 2) ? "zero" : "even"};
    *settings++ = (struct gpucode_setting){"a3xx-derivative", words_below(random, 5) ? "zero" : "stop"};
    *settings++ = (struct gpucode_setting){"a3xx-reconvergence", words_below(random, 3) ? "calls" : "marks"};
    *settings++ = (struct gpucode_setting){"a3xx-timing", words_below(random, 2) ? "plain" : "strict"};
    *settings = (struct gpucode_setting){NULL, NULL};
}

/* --- the loops, counted ------------------------------------------------------------------------------------------- */

static unsigned seen[A3XX_FILTERS];

static bool see_counted(const struct a3xx_plan *plan, const struct a3xx_looks *looks, a3xx_texels rgba)
{
    bool done = a3xx_lanes_plain.looks->see[plan->filter](plan, looks, rgba);
    seen[plan->filter] += done;
    return done;
}

/* --- tests ------------------------------------------------------------------------------------------------------- */

static void programs(void)
{
    static const unsigned widths[] = {4, 5, 7, 16, 63, 64, 67, 130};
    static char text[4096];
    struct a3xx_look_set looks = *a3xx_lanes_plain.looks;
    struct a3xx_lane_set counted = a3xx_lanes_plain;
    counted.looks = &looks;
    for (unsigned i = 0; i < A3XX_FILTERS; i++)
        looks.see[i] = see_counted;
    memset(seen, 0, sizeof seen);
    unsigned rounds = test_rounds(600, 3000), ended = 0, faults = 0, unknown = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed;
        char number[8];
        unsigned width = widths[seed % 8];
        struct gpucode_setting settings[16];
        struct texture textures[UNITS];
        for (unsigned i = 0; i < UNITS; i++)
            textures[i] = any_texture(&random);
        snprintf(number, sizeof number, "%u", width);
        choose_policies(settings, number, &random);
        write_program(text, sizeof text, textures, &random);
        struct rig together = rig_text(text, settings), watched = rig_text(text, settings);
        struct rig *both[] = {&together, &watched};
        uint64_t limit = words_below(&random, 4) ? UINT64_MAX : 3 * width + words_below(&random, width);
        if (seed % 2)
            ((struct a3xx_state *)together.machine->state)->lanes = &counted;
        rig_watch(&watched);
        for (unsigned i = 0; i < 2; i++) {
            give(both[i], width, textures, seed);
            gpucode_machine_run(both[i]->machine, limit, &both[i]->stop);
        }
        compare(&together, &watched, width, seed, text);
        ended += together.stop.reason == GPUCODE_STOP_END;
        faults += together.stop.reason == GPUCODE_STOP_FAULT;
        unknown += together.stop.reason == GPUCODE_STOP_UNKNOWN;
        rig_down(&together);
        rig_down(&watched);
    }
    print_message("%u programs: %u ended, %u looked where nothing is, %u at what fits no texture\n", rounds, ended,
                  faults, unknown);
    assert_true(ended > rounds / 3 && faults > rounds / 20 && unknown > rounds / 40);
    for (unsigned i = 0; i < A3XX_FILTERS; i++)
        assert_true(seen[i] > rounds / 10);
}

TESTS(looks, programs)
