/* SPDX-License-Identifier: MIT */
/*
 * Category 5 as far as it looks into textures. The first source is a vector: coordinates, the reference of a shadow
 * comparison, the index of an array, the divisor of a projection; after them, padded to four, the derivatives of
 * samgq, or the number of a sample. The second one: offsets, then a bias or level, then the least level (notes on
 * category 5, from Mesa's compiler).
 */
#include "ir3_messages.h"
#include "isa/ir3/machine/access.h"

#include <math.h>

#define SOURCE_VALUES 12
#define QUAD 4
#define PADDED 4 /* coordinates before the derivatives of samgq */

struct look {
    struct ir3_run *run;
    const struct ir3_op *op;
    enum ir3_look how;
    bool three, array, shadow, offset, projected, fetch, vector, half;
    unsigned coordinates, type, mask; /* mask: the channels that are wanted */
    unsigned count[2];                /* values of the sources */
    /* of all fibers of the wave, as differences are taken of those that are not active too */
    uint32_t (*value)[SOURCE_VALUES][IR3_WAVE_MAX];
    uint32_t *unit, *sampler; /* of the active ones */
    bool bindless;
    unsigned unit_base, sampler_base;
    struct ir3_texels texels; /* of a bindless one */
    uint32_t sampler_field[GPUCODE_IR3_SAMPLER_FIELDS];
    /* of one fiber */
    unsigned fiber; /* in the wave */
    struct a3xx_seen texture;
};

static void refuse(struct look *look, const char *what)
{
    IR3_HALT(look->run, GPUCODE_STOP_UNKNOWN, MSG_IR3_FORM, ir3_rows.rows[look->op->row].facts.mnemonic, what);
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

/* A register of the source, or what an alias has put in its place. */
static void fetch_value(struct ir3_run *run, const struct ir3_operand *source, unsigned component, uint32_t *values)
{
    const struct ir3_wave *wave = run->wave;
    uint32_t number = (uint32_t)source->access.number + component;
    for (unsigned i = 0; i < wave->aliases; i++)
        if (wave->alias[i].number == number && wave->alias[i].half == source->access.half) {
            ir3_fetch(run, &wave->alias[i].source, 0, 0, values);
            return;
        }
    ir3_fetch(run, source, 0, component, values);
}

static void fetch_sources(struct look *look)
{
    struct ir3_run *run = look->run;
    uint16_t lane[IR3_WAVE_MAX];
    unsigned lanes = run->lanes;
    memcpy(lane, run->lane, sizeof lane);
    run->lanes = run->width;
    for (unsigned i = 0; i < run->width; i++)
        run->lane[i] = (uint16_t)(run->first + i);
    for (unsigned s = 0; s < 2; s++) {
        const struct ir3_operand *source = &look->op->source[s];
        look->count[s] = source->none ? 0 : source->access.count < SOURCE_VALUES ? source->access.count : SOURCE_VALUES;
        for (unsigned k = 0; k < look->count[s]; k++)
            fetch_value(run, source, k, look->value[s][k]);
    }
    memcpy(run->lane, lane, sizeof lane);
    run->lanes = lanes;
}

static uint32_t raw(const struct look *look, unsigned source, unsigned component)
{
    return component < look->count[source] ? look->value[source][component][look->fiber] : 0;
}

static double real(const struct look *look, unsigned source, unsigned component)
{
    return a3xx_value(raw(look, source, component), look->half);
}

static int whole(const struct look *look, unsigned source, unsigned component)
{
    uint32_t value = raw(look, source, component);
    return look->half ? (int16_t)value : (int32_t)value;
}

/* Values of the second source after the offsets; with a level or bias first. */
static bool has_given_level(const struct look *look)
{
    return look->op->row == IR3_SAMB || look->op->row == IR3_SAML || look->op->row == IR3_ISAML;
}

static unsigned first_parameter(const struct look *look)
{
    return look->offset ? look->coordinates : 0;
}

/* --- which texture ------------------------------------------------------------------------------------------------ */

static bool is_uniform(const struct look *look, const uint32_t *values)
{
    for (unsigned i = 1; i < look->run->lanes; i++)
        if (values[i] != values[0] && look->run->state->choice.uniform_traps) {
            IR3_HALT(look->run, GPUCODE_STOP_FAULT, MSG_IR3_UNIFORM, "a1.x");
            return false;
        }
    return true;
}

/*
 * Descriptors by number, and by a1.x: its low three bits are the sampler's base; where the instruction has room for one
 * of the numbers alone, the next eight bits are the other one (specification of the modes, from Mesa's compiler).
 */
static bool find_bindless(struct look *look, const struct ir3_mode *mode)
{
    struct ir3_run *run = look->run;
    uint64_t bits = look->op->insn.bits;
    uint32_t selector[IR3_WAVE_MAX] = {0};
    enum ir3_a1_form form =
        mode->in_register ? IR3_A1_BOTH : (enum ir3_a1_form)ir3_a1_forms[run->core->target->generation];
    look->bindless = true;
    look->unit_base = look->sampler_base = ir3_bits(bits, 20, 19) << 1 | ir3_bits(bits, 47, 47);
    if (mode->a1) {
        for (unsigned i = 0; i < run->lanes; i++)
            selector[i] = ir3_read_register(run->state, run->lane[i], false, IR3_A0 + 1);
        if (!is_uniform(look, selector))
            return false;
        look->sampler_base = selector[0] & 7;
    }
    for (unsigned i = 0; i < run->lanes && !mode->in_register; i++) {
        uint32_t other = selector[0] >> 3 & 0xff, own = ir3_bits(bits, 28, 21);
        bool both = !mode->a1 || form == IR3_A1_BOTH;
        look->sampler[i] = both ? own & 15 : form == IR3_A1_SAMPLER ? own : other;
        look->unit[i] = both ? own >> 4 : form == IR3_A1_SAMPLER ? other : own;
    }
    return true;
}

/* Slots by number or by a pair of registers, which has the texture first: half ones, or full ones of descriptors. */
static bool find_slots(struct look *look)
{
    struct ir3_run *run = look->run;
    uint64_t bits = look->op->insn.bits;
    const struct ir3_mode *mode = ir3_mode(bits);
    bool indirect = bits & IR3_LOOK_INDIRECT;
    for (unsigned i = 0; i < run->lanes; i++) {
        look->sampler[i] = ir3_bits(bits, 24, 21);
        look->unit[i] = ir3_bits(bits, 31, 25);
    }
    if (!indirect)
        return true;
    if (mode->bindless && !find_bindless(look, mode))
        return false;
    if (!mode->in_register)
        return true;
    ir3_fetch(run, &look->op->source[2], 0, 0, look->unit);
    ir3_fetch(run, &look->op->source[2], 0, 1, look->sampler);
    for (unsigned i = 1; i < run->lanes && mode->uniform; i++) {
        bool differs = look->unit[i] != look->unit[0] || look->sampler[i] != look->sampler[0];
        if (differs && run->state->choice.uniform_traps) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_UNIFORM, "the texture");
            return false;
        }
        look->unit[i] = look->unit[0];
        look->sampler[i] = look->sampler[0];
    }
    return true;
}

/* What in the instruction's form does not fit this kind of texture; null: all does. */
static const char *misfit(const struct look *look)
{
    const struct a3xx_seen *texture = &look->texture;
    if (look->how == IR3_LOOK_SIZE || look->how == IR3_LOOK_LEVELS)
        return NULL;
    if (look->three != (texture->kind != GPUCODE_A3XX_2D))
        return look->three ? ".3d on a texture of two dimensions" : "a volume or cube without .3d";
    if (look->array && texture->kind == GPUCODE_A3XX_3D)
        return ".a on a volume";
    if (!look->array && texture->layers > (texture->kind == GPUCODE_A3XX_CUBE ? 6 : 1))
        return "an array without .a";
    if (texture->kind == GPUCODE_A3XX_CUBE && (look->offset || look->fetch))
        return look->offset ? ".o on a cube" : "a texel of a cube by its number";
    return look->how == IR3_LOOK_GATHER && texture->kind == GPUCODE_A3XX_3D ? "gather4 in a volume" : NULL;
}

/* A setting of the sampler, or what the policy has where the sampler has none. */
static uint8_t sampler_choice(const struct look *look, unsigned lane, unsigned field, uint8_t policy)
{
    uint32_t slot = look->sampler[lane];
    uint32_t own = look->bindless                ? look->sampler_field[field]
                   : slot < GPUCODE_IR3_SAMPLERS ? look->run->state->sampler[slot][field]
                                                 : 0;
    return own ? (uint8_t)(own - 1) : policy;
}

static bool take_sampler(struct look *look, unsigned lane)
{
    uint64_t address;
    memset(look->sampler_field, 0, sizeof look->sampler_field);
    if (!look->bindless || !(ir3_rows.rows[look->op->row].marks & IR3_MARK_SAMPLER) || look->fetch)
        return true;
    return ir3_find_descriptor(look->run, look->op, look->sampler_base, look->sampler[lane], &address) &&
           ir3_take_sampler(&look->texels, address, look->sampler_field);
}

/* The shape of the texture; false with the machine halted, or *why. */
static bool take_texture(struct look *look, unsigned lane, const char **why)
{
    struct ir3_run *run = look->run;
    uint32_t unit = look->unit[lane];
    const uint32_t *field = unit < GPUCODE_A3XX_TEXTURES ? run->state->texture[unit] : NULL;
    uint64_t address;
    if (look->bindless) {
        return ir3_find_descriptor(run, look->op, look->unit_base, unit, &address) &&
               ir3_take_texture(&look->texels, address, &look->texture);
    }
    if (!field || !field[GPUCODE_A3XX_TEXTURE_WIDTH] || !field[GPUCODE_A3XX_TEXTURE_HEIGHT]) {
        IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_NO_TEXTURE, unit);
        return false;
    }
    *why = a3xx_take_texture(&look->texture, field) ? NULL : "more than 2^26 texels";
    return true;
}

/* The texture and the sampler of a lane; false with the machine halted. */
static bool find_texture(struct look *look, unsigned lane)
{
    struct ir3_run *run = look->run;
    const struct ir3_choices *choice = &run->state->choice;
    const char *why = NULL;
    look->texels = (struct ir3_texels){.run = run, .op = look->op};
    if (!take_sampler(look, lane))
        return false;
    look->texture = (struct a3xx_seen){
        .memory = &run->core->memory,
        .texels = GPUCODE_IR3_TEXELS(look->unit[lane]),
        .wrap = sampler_choice(look, lane, GPUCODE_IR3_SAMPLER_WRAP, choice->wrap),
        .compare = sampler_choice(look, lane, GPUCODE_IR3_SAMPLER_COMPARE, choice->compare),
        .linear = sampler_choice(look, lane, GPUCODE_IR3_SAMPLER_FILTER, choice->linear),
        .linear_levels = sampler_choice(look, lane, GPUCODE_IR3_SAMPLER_MIP, choice->linear_levels),
        .floor_layer = true, /* compilers add a half (Mesa, ir3_compiler_nir.c) */
        .floats = look->type <= IR3_F32,
        .shadow = look->shadow,
    };
    if (!take_texture(look, lane, &why))
        return false;
    why = why ? why : misfit(look);
    if (why)
        refuse(look, why);
    return !why;
}

static bool bind(struct look *look, unsigned lane)
{
    bool same = lane && look->unit[lane] == look->unit[lane - 1] && look->sampler[lane] == look->sampler[lane - 1];
    look->fiber = look->run->lane[lane] - look->run->first;
    look->run->index = look->run->lane[lane];
    if (!same && !find_texture(look, lane))
        return false;
    for (unsigned i = 0; i < look->coordinates && look->offset; i++)
        look->texture.offset[i] = whole(look, 1, i);
    if (look->shadow)
        look->texture.reference = (float)real(look, 0, look->coordinates);
    return true;
}

/* --- places and levels -------------------------------------------------------------------------------------------- */

/* The coordinates of any fiber of the wave, divided where they are projected. */
static void take_coordinates(struct look *look, unsigned fiber, double at[3])
{
    unsigned own = look->fiber;
    look->fiber = fiber;
    at[2] = 0;
    for (unsigned i = 0; i < look->coordinates; i++)
        at[i] = real(look, 0, i);
    double by = look->projected ? real(look, 0, look->coordinates + look->shadow + look->array) : 1;
    for (unsigned i = 0; i < look->coordinates && look->projected; i++)
        at[i] /= by;
    look->fiber = own;
}

static void find_position(struct look *look, struct a3xx_sample_position *position)
{
    double index = look->array ? real(look, 0, look->coordinates + look->shadow) : 0;
    take_coordinates(look, look->fiber, position->given);
    if (look->shadow && look->projected)
        look->texture.reference /= (float)real(look, 0, look->coordinates + 1 + look->array);
    a3xx_place_sample(&look->texture, position, look->array ? &index : NULL);
}

/* The level that the quad's coordinates make; coarse, as dsx and dsy: one for all four fibers. */
static double level_of_quad(struct look *look, unsigned face)
{
    struct ir3_run *run = look->run;
    unsigned first = look->fiber - look->fiber % QUAD;
    double points[3][3];
    if (look->texture.levels == 1 && look->how != IR3_LOOK_LOD)
        return 0;
    if (first + 2 >= run->width) {
        if (!run->state->choice.derivative_zero)
            IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_QUAD, ir3_rows.rows[look->op->row].facts.mnemonic);
        return 0;
    }
    for (unsigned i = 0; i < 3; i++)
        take_coordinates(look, first + i, points[i]);
    return a3xx_level_between(&look->texture, face, points);
}

static double level_of_derivatives(const struct look *look, const struct a3xx_sample_position *position)
{
    double points[3][3];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            points[i][k] = position->given[k];
            if (i && k < look->coordinates)
                points[i][k] += real(look, 0, PADDED + (i - 1) * look->coordinates + k);
        }
    return a3xx_level_between(&look->texture, position->face, points);
}

static bool has_derivatives(const struct look *look)
{
    return look->op->row == IR3_SAMGQ || (look->op->row >= IR3_SAMGP0 && look->op->row <= IR3_SAMGP3);
}

static double level_of(struct look *look, const struct a3xx_sample_position *position)
{
    unsigned next = first_parameter(look);
    double given = has_given_level(look) ? real(look, 1, next) : 0;
    double level = has_derivatives(look)       ? level_of_derivatives(look, position)
                   : look->op->row == IR3_SAML ? given
                                               : level_of_quad(look, position->face) + given;
    double least = -INFINITY;
    if (look->op->insn.bits & IR3_LOOK_CLP && !look->fetch)
        least = real(look, 1, next + has_given_level(look));
    return level < least ? least : level;
}

/* --- what is seen ------------------------------------------------------------------------------------------------- */

/* Whole coordinates; .v: elements of a buffer, one for each component of the result. */
static void fetch_texel(struct look *look, uint32_t rgba[4])
{
    struct a3xx_seen *texture = &look->texture;
    int level = look->op->row == IR3_ISAML ? whole(look, 1, first_parameter(look)) : 0, layer = 0;
    unsigned coordinates = look->coordinates < look->count[0] ? look->coordinates : look->count[0];
    int64_t at[3] = {0, 0, 0};
    for (unsigned i = 0; i < coordinates; i++)
        at[i] = whole(look, 0, i);
    if (look->op->row == IR3_ISAMM && whole(look, 0, coordinates + look->array)) {
        refuse(look, "a sample other than the first");
        return;
    }
    if (look->array) {
        layer = whole(look, 0, look->coordinates);
        layer = layer < 0 ? 0 : layer >= texture->layers ? texture->layers - 1 : layer;
    }
    level = level < 0 ? 0 : level < texture->levels ? level : texture->levels - 1;
    if (!look->vector) {
        a3xx_texel(texture, (unsigned)level, at, layer, rgba);
        return;
    }
    at[0] += ir3_bits(look->op->insn.bits, 53, 53) ? ir3_bits(look->op->insn.bits, 16, 9) : 0;
    for (unsigned k = 0; k < 4; k++, at[0]++) {
        uint32_t element[4] = {0};
        if (at[0] >= 0 && at[0] < texture->side[0])
            a3xx_texel(texture, 0, at, 0, element);
        rgba[k] = element[0];
    }
}

/* In 1/256. */
static uint32_t fixed_level(double level)
{
    level = level > -32768 ? level < 32767 ? level : 32767 : -32768; /* NaN: the least */
    return (uint32_t)(int32_t)rint(level * 256);
}

static void tell_levels(struct look *look, uint32_t rgba[4])
{
    struct a3xx_sample_position position;
    if (look->how == IR3_LOOK_LOD) {
        double last = look->texture.levels - 1;
        find_position(look, &position);
        double level = level_of_quad(look, position.face);
        rgba[0] = fixed_level(!(level > 0) ? 0 : level > last ? last : level);
        rgba[1] = fixed_level(level);
        return;
    }
    if (ir3_bits(look->op->insn.bits, 41, 40)) {
        refuse(look, "type and order of the channels");
        return;
    }
    rgba[2] = (uint32_t)look->texture.levels;
    rgba[3] = 1;
}

static void see(struct look *look, unsigned channel, uint32_t rgba[4])
{
    struct a3xx_sample_position position;
    switch (look->how) {
    case IR3_LOOK_FETCH:
        fetch_texel(look, rgba);
        break;
    case IR3_LOOK_SAMPLE:
        find_position(look, &position);
        a3xx_sample(&look->texture, level_of(look, &position), &position, rgba);
        break;
    case IR3_LOOK_GATHER:
        find_position(look, &position);
        a3xx_gather(&look->texture, &position, look->shadow ? 0 : channel, rgba);
        break;
    case IR3_LOOK_SIZE:
        a3xx_measure(&look->texture, look->op->row == IR3_GETBUF ? 0 : raw(look, 0, 0) & 31, rgba);
        break;
    default:
        tell_levels(look, rgba);
    }
    if (look->texture.absent)
        IR3_HALT(look->run, GPUCODE_STOP_FAULT, MSG_IR3_TEXELS, look->unit[0]);
}

/* --- lanes that look in the same way ------------------------------------------------------------------------------ */

/* Is it one texel of a plain picture, the same for all lanes: no level, layer or other texel comes into it? */
static bool is_simple(const struct look *look)
{
    const struct a3xx_seen *texture = &look->texture;
    bool whole_texel = look->how == IR3_LOOK_FETCH
                           ? look->op->row == IR3_ISAM
                           : look->how == IR3_LOOK_SAMPLE && !(texture->linear && texture->floats);
    for (unsigned i = 1; i < look->run->lanes; i++)
        if (look->unit[i] != look->unit[0] || look->sampler[i] != look->sampler[0])
            return false;
    return whole_texel && texture->kind == GPUCODE_A3XX_2D && texture->levels == 1 && texture->layers == 1 &&
           !texture->fetch && !look->array && !look->offset && !look->projected && !look->shadow && !look->vector;
}

/* Which texel of a side a coordinate is in. */
A3XX_INLINE uint64_t texel_at(bool fetch, bool half, enum a3xx_wrap wrap, int side, uint32_t given)
{
    int64_t at;
    if (fetch) {
        at = half ? (int16_t)given : (int32_t)given;
    } else {
        double scaled = a3xx_scaled(a3xx_value(given, half), side);
        at = (int64_t)scaled;
        at -= (double)at > scaled; /* floor() */
    }
    return (uint64_t)a3xx_wrap_coordinate(wrap, at, side);
}

/* Their texels; false: one is not in memory. What is the same for all lanes is known where this is put in its place. */
A3XX_INLINE bool see_lanes(const struct look *look, bool fetch, bool half, uint32_t (*values)[IR3_WAVE_MAX])
{
    const struct ir3_run *run = look->run;
    const struct a3xx_seen texture = look->texture; /* what is stored cannot change it */
    const enum a3xx_wrap wrap = (enum a3xx_wrap)texture.wrap;
    const unsigned axes = look->coordinates < look->count[0] ? look->coordinates : look->count[0], lanes = run->lanes;
    const unsigned channels = look->mask == 1 ? 1 : 4, first = run->first;
    const uint32_t *given[2] = {look->value[0][0], look->value[0][1]};
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t rgba[4];
        unsigned lane = run->lane[i] - first;
        uint64_t x = axes ? texel_at(fetch, half, wrap, texture.side[0], given[0][lane]) : 0,
                 y = axes > 1 ? texel_at(fetch, half, wrap, texture.side[1], given[1][lane]) : 0;
        if (!a3xx_read_texel(texture.memory, texture.texels + 16 * (y * (uint64_t)texture.side[0] + x), rgba))
            return false;
        for (unsigned k = 0; k < channels; k++)
            values[k][i] = rgba[k];
    }
    return true;
}

static bool see_simple(const struct look *look, uint32_t (*values)[IR3_WAVE_MAX])
{
    if (look->fetch)
        return look->half ? see_lanes(look, true, true, values) : see_lanes(look, true, false, values);
    return look->half ? see_lanes(look, false, true, values) : see_lanes(look, false, false, values);
}

/* --- the instruction ---------------------------------------------------------------------------------------------- */

static void put_values(const struct look *look, uint32_t (*values)[IR3_WAVE_MAX])
{
    struct ir3_run *run = look->run;
    struct a3xx_conversion how = {.from = look->type <= IR3_F32 ? IR3_F32 : IR3_U32,
                                  .to = (uint8_t)look->type,
                                  .half_rounding = run->state->choice.half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO};
    for (unsigned k = 0; k < 4; k++) {
        if (!(look->mask >> k & 1))
            continue;
        for (unsigned i = 0; i < run->lanes && how.from != how.to; i++)
            values[k][i] = a3xx_convert(&how, values[k][i]);
        ir3_put(run, &look->op->result, 0, k, values[k]);
    }
}

/* samgp0 to samgp3 are for one fiber of each quad. */
static void keep_quad_fiber(struct ir3_run *run, const struct ir3_op *op)
{
    unsigned count = 0;
    for (unsigned i = 0; i < run->lanes; i++)
        if ((run->lane[i] - run->first) % QUAD == (unsigned)(op->row - IR3_SAMGP0))
            run->lane[count++] = run->lane[i];
    run->lanes = count;
}

void ir3_look_up(struct ir3_run *run, const struct ir3_op *op, enum ir3_look how, unsigned channel)
{
    uint64_t bits = op->insn.bits;
    bool fetch = how == IR3_LOOK_FETCH;
    uint32_t given[2][SOURCE_VALUES][IR3_WAVE_MAX], unit[IR3_WAVE_MAX], sampler[IR3_WAVE_MAX];
    struct look look = {
        .value = given,
        .unit = unit,
        .sampler = sampler,
        .run = run,
        .op = op,
        .how = how,
        .three = bits & IR3_LOOK_3D,
        .array = bits & IR3_LOOK_A,
        .shadow = bits & IR3_LOOK_S && !fetch,
        .vector = bits & IR3_LOOK_S && fetch,
        .offset = bits & IR3_LOOK_O,
        .projected = bits & IR3_LOOK_P && !fetch,
        .fetch = fetch,
        .half = !(bits & IR3_LOOK_FULL),
        .type = ir3_bits(bits, 46, 44),
        .mask = ir3_bits(bits, 43, 40),
        .coordinates = bits & IR3_LOOK_3D ? 3 : 2,
    };
    uint32_t values[4][IR3_WAVE_MAX];
    if (ir3_rows.rows[op->row].marks & IR3_MARK_FETCH && !(bits & IR3_LOOK_CLP))
        look.coordinates = 1; /* .1d of isam */
    if (look.type == IR3_U8_32) {
        refuse(&look, "a residency code");
        return;
    }
    if (op->row >= IR3_SAMGP0 && op->row <= IR3_SAMGP3)
        keep_quad_fiber(run, op);
    fetch_sources(&look);
    if (!find_slots(&look))
        return;
    if (run->lanes && !bind(&look, 0))
        return;
    bool done = run->lanes && is_simple(&look) && see_simple(&look, values);
    for (unsigned i = 0; i < run->lanes && !done; i++) {
        uint32_t rgba[4] = {0};
        if (!bind(&look, i))
            return;
        see(&look, channel, rgba);
        if (run->halted)
            return;
        for (unsigned k = 0; k < 4; k++)
            values[k][i] = rgba[k];
    }
    run->wave->aliases = 0;
    put_values(&look, values);
}
