/* SPDX-License-Identifier: MIT */
#include "front/stop.h"
#include "front/input.h"
#include "front/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "front/stop.answer.def"
#include <gpucode/answer_rows.h>

const char *stop_reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {[GPUCODE_STOP_LIMIT] = "limit",     [GPUCODE_STOP_HOOK] = "hook",
                                        [GPUCODE_STOP_IDLE] = "idle",       [GPUCODE_STOP_END] = "end",
                                        [GPUCODE_STOP_HANG] = "hang",       [GPUCODE_STOP_FAULT] = "fault",
                                        [GPUCODE_STOP_UNKNOWN] = "unknown", [GPUCODE_STOP_BREAKPOINT] = "breakpoint"};
    return names[reason];
}

bool stop_has_no_memory(const struct gpucode_stop *stop)
{
    return stop->code && strcmp(stop->code, "machine-memory") == 0;
}

const char *stop_sentence(const struct gpucode_stop *stop)
{
    return stop->text[0] ? stop->text : "the limit of instructions is reached";
}

void stop_tell(struct gpucode_answer *answer, const struct input *input, const struct gpucode_machine *machine,
               const struct gpucode_stop *stop, uint64_t instructions, bool of_processor)
{
    const char *processor = gpucode_machine_processor(machine, stop->processor);
    unsigned section = gpucode_machine_section(machine, stop->processor);
    char near[PLACES_WHERE_MAX], place[PLACES_WHERE_MAX + GPUCODE_NAME_MAX + 48];
    char of[GPUCODE_NAME_MAX + 8] = "";
    if (!gpucode_outline_near(input_outline(input), section, stop->pc, near, sizeof near))
        *near = 0;
    if (of_processor)
        snprintf(of, sizeof of, " of %s", processor);
    snprintf(place, sizeof place, "%s 0x%" PRIx64 "%s%s%s", of_processor ? "word" : "at", stop->pc, of,
             *near ? " in " : "", near);
    gpucode_answer_begin(answer, &fields[STOP]);
    gpucode_answer_text(answer, &fields[STOP_REASON], stop_reason_name(stop->reason));
    gpucode_answer_text(answer, &fields[STOP_CODE], stop->code);
    gpucode_answer_text(answer, &fields[STOP_TEXT], stop_sentence(stop));
    gpucode_answer_text(answer, &fields[STOP_PROCESSOR], processor);
    gpucode_answer_shown(answer, &fields[STOP_PC], stop->pc, place);
    gpucode_answer_text(answer, &fields[STOP_WHERE], *near ? near : NULL);
    gpucode_answer_end(answer);
    gpucode_answer_number(answer, &fields[STOP_INSTRUCTIONS], instructions);
}
