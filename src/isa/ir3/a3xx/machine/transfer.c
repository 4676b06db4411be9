/* SPDX-License-Identifier: MIT */
/* Category 6: loads, stores and atomic operations on global, local and private memory. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/machine/group.h"
#include "isa/ir3/a3xx/machine/machine.h"

static unsigned type_of(const struct a3xx_op *op)
{
    return A3XX_FIELD(op->bits, MEMORY_TYPE);
}

static struct pages *pages_of(struct a3xx_run *run, enum a3xx_space space)
{
    return space == A3XX_GLOBAL ? &run->core->memory : &run->core->files;
}

/* A value of up to 4 bytes; false: part of it is not mapped. */
static bool read_place(struct pages *pages, uint64_t place, unsigned bytes, uint32_t *value)
{
    unsigned char raw[4] = {0};
    if (bytes == 4 && place % 4 == 0)
        return pages_read(pages, place, value);
    bool good = pages_load(pages, place, raw, bytes);
    *value = page_word(raw);
    return good;
}

/* Where the bytes of an access lie in the pages, and what they are; false with the machine halted. */
static bool find_place(struct a3xx_run *run, enum a3xx_space space, int64_t address, unsigned bytes, uint64_t *place,
                       uint32_t *value)
{
    static const char *const names[] = {"global", "local", "private"};
    const struct a3xx_choices *choice = &run->state->choice;
    int64_t size = a3xx_space_size(choice, space);
    uint64_t base = space == A3XX_GLOBAL ? 0 : space == A3XX_LOCAL ? A3XX_LOCAL_BASE : A3XX_PRIVATE_BASE(run->index);
    *place = base + (uint64_t)address;
    bool inside = address >= 0 && address + bytes <= size;
    if (inside && space == A3XX_GLOBAL && choice->unmapped_maps)
        inside = pages_map(&run->core->memory, *place, bytes);
    if (inside && read_place(pages_of(run, space), *place, bytes, value))
        return true;
    A3XX_HALT(run, GPUCODE_STOP_FAULT, MSG_A3XX_MEMORY, names[space], (long long)address);
    return false;
}

/* Asks the host; true: it has done the access. */
static bool host_does(struct a3xx_run *run, enum a3xx_space space, int64_t address, unsigned bytes, bool write,
                      uint32_t *value)
{
    if (!run->core->access || space != A3XX_GLOBAL || address < 0 || address + bytes > INT64_C(1) << 32)
        return false;
    const struct gpucode_access access = {
        .processor = run->index, .pc = run->at, .address = (uint64_t)address, .bytes = bytes, .write = write};
    return run->core->access(run->core->access_user, run->core->machine, &access, value);
}

static bool read_bytes(struct a3xx_run *run, enum a3xx_space space, int64_t address, unsigned bytes, uint32_t *value)
{
    uint64_t place;
    *value = 0;
    if (host_does(run, space, address, bytes, false, value))
        *value &= bytes < 4 ? (UINT32_C(1) << 8 * bytes) - 1 : UINT32_MAX;
    else if (!find_place(run, space, address, bytes, &place, value))
        return false;
    if (run->core->hook_kinds & GPUCODE_EVENT_MEM_READ)
        a3xx_raise_event(run, GPUCODE_EVENT_MEM_READ, (unsigned)space, (uint64_t)address, *value, 0);
    return true;
}

static bool write_bytes(struct a3xx_run *run, enum a3xx_space space, int64_t address, unsigned bytes, uint32_t value)
{
    uint64_t place;
    unsigned char raw[4];
    uint32_t old = 0;
    uint32_t given = bytes < 4 ? value & ((UINT32_C(1) << 8 * bytes) - 1) : value;
    if (!host_does(run, space, address, bytes, true, &given)) {
        struct pages *pages = pages_of(run, space);
        if (!find_place(run, space, address, bytes, &place, &old))
            return false;
        page_set_word(raw, value);
        bool aligned = bytes == 4 && place % 4 == 0;
        if (!(aligned ? pages_write(pages, place, value) : pages_store(pages, place, raw, bytes)))
            return false; /* the room reports the lack of memory */
    }
    if (run->core->hook_kinds & GPUCODE_EVENT_MEM_WRITE)
        a3xx_raise_event(run, GPUCODE_EVENT_MEM_WRITE, (unsigned)space, (uint64_t)address, value, old);
    return true;
}

void a3xx_load(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_space space)
{
    unsigned type = type_of(op), bytes = a3xx_transfer_bytes(op), count = A3XX_FIELD(op->bits, COMPONENTS);
    int64_t address = (int64_t)a3xx_fetch_component(run, &op->source[0], 0) + a3xx_transfer_offset(op, false, false);
    for (unsigned i = 0; i < count && !run->halted; i++) {
        uint32_t value;
        if (!read_bytes(run, space, address + (int64_t)i * bytes, bytes, &value))
            return;
        if (type == A3XX_S8)
            value = (uint16_t)(int8_t)value;
        struct a3xx_operand result = op->result;
        result.slow |= A3XX_SLOW_RANGE;
        a3xx_put(run, &result, i, value);
    }
}

void a3xx_store(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_space space, bool direct)
{
    unsigned bytes = a3xx_transfer_bytes(op), count = A3XX_FIELD(op->bits, COMPONENTS);
    int offset = a3xx_transfer_offset(op, true, direct);
    int64_t address =
        (int64_t)a3xx_fetch_component(run, &op->source[0], 0) + offset; /* the address stands first in the text */
    for (unsigned i = 0; i < count && !run->halted; i++) {
        uint32_t value = a3xx_fetch_component(run, &op->source[1], i);
        if (run->halted || !write_bytes(run, space, address + (int64_t)i * bytes, bytes, value))
            return;
    }
}

static uint32_t atomic_result(enum a3xx_atomic action, bool is_signed, uint32_t old, uint32_t data, uint32_t compared)
{
    bool less = is_signed ? (int32_t)old < (int32_t)data : old < data;
    switch (action) {
    case A3XX_ADD:
        return old + data;
    case A3XX_SUB:
        return old - data;
    case A3XX_XCHG:
        return data;
    case A3XX_INC:
        return old + 1;
    case A3XX_DEC:
        return old - 1;
    case A3XX_CMPXCHG:
        return old == compared ? data : old;
    case A3XX_MIN:
        return less ? old : data;
    case A3XX_MAX:
        return less ? data : old;
    case A3XX_AND:
        return old & data;
    case A3XX_OR:
        return old | data;
    default:
        return old ^ data;
    }
}

/*
 * Nobody has seen these on A3XX. Local: address, data, and for cmpxchg the value compared after the data. Global:
 * data, an offset that is not looked at, and the address as ldg has it.
 */
void a3xx_atomic(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_space space, enum a3xx_atomic action)
{
    unsigned type = type_of(op);
    if ((type != A3XX_U32 && type != A3XX_S32) || (space == A3XX_GLOBAL && run->state->choice.global_atomic_stops)) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_ATOMIC, a3xx_rows.rows[op->row].facts.mnemonic,
                  a3xx_type_names[type]);
        return;
    }
    /* in the text of the global ones the slot stands first */
    const struct a3xx_operand *data = &op->source[1], *where = &op->source[space == A3XX_GLOBAL ? 3 : 0];
    int64_t address = a3xx_fetch_component(run, where, 0);
    uint32_t old, value = a3xx_fetch_component(run, data, 0);
    uint32_t compared = action == A3XX_CMPXCHG ? a3xx_fetch_component(run, data, 1) : 0;
    if (run->halted || !read_bytes(run, space, address, 4, &old) ||
        !write_bytes(run, space, address, 4, atomic_result(action, type == A3XX_S32, old, value, compared)))
        return;
    a3xx_put(run, &op->result, 0, old);
}

/* --- many threads, in the order of their numbers ------------------------------------------------------------------ */

/* An instruction's accesses. */
struct transfer {
    struct pages *pages;
    uint64_t base, pace; /* where addresses of the first thread begin in the pages, and how far on those of the next */
    int64_t size;        /* of the memory that a thread sees */
    int64_t offset;
    unsigned bytes, count; /* of an element; elements */
};

static struct transfer transfer_of(struct a3xx_run *run, const struct a3xx_op *op)
{
    enum a3xx_space space = (enum a3xx_space)(op->transfer & A3XX_TRANSFER_SPACE);
    bool private = space == A3XX_PRIVATE;
    return (struct transfer){
        .pages = space == A3XX_GLOBAL ? &run->core->memory : &run->core->files,
        .base = private               ? A3XX_PRIVATE_BASE(0)
                : space == A3XX_LOCAL ? A3XX_LOCAL_BASE
                                      : 0,
        .pace = private ? A3XX_PRIVATE_BASE(1) - A3XX_PRIVATE_BASE(0) : 0,
        .size = a3xx_space_size(&run->state->choice, space),
        .offset = a3xx_transfer_offset(op, op->transfer & A3XX_TRANSFER_STORE, op->transfer & A3XX_TRANSFER_DIRECT),
        .bytes = a3xx_transfer_bytes(op),
        .count = A3XX_FIELD(op->bits, COMPONENTS),
    };
}

const unsigned char *a3xx_bytes_at_slow(struct pages *pages, uint64_t place)
{
    static const unsigned char zeros[A3XX_BYTES_AT_MOST];
    uint32_t value;
    if (!pages_read(pages, place & ~UINT64_C(3), &value)) /* which puts the page into the slot, if there is one */
        return NULL;
    const struct pages_cached *slot = pages_slot(pages, place);
    return slot->number == (place >> PAGE_BITS) + 1 ? slot->bytes + (place & (PAGE_BYTES - 1)) : zeros;
}

/* Bytes to write at a place; null when out of memory. */
static unsigned char *own_bytes_at(struct pages *pages, uint64_t place)
{
    unsigned char *written = pages_written(pages, place), *page = written ? written : pages_own(pages, place);
    return page ? page + (place & (PAGE_BYTES - 1)) : NULL;
}

static uint32_t load_value(const unsigned char *at, unsigned bytes, bool is_signed)
{
    if (bytes == 4)
        return page_word(at);
    if (bytes == 2)
        return at[0] | (uint32_t)at[1] << 8;
    return is_signed ? (uint16_t)(int8_t)at[0] : at[0];
}

static void load_values(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                        const struct transfer *transfer, const unsigned char *const *from)
{
    bool is_signed = A3XX_FIELD(op->bits, MEMORY_TYPE) == A3XX_S8;
    unsigned bytes = transfer->bytes;
    for (unsigned k = 0; k < transfer->count; k++) {
        uint32_t *row = a3xx_vector_result(run, issue, op, k);
        for (unsigned i = 0; i < issue->count && row; i++)
            row[issue->members[i]] = load_value(from[i] + k * bytes, bytes, is_signed);
    }
}

static void store_values(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                         const struct transfer *transfer, const uint64_t *places)
{
    const uint32_t *rows[A3XX_TRANSFER_COUNT];
    for (unsigned k = 0; k < transfer->count; k++)
        rows[k] = a3xx_vector_source(run, issue, op, 1, k);
    for (unsigned i = 0; i < issue->count; i++) {
        unsigned char *to = own_bytes_at(transfer->pages, places[i]);
        for (unsigned k = 0; k < transfer->count && to; k++) {
            unsigned char word[4];
            page_set_word(word, rows[k][issue->members[i]]);
            memcpy(to + k * transfer->bytes, word, transfer->bytes);
        }
    }
}

bool a3xx_transfer_lanes(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width)
{
    struct transfer transfer = transfer_of(run, op);
    const uint32_t *addresses = a3xx_vector_source(run, issue, op, 0, 0);
    const unsigned char *from[GPUCODE_A3XX_THREADS_MAX];
    uint64_t places[GPUCODE_A3XX_THREADS_MAX];
    unsigned size = transfer.count * transfer.bytes;
    if (run->core->access && transfer.pages == &run->core->memory)
        return false;
    for (unsigned i = 0; i < issue->count; i++) {
        unsigned thread = issue->members[i];
        int64_t address = (int64_t)addresses[thread] + transfer.offset;
        if (address < 0 || address + size > transfer.size)
            return false;
        places[i] = transfer.base + transfer.pace * thread + (uint64_t)address;
        bool in_page = (places[i] & (PAGE_BYTES - 1)) + size <= PAGE_BYTES && size <= A3XX_BYTES_AT_MOST;
        from[i] = in_page ? a3xx_bytes_at(transfer.pages, places[i]) : NULL;
        if (!from[i])
            return false;
    }
    a3xx_vector_begin(run, issue, op, width);
    if (op->transfer & A3XX_TRANSFER_STORE)
        store_values(run, issue, op, &transfer, places);
    else
        load_values(run, issue, op, &transfer, from);
    a3xx_vector_end(run, issue, op);
    return true;
}
