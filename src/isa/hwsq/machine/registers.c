/* SPDX-License-Identifier: MIT */
/* MMIO: HWSQ's own registers, the bits that flags override, and plain registers, which are memory at their address. */
#include "isa/hwsq/machine/machine.h"

/* Events in time: what the host drives, the schedule, the heads' blanking, and FB_PAUSED. */

#define NO_TIME UINT64_MAX

enum { SATISFIED, MODELLED };

/* The blanking that is event 1 to 4, or null. */
static const struct hwsq_wave *wave_of(const struct hwsq_state *state, unsigned event)
{
    if (event < 1 || event > 4)
        return NULL;
    const struct hwsq_wave *wave = event & 1 ? &state->vblank[(event - 1) / 2] : &state->hblank[(event - 1) / 2];
    return wave->period ? wave : NULL;
}

static bool is_scheduled(const struct hwsq_state *state, unsigned event)
{
    for (uint32_t i = 0; i < state->edge_count; i++)
        if (state->edges[i].event == event)
            return true;
    return false;
}

/* Is memory paused, that is asked for and completed? */
static bool hwsq_paused(const struct hwsq_state *state, uint64_t time)
{
    uint64_t latency = hwsq_pause_asked(state) ? state->choice.pause_latency : state->choice.release_latency;
    if (hwsq_pause_asked(state) == state->paused_before || time - state->pause_time < latency)
        return state->paused_before;
    return hwsq_pause_asked(state);
}

void hwsq_pause_changes(struct hwsq_state *state, uint64_t time)
{
    state->paused_before = hwsq_paused(state, time);
    state->pause_time = time;
}

bool hwsq_event(const struct hwsq_state *state, unsigned event, uint64_t time)
{
    if (state->driven >> event & 1)
        return state->driven_value >> event & 1;
    if (is_scheduled(state, event)) {
        bool value = false;
        for (uint32_t i = 0; i < state->edge_count && state->edges[i].time <= time; i++)
            if (state->edges[i].event == event)
                value = state->edges[i].value;
        return value;
    }
    const struct hwsq_wave *wave = wave_of(state, event);
    if (wave)
        return (time + wave->phase) % wave->period < wave->length;
    return event == HWSQ_FB_PAUSED && hwsq_paused(state, time);
}

static uint32_t hwsq_events(const struct hwsq_state *state, uint64_t time)
{
    uint32_t events = 0;
    for (unsigned event = 0; event < 32; event++)
        events |= (uint32_t)hwsq_event(state, event, time) << event;
    return events;
}

/* Does anything say how this event behaves? */
static bool is_described(const struct hwsq_state *state, unsigned event)
{
    if (state->choice.events == MODELLED || state->driven >> event & 1 || is_scheduled(state, event) ||
        wave_of(state, event))
        return true;
    return event == HWSQ_FB_PAUSED && (state->choice.pause_latency || state->choice.release_latency);
}

uint64_t hwsq_event_time(const struct hwsq_state *state, unsigned event, bool value, uint64_t now)
{
    if (!is_described(state, event) || hwsq_event(state, event, now) == value)
        return now;
    if (state->driven >> event & 1)
        return NO_TIME;
    if (is_scheduled(state, event)) {
        for (uint32_t i = 0; i < state->edge_count; i++)
            if (state->edges[i].event == event && state->edges[i].time > now && state->edges[i].value == value)
                return state->edges[i].time;
        return NO_TIME;
    }
    const struct hwsq_wave *wave = wave_of(state, event);
    if (wave) {
        uint64_t phase = (now + wave->phase) % wave->period;
        return now + (value ? wave->period : wave->length) - phase;
    }
    if (event == HWSQ_FB_PAUSED && hwsq_pause_asked(state) == value)
        return state->pause_time + (value ? state->choice.pause_latency : state->choice.release_latency);
    return NO_TIME;
}

#define DEBUG_6 0x1098
#define ENTRY_POINT 0x1304
#define STATUS 0x1308
#define TRIGGER 0x130c
#define FLAGS_0 0x1310
#define FLAGS_1 0x1314
#define ENTRY_POINT_HIGH 0x1318
#define EVENTS 0x1578
#define OLD_WINDOW 0x1400
#define OLD_WINDOW_BYTES 0x100
#define NEW_WINDOW 0x80000
#define TIME_LOW 0x9400
#define TIME_HIGH 0x9410

/* Register bits that flags force. Some flags drive the same bit of each head's register. */
static const struct target {
    uint8_t flag, bit;
    uint32_t address;
} targets[] = {
    {0, 0, 0x60081c},   {0, 0, 0x60281c},  {1, 1, 0x60081c},   {1, 1, 0x60281c},   {2, 4, 0x60081c},
    {2, 4, 0x60281c},   {3, 5, 0x60081c},  {3, 5, 0x60281c},   {4, 28, 0x680880},  {5, 28, 0x682880},
    {6, 29, 0x680880},  {7, 29, 0x682880}, {14, 28, 0x60081c}, {14, 28, 0x60281c}, {15, 29, 0x60081c},
    {15, 29, 0x60281c}, {25, 31, 0x15fc},  {26, 31, 0x15f4},   {27, 31, 0x10f0},   {28, 22, 0x1084},
    {29, 24, 0x1084},   {30, 26, 0x1084},  {31, 27, 0x1084},
};

/* Does the chipset come before another in the hardware's order, which is that of the table, or is it that one's? */
static bool comes_before(const struct gpucode_target *target, unsigned chipset)
{
    size_t index = (size_t)(target - target->isa->targets.list);
    if (index < HWSQ_GENERATIONS) /* a variant is its first chipset */
        return target->generation == HWSQ_NV17;
    return index - HWSQ_GENERATIONS < chipset;
}

static bool flag_acts(const struct gpucode_target *target, const struct hwsq_state *state, unsigned flag)
{
    enum { DATABASE, NOTES, NAMES };
    bool nv17 = target->generation == HWSQ_NV17, nv41 = target->generation == HWSQ_NV41;
    if (flag == 25 || flag == 26)
        return nv41;
    if ((flag == 4 || flag == 5) && state->choice.flag_variants == NOTES)
        return nv17 && comes_before(target, HWSQ_TARGET_NV40);
    if ((flag == 14 || flag == 15) && state->choice.flag_variants != NAMES)
        return nv41 || (nv17 && !comes_before(target, HWSQ_TARGET_NV31));
    return nv17 || nv41;
}

bool hwsq_enabled(const struct hwsq_state *state)
{
    return state->debug_6 >> 3 & 1;
}

static uint32_t overridden_value(const struct machine_core *core, const struct hwsq_state *state, uint32_t address,
                                 uint32_t value)
{
    if (!hwsq_enabled(state))
        return value;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const struct target *bit = &targets[i];
        if (bit->address != address || !(state->flag_enable >> bit->flag & 1) ||
            !flag_acts(core->target, state, bit->flag))
            continue;
        value &= ~(1u << bit->bit);
        value |= (state->flag_value >> bit->flag & 1) << bit->bit;
    }
    return value;
}

static uint32_t stored_value(const struct machine_core *core, uint32_t address)
{
    unsigned char bytes[4] = {0};
    for (unsigned i = 0; i < 4; i++)
        if (!pages_load(&core->memory, (uint64_t)address + i, &bytes[i], 1))
            bytes[i] = 0;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The code RAM byte that a window address means, or -1. */
static int64_t code_offset(const struct machine_core *core, const struct hwsq_state *state, uint32_t address)
{
    enum { BOTH, OLD, NEW };
    bool nv92 = core->target->generation == HWSQ_NV92;
    uint32_t old_bytes = state->code_bytes < OLD_WINDOW_BYTES ? state->code_bytes : OLD_WINDOW_BYTES;
    if (address >= OLD_WINDOW && address - OLD_WINDOW < old_bytes && !(nv92 && state->choice.windows == NEW))
        return address - OLD_WINDOW;
    if (nv92 && address >= NEW_WINDOW && address - NEW_WINDOW < state->code_bytes && state->choice.windows != OLD)
        return address - NEW_WINDOW;
    return -1;
}

static uint32_t flags_register(const struct hwsq_state *state, unsigned shift)
{
    return (state->flag_value >> shift & 0xffff) | (state->flag_enable >> shift & 0xffff) << 16;
}

static uint32_t status_register(const struct machine_core *core, const struct hwsq_state *state)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < state->chip->slots; i++) {
        const struct hwsq_slot *slot = &state->slot[i];
        uint32_t half = (slot->ip & 0xff) | (uint32_t)slot->running << 8 |
                        (uint32_t)(slot->illegal && state->chip->unknown_hangs) << 9;
        if (core->target->generation == HWSQ_NV92)
            half |= (slot->ip >> 8 & 1) << 10;
        value |= half << 16 * i;
    }
    return value;
}

static bool has_events(const struct machine_core *core, const struct hwsq_state *state)
{
    enum { NV41_UP_CHOICE, NV41_ONLY };
    return core->target->generation == HWSQ_NV41 ||
           (core->target->generation != HWSQ_NV17 && state->choice.events_register != NV41_ONLY);
}

static bool is_memory(const struct hwsq_state *state, uint32_t address)
{
    for (unsigned i = 0; i < state->window_count; i++)
        if (address >= state->windows[i].first && address <= state->windows[i].last)
            return true;
    return false;
}

static bool is_locked(const struct machine_core *core, const struct hwsq_state *state, uint32_t address)
{
    enum { BLOCK, IGNORE };
    if (state->choice.host_lock == IGNORE || !hwsq_paused(state, core->time))
        return false;
    return core->target->generation != HWSQ_NV41 || is_memory(state, address);
}

bool hwsq_poke_time(const struct hwsq_state *state, uint32_t address, uint64_t now, uint64_t *time)
{
    enum { PAUSED, ASKED, NEVER };
    bool asked = hwsq_pause_asked(state);
    *time = now;
    if (!is_memory(state, address) || state->choice.memory_poke == NEVER ||
        !(hwsq_paused(state, now) || (asked && state->choice.memory_poke == ASKED)))
        return true;
    *time = state->pause_time + state->choice.release_latency;
    return !asked;
}

/* HWSQ's own registers, the code RAM and the timer; false: the address is none of them. */
static bool read_own(const struct machine_core *core, const struct hwsq_state *state, uint32_t address, uint32_t *value)
{
    int64_t offset = address & 3 ? -1 : code_offset(core, state, address);
    bool nv92 = core->target->generation == HWSQ_NV92;
    *value = 0;
    if (offset >= 0) {
        *value = page_word(state->code + offset);
        return true;
    }
    switch (address) {
    case DEBUG_6:
        *value = state->debug_6;
        return true;
    case ENTRY_POINT:
        for (unsigned i = 0; i < HWSQ_ENTRIES; i++)
            *value |= (state->entry[i] & 0xff) << 8 * i;
        return true;
    case ENTRY_POINT_HIGH:
        for (unsigned i = 0; nv92 && i < HWSQ_ENTRIES; i++)
            *value |= (state->entry[i] >> 8 & 1) << 8 * i;
        return nv92;
    case STATUS:
        *value = status_register(core, state);
        return true;
    case TRIGGER: /* write only */
        return true;
    case FLAGS_0:
    case FLAGS_1:
        *value = flags_register(state, address == FLAGS_1 ? 16 : 0);
        return true;
    case EVENTS:
        *value = has_events(core, state) ? hwsq_events(state, core->time) : 0;
        return has_events(core, state);
    case TIME_LOW:
        *value = (uint32_t)(core->time << 5);
        return true;
    case TIME_HIGH:
        *value = (uint32_t)(core->time >> 27);
        return true;
    default:
        return false;
    }
}

bool hwsq_mmio_read(const struct machine_core *core, const struct hwsq_state *state, uint32_t address, uint32_t *value)
{
    if (address & 3 || is_locked(core, state, address))
        return false;
    if (read_own(core, state, address, value))
        return true;
    *value = stored_value(core, address);
    if (state->debug_6 >> 4 & 1)
        *value = overridden_value(core, state, address, *value);
    return true;
}

uint32_t hwsq_effective(const struct machine_core *core, const struct hwsq_state *state, uint32_t address)
{
    uint32_t value;
    return read_own(core, state, address, &value) ? value
                                                  : overridden_value(core, state, address, stored_value(core, address));
}

static void start_slot(struct hwsq_state *state, struct hwsq_slot *slot, unsigned entry)
{
    enum { RESTART, IGNORE };
    enum { KEEP, CLEAR };
    if (slot->running && state->choice.start_running == IGNORE)
        return;
    slot->ip = state->entry[entry];
    slot->running = true;
    slot->illegal = slot->begun = false;
    slot->hold = HWSQ_FREE;
    if (state->choice.addr_data == CLEAR)
        slot->address = slot->data = 0;
}

static void abort_slot(const struct machine_core *core, struct hwsq_state *state, struct hwsq_slot *slot)
{
    if (!slot->running)
        return;
    bool waits = slot->hold == HWSQ_IN_WAIT ? core->time < slot->until : slot->hold == HWSQ_IN_EWAIT;
    if (state->choice.abort_quirk && state->chip->unknown_hangs && waits && !slot->illegal) {
        slot->illegal = true;
        slot->hold = HWSQ_FREE;
        return;
    }
    slot->running = slot->illegal = false;
    slot->hold = HWSQ_FREE;
}

static void write_trigger(const struct machine_core *core, struct hwsq_state *state, uint32_t value)
{
    struct hwsq_slot *slot = &state->slot[state->chip->slots == 2 && !(value >> 1 & 1)];
    if (value & 1)
        start_slot(state, slot, value >> 2 & 3);
    else
        abort_slot(core, state, slot);
}

static void write_flags(const struct machine_core *core, struct hwsq_state *state, unsigned shift, uint32_t value)
{
    uint32_t mask = UINT32_C(0xffff) << shift;
    uint32_t flags = (state->flag_value & ~mask) | (value & 0xffff) << shift;
    uint32_t enables = (state->flag_enable & ~mask) | value >> 16 << shift;
    bool asks = state->has_pause && flags & enables & 1u << HWSQ_FB_PAUSE;
    if (asks != hwsq_pause_asked(state))
        hwsq_pause_changes(state, core->time);
    state->flag_value = flags;
    state->flag_enable = enables;
}

bool hwsq_mmio_write(struct machine_core *core, struct hwsq_state *state, uint32_t address, uint32_t value, bool host)
{
    enum { AT_ONCE, WHEN_STOPPED };
    enum { ACTS, IGNORED };
    if (host && (address & 3 || is_locked(core, state, address)))
        return false;
    bool running = state->slot[0].running || state->slot[1].running;
    bool late = host && running && state->choice.host_write == WHEN_STOPPED;
    bool plain_only = !host && state->choice.self_poke == IGNORED;
    int64_t offset = address & 3 ? -1 : code_offset(core, state, address);
    if (offset >= 0) {
        if (late)
            return false;
        if (!plain_only)
            page_set_word(state->code + offset, value);
        return true;
    }
    bool nv92 = core->target->generation == HWSQ_NV92;
    bool own =
        address == DEBUG_6 || (address >= ENTRY_POINT && address <= FLAGS_1) || (nv92 && address == ENTRY_POINT_HIGH);
    if (own && plain_only)
        return true;
    switch (address) {
    case DEBUG_6:
        state->debug_6 = value;
        return true;
    case ENTRY_POINT:
        for (unsigned i = 0; i < HWSQ_ENTRIES; i++)
            state->entry[i] = (state->entry[i] & ~0xffu) | (value >> 8 * i & 0xff);
        return true;
    case ENTRY_POINT_HIGH:
        if (!nv92)
            break;
        for (unsigned i = 0; i < HWSQ_ENTRIES; i++)
            state->entry[i] = (state->entry[i] & 0xff) | (value >> 8 * i & 1) << 8;
        return true;
    case STATUS: /* read only */
        return true;
    case TRIGGER:
        write_trigger(core, state, value);
        return true;
    case FLAGS_0:
    case FLAGS_1:
        if (late)
            return false;
        write_flags(core, state, address == FLAGS_1 ? 16 : 0, value);
        return true;
    }
    unsigned char bytes[4];
    page_set_word(bytes, value);
    return pages_store(&core->memory, address, bytes, 4);
}
