/* SPDX-License-Identifier: MIT */
#include "kit/afuc/trace.h"

#include "front/values.h"
#include "kit/afuc/firmware.h"

#include <gpucode/insn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void print_name(const struct trace *trace, int space, uint64_t index)
{
    char name[GPUCODE_NAME_MAX];
    if (space < 0 && gpucode_symbols_memory(trace->input->symbols, index, name, sizeof name))
        printf("[%s]", name);
    else if (space < 0)
        printf("[0x%" PRIx64 "]", index);
    else if (gpucode_machine_name(trace->machine, (unsigned)space, (uint32_t)index, name, sizeof name))
        fputs(name, stdout);
    else
        printf("%s 0x%" PRIx64, trace_space(space), index);
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
static void print_state(struct trace *trace, int64_t pc, const struct changes *changes)
{
    char word[9] = "", name[GPUCODE_NAME_MAX];
    if (pc >= 0)
        snprintf(word, sizeof word, "%08" PRIx32,
                 firmware_word(trace->input, trace->machine, trace->processor, (uint64_t)pc));
    if (trace->json)
        printf("{\"pc\":%" PRId64 ",\"word\":\"%s\",\"changes\":[", pc, word);
    else if (pc < 0)
        printf("%s dispatch %s", gpucode_machine_processor(trace->machine, trace->processor), name_packet(trace, name));
    else
        printf("%s %04" PRIx64 " %s", gpucode_machine_processor(trace->machine, trace->processor), (uint64_t)pc, word);
    const char *comma = "";
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->list[i];
        bool acts = change->space == GPUCODE_SPACE_PIPE && !trace->json; /* whatever its value */
        if (change->space >= 0 && change->value == change->before && !acts)
            continue;
        if (trace->json) {
            printf("%s[\"%s\",%" PRIu64 ",%" PRIu32 "]", comma, trace_space(change->space), change->index,
                   change->value);
        } else {
            printf("%s", *comma ? ", " : "  ");
            print_name(trace, change->space, change->index);
            printf("=%" PRIx32, change->value);
        }
        comma = ",";
    }
    puts(trace->json ? "]}" : "");
}

static void end_step(struct trace *trace)
{
    if (trace->in_step)
        print_state(trace, trace->step_pc, &trace->step);
    changes_clear(&trace->step);
    trace->in_step = false;
}

/* The line in front of code of another name: which, and with comments the packets that lead there. */
static void print_entry(const struct trace *trace, const char *processor, const char *near, unsigned section,
                        uint64_t pc)
{
    char packets[GPUCODE_NOTE_MAX];
    bool known = trace->comments && places_packets(trace->input, section, pc, packets);
    printf("%-4s %s:%s%s\n", processor, near, known ? "\t; from " : "", known ? packets : "");
}

static void print_insn(struct trace *trace, const struct gpucode_event *event)
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
    if (!trace->json) {
        if (places_enter(&trace->walk, trace->input, event->processor, names.section, event->pc, near))
            print_entry(trace, name, near, names.section, event->pc);
        printf("%-4s %04" PRIx64 ": %08" PRIx32 "  %s\n", name, event->pc, word, text);
        return;
    }
    printf("{\"processor\":\"%s\",\"pc\":%" PRIu64 ",\"word\":\"%08" PRIx32 "\"", name, event->pc, word);
    if (gpucode_outline_near(input_outline(trace->input), names.section, event->pc, near, sizeof near))
        printf(",\"where\":\"%s\"", near);
    puts("}");
}

static void print_dispatch(const struct trace *trace, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX];
    printf("%-4s dispatch %s\n", gpucode_machine_processor(trace->machine, event->processor), name_packet(trace, name));
}

static void print_write(const struct trace *trace, const struct gpucode_event *event, int space)
{
    const char *name = gpucode_machine_processor(trace->machine, event->processor);
    if (trace->json) {
        printf("{\"processor\":\"%s\",\"pc\":%" PRIu64 ",\"space\":\"%s\",\"index\":%" PRIu64 ",\"value\":%" PRIu64
               ",\"before\":%" PRIu64 "}\n",
               name, event->pc, trace_space(space), event->address, event->value, event->old);
        return;
    }
    printf("%-4s %04" PRIx64 ":   ", name, event->pc);
    print_name(trace, space, event->address);
    printf(" = 0x%" PRIx64 "\n", event->value);
}

/* --- the hook ------------------------------------------------------------------------------------------------ */

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct trace *trace = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_PACKET) {
        trace->packet = (int64_t)event->address;
        if (trace->kinds & TRACE_INSTRUCTIONS && !trace->json)
            print_dispatch(trace, event);
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
            print_insn(trace, event);
        return false;
    }
    int space = event->kind == GPUCODE_EVENT_MEM_WRITE ? -1 : (int)event->space;
    bool shared = space < 0 || space == GPUCODE_SPACE_GPU;
    const struct change change = {space, shared ? 0 : event->processor, event->address, (uint32_t)event->old,
                                  (uint32_t)event->value};
    /* what the PFP of a5xx writes to its queue is no state */
    bool queue = space == GPUCODE_SPACE_GENERAL && event->address == REGISTER_DATA;
    trace->failed |= !queue && !changes_note(&trace->all, &change, false);
    if (trace->kinds & TRACE_STATE && trace->in_step)
        trace->failed |= !changes_note(&trace->step, &change, space < 0);
    if (trace->kinds & (space < 0 ? TRACE_MEMORY : TRACE_REGISTERS) &&
        (space < 0 || space == GPUCODE_SPACE_PIPE || queue || event->value != event->old))
        print_write(trace, event, space);
    return trace->failed;
}

void trace_begin(struct trace *trace)
{
    unsigned kinds = GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE;
    if (trace->kinds & (TRACE_INSTRUCTIONS | TRACE_STATE))
        kinds |= GPUCODE_EVENT_INSN | GPUCODE_EVENT_PACKET;
    trace->packet = -1;
    gpucode_machine_hook(trace->machine, kinds, watch_event, trace);
}

void trace_end(struct trace *trace, const struct gpucode_stop *stop, bool waiting)
{
    if (trace->kinds & TRACE_STATE) {
        end_step(trace);
        trace->processor = stop->processor;
        if (waiting && trace->seen_step)
            print_state(trace, (int64_t)stop->pc, &trace->step);
    }
    gpucode_machine_hook(trace->machine, 0, NULL, NULL);
}

void trace_free(struct trace *trace)
{
    changes_free(&trace->all);
    changes_free(&trace->step);
}
