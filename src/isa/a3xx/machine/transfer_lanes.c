/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of many threads, in the order of their numbers. First it is seen whether all of them can be done:
 * where one cannot, or the host has to be asked, each thread does its own.
 */
#include "isa/a3xx/machine/transfer.h"

#include "isa/a3xx/machine/group.h"

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
    return slot->number == (place >> PAGE_BITS) + 1 ? slot->bytes + (place & (PAGE_SIZE - 1)) : zeros;
}

/* Bytes to write at a place; null when out of memory. */
static unsigned char *own_bytes_at(struct pages *pages, uint64_t place)
{
    unsigned char *written = pages_written(pages, place), *page = written ? written : pages_own(pages, place);
    return page ? page + (place & (PAGE_SIZE - 1)) : NULL;
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
        bool in_page = (places[i] & (PAGE_SIZE - 1)) + size <= PAGE_SIZE && size <= A3XX_BYTES_AT_MOST;
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
