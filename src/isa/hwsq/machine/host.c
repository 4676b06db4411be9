/* SPDX-License-Identifier: MIT */
/* The HWSQ machine's plug into the machine room: slots and registers as the host sees them. */
#include "isa/hwsq/machine/machine.h"

#include "base/text.h"
#include "isa/scan.h"

#include <string.h>

static const char *slot_name(const void *state, unsigned index)
{
    static const char *const names[] = {"A", "B"};
    return index < ((const struct hwsq_state *)state)->chip->slots ? names[index] : NULL;
}

static unsigned slot_section(const void *state, unsigned index)
{
    (void)state;
    (void)index;
    return 0;
}

static uint64_t slot_ip(const void *state, unsigned index)
{
    return ((const struct hwsq_state *)state)->slot[index].ip;
}

/* The slot runs from there on. */
static bool set_pc(void *opaque, unsigned index, uint64_t where)
{
    struct hwsq_state *state = opaque;
    if (where >= state->code_bytes)
        return false;
    struct hwsq_slot *slot = &state->slot[index];
    slot->ip = (uint32_t)where;
    slot->running = true;
    slot->illegal = slot->begun = false;
    slot->hold = HWSQ_FREE;
    state->seen = false;
    return true;
}

static uint32_t *slot_register(struct hwsq_slot *slot, uint32_t number)
{
    return number == HWSQ_GENERAL_IP     ? &slot->ip
           : number == HWSQ_GENERAL_ADDR ? &slot->address
           : number == HWSQ_GENERAL_DATA ? &slot->data
                                         : NULL;
}

static bool read_register(const struct machine_core *core, const void *opaque, unsigned index, unsigned space,
                          uint32_t number, uint32_t *value)
{
    const struct hwsq_state *state = opaque;
    struct hwsq_slot slot = state->slot[index];
    const uint32_t *plain = slot_register(&slot, number);
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        if (number >= HWSQ_GENERAL_COUNT)
            return false;
        *value = plain ? *plain : number == HWSQ_GENERAL_RUNNING ? slot.running : slot.illegal;
        return true;
    case GPUCODE_SPACE_FLAG:
        if (number > 31)
            return false;
        *value = (state->flag_enable >> number & 1) << 1 | (state->flag_value >> number & 1);
        return true;
    case GPUCODE_SPACE_EVENT:
        if (number > 31)
            return false;
        *value = hwsq_event(state, number, core->time);
        return true;
    case GPUCODE_SPACE_GPU:
        return hwsq_mmio_read(core, state, number, value);
    case HWSQ_SPACE_EFFECTIVE:
        *value = hwsq_effective(core, state, number);
        return true;
    default:
        return false;
    }
}

static bool write_register(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number,
                           uint32_t value)
{
    struct hwsq_state *state = opaque;
    uint32_t *plain = slot_register(&state->slot[index], number);
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        if (!plain)
            return false;
        *plain = value;
        return true;
    case GPUCODE_SPACE_FLAG:
        if (number > 31 || value > 3)
            return false;
        if (number == HWSQ_FB_PAUSE && state->has_pause && (value == 3) != hwsq_pause_asked(state))
            hwsq_pause_changes(state, core->time);
        state->flag_enable = (state->flag_enable & ~(UINT32_C(1) << number)) | value >> 1 << number;
        state->flag_value = (state->flag_value & ~(UINT32_C(1) << number)) | (value & 1) << number;
        return true;
    case GPUCODE_SPACE_EVENT: /* 0 and 1 hold the event there, 2 lets it go */
        if (number > 31 || value > 2)
            return false;
        state->driven = (state->driven & ~(UINT32_C(1) << number)) | (uint32_t)(value < 2) << number;
        state->driven_value = (state->driven_value & ~(UINT32_C(1) << number)) | (value & 1) << number;
        return true;
    case GPUCODE_SPACE_GPU:
        return hwsq_mmio_write(core, state, number, value, true);
    default:
        return false;
    }
}

static bool space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    static const struct {
        unsigned space;
        struct gpucode_space_info info;
    } spaces[] = {
        {GPUCODE_SPACE_GENERAL, {"general", "", HWSQ_GENERAL_COUNT}},
        {GPUCODE_SPACE_FLAG, {"flag", "#", 32, .shared = true}},
        {GPUCODE_SPACE_EVENT, {"event", "#", 32, .shared = true}},
        {GPUCODE_SPACE_GPU, {"gpu", "", UINT32_MAX, .shared = true, .addressed = true}},
        {HWSQ_SPACE_EFFECTIVE, {"effective", "", UINT32_MAX, .shared = true, .addressed = true, .effective = true}},
    };
    (void)core;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (spaces[i].space == space) {
            *info = spaces[i].info;
            return true;
        }
    return false;
}

static const char *const general_names[HWSQ_GENERAL_COUNT] = {"IP", "RUNNING", "ILLEGAL", "ADDR", "DATA"};

/* "event5", "FLAG31": those without a name are found too. */
static bool find_numbered(const char *name, size_t length, unsigned *space, uint32_t *number)
{
    static const struct {
        const char *word;
        enum gpucode_space space;
    } words[] = {{"event", GPUCODE_SPACE_EVENT}, {"flag", GPUCODE_SPACE_FLAG}};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        size_t begin = strlen(words[i].word), digits = length - begin;
        if (length <= begin || digits > 2 || strncasecmp(name, words[i].word, begin) != 0)
            continue;
        const char *at = name + begin;
        if (at[0] < '0' || at[0] > '9' || (digits == 2 && (at[0] == '0' || at[1] < '0' || at[1] > '9')))
            return false;
        *number = (uint32_t)(at[0] - '0');
        if (digits == 2)
            *number = 10 * *number + (uint32_t)(at[1] - '0');
        *space = words[i].space;
        return *number < 32;
    }
    return false;
}

static bool find_register(const struct machine_core *core, const char *name, size_t length, unsigned *space,
                          uint32_t *number)
{
    for (unsigned i = 0; i < HWSQ_GENERAL_COUNT; i++)
        if (strlen(general_names[i]) == length && memcmp(general_names[i], name, length) == 0) {
            *space = GPUCODE_SPACE_GENERAL;
            *number = i;
            return true;
        }
    static const enum gpucode_space spaces[] = {GPUCODE_SPACE_FLAG, GPUCODE_SPACE_EVENT, GPUCODE_SPACE_GPU};
    bool hash = length && *name == '#';
    for (unsigned i = 0; i < 3; i++)
        if (!(hash && spaces[i] == GPUCODE_SPACE_GPU) &&
            isa_number_of(core->target->names, core->names, spaces[i], name + hash, length - hash, number)) {
            *space = spaces[i];
            return true;
        }
    if (find_numbered(name + hash, length - hash, space, number))
        return true;
    struct isa_scan scan = {.at = name, .end = name + length, .isa = core->target->isa, .target = core->target};
    uint64_t value;
    if (!isa_number(&scan, &value) || scan.at != scan.end || value > UINT32_MAX)
        return false;
    *space = GPUCODE_SPACE_GPU;
    *number = (uint32_t)value;
    return true;
}

static size_t register_name(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    if (space == GPUCODE_SPACE_GENERAL)
        return number < HWSQ_GENERAL_COUNT ? (size_t)(text_string(text, general_names[number]) - text) : 0;
    if (space == HWSQ_SPACE_EFFECTIVE)
        space = GPUCODE_SPACE_GPU;
    if (space >= GPUCODE_SPACE_COUNT)
        return 0;
    return (size_t)(isa_name_of(core->target->names, core->names, (enum gpucode_space)space, number, text) - text);
}

static bool set_break(struct machine_core *core, void *opaque, unsigned index, uint64_t where, bool on)
{
    struct hwsq_state *state = opaque;
    (void)core;
    if (where >= state->code_bytes)
        return false;
    state->breaks[index * (size_t)state->code_bytes + where] = on;
    return true;
}

static uint8_t *coverage_map(const void *opaque, unsigned index, size_t *units)
{
    const struct hwsq_state *state = opaque;
    *units = state->code_bytes;
    return state->covered + index * (size_t)state->code_bytes;
}

const struct isa_machine hwsq_machine = {
    .state_size = sizeof(struct hwsq_state),
    .measure = hwsq_measure,
    .policies = hwsq_policies,
    .create = hwsq_create,
    .run = hwsq_run_slots,
    .processor = slot_name,
    .section = slot_section,
    .pc = slot_ip,
    .set_pc = set_pc,
    .read = read_register,
    .write = write_register,
    .space = space_info,
    .find = find_register,
    .name = register_name,
    .set_break = set_break,
    .covered = coverage_map,
    .has_edges = true,
};
