/* SPDX-License-Identifier: MIT */
/* What the analysis of the code tells to commands. It is made when one asks. */
#include "console/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Packets that are named where several lead to a function. */
#define PACKETS_SHOWN 4

const struct gpucode_analysis *console_analysis(struct console *console)
{
    const struct gpucode_analysis_options options = {.names = console_names(console)};
    if (console->analysed)
        return console->analysis;
    console->analysed = true;
    if (!gpucode_can_follow_values(gpucode_image_info(gpucode_debug_image(console->debug))->target))
        return NULL;
    enum gpucode_status status = gpucode_analyse(gpucode_debug_image(console->debug), &options, &console->analysis);
    if (status == GPUCODE_OK)
        status = gpucode_notes_create(console->analysis, &console->notes);
    if (status == GPUCODE_ERROR_MEMORY)
        console_no_memory(console);
    return console->analysis;
}

const struct gpucode_notes *console_notes(struct console *console)
{
    return console_analysis(console) ? console->notes : NULL;
}

bool console_knows(struct console *console)
{
    return !console->plain && console_analysis(console);
}

size_t console_note(struct console *console, unsigned section, uint64_t pc, char *text)
{
    *text = 0;
    return !console_knows(console) || pc > UINT32_MAX
               ? 0
               : gpucode_notes_text(console_notes(console), section, (uint32_t)pc, text, GPUCODE_NOTE_MAX);
}

void console_add_note(struct console *console, unsigned section, uint64_t pc, char text[CONSOLE_NOTED_MAX])
{
    char note[GPUCODE_NOTE_MAX];
    size_t length = strlen(text);
    if (console_note(console, section, pc, note))
        snprintf(text + length, CONSOLE_NOTED_MAX - length, "%s%s", strstr(text, "\t; ") ? "; " : "\t; ", note);
}

size_t console_packets(struct console *console, unsigned section, uint64_t pc, char *text)
{
    uint64_t packets[2];
    *text = 0;
    return !console_knows(console) || pc > UINT32_MAX ||
                   !gpucode_analysis_reached_by(console_analysis(console), section, (uint32_t)pc, packets)
               ? 0
               : gpucode_analysis_packets(console_analysis(console), packets, PACKETS_SHOWN, text, GPUCODE_NOTE_MAX);
}

const struct gpucode_function *function_at(struct console *console, unsigned section, uint64_t pc)
{
    const struct gpucode_analysis *analysis = console_analysis(console);
    if (pc > UINT32_MAX)
        return NULL;
    const struct gpucode_function *function =
        gpucode_analysis_function(analysis, section, gpucode_analysis_owner(analysis, section, (uint32_t)pc));
    return function && function->start == pc ? function : NULL;
}

void put_function(struct console *console, unsigned section, uint64_t pc)
{
    char packets[GPUCODE_NOTE_MAX];
    const struct gpucode_function *function = function_at(console, section, pc);
    if (!function)
        return;
    console_say(console, "  %s, ", gpucode_function_kind_name(function->kind));
    if (function->depth < 0)
        console_say(console, "recurs");
    else
        console_say(console, "depth %d", function->depth);
    if (function->kind == GPUCODE_FUNCTION_ROUTINE &&
        gpucode_analysis_packets(console_analysis(console), function->reached_by, PACKETS_SHOWN, packets,
                                 sizeof packets))
        console_say(console, ", from %s", packets);
}

/* The unit that a block leaves by: in front of its delay slot, if it has one. */
static uint32_t leaves_at(struct console *console, unsigned section, const struct gpucode_block *block)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    uint32_t last = block->end - 1;
    bool slot = last > block->start &&
                gpucode_debug_insn(console->debug, section, last - 1, &insn, NULL) == GPUCODE_OK &&
                gpucode_insn_flow(&insn, &flow) && flow.delay_slots;
    return slot ? last - 1 : last;
}

static bool ends_with(const struct gpucode_block *block, enum gpucode_edge_kind kind)
{
    for (uint32_t i = 0; i < block->edge_count; i++)
        if (block->edges[i].kind == kind)
            return true;
    return false;
}

/* Does it belong to what the hardware interrupts with? That ends by returning. */
static bool is_interruption(const struct gpucode_analysis *analysis, unsigned section, uint64_t pc)
{
    if (pc > UINT32_MAX)
        return false;
    const struct gpucode_function *function =
        gpucode_analysis_function(analysis, section, gpucode_analysis_owner(analysis, section, (uint32_t)pc));
    return function && function->kind == GPUCODE_FUNCTION_PREEMPT;
}

bool find_handler_ends(struct console *console, uint64_t **pcs, size_t *count)
{
    const struct gpucode_analysis *analysis = console_analysis(console);
    const struct gpucode_block *block;
    unsigned section = console_section(console), blocks = 0;
    *count = 0;
    if (!analysis)
        return console_complain(console, "nothing is known of where handlers end in such code");
    while (gpucode_analysis_block(analysis, section, blocks))
        blocks++;
    if (!(*pcs = calloc((size_t)blocks + 1, sizeof **pcs)))
        return console_no_memory(console);
    for (unsigned i = 0; (block = gpucode_analysis_block(analysis, section, i)); i++)
        if (ends_with(block, GPUCODE_EDGE_DISPATCH) ||
            (ends_with(block, GPUCODE_EDGE_RETURN) && is_interruption(analysis, section, block->start) &&
             is_interruption(analysis, section, console_pc(console))))
            (*pcs)[(*count)++] = leaves_at(console, section, block);
    if (*count)
        return true;
    free(*pcs);
    return console_complain(console, "no handler ends in this section");
}
