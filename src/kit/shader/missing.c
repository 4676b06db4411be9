/* SPDX-License-Identifier: MIT */
/* Inputs of a shader that nobody gave: they are 0, and a note says so. */
#include "front/session.h"
#include "kit/shader/shader.h"
#include <gpucode/ir3.h>
#include <gpucode/shader.h>

#include <stdio.h>
#include <string.h>

/* A list like "r0.x r0.y c0.x-c3.w varying 2"; what has no room is left out after dots. */
struct list {
    const struct gpucode_machine *machine;
    char text[480];
    size_t length;
};

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

static void append_text(struct list *list, const char *text)
{
    static const char more[] = " ...";
    size_t length = strlen(text);
    if (list->length + length + sizeof more > sizeof list->text) {
        if (list->length && list->text[list->length - 1] != '.')
            memcpy(list->text + list->length, more, sizeof more), list->length += sizeof more - 1;
        return;
    }
    memcpy(list->text + list->length, text, length + 1);
    list->length += length;
}

static void append_run(struct list *list, unsigned space, unsigned first, unsigned last)
{
    char from[32], to[32], text[80];
    if (space == GPUCODE_A3XX_VARYING) {
        snprintf(from, sizeof from, "varying%s %u", last > first ? "s" : "", first);
        snprintf(to, sizeof to, "%u", last);
    } else {
        gpucode_machine_name(list->machine, space, first, from, sizeof from);
        gpucode_machine_name(list->machine, space, last, to, sizeof to);
    }
    snprintf(text, sizeof text, "%s%s%s%s", list->length ? ", " : "", from, last > first ? "-" : "",
             last > first ? to : "");
    append_text(list, text);
}

static void append_missing(struct list *list, unsigned space, const uint32_t *read, const bool *given, unsigned count)
{
    for (unsigned first = 0, last; first < count; first = last + 1) {
        last = first;
        if (!has_bit(read, first) || given[first])
            continue;
        while (last + 1 < count && has_bit(read, last + 1) && !given[last + 1])
            last++;
        append_run(list, space, first, last);
    }
}

void shader_note_missing(struct session *session, const struct input *input, const struct shader_inputs *inputs)
{
    struct gpucode_a3xx_usage usage;
    struct list list = {.machine = inputs->machine};
    if (gpucode_shader_usage(input->image, &usage) != GPUCODE_OK)
        return;
    append_missing(&list, GPUCODE_A3XX_FULL, usage.full.inputs, inputs->given[0], 61 * 4);
    append_missing(&list, GPUCODE_A3XX_HALF, usage.half.inputs, inputs->given[1], 61 * 4);
    append_missing(&list, GPUCODE_A3XX_CONST, usage.const_reads, inputs->given_const, SHADER_CONSTS);
    append_missing(&list, GPUCODE_A3XX_VARYING, usage.varying_reads, inputs->given_varying, GPUCODE_A3XX_VARYINGS);
    if (list.length)
        complain(&session->diagnostics, CLI_A3XX_NOT_GIVEN, input->file.name, NULL, list.text);
}
