/* SPDX-License-Identifier: MIT */
/* What has come of comparing two shaders, as an answer. */
#include "isa/ir3/answer/compare.h"

#include <gpucode/insn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "isa/ir3/answer/compare.answer.def"
#include <gpucode/answer_rows.h>

static const struct gpucode_answer_table table = {"compare", "Two shaders run with the same inputs.", fields,
                                                  sizeof fields / sizeof *fields};

const struct gpucode_answer_table *gpucode_shader_comparison_table(void)
{
    return &table;
}

/* The value of a register as text has it, "0x3f800000 (1)"; halfs are 16 bits. */
static void put_value(struct gpucode_answer *answer, unsigned field, uint32_t value, bool half)
{
    char shown[16];
    float real;
    snprintf(shown, sizeof shown, "0x%0*" PRIx32, half ? 4 : 8, value);
    gpucode_answer_shown(answer, &fields[field], value, shown);
    if (half)
        return;
    memcpy(&real, &value, sizeof real);
    gpucode_answer_real(answer, &fields[field + 1], (double)real);
}

static void name_of(const struct gpucode_machine *machine, struct gpucode_shader_place place,
                    char text[GPUCODE_NAME_MAX])
{
    if (!gpucode_machine_name(machine, place.space, place.number, text, GPUCODE_NAME_MAX))
        snprintf(text, GPUCODE_NAME_MAX, "%u:%" PRIu32, place.space, place.number);
}

static void put_outputs(struct gpucode_answer *answer, const struct gpucode_shader_comparison *found,
                        const struct gpucode_machine *machine)
{
    char name[GPUCODE_NAME_MAX], shown[256] = "memory, killed";
    size_t used = strlen(shown);
    bool whole = true;
    gpucode_answer_begin(answer, &fields[OUTPUTS]);
    for (size_t i = 0; i < found->output_count; i++) {
        name_of(machine, found->outputs[i], name);
        gpucode_answer_text(answer, &fields[OUTPUT], name);
        whole = whole && used + strlen(name) + 8 < sizeof shown;
        if (whole)
            used += (size_t)snprintf(shown + used, sizeof shown - used, ", %s", name);
    }
    if (!whole)
        snprintf(shown + used, sizeof shown - used, ", ...");
    gpucode_answer_end(answer);
    gpucode_answer_text(answer, &fields[OUTPUTS_SHOWN], shown);
}

/* The instruction that made it: place, text, line. */
static void put_insn(struct gpucode_answer *answer, const struct gpucode_subject *subject, uint64_t pc)
{
    const struct gpucode_image_info *info = gpucode_image_info(subject->image);
    const struct gpucode_format_options options = {.names = subject->names};
    struct gpucode_insn insn;
    struct gpucode_line line;
    char text[GPUCODE_TEXT_MAX];
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(subject->image, &size);
    size_t at = info->prefix + 8 * (size_t)pc;
    gpucode_answer_number(answer, &fields[SIDE_PC], pc);
    bool known = subject->program && gpucode_program_line(subject->program, (uint32_t)pc, &line);
    if (known)
        gpucode_answer_format(answer, &fields[SIDE_PLACE], "line %u", line.line);
    else
        gpucode_answer_format(answer, &fields[SIDE_PLACE], "%04" PRIx64, pc);
    if (at + 8 <= size && gpucode_decode(info->target, bytes + at, 8, pc, &insn) == GPUCODE_OK &&
        gpucode_format(&insn, &options, text, sizeof text, NULL) == GPUCODE_OK)
        gpucode_answer_text(answer, &fields[SIDE_TEXT], text);
    if (known) {
        gpucode_answer_text(answer, &fields[SIDE_SOURCE], line.file);
        gpucode_answer_number(answer, &fields[SIDE_LINE], line.line);
    }
}

static const char *text_of(const struct gpucode_stop *stop)
{
    return stop->reason == GPUCODE_STOP_LIMIT ? "the limit of instructions is reached" : stop->text;
}

static void put_sides(struct gpucode_answer *answer, const struct gpucode_shader_comparison *found,
                      const struct gpucode_subject subjects[2])
{
    gpucode_answer_begin(answer, &fields[SIDES]);
    for (unsigned side = 0; side < 2; side++) {
        gpucode_answer_begin(answer, &fields[SIDE]);
        gpucode_answer_text(answer, &fields[SIDE_FILE], subjects[side].file ? subjects[side].file : "");
        if (found->differs == GPUCODE_SHADER_STOPS)
            gpucode_answer_text(answer, &fields[SIDE_STOP], text_of(&found->stop[side]));
        else if (found->differs == GPUCODE_SHADER_KILLED)
            gpucode_answer_text(answer, &fields[SIDE_STOP], found->value[side] ? "kills it" : "does not kill it");
        else
            put_value(answer, SIDE_VALUE, found->value[side],
                      found->differs == GPUCODE_SHADER_REGISTER && found->place.space == GPUCODE_A3XX_HALF);
        if (found->made[side])
            put_insn(answer, &subjects[side], found->pc[side]);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static void put_inputs(struct gpucode_answer *answer, const struct gpucode_shader_comparison *found,
                       const struct gpucode_machine *machine)
{
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_begin(answer, &fields[INPUTS]);
    for (size_t i = 0; i < found->given_count; i++) {
        const struct gpucode_shader_given *given = &found->given[i];
        name_of(machine, given->place, name);
        gpucode_answer_begin(answer, &fields[INPUT]);
        gpucode_answer_text(answer, &fields[INPUT_NAME], name);
        if (found->threads > 1 && gpucode_machine_space(machine, given->place.space, &info) && !info.shared)
            gpucode_answer_number(answer, &fields[INPUT_THREAD], given->thread);
        put_value(answer, INPUT_VALUE, given->value, given->place.space == GPUCODE_A3XX_HALF);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[WORDS]);
    for (size_t i = 0; i < found->word_count; i++) {
        gpucode_answer_begin(answer, &fields[WORD]);
        gpucode_answer_number(answer, &fields[WORD_ADDRESS], found->words[i].address);
        gpucode_answer_number(answer, &fields[WORD_VALUE], found->words[i].value);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_flag(answer, &fields[TEXELS], found->texels);
}

static void put_difference(struct gpucode_answer *answer, const struct gpucode_shader_comparison *found,
                           const struct gpucode_machine *machine, const struct gpucode_subject subjects[2])
{
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_text(answer, &fields[DIFFERS], gpucode_shader_differs_name(found->differs));
    if (found->differs == GPUCODE_SHADER_REGISTER)
        name_of(machine, found->place, name);
    else if (found->differs == GPUCODE_SHADER_MEMORY)
        snprintf(name, sizeof name, "memory at 0x%" PRIx64, found->address);
    else
        snprintf(name, sizeof name, "%s", found->differs == GPUCODE_SHADER_KILLED ? "kill" : "how they end");
    gpucode_answer_text(answer, &fields[WHERE], name);
    if (found->threads > 1 && found->differs != GPUCODE_SHADER_STOPS)
        gpucode_answer_number(answer, &fields[THREAD], found->thread);
    put_sides(answer, found, subjects);
    put_inputs(answer, found, machine);
}

/* Runs that say nothing. */
static void put_less(struct gpucode_answer *answer, const struct gpucode_shader_comparison *found)
{
    const char *first = text_of(&found->stop[0]), *second = text_of(&found->stop[1]);
    bool alike = strcmp(first, second) == 0;
    gpucode_answer_format(answer, &fields[LESS], "%" PRIu64 " more stopped in both, %" PRIu64 " decide nothing: %s%s%s",
                          found->stopped, found->undecided, first, alike ? "" : "; ", alike ? "" : second);
}

enum gpucode_status gpucode_shader_comparison_tell(const struct gpucode_shader_comparison *found,
                                                   const struct gpucode_machine *first,
                                                   const struct gpucode_subject subjects[2],
                                                   struct gpucode_answer *answer)
{
    if (!found || !first || !subjects || !subjects[0].image || !subjects[1].image || !answer)
        return GPUCODE_ERROR_ARGUMENT;
    bool same = found->differs == GPUCODE_SHADER_SAME;
    gpucode_answer_begin(answer, &fields[COMPARISON]);
    gpucode_answer_flag(answer, &fields[SAME], same);
    if (same)
        gpucode_answer_format(answer, &fields[VERDICT], "the same in %" PRIu64 " runs of seed %" PRIu64, found->ended,
                              found->seed);
    else
        gpucode_answer_format(answer, &fields[VERDICT], "not the same: run %" PRIu64 " of seed %" PRIu64, found->runs,
                              found->seed);
    const uint64_t counts[] = {found->seed, found->runs, found->ended, found->stopped, found->undecided};
    gpucode_answer_numbers(answer, &fields[SEED], counts, sizeof counts / sizeof *counts);
    if (same && found->stopped + found->undecided)
        put_less(answer, found);
    put_outputs(answer, found, first);
    if (!same)
        put_difference(answer, found, first, subjects);
    gpucode_answer_end(answer);
    return gpucode_answer_status(answer);
}
