/* SPDX-License-Identifier: MIT */
#include "front/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Packets that are named where several lead to a place. */
#define PACKETS_SHOWN 4

const char *places_where(const struct input *input, unsigned section, uint64_t unit, char *text)
{
    static const char in[] = " in ";
    memcpy(text, in, sizeof in);
    if (!gpucode_outline_near(input_outline(input), section, unit, text + sizeof in - 1,
                              PLACES_WHERE_MAX - sizeof in + 1))
        *text = 0;
    return text;
}

bool places_enter(struct places_walk *walk, const struct input *input, unsigned processor, unsigned section,
                  uint64_t unit, char near[PLACES_WHERE_MAX])
{
    if (!gpucode_outline_near(input_outline(input), section, unit, near, PLACES_WHERE_MAX))
        return false;
    size_t length = strcspn(near, "+");
    bool same = walk->processor == processor && strlen(walk->name) == length && memcmp(walk->name, near, length) == 0;
    if (length >= sizeof walk->name)
        length = sizeof walk->name - 1;
    memcpy(walk->name, near, length);
    walk->name[length] = 0;
    walk->processor = processor;
    return !same || !strchr(near, '+');
}

void places_note(const struct input *input, unsigned section, uint64_t unit, char text[PLACES_NOTED_MAX])
{
    char note[GPUCODE_NOTE_MAX];
    size_t length = strlen(text);
    if (unit <= UINT32_MAX && gpucode_notes_text(input_notes(input), section, (uint32_t)unit, note, sizeof note))
        snprintf(text + length, PLACES_NOTED_MAX - length, "%s%s", strstr(text, "\t; ") ? "; " : "\t; ", note);
}

size_t places_packets(const struct input *input, unsigned section, uint64_t unit, char text[GPUCODE_NOTE_MAX])
{
    uint64_t packets[2];
    const struct gpucode_analysis *analysis = input_analysis(input);
    *text = 0;
    if (unit > UINT32_MAX || !gpucode_analysis_reached_by(analysis, section, (uint32_t)unit, packets))
        return 0;
    return gpucode_analysis_packets(analysis, packets, PACKETS_SHOWN, text, GPUCODE_NOTE_MAX);
}

void places_put_packets(const struct gpucode_analysis *analysis, const uint64_t packets[2],
                        struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; i < 128; i++)
        if (packets[i / 64] >> i % 64 & 1 && gpucode_analysis_packet_name(analysis, i, name, sizeof name))
            gpucode_answer_text(answer, field, name);
}

size_t places_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct places_code *code = user;
    char plain[64];
    (void)insn;
    size_t length;
    const struct gpucode_outline *outline = input_outline(code->input);
    const char *name = outline ? gpucode_outline_name(outline, code->section, address, &length) : NULL;
    if (name && length <= size) {
        memcpy(text, name, length);
        return length;
    }
    if (!code->prefix)
        return 0;
    int written = snprintf(plain, sizeof plain, "%s%" PRIu64, code->prefix, address);
    if (written < 0 || (size_t)written >= sizeof plain || (size_t)written > size)
        return 0;
    memcpy(text, plain, (size_t)written);
    return (size_t)written;
}

void places_event(const struct input *input, uint64_t address, uint32_t unit, struct gpucode_time_line_event *event)
{
    struct gpucode_line source;
    event->has |= GPUCODE_TIME_LINE_HAS_ADDRESS | GPUCODE_TIME_LINE_HAS_POSITION;
    event->address = address;
    if (input->program && gpucode_program_line(input->program, unit, &source) &&
        strcmp(source.file, input->file.name) == 0) {
        event->has |= GPUCODE_TIME_LINE_HAS_LINE;
        event->line = source.line;
    }
}
