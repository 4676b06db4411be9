/* SPDX-License-Identifier: MIT */
/* What nobody has measured on A3XX. Values of a policy are listed in the order of their numbers; the preset is 0. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>

const struct gpucode_policy a3xx_policies[] = {
    {"a3xx-denormals", "flush|keep", "flush",
     "Denormal floats in arithmetic: zeros of their sign, as on a6xx, or numbers. Conversions and moves keep them."},
    {"a3xx-mad", "unfused|fused", "unfused", "mad.f: the product is rounded before the sum, or only the sum."},
    {"a3xx-half-rounding", "zero|even", "zero",
     "f32 to f16 where no rounding is given: cov, results and consts that become half."},
    {"a3xx-float-to-integer", "clamp|wrap", "clamp",
     "Floats out of the range of the integer they are converted to: the end of the range, or the low bits, which are 0 "
     "for "
     "an infinity. A NaN gives 0 either way."},
    {"a3xx-minmax-nan", "number|nan", "number", "min.f and max.f of a NaN and a number."},
    {"a3xx-nan-ne", "true|false", "true", "The comparison ne with a NaN. All others are false."},
    {"a3xx-cmpv", "ones|one", "ones", "What cmpv gives when the comparison holds: all bits, or 1."},
    {"a3xx-shift", "modulo|past", "modulo",
     "Shift counts of the width and above: taken modulo the width, or all bits go."},
    {"a3xx-rndaz", "away|zero", "away", "rndaz.f: to nearest with ties away from zero, or toward zero."},
    {"a3xx-sad", "difference|sum", "difference",
     "sad: |a - b| + c by its name, or a + b + c as a model of a6xx has it."},
    {"a3xx-saturate", "arithmetic|all", "arithmetic", "(sat) on bary.f, sel and category 4 does nothing, or works."},
    {"a3xx-u8", "zero|sign", "zero", "How u8 grows in cov. On a6xx it grows as s8 does."},
    {"a3xx-out-of-range", "stop|zero", "stop",
     "Relative and stepped registers outside the file: stop, or read 0 and drop writes."},
    {"a3xx-unmapped", "stop|map", "stop", "Global memory where nothing is mapped: stop, or zeros that can be written."},
    {"a3xx-global-atomic", "pointer|stop", "pointer",
     "Atomic operations on global memory: the last source is a 32-bit address, slot and offset are not looked at; or "
     "stop."},
    {"a3xx-filter", "nearest|linear", "nearest", "How textures are sampled. Integer results are never filtered."},
    {"a3xx-wrap", "clamp|repeat|mirror", "clamp", "Texture coordinates outside of the texture."},
    {"a3xx-mip", "nearest|linear", "nearest", "How textures are sampled between their levels."},
    {"a3xx-compare", "le|lt|ge|gt|eq|ne|always|never", "le",
     "Shadow comparisons: what the reference must be to the texel's red for 1.0; else 0."},
    {"a3xx-array-index", "nearest|floor", "nearest",
     "Which layer of an array a float index means: the nearest, or the one below. Outside, the first or last."},
    {"a3xx-derivative", "stop|zero", "stop",
     "dsx, dsy and the level of sam and samb where the quad lacks a thread that they need: stop, or derivatives of 0."},
    {"a3xx-timing", "plain|strict", "plain",
     "Results are there at once, or not before the delays and sync bits that code must have: who reads early sees "
     "what was before."},
    {"a3xx-special-wait", "others|all", "others",
     "Strict timing: category 4 that reads a result of category 4 without (ss) sees it, as the wiki page has it, or "
     "must "
     "wait as all others."},
    {"a3xx-latency-special", "NUMBER", "10",
     "Issue slots that a result of category 4 takes, in estimates of time; experience with a6xx says about 10."},
    {"a3xx-latency-local", "NUMBER", "10", "The same of local memory. Not known: as category 4, which has (ss) too."},
    {"a3xx-latency-texture", "NUMBER", "100", "The same of textures. Not known: a round number."},
    {"a3xx-latency-global", "NUMBER", "100", "The same of global memory. Not known: a round number."},
    {"a3xx-latency-private", "NUMBER", "100", "The same of private memory. Not known: a round number."},
    {"a3xx-threads", "NUMBER", "1",
     "Threads of the group, 1 to 1024, which go through the program together; four after each other are a quad."},
    {"a3xx-reconvergence", "calls|least|marks", "calls",
     "Which path goes first where the threads of a group have diverged: the one with the most calls, then the one "
     "at the least instruction number; or the least number alone. Paths reconverge wherever they are at the same "
     "instruction, or, with marks, in the order of calls and only at a (jp)."},
    {"a3xx-call-depth", "NUMBER", "16", "Return addresses that the machine holds, 1 to 64."},
    {"a3xx-private-size", "NUMBER", "65536", "Bytes of private memory of a thread, at most 16 MiB."},
    {NULL},
};

static bool read_number(const struct machine_core *core, const struct gpucode_setting *settings, const char *name,
                        uint64_t least, uint64_t most, uint32_t *to)
{
    return isa_policy_within(core, a3xx_policies, settings, name, MSG_A3XX_POLICY, least, most, to);
}

uint32_t a3xx_width(const struct gpucode_setting *settings)
{
    uint64_t width = isa_policy_number(a3xx_policies, settings, "a3xx-threads");
    return (uint32_t)(width < GPUCODE_A3XX_THREADS_MAX ? width : GPUCODE_A3XX_THREADS_MAX);
}

static const struct {
    const char *name, *policy;
} latencies[A3XX_LATENCIES] = {
    {"special", "a3xx-latency-special"}, {"local", "a3xx-latency-local"},     {"texture", "a3xx-latency-texture"},
    {"global", "a3xx-latency-global"},   {"private", "a3xx-latency-private"},
};

const char *a3xx_latency(const struct gpucode_setting *settings, unsigned index, uint64_t *slots)
{
    if (index >= A3XX_LATENCIES)
        return NULL;
    *slots = isa_policy_number(a3xx_policies, settings, latencies[index].policy);
    return latencies[index].name;
}

bool a3xx_read_policies(struct machine_core *core, struct a3xx_choices *choice, const struct gpucode_setting *settings)
{
    const struct isa_choice choices[] = {
        {"a3xx-denormals", &choice->keep_denormals},
        {"a3xx-mad", &choice->fused},
        {"a3xx-half-rounding", &choice->half_even},
        {"a3xx-float-to-integer", &choice->wrap_conversion},
        {"a3xx-minmax-nan", &choice->nan_wins},
        {"a3xx-nan-ne", &choice->ne_false_for_nan},
        {"a3xx-cmpv", &choice->compare_one},
        {"a3xx-shift", &choice->shift_past},
        {"a3xx-rndaz", &choice->nearest_zero},
        {"a3xx-sad", &choice->sad_sum},
        {"a3xx-saturate", &choice->special_saturates},
        {"a3xx-u8", &choice->extend_u8},
        {"a3xx-out-of-range", &choice->range_zero},
        {"a3xx-unmapped", &choice->unmapped_maps},
        {"a3xx-global-atomic", &choice->global_atomic_stops},
        {"a3xx-filter", &choice->linear},
        {"a3xx-wrap", &choice->wrap},
        {"a3xx-mip", &choice->linear_levels},
        {"a3xx-compare", &choice->compare},
        {"a3xx-array-index", &choice->floor_layer},
        {"a3xx-derivative", &choice->derivative_zero},
        {"a3xx-timing", &choice->strict},
        {"a3xx-special-wait", &choice->special_waits},
        {"a3xx-reconvergence", &choice->reconvergence},
    };
    isa_policy_choices(a3xx_policies, settings, choices, sizeof choices / sizeof *choices);
    for (unsigned i = 0; i < A3XX_LATENCIES; i++) {
        uint32_t latency; /* for estimates only, and said to be wrong here */
        if (!read_number(core, settings, latencies[i].policy, 0, A3XX_LATENCY_MAX, &latency))
            return false;
    }
    return read_number(core, settings, "a3xx-threads", 1, GPUCODE_A3XX_THREADS_MAX, &choice->threads) &&
           read_number(core, settings, "a3xx-call-depth", 1, A3XX_CALL_MAX, &choice->call_depth) &&
           read_number(core, settings, "a3xx-private-size", 0, 16 << 20, &choice->private_bytes);
}
