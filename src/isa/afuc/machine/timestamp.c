/* SPDX-License-Identifier: MIT */
/*
 * What an event writes when it is done (register database: EVENT_CMD, EVENT_TS_CTRL). Events are done at once here.
 * Each write is three pipe registers, EVENT_TS_ADDR, EVENT_TS_CTRL and EVENT_TS_DATA; an a7xx's event has up to three.
 */
#include "afuc_messages.h"
#include "isa/afuc/machine/exec.h"

/* EVENT_CMD */
#define A6XX_TS_WRITE 4
#define A7XX_TS_WRITE_COUNT(value) ((value) >> 3 & 3)
/* EVENT_TS_CTRL of a6xx, and of a7xx */
#define A6XX_TIMESTAMP 2
#define A7XX_MEMSPACE(value) ((value)&7)
#define A7XX_VALUE(value) ((value) >> 3 & 7)
enum { EXTERNAL_MEMORY = 1, ON_CHIP_MEMORY, CLEAR_RENDER, CLEAR_LRZ };
enum { NO_VALUE, DATA_32, DATA_64, ALWAYS_ON, REGISTER };

static bool write_words(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_stamp *stamp, bool on_chip,
                        uint64_t value, unsigned words)
{
    enum { INDEX, NUMBER, NONE };
    uint64_t address = stamp->low | (uint64_t)stamp->high << 32;
    for (unsigned i = 0; i < words; i++) {
        uint32_t word = (uint32_t)(value >> 32 * i);
        uint32_t number = stamp->low + i + (m->setup->stamp_on_chip == INDEX ? SHARED_FIRST : 0);
        if (!on_chip && !afuc_memory_write(m, p, address + 4 * i, word))
            return false;
        bool shared = number >= SHARED_FIRST && number < m->setup->shared_end;
        if (!on_chip || m->setup->stamp_on_chip == NONE)
            continue;
        if (!shared) {
            afuc_unknown(m, p, MSG_AFUC_EVENT_ON_CHIP, stamp->low + i);
            return false;
        }
        if (!afuc_control_write(m, p, number, word))
            return false;
    }
    return true;
}

static bool write_stamp(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_stamp *stamp)
{
    uint64_t data = stamp->data[0] | (uint64_t)stamp->data[1] << 32;
    if (m->setup->generation == AFUC_A6XX) {
        bool counter = stamp->control & A6XX_TIMESTAMP;
        return write_words(m, p, stamp, false, counter ? afuc_time(m) : data, counter ? 2 : 1);
    }
    unsigned space = A7XX_MEMSPACE(stamp->control), value = A7XX_VALUE(stamp->control);
    if (space > CLEAR_LRZ) {
        afuc_unknown(m, p, MSG_AFUC_EVENT_SPACE, space);
        return false;
    }
    if ((space != EXTERNAL_MEMORY && space != ON_CHIP_MEMORY) || value == NO_VALUE)
        return true;
    if (value >= REGISTER) {
        afuc_unknown(m, p, MSG_AFUC_EVENT_VALUE, value);
        return false;
    }
    return write_words(m, p, stamp, space == ON_CHIP_MEMORY, value == ALWAYS_ON ? afuc_time(m) : data,
                       value == DATA_32 ? 1 : 2);
}

/* Is the last word of the three registers here? */
static bool is_complete(const struct afuc_machine *m, const struct afuc_processor *p, unsigned number)
{
    bool wide = m->setup->generation != AFUC_A6XX && A7XX_VALUE(p->pipe[m->setup->pipe_stamp_control]) == DATA_64;
    return number == (unsigned)m->setup->pipe_stamp_data + wide;
}

static struct afuc_stamp stamp_now(const struct afuc_machine *m, const struct afuc_processor *p)
{
    const uint32_t *at = &p->pipe[m->setup->pipe_stamp_address], *data = &p->pipe[m->setup->pipe_stamp_data];
    bool wide = m->setup->generation != AFUC_A6XX;
    return (struct afuc_stamp){at[0], at[1], p->pipe[m->setup->pipe_stamp_control], {data[0], wide ? data[1] : 0}};
}

/* A command: what came before it is written, or what comes after it will be. */
static bool take_command(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    unsigned count = m->setup->generation == AFUC_A6XX ? (value & A6XX_TS_WRITE) != 0 : A7XX_TS_WRITE_COUNT(value);
    unsigned queued = p->stamp_count, first = queued > count ? queued - count : 0;
    p->stamp_count = 0;
    p->stamps_due = m->setup->stamps_follow ? (uint8_t)count : 0;
    for (unsigned i = first; i < queued && !m->setup->stamps_follow; i++)
        if (!write_stamp(m, p, &p->stamps[i]))
            return false;
    return true;
}

bool afuc_event_write(struct afuc_machine *m, struct afuc_processor *p, unsigned number, uint32_t value)
{
    if (number == m->setup->pipe_event)
        return take_command(m, p, value);
    if (!is_complete(m, p, number))
        return true;
    struct afuc_stamp stamp = stamp_now(m, p);
    if (m->setup->stamps_follow) {
        bool due = p->stamps_due;
        if (due)
            p->stamps_due--;
        return !due || write_stamp(m, p, &stamp);
    }
    if (p->stamp_count == STAMPS_MAX)
        for (unsigned i = 1; i < STAMPS_MAX; i++)
            p->stamps[i - 1] = p->stamps[i];
    if (p->stamp_count == STAMPS_MAX)
        p->stamp_count--;
    p->stamps[p->stamp_count++] = stamp;
    return true;
}
