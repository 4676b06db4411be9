/* SPDX-License-Identifier: MIT */
/* Registers of a shader that has run, as hex, float and integer. */
#include "cli/json.h"
#include "cli/session.h"
#include "cli/shader_run.h"
#include "shader/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int shader_read_wanted(struct shader_run *run)
{
    const char *list = run->session->arguments.value[OPTION_PRINT], *at = list;
    while (at) {
        size_t length = strcspn(at, ",");
        unsigned i = run->wanted_count;
        if (i == 2 * SHADER_REGISTERS ||
            !shader_find(run->machine, at, length, &run->wanted[i].space, &run->wanted[i].number))
            return shader_wrong_value(run->session, OPTION_PRINT, list, "registers, separated by commas (r2.x,hr0.y)");
        run->wanted_count++;
        at = at[length] ? at + length + 1 : NULL;
    }
    return EXIT_DONE;
}

static void want_written(struct shader_run *run)
{
    for (unsigned half = 0; half < 2; half++)
        for (uint32_t i = 0; i < SHADER_REGISTERS; i++)
            if (run->written[half][i]) {
                run->wanted[run->wanted_count].space = half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
                run->wanted[run->wanted_count++].number = i;
            }
}

static const char *reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {"limit", "hook", "idle", "end", "hang", "fault", "unknown", "breakpoint"};
    return names[reason];
}

static bool is_killed(const struct shader_run *run)
{
    uint32_t killed = 0;
    gpucode_machine_read(run->machine, 0, GPUCODE_A3XX_FLAGS, 0, &killed);
    return killed;
}

static void put_json(const struct shader_run *run)
{
    struct json json = {.out = stdout};
    char name[32], value[16];
    json_object(&json, NULL);
    json_string(&json, "stop", reason_name(run->stop.reason));
    json_bool(&json, "killed", is_killed(run));
    json_number(&json, "slots", gpucode_machine_time(run->machine));
    json_object(&json, "registers");
    for (unsigned i = 0; i < run->wanted_count; i++) {
        uint32_t bits = 0;
        gpucode_machine_read(run->machine, 0, run->wanted[i].space, run->wanted[i].number, &bits);
        gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
        snprintf(value, sizeof value, "0x%0*" PRIx32, run->wanted[i].space == GPUCODE_A3XX_HALF ? 4 : 8, bits);
        json_string(&json, name, value);
    }
    json_end(&json);
    if (run->cycles)
        shader_put_cycles(run, &json);
    json_end(&json);
}

/* Registers that the text reads before it writes them, and that nobody gave. */
static void put_missing(const struct shader_run *run)
{
    struct gpucode_a3xx_usage usage;
    char name[32];
    unsigned count = 0;
    if (gpucode_a3xx_usage(run->input->image, &usage) != GPUCODE_OK)
        return;
    for (unsigned half = 0; half < 2; half++)
        for (uint32_t i = 0; i < 244; i++) {
            const uint32_t *inputs = half ? usage.half.inputs : usage.full.inputs;
            if (!(inputs[i / 32] >> i % 32 & 1) || run->inputs.given[half][i])
                continue;
            gpucode_machine_name(run->machine, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, i, name, sizeof name);
            printf("%s%s", count++ ? " " : "not given, 0 at the start: ", name);
        }
    if (count)
        putchar('\n');
}

static void put_text(const struct shader_run *run)
{
    char name[32];
    put_missing(run);
    for (unsigned i = 0; i < run->wanted_count; i++) {
        uint32_t bits = 0;
        bool half = run->wanted[i].space == GPUCODE_A3XX_HALF;
        gpucode_machine_read(run->machine, 0, run->wanted[i].space, run->wanted[i].number, &bits);
        gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
        float value = half ? shader_half_value(bits) : shader_float_value(bits);
        printf("%-6s 0x%0*" PRIx32 "%*s %16.9g %12" PRId32 "\n", name, half ? 4 : 8, bits, half ? 4 : 0, "",
               (double)value, half ? (int16_t)bits : (int32_t)bits);
    }
    printf("%s%s after %" PRIu64 " instructions, %" PRIu64 " issue slots\n",
           run->stop.reason == GPUCODE_STOP_END ? "ended" : "stopped", is_killed(run) ? ", killed," : "",
           run->instructions, gpucode_machine_time(run->machine));
    if (run->cycles)
        shader_print_cycles(run);
}

void shader_print(struct shader_run *run)
{
    if (!arguments_have(&run->session->arguments, OPTION_PRINT))
        want_written(run);
    if (run->session->json)
        put_json(run);
    else
        put_text(run);
}
