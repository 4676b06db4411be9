/* SPDX-License-Identifier: MIT */
/* What nobody has measured on a4xx to a8xx. Values of a policy are listed in the order of their numbers; the preset is
 * 0. */
#include "isa/ir3/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>

const struct gpucode_policy ir3_policies[] = {
    {"ir3-denorm", "flush|keep", "flush",
     "Denormal floats in arithmetic: zeros of their sign, before and after, or numbers. Conversions and moves keep "
     "them."},
    {"ir3-mad", "unfused|fused", "unfused", "mad.f: the product is rounded before the sum, or only the sum."},
    {"ir3-mul2", "scale|trap", "scale",
     "The forms .mul2 and .div2: the exact result is doubled or halved before it is rounded, or the machine stops."},
    {"ir3-half-rounding", "zero|even", "zero",
     "f32 to f16 where no rounding is given: cov, results and consts that become half."},
    {"ir3-half-consts", "demote|packed", "demote",
     "hc0.y: c0.y converted to 16 bits by the operation's type, or the high half of c0.x."},
    {"ir3-minmax-nan", "number|nan", "number", "min.f and max.f of a NaN and a number."},
    {"ir3-nan-ne", "true|false", "true", "The comparison ne with a NaN. All others are false."},
    {"ir3-cmpv", "ones|one", "ones", "What cmpv gives when the comparison holds: all bits, or 1."},
    {"ir3-shift", "modulo|past", "modulo",
     "Shift counts of the width and above: taken modulo the width, or all bits go."},
    {"ir3-rndaz", "away|zero", "away", "rndaz.f: to nearest with ties away from zero, or toward zero."},
    {"ir3-sad", "add3|absdiff", "add3", "sad: a + b + c, as compilers use it, or |a - b| + c by its name."},
    {"ir3-u8", "sign|zero", "sign", "How u8 grows as the source of a conversion. u8_32 grows with zeros."},
    {"ir3-cov-sat", "clamp|trap", "clamp",
     "(sat) on conversions: floats to 0 to 1, integers to the range of the result's type; or the machine stops."},
    {"ir3-cbits32", "low16|full", "low16", "cbits.b of a full register: of its low 16 bits, or of all."},
    {"ir3-setrm", "ctz|trap", "ctz", "setrm counts trailing zeros, as seen on a6xx; or the machine stops."},
    {"ir3-mova-range", "ignore|trap", "ignore",
     "The bounds that mova.r of a8xx has beside the index: not looked at, or the machine stops."},
    {"ir3-wmm", "left|pairwise", "left", "wmm: how its four sources are summed, from the left or in pairs."},
    {"ir3-getlast", "others-fall|others-jump", "others-fall",
     "getlast: what the active fibers do that are not in the first cluster with active ones."},
    {"ir3-movs-inactive", "value|zero", "value", "movs of a fiber that is not active: what it holds, or 0."},
    {"ir3-quad-inactive", "value|zero", "value", "quad_shuffle from a fiber that is not active: what it holds, or 0."},
    {"ir3-fine", "pair|each", "pair",
     "dsxpp.1 and dsypp.1: the second of the pair, which has .p, gives the result, or both do."},
    {"ir3-derivative", "stop|zero", "stop",
     "Derivatives where the quad lacks a fiber that they need: stop, or derivatives of 0."},
    {"ir3-cmpxchg", "new-first|compare-first", "new-first", "The order of the two values of cmpxchg."},
    {"ir3-uniform", "first|trap", "first",
     "What must be the same in all fibers of the wave and is not: that of the first active fiber, or the machine "
     "stops."},
    {"ir3-kill", "helper|stop", "helper", "A fiber that was killed goes on without effect on memory, or ends."},
    {"ir3-preamble", "once|every", "once", "Waves that run the preamble: the first of a work group, or each."},
    {"ir3-reconvergence", "marks|anywhere", "marks",
     "Where fibers that went different ways run together again: at (jp), or wherever they are at one instruction."},
    {"ir3-files", "auto|merged|apart", "auto",
     "Half registers lie in the full ones (merged), which is what drivers of a6xx and later choose, or are a file of "
     "their own."},
    {"ir3-out-of-range", "stop|zero", "stop",
     "Relative and stepped registers outside the file: stop, or read 0 and drop writes."},
    {"ir3-local-range", "stop|wrap", "stop",
     "Local memory past its size: stop, or offset 0, as the hardware's documents have it."},
    {"ir3-unmapped", "stop|map", "stop", "Global memory where nothing is mapped: stop, or zeros that can be written."},
    {"ir3-timing", "plain|strict", "plain",
     "Strict: the machine stops where an instruction uses a register before its delay or sync bit has passed."},
    {"ir3-filter", "nearest|linear", "nearest",
     "How textures are sampled where the sampler does not say it. Integer results are never filtered."},
    {"ir3-mip", "nearest|linear", "nearest", "The same between the levels of a texture."},
    {"ir3-wrap", "clamp|repeat|mirror", "clamp", "Texture coordinates outside of the texture, likewise."},
    {"ir3-compare", "le|lt|ge|gt|eq|ne|always|never", "le",
     "Shadow samplers: the comparison of the reference with the texel, likewise."},
    {"ir3-fibers", "NUMBER", "1", "Fibers of a work group, 1 to 1024, in waves; four after each other are a quad."},
    {"ir3-wave", "NUMBER", "0", "Fibers of a wave: 16, 32 or 64; 0: 32 before a6xx, else 64."},
    {"ir3-local-size", "NUMBER", "32768", "Bytes of local memory of a work group, at most 1 MiB."},
    {"ir3-private-size", "NUMBER", "4096", "Bytes of private memory of a fiber, at most 16 MiB."},
    {NULL},
};

static bool read_number(const struct machine_core *core, const struct gpucode_setting *settings, const char *name,
                        uint64_t least, uint64_t most, uint32_t *to)
{
    return isa_policy_within(core, ir3_policies, settings, name, MSG_IR3_POLICY, least, most, to);
}

uint32_t ir3_fibers_of(const struct gpucode_setting *settings)
{
    uint64_t fibers = isa_policy_number(ir3_policies, settings, "ir3-fibers");
    return (uint32_t)(fibers < GPUCODE_IR3_FIBERS_MAX ? fibers : GPUCODE_IR3_FIBERS_MAX);
}

static bool read_width(struct machine_core *core, struct ir3_choices *choice, const struct gpucode_setting *settings)
{
    if (!read_number(core, settings, "ir3-wave", 0, IR3_WAVE_MAX, &choice->width))
        return false;
    if (!choice->width)
        choice->width = core->target->generation < IR3_A6XX ? 32 : 64;
    if (choice->width == 16 || choice->width == 32 || choice->width == 64)
        return true;
    report(&core->on_diagnostic, NULL, MSG_IR3_POLICY, NULL, isa_policy(ir3_policies, settings, "ir3-wave"), "ir3-wave",
           "0, 16, 32 or 64");
    return false;
}

bool ir3_read_policies(struct machine_core *core, struct ir3_choices *choice, const struct gpucode_setting *settings)
{
    uint8_t files;
    const struct isa_choice choices[] = {
        {"ir3-denorm", &choice->keep_denormals},
        {"ir3-mad", &choice->fused},
        {"ir3-mul2", &choice->mul2_traps},
        {"ir3-half-rounding", &choice->half_even},
        {"ir3-half-consts", &choice->packed_consts},
        {"ir3-minmax-nan", &choice->nan_wins},
        {"ir3-nan-ne", &choice->ne_false_for_nan},
        {"ir3-cmpv", &choice->compare_one},
        {"ir3-shift", &choice->shift_past},
        {"ir3-rndaz", &choice->nearest_zero},
        {"ir3-sad", &choice->sad_difference},
        {"ir3-u8", &choice->zero_u8},
        {"ir3-cov-sat", &choice->saturation_traps},
        {"ir3-cbits32", &choice->count_full},
        {"ir3-setrm", &choice->setrm_traps},
        {"ir3-mova-range", &choice->bounds_trap},
        {"ir3-wmm", &choice->pairwise},
        {"ir3-getlast", &choice->others_jump},
        {"ir3-movs-inactive", &choice->inactive_zero},
        {"ir3-quad-inactive", &choice->quad_zero},
        {"ir3-fine", &choice->fine_each},
        {"ir3-derivative", &choice->derivative_zero},
        {"ir3-cmpxchg", &choice->compare_first},
        {"ir3-uniform", &choice->uniform_traps},
        {"ir3-kill", &choice->kill_ends},
        {"ir3-preamble", &choice->preamble_every},
        {"ir3-reconvergence", &choice->anywhere},
        {"ir3-files", &files},
        {"ir3-out-of-range", &choice->range_zero},
        {"ir3-local-range", &choice->local_wraps},
        {"ir3-unmapped", &choice->unmapped_maps},
        {"ir3-timing", &choice->strict},
        {"ir3-filter", &choice->linear},
        {"ir3-mip", &choice->linear_levels},
        {"ir3-wrap", &choice->wrap},
        {"ir3-compare", &choice->compare},
    };
    isa_policy_choices(ir3_policies, settings, choices, sizeof choices / sizeof *choices);
    choice->merged = files ? files == 1 : core->target->generation >= IR3_A6XX;
    return read_number(core, settings, "ir3-fibers", 1, GPUCODE_IR3_FIBERS_MAX, &choice->fibers) &&
           read_width(core, choice, settings) &&
           read_number(core, settings, "ir3-local-size", 0, 1 << 20, &choice->local_bytes) &&
           read_number(core, settings, "ir3-private-size", 0, 16 << 20, &choice->private_bytes);
}
