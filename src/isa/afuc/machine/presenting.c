/* SPDX-License-Identifier: MIT */
/*
 * Draw-state groups that the hardware runs. On a6xx the firmware does so through the SDS queue; from a7xx on hardware
 * puts a group's packets before the firmware as if they stood in the stream (policy afuc-draw-state).
 */
#include "isa/afuc/machine/exec.h"
#include <gpucode/packet.h>

/* A group with content that fits the render mode; a mode mask of 0 is for all modes. */
static bool is_due(const struct afuc_machine *m, const struct afuc_processor *p, unsigned group)
{
    uint32_t modes = p->groups[group].header >> 16;
    return afuc_control_get(m, p, CONTROL_DRAW_STATE_ACTIVE_BITMASK) >> group & 1 &&
           (!modes || modes & afuc_control_get(m, p, CONTROL_MODE_BITMASK));
}

/* Puts the next group that is due before the firmware, or goes back to where the stream was left. */
static void next_group(struct afuc_machine *m, struct afuc_processor *p)
{
    const uint16_t *number = m->setup->control;
    unsigned group = p->next_group;
    while (group < GROUP_COUNT && !is_due(m, p, group))
        group++;
    afuc_progress(p);
    p->groups_run = group < GROUP_COUNT;
    p->next_group = (uint8_t)(group + 1);
    if (!p->groups_run) {
        afuc_control_put(m, p, number[CONTROL_DRAW_STATE_SET_PENDING], 0);
        afuc_control_put(m, p, number[CONTROL_IB_LEVEL], p->group_return);
        return;
    }
    const struct afuc_group *due = &p->groups[group];
    afuc_group_select(m, p, group);
    afuc_control_put(m, p, number[CONTROL_SDS_BASE], (uint32_t)due->base);
    afuc_control_put(m, p, number[CONTROL_SDS_BASE] + 1u, (uint32_t)(due->base >> 32));
    afuc_control_put(m, p, number[CONTROL_SDS_DWORDS], due->header & 0xffff);
    afuc_control_put(m, p, number[CONTROL_IB_LEVEL], m->setup->group_level);
}

/* Is the packet that comes next one that groups run before? */
static bool is_their_turn(struct afuc_machine *m, struct afuc_processor *p)
{
    uint32_t header;
    if (!afuc_queue_words(m, p) || !afuc_queue_peek(m, p, &header))
        return false;
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    return m->setup->groups_at_waitin || (parts.type == 7 && m->setup->is_draw[parts.number]);
}

void afuc_groups_settle(struct afuc_machine *m, struct afuc_processor *p)
{
    if (!m->setup->group_level || !(p->groups_dirty || p->groups_run))
        return;
    if (p->groups_run) {
        while (p->groups_run && !afuc_control_get(m, p, CONTROL_SDS_DWORDS))
            next_group(m, p);
    } else if (afuc_control_get(m, p, CONTROL_IB_LEVEL) != m->setup->group_level && is_their_turn(m, p)) {
        p->groups_dirty = false;
        p->group_return = afuc_control_get(m, p, CONTROL_IB_LEVEL);
        p->next_group = 0;
        next_group(m, p);
    }
}
