/* SPDX-License-Identifier: MIT */
/* Packets by which firmware comes to a level of privilege by itself: indirect buffers, groups of draw state. */
#include "isa/afuc/analysis/facts.h"

#include <string.h>

#define DRAW_WORDS 7

static uint32_t packet_number(const struct gpucode_target *target, const char *name)
{
    uint32_t number;
    return isa_number_of(target->names, NULL, GPUCODE_SPACE_PACKET, name, strlen(name), &number) ? number : UINT32_MAX;
}

/*
 * A group of draw state, in all modes of rendering, and a draw that it runs in front of, on generations where the
 * hardware runs groups (presenting.c of the machine).
 */
static unsigned lead_to_group(const struct gpucode_target *target, uint64_t address, uint32_t count, uint32_t *words)
{
    uint32_t set = packet_number(target, "CP_SET_DRAW_STATE"), draw = packet_number(target, "CP_DRAW_INDX_OFFSET");
    if (target->generation < AFUC_A7XX || set == UINT32_MAX || draw == UINT32_MAX || count > 0xffff)
        return 0;
    words[0] = afuc_packet_header(set, 3);
    words[1] = count;
    words[2] = (uint32_t)address;
    words[3] = (uint32_t)(address >> 32);
    words[4] = afuc_packet_header(draw, DRAW_WORDS);
    memset(words + 5, 0, DRAW_WORDS * sizeof *words);
    return 5 + DRAW_WORDS;
}

unsigned afuc_lead(const struct gpucode_target *target, unsigned level, const char *name, uint64_t address,
                   uint32_t count, unsigned *from, uint32_t words[ISA_LEAD_MAX])
{
    uint32_t buffer = packet_number(target, "CP_INDIRECT_BUFFER");
    if (!level || buffer == UINT32_MAX)
        return 0;
    *from = 0;
    if (strcmp(name, "SDS") == 0)
        return lead_to_group(target, address, count, words);
    *from = level - 1;
    words[0] = afuc_packet_header(buffer, 3);
    words[1] = (uint32_t)address;
    words[2] = (uint32_t)(address >> 32);
    words[3] = count;
    return 4;
}
