/* SPDX-License-Identifier: MIT */
/* Bytes of global, local and private memory. */
#include "isa/ir3/machine/image.h"

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

bool ir3_read_bytes(struct ir3_run *run, enum ir3_space space, uint64_t address, unsigned bytes, uint64_t *value)
{
    uint64_t place;
    *value = 0;
    if (!host_does(run, space, address, bytes, false, value)) {
        struct pages *pages = space == IR3_GLOBAL ? &run->core->memory : &run->core->files;
        if (!find_place(run, space, address, bytes, &place))
            return false;
        if (!read_place(pages, place, bytes, value)) {
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
    if (!host_does(run, space, address, bytes, true, &given)) {
        struct pages *pages = space == IR3_GLOBAL ? &run->core->memory : &run->core->files;
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
