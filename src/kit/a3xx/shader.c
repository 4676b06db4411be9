/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader.h"

#include "front/json.h"
#include <gpucode/a3xx.h>

#include <inttypes.h>
#include <stdio.h>

#define COMPONENTS (61 * 4)

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

/* "r0.x-r1.y" for a run of components; returns the first component behind it, or COMPONENTS when there is none. */
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

static void put_runs_json(struct json *json, const char *name, const uint32_t *words, const char *prefix)
{
    char text[32];
    json_array(json, name);
    for (unsigned at = 0; at < COMPONENTS;) {
        at = next_run(words, at, prefix, text);
        if (text[0])
            json_string(json, NULL, text);
    }
    json_end(json);
}

static void put_file_json(struct json *json, const char *name, const struct gpucode_a3xx_file *file, const char *prefix)
{
    json_object(json, name);
    json_number(json, "components", file->components);
    json_number(json, "vectors", file->vectors);
    json_bool(json, "relative", file->relative);
    put_runs_json(json, "written", file->written, prefix);
    put_runs_json(json, "read_before_written", file->inputs, prefix);
    json_end(json);
}

static void put_numbers_json(struct json *json, const char *name, const uint32_t *words, unsigned count)
{
    json_array(json, name);
    for (unsigned i = 0; i < count; i++)
        if (has_bit(words, i))
            json_number(json, NULL, i);
    json_end(json);
}

void shader_put_json(struct json *json, const struct gpucode_image *image)
{
    struct gpucode_a3xx_usage usage;
    if (gpucode_a3xx_usage(image, &usage) != GPUCODE_OK)
        return;
    json_number(json, "instructions", usage.instructions);
    json_number(json, "padding", usage.padding);
    json_array(json, "categories");
    for (unsigned i = 0; i < 7; i++)
        json_number(json, NULL, usage.category[i]);
    json_end(json);
    json_number(json, "unknown", usage.unknown);
    json_number(json, "slots", usage.slots);
    json_number(json, "nops", usage.nops);
    json_number(json, "nop_slots", usage.nop_slots);
    json_number(json, "ss", usage.ss);
    json_number(json, "sy", usage.sy);
    put_file_json(json, "full_registers", &usage.full, "");
    put_file_json(json, "half_registers", &usage.half, "h");
    json_number(json, "const_vectors", (usage.consts + 3) / 4);
    json_bool(json, "relative_const", usage.relative_const);
    json_number(json, "varying_components", usage.varyings);
    put_numbers_json(json, "samplers", &usage.samplers, 16);
    put_numbers_json(json, "textures", usage.textures, 128);
    json_bool(json, "kills", usage.kills);
    json_bool(json, "calls", usage.calls);
    json_bool(json, "reads_memory", usage.reads_memory);
    json_bool(json, "writes_memory", usage.writes_memory);
}

/* --- text ------------------------------------------------------------------------------------------------- */

static void put_runs(const char *label, const uint32_t *words, const char *prefix)
{
    char text[32];
    bool any = false;
    for (unsigned at = 0; at < COMPONENTS;) {
        at = next_run(words, at, prefix, text);
        if (!text[0])
            break;
        printf("%s%s", any ? ", " : label, text);
        any = true;
    }
    if (any)
        putchar('\n');
}

static void put_file(const char *name, const struct gpucode_a3xx_file *file, const char *prefix)
{
    if (!file->components && !file->relative)
        return;
    printf("  %s  %u components in %u vectors%s\n", name, file->components, file->vectors,
           file->relative ? ", and relative to a0.x" : "");
    put_runs("    written     ", file->written, prefix);
    put_runs("    read before written  ", file->inputs, prefix);
}

static void put_numbers(const char *label, const uint32_t *words, unsigned count, const char *mark)
{
    bool any = false;
    for (unsigned i = 0; i < count; i++)
        if (has_bit(words, i)) {
            printf("%s%s%u", any ? ", " : label, mark, i);
            any = true;
        }
    if (any)
        putchar('\n');
}

void shader_put_text(const struct gpucode_image *image)
{
    static const char *const names[7] = {"flow",    "moves",    "arithmetic", "mad and select",
                                         "special", "textures", "memory"};
    struct gpucode_a3xx_usage usage;
    if (gpucode_a3xx_usage(image, &usage) != GPUCODE_OK)
        return;
    printf("  instructions  %" PRIu32 ", %" PRIu32 " of padding behind them\n", usage.instructions, usage.padding);
    for (unsigned i = 0; i < 7; i++)
        if (usage.category[i])
            printf("    category %u  %" PRIu32 " (%s)\n", i, usage.category[i], names[i]);
    if (usage.unknown)
        printf("    unknown     %" PRIu32 "\n", usage.unknown);
    printf("  issue slots   %" PRIu32 ", %" PRIu32 " of them in %" PRIu32 " nops\n", usage.slots, usage.nop_slots,
           usage.nops);
    printf("  sync points   %" PRIu32 " (ss), %" PRIu32 " (sy)\n", usage.ss, usage.sy);
    put_file("full registers", &usage.full, "");
    put_file("half registers", &usage.half, "h");
    if (usage.consts)
        printf("  consts        up to c%" PRIu32 ".%c\n", (usage.consts - 1) / 4, "xyzw"[(usage.consts - 1) % 4]);
    if (usage.relative_const)
        puts("  consts        relative to a0.x too");
    if (usage.varyings)
        printf("  varyings      components 0 to %" PRIu32 "\n", usage.varyings - 1);
    put_numbers("  samplers      ", &usage.samplers, 16, "s#");
    put_numbers("  textures      ", usage.textures, 128, "t#");
    if (usage.kills || usage.calls || usage.reads_memory || usage.writes_memory)
        printf("  has           %s%s%s%s\n", usage.kills ? "kill " : "", usage.calls ? "call " : "",
               usage.reads_memory ? "loads " : "", usage.writes_memory ? "stores" : "");
}
