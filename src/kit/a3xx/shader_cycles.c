/* SPDX-License-Identifier: MIT */
/* What the instructions of a shader that has run cost: issue slots, and slots that they waited. */
#include "front/json.h"
#include "kit/a3xx/shader_run.h"

#include <inttypes.h>
#include <stdio.h>

/* The text of the instruction at `pc`. */
static void text_at(const struct shader_run *run, uint64_t pc, char text[GPUCODE_TEXT_MAX])
{
    const struct gpucode_format_options options = {.names = input_names(run->input)};
    if (!input_insn_text(run->input, 0, pc, &options, text))
        *text = 0;
}

static uint64_t waited(const struct gpucode_a3xx_cost *cost)
{
    return cost->ss + cost->sy;
}

void shader_print_cycles(const struct shader_run *run)
{
    uint32_t units = gpucode_image_info(run->input->image)->units, latency;
    char text[GPUCODE_TEXT_MAX];
    const char *name;
    printf("\n  at        runs       slots  waits (ss)  waits (sy)\n");
    for (uint32_t pc = 0; pc < units; pc++) {
        struct gpucode_a3xx_cost cost = gpucode_a3xx_cycles_of(run->cycles, pc);
        if (!cost.runs)
            continue;
        text_at(run, pc, text);
        printf("%04" PRIx32 "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %s\n", pc, cost.runs,
               cost.slots, cost.ss, cost.sy, text);
    }
    struct gpucode_a3xx_cost all = gpucode_a3xx_cycles_of(run->cycles, units);
    printf("all   %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %" PRIu64 " slots in total\n", all.runs,
           all.slots, all.ss, all.sy, all.slots + waited(&all));
    printf("latencies assumed:");
    for (unsigned i = 0; (name = gpucode_a3xx_cycles_latency(run->cycles, i, &latency)); i++)
        printf("%s %s %" PRIu32, i ? "," : "", name, latency);
    puts(" (--policy a3xx-latency-NAME=SLOTS)");
}

static void write_cost(struct json *json, const struct gpucode_a3xx_cost *cost)
{
    json_number(json, "runs", cost->runs);
    json_number(json, "thread_runs", cost->threads);
    json_number(json, "slots", cost->slots);
    json_number(json, "ss_waits", cost->ss);
    json_number(json, "sy_waits", cost->sy);
}

void shader_put_cycles(const struct shader_run *run, struct json *json)
{
    uint32_t units = gpucode_image_info(run->input->image)->units, latency;
    char text[GPUCODE_TEXT_MAX];
    const char *name;
    struct gpucode_a3xx_cost all = gpucode_a3xx_cycles_of(run->cycles, units);
    json_object(json, "cycles");
    write_cost(json, &all);
    json_number(json, "total", all.slots + waited(&all));
    json_object(json, "latencies");
    for (unsigned i = 0; (name = gpucode_a3xx_cycles_latency(run->cycles, i, &latency)); i++)
        json_number(json, name, latency);
    json_end(json);
    json_array(json, "instructions");
    for (uint32_t pc = 0; pc < units; pc++) {
        struct gpucode_a3xx_cost cost = gpucode_a3xx_cycles_of(run->cycles, pc);
        if (!cost.runs)
            continue;
        text_at(run, pc, text);
        json_object(json, NULL);
        json_number(json, "at", pc);
        write_cost(json, &cost);
        json_string(json, "text", text);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}
