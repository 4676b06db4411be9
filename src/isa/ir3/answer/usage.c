/* SPDX-License-Identifier: MIT */
/* What a shader uses, as an answer: of A3XX, and of the sets that go on from it. */
#include <gpucode/ir3.h>
#include <gpucode/shader.h>

#include <inttypes.h>
#include <stdio.h>

#define ANSWER_ROWS "isa/ir3/answer/usage.answer.def"
#include <gpucode/answer_rows.h>

#define COMPONENTS (61 * 4)

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

/* "r0.x-r1.y" for a run of components; returns the first component after it, or COMPONENTS when there is none. */
static unsigned next_run(const uint32_t *words, unsigned from, const char *prefix, char text[32])
{
    unsigned first = from;
    while (first < COMPONENTS && !has_bit(words, first))
        first++;
    unsigned last = first;
    while (last + 1 < COMPONENTS && has_bit(words, last + 1))
        last++;
    text[0] = 0;
    if (first == COMPONENTS)
        return COMPONENTS;
    int length = snprintf(text, 32, "%sr%u.%c", prefix, first / 4, "xyzw"[first % 4]);
    if (last > first)
        snprintf(text + length, 32 - (size_t)length, "-%sr%u.%c", prefix, last / 4, "xyzw"[last % 4]);
    return last + 1;
}

static void tell_runs(struct gpucode_answer *answer, unsigned list, const uint32_t *words, const char *prefix)
{
    char text[32];
    gpucode_answer_begin(answer, &fields[list]);
    for (unsigned at = 0; at < COMPONENTS;) {
        at = next_run(words, at, prefix, text);
        if (text[0])
            gpucode_answer_text(answer, &fields[list + 1], text);
    }
    gpucode_answer_end(answer);
}

/* `first` is the row of the file; those of its members follow in the same order in both. */
static void tell_file(struct gpucode_answer *answer, unsigned first, const struct gpucode_a3xx_file *file,
                      const char *prefix)
{
    gpucode_answer_begin(answer, &fields[first]);
    gpucode_answer_number(answer, &fields[first + USAGE_FULL_COMPONENTS - USAGE_FULL], file->components);
    gpucode_answer_number(answer, &fields[first + USAGE_FULL_VECTORS - USAGE_FULL], file->vectors);
    gpucode_answer_flag(answer, &fields[first + USAGE_FULL_RELATIVE - USAGE_FULL], file->relative);
    if (file->components || file->relative) /* text is silent about the others */
        gpucode_answer_format(answer, &fields[first + USAGE_FULL_SHOWN - USAGE_FULL], "%u components in %u vectors%s",
                              (unsigned)file->components, (unsigned)file->vectors,
                              file->relative ? ", and relative to a0.x" : "");
    tell_runs(answer, first + USAGE_FULL_WRITTEN - USAGE_FULL, file->written, prefix);
    tell_runs(answer, first + USAGE_FULL_READ - USAGE_FULL, file->inputs, prefix);
    gpucode_answer_end(answer);
}

static void tell_numbers(struct gpucode_answer *answer, unsigned list, const uint32_t *words, unsigned count)
{
    gpucode_answer_begin(answer, &fields[list]);
    for (unsigned i = 0; i < count; i++)
        if (has_bit(words, i))
            gpucode_answer_number(answer, &fields[list + 1], i);
    gpucode_answer_end(answer);
}

/* `later`: what ir3 has beside, or null. */
static void tell_insns(struct gpucode_answer *answer, const struct gpucode_a3xx_usage *usage,
                       const struct gpucode_ir3_usage *later)
{
    static const char *const names[8] = {"flow",    "moves",    "arithmetic", "mad and select",
                                         "special", "textures", "memory",     "barriers and caches"};
    gpucode_answer_number(answer, &fields[USAGE_INSTRUCTIONS], usage->instructions);
    gpucode_answer_number(answer, &fields[USAGE_PADDING], usage->padding);
    gpucode_answer_begin(answer, &fields[USAGE_CATEGORIES]);
    for (unsigned i = 0; i < 7; i++)
        gpucode_answer_number(answer, &fields[USAGE_CATEGORY], usage->category[i]);
    if (later)
        gpucode_answer_number(answer, &fields[USAGE_CATEGORY], later->barriers);
    gpucode_answer_end(answer);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t count = i < 7 ? usage->category[i] : later ? later->barriers : 0;
        if (count)
            gpucode_answer_format(answer, &fields[USAGE_CATEGORY_SHOWN], "%u  %" PRIu32 " (%s)", i, count, names[i]);
    }
    gpucode_answer_number(answer, &fields[USAGE_UNKNOWN], usage->unknown);
    if (usage->unknown)
        gpucode_answer_number(answer, &fields[USAGE_UNKNOWN_SHOWN], usage->unknown);
    gpucode_answer_number(answer, &fields[USAGE_SLOTS], usage->slots);
    gpucode_answer_number(answer, &fields[USAGE_NOP_SLOTS], usage->nop_slots);
    gpucode_answer_number(answer, &fields[USAGE_NOPS], usage->nops);
    if (later)
        gpucode_answer_number(answer, &fields[USAGE_IDLE_SLOTS], later->idle_slots);
    if (later && later->idle_slots)
        gpucode_answer_number(answer, &fields[USAGE_IDLE_SHOWN], later->idle_slots);
    gpucode_answer_number(answer, &fields[USAGE_SS], usage->ss);
    gpucode_answer_number(answer, &fields[USAGE_SY], usage->sy);
    if (!later)
        return;
    gpucode_answer_number(answer, &fields[USAGE_BRANCHES], later->branches);
    gpucode_answer_number(answer, &fields[USAGE_JOINS], later->joins);
}

/* What the files take, of ir3 alone. */
static void tell_room(struct gpucode_answer *answer, const struct gpucode_ir3_usage *usage)
{
    gpucode_answer_number(answer, &fields[USAGE_SHARED], usage->shared);
    if (usage->shared)
        gpucode_answer_number(answer, &fields[USAGE_SHARED_SHOWN], usage->shared);
    gpucode_answer_number(answer, &fields[USAGE_REGISTERS], usage->registers);
    gpucode_answer_number(answer, &fields[USAGE_WAVES], usage->waves);
    gpucode_answer_number(answer, &fields[USAGE_DOUBLE_WAVES], usage->double_waves);
}

static void tell_effects(struct gpucode_answer *answer, const struct gpucode_a3xx_usage *usage)
{
    gpucode_answer_begin(answer, &fields[USAGE_EFFECTS]);
    gpucode_answer_flag(answer, &fields[USAGE_KILLS], usage->kills);
    gpucode_answer_flag(answer, &fields[USAGE_CALLS], usage->calls);
    gpucode_answer_flag(answer, &fields[USAGE_READS], usage->reads_memory);
    gpucode_answer_flag(answer, &fields[USAGE_WRITES], usage->writes_memory);
    gpucode_answer_end(answer);
}

const struct gpucode_answer_table *gpucode_a3xx_usage_answer_table(void)
{
    static const struct gpucode_answer_table table = {"a3xx_usage", "What a shader uses.", fields,
                                                      sizeof fields / sizeof *fields};
    return &table;
}

static enum gpucode_status tell_usage(struct gpucode_answer *answer, const struct gpucode_a3xx_usage *usage,
                                      const struct gpucode_ir3_usage *later)
{
    gpucode_answer_begin(answer, &fields[USAGE]);
    tell_insns(answer, usage, later);
    tell_file(answer, USAGE_FULL, &usage->full, "");
    tell_file(answer, USAGE_HALF, &usage->half, "h");
    if (later)
        tell_room(answer, later);
    if (usage->consts)
        gpucode_answer_format(answer, &fields[USAGE_CONSTS_SHOWN], "c%" PRIu32 ".%c", (usage->consts - 1) / 4,
                              "xyzw"[(usage->consts - 1) % 4]);
    gpucode_answer_number(answer, &fields[USAGE_CONST_VECTORS], (usage->consts + 3) / 4);
    if (later)
        gpucode_answer_number(answer, &fields[USAGE_CONSTLEN], later->constlen);
    gpucode_answer_flag(answer, &fields[USAGE_RELATIVE_CONST], usage->relative_const);
    if (usage->varyings)
        gpucode_answer_number(answer, &fields[USAGE_VARYINGS_SHOWN], usage->varyings - 1);
    gpucode_answer_number(answer, &fields[USAGE_VARYINGS], usage->varyings);
    tell_numbers(answer, USAGE_SAMPLERS, &usage->samplers, 16);
    tell_numbers(answer, USAGE_TEXTURES, usage->textures, 128);
    tell_effects(answer, usage);
    gpucode_answer_end(answer);
    return gpucode_answer_status(answer);
}

enum gpucode_status gpucode_a3xx_usage_tell(const struct gpucode_image *image, struct gpucode_answer *answer)
{
    struct gpucode_a3xx_usage usage;
    enum gpucode_status status = gpucode_a3xx_usage(image, &usage);
    return status == GPUCODE_OK ? tell_usage(answer, &usage, NULL) : status;
}

enum gpucode_status gpucode_ir3_usage_tell(const struct gpucode_image *image, struct gpucode_answer *answer)
{
    struct gpucode_ir3_usage usage;
    enum gpucode_status status = gpucode_ir3_usage(image, &usage);
    return status == GPUCODE_OK ? tell_usage(answer, &usage.shader, &usage) : status;
}

enum gpucode_status gpucode_shader_usage(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage)
{
    struct gpucode_ir3_usage later;
    enum gpucode_status status = gpucode_a3xx_usage(image, usage);
    if (status != GPUCODE_ERROR_UNSUPPORTED)
        return status;
    status = gpucode_ir3_usage(image, &later);
    if (status == GPUCODE_OK)
        *usage = later.shader;
    return status;
}

enum gpucode_status gpucode_shader_usage_tell(const struct gpucode_image *image, struct gpucode_answer *answer)
{
    enum gpucode_status status = gpucode_a3xx_usage_tell(image, answer);
    return status == GPUCODE_ERROR_UNSUPPORTED ? gpucode_ir3_usage_tell(image, answer) : status;
}
