/* SPDX-License-Identifier: MIT */
/* Registers of a shader that has run, as hex, float and integer. */
#include "front/outcome.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/a3xx/shader/value.h"
#include "kit/a3xx/shader_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *shader_user_name(const struct shader_run *run, unsigned space, uint32_t number, char text[SHADER_NAME_MAX])
{
    const struct gpucode_names *names = input_names(run->input);
    size_t length =
        names ? names->name(names->user, (enum gpucode_space)space, number, text + 2, GPUCODE_NAME_MAX - 1) : 0;
    text[0] = text[1] = ' ';
    text[length ? length + 2 : 0] = 0;
    return text;
}

int shader_read_wanted(struct shader_run *run)
{
    const char *list = run->session->arguments.value[OPTION_A3XX_PRINT], *at = list;
    while (at) {
        size_t length = strcspn(at, ",");
        unsigned i = run->wanted_count;
        if (i == 2 * SHADER_REGISTERS ||
            !shader_find(run->machine, at, length, &run->wanted[i].space, &run->wanted[i].number))
            return value_refuse(run->session, OPTION_A3XX_PRINT, list, "registers, separated by commas (r2.x,hr0.y)");
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

static uint32_t flag_of(const struct shader_run *run, unsigned thread, uint32_t number)
{
    uint32_t value = 0;
    gpucode_machine_read(run->machine, thread, GPUCODE_A3XX_FLAGS, number, &value);
    return value;
}

static unsigned killed_threads(const struct shader_run *run)
{
    unsigned count = 0;
    for (unsigned i = 0; i < run->width; i++)
        count += flag_of(run, i, 0);
    return count;
}

static uint64_t counter_of(const struct shader_run *run, const char *name)
{
    struct gpucode_counter counter;
    for (unsigned i = 0; gpucode_machine_counter(run->machine, i, &counter); i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    return 0;
}

static uint32_t wanted_value(const struct shader_run *run, unsigned thread, unsigned i)
{
    uint32_t bits = 0;
    gpucode_machine_read(run->machine, thread, run->wanted[i].space, run->wanted[i].number, &bits);
    return bits;
}

const char *shader_thread(const struct shader_run *run, unsigned thread, char text[SHADER_NUMBER])
{
    *text = 0;
    if (run->width > 1)
        snprintf(text, SHADER_NUMBER, "[%u] ", thread);
    return text;
}

static void write_registers(const struct shader_run *run, struct json *json, unsigned thread)
{
    char name[32], value[16];
    json_object(json, "registers");
    for (unsigned i = 0; i < run->wanted_count; i++) {
        gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
        snprintf(value, sizeof value, "0x%0*" PRIx32, run->wanted[i].space == GPUCODE_A3XX_HALF ? 4 : 8,
                 wanted_value(run, thread, i));
        json_string(json, name, value);
    }
    json_end(json);
}

/* "killed" and "registers" are those of thread 0, whatever the width. */
static void write_result(const struct shader_run *run)
{
    struct json json = {.out = stdout};
    json_object(&json, NULL);
    json_string(&json, "stop", stop_reason_name(run->stop.reason));
    if (run->stop.reason != GPUCODE_STOP_END) {
        json_number(&json, "pc", run->stop.pc);
        json_string(&json, "code", run->stop.code);
        json_string(&json, "reason", run->stop.code ? run->stop.text : NULL);
    }
    json_bool(&json, "killed", flag_of(run, 0, 0));
    json_number(&json, "slots", gpucode_machine_time(run->machine));
    write_registers(run, &json, 0);
    if (run->width > 1) {
        json_number(&json, "width", run->width);
        json_number(&json, "thread_slots", counter_of(run, "thread-slots"));
        json_number(&json, "parted_slots", counter_of(run, "parted-slots"));
        json_array(&json, "threads");
        for (unsigned i = 0; i < run->width; i++) {
            json_object(&json, NULL);
            json_number(&json, "pc", gpucode_machine_pc(run->machine, i));
            json_bool(&json, "ended", flag_of(run, i, 1));
            json_bool(&json, "killed", flag_of(run, i, 0));
            write_registers(run, &json, i);
            json_end(&json);
        }
        json_end(&json);
    }
    shader_put_dumps(run, &json);
    if (run->cycles)
        shader_put_cycles(run, &json);
    json_end(&json);
}

/* "r2.x", or "r2.x[4-7]" for threads that have the same value. */
static void print_value(const struct shader_run *run, unsigned i, unsigned first, unsigned last)
{
    char name[64], user[SHADER_NAME_MAX];
    bool half = run->wanted[i].space == GPUCODE_A3XX_HALF;
    uint32_t bits = wanted_value(run, first, i);
    float value = half ? shader_half_value(bits) : shader_float_value(bits);
    size_t length = gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
    if (run->width > 1 && first == last)
        snprintf(name + length, sizeof name - length, "[%u]", first);
    else if (run->width > 1)
        snprintf(name + length, sizeof name - length, "[%u-%u]", first, last);
    printf("%-*s 0x%0*" PRIx32 "%*s %16.9g %12" PRId32 "%s\n", run->width > 1 ? 16 : 6, name, half ? 4 : 8, bits,
           half ? 4 : 0, "", (double)value, half ? (int16_t)bits : (int32_t)bits,
           shader_user_name(run, run->wanted[i].space, run->wanted[i].number, user));
}

static void print_group(const struct shader_run *run)
{
    uint64_t slots = gpucode_machine_time(run->machine);
    uint64_t worked = counter_of(run, "thread-slots"), all = slots * run->width;
    printf("%u threads: %.1f%% of their slots were used (%" PRIu64 " of %" PRIu64 "), paths were parted in %" PRIu64
           " of %" PRIu64 " slots\n",
           run->width, all ? 100.0 * (double)worked / (double)all : 0.0, worked, all, counter_of(run, "parted-slots"),
           slots);
}

static void print_result(const struct shader_run *run)
{
    char killed[64] = "", where[PLACES_WHERE_MAX], how[32] = "ended";
    unsigned dropped = killed_threads(run);
    for (unsigned i = 0; i < run->wanted_count; i++)
        for (unsigned first = 0, last; first < run->width; first = last + 1) {
            for (last = first; last + 1 < run->width; last++)
                if (wanted_value(run, last + 1, i) != wanted_value(run, first, i))
                    break;
            print_value(run, i, first, last);
        }
    shader_put_dumps(run, NULL);
    if (dropped && run->width > 1)
        snprintf(killed, sizeof killed, ", %u killed,", dropped);
    bool ended = run->stop.reason == GPUCODE_STOP_END;
    bool own_names = arguments_have(&run->session->arguments, OPTION_SYMBOLS);
    const char *in = ended && !own_names ? "" : places_where(run->input, 0, run->stop.pc, where);
    if (!ended) /* the place as the trace has it */
        snprintf(how, sizeof how, "stopped at %04" PRIx64, run->stop.pc);
    uint64_t slots = gpucode_machine_time(run->machine);
    printf("%s%s%s after %" PRIu64 " instruction%s, %" PRIu64 " issue slot%s\n", how,
           dropped && run->width == 1 ? ", killed," : killed, in, run->instructions, run->instructions == 1 ? "" : "s",
           slots, slots == 1 ? "" : "s");
    if (run->width > 1)
        print_group(run);
    if (run->cycles)
        shader_print_cycles(run);
}

void shader_print(struct shader_run *run)
{
    if (!arguments_have(&run->session->arguments, OPTION_A3XX_PRINT))
        want_written(run);
    if (run->session->json)
        write_result(run);
    else
        print_result(run);
}
