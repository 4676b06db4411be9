/* SPDX-License-Identifier: MIT */
#include "cli_gpu_messages.h"
#include "kit/afuc/firmware.h"

#include "front/answer.h"
#include "front/places.h"
#include "front/session.h"

#include <gpucode/fields.h>
#include <gpucode/insn.h>
#include <gpucode/time_line.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/afuc/answer.def"
#define ANSWER_PART_TRACE
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table firmware_trace_answer_table = {"run", "What firmware does.", fields,
                                                                 sizeof fields / sizeof *fields};

#define REGISTER_DATA 0x1f /* $data */

/* --- printing ---------------------------------------------------------------------------------------------- */

const char *trace_space(int space)
{
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        return "gpr";
    case GPUCODE_SPACE_CONTROL:
        return "ctrl";
    case GPUCODE_SPACE_GPU:
        return "gpu";
    case GPUCODE_SPACE_PIPE:
        return "pipe";
    case GPUCODE_SPACE_SQE:
        return "sqe";
    default:
        return "mem";
    }
}

/* Room for a place in brackets. */
#define NAME_MAX_SHOWN (GPUCODE_NAME_MAX + 16)

static const char *name_of(const struct trace *trace, int space, uint64_t index, char text[NAME_MAX_SHOWN])
{
    char name[GPUCODE_NAME_MAX];
    if (space < 0 && gpucode_symbols_memory(trace->input->symbols, index, name, sizeof name))
        snprintf(text, NAME_MAX_SHOWN, "[%s]", name);
    else if (space < 0)
        snprintf(text, NAME_MAX_SHOWN, "[0x%" PRIx64 "]", index);
    else if (!gpucode_machine_name(trace->machine, (unsigned)space, (uint32_t)index, text, GPUCODE_NAME_MAX))
        snprintf(text, NAME_MAX_SHOWN, "%s 0x%" PRIx64, trace_space(space), index);
    return text;
}

/* A place as traces have it. */
static void put_place(const struct trace *trace, unsigned field, uint64_t pc)
{
    char shown[24];
    snprintf(shown, sizeof shown, "%04" PRIx64, pc);
    gpucode_answer_shown(trace->answer, &fields[field], pc, shown);
}

static const char *name_packet(const struct trace *trace, char name[GPUCODE_NAME_MAX])
{
    if (trace->packet < 0)
        return "a packet";
    uint32_t opcode = (uint32_t)trace->packet;
    if (!gpucode_name_of(trace->input->target, input_names(trace->input), GPUCODE_SPACE_PACKET, opcode, name,
                         GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "0x%02x", (unsigned)opcode);
    return name;
}

/*
 * A line of --trace=state. A register stands there when its value differs from before, a word of memory always; as text
 * every write to a pipe register, as void ones have no value.
 */
static void put_state(struct trace *trace, int64_t pc, const struct changes *changes)
{
    struct gpucode_answer *answer = trace->answer;
    const char *processor = gpucode_machine_processor(trace->machine, trace->processor);
    char word[9] = "", name[NAME_MAX_SHOWN], value[9];
    if (pc >= 0)
        snprintf(word, sizeof word, "%08" PRIx32,
                 firmware_word(trace->input, trace->machine, trace->processor, (uint64_t)pc));
    gpucode_answer_begin(answer, &fields[STATE]);
    if (!trace->json && pc < 0)
        gpucode_answer_format(answer, &fields[STATE_HEAD], "%s dispatch %s", processor, name_packet(trace, name));
    else if (!trace->json)
        gpucode_answer_format(answer, &fields[STATE_HEAD], "%s %04" PRIx64 " %s", processor, (uint64_t)pc, word);
    gpucode_answer_signed(answer, &fields[STATE_PC], pc);
    gpucode_answer_text(answer, &fields[STATE_WORD], word);
    gpucode_answer_begin(answer, &fields[STATE_CHANGES]);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->list[i];
        bool acts = change->space == GPUCODE_SPACE_PIPE && !trace->json; /* whatever its value */
        if (change->space >= 0 && change->value == change->before && !acts)
            continue;
        gpucode_answer_begin(answer, &fields[STATE_CHANGE]);
        gpucode_answer_text(answer, &fields[CHANGE_SPACE], trace_space(change->space));
        gpucode_answer_shown(answer, &fields[CHANGE_INDEX], change->index,
                             trace->json ? NULL : name_of(trace, change->space, change->index, name));
        if (!trace->json)
            snprintf(value, sizeof value, "%" PRIx32, change->value);
        gpucode_answer_shown(answer, &fields[CHANGE_VALUE], change->value, trace->json ? NULL : value);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

static void end_step(struct trace *trace)
{
    if (trace->in_step)
        put_state(trace, trace->step_pc, &trace->step);
    changes_clear(&trace->step);
    trace->in_step = false;
}

/* The line before code of another name: which, and with comments the packets that lead there. */
static void put_entry(const struct trace *trace, const char *processor, const char *near, unsigned section, uint64_t pc)
{
    char packets[GPUCODE_NOTE_MAX];
    bool known = trace->comments && places_packets(trace->input, section, pc, packets);
    gpucode_answer_format(trace->answer, &fields[INSN_ENTRY], "%-4s %s:%s%s", processor, near, known ? "\t; from " : "",
                          known ? packets : "");
}

static void put_insn(struct trace *trace, const struct gpucode_event *event)
{
    uint32_t word = firmware_word(trace->input, trace->machine, event->processor, event->pc);
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                    (unsigned char)(word >> 24)};
    struct gpucode_insn insn;
    char text[PLACES_NOTED_MAX], near[PLACES_WHERE_MAX];
    struct places_code names = {trace->input, gpucode_machine_section(trace->machine, event->processor), "l"};
    struct gpucode_format_options options = {
        .names = input_names(trace->input), .comments = true, .label = places_target, .user = &names};
    if (gpucode_decode(trace->input->target, bytes, 4, event->pc, &insn) != GPUCODE_OK ||
        gpucode_format(&insn, &options, text, GPUCODE_TEXT_MAX, NULL) != GPUCODE_OK)
        snprintf(text, sizeof text, "[%08" PRIx32 "]", word);
    if (trace->comments)
        places_note(trace->input, names.section, event->pc, text);
    const char *name = gpucode_machine_processor(trace->machine, event->processor);
    struct gpucode_answer *answer = trace->answer;
    bool entered = false, placed = false;
    if (trace->json)
        placed = gpucode_outline_near(input_outline(trace->input), names.section, event->pc, near, sizeof near);
    else
        entered = places_enter(&trace->walk, trace->input, event->processor, names.section, event->pc, near);
    gpucode_answer_begin(answer, &fields[INSN]);
    if (entered)
        put_entry(trace, name, near, names.section, event->pc);
    gpucode_answer_text(answer, &fields[INSN_PROCESSOR], name);
    put_place(trace, INSN_PC, event->pc);
    gpucode_answer_number(answer, &fields[INSN_WORD], word);
    gpucode_answer_text(answer, &fields[INSN_TEXT], text);
    gpucode_answer_text(answer, &fields[INSN_WHERE], placed ? near : NULL);
    gpucode_answer_end(answer);
}

static void put_dispatch(const struct trace *trace, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_format(trace->answer, &fields[DISPATCH], "%-4s dispatch %s",
                          gpucode_machine_processor(trace->machine, event->processor), name_packet(trace, name));
}

static void put_write(const struct trace *trace, const struct gpucode_event *event, int space)
{
    struct gpucode_answer *answer = trace->answer;
    char name[NAME_MAX_SHOWN], meaning[GPUCODE_NOTE_MAX] = "";
    if (space >= 0)
        gpucode_target_register_text(trace->input->target, (unsigned)space, (uint32_t)event->address, event->value,
                                     meaning, sizeof meaning);
    gpucode_answer_begin(answer, &fields[WRITE]);
    gpucode_answer_text(answer, &fields[WRITE_PROCESSOR], gpucode_machine_processor(trace->machine, event->processor));
    put_place(trace, WRITE_PC, event->pc);
    gpucode_answer_text(answer, &fields[WRITE_SPACE], trace_space(space));
    gpucode_answer_shown(answer, &fields[WRITE_INDEX], event->address,
                         trace->json ? NULL : name_of(trace, space, event->address, name));
    gpucode_answer_number(answer, &fields[WRITE_VALUE], event->value);
    gpucode_answer_text(answer, &fields[WRITE_FIELDS], *meaning ? meaning : NULL);
    gpucode_answer_number(answer, &fields[WRITE_BEFORE], event->old);
    gpucode_answer_end(answer);
}

/* --- the hook ------------------------------------------------------------------------------------------------ */

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct trace *trace = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_PACKET) {
        trace->packet = (int64_t)event->address;
        if (trace->kinds & TRACE_INSTRUCTIONS && !trace->json) /* JSON has a line an instruction */
            put_dispatch(trace, event);
        return false;
    }
    if (event->kind == GPUCODE_EVENT_INSN) {
        if (trace->kinds & TRACE_STATE) {
            end_step(trace);
            trace->in_step = true;
            trace->step_pc = trace->seen_step || trace->kinds & TRACE_BOOT ? (int64_t)event->pc : -1;
            trace->seen_step = true;
            trace->processor = event->processor;
        }
        if (trace->kinds & TRACE_INSTRUCTIONS)
            put_insn(trace, event);
        return false;
    }
    int space = event->kind == GPUCODE_EVENT_MEM_WRITE ? -1 : (int)event->space;
    bool shared = space < 0 || space == GPUCODE_SPACE_GPU;
    const struct change change = {space, shared ? 0 : event->processor, event->address, (uint32_t)event->old,
                                  (uint32_t)event->value};
    /* what the PFP of a5xx writes to its queue is not a state */
    bool queue = space == GPUCODE_SPACE_GENERAL && event->address == REGISTER_DATA;
    trace->failed |= !queue && !changes_note(&trace->all, &change, false);
    if (trace->kinds & TRACE_STATE && trace->in_step)
        trace->failed |= !changes_note(&trace->step, &change, space < 0);
    if (trace->kinds & (space < 0 ? TRACE_MEMORY : TRACE_REGISTERS) &&
        (space < 0 || space == GPUCODE_SPACE_PIPE || queue || event->value != event->old))
        put_write(trace, event, space);
    return trace->failed;
}

void trace_begin(struct trace *trace)
{
    unsigned kinds = GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE;
    if (trace->kinds & (TRACE_INSTRUCTIONS | TRACE_STATE))
        kinds |= GPUCODE_EVENT_INSN | GPUCODE_EVENT_PACKET;
    trace->packet = -1;
    trace->answer = answer_begin(trace->session);
    trace->failed |= !trace->answer;
    gpucode_machine_hook(trace->machine, kinds, watch_event, trace);
}

void trace_end(struct trace *trace, const struct gpucode_stop *stop, bool waiting)
{
    if (trace->kinds & TRACE_STATE) {
        /* a read that waits has been told of, the delay slot of waitin not: a jump may lead to it past the waitin */
        bool told = trace->in_step && trace->step_pc == (int64_t)stop->pc && trace->processor == stop->processor;
        end_step(trace);
        trace->processor = stop->processor;
        if (waiting && trace->seen_step && !told)
            put_state(trace, (int64_t)stop->pc, &trace->step);
    }
    gpucode_machine_hook(trace->machine, 0, NULL, NULL);
    trace->failed |= trace->answer && gpucode_answer_finish(trace->answer) == GPUCODE_ERROR_MEMORY;
}

void trace_free(struct trace *trace)
{
    changes_free(&trace->all);
    changes_free(&trace->step);
    gpucode_answer_free(trace->answer);
}

/* A firmware's run as a time line: handlers of packets with the routines in them, and what is written. */

#define PROCESSORS 8
enum { WRITES, MEMORY, FAULTS, OTHERS };
enum { HANDLER, ROUTINE, LEVELS };

struct span {
    bool open;
    char name[PLACES_WHERE_MAX];
    uint64_t start, position, pc;
};

struct line {
    struct firmware *firmware;
    struct gpucode_time_line *line;
    const char *lanes[PROCESSORS + OTHERS];
    struct {
        struct span spans[LEVELS];
        struct places_walk walk;
        uint64_t count;
    } processors[PROCESSORS];
    uint64_t counts[OTHERS], ran, now; /* instructions; before the one at work */
    unsigned width;
};

/* Where a unit of a processor's section is in the source, where there is one. */
static void place(const struct line *line, unsigned processor, uint64_t pc, struct gpucode_time_line_event *event)
{
    const struct gpucode_image_info *info = gpucode_image_info(line->firmware->input->image);
    unsigned section = gpucode_machine_section(line->firmware->machine, processor);
    places_event(line->firmware->input, pc, info->sections[section].start + (uint32_t)pc, event);
}

static void put_moment(struct line *line, unsigned lane, const struct gpucode_event *seen, const char *name)
{
    struct gpucode_time_line_event event = {.lane = line->lanes[line->width + lane],
                                            .name = name,
                                            .number = line->counts[lane]++,
                                            .start = seen->time,
                                            .end = seen->time,
                                            .mark = lane == FAULTS ? GPUCODE_TIME_LINE_FAULT : GPUCODE_TIME_LINE_PLAIN,
                                            .position = line->now};
    place(line, seen->processor, seen->pc, &event);
    gpucode_time_line_put(line->line, &event);
}

/* Ends what a processor does at a level, and what it does within that. */
static void end_spans(struct line *line, unsigned processor, unsigned level, uint64_t time)
{
    for (unsigned i = LEVELS; i-- > level;) {
        struct span *span = &line->processors[processor].spans[i];
        if (!span->open)
            continue;
        struct gpucode_time_line_event event = {.lane = line->lanes[processor],
                                                .name = span->name,
                                                .number = line->processors[processor].count++,
                                                .start = span->start,
                                                .end = time,
                                                .level = i,
                                                .position = span->position};
        span->open = false;
        place(line, processor, span->pc, &event);
        gpucode_time_line_put(line->line, &event);
    }
}

static void begin_span(struct line *line, const struct gpucode_event *event, unsigned level, const char *name)
{
    struct span *span = &line->processors[event->processor].spans[level];
    end_spans(line, event->processor, level, event->time);
    *span = (struct span){.open = true, .start = event->time, .position = line->now, .pc = event->pc};
    snprintf(span->name, sizeof span->name, "%s", name);
}

static void see_insn(struct line *line, const struct gpucode_event *event)
{
    char near[PLACES_WHERE_MAX];
    unsigned section = gpucode_machine_section(line->firmware->machine, event->processor);
    const struct span *spans = line->processors[event->processor].spans;
    line->now = line->ran++;
    if (places_enter(&line->processors[event->processor].walk, line->firmware->input, event->processor, section,
                     event->pc, near) &&
        spans[HANDLER].open && !(spans[ROUTINE].open && strcmp(spans[ROUTINE].name, near) == 0)) /* a loop's begin */
        begin_span(line, event, ROUTINE, near);
}

static void see_packet(struct line *line, const struct gpucode_event *event)
{
    const struct input *input = line->firmware->input;
    char name[GPUCODE_NAME_MAX];
    uint32_t opcode = (uint32_t)event->address;
    if (!gpucode_name_of(input->target, input_names(input), GPUCODE_SPACE_PACKET, opcode, name, sizeof name))
        snprintf(name, sizeof name, "0x%02x", (unsigned)opcode);
    begin_span(line, event, HANDLER, name);
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct line *line = user;
    char name[64] = "", text[128];
    if (event->processor >= line->width)
        return false;
    switch (event->kind) {
    case GPUCODE_EVENT_INSN:
        see_insn(line, event);
        break;
    case GPUCODE_EVENT_PACKET:
        see_packet(line, event);
        break;
    case GPUCODE_EVENT_HANDLED:
        end_spans(line, event->processor, HANDLER, event->time);
        break;
    case GPUCODE_EVENT_WRITE:
        if (event->space != GPUCODE_SPACE_GPU)
            break;
        gpucode_machine_name(machine, event->space, (uint32_t)event->address, name, sizeof name);
        snprintf(text, sizeof text, "%s <= 0x%08" PRIx64, name, event->value);
        put_moment(line, WRITES, event, text);
        break;
    default:
        snprintf(text, sizeof text, "[0x%" PRIx64 "] <= 0x%08" PRIx64, event->address, event->value);
        put_moment(line, MEMORY, event, text);
    }
    return false;
}

static int run_lined(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    struct line *line = user;
    static const char *const others[OTHERS] = {"writes", "memory", "faults"};
    struct firmware *firmware = line->firmware;
    struct gpucode_machine *machine = firmware->machine;
    struct gpucode_time_line_options options = {
        .form = form, .title = firmware->input->file.name, .unit = "instructions", .lanes = line->lanes};
    while (line->width < PROCESSORS && gpucode_machine_processor(machine, line->width)) {
        line->lanes[line->width] = gpucode_machine_processor(machine, line->width);
        line->processors[line->width++].spans[HANDLER] = (struct span){.open = true, .name = "boot"};
    }
    memcpy(line->lanes + line->width, others, sizeof others);
    options.lane_count = line->width + OTHERS;
    line->line = gpucode_time_line_begin(answer, &options);
    gpucode_machine_hook(machine,
                         GPUCODE_EVENT_INSN | GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED | GPUCODE_EVENT_WRITE |
                             GPUCODE_EVENT_MEM_WRITE,
                         watch, line);
    int code = firmware_boot(firmware) ? firmware_feed(firmware) : EXIT_DONE;
    gpucode_machine_hook(machine, 0, NULL, NULL);
    for (unsigned i = 0; i < line->width; i++)
        end_spans(line, i, HANDLER, gpucode_machine_time(machine));
    if (!code && !firmware_is_waiting(firmware)) {
        const struct gpucode_stop *stop = &firmware->stop;
        struct gpucode_event last = {.processor = stop->processor, .pc = stop->pc, .time = stop->time};
        line->now = line->ran;
        put_moment(line, FAULTS, &last, stop->code ? stop->text : "the limit of instructions is reached");
    }
    return gpucode_time_line_end(line->line) == GPUCODE_ERROR_MEMORY ? out_of_memory(&firmware->session->diagnostics)
                                                                     : code;
}

int firmware_line(struct session *session, struct firmware *firmware)
{
    const char *trace = session->arguments.value[OPTION_AFUC_PERFETTO];
    bool records = arguments_have(&session->arguments, OPTION_AFUC_TIME_LINE);
    const char *other = records && trace                                         ? "perfetto"
                        : arguments_have(&session->arguments, OPTION_AFUC_TRACE) ? "trace"
                                                                                 : NULL;
    if (other)
        return complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, other,
                        records ? "time-line" : "perfetto");
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return out_of_memory(&session->diagnostics);
    line->firmware = firmware;
    int code = answer_time_line(session, trace, run_lined, line);
    free(line);
    return code;
}
