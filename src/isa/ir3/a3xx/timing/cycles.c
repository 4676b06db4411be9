/* SPDX-License-Identifier: MIT */
/*
 * An estimate of time, made from outside the machine: what instructions wait for, with latencies that policies give.
 * The wave waits as one, so that a group has one clock.
 */
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/timing/delay.h"

#include "base/arena.h"

#include <stdlib.h>

struct kind {
    uint32_t slots;
    uint32_t latency; /* of its result; 0: it has none that must be waited for */
    bool sy;          /* its result needs (sy), else (ss) */
    bool waits_ss, waits_sy;
};

struct gpucode_a3xx_cycles {
    uint32_t count;
    uint32_t latency[A3XX_LATENCIES];
    uint64_t stalled;  /* slots until now */
    uint64_t ready[2]; /* when all results that (ss), (sy) wait for are there */
    uint64_t pc, time; /* of the issue seen last */
    bool begun;
    struct kind *kind;
    struct gpucode_a3xx_cost total, *cost;
};

/* Where a result comes from; -1: from arithmetic, or there is none. */
static int latency_of(const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    bool result = count && access[count - 1].write;
    enum a3xx_unit unit = a3xx_unit(insn);
    if (!result || unit == A3XX_ARITHMETIC)
        return -1;
    if (unit == A3XX_SPECIAL)
        return A3XX_LATENCY_SPECIAL;
    if (unit == A3XX_LOCAL_RESULT)
        return A3XX_LATENCY_LOCAL;
    if ((a3xx_marks(insn->row) & SHADER_MARK_UNIT) == SHADER_MARK_TEXTURE)
        return A3XX_LATENCY_TEXTURE;
    return a3xx_marks(insn->row) & SHADER_MARK_PRIVATE ? A3XX_LATENCY_PRIVATE : A3XX_LATENCY_GLOBAL;
}

static struct kind kind_of(const struct gpucode_a3xx_cycles *cycles, const struct gpucode_insn *insn)
{
    struct kind kind = {.slots = 1};
    if (insn->row == A3XX_RAW)
        return kind;
    int latency = latency_of(insn);
    kind.slots += a3xx_repeat(insn->bits);
    kind.latency = latency >= 0 ? cycles->latency[latency] : 0;
    kind.sy = a3xx_unit(insn) == A3XX_LONG_LATENCY;
    kind.waits_ss = shader_category(insn->bits) < 5 && insn->bits & A3XX_SS;
    kind.waits_sy = (insn->bits & A3XX_SY) != 0;
    return kind;
}

static void look_at_words(struct gpucode_a3xx_cycles *cycles, const struct gpucode_target *target,
                          const unsigned char *bytes)
{
    for (uint32_t i = 0; i < cycles->count; i++) {
        struct gpucode_insn insn = a3xx_insn_at(target, bytes, i);
        cycles->kind[i] = kind_of(cycles, &insn);
    }
}

enum gpucode_status gpucode_a3xx_cycles_open(const struct gpucode_image *image, const struct gpucode_setting *policies,
                                             struct gpucode_a3xx_cycles **out)
{
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!image)
        return GPUCODE_ERROR_ARGUMENT;
    const struct gpucode_image_info *info = &image->layout.info;
    if (info->target->isa != &a3xx_isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_a3xx_cycles *cycles = calloc(1, sizeof *cycles);
    if (!cycles)
        return GPUCODE_ERROR_MEMORY;
    cycles->count = info->units;
    cycles->kind = calloc((size_t)info->units + 1, sizeof *cycles->kind);
    cycles->cost = calloc((size_t)info->units + 1, sizeof *cycles->cost);
    enum gpucode_status status = cycles->kind && cycles->cost ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    for (unsigned i = 0; status == GPUCODE_OK && i < A3XX_LATENCIES; i++) {
        uint64_t slots;
        (void)a3xx_latency(policies, i, &slots);
        cycles->latency[i] = (uint32_t)slots;
        if (slots > A3XX_LATENCY_MAX)
            status = GPUCODE_ERROR_RANGE;
    }
    if (status != GPUCODE_OK) {
        gpucode_a3xx_cycles_free(cycles);
        return status;
    }
    look_at_words(cycles, info->target, image->layout.bytes);
    *out = cycles;
    return GPUCODE_OK;
}

/* Slots that an issue at `now` waits for what is ready then; it is ready afterwards. */
static uint64_t wait_for(uint64_t *ready, uint64_t now)
{
    uint64_t waited = *ready > now ? *ready - now : 0;
    *ready = 0;
    return waited;
}

void gpucode_a3xx_cycles_see(struct gpucode_a3xx_cycles *cycles, const struct gpucode_event *event)
{
    if (!cycles)
        return;
    if (event->kind != GPUCODE_EVENT_INSN || event->pc >= cycles->count)
        return;
    const struct kind *kind = &cycles->kind[event->pc];
    struct gpucode_a3xx_cost *cost = &cycles->cost[event->pc], *total = &cycles->total;
    cost->threads++;
    total->threads++;
    if (cycles->begun && event->pc == cycles->pc && event->time == cycles->time) /* another thread of the issue */
        return;
    cycles->begun = true;
    cycles->pc = event->pc;
    cycles->time = event->time;
    uint64_t now = event->time + cycles->stalled, ss = 0, sy = 0;
    if (kind->waits_ss)
        ss = wait_for(&cycles->ready[0], now);
    if (kind->waits_sy)
        sy = wait_for(&cycles->ready[1], now + ss);
    cycles->stalled += ss + sy;
    uint64_t there = now + ss + sy + kind->slots + kind->latency;
    if (kind->latency && there > cycles->ready[kind->sy])
        cycles->ready[kind->sy] = there;
    struct gpucode_a3xx_cost *both[] = {cost, total};
    for (unsigned i = 0; i < 2; i++) {
        both[i]->runs++;
        both[i]->slots += kind->slots;
        both[i]->ss += ss;
        both[i]->sy += sy;
    }
}

struct gpucode_a3xx_cost gpucode_a3xx_cycles_of(const struct gpucode_a3xx_cycles *cycles, uint64_t pc)
{
    if (!cycles)
        return (struct gpucode_a3xx_cost){0};
    return pc < cycles->count ? cycles->cost[pc] : cycles->total;
}

const char *gpucode_a3xx_cycles_latency(const struct gpucode_a3xx_cycles *cycles, unsigned index, uint32_t *slots)
{
    if (!cycles)
        return NULL;
    uint64_t preset;
    const char *name = a3xx_latency(NULL, index, &preset);
    if (name)
        *slots = cycles->latency[index];
    return name;
}

void gpucode_a3xx_cycles_free(struct gpucode_a3xx_cycles *cycles)
{
    if (!cycles)
        return;
    FREE_ALL(cycles->kind, cycles->cost, cycles);
}

/* Counts over a shader: registers, consts, textures, slots. */

static void set_bit(uint32_t *words, unsigned bit)
{
    words[bit / 32] |= UINT32_C(1) << bit % 32;
}

static void count_insn(void *user, struct gpucode_a3xx_usage *usage, const struct gpucode_insn *insn,
                       const struct a3xx_access *access, unsigned count)
{
    uint64_t bits = insn->bits;
    unsigned category = shader_category(bits);
    (void)user;
    if (category == 5 && !(bits & A3XX_S2EN)) {
        if (a3xx_has_letter(insn->row, 'F'))
            usage->samplers |= UINT32_C(1) << A3XX_FIELD(bits, SAMPLER);
        if (a3xx_has_letter(insn->row, 'E'))
            set_bit(usage->textures, A3XX_FIELD(bits, TEXTURE));
    }
    if (category == 6) {
        usage->reads_memory |= count && access[count - 1].write;
        usage->writes_memory |= a3xx_stores(insn->row);
    }
}

enum gpucode_status gpucode_a3xx_usage(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage)
{
    if (!image || !usage)
        return GPUCODE_ERROR_ARGUMENT;
    if (image->layout.info.target->isa != &a3xx_isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    *usage = (struct gpucode_a3xx_usage){0};
    shader_usage(&image->layout, usage, count_insn, NULL);
    shader_usage_finish(usage);
    return GPUCODE_OK;
}
