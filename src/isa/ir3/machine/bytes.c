/* SPDX-License-Identifier: MIT */
/* Bytes of global, local and private memory. */
#include "ir3_messages.h"
#include "isa/ir3/machine/access.h"

uint64_t ir3_bound_address(const struct ir3_bound *bound)
{
    return bound->field[GPUCODE_IR3_BUFFER_ADDRESS] | (uint64_t)bound->field[GPUCODE_IR3_BUFFER_HIGH] << 32;
}

unsigned ir3_type_bytes(unsigned type)
{
    return type >= IR3_U8 ? 1 : IR3_HALF_TYPES >> type & 1 ? 2 : 4;
}

static bool read_place(struct pages *pages, uint64_t place, unsigned bytes, uint64_t *value)
{
    unsigned char raw[8] = {0};
    bool good = pages_load(pages, place, raw, bytes);
    *value = page_word(raw) | (uint64_t)page_word(raw + 4) << 32;
    return good;
}

/* Where the bytes lie in the pages; false with the machine halted. */
static bool find_place(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, uint64_t *place)
{
    static const char *const names[] = {"global", "local", "private"};
    const struct ir3_choices *choice = &run->state->choice;
    uint64_t size = space == IR3_LOCAL ? choice->local_bytes : choice->private_bytes;
    if (space == IR3_GLOBAL) {
        *place = address;
        if (choice->unmapped_maps)
            pages_map(&run->core->memory, address, bytes);
        return true;
    }
    if (space == IR3_LOCAL && choice->local_wraps && (address > size || bytes > size - address))
        address = 0;
    *place = address + (space == IR3_LOCAL ? IR3_LOCAL_BASE : IR3_PRIVATE_BASE(run->index));
    if (bytes <= size && address <= size - bytes)
        return true;
    IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_NO_MEMORY, names[space], (unsigned long long)address);
    return false;
}

/* Asks the host; true: it has done the access. */
static bool host_does(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, bool write,
                      uint64_t *value)
{
    if (!run->core->access || space != IR3_GLOBAL || bytes > 4)
        return false;
    const struct gpucode_access access = {
        .processor = run->index, .pc = run->at, .address = address, .bytes = bytes, .write = write};
    uint32_t word = (uint32_t)*value;
    bool done = run->core->access(run->core->access_user, run->core->machine, &access, &word);
    if (done && !write)
        *value = bytes < 4 ? word & ((UINT32_C(1) << 8 * bytes) - 1) : word;
    return done;
}

/* Can a word be read or written where it lies: nobody watches, and no page is made for it? */
static bool is_plain(const struct ir3_run *run, enum ir3_space space)
{
    bool watched = run->core->hook_kinds & (GPUCODE_EVENT_MEM_READ | GPUCODE_EVENT_MEM_WRITE);
    return !watched && (space != IR3_GLOBAL || (!run->core->access && !run->state->choice.unmapped_maps));
}

static inline struct pages *pages_of(const struct ir3_run *run, enum ir3_space space)
{
    return space == IR3_GLOBAL ? &run->core->memory : &run->core->files;
}

/* Where a whole word lies that is not outside of its memory; false: the long way finds out. */
static inline bool find_word(const struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned fiber,
                             uint64_t *place)
{
    const struct ir3_choices *choice = &run->state->choice;
    uint64_t size = space == IR3_LOCAL ? choice->local_bytes : choice->private_bytes;
    *place = address + (space == IR3_GLOBAL ? 0 : space == IR3_LOCAL ? IR3_LOCAL_BASE : IR3_PRIVATE_BASE(fiber));
    return address % 4 == 0 && (space == IR3_GLOBAL || (size >= 4 && address <= size - 4));
}

bool ir3_read_words(struct ir3_run *run, enum ir3_space space, const uint64_t *addresses, uint64_t offset,
                    uint32_t *values)
{
    struct pages *pages = pages_of(run, space);
    const bool plain = is_plain(run, space);
    for (unsigned i = 0; i < run->lanes; i++) {
        uint64_t place, value;
        if (plain && find_word(run, space, addresses[i] + offset, run->lane[i], &place) &&
            pages_read(pages, place, &values[i]))
            continue;
        run->index = run->lane[i];
        if (!ir3_read_bytes(run, space, addresses[i] + offset, 4, &value))
            return false;
        values[i] = (uint32_t)value;
    }
    return true;
}

bool ir3_read_bytes(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, uint64_t *value)
{
    uint64_t place;
    uint32_t word;
    *value = 0;
    if (bytes == 4 && is_plain(run, space) && find_word(run, space, address, run->index, &place) &&
        pages_read(pages_of(run, space), place, &word)) {
        *value = word;
        return true;
    }
    if (!host_does(run, space, address, bytes, false, value)) {
        if (!find_place(run, space, address, bytes, &place))
            return false;
        if (!read_place(pages_of(run, space), place, bytes, value)) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_NO_MEMORY, "global", (unsigned long long)address);
            return false;
        }
    }
    if (run->core->hook_kinds & GPUCODE_EVENT_MEM_READ)
        ir3_raise(run, GPUCODE_EVENT_MEM_READ, run->index, (unsigned)space, address, *value, 0);
    return true;
}

bool ir3_write_bytes(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, uint64_t value)
{
    uint64_t place, old = 0, given = bytes < 8 ? value & ((UINT64_C(1) << 8 * bytes) - 1) : value;
    unsigned char raw[8];
    if (bytes == 4 && is_plain(run, space) && find_word(run, space, address, run->index, &place) &&
        pages_write(pages_of(run, space), place, (uint32_t)given))
        return true;
    if (!host_does(run, space, address, bytes, true, &given)) {
        struct pages *pages = pages_of(run, space);
        if (!find_place(run, space, address, bytes, &place))
            return false;
        if (!read_place(pages, place, bytes, &old)) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_NO_MEMORY, "global", (unsigned long long)address);
            return false;
        }
        page_set_word(raw, (uint32_t)given);
        page_set_word(raw + 4, (uint32_t)(given >> 32));
        if (!pages_store(pages, place, raw, bytes))
            return false; /* the room reports the lack of memory */
    }
    if (run->core->hook_kinds & GPUCODE_EVENT_MEM_WRITE)
        ir3_raise(run, GPUCODE_EVENT_MEM_WRITE, run->index, (unsigned)space, address, given, old);
    return true;
}
