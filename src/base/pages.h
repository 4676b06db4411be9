/* SPDX-License-Identifier: MIT */
/*
 * Sparse memory of 2^64 bytes, shared copy-on-write between a machine and its snapshots.
 *
 * Pages hang in a tree of small nodes. Nodes and pages count their owners: a copy of the whole memory is one more owner
 * of the root, and a write to something that has more than one owner copies the path to it first. A small cache of
 * pages found before makes the usual access a few instructions.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGE_BITS 12
#define PAGE_BYTES ((size_t)1 << PAGE_BITS)
#define PAGES_CACHE 64

struct page;
struct page_node;

struct pages_cached {
    uint64_t number;      /* of the page + 1; 0: nothing */
    unsigned char *bytes; /* of the page */
    bool writable;        /* this memory is the page's only owner */
};

/* A page of this memory's own that it did not have when it was last shared. */
#define PAGES_CHANGES 8
struct pages_change {
    uint64_t number;
    struct page **entry;         /* in a node of this memory's own */
    const unsigned char *before; /* what the others have there; null: nothing */
};

struct pages {
    struct page_node *root; /* null: empty */
    uint64_t lazy_end;      /* addresses below read as zeros and come into being when written */
    bool failed;            /* a page was needed and there was no memory; the write was lost */
    struct pages_cached cache[PAGES_CACHE];
    unsigned changes; /* since it was last shared; more than PAGES_CHANGES: not all of them are in the list */
    struct pages_change change[PAGES_CHANGES];
};

/* Frees everything that no copy owns. */
void pages_free(struct pages *pages);
/* *copy becomes an owner of all that *pages has; what *copy had is freed. Takes the time of a few loads. */
void pages_share(struct pages *pages, struct pages *copy);
/*
 * Makes the memory again what it was when it was last shared, whichever way; the other side must still be there. A few
 * pages are copied, and what was made for them is kept for the next writes. False: too much has changed, and nothing
 * was done.
 */
bool pages_put_back(struct pages *pages);

/* The bytes of the page that holds `address`, or null where nothing is mapped. Does not touch the cache. */
const unsigned char *pages_find(const struct pages *pages, uint64_t address);
/* The same for writing, made and copied as needed; null when out of memory. */
unsigned char *pages_own(struct pages *pages, uint64_t address);

/* Copies bytes out; false when part of them is not mapped. */
bool pages_load(const struct pages *pages, uint64_t address, void *bytes, size_t size);
/* Copies bytes in, making pages; false when out of memory or the range wraps around. */
bool pages_store(struct pages *pages, uint64_t address, const void *bytes, size_t size);
/*
 * Makes memory of zeros where there is none, of whatever size at the cost of a few nodes: pages come into being when
 * they are written. False when out of memory or the range wraps around.
 */
bool pages_map(struct pages *pages, uint64_t address, uint64_t size);

/* Bytes of pages and nodes that `pages` has and `other` (may be null) does not share. */
size_t pages_beyond(const struct pages *pages, const struct pages *other);

/* Slow paths of the two functions below. */
bool pages_read_slow(struct pages *pages, uint64_t address, uint32_t *value);
bool pages_write_slow(struct pages *pages, uint64_t address, uint32_t value);

static inline struct pages_cached *pages_slot(struct pages *pages, uint64_t address)
{
    return &pages->cache[(address >> PAGE_BITS) % PAGES_CACHE];
}

static inline uint32_t page_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void page_set_word(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    at[2] = (unsigned char)(value >> 16);
    at[3] = (unsigned char)(value >> 24);
}

/* A little-endian word at an address that is a multiple of 4; false when it is not mapped. */
static inline bool pages_read(struct pages *pages, uint64_t address, uint32_t *value)
{
    const struct pages_cached *slot = pages_slot(pages, address);
    if (slot->number != (address >> PAGE_BITS) + 1)
        return pages_read_slow(pages, address, value);
    *value = page_word(slot->bytes + (address & (PAGE_BYTES - 1)));
    return true;
}

/* The page of the address where it can be written at once; null: pages_own() finds out. */
static inline unsigned char *pages_written(struct pages *pages, uint64_t address)
{
    const struct pages_cached *slot = pages_slot(pages, address);
    return slot->number == (address >> PAGE_BITS) + 1 && slot->writable ? slot->bytes : NULL;
}

/* Writes a word at an address that is a multiple of 4; false when it is not mapped. */
static inline bool pages_write(struct pages *pages, uint64_t address, uint32_t value)
{
    unsigned char *page = pages_written(pages, address);
    if (!page)
        return pages_write_slow(pages, address, value);
    page_set_word(page + (address & (PAGE_BYTES - 1)), value);
    return true;
}

#endif
