/* SPDX-License-Identifier: MIT */
/*
 * Draw state: groups of packets that CP_SET_DRAW_STATE names. On a6xx the firmware runs them through the SDS queue;
 * from a7xx on the hardware does, which puts a group's packets before the firmware as if they stood in the stream.
 */
#include "isa/afuc/machine/exec.h"

#include <gpucode/packet.h>

/* Words of one group, and the registers that show the selected one. */
static void group_show(struct afuc_machine *m, struct afuc_processor *p, unsigned group)
{
    const uint16_t *number = m->setup->control;
    const struct afuc_group *shown = &p->groups[group];
    afuc_control_put(m, p, number[CONTROL_DRAW_STATE_BASE], (uint32_t)shown->base);
    afuc_control_put(m, p, number[CONTROL_DRAW_STATE_BASE] + 1u, (uint32_t)(shown->base >> 32));
    afuc_control_put(m, p, number[CONTROL_DRAW_STATE_HDR], shown->header);
    afuc_control_put(m, p, number[CONTROL_SDS_BASE], (uint32_t)shown->sds_base);
    afuc_control_put(m, p, number[CONTROL_SDS_BASE] + 1u, (uint32_t)(shown->sds_base >> 32));
    afuc_control_put(m, p, number[CONTROL_SDS_DWORDS], shown->sds_dwords);
}

void afuc_group_select(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    uint32_t number = m->setup->control[CONTROL_DRAW_STATE_SEL];
    struct afuc_group *old = &p->groups[p->control[number] % GROUP_COUNT];
    old->sds_base = afuc_control_get64(m, p, CONTROL_SDS_BASE);
    old->sds_dwords = afuc_control_get(m, p, CONTROL_SDS_DWORDS);
    afuc_progress(p); /* the groups are not part of the hash */
    afuc_control_put(m, p, number, value);
    group_show(m, p, value % GROUP_COUNT);
}

/* Bits of an entry of CP_SET_DRAW_STATE (data/afuc/packet_fields.tsv). */
enum { GROUP_DISABLE = 1 << 17, GROUP_DISABLE_ALL = 1 << 18 };

void afuc_group_set(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    uint32_t number = m->setup->control[CONTROL_DRAW_STATE_ACTIVE_BITMASK];
    uint32_t active = number < CONTROL_COUNT ? p->control[number] : 0;
    unsigned group = value >> 24 & (GROUP_COUNT - 1);
    uint32_t words = value & 0xffff;
    afuc_progress(p);
    p->groups_dirty = true;
    p->set_group = (uint8_t)group;
    if (value & GROUP_DISABLE_ALL) {
        active = 0;
    } else if (value & GROUP_DISABLE || !words) {
        active &= ~(UINT32_C(1) << group);
    } else {
        active |= UINT32_C(1) << group;
    }
    p->groups[group].header = (value >> 20 & 7) << 16 | words; /* as DRAW_STATE_HDR shows it */
    afuc_control_put(m, p, number, active);
}

void afuc_draw_state_base(struct afuc_machine *m, struct afuc_processor *p, unsigned word, uint32_t value)
{
    (void)m;
    struct afuc_group *group = &p->groups[p->set_group];
    afuc_progress(p);
    group->base =
        word ? (group->base & UINT32_MAX) | (uint64_t)value << 32 : (group->base & ~(uint64_t)UINT32_MAX) | value;
}

/*
 * Draw-state groups that the hardware runs. On a6xx the firmware does so through the SDS queue; from a7xx on hardware
 * puts a group's packets before the firmware as if they stood in the stream (policy afuc-draw-state).
 */

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
