/* SPDX-License-Identifier: MIT */
/* The MME machine: looking into it and changing it from outside. */
#include "isa/mme/machine/machine.h"

#include "base/text.h"
#include "isa/scan.h"

#include <string.h>

static const char *const special_names[MME_SPECIALS] = {"CARRY", "METHOD", "INCREMENT", "HAS_METHOD", "LEFT"};

const char *mme_processor(const void *opaque, unsigned index)
{
    (void)opaque;
    return index == 0 ? "MME" : NULL;
}

unsigned mme_section(const void *opaque, unsigned index)
{
    (void)opaque;
    (void)index;
    return 0;
}

uint64_t mme_pc(const void *opaque, unsigned index)
{
    (void)index;
    return ((const struct mme_state *)opaque)->pc;
}

/* The macro goes on from there: what was to be done after the next word is forgotten. */
bool mme_set_pc(void *opaque, unsigned index, uint64_t pc)
{
    struct mme_state *state = opaque;
    (void)index;
    if (pc >= state->units)
        return false;
    state->pc = (uint32_t)pc;
    state->after = MME_GO_ON;
    state->behind_branch = state->ended = state->seen = false;
    return true;
}

uint32_t mme_shadow(const struct machine_core *core, uint32_t address)
{
    const unsigned char *page = pages_find(&core->files, address);
    return page ? page_word(page + (address & (PAGE_SIZE - 1))) : 0;
}

bool mme_read(const struct machine_core *core, const void *opaque, unsigned index, unsigned space, uint32_t number,
              uint32_t *value)
{
    const struct mme_state *state = opaque;
    (void)index;
    if (space == GPUCODE_SPACE_GENERAL && number < MME_REGISTERS)
        *value = state->registers[number];
    else if (space == MME_SPACE_SPECIAL && number < MME_LEFT)
        *value = state->special[number];
    else if (space == MME_SPACE_SPECIAL && number == MME_LEFT)
        *value = (uint32_t)(state->fed - state->taken);
    else if (space == GPUCODE_SPACE_GPU && number < 0x10000 && number % 4 == 0)
        *value = mme_shadow(core, number);
    else
        return false;
    return true;
}

bool mme_write(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number, uint32_t value)
{
    static const uint32_t limits[MME_LEFT] = {
        [MME_CARRY] = 1, [MME_METHOD] = 0xffff, [MME_INCREMENT] = 0xfc, [MME_HAS_METHOD] = 1};
    struct mme_state *state = opaque;
    (void)index;
    if (space == GPUCODE_SPACE_GENERAL && number && number < MME_REGISTERS) {
        state->registers[number] = value;
        return true;
    }
    if (space == MME_SPACE_SPECIAL && number < MME_LEFT && value <= limits[number]) {
        state->special[number] = value;
        return true;
    }
    unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                              (unsigned char)(value >> 24)};
    return space == GPUCODE_SPACE_GPU && number < 0x10000 && number % 4 == 0 &&
           pages_store(&core->files, number, bytes, 4);
}

bool mme_space(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    (void)core;
    if (space == GPUCODE_SPACE_GENERAL)
        *info = (struct gpucode_space_info){.name = "general", .prefix = "$", .count = MME_REGISTERS};
    else if (space == GPUCODE_SPACE_GPU)
        *info = (struct gpucode_space_info){
            .name = "method", .prefix = "", .count = 0x10000, .shared = true, .addressed = true};
    else if (space == MME_SPACE_SPECIAL)
        *info = (struct gpucode_space_info){.name = "special", .prefix = "", .count = MME_SPECIALS};
    else
        return false;
    return true;
}

bool mme_find(const struct machine_core *core, const char *name, size_t length, unsigned *space, uint32_t *number)
{
    if (mme_own_register(name, length, space, number))
        return *number != UINT32_MAX;
    for (unsigned i = 0; i < MME_SPECIALS; i++)
        if (strlen(special_names[i]) == length && memcmp(special_names[i], name, length) == 0) {
            *space = MME_SPACE_SPECIAL;
            *number = i;
            return true;
        }
    *space = GPUCODE_SPACE_GPU;
    if (isa_number_of(core->target->names, core->names, GPUCODE_SPACE_GPU, name, length, number))
        return true;
    struct isa_scan scan = {.at = name, .end = name + length, .isa = core->target->isa, .target = core->target};
    uint64_t value;
    if (!isa_number(&scan, &value) || scan.at != scan.end || value > 0xffff || value % 4)
        return false;
    *number = (uint32_t)value;
    return true;
}

size_t mme_name(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    if (space == GPUCODE_SPACE_GENERAL && number < MME_REGISTERS) {
        char *end = TEXT_LITERAL(text, "$r");
        *end++ = (char)('0' + number);
        return (size_t)(end - text);
    }
    if (space == MME_SPACE_SPECIAL && number < MME_SPECIALS)
        return (size_t)(text_string(text, special_names[number]) - text);
    if (space != GPUCODE_SPACE_GPU)
        return 0;
    return (size_t)(isa_name_of(core->target->names, core->names, GPUCODE_SPACE_GPU, number, text) - text);
}

/* The first parameter is the one that starts the macro: it is in $r1 when the first word runs. */
bool mme_feed(struct machine_core *core, void *opaque, unsigned index, const uint32_t *words, size_t count)
{
    struct mme_state *state = opaque;
    (void)index;
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4] = {(unsigned char)words[i], (unsigned char)(words[i] >> 8),
                                  (unsigned char)(words[i] >> 16), (unsigned char)(words[i] >> 24)};
        if (!pages_store(&core->files, MME_PARAMETERS + 4 * state->fed, bytes, 4))
            return false;
        if (!state->fed++ && !state->begun) {
            state->registers[1] = words[i];
            state->taken = 1;
        }
    }
    return true;
}

bool mme_set_break(struct machine_core *core, void *opaque, unsigned index, uint64_t pc, bool on)
{
    struct mme_state *state = opaque;
    (void)core;
    (void)index;
    if (pc >= state->units)
        return false;
    state->breaks[pc] = on;
    return true;
}

uint8_t *mme_covered(const void *opaque, unsigned index, size_t *units)
{
    const struct mme_state *state = opaque;
    (void)index;
    *units = state->units;
    return state->covered;
}

bool mme_pending(const struct machine_core *core, const void *opaque, unsigned index, uint64_t *target)
{
    const struct mme_state *state = opaque;
    (void)core;
    (void)index;
    if (state->after == MME_GO_ON)
        return false;
    *target = state->after == MME_JUMP ? state->target : UINT64_MAX;
    return true;
}
