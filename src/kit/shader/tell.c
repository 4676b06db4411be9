/* SPDX-License-Identifier: MIT */
/* What a shader that has run has left in registers and memory, and what its instructions cost. */
#include "front/arguments.h"
#include "front/outcome.h"
#include "front/places.h"
#include "front/session.h"
#include "kit/shader/shader.h"
#include <gpucode/insn.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "kit/shader/answer.def"
#define ANSWER_PART_RUN
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table shader_run_answer_table = {"run", "How a shader has stopped, and what it left.",
                                                             fields, sizeof fields / sizeof *fields};

#define WORDS_MAX (1 << 20) /* of a --dump */

const char *shader_user_name(const struct shader_run *run, unsigned space, uint32_t number, char text[SHADER_NAME_MAX])
{
    const struct gpucode_names *names = input_names(run->input);
    size_t length =
        names ? names->name(names->user, (enum gpucode_space)space, number, text + 2, GPUCODE_NAME_MAX - 1) : 0;
    text[0] = text[1] = ' ';
    text[length ? length + 2 : 0] = 0;
    return text;
}

bool shader_insn_text(const struct shader_run *run, const struct gpucode_event *event, char text[GPUCODE_TEXT_MAX])
{
    unsigned char bytes[8];
    struct gpucode_insn insn;
    struct places_code code = {.input = run->input};
    const struct gpucode_format_options options = {.names = input_names(run->input),
                                                   .comments = run->input->symbols != NULL,
                                                   .label = places_target,
                                                   .user = &code};
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(event->value >> 8 * i);
    return gpucode_decode(run->input->target, bytes, 8, event->pc, &insn) == GPUCODE_OK &&
           gpucode_format(&insn, &options, text, GPUCODE_TEXT_MAX, NULL) == GPUCODE_OK;
}

int shader_read_wanted(struct shader_run *run)
{
    const char *list = run->session->arguments.value[OPTION_A3XX_PRINT], *at = list;
    while (at) {
        size_t length = strcspn(at, ",");
        unsigned i = run->wanted_count;
        if (i == 2 * SHADER_REGISTERS ||
            !shader_find(run->machine, run->input->program, at, length, &run->wanted[i].space, &run->wanted[i].number))
            return value_refuse(run->session, OPTION_A3XX_PRINT, list,
                                "registers or declared names, separated by commas (r2.x,hr0.y)");
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

static void tell_registers(const struct shader_run *run, unsigned list, unsigned thread)
{
    char name[32];
    gpucode_answer_begin(run->answer, &fields[list]);
    for (unsigned i = 0; i < run->wanted_count; i++) {
        gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
        gpucode_answer_key(run->answer, name);
        gpucode_answer_format(run->answer, &fields[list + 1], "0x%0*" PRIx32,
                              run->wanted[i].space == GPUCODE_A3XX_HALF ? 4 : 8, wanted_value(run, thread, i));
    }
    gpucode_answer_end(run->answer);
}

static void tell_threads(const struct shader_run *run)
{
    struct gpucode_answer *answer = run->answer;
    gpucode_answer_number(answer, &fields[WIDTH], run->width);
    gpucode_answer_number(answer, &fields[THREAD_SLOTS], counter_of(run, "thread-slots"));
    gpucode_answer_number(answer, &fields[PARTED_SLOTS], counter_of(run, "parted-slots"));
    gpucode_answer_begin(answer, &fields[THREADS]);
    for (unsigned i = 0; i < run->width; i++) {
        gpucode_answer_begin(answer, &fields[THREAD]);
        gpucode_answer_number(answer, &fields[THREAD_PC], gpucode_machine_pc(run->machine, i));
        gpucode_answer_flag(answer, &fields[THREAD_ENDED], flag_of(run, i, 1));
        gpucode_answer_flag(answer, &fields[THREAD_KILLED], flag_of(run, i, 0));
        tell_registers(run, THREAD_REGISTERS, i);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/* "r2.x", or "r2.x[4-7]" for threads that have the same value. */
static void tell_value(const struct shader_run *run, unsigned i, unsigned first, unsigned last)
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
    gpucode_answer_format(run->answer, &fields[VALUE_LINE], "%-*s 0x%0*" PRIx32 "%*s %16.9g %12" PRId32 "%s",
                          run->width > 1 ? 16 : 6, name, half ? 4 : 8, bits, half ? 4 : 0, "", (double)value,
                          half ? (int16_t)bits : (int32_t)bits,
                          shader_user_name(run, run->wanted[i].space, run->wanted[i].number, user));
}

/* A line for each register, and of a group for all threads that have the same value. */
static void tell_values(const struct shader_run *run)
{
    for (unsigned i = 0; i < run->wanted_count; i++)
        for (unsigned first = 0, last; first < run->width; first = last + 1) {
            for (last = first; last + 1 < run->width; last++)
                if (wanted_value(run, last + 1, i) != wanted_value(run, first, i))
                    break;
            tell_value(run, i, first, last);
        }
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

/* Where global addresses have 32 bits, what lies above is not the shader's. */
static bool read_range(const struct shader_run *run, const char *at, uint64_t *address, uint64_t *count)
{
    *count = 1;
    if (!number_take(&at, address) || *at != ':' || !number_read(at + 1, WORDS_MAX, count))
        return false;
    return run->set->wide ? *address + 4 * *count >= *address
                          : *address <= UINT32_MAX && *address + 4 * *count <= UINT64_C(1) << 32;
}

int shader_check_dumps(struct shader_run *run)
{
    struct session *session = run->session;
    const struct arguments *arguments = &session->arguments;
    uint64_t address, count;
    for (unsigned i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_A3XX_DUMP &&
            !read_range(run, arguments->given[i].value, &address, &count))
            return value_refuse(session, OPTION_A3XX_DUMP, arguments->given[i].value,
                                "ADDRESS:WORDS in global memory (registers: --print)");
    return EXIT_DONE;
}

static void tell_word(const struct shader_run *run, uint64_t address)
{
    unsigned char bytes[4] = {0};
    char name[16], shown[80];
    bool mapped = gpucode_machine_load(run->machine, address, bytes, 4) == GPUCODE_OK;
    uint32_t value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    snprintf(name, sizeof name, "0x%08" PRIx64, address);
    if (!mapped) {
        gpucode_answer_format(run->answer, &fields[DUMP_ABSENT], "[%s] not mapped", name);
        return;
    }
    snprintf(shown, sizeof shown, "[%s] 0x%08" PRIx32 " %16.9g %12" PRId32, name, value,
             (double)shader_float_value(value), (int32_t)value);
    gpucode_answer_key(run->answer, name);
    gpucode_answer_shown(run->answer, &fields[DUMP_WORD], value, shown);
}

static void tell_dumps(const struct shader_run *run)
{
    const struct arguments *arguments = &run->session->arguments;
    if (!arguments_have(arguments, OPTION_A3XX_DUMP))
        return;
    gpucode_answer_begin(run->answer, &fields[DUMP]);
    for (unsigned i = 0; i < arguments->given_count; i++) {
        uint64_t address, count;
        if (arguments->given[i].option != OPTION_A3XX_DUMP ||
            !read_range(run, arguments->given[i].value, &address, &count))
            continue;
        for (uint64_t k = 0; k < count; k++)
            tell_word(run, address + 4 * k);
    }
    gpucode_answer_end(run->answer);
}

/* --- cost -------------------------------------------------------------------------------------------------------- */

/* `runs` is the row of the first of five, which are in the same order everywhere. */
static void tell_cost(const struct shader_run *run, unsigned runs, const struct gpucode_a3xx_cost *cost)
{
    gpucode_answer_number(run->answer, &fields[runs], cost->runs);
    gpucode_answer_number(run->answer, &fields[runs + 1], cost->threads);
    gpucode_answer_number(run->answer, &fields[runs + 2], cost->slots);
    gpucode_answer_number(run->answer, &fields[runs + 3], cost->ss);
    gpucode_answer_number(run->answer, &fields[runs + 4], cost->sy);
}

static void tell_insn_cost(const struct shader_run *run, uint32_t pc)
{
    struct gpucode_a3xx_cost cost = gpucode_a3xx_cycles_of(run->cycles, pc);
    const struct gpucode_format_options options = {.names = input_names(run->input)};
    char text[GPUCODE_TEXT_MAX], at[16];
    if (!cost.runs)
        return;
    if (!input_insn_text(run->input, 0, pc, &options, text))
        *text = 0;
    snprintf(at, sizeof at, "%04" PRIx32, pc);
    gpucode_answer_begin(run->answer, &fields[COST]);
    gpucode_answer_shown(run->answer, &fields[COST_AT], pc, at);
    tell_cost(run, COST_RUNS, &cost);
    gpucode_answer_text(run->answer, &fields[COST_TEXT], text);
    gpucode_answer_end(run->answer);
}

static void tell_cycles(const struct shader_run *run)
{
    uint32_t units = gpucode_image_info(run->input->image)->units, latency;
    struct gpucode_a3xx_cost all = gpucode_a3xx_cycles_of(run->cycles, units);
    struct gpucode_answer *answer = run->answer;
    uint64_t total = all.slots + all.ss + all.sy;
    const char *name;
    gpucode_answer_begin(answer, &fields[CYCLES]);
    tell_cost(run, CYCLES_RUNS, &all);
    gpucode_answer_number(answer, &fields[CYCLES_TOTAL], total);
    gpucode_answer_begin(answer, &fields[LATENCIES]);
    for (unsigned i = 0; (name = gpucode_a3xx_cycles_latency(run->cycles, i, &latency)); i++) {
        gpucode_answer_key(answer, name);
        gpucode_answer_number(answer, &fields[LATENCY], latency);
    }
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[COSTS]);
    for (uint32_t pc = 0; pc < units; pc++)
        tell_insn_cost(run, pc);
    gpucode_answer_end(answer);
    gpucode_answer_format(answer, &fields[CYCLES_ALL],
                          "all   %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %" PRIu64
                          " slot%s in total",
                          all.runs, all.slots, all.ss, all.sy, total, total == 1 ? "" : "s");
    gpucode_answer_begin(answer, &fields[ASSUMED]);
    for (unsigned i = 0; (name = gpucode_a3xx_cycles_latency(run->cycles, i, &latency)); i++)
        gpucode_answer_format(answer, &fields[ASSUMED_LATENCY], "%s %" PRIu32, name, latency);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

static void tell_group(const struct shader_run *run)
{
    uint64_t slots = gpucode_machine_time(run->machine);
    uint64_t worked = counter_of(run, "thread-slots"), all = slots * run->width;
    gpucode_answer_format(run->answer, &fields[ENDED],
                          "%u threads: %.1f%% of their slots were used (%" PRIu64 " of %" PRIu64
                          "), paths were parted in %" PRIu64 " of %" PRIu64 " slots",
                          run->width, all ? 100.0 * (double)worked / (double)all : 0.0, worked, all,
                          counter_of(run, "parted-slots"), slots);
}

/* How it ended, in a line of text. */
static void tell_ending(const struct shader_run *run)
{
    char killed[64] = "", where[PLACES_WHERE_MAX], how[32] = "ended";
    unsigned dropped = killed_threads(run);
    if (dropped && run->width > 1)
        snprintf(killed, sizeof killed, ", %u killed,", dropped);
    bool ended = run->stop.reason == GPUCODE_STOP_END;
    bool own_names = arguments_have(&run->session->arguments, OPTION_SYMBOLS);
    const char *in = ended && !own_names ? "" : places_where(run->input, 0, run->stop.pc, where);
    if (!ended) /* the place as the trace has it */
        snprintf(how, sizeof how, "stopped at %04" PRIx64, run->stop.pc);
    uint64_t slots = gpucode_machine_time(run->machine);
    gpucode_answer_format(run->answer, &fields[ENDED],
                          "%s%s%s after %" PRIu64 " instruction%s, %" PRIu64 " issue slot%s", how,
                          dropped && run->width == 1 ? ", killed," : killed, in, run->instructions,
                          run->instructions == 1 ? "" : "s", slots, slots == 1 ? "" : "s");
    if (run->width > 1)
        tell_group(run);
}

void shader_tell(struct shader_run *run)
{
    struct gpucode_answer *answer = run->answer;
    if (!arguments_have(&run->session->arguments, OPTION_A3XX_PRINT))
        want_written(run);
    gpucode_answer_begin(answer, &fields[RUN]);
    gpucode_answer_text(answer, &fields[STOP], stop_reason_name(run->stop.reason));
    if (run->stop.reason != GPUCODE_STOP_END) {
        gpucode_answer_number(answer, &fields[PC], run->stop.pc);
        gpucode_answer_text(answer, &fields[CODE], run->stop.code);
        gpucode_answer_text(answer, &fields[REASON], run->stop.code ? run->stop.text : NULL);
    }
    gpucode_answer_flag(answer, &fields[KILLED], flag_of(run, 0, 0));
    gpucode_answer_number(answer, &fields[SLOTS], gpucode_machine_time(run->machine));
    gpucode_answer_number(answer, &fields[INSTRUCTIONS], run->instructions);
    tell_registers(run, REGISTERS, 0); /* those of thread 0, and so is "killed", whatever the width */
    if (run->width > 1)
        tell_threads(run);
    if (!run->session->json)
        tell_values(run);
    if (run->set->tell)
        run->set->tell(run, fields, (struct shader_buffer_rows){BUFFERS, BUFFER, BUFFER_WORD, BUFFER_LINE});
    tell_dumps(run);
    if (!run->session->json)
        tell_ending(run);
    if (run->cycles)
        tell_cycles(run);
    gpucode_answer_end(answer);
}
