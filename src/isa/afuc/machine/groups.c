/* SPDX-License-Identifier: MIT */
/*
 * Draw state: groups of packets that CP_SET_DRAW_STATE names. On a6xx the firmware runs them through the SDS queue;
 * from a7xx on the hardware does, which puts a group's packets before the firmware as if they stood in the stream.
 */
#include "isa/afuc/machine/exec.h"

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
