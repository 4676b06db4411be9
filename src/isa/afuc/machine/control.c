/* SPDX-License-Identifier: MIT */
/* Control registers: storage, and what those of control.def do. */
#include "afuc_messages.h"
#include "isa/afuc/machine/exec.h"

#include <string.h>

void afuc_control_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    if (number >= CONTROL_COUNT)
        return; /* a register that the chip does not have */
    uint32_t old = p->control[number];
    afuc_control_set(p, number, value);
    afuc_rehash(&p->hash, KEY_CONTROL | number, old, value);
    afuc_wrote(m, p, GPUCODE_SPACE_CONTROL, number, value, old);
}

static bool is_shared(const struct afuc_machine *m, uint32_t number)
{
    return number >= SHARED_FIRST && number < m->setup->shared_end;
}

static void shared_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    uint32_t *place = &m->shared[number - SHARED_FIRST], old = *place;
    *place = value;
    afuc_rehash(&m->shared_hash, KEY_SHARED | number, old, value);
    afuc_wrote(m, p, GPUCODE_SPACE_CONTROL, number, value, old);
}

/* --- locks between processors ----------------------------------------------------------------------------- */

/* Gives every lock that nobody holds to the first processor that wants it. */
static void grant_locks(struct afuc_machine *m)
{
    uint32_t held = 0;
    for (unsigned i = 0; i < m->processor_count; i++) {
        m->lock_held[i] &= m->lock_wanted[i];
        held |= m->lock_held[i];
    }
    for (unsigned i = 0; i < m->processor_count; i++) {
        uint32_t granted = m->lock_wanted[i] & ~held;
        m->lock_held[i] |= granted;
        held |= granted;
    }
}

/* --- packet table ------------------------------------------------------------------------------------------- */

static void table_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    uint32_t number = m->setup->control[CONTROL_PACKET_TABLE_WRITE_ADDR], entry = p->control[number];
    afuc_rehash(&p->hash, KEY_TABLE | entry % TABLE_COUNT, p->table[entry % TABLE_COUNT], value);
    p->table[entry % TABLE_COUNT] = value;
    p->table_set = true;
    afuc_control_put(m, p, number, entry + 1);
}

/* --- which are storage alone ---------------------------------------------------------------------------------- */

static const uint8_t acts[CONTROL_BEHAVIOURS] = {
#define CONTROL(id, name, acts, doc) [CONTROL_##id] = acts,
#include "isa/afuc/machine/control.def"
#undef CONTROL
};

void afuc_find_plain(struct afuc_setup *setup)
{
    memset(setup->plain, PLAIN_READ | PLAIN_WRITE, sizeof setup->plain);
    memset(setup->plain + SHARED_FIRST, 0, setup->shared_end - SHARED_FIRST);
    for (unsigned i = 1; i < CONTROL_BEHAVIOURS; i++) {
        uint32_t number = setup->control[i];
        if (number == CONTROL_NONE)
            continue;
        enum afuc_control behaviour = setup->behaviour[number];
        setup->plain[number] &= (uint8_t)~acts[behaviour];
        bool base = behaviour == CONTROL_DRAW_STATE_SET_BASE || behaviour == CONTROL_DRAW_STATE_SET_BASE_LPAC;
        if (base && number + 1 < CONTROL_COUNT) /* its high half */
            setup->plain[number + 1] &= (uint8_t)~PLAIN_WRITE;
    }
    for (unsigned i = 0; i < setup->answer_count; i++)
        if (!setup->answers[i].gpu && setup->answers[i].number < CONTROL_COUNT)
            setup->plain[setup->answers[i].number] &= (uint8_t)~PLAIN_READ;
}

/* --- reading and writing -------------------------------------------------------------------------------------- */

static uint32_t stored_value(const struct afuc_machine *m, const struct afuc_processor *p, uint32_t number)
{
    return is_shared(m, number) ? m->shared[number - SHARED_FIRST] : p->control[number];
}

uint32_t afuc_control_read(struct afuc_machine *m, struct afuc_processor *p, uint32_t number)
{
    uint32_t value = stored_value(m, p, number);
    switch (m->setup->behaviour[number]) {
    case CONTROL_PREEMPTION_TIMER:
    case CONTROL_GLOBAL_TIMESTAMP:
    case CONTROL_LOCAL_TIMESTAMP:
        value = (uint32_t)afuc_time(m);
        afuc_progress(p);
        break;
    case CONTROL_COPROCESSOR_LOCK:
        value = m->lock_held[p->index];
        break;
    default:
        break;
    }
    for (unsigned i = 0; i < m->setup->answer_count; i++)
        if (!m->setup->answers[i].gpu && m->setup->answers[i].number == number)
            value = m->setup->answers[i].value;
    afuc_note_poll(p, GPUCODE_SPACE_CONTROL, number, value);
    if (m->core->hook_kinds & GPUCODE_EVENT_READ)
        afuc_tell_read(m, p, GPUCODE_SPACE_CONTROL, number, value);
    return value;
}

/* --- starting processors --------------------------------------------------------------------------------- */

void afuc_start(struct afuc_machine *m, struct afuc_processor *p)
{
    afuc_rehash(&m->shared_hash, KEY_START | p->index, p->started, true);
    p->started = true;
}

/* Without a section of that name, or when it is not to run: what its boot would tell the starter. */
static void boot_stand_in(struct afuc_machine *m, struct afuc_processor *starter, const char *name)
{
    uint32_t number = m->setup->control[CONTROL_THREAD_SYNC];
    if (number < SHARED_FIRST || number >= m->setup->shared_end)
        return;
    uint32_t value = m->shared[number - SHARED_FIRST];
    if (m->setup->generation == AFUC_A6XX)
        value |= 2; /* AFUC notes, registers with behaviour: a6xx reports with a set bit, a7xx with a cleared one */
    else if (strcmp(name, "BV") == 0)
        value &= ~UINT32_C(2);
    else if (strcmp(name, "LPAC") == 0)
        value &= ~UINT32_C(4);
    afuc_control_write(m, starter, number, value);
}

bool afuc_start_section(struct afuc_machine *m, struct afuc_processor *starter, const char *name, uint64_t address)
{
    struct afuc_processor *p = NULL;
    for (unsigned i = 0; i < m->processor_count && !p; i++)
        if (strcmp(m->processors[i].name, name) == 0)
            p = &m->processors[i];
    if (!p || m->setup->stub_processors) {
        boot_stand_in(m, starter, name);
        return true;
    }
    if (p->started)
        return true;
    if (m->setup->generation ==
        AFUC_A6XX) /* the reference sets the bit with the start; whether LPAC does is not known */
        boot_stand_in(m, starter, name);
    const struct gpucode_section *section = &m->core->layout->info.sections[p->section];
    if (address != m->setup->base + 4 * (uint64_t)section->start) {
        afuc_fault(m, starter, MSG_AFUC_START, name, (unsigned long long)address,
                   (unsigned long long)(m->setup->base + 4 * (uint64_t)section->start));
        return false;
    }
    afuc_start(m, p);
    return true;
}

/* --- writes -------------------------------------------------------------------------------------------- */

static void raise_counter(struct afuc_machine *m, struct afuc_processor *p, enum afuc_control counter, uint32_t value)
{
    afuc_control_put(m, p, m->setup->control[counter], afuc_control_get(m, p, counter) + value);
}

static bool write_register(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    uint32_t number = m->setup->control[CONTROL_REG_WRITE_ADDR], address = p->control[number];
    if (!afuc_gpu_write(m, p, address & (GPU_COUNT - 1), value))
        return false;
    /* the bits above the number are flags and stay (AFUC notes, REG_WRITE_ADDR) */
    afuc_control_put(m, p, number, (address & ~(GPU_COUNT - 1)) | ((address + 1) & (GPU_COUNT - 1)));
    return true;
}

bool afuc_control_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    enum afuc_control behaviour = m->setup->behaviour[number];
    if (behaviour == CONTROL_DRAW_STATE_SEL) {
        afuc_group_select(m, p, value);
        return true;
    }
    if (behaviour == CONTROL_MODE_BITMASK)
        p->groups_dirty |= value != p->control[number];
    if (is_shared(m, number))
        shared_put(m, p, number, value);
    else
        afuc_control_put(m, p, number, value);
    switch (behaviour) {
    case CONTROL_REG_WRITE:
        return write_register(m, p, value);
    case CONTROL_PACKET_TABLE_WRITE:
        table_write(m, p, value);
        break;
    case CONTROL_WFI_PEND_INCR:
        raise_counter(m, p, CONTROL_WFI_PEND_CTR, value);
        break;
    case CONTROL_QUERY_PEND_INCR:
        raise_counter(m, p, CONTROL_QUERY_PEND_CTR, value);
        break;
    case CONTROL_DRAW_STATE_SET_HDR:
    case CONTROL_DRAW_STATE_SET_HDR_LPAC:
        afuc_group_set(m, p, value);
        break;
    case CONTROL_DRAW_STATE_SET_BASE:
    case CONTROL_DRAW_STATE_SET_BASE_LPAC:
        afuc_draw_state_base(m, p, 0, value);
        break;
    case CONTROL_DRAW_STATE_SET_PENDING:
        p->groups_dirty |= value & 1;
        break;
    case CONTROL_COPROCESSOR_LOCK:
        afuc_rehash(&m->shared_hash, KEY_LOCK | p->index, m->lock_wanted[p->index], value);
        m->lock_wanted[p->index] = value;
        grant_locks(m);
        break;
    case CONTROL_BV_CNTL:
        return afuc_start_section(m, p, "BV", afuc_control_get64(m, p, CONTROL_BV_INSTR_BASE));
    case CONTROL_LPAC_CNTL:
        return afuc_start_section(m, p, "LPAC", afuc_control_get64(m, p, CONTROL_LPAC_INSTR_BASE));
    case CONTROL_DDE_BR_CNTL:
        return afuc_start_section(m, p, "DDE", afuc_control_get64(m, p, CONTROL_DDE_BR_INSTR_BASE));
    case CONTROL_DDE_BV_CNTL:
        return afuc_start_section(m, p, "DDE", afuc_control_get64(m, p, CONTROL_DDE_BV_INSTR_BASE));
    default:
        if (number && (m->setup->behaviour[number - 1] == CONTROL_DRAW_STATE_SET_BASE ||
                       m->setup->behaviour[number - 1] == CONTROL_DRAW_STATE_SET_BASE_LPAC))
            afuc_draw_state_base(m, p, 1, value);
        break;
    }
    return true;
}
