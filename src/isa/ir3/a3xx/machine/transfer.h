/* SPDX-License-Identifier: MIT */
/* What one thread's loads and stores and those of many have in common. */
#ifndef ISA_IR3_A3XX_MACHINE_TRANSFER_H
#define ISA_IR3_A3XX_MACHINE_TRANSFER_H

#include "isa/ir3/a3xx/machine/machine.h"

/* Bytes that a thread sees of a memory. */
static inline int64_t a3xx_space_size(const struct a3xx_choices *choice, enum a3xx_space space)
{
    return space == A3XX_GLOBAL  ? INT64_C(1) << 32
           : space == A3XX_LOCAL ? A3XX_LOCAL_BYTES
                                 : (int64_t)choice->private_bytes;
}

/* Of an element. */
static inline unsigned a3xx_transfer_bytes(const struct a3xx_op *op)
{
    static const uint8_t bytes[8] = {2, 4, 2, 4, 2, 4, 1, 1};
    return bytes[A3XX_FIELD(op->bits, MEMORY_TYPE)];
}

/* So many elements at most are loaded or stored for all threads at once; the field has room for more than anybody uses.
 */
#define A3XX_TRANSFER_COUNT 8

/* What is added to the address. */
static inline int a3xx_transfer_offset(const struct a3xx_op *op, bool store, bool direct)
{
    return direct  ? 0
           : store ? a3xx_store_offset(op->bits)
                   : shader_signed(A3XX_FIELD(op->bits, LOAD_OFFSET), A3XX_LOAD_OFFSET_WIDTH);
}

/* --- memory that may not be written ------------------------------------------------------------------------------ */

#define A3XX_BYTES_AT_MOST 32 /* that anybody reads at once */

const unsigned char *a3xx_bytes_at_slow(struct pages *pages, uint64_t place);
/* The bytes at a place, of which no more may be read than its page has; null: there are none. */
static inline const unsigned char *a3xx_bytes_at(struct pages *pages, uint64_t place)
{
    const struct pages_cached *slot = pages_slot(pages, place);
    if (slot->number != (place >> PAGE_BITS) + 1)
        return a3xx_bytes_at_slow(pages, place);
    return slot->bytes + (place & (PAGE_BYTES - 1));
}

#endif
