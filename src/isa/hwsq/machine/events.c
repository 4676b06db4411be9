/* SPDX-License-Identifier: MIT */
/* Events in time: what the host drives, the schedule, the heads' blanking, and FB_PAUSED. */
#include "isa/hwsq/machine/machine.h"

#define NEVER UINT64_MAX

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

bool hwsq_paused(const struct hwsq_state *state, uint64_t time)
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

uint32_t hwsq_events(const struct hwsq_state *state, uint64_t time)
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
        return NEVER;
    if (is_scheduled(state, event)) {
        for (uint32_t i = 0; i < state->edge_count; i++)
            if (state->edges[i].event == event && state->edges[i].time > now && state->edges[i].value == value)
                return state->edges[i].time;
        return NEVER;
    }
    const struct hwsq_wave *wave = wave_of(state, event);
    if (wave) {
        uint64_t phase = (now + wave->phase) % wave->period;
        return now + (value ? wave->period : wave->length) - phase;
    }
    if (event == HWSQ_FB_PAUSED && hwsq_pause_asked(state) == value)
        return state->pause_time + (value ? state->choice.pause_latency : state->choice.release_latency);
    return NEVER;
}
